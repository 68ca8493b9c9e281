"""Atoms that are missing, or unwanted: why, and which changes are no repair of it."""

from __future__ import annotations

import pytest
from patience import PATIENCE

import bridge
from bridge.asp.reading.text import Text
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
        ("p(1).", "p(2).", False),
        ("#const n = 4.", "#const n = 5.", False),
        ("{ p } :- q.", "{ p }.", True),
        ("p(X) :- q(X,Y), r(Y).", "p(X) :- q(X,3), r(_).", False),
        ("p(X) :- q(X,3).", "p(X) :- q(X,4).", True),
        ("#minimize { N@2,X : p(X), q(X,N) }.", "#minimize { N@2,X : q(X,N) }.", False),
        ("#minimize { N@2,X : p(X), q(X,N) }.", "#minimize { N@1,X : p(X), q(X,N) }.", True),
    ],
)
def test_changes_by_which_a_missing_atom_is_true_by_itself(statement: str, after: str, allowed: bool) -> None:
    (node,) = Text(statement).statements
    assert Wished(missing=True).allows(node, after) is allowed


@pytest.mark.parametrize("lines", [None, {1}])
def test_facts_and_constants_are_changed_where_they_are_in_question(lines: set[int] | None) -> None:
    for statement, after in ("p(1).", "p(2)."), ("p(1..3).", "p(1..4)."), ("#const n = 4.", "#const n = 5."):
        (node,) = Text(statement).statements
        assert Wished(missing=lines is None, lines=lines, facts=True).allows(node, after)
        assert not Wished(missing=lines is None, lines=lines).allows(node, after)


def test_what_is_changed_where_an_atom_is_unwanted() -> None:
    known = wished_for(AspProblem(LIFT), (), ["carried(1)"], (), Limits(seconds=PATIENCE))
    assert known.lines == {1, 2, 5}
    assert known.because == (
        "<string>:5: carried(1) is derived from lift(0) alone",
        "<string>:2: lift(0) is chosen, once for each T, given time(0)",
    )
    text = Text(f"{LIFT}:- time(T), not robot(_,T).")
    allowed = {text.of(one) for one in text.statements if known.allows(one, "")}
    # What is chosen only gives the occasion.
    assert allowed == {"carried(T+1) :- lift(T).", ":- time(T), not robot(_,T)."}


def test_nothing_is_known_of_a_program_that_is_refused() -> None:
    known = wished_for(AspProblem("p(X) :- not q(X)."), (), ["p(1)"], (), Limits(seconds=PATIENCE))
    assert (known.lines, known.because) == (None, ())


def test_the_cause_comes_before_repairs_are_looked_for() -> None:
    told: list[tuple[str, ...]] = []
    text = "meet :- free(ann). free(ann) :- on(mon). on(mon) :- meet. day(mon)."
    found = bridge.debug(text, missing="meet", limits=Limits(seconds=PATIENCE), on_progress=lambda one: told.append(one.because))
    assert "\n".join(told[0]).startswith("nothing can derive meet:\n  meet needs free(ann) ")
    assert found.because == told[0]
    assert "\n".join(told[0]) in str(found)
    steps = [step for one in found.suspects if one.repair for step in one.repair.steps]
    assert not any(step.before and step.after and ":-" not in step.after for step in steps)


def test_an_unwanted_atom_is_not_repaired_by_other_data() -> None:
    found = bridge.debug(LIFT, unwanted="carried(1)", limits=Limits(seconds=2))
    changed = {step.line for one in found.suspects if one.repair for step in one.repair.steps if step.before}
    assert changed.isdisjoint({1, 3, 4, 6})
    assert all("takes answers away only" in one.repair.proved_by for one in found.suspects if one.repair)


def test_a_missing_atom_comes_with_as_few_others_as_can_be() -> None:
    program = "pet(a,dog,6). pet(b,cat,2). pet(c,cat,4).\ntop(I,K) :- pet(I,K,C), C = #max { D : pet(_,_,D) }.\n"
    found = bridge.debug(program, missing="top(c,cat)", limits=Limits(seconds=PATIENCE))
    assert found.because[-1] == "<text 1>:2:40: this is over all K together; for each K write `pet(_,K,D)`"
    assert found.repair is not None
    assert found.repair.text.split("\n")[1] == "top(I,K) :- pet(I,K,C), C = #max { D : pet(_,K,D) }."


