"""`lpbridge debug`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from bridge.cli.instances import constants_option, generator_of, generator_option, show_option, values_of
from bridge.cli.programs import write_fixed
from bridge.cli.shared import brief_option, exit_code, json_option, or_partial, print_json, time_option
from bridge.cli.writers import event, events_option, print_result
from bridge.common.files import read_program
from bridge.common.languages import language_of_path
from bridge.comparison.generator import MOST
from bridge.debugging.asking import Oracle, Question, UnansweredError, kept, unanswered
from bridge.debugging.debug import debug as debug_program
from bridge.debugging.result import Debugging
from bridge.limits import UNTRUSTED, Limits
from bridge.problem.asp import AspProblem
from bridge.problem.front import goal

#: Options that are parameters of `bridge.debug` as they are.
_AS_GIVEN = ["missing", "unwanted", "facts"]


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--against", multiple=True, metavar="FILE", help="A reference, which is right; its text is not shown.")
@click.option("-i", "--instance", "instances", multiple=True, metavar="FILE", help="Facts: an instance, as .lp.")
@generator_option()
@constants_option()
@click.option("--missing", multiple=True, metavar="ATOM", help="An atom that some answer should have.")
@click.option("--unwanted", multiple=True, metavar="ATOM", help="An atom that no answer should have.")
@click.option("--ends", multiple=True, metavar="GOAL", help="Of a .pl: a goal that should end after its answers.")
@click.option("--given", "context", multiple=True, metavar="ATOM", help="An atom of the answer that is meant.")
@click.option("--facts", is_flag=True, help="Of --missing and --unwanted: facts and #const are in question, too.")
@click.option("--tests", multiple=True, metavar="FILE", help="Tests that should pass, as of `lpbridge test`.")
@click.option("--ask", is_flag=True, help="Ask me which answers are meant: nothing else says it.")
@click.option("--answers", metavar="FILE",
              help="Replies to --ask: those in FILE are not asked for again; others go there.")
@click.option("--next", "ask_next", is_flag=True, help="Of --ask: print the next question, and end; for editors.")
@show_option
@click.option("-g", "--goal", "goals", multiple=True, help="Of a .pl: a goal with wrong answers; once for each.")
@click.option("--optimal/--any-cost", default=None, help="Whether only answers of least cost count (as the reference).")
@click.option("--most", type=click.IntRange(1), default=MOST, show_default=True, help="Instances to try.")
@click.option("--hint", is_flag=True, help="Name the lines only, without a repair: for courses.")
@click.option("--fix", is_flag=True, help="Write the first repair into FILE.")
@click.option("--show-reference", is_flag=True, help="Print the reference, too.")
@click.option("--untrusted", is_flag=True, help="Confine FILE: see SECURITY.md.")
@click.option("--allow-missing-walls", is_flag=True, help="Run it where this machine cannot confine it.")
@click.option("-v", "--verbose", is_flag=True, help="How many variants were tried, and all remarks.")
@time_option(20, "all of it")
@json_option
@brief_option
@events_option
@click.pass_context
def debug(ctx: click.Context, /, files: tuple[str, ...], **given: Any) -> None:
    """Which line of FILE is wrong, and what should it say?

    What is wrong is said by a reference and instances, by atoms, or by tests; without any of these, by the tests in
    FILE, of a .pl those in the .plt beside it, too; or by you, with --ask: is this answer meant? Of a .pl by a
    reference and goals, or by goals, as well.
    The first FILE is in question; others are loaded with it. Small changes of its statements are tried by the
    solver, the likeliest first; one by which the program does what is expected names the line, and is shown with
    what it was held against. Exit code 1: no line could be named.

    \b
    lpbridge debug mine.lp --against reference.lp -i graph1.lp -i graph2.lp
    lpbridge debug mine.lp --against reference.lp --generator graphs.lp -c n=1..3
    lpbridge debug timetable.lp monday.lp --missing 'at(art,3)'
    lpbridge debug timetable.lp --tests tests.lp
    lpbridge debug reach.lp --unwanted 'reach(d)' --fix
    lpbridge debug timetable.lp -i monday.lp --ask
    lpbridge debug mine.pl --against right.pl -g 'len([a,b], N)' -g 'len(L, 1)'
    lpbridge debug mine.pl --missing 'len([a,b], 2)' --unwanted 'len([], 1)'
    lpbridge debug mine.pl --ends 'factorial(5, X)'
    lpbridge debug mine.pl --tests mine.plt
    """
    if given["brief"] and given["hint"]:
        raise click.UsageError("--hint shows no repair, and --brief shows one")
    if given["fix"] and given["hint"]:
        raise click.UsageError("--hint shows no repair, and --fix writes one")
    oracle: Oracle | None = unanswered if given["ask_next"] else _ask if given["ask"] else None
    if given["answers"]:
        oracle = kept(oracle, given["answers"])
    first = not any(given[name] for name in ("as_json", "events", "brief", "hint"))
    causes: list[tuple[str, ...]] = []

    def on_progress(found: Debugging) -> None:
        if first and found.because and not causes:
            causes.append(found.because)
            click.echo("\n".join([*found.because, ""]))

    source = generator_of(given, given["most"])
    problem, against = _problems([Path(file) for file in files], given, {} if source else values_of(given))
    try:
        found, pressed = or_partial(
            debug_program, problem, against=against, given=given["context"], oracle=oracle, on_progress=on_progress,
            instances=source or [Path(one) for one in given["instances"]] or None,
            tests=[Path(one) for one in given["tests"]], limits=Limits(seconds=given["time_limit"]),
            **{name: given[name] for name in _AS_GIVEN},
        )
    except UnansweredError as asked:
        question = asked.question
        if given["events"]:
            event("question", question.to_json(), str(question))
        elif given["as_json"]:
            print_json({"question": question.to_json()})
        else:
            click.echo(str(question))
        ctx.exit(1)
    written = write_fixed({files[0]: found.repair.text}) if given["fix"] and found.repair is not None else []
    data = _without_repairs(found.to_json()) if given["hint"] else found.to_json()
    text = found.text(hint=given["hint"], verbose=given["verbose"], cause=not first)
    print_result(given, found, text, "debugging", data=data)
    if not (given["as_json"] or given["events"] or given["brief"]):
        for line in written:
            click.echo(line)
        for file in given["against"] if given["show_reference"] else ():
            click.echo(f"\nthe reference, {file}:\n{read_program(file)}")
    done = found.right or bool(found.suspects or found.lint)
    ctx.exit(exit_code(done and (found.right or not given["fix"] or bool(written)), interrupted=pressed))


def _problems(files: Sequence[Path], given: dict[str, Any], constants: dict[str, Any]) -> tuple[Any, Any]:
    """What is in question, and the reference."""
    walls = {name: given[name] for name in ("untrusted", "allow_missing_walls")}
    right = [Path(one) for one in given["against"]]
    if language_of_path(files[0]) == "prolog":
        goals = [*given["goals"], *given["ends"]] or ["true"]
        return [goal(files, one, **walls) for one in goals], right or None
    if given["ends"]:
        raise click.UsageError("--ends is for Prolog (.pl)")
    more = {"memory": UNTRUSTED.memory if given["untrusted"] else None, **walls}
    problem = AspProblem(*files, constants=constants, show=given["show"], optimal=given["optimal"], **more)
    return problem, goal(right, given["goals"][0]) if right and given["goals"] else right or None


def _ask(question: Question) -> bool | None:
    """Put a question to the person at the terminal."""
    try:
        reply = click.prompt(f"{question} y(es), n(o), d(o not know), q(uit)", type=click.Choice(["y", "n", "d", "q"]),
                             show_choices=False, err=True)
    except click.Abort:
        raise KeyboardInterrupt from None
    if reply == "q":
        raise KeyboardInterrupt
    return {"y": True, "n": False, "d": None}[reply]


def _without_repairs(data: dict[str, Any]) -> dict[str, Any]:
    return {**data, "suspects": [{**one, "repair": None, "part": ""} for one in data["suspects"]]}
