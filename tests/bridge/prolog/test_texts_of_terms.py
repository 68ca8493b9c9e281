"""The canonical text of any term is read by SWI-Prolog as an equal term, and variables go back with their constraints."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.errors import InputError
from bridge.prolog import Atom, Dict, Session, Term, Variable

#: Names that a text could be read wrongly with: operators, solo characters, what begins a comment, a quote, a number.
ODD = (
    *("+", "-", "*", "**", "^", "=", "=..", "?", "$", ":", ":-", "-->", "?-", "=>", ":=", "->", "*->", "\\", "\\+", "@", "|", ",", ";", "!"),
    *("is", "mod", "rdiv", "dynamic", "table", "discontiguous", "initialization", "dict", "e", "r", "x", "inf", "nan", "1.0Inf"),
    *("[]", "{}", "[|]", ".", "..", "/*", "*/", "%", "`", "'", '"', "''", "a b", "0", "0'a", "_", "A", "größer", "é", "日本", "", "\n", "\0", "end_of_file"),
)
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
NAMES = st.sampled_from(ODD) | TEXT
NUMBERS = st.integers() | st.integers(-(2**80), 2**80) | st.floats(allow_nan=False) | st.fractions()
ATOMIC: st.SearchStrategy[object] = NUMBERS | TEXT | NAMES.map(Atom) | st.just([])


def _larger(parts: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    keys = NAMES | st.integers(0, 1000)
    return (
        st.lists(parts, max_size=3)
        | st.builds(lambda name, arguments: Term(name, tuple(arguments)), NAMES, st.lists(parts, max_size=3))
        | st.builds(Dict, st.dictionaries(keys, parts, max_size=3), NAMES | st.none())
    )


TERMS = st.builds(
    lambda name, arguments: Term(name, tuple(arguments)),
    NAMES,
    st.lists(st.recursive(ATOMIC, _larger, max_leaves=6), max_size=3),
)


@pytest.fixture(scope="module")
def session(process: str) -> Iterator[Session]:
    with Session(":- use_module(library(clpfd)).\n") as opened:
        yield opened


@given(term=TERMS)
def test_the_text_of_a_term_is_read_as_that_term(session: Session, term: Term) -> None:
    answer = session.first("term_string(T, S), T =@= U", S=str(term), U=term)
    assert answer is not None, str(term)
    assert "[|]" in repr(term) or answer["T"] == term  # the name of lists: such a term may be one


@given(term=TERMS)
def test_the_text_of_a_part_is_the_same_within_a_term(term: Term) -> None:
    assert str(Term("f", (term,))) == f"f({term})"


def test_variables_keep_their_names() -> None:
    shared = Variable("X")
    term = Term("f", (shared, Term("g", (shared, Variable(), None))))
    assert str(term) == "f(X, g(X, _, _))"


def test_a_term_of_a_residual_goal_within_another() -> None:
    assert str(Term("f", (Term("in", (1, 2), "X in 1..2"), 3))) == "f((X in 1..2), 3)"


def test_a_variable_that_goes_back_keeps_its_domain(session: Session) -> None:
    answer = session.first("X in 1..3")
    assert answer is not None
    assert [one["X"] for one in session.query("label([X])", X=answer["X"])] == [1, 2, 3]
    assert session.first("X = 5", X=answer["X"]) is None
    assert str(session.first("X #> 1", X=answer["X"])) == "X in 2..3."
    assert session.first("L = [_, f(5)]", L=[0, Term("f", (answer["X"],))]) is None  # also within a term
    assert str(session.first("X = 5", X=Variable("X"))) == "X = 5."


def test_constraints_between_variables_go_back_with_one_of_them(session: Session) -> None:
    answer = session.first("X in 0..9, Y in 0..3, X #< Y, dif(X, 1), freeze(Y, Y > 1)")
    assert answer is not None
    both = [(one["X"], one["Y"]) for one in session.query("label([X, Y])", X=answer["X"], Y=answer["Y"])]
    assert both == [(0, 2), (0, 3), (2, 3)]
    assert [one["Z"] for one in session.query("Z = X, label([Z])", X=answer["X"])] == [0, 2]


@pytest.mark.local
def test_an_untrusted_program_gets_no_constraints() -> None:
    with Session("p.", untrusted=True) as session:
        answer = session.first("dif(X, a)")
        assert answer is not None
        with pytest.raises(InputError, match=r"constrained \(`dif\(X, a\)`\)"):
            session.first("X = a", X=answer["X"])
        assert session.first("X = a", X=Variable("X")) is not None
