"""`bridge.lint` of small programs by their instances: what has no atom, what a constraint excludes, values."""

from __future__ import annotations

import pytest

import bridge

JOBS = "job(a;b). hour(1..4).\n{ start(J,T) : hour(T) } = 1 :- job(J).\n"


def found(program: str, *ids: str, **options: bool) -> list[tuple[str, int, str, str]]:
    """Id, line, level and words of what some checks find."""
    findings = bridge.lint(bridge.program(program), **options).findings  # type: ignore[arg-type]
    return [(one.id, one.place.line or 0, one.level, str(one)) for one in findings if one.id in ids]


@pytest.mark.parametrize(
    ("program", "line", "words"),
    [
        ("second(9..1).\nbeep(S) :- second(S).\n#show beep/1.\n", 1, "`9..1` is empty"),
        ("a(1..3).\nb(X) :- a(X), X > 5.\nc(X) :- b(X).\n#show c/1.\n", 2, "`X > 5` never holds: X is 1, 2 or 3"),
        ("a(1..2). b(x;y).\nc(X) :- a(X), b(X).\n#show c/1.\n", 2, "`X` is 1 or 2 before, and here x or y"),
        ("a(1..2).\n{ b(X,Y) : a(X) } :- a(Y), Y > 3.\n#show b/2.\n", 2, "`Y > 3` never holds"),
        ("a(1..2).\nb(X) :- a(X), not a(X+1), X < 2.\n#show b/1.\n", 2, "never holds"),
    ],
)
def test_the_first_literal_that_has_no_instance_is_named(program: str, line: int, words: str) -> None:
    ((_, at, level, sentence), *_) = found(program, "LP046")
    assert (at, level) == (line, "info")
    assert words in sentence


@pytest.mark.parametrize(
    "program",
    [
        "a(1..3).\nb(X) :- a(X), X > 2.\n#show b/1.\n",
        "b(X) :- a(X), X > 2.\n#show b/1.\n",  # a/1 is an input
        "a(1..n).\nb(X) :- a(X).\n#show b/1.\n",  # -c n=3
        "a(X) :- X = @f().\n#show a/1.\n",  # a script is elsewhere
        "a(X,Y) :- a(Y,X).\n#show a/2.\n",
        "{ a }.\nb :- a.\nc :- not a.\n#show b/0. #show c/0.\n",
        "a(1..3).\nbad(X) :- a(X), X > 5.\nb(X) :- a(X), not bad(X).\n",
    ],
)
def test_what_may_have_an_atom_is_no_finding(program: str) -> None:
    assert not found(program, "LP046")


@pytest.mark.parametrize(
    ("program", "line", "words"),
    [
        (JOBS + ":- start(J,T), start(K,T).\n", 3, "`J != K` is missing"),
        (JOBS + "long(a,2). long(b,2).\n:- start(J,S), start(K,T), long(J,D), S <= T, T < S + D.\n", 4, "J = K and S = T"),
        (JOBS + "old(1..4).\n:- start(_,T), old(T).\n", 4, "forbids each atom start(_,T)"),
    ],
)
def test_a_constraint_that_forbids_each_atom_of_a_choice(program: str, line: int, words: str) -> None:
    ((_, at, level, sentence),) = found(program, "LP047")
    assert (at, level) == (line, "warning")
    assert words in sentence


@pytest.mark.parametrize(
    "constraint",
    [
        ":- start(J,T), start(K,T), J != K.\n",
        ":- start(J,T), start(K,T), J < K.\n",
        ":- start(a,T), start(b,T).\n",
        ":- start(J,T), T > 3.\n",
        "bad(3).\n:- start(J,T), start(K,T), bad(T).\n",
        "free :- start(a,1).\n:- start(J,T), not free.\n",
    ],
)
def test_a_constraint_that_leaves_some_atoms_is_no_finding(constraint: str) -> None:
    assert not found(JOBS + constraint, "LP047")


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("t(0..2). at(lab,0).\n{ at(home,T+1) } :- t(T), T < 2.\n:- not at(home,T), t(T).\n", "no rule can derive at(home,0)"),
        ("{ a }.\nb :- a, c.\nc :- a, 1 > 2.\n:- not b.\n", "no rule can derive b: `1 > 2` never holds (line 3)"),
    ],
)
def test_a_constraint_that_demands_what_nothing_derives(program: str, words: str) -> None:
    ((_, _, level, sentence),) = found(program, "LP048")
    assert level == "warning"
    assert words in sentence


def test_a_demand_that_can_be_met_is_no_finding() -> None:
    assert not found("t(0..2).\n{ at(T) : t(T) }.\n:- not at(T), t(T).\n:- not not at(7).\n", "LP048")


