"""Random small CSPs with odd domains, and all engines for them, against going through every assignment.

Domains are empty, or have one value, gaps, negative and huge numbers, fractions, truth values, texts; scopes have no
variable, one, or several.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from numbers import Rational
from random import Random
from typing import Any, cast

from bridge.errors import InputError, MissingSolverError, UnsupportedError
from bridge.limits import Limits
from bridge.outcome import Progress
from bridge.puzzles.engines import engine
from bridge.puzzles.engines.csp import CSPEngine
from bridge.puzzles.search import (
    CSP,
    AllDifferent,
    Among,
    Binary,
    Constraint,
    Element,
    NotEqualVectors,
    Stretch,
    Sum,
    propagate,
)
from bridge.puzzles.search.constraints_arithmetic import Linear, Relation
from fuzz.campaign import Campaign, Case, Tally, demand, expect

#: Assignments of a random problem.
MOST = 3000

ENGINES = (
    "cp-sat", "bt", "fc", "fc+mrv", "mac", "mac+mrv+degree+lcv", "mac+wdeg+restarts", "gac", "gac+mrv+wdeg",
)  # fmt: skip

#: What domains are made of. JSON has no fractions: a list is one.
DOMAINS: Sequence[Sequence[Any]] = (
    [0, 1], [1, 2, 3], [3, 1, 2], [-2, 0, 5], [0, 1, 2, 3, 4], [7], [], [True, False], ["a", "b"], ["a", 1],
    [0, [1, 2]],
    [[1, 3], [2, 3], 1], [2**31, 1], [2**40, -(2**40), 0], [2**70, 3], [1000000, 0], [5, 5, 5], [-1], [True, 2],
)  # fmt: skip


def _text(value: Any) -> str:
    """The same text for values that are equal: to a CSP, True is 1."""
    return str(int(value)) if isinstance(value, bool) else str(value)


_RELATIONS: Mapping[str, Callable[..., object]] = {
    "eq": lambda x, y: x == y, "ne": lambda x, y: x != y, "same": lambda *values: len(set(values)) <= 1,
    "never": lambda *values: False, "always": lambda *values: "yes",
    "text": lambda *values: len("".join(map(_text, values))) % 2,
}  # fmt: skip

_FUNCTIONS: Mapping[str, Callable[[Any], object]] = {
    "self": lambda value: value, "text": _text, "one": lambda value: 1, "none": lambda value: None,
    "size": lambda value: len(_text(value)),
}  # fmt: skip


class Csps(Campaign):
    """All-different, binary relations, elements, sums, linear ones, among, stretches, vectors, any relation."""

    name = "csp"
    weight = 1.0
    round = 30

    def make(self, chance: Random) -> Case:
        while True:
            domains = [list(chance.choice(DOMAINS)) for _ in range(chance.randint(0, 6))]
            if chance.random() < 0.6:
                domains = [list(chance.choice(DOMAINS[:5])) for _ in domains]
            if prod(map(len, domains)) <= MOST:
                break
        constraints = [self._constraint(chance, len(domains)) for _ in range(chance.randint(0, 4))]
        return {"domains": domains, "constraints": constraints, "engines": chance.sample(ENGINES, 3)}

    def _constraint(self, chance: Random, number: int) -> list[Any]:
        scope = chance.sample(range(number), chance.randint(0, number))
        pair = chance.sample(range(number), 2) if number > 1 else None
        bound = chance.choice([0, 1, 2, 3, 5, -1, 2**31, 2**40 + 1, [1, 2]])
        whole = bound if isinstance(bound, int) else 4
        made: list[list[Any]] = [
            ["all different", scope],
            ["sum", scope, bound],
            ["linear", scope, [chance.choice([1, 1, -1, 2, 0, 3, 2**33]) for _ in scope],
             chance.choice(["=", "<=", "!="]), whole],
            ["among", scope, chance.choice([0, 1, "a", 9, [1, 2]]), chance.randint(0, 2), chance.randint(0, 4)],
            ["stretch", scope, chance.randint(1, 3)],
            ["vectors", scope[: len(scope) // 2], scope[len(scope) // 2 : len(scope) // 2 * 2]],
            ["relation", scope, chance.choice(["same", "never", "always", "text"])],
        ]  # fmt: skip
        if pair is not None:
            made += [
                ["binary", pair, chance.choice(["eq", "ne", "text", "always", "never"])],
                ["element", pair, chance.choice([*_FUNCTIONS]), chance.choice([*_FUNCTIONS])],
            ]
        return chance.choice(made)

    def check(self, case: Case, tally: Tally) -> None:
        domains = {f"v{i}": list(map(_value, values)) for i, values in enumerate(case["domains"])}
        try:
            csp = CSP(domains, [_made(said, number) for number, said in enumerate(case["constraints"])])
        except InputError:
            tally["refused"] += 1
            return
        numbers = all(
            isinstance(value, Rational)
            for said in csp.constraints if isinstance(said, Sum | Linear)
            for variable in said.scope for value in domains[variable]
        )  # fmt: skip
        true = _every(csp) if numbers else None
        for name in case["engines"]:
            progress = Progress()
            try:
                found = [_key(one) for one in _engine(name).assigned(csp, Limits(), progress)]
            except MissingSolverError:
                tally["not installed"] += 1
                continue
            except (InputError, UnsupportedError) as error:
                said = [n for n in _flat([case["domains"], case["constraints"]]) if isinstance(n, int)]
                large = any(abs(n) > 10**6 for n in said)
                demand(f"csp {name}", large or not numbers, f"refused: {error}")
                tally["refused"] += 1
                continue
            if true is None:
                demand(f"csp {name}", not found, "a sum of what is not a number")
                continue
            tally[name] += 1
            expect(f"csp {name}", True, progress.complete, "complete")
            expect(f"csp {name}", true, Counter(found), "assignments")
            for inference in ("fc", "mac", "gac"):
                if not inference.startswith(name[:3]):
                    continue
                left = propagate(csp, cast(Any, inference))
                for assignment in true:
                    lost = [v for v, value in zip(domains, assignment, strict=True) if value not in (left or {})[v]]
                    demand(f"csp {name}", not lost, f"propagation loses a value of {lost}")
        tally["solutions"] += sum((true or Counter[Any]()).values())

    def smaller(self, case: Case) -> Iterator[Case]:
        if len(case["engines"]) > 1:
            yield from ({**case, "engines": [name]} for name in case["engines"])
        for index in range(len(case["constraints"])):
            yield {**case, "constraints": case["constraints"][:index] + case["constraints"][index + 1 :]}
        for index, values in enumerate(case["domains"]):
            for place in range(len(values)):
                fewer = values[:place] + values[place + 1 :]
                yield {**case, "domains": [*case["domains"][:index], fewer, *case["domains"][index + 1 :]]}


def _engine(name: str) -> CSPEngine:
    found = engine(name)
    assert isinstance(found, CSPEngine)
    return found


def _value(said: Any) -> Any:
    return Fraction(*said) if isinstance(said, list) else said


def _flat(said: Any) -> Iterator[Any]:
    if isinstance(said, list):
        for one in said:
            yield from _flat(one)
    else:
        yield said


def _key(assignment: Mapping[Any, Any]) -> tuple[Any, ...]:
    return tuple(assignment.values())


def _every(csp: CSP) -> Counter[tuple[Any, ...]]:
    """All solutions: those assignments that each constraint allows."""
    found = Counter[tuple[Any, ...]]()
    for values in product(*csp.domains.values()):
        held = dict(zip(csp.domains, values, strict=True))
        if all(said.satisfied([held[variable] for variable in said.scope]) for said in csp.constraints):
            found[values] += 1
    return found


def _made(said: Sequence[Any], number: int) -> Constraint:
    kind, first, *rest = said
    name, scope = f"{number}: {kind}", [f"v{i}" for i in first]
    if kind == "all different":
        return AllDifferent(scope, name)
    if kind == "sum":
        return Sum(scope, _value(rest[0]), name)
    if kind == "linear":
        return Linear(dict(zip(scope, rest[0], strict=True)), rest[1], rest[2], name)
    if kind == "among":
        return Among(scope, _value(rest[0]), rest[1], rest[2], name)
    if kind == "stretch":
        return Stretch(scope, rest[0], name)
    if kind == "vectors":
        return NotEqualVectors(scope, [f"v{i}" for i in rest[0]], name)
    if kind == "binary":
        return Binary(scope[0], scope[1], _RELATIONS[rest[0]], name)
    if kind == "element":
        return Element(scope[0], scope[1], _FUNCTIONS[rest[0]], _FUNCTIONS[rest[1]], name)
    return Relation(scope, _RELATIONS[rest[0]], name)
