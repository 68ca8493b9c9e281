"""Parts of texts that a diagnosis of a puzzle and one of a program have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from bridge.common.english import plural
from bridge.common.nearest import meant
from bridge.outcome import Verdict
from bridge.texts.words import LIMITS

if TYPE_CHECKING:
    from bridge.analysis.ambiguity import Ambiguity
    from bridge.analysis.cores import Clash
    from bridge.analysis.repairs import Repairs
    from bridge.asp.outline import Outline

P = TypeVar("P")

#: The number of repairs, variables, groups or ways that are shown; the JSON has all.
SHOWN = 10


def verdict_text(found: Any, noun: str) -> str:
    """The verdict in a sentence; `noun` is what there is one of."""
    if found.verdict is Verdict.AMBIGUOUS and found.ambiguity is not None:
        least = "" if found.ambiguity.complete else "at least "
        return f"ambiguous: there are {least}{found.ambiguity.number:,} {noun}s"
    one = f"one {noun} was found, and perhaps there are others"
    none = f"no {noun} was found, and perhaps there is one"
    return {
        Verdict.UNIQUE: f"unique: there is exactly one {noun}",
        Verdict.AMBIGUOUS: f"ambiguous: there are two {noun}s or more",
        Verdict.IMPOSSIBLE: f"impossible: there is no {noun}",
        Verdict.UNKNOWN: f"unknown: {one if found.solutions else none}",
    }[found.verdict]


def end_lines(found: Any) -> Iterator[str]:
    """The limit that came first, and the notes."""
    if found.limit is not None:
        yield f"stopped by {LIMITS[found.limit]}: this is what was known by then"
    yield from (f"note: {note}" for note in found.notes)


def warning_lines(found: Any) -> Iterator[str]:
    """What clingo warns of; of an atom that is in no rule head, with the predicate that is perhaps meant."""
    for warning in found.warnings:
        _, undefined, atom = warning.partition("atom does not occur in any rule head: ")
        other = _meant(found.problem.outline, atom) if undefined else None
        yield f"{warning} (did you mean {other}?)" if other else warning


def _meant(outline: Outline, atom: str) -> str | None:
    """The predicate with the same name, or one with the same number of arguments and a similar name."""
    from bridge.problem.asp_oracle import signature

    heads = outline.given.union(*(one.heads for one in outline.statements))
    return " or ".join(f"{name}/{number}" for name, number in meant(signature(atom), heads)) or None


def not_computed(found: Any, what: str) -> Iterator[str]:
    """The line in place of a part that is None."""
    why = "" if found.limit is None else f" ({LIMITS[found.limit]} came first)"
    yield f"{what}: not computed{why}"


def proof_lines(clash: Clash[Any]) -> Iterator[str]:
    """Whether a clash is minimal."""
    if not clash.minimal:
        yield "  (not proved to be minimal: the time limit came first)"
    elif clash.smallest:
        yield "  (minimal, and no clash is smaller)"


def removal_lines(repairs: Repairs[P], noun: tuple[str, str], line: Callable[[int, Sequence[P]], str]) -> Iterator[str]:
    """What to take away.

    Parameters
    ----------
    noun
        What is taken away: singular and plural.
    line
        The text of a set, from its number and its premises.
    """
    if not repairs.sets:
        yield f"at least {plural(repairs.size, *noun)} must go; which ones was not found in time"
        return
    which = "any one of these" if repairs.size == 1 else f"{repairs.size} {noun[1]}, one of these sets"
    if len(repairs.sets) == 1:
        which = "this" if repairs.size == 1 else "these"
    yield f"take away {which}:"
    yield from shown_lines([line(number, one) for number, one in enumerate(repairs.sets)], repairs.complete)


def shown_lines(lines: Sequence[str], complete: bool) -> Iterator[str]:
    """The first lines of a list, the number of the others, and whether there may be more."""
    yield from (f"  {line}" for line in lines[:SHOWN])
    if len(lines) > SHOWN:
        yield f"  and {len(lines) - SHOWN} more"
    if not complete:
        yield "there may be others"


def count_text(number: int, ambiguity: Ambiguity) -> str:
    """How many solutions have a value: `3`, or `10 or more`."""
    exact = ambiguity.cap is None or (ambiguity.finished and number < ambiguity.cap)
    return str(number) if exact else f"{number} or more"
