"""What a batch does with one instance.

- A **job** is the question: which puzzle, which command, whose engine. It is the same for every instance.
- An **item** is one instance on its way to whoever answers: its number, where it stands, and its text.
- A **chunk** is some items that travel together, and a **line** is the answer to one: a JSON object.

The one idea: an item in, a line out, and never an exception. What is wrong with an instance is its answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter, time
from typing import Any, Literal, cast, get_args

from bridge.errors import BridgeError, InputError, Place, SolverError
from bridge.limits import Limits
from bridge.puzzles import Puzzle, puzzle_class
from bridge.puzzles.json_places import load_json, placed
from bridge.strict_json import dumps

Command = Literal["check", "solve", "count", "grade", "diagnose"]
COMMANDS: tuple[Command, ...] = get_args(Command)

#: The commands that an engine is chosen for.
WITH_ENGINE: frozenset[Command] = frozenset({"check", "solve", "count"})

#: What an item holds: a line of a text with a puzzle a line (and the header of that text, before it), an object of
#: JSON as text, the text of a whole file, a puzzle, or an error.
Form = Literal["line", "json", "text", "puzzle", "error"]
#: Its number from 1, its file and line where it has them, its form, and what it holds. Plain data but for a puzzle.
Item = tuple[int, str | None, int | None, Form, Any]
Chunk = Sequence[Item]


@dataclass(frozen=True, slots=True)
class Job:
    """What is asked of every instance.

    Attributes
    ----------
    kind
        The name of the puzzle.
    command
        What to do with it.
    engine
        Who does it, for `check`, `solve` and `count`.
    seconds
        The time limit of each instance, with the meaning that it has for the command.
    solutions
        How many solutions `solve` finds; None for all.
    options
        What the text does not say.
    read
        The same as keys of the JSON form: read once, and sent along, so that no worker needs a file.
    until
        When everything has to be over, in seconds since 1970; None for never.
    """

    kind: str
    command: Command
    engine: str = "asp"
    seconds: float | None = None
    solutions: int | None = 1
    options: Mapping[str, str] = field(default_factory=dict)
    read: Mapping[str, Any] = field(default_factory=dict)
    until: float | None = None


def answers(job: Job, chunk: Chunk) -> tuple[bytes, float]:
    """The lines of a chunk, in its order, each with its line break; and the seconds that they took.

    All are read, then all are answered, then all are written: what does the same thing again finds its code and data
    where it left them, which a solver in between does not leave there.
    """
    started = perf_counter()
    puzzles = [_kept(puzzle_of, job, item) for item in chunk]
    command = _COMMANDS[job.command]
    found = [_kept(command, job, puzzle) if isinstance(puzzle, Puzzle) else puzzle for puzzle in puzzles]
    lines = "".join([_line(item, told) for item, told in zip(chunk, found, strict=True)])
    return lines.encode(), perf_counter() - started


def _kept(do: Callable[[Job, Any], Any], job: Job, what: Any) -> Any:
    """What comes of it, errors as plain data."""
    try:
        return do(job, what)
    except BridgeError as error:
        return error.to_json()
    except Exception as error:  # a mistake of ours: one instance must not end a batch of a million
        return SolverError(f"{type(error).__name__}: {error}", hint="please report it").to_json()


def _line(item: Item, found: dict[str, Any]) -> str:
    index, file, line, _, _ = item
    return f'{{"index": {index}, "file": {dumps(file)}, "line": {dumps(line)}, {dumps(found)[1:]}\n'


def gone(item: Item, why: str) -> bytes:
    """The line of an instance whose worker died of it."""
    error = SolverError(why, hint="it may need more memory than there is")
    return _line(item, error.to_json()).encode()


def puzzle_of(job: Job, item: Item) -> Puzzle | dict[str, Any]:
    """The puzzle that an item holds, or its error.

    Raises
    ------
    InputError
        With file, line and column, when it holds none.
    """
    _, file, line, form, held = item
    if form in ("puzzle", "error"):
        return cast("Puzzle | dict[str, Any]", held)
    cls = puzzle_class(job.kind)
    if form == "json":
        return _from_json(cls, job, held, Place(file, line))
    if form == "text":
        return _only(cls.from_text(held, Place(file), job.read), Place(file))
    header, text = held
    try:
        return _only(cls.from_text(header + text, Place(file), job.read), Place(file, line))
    except InputError as error:
        # Read as a text of its own, it has a line of its own.
        column = error.where.column if error.where else None
        raise InputError(error.message, where=Place(file, line, column), hint=error.hint) from None


def _from_json(cls: type[Puzzle], job: Job, text: str, place: Place) -> Puzzle:
    data = load_json(text, place)
    if not isinstance(data, dict):
        raise InputError("a puzzle in JSON is an object", where=place, hint='{"puzzle": ..., "grid": [[...]]}')
    if data.get("puzzle", job.kind) != job.kind:
        raise InputError(f"this is a {data['puzzle']}, not a {job.kind}", where=place)
    with placed(text, place):
        return cls.from_json({**data, **job.read}, place)


def _only(puzzles: Sequence[Puzzle], place: Place) -> Puzzle:
    if len(puzzles) != 1:
        raise InputError(f"{len(puzzles)} puzzles, but one is wanted", where=place)
    return puzzles[0]


def seconds_left(job: Job) -> float | None:
    """The time limit of an instance that begins now."""
    if job.until is None:
        return job.seconds
    left = max(job.until - time(), 0.001)
    return left if job.seconds is None else min(left, job.seconds)


def _check(job: Job, puzzle: Puzzle) -> dict[str, Any]:
    from bridge.analysis.check import check

    return check(puzzle, job.engine, seconds=seconds_left(job)).to_json()


def _solve(job: Job, puzzle: Puzzle) -> dict[str, Any]:
    from bridge.analysis.check import outcome_json
    from bridge.engines import engine

    limits = Limits(seconds=seconds_left(job), solutions=job.solutions)
    return outcome_json(puzzle, job.engine, engine(job.engine).solutions(puzzle, limits).collect())


def _count(job: Job, puzzle: Puzzle) -> dict[str, Any]:
    from bridge.analysis.count import count

    return count(puzzle, job.engine, seconds=seconds_left(job)).to_json()


def _grade(job: Job, puzzle: Puzzle) -> dict[str, Any]:
    from bridge.analysis.grade import grade

    return {"puzzle": job.kind, **grade(puzzle, seconds=seconds_left(job)).to_json()}


def _diagnose(job: Job, puzzle: Puzzle) -> dict[str, Any]:
    from bridge.analysis.diagnose import SECONDS, diagnose

    seconds = seconds_left(job)
    return diagnose(puzzle, seconds=SECONDS if seconds is None else seconds).to_json()


_COMMANDS: dict[Command, Callable[[Job, Puzzle], dict[str, Any]]] = {
    "check": _check,
    "solve": _solve,
    "count": _count,
    "grade": _grade,
    "diagnose": _diagnose,
}
