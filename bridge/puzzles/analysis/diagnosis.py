"""The diagnosis of a puzzle: as text and as JSON."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import TYPE_CHECKING

from bridge.analysis import SHOWN, RuleDiagnosis
from bridge.common import WARNINGS, Key, Pictured, end_lines, plural
from bridge.outcome import Verdict
from bridge.problem import by_name
from bridge.puzzles.analysis.check import KIND, LISTED, candidates_text
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.models import models
from bridge.puzzles.kinds.rules import Cell, Grid, Value
from bridge.puzzles.oracle import Fact, RuleOrFact
from bridge.puzzles.search.ladder import LADDER, Grade

if TYPE_CHECKING:
    from bridge.analysis import Clash, Group, Repairs
    from bridge.puzzles.engines.residual import PuzzleResidual


@dataclass(frozen=True, slots=True, repr=False)
class PuzzleDiagnosis(RuleDiagnosis[Grid], Pictured):
    """The diagnosis of a puzzle: its form as JSON, text and picture.

    Empty is what follows from the verdict: a unique or ambiguous instance has no clashes, and an instance that is not
    ambiguous has no open cells.

    Attributes
    ----------
    propagated
        The residual of propagation without search.
    rules
        The rules of which open cells are part.
    redundant, spare
        Of a unique puzzle: the givens that are redundant, each alone; and a maximal set that is redundant together.
        When a limit comes first, `redundant` has those found by then, and `spare` is None.
    grade
        How hard it is.
    hidden
        The cells that have one value in all solutions, but not after propagation.
    """

    problem: Puzzle
    clashes: tuple[Clash[RuleOrFact], ...] | None = None
    removals: Repairs[Fact] | None = None
    residual: PuzzleResidual | None = None
    additions: Repairs[Fact] | None = None
    propagated: PuzzleResidual | None = None
    rules: tuple[str, ...] | None = None
    redundant: tuple[Fact, ...] | None = None
    spare: tuple[Fact, ...] | None = None
    grade: Grade | None = None
    hidden: Mapping[Cell, Value] | None = None

    @property
    def puzzle(self) -> Puzzle:
        return self.problem

    _json = (
        KIND,
        "verdict solutions clashes removals after residual ambiguity additions rules",
        Key("redundant", list[str] | None, lambda self: self.redundant and list(map(str, self.redundant))),
        Key("spare", list[str] | None, lambda self: self.spare and list(map(str, self.spare))),
        "grade propagated",
        Key("hidden", dict[str, Value] | None, lambda self: self.hidden and by_name(self.hidden)),
        "limit notes questions",
        WARNINGS,
    )

    def __str__(self) -> str:
        parts = {
            Verdict.IMPOSSIBLE: (self._clashes, self._removals),
            Verdict.AMBIGUOUS: (self._open, self._groups, self._additions, self._rules, self._hidden),
            Verdict.UNIQUE: (self._grade, self._redundant, self._hidden, self._solution),
            Verdict.UNKNOWN: (self._solution,),
        }[self.verdict]
        lines = (line for part in parts for line in part())
        warned = (" ".join(one.split()) for one in self.warnings)
        return "\n".join([*warned, self._sentence("solution"), *lines, *end_lines(self.limit, self.notes)])

    def _name(self, cell: Cell) -> str:
        return models(self.puzzle).name(cell)

    # Impossible

    def _clashes(self) -> Iterator[str]:
        if self.clashes is None:
            yield from self._not_computed("what clashes")
            return
        for number, clash in enumerate(self.clashes):
            yield from _wrapped("nor can these: " if number else "these cannot hold together: ", [str(clash)])
            yield from clash.proof

    def _removals(self) -> Iterator[str]:
        if self.removals is None:
            return self._not_computed("which clues to take away")
        if not self.removals.sets and self.removals.complete:
            return iter(())  # a note says so
        return self.removals.removal_lines(("clue", "clues"), self._removal)

    def _removal(self, number: int, away: Sequence[RuleOrFact]) -> str:
        clues = ", ".join(map(str, away))
        if self.after is None or number >= len(self.after):
            return f"{clues}   what comes then: not computed"
        after = self.after[number]
        if not after.unique:
            return f"{clues}   then there are several solutions"
        values = ", ".join(f"{self._name(cell)}={value}" for cell, value in after.values.items())
        return f"{clues}   then there is one solution{values and f', with {values}'}"

    # Ambiguous

    def _open(self) -> Iterator[str]:
        residual, ambiguity = self.residual, self.ambiguity
        if residual is None:
            yield from self._not_computed("open cells")
            return
        cells = plural(len(residual.open), "open cell")
        if len(residual.open) > LISTED:
            yield f"{cells} of {len(residual.possible)}, with the values that occur in some solution:"
            yield candidates_text(self.puzzle, residual)
        elif ambiguity is None:
            yield f"{cells}:"
            yield from (f"  {self._name(cell)}  {_row(values)}" for cell, values in residual.open.items())
            yield from self._not_computed("how many solutions each value has")
        else:
            yield f"{cells}, and how many solutions each value has:"
            for cell, counts in ambiguity.counts.items():
                shown = (f"{value} ({ambiguity.count_text(count)})" for value, count in counts.items())
                yield f"  {self._name(cell)}  {', '.join(shown)}"

    def _groups(self) -> Iterator[str]:
        if self.ambiguity is None or self.ambiguity.groups is None:
            yield from self._not_computed("which cells vary together")
            return
        groups = self.ambiguity.groups
        for group in groups[:SHOWN]:
            yield from _wrapped("", [f"{', '.join(map(self._name, group.cells))} vary together, {_ways(group)}"])
        if len(groups) > SHOWN:
            yield f"and {len(groups) - SHOWN} more groups"
        if not self.ambiguity.finished:
            yield "there may be more groups of cells that vary together"

    def _additions(self) -> Iterator[str]:
        repairs = self.additions
        if repairs is None or self.residual is None or (not repairs.sets and repairs.size <= 1):
            yield from self._not_computed("which clues to add")
            return
        if not repairs.sets:
            yield f"no set of up to {plural(repairs.size - 1, 'clue')} makes it unique"
            return
        kinds = list(self._by_cells(repairs.sets, self.residual.open))
        make = "one clue more makes" if repairs.size == 1 else f"{repairs.size} clues more make"
        free = [kind for kind, any_value in kinds if any_value]
        exact = [kind for kind, any_value in kinds if not any_value]
        if repairs.size == 1 and free:
            cells = f"any one of {', '.join(free)}" if len(free) > 1 else free[0]
            yield from _wrapped("", [f"{make} it unique: {cells}, whatever its value"])
            yield from _wrapped("or: ", exact)
            yield from repairs.shown_lines(())
        else:
            yield f"{make} it unique, one of these{' sets' if repairs.size > 1 else ''}:"
            yield from repairs.shown_lines([*(f"{kind}, whatever their values" for kind in free), *exact])

    def _by_cells(
        self, sets: Iterable[Sequence[RuleOrFact]], possible: dict[Cell, tuple[Value, ...]]
    ) -> Iterator[tuple[str, bool]]:
        """The sets by their cells, and whether every value will do; with their values where it does not."""
        rows: dict[tuple[Cell, ...], list[tuple[Value, ...]]] = {}
        for one in sets:
            facts = [fact for fact in one if isinstance(fact, Fact)]
            rows.setdefault(tuple(fact.cell for fact in facts), []).append(tuple(fact.value for fact in facts))
        for cells, found in sorted(rows.items()):
            names = ", ".join(map(self._name, cells))
            found = [row for row in product(*(possible[cell] for cell in cells)) if row in found]  # ascending
            if len(found) == prod(len(possible[cell]) for cell in cells):
                yield names, True
            elif len(cells) == 1:
                yield f"{names}={' or '.join(str(row[0]) for row in found)}", False
            else:
                yield f"{names} with {'; '.join(map(_row, found))}", False

    def _rules(self) -> Iterator[str]:
        if self.rules is None:
            return self._not_computed("rules of the open cells")
        if len(self.rules) <= LISTED:
            return _wrapped("rules of the open cells: ", self.rules)
        of = len(self.puzzle.rules())
        return iter([f"rules of the open cells: {'all' if len(self.rules) == of else len(self.rules)} of {of}"])

    def _hidden(self) -> Iterator[str]:
        if self.propagated is None or self.hidden is None:
            return self._not_computed("what propagation alone decides")
        if not self.hidden:
            return iter([f"propagation alone ({self.propagated.engine}) decides every cell that is decided"])
        head = f"not decided by propagation alone ({self.propagated.engine}): "
        if len(self.hidden) > LISTED:
            return iter([f"{head}{len(self.hidden)} cells"])
        return _wrapped(head, [f"{self._name(cell)}={value}" for cell, value in self.hidden.items()])

    # Unique

    def _grade(self) -> Iterator[str]:
        if self.grade is None:
            yield from self._not_computed("grade")
            return
        title = next(level.full_title for level in LADDER if level.name == self.grade.reached)
        if self.grade.level is None:
            yield f"grade: not known; {title} was reached in time"
            return
        guesses = f", {self.grade.guesses} guesses" if self.grade.level == "search" else ""
        yield f"grade: {self.grade.difficulty}, {title}, score {self.grade.score}{guesses}"

    def _redundant(self) -> Iterator[str]:
        if self.redundant is None:
            yield from self._not_computed("which clues could go")
            return
        if self.redundant:
            each = ", each alone" if len(self.redundant) > 1 else ""
            yield from _wrapped(f"{plural(len(self.redundant), 'clue')} could go{each}: ", map(str, self.redundant))
        elif self.spare is not None:
            yield "no clue could go"
        if self.spare is None:
            yield from self._not_computed("which others could go" if self.redundant else "which clues could go")
        elif len(self.spare) > 1:
            all_of_them = len(self.spare) == len(self.redundant)
            which = "all of them" if all_of_them else ", ".join(map(str, self.spare))
            yield from _wrapped(f"{len(self.spare)} could go together, and then no other: ", [which])

    def _solution(self) -> Iterator[str]:
        for grid in self.solutions:
            yield f"\nsolution\n{self.puzzle.draw(grid)}"


def _ways(group: Group) -> str:
    if len(group.cells) * len(group.ways) > 8 * SHOWN:
        return f"in {len(group.ways)} ways"
    shown = [_row(row) for row in group.ways]
    return f"in {len(shown)} ways: {'; '.join(shown[:-1])} or {shown[-1]}"


def _row(values: Sequence[Value]) -> str:
    return " ".join(map(str, values))


def _wrapped(head: str, items: Iterable[str]) -> Iterator[str]:
    text = ", ".join(items)
    return iter(textwrap.wrap(head + text, 110, subsequent_indent="  ") if text else ())
