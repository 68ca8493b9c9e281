"""How cost grows over a family of instances: seconds, ground rules, conflicts, inferences against the size.

The growth is fitted by a power of the size: the slope of the line through the logarithms, by least squares.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp, log
from typing import NotRequired

from bridge.common import Json, Key
from bridge.limits import Deadline

#: What is measured, and the least value that says anything.
MEASURES = {"seconds": 0.01, "rules": 10.0, "conflicts": 10.0, "inferences": 100.0}

#: What they are called in a table.
_TITLES = {"rules": "ground rules"}

#: Rows of a table.
ROWS = 12

#: Points that a fit needs.
POINTS = 3


#: The verdict on an instance, `unknown` where a limit came first, and what is measured; None where it did not begin.
Measure = Callable[[float | None], tuple[str, dict[str, float]] | None]


def _value_of(measure: str) -> Callable[[Point], float | None]:
    return lambda point: point.values.get(measure)


@dataclass(frozen=True, slots=True)
class Point(Json):
    """A program on an instance."""

    program: str  #: Which program, and which instance.
    instance: str
    size: float
    verdict: str  #: `unknown` where a limit came first.
    values: Mapping[str, float]  #: What it cost, by what is measured, as far as that is known.

    @property
    def complete(self) -> bool:
        """Whether no limit came first."""
        return self.verdict != "unknown"

    _json = (
        "program instance size",
        Key("complete", bool, lambda self: self.complete),
        "verdict",
        *(Key(one, NotRequired[float], _value_of(one)) for one in MEASURES),
    )


@dataclass(frozen=True, slots=True)
class Fit(Json):
    """`factor * size ** exponent`."""

    exponent: float
    factor: float
    points: int  #: The number of instances that it is fitted to.


@dataclass(frozen=True, slots=True)
class Family(Json):
    """Programs on a family of instances."""

    points: tuple[Point, ...]  #: By program, the smallest instance first, up to the first that did not end.
    left_out: Mapping[str, int]  #: The instances that were not tried, of each program.

    @property
    def measures(self) -> list[str]:
        """What is measured."""
        return [measure for measure in MEASURES if any(measure in one.values for one in self.points)]

    @property
    def programs(self) -> list[str]:
        return list(dict.fromkeys(one.program for one in self.points))

    def fit(self, program: str, measure: str) -> Fit | None:
        """How a measure grows with the size; None where there are too few points."""
        own = [one for one in self.points if one.program == program and one.complete and one.size > 0]
        pairs = [(one.size, value) for one in own if (value := one.values.get(measure, 0.0)) >= MEASURES[measure]]
        return fitted(pairs)

    _json = (
        "points",
        Key("fits", dict[str, dict[str, Fit | None]], lambda self: self._fits()),
        "left_out",
    )

    def _fits(self) -> dict[str, dict[str, Fit | None]]:
        return {one: {measure: self.fit(one, measure) for measure in self.measures} for one in self.programs}

    def lines(self) -> Iterator[str]:
        """The table, and the fits."""
        for program in self.programs:
            own = [one for one in self.points if one.program == program]
            width = max(8, *(len(one.instance) for one in own))
            yield f"growth of {program}:"
            titles = [_TITLES.get(measure, measure) for measure in self.measures]
            yield f"  {'instance':{width}}  {'size':>8}" + "".join(f"  {title:>12}" for title in titles)
            for one in _some(own):
                cells = "".join(f"  {_shown(one, measure):>12}" for measure in self.measures)
                yield f"  {one.instance:{width}}  {one.size:>8g}{cells}{'' if one.complete else '  (limit)'}"
            fits = [(measure, self.fit(program, measure)) for measure in self.measures]
            if known := [f"{measure} ~ size^{fit.exponent:.1f}" for measure, fit in fits if fit is not None]:
                yield f"  fitted: {', '.join(known)}"
            if self.left_out[program]:
                yield f"  {self.left_out[program]} larger not tried"


def _shown(point: Point, measure: str) -> str:
    if (value := point.values.get(measure)) is None:
        return ""
    return f"{value:.2f}{'' if point.complete else '+'}" if measure == "seconds" else f"{value:,.0f}"


def _some(points: Sequence[Point]) -> list[Point]:
    """`ROWS` points at most: the first, the last, and some between."""
    step = max(1, -(-(len(points) - 1) // (ROWS - 1)))
    return [*points[:-1][::step], points[-1]]


def fitted(pairs: Sequence[tuple[float, float]]) -> Fit | None:
    """The power through some points; None of fewer than `POINTS` sizes."""
    if len({size for size, _ in pairs}) < POINTS:
        return None
    xs, ys = [log(size) for size, _ in pairs], [log(value) for _, value in pairs]
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    exponent = sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True)) / sum((a - x) ** 2 for a in xs)
    return Fit(exponent, exp(y - exponent * x), len(pairs))


def family(
    programs: Mapping[str, Sequence[tuple[str, float, Measure]]],  # of each its instances: name, size, and the measure
    deadline: Deadline,
) -> Family:
    """Measure programs on instances, the smallest first, each program up to the first that does not end."""
    points: list[Point] = []
    left_out = dict.fromkeys(programs, 0)
    ended = set[str]()
    total = max(map(len, programs.values()), default=0)
    for number, instances in enumerate(zip(*programs.values(), strict=True)):
        for program, (name, size, measure) in zip(programs, instances, strict=True):
            left = deadline.remaining()
            if program in ended or deadline.expired():
                left_out[program] += 1
                continue
            # What the small ones leave is for the large ones.
            found = measure(None if left is None else left / (1 + (number < total - 1)))
            points.append(Point(program, name, size, *(found or ("unknown", {}))))
            if not points[-1].complete:
                ended.add(program)
    points.sort(key=lambda one: list(programs).index(one.program))
    return Family(tuple(points), left_out)
