"""`schema`: the form of a command's JSON."""

from __future__ import annotations

import json

import click

from bridge.cli.forms import FORMS, LINES
from bridge.cli.schemas import Failed, LineForms, schema
from bridge.common.parts import added


def forms() -> dict[str, LineForms]:
    """What each command prints under `--json`, also those of parts."""
    return {name: LineForms((*of, Failed)) for table in (FORMS, *added("forms")) for name, of in table.items()}


def lines() -> dict[str, LineForms]:
    """What is a line under `--jsonl` and `--events`, and in the results of a batch."""
    return {name: of for table in (LINES, *added("lines")) for name, of in table.items()}


@click.command(name="schema")
@click.argument("verb", nargs=-1)
@click.option("--jsonl", "option", flag_value="--jsonl", help="Of a line that is printed under --jsonl.")
@click.option("--events", "option", flag_value="--events", help="Of a line that is printed under --events.")
def command(verb: tuple[str, ...], option: str | None) -> None:
    """The JSON Schema (draft 2020-12) of what a command prints under --json, or the commands that have one.

    Every object has a "version", which is higher where a key has gone, or means something else; a line that is a part
    of a result has none.

    \b
    lpbridge schema diagnose
    lpbridge schema compare
    lpbridge schema run --jsonl
    lpbridge schema batch count
    """
    known = forms() | lines()
    name = " ".join([*verb, *filter(None, [option])])
    if not name:
        click.echo("\n".join(known))
        return
    if name not in known:
        raise click.UsageError(f"there is no schema of {name!r}: `lpbridge schema` lists those that there are")
    click.echo(json.dumps(schema(*known[name]), indent=2))
