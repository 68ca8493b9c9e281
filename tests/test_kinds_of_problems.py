"""Every public function with every kind of problem: a result, or a BridgeError that says what to do."""

from __future__ import annotations

import gzip
import inspect
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import bridge
from bridge import BridgeError, Limits, UnsupportedError
from bridge.puzzles import formats

ONE = Limits(solutions=1)

PROBLEMS: dict[str, Callable[[], Any]] = {
    "puzzle": lambda: bridge.puzzles.parse("sudoku", "12.. .... .... ..43".replace(" ", "")),
    "program": lambda: bridge.AspProblem(
        "n(1..2). v(a;b). { at(X, V) : v(V) } = 1 :- n(X). :- at(1, V), at(2, V). #show at/2. #minimize { 1 : at(1, a) }."
    ),
    "impossible program": lambda: bridge.AspProblem(
        "{ at(1, a) }. :- at(1, a). :- not at(1, a). #minimize { 1 : at(1, a) }."
    ),
    "goal": lambda: bridge.PrologProblem(["at(1, a). at(2, b).\n"], "at(X, Y)"),
    "failing goal": lambda: bridge.PrologProblem(["at(1, a). at(2, b).\n"], "at(3, Y)"),
    "path": lambda: "nowhere.lp",
    "nothing": lambda: None,
}



def _row_of(found: bridge.Submissions) -> None:
    """A program that cannot be read is a row."""
    raise bridge.InputError(found.rows[0].error or "", hint="a row says so")


#: What is called with a problem, and which kinds it takes.
CALLS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "puzzles.batch": (lambda one: list(bridge.puzzles.batch("sudoku", "check", [one])), "puzzle"),
    "check": (bridge.check, "puzzle, program, impossible program, goal, failing goal"),
    "compare": (
        lambda one: bridge.compare("asp", instances=one) if isinstance(one, bridge.puzzles.Puzzle) else bridge.compare(one, one),
        "puzzle, program, impossible program, goal, failing goal",
    ),
    "count": (bridge.count, "puzzle, program, impossible program, goal, failing goal"),
    "puzzles.cubes": (lambda one: bridge.puzzles.cubes(one, 2), "puzzle"),
    "debug": (lambda one: bridge.debug(one, missing="at(1,a)"), "program, impossible program, goal, failing goal"),
    "diagnose": (bridge.diagnose, "puzzle, program, impossible program, goal, failing goal"),
    "puzzles.engine": (bridge.puzzles.engine, ""),
    "explain": (lambda one: list(bridge.explain(one)), "puzzle, program, goal"),
    "puzzles.generate": (lambda one: list(bridge.puzzles.generate(one, 4, limits=ONE)), ""),
    "goal": (lambda one: bridge.goal(one, "true").read(), ""),
    "puzzles.grade": (bridge.puzzles.grade, "puzzle"),
    "puzzles.handout": (lambda one: bridge.puzzles.handout(bridge.compare("asp", instances=[one]), [one]), "puzzle"),
    "judge": (lambda one: bridge.judge(one, ["p."], ["p"]).collect(), ""),
    "lint": (bridge.lint, "program, impossible program, goal, failing goal"),
    "puzzles.load_all": (lambda one: bridge.puzzles.load_all("sudoku", one), ""),
    "mcs": (bridge.mcs, "puzzle, program, impossible program, goal, failing goal"),
    "mus": (bridge.mus, "puzzle, program, impossible program, goal, failing goal"),
    "muses": (lambda one: list(bridge.muses(one)), "puzzle, program, impossible program, goal, failing goal"),
    "mutate": (lambda one: bridge.mutate(one, tests=["n(1)."]), ""),
    "puzzles.parse": (lambda one: bridge.puzzles.parse("sudoku", one), "puzzle"),
    "puzzles.parse_all": (lambda one: bridge.puzzles.parse_all("sudoku", one), ""),
    "picture": (bridge.picture, "puzzle"),
    "program": (lambda one: bridge.program(one).outline, ""),
    "profile": (bridge.profile, "program, impossible program, goal, failing goal"),
    "puzzles.load": (lambda one: bridge.puzzles.load("sudoku", one), ""),
    "residual": (bridge.residual, "puzzle, program, impossible program, goal, failing goal"),
    "solutions": (
        lambda one: bridge.solutions(one, limits=ONE).collect(),
        "puzzle, program, impossible program, goal, failing goal",
    ),
    "puzzles.sheet": (lambda one: bridge.puzzles.sheet([one]), "puzzle"),
    "smallest_mus": (bridge.smallest_mus, "puzzle, program, impossible program, goal, failing goal"),
    "submissions": (lambda one: _row_of(bridge.submissions(one, against="p. {q}.")), ""),
    "test": (lambda one: bridge.test(one, tests="%! test one: several\n"), "program, impossible program"),
    "why": (lambda one: bridge.why(one, ATOMS.get(type(one))), "puzzle, program, goal, failing goal"),
}


