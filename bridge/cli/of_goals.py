"""`diagnose` and `why` of a Prolog program and a goal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from bridge.cli import graphs
from bridge.cli.events import event
from bridge.cli.findings import Finding, print_findings
from bridge.cli.options import print_json
from bridge.cli.programs import confinement, limits_of, source_of
from bridge.cli.results import exit_code, print_parts
from bridge.limits import Limits
from bridge.outcome import Interrupted, Verdict
from bridge.problem.prolog import PrologProblem
from bridge.texts.goals import goal_text, records

if TYPE_CHECKING:
    from bridge.analysis.proofs import Proof
    from bridge.drawing.graph import Graph


def diagnose_goal(files: Sequence[str], given: dict[str, Any]) -> int:
    """Print the diagnosis of a goal; the exit code."""
    from bridge.analysis.ask import EFFORT
    from bridge.analysis.goals import diagnose_goal as diagnosis_of

    for name, option in (
        ("instances", "--instances"),
        ("variants", "--try"),
        ("only", "--only"),
        ("optimal", "--optimal"),
    ):
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
    if given["jsonl"]:
        print_parts(found.to_json())
    elif given["as_json"]:
        print_json(found.to_json())
    elif given["events"]:
        event("diagnosis", found.to_json(), goal_text(found))
    elif given["form"] != "text":
        print_findings(given["form"], [Finding(place, "error", text, "clash") for place, text in records(found)])
    else:
        click.echo(goal_text(found))
    expected = given["expect"] in (None, str(found.verdict))
    known = found.verdict is not Verdict.UNKNOWN or found.loop is not None
    return exit_code(expected and known, interrupted=pressed)


def why_goal(files: Sequence[str], given: dict[str, Any]) -> int:
    """Print the proof of the first answer to a goal; the exit code."""
    from bridge.analysis.ask import why

    names = {"negated": "--not", "rather_than": "--rather-than", "given": "--given", "cost": "--cost"}
    for name, option in names.items():
        if given[name]:
            raise click.UsageError(f"{option} is for clingo (.lp); `diagnose` says why a goal fails")
    problem = _problem(files, given)
    found = why(problem, limits=_limits(given))
    data, text, proof = found.to_json(), str(found), found.proof
    drawn = proof is not None and graphs.wanted(given) and graphs.draw_graph(_graph(proof), given)
    if given["as_json"]:
        print_json(data)
    elif given["events"]:
        event("reasons", data, text)
    elif drawn:
        pass
    elif proof is not None and given["form"] in ("gcc", "sarif"):
        print_findings(given["form"], list(_steps(proof)))
    else:
        click.echo(text)
    return 0 if proof is not None else 1


def _graph(proof: Proof) -> Graph:
    from bridge.analysis.pictures import of_proof

    return of_proof(proof)


def _steps(proof: Proof) -> Iterator[Finding]:
    """The clauses of a proof, each with what it proves."""
    for _, one in proof:
        if one.clause is not None:
            yield Finding(one.clause, "note", f"proves {one.goal}", "derivation")


def _problem(files: Sequence[str], given: dict[str, Any]) -> PrologProblem:
    if given["goal"] is None:
        raise click.UsageError("a --goal is missing: the query, as at the toplevel")
    for name, option in (("constants", "--const"), ("theory", "--theory"), ("steps", "--steps")):
        if given[name] not in (None, ()):
            raise click.UsageError(f"{option} is for clingo (.lp)")
    return PrologProblem([source_of(file) for file in files], given["goal"], **confinement(given))


def _limits(given: dict[str, Any]) -> Limits:
    return Limits(seconds=limits_of(given["time_limit"], given["memory"], given["untrusted"]).seconds)
