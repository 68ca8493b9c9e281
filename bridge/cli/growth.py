"""Which rule a grounding that did not end spent its time on: said where a limit or Ctrl-C came before any answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bridge.cli.endings import warn
from bridge.cli.programs import confinement, limits_of, source_of
from bridge.errors import BridgeError
from bridge.limits import Limits
from bridge.outcome import Interrupted

if TYPE_CHECKING:
    from bridge.profiling.grounding_profile import Profile

#: The seconds that the program is ground again, with its rules counted; and those with what comes before, at most.
SECONDS, AT_MOST = 1.0, 10.0


class _Enough(Exception):
    """The program has been ground for so long."""


def name_what_grows(files: Sequence[str], given: dict[str, Any]) -> None:
    """Ground a program again for a short time; print the rule that most of it went into, if it does not end by then.

    A program that is ground in less is slow for another reason, and nothing is printed.
    """
    from bridge.profiling.grounding_profile import profile

    if given.get("theory") is not None or given.get("in_process"):  # profiled in a process of its own, without theories
        return
    options = [*(f"--const={constant}" for constant in given["constants"]), *given.get("rest", ())]
    within = Limits(seconds=AT_MOST, memory=limits_of(given).memory)
    found: Profile | None = None

    def take(so_far: Profile) -> None:
        nonlocal found
        found = so_far
        if found.seconds >= SECONDS:
            raise _Enough

    try:
        profile(*map(source_of, files), options=options, limits=within, on_progress=take, **confinement(given))
    except _Enough:
        pass
    except (BridgeError, Interrupted, KeyboardInterrupt):  # the limit that came has been reported already
        return
    rules = [each for each in found.statements if each.kind != "facts"] if found is not None else []
    if found is None or found.complete or found.seconds < SECONDS or not rules:
        return
    most = rules[0]
    number = "" if most.rules is None else f", {most.rules:,} ground rules so far"
    warn(
        [
            f"{most.place}: grounding does not end soon: ground again for {found.seconds:.1f} s, most of it went into "
            f"this rule{number}",
            f"    {most.text}",
            "bound its variables, as by X < 100 or a smaller domain; `lpbridge ground --by-rule` counts all rules",
        ]
    )
