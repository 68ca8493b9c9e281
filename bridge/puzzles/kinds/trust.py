"""Whether the program of a kind from a file runs in a process of its own.

It does, as every program that somebody else wrote: then a limit ends it. Two do not: a program that comes with lpbridge
(`ours`), on an instance of usual size; and any program in a process that is a worker already, and is ended from outside
(`alone`).
"""

from __future__ import annotations

from collections.abc import Iterable

from bridge.common import regex

#: The largest value of a constant, a size mostly, that counts as usual.
USUAL = 40

_LARGE_NUMBER = regex("[0-9]{7}")
_worker = False
_ours: set[str] = set()


def alone() -> None:
    """This process is a worker: programs of kinds run in it."""
    global _worker
    _worker = True


def ours(text: str) -> None:
    """A program that comes with lpbridge."""
    _ours.add(text)


def isolated(program: str, facts: str = "", constants: Iterable[object] = ()) -> bool:
    """Whether a program, with facts and values of constants, runs in a process of its own."""
    if _worker:
        return False
    usual = all(isinstance(value, int) and value <= USUAL for value in constants) and not _LARGE_NUMBER.search(facts)
    return program not in _ours or not usual
