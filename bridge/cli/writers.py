"""Answers, steps or verdicts as they come, and how the search ended, in the form that was asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bridge.as_json import Json
from bridge.cli.events import event
from bridge.cli.programs import say
from bridge.cli.shared import json_line, print_json

#: What the list of them is called there.
_LISTS = ("models", "answers", "steps", "candidates")

#: What is in the one object of JSON, and not in the event at the end.
_OF_ALL = frozenset({"satisfiable", "models", "answers", "costs", "optimal", "paid", "notes", "warnings"})


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
