"""The ground program as text, which only clingo's own program writes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import clingo

from bridge.asp.messages import Messages


class _Text(clingo.Application):
    program_name = "lpbridge"

    def __init__(self, messages: list[tuple[Any, str]]) -> None:
        self._messages = messages

    def logger(self, code: clingo.MessageCode, message: str) -> None:
        self._messages.append((code, message))


def write(files: Sequence[str], options: Sequence[str]) -> None:
    """Print the ground program on stdout, as `clingo --text` does. Nothing can stop it but the end of the process.

    Raises
    ------
    ProgramError
        When the program cannot be ground.
    """
    messages = Messages()
    logged: list[tuple[Any, str]] = []
    status = clingo.clingo_main(_Text(logged), [*files, "--text", *options])
    for code, message in logged:
        messages.log(code, message)
    if status not in (0, 10, 20, 30):
        raise messages.error("the program cannot be ground")
