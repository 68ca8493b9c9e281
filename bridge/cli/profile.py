"""`lpbridge profile`."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import click

from bridge.cli.certain import certain_of, certain_of_goal
from bridge.cli.growth import Growth
from bridge.cli.instances import constants_option
from bridge.cli.programs import (
    confinement,
    language_of,
    language_option,
    limits_of,
    process_options,
    source_of,
    time_limit_of,
    write_fixed,
)
from bridge.cli.shared import ProgressLine, exit_code, json_option, or_partial, warn
from bridge.cli.writers import print_result
from bridge.drawing.plots import can_save
from bridge.profiling.family import MEASURES

if TYPE_CHECKING:
    from bridge.profiling.profile import Profiling


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(allow_dash=True), metavar="FILE...")
@click.option("-g", "--goal", help="Of a Prolog program: the goal that is profiled.")
@click.option("-i", "--instance", "instances", multiple=True, metavar="FILE", help="Facts: an instance, as .lp.")
@constants_option()
@click.option("--against", multiple=True, metavar="FILE", help="Another encoding, measured on the same instances.")
@click.option("--chart", metavar="FILE", help="Draw the growth: FILE.svg, .png or .pdf (extra `pictures`).")
@click.option("--of", "drawn", type=click.Choice(tuple(MEASURES)), default="seconds", help="What the chart shows.")
@click.option("--no-search", is_flag=True, help="Ground it only.")
@click.option("--no-changes", is_flag=True, help="Try no rewritings.")
@click.option("--measure", is_flag=True, help="Ground also what is estimated to take too long, until the limit.")
@click.option("--fix", is_flag=True, help="Write the changes into the files.")
@language_option
@process_options(20, "the whole command")
@json_option
@click.pass_context
def profile(ctx: click.Context, /, files: tuple[str, ...], **given: Any) -> None:
    """Why is a program slow or large?

    Ground rules, atoms and seconds of each statement, and the join that makes them; what would take too long is
    estimated from the sizes of its predicates, and not ground. Then what the search costs, and which constraints take
    part in its conflicts. Of a Prolog goal: calls and answers of each clause and goal, inferences, the share of
    labeling. The statement that costs most comes first. Of several instances the largest is looked at, and seconds,
    ground rules, conflicts and inferences are held against their sizes: facts, or the value of the constant.
    Rewritings are tried; those by which the answers stay the same, and the program gets smaller or faster, are shown.
    Exit code 1: a limit came before anything was known.

    \b
    lpbridge profile encoding.lp -i instance.lp
    lpbridge profile queens.pl -g 'queens(N, Qs)' -c N=4..8
    lpbridge profile queens.lp -c n=4..30 --against better.lp --chart growth.svg
    lpbridge profile schedule.lp -t 60 --fix
    lpbridge profile encoding.lp instance.lp --no-search --measure -t 60
    """
    from bridge.problem.asp import AspProblem
    from bridge.problem.prolog import PrologProblem
    from bridge.profiling.profile import profile as profile_program

    prolog = language_of(files, given) != "clingo"
    if prolog and given["goal"] is None:
        raise click.UsageError("a Prolog program is profiled with a goal: -g 'queens(8, Qs)'")
    if given["fix"] and given["no_changes"]:
        raise click.UsageError("--no-changes tries no changes, and --fix writes them")
    if given["chart"] is not None:
        can_save(given["chart"])
    sources = [source_of(one) for one in files]
    problem: AspProblem | PrologProblem
    if prolog:
        problem = PrologProblem(sources, given["goal"], **confinement(given))
    else:
        problem = AspProblem(*sources, memory=limits_of(given).memory, **confinement(given))

    def report(so_far: Profiling) -> None:
        if so_far.grounding is not None:
            line.show(f"{so_far.grounding.rules:,} ground rules, {so_far.grounding.seconds:.0f} s")
        elif so_far.calls is not None:
            line.show(f"{so_far.calls.calls:,} calls")

    constants = [f"{name}={value}" for name, value in given["constants"] if not isinstance(value, range)]
    growth = Growth([*sources, *map(source_of, given["instances"][-1:])], {**given, "constants": constants})
    with nullcontext() if prolog else growth, ProgressLine(not given["as_json"]) as line:
        found, pressed = or_partial(
            profile_program, problem, instances=[source_of(one) for one in given["instances"]],
            constants=dict(given["constants"]), against=[source_of(one) for one in given["against"]] or None,
            search=not given["no_search"], measure=given["measure"], changes=not given["no_changes"],
            limits=time_limit_of(given), on_progress=report if line.shown else None,
        )
    if given["chart"] is not None and not pressed:
        found.chart(given["drawn"]).save(given["chart"])
    if not given["as_json"]:
        warn(() if found.grounding is None else found.grounding.warnings)
    written = write_fixed(found.fixed()) if given["fix"] else []
    if isinstance(problem, AspProblem):
        whole = AspProblem(*sources, *map(source_of, given["instances"]), **confinement(given))
        certain = certain_of(whole, () if found.grounding is None else found.grounding.warnings, growth.endless)
    else:
        certain = certain_of_goal(problem)
    print_result(given, found, "\n".join([str(found), *written]), certain=certain)
    known = found.calls is not None if found.grounding is None else bool(found.grounding.statements)
    ctx.exit(exit_code(known, interrupted=pressed))