@pytest.mark.parametrize(
    ("program", "level"),
    [
        ("s(a,3). s(b,3).\nt(T) :- T = #sum { S : s(_,S) }.\n", "warning"),
        ("s(a,3). s(b,4).\nt(T) :- T = #sum { S : s(_,S) }.\n", None),
        ("s(1,a,3). s(2,a,3). k(1..2).\nt(K,T) :- k(K), T = #sum { S : s(K,_,S) }.\n", None),
        ("s(1,a,3). s(1,b,3). k(1..2).\nt(K,T) :- k(K), T = #sum { S : s(K,_,S) }.\n", "warning"),
        ("i(a,3). i(b,3). { t(X,W) : i(X,W) }.\n#minimize { W : t(_,W) }.\n", "info"),
        ("s(a,0). s(b,0).\nt(T) :- T = #sum { S : s(_,S) }.\n", None),
    ],
)
def test_equal_tuples_of_atoms_with_an_anonymous_variable(program: str, level: str | None) -> None:
    assert [one[2] for one in found(program, "LP011")] == ([] if level is None else [level])


@pytest.mark.parametrize(
    ("program", "exact"),
    [
        ("a(60000). r(60000).\np(A*R) :- a(A), r(R).\n", "3600000000, and wraps around to -694967296"),
        ("f(0,1).\nf(N+1,F*(N+1)) :- f(N,F), N < 17.\n", "6227020800"),
        ("a(7;50).\np(A**6) :- a(A).\n", "15625000000"),
        ("a(7;50).\np(A**3) :- a(A).\n", None),
        ("a(60000,1). a(1,60000).\np(A*B) :- a(A,B).\n", None),
        ("a(70000).\n:- a(X), a(Y), X*Y > 1000000000.\n", "4900000000, and wraps around to 605032704"),
        ("a(2000000000).\np(X+Y) :- a(X), a(Y).\n", "4000000000, and wraps around to -294967296"),
        ("a(2000000000).\np(X-Y) :- a(X), a(Y).\n", None),
        ("#const k=1500000000.\na(k).\np(Y) :- a(X), Y = -X - k.\n", "with X = 1500000000, k = 1500000000 this is -3000000000"),
        ("a(2000000000). { c }.\n#minimize { 2*W : c, a(W) }.\n", "4000000000"),
        ("p(2147483647 + 1).\n", "32 bits: this is 2147483648, and wraps around to -2147483648"),
        ("q(1500000000,a). q(1500000000,b).\ns(S) :- S = #sum { W,X : q(W,X) }.\n", "32 bits: this sum is 3000000000, and wraps around to -1294967296"),
        ("q(1500000000,a). q(1500000000,b).\nbig :- #sum { W,X : q(W,X) } > 2000000000.\n", None),
        ("q(1500000000,a). q(-1500000000,b).\ns(S) :- S = #sum+ { W,X : q(W,X) ; V,Y,1 : q(V,Y) }.\n", "is 3000000000, and"),
        ("i(1..2). q(1,1500000000,1..2). q(2,1,1).\ns(I,S) :- i(I), S = #sum { W,X : q(I,W,X) }.\n", "with I = 1 this sum is 3000000000"),
        ("{ a; b }.\n:- #sum { 1073741824 : a; -1073741824 : b } > 3.\n", "the weights of this sum are 2147483648 together"),
        ("{ a; b }.\n:- #sum { 1073741823 : a; -1073741824 : b } > 3.\n", None),
        ("{ a }. q(99999,1).\ns(S) :- S = #sum { W,X : q(W,X), a }, S > 5, r(S). r(1).\n", None),
    ],
)
def test_arithmetic_that_wraps_around_is_said_with_its_value(program: str, exact: str | None) -> None:
    warned = [one for one in found(program, "LP045") if one[2] == "warning"]
    assert [exact in one[3] for one in warned] == ([True] if exact else [])


def test_rules_that_never_fire_say_why() -> None:
    ((_, line, _, sentence),) = found("a(1..3).\nb(X) :- a(X), X > 5.\n", "LP008", instances=True)
    assert line == 2
    assert sentence == "this rule never fires here: `X > 5` never holds: X is 1, 2 or 3"


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("e(1,2). e(2,3).\n{ in(1..3) }.\n:- e(X,Y), X > Y, in(X), in(Y).\n", "`X > Y` never holds"),
        ("e(1,2).\n{ in(1..3) }.\n:- e(X,Y), in(X), in(Y).\n", None),
    ],
)
def test_a_constraint_without_an_instance(program: str, words: str | None) -> None:
    assert [words in one[3] for one in found(program, "LP009")] == ([True] if words else [])
