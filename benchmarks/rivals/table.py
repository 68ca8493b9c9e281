"""The one table of rivals.

To add one: a module with its models, and a line in `RIVALS`. Nothing else changes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

from benchmarks.rivals.shapes import Contender
from bridge.puzzles.engines.engine import Ability

FIND, PROVE, ENUMERATE = Ability.FIND, Ability.PROVE, Ability.ENUMERATE
EVERYTHING = (FIND, PROVE, ENUMERATE)

NUMBERS = ("sudoku", "latin-square", "futoshiki", "magic-square", "takuzu")
ALL = (*NUMBERS, "crossword")


@dataclass(frozen=True, slots=True)
class Rival:
    """A solver in the contest.

    Attributes
    ----------
    name
        What tables call it.
    package
        The distribution that pip knows; or a command, for what is none.
    imports
        The module that it is imported as; empty for a command.
    models
        Where its contenders are: a module of this package, and the name of a dictionary by kind of puzzle in it.
    kinds
        The puzzles that it has a model for.
    abilities
        `find` a solution, `prove` that there is no other, `enumerate` all.
    ours
        Whether it is part of lpbridge.
    """

    name: str
    package: str
    imports: str
    models: str
    kinds: tuple[str, ...] = ALL
    abilities: tuple[Ability, ...] = EVERYTHING
    ours: bool = False

    def contenders(self) -> Mapping[str, Contender]:
        """Its models by kind of puzzle. The solver itself is imported when one of them is first called."""
        module, _, name = self.models.partition(":")
        if module == "ours" and name != "PROGRAM":
            from benchmarks.rivals.ours import by_engine

            return dict.fromkeys(self.kinds, by_engine(name))
        found: Mapping[str, Contender] = getattr(import_module(f"benchmarks.rivals.{module}"), name or "CONTENDERS")
        return found

    def installed(self) -> str | None:
        """Its version in this environment, None where it is not to be had."""
        if self.package in _COMMANDS:
            return _COMMANDS[self.package]()
        try:
            return version(self.package) if find_spec(self.imports) else None
        except PackageNotFoundError:
            return None


def _swipl() -> str | None:
    from benchmarks.rivals.prolog_models import command_version, swipl_path

    path = swipl_path()
    return command_version(path, "--version") if path else None


def _gprolog() -> str | None:
    from shutil import which

    from benchmarks.rivals.prolog_models import command_version

    return command_version("gprolog", "--version") if which("gprolog") else None


_COMMANDS: Mapping[str, Callable[[], str | None]] = {"swipl": _swipl, "gprolog": _gprolog}


def _ours(engine: str) -> Rival:
    return Rival(f"lpbridge {engine}", "lpbridge", "bridge", f"ours:{engine}", ours=True)


#: Engines of ours in the contest unless others are named.
ENGINES = ("auto", "asp", "mac+mrv+degree", "gac+mrv+wdeg", "mac+mrv+wdeg+lcv+restarts", "clpfd")

RIVALS: tuple[Rival, ...] = (
    Rival("lpbridge asp.Program", "lpbridge", "bridge", "ours:PROGRAM", ("latin-square", "magic-square"), ours=True),
    Rival("clingo, fresh Control", "clingo", "clingo", "clingo_model"),
    Rival("clorm", "clorm", "clorm", "clingo_model:CLORM"),
    Rival("CP-SAT", "ortools", "ortools", "cpsat_model"),
    Rival("CPMpy (OR-Tools)", "cpmpy", "cpmpy", "cpmpy_model"),
    Rival("pychoco", "pychoco", "pychoco", "choco_model"),
    Rival("python-constraint2", "python-constraint2", "constraint", "python_constraint_model"),
    Rival("z3", "z3-solver", "z3", "z3_model"),
    Rival("puzzlekit", "puzzlekit", "puzzlekit", "puzzlekit_model", ("sudoku", "takuzu"), (FIND,)),
    Rival("blacksquare", "blacksquare", "blacksquare", "blacksquare_model", ("crossword",), (FIND,)),
    Rival("PySwip", "pyswip", "pyswip", "prolog_models:PYSWIP"),
    Rival("swipl", "swipl", "", "prolog_models:SWIPL"),
    Rival("gprolog", "gprolog", "", "prolog_models:GPROLOG", NUMBERS),
)


def rivals(engines: tuple[str, ...] = ENGINES) -> tuple[Rival, ...]:
    """Engines of ours, then all others in the table."""
    return (*map(_ours, engines), *RIVALS)


def rival(name: str) -> Rival:
    """The rival of a name; `lpbridge E` is any engine E.

    Raises
    ------
    KeyError
        When there is none.
    """
    for found in RIVALS:
        if found.name == name:
            return found
    if name.startswith("lpbridge "):
        return _ours(name.removeprefix("lpbridge "))
    raise KeyError(name)
