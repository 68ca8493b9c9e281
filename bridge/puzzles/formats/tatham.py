"""Game IDs of Simon Tatham's Portable Puzzle Collection, `PARAMETERS:DESCRIPTION`, one per line; and saved games.

A link to a game in a browser, `.../solo.html#3x3:...`, is read as well.

The games are Solo (Sudoku, and its variants jigsaw, X and killer), Unequal (Futoshiki, and Latin squares, without
inequalities) and Unruly (Takuzu); and of kinds that are files Towers (Skyscrapers), Keen (KenKen), Loopy on a grid of
squares (Slitherlink), Light Up (Akari), Pattern (Nonogram) and Singles (Hitori). Unequal's adjacent mode is refused by
name. The parameters difficulty and symmetry, which matter only to the generator, are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from bridge.common import plural
from bridge.errors import InputError, Place, UnsupportedError, brief
from bridge.puzzles.formats.codec import Codec, Reading, Request, Source, column, cut, made, spread
from bridge.puzzles.formats.game_ids import (
    FileGame,
    GameID,
    Rows,
    as_map,
    binary,
    binary_in_order,
    cells_of,
    divided,
    divisions,
    in_order,
    numbered,
    others,
    pieces,
    regions_of,
    rows_of,
    run_length,
    text_size,
    values_in_order,
)
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.rules import cell_name, components
from bridge.puzzles.kinds.sudoku.text import squarest_box
from bridge.puzzles.kinds.text import Token


class Solo(GameID):
    """Sudoku; with jigsaw (j), X (x) or killer (k) a Killer Sudoku or Variant Sudoku."""

    name = "solo"
    game = "Solo"
    title = "game IDs of Simon Tatham's Solo: 3x3:a2e9a5b6..., 9jx:..., 3x3k:..."
    kinds = ("sudoku", "variant-sudoku", "killer")
    carries = (
        "Size, boxes or regions (jigsaw), clues, diagonals (X), and cages of which each cell is in one (killer). Sizes "
        "up to 31, with cages up to 9."
    )
    PATTERN: ClassVar[re.Pattern[str]] = re.compile(
        r"[0-9]+(x[0-9]+)?[jxk]*([rm]d?[0-9]|a|d[tbiaeu])*:[0-9_a-z]+(,.*)?"
    )
    #: The letter of this run stands for sides without one that divides after them.
    SPECIAL: ClassVar[int] = 26
    #: The facts of a variant.
    FACTS: ClassVar[frozenset[tuple[str, int]]] = frozenset({("region", 3), ("cage", 3), ("sum", 2), ("rule", 1)})

    def sniff_id(self, line: str) -> bool:
        if re.match(r"(?>[0-9]+(x[0-9]+)?)[jxk]+[a-z0-9]*:", line):
            return True  # a variant
        if not self.PATTERN.fullmatch(line) or "," in line or any(game.sniff_id(line) for game in FILE_GAMES):
            return False
        # An empty Solo looks like an Unruly with zeros only; the number of cells distinguishes them.
        columns, rows, letters = re.findall(r"^([0-9]+)(?:x([0-9]+))?[^:]*:(.*)", line)[0]
        cells = sum(ord(letter) - ord("a") + 1 for letter in letters)
        return (
            re.search("[0-9]", letters) is not None or cells == (int(columns[:4]) * int(rows[:4] or columns[:4])) ** 2
        )

    def read(self, parameters: Token, description: Token, request: Request) -> Puzzle:
        head = re.match(r"([0-9]+)(?:x([0-9]+))?", parameters.text)
        if head is None:
            raise InputError(f"{parameters.text!r} is not a size of Solo", where=parameters.place, hint="as in `3x3:`")
        variants = re.sub(r"[rm]d?[0-9]+|a|d[tbiaeu]", "", parameters.text[head.end() :])
        if rest := variants.strip("jxk"):
            raise InputError(f"{rest!r} means nothing among Solo's parameters", where=parameters.place)
        # The numbers are those of boxes in a row and in a column: a box has as many rows as there are boxes in a
        # row.
        one, other = int(head[1][:4]), int((head[2] or head[1])[:4])
        box = (one * (other if head[2] else 1), 1) if "j" in variants else (one, other)
        size = box[0] * box[1]
        if not 1 <= size <= 64 or min(box) < 1:
            raise InputError(f"a Sudoku of size {size} is not read", where=parameters.place, hint="64 is the largest")
        numbers, *others = pieces(description, ",")
        grid = numbered(numbers, size)
        if len(others) != (wanted := ("j" in variants) + 2 * ("k" in variants)):
            where = others[wanted].place if len(others) > wanted else description.place
            raise InputError(f"{parameters.text} has {wanted} parts after the grid, not {len(others)}", where=where)
        if not variants:
            return made("sudoku", {"box": list(box), "grid": grid}, parameters.place, request)
        kind = "variant-sudoku" if set(variants) != {"k"} or not _usual(*box) else "killer"
        if request.puzzle == "variant-sudoku":
            kind = request.puzzle
        facts = list(self._variants(variants, box, others))
        return made(kind, {"grid": grid, "facts": facts}, parameters.place, request)

    def _variants(self, variants: str, box: tuple[int, int], parts: list[Token]) -> Iterator[str]:
        """The facts of a variant."""
        size = box[0] * box[1]
        squares = [(r, c) for r in range(size) for c in range(size)]
        if "j" in variants:
            regions = divided(parts[0], size, self.SPECIAL)
            names = [name for row in regions for name in row]
            if wrong := next((name for name in names if names.count(name) != size), None):
                message = f"a region has {names.count(wrong)} cells, and the grid {size} rows"
                raise InputError(message, where=parts[0].place)
            yield from (f"region({r + 1},{c + 1},{regions[r][c]})" for r, c in squares)
        elif not _usual(*box):
            across = size // box[1]
            yield from (f"region({r + 1},{c + 1},z{r // box[0] * across + c // box[1]})" for r, c in squares)
        if "x" in variants:
            yield "rule(diagonal)"
        if "k" in variants:
            cages = divided(parts[-2], size, self.SPECIAL)
            yield from (f"cage({r + 1},{c + 1},{cages[r][c]})" for r, c in squares)
            sums: dict[str, int] = {}
            for at, token, offset in cells_of(parts[-1], "[1-9][0-9]*", size**2):
                name = cages[at // size][at % size]
                if sums.setdefault(name, int(token[:6])) != int(token[:6]):
                    message = f"its cage has the sum {sums[name]}, too"
                    raise InputError(message, where=column(parts[-1], offset))
            yield from (f"sum({name},{number})" for name, number in sums.items())

    def lost(self, puzzle: Puzzle) -> list[str]:
        if puzzle.kind != "sudoku":
            return self._lost(puzzle)
        height, width = puzzle.to_json()["box"]
        if min(height, width) < 2 or height * width > 31:
            raise UnsupportedError(f"Solo has no boxes of {height}x{width}", hint="take json")
        return []

    def _lost(self, puzzle: Puzzle) -> list[str]:
        """The same for a variant."""
        size = len(puzzle.grid)
        regions, cages = regions_of(puzzle, "region"), regions_of(puzzle, "cage")
        rules = [what for (what,) in rows_of(puzzle, "rule")]
        if not 2 <= size <= (9 if cages else 31):
            raise UnsupportedError(f"Solo has no such grid of {size} rows", hint="take json")
        if "no-regions" in rules or (not regions and min(squarest_box(size)) < 2):
            raise UnsupportedError("Solo has boxes or regions of as many cells as rows", hint="take json")
        for name, zones in (("region", regions), ("cage", cages)):
            if zones and sum(map(len, zones.values())) != size**2:
                raise UnsupportedError(f"in Solo, each cell is in a {name}", hint="take json")
            for zone, cells in zones.items():
                if len(components(cells)) > 1:
                    raise UnsupportedError(f"in Solo, the cells of a {name} hang together; those of {zone} do not")
                if (name == "cage" and not 2 <= len(cells) <= size) or (name == "region" and len(cells) != size):
                    raise UnsupportedError(f"Solo has no {name} of {len(cells)} cells, as {zone} is")
        lost = [f"the rule {what}" for what in rules if what not in ("diagonal", "no-regions")]
        return [*lost, *others(puzzle, self.FACTS)]

    def write_line(self, puzzle: Puzzle) -> str:
        values = values_in_order(puzzle.grid)
        if puzzle.kind == "sudoku":
            height, width = puzzle.to_json()["box"]
            return f"{height}x{width}:{values}"
        size, parts = len(puzzle.grid), [values]
        regions, cages = regions_of(puzzle, "region"), regions_of(puzzle, "cage")
        if regions:
            head = f"{size}j"
            parts.append(divisions(as_map(regions, size), self.SPECIAL))
        else:
            head = "{}x{}".format(*squarest_box(size))
        if ("diagonal",) in rows_of(puzzle, "rule"):
            head += "x"
        if cages:
            head += "k"
            sums = dict(rows_of(puzzle, "sum"))
            first = {min(cells): sums.get(name) for name, cells in cages.items()}
            rows = [[first.get((r, c)) for c in range(1, size + 1)] for r in range(1, size + 1)]
            parts += [divisions(as_map(cages, size), self.SPECIAL), values_in_order(rows)]
        return f"{head}:{','.join(parts)}"


def _usual(height: int, width: int) -> bool:
    return (height, width) == squarest_box(height * width)


class Unequal(GameID):
    """Futoshiki, and Latin squares."""

    name = "unequal"
    game = "Unequal"
    title = "game IDs of Simon Tatham's Unequal: 4:0D,0,0L,..."
    kinds = ("futoshiki", "latin-square")
    carries = (
        "Order, clues and inequalities between neighbours. The adjacent mode is refused. A Latin square is one "
        "without inequalities, which is read as a Futoshiki unless --puzzle says otherwise. Orders 3 to 32."
    )
    PATTERN: ClassVar[re.Pattern[str]] = re.compile(r"[0-9]+a?(d[a-z])?:[a-z]*[0-9]+[URDL]*(,[a-z]*[0-9]*[URDL]*)*")
    #: The offset of the smaller neighbour: rows and columns.
    _TOWARDS: ClassVar[dict[str, tuple[int, int]]] = {"U": (-1, 0), "R": (0, 1), "D": (1, 0), "L": (0, -1)}

    def sniff_id(self, line: str) -> bool:
        return self.PATTERN.fullmatch(line.rstrip(",")) is not None and "," in line

    def read(self, parameters: Token, description: Token, request: Request) -> Puzzle:
        head = re.fullmatch(r"([0-9]+)(a?)(?:d[a-z])?", parameters.text)
        if head is None:
            raise InputError(f"{parameters.text!r} is not a size of Unequal", where=parameters.place, hint="as in `5:`")
        if head[2]:
            raise UnsupportedError("an Unequal in adjacent mode is not supported", where=parameters.place)
        order = int(head[1][:4])
        if not 1 <= order <= 64:
            raise InputError(f"an order of {order} is not read", where=parameters.place, hint="64 is the largest")
        cells, signs = _unequal_cells(description, order)
        less: list[list[int]] = []
        for (r, c), letter, place in signs:
            down, right = self._TOWARDS[letter]
            if not (1 <= r + down <= order and 1 <= c + right <= order):
                raise InputError(f"{cell_name((r, c))}: the sign {letter} points out of the grid", where=place)
            less.append([r + down, c + right, r, c])
        data: dict[str, Any] = {"grid": cut(cells, order)}
        kind = "latin-square" if request.puzzle == "latin-square" and not less else "futoshiki"
        return made(kind, data if kind == "latin-square" else {**data, "less": less}, parameters.place, request)

    def lost(self, puzzle: Puzzle) -> list[str]:
        data = puzzle.to_json()
        if not 3 <= len(puzzle.grid) <= 32:
            raise UnsupportedError(f"Unequal has no order {len(puzzle.grid)}: it goes from 3 to 32", hint="take json")
        less = {(tuple(item[:2]), tuple(item[2:])) for item in data.get("less", ())}
        if clash := next(((x, y) for x, y in sorted(less) if (y, x) in less), None):
            names = " and ".join(map(cell_name, clash))
            raise UnsupportedError(f"Unequal takes no two signs between the same cells, as between {names}")
        lost = []
        if data.get("variant", "plain") != "plain":
            lost.append(f"the variant {data['variant']}")
        if far := [1 for (r, c), (r1, c1) in less if abs(r - r1) + abs(c - c1) != 1]:
            lost.append(f"inequalities between cells that are not neighbours ({len(far)})")
        return lost

    def write_line(self, puzzle: Puzzle) -> str:
        signs: dict[tuple[int, int], str] = {}
        for r, c, r1, c1 in puzzle.to_json().get("less", ()):
            for letter, towards in self._TOWARDS.items():
                if (r - r1, c - c1) == towards:
                    signs[r1, c1] = signs.get((r1, c1), "") + letter
        order = "URDL"
        cells = (
            f"{value or 0}{''.join(sorted(signs.get((r, c), ''), key=order.index))},"
            for r, row in enumerate(puzzle.grid, 1)
            for c, value in enumerate(row, 1)
        )
        return f"{len(puzzle.grid)}:{''.join(cells)}"


def _unequal_cells(description: Token, order: int) -> tuple[list[int | None], list[tuple[tuple[int, int], str, Place]]]:
    """The values, and the signs with their cells and places."""
    values: list[tuple[int | None, int]] = []  # with the number of their cells
    count = 0
    signs: list[tuple[tuple[int, int], str, Place]] = []
    at = 0
    for piece in description.text.removesuffix(",").split(","):
        found = re.fullmatch("([a-z]*)([0-9]*)([URDL]*)", piece)
        if found is None or not piece:
            where = column(description, at)
            raise InputError(f"{brief(piece)} is not a cell of an Unequal", where=where, hint="as in `0D,`")
        for letter in found[1]:
            values.append((None, ord(letter) - ord("a") + 1))
            count += values[-1][1]
        if found[2] or found[3]:
            value = int(found[2][:6] or 0)
            if value > order:
                raise InputError(f"{value} is not a value of order {order}", where=column(description, at))
            r, c = divmod(count, order)
            here = column(description, at + found.start(3))
            signs += [((r + 1, c + 1), letter, here) for letter in found[3]]
            values.append((value or None, 1))
            count += 1
        at += len(piece) + 1
    cells, count = spread(values, order**2)
    if count != order**2:
        raise InputError(f"{count} cells, but order {order} has {order**2}", where=description.place)
    return cells, signs


class Unruly(GameID):
    """Takuzu."""

    name = "unruly"
    game = "Unruly"
    title = "game IDs of Simon Tatham's Unruly: 8x8u:faCADAJeBd..."
    kinds = ("takuzu",)
    carries = "Size, clues, and whether lines may repeat (without `u` they may). Rows and columns are even, from 6 on."
    more = "u?(?:d[a-z])?"

    def fits(self, width: int, height: int, text: str) -> bool:
        # The number of cells, plus one after the end; that of an empty Solo differs.
        return text.isascii() and text.isalpha() and binary(Token(text, Place()), 0)[1] == width * height + 1

    def read(self, parameters: Token, description: Token, request: Request) -> Puzzle:
        width, height = self.size(parameters)
        # The last letter stands for a cell after the end.
        cells, count = binary(description, width * height + 1)
        if count != width * height + 1:
            counted = f"{count - 1} cells, but {width}x{height} has {width * height}"
            raise InputError(counted, where=description.place)
        lines = "distinct" if "u" in parameters.text else "repeat"
        return made("takuzu", {"lines": lines, "grid": cut(cells[:-1], width)}, parameters.place, request)

    def lost(self, puzzle: Puzzle) -> list[str]:
        height, width = len(puzzle.grid), len(puzzle.grid[0])
        if height % 2 or width % 2 or min(height, width) < 6:
            raise UnsupportedError(f"Unruly has no grid of {height} rows and {width} columns", hint="take json")
        return []

    def write_line(self, puzzle: Puzzle) -> str:
        text, _ = binary_in_order([*(value for row in puzzle.grid for value in row), 0])
        unique = "u" if puzzle.to_json()["lines"] == "distinct" else ""
        return f"{len(puzzle.grid[0])}x{len(puzzle.grid)}{unique}:{text}"


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


FILE_GAMES = (Towers(), Keen(), Loopy(), LightUp(), Pattern(), Singles())


class SavedGame(Codec):
    """A saved game holds the game ID of its puzzle."""

    name = "sav"
    title = "saved games of Simon Tatham's Solo, Unequal, Unruly, Towers, Keen, Loopy, Light Up, Pattern and Singles"
    suffixes = (".sav",)
    many = False
    _GAMES: ClassVar[Mapping[str, GameID]] = {codec.game: codec for codec in (Solo(), Unequal(), Unruly(), *FILE_GAMES)}
    kinds = tuple(kind for codec in _GAMES.values() for kind in codec.kinds)
    carries = "Read only: the puzzle of the game. Moves are left out."

    def sniff(self, source: Source) -> bool:
        return source.head.startswith("SAVEFILE:")

    def decode(self, source: Source, request: Request) -> Reading:
        fields: dict[str, Token] = {}
        for number, line in enumerate(source.text.splitlines(), 1):
            # `KEY     :LENGTH:VALUE`; a value of several lines is never one that is read.
            if found := re.match(r"([A-Z]{1,8}) *:[0-9]+:", line):
                fields.setdefault(found[1], Token(line[found.end() :], Place(source.name, number, found.end() + 1)))
        if missing := [key for key in ("GAME", "DESC") if key not in fields]:
            raise InputError(f"a saved game without a line {missing[0]}", where=source.place)
        if (codec := self._GAMES.get(fields["GAME"].text)) is None:
            raise UnsupportedError(
                f"a saved game of {fields['GAME'].text} is not supported",
                where=fields["GAME"].place,
                hint=f"of {', '.join(self._GAMES)} there are",
            )
        parameters = fields.get("CPARAMS") or fields.get("PARAMS")
        if parameters is None:
            raise InputError("a saved game without parameters", where=source.place)
        if len(fields["DESC"].text) > codec.longest:
            raise InputError("a description that is too long for any puzzle", where=fields["DESC"].place)
        puzzle = codec.read(parameters, fields["DESC"], request)
        return Reading((puzzle,), ("left out: the moves of the game",) if "MOVE" in fields else ())

    def lost(self, puzzle: Puzzle) -> list[str]:
        raise UnsupportedError("saved games are read, not written", hint="solo, unequal and others write game IDs")

    def write(self, puzzles: Sequence[Puzzle]) -> bytes:
        raise AssertionError("`lost` has refused it")
