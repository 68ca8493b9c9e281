"""The drawing of a Futoshiki, which is also its text form: cells, and the signs between them.

    . > .   2        row of cells: signs stand between two cells
        v            row of signs: each under the cell that it belongs to
    .   . < .
    ^       ^        `^`: the upper cell is less; `v`: the lower one is
    .   .   3
    r1c1 < r3c2      and a line for each inequality between cells that are not neighbours

Signs and cells are matched by tab stops where a row of signs has tabs, and by character columns otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from bridge.errors import InputError, Place
from bridge.puzzles.kinds.latin.text import read_square, take_settings
from bridge.puzzles.kinds.rules import Cell, Grid, cell_name
from bridge.puzzles.kinds.text import Line, Token, read_lines, square

#: The first cell holds less than the second.
Inequality = tuple[Cell, Cell]

_PIECE = re.compile(r"[<>]|[^<>]+")
_CELL = re.compile(r"r([0-9]+)c([0-9]+)")
_HINT = "a sign stands under its cell, by character column or by tab"


def read_drawing(text: str, title: str, place: Place) -> tuple[Grid, list[Inequality]]:
    """The grid and the inequalities of a drawing."""
    settings, lines = take_settings(read_lines(text, place), ("order",))
    rows: list[Line] = []
    across: list[list[Token]] = []  # the signs of each row
    down: dict[int, Line] = {}  # the row of signs under so many rows
    named: list[list[Token]] = []
    for line in lines:
        pieces = _pieces(line)
        if any(_CELL.fullmatch(piece.text) for piece in pieces):
            named.append(pieces)
        elif all(character.text in "^v" for character in line.characters):
            if not rows or len(rows) in down:
                what = "above the first row" if not rows else "after another row of signs"
                raise InputError(f"a row of signs {what}", where=line.words[0].place, hint=_HINT)
            down[len(rows)] = line
        else:
            rows.append(Line(tuple(piece for piece in pieces if piece.text not in "<>"), line.place))
            across.append([piece for piece in pieces if piece.text in "<>"])
            if not rows[-1].words:
                raise InputError("a row of signs without cells", where=line.place, hint="`.` is an open cell")
    grid = read_square(rows, settings.get("order"), title, place)
    cells = square(rows) if rows else []
    if rows and len(rows) in down:
        raise InputError("a row of signs under the last row", where=down[len(rows)].words[0].place, hint=_HINT)
    found = [one for r, row in enumerate(cells, 1) for one in _between(r, row, across[r - 1])]
    raw = text.splitlines()
    for r, line in down.items():
        found += _under(r, cells[r - 1], cells[r], line, raw)
    return grid, found + [_named(pieces, len(grid)) for pieces in named]


def inequality(smaller: Cell, greater: Cell, size: int, place: Place) -> Inequality:
    """Two cells, checked: both are in the grid, and they are not the same."""
    for r, c in (smaller, greater):
        if not (1 <= r <= size and 1 <= c <= size):
            hint = f"rows and columns are 1 to {size}"
            raise InputError(f"an inequality names {cell_name((r, c))}, which is not a cell", where=place, hint=hint)
    if smaller == greater:
        raise InputError(f"{cell_name(smaller)} cannot be less than itself", where=place, hint="name two cells")
    return smaller, greater


def draw(cells: Sequence[Sequence[str]], less: Iterable[Inequality]) -> str:
    """Cells, as text of one width, with the signs between them; other inequalities are lines below."""
    signs: dict[tuple[Cell, Cell], str] = {}
    below = []
    for smaller, greater in less:
        first, second = sorted((smaller, greater))
        beside, beneath = second == (first[0], first[1] + 1), second == (first[0] + 1, first[1])
        if (first, second) in signs or not (beside or beneath):
            below.append(written(smaller, greater))
        else:
            signs[first, second] = ("<>" if beside else "^v")[first != smaller]
    width = len(cells[0][0])
    lines = []
    for r, row in enumerate(cells, 1):
        across = [signs.get(((r, c), (r, c + 1)), " ") for c in range(1, len(row) + 1)]
        under = [signs.get(((r, c), (r + 1, c)), " ") for c in range(1, len(row) + 1)]
        lines.append("".join(f"{cell} {sign} " for cell, sign in zip(row, across, strict=True)).rstrip())
        lines.append("   ".join(sign.rjust(width) for sign in under).rstrip())
    return "\n".join([*filter(None, lines), *below])


@lru_cache(maxsize=4096)
def written(smaller: Cell, greater: Cell) -> str:
    """An inequality with its cells in reading order: `r1c2 > r1c3`."""
    if smaller < greater:
        return f"{cell_name(smaller)} < {cell_name(greater)}"
    return f"{cell_name(greater)} > {cell_name(smaller)}"


def _pieces(line: Line) -> list[Token]:
    """The words of a line, cut at `<` and `>`."""
    return [
        Token(m[0], Place(word.place.file, word.place.line, _column(word) + m.start()))
        for word in line.words
        for m in _PIECE.finditer(word.text)
    ]


def _between(r: int, row: Sequence[Token], signs: Sequence[Token]) -> Iterable[Inequality]:
    taken: set[int] = set()
    for sign in signs:
        c = sum(_column(cell) < _column(sign) for cell in row)
        if not 0 < c < len(row) or c in taken:
            what = "is the second between two cells" if c in taken else "does not stand between two cells"
            raise InputError(f"row {r}: the sign `{sign.text}` {what}", where=sign.place, hint="as in `. < .`")
        taken.add(c)
        yield ((r, c), (r, c + 1)) if sign.text == "<" else ((r, c + 1), (r, c))


def _under(r: int, upper: Sequence[Token], lower: Sequence[Token], line: Line, raw: Sequence[str]) -> list[Inequality]:
    """The inequalities between rows r and r + 1."""
    position = _positions(line, raw)
    found: dict[int, Inequality] = {}
    for sign in line.characters:
        here = position(sign)[0]
        above, beneath = ([c for c, cell in enumerate(row, 1) if here in position(cell)] for row in (upper, lower))
        columns = set(above or beneath) if not (above and beneath) else set(above) & set(beneath)
        if len(columns) != 1:
            what = "under no cell" if not columns else "under several cells"
            if above and beneath and not columns:
                what = f"between {cell_name((r, above[0]))} and {cell_name((r + 1, beneath[0]))}"
            raise InputError(f"the sign `{sign.text}` under row {r} stands {what}", where=sign.place, hint=_HINT)
        (c,) = columns
        if c in found:
            raise InputError(f"a second sign under {cell_name((r, c))}", where=sign.place, hint="leave one of them out")
        found[c] = ((r, c), (r + 1, c)) if sign.text == "^" else ((r + 1, c), (r, c))
    return list(found.values())


def _positions(line: Line, raw: Sequence[str]) -> Callable[[Token], range]:
    """Where a token stands: on which tab if the row of signs has tabs, otherwise in which columns of the screen."""
    tabs = "\t" in raw[(line.place.line or 1) - 1].rstrip()

    def position(token: Token) -> range:
        before = raw[(token.place.line or 1) - 1][: _column(token) - 1]
        if tabs:
            return range(before.count("\t"), before.count("\t") + 1)
        start = len(before.expandtabs())
        return range(start, start + len(token.text))

    return position


def _named(pieces: Sequence[Token], size: int) -> Inequality:
    """A line such as `r1c1 < r3c2`."""
    matches = [_CELL.fullmatch(piece.text) for piece in pieces[::2]]
    if len(pieces) != 3 or pieces[1].text not in ("<", ">") or not (matches[0] and matches[1]):
        wrong = next((p for p, m in zip(pieces[::2], matches, strict=True) if not m), pieces[0])
        message = f"{' '.join(piece.text for piece in pieces)!r} is not an inequality"
        raise InputError(message, where=wrong.place, hint="write it as in `r1c1 < r3c2`")
    left, right = ((int(m[1][:9]), int(m[2][:9])) for m in matches if m)
    smaller, greater = (left, right) if pieces[1].text == "<" else (right, left)
    return inequality(smaller, greater, size, pieces[0].place)


def _column(token: Token) -> int:
    return token.place.column or 1
