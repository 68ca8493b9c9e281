"""clingo in a worker: the job that `remote.Remote` asks. One program a worker."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import clingo

from bridge.asp.local import Local
from bridge.asp.names import Switching
from bridge.asp.symbols import atoms
from bridge.asp.wire import Sender, pack
from bridge.limits import Limits
from bridge.outcome import Progress

_programs: list[Local] = []  # none or one
_sender = Sender(atoms)


def warm() -> None:
    """Make clingo do everything once, so that it is all in memory."""
    control = clingo.Control()
    control.add("base", [], "{ a }.")
    control.ground()
    control.solve()


def serve(call: tuple[Any, ...], limits: Limits, progress: Progress) -> Iterator[tuple[Any, int]]:
    """Answer one call: `open`, or a method of `Local` by its name."""
    name, *arguments = call
    if name == "open":
        sources, options, constants, switching, replayed = arguments
        _programs.append(Local(sources, options, constants, Switching(*switching) if switching else None))
        for method, values in replayed:
            getattr(_programs[0], method)(*values)
        progress.complete = True
    elif name == "search":
        mode, assuming, project = arguments
        yield from _search(mode, assuming, project, limits, progress)
    elif name == "count":
        assuming, project = arguments
        _programs[0].count(assuming, project, limits, progress)
    elif name == "grounding":
        found = _programs[0].grounding(limits)
        progress.complete = True
        yield found, 1
    elif name == "ground_facts":
        facts = _programs[0].ground_facts(limits)
        progress.complete = True
        yield facts, 1
    elif name == "text":
        _write(*arguments)
        progress.complete = True
    else:
        found = getattr(_programs[0], name)
        answer = found(*arguments) if callable(found) else found
        progress.complete = True
        yield _plain(answer), 1


def _search(mode: Any, assuming: Any, project: bool, limits: Limits, progress: Progress) -> Iterator[tuple[Any, int]]:
    counters, steps = progress.statistics.counters, 0
    for model in _programs[0].search(mode, assuming, project, limits, progress):
        if counters.get("steps", 0) != steps:
            steps = counters["steps"]
            yield {"steps": steps}, 1
        yield from _sender.model(model)


def _plain(answer: Any) -> Any:
    if isinstance(answer, dict):  # literals by arguments
        return [[[pack(value) for value in arguments], literal] for arguments, literal in answer.items()]
    return answer


class _Text(clingo.Application):
    """clingo's own program, for its text output alone."""

    program_name = "lpbridge"

    def __init__(self, messages: list[tuple[Any, str]]) -> None:
        self._messages = messages

    def logger(self, code: clingo.MessageCode, message: str) -> None:
        self._messages.append((code, message))


def _write(files: list[str], options: list[str]) -> None:
    """Print the ground program as text, as `clingo --text` does."""
    from bridge.asp.messages import Messages

    messages = Messages()
    heard: list[tuple[Any, str]] = []
    status = clingo.clingo_main(_Text(heard), [*files, "--text", *options])
    for code, message in heard:
        messages.log(code, message)
    if status not in (0, 10, 20, 30):
        raise messages.error("the program cannot be ground")
