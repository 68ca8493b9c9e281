"""A Python function as a program: it is called with an instance and yields answers.

    def colour(instance):
        edges = instance["edge"]
        for assignment in ...:
            yield {"color": list(assignment.items())}

It runs in a process of its own, which is ended at its limit. `module:function` and `file.py:function` are imported
there. A function object is run in a fork of this process, so that one that was defined in a notebook can be run, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from bridge.asp.packing import pack, unpack
from bridge.comparison.answers import Answer, distinct
from bridge.comparison.instance import Instance
from bridge.comparison.python_job import Job
from bridge.isolation.worker import Worker
from bridge.limits import UNLIMITED, Limits
from bridge.outcome import Progress, Stream

JOB = "bridge.comparison.python_job"

_PLACE = re.compile(r"(?:[^\s:]+\.py|[A-Za-z_][\w.]*):[A-Za-z_]\w*")


def is_function(text: str) -> bool:
    """Is this the place of a function: `module:function` or `file.py:function`?"""
    return _PLACE.fullmatch(text) is not None


class PythonFunction:
    """A function, by its place or as an object, in a process of its own."""

    def __init__(self, function: str | Callable[..., Any]) -> None:
        self._function = function
        if isinstance(function, str):
            self.name = function
            self._worker = Worker(JOB, output="nowhere")
        else:
            self.name = getattr(function, "__name__", type(function).__name__)
            self._worker = Worker(JOB, output="nowhere", job=Job(function))

    def open(self, limits: Limits = UNLIMITED) -> None:
        """Load the function, if its process has not done so.

        Raises InputError when there is no such file or function, ProgramError when its module cannot be loaded,
        LimitError when that takes too long.
        """
        if isinstance(self._function, str) and not self._worker.alive:
            try:
                self._worker.call(("open", self._function), limits)
            except BaseException:
                self._worker.close()
                raise

    def answers(self, instance: Instance, limits: Limits = UNLIMITED) -> Stream[Answer]:
        """The answers that the function yields, each once.

        An exception that it raises is a ProgramError, with its place, after the answers before it.
        """
        self.open(limits)
        facts = [[name, [pack(value) for value in row]] for name, row in instance.facts]
        constants = {name: pack(value) for name, value in instance.constants.items()}

        def produce(progress: Progress) -> Iterator[Answer]:
            found = self._worker.ask(("run", facts, constants, instance.rows), progress, limits)
            yield from distinct(frozenset((str(name), tuple(map(unpack, row))) for name, row in one) for one in found)

        return Stream(produce, limits)

    def close(self) -> None:
        """End the process."""
        self._worker.close()
