"""A solution step by step: each step one new fact, with rules and known facts that force it.

- A **step** places a value, or removes a candidate.
- Its **premises** are rules and facts known before. With them and the contrary of the step there is no solution, and
  with any one of them left out there is: so nothing in them is idle (B. Bogaerts, E. Gamba, T. Guns, *A framework for
  step-wise explaining how to solve constraint satisfaction problems*, 2021; as there, the ideal is the fewest).

The one idea: rule-wise propagation (`bridge.workbench.deduction`) says which cell comes next and which rules have a hand
in it, a minimal core of these and the known facts is the explanation, and only where that does not get on does the
search go through all rules. What is too long to follow is broken up by removing candidates first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from bridge.engines.oracle import Fact, Oracle, Premise
from bridge.errors import InputError, LimitError
from bridge.limits import Deadline, Limits
from bridge.outcome import Progress, Stream
from bridge.puzzles import Puzzle
from bridge.puzzles.rules import Cell, cell_name
from bridge.workbench.cores import ordered, shrink
from bridge.workbench.deduction import Deduction

#: Explanations of more rules and facts than these are broken up where they can be.
LONG = 12

#: Cells, or candidates, of which the shortest explanation is taken.
WIDTH = 4

#: Candidates looked at when propagation does not get on.
CANDIDATES = 60


@dataclass(frozen=True, slots=True)
class Step:
    """One new fact.

    Attributes
    ----------
    fact
        What is new.
    premises
        Rules in the puzzle's order, then facts in reading order; minimal, unless `proved` is False.
    by
        How it was found: `propagation`, rule by rule, or `search` among all rules.
    proved
        Whether it is proved that no premise can be left out. False when a limit came first.
    """

    fact: Fact
    premises: tuple[Premise, ...]
    by: str
    proved: bool = True

    @property
    def rules(self) -> tuple[str, ...]:
        return tuple(premise for premise in self.premises if isinstance(premise, str))

    @property
    def facts(self) -> tuple[Fact, ...]:
        return tuple(premise for premise in self.premises if isinstance(premise, Fact))

    def to_json(self) -> dict[str, Any]:
        def plain(fact: Fact) -> dict[str, Any]:
            return {"cell": list(fact.cell), "value": fact.value, "holds": fact.holds}

        return {
            **plain(self.fact),
            "rules": list(self.rules),
            "facts": [plain(fact) for fact in self.facts],
            "by": self.by,
            "proved": self.proved,
        }


def explain(puzzle: Puzzle, *, seconds: float | None = None) -> Stream[Step]:
    """The steps that lead from the clues to the solution, one after the other.

    Of an ambiguous instance, those to the cells that are the same in all solutions. The stream is `complete` when
    nothing is left to explain.

    Parameters
    ----------
    puzzle
        The instance.
    seconds
        When to stop; the steps found until then are kept.

    Raises
    ------
    InputError
        In the iteration, when there is no solution: `diagnose` tells why.
    UnsupportedError
        When the encoding does not name its rules, or the instance is too large for clingo.
    """

    def steps(progress: Progress) -> Iterator[Step]:
        try:
            yield from _Explainer(Oracle(puzzle, Deadline(seconds)), progress).steps()
            progress.complete = True
        except LimitError:
            progress.limit = "seconds"

    return Stream(steps, Limits(seconds=seconds))


def leading_to(steps: Iterable[Step], cell: Cell) -> list[Step]:
    """Those of the steps that the one about a cell rests on, and that one last; none when no step places its value.

    Raises
    ------
    InputError
        When the steps end without the cell.
    """
    so_far: dict[Fact, Step] = {}
    for step in steps:
        so_far[step.fact] = step
        if step.fact.cell == cell and step.fact.holds:
            return _resting_on(step, so_far)
    raise InputError(f"no step decides {cell_name(cell)}", hint="is it a clue, or open?")


def _resting_on(last: Step, so_far: dict[Fact, Step]) -> list[Step]:
    wanted: dict[Fact, None] = {}
    todo = [last]
    while todo:
        step = todo.pop()
        if step.fact not in wanted:
            wanted[step.fact] = None
            todo += [so_far[fact] for fact in step.facts if fact in so_far]
    return [step for fact, step in so_far.items() if fact in wanted]


@dataclass
class _Explainer:
    """An explanation on its way."""

    oracle: Oracle
    progress: Progress
    #: Explanations found and not told yet. They stay true: what is known only grows.
    kept: dict[Fact, Step] = field(default_factory=dict)

    def steps(self) -> Iterator[Step]:
        oracle = self.oracle
        premises = [*oracle.rules, *oracle.clues]
        reply = oracle.ask(premises)
        exact = oracle.possible(premises)
        if reply.satisfiable is None or exact is None:
            raise LimitError("the limit on seconds came before the first step")
        if not reply.satisfiable:
            raise InputError("there is no solution to explain", hint="`diagnose` tells why")
        deduction = Deduction(oracle, reply.values, exact)
        while any(len(values) == 1 and cell not in deduction.placed for cell, values in deduction.exact.items()):
            # No generator here: the solver must not be left in the middle of a question while a step is looked at.
            for step in self._next(deduction):
                deduction.know(step.fact)
                self.progress.statistics.counters["questions"] = oracle.calls
                yield step

    def _next(self, deduction: Deduction) -> list[Step]:
        """The next step, with candidates to be removed before it."""
        if deduction.advance():
            facts = [Fact(cell, next(iter(deduction.domains[cell]))) for cell in deduction.decided()]
            for fact in facts[:WIDTH]:
                if fact not in self.kept:
                    self.kept[fact] = self._explained(deduction, fact)
            best = min((self.kept[fact] for fact in facts if fact in self.kept), key=_length)
            del self.kept[best.fact]
            return [best] if len(best.premises) <= LONG else self._broken_up(deduction, best)
        return [self._searched(deduction)]

    def _explained(self, deduction: Deduction, fact: Fact) -> Step:
        rules, _ = deduction.behind(fact)
        return self._minimal(fact, rules, deduction.known, "propagation")

    def _minimal(self, fact: Fact, rules: Sequence[Premise], facts: Sequence[Premise], by: str) -> Step:
        """A minimal explanation, the shorter of two: rules are left out first in one, facts in the other."""
        contrary = fact.negated()
        reply = self.oracle.ask([*rules, *facts, contrary])
        if reply.satisfiable is not False:
            raise LimitError("the limit on seconds came before a step was explained")
        found = []
        core = self._smaller([premise for premise in reply.core if premise != contrary], contrary)
        for order in (core, core[::-1]):
            left, proved = shrink(self.oracle, [*order, contrary])
            found.append(Step(fact, ordered(self.oracle, (one for one in left if one != contrary)), by, proved))
            if not proved:
                break
        return min(found, key=_length)

    def _smaller(self, core: list[Premise], contrary: Fact) -> list[Premise]:
        """The core of the core, in another order each time, as long as it gets smaller."""
        while True:
            reply = self.oracle.ask([contrary, *core[::-1]])
            if reply.satisfiable is not False or len(reply.core) > len(core):
                return core
            core = [premise for premise in reply.core if premise != contrary]

    def _broken_up(self, deduction: Deduction, long: Step) -> list[Step]:
        """Candidates to be removed, each with a short explanation, that make a long one shorter; then that one.

        The removals that propagation made on its way are tried in its order; those that the end does not rest on in
        the end are not told.
        """
        rules, removals = deduction.behind(long.fact)
        before, facts = [], [*deduction.known]
        for removal in removals:
            if removal in deduction.removed:
                continue
            near, _ = deduction.behind(removal)
            step = self._minimal(removal, near, facts, "propagation")
            if len(step.rules) > 1 and len(step.premises) <= LONG:  # one rule and its facts are seen at a glance
                before.append(step)
                facts.insert(0, removal)
        if not before:
            return [long]
        last = self._minimal(long.fact, rules, facts, "propagation")
        steps = {step.fact: step for step in [*before, last]}
        return _resting_on(last, steps) if len(last.premises) < len(long.premises) else [long]

    def _searched(self, deduction: Deduction) -> Step:
        """The shortest explanation found of a candidate that no solution has, by all rules together.

        The candidates with the smallest first cores are looked at more closely.
        """
        rules, facts = list(self.oracle.rules), deduction.known
        cores: list[tuple[int, Fact]] = []
        for removal in deduction.open_candidates()[:CANDIDATES]:
            reply = self.oracle.ask([removal.negated(), *rules, *facts])
            if reply.satisfiable is None:
                raise LimitError("the limit on seconds came before the next step was found")
            again = self.oracle.ask([*reply.core[::-1]])
            cores.append((len(again.core or reply.core), removal))
        cores.sort(key=lambda pair: pair[0])
        found = [self._minimal(removal, rules, facts, "search") for _, removal in cores[:WIDTH]]
        return min(found, key=_length)


def _length(step: Step) -> tuple[int, int, Fact]:
    return len(step.premises), len(step.rules), step.fact
