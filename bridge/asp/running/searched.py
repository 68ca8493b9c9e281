"""The searches of a program in this process: models, consequences, optima, numbers, cases, and the `main` of scripts.

Solving goes on in the calling thread, where the watchdog's `Control.interrupt` stops it: a solver thread (`async_`)
costs a small problem a quarter more. `--forget-on-step=15` throws away what was learnt under the last assumptions,
which accumulates where instances are hard.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

import clingo

from bridge.asp import internals
from bridge.asp.decode import is_name
from bridge.asp.model import Model, More, Printed
from bridge.asp.reading.source import term
from bridge.asp.running.core import clashing
from bridge.asp.running.incremental import Steps
from bridge.asp.running.loaded import BASE, Loaded
from bridge.asp.running.options import Chosen
from bridge.asp.symbols import arguments_of, atoms, texts
from bridge.asp.types import Assumption, Mode, Projection
from bridge.errors import BridgeError, InputError, UnsupportedError
from bridge.isolation.watchdog import Watch
from bridge.limits import Limits
from bridge.outcome import Progress

if TYPE_CHECKING:
    from bridge.asp.reading.outline import Signature
    from bridge.asp.reading.scripts import Scripts
    from bridge.asp.results import CaseEnd
    from bridge.asp.running.application import Application
    from bridge.asp.running.theories import Theory

#: How consequences are searched for, unless the options say otherwise: fewer models show all of them when each search
#: begins anew, at the root, by scores that the models before have shaped; for `brave`, atoms are chosen true. A problem
#: with many solutions has its brave consequences after 20 models in place of 60.
_COVERING: dict[str, dict[str, str]] = {
    "brave": {"solver.heuristic": "vsids", "solver.sign_def": "pos", "solver.restart_on_model": "1"},
    "cautious": {"solver.heuristic": "vsids", "solver.restart_on_model": "1"},
}

_PROJECTIONS = {True: "auto", "show": "show", "project": "project"}

T = TypeVar("T")


class _Armed:
    """While this is entered, the solver works: its seconds are counted, and it may be stopped."""

    def __init__(self, watch: Watch, progress: Progress) -> None:
        self._watch, self._seconds = watch, progress.statistics.seconds
        self._seconds.setdefault("solve", 0.0)

    def __enter__(self) -> None:
        self._started = perf_counter()
        self._watch.arm()

    def __exit__(self, *_: object) -> None:
        self._seconds["solve"] += perf_counter() - self._started
        self._watch.disarm()


class Searched(Loaded):
    """A program that is searched for models."""

    def main(self, models: int | None, limits: Limits, progress: Progress, show: Callable[[Model], object]) -> None:
        if self._searched:
            self._begin()
        if self._scripts is None or (entry := self._scripts.entry) is None:
            raise UnsupportedError("no script of the program defines main(prg)", hint="models() solves it")
        # Another module: a process that runs no scripts needs none of it.
        from bridge.asp.reading.scripts import Main, Stopped

        self._searched = True
        self._remember()
        if models is not None:
            cast(Any, self._control.configuration).solve.models = str(models)
        statistics, exhausted = progress.statistics, True
        statistics.seconds.update(self.seconds)

        def take(model: clingo.Model) -> None:
            ids = [*internals.ids(model), *internals.ids_of(model.symbols(theory=True))]
            cost, priorities = tuple(model.cost), tuple(model.priority)
            show(Model(ids, atoms, cost, priorities, model.optimality_proven, More(control.calls - 1)))

        def finished(result: clingo.SolveResult) -> None:
            nonlocal exhausted
            exhausted = exhausted and internals.ended(result).exhausted
            statistics.counters["steps"] = control.calls

        control = self._main = Main(self._control, take, finished, self._context)
        self._idle()
        self.busy, started = True, perf_counter()
        try:
            with Watch(control.stop, limits.seconds) as watch, watch.armed():
                entry(control)
                progress.complete = exhausted
        except Stopped:
            progress.limit, progress.rung = watch.fired, watch.rung
        except MemoryError:
            raise
        except BaseException as error:
            raise self._raised.check(self._error_of_main(error, self._scripts)) from None
        finally:
            self.busy = False
            statistics.spend("solve", started)

    def _error_of_main(self, error: BaseException, scripts: Scripts) -> BridgeError:
        if isinstance(error, BridgeError):
            return error
        if (raised := scripts.take(self._texts)) is not None:  # by a function that clingo called
            return raised
        if isinstance(error, RuntimeError) and self._messages.failed:
            return self._messages.error(str(error))
        return scripts.error(error)

    def printed(
        self, mode: Mode, assuming: Sequence[Assumption], project: Projection, limits: Limits, progress: Progress
    ) -> Iterator[Printed]:
        """The same as `search` as text, for models that are only printed."""
        if self._incremental or self._scripts is not None:  # which was added
            self.leave_application()
        if self.application is not None:
            yield from cast("Iterator[Printed]", self.search(mode, assuming, project, limits, progress))
            return
        with closing(self.search(mode, assuming, project, limits, progress)) as models:
            try:
                yield from map(_printed, models)
            except KeyboardInterrupt:
                found = list(map(_printed, progress.waiting))
                progress.waiting.clear()
                progress.waiting.extend(found)
                raise

    def search(
        self, mode: Mode, assuming: Sequence[Assumption], project: Projection, limits: Limits, progress: Progress
    ) -> Generator[Model, None, None]:
        """Models as they are found. In `brave` and `cautious` the last is the answer; in `optimal` those `proved`.

        `bounded` is `optimal`, and calls the `bounded` of `progress` while clasp searches.

        `first` is for a reader of one model: a process of its own does not find others meanwhile.
        `count` yields none: how many there are is in the counter `models` of the statistics.
        """
        if self.has_main():
            raise UnsupportedError("the main(prg) of a script solves this program", hint="Program.main() runs it")
        enum_mode = mode if mode in ("brave", "cautious") else self._chosen.enum_mode
        on_unsat: Callable[[Sequence[int]], None] | None = None
        if mode == "bounded":
            mode = "optimal"

            def on_unsat(lower: Sequence[int]) -> None:
                progress.bounded(tuple(lower))

        with self._searching(limits.seconds, progress) as watch:
            more = self._first_round(progress)
            while more:
                literals = self._literals(assuming)
                if not {*map(type, assuming)} <= {int, str}:
                    assuming = literals  # blocks have several
                if mode == "optimal" and self._theory is not None and self._theory.minimizes:
                    yield from self._least(literals, assuming, watch, progress)
                elif mode == "count":
                    self._count(literals, project, limits, watch, progress)
                else:
                    most = 1 if mode == "first" and self._steps is None else 0
                    if self.application is not None and limits.solutions is not None:
                        most = limits.solutions + 1  # or there are no others
                    self._configure(enum_mode, self._chosen.opt_mode_of(mode), project, most)
                    if mode in ("brave", "cautious") and self._theory is None:
                        yield from self._consequences(mode, literals, assuming, watch, progress)
                    elif self.application is not None:
                        yield cast("Any", Printed([]))  # what clingo warns of is sent before answers
                        self._print_all(self.application, literals, assuming, watch, progress)
                    else:
                        yield from self._solve(literals, assuming, mode, watch, progress, on_unsat)
                more = self._steps is not None and self._another_round(self._steps, watch, progress)

    @contextmanager
    def _searching(self, seconds: float | None, progress: Progress) -> Iterator[Watch]:
        """While this is entered, a search is under way, which the watch can stop; afterwards, how it ended is known."""
        self._idle()
        self.busy = True
        try:
            # An incremental program may get a new Control meanwhile.
            with Watch(lambda: self._control.interrupt(), seconds) as watch:
                progress.stop = watch.end
                yield watch
                self._finish(watch, progress)
        finally:
            self.busy = False

    def literals(self, name: str, arity: int) -> dict[tuple[Any, ...], int]:
        self._idle()
        self._ground_base()
        atoms_of = internals.atoms(self._control, name.removeprefix("-"), arity, not name.startswith("-"))
        found = [one for one in atoms_of if one[1]]  # 0 is that of an atom for which no rule is left
        arguments = arguments_of([number for number, _ in found])
        return {row: literal for row, (_, literal) in zip(arguments, found, strict=True)}

    def cases(
        self, name: str, cases: Sequence[Sequence[int]], models: int, conflicts: int, limits: Limits, progress: Progress
    ) -> Iterator[Model | CaseEnd]:
        """The models in each of several cases; see `Program.cases`."""
        from bridge.asp.results import CaseEnd

        literals = [(row[0], literal) for row, literal in self.literals(name, 1).items()]
        if self._may_have_theory and next(iter(self._control.theory_atoms), None) is not None:
            raise UnsupportedError("a theory atom may mean something else under an assumption", hint="one by one")
        statistics, opt_mode = progress.statistics, self._chosen.opt_mode_of("models")
        seconds, counters = dict[str, float](), dict[str, int]()
        with self._searching(limits.seconds, progress) as watch:
            self._first_round(progress)
            for numbers in cases:
                true = set(numbers)
                assumed = [literal if number in true else -literal for number, literal in literals]
                self._configure(self._chosen.enum_mode, opt_mode, "show", models, conflicts)
                yield from self._solve(assumed, assumed, "models", watch, progress)
                if watch.fired is not None:
                    break
                spent = {one: now - seconds.get(one, 0.0) for one, now in statistics.seconds.items()}
                counted = {one: now - counters.get(one, 0) for one, now in statistics.counters.items()}
                yield CaseEnd(self._exhausted, {one: it for one, it in spent.items() if it}, counted)
                seconds, counters = dict(statistics.seconds), dict(statistics.counters)
            self._exhausted = watch.fired is None

    def _least(
        self, literals: list[int], assuming: Sequence[Assumption], watch: Watch, progress: Progress
    ) -> Iterator[Model]:
        """The models that a theory finds better and better; proved, the last of them, or all as good as it."""
        theory = self._theory
        assert theory is not None

        def solve(models: int, bound: int | None = None) -> Iterator[Model]:
            with theory.bounded(self._control, bound):
                self._configure(self._chosen.enum_mode, "ignore", False, models)
                yield from self._solve(literals, assuming, "improve", watch, progress)
            if self._minimizes:
                hint = "leave the one or the other out"
                raise UnsupportedError(f"#minimize and what {theory.name} minimises are two objectives", hint=hint)

        best = None
        if theory.variable is None:
            for best in solve(0):
                yield best
            if best is not None and self._exhausted:
                progress.remark = f"{theory.name} finds one optimal model"
                yield best.as_proved()
            return
        bound = theory.initial
        while found := list(solve(1, bound)):
            best = found[0]
            bound = best.cost[0] - 1
            yield best
        if best is not None and self._exhausted:
            for model in solve(0, best.cost[0]):
                yield model.as_proved()

    def _first_round(self, progress: Progress) -> bool:
        """Ground what is not ground yet; whether there is anything to solve."""
        if self._steps is not None and self._searched:
            if self._handed:
                hint = "solve it once, or make a new one"
                raise UnsupportedError("an incremental program gets another Control for each search", hint=hint)
            self._begin()  # what was grounded for later steps stands in the way of the first
        if BASE not in self._ground:
            self._ground_base()
        self._searched = self._exhausted = True
        self._clash, self._satisfiable = [], None
        progress.statistics.seconds.update(self.seconds)
        return self._steps is None or self._count_steps(self._steps, progress)

    def _another_round(self, steps: Steps, watch: Watch, progress: Progress) -> bool:
        """Ground the next step, if there is one to solve after this round."""
        if not steps.more(self._satisfiable):
            return False
        if watch.expired:
            self._exhausted, watch.fired = False, watch.fired or "seconds"
        if not self._exhausted:
            return False
        steps.ground_next(self._ground_parts)
        progress.statistics.seconds.update(self.seconds)
        return self._count_steps(steps, progress)

    @staticmethod
    def _count_steps(steps: Steps, progress: Progress) -> bool:
        if steps.taken:
            progress.statistics.counters["steps"] = steps.taken
        return steps.taken > 0

    def _finish(self, watch: Watch, progress: Progress) -> None:
        if self._exhausted:
            progress.complete = progress.remark is None  # a theory may not have found all that are as good
        elif watch.fired is not None:
            progress.limit, progress.rung = watch.fired, watch.rung
        elif self._chosen.solve_limit != Chosen().solve_limit and progress.limit is None:
            more = f"; {progress.remark}" if progress.remark else ""
            progress.remark = f"the option --solve-limit ended the search{more}"

    def _configure(self, enum_mode: str, opt_mode: str, project: Projection, models: int, conflicts: int = 0) -> None:
        projection = _PROJECTIONS.get(project, "no")
        if enum_mode in _COVERING:
            projection = "show"  # otherwise they are those of what #project names
        elif project and self._outputs is not None:
            projection = self._outputs.projection(projection)
        settings = {
            "solve.enum_mode": enum_mode,
            "solve.opt_mode": opt_mode,
            "solve.project": projection,
            "solve.models": str(models),
            "solve.solve_limit": str(conflicts) if conflicts else self._chosen.solve_limit,
            **self._usual,
        }
        if enum_mode in _COVERING and not self._steered:
            settings |= _COVERING[enum_mode]
            for path in _COVERING[enum_mode].keys() - self._usual.keys():
                self._usual[path] = str(getattr(*self._setting(path)))
        if settings != self._settings:
            for path, value in settings.items():
                if self._settings.get(path) != value:
                    setattr(*self._setting(path), value)
            self._settings = settings

    def _setting(self, path: str) -> tuple[Any, str]:
        """Where clingo has a setting such as `solve.models`: an object, and the name of its attribute."""
        group, name = path.split(".")
        return getattr(self._control.configuration, group), name

    def _called(self, solve: Callable[..., T], *arguments: Any) -> T:
        try:
            return solve(*arguments)
        except RuntimeError as error:
            raise self._messages.error(str(error)) from None

    def _result(self, search: internals.Search, literals: list[int], assuming: Sequence[Assumption]) -> internals.Ended:
        """How a search ended; of one without an answer set, what clashes is kept."""
        result = search.result()
        if result.unsatisfiable:
            self._clash = clashing(search.core(), literals, assuming)
        return result

    def _over(self, result: internals.Ended, watch: Watch, found: bool) -> bool:
        """Whether a search has ended: a stop that came after the end of an earlier one ends it before it began."""
        self._exhausted, self._satisfiable = result.exhausted, result.satisfiable
        return not result.interrupted or watch.fired is not None or found

    def _once(self, solve: Callable[[], tuple[internals.Ended, bool]], watch: Watch, progress: Progress) -> None:
        """A search that is one call, which gives how it ended, and whether anything was found; with its counters."""
        armed, over = _Armed(watch, progress), False
        self._exhausted = False
        while not over:
            with armed:
                result, found = solve()
            over = self._over(result, watch, found)

    def _consequences(
        self, mode: Mode, literals: list[int], assuming: Sequence[Assumption], watch: Watch, progress: Progress
    ) -> Generator[Model, None, None]:
        """The last model, which has the consequences: those before it are not read.

        clingo 5.8 leaves all facts out of the consequences when none is shown, but also of some programs where they
        are, and terms that are shown on condition of facts. They are then added (`_shown_of_facts`).
        """
        search, fact = self._search, self._some_fact()
        found, facts = cast("Sequence[int] | None", None), cast("list[int] | None", [])

        def exhaust() -> tuple[internals.Ended, bool]:
            nonlocal found, facts
            try:
                found = self._called(search.exhaust, literals)
                result = self._result(search, literals, assuming)
                lacking = found is not None and fact is not None and not search.contains(fact)
            finally:
                search.close()
            self._add_counters(progress)  # the search for an answer set has counters of its own
            if lacking:
                facts = self._shown_of_facts(mode, literals, found or (), result.exhausted)
                # An atom may be a fact only since a search has found it to be true.
                found = list(dict.fromkeys([*(facts or ()), *(found or ())]))
            return result, found is not None

        try:
            self._once(exhaust, watch, progress)
        except KeyboardInterrupt:
            if found is not None:
                progress.waiting.append(_model(found, self._step()))
            raise
        self._exhausted = self._exhausted and facts is not None
        if found is not None:
            yield _model(found, self._step())

    def _some_fact(self) -> clingo.Symbol | None:
        """An atom that is a fact of the ground program."""
        atoms = self._control.symbolic_atoms
        if self._fact is None or (known := atoms[self._fact]) is None or not known.is_fact:
            self._fact = next((atom.symbol for atom in atoms if atom.is_fact), None)
        return self._fact

    def _shown_of_facts(
        self, mode: Mode, literals: list[int], found: Sequence[int], exhausted: bool
    ) -> list[int] | None:
        """The facts that are shown as atoms, and terms that are shown on condition of facts; None after an interrupt.

        They are the same in all answer sets, so one is looked at until more is ground. Which of its terms depend on
        facts alone, the brave consequences say: these are not in them.
        """
        atoms, (size, shown) = self._control.symbolic_atoms, self._shown
        if size == len(atoms):
            return shown
        self._configure("auto", "ignore", False, 1)
        with self._search.begun(literals) as search:
            if (model := search.model()) is None:
                return None
            terms = set(model.symbols(terms=True)) if self._chosen.opt_mode_of(mode) == "ignore" else set()
            symbols = [symbol for symbol in model.symbols(shown=True) if symbol not in terms]
        left = {*internals.ids_of(terms)} - {*found}
        if left and mode == "cautious":
            self._configure("brave", "ignore", False, 0)
            with self._search.begun(literals) as search:
                left -= {*(search.last_of_all() or ())}
                exhausted = search.result().exhausted
            if not exhausted:
                return None
        facts = [symbol for symbol in symbols if (atom := atoms[symbol]) is not None and atom.is_fact]
        shown = [*internals.ids_of(facts), *left]
        if exhausted:
            self._shown = len(atoms), shown
        return shown

    def _step(self) -> More | None:
        return None if self._steps is None else More(self._steps.taken - 1)

    def _solve(
        self,
        literals: list[int],
        assuming: Sequence[Assumption],
        mode: Mode | Literal["improve"],
        watch: Watch,
        progress: Progress,
        on_unsat: Callable[[Sequence[int]], None] | None = None,
    ) -> Generator[Model, None, None]:
        more = self._step()
        search, read = self._reading(mode, more, on_unsat)
        armed, found, proved, result = _Armed(watch, progress), False, False, None
        self._exhausted = False
        while result is None or not self._over(result, watch, found):
            begun = False
            try:
                while True:
                    model = None
                    try:
                        with armed:
                            if not begun:
                                self._called(search.start, literals)
                                begun = True
                            if (model := read()) is None:
                                result = self._result(search, literals, assuming)
                    except KeyboardInterrupt:
                        if model is not None:
                            progress.waiting.append(_model(model, more))
                        raise
                    if model is None:
                        break
                    found, proved = True, mode == "optimal" and model.proved
                    yield _model(model, more)
                    if watch.expired:
                        watch.fired = watch.fired or "seconds"
                        search.cancel()
                        result = search.result()
                        break
            finally:
                search.close()
                if begun:
                    self._add_counters(progress)
        if mode == "optimal" and not (self._exhausted or proved) and (least := _lower(self._control)):
            progress.bounded(tuple(least))
            progress.remark = f"no answer set costs less than {', '.join(map(str, least))}"

    def _print_all(
        self,
        application: Application,
        literals: list[int],
        assuming: Sequence[Assumption],
        watch: Watch,
        progress: Progress,
    ) -> None:
        """The same by clingo itself: the application has what is printed."""

        def run() -> tuple[internals.Ended, bool]:
            with application.printing():
                try:
                    self._called(self._search.run, literals)
                    result = self._result(self._search, literals, assuming)
                finally:
                    self._search.close()
            self._add_counters(progress)
            (found,) = internals.numbers(self._control, *internals.ENUMERATED)
            application.check(found)
            return result, found > 0

        self._once(run, watch, progress)

    def _reading(
        self, mode: Mode | Literal["improve"], more: More | None, on_unsat: Callable[[Sequence[int]], None] | None
    ) -> tuple[internals.Search, Callable[[], Any]]:
        """What searches, and the function that goes on to the next model."""
        on_model = self._theory.on_model if self._theory is not None and mode == "improve" else None
        search = internals.Search(self._control, on_model, on_unsat)
        if self._theory is None:
            return search, _optimal_reader(search) if mode == "optimal" else search.read
        return search, _theory_reader(search, mode, self._theory, more)

    def _count(
        self, literals: list[int], project: Projection, limits: Limits, watch: Watch, progress: Progress
    ) -> None:
        counters = progress.statistics.counters
        before = counters.setdefault("models", 0)
        opt_mode = self._chosen.opt_mode_of("count")
        most = 0 if limits.solutions is None else limits.solutions - before
        self._configure(self._chosen.enum_mode, opt_mode, project, most)

        def count() -> tuple[internals.Ended, bool]:
            result = self._called(self._control.solve, literals)
            counters["models"] += internals.numbers(self._control, *internals.ENUMERATED)[0]
            self._add_counters(progress)
            return internals.ended(result), False

        self._once(count, watch, progress)
        if not self._exhausted and counters["models"] == limits.solutions:
            progress.limit = "solutions"

    def _add_counters(self, progress: Progress) -> None:
        counters = progress.statistics.counters
        for name, number in zip(internals.COUNTERS, internals.numbers(self._control, *internals.COST), strict=True):
            counters[name] = counters.get(name, 0) + number
        if self._minimizes is None:  # once for each ground program
            self._minimizes = internals.numbers(self._control, *internals.MINIMIZED) != [0]
        objective = self._minimizes or (self._theory is not None and self._theory.minimizes)
        if objective and self._settings["solve.opt_mode"] == "ignore":
            counters["minimize"] = 1

    def _facts(self) -> dict[int, int]:
        """The plain facts that are open: the literal of each, and its symbol."""
        from bridge.asp.reading.outline import plain

        self._ground_base()
        if self._open is None:
            self._open, self._literals_of = {}, {}
            some, chosen = self._switching.some if self._switching else None, self._chosen_facts()
            stated = {plain(text) for one in self._parsed() for text in one.facts.texts} if chosen else set()
            for signature in dict.fromkeys((self._switching and self._switching.facts) or ()):
                if some is None:
                    found = dict(self._open_of(signature, stated if signature in chosen else None))
                else:
                    found = dict(self._open_among(some, signature))
                self._literals_of[signature] = list(found)
                self._open |= found
        return self._open

    def _open_of(self, signature: Signature, stated: set[str] | None) -> Iterator[tuple[int, int]]:
        """The open facts of a predicate; of one that rules derive, too, only what facts state."""
        for number, literal in internals.atoms(self._control, *signature, True):
            if stated is None or (self._open_literal(symbol := internals.symbol_of(number)) and str(symbol) in stated):
                yield literal, number

    def _open_among(self, some: Sequence[str], signature: Signature) -> Iterator[tuple[int, int]]:
        """Those that are among some."""
        for symbol in map(term, some):
            if (symbol.name, len(symbol.arguments)) == signature and (literal := self._open_literal(symbol)):
                yield literal, internals.ids_of([symbol])[0]

    def _open_literal(self, symbol: clingo.Symbol) -> int:
        """The literal of an atom that is not a fact of the ground program; 0 for others."""
        atom = self._control.symbolic_atoms[symbol]
        return 0 if atom is None or atom.is_fact else atom.literal

    def _block(self, name: str, arity: int, but: Sequence[int] = ()) -> list[int]:
        """The literals of an `OpenBlock`."""
        self._facts()
        literals, away = self._literals_of[name, arity], set(but)
        return [one for one in literals if one not in away] if away else literals

    def _literals(self, assuming: Sequence[Assumption]) -> list[int]:
        if {*map(type, assuming)} <= {int}:  # hundreds, where rules are switches
            return cast("list[int]", list(assuming))
        literals: list[int] = []
        for one in assuming:
            if isinstance(one, str):
                literals.append(self._literal(one))
            else:
                literals += [one] if isinstance(one, int) else self._block(*one)
        return literals

    def _literal(self, assumption: str) -> int:
        text = assumption.strip()
        positive = not text.startswith("not ")
        symbol = self._atom_of(assumption)
        atom = self._control.symbolic_atoms[symbol]
        # An atom that the grounder never met, or found to be false, has no literal.
        literal = (atom.literal if atom is not None else 0) or self._never()
        return literal if positive else -literal

    def _atom_of(self, assumption: str) -> clingo.Symbol:
        """The atom of a literal."""
        try:
            symbol = term(assumption.strip().removeprefix("not ").strip())
            if symbol.type is not clingo.SymbolType.Function or not is_name(symbol.name):
                raise InputError("it is not an atom", hint="write it as in `queen(1,5)` or `not queen(1,5)`")
        except InputError as error:
            raise InputError(f"`{assumption}` is not a literal: {error.message}", hint=error.hint) from None
        return symbol

    def _never(self) -> int:
        if self._false is None:
            with self._control.backend() as backend:
                self._false = int(backend.add_atom())
                # Without a statement of its own, clasp gives its number to an auxiliary atom, as a bounded choice of
                # seven has them: then it may be true.
                backend.add_rule([], [self._false])
        return self._false


def _model(found: Any, more: More | None) -> Any:
    if type(found) is not Model:  # isinstance takes longer: Model is a Mapping
        return Model(found, atoms, (), (), False, more)
    found._more = found._more or more
    return found


def _printed(model: Model) -> Printed:
    return Printed([" ".join(model.through(texts))], model.step, model.assignment)


def _lower(control: clingo.Control) -> list[int]:
    """What clasp has proved the least cost to be at least, by priority; empty where it has not."""
    summary: Any = control.statistics["summary"]
    return [int(one) for one in summary.get("lower", ())]


def _optimal_reader(search: internals.Search) -> Callable[[], Model | None]:
    """A function that goes on to the next model, with its cost."""

    def read() -> Model | None:
        model = search.model()
        if model is None:
            return None
        cost = tuple(model.cost)
        # Without anything to minimise clingo proves nothing, and every answer set is as good as any other.
        return Model(internals.ids(model), atoms, cost, tuple(model.priority), model.optimality_proven or not cost)

    return read


def _theory_reader(
    search: internals.Search,
    mode: Mode | Literal["improve"],
    theory: Theory,
    more: More | None,
) -> Callable[[], Model | None]:
    """The same with the assignment of a theory; with `improve` each model costs less by the theory's own objective."""
    from bridge.asp.running.theories import HIDDEN

    step = None if more is None else more.step
    consequences = mode in ("brave", "cautious")

    def read() -> Model | None:
        model = search.model()
        if model is None:
            return None
        ids = [number for number in internals.ids(model) if not atoms[number][0].startswith(HIDDEN)]
        details = more if consequences else More(step, theory.assignment(model.thread_id))
        cost: tuple[int, ...] = ()
        if mode == "improve":
            cost = (theory.cost(model),)
        elif mode == "optimal":
            cost = tuple(model.cost)
            return Model(ids, atoms, cost, tuple(model.priority), model.optimality_proven or not cost, details)
        return Model(ids, atoms, cost, (0,) * len(cost), False, details)

    return read
