"""Instances of programs: facts and constants, in one form for clingo, Prolog and Python.

    >>> instance = Instance.of_facts({"edge": [(1, 2), (2, 3)]}, n=3)
    >>> instance["edge"], instance.constants["n"], str(instance)
    ([(1, 2), (2, 3)], 3, 'n = 3. edge(1,2). edge(2,3).')

A clingo program gets the facts as facts and the constants as values of `#const`. A Prolog program gets the facts as
clauses, in place of those that it has for the same predicates, and a constant `n` as the value of the goal's variable
`N`. A Python function gets the instance itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from os import PathLike, fspath
from pathlib import Path
from typing import Any, ClassVar, Self

from bridge.as_json import Json, Key
from bridge.asp import Program
from bridge.asp.decode import Atom, Constant, encode, facts
from bridge.asp.decode import written as written_atom
from bridge.asp.reading.outline import Signature
from bridge.common.languages import is_path
from bridge.common.parts import added
from bridge.common.texts import split_outside
from bridge.comparison.answers import Answer, facts_text
from bridge.errors import InputError, LimitError
from bridge.limits import Limits
from bridge.problem.asp import AspProblem
from bridge.public import public

#: The facts of a file are to be ground within so many seconds.
SECONDS = 60.0


@public("bridge")
@dataclass(frozen=True, eq=False)
class Instance(Mapping[str, list[tuple[Any, ...]]], Json):
    """An instance: a mapping from predicates to rows, each a tuple of Python values.

    Parameters
    ----------
    facts
        Its facts, each a name and a tuple of arguments; `Instance.of_facts` takes rows by predicate.
    constants
        Values of constants.
    name
        What it is called in results.
    file
        Where the facts come from: a clingo program loads this file as it is.
    size
        How large it is among other instances; by default, the number of facts.
    """

    facts: tuple[Atom, ...] = ()
    constants: Mapping[str, Any] = field(default_factory=dict)
    name: str = ""
    file: str | None = None
    size: int = -1

    def __post_init__(self) -> None:
        if self.size < 0:
            object.__setattr__(self, "size", len(self.facts))

    @classmethod
    def of_facts(cls, of: Mapping[str, Iterable[Any]] | Iterable[Any] = (), /, *, name: str = "",
                 **constants: Any) -> Self:
        """An instance from rows by predicate, `{"edge": [(1, 2)]}`, or from objects, as for `Program.add_facts`."""
        text = "".join(facts(one, rows) for one, rows in of.items()) if isinstance(of, Mapping) else facts(of)
        return cls(_facts_of(text, name), constants, name)

    @classmethod
    def of_text(cls, text: str, *, name: str = "", **constants: Any) -> Self:
        """An instance from facts as text; rules may derive them.

        Raises
        ------
        InputError
            When there is a choice in it.
        """
        return cls(_facts_of(f"{text}\n", name, constants), constants, name)

    @classmethod
    def read(cls, path: str | PathLike[str], constants: Mapping[str, Any] | None = None) -> Self:
        """The facts of a file, in the syntax of clingo; rules may derive them.

        Raises
        ------
        InputError
            When it cannot be read, or has several answer sets or none.
        """
        file = fspath(path)
        given = dict(constants or {})
        return cls(_facts_of(Path(file), file, given), given, Path(file).stem, file)

    #: The kind of problem that it is an instance of, where that has names of its own; empty for facts.
    kind: ClassVar[str] = ""

    #: What is compared where nothing is named, and the limits where none is given.
    contenders: ClassVar[tuple[str, ...]] = ()
    limits: ClassVar[Limits] = Limits(seconds=10, solutions=1000)

    #: The predicates of an answer, where the instance says them.
    shows: ClassVar[frozenset[Signature] | None] = None

    #: Its rows, where it is a grid; otherwise None.
    rows: ClassVar[list[list[Any]] | None] = None

    @property
    def text(self) -> str:
        """The facts, for clingo."""
        return facts_text(self.facts)

    @property
    def program_constants(self) -> Mapping[str, str]:
        """The values of `#const`, as clingo writes them."""
        return {name: encode(each) for name, each in self.constants.items()}

    @property
    def inputs(self) -> dict[str, str]:
        """The values of a goal's variables, as Prolog writes them."""
        return {variable_of(name): encode(each) for name, each in self.constants.items()}

    def answer(self, atoms: Answer) -> Any:
        """The answer that atoms are."""
        return atoms

    def atoms(self, answer: Any) -> Answer:
        """The atoms of an answer."""
        found: Answer = answer
        return found

    def inputs_of(self, answer: Any) -> dict[str, str] | None:
        """The values of a goal's variables by which it has this answer; None where the answer itself has them."""
        return None

    def atoms_of_bindings(self, bindings: Mapping[str, Any]) -> Answer | None:
        """The atoms of what a goal bound the variables of `inputs` to; None where these are not part of an answer."""
        return None

    def drawn(self) -> str:
        """The instance as people read it."""
        return str(self)

    @cached_property
    def _by_name(self) -> dict[str, list[tuple[Any, ...]]]:
        found: dict[str, list[tuple[Any, ...]]] = {}
        for name, arguments in self.facts:
            found.setdefault(name, []).append(arguments)
        return found

    def __getitem__(self, name: str) -> list[tuple[Any, ...]]:
        return self._by_name.get(name, [])

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self._by_name)

    def __str__(self) -> str:
        constants = [f"{name} = {encode(value)}." for name, value in self.constants.items()]
        return " ".join([*constants, *(f"{written_atom(atom)}." for atom in self.facts)])

    _json = (
        "name size",
        Key("constants", dict[str, str], lambda self: {name: encode(value) for name, value in self.constants.items()}),
        Key("facts", list[str], lambda self: list(map(written_atom, self.facts))),
    )


