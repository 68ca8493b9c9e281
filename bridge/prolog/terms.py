"""Prolog's terms as Python values.

| Prolog                | Python                                                                  |
|-----------------------|-------------------------------------------------------------------------|
| integer, float        | `int` of any size, `float`                                              |
| rational `1r3`        | `fractions.Fraction`                                                    |
| string `"text"`       | `str`                                                                   |
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

from collections.abc import Iterator, Mapping
from typing import Any
from uuid import uuid4

from bridge.errors import InputError
from bridge.public import public


@public("bridge.prolog")
class Atom(str):
    """An atom such as `red`: equal to the text of its name, but not of type `str` itself."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Atom({str(self)!r})"


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

    `str(term)` is what Prolog prints, where the term came from Prolog as a residual goal, and otherwise a canonical
    form. Terms may be nested as deeply as memory allows: nothing here recurs.
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
        return self.text if self.text is not None else "".join(_written(self, str))

    def __repr__(self) -> str:
        return "".join(_written(self, repr))

    # To be copied and pickled without recursion: as a list of parts, each after its own.

    def __reduce__(self) -> tuple[Any, ...]:
        return Term.__new__, (Term,), _parts(self)

    def __setstate__(self, parts: list[tuple[Any, ...]]) -> None:
        self.name, self.arguments, self.text = _joined(parts)

    def __copy__(self) -> Term:
        return Term(self.name, self.arguments, self.text)


def _parts(term: Term) -> list[tuple[Any, ...]]:
    """A term's parts, the term itself last: `(kind, what, indices of its parts, more)`; each part is there once."""
    parts: list[tuple[Any, ...]] = []
    places: dict[int, int] = {}
    opened: set[int] = set()
    waiting: list[Any] = [term]
    while waiting:
        value = waiting[-1]
        if id(value) in places:
            waiting.pop()
            continue
        inner: list[Any] = []
        if isinstance(value, Term):
            inner = list(value.arguments)
        elif isinstance(value, list):
            inner = value
        elif isinstance(value, dict):
            inner = list(value.values())
        missing = [part for part in inner if id(part) not in places]
        if missing:
            if id(value) in opened:
                raise InputError("a value that contains itself has no end")
            opened.add(id(value))
            waiting.extend(missing)
            continue
        waiting.pop()
        places[id(value)] = len(parts)
        indices = [places[id(part)] for part in inner]
        if isinstance(value, Term):
            parts.append(("term", value.name, indices, value.text))
        elif isinstance(value, list):
            parts.append(("list", None, indices))
        elif isinstance(value, Dict):
            parts.append(("dict", list(value), indices, value.tag))
        else:
            parts.append(("dict", list(value), indices) if isinstance(value, dict) else ("other", value, indices))
    return parts


def _joined(parts: list[tuple[Any, ...]]) -> tuple[str, tuple[Any, ...], str | None]:
    """Name, arguments and text of the term that was taken apart."""
    done: list[Any] = []
    for kind, what, indices, *more in parts[:-1]:
        inner = [done[index] for index in indices]
        if kind == "term":
            done.append(Term(what, tuple(inner), *more))
        elif kind == "list":
            done.append(inner)
        elif kind == "dict":
            items = dict(zip(what, inner, strict=True))
            done.append(Dict(items, *more) if more else items)
        else:
            done.append(what)
    _, name, indices, text = parts[-1]
    return name, tuple(done[index] for index in indices), text


def _hashes(term: Any) -> Iterator[int]:
    waiting = [term]
    while waiting:
        value = waiting.pop()
        if isinstance(value, Term):
            yield hash((value.name, len(value.arguments)))
            waiting.extend(value.arguments)
        elif isinstance(value, list):
            yield len(value)
            waiting.extend(value)
        else:
            yield len(value) if isinstance(value, dict) else hash(value)


class _Text(str):
    """Text that is written already."""

    __slots__ = ()


def _written(term: Any, atomic: Any) -> Iterator[str]:
    """The parts of a term's text: canonical for `str`, and as Python for `repr`."""
    waiting = [term]
    while waiting:
        value = waiting.pop()
        if isinstance(value, _Text):
            yield value
        elif isinstance(value, Term) and (atomic is repr or value.text is None):
            if atomic is repr:
                opened, closed = f"Term({value.name!r}, (", ",))" if len(value.arguments) == 1 else "))"
            else:
                opened, closed = f"{value.name}(", ")"
            waiting.append(_Text(closed))
            waiting.extend(_between(value.arguments))
            yield opened
        elif isinstance(value, list):
            waiting.append(_Text("]"))
            waiting.extend(_between(value))
            yield "["
        else:
            yield atomic(value)


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
