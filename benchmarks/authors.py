"""The times of the commands for puzzle authors, and the cost of naming rules.

Figures without a rival are compared with doing the same with every rule ground anew, or stand alone where nothing else
does it.
"""

from __future__ import annotations

import json
import random
import subprocess
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.measure import Figure, contest

ROOT = Path(__file__).parent.parent

#: The last commit before rules had names.
BEFORE = "dabfc98"

Table = tuple[str, list[Figure], str]


def guards() -> list[Table]:
    """The encodings with named rules, and before rules had names: grounding and solving, instance by instance."""
    tables = []
    with tempfile.TemporaryDirectory() as folder:
        archive = subprocess.run(["git", "archive", BEFORE, "encodings"], cwd=ROOT, capture_output=True, check=True)
        subprocess.run(["tar", "-x", "-C", folder], input=archive.stdout, check=True)
        for kind, instances in _instances().items():
            for what in ("ground and solve", "solve, ground once"):
                contenders = {
                    "before rules had names": _clingo(Path(folder) / "encodings", what),
                    "named rules": _clingo(ROOT / "encodings", what),
                }
                figures = contest(contenders, instances, "before rules had names", rounds=5)
                tables.append((f"{kind}: {what}, up to two solutions", figures, "before rules had names"))
    return tables


def _clingo(encodings: Path, what: str) -> Callable[[Any], int]:
    import clingo

    from bridge.puzzles.kinds.models import models

    @cache
    def ground(shape: Any) -> Any:
        encoding, constants, structure, solver, _ = shape
        options = ["--models=2", "--forget-on-step=15", *solver]
        control = clingo.Control([*options, *(f"-c {name}={value}" for name, value in constants)])
        control.load(str(encodings / encoding))
        control.add("base", [], structure)
        control.ground()
        return control

    def run(puzzle: Any) -> int:
        form = models(puzzle).asp()
        if what == "ground and solve":
            ground.cache_clear()
        shape = form.shape
        if form.switches is not None:  # one program for all of an order: new, so here the instance by itself
            own = [line for line in models(puzzle).facts().splitlines() if not line.startswith(("#const", "clue"))]
            shape = (form.encoding, (("n", puzzle.size),), "\n".join(own), (), None)
        control = ground(shape)
        clues = [(_cell(*clue), True) for clue in form.clues]
        with control.solve(assumptions=clues, yield_=True) as handle:
            return sum(1 for _ in handle)

    return run


def _cell(row: int, column: int, value: Any) -> Any:
    import clingo

    number, text = clingo.Number, clingo.String
    return clingo.Function("cell", [number(row), number(column), (text if isinstance(value, str) else number)(value)])


def _instances() -> dict[str, list[Any]]:
    from bridge.errors import Place
    from bridge.puzzles.kinds import puzzle_class

    def rows(kind: str, most: int) -> list[Any]:
        found = []
        for line in (ROOT / "tests" / "data" / f"{kind.replace('-', '_')}.jsonl").read_text().splitlines():
            row = json.loads(line)
            if row.get("n", row.get("rows", 9)) > 10 or row.get("verdict") == "timeout":
                continue
            data = dict(row)
            if "less" in row:
                size = row["n"]
                grid = [[None] * size for _ in range(size)]
                for r, c, value in row["givens"]:
                    grid[r - 1][c - 1] = value
                data["grid"] = grid
            if kind == "takuzu":
                data["grid"] = [[None if cell == "." else int(cell) for cell in line] for line in row["grid"]]
            if kind == "crossword":
                data["grid"] = [[None if cell == "." else cell for cell in line] for line in row["grid"]]
            found.append(puzzle_class(kind).from_json(data, Place()))
        return found[:most]

    kinds = ("latin-square", "futoshiki", "magic-square", "takuzu", "crossword")
    return {"sudoku": _sudokus(24)} | {kind: rows(kind, 12) for kind in kinds}


def _sudokus(most: int) -> list[Any]:
    from bridge.puzzles.kinds import parse

    rows = [json.loads(line) for line in (ROOT / "tests" / "data" / "sudoku.jsonl").read_text().splitlines()]
    return [parse("sudoku", row["text"]) for row in rows if len(row.get("text", "")) == 81][:most]


def diagnosis() -> list[Table]:
    """A Sudoku with one wrong clue, the residual of an empty one, and what each step of an explanation takes."""
    from bridge.puzzles.analysis.diagnose import diagnose
    from bridge.puzzles.engines import engine
    from bridge.puzzles.kinds import parse

    wrong = [spoilt for number, puzzle in enumerate(_sudokus(40)) if (spoilt := _spoilt(puzzle, number)) is not None]
    empty = parse("sudoku", "." * 81)

    def residual(puzzle: Any) -> int:
        return sum(map(len, engine("asp").exact(puzzle).possible.values()))

    return [
        _alone("a Sudoku with one wrong clue: clash and repair", lambda p: str(diagnose(p).verdict), wrong),
        _alone("the exact residual of an empty Sudoku", residual, [empty]),
        ("Explaining 9x9 Sudokus graded below search", [_explaining()], "a step"),
    ]


def _alone(title: str, contender: Callable[[Any], Any], instances: list[Any]) -> Table:
    return title, contest({"lpbridge": contender}, instances, "lpbridge", rounds=3), "itself"


def _spoilt(puzzle: Any, seed: int) -> Any:
    """The puzzle with another value in one clue; None where that is not impossible."""
    from bridge.puzzles.oracle import Oracle

    chance, clues = random.Random(seed), puzzle.clues()
    cell = chance.choice(sorted(clues))
    clues[cell] = chance.choice([value for value in puzzle.values() if value != clues[cell]])
    spoilt = puzzle.with_clues(clues)
    oracle = Oracle(spoilt)
    return None if oracle.holds([*oracle.rules, *oracle.clues]) else spoilt


def _explaining() -> Figure:
    from statistics import mean, median

    from bridge.analysis.ask import explain
    from bridge.puzzles.explain.grade import grade
    from bridge.puzzles.search.ladder import LEVELS

    times = []
    for puzzle in [one for one in _ordinary() if grade(one).level in LEVELS[: LEVELS.index("gac") + 1]]:
        stream = explain(puzzle)
        started = perf_counter()
        for _ in stream:
            times.append((perf_counter() - started) * 1000)
            started = perf_counter()
    return Figure(f"a step, of {len(times)}", median(times), mean(times), max(times), 1.0)


def _ordinary() -> list[Any]:
    from bridge.puzzles.generating.generate import generate

    return [made.puzzle for made in generate("sudoku", 9, seed=5, number=10)]


def generation() -> list[Table]:
    """A hundred Sudokus with one solution and no clue too many."""
    from statistics import mean, median

    from bridge.puzzles.generating.generate import generate

    times = []
    started = perf_counter()
    for _ in generate("sudoku", 9, seed=1, number=100):
        times.append((perf_counter() - started) * 1000)
        started = perf_counter()
    figure = Figure(f"lpbridge, {len(times)} in {sum(times) / 1000:.1f} s", median(times), mean(times), max(times), 1.0)
    return [("Irredundant unique Sudokus 9x9, checked by a second engine", [figure], "itself")]
