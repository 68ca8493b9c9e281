"""Joins: the order of gringo, and estimates against what is counted."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise

import clingo
import pytest
from clingo import ast
from patience import PATIENCE

from bridge.limits import UNLIMITED
from bridge.profiling import by_rule
from bridge.profiling.grounding_profile import Estimate, StatementProfile, profile
from bridge.profiling.joins import Domains, estimate, order, scopes

FACTS = (
    "p(1..40). q(1..7). e(X,(X*7) \\ 40) :- p(X). e(X,(X*3) \\ 40) :- p(X). f(g(X),X) :- q(X). big(X,Y) :- p(X), q(Y)."
)


def _grounded(facts: str, rule: str) -> tuple[clingo.Control, list[str], ast.AST]:
    """A control with the domains of some facts, the ground atoms of `h` in the order in which they came, and the rule."""
    control, heads = clingo.Control(), []

    class Order(clingo.Observer):
        def rule(self, choice: bool, head: list[int], body: list[int]) -> None:
            heads.extend(head)

    control.register_observer(Order())
    control.add("base", [], f"{facts}\n{rule}")
    control.ground([("base", [])])
    names = {atom.literal: str(atom.symbol) for atom in control.symbolic_atoms}
    parsed: list[ast.AST] = []
    ast.parse_string(rule, parsed.append)
    return control, [names[one] for one in heads if names.get(one, "").startswith("h(")], parsed[-1]


@pytest.mark.parametrize(
    "body",
    [
        "p(X), q(Y)", "q(Y), p(X)", "p(X), q(Y), X < Y", "e(X,Z), q(Y)", "big(X,Y), p(X)", "p(X), big(X,Y)", "q(X), e(X,Y), p(Y)",
        "p(Y), e(X,Y), q(X)", "Y = X + 1, p(X)", "X = 1..3, q(Y)", "q(Y), X = 1..Y", "f(g(X),Y), p(Y)", "e(X,_), q(Y)",
    ],
)  # fmt: skip
def test_the_order_is_that_of_gringo(body: str) -> None:
    """The literals that come first change slowest in what gringo writes."""
    control, heads, rule = _grounded(FACTS, f"h(X,Y) :- {body}.")
    domains = Domains(control)
    (scope,) = scopes(rule, str)
    ordered = order(scope.literals, domains)
    outer = next(names for literal in ordered if (names := [name for name in literal.gives if name in "XY"]))
    first = [tuple(atom[2:-1].split(",")["XY".index(name)] for name in outer) for atom in heads]
    changes = sum(one != other for one, other in pairwise(first))
    assert changes == len(set(first)) - 1  # each value in one run


@pytest.mark.slow
@pytest.mark.parametrize(
    "body",
    [
        "p(X), p(Y)", "p(X), p(Y), X < Y", "e(X,Y), e(Y,Z)", "e(X,Y), e(Y,Z), e(Z,W), X != W", "p(X), p(Y), |X-Y| = 3", "p(X), p(Y), X + Y = Z, p(Z)",
        "p(X), Y = 1..X", "e(X,_), q(Y)", "f(g(X),Y), p(Y)", "p(X), p(Y), X = Y", "p(X), q(X+1)", "p(X), not q(X)", "p(X), q(Y), X \\ Y = 0", "p(X), X < 0, p(Y)",
    ],
)  # fmt: skip
def test_an_estimate_is_near_what_is_counted(body: str) -> None:
    names = sorted({one for one in body if one in "XYZW"})
    control, heads, rule = _grounded(FACTS, f"h({','.join(names)}) :- {body}.")
    found = estimate(list(scopes(rule, str)), Domains(control), 5.0)
    assert found.instances == pytest.approx(len(heads), rel=0.2, abs=1)


def test_elements_of_choices_and_aggregates_are_joined_too() -> None:
    found = profile("p(1..30). q(1..20).\n{ c(X,Y) : q(Y) } :- p(X).\n:- #count { X,Y : c(X,Y) } > 3.\n", most=1e9)
    choice, count = (next(one for one in found.statements if one.place.line == line) for line in (2, 3))
    assert choice.estimate is not None
    assert count.estimate is not None
    assert choice.estimate.steps[-1].bindings == pytest.approx(600, rel=0.01)  # no test: each walk gives the number
    assert count.estimate.instances == pytest.approx(601, rel=0.01)


CHOSEN = "node(1..30). { mark(X) : node(X) }. { m2(X) : node(X) }.\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    "rule",
    [
        "a(X) :- mark(X), node(Y), node(Z).", "b(X) :- mark(X), m2(Y), node(Z).", "c(X) :- mark(X), m2(Y), node(Z), Z < Y.",
        ":- mark(X), node(Y), node(Z), Y+Z = X.", "d(X) :- node(X), node(Y), node(Z).", "f(Y) :- mark(X), node(Y), node(Z), not mark(Z).",
        "g(X) :- m2(Y), mark(X), Y < X.", "h(X) :- k(X), k(Y). k(X) :- mark(X).",
    ],
)  # fmt: skip
def test_variables_that_tell_nothing_apart_do_not_multiply(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of facts whose variables are used nowhere else gringo looks for one match."""
    monkeypatch.setattr(by_rule, "PATIENCE", PATIENCE)
    profiler = by_rule.Profiler([("text", f"{CHOSEN}{rule}\n")], [], 1e9)
    profiler.run(UNLIMITED)
    found = next(one for one in profiler.profile().statements if one.place.line == 2 and one.kind != "facts")
    assert _estimate(found).instances == pytest.approx(found.rules, rel=0.25)


