"""Results of Prolog as text: the way from Prolog to Python for untrusted programs.

janus evaluates Python while it converts a term of Prolog: `eval(os:system(...))` is called. Where a program is not
trusted, janus only carries inputs in, and what comes back is one string of text, fetched by libswipl's own
`PL_get_string` and read as data here. `lpbridge_line.pl` is its other end, and has the form of the text.

    >>> parsed(b'[12, "ab", null, {"integer": "ff"}]')
    [12, 'ab', None, 255]
"""

from __future__ import annotations

import ctypes
import json
from typing import Any

from bridge.errors import SolverError

_CATCH_EXCEPTION = 0x08
_ATOM, _INTEGER, _BOOL, _FORCE = 2, 3, 17, 0x8000  # of flags


class Library:
    """The functions of libswipl that are needed, in the process where janus has loaded it."""

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
            "PL_set_prolog_flag": (number, [text, number]),  # and the value
            "PL_clear_exception": (None, []),
        }
        for name, (result, arguments) in declared.items():
            function = getattr(library, name)
            function.restype, function.argtypes = result, arguments
        self.library: Any = library

    def set_flag(self, name: str, value: int | str | bool) -> None:
        """Set a flag of Prolog that no program may set. (SWI-Prolog of some age refuses it here, too, and it stays.)"""
        kind = _BOOL if isinstance(value, bool) else _INTEGER if isinstance(value, int) else _ATOM
        given = ctypes.c_char_p(value.encode()) if isinstance(value, str) else ctypes.c_ssize_t(value)
        if not self.library.PL_set_prolog_flag(name.encode(), kind | _FORCE, given):
            self.library.PL_clear_exception()


class Texts:
    """The texts that a predicate of `lpbridge_line` gives, one by one; to be used and closed by one thread."""

    def __init__(self, library: Library, predicate: str) -> None:
        self._pl = library.library
        self._frame = self._pl.PL_open_foreign_frame()
        self._term = self._pl.PL_new_term_refs(1)
        called = self._pl.PL_predicate(predicate.encode(), 1, b"lpbridge_line")
        self._query = self._pl.PL_open_query(None, _CATCH_EXCEPTION, called, self._term)

    def next(self) -> Any:
        """The data of the next text.

        Raises InterruptedError when an exception ended the query: an abort, since errors come as data; SolverError when
        there is no next one, or it is not text of this form.
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
    """The data that a text stands for; SolverError when it is not of the form in `lpbridge_line.pl`."""
    try:
        return json.loads(data.decode("latin-1"), object_hook=_number, parse_constant=_number)
    except (ValueError, RecursionError):
        raise SolverError("SWI-Prolog: the result is not in the bridge's form") from None


def _number(special: dict[str, Any] | str) -> int | float:
    """A number that JSON does not have: a large integer, a float that is not finite."""
    match special:
        case {"integer": str(digits)}:
            return int(digits, 16)
        case {"float": str(word)}:
            return float("nan" if "nan" in word.lower() else "-inf" if word.startswith("-") else "inf")
    raise ValueError(special)
