"""`python -m benchmarks.executor [FOLDER]`: programs of machine-made sets, judged trusted and confined, beside `swipl`.

Without FOLDER the programs are made here, in the style of such sets, with their answers: sums by library(clpq),
rules over a knowledge base, grammars, puzzles; and hostile ones among them, which are to harm and slow nobody. The
programs of a FOLDER (`*.pl`) are asked `--goal`. All are judged in blocks, each block by each contender in turn:
compare the ratios. `judge` runs as many at a time as there are processors. swipl runs each program in a process of its
own, one at a time, without limits; hostile ones are kept from it.

    python -m benchmarks.executor --programs 1000
    python -m benchmarks.executor programs/ --goal 'solve(X)'

Without FOLDER, 25 rules are judged against one knowledge base of 1,000 facts, too.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

from benchmarks.measure import machine
from bridge import Limits, judge
from bridge.prolog.locate import current

GOAL = "solve(X)"
LIMITS = Limits(seconds=2, memory=1 << 29)
PAGE = Path(__file__).parent / "results" / "executor.md"


@dataclass(frozen=True)
class Made:
    """A program with what it is to answer; None where it is hostile, or not known."""

    style: str
    text: str
    answer: Any = None


def sum_of(chance: Random) -> Made:
    count, price, people = chance.randint(2, 40), Fraction(chance.randint(1, 400), 4), chance.randint(2, 9)
    text = (
        f":- use_module(library(clpq)).\n\n% {people} friends share {count} tickets.\nsolve(Share) :-\n"
        f"    {{Tickets = {count}, Price = {price.numerator}/{price.denominator}}},\n    {{Total = Tickets * Price}},\n"
        f"    {{Rest + Total * 1/4 = Total}},\n    {{Share * {people} = Rest}}.\n"
    )
    return Made("sums", text, count * price * Fraction(3, 4) / people)


def rules(chance: Random) -> Made:
    facts = [f"p{chance.randrange(20)}" for _ in range(60)]
    pairs = list(zip(facts[::2], facts[1::2], strict=True))
    lines = [f"parent({a}, {b})." for a, b in pairs]
    lines += [f"r{n}(X, Y) :- parent(X, Z), parent(Z, Y), X \\== Y." for n in range(20)]
    lines += ["linked(X, Y) :- parent(X, Y).", "solve(N) :- aggregate_all(count, linked(_, _), N)."]
    return Made("rules", "\n".join([":- use_module(library(aggregate)).", *lines]) + "\n", len(pairs))


def grammar(chance: Random) -> Made:
    numbers = [chance.randint(1, 99) for _ in range(chance.randint(2, 6))]
    text = (
        ":- use_module(library(dcg/basics)).\n\nsum(S) --> integer(X), more(X, S).\n"
        "more(S0, S) --> blanks, \"+\", blanks, !, integer(X), { S1 is S0 + X }, more(S1, S).\nmore(S, S) --> [].\n\n"
        f"solve(S) :- atom_codes('{' + '.join(map(str, numbers))}', Codes), phrase(sum(S), Codes).\n"
    )
    return Made("grammars", text, sum(numbers))


def puzzle(chance: Random) -> Made:
    values = [chance.randint(1, 9) for _ in range(4)]
    total, product = sum(values), values[0] * values[1] * values[2] * values[3]
    text = (
        ":- use_module(library(clpfd)).\n\nsolve(Vs) :-\n    Vs = [A, B, C, D],\n    Vs ins 1..9,\n"
        f"    chain(Vs, #=<),\n    A + B + C + D #= {total},\n    A * B * C * D #= {product},\n    label(Vs), !.\n"
    )
    found = next(
        [a, b, c, d]
        for a in range(1, 10) for b in range(a, 10) for c in range(b, 10) for d in range(c, 10)
        if a + b + c + d == total and a * b * c * d == product
    )  # fmt: skip
    return Made("puzzles", text, found)


HOSTILE = (
    "solve(X) :- shell('touch trace', X).", ":- repeat, fail.", "solve(X) :- solve(X).",
    "solve(X) :- length(X, 1000000000).",
    "solve(_) :- repeat, write(x), fail.", ":- open('/etc/passwd', read, _).",
    "solve(X) :- catch(solve(X), _, solve(X)).", ":- use_module(library(process)).",
    "solve(X) :- lists:assertz(x), X = 1.", "user:portray(_) :- halt.", ":- halt.",
    "solve(X) :- assertz(p(1)), solve(X).", "solve(X) :- X is 7 ** 7 ** 9.",
)  # fmt: skip


def made(number: int, seed: int) -> Iterator[Made]:
    chance = Random(seed)
    for index in range(number):
        if index % 50 == 49:
            yield Made("hostile", chance.choice(HOSTILE) + "\n")
        else:
            yield chance.choices((sum_of, rules, grammar, puzzle), (4, 2, 2, 1))[0](chance)


def by_judge(untrusted: bool) -> Callable[[Sequence[Made], str], list[tuple[str, Any]]]:
    def run(block: Sequence[Made], goal: str) -> list[tuple[str, Any]]:
        found = judge([], [one.text for one in block], [goal], untrusted=untrusted, limits=LIMITS)
        return [(one.verdict, one.value) for one in found]

    return run


def by_swipl(block: Sequence[Made], goal: str) -> list[tuple[str, Any]]:
    swipl, found = str(current().swipl), []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "program.pl")
        for one in block:
            file.write_text(one.text)
            call = [swipl, "-q", "-g", f"{goal}, print(X), nl", "-t", "halt", str(file)]
            done = subprocess.run(call, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60)
            found.append(("answered" if done.stdout else "no answer", done.stdout.strip()))
    return found


RULES = 25


def against_one_background(rounds: int = 5) -> list[str]:
    """Milliseconds a rule: the background is loaded once for `judge`, and by each process of swipl."""
    background = "".join(f"parent(p{one}, p{(one * 7 + 1) % 1000}).\n" for one in range(1000))
    rules = [f"child(X, Y) :- parent(Y, X), X \\== p{one}.\n" for one in range(RULES)]
    goal = "child(X, p5)"

    def judged(untrusted: bool) -> Any:
        return list(judge(background, rules, [goal], untrusted=untrusted, limits=LIMITS))

    contenders: dict[str, Callable[[], Any]] = {
        "trusted": lambda: judged(False),
        "confined": lambda: judged(True),
        "swipl": lambda: by_swipl([Made("", background + rule) for rule in rules], goal),
    }
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, run in contenders.items():
            begun = perf_counter()
            run()
            seconds[name].append(perf_counter() - begun)
    return [f"| {name} | {median(spent) / RULES * 1000:.1f} |" for name, spent in seconds.items()]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", help="programs, *.pl; without it they are made")
    parser.add_argument("--goal", default=GOAL, help="what is asked, with the variable X")
    parser.add_argument("--programs", type=int, default=1000, help="so many are made")
    parser.add_argument("--block", type=int, default=50, help="so many are judged at a time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", type=Path, nargs="?", const=PAGE, help="write the page of results")
    given = parser.parse_args(arguments)
    if given.folder:
        files = sorted(Path(given.folder).glob("*.pl"))
        programs = [Made("folder", file.read_text(errors="replace")) for file in files]
    else:
        programs = list(made(given.programs, given.seed))
    contenders = {"trusted": by_judge(False), "confined": by_judge(True), "swipl": by_swipl}
    seconds, counted = dict.fromkeys(contenders, 0.0), Counter[str]()
    verdicts: dict[tuple[str, str], Counter[str]] = {}
    wrong = 0
    for run in list(contenders.values())[:2]:
        run(programs[: given.block], given.goal)  # the solvers are loaded
    for start in range(0, len(programs), given.block):
        block = programs[start : start + given.block]
        tame = [one for one in block if one.style != "hostile"]
        for name, run in contenders.items():
            begun = perf_counter()
            found = run(tame, given.goal)
            seconds[name] += perf_counter() - begun
            counted[name] += len(tame)
            for one, (verdict, value) in zip(tame, found, strict=True):
                verdicts.setdefault((one.style, name), Counter())[verdict] += 1
                wrong += name != "swipl" and one.answer is not None and value != one.answer
        hostile = [one for one in block if one.style == "hostile"]
        for verdict, _ in by_judge(True)(hostile, given.goal):
            verdicts.setdefault(("hostile", "confined"), Counter())[verdict] += 1
    lines = [
        "# Programs of machine-made sets",
        "",
        f"`python -m benchmarks.executor {given.folder or f'--programs {len(programs)}'} --save`, {machine()}",
        "",
        "| | programs a second | and processor | beside swipl, and processor |",
        "|---|--:|--:|--:|",
    ]
    swipl = counted["swipl"] / seconds["swipl"]
    for name in contenders:
        rate = counted[name] / seconds[name]
        of_one = rate / (1 if name == "swipl" else len(os.sched_getaffinity(0)))
        lines.append(f"| {name} | {rate:.1f} | {of_one:.1f} | {of_one / swipl:.1f} |")
    lines += ["", "| style | | verdicts |", "|---|---|---|"]
    for (style, name), each in sorted(verdicts.items()):
        found_of = ", ".join(f"{verdict} {count}" for verdict, count in each.most_common())
        lines.append(f"| {style} | {name} | {found_of} |")
    lines += ["", f"{wrong} values are not the expected ones."]
    if not given.folder:
        lines += ["", f"{RULES} rules against one background of 1,000 facts:", "", "| | ms a rule |", "|---|--:|"]
        lines += against_one_background()
    text = "\n".join(lines) + "\n"
    print(text, end="")
    if given.save:
        given.save.write_text(text, encoding="utf-8")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
