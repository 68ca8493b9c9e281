"""The answer sets of least cost one after the other, and what they pay for."""

from __future__ import annotations

import random
import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from patience import PATIENCE

import bridge
from bridge import asp

ROUTES = """
{ go(X,Y) : road(X,Y,_) } = 1 :- at(X), X != d.
at(a). at(Y) :- go(_,Y).
road(a,b,2). road(b,d,3). road(a,c,1). road(c,d,5). road(c,b,2).
:- not at(d).
#minimize { C,X,Y : go(X,Y), road(X,Y,C) }.
#show go/2.
"""


def test_the_next_best_and_what_each_pays() -> None:
    with asp.Program(ROUTES) as program:
        found = program.best(2)
        every = program.best(9)
    assert (found.complete, found.limit) == (False, "solutions")
    assert [one.model.cost for one in found.solutions] == [(5,), (6,)]
    first = found.solutions[0]
    assert str(first.model) == "go(a,b) go(b,d)"
    assert first.model.proved
    assert [(one.weight, one.priority, one.terms) for one in first.paid] == [(3, 0, "(b,d)"), (2, 0, "(a,b)")]
    assert [str(one) for one in first.paid] == ["3@0,b,d  <text>:6:13", "2@0,a,b  <text>:6:13"]
    assert every.complete
    assert [one.model.cost for one in every.solutions] == [(5,), (6,), (6,)]


def test_a_program_that_minimises_nothing() -> None:
    with asp.Program("{a}.") as program, pytest.raises(bridge.UnsupportedError, match="minimises nothing"):
        program.best(1)
    with asp.Program("a. :~ a. [1] :- a.") as program:
        assert program.best(3).complete
    with asp.Program("{a}. :~ a. [1]") as program, pytest.raises(bridge.InputError):
        program.best(0)


LITERALS = st.lists(st.tuples(st.booleans(), st.sampled_from("abc")), min_size=1, max_size=2)
WEAK = st.tuples(LITERALS, st.integers(-3, 4), st.integers(1, 2), st.integers(1, 2))


@pytest.mark.local
@given(st.lists(WEAK, min_size=1, max_size=5), st.integers(1, 9))
def test_costs_are_those_of_all_answers_in_order(weak: list[tuple[list[tuple[bool, str]], int, int, int]], number: int) -> None:
    written = [", ".join(f"{'' if sign else 'not '}{atom}" for sign, atom in body) for body, *_ in weak]
    text = "".join(f":~ {body}. [{w}@{p},{t}]\n" for body, (_, w, p, t) in zip(written, weak, strict=True))
    priorities = sorted({p for _, _, p, _ in weak}, reverse=True)
    expected = []
    for values in product((False, True), repeat=3):
        holds = dict(zip("abc", values, strict=True))
        paid = {(w, p, t) for body, w, p, t in weak if all(holds[atom] is sign for sign, atom in body)}
        expected.append([sum(w for w, level, _ in paid if level == p) for p in priorities])
    with asp.Program(f"{{ a; b; c }}.\n{text}", isolated=False) as program:
        found = program.best(number)
    assert [[*one.model.cost] for one in found.solutions] == sorted(expected)[:number]
    assert len({str(one.model) for one in found.solutions}) == min(number, 8)
    for one in found.solutions:
        sums = [sum(each.weight for each in one.paid if each.priority == p) for p in priorities]
        assert sums == [*one.model.cost]


def test_what_is_proved_of_the_cost_when_a_limit_comes() -> None:
    text = "{ a(1..3) }. :- not a(1), not a(2). #minimize { X : a(X) }."
    with asp.Program(text, options=["--opt-strategy=usc", "--solve-limit=0"], isolated=False) as program:
        found = program.optimal()
    assert not found.complete
    assert found.remark is not None
    assert re.search(r"; no answer set costs less than [01]$", found.remark)


#: Clasp proves bounds on the way by these: alone, with answer sets before the best one, with steps, and by threads.
PROVING = ("--opt-strategy=usc", "--opt-strategy=usc,stratify", "--opt-strategy=bb,dec", "--opt-strategy=bb,inc")


