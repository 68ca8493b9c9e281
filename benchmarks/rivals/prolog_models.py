"""SWI-Prolog without lpbridge's bridge: through PySwip, and as a command of its own; GNU Prolog as a command.

SWI-Prolog gets lpbridge's encoding files; GNU Prolog, which has other constraints, `gnu.pl`. A command is started once
and told an instance a line, so that what is measured is the work and not the start (`benchmarks.cold` measures that).
Answers come back as text of lists of lists of integers, which is JSON too.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.rivals.shapes import grid, sums
from bridge.puzzles.encodings_folder import encoding
from bridge.puzzles.kinds.models import models
from bridge.puzzles.kinds.rules import Grid

HERE = Path(__file__).parent


# Goals as text ---------------------------------------------------------------------------------------------------


def _term(value: Any) -> str:
    """Lists, integers and None (a fresh variable) as Prolog text."""
    if isinstance(value, list | tuple):
        return f"[{','.join(map(_term, value))}]"
    return "_" if value is None else str(value)


def _goal(puzzle: Any) -> tuple[str, str]:
    """What binds `Rows`, and the goal that solves them, for lpbridge's own encoding."""
    if puzzle.kind == "crossword":
        cells = set(puzzle.cells())
        rows = [
            [("'#'" if (r, c) not in cells else value and ord(value)) for c, value in enumerate(row, 1)]
            for r, row in enumerate(puzzle.grid, 1)
        ]
        lengths = set(map(len, puzzle.slots))
        words = [list(map(ord, word)) for word in puzzle.words if len(word) in lengths]
        return _term(rows), f"crossword(Rows, {_term(words)})"
    form = models(puzzle).clp()
    inputs = "".join(f"{name} = {_term(value)}, " for name, value in form.inputs.items())
    return _term(puzzle.grid), f"{inputs}{form.post}, {form.label}"


def _read(puzzle: Any, rows: Any) -> Grid:
    if puzzle.kind == "crossword":
        return grid(puzzle, lambda cell: chr(rows[cell[0] - 1][cell[1] - 1]))
    return tuple(map(tuple, rows))


def _module(kind: str) -> str:
    return kind.replace("-", "_")


# PySwip ----------------------------------------------------------------------------------------------------------


@cache
def _pyswip(module: str) -> Any:
    from pyswip import Prolog

    next(Prolog.query(f"use_module('{encoding(f'{module}/{module}.pl')}', [])"))
    return Prolog


def through_pyswip(puzzle: Any, limit: int | None) -> list[Grid]:
    """A query as text; the answers as PySwip gives them. It reads an answer at a time."""
    module = _module(puzzle.kind)
    prolog = _pyswip(module)
    rows, goal = _goal(puzzle)
    answers = prolog.query(f"Rows = {rows}, {module}:({goal})", maxresult=limit or -1)
    return [_read(puzzle, answer["Rows"]) for answer in answers]


# Commands --------------------------------------------------------------------------------------------------------


class Command:
    """A Prolog that says `ready`, then reads goals, and writes the rows of the answers of each and `end`."""

    def __init__(self, arguments: list[str]) -> None:
        self._process = subprocess.Popen(
            arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        assert self._process.stdout is not None
        if "ready\n" not in self._process.stdout:  # reads as far as that line: banners come before
            raise RuntimeError(f"{arguments[0]} does not start")

    def ask(self, question: str) -> list[Any]:
        """The rows of each answer.

        Raises
        ------
        RuntimeError
            When the goal raises an error, or the process ends.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(question + "\n")
        self._process.stdin.flush()
        lines: list[str] = []
        for line in self._process.stdout:
            if line == "end\n":
                return [json.loads(line.replace("#", "null")) for line in lines]  # black cells
            if line.startswith("error"):
                raise RuntimeError(line.strip())
            lines.append(line)
        raise RuntimeError("the process ended")


def swipl_path() -> str | None:
    """The `swipl` that lpbridge would use."""
    from bridge.prolog.locate import find

    found = find()
    return str(found.swipl) if found else None


@cache
def _swipl(module: str) -> Command:
    swipl = swipl_path()
    if swipl is None:
        raise ModuleNotFoundError("no `swipl`")
    goal = f"use_module('{encoding(f'{module}/{module}.pl')}'), asked({module})"
    return Command([swipl, "-q", "-g", goal, "-t", "halt", str(HERE / "asked.pl")])


def through_swipl(puzzle: Any, limit: int | None) -> list[Grid]:
    """The command, on lpbridge's encoding."""
    rows, goal = _goal(puzzle)
    answers = _swipl(_module(puzzle.kind)).ask(f"ask(Rows, (Rows = {rows}, {goal}), {limit or 'inf'}).")
    return [_read(puzzle, rows) for rows in answers]


@cache
def _gprolog() -> Command:
    if shutil.which("gprolog") is None:
        raise ModuleNotFoundError("no `gprolog` on PATH")
    # Its stacks, in KiB, are small unless told.
    os.environ.update(GLOBALSZ="262144", TRAILSZ="131072", LOCALSZ="65536", CSTRSZ="262144")
    return Command(["gprolog", "--quiet", "--consult-file", str(HERE / "gnu.pl"), "--query-goal", "asked"])


def through_gprolog(puzzle: Any, limit: int | None) -> list[Grid]:
    """The command, on a program for its own constraints."""
    rows = _term(puzzle.grid)
    goal = {
        "sudoku": lambda: f"sudoku(Rows, {puzzle.box[0]}, {puzzle.box[1]})",
        "latin-square": lambda: "latin(Rows)",
        "futoshiki": lambda: f"futoshiki(Rows, {_term([[*a, *b] for a, b in puzzle.less])})",
        "magic-square": lambda: f"magic(Rows, {sums(puzzle)[0]})",
        "takuzu": lambda: f"takuzu(Rows, {puzzle.lines})",
    }[puzzle.kind]()
    answers = _gprolog().ask(f"ask(Rows, (Rows = {rows}, {goal}), {limit or 'inf'}).")
    return [_read(puzzle, rows) for rows in answers]


def command_version(*command: str) -> str:
    """The first version number that a command says."""
    said = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    found = re.search(r"\d+\.\d+(\.\d+)*", said.stdout + said.stderr)
    return found[0] if found else "?"


_NUMBERS = ("sudoku", "latin-square", "futoshiki", "magic-square", "takuzu")
PYSWIP = dict.fromkeys((*_NUMBERS, "crossword"), through_pyswip)
SWIPL = dict.fromkeys((*_NUMBERS, "crossword"), through_swipl)
GPROLOG = dict.fromkeys(_NUMBERS, through_gprolog)
