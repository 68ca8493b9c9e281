"""The checks of what a construct of clingo means: each form of a fault is found, and its right relatives are not."""

from __future__ import annotations

import pytest

import bridge

Found = list[tuple[str, int, str]]


def found(program: str, *ids: str) -> Found:
    findings = bridge.lint(bridge.program(program)).findings
    return [(one.id, one.place.line or 0, one.level) for one in findings if one.id in ids or not ids]


WRONG = [
    ("a :- b, c.\nx(1) :- p(1); p(2).\n", ("LP021", 2, "info")),
    ("a :- b, c.\n:- b; d.\n", ("LP021", 2, "info")),
    ("q(1), q(2).\n", ("LP022", 1, "warning")),
    ("s(X), t(X) :- q(X).\n", ("LP022", 1, "warning")),
    ("a, b.\n", ("LP022", 1, "info")),
    ("bird(1). fly(X) :- bird(X).\nnot fly(X) :- penguin(X).\n", ("LP023", 2, "warning")),
    ("{ fly(1) }.\nnot fly(X) :- penguin(X).\n", ("LP023", 2, "info")),
    ("p(X,T) :- p(X,T-1), time(T), not not p(X,T).\nnot p(X,T) :- closed(X,T).\n", ("LP023", 2, "info")),
    ("a :- not b. b :- not a.\nnot a :- c.\n", ("LP023", 2, "info")),
    ("{ not a; b }.\n", ("LP023", 1, "warning")),
    ("p(1..3).\n#show p/1.\n#show p(X) : p(X), X > 1.\n", ("LP024", 3, "warning")),
    ("n(1..3). r(1). r(Y) :- r(X), e(X,Y).\n:- not r(X) : n(X).\n", ("LP025", 2, "warning")),
    ("ok(D) :- day(D); done(T) : task(T), open(D).\n", ("LP026", 1, "warning")),
    (":- open; done(T) : task(T), shut.\n", ("LP026", 1, "warning")),
    ("p(1..9).\n:- p(X), X != 1..3.\n", ("LP027", 2, "warning")),
    ("p(1..9).\nq(X) :- p(X), not X = (a;b;c).\n", ("LP027", 2, "warning")),
    ("#script (python)\ndef f():\n    return [1, 2]\n#end.\na :- not 1 = @f().\n", ("LP027", 5, "warning")),
    (
        "i(1..3). b(1..2).\nin(I,B) :- i(I), b(B).\n:- in(I,A), in(I,B), A < B.\n",
        ("LP029", 2, "warning"),
    ),
    (
        "i(1..3). b(1..2).\nin(I,B) :- i(I), b(B).\n:- i(I), #count { B : in(I,B) } > 1.\n",
        ("LP029", 2, "warning"),
    ),
    ("#const k = 2.\ni(1..3). b(1..4).\nin(I,B) :- i(I), b(B).\n:- i(I), { in(I,B) } > k.\n", ("LP029", 3, "warning")),
    ("a(1). b(2).\n:- #count { 1 : a(X); 2 : b(X) } = 2.\n", ("LP030", 2, "warning")),
    (
        "time(0..3). act(a;b). { do(A,T) : act(A) } :- time(T).\non(T+1) :- on(T), do(a,T).\nat(A,T+1) :- at(A,T).\n"
        "do(A,T+1) :- do(A,T), hold(T).\n:- { do(A,T) } > 1.\n",
        ("LP031", 5, "warning"),
    ),
    ("m(a,b).\n{ at(0,A) : m(A,_) } = 1.\n{ at(T+1,B) : at(T,A), m(A,B) } = 1.\n", ("LP031", 3, "warning")),
    ("x(1..2). y(1..2).\n1 { in(X,Y) } 1 :- x(X), y(Y).\n", ("LP032", 2, "warning")),
    ("x(1..2). y(1..2). { in(X,Y) : y(Y) } :- x(X).\n:- x(X), y(Y), #count { Y : in(X,Y) } > 1.\n", ("LP032", 2, "warning")),
    ("w(a,1). { in(X) : w(X,_) }.\nt(S) :- S = #sum { W,X : in(X), w(X,W) }, w(X,_).\n", ("LP032", 2, "warning")),
    ("{ a; b }.\n:~ a. [1]\n:~ b. [1]\n", ("LP033", 3, "warning")),
    ("p(1..3). q(2..4). { r(X) : p(X); s(X) : q(X) }.\n:~ r(X). [1,X]\n:~ s(X). [1,X]\n", ("LP033", 3, "info")),
    ("c(a,3). { in(X) : c(X,_) }.\n#minimize { X,C : in(X), c(X,C) }.\n", ("LP034", 2, "warning")),
    ("{ p(1..3) }.\nq(M+1) :- M = #max { X : p(X) }.\n", ("LP035", 2, "info")),
    ("room(1..4). { lit(R) : room(R) }.\n:- #count { lit : lit(R) } < 2.\n", ("LP011", 2, "warning")),
    ("room(1..4). { lit(R) : room(R) }.\nb :- #count { 1 : lit(R) } >= 2.\n", ("LP012", 2, "warning")),
    ("person(a;b). does(a,1).\nt(P,N) :- person(P), N = #count { T : does(_,T) }.\n", ("LP037", 2, "info")),
    ("{ a }.\n#heuristic a. [1,true]\n#heuristic a. [2,true]\n", ("LP038", 2, "info")),
    ("q :- p.\n#program rules.\np :- q.\n", ("LP039", 3, "info")),
    ("c. b.\na <= b, c.\n", ("LP040", 2, "warning")),
    ("e(1).\nok(X) <- e(X).\n", ("LP040", 2, "warning")),
    ("cost(1,3). { in(1) }.\n#minimize { cost(X),X : in(X) }.\n", ("LP041", 2, "warning")),
    ("size(4). n(1..9).\n\nm(X) :- n(X), X < size(4).\n", ("LP041", 3, "warning")),
    ("f(a,1). g(1..2).\nc(X,Y) :- g(X), Y = #count { f(a,T) : T = X }.\n", ("LP041", 2, "warning")),
    ("item(a,3). budget(4). { buy(I) : item(I,_) }.\n:- #sum { P,I : buy(I), item(I,P) } > budget.\n", ("LP041", 2, "warning")),
    ("item(a;b). most(1).\n{ buy(I) : item(I) } most.\n", ("LP041", 2, "warning")),
    ("v(3;8).\nmax(M) :- M = #max { X : v(X) }.\nnext(X) :- v(X), X < max.\n", ("LP041", 3, "warning")),
    ("e(a,b).\np(X,Y,1) :- e(X,Y).\np(X,Y,L+M) :- p(X,Y,L), p(X,Y,M).\n", ("LP042", 3, "warning")),
    ("p(7). p(2).\nq(S/2) :- S = #sum { X : p(X) }.\n", ("LP043", 2, "info")),
    ('s(a,"9"). s(b,"10").\nmore(X,Y) :- s(X,A), s(Y,B), A > B.\n', ("LP044", 2, "warning")),
    ("p(0,1).\np(N+1,2*X) :- p(N,X), N < 40.\n", ("LP045", 2, "warning")),
    ("p(0,1).\np(N+1,2*X) :- p(N,X), n(N).\n", ("LP045", 2, "info")),
    ("age(a,30). age(b,unknown).\nold(P) :- age(P,A), A > 64.\n", ("LP053", 2, "warning")),
    ("s(X,X^2) :- X = 1..3.\n", ("LP054", 1, "warning")),
    ("road(a,b;c).\nend(X) :- road(_,X).\n", ("LP055", 1, "warning")),
    ("in(1,a).\nfull :- #count { S : in(S,R) } > 3.\n", ("LP056", 2, "info")),
    (
        "n(1..3). c(red;blue). in(N,C) :- n(N), c(C).\n:- in(N,red), N != 1.\n",
        ("LP029", 1, "info"),
    ),
    ("set(1..4).\nnext(x,z) :- set(x), set(z), x < z.\n", ("LP006", 2, "warning")),
]  # fmt: skip


