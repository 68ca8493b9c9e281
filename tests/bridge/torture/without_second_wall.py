"""The job for untrusted Prolog programs without its second wall: what gets by the check can do anything."""

from __future__ import annotations

from bridge.prolog.job_untrusted import confine, first_wall, load, pending, serve

__all__ = ["confine", "pending", "serve", "warm"]


def warm() -> None:
    """Start Prolog, and put up the first wall alone."""
    load()
    first_wall()
