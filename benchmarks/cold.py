"""`python -m benchmarks cold`: from the start of a command to its answer, for one Sudoku and a small program.

Commands take turns, in an order that is shuffled anew each round with a fixed seed; the first round is not counted.
Rivals that are Python libraries have no command: for them it is the time to import them, which any program needs.
Beside the time there is what all processes of a command took of a processor.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
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
PROGRAM = ["examples/why/timetable.lp", "examples/why/monday.lp"]

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


def commands(python: str, rivals: bool = True) -> dict[str, list[str]]:
    """What is run, by what people call it. Those that are not here are left out.

    Parameters
    ----------
    python
        The Python that has the rivals.
    rivals
        Whether Python libraries are among them.
    """
    ours = [str(Path(sys.executable).with_name("lpbridge"))]
    found = {
        'python -c "pass"': [sys.executable, "-c", "pass"],
        BASE: [sys.executable, "-c", "import clingo"],
        "python -m clingo, the same encoding": [sys.executable, "-m", "clingo", f"{ENCODING}.lp", FACTS, "2"],
        "lpbridge puzzle check": [*ours, "puzzle", "check", "sudoku", INSTANCE],
    }
    found["lpbridge run, four slots"] = [*ours, "run", *PROGRAM, "-c", "slots=4"]
    found["lpbridge diagnose"] = [*ours, "diagnose", *PROGRAM]
    for engine in ("asp", "mac+mrv+degree", "clpfd"):
        words = [*ours, "puzzle", "check", "--engine", engine, "sudoku", INSTANCE]
        found[f"lpbridge puzzle check --engine {engine}"] = words
    from benchmarks.rivals.prolog_models import swipl_path

    if swipl := swipl_path():
        found["swipl, the same encoding"] = [swipl, "-q", "-g", _prolog_goal(), "-t", "halt"]
    for name, code in IMPORTS.items() if rivals else ():
        if subprocess.run([python, "-c", code], capture_output=True, cwd=ROOT, check=False).returncode == 0:
            found[f"{name}: import only"] = [python, "-c", code]
    return found


def _prolog_goal() -> str:
    from bridge.puzzles import load

    rows = [["_" if value is None else str(value) for value in row] for row in load("sudoku", ROOT / INSTANCE).grid]
    text = f"[{','.join('[' + ','.join(row) + ']' for row in rows)}]"
    solve = f"Rows = {text}, sudoku(Rows), append(Rows, Cells), labeling([ff], Cells)"
    return f"use_module('{ENCODING}.pl'), forall(({solve}), (print(Rows), nl))"


#: Seconds from the start to the end, and those of a processor, of all processes together.
Spent = tuple[float, float]


def timed(named: Mapping[str, Sequence[str]], rounds: int, seed: int = 20) -> dict[str, list[Spent]]:
    """What each command took in each round.

    Raises
    ------
    RuntimeError
        When a command fails.
    """
    times: dict[str, list[Spent]] = {name: [] for name in named}
    # Without bytecode files this would measure the compiler; installed packages come with theirs.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    shuffle = random.Random(seed).shuffle
    for number in range(rounds + 1):
        order = list(named)
        shuffle(order)
        for name in order:
            started, before = perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
            ended = subprocess.run(
                named[name], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=ROOT, env=environment, check=False
            )
            seconds, after = perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
            processor = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
            if ended.returncode != 0:
                raise RuntimeError(f"{name}: {ended.returncode}: {ended.stderr.decode(errors='replace')}")
            if number:
                times[name].append((seconds, processor))
    return times


def table(times: Mapping[str, Sequence[Spent]]) -> str:
    base, base_processor = (statistics.median(column) for column in zip(*times[BASE], strict=True))
    lines = [
        "### Cold: from the start of a command to its answer",
        "",
        f"| | median ms | least | most | times `{BASE}` | ms of a processor | times |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for name, spent in times.items():
        seconds, processor = zip(*spent, strict=True)
        median, used = statistics.median(seconds), statistics.median(processor)
        figures = [f"{number * 1000:.0f}" for number in (median, min(seconds), max(seconds))]
        ratios = f"{median / base:.2f} | {used * 1000:.0f} | {used / base_processor:.2f}"
        lines.append(f"| {name} | {' | '.join(figures)} | {ratios} |")
    return "\n".join(lines) + "\n"


def main(argv: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks cold", description=__doc__)
    parser.add_argument("--rounds", type=int, default=10, help="rounds that count (default: %(default)s)")
    parser.add_argument("--python", default=str(ENVIRONMENT), help="the Python that has the rivals")
    parser.add_argument("--no-rivals", action="store_true", help="only commands")
    parser.add_argument("--save", metavar="FILE", type=Path, help="write the table to FILE too")
    said = parser.parse_args(argv)
    python = said.python if Path(said.python).exists() else sys.executable
    text = f"`python -m benchmarks {' '.join(['cold', *argv])}`\n\n{machine()}\n\n" + table(
        timed(commands(python, not said.no_rivals), said.rounds)
    )
    print(text)
    if said.save:
        said.save.write_text(text, encoding="utf-8")
