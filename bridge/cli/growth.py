"""Why grounding does not end: a recursion that nothing bounds, or the rule that most of the time goes into.

The first is said when a program has given no answer for a second, the second where a limit or Ctrl-C came before any.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from os import PathLike
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

from bridge.cli.certain import is_small
from bridge.cli.programs import asp_problem, confinement, limits_of, options_of
from bridge.cli.shared import warn
from bridge.common.english import TOO_LARGE
from bridge.errors import BridgeError, ProgramError
from bridge.limits import Limits
from bridge.outcome import Interrupted

if TYPE_CHECKING:
    from bridge.profiling.grounding_profile import Profile

#: After so many seconds without an answer the text of the program is looked at.
SOON = 1.0

#: The seconds that the program is ground again, with its rules counted; and those with what comes before, at most.
SECONDS, AT_MOST = 1.0, 10.0


class _Enough(Exception):
    """The program has been ground for so long."""


class Growth:
    """What is said while a program is ground, and where that did not end. The context is open while it is ground."""

    def __init__(self, sources: Iterable[str | PathLike[str]], given: dict[str, Any]) -> None:
        self._sources, self._given = [*sources], given
        self._answered = Event()
        self._thread = Thread(target=self._watch, daemon=True)
        self.endless = False  #: Whether the text shows that it does not end, and this has been said.

    def __enter__(self) -> Growth:
        self._thread.start()
        return self

    def __exit__(self, _: object, error: BaseException | None, *__: object) -> None:
        self.answered()
        self._thread.join()
        if isinstance(error, ProgramError) and error.message == TOO_LARGE:
            from bridge.linting.lint import lint

            found = lint(asp_problem(self._sources, self._given), instances=True).certain
            if large := [one for one in found if one.sentence.startswith("numbers have 32 bits")]:
                raise ProgramError(str(large[0]), where=large[0].place) from None

    def within(self, limits: Limits) -> Limits:
        """Limits with little time, where the text shows that the program is ground without end, which is said now."""
        with suppress(OSError):  # it is reported where the program is loaded
            if is_small(self._sources):
                self._name_recursion()
        return replace(limits, seconds=min(SOON, limits.seconds or SOON)) if self.endless else limits

    def answered(self) -> None:
        """There is an answer, or an end: nothing more is said."""
        self._answered.set()

    def _watch(self) -> None:
        if not self._answered.wait(SOON) and not self.endless:
            self._name_recursion(lambda: self._answered.is_set())

    def _name_recursion(self, is_late: Callable[[], bool] = lambda: False) -> None:
        from bridge.linting.lint import never_ends

        try:
            found = never_ends(asp_problem(self._sources, self._given))
        except BridgeError:  # it is reported where the program is loaded
            return
        if found and not is_late():
            self.endless = True
            warn([f"{one.place}: {one} [{one.id}]" for one in found])

    def name(self) -> None:
        """A limit came before any answer: name the recursion, or else the rule that most of the time went into."""
        self._thread.join()
        if not self.endless:
            self._name_recursion()
        if not self.endless:
            self._name_rule()

    def _name_rule(self) -> None:
        """Ground the program again for a short time; print the rule that most of it went into, if it does not end.

        A program that is ground in less is slow for another reason, and nothing is printed.
        """
        from bridge.profiling.grounding_profile import profile

        given = self._given  # profiled in a process of its own, without theories
        if given.get("theory") is not None or given.get("in_process"):
            return
        within = Limits(seconds=AT_MOST, memory=limits_of(given).memory)
        found: Profile | None = None

        def take(so_far: Profile) -> None:
            nonlocal found
            found = so_far
            if found.seconds >= SECONDS:
                raise _Enough

        try:
            profile(*self._sources, options=options_of(given), limits=within, on_progress=take, **confinement(given))
        except _Enough:
            pass
        except (BridgeError, Interrupted, KeyboardInterrupt):  # the limit that came has been reported already
            return
        rules = [each for each in found.statements if each.kind != "facts"] if found is not None else []
        if found is None or found.complete or found.seconds < SECONDS or not rules:
            return
        most = rules[0]
        number = "" if most.rules is None else f", {most.rules:,} ground rules so far"
        went = f"ground again for {found.seconds:.1f} s, most of it went into this rule{number}"
        remedy = "bound its variables, as by X < 100 or a smaller domain; `lpbridge profile` counts all rules"
        warn([f"{most.place}: grounding does not end soon: {went}", f"    {most.text}", remedy])
