"""`count`: the number of answer sets of a program."""

from __future__ import annotations

from typing import Any

import click

from bridge.cli.growth import Growth
from bridge.cli.programs import problem_of, program_options, time_limit_of
from bridge.cli.shared import counted, exit_code, or_partial, print_json, warn
from bridge.common.warned import as_json as warnings_json
from bridge.limits import Limits


@click.command()
@program_options(None)
@click.option("-n", "--most", type=click.IntRange(0), default=0, show_default=True, help="Stop at this number.")
@click.pass_context
def count(ctx: click.Context, /, files: tuple[str, ...], **given: Any) -> None:
    """How many answer sets has a program? Those that show the same atoms count once.

    \b
    lpbridge count queens.lp -c n=8
    """
    from bridge.problem.asp_oracle import hinted, warnings_of

    problem = problem_of(files, given)
    limits = Limits(time_limit_of(given).seconds, given["most"] or None)
    growth = Growth(problem.sources, given)
    with growth, problem.program(limits=limits) as program:
        found, pressed = or_partial(lambda: program.count(project="show", limits=problem.backend.limited(limits)))
        warnings = list(warnings_of(program))
    if given["as_json"]:
        data = {"program": problem.title, "number": found.number, "complete": found.complete, "limit": found.limit}
        print_json({**data, "statistics": found.statistics.to_json(), "warnings": warnings_json(warnings)})
    else:
        warn(list(hinted(warnings, problem.outline)) if warnings else [])
        click.echo(counted(found, "answer set"))
    if not (found.complete or found.number > 0):
        growth.name()
    ctx.exit(exit_code(found.complete or found.number > 0, interrupted=pressed))
