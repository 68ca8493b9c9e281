"""Workers that end at the third instance, for the tests of what is lost: on this machine, and on a cluster."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bridge.batching import chunk_job, cluster
from bridge.isolation import frames
from bridge.limits import Limits
from bridge.outcome import Progress

warm = chunk_job.warm
real = cluster.on_worker


def serve(call: tuple[Any, ...], limits: Limits, progress: Progress) -> Iterator[tuple[Any, int]]:
    """`chunk_job.serve`, for `executors.JOB`."""
    name, data = call
    if name == "chunk":
        _end_at_the_third(data)
    yield from chunk_job.serve(call, limits, progress)


def on_worker(job: bytes, chunk: bytes, here: Mapping[str, str]) -> tuple[bytes, float]:
    """`cluster.on_worker`."""
    _end_at_the_third(frames.unpack(chunk))
    return real(job, chunk, here)


def _end_at_the_third(chunk: Sequence[Any]) -> None:
    if any(item[0] == 3 for item in chunk):
        os._exit(77)
