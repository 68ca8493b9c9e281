"""`python -m benchmarks.diagnosis FOLDER`: diagnose instances whose verdicts are known, and verify what is said.

FOLDER holds `<puzzle>/<name>.jsonl`, an instance a line, with its `verdict`. Since most published puzzles are good
ones, others are made of them: with a clue changed, and with a clue missing.

- A clash must have no solution, and each part of it left out must give one: asked of clingo programs made for this one
  question, without assumptions, and the solutions checked by the rules in plain Python.
- A repair must work, and no smaller one may: asked of the engine `asp`, which knows no switches. For larger sizes
  than two the second half rests on the proof by hitting sets.
- A clue is redundant when the instance without it is unique.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

from bridge.asp import Program
from bridge.asp.decode import Function, encode
from bridge.asp.reading.names import Switching, instance_name
from bridge.asp.types import SWITCH
from bridge.errors import Place
from bridge.limits import Limits
from bridge.outcome import Verdict
from bridge.puzzles.analysis.diagnose import diagnose
from bridge.puzzles.analysis.diagnosis import PuzzleDiagnosis
from bridge.puzzles.encodings_folder import encoding
from bridge.puzzles.engines import engine
from bridge.puzzles.kinds import Puzzle, parse
from bridge.puzzles.kinds.futoshiki import Futoshiki
from bridge.puzzles.kinds.models import models
from bridge.puzzles.kinds.rules import Cell, Grid, Value
from bridge.puzzles.kinds.sudoku import Sudoku
from bridge.puzzles.oracle import Fact, RuleOrFact

#: Of the repairs of an instance, so many are tried.
TRIED = 10

#: Seconds for each question that verifies.
VERIFYING = 60.0


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.diagnosis", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--made", type=int, default=20, metavar="N", help="unique instances to spoil, of each puzzle")
    parser.add_argument("--seconds", type=float, default=10.0, help="for each diagnosis")
    parser.add_argument("--puzzle", action="append", choices=sorted(READERS), help="only this one")
    chosen = parser.parse_args()
    print("| puzzle | verdict | n | what was found | median s | worst s |\n|---|---|---|---|---|---|")
    wrong = 0
    for name in chosen.puzzle or READERS:
        found: dict[Verdict, list[tuple[Counter[str], float]]] = {}
        for label, puzzle in instances(chosen.folder, name, chosen.made):
            started = perf_counter()
            diagnosis = diagnose(puzzle, limits=Limits(seconds=chosen.seconds))
            seconds = perf_counter() - started
            try:
                said = VERIFY[diagnosis.verdict](puzzle, diagnosis)
            except TimeoutError:
                said = Counter({"not verified in time": 1})
            except AssertionError as error:
                wrong += 1
                print(f"WRONG: {name} {label}: {error}", file=sys.stderr, flush=True)
                continue
            found.setdefault(diagnosis.verdict, []).append((said, seconds))
        for verdict, rows in found.items():
            total = sum((said for said, _ in rows), Counter[str]())
            told = "; ".join(f"{what} {number}" for what, number in sorted(total.items()))
            times = [seconds for _, seconds in rows]
            print(f"| {name} | {verdict} | {len(rows)} | {told} | {statistics.median(times):.2f} | {max(times):.2f} |")
            sys.stdout.flush()
    sys.exit(1 if wrong else 0)


# Instances


def _grid(rows: Sequence[Sequence[Any]], empty: Any = 0) -> list[list[Any]]:
    return [[None if value == empty else value for value in row] for row in rows]


def _sudoku(row: dict[str, Any]) -> Puzzle:
    if "puzzle" in row:
        return parse("sudoku", row["puzzle"])
    return Sudoku(tuple(map(tuple, _grid(row["grid"]))), tuple(row["box"]))


def _futoshiki(row: dict[str, Any]) -> Puzzle:
    grid: list[list[int | None]] = [[None] * row["n"] for _ in range(row["n"])]
    for r, c, value in row["givens"]:
        grid[r - 1][c - 1] = value
    return Futoshiki.from_json({"grid": grid, "less": row["less"]}, Place())


def _takuzu(row: dict[str, Any]) -> Puzzle:
    cells = {".": None, "0": 0, "1": 1}
    return parse("takuzu", {"grid": [[cells[mark] for mark in line] for line in row["grid"]]})


def _crossword(row: dict[str, Any]) -> Puzzle:
    return parse("crossword", json.dumps({key: row[key] for key in ("grid", "words", "reading") if key in row}))


READERS: dict[str, Callable[[dict[str, Any]], Puzzle]] = {
    "sudoku": _sudoku,
    "futoshiki": _futoshiki,
    "takuzu": _takuzu,
    "latin_square": lambda row: parse("latin-square", {"grid": _grid(row["grid"])}),
    "magic_square": lambda row: parse("magic-square", {"grid": _grid(row["grid"])}),
    "crossword": _crossword,
}


def instances(folder: Path, name: str, made: int) -> Iterator[tuple[str, Puzzle]]:
    """The instances of a puzzle that are not unique; unique ones as they are and spoiled, up to `made`."""
    unique = []
    for row in _rows(folder / name):
        if row.get("verdict") == "unique" or row.get("count") == 1:
            unique.append(row)
        elif "words" in row or row.get("verdict"):
            yield row["id"], READERS[name](row)
    chance = random.Random(1)
    for row in chance.sample(unique, min(made, len(unique))):
        puzzle = READERS[name](row)
        yield row["id"], puzzle
        clues = puzzle.clues()
        if name == "crossword" and not clues:  # one letter of the solution given, and another one
            cell = chance.choice(puzzle.cells())
            values = [value for value in puzzle.values() if value != "."]
            yield f"{row['id']}, with a letter", puzzle.with_clues({cell: chance.choice(values)})
        if clues:
            cell = chance.choice(list(clues))
            others = [value for value in puzzle.values() if value != clues[cell]]
            yield f"{row['id']}, changed", puzzle.with_clues({**clues, cell: chance.choice(others)})
            yield f"{row['id']}, missing", puzzle.with_clues({c: v for c, v in clues.items() if c != cell})


def _rows(folder: Path) -> Iterator[dict[str, Any]]:
    for path in sorted(folder.glob("*.jsonl")):
        yield from map(json.loads, path.read_text(encoding="utf-8").splitlines())
    for path in sorted(folder.glob("*.json")):
        data = json.loads(path.read_text(encoding="utf-8"))
        yield from (row for row in data if "words" in row) if isinstance(data, list) else ()


# Verification


def _impossible(puzzle: Puzzle, found: PuzzleDiagnosis) -> Counter[str]:
    assert not _solutions(puzzle, 1), "there is a solution"
    said = Counter[str]()
    for clash in found.clashes:
        ask = Fresh(puzzle)
        assert ask(clash.premises) is None, f"{clash} can hold together"
        if clash.minimal:
            for premise in clash.premises:
                rest = [other for other in clash.premises if other != premise]
                assert ask(rest) is not None, f"{clash}: {premise} is not needed"
        said["MUS"] += clash.minimal
        said["smallest MUS"] += clash.smallest
        said["clash, not minimal"] += not clash.minimal
    said["no clash found"] += not found.clashes
    repairs = found.removals
    if repairs is None:
        said["no time for removals" if found.limit else "no clue to blame"] += 1
        return said
    for away in repairs.sets[:TRIED]:
        assert _solutions(_without(puzzle, away), 1), f"no solution without {away}"
    if repairs.size == 2:
        givens = [Fact(cell, value) for cell, value in puzzle.clues().items()]
        assert not any(_solutions(_without(puzzle, [one]), 1) for one in givens), "one clue would do"
    said[f"removal of {repairs.size}" if repairs.sets else f"removal of {repairs.size} or more"] += 1
    for away, then in zip(repairs.sets[:TRIED], found.after, strict=False):
        assert then.unique == (len(_solutions(_without(puzzle, away), 2)) == 1), f"not so after {away}"
    return said


def _ambiguous(puzzle: Puzzle, found: PuzzleDiagnosis) -> Counter[str]:
    said = Counter[str]()
    if found.ambiguity is not None and found.ambiguity.complete:
        number = engine("asp").count(puzzle).number
        assert number == found.ambiguity.number, f"{number} solutions, not {found.ambiguity.number}"
        said["counted"] += 1
    repairs = found.additions
    if repairs is None or found.residual is None:
        said["no time for repairs"] += 1
        return said
    for added in repairs.sets[:TRIED]:
        assert len(_solutions(_with(puzzle, added), 2)) == 1, f"not unique with {added}"
    singles = [Fact(cell, value) for cell, values in found.residual.open.items() for value in values]
    if repairs.complete and repairs.size == 1:
        known = {one[0] for one in repairs.sets}
        for fact in singles[:200]:
            assert (len(_solutions(_with(puzzle, [fact]), 2)) == 1) == (fact in known), f"{fact} was misjudged"
    if repairs.size == 2:
        assert not any(len(_solutions(_with(puzzle, [one]), 2)) == 1 for one in singles[:300]), "one clue would do"
    said[f"repair of {repairs.size}" if repairs.sets else f"repair of {repairs.size} or more"] += 1
    return said


def _unique(puzzle: Puzzle, found: PuzzleDiagnosis) -> Counter[str]:
    assert len(_solutions(puzzle, 2)) == 1, "it is not unique"
    said = Counter({"with redundant clues": int(bool(found.redundant)), "unfinished": int(found.spare is None)})
    if found.spare is not None and found.redundant is not None:
        for fact in [Fact(cell, value) for cell, value in puzzle.clues().items()][: 3 * TRIED]:
            alone = len(_solutions(_without(puzzle, [fact]), 2)) == 1
            assert alone == (fact in found.redundant), f"{fact} was misjudged"
        assert len(_solutions(_without(puzzle, found.spare), 2)) == 1, f"not unique without {found.spare}"
    return said


VERIFY: dict[Verdict, Callable[[Puzzle, PuzzleDiagnosis], Counter[str]]] = {
    Verdict.IMPOSSIBLE: _impossible,
    Verdict.AMBIGUOUS: _ambiguous,
    Verdict.UNIQUE: _unique,
    Verdict.UNKNOWN: lambda puzzle, found: Counter({"a solution found": len(found.solutions)}),
}


def _solutions(puzzle: Puzzle, number: int) -> tuple[Grid, ...]:
    outcome = engine("asp").solutions(puzzle, Limits(seconds=VERIFYING, solutions=number)).collect()
    if outcome.limit == "seconds":
        raise TimeoutError
    return outcome.solutions


def _without(puzzle: Puzzle, away: Sequence[RuleOrFact]) -> Puzzle:
    cells = {one.cell for one in away if isinstance(one, Fact)}
    left = puzzle.with_clues({cell: value for cell, value in puzzle.clues().items() if cell not in cells})
    return left.without([one for one in away if isinstance(one, str)])


def _with(puzzle: Puzzle, added: Sequence[RuleOrFact]) -> Puzzle:
    return puzzle.with_clues({**puzzle.clues(), **{one.cell: one.value for one in added if isinstance(one, Fact)}})


class Fresh:
    """Asks whether premises can hold together: each time a program of its own, in which they are constraints."""

    def __init__(self, puzzle: Puzzle) -> None:
        self._puzzle, self._form = puzzle, models(puzzle).switchable()
        self._rules = {rule.name: rule for rule in puzzle.rules()}
        atoms = self._program("").literals(SWITCH, 2)
        self._switches = {instance_name(*key): encode(Function(SWITCH, key)) for key in atoms}

    def __call__(self, premises: Sequence[RuleOrFact]) -> dict[Cell, Value] | None:
        model = self._program("\n".join(map(self._wanted, premises))).first()
        if model is None:
            return None
        values: dict[Cell, Value] = {(r, c): value for r, c, value in model["cell"]}
        for premise in premises:
            if isinstance(premise, Fact):
                assert values[premise.cell] == premise.value, f"{premise} does not hold"
            else:
                rule = self._rules[premise]
                assert rule.check([values[cell] for cell in rule.cells]) is None, f"{premise} does not hold"
        return values

    def _program(self, constraints: str) -> Program:
        constants: dict[str, Any] = dict(self._form.constants)
        sources = (encoding(self._form.encoding), self._form.structure + "\n", constraints + "\n")
        switching = Switching(unnamed=False, definitions=True)
        program = Program(*sources, isolated=False, switching=switching, **constants)
        program.ground()
        return program

    def _wanted(self, premise: RuleOrFact) -> str:
        name = premise if isinstance(premise, str) else f"clue {premise}"
        if name in self._switches:
            return f":- not {self._switches[name]}."
        assert isinstance(premise, Fact)
        return f":- not cell({', '.join(map(encode, (*premise.cell, premise.value)))})."


if __name__ == "__main__":
    main()
