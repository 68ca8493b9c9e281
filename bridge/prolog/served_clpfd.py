"""As `served`, with library(clpfd) in memory: for programs that load it."""

from __future__ import annotations

from bridge.prolog import _janus, served
from bridge.prolog.served import pending, serve

__all__ = ["pending", "serve", "warm"]


def warm() -> None:
    """Start Prolog, and load library(clpfd)."""
    served.warm()
    _janus.call("warm_clpfd", module="lpbridge_worker")
