"""A picture in characters, with colours and weights where the terminal has them; and in words, for screen readers.

No meaning is in a colour alone: characters beside a cell mark it, and a legend explains them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from bridge.drawing import Mark
from bridge.puzzles.kinds.rules import Cell, Value, cell_name
from bridge.puzzles.render.board import Scene
from bridge.puzzles.render.decoration import listed
from bridge.puzzles.render.marks import Shade

#: The characters on both sides of a marked cell, and their meaning.
SIDES = {
    Mark.USED: ("()", "used by this step"),
    Mark.NEW: ("**", "concluded"),
    Mark.CLASH: ("!!", "clashes"),
    Mark.OPEN: ("{}", "differs between solutions"),
}

#: ANSI escapes.
_BOLD, _DIM, _SOLVED, _END = "\x1b[1m", "\x1b[2m", "\x1b[34m", "\x1b[0m"
_INKS = {Mark.USED: "\x1b[36m", Mark.NEW: "\x1b[32m", Mark.CLASH: "\x1b[31m", Mark.OPEN: "\x1b[33m"}


def text(picture: Scene, *, colour: bool = False) -> str:
    """The picture in characters; with `colour`, ANSI escapes too."""
    board = _Characters(picture, colour)
    head = ", ".join(part for part in (picture.heading, picture.byline) if part)
    rows = board.lattice() if picture.board.lattice else board.lines()
    lines = [*([head] if head else []), picture.title, *(line.rstrip() for line in rows)]
    lines += [f"     {sentence}" for sentence in listed(picture.board)]
    lines += [part for part in (picture.caption, picture.board.remark, board.legend()) if part]
    for note in (*picture.notes, *picture.lists):
        lines += [f"{note.heading}:", *(f"  {line}" for line in note.lines)]
    return "\n".join(lines).replace("\N{NO-BREAK SPACE}", " ")


class _Characters:
    """The board of a picture in characters: all cells of one width."""

    def __init__(self, picture: Scene, colour: bool) -> None:
        self.picture, self.board, self.colour = picture, picture.board, colour
        self.columns = range(1, self.board.columns + 1)
        self.box = {cell: number for number, cells in enumerate(self.board.boxes) for cell in cells}
        self.signs = {(*sorted((sign.smaller, sign.greater)),): sign for sign in self.board.signs if sign.beside}

    @cached_property
    def width(self) -> int:
        names = [len(text) for (what, _), text in self.board.headings.items() if what == "column"]
        return max([*(len(self._plain(cell)) for cell in self.picture.cells()), *names], default=1)

    @cached_property
    def head(self) -> int:
        """The width of the numbers or names of rows."""
        return max([2, *(len(text) for (what, _), text in self.board.headings.items() if what == "row")])

    def lines(self) -> Iterator[str]:
        before = " " * self.head
        yield f"{before}   {self._row([self.board.heading('column', c).center(self.width) for c in self.columns])}"
        yield f"{before} ┌{self._rule('┬')}┐"
        for r in range(1, self.board.rows + 1):
            between = [self._between(r, c) for c in self.columns[:-1]]
            name, row = self.board.heading("row", r), self._row([self._cell((r, c)) for c in self.columns], between)
            yield f"{name:>{self.head}} │ {row} │"
            if r < self.board.rows:
                yield from self._under(r)
        yield f"{before} └{self._rule('┴')}┘"
        if far := [sign.rule for sign in self.board.signs if not sign.beside]:
            yield f"{before}   {', '.join(far)}"

    def lattice(self) -> Iterator[str]:
        """Corners as `+`, edges as lines, cells with their texts."""
        board = self.picture.board
        wide = max((len(text) for text in board.texts.values()), default=1) + 2
        for r in range(1, board.rows + 1):
            parts = [f"{r // 2:>2} " if r % 2 == 0 else "   "]
            for c in range(1, board.columns + 1):
                cell = (r, c)
                if r % 2 == c % 2:
                    parts.append("+" if r % 2 else board.texts.get(cell, "").center(wide))
                    continue
                value, mark = self.picture.value(cell), self.picture.marks.get(cell)
                sign = "-" if r % 2 else "|"
                none = "x" if mark or cell in self.picture.givens else " "
                text = " " if value is None else none if value == 0 else sign
                if mark:
                    text = SIDES[mark][0][0]
                parts.append(text * wide if r % 2 else text)
            yield "".join(parts)

    def legend(self) -> str:
        picture = self.picture
        one = picture.sample
        parts = [f"{one} given, ·{one} solved"] if picture.givens and picture.values else []
        if self._mixed:
            parts.append("before a +: in some solution; behind it: left by propagation, in no solution")
        if Shade.REMOVED in picture.shades:
            parts.append(f"≠{one} not possible")
        marks = set(picture.marks.values())
        parts += [f"{sides[0]}{one}{sides[1]} {meaning}" for mark, (sides, meaning) in SIDES.items() if mark in marks]
        return "; ".join(parts)

    @property
    def _mixed(self) -> bool:
        return {Shade.EXACT, Shade.PROPAGATED} <= self.picture.shades

    def _row(self, cells: Sequence[str], between: Sequence[str] = ()) -> str:
        """Cells side by side, and what stands between them: signs on a spaced board, else bars where boxes end."""
        between = between or " " * (len(cells) - 1)
        parts = [cells[0]]
        for c, (cell, sign) in enumerate(zip(cells[1:], between, strict=True), 1):
            parts.append(f" {sign} {cell}" if self.board.spaced or self._box_ends(c) else f" {cell}")
        return "".join(parts)

    def _rule(self, cross: str) -> str:
        """A line as long as a row."""
        parts = []
        for c in self.columns:
            crossed = c in self.columns[:-1] and not self.board.spaced and self._box_ends(c)
            wide = self.board.spaced and c in self.columns[:-1]
            parts.append("─" * self.width + (f"─{cross}─" if crossed else "───" if wide else "─"))
        return f"─{''.join(parts)}"

    def _box_ends(self, c: int) -> bool:
        """Whether boxes end at the right of a column, in any row."""
        return any(self.box.get((r, c)) != self.box.get((r, c + 1)) for r in range(1, self.board.rows + 1))

    def _between(self, r: int, c: int) -> str:
        if sign := self.signs.get(((r, c), (r, c + 1))):
            return "<" if sign.smaller == (r, c) else ">"
        return "│" if self.box.get((r, c)) != self.box.get((r, c + 1)) else " "

    def _under(self, r: int) -> Iterator[str]:
        """The signs below a row, or the rule where boxes end."""
        if self.board.spaced:
            signs = [self.signs.get(((r, c), (r + 1, c))) for c in self.columns]
            shown = ["" if one is None else "∧" if one.smaller[0] == r else "∨" for one in signs]
            yield f"{' ' * self.head} │ {self._row([one.center(self.width) for one in shown])} │"
        elif any(self.box.get((r, c)) != self.box.get((r + 1, c)) for c in self.columns):
            yield f"{' ' * self.head} ├{self._rule('┼')}┤"

    def _cell(self, cell: Cell) -> str:
        """A centred cell, with the escapes for its weight and colour."""
        padded = self._plain(cell).center(self.width)
        if not self.colour or cell in self.board.black:
            return padded
        mark = self.picture.marks.get(cell)
        style = _INKS[mark] if mark else ""
        if cell in self.picture.givens or mark is Mark.NEW:
            style += _BOLD
        elif not mark:
            style = _DIM if self.picture.value(cell) is None else _SOLVED
        return f"{style}{padded}{_END}"

    def _plain(self, cell: Cell) -> str:
        if cell in self.board.black:
            return "█"
        mark, value = self.picture.marks.get(cell), self.picture.value(cell)
        if value is None and cell in self.board.texts:
            shown = self.board.texts[cell]
        elif value is None:
            shown = self._candidates(cell) or "."
        else:
            dotted = self.picture.givens and cell not in self.picture.givens and mark is None
            glyph = str(self.board.glyphs.get(value, value)) or self.board.texts.get(cell, ".")
            shown = f"{'·' if dotted else ''}{glyph}"
        return f"{SIDES[mark][0][0]}{shown}{SIDES[mark][0][1]}" if mark else shown

    def _candidates(self, cell: Cell) -> str:
        apart = "" if max(len(str(value)) for value in self.picture.alphabet) == 1 else ","
        of_cell = self.picture.candidates.get(cell, {})
        by_shade = {shade: apart.join(str(value) for value, one in of_cell.items() if one is shade) for shade in Shade}
        text = by_shade[Shade.EXACT]
        if by_shade[Shade.PROPAGATED]:
            text += ("+" if self._mixed else "") + by_shade[Shade.PROPAGATED]
        return text + (f"≠{by_shade[Shade.REMOVED]}" if by_shade[Shade.REMOVED] else "")


MARKED = {
    Mark.USED: "used by the step",
    Mark.NEW: "concluded",
    Mark.CLASH: "in the clash",
    Mark.OPEN: "different between solutions",
}


def summary(picture: Scene) -> str:
    """One sentence: `Sudoku, 9 rows and 9 columns: 34 cells given, 43 solved, 4 open`."""
    size = picture.board
    cells = list(picture.cells())
    open_cells = len(cells) - len(picture.givens) - len(picture.values)
    parts = [f"{len(picture.givens)} cells given", f"{len(picture.values)} solved", f"{open_cells} open"]
    if size.black:
        parts.append(f"{len(size.black)} black")
    return f"{picture.title}, {size.rows} rows and {size.columns} columns: {', '.join(parts)}"


def described(picture: Scene) -> str:
    """The whole picture, one sentence or row per line."""
    lines = [picture.heading, picture.byline, f"{summary(picture)}.", picture.caption, picture.board.remark]
    for r in range(1, picture.board.rows + 1):
        row = [_cell(picture, (r, c)) for c in range(1, picture.board.columns + 1)]
        lines.append(f"Row {r}: {', '.join(row)}.")
    signs = [sign.rule for sign in picture.board.signs]
    if signs:
        lines.append(f"Inequalities: {', '.join(signs)}.")
    lines += [f"{sentence[:1].upper()}{sentence[1:]}." for sentence in listed(picture.board)]
    for mark, meaning in MARKED.items():
        lit = [*(cell_name(cell) for cell, of in picture.marks.items() if of is mark)]
        lit += [rule.name for rule in picture.lit if rule.mark is mark]
        if lit:
            lines.append(f"{meaning[:1].upper()}{meaning[1:]}: {', '.join(lit)}.")
    for note in (*picture.notes, *picture.lists):
        lines.append(f"{note.heading}: {'; '.join(line.strip() for line in note.lines)}.")
    return "\n".join(line for line in lines if line)


def _cell(picture: Scene, cell: Cell) -> str:
    if cell in picture.board.black:
        return "black"
    if cell in picture.board.texts and picture.value(cell) is None:
        return picture.board.texts[cell]
    value: Value | None = picture.value(cell)
    number = f"number {picture.board.numbers[cell]} " if cell in picture.board.numbers else ""
    if value is not None:
        return f"{number}{picture.shown(value) or picture.board.texts.get(cell, 'open')}"
    candidates = picture.candidates.get(cell, {})
    removed = [str(value) for value, shade in candidates.items() if shade is Shade.REMOVED]
    possible = [str(value) for value, shade in candidates.items() if shade is not Shade.REMOVED]
    if removed:
        return f"{number}open, not {' or '.join(removed)}"
    mixed = len(picture.shades) > 1
    exact = [str(value) for value, shade in candidates.items() if shade is Shade.EXACT]
    if not possible:
        return f"{number}open"
    text = f"{number}open, {' or '.join(exact if mixed and exact else possible)}"
    others = [value for value in possible if value not in exact]
    return f"{text} (propagation leaves {', '.join(others)} too)" if mixed and exact and others else text
