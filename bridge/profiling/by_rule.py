"""What grounding makes of each statement of a program: ground rules, atoms and seconds.

clingo 5 does not say which statement a ground rule comes from. So each statement's body gets the literal
`0 = @lpbridge_statement(N)`, whose call clingo makes whenever it begins to instantiate the statement. The call has no
variables, costs nothing to speak of, and leaves what is ground as it was: facts stay facts, and joins their order. (An
aggregate that assigns a variable gets an auxiliary fact more.) What an observer sees between two calls, and the time
between them, is the statement's.

- Choices with bounds and conditional literals are written when all is instantiated. They contain auxiliary atoms that
  were first seen while their statement was instantiated, which tells whose they are.
- A projection, which is what `p(X, _)` in a body is to clingo, is instantiated without a call. Its rules make auxiliary
  atoms, and count for the statement that first uses one; its seconds remain with the statement that came before.
- What is shown and minimised is written last, for all statements together: there are seconds, and no number of rules.
- Facts get no call. They are counted as they are written, by file.

The call is also where a statement can be looked at before it is instantiated: with `most`, its joins are estimated
then (`bridge.profiling.joins`). Where that is more, the call has the value 1, so that the statement has no instance;
and so it has for the statements that use what this one would derive, of which nothing is known.
"""

from __future__ import annotations

import re
import sys
from array import array
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any, Literal, cast

import clingo
from clingo import ast
from clingo.ast import AST, ASTType

from bridge.asp import internals
from bridge.asp.reading import (
    TEXT,
    Constants,
    Messages,
    Signature,
    Source,
    SourceText,
    check,
    check_options,
    equal,
    includes_incmode,
    is_atom,
    number_of,
    read_file,
)
from bridge.asp.running import Steps
from bridge.errors import Place
from bridge.isolation import Watch
from bridge.limits import Limits
from bridge.profiling import joins
from bridge.profiling.grounding_profile import WRITING, Estimate, Profile, StatementProfile

#: The name of the function that is called; it is not a name of a program's own.
CALL = "lpbridge_statement"

#: Statements with a body, and how they are called.
KINDS = {
    ASTType.Rule: "rule",
    ASTType.Minimize: "minimize",
    ASTType.ShowTerm: "show",
    ASTType.External: "external",
    ASTType.Edge: "edge",
    ASTType.Heuristic: "heuristic",
    ASTType.ProjectAtom: "project",
}

#: Bindings that are made faster than they are estimated.
CHEAP = 100_000

#: Seconds for the first estimate, and at least for each; those between get less and less.
PATIENCE, BRIEFLY = 0.16, 0.02

#: Of so many statements, at most, the joins are estimated when all is done.
LARGEST = 5

#: So many characters of a statement are kept.
LONGEST = 200

#: What makes more of a text than facts: rules, directives, choices, pools, intervals, functions, variables.
_MORE = re.compile(r":-|[#{};|@&]|\.\.|\b_*[A-Z]|\b_+\b")
_OPAQUE = re.compile(r'"(?:\\.|[^"\\\n])*"|%\*.*?\*%|%[^\n]*', re.DOTALL)
_DOT = re.compile(r"\.(?!\S)")


class _Stopped(Exception):
    """The grounding has been stopped."""


