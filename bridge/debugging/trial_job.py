"""Many variants of a clingo program on a few instances, in a worker: which of them answer as is expected?

The job that `bridge.debugging.trials` asks. Everything is a text: a variant, the facts of a case, an answer. A variant
that does not end within its time ends the process, by a signal: the caller starts another, and knows which variant it
was.
"""

from __future__ import annotations

import signal
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any

import clingo

from bridge.debugging.judging import Answer, Literals, PackedCase
from bridge.debugging.plain import held
from bridge.debugging.spectrum import BY, LOOKED_AT, OFF, VIOLATED, Seen, helping, paired
from bridge.limits import Limits
from bridge.outcome import Progress

in_folder = True

#: Conflicts after which a search is given up: a repair of a small instance needs none of them.
CONFLICTS = 20_000

#: By which some of very many answers differ much: each is looked for anew, by chance.
_VARIED = ["--enum-mode=record", "--restart-on-model", "--rand-freq=1", "--sign-def=rnd", "--seed=1"]

#: Messages that are kept of a program that cannot be loaded.
_MESSAGES = 20


def warm() -> None:
    control = clingo.Control()
    control.add("base", [], "{ a }.")
    control.ground()
    control.solve()


class _Loaded:
    """A program, ground on a case; RuntimeError when clingo refuses it."""

    lookups = 100
    whole = 0

    def __init__(self, text: str, case: PackedCase, more: str = "", messages: list[str] | None = None) -> None:
        self._messages = [] if messages is None else messages
        mode = "--opt-mode=optN" if case.optimal else "--opt-mode=ignore"
        options = ["--project=project", mode, f"--solve-limit={CONFLICTS}", *case.options]
        self.control = clingo.Control([*options, *([] if case.complete else _VARIED)], logger=self._log)
        self.control.add("base", [], f"{case.projected(text)}{more}")
        self.control.ground([("base", [])])
        self._atoms = {symbol: literal for one in case.show for symbol, literal in self.literals(*one)}
        self.case = case
        self.interrupted = False

    def _log(self, code: clingo.MessageCode, text: str) -> None:
        if code is clingo.MessageCode.RuntimeError and len(self._messages) < _MESSAGES:
            self._messages.append(text)

    def literals(self, name: str, arity: int, positive: bool = True) -> Iterator[tuple[clingo.Symbol, int]]:
        """The atoms of a predicate. One that no rule is left for has the literal 0, which is true in every model."""
        for atom in self.control.symbolic_atoms.by_signature(name, arity, positive):
            if atom.literal:
                yield atom.symbol, atom.literal

    def models(self, most: int, assuming: Literals = ()) -> Iterator[tuple[Answer, clingo.Model]]:
        """Answers, each with a model that has it."""
        for model in self._solved(most, assuming):
            yield frozenset(symbol for symbol, literal in self._atoms.items() if model.is_true(literal)), model

    def _solved(self, most: int, assuming: Literals = ()) -> Iterator[clingo.Model]:
        self.interrupted = False
        assumed: list[int] = []
        for symbol, holds in assuming:
            if literal := self.literal(symbol):
                assumed.append(literal if holds else -literal)
            elif holds:
                return
        configuration: Any = self.control.configuration
        configuration.solve.models = 0 if self.case.optimal else most
        found = 0
        with self.control.solve(yield_=True, assumptions=assumed) as handle:
            for model in handle:
                if self.case.optimal and not (model.optimality_proven or not model.cost):
                    continue
                yield model
                found += 1
                if found >= most:
                    return
            result = handle.get()
            self.interrupted = result.interrupted or result.unknown

    def literal(self, symbol: clingo.Symbol) -> int:
        """The literal of an atom; 0 where the program has none."""
        if (known := self._atoms.get(symbol)) is not None:
            return known
        atom = self.control.symbolic_atoms[symbol]
        return 0 if atom is None else atom.literal

    def exactly(self, answer: Answer) -> Literals | None:
        """What is assumed for an answer; None where it has atoms that the program has not."""
        return [(symbol, symbol in answer) for symbol in self._atoms] if answer <= self._atoms.keys() else None

    def answers(self, most: int) -> set[Answer]:
        return {answer for answer, _ in self.models(most)}

    def has(self, answer: Answer) -> bool | None:
        literals = self.exactly(answer)
        return False if literals is None else self.some(literals)

    def some(self, literals: Literals) -> bool | None:
        cost = self.cost(literals)
        if cost is None:
            return None if self.interrupted else False
        return not (self.case.optimal and literals) or cost == self.cost()

    def cost(self, literals: Literals = ()) -> list[int] | None:
        return next((model.cost for model in self._solved(1, literals)), None)


