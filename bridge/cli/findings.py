"""What was found about lines of a program, for editors and CI: lines as of gcc, or SARIF.

SARIF is the Static Analysis Results Interchange Format, version 2.1.0 (OASIS standard).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import click

import bridge
from bridge.cli.shared import print_part
from bridge.common.lazy import regex
from bridge.errors import Place

if TYPE_CHECKING:
    from bridge.linting.findings import Finding as Certain

#: The forms of a diagnosis.
FORMATS = ("text", "gcc", "sarif")


class Finding(NamedTuple):
    """A message about a place."""

    place: Place
    level: Literal["error", "warning", "note"]
    message: str
    #: The kind of the finding, in SARIF.
    rule: str


#: A message of clingo with a place.
_MESSAGE = regex(r"(?P<file>.+?):(?P<line>\d+):(?P<column>\d+)(?:-[\d:]+)?: (?:warning|info): (?P<text>.*)")


def of_warnings(warnings: Sequence[str]) -> Iterator[Finding]:
    """What clingo warns of, where that has a place."""
    for match in filter(None, map(_MESSAGE.fullmatch, warnings)):
        place = Place(match["file"], int(match["line"]), int(match["column"]))
        yield Finding(place, "warning", match["text"], "clingo")


def of_lint(certain: Iterable[Certain]) -> Iterator[Finding]:
    """What `lint` found."""
    return (Finding(one.place, "note" if one.level == "info" else one.level, str(one), one.id) for one in certain)


def print_findings(form: str, found: Sequence[Finding]) -> None:
    """Print findings as `gcc` or `sarif`."""
    if form == "sarif":
        print_part(sarif(found))
        return
    for one in found:
        click.echo(f"{one.place}: {one.level}: {one.message}")


def sarif(found: Sequence[Finding]) -> dict[str, Any]:
    """Findings as a SARIF log."""
    driver = {
        "name": "lpbridge",
        "version": bridge.__version__,
        "rules": [{"id": rule} for rule in dict.fromkeys(one.rule for one in found)],
    }
    run = {"tool": {"driver": driver}, "results": list(map(_result, found))}
    return {
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [run],
    }


def _result(one: Finding) -> dict[str, Any]:
    place = one.place
    region = {"startLine": place.line or 1} | ({"startColumn": place.column} if place.column else {})
    uri = Path(place.file).as_posix() if place.file else "<stdin>"
    where = {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": region}}
    return {"ruleId": one.rule, "level": one.level, "message": {"text": one.message}, "locations": [where]}
