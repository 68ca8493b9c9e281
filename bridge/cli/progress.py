"""A line of progress on standard error, which is written over."""

from __future__ import annotations

import shutil
import sys

from bridge.cli.streams import ERASE, write_styled
from bridge.common.closing import Closing
from bridge.outcome import OnProgress


class ProgressLine(Closing):
    """The line; where standard error is not a terminal, or it is not wanted, it is not `shown`."""

    def __init__(self, wanted: bool = True) -> None:
        self.shown = wanted and sys.stderr.isatty()

    def show(self, text: str) -> None:
        """Replace what is there."""
        if self.shown:
            width = shutil.get_terminal_size().columns - 1  # a line that wraps is not written over
            write_styled(f"{ERASE}{text[:width]}", sys.stderr)

    def clear(self) -> None:
        """Remove it, before anything else is printed."""
        self.show("")

    close = clear


def of_steps(line: ProgressLine) -> OnProgress | None:
    """What a line shows while the steps of an explanation are looked for."""
    return (lambda found, seconds: line.show(f"looking for step {found + 1}, {seconds:.0f} s")) if line.shown else None
