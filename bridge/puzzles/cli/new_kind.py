"""`lpbridge puzzle new-kind`: the files of a new kind of puzzle, to be changed."""

from __future__ import annotations

import re
from pathlib import Path

import click

from bridge.common import write_whole
from bridge.errors import InputError, Place

_BOARD = """\
1 2 . .
3 . . 2
. . 4 .
. . . 1
"""


@click.command("new-kind")
@click.argument("name")
@click.option("--to", "folder", default=".", metavar="FOLDER", help="Where the files are written. [default: .]")
def new_kind(name: str, folder: str) -> None:
    """Write the files of a new kind of puzzle: NAME.lp, with its rules, and NAME.txt, an instance.

    They are a Latin square of order 4, and run as they are; change the rules to those of your puzzle. Files that are
    there are not written over.

    \b
    lpbridge puzzle new-kind towers
    lpbridge puzzle check towers.lp towers.txt
    """
    if not re.fullmatch(r"[a-z][a-z0-9-]*", name):
        raise InputError(f"{name!r} is not a name for a kind", hint="small letters, digits and -, as in thermo-sudoku")
    title = name.replace("-", " ").capitalize()
    program = Path(__file__).with_suffix(".lp").read_text(encoding="utf-8")
    texts = {f"{name}.lp": program.replace("NAME", name).replace("TITLE", title), f"{name}.txt": _BOARD}
    paths = {Path(folder, file): text for file, text in texts.items()}
    for path in paths:
        if path.exists():
            raise InputError("this file is there already", where=Place(str(path)), hint="another name, or --to FOLDER")
    for path, text in paths.items():
        try:
            write_whole(path, text.encode())
        except OSError as error:
            raise InputError(error.strerror or "cannot be written", where=Place(str(path))) from None
        click.echo(f"written: {path}")
    encoding, board = map(str, paths)
    click.echo(f"next: lpbridge puzzle check {encoding} {board}")
