"""`lint` finds an error in what clingo or SWI-Prolog refuse, tells it where it is, and has nothing against our own programs."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from random import Random

import clingo
import pytest
from command import called
from shared_data import ROOT

import bridge
from bridge.linting.result import Lint
from bridge.problem.asp import AspProblem


def lint(program: str, **given: object) -> Lint:
    return bridge.lint(bridge.program(program), **given)  # type: ignore[arg-type]


def prolog(program: str) -> Lint:
    return bridge.lint(bridge.goal(program, "true"))


def is_refused(program: str) -> bool:
    control = clingo.Control(["--warn=none"], logger=lambda *_: None)
    try:
        control.add("base", [], program)
        control.ground([])
    except RuntimeError:
        return True
    return False


@pytest.mark.parametrize(
    ("program", "id", "column"),
    [
        ("q(1). p(X') :- not q(X').", "LP002", 9),
        ("q(1). p(X'') :- X'' = Y', not q(Y').", "LP002", 9),
        ("p(_) :- q.\nq.", "LP002", 3),
        ("#show X : not p(X).\np(1).", "LP002", 7),
        ("q(1).\n#program part(k).\np(X, k) :- not q(X).", "LP002", 3),
        ("#const n = 1. #const n = 2. p(n).", "LP019", 15),
        ("#const n = m. #const m = n. p(n).", "LP019", 1),
        ("&sum { x } = 1.", "LP019", 2),
        ("#theory t { a { }; &x/0 : b, any }. &x { }.", "LP019", 38),
        ("#script (python)\ndef f(:\n#end.\np(1).", "LP019", 1),
        ("#script (lua)\nx = 1\n#end.\np(1).", "LP019", 1),
        ("#script (Python)\nx = 1\n#end.\np(1).", "LP001", 10),  # no name: clingo reads no further
        ("p(1 :- q.", "LP001", 2),
    ],
)
def test_what_clingo_refuses_is_an_error(program: str, id: str, column: int) -> None:
    errors = [one for one in lint(program).findings if one.level == "error"]
    assert (id, column) in [(one.id, one.place.column) for one in errors]


def test_random_rules_are_refused_by_both_or_by_none() -> None:
    chance = Random(7)
    variables = ["X", "Y", "X'", "_Z", "X_1", "_"]
    literals = [
        "p({})",
        "not p({})",
        "not not q({})",
        "{} = Y + 1",
        "{} = 1..2",
        "{} < 2",
        "q({}) : p(Y)",
        "#sum {{ {} : p(Y) }} > Z",
    ]
    heads = ["r({})", "{{ r({}) : p(Y) }}", "", "r({}) : q(Y)", "#show {}", "1 {{ r(Y) : p({}) }} Z"]
    for _ in range(300):
        body = "; ".join(chance.choice(literals).format(chance.choice(variables)) for _ in range(chance.randint(1, 3)))
        head = chance.choice(heads).format(chance.choice(variables))
        program = f"p(1..2). q(1).\n{head} {':' if head.startswith('#') else ':-'} {body}.\n"
        errors = [one for one in lint(program).findings if one.level == "error"]
        assert bool(errors) == is_refused(program), program


def test_a_theory_that_is_given_describes_its_atoms() -> None:
    pytest.importorskip("clingodl")
    program = "&diff { a - b } <= 3."
    (found,) = lint(program).findings
    assert found.id == "LP019"
    assert found.sentence.endswith('run it with --theory clingo-dl (in Python theory="clingo-dl")')
    assert lint(program).certain
    assert not bridge.lint(AspProblem(program, theory="clingo-dl")).findings


def test_constants_from_outside_are_no_second_definition() -> None:
    assert not bridge.lint(bridge.program("#const n = 1. p(n).", n=3)).certain


def test_no_script_runs(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    assert not lint(f"#script (python)\nopen({str(trace)!r}, 'w')\n#end.\np(1).").certain
    assert not trace.exists()
    assert lint("#script (python)\nraise ValueError\n#end.\n").notes == (
        "the script was not run: what it does is not known",
    )


def test_a_name_that_begins_with_a_capital_letter_is_a_variable() -> None:
    (found,) = lint("color(Red). color(green).\nx(X) :- color(X).\n").findings
    assert found.suggestion == "red"
    assert "capital letter" in found.sentence
    assert [one.suggestion for one in lint("n(1). m(X) :- not n(X).").findings] == [
        None
    ]  # m(X) binds no X in its own rule


@pytest.mark.parametrize(
    ("program", "line", "column", "missing"),
    [
        ("p(1).\nq(2)\n\n% a comment\n#show q/1.\n", 2, 4, "a dot is missing"),
        ("p(1) :- q % why\n:- r.\n", 1, 9, "a dot is missing"),
        ("p :- q\n  r.\n", 1, 6, "a dot or a comma is missing"),
        ("p(1).\nq :- p(1)\n", 2, 9, "a dot is missing"),
        ("p(é)\nq(2).\n", 1, 3, ""),  # no constant
        ('#show p/1.\np("é")\nq(2).\n', 2, 6, "a dot or a comma is missing"),
        ("p :- q(\n1) s(2).\n", 2, 4, ""),
        ("p :- q r.\n", 1, 8, ""),
        ("{ in(X) : n(X) }\nok(Y) :- in(Y).\nn(1).\n", 1, 16, "is a dot missing here?"),
        ("n(1).\nok(X) :- n(X)\n{ in(X) }.\n", 2, 13, "is a dot missing here?"),
    ],
)
def test_a_forgotten_dot_is_told_where_it_is_missing(program: str, line: int, column: int, missing: str) -> None:
    found = next(one for one in lint(program).findings if one.id in ("LP001", "LP018"))
    assert (found.place.line, found.place.column) == (line, column)
    assert found.sentence.startswith(missing)
    assert bool(missing) or "dot is missing" not in found.sentence


def test_run_tells_a_forgotten_dot_as_lint_does(tmp_path: Path) -> None:
    path = tmp_path / "a.lp"
    path.write_text("p(1)\n#show p/1.\nq(1)\n#show q/1.\n")
    run = called("run", str(path))
    assert run.returncode == 2
    assert [line for line in run.stderr.splitlines() if line.startswith("lpbridge")] == [
        f"lpbridge: {path}:{line}:4: a dot is missing at the end of this line (syntax error, unexpected #showsig in line {line + 1}), "
        f"in `{text}`; end each rule with a dot"
        for line, text in ((1, "p(1)"), (3, "q(1)"))
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("program", "line", "column", "missing"),
    [
        ("p(1).\nq :-\n  r,\n  s % why\nt :- u.\n", 4, 3, "a dot is missing"),
        ("p(1)\nq(2)\nr(3).\n", 1, 4, "a dot is missing"),
        ("p :- q\n  , r\n  s.\n", 2, 5, "a dot or a comma is missing"),
        ("p :- q", 1, 6, "a dot is missing"),
        ("p :- q\n:- dynamic r/1.\n", 1, 6, "a dot is missing"),
        (":- use_module(library(clpfd))\n\n% two\np(X, Y) :- [X, Y] ins 1..9, X #< Y.\n", 1, 29, "a dot is missing"),
        (":- use_module(library(clpfd)), X #= 3.\n", 1, 34, "operator expected"),
        ("p(2) q.\n", 1, 6, "operator expected"),
        ("% (\np(X) :- % (\n  (   X = 'a(' -> true\n  ;   X = 0'(\n  .\n", 5, 3, "`(` in line 3 is not closed"),
        ("p(X) :- member(X, [1, 2), q.\n", 1, 24, "`[` in line 1 is closed by `)`"),
        ("p(X) :- X = f(1)), q.\n", 1, 17, "`)` in line 1 closes nothing"),
    ],
)
def test_a_forgotten_dot_of_prolog(program: str, line: int, column: int, missing: str) -> None:
    (found,) = (one for one in prolog(program).findings if one.id == "PL001")
    assert (found.place.line, found.place.column) == (line, column)
    assert found.sentence.startswith(missing)


def test_errors_are_counted_as_errors(tmp_path: Path) -> None:
    path = tmp_path / "a.lp"
    path.write_text("p(X) :- not q(X).\nr(X) :- not q(X).\nq(1).\ns :- qq(1), qq(2).\n")
    assert called("lint", str(path)).stdout.splitlines()[-1] == "2 errors, 0 warnings, 1 remark; 1 more with -v"
    assert ": error: " in called("lint", str(path), "--format", "gcc").stdout
    path.write_text("p.\n")
    assert called("lint", str(path)).stdout.startswith("no check has a finding; ")


OWN = sorted(
    path
    for folder in ("encodings", "examples")
    for path in (ROOT / folder).rglob("*.[lp][pl]")
    if path.suffix in (".lp", ".pl")
)


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.name)
def test_our_own_programs_are_clean(path: Path) -> None:
    assert [str(one) for one in bridge.lint(path).certain] == []


def test_a_part_is_for_those_who_ask_for_it() -> None:
    part = '#const n = 3.\np(1..n).\n#show p/1.\n#program workbench.\nwidth("n", n).\np(1..n).\nrow(columns).\n'
    assert lint(part).findings == ()
    assert [one.id for one in lint(part.replace("#program workbench.\n", "")).findings] != []


def test_a_constant_with_the_name_of_a_predicate() -> None:
    assert not lint("#const columns = 2.\ncolumn(1..columns).\n{ c(C) } :- column(C).\n").certain


@pytest.mark.parametrize("term", ["-" * 1200 + "q/1", "**".join(["1"] * 1200) + " : q(1)"])
def test_terms_that_are_nested_deeply(term: str) -> None:
    """The one is read, of the other the depth is named; neither is a bug."""
    with suppress(bridge.UnsupportedError):
        bridge.lint(f"q(1). #show {term}.")


def test_what_clingo_refuses_has_its_file_where_facts_stand_before_it(tmp_path: Path) -> None:
    files = tmp_path / "one.lp", tmp_path / "two.lp"
    files[0].write_text("d(1). d(2).\n\nm(N) :- N = #count { d(X, Y) }.\n")
    files[1].write_text("q(1).\nr(X) :- q(X).\n")
    found = [one for one in bridge.lint(bridge.program(*files)).findings if one.level == "error"]
    assert {(one.id, one.place.file, one.place.line) for one in found} == {("LP002", str(files[0]), 3)}
