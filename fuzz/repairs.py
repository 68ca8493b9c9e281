"""Repairs by `debug` of random small `.lp` programs: each sentence about one is held against a plain Control.

What is asked for is an atom that some answer set should have, or that none should, or the answers of another program.
The reference goes through all answer sets of the program, of the repaired text and of the other program.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import clingo

import bridge
from bridge.debugging.cases import Asked, expected_of_reference, instances_given
from bridge.debugging.mutants import mutants
from bridge.errors import BridgeError
from bridge.limits import Deadline, Limits
from bridge.problem.asp import AspProblem
from fuzz import asp
from fuzz.campaign import Campaign, Case, Skipped, Tally, demand, expect

#: Answer sets of a program, beyond which a case is skipped.
MOST = 2_000

#: Enough for most changes of what is so small.
LIMITS = Limits(seconds=3)

HEADS = ("p/1", "q/1", "r/1", "r/2", "s/0", "s/2", "t/1", "u/0")

Answers = set[frozenset[str]]


class Repairs(Campaign):
    """Choices, bounds, aggregates, conditions, negation and recursion; sometimes what is minimised."""

    name = "repairs"
    weight = 1.5
    round = 2

    def make(self, chance: Random) -> Case:
        for _ in range(20):
            case = self._made(chance)
            try:
                self._question(case)
            except (Skipped, RuntimeError, BridgeError):  # RuntimeError: it is not safe
                continue
            break
        return case

    def _made(self, chance: Random) -> Case:
        statements = [statement(chance) for _ in range(chance.randint(2, 6))]
        if chance.random() < 0.1:
            statements.append(asp.minimize(chance))
        if chance.random() < 0.2:
            statements.append(chance.choice(["#show p/1.", "#show r/2.", "#show s/0.", "#show."]))
        return {
            "statements": statements,
            "facts": [f"d(1..{chance.randint(1, 3)}).", *chance.sample(FACTS, chance.randint(0, 4))],
            "ask": chance.choice(["missing", "unwanted", "against"]),
            "number": chance.randrange(1000),
            "show": sorted(chance.sample(HEADS, chance.randint(1, 4))) if chance.random() < 0.7 else None,
        }

    def check(self, case: Case, tally: Tally) -> None:
        try:
            text, facts, asked, own = self._question(case)
        except (RuntimeError, BridgeError) as error:
            raise Skipped from error
        if case["ask"] == "against":
            self._against(case, text, facts, asked, tally)
        else:
            self._asked(case["ask"], text, facts, asked, own, tally)

    def _question(self, case: Case) -> tuple[str, str, str, Answers]:
        """The program, its facts, an atom or the wrong program, and the answers.

        Raises Skipped where nothing can be asked.
        """
        text, facts = "\n".join(case["statements"]) + "\n", " ".join(case["facts"])
        own = _answers(text, facts)
        if case["ask"] == "against":
            some = list(mutants(text))
            at = case["number"] % max(len(some), 1)
            turned = [one.text for one in (some[at:] + some[:at])[:12]]
            some_wrong = [one for one in turned if _differs(one, facts, own)]
            if not some_wrong:
                raise Skipped
            return text, facts, some_wrong[0], own
        possible = set[str]().union(*own)
        every = [f"{name.split('/')[0]}{one}" for name in HEADS for one in _ARGUMENTS[int(name[-1])]]
        given = {one.removesuffix(".") for one in case["facts"]}
        wanted = case["ask"] == "unwanted"
        asked = [one for one in every if (one in possible) is wanted and one not in given]
        if not asked:
            raise Skipped
        return text, facts, asked[case["number"] % len(asked)], own

    def _asked(self, ask: str, text: str, facts: str, atom: str, own: Answers, tally: Tally) -> None:
        found = self._debug(text, instances=[facts], limits=LIMITS, **{ask: atom})
        if found is None:
            return
        tally[f"{ask}: asked"] += 1
        demand("right", not found.right, "it says that nothing is wrong")
        for repair in _repairs(found):
            tally[f"{ask}: repairs"] += 1
            now, words = _answers(repair.text, facts), repair.proved_by
            about = f"{atom} {ask}; {repair.diff!r} {words!r}"
            demand("words", words.startswith("does what was asked for"), about)
            has = any(atom in one for one in now)
            demand("asked", has == (ask == "missing"), f"not what was asked for: {about}")
            if "away only" in words:
                tally["away only"] += 1
                demand("away only", bool(now) and now <= own, f"not away only: {about}")
            if "leaves other predicates" in words:
                tally["others as they are"] += 1
                key = atom.split("(")[0], len(re.findall(r"[(,]", atom))
                others = _without(now, key) == _without(own, key)
                demand("others", others, f"others are not as they were: {about}")

    def _against(self, case: Case, text: str, facts: str, wrong: str, tally: Tally) -> None:
        shown = case["show"] and ",".join(case["show"])
        try:
            of = AspProblem(wrong, show=shown), instances_given([facts], {}), Asked(), ()
            wanted = expected_of_reference(*of, Deadline(20), AspProblem(text))
        except BridgeError:  # it says what is an answer
            tally["against: refused"] += 1
            return
        found = self._debug(AspProblem(wrong, show=shown), against=text, instances=[facts], limits=LIMITS)
        if found is None:
            return
        tally["against: asked"] += 1
        signatures = {f"{name}/{arity}" for name, arity in wanted.show}

        def same(other: str, instance: str) -> bool:
            mine, its = (_projected(one, instance, signatures, wanted.optimal) for one in (text, other))
            return mine == its

        expect("right", same(wrong, facts), found.right, f"nothing is wrong: {wrong!r} {found.notes}")
        for repair in _repairs(found):
            tally["against: repairs"] += 1
            about = f"of {wrong!r}; {repair.diff!r} {repair.proved_by!r} {sorted(signatures)}"
            demand("against", same(repair.text, facts), f"other answers on the instance: {about}")
            if "near by" in repair.proved_by:
                for one in wanted.extra:
                    tally["near by"] += 1
                    demand("near by", same(repair.text, one.facts), f"other answers on {one.facts!r}: {about}")

    def _debug(self, text: str | AspProblem, **asked: Any) -> Any:
        try:
            return bridge.debug(text, **asked)
        except BridgeError as error:
            demand("error", bool(error.message.strip()), f"{type(error).__name__} without a message")
            return None

    def smaller(self, case: Case) -> Iterator[Case]:
        for name in ("statements", "facts"):
            for index in range(len(case[name])):
                yield {**case, name: case[name][:index] + case[name][index + 1 :]}


FACTS = ["e(1,2).", "e(2,3).", "e(2,1).", "s(1,1).", "s(1,2).", "s(2,2).", "p(1).", "q(2).", "r(3)."]
BODIES = (
    "p(Z), p({0}), s(1,Z)", "d({0})", "e({0},_)", "e({0},Z), {1}(Z)", "s({0},Z), not {1}(Z)", "{1}({0}), d({0})",
)  # fmt: skip
MORE = (
    "not q(Y)", "not {1}(Y)", "{1}(W) : e(Y,W)", "not {1}(W) : e(W,Y)", "{1}(W) : s(Y,W), not {2}(W)",
    "#count {{ W : {1}(W), d(W) }} {0} {3}", "1 {{ {1}(1) ; {2}(2) }}", "Y {0} {3}",
)  # fmt: skip
_ARGUMENTS = {
    0: ("",),
    1: tuple(f"({one})" for one in "123"),
    2: tuple(f"({one},{other})" for one in "123" for other in "123"),
}


def statement(chance: Random) -> str:
    """A statement over a few predicates; heads and bodies share them, so that there is recursion, also by negation."""
    kind = chance.random()
    if kind < 0.35:
        return asp.statement(chance)
    if kind < 0.45:
        return asp.assigning(chance)
    one = chance.choice
    head = one(["p", "q", "r", "t"])
    body = [one(BODIES).format("Y", one("pqrt"))]
    for _ in range(chance.randint(0, 2)):
        body += [one(MORE).format(one(["<", ">", "=", "!="]), one("pqrt"), one("pqrt"), chance.randint(0, 3))]
    rule = "; ".join(body)
    if kind < 0.65:
        bound = one([" = 1", " = 1", " = 2", " <= 1", " >= 1", ""])
        inner = one([f"{head}(Y)", f"{head}(W) : e(Y,W)", f"{head}(W) : d(W)", f"{head}(Y) ; s(Y,1)"])
        return f"{{ {inner} }}{bound} :- {rule}."
    if kind < 0.72:
        return f":- {rule}."
    if kind < 0.8:
        return f"s(Y,Z) :- {rule}; d(Z)."
    return f"{head}(Y) :- {rule}."


def _repairs(found: Any) -> list[Any]:
    several = {one.repair.text: one.repair for one in found.suspects if one.repair is not None}
    return list(several.values())


def _models(text: str, facts: str, optimal: bool = False) -> Iterator[clingo.Model]:
    options = ["--opt-mode=optN" if optimal else "--opt-mode=ignore", "0"]
    control = clingo.Control(options, logger=lambda code, message: None)
    control.add("base", [], f"{text}\n{facts}\n")
    control.ground([("base", [])])
    with control.solve(yield_=True) as handle:
        for number, model in enumerate(handle):
            if number == MOST:
                raise Skipped
            yield model


def _answers(text: str, facts: str) -> Answers:
    """All answer sets, with the atoms that are not shown. RuntimeError when it is not a program."""
    return {frozenset(map(str, model.symbols(atoms=True))) for model in _models(text, facts)}


def _differs(text: str, facts: str, answers: Answers) -> bool:
    try:
        return _answers(text, facts) != answers
    except RuntimeError:
        return False


def _projected(text: str, facts: str, shown: set[str], optimal: bool) -> Answers:
    found: Answers = set()
    for model in _models(text, facts, optimal):
        if optimal and model.cost and not model.optimality_proven:
            continue
        atoms = model.symbols(atoms=True)
        name = {one: f"{'' if one.positive else '-'}{one.name}/{len(one.arguments)}" for one in atoms}
        found.add(frozenset(str(one) for one in atoms if name[one] in shown))
    return found


def _without(answers: Answers, key: tuple[str, int]) -> Answers:
    def keeps(atom: str) -> bool:
        return (atom.split("(")[0], len(re.findall(r"[(,]", atom))) != key

    return {frozenset(filter(keeps, one)) for one in answers}
