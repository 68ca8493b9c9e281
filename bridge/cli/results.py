"""How commands end: exit codes, what was found by Ctrl-C, and the parts of a diagnosis as lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import click

from bridge.cli.options import print_json, print_part
from bridge.outcome import Interrupted


def exit_code(done: bool, *, interrupted: bool = False) -> int:
    """The exit code of a command: 0 when it did its work, 1 when it did not, 130 when Ctrl-C came first."""
    return 130 if interrupted else 0 if done else 1


def or_partial(do: Callable[[], Any]) -> tuple[Any, bool]:
    """What a function gives, and on Ctrl-C what it had found by then; and whether Ctrl-C was pressed."""
    try:
        return do(), False
    except Interrupted as interrupted:
        if interrupted.partial is None:
            raise
        return interrupted.partial, True


def print_found(given: Mapping[str, Any], found: Any, text: Callable[[], str] | None = None) -> None:
    """Print a result in the form that the options ask for: JSON, in brief, or a text that is not its own."""
    if given["as_json"]:
        print_json(found.to_json())
    elif given.get("brief"):
        from bridge.cli.brief import brief

        click.echo(brief(found))
    else:
        click.echo(str(found) if text is None else text())


#: The parts of a diagnosis that are lists, and what one of them is called.
_PARTS = {"clashes": "clash", "variants": "variant", "removals": "removal", "additions": "addition"}


def print_parts(data: dict[str, Any]) -> None:
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
