"""A clingo program, ground once and solved many times.

Each search may assume literals, so that one ground program serves many instances: over ten times faster than a
fresh Control for each (`python -m benchmarks assumptions`).

A program that says `#include <incmode>.` is grounded and solved step by step, as the clingo program does it (see
`incremental`); `statistics.counters["steps"]` is the number of steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, replace
from functools import partial
from math import inf
from os import PathLike
from typing import TYPE_CHECKING, Any, TypeVar, cast
from weakref import WeakSet

from bridge.asp.bounds import Bounds, Optimum, Tracker
from bridge.asp.decode import LARGEST, encode, facts, is_integer
from bridge.asp.functions import functions
from bridge.asp.given import given_of, name_of, plain, several
from bridge.asp.model import Model, Printed
from bridge.asp.types import SWITCH, Assumption, Mode, OpenBlock, Part, Projection, Source
from bridge.common.arguments import named_arguments
from bridge.common.closing import Closing
from bridge.common.english import how_ended
from bridge.common.lazy import load
from bridge.errors import InputError, LimitError, UnsupportedError
from bridge.limits import UNLIMITED, Limits, as_limits
from bridge.outcome import Count, Interrupted, Outcome, Progress, Stream
from bridge.public import public

if TYPE_CHECKING:
    from clingo import Control

    from bridge.asp.best import Priced
    from bridge.asp.reading.names import Switching
    from bridge.asp.results import CaseEnd, Consistent, Core, Grounding, Solved
    from bridge.asp.running.local import Local
    from bridge.asp.running.remote import Host, Remote
    from bridge.asp.trace import Trace
    from bridge.isolation.process import Output

T = TypeVar("T")


class _Pages(Stream[Printed]):
    """A stream whose items are several answer sets each."""

    def __next__(self) -> Printed:
        page = self._within(super().__next__(), self.found - 1)
        self.found += len(page.texts) - 1
        return page

    def leftover(self) -> list[Printed]:
        found, pages = self.found, []
        for page in list(self._progress.waiting):
            pages.append(self._within(page, found))
            found += len(page.texts)
        return [page for page in pages if page.texts]

    def _within(self, page: Printed, found: int) -> Printed:
        """What the limit on solutions leaves of a page, after so many answer sets; the rest waits."""
        most = self._limits.solutions
        if most is None or found + len(page.texts) <= most:
            return page
        self._progress.waiting.append(page)  # there are more
        return page._replace(texts=page.texts[: max(most - found, 0)])


class _Limited:
    """The methods of what runs a program, with limits."""

    def __init__(self, backend: Any, limits: Limits) -> None:
        self._backend, self._limits = backend, limits

    def __getattr__(self, name: str) -> Any:
        return partial(getattr(self._backend, name), limits=self._limits)


@public("bridge.asp")
class Program(Closing):
    """A logic program for clingo: loaded, ground, solved.

    Parameters
    ----------
    sources
        Files and program text. A string is a path when it has no line break and no dot that ends a rule, and either has
        a suffix of a program (`.lp`, `.lp4`, `.asp`, ...) or a path separator; any other string is text.
    options
        Further options of clingo's command line, such as `--configuration=frumpy`, and of the theory's. Those that say
        how many models there are to be, and which, are refused: the methods say that.
    isolated
        Run clingo in a process of its own, which can always be stopped, and whose memory can be limited. Costs some
        milliseconds; without it, grounding cannot be interrupted, `#script` is refused, and what makes clingo crash
        (`p(-2147483648/-1).` is one such program) ends this process.
    untrusted
        Confine that process, for a program from an unknown source (see SECURITY.md): no `#script`, and
        `#include` only of files that are given here.
    context
        Functions for `@name(...)` in the program: an object with methods, a mapping from names, or a list of functions
        (`bridge.asp.functions`). Arguments and results are Python values. They run in this process, also those of an
        isolated program, which may call each with any terms. Functions of the program's scripts come after them.
    theory
        `"clingo-dl"` or `"clingcon"`, packages of their own: their theory atoms then mean something, and models have an
        `assignment`.
    output
        Where what scripts print goes: where this process prints (`inherit`), all of it to `stderr`, or `nowhere`.
    switching
        Which rules are switches, to be assumed (see `reading.switches`). Without it, the program is loaded as it is.
    tuning
        Further options, by which its models are found faster. Consequences are searched for in another way, which finds
        many atoms in few models, unless `options` say how.
    allow_missing_walls
        Run it even where this machine does not put up an essential wall of the operating system (`lpbridge doctor`
        shows them), and say so in `warnings`; otherwise that is an UnsupportedError.
    limits
        For loading. Each question has limits of its own, also for the grounding that the first one begins with:
        `program.first(limits=...)`.
    host
        The process that it shares with other programs of the same sources (`running.remote.Host`); by default it has
        its own.
    printing
        Whether its answer sets are `printed`, and not looked at: clingo then prints them itself, at its own speed and
        in its own order of atoms. So it is where the program is trusted, has a process of its own, without a limit on
        memory, and is not incremental; it has no script, theory, context, or `#include`. Other questions load it anew.
    constants
        Values for `#const`: integers, strings, `Constant`, tuples, `Function`. One that is nowhere in the program when
        it is ground is an InputError.

    Raises
    ------
    ProgramError
        With file, line and column, when the program cannot be parsed or ground, or has an integer of over 32 bits.
    InputError
        When a file cannot be read, a constant is not a term, or an option is unknown or a question's own.
    MissingSolverError
        When the theory is not installed.
    """

    @named_arguments
    def __init__(
        self,
        *sources: str | PathLike[str],
        options: Iterable[str] = (),
        isolated: bool = True,
        untrusted: bool = False,
        context: Any = None,
        theory: str | None = None,
        output: Output = "inherit",
        switching: Switching | None = None,
        tuning: Iterable[str] = (),
        allow_missing_walls: bool = False,
        limits: Limits = UNLIMITED,
        host: Host | None = None,
        printing: bool = False,
        **constants: Any,
    ) -> None:
        self._isolated, self._untrusted = isolated or untrusted, untrusted
        self._theory = _theory(theory)
        call = None if context is None else functions(context)
        self._checked(limits)
        checked = given_of(sources, options, constants, untrusted)
        given, opened = checked
        self._stated: list[Source] = [(kind, source if kind == "file" else f"{source}\n") for kind, source in given]
        self._externals: dict[str, bool | None] = {}
        self._streams: WeakSet[Stream[Any]] = WeakSet()
        self._has_context = context is not None
        self._files = checked.files
        self._given = opened
        self._allow_missing_walls = allow_missing_walls
        self._backend: Local | Remote
        if self._isolated:
            # Here: a program in this process needs no worker.
            from bridge.asp.running.packing import Opening
            from bridge.asp.running.remote import Host, Remote

            switched = None if switching is None else astuple(switching)
            printing = printing and host is None and as_limits(limits).memory is None
            tuned = [*opened, *tuning]
            opening = Opening(given, tuned, switched, theory, call is not None, printing, untrusted)
            own = host is None
            host = host or Host(given, tuned, untrusted, allow_missing_walls, output, call)
            self._backend = Remote(opening, host, limits, own)
        else:
            from bridge.asp.running.local import Local  # here: a program in a worker needs no clingo in this process

            self._backend = Local(given, opened, switching, theory, call, tuning=tuple(tuning))

    def __repr__(self) -> str:
        files = [text if kind == "file" else "<text>" for kind, text in self._stated]
        return f"<{type(self).__name__} {', '.join(files)}>"

    def _checked(self, limits: Limits) -> Limits:
        if as_limits(limits).memory is not None and not self._isolated:
            raise UnsupportedError("memory is limited only in a process of its own", hint="isolated=True does it")
        return limits

    def inside(self, limits: Limits = UNLIMITED) -> Local:
        """What runs the program, for analysis: of a process of its own, each call is within limits."""
        checked = self._checked(limits)
        return cast("Local", _Limited(self._backend, checked) if self._isolated else self._backend)

    # Before solving

    def add(self, text: str, part: str = "base", parameters: Sequence[str] = ()) -> None:
        """Add program text; facts, usually. To a part that is not ground yet.

        Parameters
        ----------
        text
            Rules; `facts` writes them from Python values.
        part
            The part that they belong to, as in `#program step(t).`
        parameters
            The names of the part's parameters: `("t",)`.
        """
        names = [name_of(parameter, "a parameter") for parameter in several(parameters, "names of parameters")]
        checked = _text(text)
        if self._untrusted:
            from bridge.asp.reading.guard import guard

            guard([("text", checked)], files=self._files)
        self._backend.add(checked, name_of(part, "a part"), names)
        head = "" if part == "base" else f"#program {part}({','.join(names)}). "
        self._stated.append(("text", f"{head}{checked}\n"))

    def add_facts(
        self,
        of: str | Iterable[Any],
        rows: Iterable[Any] | None = None,
        *,
        columns: Mapping[str, Callable[[Any], Any]] | None = None,
    ) -> None:
        """Add facts to `base`: `add_facts("edge", pairs)`, `add_facts("node", names)`, or `add_facts(objects)`.

        A string or a single value is one argument, a tuple holds several; the rows may be a table of pandas, Polars or
        PyArrow, with functions for some of its `columns`; see `facts`.
        """
        text = facts(of, rows, columns=columns)
        self._backend.add(text, "base", ())
        self._stated.append(("text", f"{text}\n"))

    def ground(self, *parts: tuple[Any, ...]) -> None:
        """Instantiate the program: `base`, which the first solve does by itself, and further parts.

            program.ground(("step", 3), ("check", 3))

        Each part is a name and its arguments, Python values. What is ground already stays as it is; further parts may
        be ground after solving. Grounding cannot be interrupted.
        """
        self._backend.ground([_part(part) for part in parts])

    def assign_external(self, atom: Any, value: bool | None) -> None:
        """Make an atom that is declared `#external` true, false, or open (None).

        Parameters
        ----------
        atom
            As text, `"query(3)"`, or as a Python value: `Function("query", (3,))`, or an instance of a class of yours.
        value
            At the start every external atom is false.
        """
        if value is not None and not isinstance(value, bool):
            raise InputError(f"{value!r} is not a truth value", hint="True, False, or None for open")
        self._backend.assign_external(_atom(atom), value)
        self._externals[_atom(atom)] = value

    def release_external(self, atom: Any) -> None:
        """Make an external atom false for good, which lets clingo simplify the program."""
        self._backend.release_external(_atom(atom))
        self._externals[_atom(atom)] = False

    def state_externals(self, values: Mapping[str, bool | None]) -> None:
        """As `assign_external` of several atoms, once they are ground; those that are not external are left out."""
        self._backend.state_externals(dict(values))
        self._externals |= values

    @property
    def busy(self) -> bool:
        """True while a stream of models is open: there is one search at a time."""
        return self._backend.busy

    @property
    def isolated(self) -> bool:
        """Whether it runs in a process of its own."""
        return self._isolated

    @property
    def warnings(self) -> list[str]:
        """The warnings of loading and grounding, such as atoms that occur in no rule head."""
        return self._backend.warnings()

    def switches(self) -> dict[str, int]:
        """The solver literal of each rule that is a switch, by the rule's name: `row 3`, `rooms.lp:12:1`.

        Grounds the program. Empty without `switching`.
        """
        from bridge.asp.reading.names import instance_name

        return {instance_name(*key): literal for key, literal in self.literals(SWITCH, 2).items()}

    def trace(
        self,
        atom: str,
        holds: bool = True,
        *,
        possible: bool = False,
        assuming: Iterable[Assumption] = (),
        optimal: bool = False,
        limits: Limits = UNLIMITED,
    ) -> Trace:
        """Why an atom holds in an answer set, or does not.

        Parameters
        ----------
        atom
            As text: `"at(math,1)"`.
        holds
            An answer set in which it holds is looked for, or one in which it does not.
        possible
            Whichever answer set: with `holds=False`, which literals of rule bodies hold in none as far as gringo sees.
        assuming
            Literals that hold in the answer set.
        optimal
            One of least cost.

        Raises
        ------
        LimitError
            When a limit comes first.
        """
        return self.inside(limits).trace(atom, holds, possible, _assumed(assuming), optimal)

    def literals(self, name: str, arity: int, *, limits: Limits = UNLIMITED) -> dict[tuple[Any, ...], int]:
        """The solver literal of each atom of a predicate, by its arguments: what `assuming` takes, fastest.

        An atom that no answer set has may be left out, where no rule for it is left after grounding.
        Grounds the program, with limits where it has a process of its own.
        """
        sign = "-" if isinstance(name, str) and name.startswith("-") else ""
        name = sign + name_of(name.removeprefix("-") if sign else name, "a predicate")
        if isinstance(arity, bool) or not isinstance(arity, int) or not 0 <= arity <= LARGEST:
            raise InputError(f"{arity!r} is not a number of arguments", hint="it is 0 or more")
        return self.inside(limits).literals(name, arity)

    # Solving

    def models(
        self, *, assuming: Iterable[Assumption] = (), project: Projection = False, limits: Limits = UNLIMITED
    ) -> Stream[Model]:
        """Enumerate the answer sets, as they are found.

        All of them: `#minimize` and weak constraints are ignored (`optimal` is for them); the statistics have the
        counter `minimize` where there are any.

        Parameters
        ----------
        assuming
            Literals that hold in this search only: `"queen(1,5)"`, `"not queen(1,5)"`, or numbers from `literals`.
        project
            Answer sets that show the same atoms come only once; where the program has `#project` statements, those that
            are the same in the atoms that these name. `"show"` and `"project"` look at the one or the other alone.
            Of a theory's values, those of one such answer set come along.
        limits
            Seconds and solutions are kept; nodes mean nothing to clingo.
        """
        return self._opened(Stream(self._search("models", assuming, project, limits), limits))

    def printed(
        self, *, assuming: Iterable[Assumption] = (), project: Projection = False, limits: Limits = UNLIMITED
    ) -> Stream[Printed]:
        """Enumerate the answer sets as `models` does, as the text that clingo prints, several at once as they come.

        For answer sets that are only printed or written to a file: no atom becomes a Python value, which takes most of
        the time of a large model. The stream's `found` and its limit on solutions count answer sets.
        """
        search = self._search("models", assuming, project, limits, "printed")
        return self._opened(_Pages(cast("Callable[[Progress], Iterator[Printed]]", search), limits))

    def _search(
        self,
        mode: Mode,
        assuming: Iterable[Assumption | OpenBlock],
        project: Projection,
        limits: Limits,
        method: str = "search",
        on_lower: Callable[[tuple[int, ...]], object] | None = None,
    ) -> Callable[[Progress], Iterator[Model]]:
        assumed = _assumed(assuming)
        if project not in (True, False, "show", "project"):
            raise InputError(f"{project!r} is not a projection", hint='True, False, "show", or "project"')
        checked = self._checked(limits)

        def produce(progress: Progress) -> Iterator[Model]:
            progress.bounded = on_lower or progress.bounded
            found: Iterator[Model] = getattr(self._backend, method)(mode, assumed, project, checked, progress)
            return found

        return produce

    def search(
        self, assuming: Sequence[Assumption], limits: Limits, progress: Progress, project: bool = False
    ) -> Iterator[Model]:
        """What `models` does, for a stream of the caller's own: yields models, and records in `progress` how it ended.

        For callers that solve very often: the assumptions are not checked. Of the limits only seconds are kept. After
        Ctrl-C, `progress.waiting` has the model that had been found, if one had.
        """
        return self._backend.search("models", assuming, project, self._checked(limits), progress)

    def cases(
        self,
        name: str,
        cases: Sequence[Sequence[int]],
        *,
        conflicts: int,
        limits: Limits = UNLIMITED,
    ) -> Stream[Model | CaseEnd]:
        """The answer sets in each of several cases, those that show the same once; after those of each, how it ended.

        In a case, the atoms `name(N)` of its numbers are true, and the other ones false: they are to be chosen freely.
        All cases are one call to the process of the program, which goes on while the first ones are read.

        Parameters
        ----------
        name
            A predicate of one argument.
        cases
            The numbers N of each.
        conflicts
            The search of each ends after so many conflicts.
        limits
            `solutions` of each case, and seconds for all of them together.

        Raises
        ------
        UnsupportedError
            When there are theory atoms.
        """
        checked = self._checked(replace(limits, solutions=None))
        given = [list(one) for one in cases]

        def produce(progress: Progress) -> Iterator[Model | CaseEnd]:
            return self._backend.cases(name, given, limits.solutions or 0, conflicts, checked, progress)

        return self._opened(Stream(produce, checked))

    def first(self, *, assuming: Iterable[Assumption] = (), limits: Limits = UNLIMITED) -> Model | None:
        """An answer set; None when there is none, or when a limit that is given came first (`solve` says which).

        Raises
        ------
        LimitError
            When something else ended the search: its process died, or another thread closed the program.
        """
        return Stream(self._search("first", assuming, False, limits), limits).first()

    def solve(self, *, assuming: Iterable[Assumption] = (), limits: Limits = UNLIMITED, refine: bool = True) -> Solved:
        """Is there an answer set? If not, which assumptions clash?

        Parameters
        ----------
        refine
            Solve again with fewer assumptions until the core gets no smaller; without it, the core is clingo's first.

        Raises
        ------
        Interrupted
            On Ctrl-C, with what is known so far in `partial`; as in `count`, `brave`, `cautious`, `optimal`.
        """
        from bridge.asp.results import Solved

        models = Stream(self._search("first", assuming, False, limits), limits)
        try:
            with models:
                model = next(models, None)
        except KeyboardInterrupt:
            raise Interrupted(Solved(None, limit="interrupt", statistics=models.statistics)) from None
        if model is not None:
            return Solved(True, model, statistics=models.statistics)
        if models.complete:
            return Solved(False, core=tuple(self._backend.core(refine)), statistics=models.statistics)
        return Solved(None, limit=models.limit, statistics=models.statistics)

    def consistent(self, assuming: Iterable[Assumption | OpenBlock], *, limits: Limits = UNLIMITED) -> Consistent:
        """Whether some assumptions can hold together; if not, clingo's first core; and the limit that came first.

        Cheaper than `solve` where it is asked very often: no model comes back. Of an open block the core has literals.
        """
        try:
            return self.inside(_late(limits)).consistent(_assumed(assuming), limits.seconds)
        except LimitError:
            return None, [], "seconds"

    def clashes(
        self,
        assumed: Sequence[Assumption | OpenBlock],
        rules: Sequence[int],
        *,
        most_rules: int = 100,
        limits: Limits = UNLIMITED,
    ) -> Stream[Core]:
        """Cores of some literals, better and better; the last is a small one from which nothing can be left out.

        Of what can hold together there is none: a `Core` without literals.

        Parameters
        ----------
        assumed
            Literals, and blocks of open facts.
        rules
            Those of the literals that are rules: a core of one of them and of what is not a rule is looked for first.
        most_rules
            With more rules than these, single ones are tried only when they are in the first core.
        """
        checked = self._checked(limits)
        given = _assumed(assumed)
        return self._opened(
            Stream(lambda progress: self._backend.clashes(given, list(rules), most_rules, checked, progress), limits)
        )

    def count(
        self,
        *,
        assuming: Iterable[Assumption | OpenBlock] = (),
        project: Projection | None = None,
        limits: Limits = UNLIMITED,
    ) -> Count:
        """How many answer sets there are, at clingo's own speed.

        Unless `project` is False, those that show the same atoms count once, so that atoms which only help do not
        make one solution count twice (of a program with `#project` statements, see `models`). With a theory, where
        answer sets that show the same may differ in their values, all count unless `project` is said.
        """
        projected = self._theory is None if project is None else project
        stream = Stream(self._search("count", assuming, projected, limits))
        counters = stream.statistics.counters
        try:
            stream.collect()
        except KeyboardInterrupt:
            raise Interrupted(Count(counters.get("models", 0), False, "interrupt", stream.statistics)) from None
        return Count(counters.get("models", 0), stream.complete, stream.limit, stream.statistics)

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
        # Each model is a better approximation; the last one is the answer.
        try:
            outcome = Stream(self._search(mode, assuming, False, limits)).collect()
        except Interrupted as interrupted:
            partial = interrupted.partial
            raise Interrupted(replace(partial, solutions=partial.solutions[-1:])) from None
        return replace(outcome, solutions=outcome.solutions[-1:])

    def optimal(
        self,
        *,
        assuming: Iterable[Assumption] = (),
        gap: float | None = None,
        limits: Limits = UNLIMITED,
        on_progress: Callable[[Model], object] | None = None,
        on_bounds: Callable[[Bounds], object] | None = None,
    ) -> Optimum[Model]:
        """The answer sets of least cost, by `#minimize`, `#maximize` and weak constraints.

        The outcome holds all optimal models when `complete`, each with `proved` and its `cost`. When a limit comes
        before the proof, it holds the best model found so far, not `proved`. Without anything to minimise, all
        answer sets are optimal.

        With a theory, also by what the theory minimises: clingcon's `&minimize` and `&maximize`, of which one optimal
        model is found (`complete` is False then, and there is a `remark`), or the variable that clingo-dl's option
        `--minimize-variable` names. The `cost` is the one value.

        Parameters
        ----------
        gap
            Stop when the best model costs at most so much more than what clasp has proved no answer set to cost less
            than, as a share of its cost: 0.05 is 5 %. The `limit` of the outcome is `gap` then. With several priorities
            the gap is that of the first one that is open. Core-guided search proves such bounds as it goes, the option
            `--opt-strategy=usc`; by default clasp proves none before the end, nor does it of what a theory minimises.
        on_progress
            Called with each model that costs less than those before it, as they are found.
        on_bounds
            Called with the cost of the best model and the proved lower bound each time that one of them changes. In
            this process (`isolated=False`) from within clasp, which waits for it.

        Raises
        ------
        InputError
            For a gap that is not a number of at least 0.
        """
        if gap is not None and (isinstance(gap, bool) or not isinstance(gap, int | float) or not 0 <= gap < inf):
            raise InputError(f"{gap!r} is not a gap", hint="gap=0.05 is 5 %")
        mode: Mode = "optimal" if gap is None and on_bounds is None else "bounded"
        stream = Stream(self._search(mode, assuming, False, limits, on_lower=lambda lower: tracker.proved(lower)))
        tracker = Tracker(gap, on_bounds, stream.stop)
        best: Model | None = None
        optimal: list[Model] = []
        steps = 0

        def take(model: Model) -> None:
            nonlocal best, steps
            if (step := stream.statistics.counters.get("steps", 0)) != steps:
                steps, best = step, None  # the answer is that of the last step
                optimal.clear()
                tracker.restart()
            if model.proved:
                optimal.append(model)
                return
            best = model
            tracker.found(model.cost)
            if on_progress is not None:
                on_progress(model)

        def outcome() -> Optimum[Model]:
            tracker.check()
            found = stream.outcome(optimal or ([] if best is None else [best]))
            limit = "gap" if tracker.reached and not found.complete else found.limit
            cost = found.solutions[0].cost if found.solutions else ()
            bounds = Bounds(cost, cost if optimal else tracker.bounds.lower)
            more = (found.statistics, found.rung, found.remark)
            return Optimum(found.solutions, found.complete, limit, *more, bounds=bounds)

        with stream:
            try:
                for model in stream:
                    take(model)
                    if len(optimal) == limits.solutions:
                        stream.close()
                        return replace(outcome(), complete=False, limit="solutions")
            except KeyboardInterrupt:
                stream.interrupted()
                for model in stream.leftover():
                    take(model)
                raise Interrupted(outcome()) from None
        return outcome()

    def best(
        self,
        number: int,
        *,
        limits: Limits = UNLIMITED,
        on_progress: Callable[[Model], object] | None = None,
    ) -> Outcome[Priced]:
        """So many answer sets of least cost, the cheapest first, each with the tuples that it pays for.

        Those that cost the same come in no particular order. `complete` says that there are no others, dearer ones
        included. When a limit comes, those found so far are kept; without any, the best model, not `proved`.

        Parameters
        ----------
        on_progress
            Called with each model that costs less than those before it, until the first optimal one is proved.

        Raises
        ------
        UnsupportedError
            When the program minimises nothing; with a theory, a script or a context, and when it is incremental.
        """
        if self._has_context or self._theory or self.has_main:
            raise UnsupportedError("the next best answers of a program with functions or a theory are not looked for")
        most = as_limits(replace(limits, solutions=number))
        from pathlib import Path

        from bridge.asp.best import Elements, best
        from bridge.asp.reading.text import texts_of

        stated = [Path(source) if kind == "file" else source for kind, source in self._stated]
        texts = [each for one in texts_of(stated) for each in (one, *one.included)]

        def opened(rules: str) -> Program:
            program = Program(
                *stated,
                rules,
                options=self._given,
                isolated=self._isolated,
                untrusted=self._untrusted,
                allow_missing_walls=self._allow_missing_walls,
                limits=replace(limits, solutions=None),
            )
            for atom, value in self._externals.items():
                program.assign_external(atom, value)
            return program

        return best(opened, Elements(texts), number, most, on_progress)

    def main(self, *, models: int | None = None, limits: Limits = UNLIMITED) -> Stream[Model]:
        """Run the `main(prg)` of the program's scripts, and give the models of its solve calls, as they are found.

        It grounds and solves in place of the other methods, which refuse such a program, and does so as the clingo
        command has it: with the options given, `--enum-mode=brave` and the like included. Each model tells its `step`.
        The stream is `complete` when `main` has returned, and each of its searches was complete; what `main` raises is
        a ProgramError with the line of the script.

        Parameters
        ----------
        models
            How many models each solve call finds at most, 0 for all. None leaves it to clingo: one, or with `#minimize`
            better and better ones. The script may say otherwise.
        limits
            Seconds are kept; `solutions` counts those of all solve calls together, and ends `main` with the last.
        """
        if models is not None and (isinstance(models, bool) or not isinstance(models, int) or models < 0):
            raise InputError(f"{models!r} is not a number of models", hint="0 is for all")
        checked = self._checked(limits)
        if not self._isolated:
            raise UnsupportedError("scripts run only in a process of their own", hint="isolated=True")
        remote: Any = self._backend  # which streams what the worker's own method passes on
        return self._opened(Stream(lambda progress: remote.main(models, checked, progress), checked))

    @property
    def has_main(self) -> bool:
        """True when the program's scripts define `main`: the method `main` runs it."""
        return self._backend.has_main()

    def control(self) -> Control:
        """clingo's own Control of a program in this process, for propagators, observers, heuristics and the backend.

        What is done with it is between the caller and clingo: places of errors, limits, and models that outlive the
        search are promises of this class alone. Add propagators and observers before anything is ground; the methods
        ground and solve as before. Theory atoms are taken to be those of the caller's propagators.

        Raises
        ------
        UnsupportedError
            When the program is isolated.
        """
        if self._isolated:
            raise UnsupportedError("the Control of an isolated program is in another process", hint="isolated=False")
        return self._backend.control()

    def grounding(self, *, limits: Limits = UNLIMITED) -> Grounding:
        """Ground the program once more, beside this one, and count what comes out: rules and atoms by predicate.

        Of a program in incremental mode, the first step. With a limit of seconds, a blow-up is counted so far.
        """
        progress = Progress()
        try:
            found: list[Grounding] = list(self._backend.grounding(limits, progress))
        except KeyboardInterrupt:
            if not progress.waiting:
                raise
            raise Interrupted(replace(progress.waiting[0], limit="interrupt")) from None
        if not found:
            raise LimitError(
                progress.remark or f"{how_ended(progress.limit)}, and no rule had come out for long",
                hint="clingo reports nothing of a grounding that makes no rules",
            )
        if found[0].limit == "interrupt":
            raise Interrupted(found[0])
        return found[0]

    # Why

    def diagnose(
        self, *, limits: Limits = Limits(seconds=10), optimal: bool = False, **options: Any  # noqa: B008 it is a value
    ) -> Any:
        """Whether there is one answer set, several or none, why, and what to change.

        This is `bridge.diagnose` of the program: its files and texts, with what was added and the externals as they are
        assigned. Places in texts have the names `<string>`, or `<text 1>` and so on where there are several, in the
        order in which they were given.

        Parameters
        ----------
        limits
            The limit on the whole diagnosis.
        optimal
            Whether only its answer sets of least cost count.
        options
            As for `bridge.diagnose`: `clashes=3`, `instances=True`, `variants=["slots=4"]`.

        Returns
        -------
        A `bridge.Diagnosis`.

        Raises
        ------
        UnsupportedError
            For a program with a context.
        """
        return load("bridge:diagnose")(self._problem(optimal=optimal), limits=limits, **options)

    def why(self, atom: str, *, limits: Limits = Limits(seconds=10), **options: Any) -> Any:  # noqa: B008
        """Why an atom holds, or does not: `bridge.why` of the program as for `diagnose`.

        Parameters
        ----------
        atom
            As text: `"at(math,1)"`.
        limits
            The limit on the whole question.
        options
            As for `bridge.why`: `holds=False`, `rather_than="at(math,2)"`, `given=["at(art,2)"]`.

        Returns
        -------
        A `bridge.why` answer, `Reasons`.
        """
        return load("bridge:why")(self._problem(), atom, limits=limits, **options)

    def _problem(self, **more: Any) -> Any:
        if self._has_context:
            hint = "put what they compute into facts"
            raise UnsupportedError("functions of a context cannot be asked why", hint=hint)
        from pathlib import Path  # here, as below: it takes every command two milliseconds

        return load("bridge:AspProblem")(
            *(Path(source) if kind == "file" else source for kind, source in self._stated),
            options=self._given,
            externals=self._externals,
            theory=self._theory,
            untrusted=self._untrusted,
            allow_missing_walls=self._allow_missing_walls,
            **more,
        )

    def close(self) -> None:
        """Close the streams that are open, and free the program. Its models stay as they are."""
        for stream in list(self._streams):
            stream.close()
        self._backend.close()

    def _opened(self, stream: Stream[T]) -> Stream[T]:
        self._streams.add(stream)
        return stream


