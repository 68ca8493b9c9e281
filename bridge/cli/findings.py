"""What was found about lines of a program, for editors and CI: lines as of gcc, or SARIF.

SARIF is the Static Analysis Results Interchange Format, version 2.1.0 (OASIS standard).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import click

import bridge
from bridge.cli.options import print_json
from bridge.errors import Place

#: The forms of a diagnosis.
FORMATS = ("text", "gcc", "sarif")


@dataclass(frozen=True, slots=True)
class Finding:
    """A message about a place.

    Attributes
    ----------
    rule
        The kind of the finding, in SARIF.
    """

    place: Place
    level: Literal["error", "warning", "note"]
    message: str
    rule: str


def print_findings(form: str, found: Sequence[Finding]) -> None:
    """Print findings as `gcc` or `sarif`."""
    if form == "sarif":
        print_json(sarif(found))
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
