"""The result of `lint`, and the comments that switch checks off."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from bridge.common import AS_LATIN_1, Json, plural, public, regex, short
from bridge.limits import LimitName, Limits
from bridge.linting.findings import Finding, Fix

#: Seconds for grounding with `instances`, and for a Prolog program.
LIMITS = Limits(seconds=10.0)

_OFF = regex(r"%\s*lint:\s*off\b((?:[\s,]+(?:LP|PL)\d{3})*)")


@public("bridge")
@dataclass(frozen=True, slots=True)
class Lint(Json):
    """The result of `lint`.

    Attributes
    ----------
    findings
        By file and place.
    limit
        The limit that came before all checks were done, or with `instances` before the program was ground.
    notes
        Remarks.
    """

    findings: tuple[Finding, ...]
    limit: LimitName | None = None
    notes: tuple[str, ...] = ()
    texts: dict[str, bytes] | None = None

    __repr__ = short

    @property
    def certain(self) -> tuple[Finding, ...]:
        """Errors and warnings."""
        return tuple(one for one in self.findings if one.level != "info")

    @property
    def summary(self) -> str:
        """How many findings there are of each level."""
        number = Counter(one.level for one in self.findings)
        if not self.findings:
            return "no check has a finding; whether the answers are right, the text alone does not say"
        errors = [plural(number["error"], "error")] if number["error"] else []
        return ", ".join([*errors, plural(number["warning"], "warning"), plural(number["info"], "remark")])

    def underlined(self, finding: Finding) -> Iterator[str]:
        """The line of a finding, as its author wrote it, and its part underlined."""
        line, column = finding.place.line or 1, finding.place.column or 1
        lines = (self.texts or {}).get(finding.place.file or "", b"").split(b"\n")
        if line <= len(lines) and (text := lines[line - 1].decode("utf-8", AS_LATIN_1)).strip():
            until = finding.end[1] if finding.end[0] == line else len(text) + 1
            blank = re.sub(r"[^\t]", " ", text[: column - 1])
            yield f"    {text}"
            yield f"    {blank}^{'~' * (until - column - 1)}"

    def fixed(self) -> dict[str, str]:
        """The text of each file with all fixes done; files without one are left out."""
        found: dict[str, str] = {}
        for file, data in (self.texts or {}).items():
            fixes = sorted(
                {one.fix for one in self.findings if one.fix is not None and one.fix.file == file}, key=_begin
            )
            wide = [one for one in fixes if not one.by]  # a variable in a rule that goes, goes with it
            fixes = [one for one in fixes if not any(one != w and w.begin <= one.begin < w.end for w in wide)]
            for fix in reversed(fixes):
                data = data[: fix.begin] + fix.by.encode() + data[fix.end :]
            if fixes:
                found[file] = data.decode("utf-8", AS_LATIN_1)
        return found

    _json = ("findings limit notes",)

    def __str__(self) -> str:
        return "\n".join(f"{one.place}: {one.level}: {one} [{one.id}]" for one in self.findings)


def _begin(fix: Fix) -> int:
    return fix.begin


def of_findings(
    found: Iterable[Finding],
    texts: Mapping[str, bytes],  # the text of each file, in the order of the program
    statements: Mapping[str, Sequence[tuple[int, int]]],  # the first and the last line of each statement, by file
    limit: LimitName | None = None,
    notes: Iterable[str] = (),
) -> Lint:
    """Findings in the order of the program, without those that a comment `% lint: off LP003` switches off."""
    comments = {
        file: list(_comments(data.decode("utf-8", AS_LATIN_1).split("\n"), statements[file]))
        for file, data in texts.items()
        if b"lint:" in data
    }
    order = {file: number for number, file in enumerate(texts)}

    def is_off(one: Finding) -> bool:
        file, line = one.place.file or "", one.place.line or 0
        if not comments.get(file):
            return False
        own = next((begin for begin, end in statements[file] if begin <= line <= end), line)
        return any((not ids or one.id in ids) and about in (None, own) for ids, about in comments[file])

    left = [one for one in found if not is_off(one)]
    left.sort(key=lambda one: (order.get(one.place.file or "", 0), one.place.line or 0, one.place.column or 0, one.id))
    return Lint(tuple(dict.fromkeys(left)), limit, tuple(notes), dict(texts))


def _comments(lines: Sequence[str], statements: Sequence[tuple[int, int]]) -> Iterator[tuple[list[str], int | None]]:
    """The ids in each comment, and the line where the statement begins that it is about; None for the whole file."""
    for number, words in enumerate(lines, 1):
        if (comment := _OFF.search(words)) is not None:
            after = next((begin for begin, _ in statements if begin >= number), -1)
            top = not any(begin <= number for begin, _ in statements)
            top = top and not (lines[number : number + 1] or [""])[0].strip()
            yield re.findall(r"(?:LP|PL)\d{3}", comment[1]), None if top else after
