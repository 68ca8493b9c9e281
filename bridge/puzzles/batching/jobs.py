"""Jobs about puzzles (`bridge.batching.items` has the words): the puzzle, the command, the engine and the limits.

Workers know kinds, commands, engines and options by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple, dataclass, field, fields, replace
from time import perf_counter, time
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, get_args

from bridge.batching import Chunk, Item, kept, line_of
from bridge.errors import InputError, Place
from bridge.isolation import FrameError, pack
from bridge.isolation import unpack as unpacked
from bridge.limits import UNLIMITED, Limits
from bridge.puzzles.kinds import Puzzle, of_text, puzzle_class, the_one
from bridge.puzzles.kinds.json_places import load_json, placed
from bridge.puzzles.kinds.registry import add_packed, packed
from bridge.puzzles.kinds.trust import alone

if TYPE_CHECKING:
    from bridge.analysis import Which

Command = Literal["check", "solve", "count", "grade", "diagnose"]
COMMANDS: tuple[Command, ...] = get_args(Command)

#: The commands that ask an engine.
WITH_ENGINE: frozenset[Command] = frozenset({"check", "solve", "count"})

#: The content of an item: a line of a text with a puzzle in each line (with the header of that text), a JSON object as
#: text, the text of a whole file, the fields of a puzzle (packed), or an error.
Form = Literal["line", "json", "text", "puzzle", "error"]


@dataclass(frozen=True, slots=True)
class Job:
    """The question put to every instance."""

    module: ClassVar[str] = __name__

    #: The name of the puzzle.
    kind: str
    #: The command.
    command: Command
    #: The engine of `check`, `solve` and `count`.
    engine: str = "asp"
    #: The limits on each instance.
    limits: Limits = UNLIMITED
    #: Options of the puzzle that the text does not contain.
    options: Mapping[str, str] = field(default_factory=dict)
    #: The options as keys of the JSON form: read once and sent along, so that no worker needs a file.
    read: Mapping[str, Any] = field(default_factory=dict)
    #: Of `check`: which residuals are computed.
    residual: Which = "both"
    #: Of `check`: the engine of the propagated residual, if it is not the default one.
    propagation: str | None = None
    #: The end of the whole batch, in seconds since 1970; None for no end.
    until: float | None = None

    def pack(self) -> dict[str, Any]:
        """The job as plain data."""
        known = puzzle_class(self.kind).options
        return {
            "declared": packed(self.kind),
            **{one.name: getattr(self, one.name) for one in fields(self)},
            "limits": astuple(self.limits),
            "options": dict(self.options),
            "read": {name: known[name].pack(value) for name, value in self.read.items()},
        }

    @classmethod
    def unpack(cls, data: dict[str, Any]) -> Self:
        """The inverse of `pack`."""
        data = dict(data)
        if (declared := data.pop("declared")) is not None:  # a kind that is a file, which a worker need not have
            add_packed(declared)
        known = puzzle_class(data["kind"]).options
        read = {name: known[name].unpack(value) for name, value in data["read"].items()}
        return cls(**{**data, "limits": Limits(*data["limits"]), "read": read})


#: What a worker calls: see `bridge.batching.items.Answering`.
begin, unpack = alone, Job.unpack


def puzzle_item(index: int, kind: str, puzzle: Puzzle) -> Item:
    """The item of a puzzle; that of an error when it is of another kind or class, or cannot be sent."""
    cls = puzzle_class(kind)
    wrong = None
    if puzzle.kind != kind:
        wrong = InputError(f"this is a {puzzle.kind}, not a {kind}")
    elif type(puzzle) is not cls:
        name = f"{cls.__module__}.{cls.__qualname__}"
        wrong = InputError(f"{type(puzzle).__qualname__} is not {name}, the class that workers know as {kind}")
    else:
        try:
            held = {name: value for name, value in puzzle.__getstate__().items() if name != "about"}
            return index, None, None, "puzzle", pack(held)
        except FrameError as error:
            wrong = InputError(str(error))
    return index, None, None, "error", wrong.to_json()


def answers(job: Job, chunk: Chunk) -> tuple[bytes, float]:
    """The lines of a chunk, in its order, each with its line break; and the seconds that they took.

    All instances are read, then all are solved, then all results are written: the processor's caches then hold the code
    and data of one phase.
    """
    started = perf_counter()
    puzzles = [kept(puzzle_of, job, item) for item in chunk]
    found = [kept(_answer, job, puzzle) if isinstance(puzzle, Puzzle) else puzzle for puzzle in puzzles]
    lines = "".join([line_of(item, data) for item, data in zip(chunk, found, strict=True)])
    return lines.encode(), perf_counter() - started


def puzzle_of(job: Job, item: Item) -> Puzzle | dict[str, Any]:
    """The puzzle of an item, or its error."""
    _, file, line, form, held = item
    if form == "error":
        found: dict[str, Any] = held
        return found
    cls = puzzle_class(job.kind)
    if form == "puzzle":
        return cls(**unpacked(held))
    place = Place(file, line)
    if form == "json":
        data = load_json(held, place)
        if not isinstance(data, dict):
            raise InputError("a puzzle in JSON is an object", where=place, hint='{"puzzle": ..., "grid": [[...]]}')
        if data.get("puzzle", job.kind) != job.kind:
            raise InputError(f"this is a {data['puzzle']}, not a {job.kind}", where=place)
        with placed(held, place):
            return cls.from_json({**data, **job.read}, place)
    if form == "text":
        return the_one(of_text(cls, held, Place(file), job.read), Place(file))
    header, text = held
    try:
        return the_one(cls.from_text(header + text, Place(file), job.read), place)
    except InputError as error:
        # The line was read as a text of its own; its number is that in the file.
        column = error.where.column if error.where else None
        raise InputError(error.message, where=Place(file, line, column), hint=error.hint) from None


def limits_now(job: Job) -> Limits:
    """The limits on an instance that begins now."""
    if job.until is None:
        return job.limits
    left = max(job.until - time(), 0.001)
    return replace(job.limits, seconds=left if job.limits.seconds is None else min(left, job.limits.seconds))


def _answer(job: Job, puzzle: Puzzle) -> dict[str, Any]:
    """What the command says of a puzzle, as JSON."""
    limits, engine = limits_now(job), job.engine
    match job.command:
        case "check":
            from bridge.puzzles.analysis.check import check

            how = {"residual": job.residual, "propagation": job.propagation}
            return check(puzzle, engine=engine, limits=limits, **how).to_json()  # type: ignore[arg-type]
        case "solve":
            from bridge import solutions
            from bridge.puzzles.analysis.check import outcome_json

            return outcome_json(puzzle, engine, solutions(puzzle, engine=engine, limits=limits).collect())
        case "count":
            from bridge.puzzles.analysis.count import count

            return count(puzzle, engine=engine, limits=limits).to_json()
        case "grade":
            from bridge.puzzles.explain.grade import grade

            return {"puzzle": job.kind, **grade(puzzle, limits=limits).to_json()}
        case "diagnose":
            from bridge import diagnose
            from bridge.analysis import LIMITS

            return diagnose(puzzle, limits=LIMITS if limits.seconds is None else limits).to_json()
