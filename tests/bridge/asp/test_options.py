"""Options of clingo's command line: followed, or refused with what to use in their place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bridge.asp import Program
from bridge.errors import InputError, UnsupportedError

COSTS = "#const n = 2. 1 { a(1..3) }. :~ a(X). [X, X]"
PROJECTED = "{ a; b; c }. #show a/0. #project b/0. #project c/0."
#: No solution, and no quick proof.
PIGEONS = "{ in(P, 1..8) } = 1 :- P = 1..9. :- in(P, H), in(P', H), P < P'."


@pytest.mark.parametrize(
    "options",
    [
        ["--heuristic=Domain", "--seed", "3"], ["--configuration=trendy"], ["--enum-mode=record"], ["-e", "bt"], ["-t", "2"],
        ["--parallel-mode=2,split"], ["--opt-strategy=usc"], ["-c", "n=3"], ["-W", "none"], ["--rand-freq=0.1"], ["--sign-def=pos"],
        ["--supp-models"], ["--forget-on-step=0"], ["--opt-mode=ignore"], ["--no-gamma"], ["--heu=None"], ["--restarts=no"],
    ],
)  # fmt: skip
def test_options_that_say_how_to_search(options: list[str]) -> None:
    with Program(COSTS, options=options) as program:
        assert len(program.models().collect().solutions) == 7
        assert program.count().number == 7


@pytest.mark.parametrize(
    ("options", "instead"),
    [
        (["--models=3"], "Limits"), (["-n", "3"], "-n 5"), (["-n0"], "Limits"), (["0"], "Limits"), (["--mod=2"], "Limits"),
        (["--seed=3", "7"], "Limits"), (["--project"], "project=True"), (["--project=show"], "--project"), (["--enum-mode=brave"], r"brave\(\)"),
        (["-e", "cautious"], r"cautious\(\)"), (["--opt-stop=3"], r"optimal\(\)"), (["--stats"], "statistics"), (["-s2"], "statistics"),
        (["--time-limit=3"], "Limits"), (["--text"], "ground --text"), (["--output=text"], "ground --text"), (["--outf=2"], "--json"), (["-q"], "--json"),
        (["--quiet=1"], "--json"), (["--mode=gringo"], "lpbridge ground"), (["--verbose=0"], "--json"), (["-V0"], "--json"), (["--pre"], "ground"),
        (["--help"], "--help=3"), (["--version"], "doctor"), (["file.lp"], "among the options"), (["--nosuch"], "no option"), (["--seed=x"], "seed"),
    ],
)  # fmt: skip
def test_options_that_are_refused(options: list[str], instead: str) -> None:
    with pytest.raises((InputError, UnsupportedError), match=instead):
        Program(COSTS, options=options)



@pytest.mark.parametrize(
    ("option", "followed", "refused"),
    [
        ("--opt-mode=enum,3", {"models": 4, "count": 4}, ["optimal"]),
        ("--opt-mode=ignore", {"models": 7, "count": 7}, ["optimal"]),
        ("--opt-mode=optN", {"optimal": 1}, ["models", "count", "brave", "cautious"]),
        ("--opt-mode=opt", {"optimal": 1}, ["models", "count"]),
        ("--opt-mode=optN,0", {"optimal": 0}, ["models"]),
    ],
)
def test_the_optimization_mode_is_that_of_the_question(option: str, followed: dict[str, int], refused: list[str]) -> None:
    asked: dict[str, Callable[[Program], int]] = {
        "models": lambda program: len(program.models().collect().solutions),
        "count": lambda program: program.count().number,
        "brave": lambda program: len(program.brave().solutions),
        "cautious": lambda program: len(program.cautious().solutions),
        "optimal": lambda program: len(program.optimal().solutions),
    }
    with Program(COSTS, options=[option]) as program:
        for question, number in followed.items():
            assert asked[question](program) == number
        for question in refused:
            with pytest.raises(InputError, match="contradicts"):
                asked[question](program)


def test_a_limit_on_conflicts_ends_the_search() -> None:
    with Program(PIGEONS, options=["--solve-limit=20"]) as program:
        for _ in range(2):
            outcome = program.models().collect()
            assert (outcome.solutions, outcome.complete, outcome.limit) == ((), False, None)
            assert outcome.remark == "the option --solve-limit ended the search"
        assert outcome.statistics.counters["conflicts"] < 30
        assert not program.count().complete
        assert program.solve().satisfiable is None


def test_projection_follows_project_statements() -> None:
    with Program(PROJECTED) as program:
        assert program.count().number == program.count(project=True).number == program.count(project="project").number == 4
        assert program.count(project="show").number == 2
        assert program.count(project=False).number == 8
        assert len(program.models(project=True).collect().solutions) == 4
        assert len(program.models(project="show").collect().solutions) == 2
        wrong: Any
        for wrong in ("shown", 2, None, []):
            with pytest.raises(InputError, match="not a projection"):
                program.models(project=wrong).collect()
    with Program("{ a; b }. #show a/0.") as program:
        assert program.count().number == program.count(project="show").number == 2
        assert program.count(project="project").number == 1  # of nothing


def test_what_minimises_and_is_not_asked_for_is_told() -> None:
    for text, told in ((COSTS, True), ("{ a }. #maximize { 1 : a }.", True), ("{ a }. % :~ #minimize { }", False)):
        with Program(text) as program:
            stream = program.models()
            next(stream)
            stream.close()
            found = (stream.statistics, program.count().statistics, program.brave().statistics)
            assert [statistics.counters.get("minimize") for statistics in found] == [1 if told else None] * 3
            assert "minimize" not in program.optimal().statistics.counters


def test_steps_of_models() -> None:
    text = "#include <incmode>. #program step(t). { a(t) }. #program check(t). :- query(t), t < 2. #show a/1."
    with Program(text) as program:
        for _ in range(2):
            assert {model.step for model in program.models()} == {2}
        solved = program.solve().model
        assert solved is not None
        assert solved.step == 2
        assert [model.step for model in (*program.brave().solutions, *program.optimal().solutions[:1])] == [2, 2]
    with Program("a.") as program:
        first = program.first()
        assert first is not None
        assert first.step is None


@pytest.mark.local
def test_clingos_own_control() -> None:
    class AtMostOne:
        """No two of the atoms a(X)."""

        def init(self, init: Any) -> None:
            self.literals = [init.solver_literal(atom.literal) for atom in init.symbolic_atoms.by_signature("a", 1)]
            for literal in self.literals:
                init.add_watch(literal)

        def propagate(self, control: Any, changes: Any) -> None:
            true = [literal for literal in self.literals if control.assignment.is_true(literal)]
            if len(true) > 1:
                control.add_clause([-literal for literal in true])

    with Program("{ a(1..4) }.", isolated=False) as program:
        program.control().register_propagator(AtMostOne())
        assert sorted(str(model) for model in program.models()) == ["", "a(1)", "a(2)", "a(3)", "a(4)"]
        assert program.count().number == 5
        assert [str(model) for model in program.cautious().solutions] == [""]
    with Program("#include <incmode>. a.", isolated=False) as program:
        program.control()
        assert program.count().number == 1
        with pytest.raises(UnsupportedError, match="another Control"):
            program.count()
    with pytest.raises(UnsupportedError, match="isolated"), Program("a.", isolated=True) as program:
        program.control()

    class Wrong:
        def check(self, control: Any) -> None:
            raise ZeroDivisionError

    with Program("{ a }.", isolated=False) as program:
        program.control().register_propagator(Wrong())
        with pytest.raises(ZeroDivisionError):
            program.count()
