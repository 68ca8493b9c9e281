"""The forms of an instance of a kind from a file for solvers: its program for clingo, and a CSP read from that."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from math import factorial
from typing import TYPE_CHECKING, Any

from bridge.asp import encode
from bridge.asp.reading import Atom, written
from bridge.errors import UnsupportedError
from bridge.limits import UNLIMITED, Limits
from bridge.puzzles.kinds.file_puzzle import GROUNDING, FilePuzzle
from bridge.puzzles.kinds.kind import constant_terms
from bridge.puzzles.kinds.models import AspForm, ClpForm, Models
from bridge.puzzles.kinds.rules import Cell, Rule, Value
from bridge.puzzles.kinds.symmetry import Reduction, renamed
from bridge.puzzles.kinds.trust import isolated

if TYPE_CHECKING:  # imported when a CSP is made
    from bridge.asp.reading import Outline
    from bridge.puzzles.kinds.ground_csp import GroundCSP
    from bridge.puzzles.search import CSP

#: CSPs of ground programs that are kept.
KEPT = 8

_kept: OrderedDict[tuple[Any, ...], GroundCSP | UnsupportedError] = OrderedDict()


class FileModels(Models[FilePuzzle]):
    """The forms of one instance."""

    _found: GroundCSP | UnsupportedError | None = None

    @property
    def encoding(self) -> str:
        return self.puzzle.declared.file

    @property
    def program(self) -> str:
        return self.puzzle.declared.program.text

    def warnings(self) -> tuple[str, ...]:
        from bridge.puzzles.kinds.ground import ground_programs

        ground = ground_programs.kept.get(self.asp().shape)
        return () if ground is None else tuple(map(self.puzzle.declared.program.placed, ground.program.warnings))

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

    def clue_atoms(self) -> tuple[tuple[Any, ...], ...]:
        terms = self.puzzle.shape.terms
        return tuple([(r, c, terms[value]) for (r, c), value in self.puzzle.clues().items()])

    def clp(self) -> ClpForm:
        raise UnsupportedError(f"{self.puzzle.title} has no program for SWI-Prolog", hint="the engine asp takes it")

    def csp(self) -> CSP:
        raise UnsupportedError(
            f"{self.puzzle.title} has no CSP whose constraints are its rules",
            hint="engines solve the one of its ground program: `lpbridge puzzle solve -e mac+mrv`",
        )

    def engine_csp(self, limits: Limits = UNLIMITED) -> CSP:
        """The CSP of the ground program, with the clues.

        Raises
        ------
        UnsupportedError
            When there is none: the program is not tight, or has something else than rules.
        LimitError
            When a limit ends the grounding.
        """
        found = self._ground_csp(limits)
        return found.with_values(((r, c), term) for r, c, term in self.clue_atoms())

    def _ground_csp(self, limits: Limits = UNLIMITED) -> GroundCSP:
        """The CSP without the clues. The last ones, and refusals, are kept: all instances of a shape have the same."""
        if self._found is None:
            form = self.asp()
            self._found = _kept.pop(form.shape, None) or _read_csp(self.puzzle, form, limits)
            _kept[form.shape] = self._found
            while len(_kept) > KEPT:
                _kept.popitem(last=False)
        if isinstance(refused := self._found, UnsupportedError):
            raise UnsupportedError(refused.message, where=refused.where, hint=refused.hint)
        return refused

    def read_assignment(self, assignment: Mapping[Any, Any]) -> Mapping[Cell, Value]:
        return self._ground_csp().read_assignment(assignment)

    def read_domains(self, domains: Mapping[Any, Sequence[Any]]) -> Mapping[Cell, Sequence[Value]]:
        order = {value: place for place, value in enumerate(self.puzzle.values())}
        return {
            cell: sorted(filter(order.__contains__, values), key=order.__getitem__)
            for cell, values in self._ground_csp().read_domains(domains).items()
        }

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


def _read_csp(puzzle: FilePuzzle, form: AspForm, limits: Limits) -> GroundCSP | UnsupportedError:
    """The CSP of the ground program of a form, or why it has none."""
    from bridge.asp import Program
    from bridge.puzzles.kinds.ground_csp import LoopError, ground_csp

    constants: dict[str, Any] = dict(form.constants)
    seconds = GROUNDING if limits.seconds is None else min(GROUNDING, limits.seconds)
    apart = isolated(form.program, form.structure, constants.values())
    within = Limits(seconds=seconds)
    text = f"{form.program}\n{form.structure}\n"
    with puzzle.declared.program.placing(), Program(text, isolated=apart, limits=within, **constants) as program:
        ground = program.inside(within).ground_rules(form.answer)
        try:
            return ground_csp(ground, form.answer)
        except LoopError as error:
            return _not_tight(puzzle, error.atoms, program.inside().outline())
        except UnsupportedError as error:
            return UnsupportedError(error.message, where=error.where, hint=error.hint)  # without the frames of this one


def _not_tight(puzzle: FilePuzzle, atoms: Sequence[Atom], outline: Outline) -> UnsupportedError:
    """The error for atoms that depend on themselves, at a rule that derives one of them from another."""
    predicates = {(name, len(arguments)) for name, arguments in atoms}
    looping = [one for one in outline.statements if one.heads & predicates and one.body & predicates]
    place = puzzle.declared.program.place(looping[0].place) if looping else None
    rule = f": {' '.join(looping[0].text.split())}" if looping else ""
    return UnsupportedError(
        f"{puzzle.title} has no CSP: {written(atoms[0]) if atoms else 'an aggregate'} may depend on itself{rule}",
        where=place,
        hint="only tight programs have one; the engine asp takes it",
    )
