"""The result of a comparison as text and as JSON: a row for each run, and a difference with its reason."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bridge.as_json import Json, Key, short
from bridge.common.english import LIMITS, bound, plural, table
from bridge.common.warned import WARNINGS
from bridge.comparison.answers import in_order, text, written
from bridge.errors import DisagreementError, InputError, UnsupportedError
from bridge.limits import LimitName
from bridge.outcome import Outcome, Statistics, Verdict
from bridge.public import public

if TYPE_CHECKING:
    from bridge.comparison.contenders import Reason
    from bridge.comparison.instance import Instance

#: The phases and counters that are columns.
PHASES = ("load", "ground", "post", "solve", "decode")
COUNTERS = (
    "conflicts", "choices", "inferences", "nodes", "backtracks", "checks", "generated", "expanded", "branches",
)  # fmt: skip

#: More rows than these are summed up, a line for each contender; fewer where the instances were generated.
ROWS, GENERATED = 60, 20


@dataclass(frozen=True, slots=True)
class Row(Json):
    """The result of one contender on one instance."""

    #: The names of the instance and of the contender.
    instance: str
    engine: str
    #: The answers found. None when the contender could not run, or failed before the first answer.
    outcome: Outcome[Any] | None
    #: What it took, loading included; of small instances that were solved together, loading is in that of the first.
    seconds: float
    #: What it raised.
    error: str | None = None

    @property
    def verdict(self) -> Verdict:
        return self.outcome.verdict if self.outcome else Verdict.UNKNOWN

    @property
    def complete(self) -> bool:
        """Whether all answers were found."""
        return bool(self.outcome and self.outcome.complete)

    @property
    def statistics(self) -> Statistics:
        return self.outcome.statistics if self.outcome else Statistics()

    @property
    def verdict_text(self) -> str:
        """The verdict, and the limit that ended the run, if one did."""
        stopped = self.outcome is not None and self.outcome.limit not in (None, "solutions")
        return f"{self.verdict} ({self._limit})" if stopped else str(self.verdict)

    @property
    def number_text(self) -> str:
        """The number of answers, and what ended the run before all were found."""
        if self.outcome is None:
            return "error"
        number = f"{len(self.outcome.solutions):,}"
        return number if self.complete else f"{number}+ ({self._limit})"

    @property
    def _limit(self) -> str:
        return LIMITS[self.outcome.limit] if self.outcome and self.outcome.limit else "error"

    _json = (
        "instance engine verdict complete",
        Key("solutions", int | None, lambda self: self.outcome and len(self.outcome.solutions)),
        Key("limit", LimitName | None, lambda self: self.outcome and self.outcome.limit),
        Key("seconds", dict[str, float], lambda self: {"total": self.seconds, **self.statistics.seconds}),
        "statistics=statistics.counters error",
    )


@public("bridge")
@dataclass(frozen=True, slots=True)
class Difference(Json):
    """An answer to an instance that one contender has and another one has not.

    Attributes
    ----------
    instance
        A smallest instance on which they differ, among those that were compared.
    has, lacks
        The names of the two contenders.
    answer
        The answer: a set of atoms, or what the instance reads them as, such as a grid.
    reason
        Why the second one has not the answer. None when that was not asked.
    smaller
        How many smaller instances were not decided, since a limit or an error came first. With 0 the instance is
        proved to be a smallest one.
    """

    instance: Instance
    has: str
    lacks: str
    answer: Any
    reason: Reason | None = None
    smaller: int = 0

    __repr__ = short

    @property
    def text(self) -> str:
        return answer_text(self.answer)

    _json = (
        "instance has lacks",
        Key("answer", list[Any], lambda self: _answer_json(self.answer)),
        "reason smaller_undecided=smaller",
    )

    def __str__(self) -> str:
        return "\n".join(self._lines(generated=True))

    def _lines(self, *, generated: bool) -> Iterator[str]:
        """The instance, the answer, and why it is missing."""
        instance = self.instance
        few = plural(self.smaller, "smaller one")
        proved = "" if not self.smaller else f" ({few} {'was' if self.smaller == 1 else 'were'} not decided)"
        empty = not (instance.kind or instance.file or str(instance))
        if generated or not empty:  # otherwise the programs are compared as they are
            yield f"{'a smallest instance' if generated else 'the instance'} on which they differ{proved}:"
        if instance.kind:
            yield _indented(instance.drawn())
        elif instance.file is not None:
            yield f"  {instance.file}"
        elif generated or not empty:
            yield f"  {str(instance) or 'no facts'}"
        yield f"an answer that {self.has} has, and {self.lacks} has not:"
        yield _indented(self.text)
        if self.reason is not None:
            yield from self._why(self.reason)

    def _why(self, reason: Reason) -> Iterator[str]:
        if reason.violations:
            yield "it breaks these rules:"
            yield from (f"  {line}" for line in reason.violations[:5])
        if reason.note is not None:
            yield reason.note
        if reason.renamed is not None:
            yield f"its {reason.renamed} has the same atoms: is that another name for it?"
        if reason.clash is not None and (reason.clash.premises or not reason.missing):
            with_it = f"with {reason.atom}" if reason.atom else "with this answer"
            yield "these cannot hold together:" if reason.note else f"{with_it}, these cannot hold together:"
            # The facts of an instance that comes from no file.
            yield from (line.replace("  <string>:", "  instance:", 1) for line in reason.clash.lines())
        if reason.missing:
            yield f"the rules for {reason.atom}:"
            for one in reason.missing[:5]:
                where = f"  {one.place.file}:{one.place.line}{bound(one.bindings, ' with ')}"
                yield f"{where}: {one.lacking} does not hold" if one.lacking else f"{where}: its body can hold"
        if reason.goal is not None:
            yield f"why {self.lacks} has it not:"
            yield _indented(str(reason.goal))


def _answer_json(answer: Any) -> list[Any]:
    return list(answer if isinstance(answer, tuple) else map(written, in_order(answer)))


def answer_text(answer: Any) -> str:
    """An answer in words: atoms in a line, or the rows of a grid."""
    if not isinstance(answer, tuple):
        return text(answer) or "the empty answer"
    return "\n".join(" ".join("." if each is None else str(each) for each in row) for row in answer)


@public("bridge")
@dataclass(frozen=True, slots=True)
class Comparison(Json):
    """All rows, by instance; `disagreements` describes each contradiction between contenders in words.

    Attributes
    ----------
    kind
        The `kind` of the instances; empty for facts.
    instances, engines
        The names of the instances and of the contenders.
    rows
        A row for each contender on each instance.
    difference
        An answer that one has and another has not, on a smallest instance on which they differ.
    undecided
        The instances on which it is not known whether the contenders agree: a limit or an error came first.
    finished
        Of instances from a generator: the last size up to which all instances were compared, as text.
    beyond
        The number of instances that were compared beyond that size.
    notes
        Remarks.
    warnings
        What clingo warns of in a program on every instance, each with file, line and column.
    exhausted
        Whether there are no instances beyond those that were compared; None where there was no generator.
    proved
        Whether two clingo programs are proved to have the same answers on every instance, whatever was compared.
    compared_by
        By which predicates answers were compared, in words; None where they are no atoms, and where no clingo program
        is among them.
    """

    kind: str
    instances: tuple[str, ...]
    engines: tuple[str, ...]
    rows: tuple[Row, ...]
    disagreements: tuple[str, ...]
    difference: Difference | None = None
    undecided: tuple[str, ...] = ()
    finished: str | None = None
    beyond: int = 0
    exhausted: bool | None = None
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    proved: bool = False
    compared_by: str | None = None

    __repr__ = short

    @property
    def agree(self) -> bool:
        return not self.disagreements

    @property
    def equivalent(self) -> bool | None:
        """Whether all contenders have the same answers to all instances; None when that is not known."""
        if self.disagreements:
            return False
        return True if self.proved or (self.instances and not self.undecided) else None

    @property
    def scope(self) -> str:
        """On which instances they were compared, in words: `all 64 instances up to size 6`."""
        if self.undecided:
            left = len(self.instances) - len(self.undecided)
            return f"{left:,} of {plural(len(self.instances), 'instance')}; the others are not decided"
        return scope_text(len(self.instances), self.finished, self.beyond, self.exhausted)

    def require_agreement(self) -> None:
        """Raise DisagreementError where contenders contradict each other."""
        if self.disagreements:
            raise DisagreementError("; ".join(self.disagreements), hint="one of them is wrong: please report it")

    _json = (
        "puzzle=kind instances engines agree disagreements rows difference equivalent undecided finished beyond",
        "exhausted proved compared_by notes",
        WARNINGS,
    )

    def __str__(self) -> str:
        return self.text()

    def text(self, *, times: bool = True) -> str:
        """The result as people read it, with the times of each contender or without."""
        return "\n".join(self._of_engines(times) if self.kind else self._of_programs(times))

    def _of_engines(self, times: bool) -> Iterator[str]:
        """Verdicts and times of engines, a line each; what differs, and why."""
        rows = [row for row in self.rows if row.outcome is not None]
        yield from self.warnings
        if rows and times:
            yield _table(rows, "engine", "verdict", lambda row: row.verdict_text)
        yield from self._errors()
        if self.agree:
            summary = "of one engine:" if len(self.engines) == 1 else "the engines do not contradict each other:"
            number = sum(row.outcome is not None and row.outcome.limit not in (None, "solutions") for row in rows)
            stopped = f"{number} stopped by a limit" if number else "every verdict is final"
            yield f"{plural(len(self.instances), 'instance')}, {plural(len(rows), 'run')}; {summary} {stopped}"
        yield from self._difference()

    def _of_programs(self, times: bool) -> Iterator[str]:
        """Answers and times of programs, a line each or summed up; on which instances they agree, or what differs."""
        yield from self.warnings
        yield from self._errors()
        if self.difference is not None or not self.agree:
            yield from [*self._difference()] or self.disagreements[:1]
        elif self.proved and self.undecided:
            yield "the same answers on every instance: proved"
        elif len(self.engines) > 1 and len(self.undecided) < len(self.instances):
            yield f"the same answers on {self.scope}"
            if self.proved and not self.exhausted:
                yield "and on every other instance: proved"
        elif len(self.engines) > 1:
            yield "on no instance it is known whether the answers are the same"
        if self.compared_by is not None and len(self.engines) > 1:
            yield self.compared_by
        yield from (f"note: {note}" for note in self.notes)
        if not times:
            return
        if len(self.rows) > (ROWS if self.exhausted is None else GENERATED):
            yield self._sums()
        elif self.rows:
            yield _table(self.rows, "program", "answers", lambda row: row.number_text)

    def _sums(self) -> str:
        lines = [["program", "instances", "answers", "not complete", "ms in all"]]
        for name in self.engines:
            rows = [row for row in self.rows if row.engine == name]
            answers = sum(len(row.outcome.solutions) for row in rows if row.outcome)
            stopped = sum(not row.complete for row in rows)
            spent = sum(row.seconds for row in rows) * 1000
            lines.append([name, f"{len(rows):,}", f"{answers:,}", str(stopped), f"{spent:.0f}"])
        return table(lines)

    def _errors(self) -> Iterator[str]:
        """What each contender raised, and how often."""
        by_error: dict[tuple[str, str], list[Row]] = {}
        for row in self.rows:
            if row.error:
                by_error.setdefault((row.engine, row.error), []).append(row)
        for (name, error), rows in by_error.items():
            if len(rows) == sum(row.engine == name for row in self.rows):
                yield f"{name} did not run: {error}"
            else:
                first = f" on {rows[0].instance}" + (f" and {len(rows) - 1} more" if len(rows) > 1 else "")
                yield f"{name} failed{first}: {error}"

    def _difference(self) -> Iterator[str]:
        return self.difference._lines(generated=self.exhausted is not None) if self.difference else iter(())

    def _repr_svg_(self) -> str | None:
        """A chart for notebooks; None, so that they show text, where no engine has run, or matplotlib is missing."""
        from bridge.drawing.plots import comparison_chart

        try:
            return comparison_chart(self.to_json())._repr_svg_()
        except (InputError, UnsupportedError):
            return None


def scope_text(number: int, finished: str | None, beyond: int, exhausted: bool | None) -> str:
    """On how many instances something was done, and up to which size that is all of them; see `Comparison`."""
    few = plural(number, "instance")
    if exhausted is None:
        return f"all {few}" if number > 1 else few
    if finished is None:
        return f"the first {few}"
    within = number - beyond
    upto = f"size {finished}" if finished.isdecimal() else finished
    rest = "; there are no others" if exhausted else f", and {beyond:,} beyond" if beyond else ""
    return f"{'all ' if within > 1 else ''}{plural(within, 'instance')} up to {upto}{rest}"


def _table(rows: Sequence[Row], who: str, what: str, cell: Callable[[Row], str]) -> str:
    phases = [phase for phase in PHASES if any(phase in row.statistics.seconds for row in rows)]
    counters = [counter for counter in COUNTERS if any(counter in row.statistics.counters for row in rows)]

    def cells(row: Row) -> list[str]:
        seconds, counted = row.statistics.seconds, row.statistics.counters
        times = [f"{seconds[p] * 1000:.2f}" if p in seconds else "" for p in phases]
        counts = [f"{counted[c]:,}" if c in counted else "" for c in counters]
        return [row.instance, row.engine, cell(row), f"{row.seconds * 1000:.2f}", *times, *counts]

    return table([["instance", who, what, "ms", *phases, *counters], *map(cells, rows)])


def _indented(text: str) -> str:
    return "  " + text.rstrip("\n").replace("\n", "\n  ")
