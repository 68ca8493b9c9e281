"""Unsatisfiable cores: which assumptions clash, and which of them are enough.

- A **core** is a set of assumptions that cannot hold together; a **MUS** (minimal unsatisfiable subset) one from which
  nothing can be left out.

`shrunk` and `clashes` ask by a function, so that they serve wherever the questions are answered: beside the solver, or
in another process.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from bridge.asp.types import Assumption

T = TypeVar("T", bound=Hashable)

#: Whether some assumptions can hold together, None when a limit came first; if they cannot, a core.
Ask = Callable[[Sequence[T]], tuple[bool | None, Sequence[T]]]

#: Orders in which a core is made smaller. The 32 rules and clues of one Takuzu become 14 in every third order.
ORDERS = 6

#: A literal, and the assumption that it stands for.
Clash = tuple[int, Assumption]


def clashing(core: Sequence[int], literals: Sequence[int], assuming: Sequence[Assumption]) -> list[Clash]:
    """The assumptions that the literals of a core stand for, in the order given; of equal ones the first."""
    wanted = set(core)
    found: dict[int, Assumption] = {}
    for literal, assumption in zip(literals, assuming, strict=True):
        if literal in wanted:
            found.setdefault(literal, assumption)
    return list(found.items())


def smaller(clash: list[Clash], core_of: Callable[[list[int]], list[int]], patience: int | None = None) -> list[Clash]:
    """A core without assumptions that are there only because of their order.

    Where an assumption is refuted by those before it, clingo's core is all of them. So the last, which does matter,
    goes to the front, and clingo solves again, until each one has been there and the core gets no smaller.
    `core_of` gives the core of some literals, or nothing when it does not find one. With `patience`, so many searches
    without a gain are enough.
    """
    literals, unchanged = [literal for literal, _ in clash], 0
    while len(literals) > 1 and unchanged < (len(literals) if patience is None else min(patience, len(literals))):
        literals = literals[-1:] + literals[:-1]
        found = set(core_of(literals))
        if not found:
            break
        remaining = [literal for literal in literals if literal in found]  # clingo's has externals, too
        unchanged = unchanged + 1 if len(remaining) == len(literals) else 0
        literals = remaining
    left = set(literals)
    return [one for one in clash if one[0] in left]


def shrunk(core: Sequence[T], ask: Ask[T]) -> tuple[list[T], bool]:
    """A minimal subset of a core, and whether it was proved to be minimal; those at the front are tried first.

    Deletion with clause set refinement: each time, the solver's core replaces the assumptions (J. Marques-Silva,
    *Minimal unsatisfiability: models, algorithms and applications*, 2010).
    """
    remaining, needed = list(core), 0
    while needed < len(remaining):
        satisfiable, found = ask(remaining[:needed] + remaining[needed + 1 :])
        if satisfiable is None:
            return remaining, False
        if satisfiable:
            needed += 1
        else:  # what is needed among more assumptions is needed among fewer: this core has all of it
            smaller = set(found)
            rest = [one for one in remaining[needed:] if one in smaller]
            # The core consists of assumptions before the one that was refuted. With this one next to those that are
            # needed, the next core is short: a Takuzu's step takes 20 questions in place of 100.
            remaining = [*remaining[:needed], *rest[-1:], *rest[:-1]]
    return remaining, True


def clashes(
    assumptions: Sequence[T],
    ask: Ask[T],
    near: Callable[[Sequence[T]], Iterable[Sequence[T]]],
    size: Callable[[Sequence[T]], Any],
    patience: int = ORDERS,
) -> Iterator[tuple[Sequence[T], bool]]:
    """Cores of some assumptions, better and better, each with whether it is a MUS. None when they can hold together.

    `near` gives subsets that may have a small core, given a first core: they are tried first. `size` is what is to be
    small: a tuple that begins with the number of assumptions. So many orders as `patience` are tried without a gain.
    """
    satisfiable, core = ask(assumptions)
    if satisfiable is not False:
        return
    yield core, False
    best: Any = None
    for left, minimal in _several(assumptions, core, ask, near, patience):
        if best is None or size(left) < best:
            best = size(left)
            yield left, minimal
        if len(left) <= 1:  # there is no smaller one
            return


def _several(
    assumptions: Sequence[T],
    core: Sequence[T],
    ask: Ask[T],
    near: Callable[[Sequence[T]], Iterable[Sequence[T]]],
    patience: int,
) -> Iterator[tuple[Sequence[T], bool]]:
    """MUSes near something; if there are none, those of the core in several orders.

    Which order gives a small one is not known.
    """
    found = False
    for some in near(core):
        satisfiable, inner = (False, core) if len(some) == len(assumptions) else ask(some)
        if satisfiable is False:
            found = True
            yield shrunk(inner, ask)
    if found:
        return
    from random import Random  # here: to solve needs none

    order, random, sizes = list(_again(core, ask)), Random(1), list[int]()
    while len(sizes) < ORDERS:
        left, minimal = shrunk(order, ask)
        yield left, minimal
        sizes.append(len(left))
        if not minimal or len(sizes) - sizes.index(min(sizes)) > patience:
            return
        random.shuffle(order)


def _again(core: Sequence[T], ask: Ask[T]) -> Sequence[T]:
    """The core of a core in another order, as long as it gets smaller: cheaper than deletion one by one."""
    while True:
        satisfiable, found = ask(core[::-1])
        if satisfiable is not False or len(found) >= len(core):
            return core
        core = found
