"""`python -m benchmarks.explanations FOLDER`: explain instances that need no search, and verify every step.

FOLDER holds `<puzzle>/<name>.jsonl`, an instance a line, with its `verdict`, and `crossword/*.txt`, a word a line.
Where there are too few instances of a puzzle others are generated, always the same.

A step is verified when all of this is so, asked of a ground program of its own, which finds its rules by its own means:

- its premises and the contrary of it have no solution; of several new facts, the contrary of any;
- with any one premise left out they have one, which keeps the other premises by the rules in plain Python, where the
  kind has any;
- its facts are clues, or what an earlier step said.

And the steps of an instance end with its solution.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, count, cycle, islice
from pathlib import Path
from time import process_time
from typing import Any

from benchmarks.diagnosis import READERS
from bridge.analysis.ask import explain
from bridge.analysis.explain import Step
from bridge.asp import Program
from bridge.asp.decode import encode
from bridge.asp.reading.names import Switching
from bridge.errors import InputError
from bridge.limits import Limits
from bridge.puzzles.encodings_folder import encoding
from bridge.puzzles.explain.grade import grade
from bridge.puzzles.generating.generate import generate
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.models import models
from bridge.puzzles.kinds.rules import by_solver
from bridge.puzzles.oracle import Fact, RuleOrFact

#: What is generated where a folder has too few: sizes, one after the other.
SIZES = {
    "sudoku": [4, 6, 9],
    "futoshiki": [4, 5, 6, 7],
    "takuzu": [6, 8, 10],
    "latin_square": [4, 5, 6, 7, 8, 9, 10],
    "magic_square": [3, 4],
    "crossword": [4, 4, 4, 5],
}

#: Words of each length for generated crosswords: lists that an explanation can still be about.
WORDS = {3: 400, 4: 400, 5: 400}

#: An explanation of more premises is hard to follow.
LONG = 12


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.explanations", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--each", type=int, default=10, metavar="N", help="instances of each puzzle")
    parser.add_argument("--cells", type=int, default=100, metavar="N", help="no instances of more cells")
    parser.add_argument("--seconds", type=float, help="for each explanation; none unless said")
    parser.add_argument("--puzzle", action="append", choices=sorted(SIZES), help="only this one")
    parser.add_argument("--steps", action="store_true", help="print each step")
    chosen = parser.parse_args()
    print("| puzzle | n | grades | steps | premises: median | 90% | most | over 12 | by | CPU ms a step | 90% |")
    print("|---|--:|---|--:|--:|--:|--:|--:|---|--:|--:|", flush=True)
    wrong = 0
    for name in chosen.puzzle or SIZES:
        found = Table(name)
        for label, puzzle, level in islice(instances(chosen.folder, name, chosen.each, chosen.cells), chosen.each):
            try:
                found.add(level, *_explained(label, puzzle, chosen.seconds, chosen.steps))
            except AssertionError as error:
                wrong += 1
                print(f"WRONG: {name} {label}: {error}", file=sys.stderr, flush=True)
            else:
                print(f"{name} {label}: verified, {len(found.steps)} steps so far", file=sys.stderr, flush=True)
        print(found, flush=True)
    print(f"\n{wrong} instances of which a step is wrong; all other steps are verified")
    sys.exit(1 if wrong else 0)


@dataclass
class Table:
    """The figures of one puzzle, and a row of the table."""

    name: str
    levels: Counter[str] = field(default_factory=Counter)
    steps: list[Step] = field(default_factory=list)
    times: list[float] = field(default_factory=list)  # of the processor: others may be busy on the machine

    def add(self, level: str, steps: Sequence[Step], times: Sequence[float]) -> None:
        self.levels[level] += 1
        self.steps += steps
        self.times += times

    def __str__(self) -> str:
        if not self.steps:
            return f"| {self.name} | 0 |"
        sizes = sorted(len(step.premises) for step in self.steps)
        times = sorted(self.times)
        shares = Counter(step.by if step.fact.holds else f"{step.by}, removed" for step in self.steps)
        cells = [
            self.name,
            self.levels.total(),
            ", ".join(f"{level} {number}" for level, number in self.levels.most_common()),
            len(sizes),
            statistics.median(sizes),
            sizes[len(sizes) * 9 // 10],
            sizes[-1],
            f"{sum(size > LONG for size in sizes) / len(sizes):.0%}",
            ", ".join(f"{by} {number / len(sizes):.0%}" for by, number in shares.most_common()),
            f"{statistics.median(times) * 1000:.0f}",
            f"{times[len(times) * 9 // 10] * 1000:.0f}",
        ]
        return f"| {' | '.join(map(str, cells))} |"


# Instances


def instances(folder: Path, name: str, wanted: int, cells: int) -> Iterator[tuple[str, Puzzle, str]]:
    """Label, instance and grade, of those that have a grade below search."""
    for label, puzzle in chain(_given(folder, name, wanted), _made(folder, name)):
        if len(puzzle.cells()) <= cells:
            level = grade(puzzle, top="shaving", limits=Limits(seconds=10.0)).level
            if level is not None:
                yield label, puzzle, level


def _given(folder: Path, name: str, wanted: int) -> Iterator[tuple[str, Puzzle]]:
    """Those of the folder, in an order that mixes sizes and sources."""
    lines = [path.read_text(encoding="utf-8").splitlines() for path in sorted((folder / name).glob("*.jsonl"))]
    rows = map(json.loads, chain.from_iterable(lines))
    unique = [row for row in rows if row.get("verdict") == "unique"]
    random.Random(wanted).shuffle(unique)
    for row in unique:
        yield row["id"], READERS[name](row)


def _made(folder: Path, name: str) -> Iterator[tuple[str, Puzzle]]:
    """Generated ones, for ever."""
    with tempfile.TemporaryDirectory() as scratch:
        options = {"words": str(_word_list(folder / name, Path(scratch)))} if name == "crossword" else {}
        for seed, size in zip(count(1), cycle(SIZES[name]), strict=False):
            kind = name.replace("_", "-")
            try:
                (made,) = generate(kind, size, options=options, seed=seed, limits=Limits(seconds=20.0))
            except (InputError, ValueError):
                continue  # no fill of its black cells, or none in time
            yield f"seed {seed}, size {size}", made.puzzle


def _word_list(folder: Path, scratch: Path) -> Path:
    """A few hundred short words."""
    words = [word for path in sorted(folder.glob("*.txt")) for word in path.read_text(encoding="utf-8").split()]
    plain = [word for word in words if word.isascii() and word.isalpha() and word.islower()]
    chance = random.Random(1)
    some = [chance.sample([word for word in plain if len(word) == length], n) for length, n in WORDS.items()]
    path = scratch / "words.txt"
    path.write_text("\n".join(chain.from_iterable(some)), encoding="utf-8")
    return path


# Verification


def _explained(label: str, puzzle: Puzzle, seconds: float | None, told: bool) -> tuple[list[Step], list[float]]:
    """The steps of an instance, and how many seconds of the processor each took.

    Raises
    ------
    AssertionError
        When one of them is wrong.
    """
    judge = Judge(puzzle)
    steps: list[Step] = []
    times: list[float] = []
    with explain(puzzle, limits=Limits(seconds=seconds)) as stream:
        started = process_time()
        for step in stream:
            times.append(process_time() - started)
            if told:
                print(f"{label}: {times[-1] * 1000:.0f} ms, {len(step.premises)} {step}", file=sys.stderr)
            judge.verify(step)
            steps.append(step)
            started = process_time()
        assert stream.complete, f"stopped by the limit on {stream.limit} after {len(steps)} steps"
    judge.finished()
    return steps, times


class Judge:
    """Verifies the steps of one instance, one after the other."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.rules = {rule.name: rule for rule in puzzle.rules()}
        self.known = {Fact(cell, value) for cell, value in puzzle.clues().items()}
        form = models(puzzle).switchable()
        constants: dict[str, Any] = dict(form.constants)
        switching = Switching(unnamed=False, definitions=True)
        self._answer = form.answer
        if form.program:
            text = f"{form.program}\n{form.structure}\n#show {form.answer}/3.\n"
            self._program = Program(text, isolated=False, switching=switching, **constants)
        else:
            sources = (encoding(form.encoding), form.structure + "\n")
            self._program = Program(*sources, isolated=False, switching=switching, **constants)
        self._program.ground()
        self._cells = self._program.literals(form.answer, 3)
        self._switches = self._program.switches()

    def verify(self, step: Step) -> None:
        """See the module.

        Raises
        ------
        AssertionError
            When there is something wrong with the step.
        """
        contraries = [Fact(fact.cell, fact.value, not fact.holds) for fact in step.new]
        assert self.known.isdisjoint(step.new), f"{step} is no news"
        assert step.proved, f"{step} is not proved to be minimal"
        assert self.known.issuperset(step.facts), f"{step} rests on what is not known"
        for contrary in contraries:
            assert self._solution([*step.premises, contrary]) is None, f"{step} does not follow"
        for premise in step.premises:
            others = [other for other in step.premises if other != premise]
            found = ((contrary, self._solution([*others, contrary])) for contrary in contraries)
            contrary, values = next(((one, of) for one, of in found if of is not None), (contraries[0], None))
            assert values is not None, f"{step} does not need {premise}"
            for other in (*others, contrary):
                assert self._kept(other, values), f"{step}: without {premise}, {other} is not kept"
        self.known |= set(step.new)

    def finished(self) -> None:
        """Nothing is open.

        Raises
        ------
        AssertionError
            When something is, or the grid is not the solution.
        """
        values = {fact.cell: fact.value for fact in self.known if fact.holds}
        wrong = self.puzzle.violations(self.puzzle.solution(values))
        assert not wrong, f"the last grid is not a solution: {wrong[0]}"

    def _solution(self, premises: Sequence[RuleOrFact]) -> dict[Any, Any] | None:
        model = self._program.first(assuming=[self._literal(premise) for premise in premises])
        return None if model is None else {(r, c): value for r, c, value in model[self._answer]}

    def _literal(self, premise: RuleOrFact) -> int | str:
        if isinstance(premise, str):
            return self._switches[premise]
        if premise.holds and (clue := self._switches.get(f"clue {premise}")) is not None:
            return clue
        atom = (*premise.cell, premise.value)
        literal = self._cells.get(atom)
        if literal is None:  # it was not ground: it never holds
            return f"{'' if premise.holds else 'not '}{self._answer}({','.join(map(encode, atom))})"
        return literal if premise.holds else -literal

    def _kept(self, premise: RuleOrFact, values: dict[Any, Any]) -> bool:
        if isinstance(premise, Fact):
            return bool(values[premise.cell] == premise.value) == premise.holds
        rule = self.rules[premise]
        if rule.check is by_solver:
            return self._solution([premise, *(Fact(cell, value) for cell, value in values.items())]) is not None
        return rule.check([values[cell] for cell in rule.cells]) is None


if __name__ == "__main__":
    main()
