"""The toplevel of a real swipl, driven through a pipe."""

from __future__ import annotations

import os
import re
import selectors
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from bridge.isolation.resources import die_with_parent
from bridge.prolog.locate import current

_FRAME = re.compile(b"\x01(\\w+)\x02([^\x03]*)\x03")


class Stuck(Exception):
    """The toplevel did not answer in time, or ended. It is gone."""


@dataclass(frozen=True)
class Reply:
    """What the toplevel printed for one query.

    Attributes
    ----------
    answers
        The text of each answer, as many as were asked for.
    end
        How it ended: `last` and `no` when there are no more answers, `stopped`, or `error`.
    """

    answers: tuple[str, ...]
    end: str


class Toplevel:
    """One process. Close it."""

    def __init__(self, patience: float = 20.0) -> None:
        self._patience = patience
        command = [str(current().swipl), "-q", "--no-tty", str(Path(__file__).with_suffix(".pl"))]
        parent = os.getpid()
        self._process = subprocess.Popen(  # a query that never ends must not outlive a campaign that was killed
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            preexec_fn=lambda: die_with_parent(parent),
        )
        self._buffer = b""

    def ask(self, query: str, most: int) -> Reply:
        """Run a query, without its final dot, for up to so many answers.

        Raises
        ------
        Stuck
            When nothing comes, or an answer cannot be printed.
        """
        self._write(f"{query}.\n")
        answers: list[str] = []
        while True:
            word, text = self._frame()
            if word == "error" and "acyclic_term" in text:  # of the toplevel itself, when it prints an answer
                self.close()
                raise Stuck("the toplevel cannot print a cyclic answer")
            if word in ("more", "last"):
                answers.append(bare(text))
            if word != "more":
                return Reply(tuple(answers), word)
            self._write(";\n" if len(answers) < most else "\n")

    def _write(self, text: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(text.encode())
        except OSError:
            self.close()
            raise Stuck("the toplevel ended") from None

    def _frame(self) -> tuple[str, str]:
        assert self._process.stdout is not None
        due = time.monotonic() + self._patience
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            while (found := _FRAME.search(self._buffer)) is None:
                left = due - time.monotonic()
                more = self._process.stdout.read(1 << 16) if left > 0 and selector.select(left) else b""
                if not more:
                    self.close()
                    raise Stuck("the toplevel does not answer")
                self._buffer += more
        self._buffer = self._buffer[found.end() :]
        return found[1].decode(), found[2].decode()

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                assert pipe is not None
                pipe.close()


def bare(text: str) -> str:
    """The text of an answer without what ends it."""
    text = text.strip()
    return text.removesuffix(".") if text.endswith(".") else text