def test_a_rule_in_question_is_told_with_its_single_variable() -> None:
    program = "place(1..2). robot(1,0). box(2,0).\n{ go(P,T) : place(P) } = 1 :- T = 0.\nheld(T) :- robot(P,T).\n"
    program += "box(P,T+1) :- held(T), go(P,T).\n"
    found = bridge.debug(program, unwanted="box(1,1)", limits=Limits(seconds=2))
    assert found.because[-1] == "<text 1>:3:18: `P` stands only here"
    assert all(one.place.line != 2 for one in found.suspects)


def test_atoms_of_a_disjunction_are_in_no_answer_together() -> None:
    found = bridge.debug("tea ; coffee.\n", missing=["tea", "coffee"], limits=Limits(seconds=2))
    assert found.because == (
        "some answer has tea or coffee, and none has both",
        "<text 1>:1: a disjunction makes no more of its atoms true than needed; `1 { tea ; coffee }` makes any of them true",
    )


def test_costs_count_where_they_are_asked_for() -> None:
    program = "room(1..2). price(1,90). price(2,60). noise(1,1). noise(2,5). { book(R) : room(R) } = 1.\n"
    program += "#minimize { P@1,R : book(R), price(R,P) }.\n#minimize { N@2,R : book(R), noise(R,N) }.\n"
    assert "its costs were not looked at" in bridge.debug(program, missing="book(2)").proved_by
    found = bridge.debug(bridge.program(program, optimal=True), missing="book(2)", limits=Limits(seconds=PATIENCE))
    assert found.repair is not None
    assert "P@2,R" in found.repair.text
    reasons = str(bridge.why(bridge.program(program), "book(1)"))
    assert "the larger priority counts first: @2 (<string>:3), then @1 (<string>:2)" in reasons


@pytest.mark.parametrize(
    ("program", "unwanted", "repaired"),
    [
        (
            "student(ann;bob). course(math;art).\npassed(ann,math). passed(ann,art). passed(bob,math).\n"
            "done(S) :- student(S), course(C), passed(S,C).\n",
            "done(bob)",
            "done(S) :- student(S); passed(S,C) : course(C).",
        ),
        (
            "score(ann,9). score(bob,5). score(cleo,1).\nbest(X) :- score(X,S), score(Y,T), S > T.\n",
            "best(bob)",
            "best(X) :- score(X,S); S >= T : score(Y,T).",
        ),
        (
            "person(ann;bob;cleo). likes(ann,bob). likes(bob,cleo).\n"
            "lonely(X) :- person(X), person(Y), not likes(X,Y).\n",
            "lonely(ann)",
            "lonely(X) :- person(X); not likes(X,Y) : person(Y).",
        ),
    ],
)
def test_a_condition_for_all_values_in_place_of_some(program: str, unwanted: str, repaired: str) -> None:
    found = bridge.debug(program, unwanted=unwanted, limits=Limits(seconds=PATIENCE))
    assert found.repair is not None
    assert repaired in found.repair.text


FAMILY = """\
parent(adam,beth). parent(beth,carl). parent(beth,dora). parent(carl,finn).
sibling(X,Y) :- parent(P,X), parent(P,Y).
aunt(U,X) :- sibling(U,P), parent(P,X).
"""


@pytest.mark.parametrize(
    ("program", "asked", "repaired"),
    [
        (FAMILY, {"unwanted": "sibling(beth,beth)"}, "parent(P,Y), X != Y."),
        (FAMILY, {"unwanted": "aunt(beth,carl)"}, "parent(P,Y), X != Y."),
        ("n(1..3). e(1,2). e(2,3).\n{ in(X) : n(X) }.\n:- in(X), in(Y), not e(X,Y).\n", {"missing": "in(1)"}, "not e(X,Y), X != Y."),
    ],
)
def test_two_atoms_are_not_the_same_one(program: str, asked: dict[str, str], repaired: str) -> None:
    found = bridge.debug(program, **asked, limits=Limits(seconds=PATIENCE))
    assert found.repair is not None
    assert repaired in found.repair.text