_cases: list[PackedCase] = []
_given: list[dict[str, Any]] = []
_texts: dict[str, str] = {}


def serve(call: tuple[Any, ...], limits: Limits, progress: Progress) -> Iterator[tuple[Any, int]]:
    """Answer one call: `open`, `answers`, `scores`, `held`, `cover`, or `spectrum`."""
    name, *arguments = call
    if name == "open":
        others, cases = arguments
        _texts["others"] = others
        _given[:] = cases
        _cases[:] = [PackedCase(case, _Loaded) for case in cases]
    elif name == "answers":
        yield _answers(*arguments), 1
    elif name == "scores":
        seconds, full, texts = arguments
        for text in texts:
            with _within(seconds):
                scores = _scores(text, full)
            yield scores, 1
    elif name == "held":
        yield held(f"{arguments[0]}\n{_texts['others']}", _given), 1
    elif name == "cover":
        seconds, text, bodies, most = arguments
        for case in _cases:
            with _within(seconds):
                cover = _cover(text, case, bodies, most)
            yield cover, 1
    elif name == "spectrum":
        seconds, text, number, priced = arguments
        with _within(seconds):
            seen = _spectrum(text, _cases[number], priced)
        for one in seen:
            yield [one.surplus, one.missing, [*one.derived.items()], one.wrong, one.clash], 1
    progress.complete = True


@contextmanager
def _within(seconds: float) -> Iterator[None]:
    """End the process by a signal after so many seconds of its own. Grounding cannot be stopped else.

    Not while an answer is handed over: another call may be answered then.
    """
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _loaded(text: str, case: PackedCase, more: str = "") -> _Loaded | str:
    """A variant on a case; or why it cannot be loaded."""
    messages: list[str] = []
    try:
        return _Loaded(f"{text}\n{_texts['others']}", case, more, messages)
    except RuntimeError as error:
        return "\n".join([*messages, str(error)])


def _answers(text: str, number: int, most: int) -> list[Any]:
    """The answers on a case: how it ended, and the atoms of each."""
    loaded = _loaded(text, _cases[number])
    if isinstance(loaded, str):
        return ["refused", loaded]
    found = [answer for answer, _ in islice(loaded.models(most + 1), most + 1)]
    how = "more" if len(found) > most else "limit" if loaded.interrupted else "all"
    return [how, [sorted(map(str, answer)) for answer in found[:most]]]


def _scores(text: str, full: bool) -> list[Any]:
    """How a variant does on each case: `Judgement`s.

    Ends with the first case that is not right, unless `full`. Of a variant that cannot be loaded, minus the number of
    errors.
    """
    found: list[Any] = []
    for case in _cases:
        loaded = _loaded(text, case)
        if isinstance(loaded, str):
            return [-max(loaded.count("error:"), 1)]
        found.append([*case.judged(loaded)])
        if not full and not found[-1][0]:
            break
    return found


def _cover(text: str, case: PackedCase, bodies: Sequence[str], most: int) -> list[Any]:
    """What each of some constraints would forbid on a case.

    Returns the numbers of the bodies that can be loaded; of each answer that is right, the numbers of those that forbid
    it, and None where the program has not this answer; of each answer that is wrong, the same.
    """
    kept = {number: f"__violated({number}) :- {body}." for number, body in enumerate(bodies)}
    loaded = _loaded(text, case, "\n".join(kept.values()))
    if isinstance(loaded, str):  # those that are unsafe are left out
        kept = {number: line for number, line in kept.items() if _loads(line)}
        loaded = _loaded(text, case, "\n".join(kept.values()))
    if isinstance(loaded, str):
        return [[], [], []]
    numbered = [(symbol.arguments[0].number, literal) for symbol, literal in loaded.literals("__violated", 1)]

    def violated(model: clingo.Model) -> set[int]:
        return {number for number, literal in numbered if model.is_true(literal)}

    expected = case.exactly or frozenset()
    good: list[list[int] | None] = []
    for answer in islice(sorted(expected, key=str), 40):
        numbers: list[int] | None = None
        assuming = loaded.exactly(answer)
        # A model is there as long as its search is.
        for _, model in loaded.models(1, assuming) if assuming is not None else ():
            numbers = sorted(violated(model))
        good.append(numbers)
    bad: dict[Answer, set[int]] = {}
    for answer, model in loaded.models(most):
        if answer not in bad and case.belongs(answer):
            continue
        bad[answer] = bad[answer] & violated(model) if answer in bad else violated(model)
    return [sorted(kept), good, [sorted(one) for one in bad.values()]]


