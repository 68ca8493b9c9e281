"""Which rules and facts of a clingo program are in question together, and what is left out.

Where clingo grounds facts and definitions that have a switch, it can no longer evaluate them; where a program has very
many facts, few of them bear on some rules. So a question begins narrow, and is widened.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import replace
from functools import cached_property
from typing import Any

from bridge.asp.reading.names import Switching
from bridge.asp.reading.outline import Signature, Statement
from bridge.errors import LimitError
from bridge.limits import UNLIMITED, Deadline, Limits
from bridge.problem.asp import NO_RULE, AspProblem
from bridge.problem.asp_oracle import ProgramOracle, StatementPremise

#: Seconds for grounding a program whose facts have switches, at least, and how often longer than without switches.
PATIENCE, FACTOR = 2.0, 10.0
#: The same where it is not known how long it takes without switches, and the question has no limit.
UNKNOWN = 60.0

#: Of so many plain facts, those that some rules depend on are found first; they serve when they are this share of all.
MANY, SHARE = 2_000, 10
#: A predicate has few facts when they are this share of all.
FEW = 100

#: The kinds of statements that forbid answer sets.
RULES = ("constraint", "choice", "theory")


class Scope:
    """Questions about some rules of a program, with as much of the program as they need."""

    def __init__(self, problem: AspProblem) -> None:
        self.problem, self._outline = problem, problem.outline

    def joint(self, rules: Iterable[StatementPremise], deadline: Deadline | None = None, *, also: Collection[str] = (),
              instances: bool = False, alone: bool = False, some: Sequence[str] | None = None, rest: bool = True,
              whole: bool = False) -> ProgramOracle:
        """Questions about some rules together with the facts and definitions that they depend on.

        gringo evaluates facts and definitions while it grounds, but not those with a switch. Where a program cannot be
        ground without that, in `FACTOR` times the time, fewer get switches: none that an aggregate needs to assign a
        variable, then only facts, then none at all. `ProgramOracle.fixed` says which have none.

        Parameters
        ----------
        rules
            Rules of another oracle of this problem.
        also
            Keys of further statements in question.
        instances
            Whether each instance of a rule is a premise.
        alone
            Leave out all that these rules and those that always hold do not depend on. Constraints that may not hold
            forbid nothing, and what has no negative cycle has an answer set: so the answers are the same.
        some, rest
            The plain facts that are in question, as clingo writes them, and whether the others hold or are left out.
        whole
            All facts and definitions are in question.
        """
        deadline = deadline or Deadline(None)
        wanted = {statement for premise in rules for statement in premise.statements}
        used, facts = self._depends_on([*wanted, *self._always, *self._asked], self._on_negative_cycles)
        if whole:
            used, facts = self._outline.statements, self._outline.given
        given = tuple(one for one in used if one.in_question and one.kind in ("fact", "definition", "disjunction"))
        rules_alone = Switching(tuple(statement.key for statement in wanted), lenient=True)
        base = self._alone(wanted, choices=True) if alone else rules_alone
        keys = {*base.only, *also}
        assigned = {signature for one in (*used, *wanted) for signature in one.assigns}
        assigning, assigned_facts = self._depends_on([], assigned)
        fewer = tuple(one for one in given if one not in assigning)
        patience = FACTOR * self.problem.grounding_seconds or deadline.share(0.75) or UNKNOWN
        facts_alone = tuple(one for one in fewer if one.kind == "fact")
        scopes = (given, facts), (fewer, facts - assigned_facts), (facts_alone, facts - assigned_facts)
        for chosen, open_ in dict.fromkeys(scopes):
            these = set(chosen)
            fixed = (*(one for one in given if one not in these), *self._plain_facts(facts - open_))
            switching = replace(base, only=tuple(sorted(keys | {statement.key for statement in chosen})),
                                definitions=True, instances=instances, facts=tuple(sorted(open_)),
                                some=None if some is None else tuple(some), rest=rest)
            limit = Deadline(deadline.within(Limits(seconds=max(PATIENCE, patience))).seconds)
            try:
                return ProgramOracle(self.problem, switching, deadline, fixed=fixed, grounding=limit)
            except LimitError:
                if deadline.expired():
                    raise
        switching = Switching(tuple(sorted(keys)) or NO_RULE, instances=instances, lenient=True, facts=())
        return ProgramOracle(self.problem, switching, deadline, fixed=(*given, *self._plain_facts(facts)))

    def near(self, rules: Iterable[StatementPremise], deadline: Deadline) -> list[str] | None:
        """Plain facts, as clingo writes them, by which rules clash that do so with all facts.

        With these facts, none of the rules has an instance that depends on others. First all facts that the rules can
        depend on are looked for; where these are many, those of some instances that clash; then what the instances
        depend on that these make possible, until there are no more.

        None where there are no many facts, where it is not known, or where these are no small part of all.
        """
        if (number := self._many_facts) is None:
            return None
        chosen = [one for premise in rules for one in premise.statements]
        seconds = max(PATIENCE, FACTOR * self.problem.grounding_seconds)
        patience = Deadline(deadline.within(Limits(seconds=seconds)).seconds)

        def demanded(of: Mapping[str, Any], near: list[str] | None = None) -> list[str] | None:
            return self._demanded(of, patience, near)

        with self.problem.backend.opened():
            try:
                found = demanded({str(one.place): None for one in chosen})
                if found and len(found) * SHARE > number:
                    instances = self._instances(chosen, patience)
                    found = demanded(instances)
                    while found and len(found) * SHARE <= number:
                        more = {*found, *(demanded(dict.fromkeys(instances, ()), found) or ())}
                        if len(more) == len(found):
                            break
                        found = sorted(more)
            except LimitError:
                return None
        return found if found and len(found) * SHARE <= number else None

    def tied(self, deadline: Deadline) -> tuple[list[Statement], list[str]] | None:
        """Rules in question whose instances few of very many facts tell, and the facts that these can depend on.

        None where there are no many facts, or no such rules, and where it is not known. Nothing is ground but what
        tells these facts.
        """
        if (number := self._many_facts) is None:
            return None
        rules = [one for one in self._outline.statements if one.in_question and one.kind in RULES]
        always = {str(one.place) for one in self._always}
        places = [*(str(one.place) for one in rules), *always]
        with self.problem.backend.opened() as host:
            try:
                limits = self.problem.backend.limited(deadline.within(UNLIMITED))
                of_tied = {*host.tied(self.problem._as_given, places, self.problem.query, number // FEW, limits=limits)}
                # Rules of one name are in question together.
                others = {one.key for one in rules if str(one.place) not in of_tied}
                chosen = [one for one in rules if one.key not in others]
                if not chosen or not always <= of_tied:
                    return None
                found = self._demanded(dict.fromkeys(str(one.place) for one in chosen), deadline)
            except LimitError:
                return None
        return (chosen, found) if found and len(found) * SHARE <= number else None

    def with_some(self, rules: Collection[Statement], some: Sequence[str], deadline: Deadline) -> ProgramOracle:
        """Questions about some rules, with some of the plain facts, and what the rules depend on.

        The rules depend on no other facts.
        """
        return ProgramOracle(self.problem, self._alone(rules, choices=True, some=tuple(some), rest=False), deadline)

    @property
    def shown_lines(self) -> list[str]:
        """Statements by which the atoms of further rules are not shown; of a program with `#show` there are none."""
        if self._outline.shown is not None:
            return []
        heads = (one.heads for one in (*self._outline.statements, *self._asked))
        return [f"#show {name}/{arity}." for name, arity in sorted(self._outline.given.union(*heads))] or ["#show."]

    @cached_property
    def _asked(self) -> tuple[Statement, ...]:
        """The statements of the query."""
        if not self.problem.query:
            return ()
        with self.problem.backend.opened() as host:
            return tuple(host.outline([("text", self.problem.query)]).every())

    @property
    def _many_facts(self) -> int | None:
        """The number of plain facts, where those that rules depend on are looked for first."""
        number = sum(map(len, self._outline.facts))
        return None if number < MANY or self.problem.steps is not None or self.problem.theory is not None else number

    def _demanded(self, of: Mapping[str, Any], deadline: Deadline, near: list[str] | None = None) -> list[str] | None:
        """The plain facts that rules can depend on, and those that always hold; see `demand.demanded`."""
        limits = self.problem.backend.limited(deadline.within(UNLIMITED))
        roots = {**of, **{str(one.place): None for one in self._always}}
        whole = sorted(self._on_negative_cycles)
        with self.problem.backend.opened() as host:
            return host.demanded(self.problem._as_given, roots, whole, self.problem.query, near, limits=limits)

    def _instances(self, rules: Collection[Statement], deadline: Deadline) -> dict[str, list[Any]]:
        """Instances of some rules that clash: of each rule, by its place, the values of their variables.

        Raises
        ------
        LimitError
            When a limit comes before they are known.
        """
        known = {str(one.place): one.variables for one in rules}
        instances: dict[str, list[Any]] = {place: [] for place in known}
        limits = self.problem.backend.limited(deadline.within(UNLIMITED))
        with self.problem.program(self._alone(rules, instances=True), limits) as program:
            for place, values in program.inside(limits).clashing_switches(limits.seconds):
                instances[place].append(list(zip(known[place], values, strict=False)))
        return instances

    def _alone(self, rules: Collection[Statement], choices: bool = False, **more: Any) -> Switching:
        """Some rules in question, and the choices that they depend on; what they do not depend on is left out."""
        roots = {*rules, *self._always}
        used, stated = self._depends_on([*roots, *self._asked], self._on_negative_cycles)
        left = {*roots, *used}
        only = {one.key for one in rules} | {one.key for one in left if choices and one.kind == "choice"}
        away = tuple(str(one.place) for one in self._outline.statements if one not in left)
        return Switching(tuple(only), lenient=True, dropped=away, facts=(), stated=tuple(sorted(stated)), **more)

    @property
    def _always(self) -> set[Statement]:
        """The constraints and choices that are never in question."""
        return {one for one in self._outline.statements if one.kind in RULES and not one.in_question}

    def _plain_facts(self, signatures: Set[Signature]) -> list[Statement]:
        return [facts.statement(number) for facts in self._outline.facts for number in facts.of(signatures)]

    @cached_property
    def _defining(self) -> dict[Signature, list[Statement]]:
        found: dict[Signature, list[Statement]] = {}
        for statement in (*self._outline.statements, *self._outline.externals):
            for head in statement.heads:
                found.setdefault(head, []).append(statement)
        return found

    @cached_property
    def _on_negative_cycles(self) -> frozenset[Signature]:
        """The predicates that depend on themselves through negation.

        `bad :- p, not bad.` is a constraint by that, and contradicts rules that it shares no predicate with.
        """
        found = set[Signature]()
        for statement in self._outline.statements:
            if statement.kind != "choice" and statement.negative:
                used = {head for one in self._depends_on((), statement.negative)[0] for head in one.heads}
                found |= statement.heads & (used | statement.negative)
        # An atom and its classical negation contradict each other by themselves.
        for name, arity in {*self._defining, *self._outline.given}:
            if (f"-{name}", arity) in self._defining:
                found |= {(name, arity), (f"-{name}", arity)}
        return frozenset(found)

    def _depends_on(self, statements: Iterable[Statement],
                    signatures: Iterable[Signature] = ()) -> tuple[tuple[Statement, ...], frozenset[Signature]]:
        """The statements that define the predicates which some statements use, and what these use, and so on.

        And the predicates among these that have plain facts.
        """
        found: dict[Statement, None] = {}
        waiting, seen = [*signatures, *(one for statement in statements for one in statement.uses)], set[Signature]()
        while waiting:
            signature = waiting.pop()
            if signature in seen:
                continue
            seen.add(signature)
            for statement in self._defining.get(signature, ()):
                found[statement] = None
                # Of a disjunction, an atom is made true or not by what makes the others true.
                waiting += statement.body | (statement.heads if statement.kind == "disjunction" else frozenset())
        known = tuple(statement for statement in self._outline.statements if statement in found)
        return known, self._outline.given & seen