HUGE = (
    "#const n=1000.\np(1..n).\nh(X,Y,Z) :- p(X), p(Y), p(Z), X < Y.\nk(X) :- h(X,_,_), p(X).\nok(X) :- p(X), X < 10.\n"
)


def _by_line(text: str, most: float) -> dict[int | None, StatementProfile]:
    return {one.place.line: one for one in profile(text, most=most).statements}


def _estimate(of: StatementProfile) -> Estimate:
    assert of.estimate is not None
    return of.estimate


@pytest.mark.slow
def test_what_is_too_large_is_left_out_with_what_needs_it_and_the_rest_is_ground() -> None:
    found = _by_line(HUGE, most=1e6)
    large, above, other = found[3], found[4], found[5]
    assert _estimate(large).instances == pytest.approx(499_500_000, rel=0.8)
    assert large.rules == 0
    assert large.left_out
    assert (above.rules, above.estimate, above.is_unknown) == (0, None, True)
    assert (other.rules, other.atoms, other.left_out) == (9, 9, False)
    assert _estimate(large).steps[-1].bindings == _estimate(large).instances
    assert not profile(HUGE, most=1e6).complete
    assert profile(HUGE, most=1e6).limit is None


def test_a_program_within_the_bound_is_ground_as_without_estimates() -> None:
    small = HUGE.replace("n=1000", "n=20")
    plain, estimated = profile(small), profile(small, most=1e9)
    assert estimated.complete
    counts = [
        sorted((str(one.place), one.rules, one.atoms) for one in found.statements) for found in (plain, estimated)
    ]
    assert counts[0] == counts[1]


def test_a_recursion_that_does_not_end_is_stopped_and_what_uses_it_is_known() -> None:
    found = profile("n(0).\nn(X+1) :- n(X).\np(1..3).\nq(X) :- p(X).\n", most=20_000)
    recursive = next(one for one in found.statements if one.place.line == 2)
    assert recursive.rules is not None
    assert 2_000 <= recursive.rules < 20_000
    assert recursive.is_endless
    assert not found.complete
    assert next(one for one in found.statements if one.place.line == 4).rules == 3


def test_what_uses_a_stopped_recursion_is_not_ground() -> None:
    found = _by_line("n(0).\nn(X+1) :- n(X).\nm(X) :- n(X).\n", most=20_000)
    assert (found[3].rules, found[3].is_unknown) == (0, True)


def test_what_cannot_be_estimated_well_is_ground() -> None:
    script = "#script (python)\nimport clingo\ndef f(x): return x\n#end.\n"
    found = _by_line(f"{script}p(1..30).\nh(X,Y) :- p(X), p(Y), X = @f(Y).\n", most=1_000)
    assert found[6].rules == 30
    assert found[6].estimate is not None
    assert not found[6].left_out


def test_an_interval_of_a_fact_is_estimated() -> None:
    found = _by_line("p(1..1000000000).\nq(1..3).\n", most=1e6)
    assert _estimate(found[1]).instances == 1e9
    assert found[2].rules == 3


@pytest.mark.slow
def test_estimates_against_counts_of_random_programs() -> None:
    chance: Callable[[int], int] = random.Random(7).randrange
    near = 0
    for _ in range(12):
        facts = " ".join(f"{name}({chance(12)},{chance(12)})." for name in "abc" for _ in range(60))
        body = ", ".join(f"{'abc'[chance(3)]}({'XYZ'[chance(3)]},{'XYZ'[chance(3)]})" for _ in range(3))
        names = sorted({one for one in body if one in "XYZ"})
        control, heads, rule = _grounded(facts, f"h({','.join(names)}) :- {body}.")
        found = estimate(list(scopes(rule, str)), Domains(control), 5.0)
        near += abs(found.instances - len(heads)) <= 0.25 * len(heads) + 3
    assert near == 12
