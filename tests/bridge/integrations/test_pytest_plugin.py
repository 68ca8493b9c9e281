"""pytest collects and runs the tests of logic programs, and says why one fails."""

from __future__ import annotations

import pytest

pytest_plugins = ["pytester"]

PROGRAM = """\
{ at(L, S) : S = 1..2 } = 1 :- lesson(L).
:- at(L, S), at(M, S), L <= M.
free :- holiday.
#show at/2.
"""

TESTS = """\
%! test two lessons: models 2
lesson(a;b).

%! test three lessons: unsat
lesson(a;b;c).
"""


@pytest.fixture(autouse=True)
def no_other_plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that are installed here (hypothesis, xdist, ...) take most of the start of a run."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")


def run(pytester: pytest.Pytester, *words: str) -> pytest.RunResult:
    """In a process of its own: in this one, pytester would forget the modules of the bridge after each run."""
    return pytester.runpytest_subprocess("-p", "no:lpbridge", "-p", "bridge.integrations.pytest_plugin", "-p", "no:cacheprovider", "-q", *words)


@pytest.mark.slow
def test_tests_of_the_program_beside(pytester: pytest.Pytester) -> None:
    pytester.path.joinpath("timetable.lp").write_text(PROGRAM)
    pytester.path.joinpath("test_timetable.lp").write_text(TESTS)
    found = run(pytester, "-rf", "--lp-cov", "--lp-cov-report", "lcov:cov.info")
    found.assert_outcomes(passed=1, failed=1)
    found.stdout.fnmatch_lines(
        [
            "*_ two lessons _*",
            "expected models 2: there are 0 answers, not 2",
            "*timetable.lp:2:1: *this is probably wrong",
            "*+:- at(L, S), at(M, S), L < M.",
            "Name *Stmts *Miss *Cover *Missing",
            "timetable.lp *3 *33%*3",
            "FAILED test_timetable.lp::two lessons - expected models 2*",
        ]
    )
    assert "DA:3,0" in (pytester.path / "cov.info").read_text()
    assert run(pytester, "-k", "three").ret == 0
    pytester.path.joinpath("timetable.lp").write_text(PROGRAM.replace("<=", "<"))
    assert run(pytester).ret == 0


@pytest.mark.slow
def test_files_that_are_named_and_files_with_an_error(pytester: pytest.Pytester) -> None:
    pytester.path.joinpath("own.lp").write_text("{ a; b }.\n\n%! test four: models 4\n")
    assert run(pytester).ret == pytest.ExitCode.NO_TESTS_COLLECTED
    run(pytester, "own.lp").assert_outcomes(passed=1)
    pytester.makeini("[pytest]\nlp_files = *.lp\n")
    run(pytester).assert_outcomes(passed=1)
    pytester.path.joinpath("test_nothing.lp").write_text("%! test x: unsat\na.\n")
    pytester.path.joinpath("test_wrong.lp").write_text("a.\n%! test x: what\n")
    found = run(pytester)
    found.assert_outcomes(passed=0, errors=2)
    found.stdout.fnmatch_lines(["*there is no nothing.lp beside it*", "*test_wrong.lp:2*what*"])
    found.stdout.no_fnmatch_line("*Traceback*")


@pytest.mark.slow
def test_plunit(pytester: pytest.Pytester) -> None:
    pytester.path.joinpath("len.pl").write_text("len([], 0).\nlen([_|T], N) :- len(T, M), N is M + 2.\n")
    pytester.path.joinpath("len.plt").write_text(
        ":- begin_tests(len).\ntest(empty, N == 0) :- len([], N).\ntest(two, N == 2) :- len([a, b], N).\n"
        "test(later, [blocked(slow)]) :- len(_, 1000).\n:- end_tests(len).\ntest(nothing).\n"
    )
    found = run(pytester, "-v")
    found.assert_outcomes(passed=1, failed=1, skipped=1)
    found.stdout.fnmatch_lines(["len.plt .Fs*", "*Expected: 2 Got: 4*"])


@pytest.mark.slow
def test_from_python(pytester: pytest.Pytester) -> None:
    pytester.path.joinpath("queens.lp").write_text("{ q(1..n, 1..n) } = n.\n:- q(X, Y), q(X, Z), Y < Z.\n:- q(X, Y), q(Z, Y), X < Z.\n")
    pytester.makepyfile(
        """
        from bridge.integrations.assertions import assert_equivalent, assert_models, assert_unsat

        def test_right(lp):
            assert_models(lp("queens.lp", n=3), 6)
            assert_models("{ a; b } = 1.", [["a"], ["b"]])
            assert_models("a.")
            assert_unsat("a. :- a.")
            assert_equivalent("{ a }.", "{ a } 1.", show="a/0")

        def test_number(lp):
            assert_models(lp("queens.lp", n=2), 3)

        def test_answers():
            assert_models("{ a; b } = 1.", [["a"], ["c"]])

        def test_none():
            assert_models("a. :- a.", 1)

        def test_some():
            assert_unsat("a.")

        def test_differ():
            assert_equivalent("{ a }.", "a.", show="a/0")
        """
    )
    found = run(pytester)
    found.assert_outcomes(passed=1, failed=5)
    found.stdout.fnmatch_lines(
        ["*there are 2 answers, not 3", "*not expected: b", "*missing: c", "*these cannot hold together*", "*there is an answer: a"]
    )
