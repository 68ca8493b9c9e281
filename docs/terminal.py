"""The picture of a terminal that README.md shows: `python docs/terminal.py` runs the commands and writes it."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

from bridge.drawing.shapes import label, rect, standalone
from bridge.drawing.themes import DARK

ROOT = Path(__file__).parent.parent

COMMANDS = (
    "lpbridge diagnose examples/why/timetable.lp examples/why/monday.lp",
    "lpbridge debug examples/debug/student.lp --against examples/debug/teacher.lp -i examples/debug/graph.lp",
)
#: The most lines of each command, the size of the font, the width of a character, the height of a line.
MOST, SIZE, WIDE, HIGH = 13, 13.0, 7.85, 19.0


def picture() -> str:
    """The commands and the first lines that they print, as SVG."""
    lines: list[tuple[str, str, bool]] = []
    for command in COMMANDS:
        arguments = [sys.executable, "-m", "bridge", *shlex.split(command)[1:]]
        printed = subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True, check=False).stdout.splitlines()
        more = [("...", DARK.muted, False)] if len(printed) > MOST else []
        lines += [(f"$ {command}", DARK.solved, True), *((line, DARK.ink, False) for line in printed[:MOST]), *more]
        lines += [("", DARK.ink, False)]
    width, height = max(len(line) for line, _, _ in lines) * WIDE + 32, len(lines) * HIGH + 28
    shapes = [rect(0, 0, width, height, DARK.paper, round_by=8)]
    for number, (line, colour, bold) in enumerate(lines, 1):
        blanks = line.replace(" ", "\N{NO-BREAK SPACE}")
        shapes.append(label(16, 12 + number * HIGH, blanks, SIZE, colour, anchor="start", code=True, bold=bold))
    return standalone(width, height, "lpbridge in a terminal", "\n".join(line for line, _, _ in lines), shapes)


if __name__ == "__main__":
    (ROOT / "docs" / "images" / "terminal.svg").write_text(picture(), encoding="utf-8")
