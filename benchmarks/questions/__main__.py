"""Is the cause named on the first screen? Questions of people about programs of clingo and SWI-Prolog.

    python -m benchmarks.questions [--only NAME,...] [--outputs DIR] [--lpbridge COMMAND]
    python -m benchmarks.questions --save --title 'main, 1 May'

Each `.toml` here is a case: a question, most of them asked in public (`source`), with a program of ours that has the
same fault, the truth, its lines, and the commands that the README would have one run, the first of which should answer.
Of each command the first 12 lines are looked at, what is printed to stderr after stdout. The marks:

- named: the first command names a line of the fault and matches a pattern of `right` (of a cause or a remedy), and
  matches none of `wrong` (what is false, or leads away);
- elsewhere: another command does;
- misled: something of `wrong` is printed, and the first command does not name the cause;
- silent: none of these.

With `--outputs` what a command printed is kept in a folder, and not made again. Exit code 1: less than 75 % are named,
or more than 3 % misled.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from benchmarks.measure import machine

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
PAGE = ROOT / "benchmarks" / "results" / "questions.md"

#: So many lines are a first screen.
LINES = 12

#: Shares that are aimed at.
NAMED, MISLED = 0.75, 0.03

MARKS = ("named", "elsewhere", "silent", "misled")


@dataclass(frozen=True)
class Case:
    """A question with a program. Files are text by name; the first is the program."""

    name: str
    kind: str
    question: str
    truth: str
    lines: list[int]
    commands: list[list[str]]
    right: list[str]
    wrong: list[str]
    files: dict[str, str]
    #: Where it was asked in public; the others are made up.
    source: str = ""
    #: Whether a line of the fault has to be named, too.
    needs_line: bool = True
    #: What the solver itself prints, as a pattern; of a Prolog program for the goal.
    solver: str = ""
    goal: str = ""

    @property
    def language(self) -> str:
        return "Prolog" if next(iter(self.files)).endswith(".pl") else "clingo"

    @property
    def groups(self) -> tuple[str, ...]:
        """The rows of the table that count it."""
        origin = "asked in public" if self.source else "made up"
        return f"{self.language}: {self.kind}", self.language, origin, "all"

    def names(self, screen: str) -> bool:
        """Whether the cause is named on a screen."""
        line = rf"(?:p\.(?:lp|pl):|\blines? (?:\d+(?:, | and | to |-))*)(?:{'|'.join(map(str, self.lines))})\b"
        placed = not (self.needs_line and self.lines) or found([line], screen)
        return placed and found(self.right, screen) and not found(self.wrong, screen)


def found(patterns: Sequence[str], text: str) -> bool:
    return any(re.search(pattern, text, re.IGNORECASE) for pattern in patterns)


def cases() -> list[Case]:
    return [Case(path.stem, **tomllib.loads(path.read_text("utf-8"))) for path in sorted(HERE.glob("*.toml"))]


def screen(output: str) -> str:
    """The first lines, joined by blanks: a pattern may go on over the end of a line."""
    return " ".join(" ".join(output.splitlines()[:LINES]).split())


def printed(case: Case, command: Sequence[str], lpbridge: Sequence[str], seconds: float) -> str:
    """What a command prints, in a folder with the case's files, or had printed when the time was over."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in case.files.items():
            Path(folder, name).write_text(text, encoding="utf-8")
        path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
        try:
            run = subprocess.run(
                [*lpbridge, *command],
                cwd=folder, env={**os.environ, "PYTHONPATH": path}, stdin=subprocess.DEVNULL, capture_output=True,
                timeout=seconds,
            )  # fmt: skip
            parts = [run.stdout, run.stderr]
        except subprocess.TimeoutExpired as over:
            parts = [over.stdout or b"", over.stderr or b""]
    return "\n".join(text for part in parts if (text := part.decode("utf-8", "replace").rstrip("\n")))


