"""A clingo program as a problem: its statements, and what can be asked about them.

- The **rules** of a program are its constraints, the bounds of its choices, its definitions and disjunctions.
- Its **variables** are the shown atoms, with the values True and False. Where a choice takes exactly one atom for each
  instance, as in `{ at(L, S) : slot(S) } = 1 :- lesson(L).`, the variable is `at(math)`, with the values of S.

    >>> problem = AspProblem("{ a; b }. :- a. :- b. :- not a, not b.")
    >>> oracle = problem.oracle()
    >>> reply = oracle.ask(oracle.premises)
    >>> reply.satisfiable, [premise.text for premise in reply.core]
    (False, [':- a.', ':- b.', ':- not a, not b.'])
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from bridge.asp import Program
from bridge.asp.names import LAST_PART, Switching
from bridge.asp.outline import Outline, Signature, Statement
from bridge.errors import InputError, LimitError, Place, UnsupportedError
from bridge.languages import is_path
from bridge.limits import UNLIMITED, Deadline, Limits
from bridge.problems.program_oracle import Premise, ProgramOracle

#: Seconds for grounding a program whose facts have switches, at least, and how often longer than without switches.
PATIENCE, FACTOR = 2.0, 10.0

#: As `Switching.only`: no statement has this name.
_NO_RULE = ("",)


class AspProblem:
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

    Raises
    ------
    ProgramError, InputError
        As `asp.Program` raises them, when `outline` is first used.
    """

    def __init__(
        self,
        *sources: str | PathLike[str],
        constants: dict[str, Any] | None = None,
        options: Sequence[str] = (),
        untrusted: bool = False,
        allow_missing_walls: bool = False,
        memory: int | None = None,
        query: str = "",
        theory: str | None = None,
        steps: int | None = None,
    ) -> None:
        if steps is not None and (isinstance(steps, bool) or not isinstance(steps, int) or steps < 0):
            raise InputError(f"{steps!r} is no number of steps", hint="0 or more")
        self.sources = sources
        self.query = query
        self.steps, self.theory = steps, theory
        self.dropped: tuple[str, ...] = ()
        self._has_main = False
        #: Seconds that grounding took when no fact had a switch.
        self.grounding_seconds = 0.0
        self._memory = memory
        self._given: dict[str, Any] = {
            "options": tuple(options),
            "untrusted": untrusted,
            "allow_missing_walls": allow_missing_walls,
            "theory": theory,
            **(constants or {}),
        }

    def __repr__(self) -> str:
        return f"<AspProblem {self.title}>"

    @property
    def title(self) -> str:
        """The names of the files."""
        return " ".join(fspath(source) for source in self.sources if is_path(source)) or "<text>"

    def with_query(self, query: str) -> AspProblem:
        """The same program with statements of a question: `:- at(math,mon).`"""
        found = self._copy(query)
        for name in ("outline", "_crowded"):  # they are the same
            if name in vars(self):
                vars(found)[name] = vars(self)[name]
        return found

    def with_constant(self, name: str, value: str) -> AspProblem:
        """The same program with another value of a constant, as clingo writes it."""
        found = self._copy(self.query)
        found._given = {**self._given, "options": (*self._given["options"], f"--const={name}={value}")}
        return found

    def without(self, keys: Iterable[str]) -> AspProblem:
        """The same program without some statements, named as comments name them, or by place."""
        found = self._copy(self.query)
        found.dropped = (*self.dropped, *keys)
        return found

    def with_steps(self, steps: int) -> AspProblem:
        """The same program with its incremental part up to a step: `base`, `step(1)` to `step(N)`, and `check(t)`.

        All steps are ground together, and the external `query(t)` is true in the last.
        """
        return self._copy(self.query, steps)

    def ended(self, deadline: Deadline) -> AspProblem:
        """The program itself; of one in the incremental mode, up to the step in which it ends.

        Raises
        ------
        InputError
            When it does not end before the deadline.
        UnsupportedError
            When a script decides what is ground.
        """
        self.read(deadline.within(UNLIMITED))
        if self.steps is not None or not (self.outline.incremental or self._has_main):
            return self
        if self._has_main:
            hint = "--steps N (in Python steps=N) looks at the parts base, step(t) and check(t) up to step N"
            raise UnsupportedError("a script's main(prg) solves this program, and is not followed", hint=hint)
        share = Limits(seconds=None if (left := deadline.remaining()) is None else left / 2, solutions=1)
        with self.program(limits=share) as program, program.models(limits=self.limited(share)) as models:
            found = next(models, None)
            taken = models.statistics.counters.get("steps", 0)
        if found is None and not models.complete:
            hint = f"--steps N (in Python steps=N) diagnoses it as it is in step N; {max(taken - 1, 0)} is one"
            raise InputError(f"the program has no answer set up to step {taken - 1} in the time there was", hint=hint)
        return self.with_steps(max(taken - 1, 0))

    def _copy(self, query: str, steps: int | None = None) -> AspProblem:
        steps = self.steps if steps is None else steps
        found = AspProblem(*self.sources, memory=self._memory, query=query, theory=self.theory, steps=steps)
        found._given, found.dropped = self._given, self.dropped
        return found

    def program(self, switching: Switching | None = None, limits: Limits = UNLIMITED) -> Program:
        """The program, loaded; with switches on demand. The caller closes it."""
        files = [Path(source) for source in self.sources if is_path(source)]
        texts = [fspath(source) for source in self.sources if not is_path(source)]
        if self.query:
            part = f"#program {LAST_PART}.\n" if self.steps is not None else ""
            texts.append(f"\n{part}%! always\n{self.query}\n")
        joined = ["\n".join(texts) + "\n"] if texts else []
        if self.dropped or self.steps is not None:
            switching = switching or Switching(_NO_RULE, lenient=True)
            switching = replace(switching, dropped=self.dropped, steps=self.steps)
        return Program(*files, *joined, switching=switching, limits=self.limited(limits), **self._given)

    def limited(self, limits: Limits) -> Limits:
        """Limits with that on memory."""
        return limits if self._memory is None else Limits(limits.seconds, limits.solutions, memory=self._memory)

    @cached_property
    def outline(self) -> Outline:
        """The statements of the program, without those of the query."""
        with self.with_query("").program() as program:
            self._has_main = program.has_main
            return program.outline()

    def read(self, limits: Limits) -> None:
        """Read the statements of the program within limits, so that `outline` is at hand.

        Raises
        ------
        LimitError
            When a limit comes first.
        """
        if "outline" not in vars(self):
            with self.with_query("").program(limits=limits) as program:
                self._has_main = program.has_main
                self.outline = program.outline(limits=self.limited(limits))

    def where(self, place: Place) -> str:
        """File and line of a statement, and the column where others begin in the same line."""
        line = place.file, place.line
        return str(place) if line in self._crowded else f"{place.file}:{place.line}"

    @cached_property
    def _crowded(self) -> frozenset[tuple[str | None, int | None]]:
        """The lines in which several statements begin."""
        seen, found = set[tuple[str | None, int | None]](), set[tuple[str | None, int | None]]()
        for statement in self.outline.statements:
            line = statement.place.file, statement.place.line
            (found if line in seen else seen).add(line)
        return frozenset(found)

    @cached_property
    def _asked(self) -> tuple[Statement, ...]:
        """The statements of the query."""
        if not self.query:
            return ()
        with Program(f"{self.query}\n") as program:
            return program.outline().statements

    @cached_property
    def _defining(self) -> dict[Signature, list[Statement]]:
        found: dict[Signature, list[Statement]] = {}
        for statement in self.outline.statements:
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
        for name, arity in self._defining:
            if (f"-{name}", arity) in self._defining:
                found |= {(name, arity), (f"-{name}", arity)}
        return frozenset(found)

    def oracle(self, deadline: Deadline | None = None) -> ProgramOracle:
        """Questions about the constraints and the bounds of choices; definitions and facts always hold."""
        return ProgramOracle(self, Switching(lenient=True), deadline)

    def choices(self, deadline: Deadline | None = None) -> ProgramOracle:
        """As `oracle`, and the atoms that choices make are variables, too, whether they are shown or not."""
        return ProgramOracle(self, Switching(lenient=True, show_all=True), deadline)

    def plain(self, deadline: Deadline | None = None) -> ProgramOracle:
        """Questions about the values of variables; all rules and facts always hold."""
        return ProgramOracle(self, None, deadline)

    def joint(
        self,
        rules: Iterable[Premise],
        deadline: Deadline | None = None,
        *,
        also: Collection[str] = (),
        instances: bool = False,
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
        """
        deadline = deadline or Deadline(None)
        wanted = {statement for premise in rules for statement in premise.statements}
        used = self.depends_on([*wanted, *self._asked], self._on_negative_cycles)
        given = [one for one in used if one.in_question and one.kind in ("fact", "definition", "disjunction")]
        keys = {*(statement.key for statement in wanted), *also}
        assigning = set(self.depends_on([], {signature for one in (*used, *wanted) for signature in one.assigns}))
        fewer = [one for one in given if one not in assigning]
        facts = [one for one in fewer if one.kind == "fact"]
        tried: list[set[str]] = []
        for chosen in (given, fewer, facts):
            only = keys | {statement.key for statement in chosen}
            if only in tried:
                continue
            tried.append(only)
            these = set(chosen)
            fixed = tuple(one for one in given if one not in these)
            switching = Switching(tuple(sorted(only)), definitions=True, instances=instances, lenient=True)
            left = deadline.remaining()
            cap = max(PATIENCE, FACTOR * self.grounding_seconds)
            limit = Deadline(cap if left is None else min(cap, left))
            try:
                return ProgramOracle(self, switching, deadline, fixed=fixed, grounding=limit)
            except LimitError:
                if deadline.expired():
                    raise
        switching = Switching(tuple(sorted(keys)) or _NO_RULE, instances=instances, lenient=True)
        return ProgramOracle(self, switching, deadline, fixed=tuple(given))

    def depends_on(
        self, statements: Iterable[Statement], signatures: Iterable[Signature] = ()
    ) -> tuple[Statement, ...]:
        """The statements that define the predicates which some statements use, and what these use, and so on."""
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
        return tuple(statement for statement in self.outline.statements if statement in found)

