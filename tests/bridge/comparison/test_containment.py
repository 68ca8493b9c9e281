"""What is proved to have the same answers has them, by example; `fuzz.proofs` lists all answers of random pairs."""

from __future__ import annotations

import pytest

from bridge.asp.reading.text import Text
from bridge.comparison.containment import Prover

#: A text, another one, and whether they have the same answers on every instance.
CASES = [
    (":- q(X,Y), q(Z,Y), X < Z.", ":- q(_,Y), #count { X : q(X,Y) } > 1.", True),
    (":- q(X,Y), q(Z,Y), X < Z.", ":- q(_,Y), 2 <= { q(X,Y) }.", True),
    (":- q(X,Y), q(Z,Y), X < Z.", ":- q(_,Y), #count { X : q(X,Y) } > 2.", False),
    (":- q(X,Y), q(Z,Y), X != Z.", ":- q(X,Y), q(Z,Y), X < Z.", True),
    (":- q(X,Y), q(Z,Y), X != Z.", ":- q(X,Y), q(Z,Y), X <= Z.", False),
    (":- q(X,Y), q(Z,Y), X != Z, n(X).", ":- q(X,Y), q(Z,Y), X < Z, n(X).", False),
    ("X = Z :- q(X,Y), q(Z,Y).", ":- q(X,Y), q(Z,Y), X < Z.", True),
    (
        ":- q(I,J), q(K,L), (I,J) != (K,L), I-J = K-L.",
        "k(D) :- q(I,J), D = I-J.\n:- k(D), #count { I,J : q(I,J), I-J = D } > 1.",
        True,
    ),
    (
        ":- q(I,J), q(K,L), (I,J) != (K,L), I-J = K-L.",
        "k(D) :- q(I,J), D = I+J.\n:- k(D), #count { I,J : q(I,J), I-J = D } > 1.",
        False,
    ),
    (":- q(I,J), q(K,L), I != K, |I-K| = |J-L|.", ":- q(I,J), q(K,L), I < K, |K-I| = |J-L|.", True),
    ("a(X) :- q(X,Y), q(Y,Z), n(Z).", "two(X,Z) :- q(X,Y), q(Y,Z).\na(X) :- two(X,Z), n(Z).", True),
    ("a(X) :- q(X,Y), q(Y,Z), n(Z).", "a(X) :- q(X,Y), n(Y).", False),
    ("a(X) :- q(X,Y), q(X,Z).", "a(X) :- q(X,_).", True),
    ("a(X) :- q(X,Y), not n(Y).", "a(X) :- q(X,_), not n(_).", False),
    (
        ":- a(A), b(B), c(C), d(D), A+B-C*D != -113.",
        "ab(V) :- a(A), b(B), V = A+B.\ncd(V) :- c(C), d(D), V = D*C.\n:- ab(V), cd(W), V-W != -113.",
        True,
    ),
    (
        ":- a(A), b(B), c(C), d(D), A+B-C*D != -113.",
        "ab(V) :- a(A), b(B), V = A+B.\ncd(V) :- c(C), d(D), V = D*C.\n:- ab(V), cd(W), V+W != -113.",
        False,
    ),
    # X-X is 0 for integers only.
    (":- n(X), n(Y), X = Y.", ":- n(X), n(Y), X-Y = 0.", False),
    (":- n(X), n(Y), X < Y.", ":- n(X), n(Y), X < Y+1.", False),
    (":- n(X), X = 1..3.", ":- n(X), X >= 1, X <= 3.", False),
    ("a(3-X) :- n(X).", "a(Y) :- n(X), X+Y = 3, n(3-Y).", True),
    # What is derived from itself is not derived.
    ("a(X+1) :- q(X,Y).\n:- a(X), not n(X).", "a(X+1) :- q(X,Y), n(X+1).\n:- q(X,Y), not n(X+1).\n:- a(X), not n(X).",
     True),
    ("a(X+1) :- q(X,Y).\n:- a(X), not n(X).\nn(X) :- a(X).",
     "a(X+1) :- q(X,Y), n(X+1).\n:- q(X,Y), not n(X+1).\n:- a(X), not n(X).\nn(X) :- a(X).", False),
    ("a(X+1) :- q(X,Y).\n:- a(X), not n(X).", "a(X+1) :- q(X,Y), n(X+1).\n:- a(X), not n(X).", False),
    ("a(X,Y) :- q(X,Y).\n:- a(X,Y), X >= Y.", "a(X,Y) :- q(X,Y), X < Y.\n:- q(X,Y), X >= Y.\n:- a(X,Y), X >= Y.", True),
    ("a(X) :- q(X,Y).\na(X) :- q(X,1).", "a(X) :- q(X,Y).", True),
    ("{ a(X) } :- q(X,Y).", "{ a(X) } :- q(X,_).", True),
    # What stands in another part need not be ground.
    (":- q(X).\n#program p.\n:- q(Y).", "#program p.\n:- q(Y).", False),
    ("{ a(X) } :- q(X,Y).", "a(X) :- q(X,Y).", False),
    # The other variable is that of the element.
    ("{ a(X,Y) : q(X,Y) } :- n(X).", "{ a(X,Y) : q(X,Y) } :- n(Y).", False),
    ("{ a(X,Y) : q(X,Y) } :- n(X), n(X).", "{ a(X,Y) : q(X,Y) } :- n(X).", True),
    (
        ":- S = #sum { E,P : p(I,P,E) }, T = #sum { E,P : p(J,P,E) }, d(I), d(J), I < J, S != T.",
        "t(I,S) :- d(I), S = #sum { E,P : p(I,P,E) }.\n:- t(I,S), t(J,T), I < J, S != T.",
        True,
    ),
    (":- #sum { X : q(X,Y) } > 1, n(Y).", ":- #sum { Y : q(X,Y) } > 1, n(X).", False),
    (":- #sum { X : q(X,Y) } > 1, n(Y).", ":- #sum { A : q(A,B) } > 1, n(B).", True),
    (':- n(X), "Ab" = #max { Y : q(X,Y) }.', ':- n(X), "Cd" = #max { Y : q(X,Y) }.', False),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other", "same"), CASES)
def test_what_is_proved(one: str, other: str, same: bool) -> None:
    assert Prover(Text(one)).same_on_every_instance(Text(other)) is same
