"""How a task is measured.

Contenders take turns on the same instances, in an order that is shuffled anew each round (with a fixed seed), after
one round that is not counted. The result is the median over rounds and instances, and its ratio to the contender
that the task names as the rival. Times of a machine mean little; ratios of one run mean something.
"""

from __future__ import annotations

import os
import platform
import random
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

#: A contender answers an instance; its answers are compared with those of the others.
Contender = Callable[[Any], Any]


@dataclass(frozen=True)
class Figure:
    """One contender's figures: milliseconds per instance, and the ratio of the rival's median to its own."""

    name: str
    median: float
    mean: float
    worst: float
    ratio: float


def contest(contenders: Mapping[str, Contender], instances: Sequence[Any], rival: str, rounds: int = 5) -> list[Figure]:
    """Measure contenders against each other.

    Raises
    ------
    AssertionError
        When two give different answers: there is nothing to compare then.
    """
    shuffle = random.Random(20).shuffle
    times: dict[str, list[float]] = {name: [] for name in contenders}
    for number in range(rounds + 1):
        order = [(name, instance) for name in contenders for instance in range(len(instances))]
        shuffle(order)
        answers: dict[int, Any] = {}
        for name, instance in order:
            started = perf_counter()
            answer = contenders[name](instances[instance])
            spent = perf_counter() - started
            assert answers.setdefault(instance, answer) == answer, f"{name} disagrees: {answer}, {answers[instance]}"
            if number:
                times[name].append(spent * 1000)
    base = statistics.median(times[rival])
    return [
        Figure(name, statistics.median(found), statistics.mean(found), max(found), base / statistics.median(found))
        for name, found in times.items()
    ]


def shown(title: str, figures: Sequence[Figure], rival: str) -> str:
    """The figures as a table in Markdown."""
    head = f"| | median ms | mean ms | worst ms | times faster than {rival} |"
    lines = [f"### {title}", "", head, "|---|--:|--:|--:|--:|"]
    lines += [f"| {f.name} | {f.median:.3f} | {f.mean:.3f} | {f.worst:.2f} | {f.ratio:.2f} |" for f in figures]
    return "\n".join(lines) + "\n"


def machine() -> str:
    """What it was measured on."""
    import clingo

    versions = f"Python {platform.python_version()}, clingo {clingo.__version__}"
    try:
        from bridge.prolog.locate import current, show_version

        versions += f", SWI-Prolog {show_version(current().version)}"
    except Exception as error:
        versions += f", no SWI-Prolog ({error})"
    return f"{versions}; {platform.system()} {platform.machine()}, {os.cpu_count()} cores"
