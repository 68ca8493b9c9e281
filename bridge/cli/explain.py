"""`explain`: what is in all answer sets of a program, step by step."""

from __future__ import annotations

from typing import Any

import click

from bridge.cli.problems import problem_of, program_options
from bridge.cli.programs import time_limit_of
from bridge.cli.shared import ProgressLine, exit_code, jsonl_option, of_steps, print_json, print_part
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
    from bridge.analysis.explain import Step

    problem = problem_of(files, given)
    steps: list[Step] = []
    interrupted = False
    line = ProgressLine(not (given["as_json"] or given["jsonl"]))
    with explain_problem(problem, limits=time_limit_of(given), on_progress=of_steps(line)) as stream:
        try:
            for step in stream:
                line.clear()
                steps.append(step)
                if given["jsonl"]:
                    print_part({**step.to_json(), "sentence": str(step)})
                elif not given["as_json"]:
                    click.echo(f"{len(steps):>3}. {step}")
                if given["only_next"]:
                    break
        except KeyboardInterrupt:
            stream.interrupted()
            interrupted = True
    line.clear()
    if given["as_json"]:
        found = [{**step.to_json(), "sentence": str(step)} for step in steps]
        data = {"program": problem.title, "steps": found, "complete": stream.complete, "limit": stream.limit}
        print_json(data)
    elif given["jsonl"]:
        pass
    elif stream.limit is not None:
        click.echo(f"stopped by {LIMITS[stream.limit]} after {plural(len(steps), 'step')}")
    elif not steps:
        click.echo("nothing to derive: facts and definitions alone decide all that is the same in all answer sets")
    ctx.exit(exit_code(stream.complete or bool(steps), interrupted=interrupted))
