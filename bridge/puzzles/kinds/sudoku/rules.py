"""The rules of a Sudoku: no value twice in a row, a column or a box."""

from __future__ import annotations

from functools import lru_cache

from bridge.puzzles.kinds.latin.rules import rows_and_columns
from bridge.puzzles.kinds.rules import Checker, Rule, distinct

#: The numbers of rows and columns of a box.
Box = tuple[int, int]


@lru_cache(maxsize=32)
def box_rules(box: Box) -> tuple[Rule, ...]:
    """Rows, then columns, then boxes from left to right and down: `row 3`, `column 4`, `box (1,2)`."""
    height, width = box
    size = height * width
    boxes = []
    for down in range(size // height):
        for right in range(size // width):
            cells = tuple(
                (down * height + r, right * width + c) for r in range(1, height + 1) for c in range(1, width + 1)
            )
            boxes.append(Rule(f"box ({down + 1},{right + 1})", cells, distinct))
    return rows_and_columns(size) + tuple(boxes)


@lru_cache(maxsize=32)
def box_checker(box: Box) -> Checker:
    size = box[0] * box[1]
    return Checker(box_rules(box), size, size, range(1, size + 1))
