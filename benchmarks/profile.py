"""Which rule makes a program slow, and which rewriting helps? Twenty programs that are known to be slow.

    python -m benchmarks.profile [NAME...] [--seconds 30] [--save]

Each program of `benchmarks/slow` has a comment `% slow` in the lines that are to blame, and an encoding beside it,
`NAME.better.lp`, that is known to be better. `bridge.profile` gets the program alone. What it finds is measured again
by clingo, ground rules and seconds: the program, with all its rewritings, and the better encoding.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from bridge import asp
from bridge.asp.profiling import search_profile
from bridge.limits import Limits
from bridge.profiling.profile import profile

SLOW = Path(__file__).parent / "slow"
RESULTS = Path(__file__).parent / "results" / "profile.md"

#: Seconds for a program as clingo grounds it.
PATIENCE = 60.0


@dataclass(frozen=True)
class Size:
    """What clingo makes of a program: ground rules, and the seconds of grounding and of a first answer set."""

    rules: int
    seconds: float
    complete: bool

    def __str__(self) -> str:
        return f"{self.rules:,}{'' if self.complete else '+'} | {self.seconds:.2f}"


def size_of(program: str | Path) -> Size:
    with asp.Program(program) as loaded:
        ground = loaded.grounding(limits=Limits(seconds=PATIENCE))
    seconds, complete = ground.seconds, ground.complete
    if complete:
        found = search_profile(program, limits=Limits(seconds=PATIENCE))
        if found is not None:
            seconds = found.grounding + found.seconds
    return Size(sum(number for kind, number in ground.rules.items() if kind != "minimize"), seconds, complete)


@dataclass(frozen=True)
class Row:
    """A program, what was found, and what it is worth."""

    name: str
    blamed: bool
    after: float
    kinds: Sequence[str]
    before: Size
    changed: Size | None
    better: Size
    proved: str

    @property
    def helps(self) -> bool:
        """Whether it is at least twice as small, or twice as fast."""
        if self.changed is None:
            return False
        return 2 * self.changed.rules <= self.before.rules or 2 * self.changed.seconds <= self.before.seconds

    def __str__(self) -> str:
        changed = "| " if self.changed is None else str(self.changed)
        kinds = ", ".join(self.kinds) or "none"
        blamed = "yes" if self.blamed else "**no**"
        return (
            f"| {self.name} | {blamed} | {self.after:.1f} | {self.before} | {kinds} | {changed} | {self.better} "
            f"| {self.proved} | {'yes' if self.helps else '**no**'} |"
        )


HEAD = (
    "| program | blamed | s | ground rules | s | rewriting | ground rules | s | known better: rules | s "
    "| same answers on | twice |\n|---|---|---|---|---|---|---|---|---|---|---|---|"
)


def row_of(file: Path, seconds: float) -> Row:
    began, first = perf_counter(), 0.0

    def seen(_: object) -> None:
        nonlocal first
        first = first or perf_counter() - began

    found = profile(file, limits=Limits(seconds=seconds), on_progress=seen)
    lines = file.read_text(encoding="utf-8").split("\n")
    slow = {number for number, line in enumerate(lines, 1) if "% slow" in line}
    last = found.remedies[-1] if found.remedies else None
    proved = "" if last is None else ", ".join(last.same_on)
    return Row(
        file.stem,
        found.cause is not None and found.cause.place.line in slow,
        first or perf_counter() - began,
        [one.kind for one in found.remedies],
        size_of(file),
        None if last is None else size_of(f"{last.text}\n"),
        size_of(file.with_suffix(".better.lp")),
        proved,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="some of the programs; all by default")
    parser.add_argument("--seconds", type=float, default=30.0, help="for each program")
    parser.add_argument("--save", action="store_true", help=f"write {RESULTS.name}, too")
    given = parser.parse_args()
    files = [one for one in sorted(SLOW.glob("*.lp")) if not one.stem.endswith(".better")]
    files = [one for one in files if not given.names or one.stem in given.names]
    rows = []
    print(HEAD, flush=True)
    for file in files:
        rows.append(row_of(file, given.seconds))
        print(rows[-1], flush=True)
    end = (
        f"{sum(one.blamed for one in rows)} of {len(rows)} blamed, {sum(one.changed is not None for one in rows)} "
        f"rewritten, {sum(one.helps for one in rows)} at least twice as small or fast."
    )
    print(f"\n{end}")
    if given.save:
        text = "\n".join([HEAD, *map(str, rows)])
        command = f"`python -m benchmarks.profile --seconds {given.seconds:g} --save`"
        RESULTS.write_text(f"# Slow programs\n\n{command}\n\n{text}\n\n{end}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
