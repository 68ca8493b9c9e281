"""Links of puzz.link (pzpr): `https://puzz.link/p?sudoku/9/9/g3h6h5g5h3...`, one puzzle per line.

The name of the puzzle, columns and rows are followed by what that puzzle has. A Sudoku has one or more characters for
each clue, in base 16, and a letter from g to z for 1 to 20 open cells. A link does not have the shape of boxes: it is
2x3 for size 6, and square otherwise. `bridge.puzzles.formats.pzpr_body` has most kinds that are files,
`bridge.puzzles.formats.kakuro_link` Kakuros.
"""

from __future__ import annotations

import re
from math import isqrt
from urllib.parse import unquote

from bridge.errors import InputError, UnsupportedError
from bridge.puzzles.formats import kakuro_link, pzpr_body
from bridge.puzzles.formats.codec import LineCodec, Reading, Request, column, cut, made, spread
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.file_puzzle import FilePuzzle
from bridge.puzzles.kinds.text import Token

_LINK = re.compile(r"(?:https?://)?(?:[\w.-]*puzz\.link|pzv\.jp|pzprxs\.vercel\.app|[\w.-]+)/p(?:\.html)?\?(.*)")
_NUMBER = re.compile(r"[0-9a-f]|-[0-9a-f]{2}")


class PuzzLink(LineCodec):
    """Sudokus, and kinds that are files."""

    name = "puzzlink"
    title = "links of puzz.link and pzv.jp"
    kinds = ("sudoku", "kakuro", *pzpr_body.KINDS)
    carries = "Size and clues; of a Kakuro, sums. Boxes are 2x3 for size 6, and otherwise square: 4, 9, 16, 25, ..."

    def sniff_line(self, line: str) -> bool:
        return _LINK.fullmatch(line) is not None and "load=" not in line

    def decode_line(self, line: Token, request: Request) -> Reading:
        line = Token(line.text.removesuffix("/"), line.place)
        if (link := _LINK.fullmatch(line.text)) is None:
            raise InputError(
                "this is not a link of puzz.link", where=line.place, hint="https://puzz.link/p?sudoku/9/9/..."
            )
        name, *parts = unquote(link[1]).split("/")
        kind = name.removesuffix("_edit")
        if kind in pzpr_body.NAMES and len(parts) >= 3 and all(re.fullmatch("[1-9][0-9]?", one) for one in parts[:2]):
            columns, rows, rest = int(parts[0]), int(parts[1]), "/".join(parts[2:])
            data = pzpr_body.read(
                pzpr_body.NAMES[kind], Token(rest, column(line, len(line.text) - len(rest))), rows, columns
            )
            return Reading((made(pzpr_body.NAMES[kind], data, line.place, request),))
        if kind not in ("sudoku", "kakuro"):
            raise UnsupportedError(f"a puzzle of the kind {name!r} is not supported", where=column(line, link.start(1)))
        if len(parts) == 4 and not parts[0].isdigit():
            raise UnsupportedError(f"a {kind.title()} of the variant {parts[0]!r} is not supported", where=line.place)
        if len(parts) != 3 or not (re.fullmatch("[0-9]{1,2}", parts[0]) and re.fullmatch("[0-9]{1,2}", parts[1])):
            raise InputError("not KIND/COLUMNS/ROWS/CLUES", where=column(line, link.start(1)))
        columns, rows, body = int(parts[0]), int(parts[1]), parts[2]
        if kind == "kakuro":
            found = kakuro_link.read(Token(body, column(line, line.text.rindex("/") + 1)), columns, rows)
            return Reading((made(kind, found, line.place, request),))
        if columns != rows or columns < 1:
            raise InputError(f"{columns} columns and {rows} rows are not square", where=column(line, link.start(1)))
        cells = self._cells(body, columns, Token(body, column(line, line.text.rindex("/") + 1)))
        data = {"grid": cut(cells, columns)}
        if isqrt(columns) ** 2 != columns != 6:
            raise UnsupportedError(f"a Sudoku of size {columns}, whose boxes are not part of a link", where=line.place)
        return Reading((made("sudoku", data, line.place, request),))

    def _cells(self, body: str, size: int, at: Token) -> list[int | None]:
        runs: list[tuple[int | None, int]] = []
        position = 0
        while position < len(body):
            if number := _NUMBER.match(body, position):
                value = int(number[0].removeprefix("-"), 16)
                if not 1 <= value <= size:
                    raise InputError(f"{value} is not a value of a Sudoku of size {size}", where=column(at, position))
                runs.append((value, 1))
                position = number.end()
            elif body[position] in "ghijklmnopqrstuvwxyz":
                runs.append((None, int(body[position], 36) - 15))
                position += 1
            elif body[position] == ".":  # a clue that is a question mark: an open cell
                runs.append((None, 1))
                position += 1
            else:
                raise InputError(f"{body[position]!r} has no meaning here", where=column(at, position))
        cells, count = spread(runs, size**2)
        if count > size**2:
            raise InputError(f"{count} cells, but size {size} has {size**2}", where=at.place)
        return cells + [None] * (size**2 - len(cells))

    def lost(self, puzzle: Puzzle) -> list[str]:
        if isinstance(puzzle, FilePuzzle):
            if puzzle.kind != "kakuro":
                return pzpr_body.lost(puzzle)
            return ["numbers given in white cells"] if puzzle.clues() else []
        size = len(puzzle.grid)
        root = isqrt(size)
        usual = [2, 3] if size == 6 else [root, root]
        if root**2 != size != 6:
            raise UnsupportedError(f"puzz.link has no Sudoku of size {size}", hint="take json")
        box = puzzle.to_json()["box"]
        return [] if box == usual else [f"boxes of {box[0]}x{box[1]}"]

    def write_line(self, puzzle: Puzzle) -> str:
        if isinstance(puzzle, FilePuzzle):
            if puzzle.kind != "kakuro":
                return f"https://puzz.link/p?{pzpr_body.write(puzzle)}"
            return f"https://puzz.link/p?{puzzle.kind}/{kakuro_link.write(puzzle)}"
        size = len(puzzle.grid)
        body, run = "", 0
        for value in [*(value for row in puzzle.grid for value in row), None]:
            if value is None:
                run += 1
                continue
            body += _run(run) + (f"{value:x}" if int(value) < 16 else f"-{value:02x}")
            run = 0
        return f"https://puzz.link/p?sudoku/{size}/{size}/{body}{_run(run - 1)}"


def _run(length: int) -> str:
    """Open cells, up to 20 per letter."""
    return "z" * (length // 20) + ("" if length % 20 == 0 else "ghijklmnopqrstuvwxyz"[length % 20 - 1])
