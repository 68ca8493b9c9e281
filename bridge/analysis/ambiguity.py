"""The ambiguity of a problem: the number of solutions of each value, and the variables that vary together.

- A **variable** is what an answer gives a value to, such as a shown atom of a program.
- A **candidate** is a value that an open variable has in some solution.
- Two variables **vary together** when in all solutions the value of each determines that of the other.

The solutions found so far answer most questions: that a candidate has enough solutions, and that two variables do not
vary together. The solver is asked only for the rest, so the cost grows with the candidates, not with the solutions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic

from bridge.as_json import Json, Key
from bridge.errors import LimitError
from bridge.limits import Limits
from bridge.outcome import Interrupted
from bridge.problem.questions import P, Values, VariableQuestions, by_name, plain_value, variable_name

#: The most solutions to enumerate; an instance with fewer is known completely.
MOST_SOLUTIONS = 1000

#: The most solutions counted for each candidate of an instance with more.
CAP = 10

Row = tuple[Any, ...]
#: A cell, or the name of another variable.
Variable = Any


@dataclass(frozen=True, slots=True)
class Group(Json):
    """Variables that vary together, in their order, and the combinations of their values, a row each."""

    cells: tuple[Variable, ...]
    ways: tuple[Row, ...]

    _json = (
        Key("cells", list[str], lambda self: list(map(variable_name, self.cells))),
        Key("ways", list[list[Any]], lambda self: [list(map(plain_value, row)) for row in self.ways]),
    )


@dataclass(frozen=True, slots=True)
class Ambiguity(Json):
    number: int  #: The number of solutions if `complete`, otherwise a lower bound.
    complete: bool  #: Whether there are no others.
    #: For each open variable and candidate the number of solutions that have it, at least 1. A count of `cap` or more
    #: is a lower bound, unless the problem is known completely.
    counts: Mapping[Variable, Mapping[Any, int]]
    cap: int | None  #: Counts below it are exact; None when all are.
    #: The groups of two or more cells, the largest first; None when a limit came before any was found.
    groups: tuple[Group, ...] | None
    finished: bool  #: False when a limit came first: counts are then lower bounds, and there may be more groups.

    def count_text(self, number: int) -> str:
        """How many solutions have a value, where `number` were counted: `3`, or `10 or more`."""
        exact = self.cap is None or (self.finished and number < self.cap)
        return str(number) if exact else f"{number} or more"

    @property
    def counts_json(self) -> dict[str, list[list[Any]]]:
        counts = by_name(self.counts)
        return {name: [[plain_value(value), count] for value, count in of.items()] for name, of in counts.items()}

    _json = ("number complete counts=counts_json cap groups finished",)


def ambiguity_of(oracle: VariableQuestions[P], premises: Sequence[P], possible: Mapping[Variable, Sequence[Any]], *,
                 known: Iterable[Values] = (), most: int = MOST_SOLUTIONS, cap: int = CAP) -> Ambiguity:
    """Count the solutions of each candidate, and find the groups; not `finished` when the deadline comes first.

    The candidates, `possible`, are the values that each open variable has in some solution. Up to `most` solutions are
    enumerated, together with those that are `known`; when there are more, up to `cap` are counted for each candidate.
    On Ctrl-C, the result so far is in `partial` of Interrupted.
    """
    seen = _Seen(oracle, premises, possible)
    for solution in known:
        seen.add(solution)
    complete = finished = False
    groups: list[Group] = []

    def found() -> Ambiguity:
        largest = tuple(sorted(groups, key=lambda one: (-len(one.cells), one.cells[0]))) if groups or finished else None
        # Each candidate is in some solution, and those of a variable are in different ones.
        counts = {c: {value: max(1, count) for value, count in of.items()} for c, of in seen.counts.items()}
        number = max([len(seen.rows), *([] if complete else map(len, counts.values()))])
        return Ambiguity(number, complete, counts, None if complete else cap, largest, finished)

    try:
        complete = seen.take((), most) < most
        if not complete:
            for variable, value in seen.rare(cap):
                if seen.counts[variable][value] < cap:
                    seen.take((oracle.fact(variable, value),), cap)
        for group in seen.groups(proved=complete):
            groups.append(group)  # noqa: PERF402 what was found before a limit is kept
        finished = True
    except LimitError:
        pass
    except KeyboardInterrupt:
        raise Interrupted(found()) from None
    return found()


class _Seen(Generic[P]):
    """The solutions found so far, as rows over the open variables."""

    def __init__(self, oracle: VariableQuestions[P], premises: Sequence[P],
                 possible: Mapping[Variable, Sequence[Any]]) -> None:
        self._oracle, self._premises = oracle, premises
        self.cells = tuple(possible)
        self.rows: dict[Row, None] = {}
        self.counts: dict[Variable, dict[Any, int]] = {
            cell: dict.fromkeys(values, 0) for cell, values in possible.items()
        }

    def take(self, facts: Iterable[P], number: int) -> int:
        """Add up to so many solutions with these facts; how many were found."""
        found = 0
        for values in self._oracle.solutions([*self._premises, *facts], Limits(solutions=number)):
            found += 1
            self.add(values)
        return found

    def add(self, values: Values) -> None:
        row = tuple(values[cell] for cell in self.cells)
        if row not in self.rows:
            self.rows[row] = None
            for cell, value in zip(self.cells, row, strict=True):
                self.counts[cell][value] += 1

    def rare(self, cap: int) -> list[tuple[Variable, Any]]:
        """The candidates with fewer solutions than the cap, the rarest first: their solutions count for others, too."""
        found = [(count, (one, value)) for one, of in self.counts.items() for value, count in of.items()]
        return [candidate for count, candidate in sorted(found, key=lambda pair: pair[0]) if count < cap]

    def groups(self, *, proved: bool) -> Iterator[Group]:
        """The variables that vary together; when not all solutions are known, the solver proves each group."""
        for columns in self._alike():
            while len(columns) > 1:
                group = columns if proved else self._proved(columns)
                if len(group) > 1:
                    rows = sorted({tuple(row[column] for column in group) for row in self.rows}, key=self._order)
                    yield Group(tuple(self.cells[column] for column in group), tuple(rows))
                columns = [column for column in columns if column not in group]

    def _alike(self) -> list[list[int]]:
        """Columns that partition the rows in the same way: variables that vary together do."""
        classes: dict[Row, list[int]] = {}
        for column, values in enumerate(zip(*self.rows, strict=True)):
            number: dict[Any, int] = {}
            pattern = tuple(number.setdefault(value, len(number)) for value in values)
            classes.setdefault(pattern, []).append(column)
        return [columns for columns in classes.values() if len(columns) > 1]

    def _proved(self, columns: list[int]) -> list[int]:
        """The columns that vary together with the first in all solutions.

        With each value of the first, each other has one possible value; the known rows show that these differ.
        """
        first = self.cells[columns[0]]
        values = [value for value, count in self.counts[first].items() if count]
        for value in values:
            possible = self._oracle.possible([*self._premises, self._oracle.fact(first, value)])
            if possible is None:
                raise LimitError("the limit on seconds came first")
            columns = [column for column in columns if column == columns[0] or len(possible[self.cells[column]]) == 1]
            if len(columns) == 1:
                break
        return columns

    def _order(self, row: Row) -> list[Any]:
        return list(map(self._oracle.order, row))
