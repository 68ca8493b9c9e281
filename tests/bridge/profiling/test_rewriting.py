"""Rewritings: what is proposed keeps the answers, and what is shown was measured and compared."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import called
from patience import PATIENCE

import bridge
from bridge import asp
from bridge.asp.reading.text import Text, diff_of, with_own_includes
from bridge.comparison.containment import Prover
from bridge.limits import Deadline, Limits
from bridge.profiling import remedies
from bridge.profiling.grounding_profile import profile as ground_profile
from bridge.profiling.rewriting import Rewriter


@pytest.fixture(autouse=True)
def _few_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand answers of an instance are enough to compare here."""
    monkeypatch.setattr(remedies, "ANSWERS", 1000)


#: A statement, what is proposed for it, and one of the proposals.
CASES = [
    (":- q(X,Y), q(Z,W), X < Z, Y = W.", "count", ":- q(_,Y), #count { X : q(X,Y) } > 1."),
    (":- q(X,Y), q(Z,Y), X != Z.", "order", ":- q(X,Y), q(Z,Y), X < Z."),
    (":- q(X,Y), q(Z,Y), X != Z.", "count", ":- q(_,Y), #count { X : q(X,Y) } > 1."),
    (":- q(X,Y), q(Z,W), (X,Y) != (Z,W).", "order", ":- q(X,Y), q(Z,W), (X,Y) < (Z,W)."),
    (":- q(X,Y), q(Z,W), (X,Y) != (Z,W).", "count", ":- #count { X,Y : q(X,Y) } > 1."),
    (":- e(X,Y), q(X,C), q(Y,C).", "order", ":- e(X,Y), q(X,C), q(Y,C), X < Y."),
    (
        ":- q(X,Y), q(Z,W), X < Z, X+Y = Z+W.",
        "count",
        "q_key(K) :- q(X,Y), K = X+Y.\n:- q_key(K), #count { X : q(X,Y), X+Y = K } > 1.",
    ),
    (
        ":- q(X,Y), q(Z,W), X < Z, |X-Z| = |Y-W|.",
        "count",
        "q_key(K) :- q(X,Y), K = X-Y.\n:- q_key(K), #count { X : q(X,Y), X-Y = K } > 1.\n"
        "q_key2(K) :- q(X,Y), K = X+Y.\n:- q_key2(K), #count { X : q(X,Y), X+Y = K } > 1.",
    ),
    ("a(X) :- q(X,Y), e(Z,W).", "anonymous", "a(X) :- q(X,_), e(_,_)."),
    ("a(X) :- e(X,Y), e(Y,Z), e(Z,W).", "split", "e2(Y) :- e(Y,Z), e(Z,W).\na(X) :- e2(Y), e(X,Y)."),
    ("X = Y :- q(X,Z), q(Y,Z).", "count", ":- q(_,Z), #count { X : q(X,Z) } > 1."),
    (":- q(X,Z), q(Y,W), Z == W, X != Y.", "count", ":- q(_,Z), #count { X : q(X,Z) } > 1."),
    (":- f(p(X,Y)), f(p(X,Z)), Y != Z.", "count", ":- f(p(X,_)), #count { Y : f(p(X,Y)) } > 1."),
    (":- f(p(X,Y)), f(p(Z,X)).", "anonymous", ":- f(p(X,_)), f(p(_,X))."),
    (
        "A+B-C*D = 1 :- q(1,A), q(2,B), q(3,C), e(D,1).",
        "sum",
        "q_e_sum(V) :- q(3,C), e(D,1), V = C*D.\nq_sum(V2) :- q(1,A), q(2,B), V2 = A+B.\n"
        ":- q_e_sum(V), q_sum(V2), V2-V != 1.",
    ),
    (
        ":- S = #sum { V : q(I,V) }, T = #sum { V : q(J,V) }, n(I), n(J), I < J, S != T, S > 0, T > 0.",
        "count",
        "q_total(I,S) :- n(I), S = #sum { V : q(I,V) }, S > 0.\n:- #count { S : q_total(I,S) } > 1.",
    ),
    (
        ":- q(X,Y), q(Z,W), q(U,V), X < Z, Y < W, Z < U, W < V.",
        "split",
        "q2(W,Z) :- q(X,Y), X < Z, q(Z,W), Y < W.\n:- q2(W,Z), q(Z,W), q(U,V), Z < U, W < V.",
    ),
    (
        "a(I,J) :- n(N), n(M), I = 1..N, J = 1..M, I <= J.",
        "split",
        "n2(I) :- n(N), I = 1..N.\na(I,J) :- n2(I), n(M), J = 1..M, I <= J.",
    ),
    ("a(X) :- e(X,Y), Z = Y..3, n(Z), e(Z,W), W = 1..Z.", "split",
     "e2(Z) :- e(Z,W), W = 1..Z.\na(X) :- e2(Z), e(X,Y), Z = Y..3, n(Z)."),
    (":- e(X,Y), e(Y,Z), e(Z,X).", "split", "e2(X,Z) :- e(X,Y), e(Y,Z).\n:- e2(X,Z), e(Z,X)."),
]

