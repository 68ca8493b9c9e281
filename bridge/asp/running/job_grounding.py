"""The ground program as clingo's own program writes it, which needs a process to itself."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from typing import Any

import clingo

from bridge.asp import internals
from bridge.asp.reading.constants import Constants
from bridge.asp.reading.messages import Messages, in_characters, texts_of_file
from bridge.asp.reading.scripts import Scripts
from bridge.asp.reading.source import check, check_options, read_file
from bridge.asp.running.job import in_folder, warm
from bridge.errors import SolverError
from bridge.isolation.resources import libc
from bridge.limits import Limits
from bridge.outcome import Progress

__all__ = ["in_folder", "serve", "warm"]


def serve(call: tuple[Any, ...], limits: Limits, progress: Progress) -> Iterator[tuple[Any, int]]:
    """Write the ground program: a form, files and options, after whether the program's scripts may run."""
    scripts, *arguments = call
    answer = _write(Scripts(lambda: None) if scripts else None, *arguments)
    progress.complete = True
    yield answer, 1


class _Gringo(clingo.Application):
    program_name = "lpbridge"

    def __init__(self, messages: list[tuple[Any, str]]) -> None:
        self._messages = messages

    def logger(self, code: clingo.MessageCode, message: str) -> None:
        self._messages.append((code, message))


def _write(scripts: Scripts | None, form: str, files: Sequence[str], options: Sequence[str]) -> list[str]:
    """Print the ground program on stdout, and return the warnings. Nothing can stop it but the end of the process."""
    check_options(options)
    constants = Constants(options)
    for file in files:
        text = read_file(file)
        check(text, file, scripts=scripts is not None)
        constants.look(text, file)
    constants.check()
    messages = Messages()
    logged: list[tuple[Any, str]] = []
    # A pipe whose reader is gone ends clingo, which does not look whether its output is written.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    output = "intermediate" if form == "aspif" else form
    with internals.logging():
        status = clingo.clingo_main(_Gringo(logged), ["--mode=gringo", f"--output={output}", *options, *files])
    if libc().fflush(None):
        raise SolverError("clingo's output could not be written")
    for code, message in logged:
        messages.log(code, message)
    if status not in (0, 10, 20, 30):
        raise (scripts and scripts.take(texts_of_file)) or messages.error("the program cannot be ground")
    return [in_characters(one, texts_of_file) for one in messages.warnings()]
