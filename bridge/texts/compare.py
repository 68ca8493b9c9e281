"""The texts of a comparison and of a difference, of puzzles and of programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from bridge.common.english import plural
from bridge.comparison.compare import Comparison, Difference, Row, answer_text
from bridge.texts.goals import goal_text
from bridge.texts.program_diagnosis import clash_lines
from bridge.texts.words import LIMITS, table

#: The phases and counters that are columns.
PHASES = ("load", "ground", "post", "solve", "decode")
COUNTERS = (
    "conflicts", "choices", "inferences", "nodes", "backtracks", "checks", "generated", "expanded", "branches",
)  # fmt: skip

#: More rows than these are summed up, a line for each contender; fewer where the instances were generated.
ROWS, GENERATED = 60, 20


def comparison_text(found: Comparison) -> str:
    """A comparison of engines on puzzles, or of programs, as people read it."""
    return of_puzzles(found) if found.kind else of_programs(found)


def of_puzzles(found: Comparison) -> str:
    """Verdicts and times of engines, a line each; what differs, and why."""
    rows = [row for row in found.rows if row.outcome is not None]
    lines = list(found.warnings)
    lines += [_table(rows, "engine", "verdict", _verdict)] if rows else []
    lines += _errors(found)
    if found.agree:
        summary = "of one engine:" if len(found.engines) == 1 else "the engines do not contradict each other:"
        instances = plural(len(found.instances), "instance")
        lines.append(f"{instances}, {plural(len(rows), 'run')}; {summary} {_stopped(found)}")
    lines += _difference(found)
    return "\n".join(lines)


def of_programs(found: Comparison) -> str:
    """Answers and times of programs, a line each or summed up; on which instances they agree, or what differs."""
    lines = [*found.warnings, *_errors(found)]
    if found.difference is not None or not found.agree:
        lines += [*_difference(found)] or [*found.disagreements[:1]]
    elif len(found.engines) > 1 and len(found.undecided) < len(found.instances):
        lines.append(f"the same answers on {found.scope}")
    elif len(found.engines) > 1:
        lines.append("on no instance it is known whether the answers are the same")
    lines += [f"note: {note}" for note in found.notes]
    if len(found.rows) > (ROWS if found.exhausted is None else GENERATED):
        lines.append(_sums(found))
    elif found.rows:
        lines.append(_table(found.rows, "program", "answers", _answers))
    return "\n".join(lines)


def _table(rows: Sequence[Row], who: str, what: str, cell: Callable[[Row], str]) -> str:
    phases = [phase for phase in PHASES if any(phase in _seconds(row) for row in rows)]
    counters = [counter for counter in COUNTERS if any(counter in _counted(row) for row in rows)]

    def cells(row: Row) -> list[str]:
        times = [f"{_seconds(row)[p] * 1000:.2f}" if p in _seconds(row) else "" for p in phases]
        counts = [f"{_counted(row)[c]:,}" if c in _counted(row) else "" for c in counters]
        return [row.instance, row.engine, cell(row), f"{row.seconds * 1000:.2f}", *times, *counts]

    return table([["instance", who, what, "ms", *phases, *counters], *map(cells, rows)])


def _sums(found: Comparison) -> str:
    lines = [["program", "instances", "answers", "not complete", "ms in all"]]
    for name in found.engines:
        rows = [row for row in found.rows if row.engine == name]
        answers = sum(len(row.outcome.solutions) for row in rows if row.outcome)
        stopped = sum(not row.complete for row in rows)
        spent = sum(row.seconds for row in rows) * 1000
        lines.append([name, f"{len(rows):,}", f"{answers:,}", str(stopped), f"{spent:.0f}"])
    return table(lines)


def _verdict(row: Row) -> str:
    assert row.outcome is not None
    limit = row.outcome.limit
    return str(row.verdict) + (f" ({LIMITS[limit]})" if limit not in (None, "solutions") else "")


def _answers(row: Row) -> str:
    if row.outcome is None:
        return "error"
    number = f"{len(row.outcome.solutions):,}"
    if row.complete:
        return number
    limit = row.outcome.limit
    return f"{number}+ ({'error' if limit is None else LIMITS[limit]})"


def _stopped(found: Comparison) -> str:
    stopped = sum(row.outcome is not None and row.outcome.limit not in (None, "solutions") for row in found.rows)
    return f"{stopped} stopped by a limit" if stopped else "every verdict is final"


def _errors(found: Comparison) -> Iterator[str]:
    """What each contender raised, and how often."""
    by_error: dict[tuple[str, str], list[Row]] = {}
    for row in found.rows:
        if row.error:
            by_error.setdefault((row.engine, row.error), []).append(row)
    for (name, error), rows in by_error.items():
        if len(rows) == sum(row.engine == name for row in found.rows):
            yield f"{name} did not run: {error}"
        else:
            first = f" on {rows[0].instance}" + (f" and {len(rows) - 1} more" if len(rows) > 1 else "")
            yield f"{name} failed{first}: {error}"


def _difference(found: Comparison) -> Iterator[str]:
    if found.difference is not None:
        yield difference_text(found.difference, generated=found.exhausted is not None)


def difference_text(found: Difference, *, generated: bool = True) -> str:
    """A difference in words: the instance, the answer, and why it is missing."""
    return "\n".join(_difference_lines(found, generated))


def _difference_lines(found: Difference, generated: bool) -> Iterator[str]:
    instance = found.instance
    few = plural(found.smaller, "smaller one")
    proved = "" if not found.smaller else f" ({few} {'was' if found.smaller == 1 else 'were'} not decided)"
    empty = not (instance.kind or instance.file or str(instance))
    if generated or not empty:  # otherwise the programs are compared as they are
        yield f"{'a smallest instance' if generated else 'the instance'} on which they differ{proved}:"
    if instance.kind:
        yield _indented(instance.drawn())
    elif instance.file is not None:
        yield f"  {instance.file}"
    elif generated or not empty:
        yield f"  {str(instance) or 'no facts'}"
    yield f"an answer that {found.has} has, and {found.lacks} has not:"
    yield _indented(answer_text(found.answer))
    yield from _why(found)


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.rstrip("\n").split("\n"))


def _why(found: Difference) -> Iterator[str]:
    reason = found.reason
    if reason is None:
        return
    if reason.violations:
        yield "it breaks rules of the puzzle:"
        yield from (f"  {line}" for line in reason.violations[:5])
    if reason.note is not None:
        yield reason.note
    if reason.renamed is not None:
        yield f"its {reason.renamed} has the same atoms: is that another name for it?"
    if reason.clash is not None and (reason.clash.premises or not reason.missing):
        with_it = f"with {reason.atom}" if reason.atom else "with this answer"
        yield "these cannot hold together:" if reason.note else f"{with_it}, these cannot hold together:"
        # The facts of an instance that comes from no file.
        yield from (line.replace("  <string>:", "  instance:", 1) for line in clash_lines(reason.clash))
    if reason.missing:
        yield f"the rules for {reason.atom}:"
        for one in reason.missing[:5]:
            values = ", ".join(f"{name} = {value}" for name, value in one.bindings)
            where = f"  {one.place.file}:{one.place.line}{f' with {values}' if values else ''}"
            yield f"{where}: {one.lacking} does not hold" if one.lacking else f"{where}: its body can hold"
    if reason.goal is not None:
        yield f"why {found.lacks} has it not:"
        yield _indented(goal_text(reason.goal))


def _seconds(row: Row) -> dict[str, float]:
    return row.outcome.statistics.seconds if row.outcome else {}


def _counted(row: Row) -> dict[str, int]:
    return row.outcome.statistics.counters if row.outcome else {}
