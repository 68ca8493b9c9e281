"""Mutants of Prolog programs, and whether tests of plunit notice them."""

from __future__ import annotations

from pathlib import Path

import pytest

import bridge
from bridge.debugging.goal_mutants import mutants
from bridge.errors import InputError, UnsupportedError

LEN = """len([], 0).
len([_|T], N) :-
    len(T, M),
    N is M + 1.
big(X) :- X > 2, \\+ X = 7.
"""
TESTS = """:- begin_tests(len).
test(two, N == 2) :- len([a,b], N).
test(big) :- big(3).
:- end_tests(len).
"""


def test_each_mutant_is_one_small_change() -> None:
    found = list(mutants(LEN + TESTS))
    assert {one.kind for one in found} == {"rule", "literal", "negation", "operator", "bound"}
    for one in found:
        assert one.text.count("\n") == (LEN + TESTS).count("\n"), "line numbers stay"
        assert one.before.removesuffix(".") in LEN
    after = {one.after for one in found}
    assert {"", "big(X) :- X > 2.", "big(X) :- X >= 2, \\+ X = 7.", "big(X) :- X > 2, X = 7."} <= after
    assert len({one.text for one in found}) == len(found)


def test_what_the_tests_do_not_notice(tmp_path: Path) -> None:
    path = tmp_path / "len.pl"
    path.write_text(LEN)
    path.with_suffix(".plt").write_text(TESTS)
    found = bridge.mutate(path)
    assert (found.tests, found.scope) == (2, "2 tests")
    assert {(one.change.kind, one.change.place.line) for one in found.survived} == {
        ("literal", 5), ("operator", 5), ("bound", 5),
    }  # fmt: skip
    noticed = {one.change.after: one for one in found.of("noticed")}
    assert "len" in str(noticed["len([_|T], N) :-\n    len(T, M),\n    N is M + 2."].by)
    assert found.to_json()["noticed"] == len(found.of("noticed"))


def test_what_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "len.pl"
    path.write_text(LEN)
    with pytest.raises(InputError, match="nothing to notice"):
        bridge.mutate(path)
    path.write_text(LEN.replace("M + 1", "M + 2") + TESTS)
    with pytest.raises(InputError, match="fails the test len:two"):
        bridge.mutate(path)
    with pytest.raises(UnsupportedError, match="on its tests"):
        bridge.mutate(path, against=LEN)
