"""Batches: one command on many instances, with all cores or a cluster.

    for result in bridge.puzzles.batch("sudoku", "check", ["puzzles.txt"]):
        print(result["index"], result.get("verdict", result.get("error")))

How the instances flow to the workers and their results back, is `bridge.batching.flow`'s.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import count
from os import PathLike
from typing import TYPE_CHECKING, Any

from bridge.batching import Item, answered, executor_for
from bridge.common import public
from bridge.errors import InputError, UnsupportedError
from bridge.limits import Limits, takes_limits
from bridge.outcome import OnProgress, Progress, Stream
from bridge.puzzles.batching.input import Source, instances
from bridge.puzzles.batching.jobs import COMMANDS, WITH_ENGINE, Command, Job, puzzle_item
from bridge.puzzles.kinds import Puzzle, puzzle_class
from bridge.puzzles.kinds.options import read_options

if TYPE_CHECKING:
    from distributed import Client

    from bridge.analysis import Which

#: The default limits of a batch: `solve` finds one solution.
LIMITS = Limits(solutions=1)

Result = dict[str, Any]


def make_job(
    kind: str,
    command: str,
    *,
    engine: str = "asp",
    limits: Limits = LIMITS,
    options: Mapping[str, str] | None = None,
    residual: Which | None = None,
    propagation: str | None = None,
    until: float | None = None,
) -> Job:
    """The job of a batch, checked before anything is done."""
    options = dict(options or {})
    cls = puzzle_class(kind)
    if command not in COMMANDS:
        raise InputError(f"there is no batch of {command!r}", hint=f"one of: {', '.join(COMMANDS)}")
    if command in WITH_ENGINE:
        from bridge.puzzles.engines import engine as engine_of

        engine = engine_of(engine).name
    elif engine != "asp":
        raise InputError(f"{command} asks no engine", hint="leave the engine out")
    if command != "solve":
        if limits.solutions != LIMITS.solutions and limits.solutions is not None:
            raise UnsupportedError(f"a batch of {command} has no limit on solutions", hint="`solve` has")
        limits = replace(limits, solutions=None)
    if command == "check":
        from bridge.analysis import check_which
        from bridge.puzzles.analysis.check import propagating_engine
        from bridge.puzzles.engines import engine as engine_of

        residual = residual or ("exact" if propagation is None else "both")
        check_which(residual)
        propagation = propagation and propagating_engine(engine_of(engine), propagation).name
    elif residual is not None or propagation is not None:
        what = "propagation" if residual is None else "residual"
        raise UnsupportedError(f"a batch of {command} has no {what}", hint="`check` has")
    read = read_options(kind, cls.options, options)
    return Job(kind, command, engine, limits, options, read, residual or "both", propagation, until)


@public("bridge.puzzles")
@takes_limits("seconds", "solutions", "nodes")
def batch(
    kind: str,
    command: Command,
    puzzles: Iterable[Puzzle | str | PathLike[str]] | str | PathLike[str],
    *,
    engine: str = "asp",
    limits: Limits = LIMITS,
    on_progress: OnProgress | None = None,
    jobs: int | None = None,
    ordered: bool = True,
    scheduler: str | Client | None = None,
    residual: Which | None = None,
    propagation: str | None = None,
    **options: str,
) -> Stream[Result]:
    """The results of one command on many instances.

    Parameters
    ----------
    kind
        The name of the puzzle.
    command
        `check`, `solve`, `count`, `grade` or `diagnose`.
    puzzles
        Instances, or files with instances (see `bridge.puzzles.batching.input`), or both. They are taken as they are
        needed: a generator may be infinite.
    engine
        The engine of `check`, `solve` and `count`.
    limits
        The limits on each instance, as the command takes them. `solutions` is that of `solve`: `Limits(seconds=5)`
        finds all.
    on_progress
        Called about once a second, while the stream is read, with the number of results and the seconds so far.
    jobs
        Worker processes on this machine; by default one for each core.
    ordered
        Whether results come in the order of the instances; otherwise in the order in which they are ready.
    scheduler
        A Dask cluster to use in place of this machine: the address of its scheduler, or a `distributed.Client`.
    residual
        Of `check`: which residuals of ambiguous puzzles are computed, `both`, `exact`, `propagated` or `none`; by
        default `exact`, or `both` with `propagation`. SWI-Prolog's propagation costs a hundred times what the verdict
        does. What was not computed is None in their results.
    propagation
        Of `check`: the engine of the propagated residual, such as `mac` (see `bridge.check`).
    options
        Options that a text does not contain, such as `box="2x3"`.

    Returns
    -------
    A dictionary for each instance, as `lpbridge puzzle batch` prints it: `index` (from 1), `file` and `line` (None for
    a puzzle that is not from a file), and what the command prints with `--json`, or `error`.

    Raises
    ------
    InputError
        When a parameter or a file is wrong; in the iteration, after the results of what could be read, when a file is
        damaged. A wrong instance is not an exception: its result has `error`.
    SolverError
        In the iteration, when no worker can be started, or the connection to the cluster is lost.
    UnsupportedError, MissingSolverError
        When the cluster's workers have other versions than this machine, or Dask is not installed.
    """
    how: dict[str, Any] = {"residual": residual, "propagation": propagation}
    job = make_job(kind, command, engine=engine, limits=limits, options=options, **how)
    given = [puzzles] if isinstance(puzzles, str | PathLike) else puzzles

    def items() -> Iterator[Item]:
        index = count(1)
        for one in given:
            if isinstance(one, Puzzle):
                yield puzzle_item(next(index), kind, one)
            else:
                for instance in instances(kind, Source(one)):
                    yield next(index), *instance

    def results(progress: Progress) -> Iterator[Result]:
        with executor_for(job, jobs, scheduler) as executor:
            for lines, _ in answered(items(), executor, ordered=ordered):
                yield from map(json.loads, lines.splitlines())
        progress.complete = True

    return Stream(results, on_progress=on_progress)
