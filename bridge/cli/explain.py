"""`explain`: what is in all answer sets of a program, step by step."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from bridge.cli.programs import problem_of, program_options, time_limit_of
from bridge.cli.shared import ProgressLine, each, exit_code, jsonl_option, of_steps
from bridge.cli.writers import Writer
from bridge.common.english import LIMITS, plural


@click.command()
@program_options(None)
@click.option("--next", "only_next", is_flag=True, help="Only the next step.")
@jsonl_option("one step per line, as they are found.")
@click.pass_context
def explain(ctx: click.Context, /, files: tuple[str, ...], **given: Any) -> None:
    """Derive the atoms that are in all answer sets, step by step.

    Each step names a minimal set of constraints, bounds of choices and atoms of earlier steps. Facts and definitions
    hold without being named; `lpbridge why` names them.

    \b
    lpbridge explain zebra.lp
    """
    from bridge.analysis.ask import explain as explain_problem

    problem, writer = problem_of(files, given), Writer(given)
    line = ProgressLine(not (given["as_json"] or given["jsonl"]))

    def show(number: int, step: Any) -> None:
        line.clear()
        writer.answer(lambda: {**step.to_json(), "sentence": str(step)}, partial(str, step), f"{number:>3}. ")
        if given["only_next"]:
            stream.close()

    with line, explain_problem(problem, limits=time_limit_of(given), on_progress=of_steps(line)) as stream:
        interrupted, steps = each(stream, show)
    said = ""
    if stream.limit is not None:
        said = f"stopped by {LIMITS[stream.limit]} after {plural(steps, 'step')}"
    elif not steps:
        said = "nothing to derive: facts and definitions alone decide all that is the same in all answer sets"
    end = {"complete": stream.complete, "limit": stream.limit}
    writer.end({"program": problem.title, "steps": [], **end}, said)
    ctx.exit(exit_code(stream.complete or steps > 0, interrupted=interrupted))
