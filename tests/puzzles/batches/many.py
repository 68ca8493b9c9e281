"""Many different Sudokus out of a few, for the tests of what is done with many."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from shared_data import kept_rows

USUAL = [row["text"] for row in kept_rows("sudoku") if len(row.get("text", "")) == 81 and row["verdict"] == "unique"]

#: What can be wrong with a line, and its verdict, None for an error.
BAD = {"1" * 80: None, "x" + "." * 80: None, "11" + "." * 79: "impossible", "{": None}


def sudokus(number: int) -> list[str]:
    """So many Sudokus with one solution, the same ones each time: some with their values renamed."""
    chance = random.Random(number)
    found: dict[str, None] = {}
    while len(found) < number:
        names = "".join(chance.sample("123456789", 9))
        found[USUAL[len(found) % len(USUAL)].translate(str.maketrans("123456789", names))] = None
    return list(found)


def write(path: Path, lines: list[str]) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def results(text: str) -> list[dict[str, Any]]:
    """Lines of results without what differs from run to run: what they cost."""
    found = [json.loads(line) for line in text.splitlines()]
    return [{key: value for key, value in line.items() if key != "statistics"} for line in found]
