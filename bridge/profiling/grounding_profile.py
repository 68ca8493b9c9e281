"""What each statement of a program costs when it is ground.

    for rule in profile("encoding.lp", "instance.lp", limits=Limits(seconds=10)).statements[:3]:
        print(rule.place, rule.rules, rule.seconds, rule.text)

The program is ground in a process of its own, which sends what it has counted while it grounds. So a grounding that
never ends is counted as far as it went, whatever ends it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any, Literal, cast

from bridge.asp.reading import given_of
from bridge.common import WARNINGS, Json, Key, how_ended, named_arguments, short
from bridge.errors import LimitError, Place
from bridge.isolation import form_of
from bridge.limits import UNLIMITED, LimitName, Limits, as_limits
from bridge.outcome import Interrupted, Progress

JOB = "bridge.profiling.profile_job"

#: Bindings that gringo makes in a second, about, and those that it makes in the time in which a ground rule is written.
SPEED, WRITING = 5e6, 10

#: The seconds of a recursion that was stopped: it comes first.
ENDLESS = 1e9


@dataclass(frozen=True, slots=True)
class JoinStep(Json):
    """A literal of a join."""

    literal: str  #: As it stands in the program.
    matches: float  #: How many bindings it gives for each one before it: above 1 it multiplies, below 1 it selects.
    bindings: float  #: How many there are after it.


@dataclass(frozen=True, slots=True)
class Estimate(Json):
    """The size of a statement as it is estimated from the atoms of its predicates (`bridge.profiling.joins`)."""

    instances: float  #: The bindings of its body, and of the elements of its aggregates and choices.
    bindings: float  #: Those of all steps: what it takes to ground it.
    steps: tuple[JoinStep, ...]  #: The largest of its joins, in the order in which gringo makes it.

    @property
    def seconds(self) -> float:
        """Those that it would take."""
        return (self.bindings + WRITING * self.instances) / SPEED

    _json = ("instances bindings", Key("seconds", float, lambda self: self.seconds), "join=steps")


@dataclass(frozen=True, slots=True)
class StatementProfile(Json):
    """What grounding made of a statement.

    Attributes
    ----------
    place
        Where it begins. The facts of a file are one entry, with the place of the first.
    kind
        `rule`, `facts`, `minimize`, `show`, `external`, `edge`, `heuristic` or `project`.
    text
        The statement, as it stands in the program, or its first 200 characters.
    rules
        How many ground rules it has, auxiliary ones for aggregates, conditions and bounds included. None for
        `minimize` and `show`, which clingo writes at the end, for all statements together.
    atoms
        How many atoms it made that no statement had made before.
    seconds
        The time spent on it.
    estimate
        Its size as it was estimated; None where that was not done.
    left_out
        Whether it was not instantiated, since its estimate is too large, or since it needs what was left out; or a
        recursion that was stopped, whose `rules` are those up to then.
    """

    place: Place
    kind: str
    text: str
    rules: int | None
    atoms: int
    seconds: float
    estimate: Estimate | None = None
    left_out: bool = False

    __repr__ = short

    @property
    def is_endless(self) -> bool:
        """Whether it is a recursion that was stopped."""
        return self.left_out and bool(self.rules)

    @property
    def is_unknown(self) -> bool:
        """Whether nothing is known of its size: it needs what was left out."""
        return self.left_out and not self.rules and self.estimate is None

    @property
    def expected_seconds(self) -> float:
        """The seconds that it took, or that it would take, as far as that is known, if it was left out."""
        if self.is_endless:
            return ENDLESS
        return self.estimate.seconds if self.left_out and self.estimate is not None else self.seconds

    @property
    def expected_rules(self) -> float:
        """Its ground rules; of one that was left out those that it would have."""
        instances = self.estimate.instances if self.left_out and self.estimate is not None else 0.0
        return max(float(self.rules or 0), instances)

    _json = (
        Key("where", str, lambda self: str(self.place)),
        "place kind text",
        Key("ground", bool, lambda self: not self.left_out),
        "rules atoms seconds estimate",
    )


@dataclass(frozen=True, slots=True)
class Profile(Json):
    """A grounding by statement.

    Attributes
    ----------
    complete
        False when a limit or Ctrl-C came first, or statements were left out; the numbers are those up to then. Where
        the process had to be killed they are up to half a second old, and atoms include auxiliary ones.
    limit
        Which it was.
    seconds
        The time it took. What the statements' seconds leave of it went into facts, and into the end, where what is
        shown and minimised is written.
    statements
        The largest first: by seconds that they take or would take, to the hundredth, and then by ground rules.
    warnings
        What clingo warned of.
    """

    complete: bool
    limit: LimitName | None
    seconds: float
    statements: tuple[StatementProfile, ...]
    warnings: tuple[str, ...] = ()

    __repr__ = short

    _json = ("complete limit seconds rules by_rule=statements", WARNINGS)

    @property
    def expected_seconds(self) -> float:
        """The seconds that it took, with those that what was left out would take."""
        return self.seconds + sum(one.expected_seconds for one in self.statements if one.left_out)

    @property
    def expected_rules(self) -> float:
        """Ground rules of all statements, with those that what was left out would have."""
        return sum(one.expected_rules for one in self.statements)

    @property
    def rules(self) -> int:
        """Ground rules of all statements."""
        return sum(each.rules or 0 for each in self.statements)

    def ended_by(self, limit: LimitName | None) -> Profile:
        """The same with the limit that ended it; none ended what is complete, or has statements that were left out."""
        ended = self.complete or any(one.left_out for one in self.statements)
        return self if ended else replace(self, limit=limit)


#: How a worker sends a profile.
PROFILE = form_of(Profile)


@named_arguments
def profile(
    *sources: str | PathLike[str],
    options: Iterable[str] = (),
    untrusted: bool = False,
    allow_missing_walls: bool = False,
    most: float | None = None,
    limits: Limits = UNLIMITED,
    on_progress: Callable[[Profile], object] | None = None,
    **constants: Any,
) -> Profile:
    """Ground a program and count ground rules, atoms and seconds by statement.

    Of a program in incremental mode, the first step. clingo 5 has no profile: each statement is extended by a call of
    a function, which tells when clingo begins to instantiate it (see `bridge.profiling.by_rule`). The ground program is
    the same.

    Parameters
    ----------
    sources, options, untrusted, allow_missing_walls, constants
        As for `Program`.
    most
        A statement that is estimated to have more bindings (ten for each ground rule) is left out, and so are those
        that need what it derives. With None all are ground, and nothing is estimated.
    limits
        Seconds and memory are kept. A limit ends the grounding, and what was counted is returned.
    on_progress
        Called several times a second with the profile so far.

    Raises
    ------
    ProgramError
        When the program cannot be parsed or ground.
    LimitError
        When a limit came before the program was loaded.
    Interrupted
        On Ctrl-C, with the profile so far in `partial`.
    """
    given = given_of(sources, options, constants, untrusted)
    from bridge.isolation import Worker

    worker = Worker(
        JOB, output="stderr", untrusted=untrusted, readable=given.files, allow_missing_walls=allow_missing_walls
    )
    progress, found = Progress(), cast("Profile | None", None)
    try:
        call = ("profile", not untrusted, given.sources, given.options, most)
        for found in worker.ask(call, progress, as_limits(limits), lambda items: map(PROFILE.read, items)):
            if on_progress is not None:
                on_progress(found)
    except KeyboardInterrupt:
        if found is None or not found.statements:
            raise
        raise Interrupted(found.ended_by("interrupt")) from None
    finally:
        worker.close()
    if found is None:
        reason = progress.remark or how_ended(progress.limit, "before the program was loaded")
        raise LimitError(reason, hint="give it more")
    return found if found.limit is not None else found.ended_by(progress.limit)


@dataclass(frozen=True, slots=True)
class ConstraintProfile(Json):
    """A constraint: where it begins, how (at most 200 characters), and in how many lemmas it is."""

    place: Place
    text: str
    lemmas: int

    _json = ("place text lemmas",)


Result = Literal["sat", "unsat", "unknown"]


@dataclass(frozen=True, slots=True)
class SearchProfile(Json):
    """What the search for the first answer set, or for the best one, costs."""

    verdict: Result  #: `sat`, `unsat`, or `unknown` when a limit came first.
    grounding: float  #: The seconds of grounding, and of solving.
    seconds: float
    #: clasp's counters: `choices`, `conflicts`, `restarts`, `lemmas`; of the ground program `rules`, `atoms`, `bodies`,
    #: and `equal`, the equivalences by which it was made smaller; of what was solved `variables`, those `eliminated`,
    #: and `constraints` (`binary` and `ternary` ones apart).
    numbers: Mapping[str, int]
    costs: tuple[int, ...] = ()  #: Of an optimisation the best costs, and the bounds below which they cannot be.
    lower: tuple[int, ...] = ()
    lemmas: int = 0  #: The number of lemmas that were looked at.
    constraints: tuple[ConstraintProfile, ...] = ()  #: Those in lemmas, the most frequent first.

    _json = ("verdict seconds grounding_seconds=grounding numbers costs lower lemmas constraints",)


#: How a worker sends it.
SEARCH = form_of(SearchProfile)


def search_profile(
    *sources: str | PathLike[str],
    options: Iterable[str] = (),
    untrusted: bool = False,
    allow_missing_walls: bool = False,
    lemmas: bool = False,
    limits: Limits = UNLIMITED,
    **constants: Any,
) -> SearchProfile | None:
    """Solve a program for its first answer set, or the best one; what it cost, or None where a limit came before that.

    `lemmas` says whether to find out which constraints take part in conflicts (`bridge.profiling.by_conflict`): the
    program is solved with switches then. The rest is as for `Program`.
    """
    from bridge.isolation import Worker

    given = given_of(sources, options, constants, untrusted)
    call = ("search", not untrusted, given.sources, given.options, lemmas)
    walls: dict[str, Any] = {"untrusted": untrusted, "allow_missing_walls": allow_missing_walls}
    with closing(Worker(JOB, output="nowhere", readable=given.files, **walls)) as worker:
        found = list(worker.ask(call, Progress(), as_limits(limits), lambda items: map(SEARCH.read, items)))
    return found[0] if found else None
