"""Clashes of a program, found in two waves.

The first wave asks which constraints and bounds of choices cannot hold together; facts and definitions stay as they
are, so that grounding costs what it always does. The second puts in question, together with these rules, the facts and
definitions that they depend on. Where later questions meet further rules, the second wave is widened, until all that
the rules of its cores depend on was in question, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, TypeVar

from bridge.analysis.cores import Clash, clash
from bridge.asp.outline import Statement
from bridge.errors import LimitError
from bridge.limits import Deadline
from bridge.problem.asp import AspProblem
from bridge.problem.asp_oracle import AtomFact, Found, OpenFacts, ProgramOracle, StatementPremise

T = TypeVar("T")

#: The kinds of statements that the first wave puts in question.
_RULES = ("constraint", "choice", "theory")


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
    fixed
        Facts and definitions that were not put in question.
    """

    def __init__(self, problem: AspProblem, deadline: Deadline) -> None:
        self.problem, self.deadline = problem, deadline
        self._oracles: list[ProgramOracle] = []
        self._rules: set[str] = set()
        self._known = set[object]()
        self._chosen: tuple[StatementPremise, ...] = ()
        self._joint: ProgramOracle | None = None
        self.fixed: tuple[Statement, ...] = ()

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

    @cached_property
    def switched(self) -> ProgramOracle:
        """The oracle of the first wave."""
        return self.keep(self.problem.oracle(self.deadline))

    def rules(
        self, atoms: Sequence[AtomFact] = (), on_better: Callable[[Clash[StatementPremise]], object] | None = None
    ) -> Clash[StatementPremise]:
        """The first wave: rules that cannot hold together with the facts and definitions, which all hold.

        Raises
        ------
        LimitError
            When a limit comes before that is known.
        NoClashError
            When there are none.
        """
        # Those, too, that the facts satisfy: without some fact they may not be.
        self._rules = {one.key for one in self.problem.outline.statements if one.in_question and one.kind in _RULES}
        return self._clash(self.switched, [*self.switched.in_question, *atoms], on_better)

    def first(
        self, atoms: Sequence[AtomFact] = (), on_better: Callable[[Clash[StatementPremise]], object] | None = None
    ) -> Clash[StatementPremise]:
        """A clash of the program, small where that costs little; with atoms that are premises, too.

        Parameters
        ----------
        on_better
            Called with each clash that is better than those before. Those of rules alone come first.

        Raises
        ------
        LimitError
            When a limit comes first.
        NoClashError
            When there is none.
        """
        few = self.rules(atoms, on_better)
        return self.with_facts(few, atoms, on_better)

    def with_facts(
        self,
        few: Clash[StatementPremise],
        atoms: Sequence[AtomFact] = (),
        on_better: Callable[[Clash[StatementPremise]], object] | None = None,
    ) -> Clash[StatementPremise]:
        """The second wave: rules that clash, with the facts and definitions that they need."""
        chosen = few.premises
        self._chosen = tuple(one for one in chosen if isinstance(one, StatementPremise))
        self._known = {of for one in self._chosen for of in one.statements}
        oracle: ProgramOracle | None = None
        try:
            oracle = self.keep(self.problem.joint(self._chosen, self.deadline, alone=True)) if not atoms else self.joint
            self.fixed = oracle.fixed
            given = ("fact", "definition", "disjunction")
            wanted: set[object] = {*chosen}
            these = [one for one in oracle.in_question if one.kind in given or one in wanted]
            return self._clash(oracle, [*these, *(one for one in atoms if one in wanted)], on_better)
        except LimitError:
            # With the limit, the rules alone: facts that belong to them are not looked for.
            return Clash(chosen, False)
        finally:
            if oracle is not None and oracle is not self._joint:
                oracle.close()  # a large program is large in memory, and is not asked again

    def _clash(
        self,
        oracle: ProgramOracle,
        premises: Sequence[StatementPremise | OpenFacts | AtomFact],
        on_better: Callable[[Clash[StatementPremise]], object] | None,
    ) -> Clash[StatementPremise]:
        def clash_of(found: Found) -> Clash[Any]:
            return Clash(oracle.ordered(found.premises), found.minimal)

        found = oracle.clash(premises, on_better and (lambda better: on_better(clash_of(better))))
        if found.satisfiable:
            raise NoClashError
        return clash_of(found)

    def _widen(self, rules: Sequence[StatementPremise]) -> None:
        """All constraints and bounds, with what the given ones depend on."""
        self._joint = self.keep(self.problem.joint(rules, self.deadline, also=self._rules))
        self.fixed = self._joint.fixed

    @property
    def joint(self) -> ProgramOracle:
        """The oracle of the second wave, with all rules."""
        if self._joint is None:
            self._widen(self._chosen)
        assert self._joint is not None
        return self._joint

    def settled(self, found: Callable[[ProgramOracle], T]) -> T:
        """An answer for which all that the rules in its cores depend on was in question, too."""
        while True:
            before, answer = self.joint, found(self.joint)
            # What facts and definitions depend on is in question already.
            rules = [one for one in before.met if one.kind in _RULES]
            met = {of for one in rules for of in one.statements} - self._known
            if not met or self.deadline.expired():
                return answer
            self._known |= met
            self._chosen = tuple(dict.fromkeys([*self._chosen, *rules]))
            self._widen(self._chosen)
            if len(self.joint.in_question) == len(before.in_question):
                return answer

    def instances(self, first: Clash[StatementPremise]) -> Clash[StatementPremise] | None:
        """A clash again, each rule as the instances that are needed; None when a limit came first."""
        others = self._rules - {premise.statement.key for premise in first.premises}
        problem = self.problem.without(others)
        oracle = self.keep(problem.joint(first.premises, self.deadline, instances=True))
        wanted = {of for premise in first.rules for of in premise.statements}
        facts = set(first.facts)
        return clash(
            oracle, [one for one in oracle.premises if one in facts or (one.statement in wanted and not one.is_fact)]
        )
