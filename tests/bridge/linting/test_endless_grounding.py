"""LP050: recursion whose argument grows and is bounded by nothing, and what bounds it."""

from __future__ import annotations

from contextlib import suppress

import pytest

from bridge.errors import LimitError
from bridge.limits import Limits
from bridge.linting.lint import lint
from bridge.problem.asp import AspProblem

#: Programs whose grounding does not end: the line of the rule, and words of what it does.
ENDLESS = [
    ("n(0).\nn(X+1) :- n(X).\n", 2, "makes argument 1 of n/1 larger"),
    ("n(0).\nn(X) :- n(X-1).\n", 2, "larger"),
    ("n(0).\nn(X) :- n(X+1).\n", 2, "smaller, and nothing bounds it; bound it in the body, as by `X > -100`"),
    ("n(1..3).\nn(Y) :- n(X), Y = X + 2.\n", 2, "as by `Y < 100`"),
    ("n(a).\nn(f(X)) :- n(X).\n", 2, "nests argument 1 of n/1 deeper"),
    ("item(a;b).\nlist(nil).\nlist(cons(X,L)) :- item(X), list(L).\n", 3, "nests argument 1 of list/1 deeper"),
    ("p(0).\nq(X) :- p(X).\np(X+1) :- q(X), not stop.\n", 3, "the rules in line 2 and line 3 makes"),
    ("{ n(X+1) } :- n(X).\nn(0).\n:- n(5).\n", 1, "larger"),
    ("#const step = 2.\nn(1).\nn(X+step) :- n(X).\n", 3, "larger"),
    ("d(a,0).\nd(Y,D+W) :- d(X,D), e(X,Y,W).\ne(a,b,1). e(b,a,2).\n", 2, "d(a,_) -> d(b,_) -> d(a,_)"),
    ("e(1,2). l(X,Y) :- e(X,Y).\nl(X,Y) :- l(Y,X).\np(X,Y,1) :- l(X,Y).\np(X,Y,N+1) :- p(X,Z,N), l(Z,Y).\n", 4, "-> p("),
    ("e(a,b). e(b,b).\np(X,Y,L) :- e(X,Y), L = 1.\np(X,Y,L) :- p(X,Z,L1), p(Z,Y,L2), L = L1 + L2.\n", 3, "p(b,b,_)"),
    ("at(a,0).\nat(X,T+1) :- at(X,T), not broken(X).\n{ broken(b) }.\n", 2, "argument 2 of at/2"),
]  # fmt: skip

#: Programs whose grounding ends.
ENDS = [
    "#const n = 5.\nm(0).\nm(X+1) :- m(X), X < n.\n",
    "t(0..9).\nn(0).\nn(X+1) :- n(X), t(X+1).\n",
    "d(a,0).\nd(Y,D+W) :- d(X,D), e(X,Y,W).\ne(a,b,1). e(b,c,2).\n",
    "d(a,0).\nd(Y,D+W) :- d(X,D), e(X,Y,W).\ne(a,b,0). e(b,a,0).\n",
    "p(0).\nq(X+1) :- p(X).\np(X-1) :- q(X).\n",
    "e(a,b). e(b,a).\np(X,Y,L) :- e(X,Y), L = 0.\np(X,Y,L) :- p(X,Z,L1), p(Z,Y,L2), L = L1 + L2.\n",
    "n(0).\nn(X+1) :- n(X), not stop(X).\nstop(3).\n",
    "n(c(a,c(b,nil))).\nn(L) :- n(c(_,L)).\n",
    "p(a).\np(X+1) :- p(X).\n",
    "p(1).\nq(X) :- p(X).\np(X) :- q(X).\n",
    "s(0).\ns((X+1)\\5) :- s(X).\n",
    "n(1).\nn(2*X) :- n(X).\n",  # it comes to 0 after 32 rounds
    "n(3).\nn(X-1) :- n(X), Y = 1..X.\n",
    "p(1).\np(X+1) :- p(X), #count { Y : r(Y) } > X.\nr(1..3).\n",
    "p(1).\nq(3).\np(X+1) :- p(X), q(Y), Y = X.\n",
    "p(1).\nq(1..3).\np(X+1) :- p(X), q(X).\nq(X) :- p(X), X < 5.\n",
    "time(0..3). at(x,0). { do(a,T) } :- time(T).\nat(X,T+1) :- at(X,T), do(_,T).\n",
    "f(0,0). f(1,1).\nf(N+1,A+B) :- f(N,A), f(N-1,B), A + B < 50.\n",
    "f(0,0). f(1,1).\nf(N+1,A+B) :- f(N,A), f(N-1,B), N < 50.\n",
    "f(0,0). f(1,1).\nf(N+1,A+B) :- f(N,A), f(N-2,B).\n",
    "p(0,0). p(1,1).\np(N+1,A) :- p(N,A), p(N-1,A).\n",
    "p(0). q(0).\np(X+1) :- p(X), q(X).\nq(X+1) :- q(X), r(X).\nr(0..9).\n",
    "#program base.\np(0).\n#program step(t).\np(t) :- p(t-1).\n",
]


def _found(text: str) -> list[tuple[str, int | None, str]]:
    findings = lint(AspProblem(text)).findings
    return [(one.level, one.place.line, one.sentence) for one in findings if one.id == "LP050"]


@pytest.mark.parametrize(("text", "line", "words"), ENDLESS)
def test_endless_recursion_is_found_with_its_rule(text: str, line: int, words: str) -> None:
    ((level, where, sentence),) = _found(text)
    assert (level, where) == ("warning", line)
    assert words in sentence


@pytest.mark.parametrize("text", ENDS)
def test_nothing_is_found_where_grounding_ends(text: str) -> None:
    assert _found(text) == []
    with AspProblem(text).program() as program:
        assert program.grounding().complete


@pytest.mark.parametrize("text", [text for text, _, _ in ENDLESS])
def test_what_is_found_does_not_end(text: str) -> None:
    with AspProblem(text).program() as program, suppress(LimitError):  # perhaps not even a rule is reported by then
        assert not program.grounding(limits=Limits(seconds=0.1)).complete


def test_an_input_that_is_not_there_may_have_a_cycle() -> None:
    ((level, line, sentence),) = _found("d(a,0).\nd(Y,D+W) :- d(X,D), e(X,Y,W).\n")
    assert (level, line) == ("info", 2)
    assert sentence.startswith("grounding never ends for some instances of e/3")
