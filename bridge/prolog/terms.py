"""Prolog's terms as Python values, in both directions.

| Prolog               | Python                                                                  |
|----------------------|-------------------------------------------------------------------------|
| integer, float       | `int` of any size, `float`                                              |
| rational `1r3`       | `fractions.Fraction`                                                    |
| string `"text"`      | `str`                                                                   |
| atom `red`           | `Atom("red")`, a `str` that is told apart by its type                   |
| list                 | `list`                                                                  |
| compound `f(1, X)`   | `Term("f", (1, X))`                                                     |
| variable             | `Variable`, with its name, and in an answer its domain and constraints  |

On the way in, `None` is a fresh variable, a `Variable` with a name is one variable wherever the name occurs, and a
tuple has no meaning: write `Term`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from bridge.errors import InputError


class Atom(str):
    """An atom such as `red`: equal to the text of its name, but not of type `str` itself."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Atom({str(self)!r})"


@dataclass(frozen=True, slots=True)
class Term:
    """A compound term `name(args)`. `str(term)` is what Prolog prints, where the term came from Prolog as a goal."""

    name: str
    args: tuple[Any, ...]
    text: str | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        return self.text if self.text is not None else f"{self.name}({', '.join(map(str, self.args))})"


@dataclass(frozen=True, slots=True)
class Domain:
    """A finite-domain variable's possible values: disjoint intervals in ascending order, both ends included.

    An end is None where there is no bound (`inf`, `sup`).
    """

    intervals: tuple[tuple[int | None, int | None], ...]

    def __contains__(self, value: int) -> bool:
        return any((a is None or a <= value) and (b is None or value <= b) for a, b in self.intervals)

    def __iter__(self) -> Iterator[int]:
        for low, high in self.intervals:
            if low is None or high is None:
                raise InputError(f"the domain {self} is not finite")
            yield from range(low, high + 1)

    def __str__(self) -> str:
        return "\\/".join(str(a) if a == b and a is not None else _interval(a, b) for a, b in self.intervals)


def _interval(low: int | None, high: int | None) -> str:
    return f"{'inf' if low is None else low}..{'sup' if high is None else high}"


class Variable:
    """A variable: unbound, or open between the values that its constraints allow.

    Attributes
    ----------
    name
        As the toplevel names it: the query's own name, or `_A`, `_B`; a variable that stands alone is `_`.
    domain
        Its finite domain (`X in 1..3`), None where it has none.
    constraints
        The residual goals that it occurs in, its domain among them.

    Two variables are equal when they have the same name and it is not `_`.
    """

    __slots__ = ("constraints", "domain", "name")

    def __init__(self, name: str = "_") -> None:
        self.name = name
        self.domain: Domain | None = None
        self.constraints: list[Term] = []

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Variable):
            return NotImplemented
        return self is other or (self.name == other.name and self.name != "_")

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"Variable({self.name!r})" if self.domain is None else f"Variable({self.name!r}, {self.domain})"

    def __str__(self) -> str:
        return self.name


class Decoder:
    """What crossed from Prolog as Python values; within one decoder the same name is the same Variable."""

    def __init__(self) -> None:
        self.variables: dict[str, Variable] = {}

    def value(self, carried: Any) -> Any:
        if isinstance(carried, list):
            return [self.value(item) for item in carried]
        if not isinstance(carried, tuple):
            return carried
        if carried[0] == "a":
            return Atom(carried[1])
        if carried[0] == "v":
            return self._variable(carried[1])
        return Term(carried[1], tuple(self.value(item) for item in carried[2]))

    def goal(self, carried: Any, text: str) -> Term:
        """A residual goal, hung onto the variables that it constrains."""
        value = self.value(carried)
        goal = Term(value.name, value.args, text) if isinstance(value, Term) else Term(str(value), (), text)
        for variable in dict.fromkeys(_variables(goal)):
            variable.constraints.append(goal)
        if goal.name == "in" and isinstance(goal.args[0], Variable):
            goal.args[0].domain = domain_of(goal.args[1])
        return goal

    def _variable(self, name: str) -> Variable:
        if name == "_":
            return Variable()
        if name not in self.variables:
            self.variables[name] = Variable(name)
        return self.variables[name]


def _variables(term: Any) -> Iterator[Variable]:
    if isinstance(term, Variable):
        yield term
    elif isinstance(term, Term):
        for argument in term.args:
            yield from _variables(argument)
    elif isinstance(term, list):
        for item in term:
            yield from _variables(item)


def domain_of(term: Any) -> Domain:
    r"""A domain as clpfd writes it, `1..3\/5`, as intervals."""
    if isinstance(term, int):
        return Domain(((term, term),))
    if isinstance(term, Term) and term.name == "\\/":
        left, right = term.args
        return Domain(domain_of(left).intervals + domain_of(right).intervals)
    if isinstance(term, Term) and term.name == "..":
        low, high = term.args
        return Domain(((None if low == "inf" else low, None if high == "sup" else high),))
    raise InputError(f"{term} is not a domain")


def encode(value: Any) -> Any:
    """A Python value in the form in which it crosses to Prolog.

    Raises
    ------
    InputError
        For a value that has no counterpart; see the table above.
    """
    if isinstance(value, Atom):
        return ("a", str(value))
    if isinstance(value, bool) or value is None:
        return ("v", "_") if value is None else ("a", "true" if value else "false")
    if isinstance(value, str):
        return ("s", value)
    if isinstance(value, int | float | Fraction):
        return value
    if isinstance(value, list):
        return [encode(item) for item in value]
    if isinstance(value, Variable):
        return ("v", value.name)
    if isinstance(value, Term):
        return ("t", value.name, [encode(item) for item in value.args])
    if isinstance(value, tuple):
        raise InputError(f"a tuple means nothing to Prolog: {value!r}", hint="pass a list, or Term(name, args)")
    raise InputError(f"{value!r} is not a term of Prolog", hint="use numbers, str, Atom, list, Term, Variable or None")


class Answer(Mapping[str, Any]):
    """An answer to a query: the values of its variables, and what is left to be satisfied.

        >>> answer["X"], [str(goal) for goal in answer.residual]
        (Variable('X', 1..3), ['X in 1..3'])

    Attributes
    ----------
    residual
        The residual goals as terms: constraints that hold in this answer but do not decide it. Empty when the answer
        is definite.

    `str(answer)` is what the toplevel prints, all of it (the toplevel itself abbreviates long lists).
    """

    __slots__ = ("_bindings", "_module", "_text", "residual")

    def __init__(self, module: str, bindings: dict[str, Any], residual: list[Term], text: str | None) -> None:
        self._module = module
        self._bindings = bindings
        self.residual = residual
        self._text = text

    def __getitem__(self, name: str) -> Any:
        return self._bindings[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._bindings)

    def __len__(self) -> int:
        return len(self._bindings)

    def __str__(self) -> str:
        if self._text is None:  # a ground answer: printed when somebody looks
            from bridge.prolog import _janus

            values = [(name, encode(value)) for name, value in self.items()]
            self._text = str(_janus.call("ground_text", self._module, values))
        return self._text

    def __repr__(self) -> str:
        return f"<Answer {self}>"
