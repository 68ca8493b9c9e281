"""What can be compared: a clingo program, a Prolog program with a goal, a Python function, an engine of a part.

Each is a **contender**: it has a name, and gives its answers to an instance as a stream. An answer is a set of atoms
(`bridge.comparison.answers`), or what the instance reads these as, such as a grid.

    >>> with contender(AspProblem("{ a; b } = 1.")) as program:
    ...     sorted(written(atom) for one in program.answers(Instance(), Limits()) for atom in one)
    ['a', 'b']
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from bridge.analysis.cores import Clash
from bridge.analysis.waves import NoClashError, Waves
from bridge.analysis.why import CLASH
from bridge.as_json import Json
from bridge.asp import Program
from bridge.asp.decode import BARE, Atom, Function
from bridge.asp.decode import written as written_atom
from bridge.asp.model import Model, converted
from bridge.asp.reading.names import Switching
from bridge.asp.reading.outline import Signature, signatures
from bridge.asp.running.packing import pack, unpack
from bridge.asp.running.remote import Host
from bridge.asp.trace import Why
from bridge.common.closing import Closing
from bridge.common.files import read_bytes
from bridge.common.languages import is_text, language_of_path
from bridge.common.parts import added
from bridge.comparison.answers import Answer, clauses_text, in_order, of_atoms, of_bindings, prolog_term, written
from bridge.comparison.family import GROUNDING, Families
from bridge.comparison.instance import Instance, variable_of, with_instance
from bridge.comparison.predicates import derived
from bridge.comparison.python_job import FunctionJob
from bridge.errors import BridgeError, InputError, LimitError, ProgramError, UnsupportedError, brief
from bridge.isolation.worker import Worker
from bridge.limits import UNLIMITED, Deadline, Limits
from bridge.outcome import Progress, Stream
from bridge.problem.asp import AspProblem, host_of
from bridge.problem.asp_oracle import StatementPremise, one_lines, warnings_of
from bridge.problem.front import is_prolog
from bridge.problem.prolog import PrologProblem

if TYPE_CHECKING:
    from bridge.analysis.goal_diagnosis import GoalDiagnosis

#: The one kind of warning that instances ground together have exactly where each of them has it.
_NO_HEAD = "atom does not occur in any rule head"


#: Rewrites nothing, but leaves `#show` out.
_SHOW_ALL = Switching(("",), lenient=True, show_all=True, implied=True)


@dataclass(frozen=True, slots=True)
class Reason(Json):
    """Why a contender has not an answer that another one has."""

    #: An atom of the answer that is in no answer of the contender.
    atom: str | None = None
    #: Of a clingo program: rules and facts that cannot hold together with the answer, a minimal set; with `atom`, with
    #: this atom.
    clash: Clash[StatementPremise] | None = None
    #: What each rule for `atom` lacks.
    missing: tuple[Why, ...] = ()
    #: Of a Prolog program: the diagnosis of the goal with the answer given.
    goal: GoalDiagnosis | None = None
    #: The rules that the answer breaks, where the instance has a check of its own.
    violations: tuple[str, ...] = ()
    #: A remark; where nothing else is known, why not.
    note: str | None = None
    #: A predicate of the same arity and with the same atoms, `pp/1`, where it has no rule for that of `atom`.
    renamed: str | None = None

    _json = ("atom", CLASH, "missing goal violations note renamed")


class Contender(Closing, ABC):
    """Something that has answers to instances."""

    #: What it is called in results.
    name: str
    #: Whether the last answers were found together with those of other instances: the statistics have what they cost.
    together = False
    #: What it answers, where that is instances of one sort and nothing else, in words; empty where it is a program.
    only: ClassVar[str] = ""
    #: Whether it is a clingo program, in whatever solver.
    is_clingo: ClassVar[bool] = False

    @property
    def shows(self) -> frozenset[Signature] | None:
        """The predicates that it shows by itself; None where that is everything, or not known."""
        return None

    @property
    def warnings(self) -> tuple[str, ...]:
        """What its solver has warned of on every instance so far, with the place first."""
        return ()

    def has_constant(self, name: str) -> bool:
        """Whether the value of a constant means something to it, as far as that can be seen."""
        return True

    def prepare(self, first: Instance, limits: Limits) -> None:
        """Load what instances share, and check it; BridgeError when it cannot be run on any instance."""

    def settle(self, show: frozenset[Signature] | None, facts: frozenset[Signature]) -> None:
        """Take what an answer consists of, where it was not said, and the predicates of the facts of all instances."""

    def expect(self, instances: Sequence[Instance], limits: Limits) -> None:
        """Prepare for the instances that come next, in this order: they may be solved together."""

    @abstractmethod
    def answers(self, instance: Instance, limits: Limits) -> Stream[Any]:
        """The answers to an instance, each once."""

    def has(self, instance: Instance, answer: Any, limits: Limits) -> bool | None:
        """Whether it has an answer; None when that cannot be asked, or a limit comes first."""
        return None

    def why_not(self, instance: Instance, answer: Any, limits: Limits) -> Reason:
        return Reason(note=f"{self.name} is not asked why")


class ProgramContender(Contender):
    """A program: its answers are sets of atoms, which the instance may read as something else, such as a grid."""

    #: The predicates that an answer consists of; None for what the program shows.
    show: frozenset[Signature] | None
    #: Whether it has given an answer more than once.
    repeats = False

    def settle(self, show: frozenset[Signature] | None, facts: frozenset[Signature]) -> None:
        self.show = show if self.show is None else self.show

    def answers(self, instance: Instance, limits: Limits) -> Stream[Any]:
        def produce(progress: Progress) -> Iterator[Any]:
            try:
                seen = set[Any]()
                for answer in map(instance.answer, self.found(instance, limits, progress)):
                    if answer not in seen:
                        seen.add(answer)
                        yield answer
                    else:
                        self.repeats = True
            except LimitError as error:
                progress.limit, progress.remark = "seconds", error.message

        return Stream(produce, limits)

    @abstractmethod
    def found(self, instance: Instance, limits: Limits, progress: Progress) -> Iterator[Answer]:
        """The answers as sets of atoms, and how the search ended; LimitError where the time was up before it."""

    def shown(self, instance: Instance) -> frozenset[Signature] | None:
        """The predicates that an answer to this instance consists of."""
        return self.show or instance.shows


class AspContender(ProgramContender):
    """A clingo program, in a process of its own, in which it is loaded for each instance.

    One that is ended by a limit costs that instance only: the next one starts another. With scripts, which may remember
    something, and with a limit on memory, each instance has its own process. Those that are expected, and alike, are
    ground together, in a second process (`bridge.comparison.family`).
    """

    is_clingo = True

    def __init__(self, problem: AspProblem, show: frozenset[Signature] | None = None, name: str | None = None) -> None:
        self.problem, self.show = problem, show
        self.name = name or problem.title
        self._warnings: tuple[str, ...] | None = None  # None: no instance has been grounded
        self._host: Host | None = None
        self._families: Families | None = None
        self._joint: Host | None = None  # the process of families

    def prepare(self, first: Instance, limits: Limits) -> None:
        self.problem.backend.read(Limits(seconds=limits.seconds))
        if self.problem.outline.incremental:
            raise UnsupportedError(f"{self.name} is incremental: its steps are not compared")

    def has_constant(self, name: str) -> bool:
        return self.problem.backend.has_constant(name)

    @property
    def shows(self) -> frozenset[Signature] | None:
        return None if self.problem.outline.terms else self.problem.outline.shown

    def _given(self, instance: Instance) -> AspProblem:
        return with_instance(self.problem, instance)

    def _shared(self, instance: Instance) -> Host | None:
        """The process for this instance; None for one of its own."""
        alone = self.problem.outline.scripts or self.problem.backend.limited(UNLIMITED).memory is not None
        if alone or instance.file is not None:  # which may have scripts, too, or be unreadable there
            return None
        self._host = self._host or host_of(self.problem)
        return self._host

    def close(self) -> None:
        if self._families is not None:
            self._families.close()
        for host in (self._host, self._joint):
            if host is not None:
                host.close()
        self._host = self._joint = self._families = None

    def _program(self, instance: Instance, limits: Limits) -> Program:
        return self._loaded(self._given(instance), self.shown(instance), limits, self._shared(instance))

    def _loaded(self, problem: AspProblem, show: frozenset[Signature] | None, limits: Limits,
                host: Host | None) -> Program:
        given = problem if show is None or show == self.shows else problem.showing(show)
        return given.program(limits=limits, host=host)

    def found(self, instance: Instance, limits: Limits, progress: Progress) -> Iterator[Answer]:
        known = None if self._families is None else self._families.answers(instance)
        self.together = known is not None
        if known is not None:
            progress.statistics.add(known.statistics)
            progress.complete = known.complete
            yield from known.solutions
            return
        deadline = Deadline(limits.seconds)
        with self._program(instance, limits) as program:
            left = replace(deadline.within(limits), solutions=None, nodes=None)
            found = self._search(program, self.problem.backend.limited(left))
            with progress.following(found):
                for number, answer in enumerate(map(_Reader(self.shown(instance)), found)):
                    if number == 0:
                        self._take_warnings(program)
                    yield answer
            if progress.complete:
                self._take_warnings(program)

    def expect(self, instances: Sequence[Instance], limits: Limits) -> None:
        if not instances or not self._groundable_together or self._shared(instances[0]) is None:
            return
        if self._families is None:
            self._joint = self._joint or host_of(self.problem)
            self._families = Families(self._family, _Reader(self.shown(instances[0])), self._allows)
        self._families.expect(instances, limits)

    @property
    def _groundable_together(self) -> bool:
        """Whether the answer sets are the same where facts of an instance are atoms that may hold.

        They are not where an external atom is one of these; and clasp 3.3 (clingo 5.8) finds answer sets of disjunctive
        programs which are none, unless `--eq=0`: more often, when fewer atoms are facts.
        """
        outline = self.problem.outline
        disjunctive = any(one.kind == "disjunction" for one in outline.statements)
        return not (outline.externals or disjunctive or self.problem.theory or self._minimizes)

    def _family(self, instance: Instance, text: str) -> Program:
        problem = self.problem.with_instance(text, constants=instance.program_constants)
        return self._loaded(problem, self.shown(instance), Limits(seconds=GROUNDING), self._joint)

    def _allows(self, warnings: Sequence[str]) -> bool:
        """Keep what clingo has warned of on all instances, as far as that can be seen when they are ground together."""
        self._keep_warnings(one_lines(warnings))
        return all(_NO_HEAD in one for one in self._warnings or ())

    def _keep_warnings(self, found: tuple[str, ...]) -> None:
        self._warnings = found if self._warnings is None else tuple(one for one in self._warnings if one in found)

    def _take_warnings(self, program: Program) -> None:
        """Keep what clingo has warned of on all instances: what it warns of on some depends on these."""
        if self._warnings != ():
            self._keep_warnings(warnings_of(program))

    @property
    def warnings(self) -> tuple[str, ...]:
        # Of a program in files, a text is what was asked for: `#show` with its predicates.
        pattern = "^<string>:" if self.problem.title == "<text>" else r"^<string>:[\d:-]+:"
        return tuple(re.sub(pattern, lambda _: f"{self.name}:", one) for one in self._warnings or ())

    @property
    def _minimizes(self) -> bool:
        return bool(self.problem.optimal and self.problem.outline.costs)

    def _search(self, program: Program, limits: Limits) -> Stream[Model]:
        """The answer sets, or those of least cost."""
        if not self._minimizes:
            return program.models(project="show", limits=limits)

        def best(progress: Progress) -> Iterator[Model]:
            outcome = program.optimal(limits=limits)
            progress.statistics.add(outcome.statistics)
            progress.complete, progress.limit = outcome.complete, outcome.limit
            yield from (model for model in outcome.solutions if model.proved)

        return Stream(best, limits)

    def has(self, instance: Instance, answer: Any, limits: Limits) -> bool | None:
        if self._minimizes:
            return None
        deadline = Deadline(limits.seconds)
        try:
            possible = self._possible(instance, deadline)
            if possible is None:
                return False
            wanted = instance.atoms(answer)
            if not wanted <= possible.keys():
                return False
            problem = self._given(instance).with_query(self._exactly(instance, [possible[one] for one in wanted]))
            with problem.program(limits=deadline.within(UNLIMITED)) as program:
                return program.solve(limits=deadline.within(UNLIMITED), refine=False).satisfiable
        except LimitError:
            return None

    def _possible(self, instance: Instance, deadline: Deadline) -> dict[Any, str] | None:
        """The atoms that are in some answer set, as the program writes them; None when there is no answer set."""
        with self._program(instance, deadline.within(UNLIMITED)) as program:
            model = _brave(program, deadline.within(UNLIMITED))
        if model is None:
            return None
        atoms = [(name, row) for name in model for row in model[name]]
        return {next(iter(of_atoms([atom]))): written_atom(atom) for atom in atoms if not atom[0].startswith("__")}

    def _exactly(self, instance: Instance, atoms: Iterable[str]) -> str:
        """Constraints by which exactly these atoms are shown."""
        show = self.shown(instance)
        if show is None:
            show = self.shows or derived(self._given(instance).outline)
        lines = ["#defined __is/2."]
        for atom in atoms:
            lines += [f"__is({atom.removeprefix('-')},{int(atom.startswith('-'))}).", f":- not {atom}."]
        for name, arity in sorted(show):
            variables = ",".join(f"X{number}" for number in range(arity))
            atom = f"{name}({variables})" if variables else name
            lines.append(f":- {atom}, not __is({atom.removeprefix('-')},{int(name.startswith('-'))}).")
        return "\n".join(lines)

    def why_not(self, instance: Instance, answer: Any, limits: Limits) -> Reason:
        deadline = Deadline(limits.seconds)
        problem = self._given(instance)
        wanted = instance.atoms(answer)
        try:
            possible = self._possible(instance, deadline)
            if possible is None:
                return Reason(clash=_clash(problem, deadline), note=f"{self.name} has no answer at all")
            strange = in_order(wanted - possible.keys())
            if strange:
                return self._why_no(problem, strange, deadline)
            query = self._exactly(instance, [possible[one] for one in in_order(wanted)])
            return Reason(clash=_clash(problem.with_query(query), deadline))
        except LimitError:
            return Reason(note="the time limit came before the reason was found")
        except NoClashError:
            note = f"the rules of {self.name} allow the answer; its cost is not the least, or a theory forbids it"
            return Reason(note=note)

    def _why_no(self, problem: AspProblem, strange: Sequence[Any], deadline: Deadline) -> Reason:
        from bridge.analysis.ask import why

        atom = written(strange[0])
        try:
            found = why(problem, atom, holds=False, limits=deadline.within(UNLIMITED))
        except BridgeError as error:  # an atom that clingo cannot read
            return Reason(atom, note=f"{atom} is in no answer set ({error.message})")
        if found.trace is not None and not found.trace.missing:
            return Reason(atom, note=f"{self.name} has no rule that derives {atom}")
        if found.trace is None and found.clash is None:
            raise LimitError("the limit on seconds came first")
        return Reason(atom, found.clash, found.trace.missing if found.trace is not None else ())

    def known(self, instance: Instance) -> frozenset[Signature]:
        """The predicates that the program has rules or facts for, or the instance has."""
        return derived(self.problem.outline) | {(name, len(row)) for name, row in instance.facts}

    def extensions(self, instance: Instance, limits: Limits) -> dict[Signature, frozenset[Any]]:
        """The arguments with which each predicate holds in some answer, shown or not; LimitError at a limit."""
        with self._given(instance).program(_SHOW_ALL, limits=limits) as program:
            model = _brave(program, limits)
        found: dict[Signature, set[Any]] = {}
        for name, row in () if model is None else _Reader()(model):
            found.setdefault((name, len(row)), set()).add(row)
        return {one: frozenset(rows) for one, rows in found.items()}


def _brave(program: Program, limits: Limits) -> Model | None:
    """What holds in some answer set; None where there is none. LimitError where a limit comes first."""
    outcome = program.brave(limits=limits)
    if not outcome.complete:
        raise LimitError("the limit on seconds came first")
    return next(iter(outcome.solutions), None)


class _Reader:
    """Makes answers of models, of some predicates or all but auxiliary ones. Each atom is read once for a search."""

    def __init__(self, show: frozenset[Signature] | None = None) -> None:
        self._show = show

    def __call__(self, model: Model) -> Answer:
        return frozenset(converted(model, self._atom))

    def _atom(self, atom: Atom) -> Atom | None:
        name, arguments = atom
        return next(iter(of_atoms([("" if name == BARE else name, arguments)], self._show)), None)


def renamed(instance: Instance, has: Contender, lacks: Contender, of: Signature, limits: Limits) -> Signature | None:
    """The predicate of one program that is likely a predicate of another one under a different name.

    Each is unknown to the other program, and they have the same arity and hold for the same arguments.
    """
    if not (isinstance(has, AspContender) and isinstance(lacks, AspContender)) or of in lacks.known(instance):
        return None
    try:
        ours, theirs = has.extensions(instance, limits), lacks.extensions(instance, limits)
    except LimitError:
        return None
    strange = sorted(theirs.keys() - has.known(instance))
    return next((one for one in strange if theirs[one] == ours.get(of)), None)


def _clash(problem: AspProblem, deadline: Deadline) -> Clash[StatementPremise]:
    with Waves(problem, deadline) as waves:
        return waves.first()


class PrologContender(ProgramContender):
    """A Prolog program and a goal, in a process of its own for each instance."""

    def __init__(self, problem: PrologProblem, show: frozenset[Signature] | None = None,
                 name: str | None = None) -> None:
        self.problem, self.show = problem, show
        self.name = name or problem.title
        self._facts: frozenset[Signature] = frozenset()

    def settle(self, show: frozenset[Signature] | None, facts: frozenset[Signature]) -> None:
        super().settle(show, facts)
        self._facts = facts  # these predicates exist where an instance has no fact of them, too

    def prepare(self, first: Instance, limits: Limits) -> None:
        self._variables = self.problem.variables(Limits(seconds=limits.seconds))

    @cached_property
    def _variables(self) -> list[str]:
        return self.problem.variables()

    def has_constant(self, name: str) -> bool:
        return variable_of(name) in self._variables

    def _given(self, instance: Instance) -> tuple[PrologProblem, frozenset[str]]:
        """The program with an instance, and the variables that the instance gives values to."""
        bound = {name: text for name, text in instance.inputs.items() if name in self._variables}
        given = "".join(f"{name} = {text}, " for name, text in bound.items())
        facts = clauses_text(instance.facts, self._facts)
        sources = [*self.problem.sources, *([facts] if facts.strip() else [])]
        return replace(self.problem, sources=sources, goal=f"{given}{self.problem.query}"), frozenset(bound)

    def found(self, instance: Instance, limits: Limits, progress: Progress) -> Iterator[Answer]:
        deadline = Deadline(limits.seconds)
        problem, bound = self._given(instance)
        with problem.session(Limits(seconds=limits.seconds)) as session:
            left = replace(deadline.within(limits), solutions=None, nodes=None)
            found = session.query(problem.query, limits=left)
            with progress.following(found):
                yield from (self._answer(instance, one, bound) for one in found)

    def _answer(self, instance: Instance, one: Any, bound: Collection[str]) -> Answer:
        if one.truth != "true":
            raise ProgramError("an answer is undefined: neither true nor false in the well-founded semantics")
        show = self.shown(instance)
        own = instance.atoms_of_bindings(one)
        if own is not None:
            return of_bindings(dict(one.items()), show) or own
        bindings = {name: each for name, each in one.items() if name not in bound}
        found = of_bindings(bindings, show)
        if found or show is None or all(one == [] or one is None for one in bindings.values()):
            return found
        wanted = ", ".join(f"{name}/{arity}" for name, arity in sorted(show))
        raise InputError(f"no term {wanted} is in the answer {one}",
                         hint="put terms into the goal, as findall(queen(I, Q), nth1(I, Qs, Q), Queens) does")

    def why_not(self, instance: Instance, answer: Any, limits: Limits) -> Reason:
        from bridge.analysis.ask import diagnose

        problem, bound = self._given(instance)
        given = self._with_answer(instance, answer, bound)
        if given is None:
            return Reason(note="the goal is not asked why: its answer is in several variables")
        try:
            before, after = given
            found = diagnose(replace(problem, goal=f"{before}{problem.query}{after}"), limits=limits)
        except BridgeError as error:
            return Reason(note=f"the goal could not be diagnosed: {error.message}")
        return Reason(goal=found)

    def _with_answer(self, instance: Instance, answer: Any, bound: Collection[str]) -> tuple[str, str] | None:
        """Goals before and after the goal that give it an answer: values of variables, or a list."""
        from bridge.prolog import Term, Variable

        if instance.kind:
            inputs = instance.inputs_of(answer)
            if inputs is None or not inputs.keys() <= set(self._variables):
                return None
            return "".join(f"{name} = {text}, " for name, text in inputs.items()), ""
        if all(name in self._variables and len(row) == 1 for name, row in answer):
            return "".join(f"{Term('=', (Variable(name), prolog_term(*row)))}, " for name, row in in_order(answer)), ""
        free = [name for name in self._variables if name not in bound and not name.startswith("_")]
        if len(free) != 1:
            return None
        atoms = [prolog_term(Function(name, row)) for name, row in in_order(answer)]
        return "", f", sort({free[0]}, Lpbridge), {Term('sort', (atoms, Variable('Lpbridge')))}"


class FunctionContender(ProgramContender):
    """A Python function, in a process of its own that serves all instances, until it is killed at a limit.

    `module:function` and `file.py:function` are imported there. A function object is run in a fork of this process, so
    that one that was defined in a notebook can be run, too.
    """

    def __init__(self, function: str | Callable[..., Any], show: frozenset[Signature] | None = None) -> None:
        self._place, self.show = function if isinstance(function, str) else None, show
        self.name = str(self._place or getattr(function, "__name__", type(function).__name__))
        job = None if isinstance(function, str) else FunctionJob(function)
        self._worker = Worker("bridge.comparison.python_job", output="nowhere", job=job)

    def prepare(self, first: Instance, limits: Limits) -> None:
        if self._place is not None and not self._worker.alive:
            try:
                self._worker.call(("open", self._place), Limits(seconds=limits.seconds))
            except BaseException:
                self._worker.close()
                raise

    def found(self, instance: Instance, limits: Limits, progress: Progress) -> Iterator[Answer]:
        self.prepare(instance, limits)
        facts = [[name, list(map(pack, row))] for name, row in instance.facts]
        constants = {name: pack(value) for name, value in instance.constants.items()}
        show = self.shown(instance)
        for one in self._worker.ask(("run", facts, constants, instance.rows), progress, limits):
            answer = frozenset((str(name), tuple(map(unpack, row))) for name, row in one)
            yield answer if show is None else of_atoms(answer, show)

    def close(self) -> None:
        self._worker.close()


# From what a person gives


def contender(of: Any, *, goal: str | None = None,
              show: frozenset[Signature] | str | Iterable[str] | None = None) -> Contender:
    """What a person gives for a contender, as one; InputError for anything that cannot be compared.

    The path of a program, several joined by `+`, or its text, with the goal of one in Prolog; the name of an engine;
    `module:function` or `file.py:function`; a function; a problem. `show` is what an answer consists of. A contender is
    returned as it is.
    """
    wanted = show if show is None or isinstance(show, frozenset) else signatures(show)
    name = fspath(of) if isinstance(of, str | PathLike) else None
    given = of if name is None else _read(name, goal, wanted)
    if name is not None and is_text(name):
        name = None
    if isinstance(given, AspProblem):
        return AspContender(given, wanted, name)
    if isinstance(given, PrologProblem):
        return PrologContender(given, wanted, name)
    if isinstance(given, Contender):
        return given
    if (engine := _of_part(given)) is not None:
        return engine
    if callable(given):
        return FunctionContender(given, wanted)
    raise InputError(f"{of!r} cannot be compared", hint=_HINT)


#: The place of a function.
_PLACE = re.compile(r"(?:[^\s:]+\.py|[A-Za-z_][\w.]*):[A-Za-z_]\w*")

_HINT = "an engine, an .lp, a .pl with a goal, module:function, file.py:function"


def _read(text: str, goal: str | None, show: frozenset[Signature] | None) -> AspProblem | PrologProblem | Contender:
    """What a path, a program's text, the place of a function or the name of an engine says."""
    if is_text(text):
        return PrologProblem([text], _goal_of(text, goal)) if is_prolog(text, goal) else AspProblem(text)
    if _PLACE.fullmatch(text):
        return FunctionContender(text, show)
    parts = [text] if Path(text).exists() else text.split("+")
    languages = {language_of_path(part) for part in parts}
    if languages in ({"clingo"}, {"prolog"}):
        for part in parts:
            read_bytes(part)  # InputError where that is not possible
        paths = list(map(Path, parts))
        return AspProblem(*paths) if languages == {"clingo"} else PrologProblem(paths, _goal_of(text, goal))
    engine = None if "/" in text or "." in text else _of_part(text)
    if engine is None:
        raise InputError(f"{text!r} is not a program that can be compared", hint=_HINT)
    return engine


def _goal_of(text: str, goal: str | None) -> str:
    if goal is None:
        raise InputError(f"{brief(text)}: a Prolog program needs a goal", hint="--goal 'queens(N, Qs)', or bridge.goal")
    return goal


def _of_part(of: Any) -> Contender | None:
    """A contender of a part, if there is one of this name."""
    return next((found for find in added("contender") if (found := find(of)) is not None), None)
