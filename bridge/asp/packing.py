"""What is sent between a program and its worker, as plain data: the calls, and their answers.

An atom is described once, when it is first sent; models are then nothing but the numbers of their atoms. After `MOST`
atoms both sides begin new tables, and a model that was read keeps the table that it was read with. What a worker
sends is checked when it is unpacked, since its program may have harmed its process.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from bridge.asp.decode import Atom, Atoms, Constant, Extreme, Function
from bridge.asp.ground_rules import GroundRules, checked
from bridge.asp.model import Model, More
from bridge.asp.outline import packed, packed_trace, unpacked, unpacked_trace
from bridge.asp.results import Core
from bridge.asp.types import Assumption, Mentions, Value
from bridge.errors import SolverError
from bridge.isolation.frames import text, texts
from bridge.limits import LimitName

# Terms


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
        When it is not what `pack` makes.
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


# Models

#: So many atoms are described in one piece.
SLICE = 10_000


#: So many atoms are kept on either side.
MOST = 1_000_000


class Steps(int):
    """How many steps, or solve calls of a script's `main`, there were; sent before the first model of each."""


class Warned(list[str]):
    """What clingo has warned of when the first answer was found; sent before that."""


class Sender:
    """Answers of one process as plain data; each atom of a model is described before it is first used."""

    def __init__(self, atoms: Atoms) -> None:
        self._atoms = atoms
        self._known: set[int] = set()
        self._steps: int | None = None

    def begin(self) -> None:
        """Another question: there is no step yet."""
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
            else:
                yield ("answer", pack_one(answer)), 1

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
                described = [(number, self._atoms[number]) for number in fresh[start : start + SLICE]]
                packed = [[n, name, [pack(value) for value in values]] for n, (name, values) in described]
                yield packed, 4 * len(packed)
        data = array("Q", ids).tobytes()
        if more is not None and more.assignment:
            values = list(more.assignment.items())
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

    def begin(self) -> None:
        """Another question: there is no step yet."""
        self._more = None

    def answers(self, unpack_one: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[Any]:
        """The answers, with `Steps` and `Warned` in their places; `unpack_one` reads what is not a model."""
        atoms, more = self._atoms, self._more
        for item in items:
            if isinstance(item, bytes):
                yield Model(array("Q", item), atoms, more=more) if more else Model(array("Q", item), atoms)
            elif isinstance(item, list):
                atoms.update((number, _atom(name, values)) for number, name, values in item)
            elif item[0] == "forget":
                atoms = self._atoms = _Received()
            elif item[0] == "steps":
                steps = Steps(item[1])
                more = self._more = More(steps - 1)
                yield steps
            elif item[0] == "warnings":
                yield Warned(texts(item[1]))
            elif item[0] == "answer":
                yield unpack_one(item[1])
            else:
                data, cost, priorities, proved, *values = item
                if not (isinstance(cost, tuple) and isinstance(priorities, tuple)):
                    raise ValueError("no cost")
                said = More(more and more.step, _assignment(values[0])) if values else more
                yield Model(array("Q", data), atoms, cost, priorities, proved, said)


def _atom(name: Any, values: Any) -> Atom:
    if type(name) is not str:
        raise ValueError("no name of a predicate")
    return name, tuple([unpack(value) for value in values])


def _assignment(values: Any) -> dict[str, Value]:
    found = {text(name): value for name, value in values}
    if not all(type(value) in (int, float, str) for value in found.values()):
        raise ValueError("no assignment")
    return found


# Calls


class Call(NamedTuple):
    """How a method of `Local` is called from another process.

    Attributes
    ----------
    unpack
        Makes its answer of what was sent; raises an exception when that is not such an answer.
    pack
        Makes plain data of its answer.
    changes
        It changes the program: a new process gets this call, too.
    streams
        It takes limits and progress, and yields its answers.
    """

    unpack: Callable[[Any], Any]
    pack: Callable[[Any], Any] = lambda answer: answer
    changes: bool = False
    streams: bool = False


def _none(answer: Any) -> None:
    if answer is not None:
        raise ValueError("no answer was expected")


def _flag(answer: Any) -> bool:
    if type(answer) is not bool:
        raise ValueError("neither true nor false")
    return answer


def _pack_literals(literals: dict[tuple[Any, ...], int]) -> list[Any]:
    return [[[pack(value) for value in arguments], literal] for arguments, literal in literals.items()]


def _literals(answer: Any) -> dict[tuple[Any, ...], int]:
    return {tuple([unpack(value) for value in values]): int(literal) for values, literal in answer}


def _pack_mentions(found: Mentions) -> list[Any]:
    def rows(some: list[tuple[Any, ...]]) -> list[Any]:
        return [[pack(value) for value in row] for row in some]

    return [[[rows([key]), rows(atoms)] for key, atoms in found[0]], [rows(atoms) for atoms in found[1]]]


def _mentions(answer: Any) -> Mentions:
    def rows(some: Any) -> list[tuple[Any, ...]]:
        return [tuple([unpack(value) for value in row]) for row in some]

    switches, others = answer
    return [(rows(key)[0], rows(atoms)) for key, atoms in switches], [rows(atoms) for atoms in others]


def _pack_ground_rules(found: GroundRules) -> list[Any]:
    atoms = [[number, name, [pack(value) for value in values]] for number, (name, values) in found.atoms]
    return [found.rules, found.sums, found.others, atoms]


def _ground_rules(answer: Any) -> GroundRules:
    rules, sums, others, atoms = answer
    return checked(rules, sums, others, [(int(number), _atom(name, values)) for number, name, values in atoms])


def _grounding(found: Any) -> dict[str, Any]:
    numbers = {name: {text(key): int(number) for key, number in found[name].items()} for name in ("rules", "heads")}
    atoms = {text(name): (int(all_), int(facts)) for name, (all_, facts) in found["atoms"].items()}
    limit, complete, seconds = found["limit"], found["complete"], float(found["seconds"])
    if type(complete) is not bool or limit not in (None, "seconds", "interrupt"):
        raise ValueError("no end of a grounding")
    return {"complete": complete, "limit": limit, "seconds": seconds, "atoms": atoms, **numbers}


def _assumptions(answer: Any) -> list[Assumption]:
    if not all(type(item) in (int, str) for item in answer):
        raise ValueError("no assumptions")
    return list(answer)


def _consistent(answer: Any) -> tuple[bool | None, list[Assumption], LimitName | None]:
    satisfiable, core, limit = answer
    if satisfiable not in (True, False, None) or limit not in (None, "seconds", "interrupt"):
        raise ValueError("no answer")
    return satisfiable, _assumptions(core), limit


def _pack_core(core: Core) -> list[Any]:
    names = [[literal, atom] for literal, atom in core.facts.items()]
    return [core.satisfiable, list(core.literals), core.minimal, list(core.met), core.questions, names]


def _core(answer: Any) -> Core:
    satisfiable, core, minimal, met, calls, names = answer
    if type(minimal) is not bool or satisfiable not in (True, False, None):
        raise ValueError("no core")
    atoms = {int(literal): text(atom) for literal, atom in names}
    return Core(satisfiable, tuple(map(int, core)), minimal, tuple(map(int, met)), int(calls), atoms)


def _open_facts(answer: Any) -> list[tuple[str, int]]:
    return [(text(atom), int(literal)) for atom, literal in answer]


#: The methods of `Local` that another process may call.
CALLS = {
    "warnings": Call(texts),
    "add": Call(_none, changes=True),
    "ground": Call(_none, changes=True),
    "assign_external": Call(_none, changes=True),
    "release_external": Call(_none, changes=True),
    "literals": Call(_literals, _pack_literals),
    "mentions": Call(_mentions, _pack_mentions),
    "ground_rules": Call(_ground_rules, _pack_ground_rules),
    "outline": Call(unpacked, packed),
    "trace": Call(unpacked_trace, packed_trace),
    "search": Call(_none, streams=True),
    "has_main": Call(_flag),
    "main": Call(_none, streams=True),
    "core": Call(_assumptions),
    "consistent": Call(_consistent),
    "clashes": Call(_core, _pack_core, streams=True),
    "open_facts": Call(_open_facts),
    "grounding": Call(_grounding, streams=True),
    "ground_facts": Call(texts),
    "unknown_constants": Call(texts),
}
