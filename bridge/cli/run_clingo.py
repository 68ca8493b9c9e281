"""`run` of `.lp` files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bridge.cli.endings import code_of, each, end, ended, warn
from bridge.cli.options import json_line, print_json
from bridge.cli.programs import confinement, say, source_of
from bridge.cli.show import LIMITS
from bridge.cli.values import model_json
from bridge.english import plural
from bridge.limits import Limits
from bridge.outcome import Interrupted, Outcome

if TYPE_CHECKING:
    from bridge.asp import Model, Program

#: What can be asked instead of models, one at a time: the names of the options.
QUESTIONS = ("brave", "cautious", "optimal", "count")


def run_clingo(files: Sequence[str], given: dict[str, Any], limits: Limits) -> int:
    from bridge.asp import Program

    sources = [source_of(file) for file in files]
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
        warn(program.warnings)
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
    return code_of(pressed, found.complete, found.number > 0)


def _consequences(program: Program, given: dict[str, Any], limits: Limits) -> int:
    """`--brave`, `--cautious` and `--optimal`: a few models when the search is over."""
    question = next(name for name in QUESTIONS if given[name])
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
    return code_of(pressed, outcome.complete, bool(outcome.solutions))


def _say_consequences(question: str, outcome: Outcome[Model], shown: Sequence[Model]) -> None:
    if not shown:
        say("no model: unsatisfiable" if outcome.complete else f"nothing found; {end(outcome)}")
        return
    for number, model in enumerate(shown, 1):
        head = f"{question} consequences" if question != "optimal" else f"{'optimal ' * model.proved}model {number}"
        cost = f"   cost {_cost(model)}" if model.cost else ""
        say(f"{head}{cost}\n{model}")
    if question != "optimal":
        say("complete" if outcome.complete else f"not complete; {end(outcome)}")
    elif outcome.complete:
        say("proved; these are all")
    elif shown[0].proved:
        say("proved; there may be others as good: -n 0 shows them")
    else:
        say(f"the best so far, not proved; {end(outcome)}")


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
        pressed, count = each(stream, show)
    outcome = stream.outcome(())
    if given["as_json"]:
        print_json(_lp_json(outcome, found, count))
    elif not given["jsonl"]:
        nothing = "no model: unsatisfiable" if outcome.complete else "no model found"
        say(f"{plural(count, 'model') if count else nothing}; {end(outcome)}")
    return code_of(pressed, outcome.complete, count > 0)


def _lp_json(outcome: Outcome[Model], models: list[dict[str, Any]], count: int | None = None) -> dict[str, Any]:
    found = bool(outcome.solutions if count is None else count)
    satisfiable = True if found else False if outcome.complete else None
    return {"satisfiable": satisfiable, "complete": outcome.complete, "models": models, **ended(outcome)}
