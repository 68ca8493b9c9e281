"""Which plain facts some rules can depend on."""

from __future__ import annotations

import pytest

from bridge.asp.reading.demand import demanded, tied
from bridge.asp.reading.parsed import Reader

FACTS = "".join(f"lesson(l{number},t{number % 3}).\n" for number in range(9)) + "must(l4,2).\naway(t1,2).\nk.\n"


def near(
    rules: str,
    *lines: int,
    whole: tuple[tuple[str, int], ...] = (),
    query: str = "",
    instances: list[list[tuple[str, str]]] | None = None,
    facts: list[str] | None = None,
) -> set[str] | None:
    """The facts that the rules in some lines can depend on."""
    roots = {f"<string>:{one}:1": instances for one in lines}
    found = demanded(Reader().read([("text", rules + FACTS)]), [], roots, whole, query, facts)
    return None if found is None else set(found)


TIMETABLE = """\
:- lesson(L, T), must(L, S), not at(L, S).
:- busy(T, S), away(T, S).
busy(T, S) :- at(L, S), lesson(L, T).
{ at(L, S) : slot(S) } :- lesson(L, _).
slot(1..3).
"""
OF_T1 = {"lesson(l1,t1)", "lesson(l4,t1)", "lesson(l7,t1)"}


def test_what_a_few_rules_need_of_many_facts() -> None:
    assert near(TIMETABLE, 1) == {"lesson(l4,t1)", "must(l4,2)"}
    assert near(TIMETABLE, 2) == {*OF_T1, "away(t1,2)"}
    assert near(TIMETABLE, 1, 2) == {*OF_T1, "must(l4,2)", "away(t1,2)"}
    assert near(TIMETABLE, query=":- not at(l3,1).") == {"lesson(l3,t0)"}


def test_rules_that_few_facts_tell() -> None:
    def of(rules: str, most: int, query: str = "") -> list[int]:
        places = [f"<string>:{line}:1" for line in range(1, rules.count("\n") + 1)]
        program = Reader().read([("text", rules + FACTS)])
        return [int(place.split(":")[1]) for place in tied(program, places, query, most)]

    assert [one for one in of(TIMETABLE, 1) if one < 3] == [1, 2]  # lines that are joined with must/2 and away/2
    assert [one for one in of(TIMETABLE, 0) if one < 3] == []
    choice = "{ at(L, S) : S = 1..3 } :- lesson(L, _).\n"
    assert of(f":- at(L, 1), lesson(L, _).\n:- at(l1, S), S = 2.\n{choice}", 1) == [2]
    assert of(f":- at(L, S), M = L, must(M, _).\n{choice}", 1) == []  # comparisons join nothing
    assert of(":- lesson(L, T), k.\n", 1) == []
    assert of(":- none(L), lesson(L, T).\n", 1) == [1]
    assert of(f":- must(L, S), at(L, S).\n{choice}", 1, query=":- at(L, S), S < 2.") == [1]  # not of the query
    assert of(":- &sum { X : at(X, _) } > 1.\n", 1) == []
    assert of(f":- at(L, S), L = M, must(M, _).\n{choice}", 1) == []
    assert of(f":- at((L;l1), 2), k.\n{choice}", 1) == []  # as far as one of its instances is
    assert of(f":- at((l1;l2), 2), k.\n{choice}", 1) == [1]


