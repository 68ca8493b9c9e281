"""clingo programs that blow up, do not end, and take all there is."""

from __future__ import annotations

from contextlib import suppress

import pytest

from bridge.asp import Program
from bridge.errors import BridgeError, LimitError, ProgramError
from bridge.limits import Limits
from torture.harness import PIGEONS, within

LIMITS = Limits(seconds=0.4)
MEGABYTES = 1 << 20

#: Grounding that does not end: with rules coming out, without any, and in arithmetic alone.
BLOW_UPS = {
    "rules": "p(0). p(X + 1) :- p(X).",
    "terms": "p(a). p(f(X, X)) :- p(X).",
    "choices": "{ q(X, Y, Z) : X = 1..5000, Y = 1..5000, Z = 1..5000 }.",
    "no rules": "p(1..4000). q :- p(X), p(Y), p(Z), X + Y + Z < 0.",
    "a constraint": "p(1..4000). :- p(X), p(Y), p(Z), X * Y * Z = -1.",
    "facts": "p(1..1000000000).",
}


@pytest.mark.parametrize("text", BLOW_UPS.values(), ids=BLOW_UPS.keys())
def test_a_grounding_that_blows_up(text: str) -> None:
    with Program(text, limits=LIMITS) as program:
        with within(LIMITS.seconds):
            outcome = program.models(limits=LIMITS).collect()
        assert (outcome.solutions, outcome.complete, outcome.limit) == ((), False, "seconds")
        with within(LIMITS.seconds):  # it is loaded anew, where the process was killed
            assert program.count(limits=LIMITS).limit == "seconds"
        with within(LIMITS.seconds), suppress(LimitError):  # no rule came out
            assert not program.grounding(limits=LIMITS).complete


@pytest.mark.parametrize("text", BLOW_UPS.values(), ids=BLOW_UPS.keys())
def test_a_grounding_stays_within_its_memory(text: str) -> None:
    limits = Limits(seconds=1.5, memory=100 * MEGABYTES)
    with Program(text) as program, within(limits.seconds):
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


def test_terms_a_million_deep() -> None:
    with Program("p(a).") as program, within(2), pytest.raises(BridgeError):  # noqa: PT012
        program.add("p(" + "f(" * 1_000_000 + "a" + ")" * 1_000_000 + ").")
        program.models(limits=Limits(seconds=2)).collect()
    text = "p(0, a). p(N + 1, f(T)) :- p(N, T), N < n. deep(T) :- p(n, T). #show deep/1."
    with Program(text, n=100_000) as program, within(3):
        try:
            outcome = program.models(limits=Limits(seconds=3)).collect()
            assert outcome.solutions or outcome.limit
        except (BridgeError, RecursionError):
            pass  # refused, and nobody died


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
    with within(2):
        try:
            with Program(text, limits=Limits(seconds=2)) as program:
                program.models(limits=Limits(seconds=2)).collect()
        except BridgeError as error:
            assert isinstance(error, ProgramError | LimitError), error  # noqa: PT017


def test_a_reader_that_stops_early() -> None:
    with Program("{ a(1..60) }.") as program:
        for _ in range(20):
            with within(None), program.models() as models:
                next(models)
        assert len(program.models(limits=Limits(solutions=5)).collect().solutions) == 5