#: What the statements are about.
FACTS = "n(1..3). e(1,2). e(2,1). e(2,3). e(3,2). { q(1..3,1..3) }. f(p(X,Y)) :- q(X,Y).\n"


def _proposals(statement: str, before: str = "") -> dict[str, list[str]]:
    text = Text(f"{before}{statement}\n")
    rewriter = Rewriter(text)
    found: dict[str, list[str]] = {}
    for proposal in rewriter.of(text.statements[-1]):
        if proposal.depends:
            continue
        found.setdefault(proposal.kind, []).append(proposal.applied(text).removeprefix(before).strip())
    return found


@pytest.mark.parametrize(("statement", "kind", "wanted"), CASES)
def test_what_is_proposed(statement: str, kind: str, wanted: str) -> None:
    assert wanted in _proposals(statement)[kind]


def _answers(program: str) -> set[frozenset[str]]:
    shown = "#show n/1. #show e/2. #show q/2. #show a/1. #show a/2.\n"
    with asp.Program(f"{FACTS}{program}\n{shown}") as loaded:
        return {frozenset(str(model).split()) for model in loaded.models()}


@pytest.mark.parametrize("statement", sorted({one for one, _, _ in CASES}))
def test_every_proposal_has_the_same_answers(statement: str) -> None:
    wanted = _answers(statement)
    for kind, proposals in _proposals(statement).items():
        for proposed in proposals:
            assert _answers(proposed) == wanted, (kind, proposed)


@pytest.mark.parametrize(
    "statement",
    [
        ":- q(X,Y), q(Z,W), X < Z, Y < W.",  # not the same key
        ":- q(X,Y), q(Z,W), X < Z, n(Y), not n(W).",
        ":- q(X,Y), e(Z,W), X != Z.",
        ":- q(X,Y), q(Z,Y), X != Z, n(X).",
    ],
)
def test_pairs_that_are_not_alike_are_not_counted(statement: str) -> None:
    found = _proposals(statement)
    assert not {"count", "order"} & found.keys()
    for proposals in found.values():
        assert all(_answers(one) == _answers(statement) for one in proposals)


def test_a_name_of_the_program_is_not_taken_for_a_new_predicate() -> None:
    text = Text("x :- q_key(1).\n:- q(X,Y), q(Z,W), X < Z, X+Y = Z+W.\n")
    (found,) = [one for one in Rewriter(text).of(text.statements[1]) if one.kind == "count"]
    assert "q_key2(K)" in found.applied(text)


def test_a_diff_and_includes() -> None:
    assert diff_of("a.\nb.\nc.", "a.\nx.\nc.") == "-b.\n+x."
    assert with_own_includes('#include "/abs/a.lp".\nx.', '#include "a.lp".\n') == '#include "a.lp".\nx.'


ROUTES = """\
#const n=24.
{ e(X,X+1..n) } :- X = 1..n-1.
% Three steps.
far(X,W) :- e(X,Y), e(Y,Z), e(Z,W).
"""


@pytest.mark.slow
def test_a_rewriting_is_measured_and_compared(tmp_path: Path) -> None:
    program = tmp_path / "routes.lp"
    program.write_text(ROUTES)
    found = bridge.profile(program, limits=Limits(seconds=4 * PATIENCE))
    assert found.remedies
    first = found.remedies[0]
    assert (first.place.file, first.place.line, first.kind) == (str(program), 4, "split")
    assert first.after.rules < first.before.rules
    assert {"n=4", "n=6"} <= {*first.same_on}
    assert "-far(X,W) :- e(X,Y), e(Y,Z), e(Z,W)." in first.diff
    assert "% Three steps." in first.text
    assert "% Three" not in first.diff
    assert f"change 1: {program}:4:1" in str(found)


def test_a_rewriting_with_other_answers_is_not_shown(tmp_path: Path) -> None:
    """The edges hold one way only, so that half of them would be lost."""
    program = "{ c(X,1..2) } = 1 :- v(X).\n:- e(X,Y), c(X,C), c(Y,C).\nv(1..60). e(X,X+1) :- v(X), X < 60. e(60,1).\n"
    assert ":- e(X,Y), c(X,C), c(Y,C), X < Y." in _proposals(program.split("\n")[1])["order"]
    found = bridge.profile(bridge.program(program), limits=Limits(seconds=PATIENCE))
    assert not [one for one in found.remedies if one.kind == "order"]


