"""The clauses of a Prolog program and their goals as the author wrote them, with their places.

- A **source** is a file or a text; its text is read, not loaded: nothing of the program runs.
- A **clause** has **goals** in its body; a goal in a branch of a disjunction is a goal of its own.

    >>> with Reader() as reader:
    ...     source = reader.read("n.pl", "nat(0). nat(s(X)) :- nat(X).")
    >>> [(clause.predicate, [source.of(goal) for goal in clause.goals]) for clause in source.clauses]
    [('nat/1', []), ('nat/1', ['nat(X)'])]
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, dropwhile, takewhile
from operator import not_
from pathlib import Path
from typing import Any, Literal, TypeAlias

from bridge.common.closing import Closing
from bridge.common.english import how_ended
from bridge.errors import LimitError, Place
from bridge.limits import UNLIMITED, Limits
from bridge.prolog import Atom, Session

#: `test` goals are not monotonic (negation, if-then-else, `var/1`, `findall/3`); `fixed` ones are run in every
#: fragment (a cut and what comes before it, side effects); `terminal` is one of a grammar rule.
GoalKind = Literal["goal", "constraint", "search", "test", "fixed", "terminal"]

#: `other` is a rule that is left as it is: with `=>`, or of CHR.
ClauseKind = Literal["clause", "fact", "grammar", "other"]

#: Priority, type and name of an operator.
Operator: TypeAlias = tuple[int, str, str]

#: The Prolog modules of this package are files beside those of the bridge.
PROLOG = Path(__file__).parent.parent / "prolog"

READER = PROLOG / "lpbridge_source.pl"


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a goal: an `argument`, a `leaf` (an atomic part of a compound argument), a `closure` of `maplist`."""

    kind: Literal["argument", "leaf", "closure"]
    start: int
    end: int
    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Goal:
    kind: GoalKind
    start: int  #: Offsets in the text.
    end: int
    name: str
    arity: int
    variables: tuple[str, ...]
    parts: tuple[Part, ...]
    inner: bool  #: Whether it is in a branch of an if-then-else.
    braces: bool  #: Whether it is in the braces of a grammar rule.

    @property
    def predicate(self) -> str:
        return f"{self.name}/{self.arity}"


@dataclass(frozen=True, slots=True)
class Clause:
    kind: ClauseKind
    start: int
    end: int
    name: str
    arity: int
    body: tuple[int, int] | None  #: The offsets of the body; None without one.
    goals: tuple[Goal, ...]
    variables: tuple[str, ...]
    cuts: int  #: How many of the goals, the first ones, stand before a cut or are one.
    labels: bool = False  #: Whether a goal anywhere in its body labels.
    head: tuple[tuple[int, int], ...] = ()  #: The offsets of the head's arguments that restrict what it unifies with.

    @property
    def predicate(self) -> str:
        return f"{self.name}/{self.arity}"


@dataclass(frozen=True)
class Source:
    """A file or text that has been read."""

    name: str  #: What people call it: its path, or `<text>`.
    path: Path | None  #: The absolute path; None for a text.
    text: str
    clauses: tuple[Clause, ...]
    libraries: tuple[str, ...] = ()
    effects: bool = False  #: Whether it adds or removes clauses when it runs.
    #: How far in the text the part begins that people know; the query is read as the body of a clause.
    skipped: int = 0
    module: str = "user"  #: The module that it is loaded into.

    def of(self, item: Goal | Clause | Part) -> str:
        """The text of a clause or goal."""
        return self.text[item.start : item.end]

    def place(self, offset: int) -> Place:
        """File, line and column of an offset."""
        starts = self._lines
        line = bisect_right(starts, offset)
        return Place(self.name, line + 1 - bisect_right(starts, self.skipped), offset - starts[line - 1] + 1)

    @cached_property
    def _lines(self) -> list[int]:
        lengths = (len(line) for line in self.text.split("\n"))
        return [0, *accumulate(length + 1 for length in lengths)]

    def sentence(self, predicate: str) -> str:
        """The summary that PlDoc gives a predicate in a comment `%! ...`; empty without one."""
        return self._sentences.get(predicate, "")

    @cached_property
    def _sentences(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for clause in self.clauses:
            if clause.predicate not in found:
                found[clause.predicate] = summary(self.text[: clause.start])
        return found


_PLDOC = re.compile(r"((?:^[ \t]*%[^\n]*\n)+)\s*\Z", re.MULTILINE)


def summary(before: str) -> str:
    """The first sentence of the PlDoc comment at the end of a text; empty where there is none.

    >>> summary("%!  safe(+Qs) is semidet.\\n%\\n%   No queen attacks another. Slow.\\n\\n")
    'No queen attacks another.'
    """
    found = _PLDOC.search(before[-4000:])
    if found is None:
        return ""
    lines = [line.strip() for line in found[1].splitlines()]
    if not lines[0].startswith(("%!", "%%")):
        return ""
    rest = dropwhile(lambda line: line.startswith(("%!", "%%")), lines)
    # The first paragraph.
    words = " ".join(takewhile(bool, dropwhile(not_, (line.lstrip("% ") for line in rest))))
    sentence = re.match(r".*?\.(?=\s|$)", words)
    return sentence[0] if sentence else words


class Reader(Closing):
    """Reads sources in a process of its own."""

    def __init__(self, limits: Limits = UNLIMITED) -> None:
        self._session = Session(READER, output="nowhere", limits=limits)
        self.libraries: list[str] = []

    def read(self, name: str, text: str, *, path: Path | None = None, operators: Sequence[Operator] = (),
             skipped: int = 0, limits: Limits = UNLIMITED) -> Source:
        """The clauses of a text. The libraries that sources read before have loaded are known.

        Raises ProgramError for a syntax error, and LimitError when a limit comes first.
        """
        asked = {"Text": text, "Ops": [list(each) for each in operators], "Known": list(map(Atom, self.libraries))}
        outcome = self._session.query("lpbridge_source:source(Text, Ops, Known, Source)", asked,
                                      limits=limits).collect()
        if not outcome.solutions:
            raise LimitError(how_ended(outcome.limit, f"before {name} was read"))
        clauses, libraries, effects, module = outcome.solutions[0]["Source"]
        self.libraries += [str(library) for library in libraries if library not in self.libraries]
        found = tuple(map(_clause, clauses))
        return Source(name, path, text, found, tuple(map(str, libraries)), effects == "true", skipped, str(module))

    def close(self) -> None:
        self._session.close()


def _clause(read: list[Any]) -> Clause:
    kind, start, end, name, arity, body_start, body_end, goals, variables, cuts, labels, head = read
    body = None if body_start < 0 else (body_start, body_end)
    return Clause(
        str(kind),  # type: ignore[arg-type]
        start,
        end,
        str(name),
        arity,
        body,
        tuple(map(_goal, goals)),
        tuple(map(str, variables)),
        cuts,
        labels == "true",
        tuple((part[0], part[1]) for part in head),
    )


def _goal(read: list[Any]) -> Goal:
    kind, start, end, name, arity, variables, parts, depth, *marks = read
    return Goal(
        str(kind),  # type: ignore[arg-type]
        start,
        end,
        str(name),
        arity,
        tuple(map(str, variables)),
        tuple(Part(str(part[0]), part[1], part[2], str(part[3]), str(part[4])) for part in parts),  # type: ignore[arg-type]
        depth == 1,
        bool(marks),
    )
