"""A puzzle's program, ground once for all instances of its shape.

Ground programs are kept by shape, a few of them, so that the second Sudoku of a size costs no grounding.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Container, Iterable, Mapping
from functools import cache, cached_property
from operator import itemgetter
from time import perf_counter
from typing import TYPE_CHECKING, Any, cast

from bridge.asp import Model, Program, encode
from bridge.limits import UNLIMITED, Limits
from bridge.outcome import Statistics
from bridge.puzzles.encodings_folder import encoding
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.models import AspForm
from bridge.puzzles.kinds.rules import Cell, Grid, Value
from bridge.puzzles.kinds.trust import isolated

if TYPE_CHECKING:
    from bridge.asp.reading import Switching

#: Ground programs kept in each thread.
KEPT = 8

#: What of the statistics of a search is not added to those of an instance: loading and grounding of a program that is
#: kept was paid by an earlier one, and the models of a part of a search that was given up would count twice.
NOT_ADDED = ("load", "ground", "models")


class _Values(dict[int, tuple[Cell | None, Value]]):
    """From the number of an atom of the answer to its cell and value; what else is shown has the cell None.

    clingo gives an atom the same number in all programs of a process.
    """

    def __init__(self, answer: str) -> None:
        super().__init__()
        self._answer = answer
        from bridge.asp.running import MOST, atoms

        self._atoms, self._most = atoms, MOST

    def __missing__(self, number: int) -> tuple[Cell | None, Value]:
        if len(self) >= self._most:
            self.clear()
        name, arguments = self._atoms[number]
        ours = name == self._answer and len(arguments) == 3
        found = self[number] = (arguments[:2], arguments[2]) if ours else (None, 0)
        return found


_values = cache(_Values)


class Ground:
    """A ground program, the literal of each atom of the answer, and those of the rules that it leaves open, by name."""

    def __init__(self, form: AspForm, limits: Limits = UNLIMITED) -> None:
        constants: dict[str, Any] = dict(form.constants)
        self.answer, self.switching = form.answer, _switching(form)
        if form.program:
            shown = f"#project {form.answer}/3.\n#show {form.answer}/3."
            apart = isolated(form.program, form.structure, constants.values())
            sources: list[Any] = [form.program, f"{form.structure}\n{shown}\n"]
            self.program = self._load(form, sources, constants, limits, isolated=apart)
        else:
            sources = [encoding(form.encoding), form.structure]
            self.program = self._load(form, sources, constants, UNLIMITED, isolated=False)
        self._limits = limits if self.program.isolated else UNLIMITED
        self._shared = False
        if form.program and not self.program.isolated:
            self.program.ground()  # most of them serve one instance
        else:
            self.share()
        self.switches = {} if form.switches is None else self.program.switches()
        self._off = {name: -literal for name, literal in self.switches.items()}
        #: Answers are told apart by the answer's predicate alone, where nothing is known of the program.
        self.project = bool(form.program)

    @cached_property
    def literals(self) -> dict[tuple[Any, ...], int]:
        """The literal of each atom of the answer. They cannot be read while a search is open."""
        return self.program.literals(self.answer, 3, limits=self._limits)

    def share(self) -> None:
        """Compute what makes further instances and answers cheaper."""
        self._shared = bool(self.literals)

    @cached_property
    def _rows(self) -> tuple[Cell, Callable[[Mapping[Any, Value]], tuple[Value, ...]]] | None:
        """Of answers that fill a grid: its size, and the values of all cells in reading order."""
        cells = sorted({(r, c) for r, c, _ in self.literals})
        height, width = cells[-1]
        full = width > 1 and cells == [(r, c) for r in range(1, height + 1) for c in range(1, width + 1)]
        return ((height, width), itemgetter(*cells)) if full else None

    def _load(
        self, form: AspForm, sources: list[Any], constants: dict[str, Any], limits: Limits, *, isolated: bool
    ) -> Program:
        given: dict[str, Any] = {"tuning": form.solver, "switching": self.switching, **constants}
        return Program(*sources, isolated=isolated, limits=limits, **given)

    def assumptions(self, form: AspForm) -> list[int | str]:
        # Rules that are off have nothing to do with any conflict: assumed first, they are never taken back.
        off = self._off.copy()
        on = [-off.pop(name) for name in form.on]
        return [*off.values(), *on, *self.of_cells(form.clues)]

    def of_cells(self, values: Iterable[tuple[Any, ...]]) -> list[int | str]:
        """Assumptions that cells have values, given as arguments of the answer's predicate."""
        # A value that the grounder has ruled out has no literal left; as text it is looked up and found false.
        known = self.literals if self._shared else {}
        return [known.get(value) or f"{self.answer}({','.join(map(encode, value))})" for value in values]

    def values(self, model: Model) -> dict[Cell, Value]:
        """The value of each cell in an answer."""
        values = dict(self._placed(model))
        values.pop(None, None)
        return cast("dict[Cell, Value]", values)

    def _placed(self, model: Model) -> Iterable[tuple[Cell | None, Value]]:
        """Cell and value of each atom of the answer in a model; None is the cell of other atoms."""
        if self.program.isolated:  # the numbers of atoms are those of another process
            return (((r, c), value) for r, c, value in model[self.answer])
        return model.through(_values(self.answer))

    def grid(self, model: Model, puzzle: Puzzle) -> Grid:
        """The grid that a model gives to an instance."""
        values = self.values(model)
        if self._shared and self._rows is not None:
            (height, width), in_order = self._rows
            # Black squares at the edge of a grid are not cells.
            if (height, width) == (len(puzzle.grid), len(puzzle.grid[0])) and len(values) == height * width:
                return tuple(zip(*[iter(in_order(values))] * width, strict=True))
        return puzzle.solution(values)

    def possible(self, model: Model, puzzle: Puzzle) -> dict[Cell, tuple[Value, ...]]:
        """The values that consequences give to each cell of an instance, in the puzzle's order."""
        found: dict[Cell, list[Value]] = {cell: [] for cell in puzzle.cells()}
        for cell, value in self._placed(model):
            if cell is not None:
                found[cell].append(value)
        number = {value: number for number, value in enumerate(puzzle.values())}
        return {
            cell: tuple(sorted(filter(number.__contains__, values), key=number.__getitem__))
            for cell, values in found.items()
        }

    def cases(self, decided: Container[Cell]) -> list[list[int]]:
        """For each other cell, in reading order, a literal for each of its values: exactly one of them holds."""
        found: dict[Cell, list[int]] = {}
        for (r, c, _), literal in sorted(self.literals.items(), key=lambda item: item[0][:2]):
            if (r, c) not in decided:
                found.setdefault((r, c), []).append(literal)
        return [literals for literals in found.values() if len(literals) > 1]


def _switching(form: AspForm) -> Switching | None:
    """All named rules, or some: then what follows from several of the others is still true."""
    if form.switches is None:
        return None
    from bridge.asp.reading import Switching

    return Switching(form.switches, unnamed=False, definitions=True, implied=bool(form.switches))


class _Kept(threading.local):
    """Ground programs by shape, the least recently used one going first. Of a thread: a Control serves only one."""

    def __init__(self) -> None:
        self.kept: OrderedDict[tuple[Any, ...], Ground] = OrderedDict()

    def take(self, form: AspForm, statistics: Statistics, limits: Limits = UNLIMITED) -> Ground:
        """The ground program of a form.

        Raises
        ------
        LimitError
            When a limit ends the grounding of a program of a user.
        """
        shape = form.shape
        ground = self.kept.pop(shape, None)
        if ground is None or ground.program.busy:
            started = perf_counter()
            ground = Ground(form, Limits(seconds=limits.seconds))
            statistics.spend("ground", started)
        else:
            ground.share()
        if form.reusable:
            self.kept[shape] = ground
        while len(self.kept) > KEPT:
            self.kept.popitem(last=False)
        return ground


ground_programs = _Kept()
