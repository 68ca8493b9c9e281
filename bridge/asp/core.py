"""Unsatisfiable cores: which assumptions clash."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bridge.asp.types import Assumption

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


def smaller(clash: list[Clash], core_of: Callable[[list[int]], list[int]]) -> list[Clash]:
    """A core without assumptions that are there only because of their order.

    Where an assumption is refuted by those before it, clingo's core is all of them. So the last, which does matter,
    goes to the front, and clingo solves again, until each one has been there and the core gets no smaller.
    `core_of` gives the core of some literals, or nothing when it does not find one.
    """
    literals, unchanged = [literal for literal, _ in clash], 0
    while len(literals) > 1 and unchanged < len(literals):
        literals = literals[-1:] + literals[:-1]
        found = set(core_of(literals))
        if not found:
            break
        kept = [literal for literal in literals if literal in found]  # clingo's has externals, too
        unchanged = unchanged + 1 if len(kept) == len(literals) else 0
        literals = kept
    return [(literal, assumption) for literal, assumption in clash if literal in literals]
