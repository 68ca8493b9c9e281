"""Answer sets as text, as clingo prints them, for those that are only printed: no atom becomes a Python value."""

from __future__ import annotations

import threading
from array import array
from collections.abc import Callable, Iterator, Sequence
from time import perf_counter
from typing import Any

from bridge.asp import _cffi
from bridge.asp.model import Model, More, Printed

#: So many texts are made by one call, and so many are kept.
SLICE, MOST = 10_000, 1_000_000

#: Answers are together until they have so many characters, and so many more each, or have taken so many seconds.
PAGE, EACH, PATIENCE = 1 << 16, 128, 0.02

#: So many atoms of a large model are looked up at once: in most models of a program they are the same.
CHUNK = 32

#: So many of these may be new at first; from then on, half of them.
FREE = 10_000


class _Chunks(dict[bytes, str]):
    """The texts of atoms that stand together, by the numbers of their symbols."""

    def __init__(self, text: Callable[[Sequence[int]], str]) -> None:
        super().__init__()
        self._text, self.missed = text, 0

    def __missing__(self, chunk: bytes) -> str:
        self.missed += 1
        if len(self) * CHUNK > MOST:
            self.clear()
        text = self[chunk] = self._text(array("Q", chunk))
        return text


class Printer:
    """Prints the models of a program: each atom once for all of them, but for a large first one.

    With `together` answers wait for others. While the next one is searched for, another thread can `take` them.
    """

    def __init__(self, together: bool) -> None:
        self._texts: dict[int, str] = {}
        self._chunks, self._found = _Chunks(self._print_each), FREE
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
        if isinstance(ids, array) and not self._first and self._chunks.missed <= self._found:
            data = ids.tobytes()
            self._found += len(ids) // (2 * CHUNK)  # no more than half of them may be new
            return " ".join([self._chunks[data[at : at + 8 * CHUNK]] for at in range(0, len(data), 8 * CHUNK)])
        return self._print_each(ids)

    def _print_each(self, ids: Sequence[int]) -> str:
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
        yield from _cffi.texts(ids[start : start + SLICE])
