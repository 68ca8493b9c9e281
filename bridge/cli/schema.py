"""`schema`: the form of a command's JSON."""

from __future__ import annotations

import json

import click

from bridge.cli.forms import FORMS
from bridge.cli.schemas import Form, schema
from bridge.common.lazy import registered


def forms() -> dict[str, tuple[Form, ...]]:
    """What each command prints under `--json`, also those of the workbench, where it is installed."""
    return FORMS | {f"puzzle {name}": of for name, of in (registered("puzzle_forms") or {}).items()}


@click.command(name="schema")
@click.argument("verb", nargs=-1)
def command(verb: tuple[str, ...]) -> None:
    """The JSON Schema (draft 2020-12) of what a command prints under --json, or the commands that have one.

    Every object has a "version", which is higher where a key has gone, or means something else.

    \b
    lpbridge schema diagnose
    lpbridge schema puzzle check
    """
    known = forms()
    if not verb:
        click.echo("\n".join(known))
        return
    if (name := " ".join(verb)) not in known:
        raise click.UsageError(f"there is no schema of {name!r}: `lpbridge schema` lists the commands that have one")
    click.echo(json.dumps(schema(*known[name]), indent=2))
