"""What a puzzle is, for every kind: its members, how it is printed, its models and its authoring."""

from __future__ import annotations

import inspect
import io
import subprocess
import sys
import tokenize
from pathlib import Path
from typing import get_type_hints

import pytest

from bridge.errors import InputError, Place
from bridge.problem.problem import Problem
from bridge.puzzles.encodings_folder import encoding
from bridge.puzzles.kinds import KINDS, Puzzle, parse, puzzle_class
from bridge.puzzles.kinds import puzzle as module
from bridge.puzzles.kinds.authoring import Authoring, authoring
from bridge.puzzles.kinds.file_puzzle import FilePuzzle
from bridge.puzzles.kinds.models import Models, models
from bridge.puzzles.kinds.registry import class_of
from bridge.puzzles.kinds.seeded_random import SeededRandom

OPEN = [[None] * 6 for _ in range(6)]
PLAIN = {kind: puzzle_class(kind).from_json({"grid": OPEN, "words": ["across"]}, Place()) for kind in KINDS}


def members(cls: type) -> set[str]:
    return {name for name in {*dir(cls), *get_type_hints(cls)} if not name.startswith("_")}


def test_a_puzzle_has_at_most_twenty_members() -> None:
    own = members(Puzzle) - members(Problem)
    assert len(own) <= 20, sorted(own)


def test_a_puzzle_and_its_models_have_no_member_in_common() -> None:
    assert members(Puzzle) & (members(Models) - {"puzzle"}) == set()


def test_a_puzzle_does_not_know_solvers() -> None:
    classes = [class_of(kind, "puzzle") for kind in KINDS]
    for one in (module, *(one.__base__ if issubclass(one, FilePuzzle) else one for one in classes)):
        words = {token.string for token in tokenize.generate_tokens(io.StringIO(inspect.getsource(one)).readline)}
        assert not words & {"asp", "clp", "csp", "clingo", "encoding", "engine", "AspForm", "ClpForm", "CSP"}, one


def test_a_puzzle_is_read_without_the_search() -> None:
    code = (
        "import sys; from bridge.puzzles.kinds import KINDS, puzzle_class; list(map(puzzle_class, KINDS)); "
        "print([name for name in sys.modules if name.startswith(('bridge.puzzles.search', 'janus'))])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


@pytest.mark.parametrize("kind", KINDS)
def test_printed_it_is_its_drawing(kind: str) -> None:
    assert str(PLAIN[kind]) == PLAIN[kind].draw()
    assert repr(PLAIN[kind]) == f"<{type(PLAIN[kind]).__name__} 6x6, 0 clues>"


def test_its_repr_counts_clues() -> None:
    assert repr(parse("sudoku", "1" + "." * 80)) == "<Sudoku 9x9, 1 clue>"
    assert repr(parse("takuzu", "01.\n...")) == "<Takuzu 2x3, 2 clues>"


@pytest.mark.parametrize("kind", KINDS)
def test_models_of_a_kind(kind: str) -> None:
    forms = models(PLAIN[kind])
    assert type(forms) is class_of(kind, "models")
    assert forms.puzzle is PLAIN[kind]
    for file in (forms.encoding, forms.asp().encoding, forms.clp().encoding):
        assert Path(encoding(file)).is_file()
    # Nothing is left that a kind has to say: each form is its own, or the one that all share.
    assert not inspect.isabstract(type(forms))


@pytest.mark.parametrize("kind", KINDS)
def test_authoring_of_a_kind(kind: str) -> None:
    maker = authoring(kind)
    assert isinstance(maker, Authoring)
    assert maker.cls is puzzle_class(kind)
    if kind == "crossword":
        return  # needs a list of words: tests/puzzles/analysis/test_generate.py
    blank = maker.blanks(4, 4, {}, None)(SeededRandom(1))
    assert (blank.kind, blank.clues(), len(blank.cells())) == (kind, {}, 16)
    assert sorted(cell for orbit in maker.orbits(blank, "rotate") for cell in orbit) == blank.cells()


def test_a_kind_that_is_not_known() -> None:
    for ask in (puzzle_class, authoring):
        with pytest.raises(InputError, match="there is no puzzle 'chess'; one of: sudoku, "):
            ask("chess")
