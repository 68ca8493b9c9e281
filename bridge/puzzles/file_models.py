"""The forms of an instance of a kind from a file for solvers: clingo alone has one."""

from __future__ import annotations

from dataclasses import replace
from math import factorial
from typing import TYPE_CHECKING, Any

from bridge.asp.decode import encode
from bridge.errors import UnsupportedError
from bridge.puzzles.file_puzzle import FilePuzzle
from bridge.puzzles.kind import constant_terms
from bridge.puzzles.models import AspForm, ClpForm, Models
from bridge.puzzles.rules import Cell, Rule
from bridge.puzzles.symmetry import Reduction, renamed

if TYPE_CHECKING:
    from bridge.search import CSP


class FileModels(Models[FilePuzzle]):
    """The forms of one instance."""

    @property
    def encoding(self) -> str:
        return self.puzzle.declared.file

    @property
    def program(self) -> str:
        return self.puzzle.declared.program.text

    def facts(self) -> str:
        lines = [f"#const {name} = {value}. [override]" for name, value in self.puzzle.constants]
        lines += [f"{fact}." for fact in self.puzzle.facts]
        clue = self.puzzle.declared.clue
        lines += [f"{clue}({r},{c},{encode(term)})." for r, c, term in self.clue_atoms()]
        return "".join(f"{line}\n" for line in lines)

    def asp(self) -> AspForm:
        puzzle = self.puzzle
        structure = "".join(f"{fact}.\n" for fact in puzzle.facts)
        return AspForm(
            self.encoding,
            constant_terms(puzzle.constants),
            structure,
            self.clue_atoms(),
            answer=puzzle.declared.answer,
            program=self.program,
        )

    def switchable(self) -> AspForm:
        return replace(self.asp(), switches=())

    def clue_atoms(self) -> tuple[tuple[Any, ...], ...]:
        terms = self.puzzle.shape.terms
        return tuple([(r, c, terms[value]) for (r, c), value in self.puzzle.clues().items()])

    def clp(self) -> ClpForm:
        raise UnsupportedError(f"{self.puzzle.title} has no program for SWI-Prolog", hint="the engine asp takes it")

    def csp(self) -> CSP:
        raise UnsupportedError(f"{self.puzzle.title} has no CSP for imperative search", hint="the engine asp takes it")

    @property
    def checked(self) -> bool:
        return bool(self.puzzle.declared.checker)

    def links(self) -> tuple[Rule, ...]:
        return self.puzzle.links()

    def name(self, cell: Cell) -> str:
        return self.puzzle.name(cell)

    @property
    def projected(self) -> bool:
        return True

    def symmetric(self) -> Reduction[FilePuzzle] | None:
        """Where values may be exchanged, the first row can be assumed to be in order."""
        puzzle, values = self.puzzle, self.puzzle.values()
        free = puzzle.declared.interchangeable and not puzzle.clues()
        if not free or len(values) != len(puzzle.grid[0]) or len(puzzle.cells()) != len(puzzle.grid) * len(values):
            return None
        first = puzzle.with_clues({(1, c): value for c, value in enumerate(values, 1)})
        return Reduction(first, factorial(len(values)), renamed)