#: What is asked about a problem by `why`.
ATOMS = {type(PROBLEMS["puzzle"]()): "cell(1,1,1)", bridge.AspProblem: "at(1,a)"}


def test_every_public_function_is_here() -> None:
    public = {name: getattr(bridge, name) for name in bridge.__all__}
    public |= {f"puzzles.{name}": getattr(bridge.puzzles, name) for name in bridge.puzzles.__all__}
    assert {name for name, value in public.items() if inspect.isfunction(inspect.unwrap(value))} == set(CALLS)


@pytest.mark.slow
@pytest.mark.parametrize("kind", PROBLEMS)
@pytest.mark.parametrize("name", CALLS)
def test_a_result_or_an_error_that_helps(name: str, kind: str) -> None:
    call, takes = CALLS[name]
    if kind in takes.split(", ") and name != "puzzles.parse":
        call(PROBLEMS[kind]())
        return
    with pytest.raises(BridgeError) as raised:
        call(PROBLEMS[kind]())
    assert raised.value.hint
    if isinstance(raised.value, UnsupportedError) and name != "picture":
        kinds = {"puzzle": "a puzzle", "program": "a clingo program", "goal": "a Prolog goal"}
        assert raised.value.message.endswith(f"not for {kinds[kind.split()[-1]]}")


@pytest.mark.parametrize("kind", sorted(PROBLEMS.keys() - {"path", "nothing"}))
def test_a_result_has_the_same_type_whatever_the_problem(kind: str) -> None:
    problem = PROBLEMS[kind]()
    verdicts = {"impossible program": "impossible", "failing goal": "impossible"}
    for found in (bridge.check(problem), bridge.diagnose(problem)):
        assert isinstance(found, bridge.Diagnosis)
        assert str(found.verdict) == verdicts.get(kind, "ambiguous")
        assert found.problem is problem
        assert all(hasattr(found, name) for name in bridge.Diagnosis.__dataclass_fields__)
        assert str(found)
        assert json.dumps(found.to_json())
    count, residual = bridge.count(problem), bridge.residual(problem)
    assert isinstance(count, bridge.Count)
    assert isinstance(residual, bridge.Residual)
    assert (count.complete, residual.complete) == (True, True)
    assert (count.number == 0) == residual.contradiction == (kind in verdicts)
    assert bool(residual.open) == (count.number > 1)
    assert all(map(str, (count, residual)))
    assert json.dumps([count.to_json(), residual.to_json()])
    with bridge.solutions(problem) as stream:
        assert len(stream.collect().solutions) == count.number


@pytest.mark.slow
def test_count_of_a_goal() -> None:
    program = "p(1). p(2). p(1). q(X) :- p(X) ; repeat, p(X).\n:- table t/0, u/0.\nt :- tnot(u).\nu :- tnot(t).\n"
    assert bridge.count(bridge.PrologProblem([program], "p(X)")) == bridge.Count(2, True)
    limited = bridge.count(bridge.PrologProblem([program], "q(X)"), limits=Limits(seconds=0.5))
    assert (limited.number, limited.complete, limited.limit) == (2, False, "seconds")
    least = bridge.count(bridge.PrologProblem([program], "q(X)"), limits=ONE)
    assert (least.number, least.complete, least.limit) == (1, False, "solutions")
    assert bridge.count(bridge.PrologProblem([program], "t")).number == 0  # undefined
    opened = bridge.count(bridge.PrologProblem([":- use_module(library(clpfd)).\n"], "X in 1..3"))
    assert (opened.number, bool(opened.notes)) == (1, True)


def test_check_and_residual_of_a_goal() -> None:
    problem = PROBLEMS["goal"]()
    found = bridge.check(problem)
    assert [dict(one) for one in found.solutions] == [{"X": 1, "Y": "a"}, {"X": 2, "Y": "b"}]
    assert found.open == {"X": ("1", "2"), "Y": ("a", "b")} == bridge.residual(problem).open
    assert bridge.check(problem, residual="none").residual is None
    with pytest.raises(UnsupportedError, match="no residual of propagation"):
        bridge.check(problem, propagation="mac")
    one = bridge.residual(bridge.PrologProblem(["p(1).\n"], "p(X)"))
    assert (one.open, one.backbone, one.contradiction) == ({}, {"X": "1"}, False)


