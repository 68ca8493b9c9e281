"""`python -m benchmarks.auto [--seconds S] [--kinds KINDS] [--write]`: which engine is fastest, by puzzle and extent.

The question is the one that `check` asks: two solutions, or the proof that there is one or none. Instances are new
ones, made from a fixed seed, so that it can be repeated; of crosswords, empty grids and a list of short words.
With `--write` the result becomes `bridge/engines/auto.json`, which the engine `auto` reads.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from benchmarks.measure import machine

ROOT = Path(__file__).parent.parent
TABLE = ROOT / "bridge" / "engines" / "auto.json"

CANDIDATES = ("asp", "clpfd", "mac+mrv+degree", "gac+mrv+wdeg", "mac+mrv+wdeg", "mac+mrv+wdeg+lcv+restarts")

#: Sizes of each puzzle, from small to large.
SIZES = {
    "sudoku": [(4, 4), (9, 9), (16, 16)],
    "latin-square": [(5, 5), (8, 8), (12, 12)],
    "futoshiki": [(5, 5), (6, 6), (7, 7), (8, 8), (9, 9)],
    "magic-square": [(3, 3), (4, 4), (5, 5)],
    "takuzu": [(6, 6), (10, 10), (14, 14)],
}
EACH = 4
WORDS = ROOT / "examples" / "crossword" / "short.words"
GRIDS = ("...\n...\n...", "....#\n.....\n.....\n.....\n#....", ".....\n.....\n.....\n.....\n.....")
#: 15.01 of Gecode's crossword example (MIT licence), for lists with longer words.
LARGE = """
....#.....#....
....#.....#....
..........#....
.......##......
###...#......##
.....#...#.....
...#......#....
...#.......#...
....#......#...
.....#...#.....
##......#...###
......##.......
....#..........
....#.....#....
....#.....#....
"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.auto", description=__doc__)
    parser.add_argument("--seconds", type=float, default=5.0, help="for each engine on each instance")
    parser.add_argument("--words", metavar="LIST", help="a larger list of words, for larger crosswords too")
    parser.add_argument("--kinds", help="these only, with commas between; --write keeps the others as they are")
    parser.add_argument("--write", action="store_true", help=f"write {TABLE.relative_to(ROOT)}")
    chosen = parser.parse_args()
    print(machine(), flush=True)
    steps: dict[str, list[tuple[int, list[str]]]] = {}
    kinds = chosen.kinds.split(",") if chosen.kinds else [*SIZES, "crossword"]
    for kind, extent, instances in _instances(chosen.words, kinds):
        times = {name: _time(name, instances, chosen.seconds) for name in CANDIDATES}
        best = sorted((name for name in CANDIDATES if times[name] is not None), key=lambda name: times[name] or 0.0)
        shown = ", ".join(f"{name} {times[name] * 1000:.1f} ms" for name in best)  # type: ignore[operator]
        print(f"{kind}, extent {extent:,}: {shown or 'none'}", flush=True)
        steps.setdefault(kind, []).append((extent, best[:2]))
    if chosen.write:
        kept = json.loads(TABLE.read_text(encoding="utf-8"))["choices"] if chosen.kinds else {}
        text = json.dumps({"measured": machine(), "choices": kept | steps}, indent=1)
        TABLE.write_text(text + "\n", encoding="utf-8")


def _time(name: str, instances: list[Any], seconds: float) -> float | None:
    """The median time of an engine, or None when it does not finish every instance."""
    from bridge.engines import engine
    from bridge.errors import BridgeError
    from bridge.limits import Limits

    times = []
    for number in range(2):  # the first round is not counted: solvers start, programs are ground
        times = []
        for puzzle in instances:
            started = perf_counter()
            try:
                outcome = engine(name).solutions(puzzle, Limits(seconds=seconds, solutions=2)).collect()
            except BridgeError:
                return None
            if outcome.limit == "seconds":
                return None
            times.append(perf_counter() - started)
        if number == 0 and sum(times) > seconds:
            break
    return median(times)


def _instances(words: str | None, kinds: list[str]) -> Iterator[tuple[str, int, list[Any]]]:
    from bridge.analysis.generate import generate
    from bridge.puzzles import parse
    from bridge.puzzles.models import models

    for kind, sizes in SIZES.items():
        for size in sizes if kind in kinds else ():
            made = [found.puzzle for found in generate(kind, size, seed=6, number=EACH)]
            yield kind, max(models(puzzle).extent for puzzle in made), made
    if "crossword" not in kinds:
        return
    for grid in GRIDS:
        puzzle = parse("crossword", grid, words=str(WORDS))
        yield "crossword", models(puzzle).extent, [puzzle]
    if words:
        puzzle = parse("crossword", LARGE, words=words)
        yield "crossword", models(puzzle).extent, [puzzle]


if __name__ == "__main__":
    main()
