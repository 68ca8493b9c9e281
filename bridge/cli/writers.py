"""What commands print: answers as they come, results, warnings, in the form that was asked for.

`--events` prints what a command finds as lines of JSON, for a program that shows it. Each line is an object. Its first
name says what it holds, and `text` is what would be printed for people.

    {"answer": {"at": [["art", 1]]}, "text": "at(art,1)"}
    {"end": {"complete": true, "limit": null, ...}, "text": "1 model; the search is complete"}

There are `answer`, `better` and `bounds` (on the way to `--optimal`), `warning`, `end`, `diagnosis`, `reasons`,
`debugging`, `question` and `error`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from bridge.as_json import Json
from bridge.cli.certain import first_of, lines
from bridge.cli.programs import say
from bridge.cli.shared import FOR_MACHINES, form_option, json_line, print_json, print_part, warn
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

#: The lists of answers in the one object of JSON.
_LISTS = ("models", "answers", "steps", "candidates")

#: What is in the one object of JSON, and not in the event at the end.
_OF_ALL = frozenset({"satisfiable", "models", "answers", "costs", "optimal", "paid", "notes", "warnings"})

#: The parts of a diagnosis that are lists, and what one of them is called.
_PARTS = {"clashes": "clash", "variants": "variant", "removals": "removal", "additions": "addition"}


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


def print_result(given: Mapping[str, Any], found: Any, text: str | None = None, name: str = "",
                 certain: Sequence[Certain] | None = None, findings: Iterable[PlacedMessage] = (),
                 data: Any = None) -> None:
    """Print a result in the form that the options ask for.

    `text` is what people read, where it is not its own, `data` its JSON likewise, `name` that of its event, and
    `findings` what editors show. What is `certain`, by the text of the program alone, stands before it.
    """
    data, text = found.to_json() if data is None else data, str(found) if text is None else text
    if certain is not None:
        data["lint"] = [one.to_json() for one in certain]
        text = "\n".join([*(lines(certain) if name == "diagnosis" else first_of(certain)), text])
    if given["as_json"]:
        print_json(data)
    elif given.get("jsonl"):
        _print_parts(data)
    elif given.get("events"):
        event(name, data, text)
    elif given.get("form") in FOR_MACHINES:
        from bridge.cli.findings import print_findings

        print_findings(given["form"], list(findings))
    elif given.get("brief"):
        from bridge.cli.brief import brief

        click.echo(brief(found))
    else:
        click.echo(text)


def _print_parts(data: dict[str, Any]) -> None:
    """A diagnosis, a line a part: first what there is one of, then each clash, change and repair."""
    lists: list[tuple[str, Any]] = []
    for name, word in _PARTS.items():
        part = data.pop(name, None)
        if isinstance(part, dict):  # repairs, with what is said of them together
            lists += [(word, one) for one in part.pop("sets")]
            data[name] = part
        else:
            lists += [(word, one) for one in part or ()]
    print_json(data)
    for word, one in lists:
        print_part({word: one})


class Writer:
    """Writes one JSON object, lines of JSON, events, or text for people, as the options say."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self._form = next((form for form in ("as_json", "jsonl", "events") if given.get(form)), "text")
        self._found: list[str] = []

    def several(self, lines: Callable[[], list[str]], texts: Callable[[], list[str]], *stream: Any) -> None:
        """Some answers, as lines of JSON or as texts."""
        if self._form == "as_json":
            self._found += lines()
        else:
            say("\n".join((lines if self._form == "jsonl" else texts)()), *stream)

    def answer(self, data: Callable[[], Any], text: Callable[[], str], head: str, *stream: Any, **more: Any) -> None:
        """An answer; the `head` is for people, and `more` stands beside it in its event."""
        if self._form == "events":
            event("answer", data(), text(), *stream, **more)
        else:
            self.several(lambda: [json_line(data())], lambda: [head + text()], *stream)

    def better(self, data: Callable[[], Any], text: str, **more: Any) -> None:
        """An answer on the way to the best ones."""
        if self._form == "events":
            event("better", data(), text, **more)
        elif self._form == "text":
            say(text)

    def bounds(self, data: Json, text: str) -> None:
        """What is known of the least cost so far."""
        if self._form == "events":
            event("bounds", data.to_json(), text)

    def end(self, data: dict[str, Any], text: str, head: str = "") -> None:
        """How the search ended, with an empty list where JSON has the answers."""
        if self._form == "as_json":
            print_json(data, {name: self._found for name in _LISTS if name in data})
        elif self._form == "events":
            event("end", {name: value for name, value in data.items() if name not in _OF_ALL}, text)
        elif self._form == "text" and text:
            say(head + text)
