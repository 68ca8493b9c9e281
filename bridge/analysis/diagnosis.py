"""The result of `diagnose` and `check`: the same attributes, whatever the problem."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Literal, TypedDict

from bridge.as_json import Json, Key, short
from bridge.common.english import LIMITS
from bridge.limits import LimitName
from bridge.outcome import Verdict
from bridge.problem.problem import Problem, S
from bridge.public import public

if TYPE_CHECKING:
    from bridge.analysis.ambiguity import Ambiguity
    from bridge.analysis.cores import Clash
    from bridge.analysis.repairs import After, Repairs
    from bridge.errors import Place
    from bridge.problem.fragments import GoalPremise
    from bridge.problem.residual import Residual

#: The function whose result it is.
Asked = Literal["check", "diagnose"]


@dataclass(frozen=True, slots=True)
class Variant(Json):
    """Changes to a program, and the verdict on the program with them."""

    changes: tuple[str, ...]
    verdict: Verdict


class Lines(TypedDict):
    """A part of a program."""

    file: str | None
    line: int | None
    column: int | None
    text: str


class Call(TypedDict):
    """A goal of a program."""

    file: str | None
    line: int | None
    column: int | None
    call: str


#: What the result is about.
PROGRAM = Key("program", str, lambda found: found.problem.title)


def placed(parts: Iterable[tuple[Place, str]], name: str = "text") -> list[dict[str, Any]]:
    """Parts of a program as JSON."""
    return [{**place.to_json(), name: text} for place, text in parts]


@dataclass(frozen=True, slots=True)
class Slice(Json):
    """A smallest fragment of a Prolog program that still fails, or still does not end."""

    premises: tuple[GoalPremise, ...]  #: The goals, or the points, that are left.
    minimal: bool  #: Whether leaving out any one of them was tried.
    lines: tuple[tuple[Place, str], ...]  #: The clauses of the fragment, with their places.
    #: Goals that are not pure and were needed: the fragment was run with them as they are.
    kept: tuple[GoalPremise, ...] = ()
    #: Calls of its goals that no clause of the program matches, with the places of the goals, where there are few.
    unmatched: tuple[tuple[Place, str], ...] = ()
    #: Why goals of it fail, by the rules of the language, with the places of the goals or of the heads that differ.
    reasons: tuple[tuple[Place, str], ...] = ()
    #: How many of the reasons come before the unmatched calls: cuts, and conditions without an else.
    first: int = 0

    _json = (
        "goals=premises minimal",
        Key("fragment", list[Lines], lambda self: placed(self.lines)),
        "kept",
        Key("unmatched", list[Call], lambda self: placed(self.unmatched, "call")),
        Key("reasons", list[Lines], lambda self: placed(self.reasons)),
    )


@public("bridge")
@dataclass(frozen=True, slots=True)
class Diagnosis(Json, ABC, Generic[S]):
    """What was found about a problem. None is what was not computed: a limit came first, or it does not apply.

    Each sort of problem has a class of its own, which adds what only it has.

    Attributes
    ----------
    verdict
        `unique`, `ambiguous` or `impossible`: one, several or no solutions; `unknown` when a limit came first.
    solutions
        The solution, or two that differ: answer sets, answers to a goal (undefined ones beside, which are not
        counted), or grids.
    clashes
        Of an impossible problem: MUSes of rules and facts, or of posted constraints; pairwise disjoint.
    removals
        The fewest rules or facts to take away; of a goal, goals and arguments, from which nothing can be left out.
        Complete without any set when no removal leads to a solution.
    residual
        Of an ambiguous problem: the values that occur in some solution.
    limit
        The limit that came before the end.
    notes
        Remarks.
    questions
        The number of questions put to the solver.
    asked
        `check` asks for the verdict and what is open, `diagnose` for the reasons, too.
    warnings
        What clingo warns of in a program, each with file, line and column: an atom that occurs in no rule head.
    """

    problem: Problem[S]
    verdict: Verdict = Verdict.UNKNOWN
    solutions: tuple[S, ...] = ()
    clashes: tuple[Clash[Any], ...] | None = None
    removals: Repairs[Any] | None = None
    residual: Residual | None = None
    limit: LimitName | None = None
    notes: tuple[str, ...] = ()
    questions: int = 0
    asked: Asked = "diagnose"
    warnings: tuple[str, ...] = ()

    __repr__ = short

    @property
    def possible(self) -> Mapping[Any, tuple[Any, ...]] | None:
        """The values that each variable has in some solution."""
        return None if self.residual is None else self.residual.possible

    @property
    def open(self) -> dict[Any, tuple[Any, ...]] | None:
        """The variables that have several values."""
        return None if self.residual is None else self.residual.open

    @property
    def backbone(self) -> dict[Any, Any] | None:
        """The variables that have the same value in all solutions; of atoms those that are true."""
        return None if self.residual is None else self.residual.backbone

    @abstractmethod
    def __str__(self) -> str:
        """The diagnosis as its command prints it, the most important first."""

    def _sentence(self, noun: str) -> str:
        """The verdict in a sentence; `noun` is what there is one of."""
        one = f"one {noun} was found, and perhaps there are others"
        none = f"no {noun} was found, and perhaps there is one"
        return {
            Verdict.UNIQUE: f"unique: there is exactly one {noun}",
            Verdict.AMBIGUOUS: f"ambiguous: there are two {noun}s or more",
            Verdict.IMPOSSIBLE: f"impossible: there is no {noun}",
            Verdict.UNKNOWN: f"unknown: {one if self.solutions else none}",
        }[self.verdict]

    def _not_computed(self, what: str) -> Iterator[str]:
        """The line in place of a part that is None."""
        why = "" if self.limit is None else f" ({LIMITS[self.limit]} came first)"
        yield f"{what}: not computed{why}"


@dataclass(frozen=True, slots=True, repr=False)
class RuleDiagnosis(Diagnosis[S]):
    """The diagnosis of a problem whose rules and facts are in question one by one, as those of a program are.

    Attributes
    ----------
    after
        The result of each of the removals, in their order, as many as there was time for.
    ambiguity
        The number of solutions for each value of an open variable, and the variables that vary together.
    additions
        The fewest facts to add for exactly one solution.
    """

    after: tuple[After, ...] | None = None
    ambiguity: Ambiguity | None = None
    additions: Repairs[Any] | None = None

    def _sentence(self, noun: str) -> str:
        if self.verdict is Verdict.AMBIGUOUS and self.ambiguity is not None:
            least = "" if self.ambiguity.complete else "at least "
            return f"ambiguous: there are {least}{self.ambiguity.number:,} {noun}s"
        return Diagnosis._sentence(self, noun)
