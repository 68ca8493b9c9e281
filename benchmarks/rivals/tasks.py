"""The one table of tasks: what is asked, and of which instances.

Instances come from three places, all of them in this repository: `tests/data`, where each line names its source and
licence; `instances.jsonl`, made from seeds by `lpbridge puzzle generate` (`python -m benchmarks.rivals.tasks` makes it
again); and grids that are made from a seed here. Crosswords are filled with words of `examples/crossword/short.words`,
or of a list of your own (`--words`).

To add a task: a line in `TASKS`, and a function that gives its instances.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.rivals.contest import EVERY, FIRST, ROOT, UNIQUE, Instance, Question
from bridge.errors import Place
from bridge.puzzles.kinds import parse, puzzle_class
from bridge.puzzles.kinds.crossword.words import load_list
from bridge.puzzles.kinds.seeded_random import SeededRandom

DATA = ROOT / "tests" / "data"
MADE = Path(__file__).parent / "instances.jsonl"
SHORT = ROOT / "examples" / "crossword" / "short.words"

#: What `instances.jsonl` holds: kind, sizes, and how many of each. A size is its own seed.
GENERATED = (
    ("futoshiki", (5, 6, 7, 8, 9), 6),
    ("latin-square", (10, 15, 20), 4),
    ("takuzu", (6, 8, 10, 12, 14, 16, 18, 20), 4),
)


@dataclass(frozen=True, slots=True)
class Selection:
    """How many instances of each sort at most, and the file with the words for crosswords."""

    number: int = 8
    words: Path = SHORT


@dataclass(frozen=True, slots=True)
class Task:
    """A question about some instances of one kind of puzzle.

    Attributes
    ----------
    name, title
        For the command line, and for people.
    rounds, seconds
        Unless others are asked for: how often, and how long at most for one instance.
    """

    name: str
    title: str
    kind: str
    question: Question
    instances: Callable[[Selection], list[Instance]]
    rounds: int = 5
    seconds: float = 10.0


# Instances -------------------------------------------------------------------------------------------------------


def _rows(file: Path) -> Iterator[dict[str, Any]]:
    return map(json.loads, file.read_text(encoding="utf-8").splitlines())


def _read(kind: str, name: str, data: dict[str, Any]) -> Instance:
    return Instance(name, puzzle_class(kind).from_json(data, Place(name)))


def sudokus(selection: Selection) -> list[Instance]:
    """As many of 17 clues, of easy and of the hardest."""
    found = []
    for family in ("royle17", "norvig-easy50", "norvig-hardest"):
        rows = [row for row in _rows(DATA / "sudoku.jsonl") if row["id"].startswith(family)]
        found += [Instance(row["id"], parse("sudoku", row["text"])) for row in rows[: selection.number]]
    return found


def futoshikis(size: int, selection: Selection) -> list[Instance]:
    """Those of the order that are known to have one solution, then generated ones."""
    found = []
    for row in _rows(DATA / "futoshiki.jsonl"):
        if row["n"] == size and row["verdict"] == "unique":
            grid: list[list[int | None]] = [[None] * size for _ in range(size)]
            for r, c, value in row["givens"]:
                grid[r - 1][c - 1] = value
            found.append(_read("futoshiki", row["id"], {"grid": grid, "less": row["less"]}))
    return (found[: selection.number // 2] + made("futoshiki", size))[: selection.number]


def made(kind: str, size: int, selection: Selection | None = None) -> list[Instance]:
    """Generated ones of a kind and size, each with one solution."""
    rows = [row for row in _rows(MADE) if row["puzzle"] == kind and len(row["grid"]) == size]
    return [_read(kind, row["id"], row) for row in rows][: selection.number if selection else None]


def quasigroups(selection: Selection) -> list[Instance]:
    """Order 30 with 374 holes: CSPLib's problem 67. They have many solutions."""
    rows = [row for row in _rows(DATA / "latin_square.jsonl") if row["n"] == 30]
    return [_read("latin-square", row["id"], {"grid": row["grid"]}) for row in rows][: selection.number]


def empty(kind: str, order: int, selection: Selection) -> list[Instance]:
    """The one square of an order without clues."""
    return [Instance(f"{kind} of order {order}", parse(kind, f"order {order}"))]


def crosswords(size: int, selection: Selection) -> list[Instance]:
    """Grids from the seeds 1, 2, ..., with all words of the list."""
    words = list(load_list(str(selection.words)).words)
    return [crossword(size, words, seed) for seed in range(1, min(selection.number, 4) + 1)]