@pytest.mark.slow
def test_of_what_is_proved_no_answers_are_listed(tmp_path: Path) -> None:
    program = tmp_path / "queens.lp"
    program.write_text("{ q(X,1..n) } = 1 :- X = 1..n.\n:- q(X,Y), q(Z,W), X < Z, Y = W.\n")
    done = called("profile", program, "-c", "n=16", "--no-search", "-t", str(4 * PATIENCE), "--json")
    (remedy,) = json.loads(done.stdout)["remedies"]
    assert remedy["kind"] == "count"
    assert remedy["after"]["rules"] < remedy["before"]["rules"] / 5
    assert {"n=4", "n=16"} <= {*remedy["same_on"]}
    assert (remedy["undecided"], remedy["proved"]) == ([], True)


@pytest.mark.slow
def test_what_is_not_proved_is_compared_on_instances(tmp_path: Path) -> None:
    """Each edge holds both ways, which is no matter of one constraint; of the largest there are too many answers."""
    program = tmp_path / "ring.lp"
    program.write_text(
        "#const n=30. v(1..n). e(X,Y) :- v(X), v(Y), |X-Y| < n/2.\n{ c(X,1..3) } = 1 :- v(X).\n"
        ":- e(X,Y), c(X,C), c(Y,C), C < 3, X != Y.\n"
    )
    done = called("profile", program, "--no-search", "-t", str(4 * PATIENCE), "--json")
    (remedy,) = json.loads(done.stdout)["remedies"]
    assert (remedy["kind"], remedy["proved"]) == ("order", False)
    assert (remedy["same_on"], remedy["undecided"]) == (["n=2", "n=4", "n=6"], ["the program as it is"])


@pytest.mark.slow
def test_changes_are_written_into_the_files(tmp_path: Path) -> None:
    program, rules = tmp_path / "latin.lp", tmp_path / "rules.lp"
    program.write_text("#const n=7.\n% A value for each cell.\n{ c(R,C,1..n) } = 1 :- R = 1..n, C = 1..n.\n")
    rules.write_text(":- c(R,C,V), c(R,D,V), C != D.\n\n% Columns.\n:- c(R,C,V), c(S,C,V), R != S.\n")
    before = program.read_text()
    done = called("profile", program, rules, "--no-search", "-t", str(4 * PATIENCE), "--fix")
    assert done.returncode == 0
    assert f"written: {rules}" in done.stdout
    assert "\nall changes: " in done.stdout
    assert program.read_text() == before
    assert rules.read_text() == (
        ":- c(R,_,V), #count { C : c(R,C,V) } > 1.\n\n% Columns.\n:- c(_,C,V), #count { R : c(R,C,V) } > 1.\n"
    )
    wrong = called("profile", program, "--fix", "--no-changes")
    assert (wrong.returncode, "--fix" in wrong.stderr) == (2, True)


def test_several_constraints_on_pairs_become_one_number() -> None:
    """With pairs of either side excluded, a number of both sides says all of it."""
    sides = ":- p(G,A,B), p(G,A,C), B != C.\n:- p(G,B,A), p(G,C,A), B != C.\n"
    mixed = ":- p(G,B,A), p(G,A,C), B != C."
    merged = "key(A,G) :- p(G,_,A).\nkey(A,G) :- p(G,A,_).\n:- key(A,G), #count { B : p(G,B,A); C : p(G,A,C) } > 1."
    text, alone = Text(f"{sides}{mixed}\n"), Text(f"{mixed}\n")
    (found,) = [one for one in Rewriter(text).of(text.statements[-1]) if one.kind == "merge"]
    assert found.applied(text) == f"{sides}{merged}\n"
    assert found.depends
    assert Prover(text).same_on_every_instance(Text(found.applied(text)))
    assert not Prover(alone).same_on_every_instance(Text(f"{merged}\n"))
    twice = Text(f"{mixed}\n:- p(G,X,A), p(G,A,Y), X > Y, Y != X.\n")
    (drop,) = [one for one in Rewriter(twice).of(twice.statements[1]) if one.kind == "drop"]
    assert Prover(twice).same_on_every_instance(Text(drop.applied(twice)))
    (drop,) = [one for one in Rewriter(twice).of(twice.statements[0]) if one.kind == "drop"]
    assert not Prover(twice).same_on_every_instance(Text(drop.applied(twice)))


