"""Incremental programs, unrolled to a step, and programs with theory atoms: verdicts, clashes, reasons, derivations."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

import bridge
from bridge import InputError, Limits, UnsupportedError
from bridge.asp import Program
from bridge.outcome import Verdict
from bridge.problem.asp import AspProblem

HANOI = """\
#include <incmode>.
#program base.
peg(a; b; c). disk(1..2).
on(D, a, 0) :- disk(D).
#program step(t).
{ move(D, P, t) : disk(D), peg(P) } = 1.
on(D, P, t) :- move(D, P, t).
on(D, P, t) :- on(D, P, t-1), not move(D, _, t).
:- move(D, P, t), on(D, P, t-1).
:- move(D, P, t), on(D, Q, t-1), on(E, Q, t-1), E < D.
:- move(D, P, t), on(E, P, t-1), E < D.
#program check(t).
:- query(t), disk(D), not on(D, c, t).
#show move/3.
"""

SCRIPT = """\
#script (python)
def main(prg):
    prg.ground([("base", [])])
    prg.solve()
#end.
a(0).
#program step(t).
{ a(t) } :- a(t-1).
#program check(t).
#external query(t).
:- query(t), not a(3).
"""

JOBS = """\
task(a, 3). task(b, 4). task(c, 2).
deadline(6).
{ before(X, Y) : task(Y, _), X < Y } :- task(X, _).

%! order {X} {Y}: one after the other on the machine.
&diff { start(X) - start(Y) } <= -D :- task(X, D), task(Y, _), X < Y, before(X, Y).
&diff { start(Y) - start(X) } <= -D :- task(X, _), task(Y, D), X < Y, not before(X, Y).

%! begin of {X}: no task begins before 0.
&diff { 0 - start(X) } <= 0 :- task(X, _).

%! end of {X}: every task ends before the deadline.
&diff { start(X) - 0 } <= T - D :- task(X, D), deadline(T).

