"""Constraint satisfaction problems: variables, domains, neighbours, constraints.

- A **variable** is anything hashable, a **domain** the values that it may have.
- **Neighbours** are variables with a constraint in common.
- An **assignment** gives a value to each variable; a **solution** is one that satisfies every constraint.

A problem is an immutable value, checked when it is made; searches do not change it. (S. Russell, P. Norvig, *Artificial
Intelligence: A Modern Approach*, chapter 6.)

    >>> from bridge.puzzles.search.constraints import AllDifferent
    >>> print(CSP({"x": [1, 2], "y": [2]}, [AllDifferent(["x", "y"], "x ≠ y")]))
    Variables ['x', 'y']
    Domains {'x': [1, 2], 'y': [2]}
    Neighbors {'x': ['y'], 'y': ['x']}
    Constraints ['x ≠ y']
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType

from bridge.errors import InputError
from bridge.puzzles.search.constraints import Constraint
from bridge.puzzles.search.network import Network, Value, Variable
from bridge.puzzles.search.propagator import nothing


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
        self._names = _names(self._constraints, self._domains, frozenset())
        self._posted: dict[bool, Network] = {}

    def narrowed(self, domains: Mapping[Variable, Iterable[Value]], constraints: Iterable[Constraint] = ()) -> CSP:
        """This problem with smaller domains for some variables, and with more constraints.

        The constraints of this problem are posted once for all that are made of it, such as the instances of a puzzle
        that differ in their clues.

            >>> from bridge.puzzles.search.constraints import AllDifferent
            >>> pair = CSP({"x": [1, 2], "y": [1, 2]}, [AllDifferent("xy", "x ≠ y")])
            >>> pair.narrowed({"x": [2]}).domains["x"], pair.domains["x"]
            ((2,), (1, 2))

        Parameters
        ----------
        domains
            The values that each of these variables keeps. Their order stays as it is, and values that the variable does
            not have are passed over.
        constraints
            Further ones.

        Raises
        ------
        InputError
            A variable that this problem does not have, or two constraints of the same name.
        """
        return _Narrowed(self, domains, constraints)

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

    @cached_property
    def _neighbours(self) -> dict[Variable, tuple[Variable, ...]]:
        met: dict[Variable, set[Variable]] = {variable: set() for variable in self._domains}
        for constraint in self._constraints:
            for variable in constraint.scope:
                met[variable].update(constraint.scope)
        place = {variable: i for i, variable in enumerate(self._domains)}
        return {variable: tuple(sorted(met[variable] - {variable}, key=place.__getitem__)) for variable in met}

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

    def network(self, look: Callable[[], object] = nothing, *, stronger: bool = False) -> Network:
        """The compiled problem.

        Parameters
        ----------
        look
            Called from time to time; it may raise.
        stronger
            With the stronger propagation that constraints have beside what they post. An all-different has one,
            `bridge.puzzles.search.matching`. The solutions are the same.
        """
        network = Network(self._domains, look)
        _post(self._constraints, network, stronger)
        return network

    def strengthened(self, network: Network) -> Network:
        """A copy of `network` with the stronger propagation, added after all that is in it."""
        stronger = network.copy()
        for constraint in self._constraints:
            constraint.strengthen(stronger)
        return stronger

    def _shared(self, look: Callable[[], object], stronger: bool) -> Network:
        """The compiled problem, to be copied; it is kept."""
        if stronger not in self._posted:
            self._posted[stronger] = self.network(look, stronger=stronger)
        return self._posted[stronger]

    def __str__(self) -> str:
        return "\n".join(
            (
                f"Variables {list(self._domains)}",
                f"Domains { ({variable: list(values) for variable, values in self._domains.items()}) }",
                f"Neighbors { ({variable: list(others) for variable, others in self.neighbours.items()}) }",
                f"Constraints {[constraint.name for constraint in self._constraints]}",
            )
        )

    def __repr__(self) -> str:
        return f"<CSP of {len(self._domains)} variables and {len(self._constraints)} constraints>"


class _Narrowed(CSP):
    """A problem made of another one, the base."""

    def __init__(
        self, base: CSP, domains: Mapping[Variable, Iterable[Value]], constraints: Iterable[Constraint]
    ) -> None:
        everything = base._domains
        if not everything.keys() >= domains.keys():
            unknown = next(variable for variable in domains if variable not in everything)
            raise InputError(f"{unknown!r} is not a variable", hint="give it a domain")
        self._base = base
        self._kept = domains
        self._added = tuple(constraints)
        self._constraints = base._constraints + self._added
        self._names = _names(self._added, everything, base._names) if self._added else base._names
        self._posted = {}

    @cached_property
    def _domains(self) -> dict[Variable, tuple[Value, ...]]:  # type: ignore[override]
        kept = {variable: set(values) for variable, values in self._kept.items()}
        return {
            variable: tuple(value for value in values if value in kept[variable]) if variable in kept else values
            for variable, values in self._base._domains.items()
        }

    def network(self, look: Callable[[], object] = nothing, *, stronger: bool = False) -> Network:
        network = self._base._shared(look, stronger).copy(look)
        _post(self._added, network, stronger)
        # Last: relations are compiled for the domains of the base, and so only once.
        network.restrict_all(self._kept)
        return network


def _names(constraints: Iterable[Constraint], variables: Container[Variable], known: frozenset[str]) -> frozenset[str]:
    """The names of constraints, and those known before; InputError for one that is taken, or an unknown variable."""
    every = list(constraints)
    names = known.union([constraint.name for constraint in every])
    scopes = {variable for constraint in every for variable in constraint.scope}
    if len(names) == len(known) + len(every) and all(map(variables.__contains__, scopes)):
        return names
    seen = set(known)
    for constraint in every:
        if constraint.name in seen:
            raise InputError(f"two constraints are named {constraint.name!r}", hint="give each its own name")
        seen.add(constraint.name)
        for variable in constraint.scope:
            if variable not in variables:
                message = f"constraint {constraint.name!r} is on {variable!r}, which is not a variable"
                raise InputError(message, hint="give it a domain")
    return names


def _post(constraints: Sequence[Constraint], network: Network, stronger: bool) -> None:
    for constraint in constraints:
        constraint.post(network)
    if stronger:
        for constraint in constraints:
            constraint.strengthen(network)
