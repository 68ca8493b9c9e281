"""Game IDs of six games of Simon Tatham's collection whose puzzles are kinds that are files.

Towers (Skyscrapers), Keen (KenKen), Loopy on a grid of squares (Slitherlink), Light Up (Akari), Pattern (Nonogram) and
Singles (Hitori).
"""

from __future__ import annotations

import re
from typing import ClassVar

from bridge.common.english import plural
from bridge.errors import InputError, UnsupportedError
from bridge.puzzles.formats.codec import column, cut
from bridge.puzzles.formats.game_ids import (
    FileGame,
    Rows,
    as_map,
    binary,
    binary_in_order,
    cells_of,
    divided,
    divisions,
    in_order,
    numbered,
    pieces,
    regions_of,
    rows_of,
    run_length,
    text_size,
    values_in_order,
)
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.rules import components
from bridge.puzzles.kinds.text import Token


class Towers(FileGame):
    """Skyscrapers."""

    name = "towers"
    game = "Towers"
    title = "game IDs of Simon Tatham's Towers: 4:2/2/1/3/2/2/..."
    kinds = ("skyscrapers",)
    carries = "Size, numbers outside and given values. Sizes 3 to 9."
    square = True
    smallest, largest = 3, 9
    more = "(?:d[a-z])?"
    facts = frozenset({("sees", 3)})
    givens = True
    #: Its order of sides.
    SIDES: ClassVar[tuple[str, ...]] = ("top", "bottom", "left", "right")

    def fits(self, width: int, height: int, text: str) -> bool:
        return re.fullmatch("[0-9/]*(,[0-9a-z_]*)?", text) is not None and text.count("/") == 4 * width - 1

    def facts_in(self, description: Token, width: int, height: int) -> tuple[list[str], Rows | None]:
        size = width
        outside, *inside = pieces(description, ",")
        numbers = list(pieces(outside, "/"))
        if len(numbers) != 4 * size:
            message = f"{plural(len(numbers), 'number')} outside, but a square of {size} has {4 * size}"
            raise InputError(message, where=outside.place)
        facts = []
        for at, token in enumerate(numbers):
            if not re.fullmatch("[0-9]{0,6}", token.text):
                raise InputError(f"{token.text[:20]!r} is not a number outside", where=token.place)
            if token.text:
                facts.append(f"sees({self.SIDES[at // size]},{at % size + 1},{int(token.text)})")
        if len(inside) > 1:
            raise InputError("it goes on after the grid", where=inside[1].place)
        return facts, numbered(inside[0], size) if inside else None

    def text_of(self, puzzle: Puzzle) -> str:
        size = len(puzzle.grid)
        sees = {(side, i): number for side, i, number in rows_of(puzzle, "sees")}
        outside = "/".join(str(sees.get((side, i), "")) for side in self.SIDES for i in range(1, size + 1))
        return outside + (f",{values_in_order(puzzle.grid)}" if puzzle.clues() else "")


class Keen(FileGame):
    """KenKen."""

    name = "keen"
    game = "Keen"
    title = "game IDs of Simon Tatham's Keen: 5:a__a_3a_5...,a5m15a7..."
    kinds = ("kenken",)
    carries = "Size and cages with their results; each cell is in one. Given values have no place. Sizes 3 to 9."
    square = True
    smallest, largest = 3, 9
    more = "(?:d[a-z])?m?"
    facts = frozenset({("cage", 3), ("result", 2), ("result", 3)})
    #: The letter of this run stands for sides without one that divides after them.
    SPECIAL: ClassVar[int] = 25
    _SIGNS: ClassVar[dict[str, str]] = {"a": "+", "m": "*", "s": "-", "d": "/"}

    def fits(self, width: int, height: int, text: str) -> bool:
        return re.fullmatch("[a-z_0-9]+,(?:[amsd][0-9]+)+", text) is not None

    def facts_in(self, description: Token, width: int, height: int) -> tuple[list[str], Rows | None]:
        structure, *results = pieces(description, ",")
        if len(results) != 1:
            raise InputError("cages are followed by a comma and their results", where=description.place)
        cages = divided(structure, width, self.SPECIAL)
        cells = [name for row in cages for name in row]
        names = list(dict.fromkeys(cells))
        facts = [f"cage({r},{c},{name})" for r, row in enumerate(cages, 1) for c, name in enumerate(row, 1)]
        found = [*re.finditer("([amsd])([0-9]{1,9})|(.)", results[0].text)]
        for piece in found:
            if piece[3]:
                where = column(results[0], piece.start())
                raise InputError(f"{piece[3]!r} is not a result of a cage", where=where, hint="as in a12, m6, s1, d2")
        if len(found) != len(names):
            raise InputError(
                f"{plural(len(found), 'result')}, but there are {len(names)} cages", where=results[0].place
            )
        for name, piece in zip(names, found, strict=True):
            number, sign = int(piece[2]), self._SIGNS[piece[1]]
            facts.append(f"result({name},{number})" if cells.count(name) == 1 else f'result({name},{number},"{sign}")')
        return facts, None

    def lost(self, puzzle: Puzzle) -> list[str]:
        lost = super().lost(puzzle)
        cages = regions_of(puzzle, "cage")
        if len({cell for cells in cages.values() for cell in cells}) != len(puzzle.cells()):
            raise UnsupportedError("in Keen, each cell is in a cage", hint="take json")
        results = {row[0]: row for row in rows_of(puzzle, "result")}
        for name, cells in cages.items():
            if name not in results or (len(results[name]) == 2 and len(cells) > 1):
                raise UnsupportedError(f"in Keen, each cage has a result with a sign, and {name} has none")
            if len(components(cells)) > 1:
                raise UnsupportedError(f"in Keen, the cells of a cage hang together; those of {name} do not")
        return lost

    def text_of(self, puzzle: Puzzle) -> str:
        cages = regions_of(puzzle, "cage")
        plain = divisions(as_map(cages, len(puzzle.grid)), self.SPECIAL)
        structure = re.sub(r"(.)\1{2,}", lambda found: f"{found[1]}{len(found[0])}", plain)
        letters = {sign: letter for letter, sign in self._SIGNS.items()}
        results = {
            name: (letters[sign[0]] if sign else "a", number) for name, number, *sign in rows_of(puzzle, "result")
        }
        first = sorted(cages, key=lambda name: min(cages[name]))
        return f"{structure},{''.join(f'{results[name][0]}{results[name][1]}' for name in first)}"