late :- task(X, D), &diff { start(X) - 0 } <= D.
"""

SUM = "&dom { 1..5 } = x. &dom { 1..5 } = y.\n&sum { x; y } = 11.\n{ a }. :- not a.\n&show { x }.\n"


def test_an_incremental_program_is_looked_at_where_it_ends() -> None:
    problem = AspProblem(HANOI)
    found = bridge.diagnose(problem)
    assert (str(found.verdict), found.problem.steps) == ("unique", 3)
    assert [str(model) for model in found.solutions] == ["move(1,b,1) move(2,c,2) move(1,c,3)"]
    assert "the program is incremental: this is about step 3" in found.notes
    assert str(bridge.check(AspProblem(HANOI, steps=2)).verdict) == "impossible"
    assert len(list(bridge.solutions(AspProblem(HANOI, steps=4)))) == 2
    steps = {str(step.fact) for step in bridge.explain(problem)}
    assert steps >= {"move(1,b,1)", "move(2,c,2)", "move(1,c,3)"}


def test_a_clash_says_in_which_steps() -> None:
    found = bridge.diagnose(AspProblem(HANOI, steps=2))
    (clash,) = found.clashes
    assert clash.minimal
    assert [fact.name for fact in clash.facts] == ["disk(1).", "disk(2)."]
    assert found.instances is not None
    assert all("t" in dict(one.bindings) for one in found.instances.rules if one.place.line > 5)
    for rule in clash.rules:
        if rule.kind != "choice":  # without the choice nothing moves; in question are its bounds
            left = bridge.check(found.problem.without([rule.statement.key]))
            assert str(left.verdict) != "impossible", rule


def test_why_in_an_incremental_program() -> None:
    problem = AspProblem(HANOI)
    forced = bridge.why(problem, "on(2,c,3)")
    assert (forced.status, forced.problem.steps) == ("every", 3)
    assert forced.trace is not None
    assert [(one.atom, dict(one.bindings).get("t")) for one in forced.trace.steps][-2:] == [
        ("on(2,c,2)", "2"),
        ("on(2,c,3)", "3"),
    ]
    never = bridge.why(problem, "move(9,b,1)")
    assert never.trace is not None
    assert [one.lacking for one in never.trace.missing] == ["disk(9)"]
    forbidden = bridge.why(problem, "move(2,b,1)")
    assert forbidden.status == "no"
    assert forbidden.clash is not None
    assert {rule.place.line for rule in forbidden.clash.rules} == {4, 10}
    with pytest.raises(UnsupportedError, match="incremental"):
        bridge.why(problem, cost=True)


@pytest.mark.slow
def test_a_program_that_does_not_end() -> None:
    never = "#include <incmode>.\n{ a }.\n#program check(t).\n:- query(t).\n"
    with pytest.raises(InputError, match=r"no answer set up to step \d+ in the time") as raised:
        bridge.diagnose(AspProblem(never), limits=Limits(seconds=1))
    assert raised.value.hint is not None
    assert "--steps" in raised.value.hint
    assert [rule.place.line for rule in bridge.diagnose(AspProblem(never, steps=0)).clashes[0].rules] == [4]
    # imax ends it.
    assert bridge.diagnose(AspProblem(never, constants={"imax": 2})).problem.steps == 1
    with pytest.raises(InputError, match="number of steps"):
        AspProblem(never, steps=-1)


def test_a_script_is_not_followed_but_its_parts_are_looked_at() -> None:
    for ask in (bridge.diagnose, lambda one: bridge.why(one, "a(1)"), lambda one: list(bridge.explain(one))):
        with pytest.raises(UnsupportedError, match="script") as raised:
            ask(AspProblem(SCRIPT))
        assert "--steps" in (raised.value.hint or "")
    assert str(bridge.diagnose(AspProblem(SCRIPT, steps=3)).verdict) == "unique"
    (clash,) = bridge.diagnose(AspProblem(SCRIPT, steps=2)).clashes
    assert [rule.place.line for rule in clash.rules] == [11]


def holds(text: str, theory: str, without: Iterable[int]) -> bool:
    """Whether the program without some lines has an answer set."""
    kept = [line for number, line in enumerate(text.splitlines(), 1) if number not in set(without)]
    with Program("\n".join(kept) + "\n", theory=theory) as program:
        return program.first() is not None


def test_difference_constraints_clash() -> None:
    (clash,) = bridge.diagnose(AspProblem(JOBS, theory="clingo-dl")).clashes
    assert clash.minimal
    assert [rule.name for rule in clash.rules] == ["order a b", "begin of a", "begin of b", "end of a", "end of b"]
    assert {rule.kind for rule in clash.rules} == {"theory"}
    assert [str(fact) for fact in clash.facts] == ["task(a,3).", "task(b,4).", "deadline(6)."]
    wider = AspProblem(JOBS.replace("deadline(6)", "deadline(9)"), theory="clingo-dl")
    assert str(bridge.check(wider).verdict) == "ambiguous"


def test_an_atom_by_a_theory_atom() -> None:
    found = bridge.why(AspProblem(JOBS.replace("(6)", "(9)"), theory="clingo-dl"), "late")
    assert found.status == "every"
    assert found.trace is not None
    (theory,) = found.trace.steps[-1].theory
    assert theory.startswith("&diff { (start(")
    assert any("not checked" in note for note in found.notes)
    graph: Any = bridge.picture(found)
    assert theory in graph.nodes[0].needs
    assert found.to_json()["derivation"][-1]["theory"] == [theory]
    assert found.clash is not None
    assert "theory" in {rule.kind for rule in found.clash.rules}


def test_sums_clash() -> None:
    found = bridge.diagnose(AspProblem(SUM, theory="clingcon"))
    (clash,) = found.clashes
    assert [(rule.place.line, rule.place.column) for rule in clash.rules] == [(1, 1), (1, 20), (2, 1)]
    assert not holds(SUM, "clingcon", ())
    assert holds(SUM, "clingcon", [1])
    assert holds(SUM, "clingcon", [2])
    with pytest.raises(bridge.ProgramError, match="theory"):
        bridge.diagnose(AspProblem(SUM))


def test_programs_in_use_with_a_theory_or_steps() -> None:
    with Program(HANOI, isolated=False) as program:
        program.add("#external stop. :- stop, move(2, c, T).")
        assert program.diagnose().verdict is Verdict.UNIQUE
    with Program(JOBS, theory="clingo-dl") as program:
        (clash,) = program.diagnose().clashes
        assert "theory" in {premise.kind for premise in clash.rules}


def test_after_its_questions_a_program_can_be_asked_again() -> None:
    problem = AspProblem(HANOI)
    found = bridge.check(problem)
    assert found.problem.steps == 3
    assert bridge.check(found.problem).verdict is found.verdict
    assert bridge.why(found.problem, "move(2,c,2)").status == "every"
