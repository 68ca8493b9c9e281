"""The CSP of a ground program: the same solutions as clingo has, on random programs and on boards of kinds."""

from __future__ import annotations

import json
from collections import Counter, OrderedDict
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest

import bridge
from bridge.asp import Program
from bridge.errors import MissingSolverError, Place, UnsupportedError
from bridge.limits import Limits
from bridge.outcome import Verdict
from bridge.puzzles.engines import engine
from bridge.puzzles.engines.csp import CSPEngine
from bridge.puzzles.kinds import Puzzle, file_models, parse, puzzle_class, trust
from bridge.puzzles.kinds.ground_csp import GroundCSP, LoopError, ground_csp
from bridge.puzzles.kinds.models import models
from bridge.puzzles.kinds.registry import add_path
from bridge.puzzles.kinds.rules import Cell, Value
from bridge.puzzles.search import AllDifferent, Sum
from fuzz.kinds import KINDS, NOT_TIGHT

ENGINES = ("mac+mrv", "gac+mrv+wdeg", "fc+mrv", "bt+mrv", "cp-sat")
THEORY = "#theory t { u { }; &sum/0 : u, { = }, u, body }. { a }. :- a, &sum { 1 } = 1."


def form_of(text: str, *, isolated: bool = False) -> GroundCSP:
    with Program(text, isolated=isolated) as program:
        return ground_csp(program.inside().ground_rules("cell"), "cell")


def solutions(text: str, name: str = "mac+mrv") -> list[dict[Cell, Value]]:
    form, solver = form_of(text), engine(name)
    assert isinstance(solver, CSPEngine)
    return [form.read_assignment(found) for found in solver.assignments(form.csp)]


def random_program(chance: Random) -> str:
    """Cells with one of some values, and atoms with rules that may use each other, also through negation."""
    cells = chance.randint(1, 3)
    most = chance.randint(2, 3)
    if chance.random() < 0.8:
        lines = [f"{{ cell(1, C, 1..{most}) }} = 1 :- C = 1..{cells}."]
    else:
        lines = [f"{{ cell(1, C, 1) }} :- C = 1..{cells}.", f"cell(1, C, 0) :- C = 1..{cells}, not cell(1, C, 1)."]
    known = [f"cell(1, {c}, {v})" for c in range(1, cells + 1) for v in range(most + 1)]
    derived = [f"d({i})" for i in range(chance.randint(1, 4))]
    lines.append(f"{{ c(1..{chance.randint(1, 3)}) }} {chance.choice(['', '1', '= 1'])}.")
    known += ["c(1)", "c(2)"]

    def literals(positive: list[str], number: int) -> list[str]:
        every = [*positive, *(f"not {atom}" for atom in [*known, *derived]), *(f"not not {atom}" for atom in known)]
        return chance.sample(every, min(number, len(every)))

    def body(before: list[str], share: float = 0.35) -> str:
        positive = [*known, *before]
        if chance.random() < share:
            elements = literals(positive, chance.randint(1, 4))
            terms = "; ".join(f"{chance.randint(-2, 3)},{i} : {one}" for i, one in enumerate(elements))
            return f"#sum {{ {terms} }} {chance.choice(['=', '!=', '<=', '>='])} {chance.randint(-1, 4)}"
        return ", ".join(literals(positive, chance.randint(1, 3)))

    for place, atom in enumerate(derived):
        for _ in range(chance.randint(0, 2)):
            head = f"{{ {atom} }}" if chance.random() < 0.3 else atom
            lines.append(f"{head} :- {body(derived[:place])}.")
    if chance.random() < 0.4:  # as many values as cells, or nearly; and their sum
        some = chance.randint(1, cells)
        lines.append(f"has(V) :- cell(1, C, V){', C > 1' if chance.random() < 0.2 else ''}.")
        lines.append(f":- not {{ has(V) }} {chance.choice(['=', '>=', '='])} {chance.choice([some, cells, cells])}.")
        lines.append(f":- #sum {{ V : has(V){', not c(1)' if chance.random() < 0.2 else ''} }} > {chance.randint(2, 7)}.")
        known.append("has(2)")
    lines += [f":- {body(derived)}." for _ in range(chance.randint(0, 2))]
    lines += [f":- not {body(derived, 1)}." for _ in range(chance.randint(0, 2))]
    return "\n".join([*lines, "#defined cell/3. #defined c/1. #defined d/1. #defined has/1."]) + "\n"


def answers(text: str) -> list[dict[Cell, Value]]:
    with Program(text, isolated=False) as program:
        return [{(r, c): v for r, c, v in sorted(model["cell"])} for model in program.models()]


