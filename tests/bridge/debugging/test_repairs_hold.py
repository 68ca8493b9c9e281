"""What `debug` says of its repairs: computed on the text as it is run, and nothing more than that."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import clingo
import pytest

import bridge
from bridge.debugging.goal_search import GoalTrials
from bridge.debugging.trial_job import serve
from bridge.debugging.trials import Case, Trials
from bridge.limits import Deadline
from bridge.outcome import Progress

#: gringo keeps r(2) among its atoms, and no rule for it: q(2) is a fact.
VANISHED = "{ p(1..2) }.\n{ r(Y) } = 1 :- p(Y), not q(Y).\nq(2).\nq(1) :- not r(1).\n"


def answers(program: str) -> set[frozenset[str]]:
    """By clingo alone."""
    control = clingo.Control(["0"], logger=lambda code, text: None)
    control.add("base", [], program)
    control.ground()
    with control.solve(yield_=True) as handle:
        return {frozenset(map(str, model.symbols(atoms=True))) for model in handle}


def repairs(found: Any) -> list[Any]:
    return [one.repair for one in found.suspects if one.repair is not None]


def test_an_atom_of_which_no_rule_is_left_is_missing() -> None:
    assert not any("r(2)" in one for one in answers(VANISHED))
    case = Case("", show=(("r", 1),), wishes=(("some", ("r(2)",)),))
    with Trials([case]) as trials:
        assert [one.right for one in trials.scores([VANISHED])] == [False]
        assert trials.answers(VANISHED, 0, 10, bridge.Limits(seconds=20)).answers == ((), ("r(1)",))
    found = bridge.debug(VANISHED, missing="r(2)")
    assert not found.right
    assert repairs(found)
    for one in repairs(found):
        assert any("r(2)" in answer for answer in answers(one.text))


def test_an_answer_with_such_an_atom_is_no_answer() -> None:
    meant = Case("", show=(("p", 1), ("r", 1)), exactly=(("p(2)", "r(2)"),), recall=True)
    with Trials([meant]) as trials:
        assert [one.right for one in trials.scores([VANISHED])] == [False]


def test_what_else_changes_is_seen_in_facts_too() -> None:
    found = bridge.debug("q(2).\nu :- not #max { X : p(X) } < 0.\n", missing="r(2)", instances=["p(3)."])
    for one in repairs(found):
        others = {frozenset(answer - {"r(2)"}) for answer in answers(f"{one.text} p(3).")}
        if "leaves other predicates as they are" in one.proved_by:
            assert others == {frozenset({"q(2)", "u", "p(3)"})}
    found = bridge.debug("{ a }.\nr(3,2).\n:- b.\n", unwanted="r(3,2)")
    for one in repairs(found):
        assert "away only" not in one.proved_by, one.diff


def test_of_very_many_answers_it_is_said_that_some_were_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bridge.debugging.trials._SECONDS", 300.0)
    right = "{ a(1..14) }.\n:- a(1), a(2).\n"
    found = bridge.debug(bridge.program("{ a(1..14) }.\n:- a(1), a(3).\n", show="a/1"), against=right, limits=bridge.Limits(seconds=300))
    assert found.repair is not None
    assert found.repair.proved_by.startswith("gives the answers of the reference on the instance, as far as was looked")
    assert "it gives the answers of the reference on the instance, as far as was looked" in str(
        bridge.debug(bridge.program(right, show="a/1"), against=right, limits=bridge.Limits(seconds=300))
    )
    # Of some more than a person would read, all are compared.
    fewer = right.replace("14", "11")
    found = bridge.debug(bridge.program(fewer, show="a/1"), against=fewer, limits=bridge.Limits(seconds=300))
    assert str(found).endswith("it gives the answers of the reference on the instance; answers are compared by a/1")


def test_only_best_answers_count_among_very_many() -> None:
    """Of the answers that are looked up one by one, too."""
    best = "{ a(1..10) }. { b(1..10) } = 1.\n#minimize { 1,X : b(X), X < 3 }.\n"
    case = Case("", show=(("a", 1), ("b", 1)), optimal=True)
    with Trials([case]) as trials:
        some = trials.answers(best, 0, 50, bridge.Limits(seconds=20)).answers
    sampled = Case("", show=case.show, optimal=True, exactly=some, complete=False, reference=best)
    worse = best.replace("X < 3", "X > 2")
    with Trials([sampled]) as trials:
        assert [one.right for one in trials.scores([best, worse])] == [True, False]
        assert [trials.held(one, Deadline(60)) for one in (best, worse)] == ["partly", "no"]


@pytest.mark.parametrize(
    ("held", "words"),
    [
        ("no", None),
        ("unknown", "not checked within the limit"),
        ("partly", "as far as was looked"),
        ("yes", "asked for"),
    ],
)
def test_the_last_word_is_that_of_the_check(monkeypatch: pytest.MonkeyPatch, held: str, words: str | None) -> None:
    monkeypatch.setattr(Trials, "held", lambda self, text, deadline: held)
    found = bridge.debug("{ a }.\n:- b.\n", unwanted="a")
    assert (found.repair is None) == (words is None)
    assert words is None or words in found.repair.proved_by


@pytest.mark.parametrize(
    ("held", "words"),
    [
        ("no", None),
        ("unknown", "not checked within the limit"),
        ("partly", "as far as was looked"),
        ("yes", "asked for"),
    ],
)
def test_the_last_word_is_that_of_the_check_of_goals(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, held: str, words: str | None
) -> None:
    monkeypatch.setattr(GoalTrials, "held", lambda self, text, deadline: held)
    (tmp_path / "mine.pl").write_text("p(1).\np(2).\n")
    found = bridge.debug(tmp_path / "mine.pl", unwanted="p(2)")
    assert (found.repair is None) == (words is None)
    assert words is None or words in found.repair.proved_by


def test_of_very_many_answers_of_a_goal_it_is_said_that_some_were_looked_at(tmp_path: Path) -> None:
    (tmp_path / "right.pl").write_text("n(0).\nn(X) :- n(Y), X is Y + 1.\n")
    (tmp_path / "mine.pl").write_text("n(0).\nn(X) :- n(Y), X is Y + 2.\n")
    found = bridge.debug(bridge.goal(tmp_path / "mine.pl", "n(X)"), against=tmp_path / "right.pl")
    assert found.repair is not None
    assert found.repair.proved_by.startswith("gives the answers of the reference to 1 goal, as far as was looked")


def test_answers_of_a_goal_come_as_often(tmp_path: Path) -> None:
    (tmp_path / "right.pl").write_text("f(b, 2).\nf(b, 3).\nf(b, 2).\n")
    (tmp_path / "mine.pl").write_text("f(b, 3).\nf(b, 3).\nf(b, 2).\n")
    found = bridge.debug(bridge.goal(tmp_path / "mine.pl", "f(X, Y)"), against=tmp_path / "right.pl")
    assert not found.right
    assert found.repair is not None
    assert sorted(found.repair.text.split("\n")) == ["", "f(b, 2).", "f(b, 2).", "f(b, 3)."]


WISHES = [
    (("some", ("a", "not b")),),
    (("none", ("a", "b")),),
    (("every", ("not c",)),),
    (("has", ("a",)),),
    (("lacks", ("a", "b")),),
    (("some", ("r(2)",)),),
    (("has", ("r(2)",)),),
]
PROGRAMS = [
    "{ a; b }.",
    "{ a; b } = 1.",
    "a :- not b. b :- not a. :- b.",
    "{ a }. :- not a, not b.",
    VANISHED,
    "a. -a.",
]


@pytest.mark.parametrize("optimal", [False, True])
@pytest.mark.parametrize("wishes", WISHES)
def test_trials_and_the_check_agree(wishes: Any, optimal: bool) -> None:
    case = Case("", show=(("a", 0), ("b", 0), ("r", 1)), wishes=wishes, optimal=optimal)
    texts = [f"{one}\n#minimize {{ 1 : a }}." for one in PROGRAMS]
    with Trials([case]) as trials:
        right = [one.right for one in trials.scores(texts)]
        assert [trials.held(one, Deadline(60)) == "yes" for one in texts] == right
        assert len(right) == len(texts)


@pytest.mark.parametrize(
    "case",
    [
        Case("", show=(("a", 0), ("b", 0)), number=2),
        Case("", show=(("a", 0), ("b", 0)), verdict="unique"),
        Case("", show=(("a", 0), ("b", 0)), verdict="unsat"),
        Case("", show=(("a", 0), ("b", 0)), optimal=True, cost=(0,)),
        Case("", show=(("a", 0), ("b", 0)), exactly=(("a",), ("b",))),
        Case("", show=(("a", 0), ("b", 0)), exactly=(("a",), ("b",), ()), precision=True),
        Case("", show=(("a", 0), ("b", 0)), exactly=(("a",),), recall=True),
    ],
)
def test_trials_and_the_check_agree_on_answers(case: Case) -> None:
    texts = [f"{one}\n#minimize {{ 1 : a }}." for one in PROGRAMS]
    with Trials([case]) as trials:
        right = [one.right for one in trials.scores(texts)]
        assert [trials.held(one, Deadline(60)) == "yes" for one in texts] == right
        assert True in right
        assert False in right


@pytest.mark.parametrize(
    "asked", [{"unwanted": "a"}, {"missing": "c"}, {"against": bridge.program("{ b }.", show="a/0,b/0"), "instances": bridge.Generator("{ d(1) }.")}]
)
def test_no_part_of_debug_runs_an_untrusted_program_without_walls(
    monkeypatch: pytest.MonkeyPatch, asked: dict[str, Any]
) -> None:
    made: list[bool] = []
    original = Trials.__init__

    def noted(self: Trials, *arguments: Any, **options: Any) -> None:
        made.append(options.get("untrusted", False))
        original(self, *arguments, **options)

    monkeypatch.setattr(Trials, "__init__", noted)
    bridge.debug(bridge.program("{ a; b }.\n:- c, not a.\n", untrusted=True, allow_missing_walls=True), **asked)
    assert made
    assert all(made)


def test_while_an_answer_is_handed_over_no_time_runs() -> None:
    """Another call may be answered then: a check of a repair, which has a limit of its own."""
    ran = "a. b."
    for call in (("scores", 60, False, [ran, ran]), ("cover", 60, ran, ["b"], 10)):
        list(serve(("open", "", [Case("", show=(("a", 0),)).packed()] * 2), bridge.Limits(), Progress()))
        found = serve(call, bridge.Limits(), Progress())
        next(found)
        assert signal.getitimer(signal.ITIMER_PROF)[0] == 0
        next(found)
