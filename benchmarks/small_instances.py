"""Two encodings on thousands of small instances: how many a second, beside a plain Control for each.

    python -m benchmarks.small_instances --save benchmarks/results/small_instances.md

The programs of a pair have the same answers to every instance of the generator. The rival loads and grounds each
program with each instance in this process, and collects the shown atoms as strings: without limits, and without a
process that can be killed.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import clingo

import bridge
from benchmarks.measure import machine
from bridge.comparison.generator import Generator


class Pair(NamedTuple):
    """Two programs, and a generator of their instances."""

    name: str
    one: str
    other: str
    generator: str


_COVERED = "node(X) :- edge(X, _).\nnode(X) :- edge(_, X).\n"

PAIRS = (
    Pair(
        "2-colouring, 4 nodes",
        "{ colour(X, (red; green)) } = 1 :- node(X).\n:- edge(X, Y), colour(X, C), colour(Y, C).\n#show colour/2.\n",
        "1 { colour(X, red); colour(X, green) } 1 :- node(X).\nbad :- edge(X, Y), colour(X, C), colour(Y, C).\n"
        ":- bad.\n#show colour/2.\n",
        "node(1..4). { edge(X, Y) : node(X), node(Y), X != Y }. #show node/1. #show edge/2.\n",
    ),
    Pair(
        "vertex cover, up to 5 nodes",
        f"{_COVERED}{{ in(X) : node(X) }}.\n:- edge(X, Y), not in(X), not in(Y).\n#show in/1.\n",
        f"{_COVERED}in(X) :- node(X), not out(X).\nout(X) :- node(X), not in(X).\n:- edge(X, Y), out(X), out(Y).\n"
        "#show in/1.\n",
        "{ edge(X, Y) : X = 1..4, Y = X + 1..5 }. { edge(1, 1) }. #show edge/2.\n",
    ),
    Pair(
        "reachability, 4 nodes",
        "reach(X, Y) :- edge(X, Y).\nreach(X, Z) :- reach(X, Y), edge(Y, Z).\n#show reach/2.\n",
        "reach(X, Y) :- edge(X, Y).\nreach(X, Z) :- edge(X, Y), reach(Y, Z).\n#show reach/2.\n",
        "{ edge(X, Y) : X = 1..4, Y = 1..4, X != Y }. #show edge/2.\n",
    ),
    Pair(
        "sums, 10 numbers",
        "{ in(X) : n(X) }.\n:- #sum { X : in(X) } != 12.\n#show in/1.\n",
        "{ in(X) : n(X) }.\n:- not 12 #sum { X : in(X) } 12.\n#show in/1.\n",
        "{ n(1..11) }.\n",
    ),
)


def plain(program: str, facts: str) -> int:
    """The number of answers, by a Control of its own."""
    control = clingo.Control(["0", "--project=show"], logger=lambda *_: None)
    control.add("base", [], program + facts)
    control.ground()
    found = set[frozenset[str]]()
    with control.solve(yield_=True) as handle:
        for model in handle:
            found.add(frozenset(map(str, model.symbols(shown=True))))
    return len(found)


def row(pair: Pair, most: int) -> str:
    """A line of the table."""
    started = perf_counter()
    every = bridge.Generator(pair.generator, most=most)
    found = bridge.compare(bridge.AspProblem(pair.one), bridge.AspProblem(pair.other), instances=every)
    seconds = perf_counter() - started
    if not found.equivalent:
        raise SystemExit(f"{pair.name}: {found}")
    texts = [one.text for _, one in zip(range(most), Generator(pair.generator).instances(), strict=False)]
    started = perf_counter()
    answers = [plain(program, facts) for facts in texts for program in (pair.one, pair.other)]
    rival = perf_counter() - started
    ours = sum(len(each.outcome.solutions) for each in found.rows if each.outcome)
    if sum(answers) != ours or len(texts) != len(found.instances):
        raise SystemExit(f"{pair.name}: {sum(answers)} answers, not {ours}")
    number = len(texts)
    rates = f"{number / seconds:,.0f} | {number / rival:,.0f} | {rival / seconds:.1f}"
    return f"| {pair.name} | {number:,} | {ours:,} | {rates} |"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.small_instances", description=__doc__)
    parser.add_argument("--most", type=int, default=4096, help="instances of each pair")
    parser.add_argument("--save", type=Path, metavar="FILE", help="write the table to FILE, too")
    chosen = parser.parse_args()
    row(PAIRS[0], 30)  # not counted
    lines = ["# Many small instances", "", machine(), "", "Made by `python -m benchmarks.small_instances`.", ""]
    lines += ["| programs | instances | answers of both | instances a second, both programs | plain Controls | ratio |"]
    lines += ["|---|--:|--:|--:|--:|--:|", *(row(pair, chosen.most) for pair in PAIRS)]
    lines += ["", "Of `lpbridge compare` all is counted: processes, generator, comparison of the answers; of plain"]
    lines += ["Controls only loading, grounding and solving, without a process of its own and without limits."]
    print("\n".join(lines))
    if chosen.save:
        chosen.save.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