@pytest.mark.slow
@pytest.mark.parametrize("start", range(0, 240, 40))
def test_random_programs_have_the_answer_sets_of_clingo(start: int) -> None:
    """Each answer set is one solution, with the same cells."""
    many = loops = 0
    for seed in range(start, start + 40):
        text, expected = random_program(Random(seed)), answers(random_program(Random(seed)))
        try:
            found = solutions(text, ENGINES[seed % 4])
        except LoopError:  # a sum over atoms that use each other
            loops += 1
            continue
        assert Counter(map(str, map(sorted, map(dict.items, expected)))) == Counter(
            map(str, map(sorted, map(dict.items, found)))
        ), text
        many += len(found) > 1
    assert many > 5
    assert loops < 4


def test_random_programs_with_cp_sat() -> None:
    for seed in range(30):
        text = random_program(Random(seed))
        assert {str(sorted(one.items())) for one in answers(text)} == {
            str(sorted(one.items())) for one in solutions(text, "cp-sat")
        }, text


def board(kind: str, seed: int) -> Puzzle:
    return puzzle_class(kind).from_json({"puzzle": kind, **KINDS[kind].make(Random(seed))}, Place())


@pytest.mark.slow
@pytest.mark.parametrize("kind", sorted(set(KINDS) - set(NOT_TIGHT)))
def test_boards_have_the_same_solutions_as_by_clingo(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trust, "_worker", True)
    compared = 0
    for seed in range(6):
        puzzle = board(kind, seed)
        expected = engine("asp").solutions(puzzle, Limits(solutions=200)).collect()
        if not expected.complete:
            continue
        compared += 1
        name = ENGINES[seed % len(ENGINES)]
        try:
            found = engine(name).solutions(puzzle, Limits(nodes=20_000)).collect()
        except MissingSolverError:
            continue
        assert set(found.solutions) <= set(expected.solutions), (name, seed)
        assert not found.complete or len(found.solutions) == len(expected.solutions), (name, seed)
    assert compared > 5


@pytest.mark.parametrize("kind", NOT_TIGHT)
def test_a_program_that_is_not_tight_is_refused_with_its_rule(kind: str) -> None:
    with pytest.raises(UnsupportedError, match=r"reached\(.*may depend on itself: reached\(R") as raised:
        engine("mac+mrv").solutions(board(kind, 1)).collect()
    assert raised.value.where is not None
    assert str(raised.value.where.file).endswith(f"{kind}.lp")
    assert raised.value.where.line


def test_a_refusal_is_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Any] = []
    reading = file_models._read_csp
    monkeypatch.setattr(file_models, "_kept", OrderedDict())
    monkeypatch.setattr(file_models, "_read_csp", lambda *given: read.append(given) or reading(*given))
    puzzle = board("hitori", 1)
    raised = set()
    for one in (puzzle, replace(cast(Any, puzzle)), puzzle.with_clues(puzzle.clues())):
        for name in ("mac+mrv", "gac"):
            with pytest.raises(UnsupportedError) as caught:
                engine(name).solutions(one).collect()
            raised.add((str(caught.value), caught.value.where))
    assert (len(read), len(raised)) == (1, 1)


def test_loops() -> None:
    for text in ("a :- b. b :- a. { c }. a :- c.", "{ c }. a :- c. a :- b. b :- a, not not a."):
        with pytest.raises(LoopError):
            form_of(f"{text} cell(1, 1, 1).")
    # These are none: through negation, through what is false, of facts, and in a disjunction.
    for text in ("a :- not b. b :- not a.", "a :- b. b :- a, d. #defined d/0.", "a. b :- a. a :- b.", "a :- not not a.", "a ; b. { c }."):
        assert len(solutions(f"{text} cell(1, 1, 1).")) == len(answers(f"{text} cell(1, 1, 1)."))


@pytest.mark.parametrize("text", ["{ a }. #minimize { 1 : a }.", "#edge (1, 2) : a. { a }.", THEORY])
def test_what_has_no_form_is_refused(text: str) -> None:
    with pytest.raises(UnsupportedError, match="has no CSP"):
        form_of(f"{text} cell(1, 1, 1).")


def test_constraints_are_recognised() -> None:
    latin = """
        {{ cell(R, C, V) : V = 1..4 }} = 1 :- R = 1..4, C = 1..4.
        {}
        :- not #sum {{ V, C : cell(1, C, V), C < 3 }} = 5.
    """
    pairwise = ":- cell(R, C, V), cell(R, D, V), C < D. :- cell(R, C, V), cell(S, C, V), R < S."
    counted = """
        :- R = 1..4, V = 1..4, not { cell(R, C, V) } = 1.
        :- C = 1..4, V = 1..4, not { cell(R, C, V) } = 1.
    """
    for rules in (pairwise, counted):
        csp = form_of(latin.format(rules)).csp
        assert Counter(map(type, csp.constraints)) == {AllDifferent: 8, Sum: 1}
        assert len(csp.variables) == 16


