"""clingo's messages as errors with file, line and column.

clingo tells a logger what is wrong and then raises a RuntimeError that only says that something was. Here the two are
put together again.
"""

from __future__ import annotations

import re
from pathlib import Path

import clingo

from bridge.errors import Place, ProgramError

_MESSAGE = re.compile(
    r"(?P<file>.+?):(?P<line>\d+):(?P<column>\d+)(?:-[\d:]+)?: (?:error|warning|info|note): (?P<text>.*)", re.DOTALL
)
_HINTS = (
    ("unsafe", "give each variable a positive literal in the body"),
    ("file could not be opened", "check the path"),
    ("syntax error", "mend the line; every rule ends with a dot"),
)


class Messages:
    """What one Control has said. Its `log` is the logger to pass to clingo."""

    def __init__(self) -> None:
        self._said: list[tuple[clingo.MessageCode, str]] = []

    def log(self, code: clingo.MessageCode, text: str) -> None:
        # An exception in a logger ends the process: nothing here can raise.
        self._said.append((code, text))

    def warnings(self) -> list[str]:
        """Everything said that was not an error, as clingo wrote it."""
        return [text.strip() for code, text in self._said if code is not clingo.MessageCode.RuntimeError]

    def error(self, fallback: str) -> ProgramError:
        """The first error said since the last one taken, as a ProgramError that shows place and line."""
        texts = [text.strip() for code, text in self._said if code is clingo.MessageCode.RuntimeError]
        self._said.clear()
        text = texts[0] if texts else fallback
        hint = next((hint for word, hint in _HINTS if word in text), None)
        if (match := _MESSAGE.match(text)) is None:
            return ProgramError(" ".join(text.split()), hint=hint)
        place = Place(match["file"], int(match["line"]), int(match["column"]))
        message = " ".join(match["text"].split())
        if (line := _line(place)) is not None:
            message += f", in `{line}`"
        return ProgramError(message, where=place, hint=hint)


def _line(place: Place) -> str | None:
    """The line of the program that the message is about, where it can be had."""
    try:
        lines = Path(place.file or "").read_text(encoding="utf-8").splitlines()
        return lines[(place.line or 0) - 1].strip()
    except (OSError, UnicodeDecodeError, IndexError, ValueError):
        return None
