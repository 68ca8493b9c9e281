"""Diagnose a clingo program: has it one answer set, several or none, why, and what to change?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from functools import cached_property
from itertools import combinations
from typing import Any, Literal

from bridge.analysis.chains import chain
from bridge.analysis.cores import Clash
from bridge.analysis.costs import least, no_better, refuse_costs
from bridge.analysis.diagnosis import Asked, Variant
from bridge.analysis.program_diagnosis import ProgramDiagnosis, ProgramResidual
from bridge.analysis.repairs import After, Repairs, additions, removals
from bridge.analysis.waves import NoClashError, Waves
from bridge.analysis.work import FinishedError, Options, Work
from bridge.asp.decode import is_name
from bridge.asp.given import unknown_constant
from bridge.asp.model import Model
from bridge.asp.reading.outline import Statement
from bridge.errors import InputError, LimitError
from bridge.limits import UNLIMITED, Deadline, Limits
from bridge.outcome import Verdict
from bridge.problem.asp import AspProblem
from bridge.problem.asp_oracle import ProgramOracle, StatementPremise
from bridge.problem.questions import without
from bridge.problem.scope import MANY

#: The most variants to change together.
MOST_CHANGES = 3

#: Seconds in which a clash is looked at step by step.
CHAIN = 2.0


class ProgramWork(Work[ProgramDiagnosis, StatementPremise]):
    """The state of a diagnosis of a program, or of the verdict alone, or of that and what is open."""

    def __init__(self, problem: AspProblem, options: Options, limits: Limits,
                 on_progress: Callable[[ProgramDiagnosis], object] | None,
                 wanted: Literal["all", "verdict", "residual"] = "all") -> None:
        asked: Asked = "diagnose" if wanted == "all" else "check"
        super().__init__(ProgramDiagnosis(problem, Verdict.UNKNOWN, asked=asked), limits.seconds, on_progress)
        self.problem, self.options, self._wanted = problem, options, wanted
        self.waves = Waves(problem, self.deadline)

    @property
    def questions(self) -> int:
        return self.waves.calls

    def done(self) -> ProgramDiagnosis:
        with self.problem.backend.opened(), self.waves:
            return super().done()

    def parts(self) -> Mapping[Verdict, Sequence[Callable[[], None]]]:
        if self._wanted != "all":
            return {Verdict.AMBIGUOUS: (self._possible,)} if self._wanted == "residual" else {}
        return {
            Verdict.IMPOSSIBLE: (
                self._clash,
                self._chain,
                self._missing,
                self._instances,
                self._variants,
                self._removals,
                self._after,
                self._more,
            ),
            Verdict.AMBIGUOUS: (self._possible, self._ambiguity, self._additions),
        }

    @cached_property
    def plain(self) -> ProgramOracle:
        """The program without switches."""
        return self.waves.keep(self.problem.backend.plain(self.deadline))

    def verdict(self) -> None:
        self._begin()
        if self._wanted == "residual":
            self._models()
            return
        few = self.waves.early(on_better=self._better)
        # The first core of the switched program is a clash already; of a program with answer sets, it is not needed.
        try:
            if few is None:
                self.publish(warnings=self.waves.switched.warnings)
                few = self.waves.rules(on_better=self._better)
        except NoClashError:
            self._models()
            return
        self.publish(verdict=Verdict.IMPOSSIBLE, clashes=(few,))

    def _begin(self) -> None:
        """Read the program, and what is to be changed in it."""
        self.problem = self.waves.problem = self.problem.backend.ended(self.deadline)
        if self.problem.steps is not None:
            self.publish(problem=self.problem)
            self.note(self.problem.backend.of_step)
        if self.problem.theory is not None:
            self.note("answer sets that differ only in values of the theory's variables count once")
        self._changes = [self._change(text) for text in self.options.variants]
        if self.problem.optimal:
            refuse_costs(self.problem)
            if not self.problem.outline.costs:
                self.note("the program minimises nothing: all answer sets count")
        elif self.problem.outline.costs:
            self.note(
                "#minimize, #maximize and weak constraints are ignored: all answer sets count, whatever they cost; "
                "--optimal (in Python bridge.program(..., optimal=True)) looks only at those of least cost"
            )
        if self.problem.outline.terms:
            self.note("terms that `#show` has with a condition are ignored: only atoms count")

    def _take_best(self) -> None:
        """From here on, only the answer sets of least cost count."""
        best, warnings = least(self.problem, self.problem.backend.limited(self.deadline.within(Limits())))
        self.publish(warnings=warnings)
        if best is not None:
            self.problem = no_better(self.problem, best)
            self.publish(cost=best.cost)

    def _models(self) -> None:
        """The verdict by up to two answer sets of the program without switches."""
        models: list[Model] = []
        if self.problem.optimal and self.problem.outline.costs:
            self._take_best()
        self.publish(warnings=self.plain.warnings)
        try:
            for model in self.plain.models((), Limits(solutions=2)):
                models = [*models, model]
        finally:
            self.publish(solutions=tuple(models))
        verdicts = (Verdict.IMPOSSIBLE, Verdict.UNIQUE, Verdict.AMBIGUOUS)
        empty: dict[str, Any] = {} if not models else {"clashes": (), "after": ()}
        self.publish(verdict=verdicts[len(models)], **empty)

    def _better(self, clash: Clash[StatementPremise]) -> None:
        """Keep a clash that is not known to be minimal: a limit may come first."""
        self.publish(verdict=Verdict.IMPOSSIBLE, clashes=(replace(clash, minimal=False),))

    # Impossible

    def _clash(self) -> None:
        if not self.found.clashes:
            self.note("statements marked `implied` do not follow from the others: without them there is an answer set")
            raise FinishedError
        if self.problem.outline.beyond_question is not None:
            self.note(self.problem.outline.beyond_question)
        (few,) = self.found.clashes
        try:
            first = self.waves.with_facts(few, on_better=self._better)
        except NoClashError:
            first = few
        self.publish(clashes=(self._checked(first),), fixed=self.waves.fixed)

    def _checked(self, clash: Clash[StatementPremise]) -> Clash[StatementPremise]:
        """The clash, minimal only where its rules are so when they are really left out."""
        if not (clash.minimal and self.problem.outline.by_domain):
            return clash
        others = without(self._in_question, [one for premise in clash.premises for one in premise.statements])
        for premise in clash.premises:
            away = [*premise.statements]
            if not (self._has_answer(away) or self._has_answer([*away, *others])):
                return replace(clash, minimal=False)
        return clash

    @property
    def _in_question(self) -> list[Statement]:
        return [one for one in self.problem.outline.every() if one.in_question]

    def _has_answer(self, away: Sequence[Statement]) -> bool:
        """Whether the program without some statements has an answer set; LimitError when a limit comes first."""
        limits = self.problem.backend.limited(self.deadline.within(UNLIMITED))
        with self.problem.without([str(one.place) for one in away]).program(limits=limits) as program:
            return program.first(limits=limits) is not None

    def _chain(self) -> None:
        (first,) = self.found.clashes
        # With each instance in question it takes longer to ground.
        large = (self.problem.grounding_seconds or 0) > CHAIN / 4 or self.problem.outline.size > MANY
        if not first.premises or self.problem.steps is not None or large or self.problem.outline.by_domain:
            return
        remaining = self.deadline.remaining()
        soon = Deadline(CHAIN if remaining is None else min(CHAIN, remaining))
        with suppress(LimitError):
            self.publish(chain=chain(self.waves.by_instance(first, soon, alone=True), first, soon))

    def _missing(self) -> None:
        """Find what an atom would need that a constraint of the clash demands, and that nothing can derive.

        A rule that does not derive what it should is in no clash: to leave it out does not help. Where an atom can be
        derived, in other answer sets, say what to ask.
        """
        rules = [one for premise in self.found.clashes[0].rules for one in premise.statements]
        demanding = [str(one.place) for one in rules if one.kind == "constraint"]
        if demanding and self.problem.steps is None:
            limits = self.problem.backend.limited(self.deadline.within(UNLIMITED))
            with self.problem.program(limits=limits) as program:
                trace = program.inside(limits).unsupported(demanding)
            if trace.wanted:
                self.publish(unsupported=trace)
                return
        if any(one.kind == "definition" for one in rules):
            return
        derived = {head for one in self.problem.outline.statements if one.kind == "definition" for head in one.heads}
        absent = sorted({of for one in rules if one.kind == "constraint" for of in one.negative & derived})
        if absent:
            names = " or ".join(f"{name}/{arity}" for name, arity in absent)
            self.note(
                f"if a rule for {names} is wrong, no clash has it: leave the goal out, and ask `why` of an atom that "
                "should hold, with `--given` for each choice that leads to it"
            )

    def _instances(self) -> None:
        if self.options.instances or self.problem.steps is not None:  # they name the steps
            self.publish(instances=self.waves.instances(self.found.clashes[0]))

    def _removals(self) -> None:
        def found(joint: ProgramOracle) -> Repairs[StatementPremise]:
            known = [one.premises for one in self.found.clashes]
            repairs = removals(joint, joint.in_question, (), self.options.repairs, known)
            if not self.problem.outline.by_domain:
                return repairs
            sets = [one for one in repairs.sets if self._has_answer([each for away in one for each in away.statements])]
            return Repairs(tuple(sets), repairs.size, complete=False)  # another may do that the switches do not show

        self.keep("removals", lambda: self.waves.settled(found))
        if "switched" not in vars(self.waves):  # the whole program was ground for this first
            self.publish(warnings=self.waves.joint.warnings)

    def _after(self) -> None:
        done: tuple[After, ...] = ()
        for away in self.found.removals.sets:
            left = without(self.waves.joint.in_question, away)
            done = (*done, After(self.waves.joint.is_unique(left), {}))
            self.publish(after=done)
        self.publish(after=done)

    def _more(self) -> None:
        first = self.waves.settled(lambda joint: self.smaller_clash(joint, joint.in_question, self.options.effort))
        first = self._checked(replace(first, smallest=first.smallest and not self.problem.outline.by_domain))
        self.publish(clashes=(first,))
        if self.options.clashes > 1:
            number = self.options.clashes - 1
            others = self.waves.settled(lambda joint: self.other_clashes(joint, joint.in_question, number))
            self.publish(clashes=(first, *map(self._checked, others)))

    # Variants

    def _change(self, text: str) -> tuple[str, Callable[[AspProblem], AspProblem], str]:
        """A change by its text: what it changes, and how."""
        name, equals, value = text.partition("=")
        if equals and is_name(name):
            if not self.problem.backend.has_constant(name):
                raise unknown_constant(name, self.problem.outline.constants)
            return f"-c {name}", lambda problem: problem.with_constant(name, value), f"-c {text}"
        keys = [one.key for one in self.problem.outline.every() if text in (one.key, str(one.place), _line(one))]
        if not keys:
            hint = "a constant is name=value; a rule is called by the name in its comment, or file:line"
            raise InputError(f"there is no rule {text!r} to leave out", hint=hint)
        return text, lambda problem: problem.without(keys), f"without {text}"

    def _variants(self) -> None:
        if not self._changes:
            return
        found: list[Variant] = []
        for number in range(1, min(MOST_CHANGES, len(self._changes)) + 1):
            for some in combinations(self._changes, number):
                if len({what for what, _, _ in some}) < number:
                    continue  # two values of one constant
                problem = self.problem
                for _, change, _ in some:
                    problem = change(problem)
                with closing(problem.backend.plain(self.deadline)) as oracle:
                    models = list(oracle.models((), Limits(solutions=2)))
                if models:
                    verdict = Verdict.UNIQUE if len(models) == 1 else Verdict.AMBIGUOUS
                    found.append(Variant(tuple(words for _, _, words in some), verdict))
            if found:
                break
        self.publish(variants=tuple(found))

    # Ambiguous

    def _possible(self) -> None:
        possible = self.plain.candidates()
        if possible is None:
            raise LimitError("the limit on seconds came before the open atoms were found")
        self.publish(residual=ProgramResidual("exact", "asp", possible))
        if not self.found.open:
            raise FinishedError  # they differ only in what is not an atom

    def _ambiguity(self) -> None:
        from bridge.analysis.ambiguity import ambiguity_of  # here: most diagnoses are of programs without answer sets

        known = [self.plain.reading.values_in(model) for model in self.found.solutions]
        self.keep("ambiguity", lambda: ambiguity_of(self.plain, (), self.found.open, known=known))

    def _additions(self) -> None:
        opened = self.found.open
        self.keep("additions", lambda: additions(self.plain, (), opened, self.options.most_clues, self.options.repairs))


def _line(statement: Statement) -> str:
    return f"{statement.place.file}:{statement.place.line}"
