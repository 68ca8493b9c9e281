"""`lpbridge test`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from bridge.cli.forms_of_tests import exercism, exercism_error, junit, tap
from bridge.cli.shared import brief_option, exit_code, json_option, or_partial, time_option
from bridge.cli.watch import again_and_again
from bridge.cli.writers import print_result
from bridge.common.files import write_whole
from bridge.common.languages import language_of_path
from bridge.debugging.coverage import lcov
from bridge.debugging.testing import test as run_tests
from bridge.errors import ProgramError
from bridge.limits import Limits

#: Seconds for finding the line that makes tests fail.
_SECONDS = 5.0


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("-k", "name", metavar="TEXT", help="Only tests with this in their name.")
@click.option("--no-debug", is_flag=True, help="Do not look for the line that makes tests fail.")
@click.option("--coverage", is_flag=True, help="Which rules never fired, and which constraints never excluded?")
@click.option("--lcov", "lcov_file", metavar="FILE", help="Write the coverage there, as lcov does.")
@click.option("--junit", metavar="FILE", help="Write the results there, as JUnit does (XML).")
@click.option("--format", "form", type=click.Choice(["tap", "exercism"]), help="Print the results as these runners do.")
@click.option("--watch", is_flag=True, help="Run again when a file, or one that it includes, changes; Ctrl-C ends it.")
@time_option(10, "each test")
@json_option
@brief_option
@click.pass_context
def test(ctx: click.Context, /, files: tuple[str, ...], **given: Any) -> None:
    """Run the tests that stand in the comments of FILEs, or in files of their own.

    A test is a comment `%! test NAME: EXPECTATION`, with facts and constants below it, up to a blank line. What is
    expected: sat, unsat, unique, several, models 4, cost 6, every ATOMS, some ATOMS, no ATOMS, answer ATOMS,
    answers FILE; several of these with semicolons between. Of a .pl, its tests are those of plunit, also in the .plt
    beside it. Exit code 1: a test failed, or a limit came first.

    \b
    lpbridge test timetable.lp
    lpbridge test rooms.pl
    lpbridge test timetable.lp tests.lp --coverage
    lpbridge test leap.pl leap_tests.plt --format exercism > results.json
    """
    if given["watch"] and (given["as_json"] or given["form"]):
        raise click.UsageError("--watch writes for people: leave --json and --format out")
    if given["form"] and (given["as_json"] or given["brief"]):
        raise click.UsageError("--format, --json and --brief are forms: give one of them")

    def once() -> int:
        found, pressed = or_partial(
            run_tests, [Path(file) for file in files], name=given["name"],
            name_lines=None if given["no_debug"] else _SECONDS, limits=Limits(seconds=given["time_limit"]),
            coverage=given["coverage"] or given["lcov_file"] is not None,
        )
        if given["junit"] is not None:
            write_whole(given["junit"], junit(found).encode())
        if given["lcov_file"] is not None:
            write_whole(given["lcov_file"], lcov(found.coverage or ()).encode())
        if given["form"] is not None:
            click.echo(tap(found) if given["form"] == "tap" else exercism(found))
        else:
            print_result(given, found)
        passed = given["form"] == "exercism" or not (found.failed or found.of("undecided"))
        return exit_code(passed, interrupted=pressed)

    try:
        ctx.exit(again_and_again(files, language_of_path(files[0]) or "clingo", once) if given["watch"] else once())
    except ProgramError as error:
        if given["form"] != "exercism":
            raise
        click.echo(exercism_error(error))
