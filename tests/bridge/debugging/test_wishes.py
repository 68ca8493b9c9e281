"""Atoms that are missing, or unwanted: why, and which changes are no repair of it."""

from __future__ import annotations

import pytest
from patience import PATIENCE

import bridge
from bridge.asp.text import Text
from bridge.debugging.wishes import Wished, wished_for
from bridge.limits import Limits
from bridge.problem.asp import AspProblem

LIFT = """\
time(0..2). robot(0,0). box(2,0).
1 { right(T); lift(T) } 1 :- time(T).
robot(X+1,T+1) :- right(T), robot(X,T).
robot(X,T+1) :- lift(T), robot(X,T).
carried(T+1) :- lift(T).
carried(T+1) :- carried(T), time(T+1).
"""


@pytest.mark.parametrize(
    ("statement", "after", "allowed"),
    [
        ("p(X) :- q(X), r(X).", "p(X) :- q(X), not p(X).", False),
        ("p :- q(X) : r(X).", "p :- q(X) : r(X), not p.", False),
        ("p(X) :- q(X).", "p(X) :- q(X), p(X).", False),
        ("p(X,Y) :- q(X,Z), q(Z,Y).", "p(X,Y) :- p(X,Z), q(Z,Y).", True),  # recursion
        ("p :- q.", "p.", False),
        ("p :- q.", "", True),
        ("p(1).", "p(2).", True),
        ("{ p } :- q.", "{ p }.", True),
    ],
)
def test_changes_by_which_a_missing_atom_is_true_by_itself(statement: str, after: str, allowed: bool) -> None:
    (node,) = Text(statement).statements
    assert Wished(missing=True).allows(node, after) is allowed


def test_what_is_changed_where_an_atom_is_unwanted() -> None:
    known = wished_for(AspProblem(LIFT), (), ["carried(1)"], (), Limits(seconds=PATIENCE))
    assert known.lines == {1, 2, 5}
    assert known.because == (
        "<string>:5: carried(1) is derived from lift(0) alone",
        "<string>:2: lift(0) is chosen, once for each T, given time(0)",
    )
    text = Text(f"{LIFT}:- time(T), not robot(_,T).")
    allowed = {text.of(one) for one in text.statements if known.allows(one, "")}
    assert allowed == {"1 { right(T); lift(T) } 1 :- time(T).", "carried(T+1) :- lift(T).", ":- time(T), not robot(_,T)."}


def test_nothing_is_known_of_a_program_that_is_refused() -> None:
    known = wished_for(AspProblem("p(X) :- not q(X)."), (), ["p(1)"], (), Limits(seconds=PATIENCE))
    assert (known.lines, known.because) == (None, ())


def test_the_cause_comes_before_repairs_are_looked_for() -> None:
    told: list[str] = []
    text = "meet :- free(ann). free(ann) :- on(mon). on(mon) :- meet. day(mon)."
    found = bridge.debug(text, missing="meet", limits=Limits(seconds=PATIENCE), on_cause=told.append)
    assert told[0].startswith("nothing can derive meet:\n  meet needs free(ann) ")
    assert "\n".join(found.because) == told[0]
    assert told[0] in str(found)
    steps = [step for one in found.suspects if one.repair for step in one.repair.steps]
    assert not any(step.before and step.after and ":-" not in step.after for step in steps)


def test_an_unwanted_atom_is_not_repaired_by_other_data() -> None:
    found = bridge.debug(LIFT, unwanted="carried(1)", limits=Limits(seconds=4))
    changed = {step.line for one in found.suspects if one.repair for step in one.repair.steps if step.before}
    assert changed.isdisjoint({1, 3, 4, 6})
    assert all("takes answers away only" in one.repair.proved_by for one in found.suspects if one.repair)
