"""What the search learned, as constraints: their form, and what the program implies."""

from __future__ import annotations

import random

import clingo
import pytest
from patience import PATIENCE

import bridge
from bridge.asp.text import Text
from bridge.errors import Place
from bridge.limits import Limits
from bridge.profiling.grounding_profile import ConstraintProfile, SearchProfile, implied
from bridge.profiling.lemmas import Learned, learned, with_answers

#: Robots that walk on a line, and never say that each is at one place at a time.
WALK = """\
#const n = 4.
at(R,R,0) :- R = 1..2.
{ go(R,D,T) : D = (-1;1) } 1 :- R = 1..2, T = 1..n.
gone(R,T) :- go(R,_,T).
at(R,X+D,T) :- at(R,X,T-1), go(R,D,T).
at(R,X,T) :- at(R,X,T-1), T = 1..n, not gone(R,T).
:- at(1,X,T), at(2,X,T).
"""
#: One cell for both.
GOALS = ":- not at(1,3,n).\n:- not at(2,3,n).\n"

LIMITS = Limits(seconds=PATIENCE)


def forms_of(text: str, *lemmas: tuple[tuple[str, ...], tuple[int, ...]], often: int = 5) -> list[Learned]:
    constraints = [ConstraintProfile(Place("a.lp", number + 1), "", 1, number) for number in range(9)]
    found = SearchProfile("unsat", 0.0, 0.0, {}, constraints=tuple(constraints), short=lemmas * often)
    return learned(found, [Text(text)])


def test_forms_have_one_variable_for_one_value_of_a_sort() -> None:
    rules = "at(L,S) :- lesson(L), slot(S), room(L,R). late(S) :- at(_,S)."
    first, second = forms_of(rules, (("at(4,4)", "at(5,4)"), (2, 1)), (("at(1,3)", "at(2,3)", "late(3)"), ()))
    assert (first.atoms, first.constraint) == (("at(L,S)", "at(L2,S)"), ":- at(L,S), at(L2,S), L < L2.")
    assert (first.example, first.lemmas, [one.line for one in first.constraints]) == (("at(4,4)", "at(5,4)"), 5, [2, 3])
    assert (first.shared, second.shared) == (("S",), ("S",))
    assert second.constraint == ":- at(L,S), at(L2,S), late(S), L < L2."
    rules += " near(S,T) :- slot(S), slot(T). near(S,T) :- at(_,S), at(_,T)."
    (form,) = forms_of(rules, (("at(1,3)", "near(3,4)"), ()))
    assert form.constraint == ":- at(L,S), near(S,T)."
    (form,) = forms_of("at(L,S) :- lesson(L), slot(S). away(L,S) :- at(L,S), out(L).", (("at(1,3)", "away(2,3)"), ()))
    assert form.constraint == ":- at(L,S), away(L2,S), L != L2."


def test_the_order_of_atoms_and_their_names_are_not_part_of_a_form() -> None:
    rules = "p(X,Y) :- q(X), r(Y)."
    lemmas = [(("p(1,2)", "p(3,2)"), (0,)), (("p(3,1)", "p(2,1)"), (1,))]
    (form,) = forms_of(rules, *lemmas, often=3)
    assert (form.lemmas, form.numbers) == (6, (0, 1))


def test_what_has_nothing_in_common_or_is_rare_is_left_out() -> None:
    rules = "p(X,Y) :- q(X), r(Y)."
    assert forms_of(rules, (("p(1,2)", "p(3,4)"), (0,))) == []
    assert forms_of(rules, (("p(1,2)", "p(3,2)"), (0,)), often=4) == []
    assert forms_of(rules, (('p("a, b",2)', "p(3,2)"), (0,)))[0].example == ('p("a, b",2)', "p(3,2)")
    assert forms_of(rules, (('p("a', 'b",2)'), (0,))) == []


