"""Answer sets as Python values."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from bridge.asp.decode import BARE, Atom, Atoms, Made, written
from bridge.asp.types import Value
from bridge.public import public

T = TypeVar("T")


class More(NamedTuple):
    """What few models have: a step, and values of a theory's variables."""

    step: int | None = None
    assignment: Mapping[str, Value] = {}


_PLAIN = More()


@public("bridge.asp")
class Model(Mapping[str, list[tuple[Any, ...]]]):
    """An answer set, or the part of it that is shown: by predicate name, a list of argument tuples.

        >>> model["queen"]
        [(1, 5), (2, 3)]

    A predicate that holds of nothing gives the empty list. A name with a minus sign, `model["-queen"]`, holds the
    classically negated atoms. `str(model)` is what clingo prints. Terms that are not atoms, as `#show 5.` shows them,
    are in `terms`; under `""` they stand as rows, where `5` and `(5,)` look the same.

    The model is a value of its own: it stays when the search goes on, and when the program is closed. It can be
    pickled, copied, and compared.

    Attributes
    ----------
    cost
        What `optimal` minimises, by priority, the highest first; empty otherwise.
    priorities
        The priorities that the numbers of `cost` belong to.
    proved
        True when `optimal` has proved that no answer set costs less.
    """

    __slots__ = ("_atoms", "_groups", "_ids", "_more", "cost", "priorities", "proved")

    def __init__(
        self,
        ids: Sequence[int],
        atoms: Atoms,
        cost: tuple[int, ...] = (),
        priorities: tuple[int, ...] = (),
        proved: bool = False,
        more: More | None = None,
    ) -> None:
        self._ids = ids
        self._atoms = atoms
        self._more = more
        self._groups: dict[str, list[tuple[Any, ...]]] | None = None
        self.cost = cost
        self.priorities = priorities
        self.proved = proved

    def _decoded(self) -> list[Atom]:
        return list(map(self._atoms.__getitem__, self._ids))

    def _by_name(self) -> dict[str, list[tuple[Any, ...]]]:
        if self._groups is None:
            groups: dict[str, list[tuple[Any, ...]]] = {}
            atoms = self._decoded()
            if len(dict(atoms)) == 1:  # one predicate, as often: three times faster
                groups[atoms[0][0]] = [arguments for _, arguments in atoms]
                atoms = []
            for name, arguments in atoms:
                if name in groups:
                    groups[name].append(arguments)
                else:
                    groups[name] = [arguments]
            if BARE in groups:
                del groups[BARE]
                groups[""] = [arguments for name, arguments in self._decoded() if name in ("", BARE)]
            self._groups = groups
        return self._groups

    def read(self, cls: type[T], name: str | None = None) -> list[T]:
        """The atoms of a predicate as instances of a dataclass or NamedTuple, checked against its annotations.

            >>> class Queen(NamedTuple):
            ...     row: int
            ...     column: int
            >>> model.read(Queen)
            [Queen(row=1, column=5), Queen(row=2, column=3)]

        Parameters
        ----------
        cls
            Its fields are the atom's arguments, in this order. Annotations: `int`, `str` (a quoted string), `Constant`,
            `Function`, `Extreme`, `tuple[...]`, other such classes (for compound terms), unions, `Any`.
        name
            The predicate; without it the name of the class in snake_case.

        Raises
        ------
        InputError
            For an atom that does not fit: which, in which field, and what was expected.
        """
        from bridge.asp.typed import table

        instances = table(cls, name, self._atoms)
        return [found for found in map(instances.__getitem__, self._ids) if found is not None]

    @property
    def terms(self) -> list[Any]:
        """The shown terms that are not atoms, in the order of `model[""]`, each as a value of its own type.

        >>> Program('#show 2. #show (2,). #show "two".').first().terms
        [2, (2,), 'two']
        """
        shown = [atom for atom in self._decoded() if atom[0] in ("", BARE)]
        return [arguments[0] if name == BARE else arguments for name, arguments in shown]

    @property
    def assignment(self) -> Mapping[str, Value]:
        """The values of the variables of a theory, by the variable as clingo writes it: `{"start(a)": 3}`.

        Integers; floats with clingo-dl's `--rdl`. Empty without a theory, and for consequences (`brave`, `cautious`),
        which belong to no single answer set. Of clingcon, those that `&show` names, where the program uses it.
        """
        return self._more.assignment if self._more is not None else _PLAIN.assignment

    @property
    def step(self) -> int | None:
        """The step that the model belongs to, None where there are none.

        Of a program in the incremental mode the `t` of `query(t)`; of a script's `main` the number of its solve call,
        from 0.
        """
        return self._more.step if self._more is not None else None

    def as_proved(self) -> Model:
        return Model(self._ids, self._atoms, self.cost, self.priorities, True, self._more)

    def through(self, table: Mapping[int, T]) -> Iterator[T]:
        """What a table has for the number of each shown atom: for reading very many models of one program.

        The numbers are those of the program that gave the model; a copy of a model has others.
        """
        return map(table.__getitem__, self._ids)

    def __getitem__(self, name: str) -> list[tuple[Any, ...]]:
        return self._by_name().get(name, [])

    def __contains__(self, name: object) -> bool:
        return name in self._by_name()  # Mapping's own asks for a KeyError, which there is none of

    def get(self, name: str, default: Any = None) -> Any:
        return self._by_name().get(name, default)

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name())

    def __len__(self) -> int:
        return len(self._by_name())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Model):
            return NotImplemented
        if self.assignment != other.assignment:
            return False
        if self._atoms is other._atoms:
            return set(self._ids) == set(other._ids)
        return set(map(written, self._decoded())) == set(map(written, other._decoded()))

    def __hash__(self) -> int:
        return hash(frozenset(self._decoded()))

    def __reduce__(self) -> tuple[Any, ...]:
        # With its own atoms alone: the table has those of every model, and numbers mean nothing elsewhere.
        own = Atoms()
        own.update(enumerate(self._decoded()))
        return Model, ([*own], own, self.cost, self.priorities, self.proved, self._more)

    def __str__(self) -> str:
        return " ".join(converted(self, written))

    def __repr__(self) -> str:
        return f"<Model {self}>"


def without(model: Model, names: Collection[str]) -> Model:
    ids = [number for number in model._ids if model._atoms[number][0] not in names]
    return Model(ids, model._atoms, model.cost, model.priorities, model.proved, model._more)


@public("bridge.asp")
class Printed(NamedTuple):
    """Answer sets that were found together, as clingo prints what is shown of them; the rest is as in a `Model`.

    Those with values of a theory's variables, or with steps, are alone.
    """

    texts: list[str]
    step: int | None = None
    assignment: Mapping[str, Value] = _PLAIN.assignment

    def __str__(self) -> str:
        return "\n".join(self.texts)


def converted(model: Model, convert: Callable[[Atom], T | None]) -> Iterator[T]:
    """What a function makes of each atom that is shown, but None. It is called once for an atom, for all models."""
    atoms = model._atoms
    if (found := atoms.made.get(convert)) is None:
        found = atoms.made[convert] = Made(convert, atoms)
    return filter(None, map(found.__getitem__, model._ids))
