"""Mutants of encodings: small changes of the text, each noticed, or not, as brute force says."""

from __future__ import annotations

from pathlib import Path

import pytest

import bridge
from bridge.asp import Program
from bridge.debugging.mutants import mutants
from bridge.errors import InputError, ProgramError
from bridge.limits import Limits

QUEENS = """% Queens.
#const n = 4.
{ queen(R, 1..n) } = 1 :- R = 1..n.
:- queen(R, C),
   queen(R', C), R < R'.
:- queen(R, C), queen(R', C'), R < R', |C - C'| = R' - R.  % ä
"""


def test_each_mutant_is_one_small_change() -> None:
    found = list(mutants(QUEENS))
    assert {mutant.kind for mutant in found} == {"rule", "literal", "operator", "bound"}
    for mutant in found:
        assert mutant.text.count("\n") == QUEENS.count("\n"), "line numbers stay"
        assert mutant.before in QUEENS
        assert mutant.after in mutant.text
        assert "% ä" in mutant.text
    assert len({mutant.text for mutant in found}) == len(found)
    after = [mutant.after for mutant in found if mutant.place.line == 4]
    assert ":- queen(R', C), R < R'." in after
    assert ":- queen(R, C),\n   queen(R', C)." in after
    assert ":- queen(R, C),\n   queen(R', C), R <= R'." in after


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a :- not b.", {"", "a.", "a :- b."}),
        (":- a, not b.", {"", ":- not b.", ":- a.", ":- a, b."}),
        ("1 { a; b } 2.", {"", "2 { a; b } 2.", "0 { a; b } 2.", "1 { a; b } 3.", "1 { a; b } 1."}),
        ("p(1..3).", {"", "p(1..4).", "p(1..2)."}),
        (":- #count { X : p(X) } > k.", {"", ":- #count { X : p(X) } > k+1.", ":- #count { X : p(X) } > k-1."}),
        ("a :- not 1 { b }.", {"", "a.", "a :- 1 { b }.", "a :- not 2 { b }.", "a :- not 0 { b }."}),
        (":- not not #sum { X, \"},\" : p(X) }, q.", {"", ":- q.", ":- not not #sum { X, \"},\" : p(X) }.",
                                                     ":- not #sum { X, \"},\" : p(X) }, q."}),
        ("a :- b : c.", {"", "a.", "a :- b."}),
        (":- (X, Y) < (Z, 1), p(X, Y, Z).", {"", ":- (X, Y) <= (Z, 1), p(X, Y, Z).", ":- p(X, Y, Z).", ":- (X, Y) < (Z, 1)."}),
    ],
)
def test_kinds_of_changes(text: str, wanted: set[str]) -> None:
    assert {mutant.after for mutant in mutants(f"{text}\n")} == wanted


def test_a_mutant_is_loaded_with_what_it_includes(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "base.lp").write_text("p(1..2).\n")
    (tmp_path / "top.lp").write_text('#include "sub/base.lp".\n{ a(X) : p(X) } = 1.\n')
    found = list(mutants(tmp_path / "top.lp"))
    assert {mutant.place.line for mutant in found} == {2}
    with Program(found[-1].text) as program:
        assert program.count().number > 0


def test_a_program_that_cannot_be_read_has_no_mutants() -> None:
    with pytest.raises(ProgramError):
        list(mutants("a :- .\nb(.\n"))


def counted(text: str, n: int) -> frozenset[str] | None:
    """The answers of a program by clingo alone; None where it is none."""
    try:
        with Program(f"{text}#show queen/2.\n", isolated=False, n=n) as program:
            return frozenset(" ".join(sorted(str(model).split())) for model in program.models())
    except ProgramError:
        return None


@pytest.mark.slow
def test_what_is_noticed_is_what_brute_force_tells_apart() -> None:
    found = bridge.mutate(QUEENS, bridge.Generator(n=range(1, 5)), show="queen/2", against=bridge.AspProblem(QUEENS))
    assert found.scope == "all 4 instances up to n = 4; there are no others"
    for one in found.mutants:
        every = [counted(one.change.text, n) for n in range(1, 5)]
        if None in every:
            assert one.status == "invalid", one
            continue
        wrong = [n for n in range(1, 5) if every[n - 1] != counted(QUEENS, n)]
        assert one.status == ("noticed" if wrong else "survived"), one
        if wrong:
            assert one.by is not None
            assert one.by.constants["n"] == wrong[0], "a smallest instance"
    assert {one.status for one in found.mutants} >= {"noticed", "invalid"}