def test_a_cage_is_an_all_different_and_a_sum() -> None:
    """As many values as cells, and their sum: the atoms that count values have no variables."""
    text = """
        { cell(1, C, 1..9) } = 1 :- C = 1..3.
        has(V) :- cell(1, _, V).
        :- not { has(V) } = 3.
        :- not #sum { V : has(V) } = 7.
    """
    form = form_of(text)
    assert sorted(type(one).__name__ for one in form.csp.constraints) == ["AllDifferent", "Sum"]
    assert form.csp.variables == ((1, 1), (1, 2), (1, 3))
    assert len(solutions(text)) == len(answers(text)) == 6


def test_two_sums_of_the_same_cells_that_clash() -> None:
    # Of values 1 and 2, a sum of 4 is twice the 2; and two cells that differ have it once.
    pair = "{ cell(1, C, 1..2) } = 1 :- C = 1..2. :- V = 1..2, not { cell(1, C, V) } = 1."
    assert solutions(f"{pair} :- not #sum {{ V, C : cell(1, C, V) }} = 4.") == []
    assert len(solutions(f"{pair} :- not #sum {{ V, C : cell(1, C, V) }} = 3.")) == 2


def test_the_rules_of_an_isolated_program_are_the_same() -> None:
    text = random_program(Random(3))
    assert str(form_of(text).csp) == str(form_of(text, isolated=True).csp)


KIND = """
#const n = 3.
%! always: each cell holds one value.
{ cell(1, C, 1..n) } = 1 :- C = 1..n.
%! rising: values rise from left to right.
:- cell(1, C, V), cell(1, C + 1, W), V >= W.
#show cell/3.
#program workbench.
title("Rising").
constant("n", columns).
value(1..n).
rows(clue(row, column, value)).
"""


def test_a_kind_of_ones_own_is_solved_by_all(tmp_path: Path) -> None:
    file = tmp_path / "rising.lp"
    file.write_text(KIND, encoding="utf-8")
    puzzle: Puzzle = parse(add_path(str(file)), ". 2 .")
    for name in ("mac+mrv", "gac", "bt", "dfs+fc"):
        assert bridge.check(puzzle, engine=name).verdict is Verdict.UNIQUE
    clashing: Puzzle = parse(puzzle.kind, "3 2 .")
    assert engine("mac").solutions(clashing).collect().verdict is Verdict.IMPOSSIBLE
    found = engine("mac").propagated(puzzle)
    assert found.possible == {(1, 1): (1,), (1, 2): (2,), (1, 3): (3,)}
    open_: Puzzle = parse(puzzle.kind, ". . .")
    assert models(open_).engine_csp(Limits()).variables == ((1, 1), (1, 2), (1, 3))


def test_a_sum_in_which_a_variable_has_one_value_left() -> None:
    """Of 5 cells of two cages a sum is left with one open term: case 201:5179 of a campaign."""
    facts = ["cage(1,3,c8)", "cage(2,4,c1)", "cage(3,1,c5)", "cage(4,1,c5)", "cage(3,2,c7)", "cage(4,2,c7)", "cage(4,3,c7)"]
    facts += ["sum(c1,1)", "sum(c5,4)", "sum(c7,7)", "sum(c8,2)"]
    data = {"puzzle": "killer", "grid": [[None] * 4 for _ in range(4)], "facts": facts, "constants": {"n": 4}}
    puzzle: Puzzle = parse("killer", json.dumps(data))
    expected = engine("asp").solutions(puzzle).collect().solutions
    assert len(expected) == 2
    for name in ENGINES[:4]:
        assert sorted(engine(name).solutions(puzzle).collect().solutions) == sorted(expected)


@pytest.mark.slow
def test_a_limit_ends_the_grounding(tmp_path: Path) -> None:
    file = tmp_path / "endless.lp"
    file.write_text(KIND.replace("#show", "p(0). p(X + 1) :- p(X), X < 1000000000.\n#show", 1), encoding="utf-8")
    puzzle: Puzzle = parse(add_path(str(file)), ". . .")
    found = engine("mac").solutions(puzzle, Limits(seconds=1)).collect()
    assert (found.verdict, found.limit) == (Verdict.UNKNOWN, "seconds")


def test_a_sum_of_one_is_no_count_where_a_value_weighs_two() -> None:
    """The cage needs 5 of 1, 2 and 3, where 2 stands in the middle: of 1 and 3, one would have to be 2."""
    facts = [*(f"cage(1,{column},k)" for column in (1, 2, 3)), 'result(k,5,"+")', "cage(2,1,a)", "cage(3,3,b)", "result(a,2)", "result(b,2)"]
    form = {"puzzle": "kenken", "grid": [[None] * 3] * 3, "facts": facts, "constants": {"n": 3}}
    for name in ("asp", "mac", "gac"):
        assert bridge.check(parse("kenken", json.dumps(form)), engine=name).verdict is Verdict.IMPOSSIBLE
