"""`python -m benchmarks growth`: time against size, for each puzzle, as a table and a picture.

Our engines and a fresh clingo for each instance answer the same instances of each size; each in a process of its own,
with a time limit. An engine that runs out of time at most instances of a size is not asked for larger ones, if these
are harder.

Instances are made from seeds, by rules that work at every size, so that sizes can be compared: they are unlike
those of human authors. (Solved squares come from a regular one by exchanging rows, columns and values; that is quick,
and does not reach all squares.)
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks.measure import machine
from benchmarks.rivals.command import ENVIRONMENT
from benchmarks.rivals.contest import FIRST, ROOT, Contestant, Instance, Question, contest
from benchmarks.rivals.table import ENGINES, rivals
from benchmarks.rivals.tasks import FILL, SHORT, crossword
from bridge.errors import Place
from bridge.puzzles.kinds import parse, puzzle_class
from bridge.puzzles.kinds.crossword.words import load_list
from bridge.puzzles.kinds.seeded_random import SeededRandom

SECOND = Question("solution, and whether there is another", 2)

#: Instances of each size.
SEEDS = (1, 2, 3)

#: What is open: of Sudokus, quasigroups (where they are hardest) and Takuzus.
SUDOKU_HOLES, QUASIGROUP_HOLES, TAKUZU_HOLES = 0.5, 0.42, 0.6

Values = list[list[int]]


@dataclass(frozen=True, slots=True)
class Family:
    """Instances of a puzzle that grow.

    Attributes
    ----------
    title, axis
        What they are, and what their size means.
    make
        An instance from a size, a seed and the words of the list.
    harder
        Whether larger ones take longer, so that there is no use in asking on when time ran out.
    """

    title: str
    axis: str
    sizes: tuple[int, ...]
    question: Question
    make: Callable[[int, int, list[str]], Instance]
    seeds: tuple[int, ...] = SEEDS
    harder: bool = True


# Instances -------------------------------------------------------------------------------------------------------


def _mixed(size: int, block: int, chance: SeededRandom) -> list[int]:
    """The indices of lines in random order, those of a block together; the blocks in random order, too."""
    blocks = chance.shuffled(range(size // block))
    return [number * block + line for number in blocks for line in chance.shuffled(range(block))]


def solved(height: int, width: int, chance: SeededRandom) -> Values:
    """A Sudoku whose boxes are so high and wide. With a height of 1 it is a Latin square."""
    size = height * width
    regular = [[(width * (r % height) + r // height + c) % size for c in range(size)] for r in range(size)]
    rows, columns = _mixed(size, height, chance), _mixed(size, width, chance)
    if height == 1:
        columns = chance.shuffled(range(size))
    names = chance.shuffled(range(1, size + 1))
    return [[names[regular[r][c]] for c in columns] for r in rows]


def holed(values: Sequence[Sequence[Any]], share: float, chance: SeededRandom) -> list[list[Any]]:
    """The same with a share of its cells open."""
    cells = chance.shuffled((r, c) for r, row in enumerate(values) for c in range(len(row)))
    grid = [list(row) for row in values]
    for r, c in cells[: round(share * len(cells))]:
        grid[r][c] = None
    return grid


def _instance(kind: str, size: int, seed: int, **data: Any) -> Instance:
    return Instance(f"{kind} {size}, seed {seed}", puzzle_class(kind).from_json(data, Place()))


def _sudoku(size: int, seed: int, words: list[str]) -> Instance:
    from bridge.puzzles.kinds.sudoku.text import squarest_box

    chance, box = SeededRandom(seed), squarest_box(size)
    return _instance("sudoku", size, seed, box=list(box), grid=holed(solved(*box, chance), SUDOKU_HOLES, chance))


def _quasigroup(size: int, seed: int, words: list[str]) -> Instance:
    chance = SeededRandom(seed)
    return _instance("latin-square", size, seed, grid=holed(solved(1, size, chance), QUASIGROUP_HOLES, chance))


def _futoshiki(size: int, seed: int, words: list[str]) -> Instance:
    """No values, and all inequalities between neighbours."""
    values = solved(1, size, SeededRandom(seed))
    less = []
    for r in range(size):
        for c in range(size):
            for r1, c1 in ((r + 1, c), (r, c + 1)):
                if max(r1, c1) < size:
                    pair = ((r, c), (r1, c1)) if values[r][c] < values[r1][c1] else ((r1, c1), (r, c))
                    less.append([index + 1 for cell in pair for index in cell])
    return _instance("futoshiki", size, seed, grid=[[None] * size] * size, less=less)


def _takuzu(size: int, seed: int, words: list[str]) -> Instance:
    """Clingo's first solution with a random diagonal: another version of it may find another."""
    from bridge.limits import Limits
    from bridge.puzzles.engines import engine

    chance = SeededRandom(seed)
    blank = parse("takuzu", "\n".join(["." * size] * size))
    diagonal = blank.with_clues({(i, i): chance.below(2) for i in range(1, size + 1)})
    found = engine("asp").solutions(diagonal, Limits(solutions=1)).collect().solutions
    if not found:
        raise RuntimeError(f"no Takuzu {size}x{size} with the diagonal of seed {seed}")
    return _instance("takuzu", size, seed, grid=holed(found[0], TAKUZU_HOLES, chance))


def _empty(kind: str, size: int, seed: int, words: list[str]) -> Instance:
    return Instance(f"{kind} {size}", parse(kind, f"order {size}"))


def _crossword(size: int, seed: int, words: list[str]) -> Instance:
    return crossword(size, words, seed)


def _listed(number: int, seed: int, words: list[str]) -> Instance:
    return crossword(9, SeededRandom(seed).shuffled(words)[:number], seed)


