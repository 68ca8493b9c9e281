"""The engine `clpfd`: SWI-Prolog's constraint logic programming over finite domains.

Constraints are posted first and searched last, so that the propagated residual is simply what posting leaves open.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import lru_cache
from time import perf_counter
from typing import TYPE_CHECKING, Any

from bridge.limits import UNLIMITED, Deadline, Limits
from bridge.outcome import Progress
from bridge.puzzles.encodings_folder import encoding
from bridge.puzzles.engines.engine import Ability, Engine
from bridge.puzzles.engines.residual import PuzzleResidual
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.models import ClpForm, models
from bridge.puzzles.kinds.rules import Cell, Grid, Value, cell_name

if TYPE_CHECKING:
    from bridge.prolog import Answer, Session

#: Loading the encoding was paid by the first instance.
_NOT_ADDED = ("load",)


@lru_cache(maxsize=32)
def _session(file: str, thread: int) -> Session:
    from bridge.prolog import Session

    # The encodings are trusted: in this process a query costs microseconds.
    libraries = ":- use_module(library(clpfd)).\n:- import(lpbridge:phase/2).\n"
    return Session(encoding(file), libraries, isolated=False, strict=True)


def _ask(puzzle: Puzzle, form: ClpForm) -> dict[str, Any]:
    from bridge.prolog import Atom, Variable

    opened: Callable[[Cell], Any] = lambda cell: Variable(cell_name(cell))  # noqa: E731
    return {**form.inputs, "Rows": form.rows(puzzle, Atom("#"), opened)}


class Clpfd(Engine):
    """SWI-Prolog's clpfd: propagation, then labelling with the smallest domain first."""

    name = "clpfd"
    description = "SWI-Prolog: constraint logic programming over finite domains"
    abilities = frozenset(Ability) - {Ability.EXACT}

    def solver(self) -> str:
        """See `Engine.solver`."""
        from bridge.prolog.locate import current, installed_janus, show_version

        installation = current()
        installed_janus()
        return f"SWI-Prolog {show_version(installation.version)}"

    def search(self, puzzle: Puzzle, limits: Limits, progress: Progress) -> Iterator[Grid]:
        deadline = Deadline(limits.seconds)
        form = models(puzzle).clp()
        goal = f"phase(post, ({form.post})), {form.label}"
        session, question = _session_for(form), _ask(puzzle, form)
        answers = session.query(goal, question, limits=deadline.within(limits))
        with progress.following(answers, without=_NOT_ADDED):
            for answer in answers:
                started = perf_counter()
                rows = answer["Rows"]
                grid = puzzle.solution({(r, c): form.value(rows[r - 1][c - 1]) for r, c in puzzle.cells()})
                progress.statistics.spend("decode", started)
                yield grid

    def propagated(self, puzzle: Puzzle, limits: Limits = UNLIMITED) -> PuzzleResidual:
        form = models(puzzle).clp()
        goal = f"phase(post, ({form.post}))"
        with _session_for(form).query(goal, _ask(puzzle, form), limits=limits) as answers:
            answer = next(answers, None)
        complete = answer is not None or answers.complete
        limit = None if complete else answers.limit
        progress = Progress()
        progress.statistics.add(answers.statistics, without=_NOT_ADDED)
        possible = {} if answer is None else _possible(puzzle, form, answer)
        constraints = () if answer is None else tuple(str(goal) for goal in answer.residual)
        return PuzzleResidual("propagated", self.name, possible, constraints, complete, limit, progress.statistics)


def _session_for(form: ClpForm) -> Session:
    return _session(form.encoding, threading.get_ident())


def _possible(puzzle: Puzzle, form: ClpForm, answer: Answer) -> dict[Cell, tuple[Value, ...]]:
    from bridge.prolog import Variable

    possible: dict[Cell, tuple[Value, ...]] = {}
    for r, c in puzzle.cells():
        found = answer["Rows"][r - 1][c - 1]
        if not isinstance(found, Variable):
            possible[r, c] = (form.value(found),)
        elif found.domain is not None:
            possible[r, c] = tuple(form.value(code) for code in found.domain)
        else:  # no constraint on it
            possible[r, c] = puzzle.values()
    return possible
