"""A job that runs given Python code in a fork of its confined process."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from typing import Any

from bridge.isolation import frames
from bridge.isolation.job_loop import JobLoop
from bridge.limits import Limits
from bridge.outcome import Progress
from torture import any_python

loops: list[JobLoop] = []
state: list[int] = []


def warm() -> None:
    """There is nothing to load."""


def connect(loop: JobLoop) -> None:
    loops.append(loop)


def serve(call: tuple[Any, ...], limits: Limits, progress: Progress) -> Iterator[tuple[Any, int]]:
    name, expression, seconds, memory = call
    names = {"loop": loops[0], "state": state, "resource": resource}

    def work() -> Any:
        return next(any_python.serve((name, expression), limits, Progress(), names))[0]

    (found,) = (fork.result for fork in loops[0].forks([work], Limits(seconds=seconds, memory=memory)))
    progress.complete = True
    yield frames.unpack(found) if isinstance(found, bytes) else found, 1
