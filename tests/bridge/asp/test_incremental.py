"""`#include <incmode>.`: the same steps and the same models as the clingo program, whose own loop is the reference."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import clingo
import pytest
from patience import PATIENCE, given_time, interrupted

from bridge.asp import Constant, Program, encode, internals
from bridge.errors import InputError, ProgramError
from bridge.limits import Limits

#: clingo's command-line program. An application without a `main` of its own runs clingo's, incremental mode and all.
CLINGO = """
import sys
from clingo.application import Application, clingo_main
class Clingo(Application):
    program_name = "clingo"
sys.exit(clingo_main(Clingo(), sys.argv[1:]))
"""

HANOI = """
#include <incmode>.
#program base.
peg(a; b; c). disk(1..3).
on(D, a, 0) :- disk(D).
#program step(t).
{ move(D, P, t) : disk(D), peg(P) } = 1.
on(D, P, t) :- move(D, P, t).
on(D, P, t) :- on(D, P, t-1), not move(D, _, t).
:- move(D, P, t), on(D, P, t-1).
:- move(D, P, t), on(D, Q, t-1), on(E, Q, t-1), E < D.
:- move(D, P, t), on(E, P, t-1), E < D.
#program check(t).
:- query(t), disk(D), not on(D, c, t).
#show move/3.
"""
CHOICES = """
#include <incmode>.
{ a(0) }.
#program step(t).
{ a(t) }.
#program check(t).
:- query(t), t < 2.
:- query(t), not a(t).
"""
#: Satisfiable in the first steps, no longer from step 3 on.
FAILS = """
#include <incmode>.
#program step(t).
{ a(t) }.
:- t > 2.
"""
NEVER = "#include <incmode>.\n#program check(t).\n:- query(t).\n"


def many_steps(outcome: Any) -> bool:
    return outcome.statistics.counters.get("steps", 0) > 10


def by_clingo(file: Path, *options: str) -> tuple[list[list[list[str]]], int]:
    """The models that clingo finds in each step, and the number of steps."""
    command = [sys.executable, "-c", CLINGO, str(file), "--models=0", "--outf=2", *options]
    told = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)
    models = [[sorted(w["Value"]) for w in call.get("Witnesses", [])] for call in told.get("Call", [])]
    return models, told.get("Calls", 0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "constants"),
    [
        (HANOI, {}),
        (CHOICES, {}),
        (CHOICES, {"imin": 5}),
        (CHOICES, {"imax": 3}),
        (CHOICES, {"imax": 2}),
        (CHOICES, {"imin": 4, "imax": 3}),
        (FAILS, {"istop": "UNSAT"}),
        (FAILS, {}),
        (NEVER, {"imax": 4}),
        (NEVER, {"istop": "UNSAT"}),
        (NEVER, {"istop": "UNSAT", "imin": 3}),
        (CHOICES, {"istop": "UNKNOWN", "imax": 4}),
        (CHOICES, {"istop": Constant("never_heard_of"), "imax": 4}),
        (CHOICES, {"istop": 7, "imin": Constant("x"), "imax": 4}),
    ],
)
def test_steps_and_models_are_those_of_clingo(tmp_path: Path, text: str, constants: dict[str, Any]) -> None:
    file = tmp_path / "program.lp"
    file.write_text(text)
    expected, steps = by_clingo(file, *[f"--const={name}={encode(value)}" for name, value in constants.items()])
    with Program(file, **constants) as program:
        outcome = program.models().collect()
    assert sorted(sorted(str(model).split()) for model in outcome.solutions) == sorted(
        model for call in expected for model in call
    )
    assert outcome.complete
    assert outcome.statistics.counters.get("steps", 0) == steps


def test_no_steps_at_all() -> None:
    with Program(CHOICES, imax=0) as program:
        outcome = program.models().collect()
    assert (outcome.solutions, outcome.complete, outcome.statistics.counters) == ((), True, {})


def test_the_directive_is_found_where_it_counts_only(tmp_path: Path) -> None:
    (tmp_path / "inner.lp").write_text(CHOICES)
    outer = tmp_path / "outer.lp"
    outer.write_text('#include "inner.lp".\n')
    options = ["--warn=none"], ["--warn=no-file-included"], []
    for option in options:
        with Program(outer, options=option) as program:
            assert program.models().collect().statistics.counters["steps"] == 3
            assert program.warnings == []
    for text in (
        "% #include <incmode>.\na.",
        "%* #include <incmode>.\n%* *% #include <incmode>. *% a.",
        'a("#include <incmode>.").',
        'a("%"). b("%*").  % #include <incmode>.',
    ):
        with Program(text) as program:
            outcome = program.models().collect()
            assert len(outcome.solutions) == 1
            assert "steps" not in outcome.statistics.counters
            assert program.warnings == []


def test_a_directive_given_twice_is_a_warning_once() -> None:
    with Program("#include <incmode>.\n#include <incmode>.\na.") as program:
        assert len(program.models().collect().solutions) == 1
        assert [warning for warning in program.warnings if "already included" in warning] == program.warnings[:1]


def test_each_search_begins_anew_and_every_kind_works() -> None:
    with Program(CHOICES) as program:
        for _ in range(2):
            assert len(program.models().collect().solutions) == 4
            assert program.count().number == 4
            found = program.cautious()
            assert (set(found.solutions[0]["a"]), found.complete) == ({(2,)}, True)
            assert set(program.brave().solutions[0]["a"]) == {(0,), (1,), (2,)}
            assert program.solve().satisfiable
            assert program.first() is not None
        assert len(program.models(assuming=["a(0)"]).collect().solutions) == 2
        assert program.models(assuming=["a(0)"], limits=Limits(solutions=1)).collect().limit == "solutions"
        assert program.count(limits=Limits(solutions=3)).number == 3
    with Program(CHOICES, imin=4) as program:
        assert program.count(limits=Limits(solutions=9)).number == 9
        assert program.count().number == 4 + 8


def test_assumptions_hold_in_every_step_and_the_core_is_the_last_ones() -> None:
    with Program(CHOICES, imax=5) as program:
        solved = program.solve(assuming=["not a(2)"])
        assert (solved.satisfiable, solved.statistics.counters["steps"]) == (True, 4)
        solved = program.solve(assuming=["a(0)", "not a(2)", "not a(3)", "not a(4)"])
        assert (solved.satisfiable, solved.core) == (False, ("not a(4)",))


def test_optimal_is_of_the_last_step() -> None:
    with Program(CHOICES + "#program base. :~ a(0). [1] #program step(t). :~ a(t). [1,t]", imin=4) as program:
        outcome = program.optimal()
    assert [sorted(model["a"]) for model in outcome.solutions] == [[(3,)]]
    assert (outcome.solutions[0].cost, outcome.complete, outcome.statistics.counters["steps"]) == ((1,), True, 4)


def test_what_does_not_go_with_steps_is_said() -> None:
    with Program(CHOICES) as program:
        with pytest.raises(InputError, match="incremental"):
            program.ground(("step", 1))
        with pytest.raises(InputError, match="incremental"):
            program.assign_external("query(0)", True)
        program.ground()
        assert set(program.literals("a", 1)) == {(0,)}
        assert program.count().number == 4
    with Program("#include <incmode>.\n#program step(t).\na(X).\n", imin=3) as program, pytest.raises(ProgramError):
        program.count()


@pytest.mark.slow
def test_limits_hold_between_steps_and_within_them() -> None:
    with Program(NEVER) as program:
        outcome = given_time(lambda seconds: program.models(limits=Limits(seconds=seconds)).collect(), many_steps)
        assert (outcome.solutions, outcome.complete, outcome.limit) == ((), False, "seconds")
        count = program.count(limits=Limits(seconds=0.2))
        assert (count.number, count.complete, count.limit) == (0, False, "seconds")
    # Step t puts t + 5 pigeons into t + 4 holes.
    pigeons = """
