"""Instances of every puzzle for hypothesis: of any size that is quick, with any clues, solvable or not."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from bridge.errors import Place
from bridge.puzzles.kinds import Puzzle, puzzle_class

BOXES = [(2, 2), (2, 3), (3, 2), (3, 3), (2, 4), (4, 4), (5, 5), (1, 5), (4, 3)]
LETTERS = "aeinrstăéșżжλ"


def _grid(rows: int, columns: int, values: st.SearchStrategy[Any]) -> st.SearchStrategy[list[list[Any]]]:
    cell = st.one_of(st.none(), st.none(), values)
    return st.lists(st.lists(cell, min_size=columns, max_size=columns), min_size=rows, max_size=rows)


@st.composite
def sudokus(draw: st.DrawFn) -> dict[str, Any]:
    box = draw(st.sampled_from(BOXES))
    size = box[0] * box[1]
    return {"box": list(box), "grid": draw(_grid(size, size, st.integers(1, size)))}


@st.composite
def latin_squares(draw: st.DrawFn) -> dict[str, Any]:
    size = draw(st.integers(1, 12))
    variant = draw(st.sampled_from(["plain", "plain", "diagonal", "reduced"]))
    return {"variant": variant, "grid": draw(_grid(size, size, st.integers(1, size)))}


@st.composite
def futoshikis(draw: st.DrawFn) -> dict[str, Any]:
    size = draw(st.integers(2, 11))
    index = st.integers(1, size)
    beside = draw(st.lists(st.tuples(index, index, st.booleans(), st.booleans()), max_size=8))
    less = []
    for r, c, down, turned in beside:
        one, other = [r, c], [r + 1, c] if down else [r, c + 1]
        if max(other) <= size:
            less.append([*other, *one] if turned else [*one, *other])
    if draw(st.booleans()):
        anywhere = draw(st.lists(st.lists(index, min_size=4, max_size=4), max_size=2))
        less += [pair for pair in anywhere if pair[:2] != pair[2:]]
    return {"grid": draw(_grid(size, size, index)), "less": less}


@st.composite
def magic_squares(draw: st.DrawFn) -> dict[str, Any]:
    size = draw(st.integers(1, 6))
    said = {"variant": draw(st.sampled_from(["magic", "semi"])), "symmetry": draw(st.sampled_from(["all", "reduced", "permuted"]))}
    return {**said, "grid": draw(_grid(size, size, st.integers(1, size**2)))}


@st.composite
def takuzus(draw: st.DrawFn) -> dict[str, Any]:
    rows, columns = draw(st.integers(1, 12)), draw(st.integers(1, 12))
    if draw(st.booleans()):
        columns = rows
    lines = draw(st.sampled_from(["distinct", "repeat"]))
    return {"lines": lines, "grid": draw(_grid(rows, columns, st.integers(0, 1)))}


@st.composite
def crosswords(draw: st.DrawFn) -> dict[str, Any]:
    rows, columns = draw(st.integers(1, 6)), draw(st.integers(2, 6))
    cell = st.one_of(st.just("#"), st.sampled_from(LETTERS))
    grid = draw(_grid(rows, columns, cell))
    grid[0][0] = grid[0][1] = None  # there is a slot
    words = draw(st.lists(st.text(LETTERS + "true", min_size=1, max_size=6), min_size=1, max_size=6, unique=True))
    reading = draw(st.sampled_from(["slots", "slots", "words", "anywhere"]))
    repeat = reading == "slots" and draw(st.booleans())
    return {"grid": grid, "words": [*words, "tart"], "reading": reading, "repeat": repeat}


#: A strategy for each puzzle; one that is not here yet goes through no format in the tests.
FORMS = {
    "sudoku": sudokus(), "latin-square": latin_squares(), "futoshiki": futoshikis(), "magic-square": magic_squares(),
    "takuzu": takuzus(), "crossword": crosswords(),
}  # fmt: skip


def puzzles(kind: str) -> st.SearchStrategy[Puzzle]:
    """Instances of a puzzle."""
    cls = puzzle_class(kind)
    return FORMS[kind].map(lambda form: cls.from_json(form, Place("drawn")))


_OPEN = [[None] * 6 for _ in range(6)]
#: One of each.
PLAIN: dict[str, Puzzle] = {
    kind: puzzle_class(kind).from_json({"grid": _OPEN, "words": ["tart"]}, Place("plain")) for kind in FORMS
}