def test_the_form_of_a_walk_is_implied() -> None:
    """That the clash of the others has no answer proves nothing, and what is false of some answer is not implied."""
    questions = [
        ("at(R,X,T), at(R,X2,T), X < X2", ["R", "T"], [0]),
        ("at(R,X,T), at(R,X2,T), X < X2", [], []),
        ("at(R,X,T), at(R2,X,T), R < R2", ["X", "T"], [0]),
        ("at(R,X,T), at(R2,X,T), R < R2", ["X", "T"], []),  # without the constraint they may meet
        ("at(R,X,T), go(R,D,T)", ["R", "T"], [0]),
        ("at(R,X,T), at(R,X2,T), X < X2", ["R", "T"], [0, 1, 2]),  # these have no answer set
        ("at(R,X,T), T > 99", ["T"], []),  # there is no such atom
    ]
    answers = implied(WALK + GOALS, questions=questions, limits=LIMITS)
    assert answers == [True, True, True, False, False, False, False]
    forms = forms_of(WALK, (("at(1,1,2)", "at(1,3,2)"), (0,)), (("at(1,1,2)", "go(1,1,2)"), ()))
    shown = with_answers(forms, [False, True])
    assert [one.implied for one in shown] == [True, False]
    assert with_answers(forms, [])[0].implied is False


def excluded(text: str, constraints: list[str], body: str) -> bool:
    """Whether a body has instances, and the program answer sets, but none with such an instance; by plain clingo."""

    def loaded(*more: str) -> clingo.Control:
        control = clingo.Control()
        control.add("base", [], "\n".join([text, f"seen(X,Y) :- {body}.", *more]))
        control.ground([("base", [])])
        return control

    bare = loaded()  # its atoms live as long as it does
    if not any(True for _ in bare.symbolic_atoms.by_signature("seen", 2)):
        return False
    there = loaded(*constraints).solve().satisfiable
    return bool(there and not loaded(*constraints, "some :- seen(_,_).", ":- not some.").solve().satisfiable)


@pytest.mark.parametrize("seed", range(4))
def test_what_is_implied_is_so_by_plain_clingo(seed: int) -> None:
    chance = random.Random(seed)
    text = "{ p(1..3,1..3) }. q(X) :- p(X,_). r(Y) :- p(_,Y), not q(Y)."
    literals = ["p(X,Y)", "p(Y,X)", "q(X)", "r(X)", "r(Y)", "not q(Y)", "not r(X)", "p(X,X)", "X < Y"]
    constraints = [f":- p(X,Y), {', '.join(chance.sample(literals, 2))}." for _ in range(4)]
    questions = []
    for _ in range(12):
        body = f"p(X,Y), {', '.join(chance.sample(literals, 2))}"
        questions.append((body, chance.choice([[], ["X"], ["X", "Y"]]), chance.sample(range(4), chance.randrange(5))))
    answers = implied("\n".join([text, *constraints]), questions=questions, limits=LIMITS)
    expected = [excluded(text, [constraints[one] for one in kept], body) for body, _, kept in questions]
    assert answers == expected, questions
    assert len(set(expected)) == 2, "the test has cases of both kinds"


def test_a_profile_lists_what_was_learned() -> None:
    found = bridge.profile(bridge.program(WALK.replace("n = 4", "n = 9") + GOALS), changes=False, limits=LIMITS)
    listed = found.to_json()["search"]["learned"]
    assert [one["constraint"] for one in listed] == [one.constraint for one in found.learned]
    for one in listed:
        assert len(one["atoms"]) == len(one["example"]) > 1
        if one["implied"]:
            assert one["constraint"] in str(found)


def test_a_constraint_on_a_count_is_in_the_lemmas_it_was_used_for() -> None:
    """Each of its ground instances settles one literal before the search begins."""
    program = """\
{ on(N,D,S) : S = 1..3 } 1 :- N = 1..5, D = 1..7.
:- D = 1..7, S = 1..3, #count { N : on(N,D,S) } < 1 + (3-S)/2.
:- N = 1..5, #count { D : on(N,D,_) } > 5.
:- on(1,D,_), D > 5.
:- N = 1..5, on(N,1,1), #count { D : on(N,D,2) } > 6.
"""
    found = bridge.profile(bridge.program(program), changes=False, limits=LIMITS).attributed
    assert found is not None
    by_line = {one.place.line: one.lemmas for one in found.constraints}
    assert min(by_line[2], by_line[3], by_line[4]) > found.lemmas / 3
    assert by_line[5] < found.lemmas / 3
