"""`bridge.lint` of Prolog clauses that mean something else than they seem to say."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import called

import bridge
from bridge.linting.prolog import noticed

CLPFD = ":- use_module(library(clpfd)).\n"


def found(program: str) -> list[tuple[str, int, str]]:
    """What is found in a program that is the whole: id, line and level."""
    findings = bridge.lint(bridge.goal(program, "true")).findings
    return [(one.id, one.place.line or 0, one.level) for one in findings]


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("p(N) :- q(N), N is N - 1.\nq(1).\n", ("PL015", 1, "warning")),
        ("p(S, H) :- S is H + S.\n", ("PL015", 1, "warning")),
        ("s(N) --> [_], { N is N + 1 }.\n", ("PL015", 1, "warning")),
        (CLPFD + "p(N) :- N #= N + 1.\n", ("PL015", 2, "warning")),
        ("p(X, L) :- L = [X|L].\n", ("PL016", 1, "warning")),
        ("p(X, L) :- append(L, [X], L).\n", ("PL016", 1, "warning")),
        ("p(3).\np(X) :- q, p(X+1).\nq.\n", ("PL017", 2, "warning")),
        ("p(N, X) :- between(0, N-1, X).\n", ("PL017", 1, "warning")),
        ("len([], 0).\nlen([_|T], N+1) :- len(T, N).\n", ("PL017", 2, "info")),
        ("seen(a).\np(X) :- assertz(seen(X)).\n", ("PL018", 2, "warning")),
        ("n(0).\np :- forall(member(X, [1, 2]), assertz(n(X))).\n", ("PL018", 2, "warning")),
        (CLPFD + "p(X, Y) :- [X, Y] ins 0..9, label([X, Y]), X #< Y.\n", ("PL019", 2, "warning")),
        (CLPFD + "p(L) :- L ins 0..9, labeling([], L), up(L).\nup([X, Y]) :- X #< Y.\n", ("PL019", 2, "warning")),
        ("p(1, 2, 3).\nl(L) :- bagof(X, p(X, Y, _), L).\n", ("PL020", 2, "warning")),
        ("p(1, 2).\nl(L) :- setof(X, (p(X, Y), p(_, Y)), L).\n", ("PL020", 2, "warning")),
        ("sum([], 0).\nsum([H, T], S) :- sum(T, R), S is H + R.\n", ("PL021", 2, "warning")),
        ("p(X) :- \\+ q(Y), r(X, Y).\nq(1).\nr(1, 2).\n", ("PL022", 1, "warning")),
        ("p(X) :- \\+ q(X), r(X).\nq(1).\nr(1).\n", ("PL022", 1, "info")),
        ("s(X, Y) :- X \\= Y, p(Z, X), p(Z, Y).\np(a, b).\np(a, c).\n", ("PL022", 1, "info")),
        ("p([]).\np([X|Xs]) :- ( X > 3 -> print(X) ), p(Xs).\n", ("PL023", 2, "info")),
        ("p(L) :- forall(member(X, L), ( X > 3 -> print(X) )).\n", ("PL023", 1, "info")),
        ("c(9).\nc(N) :- print(N), M is N + 1, c(M).\n", ("PL024", 2, "warning")),
        ("d(_, [], []).\nd(X, [X|T], R) :- d(X, T, R).\nd(X, [Y|T], [Y|R]) :- d(X, T, R).\n", ("PL025", 3, "warning")),
        ("d(_, [], []).\nd(X, [X|T], R) :- d(X, T, R), !.\nd(X, [Y|T], [Y|R]) :- d(X, T, R).\n", ("PL025", 3, "info")),
        (":- table d/3.\nd(X, X, 0).\nd(X, Y, N) :- d(X, Z, M), e(Z, Y), N is M + 1.\ne(1, 2).\n", ("PL026", 3, "info")),
        (":- table p/1.\np(1).\np(X) :- once(p(Y)), X is Y + 1.\n", ("PL027", 3, "warning")),
        ("p(X) :- member(X, \"abc\").\n", ("PL028", 1, "warning")),
        ("e(X / Y) --> t(X), [/], e(Y).\ne(X) --> t(X).\nt(a) --> [a].\n", ("PL030", 1, "warning")),
        ("p(X) :- not(q(X)), r(X).\nq(1).\nr(1).\n", ("PL022", 1, "info")),
        (CLPFD + "p(L) :- L = [X, Y], L ins 0..9, once(label(L)), X #< Y.\n", ("PL019", 2, "warning")),
        ("sum([], 0).\nsum([H|T], S) :- sum(T, R), S is H + T, R > 0.\n", ("PL031", 2, "warning")),
        ("len([], 0).\nlen([_|T], N) :- len(T, M), N == M + 1.\n", ("PL010", 2, "warning")),
        ("p(X, Y) :- Y is X + _.\n", ("PL009", 1, "warning")),
        ("p(X, S) :- S is X + 1, S = X * 2.\n", ("PL010", 1, "warning")),
        ("p(X, S) :- S = X * 2, S is X + 1.\n", ("PL010", 1, "warning")),
        (CLPFD + "p(X) :- X #> 2, X = 1 + 2.\n", ("PL010", 2, "warning")),
        ("p(X, Y) :- X + 1 is Y.\n", ("PL010", 1, "warning")),
        ("even(N) :- N mod 2 is 0.\n", ("PL010", 1, "warning")),
        ("p : q, r.\nq.\nr.\n", ("PL013", 1, "error")),
        ("s(X, Y) :- p(Z, X), X \\== Y, p(Z, Y).\np(a, b).\np(a, c).\n", ("PL022", 1, "info")),
        ("p(Ys) :- append([1], x, Ys).\n", ("PL028", 1, "warning")),
        ("e(a, b).\ne(b, c).\ne(c).\np(X) :- e(X, _).\n", ("PL032", 3, "warning")),
        ("l([], N, N).\nl([_|T], N) :- l(T, N).\nl([_|T], M, N) :- l(T, M, N).\n", ("PL032", 2, "warning")),
        ("p(3).\nq :- p(3.0).\n", ("PL033", 2, "warning")),
        ("p([], a).\nq(X) :- findall(Y, p(_, Y), [Z|_]), p([Z], X).\n", ("PL033", 2, "warning")),
        ("s(X) --> [a], s(X).\n", ("PL034", 1, "warning")),
        ("f(N, F) :- M is N - 1, f(M, G), F is N * G.\n", ("PL034", 1, "warning")),
        ("p(X, Y) :- Z == X, q(Z, Y).\nq(1, 2).\n", ("PL035", 1, "warning")),
        ("r([], []).\nr([H|T], [R, H]) :- r(T, R).\n", ("PL039", 2, "warning")),
        ("s([X], X).\ns([X, Y|Zs], M) :- X > Y, s([Y, Zs], M).\n", ("PL021", 2, "warning")),
        ("p(X) :- \\+ X == 3, q(X).\nq(2).\nq(3).\n", ("PL022", 1, "info")),
        ("r([], []).\nr([X|Xs], Ys) :- r(Xs, [X|Ys]).\n", ("PL041", 2, "warning")),
        ("t([], _).\nt([X|Xs], N) :- M is N + X, t(Xs, M).\n", ("PL042", 2, "warning")),
        ("r([], []).\nr([H|T], [R|H]) :- r(T, R).\n", ("PL039", 2, "warning")),
        ("p(S) :- atom_chars(S, Cs), sum_list(Cs, N), N > 3.\n", ("PL043", 1, "warning")),
        ("p(S) :- split_string(S, \",\", \"\", Ps), member(a, Ps).\n", ("PL043", 1, "warning")),
        ("a(b, 1).\np(X) :- a(X, N), ( N = x ; N > 3 ).\n", ("PL043", 2, "warning")),
        ("e([[a, b]]).\np(X, Y) :- e(L), member(X-Y, L).\n", ("PL043", 2, "warning")),
        ("l([], 0).\nl([_|T], N) :- l(T, M), N is M + 1.\np(L) :- l(L, N), N == many.\n", ("PL043", 3, "warning")),
        (CLPFD + "p(N, X) :- X in 0..N-1.\n", ("PL043", 2, "warning")),
        (CLPFD + "p(L) :- L = [_, _], L ins 1..3, labeling(L, [ff]).\n", ("PL043", 2, "warning")),
        (CLPFD + "p(R) :- R = [[_, _], [_, _]], all_different(R).\n", ("PL043", 2, "warning")),
        ("o(X, Y, a) :- X < Y.\no(X, Y, b) :- Y < X.\n", ("PL044", 2, "info")),
        ("p(X) :- catch(X is a, type_error(_, _), true).\n", ("PL046", 1, "warning")),
        ("p(X) :- catch(X is a, error(type_error, _), true).\n", ("PL046", 1, "warning")),
        ("p :- findall(x, ( q(X), b_setval(k, X) ), _).\nq(1).\n", ("PL047", 1, "warning")),
        ("o(=, a-_, a-_).\np(L) :- predsort(c, [], L).\nc(O, A-_, B-_) :- compare(O, A, B).\n", ("PL049", 2, "info")),
        ("d([X]) --> [X].\nd([X|Xs]) --> [X], d(Xs).\np(X) :- phrase(d(X), [a, b], _).\n", ("PL050", 1, "info")),
    ],
)  # fmt: skip
def test_what_is_found(program: str, expected: tuple[str, int, str]) -> None:
    assert expected in found(program)


@pytest.mark.parametrize(
    "program",
    [
        "p(X, Y) :- X is X mod 5, X =:= abs(X), Y is max(X, Y), X is X + 0.\n",
        "p(S, L) :- atom_chars(S, L), L == \"ab\".\n",  # L may be given
        "p(X) :- X = a, ( number(X) -> Y is X + 1 ; Y = X ), print(Y).\n",
        "s(0).\ns(s(X)) :- s(X).\np(X) :- s(X), X == 0.\n",
        "l([], []).\nl([X|Xs], [X|Ys]) :- l(Xs, Ys).\np(Y) :- l([1, a], L), member(Y, L), Y == 1.\n",
        "p(X) :- X = pi, Y is X * 2, print(Y).\n",
        "v(a, 1).\nv(b, x).\np(N) :- v(_, X), number(X), N is X + 1.\n",
        ":- dynamic a/1.\na(1).\np :- a(X), X == b.\n",
        "f(S) :- findall(X, q(X), L), sum_list(L, S).\nq(1).\n",
        "p(L) :- findall(X, member(X, []), L), sum_list(L, 0).\n",
        "o(X, Y, a) :- X < Y.\no(X, Y, b) :- X > Y.\no(X, Y, c) :- X =:= Y.\n",
        ":- table t/1 as incremental.\n:- dynamic i/1 as incremental.\nt(X) :- i(X).\nb :- t(_), assertz(i(1)).\n",
        ":- table t/1.\n:- dynamic i/1.\nt(X) :- i(X).\nb :- t(_), assertz(i(1)), abolish_all_tables, t(1).\n",
        "o(X, Y, a) :- X < Y.\no(X, Y, b) :- X >= Y.\n",
        ":- dynamic i/1.\nc :- retract(i(_)), fail.\nc.\nd :- c, print(x).\n",
        "p(X) :- catch(X is 1 / 0, error(evaluation_error(_), _), true).\n",
        "p :- catch(q, oops, true).\nq :- throw(oops).\n",
        "p(X) :- catch(X is a, E, true), print(E).\n",
        "p :- b_setval(k, 1), forall(q(X), ( b_getval(k, Y), Y == X )).\nq(1).\n",
        "p(L) :- findall(X, q(X), L), q(X), print(X).\nq(1).\n",
        "p(X) :- forall(q(Y), Y = X).\nq(1).\n",  # X may be given
        "p(L) :- predsort(c, [], L).\nc(O, A, B) :- compare(O, A, B).\n",
        "d([X]) --> [X].\nd([X|Xs]) --> [X], d(Xs).\np(X) :- phrase(d(X), [a, b]).\n",
        CLPFD + "p(X, Y) :- X #= X * Y.\n",
        "p(X) :- L = [1|L], nth0(9, L, X).\n",  # a cyclic term is meant
        "down(N) :- N =< 0, !.\ndown(N) :- print(N), down(N-1).\n",  # evaluated when it is compared
        "pow(_, 0, 1) :- !.\npow(X, N, Y) :- M is N - 1, pow(X, M, Z), Y is X * Z.\np(X, N, Y) :- pow(X, N+1, Y).\n",
        "d(X, X, 1) :- !.\nd(U + V, X, A + B) :- d(U, X, A), d(V, X, B).\nd(_, _, 0).\n",
        ":- dynamic n/1.\nn(0).\nnext :- retract(n(N)), M is N + 1, assertz(n(M)).\n",
        "start :- dynamic(n/1), assertz(n(0)).\n",
        CLPFD + "p(X, Z) :- X in 0..9, label([X]), Z #= X + 1.\n",  # it computes
        CLPFD + "p(X, Y) :- [X, Y] ins 0..9, X #< Y, label([X, Y]).\n",
        "p(1, 2).\nl(X, L) :- bagof(Y, p(X, Y), L).\nm(L) :- setof(X, Y^p(X, Y), L).\n",
        "p(1, 2).\nq(1).\nl(L) :- setof(X, ( q(X), \\+ p(X, _) ), L).\n",
        "size([L, R], N) :- !, size(L, A), size(R, B), N is A + B.\nsize(_, 1).\n",  # a tree
        "p(X) :- r(X), \\+ q(X).\nq(1).\nr(1).\n",
        "go(X) :- \\+ seen(X), edge(X, Y), print(Y).\nseen(1).\nedge(1, 2).\n",  # X is given
        "p([]).\np([X|Xs]) :- ( X > 3 -> print(X) ; true ), p(Xs).\n",
        "p(X) :- ( q(X) -> true ), print(X).\nq(1).\n",
        "f(0, 1).\nf(N, F) :- N > 0, M is N - 1, f(M, G), F is N * G.\n",
        "f(0, 1) :- !.\nf(N, F) :- M is N - 1, f(M, G), F is N * G.\n",
        "take(0, _, []).\ntake(N, [X|Xs], [X|Ys]) :- M is N - 1, take(M, Xs, Ys).\n",  # the list ends it
        "d(_, [], []).\nd(X, [X|T], R) :- !, d(X, T, R).\nd(X, [Y|T], [Y|R]) :- d(X, T, R).\n",
        "d(_, [], []).\nd(X, [X|T], R) :- d(X, T, R).\nd(X, [Y|T], [Y|R]) :- dif(X, Y), d(X, T, R).\n",
        "sub([], []).\nsub([X|T], [X|R]) :- sub(T, R).\nsub([_|T], R) :- sub(T, R).\n",  # both are meant
        "max(X, Y, X) :- X >= Y.\nmax(X, Y, Y) :- X < Y.\n",
        ":- table len/2.\nlen([], 0).\nlen([_|T], N) :- len(T, M), N is M + 1.\n",
        ":- table d(_, _, min).\nd(X, X, 0).\nd(X, Y, N) :- d(X, Z, M), e(Z, Y), N is M + 1.\ne(1, 2).\n",
        ":- table d/3.\nd(X, X, 0).\nd(X, Y, N) :- d(X, Z, M), M < 9, e(Z, Y), N is M + 1.\ne(1, 2).\n",
        ":- set_prolog_flag(double_quotes, chars).\np(X) :- member(X, \"abc\").\n",
        ":- table f/2.\nf(0, 0) :- !.\nf(N, F) :- A is N - 1, B is N - 2, f(A, X), f(B, Y), F is X + Y.\n",
        "h(0, _, _) :- !.\nh(N, A, B) :- M is N - 1, h(M, A, B), h(M, B, A).\n",  # Hanoi
        "e(X ^ Y) --> t(X), [^], e(Y).\ne(X) --> t(X).\nt(a) --> [a].\n",
        "p(X, S) :- ( X > 0 -> S is X + 1 ; S = X * 2 ).\n",
        "even(X) :- 0 is X mod 2, 1 is X // 2.\n",
        "p(L, A) :- length(L, N), sum_list(L, S), A = S / N.\n",  # a fraction may be meant
        "p([N|Ns], S) :- S is N + 1, print(Ns).\n",
        "k([], [], _).\nk([I|Is], [I|Ks], C) :- I =< C, D is C - I, k(Is, Ks, D).\nk([_|Is], Ks, C) :- k(Is, Ks, C).\n",
        "s([], []).\ns([X|Xs], [X|Ys]) :- s(Xs, Ys).\ns([_|Xs], Ys) :- s(Xs, Ys).\n",
        "n([], []).\nn([N|T], [N|R]) :- N < 0, !, n(T, R).\nn([_|T], R) :- n(T, R).\n",
        "len(L, N) :- len(L, 0, N).\nlen([], N, N).\nlen([_|T], M, N) :- K is M + 1, len(T, K, N).\n",
        "p(s(X)) :- p(X).\np(0).\nq(X) :- p(s(X)), \\+ p(X).\n",
        ":- dynamic p/1.\np(1).\nq :- p(2).\n",
        "s --> [a], s.\ns --> [].\nt(X) :- s(X, []), X == [].\n",
        "loop :- read(X), print(X), loop.\n",
        "p(X, Y) :- X = Y, X == Y.\nq(L) :- member(X, L), X == a.\n",
        "count(L, N) :- findall(_, member(_, L), Xs), length(Xs, N).\n",
        "fill(N, X, L) :- findall(X, between(1, N, _), L).\n",
        "c(1).\nc(N) :- 0 is N mod 2, M is N / 2, c(M).\n",
        "a(x) :- b(x).\nb(x).\n",
        "r([], A, A).\nr([X|Xs], A, Ys) :- r(Xs, [X|A], Ys).\n",
        "t([], N, N).\nt([X|Xs], M, N) :- K is M + X, t(Xs, K, N).\n",
        "n([], _).\nn([X|Xs], N) :- print(N-X), M is N + 1, n(Xs, M).\n",
        "u(N, N).\nu(M, N) :- M < N, K is M + 1, u(K, N).\n",
        "p(X, Y) :- \\+ X == Y, q(X, Y).\nq(X, Y) :- X < Y.\n",
        "m([X], X).\nm([X|Xs], Y) :- m(Xs, Y), Y >= X.\nm([X|Xs], X) :- m(Xs, Y), X > Y.\n",
        "mirror(l, l).\nmirror([L, R], [S, M]) :- mirror(L, M), mirror(R, S).\n",
        "flat([], []).\nflat([H|T], L) :- flat(T, R), append(H, R, L).\n",
        "p(X, Y) :- ( X == Y + 1 ; print(X) ).\n",
        "user:p(1).\n",
    ],
)  # fmt: skip
def test_nothing_is_found_in_what_is_meant(program: str) -> None:
    assert found(program) == []


@pytest.mark.parametrize(
    ("program", "line", "words", "suggestion"),
    [
        ("p(1). // a fact\nq(2).\n", 1, "`//` does not begin a comment", None),
        ("p(X) :- q(X), // check\n    r(X).\nq(1).\nr(1).\n", 1, "`//` does not begin a comment", None),
        ("# a comment\np(1).\n", 1, "`#` does not begin a comment", None),
        ("p(1).\n/* open\nq(2).\n", 2, "end of file in /* ... */ comment", None),
        ("p(X) :- q(X),\nr(X) :- q(X).\nq(1).\n", 1, "ends with `,`", None),
        ("p(X) :-\n    q(X);\nr(X) :- q(X).\nq(1).\n", 2, "ends with `;`", None),
        ("q(1).\np(X) <- q(X).\n", 2, "operator expected", ":-"),
        ("q(1).\np(X) : q(X).\n", 2, "`:` is not `:-`", ":-"),
    ],
)  # fmt: skip
def test_signs_of_other_languages(program: str, line: int, words: str, suggestion: str | None) -> None:
    first = next(one for one in bridge.lint(bridge.goal(program, "true")).findings if one.level == "error")
    assert (first.place.line, first.suggestion) == (line, suggestion)
    assert words in str(first)


def test_the_rest_of_a_list_that_is_lost() -> None:
    program = "flat([], []).\nflat([L|Rest], F) :- flat(L, F).\n"
    (one,) = bridge.lint(bridge.goal(program, "true")).findings
    assert (one.id, one.place.line, one.suggestion) == ("PL002", 2, None)
    assert "the rest of the list is lost" in str(one)


def test_the_goal_of_setof_as_it_should_stand() -> None:
    program = "p(1, 2).\nl(L) :- setof(X, (p(X, Y), p(_, Y)), L).\n"
    (one,) = bridge.lint(bridge.goal(program, "true")).findings
    assert one.suggestion == "setof(X, Y^A^(p(X, Y), p(A, Y)), L)"


def test_what_goals_reach_comes_first() -> None:
    program = "other(X) :- X is _ + 1.\np(X) :- call(q, X).\nq(X) :- X = 1 + 2, X is 3.\nr(1) :- \\+ s(1), true.\n"
    here, elsewhere = noticed([program], ["p(X)"])
    assert [(one.id, one.place.line) for one in here] == [("PL010", 3), ("PL043", 3)]
    assert ("PL009", 1) in [(one.id, one.place.line) for one in elsewhere]
    slow = ":- table d/3.\nd(X, X, 0).\nd(X, Y, N) :- d(X, Z, M), e(Z, Y), N is M + 1.\ne(1, 2).\n"
    assert [noticed([slow], ["d(1, X, N)"], endless=endless)[0] == [] for endless in (False, True)] == [True, False]


def test_debug_shows_no_change_that_fits_a_single_goal_where_lint_says_what_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "a.pl"
    path.write_text("p(1, 3).\np(2, 4).\nall(Ys) :- setof(Y, p(_, Y), Ys).\n")
    wrong = bridge.debug(path, missing=["all([3, 4])"])
    assert [one.id for one in wrong.lint] == ["PL020"]
    assert wrong.repair is None
    assert "no repair" not in str(wrong)
    path.write_text("count([], 0).\ncount([_|T], M) :- count(T, N), M is N.\n")
    assert bridge.debug(path, missing=["count([a, b], 2)"]).repair is not None


def test_diagnose_begins_with_what_may_be_meant_in_the_clauses_of_a_goal_that_fails(tmp_path: Path) -> None:
    path = tmp_path / "a.pl"
    path.write_text("free(X) :- \\+ taken(X), room(X).\nroom(1).\nroom(2).\ntaken(1).\nother(X) :- X is _ + 1.\n")
    first, second, third, *_ = called("diagnose", str(path), "--goal", "free(X)").stdout.splitlines()
    assert first.startswith(f"{path}:1:12: warning: `X` has no value before `room(X)`")  # the goal leaves it open
    assert first.endswith("[PL022]")
    assert second.endswith("[PL009]")
    assert third.startswith("free(X): no answer")
    assert "PL022" not in called("diagnose", str(path), "--goal", "free(2)").stdout  # as it is meant


def test_an_element_that_is_used_as_a_list_is_named_where_it_is() -> None:
    program = "rev([], []).\nrev([H|T], R) :- rev(T, R1), append(R1, H, R).\n"
    (found,), _ = noticed([program], ["rev([1, 2], R)"])
    assert (found.id, found.place.line, found.place.column, found.suggestion) == ("PL043", 2, 30, "append(R1, [H], R)")
    assert noticed([program], ["rev([[1], [2]], R)"]) == ([], [])  # these are lists
    (found,), _ = noticed(["s([], 0).\ns([H|T], N) :- s(T, M), length(H, K), N is M + K.\n"], ["s([1, 2], N)"])
    assert (found.place.column, found.suggestion) == (25, None)


def test_a_goal_with_a_number_where_a_sum_is_given() -> None:
    here, _ = noticed(["f(T) :- q(X), T = 2 * X.\nq(1).\n"], ["f(2)"])
    assert [one.id for one in here] == ["PL043"]
    assert "argument 1 of f/1 is a term _*_ in each answer, by `T = 2 * X`, and `2` of the goal is a number: what is computed" in str(here[0])
