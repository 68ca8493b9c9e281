"""`csp`: a puzzle as a constraint satisfaction problem."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from bridge.cli.kit import json_option
from bridge.puzzles.cli.options import puzzle_file
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