class Marked(FileGame):
    """Base class of games that have a character for each cell with a clue, and letters for the others."""

    #: The pattern of such a character: the number of a cell, or `B`, which is a wall.
    token: ClassVar[str]
    facts = frozenset({("number", 3)})

    def fits(self, width: int, height: int, text: str) -> bool:
        cells = sum(run_length(one) if "a" <= one <= "z" else 1 for one in text)
        return re.fullmatch(f"(?:{self.token}|[a-z])+", text) is not None and cells == width * height

    def facts_in(self, description: Token, width: int, height: int) -> tuple[list[str], Rows | None]:
        facts = []
        for at, token, _ in cells_of(description, self.token, width * height):
            r, c = divmod(at, width)
            facts.append(f"wall({r + 1},{c + 1})" if token == "B" else f"number({r + 1},{c + 1},{token})")
        return facts, None

    def text_of(self, puzzle: Puzzle) -> str:
        height, width = text_size(puzzle)
        marks = dict.fromkeys(rows_of(puzzle, "wall"), "B")
        marks |= {(r, c): str(number) for r, c, number in rows_of(puzzle, "number")}
        return in_order([marks.get((r, c)) for r in range(1, height + 1) for c in range(1, width + 1)])


class Loopy(Marked):
    """Slitherlink."""

    name = "loopy"
    game = "Loopy"
    title = "game IDs of Simon Tatham's Loopy, squares only: 7x7t0:02g222b3..."
    kinds = ("slitherlink",)
    carries = "Size and numbers, on a grid of squares (t0). Sizes 3 to 64."
    smallest = 3
    more = "t0(?:d[a-z])?"
    token = "[0-9]"
    lattice = True

    def sniff_id(self, line: str) -> bool:
        others = r"[0-9]{1,3}x[0-9]{1,3}t[1-9][0-9]*(?:d[a-z])?:[0-9a-z]+"  # `size` refuses them with the reason
        return re.fullmatch(others, line) is not None or super().sniff_id(line)

    def size(self, parameters: Token) -> tuple[int, int]:
        if kind := re.search("t([1-9][0-9]*)", parameters.text):
            raise UnsupportedError(f"a Loopy of type {kind[1]} is not a grid of squares", where=parameters.place)
        return super().size(parameters)


class LightUp(Marked):
    """Akari."""

    name = "lightup"
    game = "Light Up"
    title = "game IDs of Simon Tatham's Light Up: 7x7:b3gB0c0d..."
    kinds = ("akari",)
    carries = "Size, walls and their numbers. Given bulbs have no place. Sizes 2 to 64."
    smallest = 2
    more = "(?:b[0-9]+)?(?:s[0-9]+)?(?:r|d[0-9]+)?"
    token = "[0-4B]"
    facts = frozenset({("number", 3), ("wall", 2)})

    def fits(self, width: int, height: int, text: str) -> bool:
        return re.search(self.token, text) is not None and super().fits(width, height, text)


