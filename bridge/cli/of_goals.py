"""`diagnose` and `why` of a Prolog program and a goal."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bridge.cli.certain import LINES, certain_of_goal, lines
from bridge.cli.findings import PlacedMessage, of_lint
from bridge.cli.graphs import drawn
from bridge.cli.programs import confinement, refuse, source_of, time_limit_of
from bridge.cli.shared import exit_code, or_partial
from bridge.cli.writers import print_result, warnings
from bridge.errors import Place, ProgramError
from bridge.outcome import Verdict
from bridge.problem.prolog import PrologProblem

if TYPE_CHECKING:
    from bridge.analysis.goal_diagnosis import GoalDiagnosis
    from bridge.linting.findings import Finding as Certain


_LINE = re.compile(r" at (.+):(\d+)$")


def diagnose_goal(files: Sequence[str], given: dict[str, Any]) -> int:
    """Print the diagnosis of a goal; the exit code."""
    from bridge.analysis.ask import EFFORT, diagnose

    clingo = {"instances": "--instances", "variants": "--try", "only": "--only", "optimal": "--optimal"}
    refuse(given, clingo, "is for clingo (.lp)")
    problem = _problem(files, given)
    effort = None if given["smallest"] else EFFORT
    more = {"limits": time_limit_of(given), "clashes": given["clashes"], "repairs": given["repairs"]}
    try:
        found, pressed = or_partial(lambda: diagnose(problem, effort=effort, **more))
    except ProgramError as error:
        raise with_findings(problem, error, given) from None
    certain = noticed_beside(problem, found)
    records = (PlacedMessage(place, "error", text, "clash") for place, text in found.records())
    print_result(given, found, None, "diagnosis", certain, chain(of_lint(certain), records))
    if found.solutions and found.ends:
        _who_knows_more(files, given)
    expected = given["expect"] in (None, str(found.verdict))
    known = found.verdict is not Verdict.UNKNOWN or found.loop is not None
    return exit_code(expected and known, interrupted=pressed)


def noticed_beside(problem: PrologProblem, found: GoalDiagnosis) -> list[Certain]:
    """What lint says of a program whose goal has been diagnosed."""
    from bridge.linting.prolog import noticed

    endless = found.verdict is Verdict.UNKNOWN
    here, elsewhere = noticed(problem.sources, [problem.goal], alone=problem.untrusted, endless=endless)
    as_meant = found.verdict is Verdict.UNIQUE and not found.left_open
    return [one for one in here if one.level != "info" or not as_meant] + elsewhere


def _who_knows_more(files: Sequence[str], given: dict[str, Any]) -> None:
    """The commands that say which clause is wrong where an answer is, and why one holds."""
    if any(given[name] for name in ("as_json", "jsonl", "events", "brief")) or given["form"] != "text":
        return
    debug = shlex.join(["lpbridge", "debug", *files])
    why = shlex.join(["lpbridge", "why", *files, "--goal", given["goal"]])
    click.echo(f"if an answer is wrong, or one is missing: {debug} --unwanted GOAL --missing GOAL", err=True)
    click.echo(f"why the first one holds: {why}", err=True)


def with_findings(problem: PrologProblem, error: ProgramError, given: dict[str, Any]) -> ProgramError:
    """An error of the goal, after what is wrong by the text and what SWI-Prolog warned of in running clauses.

    Of a program that cannot be read, the findings are the error.
    """
    from bridge.linting.prolog import noticed

    here, elsewhere = noticed(problem.sources, [problem.goal], alone=problem.untrusted)
    found = [*here, *elsewhere]
    unread = [ProgramError(str(one), where=one.place) for one in found if one.id == "PL001"]
    if unread and error.message.startswith("Syntax error"):
        unread[0].others = tuple(unread[1:])
        return unread[0]
    _as_typed(problem, error)
    running = list(_running(problem, error))
    places = [(error.where.file, error.where.line)] if error.where else []
    others = [one for one in found if error.hint is None or (one.place.file, one.place.line) not in places]
    others.sort(key=lambda one: not _within(one.place, running))
    said = lines(others[:LINES])
    for one in error.partial.warnings if error.partial is not None else ():
        where = _typed(problem, one.where or Place())
        if _within(where, running) and not any(_same(where, finding.place, running) for finding in others):
            said.append(f"{where}: {one.kind}: {one.text}")
    if given["events"]:
        warnings(given, said)
    elif not given["as_json"] and not given["jsonl"]:
        for line in said:
            click.echo(line, err=True)
    return error


def _running(problem: PrologProblem, error: ProgramError) -> Iterator[tuple[str, int, int]]:
    """The clauses that were running when an error was raised: file, first and last line."""
    places = [(error.where.file, error.where.line)] if error.where else []
    places += [(match[1], int(match[2])) for goal in error.backtrace if (match := _LINE.search(goal))]
    try:
        sources = problem.read().sources
    except ProgramError:
        return
    for source in sources:
        for clause in source.clauses if any(file == source.name for file, _ in places) else ():
            first, last = (source.place(offset).line or 0 for offset in (clause.start, clause.end))
            if any(file == source.name and line is not None and first <= line <= last for file, line in places):
                yield source.name, first, last


def _within(place: Place, running: Sequence[tuple[str, int, int]]) -> bool:
    return any(place.file == file and first <= (place.line or 0) <= last for file, first, last in running)


def _same(one: Place, other: Place, running: Sequence[tuple[str, int, int]]) -> bool:
    """Whether two places are in one of the clauses."""
    return any(_within(one, [clause]) and _within(other, [clause]) for clause in running)


def _as_typed(problem: PrologProblem, error: ProgramError) -> None:
    """Name the files of an error as they were typed."""
    if error.where is not None:
        error.where = _typed(problem, error.where)
    error.backtrace = tuple(
        f"{goal[: match.start()]} at {_typed(problem, Place(match[1], int(match[2])))}"
        if (match := _LINE.search(goal))
        else goal
        for goal in error.backtrace
    )


def _typed(problem: PrologProblem, place: Place) -> Place:
    names = {str(Path(source).resolve()): str(source) for source in problem.sources if isinstance(source, Path)}
    return replace(place, file=names.get(place.file or "", place.file))


def why_goal(files: Sequence[str], given: dict[str, Any]) -> int:
    """Print the proof of the first answer to a goal; the exit code."""
    from bridge.analysis.ask import why

    names = {"negated": "--not", "rather_than": "--rather-than", "given": "--given", "cost": "--cost"}
    refuse(given, names, "is for clingo (.lp); `diagnose` says why a goal fails")
    problem = _problem(files, given)
    found = why(problem, limits=time_limit_of(given))
    if found.proof is None or not drawn(found, given):
        print_result(given, found, None, "reasons", certain_of_goal(problem))
    return 0 if found.proof is not None else 1


def _problem(files: Sequence[str], given: dict[str, Any]) -> PrologProblem:
    if given["goal"] is None:
        raise click.UsageError("a --goal is missing: the query, as at the toplevel")
    refuse(given, {"constants": "--const", "theory": "--theory", "steps": "--steps"}, "is for clingo (.lp)")
    return PrologProblem([source_of(file) for file in files], given["goal"], **confinement(given))
