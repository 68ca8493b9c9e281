"""A suite of plunit as what is expected of a program: its tests as goals for the search, plunit for the last word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate, compress
from os import PathLike
from time import perf_counter

from bridge.common import listed, plural, read_source
from bridge.debugging.coverage import Covered
from bridge.debugging.goal_search import INFERENCES, Answers, GoalCase, GoalTrials
from bridge.debugging.plunit import Suite, UnitResult, read_suite, with_own_tests, without_tests
from bridge.debugging.search import Found, Variant
from bridge.errors import LimitError, ProgramError, UnsupportedError
from bridge.limits import Deadline, Limits
from bridge.problem import Reader

#: Seconds for one test, and for the whole suite on one variant.
_EACH, _SUITE = 2.0, 20.0

#: Variants that plunit judges, at most, and repairs that are kept.
_JUDGED, _KEPT = 30, 3

#: Variants that plunit judges though one test needs more inferences than there are.
_DOUBTS = 2

#: Tests that fail that a variant is run on first, where they need few inferences, at most: where it passes none of
#: them, it is run on no others.
_FIRST = 4

#: How many more inferences a variant has for a test than the program needs for one that passes.
_PATIENCE = 10

#: Inferences that a variant has for a test at least, and at first.
_UNKNOWN, _QUICK = 100_000, 20_000

#: Tests that are named.
_NAMED = 4


class Judge:
    """What plunit says of a program and of its variants.

    `whole` is the program in question, `text` the same without its tests, which `trials` run as goals. Where the suite
    does not end in its time, these say which tests fail.
    """

    def __init__(self, suite: Suite, whole: str, text: str, trials: GoalTrials, deadline: Deadline) -> None:
        self._suite, self._whole, self._deadline = suite, whole, deadline
        self._trials, self._text, self._judged = trials, text, 0
        trials.expect([GoalCase(one.goal, None, one.succeeds) for one in suite.goals])
        trials.inferences, began = INFERENCES[0], perf_counter()
        self._found = trials.run(text, deadline)
        trials.paced(perf_counter() - began)
        try:
            self.results = [] if self._endless() else self._run(whole)
        except LimitError:
            self.results = []
        # Where a limit comes first, the goals say it.
        self.results = self.results or [
            UnitResult("passed" if case.score(answers)[0] else "failed", one.name, one.place, None, 0.0)
            for one, case, answers in zip(suite.goals, trials.cases, self._found, strict=True)
        ]
        self.number = len(self.results)
        self.failed = [one for one in self.results if one.status != "passed"]
        self.by = f"passes {'the test' if self.number == 1 else f'all {self.number} tests'}"

    @property
    def right(self) -> bool:
        """Whether the program passes the suite as it is."""
        return bool(self.results) and not self.failed

    def note(self) -> str:
        """Which tests fail, in words."""
        names = [f"{one.name} ({one.place})" for one in self.failed[:_NAMED]]
        if len(self.failed) > len(names):
            names.append(f"{len(self.failed) - len(names)} more")
        verb = "fails" if len(self.failed) == 1 else "fail"
        return f"{len(self.failed)} of {plural(self.number, 'test')} {verb}: {listed(names)}"

    def _run(self, text: str) -> list[UnitResult]:
        limits = self._deadline.within(Limits(seconds=_SUITE))
        return [one for one in self._suite.run(text, limits, _EACH) if one.status != "skipped"]

    def _endless(self) -> bool:
        """Whether the first test that needs many inferences does not end: plunit would wait for each of them."""
        pairs = zip(self._trials.cases, self._found, strict=True)
        some = [case.goal for case, one in pairs if one.end == "limit"]
        first = self._trials.run(self._text, self._deadline, some[:1], INFERENCES[-1])
        if not any(one.end == "limit" for one in first):
            return False
        again = iter([*first, *self._trials.run(self._text, self._deadline, some[1:], INFERENCES[1], True)])
        self._found = [next(again, one) if one.end == "limit" else one for one in self._found]
        return True

    def expect(self, others: Sequence[GoalCase]) -> None:
        """Have the trials run the tests as goals, first some that fail, and others with these.

        They have as many inferences as those need that pass, and some more.

        Those are left out of which a goal says something else than plunit.

        Raises UnsupportedError when no test that fails is left.
        """
        passed = {(one.name, one.place.line): one.status == "passed" for one in self.results}
        known = [(one.name, one.place.line) in passed for one in self._suite.goals]
        goals = list(compress(self._suite.goals, known))
        meant = [passed[one.name, one.place.line] for one in goals]
        trials = self._trials
        trials.expect([GoalCase(one.goal, None, one.succeeds) for one in goals])
        answers = budget(trials, self._text, self._deadline, meant, list(compress(self._found, known)))
        found = list(zip(trials.cases, answers, strict=True))
        right = [case for (case, one), passes in zip(found, meant, strict=True) if passes and case.score(one)[0]]
        failing = [each for each, passes in zip(found, meant, strict=True) if not (passes or each[0].score(each[1])[0])]
        failing.sort(key=lambda each: each[1].inferences)
        wrong = [case for case, _ in failing]
        if not (wrong or others):
            hint = "say what should hold by --missing and --unwanted"
            raise UnsupportedError(f"{self.note()}; called as goals they do not", hint=hint)
        trials.expect([*others, *wrong, *right])
        trials.doubts = _DOUBTS
        used = list(accumulate(one.inferences for _, one in failing[:_FIRST]))
        few = sum(number <= _QUICK for number in used) or len(used[:1])
        trials.first, trials.share = len(others) + few, len(right) / len(trials.cases)

    def passes(self, text: str) -> bool:
        """Whether plunit says of a variant, a text without tests, that it passes the suite."""
        self._judged += 1
        if self._judged > _JUDGED:
            return False
        try:
            found = self._run(with_own_tests(text, self._whole))
        except (LimitError, ProgramError):
            return False
        return len(found) >= self.number and all(one.status == "passed" for one in found)

    def whole(self, found: Found) -> Found:
        """What was found, with the program's own tests in its texts again."""
        found.base = self._whole_of(found.base)
        found.repairs = list(map(self._whole_of, found.repairs[:_KEPT]))
        return found

    def _whole_of(self, variant: Variant) -> Variant:
        return replace(variant, text=with_own_tests(variant.text, self._whole))


