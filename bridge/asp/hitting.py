"""Smallest sets that hit every one of some sets, found as the sets come in.

- A set **hits** another when they have an element in common.
- The **implicit hitting set** scheme (E. Moreno-Centeno, R. Karp 2013; for cores A. Ignatiev, A. Previti, M. Liffiton,
  J. Marques-Silva, *Smallest MUS extraction with minimal hitting set dualization*, 2015): propose a smallest set that
  hits all that is known; the caller accepts it, or adds a set that it missed.

Sizes are tried from 0 upwards, each as an assumption: a proposal is always a smallest one, and `size` is a proved lower
bound at any time.

    >>> sets = HittingSets("abc")
    >>> sets.require("ab"), sets.require("bc")
    (None, None)
    >>> sets.propose()
    ('b',)
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Generic, TypeVar

from bridge.asp.program import Program
from bridge.common.english import how_ended
from bridge.errors import LimitError
from bridge.limits import UNLIMITED, Deadline, Limits

T = TypeVar("T", bound=Hashable)

_PROGRAM = """
{ in(0..last) }.
#show in/1.
#program size(k).
{ at_most(k) }.
:- at_most(k), k + 1 { in(0..last) }.
"""


class HittingSets(Generic[T]):
    """Smallest subsets of some elements that satisfy all clauses given so far.

    A proposal has its elements in the order in which they were given; others come after them, with the first clause
    that they are in. No set of fewer than `size` elements satisfies the clauses.
    """

    def __init__(self, elements: Iterable[T]) -> None:
        self._number = {element: n for n, element in enumerate(dict.fromkeys(elements))}
        self._clauses: list[str] = []
        self.size = 0
        self._begin()

    def _begin(self) -> None:
        self._program = Program(_PROGRAM, isolated=False, last=len(self._number) - 1)
        self._elements, self._added, self._sizes = list(self._number), 0, 0

    def require(self, some: Iterable[T], unless_missing: Iterable[T] = ()) -> None:
        """Ask for an element of `some`; or for the absence of one of `unless_missing`, where these are given."""
        number = len(self._clauses)
        # By conditions: gringo takes quadratic time for a body of very many literals.
        absent = [f"absent({number},{self._known(element)})." for element in some]
        present = [f"present({number},{self._known(element)})." for element in unless_missing]
        clause = f":- not in(E) : absent({number},E); in(E) : present({number},E)."
        self._clauses.append("\n".join([*absent, *present, clause]))
        if not present:
            self.size = max(self.size, 1)

    def _known(self, element: T) -> int:
        return self._number.setdefault(element, len(self._number))

    def forbid(self, these: Iterable[T]) -> None:
        """Ask for the absence of one of these, so that neither this set nor a larger one is proposed again."""
        self.require((), these)

    def propose(self, most: int | None = None, limits: Limits = UNLIMITED) -> tuple[T, ...] | None:
        """A smallest set that satisfies all clauses; None when there is none, or none of at most so many elements.

        A LimitError where a limit comes first; `size` is still a lower bound.
        """
        if len(self._elements) != len(self._number):
            self._begin()
        while self._added < len(self._clauses):
            part = f"clause{self._added}"
            self._program.add(self._clauses[self._added], part)
            self._program.ground((part,))
            self._added += 1
        most = len(self._elements) if most is None else min(most, len(self._elements))
        deadline = Deadline(limits.seconds)  # of all sizes together
        while self.size <= most:
            while self._sizes <= self.size:
                self._program.ground(("size", self._sizes))
                self._sizes += 1
            solved = self._program.solve(assuming=[f"at_most({self.size})"], limits=deadline.within(UNLIMITED))
            if solved.satisfiable is None:
                raise LimitError(how_ended(solved.limit, "before a smallest set was found"))
            if solved.model is not None:
                return tuple(self._elements[number] for (number,) in sorted(solved.model["in"]))
            self.size += 1
        return None
