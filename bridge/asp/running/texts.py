"""Answer sets as text, as clingo prints them, for those that are only printed: no atom becomes a Python value."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from time import perf_counter
from typing import Any

from bridge.asp import internals
from bridge.asp.model import Model, More, Printed

#: So many texts are made by one call, and so many are kept.
SLICE, MOST = 10_000, 1_000_000

#: Answers are together until they have so many characters, and so many more each, or have taken so many seconds.
PAGE, EACH, PATIENCE = 1 << 16, 128, 0.02


class Printer:
    """Prints the models of a program: each atom once for all of them, but for a large first one.

    With `together` answers wait for others. While the next one is searched for, another thread can `take` them.
    """

    def __init__(self, together: bool) -> None:
        self._texts: dict[int, str] = {}
        self._first = True
        self._page: list[str] = []
        self._together, self._taking = together, threading.Lock()

    def take(self) -> list[str]:
        """The answers that are waiting. From any thread, also while one is added."""
        with self._taking:
            taken = self._page[:]
            del self._page[: len(taken)]
        return taken

    def reader(self, read: Callable[[], Any], more: More | None) -> Callable[[], Printed | None]:
        """A function that reads models, prints them, and returns those that were found together."""
        ended = False
        most = PAGE if self._together and more is None else 0

        def read_page() -> Printed | None:
            nonlocal ended
            until, size, add = perf_counter() + PATIENCE, 0, self._page.append
            while not ended and (found := read()) is not None:
                if type(found) is Model:  # with values of a theory's variables
                    return Printed([self._print(found._ids)], found.step, found.assignment)
                text = self._print(found)
                add(text)
                size += len(text) + EACH
                if size > most or perf_counter() > until:
                    break
            else:
                ended = True
            texts = self.take()
            return Printed(texts, more and more.step) if texts or not ended else None

        return read_page

    def _print(self, ids: Sequence[int]) -> str:
        try:
            text = " ".join(map(self._texts.__getitem__, ids))
        except KeyError:
            text = self._with_others(ids)
        self._first = False
        return text

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
        yield from internals.texts(ids[start : start + SLICE])
