"""A repair that makes an example true and nothing else is none."""

from __future__ import annotations

from pathlib import Path

import pytest

import bridge
from bridge.debugging.goal_search import GoalCase, GoalTrials
from bridge.debugging.search import Variant
from bridge.debugging.trials import Score
from bridge.debugging.vacuous import meaningful, open_forms
from bridge.limits import Deadline


def test_a_repair_that_leaves_an_argument_open_is_none() -> None:
    base = "total([], 0).\ntotal([H|T], S) :- total(T, R), S = H+R.\n"
    goal = "total([1,2], 3)"
    score = Score(True, True, 1.0, (0,), (0,))
    repairs = [Variant(base.replace("S = H", by), (), 1.0, score) for by in ("S \\== H", "S is H")]
    with GoalTrials([goal], cases=[GoalCase(goal, succeeds=True)]) as trials:
        assert all(trials.score(trials.run(one.text, Deadline(None))).right for one in repairs)
        assert meaningful(trials, base, repairs, [goal], Deadline(None)) == repairs[1:]


def test_a_repair_by_which_all_answers_are_gone_is_none(tmp_path: Path) -> None:
    (tmp_path / "a.pl").write_text("p(1).\np(2).\np(3).\nq(X) :- p(X).\n")
    found = bridge.debug(tmp_path / "a.pl", unwanted="q(2)")
    assert found.repair is not None
    with bridge.prolog.Session(found.repair.text) as session:
        answers = [answer["X"] for answer in session.query("q(X)").collect().solutions]
    assert answers
    assert 2 not in answers


@pytest.mark.parametrize(
    ("goal", "forms"),
    [("p(a)", ["p(Open)"]), ("p(f(a, b), [1, 2])", ["p(Open, [1, 2])", "p(f(a, b), Open)"]), ("a, p(b)", []), ("a", [])],
)
def test_the_open_forms_of_a_goal(goal: str, forms: list[str]) -> None:
    assert open_forms(goal) == forms
