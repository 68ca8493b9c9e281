"""`lpbridge puzzle new-kind`: the files of a new kind of puzzle, to be changed."""

from __future__ import annotations

import re
from pathlib import Path

import click

from bridge.common import write_whole
from bridge.errors import InputError, Place

_ENCODING = """\
% {title}: a Latin square. Change the rules; `lpbridge puzzle check {name}.lp {name}.txt` says what comes of it.
%
%   clingo {name}.lp 0
%
% Instance: clue(R, C, V).   The cell in row R and column C holds V from the start. Rows and columns count from 1.
% Answer:   cell(R, C, V).   The cell in row R and column C holds V.

#const n = 4.

index(1..n).

%! always: each cell holds exactly one value.
{{ cell(R, C, V) : index(V) }} = 1 :- index(R), index(C).

%! row {{R}}: every value stands there once
:- index(R), index(V), not {{ cell(R, C, V) : index(C) }} = 1.

%! column {{C}}: every value stands there once
:- index(C), index(V), not {{ cell(R, C, V) : index(R) }} = 1.

%! clue r{{R}}c{{C}}={{V}}: a clue stands where it is
:- clue(R, C, V), not cell(R, C, V).
#defined clue/3.

#show cell/3.

% What people see and type: docs/puzzle-files.md has all its words.
#program workbench.
title("{title}").
constant("n", rows). constant("n", columns).
value(1..n).
rows(clue(row, column, value)).
"""

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
    texts = {f"{name}.lp": _ENCODING.format(name=name, title=title), f"{name}.txt": _BOARD}
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