#include <incmode>.
#program check(t).
{ in(P, 1..t+4, t) } = 1 :- P = 1..t+5, query(t).
:- in(P, H, t), in(P', H, t), P < P', query(t).
"""
    with Program(pigeons) as program:
        outcome = program.models(limits=Limits(seconds=0.4)).collect()
        assert (outcome.solutions, outcome.complete, outcome.limit) == ((), False, "seconds")
        assert outcome.statistics.counters["steps"] < 20


@pytest.mark.parametrize("call", ["assign_external", "release_external"])
def test_ctrl_c_while_an_observer_is_told_of_an_external(call: str) -> None:
    class Interrupted:
        pressed = False

        def external(self, atom: int, value: clingo.TruthValue) -> None:
            if self.pressed:
                raise KeyboardInterrupt

    control, observer = clingo.Control(), Interrupted()
    control.register_observer(observer)  # type: ignore[arg-type]
    control.add("base", [], "#external e. a :- e.")
    control.ground([("base", [])])
    observer.pressed = True
    with pytest.raises(KeyboardInterrupt), internals.observed(control):
        getattr(control, call)(clingo.Function("e"), *([True] if call == "assign_external" else []))
    with pytest.raises(RuntimeError), internals.observed(control):
        raise RuntimeError("clingo's own")


@pytest.mark.slow
def test_ctrl_c() -> None:
    with Program(NEVER) as program:
        for search in (lambda: program.models().collect(), program.count):
            given_time(lambda seconds, search=search: interrupted(search, seconds), many_steps)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("files", "given"),
    [
        (
            {"a.lp": '#include "b.lp". #include "c.lp".', "b.lp": "q(1).", "c.lp": '#include "b.lp". r(1) :- q(1).'},
            "a.lp",
        ),
        ({"a.lp": '#include "b.lp".', "b.lp": "q(1)."}, "a.lp b.lp"),
        ({"a.lp": '#include "b.lp". r(1) :- q(1).', "b.lp": "q(1)."}, "b.lp a.lp"),
        ({"a.lp": '#include "a.lp". q(1).'}, "a.lp"),
        ({"a.lp": "q(1)."}, "a.lp ./a.lp"),
        ({"a.lp": '#include "b.lp". q(n).', "b.lp": "#const n = 2. { r }."}, "a.lp b.lp"),
        ({"a.lp": "q(1). #program step(t).", "b.lp": "r."}, "a.lp b.lp"),
        (
            {
                "a.lp": '#include "d/b.lp". #include "b.lp".',
                "d/b.lp": '#include "c.lp".',
                "d/c.lp": "q(1).",
                "b.lp": "r(1).",
            },
            "a.lp",
        ),
        ({"a.lp": '#include "incmode". #include "incmode".', "incmode": "q(1)."}, "a.lp"),
        (
            {
                "a.lp": '#include "b.lp". q("#include<incmode>.").',
                "b.lp": "% #include <incmode>.\n%* #include <incmode>. *%",
            },
            "a.lp a.lp",
        ),
        ({"a.lp": '#include "b.lp". #include "b.lp".', "b.lp": "#include %* a %* b *% *% <incmode>. q(1)."}, "a.lp"),
        ({"a.lp": "#include % a\n< incmode % b\n> .#program check(t). :- query(t), t < 2."}, "a.lp"),
        ({"a.lp": '#include %* a *% "b.lp".', "b.lp": '#include"c.lp".', "c.lp": "#include<incmode>. q(1)."}, "a.lp"),
    ],
)
def test_inclusions_are_those_of_clingo(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: dict[str, str], given: str
) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "link.lp").symlink_to("a.lp")
    monkeypatch.chdir(tmp_path)
    for names in (given.split(), [*given.split(), "link.lp"]):
        command = [sys.executable, "-c", CLINGO, *names, "--outf=2", "--models=0"]
        shown = subprocess.run(command, capture_output=True, text=True)
        calls = json.loads(shown.stdout)["Call"]
        with Program(*map(Path, names)) as program:
            outcome, warnings = program.models().collect(), program.warnings
        assert sorted(sorted(str(model).split()) for model in outcome.solutions) == sorted(
            sorted(w["Value"]) for call in calls for w in call.get("Witnesses", [])
        )
        steps = any("incmode>" in "".join(text.split()) and "query" in text for text in files.values())
        assert outcome.statistics.counters.get("steps", 1) == len(calls) >= 1 + 2 * steps
        # Of two mentions of a file clingo takes another one for the first where one is on the command line.
        warned = sum("already included file" in warning for warning in warnings)
        assert warned == shown.stderr.count("already included file")


def test_a_constraint_on_files_included_twice_ends(tmp_path: Path) -> None:
    for name, text in {
        "b.lp": "q(1).", "c.lp": '#include "b.lp". r(1) :- q(1).', "a.lp": '#include "b.lp". #include "c.lp". :- r(1).',
    }.items():  # fmt: skip
        (tmp_path / name).write_text(text)
    with Program(tmp_path / "a.lp") as program:
        assert program.solve(limits=Limits(seconds=PATIENCE)).satisfiable is False
        assert program.cautious(limits=Limits(seconds=PATIENCE)).complete


def test_comments_within_a_directive_hide_no_file(tmp_path: Path) -> None:
    (tmp_path / "b.lp").write_text("q(4294967297).")
    (tmp_path / "a.lp").write_text('#include %* a *% "b.lp".')
    with pytest.raises(ProgramError, match="4294967297"):
        Program(tmp_path / "a.lp")
