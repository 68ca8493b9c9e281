"""A program in another solver: clingo 6, whose package is made of clingo 5 here, and the SWI-Prolog of this machine as another one."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from patience import PATIENCE

import bridge
from bridge.asp import Constant, Extreme, Function
from bridge.asp.running.packing import unpack
from bridge.comparison.clingo6_worker import packed
from bridge.comparison.contenders import contender
from bridge.comparison.instance import Instance
from bridge.comparison.solvers import PYTHON, in_solver
from bridge.errors import InputError, MissingSolverError, ProgramError
from bridge.limits import Limits
from bridge.prolog.locate import current

#: What of `clingo_funasp` the worker calls, by clingo 5.
CONTROL = """
from types import SimpleNamespace
import clingo

def symbol(of):
    kind = "Tuple" if of.type.name == "Function" and not of.name else of.type.name
    values = {"Number": lambda: {"number": of.number}, "String": lambda: {"string": of.string}}.get(kind, dict)()
    if kind in ("Function", "Tuple"):
        values = {"name": of.name, "arguments": list(map(symbol, of.arguments)), "is_positive": of.positive}
    return SimpleNamespace(type=SimpleNamespace(name=kind), **values)

class Control:
    def __init__(self, library, options):
        self._control, self.parse_files, self.parse_string = clingo.Control(options), self._files, self._text
    def _files(self, files):
        for file in files:
            self._control.load(file)
    def _text(self, text):
        self._control.add("base", [], text)
    def ground(self):
        self._control.ground([("base", [])])
    def solve(self, on_model):
        self._control.solve(on_model=lambda model: on_model(SimpleNamespace(
            symbols=lambda **what: list(map(symbol, model.symbols(**what))))))
