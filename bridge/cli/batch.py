"""`batch`: one question to many puzzles."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any

import click

from bridge.cli.options import JOBS, MANY, engine_option, kind_argument, puzzle_option, time_option
from bridge.errors import BridgeError

if TYPE_CHECKING:
    from bridge.batches.input import Source
    from bridge.batches.jobs import Job
    from bridge.batches.output import Results

#: Seconds between two looks at how far it is.
OFTEN = 0.5


@click.command()
@click.argument("command", type=click.Choice(["check", "solve", "count", "grade", "diagnose"]), metavar="COMMAND")
@kind_argument
@click.argument("files", nargs=-1, required=True, type=click.Path(allow_dash=True), metavar="FILE...")
@click.option(
    "-o",
    "--output",
    type=click.Path(allow_dash=True),
    default="-",
    metavar="RESULTS",
    help="Where the results go, a line each; packed when its name ends in .gz. Without it, standard output.",
)
@click.option("--resume", is_flag=True, help="Go on with the results of a run that was ended.")
@click.option("-j", "--jobs", type=JOBS, help="Worker processes; one for each core without it.")
@click.option("--ordered/--unordered", default=True, help="Results in the order of the puzzles, or as they are done.")
@click.option("--scheduler", metavar="ADDRESS", help="Let a Dask cluster work: tcp://HOST:8786 (see docs/scaling.md).")
@click.option("-n", "--solutions", type=MANY, default=1, show_default=True, help="Of `solve`: how many; 0: all.")
@partial(puzzle_option, names=("--option",))
@engine_option("asp")
@time_option(None, "each puzzle")
@click.pass_context
def batch(
    ctx: click.Context,
    command: str,
    puzzle: str,
    files: tuple[str, ...],
    output: str,
    resume: bool,
    jobs: int | None,
    ordered: bool,
    scheduler: str | None,
    solutions: int,
    options: tuple[tuple[str, str], ...],
    engine: str,
    time_limit: float | None,
) -> None:
    """Put one COMMAND (check, solve, count, grade, diagnose) to every PUZZLE in FILEs.

    A FILE of any length holds a puzzle a line: 81 characters of a Sudoku, or JSON; or one puzzle in any other form. It
    may be packed by gzip. Each result is a line of JSON: `index` (from 1), `file`, `line`, and what COMMAND prints
    under --json. A puzzle that is wrong has `error` there, and is not the end.

    A run that was ended, however it was, goes on with --resume: nothing comes twice, and nothing is left out. Beside
    the results lies RESULTS.run, which says what they answer.

    \b
    lpbridge batch check sudoku puzzles.txt -o results.jsonl
    lpbridge batch grade takuzu puzzles.jsonl.gz -o grades.jsonl.gz --unordered --jobs 8
    """
    from bridge.batches.batch import answered, crew_for, make_job
    from bridge.batches.input import Source, items, same_input
    from bridge.batches.output import Results

    job = make_job(
        puzzle, command, engine=engine, seconds=time_limit, solutions=solutions or None, options=dict(options)
    )
    sources = [Source(file) for file in files]
    same = {"input": lambda before: same_input(before, sources)}
    results = Results(output, _run(job, sources, ordered), same=same, resume=resume)
    progress = _Progress(sources, results)
    try:
        todo = (item for item in items(puzzle, sources) if item[0] not in results.done)
        with crew_for(job, jobs, scheduler) as crew:
            for lines, number in answered(todo, crew, ordered=ordered):
                results.write(lines)
                progress.tell(number)
    except KeyboardInterrupt:
        progress.end("interrupted" + ("; --resume goes on" if results.lasting else ""))
        ctx.exit(130)
    except BridgeError as error:
        progress.end("stopped")
        if any(source.damage for source in sources):
            results.note(_run(job, sources, ordered))
            if results.lasting:
                error.hint = "what was readable is answered: --resume goes on with the whole file"
        raise
    finally:
        results.close()
    progress.end("done")


def _run(job: Job, sources: list[Source], ordered: bool) -> dict[str, Any]:
    """What the results answer. Who works on it, and how many, is not part of it."""
    return {
        "puzzle": job.kind,
        "command": job.command,
        "engine": job.engine,
        "seconds": job.seconds,
        "solutions": job.solutions if job.command == "solve" else None,
        "options": dict(job.options),
        "ordered": ordered,
        "input": [source.identity for source in sources],
    }


class _Progress:
    """How far it is, on one line of a terminal; nothing where there is none."""

    def __init__(self, sources: list[Source], results: Results) -> None:
        self._sources = sources
        self._before = len(results.done)
        self._number = 0
        self._started = self._said = monotonic()
        self._shown = sys.stderr.isatty()

    def tell(self, number: int) -> None:
        """So many more are done."""
        self._number += number
        if self._shown and monotonic() - self._said >= OFTEN:
            self._said = monotonic()
            click.echo(f"\r\033[K{', '.join(self._parts())}", nl=False, err=True)

    def end(self, how: str) -> None:
        """There are no more."""
        if self._shown:
            seconds = monotonic() - self._started
            click.echo(f"\r\033[K{how}: {', '.join([*self._parts(left=False), f'{seconds:.1f} s'])}", err=True)

    def _parts(self, left: bool = True) -> Iterator[str]:
        from bridge.batches.input import share_read

        seconds = max(monotonic() - self._started, 1e-9)
        yield f"{self._before + self._number:,} results"
        if self._before:
            yield f"{self._before:,} of them from before"
        yield f"{self._number / seconds:,.0f} a second"
        share = share_read(self._sources) if left else None
        if share:
            # What was done before took no time now.
            whole = (self._before + self._number) / share
            yield f"{_clock((whole - self._before - self._number) * seconds / max(self._number, 1))} left"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