class Profiler:
    """One grounding, counted by statement.

    `most` is how many bindings a statement that is instantiated may have, a ground rule counted as `WRITING`; with
    None, any number, and nothing is estimated.
    """

    def __init__(self, sources: Sequence[Source], options: Sequence[str], most: float | None = None) -> None:
        self._most = most
        self._scopes: list[list[joins.JoinScope]] = []  # of each statement, where they are to be estimated
        self._statements: list[tuple[Place, str, str]] = []  # place, kind and text
        self._facts: dict[str, tuple[Place, int]] = {}  # of each file the place of the first, and how many there are
        self._messages = Messages()
        check_options(options)
        self._constants = Constants(options)
        self._control = self._messages.control(["--models=0", *options])
        self._incremental = False
        self._load(sources)
        self._observer = _Observer(len(self._statements))
        self._domains = joins.Domains(self._control)
        self._domains.open = joins.opened(self._scopes)
        self._estimates: dict[int, Estimate] = {}
        self._left_out: set[int] = set()
        self._lacking: set[Signature] = set()  # the predicates of which atoms are lacking
        self._looked: set[int] = set()
        self._estimating = 0.0  # seconds, which are not those of the grounding
        self._control.register_observer(self._observer)
        self._complete, self._limit = False, cast('Literal["seconds"] | None', None)
        self._seconds = 0.0

    def profile(self) -> Profile:
        """What has been counted up to now."""
        seen = self._observer
        seconds, spent = self._seconds or seen.taken() - self._estimating, seen.spent()
        found = [
            StatementProfile(place, "facts", f"{number:,} fact{'s' * (number != 1)}", number, number, 0.0)
            for place, number in self._facts.values()
        ]
        for at, (place, kind, text) in enumerate(self._statements):
            rules = None if kind in ("minimize", "show") else seen.rules[at]
            estimated = self._estimates.get(at), at in self._left_out
            found.append(StatementProfile(place, kind, text, rules, seen.atoms[at], spent[at], *estimated))
        found.sort(key=lambda each: (-round(each.expected_seconds, 2), -(each.rules or 0)))
        warned = tuple(dict.fromkeys(self._messages.warnings()))
        return Profile(self._complete, None, seconds, tuple(found), warned).ended_by(self._limit)

    def run(self, limits: Limits) -> None:
        """Ground the program; a ProgramError where it cannot be ground."""
        parts: list[tuple[str, Sequence[clingo.Symbol]]] = [("base", ())]
        if self._incremental:
            Steps(self._control)
            parts.append(("check", (clingo.Number(0),)))
        seen = self._observer
        with Watch(seen.stop, limits.seconds) as watch:
            watch.arm()
            try:
                with internals.logging():
                    seen.begin(self._control)
                    self._control.ground(parts, context=_Context(self._begins))
                self._complete = not self._left_out
            except _Stopped:
                self._limit = "seconds"
            except RuntimeError as error:
                raise self._messages.error(str(error)) from None
            finally:
                self._seconds = seen.end() - self._estimating
                watch.disarm()
        seen.settle()
        if self._most is not None:
            self._estimate_largest()

    # Estimates

    def _begins(self, number: int) -> bool:
        """A statement begins; whether it is to be instantiated."""
        self._observer.switch(number)
        if self._most is None or number < 0:
            return True
        if number not in self._looked:
            self._looked.add(number)
            self._look_ahead(number)
        elif number not in self._left_out and WRITING * self._observer.rules[number] > self._most:
            # A recursion that goes on and on: what it derived is there, but it is not all.
            self._estimates.pop(number, None)
            self._leave_out(number)
        return number not in self._left_out

    def _leave_out(self, number: int) -> None:
        """Instantiate a statement no more, nor what uses the predicates that it derives."""
        self._left_out.add(number)
        self._lacking.update(self._heads(number))

    def _heads(self, number: int) -> set[Signature]:
        return {function.signature for part in self._scopes[number] for function in part.heads}

    def _look_ahead(self, number: int) -> None:
        assert self._most is not None
        parts = self._scopes[number]
        uses = {one.atom.signature for part in parts for one in part.literals if one.atom is not None}
        if not uses.isdisjoint(self._lacking):
            self._leave_out(number)
        elif joins.bound_of(parts, self._domains) > min(self._most, CHEAP):
            self._observer.switch(len(self._statements))
            found = self._estimate(number)
            self._observer.switch(number)
            # An estimate that may be far too high is no reason to leave anything out.
            certain = uses.isdisjoint(self._heads(number)) and not any(
                one.opaque for part in parts for one in part.literals
            )
            if certain and found.bindings + WRITING * found.instances > self._most:
                self._leave_out(number)

    def _estimate(self, number: int) -> Estimate:
        seconds = max(PATIENCE * 0.8 ** len(self._estimates), BRIEFLY)
        began = perf_counter()
        found = self._estimates[number] = joins.estimate(self._scopes[number], self._domains, seconds)
        self._estimating += perf_counter() - began
        return found

    def _estimate_largest(self) -> None:
        """Estimate the joins of the statements that took most, now that their atoms are known."""
        seen = self._observer
        spent, rules = seen.spent(), seen.rules
        numbers = [number for number in range(len(self._statements)) if number not in self._left_out]
        by_seconds, by_rules = (sorted(numbers, key=column.__getitem__)[-LARGEST:] for column in (spent, rules))
        for number in {*by_seconds, *by_rules}:
            if rules[number] or spent[number] > 0.1:
                self._estimate(number)

    # Loading

    def _load(self, sources: Sequence[Source]) -> None:
        # What is loaded first is instantiated last: this call ends the last statement's time.
        with ast.ProgramBuilder(self._control) as builder:
            ast.parse_string(f":- 1 = @{CALL}(-1).", builder.add)
        for kind, source in sources:
            text, file = (source, TEXT) if kind == "text" else (read_file(source), source)
            check(text, file)
            self._constants.look(text, file)
            self._incremental = self._incremental or includes_incmode(text, file)
            if (number := only_facts(text)) is None:
                self._in_base = True
                load_changed(self._messages, self._control, kind, source, text, self._called)
                continue
            self._messages.loaded.next()
            if kind == "text" or self._messages.loaded.is_new(source):
                self._messages.load(self._control, kind, source, ("base", ()))
                self._fact(Place(file, 1), number)
        self._constants.check()

    def _called(self, statement: AST, texts: SourceText) -> AST:
        kind = KINDS.get(statement.ast_type)
        if kind is None:
            if statement.ast_type is ASTType.Program:
                self._in_base = statement.name == "base" and not statement.parameters
            return statement
        place, shown = shown_statement(statement, texts)
        if kind == "rule" and self._in_base and _is_fact(statement):
            self._fact(Place(place.file, place.line), 1)
            return statement
        number = len(self._statements)
        self._statements.append((place, kind, shown))
        if self._most is not None:
            self._scopes.append(list(joins.scopes(statement, texts.of)))
        return statement.update(body=[_call(statement.location, number), *statement.body])

    def _fact(self, place: Place, number: int) -> None:
        first, before = self._facts.get(place.file or "", (place, 0))
        self._facts[place.file or ""] = first, before + number


