"""Generate puzzles: a random solution, from which clues are removed as long as the solution stays unique.

- A **candidate** is one attempt, with a seed of its own. A candidate without the requested grade or number of clues is
  discarded, and the next one has the next seed.
- A **proof** has the verdict of each prover of uniqueness.

A candidate is a function of its seed. Random numbers come from the seed alone (`bridge.puzzles.kinds.seeded_random`,
`bridge.puzzles.generating.fill`), and the questions put to solvers have one true answer each. So neither the version of
a solver, nor its learnt clauses, nor the time it takes changes a puzzle.

    >>> (made,) = generate("sudoku", 4, seed=5)
    >>> made.clues, made.level, [str(verdict) for verdict in made.proof.values()]
    (5, 'fc', ['unique', 'unique', 'unique'])
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from bridge.common import Pictured, how_ended, public, short
from bridge.errors import DisagreementError, InputError, LimitError, UnsupportedError
from bridge.limits import UNLIMITED, Deadline, Limits, takes_limits
from bridge.outcome import OnProgress, Progress, Stream, Verdict
from bridge.puzzles.engines import engine as engine_of
from bridge.puzzles.engines import only_asp
from bridge.puzzles.explain.grade import grade as grade_of
from bridge.puzzles.explain.levels import offered
from bridge.puzzles.generating.fill import NoSolutionError, random_solution
from bridge.puzzles.generating.strip import Givens, Piece, Strip
from bridge.puzzles.kinds import Puzzle, puzzle_class
from bridge.puzzles.kinds.authoring import Authoring, authoring
from bridge.puzzles.kinds.models import models
from bridge.puzzles.kinds.options import read_options
from bridge.puzzles.kinds.rules import Grid
from bridge.puzzles.kinds.seeded_random import SeededRandom, derived_seed, new_seed
from bridge.puzzles.search.ladder import LEVELS, Grade, levels_of
from bridge.puzzles.search.techniques import LevelName

#: Candidates for one puzzle, by default.
ATTEMPTS = 1000

#: When the grade is not the one requested: how often a part of the clues, one in so many, is put back and others are
#: removed, before another solution is taken.
ROUNDS, PUT_BACK = 15, 8

#: The engine that proves uniqueness, and the one that proves it again.
FIRST, SECOND = "asp", "mac+mrv+degree"

#: The limit of the second, in nodes, so that its verdict is the same on every machine.
SECOND_NODES = 2000

#: The limit, in seconds, for the grade of a puzzle when no grade was requested. A Sudoku of 9x9 takes milliseconds, a
#: Takuzu of 14x14 some seconds. A requested grade has no such limit: the puzzle must not depend on the machine.
GRADE_SECONDS = 20.0


@public("bridge.puzzles")
@dataclass(frozen=True, slots=True)
class Generated(Pictured):
    """A new puzzle.

    Attributes
    ----------
    puzzle, solution
        The instance and its only solution.
    seed
        With this seed and the same parameters, `generate` gives this puzzle first.
    grade
        How hard it is; its level is None when the grade was not found in time.
    irredundant
        Whether every clue and every given rule is needed for uniqueness. With a symmetry, a grade or a number of clues
        some may not be.
    attempts
        The number of candidates since the puzzle before.
    proof
        The verdict of each prover: `asp` is always `unique`; `mac+mrv+degree` searches up to a fixed number of nodes,
        `unknown` where these are too few; and `ladder`, which finds the grade, ends in a proof, too. The latter two
        share no code with clingo or the encodings.
    """

    puzzle: Puzzle
    solution: Grid
    seed: int
    grade: Grade
    irredundant: bool
    attempts: int
    proof: Mapping[str, Verdict]

    __repr__ = short

    @property
    def clues(self) -> int:
        """How many cells are given."""
        return len(self.puzzle.clues())

    @property
    def level(self) -> LevelName | None:
        return self.grade.level

    @property
    def rechecked(self) -> bool:
        """Whether a prover other than clingo has proved uniqueness."""
        return any(verdict is Verdict.UNIQUE for prover, verdict in self.proof.items() if prover != FIRST)

    def __str__(self) -> str:
        """The puzzle in its text form, after its properties as comments."""
        level = self.level or "not found in time"
        provers = ", ".join(prover for prover, verdict in self.proof.items() if verdict == "unique")
        further = sum(rule.given for rule in self.puzzle.rules())  # inequalities, cages, numbers beside the grid
        given = f"clues {self.clues}" + (f", other givens {further}" if further else "")
        lines = [
            f"seed {self.seed}, grade {level}, {given}{', irredundant' if self.irredundant else ''}",
            f"one solution: proved by {provers}" + ("" if self.rechecked else "; no other prover finished"),
        ]
        return "\n".join([*(f"{self.puzzle.text_form.comment} {line}" for line in lines), self.puzzle.draw()])

    def to_json(self) -> dict[str, Any]:
        """The puzzle's JSON form, which can be read back as it is, with further keys."""
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


