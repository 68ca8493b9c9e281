"""clingo programs that blow up, do not end, and take all there is."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import bridge
from bridge.asp import Program
from bridge.asp.reading.source import check
from bridge.errors import BridgeError, InputError, LimitError, ProgramError
from bridge.limits import Limits
from bridge.outcome import Verdict
from torture.harness import PIGEONS, within

LIMITS = Limits(seconds=0.2)
MEGABYTES = 1 << 20
ROOT = Path(__file__).parent.parent.parent.parent

#: Grounding that does not end: with rules coming out, without any, and in arithmetic alone.
BLOW_UPS = {
    "rules": "p(0). p(X + 1) :- p(X).",
    "terms": "p(a). p(f(X, X)) :- p(X).",
    "choices": "{ q(X, Y, Z) : X = 1..5000, Y = 1..5000, Z = 1..5000 }.",
    "no rules": "p(1..4000). q :- p(X), p(Y), p(Z), X + Y + Z < 0.",
    "a constraint": "p(1..4000). :- p(X), p(Y), p(Z), X * Y * Z = -1.",
    "facts": "p(1..1000000000).",
}


@pytest.mark.usefixtures("little_grace")
@pytest.mark.parametrize("text", BLOW_UPS.values(), ids=BLOW_UPS.keys())
def test_a_grounding_that_blows_up(text: str) -> None:
    with Program(text) as program:
        with within(LIMITS.seconds):
            outcome = program.models(limits=LIMITS).collect()
        assert (outcome.solutions, outcome.complete, outcome.limit) == ((), False, "seconds")
        with within(LIMITS.seconds):  # it is loaded anew, where the process was killed
            assert program.count(limits=LIMITS).limit == "seconds"
        with within(LIMITS.seconds), suppress(LimitError):  # no rule came out
            assert not program.grounding(limits=LIMITS).complete


@pytest.mark.usefixtures("little_grace")
@pytest.mark.parametrize("name", ["rules", "terms", "choices", "facts"])
def test_a_grounding_stays_within_its_memory(name: str) -> None:
    limits = Limits(seconds=0.5, memory=40 * MEGABYTES)
    with Program(BLOW_UPS[name]) as program, within(limits.seconds):
        try:
            outcome = program.models(limits=limits).collect()
        except BridgeError as error:
            assert "memory" in str(error) or "bad_alloc" in str(error)  # noqa: PT017
            return
    assert outcome.limit in ("seconds", "memory", "crash")


@pytest.mark.parametrize("ask", ["models", "brave", "cautious", "optimal", "count", "solve"])
def test_a_search_that_does_not_end(ask: str) -> None:
    with Program(PIGEONS, n=12) as program, within(LIMITS.seconds):
        found = getattr(program, ask)(limits=LIMITS)
        if ask == "models":
            found = found.collect()
        assert found.limit == "seconds"


def test_very_deep_terms() -> None:
    with Program("p(a).") as program, within(2), pytest.raises(BridgeError):  # noqa: PT012
        program.add("p(" + "f(" * 300_000 + "a" + ")" * 300_000 + ").")
        program.models(limits=Limits(seconds=2)).collect()
    text = "p(0, a). p(N + 1, f(T)) :- p(N, T), N < n. deep(T) :- p(n, T). #show deep/1."
    with Program(text, n=20_000) as program, within(3):
        try:
            outcome = program.models(limits=Limits(seconds=3)).collect()
            assert outcome.solutions or outcome.limit
        except (BridgeError, RecursionError):
            pass  # refused, and no process died


@pytest.mark.parametrize("ask", [bridge.diagnose, bridge.check])
def test_a_process_that_dies_is_no_time_limit(ask: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "deep.lp").write_text("p(" + "f(" * 200_000 + "a" + ")" * 200_000 + ").")
    found = ask(bridge.program(tmp_path / "deep.lp"), limits=Limits(seconds=60))
    assert (found.verdict, found.limit) == (Verdict.UNKNOWN, "crash")


@pytest.mark.parametrize(
    "text",
    [
        "p(" + "9" * 1_000_000 + ").",
        'p("' + "x" * 5_000_000 + '").',
        "p" * 1_000_000 + ".",
        "p :- " + ", ".join(["q"] * 200_000) + ".",
        "p(1..2147483647) :- 1 > 2.",
        "p(X) :- X = 2 ** 31 ** 31.",
        "#const a = b. #const b = a. p(a).",
        "p(\0).",
        "%*" * 100_000,
        '#include "/dev/zero".',
        '#include "/dev/stdin".',
        '#include ".".',
        "#program p(1).",
        "#script (python) import os; os._exit(3) #end.",
        "#script (lua) os.exit(3) #end.",
        "p(@nothing(1)).",
        "&theory { x }.",
    ],
    ids=range(17),
)
def test_text_of_every_kind(text: str) -> None:
    with within(0.5):
        try:
            with Program(text, limits=Limits(seconds=0.5)) as program:
                program.models(limits=Limits(seconds=0.5)).collect()
        except BridgeError as error:
            assert isinstance(error, ProgramError | LimitError), error  # noqa: PT017


def test_a_reader_that_stops_early() -> None:
    with Program("{ a(1..60) }.") as program:
        for _ in range(20):
            with within(None), program.models() as models:
                next(models)
        assert len(program.models(limits=Limits(solutions=5)).collect().solutions) == 5


SEARCH = ["--configuration=many", "--configuration=tweety", "--heuristic=Vsids", "--seed=5", "-cn=5", "--const=n=5"]


def test_options_that_name_files_are_not_for_the_untrusted(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("[many]: --s3cret\n")
    for option in (
        f"--configuration={secret}", f"--config={secret}", f"--conf={secret}", f"--configuration=many,{secret}",
        "--configuration", f"--lemma-in={secret}", f"--lemma-out={tmp_path}/x", f"--hcc-out={tmp_path}/x", str(secret),
        f"{secret}.lp", f"-n0 --configuration={secret}", "--seed-x=5",
    ):  # fmt: skip
        with pytest.raises(InputError, match="not for untrusted") as raised:
            Program("a.\n", options=[option], untrusted=True, limits=LIMITS)
        assert "s3cret" not in str(raised.value)
    with pytest.raises(InputError, match="it names a file"):
        Program("a.\n", options=[f"--configuration={secret}"], untrusted=True)
    for option in SEARCH:
        with Program("a(n). #const n = 1.\n", options=[option], untrusted=True) as program:
            assert program.count().number == 1
    assert os.listdir(tmp_path) == ["secret"]


@pytest.mark.parametrize("options", [["--configuration=FILE"], ["-c", "n=1 --configuration=FILE"], ["-c", "n=FILE"]])
def test_the_command_line_passes_no_options_on(tmp_path: Path, options: list[str]) -> None:
    (tmp_path / "secret").write_text("[many]: --s3cret\n")
    (tmp_path / "a.lp").write_text("a(n). #const n = 1.\n")
    given = [option.replace("FILE", str(tmp_path / "secret")) for option in options]
    command = [sys.executable, "-m", "bridge", "run", "a.lp", "--untrusted", *given]
    asked = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert asked.returncode == 2
    assert "s3cret" not in asked.stdout + asked.stderr


@pytest.mark.parametrize("isolated", [True, False])
@pytest.mark.parametrize(
    "text",
    ["p(\uff03).", "größe.", "\ufeffa.", "a.\u00a0b.", 'p("a\n\uff03").', 'p("\uff03', "%* \uff03", "#script (lua) \uff03", "\uff03", "&\uff03"],
    ids=ascii,
)
def test_characters_that_clingo_logs_byte_by_byte(text: str, isolated: bool, tmp_path: Path) -> None:
    """Not isolated, they ended the process of the caller."""
    file = tmp_path / "program.lp"
    file.write_text(text, encoding="utf-8")
    for source in (file, f"{text}\n"):
        with pytest.raises(ProgramError) as raised:
            Program(source, isolated=isolated)
        place = raised.value.where
        assert place is not None
        assert place.file == (str(file) if source is file else "<block>")
        assert place.line
        assert place.column


@pytest.mark.parametrize("isolated", [True, False])
def test_terms_that_end_the_process_when_clingo_computes_them(isolated: bool) -> None:
    with Program("{ p(1) }. #external e(1).", isolated=isolated) as program:
        for computed in ("1\\0", "1/0", "-2147483648/-1", "-2147483648\\-1"):
            with pytest.raises(InputError, match=r"32-bit|divides by zero"):
                program.count(assuming=[f"p({computed})"])
            with pytest.raises(InputError, match=r"32-bit|divides by zero"):
                program.assign_external(f"e({computed})", True)
            with pytest.raises(InputError, match=r"32-bit|divides by zero"):
                Program("p(n).", options=[f"--const=n={computed}"], isolated=isolated)
        assert program.count().number == 2


def test_numbers_among_very_many_tokens() -> None:
    # Each number was once looked up in a copy of all the text before it.
    text = "p(4294967295).\n" + "q(1,2,3,4).\n" * 100_000
    with pytest.raises(ProgramError, match="32-bit"):
        check(text)
    with within(10):  # it was a minute
        check("%* 4294967296 *%\n" + text[len("p(4294967295).") :])
