"""`debug` by the tests of plunit: named, beside the program, and in it."""

from __future__ import annotations

from pathlib import Path

import pytest
from patience import PATIENCE, given_time

from bridge.debugging.debug import debug
from bridge.debugging.plunit import read_suite, run_plunit, with_own_tests, without_tests
from bridge.debugging.result import Debugging
from bridge.debugging.testing import test as run_tests
from bridge.errors import InputError, UnsupportedError
from bridge.limits import Limits
from bridge.problem.front import goal

WRONG = """:- module(q, [sum/2, last_of/2]).
sum([], 0).
sum([X|Xs], S) :- sum(Xs, S0), S is S0 - X.
last_of([X], X).
last_of([_|Xs], X) :- last_of(Xs, X).
"""
TESTS = """:- use_module(q).
:- begin_tests(q).
test(empty, X == 0) :- sum([], X).
test(three, X =:= 6) :- sum([1,2,3], X).
test(last, [nondet, X == c]) :- last_of([a,b,c], X).
test(all, all(X == [b])) :- last_of([a,b], X).
test(none, fail) :- last_of([], _).
test(wrong_type, error(type_error(_, _))) :- q:sum([a], _).
test(later, blocked(some_day)) :- fail.
:- end_tests(q).
"""
INSIDE = """len([], 0).
len([_|Xs], N) :- len(Xs, M), N is M.
:- begin_tests(len).
test(two, N == 2) :- len([a,b], N).
meant(2).
test(helper, [true(N =:= M)]) :- meant(M), len([c,d], N).
:- end_tests(len).
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "q.pl").write_text(WRONG)
    (tmp_path / "q.plt").write_text(TESTS)
    (tmp_path / "in.pl").write_text(INSIDE)
    return tmp_path


@pytest.mark.parametrize("named", [True, False])
def test_the_line_and_a_repair_by_the_tests(folder: Path, named: bool) -> None:
    found = debug(folder / "q.pl", tests=[folder / "q.plt"] if named else ())
    assert (found.passed, found.cases, found.right) == (5, 6, False)
    assert [one.place.line for one in found.suspects][:1] == [3]
    assert found.repair is not None
    assert found.repair.proved_by == "passes all 6 tests"
    assert found.notes == (f"1 of 6 tests fails: q:three ({folder / 'q.plt'}:4)",)
    # As plunit says by itself, of the program with the repair.
    (folder / "q.pl").write_text(found.repair.text)
    assert {one.status for one in run_plunit([folder / "q.pl"], Limits(seconds=60))} == {"passed", "skipped"}
    assert debug(folder / "q.pl").right


def test_the_tests_in_the_program_stay_what_they_are(folder: Path) -> None:
    found = debug(folder / "in.pl")
    assert [one.place.line for one in found.suspects][:1] == [2]
    assert found.repair is not None
    assert found.repair.text.split("\n")[2:] == INSIDE.split("\n")[2:]
    assert "M+1" in found.repair.text.split("\n")[1]


def test_test_names_the_line_that_makes_tests_fail(folder: Path) -> None:
    found = run_tests(folder / "in.pl", name_lines=60.0)
    assert len(found.failed) == 2
    assert found.debugging is not None
    assert found.debugging.suspects[0].place.line == 2


def test_a_plt_that_is_named_replaces_the_one_beside(folder: Path) -> None:
    (folder / "other.plt").write_text(":- begin_tests(o).\ntest(one) :- sum([], 0).\n:- end_tests(o).\n")
    assert [one.name for one in run_plunit([folder / "q.pl", folder / "other.plt"], Limits(seconds=60))] == ["o:one"]
    assert debug(folder / "q.pl", tests=[folder / "other.plt"]).right


def test_what_a_test_says_as_a_goal(tmp_path: Path) -> None:
    tests = {
        "t(a, X == 1) :- p(X)": (True, "once(p(X)), X==1"),
        "t(b, [fail]) :- m:p(X)": (False, "p(X)"),
        "t(c, all(X-Y == [1-\"a b\"])) :- q(X, Y)": (True, 'findall(X-Y, q(X, Y), _T1), _T1==[1-"a b"]'),
        "t(d, [forall(r(X)), true(Y > X)]) :- s(X, Y)": (True, "forall(r(X), (once(s(X, Y)), Y>X))"),
        "t(e, throws(wrong(_))) :- u": (True, "catch((u, fail), _T1, subsumes_term(wrong(_T2), _T1))"),
        "t(f, [setup(s), cleanup(c), nondet]) :- v": (True, "call_cleanup(once((s, once(v))), c)"),
        "t(g, condition(has)) :- v": (True, "\\+ \\+has->once(v);true"),
        "t(h, set(X == [b, a])) :- w(X)": (True, "findall(X, w(X), _T1), sort(_T1, _T2), sort([b, a], _T3), _T2==_T3"),
    }
    lines = "\n".join(f"tes{one}." for one in tests)
    (tmp_path / "m.plt").write_text(f":- begin_tests(m).\n{lines}\n:- end_tests(m).\n")
    suite = read_suite([":- module(m, [])."], [tmp_path / "m.plt"])
    assert suite is not None
    assert [(one.succeeds, one.goal) for one in suite.goals] == list(tests.values())
    assert [one.place.line for one in suite.goals] == list(range(2, 2 + len(tests)))


def test_a_program_without_its_tests_keeps_its_lines() -> None:
    assert with_own_tests(without_tests(INSIDE).replace("is M", "is M+1"), INSIDE) == INSIDE.replace("is M.", "is M+1.")


def test_what_is_refused(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "none.plt").write_text("p(1).\n")
    with pytest.raises(InputError, match="there is no test"):
        debug(folder / "q.pl", tests=[tmp_path / "none.plt"])
    with pytest.raises(UnsupportedError, match="untrusted"):
        debug(goal(folder / "q.pl", "true", untrusted=True), tests=[folder / "q.plt"])
    (tmp_path / "alone.pl").write_text("p(1).\n")
    with pytest.raises(InputError, match="it is not said what is wrong"):
        debug(tmp_path / "alone.pl")


TABLE = """word(1, one).
word(three, 3).
word(2, two).
words([], []).
words([N|Ns], [W|Ws]) :- word(N, W), words(Ns, Ws).
len([], 0).
len([_|T], N) :- len(T, M), N is M + 1.
"""
TABLE_TESTS = """:- begin_tests(words).
test(two, Ws == [one, two]) :- words([1,2], Ws).
test(three, Ws == [one, two, three]) :- words([1,2,3], Ws).
test(len, N == 1) :- len([a], N).
:- end_tests(words).
"""


def test_clauses_that_failing_tests_do_not_call_are_not_changed(tmp_path: Path) -> None:
    (tmp_path / "t.pl").write_text(TABLE)
    (tmp_path / "t.plt").write_text(TABLE_TESTS)
    found = debug(tmp_path / "t.pl")
    assert found.repair is not None
    assert found.repair.text == TABLE.replace("word(three, 3)", "word(3, three)")
    assert {one.place.line for one in found.suspects} <= {1, 2, 3, 4, 5}


def test_without_a_repair_the_tests_say_which_clauses_are_suspected(tmp_path: Path) -> None:
    wrong = "p(X, Y) :- q(X, Z), r(Z, Y).\nq(X, X).\nr(X, s(X)).\nt(a).\n"
    tests = ":- begin_tests(p).\ntest(p, X == deep(er(than(that)))) :- p(1, X).\ntest(q) :- q(1, 1).\n"
    (tmp_path / "p.pl").write_text(wrong)
    (tmp_path / "p.plt").write_text(f"{tests}test(t) :- t(a).\n:- end_tests(p).\n")

    def searched(seconds: float) -> Debugging:
        return debug(tmp_path / "p.pl", limits=Limits(seconds=seconds))

    found = given_time(searched, lambda found: [one.place.line for one in found.suspects] == [3, 1, 2], 2.0)
    assert found.repair is None
    assert found.suspects[0].sentence.endswith("1 of 1 failing test and 0 of 2 passing ones run this clause")


def test_a_goal_that_is_missing_and_a_predicate_that_nothing_calls(tmp_path: Path) -> None:
    program = "double(X, Y) :- Y is 2 * X.\nall(Xs, Sum) :-\n    Xs = [_|_],\n    true,\n    sum_list(Ys, Sum).\n"
    (tmp_path / "d.pl").write_text(program)
    (tmp_path / "d.plt").write_text(":- begin_tests(d).\ntest(d, S == 12) :- all([1,2,3], S).\n:- end_tests(d).\n")
    found = debug(tmp_path / "d.pl")
    assert found.repair is not None
    assert "maplist(double, Xs, Ys)" in found.repair.text
    assert [one.place.line for one in found.suspects][:1] == [2]


def test_many_tests_that_do_not_end(tmp_path: Path) -> None:
    program = "count(N, N, []).\ncount(I, N, [I|Is]) :- J is I - 1, count(J, N, Is).\n"
    tests = "\n".join(f"test(t{n}, [nondet, true(L = [0|_])]) :- count(0, {n}, L)." for n in range(1, 5))
    (tmp_path / "c.pl").write_text(program)
    (tmp_path / "c.plt").write_text(f":- begin_tests(c).\n{tests}\n:- end_tests(c).\n")
    found = debug(tmp_path / "c.pl", limits=Limits(seconds=PATIENCE))
    assert (found.passed, found.cases) == (0, 4)
    assert found.repair is not None
    assert "J is I + 1" in found.repair.text


def test_a_test_that_needs_more_inferences_than_others(tmp_path: Path) -> None:
    program = "down(0, done).\ndown(N, X) :- N > 0, M is N - 1, down(M, X).\nsum(N, X) :- down(N, Y), X = N.\n"
    tests = "test(a, X == done) :- sum(3, X).\ntest(b, X == done) :- sum(90000, X).\ntest(c) :- down(5, _).\n"
    (tmp_path / "s.pl").write_text(program)
    (tmp_path / "s.plt").write_text(f":- begin_tests(s).\n{tests}:- end_tests(s).\n")
    found = debug(tmp_path / "s.pl", limits=Limits(seconds=PATIENCE))
    assert found.repair is not None
    assert found.repair.text == program.replace("X = N", "X = Y")


def test_the_number_that_a_column_of_facts_lacks(tmp_path: Path) -> None:
    """Clauses for 1, 2, 7, 4, ...: the third one is for 3, whatever other numbers stand in the program."""
    program, suite = tmp_path / "days.pl", tmp_path / "days.plt"
    words = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"]
    facts = [f'day({7 if number == 3 else number}, "{word}").' for number, word in enumerate(words, 1)]
    rule = 'verse(N, Verse) :- day(N, Day), format(string(Verse), "On the ~s day", [Day]).'
    program.write_text("\n".join([*facts, rule]) + "\n")
    test = 'test(t{0}, Verse == "On the {1} day") :- verse({0}, Verse).'
    tests = (test.format(number, word) for number, word in enumerate(words, 1))
    suite.write_text("\n".join([":- begin_tests(days).", *tests, ":- end_tests(days)."]) + "\n")
    found = debug(program, tests=[suite], limits=Limits(seconds=PATIENCE))
    assert found.repair is not None
    assert found.repair.diff.splitlines()[-1] == '+day(3, "third").'


def test_zero_is_tried_where_no_other_place_has_it(tmp_path: Path) -> None:
    """As the rest of a division that is meant to be none."""
    program, suite = tmp_path / "even.pl", tmp_path / "even.plt"
    program.write_text("even(N) :- N mod 2 =:= 3.\n")
    tests = [f"test(t{number}{', fail' if number % 2 else ''}) :- even({number})." for number in range(2, 10)]
    suite.write_text("\n".join([":- begin_tests(even).", *tests, ":- end_tests(even)."]) + "\n")
    found = debug(program, tests=[suite], limits=Limits(seconds=PATIENCE))
    assert found.repair is not None
    assert found.repair.text == "even(N) :- N mod 2 =:= 0.\n"


def test_a_goal_that_was_left_out_comes_from_other_goals(tmp_path: Path) -> None:
    """Only what changes anything where failing tests come by is tried early: `numlist` of a clause in another one."""
    program = """steps(L, Ns) :- length(L, Length), numlist(1, Length, Ns).
pairs(L, Ps) :- length(L, Size), true, maplist(pair, Is, L, Ps).
pair(I, X, I-X).
"""
    (tmp_path / "s.pl").write_text(program)
    tests = "test(a, L == [1,2]) :- steps([x,y], L).\ntest(b, P == [1-x,2-y]) :- pairs([x,y], P).\n"
    (tmp_path / "s.plt").write_text(f":- begin_tests(s).\n{tests}:- end_tests(s).\n")
    found = debug(tmp_path / "s.pl", limits=Limits(seconds=PATIENCE))
    assert found.repair is not None
    assert "numlist(1, Size, Is)" in found.repair.text