def test_the_proof_of_a_goal_in_steps() -> None:
    problem = bridge.PrologProblem(["a(X) :- b(X), c(X).\nb(1). b(2).\nc(2).\n"], "a(X)")
    assert list(map(str, bridge.explain(problem))) == [
        "b(2): by <text>:2:7",
        "c(2): by <text>:3",
        "a(2): by <text>:1, b(2) and c(2)",
    ]
    reasons = bridge.why(problem)
    assert (reasons.status, reasons.proof is not None) == ("some", True)
    assert bridge.why(problem, answer=2).proof is None
    assert bridge.picture(reasons).svg()


def test_why_of_a_puzzle_is_that_of_its_program() -> None:
    found = bridge.why(PROBLEMS["puzzle"](), "cell(1,3,1)")
    assert found.status == "no"
    assert found.clash is not None
    assert any(premise.is_fact for premise in found.clash.premises)


def test_solutions_of_programs_are_models_and_of_goals_answers() -> None:
    program = bridge.solutions(PROBLEMS["program"]())
    found = sorted(sorted(model["at"]) for model in program)
    assert found == [[(1, "a"), (2, "b")], [(1, "b"), (2, "a")]]
    assert program.complete
    first = bridge.solutions(PROBLEMS["program"](), limits=ONE).collect()
    assert (len(first.solutions), first.complete, first.limit) == (1, False, "solutions")
    goal = bridge.solutions(PROBLEMS["goal"]()).collect()
    assert [dict(one) for one in goal.solutions] == [{"X": 1, "Y": "a"}, {"X": 2, "Y": "b"}]
    assert goal.complete
    endless = bridge.solutions(bridge.PrologProblem(["p(1).\n"], "repeat, fail"), limits=Limits(seconds=0.3)).collect()
    assert (endless.solutions, endless.limit) == ((), "seconds")


def test_the_residual_of_a_program_is_what_is_open() -> None:
    found = bridge.residual(PROBLEMS["program"]())
    assert sorted(found.open) == ["at(1)", "at(2)"]


@pytest.mark.parametrize("name", ["lp", "pl", "sdk", "csv", "fpuzzles", "json", "text", "ipuz"])
def test_a_puzzle_is_loaded_from_a_file_of_any_format(name: str, tmp_path: Path) -> None:
    puzzle = bridge.puzzles.parse("sudoku", "12.............." if name != "sdk" else "1" + "." * 80)
    suffixes = {of: suffix for suffix, of in formats.SUFFIXES.items()}
    file = tmp_path / f"one{suffixes.get(name, '')}"
    file.write_bytes(formats.encode(puzzle, name).data)
    assert bridge.puzzles.load("sudoku", file) == puzzle
    assert bridge.puzzles.load_all("sudoku", file) == [puzzle]
    file.with_name(f"{file.name}.gz").write_bytes(gzip.compress(file.read_bytes()))
    assert bridge.puzzles.load("sudoku", f"{file}.gz") == puzzle


def test_one_puzzle_is_loaded(tmp_path: Path) -> None:
    (tmp_path / "two.txt").write_text("12..............\n" * 2)
    assert len(bridge.puzzles.load_all("sudoku", tmp_path / "two.txt")) == 2
    with pytest.raises(bridge.InputError, match="2 puzzles, but one is wanted; use `load_all`"):
        bridge.puzzles.load("sudoku", tmp_path / "two.txt")


def test_undefined_answers_to_a_goal_are_no_solutions() -> None:
    """A goal's answers come through a stream of their own: it counts the undefined ones, and says how the query ended."""
    program = ":- table p/0, q/0.\np :- tnot(q).\nq :- tnot(p).\nends :- halt(3).\n"
    found = bridge.solutions(bridge.PrologProblem([program], "p")).collect()
    assert (found.undefined, str(found.verdict)) == (1, "unknown")
    assert found.statistics.counters["inferences"] > 0
    stream = bridge.solutions(bridge.PrologProblem([program], "ends"))
    assert list(stream) == []
    assert (stream.complete, stream.limit, stream.exit_code) == (False, "halt", 3)
