"""`engines` and `kinds`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from bridge.cli.kit import json_option, print_json
from bridge.errors import MissingSolverError
from bridge.puzzles.cli.options import puzzles_option

if TYPE_CHECKING:
    from bridge.cli.kit import Finding
    from bridge.puzzles.engines import Engine


def findings() -> list[Finding]:
    """Whether imperative search is compiled. As pure Python it works, too: this is not a problem."""
    from bridge.cli.kit import Finding
    from bridge.puzzles.search import FORM

    return [Finding("search", True, str(FORM))]


@click.command()
@json_option
def engines(as_json: bool) -> None:
    """List the engines, their abilities, and their solvers with the versions that are installed.

    `clingo` is another name of `asp`, and `prolog` of `clpfd`. Imperative engines are named by their parts, and any
    combination is an engine: an inference (`bt`, `fc`, `mac`, `gac`), then `+mrv`, `+mrv+degree`, `+mrv+wdeg` or the
    like to order the variables, then `+lcv` to order the values, then `+restarts`. `cp-sat` needs
    `pip install 'lpbridge[cp]'`.

    The last line says whether imperative search is compiled, or pure Python and why.
    """
    from bridge.puzzles.engines import MEANINGS, NAMES, Ability
    from bridge.puzzles.engines import engine as engine_of
    from bridge.puzzles.search import FORM

    listed = [engine_of(name) for name in NAMES]
    if as_json:
        print_json(
            {
                "engines": [
                    {
                        "name": one.name,
                        "description": one.description,
                        "abilities": sorted(one.abilities),
                        **_solver(one),
                    }
                    for one in listed
                ],
                "search": {"compiled": FORM.compiled, "form": str(FORM)},
            }
        )
        return
    width = max(len(one.name) for one in listed)
    for one in listed:
        click.echo(f"{one.name:<{width}}  {one.description}")
        click.echo(f"{'':<{width}}  {', '.join(ability for ability in Ability if ability in one.abilities)}")
        solver = _solver(one)
        if version := solver["solver"] or solver["problem"]:
            click.echo(f"{'':<{width}}  {version}")
    click.echo()
    for ability, meaning in MEANINGS.items():
        click.echo(f"{ability:<11} {meaning}")
    click.echo(f"\nsearch: {FORM}")


def _solver(engine: Engine) -> dict[str, Any]:
    """The solver of an engine, and whether it is there, as JSON."""
    try:
        return {"installed": True, "solver": engine.solver(), "problem": None}
    except MissingSolverError as error:
        return {"installed": False, "solver": None, "problem": str(error)}


@click.command("kinds")
@puzzles_option
@json_option
def listed_kinds(as_json: bool) -> None:
    """List the kinds of puzzles, and the options of each that `-O NAME=VALUE` sets."""
    from bridge.puzzles.kinds import puzzle_class
    from bridge.puzzles.kinds.registry import kinds

    if as_json:
        helps = {kind: {name: one.help for name, one in puzzle_class(kind).options.items()} for kind in kinds()}
        print_json({"puzzles": [{"name": kind, "options": options} for kind, options in helps.items()]})
        return
    for kind in kinds():
        click.echo(kind)
        options = puzzle_class(kind).options
        width = max(map(len, options), default=0)
        for name, option in options.items():
            click.echo(f"  {name:<{width}}  {option.help}")