def crossword(size: int, words: list[str], seed: int) -> Instance:
    """A grid whose slots are as long as words of the list can be.

    With long words it is such a one as newspapers have, and symmetric. With short ones it is striped by black
    diagonals; where that leaves two cells beside each other at the rim, one of them is black.
    """
    longest = max(length for length in map(len, words))
    name = f"crossword {size}x{size}, {len(words)} words, seed {seed}"
    grid: list[list[Any]]
    if longest >= size and size <= 5:
        grid = [[None] * size for _ in range(size)]
    elif longest >= min(size, 12):
        from bridge.puzzles.kinds.crossword.authoring import random_grid, read_request

        grid = [list(row) for row in random_grid(read_request(size, size, {}, None), SeededRandom(seed))]
    else:
        grid = _striped(size, longest + 1, seed)
    chosen = SeededRandom(seed).shuffled(words)
    return _read("crossword", name, {"grid": grid, "words": chosen})


def _striped(size: int, period: int, seed: int) -> list[list[Any]]:
    grid: list[list[Any]] = [["#" if (c - r + seed) % period == 0 else None for c in range(size)] for r in range(size)]
    while (cell := _in_a_pair(grid)) is not None:
        grid[cell[0]][cell[1]] = "#"
    return grid


def _in_a_pair(grid: list[list[Any]]) -> tuple[int, int] | None:
    """The second cell of a run of exactly two."""
    from bridge.puzzles.kinds.crossword.runs import slots

    found = next((slot for slot in slots(tuple(map(tuple, grid))) if len(slot) == 2), None)
    return None if found is None else (found.cells[1][0] - 1, found.cells[1][1] - 1)


# The table -------------------------------------------------------------------------------------------------------

FILL = Question("first solution, or proof that there is none", 1)

_TASKS = (
    Task("sudoku", "Sudoku 9x9: 17 clues, easy, hardest", "sudoku", UNIQUE, sudokus),
    *(
        Task(f"futoshiki-{n}", f"Futoshiki of order {n}", "futoshiki", UNIQUE, partial(futoshikis, n))
        for n in (5, 6, 7, 8, 9)
    ),
    *(
        Task(f"takuzu-{n}", f"Takuzu {n}x{n}", "takuzu", UNIQUE, partial(made, "takuzu", n))
        for n in (6, 8, 10, 12, 14, 16, 18, 20)
    ),
    *(
        Task(
            f"latin-{n}",
            f"Latin square of order {n}, partly filled",
            "latin-square",
            UNIQUE,
            partial(made, "latin-square", n),
        )
        for n in (10, 15, 20)
    ),
    Task("latin-30", "Latin square of order 30 with 374 holes", "latin-square", FIRST, quasigroups, 3, 20.0),
    Task(
        "latin-5-all",
        "All 161,280 Latin squares of order 5",
        "latin-square",
        Question(EVERY.words, None, 161_280),
        partial(empty, "latin-square", 5),
        3,
        60.0,
    ),
    Task(
        "magic-4-all",
        "All 7,040 magic squares of order 4",
        "magic-square",
        Question(EVERY.words, None, 7_040),
        partial(empty, "magic-square", 4),
        3,
        60.0,
    ),
    Task("magic-5", "A magic square of order 5", "magic-square", FIRST, partial(empty, "magic-square", 5), 5, 20.0),
    Task("magic-6", "A magic square of order 6", "magic-square", FIRST, partial(empty, "magic-square", 6), 5, 20.0),
    *(
        Task(f"crossword-{n}", f"Crossword {n}x{n}", "crossword", FILL, partial(crosswords, n), 3, 20.0)
        for n in (5, 9, 15)
    ),
)

#: By name.
TASKS = {task.name: task for task in _TASKS}


def chosen(names: list[str]) -> list[Task]:
    """The tasks of some names; a name may stand for all that begin with it and a hyphen.

    Raises
    ------
    KeyError
        For a name without a task.
    """
    found = []
    for name in names:
        having = [task for task in _TASKS if task.name == name or task.name.startswith(f"{name}-")]
        if not having:
            raise KeyError(name)
        found += having
    return found or list(_TASKS)


def generate() -> Iterator[str]:
    """The lines of `instances.jsonl`, anew. Takes some minutes."""
    import bridge

    kept = ("puzzle", "grid", "less", "lines", "variant", "solution", "seed", "clues")
    for kind, sizes, number in GENERATED:
        for size in sizes:
            for new in bridge.puzzles.generate(kind, size, seed=size, number=number):
                data = new.to_json()
                row = {"id": f"{kind}-{size}-{new.seed}", **{key: data[key] for key in kept if key in data}}
                yield json.dumps(row)


if __name__ == "__main__":
    for line in generate():
        sys.stdout.write(line + "\n")
