"""A puzzle's program, ground once for all instances of its shape.

Ground programs are kept by shape, a few of them, so that the second Sudoku of a size costs no grounding.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Container, Iterable, Mapping
from functools import cache
from time import perf_counter
from typing import Any

from bridge.asp import Program
from bridge.asp.decode import Atom, encode
from bridge.asp.model import Model
from bridge.asp.names import Switching
from bridge.encodings_folder import encoding
from bridge.outcome import Statistics
from bridge.puzzles.models import AspForm
from bridge.puzzles.rules import Cell, Value
from bridge.puzzles.trust import isolated

#: Ground programs kept in each thread.
KEPT = 8


class _Cells(dict[int, tuple[Any, Value]]):
    """From the number of an atom of the answer to its cell and value; what else is shown has the cell None."""

    def __init__(self, atoms: Mapping[int, Atom], answer: str) -> None:
        super().__init__()
        self._atoms, self._answer = atoms, answer

    def __missing__(self, number: int) -> tuple[Any, Value]:
        name, arguments = self._atoms[number]
        is_answer = name == self._answer and len(arguments) == 3
        found = self[number] = (arguments[:2], arguments[2]) if is_answer else (None, 0)
        return found


@cache
def _cells(answer: str) -> _Cells:
    """One table for the whole process, as the numbers are."""
    from bridge.asp.symbols import atoms

    return _Cells(atoms, answer)


class Ground:
    """A ground program, the literal of each atom of the answer, and those of the rules that it leaves open, by name."""

    def __init__(self, form: AspForm) -> None:
        constants: dict[str, Any] = dict(form.constants)
        self.answer, self.switching = form.answer, _switching(form)
        if form.program:
            shown = f"#project {form.answer}/3.\n#show {form.answer}/3."
            text = f"{form.program}\n{form.structure}\n{shown}\n"
            self.program = self._load(form, [text], constants, isolated=isolated())
        else:
            with encoding(form.encoding) as path:
                self.program = self._load(form, [path, form.structure], constants, isolated=False)
        self.program.ground()
        self.cells = _cells(self.answer) if not self.program.isolated else None
        self.literals = self.program.literals(self.answer, 3)
        self.switches = {} if form.switches is None else self.program.switches()
        self._off = {name: -literal for name, literal in self.switches.items()}
        #: Answers are told apart by the answer's predicate alone, where nothing is known of the program.
        self.project = bool(form.program)

    def _load(self, form: AspForm, sources: list[Any], constants: dict[str, Any], *, isolated: bool) -> Program:
        return Program(*sources, options=form.solver, isolated=isolated, switching=self.switching, **constants)

    def values(self, model: Model) -> Mapping[Any, Value]:
        """The value of each cell in an answer."""
        if self.cells is not None:
            found = dict(model.through(self.cells))
            found.pop(None, None)
            return found
        return {(r, c): value for r, c, value in model[self.answer]}

    def assumptions(self, form: AspForm) -> list[int | str]:
        # Rules that are off have nothing to do with any conflict: assumed first, they are never taken back.
        off = self._off.copy()
        on = [-off.pop(name) for name in form.on]
        return [*off.values(), *on, *self.of_cells(form.clues)]

    def of_cells(self, values: Iterable[tuple[Any, ...]]) -> list[int | str]:
        """Assumptions that cells have values, given as arguments of the answer's predicate."""
        # A value that the grounder has ruled out has no literal left; as text it is looked up and found false.
        return [self.literals.get(value) or f"{self.answer}({','.join(map(encode, value))})" for value in values]

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

    def take(self, form: AspForm, statistics: Statistics) -> Ground:
        shape = form.shape
        ground = self.kept.pop(shape, None)
        if ground is None or ground.program.busy:
            started = perf_counter()
            ground = Ground(form)
            statistics.spend("ground", started)
        if form.reusable:
            self.kept[shape] = ground
        while len(self.kept) > KEPT:
            self.kept.popitem(last=False)
        return ground


ground_programs = _Kept()
