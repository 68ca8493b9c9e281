"""A clingo program as a problem: its statements, and what can be asked about them.

- The **rules** of a program are its constraints, the bounds of its choices, its definitions and disjunctions.
- Its **variables** are the shown atoms, with the values True and False. Where a choice takes exactly one atom for each
  instance, as in `{ at(L, S) : slot(S) } = 1 :- lesson(L).`, the variable is `at(math)`, with the values of S; where
  several arguments are chosen, their values are tuples.

    >>> problem = AspProblem("{ a; b }. :- a. :- b. :- not a, not b.")
    >>> oracle = problem.backend.oracle()
    >>> reply = oracle.ask(oracle.premises)
    >>> reply.satisfiable, [premise.text for premise in reply.core]
    (False, [':- a.', ':- b.', ':- not a, not b.'])
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from functools import cached_property
from inspect import signature
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

from bridge.asp import Program
from bridge.asp.decode import encode
from bridge.asp.given import Given, given_of
from bridge.asp.model import Model
from bridge.asp.reading.names import Switching
from bridge.asp.reading.outline import Outline, Signature, signatures
from bridge.asp.reading.parsed import Parsed, Reader
from bridge.asp.types import LAST_PART
from bridge.common.arguments import named_arguments
from bridge.common.languages import is_path
from bridge.errors import InputError, Place, UnsupportedError
from bridge.limits import UNLIMITED, Deadline, Limits
from bridge.problem.asp_oracle import ProgramOracle
from bridge.problem.problem import Problem
from bridge.public import public

if TYPE_CHECKING:
    from bridge.asp.running.remote import Host

#: As `Switching.only`: no statement has this name.
NO_RULE = ("",)

#: Names of constants that are parameters of `Program`.
_PARAMETERS = {"self", *signature(Program).parameters}


@public("bridge")
class AspProblem(Problem[Model]):
    """A clingo program, as it is, as a problem.

    Parameters
    ----------
    sources
        Files and program text, as `asp.Program` takes them.
    constants, options, untrusted, allow_missing_walls
        As for `asp.Program`. Always in a process of its own: with switches, grounding may have to be ended.
    query
        Statements that belong to a question and always hold, such as `:- at(math,mon).`
    memory
        The limit of the memory of each process, in bytes.
    theory
        As for `asp.Program`.
    steps
        Of a program in the incremental mode, or whose script grounds the parts `step(t)` and `check(t)`: the step up to
        which it is looked at. All steps are ground together, and the external `query(t)` is true in the last. Without
        it, the step in which the incremental mode ends.
    externals
        The values that external atoms are given, as `asp.Program.assign_external` does.
    show
        The predicates that an answer set consists of, `"at/2, in/1"`, in place of what `#show` says.
    optimal
        Whether only the answer sets of least cost count; otherwise all do, whatever they cost. None is not said: then
        `bridge.debug` takes those of least cost where the reference minimises something.

    Raises
    ------
    ProgramError, InputError
        As `asp.Program` raises them, when `outline` is first used; what is refused of an untrusted program, at once.
    """

    noun = "a clingo program"
    answers = "bridge.analysis.of_programs"

    @named_arguments
    def __init__(self, *sources: str | PathLike[str], constants: dict[str, Any] | None = None,
                 options: Iterable[str] = (), untrusted: bool = False, allow_missing_walls: bool = False,
                 memory: int | None = None, query: str = "", theory: str | None = None, steps: int | None = None,
                 externals: Mapping[str, bool | None] | None = None, show: str | Iterable[str] | None = None,
                 optimal: bool | None = None) -> None:
        #: The constants that are given by name; those called as a parameter of `Program` are among the options.
        self.constants = dict(constants or {})
        named = {name: self.constants.pop(name) for name in _PARAMETERS & self.constants.keys()}
        #: The options of clingo.
        self.options: tuple[str, ...] = (*given_of((), (), named, False).options, *options)
        #: Whether it is `untrusted`, and `allow_missing_walls`, as `asp.Program` takes them.
        self.confinement: dict[str, Any] = {"untrusted": untrusted, "allow_missing_walls": allow_missing_walls}
        if untrusted:  # before anything reads them, or what they include
            given_of(sources, self.options, self.constants, untrusted)
        self.sources = sources
        self.query = query
        self.externals = dict(externals or {})
        self.show, self.optimal = None if show is None else signatures(show), optimal
        self.steps, self.theory, self.memory = None if steps is None else _number_of_steps(steps), theory, memory
        self.dropped: tuple[str, ...] = ()
        #: Seconds that grounding took when no fact had a switch.
        self.grounding_seconds = 0.0
        self._constants: dict[str, bool] = {}  # whether names are constants of it, where that is known
        self._hosts: list[Host] = []  # one, meanwhile, or none; variants of the program share the list

    @property
    def backend(self) -> Backend:
        """What analysis uses of it, and no user needs."""
        return Backend(self)

    def __repr__(self) -> str:
        return f"<AspProblem {self.title}>"

    @property
    def title(self) -> str:
        """The names of the files."""
        return " ".join(fspath(source) for source in self.sources if is_path(source)) or "<text>"

    def with_query(self, query: str) -> AspProblem:
        """The same program with statements of a question: `:- at(math,mon).`"""
        return self._variant(query=query, **self._statements)

    def showing(self, show: frozenset[Signature]) -> AspProblem:
        """The same program, of whose atoms an answer set has those of some predicates."""
        return self._variant(show=show)

    def with_constant(self, name: str, value: str) -> AspProblem:
        """The same program with another value of a constant, as clingo writes it."""
        return self._variant(options=(*self.options, f"--const={name}={value}"))

    def with_instance(self, *sources: str | PathLike[str], constants: Mapping[str, str]) -> AspProblem:
        """The same program with further files and text, and with values of constants as clingo writes them.

        Those that neither the program nor these have are left out: there may be another program that has them.
        """
        found = self._other((*self.sources, *sources))
        files = any(map(is_path, sources))
        own = {name: encode(value) for name, value in self.constants.items()}
        known = [
            name
            for name in constants
            if own.get(name) != constants[name]
            and (
                self.backend.has_constant(name)
                or ((files or any(name in str(source) for source in sources)) and found.backend.has_constant(name))
            )
        ]
        found.options = (*self.options, *(f"--const={name}={constants[name]}" for name in known))
        return found

    def without(self, keys: Iterable[str]) -> AspProblem:
        """The same program without some statements, named as comments name them, or by place."""
        return self._variant(dropped=(*self.dropped, *keys))

    @property
    def _statements(self) -> dict[str, Any]:
        """What is known of the statements, for a variant that has the same."""
        return {name: vars(self)[name] for name in ("outline", "_begins") if name in vars(self)}

    def _variant(self, **changed: Any) -> AspProblem:
        """The same program but for some attributes; of its statements nothing is known, unless that is among these."""
        found = copy(self)
        for name in ("outline", "_begins"):
            vars(found).pop(name, None)
        vars(found).update({"grounding_seconds": 0.0, **changed})
        return found

    def _other(self, sources: Sequence[str | PathLike[str]], **changed: Any) -> AspProblem:
        """A program of other sources, which a process of its own reads."""
        return self._variant(sources=sources, _hosts=[], _constants={}, **changed)

    def like(self, *sources: str | PathLike[str]) -> AspProblem:
        """Another program with the options and constants of this one."""
        return self._other(sources, query="", dropped=(), externals={})

    @property
    def _ordered(self) -> list[str | PathLike[str]]:
        """Files, then texts."""
        return sorted(self.sources, key=lambda source: not is_path(source))

    def program(self, switching: Switching | None = None, limits: Limits = UNLIMITED,
                host: Host | None = None) -> Program:
        """The program, loaded; with switches on demand, and in a process with others. The caller closes it."""
        if self.dropped or self.steps is not None:
            switching = switching or Switching(NO_RULE, lenient=True)
            switching = replace(switching, dropped=(*switching.dropped, *self.dropped), steps=self.steps)
        if switching is not None and switching.facts is None:
            switching = replace(switching, facts=())
        shown = None if switching is not None and switching.show_all else self.show
        if shown is not None:
            # The program's own `#show` would add to what is asked for.
            switching = replace(switching or Switching(NO_RULE, lenient=True, implied=True, facts=()), show_all=True)
        limited = self.backend.limited(limits)
        given: dict[str, Any] = {"options": self.options, "theory": self.theory, **self.confinement, **self.constants}
        host = host or (self._hosts[0] if self._hosts else None)
        found = Program(*self._ordered, switching=switching, limits=limited, host=host, **given)
        if self.query or self.externals or shown is not None:
            try:
                if self.externals:
                    found.state_externals(self.externals)
                if shown is not None:
                    # Predicates that it does not have are no fault of its own.
                    lines = [f"#show {name}/{arity}. #defined {name}/{arity}.\n" for name, arity in sorted(shown)]
                    found.add("".join(lines) or "#show.\n")
                if self.query:
                    found.add(f"%! always\n{self.query}\n", "base" if self.steps is None else LAST_PART)
            except BaseException:
                found.close()
                raise
        return found

    @cached_property
    def outline(self) -> Outline:
        """The statements of the program, without those of the query."""
        with self.backend.opened() as host:
            return self._as_shown(host.outline())

    def _as_shown(self, outline: Outline) -> Outline:
        return outline if self.show is None else replace(outline, shown=self.show, terms=False)

    @cached_property
    def _begins(self) -> Counter[tuple[str | None, int | None]]:
        """How many statements begin in each line, but for plain facts."""
        return Counter((one.place.file, one.place.line) for one in self.outline.statements)

    @property
    def _as_given(self) -> Given:
        """Sources, options and constants, as clingo gets them."""
        return given_of(self._ordered, self.options, self.constants, self.confinement["untrusted"])


class Backend:
    """What the questions about a clingo program need of it: processes, oracles, limits, places."""

    __slots__ = ("_of",)

    def __init__(self, problem: AspProblem) -> None:
        self._of = problem

    @contextmanager
    def opened(self) -> Iterator[Host]:
        """Meanwhile, one process serves all questions about this program and its variants, and has read it once."""
        if self._of._hosts:
            yield self._of._hosts[0]
            return
        self._of._hosts.append(host_of(self._of))
        try:
            yield self._of._hosts[0]
        finally:
            self._of._hosts.pop().close()

    def limited(self, limits: Limits) -> Limits:
        """Limits with that on memory."""
        memory = self._of.memory
        return limits if memory is None else Limits(limits.seconds, limits.solutions, memory=memory)

    def read(self, limits: Limits) -> None:
        """Read the statements of the program within limits, so that `outline` is at hand.

        Raises
        ------
        LimitError
            When a limit comes first.
        """
        if "outline" not in vars(self._of):
            with self.opened() as host:
                self._of.outline = self._of._as_shown(host.outline(limits=self.limited(limits)))

    @property
    def of_step(self) -> str:
        """What a result is about, where a step of the program was grounded."""
        which = "the program is incremental: " if self._of.outline.incremental else ""
        return f"{which}this is about step {self._of.steps}"

    def ended(self, deadline: Deadline) -> AspProblem:
        """The program itself; of one in the incremental mode, up to the step in which it ends.

        Raises
        ------
        InputError
            When it does not end before the deadline.
        UnsupportedError
            When a script decides what is ground.
        """
        with self.opened():
            self.read(deadline.within(UNLIMITED))
            if self._of.steps is not None or not (self._of.outline.incremental or self._of.outline.scripts):
                return self._of
            share = Limits(seconds=None if (left := deadline.remaining()) is None else left / 2, solutions=1)
            with self._of.program(limits=share) as program:
                if program.has_main:
                    hint = "--steps N (in Python steps=N) looks at the parts base, step(t) and check(t) up to step N"
                    raise UnsupportedError("a script's main(prg) solves this program, and is not followed", hint=hint)
                if not self._of.outline.incremental:
                    return self._of
                with program.models(limits=self.limited(share)) as models:
                    found = next(models, None)
                    taken = models.statistics.counters.get("steps", 0)
            last = max(taken - 1, 0)
            if found is None and not models.complete:
                hint = f"--steps N (in Python steps=N) diagnoses it as it is in step N; {last} is one"
                raise InputError(f"the program has no answer set up to step {last} in the time there was", hint=hint)
            return self._of._variant(steps=last, **self._of._statements)

    def has_constant(self, name: str) -> bool:
        """Whether a name is a constant of the program: a term in it, with `#const` or without."""
        if name not in self._of._constants:
            with self._of.with_constant(name, "0").program() as program:
                self._of._constants[name] = name not in program.inside().unknown_constants()
        return self._of._constants[name]

    def parsed(self) -> list[Parsed]:
        """The program as syntax trees and plain facts, read in this process; nothing of it is run.

        Raises
        ------
        ProgramError, InputError
            When it cannot be read.
        """
        given = self._of._as_given
        return Reader(given.options, not self._of.confinement["untrusted"]).read(given.sources)

    def where(self, place: Place) -> str:
        """File and line of a statement, and the column where others begin in the same line."""
        begin = self._of._begins[place.file, place.line]
        begin += sum(facts.number_in(place.line or 0) for facts in self._of.outline.facts if facts.file == place.file)
        return str(place) if begin > 1 else f"{place.file}:{place.line}"

    def oracle(self, deadline: Deadline | None = None) -> ProgramOracle:
        """Questions about the constraints and the bounds of choices; definitions and facts always hold."""
        return ProgramOracle(self._of, Switching(lenient=True, facts=()), deadline)

    def choices(self, deadline: Deadline | None = None) -> ProgramOracle:
        """As `oracle`, and the atoms that choices make are variables, too, whether they are shown or not."""
        return ProgramOracle(self._of, Switching(lenient=True, show_all=True, facts=()), deadline)

    def plain(self, deadline: Deadline | None = None) -> ProgramOracle:
        """Questions about the values of variables; all rules and facts always hold."""
        return ProgramOracle(self._of, None, deadline)


def host_of(problem: AspProblem) -> Host:
    """A process for a problem and those of the same options and files. The caller closes it."""
    from bridge.asp.running.remote import Host  # here: `import bridge` needs no worker

    return Host(*problem._as_given, *problem.confinement.values())


def _number_of_steps(steps: int) -> int:
    if isinstance(steps, bool) or not isinstance(steps, int) or steps < 0:
        raise InputError(f"{steps!r} is not a number of steps", hint="0 or more")
    return steps
