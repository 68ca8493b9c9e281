"""The constraints that a goal posts as a CSP of `bridge.puzzles.search`, so that the engines of a CSP solve it.

    >>> goal = "X in 1..3, Y in 1..3, X #> Y, X + Y #= 4"
    >>> form = constraints(PrologProblem([":- use_module(library(clpfd)).\\n"], goal))
    >>> print(form.csp)
    Variables ['X', 'Y']
    Domains {'X': [2, 3], 'Y': [1, 2]}
    Neighbors {'X': ['Y'], 'Y': ['X']}
    Constraints ['X#>Y (<goal>:1:23)', 'X+Y#=4 (<goal>:1:31)']

Domains are those that propagation leaves; the solutions are the same. Arithmetic, reified constraints,
`all_different`, `all_distinct`, `sum`, `scalar_product`, `element` and `tuples_in` have a form, others are refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bridge.errors import Place, UnsupportedError
from bridge.limits import UNLIMITED, Deadline, Limits
from bridge.problem import Posted, PostedConstraint, PrologProblem
from bridge.prolog import Term
from bridge.puzzles.search.constraints import AllDifferent, Constraint
from bridge.puzzles.search.constraints_arithmetic import Comparison, Linear, Relation
from bridge.puzzles.search.csp import CSP


@dataclass(frozen=True)
class GoalCSP:
    """A CSP, and where in the source each of its constraints is posted.

    Attributes
    ----------
    csp
        The problem. A variable has the name by which the query reaches it: `Qs[2]`.
    places
        By the name of a constraint, its place.
    """

    csp: CSP
    places: Mapping[str, Place]


def constraints(problem: PrologProblem, *, limits: Limits = UNLIMITED) -> GoalCSP:
    """The constraints that the goal of a problem posts.

    Raises
    ------
    UnsupportedError
        When they cannot be recorded, have no form here, or a variable has no finite domain.
    """
    with Posted(problem, deadline=Deadline(limits.seconds)) as posted:
        if posted.waits:
            raise UnsupportedError("goals wait for variables to be bound: the constraints are not all that must hold")
        domains = posted.domains()
        found: list[Constraint] = []
        places: dict[str, Place] = {}
        for instance in posted.premises:
            for constraint in _forms(instance, posted, domains):
                found.append(constraint)
                places[constraint.name] = instance.place
    for name, values in domains.items():
        if values is None:
            raise UnsupportedError(f"the variable {name} has no finite domain", hint="give it one with in/2")
    return GoalCSP(CSP({name: values or () for name, values in domains.items()}, found), places)


def _forms(instance: PostedConstraint, posted: Posted, domains: dict[str, list[int] | None]) -> Iterator[Constraint]:
    names = [str(other) for other in posted.premises]
    name = str(instance) if names.count(str(instance)) == 1 else f"{instance} #{instance.index}"
    term = instance.term
    if not isinstance(term, Term):
        raise _no_form(instance)
    match term.name, term.arguments:
        case ("in", (variable, domain)):
            yield from _within([variable], domain, name, instance)
        case ("ins", (list() as variables, domain)):
            yield from _within(variables, domain, name, instance)
        case ("=", (variable, value)):
            yield from _comparison("#=", variable, value, name, instance)
        case (("all_different" | "all_distinct"), (list() as items,)):
            yield from _all_different(items, name, instance)
        case ("sum", (list() as items, comparison, value)):
            total: Any = 0
            for item in items:
                total = Term("+", (total, item))
            yield from _comparison(str(comparison), total, value, name, instance)
        case ("scalar_product", (list() as factors, list() as items, comparison, value)):
            total = 0
            for factor, item in zip(factors, items, strict=True):
                total = Term("+", (total, Term("*", (factor, item))))
            yield from _comparison(str(comparison), total, value, name, instance)
        case ("tuples_in", (list() as tuples, list() as relation)):
            allowed = {tuple(row) for row in relation}
            for number, items in enumerate(tuples, 1):
                label = name if len(tuples) == 1 else f"{name}, tuple {number}"
                yield from _relation([*items], lambda *values: values in allowed, label, instance)
        case ("element", (index, list() as items, value)):
            yield from _relation(
                [index, value, *items], lambda i, v, *vs: 0 < i <= len(vs) and vs[i - 1] == v, name, instance
            )
        case (operator, (left, right)) if operator in _COMPARISONS:
            yield from _comparison(operator, left, right, name, instance)
        case (operator, _) if operator in _LOGICAL:
            yield from _relation_of(term, name, instance)
        case _:
            raise _no_form(instance)


def _no_form(instance: PostedConstraint) -> UnsupportedError:
    return UnsupportedError(
        f"{instance.text} has no form as a constraint of a CSP",
        where=instance.place,
        hint="there are arithmetic, reified constraints, all_different, sum, scalar_product, element and tuples_in",
    )


def _is_variable(term: Any) -> bool:
    return isinstance(term, Term) and term.name == "$variable"


def _within(variables: list[Any], domain: Any, name: str, instance: PostedConstraint) -> Iterator[Constraint]:
    """Of variables, the domain of the CSP has it already; an integer outside is a contradiction."""
    intervals = list(_intervals(domain, instance))
    for variable in variables:
        if isinstance(variable, int) and not any(low <= variable <= high for low, high in intervals):
            yield Relation((), lambda: False, f"{name}, {variable}")


def _intervals(domain: Any, instance: PostedConstraint) -> Iterator[tuple[float, float]]:
    waiting = [domain]
    while waiting:
        part = waiting.pop()
        if isinstance(part, int):
            yield part, part
        elif isinstance(part, Term) and part.name == "\\/":
            waiting += part.arguments
        elif isinstance(part, Term) and part.name == "..":
            low, high = part.arguments
            yield (low if isinstance(low, int) else -float("inf")), (high if isinstance(high, int) else float("inf"))
        else:
            raise _no_form(instance)


def _all_different(items: list[Any], name: str, instance: PostedConstraint) -> Iterator[Constraint]:
    variables = [item for item in items if _is_variable(item)]
    numbers = [item for item in items if isinstance(item, int)]
    if len(variables) + len(numbers) < len(items):
        raise _no_form(instance)
    labels = [item.arguments[0] for item in variables]
    if len(set(labels)) < len(labels) or len(set(numbers)) < len(numbers):
        yield Relation((), lambda: False, name)
    else:
        yield AllDifferent(map(str, labels), name)
        for label in labels if numbers else ():
            yield Relation((str(label),), lambda value: value not in numbers, f"{name}, {label}")


#: The comparisons of library(clpfd) as a difference of both sides: by its factor, form and shift of the bound.
_COMPARISONS: Mapping[str, tuple[int, Comparison, int]] = {
    "#=": (1, "=", 0),
    "#\\=": (1, "!=", 0),
    "#=<": (1, "<=", 0),
    "#<": (1, "<=", -1),
    "#>=": (-1, "<=", 0),
    "#>": (-1, "<=", -1),
}

_LOGICAL = frozenset({"#<==>", "#==>", "#<==", "#\\/", "#/\\", "#\\"})


def _comparison(operator: str, left: Any, right: Any, name: str, instance: PostedConstraint) -> Iterator[Constraint]:
    linear = _linear(Term("-", (left, right)))
    if linear is None or operator not in _COMPARISONS:
        yield from _relation_of(Term(operator, (left, right)), name, instance)
        return
    sign, comparison, shift = _COMPARISONS[operator]
    constant = linear.pop("", 0)
    factors = {variable: sign * factor for variable, factor in linear.items() if factor}
    bound = shift - sign * constant
    if not factors:
        yield from _relation_of(Term(operator, (left, right)), name, instance)
    else:
        yield Linear(factors, comparison, bound, name)


def _linear(term: Any) -> dict[str, int] | None:
    """The coefficients of the variables, with the constant under the empty name; None when it is not linear."""
    found: dict[str, int] = {}
    waiting: list[tuple[int, Any]] = [(1, term)]
    while waiting:
        factor, part = waiting.pop()
        if isinstance(part, int):
            found[""] = found.get("", 0) + factor * part
        elif _is_variable(part):
            label = str(part.arguments[0])
            found[label] = found.get(label, 0) + factor
        elif not isinstance(part, Term):
            return None
        elif part.name == "+" and len(part.arguments) == 2:
            waiting += [(factor, each) for each in part.arguments]
        elif part.name == "-" and len(part.arguments) == 2:
            waiting += [(factor, part.arguments[0]), (-factor, part.arguments[1])]
        elif part.name == "-" and len(part.arguments) == 1:
            waiting.append((-factor, part.arguments[0]))
        elif part.name == "*" and isinstance(part.arguments[0], int):
            waiting.append((factor * part.arguments[0], part.arguments[1]))
        elif part.name == "*" and isinstance(part.arguments[1], int):
            waiting.append((factor * part.arguments[1], part.arguments[0]))
        else:
            return None
    return found


def _relation(
    items: list[Any], holds: Callable[..., bool], name: str, instance: PostedConstraint
) -> Iterator[Constraint]:
    """A relation of terms that are variables or integers."""
    labels: list[str] = []
    for item in items:
        if _is_variable(item):
            if str(item.arguments[0]) not in labels:
                labels.append(str(item.arguments[0]))
        elif not isinstance(item, int):
            raise _no_form(instance)

    def relation(*values: int) -> bool:
        known = dict(zip(labels, values, strict=True))
        return holds(*(known[str(item.arguments[0])] if _is_variable(item) else item for item in items))

    yield Relation(labels, relation, name)


def _relation_of(term: Any, name: str, instance: PostedConstraint) -> Iterator[Constraint]:
    """A comparison or a logical combination, computed."""
    labels: list[str] = []
    compute = _compiled(term, labels, instance)

    def relation(*values: int) -> bool:
        try:
            return bool(compute(dict(zip(labels, values, strict=True))))
        except (ZeroDivisionError, OverflowError, ValueError):
            return False

    yield Relation(labels, relation, name)


_Compute = Callable[[dict[str, int]], int]


def _power(base: int, exponent: int) -> int:
    if exponent < 0 and base not in (1, -1):
        raise ValueError("not an integer")
    return int(base ** abs(exponent)) if exponent >= 0 else base ** (exponent % 2)


def _truncated(a: int, b: int) -> int:
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


_BINARY: Mapping[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "//": _truncated,
    "div": lambda a, b: a // b,
    "mod": lambda a, b: a % b,
    "rem": lambda a, b: a - b * _truncated(a, b),
    "min": min,
    "max": max,
    "^": _power,
    "#=": lambda a, b: int(a == b),
    "#\\=": lambda a, b: int(a != b),
    "#<": lambda a, b: int(a < b),
    "#>": lambda a, b: int(a > b),
    "#=<": lambda a, b: int(a <= b),
    "#>=": lambda a, b: int(a >= b),
    "#<==>": lambda a, b: int(bool(a) == bool(b)),
    "#==>": lambda a, b: int(not a or bool(b)),
    "#<==": lambda a, b: int(bool(a) or not b),
    "#\\/": lambda a, b: int(bool(a) or bool(b)),
    "#/\\": lambda a, b: int(bool(a) and bool(b)),
    "#\\": lambda a, b: int(bool(a) != bool(b)),
}

_UNARY: Mapping[str, Callable[[int], int]] = {"-": lambda a: -a, "abs": abs, "#\\": lambda a: int(not a)}


def _compiled(term: Any, labels: list[str], instance: PostedConstraint) -> _Compute:
    if isinstance(term, int):
        return lambda known: term
    if _is_variable(term):
        label = str(term.arguments[0])
        if label not in labels:
            labels.append(label)
        return lambda known: known[label]
    if isinstance(term, Term):
        if len(term.arguments) == 2 and term.name in _BINARY:
            left, right = (_compiled(part, labels, instance) for part in term.arguments)
            combine = _BINARY[term.name]
            return lambda known: combine(left(known), right(known))
        if len(term.arguments) == 1 and term.name in _UNARY:
            inner = _compiled(term.arguments[0], labels, instance)
            change = _UNARY[term.name]
            return lambda known: change(inner(known))
    raise _no_form(instance)
