"""Syntax errors say what is wrong, where, and what to write; clingo's own words stand behind."""

from __future__ import annotations

from pathlib import Path

import pytest

from bridge.asp.program import Program
from bridge.errors import ProgramError
from bridge.linting.lint import lint
from bridge.problem.asp import AspProblem

#: A wrong program, where the cause stands in it, words of what is wrong, and of what to write.
WRONG = [
    ("#include facts.lp.\n", "1:1", "the name of a file stands in double quotes", 'write `#include "facts.lp".`'),
    ("#include 'facts.lp'.\n", "1:1", "the name of a file stands in double quotes", 'write `#include "facts.lp".`'),
    ('#include "facts.lp"\np.\n', "1:1", "`#include` ends with a dot", "behind the name"),
    ('include "facts.lp".\n', "1:1", "directives begin with `#`", "write `#include`"),
    ("p.\n1 { a(1,2), b, c } 1.\n", "2:11", "the elements in braces are separated by `;`", "write `;`"),
    (":- #count { X : p(X), q(X), Y : q(Y) } > 1.\n", "1:27", "the elements in braces are separated by `;`", "write `;`"),
    ("1 { x(R,C) : size(R) : size(C) } 1.\n", "1:22", "a condition has one `:`", "write `,`"),
    ("{ a | b }.\n", "1:5", "the alternatives of a head are separated by `;`", "write `;`"),
    ("e(X) :- n(X), X #mod 2 = 0.\n", "1:17", "`#mod` is no operator", "write `\\`"),
    ("e(X) :- n(X), X rem 2 = 0.\n", "1:17", "`rem` is no operator", "write `\\`"),
    ("e(X) :- n(X), X % 2 = 0.\np.\n", "1:17", "`%` begins a comment", "write `\\`"),
    ("e(Y) :- n(X), Y = X div 2.\n", "1:21", "`div` is no operator", "write `/`"),
    ("e(Y) :- n(X), Y = #abs(X-3).\n", "1:19", "there is no `#abs`", "write `|X-3|`"),
    ("#domain n(X).\np(X).\n", "1:1", "gringo 4 removed `#domain`", "bind the variable in each rule"),
    ("p.\n#hide.\n", "2:1", "gringo 4 removed `#hide`", "name what is to be shown"),
    ("#hide p/1.\n", "1:1", "gringo 4 removed `#hide`", "name what is to be shown"),
    ("#minimize [ p(X) = X ].\n", "1:1", "gringo 4 removed aggregates in square brackets", "{ weight, terms"),
    ("minimize { X : p(X) }.\n", "1:1", "directives begin with `#`", "write `#minimize`"),
    ("show p/1.\n", "1:1", "directives begin with `#`", "write `#show`"),
    ("t(S) :- S = sum { X : p(X) }.\n", "1:13", "the names of aggregates begin with `#`", "write `#sum`"),
    (":- #sum { X : p(X) } = #count { X : q(X) }.\n", "1:24", "not with another aggregate", "N = #count { ... }"),
    ("t(#max { X : p(X) }).\n", "1:3", "an aggregate is no term", "name its value"),
    ("t(S) :- S = #sum { X : p(X) } * 2.\n", "1:31", "an aggregate is no term", "name its value"),
    ("t :- 2 < #sum (X : p(X)).\n", "1:10", "the elements of an aggregate stand in braces", "{ terms : condition }"),
    ("#shows p/1.\n", "1:1", "clingo has no `#shows`", "write `#show`"),
    ("#define n 3.\n", "1:1", "clingo has no `#define`", "write `#const`"),
    ("#const N = 3.\n", "1:1", "the name of a constant begins with a small letter", ""),
    ("#show p/1, q/2.\n", "1:1", "each predicate has a directive of its own", "#show p/1. #show q/2."),
    ("{ &diff { a - b } <= 3 }.\n", "1:1", "a theory atom cannot be chosen", "choose an atom"),
    ("q(X) :- p([H|X]).\n", "1:11", "there are no lists", "number the elements"),
    ("p([]).\n", "1:3", "there are no lists", "number the elements"),
    ("q(X) :- p(X), \\+ r(X).\n", "1:15", "negation is `not`", "write `not`"),
    ("q(X) :- p(X), !r(X).\n", "1:15", "negation is `not`", "write `not`"),
    ("q(X) :- p(X), ~r(X).\n", "1:15", "negation is `not`", "write `not`"),
    ("q(X) :- p(X), not(r(X,f(1))), s.\n", "1:15", "without parentheses", "write `not r(X,f(1))`"),
    ("q(X) :- (p(X) ; r(X)), s.\n", "1:9", "parentheses stand around terms", "write a rule for each"),
    ("q(X) :- p(X), !.\n", "1:15", "there is no cut", "`not`"),
    ("q(Y) :- p(X), Y is X + 1.\n", "1:17", "there is no `is`", "write `=`"),
    ("q(Y) :- p(X), Y := X + 1.\n", "1:17", "`:=` assigns nothing", "write `=`"),
    ("q(X) :- p(X), X =:= 2.\n", "1:17", "`=:=` is no comparison", "write `=`"),
    ("q(X) :- p(X), X \\= 2.\n", "1:17", "`\\=` is no comparison", "write `!=`"),
    ("q(X) :- p(X), X =\\= 2.\n", "1:17", "`=\\=` is no comparison", "write `!=`"),
    ("q(X) :- p(X), X =< 2.\n", "1:17", "`=<` is no comparison", "write `<=`"),
    ("q(X) :- p(X), X => 2.\n", "1:17", "`=>` is no comparison", "write `>=`"),
    ("q(X) :- p(X), X in 1..3.\n", "1:17", "there is no `in`", "write `=`"),
    ("q(X) := p(X).\n", "1:6", "is not what stands between head and body", "write `:-`"),
    ("q(X) if p(X).\n", "1:6", "is not what stands between head and body", "write `:-`"),
    ("p(X) -> q(X).\n", "1:6", "a rule has its head first", "write the head"),
    ("q :- ( p -> r ; s ).\n", "1:10", "there is no `->`", "write a rule for each case"),
    ("q :- if p then r.\n", "1:6", "there is no if-then-else", "write a rule for each case"),
    ("q(X) :- p(X) and r(X).\n", "1:14", "separated by commas", "write `,`"),
    ("q(X) :- p(X) && r(X).\n", "1:14", "separated by commas", "write `,`"),
    ("q(X) :- p(X) or r(X).\n", "1:14", "a body has no `or`", "write two rules"),
    ("a v b.\n", "1:3", "the alternatives of a head are separated by `;`", "write `;`"),
    ("// facts\np.\n", "1:1", "`//` begins no comment", "write `%`"),
    ("p. /* facts */\nq.\n", "1:4", "`/*` begins no comment", "write `%`"),
    ("# facts\np.\n", "1:1", "`#` begins no comment", "write `%`"),
    ("p.\n%* facts\nq.\n", "2:1", "this comment does not end", "write `*%`"),
    ('p("a).\nq.\n', "1:3", "this string does not end", 'write `"`'),
    ("p(1)\nq(2).\n", "1:4", "a dot or a comma is missing at the end of this line", "end each rule with a dot"),
    ("q(X) :- p(X),\nr(X) :- q(X).\n", "1:13", "a comma stands where the rule ends", "write a dot"),
    ("q(X) :- p(X),.\n", "1:13", "a comma stands before the dot", "leave the comma out"),
    ("ready :-\ndone :- ready.\n", "1:7", "a rule ends here without its body", "only a dot for a fact"),
    (":-\nq(X) :- p(X).\n", "1:1", "a rule ends here without its body", "write the body"),
    ("{ in(X) } : p(X).\n", "1:11", "a condition stands inside of the braces", "write `{ in(X) : p(X) }`"),
    ("q :- 2 { in(X) } 3 : p(X), not r(X).\n", "1:20", "a condition stands inside", "`{ in(X) : p(X), not r(X) }`"),
    ("q :- r, in(X) : p(X), s : t.\n", "1:21", "a condition goes on behind a comma", "write `;`"),
    ("q(X) :- p(X) :- r(X).\n", "1:14", "a second `:-`", "end the rule before with a dot"),
    ("p(1. q(2).\n", "1:2", "`(` is not closed", "write `)`"),
    ("p(1)). q(2).\n", "1:5", "`)` closes nothing", "leave it out"),
    ("{ p(1..3) . q(2).\n", "1:1", "`{` is not closed", "write `}`"),
    ("p(X] :- q(X).\n", "1:4", "`(` is closed by `]`", "write `)`"),
    ("p(X) :- Node(X).\n", "1:9", "a name that begins with a capital letter is a variable", "small letter"),
    ("has-child(a,b).\n", "1:4", "`-` is the minus sign", "write `_`"),
    ("p(a, 0.5).\n", "1:6", "there are no decimal fractions", "smaller units"),
    ("?- p(1).\n", "1:1", "there are no queries", "`:- not atom.`"),
    (":- dynamic p/1.\n", "1:1", "`:- dynamic` is a directive of Prolog", "leave it out"),
    (":~ p(X) [X@1].\n", "1:1", "the dot of a weak constraint stands before its weight", "[weight@priority"),
    (":~ p(X).\n:- q.\n", "1:1", "a weak constraint has a weight", "[weight@priority"),
    (":~ p(X). [X:1]\n", "1:12", "the priority of a weak constraint stands after `@`", "write `@`"),
    ("p(1...3).\n", "1:4", "an interval is written with two dots", "write `..`"),
    ("p(1) q(2).\n", "1:6", "something is missing before `q`", "a dot, a comma or an operator"),
    ("p(1) :- n(X), X ≥ 2.\n", "1:17", "stands outside comments and quoted strings", "write `>=`"),
    ("% ä\nq(X) :- p(X,\"ö\"), X mod 2 = 0.\n", "2:21", "`mod` is no operator", "write `\\`"),
]  # fmt: skip