def budget(
    trials: GoalTrials, text: str, deadline: Deadline, passes: Sequence[bool], found: Sequence[Answers] = ()
) -> Sequence[Answers]:
    """What each case comes to in a program, or what was `found` with the least number of inferences.

    Variants get some more inferences than the tests need that pass: some at first, and then more.
    """
    for trials.inferences in INFERENCES:
        if trials.inferences > INFERENCES[0] or not found:
            began = perf_counter()
            found = trials.run(text, deadline)
            trials.paced(perf_counter() - began)
        used = [one for one, passed in zip(found, passes, strict=True) if passed]
        if not any(one.end == "limit" for one in used):
            break
    most = max((one.inferences for one in found if one.end != "limit"), default=0)
    trials.inferences = max(_UNKNOWN if used else INFERENCES[1], min(_PATIENCE * most, INFERENCES[-1]))
    trials.quick = min(trials.inferences, max(_QUICK, 2 * most))
    return found


def clauses_entered(
    sources: Sequence[str | PathLike[str]], tests: Sequence[str | PathLike[str]], name: str | None = None
) -> tuple[Covered, ...]:
    """The clauses of a Prolog program, and how many of its tests, or of those with a name, enter each."""
    suite = read_suite(sources, tests)
    goals = [one.goal for one in suite.goals if name is None or name in one.name] if suite is not None else []
    texts = [(file, without_tests(text)) for file, text in map(read_source, sources)]
    others = [*(text for _, text in texts[1:]), "" if suite is None else suite.others]
    found: list[Covered] = []
    with GoalTrials(goals, "\n".join(others), most=1, seconds=None) as trials, Reader() as reader:
        trials.quick = INFERENCES[-1]
        entered = trials.entered(texts[0][1], Deadline(None))
        lines = 0  # those of the texts before
        for file, text in texts:
            source = reader.read(file or "<text>", text)
            for clause in source.clauses:
                place, written = source.place(clause.start), source.of(clause)
                number = sum(lines + (place.line or 1) in one for one in entered)
                found.append(Covered(place, (place.line or 1) + written.count("\n"), written, "clause", number))
            lines += text.count("\n") + 1
    return tuple(found)
