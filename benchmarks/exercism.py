"""`python -m benchmarks.exercism FOLDER`: faults in other people's Prolog, found and repaired by their own tests.

FOLDER is a clone of https://github.com/exercism/prolog (MIT): a solution and a suite of plunit for each exercise. A
solution that does not pass its suite is told and left out. Then faults are put into it, one at a time, by operators of
mutation testing that work on its tokens and know nothing of what `debug` tries:

- another operator of the same sort (arithmetic, comparison, unification);
- another variable of the clause, another constant or number of the program, in place of one;
- a goal left out, two goals exchanged, two arguments exchanged.

A clause that is left out altogether has no line, and is not among them.

A fault counts when the solution still loads and its suite fails. `debug(FILE, tests=[SUITE])` then has `--seconds`: is
the line named among its suspects, is there a repair, and does plunit, run here once more, accept it?

    git clone https://github.com/exercism/prolog
    python -m benchmarks.exercism prolog --faults 3 --save
    python -m benchmarks.exercism prolog --every 3 --limit 1800 --save      of each third exercise, for half an hour
"""

from __future__ import annotations

import argparse
import random
import re
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from benchmarks.measure import machine
from bridge.debugging.debug import debug
from bridge.debugging.goal_edits import Token, atoms, tokens
from bridge.debugging.plunit import run_plunit
from bridge.errors import BridgeError
from bridge.limits import Limits
from bridge.problem.clauses import Clause, Reader

PAGE = Path(__file__).parent / "results" / "exercism.md"

#: Operators, by their sort.
SORTS = [["+", "-", "*", "//"], ["<", ">", "=<", ">="], ["=:=", "=\\="], ["==", "\\=="], ["=", "\\="], ["is", "="]]

#: Seconds for a suite, and for one test of it at least: more where the solution needs more.
SUITE, TEST = 10.0, 0.5


@dataclass
class Fault:
    """A program with a fault: its text, the line, and what was done."""

    text: str
    line: int
    kind: str


@dataclass
class Score:
    """What became of a fault."""

    exercise: str
    fault: Fault
    named: bool
    first: bool
    repaired: bool
    passes: bool
    seconds: float


def faults(text: str, chance: random.Random) -> Iterator[Fault]:
    """Faults of a program, at random, each kind as likely as another."""
    with Reader() as reader:
        source = reader.read("<text>", text)
    clauses = [one for one in source.clauses if one.kind in ("clause", "fact", "grammar")]
    constants = sorted({one.text for one in tokens(text, 0, len(text)) if one.kind in ("number",)})
    kinds = ["operator", "variable", "constant", "goal", "order", "arguments"]
    for _ in range(400):
        clause, kind = chance.choice(clauses), chance.choice(kinds)
        for begin, end, by in _changes(text, clause, kind, constants, chance):
            yield Fault(text[:begin] + by + text[end:], text.count("\n", 0, begin) + 1, kind)


def _changes(
    text: str, clause: Clause, kind: str, constants: Sequence[str], chance: random.Random
) -> Iterator[tuple[int, int, str]]:
    """A change of one kind in a clause, or none: begin, end, and what stands there."""
    parts = list(tokens(text, clause.start, clause.end))

    def one(chosen: Sequence[Token], others: Sequence[str]) -> Iterator[tuple[int, int, str]]:
        if chosen:
            token = chance.choice(chosen)
            if different := [other for other in others if other != token.text]:
                yield token.start, token.end, chance.choice(different)

    goals = list(clause.goals)
    if kind == "operator":
        sort = chance.choice(SORTS)
        yield from one([token for token in parts if token.text in sort], sort)
    elif kind == "variable":
        variables = [token for token in parts if token.kind == "variable" and token.text != "_"]
        yield from one(variables, sorted({token.text for token in variables}))
    elif kind == "constant":
        yield from one([token for token in parts if token.kind == "number"], [*constants, "0", "1", "2"])
    elif kind == "goal" and goals:
        goal = chance.choice(goals)
        yield goal.start, goal.end, "true" if clause.kind != "grammar" else "[]"
    elif kind == "order" and len(goals) > 1:
        number = chance.randrange(len(goals) - 1)
        first, second = goals[number], goals[number + 1]
        if first.end <= second.start:
            between = text[first.end : second.start]
            yield first.start, second.end, text[second.start : second.end] + between + text[first.start : first.end]
    elif kind == "arguments":
        some = [atom for atom in atoms(text, clause.start, clause.end) if len(atom.arguments) > 1]
        if some:
            spans = chance.choice(some).arguments
            number = chance.randrange(len(spans) - 1)
            (a, b), (c, d) = spans[number], spans[number + 1]
            yield a, d, text[c:d] + text[b:c] + text[a:b]


def exercises(folder: Path) -> Iterator[tuple[str, str, str]]:
    """Name, solution and suite of each exercise; a test that waits to be switched on is run."""
    for solution in sorted(folder.glob("exercises/practice/*/.meta/*.pl")):
        for suite in solution.parent.parent.glob("*.plt"):
            tests = re.sub(r"condition\(pending\)", "condition(true)", suite.read_text())
            yield solution.parent.parent.name, solution.read_text(), tests


def passes(program: Path, suite: Path, each: float) -> bool | None:
    """Whether a program passes a suite; None when it does not load, or not end."""
    try:
        found = run_plunit([program, suite], Limits(seconds=SUITE), each=each)
    except BridgeError:
        return None
    return bool(found) and all(one.status in ("passed", "skipped") for one in found)