@pytest.mark.local
@given(st.lists(WEAK, min_size=1, max_size=9), st.sampled_from(PROVING), st.sampled_from((None, 0.0, 0.1, 0.5)))
def test_the_least_cost_is_within_all_bounds(
    weak: list[tuple[list[tuple[bool, str]], int, int, int]], option: str, gap: float | None
) -> None:
    written = [", ".join(f"{'' if sign else 'not '}{atom}" for sign, atom in body) for body, *_ in weak]
    text = "".join(f":~ {body}. [{w}@{p},{t}]\n" for body, (_, w, p, t) in zip(written, weak, strict=True))
    seen: list[asp.Bounds] = []
    with asp.Program(f"{{ a; b; c }}.\n{text}", isolated=False, options=[option]) as program:
        found = program.optimal(gap=gap, on_bounds=seen.append)
    with asp.Program(f"{{ a; b; c }}.\n{text}", isolated=False) as program:
        (least,) = {model.cost for model in program.optimal().solutions}
    for bounds in [*seen, found.bounds]:
        assert bounds.lower <= least[: len(bounds.lower)]
        assert not bounds.cost or bounds.cost >= least
    assert (found.complete, found.bounds) == (True, asp.Bounds(least, least)) or found.limit == "gap"
    if not found.complete and len(least) == 1:
        assert found.bounds.gap is not None
        assert gap is not None
        assert found.bounds.gap <= gap


#: No solver proves the optimum of this soon, and both bounds come soon with two threads.
CHANCE = random.Random(5)
EDGES = [(x, y, CHANCE.randint(1, 9)) for x in range(1, 61) for y in range(x + 1, 61) if CHANCE.random() < 0.15]
COVER = f"""
item(1..60). {{ in(X) }} :- item(X). {"".join(f"edge({x},{y},{w})." for x, y, w in EDGES)}
#minimize {{ W,X,Y : edge(X,Y,W), not in(X), not in(Y); 13,X : in(X) }}.
"""


@pytest.mark.parametrize("isolated", [True, pytest.param(False, marks=pytest.mark.local)])
def test_the_gap_ends_the_search(isolated: bool) -> None:
    seen: list[asp.Bounds] = []
    options = ["--parallel-mode=2", "--configuration=many"]
    with asp.Program(COVER, options=options, isolated=isolated) as program:
        found = program.optimal(gap=0.3, limits=bridge.Limits(seconds=PATIENCE), on_bounds=seen.append)
        assert (found.complete, found.limit, len(found.solutions)) == (False, "gap", 1)
        assert found.bounds.cost == found.solutions[0].cost
        assert 0 < found.bounds.gap <= 0.3  # type: ignore[operator]
        assert not seen[0].lower or not seen[0].cost
        assert program.optimal(gap=0.5, limits=bridge.Limits(seconds=PATIENCE)).limit == "gap"  # it can be asked again


def test_what_the_function_for_bounds_raises() -> None:
    def refuse(bounds: asp.Bounds) -> None:
        raise ZeroDivisionError(str(bounds))

    for isolated in (True, False):
        options = ["--opt-strategy=usc"]
        with asp.Program("{ a }. :~ a. [1] :~ not a. [2]", options=options, isolated=isolated) as program:
            with pytest.raises(ZeroDivisionError):
                program.optimal(on_bounds=refuse)
            assert program.optimal().complete


def test_gaps() -> None:
    assert [asp.Bounds((20,), (15,)).gap, asp.Bounds((-15,), (-30,)).gap] == [0.25, 1.0]
    assert asp.Bounds((3, 8), (3, 4)).gap == 0.5
    assert asp.Bounds((3, 8), (3, 8)).gap == 0.0
    for unknown in (asp.Bounds((3, 8), (3,)), asp.Bounds((), (1,)), asp.Bounds((5,)), asp.Bounds((0,), (-2,))):
        assert unknown.gap is None
    assert str(asp.Bounds((3, 8), (3, 6))) == "3, 6 to 3, 8, gap 25.0%"
    with asp.Program("{a}.") as program:
        for wrong in (-0.1, True, "5%", float("nan")):
            with pytest.raises(bridge.InputError, match="not a gap"):
                program.optimal(gap=wrong)  # type: ignore[arg-type]
