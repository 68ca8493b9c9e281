"""Derivations and proofs as pictures: `--format svg` and `dot`, and the file of `-o`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from bridge.cli.shared import output_option, together
from bridge.common.files import check_writable, format_of, write_whole
from bridge.errors import InputError

if TYPE_CHECKING:
    from bridge.analysis.why import Reasons

#: The formats of a picture; of a graph on standard output, and of its file.
FORMATS = ("svg", "png", "pdf", "txt")
FORMS = ("dot", "svg")
FILES = (*FORMATS, "dot")

graph_options = together(
    output_option("OUT", "Draw it, too, into a file: .svg, .png, .pdf, .txt or .dot."),
    click.option("--theme", type=click.Choice(["light", "dark"]), default="light", show_default=True),
)


def check_output(output: str | None, files: Sequence[str] = FILES) -> None:
    """Check that the file of a picture has a known format and can be written, before the work for it is done."""
    if output is None or output == "-":
        return
    if format_of(output) not in files:
        raise InputError(f"{output} does not determine the format", hint=f"end it in .{', .'.join(files)}")
    check_writable(output)


def drawn(found: Reasons, given: dict[str, Any]) -> bool:
    """Draw reasons where `-o` and `--format` say. Whether nothing else is to be printed."""
    form, output, theme = given["form"], given["output"], given["theme"]
    if output is None and form not in FORMS:
        return False
    from bridge.analysis.pictures import of_reasons

    graph = of_reasons(found)
    if output is not None and output != "-":
        suffix = format_of(output)
        write_whole(output, f"{graph.dot()}\n".encode() if suffix == "dot" else graph.render(suffix, theme))
    elif form == "dot":
        click.echo(graph.dot())
    else:
        click.echo(graph.svg(theme), nl=False)
    return (form in FORMS or output == "-") and not (given["as_json"] or given["events"])