class Pattern(FileGame):
    """Nonogram."""

    name = "pattern"
    game = "Pattern"
    title = "game IDs of Simon Tatham's Pattern: 10x10:3.4/2.2/4.1/..."
    kinds = ("nonogram",)
    carries = "Size, the blocks of columns and rows, and given cells. Sizes 1 to 64, two cells at least."
    smallest = 1
    facts = frozenset({("across", 3), ("down", 3)})
    givens = True

    def fits(self, width: int, height: int, text: str) -> bool:
        is_one = re.fullmatch("[0-9./]*(,[a-zA-Z]*)?", text) is not None
        return is_one and text.count("/") == width + height - 1

    def facts_in(self, description: Token, width: int, height: int) -> tuple[list[str], Rows | None]:
        numbers, *known = pieces(description, ",")
        lines = list(pieces(numbers, "/"))
        if len(lines) != width + height:
            message = f"{plural(len(lines), 'line')}, but {width} columns and {height} rows are {width + height}"
            raise InputError(message, where=numbers.place)
        facts = []
        for at, line in enumerate(lines):
            blocks = list(pieces(line, ".")) if line.text else []
            for block in blocks:
                if not re.fullmatch("[0-9]{1,6}", block.text) or int(block.text) == 0:
                    raise InputError(f"{block.text[:20]!r} is not a length of a block", where=block.place)
            name, index = ("down", at + 1) if at < width else ("across", at - width + 1)
            lengths = [int(block.text) for block in blocks] or [0]
            facts += [f"{name}({index},{p},{length})" for p, length in enumerate(lengths, 1)]
        if len(known) > 1:
            raise InputError("it goes on after the given cells", where=known[1].place)
        cells: list[int | None] = [None] * (width * height)
        if known:
            cells, count = binary(known[0], width * height + 1)
            if count == width * height + 1 and cells.pop() is not None:
                count -= 1  # the last letter stands for a cell after the end
            if count != width * height:
                raise InputError(f"{plural(count, 'cell')}, but the grid has {width * height}", where=known[0].place)
        return facts, cut(cells, width)

    def lost(self, puzzle: Puzzle) -> list[str]:
        height, width = text_size(puzzle)
        if height * width < 2:
            raise UnsupportedError("Pattern has no grid of one cell", hint="take json")
        for name, number in (("down", width), ("across", height)):
            if missing := set(range(1, number + 1)) - {row[0] for row in rows_of(puzzle, name)}:
                line = "column" if name == "down" else "row"
                raise UnsupportedError(f"in Pattern, every line has its numbers, and {line} {min(missing)} has none")
        return super().lost(puzzle)

    def text_of(self, puzzle: Puzzle) -> str:
        height, width = text_size(puzzle)
        lines: list[str] = []
        for name, number in (("down", width), ("across", height)):
            blocks = sorted(rows_of(puzzle, name))
            of_line = ([length for index, _, length in blocks if index == i and length] for i in range(1, number + 1))
            lines += [".".join(map(str, lengths)) for lengths in of_line]
        if not puzzle.clues():
            return "/".join(lines)
        text, run = binary_in_order(value for row in puzzle.grid for value in row)
        # The rest is open: `z` is 25 cells; a letter before it, one fewer than it says, is a cell after the end.
        rest = "z" * (run // 25) + (chr(ord("a") + run % 25) if run % 25 else "")
        return f"{'/'.join(lines)},{text}{rest}"


class Singles(FileGame):
    """Hitori."""

    name = "singles"
    game = "Singles"
    title = "game IDs of Simon Tatham's Singles: 6x6:3615664122..."
    kinds = ("hitori",)
    carries = "Size and numbers, which are at most the greater side. Given cells have no place. Sizes 2 to 62."
    smallest, largest = 2, 62
    more = "(?:d[a-z])?"
    facts = frozenset({("number", 3)})
    _DIGITS: ClassVar[str] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

    def fits(self, width: int, height: int, text: str) -> bool:
        known = self._DIGITS[1 : max(width, height) + 1]
        return len(text) == width * height > 1 and set(text) <= set(known)

    def facts_in(self, description: Token, width: int, height: int) -> tuple[list[str], Rows | None]:
        if len(description.text) != width * height:
            message = f"{plural(len(description.text), 'cell')}, but the grid has {width * height}"
            raise InputError(message, where=description.place)
        facts = []
        for at, digit in enumerate(description.text):
            number = self._DIGITS.find(digit)
            if not 1 <= number <= max(width, height):
                message = f"{digit!r} is not a number from 1 to {max(width, height)}"
                raise InputError(message, where=column(description, at))
            facts.append(f"number({at // width + 1},{at % width + 1},{number})")
        return facts, None

    def lost(self, puzzle: Puzzle) -> list[str]:
        lost = super().lost(puzzle)
        height, width = text_size(puzzle)
        numbers = [number for *_, number in rows_of(puzzle, "number")]
        if len(numbers) != height * width:
            raise UnsupportedError("in Singles, every cell has a number", hint="take json")
        for number in numbers:
            if not isinstance(number, int) or not 1 <= number <= max(height, width):
                raise UnsupportedError(f"Singles has numbers from 1 to {max(height, width)}, not {number}")
        return lost

    def text_of(self, puzzle: Puzzle) -> str:
        return "".join(self._DIGITS[number] for *_, number in sorted(rows_of(puzzle, "number")))


GAMES = (Towers(), Keen(), Loopy(), LightUp(), Pattern(), Singles())
