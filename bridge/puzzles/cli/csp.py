"""`csp`: a puzzle as a constraint satisfaction problem, printed. See `csp_of_goals` for programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from bridge.cli.options import json_option
from bridge.puzzles.cli.reading import puzzle_file, read_puzzles
from bridge.puzzles.cli.results import print_results
from bridge.puzzles.kinds.models import models
from bridge.puzzles.kinds.rules import cell_name

if TYPE_CHECKING:
    from bridge.puzzles.search import CSP


@click.command()
@puzzle_file
@json_option
def csp(puzzle: str, file: str, options: tuple[tuple[str, str], ...], as_json: bool) -> None:
    """Print the PUZZLE in FILE as a constraint satisfaction problem.

    Its variables, their initial domains, the neighbours of each (those with a constraint in common), and the
    constraints, as the imperative engines get them; and the puzzle, drawn.

    \b
    lpbridge puzzle csp futoshiki examples/futoshiki/report1-5x5.txt
    lpbridge puzzle csp sudoku puzzle.txt --json
    """
    found = []
    for instance in read_puzzles(puzzle, file, **dict(options)):
        names = {cell: cell_name(cell) for cell in instance.cells()}
        found.append(described(models(instance).engine_csp(), names))
        if not as_json:
            click.echo("\n\n".join([*paragraphs(found[-1]), instance.draw()]) + "\n")
    if as_json:
        results = [{"puzzle": puzzle, **one} for one in found]
        print_results(puzzle, results, several=len(results) > 1)


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
