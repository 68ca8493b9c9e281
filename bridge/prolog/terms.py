"""Prolog's terms as Python values.

| Prolog                | Python                                                                  |
|-----------------------|-------------------------------------------------------------------------|
| integer, float        | `int` of any size, `float`                                              |
| rational `1r3`        | `fractions.Fraction`                                                    |
| string `"text"`       | `String("text")`, a `str`, as it is taken, too                          |
| atom `red`            | `Atom("red")`, a `str` of another type                                   |
| list                  | `list`                                                                  |
| compound `f(1, X)`    | `Term("f", (1, X))`                                                     |
| dict `point{x: 1}`    | `Dict({"x": 1}, tag="point")`; a plain `dict` on the way in             |
| variable              | `Variable`, with its name, and in an answer its domain and constraints  |
| stream, clause, ...   | `Blob("<stream>(0x...)")`, which means something to its own process only |

On the way in, `None` is a fresh variable, a `Variable` with a name is one variable wherever the name occurs, and a
tuple has no meaning: write `Term`. A cyclic term comes as the toplevel shows it: a variable with a residual goal
`_S1 = f(_S1)`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import isfinite, isnan
from typing import Any
from uuid import uuid4

from bridge.common.texts import Name, Quoted
from bridge.errors import InputError
from bridge.public import public


@public("bridge.prolog")
class Atom(Name):
    """An atom such as `red`: equal to the text of its name, but not of type `str` itself, and to no `String`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Atom({str(self)!r})"


@public("bridge.prolog")
class String(Quoted):
    """A string of an answer, such as `"red"`: equal to its text, and not to the atom of that name."""

    __slots__ = ()


@public("bridge.prolog")
class Blob(str):
    """Something that has no written form in Prolog either, such as a stream: the text that Prolog prints for it."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Blob({str(self)!r})"


@public("bridge.prolog")
class Dict(dict[str | int, Any]):
    """A dict of SWI-Prolog; `tag` is None when it is anonymous. Equal to any `dict` with the same items."""

    __slots__ = ("tag",)

    def __init__(self, items: Mapping[str | int, Any] | None = None, tag: Any = None) -> None:
        super().__init__(items or {})
        self.tag = tag

    def __repr__(self) -> str:
        return f"Dict({super().__repr__()}, tag={self.tag!r})"


@public("bridge.prolog")
class Term:
    """A compound term `name(arguments)`: an immutable value.

    `str(term)` is what Prolog prints, where the term came from Prolog as a residual goal, and otherwise its canonical
    text: quoted, without operators, and read by Prolog as an equal term (where no stream or other `Blob` is in it).
    Terms may be nested as deeply as memory allows: nothing here recurs.
    """

    __slots__ = ("arguments", "name", "text")
    __match_args__ = ("name", "arguments")

    def __init__(self, name: str, arguments: tuple[Any, ...], text: str | None = None) -> None:
        self.name = name
        self.arguments = arguments
        self.text = text

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Term):
            return NotImplemented
        pairs: list[tuple[Any, Any]] = [(self, other)]
        while pairs:
            left, right = pairs.pop()
            if left is right:
                continue
            if isinstance(left, Term) and isinstance(right, Term):
                if left.name != right.name or len(left.arguments) != len(right.arguments):
                    return False
                pairs.extend(zip(left.arguments, right.arguments, strict=True))
            elif isinstance(left, list) and isinstance(right, list):
                if len(left) != len(right):
                    return False
                pairs.extend(zip(left, right, strict=True))
            elif left != right:
                return False
        return True

    def __hash__(self) -> int:
        return hash(tuple(_hashes(self)))

    def __str__(self) -> str:
        return self.text if self.text is not None else "".join(_written(self, canonical))

    def __repr__(self) -> str:
        return "".join(_written(self, repr))

    # To be copied and pickled without recursion: as a list of parts, each after its own.

    def __reduce__(self) -> tuple[Any, ...]:
        return Term.__new__, (Term,), _parts(self)

    def __setstate__(self, parts: list[tuple[Any, ...]]) -> None:
        self.name, self.arguments, self.text = _joined(parts)

    def __copy__(self) -> Term:
        return Term(self.name, self.arguments, self.text)


def parts_of(value: Any) -> Sequence[Any]:
    """What a term, a list or a dict consists of; nothing of any other value."""
    if isinstance(value, Term):
        return value.arguments
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else ()


def _parts(term: Term) -> list[tuple[Any, ...]]:
    """A term's parts, the term itself last: `(kind, what, indices of its parts)`; each part is there once."""
    parts: list[tuple[Any, ...]] = []
    places: dict[int, int] = {}
    opened: set[int] = set()
    waiting: list[Any] = [term]
    while waiting:
        value = waiting[-1]
        inner = parts_of(value)
        missing = [] if id(value) in places else [part for part in inner if id(part) not in places]
        if missing:
            if id(value) in opened:
                raise InputError("a value that contains itself has no end")
            opened.add(id(value))
            waiting.extend(missing)
            continue
        waiting.pop()
        if id(value) not in places:
            places[id(value)] = len(parts)
            parts.append((*_kind(value), [places[id(part)] for part in inner]))
    return parts


