"""`lpbridge puzzle csp`: any puzzle as variables, domains, neighbours and constraints."""

from __future__ import annotations

from pathlib import Path

import pytest
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
