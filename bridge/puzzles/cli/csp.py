"""`csp` and `goal-csp`: a puzzle, and what a Prolog goal posts, as a constraint satisfaction problem."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from bridge.cli.kit import (
    MANY,
    confinement,
    each,
    exit_code,
    json_option,
    language_of,
    print_json,
    program_options,
    source_of,
    time_limit_of,
)
from bridge.errors import UnsupportedError
from bridge.limits import Limits
from bridge.puzzles.cli.options import ENGINE, found_and_end, puzzle_file
from bridge.puzzles.cli.reading import show_each
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.models import models
from bridge.puzzles.kinds.rules import cell_name

if TYPE_CHECKING:
    from bridge.puzzles.search import CSP


@click.command()
@puzzle_file
@json_option
@click.pass_context
def csp(ctx: click.Context, /, **given: Any) -> None:
    """Print the PUZZLE in FILE as a constraint satisfaction problem.

    Its variables, their initial domains, the neighbours of each (those with a constraint in common), and the
    constraints, as the imperative engines get them; and the puzzle, drawn.

    \b
    lpbridge puzzle csp futoshiki examples/futoshiki/report1-5x5.txt
    lpbridge puzzle csp sudoku puzzle.txt --json
    """

    def ask(puzzle: Puzzle) -> tuple[dict[str, Any], str]:
        form = described(models(puzzle).engine_csp(), {cell: cell_name(cell) for cell in puzzle.cells()})
        return form, "\n\n".join([*paragraphs(form), puzzle.draw()]) + "\n"

    show_each(ctx, ask, text=lambda one: one[1], data=lambda one: {"puzzle": given["puzzle"], **one[0]}, titled=False)


def described(problem: CSP, names: Mapping[Any, str]) -> dict[str, Any]:
    """A problem as JSON: variables by these names (`r4c1`), or as they are."""
    name = {variable: names.get(variable, str(variable)) for variable in problem.variables}
    return {
        "variables": [name[variable] for variable in problem.variables],
        "domains": {name[variable]: list(values) for variable, values in problem.domains.items()},
        "neighbours": {name[x]: [name[y] for y in others] for x, others in problem.neighbours.items()},
        "constraints": [
            {
                "name": constraint.name,
                "type": type(constraint).__name__,
                "scope": [name[variable] for variable in constraint.scope],
            }
            for constraint in problem.constraints
        ],
    }


def paragraphs(described: dict[str, Any]) -> list[str]:
    """The same as text."""
    constraints = [f"{one['name']}: {one['type']}({', '.join(one['scope'])})" for one in described["constraints"]]
    return [
        f"Variables {described['variables']}",
        f"Initial domains {described['domains']}",
        f"Neighbours {described['neighbours']}",
        "\n  ".join(["Constraints", *constraints]),
    ]


@click.command("goal-csp")
@program_options(10.0)
@click.option("-e", "--engine", type=ENGINE, help="Solve it: mac+mrv, cp-sat, ...; see `lpbridge puzzle engines`.")
@click.option("-n", "--solutions", type=MANY, default=1, show_default=True, help="With --engine: how many; 0 for all.")
@click.pass_context
def goal_csp(ctx: click.Context, /, files: tuple[str, ...], **given: Any) -> None:
    """Print the constraints that a goal posts (library(clpfd)) as a constraint satisfaction problem.

    Its variables with the domains that propagation leaves, and the constraints with their lines. With --engine, also
    its solutions: the same constraints on a solver that is not Prolog's.

    \b
    lpbridge puzzle goal-csp rooms.pl --goal 'rooms(X, Y)'
    lpbridge puzzle goal-csp rooms.pl --goal 'rooms(X, Y)' -e cp-sat -n 0
    """
    from bridge.problem import PrologProblem
    from bridge.puzzles.engines import engine as engine_of
    from bridge.puzzles.engines.csp import CSPEngine
    from bridge.puzzles.engines.goal_csp import constraints

    if language_of(files, given) != "prolog":
        raise UnsupportedError("constraints of library(clpfd) are in Prolog programs", hint="see `lpbridge ground`")
    if given["goal"] is None:
        raise click.UsageError("a --goal is missing: the query, as at the toplevel")
    if given["constants"]:
        raise click.UsageError("--const is for clingo (.lp)")
    chosen = None if given["engine"] is None else engine_of(given["engine"])
    if not isinstance(chosen, CSPEngine | None):
        raise UnsupportedError(f"engine {chosen.name} takes no CSP", hint="mac+mrv and cp-sat do")
    limits = time_limit_of(given)
    problem = PrologProblem([source_of(file) for file in files], given["goal"], **confinement(given))
    form = constraints(problem, limits=limits)
    data = described(form.csp, {})
    for one in data["constraints"]:
        place = form.places[one["name"]]
        one.update(file=place.file, line=place.line, column=place.column)
    if not given["as_json"]:
        click.echo("\n\n".join(paragraphs(data)) + "\n")
    if chosen is None:
        if given["as_json"]:
            print_json({"goal": problem.query, **data})
        return
    limits = Limits(seconds=limits.seconds, solutions=given["solutions"] or None)
    found: list[dict[str, int]] = []

    def show(number: int, assignment: dict[str, int]) -> None:
        found.append(assignment)
        if not given["as_json"]:
            click.echo(", ".join(f"{name} = {value}" for name, value in assignment.items()))

    with chosen.assignments(form.csp, limits) as stream:
        pressed, _ = each(stream, show)
    outcome = stream.outcome(found)
    if given["as_json"]:
        end = {
            "engine": chosen.name,
            "verdict": str(outcome.verdict),
            "solutions": found,
            "complete": outcome.complete,
            "limit": outcome.limit,
            "statistics": outcome.statistics.to_json(),
        }
        print_json({"goal": problem.query, **data, **end})
    else:
        click.echo(found_and_end(outcome))
    ctx.exit(exit_code(outcome.complete or bool(found), interrupted=pressed))
