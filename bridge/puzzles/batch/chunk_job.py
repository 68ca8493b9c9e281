"""A batch's job in a worker: one `Job` a worker, and chunk after chunk for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bridge.isolation.watchdog import Watch
from bridge.limits import Limits
from bridge.outcome import Progress
from bridge.puzzles.batch.jobs import Job, answers
from bridge.puzzles.kinds.trust import alone

_jobs: list[Job] = []  # none or one
_watch = Watch(lambda: None)  # a watch that stays open makes others cheaper


def warm() -> None:
    """Load what most jobs need."""


def serve(call: tuple[Any, ...], limits: Limits, progress: Progress) -> Iterator[tuple[Any, int]]:
    """Answer one call: `open` with a job, or `chunk` with a chunk."""
    name, data = call
    if name == "open":
        alone()
        _jobs.append(Job.unpack(data))
        _watch.__enter__()
        progress.complete = True
    else:
        found = answers(_jobs[0], data)
        progress.complete = True
        yield found, 1
