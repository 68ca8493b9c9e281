"""Random tiny instances of every puzzle, and what is true of them by looking at every grid there is.

A set of grids is a number: bit i is set when grid i is in it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from functools import cached_property
from itertools import permutations, product
from math import prod
from random import Random

from instances import latin_square, magic_square, takuzu

from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.crossword import Crossword
from bridge.puzzles.kinds.crossword.runs import slots
from bridge.puzzles.kinds.futoshiki import Futoshiki
from bridge.puzzles.kinds.rules import Cell, Grid, Value
from bridge.puzzles.kinds.sudoku import Sudoku
from bridge.puzzles.oracle import Assignment, Fact, Oracle, RuleOrFact

#: Grids looked at, at most; where an instance has more, some cells are held.
MOST = 4000


def _open(height: int, width: int) -> Grid:
    return ((None,) * width,) * height


def _sudoku(random: Random) -> Puzzle:
    box = random.choice([(1, 2), (2, 1), (1, 3), (3, 1), (2, 2)])
    size = box[0] * box[1]
    return Sudoku(_open(size, size), box)


def _latin(random: Random) -> Puzzle:
    size = random.choice([1, 2, 3, 3, 4])
    return latin_square(_open(size, size), random.choice(["plain", "diagonal", "reduced"]))


def _futoshiki(random: Random) -> Puzzle:
    size = random.choice([2, 3, 3, 4])
    cells = [(r, c) for r in range(1, size + 1) for c in range(1, size + 1)]
    neighbours = random.random() < 0.5
    pairs = [(x, y) for x, y in permutations(cells, 2) if not neighbours or abs(x[0] - y[0]) + abs(x[1] - y[1]) == 1]
    return Futoshiki(_open(size, size), tuple(sorted(random.sample(pairs, random.randint(0, min(4, len(pairs)))))))


def _magic(random: Random) -> Puzzle:
    size = random.choice([1, 2, 2, 3, 3, 4])
    return magic_square(_open(size, size), random.choice(["magic", "semi"]), random.choice(["all", "reduced", "permuted"]))


def _takuzu(random: Random) -> Puzzle:
    size = random.choice([(2, 2), (3, 3), (3, 4), (4, 3), (4, 2), (2, 4), (5, 2), (4, 4), (1, 3)])
    return takuzu(_open(*size), random.choice(["distinct", "repeat"]))


def crossword(random: Random, reading: str) -> Crossword:
    """A crossword without letters that are given, with at least one slot."""
    while True:
        height, width = random.choice([(1, 3), (1, 4), (2, 2), (2, 3), (3, 2), (2, 4), (3, 3)])
        grid = tuple(tuple("#" if random.random() < 0.25 else None for _ in range(width)) for _ in range(height))
        if slots(grid):
            break
    letters = random.choice(["a", "ab", "ab", "abc"])
    number = random.randint(1, 7) if reading == "slots" else random.randint(1, 3)
    words = {"".join(random.choices(letters, k=random.choice([2, 2, 3, 3, 4]))) for _ in range(number)}
    return Crossword(grid, tuple(sorted(words)), reading, reading == "slots" and random.random() < 0.4)


KINDS: dict[str, Callable[[Random], Puzzle]] = {
    "sudoku": _sudoku,
    "latin": _latin,
    "futoshiki": _futoshiki,
    "magic": _magic,
    "takuzu": _takuzu,
    "crossword, slots": lambda random: crossword(random, "slots"),
    "crossword, words": lambda random: crossword(random, "words"),
    "crossword, anywhere": lambda random: crossword(random, "anywhere"),
}


def instance(name: str, random: Random, least: int = 0) -> Puzzle:
    """An instance with some clues. Letters that are given may be in no word; most clues contradict each other."""
    puzzle = KINDS[name](random)
    values = [value for value in puzzle.values() if value != "."]
    if puzzle.kind == "crossword":
        values.append("z")
    cells = random.sample(puzzle.cells(), min(len(puzzle.cells()), random.randint(least, least + 4)))
    return puzzle.with_clues({cell: random.choice(values) for cell in cells})


class All:
    """Every grid of an instance, and which of them keep what.

    Parameters
    ----------
    puzzle
        The instance.
    random
        Chooses the cells that are held where there would be too many grids, and at which values.
    most
        Grids, at most.

    Attributes
    ----------
    held
        Facts that all grids have. None of them is a clue: in a crossword a letter that is given need not be in a word.
    cut
        Whether that was not enough: then cells with clues have their clue, or one other value.
    rows
        Every way to give each cell a value, whatever the rules: values in the order of the puzzle's cells.
    """

    def __init__(self, puzzle: Puzzle, random: Random, most: int = MOST) -> None:
        self.puzzle, self.clues, cells = puzzle, puzzle.clues(), puzzle.cells()
        values, self.held = puzzle.values(), list[Fact]()
        free = [cell for cell in cells if cell not in self.clues]
        random.shuffle(free)
        open_cells = len(cells)
        while free and len(values) ** open_cells > most:
            self.held.append(Fact(free.pop(), random.choice(values)))
            open_cells -= 1
        held = {fact.cell: fact.value for fact in self.held}
        choices: list[Collection[Value]] = [[held[cell]] if cell in held else values for cell in cells]
        self.cut = prod(map(len, choices)) > most
        if self.cut:
            choices = [
                {self.clues[cell], random.choice(values)} if cell in self.clues else some
                for cell, some in zip(cells, choices, strict=True)
            ]
        self._choices = choices
        self._facts: dict[Fact, int] = {}
        self._masks: dict[tuple[str, frozenset[Cell]], int] = {}

    @cached_property
    def rows(self) -> list[tuple[Value, ...]]:
        return list(product(*self._choices))

    @cached_property
    def everything(self) -> int:
        return (1 << len(self.rows)) - 1

    @cached_property
    def _columns(self) -> dict[Cell, tuple[Value, ...]]:
        """What each cell holds in each grid."""
        return dict(zip(self.puzzle.cells(), zip(*self.rows, strict=True), strict=True))

    def values(self, cell: Cell) -> set[Value]:
        """What a cell holds in some grid."""
        return set(self._columns[cell])

    def grids(self, kept: int) -> list[Grid]:
        """The grids of a set."""
        cells = self.puzzle.cells()
        rows = (row for i, row in enumerate(self.rows) if kept >> i & 1)
        return [self.puzzle.solution(dict(zip(cells, row, strict=True))) for row in rows]

    def keeping(self, premises: Iterable[RuleOrFact]) -> int:
        """The grids that keep rules, by the checker of the instance that has just these clues, and facts."""
        asked = list(premises)
        facts = [premise for premise in asked if isinstance(premise, Fact)]
        given = frozenset(f.cell for f in facts if f.holds and self.clues.get(f.cell) == f.value)
        kept = self.everything
        for premise in asked:
            kept &= self._of_fact(premise) if isinstance(premise, Fact) else self._of_rule(premise, given)
        return kept

    def _of_fact(self, fact: Fact) -> int:
        if fact not in self._facts:
            self._facts[fact] = _bits((value == fact.value) == fact.holds for value in self._columns[fact.cell])
        return self._facts[fact]

    def _of_rule(self, name: str, given: frozenset[Cell]) -> int:
        if not isinstance(self.puzzle, Crossword):  # what a rule says hangs on no clue
            given = frozenset()
        if (name, given) not in self._masks:
            with_these = self.puzzle.with_clues({cell: self.clues[cell] for cell in given})
            rule = next(rule for rule in with_these.rules() if rule.name == name)
            values = list(zip(*(self._columns[cell] for cell in rule.cells), strict=True))
            keeps = {row: rule.check(list(row)) is None for row in set(values)}  # many grids have the same in its cells
            self._masks[name, given] = _bits(keeps[row] for row in values)
        return self._masks[name, given]

    def assignments(self, kept: int) -> set[tuple[tuple[Cell, Value | None], ...]]:
        """The grids of a set, each as what its cells hold."""
        cells = self.puzzle.cells()
        return {tuple(zip(cells, row, strict=True)) for i, row in enumerate(self.rows) if kept >> i & 1}


def _bits(truths: Iterable[bool]) -> int:
    return int("".join("01"[truth] for truth in truths)[::-1] or "0", 2)


def solutions(oracle: Oracle, premises: Iterable[RuleOrFact]) -> list[tuple[tuple[Cell, Value | None], ...]]:
    """What the oracle finds, as `All.assignments` has it."""
    found: list[Assignment] = list(oracle.solutions(premises))
    cells = oracle.puzzle.cells()
    return [tuple((cell, one[cell]) for cell in cells) for one in found]
