"""The operators by which programs of both languages are changed, each with its price.

An **operator** is a sort of change. Its name begins with its kind (`bridge.asp.reading.text.Kind`); its **price** says
how unlikely such a change is: 1 for a slip of the pen, 2 and more for a literal or a rule that is new.
`python -m benchmarks.debug --prices` prints how often each one makes a repair, beside its price.

`Editing` has what is the same in both languages; `bridge.debugging.edits` and `bridge.debugging.goal_edits` know where
the parts of a statement stand, and what only one of the languages has. Forms of whole constraints, rules and goals
have their prices beside them: `bridge.debugging.schemas` and `bridge.debugging.goal_forms`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations
from typing import ClassVar, Literal

from bridge.asp.reading import Change, Span

#: By kind, for each operator its price in clingo, and in Prolog; one number where only one of the languages has it.
#: It is 0 where forms have prices of their own.
_PRICES: dict[str, dict[str, tuple[float, float] | float]] = {
    "rule": {
        "left out": (2.0, 1.8), "a constraint left out": 0.8, "a constraint": 0.0, "a closure": 0.0, "inertia": 2.3,
        "inertia without exception": 2.6,
    },
    "literal": {
        "left out": (1.0, 1.0), "the only one left out": (1.0, 1.2), "a computed value left out": 1.5,
        "a cut left out": 1.1, "an else branch": 1.2, "the recursive goal": 1.5,
    },
    "negation": {"left out": (1.0, 1.0), "added": (1.2, 1.3)},
    "bound": {
        "left out": 1.0, "one more or less": (1.0, 1.0), "another end": (1.2, 1.2), "another": (1.1, 1.2),
        "the number that a column lacks": 0.5, "a number of the program": 1.4, "a small number": 1.6,
        "a number of the goals": 2.0, "a usual number": 2.2, "the same on the other side": 0.9,
        "of an aggregate": 1.4, "one of a choice": 1.2, "of a choice": 1.5,
    },
    "aggregate": {"a term left out": 1.1, "another function": 1.3, "a term more": 1.1, "a longer tuple": 1.3},
    "operator": {
        "its neighbour": (1.0, 1.0), "the contrary": (1.0, 1.8), "another": (1.3, 1.0), "evaluated": 1.1,
        "another function": 1.2, "another arrow": 1.5, "of a bound": 1.0, "of a bound, that it is not": 1.3,
    },
    "term": {
        "another sign": (1.0, 1.1), "a product": (1.4, 1.1), "a remainder": 1.2, "the left operand": (1.1, 1.1),
        "the right operand": (1.4, 1.3), "without its sign": 1.1, "one more or less": (1.3, 1.1), "a sum": (1.2, 1.2),
        "next number": 1.0, "a known constant": (1.1, 1.2), "a value for a variable": (1.6, 1.5),
        "a variable for a constant": (1.5, 1.3), "a weight of the other sign": 1.2, "another weight": 1.3,
        "the next priority": 0.8, "another base case": 1.5, "a terminal": 1.0, "quantified": 1.1,
        "the other separator": 1.0, "another list": 0.0, "a constant everywhere": 0.9,
    },
    "variable": {
        "another": (1.0, 1.0), "of another sort": 1.4, "anonymous": (1.4, 1.4), "a new one": (1.5, 1.6),
    },
    "swap": {
        "neighbours": (1.0, 1.0), "apart": (1.2, 1.2), "operands": (1.2, 1.1), "goals": 1.2,
        "goals of two branches": 1.5,
    },
    "predicate": {
        "none, to one named alike": (0.8, 0.8), "none, to another": (0.8, 1.0), "one named alike": (1.1, 1.2),
        "another": (1.6, 1.5), "of the library": 2.0, "with more arguments": 1.4, "an argument less": 1.4,
        "an argument more": 1.7, "everywhere": 1.0,
    },
    "dot": {"added": 0.7},
    "guard": {
        "an atom": 1.8, "not an atom": 1.9, "two differ": 1.5, "two of other sorts differ": 2.1, "twins differ": 0.9,
        "a comparison once more": 1.6, "a form": 0.0, "a call of the library": 1.6, "the recursive goal": 1.5,
        "a goal of the program": 1.7, "a predicate for lists": 1.6, "a call": 1.6, "a call that starts it": 1.6,
        "a cut": 1.7, "a cut after a test": 1.3, "a number added to a side": 1.6, "for all": 0.9,
        "a contrary test": 1.0, "two arguments differ": 1.1, "a literal once more": 0.9,
    },
    "choice": {
        "of a derived atom": 1.6, "of a derived atom over a set": 1.9, "over another set": 1.3, "a form": 0.0,
    },
    "variant": {"a rule": 1.1},
    "clause": {
        "once more with a swap": 1.0, "a base case": 1.9, "passes over an element": 1.8,
        "passes over an element after a cut": 1.0, "ends a recursion": 1.9, "once more without a goal": 2.0,
    },
    "definition": {"a form": 0.0, "another predicate": 2.2},
    "base": {"a form": 0.0},
    "objective": {"a form": 0.0},
    "table": {"a directive": 0.9},
    "syntax": {"made readable": 0.5},
}  # fmt: skip

#: The prices by the whole names of operators.
PRICES = {f"{kind}: {name}": each for kind, some in _PRICES.items() for name, each in some.items()}

#: That two variables differ, by which alone two atoms of a body do: what nearly everybody forgets once.
TWINS = "guard: twins differ"

#: What is added to the price of a change.
MORE = {
    "in the head": 0.4,
    "the only call": 0.6,
    "in several places": 0.3,
    "inside": 0.2,  # of a condition or an aggregate
    "less": 0.1,  # that one is less than another, and not only different; more for the other order, and for the same
    "hole": 0.1,  # for each argument that may be anything; in a negated atom twice
    "unread": -0.3,  # nothing reads the predicate so far
    "known": 0.2,  # one variable of a call is no new one; clauses have the call already
    "no result": 0.2,  # a call of the library does not make what stands in the head
    "another order": 0.2,
    "open": 0.4,  # for each atom of a choice with an argument that may be anything
    "place": 0.1,  # for each place of a goal before it
}


class Editing(ABC):
    """Parts of a text, by their spans, in place of others; and what a language calls its operators."""

    language: ClassVar[Literal["lp", "pl"]]
    comparisons: ClassVar[Sequence[Sequence[str]]]  #: Those of each group stand for each other.
    neighbours: ClassVar[Mapping[str, str]]  #: What people confuse a comparison with first.
    contrary: ClassVar[Mapping[str, str]]  #: Of what is equal, what holds of all else; and the other way round.
    signs: ClassVar[Sequence[str]]  #: Of arithmetic.

    @abstractmethod
    def of(self, span: Span) -> str:
        """The text of a part."""

    def change(self, operator: str, begin: int, end: int, by: str, more: float = 0.0) -> Change:
        """A change at its price, and something more."""
        return Change(operator, begin, end, by, price(operator, self.language) + more)

    def instead(self, operator: str, span: Span, *others: str, more: float = 0.0) -> Iterator[Change]:
        """Each of some texts in place of the one there."""
        now = self.of(span)
        return (self.change(operator, *span, other, more) for other in others if other != now)

    def swapped(self, operator: str, one: Span, other: Span) -> Iterator[Change]:
        """Two parts exchanged."""
        between = self.of((one[1], other[0]))
        return self.instead(operator, (one[0], other[1]), f"{self.of(other)}{between}{self.of(one)}")

    def swaps(self, arguments: Sequence[Span]) -> Iterator[Change]:
        """Each two of some arguments exchanged."""
        for (first, one), (second, other) in combinations(enumerate(arguments), 2):
            yield from self.swapped("swap: neighbours" if second == first + 1 else "swap: apart", one, other)

    def joined(self, operator: str, parts: Sequence[tuple[int, int, str]]) -> Change:
        """One change of several parts, in their order."""
        new, at = "", parts[0][0]
        for begin, end, by in parts:
            new += self.of((at, begin)) + by
            at = end
        return self.change(operator, parts[0][0], at, new)

    def each_dropped(self, operator: str, spans: Sequence[Span]) -> Iterator[Change]:
        """Each of several parts in their order left out, with the separator that goes with it."""
        for number, (begin, end) in enumerate(spans if len(spans) > 1 else ()):
            last = number + 1 == len(spans)
            yield self.change(operator, *((spans[number - 1][1], end) if last else (begin, spans[number + 1][0])), "")

    def compared(self, operator: Span, near: bool | None = None) -> Iterator[Change]:
        """Another comparison; `near`: the one that is its neighbour, or all but this one."""
        now = self.of(operator)
        for other in dict.fromkeys(one for group in self.comparisons if now in group for one in group):
            is_next = self.neighbours.get(now) == other
            if near in (None, is_next):
                sort = "the contrary" if self.contrary.get(now) == other else "its neighbour" if is_next else "another"
                yield from self.instead(f"operator: {sort}", operator, other)

    def other_signs(self, span: Span) -> Iterator[Change]:
        """Another sign of arithmetic."""
        for other in self.signs:
            yield from self.instead("term: a product" if other == "*" else "term: another sign", span, other)

    def calculated(self, whole: Span, left: Span, right: Span) -> Iterator[Change]:
        """Another sign between two operands, one of them alone, or both exchanged."""
        between = left[1], right[0]
        sign, operands = self.of(between), (self.of(left), self.of(right))
        now = sign.strip(" ()\n")
        at = left[1] + sign.index(now)
        yield from self.other_signs((at, at + len(now)))
        yield from self.instead("term: the left operand", whole, operands[0])
        yield from self.instead("term: the right operand", whole, operands[1])
        yield from self.instead("swap: operands", whole, f"{operands[1]}{sign.strip('()')}{operands[0]}")

    def named(self, span: Span, other: str, known: bool, near: bool, more: float = 0.0) -> Iterator[Change]:
        """Another predicate, whether the one there is `known`, and both are alike."""
        sort = f"{'' if known else 'none, to '}{'one named alike' if near else 'another'}"
        return self.instead(f"predicate: {sort}", span, other, more=more)


def price(operator: str, language: str = "lp") -> float:
    """What an operator costs in a language."""
    found = PRICES[operator]
    return found if isinstance(found, float) else found[language == "pl"]


def numbers_near(number: str) -> list[str]:
    """The numbers next to one, none of them negative."""
    return [str(near) for near in (int(number) + 1, int(number) - 1) if near >= 0]


def fresh(names: Collection[str], *letters: str) -> str:
    """The first name of a letter and a number that is not among some names: V1, W1, V2."""
    return next(new for number in range(1, 999) for one in letters if (new := f"{one}{number}") not in names)


def alike(one: str, other: str) -> bool:
    """Whether two names are nearly the same."""
    from difflib import SequenceMatcher

    one, other = one.lower(), other.lower()
    return one.startswith(other) or other.startswith(one) or SequenceMatcher(None, one, other).ratio() > 0.6
