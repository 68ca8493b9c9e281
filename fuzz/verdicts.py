"""Pairs of small programs, and what `debug`, `compare` and `submissions` say of them: right, the same, or not.

"Right" and "the same" name the predicates by which answers were compared: by these a plain Control finds the same
answers, and `swipl` those of a goal. What is called right is never what `compare` finds a difference in.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Collection, Iterator
from pathlib import Path
from random import Random
from typing import Any

import clingo

import bridge
from bridge.errors import InputError, LimitError
from bridge.limits import Limits
from bridge.prolog.locate import find
from fuzz.campaign import Campaign, Case, Skipped, Tally, demand

Signature = tuple[str, int]
Answers = frozenset[frozenset[str]]

FACTS = "d(1..2). e(1,2). e(2,1)."
PREDICATES = (("a", 1), ("b", 1), ("c", 1), ("h", 1), ("r", 2), ("s", 0), ("t", 0), ("_u", 1), ("__v", 1))

#: Values of Prolog, among them some that are alike.
VALUES = ("a", "b", "1", "f(a)", "_", '"a"', "1.0")

#: Answer sets, beyond which a case is skipped.
MOST = 300

#: Of each search for a repair: only whether there is something to repair matters.
SECONDS = Limits(seconds=0.5)

#: Of a goal of Prolog, each answer in a line, with names for its variables.
_ALL = (
    "catch(forall({0}, (copy_term({0}, Copy), numbervars(Copy, 0, _), print(Copy), nl)), error(Error, _), print(Error))"
)


class Verdicts(Campaign):
    """A program that is right, and one that is another or the same with a few changes; in clingo, or in Prolog."""

    name = "verdicts"
    weight = 1.0
    round = 3

    def make(self, chance: Random) -> Case:
        if chance.random() < 0.25:
            clauses = _clauses(chance)
            goals = chance.sample(["q(X)", "r(X,Y)", "q(a)", "p(X)"], chance.randint(1, 2))
            return {"right": clauses, "other": _changed_clauses(chance, clauses), "goals": goals}
        rules = [_rule(chance) for _ in range(chance.randint(1, 5))]
        other = _changed(chance, rules) if chance.random() < 0.8 else [_rule(chance) for _ in range(3)]
        chance.shuffle(other)
        shown = _shown(chance)
        also = shown if chance.random() < 0.7 else _shown(chance)
        return {"right": rules + shown, "other": other + also, "instance": chance.random() < 0.5}

    def check(self, case: Case, tally: Tally) -> None:
        right, other = "\n".join(case["right"]), "\n".join(case["other"])
        try:
            if "goals" in case:
                self._of_goals(right, other, case["goals"], tally)
            else:
                self._of_programs(right, other, case["instance"], tally)
        except LimitError as error:  # on a busy machine
            raise Skipped from error

    def _of_programs(self, right: str, other: str, instance: bool, tally: Tally) -> None:
        given: dict[str, Any] = {"instances": [FACTS]} if instance else {}
        if not instance:
            right, other = f"{FACTS}\n{right}", f"{FACTS}\n{other}"
        whole = [f"{one}\n{FACTS}" for one in (right, other)]
        for text in whole:
            _answers(text)
        one, another = bridge.program(other), bridge.program(right)
        try:
            compared = bridge.compare(one, another, **given, limits=Limits(seconds=10))
        except InputError:  # they show different predicates, or terms
            compared = None
        if compared is not None:
            by = _named(str(compared))
            same = len({_answers(each, by) for each in whole}) == 1
            demand("compare", compared.equivalent is same, f"{compared.equivalent} by {by}: {right!r} and {other!r}")
            tally["the same" if same else "different"] += 1
        try:
            found = bridge.debug(one, against=another, **given, limits=SECONDS)
        except InputError:  # the reference derives nothing that it shows
            return
        differs = compared is not None and not compared.agree
        self._right(found.right, str(found), whole, differs, tally)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "other.lp")
            file.write_text(other, encoding="utf-8")
            (row,) = bridge.submissions([file], against=another, **given, untrusted=False, limits=SECONDS)
        if not row.renamed:
            self._right(row.status == "right", str(row), whole, differs, tally)

    def _right(self, right: bool, text: str, whole: list[str], differs: bool, tally: Tally) -> None:
        tally["right" if right else "not right"] += 1
        if right:
            by = _named(text)
            demand("said by what", by is not None, text)
            demand("right", len({_answers(each, by) for each in whole}) == 1, f"{text}: {whole}")
            demand("right, and compare differs", not differs, f"{text}: {whole}")

    def _of_goals(self, right: str, other: str, goals: list[str], tally: Tally) -> None:
        found = bridge.debug([bridge.goal(other, one) for one in goals], against=right, limits=Limits(seconds=2))
        tally["goals right" if found.right else "goals not right"] += 1
        if found.right:
            for goal in goals:
                same = _of_swipl(right, goal) == _of_swipl(other, goal)
                demand("goal", same, f"{goal}: {found}: {right!r} and {other!r}")
                compared = bridge.compare(bridge.goal(other, goal), bridge.goal(right, goal))
                demand("goal, and compare differs", compared.agree, f"{goal}: {right!r} and {other!r}")

    def smaller(self, case: Case) -> Iterator[Case]:
        for name in ("right", "other", "goals"):
            some = case.get(name, [])
            for number in range(len(some) if name != "goals" or len(some) > 1 else 0):
                yield {**case, name: some[:number] + some[number + 1 :]}


def _named(text: str) -> set[Signature] | None:
    """The predicates by which answers are said to be compared; None where that is all that is shown."""
    found = re.search(r"answers are compared by (.*?)(?:, not by|$)", text, re.MULTILINE)
    return (
        None
        if found is None or found[1].startswith("all")
        else {(name, int(of)) for name, of in re.findall(r"(-?[\w']+)/(\d+)", found[1])}
    )


def _answers(text: str, by: Collection[Signature] | None = None) -> Answers:
    """The answers as atoms of some predicates, or of all that are shown."""
    control = clingo.Control(["0"], logger=lambda code, message: None)
    control.add("base", [], text)
    try:
        control.ground([("base", [])])
    except RuntimeError as error:
        raise Skipped from error
    found = set()
    with control.solve(yield_=True) as handle:
        for number, model in enumerate(handle):
            if number == MOST:
                raise Skipped
            atoms = model.symbols(shown=True) if by is None else model.symbols(atoms=True)
            found.add(frozenset(str(one) for one in atoms if by is None or (one.name, len(one.arguments)) in by))
    return frozenset(found)


def _of_swipl(text: str, goal: str) -> list[str]:
    """The answers to a goal, sorted."""
    installation = find()
    demand("swipl", installation is not None, "there is no SWI-Prolog")
    assert installation is not None
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "program.pl")
        file.write_text(f"{text}\n", encoding="utf-8")
        command = [str(installation.swipl), "-q", "-g", _ALL.format(goal), "-t", "halt", str(file)]
        nothing = subprocess.DEVNULL
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, stdin=nothing)
    return sorted(done.stdout.splitlines())


def _atom(chance: Random, variables: str) -> str:
    name, arity = chance.choice(PREDICATES)
    terms = [chance.choice([*variables, *variables, "1", "2"]) for _ in range(arity)]
    return f"{name}({','.join(terms)})" if terms else name


def _rule(chance: Random) -> str:
    kind = chance.random()
    if kind < 0.07:
        return f"{chance.choice('abh')}(1..{chance.randint(1, 2)})."
    if kind < 0.1:  # a constant and a string of one text
        return chance.choice("abh") + chance.choice(["(k).", '("k").'])
    body = ["d(X)", *chance.choice([[], ["d(Y)"], ["e(X,Y)"]])]
    variables = "XY" if len(body) > 1 else "X"
    body += [chance.choice(["", "", "not "]) + _atom(chance, variables) for _ in range(chance.randint(0, 2))]
    head = _atom(chance, variables)
    if kind < 0.14:
        head = ""
    elif kind < 0.28:
        head = f"{{ {head} }}"
    elif kind < 0.32:
        head = f"{head} ; {_atom(chance, variables)}"
    return f"{head} :- {', '.join(body)}.".strip()


def _shown(chance: Random) -> list[str]:
    kind = chance.random()
    if kind < 0.6:
        return []
    if kind < 0.65:
        return [chance.choice(["#show.", "#show a/2."])]
    shown = [f"#show {name}/{arity}." for name, arity in chance.sample(PREDICATES, chance.randint(1, 3))]
    return [*shown, "#show X : a(X)."] if kind > 0.95 else shown


def _changed(chance: Random, rules: list[str]) -> list[str]:
    found = list(rules)
    for _ in range(chance.randint(0, 2)):
        number, kind = chance.randrange(len(found) or 1), chance.random()
        if not found or kind < 0.3:
            found.insert(number, _rule(chance))
        elif kind < 0.5:
            found.pop(number)
        elif kind < 0.7:
            found[number] = found[number].replace(chance.choice("XYk"), chance.choice(["X", "Y", "1", "2", "k"]))
            found[number] = re.sub(r"\(\"?k\"?\)", chance.choice(["(k)", '("k")']), found[number])
        else:
            one, other = chance.choice("abch"), chance.choice("abchg")
            found[number] = re.sub(rf"\b{one}\(", f"{other}(", found[number])
    return found


def _clauses(chance: Random) -> list[str]:
    found = [f"p({chance.choice(VALUES)})." for _ in range(chance.randint(1, 4))]
    goals = ["p(X)", "p(X)", "p(Y)", "X = b", "Y = X", "\\+ p(b)", "member(X, [a, b])", "X == a", "Y is X + 1", "!"]
    heads = ["q(X)", "r(X,Y)", *chance.choice([[], ["q(a)"]])]
    found += [f"{head} :- {', '.join(chance.choice(goals) for _ in range(chance.randint(1, 3)))}." for head in heads]
    declared = chance.choice([":- discontiguous p/1, q/1, r/2.", ":- dynamic p/1.", ":- multifile q/1."])
    return [":- style_check(-singleton).", ":- style_check(-discontiguous).", *chance.choice([[], [declared]]), *found]


def _changed_clauses(chance: Random, clauses: list[str]) -> list[str]:
    found = list(clauses)
    for _ in range(chance.randint(0, 2)):
        one, other = chance.randrange(2, len(found)), chance.randrange(2, len(found))
        if found[one].startswith(":-") or found[other].startswith(":-"):
            continue
        kind = chance.random()
        if kind < 0.3:
            found[one] = re.sub(r"\"?\ba\b\"?", chance.choice(["b", "1", "1.0", '"a"']), found[one])
        elif kind < 0.5:
            found.insert(one, found[one])
        elif kind < 0.7:
            found[one] = found[one].replace("X", "Y", 1)
        else:
            found[one], found[other] = found[other], found[one]
    return found
