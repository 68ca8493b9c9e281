"""Answers of any program in one form, so that those of clingo, Prolog and Python can be compared.

An **answer** is a set of atoms, each a name and a tuple of arguments, as in `bridge.asp`:

    >>> sorted(written(atom) for atom in answer({"queen": [(1, 2), (2, 4)]}))
    ['queen(1,2)', 'queen(2,4)']

- Of a clingo program it is the set of shown atoms.
- Of a Prolog goal it is the set of terms of the shown predicates that occur in the values of its variables; where
  nothing is said to be shown, it is the values themselves: `X = 1`.
- A Python function yields mappings from predicates to rows, lists of `("queen", 1, 2)`, or lists of dataclasses and
  NamedTuples; a mapping from names to single values is one of variables.

What the languages write differently is the same here: a Prolog atom or string, a text of Python, and a constant or a
string of clingo with the same characters; a list and a tuple. Within one language, what it tells apart is told apart: a
constant and a string of clingo, an atom and a string of Prolog, 1 and 1.0.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from itertools import chain
from numbers import Integral
from typing import Any

from bridge.asp.decode import BARE, Atom, Constant, Extreme, Function, encode, is_name, term_name
from bridge.asp.decode import written as fact_text
from bridge.asp.reading.outline import Signature
from bridge.common.rows import field_names, is_record
from bridge.common.texts import Name, Quoted
from bridge.errors import InputError, brief


class Real(Name):
    """A number that is no integer, as Prolog writes it."""

    __slots__ = ()


#: An answer: its atoms.
Answer = frozenset[Atom]


def value(of: Any) -> Any:
    """A term of clingo, Prolog or Python in the common form; InputError for what is not a ground term."""
    if isinstance(of, bool):
        return str(of).lower()
    if isinstance(of, Integral):
        return int(of)
    if isinstance(of, str):
        return of if isinstance(of, Name | Quoted) else str(of)
    if isinstance(of, Extreme):
        return of.value
    if isinstance(of, Function):
        return Function(of.name if of.positive else f"-{of.name}", tuple(map(value, of.arguments)))
    cls: Any = type(of)
    if is_record(cls):
        return Function(term_name(cls), tuple([value(getattr(of, name)) for name in field_names(cls)]))
    if isinstance(of, list | tuple):
        return tuple(map(value, of))
    if cls.__module__.startswith("bridge.prolog"):  # Python functions are run without Prolog
        return _of_prolog(of)
    if isinstance(of, float):
        return Real(float.__repr__(of))
    if cls.__name__ == "Fraction":
        return Real(f"{of.numerator}r{of.denominator}")
    raise InputError(f"{brief(of)} is not a value of an answer", hint="numbers, texts, tuples, lists, dataclasses")


def _of_prolog(of: Any) -> Any:
    from bridge.prolog import Term

    if isinstance(of, Term):
        if of.name == "," and len(of.arguments) == 2:
            first, rest = of.arguments
            items = [first]
            while isinstance(rest, Term) and rest.name == "," and len(rest.arguments) == 2:
                first, rest = rest.arguments
                items.append(first)
            return tuple(map(value, [*items, rest]))
        return Function(of.name, tuple(map(value, of.arguments)))
    raise InputError(f"an answer is not ground: {of}", hint="label the variables, or let the goal bind them")


def answer(of: Any) -> Answer:
    """What a Python function yields as an answer; InputError for what is none."""
    if isinstance(of, Mapping):
        return frozenset(atom for name, rows in of.items() for atom in _named(name, rows))
    cls: Any = type(of)
    if isinstance(of, str) or is_record(cls) or not isinstance(of, Iterable):
        of = [of]
    return frozenset(map(_atom, of))


def _named(name: Any, rows: Any) -> Iterator[Atom]:
    if not isinstance(name, str):
        raise InputError(f"{brief(name)} names no predicate", hint='{"cell": [(1, 1, 2), ...]}')
    if name[:1].isupper() or isinstance(rows, str) or not isinstance(rows, Collection):
        yield name, (value(rows),)
        return
    for row in rows:
        yield name, tuple(map(value, row)) if isinstance(row, Sequence) and not isinstance(row, str) else (value(row),)


def _atom(of: Any) -> Atom:
    cls: Any = type(of)
    if isinstance(of, Function) or is_record(cls):
        found = value(of)
        return found.name, found.arguments
    if isinstance(of, tuple) and of and isinstance(of[0], str):
        return str(of[0]), tuple(map(value, of[1:]))
    if isinstance(of, str) and is_name(of):
        return str(of), ()
    raise InputError(f"{brief(of)} is not an atom of an answer",
                     hint='yield {"cell": [(1, 1, 2), ...]}, or [("cell", 1, 1, 2), ...]')


def of_atoms(atoms: Iterable[Atom], show: Collection[Signature] | None = None) -> Answer:
    """The atoms of an answer set, of some predicates or all, without auxiliary ones (`__...`)."""
    return frozenset(
        (name, tuple(map(value, arguments)))
        for name, arguments in atoms
        if (not name.startswith("__") if show is None else (name, len(arguments)) in show)
    )


def of_bindings(bindings: Mapping[str, Any], show: Collection[Signature] | None = None) -> Answer:
    """The values of a goal's variables, or the terms of some predicates that occur in them."""
    if show is None:
        return frozenset((name, (value(each),)) for name, each in bindings.items())
    from bridge.prolog import Term

    found = set[Atom]()
    waiting = list(bindings.values())
    while waiting:
        part = waiting.pop()
        if isinstance(part, str) and (part, 0) in show:
            found.add((str(part), ()))
        elif isinstance(part, Term):
            if (part.name, len(part.arguments)) in show:
                found.add((part.name, tuple(map(value, part.arguments))))
            else:
                waiting += part.arguments
        elif isinstance(part, list):
            waiting += part
    return frozenset(found)


