"""A Prolog program and a goal as a problem: which of the program's goals make it fail, or keep it from ending?

- A **fragment** is the program with some goals, and arguments of heads, switched off (`bridge.problem.fragments`).
- The **query** is the goal that is asked; its own goals, and the constants in it, are premises, too.

    >>> problem = PrologProblem(["num(0).\\nnum(s(X)) :- num(X).\\n"], "X = s(t), X = s(_), num(X)")
    >>> with problem.oracle("fails") as oracle:
    ...     reply = oracle.ask(oracle.premises)
    ...     print(reply.satisfiable, [premise.text for premise in reply.core])
    False ['0', 's(X)', 'num(X)', 'X = s(t)', 'X = s(_)', 'num(X)']

A fragment that fails is in a pure program a reason for the failure of the program, since it is more general. A run that
raises an error, or takes too long, has not failed. U. Neumerkel, F. Mesnard, *Localizing and explaining reasons for
non-terminating logic programs with failure-slices*, 1999.
"""

from __future__ import annotations

import codecs
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Generic, Literal

from bridge.common.closing import Closing
from bridge.common.english import how_ended
from bridge.common.files import decoded, read_bytes, refuse_names, shown_path
from bridge.common.languages import is_path
from bridge.errors import InputError, LimitError, ProgramError, brief
from bridge.limits import UNLIMITED, Deadline, Limits
from bridge.outcome import Outcome
from bridge.problem.clauses import PROLOG, Goal, Operator, Reader, Source
from bridge.problem.fragments import QUERY, FragmentQuestion, GoalPremise, Preparation
from bridge.problem.problem import Problem
from bridge.problem.questions import P, Reply
from bridge.prolog import Answer, Session
from bridge.public import public

#: Inferences after which a run counts as one that does not end, unless the program itself takes more.
INFERENCES = 200_000

#: The name of the query in places.
QUERY_NAME = "<goal>"

#: How a run ended. Every word but the first two means that it is not known whether the fragment fails.
Ending = Literal["fails", "succeeds", "inferences", "memory", "raises"]


@public("bridge")
@dataclass(frozen=True)
class PrologProblem(Problem[Answer]):
    """A Prolog program and a goal.

    Parameters
    ----------
    sources
        Files (a path, or a string that ends in `.pl` without a line break) and program text. Local files that they load
        belong to the program, too.
    goal
        The query, as typed at the toplevel.
    untrusted, allow_missing_walls
        As for `prolog.Session`. What needs more than to run the program is refused then.
    inferences
        The limit on each run of a fragment, in inferences.
    """

    noun = "a Prolog goal"
    answers = "bridge.analysis.of_goals"

    sources: Sequence[str | PathLike[str]]
    goal: str
    untrusted: bool = False
    allow_missing_walls: bool = False
    inferences: int = INFERENCES
    _kept: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.sources, list | tuple):
            raise InputError("the sources are one file, not several", hint="give a list of files")
        for one in self.sources:
            if not isinstance(one, str | PathLike):
                raise InputError(f"{brief(one)} is not a program", hint="give the path of a file, or the text")
        if not isinstance(self.goal, str):
            raise InputError(f"{brief(self.goal)} is not a goal", hint="type it as at the toplevel")
        if self.untrusted:
            refuse_names(self.sources)
        if not self.goal.strip().rstrip("."):
            raise InputError("the goal is empty", hint="type it as at the toplevel")

    # Run as it is.

    def session(self, limits: Limits = UNLIMITED) -> Session:
        """A session with the program as it is."""
        return Session(*self.sources, **self.confinement, output="nowhere", limits=limits)

    @property
    def confinement(self) -> dict[str, Any]:
        """Whether it is `untrusted`, and `allow_missing_walls`, as `prolog.Session` takes them."""
        return {"untrusted": self.untrusted, "allow_missing_walls": self.allow_missing_walls}

    @cached_property
    def query(self) -> str:
        """The goal without its final dot."""
        return self.goal.strip().removesuffix(".").rstrip()

    @property
    def title(self) -> str:
        """The names of the files."""
        return " ".join(fspath(source) for source in self.sources if is_path(source)) or "<text>"

    def variables(self, limits: Limits = UNLIMITED) -> list[str]:
        """The names of the goal's variables, in their order.

        Raises
        ------
        ProgramError
            With its place, where the goal cannot be read.
        """
        with self.session(limits) as session:
            return session._backend.names(self.query)

    def read(self, limits: Limits = UNLIMITED) -> SourcesOfGoal:
        """The program's sources with their clauses, and last the query; read once.

        Raises
        ------
        ProgramError
            With its place, where the program cannot be loaded or the goal not be read.
        LimitError
            When a limit comes first.
        """
        if "program" not in self._kept:
            self._kept["program"] = _read(self, Deadline(limits.seconds))
        program: SourcesOfGoal = self._kept["program"]
        return program

    def oracle(self, question: FragmentQuestion, **given: Any) -> FragmentOracle:
        """What answers questions about fragments of the program; see `FragmentOracle`."""
        return FragmentOracle(self, question, **given)


