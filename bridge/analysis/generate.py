"""New puzzles: a random solution, and clues taken away as long as it stays the only one.

- A **candidate** is one such attempt, with a seed of its own. What does not have the wished grade, or not so few clues,
  is given up, and the next candidate has the next seed.
- A **proof** tells who says that the solution is the only one.

A candidate is a function of its seed. What is random comes from the seed alone (`bridge.puzzles.seeded_random`,
`bridge.analysis.fill`), and solvers are only asked what is true: so neither their versions, nor what they have learnt
before, nor the time that they take changes a puzzle.

    >>> (made,) = generate("sudoku", 4, seed=5)
    >>> made.clues, made.level, [str(verdict) for verdict in made.proof.values()]
    (5, 'fc', ['unique', 'unique', 'unique'])
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any

from bridge.analysis.fill import NoSolutionError, random_solution
from bridge.analysis.grade import grade as grade_of
from bridge.analysis.strip import Strip, strip
from bridge.engines import engine
from bridge.errors import DisagreementError, InputError, LimitError, UnsupportedError
from bridge.limits import Deadline, Limits
from bridge.notebook import Pictured
from bridge.outcome import Progress, Stream, Verdict
from bridge.puzzles import Puzzle, puzzle_class
from bridge.puzzles.authoring import Authoring, authoring
from bridge.puzzles.options import read_options
from bridge.puzzles.rules import Grid
from bridge.puzzles.seeded_random import SeededRandom, derived_seed, new_seed
from bridge.search.ladder import LEVELS, Grade, LevelName

#: Candidates for one puzzle, unless somebody says otherwise.
ATTEMPTS = 1000

#: Who proves that the solution is the only one, and who does it again.
FIRST, SECOND = "asp", "mac+mrv+degree"

#: How far the second goes: in nodes, so that what it says is the same on every machine.
SECOND_NODES = 2000

#: For the grade of a puzzle when nobody wished for one, in seconds. A Sudoku of 9x9 takes a few milliseconds, a Takuzu
#: of 14x14 some seconds. A wish has no such limit: what is made must not depend on the machine.
GRADE_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Generated(Pictured):
    """A new puzzle.

    Attributes
    ----------
    puzzle, solution
        The instance and its only solution.
    seed
        Whoever generates with it, and the same wishes, gets this puzzle first.
    grade
        How hard it is; its level is None when the grade was not found in time.
    irredundant
        Whether no clue, and no given rule, can be left out without leaving two solutions. Where clues have a symmetry,
        or there was a wish, one or the other may be.
    attempts
        How many candidates it took since the one before.
    proof
        Who says that the solution is the only one. The verdict of each: `asp` is always `unique`; `mac+mrv+degree`
        counts for itself what it can in a fixed number of nodes, `unknown` where that is too few; and `ladder`, the
        climb that finds the grade, ends in a proof too. The latter two share nothing with clingo or the encodings.
    """

    puzzle: Puzzle
    solution: Grid
    seed: int
    grade: Grade
    irredundant: bool
    attempts: int
    proof: Mapping[str, Verdict]

    @property
    def clues(self) -> int:
        """How many cells are given."""
        return len(self.puzzle.clues())

    @property
    def level(self) -> LevelName | None:
        return self.grade.level

    @property
    def rechecked(self) -> bool:
        """Whether somebody beside clingo has proved it, too."""
        return any(verdict is Verdict.UNIQUE for prover, verdict in self.proof.items() if prover != FIRST)

    def to_json(self) -> dict[str, Any]:
        """The puzzle's own JSON form, which can be read back as it is, with what is known of it beside."""
        return {
            **self.puzzle.to_json(),
            "solution": [list(row) for row in self.solution],
            "seed": self.seed,
            "clues": self.clues,
            "irredundant": self.irredundant,
            "grade": {
                name: getattr(self.grade, name) if self.level is not None else None
                for name in ("level", "score", "guesses", "depth")
            },
            "attempts": self.attempts,
            "proof": {prover: str(verdict) for prover, verdict in self.proof.items()},
        }


