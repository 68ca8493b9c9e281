"""A clash as a chain that people read from top to bottom: what follows from its facts and rules, and what forbids that.

The clash is ground with each instance of a rule as a premise, and the chain is what unit propagation finds in that.
Where this ends before a contradiction, an atom is supposed, and what contradicts it is a step of the chain.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from bridge.analysis.cores import Clash
from bridge.analysis.propagation import Propagation
from bridge.asp.decode import written
from bridge.asp.types import SWITCH
from bridge.common.english import listed
from bridge.limits import Deadline
from bridge.problem.asp_oracle import PLAIN, ProgramOracle, StatementPremise

#: Steps that are shown; a chain of more than twice as many is none. Rules of a ground program, at most.
STEPS, MOST = 9, 20_000

#: Of what follows from an atom that is supposed, so much is shown.
SHOWN = 4


@dataclass
class _Step:
    """What follows: the literals and premises that it needs, and what a supposition led to."""

    literal: int
    needs: list[int]
    rules: list[StatementPremise]
    then: Sequence[int] = ()
    against: str = ""


def chain(oracle: ProgramOracle, clash: Clash[StatementPremise], deadline: Deadline) -> tuple[str, ...]:
    """The chain in lines; none where propagation and suppositions find no contradiction, or only in many steps."""
    ground = oracle.ground_rules()
    if len(ground.rules) + len(ground.sums) > MOST or {"theory atoms", "#edge"}.intersection(ground.others):
        return ()
    statements = {of for one in clash.rules for of in one.statements}
    held = [one for one in oracle.premises if one.is_fact or one.statement in statements]
    keyed = {one.key: one for one in held if one.key != PLAIN}
    plain = {one.name.removesuffix(".") for one in held if one.key == PLAIN}
    names = {literal: written(atom) for literal, atom in ground.atoms if atom[0] != SWITCH}
    switches = {literal: keyed[atom[1]] for literal, atom in ground.atoms if atom[0] == SWITCH and atom[1] in keyed}
    found = _Chain(Propagation(ground), names, switches)
    order = {"constraint": 2, "choice": 1}
    given = [literal for literal, name in names.items() if name in plain]
    for literal in [*given, *sorted(switches, key=lambda one: (order.get(switches[one].kind, 0), switches[one]))]:
        if found.follow(literal):
            break
    else:
        found.suppose(deadline)
    return tuple(found.lines())


class _Chain:
    def __init__(self, known: Propagation, names: Mapping[int, str], switches: Mapping[int, StatementPremise]) -> None:
        self.known, self.names, self.switches = known, names, switches
        self.supposed: dict[int, _Step] = {}
        self.conflict: Sequence[int] | None = known.propagate()

    def follow(self, literal: int) -> bool:
        """Take a literal to hold; whether that is a contradiction."""
        if (known := self.known.assume(literal)) is not None:
            self.conflict = [*known, literal]
        self.conflict = self.conflict or self.known.propagate()
        return self.conflict is not None

    def suppose(self, deadline: Deadline) -> None:
        """Suppose atoms, one after the other, until there is a contradiction without; then leave out what is idle."""
        self.start = len(self.known.trail)
        while self.conflict is None:
            failing = list[_Step]()
            for atom in self.names:
                for literal in (atom, -atom):
                    if deadline.expired():
                        return
                    if abs(literal) not in map(abs, (step.literal for step in failing)) and self._open(literal):
                        failing += filter(None, [self._contradicted(literal)])
            if not failing:
                return
            self._replay([*self.supposed, *(one.literal for one in sorted(failing, key=lambda one: len(one.then)))])
        chosen = list(self.supposed)
        for one in reversed(chosen):
            fewer = [other for other in chosen if other != one]
            if not deadline.expired() and self._replay(fewer):
                chosen = list(self.supposed)
        self._replay(chosen)

    def _replay(self, literals: Sequence[int]) -> bool:
        """From the beginning again, by these suppositions; whether they lead to a contradiction."""
        self.known.back(self.start)
        self.supposed, self.conflict = {}, None
        for one in literals:
            if self._open(one) and (step := self._contradicted(-one)) is not None:
                self.supposed[one] = step
                if self.follow(one):
                    return True
        return False

    def _open(self, literal: int) -> bool:
        return literal not in self.known.reasons and -literal not in self.known.reasons

    def _contradicted(self, literal: int) -> _Step | None:
        before = len(self.known.trail)
        self.known.assume(literal)
        conflict = self.known.propagate()
        step: _Step | None = None
        if conflict is not None:
            new = set(self.known.trail[before:])
            waiting, _ = self._roots(conflict)
            seen, rules = dict[int, None](), dict[StatementPremise, None]()
            while waiting:
                one = waiting.pop()
                if one in new and one not in seen and one != literal:
                    more, by = self._roots(self.known.reasons[one])
                    waiting += more
                    rules.update(dict.fromkeys(by))
                seen[one] = None
            needs = [one for one in seen if one not in new]
            then = [one for one in seen if one in new and one != literal]
            against = self._end(conflict, "that")
            step = _Step(-literal, self._in_order(needs), list(rules), self._in_order(then), against)
        self.known.back(before)
        return step

    def _in_order(self, literals: Iterable[int]) -> list[int]:
        place = {one: number for number, one in enumerate(self.known.trail)}
        return sorted(literals, key=lambda one: place.get(one, len(place)))  # last, what was taken to hold in vain

    def _roots(self, literals: Iterable[int]) -> tuple[list[int], list[StatementPremise]]:
        """The named literals and the premises that some literals come down to."""
        waiting, seen = list(literals), dict[int, None]()
        while waiting:
            one = waiting.pop()
            if one in seen:
                continue
            seen[one] = None
            if abs(one) not in self.names and one not in self.switches:
                waiting += self.known.reasons[one]
        premises = dict.fromkeys(self.switches[one] for one in seen if one in self.switches)
        return self._in_order(one for one in seen if abs(one) in self.names), list(premises)

    def lines(self) -> Iterator[str]:
        """The chain; nothing where there is no contradiction, or where it says no more than the clash."""
        if self.conflict is None:
            return
        last, _ = self._roots(self.conflict)
        steps: dict[int, _Step] = {}
        waiting = list(last)
        while waiting:
            one = waiting.pop()
            if one not in steps:
                steps[one] = self.supposed.get(one) or _Step(one, *self._roots(self.known.reasons.get(one, ())))
                waiting += steps[one].needs
        found = [steps[one] for one in self.known.trail if one in steps]
        shown = [one for one in found if one.needs or one.against or any(not of.is_fact for of in one.rules)]
        if not any(one.needs or one.against for one in shown) or sum(bool(one.against) for one in shown) > STEPS:
            return
        sentences = list(self._sentences(shown))
        if len(sentences) > STEPS:
            yield f"  ... {len(sentences) - STEPS} steps before"
        yield from (f"  {one}" for one in sentences[-STEPS:])
        yield f"  but {self._end(self.conflict, self._text(last))}"

    def _sentences(self, steps: Sequence[_Step]) -> Iterator[str]:
        """The steps in words, those for the same reasons together."""
        for _, same in groupby(steps, lambda one: id(one) if one.against else (one.needs, _at(one.rules))):
            some = list(same)
            so, step = self._text(one.literal for one in some), some[0]
            needs, rules = step.needs, step.rules
            if not step.against:
                yield f"{f'{self._text(needs)}: so ' if needs else ''}{so}{_at(rules)}"
                continue
            then = self._text(step.then[:SHOWN]) + (" and so on" if len(step.then) > SHOWN else "")
            then = f"{then}{_at(rules)}, and " if step.then else ""
            yield f"with {self._text([-step.literal])}: {then}{step.against}; so {so}"

    def _end(self, conflict: Sequence[int], what: str) -> str:
        """What a contradiction is to: a constraint, the bounds of a choice, or that an atom needs a rule."""
        named, against = self._roots(conflict)
        places = listed(list(dict.fromkeys(one.where for one in against)))
        if against:
            bounds = all(one.kind == "choice" for one in against)
            return f"the bounds of {places} forbid {what}" if bounds else f"{places} forbids {what}"
        atom, others = conflict[0], [one for one in named if one != conflict[0]]
        if atom not in self.names:
            return f"the rules forbid {self._text(named)}"
        # A clause of the completion begins with its atom.
        return f"nothing derives {self._text([atom])}{f' with {self._text(others)}' if others else ''}"

    def _text(self, literals: Iterable[int]) -> str:
        named = [self.names[one] if one > 0 else f"not {self.names[-one]}" for one in literals]
        return listed(list(dict.fromkeys(named))) or "this"


def _at(rules: Sequence[StatementPremise]) -> str:
    places = list(dict.fromkeys(one.where for one in rules))
    return f" ({listed(places)})" if places else ""
