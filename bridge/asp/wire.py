"""Atoms as plain data, for their way out of a worker: once each; models are then nothing but their numbers."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from typing import Any

from bridge.asp.decode import Atom, Atoms, Constant, Extreme, Function, Model


def pack(value: Any) -> Any:
    """A term: numbers and strings as they are, anything else as a tuple that begins with its kind."""
    if isinstance(value, Constant):
        return ("c", str(value))
    if isinstance(value, Function):
        return ("f", value.name, [pack(argument) for argument in value.arguments], value.positive)
    if isinstance(value, tuple):
        return ("t", [pack(item) for item in value])
    if isinstance(value, Extreme):
        return ("e", value.value)
    return value


def unpack(packed: Any) -> Any:
    """The term that was packed."""
    if not isinstance(packed, tuple):
        return packed
    kind, content = packed[:2]
    if kind == "c":
        return Constant(content)
    if kind == "f":
        return Function(content, tuple([unpack(item) for item in packed[2]]), packed[3])
    return tuple([unpack(item) for item in content]) if kind == "t" else Extreme(content)


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
            described = [(number, self._atoms[number]) for number in fresh]
            yield [(n, name, [pack(value) for value in values]) for n, (name, values) in described], 4 * len(fresh)
        data = array("Q", ids).tobytes()
        plain = not (model.cost or model.proved)
        yield data if plain else (data, model.cost, model.priorities, model.proved), len(ids) + 1


class Receiver:
    """The other side of `Sender`: its own table of atoms, and the models."""

    def __init__(self) -> None:
        self._atoms = Atoms()

    def models(self, items: Iterable[Any]) -> Iterator[Model | dict[str, int]]:
        """The models among what was sent, and counters as they were, in their place."""
        atoms = self._atoms
        for item in items:
            if isinstance(item, bytes):
                yield Model(array("Q", item), atoms)
            elif isinstance(item, list):
                atoms.update((number, _atom(name, values)) for number, name, values in item)
            elif isinstance(item, dict):
                yield item
            else:
                data, cost, priorities, proved = item
                yield Model(array("Q", data), atoms, cost, priorities, proved)


def _atom(name: str, values: list[Any]) -> Atom:
    return name, tuple([unpack(value) for value in values])