@public("bridge.puzzles")
@takes_limits("seconds", "solutions")
def generate(
    kind: str,
    size: int | tuple[int, int],
    *,
    engine: str = "asp",
    limits: Limits = UNLIMITED,
    on_progress: OnProgress | None = None,
    options: Mapping[str, str] | None = None,
    grade: str | None = None,
    clues: int | None = None,
    symmetry: str | None = None,
    seed: int | None = None,
    number: int | None = 1,
    attempts: int = ATTEMPTS,
) -> Stream[Generated]:
    """New puzzles in the order found, no two the same.

    Each has exactly one solution. Clues are removed in random order, then given rules (the inequalities of a
    Futoshiki), until none is redundant; with a symmetry, until no orbit is: the clues of an orbit go together, so that
    a single one may be redundant. The clues of a crossword are letters, and its solution is the fill with words of the
    list.

    When the stream ends with fewer than requested, its `limit` or its `remark` says why; at once for a grade that
    puzzles of this kind and size do not have, as far as known.

    Parameters
    ----------
    kind
        The name of a puzzle.
    size
        Rows and columns, or one number for both.
    engine
        `asp`: whether a clue is redundant is asked by assumptions, which no other engine has. (An instance too large
        for clingo is searched by `mac+mrv+degree`.)
    limits
        When to stop. The puzzles do not depend on it, only their number. A limit on solutions is one on puzzles.
    on_progress
        Called about once a second, while the stream is read, with the number of puzzles and the seconds so far.
    options
        Options of the puzzle, by name: `box`, `variant`, `words`, ...
    grade
        Exactly this level of `bridge.puzzles.search.ladder`, or one of a difficulty (`easy`). Clues are removed as long
        as that inference suffices.
    clues
        The exact number of cells given. With a symmetry not every number is possible.
    symmetry
        Of the clues (of a crossword: of the black cells, `rotate` by default): `none`, `rotate`, `rotate4`, `mirror`,
        `flip` or `diagonal`.
    seed
        From 0; by default a new one each time.
    number
        How many puzzles; None for as many as attempts and limits allow.
    attempts
        How many candidates for one puzzle.

    Raises
    ------
    InputError
        For an unknown puzzle, size, option, grade or symmetry. In the iteration: when the rules have no solution of
        this size.
    DisagreementError
        In the iteration, when engines do not agree that a puzzle has one solution.
    UnsupportedError
        For another engine.
    """
    only_asp(engine, "generator of puzzles")
    height, width = (size, size) if isinstance(size, int) else size
    cls, options = puzzle_class(kind), dict(options or {})
    maker = authoring(kind)
    read = read_options(kind, {**cls.options, **maker.options}, options)
    grades = levels_of(grade) if grade is not None else ()
    for name, value, least in [("rows", height, 1), ("columns", width, 1), ("clues", clues, 0), ("seed", seed, 0)]:
        if value is not None and value < least:
            raise InputError(f"{name} cannot be {value}: {least} is the least")
    first = new_seed() if seed is None else seed
    deadline = Deadline(limits.seconds)

    blanks = maker.blanks(height, width, read, symmetry)
    clues = 0 if clues is None and not maker.gives_cells else clues

    def candidate(number: int) -> _Candidate:
        own = derived_seed(first, number)
        chance = SeededRandom(own)
        try:
            blank = blanks(chance)
        except InputError as error:  # random, so another candidate may have one
            if number == 0:
                raise
            raise _GivenUpError(f"without a blank instance: {error.message}") from None
        return _Candidate(maker, blank, chance, own, grades, clues, symmetry, deadline)

    sample = candidate(0).blank
    if grades and not set(grades) & set(
        known := offered(maker.with_all_optional_rules(sample, {}, 0), usual=not options)
    ):
        found = f"no {sample.title} of {height}x{width} with the grade {grade} is known; there are: {', '.join(known)}"
        return Stream(lambda progress: _none(found, progress), limits, on_progress)
    maker.orbits(sample, symmetry)  # raises for a symmetry that this shape cannot have
    if clues is not None and clues > (cells := len(sample.cells())):
        raise InputError(f"{clues} clues are more than the {cells} cells of a {sample.title} of {height}x{width}")
    most = min((wanted for wanted in (number, limits.solutions) if wanted is not None), default=None)
    return Stream(lambda progress: _made(candidate, attempts, progress), replace(limits, solutions=most), on_progress)


