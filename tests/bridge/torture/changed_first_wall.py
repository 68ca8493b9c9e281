"""The job for untrusted Prolog programs whose first wall was changed after it was put up."""

from __future__ import annotations

from bridge.prolog import _janus, job_untrusted
from bridge.prolog.job_untrusted import confine, pending, serve

__all__ = ["confine", "pending", "serve", "warm"]


def warm() -> None:
    """Start Prolog, put up the first wall, and add a hook."""
    job_untrusted.load()
    job_untrusted.first_wall()
    _janus.janus().query_once("assertz((user:portray(_) :- fail))")
