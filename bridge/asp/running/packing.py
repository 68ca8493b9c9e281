"""What is sent between a program and its worker, as plain data: the calls, and their answers.

An atom is described once, when it is first sent; models are then nothing but the numbers of their atoms. After `MOST`
atoms both sides begin new tables, and a model that was read keeps the table that it was read with. What a worker
sends is checked when it is unpacked, since its program may have harmed its process.
"""

from __future__ import annotations

import gc
from array import array
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from bridge.asp.decode import Atom, Atoms, Constant, Extreme, Function, String
from bridge.asp.model import Model, More, Printed
from bridge.asp.types import Assumption, Mentions, Source, Value
from bridge.common.lazy import load
from bridge.errors import SolverError
from bridge.isolation.plain import Form, form_of

# Terms


def pack(value: Any) -> Any:
    """A term: numbers and texts of Python as they are, anything else as a list that begins with its kind."""
    if isinstance(value, Constant):
        return ["c", str(value)]
    if isinstance(value, String):
        return ["s", str(value)]
    if isinstance(value, Function):
        return ["f", value.name, [pack(argument) for argument in value.arguments], value.positive]
    if isinstance(value, tuple):
        return ["t", [pack(item) for item in value]]
    if isinstance(value, Extreme):
        return ["e", value.value]
    return value


def unpack(packed: Any) -> Any:
    """The term that was packed; a ValueError where it is not what `pack` makes."""
    match packed:
        case int() | str():
            return packed
        case ["c", str(name)]:
            return Constant(name)
        case ["s", str(text)]:
            return String(text)
        case ["f", str(name), list(arguments), bool(positive)]:
            return Function(name, tuple([unpack(item) for item in arguments]), positive)
        case ["t", list(items)]:
            return tuple([unpack(item) for item in items])
        case ["e", str(name)]:
            return Extreme(name)
    raise ValueError(f"no term: {type(packed).__name__}")


# Models

#: So many atoms are described in one piece.
SLICE = 10_000


#: So many atoms are kept on either side.
MOST = 1_000_000


#: So many characters of an answer set are sent in one piece.
PIECE = 1 << 20

#: The form of the values of a theory's variables.
_ASSIGNMENT = form_of(dict[str, Value])

_TEXT = form_of(str)

#: The form of what a printed answer set has beside its text.
_PRINTED = form_of(tuple[int | None, dict[str, Value]])


class Steps(int):
    """How many steps, or solve calls of a script's `main`, there were; sent before the first model of each."""


class Lower(tuple[int, ...]):
    """What no answer set costs less than, by priority; sent when clasp has proved it."""

    __slots__ = ()


class Warned(list[str]):
    """What clingo has warned of when the first answer was found; sent before that."""


