"""How new instances of a kind from a file are made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from bridge.asp.decode import Atom, Function, written
from bridge.errors import InputError, Place
from bridge.puzzles.authoring import MOST, Authoring
from bridge.puzzles.file_puzzle import FilePuzzle
from bridge.puzzles.kind import constant_terms, facts_of, ground_workbench
from bridge.puzzles.patterns import atom_of
from bridge.puzzles.rules import Cell, Value
from bridge.puzzles.seeded_random import SeededRandom


class FileAuthoring(Authoring[FilePuzzle]):
    """Makes blank instances of a size: of its constants, its options, and the facts `blank(Fact)`."""

    unsolved = "try another size; blank(Fact) in the workbench part gives a blank instance facts that its rules need"

    def blanks(
        self, rows: int, columns: int, options: Mapping[str, Any], symmetry: str | None
    ) -> Callable[[SeededRandom], FilePuzzle]:
        cls = self.cls
        if max(rows, columns) > MOST:
            raise InputError(f"there is no {cls.title} of {rows}x{columns}: {MOST} rows and columns are the most")
        declared = cls.declared
        if declared.square and rows != columns:
            raise InputError(f"there is no {cls.title} of {rows}x{columns}: it is a square")
        chosen, own = cls._chosen(options)
        constants = {**declared.sized(rows, columns), **own}
        facts: dict[Atom, Place] = dict.fromkeys(chosen, Place("--option"))
        chances: list[tuple[int, list[Atom]]] = []
        for name, arguments in ground_workbench(declared.workbench, "", constants):
            if name == "blank":
                found = [atom_of(term, Place(declared.file)) for term in _parts(arguments[0])]
                if len(arguments) == 1:
                    facts.update(dict.fromkeys(found, Place("--size")))
                elif isinstance(arguments[1], int):
                    chances.append((arguments[1], found))
        chances.sort(key=lambda pair: (pair[0], [written(fact) for fact in pair[1]]))

        def blank(random: SeededRandom) -> FilePuzzle:
            own = dict(facts)
            for percent, found in chances:
                if random.below(100) < percent:
                    own.update(dict.fromkeys(found, Place("--size")))
            try:
                made = cls.made(own, (rows, columns), constants, Place("--size"))
            except InputError as error:
                if error.where == Place("--option"):
                    raise
                hint = "blank(Fact) in the workbench part gives a blank instance its facts"
                message = f"there is no blank {cls.title} of {rows}x{columns}: {error.message}"
                raise InputError(message, hint=hint) from None
            if made.text_size != (rows, columns):
                raise InputError(f"a blank {cls.title} has {made.text_size[0]} rows and {made.text_size[1]} columns")
            return made

        return blank

    def with_all_optional_rules(self, puzzle: FilePuzzle, solution: Mapping[Cell, Value]) -> FilePuzzle:
        """With every fact that an instance with this solution has, or that an author may add."""
        found = [fact for predicate in ("made", "optional") for fact in self._told(puzzle, solution, predicate)]
        facts = dict.fromkeys([*puzzle.atoms, *found], Place())
        made = type(puzzle).made(facts, puzzle.text_size, constant_terms(puzzle.constants), Place())
        replaced = {made.shape.details.instead.get(written(fact)) for fact in facts}
        kept = tuple(fact for fact in made.facts if fact not in replaced)
        return replace(made, facts=kept).with_clues(puzzle.clues())

    def fixed_rules(self, puzzle: FilePuzzle, solution: Mapping[Cell, Value]) -> frozenset[str]:
        """The given rules of facts that an instance with this solution has."""
        made = {written(fact) for fact in self._told(puzzle, solution, "made")}
        return frozenset(name for name, facts in puzzle.shape.details.given.items() if made & set(facts))

    def _told(self, puzzle: FilePuzzle, solution: Mapping[Cell, Value], predicate: str) -> tuple[Atom, ...]:
        """The facts that a predicate of the workbench part names, for an instance with its solution."""
        declared, terms = puzzle.declared, puzzle.shape.terms
        answer = [written((declared.answer, (*cell, terms[value]))) for cell, value in solution.items()]
        atoms: dict[str, list[tuple[Any, ...]]] = {}
        text = "".join(f"{fact}.\n" for fact in [*puzzle.facts, *answer])
        for name, arguments in ground_workbench(declared.workbench, text, constant_terms(puzzle.constants)):
            atoms.setdefault(name, []).append(arguments)
        return facts_of(declared, atoms, predicate)


def _parts(term: Any) -> tuple[Any, ...]:
    """The parts of a tuple; another term is its only part."""
    return term if isinstance(term, tuple) and not isinstance(term, Function) else (term,)
