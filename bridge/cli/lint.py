"""`lpbridge lint`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from bridge.cli.findings import of_lint
from bridge.cli.programs import (
    format_option,
    language_of,
    problem_of,
    program_options,
    refuse,
    say,
    source_of,
    time_limit_of,
    write_fixed,
)
from bridge.cli.shared import brief_option, exit_code
from bridge.cli.writers import print_result

if TYPE_CHECKING:
    from bridge.linting.result import Lint

#: The remarks of one check that are shown where there are no warnings.
REMARKS = 2


def _explain(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
    """Print a check's page and end."""
    if value is None:
        return
    from bridge.linting.findings import entry
    from bridge.linting.lint import check_of

    one = check_of(value)
    explanation, program = entry(one)
    say("\n".join([f"{one.id} {one.name}", "", explanation, "", *(f"    {line}" for line in program.splitlines())]))
    ctx.exit(0)


@click.command()
@program_options(10.0)
@click.option("--instances", is_flag=True, help="Ground it: which rules never fire, which constraints never exclude?")
@click.option("--fix", is_flag=True, help="Write what is safe: it leaves all answer sets as they are.")
@click.option("--explain", metavar="ID", expose_value=False, is_eager=True, callback=_explain,
              help="What a check finds.")
@click.option("--each", is_flag=True, help="Each file is a program of its own.")
@click.option("-v", "--verbose", is_flag=True, help="All remarks, also beside warnings.")
@format_option
@brief_option
@click.pass_context
def lint(ctx: click.Context, /, files: tuple[str, ...], **given: Any) -> None:
    """What is probably wrong in a program, without an answer that is expected?

    Predicates and constants that nothing gives, with the one that is perhaps meant; unsafe variables; tuples without
    their item; and so on. Of Prolog: syntax, undefined predicates, clauses that are never reached, left recursion,
    variables without a value, and so on. A comment `% lint: off LP003` before a statement switches a check off for it.
    Exit code 1: there is an error or a warning.

    \b
    lpbridge lint timetable.lp monday.lp
    lpbridge lint timetable.lp monday.lp --instances --format gcc
    lpbridge lint rooms.pl
    lpbridge lint --each *.lp --format github
    lpbridge lint --explain LP014
    """
    found = _together([_linted([one], given) for one in files]) if given["each"] else _linted(files, given)
    written = write_fixed(found.fixed()) if given["fix"] else []
    text = "\n".join(_lines(found, written, given["verbose"]))
    print_result(given, found, text, findings=of_lint(found.findings))
    ctx.exit(exit_code(not found.certain))


def _linted(files: Sequence[str], given: dict[str, Any]) -> Lint:
    from bridge.linting.lint import lint as lint_program

    if language_of(files, given) == "prolog":
        return _of_prolog(files, given)
    return lint_program(problem_of(files, given), instances=given["instances"], limits=time_limit_of(given))


def _together(several: Sequence[Lint]) -> Lint:
    """What was found in programs, as of one."""
    limit = next((one.limit for one in several if one.limit is not None), None)
    notes = [note for one in several for note in one.notes]
    texts = {name: text for one in several for name, text in (one.texts or {}).items()}
    findings = [finding for one in several for finding in one.findings]
    return replace(several[0], findings=tuple(findings), limit=limit, notes=tuple(notes), texts=texts)


def _of_prolog(files: Sequence[str], given: dict[str, Any]) -> Lint:
    from bridge.linting.prolog import lint_prolog

    clingo = {"constants": "--const", "theory": "--theory", "steps": "--steps", "instances": "--instances"}
    refuse(given, clingo, "is for clingo (.lp)")
    if given["goal"]:
        raise click.UsageError("lint needs no --goal")
    return lint_prolog([source_of(file) for file in files], alone=given["untrusted"], limits=time_limit_of(given))


def _lines(found: Lint, written: list[str], verbose: bool) -> Iterator[str]:
    """What is certain; where nothing is, the first remarks of each check. All of them with `-v`."""
    times = Counter[str]()
    shown = []
    for one in found.findings if verbose else found.certain or found.findings:
        times[one.id] += 1
        if verbose or one.level != "info" or times[one.id] <= REMARKS:
            shown.append(one)
    for one in shown:
        yield f"{one.place}: {one.level}: {one} [{one.id}]"
        yield from found.underlined(one)
    yield from (f"note: {note}" for note in found.notes)
    yield from written
    more = len(found.findings) - len(shown)
    yield found.summary + (f"; {more} more with -v" if more else "")
