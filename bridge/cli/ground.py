"""`ground`: the size and text of a ground program, before it is solved."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click

from bridge.asp.running.text_output import Form
from bridge.cli.growth import Growth
from bridge.cli.programs import confinement, constant_option, limits_of, options_of, process_options, say, theory_option
from bridge.cli.shared import exit_code, json_option, or_partial, print_json, warn
from bridge.cli.streams import output_of_bytes
from bridge.common.english import LIMITS, table
from bridge.common.files import read_program
from bridge.common.languages import language_of_path
from bridge.common.warned import as_json as warnings_json
from bridge.errors import InputError, Place
from bridge.limits import Limits

if TYPE_CHECKING:
    from bridge.asp import Grounding

#: The number of predicates, and of rules, that are listed, the largest first.
LISTED = 20


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(allow_dash=True), metavar="FILE...")
@constant_option
@click.option("--facts", "what", flag_value="facts", help="The facts, one a line.")
@click.option("--text", "what", flag_value="text", help="The ground program as text: the same as --output=text.")
@click.option("--output", "form", type=click.Choice(get_args(Form)),
              help="The ground program as clingo --mode=gringo writes it (aspif is its intermediate format).")
@click.option("--stats", "what", flag_value="stats", help="Time, rules, atoms by predicate.  [default]")
@theory_option(", for --stats and --facts")
@process_options(None, "grounding")
@json_option
@click.pass_context
def ground(ctx: click.Context, /, files: tuple[str, ...], what: str | None, form: Form | None, **given: Any) -> None:
    """Ground .lp files without solving: to find out why a program is large (`lpbridge profile` counts each rule).

    With a time limit, or after Ctrl-C, the numbers are those so far: what grows is at the top.

    \b
    lpbridge ground encoding.lp instance.lp -c n=100 -t 10
    lpbridge ground encoding.lp --text | less
    lpbridge ground encoding.lp --output=reify > reified.lp
    """
    limits = limits_of(given)
    if form is not None and what is not None:
        raise click.UsageError(f"--output or --{what}: ask for one")
    what, form = what or ("stats" if form is None else "text"), form or "text"
    if given["theory"] is not None and what == "text":
        raise click.UsageError("--theory is for --stats and --facts, not for --text")
    if given["as_json"] and what == "text":
        raise click.UsageError(f"{form} is clingo's own output, which is not JSON")
    with ExitStack() as stack:
        for file in files:
            if language_of_path(file) == "prolog":
                raise InputError("Prolog does not ground", where=Place(file), hint="ground .lp files")
        paths = [_path(file, stack) for file in files]
        growth = Growth(paths, given)
        with growth:
            code, complete = _ground(paths, what, form, given, limits)
        if not complete:
            growth.name()
        ctx.exit(code)


def _path(file: str, stack: ExitStack) -> Path:
    """A file, also of standard input: clingo's own text output takes files only."""
    if file != "-":
        return Path(file)
    path = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="lpbridge-"))) / "instance.lp"
    path.write_text(read_program("-"), encoding="utf-8")
    return path


def _ground(paths: list[Path], what: str, form: Form, given: dict[str, Any], limits: Limits) -> tuple[int, bool]:
    """The exit code, and whether the rule that grows need not be named."""
    from bridge.asp import Program, write_ground

    how = {"options": options_of(given), "limits": limits, **confinement(given)}
    if what == "text":
        warned: list[str] = []
        limit = write_ground(*paths, form=form, out=output_of_bytes(), on_warning=warned.append, **how)
        warn(warned)
        if limit is not None:
            click.echo(f"lpbridge: stopped by {LIMITS[limit]}: this is not all", err=True)
        return int(limit is not None), limit is None
    # What scripts print goes to standard error: standard output is for what is asked.
    with Program(*paths, theory=given["theory"], output="stderr", **how) as program:
        if what == "facts":
            facts = program.inside(limits).ground_facts()
            _print(given, {"facts": facts}, "\n".join(facts), program.warnings)
            return 0, True
        found, pressed = or_partial(lambda: program.grounding(limits=limits))
        warnings = program.warnings if found.complete else []  # to ask a process that was ended loads it again
    _print(given, found.to_json(), _shown(found), warnings)
    return exit_code(found.complete or bool(found.atoms), interrupted=pressed), found.complete


def _print(given: dict[str, Any], data: dict[str, Any], text: str, warnings: Sequence[str]) -> None:
    if given["as_json"]:
        print_json({**data, "warnings": warnings_json(warnings)})
    else:
        warn(warnings)
        say(text)


def _shown(found: Grounding) -> str:
    """The numbers as text, the largest predicates first."""
    total = sum(number for kind, number in found.rules.items() if kind != "minimize")
    kinds = ", ".join(f"{number:,} {kind}" for kind, number in found.rules.items() if number)
    head = f"{total:,} ground rules in {found.seconds:.2f} s: {kinds or 'none'}"
    if not found.complete:
        head = f"stopped by {LIMITS[str(found.limit)]}; so far\n{head}"
    names = sorted({*found.atoms, *found.heads}, key=lambda name: (-_size(found, name), name))
    rows = [["predicate", "", "", "atoms", "facts", "rules"]]
    for name in names[:LISTED]:
        atoms, facts = found.atoms.get(name, (0, 0))
        rows.append([name or "(auxiliary)", "", "", f"{atoms:,}", f"{facts:,}", f"{found.heads.get(name, 0):,}"])
    more = len(names) - LISTED
    return f"{head}\n\n{table(rows)}" + (f"\n... and {more} smaller ones" if more > 0 else "")


def _size(found: Grounding, name: str) -> int:
    return max(found.atoms.get(name, (0, 0))[0], found.heads.get(name, 0))