@contextmanager
def _no_collection() -> Iterator[None]:
    """Meanwhile garbage is not collected: what is made stays, and a million atoms would be searched again and again."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def pieces(texts: list[str]) -> list[tuple[Any, ...]]:
    """Printed answer sets as they are sent, lines of one text; of a large one, parts come before."""
    if not texts:
        return []
    text = "\n".join(texts)
    *before, last = range(0, len(text) or 1, PIECE)
    return [*(("part", text[start : start + PIECE]) for start in before), ("lines", text[last:])]


class Sender:
    """Answers of one process as plain data; each atom of a model is described before it is first used."""

    def __init__(self, atoms: Atoms) -> None:
        self._atoms = atoms
        self._known: set[int] = set()
        self._steps: int | None = None

    def begin(self) -> None:
        self._steps = None

    def answers(
        self,
        found: Iterable[Any],
        pack_one: Callable[[Any], Any] = lambda answer: answer,
        warnings: Callable[[], list[str]] = list,
    ) -> Iterator[tuple[Any, int]]:
        """What there is to send, each with its weight; models as atoms that are new, and then the model."""
        self.begin()
        for number, answer in enumerate(found):
            if number == 0 and (warned := warnings()):
                yield ("warnings", warned), 1
            if isinstance(answer, Model):
                yield from self.model(answer)
            elif type(answer) is Printed:
                yield from self.printed(answer)
            else:
                yield ("answer", pack_one(answer)), 1

    def printed(self, page: Printed) -> Iterator[tuple[Any, int]]:
        """The texts, the last piece with the rest."""
        items = pieces(page.texts)
        if items and (page.step is not None or page.assignment):
            items[-1] += page.step, _ASSIGNMENT.write(page.assignment)
        yield from ((item, 1 + len(item[1]) // 16) for item in items)

    def model(self, model: Model) -> Iterator[tuple[Any, int]]:
        """The step, if it is another one; atoms that are new; and then the model."""
        ids, more = model._ids, model._more
        if more is not None and more.step is not None and more.step + 1 != self._steps:
            self._steps = more.step + 1
            yield ("steps", self._steps), 1
        if not self._known.issuperset(ids):
            if len(self._known) >= MOST:
                self._known.clear()
                yield ("forget", None), 1
            fresh = [number for number in ids if number not in self._known]
            self._known.update(fresh)
            for start in range(0, len(fresh), SLICE):
                with _no_collection():
                    described = [(number, self._atoms[number]) for number in fresh[start : start + SLICE]]
                    packed = [[n, name, [pack(value) for value in values]] for n, (name, values) in described]
                yield packed, 4 * len(packed)
        data = array("Q", ids).tobytes()
        if more is not None and more.assignment:
            values = _ASSIGNMENT.write(more.assignment)
            yield (data, model.cost, model.priorities, model.proved, values), len(ids) + 4 * len(values) + 1
        elif model.cost or model.proved:
            yield (data, model.cost, model.priorities, model.proved), len(ids) + 1
        else:
            yield data, len(ids) + 1


class _Received(Atoms):
    """The atoms that a worker has described."""

    __slots__ = ()

    def __missing__(self, number: int) -> Atom:
        raise SolverError("a model has an atom that was not described", hint="its program has harmed its process")


class Receiver:
    """The other side of `Sender`: its own table of atoms, and the answers."""

    def __init__(self) -> None:
        self._atoms = _Received()
        self._more: More | None = None
        self._parts: list[str] = []

    def begin(self) -> None:
        self._more, self._parts = None, []

    def answers(self, call: Call, items: Iterable[Any]) -> Iterator[Any]:
        """The answers to a call, with `Steps` and `Warned` in their places."""
        for answer in self._answers(call.unpack, items):
            if isinstance(answer, Model | Printed) and type(answer) is not call.models:
                raise ValueError("it is not an answer to this call")
            yield answer

    def _answers(self, unpack_one: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[Any]:
        atoms, more = self._atoms, self._more
        for item in items:
            if isinstance(item, bytes):
                yield Model(array("Q", item), atoms, more=more) if more else Model(array("Q", item), atoms)
            elif isinstance(item, list):
                with _no_collection():
                    atoms.update((number, _atom(name, values)) for number, name, values in item)
            elif item[0] == "forget":
                atoms = self._atoms = _Received()
            elif item[0] == "steps":
                steps = Steps(item[1])
                more = self._more = More(steps - 1)
                yield steps
            elif item[0] == "lines":
                text = "".join([*self._parts, _TEXT.read(item[1])])
                self._parts = []
                yield Printed(text.split("\n"), *(_PRINTED.read(item[2:]) if item[2:] else ()))
            elif item[0] == "part":
                self._parts.append(_TEXT.read(item[1]))
            elif item[0] == "lower":
                yield Lower(form_of(list[int]).read(item[1]))
            elif item[0] == "warnings":
                yield Warned(form_of(list[str]).read(item[1]))
            elif item[0] == "answer":
                yield unpack_one(item[1])
            else:
                data, cost, priorities, proved, *values = item
                if not (isinstance(cost, tuple) and isinstance(priorities, tuple)):
                    raise ValueError("it is not a cost")
                details = More(more and more.step, _ASSIGNMENT.read(values[0])) if values else more
                yield Model(array("Q", data), atoms, cost, priorities, proved, details)


def _atom(name: Any, values: Any) -> Atom:
    if type(name) is not str:
        raise ValueError("it is not the name of a predicate")
    return name, tuple([unpack(value) for value in values])


# Calls


class Opening(NamedTuple):
    """How a program is made in a worker, as plain data."""

    sources: list[Source]
    options: list[str]
    switching: tuple[Any, ...] | None  #: The fields of `Switching`.
    theory: str | None
    calls: bool  #: Whether functions of a context are called.
    printing: bool  #: Whether clingo prints its answer sets itself, where it can.
    untrusted: bool


#: The form of a term, where a type says `Any`.
_TERM = Form(pack, unpack)


class Call(NamedTuple):
    """How a method of `Local` is called from another process.

    `answer` is the type of its answer, or of each; or the place of that type, which is imported when there is an
    answer. One that `changes` the program is repeated in a new process; one that `streams` takes limits and progress,
    and yields its answers. `models` is the type of models among them, if there are any.
    """

    answer: Any = None
    changes: bool = False
    streams: bool = False
    models: type[Model | Printed] | None = None

    def pack(self, answer: Any) -> Any:
        return self._form().write(answer)

    def unpack(self, data: Any) -> Any:
        return self._form().read(data)

    def _form(self) -> Form:
        return form_of(load(self.answer) if isinstance(self.answer, str) else self.answer, _TERM)


#: The methods of `Local` that another process may call.
CALLS = {
    "warnings": Call(list[str]),
    "add": Call(changes=True),
    "ground": Call(changes=True),
    "assign_external": Call(changes=True),
    "release_external": Call(changes=True),
    "state_externals": Call(changes=True),
    "free_externals": Call(list[tuple[str, int, bool]]),
    "literals": Call(dict[tuple[Any, ...], int]),
    "mentions": Call(Mentions),
    "ground_rules": Call("bridge.asp.ground_rules:GroundRules"),
    "outline": Call("bridge.asp.reading.outline:Outline"),
    "trace": Call("bridge.asp.trace:Trace"),
    "unsupported": Call("bridge.asp.trace:Trace"),
    "search": Call(streams=True, models=Model),
    "printed": Call(streams=True, models=Printed),
    "cases": Call("bridge.asp.results:CaseEnd", streams=True, models=Model),
    "has_main": Call(bool),
    "main": Call(streams=True, models=Model),
    "core": Call(list[Assumption]),
    "consistent": Call("bridge.asp.results:Consistent"),
    "clashing_switches": Call(list[tuple[str, list[str]]]),
    "clashes": Call("bridge.asp.results:Core", streams=True),
    "open_facts": Call(list[tuple[str, int]]),
    "grounding": Call("bridge.asp.results:Grounding", streams=True),
    "ground_facts": Call(list[str]),
    "unknown_constants": Call(list[str]),
}