def load_changed(
    messages: Messages,
    control: clingo.Control,
    kind: str,
    source: str,
    text: str,
    change: Callable[[AST, SourceText], AST],
) -> None:
    """Give a program to clingo, each statement changed by a function of it and of the texts."""
    texts = SourceText(text)

    def give() -> None:
        with ast.ProgramBuilder(control) as builder:
            messages.parse(kind, source, lambda one: builder.add(change(one, texts)), control)

    messages.load(control, kind, source, ("base", ()), give)


def shown_statement(statement: AST, texts: SourceText) -> tuple[Place, str]:
    """Where a statement begins, and its text in a line, cut where it is long."""
    place, text = texts.place(statement), " ".join(texts.of(statement).split())
    place = Place(TEXT, place.line, place.column) if place.file == "<string>" else place
    return place, text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


def _call(location: ast.Location, number: int) -> AST:
    """`0 = @lpbridge_statement(number)`."""
    return equal(number_of(location, 0), ast.Function(location, CALL, [number_of(location, number)], True))


def _is_fact(rule: AST) -> bool:
    """Whether clingo takes the rule as a single fact: what is computed, an interval or a pool is a rule to it."""
    return not rule.body and is_atom(rule.head) and only_facts(f"{rule.head}.") == 1


def only_facts(text: str) -> int | None:
    """How many facts a text consists of; None when there may be more to it. (A look, and no parser.)"""
    bare = _OPAQUE.sub(" ", text)
    return None if _MORE.search(bare) else len(_DOT.findall(bare))


class _Context:
    """The functions that the program may call: that of the profile, and those of its scripts."""

    def __init__(self, begins: Callable[[int], bool]) -> None:
        self._begins = begins

    def lpbridge_statement(self, number: clingo.Symbol) -> clingo.Symbol:
        return clingo.Number(0 if self._begins(number.number) else 1)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        # clingo runs scripts in `__main__`. A function that is not there has no value.
        found = getattr(sys.modules["__main__"], name, None)
        return found if callable(found) else lambda *arguments: []


