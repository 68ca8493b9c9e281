"""What wrong answers lead to: the rules that derive them, the constraints that they clash with."""

from __future__ import annotations

import pytest
from patience import PATIENCE

import bridge
from bridge.asp.reading.text import Text
from bridge.debugging import cases
from bridge.debugging.cases import GivenInstance, _smaller
from bridge.debugging.search import _Forms
from bridge.debugging.spectrum import instrumented, suspicions
from bridge.debugging.trials import Case, Trials
from bridge.limits import Deadline, Limits

GRAPH = "node(1..3). edge(1,2). edge(2,3). start(1)."
REACH = """reach(X) :- start(X).
reach(Y) :- reach(X), edge({}).
far(X) :- node(X), not reach(X).
size(N) :- N = #count {{ X : node(X) }}.
"""
COLOURING = """{ colour(X,1..2) } = 1 :- node(X).
:- colour(X,C), colour(Y,C), edge(X,Y).
:- colour(X,C), start(X), C != 1.
"""


def suspected(program: str, show: tuple[tuple[str, int], ...], reference: str) -> dict[int, float]:
    """The suspicion of each statement, by its number, where the reference has the right answers."""
    with Trials([Case(GRAPH, show=show)]) as trials:
        right = trials.answers(reference, 0, 50, Limits(solutions=50)).answers
    with Trials([Case(GRAPH, show=show, exactly=right)]) as trials:
        text = Text(program)
        seen = trials.spectrum(instrumented(text, Text("")), 0, (), Deadline(None))
        return {number: weight for number, (weight, _) in suspicions(text.statements, seen).items()}


def test_atoms_lead_to_the_rules_that_derive_or_could_derive_them() -> None:
    found = suspected(REACH.format("Y,X"), (("reach", 1), ("far", 1), ("size", 1)), REACH.format("X,Y"))
    assert found[1] == 1.0, "atoms of reach/1 are missing, of which it derives none"
    assert found[0] < 1.0
    assert 3 not in found, "nothing is wrong with size/1"


@pytest.mark.parametrize(
    ("program", "first"),
    [
        (COLOURING.replace("C != 1", "C != 3"), 2),  # forbids each answer
        (COLOURING.replace("colour(Y,C)", "colour(Y,D)"), 1),
    ],
)
def test_an_answer_that_is_missing_leads_to_the_constraint_that_forbids_it(program: str, first: int) -> None:
    found = suspected(program, (("colour", 2),), COLOURING)
    assert max(found, key=lambda one: found[one]) == first


def test_what_has_no_right_answer_leads_to_all_constraints() -> None:
    found = suspected(COLOURING.replace("edge(X,Y)", "edge(Y,Y)"), (("colour", 2),), COLOURING)
    assert found[1] == found[2] >= found[0]


def test_forms_are_compared_by_name_and_number_of_arguments() -> None:
    program = "p(X) :- q(X), r(X,X). p(X,Y) :- q(X), q(Y). #show p/2."
    reference = "own(A) :- q(A), r(A,A). p(A,B) :- q(A), q(B). #show p/2."
    forms = _Forms(program, reference)
    assert forms.own == {("p", 1), ("own", 1)}
    assert all(map(forms.known, Text(program).statements))


def test_smaller_instances_have_half_of_the_facts_and_of_the_constants() -> None:
    facts = tuple(("job", (str(number),)) for number in range(1, 9))
    given = GivenInstance("job(1..8).", {"n": "12"}, facts, "")
    several = [(one.facts, one.constants["n"]) for one in _smaller(Case(given.facts, given.constants), given)]
    half = " ".join(f"job({number})." for number in range(1, 5))
    assert several[:3] == [(half, "12"), ("job(1..8).", "6"), (half, "6")]
    assert several[-1] == ("job(1).", "1")


def test_a_smaller_instance_is_tried_first_where_the_given_one_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cases, "_SLOW", -1.0)
    monkeypatch.setattr(cases, "_FASTER", 1e-9)  # any is fast enough
    reference = "{ at(L,S) : slot(S) } = 1 :- lesson(L). :- at(L,S), at(K,S), L < K. #show at/2."
    mine = reference.replace("L < K", "L < K, S > 1")
    given = "#const n = 6. slot(1..n). lesson(a;b;c;d)."
    found = bridge.debug(mine, against=reference, instances=[given], limits=bridge.Limits(seconds=PATIENCE))
    assert found.instance == "n = 3. slot(1). slot(2). slot(3). lesson(a). lesson(b)."
    assert found.repair is not None
    assert found.repair.text == reference
    assert found.repair.proved_by.startswith("gives the answers of the reference on the instance, and on ")
