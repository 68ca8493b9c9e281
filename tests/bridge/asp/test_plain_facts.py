"""Plain facts, found without a syntax tree: what is left, with them, is the same program as before."""

from __future__ import annotations

import clingo
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.asp.reading.outline import plain
from bridge.asp.reading.plain_facts import cut, predicate
from bridge.asp.reading.source import constants_of


def atoms(text: str) -> list[str]:
    """All atoms of a program, and which are facts; or what is wrong with it."""
    control = clingo.Control(["--warn=none"], logger=lambda *_: None)
    try:
        control.add("base", [], text)
        control.ground()
    except RuntimeError:
        return ["wrong"]
    return sorted(f"{atom.symbol} {atom.is_fact} {atom.is_external}" for atom in control.symbolic_atoms)


def same(text: str) -> tuple[str, ...]:
    """The plain facts of a text, which is the same program as what is left and they."""
    rest, facts = cut(text, "x.lp", constants_of([text]))
    assert atoms(f"{rest}\n#program base.\n" + "\n".join(facts.texts)) == atoms(text), (rest, facts)
    assert [len(line.encode()) for line in rest.split("\n")] == [len(line.encode()) for line in text.split("\n")]
    lines = text.split("\n")
    for number, fact in enumerate(facts.texts):
        place = facts.place(number)
        assert place.line is not None
        assert place.column is not None
        assert lines[place.line - 1][place.column - 1 :].startswith(fact)
        symbol = clingo.parse_term(plain(fact))
        assert str(symbol) == plain(fact) == facts.atom(number)
        assert (symbol.name, len(symbol.arguments)) == predicate(fact) == facts.signatures[facts.predicates[number]]
    return tuple(facts.texts)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("p(1). q(a, b) . r.", ("p(1).", "q(a, b) .", "r.")),
        ('p("a. b%", f(-3, (1, x))).\nq("\\"").', ('p("a. b%", f(-3, (1, x))).', 'q("\\"").')),
        ("p(1..3). p(4;5). p(2+2). -p(7). p(-0). p(007). p(0x10).", ()),
        ("p((1,)). p((2)). p(X) :- X = 3. q(_a, 'b).", ("q(_a, 'b).",)),
        ("p :- q. { r }. s. :- s, not s.", ("s.",)),
        ("% p(1).\np(2). % p(3).\n%* p(4). %* p(5). *% p(6). *% p(7).", ("p(2).", "p(7).")),
        ("#external p(1). [true] p(2).\np(3).", ("p(3).",)),
        (":~ p(1). [1@2]\np(1). p(2).", ("p(2).",)),
        ("#program step(t). p(t). q(1).", ()),
        ("#const n = 3. p(n). q(1). r(f(n)). s(nn).", ("q(1).", "s(nn).")),
        ('p("é"). q(1). r(X) :- q(X).', ('p("é").', "q(1).")),
        ("%! named {X}: so.\np(1).\n\np(2).", ("p(2).",)),
        ("p(1).. q.", ()),
        ("p(not). q(1).", ("q(1).",)),
        ("not p. not_p. notp(not_a).", ("not_p.", "notp(not_a).")),
        ("#theory t { x { - : 1, unary }; &a/0 : x, any }. p(1).", ()),
        ("p(1)\n.q(2)\n\t. r(\n3).", ()),
        ("p(1,).", ()),
        ("p(1).\np(2).\np(1+1).\np(3).\nq(2).\nq(1,2).", ("p(1).", "p(2).", "p(3).", "q(2).", "q(1,2).")),
        ("q(1,3).\nq(1,f(3)).\nq(1, 2).\nq(2).\nq(2,1)", ("q(1,3).", "q(1,f(3)).", "q(1, 2).", "q(2).")),
        ('p(1).\np("é").\np("a.\\n").\np(3). p(4).\np(5).%', ("p(1).", 'p("é").', 'p("a.\\n").', "p(3).", "p(4).", "p(5).")),
        ("#const n = 3.\np(1).\np(2).\np(n).\np(4).\n{ q }.\np(5).\n", ("p(1).", "p(2).", "p(4).", "p(5).")),
        ("p.\np.\n\nq.\n%! name: x.\np.\np.\n", ("p.", "p.", "q.")),
        ('#show p/1. #show "a.b" : p(1). #minimize { 1..2 : p(1) }. p(1).', ("p(1).",)),
    ],
)
def test_what_is_a_plain_fact(text: str, found: tuple[str, ...]) -> None:
    assert same(text) == found


PIECES = (
    *("p(1)", "p", "q(a,1)", 'r("x.y")', "r(f(2),(1,2))", ".", " ", "\n", "%", "%*", "*%", ":-", "{p}", "..", ",", "not "),
    *("p(2).\n", "q(a,1).\n", "[1]", '"', "#show p/1.", "%! name: x.", "#const n=1.", "n", "(", ")", ":- p.", "#program base.", "1", "-", ";"),
)


@pytest.mark.local
@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
@settings(max_examples=66, deadline=None)
def test_any_text_stays_the_same_program(text: str) -> None:
    same(text)
