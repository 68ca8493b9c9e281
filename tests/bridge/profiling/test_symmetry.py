"""Interchangeable values: exchanged, they leave the answers as they are."""

from __future__ import annotations

import random
from itertools import pairwise, permutations

import clingo
import pytest
from patience import PATIENCE

import bridge
from bridge.asp.text import Text
from bridge.limits import Limits
from bridge.profiling.grounding_profile import interchangeable
from bridge.profiling.symmetry import Interchangeable, columns_of, symmetry_lines, with_columns

COLOURS = """\
node(1..5). edge(1,2;2,3;3,4;4,5;5,1). colour(red;green;blue;black).
{ has(N,C) : colour(C) } = 1 :- node(N).
:- edge(X,Y), has(X,C), has(Y,C).
number(C,X) :- X = #count { N : has(N,C) }, colour(C).
"""

LIMITS = Limits(seconds=PATIENCE)


def classes(text: str, *more: str) -> list[Interchangeable]:
    columns = columns_of([Text(text)])
    return list(with_columns(interchangeable(text, *more, columns=columns, limits=LIMITS), columns))


def values(text: str, *more: str) -> list[list[str]]:
    return sorted([*one.values] for one in classes(text, *more))


def test_values_that_a_rule_names_are_not_like_the_others() -> None:
    assert values(COLOURS) == [["black", "blue", "green", "red"]]
    (one,) = classes(COLOURS + ":- has(1,black).\n")
    assert one.values == ("blue", "green", "red")
    assert {"predicate": "colour/1", "argument": 1} in one.to_json()["columns"]
    assert str(one).startswith("blue, green and red: argument 1 of colour/1, argument 2 of has/2")
    assert values(COLOURS + "#minimize { N : number(black,N) }. #minimize { 2*N : number(red,N) }.\n") == [
        ["blue", "green"]
    ]
    assert values(COLOURS + ":- 2 #sum { 2 : has(1,red); 1,N : has(N,C), C != red } 3.\n") == [
        ["black", "blue", "green"]
    ]


def test_values_of_two_sorts_are_exchanged_apart() -> None:
    """Pigeon 1 is not hole 1; an order among pairs is no obstacle."""
    pigeons = "pigeon(1..4). hole(1..3). { in(P,H) : hole(H) } = 1 :- pigeon(P). :- in(P,H), in(Q,H), P < Q.\n"
    assert values(pigeons) == [["1", "2", "3"], ["1", "2", "3", "4"]]
    assert values(pigeons + ":- in(P,H), H > P.\n") == []


def test_what_facts_tell_apart() -> None:
    rules = "{ at(L,S) : slot(S) } = 1 :- lesson(L,T). :- at(L,S), at(M,S), lesson(L,T), lesson(M,T), L < M.\n"
    assert values(rules, "slot(1..2). lesson(a,x;b,x;c,y).") == [["1", "2"], ["a", "b"]]
    assert values(rules + "seen(L) :- extra(L), at(L,S).", "slot(1..2). lesson(a,x;b,x;c,y). extra(a).") == [["1", "2"]]


def test_what_is_not_a_rule_is_left_alone() -> None:
    edges = COLOURS + "#edge (X,Y) : has(X,C), has(Y,C), edge(X,Y).\n"
    assert values(edges) == []


@pytest.mark.parametrize("seed", range(6))
def test_exchanged_values_leave_the_answers_as_they_are(seed: int) -> None:
    """Random programs: what is said to be interchangeable is so in all answers."""
    chance = random.Random(seed)
    parts = [
        "{ p(X,V) : v(V) } :- k(X).", "q(V) :- p(_,V), not r(V).", "r(V) :- v(V), #count { X : p(X,V) } > 1.",
        ":- p(X,V), p(X,W), V < W.", ":- p(1,V), q(V).", ":- p(X,c).", "s(X) :- p(X,V) : v(V); k(X).",
        ":- #sum { 1,V : q(V) ; 2,V : r(V) } > 3.", "t(V) :- p(1,V). t(V) :- p(2,V).", ":- t(d), not s(2).",
    ]  # fmt: skip
    text = "k(1..2). v(c;d;e). " + "\n".join([parts[0], *chance.sample(parts[1:], 5)])
    control = clingo.Control(["0"])
    control.add("base", [], text)
    control.ground([("base", [])])
    answers: set[frozenset[str]] = set()
    control.solve(on_model=lambda model: answers.add(frozenset(map(str, model.symbols(atoms=True)))) and None)
    found = [one for one in classes(text) if "c" in one.values or "d" in one.values]
    for one in found:
        for left, right in pairwise(one.values):
            swap = str.maketrans({left: right, right: left})
            assert {frozenset(atom[0] + atom[1:].translate(swap) for atom in answer) for answer in answers} == answers
    if not any(name in text for name in (",c)", "(d)")):
        assert [one.values for one in found] == [("c", "d", "e")]


def answers_of(text: str) -> set[frozenset[str]]:
    control = clingo.Control(["0"])
    control.add("base", [], text)
    control.ground([("base", [])])
    found: set[frozenset[str]] = set()
    control.solve(on_model=lambda model: found.add(frozenset(map(str, model.symbols(shown=True)))) and None)
    return found


@pytest.mark.parametrize(
    ("choice", "predicate"),
    [
        ("{ p(X,V) : v(V) } = 1 :- k(X).", ("p", 2)),
        ("{ p(X,V) : v(V) } :- k(X).", ("p", 2)),
        ("{ p(V,X,Y) : v(V) } :- k(X), k(Y).", ("p", 3)),
    ],
)
def test_an_order_leaves_an_answer_of_each_kind(choice: str, predicate: tuple[str, int]) -> None:
    """And fewer than there were."""
    text = f"k(1..2). v(c;d;e). {choice} :- #count {{ V : {'p(1,V)' if predicate[1] == 2 else 'p(V,1,2)'} }} > 2. #show p/{predicate[1]}.\n"
    every = answers_of(text)
    (values_,) = [one for one in classes(text) if one.values == ("c", "d", "e")]
    (order,) = values_.ordered([predicate, ("v", 1), ("q", 2)])
    left = answers_of(text + order)
    assert left < every

    def exchanged(answer: frozenset[str]) -> set[frozenset[str]]:
        swaps = (str.maketrans("cde", "".join(order)) for order in permutations("cde"))
        return {frozenset(atom.translate(swap) for atom in answer) for swap in swaps}

    assert set().union(*map(exchanged, left)) == every


def test_a_profile_has_them() -> None:
    pigeons = "{ in(P,H) : H = 1..4 } = 1 :- P = 1..5. :- in(P,H), in(Q,H), P < Q.\n"
    found = bridge.profile(bridge.program(pigeons), changes=False, limits=LIMITS)
    listed = found.to_json()["search"]["interchangeable"]
    assert [one["values"] for one in listed] == [["1", "2", "3", "4", "5"], ["1", "2", "3", "4"]]
    assert "stands for up to 2,880" in str(found)


def test_an_order_is_shown_with_its_measure() -> None:
    one = Interchangeable(("a", "b"), (("p/2", 1),), "next_value(a,b).\n:- x.", 0.5)
    shown = [*symmetry_lines([one])][1:]
    assert shown == [
        "    a and b: argument 1 of p/2",
        "      in order, the search takes 0.50 s:",
        "        next_value(a,b).",
        "        :- x.",
    ]
    assert (one.to_json()["order"], one.to_json()["seconds"]) == (one.order, 0.5)
