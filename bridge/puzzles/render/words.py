"""Descriptions of pictures in words, as alternative text for screen readers."""

from __future__ import annotations

from bridge.drawing.themes import Mark
from bridge.puzzles.kinds.rules import Cell, Value, cell_name
from bridge.puzzles.render.decoration import listed
from bridge.puzzles.render.marks import Shade
from bridge.puzzles.render.scene import Scene

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
    lines += [f"The {one.rule} is {one.text}, which is wrong." for one in picture.board.sums if one.wrong]
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
