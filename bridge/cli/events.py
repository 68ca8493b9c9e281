"""`--events`: what a command finds as lines of JSON, for a program that shows it.

Each line is an object. Its first name says what it holds, and `text` is what would be printed for people.

    {"answer": {"at": [["art", 1]]}, "text": "at(art,1)"}
    {"end": {"complete": true, "limit": null, ...}, "text": "1 model; the search is complete"}

There are `answer`, `better` and `bounds` (on the way to `--optimal`), `warning`, `end`, `diagnosis`, `reasons`,
`debugging`, `question` and `error`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from bridge.cli.certain import first_of, lines
from bridge.cli.programs import say
from bridge.cli.shared import FOR_MACHINES, form_option, json_line, print_found, print_json, print_parts, warn
from bridge.common.strict_json import VERSION
from bridge.outcome import Stream

if TYPE_CHECKING:
    from bridge.cli.findings import PlacedMessage
    from bridge.linting.findings import Finding as Certain

events_option = form_option(
    "--events",
    "events",
    "Print one JSON object per event, for editors: each answer with its text, warnings, and how the search ended.",
)


def event(name: str, data: Any, text: str, stream: Stream[Any] | None = None, **more: Any) -> None:
    """Print an event; at once, unless the next one has arrived already."""
    say(json_line({name: data, "text": text, **more, "version": VERSION}), stream)


def warnings(given: dict[str, Any], texts: Sequence[str]) -> None:
    """Print warnings: as events, if these are asked for, else on standard error."""
    if not given["events"]:
        warn(texts)
        return
    for warning in texts:
        event("warning", warning, warning)


def print_result(
    given: dict[str, Any],
    name: str,
    found: Any,
    certain: Sequence[Certain],
    text: str,
    findings: Iterable[PlacedMessage] = (),
) -> None:
    """Print a result in the form that the options ask for, with what is certainly wrong by the text of the program.

    `name` is that of its event, `found` the result itself, `text` what people read after the first of what is certain,
    and `findings` what editors show.
    """
    data = {**found.to_json(), "lint": [one.to_json() for one in certain]}
    text = "\n".join([*(first_of(certain) if name == "reasons" else lines(certain)), text])
    if given["as_json"]:
        print_json(data)
    elif given.get("jsonl"):
        print_parts(data)
    elif given["events"]:
        event(name, data, text)
    elif given["form"] in FOR_MACHINES:
        from bridge.cli.findings import print_findings

        print_findings(given["form"], list(findings))
    else:
        print_found(given, found, lambda: text)
