"""Links of puzz.link (pzpr): `https://puzz.link/p?sudoku/9/9/g3h6h5g5h3...`, one puzzle per line.

The name of the puzzle, columns and rows are followed by what that puzzle has (`bridge.puzzles.formats.pzpr_body`). A
link does not have the shape of a Sudoku's boxes: it is 2x3 for size 6, and square otherwise.
"""

from __future__ import annotations

import re
from urllib.parse import unquote

from bridge.errors import InputError, UnsupportedError
from bridge.puzzles.formats.codec import LineCodec, Reading, Request, column, made
from bridge.puzzles.formats.pzpr_body import KINDS, NAMES, Body
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.file_puzzle import FilePuzzle
from bridge.puzzles.kinds.text import Token

_LINK = re.compile(r"(?:https?://)?(?:[\w.-]*puzz\.link|pzv\.jp|pzprxs\.vercel\.app|[\w.-]+)/p(?:\.html)?\?(.*)")


class PuzzLink(LineCodec):
    """Sudokus, and kinds that are files."""

    name = "puzzlink"
    title = "links of puzz.link and pzv.jp"
    kinds = tuple(KINDS)
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
        after = column(line, link.start(1))
        if (kind := NAMES.get(name.removesuffix("_edit"))) is None:
            raise UnsupportedError(f"a puzzle of the kind {name!r} is not supported", where=after)
        if len(parts) == 4 and not parts[0].isdigit():
            raise UnsupportedError(f"a {kind.title()} of the variant {parts[0]!r} is not supported", where=line.place)
        if len(parts) < 3 or not all(re.fullmatch("[1-9][0-9]?", one) for one in parts[:2]):
            raise InputError("not KIND/COLUMNS/ROWS/CLUES", where=after)
        columns, rows, rest = int(parts[0]), int(parts[1]), "/".join(parts[2:])
        if KINDS[kind].square and columns != rows:
            raise InputError(f"{columns} columns and {rows} rows are not square", where=after)
        body = Body(Token(rest, column(line, len(line.text) - len(rest))))
        data = KINDS[kind].read(body, rows, columns)
        body.end()
        return Reading((made(kind, data, line.place, request),))

    def lost(self, puzzle: Puzzle) -> list[str]:
        return KINDS[puzzle.kind].lost(puzzle)

    def write_line(self, puzzle: Puzzle) -> str:
        kind = KINDS[puzzle.kind]
        rows, columns = puzzle.text_size if isinstance(puzzle, FilePuzzle) else (len(puzzle.grid), len(puzzle.grid[0]))
        size = f"{columns - kind.margin}/{rows - kind.margin}"
        return f"https://puzz.link/p?{kind.pzpr}/{size}/{kind.write(puzzle)}"
