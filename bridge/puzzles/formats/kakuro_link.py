"""The part of a link of puzz.link that holds a Kakuro.

Cells come row by row: a letter from k to z for 1 to 16 white cells, `.` for a black cell without sums, two digits for
one with sums: that of the run below, and of the run on the right. Sums above and on the left of the grid follow, of the
runs that begin at its edge. A sum is one digit: 0 to 9, a to j for 10 to 19, A to Z for 20 to 45; 0 and - are none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bridge.asp.decode import Atom, written
from bridge.errors import InputError, UnsupportedError
from bridge.puzzles.formats.codec import column
from bridge.puzzles.kinds.file_puzzle import FilePuzzle
from bridge.puzzles.kinds.rules import Cell
from bridge.puzzles.kinds.text import Token

_DIGITS = "0123456789abcdefghijABCDEFGHIJKLMNOPQRSTUVWXYZ"


def read(body: Token, columns: int, rows: int) -> Mapping[str, Any]:
    """The JSON form of the Kakuro, which has a row and a column of black cells before those of the link."""
    text, at, cells = body.text, 0, rows * columns
    black: dict[Cell, tuple[int, int]] = {}
    count = 0
    while count < cells and at < len(text):
        if "k" <= text[at] <= "z":
            count += int(text[at], 36) - 19
            at += 1
            continue
        cell = count // columns + 2, count % columns + 2
        if text[at] == ".":
            black[cell] = 0, 0
            at += 1
        else:
            black[cell] = _digit(body, at), _digit(body, at + 1)
            at += 2
        count += 1
    if count != cells:
        raise InputError(f"{count} cells, but {rows} rows of {columns} have {cells}", where=body.place)
    black[1, 1] = 0, 0
    for c in range(2, columns + 2):
        black[1, c] = 0, 0
        if (2, c) not in black:
            black[1, c], at = (_digit(body, at), 0), at + 1
    for r in range(2, rows + 2):
        black[r, 1] = 0, 0
        if (r, 2) not in black:
            black[r, 1], at = (0, _digit(body, at)), at + 1
    if at != len(text):
        raise InputError(f"{text[at:][:20]!r} is left over", where=column(body, at))
    facts: list[Atom] = []
    for (r, c), (below, right) in sorted(black.items()):
        facts += [("down", (r, c, below))] if below else []
        facts += [("across", (r, c, right))] if right else []
        facts.append(("black", (r, c)))
    return {"grid": [[None] * (columns + 1) for _ in range(rows + 1)], "facts": [written(fact) for fact in facts]}


def _digit(body: Token, at: int) -> int:
    """The sum at a place; 0 where there is none."""
    if at >= len(body.text):
        raise InputError("the link is cut short: sums are missing", where=body.place)
    if body.text[at] == "-":
        return 0
    found = _DIGITS.find(body.text[at])
    if found < 0:
        raise InputError(f"{body.text[at]!r} is not a sum", where=column(body, at))
    return found


def write(puzzle: FilePuzzle) -> str:
    """Columns, rows and cells of a Kakuro, as a link has them."""
    white, (height, width) = set(puzzle.cells()), puzzle.text_size
    sums: dict[Cell, list[int]] = {}
    for name, arguments in puzzle.atoms:
        if name in ("down", "across"):
            sums.setdefault(arguments[:2], [0, 0])[name == "across"] = arguments[2]
    if any(r == 1 or c == 1 for r, c in white):
        raise UnsupportedError("its first row and first column are not black", hint="take json")
    if any(not 0 <= one < len(_DIGITS) for pair in sums.values() for one in pair):
        raise UnsupportedError(f"a sum above {len(_DIGITS) - 1} has no digit in a link", hint="take json")
    text, run = "", 0
    for cell in ((r, c) for r in range(2, height + 1) for c in range(2, width + 1)):
        if cell in white:
            run += 1
        if run and (run == 16 or cell not in white):
            text, run = text + _letter(run), 0
        if cell not in white:
            text += "".join(_DIGITS[one] for one in sums[cell]) if cell in sums else "."
    text += _letter(run) if run else ""
    text += "".join(_DIGITS[sums.get((1, c), [0, 0])[0]] for c in range(2, width + 1) if (2, c) in white)
    text += "".join(_DIGITS[sums.get((r, 1), [0, 0])[1]] for r in range(2, height + 1) if (r, 2) in white)
    return f"{width - 1}/{height - 1}/{text}"


def _letter(run: int) -> str:
    """White cells, up to 16 in a letter."""
    return "klmnopqrstuvwxyz"[run - 1]
