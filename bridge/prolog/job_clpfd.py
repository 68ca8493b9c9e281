"""As `job`, with library(clpfd) in memory: for programs that load it."""

from __future__ import annotations

from bridge.prolog import _janus, job
from bridge.prolog.job import pending, serve

__all__ = ["pending", "serve", "warm"]


def warm() -> None:
    """Start Prolog, and load library(clpfd)."""
    job.warm()
    _janus.call("warm_clpfd", module="lpbridge_worker")