FAMILIES = {
    "sudoku": Family("Sudoku, half of the cells open", "order", (4, 6, 8, 9, 10, 12, 15, 16, 20, 25), SECOND, _sudoku),
    "latin": Family(
        "Empty Latin square", "order", (10, 15, 20, 25, 30, 35, 40), FIRST, partial(_empty, "latin-square"), (1,)
    ),
    "qcp": Family(
        "Quasigroup completion, 42 % of the cells open", "order", (10, 15, 20, 25, 30, 35, 40), FIRST, _quasigroup
    ),
    "futoshiki": Family("Futoshiki, all inequalities and no values", "order", tuple(range(4, 13)), SECOND, _futoshiki),
    "takuzu": Family("Takuzu, 60 % of the cells open", "size", (6, 8, 10, 14, 20, 26, 30, 34, 40), SECOND, _takuzu),
    "magic": Family("Empty magic square", "order", tuple(range(3, 10)), FIRST, partial(_empty, "magic-square"), (1,)),
    "crossword": Family("Crossword, all words", "size", tuple(range(5, 22, 2)), FILL, _crossword),
    "words": Family(
        "Crossword 9x9, some of the words",
        "words",
        (1_000, 2_000, 5_000, 10_000, 20_000, 40_000),
        FILL,
        _listed,
        harder=False,  # with few words there may be no fill, and that is harder to see
    ),
}


# Measuring -------------------------------------------------------------------------------------------------------


def grown(
    family: Family, contestants: Sequence[Contestant], words: list[str], seconds: float, rounds: int
) -> tuple[dict[str, list[tuple[int, float]]], list[str]]:
    """Seconds by size for each contestant, as far as it got; and what went wrong."""
    found: dict[str, list[tuple[int, float]]] = {c.rival.name: [] for c in contestants}
    wrong = []
    going = list(contestants)
    for size in family.sizes:
        if family.axis == "words" and size > len(words):
            break
        instances = [family.make(size, seed, words) for seed in family.seeds]
        still = []
        scores = contest(going, family.question, instances, rounds=rounds, seconds=seconds) if going else []
        for contestant, score in zip(going, scores, strict=True):
            name = contestant.rival.name
            if score.disqualified:
                wrong.append(f"- {name}, {family.axis} {size}, was wrong: {score.disqualified}")
            elif score.median is not None:
                found[name].append((size, score.median))
                still.append(contestant)
            else:
                still += [] if family.harder else [contestant]
                wrong += [f"- {name}, {family.axis} {size}: {why}" for why in sorted({*score.failures})]
        going = still
    return found, wrong


def table(family: Family, found: dict[str, list[tuple[int, float]]]) -> str:
    """Milliseconds, a line a size. Empty where there was no time for most instances of the size."""
    sizes = sorted({size for line in found.values() for size, _ in line})
    lines = [
        f"### {family.title}",
        "",
        f"{family.question.words}; median of {len(family.seeds)}, milliseconds.",
        "",
        f"| {family.axis} | {' | '.join(found)} |",
        f"|--:|{'--:|' * len(found)}",
    ]
    for size in sizes:
        times = [dict(line).get(size) for line in found.values()]
        lines.append(f"| {size:,} | {' | '.join('' if t is None else f'{t * 1000:,.3g}' for t in times)} |")
    return "\n".join(lines) + "\n"


def drawn(data: dict[str, Any], file: Path) -> None:
    """Write the picture, in an environment that has matplotlib.

    Raises
    ------
    SystemExit
        When there is none.
    """
    if find_spec("matplotlib"):
        python = sys.executable
    elif ENVIRONMENT.exists():
        python = str(ENVIRONMENT)
    else:
        raise SystemExit("no picture: matplotlib is not installed (`make bench-rivals`)")
    command = [python, "-m", "benchmarks.picture", str(file.absolute())]
    subprocess.run(command, input=json.dumps(data), text=True, cwd=ROOT, check=True)


def main(argv: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks growth", description=__doc__)
    parser.add_argument("--puzzle", default=",".join(FAMILIES), help="some of: %(default)s")
    parser.add_argument("--engines", default=",".join(ENGINES), help="engines of ours (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=10.0, help="for one instance (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=1, help="rounds that count (default: %(default)s)")
    parser.add_argument("--words", type=Path, default=SHORT, help="the word list for crosswords")
    parser.add_argument("--save", metavar="FILE", type=Path, help="write the tables to FILE too")
    parser.add_argument("--svg", metavar="FILE", type=Path, help="draw them to FILE")
    said = parser.parse_args(argv)
    if unknown := set(said.puzzle.split(",")) - FAMILIES.keys():
        parser.error(f"there is no {min(unknown)!r}")
    words = list(load_list(str(said.words)).words)
    engines = tuple(said.engines.split(","))
    wanted = {f"lpbridge {name}" for name in engines} | {"clingo, fresh Control"}
    contestants = [Contestant(rival) for rival in rivals(engines) if rival.name in wanted]
    parts: list[str] = []

    def tell(text: str) -> None:
        parts.append(text)
        print(text, flush=True)

    tell(f"`python -m benchmarks {' '.join(['growth', *argv])}`\n\n{machine()}\n")
    pictures = []
    try:
        present = [contestant for contestant in contestants if contestant.present()]
        for name in said.puzzle.split(","):
            family = FAMILIES[name]
            found, wrong = grown(family, present, words, said.seconds, said.rounds)
            tell(table(family, found))
            if wrong:
                tell("\n".join(wrong) + "\n")
            pictures.append({"title": family.title, "axis": family.axis, "lines": found})
    finally:
        for contestant in contestants:
            contestant.close()
    if said.save:
        said.save.write_text("\n".join(parts), encoding="utf-8")
    if said.svg:
        drawn({"pictures": pictures, "limit": said.seconds}, said.svg)
