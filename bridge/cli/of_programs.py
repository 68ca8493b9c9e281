"""`check`, `residual`, `count` and `diagnose` of programs: the paths of `.lp` files, or of `.pl` files and a goal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import click

from bridge.cli.events import event, events_option
from bridge.cli.findings import FORMATS, Finding, print_findings
from bridge.cli.options import json_option, jsonl_option, print_json, time_option
from bridge.cli.programs import (
    confinement,
    constant_option,
    language_of,
    language_option,
    limits_of,
    memory_option,
    source_of,
    untrusted_option,
)
from bridge.cli.progress import ProgressLine, of_steps
from bridge.cli.results import exit_code, print_parts
from bridge.common.english import plural
from bridge.errors import UnsupportedError
from bridge.limits import Limits
from bridge.outcome import Interrupted, Verdict
from bridge.texts.program_diagnosis import open_text, program_text, verdict_line
from bridge.texts.words import LIMITS, counted

if TYPE_CHECKING:
    from bridge.analysis.program_diagnosis import ProgramDiagnosis
    from bridge.problem.asp import AspProblem

F = TypeVar("F", bound=Callable[..., Any])


def program_options(seconds: float | None) -> Callable[[F], F]:
    """FILES and what is said of them, the time limit, and the form of the output."""
    options = [
        click.argument("files", nargs=-1, required=True, type=click.Path(allow_dash=True), metavar="FILE..."),
        click.option("-g", "--goal", help="The query, as at the toplevel, without the final dot (.pl)."),
        constant_option,
        click.option(
            "--theory", type=click.Choice(["clingo-dl", "clingcon"]), help="The theory of &diff or &sum (.lp)."
        ),
        click.option(
            "--steps", type=click.IntRange(min=0), metavar="N", help="Of an incremental program (.lp): up to step N."
        ),
        language_option,
        time_option(seconds, "the whole command"),
        memory_option,
        untrusted_option,
        json_option,
    ]

    def with_options(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return with_options


format_option = click.option(
    "-F",
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="text",
    help="text for people, gcc for editors (file:line:column: message), sarif for CI.",
)


def problem_of(files: Sequence[str], given: dict[str, Any]) -> AspProblem:
    """The program of the command line as a problem."""
    from bridge.problem.asp import AspProblem

    if language_of(files, given) != "clingo":
        hint = "for .pl there are run, diagnose, why, compare and csp"
        raise UnsupportedError("this is not available for Prolog programs", hint=hint)
    if given["goal"]:
        raise click.UsageError("--goal is for Prolog (.pl)")
    limits = limits_of(given["time_limit"], given["memory"], given["untrusted"])
    options = [f"--const={constant}" for constant in given["constants"]]
    sources = [source_of(file) for file in files]
    more = {"theory": given["theory"], "steps": given["steps"], **confinement(given)}
    return AspProblem(*sources, options=options, memory=limits.memory, **more)


def _limits(given: dict[str, Any]) -> Limits:
    return Limits(seconds=limits_of(given["time_limit"], given["memory"], given["untrusted"]).seconds)


@click.command()
@program_options(10.0)
@click.option(
    "--clashes", type=click.IntRange(min=1), default=1, show_default=True, help="How many clashes, pairwise disjoint."
)
@click.option("--smallest", is_flag=True, help="Find a clash of the fewest rules and facts, however long it takes.")
@click.option("--instances", is_flag=True, help="Say which instances of the rules clash.")
@click.option(
    "--try",
    "variants",
    multiple=True,
    metavar="CHANGE",
    help="A change to try when there is no answer set: slots=3 for a constant, or the name or file:line of a rule to "
    "leave out. The fewest are shown.",
)
@click.option("--most-facts", type=click.IntRange(min=1), default=4, show_default=True, help="The most facts to add.")
@click.option("--repairs", type=click.IntRange(min=1), default=100, show_default=True, help="The most repairs to find.")
@format_option
@jsonl_option("one JSON object per line: the verdict, each clash, each change, each repair.")
@events_option
@click.pass_context
def diagnose(ctx: click.Context, /, files: tuple[str, ...], **given: Any) -> None:
    """Why has a program no answer set, or several, and what to change?

    No answer set: a minimal set of rules and facts that cannot hold together, and the fewest to take away. Several:
    the open atoms with the number of answer sets of each value, those that vary together, and the fewest facts to add.
    Nothing in the program has to be prepared. A comment `%! NAME: SENTENCE` names the rules below it.

    \b
    lpbridge diagnose timetable.lp monday.lp
    lpbridge diagnose timetable.lp monday.lp --instances --try slots=6
    lpbridge diagnose rooms.pl --goal 'rooms(X, Y)'
    """
    if language_of(files, given) == "prolog":
        from bridge.cli.of_goals import diagnose_goal

        ctx.exit(diagnose_goal(files, given))
    from bridge.analysis.program_diagnosis import diagnose_program
    from bridge.analysis.work import EFFORT

    problem = problem_of(files, given)
    pressed = False
    try:
        found = diagnose_program(
            problem,
            limits=_limits(given),
            clashes=given["clashes"],
            effort=None if given["smallest"] else EFFORT,
            repairs=given["repairs"],
            most_clues=given["most_facts"],
            instances=given["instances"],
            variants=given["variants"],
        )
    except Interrupted as interrupted:
        found, pressed = interrupted.partial, True
    if given["jsonl"]:
        print_parts(found.to_json())
    else:
        _print(found, given, given["form"], program_text)
    ctx.exit(exit_code(found.verdict is not Verdict.UNKNOWN or bool(found.solutions), interrupted=pressed))


@click.command()
@program_options(None)
@click.option("--expect", type=click.Choice([str(v) for v in Verdict]), help="Exit with 1 on any other verdict.")
@click.option(
    "--residual",
    type=click.Choice(["exact", "none"]),
    default="exact",
    show_default=True,
    help="What to compute of the open atoms.",
)
@events_option
@click.pass_context
def check(ctx: click.Context, /, files: tuple[str, ...], **given: Any) -> None:
    """Has a program one answer set, several or none?

    Shows the answer set, or two that differ; of several, the open atoms. Answer sets that show the same atoms count
    once.

    \b
    lpbridge check colouring.lp
    lpbridge check --expect unique rules.lp instance.lp
    """
    from bridge.analysis.program_diagnosis import check_program

    pressed = False
    try:
        found = check_program(problem_of(files, given), limits=_limits(given), verdict_only=given["residual"] == "none")
    except Interrupted as interrupted:
        found, pressed = interrupted.partial, True
    _print(found, given, "text", program_text)
    unexpected = given["expect"] is not None and found.verdict != given["expect"]
    nothing = found.verdict is Verdict.UNKNOWN and not found.solutions
    ctx.exit(exit_code(not unexpected and not nothing, interrupted=pressed))


@click.command()
@program_options(None)
@events_option
@click.pass_context
def residual(ctx: click.Context, /, files: tuple[str, ...], **given: Any) -> None:
    """What do the answer sets of a program leave open?

    Prints the atoms that are in some answer sets, but not in all; and the values that occur, where a choice takes
    exactly one for each fact.

    \b
    lpbridge residual colouring.lp
    """
    from bridge.analysis.program_diagnosis import check_program

    found = check_program(problem_of(files, given), limits=_limits(given))
    _print(found, given, "text", open_text)
    ctx.exit(exit_code(found.verdict in (Verdict.UNIQUE, Verdict.IMPOSSIBLE) or found.possible is not None))


@click.command()
@program_options(None)
@click.option("-n", "--most", type=click.IntRange(0), default=0, show_default=True, help="Stop at this number.")
@click.pass_context
def count(ctx: click.Context, /, files: tuple[str, ...], **given: Any) -> None:
    """How many answer sets has a program? Those that show the same atoms count once.

    \b
    lpbridge count queens.lp -c n=8
    """
    problem = problem_of(files, given)
    limits = Limits(_limits(given).seconds, given["most"] or None)
    pressed = False
    with problem.program(limits=limits) as program:
        try:
            found = program.count(project="show", limits=problem.limited(limits))
        except Interrupted as interrupted:
            found, pressed = interrupted.partial, True
    if given["as_json"]:
        data = {"program": problem.title, "number": found.number, "complete": found.complete, "limit": found.limit}
        print_json({**data, "statistics": found.statistics.to_json()})
    else:
        click.echo(counted(found.number, "answer set", found.complete, LIMITS.get(str(found.limit), "")))
    ctx.exit(exit_code(found.complete or found.number > 0, interrupted=pressed))


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
    from bridge.puzzles.explain.explain import Step
    from bridge.puzzles.explain.explain import explain as explain_problem
    from bridge.puzzles.explain.sentences import step_sentence

    problem = problem_of(files, given)
    steps: list[Step] = []
    interrupted = False
    line = ProgressLine(not (given["as_json"] or given["jsonl"]))
    with explain_problem(problem, limits=_limits(given), on_progress=of_steps(line)) as stream:
        try:
            for step in stream:
                line.clear()
                steps.append(step)
                if given["jsonl"]:
                    print_json({**step.to_json(), "sentence": step_sentence(step)})
                elif not given["as_json"]:
                    click.echo(f"{len(steps):>3}. {step_sentence(step)}")
                if given["only_next"]:
                    break
        except KeyboardInterrupt:
            stream.interrupted()
            interrupted = True
    line.clear()
    if given["as_json"]:
        found = [{**step.to_json(), "sentence": step_sentence(step)} for step in steps]
        data = {"program": problem.title, "steps": found, "complete": stream.complete, "limit": stream.limit}
        print_json(data)
    elif given["jsonl"]:
        pass
    elif stream.limit is not None:
        click.echo(f"stopped by {LIMITS[stream.limit]} after {plural(len(steps), 'step')}")
    elif not steps:
        click.echo("nothing to derive: facts and definitions alone decide all that is the same in all answer sets")
    ctx.exit(exit_code(stream.complete or bool(steps), interrupted=interrupted))


def _print(found: ProgramDiagnosis, given: dict[str, Any], form: str, text: Callable[[ProgramDiagnosis], str]) -> None:
    if given["as_json"]:
        print_json(found.to_json())
    elif given["events"]:
        event("diagnosis", found.to_json(), text(found))
    elif form != "text":
        print_findings(form, list(findings(found)))
    else:
        click.echo(text(found))


# For editors and CI


def findings(found: ProgramDiagnosis) -> Iterator[Finding]:
    """The rules and facts of a clash, each with its place; of other verdicts one line about the program."""
    for number, clash in enumerate(found.clashes or (), 1):
        of = f"clash {number}" if len(found.clashes or ()) > 1 else "clash"
        proved = "" if clash.minimal else " (not proved to be minimal)"
        for premise in clash.premises:
            for one in premise.statements:
                said = premise.sentence or (str(premise) if premise.is_fact else one.text)
                yield Finding(one.place, "error", f"{of}{proved}: {said}", "clash")
    if not found.clashes:
        level: Literal["error", "note"] = "note" if found.verdict is not Verdict.IMPOSSIBLE else "error"
        first = next(found.problem.outline.every(), None)
        if first is not None:
            yield Finding(first.place, level, verdict_line(found), "verdict")
