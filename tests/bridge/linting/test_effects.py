"""Constraints that are written where effects of actions are meant."""

from __future__ import annotations

import pytest

import bridge

PLANNER = "time(0..3). at(office,0). { go(T); stay(T) } = 1 :- time(T).\nat(P,T+1) :- at(P,T), time(T), not go(T).\n"


def found(program: str) -> list[tuple[int, str, str | None]]:
    return [
        (one.place.line or 0, one.sentence, one.suggestion)
        for one in bridge.lint(program).findings
        if one.id == "LP060"
    ]


@pytest.mark.parametrize(
    ("constraint", "does", "rule"),
    [
        (":- go(T), at(office,T), at(hall,T+1).", "forbids at(hall,T+1)", "at(hall,T+1) :- go(T), at(office,T)."),
        (":- go(T), not at(hall,T+1).", "demands at(hall,T+1)", "at(hall,T+1) :- go(T)."),
        (":- at(hall,T), go(T-1), time(T).", "forbids at(hall,T)", "at(hall,T) :- go(T-1), time(T)."),
        (":- go(T), at(hall,U), U = T+1.", "forbids at(hall,U)", "at(hall,U) :- go(T), U = T+1."),
        (":- go(T), at(_,T+1).", "forbids at(_,T+1)", None),
    ],
)
def test_an_effect_that_no_rule_gives(constraint: str, does: str, rule: str | None) -> None:
    ((line, sentence, suggestion),) = found(f"{PLANNER}{constraint}")
    assert (line, suggestion) == (3, rule)
    assert sentence.startswith(f"a constraint derives nothing: this only {does}, and ")


def test_the_rule_that_passes_an_atom_on_is_named() -> None:
    text = "init(X) :- in(X). at(X,0) :- init(X). { go(X,T) } :- in(X), time(T).\nat(X,T+1) :- at(X,T), time(T).\n"
    ((_, sentence, _),) = found(f"{text}:- go(X,T), at(X,T+1).")
    assert sentence.endswith("the rule for it in line 2 only passes it on")


@pytest.mark.parametrize(
    "program",
    [
        f"{PLANNER}at(hall,T+1) :- go(T), time(T).\n:- go(T), at(hall,T), at(hall,T+1).",  # there is an effect
        f"{PLANNER}:- go(T), at(office,T), go(T+1).",  # of actions
        f"{PLANNER}:- go(T), at(office,T).",  # of one step
        f"{PLANNER}:- at(office,T), not at(office,T+1), time(T+1).",  # no action in it
        f"#defined at/2.\n{PLANNER}:- go(T), at(hall,T+1).",  # an input
        "time(0..3). { go(T) } :- time(T). { at(P,T) : P = (a;b) } = 1 :- time(T). :- go(T), at(a,T), at(a,T+1).",
        "demand(a,3). time(0..3). { make(T) } :- time(T). :- make(T), demand(b,T+1).",  # data
        "time(0..3). #external at(a,T+1) : time(T). { go(T) } :- time(T). :- go(T), at(a,T+1).",
        "zone(1). { zone(Z+1) } :- zone(Z), Z < 3. { in(1..9,Z) } :- zone(Z). :- in(9,Z), zone(Z+1).",
    ],
)
def test_constraints_that_may_be_meant(program: str) -> None:
    assert found(program) == []
