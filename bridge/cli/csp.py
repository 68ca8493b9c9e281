"""`csp`: a puzzle as a constraint satisfaction problem, printed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from bridge.cli.options import json_option
from bridge.cli.reading import puzzle_file, read_puzzles
from bridge.cli.results import print_results
from bridge.puzzles import Puzzle
from bridge.puzzles.models import models
from bridge.puzzles.rules import cell_name

if TYPE_CHECKING:
    from bridge.search import CSP


@click.command()
@puzzle_file
@json_option
def csp(puzzle: str, file: str, options: tuple[tuple[str, str], ...], as_json: bool) -> None:
    """Print the PUZZLE in FILE as a constraint satisfaction problem.

    Its variables, their initial domains, the neighbours of each (those with a constraint in common), and the
    constraints, as the imperative engines get them; and the puzzle, drawn.

    \b
    lpbridge csp futoshiki examples/futoshiki/report1-5x5.txt
    lpbridge csp sudoku puzzle.txt --json
    """
    found = []
    for instance in read_puzzles(puzzle, file, **dict(options)):
        found.append(_described(instance, models(instance).csp()))
        if not as_json:
            click.echo("\n\n".join([*_paragraphs(found[-1]), instance.draw()]) + "\n")
    if as_json:
        results = [{"puzzle": puzzle, **one} for one in found]
        print_results(puzzle, results, several=len(results) > 1)


def _described(puzzle: Puzzle, problem: CSP) -> dict[str, Any]:
    """A problem as JSON: variables by name, `r4c1` where they are cells."""
    cells = set(puzzle.cells())
    name = {variable: cell_name(variable) if variable in cells else str(variable) for variable in problem.variables}
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


def _paragraphs(described: dict[str, Any]) -> list[str]:
    constraints = [f"{one['name']}: {one['type']}({', '.join(one['scope'])})" for one in described["constraints"]]
    return [
        f"Variables {described['variables']}",
        f"Initial domains {described['domains']}",
        f"Neighbours {described['neighbours']}",
        "\n  ".join(["Constraints", *constraints]),
    ]
