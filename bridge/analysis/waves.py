"""Clashes of a program, found in two waves.

The first wave asks which constraints and bounds of choices cannot hold together; facts and definitions stay as they
are, so that grounding costs what it always does. The second puts in question, together with these rules, the facts and
definitions that they depend on. Where later questions meet further rules, the second wave is widened, until all that
the rules of its cores depend on was in question, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from bridge.analysis.cores import Clash, clash
from bridge.errors import LimitError
from bridge.limits import Deadline
from bridge.problems.program import AspProblem
from bridge.problems.program_oracle import AtomFact, Premise, ProgramOracle

T = TypeVar("T")


class NoClashError(Exception):
    """The premises can hold together."""


class Waves:
    """Questions to a program that has no answer set.

    Parameters
    ----------
    problem
        The program.
    deadline
        The end of all questions.

    Attributes
    ----------
    joint
        The oracle of the second wave.
    """

    joint: ProgramOracle

    def __init__(self, problem: AspProblem, deadline: Deadline) -> None:
        self.problem, self.deadline = problem, deadline
        self._oracles: list[ProgramOracle] = []
        self._rules: set[str] = set()
        self._known = set[object]()

    @property
    def calls(self) -> int:
        """The number of questions so far."""
        return sum(oracle.calls for oracle in self._oracles)

    def keep(self, oracle: ProgramOracle) -> ProgramOracle:
        """Close an oracle with the others."""
        self._oracles.append(oracle)
        return oracle

    def close(self) -> None:
        """End the processes."""
        for oracle in self._oracles:
            oracle.close()

    def first(self, atoms: Sequence[AtomFact] = ()) -> Clash[Premise]:
        """A clash of the program, small where that costs little; with atoms that are premises, too.

        Raises
        ------
        LimitError
            When a limit comes first.
        NoClashError
            When there is none.
        """
        kinds = ("constraint", "choice", "theory")
        # Those, too, that the facts satisfy: without some fact they may not be.
        self._rules = {one.key for one in self.problem.outline.statements if one.in_question and one.kind in kinds}
        rules = self.keep(self.problem.oracle(self.deadline))
        asked = [*rules.premises, *atoms]
        few = clash(rules, asked)
        if few is None and self.deadline.expired():
            raise LimitError("the limit on seconds came before a clash was found")
        chosen = () if few is None else few.premises
        self._known = {of for one in chosen if isinstance(one, Premise) for of in one.statements}
        self.joint = rules
        try:
            self._widen([one for one in chosen if isinstance(one, Premise)])
            given = ("fact", "definition", "disjunction")
            wanted = set(chosen)
            these = [one for one in self.joint.premises if one.kind in given or one in wanted]
            found = clash(self.joint, [*these, *(one for one in atoms if one in wanted)])
        except LimitError:
            found = None
        if found is None and not self.deadline.expired():
            raise NoClashError
        if found is None and few is None:
            raise LimitError("the limit on seconds came before a clash was found")
        # With the limit, the rules alone: facts that belong to them are not looked for.
        return found or Clash(chosen, False)

    def _widen(self, rules: Sequence[Premise]) -> None:
        """All constraints and bounds, with what the given ones depend on."""
        self.joint = self.keep(self.problem.joint(rules, self.deadline, also=self._rules))

    def settled(self, found: Callable[[ProgramOracle], T]) -> T:
        """An answer for which all that the rules in its cores depend on was in question, too."""
        while True:
            before, answer = self.joint, found(self.joint)
            met = {of for one in before.met for of in one.statements} - self._known
            if not met or self.deadline.expired():
                return answer
            self._known |= met
            self._widen([one for one in before.premises if one.statement in self._known])
            if len(self.joint.premises) == len(before.premises):
                return answer

    def instances(self, first: Clash[Premise]) -> Clash[Premise] | None:
        """A clash again, each rule as the instances that are needed; None when a limit came first."""
        others = self._rules - {premise.statement.key for premise in first.premises}
        problem = self.problem.without(others)
        oracle = self.keep(problem.joint(first.premises, self.deadline, instances=True))
        wanted = {of for premise in first.rules for of in premise.statements}
        facts = set(first.facts)
        return clash(
            oracle, [one for one in oracle.premises if one in facts or (one.statement in wanted and not one.is_fact)]
        )
