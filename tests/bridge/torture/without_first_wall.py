"""The job for untrusted Prolog programs without its first wall: nothing is looked at before it runs."""

from __future__ import annotations

from bridge.prolog.job_untrusted import confine, load, pending, second_wall, serve

__all__ = ["confine", "pending", "serve", "warm"]


def warm() -> None:
    """Start Prolog, and put up the second wall alone."""
    load()
    second_wall()