def empty_grids(
    kind: str,
    size: int | tuple[int, int],
    *,
    options: Mapping[str, str] | None = None,
    symmetry: str | None = None,
    seed: int | None = None,
    number: int = 1,
) -> list[tuple[int, Grid]]:
    """Random empty grids of a kind with black cells, that is of crosswords, each with its seed.

    The symmetry is that of the black cells, `rotate` by default; options are `black`, `shortest`, `checked`.
    """
    height, width = (size, size) if isinstance(size, int) else size
    cls, maker, first = puzzle_class(kind), authoring(kind), new_seed() if seed is None else seed
    read = read_options(kind, {**cls.options, **maker.options}, dict(options or {}))
    make = maker.grids(height, width, read, symmetry)
    seeds = [derived_seed(first, index) for index in range(number)]
    return [(own, make(SeededRandom(own))) for own in seeds]


def _none(remark: str, progress: Progress) -> Iterator[Generated]:
    """No puzzle, and why: none is to be found, so the stream is complete."""
    progress.remark, progress.complete = remark, True
    yield from ()


def _made(candidate: Callable[[int], _Candidate], attempts: int, progress: Progress) -> Iterator[Generated]:
    """The candidates that are as requested."""
    seen: set[str] = set()
    given_up: Counter[str] = Counter()
    tried = 0
    for number in count():
        if tried == attempts:
            progress.remark = _reasons(given_up)
            return
        tried += 1
        progress.report()
        try:
            made = candidate(number).make(tried, progress.report)
        except _GivenUpError as reason:
            given_up[str(reason)] += 1
            progress.remark = _reasons(given_up)
            continue
        except NoSolutionError:
            _say_no_when_always(candidate, number)
            given_up["without any solution"] += 1
            continue
        except LimitError:
            progress.limit, progress.remark = "seconds", _reasons(given_up)
            return
        if (text := made.puzzle.draw()) in seen:
            given_up["the same as one before"] += 1
            continue
        seen.add(text)
        progress.remark = None
        yield made
        tried = 0


#: So many random blanks are all the same only where nothing in them is random.
LOOKED_AT = 20


