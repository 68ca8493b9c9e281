"""A Python function in a worker: the job that `contenders.FunctionContender` asks.

    def colour(instance):
        edges = instance["edge"]
        for assignment in ...:
            yield {"color": list(assignment.items())}

The function is called with an instance and yields its answers. It runs with the rights of the user, in a process of
its own, and is ended at its limit: by an exception at first, and when it catches that, by the end of its process.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from traceback import extract_tb
from types import FrameType, FunctionType, ModuleType
from typing import Any

from bridge.asp.decode import Atom
from bridge.asp.running.packing import pack, unpack
from bridge.common.files import shown_path
from bridge.comparison.answers import Answer, answer
from bridge.comparison.instance import Instance
from bridge.errors import InputError, Place, ProgramError, brief
from bridge.limits import Limits
from bridge.outcome import Progress

#: Called with an instance; yields answers.
Function = Callable[..., Any]


class OutOfTimeError(BaseException):
    """The time is up. No `Exception`: a function that catches all of these is ended by it, too."""


class InstanceOfFunction(Instance):
    """What a function is called with: rows by predicate, `constants`, and the `rows` of a grid."""

    def __init__(self, facts: Iterable[Atom], constants: Mapping[str, Any], rows: list[list[Any]] | None) -> None:
        super().__init__(tuple(facts), constants)
        object.__setattr__(self, "rows", rows)


class FunctionJob:
    """Calls one function. A module with functions of these names is what a worker takes as its job, too."""

    def __init__(self, function: Function | None = None) -> None:
        self._function = function

    def serve(self, call: tuple[Any, ...], limits: Limits, progress: Progress) -> Iterator[tuple[Any, int]]:
        """Answer one call: `open`, with the place of the function, or `run`, with an instance."""
        name, *arguments = call
        if name == "open":
            self._function = _loaded(*arguments)
            progress.complete = True
            return
        facts, constants, rows = arguments
        given = InstanceOfFunction(((predicate, tuple(map(unpack, row))) for predicate, row in facts),
                                   {constant: unpack(value) for constant, value in constants.items()}, rows)
        assert self._function is not None
        try:
            with _Alarm(limits.seconds):
                for found in _answers(self._function, given):
                    packed = [[predicate, [pack(value) for value in row]] for predicate, row in found]
                    yield packed, 1 + len(packed)
            progress.complete = True
        except OutOfTimeError:
            progress.limit, progress.rung = "seconds", "stop"


_job = FunctionJob()
serve = _job.serve


def warm() -> None:
    """Nothing is loaded in advance."""


class _Alarm:
    """Raises OutOfTimeError in the main thread when the time is up, again and again."""

    def __init__(self, seconds: float | None) -> None:
        self._seconds = seconds

    def __enter__(self) -> None:
        if self._seconds is not None:
            signal.signal(signal.SIGALRM, _ring)
            signal.setitimer(signal.ITIMER_REAL, max(self._seconds, 0.001), 0.1)

    def __exit__(self, *_: object) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _ring(number: int, frame: FrameType | None) -> None:
    signal.setitimer(signal.ITIMER_REAL, 0)
    raise OutOfTimeError


def _loaded(place: str) -> Function:
    """The function at `module:name` or `file.py:name`."""
    where, _, name = place.rpartition(":")
    try:
        if where.endswith(".py"):
            path = Path(where).resolve()
            if not path.is_file():
                raise InputError("no such file", where=Place(where), hint="check the path")
            sys.path.insert(0, str(path.parent))
            spec = importlib.util.spec_from_file_location(path.stem, path)
            assert spec is not None
            assert spec.loader is not None
            module = importlib.util.module_from_spec(spec)
            sys.modules[path.stem] = module
            spec.loader.exec_module(module)
        else:
            sys.path.insert(0, os.getcwd())
            module = importlib.import_module(where)
    except InputError:
        raise
    except BaseException as error:
        raise _failed(error, f"{where} cannot be loaded: ") from None
    return _in_module(module, where, name)


def _in_module(module: ModuleType, where: str, name: str) -> Function:
    found = getattr(module, name, None)
    if not callable(found):
        known = [each for each, value in vars(module).items() if isinstance(value, FunctionType)]
        hint = f"it has {', '.join(known[:10])}" if known else None
        raise InputError(f"there is no function {name!r}", where=Place(where), hint=hint)
    function: Function = found
    return function


def _answers(function: Function, given: InstanceOfFunction) -> Iterator[Answer]:
    try:
        try:
            taken = len(inspect.signature(function).parameters)
        except (TypeError, ValueError):
            taken = 1
        found = function(given) if taken else function()
        if found is None:
            return
        if isinstance(found, Mapping | str) or not isinstance(found, Iterable):
            raise InputError(f"the function returned {brief(found)}, not answers", hint="yield each answer")
        for each in found:
            yield _answer(each, given.rows)
    except (InputError, OutOfTimeError, MemoryError, GeneratorExit):
        raise
    except BaseException as error:
        raise _failed(error) from None


def _answer(found: Any, rows: list[list[Any]] | None) -> Answer:
    """An answer; where the instance is a grid, a grid or a mapping from cells is one, too."""
    if rows is not None:
        if isinstance(found, Mapping) and all(isinstance(cell, tuple) for cell in found):
            return answer({"cell": [(*cell, value) for cell, value in found.items()]})
        sequences = (list, tuple)
        if isinstance(found, sequences) and len(found) == len(rows) and all(isinstance(r, sequences) for r in found):
            cells = [(r, c, value) for r, row in enumerate(found, 1) for c, value in enumerate(row, 1)]
            return answer({"cell": [cell for cell in cells if cell[2] is not None]})
    return answer(found)


def _failed(error: BaseException, what: str = "") -> ProgramError:
    """An exception of the function as an error with its place."""
    own = [frame for frame in extract_tb(error.__traceback__) if not frame.filename.startswith("<frozen")]
    ours = str(Path(__file__).parent.parent)
    frames = [frame for frame in own if not frame.filename.startswith(ours)]
    last = frames[-1] if frames else None
    where = None if last is None else Place(shown_path(last.filename), last.lineno)
    if isinstance(error, SyntaxError):
        where = Place(shown_path(error.filename or "?"), error.lineno)
    said = type(error).__name__
    with suppress(Exception):  # its own text may fail, too
        said = f"{said}: {error}" if str(error) else said
    return ProgramError(f"{what}{said}", where=where)
