"""Between which costs the least one is while a program is optimised: what was found, and what clasp has proved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar

from bridge.as_json import Json, Keys
from bridge.outcome import Outcome
from bridge.public import public

T_co = TypeVar("T_co", covariant=True)


@public("bridge.asp")
@dataclass(frozen=True, slots=True)
class Bounds(Json):
    """The cost of the best answer set so far, and what no answer set costs less than; as text `9 to 12, gap 25 %`.

    Attributes
    ----------
    cost
        By priority, the highest first; empty before the first answer set.
    lower
        The same; of priorities that clasp has not come to it has nothing, and it is empty where nothing is proved.
    """

    _json: ClassVar[Keys] = ("cost lower gap",)

    cost: tuple[int, ...] = ()
    lower: tuple[int, ...] = ()

    @property
    def gap(self) -> float | None:
        """How much less an answer set may cost, as a share of the cost at the first open priority: 0.05 is 5 %.

        None where a number is missing, or where the cost is 0 and may be less; 0.0 where the cost is the least one.
        """
        for cost, lower in zip(self.cost, self.lower, strict=False):
            if cost > lower:
                return (cost - lower) / abs(cost) if cost else None
        return 0.0 if self.cost and len(self.lower) == len(self.cost) else None

    def __str__(self) -> str:
        lower, cost = (", ".join(map(str, numbers)) or "?" for numbers in (self.lower, self.cost))
        return f"{lower} to {cost}{'' if self.gap is None else f', gap {self.gap:.1%}'}"


@public("bridge.asp")
@dataclass(frozen=True, slots=True)
class Optimum(Outcome[T_co], Generic[T_co]):
    """The outcome of an optimisation: the best answer sets, and the `bounds` of their cost."""

    bounds: Bounds = Bounds()


class Tracker:
    """The bounds during a search; `stop` ends it where their gap is small enough, or where `on_bounds` fails."""

    def __init__(
        self, gap: float | None, on_bounds: Callable[[Bounds], object] | None, stop: Callable[[], None]
    ) -> None:
        self._most, self._on_bounds, self._stop = gap, on_bounds, stop
        self.bounds, self.reached = Bounds(), False
        self._raised: BaseException | None = None

    def restart(self) -> None:
        """Forget the bounds: what comes belongs to another step."""
        self.bounds, self.reached = Bounds(), False

    def found(self, cost: tuple[int, ...]) -> None:
        """Take the cost of a better answer set."""
        self._change(Bounds(cost, self.bounds.lower))

    def proved(self, lower: tuple[int, ...]) -> None:
        """Take what clasp has proved; called while it searches, through which no exception may go."""
        self._change(Bounds(self.bounds.cost, lower))

    def _change(self, bounds: Bounds) -> None:
        if bounds == self.bounds or self._raised is not None:
            return
        self.bounds = bounds
        try:
            if self._on_bounds is not None:
                self._on_bounds(bounds)
        except BaseException as error:
            self._raised = error
        if self._most and bounds.gap and bounds.gap <= self._most:  # with a gap of 0 comes the proof
            self.reached = True
        if self.reached or self._raised is not None:
            self._stop()

    def check(self) -> None:
        """Raise what `on_bounds` has raised."""
        if self._raised is not None:
            raise self._raised
