"""`lpbridge tune`."""

from __future__ import annotations

import shlex
from typing import Any

import click

from bridge.cli.compare import constants_option
from bridge.cli.programs import (
    confinement,
    language_of,
    language_option,
    limits_of,
    process_options,
    say,
    source_of,
    time_limit_of,
)
from bridge.cli.shared import ProgressLine, exit_code, json_option, or_partial, print_found
from bridge.errors import UnsupportedError


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(allow_dash=True), metavar="FILE...")
@click.option("-i", "--instance", "instances", multiple=True, metavar="FILE", help="Facts: an instance, as .lp.")
@constants_option()
@click.option(
    "--try", "tried", multiple=True, metavar="OPTIONS", help="Options of clasp, in place of those of the table."
)
@click.option(
    "--seeds", default=3, show_default=True, type=click.IntRange(1), help="How often each instance is solved."
)
@click.option(
    "--by", type=click.Choice(("seconds", "conflicts")), default="seconds", show_default=True, help="What counts."
)
@language_option
@process_options(10, "each run")
@json_option
@click.pass_context
def tune(ctx: click.Context, /, files: tuple[str, ...], **given: Any) -> None:
    """Which configuration of clasp is best on these instances?

    Each configuration solves each instance with several seeds, in turn. One that is better is named only where that can
    be told from chance: by a sign test over the pairs of instance and seed, and by a tenth at the median. Runs that the
    limit ended count twice the limit. What loses clearly is given up. Exit code 1: none is better than the default.

    \b
    lpbridge tune encoding.lp -i a.lp -i b.lp -i c.lp
    lpbridge tune queens.lp -c n=20..24 --by conflicts
    lpbridge tune plan.lp -i a.lp --try '--configuration=trendy --heuristic=vsids'
    """
    from bridge.problem.asp import AspProblem
    from bridge.profiling.tuning import tune as race

    if language_of(files, given) != "clingo":
        raise UnsupportedError(
            "only clingo programs are tuned", hint="labeling options are the program's own in Prolog"
        )
    problem = AspProblem(*map(source_of, files), memory=limits_of(given).memory, **confinement(given))
    with ProgressLine(not given["as_json"]) as line:
        found, pressed = or_partial(
            lambda: race(
                problem,
                instances=[source_of(one) for one in given["instances"]],
                constants=dict(given["constants"]),
                configurations={one: shlex.split(one) for one in given["tried"]} or None,
                seeds=given["seeds"],
                by=given["by"],
                limits=time_limit_of(given),
                on_progress=line.show if line.shown else None,
            )
        )
    print_found(given, found)
    if found.best is not None and not given["as_json"]:
        constants = [f"-c {name}={value}" for name, value in given["constants"] if not isinstance(value, range)]
        command = " ".join(["clingo", *found.best.options, *map(shlex.quote, files), *constants])
        say(f"\n{command}")
    ctx.exit(exit_code(found.best is not None, interrupted=pressed))
