"""`python -m benchmarks growth`: time against size, for each puzzle, as a table and a picture.

Our engines and a fresh clingo for each instance answer the same instances of each size; each in a process of its own,
with a time limit. An engine that runs out of time at most instances of a size is not asked for larger ones, if these
are harder.

Instances are made from seeds, by rules that work at every size, so that sizes can be compared: they are unlike
those of human authors. (Solved squares come from a regular one by exchanging rows, columns and values; that is quick,
and does not reach all squares.)

`python -m benchmarks growth --programs`: processor time and memory of commands on clingo programs of several sizes, as
ratios to plain clingo on the same files: facts, a clash among a million ground rules, answers that are printed.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
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


# Programs --------------------------------------------------------------------------------------------------------

#: Facts, and a constraint that one of them breaks.
FACTS = "{ in(X) : edge(X, _) }.\n:- in(0).\n#show in/1.\n"
BROKEN = FACTS + ":- not in(0), edge(0, 0).\n"

#: Twenty ground rules a lesson, and three facts and three rules that cannot hold together.
LESSONS = """\
slot(1..10).
{ at(L, S) : slot(S) } :- lesson(L, _).
busy(T, S) :- at(L, S), lesson(L, T).
:- at(L, S), closed(L, S).
:- lesson(L, T), must(L, S), not at(L, S).
:- busy(T, S), away(T, S).
#show at/2.
"""
WISHES = "must(l7,3).\naway(t7,3).\nclosed(l5,5).\n"

PIGEONS = "{ in(P, H) : H = 1..n-1 } = 1 :- P = 1..n.\n:- in(P, H), in(Q, H), P < Q.\n#show in/2.\n#const n = 9.\n"

#: Programs whose answers are printed, each with the number of answers. What an empty one takes is the start.
PRINTED = {
    "an empty program": ("", 1),
    "pigeons 9, no answer": (PIGEONS, 1),
    "120,000 answers": ("1 { p(1..300) } 1.\n1 { q(1..400) } 1.\n", 0),
    "1,000 models of 1,000 atoms": ("p(1..1000).\n1 { q(1..1000) } 1.\n", 0),
    "one model of 1,000,000 atoms": ("p(1..1000000).\n", 1),
}


#: Runs a command and prints its seconds of a processor and kilobytes. The system counts the memory of the process that
#: starts a command as that of the command: so this is a small one.
_MEASURED = """\
import os, subprocess, sys
with subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL) as process:
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
print(process.returncode, used.ru_utime + used.ru_stime, used.ru_maxrss)
"""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a command took: seconds of a processor, those of a clock, and the most memory of one process, in MB."""

    processor: float
    clock: float
    memory: float


def _cost(command: Sequence[str], rounds: int) -> Cost:
    """The least of some runs. A command that fails is an error; clingo ends with 10, 20 or 30."""
    found: list[Cost] = []
    # Where this is set, clingo in Python writes each piece of an answer by a call of its own.
    # Where the other is set, each command compiles this program's modules, which are compiled once where it is not.
    left_out = ("PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE")
    environment = {name: value for name, value in os.environ.items() if name not in left_out}
    for _ in range(rounds):
        started = perf_counter()
        measured = [sys.executable, "-I", "-S", "-c", _MEASURED, *command]
        done = subprocess.run(measured, capture_output=True, text=True, cwd=ROOT, env=environment, check=True)
        code, processor, memory = done.stdout.split()
        if int(code) not in (0, 1, 10, 20, 30):
            raise RuntimeError(f"{command}: {code}: {done.stderr}")
        found.append(Cost(float(processor), perf_counter() - started, int(memory) / 1024))
    return min(found, key=lambda cost: cost.processor)


def _first_clash(files: Sequence[Path], seconds: float) -> float | None:
    """Seconds until a diagnosis names a fact that is in a clash; None when it does not."""
    import bridge
    from bridge.limits import Limits

    started, named = perf_counter(), list[float]()

    def note(found: Any) -> None:
        if not named and any(clash.facts for clash in found.clashes or ()):
            named.append(perf_counter() - started)

    bridge.diagnose(bridge.AspProblem(*files), limits=Limits(seconds=seconds), on_progress=note)
    return named[0] if named else None


