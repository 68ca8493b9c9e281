"""A puzzle's program, ground once for all instances of its shape.

Ground programs are kept by shape, a few of them, so that the second Sudoku of a size costs no grounding.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Container, Iterable, Mapping
from operator import itemgetter
from time import perf_counter
from typing import Any

from bridge.asp import Model, Program
from bridge.asp.decode import encode
from bridge.asp.names import Switching
from bridge.encodings_folder import encoding
from bridge.limits import UNLIMITED, Limits
from bridge.outcome import Statistics
from bridge.puzzles import Puzzle
from bridge.puzzles.models import AspForm
from bridge.puzzles.rules import Cell, Grid, Value
from bridge.puzzles.trust import isolated

#: Ground programs kept in each thread.
KEPT = 8


class _Places(dict[int, tuple[int | None, Value]]):
    """From the number of an atom of the answer to the place of its cell in reading order, from 0, and its value.

    What else is shown has the place None.
    """

    def __init__(self, of_cells: Mapping[Cell, int], answer: str) -> None:
        super().__init__()
        self._of_cells, self._answer = of_cells, answer
        from bridge.asp.symbols import atoms

        self._atoms = atoms

    def __missing__(self, number: int) -> tuple[int | None, Value]:
        name, arguments = self._atoms[number]
        place = self._of_cells.get(arguments[:2]) if name == self._answer and len(arguments) == 3 else None
        found = self[number] = (place, 0 if place is None else arguments[2])
        return found


class Ground:
    """A ground program, the literal of each atom of the answer, and those of the rules that it leaves open, by name."""

    def __init__(self, form: AspForm, limits: Limits = UNLIMITED) -> None:
        constants: dict[str, Any] = dict(form.constants)
        self.answer, self.switching = form.answer, _switching(form)
        if form.program:
            shown = f"#project {form.answer}/3.\n#show {form.answer}/3."
            text = f"{form.program}\n{form.structure}\n{shown}\n"
            self.program = self._load(form, [text], constants, limits, isolated=isolated())
        else:
            with encoding(form.encoding) as path:
                self.program = self._load(form, [path, form.structure], constants, UNLIMITED, isolated=False)
        # This grounds it; in a process of its own, a limit ends that.
        self.literals = self.program.literals(self.answer, 3, limits=limits if self.program.isolated else UNLIMITED)
        self._cells = sorted({(r, c) for r, c, _ in self.literals})
        of_cells = {cell: place for place, cell in enumerate(self._cells)}
        # The numbers of atoms are those of this process: of a program in another one, models have values only.
        self._places = None if self.program.isolated else _Places(of_cells, self.answer)
        height, width = self._cells[-1] if self._cells else (0, 0)
        full = width > 1 and self._cells == [(r, c) for r in range(1, height + 1) for c in range(1, width + 1)]
        self._shape = (height, width) if full else None
        self._all = itemgetter(*range(height * width)) if full else None
        self.switches = {} if form.switches is None else self.program.switches()
        self._off = {name: -literal for name, literal in self.switches.items()}
        #: Answers are told apart by the answer's predicate alone, where nothing is known of the program.
        self.project = bool(form.program)

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
        return [self.literals.get(value) or f"{self.answer}({','.join(map(encode, value))})" for value in values]

    def values(self, model: Model) -> dict[Cell, Value]:
        """The value of each cell in an answer."""
        return {(r, c): value for r, c, value in model[self.answer]}

    def grid(self, model: Model, puzzle: Puzzle) -> Grid:
        """The grid that a model gives to an instance."""
        if self._places is None:
            return puzzle.solution(self.values(model))
        values = dict(model.through(self._places))
        try:
            # Black squares at the edge of a grid are no cells.
            if self._all is not None and self._shape == (len(puzzle.grid), len(puzzle.grid[0])):
                return tuple(zip(*[iter(self._all(values))] * self._shape[1], strict=True))
        except KeyError:  # a cell without a value
            pass
        cells = self._cells
        return puzzle.solution({cells[place]: value for place, value in values.items() if place is not None})

    def possible(self, model: Model, puzzle: Puzzle) -> dict[Cell, tuple[Value, ...]]:
        """The values that consequences give to each cell of an instance, in the puzzle's order."""
        found: dict[Cell, list[Value]] = {cell: [] for cell in puzzle.cells()}
        if self._places is None:
            for r, c, value in model[self.answer]:
                found[r, c].append(value)
        else:
            cells = self._cells
            for place, value in model.through(self._places):
                if place is not None:
                    found[cells[place]].append(value)
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
        if form.reusable:
            self.kept[shape] = ground
        while len(self.kept) > KEPT:
            self.kept.popitem(last=False)
        return ground


ground_programs = _Kept()
