"""A search strategy as a value with a name: inference, variable order, value order and restarts.

    >>> Strategy.parse("mac+mrv+degree")
    Strategy(inference='mac', variable_order='mrv+degree', value_order='given', restarts=False)
    >>> str(Strategy("gac", "mrv+wdeg", restarts=True))
    'gac+mrv+wdeg+restarts'

What a name leaves out has its default: variables in the problem's order (`first`), values as `given`, no restarts.

`gac` is MAC with a matching propagator for all-different (domain consistency). Other constraints are propagated as
under `mac`: sums, for example, stay bounds-consistent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Self, TypeAlias, cast, get_args

from bridge.errors import InputError

InferenceName: TypeAlias = Literal["bt", "fc", "mac", "gac"]
VariableOrder: TypeAlias = Literal["first", "mrv", "degree", "mrv+degree", "wdeg", "mrv+wdeg"]
ValueOrder: TypeAlias = Literal["given", "lcv"]

INFERENCES: tuple[InferenceName, ...] = get_args(InferenceName)
VARIABLE_ORDERS: tuple[VariableOrder, ...] = get_args(VariableOrder)
VALUE_ORDERS: tuple[ValueOrder, ...] = get_args(ValueOrder)

#: The last word of a strategy with restarts.
RESTARTS = "restarts"

#: The variable orders that learn from failures, so that a restart does not repeat the run.
LEARNING: tuple[VariableOrder, ...] = ("wdeg", "mrv+wdeg")

_HINT = (
    f"write one of {', '.join(INFERENCES)}, then if you like one of {', '.join(VARIABLE_ORDERS)}, "
    f"then one of {', '.join(VALUE_ORDERS)}, with + between; after wdeg, {RESTARTS} may come last"
)


@dataclass(frozen=True, slots=True)
class Strategy:
    """A search strategy.

    Parameters
    ----------
    inference
        The propagation after an assignment. `bt`: none, each variable is checked against those assigned before it.
        `fc`: forward checking, values that it forbids are removed from its neighbours (R. Haralick, G. Elliott,
        *Increasing tree search efficiency for constraint satisfaction problems*, 1980). `mac`: arc consistency is
        maintained, at the root and after every assignment (D. Sabin, E. Freuder, *Contradicting conventional wisdom in
        constraint satisfaction*, 1994), by AC-3 (A. Mackworth, *Consistency in networks of relations*, 1977).
        `gac`: MAC, with matching for every all-different (`bridge.puzzles.search.matching`).
    variable_order
        The next variable. `first`: the first that is open, in the problem's order. `mrv`: one with the
        minimum of remaining values (Haralick and Elliott's fail-first). `degree`: one with the most open neighbours.
        `mrv+degree`: MRV, ties broken by degree (D. Brélaz, *New methods to color the vertices of a graph*, 1979).
        `wdeg`: the one with the largest weight, which is its number of constraints in the beginning and grows by one
        with each of them that fails. `mrv+wdeg`: the fewest remaining values for its weight, known as dom/wdeg
        (F. Boussemart, F. Hemery, C. Lecoutre, L. Sais, *Boosting systematic search by weighting constraints*, 2004;
        all constraints of a variable count here, open neighbours or not). After a value that failed, these two choose
        anew, with the value gone (two-way branching). Ties that remain go to the first.
    value_order
        The order of its values. `given`: as in the domain. `lcv`: the least constraining, which forbids the
        fewest values of its neighbours (binary constraints are counted); ties as given.
    restarts
        Whether the search restarts, with the weights learnt so far, until the first solution, so that a wrong choice
        near the root does not cost the whole search. The lengths of the runs are the sequence of M. Luby, A. Sinclair
        and D. Zuckerman (*Optimal speedup of Las Vegas algorithms*, 1993), which is unbounded, so that the search
        ends. Only for orders with `wdeg`: others learn nothing and would repeat the same run.
    """

    inference: InferenceName = "bt"
    variable_order: VariableOrder = "first"
    value_order: ValueOrder = "given"
    restarts: bool = False

    def __post_init__(self) -> None:
        for word, known in (
            (self.inference, INFERENCES),
            (self.variable_order, VARIABLE_ORDERS),
            (self.value_order, VALUE_ORDERS),
        ):
            if word not in known:
                raise InputError(f"no strategy has {word!r} among {', '.join(known)}")
        if self.restarts and self.variable_order not in LEARNING:
            raise InputError(f"the words of strategy {str(self)!r} do not go together", hint=_HINT)

    @classmethod
    def parse(cls, text: str) -> Self:
        """The strategy of a name such as `bt`, `fc+mrv` or `mac+mrv+degree+lcv`.

        Raises
        ------
        InputError
            An unknown word, or words that do not go together; the hint lists those that do.
        """
        inference, *words = text.strip().split("+")
        restarts = words[-1:] == [RESTARTS]
        if restarts:
            words.pop()
        values = words.pop() if words and words[-1] in VALUE_ORDERS else "given"
        variables = "+".join(words) or "first"
        known = {*INFERENCES, *"+".join(VARIABLE_ORDERS).split("+"), *VALUE_ORDERS, RESTARTS}
        for word in (inference, *words):
            if word not in known:
                raise InputError(f"unknown word {word!r} in strategy {text!r}", hint=_HINT)
        if inference not in INFERENCES or variables not in VARIABLE_ORDERS:
            raise InputError(f"the words of strategy {text!r} do not go together", hint=_HINT)
        return cls(inference, variables, cast(ValueOrder, values), restarts)

    def __str__(self) -> str:
        parts: list[str] = [self.inference]
        if self.variable_order != "first":
            parts.append(self.variable_order)
        if self.value_order != "given":
            parts.append(self.value_order)
        if self.restarts:
            parts.append(RESTARTS)
        return "+".join(parts)


#: The default, for problems of which nothing is known.
DEFAULT = Strategy("mac", "mrv+degree")
