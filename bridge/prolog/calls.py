"""The methods of `Local` that a session in another process calls, and what reads their answers.

The answers are checked, since the program may have harmed the process that they come from. `run` is not among these:
it streams.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bridge.errors import ProgramError
from bridge.isolation.plain import form_of
from bridge.prolog.message import MESSAGE

#: Of loaded programs: messages, the operators, and the exit code of one that has ended.
LOADED = form_of(tuple[list[MESSAGE], str, int | None])

#: By the name of the method; what reads an answer raises an exception when it is not one.
CALLS: dict[str, Callable[[Any], Any]] = {
    "names": form_of(list[str]).read,
    "text": form_of(str).read,
    "exports": form_of(list[tuple[str, int]]).read,
    "main": form_of(str | None).read,
    "consult": LOADED.read,
    "add_facts": form_of(None).read,
}


def ended(exit_code: int) -> ProgramError:
    """The error of a call after the program has ended."""
    return ProgramError(f"the program has ended: it called halt({exit_code})", hint="make a new session")
