"""Results of Prolog as text: the way from Prolog to Python for untrusted programs.

janus evaluates Python while it converts a term of Prolog: `eval(os:system(...))` is called. Where a program is not
trusted, janus only carries inputs in, and what comes back is one string of text, fetched by libswipl's own
`PL_get_string` and read as data here. `lpbridge_line.pl` is its other end, and has the form of the text.

    >>> parsed(b"l3;i12;s2:ab" + b"n")
    [12, 'ab', None]
"""

from __future__ import annotations

import ctypes
from typing import Any

from bridge.errors import SolverError

_CATCH_EXCEPTION = 0x08


class Library:
    """The functions of libswipl that are needed, in the process where janus has loaded it.

    Parameters
    ----------
    path
        The library's file.
    """

    def __init__(self, path: str) -> None:
        library = ctypes.CDLL(path)  # a call lets other threads of Python run
        word, pointer, number, text = ctypes.c_size_t, ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p
        declared = {
            "PL_predicate": (pointer, [text, number, text]),
            "PL_open_foreign_frame": (word, []),
            "PL_discard_foreign_frame": (None, [word]),
            "PL_new_term_refs": (word, [word]),
            "PL_open_query": (word, [pointer, number, pointer, word]),
            "PL_next_solution": (number, [word]),
            "PL_cut_query": (number, [word]),
            "PL_exception": (word, [word]),
            "PL_get_string": (number, [word, ctypes.POINTER(pointer), ctypes.POINTER(word)]),
        }
        for name, (result, arguments) in declared.items():
            function = getattr(library, name)
            function.restype, function.argtypes = result, arguments
        self.library: Any = library


class Texts:
    """The texts that a predicate of one argument gives, one by one; to be used and closed by one thread.

    Parameters
    ----------
    library
        Where it runs.
    predicate
        A predicate of the module `lpbridge_line`.
    """

    def __init__(self, library: Library, predicate: str) -> None:
        self._pl = library.library
        self._frame = self._pl.PL_open_foreign_frame()
        self._term = self._pl.PL_new_term_refs(1)
        called = self._pl.PL_predicate(predicate.encode(), 1, b"lpbridge_line")
        self._query = self._pl.PL_open_query(None, _CATCH_EXCEPTION, called, self._term)

    def next(self) -> Any:
        """The data of the next text.

        Raises
        ------
        InterruptedError
            When an exception ended the query: an abort, since errors come as data.
        SolverError
            When there is no next one, or it is not text of this form.
        """
        if not self._pl.PL_next_solution(self._query):
            if self._pl.PL_exception(self._query):
                raise InterruptedError
            raise SolverError("SWI-Prolog: no result")
        text, length = ctypes.c_void_p(), ctypes.c_size_t()
        if not self._pl.PL_get_string(self._term, ctypes.byref(text), ctypes.byref(length)):
            raise SolverError("SWI-Prolog: the result is not text")
        return parsed(ctypes.string_at(text, length.value))

    def close(self) -> None:
        """End the query, and undo its bindings."""
        query, self._query = self._query, 0
        if query:
            self._pl.PL_cut_query(query)
            self._pl.PL_discard_foreign_frame(self._frame)


def parsed(data: bytes) -> Any:
    """The data that a text stands for.

    Raises
    ------
    SolverError
        When it is not of the form in `lpbridge_line.pl`.
    """
    try:
        return _parsed(data.decode("latin-1"))
    except (ValueError, IndexError, OverflowError):
        raise SolverError("SWI-Prolog: the result is not in the bridge's form") from None


def _parsed(text: str) -> Any:
    whole: list[Any] = []
    lists: list[tuple[list[Any], int]] = [(whole, 1)]  # those that are open, with the length that each is to have
    place = 0
    while lists:
        items, length = lists[-1]
        if len(items) == length:
            lists.pop()
            continue
        kind = text[place]
        if kind in "ntb":
            items.append({"n": None, "t": True, "b": False}[kind])
            place += 1
            continue
        end = text.index(":" if kind in "su" else ";", place)
        head = text[place + 1 : end]
        place = end + 1
        if kind == "i":
            items.append(_integer(head))
        elif kind == "f":
            items.append(_float(head))
        elif kind == "l":
            inner: list[Any] = []
            items.append(inner)
            lists.append((inner, int(head)))
        elif kind == "s":
            items.append(text[place : place + int(head)])
            place += int(head)
        elif kind == "u":
            characters = []
            for _ in range(int(head)):
                end = text.index(";", place)
                characters.append(chr(int(text[place:end])))
                place = end + 1
            items.append("".join(characters))
        else:
            raise ValueError(kind)
    if place != len(text):
        raise ValueError(place)
    return whole[0]


def _integer(digits: str) -> int:
    return int(digits, 16) if "x" in digits else int(digits)


def _float(text: str) -> float:
    if "Inf" in text or "inf" in text:
        return float("-inf") if text.startswith("-") else float("inf")
    return float("nan") if "NaN" in text or "nan" in text else float(text)
