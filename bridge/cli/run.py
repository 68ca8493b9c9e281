"""`run`: any program, unchanged."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bridge.cli.options import MANY, json_line, json_option, jsonl_option, print_json, time_option
from bridge.cli.programs import (
    confinement,
    constant_option,
    kind_of,
    limits_of,
    memory_option,
    say,
    source_of,
    untrusted_option,
)
from bridge.cli.results import exit_code
from bridge.cli.show import LIMITS
from bridge.cli.values import answer_json, model_json
from bridge.english import plural
from bridge.limits import Limits
from bridge.outcome import Interrupted, Outcome, Stream

if TYPE_CHECKING:
    from bridge.asp import Model, Program
    from bridge.prolog import Session

_QUESTIONS = ("brave", "cautious", "optimal", "count")


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(allow_dash=True), metavar="FILE...")
@click.option("-n", "--solutions", type=MANY, default=None, help="How many; 0 for all.  [default: 1]")
@constant_option
@click.option("--brave", is_flag=True, help="The atoms that are in some model (.lp).")
@click.option("--cautious", is_flag=True, help="The atoms that are in every model (.lp).")
@click.option("--optimal", is_flag=True, help="The models of least cost, proved; all with -n 0 (.lp).")
@click.option("--count", is_flag=True, help="Only how many models there are that show different atoms (.lp).")
@click.option("--project", is_flag=True, help="Models that show the same atoms come only once (.lp).")
@click.option("-g", "--goal", help="The query, as at the toplevel, without the final dot (.pl).")
@click.option("--label", metavar="VARS", help="Then label these variables: 'X', 'X, Y', 'Rows' (.pl, clpfd).")
@time_option(None, "the search")
@memory_option
@untrusted_option
@click.option("--in-process", is_flag=True, help="Run in this process: not isolated, and able to read the terminal.")
@json_option
@jsonl_option("an answer a line, as they are found.")
@click.pass_context
def run(ctx: click.Context, /, files: tuple[str, ...], **given: Any) -> None:
    """Run any .lp files by clingo, or any .pl files by SWI-Prolog, as they are.

    Answers are printed as they are found, those of Prolog with their residual goals. Without a goal, the
    `initialization(main)` of a .pl file runs; if it has none, its predicates are listed.

    \b
    lpbridge run queens.lp -c n=8 -n 0
    lpbridge run rulers.lp --optimal
    lpbridge run rooms.pl --goal 'rooms(X, Y)' -n 0
    lpbridge run sudoku.pl --goal 'problem(1, Rows), sudoku(Rows)' --label Rows
    """
    suffix = kind_of(files, given["goal"] is not None)
    _fits(suffix, given)
    one = given["goal"] is None and suffix == ".pl"
    most = None if one else 1 if given["solutions"] is None else given["solutions"] or None
    limits = limits_of(given["time_limit"], given["memory"], given["untrusted"], most)
    ctx.exit(_run_lp(files, given, limits) if suffix == ".lp" else _run_pl(files, given, limits))


def _fits(suffix: str, given: dict[str, Any]) -> None:
    questions = [name for name in _QUESTIONS if given[name]]
    if len(questions) > 1:
        raise click.UsageError(f"--{questions[0]} or --{questions[1]}: one question at a time")
    wrong = ("goal", "label") if suffix == ".lp" else (*_QUESTIONS, "project", "constants")
    for name in wrong:
        if given[name]:
            other = "Prolog (.pl)" if suffix == ".lp" else "clingo (.lp)"
            raise click.UsageError(f"--{name.removesuffix('ants')} is for {other}")
    if given["untrusted"] and given["in_process"]:
        raise click.UsageError("--untrusted needs a process of its own: leave --in-process out")
    if given["label"] and not given["goal"]:
        raise click.UsageError("--label needs a --goal")


# clingo


def _run_lp(files: Sequence[str], given: dict[str, Any], limits: Limits) -> int:
    from bridge.asp import Program

    sources = [source_of(file, ".lp") for file in files]
    options = [f"--const={constant}" for constant in given["constants"]]
    where = {"isolated": not given["in_process"], **confinement(given)}
    loading = Limits(seconds=limits.seconds, memory=limits.memory)
    with Program(*sources, options=options, limits=loading, **where) as program:
        if given["count"]:
            code = _count(program, given, limits)
        elif given["brave"] or given["cautious"] or given["optimal"]:
            code = _consequences(program, given, limits)
        else:
            code = _models(program, given, limits)
        _warn(program.warnings)
    return code


def _count(program: Program, given: dict[str, Any], limits: Limits) -> int:
    most = limits.solutions if given["solutions"] else None
    pressed = False
    try:
        found = program.count(limits=Limits(limits.seconds, most, memory=limits.memory))
    except Interrupted as interrupted:
        found, pressed = interrupted.partial, True
    if given["as_json"] or given["jsonl"]:
        data = {"count": found.number, "complete": found.complete, "statistics": found.statistics.to_json()}
        print_json({**data, "limit": found.limit})
    else:
        least = "" if found.complete else f"at least, stopped by {LIMITS[str(found.limit)]}: "
        say(f"{least}{plural(found.number, 'model')}")
    return _code(pressed, found.complete, found.number > 0)


def _consequences(program: Program, given: dict[str, Any], limits: Limits) -> int:
    """`--brave`, `--cautious` and `--optimal`: a few models when the search is over."""
    question = next(name for name in _QUESTIONS if given[name])
    human = not (given["as_json"] or given["jsonl"])
    pressed = False

    def better(model: Model) -> None:
        if human:
            say(f"better: cost {_cost(model)}")

    kept = replace(limits, solutions=None if given["solutions"] == 0 else limits.solutions)
    try:
        if question == "optimal":
            outcome = program.optimal(limits=kept, on_progress=better)
        else:
            outcome = program.brave(limits=kept) if question == "brave" else program.cautious(limits=kept)
    except Interrupted as interrupted:
        outcome, pressed = interrupted.partial, True
    shown = outcome.solutions if given["solutions"] == 0 else outcome.solutions[: limits.solutions]
    for model in shown if given["jsonl"] else ():
        print_json(model_json(model))
    if given["as_json"]:
        data = _lp_json(outcome, [model_json(model) for model in shown])
        if question == "optimal":
            proved = bool(shown) and all(model.proved for model in shown)
            data |= {"costs": [list(model.cost) for model in shown], "optimal": proved}
        print_json(data)
    elif human:
        _say_consequences(question, outcome, shown)
    return _code(pressed, outcome.complete, bool(outcome.solutions))


def _say_consequences(question: str, outcome: Outcome[Model], shown: Sequence[Model]) -> None:
    if not shown:
        say("no model: unsatisfiable" if outcome.complete else f"nothing found; {_end(outcome)}")
        return
    for number, model in enumerate(shown, 1):
        head = f"{question} consequences" if question != "optimal" else f"{'optimal ' * model.proved}model {number}"
        cost = f"   cost {_cost(model)}" if model.cost else ""
        say(f"{head}{cost}\n{model}")
    if question != "optimal":
        say("complete" if outcome.complete else f"not complete; {_end(outcome)}")
    elif outcome.complete:
        say("proved; these are all")
    elif shown[0].proved:
        say("proved; there may be others as good: -n 0 shows them")
    else:
        say(f"the best so far, not proved; {_end(outcome)}")


def _cost(model: Model) -> str:
    return ", ".join(map(str, model.cost))


def _models(program: Program, given: dict[str, Any], limits: Limits) -> int:
    found: list[dict[str, Any]] = []

    def show(number: int, model: Model) -> None:
        if given["as_json"]:
            found.append(model_json(model))
        elif given["jsonl"]:
            say(json_line(model_json(model)), stream)
        else:
            say(f"model {number}\n{model}", stream)

    with program.models(project=given["project"], limits=limits) as stream:
        pressed, count = _each(stream, show)
    outcome = stream.outcome(())
    if given["as_json"]:
        print_json(_lp_json(outcome, found, count))
    elif not given["jsonl"]:
        nothing = "no model: unsatisfiable" if outcome.complete else "no model found"
        say(f"{plural(count, 'model') if count else nothing}; {_end(outcome)}")
    return _code(pressed, outcome.complete, count > 0)


def _lp_json(outcome: Outcome[Model], models: list[dict[str, Any]], count: int | None = None) -> dict[str, Any]:
    found = bool(outcome.solutions if count is None else count)
    satisfiable = True if found else False if outcome.complete else None
    return {"satisfiable": satisfiable, "complete": outcome.complete, "models": models, **_ended(outcome)}


# SWI-Prolog


def _run_pl(files: Sequence[str], given: dict[str, Any], limits: Limits) -> int:
    from bridge.prolog import Session

    sources = [source_of(file, ".pl") for file in files]
    as_data = given["as_json"] or given["jsonl"]
    output = "stderr" if as_data else "inherit"
    where: dict[str, Any] = {"isolated": not given["in_process"], "output": output, **confinement(given)}
    loading = Limits(seconds=limits.seconds, memory=limits.memory)
    with Session(*sources, limits=loading, **where) as session:
        _warn(session.warnings)
        if given["goal"]:
            return _answers(session, _labelled(given["goal"], given["label"]), given, limits)
        if (main := session.main()) is not None:
            return _main(session, main, limits)
        if not any(map(_initializes, files)) or as_data:
            _offer(session, files, as_data)
    return 0


def _labelled(goal: str, label: str | None) -> str:
    return f"({goal}), term_variables([{label}], _ToLabel), clpfd:label(_ToLabel)" if label else goal


def _answers(session: Session, goal: str, given: dict[str, Any], limits: Limits) -> int:
    found: list[dict[str, Any]] = []
    as_data = given["as_json"] or given["jsonl"]
    undefined = 0

    def show(number: int, answer: Any) -> None:
        nonlocal undefined
        undefined += answer.truth == "undefined"
        if given["as_json"]:
            found.append(answer_json(answer))
        elif given["jsonl"]:
            say(json_line(answer_json(answer)), stream)
        else:
            say(str(answer), stream)

    with session.query(goal, limits=limits, texts=not as_data) as stream:
        pressed, count = _each(stream, show)
    outcome = stream.outcome(())
    if given["as_json"]:
        print_json({"complete": outcome.complete, "answers": found, "undefined": undefined, **_ended(outcome)})
    elif not given["jsonl"]:
        nothing = "false" if outcome.complete else "no answer found"
        some = f" ({undefined:,} undefined)" if undefined else ""
        say(f"% {plural(count, 'answer') if count else nothing}{some}; {_end(outcome)}")
    return _code(pressed, outcome.complete, count > 0)


def _main(session: Session, goal: str, limits: Limits) -> int:
    """Run a main goal as `swipl file.pl` does: failure is exit code 1."""
    def show(number: int, answer: Any) -> None:
        if answer.truth == "undefined":
            click.echo(f"lpbridge: {goal} is undefined (well-founded semantics)", err=True)

    with session.query(f"({goal}) -> true", limits=Limits(limits.seconds, memory=limits.memory)) as stream:
        pressed, count = _each(stream, show)
    if stream.limit == "halt":
        return 0 if stream.remark and "halt(0)" in stream.remark else 1
    if not count:
        click.echo(f"lpbridge: {goal} failed" if stream.complete else f"lpbridge: {_end(stream.outcome(()))}", err=True)
    return _code(pressed, False, count > 0)


def _initializes(file: str) -> bool:
    """Whether the file has `:- initialization(...)`. It has run by now."""
    return file != "-" and re.search(rb"^\s*:-\s*initialization\b", Path(file).read_bytes(), re.MULTILINE) is not None


def _offer(session: Session, files: Sequence[str], as_data: bool) -> None:
    offered = [f"{name}/{arity}" for name, arity in session.exports()]
    if as_data:
        print_json({"exports": offered})
        return
    say(f"{', '.join(files)}: no goal was given, and there is no initialization(main). It offers")
    say("\n".join(f"  {name}" for name in offered) or "  nothing")
    if offered:
        name, arity = session.exports()[0]
        variables = ", ".join("ABCDEFGHIJKLMNOPQRSTUVWXYZ"[:arity]) if arity <= 26 else "..."
        say(f"ask, for example: lpbridge run {files[0]} --goal '{name}{f'({variables})' if arity else ''}' -n 0")


# Both


def _each(stream: Stream[Any], show: Any) -> tuple[bool, int]:
    """Show every answer, on Ctrl-C also those that had arrived; whether it was pressed, and the number of answers."""
    count, pressed = 0, False
    try:
        for answer in stream:
            count += 1
            show(count, answer)
    except KeyboardInterrupt:
        pressed = True
        stream.interrupted()
        for answer in stream.leftover():
            count += 1
            show(count, answer)
    return pressed, count


def _ended(outcome: Outcome[Any]) -> dict[str, Any]:
    data = {"statistics": outcome.statistics.to_json(), "limit": outcome.limit}
    more = {"rung": outcome.rung, "remark": outcome.remark}
    return data | {name: value for name, value in more.items() if value is not None}


def _end(outcome: Outcome[Any]) -> str:
    if outcome.complete:
        return "the search is complete"
    remark = f" ({outcome.remark})" if outcome.remark else ""
    if outcome.limit is None:
        return f"there may be more{remark}"
    return f"stopped by {LIMITS[outcome.limit]}{remark}, there may be more"


def _code(pressed: bool, complete: bool, found: bool) -> int:
    return exit_code(complete or found, interrupted=pressed)


def _warn(warnings: Sequence[str]) -> None:
    for warning in warnings:
        click.echo(f"lpbridge: {warning}", err=True)
