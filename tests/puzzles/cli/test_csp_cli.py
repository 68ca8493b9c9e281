"""`lpbridge puzzle csp`: any puzzle as variables, domains, neighbours and constraints."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import interrupted_after_a_while
from shared_data import ROOT
from test_cli import run, run_json

from bridge.puzzles.kinds import KINDS

LATIN = Path("examples") / "latin_square" / "report1-order4.txt"


def test_json_is_the_problem_as_report_1_prints_it() -> None:
    problem = run_json("puzzle", "csp", "latin-square", LATIN, "--json")
    names = [f"r{r}c{c}" for r in range(1, 5) for c in range(1, 5)]
    assert problem["puzzle"] == "latin-square"
    assert problem["variables"] == names
    given = {"r2c3": [3], "r3c2": [2]}
    assert problem["domains"] == {name: given.get(name, [1, 2, 3, 4]) for name in names}
    # The report counts from 0: '5': ['1', '4', '6', '7', '9', '13'], in the order of its own loops.
    assert problem["neighbours"]["r2c2"] == ["r1c2", "r2c1", "r2c3", "r2c4", "r3c2", "r4c2"]
    assert problem["constraints"][0] == {"name": "row 1", "type": "AllDifferent", "scope": names[:4]}
    assert len(problem["constraints"]) == 8


def test_text_is_drawn_too() -> None:
    told = run("puzzle", "csp", "futoshiki", Path("examples") / "futoshiki" / "report1-5x5.txt").stdout
    assert told.startswith("Variables ['r1c1', 'r1c2', ")
    assert "\n\nInitial domains {'r1c1': [1, 2, 3, 4, 5], " in told
    assert "\n\nNeighbours {'r1c1': ['r1c2', 'r1c3', 'r1c4', 'r1c5', 'r2c1', " in told
    assert "\n  r1c2 > r1c3: Binary(r1c2, r1c3)\n" in told
    assert told.endswith(".   .   . < .   .\n\n")


def test_several_puzzles() -> None:
    told = run_json("puzzle", "csp", "sudoku", "-", "--json", stdin="." * 16 + "\n" + "1" + "." * 15)
    assert [one["domains"]["r1c1"] for one in told["results"]] == [[1, 2, 3, 4], [1]]


def examples() -> list[tuple[str, Path]]:
    """One of each puzzle with imperative models, but crosswords, which need a list of words beside them."""
    found = {path.parent.name: path for path in sorted((ROOT / "examples").glob("*/*.txt"), reverse=True)}
    kinds = ((name.replace("_", "-"), path) for name, path in found.items())
    return [(kind, path) for kind, path in kinds if kind in KINDS and kind != "crossword"]


@pytest.mark.parametrize(("kind", "path"), examples(), ids=lambda value: str(value) if isinstance(value, str) else "")
def test_any_puzzle(kind: str, path: Path) -> None:
    problem = run_json("puzzle", "csp", kind, path, "--json")
    assert set(problem) == {"puzzle", "variables", "domains", "neighbours", "constraints", "version"}
    assert set(problem["variables"]) == set(problem["domains"]) == set(problem["neighbours"])
    assert all(set(one["scope"]) <= set(problem["variables"]) for one in problem["constraints"])


def test_variables_that_are_no_cells_have_names() -> None:
    words = Path("examples") / "crossword" / "report5.words"
    problem = run_json("puzzle", "csp", "crossword", words.with_suffix(".txt"), "--words", words, "--json")
    assert problem["variables"]
    assert all(isinstance(name, str) for name in problem["variables"])


# Of goals.

ROOMS = """:- use_module(library(clpfd)).
rooms(X, Y) :- [X, Y] ins 1..4, X #> Y + 1.
queens(N, Qs) :- length(Qs, N), Qs ins 1..N, safe(Qs).
safe([]).
safe([Q|Qs]) :- no_attack(Q, Qs, 1), safe(Qs).
no_attack(_, [], _).
no_attack(Q, [Q0|Qs], D) :- Q #\\= Q0, abs(Q - Q0) #\\= D, D1 is D + 1, no_attack(Q, Qs, D1).
"""


@pytest.fixture
def rooms(tmp_path: Path) -> str:
    (tmp_path / "rooms.pl").write_text(ROOMS)
    return str(tmp_path / "rooms.pl")


@pytest.mark.slow
def test_the_constraints_of_a_goal_have_places(rooms: str) -> None:
    problem = run_json("puzzle", "goal-csp", rooms, "-g", "rooms(X, Y)", "--json")
    assert problem["goal"] == "rooms(X, Y)"
    assert problem["domains"] == {"X": [3, 4], "Y": [1, 2]}
    (constraint,) = problem["constraints"]
    assert (constraint["type"], constraint["file"], constraint["line"], constraint["column"]) == ("Linear", rooms, 2, 33)
    told = run("puzzle", "goal-csp", rooms, "-g", "rooms(X, Y)").stdout
    assert f"\nConstraints\n  X#>Y+1 ({rooms}:2:33): Linear(" in told


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["mac+mrv", "cp-sat"])
def test_engines_solve_the_constraints_of_a_goal(rooms: str, engine: str) -> None:
    found = run_json("puzzle", "goal-csp", rooms, "-g", "rooms(X, Y)", "-e", engine, "-n", "0", "--json")
    assert sorted((one["X"], one["Y"]) for one in found["solutions"]) == [(3, 1), (4, 1), (4, 2)]
    assert (found["engine"], found["verdict"], found["complete"]) == (engine, "ambiguous", True)
    assert run("puzzle", "goal-csp", rooms, "-g", "queens(6, Qs)", "-e", engine, "-n", "0").stdout.endswith("4 solutions; the search is complete\n")
    assert run("puzzle", "goal-csp", rooms, "-g", "queens(3, Qs)", "-e", engine).stdout.endswith("no solution; the search is complete\n")
    first = run("puzzle", "goal-csp", rooms, "-g", "rooms(X, 2)", "-e", engine)
    assert "X = 4\n" in first.stdout


@pytest.mark.slow
def test_ctrl_c_keeps_the_solutions(rooms: str) -> None:
    found = json.loads(interrupted_after_a_while("puzzle", "goal-csp", rooms, "-g", "queens(14, Qs)", "-e", "cp-sat", "-n", "0", "-t", "1000", "--json").stdout)
    assert (found["complete"], found["limit"]) == (False, "interrupt")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-g", "rooms(X, Y)", "-e", "asp"], "engine asp takes no CSP; mac+mrv and cp-sat do"),
        (["-g", "rooms(X, Y)", "-e", "dfs"], "engine dfs takes no CSP"),
        (["-g", "rooms(X, Y)", "-e", "nowhere"], "there is no engine 'nowhere'"),
        (["-g", "X #> 3"], "no finite domain"),
        ([], "a --goal is missing"),
    ],
)
def test_what_it_refuses(rooms: str, words: list[str], said: str) -> None:
    done = run("puzzle", "goal-csp", rooms, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


def test_a_program_for_clingo_has_no_such_constraints() -> None:
    assert "Prolog programs" in run("puzzle", "goal-csp", Path("examples") / "why" / "timetable.lp").stderr
