"""Whether the program of a kind from a file runs in a process of its own.

It does, as every program that somebody else wrote: then a limit ends it. A process that is a worker already, and that
is ended from outside, says `alone()`.
"""

from __future__ import annotations

_worker = False


def alone() -> None:
    """This process is a worker: programs of kinds run in it."""
    global _worker
    _worker = True


def isolated() -> bool:
    return not _worker
