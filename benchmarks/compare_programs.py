"""Pairs of public programs for the same problem, compared; and mutants of our encodings, told apart.

    python -m benchmarks.compare_programs --checkouts FOLDER --save benchmarks/results/compare.md

FOLDER has a checkout of each repository that `pairs/pairs.toml` names: `hakank` (github.com/hakank/hakank), `guide` and
`clingo` (github.com/potassco), `swish` (github.com/SWI-Prolog), `algorithms` (github.com/TheAlgorithms/Python). Pairs
without their checkout are left out. Exit code 1: a pair does not come out as the table says.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import bridge
from benchmarks.measure import machine
from benchmarks.pairs import adapters
from bridge.common.english import plural
from bridge.comparison.comparison import Comparison

HERE = Path(__file__).parent
ROOT = HERE.parent

#: The encodings that are mutated: the predicate of an answer, constants, and a generator of instances.
ENCODINGS: dict[str, tuple[dict[str, Any], str]] = {
    "sudoku/sudoku.lp": (
        {"box_rows": range(1, 3), "box_columns": [2]},
        "index(1..box_rows * box_columns). { clue(R, C, V) : index(R), index(C), index(V) } 1. #show clue/3.",
    ),
    "latin_square/latin_square.lp": (
        {"n": range(1, 4)},
        "{ clue(R, C, V) : R = 1..n, C = 1..n, V = 1..n } 1. { variant(diagonal; reduced) }.",
    ),
    "futoshiki/futoshiki.lp": (
        {"n": range(1, 4)},
        "index(1..n). { less(R, C, R, C + 1) : index(R), index(C), C < n; less(R, C + 1, R, C) : index(R), index(C), "
        "C < n; less(R, C, R + 1, C) : index(R), index(C), R < n } 1. #show less/4.",
    ),
    "takuzu/takuzu.lp": (
        {"rows": [2, 4], "distinct": range(0, 2)},
        "{ clue(R, C, 0..1) : R = 1..rows, C = 1..rows } 1.",
    ),
    "magic_square/magic_square.lp": (
        {"n": range(1, 4)},
        "{ clue(R, C, V) : R = 1..n, C = 1..n, V = 1..n * n } 1. { variant(semi) }. { symmetry(reduced) }.",
    ),
}

LIMITS = bridge.Limits(seconds=20, solutions=3000)


def compared(pair: dict[str, Any], checkouts: Path) -> Comparison | None:
    """A pair of the table; None where a checkout is missing."""
    places = {"ours": ROOT}
    contenders: list[Any] = []
    for program in pair["programs"]:
        files = []
        for file in program.get("files", ()):
            where, _, path = file.partition(":")
            files.append(places.get(where, checkouts / where) / path)
        if not all(file.exists() for file in files):
            return None
        contenders.append(_contender(program, files))
    for one in contenders:
        if isinstance(one, bridge.AspProblem):
            one.optimal = pair.get("optimal", False)
    if "puzzle" in pair:
        kind, file = pair["puzzle"]
        return bridge.compare(*contenders, instances=bridge.puzzles.load(kind, ROOT / file), limits=LIMITS)
    constants = {name: _values(text) for name, text in pair.get("constants", {}).items()}
    generator = [pair["generator"] + "\n"] if "generator" in pair else []
    instances = bridge.Generator(*generator, most=None, **constants) if generator or constants else None
    return bridge.compare(*contenders, instances=instances, show=pair.get("show"), limits=LIMITS)


def _contender(program: dict[str, Any], files: list[Path]) -> Any:
    shim = [program["shim"] + "\n"] if "shim" in program else []
    if "engine" in program:
        return program["engine"]
    if "function" in program:
        function = partial(getattr(adapters, program["function"]), files[0])
        function.__name__ = files[0].stem  # type: ignore[attr-defined]
        return function
    if "goal" in program:
        from bridge import PrologProblem

        return PrologProblem([*files, *shim], program["goal"].replace("\n", " "))
    return bridge.AspProblem(*files, *shim)


def _values(text: str) -> range:
    first, _, last = text.partition("..")
    return range(int(first), int(last or first) + 1)


def pairs(checkouts: Path) -> Iterator[tuple[str, bool]]:
    """The table of the pairs, a line each, and whether it comes out as expected."""
    table = tomllib.loads((HERE / "pairs" / "pairs.toml").read_text(encoding="utf-8"))["pair"]
    yield "| problem | programs | instances | answers | result |", True
    yield "|---|---|---|---|---|", True
    for pair in table:
        found = compared(pair, checkouts)
        if found is None:
            yield f"| {pair['name']} | | | | left out: no checkout |", True
            continue
        wanted = "differ" not in pair
        yield _line(pair, found), found.equivalent is wanted


def _line(pair: dict[str, Any], found: Comparison) -> str:
    kinds = {".lp": "ASP", ".lp4": "ASP", ".pl": "Prolog", ".py": "Python"}
    programs = []
    for program in pair["programs"]:
        files = [file.partition(":") for file in program.get("files", ())]
        names = [f"{where}: {Path(path).name} ({kinds[Path(path).suffix]})" for where, _, path in files]
        programs += names or [program.get("engine") or "three lines of ASP"]
    answers = sum(len(row.outcome.solutions) for row in found.rows if row.outcome and row.engine == found.engines[0])
    if found.difference is None:
        errors = {row.error for row in found.rows if row.error}
        same = "the same answers" if found.equivalent else f"not decided: {'; '.join(sorted(map(str, errors)))}"
        scope = found.scope
    else:
        gap = found.difference
        last = [row for row in found.rows[-len(found.engines) :] if row.outcome]
        told = ", ".join(f"{len(row.outcome.solutions):,}{'' if row.complete else ' or more'}" for row in last)
        why = pair.get("differ", "not expected")
        place = str(gap.instance) if gap.instance.puzzle is None else "this puzzle"
        same = f"**differ** on `{place or 'no facts'}`: {told} answers. {why[:1].upper()}{why[1:]}."
        scope = plural(len(found.instances), "instance") + " until then"
    return f"| {pair['name']} | {', '.join(programs)} | {scope} | {answers:,} | {same} |"


def mutated() -> Iterator[str]:
    """The table of the mutants of our encodings, and those that were not told apart."""
    yield "| encoding | mutants | instances | told apart | no program | not told apart | not decided |"
    yield "|---|---|---|---|---|---|---|"
    left: list[str] = []
    for name, (constants, generator) in ENCODINGS.items():
        path = ROOT / "encodings" / name
        limits = bridge.Limits(seconds=3, solutions=600)
        found = bridge.mutate(path, bridge.Generator(f"{generator}\n", most=150, **constants), limits=limits)
        numbers = [str(len(found.of(status))) for status in ("noticed", "invalid", "survived", "undecided")]
        yield f"| {name} | {len(found.mutants)} | {found.scope} | {' | '.join(numbers)} |"
        for one in found.survived:
            before, after = " ".join(one.change.before.split()), " ".join(one.change.after.split())
            left.append(f"- {name}:{one.change.place.line}: `{before}` {f'to `{after}`' if after else 'left out'}")
    yield "\nNot told apart on these instances:\n"
    yield from left


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.compare_programs", description=__doc__)
    parser.add_argument("--checkouts", type=Path, default=Path(), metavar="FOLDER", help="where the checkouts are")
    parser.add_argument("--save", metavar="FILE", help="write the tables to FILE, too")
    parser.add_argument("--no-mutants", action="store_true", help="only the pairs")
    chosen = parser.parse_args()
    lines = ["# Public programs compared", "", machine(), "", "Made by `python -m benchmarks.compare_programs`.", ""]
    print("\n".join(lines))
    as_expected = True
    for line, expected in pairs(chosen.checkouts):
        lines.append(line)
        print(line if expected else f"{line} UNEXPECTED", flush=True)
        as_expected &= expected
    if not chosen.no_mutants:
        lines += ["", "## Mutants of our encodings", ""]
        for line in mutated():
            lines.append(line)
            print(line, flush=True)
    if chosen.save:
        Path(chosen.save).write_text("\n".join(lines) + "\n", encoding="utf-8")
    sys.exit(0 if as_expected else 1)


if __name__ == "__main__":
    main()