def _say_no_when_always(candidate: Callable[[int], _Candidate], number: int) -> None:
    """Raise an error when no candidate has a solution, because all blank instances are the same."""
    sample = candidate(number)
    blank, maker = sample.blank, sample.maker
    try:
        others = [candidate(number + k).blank for k in range(1, LOOKED_AT)]
    except _GivenUpError:
        return
    if all(other == blank for other in others):
        rows, columns = len(blank.grid), len(blank.grid[0])
        raise InputError(f"no {blank.title} of {rows}x{columns} has a solution", hint=maker.unsolved) from None


def _reasons(given_up: Counter[str]) -> str | None:
    """Why candidates were discarded, the most frequent reason first."""
    if not given_up:
        return None
    listed = ", ".join(f"{number} {reason}" for reason, number in given_up.most_common())
    what = "1 candidate was" if given_up.total() == 1 else f"{given_up.total()} candidates were"
    return f"{what} given up: {listed}"


class _GivenUpError(Exception):
    """A candidate is not as requested; the reason in words."""


@dataclass(slots=True)
class _Candidate:
    """One attempt: a function of the state of `chance` and of the parameters."""

    maker: Authoring[Puzzle]
    blank: Puzzle
    chance: SeededRandom
    seed: int
    grades: tuple[LevelName, ...]  # none of them: any
    clues: int | None
    symmetry: str | None
    deadline: Deadline
    report: Callable[[], None] = lambda: None  # called now and then

    def make(self, attempts: int, report: Callable[[], None]) -> Generated:
        """The puzzle of this candidate; `report` is called now and then.

        _GivenUpError when it is not as requested, NoSolutionError when the blank instance has no solution.
        """
        self.report = report
        solution = random_solution(self.blank, self.chance, self.deadline)
        if solution is None:
            raise _GivenUpError("without a solution found")
        everything = self.maker.with_all_optional_rules(self.blank, solution, self.seed)
        stripped = Strip(everything, solution, self.deadline)
        fixed = self.maker.fixed_rules(everything, solution, self.seed)
        if self.clues == 0:
            stripped.givens = Givens({}, stripped.givens.rules)
            if stripped.another(stripped.givens, everything.cells()):
                raise _GivenUpError("with several solutions where no cell is given")
        graded = self._towards(stripped, fixed)
        puzzle = stripped.puzzle()
        if self.clues is not None and (left := len(stripped.givens.clues)) != self.clues:
            raise _GivenUpError(f"with {left} clues")
        if self.grades and graded.level not in self.grades:
            raise _GivenUpError(f"of grade {graded.level}")
        plain = not self.grades and self.clues is None and self.symmetry in (None, "none") and not fixed
        irredundant = plain or not stripped.redundant()
        grid = puzzle.solution(solution)
        return Generated(puzzle, grid, self.seed, graded, irredundant, attempts, self._proof(puzzle, grid, graded))

    def _towards(self, stripped: Strip, fixed: frozenset[str]) -> Grade:
        """Strip until the grade is among those requested, or rounds are used up: in each, some givens are put back.

        A round is kept when its grade is no farther from those requested than the one before.
        """
        everything = stripped.givens
        graded = self._stripped(stripped, fixed)
        for _ in range(ROUNDS if self.grades else 0):
            if graded.level in self.grades:
                break
            before = stripped.givens
            orbits = [tuple(orbit) for orbit in self.maker.orbits(self.blank, self.symmetry)]
            absent = self.chance.shuffled([orbit for orbit in orbits if before.clues.keys().isdisjoint(orbit)])
            back = {cell for orbit in absent[: max(2, len(orbits) // PUT_BACK)] for cell in orbit}
            clues = {cell: value for cell, value in everything.clues.items() if cell in before.clues or cell in back}
            stripped.givens = Givens(clues, everything.rules)
            found = self._stripped(stripped, fixed)
            if self._distance(found) > self._distance(graded):
                stripped.givens = before
            else:
                graded = found
        return graded

    def _stripped(self, stripped: Strip, fixed: frozenset[str]) -> Grade:
        """Strip as far as the solution stays unique; if that is too hard, only as far as the grade allows."""
        givens = stripped.givens
        order = self._take(stripped, None, fixed)
        graded = self._graded(stripped.puzzle(), LEVELS[-1])
        if self.grades and (graded.level is None or LEVELS.index(graded.level) > LEVELS.index(self.grades[-1])):
            stripped.givens = givens
            self._take(stripped, order, fixed)
            graded = self._graded(stripped.puzzle(), LEVELS[-1])
        return graded

    def _distance(self, graded: Grade) -> tuple[int, int]:
        """How far a grade is from those requested: levels, then steps of the score."""
        assert graded.level is not None, "the solution is unique"
        level, score = LEVELS.index(graded.level), graded.score or 0
        least, most = LEVELS.index(self.grades[0]), LEVELS.index(self.grades[-1])
        return max(least - level, level - most, 0), -score if level < least else score

    def _take(
        self, stripped: Strip, order: tuple[list[Piece], list[Piece]] | None, fixed: frozenset[str]
    ) -> tuple[list[Piece], list[Piece]]:
        """Remove clues, then rules but fixed ones, in random order; in a given order, those that the grade allows."""

        def allows(puzzle: Puzzle) -> bool:
            return self._graded(puzzle, self.grades[-1]).level is not None

        limited = None if order is None else allows
        if order is None:
            clues, rules = stripped.pieces(self.maker.orbits(self.blank, self.symmetry))
            clues = [piece for piece in clues if not stripped.givens.clues.keys().isdisjoint(piece.clues)]
            removable = [piece for piece in rules if fixed.isdisjoint(rule.name for rule in piece.rules)]
            order = self.chance.shuffled(clues), self.chance.shuffled(removable)
        for pieces in order:
            stripped.take(pieces, self.clues or 0, limited)
        return order

    def _graded(self, puzzle: Puzzle, top: LevelName) -> Grade:
        """The grade, up to a level; without a level when it was not found in time and none was requested."""
        self.report()
        seconds = self._within(None if self.grades else GRADE_SECONDS)
        found = grade_of(puzzle, top=top, limits=Limits(seconds=seconds))
        if self.grades and found.limit is not None:
            raise LimitError(how_ended(found.limit, "before the grade"))
        return found

    def _proof(self, puzzle: Puzzle, solution: Grid, graded: Grade) -> dict[str, Verdict]:
        """The verdict of each prover of uniqueness; DisagreementError when they differ."""
        proof: dict[str, Verdict] = {}
        try:
            models(puzzle).csp()
            ladder = graded.verdict
        except UnsupportedError:
            ladder = Verdict.UNKNOWN  # without a CSP the grade is one of clingo's steps, and no proof
        for name, nodes in ((FIRST, None), (SECOND, SECOND_NODES)):
            limits = Limits(solutions=2, nodes=nodes, seconds=self._within(None))
            try:
                outcome = engine_of(name).solutions(puzzle, limits).collect()
            except UnsupportedError:
                proof[name] = Verdict.UNKNOWN
                continue
            if outcome.limit == "seconds":
                raise LimitError("the limit on seconds came before the proof")
            proof[name] = outcome.verdict
            if outcome.solutions and outcome.solutions != (solution,):
                raise DisagreementError(f"engine {name} has another solution of {puzzle.draw()!r}")
        proof["ladder"] = ladder
        if not set(proof.values()) <= {Verdict.UNIQUE, Verdict.UNKNOWN}:
            raise DisagreementError(f"the engines do not agree on one solution, {proof}, of {puzzle.draw()!r}")
        return proof

    def _within(self, seconds: float | None) -> float | None:
        """A time limit that ends no later than the deadline."""
        left = self.deadline.remaining()
        if self.deadline.expired():
            raise LimitError("the limit on seconds came before a puzzle")
        return left if seconds is None else seconds if left is None else min(seconds, left)
