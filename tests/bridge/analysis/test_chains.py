"""A clash as steps: what follows from its facts, and what forbids that."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bridge
from bridge.analysis.propagation import Propagation
from bridge.asp import Program
from bridge.problem.asp import AspProblem


@pytest.mark.parametrize(
    ("program", "chain"),
    [
        (
            "edge(a,b). edge(b,a).\nreach(X,Y) :- edge(X,Y).\nreach(X,Z) :- reach(X,Y), edge(Y,Z). % on\n:- reach(a,a).\n",
            (
                "edge(a,b): so reach(a,b) (<string>:2)",
                "edge(b,a) and reach(a,b): so reach(a,a) (<string>:3)",
                "but <string>:4 forbids reach(a,a)",
            ),
        ),
        (
            "#const most = 2.\nitem(1..3).\nbig(X) :- item(X), X > most.\n:- big(X).\n",
            ("item(3): so big(3) (<string>:3)", "but <string>:4 forbids big(3)"),
        ),
        ("p.\nq :- p.\n:- q, 1 { p; q }.\n", ("p: so q (<string>:2)", "but <string>:3 forbids p and q")),
        ("{ p }.\n:- p.\n:- not p.\n", ()),  # no more than the clash says
        (
            "{ p(1..3) } = 1.\n:- p(X), X < 3.\n:- p(3), not q.\n",
            (
                "not p(1) and not p(2) (<string>:2)",
                "not p(1) and not p(2): so p(3) (<string>:1)",
                "but <string>:3 forbids p(3)",
            ),
        ),
        (
            "seat(1..2). guest(a;b;c).\n{ sits(G,S) : seat(S) } = 1 :- guest(G).\n:- sits(G,S), sits(H,S), G < H.\n",
            (
                "with sits(a,1): not sits(b,1), not sits(c,1), sits(b,2) and sits(c,2) (<string>:2 and <string>:3), and "
                "<string>:3 forbids that; so not sits(a,1)",
                "guest(a) and not sits(a,1): so sits(a,2) (<string>:2)",
                "sits(a,2): so not sits(b,2) and not sits(c,2) (<string>:3)",
                "guest(b) and not sits(b,2): so sits(b,1) (<string>:2)",
                "guest(c) and not sits(c,2): so sits(c,1) (<string>:2)",
                "but <string>:3 forbids sits(b,1) and sits(c,1)",
            ),
        ),
        (
            "a :- not b.\nb :- not a.\n:- a.\n:- b.\n",
            ("not a (<string>:3)", "not a: so b (<string>:2)", "but <string>:4 forbids b"),
        ),
        (
            "a :- not b.\nb :- not c.\nc :- not a.\n",
            (
                "with b: not a and not c, and <string>:3 forbids that; so not b",
                "not b: so a (<string>:1)",
                "not b: so c (<string>:2)",
                "but nothing derives c with a",
            ),
        ),
        ("p.\n:- p.\n", ()),  # nothing follows
        ("-c :- not a : b.\nc.\n", ("c: so not -c", "but <string>:1 forbids not -c")),
        ("{ p } = 1.\n:- p.\n", ()),
    ],
)
def test_the_steps_of_a_clash(program: str, chain: tuple[str, ...]) -> None:
    found = bridge.diagnose(AspProblem(program))
    assert tuple(map(str.strip, found.chain)) == chain
    assert ("step by step:" in str(found)) is bool(chain)
    assert found.to_json()["chain"] == list(found.chain)


@st.composite
def programs(draw: st.DrawFn) -> str:
    """Small ground programs: choices with bounds, sums, disjunctions, negation, constraints."""
    atom = st.sampled_from("abcdef")
    literal = st.builds("{}{}".format, st.sampled_from(["", "not "]), atom)
    body = st.lists(literal, min_size=1, max_size=3).map(", ".join)
    sums = st.lists(st.builds("{},{}:{}".format, st.integers(1, 3), atom, literal), min_size=1, max_size=3)
    aggregate = st.builds("{}#sum {{ {} }} >= {}".format, st.sampled_from(["", "not "]), sums.map("; ".join), st.integers(0, 5))
    rule = st.one_of(
        st.builds("{} :- {}.".format, atom, body),
        st.builds("{}; {} :- {}.".format, atom, atom, body),
        st.builds("{} {{ {}; {} }} {} :- {}.".format, st.integers(0, 1), atom, atom, st.integers(1, 2), body),
        st.builds("{{ {}; {} }}.".format, atom, atom),
        st.builds(":- {}.".format, body),
        st.builds("{} :- {}, {}.".format, atom, aggregate, literal),
        st.builds(":- {}.".format, aggregate),
    )
    return "\n".join(draw(st.lists(rule, min_size=2, max_size=9)))


@given(programs(), st.lists(st.sampled_from("abcdef"), max_size=2, unique=True))
def test_what_follows_is_in_every_answer_set(text: str, supposed: list[str]) -> None:
    with Program(text, isolated=False) as program:
        ground = program.inside().ground_rules("")
        answers = [set(str(model).split()) for model in program.models()]
    known = Propagation(ground)
    conflict = known.propagate()
    names = {literal: atom[0] for literal, atom in ground.atoms}
    numbers = {name: literal for literal, name in names.items()}
    for name in supposed:
        if conflict is None and name in numbers:
            answers = [one for one in answers if name in one]
            if (conflict := known.assume(numbers[name])) is None:
                conflict = known.propagate()
    if conflict is not None:
        assert not answers
    for answer in answers:
        assert all((names[abs(one)] in answer) is (one > 0) for one in known.trail if abs(one) in names)


def test_of_many_steps_the_last_are_shown() -> None:
    found = bridge.diagnose(AspProblem("n(0).\nn(X+1) :- n(X), X < 12.\n:- n(12).\n"))
    assert found.chain[0] == "  ... 3 steps before"
    assert len(found.chain) == 11


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("a. b :- a.\n-b :- a.\n", "b/0 and -b/0 exclude each other: an exception is `not -b` in the body"),
        ("n(1).\np(X) :- n(X), not q(X).\nq(X) :- p(X).\n", "<string>:2 needs `not q`, and what it derives leads to it (q/1)"),
    ],
)
def test_a_clash_without_a_constraint(program: str, words: str) -> None:
    assert words in str(bridge.diagnose(AspProblem(program)))


@pytest.mark.parametrize("program", ["a.\nb :- a.\n:- b.\n", "{ a } = 1.\n:- a.\n"])
def test_a_clash_with_a_constraint_has_no_such_line(program: str) -> None:
    text = str(bridge.diagnose(AspProblem(program)))
    assert "exclude each other" not in text
    assert "at odds" not in text
