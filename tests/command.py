"""The command `lpbridge`, called within this process: a process of its own takes a third of a second to start.

What is about the process itself (signals, closed pipes, what a program writes to the terminal) starts one.
"""

from __future__ import annotations

import gc
import io
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import json_forms
from patience import PATIENCE, given_time
from shared_data import ROOT

from bridge.cli import main

COMMAND = [sys.executable, "-m", "bridge"]


def interrupted_after_a_while(*words: object, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """What `lpbridge WORDS`, which does not end, prints when Ctrl-C comes in the middle of its work."""

    def run(seconds: float) -> subprocess.CompletedProcess[str]:
        arguments = [*COMMAND, *map(str, words)]
        with subprocess.Popen(
            arguments, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process:
            time.sleep(seconds)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=PATIENCE)
        return subprocess.CompletedProcess(arguments, process.returncode, out, err)

    # Before the work has begun, Ctrl-C leaves nothing to print.
    return given_time(run, lambda done: done.returncode == 130 and (done.stdout or "--json" not in words), 1.0)


def called_bytes(
    *words: object,
    stdin: bytes | None = None,
    folder: Path = ROOT,
    env: dict[str, str] | None = None,
    merged: bool = False,
) -> subprocess.CompletedProcess[bytes]:
    """What `lpbridge WORDS` prints, with what the processes print that it starts, and its exit code.

    Parameters
    ----------
    merged
        Errors go where the output goes, as on a terminal.
    """
    arguments = ["lpbridge", *map(str, words)]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, tempfile.TemporaryFile() as typed:
        typed.write(stdin or b"")
        typed.seek(0)
        given = io.TextIOWrapper(typed, encoding="utf-8")  # with a descriptor: programs may read it themselves
        with (
            chdir(folder), mock.patch.dict(os.environ, env or {}),
            _descriptor(1, out.fileno()), _descriptor(2, (out if merged else err).fileno()),
            mock.patch.object(sys, "argv", arguments), mock.patch.object(sys, "stdin", given),
            mock.patch.object(gc, "freeze"),  # it is for processes that end now
        ):  # fmt: skip
            heard = signal.getsignal(signal.SIGINT)
            try:
                main()
                code: Any = 0
            except SystemExit as end:
                code = end.code
            finally:
                signal.signal(signal.SIGINT, heard)  # `main` leaves it to the system: the next Ctrl-C would end pytest
        out.seek(0)
        err.seek(0)
        done = subprocess.CompletedProcess(arguments, int(code or 0), out.read(), err.read())
        if not merged:
            json_forms.check(arguments[1:], done.stdout)
        return done


def called(
    *words: object, stdin: str | None = None, folder: Path = ROOT, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """The same as text."""
    done = called_bytes(*words, stdin=None if stdin is None else stdin.encode(), folder=folder, env=env)
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


@contextmanager
def _descriptor(number: int, instead: int) -> Iterator[None]:
    """Standard output or error, for Python and for the processes that it starts, into a file."""
    kept = os.dup(number)
    os.dup2(instead, number)
    stream = io.TextIOWrapper(io.FileIO(os.dup(instead), "w"), encoding="utf-8", write_through=True)
    try:
        with mock.patch.object(sys, {1: "stdout", 2: "stderr"}[number], stream):
            yield
            stream.flush()
    finally:
        os.dup2(kept, number)
        os.close(kept)
