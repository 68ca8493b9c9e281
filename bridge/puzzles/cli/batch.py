"""`batch`: one command on many puzzles."""

from __future__ import annotations

from typing import Any

import click

from bridge.cli.kit import JOBS, MANY, output_option, run_batch, time_option
from bridge.errors import BridgeError
from bridge.limits import Limits
from bridge.puzzles.cli.options import engine_option, kind_argument, puzzle_option, residual_options


@click.command()
@click.argument("command", type=click.Choice(["check", "solve", "count", "grade", "diagnose"]), metavar="COMMAND")
@kind_argument
@click.argument("files", nargs=-1, required=True, type=click.Path(allow_dash=True), metavar="FILE...")
@output_option("RESULTS", "The results: lines, packed if it ends in .gz; a table if in .parquet. [default: -]", "-")
@click.option("--resume", is_flag=True, help="Go on with the results of an interrupted run.")
@click.option("-j", "--jobs", type=JOBS, help="Worker processes; one for each core without it.")
@click.option("--ordered/--unordered", default=True, help="Results in the order of the puzzles, or as they are ready.")
@click.option("--scheduler", metavar="ADDRESS", help="Use a Dask cluster: tcp://HOST:8786 (see docs/scaling.md).")
@click.option("-n", "--solutions", type=MANY, default=1, show_default=True, help="Of `solve`: how many; 0: all.")
@puzzle_option
@engine_option("asp")
@residual_options("Of `check`: ", default=None)
@time_option(None, "each puzzle")
@click.pass_context
def batch(ctx: click.Context, /, command: str, puzzle: str, files: tuple[str, ...], **given: Any) -> None:
    """Run one COMMAND (check, solve, count, grade, diagnose) on every PUZZLE in FILEs.

    A FILE of any length has one puzzle in each line: 81 characters of a Sudoku, a row of a CSV file, or JSON; or it has
    one puzzle in its text form. `lpbridge puzzle convert` makes JSON of other formats. FILE may be packed by gzip. Each
    result is a line of JSON: `index` (from 1), `file`, `line`, and what COMMAND prints with --json. The result of a
    wrong puzzle has `error`, and the batch goes on.

    After an interruption of any kind, --resume goes on: no result is repeated or left out. The file RESULTS.run, beside
    the results, describes the question that they answer. If RESULTS ends in .parquet, they become a table when all are
    there; it needs the extra `tables`.

    \b
    lpbridge puzzle batch check sudoku puzzles.txt -o results.jsonl
    lpbridge puzzle batch check sudoku puzzles.txt -o verdicts.jsonl --residual none
    lpbridge puzzle batch grade takuzu puzzles.jsonl.gz -o grades.jsonl.gz --unordered --jobs 8
    """
    from bridge.batching import results_in
    from bridge.cli.kit import columns
    from bridge.puzzles.batching.batch import make_job
    from bridge.puzzles.batching.input import Source, items, same_input, share_read
    from bridge.puzzles.cli.forms import LINES

    solutions = given["solutions"] or None if command == "solve" else None
    how = {name: given[name] for name in ("engine", "residual", "propagation")}
    limits = Limits(seconds=given["time_limit"], solutions=solutions)
    job = make_job(puzzle, command, limits=limits, options=dict(given["options"]), **how)
    sources = [Source(file) for file in files]

    def question() -> dict[str, Any]:
        """The question that the results answer. The number of workers is not part of it."""
        # Only where they are set: runs of earlier versions have neither.
        residuals = {"residual": None if job.residual == "both" else job.residual, "propagation": job.propagation}
        return {name: value for name, value in residuals.items() if value} | {
            "puzzle": job.kind,
            "command": job.command,
            "engine": job.engine,
            "seconds": job.limits.seconds,
            "solutions": job.limits.solutions,
            "options": dict(job.options),
            "ordered": given["ordered"],
            "input": [source.identity for source in sources],
        }

    def failed(error: BridgeError) -> None:
        if any(source.damage for source in sources):
            results.note(question())
            if results.lasting:
                error.hint = "what was readable is answered: --resume goes on with the whole file"

    same = {"input": lambda before: same_input(before, sources)}
    keys = columns(LINES[f"puzzle batch {command}"].objects)
    results = results_in(given["output"], question(), keys, same=same, resume=given["resume"])
    run_batch(ctx, job, items(puzzle, sources), results, lambda progress: share_read(sources), failed)