def _kind(value: Any) -> tuple[str, Any]:
    """The kind of a value, and what it has beside its parts."""
    if isinstance(value, Term):
        return "term", (value.name, value.text)
    if isinstance(value, Dict):
        return "Dict", (list(value), value.tag)
    if isinstance(value, dict):
        return "dict", list(value)
    return ("list", None) if isinstance(value, list) else ("other", value)


def _joined(parts: list[tuple[Any, ...]]) -> tuple[str, tuple[Any, ...], str | None]:
    """Name, arguments and text of the term that was taken apart."""
    done: list[Any] = []
    for kind, what, indices in parts:
        inner = [done[index] for index in indices]
        if kind == "term":
            done.append(Term(what[0], tuple(inner), what[1]))
        elif kind == "Dict":
            done.append(Dict(dict(zip(what[0], inner, strict=True)), what[1]))
        elif kind == "dict":
            done.append(dict(zip(what, inner, strict=True)))
        else:
            done.append(inner if kind == "list" else what)
    term = done[-1]
    return term.name, term.arguments, term.text


def _hashes(term: Any) -> Iterator[int]:
    waiting = [term]
    while waiting:
        value = waiting.pop()
        if isinstance(value, Term):
            yield hash((value.name, len(value.arguments)))
        else:
            yield len(value) if isinstance(value, list | dict) else hash(value)
        if not isinstance(value, dict):
            waiting.extend(parts_of(value))


class _Text(str):
    """Text that is written already."""

    __slots__ = ()


def _written(term: Any, atomic: Callable[[Any], str]) -> Iterator[str]:
    """The parts of a term's text: for Prolog with `canonical`, and for Python with `repr`."""
    waiting = [term]
    while waiting:
        value = waiting.pop()
        if isinstance(value, _Text):
            yield value
        elif isinstance(value, Term) and (atomic is repr or value.text is None):
            if atomic is repr:
                opened, closed = f"Term({value.name!r}, (", ",))" if len(value.arguments) == 1 else "))"
            else:
                opened, closed = f"{quoted(value.name)}(", ")"
            waiting.append(_Text(closed))
            waiting.extend(_between(value.arguments))
            yield opened
        elif isinstance(value, list):
            waiting.append(_Text("]"))
            waiting.extend(_between(value))
            yield "["
        elif isinstance(value, dict) and atomic is not repr:
            tag = getattr(value, "tag", None)
            waiting.append(_Text("}"))
            items = [[_Text(f"{_key(key)}: "), item] for key, item in value.items()]
            for index, (key, item) in enumerate(reversed(items)):
                waiting.extend([_Text(", "), item, key] if index else [item, key])
            yield f"{'_' if tag is None else _key(tag)}{{"
        elif isinstance(value, Term):
            yield f"({value.text})"  # it may have operators
        else:
            yield atomic(value)


def text_of(value: Any) -> str:
    """The text of a value; of a list as Prolog writes it."""
    return "".join(_written(value, canonical)) if isinstance(value, list) else str(value)


def _key(key: str | int) -> str:
    if isinstance(key, int):
        return str(key)
    return quoted(key) if key[:1] in _WORD else _between_quotes(key, "'")


def canonical(value: Any) -> str:
    """The text of a value without parts, as Prolog reads it."""
    if value is None:
        return "_"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Atom):
        name = quoted(value)
        return name if name[0] in _WORD else f"({name})"  # it may be an operator
    if isinstance(value, str) and not isinstance(value, Blob):
        return _between_quotes(value, '"')
    if isinstance(value, float):
        if isfinite(value):
            mantissa, e, exponent = repr(float(value)).partition("e")
            return f"{mantissa}{'' if '.' in mantissa else '.0'}{e}{exponent}"
        return "1.5NaN" if isnan(value) else "1.0Inf" if value > 0 else "-1.0Inf"
    if isinstance(value, Fraction) and value.denominator > 1:
        return f"{value.numerator}r{value.denominator}"
    if isinstance(value, Variable):
        return value.name if _VARIABLE.fullmatch(value.name) else "_"
    return str(value)


