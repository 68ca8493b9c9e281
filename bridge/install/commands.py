"""Running other programs, to install or to examine: argument lists, never a shell; quiet unless they fail."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

#: Called with one line a step.
Say = Callable[[str], None]

#: Called before anything is changed in the system; True means go on.
Agree = Callable[[str], bool]


class CommandError(Exception):
    """A command ended with an error; the text is the command's own last words."""


def run(command: Sequence[str], *, cwd: Path | None = None, env: Mapping[str, str] | None = None) -> str:
    """Run a command, a program and its arguments, to its end, and return its output; `env` is set besides what is.

    Raises CommandError when it cannot be started, or ends with something else than 0.
    """
    try:  # in plain English, because the answers of some are read here
        return _output(command, cwd=cwd, env={"LC_ALL": "C", **(env or {})})
    except OSError as error:
        raise CommandError(f"{command[0]} cannot be started: {error.strerror}") from None
    except CommandError as error:
        raise CommandError(f"{Path(command[0]).name}: {error}") from None


def last_line(command: Sequence[str], env: Mapping[str, str] | None = None) -> str:
    """The last line that a process prints that looks at something; CommandError, with how, if it does not end well."""
    name = Path(command[0]).name
    try:
        lines = _output(command, env=env or {}, timeout=60).splitlines()
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CommandError(f"{name} does not run: {error}") from error
    if not lines:
        raise CommandError(f"{name} ended well but said nothing")
    return lines[-1]


def _output(command: Sequence[str], *, env: Mapping[str, str], **how: Any) -> str:
    how |= {"env": {**os.environ, **env}, "errors": "replace"}
    done: subprocess.CompletedProcess[str]
    done = subprocess.run(list(command), capture_output=True, text=True, check=False, **how)
    if done.returncode != 0:
        raise CommandError(last_words(done.stderr or done.stdout, done.returncode))
    return done.stdout


def last_words(text: str, code: int) -> str:
    """What a program that failed said at the end: its lines marked as errors if any, else its last line."""
    if code < 0:
        return f"killed by {signal.Signals(-code).name}"
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    marked = [line for line in lines if line.startswith(("E: ", "ERROR: ", "error: ")) or " error: " in line]
    return "; ".join(marked[-3:] or lines[-1:]) or f"exit code {code}"
