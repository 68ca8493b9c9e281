"""Explain a puzzle step by step: each step is a new fact, with rules and known facts that imply it.

- A **step** places a value, or removes candidates (`bridge.analysis.explain`).
- Its **technique** is what solvers call it: hidden single, X-wing (`bridge.puzzles.explain.techniques`).
- Its **premises** are rules and facts known before. Together with the negation of the step they are unsatisfiable, and
  minimally so (B. Bogaerts, E. Gamba, T. Guns, *A framework for step-wise explaining how to solve constraint
  satisfaction problems*, 2021; as there, the ideal is the fewest).

Steps with a technique come first, the easiest before others. Where there is none, propagation, rule by rule
(`explain.deduction`), finds the next cell and the rules involved. A minimal core of these rules and the known
facts is the explanation. Where propagation decides no further cell, all rules are used.
Explanations that are too long are broken up by removing candidates first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace

from bridge.analysis import LONG, WIDTH, How, Reasoner, Step, length_of
from bridge.common import how_ended
from bridge.errors import InputError, LimitError, SolverError
from bridge.limits import Deadline, Limits
from bridge.outcome import OnProgress, Progress, Stream
from bridge.puzzles.explain.deduction import Deduction
from bridge.puzzles.explain.techniques import Named, Techniques
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.rules import Cell, cell_name
from bridge.puzzles.oracle import Fact, Oracle, RuleOrFact


def explain_puzzle(
    puzzle: Puzzle,
    limits: Limits,
    on_progress: OnProgress | None = None,
    *,
    minimal: bool = True,
    searching: bool = True,
) -> Stream[Step]:
    """The steps that lead from the clues to the solution; see `bridge.explain`.

    For their levels, they need not be `minimal`: premises of a technique may be more than are needed. Without
    `searching`, the stream ends, and is not complete, where it takes all rules together.
    """

    def steps(progress: Progress) -> Iterator[Step]:
        try:
            oracle = Oracle(puzzle, Deadline(limits.seconds), own=True)
            yield from _Explainer(oracle, progress, minimal=minimal, searching=searching).steps()
            progress.complete = True
        except _TooHardError:
            pass
        except LimitError:
            progress.limit = "seconds"

    return Stream(steps, limits, on_progress)


class _TooHardError(Exception):
    """The next step takes all rules together."""


def leading_to(steps: Iterable[Step], cell: Cell) -> list[Step]:
    """The step that decides a cell, after the steps that it depends on."""
    so_far: dict[Fact, Step] = {}
    for step in steps:
        so_far |= dict.fromkeys(step.new, step)
        if any(fact.cell == cell and fact.holds for fact in step.new):
            return _resting_on(step, so_far)
    if isinstance(steps, Stream) and not steps.complete:
        raise LimitError(how_ended(steps.limit, f"before a step decided {cell_name(cell)}"))
    raise InputError(f"no step decides {cell_name(cell)}", hint="is it a clue, or open?")


def _resting_on(last: Step, so_far: dict[Fact, Step]) -> list[Step]:
    """A step after those that it depends on, each once, in their order."""
    wanted: set[Fact] = set()
    todo = [last]
    while todo:
        step = todo.pop()
        if step.fact not in wanted:
            wanted.add(step.fact)
            todo += [so_far[fact] for fact in step.facts if fact in so_far]
    return [step for fact, step in so_far.items() if fact == step.fact and fact in wanted]


@dataclass
class _Explainer(Reasoner):
    """The state of an explanation."""

    oracle: Oracle
    progress: Progress
    #: Whether premises of techniques are minimal, and whether to go on where it takes all rules together.
    minimal: bool = True
    searching: bool = True
    #: Explanations found and not given as steps yet. They stay valid: the known facts only grow.
    found: dict[Fact, Step] = field(default_factory=dict)
    #: Removals by a technique that no step has rested on yet, by each of their facts. They are not yielded before.
    pending: dict[Fact, Step] = field(default_factory=dict)
    #: The facts of the steps that were yielded.
    published: set[Fact] = field(default_factory=set)

    def steps(self) -> Iterator[Step]:
        oracle = self.oracle
        premises: list[RuleOrFact] = [*oracle.rules, *oracle.clues]
        reply = oracle.ask(premises)
        exact = oracle.possible(premises)
        if reply.satisfiable is None or exact is None:
            raise LimitError("the limit on seconds came before the first step")
        if reply.answer is None:
            raise InputError("there is no solution to explain", hint="`diagnose` says why")
        deduction = Deduction(oracle, reply.answer, exact)
        self.techniques = Techniques(oracle, reply.answer)
        while any(len(values) == 1 and cell not in deduction.placed for cell, values in deduction.exact.items()):
            self.progress.report()
            # No generator here: no question to the solver may be open while the caller has a step.
            for derived in self._with_needs(self._with_name(deduction) or self._next(deduction), deduction):
                step = replace(derived, fact=oracle.named(derived.fact), also=tuple(map(oracle.named, derived.also)))
                self.progress.statistics.counters["questions"] = oracle.calls
                yield step

    def _with_needs(self, steps: Sequence[Step], deduction: Deduction) -> list[Step]:
        """The steps after pending ones that they rest on; all their facts are known from now on."""
        ordered: list[Step] = []
        for one in steps:
            step = one if one.technique else self._completed(one, deduction)
            needs = _resting_on(step, self.pending | dict.fromkeys(step.new, step))[:-1]
            needed, before = set(step.facts), list[Step]()
            for other in reversed(needs):
                if not needed.isdisjoint(other.new):
                    before.insert(0, self._without_known(other, needed, deduction))
                    needed.update(before[0].facts)
                    self.pending = {fact: one for fact, one in self.pending.items() if one is not other}
            ordered += [*before, step]
            self.published.update(step.new)
            self._know(step, deduction)
        return ordered

    def _without_known(self, step: Step, needed: Set[Fact], deduction: Deduction) -> Step:
        """A pending step without the removals that are known when it is yielded, but those that another step rests on.

        What is left to imply may need fewer premises than all of it did.
        """
        news = [fact for fact in step.new if fact not in self.published]
        new = [fact for fact in news if fact in needed or fact.cell not in deduction.placed] or news or [*step.new]
        self.published.update(new)
        # A value that was placed since stands for the removals in its cell: those may never become steps.
        placed = (deduction.placed.get(one.cell, one) if isinstance(one, Fact) else one for one in step.premises)
        premises = self.oracle.ordered(dict.fromkeys(placed))
        if step.proved and (premises != step.premises or len(new) < len(step.new)):
            premises = self._fewest(premises, new)
        return replace(step, fact=new[0], also=tuple(new[1:]), premises=premises)

    def _completed(self, step: Step, deduction: Deduction) -> Step:
        """A step without a technique of rules: with that of words or a contradiction; and with all that it decides."""
        technique = self.techniques.of_words(step.fact, step.rules)
        if technique is None and not self.techniques.of_csp:
            technique = self.techniques.contradiction(step.fact, step.rules, step.facts)
        new = [step.fact, *step.also]
        if not self.techniques.of_csp and technique is None and step.fact.holds and not step.also:
            near = {cell for rule in step.rules for cell in self.oracle.rules[rule].cells}
            for cell in sorted(near - deduction.placed.keys() - {step.fact.cell}):
                if len(values := deduction.exact.get(cell, ())) == 1:
                    fact = Fact(cell, *values)
                    if not self.oracle.holds([*step.premises, fact.negated()]):
                        new.append(fact)
        first, *also = sorted(new)
        return replace(step, technique=technique, fact=first, also=tuple(also))

    def _know(self, step: Step, deduction: Deduction) -> None:
        for fact in step.new:
            deduction.know(fact)
        self.techniques.know(step.new)

    def _with_name(self, deduction: Deduction) -> list[Step]:
        """The next step that places a value by a technique; removals by techniques on the way are pending."""
        while named := self.techniques.next():
            step = self._as_step(named)
            if step.fact.holds:
                return [step]
            self.pending |= dict.fromkeys(step.new, step)
            self._know(step, deduction)
        return []

    def _as_step(self, named: Named) -> Step:
        """The step, with premises that are all needed."""
        fact, *also = named.facts
        rules = [one for one in named.premises if isinstance(one, str)]
        facts = [one for one in named.premises if not isinstance(one, str)]
        near = fact.holds and all(one.cell in self.oracle.rules[rule].cells for rule in rules for one in named.facts)
        by: How = "place" if named.technique.name == "hidden single" else "value" if near else "rules"
        if not self.minimal and self.pending.keys().isdisjoint(facts):
            return Step(fact, self.oracle.ordered(named.premises), by, False, named.technique, tuple(also))
        if not also:
            return replace(self._minimal(fact, rules, facts, by), technique=named.technique)
        if not self._follow(named.premises, named.facts):
            raise SolverError(f"{fact} does not follow by {named.technique.name}", hint="please report it")
        fewest = self._fewest(named.premises, named.facts)
        return Step(fact, self.oracle.ordered(fewest), by, True, named.technique, tuple(also))

    def _fewest(self, premises: Sequence[RuleOrFact], facts: Sequence[Fact]) -> tuple[RuleOrFact, ...]:
        """The premises that are left when each that the facts follow without is left out."""
        needed = tuple(premises)
        for premise in premises:
            fewer = tuple(one for one in needed if one != premise)
            if self._follow(fewer, facts):
                needed = fewer
        return needed

    def _follow(self, premises: Sequence[RuleOrFact], facts: Iterable[Fact]) -> bool:
        return not any(self.oracle.holds([*premises, fact.negated()]) for fact in facts)

    def _next(self, deduction: Deduction) -> list[Step]:
        """The next step without a name, preceded by removals that make it easier to follow."""
        if not deduction.advance():
            return [self._searched(deduction)]
        facts = [Fact(cell, next(iter(deduction.domains[cell]))) for cell in deduction.decided()]
        for explained in (self._by_value, self._by_place, self._by_all):
            if explained is self._by_all and any(fact in self.found for fact in facts):
                break  # there is an easier step
            self._explain_some(deduction, facts, explained)
        best = min((self.found[fact] for fact in facts if fact in self.found), key=length_of)
        self._forget(best.fact, deduction)
        return [best] if len(best.premises) <= LONG else self._broken_up(deduction, best)

    def _explain_some(
        self, deduction: Deduction, facts: Sequence[Fact], explained: Callable[[Deduction, Fact], Step | None]
    ) -> None:
        """Explain some of the facts in one way, until there are enough to choose from."""
        enough = sum(fact in self.found for fact in facts)
        for fact in facts:
            if enough >= WIDTH:
                break
            if fact not in self.found and (step := explained(deduction, fact)):
                self.found[fact] = step
                enough += 1

    def _forget(self, new: Fact, deduction: Deduction) -> None:
        """With a new fact, cells that share a rule with it may have shorter explanations."""
        near = {cell for name in deduction.rules_of(new.cell) for cell in self.oracle.rules[name].cells}
        self.found = {fact: step for fact, step in self.found.items() if fact.cell not in near}

    def _by_value(self, deduction: Deduction, fact: Fact) -> Step | None:
        """By the rules of the cell itself: they exclude all other values."""
        rules = deduction.rules_of(fact.cell)
        return self._tried(fact, rules, deduction.about(rules), "value")

    def _by_place(self, deduction: Deduction, fact: Fact) -> Step | None:
        """By a rule that has no other place for the value, because of the same value elsewhere."""
        rules, _ = deduction.last(fact)
        facts = dict.fromkeys(deduction.about(rules))
        same = (known for known in deduction.known if isinstance(known, Fact) and known.value == fact.value)
        return self._tried(fact, deduction.behind(fact), [*(facts | dict.fromkeys(same))], "place")

    def _by_all(self, deduction: Deduction, fact: Fact) -> Step | None:
        """By all rules that propagation used, and all known facts."""
        return self._minimal(fact, deduction.behind(fact), deduction.known, "rules")

    def _tried(self, fact: Fact, rules: Sequence[RuleOrFact], facts: Sequence[RuleOrFact], by: How) -> Step | None:
        """A minimal explanation, if these rules and facts imply the new one."""
        if self.oracle.holds([*rules, *facts, fact.negated()]):
            return None
        return self._minimal(fact, rules, facts, by)

    def _broken_up(self, deduction: Deduction, long: Step) -> list[Step]:
        """A long explanation in several steps, or unchanged where one of the steps would be longer.

        The removals that its last rule needed become steps before it, where a single rule does not imply them; and so
        on backwards.
        """
        steps: dict[Fact, Step] = {}
        self._broken_at(deduction, long.fact, steps)
        longest = max(len(step.premises) for step in steps.values())
        return list(steps.values()) if longest <= len(long.premises) else [long]

    def _broken_at(self, deduction: Deduction, fact: Fact, steps: dict[Fact, Step]) -> None:
        """Add the step to a fact by the last rules that propagation used, after the steps that they need."""
        rules, needed = deduction.last(fact)
        premises = self._minimal(fact, rules, [*needed, *deduction.known], "rules").premises
        plain: dict[RuleOrFact, None] = dict.fromkeys(rules)
        for one in premises:
            if isinstance(one, Fact) and one in needed and one not in steps:
                rule = self._at_a_glance(deduction, one)
                if rule is None:
                    self._broken_at(deduction, one, steps)
                else:
                    plain[rule] = None
        steps[fact] = self._minimal(fact, list(plain), [*steps, *deduction.known], "rules")

    def _at_a_glance(self, deduction: Deduction, removal: Fact) -> str | None:
        """A single rule that removes a candidate, with known facts about its cells, if there is one."""
        for name in deduction.rules_of(removal.cell):
            if not self.oracle.holds([name, *deduction.about([name]), removal.negated()]):
                return name
        return None

    def _searched(self, deduction: Deduction) -> Step:
        if not self.searching:
            raise _TooHardError
        decided = [Fact(cell, next(iter(values))) for cell, values in deduction.exact.items() if len(values) == 1]
        values = [fact for fact in decided if fact.cell not in deduction.placed]
        published = [fact for fact in deduction.known if fact not in self.pending]
        rules = list(self.oracle.rules)
        if self.pending and (step := self._value_by_search(self._cores(values, rules, published), rules, published)):
            return step  # it does not need the removals that were not yielded yet
        return self._by_search(values, deduction.open_candidates, rules, deduction.known)
