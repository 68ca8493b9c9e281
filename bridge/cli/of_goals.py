"""`diagnose` and `why` of a Prolog program and a goal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from bridge.cli import goals
from bridge.cli.findings import Finding, print_findings
from bridge.cli.options import print_json
from bridge.cli.programs import confinement, limits_of, source_of
from bridge.cli.results import exit_code
from bridge.limits import Limits
from bridge.outcome import Interrupted, Verdict
from bridge.problems.goal import PrologProblem


def diagnose_goal(files: Sequence[str], given: dict[str, Any]) -> int:
    """Print the diagnosis of a goal; the exit code."""
    from bridge.analysis.goals import diagnose_goal as diagnosis_of
    from bridge.analysis.work import EFFORT

    for name, option in (("instances", "--instances"), ("variants", "--try"), ("constants", "--const")):
        if given[name]:
            raise click.UsageError(f"{option} is for clingo (.lp)")
    problem = _problem(files, given)
    pressed = False
    try:
        found = diagnosis_of(
            problem,
            limits=_limits(given),
            clashes=given["clashes"],
            effort=None if given["smallest"] else EFFORT,
            repairs=given["repairs"],
        )
    except Interrupted as interrupted:
        found, pressed = interrupted.partial, True
    if given["as_json"]:
        print_json(found.to_json())
    elif given["form"] != "text":
        print_findings(given["form"], [Finding(place, "error", text, "clash") for place, text in goals.records(found)])
    else:
        click.echo(goals.text(found))
    return exit_code(found.verdict is not Verdict.UNKNOWN or found.loop is not None, interrupted=pressed)


def why_goal(files: Sequence[str], given: dict[str, Any]) -> int:
    """Print the proof of the first answer to a goal; the exit code."""
    from bridge.analysis.goals import why_goal as proof_of

    names = {"negated": "--not", "rather_than": "--rather-than", "given": "--given", "cost": "--cost"}
    for name, option in names.items():
        if given[name]:
            raise click.UsageError(f"{option} is for clingo (.lp); `diagnose` says why a goal fails")
    problem = _problem(files, given)
    proof = proof_of(problem, limits=_limits(given))
    if given["as_json"]:
        print_json({"goal": problem.query, "proof": None if proof is None else proof.to_json()})
    else:
        click.echo("the goal has no answer: `lpbridge diagnose` says why" if proof is None else str(proof))
    return 0 if proof is not None else 1


def _problem(files: Sequence[str], given: dict[str, Any]) -> PrologProblem:
    if given["goal"] is None:
        raise click.UsageError("a --goal is missing: the query, as at the toplevel")
    if given["constants"]:
        raise click.UsageError("--const is for clingo (.lp)")
    return PrologProblem([source_of(file) for file in files], given["goal"], **confinement(given))


def _limits(given: dict[str, Any]) -> Limits:
    return Limits(seconds=limits_of(given["time_limit"], given["memory"], given["untrusted"]).seconds)