"""
LIBRARY = "from contextlib import nullcontext as Library\n"


def a_python(folder: Path, body: str) -> str:
    """A program that is called as Python is."""
    path = folder / "python"
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return str(path)


@pytest.fixture
def clingo6(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    package = tmp_path / "clingo_funasp"
    package.mkdir()
    (package / "control.py").write_text(CONTROL)
    (package / "core.py").write_text(LIBRARY)
    words = f"shift; export PYTHONPATH='{os.pathsep.join([str(tmp_path), *filter(None, sys.path)])}'; exec '{sys.executable}' \"$@\""
    monkeypatch.setenv(PYTHON, a_python(tmp_path, words))
    return tmp_path


PROGRAMS = [
    "{ a; b } = 1.",
    "{ p(1..2) }. -q(X) :- p(X). r(\"s t\", c, f(-1, (x, #inf)), ()) :- p(1). #show r/4. #show -q/1.",
    "p(1..n). #const n=2.",
    "{ a; b }. #minimize { 1 : a }.",
    "a. :- a.",
    "#show.\n{ a }.",
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.usefixtures("clingo6")
def test_the_same_program_has_the_same_answers(program: str) -> None:
    one = contender(bridge.program(program))
    found = bridge.compare(one, in_solver(one, "clingo6"), limits=Limits(seconds=PATIENCE, solutions=50))
    assert found.agree, str(found)
    assert not found.undecided


@pytest.mark.usefixtures("clingo6")
def test_instances_constants_and_what_is_shown_are_those_of_the_comparison(tmp_path: Path) -> None:
    (tmp_path / "colour.lp").write_text("{ c(X,(r;g)) } = 1 :- node(X).\n:- e(X,Y), c(X,C), c(Y,C), k > 1.\nother(X) :- node(X).\n#const k=2.\n")
    one = contender(tmp_path / "colour.lp", show="c/2")
    facts = ["node(1..2). e(1,2).", "node(1..2). e(1,1)."]
    found = bridge.compare(one, in_solver(one, "clingo6"), instances=[Instance.of_text(one, k=3) for one in facts], limits=Limits(seconds=PATIENCE, solutions=50))
    assert [row.to_json()["solutions"] for row in found.rows] == [2, 2, 0, 0], str(found)
    assert found.agree


@pytest.mark.parametrize(
    ("prints", "words"),
    [
        ("echo '[[\"cost\", [[\"c\", \"a\"], 2500000000]]]'; echo end", "cost(a,-1794967296)"),
        ("echo 'a.lp:1:1-5: error: unsafe variables in:'; echo '  p(X)'; echo 'Traceback'", "clingo 6 gave no answer: a.lp:1:1-5: error: unsafe variables in: p(X) Traceback"),
        ("exit 3", "it said nothing"),
    ],
)  # fmt: skip
def test_what_another_solver_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, prints: str, words: str) -> None:
    monkeypatch.setenv(PYTHON, a_python(tmp_path, prints))
    one = contender(bridge.program("base(50000). cost(a,X*X) :- base(X). #show cost/2."))
    found = bridge.compare(one, in_solver(one, "clingo6"), limits=Limits(seconds=PATIENCE, solutions=9))
    assert words in str(found)
    assert len(found.undecided) == (0 if "cost" in prints else 1)


def test_another_solver_ends_at_its_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PYTHON, a_python(tmp_path, "echo '[[\"a\", []]]'; exec sleep 1000"))
    other = in_solver(contender(bridge.program("a.")), "clingo6")
    found = other.answers(Instance(), Limits(seconds=1)).collect()
    assert (found.limit, len(found.solutions), found.complete) == ("seconds", 1, False)


def _symbol(kind: str, **values: Any) -> Any:
    return SimpleNamespace(type=SimpleNamespace(name=kind), **values)


def test_terms_of_clingo_6_are_values() -> None:
    one = _symbol("Function", name="c", arguments=[], is_positive=True)
    inner = _symbol("Function", name="f", arguments=[_symbol("Number", number=2**40), one], is_positive=False)
    terms = [_symbol("Supremum"), _symbol("String", string="s"), inner]
    found = unpack(packed(_symbol("Tuple", name="", arguments=terms)))
    assert found == (Extreme("#sup"), "s", Function("f", (2**40, Constant("c")), False))


GOALS = [
    ("p(X, L) :- member(X, [3, 1, 2]), findall(Y, between(1, X, Y), L).", "p(X, L)"),
    ("p('a b', \"text\", f(x, [1.5, -2, - 2, 'B']), 1r3).", "p(A, B, C, D)"),
    ("p(1). p(1). p(2).", "p(X)"),
    ("p(X) :- print(noise), nl, X = 1.", "p(X)"),
    ("p(1).", "p(2)"),
    ("p :- true.", "p"),
    (":- op(700, xfx, ===>).\np(a ===> b).", "p(X), X = (_ ===> Y)"),
]  # fmt: skip


@pytest.mark.parametrize(("program", "goal"), GOALS)
def test_the_same_goal_has_the_same_answers(program: str, goal: str) -> None:
    one = contender(bridge.PrologProblem([program], goal))
    found = bridge.compare(one, in_solver(one, str(current().swipl)), limits=Limits(seconds=PATIENCE, solutions=50))
    assert found.agree, str(found)
    assert not found.undecided, str(found)


@pytest.mark.parametrize(
    ("program", "words"),
    [("p(X) :- q(X).", "Unknown procedure"), (":- use_module(library(clpfd)).\np(X) :- X in 1..3.", "constraints_are_left_open")],
)
def test_what_a_goal_leaves_open_and_its_errors_are_told(program: str, words: str) -> None:
    other = in_solver(contender(bridge.PrologProblem([program], "p(X)")), str(current().swipl))
    with pytest.raises(ProgramError, match=words):
        other.answers(Instance(), Limits(seconds=PATIENCE)).collect()


def test_what_is_not_for_a_solver_or_not_there_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asp, goal = contender(bridge.program("a.")), contender(bridge.PrologProblem(["p."], "p"))
    monkeypatch.delenv(PYTHON, raising=False)
    monkeypatch.setattr("bridge.comparison.solvers.find_spec", lambda name: None)
    with pytest.raises(MissingSolverError, match="pip install clingo-funasp"):
        in_solver(asp, "clingo6")
    with pytest.raises(MissingSolverError, match="no program that can be run"):
        in_solver(goal, str(tmp_path / "nowhere"))
    for one, solver in ((asp, "swipl"), (goal, "clingo6")):
        with pytest.raises(InputError, match="cannot be run by"):
            in_solver(one, solver)
    with pytest.raises(InputError, match="optimal"):
        in_solver(contender(bridge.program("a.", optimal=True)), "clingo6")
