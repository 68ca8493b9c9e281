"""Test data: the rows kept in `tests/data`, and larger sets of the same form.

Larger sets are not part of the suite: `LPBRIDGE_LARGER_DATA=FOLDER pytest` adds a test for each that is in the folder.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parent
ROOT = TESTS.parent
LARGER = Path(os.environ["LPBRIDGE_LARGER_DATA"]) if os.environ.get("LPBRIDGE_LARGER_DATA") else None


def kept_rows(name: str) -> list[dict[str, Any]]:
    """The rows of `tests/data/<name>.jsonl`."""
    return _rows(TESTS / "data" / f"{name}.jsonl")


def larger_rows(name: str) -> list[dict[str, Any]]:
    """The rows of a larger set, such as `sudoku/9x9`; none where it is not there."""
    path = LARGER / f"{name}.jsonl" if LARGER else None
    return _rows(path) if path and path.is_file() else []


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
