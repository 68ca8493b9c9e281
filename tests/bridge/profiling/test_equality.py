"""Whether two texts have the same answers, asked of the solver: the same verdict as by listing all answers."""

from __future__ import annotations

import pytest

from bridge import asp
from bridge.asp.text import Text
from bridge.comparison.instance import Instance
from bridge.limits import Deadline
from bridge.problem.asp import AspProblem
from bridge.profiling import equality
from bridge.profiling.equality import Same, questions, same_answers
from bridge.profiling.grounding_profile import search_profile

CHOICE = "{ q(1..3,1..3) }. n(1..3).\n"

#: What follows the choice in one text, and in the other; whether the answers are the same.
CASES = [
    (":- q(X,Y), q(Z,Y), X < Z.", ":- n(Y), #count { X : q(X,Y) } > 1.", True),
    (":- q(X,Y), q(Z,Y), X < Z.", ":- n(Y), #count { X : q(X,Y) } > 2.", False),
    ("X = Z :- q(X,Y), q(Z,Y).", ":- q(X,Y), q(Z,Y), X < Z.", True),
    ("X = Z :- q(X,Y), q(Z,Y).", ":- q(X,Y), q(Z,Y), X < Z, Y > 1.", False),
    (":- q(X,Y), q(Y,Z), X != Z.\n:- q(X,Y), q(Y,X).", ":- q(X,Y), q(Y,X).\n:- q(_,Y), q(Y,_).", True),
    (":- q(X,Y), q(Y,Z), X != Z.", ":- q(_,Y), q(Y,_).", False),
    (":- q(X,Y), q(Y,Z), q(Z,X).", "two(X,Z) :- q(X,Y), q(Y,Z).\n:- two(X,Z), q(Z,X).", True),
    ("a(X) :- q(X,Y), q(Y,Z), n(Z).", "two(X,Z) :- q(X,Y), q(Y,Z).\na(X) :- two(X,Z), n(Z).", True),
    ("a(X) :- q(X,Y), q(Y,Z), n(Z).", "a(X) :- q(X,Y), n(Y).", False),
    (
        "a(X+1) :- q(X,Y).\n:- a(X), not n(X).",
        "a(X+1) :- q(X,Y), n(X+1).\n:- q(X,Y), not n(X+1).\n:- a(X), not n(X).",
        True,
    ),
    ("a(X+1) :- q(X,Y).\n:- a(X), not n(X).", "a(X+1) :- q(X,Y), n(X+1).\n:- a(X), not n(X).", False),
]


def _answers(program: str) -> set[frozenset[str]]:
    with asp.Program(f"{program}\n#show q/2. #show a/1.\n") as loaded:
        return {frozenset(str(model).split()) for model in loaded.models()}


@pytest.mark.parametrize(("one", "other", "same"), CASES)
def test_the_solver_says_the_same_as_all_answers(one: str, other: str, same: bool) -> None:
    one, other = f"{CHOICE}{one}\n", f"{CHOICE}{other}\n"
    assert (_answers(one) == _answers(other)) is same
    asked = questions(Text(one), Text(other))
    assert asked
    verdicts = [{_verdict(text) for text in some} for some in asked]
    assert any(some == {"unsat"} for some in verdicts) is same


def _verdict(text: str) -> str:
    found = search_profile(text)
    assert found is not None
    return found.verdict


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # What a body holds with may be derived from the head: then the order counts.
        ("r(X,Y) :- q(X,Y).\nr(X,Z) :- r(X,Y), r(Y,Z).", "r(X,Y) :- q(X,Y).\nr(X,Z) :- r(X,Y), q(Y,Z)."),
        ("a(X) :- q(X,Y).\nb(X) :- a(X), n(X).", "a(X) :- q(X,Y), b(X).\nb(X) :- a(X), n(X)."),
        ("{ a(X) } :- q(X,Y).", "{ a(X) } :- q(X,_)."),
        ("a(X) :- q(X,Y).\nb(X) :- n(X).", "a(X) :- q(X,_).\nb(X) :- n(X), n(X)."),
    ],
)
def test_what_the_solver_is_not_asked(one: str, other: str) -> None:
    assert questions(Text(f"{CHOICE}{one}\n"), Text(f"{CHOICE}{other}\n")) == []


def test_names_of_a_question_are_new() -> None:
    before, after = "{ differs0; holds1 }.\n:- differs0, holds1.\n", "{ differs0; holds1 }.\n:- holds1, differs0.\n"
    ((first, second), _) = questions(Text(before), Text(after))
    assert "differs2(0)" in first
    assert {_verdict(first), _verdict(second)} == {"unsat"}


def _same(rules: str, other: str, choice: str = CHOICE, more: str = "") -> Same | None:
    """The same answers on no instance and on facts of n."""
    before, after = (AspProblem(f"{choice}{one}\n", more or "#show q/2. #show a/1.\n") for one in (rules, other))
    instances = [Instance(name="none"), Instance.of_text("n(4..5).", name="n")]
    return same_answers(before, after, instances, Deadline(None))


@pytest.mark.parametrize(("one", "other", "same"), CASES)
def test_same_answers(one: str, other: str, same: bool) -> None:
    """As by listing all answers, whatever decides it: a proof, the solver, or the answers."""
    found = _same(one, other)
    assert (found is not None) is same
    if found is not None:
        assert (found.on, found.undecided) == (("none", "n"), ())


RECURSIVE = "r(X,Y) :- q(X,Y).\nr(X,Z) :- r(X,Y), r(Y,Z).", "r(X,Y) :- q(X,Y).\nr(X,Z) :- r(X,Y), q(Y,Z)."


def test_what_is_not_proved_is_decided_on_instances() -> None:
    """By the solver, and of a recursion, which it is not asked about, by the answers."""
    found = _same(":- q(X,Y), q(Y,Z), X != Z.\n:- q(X,Y), q(Y,X).", ":- q(X,Y), q(Y,X).\n:- q(_,Y), q(Y,_).")
    assert found == Same(("none", "n"), proved=False)
    small = "{ q(1..2,1..2) }. n(1).\n"
    assert _same(*RECURSIVE, choice=small, more="#show.\n#show r/2.") == Same(("none", "n"))
    assert _same(RECURSIVE[0], RECURSIVE[1].replace("q(Y,Z)", "q(Z,Y)"), choice=small, more="#show r/2.") is None


def test_what_has_too_many_answers_is_not_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a recursion only the answers can be compared; larger instances are not decided, either."""
    monkeypatch.setattr(equality, "ANSWERS", 100)
    before, after = (AspProblem(f"{{ q(X,Y) : e(X,Y) }}.\n{rules}\n") for rules in RECURSIVE)
    edges = ["e(1,2). e(2,3).", "e(1..3,1..3).", "e(1..4,1..4)."]
    instances = [Instance.of_text(text, name=str(number)) for number, text in enumerate(edges, 1)]
    assert same_answers(before, after, instances, Deadline(None)) == Same(("1",), ("2", "3"))
    assert same_answers(before, after, instances[1:], Deadline(None)) is None