@dataclass(frozen=True)
class SourcesOfGoal:
    """What was read of a program: files and texts, last the query as the body of a clause; the messages of loading."""

    sources: tuple[Source, ...]
    warnings: tuple[str, ...] = ()

    @property
    def effects(self) -> bool:
        return any(source.effects for source in self.sources)

    @property
    def libraries(self) -> set[str]:
        return {library for source in self.sources for library in source.libraries}

    def with_text(self, number: int, text: str) -> list[str]:
        """The texts of the sources, with another one in place of that of a number."""
        return [text if at == number else one.text for at, one in enumerate(self.sources)]

    def defines(self, predicate: str) -> bool:
        return any(clause.predicate == predicate for source in self.sources for clause in source.clauses)

    def impure(self) -> Iterator[tuple[tuple[int, int], Source, Goal]]:
        """The goals that are not pure: cuts, tests and side effects, with the numbers of source and clause."""
        for number, source in enumerate(self.sources):
            for index, clause in enumerate(source.clauses):
                for before, goal in enumerate(clause.goals):
                    if goal.kind == "test" or (goal.kind == "fixed" and before >= clause.cuts - 1):
                        yield (number, index), source, goal


def _read(problem: PrologProblem, deadline: Deadline) -> SourcesOfGoal:
    limits = deadline.within(UNLIMITED)
    with problem.session(limits) as session:
        operators = _operators(session, limits)
        session._backend.names(problem.query)  # an error in the goal has its place
        nested = [] if problem.untrusted else _loaded_files(session, limits)
        warnings = tuple(session.warnings)
        wrong = [message for message in warnings if getattr(message, "kind", "") == "error"]
    sources: list[Source] = []
    seen: set[Path] = set()
    with Reader(limits) as reader:

        def add(source: str | PathLike[str]) -> None:
            given = fspath(source)
            path = Path(given).resolve() if is_path(source) else None
            if path is not None and path in seen:
                return
            if path is not None:
                seen.add(path)
            texts = sum(source.path is None for source in sources)
            name = given if path is not None else f"<text{f' {texts + 1}' if texts else ''}>"
            text = text_of(given) if path is not None else given
            left = deadline.within(UNLIMITED)
            try:
                sources.append(reader.read(name, text, path=path, operators=operators, limits=left))
            except ProgramError as error:
                if error.where is None and wrong:  # swipl loads the rest of a file with a syntax error; this needs all
                    first, *others = [ProgramError(one.text, where=one.where) for one in wrong]
                    first.others = tuple(others)
                    raise first from None
                raise

        for source in problem.sources:
            add(source)
        for file in nested:
            add(Path(shown_path(file)))
        # Libraries are known by now, whichever file loads them.
        if any(source.libraries for source in sources[1:]):
            sources = [
                reader.read(each.name, each.text, path=each.path, operators=operators, limits=limits)
                for each in sources
            ]
        head = f"{QUERY} :-\n"
        asked = reader.read(QUERY_NAME, f"{head}{problem.query}\n.", operators=operators, skipped=len(head),
                            limits=limits)
    return SourcesOfGoal((*sources, asked), warnings)


#: A directive that says how a file is encoded; here it is text already.
_ENCODED = ":- encoding("


def text_of(path: str) -> str:
    """The text of a program's file."""
    return decoded(read_bytes(path).removeprefix(codecs.BOM_UTF8), path)


def _operators(session: Session, limits: Limits) -> list[Operator]:
    goal = "findall([P, T, N], ( current_op(P, T, N), P > 0 ), Ops)"
    answer = _only(session.query(goal, limits=limits).collect(), "the operators")
    return [(priority, kind, name) for priority, kind, name in answer["Ops"] if name not in (",", "|", "[]", "{}")]


