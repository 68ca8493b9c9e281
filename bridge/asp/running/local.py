"""clingo in this process: a program that is loaded, searched, and asked what lies behind its answers.

`CALLS` in `packing` lists the methods that a program in another process calls. What few programs need (the syntax tree,
derivations) is imported where it is used, so that the others start faster.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, cast

import clingo

from bridge.asp import internals
from bridge.asp.reading.source import term
from bridge.asp.running.core import ORDERS, clashes, smaller
from bridge.asp.running.loaded import symbols_of
from bridge.asp.running.searched import Searched
from bridge.asp.symbols import arguments_of, atoms
from bridge.asp.types import SWITCH, Assumption, Mentions, Source
from bridge.errors import UnsupportedError
from bridge.limits import Deadline, Limits
from bridge.outcome import Progress

if TYPE_CHECKING:
    from bridge.asp.ground_rules import GroundRules
    from bridge.asp.reading.outline import Outline
    from bridge.asp.results import Consistent, Core
    from bridge.asp.running.derivation import Firings
    from bridge.asp.trace import Trace

#: A core of more plain facts than these is told only when it has been made smaller.
MOST_NAMED = 1000

#: With more literals than these, a core is made smaller in one order only: a question takes tenths of a second.
MANY = 20_000


class Local(Searched):
    """A program in this process, with what else it can be asked."""

    def mentions(self, name: str, arity: int) -> Mentions:
        """The atoms of a predicate that the rules under each switch are about, by its key, with their arguments.

        What a rule uses stands for what that is defined by. The second result has the atoms of each constraint without
        a switch that is about several. The program is ground once more for this.
        """
        from bridge.asp.running.mentions import mentions

        context = self._context
        found, others = self._beside(lambda fresh, parts: mentions(fresh, parts, context, name, arity, SWITCH))
        named = {key: list(arguments_of(symbols)) for key, symbols in found.items()}
        keys = dict(zip(named, arguments_of(named), strict=True))
        return [(keys[key], rows) for key, rows in named.items()], [list(arguments_of(symbols)) for symbols in others]

    def ground_rules(self, answer: str) -> GroundRules:
        """The rules of the ground program, as plain data; facts of one predicate are named, too."""
        from bridge.asp.running.recorder import ground_rules

        context, read = self._context, atoms.__getitem__
        return self._beside(lambda fresh, parts: ground_rules(fresh, parts, context, read, answer))

    def outline(self) -> Outline:
        from bridge.asp.reading.statements import outline

        return outline(self._reader.read((kind, source) for kind, source, _ in self._loaded))

    def open_facts(self, some: Sequence[int | str] | None) -> list[tuple[str, int]]:
        """The plain facts that are open, as clingo writes them, and the literal of each; or those of some."""
        self._idle()
        facts, symbols = self._facts(), self._control.symbolic_atoms
        if some is None:
            literals: Sequence[int] = list(facts)
        else:
            atoms = (one if isinstance(one, int) else symbols[term(one)] for one in some)
            found = (one if isinstance(one, int) else one.literal for one in atoms if one is not None)
            literals = [literal for literal in found if literal in facts]
        return [(str(internals.symbol_of(facts[literal])), literal) for literal in literals]

    def trace(self, atom: str, holds: bool, possible: bool, assuming: Sequence[Assumption], optimal: bool) -> Trace:
        """Why an atom holds in an answer set, or does not; see `Program.trace`."""
        from bridge.asp.trace import Trace

        self._idle()
        if self._is_incremental():
            raise UnsupportedError("the program is incremental: there is no derivation of its atoms")
        self._ground_base()
        symbol = self._atom_of(atom)
        literals = self._literals(assuming)
        if not possible:
            literals.append(self._literal(atom if holds else f"not {atom}"))
        self._configure("auto", "opt" if optimal else "ignore", False, 0 if optimal else 1)
        model: list[clingo.Symbol] | None = None
        with self._control.solve(yield_=True, assumptions=literals) as handle:
            for found in handle:
                model = list(found.symbols(atoms=True))
        if model is None and not possible:
            return Trace(None)
        firings = self._possible_firings() if possible else self._firings(model or ())
        atoms = None if model is None else tuple(map(str, model))
        if holds:
            steps = tuple(firings.derivation(symbol))
            derivations, every = firings.derivations(symbol) if steps else ([], True)
            several = tuple(map(tuple, derivations)) if len(derivations) > 1 or not every else ()
            steps = min(steps, *several[:1], key=len) if several else steps
            return Trace(atoms, steps, several, every, theory=firings.theory)
        missing = tuple(firings.missing(str(symbol)))
        if not possible or symbol in self._control.symbolic_atoms:
            return Trace(atoms, missing=missing, theory=firings.theory)
        support, ends = firings.support(str(symbol))
        return Trace(atoms, missing=missing, support=tuple(support), ends=tuple(ends), theory=firings.theory)

    def unsupported(self, places: Sequence[str]) -> Trace:
        """What is missing for the first atom that the constraints at some places demand and nothing derives."""
        from bridge.asp.trace import Trace

        self._idle()
        if self._is_incremental():
            return Trace(None)
        self._ground_base()
        firings = self._possible_firings()
        for atom in firings.demanded(places):
            support, ends = firings.support(atom)
            return Trace(None, support=tuple(support), ends=tuple(ends), wanted=atom)
        return Trace(None)

    def _possible_firings(self) -> Firings:
        """The firings among all atoms that are possible as far as gringo sees."""
        atoms = list(self._control.symbolic_atoms)
        return self._firings([one.symbol for one in atoms if one.is_fact], [one.symbol for one in atoms])

    def _firings(self, atoms: Sequence[clingo.Symbol], possible: Sequence[clingo.Symbol] = ()) -> Firings:
        from bridge.asp.running.derivation import Firings

        sources: list[Source] = [(kind, source) for kind, source, _ in self._loaded]
        return Firings(sources, atoms, self._plain_control, possible, symbols_of(list(self._ground)))

    def _plain_control(self) -> clingo.Control:
        return clingo.Control([*self._given, "--warn=none"], logger=lambda *_: None)

    def consistent(self, assuming: Sequence[Assumption], seconds: float | None) -> Consistent:
        """Whether there is an answer set, or None; the core if there is none; the limit that came first."""
        progress = Progress()
        found = self.search("models", assuming, False, Limits(seconds=seconds), progress)
        with closing(found):
            if next(found, None) is not None:
                return True, [], None
        if progress.complete:
            if len(self._clash) > MOST_NAMED:  # nearly all of them are there because of their order
                self._clash = smaller(self._clash, self._core_of, ORDERS)
            return False, self.core(False), None
        return None, [], progress.limit

    def clashing_switches(self, seconds: float | None) -> list[tuple[str, list[str]]]:
        """Switches that clash: of each the key, and the values; none where a limit comes first."""
        self._ground_base()
        of = {literal: number for number, literal in internals.atoms(self._control, SWITCH, 2, True)}
        satisfiable, _, _ = self.consistent(list(of), seconds)
        if satisfiable is not False:
            return []
        core = smaller(self._clash, self._core_of, ORDERS)
        keys = (internals.symbol_of(of[literal]).arguments for literal, _ in core)
        return [(key.string, list(map(str, values.arguments))) for key, values in keys]

    def clashes(
        self,
        assumed: Sequence[Assumption],
        rules: Sequence[int],
        most_rules: int,
        limits: Limits,
        progress: Progress,
    ) -> Iterator[Core]:
        """Cores of some literals, better and better; see `Program.clashes`.

        None of what can hold together, and of what is not worth telling (`MOST_NAMED`).
        """
        from bridge.asp.results import Core

        facts = self._facts()
        literals = self._literals(assumed)
        as_given = {literal: one for one in assumed if isinstance(one, str) for literal in self._literals([one])}
        deadline, met, calls, chosen = Deadline(limits.seconds), set[int](), 0, set(rules)

        def ask(some: Sequence[int]) -> tuple[bool | None, Sequence[int]]:
            nonlocal calls
            calls += 1
            if progress.limit is not None:
                return None, ()
            satisfiable, found, progress.limit = self.consistent(some, deadline.remaining())
            core = cast("list[int]", found)
            met.update(literal for literal in core if literal not in facts)
            return satisfiable, core

        def near(core: Sequence[int]) -> Iterator[list[int]]:
            among = [one for one in core if one in chosen]  # these first: they are the likely ones
            if len(chosen) <= most_rules:
                among = list(dict.fromkeys([*among, *(one for one in literals if one in chosen)]))
            given = [one for one in literals if one not in chosen]
            return ([*given, one] for one in among[:most_rules])

        def size(core: Sequence[int]) -> tuple[int, int]:
            return len(core), sum(one in chosen for one in core)

        def found(core: Sequence[int], minimal: bool) -> Core:
            named = [one for one in core if one in facts]
            if not minimal and len(named) > MOST_NAMED:
                core, named = (), []
            names = {one: str(internals.symbol_of(facts[one])) for one in named}
            given, all_met = (tuple(as_given.get(one, one) for one in some) for some in (core, sorted(met)))
            return Core(satisfiable, given, minimal, all_met, calls, names)

        satisfiable: bool | None = None
        core: Sequence[int] = ()
        minimal = False
        for core, minimal in clashes(literals, ask, near, size, patience=2 if len(literals) < MANY else 0):
            satisfiable = False
            yield found(core, minimal)
        if satisfiable is None and progress.limit is None:
            satisfiable = True
        yield found(core, minimal)  # with all that was met
        progress.complete = progress.limit is None

    def core(self, refine: bool) -> list[Assumption]:
        """The assumptions of the last search that clash, when it found nothing."""
        self._idle()
        clash = smaller(self._clash, self._core_of) if refine else self._clash
        return [assumption for _, assumption in clash]

    def _core_of(self, literals: list[int]) -> list[int]:
        # A few conflicts are enough to leave out what has nothing to do with it; no second search.
        self._configure("auto", "ignore", False, 1, conflicts=100)
        with self._search.begun(literals) as search:
            return search.core() if search.result().unsatisfiable else []
