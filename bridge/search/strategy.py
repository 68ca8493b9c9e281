"""How to search, as a value with a name: an inference, a variable order, a value order, and whether to begin again.

    >>> Strategy.parse("mac+mrv+degree")
    Strategy(inference='mac', variable_order='mrv+degree', value_order='given', restarts=False)
    >>> str(Strategy("gac", "mrv+wdeg", restarts=True))
    'gac+mrv+wdeg+restarts'

The name says what is switched on; what it does not say is plain: variables in their `first` order, values as `given`,
one run from beginning to end.
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

#: The last word of a strategy that begins again.
RESTARTS = "restarts"

#: The variable orders that learn from failures, so that another run is not the same run again.
LEARNING: tuple[VariableOrder, ...] = ("wdeg", "mrv+wdeg")

_HINT = (
    f"write one of {', '.join(INFERENCES)}, then if you like one of {', '.join(VARIABLE_ORDERS)}, "
    f"then one of {', '.join(VALUE_ORDERS)}, with + between; after wdeg, {RESTARTS} may come last"
)


@dataclass(frozen=True, slots=True)
class Strategy:
    """A way to search.

    Parameters
    ----------
    inference
        What an assignment tells the other variables. `bt`: nothing, each is checked against those assigned before it.
        `fc`: forward checking, its neighbours lose the values that it forbids (R. Haralick, G. Elliott, *Increasing
        tree search efficiency for constraint satisfaction problems*, 1980). `mac`: arc consistency is maintained, at
        the root and after every assignment (D. Sabin, E. Freuder, *Contradicting conventional wisdom in constraint
        satisfaction*, 1994), by AC-3 (A. Mackworth, *Consistency in networks of relations*, 1977).
        `gac`: that, and every all-different is seen as a whole (`bridge.search.matching`).
    variable_order
        Which variable comes next. `first`: the first that is open, in the problem's order. `mrv`: one with the
        minimum of remaining values (Haralick and Elliott's fail-first). `degree`: one with the most open neighbours.
        `mrv+degree`: MRV, ties broken by degree (D. Brélaz, *New methods to color the vertices of a graph*, 1979).
        `wdeg`: the one with the largest weight, which is its number of constraints in the beginning and grows by one
        with each of them that fails. `mrv+wdeg`: the fewest remaining values for its weight, known as dom/wdeg
        (F. Boussemart, F. Hemery, C. Lecoutre, L. Sais, *Boosting systematic search by weighting constraints*, 2004;
        all constraints of a variable count here, open neighbours or not). After a value that failed, these two choose
        anew, with the value gone (two-way branching). Ties that remain go to the first.
    value_order
        Which of its values comes first. `given`: as in the domain. `lcv`: the least constraining, which forbids the
        fewest values of its neighbours (binary constraints are counted); ties as given.
    restarts
        Whether the search gives up and begins again, with what it has learnt, until it has the first solution: a wrong
        choice at the top costs a run and not the rest of one's life. The runs are as long as M. Luby, A. Sinclair and
        D. Zuckerman say (*Optimal speedup of Las Vegas algorithms*, 1993), so that they grow beyond all bounds and the
        search ends. Only for orders with `wdeg`: others learn nothing, and would do the same again.
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


#: The one to take when nothing is known about the problem.
DEFAULT = Strategy("mac", "mrv+degree")
