"""`profile` of Prolog goals: exact counts, a clause that is to blame, changes that keep the answers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import called
from patience import given_time

import bridge
from bridge.errors import InputError, ProgramError, UnsupportedError
from bridge.problem.prolog import PrologProblem
from bridge.prolog import Session

FIB = "fib(0, 0).\nfib(1, 1).\nfib(N, F) :- N > 1, A is N-1, B is N-2, fib(A, FA), fib(B, FB), F is FA+FB.\n"
PAIRS = "p(X-Y) :- between(1, 60, X), between(1, 60, Y), X > 50, X*Y =:= 1652.\n"
LABEL = """:- use_module(library(clpfd)).
c(Vs) :- Vs = [A, B, C, D, E], A in 0..60, [B, C] ins 0..40, [D, E] ins 0..1, A + B #= 50 * (D + E), C #= A + D, B #> E * 35, label(Vs).
"""


def test_a_repeated_call_is_tabled() -> None:
    found = bridge.profile(bridge.goal(FIB, "fib(15, F)"))
    assert found.cause is not None
    assert found.cause.place.line == 3
    assert "called 1,973 times, with 16 different arguments" in found.cause.sentence
    (remedy,) = found.remedies
    assert (remedy.kind, remedy.diff) == ("table", "+:- table fib/2.")
    assert remedy.same_on == ("fib(15, F)",)
    assert found.calls is not None
    assert [(one.enters, one.exits) for one in found.calls.clauses] == [(1973, 986), (610, 610), (377, 377)]
    assert json.loads(json.dumps(found.to_json()))["calls"]["repeated"] == {"calls": 1973, "different": 16}


def test_a_test_comes_earlier() -> None:
    found = bridge.profile(bridge.goal(PAIRS, "p(P)"))
    assert found.cause is not None
    assert "`X > 50` fails 3,000 of 3,600 times" in found.cause.sentence
    assert found.calls is not None
    goals = {one.text: (one.calls, one.exits) for one in found.calls.clauses[0].goals}
    assert goals == {
        "between(1, 60, X)": (1, 60),
        "between(1, 60, Y)": (60, 3600),
        "X > 50": (3600, 600),
        "X*Y =:= 1652": (600, 1),
    }
    remedy = found.remedies[0]
    assert remedy.kind == "earlier"
    assert "between(1, 60, X), X > 50, between(1, 60, Y)" in remedy.text
    assert str(remedy.before) > str(remedy.after)


def test_the_search_of_clpfd_is_told_from_posting() -> None:
    found = bridge.profile(bridge.goal(LABEL, "c(Vs)"))
    assert found.cause is not None
    assert (found.cause.phase, found.cause.text) == ("search", "label(Vs)")
    assert found.calls is not None
    assert found.calls.inferences is not None
    assert found.calls.searched is not None
    assert found.calls.inferences / 2 < found.calls.searched <= found.calls.inferences
    assert found.calls.propagators


def test_growth_and_another_program(tmp_path: Path) -> None:
    (tmp_path / "fib.pl").write_text(FIB)
    (tmp_path / "fast.pl").write_text(f":- table fib/2.\n{FIB}")
    words = [
        "profile",
        "fib.pl",
        "-g",
        "fib(N, F)",
        "-c",
        "n=8..14",
        "--against",
        "fast.pl",
        "--no-changes",
        "--json",
        "-t",
        "300",
    ]
    data = json.loads(called(*words, folder=tmp_path).stdout)
    slow, fast = ([one for one in data["family"]["points"] if one["program"] == name] for name in ("fib.pl", "fast.pl"))
    assert [one["instance"] for one in slow] == [f"N={value}" for value in range(8, 15)]
    assert slow[-1]["inferences"] > 3 * fast[-1]["inferences"]
    assert data["remedies"] == []
    assert data["cause"]["place"] == {"file": "fib.pl", "line": 3, "column": 1}


def test_what_a_limit_ends_keeps_its_counts() -> None:
    goal = bridge.goal("p :- q(_), fail.\nq(X) :- repeat, X = 1.\n", "p")
    found = given_time(
        lambda seconds: bridge.profile(goal, limits=bridge.Limits(seconds=seconds)),
        lambda found: found.calls and found.calls.clauses and found.calls.clauses[0].goals[0].exits > 100,
        0.5,
    )
    assert found.limit == "seconds"
    assert found.calls is not None
    assert found.calls.inferences is None
    assert found.remedies == ()


def test_wrong_questions(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the goal has no variable M"):
        bridge.profile(bridge.goal(FIB, "fib(N, F)"), constants={"m": 4})
    with pytest.raises(InputError, match="with a goal"):
        bridge.profile(tmp_path / "fib.pl")
    with pytest.raises(UnsupportedError):
        bridge.profile(PrologProblem([FIB], "fib(3, F)", untrusted=True))
    (tmp_path / "fib.pl").write_text(FIB)
    done = called("profile", "fib.pl", folder=tmp_path)
    assert done.returncode == 2
    assert "-g 'queens(8, Qs)'" in done.stderr


MEASURED = """
count(0) :- !.
count(N) :- N1 is N-1, count(N1).
len([], 0).
len([_|T], N) :- len(T, M), N is M+1.
measured(Goal, N) :- statistics(inferences, A), ( call(Goal), fail ; true ), statistics(inferences, B), N is B-A.
"""


@pytest.mark.parametrize("goal", ["count(1000)", "len([a, b, c, d], N)", "(count(50), count(100))", "fail"])
def test_inferences_are_those_of_a_run_without_counters(goal: str) -> None:
    found = bridge.profile(bridge.goal(MEASURED, goal), changes=False)
    assert found.calls is not None
    assert found.calls.inferences is not None
    with Session(MEASURED) as session:
        measured = session.first(f"measured(({goal}), Measured)")
    assert measured is not None
    assert abs(found.calls.inferences - measured["Measured"]) <= 3


def test_answers_up_to_a_limit_are_counted() -> None:
    program = "p(1). p(2). p(3) :- repeat, fail.\n"
    for seconds in (5, 20, 80):  # on a busy machine, the goal begins late
        found = bridge.profile(bridge.goal(program, "p(X)"), changes=False, limits=bridge.Limits(seconds=seconds))
        if found.calls is not None and found.calls.clauses:
            break
    assert found.calls is not None
    assert (found.calls.answers, found.calls.complete, found.calls.inferences) == (2, False, None)
    assert "2 answers so far" in str(found)


def test_what_the_end_of_its_process_leaves_uncounted_is_no_number() -> None:
    found = bridge.profile(bridge.goal("p(1). p(2) :- halt.\n", "p(X)"), changes=False)
    assert found.calls is not None
    assert (found.calls.answers, found.calls.complete, found.calls.inferences) == (None, False, None)
    assert "answers not counted" in str(found)


def test_clauses_in_one_line_are_told_apart() -> None:
    found = bridge.profile(bridge.goal("p(1). p(X) :- q(X). q(2). q(3).\n", "p(X)"), changes=False)
    assert found.calls is not None
    assert [(one.text, one.place.column, one.exits) for one in found.calls.clauses] == [
        ("p(X) :- q(X)", 7, 2), ("p(1)", 1, 1), ("q(2)", 21, 1), ("q(3)", 27, 1),
    ]  # fmt: skip


def test_a_goal_that_only_the_counters_make_too_deep_is_no_error() -> None:
    program = "count(0) :- !.\ncount(N) :- N1 is N-1, count(N1).\n:- set_prolog_flag(stack_limit, 8_000_000).\n"
    found = bridge.profile(bridge.goal(program, "count(1_000_000)"))
    assert found.calls is not None
    assert (found.calls.limit, found.calls.complete) == ("memory", False)
    # With counters it would be twice as many; on a busy machine Prolog itself adds some two dozen.
    assert found.calls.inferences == pytest.approx(1_000_001, abs=500)
    with pytest.raises(ProgramError, match="Stack limit"):
        bridge.profile(bridge.goal(f"{program}deep(N) :- M is N+1, deep(M), N > 0.\n", "deep(0)"))


PERMUTED = """sorted(L, S) :- perm(L, S), up(S).
perm([], []).
perm(L, [X|Xs]) :- pick(X, L, R), perm(R, Xs).
pick(X, [X|Xs], Xs).
pick(X, [Y|Ys], [Y|Zs]) :- pick(X, Ys, Zs).
up([_]).
up([X, Y|Zs]) :- X =< Y, up([Y|Zs]).
"""


def test_what_is_made_and_then_tested() -> None:
    found = bridge.profile(bridge.goal(PERMUTED, "sorted([3, 1, 4, 2, 5, 6], S)"), changes=False)
    assert found.cause is not None
    assert str(found.cause.place) == "<text>:1:17"
    assert "`perm(L, S)` gives 720 answers, of which `up(S)` accepts 1" in found.cause.sentence


@pytest.mark.slow
def test_a_change_by_which_a_goal_ends() -> None:
    found = bridge.profile(bridge.goal(FIB, "fib(60, F)"))
    assert found.ending is not None
    assert (found.ending.kind, found.ending.diff, found.ending.answers) == ("table", "+:- table fib/2.", 1)
    found = bridge.profile(bridge.goal("n(0).\nn(X) :- Y is X - 1, n(Y).\n", "n(4)"))
    assert found.recursion is not None
    assert found.cause is not None
    assert found.cause.sentence == found.recursion.sentence
    assert found.ending is not None
    assert "+n(X) :- X > 0, Y is X - 1, n(Y)." in found.ending.diff
    assert "With this change it ends" in str(found)


@pytest.mark.slow
def test_labelling_comes_last() -> None:
    program = """:- use_module(library(clpfd)).
p(Vs) :- length(Vs, 12), Vs ins 0..9, labeling([], Vs), sum(Vs, #=, 108).
"""
    found = bridge.profile(bridge.goal(program, "p(Vs)"))
    assert found.ending is not None
    assert (found.ending.kind, found.ending.answers) == ("last", 1)
    assert "sum(Vs, #=, 108), labeling([], Vs)." in found.ending.diff
