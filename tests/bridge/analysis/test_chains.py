"""A clash as steps: what follows from its facts, and what forbids that."""

from __future__ import annotations

import pytest

import bridge
from bridge.problem.asp import AspProblem


@pytest.mark.parametrize(
    ("program", "chain"),
    [
        (
            "edge(a,b). edge(b,a).\nreach(X,Y) :- edge(X,Y).\nreach(X,Z) :- reach(X,Y), edge(Y,Z). % on\n:- reach(a,a).\n",
            (
                "edge(a,b): so reach(a,b) (<string>:2)",
                "reach(a,b) and edge(b,a): so reach(a,a) (<string>:3)",
                "but <string>:4 forbids reach(a,a)",
            ),
        ),
        (
            "#const most = 2.\nitem(1..3).\nbig(X) :- item(X), X > most.\n:- big(X).\n",
            ("item(3): so big(3) (<string>:3)", "but <string>:4 forbids big(3), with X = 3"),
        ),
        ("p.\nq :- p.\n:- q, 1 { p; q }.\n", ("p: so q (<string>:2)", "but <string>:3 forbids q and p")),
        ("{ p }.\n:- p.\n:- not p.\n", ()),  # a choice, and two constraints
        ("p.\n:- p.\n", ()),  # nothing follows
        ("{ p } = 1.\n:- p.\n", ()),
    ],
)
def test_the_steps_of_a_clash(program: str, chain: tuple[str, ...]) -> None:
    found = bridge.diagnose(AspProblem(program))
    assert tuple(map(str.strip, found.chain)) == chain
    assert ("step by step:" in str(found)) is bool(chain)
    assert found.to_json()["chain"] == list(found.chain)


def test_of_many_steps_the_last_are_shown() -> None:
    found = bridge.diagnose(AspProblem("n(0).\nn(X+1) :- n(X), X < 9.\n:- n(9).\n"))
    assert found.chain[0] == "  ... 5 steps before"
    assert len(found.chain) == 6
