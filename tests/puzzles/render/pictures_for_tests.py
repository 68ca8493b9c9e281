"""A picture of each kind for each puzzle, made without solvers."""

from __future__ import annotations

from collections.abc import Iterator

from shared_data import ROOT

from bridge.puzzles import load
from bridge.puzzles.engines.residual import PuzzleResidual
from bridge.puzzles.kinds import KINDS, Puzzle, parse
from bridge.puzzles.kinds.rules import Value
from bridge.puzzles.render import Picture, ambiguity, conflict, instance, residual, solution, step

EXAMPLES = ROOT / "examples"


def puzzle(kind: str) -> Puzzle:
    """One of each kind, with clues, small."""
    if kind == "crossword":
        return parse(kind, "c.t\n.#.\n..n", words=str(EXAMPLES / "crossword" / "short.words"))
    texts = {
        "sudoku": "12.. .... .... ..43".replace(" ", ""),
        "latin-square": "variant diagonal\n1 . . .\n. . . .\n. . . .\n. . . .",
        "futoshiki": "1 < .   .\n    v\n.   .   .\n.   .   .\nr1c1 < r3c3",
        "magic-square": "2 . .\n. 5 .\n. . .",
        "takuzu": "1...\n..0.\n....\n.1..",
    }
    return parse(kind, texts[kind])


def pictures(kind: str) -> Iterator[tuple[str, Picture]]:
    """All kinds of pictures of one puzzle, with made-up findings."""
    one = puzzle(kind)
    every, cells, clues = one.values(), one.cells(), one.clues()
    open_cells = [cell for cell in cells if cell not in clues]
    some = every[: min(3, len(every))]
    grid = one.solution({**dict.fromkeys(cells, every[-1]), **clues})
    possible: dict[tuple[int, int], tuple[Value, ...]] = {cell: (value,) for cell, value in clues.items()}
    narrow = {**possible, **dict.fromkeys(open_cells[:2], some[:2]), **dict.fromkeys(open_cells[2:], some[:1])}
    wide = {**possible, **dict.fromkeys(open_cells, every)}
    constraints = (
        "r1c2 in 1..3",
        f"all_distinct([r{open_cells[0][0]}c{open_cells[0][1]}, r{open_cells[1][0]}c{open_cells[1][1]}])",
    )
    rules = [rule.name for rule in one.rules()][:3]
    new = open_cells[0]
    yield "instance", instance(one, "An example <with> signs & such.")
    yield "solution", solution(one, grid)
    yield "exact", residual(one, PuzzleResidual("exact", "asp", narrow, tuple(rules)))
    yield "propagated", residual(one, None, PuzzleResidual("propagated", "clpfd", wide, constraints))
    yield "both", residual(one, PuzzleResidual("exact", "asp", narrow), PuzzleResidual("propagated", "clpfd", wide, constraints))
    yield "conflict", conflict(one, rules, clues)
    yield (
        "step",
        step(one, {open_cells[1]: every[0]}, (new, every[0], True), rules, [(*item, True) for item in clues.items()]),
    )
    yield "removal", step(one, {}, (new, every[0], False), rules, [(open_cells[1], every[0], False)])
    yield "ambiguity", ambiguity(one, narrow, [(open_cells[:2], [some[:2], some[:2][::-1]])], rules)


EVERY = [(kind, name, picture) for kind in KINDS for name, picture in pictures(kind)]
NAMES = [f"{kind}-{name}" for kind, name, _ in EVERY]


def report3(number: int) -> Puzzle:
    return load("sudoku", EXAMPLES / "sudoku" / f"report3-problem{number}.txt")
