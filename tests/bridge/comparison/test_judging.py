"""`judge`: a verdict for each candidate, whatever it does."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from patience import PATIENCE, given_time

import bridge
from bridge.errors import InputError, ProgramError
from bridge.limits import Limits

LIMITS = Limits(seconds=PATIENCE, memory=300 << 20)
FAMILY = "parent(ann, bob).\nparent(ann, carl).\n:- dynamic seen/1.\n"
CHILDREN = {"child(X, ann)": ["bob", "carl"]}


def judged(*arguments: Any, **more: Any) -> list[bridge.Judgement]:
    return list(bridge.judge(*arguments, **{"limits": LIMITS, **more}).collect().solutions)


#: A candidate, its verdict, how many of two answers are right, and the kind of its error.
CANDIDATES = [
    ("child(X, Y) :- parent(Y, X).", "answered", 2, None),
    ("child(X, Y) :- parent(Y, X), X == carl.", "wrong", 0, None),
    ("child(X, Y) :- parent(Y, X), X == bob.", "wrong", 1, None),
    ("child(X, Y) :- parent(Y, X).\nchild(dora, ann).", "wrong", 2, None),
    ("child(X, Y) :- parent(X, Y).", "no answer", 0, None),
    ("child(X, _) :- dif(X, dora).", "unbound", 0, None),
    ("child(bob, _).\nchild(f(_), _).", "unbound", 1, None),
    ("child(X, Y) :- mother(Y, X).", "error", 0, "unknown predicate"),
    ("son(X, Y) :- parent(Y, X).", "error", 0, "unknown predicate"),
    ("child(X Y) :- parent(Y, X).", "error", 0, "syntax"),
    ("child(X, Y) :- X is Y + 1.", "error", 0, "type"),
    ("child(X, _) :- X is _ + 1.", "error", 0, "instantiation"),
    ("child(X, _) :- X is 1 / 0.", "error", 0, "evaluation"),
    ("child(X, Y) :- parent(Y, X), X == bob.\nchild(_, _) :- throw(oops).", "error", 1, "oops"),
    ("child(X, _) :- length(X, 100000000).", "limit", 0, "memory"),
    ("child(X, Y) :- parent(Y, X), writeln(X), nl.", "answered", 2, None),
    ("parent(ann, dora).\nchild(X, Y) :- parent(Y, X).", "error", 0, "redefined"),
    (":- multifile parent/2.\nparent(ann, dora).\nchild(X, Y) :- parent(Y, X).", "error", 0, "redefined"),
    ("seen(2).\nchild(X, Y) :- parent(Y, X).", "answered", 2, None),
    (":- assertz(seen(1)).\nchild(X, Y) :- parent(Y, X).", "answered", 2, None),
    ("child(X, Y) :- seen(1) -> X = Y ; parent(Y, X).", "answered", 2, None),
]


@pytest.mark.parametrize("untrusted", [False, True])
def test_the_verdicts(untrusted: bool) -> None:
    """All against one background: none sees what another one did."""
    found = judged(FAMILY, [text + "\n" for text, *_ in CANDIDATES], CHILDREN, untrusted=untrusted)
    for (text, *expected), one in zip(CANDIDATES, found, strict=True):
        assert [one.verdict, one.right, one.goals[0].reason] == expected, text
        assert one.expected == 2


@pytest.mark.parametrize("untrusted", [False, True])
def test_what_does_not_end_is_ended_alone(untrusted: bool) -> None:
    endless = ["child(X, Y) :- child(Y, X).\n", ":- repeat, fail.\n", "child(bob, _).\nchild(_, _) :- repeat, write(x), fail.\n", "child(X, Y) :- catch(child(X, Y), _, child(X, Y)).\n"]
    texts = [CANDIDATES[0][0] + "\n", *endless, CANDIDATES[0][0] + "\n"]

    def judged_in(seconds: float) -> list[bridge.Judgement]:
        return judged(FAMILY, texts, CHILDREN, untrusted=untrusted, limits=Limits(seconds=seconds, memory=1 << 30))

    found = given_time(judged_in, lambda found: {found[0].verdict, found[-1].verdict} == {"answered"}, 0.5)
    assert {one.verdict for one in found[1:-1]} <= {"does not end", "limit"}
    assert found[3].right in (0, 1)


def test_what_an_untrusted_candidate_may_not_do_is_refused() -> None:
    texts = [
        "child(X, _) :- shell('true'), X = bob.", ":- use_module(library(process)).", ":- use_module(library(chr)).", ":- initialization(shell(true)).",
        "child(_, _) :- open('/etc/passwd', read, _).", "child(X, Y) :- setarg(1, f(X), Y).", ":- shell('true').", "user:portray(_).",
    ]  # fmt: skip
    found = judged(FAMILY, [text + "\n" for text in texts], CHILDREN, untrusted=True)
    assert [one.verdict for one in found] == ["refused"] * len(texts)
    assert str(found[1].goals[0].error).startswith("<text>:1: library(process) is refused")


def test_sums_have_numbers() -> None:
    texts = [f":- use_module(library(clpq)).\nsolve(X) :- {{{body}}}.\n" for body in ("X = 3*4+5", "3*X = 51", "X = 51/3", "2*X = 35", "X > 3")]
    for untrusted in (False, True):
        found = judged([], texts, {"solve(X)": 17}, untrusted=untrusted)
        assert [one.verdict for one in found] == ["answered"] * 3 + ["wrong", "unbound"]
        assert found[3].value == Fraction(35, 2)
        assert found[3].to_json()["value"] == 17.5
        assert found[4].goals[0].texts == ("{X>3}.",)


@pytest.mark.parametrize("untrusted", [False, True])
def test_verdicts_are_in_order_whatever_libraries_are_loaded(untrusted: bool) -> None:
    kinds = ("solve({0}).", ":- use_module(library(clpfd)).\nsolve(X) :- X #= {0}.", ":- use_module(library(clpq)).\nsolve(X) :- {{X = {0}}}.")
    texts = [kinds[number % 3].format(number) + "\n" for number in range(9)]
    assert [one.value for one in judged([], texts, ["solve(X)"], untrusted=untrusted)] == [*range(9)]


def test_what_is_equal() -> None:
    text = "p(1.0000000001, a, \"a\", [1, 1r2], f(x)).\n"
    row = {"A": 1, "B": "a", "C": "a", "D": [1, 0.5], "E": bridge.prolog.Term("f", (bridge.prolog.Atom("x"),))}
    (one,) = judged("", [text], {"p(A, B, C, D, E)": row, "p(_, _, _, _, _)": True, "p(2, _, _, _, _)": False})
    assert one.verdict == "answered"
    assert (one.right, one.expected) == (1, 1)
    (one,) = judged("", [text], {"p(A, B, C, D, E)": {**row, "A": 1.001}})
    assert one.verdict == "wrong"


def test_candidates_are_files_and_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """More than are given to the processes at once."""
    monkeypatch.setattr("bridge.comparison.judging._CHUNK", 8)
    for number in range(10):
        (tmp_path / f"{number}.pl").write_text(f"n({number}).\n" if number % 2 else f"\nn({number}\n")
    background = tmp_path / "background.pl"
    background.write_text("n_is(X) :- n(X).\n")
    paths = [tmp_path / f"{number}.pl" for number in range(10)]
    for untrusted in (False, True):
        found = judged(background, iter(paths), ["n_is(X)"], untrusted=untrusted)
        assert [one.value for one in found[1::2]] == [*range(1, 10, 2)]
        assert {one.verdict for one in found[::2]} == {"error"}
        assert str(found[2].goals[0].error).startswith(f"{paths[2]}:")


def test_a_candidate_that_ends_the_process_of_the_background() -> None:
    """It may, where it is trusted; and the others are judged."""
    kill = ":- shell('kill -9 $(cut -d\" \" -f4 /proc/$PPID/stat)').\n"
    right = CANDIDATES[0][0] + "\n"
    found = judged(FAMILY, [right, kill, right, ":- halt(3).\n", right], CHILDREN)
    assert [one.verdict for one in found] == ["answered", "limit", "answered", "error", "answered"]
    assert found[3].goals[0].reason == "halt"


#: Programs as scripts, what they print, and the verdicts: run, and asked main.
SCRIPTS = [
    (":- initialization(main).\nmain :- X is 3 * 4 + 5, format('~w~n', [X]), halt.", "17\n", "answered", "answered"),
    (":- initialization(main, main).\nmain :- X is 3 * 4 + 5, print(X), nl.", "17\n", "answered", "answered"),
    (":- use_module(library(main)).\n:- initialization(main, main).\nmain(_) :- writeln(17).", "17\n", "answered", "answered"),
    ("main :- format(user_error, 'x', []), writeln(17), halt.\n:- main.\n:- writeln(18).", "17\n", "answered", "answered"),
    ("main :- write(18), nl, halt.\n:- main.", "18\n", "wrong", "answered"),
    (":- writeln(17).\nmain :- writeln('ü'), fail.", "17\n", "answered", "no answer"),
    ("main :- setup_call_cleanup(true, halt(0), writeln(18)).", "", "wrong", "answered"),
    (":- initialization(main).\nmain :- writeln(17), halt(1).", "17\n", "error", "error"),
    (":- writeln(17).\n:- foo.\nmain.", "17\n", "answered", "answered"),
    (":- X is foo + 1, writeln(X).\nmain.", "", "error", "answered"),
    (":- repeat, writeln(17), fail.\nmain.", None, "limit", "limit"),
]


@pytest.mark.parametrize("untrusted", [False, True])
def test_what_a_program_prints(untrusted: bool) -> None:
    run = judged("", [text + "\n" for text, *_ in SCRIPTS], output="17", untrusted=untrusted)
    asked = judged("", [text + "\n" for text, *_ in SCRIPTS], ["main"], untrusted=untrusted)
    for (text, printed, *verdicts), one, other in zip(SCRIPTS, run, asked, strict=True):
        assert [one.verdict, other.verdict] == verdicts, (text, str(one), str(other))
        assert printed in (one.output, None), text
        assert (one.right, one.expected) == (one.verdict == "answered", 1)
    assert "ü" in asked[5].output
    assert (run[4].goals[-1].missing, run[4].goals[-1].surplus) == (("17",), ("18",))
    assert [run[number].goals[0].reason for number in (7, 9, 10)] == ["halt", "type", "output"]


def test_the_first_answer_is_enough_where_one_is_expected() -> None:
    texts = ["p(3).\np(4).\n", "p(3).\np(X) :- p(X).\n", "p(4).\np(3).\n", "p(_).\np(3).\n"]
    assert [one.verdict for one in judged("", texts, {"p(X)": 3})] == ["answered", "answered", "wrong", "unbound"]
    assert [one.verdict for one in judged("", texts[:1], {"p(X)": [3]})] == ["wrong"]


@pytest.mark.parametrize("untrusted", [False, True])
def test_a_program_that_cannot_be_loaded_in_full(untrusted: bool) -> None:
    """It is asked as swipl would be, and its error is said."""
    right = "solve(3).\n"
    texts = [f"sol ve(1).\n{right}", f"{right}append(a, b, c) :- foo bar.\n", f":- foo.\n{right}", "sol ve(3).\n", "sol ve(3).\nsolve(2).\n", f"atom_length(a, 7).\n{right}"]
    found = judged("", texts, {"solve(X)": 3}, untrusted=untrusted)
    assert [one.verdict for one in found] == ["answered", "answered", "answered", "error", "wrong", "answered"]
    assert all(one.goals[0].error is not None for one in found)
    assert [found[number].goals[0].reason for number in (0, 3, 4)] == [None, "syntax", None]
    (one,) = judged("", [f"user:portray(_).\n{right}"], {"solve(X)": 3}, untrusted=True)
    assert one.verdict == "refused"


@pytest.mark.parametrize("untrusted", [False, True])
def test_goals_of_a_program_that_has_halted(untrusted: bool) -> None:
    """They are asked of what it has defined by then, and each of the program as it was before."""
    text = "solve(1).\nsolve(2) :- halt.\n:- initialization((write(loaded), halt)).\nfail_ :- write(more), halt, write(never).\n"
    (one,) = judged("", [text], {"solve(X)": [1], "fail_": True, "solve(1)": True}, untrusted=untrusted)
    assert [(goal.verdict, goal.reason, goal.right) for goal in one.goals] == [("answered", None, 1), ("answered", "halt", 0), ("answered", None, 0)]
    assert one.output == "loadedmore"
    (one,) = judged("", [":- halt.\nsolve(1).\n"], ["solve(X)"], untrusted=untrusted)
    assert (one.verdict, one.goals[0].reason) == ("error", "unknown predicate")


def test_the_stream_can_be_left() -> None:
    endless = "child(X, Y) :- child(Y, X).\n"
    with bridge.judge(FAMILY, [CANDIDATES[0][0] + "\n", endless, endless], CHILDREN, limits=Limits(seconds=3600)) as stream:
        assert next(stream).verdict == "answered"


def test_its_json() -> None:
    (one,) = judged(FAMILY, ["child(X, Y) :- parent(Y, X)."], CHILDREN)
    goal = {
        "goal": "child(X, ann)", "verdict": "answered", "values": [{"X": "bob"}, {"X": "carl"}], "texts": ["X = bob.", "X = carl."],
        "right": 2, "expected": 2, "missing": [], "surplus": [], "reason": None, "error": None,
    }  # fmt: skip
    assert one.to_json() == {"verdict": "answered", "output": "", "value": "bob", "right": 2, "expected": 2, "goals": [goal]}
    assert json.loads(json.dumps(one.to_json())) == one.to_json()


def test_what_is_wrong_with_the_call() -> None:
    texts = ["child(X, Y) :- parent(Y, X)."]
    with pytest.raises(InputError, match="no goal"):
        bridge.judge(FAMILY, texts)
    for goals in ({"child(X, Y)": "bob"}, {"child(X, _Y)": {"Z": "bob"}}):
        with pytest.raises(InputError, match=r"variable"):
            judged(FAMILY, texts, goals)
    with pytest.raises(ProgramError, match=r"<text>:1"):
        judged("parent(ann bob).\n", texts, CHILDREN)
    with pytest.raises(InputError, match="cannot be read"):
        judged(FAMILY, [Path("no_such.pl")], CHILDREN)
    with pytest.raises(InputError, match="name of a file"):
        judged(FAMILY, ["/etc/passwd"], CHILDREN, untrusted=True)
    with pytest.raises(InputError, match="prints its answer sets"):
        judged("a :- not b.\n{ c }.\n", ["d."], output="a")
    with pytest.raises(InputError, match="clingo has no goals"):
        judged("a :- not b.\n{ c }.\n", ["d."], {"a": True})


@pytest.mark.parametrize("untrusted", [False, True])
def test_programs_of_clingo(untrusted: bool) -> None:
    background = "node(1..2). col(1..2). edge(1, 2).\n#show c/2.\n"
    choose = "{ c(N, C) : col(C) } = 1 :- node(N).\n"
    wanted = [["c(1,1)", "c(2,2)"], ["c(1,2)", "c(2,1)"]]
    found = judged(
        background,
        [
            choose + ":- edge(A, B), c(A, C), c(B, C).", choose + ":- edge(A, B), c(A, C), c(B, C).\n:- c(1, 1).", choose + ":- edge(A, B), not c(A, 1).",
            choose + ":- col(1).", "c(1, 1", "c(X, 1) :- node(Y).", "#script (python)\nprint(1)\n#end." if untrusted else "c(1, 1",
        ],
        wanted, untrusted=untrusted,
    )  # fmt: skip
    assert [one.verdict for one in found] == ["answered", "wrong", "wrong", "no answer", "error", "error", "refused" if untrusted else "error"]
    assert [(one.right, one.expected) for one in found][:4] == [(2, 2), (1, 2), (1, 2), (0, 2)]
    assert (found[2].goals[0].missing, found[2].goals[0].surplus) == (("c(2,1)",), ("c(2,2)",)) or found[2].goals[0].surplus
    assert found[4].goals[0].reason == "syntax"
    (one,) = judged(background, [choose], None, untrusted=untrusted)
    assert one.verdict == "answered"


def test_what_clingo_does_not_end() -> None:
    endless = "p(X + 1) :- p(X).\np(0).\n"
    pigeons = "{ in(P, 1..n-1) } = 1 :- P = 1..n. :- in(P, H), in(P', H), P < P'.\n#const n = 20.\n"

    def verdicts(seconds: float) -> list[str]:
        found = judged("", [endless, pigeons], [[]], limits=Limits(seconds=seconds, memory=1 << 30))
        return [one.verdict for one in found]

    given_time(verdicts, lambda found: found == ["does not ground", "does not end"], 0.5)


#: Each is wrong of itself, or what it says of itself is true; none sees or does more.
STRANGE = [
    "goal_expansion(solve(_), _) :- halt.", "goal_expansion(solve(_), _) :- abort.", "solve(X) :- format(string(X), \"~`at~4190000|\", []), format(\"~`bt~1000000|\", []).",
    "attribute_goals(_) --> { repeat, fail }.\nsolve(X) :- put_attr(X, lpbridge_untrusted, 1).", ":- op(0, xfx, :-).\nsolve(1).", "solve(X) :- X = f(X).", "solve(X) :- X is nan.",
    "solve(_) :- abort.", "solve(_) :- throw('$aborted').", "solve(_) :- throw(error(X, X)).", "solve(X) :- lpbridge_worker:retractall(was(_, _)), X = 1.",
    "solve(X) :- atom_codes(X, [0, 55296]).", ":- module(user, [solve/1]).\nsolve(1).", "solve(X) :- lpbridge_worker:changed(lpbridge_untrusted, X).", ":- initialization(throw(oops)).\nsolve(1).",
]  # fmt: skip


def test_strange_candidates_change_no_other_one() -> None:
    right = "solve(X) :- secret(X).\n"
    texts = [text for strange in STRANGE for text in (strange + "\n", right)]

    def judged_in(seconds: float) -> list[bridge.Judgement]:
        return judged("secret(42).\n", texts, {"solve(X)": 42}, untrusted=True, limits=Limits(seconds=seconds, memory=300 << 20))

    found = given_time(judged_in, lambda found: {one.verdict for one in found[1::2]} == {"answered"}, 0.5)
    assert all(one.verdict != "answered" for one in found[::2])
    json.dumps([one.to_json() for one in found], allow_nan=False)
