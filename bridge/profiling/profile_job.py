"""Profiles of grounding and of search, in a process to itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bridge.asp.reading import Scripts
from bridge.asp.running import in_folder, warm
from bridge.limits import Limits
from bridge.outcome import Progress
from bridge.profiling import by_conflict, by_rule
from bridge.profiling.grounding_profile import PROFILE, SEARCH

__all__ = ["in_folder", "patience", "pending", "serve", "warm"]

#: Seconds between two reports of a profile.
patience = 0.5

_profiles: list[by_rule.Profiler] = []  # none or one


def serve(call: tuple[Any, ...], limits: Limits, progress: Progress) -> Iterator[tuple[Any, int]]:
    """Answer one call, by its name, and whether the program's scripts may run."""
    name, scripts, *arguments = call
    if scripts:
        Scripts(lambda: None)
    answer: Any
    if name == "profile":
        profiler = by_rule.Profiler(*arguments)
        yield PROFILE.write(profiler.profile()), 1
        _profiles.append(profiler)
        profiler.run(limits)
        _profiles.clear()
        answer = PROFILE.write(profiler.profile())
    else:
        sources, options, lemmas = arguments
        answer = SEARCH.write(by_conflict.search(sources, options, lemmas, limits))
    progress.complete = True
    yield answer, 1


def pending() -> list[Any]:
    """What has been counted so far; called while the program is being ground."""
    return [PROFILE.write(profiler.profile()) for profiler in _profiles]
