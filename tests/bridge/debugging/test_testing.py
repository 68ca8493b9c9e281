"""Tests beside a program: how they are read, what they find, and which line is wrong."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from click.testing import CliRunner
from patience import given_time

import bridge
from bridge.asp.reading.names import read_names
from bridge.cli import lpbridge
from bridge.debugging import expectations
from bridge.debugging.coverage import lcov
from bridge.debugging.trials import Trials
from bridge.errors import BridgeError, InputError

PROGRAM = """%! one slot: each lesson has one slot
{ at(L,S) : S = 1..slots } = 1 :- lesson(L).
%! clash: no two at a time
:- at(L,S), at(M,S), L < M.
busy(S) :- at(_,S).
free(S) :- S = 1..slots, not busy(S), holiday.
#const slots = 2.
#show at/2.

"""
TESTS = """%! test two lessons: sat; models 2
%!   some at(a,1), not at(b,1); every not at(a,3)
%! fact lesson(a;b).

%! test three lessons, no clash: unsat
%! fact lesson(a;b;c).

%! test three slots: models 6
%! fact lesson(a;b;c).
%! const slots = 3
""".replace("models 2\n", "models 2;\n")


def statuses(text: str, **given: object) -> list[str]:
    return [one.status for one in bridge.test(text, **given).results]  # type: ignore[arg-type]


def test_tests_in_comments_pass() -> None:
    found = bridge.test(PROGRAM + TESTS)
    assert [(one.test.name, one.status) for one in found.results] == [
        ("two lessons", "passed"),
        ("three lessons, no clash", "passed"),
        ("three slots", "passed"),
    ]
    assert "3 passed" in str(found)


@pytest.mark.parametrize(
    ("expected", "reason", "answer"),
    [
        ("unsat", "there is an answer", True),
        ("sat; unique", None, None),
        ("unique", "there is a second answer", True),
        ("several", None, None),
        ("models 3", "there are 2 answers, not 3", True),
        ("models 1", "there are 2 answers or more, not 1", True),
        ("models 2", None, None),
        ("every at(a,1)", "not in every answer: at(a,1)", True),
        ("every not at(a,3)", None, None),
        ("some at(a,1), at(b,1)", "no answer has it", False),
        ("some at(a,1), not at(b,1)", None, None),
        ("no at(a,1), at(b,1)", None, None),
        ("no at(a,1), at(b,2)", "an answer has it", True),
        ("no busy(3)", None, None),
        ("some busy(2)", None, None),
    ],
)
def test_each_expectation(expected: str, reason: str | None, answer: bool | None) -> None:
    text = f"{PROGRAM}%! test one: {expected}\n%! fact lesson(a;b).\n"
    if expected == "sat; unique":
        with pytest.raises(InputError, match="one of them"):
            bridge.test(text)
        return
    (found,) = bridge.test(text).results
    assert (found.status, found.reason) == ("passed" if reason is None else "failed", reason)
    assert (found.answer is not None) == bool(answer)


def test_cost_and_optimal_answers() -> None:
    program = "1 { in(X) : n(X) } 2. n(1..3). :~ in(X). [X,X] #show in/1.\n"
    assert statuses(f"{program}%! test a: cost 1; optimal; unique; every in(1), not in(2)\n") == ["passed"]
    assert statuses(f"{program}%! test a: several; some in(3)\n") == ["passed"]
    (found,) = bridge.test(f"{program}%! test a: optimal; some in(3)\n").failed
    assert found.reason == "no answer has it"
    (found,) = bridge.test(f"{program}%! test a: cost 2\n").failed
    assert found.reason == "the least cost is 1"
    assert bridge.test("{ a }.\n%! test a: cost 2\n").failed
    assert bridge.test(":- not a.\n%! test a: cost 2\n").failed[0].reason == "there is no answer"


def test_answers_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "two.txt").write_text("% both\nat(a,1) at(b,2)\nat(a,2) at(b,1)\n")
    (tmp_path / "one.txt").write_text("at(a,1) at(b,2)\n")
    (tmp_path / "other.txt").write_text("at(a,1) at(b,2)\nat(a,2) at(b,1)\nat(a,2) at(b,2)\n")
    path = tmp_path / "p.lp"
    for file, reason in (("two", None), ("one", "an answer is not expected"), ("other", "an answer is missing")):
        path.write_text(f"{PROGRAM}%! test one: answers {file}.txt\n%! fact lesson(a;b).\n")
        (found,) = bridge.test(path).results
        assert found.reason == reason


def test_a_file_of_tests(tmp_path: Path) -> None:
    program, tests = tmp_path / "p.lp", tmp_path / "t.lp"
    program.write_text(PROGRAM)
    tests.write_text(
        "lesson(a).\n\n%! test two: models 2\nlesson(b).\n\n%! test three: unsat\nlesson(b).\nlesson(c).\n\n"
        "%! test more slots: sat\nlesson(b;c).\n#const slots = 3.\n"
    )
    assert expectations.is_file_of_tests(tests)
    assert not expectations.is_file_of_tests(program)
    found = bridge.test([program, tests])
    assert [one.status for one in found.results] == ["passed"] * 3
    assert [one.test.place.line for one in found.results] == [3, 6, 10]
    assert len(bridge.test(program, tests).passed) == 3
    assert [one.test.name for one in bridge.test(program, tests, name="two").results] == ["two"]


def test_answers_are_written_beside_a_test(tmp_path: Path) -> None:
    program, tests = tmp_path / "p.lp", tmp_path / "pair.lp"
    program.write_text(PROGRAM)
    tests.write_text("%! test pair: answer at(a,1) at(b,2); answer at(a,2) at(b,1)\nlesson(a;b).\n")
    assert [(one.test.name, one.status) for one in bridge.test([program, tests]).results] == [("pair", "passed")]
    tests.write_text("%! test pair: answer at(a,1) at(b,2)\nlesson(a;b).\n")
    assert bridge.test([program, tests]).failed[0].reason == "an answer is not expected"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("%! test one: sometimes", "`sometimes` is not an expectation"),
        ("%! test one", "has no expectation"),
        ("%! test one: models many", "is not an expectation"),
        ("%! test one: every at(X,1)", "not a ground atom"),
        ("%! test one: optimal", "nothing is expected"),
        ("%! test one: answers nowhere.txt", "no such file"),
        ("%! test one: sat\n%! const rooms = 3", "no constant rooms"),
    ],
)
def test_a_test_that_cannot_be_read_has_a_place(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "p.lp"
    path.write_text(f"{PROGRAM}{line}\n")
    with pytest.raises(BridgeError, match=message) as raised:
        bridge.test(path)
    assert raised.value.where is not None
    assert (raised.value.where.file, raised.value.where.line) == (str(path), 10)


def test_a_test_names_no_rule() -> None:
    names = read_names("%! test one: sat\n%! fact a.\nb.\n\n%! row {R}: a row\nc.\n%! test two: sat\nd.\n")
    assert {line: name.pattern for line, name in names.items()} == {6: "row {R}"}
    names = read_names('%! "test of rows": a rule\nc.\n%! tests: rule\nd.\n')
    assert {line: name.pattern for line, name in names.items()} == {2: "test of rows", 4: "tests"}


SELFTEST = """node(A) :- edge(A, _).
node(B) :- edge(_, B).
cannot("at least one edge") :- not { edge(_, _) } > 0.
#program unit.
{ loop }.
#program test_edge(base).
edge(x, y).
cannot("node x") :- not node(x).
cannot("node z") :- not node(z).
#program test_right(base).
edge(x, y).
cannot("node x") :- not node(x).
#program test_unit(unit).
cannot("loop") :- loop.
#program test_step(step).
cannot("it") :- it.
"""


def test_in_source_tests_of_asp_selftest() -> None:
    found = bridge.test(SELFTEST)
    assert [(one.test.name, one.status, one.test.place.line) for one in found.results] == [
        ("test_edge", "failed", 6),
        ("test_right", "passed", 10),
        ("test_unit", "failed", 13),
    ]
    assert "node z" in str(found)
    assert not expectations.tests_of("#program test_x(base).\na.\n")


@pytest.mark.slow
def test_a_failed_test_names_the_line_and_repairs_it(tmp_path: Path) -> None:
    path = tmp_path / "p.lp"
    wrong = PROGRAM.replace("L < M", "L <= M")
    path.write_text(wrong + TESTS)
    found = bridge.test(path, name_lines=20.0)
    assert len(found.failed) == 2
    assert found.debugging is not None
    assert found.debugging.suspects[0].place.line == 4
    repair = found.debugging.repair
    assert repair is not None
    assert repair.text == PROGRAM + TESTS
    assert repair.proved_by == "passes the 3 tests"
    tests = tmp_path / "t.lp"
    path.write_text(wrong)
    tests.write_text("%! test two: sat; models 2\nlesson(a;b).\n\n%! test three: unsat\nlesson(a;b;c).\n")
    result = CliRunner().invoke(lpbridge, ["debug", str(path), "--tests", str(tests), "--fix"])
    assert result.exit_code == 0, result.output
    assert path.read_text() == PROGRAM


def test_a_wrong_cost_is_repaired() -> None:
    text = "1 { in(X) : n(X) } 2. n(1..3).\n:~ in(X). [X+1,X]\n%! test a: cost 1\n"
    found = bridge.debug(text)
    assert found.repair is not None
    assert not bridge.test(found.repair.text).failed


@pytest.mark.slow
@pytest.mark.parametrize(
    "test",
    [
        "cost 1; several; some in(3)",
        "optimal; unique; every in(1), not in(2)",
        "optimal; some in(1); no in(3)",
        "models 6; several; cost 1",
        "sat; no in(1), in(2), in(3)",
    ],
)
def test_trials_of_variants_agree_with_the_tests(test: str) -> None:
    """What `debug` takes for right passes, and the other way round."""
    right = "1 { in(X) : n(X) } 2. n(1..3). :~ in(X). [X,X] #show in/1.\n"
    variants = [right, right.replace("1 {", "{"), right.replace("} 2", "}"), right.replace("[X,X]", "[-X,X]")]
    variants += [right.replace("[X,X]", "[1,X]"), right.replace("1..3", "1..1"), f"{right}:- n(1).\n"]
    passed = []
    for variant in variants:
        text = f"{variant}%! test a: {test}\n"
        passed.append(not bridge.test(text).failed)
        cases = expectations.cases_of(bridge.AspProblem(text), expectations.tests_of(text))
        with Trials(cases, seconds=60) as trials:
            assert [score.right for score in trials.scores([text])] == passed[-1:], text
    assert passed[0]
    assert not all(passed)


def test_coverage() -> None:
    found = bridge.test(PROGRAM + TESTS, coverage=True)
    assert found.coverage is not None
    assert [(one.place.line, one.kind, one.tests) for one in found.coverage] == [
        (2, "rule", 2),
        (4, "constraint", 3),
        (5, "rule", 2),
        (6, "rule", 0),
    ]
    assert "6:1: never fired: free(S)" in str(found)
    assert "DA:4,3\n" in lcov(found.coverage)
    assert "DA:6,0\n" in lcov(found.coverage)
    # Each of two equal constraints can go alone.
    twice = bridge.test("{ a }. :- a. :- a, a.\n%! test one: models 1\n", coverage=True)
    assert [one.tests for one in twice.coverage or ()] == [0, 0]


def test_the_command(tmp_path: Path) -> None:
    path = tmp_path / "p.lp"
    path.write_text(PROGRAM + TESTS)
    run = CliRunner().invoke
    result = run(lpbridge, ["test", str(path)])
    assert result.exit_code == 0
    assert result.output.endswith("3 passed\n")
    path.write_text(PROGRAM.replace("L < M", "L <= M") + TESTS)
    junit, info = tmp_path / "j.xml", tmp_path / "c.info"
    result = run(lpbridge, ["test", str(path), "--no-debug", "--junit", str(junit), "--lcov", str(info), "--json"])
    assert result.exit_code == 1
    data = json.loads(result.output)
    assert (data["passed"], data["failed"], data["debug"]) == (1, 2, None)
    suite = ET.fromstring(junit.read_text())
    assert (suite.get("tests"), suite.get("failures")) == ("3", "2")
    assert [one.find("failure") is not None for one in suite] == [True, False, True]
    assert info.read_text().startswith(f"TN:\nSF:{path}\n")
    path.write_text(PROGRAM)
    assert run(lpbridge, ["test", str(path)], standalone_mode=False).exception is not None


def test_what_a_limit_ends_has_not_passed() -> None:
    pigeons = "{ p(X,Y) : Y = 1..39 } = 1 :- X = 1..40. :- p(X,Y), p(Z,Y), X < Z.\n%! test a: unsat\n"
    found = bridge.test(pigeons, limits=bridge.Limits(seconds=0.5))
    assert [one.status for one in found.results] == ["undecided"]
    assert not found.passed


LEN = """len([], 0).
len([_|T], N) :- len(T, M), N is M + 1.
loop :- loop.
:- begin_tests(len).
test(empty, N == 0) :- len([], N).
test(two, N == 3) :- len([a, b], N).
test(no) :- len([a], 5).
test(unknown) :- foo(1).
test(later, [blocked(slow)]) :- fail.
test(each, [forall(member(X, [2, 1])), true(X == 1)]) :- true.
test(loop) :- loop.
:- end_tests(len).
"""


@pytest.mark.slow
def test_blocks_of_plunit(tmp_path: Path) -> None:
    path = tmp_path / "len.pl"
    path.write_text(LEN)
    found = given_time(lambda seconds: bridge.test(path, limits=bridge.Limits(seconds=seconds)), lambda found: found.results[5].status == "failed", 0.8)
    assert [(one.test.name, one.test.place.line, one.status) for one in found.results] == [
        ("len:empty", 5, "passed"),
        ("len:two", 6, "failed"),
        ("len:no", 7, "failed"),
        ("len:unknown", 8, "failed"),
        ("len:later", 9, "skipped"),
        ("len:each", 10, "failed"),
        ("len:loop", 11, "undecided"),
    ]
    assert {one.test.place.file for one in found.results} == {str(path)}
    assert "Expected: 3" in str(found)


def test_coverage_of_clauses_and_what_prolog_warns_of(tmp_path: Path) -> None:
    path = tmp_path / "len.pl"
    path.write_text(f"len([], 0).\nlen([_|T], N) :- len(T, M), N is M+1.\nlen(a, X) :- X.\np(X).\nlen(b, 1).\n{PLUNIT}")
    found = bridge.test(path, coverage=True)
    assert [one.reason for one in found.results] == [None, "it leaves a choice point: another answer may be looked for"]
    assert found.coverage is not None
    assert [(one.place.line, one.kind, one.tests) for one in found.coverage] == [
        (1, "clause", 2), (2, "clause", 1), (3, "clause", 0), (4, "clause", 0), (5, "clause", 0)
    ]  # fmt: skip
    assert "coverage: 2 of 5 clauses" in str(found)
    assert "4:1: never entered: p(X)" in str(found)
    assert [one.partition(": ")[2][:9] for one in found.warnings] == ["Singleton", "Clauses o"]
    assert found.warnings[0] in str(found)


PLUNIT = """:- begin_tests(len).
test(empty) :- len([], 0).
test(one) :- len([a], 1), member(_, [1, 2]).
:- end_tests(len).
"""


def test_a_plt_beside_a_program(tmp_path: Path) -> None:
    path = tmp_path / "len.pl"
    path.write_text("len([], 0).\n")
    with pytest.raises(InputError, match="no test"):
        bridge.test(path)
    path.with_suffix(".plt").write_text(":- begin_tests(len).\ntest(one) :- user:len([], 0).\n:- end_tests(len).\n")
    result = CliRunner().invoke(lpbridge, ["test", str(path), "-k", "one"])
    assert result.exit_code == 0, result.output
    assert f"passed    {path.with_suffix('.plt')}:2  len:one" in result.output
    path.write_text("len([], 0.\n")
    with pytest.raises(BridgeError, match=r"len\.pl:2|len\.pl:1"):
        bridge.test(path)


def test_literals_that_never_mattered() -> None:
    program = """{ colour(X, 1..2) } = 1 :- node(X).