def written(atom: Atom) -> str:
    """An atom as people read it: as clingo writes it, and `X = 1` of a variable."""
    name, arguments = atom
    if name in ("", BARE):
        return _written(arguments[0] if name == BARE else arguments)
    if name[:1].isupper() and len(arguments) == 1:
        return f"{name} = {_written(arguments[0], '[]')}"
    return f"{name}({','.join(map(_written, arguments))})" if arguments else name


def _written(of: Any, around: str = "()") -> str:
    if isinstance(of, Function):
        inner = ",".join(_written(each, around) for each in of.arguments)
        return f"{of.name}({inner})" if inner else of.name
    if isinstance(of, tuple):
        inner = ",".join(_written(each, around) for each in of)
        return f"{around[0]}{inner}{',' if len(of) == 1 and around == '()' else ''}{around[1]}"
    bare = isinstance(of, int | Real) or (not isinstance(of, Quoted) and is_name(of))
    return str(of) if bare else encode(of)


def in_order(of: Iterable[Atom]) -> list[Atom]:
    """Atoms in a fixed order, numbers by their size."""
    return sorted(of, key=lambda atom: (atom[0], len(atom[1]), _key(atom[1])))


def _key(of: Any) -> tuple[Any, ...]:
    if isinstance(of, Function):
        return (3, of.name, len(of.arguments), tuple(map(_key, of.arguments)))
    if isinstance(of, tuple):
        return (2, "", len(of), tuple(map(_key, of)))
    return (0, "", of, ()) if isinstance(of, int) else (1, of, 0, ())


def text(of: Iterable[Atom]) -> str:
    """An answer in a line."""
    return " ".join(map(written, in_order(of)))


def facts_text(atoms: Iterable[Atom]) -> str:
    """Atoms as facts for clingo."""
    return "".join(f"{fact_text(atom)}.\n" for atom in atoms)


def clauses_text(atoms: Iterable[Atom], known: Iterable[Signature] = ()) -> str:
    """Atoms as clauses for Prolog; the predicates that are `known` exist, whether or not there are any.

    Raises InputError for a term that Prolog has in no form: `#inf`, `#sup`.
    """
    from bridge.prolog.terms import quoted

    groups: dict[Signature, list[str]] = {one: [] for one in known}
    for name, arguments in atoms:
        clause = f"{prolog_term(Function(name, arguments), fact=True)}."
        groups.setdefault((name, len(arguments)), []).append(clause)
    lines = [f":- dynamic({quoted(name)}/{arity})." for name, arity in sorted(groups)]
    return "\n".join([*lines, *chain(*groups.values())]) + "\n"


def prolog_term(of: Any, *, fact: bool = False) -> Any:
    """A term of a fact as Prolog has it; or one of an answer: there texts of Python are atoms, and tuples lists."""
    from bridge.prolog import Atom as PrologAtom
    from bridge.prolog import String, Term

    if isinstance(of, Function):
        name = of.name if of.positive else f"-{of.name}"
        arguments = tuple(prolog_term(each, fact=fact) for each in of.arguments)
        return Term(name, arguments) if arguments else PrologAtom(name)
    if isinstance(of, tuple):
        items = [prolog_term(each, fact=fact) for each in of]
        if fact and len(items) < 2:
            raise InputError(f"{encode(of)} is not a term of Prolog", hint="a tuple has two items or more there")
        return reduce(lambda rest, item: Term(",", (item, rest)), reversed(items)) if fact else items
    if isinstance(of, Real):
        return Fraction(of.replace("r", "/")) if "r" in of else float(of)
    if isinstance(of, str):
        return String(of) if isinstance(of, Quoted) or (fact and not isinstance(of, Constant)) else PrologAtom(of)
    if isinstance(of, int):
        return of
    raise InputError(f"{encode(of)} is not a term of Prolog")
