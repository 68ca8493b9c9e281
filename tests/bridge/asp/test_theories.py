"""clingo-dl and clingcon: assignments, objectives, and theory atoms without a theory."""

from __future__ import annotations

import copy
import pickle
import sys

import pytest

from bridge.asp import Program
from bridge.errors import InputError, MissingSolverError, ProgramError, UnsupportedError
from bridge.limits import Limits

#: Two jobs on one machine; the first takes 2, the second 3.
JOBS = """
1 { before(a, b); before(b, a) } 1.
&diff { start(X) - start(Y) } <= -D :- before(X, Y), takes(X, D).
&diff { 0 - start(X) } <= 0 :- takes(X, _).
&diff { start(X) - bound } <= -D :- takes(X, D).
takes(a, 2). takes(b, 3).
#show before/2.
"""
#: Ten pairs of numbers, in each of two answer sets.
SUMS = "&dom { 1..4 } = x. &dom { 1..4 } = y. &sum { x; y } >= 5. { a }. #show a/0."
#: x + 2 y is least, 4, where x = 4 and y = 0, and where x = 2 and y = 1.
LEAST = "&dom { 0..4 } = x. &dom { 0..4 } = y. &sum { x; y } >= 3. &sum { x; y; y } >= 4. &minimize { x; 2 * y }. :- not a. { a }."


def test_an_assignment_is_part_of_a_model() -> None:
    with Program(JOBS, theory="clingo-dl") as program:
        stream = program.models()
        found = {str(model): dict(model.assignment) for model in stream}
        assert stream.complete
        assert found == {
            "before(a,b)": {"bound": 5, "start(a)": 0, "start(b)": 2},
            "before(b,a)": {"bound": 5, "start(a)": 3, "start(b)": 0},
        }
        solved = program.solve(assuming=["before(a,b)"]).model
        assert solved is not None
        assert solved.assignment["start(b)"] == 2
        assert type(solved.assignment["start(b)"]) is int
        first = program.first()
    assert first is not None
    for twin in (copy.copy(first), pickle.loads(pickle.dumps(first))):
        assert twin == first
        assert twin.assignment == first.assignment
    with Program("a.") as program:
        plain = program.first()
    assert plain is not None
    assert plain.assignment == {}


def test_models_that_differ_in_their_values_differ() -> None:
    with Program(SUMS, theory="clingcon") as program:
        models = program.models().collect().solutions
        assert len(models) == 20
        assert all(one != other for number, one in enumerate(models) for other in models[:number])
        assert {model.assignment["x"] + model.assignment["y"] for model in models} == {5, 6, 7, 8}  # type: ignore[operator]
        assert program.count().number == 20
        assert program.count(project=True).number == 2
        assert len(program.models(project=True).collect().solutions) == 2
        assert len(program.models(limits=Limits(solutions=7)).collect().solutions) == 7
    with Program(SUMS + "&show { x }.", theory="clingcon") as program:
        assert {tuple(model.assignment) for model in program.models()} == {("x",)}
    with Program("&dom { 1..2 } = v(I) :- I = 1..2. &dom { 1..1 } = w. &show { v/1 }.", theory="clingcon") as program:
        assert {tuple(model.assignment) for model in program.models()} == {("v(1)", "v(2)")}
    with Program("&dom { 1..2 } = w. &show { }.", theory="clingcon") as program:
        assert [dict(model.assignment) for model in program.models()] == [{}, {}]


def test_consequences_are_of_atoms_alone() -> None:
    text = SUMS.replace("{ a }.", "{ a; b }. &sum { x } > 4 :- b. &sum { x } > 1 :- a.") + "#show b/0."
    with Program(text, theory="clingcon") as program:
        brave, cautious = program.brave(), program.cautious()
    assert [(str(model), dict(model.assignment)) for model in (*brave.solutions, *cautious.solutions)] == [("a", {}), ("", {})]


def test_clingcon_minimises() -> None:
    seen: list[tuple[int, ...]] = []
    with Program(LEAST, theory="clingcon") as program:
        for _ in range(2):
            outcome = program.optimal(on_progress=lambda model: seen.append(model.cost))
            (best,) = outcome.solutions
            assert (best.cost, best.proved) == ((4,), True)
            assert (best.assignment["x"], best.assignment["y"]) in ((4, 0), (2, 1))
            assert not outcome.complete  # there is another one, which clingcon does not look for
            assert outcome.remark == "clingcon finds one optimal model"
        assert seen[-1] == (4,)
        models = program.models()
        assert len(list(models)) == 18  # costs are not looked at
        assert models.statistics.counters["minimize"] == 1
    maximized = LEAST.replace("minimize", "maximize")
    with Program(maximized, theory="clingcon") as program:
        (best,) = program.optimal().solutions
        assert (best.cost, dict(best.assignment)) == ((-12,), {"x": 4, "y": 4})


