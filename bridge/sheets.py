"""Sheets of puzzles to be printed: several on a page, with titles and grades, the answers on the last page.

>>> import bridge
>>> puzzles = bridge.load_all("sudoku", "puzzles.txt")
>>> sheet(puzzles, title="Saturday").save("saturday.pdf")
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from bridge.analysis.grade import grade
from bridge.analysis.solve import solutions
from bridge.errors import InputError
from bridge.files import write_whole
from bridge.limits import Limits, takes_limits
from bridge.outcome import Interrupted, Outcome, Verdict
from bridge.problems.kinds import expect
from bridge.puzzles import Puzzle
from bridge.puzzles.about import NOTHING
from bridge.puzzles.rules import Grid
from bridge.render import instance, solution
from bridge.render.sheet import Entry, Paper, pdf

#: The limits on each puzzle unless others are given.
LIMITS = Limits(seconds=10)


@dataclass(frozen=True, slots=True)
class Item:
    """One puzzle of a sheet.

    Attributes
    ----------
    title
        What stands above it.
    verdict
        `unknown` when a limit came first.
    solution
        The answer that is printed; None when none was found. Of an ambiguous puzzle it is one of several.
    level, difficulty
        The name of the grade's level, and what people call it; None when it was not asked for, or not found.
    """

    puzzle: Puzzle
    title: str
    verdict: Verdict
    solution: Grid | None = None
    level: str | None = None
    difficulty: str | None = None

    @property
    def problem(self) -> str | None:
        """Why it should not be printed; None for a puzzle with exactly one solution."""
        return {
            Verdict.UNIQUE: None,
            Verdict.AMBIGUOUS: "it has more than one solution",
            Verdict.IMPOSSIBLE: "it has no solution",
            Verdict.UNKNOWN: "the limit came before it was known whether it has exactly one solution",
        }[self.verdict]


    @property
    def note(self) -> str:
        """The grade that is printed. That of a crossword is about its words, not about clues: it is not printed."""
        return "" if self.puzzle.about.clues else (self.difficulty or "").capitalize()


@dataclass(frozen=True, slots=True)
class Sheet:
    """Pages of puzzles; `pdf` and `save` set them."""

    items: tuple[Item, ...]
    title: str = ""
    paper: Paper = "a4"
    columns: int = 2
    answers: bool = True

    def pdf(self) -> bytes:
        """The pages as PDF.

        Raises
        ------
        UnsupportedError
            When the extra `pictures` is not installed.
        """
        bare = [replace(one, puzzle=replace(cast(Any, one.puzzle), about=NOTHING)) for one in self.items]
        puzzles = [
            Entry(instance(one.puzzle), one.title, item.note, item.puzzle.about)
            for one, item in zip(bare, self.items, strict=True)
        ]
        answers = [
            Entry(solution(one.puzzle, one.solution, ""), one.title, "" if one.problem is None else "not unique")
            for one in bare
            if one.solution is not None
        ]
        return pdf(puzzles, answers if self.answers else (), title=self.title, paper=self.paper, columns=self.columns)

    def save(self, file: str | Path) -> None:
        """Write the PDF.

        Raises
        ------
        InputError
            When the name does not end in `.pdf`, or the file cannot be written.
        OutputError
            When the system fails to write it.
        """
        if Path(file).suffix.lower() != ".pdf":
            raise InputError(f"{file} is no name of a sheet", hint="a sheet is a PDF: end it in .pdf")
        write_whole(file, self.pdf())


@takes_limits("seconds", "nodes")
def sheet(
    puzzles: Iterable[Puzzle],
    *,
    title: str = "",
    titles: Sequence[str] | None = None,
    paper: Paper = "a4",
    columns: int = 2,
    grades: bool = True,
    answers: bool = True,
    engine: str = "asp",
    limits: Limits = LIMITS,
    on_progress: Callable[[Item], object] | None = None,
) -> Sheet:
    """A sheet of puzzles, each solved, checked to have one solution, and graded.

    Parameters
    ----------
    puzzles
        Puzzles of any kinds.
    title
        What stands on the first page.
    titles
        What stands above each puzzle; by default `1. Sudoku`, or its own title, numbered in their order.
    columns
        How many stand side by side.
    grades
        Whether the grade of a puzzle with one solution is found, and printed.
    answers
        Whether the solutions are printed, after the puzzles.
    limits
        Of each puzzle.
    on_progress
        Called with each item when it is ready.

    Raises
    ------
    Interrupted
        On Ctrl-C, with the sheet so far in `partial`.
    InputError
        When there are not as many titles as puzzles.
    """
    wanted = list(puzzles)
    for puzzle in wanted:
        expect(puzzle, "sheet", "puzzle")
    own = [one.about.title or one.title[:1].upper() + one.title[1:] for one in wanted]
    usual = [f"{number}. {title}" for number, title in enumerate(own, 1)]
    named = usual if titles is None else list(titles)
    if len(named) != len(wanted):
        raise InputError(f"{len(named)} titles for {len(wanted)} puzzles")
    items: list[Item] = []
    try:
        for puzzle, name in zip(wanted, named, strict=True):
            items.append(_item(puzzle, name, grades, engine, limits))
            if on_progress is not None:
                on_progress(items[-1])
    except KeyboardInterrupt:
        raise Interrupted(Sheet(tuple(items), title, paper, columns, answers)) from None
    return Sheet(tuple(items), title, paper, columns, answers)


def _item(puzzle: Puzzle, title: str, grades: bool, engine: str, limits: Limits) -> Item:
    asked = Limits(seconds=limits.seconds, solutions=2)
    found: Outcome[Grid] = solutions(puzzle, engine=engine, limits=asked).collect()
    first = found.solutions[0] if found.solutions else None
    item = Item(puzzle, title, found.verdict, first)
    if not grades or item.verdict is not Verdict.UNIQUE:
        return item
    found_grade = grade(puzzle, limits=limits)
    return replace(item, level=found_grade.level, difficulty=found_grade.difficulty)
