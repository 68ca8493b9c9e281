"""How new instances of a kind from a file are made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bridge.asp.decode import Atom
from bridge.errors import InputError, Place
from bridge.puzzles.authoring import MOST, Authoring
from bridge.puzzles.file_puzzle import FilePuzzle
from bridge.puzzles.kind import constant_terms, ground_workbench
from bridge.puzzles.patterns import pattern_of
from bridge.puzzles.seeded_random import SeededRandom


class FileAuthoring(Authoring[FilePuzzle]):
    """Makes blank instances of a size: of its constants, its options, and the facts `blank(Fact)`."""

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
        for name, arguments in ground_workbench(declared.workbench, "", constants):
            pattern = pattern_of(arguments[0]) if name == "blank" and len(arguments) == 1 else None
            if pattern is not None:
                facts[pattern.name, pattern.arguments] = Place("--size")
        try:
            blank = cls.made(facts, (rows, columns), constants, Place("--size"))
        except InputError as error:
            if error.where == Place("--option"):
                raise
            raise InputError(f"there is no {cls.title} of {rows}x{columns}: {error.message}") from None
        if blank.text_size != (rows, columns):
            raise InputError(f"a blank {cls.title} has {blank.text_size[0]} rows and {blank.text_size[1]} columns")
        return lambda random: blank

    def with_all_optional_rules(self, puzzle: FilePuzzle) -> FilePuzzle:
        """With every fact that the kind says an author may add."""
        facts = dict.fromkeys([*puzzle.atoms, *puzzle.shape.optional], Place())
        constants = constant_terms(puzzle.constants)
        return type(puzzle).made(facts, puzzle.text_size, constants, Place()).with_clues(puzzle.clues())
