"""A clingo program, ground once and solved as often as you like.

    with Program("queens.lp", n=8) as program:
        for model in program.models():
            model["queen"]              # [(1, 5), (2, 3), ...]

Each solve call may assume literals, so that one ground program serves many instances: over ten times faster than a
fresh Control for each Sudoku (`python -m benchmarks assumptions`). `--forget-on-step=15` throws away what was learnt
under the last assumptions, which piles up where instances are hard. Solving goes on in the calling thread, where the
watchdog's `Control.interrupt` stops it: a solver thread (`async_`) costs a Sudoku a quarter more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from os import PathLike
from pathlib import Path
from time import perf_counter
from types import TracebackType
from typing import Any, Literal, Self, cast

import clingo

from bridge.asp import _cffi
from bridge.asp.decode import Model, atoms, encode
from bridge.asp.messages import Messages
from bridge.errors import BridgeError, InputError, Place
from bridge.limits import UNLIMITED, Limits
from bridge.outcome import Outcome, Progress, Stream
from bridge.watchdog import Watch

#: Forget everything that search has learnt (1 variable scores, 2 signs, 4 nogood scores, 8 nogoods) at the next solve.
FORGET = "--forget-on-step=15"

Assumption = int | str
Mode = Literal["auto", "brave", "cautious"]


class Program:
    """A logic program on its way through clingo: loaded, ground, solved.

    Parameters
    ----------
    sources
        Files (a path, or a string that ends in `.lp` without a line break) and program text (any other string).
    options
        Further options of clingo's command line, such as `--configuration=frumpy`.
    constants
        Values for `#const`: integers, strings, `Constant`, tuples, `Function`.

    Raises
    ------
    ProgramError
        With file, line and column, when the program cannot be parsed or ground.
    InputError
        When a file cannot be read, or a constant is no term.
    """

    def __init__(self, *sources: str | PathLike[str], options: Iterable[str] = (), **constants: Any) -> None:
        self._messages = Messages()
        defined = [f"--const={name}={encode(value)}" for name, value in constants.items()]
        started = perf_counter()
        try:
            self._control = clingo.Control(
                ["--models=0", FORGET, *defined, *options], logger=self._messages.log, message_limit=100
            )
        except RuntimeError as error:
            raise self._messages.error(str(error)) from None
        for source in sources:
            self._load(source)
        self.seconds = {"load": perf_counter() - started}
        self._grounded = self._busy = self._closed = False
        self._mode: Mode = "auto"

    def _load(self, source: str | PathLike[str]) -> None:
        is_text = isinstance(source, str) and ("\n" in source or not source.endswith(".lp"))
        try:
            if is_text:
                self._control.add("base", [], str(source))
            else:
                _readable(Path(source))
                self._control.load(str(source))
        except RuntimeError as error:
            raise self._messages.error(str(error)) from None

    def add(self, text: str) -> None:
        """Add program text; facts, usually. Before grounding only."""
        if self._grounded:
            raise InputError("the program is ground already", hint="add facts before the first solve")
        self._load(text + "\n")

    def ground(self) -> None:
        """Instantiate the program. Done by the first solve, unless it was done before. Cannot be interrupted."""
        if self._closed:
            raise InputError("the program is closed", hint="make a new one")
        if self._grounded:
            return
        started = perf_counter()
        try:
            self._control.ground([("base", [])])
        except RuntimeError as error:
            raise self._messages.error(str(error)) from None
        self._grounded = True
        self.seconds["ground"] = perf_counter() - started

    @property
    def busy(self) -> bool:
        """True while a stream of models is open: there is one search at a time."""
        return self._busy

    @property
    def warnings(self) -> list[str]:
        """What clingo remarked while loading and grounding, such as atoms that occur in no rule head."""
        return self._messages.warnings()

    def literals(self, name: str, arity: int) -> dict[tuple[Any, ...], int]:
        """The solver literal of each atom of a predicate, by its arguments: what `assuming` takes, fastest."""
        self.ground()
        found = self._control.symbolic_atoms.by_signature(name, arity)
        return {atoms[_cffi.id_of(atom.symbol)][1]: atom.literal for atom in found}

    def models(self, *, assuming: Iterable[Assumption] = (), limits: Limits = UNLIMITED) -> Stream[Model]:
        """Enumerate the answer sets, as they are found.

        Parameters
        ----------
        assuming
            Literals that hold in this search only: `"queen(1,5)"`, `"not queen(1,5)"`, or numbers from `literals`.
        limits
            Seconds and solutions are kept; nodes mean nothing to clingo.
        """
        return Stream(lambda progress: self._search("auto", assuming, limits, progress), limits)

    def brave(self, *, assuming: Iterable[Assumption] = (), limits: Limits = UNLIMITED) -> Outcome[Model]:
        """The shown atoms that are in at least one answer set (brave consequences).

        The outcome holds one model: these atoms, all of them when `complete`, otherwise those found so far. It
        holds none when there is no answer set.
        """
        return self._consequences("brave", assuming, limits)

    def cautious(self, *, assuming: Iterable[Assumption] = (), limits: Limits = UNLIMITED) -> Outcome[Model]:
        """The shown atoms that are in every answer set (cautious consequences).

        The outcome holds one model: these atoms, no others when `complete`, otherwise those not yet ruled out. It
        holds none when there is no answer set.
        """
        return self._consequences("cautious", assuming, limits)

    def _consequences(self, mode: Mode, assuming: Iterable[Assumption], limits: Limits) -> Outcome[Model]:
        # clingo comes nearer with each model; the last one is the answer.
        stream = Stream(lambda progress: self._search(mode, assuming, limits, progress))
        outcome = stream.collect()
        return Outcome(outcome.solutions[-1:], outcome.complete, outcome.limit, outcome.statistics)

    def _search(
        self, mode: Mode, assuming: Iterable[Assumption], limits: Limits, progress: Progress
    ) -> Iterator[Model]:
        if self._busy:
            raise InputError("a search of this program is still open", hint="use it up or close it first")
        self.ground()
        literals = [self._literal(assumption) for assumption in assuming]
        if mode != self._mode:
            cast(Any, self._control.configuration).solve.enum_mode = mode
            self._mode = mode
        progress.statistics.seconds.update(self.seconds)
        self._busy = True
        try:
            with Watch(self._control.interrupt, limits.seconds) as watch:
                yield from self._solve(literals, watch, progress)
        finally:
            self._busy = False

    def _solve(self, literals: list[int], watch: Watch, progress: Progress) -> Iterator[Model]:
        found = False
        while True:
            started = perf_counter()
            watch.arm()
            try:
                handle = self._control.solve(assumptions=literals, yield_=True)
            finally:
                watch.disarm()
                progress.statistics.spend("solve", started)
            try:
                with handle:
                    for model in self._each(handle, watch, progress):
                        found = True
                        yield model
                    watch.arm()
                    result = handle.get()
                    watch.disarm()
            finally:
                progress.statistics.counters.update(_cffi.counters(self._control))
            # A stop that came after the end of an earlier search ends the next one before it began: begin again.
            if not result.interrupted or watch.fired is not None or found:
                break
        progress.complete = bool(result.exhausted)
        if not progress.complete and watch.fired is not None:
            progress.limit = watch.fired

    def _each(self, handle: clingo.SolveHandle, watch: Watch, progress: Progress) -> Iterator[Model]:
        ids, statistics = _cffi.ids, progress.statistics
        while True:
            started = perf_counter()
            watch.arm()
            try:
                handle.resume()
                model = handle.model()
            finally:
                watch.disarm()
                statistics.spend("solve", started)
            if model is None or watch.expired:
                if model is not None:
                    watch.fired = watch.fired or "seconds"
                    handle.cancel()
                return
            yield Model(ids(model), tuple(model.cost))

    def _literal(self, assumption: Assumption) -> int:
        if isinstance(assumption, int):
            return assumption
        text = assumption.strip()
        positive = not text.startswith("not ")
        text = text.removeprefix("not ").strip()
        try:
            symbol = clingo.parse_term(text, logger=lambda *_: None)
        except RuntimeError:
            raise InputError(f"`{assumption}` is not a literal", hint="write it as in `queen(1,5)`") from None
        atom = self._control.symbolic_atoms[symbol]
        # An atom that the grounder never met is false in every answer set.
        literal = atom.literal if atom is not None else self._false()
        return literal if positive else -literal

    def _false(self) -> int:
        with self._control.backend() as backend:
            return int(backend.add_atom())  # an atom without a rule

    def close(self) -> None:
        """Free the program. Its models stay as they are."""
        if self._busy:
            raise BridgeError("a search of this program is still open", hint="close the stream of models first")
        self._closed = True
        if hasattr(self, "_control"):
            del self._control

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _readable(path: Path) -> None:
    """clingo's own words for a file that cannot be read do not say why."""
    place = Place(str(path))
    try:
        path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        raise InputError("no such file", where=place, hint="check the path") from None
    except UnicodeDecodeError as error:
        raise InputError(f"byte {error.start} is not UTF-8", where=place, hint="is this a program?") from None
    except OSError as error:
        raise InputError(error.strerror or "cannot be read", where=place) from None
