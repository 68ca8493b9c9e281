"""`lpbridge batch`: one command on many instances of a program; how a batch runs, with its progress."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING, Any

import click

from bridge.cli.instances import constants_option
from bridge.cli.programs import REST, WithRest, confinement, limits_of, process_options
from bridge.cli.shared import JOBS, MANY, ProgressLine, output_option
from bridge.common.languages import language_of_path
from bridge.errors import BridgeError, InputError
from bridge.limits import Limits

if TYPE_CHECKING:
    from bridge.batching.programs import ProgramJob

#: Seconds between two reports.
OFTEN = 0.5


@click.command(cls=WithRest)
@click.argument("command", type=click.Choice(["run", "check", "count", "diagnose", "test"]), metavar="COMMAND")
@click.argument("encoding", metavar="ENCODING")
@click.argument("instances", nargs=-1, required=True, metavar="INSTANCE...")
@click.option("--with", "more", multiple=True, metavar="FILE", help="Another file of the encoding.")
@click.option("-g", "--goal", metavar="TEXT", help="Of a Prolog program: the query, which every instance is asked.")
@constants_option()
@output_option("RESULTS", "The results: lines, packed if it ends in .gz; a table if in .parquet. [default: -]", "-")
@click.option("--resume", is_flag=True, help="Go on with the results of an interrupted run.")
@click.option("-j", "--jobs", type=JOBS, help="Worker processes; one for each core without it.")
@click.option("--ordered/--unordered", default=True,
              help="Results in the order of the instances, or as they are ready.")
@click.option("--scheduler", metavar="ADDRESS", help="Use a Dask cluster: tcp://HOST:8786; it needs the same files.")
@click.option("-n", "--models", type=MANY, default=1, show_default=True, help="Of `run`: how many; 0: all.")
@process_options(10, "each instance")
@click.pass_context
def batch(ctx: click.Context, /, command: str, encoding: str, instances: tuple[str, ...], **given: Any) -> None:
    """Run one COMMAND (run, check, count, diagnose, test) on every INSTANCE of a program.

    An INSTANCE is an .lp file (with --goal: a .pl file), a folder of them, or a file with the facts of one instance in
    each line. Each result is a line of JSON: `index` (from 1), `file`, `line`, and what COMMAND says, with its verdict
    and statistics, or `error`: an instance that is wrong, comes to a limit, or ends its process is a result as any
    other. Of `test`, an INSTANCE is a file of tests. After an interruption of any kind --resume goes on: no result is
    repeated or left out. If RESULTS ends in .parquet, they become a table when all are there; it needs the extra
    `tables`. Words after -- are options of clingo.

    \b
    lpbridge batch check encoding.lp instances/ -o verdicts.jsonl
    lpbridge batch run encoding.lp a.lp b.lp -n 0 | jq .models
    lpbridge batch diagnose encoding.lp instances/ -o why.jsonl -t 60 --resume
    lpbridge batch run encoding.lp instances/ -o jumpy.parquet -- --configuration=jumpy
    lpbridge batch run rooms.pl weeks/ --goal 'rooms(X, Y)' -o rooms.jsonl
    """
    from bridge.batching.parquet import results_in
    from bridge.batching.programs import ProgramJob, program_items
    from bridge.cli.forms import LINES
    from bridge.cli.schemas import columns

    limits = limits_of(given)
    constants = dict(given["constants"])
    if several := next((name for name, value in constants.items() if isinstance(value, range)), None):
        raise InputError(f"{several} has several values", hint="a batch has one: -c n=4")
    goal, options = given["goal"], tuple(ctx.meta[REST])
    if (language_of_path(encoding) == "prolog") != (goal is not None):
        raise InputError("a goal is of a Prolog program, and a Prolog program needs one", hint="--goal 'rooms(X, Y)'")
    only = {"`batch test`": command == "test", "--const": constants, "--": options, "--memory": limits.memory}
    if goal is not None and (wrong := next(filter(only.get, only), None)):
        raise InputError(f"{wrong} is for clingo programs", hint="a Prolog program takes run, check, count, diagnose")
    solutions = (given["models"] or None) if command == "run" else None
    job = ProgramJob(
        command,  # type: ignore[arg-type]
        (encoding, *given["more"]),
        constants,
        Limits(seconds=limits.seconds, solutions=solutions),
        confinement(given),
        limits.memory,
        options,
        goal,
    )
    suffix = ".lp" if goal is None else ".pl"
    _readable(job)
    number = sum(1 for _ in program_items(instances, suffix))
    question = _question(job, instances, given["ordered"])
    results = results_in(given["output"], question, columns(LINES[f"batch {command}"].objects), resume=given["resume"])
    before = len(results.done)
    share = lambda progress: (before + progress.number) / max(number, 1)  # noqa: E731
    run_batch(ctx, job, program_items(instances, suffix), results, share, first=1)


def _readable(job: ProgramJob) -> None:
    """Raise what is wrong with the program before anything is done."""
    from bridge.batching.programs import problem_of

    problem = problem_of(replace(job, constants={}))
    if job.goal is not None:
        problem.read()
        return
    for name in job.constants:
        if not problem.backend.has_constant(name):
            from bridge.asp.given import unknown_constant

            raise unknown_constant(name, list(problem.outline.constants))
    assert problem.outline is not None


def _question(job: ProgramJob, instances: tuple[str, ...], ordered: bool) -> dict[str, Any]:
    """The question that the results answer. The number of workers is not part of it."""
    packed = job.pack()
    return {**packed, "limits": list(packed["limits"]), "ordered": ordered, "instances": list(instances)}


def run_batch(ctx: click.Context, job: Any, items: Iterable[Any], results: Any,
              share: Callable[[BatchProgress], float | None],
              failed: Callable[[BridgeError], object] = lambda error: None, **how: Any) -> None:
    """Write the answers about the items that the results do not have yet; `failed` is called with an error first."""
    from bridge.batching.flow import answered, executor_for

    progress = BatchProgress(len(results.done), lambda: share(progress))
    try:
        todo = (item for item in items if item[0] not in results.done)
        with executor_for(job, ctx.params["jobs"], ctx.params["scheduler"]) as executor:
            for lines, number in answered(todo, executor, ordered=ctx.params["ordered"], **how):
                results.write(lines)
                progress.tell(number)
        results.complete()
    except KeyboardInterrupt:
        progress.end("interrupted" + ("; --resume goes on" if results.lasting else ""))
        ctx.exit(130)
    except BridgeError as error:
        progress.end("stopped")
        failed(error)
        raise
    finally:
        results.close()
    progress.end("done")


class BatchProgress:
    """The progress, on one line of a terminal; nothing if stderr is not a terminal.

    `before` is how many results were there, `share` which share of the input was read; None where that is not known.
    """

    def __init__(self, before: int, share: Callable[[], float | None]) -> None:
        self._share = share
        self._before = before
        self.number = 0
        self._started = self._said = monotonic()
        self._line = ProgressLine()

    def tell(self, number: int) -> None:
        """Count further results."""
        self.number += number
        if monotonic() - self._said >= OFTEN:
            self._said = monotonic()
            self._line.show(", ".join(self._parts()))

    def end(self, how: str) -> None:
        if self._line.shown:
            seconds = monotonic() - self._started
            self._line.clear()
            click.echo(f"{how}: {', '.join([*self._parts(left=False), f'{seconds:.1f} s'])}", err=True)

    def _parts(self, left: bool = True) -> Iterator[str]:
        seconds = max(monotonic() - self._started, 1e-9)
        yield f"{self._before + self.number:,} results"
        if self._before:
            yield f"{self._before:,} of them from before"
        yield f"{self.number / seconds:,.0f} a second"
        share = self._share() if left else None
        if share:
            # Results from an earlier run took no time in this one.
            whole = (self._before + self.number) / share
            yield f"{_clock((whole - self._before - self.number) * seconds / max(self.number, 1))} left"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
