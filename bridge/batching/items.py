"""What a batch sends and gets back.

- An **item** is one instance to be sent to a worker: its number, its place, and its text.
- A **chunk** is a list of items sent together, and a **line** is the result of one: a JSON object.
- A **job** is the question, the same for every instance. It is sent as plain data, with the name of the module that
  answers it.

Errors are returned as results; a bad instance never aborts the batch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, ClassVar, Protocol, cast

from bridge.common.strict_json import VERSION, dumps
from bridge.errors import BridgeError, SolverError

#: Its number from 1, its file and line if it has them, its form (a word of the job's), and its content.
Item = tuple[int, str | None, int | None, Any, Any]
Chunk = Sequence[Item]


class Job(Protocol):
    """The question put to every instance."""

    #: The name of the module that answers it: `Answering`.
    module: ClassVar[str]

    def pack(self) -> dict[str, Any]:
        """The job as plain data."""


class Answering(Protocol):
    """A module that answers jobs of one sort."""

    @staticmethod
    def begin() -> None:
        """Called once in a process that does nothing else."""

    @staticmethod
    def unpack(data: dict[str, Any]) -> Any:
        """The inverse of the job's `pack`."""

    @staticmethod
    def answers(job: Any, chunk: Chunk) -> tuple[bytes, float]:
        """The lines of a chunk, in its order, each with its line break; and the seconds that they took."""


def answering(name: str) -> Answering:
    return cast("Answering", import_module(name))


def kept(do: Callable[[Any, Any], Any], job: Any, what: Any) -> Any:
    """The result, errors as plain data."""
    try:
        return do(job, what)
    except BridgeError as error:
        return error.to_json()
    except Exception as error:  # a bug of lpbridge must not abort the batch
        return SolverError(f"{type(error).__name__}: {error}", hint="please report it").to_json()


def line_of(item: Item, found: dict[str, Any]) -> str:
    """The result of an item as a line of JSON."""
    index, file, line, _, _ = item
    return (
        f'{{"index": {index}, "file": {dumps(file)}, "line": {dumps(line)}, {dumps(found | {"version": VERSION})[1:]}\n'
    )


def gone(item: Item, why: str) -> bytes:
    """The line of an instance whose worker died."""
    error = SolverError(why, hint="it may need more memory than there is")
    return line_of(item, error.to_json()).encode()
