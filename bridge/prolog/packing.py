"""Values of Prolog as plain data; `lpbridge_terms.pl` is its other end.

    >>> encode(Term("f", (1, "text", Atom("a"))))
    [True, 't', [[3, 'f'], 1, [None, 'text'], 'a']]

Plain data can also be sent between processes. A value with parts is packed flat, as a list of tokens, each value before
its parts: nothing that reads them can then run out of stack.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, time
from enum import Enum
from fractions import Fraction
from numbers import Integral
from typing import Any, NamedTuple

from bridge.errors import InputError
from bridge.prolog.terms import Atom, Blob, Dict, String, Term, Variable, domain_of, parts_of

#: janus writes out an integer in hexadecimal digits, and Prolog takes quadratic time to read them: up to so many bits
#: that is fast, and a larger integer is packed in pieces.
_BITS = 4096


#: The types of values that are packed as tokens; the empty list is not.
_WITH_PARTS = (list, Term, dict)


def encode(value: Any, met: list[Variable] | None = None) -> Any:
    """A Python value as plain data for Prolog; InputError for a value that has no counterpart, and for a cyclic one.

    `met` gets the variables in it.
    """
    if isinstance(value, list) and not value:
        return []
    if isinstance(value, _WITH_PARTS):
        return [True, "t", list(_tokens(value, [] if met is None else met))]
    if met is not None and isinstance(value, Variable):
        met.append(value)
    return _encode_atomic(value)


def constraints_of(variables: Iterable[Variable]) -> list[Term]:
    """The constraints of some variables, and of the variables in these constraints; each once."""
    goals: dict[Term, None] = {}
    waiting = list(variables)
    while waiting:
        new = [goal for goal in waiting.pop().constraints if goal not in goals]
        goals.update(dict.fromkeys(new))
        waiting += [variable for goal in new for variable in _variables(goal)]
    return list(goals)


def _encode_atomic(value: Any) -> Any:
    if value is None:
        return [True, "v", "_"]
    if isinstance(value, Enum):
        of = value.value
        return _encode_atomic(Atom(of) if isinstance(of, str) else of)
    if isinstance(value, Atom):
        return _text(value)
    if isinstance(value, Blob):
        raise InputError(f"{value} cannot go back to Prolog", hint="keep it in the program, under a name")
    if isinstance(value, str):
        return [None, _text(value)]
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return int(value) if value.bit_length() <= _BITS else _pieces(value)
    if isinstance(value, float):
        return float(value)
    if isinstance(value, Fraction):
        return [True, "q", _encode_atomic(value.numerator), _encode_atomic(value.denominator)]
    if isinstance(value, Variable):
        return [True, "v", value.name]
    if isinstance(value, date | time):
        return [None, value.isoformat()]
    if isinstance(value, Integral):  # of NumPy
        return _encode_atomic(int(value))
    if isinstance(value, tuple):
        raise InputError(f"a tuple means nothing to Prolog: {value!r}", hint="pass a list, or Term(name, arguments)")
    hint = "use numbers, str, Atom, list, Term, dict, Variable or None"
    raise InputError(f"{value!r} is not a term of Prolog", hint=hint)


def _text(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InputError(f"{text!r} is not text", hint="it holds half of a surrogate pair") from None
    return str(text)


def _key(key: Any) -> Any:
    if isinstance(key, bool) or not isinstance(key, str | int):
        raise InputError(f"{key!r} is not a key of a dict in Prolog", hint="use a str or an int")
    return int(key) if isinstance(key, int) else _text(key)


def _tag(value: dict[Any, Any]) -> Any:
    tag = value.tag if isinstance(value, Dict) else None
    return None if tag is None else _key(tag)


def _pieces(value: int) -> list[Any]:
    sign, digits = (-1, -value) if value < 0 else (1, value)
    size = _BITS // 8
    data = digits.to_bytes((digits.bit_length() + 7) // 8, "little")
    pieces = [sign * int.from_bytes(data[start : start + size], "little") for start in range(0, len(data), size)]
    return [True, "i", _BITS, pieces]


def _tokens(value: Any, met: list[Variable]) -> Iterator[Any]:
    """The tokens of tokens//1 in `lpbridge_terms.pl`."""
    within: set[int] = set()  # what the value is inside of: a value inside of itself has no end
    waiting: list[Any] = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, _End):
            within.discard(part.of)
            continue
        if not isinstance(part, _WITH_PARTS) or (isinstance(part, list) and not part):
            yield encode(part, met)
            continue
        if id(part) in within:
            raise InputError("a value that contains itself has no end", hint="Prolog's answer would not end either")
        within.add(id(part))
        waiting.append(_End(id(part)))
        if isinstance(part, Term):
            yield [len(part.arguments), _text(part.name)]
        else:
            yield [-1, len(part)] if isinstance(part, list) else [-3, _tag(part), *map(_key, part)]
        waiting.extend(reversed(parts_of(part)))


