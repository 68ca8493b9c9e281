"""Mutants of a Prolog program: which of them do its tests of plunit not notice?

    >>> for mutant in mutants("p(X) :- q(X), X > 0.\\n"):
    ...     print(mutant.kind, mutant.after or "(left out)")
    rule (left out)
    literal p(X) :- X > 0.
    literal p(X) :- q(X).
    operator p(X) :- q(X), X >= 0.
    bound p(X) :- q(X), X > 1.

They are as of `bridge.debugging.mutants`: a clause or a goal is left out, `\\+` is dropped, a test is exchanged for the
one next to it, a number is one more or less.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from os import PathLike

from bridge.common import read_source
from bridge.debugging.goal_edits import EditableProgram
from bridge.debugging.goal_search import GoalCase, GoalTrials
from bridge.debugging.mutants import Mutant
from bridge.debugging.plunit import Suite, UnitGoal, UnitResult, with_own_tests, without_tests
from bridge.debugging.suites import budget
from bridge.errors import LimitError, ProgramError
from bridge.limits import Deadline, Limits
from bridge.problem import Reader

#: How often the seconds for one test a suite has.
_SUITE = 10


def mutants(source: str | PathLike[str]) -> Iterator[Mutant]:
    """All mutants of a file or of program text, each text once, in the order of the clauses; tests are left out."""
    file, text = read_source(source)
    with Reader() as reader:
        program = EditableProgram(reader.read(file or "<text>", without_tests(text)))
    seen = {program.text}
    for clause in program.clauses:
        for change in program.simple(clause):
            changed, after = program.changed(change, clause)
            if changed not in seen:
                seen.add(changed)
                before, after = (one and f"{one.strip()}." for one in (program.source.of(clause), after))
                yield Mutant(change.kind, program.source.place(clause.start), before, after, changed)


class SuiteOfMutants:
    """The tests of a program that mutants are run on: as goals, and where all of these pass, by plunit."""

    def __init__(self, sources: Sequence[str | PathLike[str]], suite: Suite, limits: Limits) -> None:
        self._suite, self._seconds = suite, limits.seconds or 10.0
        self._whole = read_source(sources[0])[1]
        self._others = "\n".join([*(without_tests(read_source(one)[1]) for one in sources[1:]), suite.others])
        self.results = self._run(self._whole)

    def _run(self, text: str) -> list[UnitResult]:
        limits = Limits(seconds=self._seconds * _SUITE)
        return [one for one in self._suite.run(text, limits, self._seconds) if one.status != "skipped"]

    def noticed(self, some: Iterator[Mutant]) -> Iterator[tuple[Mutant, UnitResult | UnitGoal | None, str | None]]:
        """Each mutant, a test that notices it, and how; of one that cannot be loaded, no test and why."""
        goals = list(self._suite.goals)
        with GoalTrials((), self._others, most=1, seconds=self._seconds) as trials:
            trials.expect([GoalCase(one.goal, None, one.succeeds) for one in goals])
            found = budget(trials, without_tests(self._whole), Deadline(None), [True] * len(goals))
            known = [number for number, case in enumerate(trials.cases) if case.score(found[number])[0]]
            cases = [trials.cases[number] for number in known]
            trials.expect(cases)
            for mutant in some:
                answers = trials.run(mutant.text, Deadline(None), first=True)
                wrong = next((each for each in enumerate(answers) if not cases[each[0]].score(each[1])[0]), None)
                if wrong is None:
                    yield mutant, *self._by_plunit(mutant.text)
                elif wrong[1].inferences < 0:
                    yield mutant, None, wrong[1].end
                else:
                    ended = wrong[1].end if wrong[1].end.startswith("error") else "it fails"
                    how = "it does not end in its inferences" if wrong[1].end == "limit" else ended
                    yield mutant, goals[known[wrong[0]]], how

    def _by_plunit(self, text: str) -> tuple[UnitResult | None, str | None]:
        try:
            results = self._run(with_own_tests(text, self._whole))
        except (LimitError, ProgramError) as error:
            return None, error.message
        wrong = next((one for one in results if one.status != "passed"), None)
        return wrong, None if wrong is None else wrong.reason
