"""Programs beside engines, compared on puzzles; what only works with puzzles is refused for programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import called

import bridge
from bridge import Limits
from bridge.errors import InputError, UnsupportedError
from bridge.puzzles.kinds import parse

SOLVER = """
def solve(instance):
    rows, n = [row[:] for row in instance.rows], len(instance.rows)
    def go(k):
        if k == n * n:
            yield [row[:] for row in rows]
            return
        r, c = divmod(k, n)
        for v in [rows[r][c]] if instance.rows[r][c] else range(1, n + 1):
            if all(rows[r][j] != v for j in range(c)) and all(rows[i][c] != v for i in range(r)):
                rows[r][c] = v
                yield from go(k + 1)
                rows[r][c] = instance.rows[r][c]
    yield from go(0)
"""


def test_a_program_takes_the_place_of_an_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("latin.py").write_text(SOLVER)
    encodings = Path(__file__).parents[3] / "encodings"
    puzzle = parse("latin-square", "1...\n.2..\n..3.\n...4")
    goal = bridge.PrologProblem([encodings / "latin_square/latin_square.pl"], "latin_square(Rows), maplist(label, Rows)")
    contenders = ["asp", "clpfd", encodings / "latin_square/latin_square.lp", goal, "latin.py:solve"]
    found = bridge.compare(*contenders, instances=puzzle, limits=Limits(solutions=50))
    assert not [row.error for row in found.rows if row.error]
    assert found.equivalent is True
    assert {len(row.outcome.solutions) for row in found.rows if row.outcome} == {2}


def test_a_wrong_encoding_of_a_puzzle_breaks_its_rules(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.lp"
    wrong.write_text("i(1..4). { cell(R, C, V) : i(V) } = 1 :- i(R), i(C). :- clue(R, C, V), not cell(R, C, V).\n")
    found = bridge.compare("asp", wrong, instances=parse("latin-square", "1...\n.2..\n..3.\n...4"))
    assert found.difference is not None
    assert (found.difference.has, found.difference.lacks) == (str(wrong), "asp")
    assert found.difference.reason is not None
    assert "broken" in found.difference.reason.violations[0]


def test_an_encoding_without_the_cells_of_a_puzzle_has_no_rule_for_them(tmp_path: Path) -> None:
    other = tmp_path / "other.lp"
    other.write_text("{ p(1) }.\n")
    found = bridge.compare("asp", other, instances=parse("latin-square", "1...\n.2..\n..3.\n...4"))
    assert str(found.difference).endswith(f"{other} has no rule that derives cell(1,1,1)")


def test_an_engine_is_not_a_contender_without_a_puzzle(tmp_path: Path) -> None:
    program = tmp_path / "colour.lp"
    program.write_text("{ a }. #show a/0.\n")
    with pytest.raises(UnsupportedError, match="solves puzzles"):
        bridge.compare("asp", program)


def test_a_program_among_the_engines(tmp_path: Path) -> None:
    (tmp_path / "four.txt").write_text("12..\n....\n....\n..34\n")
    (tmp_path / "wrong.lp").write_text("i(1..4). { cell(R, C, V) : i(V) } = 1 :- i(R), i(C).\n#defined clue/3.\n")
    done = called("puzzle", "compare", "sudoku", "four.txt", "-e", "asp,wrong.lp", folder=tmp_path)
    assert done.returncode == 1
    assert "an answer that wrong.lp has, and asp has not:" in done.stdout
    assert "it breaks these rules:" in done.stdout
    (tmp_path / "fails.py").write_text("def solve(instance):\n    raise ValueError('no idea')\n")
    failed = called("puzzle", "compare", "sudoku", "four.txt", "-e", "asp,fails.py:solve", folder=tmp_path)
    assert failed.returncode == 1
    assert "fails.py:solve did not run: fails.py:2: ValueError: no idea" in failed.stdout
    again = called("puzzle", "compare", "-e", "asp,wrong.lp", "sudoku", "four.txt", "--json", folder=tmp_path)
    assert json.loads(again.stdout)["puzzle"] == "sudoku"


def test_a_puzzle_has_no_variants() -> None:
    with pytest.raises(UnsupportedError, match="only clingo programs have"):
        bridge.diagnose(bridge.puzzles.parse("sudoku", "1" * 4 + "." * 12), variants=["a=1"])  # type: ignore[call-overload]


def test_the_name_of_a_puzzle_is_not_a_program() -> None:
    with pytest.raises(bridge.ProgramError, match="syntax error"):
        _ = bridge.program("sudoku", "x.txt").outline
    with pytest.raises(InputError, match="sudoko"):
        bridge.puzzles.load("sudoko", "x.txt")
