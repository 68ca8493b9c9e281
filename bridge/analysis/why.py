"""Why does an atom hold, or not? Why is the cost no lower?

- Of an atom in **every** answer set: the rules and facts that force it, a minimal set that cannot hold together with
  the contrary. It is found as clashes are.
- Of one in **no** answer set: those that forbid it; and what each rule that could derive it lacks.
- Of one in **some** of them: a derivation in an answer set, down to facts and choices; or what keeps it out of one.
- Of a **cost**: what rules out a lower one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Literal

from bridge.analysis.cores import Clash
from bridge.analysis.costs import better, least, order
from bridge.analysis.diagnosis import PROGRAM
from bridge.analysis.support import support_lines
from bridge.analysis.waves import NoClashError, Waves
from bridge.analysis.work import Published
from bridge.as_json import Json, Key, Keys, short
from bridge.asp.decode import is_name
from bridge.asp.trace import Trace, Why
from bridge.common.english import bound, end_lines
from bridge.common.parts import Pictured
from bridge.common.warned import WARNINGS
from bridge.errors import BridgeError, InputError, LimitError, UnsupportedError
from bridge.limits import LimitName, Limits
from bridge.problem.asp import AspProblem
from bridge.problem.asp_oracle import AtomFact, StatementPremise, hinted, signature, warnings_of
from bridge.public import public

if TYPE_CHECKING:
    from bridge.analysis.proofs import Proof
    from bridge.problem.prolog import PrologProblem

#: Steps of a derivation that are shown; the JSON has all.
STEPS = 60

#: In how many answer sets an atom holds.
Status = Literal["every", "some", "no", "unknown"]


#: With facts of an answer, and what is given.
CLASH = Key("clash", Clash[StatementPremise | AtomFact] | None, lambda found: found.clash)


@public("bridge")
@dataclass(frozen=True, slots=True)
class Reasons(Pictured, Json):
    """The result of `why`. None is what was not computed: a limit came first, or it does not apply.

    Attributes
    ----------
    question
        The atom, `not` and the atom, or the cost.
    status
        Whether the atom holds in every, some or no answer set.
    clash
        Rules and facts that force what was asked, or forbid the contrary: a minimal set.
    trace
        An answer set with a derivation of the atom, or with what the rules for it lack.
    rather_than
        The other atom of a contrastive question.
    cost
        The lowest cost, by priority, the highest first; of a question about the cost.
    limit
        The limit that came before the end.
    notes
        Remarks.
    questions
        The number of questions put to the solver.
    given
        Literals that hold in the answer sets that were looked at; those that the clash needs are among its facts.
    warnings
        What clingo warns of in the program, each with file, line and column.
    proof
        Of a goal: the proof of the answer.
    """

    problem: AspProblem | PrologProblem
    question: str
    status: Status = "unknown"
    clash: Clash[StatementPremise] | None = None
    trace: Trace | None = None
    rather_than: str | None = None
    cost: tuple[int, ...] | None = None
    limit: LimitName | None = None
    notes: tuple[str, ...] = ()
    questions: int = 0
    given: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    proof: Proof | None = None

    __repr__ = short

    @property
    def sentence(self) -> str:
        """What was found, in a sentence: `at(art,3) is in no answer set`."""
        atom = self.question.removeprefix("not ")
        if self.cost is not None:
            return f"the lowest cost is {', '.join(map(str, self.cost))}"
        if self.rather_than is not None:
            return f"{atom} and not {self.rather_than}"
        given = f" with {', '.join(self.given)}" if self.given else ""
        return {
            "every": f"{atom} is in every answer set{given}",
            "some": f"{atom} is in some answer sets{given}, not in all",
            "no": f"{atom} is in no answer set{given}",
            "unknown": f"{atom}: not known",
        }[self.status]

    @property
    def heading(self) -> str:
        """What stands above the rules and facts of `clash`: `these force it`."""
        if self.cost is not None:
            return "these rule out a lower one"
        if self.rather_than is not None:
            return f"with {self.rather_than}, these cannot hold together"
        if self.underivable:
            one = self.clash is not None and len(self.clash.premises) == 1
            return f"without {'this' if one else 'any one of these'}, there are answer sets with it"
        return "these force it" if self.status == "every" else "these forbid it"

    @property
    def underivable(self) -> bool:
        """Whether nothing can derive the atom, whatever is chosen: the rules lack what `trace.support` says."""
        return self.status == "no" and self.trace is not None and self.trace.support is not None

    def __str__(self) -> str:
        return self.text()

    def text(self, *, every: bool = False) -> str:
        """The reasons as people read them; with `every`, all derivations of the atom in the answer set."""
        return "\n".join(self._lines(every))

    def _lines(self, every: bool) -> Iterator[str]:
        assert isinstance(self.problem, AspProblem)
        where = self.problem.backend.where
        yield from hinted(self.warnings, self.problem.outline)
        yield f"{self.sentence}{': nothing can derive it' if self.underivable else ''}"
        if self.underivable and self.trace is not None:
            yield from support_lines(self.trace, self.question.removeprefix("not "), lambda one: where(one.place))
        if self.trace is not None and self.trace.steps and self.rather_than is None:
            yield "derived in an answer set:" if self.status == "some" else "derived:"
            yield from self._derivations(self.trace, every)
        if self.clash is not None and self.clash.premises:
            yield f"{self.heading}:"
            yield from self.clash.lines(self.given)
        if self.trace is not None and self.trace.model is not None and not (self.trace.steps or self.underivable):
            yield from self._missing(self.trace)
        yield from end_lines(self.limit, self.notes)

    def _derivations(self, trace: Trace, every: bool) -> Iterator[str]:
        """A derivation, and whether there are others; or with `every`, all of them."""
        known = len(trace.derivations)
        number = f"{known}" if trace.every else f"more than {known}"
        if every and known > 1:
            for count, steps in enumerate(trace.derivations, 1):
                yield f"  {count} of {number}:"
                yield from self._tree(steps)
            return
        yield from self._tree(trace.steps)
        if known > 1:
            first = ", none of them shorter" if trace.every else ""
            yield f"  this is one of {number} derivations{first}; --all shows {'all' if trace.every else known}"

    def _missing(self, trace: Trace) -> Iterator[str]:
        """What the rules for an atom lack."""
        if not trace.missing:
            yield f"no rule has {self.question.removeprefix('not ')} in its head"
            return
        forbidden = self.clash is not None and bool(self.clash.premises)
        lines = [one for one in trace.missing if one.lacking or not forbidden]
        if lines:
            where = ", in an answer set without it" if self.status != "no" else ""
            yield f"the rules for it{', in an answer set with what is given' if self.given and not where else where}:"
        for one in lines:
            if one.lacking:
                yield f"  {self._placed(one)}: {one.lacking} does not hold"
            elif one.kind in ("choice", "disjunction"):
                yield f"  {self._placed(one)}: the {one.kind} is free to make it true"
            else:
                yield f"  {self._placed(one)}: its body can hold as far as gringo sees"

    def _placed(self, one: Why) -> str:
        """Where a rule stands, with the values of its variables."""
        assert isinstance(self.problem, AspProblem)
        return f"{self.problem.backend.where(one.place)}{bound(one.bindings, ' with ')}"

    def _tree(self, steps: Sequence[Why]) -> Iterator[str]:
        """A derivation as a tree, the atom in question first; an atom that was shown before is not shown again."""
        assert isinstance(self.problem, AspProblem)
        by_atom = {one.atom: one for one in steps}
        shown: set[str] = set()
        waiting = [(steps[-1].atom, 0)]
        lines = 0
        while waiting:
            atom, depth = waiting.pop()
            one = by_atom.get(atom)
            lines += 1
            if lines > STEPS:
                yield f"  ... {len(steps) - len(shown)} more; --json has all"
                return
            if one is None or atom in shown:
                more = "  (see above)" if one and one.positive else "  (theory atom)" if "&" in atom else ""
                if one is None and any(signature(atom) in given.heads for given in self.problem.outline.externals):
                    more = "  (external)"
                yield f"  {'  ' * depth}{atom}{more}"
                continue
            shown.add(atom)
            missing = f", not {', not '.join(one.negative)}" if one.negative else ""
            how = {"fact": "fact", "choice": "chosen", "disjunction": "chosen"}.get(one.kind, "by")
            yield f"  {'  ' * depth}{atom}  ({how} {self._placed(one)}{missing})"
            waiting += [(other, depth + 1) for other in reversed((*one.positive, *one.inside, *one.theory))]

    _json: ClassVar[Keys] = (
        PROGRAM,
        "question status rather_than given",
        CLASH,
        Key("derivation", tuple[Why, ...] | None, lambda self: self.trace and self.trace.steps),
        Key("derivations", tuple[tuple[Why, ...], ...] | None, lambda self: self.trace and self.trace.derivations),
        Key("missing", tuple[Why, ...] | None, lambda self: self.trace and self.trace.missing),
        Key("support", tuple[Why, ...] | None, lambda self: self.trace and self.trace.support),
        "cost limit notes questions",
        WARNINGS,
    )


def reasons(problem: AspProblem, atom: str | None, *, limits: Limits, on_progress: Callable[[Reasons], object] | None,
            holds: bool, rather_than: str | None, given: Sequence[str]) -> Reasons:
    """Why an atom holds, or does not, or without an atom why the lowest cost is not lower; see `bridge.why`."""
    if atom is None:
        work = _Reasoning(problem, Reasons(problem, "cost"), limits, on_progress)
        return work.done(work.cost)
    literals = tuple(map(_literal, given))
    atom, other = _literal(atom), _literal(rather_than) if rather_than is not None else None
    found = Reasons(problem, atom if holds else f"not {atom}", rather_than=other, given=literals)
    work = _Reasoning(problem, found, limits, on_progress)
    if other is not None:
        return work.done(lambda: work.contrast(atom, other))
    return work.done(lambda: work.atom(atom, holds))


class _Reasoning(Published[Reasons]):
    def __init__(self, problem: AspProblem, found: Reasons, limits: Limits,
                 on_progress: Callable[[Reasons], object] | None) -> None:
        super().__init__(found, limits.seconds, on_progress)
        self.problem = problem
        self._waves: list[Waves] = []

    @property
    def questions(self) -> int:
        return sum(waves.calls for waves in self._waves)

    def done(self, ask: Callable[[], None]) -> Reasons:
        return self.after(lambda: self._ask(ask))

    def _ask(self, ask: Callable[[], None]) -> None:
        with self.problem.backend.opened(), ExitStack() as self._stack:
            self.problem = self.problem.backend.ended(self.deadline)
            if self.problem.steps is not None:
                self.publish(problem=self.problem)
                self.note(self.problem.backend.of_step)
            ask()

    def _within(self) -> Limits:
        return self.problem.backend.limited(self.deadline.within(Limits()))

    # An atom

    def atom(self, atom: str, holds: bool) -> None:
        optimal = bool(self.problem.outline.costs)
        with self.problem.program(limits=self._within()) as program:
            given = self.found.given
            some = program.solve(assuming=[*given, atom], limits=self._within()).satisfiable
            self.publish(warnings=warnings_of(program))
            without = program.solve(assuming=[*given, f"not {atom}"], limits=self._within()).satisfiable
            if some is None or without is None:
                raise LimitError("the limit on seconds came first")
            if not (some or without or given):
                lacking = program.trace(atom, False, possible=True, limits=self._within())
                if lacking.support is not None:
                    self.publish(status="no", trace=lacking)
                    self.note("the program has no answer set at all; `diagnose` says why")
                    return
            if not some and not without:
                with_given = " with what is given" if given else ""
                raise InputError(f"the program has no answer set{with_given}", hint="`diagnose` says why")
            status: Status = "every" if not without else "some" if some else "no"
            self.publish(status=status)
            trace: Trace | None = None
            if status == "some" or (status == "every" and holds):
                least = optimal and status == "some"
                trace = program.trace(atom, holds, assuming=given, optimal=least, limits=self._within())
            if status == "no":  # whichever way it was asked
                # With what is given, choices are made: one answer set shows what the rules lack there.
                trace = program.trace(atom, False, possible=not given, assuming=given, limits=self._within())
            self.publish(trace=trace)
            if trace is not None and trace.theory:
                self.note("whether theory atoms of rule bodies hold in the answer set was not checked")
        if status == "some":
            if optimal:
                first = f"; {order(self.problem)}" if order(self.problem) else ""
                self.note(f"the answer set is one of least cost among those {'with' if holds else 'without'} it{first}")
            return
        waves = self._waves_of(f":- {atom}." if status == "every" else f":- not {atom}.")
        self.publish(clash=self._first(waves, self._given))

    def _first(self, waves: Waves, given: Sequence[AtomFact]) -> Clash[StatementPremise]:
        """The first clash; where rules depend on what others can derive, it is not known to be minimal."""
        clash = waves.first(given)
        if self.problem.outline.beyond_question is not None:
            self.note(self.problem.outline.beyond_question)
        by_domain = self.problem.outline.by_domain
        return replace(clash, minimal=False, smallest=False) if by_domain else clash

    @property
    def _given(self) -> list[AtomFact]:
        return [AtomFact(one.removeprefix("not "), not one.startswith("not ")) for one in self.found.given]

    def _waves_of(self, query: str) -> Waves:
        waves = Waves(self.problem.with_query(f"{self.problem.query}{query}"), self.deadline)
        self._waves.append(self._stack.enter_context(waves))
        return waves

    # One atom and not another

    def contrast(self, atom: str, other: str) -> None:
        with self.problem.program(limits=self._within()) as program:
            assumed = [*self.found.given, f"not {other}"]
            solved = program.solve(assuming=[*assumed, atom], limits=self._within())
            self.publish(warnings=warnings_of(program))
            if solved.satisfiable is None:
                raise LimitError("the limit on seconds came first")
            if not solved.satisfiable:
                with_given = f" with {', '.join(self.found.given)}" if self.found.given else ""
                hint = "ask why it does not hold"
                raise InputError(f"no answer set{with_given} has {atom} and not {other}", hint=hint)
            trace = program.trace(atom, assuming=assumed, limits=self._within())
        self.publish(status="some", trace=trace)
        chosen = [AtomFact(one) for one in self._choices(trace) if one != atom]
        waves = self._waves_of(f":- not {other}.")
        try:
            self.publish(clash=self._first(waves, [*self._given, *chosen]))
        except NoClashError:
            self.note(f"nothing forbids it: {other} can hold while all other choices stay as they are")

    def _choices(self, trace: Trace) -> list[str]:
        """The atoms of the answer set that choices and disjunctions may have made."""
        makers = ("choice", "disjunction")
        heads = {head for one in self.problem.outline.statements if one.kind in makers for head in one.heads}
        return [atom for atom in trace.model or () if signature(atom) in heads]

    # The cost

    def cost(self) -> None:
        if self.problem.steps is not None:
            raise UnsupportedError("the cost of an incremental program is not explained", hint="why of an atom is")
        if not self.problem.outline.costs:
            raise InputError("the program minimises nothing", hint="there is no #minimize and no weak constraint in it")
        best, warnings = least(self.problem, self._within())
        self.publish(warnings=warnings)
        if best is None:
            raise InputError("the program has no answer set", hint="`diagnose` says why")
        if not best.cost:
            raise InputError("the program minimises nothing", hint="no weight of its weak constraints is a number")
        self.publish(cost=best.cost, status="every")
        if (first := order(self.problem)) is not None:
            self.note(first)
        self.publish(clash=self._first(self._waves_of(better(self.problem, best)), self._given))


def _literal(text: str) -> str:
    """A literal as clingo writes it."""
    from bridge.asp.reading.source import term  # clingo, to read a term

    sign = "not " if text.strip().startswith("not ") else ""
    try:
        found = term(text.strip().removeprefix("not ").strip())
    except BridgeError as error:
        raise InputError(f"`{text}` is not an atom: {error.message}", hint="write it as in `at(math,1)`") from None
    if not is_name(str(found).removeprefix("-").partition("(")[0]):
        raise InputError(f"`{text}` is not an atom", hint="write it as in `at(math,1)`")
    return f"{sign}{found}"
