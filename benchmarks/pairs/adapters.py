"""Public Python functions as contenders: each is called with an instance, and what it returns is made answers.

The first argument is the file that the function is in.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any


def queens(file: Path, instance: Any) -> Iterator[Any]:
    """`depth_first_search` collects boards, each a list of lines such as `. Q . . `."""
    n = instance.constants["n"]
    boards: list[list[str]] = []
    _module(file).depth_first_search([], [], [], boards, n)
    for board in boards:
        yield {"queen": [(row, line.index("Q") // 2 + 1) for row, line in enumerate(board, 1)]}


def sudoku(file: Path, instance: Any) -> Iterator[Any]:
    """`sudoku` returns the grid with the first solution, or None; open cells are 0."""
    solved = _module(file).sudoku([[value or 0 for value in row] for row in instance.rows])
    if solved is not None:
        yield solved


def subset_sum(file: Path, instance: Any) -> Iterator[Any]:
    """`generate_sum_of_subsets_solutions` returns lists of numbers."""
    numbers = [number for (number,) in instance["number"]]
    for taken in _module(file).generate_sum_of_subsets_solutions(numbers, instance.constants["total"]):
        yield {"take": taken}


def _module(file: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