def test_tests_with_expectations(tmp_path: Path) -> None:
    encoding = tmp_path / "colour.lp"
    encoding.write_text("{ c(X, (r; g)) } = 1 :- n(X).\n:- e(X, Y), c(X, C), c(Y, C).\n#defined e/2.\n#show c/2.\n")
    one = tmp_path / "one.lp"
    one.write_text("%! test one node: several\nn(1).\n")
    weak = bridge.mutate(encoding, [one])
    assert "" in [one.change.after for one in weak.survived if one.change.place.line == 2], "the constraint"
    two = tmp_path / "two.lp"
    two.write_text("%! test two: answer c(1,r) c(2,g); answer c(1,g), c(2,r)\nn(1..2). e(1, 2).\n")
    strong = bridge.mutate(encoding, [one, two])
    assert len(strong.survived) < len(weak.survived)
    assert "" not in [mutant.change.after for mutant in strong.survived]
    two.write_text("%! test two: unsat\nn(1..2). e(1, 2).\n")
    with pytest.raises(InputError, match="the encoding itself fails the test two: there is an answer"):
        bridge.mutate(encoding, [one, two])


def test_tests_in_the_encoding_count(tmp_path: Path) -> None:
    text = "{ at(L, 1..2) } = 1 :- lesson(L).\n:- at(L, S), at(M, S), L < M.\n#defined lesson/1.\n"
    encoding = tmp_path / "lessons.lp"
    encoding.write_text(f"{text}%! test two: models 2\n%! fact lesson(a;b).\n")
    found = bridge.mutate(encoding)
    assert (found.scope, found.survived) == ("1 test", ())
    (tmp_path / "one.lp").write_text("lesson(a).\n")
    mixed = bridge.mutate(encoding, [tmp_path / "one.lp"])
    assert (mixed.tests, mixed.survived) == (2, ())
    dropped = next(one for one in found.mutants if one.change.place.line == 2 and not one.change.after)
    assert dropped.how == "there are 3 answers or more, not 2"
    assert str(found.to_json()["mutants"][0]["by"]["name"]) == "two"


@pytest.mark.slow
def test_an_endless_mutant_is_not_tried_for_ever() -> None:
    text = "p(X + 1) :- p(X), X < 5. p(1). :- p(X), X > n.\n"
    limits = bridge.Limits(seconds=0.1, solutions=10)
    found = bridge.mutate(text, bridge.Generator(n=range(1, 9)), limits=limits, show="p/1")
    assert found.of("undecided")
    assert all("limit" in str(one.how) for one in found.of("undecided"))


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nothing to notice a mutant"):
        bridge.mutate("a.\n")
    with pytest.raises(InputError, match="the two programs differ on"):
        bridge.mutate("{ a }.\n", against=bridge.AspProblem("{ a }. :- a."), show="a/0")


def test_a_generator_without_the_value_of_a_constant_is_told() -> None:
    found = bridge.mutate("{ a } :- e(_).\n", bridge.Generator("{ e(1..n) }. #show e/1."), show="a/0")
    assert len(found.notes) == 1
    assert found.notes[0].endswith("interval undefined: 1..n")
    assert found.to_json()["notes"] == list(found.notes)


def test_a_mutant_that_is_the_same_program_is_no_lack_of_tests() -> None:
    encoding = "{ q(1..3,1..3) }.\n:- q(X,Y), q(X,Z), Y < Z.\n:- q(X,Y), q(Z,Y), X < Z, not p(X), X <= Z.\n"
    found = bridge.mutate(encoding, ["p(1)."], limits=Limits(seconds=20, solutions=1000))
    same = ":- q(X,Y), q(Z,Y), X < Z, not p(X)."
    assert [one.change.after for one in found.of("equivalent")] == [same, f"{same[:-1]}, X < Z."]
    assert not found.survived
    assert found.to_json()["equivalent"] == 2
    assert "2 the same program" in str(found)
