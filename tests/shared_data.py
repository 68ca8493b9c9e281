"""Test data: the rows kept in `tests/data`, and larger sets where somebody has them beside the checkout.

A larger set is a folder `../shared/data`. Tests are collected from what is there: without it there are fewer.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parent
ROOT = TESTS.parent
LARGER = ROOT.parent / "shared" / "data"


def kept_rows(name: str) -> list[dict[str, Any]]:
    """The rows of `tests/data/<name>.jsonl`."""
    return _rows(TESTS / "data" / f"{name}.jsonl")


def larger_rows(name: str) -> list[dict[str, Any]]:
    """The rows of a larger set, such as `sudoku/9x9`; none where it is not there."""
    path = LARGER / f"{name}.jsonl"
    return _rows(path) if path.is_file() else []


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
