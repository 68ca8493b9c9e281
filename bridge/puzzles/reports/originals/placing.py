"""Report 5: words placed in a grid by forward checking, the most constrained word first.

- A **variable** is a word, a **value** a place: `O` (across) or `V` (down), with row and column of the first letter,
  counted from 0. A place is allowed when the word stays inside the grid and each cell is open or has its letter.
- The **domain** of a word is its allowed places, in reading order of the first letter, across before down. Domains are
  computed anew after each placement.
- The word with the fewest places comes next, the first of equals. A word without a place ends the attempt.

A word may begin or end beside another letter, and may lie within another one: nothing but the letters counts. Upper and
lower case differ.

    >>> steps = list(placing(("..", ".#"), ["ab", "ac"]))
    >>> [step.kind for step in steps]
    ['domains', 'placed', 'domains', 'placed', 'solved']
    >>> steps[-1].grid
    ('ab', 'c#')
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

#: A row of the grid: `.` open, `#` blocked, or a letter.
Rows: TypeAlias = tuple[str, ...]

#: Direction, row and column.
Spot: TypeAlias = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class Step:
    """One event: domains were computed, a word was placed, a placement undone; at the end `solved` or `failed`."""

    kind: Literal["domains", "placed", "undone", "solved", "failed"]
    grid: Rows
    word: str = ""
    spot: Spot | None = None
    domains: Mapping[str, tuple[Spot, ...]] = field(default_factory=dict)


def spots(grid: Sequence[str], word: str) -> tuple[Spot, ...]:
    """The places that a word may have in a grid as it is."""
    found: list[Spot] = []
    for r, row in enumerate(grid):
        for c in range(len(row)):
            across = row[c : c + len(word)]
            down = "".join(line[c] for line in grid[r : r + len(word)])
            for way, cells in (("O", across), ("V", down)):
                fits = all(mark in (".", letter) for mark, letter in zip(cells, word, strict=False))
                if fits and len(cells) == len(word):
                    found.append((way, r, c))
    return tuple(found)


def most_constrained(domains: Mapping[str, Sequence[object]]) -> str | None:
    """The word with the fewest places, the first of equals; None when there is no word."""
    return min(domains, key=lambda word: len(domains[word]), default=None)


def placing(grid: Iterable[str], words: Iterable[str], *, constrained_first: bool = True) -> Iterator[Step]:
    """The search, event by event. A word listed twice is one word.

    Without `constrained_first` it is plain backtracking: words come as listed, and one without a place is found out
    when it comes.
    """
    start = tuple(grid)
    solved = yield from _placed(start, tuple(dict.fromkeys(words)), constrained_first)
    if not solved:
        yield Step("failed", start)


def _placed(grid: Rows, words: tuple[str, ...], constrained_first: bool) -> Generator[Step, None, bool]:
    domains = {word: spots(grid, word) for word in (words if constrained_first else words[:1])}
    word = most_constrained(domains)
    if word is None:
        yield Step("solved", grid)
        return True
    yield Step("domains", grid, domains=domains)
    for spot in domains[word]:
        after = _written(grid, word, spot)
        yield Step("placed", after, word, spot)
        if (yield from _placed(after, tuple(other for other in words if other != word), constrained_first)):
            return True
        yield Step("undone", grid, word, spot)
    return False


def _written(grid: Rows, word: str, spot: Spot) -> Rows:
    way, r, c = spot
    if way == "O":
        return (*grid[:r], grid[r][:c] + word + grid[r][c + len(word) :], *grid[r + 1 :])
    letters = dict(enumerate(word, r))
    return tuple(row[:c] + letters[n] + row[c + 1 :] if n in letters else row for n, row in enumerate(grid))
