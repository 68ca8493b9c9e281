"""Jobs about clingo programs: an encoding, and the facts of each instance."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field, fields
from os import PathLike
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

from bridge.batching.flow import answered, executor_for
from bridge.batching.items import Chunk, Item, kept, line_of
from bridge.errors import InputError
from bridge.limits import Limits
from bridge.problem.asp import AspProblem

if TYPE_CHECKING:
    from distributed import Client

Command = Literal["run", "check", "count", "diagnose", "test"]
COMMANDS: tuple[Command, ...] = get_args(Command)

#: Of each instance.
LIMITS = Limits(seconds=10.0, solutions=1)


@dataclass(frozen=True, slots=True)
class ProgramJob:
    """The question put to every instance.

    Attributes
    ----------
    command
        `run`: answer sets; `check`: the verdict; `count`; `diagnose`: what clashes, what is open; `test`: the tests of
        each file, with those of the encoding.
    sources
        The files of the encoding, or their text. Files are read by the workers.
    constants
        Values of constants.
    limits
        On each instance; `solutions` is that of `run`.
    confinement
        `untrusted` and `allow_missing_walls`, as `bridge.AspProblem` takes them.
    memory
        Bytes for each instance.
    """

    module: ClassVar[str] = __name__

    command: Command
    sources: tuple[str, ...]
    constants: Mapping[str, Any] = field(default_factory=dict)
    limits: Limits = LIMITS
    confinement: Mapping[str, bool] = field(default_factory=dict)
    memory: int | None = None

    def pack(self) -> dict[str, Any]:
        """The job as plain data."""
        plain = {one.name: getattr(self, one.name) for one in fields(self)}
        return plain | {
            "sources": list(self.sources),
            "constants": dict(self.constants),
            "limits": astuple(self.limits),
            "confinement": dict(self.confinement),
        }


def begin() -> None:
    """See `bridge.batching.items.Answering`."""


def unpack(data: dict[str, Any]) -> ProgramJob:
    """See `bridge.batching.items.Answering`."""
    return ProgramJob(**{**data, "sources": tuple(data["sources"]), "limits": Limits(*data["limits"])})


def answers(job: ProgramJob, chunk: Chunk) -> tuple[bytes, float]:
    """See `bridge.batching.items.Answering`."""
    started = perf_counter()
    lines = [line_of(item, kept(_answer, job, item)) for item in chunk]
    return "".join(lines).encode(), perf_counter() - started


def _answer(job: ProgramJob, item: Item) -> dict[str, Any]:
    _, file, _, form, content = item
    source = Path(file) if form == "file" and file is not None else str(content)
    constants, confinement = dict(job.constants), dict[str, Any](job.confinement)
    facts = () if job.command == "test" else (source,)
    problem = AspProblem(*job.sources, *facts, constants=constants, memory=job.memory, **confinement)
    if job.command == "test":
        return _test(problem, source, job.limits)
    return _COMMANDS[job.command](problem, job.limits)


def _test(encoding: AspProblem, tests: Path | str, limits: Limits) -> dict[str, Any]:
    from bridge.debugging.testing import test

    return test(encoding, [tests], limits=_without_solutions(limits)).to_json()


def _run(problem: AspProblem, limits: Limits) -> dict[str, Any]:
    from bridge.analysis.ask import solutions

    found = solutions(problem, limits=limits).collect()
    costs = [list(one.cost) for one in found.solutions]
    return {
        "models": [str(one).split("\n")[0].split() for one in found.solutions],
        "costs": costs if any(costs) else None,
        "complete": found.complete,
        "limit": found.limit,
    }


def _check(problem: AspProblem, limits: Limits) -> dict[str, Any]:
    from bridge.analysis.ask import check

    return check(problem, limits=_without_solutions(limits), residual="none").to_json()


def _count(problem: AspProblem, limits: Limits) -> dict[str, Any]:
    from bridge.analysis.ask import count

    return count(problem, limits=_without_solutions(limits)).to_json()


def _diagnose(problem: AspProblem, limits: Limits) -> dict[str, Any]:
    from bridge.analysis.ask import diagnose

    return diagnose(problem, limits=_without_solutions(limits)).to_json()


def _without_solutions(limits: Limits) -> Limits:
    return Limits(seconds=limits.seconds)


_COMMANDS: Mapping[str, Callable[[AspProblem, Limits], dict[str, Any]]] = {
    "run": _run, "check": _check, "count": _count, "diagnose": _diagnose,
}  # fmt: skip


def instance_files(given: Sequence[str | PathLike[str]]) -> Iterator[tuple[str, int | None, str, Any]]:
    """The instances: `.lp` files, those of folders in the order of their names, and lines of `.facts` files.

    Raises
    ------
    InputError
        There is no such file.
    """
    for one in map(Path, given):
        if one.is_dir():
            yield from ((str(path), None, "file", None) for path in sorted(one.glob("*.lp")))
        elif not one.is_file():
            raise InputError(f"{one}: no such file", hint="check the path")
        elif one.suffix == ".lp":
            yield str(one), None, "file", None
        else:
            with one.open(encoding="utf-8", errors="replace") as file:
                for number, line in enumerate(file, 1):
                    if line.strip():
                        yield str(one), number, "text", line


def program_items(given: Sequence[str | PathLike[str]]) -> Iterator[Item]:
    """The instances as items."""
    for index, (file, line, form, content) in enumerate(instance_files(given), 1):
        yield index, file, line, form, content


def program_batch(
    job: ProgramJob,
    instances: Sequence[str | PathLike[str]],
    *,
    jobs: int | None = None,
    ordered: bool = True,
    scheduler: str | Client | None = None,
) -> Iterator[dict[str, Any]]:
    """The results of a command on many instances of a program, as dictionaries.

    Parameters
    ----------
    job
        The question.
    instances
        Files, or folders.
    jobs
        Worker processes; by default one for each core.
    ordered
        Whether results come in the order of the instances.
    scheduler
        A Dask cluster to use in place of this machine.
    """
    from json import loads

    with executor_for(job, jobs, scheduler) as executor:
        for lines, _ in answered(program_items(instances), executor, ordered=ordered, first=1):
            yield from map(loads, lines.splitlines())
