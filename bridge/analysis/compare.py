"""Compare engines on the same instances: do they agree, and what does each cost?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

from bridge.engines import Engine
from bridge.engines import engine as engine_of
from bridge.errors import DisagreementError, InputError, MissingSolverError, UnsupportedError
from bridge.limits import Limits, takes_limits
from bridge.outcome import Interrupted, Outcome, Verdict
from bridge.problems.kinds import expect
from bridge.puzzles import Puzzle
from bridge.puzzles.rules import Grid


@dataclass(frozen=True, slots=True)
class Row:
    """The result of one engine on one instance. `outcome` is None when the engine could not run; `error` says why."""

    instance: str
    engine: str
    outcome: Outcome[Grid] | None
    seconds: float
    error: str | None = None

    @property
    def verdict(self) -> Verdict:
        return self.outcome.verdict if self.outcome else Verdict.UNKNOWN

    def to_json(self) -> dict[str, Any]:
        statistics = self.outcome.statistics.to_json() if self.outcome else {"seconds": {}, "counters": {}}
        return {
            "instance": self.instance,
            "engine": self.engine,
            "verdict": str(self.verdict),
            "complete": bool(self.outcome and self.outcome.complete),
            "solutions": len(self.outcome.solutions) if self.outcome else None,
            "limit": self.outcome.limit if self.outcome else None,
            "seconds": {"total": round(self.seconds, 6), **statistics["seconds"]},
            "statistics": statistics["counters"],
            "error": self.error,
        }


@dataclass(frozen=True, slots=True)
class Comparison:
    """All rows, by instance; `disagreements` describes each contradiction between engines in words."""

    kind: str
    instances: tuple[str, ...]
    engines: tuple[str, ...]
    rows: tuple[Row, ...]
    disagreements: tuple[str, ...]

    @property
    def agree(self) -> bool:
        return not self.disagreements

    def require_agreement(self) -> None:
        """Raise DisagreementError where engines contradict each other."""
        if self.disagreements:
            raise DisagreementError("; ".join(self.disagreements), hint="one of them is wrong: please report it")

    def to_json(self) -> dict[str, Any]:
        return {
            "puzzle": self.kind,
            "instances": list(self.instances),
            "engines": list(self.engines),
            "agree": self.agree,
            "disagreements": list(self.disagreements),
            "rows": [row.to_json() for row in self.rows],
        }

    def _repr_svg_(self) -> str | None:
        """A chart for notebooks; None, so that they show text, where no engine has run, or matplotlib is missing."""
        from bridge.render.plots import comparison_chart

        try:
            return comparison_chart(self.to_json())._repr_svg_()
        except (InputError, UnsupportedError):
            return None


#: Two solutions, or a proof that there is only one, within ten seconds.
LIMITS = Limits(seconds=10, solutions=2)


@takes_limits("seconds", "solutions", "nodes")
def compare(
    puzzles: Sequence[Puzzle],
    *,
    engines: Iterable[str] = ("asp", "clpfd", "mac+mrv"),
    limits: Limits = LIMITS,
    on_progress: Callable[[Row], object] | None = None,
    names: Sequence[str] | None = None,
) -> Comparison:
    """Put the same question to each engine: the solutions up to a number, and whether there are more.

    Each engine first solves the first instance once, unmeasured, so that loading and grounding what is kept between
    instances is not charged to the first row. The phases `load`, `ground` and `post` of the instance itself are in its
    row.

    Parameters
    ----------
    puzzles
        Instances of one puzzle.
    engines
        Names of engines.
    limits
        The limits of each engine on each instance. `solutions=2` asks for uniqueness, without it for all solutions.
    on_progress
        Called with each row as soon as it is known.
    names
        The names of the instances; by default numbers from 1.

    Raises
    ------
    Interrupted
        On Ctrl-C, with the comparison so far in `partial`.
    """
    for puzzle in puzzles:
        expect(puzzle, "compare", Puzzle)
    called = list(names) if names is not None else [str(number) for number in range(1, len(puzzles) + 1)]
    found = list(dict.fromkeys(map(engine_of, engines)))
    chosen = [one.name for one in found]
    rows: list[Row] = []

    def so_far() -> Comparison:
        kind = puzzles[0].kind if puzzles else ""
        return Comparison(kind, tuple(called), tuple(chosen), tuple(rows), _disagreements(rows))

    try:
        for one in found if puzzles else ():
            _run(one, puzzles[0], "", replace(limits, seconds=min(limits.seconds or 1, 1), solutions=1))
        for puzzle, name in zip(puzzles, called, strict=True):
            for one in found:
                rows.append(_run(one, puzzle, name, limits))
                if on_progress is not None:
                    on_progress(rows[-1])
    except KeyboardInterrupt:
        raise Interrupted(so_far()) from None
    return so_far()


def _run(one: Engine, puzzle: Puzzle, instance: str, limits: Limits) -> Row:
    started = perf_counter()
    try:
        outcome = one.solutions(puzzle, limits).collect()
    except (MissingSolverError, UnsupportedError) as error:
        return Row(instance, one.name, None, 0.0, str(error))
    return Row(instance, one.name, outcome, perf_counter() - started)


def _disagreements(rows: Sequence[Row]) -> tuple[str, ...]:
    by_instance: dict[str, list[Row]] = {}
    for row in rows:
        if row.outcome is not None:
            by_instance.setdefault(row.instance, []).append(row)
    return tuple(text for instance, group in by_instance.items() if (text := _contradiction(instance, group)))


def _contradiction(instance: str, rows: Sequence[Row]) -> str | None:
    """A contradiction between two engines. An engine stopped by a limit contradicts only by the solutions it found."""
    for i, one in enumerate(rows):
        for other in rows[i + 1 :]:
            a, b = one.outcome, other.outcome
            assert a is not None
            assert b is not None
            known = Verdict.UNKNOWN not in (a.verdict, b.verdict)
            if known and a.verdict != b.verdict:
                return f"{instance}: {one.engine} says {a.verdict}, {other.engine} says {b.verdict}"
            # A complete set of solutions contains those of every other engine.
            for whole, part, x, y in ((a, b, one, other), (b, a, other, one)):
                if whole.complete and not set(part.solutions) <= set(whole.solutions):
                    return f"{instance}: {y.engine} has a solution that {x.engine}, complete, does not have"
    return None