_WORD = {*"abcdefghijklmnopqrstuvwxyz"}
_PLAIN = re.compile(r"[a-z][A-Za-z0-9_]*|[-#$&*+./:<=>?@^~\\]+|!|;|\{\}")
_VARIABLE = re.compile(r"[A-Z_][A-Za-z0-9_]*")
_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\t": "\\t"}


def quoted(name: str) -> str:
    """The text of an atom, in quotes where Prolog needs them."""
    if _PLAIN.fullmatch(name) and name != "." and "/*" not in name:
        return str(name)
    return _between_quotes(name, "'")


def _between_quotes(text: str, quote: str) -> str:
    escaped = (
        _ESCAPES.get(char) or (f"\\{quote}" if char == quote else char if _stands(char) else f"\\x{ord(char):x}\\")
        for char in text
    )
    return f"{quote}{''.join(escaped)}{quote}"


def _stands(char: str) -> bool:
    return char.isprintable() or char > "\uffff"  # SWI-Prolog 9.2.9 does not read all codes of the latter


def _between(items: tuple[Any, ...] | list[Any]) -> Iterator[Any]:
    """The items with commas between them, the last first."""
    for index, item in enumerate(reversed(items)):
        if index:
            yield _Text(", ")
        yield item


@public("bridge.prolog")
class Domain:
    """A finite-domain variable's possible values: disjoint intervals in ascending order, both ends included.

    An end is None where there is no bound (`inf`, `sup`).
    """

    __slots__ = ("intervals",)

    def __init__(self, intervals: tuple[tuple[int | None, int | None], ...]) -> None:
        self.intervals = intervals

    def __eq__(self, other: object) -> bool:
        return self.intervals == other.intervals if isinstance(other, Domain) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.intervals)

    def __contains__(self, value: int) -> bool:
        return any((a is None or a <= value) and (b is None or value <= b) for a, b in self.intervals)

    def __iter__(self) -> Iterator[int]:
        for low, high in self.intervals:
            if low is None or high is None:
                raise InputError(f"the domain {self} is not finite")
            yield from range(low, high + 1)

    def __str__(self) -> str:
        return "\\/".join(str(a) if a == b and a is not None else _interval(a, b) for a, b in self.intervals)

    def __repr__(self) -> str:
        return f"Domain({self.intervals!r})"


def _interval(low: int | None, high: int | None) -> str:
    return f"{'inf' if low is None else low}..{'sup' if high is None else high}"


def domain_of(term: Any) -> Domain:
    r"""A domain as clpfd writes it, `1..3\/5`, as intervals."""
    intervals: list[tuple[int | None, int | None]] = []
    waiting = [term]
    while waiting:  # not by recursion: a domain with many holes is nested as often
        part = waiting.pop()
        if isinstance(part, int):
            intervals.append((part, part))
        elif isinstance(part, Term) and part.name == "\\/" and len(part.arguments) == 2:
            waiting.extend(reversed(part.arguments))
        elif isinstance(part, Term) and part.name == ".." and len(part.arguments) == 2:
            low, high = part.arguments
            intervals.append((None if low == "inf" else low, None if high == "sup" else high))
        else:
            raise InputError(f"{term} is not a domain")
    return Domain(tuple(intervals))


@public("bridge.prolog")
class Variable:
    """A variable: unbound, or open between the values that its constraints allow.

    Attributes
    ----------
    name
        As the toplevel names it: the query's own name, or `_A`, `_B`; a variable that stands alone is `_`.
    domain
        Its finite domain (`X in 1..3`), None where it has none.
    constraints
        The residual goals that it occurs in, its domain among them.

    Two variables are equal when they have the same name and it is not `_`. A variable `_` is equal to itself and to
    its copies only.
    """

    __slots__ = ("_mark", "constraints", "domain", "name")

    def __init__(self, name: str = "_") -> None:
        self.name = name
        self.domain: Domain | None = None
        self.constraints: list[Term] = []
        self._mark: str | None = None  # what an anonymous variable shares with its copies, from the first copy on

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Variable):
            return NotImplemented
        if self is other:
            return True
        return self.name == other.name and (self.name != "_" or (self._mark is not None and self._mark == other._mark))

    def __reduce__(self) -> tuple[Any, ...]:
        if self.name == "_" and self._mark is None:
            self._mark = uuid4().hex
        state = {"_mark": self._mark, "constraints": self.constraints, "domain": self.domain}
        return Variable, (self.name,), (None, state)

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"Variable({self.name!r})" if self.domain is None else f"Variable({self.name!r}, {self.domain})"

    def __str__(self) -> str:
        return self.name