@pytest.mark.parametrize(("program", "expected"), WRONG, ids=lambda one: str(one[0]) if isinstance(one, tuple) else "")
def test_what_means_something_else_is_found(program: str, expected: tuple[str, int, str]) -> None:
    assert expected in found(program, expected[0])


RIGHT = [
    "a :- b; c.\nd :- b; a.\n",  # semicolons everywhere
    "a :- b, c.\nok :- p(X) : q(X); b.\n",
    "a; b :- c.\n",
    "a; not a.\n",
    "not not a :- b.\n",
    "p(1..3).\n#show.\n#show p(X) : p(X), X > 1.\n",
    "p(1..3).\n#show p/1.\n#show big(X) : p(X), X > 1.\n",
    "n(1..3). { c(X) : n(X) }.\n:- d(D), not c(X) : n(X), X > D.\n",
    "ok(C) :- clause(C); not lit(L) : member(L,C), clause(C), L > 0.\n",
    ":- a(X) : b(X), c(X,Y); d(Z) : b(Z), c(Z,Y).\n",  # Y is a variable of each
    "p(1..9).\n:- p(X), X != 3.\n:- p(X), X = (1;2).\n",
    "#script (python)\ndef f():\n    return 1\n#end.\na :- not 1 = @f().\n",
    "#external q : p.\n{ p }.\n",
    "i(1..3). b(1..2).\nnear(I,B) :- i(I), b(B).\n:- { in(I,B) : near(I,B) } > 1, i(I).\n",
    "i(1..3). b(1..2).\n{ in(I,B) : b(B) } :- i(I).\nin(I,B) :- fixed(I), b(B).\n:- i(I), not 1 { in(I,B) : b(B) } 1.\n",
    ":- not 3 { step(0,X); step(1,X) }.\n{ step(0..1,1..3) }.\n",
    "row(1..3). col(1..3). next(R+1,C) :- next(R,C). next(R,C+1) :- next(R,C).\n{ start(R,C) : row(R), col(C) } = 1.\n",
    "time(0..3). at(a,T+1) :- at(a,T).\n{ do(A,T) : act(A) } 1 :- time(T).\n",
    "x(1..2). y(1..2).\n{ in(X,Y) : y(Y) } = 1 :- x(X).\n0 { on(X) } 1 :- x(X).\n",
    "x(1..2).\n:- x(X), not 1 { a(X); b(X) } 1.\n{ a(X); b(X) } :- x(X).\n",
    "w(a,1). { in(X) : w(X,_) }.\nt(G,S) :- g(G), S = #sum { W,X : in(X), w(X,W) }.\n",
    "d(1..2). { at(P,D) : d(D) } :- p(P).\n:- d(D), #count { D,P : at(P,D) } > 3.\n:- q(I,R), { q(I,R,_) } 1.\n",
    "{ a; b }.\n:~ a. [1,a]\n:~ b. [1,b]\n:- #count { m : a; p : b; p : c } > 1.\n",
    ":- #sum { 1 : a, not b; 1 : b } > 1.\n{ a; b }.\n",
    "c(a,3). { in(X) : c(X,_) }.\n#minimize { C,X : in(X), c(X,C) }.\n",
    "p(1..3).\nq(M+1) :- M = #max { X : p(X) }.\n",
    "{ p(1..3) }.\nq(M+1) :- M = #max { X : p(X) }, M != #inf.\n",
    "{ a(1..3) }.\nq(I) :- a(N), I = 1..N, 0 = #sum { 1,L : t(L), L < I }.\n",
    "room(1..4). { lit(R) : room(R) }.\n:- #count { lit,R : lit(R) } < 2.\n:- #count { one : lit(R) } < 1.\n",
    "#const k = 2.\nroom(1..4). { lit(R) : room(R) }.\n:- #count { k : lit(R) } < 1.\n",
    "s(P) :- does(P,_). does(1,2).\nm(P,N) :- does(P,_), N = #max { T : does(P,T) }.\n",
    "dog(a,3).\nmost(N) :- N = #max { A : dog(_,A) }.\n",
    "{ a }.\n#program shown.\nb(X) :- X = 1..3.\n",  # what somebody else asks for
    "p(f(1)). f(1).\nq(X) :- p(X), X = f(1).\n",
    "e(1). { in(X) : e(X) }.\n:- #count { in(X) : in(X) } > 1.\n",
    "a < b.\n",
    "n(1..n).\nm(X) :- n(X), X < n.\n",  # a constant that is set elsewhere
    "colour(red;green). red(1). green(2).\nwarm(C) :- colour(C), C = red.\nlast :- #max { C : colour(C) } = green.\n",
    "n(1..2). { e(X,Y) : n(X), n(Y) }.\n:- { e(X,Y) } >= 1, n(X;Y).\n",  # a rule for n(X) and one for n(Y)
    "way(a,b).\nr(X,Y) :- way(X,Y).\nr(X,Y) :- r(X,Z), r(Z,Y).\n",
    "time(0..3). at(1,2,0).\nat(X,Y,T+1) :- at(X,Y,T), time(T).\n",
    "p(8). n(2). q(X/N) :- p(X), n(N).\n",
    'room("1"). room("2").\n{ in(R) : room(R) }.\n:- in(A), in(B), A != B.\n',
    "n(1..3).\nm(2*X) :- n(X).\n",
    "colour(red). colour(green).\nwarm(X) :- is(X,red), colour(red).\n",
]


