"""`explain`: a solution step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from bridge.cli.kit import (
    ProgressLine,
    exit_code,
    json_option,
    jsonl_option,
    of_steps,
    print_json,
    print_part,
    time_option,
)
from bridge.common import LIMITS
from bridge.errors import InputError
from bridge.limits import LimitName, Limits
from bridge.puzzles.cli.options import puzzle_file
from bridge.puzzles.cli.reading import read_puzzle
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.rules import Cell, cell_name, read_cell

if TYPE_CHECKING:
    from bridge.analysis import Step


#: Up to so many steps, the rules are explained below.
FEW = 10


class _CellName(click.ParamType[Cell]):
    """`r4c1`."""

    name = "cell"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Cell:
        if (cell := read_cell(str(value))) is None:
            self.fail(f"{value!r} is not a cell; row 4, column 1 is r4c1", param, ctx)
        return cell


@click.command()
@puzzle_file
@click.option("--cell", type=_CellName(), metavar="r4c1", help="Only the steps that this cell depends on.")
@click.option("--next", "only_next", is_flag=True, help="Only the next step.")
@click.option("--technique", metavar="NAME", help="Only steps by this technique: 'hidden single', X-wing.")
@time_option(None, "the explanation")
@json_option
@jsonl_option("one step per line, as they are found.")
@click.pass_context
def explain(
    ctx: click.Context,
    /,
    cell: Cell | None,
    only_next: bool,
    technique: str | None,
    as_json: bool,
    jsonl: bool,
    **given: Any,
) -> None:
    """Solve the PUZZLE in FILE step by step, each step with the rules and known cells that imply it.

    Each step has the name of its technique, if it has one, and a minimal set of rules and cells. Easy steps come first.
    Of a puzzle with several solutions, the steps lead to the cells that are the same in all of them.

    \b
    lpbridge puzzle explain sudoku examples/sudoku/report3-problem1.txt
    lpbridge puzzle explain sudoku examples/sudoku/report3-problem1.txt --cell r4c1
    """
    from bridge import explain as explain_puzzle
    from bridge.puzzles.explain.explain import leading_to

    puzzle = read_puzzle(given["puzzle"], given["file"], **dict(given["options"]))
    if cell is not None and cell not in puzzle.cells():
        message = f"{cell_name(cell)} is not a cell of this {puzzle.title}"
        raise InputError(message, hint="rows and columns count from 1")
    if cell in puzzle.clues():
        raise InputError(f"{cell_name(cell)} is a clue", hint="name a cell that is open")
    if technique is not None:
        technique = _technique(technique)
    steps: list[Step] = []
    number = 0

    def show(step: Step) -> None:
        nonlocal number
        line.clear()
        number += 1
        name = step.technique.name if step.technique else ""
        # `locked candidates` stands for pointing and claiming, too.
        if technique is not None and technique not in (name, name.partition(" (")[0]):
            return
        steps.append(step)
        if jsonl:
            print_part(_json(step))
        elif not as_json:
            click.echo(f"{number:>3}. {step}")

    line, interrupted = ProgressLine(not (as_json or jsonl)), False
    stream = explain_puzzle(puzzle, limits=Limits(seconds=given["time_limit"]), on_progress=of_steps(line))
    with stream:
        try:
            for step in stream if cell is None else leading_to(stream, cell):
                show(step)
                if only_next and steps and cell is None:
                    break
        except KeyboardInterrupt:
            stream.interrupted()
            interrupted = True
    line.clear()
    if as_json:
        found = [_json(step) for step in steps]
        print_json({"puzzle": given["puzzle"], "steps": found, "complete": stream.complete, "limit": stream.limit})
    elif not jsonl:
        if technique is not None and not steps:
            click.echo(f"no step is by {technique}")
        partly = only_next or cell is not None or technique is not None
        _end(puzzle, steps, stream.complete, stream.limit, partly=partly)
    ctx.exit(exit_code(stream.complete or bool(steps), interrupted=interrupted))


def _json(step: Step) -> dict[str, Any]:
    return {**step.to_json(), "sentence": str(step)}


def _technique(word: str) -> str:
    """The name of a technique, with its capitals."""
    from bridge.puzzles.explain.techniques import NAMES

    for name in NAMES:
        if word.strip().lower() == name.lower():
            return name
    raise InputError(f"there is no technique {word!r}", hint=f"one of: {', '.join(NAMES)}")


def _end(puzzle: Puzzle, shown: list[Step], complete: bool, limit: LimitName | None, *, partly: bool) -> None:
    from bridge.puzzles.names import rule_sentences

    if shown and len(shown) <= FEW:
        click.echo("\nThe rules named here:")
        for line in rule_sentences(puzzle, [name for step in shown for name in step.rules]):
            click.echo(f"  {line}")
    values = {**puzzle.clues(), **{fact.cell: fact.value for step in shown for fact in step.new if fact.holds}}
    if limit is not None:
        click.echo(f"\nstopped by {LIMITS[limit]} after {len(shown)} steps")
    if not partly:
        click.echo(f"\n{puzzle.draw(puzzle.solution(values))}")
        if complete and len(values) < len(puzzle.cells()):
            click.echo("\nThe open cells differ between solutions: see `lpbridge puzzle diagnose`.")
