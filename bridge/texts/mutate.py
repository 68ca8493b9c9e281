"""The text of what `mutate` found."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bridge.common.english import plural

if TYPE_CHECKING:
    from bridge.comparison.mutate import Mutation, Status, Tried

_TOLD: dict[Status, str] = {
    "noticed": "noticed",
    "survived": "not noticed",
    "undecided": "not decided",
    "invalid": "no program",
}


def mutation_text(found: Mutation, *, every: bool = False) -> str:
    """The mutants that were not noticed, or all, and their numbers."""
    return "\n".join(_lines(found, every))


def _lines(found: Mutation, every: bool) -> Iterator[str]:
    for one in found.mutants:
        if every or one.status in ("survived", "undecided"):
            yield f"{_TOLD[one.status]}: {one.change.diff}"
            if one.how is not None:
                yield f"  {_on(one)}{one.how}"
    numbers = [f"{len(some):,} {said}" for status, said in _TOLD.items() if (some := found.of(status))]
    yield f"{plural(len(found.mutants), 'mutant')} on {found.scope}: {', '.join(numbers) or 'none'}"
    yield from (f"note: {note}" for note in found.notes)


def _on(one: Tried) -> str:
    if one.by is None:
        return ""
    return f"{one.by.file or str(one.by) or 'no facts'}: "
