"""Patterns of facts: what reads a fact from tokens of a text, and prints the tokens of a fact.

    >>> pattern = pattern_of(Function("sum", (Constant("key"), Constant("number"))))
    >>> str(pattern), pattern.fact({"key": [Constant("a")], "number": [12]})
    ('sum(key,number)', ('sum', ('a', 12)))
    >>> pattern.match(("sum", ("b", 3)))
    {'key': ['b'], 'number': [3]}

A **placeholder** is an argument that a token, or the place of a token, gives a value to. Others stand for themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from bridge.asp import Constant, Function, encode
from bridge.asp.reading import Atom, written
from bridge.errors import InputError, Place, brief

#: What may stand for a value in a pattern.
PLACEHOLDERS = ("row", "column", "number", "word", "value", "key", "line", "group", "position", "side", "index")

#: Placeholders for what a token holds.
READ = ("number", "word", "value")

#: The longest list of terms, in characters.
_LONGEST = 1 << 22

#: The values of placeholders, those of a name in the order in which they stand.
Values = Mapping[str, list[Any]]


@dataclass(frozen=True)
class Pattern:
    """A fact with placeholders.

    Attributes
    ----------
    name
        The predicate.
    arguments
        Terms; a placeholder is a `Constant` with its name.
    """

    name: str
    arguments: tuple[Any, ...]

    @property
    def signature(self) -> tuple[str, int]:
        return self.name, len(self.arguments)

    @cached_property
    def placeholders(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self._parts if name)

    @cached_property
    def read(self) -> tuple[str, ...]:
        """The placeholders of what a token holds, in order."""
        return tuple(name for name in self.placeholders if name in READ)

    @cached_property
    def _parts(self) -> tuple[tuple[str, Any], ...]:
        """Each argument with the name of the placeholder that it is; empty for what stands for itself."""
        return tuple((str(one) if is_placeholder(one) else "", one) for one in self.arguments)

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        """The tokens of a line, in order: `cell`, which is a row and a column, `number`, `word`, `value`."""
        found, tokens = self.placeholders, list[str]()
        for number, name in enumerate(found):
            if name == "row":
                tokens.append("cell" if found[number + 1 : number + 2] == ("column",) else "number")
            elif name == "column" and (number == 0 or found[number - 1] != "row"):
                tokens.append("number")
            elif name in READ:
                tokens.append(name)
        return tuple(tokens)

    @cached_property
    def _several(self) -> bool:
        """Whether a placeholder stands in it several times."""
        return len(set(self.placeholders)) < len(self.placeholders)

    def fact(self, values: Values) -> Atom:
        """The fact with these values."""
        if not self._several:
            return self.name, tuple([values[name][0] if name else one for name, one in self._parts])
        left = {name: iter(those) for name, those in values.items()}
        return self.name, tuple(next(left[name]) if name else one for name, one in self._parts)

    @cached_property
    def _cells(self) -> list[tuple[int, int]]:
        """The positions of rows and columns among the arguments."""
        names = [name for name, _ in self._parts]
        rows, columns = ([place for place, name in enumerate(names) if name == what] for what in ("row", "column"))
        return list(zip(rows, columns, strict=False))

    @cached_property
    def _fixed(self) -> list[tuple[int, Any]]:
        """The arguments that stand for themselves, with their positions."""
        return [(place, one) for place, (name, one) in enumerate(self._parts) if not name]

    def fits(self, fact: Atom) -> bool:
        """Whether it can be a fact of this pattern."""
        name, arguments = fact
        return (
            name == self.name
            and len(arguments) == len(self.arguments)
            and all(arguments[place] == one and same_sort(arguments[place], one) for place, one in self._fixed)
        )

    def cells(self, fact: Atom) -> list[tuple[Any, Any]]:
        """The cells in a fact that fits."""
        return [(fact[1][row], fact[1][column]) for row, column in self._cells]

    def match(self, fact: Atom) -> dict[str, list[Any]] | None:
        """The values of the placeholders in a fact; None when it is none of this pattern."""
        if not self.fits(fact):
            return None
        found: dict[str, list[Any]] = {}
        for (placeholder, _), value in zip(self._parts, fact[1], strict=True):
            if placeholder:
                found.setdefault(placeholder, []).append(value)
        return found

    def __str__(self) -> str:
        return written((self.name, self.arguments))


@dataclass(frozen=True, slots=True)
class Field:
    """A part of a line: a pattern, once, repeated, or repeated in groups."""

    pattern: Pattern
    repeat: Literal["once", "each", "groups"] = "once"


def same_sort(one: Any, other: Any) -> bool:
    """Whether equal terms are of one sort: a text is equal to the constant of that name, and a string of an answer."""
    if isinstance(one, str) and isinstance(other, str):
        return isinstance(one, Constant) is isinstance(other, Constant)
    return type(one) is type(other)


def is_placeholder(term: Any) -> bool:
    return isinstance(term, Constant) and term in PLACEHOLDERS


def pattern_of(term: Any) -> Pattern | None:
    """The pattern that a term stands for; None when it is none."""
    if isinstance(term, Function):
        return Pattern(term.name, term.arguments) if term.positive else None
    return Pattern(str(term), ()) if isinstance(term, Constant) and not is_placeholder(term) else None


def fields_of(term: Any) -> tuple[Field, ...] | None:
    """The parts of a line; None when the term has another form.

    Only the last part may be repeated.
    """
    terms = parts_of(term)
    found = list[Field]()
    for number, one in enumerate(terms):
        repeat: Literal["once", "each", "groups"] = "once"
        if isinstance(one, Function) and one.name == "groups" and len(one.arguments) == 1:
            repeat, one = "groups", one.arguments[0]
        if isinstance(one, Function) and one.name == "each" and len(one.arguments) == 1:
            repeat, one = "groups" if repeat == "groups" else "each", one.arguments[0]
        elif repeat == "groups":
            return None
        pattern = pattern_of(one)
        if pattern is None or (repeat != "once" and number != len(terms) - 1):
            return None
        found.append(Field(pattern, repeat))
    return tuple(found) or None


def parts_of(term: Any) -> tuple[Any, ...]:
    """The parts of a tuple; another term is its only part."""
    return term if isinstance(term, tuple) and not isinstance(term, Function) else (term,)


def shown(value: Any) -> str:
    """A term as people read it: strings without quotes, the parts of a tuple joined."""
    if isinstance(value, str):
        return str(value)
    if isinstance(value, tuple) and not isinstance(value, Function):
        return "".join(map(shown, value))
    return encode(value)


def parse_terms(text: str, place: Place) -> list[Any]:
    """Terms with commas between them.

    Raises
    ------
    InputError
        When they are none.
    """
    from bridge.asp.reading import term
    from bridge.asp.running import value_of

    if len(text) > _LONGEST or text.count("(") > 100_000:
        raise InputError("the facts are too long", where=place)
    try:
        found = value_of(term(f"({text},)"))
    except InputError as error:
        raise InputError(f"{brief(text)} is not a list of facts", where=place, hint="p(1,2), q(a)") from error
    return list(found)


def atom_of(term: Any, place: Place) -> Atom:
    """The fact that a term is.

    Raises
    ------
    InputError
        When it is none.
    """
    if isinstance(term, Constant):
        return str(term), ()
    if isinstance(term, Function) and term.positive:
        return term.name, term.arguments
    raise InputError(f"{encode(term)} is not a fact", where=place, hint="facts are such as cage(1,2,a)")
