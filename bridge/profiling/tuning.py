"""`tune`: which configuration of clasp is best on these instances, and whether that can be told from chance.

Each configuration solves each instance with several seeds, in turn, so that what else the machine does meets all alike.
A pair is an instance with a seed. Runs that a limit ended count twice the limit (PAR2). A configuration is better than
the default where a sign test over the pairs says so (two-sided, exact), and where the median of the ratios is at least
a tenth below 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import comb
from os import PathLike
from statistics import median
from typing import Any, Literal, TypedDict

from bridge.as_json import Json, Key, short
from bridge.asp.given import unknown_constant
from bridge.common.english import plural
from bridge.errors import DisagreementError, InputError, LimitError
from bridge.limits import Limits, takes_limits
from bridge.outcome import Interrupted
from bridge.problem.asp import AspProblem
from bridge.profiling.cost import given_of
from bridge.profiling.grounding_profile import search_profile
from bridge.profiling.profile import family_of, program_of
from bridge.public import public

#: What is raced, by name. The manual of clasp describes them; the default is `tweety`.
CONFIGURATIONS: Mapping[str, tuple[str, ...]] = {
    "default": (),
    **{name: (f"--configuration={name}",) for name in ("frumpy", "jumpy", "handy", "crafty", "trendy")},
    "sat-prepro": ("--sat-prepro=2,iter=20,occ=25,time=240",),
    "vsids": ("--heuristic=vsids",),
}

#: These in addition, for a program that minimises.
OPTIMISING: Mapping[str, tuple[str, ...]] = {
    "usc": ("--opt-strategy=usc",),
    "bb,dec": ("--opt-strategy=bb,dec",),
}

#: Of each run.
LIMITS = Limits(seconds=10.0)

#: A configuration that has lost this many pairs in a row, each by this factor, to the best one is given up.
LOST, FACTOR = 4, 3.0

#: Differences below these are noise, whatever a test says.
NOISE = {"seconds": 0.01, "conflicts": 10.0}

Measure = Literal["seconds", "conflicts"]


@dataclass(frozen=True, slots=True)
class Raced(Json):
    """A configuration, and what came of its runs."""

    name: str  #: What it is called, and the options of clasp.
    options: tuple[str, ...]
    values: Mapping[tuple[str, int], float]  #: The measure of each pair that was decided, by instance and seed.
    ended: tuple[tuple[str, int], ...] = ()  #: The pairs that a limit ended.
    given_up: bool = False  #: Whether it lost so clearly that it was not tried on all pairs.

    _json = ("name options",)

    def value(self, pair: tuple[str, int], limit: float) -> float | None:
        """The measure of a pair, twice the limit where that came first; None if it was not tried."""
        return 2 * limit if pair in self.ended else self.values.get(pair)


class Row(TypedDict):
    """A configuration, and how it compares with the default."""

    name: str
    options: tuple[str, ...]
    median: float | None
    ratio: float | None
    better: int
    worse: int
    decided: int
    limits: int
    given_up: bool


@public("bridge")
@dataclass(frozen=True, slots=True)
class Tuning(Json):
    """The result of `tune`.

    Attributes
    ----------
    rows
        The configurations, the best first; those that were given up last.
    measure
        What was measured.
    best
        The configuration that is better than the default, as far as that can be told from chance; else None.
    penalty
        What a run counts that a limit ended.
    complete
        Whether all pairs were tried.
    """

    rows: tuple[Raced, ...]
    measure: Measure
    best: Raced | None
    penalty: float
    complete: bool = True
    notes: tuple[str, ...] = field(default=())

    __repr__ = short

    @property
    def default(self) -> Raced:
        """The row of the default."""
        return next(row for row in self.rows if row.name == "default")

    def ratios(self, row: Raced) -> list[float]:
        """Measures as ratios to those of the default, a pair each; noise counts as equal."""
        noise = NOISE[self.measure]
        found = []
        for pair in {*self.default.values, *self.default.ended}:
            one, other = row.value(pair, self.penalty / 2), self.default.value(pair, self.penalty / 2)
            if one is not None and other is not None:
                found.append(1.0 if abs(one - other) < noise else max(one, noise) / max(other, noise))
        return found

    _json = (
        "measure best complete",
        Key("rows", list[Row], lambda self: [self._row(row) for row in self.rows]),
        "notes",
    )

    def _row(self, row: Raced) -> Row:
        ratios = self.ratios(row)
        return {
            "name": row.name,
            "options": row.options,
            "median": median(row.values.values()) if row.values else None,
            "ratio": median(ratios) if ratios else None,
            "better": sum(one < 1 for one in ratios),
            "worse": sum(one > 1 for one in ratios),
            "decided": len(row.values),
            "limits": len(row.ended),
            "given_up": row.given_up,
        }

    def __str__(self) -> str:
        if self.best is None:
            lines = ["no configuration is better than the default, as far as can be told from chance"]
        else:
            ratios = self.ratios(self.best)
            better = sum(one < 1 for one in ratios)
            lines = [
                f"{self.best.name}: {' '.join(self.best.options)}",
                f"  {self.measure} {median(ratios):.2f} times those of the default (median),"
                f" better in {better} of {plural(len(ratios), 'pair')}",
            ]
        width = max(len(row.name) for row in self.rows)
        lines += ["", f"{'':{width}}  {'median':>9} {'ratio':>7} better worse limits"]
        for row in self.rows:
            ratios = self.ratios(row)
            middle = f"{median(row.values.values()):9.3g}" if row.values else f"{'-':>9}"
            ratio = f"{median(ratios):7.2f}" if ratios else f"{'-':>7}"
            counts = f"{sum(one < 1 for one in ratios):6} {sum(one > 1 for one in ratios):5} {len(row.ended):6}"
            lines.append(f"{row.name:{width}}  {middle} {ratio} {counts}{'  given up' if row.given_up else ''}")
        return "\n".join([*lines, *(f"note: {note}" for note in self.notes)])


@public("bridge")
@takes_limits("seconds", "memory")
def tune(
    problem: AspProblem | str | PathLike[str] | Sequence[str | PathLike[str]],
    *,
    instances: Sequence[str | PathLike[str]] = (),
    constants: Mapping[str, Any] | None = None,
    configurations: Mapping[str, Sequence[str]] | None = None,
    seeds: int = 3,
    by: Measure = "seconds",
    limits: Limits = LIMITS,
    on_progress: Callable[[str], object] | None = None,
) -> Tuning:
    """Which configuration of clasp is best on these instances?

    Parameters
    ----------
    problem
        The program: a file, text, or several.
    instances
        Files of facts, each an instance.
    constants
        Values of constants; a `range` or a list of several makes an instance of each.
    configurations
        Options of clasp by name, raced against the default; without them some that the manual recommends.
    seeds
        How often each instance is solved.
    by
        What counts: `seconds` of solving, or `conflicts`, which are the same on every machine.
    limits
        Of each run.
    on_progress
        Called before each run with what is run.

    Raises
    ------
    InputError
        When a file cannot be read.
    DisagreementError
        Two configurations decide an instance in different ways.
    LimitError
        No run was decided within the limit.
    Interrupted
        On Ctrl-C, with the result so far in `partial`.
    """
    if seeds < 1:
        raise InputError("at least one seed is needed")
    program = program_of(problem)
    every = family_of(program, instances, constants)
    for name in constants or ():
        if not program.has_constant(name):
            raise unknown_constant(name, list(program.outline.constants))
    raced = {"default": (), **(CONFIGURATIONS if configurations is None else configurations)}
    names = {name: tuple(options) for name, options in raced.items()}
    race = _Race(names, by, limits)
    try:
        for seed in range(1, seeds + 1):
            for one in every:
                race.run(one.name or "as it is", seed, one.problem, configurations is None, on_progress)
    except KeyboardInterrupt:
        raise Interrupted(race.result(False)) from None
    if not any(race.values.values()):
        raise LimitError("no run was decided within the limit on seconds", hint="raise it, or give smaller instances")
    return race.result(True)


class _Race:
    """The runs so far."""

    def __init__(self, names: dict[str, tuple[str, ...]], by: Measure, limits: Limits) -> None:
        self.names, self.by, self.limits = names, by, limits
        self.values: dict[str, dict[tuple[str, int], float]] = {name: {} for name in names}
        self.ended: dict[str, list[tuple[str, int]]] = {name: [] for name in names}
        self.lost = dict.fromkeys(names, 0)
        self.most = 0.0
        self._turn = 0

    def run(
        self, instance: str, seed: int, problem: AspProblem, extend: bool, report: Callable[[str], object] | None
    ) -> None:
        """Run all that are not given up on an instance with a seed, beginning with another one each time."""
        pair = instance, seed
        found: dict[str, Any] = {}
        going = [name for name in self.names if self.lost[name] < LOST]
        self._turn += 1
        for name in [*going[self._turn % len(going) :], *going[: self._turn % len(going)]]:
            if report is not None:
                report(f"{instance}, seed {seed}: {name}")
            given = given_of(problem)
            options = (*given.pop("options"), *self.names[name], f"--seed={seed}")
            one = search_profile(*problem.sources, lemmas=False, limits=self.limits, options=options, **given)
            if one is None or one.verdict == "unknown":
                self.ended[name].append(pair)
                continue
            found[name] = one
            self.values[name][pair] = one.seconds if self.by == "seconds" else float(one.numbers["conflicts"])
        if len({(one.verdict, one.costs) for one in found.values()}) > 1:
            words = ", ".join(f"{name}: {one.verdict} {list(one.costs)}" for name, one in found.items())
            raise DisagreementError(f"configurations disagree on {instance}: {words}")
        if extend and any(one.costs for one in found.values()):
            for name, options in OPTIMISING.items():
                if name not in self.names:
                    self.names[name], self.values[name], self.ended[name], self.lost[name] = options, {}, [], 0
        self._give_up(pair)

    def _give_up(self, pair: tuple[str, int]) -> None:
        values = {name: self.values[name].get(pair) for name in self.names if name != "default"}
        decided = [value for value in [*values.values(), self.values["default"].get(pair)] if value is not None]
        if not decided:
            return
        best = max(min(decided), NOISE[self.by])
        for name, value in values.items():
            tried = value is not None or pair in self.ended[name]
            if tried:
                clear = value is None or value > FACTOR * best + NOISE[self.by]
                self.lost[name] = self.lost[name] + 1 if clear else 0

    def result(self, complete: bool) -> Tuning:
        """What is known."""
        limit = self.limits.seconds or 0.0
        if self.by == "conflicts":
            limit = max((value for values in self.values.values() for value in values.values()), default=0.0)
        rows = [
            Raced(name, options, self.values[name], tuple(self.ended[name]), self.lost[name] >= LOST)
            for name, options in self.names.items()
        ]
        found = Tuning(tuple(rows), self.by, None, 2 * limit, complete)

        def rank(row: Raced) -> tuple[bool, float]:
            return row.given_up, median(found.ratios(row) or [float("inf")])

        ordered = sorted(rows, key=rank)
        best = next((row for row in ordered if row.name != "default" and _is_better(found.ratios(row))), None)
        notes = () if complete else ("it was interrupted: not all pairs were tried",)
        return Tuning(tuple(ordered), self.by, best, 2 * limit, complete, notes)


def _is_better(ratios: Sequence[float]) -> bool:
    """By an exact two-sided sign test at 5 %, and by a tenth at the median."""
    better, worse = sum(one < 1 for one in ratios), sum(one > 1 for one in ratios)
    number = better + worse
    if not number or better <= worse or median(ratios) > 0.9:
        return False
    tail: float = sum(comb(number, more) for more in range(better, number + 1)) / 2**number
    return 2 * tail <= 0.05
