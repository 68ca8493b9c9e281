"""A result in brief, for a language model: the cause and one remedy, in at most some 400 tokens."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bridge.analysis.diagnosis import Diagnosis, RuleDiagnosis
from bridge.analysis.program_diagnosis import ProgramDiagnosis
from bridge.analysis.repairs import Repairs
from bridge.common.english import plural
from bridge.comparison.comparison import Comparison
from bridge.debugging.result import Debugging
from bridge.debugging.testing import Testing
from bridge.linting.result import Lint

#: Some 400 tokens.
LENGTH = 1600


def brief(found: Any) -> str:
    """The cause and one remedy, in at most `LENGTH` characters."""
    return shortened(_text(found))


def _text(found: Any) -> str:
    if isinstance(found, Diagnosis):
        less: dict[str, Any] = {"removals": _first(found.removals)}
        if isinstance(found, RuleDiagnosis):
            less["additions"] = _first(found.additions)
        if isinstance(found, ProgramDiagnosis):
            less["chain"] = ()
        return str(replace(found, **less))
    if isinstance(found, Debugging):
        return replace(found, suspects=found.suspects[:1]).text()
    if isinstance(found, Comparison):
        return found.text(times=False)
    if isinstance(found, Testing):
        wrong = replace(found, results=(*found.failed, *found.of("undecided")), coverage=None)
        numbers = str(found).rpartition("\n")[2]
        return f"{str(wrong).rpartition(chr(10))[0]}\n{numbers}".lstrip("\n")
    if isinstance(found, Lint):
        certain = found.certain
        return str(replace(found, findings=certain or found.findings)) or found.summary
    return str(found)


def _first(repairs: Repairs[Any] | None) -> Repairs[Any] | None:
    if repairs is None or len(repairs.sets) < 2:
        return repairs
    return replace(repairs, sets=repairs.sets[:1], complete=False)


def shortened(text: str, most: int = LENGTH) -> str:
    """A text with its middle left out, where it has more than `most` characters: the remedy stands at the end."""
    if len(text) <= most:
        return text
    beginning, end = text[: most * 2 // 3], text[-most // 4 :]
    beginning, end = beginning.rpartition("\n")[0] or beginning, end.partition("\n")[2] or end
    middle = text[len(beginning) : -len(end)].strip("\n")
    left = plural(middle.count("\n") + 1, "line") if "\n" in middle else plural(len(middle), "character")
    return f"{beginning}\n... ({left} left out)\n{end}"
