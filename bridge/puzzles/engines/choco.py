"""The engine `choco`: the CSP of a puzzle by Choco (`pip install 'lpbridge[cp]'`).

pychoco's classes keep every array that they pass to Choco, and with it the model, until the process ends. So models are
built by the functions below them (`pychoco.backend`), on handles that are released with the model.

A call into Choco keeps the interpreter, and nothing interrupts it. So the search runs in slices: after each, Ctrl-C and
the limits are looked at, and the search goes on where it was. (Choco's `find_solution` removes the limit of its slice,
`solve` does not.)
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from functools import cache
from typing import Any

from bridge.errors import MissingSolverError
from bridge.limits import Deadline, Limits
from bridge.outcome import Progress
from bridge.puzzles.engines.csp import CSPEngine
from bridge.puzzles.engines.engine import Ability
from bridge.puzzles.engines.packages import load
from bridge.puzzles.engines.posting import Model, solve
from bridge.puzzles.search import CSP
from bridge.puzzles.search.constraints_arithmetic import Comparison

#: Milliseconds of search before the next look at the clock.
SLICE = 20

#: Choco reserves 32 GiB of address space when it is loaded; where it cannot, it ends the process.
ADDRESS_SPACE = 40 * 2**30


class Choco(CSPEngine):
    """Choco: propagation by its global constraints; dom/wdeg with last conflict, its default search."""

    name = "choco"
    description = "Choco: constraint programming, global constraints, dom/wdeg"
    abilities = frozenset({Ability.FIND, Ability.ENUMERATE, Ability.PROVE})
    package = "pychoco"

    def assigned(self, csp: CSP, limits: Limits, progress: Progress) -> Iterator[dict[Any, Any]]:
        return solve(csp, _Choco, limits, progress)


@cache
def _backend() -> Any:
    """`pychoco.backend`, initialised.

    Raises
    ------
    MissingSolverError
        When pychoco is not installed, or cannot be loaded.
    """
    import resource

    allowed, _ = resource.getrlimit(resource.RLIMIT_AS)
    if allowed != resource.RLIM_INFINITY and allowed < ADDRESS_SPACE:
        raise MissingSolverError(
            "Choco needs more address space than this process may have",
            hint=f"set its limit (ulimit -v) to {ADDRESS_SPACE >> 10} or more",
        )
    return load("pychoco.backend")


class _Choco(Model):
    """A Choco model."""

    name = "choco"
    widest = 10_000_000
    widest_sum = 2**29  # its sums are 32-bit numbers, and so are the differences of two of them

    def __init__(self) -> None:
        self._backend = backend = _backend()
        self._kept = load("pychoco.model").Model()
        self._model = self._kept._handle
        self._handles: list[Any] = []
        self._destroy = backend.chocosolver_handles_destroy

    def close(self) -> None:
        for handle in self._handles:
            self._destroy(handle)
        self._handles.clear()

    def _own(self, handle: Any) -> Any:
        """A handle, to be released with the model."""
        self._handles.append(handle)
        return handle

    def _numbers(self, numbers: Sequence[int]) -> Any:
        array, put = self._own(self._backend.create_int_array(len(numbers))), self._backend.int_array_set
        for place, number in enumerate(numbers):
            put(array, number, place)
        return array

    def _array(self, xs: Sequence[Any]) -> Any:
        array, put = self._own(self._backend.create_intvar_array(len(xs))), self._backend.intvar_array_set
        for place, x in enumerate(xs):
            put(array, x, place)
        return array

    def _post(self, constraint: Any) -> None:
        self._backend.post(self._own(constraint))

    def variable(self, values: Sequence[int]) -> Any:
        least, greatest = values[0], values[-1]
        if greatest - least == len(values) - 1:
            return self._own(self._backend.intvar_ii(self._model, least, greatest))
        return self._own(self._backend.intvar_arr(self._model, self._numbers(values)))

    def all_different(self, xs: Sequence[Any], values: int) -> None:
        # Matching is dear where there are thousands of values, and removes nothing where there are many more than xs.
        consistency = "AC" if values <= 2 * len(xs) else "BC"
        self._post(self._backend.all_different(self._model, self._array(xs), consistency))

    def linear(self, factors: Sequence[int], xs: Sequence[Any], comparison: Comparison, bound: int) -> None:
        array = self._array(xs)
        self._post(self._backend.scalar_i(self._model, array, self._numbers(factors), comparison, bound))

    def table(self, xs: Sequence[Any], rows: Sequence[Sequence[int]], allowed: bool) -> None:
        if len(xs) == 1:
            post = self._backend.member_iv_iarray if allowed else self._backend.not_member_iv_iarray
            self._post(post(self._model, xs[0], self._numbers([value for (value,) in rows])))
            return
        array = self._own(self._backend.create_int_2d_array(len(rows)))
        for place, row in enumerate(rows):
            self._backend.int_2d_array_set(array, self._numbers(row), place)
        self._post(self._backend.table(self._model, self._array(xs), array, allowed, "CT+" if allowed else "CT"))

    def among(self, xs: Sequence[Any], value: int, least: int, most: int) -> None:
        number = self._own(self._backend.intvar_ii(self._model, least, most))
        self._post(self._backend.among(self._model, number, self._array(xs), self._numbers([value])))

    def some_differ(self, pairs: Sequence[tuple[Any, Any]]) -> None:
        backend = self._backend
        different = [self._own(backend.boolvar(self._model)) for _ in pairs]
        for (x, y), differ in zip(pairs, different, strict=True):
            backend.reify_x_ne_y(self._model, x, y, differ)
        array = self._own(backend.create_boolvar_array(len(pairs)))
        for place, differ in enumerate(different):
            backend.boolvar_array_set(array, differ, place)
        self._post(backend.or_bv_bv(self._model, array))

    def solutions(
        self, xs: Sequence[Any], limits: Limits, deadline: Deadline, progress: Progress
    ) -> Generator[Sequence[int], None, None]:
        backend, counters = self._backend, progress.statistics.counters
        solver = self._own(backend.get_solver(self._model))
        slice_end = self._slice(solver, limits)
        while not deadline.expired():
            found = backend.find_solution(solver, slice_end)
            counters["nodes"] = backend.get_node_count(solver)
            counters["backtracks"] = backend.get_backtrack_count(solver)
            counters["conflicts"] = backend.get_fail_count(solver)
            if found is not None:
                self._destroy(found)
                yield [backend.get_intvar_value(x) for x in xs]
            elif backend.get_search_state(solver) == "TERMINATED":
                progress.complete = True
                return
            elif limits.nodes is not None and counters["nodes"] >= limits.nodes:
                progress.limit = "nodes"
                return
            else:
                slice_end = self._slice(solver, limits)
        progress.limit = "seconds"

    def _slice(self, solver: Any, limits: Limits) -> Any:
        """Criteria that end the search for now: the time since it began, in milliseconds, or all of its nodes."""
        since = int(1000 * self._backend.get_time_count(solver))
        criteria = [self._own(self._backend.time_counter(self._model, since + SLICE))]
        if limits.nodes is not None:
            criteria.append(self._own(self._backend.node_counter(self._model, limits.nodes)))
        array = self._own(self._backend.create_criterion_array(len(criteria)))
        for place, criterion in enumerate(criteria):
            self._backend.criterion_array_set(array, criterion, place)
        return array
