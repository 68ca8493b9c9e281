"""The engine `cp-sat`: the CSP of a puzzle by CP-SAT of OR-Tools (`pip install 'lpbridge[cp]'`).

CP-SAT calls back with each solution. It runs in a thread of its own, which waits in the callback until the next
solution is asked for: solutions come as lazily as those of any engine, and limits and Ctrl-C act at once. One worker
searches: more cannot enumerate.
"""

from __future__ import annotations

import atexit
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from queue import Empty, SimpleQueue
from threading import Semaphore, Thread
from time import perf_counter
from typing import Any
from weakref import WeakSet

from bridge.errors import MissingSolverError, SolverError
from bridge.limits import Deadline, Limits
from bridge.outcome import Progress
from bridge.puzzles.engines.csp import CSPEngine
from bridge.puzzles.engines.engine import Ability
from bridge.puzzles.engines.packages import load
from bridge.puzzles.engines.posting import ImpossibleError, LateError, Posting
from bridge.puzzles.search import CSP

#: Seconds for which the caller waits at most before it looks at the clock; for a stop to be repeated.
WAIT, AGAIN = 0.2, 0.02


class CpSat(CSPEngine):
    """CP-SAT: lazy clause generation, with one worker."""

    name = "cp-sat"
    description = "CP-SAT of OR-Tools: lazy clause generation, conflict-driven"
    abilities = frozenset({Ability.FIND, Ability.ENUMERATE, Ability.PROVE})
    package = "ortools"

    def assigned(self, csp: CSP, limits: Limits, progress: Progress) -> Iterator[dict[Any, Any]]:
        deadline, statistics = Deadline(limits.seconds), progress.statistics
        since = perf_counter()
        cp = _cp_model()
        posting = Posting(csp, cp, deadline)
        try:
            posting.post()
        except LateError:
            progress.limit = "seconds"
            return
        except ImpossibleError:
            progress.complete = True
            return
        finally:
            statistics.spend("post", since)
        solver = cp.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.enumerate_all_solutions = limits.solutions != 1
        solver.parameters.catch_sigint_signal = False  # Python's own handler is to see it
        search = _Search(cp, solver, posting.model, posting.variables())
        try:
            while True:
                since = perf_counter()
                try:
                    search.next()
                    codes = search.wait(deadline)
                finally:
                    statistics.spend("solve", since)
                if codes is None:
                    break
                yield posting.read(codes)
        finally:
            search.stop()
            statistics.counters["conflicts"], statistics.counters["branches"] = search.conflicts, search.branches
        if search.error is not None:
            raise search.error
        if search.status == cp.MODEL_INVALID:
            raise SolverError(f"CP-SAT refuses the model: {posting.model.validate()}", hint="please report it")
        enumerated = solver.parameters.enumerate_all_solutions and search.status == cp.OPTIMAL
        progress.complete = search.status == cp.INFEASIBLE or enumerated
        if not progress.complete and deadline.expired():
            progress.limit = "seconds"


@cache
def _cp_model() -> Any:
    """The module of CP-SAT. It needs a second thread: without one NumPy, which it imports, sends itself a SIGINT."""
    try:
        thread = Thread(target=lambda: None)
        thread.start()
    except RuntimeError:
        raise MissingSolverError("CP-SAT needs a thread of its own, and this process may start none") from None
    thread.join()
    return load("ortools.sat.python.cp_model")


class _Search:
    """A search in its thread, and the solutions that it hands over one at a time."""

    def __init__(self, cp: Any, solver: Any, model: Any, xs: Sequence[Any]) -> None:
        self.status: Any = None
        self.error: BaseException | None = None
        self.conflicts = self.branches = 0
        self._solver, self._model = solver, model
        self._stopped = False
        self._requests = Semaphore(0)
        self._found: SimpleQueue[list[int] | None] = SimpleQueue()
        self._callback = self._callback_of(cp, xs)
        # A daemon: the interpreter would wait for ever for one that waits for its caller. `_end` stops it before.
        self._thread = Thread(target=self._run, name="lpbridge-cp-sat", daemon=True)
        _searches.add(self)

    def _callback_of(self, cp: Any, xs: Sequence[Any]) -> Any:
        search = self

        class Callback(cp.CpSolverSolutionCallback):  # type: ignore[misc]  # a class that is imported late
            def on_solution_callback(self) -> None:
                search.conflicts, search.branches = self.num_conflicts, self.num_branches
                if not search._stopped:
                    search._found.put([self.value(x) for x in xs])
                    search._requests.acquire()
                if search._stopped:
                    self.stop_search()

        return Callback()

    def _run(self) -> None:
        try:
            self.status = self._solver.solve(self._model, self._callback)
            self.conflicts, self.branches = self._solver.num_conflicts, self._solver.num_branches
        except BaseException as error:
            self.error = error
        finally:
            self._found.put(None)

    def next(self) -> None:
        """Let the search go on."""
        if self._thread.ident is None:
            self._thread.start()
        else:
            self._requests.release()

    def wait(self, deadline: Deadline) -> list[int] | None:
        """The next solution; None at the end."""
        while True:
            left = deadline.remaining()
            with suppress(Empty):
                return self._found.get(timeout=AGAIN if deadline.expired() else min(WAIT, left or WAIT))
            if deadline.expired():
                self._solver.stop_search()  # a solution may still come

    def stop(self) -> None:
        """End the search, and its thread."""
        self._stopped = True
        self._requests.release()
        while self._thread.is_alive():
            self._solver.stop_search()  # does nothing when it has not begun
            self._thread.join(AGAIN)


#: Those that may still run.
_searches: WeakSet[_Search] = WeakSet()


def _end() -> None:
    """Python is about to end: from then on a thread that waits for the interpreter would end the process."""
    for search in list(_searches):
        search.stop()


atexit.register(_end)