def slowest(program: Path, suite: Path) -> float | None:
    """Seconds for one test, by those of a solution; None when it does not pass its suite."""
    try:
        found = run_plunit([program, suite], Limits(seconds=SUITE))
    except BridgeError:
        return None
    if not found or any(one.status not in ("passed", "skipped") for one in found):
        return None
    return max(TEST, 5 * max(one.seconds for one in found))


def scores(
    folder: Path, number: int, seconds: float, seed: int, names: Sequence[str], every: int, limit: float
) -> Iterator[Score | str]:
    """What becomes of each fault, and the name of a solution that fails its suite. After `limit` seconds it ends."""
    began = perf_counter()
    for place, (name, solution, tests) in enumerate(exercises(folder)):
        if (names and name not in names) or place % every:
            continue
        if perf_counter() - began > limit:
            return
        chance = random.Random(f"{seed} {name}")
        with tempfile.TemporaryDirectory() as scratch:
            program, suite = Path(scratch, f"{name.replace('-', '_')}.pl"), Path(scratch, "suite.plt")
            program.write_text(solution)
            suite.write_text(tests)
            each = slowest(program, suite)
            if each is None:
                yield name
                continue
            seen: set[str] = {solution}
            done = 0
            for fault in faults(solution, chance):
                if done == number or len(seen) > 40:
                    break
                if fault.text in seen:
                    continue
                seen.add(fault.text)
                program.write_text(fault.text)
                if passes(program, suite, each) is not False:
                    continue
                done += 1
                yield _score(name, fault, program, suite, seconds, each)


def _score(name: str, fault: Fault, program: Path, suite: Path, seconds: float, each: float) -> Score:
    began = perf_counter()
    try:
        found = debug(program, tests=[suite], limits=Limits(seconds=seconds))
    except BridgeError:
        return Score(name, fault, False, False, False, False, perf_counter() - began)
    taken = perf_counter() - began
    # A clause has its line where it begins; a fault may be further down in it.
    lines = [(one.place.line or 0, (one.place.line or 0) + one.text.count("\n")) for one in found.suspects]
    named = [begin <= fault.line <= end for begin, end in lines]
    accepted = False
    if found.repair is not None:
        program.write_text(found.repair.text)
        accepted = passes(program, suite, 4 * each) is True
    return Score(name, fault, any(named), named[:1] == [True], found.repair is not None, accepted, taken)


def page(found: Sequence[Score], wrong: Sequence[str], command: str) -> str:
    """The results in Markdown."""
    kinds = sorted({one.fault.kind for one in found})
    lines = [
        "# Faults in the solutions of Exercism's Prolog track",
        "",
        f"`{command}`, {machine()}",
        "",
        "| kind of fault | faults | line named | first | repaired | suite passes | median s |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for kind in [*kinds, "all"]:
        some = [one for one in found if kind in ("all", one.fault.kind)]
        numbers = [sum(getattr(one, name) for one in some) for name in ("named", "first", "repaired", "passes")]
        median = statistics.median(one.seconds for one in some)
        lines.append(f"| {kind} | {len(some)} | {' | '.join(map(str, numbers))} | {median:.1f} |")
    several = len({one.exercise for one in found})
    words = f"These solutions fail their suites: {', '.join(wrong)}." if wrong else "Each solution passes its suite."
    lines += ["", f"{several} exercises had a fault. {words}"]
    for title, lost in (("Not named", "named"), ("Named and not repaired", "passes")):
        some = [one for one in found if not getattr(one, lost) and (one.named or lost == "named")]
        places = [f"- {one.exercise}, line {one.fault.line} ({one.fault.kind})" for one in some]
        lines += ["", f"{title}:", "", *places] if places else []
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.exercism", description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--faults", type=int, default=3, help="of each exercise")
    parser.add_argument("--seconds", type=float, default=20.0, help="for debug")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only each N-th exercise")
    parser.add_argument("--limit", type=float, default=7200.0, metavar="SECONDS", help="begin with no exercise later")
    parser.add_argument("--only", default="", help="exercises, with commas between")
    parser.add_argument("--save", action="store_true", help=f"write {PAGE.name}")
    chosen = parser.parse_args()
    only = chosen.only.split(",") if chosen.only else []
    found: list[Score] = []
    wrong: list[str] = []
    given = chosen.faults, chosen.seconds, chosen.seed, only, chosen.every, chosen.limit
    for one in scores(chosen.folder, *given):
        if isinstance(one, str):
            wrong.append(one)
            print(f"{one}: does not pass its suite", flush=True)
        else:
            found.append(one)
            words = [name for name in ("named", "first", "repaired", "passes") if getattr(one, name)]
            place = f"{one.exercise}:{one.fault.line} ({one.fault.kind})"
            print(f"{place}: {', '.join(words) or 'nothing'}, {one.seconds:.1f} s", flush=True)
    if not found:
        raise SystemExit("no fault was put in")
    command = f"python -m benchmarks.exercism FOLDER --faults {chosen.faults} --seconds {chosen.seconds:g}"
    command += f" --every {chosen.every} --limit {chosen.limit:g}"
    text = page(found, wrong, command + f" --seed {chosen.seed}" + (f" --only {chosen.only}" if only else ""))
    print(text)
    if chosen.save:
        PAGE.write_text(text)


if __name__ == "__main__":
    main()
