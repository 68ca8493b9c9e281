"""The diagnosis of a Prolog goal: verdicts, slices, clashes, residuals, loops, and how they are told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from patience import PATIENCE

import bridge
from bridge.analysis.ask import diagnose
from bridge.analysis.goal_diagnosis import GoalDiagnosis
from bridge.errors import ProgramError
from bridge.limits import Limits
from bridge.outcome import Interrupted, Verdict
from bridge.problem.prolog import PrologProblem

CLPFD = ":- use_module(library(clpfd)).\n"
LIMITS = Limits(seconds=PATIENCE)


def diagnosis(program: str, goal: str, **more: Any) -> GoalDiagnosis:
    found = diagnose(PrologProblem([program], goal), limits=LIMITS, **more)
    json.dumps(found.to_json())
    assert str(found)
    return found


def test_verdicts() -> None:
    program = "p(1). p(1).\nq(1). q(2).\nr :- r.\n"
    verdicts = [diagnosis(program, goal) for goal in ("p(X)", "q(X)", "p(2)")]
    assert [str(found.verdict) for found in verdicts] == ["unique", "ambiguous", "impossible"]
    assert [found.ends for found in verdicts] == [True, True, True]


def test_undefined_answers_are_not_counted() -> None:
    """They come in any order, and there may be true ones behind them."""
    program = ":- table win/1.\nwin(X) :- move(X, Y), tnot(win(Y)).\nmove(e, e). move(f, f). move(b, c). "
    one = diagnosis(program, "win(X)")
    assert (str(one.verdict), one.ends, len(one.solutions)) == ("unknown", True, 3)
    assert one.notes == ("2 answers are undefined: neither true nor false in the well-founded semantics",)
    two = diagnosis(program + "move(d, c).\n", "win(X)")
    assert str(two.verdict) == "ambiguous"
    assert {"X = b.", "X = d."} <= set(map(str, two.solutions))


def test_why_it_fails() -> None:
    program = "e(a, b). e(b, c).\np(X, Z) :- e(X, Y), e(Y, Z), X = X.\n"
    found = diagnosis(program, "p(b, Z)")
    assert found.failure is not None
    assert found.failure.minimal
    assert [line for _, line in found.failure.lines] == [
        *("e(a, _).", "e(b, c).", "p(X, Z) :- e(X, Y), e(Y, Z), ....", "p(b, Z)")
    ]
    assert found.general is not None
    assert found.general.lines[2][1].startswith("p(X, Z) :- e(X, Y), e(Y, _)")
    assert found.removals is not None
    assert ["e(X, Y)"] in [[one.text for one in away] for away in found.removals.sets]
    assert [(str(place), text) for place, text in list(found.records())[:1]] == [("<text>:2:21", "no clause matches e(c,_)")]
    assert "<text>:1:3" in [str(place) for place, _ in found.records()]


def test_what_is_not_pure_is_named() -> None:
    program = "p(X) :- q(X), \\+ r(X), write(x), s(X).\nq(1).\nr(1).\ns(_).\n"
    found = diagnosis(program, "p(X)")
    assert [line for _, line in found.impure] == ["\\+ r(X)", "write(x)"]
    assert found.failure is not None
    assert [premise.text for premise in found.failure.kept] == ["\\+ r(X)"]
    # What the negation looks at was bound by q(X): it stays.
    assert "q(X)" in [premise.text for premise in found.failure.premises]
    assert any("not pure" in note for note in found.notes)


def test_a_cut_and_what_comes_before_it_stay() -> None:
    found = diagnosis("p(X) :- q(X), !, r(X).\np(_).\nq(1).\nr(2).\n", "p(1)")
    assert found.failure is not None
    assert found.failure.lines[0][1] == "p(X) :- q(X), !, r(X)."


def test_clashes_of_constraints() -> None:
    program = CLPFD + "p(X, Y, Z) :- [X, Y] ins 1..3, Z in 1..3, X #> Y, Y #> X, Z #> 3, label([X, Y, Z]).\n"
    found = diagnosis(program, "p(X, Y, Z)", clashes=2)
    assert found.clashes is not None
    texts = [{instance.text for instance in one.premises} for one in found.clashes]
    assert {"Z in 1..3", "Z#>3"} in texts
    assert all(one.minimal for one in found.clashes[:1])
    bindings = [dict(instance.bindings) for one in found.clashes for instance in one.premises]
    assert {"Z": "Z"} in bindings


def test_several_answers() -> None:
    program = CLPFD + "p([X, Y]) :- [X, Y] ins 1..3, X #< Y, label([X, Y]).\n"
    found = diagnosis(program, "p(L)")
    assert found.residual is not None
    assert found.residual.possible == {"L[1]": ("1", "2"), "L[2]": ("2", "3")}
    assert found.residual.complete
    assert found.residual.domains == {"L[1]": "1..2", "L[2]": "2..3"}


@pytest.mark.slow
def test_open_constraints_are_labelled_for_the_verdict() -> None:
    found = diagnosis(CLPFD, "[X, Y] ins 1..2, X #\\= Y")
    assert found.verdict is Verdict.AMBIGUOUS
    assert found.residual is not None
    assert found.residual.possible == {"X": ("1", "2"), "Y": ("2", "1")}
    assert any("labelled" in note for note in found.notes)
    assert diagnosis(CLPFD, "[X, Y, Z] ins 1..2, X #\\= Y, Y #\\= Z, X #\\= Z").verdict is Verdict.IMPOSSIBLE
    assert diagnosis(CLPFD, "X #> 3").verdict is Verdict.UNKNOWN


@pytest.mark.slow
def test_a_goal_that_does_not_end() -> None:
    program = "anc(X, Z) :- anc(Y, Z), par(X, Y).\nanc(X, Y) :- par(X, Y).\npar(a, b).\n"
    found = diagnosis(program, "anc(a, X)")
    assert (found.verdict, found.ends) == (Verdict.UNKNOWN, False)
    assert found.loop is not None
    assert [line for _, line in found.loop.lines] == ["anc(X, Z) :- anc(Y, Z), false.", "anc(a, X)"]
    assert "does not end within 200,000 inferences" in str(found)
    assert str(next(found.records())[0]) == "<text>:1:1"


def test_errors_are_those_of_running_it() -> None:
    with pytest.raises(ProgramError, match="foo"):
        diagnosis("p(X) :- X is foo + 1.\n", "p(X)")
    with pytest.raises(ProgramError, match="qq/1"):
        diagnosis("p(X) :- qq(X).\n", "p(X)")


def test_a_fragment_that_raises_has_not_failed() -> None:
    assert diagnosis("p(1).\np(2).\nq(X) :- p(X), X > 1.\n", "q(1)").notes == ()


def test_of_several_results_none_is_the_one_that_is_another() -> None:
    """What is appended to an open list may be anything."""
    assert "its last argument" not in str(diagnosis("p(L) :- append(_, [1, 2], L).\n", "p([1, 3])"))
    assert "its last argument is [1, 2]" in str(diagnosis("p(L) :- append([1], [2], L).\n", "p([1, 3])"))


@pytest.mark.slow
def test_a_fragment_of_a_grammar_ends_with_one_false() -> None:
    found = diagnosis("s(N) --> s(M), \"+\", { N is M + 1 }.\ns(0) --> [].\n", "phrase(s(N), [1])")
    assert found.loop is not None
    assert next(line for _, line in found.loop.lines) == "s(N) --> s(M), { false }."


def test_values_of_answers_of_other_shapes() -> None:
    """What one answer has in a place says nothing of the others where they have no such place."""
    program = "p([b, d], s(0), 0).\np([b], s(s(0)), 1 + 1).\np([], s(1), 0).\n"
    found = diagnosis(program, "p(Xs, N, V)").residual
    assert found is not None
    assert dict(found.possible) == {
        "Xs": ("[b, d]", "[b]", "[]"), "N.1": ("0", "s(0)", "1"), "V": ("0", "+(1, 1)"),
    }  # fmt: skip


@pytest.mark.slow
def test_an_untrusted_program() -> None:
    problem = PrologProblem(["p(X) :- q(X), r(X).\nq(1).\nr(2).\n"], "p(X)", untrusted=True)
    found = diagnose(problem, limits=LIMITS)
    assert found.failure is not None
    assert [premise.text for premise in found.failure.premises] == ["q(X)", "r(X)", "1", "2", "p(X)"]


def test_a_slice_is_minimal_where_a_fragment_does_not_end() -> None:
    """Without its list, `up` does not end; without the call of it, it is needless."""
    program = CLPFD + "up([_]).\nup([X, Y|T]) :- X #< Y, up([Y|T]).\nmem([X|_], X).\nmem(X, [_|T]) :- mem(X, T).\n"
    found = diagnosis(program, "up([1, 2, 5, 9]), mem(2, [5, 5, 1, 2])")
    assert found.failure is not None
    assert found.failure.minimal
    assert "up/1" not in {premise.predicate for premise in found.failure.premises}


def test_ctrl_c_keeps_what_was_found() -> None:
    def stop(found: GoalDiagnosis) -> None:
        if found.failure is not None and found.limit is None:
            raise KeyboardInterrupt

    problem = PrologProblem(["p :- q.\nq :- fail.\n"], "p")
    with pytest.raises(Interrupted) as caught:
        diagnose(problem, limits=LIMITS, on_progress=stop)
    assert caught.value.partial.failure is not None


def test_a_limit_keeps_what_was_found() -> None:
    program = "p(X) :- n(X), X = a.\nn(0).\nn(s(X)) :- n(X).\n"
    found = diagnose(PrologProblem([program], "p(X)"), limits=Limits(seconds=0.05))
    assert found.verdict is Verdict.UNKNOWN
    assert found.limit == "seconds"


def test_why() -> None:
    proof = bridge.why(PrologProblem(["p(X) :- q(X).\nq(1).\n"], "p(X)"), limits=LIMITS).proof
    assert str(proof) == "p(1)  <text>:1\n  q(1)  <text>:2"


HAS = "item(5).\nhas(1, a).\nhas(2, b).\np(X) :- item(X), has(X, _).\n"


def test_a_call_that_no_clause_matches_comes_first() -> None:
    found = bridge.diagnose(PrologProblem([HAS], "p(X)"), limits=LIMITS)
    assert found.failure is not None
    assert [(place.line, place.column, call) for place, call in found.failure.unmatched] == [(4, 18, "has(5,_)")]
    assert str(found).splitlines()[2].startswith("No clause matches has(5,_), which is called at ")
    assert found.to_json()["failure"]["unmatched"][0]["call"] == "has(5,_)"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "goal", "calls"),
    [
        ("p(X) :- q(X), r(X).\nq(1).\nr(2).\n", "p(X)", ["r(1)"]),
        ("p(X) :- q(X), r(X).\nq(1).\nr(1) :- fail.\n", "p(X)", []),  # a clause matches, and fails
        ("age('Ann B', 3).\nold(X) :- age(X, A), adult(A).\nadult(18).\n", "old('Ann B')", ["adult(3)"]),
        ("n(1). n(2). n(3). n(4).\np(X) :- n(X), m(X).\nm(9).\n", "p(X)", []),  # too many to be a reason
    ],
)
def test_calls_that_no_clause_matches(program: str, goal: str, calls: list[str]) -> None:
    found = bridge.diagnose(PrologProblem([program], goal), limits=LIMITS)
    assert found.failure is not None
    assert [call for _, call in found.failure.unmatched] == calls


@pytest.mark.parametrize(
    ("program", "goal", "place", "reason"),
    [
        ("free(R) :- \\+ guest(_, R).\nguest(ann, 2).\n", "free(R)", (1, 12), "guest(ann, 2) holds. R has no value there"),
        ("p(L) :- bagof(X, q(X), L).\nq(X) :- X = 1, X = 2.\n", "p(L)", (1, 9), "findall/3 gives [] then"),
        ("p(X) :- X == a, q(X).\nq(a).\n", "p(X)", (1, 9), "`==` compares and binds nothing"),
        ('c("France").\nask :- c(\'France\').\n', "ask", (1, 1), '"France" is a string: they are never the same'),
        ("a(3).\nask :- X is 6 / 2.0, a(X).\n", "ask", (1, 1), "an integer and a float do not unify"),
        ("big :- forall(member(X, [5, 1]), X > 3).\n", "big", (1, 8), "member(1, [5, 1]) holds, and 1>3 does not"),
        ("r([], []).\nr([H|T], L) :- r(T, R), append(R, H, L).\n", "r([1,2], L)", (2, 25), "argument 2 is 2, which is not a list"),
        ("two(L) :- length(L, 2).\n", "two([a])", (1, 11), "its last argument is 1, and not 2"),
        ("p(X) :- q(X), X > 3.\nq(1).\n", "p(X)", (1, 15), "it is called as 1>3"),
        ("p(Y) :- X = 1, ( X > 1 -> Y = 2 ).\n", "p(Y)", (1, 16), "its condition 1>1 is false, and there is no else"),
        ("m([X], X).\nm([H|T], M) :- m(T, N), ( H > N -> M = H ).\n", "m([1,3,2], M)", (2, 25), "condition 1>3 is false"),
        ("s([], 0).\ns([A|L], N) :- s(L, M) -> A > 1 -> N is M + A.\n", "s([2, 1], N)", (2, 16), "s([1], _) is false, as 1>1 is false there"),
        ("a(X) :- p(X), !, X > 1.\np(1).\np(2).\n", "a(X)", (1, 15), "without this cut there is an answer, X = 2: the cut keeps"),
        ("n(0).\nn(s(X)) :- n(X).\n", "n(2)", (1, 1), "argument 1 of the call is 2, and the clauses have 0, s(_) there"),
        (":- op(800, xfy, and).\np(a) and p(b).\np(c).\n", "p(a)", (2, 1), "p(a) stands here as an argument"),
        ("p(M) :- aggregate_all(max(X), q(X), M).\nq(X) :- X = 1, X = 2.\n", "p(M)", (1, 9), "fails where there is nothing"),
        ("p(X) :- nth1(0, [a], X).\n", "p(X)", (1, 9), "nth1/3 counts from 1"),
        ("p(X) :- nth0(3, [a], X).\n", "p(X)", (1, 9), "nth0/3 counts from 0, and there are 1"),
    ],
)  # fmt: skip
def test_why_a_call_fails(program: str, goal: str, place: tuple[int, int], reason: str) -> None:
    found = diagnosis(program, goal)
    assert found.failure is not None
    reasons = [((at.line, at.column), text) for at, text in found.failure.reasons]
    assert any(at == place and reason in text for at, text in reasons), reasons
    assert any(reason in line for line in str(found).splitlines()[2:5])


def test_goals_with_effects_are_not_called_again() -> None:
    program = ":- dynamic seen/1.\np :- \\+ note(1).\nnote(X) :- assertz(seen(X)).\n"
    failure = diagnosis(program, "p").failure
    assert failure is not None
    assert not any("holds" in text for _, text in failure.reasons)


def test_what_an_answer_leaves_open_is_said() -> None:
    found = diagnosis("last([X], X).\nlast([_|T], Y) :- last(T, Z).\n", "last([1,2], X)")
    assert found.left_open == ["X"]
    assert "Nothing gives X a value: it is left open." in str(found)


def test_a_clause_matches_by_the_head_that_is_written() -> None:
    found = diagnosis("sum(X) :- X = 1+1.\n", "sum(2)")
    assert found.failure is not None
    assert found.failure.unmatched == ()
    assert "No clause matches sum(3)" in str(diagnosis("sum(2) :- X = 1, X = 1.\n", "sum(3)"))


SONS = "son(a, d). son(b, d). son(a, c). son(b, c).\nbrother(X, Y) :-\n    son(X, P),\n    son(Y, P),\n    X \\= Y.\n"


@pytest.mark.parametrize(
    ("program", "goal", "counts", "said"),
    [
        (SONS, "brother(X, Y)", (4, 2, 2), "`son(X, P)` in <text>:3:5 holds with P = d and with P = c."),
        (SONS, "brother(X, Y)", (4, 2, 2), "Each answer also comes with X and Y exchanged: `X @< Y` keeps one."),
        ("edge(a, b). edge(b, d). edge(a, c). edge(c, d).\nreach(X, Y) :- edge(X, Y).\nreach(X, Y) :- edge(X, Z), reach(Z, Y).\n",
         "reach(a, X)", (4, 3, 2), "X = d comes 2 times: `edge(X, Z)` in <text>:3:16 holds with Z = b and with Z = c."),
        ("top(X, Y, X) :- X >= Y.\ntop(X, Y, Y) :- Y >= X.\n", "top(3, 3, M)", (2, 1, 2),
         "M = 3 comes 2 times: `top(3, 3, 3)` is proved by the clause in <text>:1:1 and by that in <text>:2:1."),
        ("visit(1). visit(2). visit(3).\nseen :- visit(X), X > 1.\n", "seen", (2, 1, 2), "`visit(X)` in <text>:2:9 holds with X = 2 and with X = 3"),
        ("color(red).\ncolor(red).\n", "color(X)", (2, 1, 2), "which are the same"),
        ("p(X) :- member(X, [a, b, a]).\n", "p(X)", (3, 2, 2), "X = a comes 2 times."),
    ],
)  # fmt: skip
def test_answers_that_come_more_than_once(program: str, goal: str, counts: tuple[int, int, int], said: str) -> None:
    found = diagnosis(program, goal)
    assert found.repeated is not None
    assert (found.repeated.answers, found.repeated.different, found.repeated.times) == counts
    assert said in str(found)
    assert str(found).startswith(f"{goal}: {counts[0]} answers, {counts[1]} different\n")


@pytest.mark.parametrize(("program", "goal"), [("p(1). p(2).\n", "p(X)"), ("p(1).\n", "p(X)"), ("p :- p.\np.\n", "p"), (SONS, "son(X, P)")])
def test_answers_that_come_once(program: str, goal: str) -> None:
    found = diagnosis(program, goal)
    assert found.repeated is None
    assert "more than once" not in str(found)


def test_booleans_are_labelled() -> None:
    program = ":- use_module(library(clpb)).\np(X, Y, Z) :- sat((Z =\\= X) * (Z =\\= Y)).\nq(X, _) :- sat(X + X).\n"
    found = diagnosis(program, "p(X, Y, Z)")
    assert (found.verdict, found.count) == (Verdict.AMBIGUOUS, 2)
    assert found.residual is not None
    assert found.residual.possible == {"X": ("1", "0"), "Y": ("1", "0"), "Z": ("0", "1")}
    assert any("labeling([X, Y, Z])" in note and "`=\\=` means the two differ" in note for note in found.notes)
    alone = diagnosis(program, "sat(X + Y), Z = f(_)")
    assert (alone.count, alone.residual and alone.residual.possible["Z.1"]) == (3, ("_",)), "no Boolean is left as it is"


def test_what_is_long_is_cut() -> None:
    found = diagnosis("p(1). p(2).\n", "p(X), numlist(1, 500, L), length(M, 300)")
    lines = str(found).splitlines()
    assert len(lines) < 30
    assert max(map(len, lines)) < 500
    assert any("parts more" in line for line in lines)


@pytest.mark.parametrize(
    ("program", "goal", "line", "said"),
    [
        ("x([1], a).\nx([_, X], b) :- (X + 0) > 7.\nf(Z, R) :- x(Z, R), true.\n", "f(Z, R)", 2, "X is open when x/2 is called from line 3"),
        ("a(S, A) :- A is S * T.\n", "a(1, A)", 1, "T has no value when `A is S * T` is called"),
        ("go(X) :- X = 1, foo(X).\n", "go(X)", 1, "go/1: Unknown procedure: foo/1"),
        ("p(1).\np(2).\np(X) :- Y is X * 2, Y > 3.\n", "p(X)", 3, "X is open when p/1 is called by the goal"),
    ],
)
def test_an_error_names_the_clause_that_has_left_the_stack(program: str, goal: str, line: int, said: str, tmp_path: Path) -> None:
    file = tmp_path / "p.pl"
    file.write_text(program)
    with pytest.raises(ProgramError) as raised:
        diagnose(PrologProblem([file], goal), limits=LIMITS)
    assert raised.value.where is not None
    assert raised.value.where.line == line
    assert said in str(raised.value)


@pytest.mark.parametrize(
    ("text", "goal", "order"),
    [
        ("sorted([_]).\nsorted([X,Y|T]) :- X =< Y, sorted([Y|T]).\nps(L, S) :- sorted(S), permutation(L, S).\n",
         "ps([2, 1], S)", "where `permutation(L, S)` comes before `sorted(S)` in a.pl:3, the goal has an answer"),
        ("f(0, 1).\nf(N, F) :- f(M, G), M is N - 1, F is N * G.\n",
         "f(2, F)", "where `M is N - 1` comes before `f(M, G)` in a.pl:2, the goal has an answer"),
        ("p(X) :- Y > 3, q(X).\nq(1).\n", "p(X)", None),
    ],
)  # fmt: skip
def test_an_error_of_an_open_variable_has_the_order_of_goals_without_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, goal: str, order: str | None
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.pl").write_text(text)
    with pytest.raises(ProgramError, match="not sufficiently instantiated") as raised:
        bridge.diagnose(bridge.goal("a.pl", goal))
    said = str(raised.value)
    assert order in said if order else "has an answer" not in said