@pytest.mark.slow
def test_what_a_constraint_excludes_is_not_derived(tmp_path: Path) -> None:
    """Robots leave the grid, and all pairs of places off the grid are ground."""
    program, instances = tmp_path / "robots.lp", [tmp_path / "small.lp", tmp_path / "large.lp"]
    program.write_text(
        "at(R,X,Y,0) :- robot(R,X,Y).\ntime(0..m).\n"
        "{ move(R,1,0,T); move(R,-1,0,T); move(R,0,1,T); move(R,0,-1,T) } = 1 :- robot(R,_,_), time(T), T < m.\n"
        "at(R,X+A,Y+B,T+1) :- at(R,X,Y,T), move(R,A,B,T).\n"
        ":- at(R,X,Y,T), not cell(X,Y).\n:- at(R,X,Y,T), at(S,X,Y,T), R < S.\n"
        ":- at(R,X,Y,T), at(S,V,W,T), at(R,V,W,T+1), at(S,X,Y,T+1), R < S.\n"
    )
    for file, size in zip(instances, (2, 3), strict=True):
        file.write_text(f"cell(1..{size},1..{size}). robot(1,1,1). robot(2,{size},{size}).\n")
    found = bridge.profile(program, instances=instances, constants={"m": 8}, limits=Limits(seconds=4 * PATIENCE))
    first = found.remedies[0]
    assert first.kind == "domain"
    assert first.after.rules < first.before.rules / 2
    assert {*first.same_on} == {"small.lp", "large.lp"}
    assert "+:- at(R,X,Y,T), move(R,A,B,T), not cell(X+A,Y+B)." in first.diff


def test_of_a_search_that_does_not_end_nothing_is_known() -> None:
    """A rewriting by which the program is smaller is taken, and the search is not said to be faster."""
    problem = bridge.program("{ q(1..9,1..9) }.\n:- q(X,Y), q(X,Z), Y != Z.\n")
    profile = ground_profile(*problem.sources)
    before = remedies.Cost(profile.rules, False, 0.1, 5.0, ended=False)
    found = remedies._Found(remedies.Subject(problem, problem, ()), profile, before, Deadline(PATIENCE))
    remedy = found.next([one.place for one in profile.statements])
    assert remedy is not None
    assert isinstance(remedy.after, remedies.Cost)
    assert (remedy.kind, remedy.after.search, remedy.after.ended) == ("count", 5.0, False)


@pytest.mark.slow
def test_one_rewriting_after_the_other(tmp_path: Path) -> None:
    program = tmp_path / "latin.lp"
    program.write_text(
        "#const n=6.\n{ c(R,C,1..n) } = 1 :- R = 1..n, C = 1..n.\n"
        ":- c(R,C,V), c(R,D,V), C != D.\n:- c(R,C,V), c(S,C,V), R != S.\n"
    )
    found = bridge.profile(program, search=False, limits=Limits(seconds=4 * PATIENCE))
    assert [one.kind for one in found.remedies] == ["count", "count"]
    assert {one.place.line for one in found.remedies} == {3, 4}
    assert {one.place.file for one in found.remedies} == {str(program)}
    first, second = found.remedies
    assert second.before == first.after
    assert second.text.count("#count") == 2


def test_what_is_included_is_found_after_a_change(tmp_path: Path) -> None:
    """The text of a change has no folder, and the next one is looked for in it."""
    program = tmp_path / "rules.lp"
    (tmp_path / "cells.lp").write_text("{ c(1..6,1..6,1..6) }.\n")
    program.write_text('#include "cells.lp".\n:- c(R,C,V), c(R,D,V), C != D.\n:- c(R,C,V), c(S,C,V), R != S.\n')
    found = bridge.profile(program, search=False, limits=Limits(seconds=4 * PATIENCE))
    assert [one.kind for one in found.remedies] == ["count", "count"]
    assert found.remedies[-1].text.startswith('#include "cells.lp".\n:- c(')


@pytest.mark.parametrize(
    "text", [":- h(X), X != 0..n. h(X) :- q(X).", ":- q(X), q(Y), X != (Y;1).", ":- q(X), q(Y), X+Y = 1..3.",
             "X = 1..3 :- q(X).", ":- q(X,Z), q(Y,Z), X != @f(Y)."]
)  # fmt: skip
def test_comparisons_with_several_values_are_not_rewritten(text: str) -> None:
    read = Text(text)
    kinds = {one.kind for statement in read.statements for one in Rewriter(read).of(statement)}
    assert kinds <= {"drop", "anonymous", "split"}


def test_a_comma_after_a_condition_belongs_to_it() -> None:
    read = Text("h(X) :- q(X); r(Y) : q(Y). :- h(X), not s(X).")
    (domain,) = [one for one in Rewriter(read).of(read.statements[0]) if one.kind == "domain"]
    assert domain.applied(read).startswith("h(X) :- q(X); r(Y) : q(Y); s(X).\n:- q(X); r(Y) : q(Y); not s(X).")
    assert Prover(read).same_on_every_instance(Text(domain.applied(read)))
