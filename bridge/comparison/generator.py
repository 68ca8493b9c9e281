"""Instances from a generator: a clingo program, each answer set of which is an instance, the smallest first.

The size of an instance is its cost where the generator minimises something, and otherwise the number of its shown
atoms. Values of constants come before that: with `n` from 1 to 3, all instances for `n = 1` come first.

    >>> generator = Generator("{ edge(X, Y) : X = 1..n, Y = 1..n }. #show edge/2.", n=range(1, 3))
    >>> [str(instance) for _, instance in zip(range(4), generator.instances())]
    ['n = 1.', 'n = 1. edge(1,1).', 'n = 2.', 'n = 2. edge(1,1).']
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import product
from os import PathLike
from typing import Any

from bridge.asp import Program
from bridge.asp.decode import encode
from bridge.asp.reading.outline import Signature
from bridge.common.arguments import named_arguments
from bridge.comparison.answers import in_order
from bridge.comparison.instance import Instance, atoms_of
from bridge.comparison.predicates import derived
from bridge.errors import InputError, LimitError
from bridge.limits import UNLIMITED, Deadline, Limits
from bridge.problem.asp import AspProblem
from bridge.public import public

#: Instances of a size up to this number are sorted, so that their order is the same on every machine.
SORTED = 10_000

_SIZE = "__size"


#: The instances that are tried, unless it is said how many.
MOST = 1000


@public("bridge")
class Generator:
    """Instances by size.

    Parameters
    ----------
    program
        Paths, or text of a clingo program, each answer set of which is an instance; or a single `AspProblem`. Without
        any, the instances are the values of the constants alone: those of each, in order.
    most
        The number of instances that are tried; None: all.
    constants
        Values of constants. A `range`, or a list of several, is a dimension: `n=range(1, 4)`.

    Raises
    ------
    InputError
        When a constant has no value; for a generator that minimises at several priorities.
    """

    @named_arguments
    def __init__(self, *program: str | PathLike[str] | AspProblem, most: int | None = MOST, **constants: Any) -> None:
        self.most = most
        self._constants = {
            name: tuple(value) if isinstance(value, range | list | tuple) else (value,)
            for name, value in constants.items()
        }
        for name, values in self._constants.items():
            if not values:
                raise InputError(f"the constant {name} has no value", hint=f"{name}=1..4")
        sources = [one for one in program if not isinstance(one, AspProblem)]
        problem = AspProblem(*sources) if sources else None
        for one in program:
            if isinstance(one, AspProblem):
                if len(program) > 1:
                    raise InputError("a generator is one program", hint="give its files, or an AspProblem alone")
                problem = one
        self._problem = problem
        #: The last size of which all instances were given, as text: `3`, `n = 4`, `n = 4, size 3`. None before that.
        self.finished: str | None = None
        #: Whether there are no further instances.
        self.exhausted = False
        #: What clingo warns of while it grounds the generator: a constant without a value, in `1..n`, leaves out atoms.
        self.warnings: list[str] = []
        if self._problem is not None:
            levels = {level for level, _, _ in self._problem.outline.costs}
            if len(levels) > 1:
                raise InputError("the generator minimises at several priorities", hint="the size is one number")

    @property
    def title(self) -> str:
        """What it is called: its files, or its constants."""
        return self._problem.title if self._problem is not None else ", ".join(self._constants)

    def has_constant(self, name: str) -> bool:
        return self._problem is not None and self._problem.backend.has_constant(name)

    @property
    def signatures(self) -> frozenset[Signature]:
        """The predicates of the facts of its instances."""
        return frozenset() if self._problem is None else _shown(self._problem)

    def instances(self, limits: Limits = UNLIMITED) -> Iterator[Instance]:
        """The instances, the smallest first. It ends early, not `exhausted`, when the time is up."""
        deadline = Deadline(limits.seconds)
        number, self.finished, self.exhausted = 0, None, False
        ranged = [name for name, values in self._constants.items() if len(values) > 1]
        for constants in self._combinations():
            constants_text = ", ".join(f"{name} = {encode(constants[name])}" for name in ranged)
            try:
                for size, some in self._sizes(constants, deadline):
                    for instance in some:
                        number += 1
                        label = ", ".join(filter(None, [constants_text, "" if size is None else f"size {size}"]))
                        yield replace(instance, name=f"{number} ({label})" if label else str(number))
                    if size is not None:
                        self.finished = f"{constants_text}, size {size}" if constants_text else str(size)
            except LimitError:
                return
            if constants_text:
                self.finished = constants_text
        self.exhausted = True

    def _combinations(self) -> Iterator[dict[str, Any]]:
        """The values of all constants, the smallest first: by their sum where they are numbers, then in order."""
        names = list(self._constants)
        places = [range(len(values)) for values in self._constants.values()]
        for chosen in sorted(product(*places), key=lambda indices: (sum(indices), indices)):
            yield {name: self._constants[name][index] for name, index in zip(names, chosen, strict=True)}

    def _sizes(self, constants: dict[str, Any], deadline: Deadline) -> Iterator[tuple[int | None, Iterable[Instance]]]:
        if self._problem is None:
            values = [value for name, value in constants.items() if len(self._constants[name]) > 1]
            size = sum(value for value in values if isinstance(value, int))
            yield None, [Instance((), constants, size=max(size, 0))]
            return
        problem = self._problem
        problem = problem.with_instance(constants={name: encode(value) for name, value in constants.items()})
        with problem.program(limits=deadline.within(UNLIMITED)) as program:
            self._prepare(program, problem)
            self.warnings += [one for one in program.warnings if one not in self.warnings]
            size = 0
            while True:
                program.ground((_SIZE, size))
                exactly, more = f"{_SIZE}({size})", f"{_SIZE}_more({size})"
                yield size, self._of_size(program, exactly, constants, size, deadline)
                solved = program.solve(assuming=[more], limits=deadline.within(UNLIMITED), refine=False)
                if solved.satisfiable is None:
                    raise LimitError("the limit on seconds came first")
                if not solved.satisfiable:
                    return
                size += 1

    def _prepare(self, program: Program, problem: AspProblem) -> None:
        """Add the size: an atom `__cost(W, T)` for each thing that counts."""
        lines = [f"__cost({terms}){f' :- {body}' if body else ''}." for _, terms, body in problem.outline.costs]
        if not lines:
            for name, arity in sorted(_shown(problem)):
                variables = ",".join(f"X{number}" for number in range(arity))
                atom = f"{name}({variables})" if variables else name
                lines.append(f"__cost(1, ({atom.removeprefix('-')}, {int(name.startswith('-'))})) :- {atom}.")
        if problem.outline.shown is None and not problem.outline.terms:
            lines.append("#show.")  # replaced by the predicates of the program, so that the size is not shown
            lines += [f"#show {name}/{arity}." for name, arity in sorted(_shown(problem))]
        program.add("\n".join([*lines, "#defined __cost/2."]) + "\n")
        total = "#sum { W, T : __cost(W, T) }"
        program.add(
            f"#external {_SIZE}(k). [free] :- {_SIZE}(k), {total} != k.\n"
            f"#external {_SIZE}_more(k). [free] :- {_SIZE}_more(k), {total} <= k.\n",
            part=_SIZE,
            parameters=("k",),
        )
        program.ground()

    def _of_size(self, program: Program, exactly: str, constants: dict[str, Any], size: int,
                 deadline: Deadline) -> Iterator[Instance]:
        with program.models(assuming=[exactly], project="show", limits=deadline.within(UNLIMITED)) as found:
            first = [tuple(in_order(atoms_of(model))) for _, model in zip(range(SORTED), found, strict=False)]
            for atoms in sorted(first, key=_order):
                yield Instance(atoms, constants, size=size)
            for model in found:
                yield Instance(tuple(in_order(atoms_of(model))), constants, size=size)
            if not found.complete:
                raise LimitError("the limit on seconds came first")


def _shown(problem: AspProblem) -> frozenset[Signature]:
    return derived(problem.outline) if problem.outline.shown is None else problem.outline.shown


def _order(atoms: tuple[Any, ...]) -> Any:
    return [(name, len(row), str(row)) for name, row in atoms]
