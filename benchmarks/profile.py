"""Which rule makes a program slow, and which rewriting helps? Twenty programs that are known to be slow.

    python -m benchmarks.profile [NAME...] [--seconds 30] [--save]

Each program of `benchmarks/slow` has a comment `% slow` in the lines that are to blame, and an encoding beside it,
`NAME.better.lp`, that is known to be better. `bridge.profile` gets the program alone. What it finds is measured again
by clingo, ground rules and seconds: the program, with all its rewritings, and the better encoding.

    python -m benchmarks.profile --public FOLDER [NAME...] [--seconds 60] [--save]

The same of twenty public programs, on their own instances: `benchmarks/slow/public.json` says which, of which commit.
FOLDER has a checkout of each repository, as `OWNER+NAME`. They were chosen, and the lines that are to blame written
down, by reading them, before any was profiled. Nothing of them is kept here.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import NamedTemporaryFile
from time import perf_counter
from typing import Any

from bridge import asp
from bridge.errors import BridgeError, LimitError
from bridge.limits import Limits
from bridge.problem.asp import AspProblem
from bridge.profiling.grounding_profile import search_profile
from bridge.profiling.profile import Profiling, profile
from bridge.profiling.remedies import Remedy

SLOW = Path(__file__).parent / "slow"
RESULTS = Path(__file__).parent / "results" / "profile.md"
PUBLIC, PUBLIC_RESULTS = SLOW / "public.json", RESULTS.with_name("profile-public.md")

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


def size_of(*program: str | Path, **constants: Any) -> Size:
    options = [f"--const={name}={value}" for name, value in constants.items()]
    with asp.Program(*program, options=options) as loaded:
        ground = loaded.grounding(limits=Limits(seconds=PATIENCE))
    seconds, complete = ground.seconds, ground.complete
    if complete:
        found = search_profile(*program, options=options, limits=Limits(seconds=PATIENCE))
        if found is not None:
            seconds = found.grounding + found.seconds
    return Size(sum(number for kind, number in ground.rules.items() if kind != "minimize"), seconds, complete)


def helps(before: Size, changed: Size | None) -> bool:
    """Whether a program is at least twice as small, or twice as fast."""
    if changed is None or not changed.complete:
        return False
    return 2 * changed.rules <= before.rules or 2 * changed.seconds <= before.seconds


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
        return helps(self.before, self.changed)

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


def same_on(remedies: Sequence[Remedy]) -> str:
    """The instances on which all rewritings have the same answers."""
    left = [one for one in remedies if not one.proved]
    if not left:
        return "every instance, proved" if remedies else ""
    return ", ".join(name for name in left[0].same_on if all(name in one.same_on for one in left))


def row_of(file: Path, seconds: float) -> Row:
    began, first = perf_counter(), 0.0

    def seen(_: object) -> None:
        nonlocal first
        first = first or perf_counter() - began

    found = profile(file, limits=Limits(seconds=seconds), on_progress=seen)
    lines = file.read_text(encoding="utf-8").split("\n")
    slow = {number for number, line in enumerate(lines, 1) if "% slow" in line}
    last = found.remedies[-1] if found.remedies else None
    proved = same_on(found.remedies)
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


@dataclass(frozen=True)
class PublicProgram:
    """A public program, how it is run, and the lines of its first file that a reader blames.

    An instance is a path in the same repository, or `OWNER/NAME:PATH`. A constant with several values makes an
    instance of each. It is measured on the last instance.
    """

    name: str
    what: str
    repository: str
    commit: str
    files: Sequence[str]
    suspects: Sequence[int]
    instances: Sequence[str] = ()
    constants: Mapping[str, Any] = field(default_factory=dict)

    def paths(self, folder: Path, files: Sequence[str]) -> list[Path]:
        """Files in the checkouts."""
        found = []
        for one in files:
            repository, _, path = one.rpartition(":")
            found.append(folder / (repository or self.repository).replace("/", "+") / path)
        return found

    @property
    def last(self) -> dict[str, Any]:
        """The constants of the instance that is measured."""
        return {name: value[-1] if isinstance(value, list) else value for name, value in self.constants.items()}

    def row(self) -> str:
        """What is run, as a row of a table."""
        files = ", ".join(f"`{one}`" for one in self.files)
        instances = ", ".join(f"`{one}`" for one in self.instances)
        values = ", ".join(f"`{name}={str(value).strip('[]')}`" for name, value in self.constants.items())
        cells = [self.name, self.what, f"{self.repository} {self.commit[:10]}", files, instances, values]
        return f"| {' | '.join(cells)} | {', '.join(map(str, self.suspects))} |"


@dataclass(frozen=True)
class PublicRow:
    """A public program, what was found, and what it is worth."""

    program: PublicProgram
    found: Profiling | None
    before: Size | None = None
    changed: Size | None = None
    failed: str = ""

    @property
    def blamed(self) -> bool:
        cause = None if self.found is None else self.found.cause
        first = Path(self.program.files[0]).name
        return (
            cause is not None
            and Path(cause.place.file or "").name == first
            and cause.place.line in self.program.suspects
        )

    @property
    def helps(self) -> bool:
        return self.before is not None and helps(self.before, self.changed)

    def __str__(self) -> str:
        if self.found is None:
            return f"| {self.program.name} | **no** | {self.failed} | | | | | | | | **no** |"
        cause, remedies = self.found.cause, self.found.remedies
        where = "" if cause is None else f"{Path(cause.place.file or '').name}:{cause.place.line}"
        kinds = ", ".join(f"{one.kind} {one.place.line}" for one in remedies) or "none"
        same = same_on(remedies)
        undecided = ", ".join(dict.fromkeys(name for one in remedies for name in one.undecided))
        changed = " | " if self.changed is None else str(self.changed)
        return (
            f"| {self.program.name} | {'yes' if self.blamed else '**no**'} | {where} | {self.before} | {kinds} "
            f"| {changed} | {same} | {undecided} | {'yes' if self.helps else '**no**'} |"
        )


PUBLIC_HEAD = (
    "| program | blamed right | blamed | ground rules | s | rewriting, of line | ground rules | s | same answers on "
    "| not decided on | twice |\n|---|---|---|---|---|---|---|---|---|---|---|"
)
PROGRAMS_HEAD = (
    "| program | what | repository and commit | files | instances | constants | to blame, by reading |\n"
    "|---|---|---|---|---|---|---|"
)


@contextmanager
def rewritten(files: Sequence[Path], found: Profiling) -> Iterator[list[Path]]:
    """The files with all rewritings; each changed one stands beside its own, for what it includes."""
    texts = {one.place.file: one.text for one in found.remedies}
    made = []
    try:
        for file in files:
            if str(file) not in texts:
                made.append((file, False))
                continue
            with NamedTemporaryFile("w", suffix=".lp", dir=file.parent, delete=False, encoding="utf-8") as new:
                new.write(f"{texts[str(file)]}\n")
            made.append((Path(new.name), True))
        yield [path for path, _ in made]
    finally:
        for path, is_new in made:
            if is_new:
                path.unlink()


def public_row_of(program: PublicProgram, folder: Path, seconds: float) -> PublicRow:
    files, instances = program.paths(folder, program.files), program.paths(folder, program.instances)
    constants = dict(program.constants)
    try:
        found = profile(AspProblem(*files), instances=instances, constants=constants, limits=Limits(seconds=seconds))
        try:
            before = size_of(*files, *instances[-1:], **program.last)
        except LimitError:  # the grounding of a recursion without end
            before = Size(0, PATIENCE, False)
        if not found.remedies:
            return PublicRow(program, found, before)
        with rewritten(files, found) as changed:
            return PublicRow(program, found, before, size_of(*changed, *instances[-1:], **program.last))
    except BridgeError as error:
        return PublicRow(program, None, failed=" ".join(str(error).split()))


def public_programs(folder: Path, names: Sequence[str]) -> list[PublicProgram]:
    """The programs of the table, of some names; the checkouts must be at their commits."""
    programs = [PublicProgram(**one) for one in json.loads(PUBLIC.read_text(encoding="utf-8"))]
    for one in programs:
        place = folder / one.repository.replace("/", "+")
        run = subprocess.run(["git", "-C", place, "rev-parse", "HEAD"], capture_output=True, encoding="utf-8")
        if run.stdout.strip() != one.commit:
            sys.exit(f"{place} is not a checkout of {one.repository} at {one.commit}")
    return [one for one in programs if not names or one.name in names]


def main_public(folder: Path, names: Sequence[str], seconds: float, save: bool) -> None:
    rows = []
    print(PUBLIC_HEAD, flush=True)
    for program in public_programs(folder, names):
        rows.append(public_row_of(program, folder, seconds))
        print(rows[-1], flush=True)
    end = (
        f"{sum(one.blamed for one in rows)} of {len(rows)} blamed as by reading, "
        f"{sum(one.changed is not None for one in rows)} rewritten, "
        f"{sum(one.helps for one in rows)} at least twice as small or fast."
    )
    print(f"\n{end}")
    if save:
        command = f"`python -m benchmarks.profile --public FOLDER --seconds {seconds:g} --save`"
        parts = [
            "# Slow programs of others",
            f"{command}. The programs were chosen, and the lines that are to blame written down, by reading them, "
            "before any was profiled; none was left out afterwards.",
            "\n".join([PUBLIC_HEAD, *map(str, rows)]),
            end,
            "\n".join([PROGRAMS_HEAD, *(one.program.row() for one in rows)]),
        ]
        PUBLIC_RESULTS.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="some of the programs; all by default")
    parser.add_argument("--seconds", type=float, default=30.0, help="for each program")
    parser.add_argument("--save", action="store_true", help=f"write {RESULTS.name}, too")
    parser.add_argument("--public", type=Path, metavar="FOLDER", help="the public programs, with checkouts in FOLDER")
    given = parser.parse_args()
    if given.public is not None:
        main_public(given.public.resolve(), given.names, given.seconds, given.save)
        return
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
