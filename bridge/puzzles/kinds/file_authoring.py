"""How new instances of a kind from a file are made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from bridge.asp.reading import Atom, written
from bridge.errors import InputError, Place, UnsupportedError
from bridge.puzzles.kinds.authoring import MOST, Authoring
from bridge.puzzles.kinds.file_puzzle import FilePuzzle
from bridge.puzzles.kinds.kind import RANDOM, constant_terms, facts_of, ground_workbench
from bridge.puzzles.kinds.patterns import atom_of, parts_of
from bridge.puzzles.kinds.rules import Cell, Value
from bridge.puzzles.kinds.seeded_random import SeededRandom


class FileAuthoring(Authoring[FilePuzzle]):
    """Makes blank instances of a size: of its constants, its options, and the facts `blank(Fact)`."""

    unsolved = "try another size; blank(Fact) in the workbench part gives a blank instance facts that its rules need"

    def blanks(
        self, rows: int, columns: int, options: Mapping[str, Any], symmetry: str | None
    ) -> Callable[[SeededRandom], FilePuzzle]:
        chosen, own = self.cls._chosen(options)
        self._check_made(chosen)
        return self._blanks(rows, columns, chosen, own)

    def empty(self, rows: int, columns: int) -> FilePuzzle:
        """An instance for an author to draw on: without what `blank` adds by chance, and `wrong` does not refuse it.

        Raises
        ------
        InputError
            When the kind has no instance of this size.
        """
        return FileAuthoring(self.cls.draft())._blanks(rows, columns, (), {}, least=100)(SeededRandom(0))

    def _blanks(
        self, rows: int, columns: int, chosen: Iterable[Atom], own: Mapping[str, Any], least: int = 1
    ) -> Callable[[SeededRandom], FilePuzzle]:
        """Makes instances with some facts and constants, and those of `blank` with at least this chance."""
        cls = self.cls
        if max(rows, columns) > MOST:
            raise InputError(f"there is no {cls.title} of {rows}x{columns}: {MOST} rows and columns are the most")
        declared = cls.declared
        if declared.square and rows != columns:
            raise InputError(f"there is no {cls.title} of {rows}x{columns}: it is a square")
        constants = {**declared.sized(rows, columns), **own}
        facts: dict[Atom, Place] = dict.fromkeys(chosen, Place("--option"))
        chances: list[tuple[int, list[Atom]]] = []
        for arguments in ground_workbench(declared.workbench, "", constants).get("blank", ()):
            found = [atom_of(term, Place(declared.file)) for term in parts_of(arguments[0])]
            if len(arguments) == 1:
                facts.update(dict.fromkeys(found, Place("--size")))
            elif isinstance(arguments[1], int) and arguments[1] >= least:
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

    def _check_made(self, chosen: Iterable[Atom]) -> None:
        """Refuse a kind whose instances have facts that nothing makes, unless an option gives some."""
        declared = self.cls.declared
        optional = {choice.pattern.name for choice in declared.choices if choice.pattern is not None}
        needed = {name for name, _ in declared.inputs} - {declared.clue} - optional
        if (missing := sorted(needed - declared.made - declared.optional - declared.blank)) and not list(chosen):
            names = ", ".join(missing[:3]) + (", ..." if len(missing) > 3 else "")
            verb = "is" if len(missing) == 1 else "are"
            message = f"{declared.file} does not say how the {names} of a new {declared.title} {verb} made"
            options = ", ".join(choice.name for choice in declared.choices if choice.pattern is not None)
            hint = "made(Fact), optional(Fact) or blank(Fact) in its workbench part"
            raise UnsupportedError(message, hint=f"give an option: {options}" if options else hint)

    @property
    def gives_cells(self) -> bool:
        return not self.cls.declared.made | self.cls.declared.optional

    def with_all_optional_rules(self, puzzle: FilePuzzle, solution: Mapping[Cell, Value], seed: int) -> FilePuzzle:
        """With every fact that an instance with this solution has, or that an author may add."""
        made_facts = self._told(puzzle, solution, "made", seed)
        found = [*made_facts, *self._told(puzzle, solution, "optional", seed)]
        if solution and puzzle.declared.made and not made_facts:
            message = (
                f"{puzzle.declared.file} makes no {' or '.join(sorted(puzzle.declared.made))} of this {puzzle.title}"
            )
            raise UnsupportedError(message, hint="another size or other options may have them")
        facts = dict.fromkeys([*puzzle.atoms, *found], Place())
        made = type(puzzle).made(facts, puzzle.text_size, constant_terms(puzzle.constants), Place())
        replaced = {made.shape.details.instead.get(written(fact)) for fact in facts}
        kept = tuple(fact for fact in made.facts if fact not in replaced)
        return replace(made, facts=kept).with_clues(puzzle.clues())

    def fixed_rules(self, puzzle: FilePuzzle, solution: Mapping[Cell, Value], seed: int) -> frozenset[str]:
        """The given rules of facts that an instance with this solution has."""
        made = {written(fact) for fact in self._told(puzzle, solution, "made", seed)}
        return frozenset(name for name, facts in puzzle.shape.details.given.items() if made & set(facts))

    def _told(self, puzzle: FilePuzzle, solution: Mapping[Cell, Value], predicate: str, seed: int) -> tuple[Atom, ...]:
        """The facts that a predicate of the workbench part names, for an instance with its solution."""
        declared, terms, chance = puzzle.declared, puzzle.shape.terms, SeededRandom(seed)
        answer = [written((RANDOM[0], (*cell, chance.below(100)))) for cell in puzzle.cells()]
        answer += [written((declared.answer, (*cell, terms[value]))) for cell, value in solution.items()]
        text = "".join(f"{fact}.\n" for fact in [*puzzle.facts, *answer])
        atoms = ground_workbench(declared.workbench, text, constant_terms(puzzle.constants))
        return facts_of(declared, atoms, predicate)
