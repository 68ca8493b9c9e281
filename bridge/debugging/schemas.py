"""Statements that a program may lack: schemas, with predicates of the program in place of their letters.

A letter with arguments stands for a predicate: in `Q(X), not P(X)` P is one that answers consist of, and Q another one
that is given or derived. What is written are some arguments of it, wherever they stand; the others are `_`. A variable
of two columns has values of both, so they have to be of one sort (`reading.context.Context`). N is a number, K a
constant, a and b are values of their columns.

    >>> from bridge.asp.reading.text import Text
    >>> context = Context.of(Text("{ in(X) : node(X) }. :- in(X), in(Y), edge(X,Y). node(X) :- edge(X,_)."))
    >>> [rule for rule, _, _ in constraints(context, [("in", 1)])][:2]
    ['node(X), not in(X)', 'in(X), not node(X)']
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, permutations, product
from typing import NamedTuple

from bridge.asp.reading import Column, Context, Signature
from bridge.debugging.edits import atom_text
from bridge.debugging.operators import MORE, price

_ATOM = re.compile(r"\b([A-Z])\(([^()]*)\)")
#: An atom with arguments that may be anything.
_OPEN = re.compile(r"\([^()]*\b_\b[^()]*\)")

#: Predicates that a letter may stand for.
Letters = Mapping[str, Iterable[Signature]]


class Schema(NamedTuple):
    """A schema."""

    text: str
    cost: float  #: How unlikely it is.
    ordered: str = ""  #: Letters of which the arguments stand in this order.
    exact: str = ""  #: Letters of which there are no other arguments.

    def filled(
        self,
        context: Context,
        letters: Letters,
        apart: bool = True,
        sorts: bool = True,
        constants: Sequence[str] | None = None,
    ) -> Iterator[str]:
        """The statements of this form; `apart`: different letters for different predicates; `sorts`: as above."""
        shapes: dict[str, list[list[str]]] = {}
        for found in _ATOM.finditer(self.text):
            shapes.setdefault(found[1], []).append(found[2].split(","))

        def fill(waiting: Sequence[str], chosen: dict[str, tuple[Signature, Sequence[int]]]) -> Iterator[str]:
            if not waiting:
                yield from self._written(context, context.constants if constants is None else constants, chosen)
                return
            width = len(shapes[waiting[0]][0])
            for signature in letters[waiting[0]]:
                if apart and any(signature == other for other, _ in chosen.values()):
                    continue
                exact = waiting[0] in self.exact and signature[1] != width
                orders = combinations if waiting[0] in self.ordered else permutations
                for places in orders(range(0 if exact else signature[1]), width):
                    more = {**chosen, waiting[0]: (signature, places)}
                    if not sorts or _is_sorted(shapes, more, context):
                        yield from fill(waiting[1:], more)

        return fill(list(shapes), {})

    def _written(
        self, context: Context, constants: Sequence[str], chosen: Mapping[str, tuple[Signature, Sequence[int]]]
    ) -> Iterator[str]:
        values: dict[str, list[str]] = {}

        def atom(found: re.Match[str]) -> str:
            signature, places = chosen[found[1]]
            arguments = dict(zip(places, found[2].split(","), strict=True))
            for place, one in arguments.items():
                if one.islower():
                    values[one] = context.alike_values((*signature, place))
                    arguments[place] = f"{{{one}}}"
            return atom_text(*signature, arguments)

        text = _ATOM.sub(atom, self.text)
        texts = [re.sub(r"\bK\b", one, text) for one in constants] if re.search(r"\bK\b", text) else [text]
        for text, some in product(texts, product(*values.values()) if values else [()]):
            yield text.format(**dict(zip(values, some, strict=True))) if values else text


def _is_sorted(
    shapes: Mapping[str, Sequence[Sequence[str]]],
    chosen: Mapping[str, tuple[Signature, Sequence[int]]],
    context: Context,
) -> bool:
    """Whether all columns of each variable are of one sort."""
    columns: dict[str, list[Column]] = {}
    for letter, (signature, places) in chosen.items():
        for arguments in shapes[letter]:
            for variable, place in zip(arguments, places, strict=True):
                columns.setdefault(variable, []).append((*signature, place))
    columns.pop("_", None)
    numbers = columns.pop("N", [])
    return all(map(context.is_numeric, numbers)) and all(
        context.alike(some[0], one) for some in columns.values() for one in some[1:]
    )


def _compared(text: str, cost: float, ordered: str = "", exact: str = "", signs: str = "> <") -> list[Schema]:
    """A schema for each of some comparisons in place of `?`; that two sides differ is a little less likely."""
    return [Schema(text.replace("?", one), cost + 0.1 * (one == "!="), ordered, exact) for one in signs.split()]


_AIMS = "#minimize #maximize"

#: Constraints that programs of this sort often have, over what answers consist of and what instances give.
_CONSTRAINTS = (
    Schema("P(X,V), P(X,W), V < W", 2.4),  # at most one value
    Schema("P(X,Y,V), P(X,Y,W), V < W", 2.4, ordered="P"),
    Schema("P(X,V,Y), P(X,W,Y), V < W", 2.4, ordered="P"),
    Schema("P(V,X,Y), P(W,X,Y), V < W", 2.4, ordered="P"),
    Schema("Q(X), not P(X)", 2.2),  # at least one
    Schema("P(X), not Q(X)", 2.2),  # only where the other holds
    Schema("P(X), Q(X)", 2.6),
    # Members of a pair that is given: both, none, the first alone, with the same value.
    Schema("Q(X,Y), P(X), P(Y)", 2.2, ordered="Q"),
    Schema("Q(X,Y), not P(X), not P(Y)", 2.2, ordered="Q"),
    Schema("Q(X,Y), P(X), not P(Y)", 2.3),
    Schema("Q(X,Y), P(X,V), P(Y,V)", 2.0, ordered="Q"),
    Schema("P(X,V), P(Y,V), X < Y, not Q(X,Y)", 2.5, ordered="Q"),
    # Two that share something; something that none of them has.
    Schema("P(A), P(B), A < B, Q(A,X), Q(B,X)", 2.2),
    Schema("Q(_,X), not P(S) : Q(S,X)", 2.2),
    # Two values of an atom that belong to the same third one, as a lesson and a slot to a teacher who is away then.
    Schema("P(X,V), Q(X,T), R(V,T)", 2.3, ordered="P", exact="QR"),
    *_compared("#count { X : P(X) } ? K", 2.4, exact="P", signs="> < !="),
    # One after the other.
    Schema("P(X,N), P(X,N+1)", 2.4, exact="P"),
    Schema("P(X,N,V), P(X,N+1,V)", 2.4, exact="P"),
    Schema("P(N,a), P(N+1,b)", 2.5, exact="P"),
    Schema("P(X,N,a), P(X,N+1,b)", 2.5, exact="P"),
)

#: Constraints on U, which no rule reads so far, with what is chosen or derived (P) or anything else (Q).
_UNREAD = (
    # What is given or derived is to hold of answers, or is not to.
    Schema("U(X,Y,Z), not P(X,Y,Z)", 0.9, exact="UP"),
    Schema("U(X,Y), not P(X,Y)", 0.9, exact="U"),
    Schema("U(X), not P(X)", 0.9, exact="U"),
    Schema("U(X), not P(X,K)", 1.4, ordered="P", exact="UP"),
    Schema("U(X,Y), not P(X,Y,K)", 1.4, ordered="P", exact="UP"),
    Schema("Q(X), not U(X)", 1.3, exact="U"),
    Schema("Q(X,Y), not U(X,Y)", 1.3, exact="U"),
    Schema("U(X,Y,Z), P(X,Y,Z)", 1.3, exact="UP"),
    Schema("U(X,Y), P(X,Y)", 1.3, exact="U"),
    Schema("U(X), P(X)", 1.3, exact="U"),
    Schema("U(X)", 1.6, exact="U"),
    # Members of a pair: both, none, one; with the same value, with values in order.
    Schema("U(X,Y), P(X,V), P(Y,V)", 1.3, ordered="U"),
    Schema("U(X,Y), P(X,V), not P(Y,V)", 1.4),
    Schema("U(X,Y), P(X), P(Y)", 1.3, ordered="U"),
    Schema("U(X,Y), P(X), not P(Y)", 1.4),
    Schema("U(X,Y), not P(X), not P(Y)", 1.3, ordered="U"),
    *_compared("U(X,Y), P(X,V), P(Y,W), V ? W", 1.5, signs="< <="),
    Schema("U(X,Y), P(X,V), Q(X,N), P(Y,W), W < V + N", 1.6, ordered="PQ", exact="PQ"),
    Schema("U(A,X), U(A,Y), X < Y, P(X,V), P(Y,V)", 1.4, ordered="P"),  # of two that share something
    # At most one value.
    Schema("U(X,V), U(X,W), V < W", 1.5, exact="U"),
    Schema("U(X,Y,V), U(X,Y,W), V < W", 1.5, ordered="U", exact="U"),
    # A number that is given: how many, or how much, there may be.
    *_compared("U(X,N), #count { Y : P(X,Y) } ? N", 1.5, exact="U", signs="> < !="),
    *_compared("Q(Y), U(X,N), #count { Z : P(X,Y,Z) } ? N", 1.6, exact="UP"),
    *_compared("#count { X : U(X) } ? K", 1.5, signs="> < !="),
    *_compared("U(N), N ? K", 1.4, exact="U"),
    *_compared("#sum { N,X : P(X), U(X,N) } ? K", 1.5),
    *_compared("#sum { N,X,Y : P(X,Y), U(X,Y,N) } ? K", 1.5, ordered="P", exact="PU"),
)

#: What is to be true in the end, of D with other rules.
_ENDS = (
    Schema("not D(a,K)", 2.4, ordered="D", exact="D"),
    Schema("not D(a,b,K)", 2.4, ordered="D", exact="D"),
)

#: Constraints with a constant that nothing reads so far.
_BOUNDS = (
    *_compared("#count { X : P(X) } ? K", 1.3, signs="> < !="),
    *_compared("#count { X,Y : P(X,Y) } ? K", 1.4, ordered="P"),
    *_compared("Q(X), #count { Y : P(X,Y) } ? K", 1.5, exact="Q"),
    *_compared("Q(X), #count { Y,Z : P(X,Y,Z) } ? K", 1.5, exact="PQ"),
    *_compared("P(N), N ? K", 1.3, exact="P"),
    *_compared("#sum { N,X : P(X), Q(X,N) } ? K", 1.4),
    *_compared("#sum { N,X,Y : P(X,Y), Q(X,Y,N) } ? K", 1.4, ordered="P", exact="PQ"),
)

#: Rules of reachability, for D with other rules and L that has two arguments.
_CLOSURES = (
    Schema("D(Y) :- D(X), L(X,Y).", 2.3, ordered="L", exact="DL"),
    Schema("D(Y) :- D(X), L(Y,X).", 2.5, ordered="L", exact="DL"),
    Schema("D(X,Z) :- D(X,Y), L(Y,Z).", 2.4, ordered="DL", exact="DL"),
    Schema("D(X,Z) :- D(X,Y), D(Y,Z).", 2.4, ordered="D", exact="D"),
    Schema("L(Y,X) :- L(X,Y).", 2.4, ordered="L", exact="L"),
)

#: Choices of D: bounds are a change more.
_CHOICES = tuple(
    Schema(f"{choice}.", 2.2, ordered="DE", exact="DE")
    for choice in ("{ D(X) : Q(X) }", "{ D(X,Y) : E(X,Y) }", "{ D(X,Y) : Q(Y) } = 1 :- R(X)")
)

#: Rules for D, by what is given or derived.
_DEFINITIONS = (
    Schema("D(X) :- Q(X).", 2.0, exact="DQ"),
    Schema("D(X) :- Q(X,_). D(X) :- Q(_,X).", 2.0, ordered="Q", exact="DQ"),
    Schema("D(X) :- Q(X,_,_). D(X) :- Q(_,X,_). D(X) :- Q(_,_,X).", 2.0, ordered="Q", exact="DQ"),
    Schema("D(X) :- Q(X).", 2.2, exact="D"),
    *(Schema(f"D({some}) :- Q({some}).", 2.0, ordered="DQ", exact="DQ") for some in ("X,Y", "X,Y,Z", "X,Y,Z,W")),
    Schema("D(X,Y) :- Q(Y,X).", 2.3, ordered="DQ", exact="DQ"),
    Schema("D(X,Y) :- Q(X,Y). D(Y,X) :- Q(X,Y).", 2.3, ordered="DQ", exact="DQ"),
    *(  # at the first step
        Schema(f"D({some},{first}) :- Q({some}).", 2.2, ordered="DQ", exact="DQ")
        for some in ("X", "X,Y", "X,Y,Z")
        for first in "01"
    ),
    Schema("D(1..K).", 2.0, exact="D"),
    Schema("D(0..K-1).", 2.5, exact="D"),
    Schema("D(a).", 2.0, exact="D"),
    Schema("D(X) :- Q(a,X).", 2.2, ordered="Q", exact="DQ"),
)

#: What answers of least cost have: little of P, or little of what is given for it (G).
_OBJECTIVES = (
    *(
        schema
        for some in ("X", "X,Y", "X,Y,Z")
        for schema in _compared(f"? {{ 1,{some} : P({some}) }}.", 2.0, ordered="P", exact="P", signs=_AIMS)
    ),
    *(
        schema
        for some, of in product(("X", "X,Y", "X,Y,Z"), ("X", "Y", "Z", "X,Y", "Y,Z", "X,Y,Z"))
        if of in some
        for schema in _compared(
            f"? {{ N,{some} : P({some}), G({of},N) }}.", 2.1, ordered="P", exact="P", signs=_AIMS
        )
    ),
)


def constraints(context: Context, shown: Iterable[Signature]) -> Iterator[tuple[str, float, str]]:
    """Bodies of constraints over what answers consist of; each with a cost, and what no rule reads so far, or ''."""
    known, shown = context.known, list(shown)
    letters = {"P": [one for one in shown if one[1] <= 3], "Q": known, "R": known}
    yield from ((rule, one.cost, "") for one in _CONSTRAINTS for rule in one.filled(context, letters))
    derived = dict.fromkeys([*shown, *(head for heads, needed in context.rules if needed for head in sorted(heads))])
    letters["P"] = [one for one in derived if one[1] <= 3]
    unused = context.unused()
    ends = {"D": [one for one in derived if one not in shown]}
    yield from ((rule, one.cost, "") for one in _ENDS for rule in one.filled(context, ends))
    bounds = [*unused, *(one for one in (*context.constants, "1", "2", "3") if one not in unused)]
    for signature in context.unread():
        for schema in _UNREAD:
            for rule in schema.filled(context, {**letters, "U": [signature]}, constants=bounds):
                yield rule, schema.cost, f"{signature[0]}/{signature[1]}"
    for schema in _BOUNDS if unused else ():
        for rule in schema.filled(context, letters, constants=unused):
            yield rule, schema.cost, next(one for one in unused if re.search(rf"\b{one}\b", rule))


def closures(context: Context) -> Iterator[tuple[str, float]]:
    """Rules of reachability; each with a cost."""
    letters = {"D": list(context.derived), "L": context.known}
    return ((rule, one.cost) for one in _CLOSURES for rule in one.filled(context, letters))


def choices(signature: Signature, context: Context) -> Iterator[tuple[str, float]]:
    """Choices of a predicate that answers consist of, and that nothing derives; each with a cost."""
    letters = {**dict.fromkeys("EQR", context.known), "D": [signature]}
    for one in _CHOICES:
        for rule in one.filled(context, letters, apart=False, sorts=False):
            yield rule, one.cost + MORE["open"] * len(_OPEN.findall(rule))


def definitions(signature: Signature, context: Context) -> Iterator[tuple[str, float]]:
    """Rules that could define a predicate: by one that is given, by its arguments, by an interval; each with a cost."""
    letters = {"D": [] if signature[0].startswith("-") else [signature], "Q": context.known}
    return ((rule, one.cost) for one in _DEFINITIONS for rule in one.filled(context, letters, sorts=False))


def inertia(context: Context) -> Iterator[tuple[str, float]]:
    """What holds at one step holds at the next, unless something happens; each rule with a cost."""

    def at_time(of: Signature, place: int) -> bool:
        return any(context.alike((*of, place), step) for step in context.steps)

    timed = [(one, place) for one in context.derived for place in range(one[1]) if at_time(one, place)]
    for (name, arity), place in timed:
        variables = ["T" if number == place else f"X{number + 1}" for number in range(arity)]
        column = (name, arity, place)

        def atom(of: str, arguments: Sequence[str], time: str) -> str:
            return f"{of}({','.join(time if one == 'T' else one for one in arguments)})"

        guards = [f", T < {constant}" for constant in context.constants]
        steps = (of for of, width in context.predicates if width == 1 and context.alike((of, 1, 0), column))
        guards += [f", {of}(T+1)" for of in steps]
        unless = [f", not -{atom(name, variables, 'T+1')}"] if (f"-{name}", arity) in context.derived else []
        for (other, width), when in timed:
            arguments = ["_"] * width
            for number in range(width):
                same = (one for one in range(arity) if context.alike((other, width, number), (name, arity, one)))
                shared = next((variables[one] for one in same if one != place), "_")
                arguments[number] = "T" if number == when else shared
            if other != name:
                unless += [f", not {atom(other, arguments, time)}" for time in ("T", "T+1")]
        for guard, exception in product(guards or [""], [*unless, ""]):
            rule = f"{atom(name, variables, 'T+1')} :- {atom(name, variables, 'T')}{exception}{guard}."
            yield rule, price(f"rule: inertia{'' if exception else ' without exception'}")


def objectives(context: Context, shown: Iterable[Signature]) -> Iterator[tuple[str, float]]:
    """Costs of what is chosen: how much there is of it, and by a number that is given for it; each with a price."""
    letters = {"P": list(shown), "G": [one for one in context.predicates if one in context.given]}
    return ((rule, one.cost) for one in _OBJECTIVES for rule in one.filled(context, letters))
