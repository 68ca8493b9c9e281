"""Symmetry of a program on an instance: values that are interchangeable."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import factorial
from typing import Any

from bridge.asp.edits import Context, Text
from bridge.common.english import listed
from bridge.profiling.cost import number

#: Values and columns that are shown of a class.
SHOWN = 8


@dataclass(frozen=True, slots=True)
class Interchangeable:
    """Values that can be exchanged in all answers.

    Attributes
    ----------
    values
        As text.
    columns
        Where they stand: a predicate with its number of arguments, and one of these, from 1.
    """

    values: tuple[str, ...]
    columns: tuple[tuple[str, int], ...]

    def to_json(self) -> dict[str, Any]:
        columns = [{"predicate": name, "argument": at} for name, at in self.columns]
        return {"values": list(self.values), "columns": columns}

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
    yield from (f"    {one}" for one in classes)
