"""A batch's job in a worker: one `Job` a worker, and chunk after chunk for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bridge.batching.items import Answering, answering
from bridge.isolation.watchdog import Watch
from bridge.limits import Limits
from bridge.outcome import Progress

_jobs: list[tuple[Answering, Any]] = []  # none or one
_watch = Watch(lambda: None)  # a watch that stays open makes others cheaper


def warm() -> None:
    """Load what most jobs need."""


def serve(call: tuple[Any, ...], limits: Limits, progress: Progress) -> Iterator[tuple[Any, int]]:
    """Answer one call: `open` with a job and the name of its module, or `chunk` with a chunk."""
    name, data = call
    if name == "open":
        module = answering(data[0])
        module.begin()
        _jobs.append((module, module.unpack(data[1])))
        _watch.__enter__()
        progress.complete = True
    else:
        module, job = _jobs[0]
        found = module.answers(job, data)
        progress.complete = True
        yield found, 1