class _End(NamedTuple):
    """The end of what has this id."""

    of: int


class Decoder:
    """Makes Python values of plain data from Prolog; within one decoder the same name is the same Variable."""

    def __init__(self) -> None:
        self.variables: dict[str, Variable] = {}

    def value(self, packed: Any) -> Any:
        """The value that was packed."""
        kind = type(packed)
        if kind is str:
            return Atom(packed)
        if kind is not list:
            return packed
        if not packed:
            return []
        if packed[0] is None:
            return String(_text_of(packed[1]))
        match packed[1:]:
            case "t", tokens:
                return self._of_tokens(tokens)
            case "v", name:
                return self._variable(name)
            case "q", numerator, denominator:
                return Fraction(numerator, denominator)
            case "s", codes:
                return Atom(_text_of(codes))
            case "b", text:
                return Blob(text)
        raise AssertionError(f"nothing of the kind {packed[1:2]} is packed")

    def _of_tokens(self, tokens: list[Any]) -> Any:
        # From the end: the parts of a value are there before it is.
        done: list[Any] = []
        for token in reversed(tokens):
            if type(token) is not list or not token or type(token[0]) is not int:
                done.append(self.value(token))
                continue
            kind, of, *keys = token
            if kind >= 0:
                done.append(Term(_text_of(of), tuple([done.pop() for _ in range(kind)])))
            elif kind == -1:
                done.append([done.pop() for _ in range(of)])
            elif kind == -2:
                done.append(_partial([done.pop() for _ in range(of)], done.pop()))
            else:
                done.append(Dict({_text_of(key): done.pop() for key in keys}, _tag_of(of)))
        (value,) = done
        return value

    def goal(self, packed: Any, text: str) -> Term:
        """A goal or clause, with its text."""
        value = self.value(packed)
        return Term(value.name, value.arguments, text) if isinstance(value, Term) else Term(str(value), (), text)

    def constraint(self, packed: Any, text: str) -> Term:
        """A residual goal, hung onto the variables that it constrains."""
        goal = self.goal(packed, text)
        for variable in dict.fromkeys(_variables(goal)):
            variable.constraints.append(goal)
        if goal.name == "in" and len(goal.arguments) == 2 and isinstance(goal.arguments[0], Variable):
            goal.arguments[0].domain = domain_of(goal.arguments[1])
        return goal

    def _variable(self, name: str) -> Variable:
        if name == "_":
            return Variable()
        if name not in self.variables:
            self.variables[name] = Variable(name)
        return self.variables[name]


def _text_of(packed: Any) -> Any:
    """Text that was packed as a string, or as its codes."""
    return "".join(map(chr, packed)) if type(packed) is list else packed


def _tag_of(carried: Any) -> Any:
    """The tag of a dict; None for a variable, which has a name where it stands in other places too."""
    return None if type(carried) is list and carried[:2] == [True, "v"] else _text_of(carried)


def _partial(items: list[Any], tail: Any) -> Term:
    for item in reversed(items):
        tail = Term("[|]", (item, tail))
    assert isinstance(tail, Term)
    return tail


def _variables(term: Any) -> Iterator[Variable]:
    waiting = [term]
    while waiting:
        value = waiting.pop()
        if isinstance(value, Variable):
            yield value
        waiting.extend(reversed(parts_of(value)))
