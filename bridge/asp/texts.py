"""Answer sets as text, as clingo prints them, for those that are only printed: no atom becomes a Python value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bridge.asp import _cffi
from bridge.asp.model import Model, Printed

#: So many texts are made by one call, and so many are kept.
SLICE, MOST = 10_000, 1_000_000


class Printer:
    """Prints the models of a program: each atom once for all of them, but for a large first one."""

    def __init__(self) -> None:
        self._texts: dict[int, str] = {}
        self._first = True

    def print(self, model: Model) -> Printed:
        """What is printed of a model."""
        ids, texts = model._ids, self._texts
        try:
            text = " ".join(map(texts.__getitem__, ids))
        except KeyError:
            text = self._with_others(ids)
        self._first = False
        return Printed(text, model.cost, model.step, model.assignment)

    def _with_others(self, ids: Sequence[int]) -> str:
        """The text of a model with atoms that were not printed yet."""
        texts = self._texts
        if self._first and len(ids) > SLICE:  # often the only one
            return " ".join(_texts(ids))
        if len(texts) > MOST:
            texts.clear()
        fresh = [number for number in ids if number not in texts]
        texts.update(zip(fresh, _texts(fresh), strict=True))
        return " ".join(map(texts.__getitem__, ids))


def _texts(ids: Sequence[int]) -> Iterator[str]:
    for start in range(0, len(ids), SLICE):
        yield from _cffi.texts(ids[start : start + SLICE])
