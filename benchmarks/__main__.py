"""`python -m benchmarks [TASK...]`: measure, and print tables in Markdown. Without a task, all of them.

`python -m benchmarks rivals`, `growth`, `cold` and `batch` have options of their own: see `--help` of each.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.authors import diagnosis, generation, guards
from benchmarks.bridges import isolation, queries
from benchmarks.measure import Figure, contest, machine, shown

ROOT = Path(__file__).parent.parent
SUDOKU = ROOT / "encodings" / "sudoku" / "sudoku.lp"
VARIANTS = ROOT / "benchmarks" / "variants" / "sudoku"

Table = tuple[str, list[Figure], str]


def _sudokus(limit: int | None = None) -> list[Any]:
    from bridge.puzzles.kinds import parse

    rows = [json.loads(line) for line in (ROOT / "tests" / "data" / "sudoku.jsonl").read_text().splitlines()]
    return [parse("sudoku", row["text"]) for row in rows if "text" in row][:limit]


def _clues(puzzle: Any) -> list[tuple[int, ...]]:
    return [(r, c, value) for (r, c), value in puzzle.clues().items()]


def encodings() -> list[Table]:
    """Sudoku 9x9, solution and proof of uniqueness, ground once: what the implied rules are worth."""
    from bridge.asp import Program
    from bridge.limits import Limits

    def contender(path: Path) -> Callable[[Any], Any]:
        program = Program(path)
        literals = program.literals("cell", 3)

        def solve(puzzle: Any) -> Any:
            assumed = [literals[clue] for clue in _clues(puzzle)]
            models = program.models(assuming=assumed, limits=Limits(solutions=2)).collect().solutions
            return frozenset(models[0]["cell"])

        return solve

    files = {"sudoku.lp": SUDOKU, "plain.lp": VARIANTS / "plain.lp", "cardinality.lp": VARIANTS / "cardinality.lp"}
    figures = contest({name: contender(path) for name, path in files.items()}, _sudokus(), "plain.lp")
    return [("Sudoku encodings, ground once", figures, "plain.lp")]


def assumptions() -> list[Table]:
    """Sudoku 9x9, solution and proof of uniqueness: one ground program for all, against one for each."""
    import clingo

    from bridge.limits import Limits
    from bridge.puzzles.engines import engine
    from bridge.puzzles.kinds.models import models

    def fresh(puzzle: Any) -> Any:
        control = clingo.Control(["--models=2"])
        control.load(str(SUDOKU))
        control.add("base", [], models(puzzle).facts())
        control.ground()
        return _raw(control, [])

    def kept(*options: str, asynchronous: bool = False) -> Callable[[Any], Any]:
        control = clingo.Control(["--models=2", *options])
        control.load(str(SUDOKU))
        control.ground()
        atoms = control.symbolic_atoms.by_signature("cell", 3)
        literals = {tuple(argument.number for argument in atom.symbol.arguments): atom.literal for atom in atoms}
        return lambda puzzle: _raw(control, [literals[clue] for clue in _clues(puzzle)], asynchronous)

    def ours(puzzle: Any) -> Any:
        outcome = engine("asp").solutions(puzzle, Limits(solutions=2)).collect()
        return sorted((r, c, v) for r, row in enumerate(outcome.solutions[0], 1) for c, v in enumerate(row, 1))

    contenders = {
        "clingo, a fresh Control each": fresh,
        "clingo, ground once, default options": kept(),
        "clingo, ground once, --forget-on-step=15": kept("--forget-on-step=15"),
        "the same in a solver thread (async)": kept("--forget-on-step=15", asynchronous=True),
        "lpbridge, engine asp, checked": ours,
    }
    rival = "clingo, a fresh Control each"
    return [("Sudoku 9x9 in clingo, solution and uniqueness", contest(contenders, _sudokus(), rival), rival)]


def _raw(control: Any, assumed: list[int], asynchronous: bool = False) -> Any:
    """The solution through clingo's own API: the atoms of the one model, as numbers."""
    found = []
    with control.solve(assumptions=assumed, yield_=True, async_=asynchronous) as handle:
        for model in handle:
            found = model.symbols(shown=True)
            numbers = [tuple(argument.number for argument in symbol.arguments) for symbol in found]
    return sorted(numbers)


def decode() -> list[Table]:
    """A model of 81 atoms as Python tuples."""
    import clingo

    from bridge.asp import internals
    from bridge.asp.model import Model
    from bridge.asp.symbols import atoms

    control = clingo.Control()
    control.load(str(SUDOKU))
    control.ground()
    contenders = {
        "Symbol.arguments and .number": lambda m: sorted(
            tuple(a.number for a in symbol.arguments) for symbol in m.symbols(shown=True)
        ),
        "str(model), split and int": lambda m: sorted(
            tuple(map(int, atom[5:-1].split(","))) for atom in str(m).split()
        ),
        "lpbridge": lambda m: sorted(Model(internals.ids(m), atoms)["cell"]),
    }
    rival = "Symbol.arguments and .number"
    with control.solve(yield_=True) as handle:
        model = handle.model()
        figures = contest(contenders, [model], rival, rounds=200)
    return [("Decoding a model of 81 atoms (sorting included)", figures, rival)]


def engines() -> list[Table]:
    """Every quick engine on the same Sudokus, solution and proof of uniqueness."""
    from bridge.limits import Limits
    from bridge.puzzles.engines import engine

    def contender(name: str) -> Callable[[Any], Any]:
        return lambda puzzle: engine(name).solutions(puzzle, Limits(solutions=2)).collect().solutions

    names = ("asp", "clpfd", "mac+mrv+degree", "mac+mrv")
    figures = contest({name: contender(name) for name in names}, _sudokus(24), "clpfd", rounds=1)
    return [("Sudoku 9x9 by engine, solution and uniqueness", figures, "clpfd")]


TASKS = {
    "encodings": encodings,
    "assumptions": assumptions,
    "decode": decode,
    "engines": engines,
    "isolation": isolation,
    "queries": queries,
    "guards": guards,
    "diagnosis": diagnosis,
    "generation": generation,
}

#: What has options of its own: its module has a `main` that is given what follows the name.
COMMANDS = {
    "rivals": "benchmarks.rivals.command",
    "growth": "benchmarks.growth",
    "cold": "benchmarks.cold",
    "batch": "benchmarks.batch",
}


def main() -> None:
    if sys.argv[1:2] and sys.argv[1] in COMMANDS:
        import_module(COMMANDS[sys.argv[1]]).main(sys.argv[2:])
        return
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("tasks", nargs="*", metavar="TASK", help=f"some of: {', '.join(TASKS)}")
    parser.add_argument("--save", metavar="FILE", help="write the tables to FILE too")
    chosen = parser.parse_args()
    if unknown := set(chosen.tasks) - TASKS.keys():
        parser.error(f"there is no task {min(unknown)!r}; some of: {', '.join(TASKS)}")
    parts = [machine() + "\n"]
    print(parts[0], flush=True)
    for name in chosen.tasks or TASKS:
        for title, figures, rival in TASKS[name]():
            parts.append(shown(title, figures, rival))
            print(parts[-1], flush=True)
    if chosen.save:
        Path(chosen.save).write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