def _raised(program: str | Path) -> ProgramError:
    with pytest.raises(ProgramError) as raised, Program(program) as opened:
        opened.first()
    return raised.value


@pytest.mark.parametrize(("text", "place", "what", "remedy"), WRONG)
def test_the_cause_of_a_syntax_error(text: str, place: str, what: str, remedy: str) -> None:
    error = _raised(text)
    assert str(error.where) == f"<block>:{place}"
    assert what in error.message
    assert remedy in (error.hint or "")
    first, *_ = [one for one in lint(AspProblem(text)).findings if one.level == "error"]
    assert (first.place, first.sentence.partition("; ")[0]) == (error.where, error.message.partition("; ")[0])


@pytest.mark.parametrize(
    "text",
    [
        "edge(1->2).\n",
        "p(1@2).\n",
        "q :- not not not p.\n",
        "1 <= { q(X) : p(X) } <= .\n",
        "p(X) :- q(X) % from q, R. Miller\nr(1) s(2).\n",
    ],
)
def test_what_is_not_known_is_said_in_the_words_of_clingo(text: str) -> None:
    error = _raised(text)
    assert error.message.startswith(("syntax error, unexpected", "something is missing"))


def test_the_rest_of_a_line_with_a_syntax_error_is_left_out() -> None:
    error = _raised("e(X) :- n(X), X #mod 2 = 0. f(X) :- n(X) n(X).\ng(X) :- n(X), X mod 3 = 0.\n#domain n(X).\n")
    assert [one.where.line for one in (error, *error.others) if one.where is not None] == [1, 2, 3]


def test_each_unsafe_variable_is_an_error_at_its_place() -> None:
    error = _raised("q(1..3).\np(X,Y) :- q(1), not r(Z), X < Y.\ns(1..N).\nt(_).\n")
    places = [(one.where.line, one.where.column) for one in (error, *error.others) if one.where is not None]
    assert places == [(2, 3), (2, 5), (2, 23), (3, 6), (4, 3)]
    assert error.message.startswith("`X` is unsafe: no literal of the body binds it")
    findings = lint(AspProblem("q(1..3).\np(X,Y) :- q(1), not r(Z), X < Y.\ns(1..N).\nt(_).\n")).findings
    assert [(one.place.line, one.place.column) for one in findings if one.level == "error"] == places
