"""`python -m benchmarks batch`: the rate and the memory of `batch check`, the whole command from start to end.

The input is as many 17-clue Sudokus as asked for: those of `tests/data`, with values renamed, and rows and columns
exchanged, by a fixed seed. Each must come out unique, or there is no result. Memory is that of the largest process.

`--ambiguous` measures what the residuals cost in place of that: the same Sudokus, and those with a clue less, which are
ambiguous, with the options of `check`. All runs take turns, in each of `--rounds`; the start of the command is a run of
its own, and is subtracted.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import psutil

from benchmarks.measure import machine
from benchmarks.rivals.contest import ROOT

#: Seconds between two looks at the memory.
LOOK = 0.25


def sudokus(seed: int = 20) -> Iterator[str]:
    """Sudokus of 17 clues, without end, a line each."""
    rows = map(json.loads, (ROOT / "tests" / "data" / "sudoku.jsonl").read_text(encoding="utf-8").splitlines())
    known = [row["text"] for row in rows if row["id"].startswith("royle17")]
    chance = random.Random(seed)
    while True:
        for text in known:
            name = dict(zip("123456789", chance.sample("123456789", 9), strict=True))
            order = [
                [3 * band + line for band in chance.sample(range(3), 3) for line in chance.sample(range(3), 3)]
                for _ in "rc"
            ]
            yield "".join(name.get(text[9 * r + c], ".") for r in order[0] for c in order[1])


def run(file: Path, jobs: int, options: Sequence[str] = (), expected: str = "unique") -> tuple[float, list[int]]:
    """Seconds of a run, and the bytes of its largest process at each look."""
    out = file.with_suffix(f".{jobs}.jsonl")
    command = [sys.executable, "-m", "bridge", "batch", "check", "sudoku", str(file), "-o", str(out), "-j", str(jobs)]
    command += options
    looks = []
    started = perf_counter()
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        whole = psutil.Process(process.pid)
        while True:
            with suppress(subprocess.TimeoutExpired):
                _, said = process.communicate(timeout=LOOK)
                break
            with suppress(psutil.Error):
                looks.append(max(one.memory_info().rss for one in [whole, *whole.children(recursive=True)]))
    seconds = perf_counter() - started
    if process.returncode:
        raise RuntimeError(f"lpbridge puzzle batch ended with {process.returncode}: {said}")
    with out.open(encoding="utf-8") as lines:
        verdicts = [json.loads(line)["verdict"] for line in lines]
    with file.open(encoding="utf-8") as lines:
        asked = sum(1 for _ in lines)
    if verdicts != [expected] * asked:
        raise RuntimeError(f"{asked} Sudokus, {len(verdicts)} answers, {verdicts.count(expected)} of them {expected}")
    out.unlink()
    return seconds, looks


#: What is measured of ambiguous Sudokus: in words, and the options of `check`.
ASKED = {
    "verdict only": ["--residual", "none"],
    "with the propagated residual, by mac": ["--residual", "propagated", "--propagation", "mac"],
    "with the exact residual": ["--residual", "exact"],
    "with both, the propagated one by mac": ["--propagation", "mac"],
    "with both (the propagated one by clpfd)": [],
}


def with_a_clue_less(text: str) -> str:
    first = next(place for place, character in enumerate(text) if character != ".")
    return f"{text[:first]}.{text[first + 1 :]}"


def parts(folder: Path, number: int, rounds: int) -> Iterator[str]:
    """The table of what the parts of a check cost, a line at a time."""
    unique = list(islice(sudokus(), number))
    files = {name: folder / f"{name}.txt" for name in ("one", "unique", "ambiguous")}
    for name, texts in zip(files, ([unique[0]], unique, map(with_a_clue_less, unique)), strict=True):
        files[name].write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    runs: dict[str, tuple[str, list[str], str]] = {
        "start": ("one", [], "unique"),
        "unique": ("unique", [], "unique"),
        **{f"ambiguous, {words}": ("ambiguous", options, "ambiguous") for words, options in ASKED.items()},
    }
    times: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, (file, options, expected) in runs.items():
            times[name].append(run(files[file], 1, options, expected)[0])
    medians = {name: statistics.median(spent) for name, spent in times.items()}
    each = {name: max(median - medians["start"], 1e-9) / number for name, median in medians.items() if name != "start"}
    yield "| 17-clue Sudokus | ms each | times unique |"
    yield "|---|--:|--:|"
    for name, seconds in each.items():
        yield f"| {name} | {seconds * 1000:.2f} | {seconds / each['unique']:.1f} |"


def main(argv: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks batch", description=__doc__)
    parser.add_argument("--lines", type=int, default=10_000, help="how many Sudokus (default: %(default)s)")
    parser.add_argument("--jobs", default="1,2", help="worker processes of each run (default: %(default)s)")
    parser.add_argument("--ambiguous", action="store_true", help="what the residuals of ambiguous ones cost")
    parser.add_argument("--rounds", type=int, default=3, help="of --ambiguous (default: %(default)s)")
    parser.add_argument("--save", metavar="FILE", type=Path, help="write the table to FILE too")
    said = parser.parse_args(argv)
    head = f"`python -m benchmarks {' '.join(['batch', *argv])}`\n\n{machine()}\n"
    if said.ambiguous:
        with TemporaryDirectory() as folder:
            _tell([head, *parts(Path(folder), said.lines, said.rounds)], said.save)
        return
    lines = [
        head,
        f"### {said.lines:,} 17-clue Sudokus, uniqueness proved\n",
        "| jobs | seconds | a second | times the first | largest process after a tenth, MB | at most |",
        "|--:|--:|--:|--:|--:|--:|",
    ]
    first = None
    with TemporaryDirectory() as folder:
        file = Path(folder) / "sudokus.txt"
        with file.open("w", encoding="utf-8") as out:
            out.writelines(f"{text}\n" for text in islice(sudokus(), said.lines))
        for jobs in map(int, said.jobs.split(",")):
            seconds, looks = run(file, jobs)
            first = first or seconds
            told = (looks[len(looks) // 10], max(looks)) if looks else ()
            memory = [f"{number / 2**20:.0f}" for number in told] or ["", ""]
            rate = f"{seconds:.2f} | {said.lines / seconds:,.0f} | {first / seconds:.2f}"
            lines.append(f"| {jobs} | {rate} | {' | '.join(memory)} |")
    _tell(lines, said.save)


def _tell(lines: Sequence[str], file: Path | None) -> None:
    text = "\n".join(lines) + "\n"
    print(text)
    if file:
        file.write_text(text, encoding="utf-8")
