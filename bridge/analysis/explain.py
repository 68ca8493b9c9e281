"""Explain a solution step by step: each step is a new fact, with rules and known facts that imply it.

The **premises** of a step are rules and facts known before. Together with the negation of the step they are
unsatisfiable, and minimally so (B. Bogaerts, E. Gamba, T. Guns, *A framework for step-wise explaining how to solve
constraint satisfaction problems*, 2021; as there, the ideal is the fewest).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Literal

from bridge.analysis.cores import shrink
from bridge.as_json import as_json, short
from bridge.common.english import listed
from bridge.errors import InputError, LimitError, SolverError
from bridge.limits import Deadline
from bridge.outcome import Progress
from bridge.problem.asp import AspProblem
from bridge.problem.questions import is_fact
from bridge.public import public

#: Explanations of more rules and facts than these are broken up where they can be.
LONG = 15

#: Cells, or candidates, of which the shortest explanation is taken.
WIDTH = 4

#: Candidates tried where propagation decides no further cell.
CANDIDATES = 60


How = Literal["value", "place", "rules", "search"]


@public("bridge")
@dataclass(frozen=True, slots=True)
class Step:
    """One new fact, or several candidates removed by one technique.

    Attributes
    ----------
    fact
        What is new: that an atom holds, or that a cell has a value, or not. The first of several candidates removed.
    premises
        Rules in the problem's order, then facts in reading order; minimal, unless `proved` is False.
    by
        How it was found, from easy to hard. `value`: the rules of the cell itself exclude all other values. `place`:
        some rule excludes all other places for the value. `rules`: several rules one after the other, by propagation.
        `search`: all rules together.
    proved
        Whether it is proved that no premise can be left out. False when a limit came first.
    technique
        What solvers call it; None where it has no name.
    also
        The other new facts, such as the other candidates that an X-wing removes.
    """

    fact: Any
    premises: tuple[Any, ...]
    by: How
    proved: bool = True
    technique: Any = None
    also: tuple[Any, ...] = ()

    __repr__ = short

    @property
    def new(self) -> tuple[Any, ...]:
        return (self.fact, *self.also)

    @property
    def rules(self) -> tuple[Any, ...]:
        return tuple(premise for premise in self.premises if not is_fact(premise))

    @property
    def facts(self) -> tuple[Any, ...]:
        return tuple(premise for premise in self.premises if is_fact(premise))

    def __str__(self) -> str:
        """What a step finds, and why.

        With a technique `x = 5: hidden single: the only place for 5 in row 4, by row 2 and y=5`; without one
        `x = 7: row 2, column 5 and y=7 leave no other place for it`. More than a dozen premises are not listed
        where a technique says what to look at; without a technique they are called a proof.
        """
        unproved = "" if self.proved else UNPROVED
        few = len(self.premises) <= MOST_PREMISES
        if self.technique is not None:
            others = [str(one) for one in self.premises if not self.technique.covers(one)]
            by = f", by {listed(others)}" if others and few else ""
            return f"{self.conclusion}: {self.technique}{by}{unproved}"
        one, several = ENDS[self.by if len(self.new) == 1 else "rules"]
        end = one if len(self.premises) == 1 else several
        proof = "" if few else f"a proof from {len(self.premises)} premises, not an insight: "
        premises = listed(list(map(str, self.premises)) or ["what a cell can hold"])
        return f"{self.conclusion}: {proof}{premises} {end}{unproved}"

    @property
    def conclusion(self) -> str:
        """What a step finds: `x = 7`, `x and y are not 7`."""
        if not hasattr(self.fact, "variable"):
            return str(self.fact)
        of_value: dict[tuple[Any, bool], list[str]] = {}
        for fact in self.new:
            of_value.setdefault((fact.value, fact.holds), []).append(fact.variable_name)
        of_cells: dict[tuple[tuple[str, ...], bool], list[Any]] = {}
        for (value, holds), cells in of_value.items():
            of_cells.setdefault((tuple(cells), holds), []).append(value)
        return "; ".join(_concluded(list(cells), holds, values) for (cells, holds), values in of_cells.items())

    def to_json(self) -> dict[str, Any]:
        return {
            **self.fact.step_json(),
            "rules": as_json(self.rules),
            "facts": [fact.step_json() for fact in self.facts],
            "by": self.by,
            "proved": self.proved,
            "technique": None if self.technique is None else self.technique.to_json(),
            "new": [fact.step_json() for fact in self.new],
        }


class Reasoner:
    """Minimal explanations of facts, by an oracle."""

    oracle: Any
    progress: Progress

    def _minimal(self, fact: Any, rules: Sequence[Any], facts: Sequence[Any], by: How) -> Step:
        """A minimal explanation, the shorter of two: rules are left out first in one, facts in the other."""
        self.progress.report()
        contrary = fact.negated()
        reply = self.oracle.ask([*rules, *facts, contrary])
        if reply.satisfiable is None:
            raise LimitError("the limit on seconds came before a step was explained")
        if reply.satisfiable:
            raise SolverError(f"{fact} does not follow from what is known", hint="please report it")
        found = []
        core = self._smaller([premise for premise in reply.core if premise != contrary], contrary)
        for order in (core, core[::-1]):
            left, proved = shrink(self.oracle, [*order, contrary])
            found.append(Step(fact, self.oracle.ordered(one for one in left if one != contrary), by, proved))
            if not proved or len(left) > len(core):
                break  # a core that is minimal already has no other minimal core
        return min(found, key=length_of)

    def _smaller(self, core: list[Any], contrary: Any) -> list[Any]:
        """The core of the core in another order, as long as it gets smaller: cheaper than deletion one by one."""
        while True:
            reply = self.oracle.ask([contrary, *core[::-1]])
            if reply.satisfiable is not False or len(reply.core) > len(core):
                return core  # with the contrary, a core that is no smaller is one longer
            core = [premise for premise in reply.core if premise != contrary]

    def _by_search(self, values: Sequence[Any], removals: Callable[[], Sequence[Any]], rules: Sequence[Any],
                   known: Sequence[Any]) -> Step:
        """By all rules together: a value, or where that takes too many premises, a removal."""
        best = self._cores(values, rules, known)
        if value := self._value_by_search(best, rules, known):
            return value
        return self._shortest(sorted([*best, *self._cores(removals(), rules, known)])[:WIDTH], rules, known)

    def _value_by_search(self, best: Sequence[tuple[int, Any]], rules: Sequence[Any],
                         known: Sequence[Any]) -> Step | None:
        """The shortest explanation of those with these cores, if it is short."""
        if best and best[0][0] <= 2 * LONG:  # shrinking does not gain more than that
            value = self._shortest(best, rules, known)
            if len(value.premises) <= LONG:
                return value
        return None

    def _cores(self, facts: Sequence[Any], rules: Sequence[Any], known: Sequence[Any]) -> list[tuple[int, Any]]:
        """The smallest sizes of first cores, by all rules together, and the facts that have them."""
        cores: list[tuple[int, Any]] = []
        for fact in facts[:CANDIDATES]:
            reply = self.oracle.ask([fact.negated(), *rules, *known])
            if reply.satisfiable is None:
                raise LimitError("the limit on seconds came before the next step was found")
            again = self.oracle.ask([*reply.core[::-1]])
            cores.append((len(again.core or reply.core), fact))
        return sorted(cores)[:WIDTH]

    def _shortest(self, cores: Sequence[tuple[int, Any]], rules: Sequence[Any], known: Sequence[Any]) -> Step:
        return min((self._minimal(fact, rules, known, "search") for _, fact in cores), key=length_of)


class ProgramExplainer(Reasoner):
    """The steps that lead to the answer set of a program: atoms that rules and atoms known before imply.

    The atoms are those that choices make, and those that are shown. First each rule is asked by itself, together with
    the choices of exactly one atom and with what is known; all rules together only where none decides anything. Atoms
    that do not hold are steps where another step needs them. Definitions and facts always hold, and are not named.
    """

    def __init__(self, problem: AspProblem, deadline: Deadline, progress: Progress) -> None:
        self._problem, self._deadline, self.progress = problem, deadline, progress
        self._known: dict[Any, None] = {}
        #: For each atom that was ruled out: the rules that did it, and how many facts were known then.
        self._ruled_out: dict[Any, tuple[list[Any], int]] = {}
        self._told: set[Any] = set()

    def steps(self) -> Iterator[Step]:
        with closing(self._problem.backend.ended(self._deadline).backend.choices(self._deadline)) as self.oracle:
            rules: list[Any] = list(self.oracle.premises)
            exact = self._asked(rules)
            if not exact and not self.oracle.holds(rules):
                raise InputError("there is no answer set to explain", hint="`diagnose` says why")
            base = [rule for rule in rules if rule.statement.values]
            given = set(self._decided(self._asked([])))  # by definitions and facts alone
            wanted = {fact: None for fact in self._decided(exact) if fact not in given}
            self._known.update(dict.fromkeys(given))
            while left := [fact for fact in wanted if fact.holds and fact not in self._known]:
                self.progress.report()
                for step in self._next(rules, base, left, wanted):
                    self._known[step.fact] = None
                    self._told.add(step.fact)
                    self.progress.statistics.counters["questions"] = self.oracle.calls
                    yield step

    def _next(self, rules: list[Any], base: list[Any], left: list[Any], wanted: dict[Any, None]) -> list[Step]:
        """The steps that single rules imply, after those that they need; or one by all rules."""
        ruled_out = False
        for rule in [rule for rule in rules if rule not in base] or base:
            together = list(dict.fromkeys([*base, rule]))
            new = [fact for fact in self._decided(self._asked([*together, *self._known])) if fact not in self._known]
            if found := [fact for fact in new if fact.holds]:
                return [step for fact in found for step in self._with_needs(fact, together, list(self._known))]
            for fact in new:
                ruled_out = True
                self._ruled_out[fact] = together, len(self._known)
                self._known[fact] = None
        if ruled_out:
            return []
        removals = [fact for fact in wanted if not fact.holds and fact not in self._known]
        step = self._by_search(left, lambda: removals, rules, list(self._known))
        return [*self._needs(step), step]

    def _with_needs(self, fact: Any, rules: list[Any], known: list[Any]) -> list[Step]:
        step = self._minimal(fact, rules, known, "rules")
        return [*self._needs(step), step]

    def _needs(self, step: Step) -> list[Step]:
        """Steps to the atoms that were ruled out and that a step names."""
        found: list[Step] = []
        for fact in step.facts:
            if fact in self._ruled_out and fact not in self._told:
                self._told.add(fact)
                rules, number = self._ruled_out[fact]
                found += self._with_needs(fact, rules, list(self._known)[:number])
        return found

    def _asked(self, premises: list[Any]) -> dict[str, set[Any]]:
        possible: dict[str, set[Any]] | None = self.oracle.possible(premises)
        if possible is None:
            raise LimitError("the limit on seconds came before the next step")
        return possible

    def _decided(self, possible: dict[str, set[Any]]) -> Iterator[Any]:
        """What is the same in all answers: of a variable its value, or the values that it does not have."""
        for variable, values in possible.items():
            if len(values) == 1:
                (value,) = values
                yield self.oracle.fact(variable, value)
            for value in self.oracle.reading.variables[variable]:
                if value is not True and value not in values:
                    yield self.oracle.fact(variable, value, False)


def length_of(step: Step) -> tuple[int, int, Any]:
    """A key to sort steps by: the number of premises, and of rules."""
    return len(step.premises), len(step.rules), step.fact


#: By how the step was found.
ENDS = {
    "value": ("leaves no other value", "leave no other value"),
    "place": ("leaves no other place for it", "leave no other place for it"),
    "rules": ("leaves nothing else", "leave nothing else"),
    "search": ("allows nothing else", "together allow nothing else"),
}
UNPROVED = " (perhaps not all of these are needed: the time limit came first)"

#: A step without a name, and of more premises than these, is said to be a proof.
MOST_PREMISES = 12


def _concluded(cells: list[str], holds: bool, values: list[Any]) -> str:
    """That all these cells hold a value, or have none of some values."""
    if holds:
        return f"{listed(cells)} = {values[0]}"
    return f"{listed(cells)} {'is' if len(cells) == 1 else 'are'} not {listed(list(map(str, values)), 'or')}"
