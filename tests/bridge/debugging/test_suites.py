"""`debug` by the tests of plunit: named, beside the program, and in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bridge.debugging.debug import debug
from bridge.debugging.plunit import read_suite, run_plunit, with_own_tests, without_tests
from bridge.debugging.testing import test as run_tests
from bridge.errors import InputError, UnsupportedError
from bridge.limits import Limits

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
        debug(folder / "q.pl", tests=[folder / "q.plt"], untrusted=True)
    (tmp_path / "alone.pl").write_text("p(1).\n")
    with pytest.raises(InputError, match="it is not said what is wrong"):
        debug(tmp_path / "alone.pl")
