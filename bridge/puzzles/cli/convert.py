"""`convert`: puzzles from one format to another."""

from __future__ import annotations

import base64

import click

from bridge.cli.kit import json_option, print_json
from bridge.puzzles import formats
from bridge.puzzles.cli.options import FORMAT, KindName, puzzle_option, puzzles_option
from bridge.puzzles.kinds import KINDS


def _print_schema(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
    if value is not None:
        import json

        click.echo(json.dumps(formats.schema(value), indent=2, ensure_ascii=False))
        ctx.exit(0)


@click.command()
@click.argument("source", type=click.Path(allow_dash=True), metavar="IN", required=False)
@click.argument("target", type=click.Path(allow_dash=True), metavar="OUT", required=False)
@click.option("--from", "from_", type=FORMAT, metavar="FORMAT", help="The format of IN, if it is not recognised.")
@click.option("--to", "to", type=FORMAT, metavar="FORMAT", help="The format of OUT, if not by name.")
@click.option("--puzzle", "-p", type=KindName(), metavar="PUZZLE", help="The puzzle, if IN does not say.")
@puzzles_option
@puzzle_option
@click.option("--lossy", is_flag=True, help="Leave out what OUT's format cannot express, with a note.")
@click.option(
    "--open-cells", is_flag=True, help="Of a full crossword: its letters are the solution, all cells open (puz, ipuz)."
)
@click.option("--list", "list_", is_flag=True, help="List the formats, and what each can express.")
@click.option(
    "--schema",
    type=KindName(),
    metavar="PUZZLE",
    expose_value=False,
    is_eager=True,
    callback=_print_schema,
    help="Print the JSON Schema of a puzzle's JSON.",
)
@json_option
@click.pass_context
def convert(
    ctx: click.Context,
    /,
    source: str | None,
    target: str | None,
    from_: str | None,
    to: str | None,
    puzzle: str | None,
    options: tuple[tuple[str, str], ...],
    list_: bool,
    as_json: bool,
    **how: bool,
) -> None:
    """Write the puzzles in IN as OUT, in another format.

    The format of IN is recognised by its name or contents, that of OUT by its name, unless --from and --to name them.
    IN and OUT may be - for standard input and output. What OUT's format cannot express is an error, or with --lossy
    a note.

    \b
    lpbridge puzzle convert problem.sdk problem.ipuz
    echo 2x2:a1e2_3d3b | lpbridge puzzle convert - - --to text
    lpbridge puzzle convert monday.puz monday.json
    lpbridge puzzle convert full.txt sunday.puz --puzzle crossword --words list.txt --open-cells
    lpbridge puzzle convert --list
    """
    if list_:
        _list(as_json)
        return
    if source is None or target is None:
        raise click.UsageError("IN and OUT are wanted", ctx)
    chosen = to or formats.format_of(target)
    data, name = formats.read_bytes(source)
    found = from_ or formats.sniff(formats.Source(data, name), puzzle)
    reading = formats.decode(data, found, puzzle, file=name, lossy=how["lossy"], **dict(options))
    written = formats.encode(reading.puzzles, chosen, **how)
    if not (as_json and target == "-"):
        formats.put(written.data, target)
    notes = [*reading.notes, *written.notes]
    if as_json:
        result = {"from": found, "to": chosen, "puzzles": [one.kind for one in reading.puzzles], "notes": notes}
        result["output"] = target
        if target == "-" and formats.codec(chosen).binary:
            result["base64"] = base64.b64encode(written.data).decode()
        elif target == "-":
            result["text"] = written.text
        print_json(result)
        return
    for note in notes:
        click.echo(f"lpbridge: {note}", err=True)


def _list(as_json: bool) -> None:
    codecs = [formats.codec(name) for name in formats.names()]
    if as_json:
        names = ("name", "title", "suffixes", "kinds", "many", "carries")
        rows = [{name: getattr(one, name) for name in names} | {"about": sorted(one.about)} for one in codecs]
        print_json({"formats": [{"puzzles" if name == "kinds" else name: row[name] for name in row} for row in rows]})
        return
    for one in codecs:
        kinds = "every puzzle" if {*one.kinds} == {*KINDS} else ", ".join(one.kinds)
        suffixes = f" ({', '.join(one.suffixes)})" if one.suffixes else ""
        click.echo(f"{one.name}{suffixes}: {one.title}")
        text = f"{kinds}{'' if one.many else '; one a file'}. {one.carries}"
        click.echo(click.wrap_text(text, 110, "    ", "    "))
