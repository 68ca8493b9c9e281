"""Clashes of programs whose rules have variables, negation, aggregates and conditions, beside a plain Control.

A clash is one by its definition: no answer set has its statements, whichever of the others hold; and some has, once any
one of them is free. It is looked for among all facts, among those that the rules can depend on, and among those that
some instances of the rules can depend on; and first among the rules whose instances few facts tell, where these are
any facts. What must go is the same in each.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from random import Random
from typing import Any
from unittest.mock import patch

import clingo

import bridge
from bridge.limits import Limits
from bridge.outcome import Verdict
from bridge.problem import asp
from bridge.problem.asp import AspProblem
from fuzz.campaign import Campaign, Case, Skipped, Tally, demand, expect

FACTS = [
    *(f"e({one},{other})" for one in "123" for other in "123"),
    *(f"g({one})" for one in "123"),
    *("h(a)", "h(b)", "k"),
]

#: Enough for what is so small; what is found within it is compared where both are complete.
LIMITS = Limits(seconds=20)


class Clashes(Campaign):
    """Programs with up to fifteen facts and nine rules that have no answer set."""

    name = "clashes"
    weight = 1.0
    round = 3

    def make(self, chance: Random) -> Case:
        facts = [f"{one}." for one in chance.sample(FACTS, chance.randint(4, len(FACTS)))]
        rules = [_rule(chance) for _ in range(chance.randint(3, 8))]
        return {"lines": list(dict.fromkeys([*facts, *rules]))}

    def check(self, case: Case, tally: Tally) -> None:
        lines: list[str] = case["lines"]
        if _satisfiable(lines):
            raise Skipped
        text = "\n".join(lines) + "\n"
        found: dict[str, Any] = {}
        for way, many, share, few in (
            ("all facts", 10**9, 1, 1),
            ("few facts", 0, 0, 10**9),
            ("instances", 0, _Share(), 10**9),
            ("few facts first", 0, 0, 1),
        ):
            with patch.object(asp, "MANY", many), patch.object(asp, "SHARE", share), patch.object(asp, "FEW", few):
                found[way] = bridge.diagnose(AspProblem(text), limits=LIMITS)
            diagnosis = found[way]
            expect(way, Verdict.IMPOSSIBLE, diagnosis.verdict, "verdict")
            demand(way, bool(diagnosis.clashes), "no clash")
            clash = diagnosis.clashes[0]
            kept = {one.place.line for one in clash.premises}
            demand(way, not _possible(lines, kept), f"{clash} can hold together")
            if clash.minimal:
                for line in kept:
                    demand(way, _possible(lines, kept - {line}), f"{clash} is a clash without {line}")
            tally[way] += 1
        complete = [one for one in found.values() if one.removals is not None and one.removals.complete]
        for one in complete[1:]:
            expect("removals", complete[0].removals, one.removals)
            expect("after", complete[0].after, one.after)

    def smaller(self, case: Case) -> Iterator[Case]:
        lines = case["lines"]
        yield from ({"lines": lines[:index] + lines[index + 1 :]} for index in range(len(lines)))


class _Share(int):
    """A share of the facts that is too large at first, so that instances are looked for, and small from then on."""

    def __new__(cls) -> _Share:
        made = super().__new__(cls, 1)
        made.asked = False
        return made

    asked: bool

    def __rmul__(self, number: int) -> int:
        first, self.asked = not self.asked, True
        return 10**12 if first else 0


def _rule(chance: Random) -> str:
    variables = chance.choice(["X", "X", "XY"])
    body = _body(chance, list(variables))
    head = chance.choices(
        [
            "",
            "d(X)",
            "d(X+1)",
            "s(X)",
            f"r(X,{variables[-1]})",
            "c(X) ; s(X)",
            "{ c(X) }",
            "{ c(Z) : e(X,Z) }",
            "{ c(Z) : e(X,Z) } = 1",
        ],
        [6, 4, 1, 2, 2, 1, 1, 1, 1],
    )[0]
    if chance.random() < 0.2:
        return chance.choice(
            [
                "r(X,Z) :- r(X,Y), e(Y,Z).",
                "1 { c(Z) : g(Z) } 2.",
                "{ c(X) : g(X), not s(X) }.",
                "m(X) :- X = 1..2, k.",
                f":- not {chance.choice('dcs')}({chance.randint(1, 3)}).",
            ]
        )
    # Without a bound there would be no end of the terms.
    return f"{head} :- {'X < 3; ' if '+' in head else ''}{body}.".lstrip()


def _body(chance: Random, variables: list[str]) -> str:
    binders = ["e({0},_)", "g({0})", "c({0})", "d({0})", "e(_,{0})", "e({0},{1})", "r({0},1)", "r({0},_)"]
    literals = [chance.choice(binders).format(one, chance.choice(variables)) for one in variables]
    others = [
        "not {}({})",
        "not {}({})",
        "{}({})",
        "#count {{ Z : e({1},Z), c(Z) }} {2} {3}",
        "#sum {{ Z,1 : c(Z), g(Z) }} {2} {3}",
        "c(Z) : e({1},Z), g(Z)",
        "not s(Z) : e(Z,{1})",
        "1 {{ c({1}) ; d({1}) }}",
        "{1} != 2",
    ]
    for _ in range(chance.randint(0, 2)):
        argument = chance.choice([*variables, "1", "2", "3"])
        other = chance.choice(others)
        literals.append(other.format(chance.choice("gdcsm"), argument, chance.choice("<>"), chance.randint(0, 3)))
    return "; ".join(literals)


def _satisfiable(lines: Collection[str]) -> bool:
    control = clingo.Control(["--warn=none"])
    control.add("base", [], "\n".join(lines))
    control.ground([("base", [])])
    return bool(control.solve().satisfiable)


def _possible(lines: list[str], kept: Collection[int | None]) -> bool:
    """Whether the statements of some lines can hold together, whichever of the others hold."""
    return _satisfiable([line if number in kept else _free(line, number) for number, line in enumerate(lines, 1)])


def _free(line: str, number: int) -> str:
    """A statement that holds or not; of a choice only the bounds are free."""
    head, arrow, body = line.removesuffix(".").partition(":-")
    if not arrow and "{" not in head:
        return f"{{ {head} }}."
    choice = f"{head[head.index('{') : head.index('}') + 1]} {arrow}{body}." if "{" in head else ""
    return f"{choice} {{ free({number}) }}. {head}:- {f'{body}; ' if body else ''}free({number})."
