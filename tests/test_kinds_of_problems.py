"""Every public function with every kind of problem: a result, or a BridgeError that says what to do."""

from __future__ import annotations

import gzip
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import bridge
from bridge import BridgeError, Limits, UnsupportedError
from bridge.puzzles import formats

ONE = Limits(solutions=1)

PROBLEMS: dict[str, Callable[[], Any]] = {
    "puzzle": lambda: bridge.parse("sudoku", "12.. .... .... ..43".replace(" ", "")),
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

#: What is called with a problem, and which kinds it takes.
CALLS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "batch": (lambda one: list(bridge.batch("sudoku", "check", [one])), "puzzle"),
    "check": (bridge.check, "puzzle, program, impossible program"),
    "compare": (lambda one: bridge.compare([one], engines=["asp"]), "puzzle"),
    "count": (bridge.count, "puzzle, program, impossible program"),
    "cubes": (lambda one: bridge.cubes(one, 2), "puzzle"),
    "diagnose": (bridge.diagnose, "puzzle, program, impossible program, goal, failing goal"),
    "differ": (lambda one: bridge.differ(one, one), "program, impossible program, goal, failing goal"),
    "engine": (bridge.engine, ""),
    "explain": (lambda one: list(bridge.explain(one)), "puzzle, program"),
    "generate": (lambda one: list(bridge.generate(one, 4, limits=ONE)), ""),
    "grade": (bridge.grade, "puzzle"),
    "handout": (lambda one: bridge.handout(bridge.compare([one], engines=["asp"]), [one]), "puzzle"),
    "load": (lambda one: bridge.load(one, "nowhere.txt").outline, ""),
    "load_all": (lambda one: bridge.load_all("sudoku", one), ""),
    "mutate": (lambda one: bridge.mutate(one, tests=["n(1)."]), ""),
    "parse": (lambda one: bridge.parse("sudoku", one), "puzzle"),
    "parse_all": (lambda one: bridge.parse_all("sudoku", one), ""),
    "picture": (bridge.picture, "puzzle"),
    "residual": (bridge.residual, "puzzle, program, impossible program"),
    "solutions": (
        lambda one: bridge.solutions(one, limits=ONE).collect(),
        "puzzle, program, impossible program, goal, failing goal",
    ),
    "sheet": (lambda one: bridge.sheet([one]), "puzzle"),
    "why": (lambda one: bridge.why(one, "at(1,a)"), "program"),
    "why_cost": (bridge.why_cost, "program"),
    "why_goal": (bridge.why_goal, "goal, failing goal"),
}


def test_every_public_function_is_here() -> None:
    functions = {name for name in bridge.__all__ if inspect.isfunction(inspect.unwrap(getattr(bridge, name)))}
    assert functions == set(CALLS)


@pytest.mark.parametrize("kind", PROBLEMS)
@pytest.mark.parametrize("name", CALLS)
def test_a_result_or_an_error_that_helps(name: str, kind: str) -> None:
    call, takes = CALLS[name]
    if kind in takes.split(", ") and name != "parse":
        call(PROBLEMS[kind]())
        return
    with pytest.raises(BridgeError) as raised:
        call(PROBLEMS[kind]())
    assert raised.value.hint
    if isinstance(raised.value, UnsupportedError) and name != "picture":
        kinds = {"puzzle": "a puzzle", "program": "a clingo program", "goal": "a Prolog goal"}
        assert raised.value.message.endswith(f"not for {kinds[kind.split()[-1]]}")


def test_solutions_of_programs_and_goals_are_values() -> None:
    program = bridge.solutions(PROBLEMS["program"]())
    found = sorted(map(str, program))
    assert found == [
        "{'at(1)': Constant('a'), 'at(2)': Constant('b')}",
        "{'at(1)': Constant('b'), 'at(2)': Constant('a')}",
    ]
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
    puzzle = bridge.parse("sudoku", "12.............." if name != "sdk" else "1" + "." * 80)
    suffixes = {of: suffix for suffix, of in formats.SUFFIXES.items()}
    file = tmp_path / f"one{suffixes.get(name, '')}"
    file.write_bytes(formats.encode(puzzle, name).data)
    assert bridge.load("sudoku", file) == puzzle
    assert bridge.load_all("sudoku", file) == [puzzle]
    file.with_name(f"{file.name}.gz").write_bytes(gzip.compress(file.read_bytes()))
    assert bridge.load("sudoku", f"{file}.gz") == puzzle


def test_one_puzzle_is_loaded(tmp_path: Path) -> None:
    (tmp_path / "two.txt").write_text("12..............\n" * 2)
    assert len(bridge.load_all("sudoku", tmp_path / "two.txt")) == 2
    with pytest.raises(bridge.InputError, match="2 puzzles, but one is wanted; use `load_all`"):
        bridge.load("sudoku", tmp_path / "two.txt")


def test_undefined_answers_to_a_goal_are_no_solutions() -> None:
    """A goal's answers come through a stream of their own: it counts the undefined ones, and says how the query ended."""
    program = ":- table p/0, q/0.\np :- tnot(q).\nq :- tnot(p).\nends :- halt(3).\n"
    found = bridge.solutions(bridge.PrologProblem([program], "p")).collect()
    assert (found.undefined, str(found.verdict)) == (1, "unknown")
    assert found.statistics.counters["inferences"] > 0
    stream = bridge.solutions(bridge.PrologProblem([program], "ends"))
    assert list(stream) == []
    assert (stream.complete, stream.limit, stream.exit_code) == (False, "halt", 3)
