"""Clashes of a program, found in two waves.

The first wave asks which constraints and bounds of choices cannot hold together; facts and definitions stay as they
are, so that grounding costs what it always does. The second puts in question, together with these rules, the facts and
definitions that they depend on. Where later questions meet further rules, the second wave is widened, until all that
the rules of its cores depend on was in question, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from functools import cache, cached_property
from typing import Any, TypeVar

from bridge.analysis.cores import Clash, clash
from bridge.asp.reading.outline import Statement
from bridge.common.closing import Closing
from bridge.errors import LimitError
from bridge.limits import Deadline
from bridge.problem.asp import AspProblem
from bridge.problem.asp_oracle import GIVEN, AtomFact, OpenFacts, ProgramOracle, StatementPremise
from bridge.problem.questions import Reply
from bridge.problem.scope import RULES, Scope

T = TypeVar("T")


class NoClashError(Exception):
    """The premises can hold together."""


class _WiderError(Exception):
    """Rules that were not in question clash, too: they are in `args`."""


class _Near:
    """Questions about rules and the few facts that they can depend on, of a program that has very many.

    What these depend on is closed, so that a core of them is one of the program. That premises can hold together says
    less: where a question is about *all* facts, it is asked again of the whole program, with all rules.
    """

    def __init__(self, alone: ProgramOracle, in_question: Sequence[Any], whole: Callable[[], ProgramOracle]) -> None:
        self.alone, self.in_question, self._whole = alone, tuple(in_question), whole

    def __getattr__(self, name: str) -> Any:
        return getattr(self.alone, name)

    @property
    def warnings(self) -> tuple[str, ...]:
        """As `ProgramOracle.warnings`, of the whole program."""
        return self._whole().warnings

    def ask(self, premises: Iterable[Any]) -> Reply[Any, Any]:
        """As `ProgramOracle.ask`; _WiderError when other rules of the program clash with the premises."""
        premises = list(premises)
        reply = self.alone.ask(premises)
        if not reply.satisfiable or not any(isinstance(one, OpenFacts) for one in premises):
            return reply
        reply = self._whole().ask(self._with_others(premises))
        if reply.satisfiable is False:
            raise _WiderError(*(one for one in reply.core if one not in self.in_question and one.kind in RULES))
        return reply

    def is_unique(self, premises: Iterable[Any]) -> bool:
        """As `ProgramOracle.is_unique`, of the whole program."""
        return self._whole().is_unique(self._with_others(premises))

    def _with_others(self, premises: Iterable[Any]) -> list[Any]:
        """Premises, and all rules and facts of the program that are not in question here."""
        known = {*self.in_question}
        return [*premises, *(one for one in self._whole().in_question if one not in known)]


class Waves(Closing):
    """Questions to a program that has no answer set, until a deadline."""

    def __init__(self, problem: AspProblem, deadline: Deadline) -> None:
        self.problem, self.deadline = problem, deadline
        self._oracles: list[ProgramOracle] = []
        self._tied: tuple[set[Statement], list[str]] = set(), []
        self._chosen: tuple[StatementPremise, ...] = ()
        self._joint: ProgramOracle | _Near | None = None
        #: Facts and definitions that were not put in question.
        self.fixed: tuple[Statement, ...] = ()

    @property
    def calls(self) -> int:
        return sum(oracle.calls for oracle in self._oracles)

    def keep(self, oracle: ProgramOracle) -> ProgramOracle:
        """Close an oracle with the others."""
        self._oracles.append(oracle)
        return oracle

    def close(self) -> None:
        for oracle in self._oracles:
            oracle.close()

    @cached_property
    def _scope(self) -> Scope:
        return Scope(self.problem)

    @cached_property
    def switched(self) -> ProgramOracle:
        """The oracle of the first wave."""
        return self.keep(self.problem.backend.oracle(self.deadline))

    @cached_property
    def _rules(self) -> set[str]:
        """The keys of the rules in question; of those, too, that the facts satisfy: without some fact they may not."""
        return {one.key for one in self.problem.outline.statements if one.in_question and one.kind in RULES}

    def early(self,
              on_better: Callable[[Clash[StatementPremise]], object] | None = None) -> Clash[StatementPremise] | None:
        """A clash of rules on which few of very many facts bear, found before the whole program is ground.

        None where there is none; then there may be others.
        """
        if (found := self._scope.tied(self.deadline)) is None:
            return None
        rules, some = found
        self._tied = set(rules), some
        with closing(self.keep(self._scope.with_some(rules, some, self.deadline))) as oracle:
            chosen = [one for one in oracle.in_question if isinstance(one, StatementPremise)]
            try:
                return self._clash(oracle, [one for one in chosen if one.statement in self._tied[0]], on_better)
            except NoClashError:
                return None

    def rules(self, atoms: Sequence[AtomFact] = (),
              on_better: Callable[[Clash[StatementPremise]], object] | None = None) -> Clash[StatementPremise]:
        """The first wave: rules that cannot hold together with the facts and definitions, which all hold.

        Raises LimitError when a limit comes before that is known, and NoClashError when there are none.
        """
        return self._clash(self.switched, [*self.switched.in_question, *atoms], on_better)

    def first(self, atoms: Sequence[AtomFact] = ()) -> Clash[StatementPremise]:
        """A clash of the program, small where that costs little; with atoms that are premises, too.

        Raises LimitError when a limit comes first, and NoClashError when there is none.
        """
        return self.with_facts((None if atoms else self.early()) or self.rules(atoms), atoms)

    def with_facts(self, few: Clash[StatementPremise], atoms: Sequence[AtomFact] = (),
                   on_better: Callable[[Clash[StatementPremise]], object] | None = None) -> Clash[StatementPremise]:
        """The second wave: rules that clash, with the facts and definitions that they need."""
        chosen = few.premises
        self._chosen = tuple(one for one in chosen if isinstance(one, StatementPremise))
        if not atoms and (near := self._near()) is not None:
            if "switched" in vars(self):
                self.switched.close()
            try:
                return self._clash(near, near.in_question, on_better)
            except NoClashError:
                self._joint = None
        oracle: ProgramOracle | _Near | None = None
        try:
            oracle = self.keep(self._scope.joint(self._chosen, self.deadline, alone=True)) if not atoms else self.joint
            if isinstance(oracle, ProgramOracle):
                self.fixed = oracle.fixed
            wanted: set[object] = {*chosen}
            these = [one for one in oracle.in_question if one.kind in GIVEN or one in wanted]
            try:
                found = self._clash(oracle, [*these, *(one for one in atoms if one in wanted)], on_better)
            except NoClashError:
                if oracle is self._joint:
                    raise
            else:
                if found.premises or atoms:
                    return found
            # What is never in question has a part in it: now all that it may depend on is in question, too.
            whole = self._widen(self._chosen, whole=True)
            return self._clash(whole, [*whole.in_question, *atoms], on_better)
        except LimitError:
            # With the limit, the rules alone: facts that belong to them are not looked for.
            return Clash(chosen, False)
        finally:
            if isinstance(oracle, ProgramOracle) and oracle is not self._joint:
                oracle.close()  # a large program is large in memory, and is not asked again

    def _clash(self, oracle: ProgramOracle | _Near, premises: Sequence[StatementPremise | OpenFacts | AtomFact],
               on_better: Callable[[Clash[StatementPremise]], object] | None) -> Clash[StatementPremise]:
        def clash_of(premises: Sequence[Any], minimal: bool) -> Clash[Any]:
            return Clash(oracle.ordered(premises), minimal)

        found = oracle.clash(premises, on_better and (lambda *better: on_better(clash_of(*better))))
        if found is None:
            raise NoClashError
        return clash_of(*found)

    def _widen(self, rules: Sequence[StatementPremise], *, whole: bool = False) -> ProgramOracle:
        """All constraints and bounds, with what the given ones depend on, or with the whole program."""
        self._joint = found = self.keep(self._scope.joint(rules, self.deadline, also=self._rules, whole=whole))
        self.fixed = found.fixed
        return found

    def _near(self) -> _Near | None:
        """The chosen rules with the facts that they can depend on, where these are few among many."""
        chosen, (tied, demanded) = self._chosen, self._tied
        told = bool(chosen) and tied >= _statements(chosen)
        some = demanded if told else self._scope.near(chosen, self.deadline)
        if some is None:
            return None
        alone = self.keep(self._scope.joint(chosen, self.deadline, alone=True, some=some, rest=False))
        these = [one for one in alone.in_question if one.kind not in RULES or one in chosen]
        if not any(isinstance(one, OpenFacts) for one in these):  # by these, `_Near` knows what is asked of all facts
            return None

        @cache
        def whole() -> ProgramOracle:
            return self.keep(self._scope.joint(chosen, self.deadline, also=self._rules, some=some))

        self._joint, self.fixed = _Near(alone, these, whole), alone.fixed
        return self._joint

    @property
    def joint(self) -> ProgramOracle | _Near:
        """The oracle of the second wave, with all rules."""
        return self._joint or self._widen(self._chosen)

    def settled(self, found: Callable[[Any], T]) -> T:
        """An answer for which all that the rules in its cores depend on was in question, too."""
        while True:
            before = self.joint
            try:
                answer = found(before)
            except _WiderError as wider:
                self._joint = None
                if not {*wider.args} <= {*self._chosen}:
                    self._chosen = tuple(dict.fromkeys([*self._chosen, *wider.args]))
                    self._near()
                continue
            if isinstance(before, _Near):
                return answer
            # What facts and definitions depend on is in question already.
            rules = [one for one in before.met if one.kind in RULES]
            if _statements(rules) <= _statements(self._chosen) or self.deadline.expired():
                return answer
            self._chosen = tuple(dict.fromkeys([*self._chosen, *rules]))
            wider_oracle = self._widen(self._chosen)
            if len(wider_oracle.in_question) == len(before.in_question):
                return answer

    def by_instance(self, first: Clash[StatementPremise], deadline: Deadline, *, alone: bool = False) -> ProgramOracle:
        """The oracle of a clash with each instance of its rules as a premise; without the other rules."""
        others = self._rules - {premise.statement.key for premise in first.premises}
        scope = Scope(self.problem.without(others))
        return self.keep(scope.joint(first.premises, deadline, instances=True, alone=alone))

    def instances(self, first: Clash[StatementPremise]) -> Clash[StatementPremise] | None:
        """A clash again, each rule as the instances that are needed; None when a limit came first."""
        oracle = self.by_instance(first, self.deadline)
        wanted = _statements(first.rules)
        facts = set(first.facts)
        return clash(oracle,
                     [one for one in oracle.premises if one in facts or (one.statement in wanted and not one.is_fact)])


def _statements(premises: Iterable[StatementPremise]) -> set[Statement]:
    return {of for one in premises for of in one.statements}
