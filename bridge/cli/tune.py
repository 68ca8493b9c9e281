"""`lpbridge tune`."""

from __future__ import annotations

import shlex
from typing import Any

import click

from bridge.cli.compare import constants_option
from bridge.cli.options import json_option, print_json, time_option
from bridge.cli.programs import (
    confinement,
    language_of,
    language_option,
    limits_of,
    memory_option,
    say,
    source_of,
    untrusted_option,
)
from bridge.cli.progress import ProgressLine
from bridge.cli.results import exit_code, or_partial
from bridge.errors import UnsupportedError
from bridge.limits import Limits


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
@time_option(10, "each run")
@memory_option
@untrusted_option
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
    limits = limits_of(given["time_limit"], given["memory"], given["untrusted"])
    problem = AspProblem(*map(source_of, files), memory=limits.memory, **confinement(given))
    line = ProgressLine(not given["as_json"])
    try:
        found, pressed = or_partial(
            lambda: race(
                problem,
                instances=[source_of(one) for one in given["instances"]],
                constants=dict(given["constants"]),
                configurations={one: shlex.split(one) for one in given["tried"]} or None,
                seeds=given["seeds"],
                by=given["by"],
                limits=Limits(seconds=limits.seconds),
                on_progress=line.show if line.shown else None,
            )
        )
    finally:
        line.clear()
    if given["as_json"]:
        print_json(found.to_json())
    else:
        say(str(found))
        if found.best is not None:
            constants = [f"-c {name}={value}" for name, value in given["constants"] if not isinstance(value, range)]
            command = " ".join(["clingo", *found.best.options, *map(shlex.quote, files), *constants])
            say(f"\n{command}")
    ctx.exit(exit_code(found.best is not None, interrupted=pressed))
