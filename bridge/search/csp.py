"""Constraint satisfaction problems: variables, domains, neighbours, constraints.

- A **variable** is anything hashable, a **domain** the values that it may have.
- **Neighbours** are variables with a constraint in common.
- An **assignment** gives a value to each variable; a **solution** is one that satisfies every constraint.

A problem is an immutable value, checked when it is made; searches do not change it. (S. Russell, P. Norvig, *Artificial
Intelligence: A Modern Approach*, chapter 6.)

    >>> from bridge.search.constraints import AllDifferent
    >>> print(CSP({"x": [1, 2], "y": [2]}, [AllDifferent(["x", "y"], "x ≠ y")]))
    Variables ['x', 'y']
    Domains {'x': [1, 2], 'y': [2]}
    Neighbors {'x': ['y'], 'y': ['x']}
    Constraints ['x ≠ y']
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from bridge.errors import InputError
from bridge.search.constraints import Constraint
from bridge.search.network import Network, Value, Variable


class CSP:
    """A constraint satisfaction problem.

    Parameters
    ----------
    domains
        The values of each variable in the order in which to try them; a repeated value counts once. A domain may be
        empty: then there is no solution. The variables are in the mapping's order.
    constraints
        The constraints. Their names are unique, and their variables are in `domains`.

    Raises
    ------
    InputError
        A constraint on an unknown variable, or two of the same name.
    """

    def __init__(self, domains: Mapping[Variable, Iterable[Value]], constraints: Iterable[Constraint] = ()) -> None:
        # Equal domains are one object, so that a network compiles them once.
        known: dict[tuple[Value, ...], tuple[Value, ...]] = {}
        self._domains = {
            variable: known.setdefault(each, each)
            for variable, values in domains.items()
            for each in (tuple(values if isinstance(values, range) else dict.fromkeys(values)),)
        }
        self._constraints = tuple(constraints)
        names: set[str] = set()
        for constraint in self._constraints:
            if constraint.name in names:
                raise InputError(f"two constraints are named {constraint.name!r}", hint="give each its own name")
            names.add(constraint.name)
            for variable in constraint.scope:
                if variable not in self._domains:
                    raise InputError(
                        f"constraint {constraint.name!r} is on {variable!r}, which is not a variable",
                        hint="give it a domain",
                    )
        self._neighbours = self._meet()

    @property
    def variables(self) -> tuple[Variable, ...]:
        return tuple(self._domains)

    @property
    def domains(self) -> Mapping[Variable, tuple[Value, ...]]:
        return MappingProxyType(self._domains)

    @property
    def neighbours(self) -> Mapping[Variable, tuple[Variable, ...]]:
        """For each variable those that share a constraint with it, in the order of `variables`."""
        return MappingProxyType(self._neighbours)

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        return self._constraints

    def violated(self, assignment: Mapping[Variable, Value]) -> tuple[Constraint, ...]:
        """The constraints that a complete assignment does not satisfy: none when it is a solution."""
        return tuple(
            constraint
            for constraint in self._constraints
            if not constraint.satisfied([assignment[variable] for variable in constraint.scope])
        )

    def network(self, look: Callable[[], object] = lambda: None) -> Network:
        """The compiled problem; `look` is called from time to time and may raise."""
        network = Network(self._domains, look)
        for constraint in self._constraints:
            constraint.post(network)
            look()
        return network

    def strengthened(self, network: Network) -> Network:
        """A copy of `network` with the stronger propagation that constraints have beside what they post.

        An all-different has one, `bridge.search.matching`. The solutions are the same.
        """
        stronger = network.copy()
        for constraint in self._constraints:
            constraint.strengthen(stronger)
        return stronger

    def _meet(self) -> dict[Variable, tuple[Variable, ...]]:
        met: dict[Variable, set[Variable]] = {variable: set() for variable in self._domains}
        for constraint in self._constraints:
            for variable in constraint.scope:
                met[variable].update(constraint.scope)
        place = {variable: i for i, variable in enumerate(self._domains)}
        return {variable: tuple(sorted(met[variable] - {variable}, key=place.__getitem__)) for variable in met}

    def __str__(self) -> str:
        return "\n".join(
            (
                f"Variables {list(self._domains)}",
                f"Domains { ({variable: list(values) for variable, values in self._domains.items()}) }",
                f"Neighbors { ({variable: list(others) for variable, others in self._neighbours.items()}) }",
                f"Constraints {[constraint.name for constraint in self._constraints]}",
            )
        )

    def __repr__(self) -> str:
        return f"<CSP of {len(self._domains)} variables and {len(self._constraints)} constraints>"