def mark(case: Case, screens: Sequence[str]) -> str:
    if case.names(screens[0]):
        return "named"
    if any(found(case.wrong, text) for text in screens):
        return "misled"
    return "elsewhere" if any(map(case.names, screens)) else "silent"


def table(rows: Sequence[tuple[Case, str, float]]) -> str:
    """Marks by kind, in Markdown, with the seconds of first commands."""
    lines = ["| | questions | " + " | ".join(MARKS) + " | median s | worst s |", "|---|" + "--:|" * (len(MARKS) + 3)]
    groups = {f"{case.language}: {case.kind}" for case, _, _ in rows}
    for group in [*sorted(groups), "clingo", "Prolog", "asked in public", "made up", "all"]:
        chosen = [row for row in rows if group in row[0].groups]
        if not chosen:
            continue
        numbers = [sum(row[1] == name for row in chosen) for name in MARKS]
        whole = group not in groups
        counts = [f"{number} ({number / len(chosen):.0%})" if whole else str(number) for number in numbers]
        times = [row[2] for row in chosen]
        figures = [len(chosen), *counts, f"{statistics.median(times):.1f}", f"{max(times):.1f}"]
        lines.append(f"| {f'**{group}**' if whole else group} | " + " | ".join(map(str, figures)) + " |")
    return "\n".join(lines) + "\n"


HEAD = f"""# Is the cause named on the first screen?

`python -m benchmarks.questions --save --title TITLE`: questions that people asked about their programs, by kind. A
cause is named where the first {LINES} lines of the first command have its line, the cause or the remedy, and nothing
that is wrong.
"""


def save(page: Path, title: str, text: str) -> None:
    """Write a section of the page, in place of one of the same title."""
    head, *sections = page.read_text("utf-8").split("\n## ") if page.exists() else [HEAD]
    kept = [section for section in sections if section.split("\n")[0] != title]
    parts = [part.rstrip() + "\n" for part in (head, *kept, f"{title}\n\n{text}")]
    page.write_text("\n## ".join(parts), "utf-8")


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="names of cases, with commas between")
    ours = shlex.join([sys.executable, "-m", "bridge"])
    parser.add_argument("--lpbridge", default=ours, metavar="COMMAND", help="what is asked")
    parser.add_argument("--seconds", type=float, default=30, help="the most for a command")
    parser.add_argument("--outputs", type=Path, help="a folder that keeps what is printed")
    parser.add_argument("--save", type=Path, nargs="?", const=PAGE, help="write a section of the page of results")
    parser.add_argument("--title", default="Today", help="of that section")
    given = parser.parse_args(argv)
    chosen = [case for case in cases() if not given.only or case.name in given.only.split(",")]
    if not chosen:
        parser.error(f"no case is called {given.only}")
    rows = []
    for case in chosen:
        screens, seconds = [], []
        for number, command in enumerate(case.commands, 1):
            kept = given.outputs and given.outputs / f"{case.name}.{number}.txt"
            started = perf_counter()
            if kept and kept.exists():
                text = kept.read_text("utf-8")
            else:
                text = printed(case, command, shlex.split(given.lpbridge), given.seconds)
                if kept:
                    kept.parent.mkdir(parents=True, exist_ok=True)
                    kept.write_text(text, "utf-8")
            seconds.append(perf_counter() - started)
            screens.append(screen(text))
        rows.append((case, mark(case, screens), seconds[0]))
        print(f"{case.name:36} {case.kind:28} {rows[-1][1]:10} {seconds[0]:5.1f} s", flush=True)
    text = table(rows)
    print(f"\n{text}", end="")
    if given.save:
        save(given.save, given.title, f"{machine()}\n\n{text}")
    marks = [row[1] for row in rows]
    return int(marks.count("named") < NAMED * len(marks) or marks.count("misled") > MISLED * len(marks))


if __name__ == "__main__":
    sys.exit(main())
