"""A program in another solver: `compare A.lp --with clingo6`, and of Prolog `--with /path/to/swipl`.

clingo 6 is the package `clingo-funasp`, for Python 3.12 and newer, in this Python or in one that is named; lpbridge
itself runs clingo 5. Its integers are exact, where those of clingo 5 have 32 bits, and it rounds quotients down.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from threading import Timer

from bridge.asp.decode import encode
from bridge.asp.running.packing import unpack
from bridge.common.files import AS_LATIN_1
from bridge.common.languages import is_path
from bridge.comparison.answers import Answer, of_atoms
from bridge.comparison.contenders import AspContender, Contender, ProgramContender, PrologContender
from bridge.comparison.instance import Instance, with_instance
from bridge.errors import InputError, MissingSolverError, ProgramError
from bridge.limits import Limits
from bridge.outcome import Progress
from bridge.prolog import Session

#: The environment variable with the path of a Python that has clingo 6.
PYTHON = "LPBRIDGE_CLINGO6"

#: So many lines are kept to say why it failed.
_SAID = 1000

_WORKER = Path(__file__).with_name("clingo6_worker.py")


def in_solver(one: Contender, solver: str) -> Contender:
    """A program in another solver: `clingo6`, or the path of a swipl.

    Raises InputError where the program is not for that, MissingSolverError where it is not installed.
    """
    if isinstance(one, AspContender) and solver == "clingo6":
        return _Clingo6(one)
    if isinstance(one, PrologContender) and solver != "clingo6":
        return _Swipl(one, solver)
    hint = "--with clingo6 is for .lp, the path of a swipl for .pl"
    raise InputError(f"{one.name} cannot be run by {solver}", hint=hint)


class _Clingo6(ProgramContender):
    """A clingo program in clingo 6, in a process of its own for each instance, with your rights."""

    is_clingo = True

    def __init__(self, of: AspContender) -> None:
        if of.problem.optimal:
            raise InputError("--optimal is not for clingo 6", hint="compare all answer sets")
        self.problem, self.show, self.name = of.problem, of.show, "clingo 6"
        python = os.environ.get(PYTHON) or (sys.executable if find_spec("clingo_funasp") else None)
        if python is None:
            hint = f"pip install clingo-funasp with Python 3.12 or newer, and {PYTHON}=/path/to/that/python"
            raise MissingSolverError("clingo 6 is not installed", hint=hint)
        self._command = [python, "-I", str(_WORKER)]

    def has_constant(self, name: str) -> bool:
        return self.problem.backend.has_constant(name)

    def found(self, instance: Instance, limits: Limits, progress: Progress) -> Iterator[Answer]:
        show, problem = self.shown(instance), with_instance(self.problem, instance)
        options = [*problem.options, *(f"--const={name}={encode(value)}" for name, value in problem.constants.items())]
        sources = [("file" if is_path(one) else "text", os.fspath(one)) for one in problem.sources]
        given = {"sources": sources, "options": options, "what": {"atoms": True} if show else {"shown": True}}
        for line in _lines(self._command, json.dumps(given), limits, progress, self.name):
            if line.startswith("["):
                yield of_atoms(((str(name), tuple(map(unpack, row))) for name, row in json.loads(line)), show)


#: Prints the answers to the goal that is the last argument, each as a goal on a line.
_ASK = """\
current_prolog_flag(argv, Argv), last(Argv, Text), term_string(Goal, Text, [variable_names(Bindings)]),
( call(Goal), ( term_attvars(Bindings, []) -> true ; throw(constraints_are_left_open(Bindings)) ),
  nl, write('answer '), forall(member(Name = Value, Bindings), format("~w = ~k, ", [Name, Value])), writeln(true), fail
; nl, writeln(end) )"""


class _Swipl(PrologContender):
    """A Prolog program in another SWI-Prolog, in a process of its own for each instance, with your rights."""

    def __init__(self, of: PrologContender, swipl: str) -> None:
        super().__init__(of.problem, of.show, swipl)
        if (found := which(swipl)) is None:
            raise MissingSolverError(f"{swipl} is no program that can be run", hint="give the path of a swipl")
        self._swipl = found

    why_not = Contender.why_not

    def found(self, instance: Instance, limits: Limits, progress: Progress) -> Iterator[Answer]:
        problem, bound = self._given(instance)
        with TemporaryDirectory() as folder, Session() as reader:
            files = []
            for number, source in enumerate(problem.sources):
                files.append(os.path.abspath(source) if is_path(source) else f"{folder}/text{number}.pl")
                if not is_path(source):
                    Path(files[-1]).write_text(os.fspath(source), encoding="utf-8")
            command = [self._swipl, "-q", "-g", _ASK, "-t", "halt", *files, "--", problem.query]
            for line in _lines(command, "", limits, progress, self.name):
                if line.startswith("answer "):
                    (one,) = reader.query(line.removeprefix("answer "))
                    yield self._answer(instance, one, bound)


def _lines(command: Sequence[str], given: str, limits: Limits, progress: Progress, name: str) -> Iterator[str]:
    """What a process prints line by line, until the line `end`; it is killed at the limit on seconds."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        timer = Timer(1e6 if limits.seconds is None else limits.seconds, process.kill)
        timer.start()
        said: list[str] = []
        try:
            with suppress(BrokenPipeError):  # what it says about that is read
                process.stdin.write(given.encode())
                process.stdin.close()
            for data in process.stdout:
                line = data.decode("utf-8", AS_LATIN_1).rstrip("\n")
                if line == "end":
                    progress.complete = True
                    return
                said += [line] if line and len(said) < _SAID else []
                yield line
            if timer.is_alive():
                first = next((number for number, one in enumerate(said) if "rror" in one), -1)
                wrong = " ".join(" ".join(said[first:][:3]).split()) or "it said nothing"
                raise ProgramError(f"{name} gave no answer: {wrong}")
            progress.limit = "seconds"
        finally:
            timer.cancel()
            process.kill()
