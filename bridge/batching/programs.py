"""Jobs about programs: an encoding, or a Prolog program with a goal, and the facts of each instance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field, fields
from itertools import count as numbers
from os import PathLike
from pathlib import Path
from time import perf_counter
from typing import Any, ClassVar, Literal, get_args

from bridge.as_json import Json
from bridge.batching.items import Chunk, Item, kept, line_of
from bridge.errors import InputError
from bridge.limits import Limits
from bridge.problem.asp import AspProblem

Command = Literal["run", "check", "count", "diagnose", "test"]
COMMANDS: tuple[Command, ...] = get_args(Command)

#: Of each instance.
LIMITS = Limits(seconds=10.0, solutions=1)


@dataclass(frozen=True, slots=True)
class ProgramJob:
    """The question put to every instance."""

    module: ClassVar[str] = __name__

    #: `run`: answer sets; `check`: the verdict; `count`; `diagnose`: what clashes, what is open; `test`: the tests of
    #: each file, with those of the encoding.
    command: Command
    #: The files of the encoding, or their text. Files are read by the workers.
    sources: tuple[str, ...]
    constants: Mapping[str, Any] = field(default_factory=dict)
    #: On each instance; `solutions` is that of `run`.
    limits: Limits = LIMITS
    #: `untrusted` and `allow_missing_walls`, as `bridge.AspProblem` takes them.
    confinement: Mapping[str, bool] = field(default_factory=dict)
    #: Bytes for each instance.
    memory: int | None = None
    #: Options of clingo, as `asp.Program` takes them.
    options: tuple[str, ...] = ()
    #: Of a Prolog program: the goal, which is asked of every instance.
    goal: str | None = None

    def pack(self) -> dict[str, Any]:
        """The job as plain data."""
        plain = {one.name: getattr(self, one.name) for one in fields(self)}
        return plain | {
            "sources": list(self.sources),
            "options": list(self.options),
            "constants": dict(self.constants),
            "limits": astuple(self.limits),
            "confinement": dict(self.confinement),
        }


def begin() -> None:
    """See `bridge.batching.items.Answering`."""


def unpack(data: dict[str, Any]) -> ProgramJob:
    """See `bridge.batching.items.Answering`."""
    known = {"sources": tuple(data["sources"]), "options": tuple(data["options"])}
    return ProgramJob(**{**data, **known, "limits": Limits(*data["limits"])})


def answers(job: ProgramJob, chunk: Chunk) -> tuple[bytes, float]:
    """See `bridge.batching.items.Answering`."""
    started = perf_counter()
    lines = [line_of(item, kept(_answer, job, item)) for item in chunk]
    return "".join(lines).encode(), perf_counter() - started


def _answer(job: ProgramJob, item: Item) -> dict[str, Any]:
    _, file, _, form, content = item
    source = Path(file) if form == "file" and file is not None else str(content)
    limits = Limits(seconds=job.limits.seconds)
    problem = problem_of(job, () if job.command == "test" else (source,))
    if job.command == "test":
        from bridge.debugging.testing import test

        return test(problem, [source], limits=limits).to_json()
    if job.command == "run":
        return _run(problem, job)
    from bridge.analysis.ask import check, count, diagnose

    found: Json
    if job.command == "check":
        found = check(problem, limits=limits, residual="none")
    else:
        found = (count if job.command == "count" else diagnose)(problem, limits=limits)
    return found.to_json()


def problem_of(job: ProgramJob, facts: Sequence[str | Path] = ()) -> Any:
    """The encoding with the facts of an instance: an AspProblem, or a PrologProblem where there is a goal."""
    confinement = dict[str, Any](job.confinement)
    if job.goal is None:
        return AspProblem(*job.sources, *facts, constants=dict(job.constants), options=job.options, memory=job.memory,
                          **confinement)
    from bridge.problem.prolog import PrologProblem

    return PrologProblem([*job.sources, *facts], job.goal, **confinement)


def _run(problem: Any, job: ProgramJob) -> dict[str, Any]:
    from bridge.analysis.ask import solutions

    found = solutions(problem, limits=job.limits).collect()
    verdict = "satisfiable" if len(found.solutions) > found.undefined else "unknown"
    if verdict == "unknown" and found.complete and not found.undefined:
        verdict = "unsatisfiable"
    end = {"complete": found.complete, "limit": found.limit, "statistics": found.statistics.to_json()}
    if not isinstance(problem, AspProblem):
        return {"verdict": verdict, "answers": [str(one) for one in found.solutions], **end}
    costs = [list(one.cost) for one in found.solutions]
    models = [str(one).split("\n")[0].split() for one in found.solutions]
    return {"verdict": verdict, "models": models, "costs": costs if any(costs) else None, **end}


def program_items(given: Sequence[str | PathLike[str]], suffix: str = ".lp") -> Iterator[Item]:
    """The instances: files with this suffix, those of folders in the order of their names, and lines of other files."""
    number = numbers(1)
    for one in map(Path, given):
        if one.is_dir():
            yield from ((next(number), str(path), None, "file", None) for path in sorted(one.glob(f"*{suffix}")))
        elif not one.is_file():
            raise InputError(f"{one}: no such file", hint="check the path")
        elif one.suffix == suffix:
            yield next(number), str(one), None, "file", None
        else:
            with one.open(encoding="utf-8", errors="replace") as file:
                for line_number, line in enumerate(file, 1):
                    if line.strip():
                        yield next(number), str(one), line_number, "text", line
