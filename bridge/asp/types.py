"""Types of what is passed to clingo. Terms, atoms and program text are passed as text."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

#: The part that is ground last, after the last step of an incremental program: statements about all of it.
LAST_PART = "__last"
#: The predicate of the switches (`bridge.asp.reading.names`).
SWITCH = "__switch"

#: A literal assumed: `"queen(1,5)"`, `"not queen(1,5)"`, or a number from `literals`.
Assumption = int | str


class OpenBlock(NamedTuple):
    """The plain facts of a predicate that are open (`Switching.facts`), but for those of some literals."""

    name: str
    arity: int
    but: tuple[int, ...] = ()


#: How answer sets are enumerated; `count` only counts them. All but `optimal` and `bounded`, which also gives what is
#: proved of the cost, ignore `#minimize`.
Mode = Literal["models", "first", "count", "brave", "cautious", "optimal", "bounded"]
#: A part of a program and its arguments, as text: `("step", ("3",))`.
Part = tuple[str, tuple[str, ...]]
#: Where a program comes from: `("file", path)` or `("text", text)`.
Source = tuple[Literal["file", "text"], str]
#: What a theory (clingo-dl, clingcon) gives a variable: an integer, a float of clingo-dl's `--rdl`, or a term as text.
Value = int | float | str
#: What a search projects to: nothing, or what is shown or, where there are `#project` statements, what they say; or one
#: of these whether or not there are such statements.
Projection = bool | Literal["show", "project"]
#: Of each switch its name and values, with the arguments of the atoms that its rules are about; then those of each
#: constraint without a switch.
Mentions = tuple[list[tuple[tuple[Any, ...], list[tuple[Any, ...]]]], list[list[tuple[Any, ...]]]]
