"""`python -m benchmarks.rivals.child NAME`: one rival, in a process of its own, asked over its standard input.

One line of JSON in, one line out. The first line out identifies the solver: `{"version": ...}` or `{"missing": ...}`.
Then

    {"load": KEY, "kind": ..., "data": ...}     an instance in the puzzle's JSON form; no answer
    {"solve": KEY, "limit": 2}                  {"seconds": ..., "count": ..., "digest": ...} or {"error": ...}
    {"check": KEY}                              {"wrong": null or what is wrong with the last answer}

The time is taken here, around the contender alone: its model is built anew, its answer is grids of Python values. What
it prints goes nowhere.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from typing import Any, TextIO

from benchmarks.rivals.table import Rival, rival
from bridge.errors import Place
from bridge.puzzles.kinds import Puzzle, puzzle_class
from bridge.puzzles.kinds.rules import Grid


def solved(contender: Any, puzzle: Puzzle, limit: int | None) -> tuple[dict[str, Any], list[Grid]]:
    """What a contender answers, and how long it took."""
    started = perf_counter()
    try:
        grids = contender(puzzle, limit)
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"[:200]}, []
    seconds = perf_counter() - started
    return {"seconds": seconds, "count": len(grids), "digest": digest(grids)}, grids


def digest(grids: Sequence[Grid]) -> str:
    """The same for the same solutions in any order."""
    return sha256("\n".join(sorted(map(repr, grids))).encode()).hexdigest()[:16]


def wrong(puzzle: Puzzle, grids: Sequence[Grid]) -> str | None:
    """What is wrong with an answer by the puzzle's own rules, None when nothing is."""
    if len(set(grids)) < len(grids):
        return f"{len(grids)} solutions, but only {len(set(grids))} different ones"
    for grid in grids:
        if broken := puzzle.violations(grid):
            return f"{broken[0]} in {' / '.join(puzzle.draw(grid).splitlines())}"
    return None


def serve(rival: Rival, lines: TextIO, out: TextIO) -> None:
    """Answer until there is no line left."""

    def say(message: dict[str, Any]) -> None:
        out.write(json.dumps(message) + "\n")
        out.flush()

    version = rival.installed()
    if version is None:
        say({"missing": "not installed"})
        return
    say({"version": version})
    contenders = rival.contenders()
    loaded: dict[str, tuple[str, Any]] = {}
    grids: list[Grid] = []
    for line in lines:
        message = json.loads(line)
        if "load" in message:
            loaded[message["load"]] = message["kind"], message["data"]
            continue
        kind, data = loaded[message.get("solve") or message["check"]]
        puzzle = puzzle_class(kind).from_json(data, Place())  # anew: nothing is left from the time before
        if "check" in message:
            say({"wrong": wrong(puzzle, grids)})
        else:
            answer, grids = solved(contenders[kind], puzzle, message["limit"])
            say(answer)


def main() -> None:
    sys.path.insert(0, str(Path(__file__).parents[2]))
    out = os.fdopen(os.dup(1), "w")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    serve(rival(sys.argv[1]), sys.stdin, out)


if __name__ == "__main__":
    main()
