"""The methods of `Local` that a session in another process calls, and what reads their answers.

The answers are checked, since the program may have harmed the process that they come from. `run` is not among these:
it streams.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bridge.errors import ProgramError
from bridge.isolation.frames import text, texts


def _main(answer: Any) -> str | None:
    return None if answer is None else text(answer)


def _exports(answer: Any) -> list[tuple[str, int]]:
    return [(text(name), int(arity)) for name, arity in answer]


#: By the name of the method; what reads an answer raises an exception when it is not one.
CALLS: dict[str, Callable[[Any], Any]] = {"names": texts, "text": text, "exports": _exports, "main": _main}


def ended(exit_code: int) -> ProgramError:
    """The error of a call after the program has ended."""
    return ProgramError(f"the program has ended: it called halt({exit_code})", hint="make a new session")