@pytest.mark.parametrize(
    ("rules", "facts"),
    [
        (":- not q(l2).\nq(X) :- not r(X), lesson(X, _).\nr(X) :- must(X, _).\n", {"lesson(l2,t2)"}),
        (":- #count { L : lesson(L, t0) } > 2, not k.\n", {"lesson(l0,t0)", "lesson(l3,t0)", "lesson(l6,t0)", "k"}),
        (":- must(L, _) : lesson(L, t0).\n", {"lesson(l0,t0)", "lesson(l3,t0)", "lesson(l6,t0)"}),
        (":- not a.\na | b :- k.\nb | c :- away(_, 2).\n", {"k", "away(t1,2)"}),
        (":- size(N), N > 3.\nsize(N) :- N = #count { S : must(_, S) }, k.\n", None),
        (":- size(3).\nsize(N) :- N = #count { S : must(_, S) }, k.\n", {"k", "must(l4,2)"}),
        (":- not r(3).\nr(X+1) :- r(X), X < 5.\nr(X) :- must(_, X).\n", {"must(l4,2)"}),
        (":- f(l4).\nf(L) :- not not must(L, _), lesson(L, _).\n", {"must(l4,2)", "lesson(l4,t1)"}),
        (":- not -k.\n-k :- not must(l1,2), lesson(l1,_).\n", {"lesson(l1,t1)"}),
        (":- not k, not p.\n#external p.\n", None),
        (":- not k.\n#program step(t).\np(t) :- k.\n", None),
        (":- X = @f(), not k.\n", None),
        (":- k.\n#include <incmode>.\n", None),
        (":- k.\n#script (lua)\n#end.\n", None),
        (":- k.\n#edge (1, 2) : k.\n", None),
        (":- k.\n#theory t { }.\n", None),
        (":- k.\n#show k/0.\n#minimize { 1 : k }.\n#show 1 : k.\n#heuristic k. [1, true]\n", {"k"}),
        (":- must(L, n).\n#const n = 2.\n", {"must(l4,2)"}),
        (":- must(L, n).\n#const n = 3.\n", set()),
        # What a choice or a disjunction may derive binds no variables where facts do; facts that are not plain do.
        (":- at(L, S), must(L, S).\n{ at(l1, S) : S = 1..3 }.\n", {"must(l4,2)"}),
        (":- a(L) , must(L, _).\na(l1) | a(l2).\n", {"must(l4,2)"}),
        (":- s(S), must(L, S).\ns(7..9).\n", set()),
        # Comparisons bind in a chain, and where their variables are bound.
        (":- at(Z, 2), Z = Y, Y = X, must(X, _).\n{ at(l1..l9, 2) }.\n", {"must(l4,2)"}),
        (
            ":- at(Z, 2), Z = Y, Y = X, must(X, _).\n{ at(X, 2) } :- lesson(X, _), a(X).\na(l1) :- k.\n",
            {"must(l4,2)", "lesson(l4,t1)"},
        ),
        (":- k, N > 2, q(N).\nq(N) :- must(_, N), N > 5.\n", {"k"}),
        (":- N > 2, q(N), must(_, N).\nq(N) :- away(_, N).\n", set()),
        (":- N < 3, q(N).\nq(N) :- away(_, N).\nq(N) :- must(_, N), N > 2.\n", {"away(t1,2)"}),
        (":- p(N + N), N = #count { L : lesson(L, _) }.\n{ p(3) }.\n", None),
        (":- q(X).\nq(X) :- must(X, _).\n", {"must(l4,2)"}),
        # One literal with two variables is better than two.
        (
            ":- p(X), q(X, Y), not r(X, Y).\np(X) :- must(X, _).\nq(X, Y) :- lesson(X, Y), Y = t1.\nr(X, Y) :- lesson(X, Y).\n",
            {"lesson(l1,t1)", "lesson(l4,t1)", "lesson(l7,t1)", "must(l4,2)"},
        ),
        # What negation forbids is possible all the same.
        (
            ":- q(X), not z(X).\nq(X) :- lesson(X, t1), not r(X).\n{ r(X) : must(X, _) }.\n",
            {"lesson(l1,t1)", "lesson(l4,t1)", "lesson(l7,t1)", "must(l4,2)"},
        ),
    ],
)
def test_forms_of_rules(rules: str, facts: set[str] | None) -> None:
    assert near(rules, 1) == facts


def test_all_atoms_of_a_predicate() -> None:
    assert near("odd(L) :- must(L, S), not odd(L).\n:- k.\n", 2, whole=(("odd", 1),)) == {"k", "must(l4,2)"}


def test_instances_that_matter() -> None:
    pairs = ":- at(L, S), at(M, S), lesson(L, T), lesson(M, T), L < M.\n{ at(L, S) : S = 1..3 } :- lesson(L, _).\n"
    one = [[("L", "l1"), ("M", "l4"), ("S", "2"), ("T", "t1")]]
    assert len(near(pairs, 1) or ()) == 9
    assert near(pairs, 1, instances=one) == {"lesson(l1,t1)", "lesson(l4,t1)"}
    assert near(pairs, 1, instances=[], facts=["lesson(l1,t1)", "lesson(l2,t2)"]) == set()
    two = ["lesson(l1,t1)", "lesson(l7,t1)"]
    assert near(pairs, 1, instances=[], facts=two) == set(two)
    negated = ":- -q(L).\n-q(L) :- must(L, S), lesson(L, _).\n"
    assert near(negated, 1, instances=[], facts=["lesson(l4,t1)"]) == set()
    assert near(negated, 1, instances=[], facts=["lesson(l4,t1)", "must(l4,2)"]) == {"lesson(l4,t1)", "must(l4,2)"}
    free = ":- #count { S : at(L, S) } < 1, lesson(L, _).\n{ at(L, S) : must(L, S) } :- lesson(L, _).\n"
    assert near(free, 1, instances=[], facts=["lesson(l4,t1)"]) == {"lesson(l4,t1)", "must(l4,2)"}