def generate(
    kind: str,
    size: int | tuple[int, int],
    *,
    options: Mapping[str, str] | None = None,
    grade: LevelName | None = None,
    clues: int | None = None,
    symmetry: str | None = None,
    seed: int | None = None,
    number: int | None = 1,
    attempts: int = ATTEMPTS,
    seconds: float | None = None,
) -> Stream[Generated]:
    """New puzzles as they are found, no two the same.

    Each has exactly one solution. Clues are taken away in random order, then given rules (the inequalities of a
    Futoshiki), until none can go: the puzzle is irredundant. Of a crossword the clues are letters, and what is the only
    one is the fill with words of the list.

    When the stream ends with fewer than wished for, its `limit` or its `remark` says why.

    Parameters
    ----------
    kind
        The name of a puzzle.
    size
        Rows and columns, or one number for both.
    options
        What else the puzzle may be told, by name: `box`, `variant`, `words`, ...
    grade
        Exactly this level, of `bridge.search.ladder`. Clues are taken away as long as that inference suffices.
    clues
        How many cells are given, exactly. No clue is taken away beyond. With a symmetry of pairs it may be a number
        that cannot be had.
    symmetry
        Of the clues (of a crossword: of the black cells, `rotate` unless said): `none`, `rotate`, `rotate4`, `mirror`,
        `flip` or `diagonal`.
    seed
        From 0; without it there is a new one each time.
    number
        How many puzzles; None for as many as there are attempts and time.
    attempts
        How many candidates for one puzzle, before giving up.
    seconds
        The time limit of all together. The puzzles do not depend on it, only how many they are.

    Raises
    ------
    InputError
        When there is no such puzzle, or not of this size, or a wish means nothing. In the iteration: when the rules
        themselves have no solution of this size.
    DisagreementError
        In the iteration, when engines do not agree that a puzzle has one solution.
    """
    height, width = (size, size) if isinstance(size, int) else size
    cls, options = puzzle_class(kind), dict(options or {})
    maker = authoring(kind)
    read = read_options(kind, {**cls.options, **maker.options}, options)
    if grade is not None and grade not in LEVELS:
        raise InputError(f"there is no grade {grade!r}", hint=f"one of: {', '.join(LEVELS)}")
    for name, value, least in [("rows", height, 1), ("columns", width, 1), ("clues", clues, 0), ("seed", seed, 0)]:
        if value is not None and value < least:
            raise InputError(f"{name} cannot be {value}: {least} is the least")
    first = new_seed() if seed is None else seed
    deadline = Deadline(seconds)

    blanks = maker.blanks(height, width, read, symmetry)

    def candidate(number: int) -> _Candidate:
        own = derived_seed(first, number)
        chance = SeededRandom(own)
        try:
            blank = blanks(chance)
        except InputError as error:  # chance has made none
            if number == 0:
                raise
            raise _GivenUpError(f"without a blank instance: {error.message}") from None
        return _Candidate(maker, blank, chance, own, grade, clues, symmetry, deadline)

    sample = candidate(0).blank
    maker.orbits(sample, symmetry)  # says no to a symmetry that it cannot have
    if clues is not None and clues > (cells := len(sample.cells())):
        raise InputError(f"{clues} clues are more than the {cells} cells of a {sample.title} of {height}x{width}")
    return Stream(lambda progress: _made(candidate, attempts, progress), Limits(seconds=seconds, solutions=number))


def _made(candidate: Callable[[int], _Candidate], attempts: int, progress: Progress) -> Iterator[Generated]:
    """Of one candidate after the other, those that are as wished."""
    told: set[str] = set()
    given_up: Counter[str] = Counter()
    tried = 0
    for number in count():
        if tried == attempts:
            progress.remark = _reasons(given_up)
            return
        tried += 1
        try:
            made = candidate(number).make(tried)
        except _GivenUpError as reason:
            given_up[str(reason)] += 1
            continue
        except NoSolutionError:
            _say_no_when_always(candidate, number)
            given_up["without any solution"] += 1
            continue
        except LimitError:
            progress.limit, progress.remark = "seconds", _reasons(given_up)
            return
        if (text := made.puzzle.draw()) in told:
            given_up["the same as one before"] += 1
            continue
        told.add(text)
        yield made
        tried = 0


#: So many random blanks are all the same only where chance has no part in them.
LOOKED_AT = 20


def _say_no_when_always(candidate: Callable[[int], _Candidate], number: int) -> None:
    """An error when chance has no part in it that there is no solution: all blank instances are the same."""
    blank = candidate(number).blank
    try:
        others = [candidate(number + k).blank for k in range(1, LOOKED_AT)]
    except _GivenUpError:
        return
    if all(other == blank for other in others):
        rows, columns = len(blank.grid), len(blank.grid[0])
        raise InputError(f"no {blank.title} of {rows}x{columns} has a solution", hint="try another size") from None


