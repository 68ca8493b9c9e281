"""Sheets of puzzles to be printed: several on a page, with titles and grades, the answers on the last page.

>>> import bridge
>>> puzzles = bridge.puzzles.load_all("sudoku", "puzzles.txt")
>>> sheet(puzzles, title="Saturday").save("saturday.pdf")
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from bridge import solutions
from bridge.common import check_writable, named_arguments, public, write_whole
from bridge.comparison import Comparison
from bridge.drawing import check_installed
from bridge.errors import InputError
from bridge.limits import Limits, takes_limits
from bridge.outcome import Interrupted, Outcome, Verdict
from bridge.puzzles.explain.grade import grade
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.about import NOTHING, About
from bridge.puzzles.kinds.puzzle import expect_puzzle, published_solution
from bridge.puzzles.kinds.rules import Grid
from bridge.puzzles.render import instance, solution
from bridge.puzzles.render.sheet import Entry, Paper, handout_pdf, pdf

#: The limits on each puzzle unless others are given.
LIMITS = Limits(seconds=10)


@dataclass(frozen=True, slots=True)
class Item:
    """One puzzle of a sheet."""

    puzzle: Puzzle
    #: What stands above it.
    title: str
    #: `unknown` when a limit came first.
    verdict: Verdict
    #: The answer that is printed; None when none was found. It is the published one if the puzzle carries one that
    #: passes the checker; otherwise, of an ambiguous puzzle, it is one of several.
    solution: Grid | None = None
    #: The name of the grade's level, and what people call it; None when it was not asked for, or not found.
    level: str | None = None
    difficulty: str | None = None

    @property
    def problem(self) -> str | None:
        """Why it should not be printed; None for a puzzle with exactly one solution that carries no other."""
        said = {
            Verdict.UNIQUE: "",
            Verdict.AMBIGUOUS: "it has more than one solution",
            Verdict.IMPOSSIBLE: "it has no solution",
            Verdict.UNKNOWN: "the limit came before it was known whether it has exactly one solution",
        }[self.verdict]
        if not self.puzzle.about.solution or self.verdict is Verdict.IMPOSSIBLE:
            return said or None
        wrong = self.puzzle.violations(self.puzzle.about.solution)
        own = f"its own is wrong ({wrong[0].message})" if wrong else "its own is printed" if said else ""
        return "; ".join(filter(None, (said, own))) or None

    @property
    def is_sure(self) -> bool:
        """Whether the answer that is printed is the only one, or the published one."""
        return self.verdict is Verdict.UNIQUE or self.solution == self.puzzle.about.solution

    @property
    def doubt(self) -> str:
        """What stands beside the answer that is printed: nothing for the only one, or the published one."""
        if self.is_sure:
            return ""
        return "not proved unique" if self.verdict is Verdict.UNKNOWN else "not unique"

    @property
    def note(self) -> str:
        """The grade that is printed. That of a crossword is about its words, not about clues: it is not printed."""
        return "" if self.puzzle.about.clues else (self.difficulty or "").capitalize()


@public("bridge.puzzles")
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
            Entry(solution(one.puzzle, item.solution, ""), one.title, item.doubt)
            for one, item in zip(bare, self.items, strict=True)
            if item.solution is not None
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
        check_pdf(file)
        write_whole(file, self.pdf())


def check_pdf(file: str | Path) -> None:
    """Check that a PDF can be written, before the work for it is done."""
    if Path(file).suffix.lower() != ".pdf":
        raise InputError(f"{file} is not a name of a sheet", hint="a sheet is a PDF: end it in .pdf")
    check_writable(file)
    check_installed()


@public("bridge.puzzles")
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
        expect_puzzle(puzzle, "sheet")
    own = [one.about.title or one.title[:1].upper() + one.title[1:] for one in wanted]
    usual = [f"{number}. {title}" for number, title in enumerate(own, 1)]
    named = usual if titles is None else list(titles)
    if len(named) != len(wanted):
        raise InputError(f"{len(named)} titles for {len(wanted)} puzzles")
    items: list[Item] = []
    try:
        for puzzle, name in zip(wanted, named, strict=True):
            most = Limits(seconds=limits.seconds, solutions=2)
            found: Outcome[Grid] = solutions(puzzle, engine=engine, limits=most).collect()
            first = found.solutions[0] if found.solutions else None
            item = Item(puzzle, name, found.verdict, published_solution(puzzle) or first)
            if grades and found.verdict is Verdict.UNIQUE:
                its_grade = grade(puzzle, limits=limits)
                item = replace(item, level=its_grade.level, difficulty=its_grade.difficulty)
            items.append(item)
            if on_progress is not None:
                on_progress(items[-1])
    except KeyboardInterrupt:
        raise Interrupted(Sheet(tuple(items), title, paper, columns, answers)) from None
    return Sheet(tuple(items), title, paper, columns, answers)


@public("bridge.puzzles")
@named_arguments
def handout(
    comparison: Comparison,
    puzzles: Sequence[Puzzle] = (),
    *,
    title: str = "",
    paper: Paper = "a4",
    answers: bool = True,
) -> bytes:
    """A comparison on pages, as PDF: the puzzles, the table with seconds and counters, charts, and the solutions.

    Parameters
    ----------
    comparison
        What `compare` has found.
    puzzles
        Those that were compared on, in the order of `comparison.instances`; none for programs.
    title
        What stands on the first page; by default the kind of puzzle and the engines.
    answers
        Whether the solutions are printed, on the last page.

    Raises
    ------
    InputError
        When there are not as many puzzles as instances, or no engine has run.
    UnsupportedError
        When the extra `pictures` is not installed.
    """
    names = comparison.instances
    if puzzles and len(puzzles) != len(names):
        raise InputError(f"{len(puzzles)} puzzles for {len(names)} instances")
    found: dict[str, Grid] = {}
    several: set[str] = set()
    for row in comparison.rows:
        if row.outcome is not None and row.outcome.solutions:
            found.setdefault(row.instance, row.outcome.solutions[0])
            several |= {row.instance} if row.verdict is Verdict.AMBIGUOUS else set()
    published = {name: own for name, one in zip(names, puzzles, strict=False) if (own := published_solution(one))}
    found |= {name: own for name, own in published.items() if name in found}
    several -= published.keys()
    bare: list[Puzzle] = [replace(cast(Any, one), about=NOTHING) for one in puzzles]
    shown = [
        Entry(instance(one), name, about=About(author=own.about.author))
        for one, own, name in zip(bare, puzzles, names, strict=False)
    ]
    solved = [
        Entry(solution(one, found[name], ""), name, "not unique" if name in several else "")
        for one, name in zip(bare, names, strict=False)
        if answers and name in found
    ]
    kind = puzzles[0].title if puzzles else "Programs"
    usual = f"{kind[:1].upper()}{kind[1:]}: {', '.join(comparison.engines)}"
    return handout_pdf(comparison.to_json(), shown, solved, title=title or usual, paper=paper)
