"""Clashes of clingo programs with facts of all forms and from all places, in one process; `Program.diagnose`, `.why`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import bridge
from bridge import AspProblem, Limits, Verdict, asp
from bridge.analysis.program_diagnosis import ProgramDiagnosis
from bridge.asp.reading.names import Switching
from bridge.asp.reading.outline import Facts
from bridge.errors import BridgeError, InputError, UnsupportedError
from bridge.isolation import worker
from bridge.problem import scope


def clash(*sources: str | Path, **how: object) -> list[str]:
    """The premises of the clash, each with its line."""
    found = bridge.diagnose(AspProblem(*sources), **how)  # type: ignore[call-overload]
    assert found.verdict is Verdict.IMPOSSIBLE
    return [f"{one} {one.place.line}" for one in found.clashes[0].premises]


@pytest.mark.parametrize(
    ("text", "premises"),
    [
        (":- p(1).\np(1). p(2).\n", ["<string>:1 1", "p(1). 2"]),
        (":- p(1).\np(1..2).\n", ["<string>:1 1", "p(1). 2"]),
        (':- p( 1 ,"a b").\n\np( 1 , "a b" ).\n', ["<string>:1 1", 'p(1,"a b"). 3']),
        (":- p(3).\n#const n = 3.\np(n).\n", ["<string>:1 1", "p(3). 3"]),
        (":- p(1).\np(1).\np(X) :- q(X).\nq(2).\n", ["<string>:1 1", "p(1). 2"]),
        (":- p(1).\np(X) :- q(X).\nq(1). p(2).\n", ["<string>:1 1", "<string>:2 2", "q(1). 3"]),
        (":- p(1).\n\n%! given: it is.\np(1).\n", ["<string>:1 1", "given 4"]),
        (":- p(1).\n\n%! always\np(1).\n", ["<string>:1 1"]),
        (":- not q(1).\nq(1) :- p(1), not r.\np(1). r.\n", ["<string>:1 1", "r. 3"]),
        (":- p(1).\np(1).\n#program step(t).\np(1).\n", ["<string>:1 1", "p(1). 2"]),
    ],
)
def test_facts_of_all_forms(text: str, premises: list[str]) -> None:
    assert clash(text, effort=0) == premises


def test_a_fact_that_is_stated_twice_is_one_premise() -> None:
    found = bridge.diagnose(AspProblem(":- p.\np.\n\np.\n"))
    assert found.clashes is not None
    _, fact = found.clashes[0].premises
    assert [one.place.line for one in fact.statements] == [2, 4]
    assert fact.to_json()["lines"] == [2, 4]
    assert found.removals is not None
    assert found.removals.size == 1
    assert len(found.removals.sets) == 2


def test_facts_of_files_that_are_included(tmp_path: Path) -> None:
    (tmp_path / "facts.lp").write_text("p(1).\nq(1).\n")
    (tmp_path / "rules.lp").write_text('#include "facts.lp".\n:- p(X), q(X), r(X).\nr(1).\n')
    found = bridge.diagnose(AspProblem(tmp_path / "rules.lp"))
    assert found.clashes is not None
    places = [(Path(one.place.file or "").name, one.place.line) for one in found.clashes[0].premises]
    assert sorted(places) == [("facts.lp", 1), ("facts.lp", 2), ("rules.lp", 2), ("rules.lp", 3)]


def test_many_facts_and_one_that_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at: list[int] = []
    statement = Facts.statement
    monkeypatch.setattr(Facts, "statement", lambda facts, one: looked_at.append(one) or statement(facts, one))
    rows = [f"edge({number},{number + 1})." for number in range(5000)]
    rows[2345] = "edge(7,7)."
    (tmp_path / "facts.lp").write_text("\n".join(rows))
    (tmp_path / "rules.lp").write_text("{ in(X) } :- edge(X, _).\n:- edge(X, X).\n:- edge(X, Y), in(X), in(Y).\n")
    problem = AspProblem(tmp_path / "rules.lp", tmp_path / "facts.lp")
    told: list[ProgramDiagnosis] = []
    found = bridge.diagnose(problem, limits=Limits(seconds=300), on_progress=told.append)
    assert found.clashes is not None
    (rule, fact) = found.clashes[0].premises
    assert (rule.place.line, fact.place.line, str(fact)) == (2, 2346, "edge(7,7).")
    assert len(problem.outline.statements) == 3
    assert problem.outline.size == 5003
    assert set(looked_at) == {2345}  # the others are premises as a block
    assert found.removals is not None
    assert [[str(one) for one in away] for away in found.removals.sets] == [["edge(7,7)."], [str(rule)]]
    assert found.clashes[0].smallest
    # The first answer is a clash that is not proved to be minimal, of rules alone.
    first = next(one for one in told if one.verdict is Verdict.IMPOSSIBLE)
    assert first.clashes is not None
    assert [str(one.place.line) for one in first.clashes[0].premises] == ["2"]
    assert not first.clashes[0].minimal


def test_a_diagnosis_takes_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    started = []
    real = worker.start
    monkeypatch.setattr(worker, "start", lambda *given: started.append(given) or real(*given))
    assert clash("{ a }.\n:- a, p.\n:- not a.\np.\n", variants=["<string>:2"], instances=True)
    assert len(started) == 1
    bridge.why(AspProblem("{ a }.\n:- a, p.\np.\n"), "a")
    assert len(started) == 2


def test_a_fact_can_be_left_out_as_a_variant() -> None:
    found = bridge.diagnose(AspProblem(":- p(1).\np(1).\np(2).\n"), variants=["<string>:2", "<string>:3"])
    assert found.variants is not None
    assert [one.changes for one in found.variants] == [("without <string>:2",)]


def test_an_untrusted_program_is_diagnosed(tmp_path: Path) -> None:
    (tmp_path / "a.lp").write_text(":- p(1).\np(1).\n")
    found = bridge.diagnose(AspProblem(tmp_path / "a.lp", untrusted=True, allow_missing_walls=True))
    assert found.clashes is not None
    assert [one.place.line for one in found.clashes[0].premises] == [1, 2]


def test_the_diagnosis_of_a_program_in_use() -> None:
    with asp.Program("{ at(L, 1..2) } = 1 :- lesson(L).\n:- at(L, S), at(M, S), L < M.\n", "lesson(art).\n") as program:
        assert program.diagnose().verdict is Verdict.AMBIGUOUS
        program.add_facts("lesson", ["math"])
        program.add("\nlesson(music).")
        found = program.diagnose(effort=0)
        assert [str(one.place) for one in found.clashes[0].premises] == [
            "<text 1>:1:1",
            "<text 1>:2:1",
            "<text 2>:1:1",
            "<text 3>:1:1",
            "<text 4>:2:1",
        ]
        with pytest.raises(InputError, match="no answer set"):
            program.why("at(art,1)")


@pytest.mark.parametrize("isolated", [True, False])
def test_externals_are_as_they_are_assigned(isolated: bool) -> None:
    with asp.Program("{ a }.\n#external e.\n:- e.\n:- not a.\n", isolated=isolated) as program:
        assert program.why("a").status == "every"
        program.assign_external("e", True)
        assert program.diagnose().verdict is Verdict.IMPOSSIBLE
        program.assign_external("e", None)
        assert program.diagnose().verdict is Verdict.UNIQUE
        program.release_external("e")
        assert program.diagnose().verdict is Verdict.UNIQUE


def test_what_a_context_computes_is_not_explained() -> None:
    with (
        asp.Program("a(@f(1)).", context={"f": lambda x: x}) as program,
        pytest.raises(UnsupportedError, match="context"),
    ):
        program.diagnose()


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("p(1). p(2).\nq(X) :- p(X),.\n", 2, r"syntax error.*in `q\(X\) :- p\(X\),\.`"),
        ("p(1).\nq(X, Y) :- p(X).\n", 2, r"wrong\.lp:2:6: `Y` is unsafe"),
        ('p(1).\n#include "nowhere.lp".\n', 2, "could not be opened"),
        ("p(1). p(99999999999).\n", 1, "does not fit"),
    ],
)
def test_errors_have_their_places(text: str, line: int, message: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.lp"
    path.write_text(text)
    with pytest.raises(BridgeError, match=message) as error:
        bridge.diagnose(AspProblem(path))
    assert error.value.where is not None
    assert (error.value.where.file, error.value.where.line) == (str(path), line)


#: Two rules that clash by few facts, a third that clashes by others, and many facts that have nothing to do with it.
CLASSES = """\
:- lesson(L, T), must(L, S), not at(L, S).
:- busy(T, S), away(T, S).
:- room(R), broken(R).
busy(T, S) :- at(L, S), lesson(L, T).
{ at(L, S) : S = 1..3 } :- lesson(L, _).
must(l4,2). away(t1,2). room(a). broken(a).
"""


@pytest.mark.slow
def test_few_of_many_facts_give_what_all_of_them_give(monkeypatch: pytest.MonkeyPatch) -> None:
    text = CLASSES + "".join(f"lesson(l{number},t{number % 3}).\n" for number in range(30))
    every = bridge.diagnose(AspProblem(text), clashes=2)
    monkeypatch.setattr(scope, "MANY", 0)
    monkeypatch.setattr(scope, "SHARE", 1)
    near: list[object] = []
    found_near = scope.Scope.near
    monkeypatch.setattr(scope.Scope, "near", lambda *given: near.append(found_near(*given)) or near[-1])
    few = bridge.diagnose(AspProblem(text), clashes=2)
    assert len(near) == 2  # the third rule is met when the others are taken away
    assert all(near)
    assert few.removals == every.removals
    assert few.removals is not None
    assert few.removals.size == 2
    assert few.after == every.after
    assert few.clashes is not None
    assert every.clashes is not None
    assert {one.premises for one in few.clashes} == {one.premises for one in every.clashes}
    assert all(one.minimal for one in few.clashes)


@pytest.mark.slow
def test_rules_that_few_facts_tell_clash_before_the_whole_is_ground(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = CLASSES.replace(":- room(R), broken(R).", ":- lesson(L, T), at(L, 1), at(L, 2).").replace("t1", "t4")
    (tmp_path / "rules.lp").write_text(rules)
    (tmp_path / "facts.lp").write_text("".join(f"lesson(l{one},t{one % 1000}).\n" for one in range(3000)))
    problem = AspProblem(tmp_path / "rules.lp", tmp_path / "facts.lp")
    opened: list[bool] = []
    made = AspProblem.program

    def noted(problem: AspProblem, switching: Switching | None = None, *given: Any, **more: Any) -> Any:
        opened.append(switching is not None and not switching.rest)
        return made(problem, switching, *given, **more)

    monkeypatch.setattr(AspProblem, "program", noted)
    first: list[int] = []

    def note(so_far: ProgramDiagnosis) -> None:
        if not first and any(one.facts and one.minimal for one in so_far.clashes or ()):
            first.append(len(opened))

    few = bridge.diagnose(problem, limits=Limits(seconds=300), on_progress=note)
    # The rules; with the few facts; the whole program; and without switches, for what nothing in it derives.
    assert opened == [True, True, False, False]
    assert first == [2]
    monkeypatch.setattr(scope, "MANY", 10**9)
    every = bridge.diagnose(problem, limits=Limits(seconds=300))
    assert opened[4:] == [False] * len(opened[4:])
    assert few.clashes == every.clashes
    assert few.removals == every.removals
    assert few.after == every.after
    assert few.warnings == every.warnings


def test_facts_with_blanks_are_found_by_their_atoms() -> None:
    facts = Facts(
        "f.lp", ["p(1, 2).", "p(1,2) .", 'p(1,"a b").', "p(2,1)."], [1, 2, 4, 4], [1] * 4, [0] * 4, (("p", 2),)
    )
    assert list(facts.stating({"p(1,2)", 'p(1,"a b")'})) == [0, 1, 2]
    assert list(facts.stating({'p(1,"ab")'})) == []
    assert [facts.number_in(line) for line in range(1, 6)] == [1, 1, 0, 2, 0]
    assert (list(facts.of({("p", 2)})), list(facts.of({("q", 2)}))) == ([0, 1, 2, 3], [])


def test_facts_in_an_aggregate_that_is_part_of_a_recursion() -> None:
    """gringo makes rules of it that have the facts in their heads: as external atoms, they would be derived alone."""
    text = (
        "e(2,2). e(2,1). e(2,3).\n"
        "{ c(Z) : e(X,Z) } :- d(X), not d(1), #sum { Z : c(Z), g(Z) } > 2.\n"
        "{ c(X) } :- e(_,X), not e(3,3).\n"
        "d(X+1) :- X < 3, c(X), #count { Z : e(X,Z), c(Z) } != 2.\n"
        ":- not s.\n"
    )
    assert clash(text) == ["<string>:5 5"]


def test_instances_that_clash_tell_few_facts_where_the_rules_need_nearly_all(monkeypatch: pytest.MonkeyPatch) -> None:
    text = (
        "{ at(L, S) : slot(S) } = 1 :- lesson(L, _).\n"
        ":- at(L, S), at(M, S), lesson(L, T), lesson(M, T), L < M.\n"
        ":- must(L, S), not at(L, S).\n"
        "must(l1,s2). must(l11,s2). slot(s1). slot(s2). slot(s3). slot(s4).\n"
    ) + "".join(f"lesson(l{number},t{number % 10}).\n" for number in range(40))
    every = bridge.diagnose(AspProblem(text))
    monkeypatch.setattr(scope, "MANY", 0)
    monkeypatch.setattr(scope, "SHARE", 3)
    near: list[set[str]] = []
    found_near = scope.Scope.near
    monkeypatch.setattr(
        scope.Scope, "near", lambda *given: near.append({*(found := found_near(*given) or [])}) or found or None
    )
    few = bridge.diagnose(AspProblem(text))
    assert near == [{"lesson(l1,t1)", "lesson(l11,t1)", "must(l1,s2)", "must(l11,s2)", "slot(s2)"}]
    assert few.clashes == every.clashes
    assert few.removals == every.removals
    assert few.after == every.after