def _loaded_files(session: Session, limits: Limits) -> list[str]:
    """Local files that the program's files load, directly or not."""
    goal = (
        "findall([F, P], ( source_file(F), source_file_property(F, load_context(_, P:_, _)) ), Loads), "
        "current_prolog_flag(home, Home)"
    )
    answer = _only(session.query(goal, limits=limits).collect(), "the files")
    system = (str(answer["Home"]), str(PROLOG))
    loads = [(str(file), str(by)) for file, by in answer["Loads"] if not str(file).startswith(system)]
    return [file for file, by in loads if not by.startswith(system) and Path(file).is_file()]


def _only(outcome: Outcome[Answer], what: str) -> Answer:
    if not outcome.solutions:
        raise LimitError(how_ended(outcome.limit, f"before {what} were known"))
    return outcome.solutions[0]


# Fragments.

#: Runs a fragment. Its own text, since library(sandbox) follows a goal to where it is called.
_ASK = (
    "lpbridge_fragments:start(Off), "
    "( catch(call_with_inference_limit({goal}, Limit, Result), Error, true) -> true ; Result = fails ), "
    "lpbridge_fragments:reply(Result, Error, Reply)"
)

_GOALS: Mapping[FragmentQuestion, str] = {"fails": f"{QUERY}(_)", "loops": f"( {QUERY}(_), fail )"}


class GoalOracle(Closing, Generic[P]):
    """Answers questions about premises of a goal in a session of its own, until a deadline.

    `calls` is the number of questions so far, and `undecided` how many of them were not decided: the run came to its
    limit.
    """

    _session: Session

    def __init__(self, deadline: Deadline | None) -> None:
        self.calls = self.undecided = 0
        self._deadline = deadline or Deadline(None)

    def near(self, premises: Sequence[P], core: Sequence[P]) -> Iterator[Sequence[P]]:
        """None: one goal of a program, or one of its many constraints, seldom fails alone."""
        return iter(())

    def within(self, limits: Limits = UNLIMITED) -> Limits:
        return self._deadline.within(limits)

    def close(self) -> None:
        self._session.close()


