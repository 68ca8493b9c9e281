"""The constraints that a Prolog goal posts, as a CSP: it has the solutions of CLP(FD)."""

from __future__ import annotations

import doctest

import pytest

from bridge.errors import UnsupportedError
from bridge.problem.prolog import PrologProblem
from bridge.puzzles.engines import engine, goal_csp
from bridge.puzzles.engines.csp import CSPEngine
from bridge.puzzles.engines.goal_csp import constraints

CLPFD = ":- use_module(library(clpfd)).\n"
QUEENS = CLPFD + """\
queens(N, Qs) :- length(Qs, N), Qs ins 1..N, safe(Qs).
safe([]).
safe([Q|Qs]) :- none(Qs, Q, 1), safe(Qs).
none([], _, _).
none([Q|Qs], Q0, D0) :- Q0 #\\= Q, abs(Q0 - Q) #\\= D0, D1 #= D0 + 1, none(Qs, Q0, D1).
"""

MODELS = [
    (QUEENS, "queens(6, Qs)", "Qs"),
    (CLPFD, "Vs = [X,Y,Z,W], Vs ins 0..4, X #<==> Y #> Z, X*Y #= Z mod 2, element(Y, [X,Z,2], W)", "Vs"),
    (CLPFD, "Vs = [X,Y,Z], Vs ins -2..3, sum(Vs, #=<, 3), scalar_product([2,-1,3], Vs, #\\=, 4), X // 2 #= Y", "Vs"),
    (CLPFD, "Vs = [X,Y], tuples_in([Vs], [[1,2],[2,1],[3,3]]), X #\\= 3 #\\/ Y #= 2", "Vs"),
    (CLPFD, "Vs = [X,Y,Z], Vs ins 1..3, all_different([X,Y,2]), max(X, Z) #>= min(Y, 3), X - Y #= Z - 2", "Vs"),
    (CLPFD, "Vs = [X,Y], Vs ins 1..3, X #> Y, Y #> X", "Vs"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("program", "goal", "variables"), MODELS, ids=range(len(MODELS)))
def test_the_csp_has_the_solutions_of_clpfd(program: str, goal: str, variables: str) -> None:
    problem = PrologProblem([program], goal)
    form = constraints(problem)
    assert all(place.line for place in form.places.values())
    names = sorted(form.csp.variables)
    with problem.session() as session:
        answers = session.query(f"{goal}, label({variables})").collect().solutions
    expected = {tuple(answer[variables]) for answer in answers}
    for name in ("mac+mrv", "fc", "cp-sat"):
        chosen = engine(name)
        assert isinstance(chosen, CSPEngine)
        solutions = chosen.assignments(form.csp).collect().solutions
        found = {tuple(solution[name] for name in names) for solution in solutions}
        assert len(found) == len(solutions) == len(expected), name
        if len(names) == len(next(iter(expected), ())):
            assert {tuple(sorted(each)) for each in found} == {tuple(sorted(each)) for each in expected}, name


@pytest.mark.slow
@pytest.mark.parametrize(
    ("goal", "why"),
    [("[X, Y] ins 1..2, circuit([X, Y])", "no form"), ("X #> 3", "no finite domain"), ("freeze(X, true), X in 1..2", "wait")],
)
def test_what_has_no_csp_is_refused(goal: str, why: str) -> None:
    with pytest.raises(UnsupportedError, match=why):
        constraints(PrologProblem([CLPFD], goal))


def test_the_examples_of_the_module() -> None:
    result = doctest.testmod(goal_csp)
    assert result.attempted > 0
    assert result.failed == 0
