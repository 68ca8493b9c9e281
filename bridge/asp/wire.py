"""Atoms as plain data, for their way out of a worker: once each; models are then nothing but their numbers."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from typing import Any

from bridge.asp.decode import Atom, Atoms, Constant, Extreme, Function
from bridge.asp.model import Model
from bridge.errors import SolverError


def pack(value: Any) -> Any:
    """A term: numbers and strings as they are, anything else as a list that begins with its kind."""
    if isinstance(value, Constant):
        return ["c", str(value)]
    if isinstance(value, Function):
        return ["f", value.name, [pack(argument) for argument in value.arguments], value.positive]
    if isinstance(value, tuple):
        return ["t", [pack(item) for item in value]]
    if isinstance(value, Extreme):
        return ["e", value.value]
    return value


def unpack(packed: Any) -> Any:
    """The term that was packed.

    Raises
    ------
    ValueError
        When it is not what `pack` makes: it comes from a process that need not be sound.
    """
    match packed:
        case int() | str():
            return packed
        case ["c", str(name)]:
            return Constant(name)
        case ["f", str(name), list(arguments), bool(positive)]:
            return Function(name, tuple([unpack(item) for item in arguments]), positive)
        case ["t", list(items)]:
            return tuple([unpack(item) for item in items])
        case ["e", str(name)]:
            return Extreme(name)
    raise ValueError(f"no term: {type(packed).__name__}")


#: So many atoms are described in one piece.
SLICE = 10_000


class Sender:
    """Models of one process as plain data; each atom is described before it is first used."""

    def __init__(self, atoms: Atoms) -> None:
        self._atoms = atoms
        self._known: set[int] = set()

    def model(self, model: Model) -> Iterator[tuple[Any, int]]:
        """What there is to send, each with its weight: a list of atoms that are new, then the model."""
        ids = model._ids
        if not self._known.issuperset(ids):
            fresh = [number for number in ids if number not in self._known]
            self._known.update(fresh)
            for start in range(0, len(fresh), SLICE):
                described = [(number, self._atoms[number]) for number in fresh[start : start + SLICE]]
                packed = [[n, name, [pack(value) for value in values]] for n, (name, values) in described]
                yield packed, 4 * len(packed)
        data = array("Q", ids).tobytes()
        plain = not (model.cost or model.proved)
        yield data if plain else (data, model.cost, model.priorities, model.proved), len(ids) + 1


class _Received(Atoms):
    """The atoms that a worker has described."""

    __slots__ = ()

    def __missing__(self, number: int) -> Atom:
        raise SolverError("a model has an atom that was not described", hint="its program has harmed its process")


class Receiver:
    """The other side of `Sender`: its own table of atoms, and the models."""

    def __init__(self) -> None:
        self._atoms = _Received()

    def models(self, items: Iterable[Any]) -> Iterator[Model | dict[str, int]]:
        """The models among what was sent, and counters as they were, in their place."""
        atoms = self._atoms
        for item in items:
            if isinstance(item, bytes):
                yield Model(array("Q", item), atoms)
            elif isinstance(item, list):
                atoms.update((number, _atom(name, values)) for number, name, values in item)
            elif isinstance(item, dict):
                yield {"steps": int(item["steps"])}
            else:
                data, cost, priorities, proved = item
                if not (isinstance(cost, tuple) and isinstance(priorities, tuple)):
                    raise ValueError("no cost")
                yield Model(array("Q", data), atoms, cost, priorities, proved)


def _atom(name: Any, values: Any) -> Atom:
    if type(name) is not str:
        raise ValueError("no name of a predicate")
    return name, tuple([unpack(value) for value in values])
