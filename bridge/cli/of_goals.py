"""`diagnose` and `why` of a Prolog program and a goal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import click

from bridge.cli import graphs
from bridge.cli.events import print_diagnosis, print_result
from bridge.cli.findings import Finding, of_lint
from bridge.cli.programs import confinement, refuse, source_of, time_limit_of
from bridge.cli.results import exit_code, or_partial
from bridge.errors import ProgramError
from bridge.outcome import Verdict
from bridge.problem.prolog import PrologProblem

if TYPE_CHECKING:
    from bridge.analysis.proofs import Proof


#: The checks for what ends a program with an error: what cannot be read, and what nothing defines.
_REFUSED = ("PL001", "PL003", "PL004", "PL013")


def diagnose_goal(files: Sequence[str], given: dict[str, Any]) -> int:
    """Print the diagnosis of a goal; the exit code."""
    from bridge.analysis.ask import EFFORT
    from bridge.analysis.goals import diagnose_goal as diagnosis_of
    from bridge.linting.lint import lint

    clingo = {"instances": "--instances", "variants": "--try", "only": "--only", "optimal": "--optimal"}
    refuse(given, clingo, "is for clingo (.lp)")
    problem = _problem(files, given)
    effort = None if given["smallest"] else EFFORT
    more = {"limits": time_limit_of(given), "clashes": given["clashes"], "repairs": given["repairs"]}
    try:
        found, pressed = or_partial(lambda: diagnosis_of(problem, effort=effort, **more))
    except ProgramError as error:
        if error.hint is None and (likely := [one for one in lint(problem).certain if one.id in _REFUSED]):
            error.hint = f"{likely[0].place}: {likely[0]} [{likely[0].id}]"
        raise
    certain = lint(problem).certain
    records = (Finding(place, "error", text, "clash") for place, text in found.records())
    print_diagnosis(given, found, certain, str(found), chain(of_lint(certain), records))
    expected = given["expect"] in (None, str(found.verdict))
    known = found.verdict is not Verdict.UNKNOWN or found.loop is not None
    return exit_code(expected and known, interrupted=pressed)


def why_goal(files: Sequence[str], given: dict[str, Any]) -> int:
    """Print the proof of the first answer to a goal; the exit code."""
    from bridge.analysis.ask import why

    names = {"negated": "--not", "rather_than": "--rather-than", "given": "--given", "cost": "--cost"}
    refuse(given, names, "is for clingo (.lp); `diagnose` says why a goal fails")
    problem = _problem(files, given)
    found = why(problem, limits=time_limit_of(given))
    proof = found.proof
    drawn = False
    if proof is not None and graphs.wanted(given):
        from bridge.analysis.pictures import of_proof

        drawn = graphs.draw_graph(of_proof(proof), given)
    if not drawn or given["as_json"] or given["events"]:
        print_result(given, "reasons", found.to_json(), found, lambda: str(found), lambda: _steps(proof))
    return 0 if proof is not None else 1


def _steps(proof: Proof | None) -> Iterator[Finding]:
    """The clauses of a proof, each with what it proves."""
    for _, one in proof or ():
        if one.clause is not None:
            yield Finding(one.clause, "note", f"proves {one.goal}", "derivation")


def _problem(files: Sequence[str], given: dict[str, Any]) -> PrologProblem:
    if given["goal"] is None:
        raise click.UsageError("a --goal is missing: the query, as at the toplevel")
    refuse(given, {"constants": "--const", "theory": "--theory", "steps": "--steps"}, "is for clingo (.lp)")
    return PrologProblem([source_of(file) for file in files], given["goal"], **confinement(given))