class FragmentOracle(GoalOracle[GoalPremise]):
    """Answers questions about fragments of a program (`bridge.problem.questions`).

    Of the question `fails`, premises cannot hold together when the fragment that has only these goals fails finitely.
    Of `loops`, they cannot when the fragment in which only these points are visible does not end within the limit,
    which is that of the problem, or `inferences`.

    The arguments of the goals in `arguments` are premises, too; the calls of those in `recorded` are noted, for
    `calls_of`; those in `off` are switched off in every fragment, and are not premises.
    """

    def __init__(self, problem: PrologProblem, question: FragmentQuestion, *, arguments: Collection[GoalPremise] = (),
                 recorded: Collection[GoalPremise] = (), off: Collection[GoalPremise] = (),
                 inferences: int | None = None, deadline: Deadline | None = None) -> None:
        super().__init__(deadline)
        self.problem, self.question = problem, question
        self.program = problem.read(self._deadline.within(UNLIMITED))
        self.inferences = inferences or problem.inferences
        with_arguments, noted = (
            {(premise.clause[0], premise.span[0]) for premise in some} for some in (arguments, recorded)
        )
        prepared = Preparation(self.program.sources, question, with_arguments, noted).prepared()
        never = set(off)
        self._never = [premise.number for premise in prepared.premises if premise in never]
        self._entries = prepared.clauses
        self.premises = tuple(premise for premise in prepared.premises if premise not in never)
        self._by_number = {premise.number: premise for premise in self.premises}
        modules = ["lpbridge_fragments.pl"]
        if question == "loops" and not problem.untrusted:  # library(sandbox) lets no program look at frames
            modules.append("lpbridge_chain.pl")
        self._session = prepared_session(problem, self.program, prepared.texts, self.within(), modules)
        goal = _ASK.format(goal=_GOALS[question])
        self._goal = f"snapshot(( {goal} ))" if self.program.effects and not problem.untrusted else goal

    def ask(self, premises: Iterable[GoalPremise]) -> Reply[GoalPremise, None]:
        """Whether these premises can hold together. If not, the core is those that the run came to."""
        chosen = set(premises)
        ending, reached = self.run(chosen)
        if ending is None:
            return Reply(None, limit="seconds")
        if ending in (("inferences", "memory") if self.question == "loops" else ("fails",)):
            came_to = {self._by_number[number] for number in reached if number in self._by_number}
            return Reply(False, core=self.ordered(came_to & chosen))
        self.undecided += self.question == "fails" and ending in ("inferences", "memory")
        return Reply(True)

    def run(self, premises: Collection[GoalPremise], inferences: int | None = None) -> tuple[Ending | None, list[int]]:
        """Run the fragment with these premises: how it ended, and the switches that it came to.

        The ending is None when the deadline came first.
        """
        self.calls += 1
        if self._deadline.expired():
            return None, []
        inputs = {"Off": self._off(premises), "Limit": inferences or self.inferences}
        outcome = self._session.query(self._goal, inputs, limits=self.within()).collect()
        if not outcome.solutions:
            return "memory" if outcome.limit == "memory" else None, []
        ending, _, reached = outcome.solutions[0]["Reply"]
        return str(ending), reached  # type: ignore[return-value]

    def _off(self, premises: Collection[GoalPremise]) -> list[int]:
        """The numbers of the switches that are off."""
        return [*(premise.number for premise in self.premises if premise not in premises), *self._never]

    def chain(self, premises: Collection[GoalPremise], inferences: int) -> list[Any]:
        """The recursion that a fragment stands in after so many inferences, as lpbridge_chain.pl tells it."""
        goal = f"lpbridge_fragments:start(Off), lpbridge_chain:chain({QUERY}(_), Limit, Chain)"
        inputs = {"Off": self._off(premises), "Limit": inferences}
        answer = self._session.first(goal, inputs, limits=self.within())
        return [] if answer is None else list(answer["Chain"])

    def calls_of(self, premises: Collection[GoalPremise]) -> list[tuple[GoalPremise, str]]:
        """The calls of the recorded goals in a run of the fragment with these premises; empty where it did not fail."""
        ending, _ = self.run(premises)
        if ending != "fails":
            return []
        answer = self._session.first("lpbridge_fragments:calls(Calls)", limits=self.within())
        calls = [] if answer is None else answer["Calls"]
        return [(self._by_number[number], str(text)) for number, text in calls if number in self._by_number]

    def entered(self, premises: Collection[GoalPremise]) -> list[tuple[int, int]]:
        """The clauses, by source and number, that a run of the fragment enters."""
        _, reached = self.run(premises)
        return [self._entries[number] for number in sorted(reached) if number in self._entries]

    def first_without(self, off: Collection[GoalPremise]) -> list[tuple[str, Any]]:
        """The values of the query's variables in the first answer with some goals switched off; empty without one."""
        self.calls += 1
        numbers = [premise.number for premise in off]
        goal = f"lpbridge_fragments:start(Off), {QUERY}(Variables)"
        answer = self._session.first(goal, {"Off": numbers}, limits=self.within())
        return [] if answer is None else [(str(each.arguments[0]), each.arguments[1]) for each in answer["Variables"]]

    def ordered(self, premises: Iterable[GoalPremise]) -> tuple[GoalPremise, ...]:
        """Goals, then what the query gives, each in the order of the program."""
        return tuple(sorted(set(premises), key=lambda premise: (premise.is_fact, premise.number)))


def prepared_session(problem: PrologProblem, program: SourcesOfGoal, changed: Iterable[str], limits: Limits,
                     modules: Sequence[str] = ()) -> Session:
    """A session with the changed texts of a program, the query last, under the names of its files."""
    ours = [PROLOG / name for name in modules]
    *texts, query = changed
    sources: list[str | Path] = [*ours, *map(_unencoded, texts)]
    if not problem.untrusted:  # such a program loads no local files
        # Nothing is imported: the program may have predicates of the same names.
        loading = [f":- use_module({_string(str(each))}, []).\n" for each in (*ours, PROLOG / "lpbridge_splice.pl")]
        loading += [
            f":- lpbridge_splice:splice({_string(str(source.path))}, {_string(_unencoded(text))}).\n"
            for source, text in zip(program.sources, texts, strict=False)
            if source.path is not None
        ]
        # A text that names the library: the session then starts with it.
        sources = ["".join(loading), *(["% library(clpfd)\n"] if "clpfd" in program.libraries else [])]
        given = {Path(fspath(source)).resolve() for source in problem.sources if is_path(source)}
        for source, text in zip(program.sources, texts, strict=False):
            if source.path is None:
                sources.append(f"{text}\n")
            elif source.path in given:
                sources.append(source.path)
    try:
        return Session(*sources, f"{query}\n", **problem.confinement, output="nowhere", limits=limits)
    except ProgramError as error:
        error.hint = error.hint or "the program loads as it is, but not with switches in it"
        raise


def _unencoded(text: str) -> str:
    """A text without the directive that says how it is encoded."""
    return text.replace(_ENCODED, ":- ground(", 1) if text.lstrip().startswith(_ENCODED) else text


def _string(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")
    return f'"{escaped}"'