#: The theories that there are (`bridge.asp.running.theories` knows what they are; it needs clingo).
_THEORIES = ("clingo-dl", "clingcon")


def _theory(theory: str | None) -> str | None:
    if theory is not None and theory not in _THEORIES:
        raise InputError(f"there is no theory {theory!r}", hint=f"it may be {' or '.join(_THEORIES)}")
    return theory


def _text(text: str) -> str:
    if not isinstance(text, str):
        raise InputError(f"{text!r} is not a program text", hint="add_facts takes Python values")
    return plain(text)


def _assumed(assuming: Iterable[Assumption | OpenBlock]) -> tuple[Assumption, ...]:
    found: tuple[Any, ...] = tuple(several(assuming, "literals"))
    if {*map(type, found)} == {int} and 0 not in found and min(found) > -_BOUND and max(found) < _BOUND:
        return found  # hundreds, where rules are switches
    return tuple(map(_literal, found))


def _literal(literal: Any) -> Any:
    if isinstance(literal, OpenBlock):
        return tuple(literal)
    if isinstance(literal, str):
        return plain(literal)
    if is_integer(literal) and not isinstance(literal, bool) and 0 < abs(int(literal)) < _BOUND:
        return int(literal)
    raise InputError(f"{literal!r} is not a literal", hint='write it as in "queen(1,5)" or "not queen(1,5)"')


#: Seconds after its limit that a search has to end by itself before its process is ended.
_GRACE = 0.5


def _late(limits: Limits) -> Limits:
    return limits if limits.seconds is None else replace(limits, seconds=limits.seconds + _GRACE)


#: clingo's literals are numbers below this one; it takes more for something else.
_BOUND = 2**28


def _part(part: tuple[Any, ...]) -> Part:
    if not isinstance(part, tuple) or not part or not isinstance(part[0], str):
        raise InputError(f"{part!r} is not a part of a program", hint='write it as in ("step", 3)')
    return (name_of(part[0], "a part"), tuple(encode(argument) for argument in part[1:]))


def _atom(atom: Any) -> str:
    return plain(atom) if isinstance(atom, str) else encode(atom)
