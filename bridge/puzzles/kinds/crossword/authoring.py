"""How new crosswords are made: random grids of black and white cells, then a fill.

A grid is **good** when its white cells hang together, every run of them has the shortest length or more, and so every
white cell is in a slot. Where cells need not be checked by a crossing word, a run of a single cell is good too, if the
cell is in a slot the other way.

Black cells are put down one orbit of the symmetry after the other, in random order, each only where the
grid stays good. Not every good grid comes about so (sometimes only two orbits together leave one), and those that do
are not equally likely.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from bridge.errors import InputError, Place
from bridge.puzzles.kinds.authoring import Authoring
from bridge.puzzles.kinds.crossword import Crossword
from bridge.puzzles.kinds.crossword.runs import BLACK, runs
from bridge.puzzles.kinds.options import Option, read_yes
from bridge.puzzles.kinds.rules import Cell, Grid, components
from bridge.puzzles.kinds.seeded_random import SeededRandom
from bridge.puzzles.kinds.symmetry import orbits

N = TypeVar("N", int, float)

#: The number of attempts to place all black cells.
TRIES = 50


@dataclass(frozen=True, slots=True)
class GridRequest:
    """The properties of a grid to generate: its size, the share of black cells, the least length of a slot, from 2.

    `checked` says whether every letter must be in two slots. The symmetry is that of the black cells: one of
    `bridge.puzzles.kinds.symmetry.SYMMETRIES`.
    """

    height: int
    width: int
    black: float = 1 / 6
    shortest: int = 3
    checked: bool = True
    symmetry: str = "rotate"


def read_request(height: int, width: int, options: Mapping[str, str], symmetry: str | None) -> GridRequest:
    """The request in options as typed on the command line, with the defaults of `GridRequest`."""
    usual = GridRequest(height, width)
    black = _number("black", options, usual.black, float, lambda share: 0 <= share < 1, "a share from 0, less than 1")
    shortest = _number("shortest", options, usual.shortest, int, lambda length: length >= 2, "a length from 2")
    checked = read_yes("checked", options["checked"]) if "checked" in options else usual.checked
    return GridRequest(height, width, black, shortest, checked, symmetry or usual.symmetry)


def _number(
    name: str, options: Mapping[str, str], usual: N, read: Callable[[str], N], fits: Callable[[N], bool], what: str
) -> N:
    if name not in options:
        return usual
    try:
        number = read(options[name])
    except ValueError:
        number = None
    if number is None or not fits(number):
        raise InputError(f"`{name}` is {what}, not {options[name]!r}", where=Place("--option"))
    return number


def random_grid(request: GridRequest, random: SeededRandom) -> Grid:
    """A good grid with about the requested share of black cells: at most an orbit more or less."""
    everywhere = [(r, c) for r in range(1, request.height + 1) for c in range(1, request.width + 1)]
    of_symmetry = orbits(everywhere, request.symmetry, request.height, request.width)
    wanted, largest = round(request.black * len(everywhere)), max(map(len, of_symmetry))
    best: frozenset[Cell] = frozenset()
    if good(everywhere, request):
        for _ in range(TRIES):
            black = _blackened(everywhere, random.shuffled(of_symmetry), wanted, request)
            best = max(best, black, key=len)
            if wanted - len(best) < largest:
                return tuple(
                    tuple(BLACK if (r, c) in best else None for c in range(1, request.width + 1))
                    for r in range(1, request.height + 1)
                )
    why = f"at most {len(best)} of {wanted} black cells could be placed" if best else "without black cells none is good"
    shape = f"{request.height}x{request.width} with slots of {request.shortest} cells and more"
    raise InputError(
        f"no grid of {shape} was found: {why}",
        where=Place("--size"),
        hint="fewer black cells, shorter slots, or checked=no",
    )


def _blackened(
    everywhere: Iterable[Cell], order: Iterable[tuple[Cell, ...]], wanted: int, request: GridRequest
) -> frozenset[Cell]:
    """Black cells, no more than wanted. An orbit that does not fit may fit after others are put down."""
    white = set(everywhere)
    black: set[Cell] = set()
    waiting = list(order)
    while True:
        later = []
        for orbit in waiting:
            if len(black) + len(orbit) <= wanted and good(white.difference(orbit), request):
                white.difference_update(orbit)
                black.update(orbit)
            else:
                later.append(orbit)
        if len(later) == len(waiting):
            return frozenset(black)
        waiting = later


def good(white: Collection[Cell], request: GridRequest) -> bool:
    """Whether a grid with these white cells is good."""
    cells = frozenset(white)
    lengths: dict[Cell, list[int]] = {cell: [] for cell in cells}
    for step in ((0, 1), (1, 0)):
        for run in runs(cells, step):
            if len(run) < request.shortest and (request.checked or len(run) > 1):
                return False
            for cell in run:
                lengths[cell].append(len(run))
    return bool(cells) and all(max(both) > 1 for both in lengths.values()) and len(components(cells)) == 1


class CrosswordAuthoring(Authoring[Crossword]):
    """Makes crosswords. The symmetry is that of the black cells."""

    options: ClassVar[Mapping[str, Option]] = {
        "black": Option("the share of black cells, 0.17 unless said; all white cells hang together"),
        "shortest": Option("the least length of a slot, 3 unless said"),
        "checked": Option("no: a letter may be in one slot only"),
    }

    def blanks(
        self, rows: int, columns: int, options: Mapping[str, Any], symmetry: str | None
    ) -> Callable[[SeededRandom], Crossword]:
        """Returns a function that makes instances with random grids."""
        if options.get("reading", "slots") != "slots":
            raise InputError("new crosswords are for the reading `slots` only", where=Place("--option"))
        if "words" not in options:
            raise InputError("a crossword needs a list of words", hint="name its file: --words LIST")
        grid = self.grids(rows, columns, options, symmetry)
        return lambda random: self.cls.made(grid(random), options, Place("--size"))

    def grids(
        self, rows: int, columns: int, options: Mapping[str, Any], symmetry: str | None
    ) -> Callable[[SeededRandom], Grid]:
        request = read_request(rows, columns, options, symmetry)
        return lambda random: random_grid(request, random)

    def orbits(self, puzzle: Crossword, symmetry: str | None) -> list[tuple[Cell, ...]]:
        """Each cell by itself: only the black cells are symmetric."""
        return [(cell,) for cell in puzzle.cells()]
