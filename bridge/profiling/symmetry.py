"""Symmetry of a program on an instance: values that are interchangeable, and an order that leaves one case of each.

Of a chosen predicate with such a value in one argument, the values are used in their order: one may be used by an
object only if the one before it is used by the same object, or by one before that. In each answer the values can be
exchanged such that this holds, since the first objects that use them can be put in order. So of each set of answers
that differ by an exchange at least one is left. That is so of one class alone: an order of one may be against another.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import factorial
from typing import Any, TypedDict

from bridge.as_json import Json, Key
from bridge.asp.context import Context
from bridge.asp.outline import Signature
from bridge.asp.text import Text
from bridge.common.english import listed
from bridge.profiling.cost import number

#: Values and columns that are shown of a class.
SHOWN = 8


class Column(TypedDict):
    """An argument of a predicate, from 1."""

    predicate: str
    argument: int


@dataclass(frozen=True, slots=True)
class Interchangeable(Json):
    """Values that can be exchanged in all answers."""

    values: tuple[str, ...]  #: As text.
    #: Where they stand: a predicate with its number of arguments, and one of these, from 1.
    columns: tuple[tuple[str, int], ...]
    #: Statements that leave an order of the values, where the search was measured to be faster with them.
    order: str | None = None
    seconds: float | None = None  #: Of the search with them.

    _json = (
        "values",
        Key("columns", list[Column], lambda self: [{"predicate": name, "argument": at} for name, at in self.columns]),
        "order seconds",
    )

    def ordered(self, chosen: Iterable[Signature], following: str = "next_value") -> Iterator[str]:
        """Statements that leave an order of the values in a chosen predicate, with a predicate that is new."""
        for name, arity in chosen:
            places = [at - 1 for predicate, at in self.columns if predicate == f"{name}/{arity}"]
            if len(places) != 1 or arity < 2:
                continue
            atoms = []
            for value, letter in (("V", "A"), ("U", "B")):
                others = [f"{letter}{at}" for at in range(1, arity)]
                atoms.append(
                    (f"{name}({','.join([*others[: places[0]], value, *others[places[0] :]])})", ",".join(others))
                )
            (atom, key), (other, before) = atoms
            left, right = (f"({one})" if arity > 2 else one for one in (before, key))
            pairs = ";".join(f"{one},{two}" for one, two in pairwise(self.values))
            count = f"#count {{ {before} : {other}, {left} <= {right} }} = 0"
            yield f"{following}({pairs}).\n:- {atom}, {following}(U,V), {count}."

    def __str__(self) -> str:
        more = [f"{len(self.values) - SHOWN} more"] if len(self.values) > SHOWN else []
        columns = [f"argument {at} of {name}" for name, at in self.columns[:SHOWN]]
        return f"{listed([*self.values[:SHOWN], *more])}: {listed(columns)}"


def columns_of(texts: Sequence[Text]) -> list[tuple[str, int, int, int]]:
    """Each argument of each predicate in the rules, with the number of its sort."""
    context = Context.of(*texts)
    sorts: dict[Any, int] = {}
    found: list[tuple[str, int, int, int]] = []
    for name, arity in context.predicates:
        plain = name.removeprefix("-")
        numbers = [sorts.setdefault(context.sort((name, arity, at)), len(sorts)) for at in range(arity)]
        found += [(plain, arity, at, number) for at, number in enumerate(numbers)]
    return found


def with_columns(
    classes: Sequence[tuple[int, Sequence[str]]], columns: Sequence[tuple[str, int, int, int]]
) -> tuple[Interchangeable, ...]:
    """The classes with the places of their values, the largest first."""
    found = [
        Interchangeable(
            tuple(values), tuple((f"{name}/{arity}", at + 1) for name, arity, at, of in columns if of == sort)
        )
        for sort, values in classes
    ]
    return tuple(sorted(found, key=lambda one: -len(one.values)))


def _count(times: int) -> str:
    return f"{times:,}" if times < 1_000_000 else number(float(times))


def symmetry_lines(classes: Sequence[Interchangeable]) -> Iterator[str]:
    """The classes as people read them."""
    if not classes:
        return
    times = 1
    for one in classes:
        times *= factorial(min(len(one.values), 20))
    yield f"  interchangeable values: an answer, or what is refuted, stands for up to {_count(times)}"
    for one in classes:
        yield f"    {one}"
        if one.order is not None:
            yield f"      in order, the search takes {one.seconds:.2f} s:"
            yield from (f"        {line}" for line in one.order.split("\n"))
