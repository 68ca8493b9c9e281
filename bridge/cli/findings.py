"""What was found about lines of a program, for editors and CI.

`gcc` is a line as compilers print it, `github` a command of GitHub's workflows, which shows it beside the line,
`gitlab` a report of GitLab's code quality, `sarif` the Static Analysis Results Interchange Format 2.1.0 (OASIS).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import click

import bridge
from bridge.cli.shared import FOR_MACHINES, print_part
from bridge.common.lazy import regex
from bridge.errors import Place

if TYPE_CHECKING:
    from bridge.linting.findings import Finding as Certain

#: The forms of a diagnosis.
FORMATS = ("text", *FOR_MACHINES)


class PlacedMessage(NamedTuple):
    """A message about a place."""

    place: Place
    level: Literal["error", "warning", "note"]
    message: str
    #: The kind of the finding, in SARIF.
    rule: str


#: A message of clingo with a place.
_MESSAGE = regex(r"(?P<file>.+?):(?P<line>\d+):(?P<column>\d+)(?:-[\d:]+)?: (?:warning|info): (?P<text>.*)")


def of_warnings(warnings: Sequence[str]) -> Iterator[PlacedMessage]:
    """What clingo warns of, where that has a place."""
    for match in filter(None, map(_MESSAGE.fullmatch, warnings)):
        place = Place(match["file"], int(match["line"]), int(match["column"]))
        yield PlacedMessage(place, "warning", match["text"], "clingo")


def of_lint(certain: Iterable[Certain]) -> Iterator[PlacedMessage]:
    return (PlacedMessage(one.place, "note" if one.level == "info" else one.level, str(one), one.id) for one in certain)


def print_findings(form: str, found: Sequence[PlacedMessage]) -> None:
    """Print findings in one of the forms for editors and CI."""
    if form == "sarif":
        print_part(sarif(found))
    elif form == "gitlab":
        print_part(gitlab(found))
    else:
        for one in found:
            click.echo(github(one) if form == "github" else f"{one.place}: {one.level}: {one.message}")


def github(one: PlacedMessage) -> str:
    """A command of a workflow; in its parts a colon and a comma are special, too."""

    def escaped(text: object, special: str = "%\r\n") -> str:
        return "".join(f"%{ord(letter):02X}" if letter in special else letter for letter in str(text))

    where = {"file": one.place.file, "line": one.place.line, "col": one.place.column, "title": one.rule}
    parts = ",".join(f"{name}={escaped(value, '%:,' + chr(13) + chr(10))}" for name, value in where.items() if value)
    return f"::{'notice' if one.level == 'note' else one.level} {parts}::{escaped(one.message)}"


def gitlab(found: Sequence[PlacedMessage]) -> list[dict[str, Any]]:
    """Findings as a report of code quality; the fingerprint of one stays when lines above it are added."""
    times, report = Counter[str](), []
    for one in found:
        path = Path(one.place.file or "<stdin>").as_posix()
        same = f"{one.rule} {path} {one.message}"
        times[same] += 1
        where = {"path": path, "lines": {"begin": one.place.line or 1}}
        about = {"description": one.message, "check_name": one.rule, "location": where}
        severity = {"error": "major", "warning": "minor", "note": "info"}[one.level]
        digest = sha256(f"{same} {times[same]}".encode(errors="replace")).hexdigest()
        report.append({**about, "severity": severity, "fingerprint": digest})
    return report


def sarif(found: Sequence[PlacedMessage]) -> dict[str, Any]:
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


def _result(one: PlacedMessage) -> dict[str, Any]:
    place = one.place
    region = {"startLine": place.line or 1} | ({"startColumn": place.column} if place.column else {})
    uri = Path(place.file).as_posix() if place.file else "<stdin>"
    where = {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": region}}
    return {"ruleId": one.rule, "level": one.level, "message": {"text": one.message}, "locations": [where]}
