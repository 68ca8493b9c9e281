"""Diagnose an instance: is it unique, ambiguous or impossible, why, and what to change?

All questions are put to one `Oracle`, by names of rules and clues, so the code is the same for every puzzle. The parts
of a diagnosis are computed in the order of their importance, and each is kept when a limit ends a later one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, overload

from bridge.analysis.ambiguity import Ambiguity, ambiguity
from bridge.analysis.cores import Clash
from bridge.analysis.program_diagnosis import ProgramDiagnosis, diagnose_program
from bridge.analysis.repairs import After, Repairs, additions, after, removals
from bridge.analysis.work import EFFORT, Options, Work
from bridge.common.display import Pictured, Readable
from bridge.errors import LimitError, MissingSolverError, UnsupportedError
from bridge.limits import LimitName, Limits, takes_limits
from bridge.outcome import Interrupted, Verdict
from bridge.problem.asp import AspProblem
from bridge.problem.kinds import expect
from bridge.problem.prolog import PrologProblem
from bridge.puzzles.analysis.check import PROPAGATED_ENGINE
from bridge.puzzles.analysis.givens import redundant
from bridge.puzzles.engines import engine as engine_of
from bridge.puzzles.engines import only_asp
from bridge.puzzles.engines.engine import holding
from bridge.puzzles.explain.grade import grade
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.models import models
from bridge.puzzles.kinds.residual import Residual
from bridge.puzzles.kinds.rules import Cell, Grid, Value, at, cell_name
from bridge.puzzles.oracle import Fact, Oracle, Premise
from bridge.puzzles.search.ladder import Grade

if TYPE_CHECKING:
    from bridge.analysis.goals import GoalDiagnosis

#: The default limit of a diagnosis.
LIMITS = Limits(seconds=10)


@dataclass(frozen=True, slots=True)
class Diagnosis(Pictured, Readable):
    """The result of `diagnose`. None is what was not computed: a limit came first, or the verdict does not need it.

    Empty is what follows from the verdict: a unique or ambiguous instance has no clashes, and an instance that is not
    ambiguous has no open cells.

    Attributes
    ----------
    verdict
        `unknown` when a limit came first.
    solutions
        The solution, or two that differ.
    clashes
        Of an impossible instance: MUSes, pairwise disjoint.
    removals
        The fewest givens to take away. Complete without any set when no removal leads to a solution.
    after
        The result of each of these removals, in their order, as many as there was time for.
    residual
        Of an ambiguous instance: the values that occur in some solution.
    ambiguity
        The number of solutions for each of these values, and the cells that vary together.
    additions
        The fewest clues to add.
    rules
        The rules of which open cells are part.
    redundant, spare
        Of a unique instance: the givens that are redundant, each alone; and a maximal set that is redundant together.
        When a limit comes first, `redundant` has those found by then, and `spare` is None.
    grade
        How hard the instance is.
    propagated
        The residual of propagation without search.
    hidden
        The cells that have one value in all solutions, but not after propagation: many of them make an instance hard.
    limit
        The limit that came before the end.
    notes
        Remarks.
    questions
        The number of questions put to the solver.
    """

    puzzle: Puzzle
    verdict: Verdict
    solutions: tuple[Grid, ...] = ()
    clashes: tuple[Clash[Premise], ...] | None = None
    removals: Repairs[Premise] | None = None
    after: tuple[After, ...] | None = None
    residual: Residual | None = None
    ambiguity: Ambiguity | None = None
    additions: Repairs[Premise] | None = None
    rules: tuple[str, ...] | None = None
    redundant: tuple[Premise, ...] | None = None
    spare: tuple[Premise, ...] | None = None
    grade: Grade | None = None
    propagated: Residual | None = None
    hidden: Mapping[Cell, Value] | None = None
    limit: LimitName | None = None
    notes: tuple[str, ...] = ()
    questions: int = 0

    def to_json(self) -> dict[str, Any]:
        def as_json(part: Any) -> Any:
            return None if part is None else part.to_json()

        def listed(parts: tuple[Any, ...] | None, one: Callable[[Any], Any]) -> list[Any] | None:
            return None if parts is None else list(map(one, parts))

        hidden = self.hidden

        return {
            "puzzle": self.puzzle.kind,
            "verdict": str(self.verdict),
            "solutions": [[list(row) for row in grid] for grid in self.solutions],
            "clashes": listed(self.clashes, as_json),
            "removals": as_json(self.removals),
            "after": listed(self.after, as_json),
            "residual": as_json(self.residual),
            "ambiguity": as_json(self.ambiguity),
            "additions": as_json(self.additions),
            "rules": listed(self.rules, str),
            "redundant": listed(self.redundant, str),
            "spare": listed(self.spare, str),
            "grade": as_json(self.grade),
            "propagated": as_json(self.propagated),
            "hidden": None if hidden is None else {cell_name(cell): value for cell, value in hidden.items()},
            "limit": self.limit,
            "notes": list(self.notes),
            "questions": self.questions,
        }


@overload
def diagnose(
    problem: Puzzle,
    *,
    engine: str = ...,
    limits: Limits = ...,
    on_progress: Callable[[Diagnosis], object] | None = ...,
    clashes: int = ...,
    effort: int | None = ...,
    repairs: int = ...,
    most_clues: int = ...,
) -> Diagnosis: ...


@overload
def diagnose(
    problem: AspProblem,
    *,
    engine: str = ...,
    limits: Limits = ...,
    on_progress: Callable[[ProgramDiagnosis], object] | None = ...,
    clashes: int = ...,
    effort: int | None = ...,
    repairs: int = ...,
    most_clues: int = ...,
    instances: bool = ...,
    variants: Sequence[str] = ...,
    optimal: bool = ...,
) -> ProgramDiagnosis: ...


@overload
def diagnose(
    problem: PrologProblem,
    *,
    engine: str = ...,
    limits: Limits = ...,
    on_progress: Callable[[GoalDiagnosis], object] | None = ...,
    clashes: int = ...,
    effort: int | None = ...,
    repairs: int = ...,
) -> GoalDiagnosis: ...


@takes_limits("seconds")
def diagnose(
    problem: Puzzle | AspProblem | PrologProblem,
    *,
    engine: str = "asp",
    limits: Limits = LIMITS,
    on_progress: Callable[[Any], object] | None = None,
    clashes: int = 1,
    effort: int | None = EFFORT,
    repairs: int = 100,
    most_clues: int = 4,
    instances: bool = False,
    variants: Sequence[str] = (),
    optimal: bool = False,
) -> Diagnosis | ProgramDiagnosis | GoalDiagnosis:
    """The verdict on an instance or a program, the reasons for it, and what to change.

    Parameters
    ----------
    problem
        The instance; a program as `bridge.load("rules.lp", "instance.lp")` gives it; or a Prolog program and a goal,
        `bridge.load("rooms.pl", goal="rooms(X, Y)")`.
    engine
        The engine that finds the verdict and the solutions. Clashes, repairs and exact residuals come from `asp`.
    limits
        The limit on the whole diagnosis.
    on_progress
        Called with the diagnosis so far whenever a part has been added.
    clashes
        How many disjoint clashes to look for when there is no solution.
    effort
        Questions to spend on making the first clash one of the fewest rules and clues, and for no longer than
        `PATIENCE` seconds; None for as long as it takes.
    repairs
        How many repairs of the smallest size to look for.
    most_clues
        The largest number of clues, or facts, to add that is tried.
    instances
        Of a program: whether to say which instances of the rules clash.
    variants
        Of a program without answer set: changes to try, the fewest first. `slots=3` is another value of a constant; the
        name or place of a rule leaves it out.
    optimal
        Of a program: whether only its answer sets of least cost count, not all.

    Raises
    ------
    UnsupportedError
        When the encoding does not name its rules, or the instance is too large for clingo.
    Interrupted
        On Ctrl-C, with the diagnosis so far in `partial`.
    """
    if isinstance(problem, AspProblem):
        only_asp(engine, "questions about programs")
        return diagnose_program(
            problem,
            limits=limits,
            on_progress=on_progress,
            clashes=clashes,
            effort=effort,
            repairs=repairs,
            most_clues=most_clues,
            instances=instances,
            variants=variants,
            optimal=optimal,
        )
    if optimal:
        raise UnsupportedError("answer sets of least cost are of clingo programs", hint="leave optimal out")
    if isinstance(problem, PrologProblem):
        from bridge.analysis.goals import diagnose_goal  # the Prolog side is loaded when it is used

        only_asp(engine, "questions about programs")
        return diagnose_goal(
            problem, limits=limits, on_progress=on_progress, clashes=clashes, effort=effort, repairs=repairs
        )
    expect(problem, "diagnose", "puzzle", "program", "goal")
    if instances or variants:
        raise UnsupportedError("instances and variants are for programs", hint="leave them out for a puzzle")
    options = Options(engine_of(engine).name, clashes, effort, repairs, most_clues)
    found: Diagnosis = _Work(problem, options, limits, on_progress).done()
    return found


#: The parts that are empty, by the verdict.
_NONE: Mapping[Verdict, Mapping[str, Any]] = {
    Verdict.UNIQUE: {"clashes": (), "after": (), "rules": ()},
    Verdict.AMBIGUOUS: {"clashes": (), "after": ()},
    Verdict.IMPOSSIBLE: {"rules": (), "hidden": {}},
}


class _Work(Work[Diagnosis, Premise]):
    """The state of a diagnosis of a puzzle."""

    def __init__(
        self, puzzle: Puzzle, options: Options, limits: Limits, on_progress: Callable[[Diagnosis], object] | None
    ) -> None:
        super().__init__(Diagnosis(puzzle, Verdict.UNKNOWN, notes=puzzle.notes()), limits.seconds, on_progress)
        self.puzzle, self.options = puzzle, options

    @cached_property
    def oracle(self) -> Oracle:
        """Made when it is first used: an instance whose verdict is not found in time is not ground twice."""
        return Oracle(self.puzzle, self.deadline)

    @cached_property
    def premises(self) -> list[Premise]:
        return [*self.oracle.rules, *self.oracle.clues]

    @property
    def questions(self) -> int:
        return self.oracle.calls if "oracle" in vars(self) else 0

    def parts(self) -> Mapping[Verdict, Sequence[Callable[[], None]]]:
        return {
            Verdict.IMPOSSIBLE: (self._clash, self._removals, self._after, self._clashes),
            Verdict.AMBIGUOUS: (self._residual, self._propagated, self._ambiguity, self._additions),
            Verdict.UNIQUE: (self._propagated, self._grade, self._redundant),
            Verdict.UNKNOWN: (),
        }

    def verdict(self) -> None:
        # By the engine, not the oracle: without switches, hard instances take a fraction of the time.
        try:
            outcome = engine_of(self.options.engine).solutions(self.puzzle, self._left(2)).collect()
        except Interrupted as interrupted:
            self.tell(solutions=interrupted.partial.solutions)
            raise
        self.tell(solutions=outcome.solutions, verdict=outcome.verdict, **_NONE.get(outcome.verdict, {}))
        if outcome.verdict is Verdict.UNKNOWN:
            raise LimitError("the limit on seconds came before the verdict")

    # Impossible

    def _clash(self) -> None:
        self.tell(clashes=(self.first_clash(self.oracle, self.premises),))

    def _clashes(self) -> None:
        # Last, since it may take long.
        self.tell(clashes=(self.smaller_clash(self.oracle, self.premises, self.options.effort),))
        more = self.other_clashes(self.oracle, self.premises, self.options.clashes - 1)
        self.tell(clashes=(*self.found.clashes, *more))

    def _removals(self) -> None:
        givens: list[Premise] = [*self.oracle.clues, *(name for name, rule in self.oracle.rules.items() if rule.given)]
        others = [name for name, rule in self.oracle.rules.items() if not rule.given]
        if not self.oracle.holds(others):
            self.note("without any clue there is no solution either")
            self.tell(removals=Repairs((), len(givens) + 1, True))
        else:
            known = [one.premises for one in self.found.clashes or ()]
            number = self.options.repairs
            self.keep("removals", lambda: removals(self.oracle, givens, others, number, known))

    def _after(self) -> None:
        assert self.found.removals is not None
        found: tuple[After, ...] = ()
        for away in self.found.removals.sets:
            found = (*found, after(self.oracle, self.premises, away))
            self.tell(after=found)
        self.tell(after=found)

    # Ambiguous

    def _residual(self) -> None:
        residual = engine_of("asp").exact(self.puzzle, self._left(None))
        if not residual.complete:
            raise LimitError("the limit on seconds came before the residual was found")
        rules = holding(self.puzzle, set(residual.open))
        self.tell(residual=replace(residual, constraints=rules), rules=rules)

    def _ambiguity(self) -> None:
        assert self.found.residual is not None
        possible, known = self.found.residual.open, [self._values(grid) for grid in self.found.solutions]
        self.keep("ambiguity", lambda: ambiguity(self.oracle, self.premises, possible, known=known))

    def _additions(self) -> None:
        assert self.found.residual is not None
        possible, options = self.found.residual.open, self.options
        self.keep(
            "additions", lambda: additions(self.oracle, self.premises, possible, options.most_clues, options.repairs)
        )
        found = self.found.additions
        assert found is not None
        if models(self.puzzle).clues_select:
            return
        good = tuple(one for one in found.sets if self._unique_with(one))
        if len(good) < len(found.sets):
            self.note("some sets of clues tell the solutions apart, but allow further ones; they are left out")
            self.tell(additions=replace(found, sets=good, complete=False))

    def _with(self, clues: tuple[Premise, ...]) -> Puzzle:
        added = {fact.cell: fact.value for fact in clues if isinstance(fact, Fact)}
        return self.puzzle.with_clues({**self.puzzle.clues(), **added})

    def _unique_with(self, clues: tuple[Premise, ...]) -> bool:
        outcome = engine_of("asp").solutions(self._with(clues), self._left(2)).collect()
        if outcome.limit == "seconds":
            raise LimitError("the limit on seconds came before a repair was tried")
        return outcome.verdict is Verdict.UNIQUE

    # Unique

    def _grade(self) -> None:
        limits = self._left(None, of=2)
        self.keep("grade", lambda: grade(self.puzzle, limits=limits))

    def _redundant(self) -> None:
        alone, spare, finished = redundant(self.oracle, list(self.oracle.rules))
        self.tell(redundant=tuple(alone), spare=tuple(spare) if finished else None)
        if not finished:
            raise LimitError("the limit on seconds came before all clues were tried")

    # Both

    def _propagated(self) -> None:
        try:
            propagated = engine_of(PROPAGATED_ENGINE).propagated(self.puzzle, self._left(None, of=4))
        except (MissingSolverError, UnsupportedError) as error:
            self.note(f"propagated residual not shown: {error}")
            return
        if not propagated.complete:
            self.note("propagated residual not shown: it would take more than a quarter of the time")
            return
        exact = self.found.residual.possible if self.found.residual else self._decided()
        hidden = {cell: exact[cell][0] for cell in propagated.open if len(exact[cell]) == 1}
        self.tell(propagated=propagated, hidden=hidden)

    def _decided(self) -> Mapping[Cell, tuple[Value, ...]]:
        """The value of every cell in the only solution."""
        return {cell: (value,) for cell, value in self._values(self.found.solutions[0]).items()}

    def _values(self, grid: Grid) -> dict[Cell, Value]:
        """The value of every cell in a solution."""
        values = {cell: at(grid, cell) for cell in self.puzzle.cells()}
        return {cell: value for cell, value in values.items() if value is not None}

    def _left(self, solutions: int | None, of: int = 1) -> Limits:
        """The time that is left, or a part of it."""
        left = self.deadline.remaining()
        return Limits(seconds=None if left is None else left / of, solutions=solutions)
