"""What is said of an error beside its message: the goal of the program, the variable and why, and what to write."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bridge.errors import ProgramError
from bridge.limits import Limits
from bridge.prolog import Session

#: Program, goal, line and column of the error, and what the hint says.
CASES = {
    "after": ("len([], 0).\nlen([_|T], N) :-\n    N is M + 1,\n    len(T, M).\n", "len([a], N)", (3, 5),
              "M has no value yet when `N is M + 1` is called: put it after `len(T, M)`"),
    "both sides": ("rate([], 0).\nrate([_|T], N) :- N is N + 1, rate(T, N).\n", "rate([a], N)", (2, 19),
                   "N stands on both sides of `is`, which gives no new value to a variable: with another one, N1 is N+1"),
    "left open": ("f(R) :- g(1, M), R is M * 2, true.\ng(1, _).\n", "f(R)", (1, 18), "`g(1, M)` before it leaves M open: its clause in line 2 gives that argument no value"),
    "head": ("top(Y) :- low(_, Y), true.\nlow(X, Y) :- Y is X * 3, true.\n", "top(Y)", (2, 14),
             "X is open when low/2 is called from line 1, and `Y is X * 3` needs its value: give X one before, or write #="),
    "compiled": ("fact(0, 1).\nfact(N, F) :- M is N - 1, fact(M, G), F is N * G.\n", "fact(N, 6)", (2, 15),
                 "N is open when fact/2 is called by the goal, and `M is N - 1` needs its value"),
    "by a library": ("inc(X, Y) :- Y is X + 1, true.\ngo(L) :- maplist(inc, [1, _], L), true.\n", "go(L)", (1, 14),
                     "X is open when inc/2 is called from line 2"),
    "part": ("go(N) :- Ps = [3, _], sum_list(Ps, N), true.\n", "go(N)", (1, 23), "Ps is [3, _] when `sum_list(Ps, N)` is called"),
    "constrained": (":- use_module(library(clpfd)).\nq(X, Y) :- X in 1..5, Y is X * 2, true.\n", "q(X, Y)", (2, 23),
                    "X is constrained but has no value yet when `Y is X * 2` is called: label it before, label([X]), or write #="),
    "no domain": (":- use_module(library(clpfd)).\nq(X) :- X #> 3, label([X]), true.\n", "q(X)", (2, 17),
                  "X has no finite domain when `label([X])` is called: write X in 1..9, or the like, before"),
    "no integer": (":- use_module(library(clpfd)).\nq(X) :- X in 1..5, X #\\= red, true.\n", "q(X)", (2, 20), "red is not an integer"),
    "small letter": ("double(N, M) :- M is n * 2, N > 0.\n", "double(4, X)", (1, 17), "n is an atom; the variable is N"),
    "predicate": ("sq(X, Y) :- Y is X * X.\np(R) :- R is sq(3) + 1, true.\n", "p(R)", (2, 9),
                  "sq/2 is a predicate, not a function: call `sq(3, R1)` before, and write R1 in place of `sq(3)`"),
    "predicate of as many": ("total(X, []).\ntotal(X, [H|T]) :- X is H + total(X, T), true.\n", "total(X, [1, 2])", (2, 20),
                             "total/2 is a predicate, not a function: call it in a goal of its own before"),
    "condition": ("a(X, R) :- R is (X > 3 -> 1 ; X), true.\n", "a(5, R)", (1, 12), "`is` evaluates no condition: write `( X>3 -> R is 1 ; R is X )`"),
    "test": ("a(X, R) :- R is (X > 3) + 1, true.\n", "a(5, R)", (1, 12), "(>)/2 is a test, which holds or not and has no value"),
    "list with a dot": ("len([], 0).\nlen(_.Xs, N) :- len(Xs, M), N is M + 1.\n", "len([a], N)", (2, None), "the list with X first is `[X|Y]`"),
    "value": ("inc(X, Y) :- Y is X + 1, true.\n", "inc(a, Y)", (1, 14), "X is a when `Y is X + 1` is called (inc/2 is called by the goal), and a is not a number"),
    "value of another goal": ("f(Y) :- g(X), Y is X + 1, true.\ng(a).\n", "f(Y)", (1, 15), "X is a when `Y is X + 1` is called, and a is not a number"),
    "list": ("go(Y) :- L = [1, 2], Y is L + 1, true.\n", "go(Y)", (1, 22), "L is [1, 2] when `Y is L + 1` is called; a list is not a number"),
    "zero": ("mean(L, M) :- sum_list(L, S), length(L, N), M is S / N, true.\n", "mean([], M)", (1, 45),
             "N is 0 when `M is S / N` is called: test `N =\\= 0` before"),
    "static": ("score(0).\ngo :- retract(score(_)), true.\n", "go", (2, 7), "write `:- dynamic score/1.` before its clauses"),
    "built in": ("go :- assertz(atom_length(a, 2)), true.\n", "go", (1, 7), "atom_length/2 is built in and cannot be changed"),
    "near": ("start :- lenght([a], N), print(N).\n", "start", (1, 10), "did you mean length/2?"),
    "too short for a slip": ("start :- zork(X), print(X).\n", "start", (1, 10), "zork/1"),
    "library": ("q(X) :- all_distinct([X]), true.\n", "q(X)", (1, 9), "write `:- use_module(library(clpfd)).`"),
    "arguments": ("edge(a, b, 1).\nstart :- edge(a, _), true.\n", "start", (2, 10), "edge/2 is called, and edge/3 is defined"),
    "not asserted yet": ("go :- fact(_), true.\nadd :- assertz(fact(1)).\n", "go", (1, 7), "`:- dynamic fact/1.` makes it fail"),
    "string": ("join(X) :- phrase(g, \"ab\", X), true.\ng --> [a].\n", "join(X)", (1, 12), "write `:- set_prolog_flag(double_quotes, chars).`"),
    "callable": ("run(G) :- call(G), true.\n", "run(3)", (1, 11), "G is 3 when `call(G)` is called (run/1 is called by the goal)"),
    "open goal": ("run(G) :- G, true.\n", "run(_)", (1, 11), "G is open when run/1 is called by the goal"),
    "file": ("load :- open('not there.txt', read, _), true.\n", "load", (1, 9), "the path is taken from the folder"),
    "negative": ("go(L) :- N = -1, length(L, N), true.\n", "go(L)", (1, 18), "N is -1 when `length(L, N)` is called: it must be 0 or more"),
    "format": ("go :- format(\"~w ~w\", [a]), true.\n", "go", (1, 7), "takes one element of the list"),
    "no rule": ("go(L, S) :- sum_list(L, S), true.\n", "go(5, S)", (1, 13), "L is 5 when `sum_list(L, S)` is called"),
    "not on the stack": ("area(S, A) :- A is S * T.\n", "area(1, A)", None, "no longer on the stack (last-call optimization)"),
    "other branch": ("p(N) :- ( N = 1, X > 3 -> true ; X = 1 ), true.\n", "p(1)", (1, 18), "X has no value when `X > 3` is called: nothing before it"),
    "only a test after": ("p :- atom_length(X, _), atom(X).\n", "p", (1, 6), "nothing before it gives X one"),
    "no constraint of floats": ("a(R, A) :- A is 3.14 * R, true.\n", "a(R, A)", (1, 12), "needs its value: give R one before"),
    "second not labelled": (":- use_module(library(clpfd)).\nq(X, Y) :- X in 1..2, Y #> 3, label([X, Y]), true.\n", "q(X, Y)", (2, 31), "Y has no finite domain"),
    "only evaluated after": ("p :- atom_length(X, _), Y is X + 1, Y > 0.\n", "p", (1, 6), "nothing before it gives X one"),
    "asserted": ("go(X) :- assertz((q(X) :- Y)), Y = 1.\n", "go(X)", (1, 10), "Y has no value yet when `assertz((q(X) :- Y))` is called: put it after `Y=1`"),
    "base case": ("total(_, []).\ntotal(S, [H|T]) :- total(R, T), S is H + R, true.\n", "total(S, [1])", (2, 33),
                  "`total(R, T)` before it leaves R open: its clause in line 1 gives that argument no value"),
    "is for =": ("first(X) :- p(L), L is [X|_], true.\np([1, 2]).\n", "first(X)", (1, 19), "`is` evaluates arithmetic, and a list is not a number: `L=[X|_]` unifies"),
    "a term that is a value": ("p(Y) :- X = foo(1), Y is X + 1, true.\n", "p(Y)", (1, 21), "X is foo(1) when `Y is X + 1` is called, and foo/1 is not a function"),
    "a text": ("p(Y) :- X = \"abc\", Y is X + 1, true.\n", "p(Y)", (1, 20), "X is \"abc\" when `Y is X + 1` is called; a text is not a number"),
    "a list that stands there": ("p(Y) :- X = [1], Y is X + [2,3], true.\n", "p(Y)", (1, 18), "`Y is X + [2,3]` has [2,3]; a list is not a number"),
    "frozen": ("q(X) :- freeze(X, true), Y is X + 1, Y > 0.\n", "q(X)", (1, 26), "`freeze(X, true)` before it leaves X open"),
    "a string that is a value": ("j(S, X) :- phrase(g, S, X), true.\ng --> [a].\n", "j(\"ab\", X)", (1, 12), "string_chars/2 or string_codes/2 makes one of it"),
    "stack": ("anc(X) :- anc(X), true.\n", "set_prolog_flag(stack_limit, 2000000), anc(a)", None, "anc/1 is called within itself again and again"),
    "table": (":- use_module(library(clpfd)).\n:- table p/1.\np(1).\n", "X in 1..3, p(X)", None, "a tabled predicate takes no constrained variables"),
    "best of a table": (":- table d(_, min).\nd(a, 3).\nd(a, 1).\n", "d(a, 1)", None, "call it with a variable there, and compare this with 1 after"),
    "grammar": ("g --> [a], [b].\n", "phrase(g, \"ab\")", None, "`phrase(g, \"ab\")` has a text in double quotes: that is a string in SWI-Prolog, not a list"),
    "atoms compared": ("lt(X, Y) :- X < Y, true.\n", "lt(a, b)", (1, 13), "`<` compares numbers, `@<` any terms"),
    "number in quotes": ("p(Y) :- X = '3', Y is X + 1, true.\n", "p(Y)", (1, 18), "in quotes it is an atom, 3 without quotes is the number"),
    "format of a float": ("p :- format(\"~d\", [1.5]), true.\n", "p", (1, 6), "~d is for integers, and this is 1.5"),
    "joins only": ("w(S, L) :- atomic_list_concat(L, S), true.\n", "w(abc, L)", (1, 12), "as in `atomic_list_concat(L, ' ', S)`"),
    "variable of the goal": ("p.\n", "X > 3", None, "X has no value when `X>3` is called"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_remedy(name: str, tmp_path: Path) -> None:
    text, goal, place, hint = CASES[name]
    file = tmp_path / "p.pl"
    file.write_text(text)
    with Session(file, output="nowhere") as session:
        if name != "not on the stack":  # as `diagnose` does, so that goals of libraries do not leave it either
            session.first("set_prolog_flag(last_call_optimisation, false)")
        with pytest.raises(ProgramError) as raised:
            session.query(goal).collect()
    where = raised.value.where
    assert (where and (where.line, where.column)) == place
    assert hint in (raised.value.hint or ""), raised.value


@pytest.mark.parametrize("goal", ["throw(mine)", "call_with_time_limit(0.01, (repeat, fail))", "format('~d', [a])"])
def test_what_nothing_is_known_of_has_no_remedy(goal: str) -> None:
    with Session("p.\n", output="nowhere") as session, pytest.raises(ProgramError) as raised:
        session.query(goal).collect()
    assert raised.value.hint is None


@pytest.mark.parametrize(
    ("goal", "said"),
    [
        ("X", "it is only a variable, and a goal must be known when it is called"),
        ("3", "it is a number"),
        ("p(1) :- q", "it is a rule; rules stand in the file"),
        ("p --> q", "it is a rule; rules stand in the file"),
        ("?- p(1)", "`?-` is the prompt of the toplevel"),
        (":- p(1)", "`:-` begins a directive"),
    ],
)
def test_what_is_not_a_goal(goal: str, said: str) -> None:
    with Session("p(1).\n") as session, pytest.raises(ProgramError, match=re.escape(f"not a goal: `{goal}`: {said}")):
        session.query(goal).collect()


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("q(1).\n\té(X) :- é X.\n", (2, 12)),
        ("p(X) :-\n\tX in 1..5.\n", (2, 4)),
        ("p(1,,2).\n", (1, 5)),
        ("p :- é(1) é é.\n", (1, 11)),
    ],
)
def test_columns_of_syntax_errors_count_characters(text: str, place: tuple[int, int], tmp_path: Path) -> None:
    file = tmp_path / "p.pl"
    file.write_text(text)
    with Session(file) as session:
        where = session.warnings[0].where
    assert where is not None
    assert (where.line, where.column) == place


@pytest.mark.parametrize("more", [{"isolated": False}, {"isolated": True}, {"untrusted": True}])
def test_the_goal_of_a_program_that_is_text(more: dict[str, bool]) -> None:
    with Session("p.\nq(X) :-\n\tp, X > 3, p.\n", **more) as session, pytest.raises(ProgramError) as raised:  # type: ignore[arg-type]
        session.query("q(Y)").collect()
    assert str(raised.value.where) == "<text>:3:5"
    assert "X is open when q/1 is called by the goal" in str(raised.value)


@pytest.mark.parametrize("goal", ["Y = f(Y), between(1, 3, Y)", "Y = [a|Y], atom_length(Y, _)", "Y = f(Y, 1), X is Y + 1"])
def test_an_error_with_a_term_that_is_in_itself_has_no_remedy(goal: str) -> None:
    with Session("p(1).\n") as session, pytest.raises(ProgramError, match="cyclic") as raised:
        session.query(goal, limits=Limits(memory=500_000_000)).collect()
    assert raised.value.hint is None


@pytest.mark.parametrize("more", [{"isolated": False}, {"isolated": True}, {"untrusted": True}])
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("road(a, b).\nq(1).\n", "zork/0, but q/1 and road/2"),
        ("", "zork/0"),
        ("a(1). b(1). c(1). d(1). e(1). f(1). g(1). h(1). i(1). j(1).", "zork/0, but a/1, b/1, c/1, d/1, e/1, f/1, g/1, h/1 and others"),
    ],
)
def test_of_a_predicate_that_is_unknown_it_says_what_the_program_has(text: str, said: str, more: dict[str, bool]) -> None:
    with Session(text, **more) as session:  # type: ignore[arg-type]
        for goal in ("zork", "true, zork"):
            with pytest.raises(ProgramError) as raised:
                session.first(goal)
            assert raised.value.hint == f"the program defines no {said}"


def test_a_predicate_that_a_module_keeps_to_itself(tmp_path: Path) -> None:
    file = tmp_path / "rooms.pl"
    file.write_text(":- module(rooms, [room/1]).\nroom(1).\nfloor(1).\n")
    with Session(file) as session, pytest.raises(ProgramError) as raised:
        session.first("floor(X)")
    assert raised.value.hint == "module rooms defines floor/1 and does not export it: elsewhere it is rooms:floor"
