"""Messages: what SWI-Prolog says of a program while it is loaded."""

from __future__ import annotations

from typing import Any, Literal, Self

from bridge.errors import Place
from bridge.isolation.plain import form_of
from bridge.public import public

#: A message as plain data: kind, file, line, column and text.
MESSAGE = tuple[Literal["error", "warning"], str, int | None, int | None, str]


@public("bridge.prolog")
class Message(str):
    """A message as one line, `rooms.pl:3:7: error: Syntax error: Operator expected`.

    Attributes
    ----------
    kind
        `error` or `warning`, as Prolog says.
    where
        The place that it is about: file, line, and the column where that is known.
    text
        The message alone.
    """

    __slots__ = ("kind", "text", "where")

    kind: Literal["error", "warning"]
    where: Place | None
    text: str

    def __new__(cls, text: str, kind: Literal["error", "warning"] = "warning", where: Place | None = None) -> Self:
        head = f"{where}: " if where else ""
        message = super().__new__(cls, f"{head}{'error: ' if kind == 'error' else ''}{text}")
        message.kind, message.where, message.text = kind, where, text
        return message

    def __getnewargs__(self) -> tuple[Any, ...]:
        return self.text, self.kind, self.where

    @staticmethod
    def unpacked(packed: Any) -> Message:
        """The message of the plain data that `Local.load` gives: kind, file, line, column and text.

        Raises
        ------
        ValueError
            When it is not: the process that sent it may be damaged.
        """
        kind, file, line, column, text = form_of(MESSAGE).read(packed)
        return Message(text, kind, Place(file, line, column))
