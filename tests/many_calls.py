"""Many calls of the command line, each in a process forked from one that has it loaded: a second for a hundred.

`called` is for tests. As a program, this reads lines of calls as JSON from standard input, and writes what came of them.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import pkgutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent

#: So many calls in a process.
CHUNK = 64


@dataclass(frozen=True)
class Called:
    """What came of a call."""

    words: tuple[str, ...]
    code: int
    out: str
    err: str


def called(
    calls: Sequence[Sequence[Any]], *, stdin: str = "empty", stdout: str = "kept", cwd: Path = ROOT
) -> list[Called]:
    """Call `lpbridge` with each of these words.

    Parameters
    ----------
    stdin
        `empty`, or `closed`.
    stdout
        `kept`; or a device that is `full`, a pipe whose reader is `gone`, or `closed`.
    """
    asked = {"calls": [[*map(str, words)] for words in calls], "stdin": stdin, "stdout": stdout, "cwd": str(cwd)}
    process = _loaded()
    print(json.dumps(asked), file=process.stdin, flush=True)
    line = process.stdout.readline()
    assert line, "it has ended"
    import json_forms  # here: this is a program, too

    found = [Called(tuple(words), code, out, err) for words, code, out, err in json.loads(line)]
    for one in found:
        json_forms.check(one.words, one.out)
    return found


@cache
def _loaded() -> subprocess.Popen[str]:
    """The process that has everything loaded; it ends with this one."""
    return subprocess.Popen(
        [sys.executable, __file__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


def _forked(words: list[str], stdin: str, stdout: str) -> tuple[int, str, str]:
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        pid = os.fork()
        if pid == 0:
            _become(words, stdin, stdout, out.fileno(), err.fileno())
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        return code, _text(out), _text(err)


def _become(words: list[str], stdin: str, stdout: str, out: int, err: int) -> None:
    """Be `lpbridge` with these words."""
    code = _main(words, stdin, stdout, out, err)
    _end_workers()
    os._exit(code)


def _main(words: list[str], stdin: str, stdout: str, out: int, err: int) -> int:
    """The exit code of `lpbridge` with these words, in this process."""
    os.dup2(err, 2)
    if stdin == "closed":
        os.close(0)
    else:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    if stdout == "gone":
        reading, out = os.pipe()
        os.close(reading)
    elif stdout == "full":
        out = os.open("/dev/full", os.O_WRONLY)
    if stdout == "closed":
        os.close(1)
    else:
        os.dup2(out, 1)
    sys.stdin, sys.stdout, sys.stderr = (
        None if how == "closed" else open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115
        for number, mode, how in ((0, "r", stdin), (1, "w", stdout), (2, "w", "kept"))
    )
    sys.argv = ["lpbridge", *words]
    from bridge.cli import main

    code: Any = 70
    try:
        main()
    except SystemExit as error:
        code = error.code
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except (OSError, AttributeError, ValueError) as error:
                os.write(2, f"Exception ignored at exit: {error}\n".encode())
    return code if isinstance(code, int) else 71


def _end_workers() -> None:
    import atexit

    atexit._run_exitfuncs()


def _chunk(calls: list[list[str]]) -> list[tuple[int, str, str]]:
    """Several calls in one process, up to one that ends it."""
    with tempfile.TemporaryFile("w+") as results:
        pid = os.fork()
        if pid == 0:
            for words in calls:
                with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
                    code = _main(words, "empty", "kept", out.fileno(), err.fileno())
                    texts = [_text(file) for file in (out, err)]
                results.write(f"{json.dumps([code, *texts])}\n")
                results.flush()
            _end_workers()
            os._exit(0)
        os.waitpid(pid, 0)
        results.seek(0)
        return [tuple(json.loads(line)) for line in results]


def _text(file: Any) -> str:
    file.seek(0)
    text: str = file.read().decode("utf-8", "surrogateescape")
    return text


def _load_everything() -> None:
    """Import every module that a command may import: a forked process has them already."""
    import click.shell_completion  # noqa: F401

    import bridge

    for module in pkgutil.walk_packages(bridge.__path__, "bridge."):
        if not module.name.endswith("__main__"):
            with suppress(ImportError):  # of an extra that is not installed
                importlib.import_module(module.name)
    gc.freeze()


def _run() -> None:
    _load_everything()
    for line in sys.stdin:
        asked = json.loads(line)
        os.chdir(asked["cwd"])
        told: list[Any] = []
        calls, how = asked["calls"], (asked["stdin"], asked["stdout"])
        while len(told) < len(calls):
            rest = calls[len(told) : len(told) + CHUNK]
            found = _chunk(rest) if how == ("empty", "kept") else []
            if len(found) < len(rest):
                found.append(_forked(rest[len(found)], *how))
            told += [[words, *one] for words, one in zip(rest, found, strict=False)]
        print(json.dumps(told), flush=True)


if __name__ == "__main__":
    _run()
