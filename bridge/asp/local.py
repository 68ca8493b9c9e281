"""clingo in this process: all that touches a `clingo.Control`.

Solving goes on in the calling thread, where the watchdog's `Control.interrupt` stops it: a solver thread (`async_`)
costs a Sudoku a quarter more. `--forget-on-step=15` throws away what was learnt under the last assumptions, which
accumulates where instances are hard.

`CALLS` in `packing` lists the methods that a program in another process calls.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any, Literal, cast

import clingo

from bridge.asp import _cffi, grounding
from bridge.asp.core import Clash, clashing, smaller
from bridge.asp.decode import is_name
from bridge.asp.incremental import Steps, is_incremental
from bridge.asp.messages import Messages
from bridge.asp.model import Model
from bridge.asp.names import Switching
from bridge.asp.source import TEXT, check, check_options, read_file, term
from bridge.asp.symbols import arguments_of, atoms
from bridge.asp.types import Assumption, Mode, Part, Source
from bridge.errors import BridgeError, InputError
from bridge.isolation.watchdog import Watch
from bridge.limits import UNLIMITED, Limits
from bridge.outcome import Progress

#: Forget everything that search has learnt (1 variable scores, 2 signs, 4 nogood scores, 8 nogoods) at the next solve.
FORGET = "--forget-on-step=15"

_BASE: Part = ("base", ())


class Local:
    """One Control, and the program that it was made from.

    Parameters
    ----------
    sources
        Files and texts, in their order.
    options
        Further options of clingo's command line.
    constants
        Values for `#const`, as text.
    switching
        Which rules get switches, if any do.

    Attributes
    ----------
    busy
        True while a search is under way.
    changed
        Whether anything was added, ground or assigned after loading.
    """

    def __init__(
        self,
        sources: Sequence[Source],
        options: Sequence[str],
        constants: dict[str, str],
        switching: Switching | None = None,
    ) -> None:
        self._switching = switching
        check_options(options)
        defined = [f"--const={name}={value}" for name, value in constants.items()]
        self._given = [*defined, *options]
        # This warning tells programs in incremental mode apart. It is not shown where the options switch it off.
        self._options = ["--models=0", FORGET, *self._given, "--warn=file-included"]
        self._quiet = any(option.endswith(("none", "no-file-included")) for option in options)
        self._loaded: list[tuple[Literal["file", "text"], str, Part]] = []
        self._clash: list[Clash] = []  # of the last search
        self.busy = self._closed = self._searched = self.changed = False
        self._exhausted, self._satisfiable = False, cast("bool | None", None)  # of the last solve call
        self._begin()
        started = perf_counter()
        for kind, source in sources:
            text, file = (source, TEXT) if kind == "text" else (read_file(Path(source)), source)
            check(text, file)
            self._load(kind, source, _BASE)
        self.seconds["load"] += perf_counter() - started

    def _begin(self) -> None:
        """A new Control, with all that was loaded into the one before; nothing is ground."""
        self._messages = Messages()
        self._ground: set[Part] = set()
        self._asked = self._incremental = False
        self._steps: Steps | None = None
        self._false: int | None = None
        self._settings: tuple[str, ...] = ()
        started = perf_counter()
        self._control = self._fresh(self._messages)
        self.seconds = {"load": perf_counter() - started}

    def _fresh(self, messages: Messages) -> clingo.Control:
        try:
            with _cffi.logging():
                control = clingo.Control(self._options, logger=messages.log, message_limit=10_000)
        except RuntimeError as error:
            raise messages.error(str(error)) from None
        for source in self._loaded:
            messages.load(control, *source, self._switching)
        return control

    def _load(self, kind: Literal["file", "text"], source: str, part: Part) -> None:
        self._messages.load(self._control, kind, source, part, self._switching)
        self._loaded.append((kind, source, part))

    def warnings(self) -> list[str]:
        """What clingo remarked up to now."""
        return self._messages.warnings(inclusions=not self._quiet)

    def add(self, text: str, part: str, parameters: Sequence[str]) -> None:
        """Add program text to a part that is not ground yet."""
        self._idle()
        if any(name == part for name, _ in self._ground):
            which = "program" if part == "base" else f"part {part}"
            raise InputError(f"the {which} is ground already", hint="add to it before the first solve")
        check(text)
        self.changed = True
        self._load("text", text + "\n", (part, tuple(parameters)))

    # Grounding

    def ground(self, parts: Sequence[Part]) -> None:
        """Ground `base`, if it is not, and further parts."""
        self._idle()
        if parts and self._is_incremental():
            raise InputError("the program is incremental: it grounds its parts itself", hint="just solve it")
        self.changed = True
        self._ground_base(parts)

    def _ground_base(self, parts: Sequence[Part] = ()) -> None:
        """`base`, and parts with it; in the incremental mode the first step."""
        if not self._is_incremental():
            self._ground_parts([part for part in dict.fromkeys([_BASE, *parts]) if part not in self._ground])
        elif self._steps is None:
            self._steps = Steps(self._control)
            # What was learnt in one step helps in the next, and is kept.
            cast(Any, self._control.configuration).solver.forget_on_step = "no"
            if self._steps.more(None):
                self._steps.ground_next(self._ground_parts)

    def _is_incremental(self) -> bool:
        if not self._ground and self._steps is None and not self._asked:
            self._asked, self._incremental = True, is_incremental(self._control, self._messages)
        return self._incremental

    def _ground_parts(self, parts: list[Part]) -> None:
        if not parts:
            return
        started = perf_counter()
        symbols = _symbols(parts)
        try:
            with _cffi.logging():
                self._control.ground(symbols)
        except RuntimeError as error:
            raise self._messages.error(str(error)) from None
        self._ground.update(parts)
        self.seconds["ground"] = self.seconds.get("ground", 0.0) + perf_counter() - started

    def grounding(self, limits: Limits, progress: Progress) -> Iterator[dict[str, Any]]:
        """Ground the program once more, beside this one: the fields of `Grounding`."""
        self._idle()
        messages = Messages()
        control, parts = self._fresh(messages), [_BASE]
        if is_incremental(control, messages):
            Steps(control)
            parts.append(("check", ("0",)))
        try:
            found = grounding.measure(control, _symbols(parts), limits)
        except RuntimeError as error:
            raise messages.error(str(error)) from None
        progress.complete = True
        yield found

    def ground_facts(self, limits: Limits = UNLIMITED) -> list[str]:
        """The atoms that are facts, as program text. Grounding in this process keeps no limit."""
        self._idle()
        self._ground_base()
        return [f"{atom.symbol}." for atom in self._control.symbolic_atoms if atom.is_fact]

    def assign_external(self, atom: str, value: bool | None) -> None:
        """Make an external atom true, false or open."""
        symbol = self._external(atom)
        self._control.assign_external(symbol, value)

    def release_external(self, atom: str) -> None:
        """Make an external atom false for good."""
        symbol = self._external(atom)
        self._control.release_external(symbol)

    def _external(self, text: str) -> clingo.Symbol:
        self._idle()
        if self._is_incremental():
            raise InputError("the program is incremental: each search begins it anew", hint="assume literals instead")
        self.changed = True
        self._ground_base()
        symbol = term(text)
        atom = self._control.symbolic_atoms[symbol] if symbol.type is clingo.SymbolType.Function else None
        if atom is None or not atom.is_external:
            raise InputError(f"{text} is no external atom", hint="declare it with #external, and ground its part")
        return symbol

    def literals(self, name: str, arity: int) -> dict[tuple[Any, ...], int]:
        """The literal of each atom of a predicate (with a minus sign for a negated one)."""
        self._idle()
        self._ground_base()
        found = list(_cffi.atoms(self._control, name.removeprefix("-"), arity, not name.startswith("-")))
        arguments = arguments_of([number for number, _ in found])
        return {row: literal for row, (_, literal) in zip(arguments, found, strict=True)}

    # Solving

    def search(
        self, mode: Mode, assuming: Sequence[Assumption], project: bool, limits: Limits, progress: Progress
    ) -> Iterator[Model]:
        """Models as they are found. In `brave` and `cautious` the last is the answer; in `optimal` those `proved`.

        `count` yields none: how many there are is in the counter `models` of the statistics.
        """
        optimal = mode == "optimal"
        enum_mode = mode if mode in ("brave", "cautious") else "auto"
        with self._searching(limits) as watch:
            for literals in self._rounds(assuming, watch, progress):
                if mode == "count":
                    self._count(literals, project, limits, watch, progress)
                else:
                    self._configure(enum_mode, "optN" if optimal else "ignore", project, 0)
                    yield from self._solve(literals, assuming, optimal, watch, progress)

    def core(self, refine: bool) -> list[Assumption]:
        """The assumptions of the last search that clash, when it found nothing."""
        self._idle()
        clash = smaller(self._clash, self._core_of) if refine else self._clash
        return [assumption for _, assumption in clash]

    def _core_of(self, literals: list[int]) -> list[int]:
        # A few conflicts are enough to leave out what has nothing to do with it; no second search.
        self._configure("auto", "ignore", False, 1, conflicts=100)
        with _cffi.solve(self._control, literals) as handle:
            return list(handle.core()) if handle.get().unsatisfiable else []

    @contextmanager
    def _searching(self, limits: Limits) -> Iterator[Watch]:
        self._idle()
        self.busy = True
        try:
            # Looked up when it is called: an incremental program may have got a new Control by then.
            with Watch(lambda: self._control.interrupt(), limits.seconds) as watch:
                yield watch
        finally:
            self.busy = False

    def _rounds(self, assuming: Sequence[Assumption], watch: Watch, progress: Progress) -> Iterator[list[int]]:
        """The literals to solve under: once, or in the incremental mode once a step.

        The caller leaves the result of each round in `_exhausted` and `_satisfiable`.
        """
        if self._steps is not None and self._searched:
            self._begin()  # what was grounded for later steps stands in the way of the first
        self._ground_base()
        self._searched, steps, statistics = True, self._steps, progress.statistics
        self._clash, self._exhausted, self._satisfiable = [], True, None
        while self._exhausted and (steps is None or steps.taken):
            statistics.seconds.update(self.seconds)
            if steps is not None:
                statistics.counters["steps"] = steps.taken
            yield self._literals(assuming)
            if steps is None or not steps.more(self._satisfiable):
                break
            if watch.expired:
                self._exhausted, watch.fired = False, watch.fired or "seconds"
            if self._exhausted:
                steps.ground_next(self._ground_parts)
        progress.complete = self._exhausted
        if not self._exhausted and watch.fired is not None:
            progress.limit, progress.rung = watch.fired, watch.rung

    def _configure(self, enum_mode: str, opt_mode: str, project: bool, models: int, conflicts: int = 0) -> None:
        settings = (enum_mode, opt_mode, "show" if project else "no", str(models), str(conflicts or "umax"))
        if settings != self._settings:
            solve = cast(Any, self._control.configuration).solve
            solve.enum_mode, solve.opt_mode, solve.project, solve.models, solve.solve_limit = settings
            self._settings = settings

    def _solve(
        self, literals: list[int], assuming: Sequence[Assumption], optimal: bool, watch: Watch, progress: Progress
    ) -> Generator[Model, None, None]:
        statistics, found = progress.statistics, False
        self._exhausted = False
        while True:
            started = perf_counter()
            watch.arm()
            try:
                handle = _cffi.solve(self._control, literals)
            except RuntimeError as error:
                raise self._messages.error(str(error)) from None
            finally:
                watch.disarm()
                statistics.spend("solve", started)
            try:
                with handle:
                    for model in self._each(handle, optimal, watch, progress):
                        found = True
                        yield model
                    watch.arm()
                    result = handle.get()
                    if result.unsatisfiable:
                        self._clash = clashing(handle.core(), literals, assuming)
                    watch.disarm()
            finally:
                self._add_counters(progress)
            # A stop that came after the end of an earlier search ends the next one before it began: begin again.
            if not result.interrupted or watch.fired is not None or found:
                break
        self._exhausted, self._satisfiable = bool(result.exhausted), result.satisfiable

    def _each(self, handle: clingo.SolveHandle, optimal: bool, watch: Watch, progress: Progress) -> Iterator[Model]:
        read = _optimal_reader(handle) if optimal else _cffi.reader(handle)
        arm, disarm, seconds = watch.arm, watch.disarm, progress.statistics.seconds
        while True:
            started, found = perf_counter(), None
            arm()
            try:
                found = read()
            finally:
                seconds["solve"] += perf_counter() - started
                try:
                    disarm()
                except KeyboardInterrupt:
                    if found is not None:
                        progress.waiting.append(_model(found))
                    raise
            if found is None:
                return
            yield _model(found)
            if watch.expired:
                watch.fired = watch.fired or "seconds"
                handle.cancel()
                return

    def _count(self, literals: list[int], project: bool, limits: Limits, watch: Watch, progress: Progress) -> None:
        counters = progress.statistics.counters
        before = counters.setdefault("models", 0)
        self._configure("auto", "ignore", project, 0 if limits.solutions is None else limits.solutions - before)
        self._exhausted = False
        while True:
            started = perf_counter()
            watch.arm()
            try:
                result = self._control.solve(assumptions=literals)
                counters["models"] += _cffi.enumerated(self._control)
            except RuntimeError as error:
                raise self._messages.error(str(error)) from None
            finally:
                progress.statistics.spend("solve", started)
                watch.disarm()
            self._add_counters(progress)
            if not result.interrupted or watch.fired is not None:  # as in `_solve`
                break
        self._exhausted, self._satisfiable = bool(result.exhausted), result.satisfiable
        if not self._exhausted and counters["models"] == limits.solutions:
            progress.limit = "solutions"

    def _add_counters(self, progress: Progress) -> None:
        counters = progress.statistics.counters
        for name, number in _cffi.counters(self._control).items():
            counters[name] = counters.get(name, 0) + number

    def _literals(self, assuming: Sequence[Assumption]) -> list[int]:
        if {*map(type, assuming)} <= {int}:  # hundreds, where rules are switches
            return cast("list[int]", list(assuming))
        return [assumed if isinstance(assumed, int) else self._literal(assumed) for assumed in assuming]

    def _literal(self, assumption: str) -> int:
        text = assumption.strip()
        positive = not text.startswith("not ")
        try:
            symbol = term(text.removeprefix("not ").strip())
            if symbol.type is not clingo.SymbolType.Function or not is_name(symbol.name):
                raise InputError("it is no atom", hint="write it as in `queen(1,5)` or `not queen(1,5)`")
        except InputError as error:
            raise InputError(f"`{assumption}` is not a literal: {error.message}", hint=error.hint) from None
        atom = self._control.symbolic_atoms[symbol]
        # An atom that the grounder never met is false in every answer set.
        literal = atom.literal if atom is not None else self._never()
        return literal if positive else -literal

    def _never(self) -> int:
        if self._false is None:
            with self._control.backend() as backend:
                self._false = int(backend.add_atom())
                # Without a statement of its own, clasp gives its number to an auxiliary atom, as a bounded choice of
                # seven has them: then it may be true.
                backend.add_rule([], [self._false])
        return self._false

    def _idle(self) -> None:
        if self._closed:
            raise InputError("the program is closed", hint="make a new one")
        if self.busy:
            raise InputError("a search of this program is still open", hint="use it up or close it first")

    def close(self) -> None:
        """Free the Control."""
        if self.busy:
            raise BridgeError("a search of this program is still open", hint="close the stream of models first")
        if not self._closed:
            self._closed = True
            del self._control


def _symbols(parts: list[Part]) -> list[tuple[str, list[clingo.Symbol]]]:
    return [(name, [term(argument) for argument in arguments]) for name, arguments in parts]


def _model(found: Model | Sequence[int]) -> Model:
    return found if isinstance(found, Model) else Model(found, atoms)


def _optimal_reader(handle: clingo.SolveHandle) -> Callable[[], Model | None]:
    """A function that goes on to the next model, with its cost."""

    def read() -> Model | None:
        handle.resume()
        model = handle.model()
        if model is None:
            return None
        cost = tuple(model.cost)
        # Without anything to minimise clingo proves nothing, and every answer set is as good as any other.
        return Model(_cffi.ids(model), atoms, cost, tuple(model.priority), model.optimality_proven or not cost)

    return read
