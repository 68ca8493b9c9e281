"""The command `lpbridge`, called within this process: a process of its own takes a third of a second to start.

What is about the process itself (signals, closed pipes, what a program writes to the terminal) starts one.
"""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import time
from contextlib import chdir
from pathlib import Path
from unittest import mock

from click.testing import CliRunner
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

    return given_time(run, lambda done: done.returncode == 130, 1.0)


def called_bytes(
    *words: object, stdin: str | bytes | None = None, folder: Path = ROOT, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """What `lpbridge WORDS` prints, and its exit code."""
    arguments = ["lpbridge", *map(str, words)]
    with (
        chdir(folder),
        mock.patch.object(sys, "argv", arguments),
        mock.patch.dict(os.environ, env or {}),
        mock.patch.object(gc, "freeze"),  # it is for processes that end now
        CliRunner().isolation(input=stdin) as (out, err, *_),
    ):
        try:
            main()
        except SystemExit as end:
            code = end.code
        sys.stdout.flush()
        sys.stderr.flush()
        return subprocess.CompletedProcess(arguments, int(code or 0), out.getvalue(), err.getvalue())


def called(
    *words: object, stdin: str | bytes | None = None, folder: Path = ROOT, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """The same as text."""
    done = called_bytes(*words, stdin=stdin, folder=folder, env=env)
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())
