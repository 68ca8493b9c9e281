"""Many variants of a clingo program on a few instances, in a worker: which of them answer as is expected?

The job that `bridge.asp.trials` asks. Everything is a text: a variant, the facts of a case, an answer. A variant that
does not end within its time ends the process, by a signal: the caller starts another, and knows which variant it was.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import clingo

from bridge.limits import Limits
from bridge.outcome import Progress

in_folder = True

#: Conflicts after which a search is given up: a repair of a small instance needs none of them.
CONFLICTS = 20_000

#: Messages that are kept of a program that cannot be loaded.
_MESSAGES = 20

Answer = frozenset[clingo.Symbol]


def warm() -> None:
    control = clingo.Control()
    control.add("base", [], "{ a }.")
    control.ground()
    control.solve()


class _Case:
    """An instance and what is expected of a program on it."""

    def __init__(self, given: dict[str, Any]) -> None:
        self.facts: str = given["facts"]
        self.options = [f"-c{name}={value}" for name, value in given["constants"].items()]
        self.show: list[tuple[str, int, bool]] = [
            (n.removeprefix("-"), a, not n.startswith("-")) for n, a in given["show"]
        ]
        self.optimal: bool = given["optimal"]
        self.cost: list[int] | None = None if given["cost"] is None else list(given["cost"])
        self.exactly = None if given["exactly"] is None else {_answer(one) for one in given["exactly"]}
        self.complete: bool = given["complete"]
        self.reference: str | None = given["reference"]
        self.number: int | None = given["number"]
        self.verdict: str | None = given["verdict"]
        self.recall: bool = given["recall"]
        self.precision: bool = given["precision"]
        #: Each a kind (some, none, every, has, lacks) and literals: atoms, with `not ` before those to be false.
        self.wishes = [(kind, [_literal(one) for one in literals]) for kind, literals in given["wishes"]]
        self._oracle: _Loaded | None = None

    def belongs(self, answer: Answer) -> bool:
        """Whether the reference has an answer, where not all of its answers are at hand."""
        if self.exactly is not None and (self.complete or answer in self.exactly):
            return answer in self.exactly
        if self._oracle is None:
            self._oracle = _Loaded(self.reference or "", self)
        return self._oracle.has(answer)


def _answer(atoms: Sequence[str]) -> Answer:
    return frozenset(map(clingo.parse_term, atoms))


def _literal(text: str) -> tuple[clingo.Symbol, bool]:
    negative = text.startswith("not ")
    return clingo.parse_term(text.removeprefix("not ")), not negative


class _Loaded:
    """A program, ground on a case; RuntimeError when clingo refuses it."""

    def __init__(self, text: str, case: _Case, more: str = "", messages: list[str] | None = None) -> None:
        self._messages = [] if messages is None else messages
        mode = "--opt-mode=optN" if case.optimal else "--opt-mode=ignore"
        self.control = clingo.Control(
            ["--project=project", mode, f"--solve-limit={CONFLICTS}", *case.options], logger=self._log
        )
        projected = "".join(
            f"#project {'' if positive else '-'}{name}/{arity}.\n" for name, arity, positive in case.show
        )
        self.control.add("base", [], f"{text}\n{case.facts}\n{more}\n{projected}")
        self.control.ground([("base", [])])
        self._atoms = [
            (atom.symbol, atom.literal)
            for name, arity, positive in case.show
            for atom in self.control.symbolic_atoms.by_signature(name, arity, positive)
        ]
        self.case = case
        self.interrupted = False

    def _log(self, code: clingo.MessageCode, text: str) -> None:
        if code is clingo.MessageCode.RuntimeError and len(self._messages) < _MESSAGES:
            self._messages.append(text)

    def models(
        self, most: int, assuming: Sequence[tuple[clingo.Symbol, bool]] = ()
    ) -> Iterator[tuple[Answer, clingo.Model]]:
        """Answers, each with a model that has it."""
        configuration: Any = self.control.configuration
        configuration.solve.models = 0 if self.case.optimal else most
        self.interrupted = False
        found = 0
        with self.control.solve(yield_=True, assumptions=list(assuming)) as handle:
            for model in handle:
                if self.case.optimal and not (model.optimality_proven or not model.cost):
                    continue
                yield frozenset(symbol for symbol, literal in self._atoms if model.is_true(literal)), model
                found += 1
                if found >= most:
                    return
            result = handle.get()
            self.interrupted = result.interrupted or result.unknown

    def exactly(self, answer: Answer) -> list[tuple[clingo.Symbol, bool]] | None:
        known = {symbol for symbol, _ in self._atoms}
        if not answer <= known:
            return None
        return [(symbol, symbol in answer) for symbol in known]

    def has(self, answer: Answer) -> bool:
        """Whether it has an answer set with this answer (whatever it costs)."""
        assuming = self.exactly(answer)
        if assuming is None:
            return False
        return any(True for _ in self.models(1, assuming))


_cases: list[_Case] = []
_texts: dict[str, str] = {}


def serve(call: tuple[Any, ...], limits: Limits, progress: Progress) -> Iterator[tuple[Any, int]]:
    """Answer one call: `open`, `answers`, `scores`, or `cover`."""
    name, *arguments = call
    if name == "open":
        others, cases = arguments
        _texts["others"] = others
        _cases[:] = [_Case(case) for case in cases]
    elif name == "answers":
        yield _answers(*arguments), 1
    elif name == "scores":
        seconds, full, texts = arguments
        try:
            for text in texts:
                _within(seconds)
                yield _scores(text, full), 1
        finally:
            _within(0)
    elif name == "cover":
        seconds, text, bodies, most = arguments
        try:
            for case in _cases:
                _within(seconds)
                yield _cover(text, case, bodies, most), 1
        finally:
            _within(0)
    progress.complete = True


def _within(seconds: float) -> None:
    """End the process by a signal after so many seconds of its own; 0: not at all. Grounding cannot be stopped else."""
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, seconds)


def _loaded(text: str, case: _Case, more: str = "") -> _Loaded | str:
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
    """How a variant does on each case: [all is right, share of what is right, answers too many, answers missing].

    Ends with the first case that is not right, unless `full`. Of a variant that cannot be loaded, minus the number of
    errors.
    """
    found: list[Any] = []
    for case in _cases:
        loaded = _loaded(text, case)
        if isinstance(loaded, str):
            return [-max(loaded.count("error:"), 1)]
        found.append(_score(loaded, case))
        if not full and not found[-1][0]:
            break
    return found


def _score(loaded: _Loaded, case: _Case) -> list[Any]:
    right, total, surplus, missing = 0.0, 0, 0, 0
    if case.exactly is not None and case.precision:
        answers = {answer for answer, _ in loaded.models(len(case.exactly) + 30)}
        surplus = sum(not case.belongs(one) for one in answers)
        ok = bool(answers) and not surplus and not loaded.interrupted
        return [ok, float(ok) or 0.5 * (len(answers) - surplus) / max(len(answers), 1), surplus, int(not answers)]
    if case.exactly is not None and case.complete:
        expected = case.exactly
        most = 2 * len(expected) + 30
        answers = {answer for answer, _ in loaded.models(most)}
        if loaded.interrupted:
            return [False, 0.0, 0, 0]
        surplus, missing = len(answers - expected), len(expected - answers)
        if len(answers) >= most:  # not all are known
            missing = sum(not loaded.has(one) for one in islice(expected - answers, 30))
        good = len(expected) - missing
        if case.recall:
            share = good / len(expected) if expected else 1.0
            return [missing == 0, share - 0.1 * surplus / (surplus + len(expected) + 1), surplus, missing]
        right += 1.0 if not (surplus or missing) else 0.999 * (0.5 + good) / (0.5 + len(expected) + surplus)
        total += 1
    elif case.exactly is not None:
        missing = sum(not loaded.has(one) for one in case.exactly)
        if case.recall:
            return [missing == 0, 1.0 - missing / max(len(case.exactly), 1), 0, missing]
        answers = {answer for answer, _ in loaded.models(len(case.exactly))}
        surplus = sum(not case.belongs(one) for one in answers)
        tried = len(case.exactly) + len(answers)
        right += 1.0 - (missing + surplus) / max(tried, 1)
        total += 1
    for kind, literals in case.wishes:
        total += 1
        if kind == "some":
            ok = _some(loaded, literals)
            missing += not ok
        elif kind in ("has", "lacks"):
            exactly = loaded.exactly(frozenset(symbol for symbol, _ in literals))
            ok = (exactly is not None and _some(loaded, exactly)) is (kind == "has") and not loaded.interrupted
            missing += not ok and kind == "has"
            surplus += not ok and kind == "lacks"
        elif kind == "none":
            ok = not _some(loaded, literals) and not loaded.interrupted
            surplus += not ok
        else:
            ok = not any(_some(loaded, [(symbol, not wanted)]) for symbol, wanted in literals) and _some(loaded, [])
            surplus += not ok
        right += ok
    if case.number is not None or case.verdict is not None:
        total += 1
        wanted = case.number
        found = sum(1 for _ in loaded.models(2 if wanted is None else wanted + 1))
        if loaded.interrupted:
            ok = False
        elif wanted is not None:
            ok, surplus, missing = found == wanted, surplus + max(found - wanted, 0), missing + max(wanted - found, 0)
            right += 0.0 if ok else min(found, wanted) / max(found, wanted, 1) * 0.9
        else:
            ok = {"unsat": found == 0, "sat": found > 0, "unique": found == 1, "several": found > 1}[str(case.verdict)]
            surplus += not ok and case.verdict in ("unsat", "unique") and found > 0
            missing += not ok and found == 0
        right += ok
    if case.cost is not None:
        total += 1
        costs = [model.cost for _, model in loaded.models(1)]
        ok = costs == [case.cost]
        surplus += not ok and bool(costs) and costs[0] < case.cost
        missing += not ok and not (costs and costs[0] < case.cost)
        right += ok
    share = right / total if total else 1.0
    return [share == 1.0, share, surplus, missing]


def _some(loaded: _Loaded, literals: Sequence[tuple[clingo.Symbol, bool]]) -> bool:
    """Whether an answer has some literals; where only answers of least cost count, whether one of these has them."""
    cost = next((model.cost for _, model in loaded.models(1, literals)), None)
    if cost is None or not (loaded.case.optimal and literals):
        return cost is not None
    return cost == next((model.cost for _, model in loaded.models(1)), None)


def _cover(text: str, case: _Case, bodies: Sequence[str], most: int) -> list[Any]:
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
    numbered = [
        (atom.symbol.arguments[0].number, atom.literal)
        for atom in loaded.control.symbolic_atoms.by_signature("__violated", 1)
    ]

    def violated(model: clingo.Model) -> set[int]:
        return {number for number, literal in numbered if model.is_true(literal)}

    expected = case.exactly or set()
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


def _loads(line: str) -> bool:
    control = clingo.Control(logger=lambda code, text: None)
    try:
        control.add("base", [], line)
        control.ground([("base", [])])
    except RuntimeError:
        return False
    return True
