"""`python -m benchmarks.explaid`: a clash of given facts, by clingexplaid and by lpbridge on the same programs.

clingexplaid (`pip install clingexplaid`) makes facts assumptions and shrinks a core of them; rules always hold. Ours
names rules as well as facts; here only its facts are counted. Times are those of a clash from files, with loading and
grounding. lpbridge does that in a process of its own, which is started for each case; clingexplaid is run twice, in
this process, and in one that is started in the same way.
"""

from __future__ import annotations

import json
import random
import statistics
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from time import perf_counter
from typing import Any, TypeVar

from benchmarks.measure import machine
from bridge.analysis.waves import Waves
from bridge.isolation.worker import Worker
from bridge.limits import Deadline, Limits
from bridge.outcome import Progress
from bridge.problem.asp import AspProblem

T = TypeVar("T")

#: How often each case is timed.
ROUNDS = 3

COLOURING = """\
{ colour(N, C) : C = 1..3 } = 1 :- node(N).
:- edge(N, M), colour(N, C), colour(M, C).
node(N) :- edge(N, _).
node(N) :- edge(_, N).
"""

QUEENS = """\
#const n = 12.
{ queen(R, 1..n) } = 1 :- R = 1..n.
:- queen(R, C), queen(S, C), R < S.
:- queen(R, C), queen(S, D), R < S, S - R = |C - D|.
:- given(R, C), not queen(R, C).
"""


def programs(chance: random.Random) -> Iterator[tuple[str, str, str, tuple[str, int]]]:
    """Kind, encoding, instance, and the predicate of the given facts."""
    from bridge.puzzles.kinds import parse

    root = Path(__file__).parent.parent
    sudoku = (root / "encodings" / "sudoku" / "sudoku.lp").read_text(encoding="utf-8")
    rows = (root / "tests" / "data" / "sudoku.jsonl").read_text().splitlines()
    for row in rows[:15]:
        data = json.loads(row)
        if "text" not in data:
            continue
        clues = dict(parse("sudoku", data["text"]).clues())
        for _ in range(5):  # wrong clues where none was
            clues.setdefault((chance.randint(1, 9), chance.randint(1, 9)), chance.randint(1, 9))
        facts = "".join(f"clue({r},{c},{value}).\n" for (r, c), value in clues.items())
        yield "Sudoku with wrong clues", sudoku, facts, ("clue", 3)
    for _ in range(15):
        pairs = {tuple(sorted(chance.sample(range(40), 2))) for _ in range(120)}
        edges = "".join(f"edge({a},{b}).\n" for a, b in sorted(pairs))
        yield "3-colouring of 40 nodes, 120 edges", COLOURING, edges, ("edge", 2)
    for _ in range(15):
        facts = "".join(f"given({row},{chance.randint(1, 12)}).\n" for row in range(1, 9))
        yield "12 queens, 8 given", QUEENS, facts, ("given", 2)


def explaid(paths: list[str], signature: tuple[str, int]) -> int | None:
    """The number of facts in a clash by clingexplaid; None when there is an answer set."""
    from clingexplaid.preprocessors import AssumptionPreprocessor, FilterSignature
    from clingexplaid.unsat import SubsetComputer

    found: list[Any] = []
    made = AssumptionPreprocessor(filters={FilterSignature(*signature)})
    made.process_files(paths)
    made.control.ground([("base", [])])
    computer = SubsetComputer(made.control, made.assumptions)
    made.control.solve(assumptions=list(made.assumptions), on_core=lambda core: found.append(computer.mus(core)))
    return len(list(found[0])) if found else None


def warm() -> None:
    """What a worker loads before it is asked (`bridge.isolation.worker`): this module is a job, too."""
    import clingexplaid.preprocessors
    import clingexplaid.unsat  # noqa: F401


def serve(call: tuple[Any, ...], limits: Limits, progress: Progress) -> Iterator[tuple[Any, int]]:
    """Answer `explaid` in a worker."""
    _, paths, signature = call
    yield explaid(paths, tuple(signature)), 1
    progress.complete = True


def isolated(paths: list[str], signature: tuple[str, int]) -> int | None:
    """`explaid` in a process of its own."""
    worker = Worker(__spec__.name if __spec__ is not None else "benchmarks.explaid")
    try:
        found: int | None = worker.call(("explaid", paths, list(signature)))
    finally:
        worker.close()
    return found


def lpbridge(paths: list[str], signature: tuple[str, int]) -> int:
    """The number of facts of that predicate in a clash by lpbridge."""
    problem = AspProblem(*map(Path, paths))
    with problem.backend.opened(), closing(Waves(problem, Deadline(60))) as waves:
        clash = waves.first()
    return sum(str(fact).startswith(f"{signature[0]}(") for fact in clash.facts)


def timed(function: Callable[[list[str], tuple[str, int]], T], *given: Any) -> tuple[T, float]:
    """What a function gives, and the seconds that it takes."""
    started = perf_counter()
    found = function(*given)
    return found, perf_counter() - started


def main() -> None:
    """Print a table in Markdown."""
    scores: dict[str, list[tuple[int, int, float, float]]] = {}
    for round_ in range(ROUNDS + 1):
        for kind, encoding, instance, signature in programs(random.Random(3)):
            with tempfile.TemporaryDirectory() as folder:
                paths = [f"{folder}/encoding.lp", f"{folder}/instance.lp"]
                for path, text in zip(paths, (encoding, instance), strict=True):
                    Path(path).write_text(text, encoding="utf-8")
                theirs, here = timed(explaid, paths, signature)
                if theirs is None:
                    continue
                _, there = timed(isolated, paths, signature)
                ours, seconds = timed(lpbridge, paths, signature)
            if round_:  # the first is to warm up
                scores.setdefault(kind, []).append((theirs, ours, seconds / there, seconds / here))
    print(f"{machine()}\n")
    print("| programs | cases | facts by clingexplaid: median, largest | by lpbridge | smaller, equal, larger ", end="")
    print("| ratio of seconds, lpbridge to clingexplaid, each in a process of its own: median ", end="")
    print("| to clingexplaid in process |\n|---|---|---|---|---|---|---|")
    for kind, rows in scores.items():
        theirs, ours = [row[0] for row in rows], [row[1] for row in rows]
        smaller, larger = sum(b < a for a, b, *_ in rows), sum(b > a for a, b, *_ in rows)
        equal, alone = (statistics.median(row[place] for row in rows) for place in (2, 3))
        sizes = f"{statistics.median(theirs):g}, {max(theirs)} | {statistics.median(ours):g}, {max(ours)}"
        compared = f"{smaller}, {len(rows) - smaller - larger}, {larger}"
        print(f"| {kind} | {len(rows)} | {sizes} | {compared} | {equal:.1f} | {alone:.1f} |")


if __name__ == "__main__":
    main()
