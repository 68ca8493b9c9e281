"""A suite of plunit as what is expected of a program: its tests as goals for the search, plunit for the last word."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

from bridge.common.english import listed, plural
from bridge.debugging.goal_search import INFERENCES, GoalCase, GoalTrials
from bridge.debugging.plunit import Suite, UnitResult, with_own_tests
from bridge.debugging.search import Found, Variant
from bridge.errors import LimitError, ProgramError, UnsupportedError
from bridge.limits import Deadline, Limits

#: Seconds for one test, and for the whole suite on one variant.
_EACH, _SUITE = 2.0, 20.0

#: Repairs that plunit runs the suite on, and those that are kept.
_JUDGED, _KEPT = 12, 3

#: Tests that are named.
_NAMED = 4


class Judge:
    """What plunit says of a program and of its variants.

    `whole` is the program in question, `text` the same without its tests.
    """

    def __init__(self, suite: Suite, whole: str, deadline: Deadline) -> None:
        self._suite, self._whole, self._deadline = suite, whole, deadline
        self.results = self._run(whole)
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
        return [one for one in self._suite.run(text, limits, each=_EACH) if one.status != "skipped"]

    def cases(self, trials: GoalTrials, text: str) -> list[GoalCase]:
        """The tests as goals that `trials` run, with as many inferences as those need that pass.

        Those are left out of which a goal says something else than plunit.

        Raises UnsupportedError when no test that fails is left.
        """
        passed = {(one.name, one.place.line): one.status == "passed" for one in self.results}
        goals = [one for one in self._suite.goals if (one.name, one.place.line) in passed]
        every = [GoalCase(one.goal, None, one.succeeds) for one in goals]
        meant = [passed[one.name, one.place.line] for one in goals]
        trials.expect(every)
        for trials.inferences in INFERENCES[1:]:
            found = trials.run(text, self._deadline)
            right = [case.score(one)[0] for case, one in zip(every, found, strict=True)]
            if not any(one.end == "limit" and passes for one, passes in zip(found, meant, strict=True)):
                break
        known = [case for case, now, passes in zip(every, right, meant, strict=True) if now == passes]
        if not any(not now and not passes for now, passes in zip(right, meant, strict=True)):
            hint = "say what should hold by --missing and --unwanted"
            raise UnsupportedError(f"{self.note()}; called as goals they do not", hint=hint)
        return known

    def confirmed(self, found: Found) -> Found:
        """What was found, with the repairs that pass the suite, and the program's own tests in their texts again."""
        found.base = self._whole_of(found.base)
        passing = (one for one in map(self._whole_of, found.repairs[:_JUDGED]) if self._passes(one.text))
        found.repairs = list(islice(passing, _KEPT))
        return found

    def _whole_of(self, variant: Variant) -> Variant:
        return replace(variant, text=with_own_tests(variant.text, self._whole))

    def _passes(self, text: str) -> bool:
        try:
            found = self._run(text)
        except (LimitError, ProgramError):
            return False
        return len(found) >= self.number and all(one.status == "passed" for one in found)