@pytest.mark.parametrize("program", RIGHT)
def test_nothing_is_said_of_what_means_what_it_says(program: str) -> None:
    new = [f"LP{number:03}" for number in range(21, 50)]
    assert found(program, "LP006", *new) == []


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("t(1). n(1). { d(X) : t(X) }.\nok(X) :- d(T) : t(T), n(X).\n", "`n(X)` belongs to the condition"),
        ("o(a,f,s).\np(O) :- o(O,F,S), F != G, S != G : o(_,G,_).\n", "`F != G` is a literal of its own"),
        ("e(1,2).\nall(X) :- r(X,A) : s(A).\nr(1,2). s(2).\n", "bind nothing outside"),
        ("q(1,2).\np(X) :- #count { Y : q(X,Y) } > 0.\n", "in braces binds nothing outside"),
        ("n(1..2).\np(X) :- n(X;1).\n", "`n(X;1)` makes a rule of each alternative, and not each binds X"),
        ("n(1..2).\np(X) :- not n(X).\n", "and `not` binds nothing"),
    ],
)
def test_an_unsafe_variable_is_explained_by_what_stands_around_it(program: str, words: str) -> None:
    (sentence,) = [one.sentence for one in bridge.lint(bridge.program(program)).findings if one.id == "LP002"]
    assert words in sentence


def test_another_one_is_no_slip_for_the_first() -> None:
    program = "age(ann,20). age(bob,30).\nold(X) :- age(X,A), not age(Y,B), B > A.\n"
    assert [one.suggestion for one in bridge.lint(bridge.program(program)).findings if one.id == "LP002"] == [None, None]


def test_small_letters_are_told_once() -> None:
    program = "e(1,2).\np(x,y) :- e(x,y).\np(x,z) :- e(x,y), p(y,z).\n"
    assert found(program, "LP006") == [("LP006", 2, "warning")] * 2
