"""The cheapest constraints that forbid every wrong answer: a weighted hitting set, by clingo.

>>> list(covers([{0, 1}, {1, 2}, {0, 2}], {0: 1.0, 1: 3.0, 2: 1.5}))
[(0, 2), (0, 1), (1, 2)]
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import partial

import clingo

#: Seconds for one cover: the best that is found until then is taken.
_SECONDS = 0.5

_PROGRAM = """
{ take(B) } :- cost(B,_).
:- kills(A,_), not take(B) : kills(A,B).
#minimize { C,B : take(B), cost(B,C) }.
#program another(n).
:- take(B) : before(n,B).
"""


def covers(wrong: Iterable[Collection[int]], costs: Mapping[int, float], most: int = 12) -> Iterator[tuple[int, ...]]:
    """Sets of numbers, the cheapest first, that have one of each of some sets; none contains another.

    Of those that cost the same, one with fewer numbers comes first.
    """
    least: list[frozenset[int]] = []
    for some in sorted(map(frozenset, wrong), key=len):
        if not any(one <= some for one in least):
            least.append(some)
    if not all(least):
        return
    kills = [f"kills({at},{one})." for at, some in enumerate(least) for one in some]
    prices = [f"cost({one},{round(1000 * cost) + 1})." for one, cost in costs.items()]
    control = clingo.Control(logger=lambda code, text: None)
    control.add("base", [], "\n".join([*kills, *prices, _PROGRAM]))
    control.ground()
    for number in range(most):
        found: list[tuple[int, ...]] = []
        on_model = partial(_take, found)
        with control.solve(async_=True, on_model=on_model) as handle:
            if not handle.wait(_SECONDS):
                handle.cancel()
        if not found:
            return
        yield found[-1]
        control.add("another", ["n"], "".join(f"before({number},{one})." for one in found[-1]))
        control.ground([("another", [clingo.Number(number)])])


def _take(found: list[tuple[int, ...]], model: clingo.Model) -> None:
    taken = (one.arguments[0].number for one in model.symbols(atoms=True) if one.match("take", 1))
    found.append(tuple(sorted(taken)))
