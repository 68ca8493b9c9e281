"""Unit propagation in a ground program, with a reason for each literal.

The clauses are those of the completion (K. Clark, *Negation as failure*, 1978): the body of a rule implies its head,
and an atom that holds has a body that holds. A sum is propagated in both directions. So what follows holds in each
answer set; circular support is not looked for.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from bridge.asp.ground_rules import GroundRules


class Propagation:
    """The literals that follow so far, in their order (`trail`), each with those by which it does (`reasons`)."""

    def __init__(self, ground: GroundRules) -> None:
        self.trail: list[int] = []
        self.reasons: dict[int, Sequence[int]] = {}
        self._clauses: defaultdict[int, list[Sequence[int]]] = defaultdict(list)  # by the literals that shorten them
        self._sums: defaultdict[int, list[tuple[int, int, Sequence[tuple[int, int]]]]] = defaultdict(list)
        self._bodies: dict[tuple[int, ...], int] = {}
        self._next, self._done = 1, 0
        literals = [one for _, head, body in ground.rules for one in (*head, *body)]
        literals += [one for _, head, _, body in ground.sums for one in (*head, *(literal for literal, _ in body))]
        self._next += max(map(abs, [*literals, *(literal for literal, _ in ground.atoms)]), default=0)
        self._units = list[int]()
        support: dict[int, list[int]] = {abs(one): [] for one in literals}
        rules = [(choice, head, self._body(body) if head else body) for choice, head, body in ground.rules]
        rules += [(choice, head, self._sum(least, body)) for choice, head, least, body in ground.sums]
        for choice, head, body in rules:
            for atom in head:
                support[atom].append(body)  # type: ignore[arg-type]  # where it has a head, a body is a literal
            if not choice:
                self._clause([*head, *(-one for one in ((body,) if isinstance(body, int) else body))])
        for atom, bodies in support.items():
            if atom not in bodies:
                self._clause([-atom, *bodies])
        for one in self._units:
            self.assume(one)

    def _new(self) -> int:
        self._next += 1
        return self._next - 1

    def _body(self, body: tuple[int, ...]) -> int:
        """The literal that a conjunction is equivalent to."""
        if len(body) == 1:
            return body[0]
        if (known := self._bodies.get(body)) is None:
            known = self._bodies[body] = self._new()
            self._clause([known, *(-one for one in body)])
            for one in body:
                self._clause([-known, one])
        return known

    def _sum(self, least: int, body: Sequence[tuple[int, int]]) -> int:
        """The literal that a sum's reaching its bound is equivalent to."""
        literal = self._new()
        entry = literal, least, tuple(body)
        for one in (literal, *(of for of, _ in body)):
            self._sums[one].append(entry)
            self._sums[-one].append(entry)
        if least <= 0:
            self._clause([literal])
        elif sum(weight for _, weight in body) < least:
            self._clause([-literal])
        return literal

    def _clause(self, literals: Iterable[int]) -> None:
        clause = list(dict.fromkeys(literals))
        if any(-one in clause for one in clause):
            return
        for one in clause:
            self._clauses[-one].append(clause)
        if len(clause) == 1:
            self._units += clause

    def assume(self, literal: int, reason: Sequence[int] = ()) -> Sequence[int] | None:
        """Take a literal to hold; literals that hold and cannot all hold, where its negation is known."""
        if -literal in self.reasons:
            return [*reason, -literal]
        if literal not in self.reasons:
            self.reasons[literal] = reason
            self.trail.append(literal)
        return None

    def propagate(self) -> Sequence[int] | None:
        """All that follows; or literals that hold and cannot all hold."""
        while self._done < len(self.trail):
            literal = self.trail[self._done]
            self._done += 1
            for clause in self._clauses[literal]:
                left = [one for one in clause if -one not in self.reasons]
                if len(left) > 1 or (left and left[0] in self.reasons):
                    continue
                if not left:
                    return [-one for one in clause]
                self.assume(left[0], [-one for one in clause if one != left[0]])
            for entry in self._sums[literal]:
                if (conflict := self._propagate_sum(*entry)) is not None:
                    return conflict
        return None

    def _propagate_sum(self, reached: int, least: int, body: Sequence[tuple[int, int]]) -> Sequence[int] | None:
        true = [(one, weight) for one, weight in body if one in self.reasons]
        false = [-one for one, _ in body if -one in self.reasons]
        has = sum(weight for _, weight in true)
        may = sum(weight for one, weight in body if -one not in self.reasons)
        whole = [one for one, _ in true]
        if has >= least:
            return self.assume(reached, whole)
        if may < least:
            return self.assume(-reached, false)
        for one, weight in body:
            if one not in self.reasons and -one not in self.reasons:
                if reached in self.reasons and may - weight < least:
                    self.assume(one, [reached, *false])
                elif -reached in self.reasons and has + weight >= least:
                    self.assume(-one, [-reached, *whole])
        return None

    def back(self, length: int) -> None:
        """Forget all but the first literals of the trail."""
        for one in self.trail[length:]:
            del self.reasons[one]
        del self.trail[length:]
        self._done = min(self._done, length)
