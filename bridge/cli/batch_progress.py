"""Runs a batch, with its progress: results, their speed, and the time that is left."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from time import monotonic
from typing import Any

import click

from bridge.cli.shared import ProgressLine
from bridge.errors import BridgeError

#: Seconds between two reports.
OFTEN = 0.5


def run_batch(ctx: click.Context, job: Any, items: Iterable[Any], results: Any,
              share: Callable[[BatchProgress], float | None],
              failed: Callable[[BridgeError], object] = lambda error: None, **how: Any) -> None:
    """Write the answers about the items that the results do not have yet; `failed` is called with an error first."""
    from bridge.batching.flow import answered, executor_for

    progress = BatchProgress(len(results.done), lambda: share(progress))
    try:
        todo = (item for item in items if item[0] not in results.done)
        with executor_for(job, ctx.params["jobs"], ctx.params["scheduler"]) as executor:
            for lines, number in answered(todo, executor, ordered=ctx.params["ordered"], **how):
                results.write(lines)
                progress.tell(number)
        results.complete()
    except KeyboardInterrupt:
        progress.end("interrupted" + ("; --resume goes on" if results.lasting else ""))
        ctx.exit(130)
    except BridgeError as error:
        progress.end("stopped")
        failed(error)
        raise
    finally:
        results.close()
    progress.end("done")


class BatchProgress:
    """The progress, on one line of a terminal; nothing if stderr is not a terminal.

    `before` is how many results were there, `share` which share of the input was read; None where that is not known.
    """

    def __init__(self, before: int, share: Callable[[], float | None]) -> None:
        self._share = share
        self._before = before
        self.number = 0
        self._started = self._said = monotonic()
        self._line = ProgressLine()

    def tell(self, number: int) -> None:
        """Count further results."""
        self.number += number
        if monotonic() - self._said >= OFTEN:
            self._said = monotonic()
            self._line.show(", ".join(self._parts()))

    def end(self, how: str) -> None:
        """Show the last line."""
        if self._line.shown:
            seconds = monotonic() - self._started
            self._line.clear()
            click.echo(f"{how}: {', '.join([*self._parts(left=False), f'{seconds:.1f} s'])}", err=True)

    def _parts(self, left: bool = True) -> Iterator[str]:
        seconds = max(monotonic() - self._started, 1e-9)
        yield f"{self._before + self.number:,} results"
        if self._before:
            yield f"{self._before:,} of them from before"
        yield f"{self.number / seconds:,.0f} a second"
        share = self._share() if left else None
        if share:
            # Results from an earlier run took no time in this one.
            whole = (self._before + self.number) / share
            yield f"{_clock((whole - self._before - self.number) * seconds / max(self.number, 1))} left"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