class _Observer(clingo.Observer):
    """Counts for the statement that is being instantiated.

    An exception ends the grounding wherever clingo calls back.
    """

    def __init__(self, statements: int) -> None:
        # One more: what is not a statement's own (facts before the first, what is shown and minimised after the last).
        self.rules = array("q", bytes(8 * (statements + 1)))
        self.atoms = array("q", bytes(8 * (statements + 1)))
        self._seconds = array("d", bytes(8 * (statements + 1)))
        self._none = self._now = statements
        self._began = self._since = perf_counter()
        self._over = self._late = self._stopped = False
        # By atom: the statement that was instantiated when it was first seen, and when it was first in a head; from 1.
        self._seen, self._derived = array("i"), array("i")
        # By atom: the first other statement that had it in a body, from 1; and the rules that have it for a head.
        self._used, self._heads = array("i"), array("i")
        self._control: clingo.Control | None = None
        self._symbolic = bytearray()

    def begin(self, control: clingo.Control) -> None:
        self._control = control
        self._began = self._since = perf_counter()

    def end(self) -> float:
        """The seconds that it took."""
        self._switch(self._none)
        self._over = True
        return self._since - self._began

    def stop(self) -> None:
        self._stopped = True

    def taken(self) -> float:
        return perf_counter() - self._began

    def spent(self) -> list[float]:
        """Seconds by statement, with those of the present one so far."""
        seconds = list(self._seconds)
        if not self._over:
            seconds[self._now] += perf_counter() - self._since
        return seconds

    def settle(self) -> None:
        """Tell auxiliary atoms from others, now that nothing more comes."""
        self._mark()
        self.atoms = array("q", bytes(8 * len(self.atoms)))
        for atom, statement in enumerate(self._derived):
            if statement and self._symbolic[atom]:
                self.atoms[statement - 1] += 1
            elif statement and self._used[atom]:
                self.rules[statement - 1] -= self._heads[atom]
                self.rules[self._used[atom] - 1] += self._heads[atom]

    def _switch(self, statement: int) -> None:
        now = perf_counter()
        self._seconds[self._now] += now - self._since
        self._now, self._since = statement, now

    # What clingo calls

    def switch(self, statement: int) -> None:
        """A statement begins; a negative one is the last."""
        if self._stopped:
            raise _Stopped
        self._late = statement < 0
        self._switch(self._none if self._late else statement)
        if self._late:
            self._mark()

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        self._count(head, body)

    def weight_rule(self, choice: bool, head: Sequence[int], lower_bound: int, body: Sequence[tuple[int, int]]) -> None:
        self._count(head, [literal for literal, _ in body])

    def external(self, atom: int, value: clingo.TruthValue) -> None:
        self._count([atom], ())

    def heuristic(
        self, atom: int, type_: clingo.backend.HeuristicType, bias: int, priority: int, condition: Sequence[int]
    ) -> None:
        self._count((), condition)

    def acyc_edge(self, node_u: int, node_v: int, condition: Sequence[int]) -> None:
        self._count((), condition)

    def project(self, atoms: Sequence[int]) -> None:
        for _ in atoms:
            self._count((), ())

    def minimize(self, priority: int, literals: Sequence[tuple[int, int]]) -> None:
        self._last([literal for literal, _ in literals])

    def output_term(self, symbol: clingo.Symbol, condition: Sequence[int]) -> None:
        self._last(condition)

    def _last(self, body: Sequence[int]) -> None:
        """What is written last is not a statement's own, and neither are the projections that it uses."""
        self._switch(self._none)
        for literal in body:
            if abs(literal) < len(self._used) and not self._used[abs(literal)]:
                self._used[abs(literal)] = self._none + 1

    def _count(self, head: Sequence[int], body: Sequence[int]) -> None:
        if self._stopped:
            raise _Stopped
        if self._late:
            self._find_owner(body)
        now = self._now
        self.rules[now] += 1
        seen, derived, used = self._seen, self._derived, self._used
        for atom in head:
            if atom >= len(derived):
                self._grow(atom)
            self._heads[atom] += 1
            if not derived[atom]:
                derived[atom] = now + 1
                self.atoms[now] += 1
                if not seen[atom]:
                    seen[atom] = now + 1
        for literal in body:
            atom = literal if literal > 0 else -literal
            if atom >= len(seen):
                self._grow(atom)
            if not seen[atom]:
                seen[atom] = now + 1
            elif not used[atom] and seen[atom] != now + 1:
                used[atom] = now + 1

    def _grow(self, atom: int) -> None:
        more = bytes(4 * (max(atom, 2 * len(self._seen), 1024) + 1 - len(self._seen)))
        for known in (self._seen, self._derived, self._used, self._heads):
            known.frombytes(more)

    # After the last statement

    def _find_owner(self, body: Sequence[int]) -> None:
        """Find the statement of a rule: that of an auxiliary atom in its body; without one, that of the rule before."""
        for literal in body:
            atom = abs(literal)
            if atom < len(self._symbolic) and not self._symbolic[atom] and self._seen[atom]:
                statement = self._used[atom] or self._seen[atom]
                if statement - 1 not in (self._now, self._none):
                    self._switch(statement - 1)
                return

    def _mark(self) -> None:
        """Find the atoms of the program among all that there are."""
        assert self._control is not None
        self._symbolic = bytearray(len(self._seen))
        for name, arity, positive in self._control.symbolic_atoms.signatures:
            for _, atom in internals.atoms(self._control, name, arity, positive):
                if atom < len(self._symbolic):
                    self._symbolic[atom] = 1