def with_instance(problem: AspProblem, instance: Instance) -> AspProblem:
    source = Path(instance.file) if instance.file is not None else instance.text
    return problem.with_instance(*([source] if source else []), constants=instance.program_constants)


def _facts_of(source: str | Path, name: str, constants: Mapping[str, Any] | None = None) -> tuple[Atom, ...]:
    limits = Limits(seconds=SECONDS)
    given = {one: encode(value) for one, value in (constants or {}).items()}
    problem = AspProblem(source).with_instance(constants=given) if given or isinstance(source, Path) else None
    with Program(source, isolated=False) if problem is None else problem.program(limits=limits) as program:
        outcome = program.models(limits=Limits(seconds=SECONDS, solutions=2)).collect()
    if len(outcome.solutions) != 1:
        if outcome.limit == "seconds":
            raise LimitError(f"the facts of {name or 'the instance'} are not known within {SECONDS:.0f} s")
        number = "several answer sets" if outcome.solutions else "no answer set"
        hint = "to take each answer set as an instance, it is a generator"
        raise InputError(f"{name or 'the instance'} has {number}, and an instance is facts", hint=hint)
    return atoms_of(outcome.solutions[0])


def atoms_of(model: Mapping[str, list[tuple[Any, ...]]]) -> tuple[Atom, ...]:
    """The shown atoms of a model, without auxiliary ones (`__...`)."""
    return tuple((name, row) for name in model if not name.startswith("__") for row in model[name])


def atoms_of_text(text: str) -> tuple[Atom, ...]:
    """Atoms as they are written in a line, with blanks or commas between them: `queen(1,2) queen(2,4)`."""
    facts_ = "".join(f"{part}.\n" for part in split_outside(text, " ,") if part.strip())
    return _facts_of(facts_ or "\n", "")


def instance_of(of: Any) -> Instance:
    """What a person may give for an instance: an `Instance`, what a part has, a path, facts as text or by predicate."""
    if isinstance(of, Instance):
        return of
    for find in added("instance"):
        if (found := find(of)) is not None:
            own: Instance = found
            return own
    if isinstance(of, PathLike) or (isinstance(of, str) and is_path(of)):
        return Instance.read(of)
    if isinstance(of, str):
        return Instance.of_text(of)
    if isinstance(of, Mapping):
        return Instance.of_facts(of)
    raise InputError(f"{of!r} is not an instance", hint="the path of facts, an Instance, or None for none at all")


def constant_value(text: str) -> Any:
    """The value of a constant as it is written on the command line: an integer, a constant, or another term's text."""
    stripped = text.strip()
    if stripped.removeprefix("-").isdecimal():
        return int(stripped)
    return Constant(stripped)


def variable_of(name: str) -> str:
    """The variable of a goal that a constant is the value of: `n` of `N`, `box_rows` of `BoxRows`."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))
