"""A clingo program as a problem: its statements, and what can be asked about them.

- The **rules** of a program are its constraints, the bounds of its choices, its definitions and disjunctions.
- Its **variables** are the shown atoms, with the values True and False. Where a choice takes exactly one atom for each
  instance, as in `{ at(L, S) : slot(S) } = 1 :- lesson(L).`, the variable is `at(math)`, with the values of S; where
  several arguments are chosen, their values are tuples.

    >>> problem = AspProblem("{ a; b }. :- a. :- b. :- not a, not b.")
    >>> oracle = problem.oracle()
    >>> reply = oracle.ask(oracle.premises)
    >>> reply.satisfiable, [premise.text for premise in reply.core]
    (False, [':- a.', ':- b.', ':- not a, not b.'])
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from functools import cached_property
from inspect import signature
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

from bridge.asp import Program
from bridge.asp.given import Given, given_of
from bridge.asp.model import Model
from bridge.asp.names import Switching
from bridge.asp.outline import Outline, Signature, Statement
from bridge.asp.parsed import Parsed, Reader
from bridge.asp.types import LAST_PART
from bridge.common.arguments import named_arguments
from bridge.common.languages import is_path
from bridge.errors import InputError, LimitError, Place, UnsupportedError
from bridge.limits import UNLIMITED, Deadline, Limits
from bridge.problem.asp_oracle import ProgramOracle, StatementPremise
from bridge.problem.problem import Problem
from bridge.public import public

if TYPE_CHECKING:
    from bridge.asp.remote import Host

#: Seconds for grounding a program whose facts have switches, at least, and how often longer than without switches.
PATIENCE, FACTOR = 2.0, 10.0
#: The same where it is not known how long it takes without switches, and the question has no limit.
UNKNOWN = 60.0

#: Of so many plain facts, those that some rules depend on are found first; they serve when they are this share of all.
MANY, SHARE = 2_000, 10
#: A predicate has few facts when they are this share of all.
FEW = 100

#: As `Switching.only`: no statement has this name.
_NO_RULE = ("",)

#: Names of constants that are parameters of `Program`.
_PARAMETERS = {"self", *signature(Program).parameters}

#: The kinds of statements that forbid answer sets.
RULES = ("constraint", "choice", "theory")


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
        which it is looked at. Without it, the step in which the incremental mode ends.
    externals
        The values that external atoms are given, as `asp.Program.assign_external` does.

    Raises
    ------
    ProgramError, InputError
        As `asp.Program` raises them, when `outline` is first used; what is refused of an untrusted program, at once.
    """

    noun = "a clingo program"
    answers = "bridge.analysis.of_programs"

    @named_arguments
    def __init__(
        self,
        *sources: str | PathLike[str],
        constants: dict[str, Any] | None = None,
        options: Iterable[str] = (),
        untrusted: bool = False,
        allow_missing_walls: bool = False,
        memory: int | None = None,
        query: str = "",
        theory: str | None = None,
        steps: int | None = None,
        externals: Mapping[str, bool | None] | None = None,
    ) -> None:
        constants = dict(constants or {})
        named = {name: constants.pop(name) for name in _PARAMETERS & constants.keys()}
        options = (*given_of((), (), named, False).all_options, *options)
        if untrusted:  # before anything reads them, or what they include
            given_of(sources, options, constants, untrusted)
        self.sources = sources
        self.query = query
        self.externals = dict(externals or {})
        self.steps, self.theory = None if steps is None else _number_of_steps(steps), theory
        self.dropped: tuple[str, ...] = ()
        #: Seconds that grounding took when no fact had a switch.
        self.grounding_seconds = 0.0
        self._memory = memory
        self._constants: dict[str, bool] = {}  # whether names are constants of it, where that is known
        self._hosts: list[Host] = []  # one, meanwhile, or none; variants of the program share the list
        self._given: dict[str, Any] = {
            "options": tuple(options),
            "untrusted": untrusted,
            "allow_missing_walls": allow_missing_walls,
            "theory": theory,
            **constants,
        }

    def __repr__(self) -> str:
        return f"<AspProblem {self.title}>"

    @property
    def title(self) -> str:
        """The names of the files."""
        return " ".join(fspath(source) for source in self.sources if is_path(source)) or "<text>"

    def with_query(self, query: str) -> AspProblem:
        """The same program with statements of a question: `:- at(math,mon).`"""
        return self._variant(query=query, **self._statements)

    def with_constant(self, name: str, value: str) -> AspProblem:
        """The same program with another value of a constant, as clingo writes it."""
        return self._variant(_given=self._with_options(f"--const={name}={value}"))

    def has_constant(self, name: str) -> bool:
        """Whether a name is a constant of the program: a term in it, with `#const` or without."""
        if name not in self._constants:
            with self.with_constant(name, "0").program() as program:
                self._constants[name] = name not in program.unknown_constants
        return self._constants[name]

    def with_instance(self, *sources: str | PathLike[str], constants: Mapping[str, str]) -> AspProblem:
        """The same program with further files and text, and with values of constants as clingo writes them.

        Those that neither the program nor these have are left out: there may be another program that has them.
        """
        found = self._other((*self.sources, *sources))
        files = any(map(is_path, sources))
        known = [
            name
            for name in constants
            if self.has_constant(name)
            or ((files or any(name in str(source) for source in sources)) and found.has_constant(name))
        ]
        found._given = self._with_options(*(f"--const={name}={constants[name]}" for name in known))
        return found

    def without(self, keys: Iterable[str]) -> AspProblem:
        """The same program without some statements, named as comments name them, or by place."""
        return self._variant(dropped=(*self.dropped, *keys))

    def with_steps(self, steps: int) -> AspProblem:
        """The same program with its incremental part up to a step: `base`, `step(1)` to `step(N)`, and `check(t)`.

        All steps are ground together, and the external `query(t)` is true in the last.
        """
        return self._variant(steps=_number_of_steps(steps), **self._statements)

    @property
    def of_step(self) -> str:
        """What a result is about, where a step of the program was grounded."""
        which = "the program is incremental: " if self.outline.incremental else ""
        return f"{which}this is about step {self.steps}"

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
            return self._ended(deadline)

    def _ended(self, deadline: Deadline) -> AspProblem:
        self.read(deadline.within(UNLIMITED))
        if self.steps is not None or not (self.outline.incremental or self.outline.scripts):
            return self
        share = Limits(seconds=None if (left := deadline.remaining()) is None else left / 2, solutions=1)
        with self.program(limits=share) as program:
            if program.has_main:
                hint = "--steps N (in Python steps=N) looks at the parts base, step(t) and check(t) up to step N"
                raise UnsupportedError("a script's main(prg) solves this program, and is not followed", hint=hint)
            if not self.outline.incremental:
                return self
            with program.models(limits=self.limited(share)) as models:
                found = next(models, None)
                taken = models.statistics.counters.get("steps", 0)
        last = max(taken - 1, 0)
        if found is None and not models.complete:
            hint = f"--steps N (in Python steps=N) diagnoses it as it is in step N; {last} is one"
            raise InputError(f"the program has no answer set up to step {last} in the time there was", hint=hint)
        return self.with_steps(last)

    @property
    def _statements(self) -> dict[str, Any]:
        """What is known of the statements, for a variant that has the same."""
        return {name: vars(self)[name] for name in ("outline", "_begins") if name in vars(self)}

    def _with_options(self, *options: str) -> dict[str, Any]:
        return {**self._given, "options": (*self._given["options"], *options)}

    def _variant(self, **changed: Any) -> AspProblem:
        """The same program but for some attributes; of its statements nothing is known, unless that is among these."""
        found = copy(self)
        for name in ("outline", "_begins", "_asked", "_defining", "_on_negative_cycles"):
            vars(found).pop(name, None)
        vars(found).update({"grounding_seconds": 0.0, **changed})
        return found

    def _other(self, sources: Sequence[str | PathLike[str]], **changed: Any) -> AspProblem:
        """A program of other sources, which a process of its own reads."""
        return self._variant(sources=sources, _hosts=[], _constants={}, **changed)

    def like(self, *sources: str | PathLike[str]) -> AspProblem:
        """Another program with the options and constants of this one."""
        return self._other(sources, query="", dropped=(), externals={})

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Meanwhile, one process serves all questions about this program and its variants, and has read it once."""
        if self._hosts:
            yield
            return
        self._hosts.append(host_of(self))
        try:
            yield
        finally:
            self._hosts.pop().close()

    @property
    def _ordered(self) -> list[str | PathLike[str]]:
        """Files, then texts."""
        return sorted(self.sources, key=lambda source: not is_path(source))

    def program(
        self, switching: Switching | None = None, limits: Limits = UNLIMITED, host: Host | None = None
    ) -> Program:
        """The program, loaded; with switches on demand, and in a process with others. The caller closes it."""
        if self.dropped or self.steps is not None:
            switching = switching or Switching(_NO_RULE, lenient=True)
            switching = replace(switching, dropped=(*switching.dropped, *self.dropped), steps=self.steps)
        if switching is not None and switching.facts is None:
            switching = replace(switching, facts=())
        limited = self.limited(limits)
        found = Program(*self._ordered, switching=switching, limits=limited, host=host or self._host, **self._given)
        if self.query or self.externals:
            try:
                if self.externals:
                    found.state_externals(self.externals)
                found.add(f"%! always\n{self.query}\n", "base" if self.steps is None else LAST_PART)
            except BaseException:
                found.close()
                raise
        return found

    def limited(self, limits: Limits) -> Limits:
        """Limits with that on memory."""
        return limits if self._memory is None else Limits(limits.seconds, limits.solutions, memory=self._memory)

    @cached_property
    def outline(self) -> Outline:
        """The statements of the program, without those of the query."""
        with self.opened():
            return self._hosts[0].outline()

    def read(self, limits: Limits) -> None:
        """Read the statements of the program within limits, so that `outline` is at hand.

        Raises
        ------
        LimitError
            When a limit comes first.
        """
        if "outline" not in vars(self):
            with self.opened():
                self.outline = self._hosts[0].outline(limits=self.limited(limits))

    def parsed(self) -> list[Parsed]:
        """The program as syntax trees and plain facts, read in this process; nothing of it is run.

        Raises
        ------
        ProgramError, InputError
            When it cannot be read.
        """
        given = given_of(self._ordered, self._given["options"], self.constants, self._given["untrusted"])
        return Reader(given.all_options, not self._given["untrusted"]).read(given.sources)

    @property
    def constants(self) -> dict[str, Any]:
        """The constants that are given by name."""
        own = ("options", "untrusted", "allow_missing_walls", "theory")
        return {name: value for name, value in self._given.items() if name not in own}

    @property
    def options(self) -> tuple[str, ...]:
        """The options of clingo."""
        found: tuple[str, ...] = self._given["options"]
        return found

    @property
    def confinement(self) -> dict[str, Any]:
        """Whether it is `untrusted`, and `allow_missing_walls`, as `asp.Program` takes them."""
        return {name: self._given[name] for name in ("untrusted", "allow_missing_walls")}

    @property
    def memory(self) -> int | None:
        """The limit of the memory of each process."""
        return self._memory

    @property
    def _host(self) -> Host | None:
        return self._hosts[0] if self._hosts else None

    def where(self, place: Place) -> str:
        """File and line of a statement, and the column where others begin in the same line."""
        begin = self._begins[place.file, place.line]
        begin += sum(facts.number_in(place.line or 0) for facts in self.outline.facts if facts.file == place.file)
        return str(place) if begin > 1 else f"{place.file}:{place.line}"

    @cached_property
    def _begins(self) -> Counter[tuple[str | None, int | None]]:
        """How many statements begin in each line, but for plain facts."""
        return Counter((one.place.file, one.place.line) for one in self.outline.statements)

    @property
    def shown_lines(self) -> list[str]:
        """Statements by which the atoms of further rules are not shown; of a program with `#show` there are none."""
        if self.outline.shown is not None:
            return []
        heads = (one.heads for one in (*self.outline.statements, *self._asked))
        return [f"#show {name}/{arity}." for name, arity in sorted(self.outline.given.union(*heads))] or ["#show."]

    @cached_property
    def _asked(self) -> tuple[Statement, ...]:
        """The statements of the query."""
        if not self.query:
            return ()
        with self.opened():
            return tuple(self._hosts[0].outline([("text", self.query)]).every())

    @cached_property
    def _defining(self) -> dict[Signature, list[Statement]]:
        found: dict[Signature, list[Statement]] = {}
        for statement in (*self.outline.statements, *self.outline.externals):
            for head in statement.heads:
                found.setdefault(head, []).append(statement)
        return found

    @cached_property
    def _on_negative_cycles(self) -> frozenset[Signature]:
        """The predicates that depend on themselves through negation.

        `bad :- p, not bad.` is a constraint by that, and contradicts rules that it shares no predicate with.
        """
        found = set[Signature]()
        for statement in self.outline.statements:
            if statement.kind != "choice" and statement.negative:
                used = {head for one in self.depends_on((), statement.negative) for head in one.heads}
                found |= statement.heads & (used | statement.negative)
        # An atom and its classical negation contradict each other by themselves.
        for name, arity in {*self._defining, *self.outline.given}:
            if (f"-{name}", arity) in self._defining:
                found |= {(name, arity), (f"-{name}", arity)}
        return frozenset(found)

    def stated(self, atoms: Collection[str]) -> Mapping[str, Sequence[Statement]]:
        """The plain facts that state each of some atoms, which are as clingo writes them."""
        found: dict[str, list[Statement]] = {atom: [] for atom in atoms}
        for facts in self.outline.facts:
            for number in facts.stating(found):
                found[facts.atom(number)].append(facts.statement(number))
        return found

    def oracle(self, deadline: Deadline | None = None) -> ProgramOracle:
        """Questions about the constraints and the bounds of choices; definitions and facts always hold."""
        return ProgramOracle(self, Switching(lenient=True, facts=()), deadline)

    def choices(self, deadline: Deadline | None = None) -> ProgramOracle:
        """As `oracle`, and the atoms that choices make are variables, too, whether they are shown or not."""
        return ProgramOracle(self, Switching(lenient=True, show_all=True, facts=()), deadline)

    def plain(self, deadline: Deadline | None = None) -> ProgramOracle:
        """Questions about the values of variables; all rules and facts always hold."""
        return ProgramOracle(self, None, deadline)

    def joint(
        self,
        rules: Iterable[StatementPremise],
        deadline: Deadline | None = None,
        *,
        also: Collection[str] = (),
        instances: bool = False,
        alone: bool = False,
        some: Sequence[str] | None = None,
        rest: bool = True,
        whole: bool = False,
    ) -> ProgramOracle:
        """Questions about some rules together with the facts and definitions that they depend on.

        gringo evaluates facts and definitions while it grounds, but not those with a switch. Where a program cannot be
        ground without that, in `FACTOR` times the time, fewer get switches: none that an aggregate needs to assign a
        variable, then only facts, then none at all. `ProgramOracle.fixed` says which have none.

        Parameters
        ----------
        rules
            Rules of another oracle of this problem.
        also
            Keys of further statements in question.
        instances
            Whether each instance of a rule is a premise.
        alone
            Leave out all that these rules and those that always hold do not depend on. Constraints that may not hold
            forbid nothing, and what has no negative cycle has an answer set: so the answers are the same.
        some, rest
            The plain facts that are in question, as clingo writes them, and whether the others hold or are left out.
        whole
            All facts and definitions are in question.
        """
        deadline = deadline or Deadline(None)
        wanted = {statement for premise in rules for statement in premise.statements}
        used, facts = self._depends_on([*wanted, *self._asked], self._on_negative_cycles)
        if whole:
            used, facts = self.outline.statements, self.outline.given
        given = [one for one in used if one.in_question and one.kind in ("fact", "definition", "disjunction")]
        keys = {*(statement.key for statement in wanted), *also}
        away: tuple[str, ...] = ()
        stated: tuple[Signature, ...] | None = None
        if alone:
            left, stated = self._cone(wanted)
            keys |= {one.key for one in left if one.kind == "choice"}
            away = self._away(left)
        assigned = {signature for one in (*used, *wanted) for signature in one.assigns}
        assigning, assigned_facts = self._depends_on([], assigned)
        fewer = [one for one in given if one not in assigning]
        tried: list[object] = []
        for chosen, open_ in (
            (given, facts),
            (fewer, facts - assigned_facts),
            ([one for one in fewer if one.kind == "fact"], facts - assigned_facts),
        ):
            only = keys | {statement.key for statement in chosen}
            if (only, open_) in tried:
                continue
            tried.append((only, open_))
            these = set(chosen)
            fixed = (*(one for one in given if one not in these), *self._plain_facts(facts - open_))
            switching = Switching(
                tuple(sorted(only)),
                definitions=True,
                dropped=away,
                instances=instances,
                lenient=True,
                facts=tuple(sorted(open_)),
                stated=stated,
                some=None if some is None else tuple(some),
                rest=rest,
            )
            remaining = deadline.remaining()
            if self.grounding_seconds:
                cap = max(PATIENCE, FACTOR * self.grounding_seconds)
            else:
                cap = UNKNOWN if remaining is None else 0.75 * remaining
            limit = Deadline(cap if remaining is None else min(cap, remaining))
            try:
                return ProgramOracle(self, switching, deadline, fixed=fixed, grounding=limit)
            except LimitError:
                if deadline.expired():
                    raise
        switching = Switching(tuple(sorted(keys)) or _NO_RULE, instances=instances, lenient=True, facts=())
        return ProgramOracle(self, switching, deadline, fixed=(*given, *self._plain_facts(facts)))

    def near(self, rules: Iterable[StatementPremise], deadline: Deadline) -> list[str] | None:
        """Plain facts, as clingo writes them, by which rules clash that do so with all facts.

        With these facts, none of the rules has an instance that depends on others. First all facts that the rules can
        depend on are looked for; where these are many, those of some instances that clash; then what the instances
        depend on that these make possible, until there are no more.

        None where there are no many facts, where it is not known, or where these are no small part of all.
        """
        if (number := self._many_facts) is None:
            return None
        chosen = [one for premise in rules for one in premise.statements]
        patience = Deadline(deadline.within(Limits(seconds=max(PATIENCE, FACTOR * self.grounding_seconds))).seconds)

        def demanded(of: Mapping[str, Any], near: list[str] | None = None) -> list[str] | None:
            return self._demanded(of, patience, near)

        with self.opened():
            try:
                found = demanded({str(one.place): None for one in chosen})
                if found and len(found) * SHARE > number:
                    instances = self._instances(chosen, patience)
                    found = demanded(instances)
                    while found and len(found) * SHARE <= number:
                        more = {*found, *(demanded(dict.fromkeys(instances, ()), found) or ())}
                        if len(more) == len(found):
                            break
                        found = sorted(more)
            except LimitError:
                return None
        return found if found and len(found) * SHARE <= number else None

    def tied(self, deadline: Deadline) -> tuple[list[Statement], list[str]] | None:
        """Rules in question whose instances few of very many facts tell, and the facts that these can depend on.

        None where there are no many facts, or no such rules, and where it is not known. Nothing is ground but what
        tells these facts.
        """
        if (number := self._many_facts) is None:
            return None
        rules = [one for one in self.outline.statements if one.in_question and one.kind in RULES]
        always = {str(one.place) for one in self._always}
        places = [*(str(one.place) for one in rules), *always]
        with self.opened():
            try:
                limits = self.limited(deadline.within(UNLIMITED))
                of_tied = {*self._hosts[0].tied(self._as_given, places, self.query, number // FEW, limits=limits)}
                # Rules of one name are in question together.
                others = {one.key for one in rules if str(one.place) not in of_tied}
                chosen = [one for one in rules if one.key not in others]
                if not chosen or not always <= of_tied:
                    return None
                found = self._demanded(dict.fromkeys(str(one.place) for one in chosen), deadline)
            except LimitError:
                return None
        return (chosen, found) if found and len(found) * SHARE <= number else None

    def with_some(self, rules: Collection[Statement], some: Sequence[str], deadline: Deadline) -> ProgramOracle:
        """Questions about some rules, with some of the plain facts, and what the rules depend on.

        The rules depend on no other facts.
        """
        left, stated = self._cone(set(rules))
        switching = Switching(
            tuple({one.key for one in rules} | {one.key for one in left if one.kind == "choice"}),
            lenient=True,
            dropped=self._away(left),
            facts=(),
            stated=stated,
            some=tuple(some),
            rest=False,
        )
        return ProgramOracle(self, switching, deadline)

    @property
    def _many_facts(self) -> int | None:
        """The number of plain facts, where those that rules depend on are looked for first."""
        number = sum(map(len, self.outline.facts))
        return None if number < MANY or self.steps is not None or self.theory is not None else number

    @property
    def _as_given(self) -> Given:
        """Sources, options and constants."""
        return given_of(self._ordered, self._given["options"], self.constants, self._given["untrusted"])

    def _demanded(self, of: Mapping[str, Any], deadline: Deadline, near: list[str] | None = None) -> list[str] | None:
        """The plain facts that rules can depend on, and those that always hold; see `demand.demanded`."""
        limits = self.limited(deadline.within(UNLIMITED))
        roots = {**of, **{str(one.place): None for one in self._always}}
        whole = sorted(self._on_negative_cycles)
        return self._hosts[0].demanded(self._as_given, roots, whole, self.query, near, limits=limits)

    def _away(self, left: Set[Statement]) -> tuple[str, ...]:
        """The places of all statements but some."""
        return tuple(str(one.place) for one in self.outline.statements if one not in left)

    def _instances(self, rules: Collection[Statement], deadline: Deadline) -> dict[str, list[Any]]:
        """Instances of some rules that clash: of each rule, by its place, the values of their variables.

        Raises
        ------
        LimitError
            When a limit comes before they are known.
        """
        left, stated = self._cone(set(rules))
        switching = Switching(
            tuple({one.key for one in rules}),
            instances=True,
            lenient=True,
            dropped=self._away(left),
            facts=(),
            stated=stated,
        )
        known = {str(one.place): one.variables for one in rules}
        instances: dict[str, list[Any]] = {place: [] for place in known}
        limits = self.limited(deadline.within(UNLIMITED))
        with self.program(switching, limits) as program:
            for place, values in program.clashing_switches(limits=limits):
                instances[place].append(list(zip(known[place], values, strict=False)))
        return instances

    @property
    def _always(self) -> set[Statement]:
        """The constraints and choices that are never in question."""
        return {one for one in self.outline.statements if one.kind in RULES and not one.in_question}

    def _cone(self, wanted: Set[Statement]) -> tuple[set[Statement], tuple[Signature, ...]]:
        """Some rules, those that always hold, what these depend on, and the predicates of the plain facts among it."""
        roots = wanted | self._always
        used, facts = self._depends_on([*roots, *self._asked], self._on_negative_cycles)
        return {*roots, *used}, tuple(sorted(facts))

    def _plain_facts(self, signatures: Set[Signature]) -> list[Statement]:
        return [facts.statement(number) for facts in self.outline.facts for number in facts.of(signatures)]

    def depends_on(
        self, statements: Iterable[Statement], signatures: Iterable[Signature] = ()
    ) -> tuple[Statement, ...]:
        """The statements that define the predicates which some statements use, and what these use, and so on."""
        return self._depends_on(statements, signatures)[0]

    def _depends_on(
        self, statements: Iterable[Statement], signatures: Iterable[Signature] = ()
    ) -> tuple[tuple[Statement, ...], frozenset[Signature]]:
        """The same, and the predicates among these that have plain facts."""
        found: dict[Statement, None] = {}
        waiting, seen = [*signatures, *(one for statement in statements for one in statement.uses)], set[Signature]()
        while waiting:
            signature = waiting.pop()
            if signature in seen:
                continue
            seen.add(signature)
            for statement in self._defining.get(signature, ()):
                found[statement] = None
                # Of a disjunction, an atom is made true or not by what makes the others true.
                waiting += statement.body | (statement.heads if statement.kind == "disjunction" else frozenset())
        known = tuple(statement for statement in self.outline.statements if statement in found)
        return known, self.outline.given & seen


def host_of(problem: AspProblem) -> Host:
    """A process for a problem and those of the same options and files. The caller closes it."""
    from bridge.asp.remote import Host  # here: `import bridge` needs no worker

    constants, (untrusted, walls) = problem.constants, problem.confinement.values()
    return Host(*given_of(problem._ordered, problem.options, constants, untrusted), untrusted, walls)


def _number_of_steps(steps: int) -> int:
    if isinstance(steps, bool) or not isinstance(steps, int) or steps < 0:
        raise InputError(f"{steps!r} is not a number of steps", hint="0 or more")
    return steps
