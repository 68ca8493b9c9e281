"""`python -m benchmarks cold`: from the start of a command to its answer, for one Sudoku.

Commands take turns, in an order that is shuffled anew each round with a fixed seed; the first round is not counted.
Rivals that are Python libraries have no command: for them it is the time to import them, which any program needs.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter

from benchmarks.measure import machine
from benchmarks.rivals.command import ENVIRONMENT
from benchmarks.rivals.contest import ROOT

INSTANCE = "examples/sudoku/report3-problem1.txt"
FACTS = "examples/sudoku/report3-problem1.lp"
ENCODING = "encodings/sudoku/sudoku"

#: What Python runs to import a rival.
IMPORTS = {
    "CP-SAT": "from ortools.sat.python import cp_model",
    "CPMpy": "import cpmpy",
    "pychoco": "import pychoco",
    "python-constraint2": "import constraint",
    "z3": "import z3",
    "puzzlekit": "import puzzlekit",
    "clorm": "import clorm",
    "blacksquare": "import blacksquare",
}

#: The one to which the others are compared.
BASE = 'python -c "import clingo"'


def commands(python: str) -> dict[str, list[str]]:
    """What is run, by what people call it. Those that are not here are left out.

    Parameters
    ----------
    python
        The Python that has the rivals.
    """
    ours = [str(Path(sys.executable).with_name("lpbridge"))]
    found = {
        'python -c "pass"': [sys.executable, "-c", "pass"],
        BASE: [sys.executable, "-c", "import clingo"],
        "python -m clingo, the same encoding": [sys.executable, "-m", "clingo", f"{ENCODING}.lp", FACTS, "2"],
        "lpbridge puzzle check": [*ours, "puzzle", "check", "sudoku", INSTANCE],
    }
    for engine in ("asp", "mac+mrv+degree", "clpfd"):
        words = [*ours, "puzzle", "check", "--engine", engine, "sudoku", INSTANCE]
        found[f"lpbridge puzzle check --engine {engine}"] = words
    from benchmarks.rivals.prolog_models import swipl_path

    if swipl := swipl_path():
        found["swipl, the same encoding"] = [swipl, "-q", "-g", _prolog_goal(), "-t", "halt"]
    for name, code in IMPORTS.items():
        if subprocess.run([python, "-c", code], capture_output=True, cwd=ROOT, check=False).returncode == 0:
            found[f"{name}: import only"] = [python, "-c", code]
    return found


def _prolog_goal() -> str:
    from bridge.puzzles.kinds import load

    rows = [["_" if value is None else str(value) for value in row] for row in load("sudoku", ROOT / INSTANCE).grid]
    text = f"[{','.join('[' + ','.join(row) + ']' for row in rows)}]"
    solve = f"Rows = {text}, sudoku(Rows), append(Rows, Cells), labeling([ff], Cells)"
    return f"use_module('{ENCODING}.pl'), forall(({solve}), (print(Rows), nl))"


def timed(named: Mapping[str, Sequence[str]], rounds: int, seed: int = 20) -> dict[str, list[float]]:
    """Seconds of each command in each round.

    Raises
    ------
    RuntimeError
        When a command fails.
    """
    times: dict[str, list[float]] = {name: [] for name in named}
    # Without bytecode files this would measure the compiler; installed packages come with theirs.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    shuffle = random.Random(seed).shuffle
    for number in range(rounds + 1):
        order = list(named)
        shuffle(order)
        for name in order:
            started = perf_counter()
            ended = subprocess.run(
                named[name], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=ROOT, env=environment, check=False
            )
            spent = perf_counter() - started
            if ended.returncode != 0:
                raise RuntimeError(f"{name}: {ended.returncode}: {ended.stderr.decode(errors='replace')}")
            if number:
                times[name].append(spent)
    return times


def table(times: Mapping[str, Sequence[float]]) -> str:
    base = statistics.median(times[BASE])
    lines = [
        "### Cold: from the start of a command to its answer, one Sudoku",
        "",
        f"| | median ms | least | most | times `{BASE}` |",
        "|---|--:|--:|--:|--:|",
    ]
    for name, spent in times.items():
        median = statistics.median(spent)
        figures = [f"{seconds * 1000:.0f}" for seconds in (median, min(spent), max(spent))]
        lines.append(f"| {name} | {' | '.join(figures)} | {median / base:.2f} |")
    return "\n".join(lines) + "\n"


def main(argv: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks cold", description=__doc__)
    parser.add_argument("--rounds", type=int, default=10, help="rounds that count (default: %(default)s)")
    parser.add_argument("--python", default=str(ENVIRONMENT), help="the Python that has the rivals")
    parser.add_argument("--save", metavar="FILE", type=Path, help="write the table to FILE too")
    said = parser.parse_args(argv)
    python = said.python if Path(said.python).exists() else sys.executable
    text = f"`python -m benchmarks {' '.join(['cold', *argv])}`\n\n{machine()}\n\n" + table(
        timed(commands(python), said.rounds)
    )
    print(text)
    if said.save:
        said.save.write_text(text, encoding="utf-8")
