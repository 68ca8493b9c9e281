"""`bridge.profile` and `lpbridge profile`: the rule that makes a program slow."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import called
from patience import PATIENCE, given_time

import bridge
from bridge.errors import InputError, UnsupportedError
from bridge.limits import Deadline, Limits
from bridge.profiling.cost import cause_of_grounding, multiplier, number
from bridge.profiling.family import Measure, family, fitted
from bridge.profiling.profile import Profile

PIGEONS = """\
#const n=5.
{ in(P,H) : H = 1..n } :- P = 1..n+1.
:- in(P,H), in(P,K), H < K.
:- in(P,H), in(Q,H), P < Q.
:- not in(P,_), P = 1..n+1.
free(X) :- X = 1..3, not used(X).
{ used(1..3) }.
:- used(X), used(X+1).
"""

CROSS = """\
node(X) :- edge(X,_).
node(X) :- edge(_,X).
far(A,B,C,D) :- node(A), node(B), node(C), node(D), A < B, C < D.
near(A) :- far(A,_,_,_).
start(X) :- node(X), X < 3.
#show start/1.
"""


def _edges(folder: Path, name: str, most: int) -> Path:
    path = folder / name
    path.write_text("".join(f"edge({one},{one + 1}).\n" for one in range(most)))
    return path


def test_a_rule_that_cannot_be_ground_is_named_without_grounding_it(tmp_path: Path) -> None:
    found = bridge.profile(
        bridge.program(CROSS), instances=[_edges(tmp_path, "large.lp", 500)], limits=Limits(seconds=PATIENCE)
    )
    assert found.cause is not None
    assert (found.cause.place.line, found.cause.phase, found.cause.estimated) == (3, "grounding", True)
    rule = next(one for one in found.grounding.statements if one.place.line == 3)
    assert rule.estimate is not None
    assert rule.estimate.instances == pytest.approx((501 * 500 / 2) ** 2, rel=0.9)
    assert multiplier(rule.estimate.steps) is not None
    assert next(one for one in found.grounding.statements if one.place.line == 5).rules == 3  # the others are ground
    assert found.search is None
    assert "(estimated)" in str(found)
    assert "matches" in str(found)


@pytest.mark.slow
def test_measured_until_the_limit_where_that_is_asked_for(tmp_path: Path) -> None:
    problem = bridge.program(CROSS)
    instances = [_edges(tmp_path, "large.lp", 500)]

    def measured(seconds: float) -> Profile:
        limits = Limits(seconds=seconds)
        return bridge.profile(problem, instances=instances, measure=True, search=False, changes=False, limits=limits)

    found = given_time(
        measured, lambda found: any(one.place.line == 3 and one.rules for one in found.grounding.statements)
    )
    assert found.limit == "seconds"
    assert found.cause is not None
    assert found.cause.place.line == 3
    assert not found.cause.estimated


@pytest.mark.slow
def test_conflicts_are_counted_by_constraint() -> None:
    found = bridge.profile(bridge.program(PIGEONS), limits=Limits(seconds=PATIENCE))
    assert found.search is not None
    assert found.search.verdict == "unsat"
    assert found.search.numbers["conflicts"] > 100
    lemmas = {one.place.line: one.lemmas for one in found.search.constraints}
    assert lemmas[4] == found.search.lemmas  # without it there is nothing to learn
    assert 0 < lemmas[3] <= lemmas[4]
    assert lemmas[8] == 0  # it has no atom in common with the others


def test_the_bound_of_an_optimisation() -> None:
    program = "{ a(1..4) }. :- a(X), a(X+1). #maximize { X : a(X) }.\n"
    found = bridge.profile(bridge.program(program), limits=Limits(seconds=PATIENCE))
    assert found.search is not None
    assert (found.search.verdict, found.search.costs) == ("sat", (-6,))
    assert "best cost -6, which is the least" in str(found)


def test_the_largest_instance_is_looked_at(tmp_path: Path) -> None:
    files = [_edges(tmp_path, "ten.lp", 10), _edges(tmp_path, "twelve.lp", 12), _edges(tmp_path, "three.lp", 3)]
    found = bridge.profile(bridge.program(CROSS), instances=files, limits=Limits(seconds=PATIENCE))
    assert found.instance == "twelve.lp"
    counted = next(one for one in found.grounding.statements if one.place.line == 3)
    assert counted.rules is not None
    assert counted.rules >= (13 * 12 // 2) ** 2
    by_constant = bridge.profile(bridge.program(PIGEONS), constants={"n": range(2, 5)}, limits=Limits(seconds=PATIENCE))
    assert by_constant.instance == "n=4"


def test_what_cannot_be_profiled() -> None:
    with pytest.raises(InputError, match="no constant 'm'"):
        bridge.profile(bridge.program(PIGEONS), constants={"m": 3})
    with pytest.raises(InputError, match="not from both"):
        bridge.profile(bridge.program(PIGEONS), constants={"n": range(3)}, instances=["a.lp"])
    with pytest.raises(UnsupportedError, match="theory"):
        bridge.profile(bridge.AspProblem("a.", theory="clingo-dl"))


def test_numbers_are_short() -> None:
    assert [number(one) for one in (0.5, 7, 41234, 1.6e9)] == ["0.5", "7", "41,000", "1.6e9"]


def test_nothing_costs_nothing() -> None:
    found = bridge.profile(bridge.program("a."), limits=Limits(seconds=PATIENCE))
    assert found.cause is None
    assert cause_of_grounding(found.grounding) is None
    assert "larger instance" in str(found)


def test_the_command(tmp_path: Path) -> None:
    program = tmp_path / "cross.lp"
    program.write_text(CROSS)
    words = ["profile", str(program), "-i", str(_edges(tmp_path, "large.lp", 500))]
    done = called(*words)
    assert done.returncode == 0
    assert done.stdout.startswith(f"{program}:3:1: about ")
    data = json.loads(called(*words, "--json").stdout)
    assert data["cause"]["place"]["line"] == 3
    assert data["cause"]["estimated"]
    (rule,) = (one for one in data["grounding"]["by_rule"] if one["place"]["line"] == 3)
    assert not rule["ground"]
    assert rule["estimate"]["instances"] > 1e9
    assert [one["literal"] for one in rule["estimate"]["join"]][-1] in ("A < B", "C < D")
    assert data["search"] is None
    assert called("profile", str(program).replace("cross", "nowhere")).returncode == 2


@pytest.mark.slow
def test_conflicts_of_an_untrusted_program_are_not_counted() -> None:
    problem = bridge.AspProblem(PIGEONS, untrusted=True, allow_missing_walls=True)
    found = bridge.profile(problem, limits=Limits(seconds=PATIENCE))
    assert found.search is not None
    assert not found.search.lemmas
    assert any("untrusted" in note for note in found.notes)


QUEENS = """\
{ q(X,1..n) } = 1 :- X = 1..n.
:- q(X,Y), q(Z,W), X < Z, Y = W.
:- q(X,Y), q(Z,W), X < Z, |X-Z| = |Y-W|.
"""
BETTER = """\
{ q(X,1..n) } = 1 :- X = 1..n.
{ q(1..n,Y) } = 1 :- Y = 1..n.
:- D = 2..2*n, 2 { q(X,D-X) : X = 1..n }.
:- D = -n..n, 2 { q(X,X-D) : X = 1..n }.
"""


@pytest.mark.slow
def test_how_two_encodings_grow_over_a_family(tmp_path: Path) -> None:
    (tmp_path / "pairs.lp").write_text(QUEENS)
    (tmp_path / "counts.lp").write_text(BETTER)
    found = bridge.profile(
        tmp_path / "pairs.lp",
        against=tmp_path / "counts.lp",
        constants={"n": range(4, 15, 2)},
        changes=False,
        limits=Limits(seconds=4 * PATIENCE),
    )
    assert found.family is not None
    assert found.family.programs == ["pairs.lp", "counts.lp"]
    pairs, counts = (found.family.fit(name, "rules") for name in found.family.programs)
    assert pairs is not None
    assert counts is not None
    assert pairs.exponent == pytest.approx(3, abs=0.4)
    assert counts.exponent == pytest.approx(1, abs=0.2)
    chart = found.chart("rules").render("svg").decode()
    assert "pairs.lp: size^" in chart
    assert "counts.lp, n=14" in chart
    assert "fitted: " in str(found)


def test_a_family_ends_at_the_first_instance_that_does_not(tmp_path: Path) -> None:
    def measure(seconds: float, ends: bool) -> Measure:
        numbers = {"seconds": seconds, "rules": seconds * 100, "conflicts": 0.0}
        return lambda _: ("sat" if ends else "unknown", numbers)

    instances = [(str(size), float(size), measure(size**2 / 10, size < 5)) for size in range(1, 8)]
    found = family({"p": instances}, Deadline(None))
    assert [one.instance for one in found.points] == ["1", "2", "3", "4", "5"]
    assert found.left_out == {"p": 2}
    fit = found.fit("p", "seconds")
    assert fit is not None
    assert (round(fit.exponent, 6), round(fit.factor, 6), fit.points) == (2, 0.1, 4)
    assert fitted([(1, 1), (2, 4)]) is None
    assert found.fit("p", "conflicts") is None


@pytest.mark.slow
def test_a_chart_needs_several_instances(tmp_path: Path) -> None:
    (tmp_path / "pairs.lp").write_text(QUEENS)
    assert called("profile", tmp_path / "pairs.lp", "-c", "n=4", "--chart", tmp_path / "x.svg").returncode == 2
    assert called("profile", tmp_path / "pairs.lp", "-c", "n=4", "--chart", tmp_path / "x.doc").returncode == 2
    done = called(
        "profile", tmp_path / "pairs.lp", "-c", "n=4..5", "--no-changes", "--chart", tmp_path / "x.svg", "--json"
    )
    assert done.returncode == 0
    assert "<svg" in (tmp_path / "x.svg").read_text()
    points = json.loads(done.stdout)["family"]["points"]
    assert [(one["instance"], one["rules"], one["verdict"]) for one in points] == [
        ("n=4", 76, "sat"),
        ("n=5", 140, "sat"),
    ]
