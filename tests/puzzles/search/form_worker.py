"""Runs searches for `test_search_compiled.py`, in whichever form the environment asks for.

The first line out is the form. For each line in, the name of a case, comes one line with all results: the solutions in
order, how the search ended, and its statistics.
"""

import json
import sys
from collections.abc import Iterator

from csp_problems import ALL_STRATEGIES, HARD_SUDOKUS, australia, latin, magic, queens, random_csp, sudoku

from bridge.errors import Place
from bridge.limits import Limits
from bridge.puzzles.kinds import parse, puzzle_class
from bridge.puzzles.kinds.models import models
from bridge.puzzles.search import CSP, FORM, propagate, search
from bridge.puzzles.search.ladder import climb

WORDS = ["lane", "area", "near", "ears", "line", "idea", "earn", "tsar", "open", "pile", "even"]
SQUARE = {"grid": [[None] * 4] * 4, "words": WORDS, "repeat": True}

#: By name: problems of every kind of constraint, and every kind of puzzle.
NAMED = {
    "latin": lambda: latin(4, {"5": 2}),
    "queens": lambda: queens(6),
    "magic": lambda: magic(3),
    "australia": australia,
    "hard sudoku": lambda: sudoku(next(iter(HARD_SUDOKUS))),
    "kind sudoku": lambda: of_kind("sudoku", "1...\n....\n..2.\n...."),
    "kind futoshiki": lambda: of_kind("futoshiki", ". > .   .\n         \n.   . < .\n         \n.   .   2"),
    "kind latin-square": lambda: of_kind("latin-square", "order 4\nvariant diagonal"),
    "kind magic-square": lambda: of_kind("magic-square", "order 4"),
    "kind takuzu": lambda: of_kind("takuzu", "0.....\n..0..1\n......\n...1..\n......\n1....."),
    "kind crossword": lambda: models(puzzle_class("crossword").from_json(SQUARE, Place())).csp(),
}


def of_kind(kind: str, text: str) -> CSP:
    return models(parse(kind, text)).csp()


def results(csp: CSP, limits: Limits) -> Iterator[object]:
    for strategy in ALL_STRATEGIES:
        stream = search(csp, strategy, limits)
        found = stream.collect()
        values = [[str(value) for value in solution.values()] for solution in found.solutions]
        yield str(strategy), values, found.complete, found.limit, stream.statistics.counters
    for inference in ("bt", "fc", "mac", "gac"):
        domains = propagate(csp, inference)
        yield None if domains is None else [list(map(str, values)) for values in domains.values()]
    grade = climb(csp, limits=limits)
    yield {key: value for key, value in grade.to_json().items() if key != "statistics"}


def main() -> None:
    print(FORM, flush=True)
    for line in sys.stdin:
        name = line.strip()
        csp = NAMED[name]() if name in NAMED else random_csp(int(name))
        print(json.dumps(list(results(csp, Limits(nodes=120, solutions=20)))), flush=True)


if __name__ == "__main__":
    main()