:- edge(X, Y), colour(X, C), colour(Y, C), X != Y.
node(X) :- edge(X, _).
node(X) :- edge(_, X), not hidden(X).
hidden(X) :- edge(X, X), X > 5.
big :- 2 #count { X : node(X) }, node(1).
"""
    found = bridge.test(program, tests="%! test one: sat\n%! fact edge(1,2). edge(2,3).\n", coverage=True)
    assert found.coverage is not None
    never = [(one.place.line, one.text) for each in found.coverage for one in each.literals if not one.tests]
    assert never == [(2, "X != Y"), (4, "not hidden(X)"), (5, "X > 5"), (6, "2 #count { X : node(X) }"), (6, "node(1)")]
    assert "<string>:2:44: never mattered: X != Y" in str(found) or ":2:44: never mattered: X != Y" in str(found)
    # An edge to oneself, and one that is hidden: now both matter.
    tests = "%! test one: sat\n%! fact edge(1,2). edge(2,3). edge(6,6). edge(7,4).\n"
    found = bridge.test(program, tests=tests, coverage=True)
    assert found.coverage is not None
    never = [(one.place.line, one.text) for each in found.coverage for one in each.literals if not one.tests]
    assert never == [(5, "X > 5"), (6, "2 #count { X : node(X) }"), (6, "node(1)")]


def test_a_file_of_facts_with_tests_about_them(tmp_path: Path) -> None:
    """They need no program; tests that name what no fact gives are for one, which is missing."""
    facts = tmp_path / "graph.lp"
    facts.write_text("edge(1..2,3).\n\n%! test edges: every edge(1,3), not edge(3,1)\n\n%! test all: answer edge(1,3) edge(2,3)\n\n%! test wrong: some edge(3,1)\n")
    found = bridge.test(facts, name_lines=5)
    assert [one.status for one in found.results] == ["passed", "passed", "failed"]
    assert found.debugging is None
    for other in ("some path(1,3)", "sat", "models 1"):
        facts.write_text(f"edge(1..2,3).\n\n%! test edges: every edge(1,3)\n\n%! test other: {other}\n")
        with pytest.raises(InputError, match="there are only tests"):
            bridge.test(facts)


@pytest.mark.parametrize("quotes", ["codes", "chars", "atom", "string"])
def test_a_prolog_program_that_reads_text_in_another_way(tmp_path: Path, quotes: str) -> None:
    (tmp_path / "a.pl").write_text(f':- set_prolog_flag(double_quotes, {quotes}).\nmine(X) :- X = "ab".\n')
    (tmp_path / "a.plt").write_text(":- begin_tests(a).\ntest(one) :- mine(_).\ntest(two) :- fail.\n:- end_tests(a).\n")
    found = bridge.test(tmp_path / "a.pl")
    assert [one.status for one in found.results] == ["passed", "failed"]
