"""`python -m benchmarks.auto [--seconds S] [--rounds N] [--write]`: which engine is fastest, by puzzle and extent.

The question is the one that `check` asks: two solutions, or the proof that there is one or none. Instances are new
ones, made from a fixed seed, so that it can be repeated; of crosswords, empty grids and a list of short words. Half of
the magic squares are empty. The engines take turns on each instance, so that a busy machine slows all of them alike;
the median of rounds counts.

An engine that needs an optional package (`Engine.package`) is charged with the time to import it: a command asks one
question, and OR-Tools alone takes a third of a second to start. After it come engines that are always there.

With `--write` the result becomes `bridge/puzzles/engines/auto.json`, which the engine `auto` reads.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from benchmarks.measure import machine

ROOT = Path(__file__).parent.parent
TABLE = ROOT / "bridge" / "puzzles" / "engines" / "auto.json"

CANDIDATES = (
    "asp", "clpfd", "mac+mrv+degree", "gac+mrv+wdeg", "mac+mrv+wdeg", "mac+mrv+wdeg+lcv+restarts", "cp-sat",
)  # fmt: skip

#: Sizes of each puzzle, from small to large.
SIZES = {
    "sudoku": [(4, 4), (9, 9), (16, 16)],
    "latin-square": [(5, 5), (8, 8), (12, 12), (16, 16)],
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
    parser.add_argument("--rounds", type=int, default=5, help="after one that is not counted")
    parser.add_argument("--kind", action="append", help="this kind of puzzle alone; the others stay as they are")
    parser.add_argument("--words", metavar="LIST", help="a larger list of words, for larger crosswords too")
    parser.add_argument("--write", action="store_true", help=f"write {TABLE.relative_to(ROOT)}")
    chosen = parser.parse_args()
    print(machine(), flush=True)
    starts = {package: _start(package) for package in sorted(filter(None, map(_package, CANDIDATES)))}
    print(", ".join(f"{package} starts in {seconds * 1000:.0f} ms" for package, seconds in starts.items()), flush=True)
    steps: dict[str, list[tuple[int, list[str]]]] = {}
    if chosen.kind:
        steps = json.loads(TABLE.read_text(encoding="utf-8"))["choices"]
        steps.update({kind: [] for kind in chosen.kind})
    for kind, extent, instances in _instances(chosen.words, chosen.kind):
        times = _times(instances, chosen.seconds, chosen.rounds)
        cold = {name: seconds + starts.get(_package(name) or "", 0.0) for name, seconds in times.items()}
        best = sorted(cold, key=cold.__getitem__)
        shown = ", ".join(f"{name} {times[name] * 1000:.3g} ms" for name in best)
        print(f"{kind}, extent {extent:,}: {shown or 'none'}", flush=True)
        steps.setdefault(kind, []).append((extent, _kept(best)))
    if chosen.write:
        choices = ",\n".join(f"  {json.dumps(kind)}: {json.dumps(of)}" for kind, of in steps.items())
        text = f'{{\n "measured": {json.dumps(machine())},\n "choices": {{\n{choices}\n }}\n}}\n'
        TABLE.write_text(text, encoding="utf-8")


def _package(name: str) -> str | None:
    """The optional package of an engine."""
    from bridge.puzzles.engines import engine
    from bridge.puzzles.engines.packages import EXTRAS

    package = engine(name).package
    return package if package in EXTRAS else None


def _start(package: str) -> float:
    """Seconds to import what an engine imports of its package: the least of three."""
    module = {"ortools": "ortools.sat.python.cp_model"}.get(package, package)
    code = f"from time import perf_counter as now; began = now(); import {module}; print(now() - began)"
    return min(float(subprocess.check_output([sys.executable, "-c", code], text=True)) for _ in range(3))


def _kept(best: list[str]) -> list[str]:
    """The fastest, up to the second that is always there."""
    always = [name for name in best if _package(name) is None][:2]
    return best[: best.index(always[-1]) + 1] if always else best


def _times(instances: list[Any], seconds: float, rounds: int) -> dict[str, float]:
    """The median time of each engine that finishes every instance."""
    from bridge.errors import BridgeError
    from bridge.limits import Limits
    from bridge.puzzles.engines import engine

    times: dict[str, list[float]] = {name: [] for name in CANDIDATES}
    for number in range(rounds + 1):  # the first round is not counted: solvers start, programs are ground
        for puzzle in instances:
            for name in list(times):
                started = perf_counter()
                try:
                    outcome = engine(name).solutions(puzzle, Limits(seconds=seconds, solutions=2)).collect()
                except BridgeError:
                    del times[name]
                    continue
                if outcome.limit == "seconds":
                    del times[name]
                elif number:
                    times[name].append(perf_counter() - started)
    return {name: median(found) for name, found in times.items()}


def _instances(words: str | None, kinds: list[str] | None) -> Iterator[tuple[str, int, list[Any]]]:
    from bridge.puzzles.generating.generate import generate
    from bridge.puzzles.kinds import parse
    from bridge.puzzles.kinds.models import models

    for kind, sizes in SIZES.items():
        for size in sizes if kinds is None or kind in kinds else ():
            made = [found.puzzle for found in generate(kind, size, seed=6, number=EACH)]
            if kind == "magic-square":  # people ask for any square as often as for one with clues
                made += [parse(kind, "\n".join([" ".join("." * size[0])] * size[1]))] * EACH
            yield kind, max(models(puzzle).extent for puzzle in made), made
    if kinds is not None and "crossword" not in kinds:
        return
    for grid in GRIDS:
        puzzle = parse("crossword", grid, words=str(WORDS))
        yield "crossword", models(puzzle).extent, [puzzle]
    if words:
        puzzle = parse("crossword", LARGE, words=words)
        yield "crossword", models(puzzle).extent, [puzzle]


if __name__ == "__main__":
    main()
