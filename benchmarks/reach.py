"""`python -m benchmarks.reach [--write]`: which levels puzzles of each kind and size have.

For each kind and size, and each level that its constraints do not exclude, `generate` is asked for one. Those that it
makes within so many candidates are in `bridge/puzzles/explain/reached.json`, which `--write` writes. The result does
not depend on the machine, only the time it takes.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from unittest.mock import patch

from bridge.puzzles.explain import levels
from bridge.puzzles.generating.generate import generate
from bridge.puzzles.kinds import KINDS, puzzle_class
from bridge.puzzles.kinds.authoring import authoring
from bridge.puzzles.kinds.options import read_options
from bridge.puzzles.kinds.seeded_random import SeededRandom
from bridge.puzzles.search.ladder import LEVELS
from bridge.puzzles.search.techniques import LevelName

#: The candidates for a level: so many by size, at least one in ten of that; and how many times as many before a level
#: that is in the table is left out.
CANDIDATES = 60
AGAIN = 20

SIZES: dict[str, list[int]] = {
    "sudoku": [4, 6, 9],
    "latin-square": [3, 4, 5, 6, 7, 8, 9],
    "futoshiki": [3, 4, 5, 6, 7],
    "takuzu": [4, 6, 8, 10],
    "magic-square": [3, 4],
    "killer": [4],
    "nonogram": [6],
}

def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.reach", description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the table")
    parser.add_argument("--puzzle", action="append", choices=sorted(SIZES), help="only this one")
    chosen = parser.parse_args()
    table = {kind: dict(of_kind) for kind, of_kind in levels.REACHED.items()}
    for kind in chosen.puzzle or SIZES:
        for size in SIZES[kind]:
            table.setdefault(kind, {})[f"{size}x{size}"] = reached(kind, size)
            if chosen.write:
                write(table)


def write(table: Mapping[str, Mapping[str, tuple[LevelName, ...]]]) -> None:
    """Write the table, a line for each size."""
    kinds = []
    for kind, sizes in sorted(table.items()):
        rows = ",\n".join(f"    {json.dumps(size)}: {json.dumps(of_size)}" for size, of_size in sizes.items())
        kinds.append(f"  {json.dumps(kind)}: {{\n{rows}\n  }}")
    levels.TABLE.write_text("{\n" + ",\n".join(kinds) + "\n}\n", encoding="utf-8")


def reached(kind: str, size: int) -> tuple[LevelName, ...]:
    """The levels of which a puzzle is made."""
    maker = authoring(kind)
    options = read_options(kind, {**puzzle_class(kind).options, **maker.options}, {})
    blank = maker.blanks(size, size, options, None)(SeededRandom(1))
    asked = levels.possible(maker.with_all_optional_rules(blank, {}, 0))
    tries = max(CANDIDATES // 10, CANDIDATES * 16 // len(blank.cells()))
    if kind not in KINDS:  # graded by steps of an explanation, a second or two each
        tries = CANDIDATES // 5
    known = levels.REACHED.get(kind, {}).get(f"{size}x{size}", ())
    found: list[LevelName] = []
    for level in LEVELS:
        if level in asked:
            attempts = tries * AGAIN if level in known else tries
            with patch.object(levels, "REACHED", {}):
                made = list(generate(kind, size, grade=level, seed=1, attempts=attempts))
            found += [level] * len(made)
            print(f"{kind} {size} {level}: {'yes' if made else 'no'}", flush=True)
    return tuple(found)


if __name__ == "__main__":
    main()
