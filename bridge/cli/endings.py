"""What the answers of clingo and of SWI-Prolog have in common in `run`: showing each, and how the search ended."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import click

from bridge.common.english import LIMITS, plural
from bridge.common.interrupts import deferred
from bridge.outcome import Count, Outcome, Stream


def each(stream: Stream[Any], show: Any, *, isolated: bool = False) -> tuple[bool, int]:
    """Show every answer, on Ctrl-C also those that had arrived; whether it was pressed, and the number of answers.

    `isolated`: the stream waits for a worker, and does nothing else that takes long.
    """
    count, pressed = 0, False
    try:
        with deferred() if isolated else nullcontext():
            for answer in stream:
                count += 1
                with deferred():
                    show(count, answer)
    except KeyboardInterrupt:
        pressed = True
        stream.interrupted()
        for answer in stream.leftover():
            count += 1
            show(count, answer)
    return pressed, count


def ended(outcome: Outcome[Any]) -> dict[str, Any]:
    data = {"statistics": outcome.statistics.to_json(), "limit": outcome.limit}
    more = {"rung": outcome.rung, "remark": outcome.remark}
    return data | {name: value for name, value in more.items() if value is not None}


def end(outcome: Outcome[Any]) -> str:
    if outcome.complete:
        return "the search is complete"
    remark = f" ({outcome.remark})" if outcome.remark else ""
    if outcome.limit is None:
        return f"there may be more{remark}"
    return f"stopped by {LIMITS[outcome.limit]}{remark}, there may be more"


def found_and_end(outcome: Outcome[Any]) -> str:
    """The number of solutions, and how the search ended: the last line of `solve`."""
    found = plural(len(outcome.solutions), "solution") if outcome.solutions or not outcome.complete else "no solution"
    remark = f" ({outcome.remark})" if outcome.remark else ""
    return f"{found}{remark}; {end(replace(outcome, remark=None))}"


def counted(found: Count, noun: str) -> str:
    """A number of answers; a lower bound where something stopped the count, and nothing where none was found."""
    if found.complete:
        return plural(found.number, noun)
    number = f"at least {plural(found.number, noun)}" if found.number else f"no {noun} found"
    return f"{number}, stopped by {'an option of clingo' if found.limit is None else LIMITS[found.limit]}"


def warn(warnings: Sequence[str]) -> None:
    for warning in warnings:
        click.echo(f"lpbridge: {warning}", err=True)
