"""Goals that do not end: what recurs, and by which change they end."""

from __future__ import annotations

import pytest

from bridge.analysis.ask import diagnose
from bridge.limits import Limits
from bridge.problem.prolog import PrologProblem

CLPFD = ":- use_module(library(clpfd)).\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "goal", "answers", "kind", "change"),
    [
        ("near(a, b).\nnear(X, Y) :- near(X, Z), near(Z, Y).\n", "near(a, X)", 1, "same", ":- table near/2."),
        ("edge(a, b).\nedge(b, a).\nto(X, Y) :- edge(X, Y).\nto(X, Y) :- edge(X, Z), to(Z, Y).\n", "to(a, X)", 2, "same",
         ":- table to/2."),
        ("e --> e, [+], e.\ne --> [1].\n", "phrase(e, [1, +, 1])", 0, "same", ":- table e//0."),
        ("sum(0, 0).\nsum(N, S) :- M is N - 1, sum(M, T), S is T + N.\n", "sum(3, S)", 1, "down", "N > 0, M is N - 1"),
        ("up(9).\nup(N) :- M is N + 1, up(M).\n", "up(7)", 1, "up", "N < 9, M is N + 1"),
        ("to(2).\nto(X) :- to(X - 1).\n", "to(5)", 0, "expression", "N1 is X - 1, to(N1)"),
        ("n(X) :- n(f(X)).\n", "n(a)", 0, "grows", None),
        ("rev([], []).\nrev([H|T], R) :- rev(T, S), append(S, [H], R).\n", "rev(X, [a, b])", 1, "same",
         "append(S, [H], R), rev(T, S)"),
        (CLPFD + "f(0, 1).\nf(N, F) :- N #> 0, M #= N - 1, f(M, G), F #= N * G.\n", "f(N, 7)", 0, "constrained",
         "F #= N * G, f(M, G)"),
        ("n(0).\nn(s(X)) :- n(X).\nadd(X, 0, X).\nadd(X, s(Y), s(Z)) :- n(Z), add(X, Y, Z).\n", "add(0, s(0), Z)", 1, "same",
         "add(X, Y, Z), n(Z)"),
        ("app([], L, L).\napp([H|T], L, [H|R]) :- app(T, L, R).\nsub(X, L) :- app(_, X, Y), app(Y, _, L).\n", "sub([b], [a])",
         0, "same", "app(Y, _, L), app(_, X, Y)"),
        ("e(a, b).\ne(b, a).\ne(X, Y) :- e(Y, X).\nto(X, Y) :- e(X, Y).\nto(X, Y) :- e(X, Z), to(Z, Y).\n", "to(a, X)", 1, "same",
         ":- table e/2, to/2."),
        ("s --> s, [+], f.\ns --> f.\nf --> f, [!].\nf --> [1].\n", "phrase(s, [1, +, 1])", 0, "same", ":- table s//0, f//0."),
        (":- table to/2.\nto(a, [a]).\nto(X, [X|P]) :- to(Y, P), arc(Y, X).\narc(a, b).\narc(b, a).\n", "to(b, P)", 0,
         "table", None),
    ],
)  # fmt: skip
def test_what_recurs(program: str, goal: str, answers: int, kind: str, change: str | None) -> None:
    found = diagnose(PrologProblem([program], goal), limits=Limits(seconds=60))
    assert found.ends is False
    assert len(found.solutions) == answers
    assert found.recursion is not None
    assert found.recursion.kind == kind
    if change is None:
        assert found.ending is None
    else:
        assert found.ending is not None
        assert change in found.ending.diff


@pytest.mark.slow
def test_the_numbers_that_a_clause_is_for() -> None:
    program = "fib(0, 0).\nfib(1, 1).\nfib(N, F) :- A is N-1, B is N-2, fib(A, X), fib(B, Y), F is X+Y.\n"
    found = diagnose(PrologProblem([program], "fib(6, F)"), limits=Limits(seconds=60))
    assert found.recursion is not None
    assert found.recursion.passed is not None
    assert (found.recursion.passed[0], str(found.recursion.passed[1])) == (1, "<text>:2:1")
    assert str(found.recursion.place) == "<text>:3:1"
    assert str(found).splitlines()[0] == "fib(6, F): 1 answer, and does not end within 200,000 inferences"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "goal"),
    [
        ("nat(0).\nnat(N) :- nat(M), N is M + 1.\n", "nat(N)"),  # has ever other answers
        ("down(0).\ndown(N) :- N > 0, M is N - 1, down(M).\n", "down(5000)"),
        ("len([], 0).\nlen([_|T], N) :- len(T, M), N is M + 1.\n", "numlist(1, 1000, L), len(L, N)"),
        ("edge(a, b).\nedge(b, a).\n:- table to/2.\nto(X, Y) :- edge(X, Y).\nto(X, Y) :- to(X, Z), edge(Z, Y).\n", "to(a, X)"),
    ],
)  # fmt: skip
def test_nothing_is_said_of_what_ends_or_has_ever_more_answers(program: str, goal: str) -> None:
    found = diagnose(PrologProblem([program], goal), limits=Limits(seconds=60))
    assert found.ends is not False
    assert found.recursion is None
    assert found.ending is None


@pytest.mark.slow
def test_what_was_stopped_is_run_again_from_the_start() -> None:
    """A goal that takes long, and changes the program while it runs, or would end sooner with a table."""
    steps = ":- dynamic f/1.\nf(0).\nto(M) :- f(N), N >= M, !.\nto(M) :- retract(f(N)), K is N + 1, assertz(f(K)), to(M).\n"
    assert str(diagnose(PrologProblem([steps], "to(300000)"), limits=Limits(seconds=60)).verdict) == "unique"
    hanoi = "hanoi(0, _, _, _).\nhanoi(N, A, B, C) :- N > 0, M is N-1, hanoi(M, A, C, B), hanoi(M, C, B, A).\n"
    found = diagnose(PrologProblem([hanoi], "hanoi(18, a, b, c)"), limits=Limits(seconds=60))
    assert (str(found.verdict), found.ends, found.ending) == ("unique", True, None)