def test_clingo_dl_minimises_a_variable() -> None:
    late = JOBS + "{ late }. &diff { 0 - start(a) } <= -9 :- late. #show late/0."
    with Program(late, theory="clingo-dl", options=["--minimize-variable=bound"]) as program:
        for _ in range(2):
            outcome = program.optimal()
            assert outcome.complete
            assert {(str(model), model.cost, model.proved) for model in outcome.solutions} == {
                ("before(a,b)", (5,), True), ("before(b,a)", (5,), True)}  # fmt: skip
            assert program.count().number == 4  # a bound is gone with its search
        one = program.optimal(limits=Limits(solutions=1))
        assert (len(one.solutions), one.complete, one.limit) == (1, False, "solutions")
        assert program.models().collect().statistics.counters["minimize"] == 1
    with Program(late, theory="clingo-dl", options=["--minimize-variable", "bound,4"]) as program:
        assert program.optimal().solutions == ()  # the bound that it begins with
    program = Program(late, theory="clingo-dl", options=["--minimize-variable=nosuch"])
    with program, pytest.raises(InputError, match="nosuch has no value"):
        program.optimal()


def test_minimize_statements_of_clingo_with_a_theory() -> None:
    with Program(JOBS + "#minimize { 1 : before(a, b) }.", theory="clingo-dl") as program:
        (best,) = program.optimal().solutions
        assert (str(best), best.cost, best.proved, best.assignment["start(a)"]) == ("before(b,a)", (0,), True, 3)
    for text, theory, options in ((LEAST, "clingcon", []), (JOBS, "clingo-dl", ["--minimize-variable=bound"])):
        program = Program(text + "{ more }. #minimize { 1 : more }.", theory=theory, options=options)
        with program, pytest.raises(UnsupportedError, match="two objectives"):
            program.optimal()


def test_options_of_theories() -> None:
    with Program('&diff { x - y } <= "-3.5".', theory="clingo-dl", options=["--rdl", "--propagate=full", "--seed", "3"]) as program:
        model = program.first()
        assert model is not None
        assert model.assignment["y"] == 3.5
    with Program("#const n = 9. &dom { 1..n } = x.", theory="clingcon", options=["--const=n=3", "--sign-value=+"]) as program:
        assert program.count().number == 3
    for theory, option in (("clingo-dl", "--propagate=nonsense"), ("clingo-dl", "--minimize-variable"), ("clingcon", "--translate-pb=x")):
        with pytest.raises(InputError, match=f"{theory} does not take the option {option}"):
            Program("a.", theory=theory, options=[option])
    for theory, option in (("clingcon", "--nosuch=1"), ("clingcon", "--rdl"), ("clingo-dl", "--sign-value=1")):
        with pytest.raises(InputError, match="clingo's library has no option"):
            Program("a.", theory=theory, options=[option])


def test_steps_assumptions_and_added_text_with_a_theory() -> None:
    text = (
        "#include <incmode>. &diff { 0 - x } <= -3. #program step(t). &diff { x - 0 } <= 9. &diff { 0 - y(t) } <= -t. "
        "#program check(t). :- query(t), t < 2."
    )
    with Program(text, theory="clingo-dl") as program:
        for _ in range(2):
            ((model),) = program.models()
            assert (dict(model.assignment), model.step) == ({"x": 3, "y(1)": 1, "y(2)": 2}, 2)
    with Program("{ a; b }.", theory="clingo-dl") as program:
        program.add("&diff { 0 - x } <= -7 :- a. &diff { x - 0 } <= 5 :- b.")
        clash = program.solve(assuming=["b", "a"])
        assert (clash.satisfiable, sorted(map(str, clash.core))) == (False, ["a", "b"])
        assert program.count().number == 3
        program.ground()
        assert program.count(assuming=["b"]).number == 1


def test_theory_atoms_without_a_theory() -> None:
    defined = "#theory t { s { - : 1, binary, left }; &%s/0 : s, {<=}, s, any }. { a }. &%s { x - y } <= 3 :- a."
    with Program("&diff { x - y } <= 3.") as program, pytest.raises(ProgramError, match='theory="clingo-dl"'):
        program.first()
    with Program("&sum { x; y } <= 3.") as program, pytest.raises(ProgramError, match="--theory clingcon"):
        program.first()
    with Program(defined % ("diff", "diff")) as program, pytest.raises(UnsupportedError, match="mean nothing without"):
        program.first()
    with Program(defined % ("own", "own")) as program:
        assert program.count().number == 2
        assert any("&own" in warning for warning in program.warnings)
    with Program(defined % ("own", "own"), theory="clingo-dl") as program:
        program.ground()
        assert any("&own" in warning for warning in program.warnings)
    with Program(defined % ("sum", "sum"), isolated=False) as program:
        program.control()  # the caller's own propagator
        assert program.count().number == 2


def test_theories_that_are_wrong_or_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="there is no theory 'dl'"):
        Program("a.", theory="dl")
    with Program("&diff { x * y } <= 3.", theory="clingo-dl") as program, pytest.raises(ProgramError, match="difference constraints"):
        program.first()
    with pytest.raises(ProgramError, match=r"<block>:2:.*syntax error"):
        Program("a.\n&diff { x - y } <= .", theory="clingo-dl")
    monkeypatch.setitem(sys.modules, "clingodl", None)
    with pytest.raises(MissingSolverError, match=r"lpbridge\[theories\]"):
        Program("a.", theory="clingo-dl", isolated=False)


@pytest.mark.local
def test_an_untrusted_program_with_a_theory() -> None:
    with Program(JOBS, theory="clingo-dl", untrusted=True, options=["--minimize-variable=bound"]) as program:
        assert {model.cost for model in program.optimal().solutions} == {(5,)}