def _reasons(given_up: Counter[str]) -> str | None:
    """Why candidates were given up, the most frequent reason first."""
    if not given_up:
        return None
    listed = ", ".join(f"{number} {reason}" for reason, number in given_up.most_common())
    return f"{given_up.total()} candidates were given up: {listed}"


class _GivenUpError(Exception):
    """A candidate is not what was wished for; the reason in words."""


@dataclass(slots=True)
class _Candidate:
    """One attempt. Everything in it is told by the state of `chance`, and by the wishes."""

    maker: Authoring[Puzzle]
    blank: Puzzle
    chance: SeededRandom
    seed: int
    grade: LevelName | None
    clues: int | None
    symmetry: str | None
    deadline: Deadline

    def make(self, attempts: int) -> Generated:
        """The puzzle of this candidate.

        Raises
        ------
        _GivenUpError
            When it is not as wished.
        NoSolutionError
            When the blank instance has no solution.
        LimitError
            When the deadline comes first.
        """
        everything = self.maker.with_all_optional_rules(self.blank)
        solution = random_solution(self.blank, self.chance, self.deadline)
        if solution is None:
            raise _GivenUpError("without a solution found")
        stripped = strip(everything, solution, self.deadline)
        self._take(stripped)
        puzzle = stripped.puzzle()
        if self.clues is not None and (left := len(stripped.givens.clues)) != self.clues:
            raise _GivenUpError(f"with {left} clues")
        graded = self._graded(puzzle, LEVELS[-1])
        if self.grade is not None and graded.level != self.grade:
            raise _GivenUpError(f"of grade {graded.level}")
        plain = self.grade is None and self.clues is None and self.symmetry in (None, "none")
        irredundant = plain or not stripped.redundant()
        grid = puzzle.solution(solution)
        return Generated(puzzle, grid, self.seed, graded, irredundant, attempts, self._proof(puzzle, grid, graded))

    def _take(self, stripped: Strip) -> None:
        """First clues, then rules, each in random order."""

        def allows(puzzle: Puzzle) -> bool:
            return self.grade is not None and self._graded(puzzle, self.grade).level is not None

        limited = allows if self.grade not in (None, LEVELS[-1]) else None  # search solves everything
        clues, rules = stripped.pieces(self.maker.orbits(self.blank, self.symmetry))
        for pieces in (clues, rules):
            stripped.take(self.chance.shuffled(pieces), self.clues or 0, limited)

    def _graded(self, puzzle: Puzzle, top: LevelName) -> Grade:
        """The grade, looked for up to a level; not found in time it has none, but only where nobody wished for one.

        Raises
        ------
        LimitError
            When somebody did, and the deadline comes first.
        """
        found = grade_of(puzzle, top=top, seconds=self._within(GRADE_SECONDS if self.grade is None else None))
        if self.grade is not None and found.limit is not None:
            raise LimitError(f"the limit on {found.limit} came before the grade")
        return found

    def _proof(self, puzzle: Puzzle, solution: Grid, graded: Grade) -> dict[str, Verdict]:
        """Who says that this is the only solution.

        Raises
        ------
        DisagreementError
            When somebody says otherwise.
        """
        proof: dict[str, Verdict] = {}
        for name, nodes in ((FIRST, None), (SECOND, SECOND_NODES)):
            limits = Limits(solutions=2, nodes=nodes, seconds=self._within(None))
            try:
                outcome = engine(name).solutions(puzzle, limits).collect()
            except UnsupportedError:
                proof[name] = Verdict.UNKNOWN
                continue
            if outcome.limit == "seconds":
                raise LimitError("the limit on seconds came before the proof")
            proof[name] = outcome.verdict
            if outcome.solutions and outcome.solutions != (solution,):
                raise DisagreementError(f"engine {name} has another solution of {puzzle.draw()!r}")
        proof["ladder"] = graded.verdict
        if not set(proof.values()) <= {Verdict.UNIQUE, Verdict.UNKNOWN}:
            raise DisagreementError(f"not everybody finds one solution, {proof}, of {puzzle.draw()!r}")
        return proof

    def _within(self, seconds: float | None) -> float | None:
        """A time limit that ends with the deadline, if not before."""
        left = self.deadline.remaining()
        if left == 0:
            raise LimitError("the limit on seconds came before a puzzle")
        return left if seconds is None else seconds if left is None else min(seconds, left)