def programs(sizes: Sequence[int], seconds: float, rounds: int) -> str:
    """The tables of clingo programs, beside plain clingo."""
    plain = [sys.executable, str(Path(__file__).with_name("plain_clingo.py"))]
    ours = [sys.executable, "-m", "bridge"]
    columns = "| | processor s | times clingo | MB | times clingo |\n|---|--:|--:|--:|--:|"
    parts: list[str] = []

    def rows(commands: dict[str, list[str]], base: Cost) -> list[str]:
        costs = {name: _cost(command, rounds) for name, command in commands.items()}
        return [
            f"| {name} | {cost.processor:.2f} | {cost.processor / base.processor:.2f} | {cost.memory:.0f} "
            f"| {cost.memory / base.memory:.2f} |"
            for name, cost in {"clingo": base, **costs}.items()
        ]

    with tempfile.TemporaryDirectory(prefix="lpbridge-") as folder:

        def file(name: str, text: str) -> str:
            path = Path(folder, name)
            path.write_text(text, encoding="utf-8")
            return str(path)

        good, bad, lessons = file("good.lp", FACTS), file("bad.lp", BROKEN), file("lessons.lp", LESSONS)
        for size in sizes:
            facts = file("facts.lp", "".join(f"edge({n % 1000},{n}).\n" for n in range(size)))
            commands = {
                "run": [*ours, "run", good, facts],
                "lint": [*ours, "lint", bad, facts],
                "diagnose": [*ours, "diagnose", bad, facts, "-t", str(seconds)],
            }
            base = _cost([*plain, good, facts], rounds)
            parts += [f"\n### {size:,} facts\n", columns, *rows(commands, base)]
        for size in sizes[:-1]:
            facts = file("facts.lp", "".join(f"lesson(l{n},t{n % 5000}).\n" for n in range(size)) + WISHES)
            base = _cost([*plain, lessons, facts], rounds)
            commands = {"diagnose": [*ours, "diagnose", lessons, facts, "-t", str(seconds)]}
            parts += [f"\n### A clash among {size:,} facts and {20 * size:,} ground rules\n", columns]
            parts += rows(commands, base)
            first = _first_clash([Path(lessons), Path(facts)], seconds)
            shown = "not in time" if first is None else f"{first:.1f} s, {first / base.clock:.1f} times clingo"
            parts.append(f"\nBy the clock, the first clash that names a fact: {shown}.")
        for name, (text, number) in PRINTED.items():
            path = file("printed.lp", text)
            base = _cost([*plain, path, str(number)], rounds)
            run = [*ours, "run", path, "-n", str(number)]
            forms = {"run": run, "run --jsonl": [*run, "--jsonl"], "run --json": [*run, "--json"]}
            parts += [f"\n### {name}\n", columns, *rows(forms, base)]
    return "\n".join(parts) + "\n"


def main(argv: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks growth", description=__doc__)
    parser.add_argument("--puzzle", default=",".join(FAMILIES), help="some of: %(default)s")
    parser.add_argument("--engines", default=",".join(ENGINES), help="engines of ours (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=10.0, help="for one instance (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=1, help="rounds that count (default: %(default)s)")
    parser.add_argument("--words", type=Path, default=SHORT, help="the word list for crosswords")
    parser.add_argument("--programs", action="store_true", help="clingo programs beside plain clingo, no puzzles")
    parser.add_argument("--sizes", default="10000,100000,1000000", help="of --programs: facts (default: %(default)s)")
    parser.add_argument("--save", metavar="FILE", type=Path, help="write the tables to FILE too")
    parser.add_argument("--svg", metavar="FILE", type=Path, help="draw them to FILE")
    said = parser.parse_args(argv)
    if said.programs:
        sizes = [int(size) for size in said.sizes.split(",")]
        text = programs(sizes, said.seconds, said.rounds)
        text = f"`python -m benchmarks {' '.join(['growth', *argv])}`\n\n{machine()}\n{text}"
        print(text)
        if said.save:
            said.save.write_text(text, encoding="utf-8")
        return
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
