"""The errors that lpbridge raises. Each says what is wrong, where, and what to do.

    >>> raise InputError("row 3 has 8 cells, not 9", where=Place("problem.txt", 3), hint="add a cell")
    Traceback (most recent call last):
    bridge.InputError: problem.txt:3: row 3 has 8 cells, not 9; add a cell

All are subclasses of `BridgeError`. `kind` is the word that `--json` prints; it is part of the contract.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal

from bridge.as_json import Json
from bridge.public import public

#: What ended a search before it was complete. The last two occur only with a process of its own: the program ended the
#: process itself (`halt/0`), or the process died (a crash, a kill from outside).
LimitName = Literal["seconds", "solutions", "nodes", "memory", "gap", "interrupt", "halt", "crash"]


@public("bridge")
@dataclass(frozen=True, slots=True)
class Place(Json):
    """A place in a text: file, line and column. Lines and columns count from 1; None where not known.

    In JSON that has been parsed, `path` is the place: keys of objects, and indices from 0 of lists.
    Who has the text turns it into line and column.
    """

    file: str | None = None
    line: int | None = None
    column: int | None = None
    path: tuple[str | int, ...] = field(default=(), compare=False, repr=False)

    def inside(self, *path: str | int) -> Place:
        """The place at a path inside the JSON document that begins here."""
        return replace(self, path=path)

    _json = ("file line column",)

    def __str__(self) -> str:
        parts = [self.file or "<text>"]
        parts += [str(number) for number in (self.line, self.column) if number is not None]
        return ":".join(parts)


def brief(value: object, longest: int = 80) -> str:
    """A value as `repr` shows it, cut where it is too long for an error message."""
    try:
        text = repr(value)
    except Exception:  # of a class of the caller's, or nested too deeply; the message is about something else
        text = f"an instance of {type(value).__name__}"
    return text if len(text) <= longest else f"{text[: longest - 3]}..."


@public("bridge")
class BridgeError(Exception):
    """Base class of all errors raised by lpbridge.

    `partial` is the outcome up to the error, if something had been found before it.

    Parameters
    ----------
    message
        What is wrong, in one line.
    where
        The place in the input, if there is one.
    hint
        What to do about it, in a few words.
    """

    kind: ClassVar[str] = "error"

    def __init__(self, message: str, *, where: Place | None = None, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.where = where
        self.hint = hint
        self.partial: Any = None

    def __str__(self) -> str:
        text = f"{self.where}: {self.message}" if self.where else self.message
        return f"{text}; {self.hint}" if self.hint else text

    def to_json(self) -> dict[str, Any]:
        """The error as the command line prints it under `--json`."""
        inner: dict[str, Any] = {"kind": self.kind, "message": self.message}
        inner["where"] = str(self.where) if self.where else None
        if self.hint:
            inner["hint"] = self.hint
        about = {"kind": self.kind, "message": self.message, **(self.where or Place()).to_json(), "hint": self.hint}
        return {"error": inner, "errors": [about]}

    def pack(self) -> tuple[Any, ...]:
        """The error as plain data, to be sent to another process."""
        where = (self.where.file, self.where.line, self.where.column) if self.where else None
        return self.kind, self.message, where, self.hint

    @staticmethod
    def unpack(packed: tuple[Any, ...]) -> BridgeError:
        """The error that was packed.

        Raises
        ------
        ValueError
            When the data are not a packed error: the process that sent them may be damaged.
        """
        kind, message, where, hint, *more = packed
        if not (isinstance(message, str) and isinstance(hint, str | None)):
            raise ValueError("no error")
        if where is not None:
            file, line, column = where
            if not (isinstance(file, str | None) and isinstance(line, int | None) and isinstance(column, int | None)):
                raise ValueError("no place")
        known: list[type[BridgeError]] = [BridgeError, *BridgeError.__subclasses__()]
        by_kind = {each.kind: each for each in known}
        return by_kind[kind]._unpacked(message, Place(*where) if where else None, hint, *more)

    @classmethod
    def _unpacked(cls, message: str, where: Place | None, hint: str | None) -> BridgeError:
        return cls(message, where=where, hint=hint)


@public("bridge")
class InputError(BridgeError):
    """The text, the file or the call is wrong."""

    kind = "input"


@public("bridge")
class OutputError(BridgeError):
    """The output cannot be written: a full disk, a quota, a limit on the size of files, a closed stream."""

    kind = "output"


@public("bridge")
class ProgramError(BridgeError):
    """A logic program is wrong: a syntax error, an unsafe rule, an unknown predicate, a type error at run time.

    Attributes
    ----------
    term
        The term that a Prolog program threw, as a Python value (`error(type_error(integer, a), context(...))`); None
        where there is none.
    backtrace
        The program's goals that were running, the innermost first, as Prolog prints them.
    others
        Further errors of the program that were found with this one, in its order.
    """

    kind = "program"

    def __init__(self, message: str, *, where: Place | None = None, hint: str | None = None, term: Any = None,
                 backtrace: Sequence[str] = (), others: Sequence[BridgeError] = ()) -> None:
        super().__init__(message, where=where, hint=hint)
        self.term = term
        self.backtrace = tuple(backtrace)
        self.others = tuple(others)

    def __str__(self) -> str:
        return "\n".join([super().__str__(), *map(str, self.others)])

    def to_json(self) -> dict[str, Any]:
        data = super().to_json()
        if self.others:
            others = [one.to_json() for one in self.others]
            data["error"]["others"] = [one["error"] for one in others]
            data["errors"] += [each for one in others for each in one["errors"]]
        if self.backtrace:
            data["error"]["backtrace"] = list(self.backtrace)
        return data

    def pack(self) -> tuple[Any, ...]:
        """As of any error, with the term, which is to be plain data here."""
        return *super().pack(), self.term, list(self.backtrace), [one.pack() for one in self.others]

    @classmethod
    def _unpacked(cls, message: str, where: Place | None, hint: str | None, term: Any = None, backtrace: Any = (),
                  others: Any = ()) -> BridgeError:
        if not all(isinstance(line, str) for line in backtrace):
            raise ValueError("no backtrace")
        more = [BridgeError.unpack(tuple(one)) for one in others]
        return cls(message, where=where, hint=hint, term=term, backtrace=backtrace, others=more)


@public("bridge")
class UnsupportedError(BridgeError):
    """The request is not available: for this engine, this variant of a problem, this machine. The hint says what is."""

    kind = "unsupported"


def too_deep() -> UnsupportedError:
    """What a RecursionError means to a user: terms are read one within the other."""
    return UnsupportedError("a term is nested too deeply", hint="keep it below some hundred levels")


@public("bridge")
class BusyError(BridgeError):
    """Everything that could do it is busy, and as much waits as may."""

    kind = "busy"


@public("bridge")
class LimitError(BridgeError):
    """A limit came before there was a result.

    Attributes
    ----------
    limit
        Which one.
    """

    kind = "limit"
    limit: LimitName = "seconds"


@public("bridge")
class MissingSolverError(BridgeError):
    """A solver is not installed, too old, or not usable. The hint says how to get it."""

    kind = "missing-solver"


@public("bridge")
class SolverError(BridgeError):
    """A solver failed: its process died, or its answer violates the rules of the problem."""

    kind = "solver"


@public("bridge")
class DisagreementError(BridgeError):
    """Two engines gave different answers to the same question; at least one is wrong."""

    kind = "disagreement"
