"""How to search, as a value with a name: an inference, a variable order and a value order.

    >>> Strategy.parse("mac+mrv+degree")
    Strategy(inference='mac', variable_order='mrv+degree', value_order='given')
    >>> str(Strategy("fc", value_order="lcv"))
    'fc+lcv'

The name says what is switched on; what it does not say is plain: variables in their `first` order, values as `given`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Self, TypeAlias, cast, get_args

from bridge.errors import InputError

InferenceName: TypeAlias = Literal["bt", "fc", "mac"]
VariableOrder: TypeAlias = Literal["first", "mrv", "degree", "mrv+degree"]
ValueOrder: TypeAlias = Literal["given", "lcv"]

INFERENCES: tuple[InferenceName, ...] = get_args(InferenceName)
VARIABLE_ORDERS: tuple[VariableOrder, ...] = get_args(VariableOrder)
VALUE_ORDERS: tuple[ValueOrder, ...] = get_args(ValueOrder)

_HINT = (
    f"write one of {', '.join(INFERENCES)}, then if you like one of {', '.join(VARIABLE_ORDERS)}, "
    f"then one of {', '.join(VALUE_ORDERS)}, with + between"
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
    variable_order
        Which variable comes next. `first`: the first that is open, in the problem's order. `mrv`: one with the
        minimum of remaining values (Haralick and Elliott's fail-first). `degree`: one with the most open neighbours.
        `mrv+degree`: MRV, ties broken by degree (D. Brélaz, *New methods to color the vertices of a graph*, 1979).
        Ties that remain go to the first.
    value_order
        Which of its values comes first. `given`: as in the domain. `lcv`: the least constraining, which forbids the
        fewest values of its neighbours (binary constraints are counted); ties as given.
    """

    inference: InferenceName = "bt"
    variable_order: VariableOrder = "first"
    value_order: ValueOrder = "given"

    def __post_init__(self) -> None:
        for word, known in (
            (self.inference, INFERENCES),
            (self.variable_order, VARIABLE_ORDERS),
            (self.value_order, VALUE_ORDERS),
        ):
            if word not in known:
                raise InputError(f"no strategy has {word!r} among {', '.join(known)}")

    @classmethod
    def parse(cls, text: str) -> Self:
        """The strategy of a name such as `bt`, `fc+mrv` or `mac+mrv+degree+lcv`.

        Raises
        ------
        InputError
            An unknown word, or words that do not go together; the hint lists those that do.
        """
        inference, *words = text.strip().split("+")
        values = words.pop() if words and words[-1] in VALUE_ORDERS else "given"
        variables = "+".join(words) or "first"
        known = {*INFERENCES, *"+".join(VARIABLE_ORDERS).split("+"), *VALUE_ORDERS}
        for word in (inference, *words):
            if word not in known:
                raise InputError(f"unknown word {word!r} in strategy {text!r}", hint=_HINT)
        if inference not in INFERENCES or variables not in VARIABLE_ORDERS:
            raise InputError(f"the words of strategy {text!r} do not go together", hint=_HINT)
        return cls(inference, variables, cast(ValueOrder, values))

    def __str__(self) -> str:
        parts: list[str] = [self.inference]
        if self.variable_order != "first":
            parts.append(self.variable_order)
        if self.value_order != "given":
            parts.append(self.value_order)
        return "+".join(parts)


#: The one to take when nothing is known about the problem.
DEFAULT = Strategy("mac", "mrv+degree")