def _spectrum(text: str, case: PackedCase, priced: Sequence[tuple[str, int]]) -> list[Seen]:
    """What some answers of an instrumented program are made of, and some that it lacks.

    `priced` are the predicates that costs are made of: where only answers of least cost count, their atoms in an answer
    that is dearer than it should be are too many.
    """
    loaded, meant = _loaded(text, case), case.exactly or frozenset()
    if isinstance(loaded, str):
        return []
    off = dict(loaded.literals(OFF, 1))
    numbered = {symbol.arguments[0].number: literal for symbol, literal in off.items()}
    by = [(symbol.arguments, literal) for symbol, literal in loaded.literals(BY, 3)]
    costs = [pair for name, arity in priced for pair in loaded.literals(name, arity)] if case.optimal else []

    def graph(model: clingo.Model) -> dict[clingo.Symbol, list[tuple[int, Sequence[clingo.Symbol]]]]:
        found: dict[clingo.Symbol, list[tuple[int, Sequence[clingo.Symbol]]]] = {}
        for (number, head, needs), literal in by:
            if model.is_true(literal):
                found.setdefault(head, []).append((number.number, needs.arguments))
        return found

    def seen(of: clingo.Model, surplus: Answer, rest: Answer, missing: Answer, wrong: bool) -> Seen:
        parts = ([paired(one) for one in sorted(atoms)] for atoms in (surplus, rest))
        return Seen(_written(surplus), _written(missing), helping(graph(of), *parts), wrong)

    found: list[Seen] = []
    own: list[Answer] = []
    dear = set[clingo.Symbol]()
    for answer, model in loaded.models(LOOKED_AT, [(one, False) for one in off]):
        right = case.belongs(answer)
        nearest = answer if right else min(meant, key=lambda one: len(one ^ answer), default=answer)
        found.append(seen(model, answer - nearest, answer & nearest, nearest - answer, not right))
        own.append(answer)
        dear.update(symbol for symbol, literal in costs if model.is_true(literal))
    for answer in islice(sorted(meant - {*own}, key=str), LOOKED_AT):
        literals = loaded.exactly(answer)
        clash = None if literals is None else _clash(loaded, literals, numbered)
        if clash is None:
            nearest = min(own, key=lambda one: len(one ^ answer), default=frozenset())
            found.append(Seen((), _written(answer - nearest), {}, True, ()))
        elif clash:
            found.append(Seen((), (), {}, True, clash))
        else:
            for _, model in loaded.models(1, [*(literals or ()), *((one, False) for one in off)]) if costs else ():
                more = frozenset(symbol for symbol, literal in costs if model.is_true(literal)) - dear
                found.append(seen(model, more, frozenset(), frozenset(), True))
    return found


def _written(answer: Iterable[clingo.Symbol]) -> tuple[str, ...]:
    return tuple(sorted(map(str, answer)))


def _clash(loaded: _Loaded, answer: Literals, off: dict[int, int]) -> tuple[int, ...] | None:
    """The constraints that forbid an answer, by the literals that take them out; None where it is no answer without."""
    out: set[int] = set()
    assumed = [loaded.literal(symbol) * (1 if holds else -1) for symbol, holds in answer]
    while True:
        strict = [literal if number in out else -literal for number, literal in off.items()]
        with loaded.control.solve(yield_=True, assumptions=[*assumed, *strict]) as handle:
            if (model := handle.model()) is not None:
                violated = (symbol for symbol in model.symbols(atoms=True) if symbol.name == VIOLATED)
                return tuple(sorted(out.intersection(symbol.arguments[0].number for symbol in violated)))
            core = {*handle.core()} if handle.get().unsatisfiable else set[int]()
        new = {number for number, literal in off.items() if -literal in core}
        if not new:
            return None
        out |= new


def _loads(line: str) -> bool:
    control = clingo.Control(logger=lambda code, text: None)
    try:
        control.add("base", [], line)
        control.ground([("base", [])])
    except RuntimeError:
        return False
    return True
