"""Instances that are ground together: which ones, what clingo is given, and when one is asked alone after all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from bridge.asp import Program
from bridge.asp.results import CaseEnd
from bridge.comparison import family
from bridge.comparison.answers import Answer
from bridge.comparison.family import Families, Family
from bridge.comparison.instance import Instance
from bridge.errors import BridgeError
from bridge.limits import UNLIMITED, Limits

END, CUT = CaseEnd(True, {"solve": 1.0}, {"conflicts": 2}), CaseEnd(False, {}, {})
A, B = frozenset({("a", (1,))}), frozenset({("b", (1,))})


class Stub:
    """A program that has these answers, and ends of cases; an error is raised."""

    warnings = ("a warning",)

    def __init__(self, found: Sequence[Any] = (), wrong: type[Exception] | None = None) -> None:
        self.found, self.wrong, self.closed = found, wrong, 0
        self.text, self.given, self.seconds = "", dict[str, Any](), 0.0

    def literals(self, name: str, arity: int, *, limits: Limits) -> None:
        assert (name, arity) == ("__in", 1)
        assert limits.seconds is not None
        self.seconds = limits.seconds
        if self.wrong is not None:
            raise self.wrong("not ground")

    def cases(self, name: str, cases: list[list[int]], **more: Any) -> Iterator[Any]:
        self.given = {"name": name, "cases": cases, **more}
        for one in self.found:
            if isinstance(one, Exception):
                raise one
            yield one

    def close(self) -> None:
        self.closed += 1

    def load(self, text: str) -> Program:
        self.text = text
        return self  # type: ignore[return-value]


def same(model: Any) -> Answer:
    return model  # type: ignore[no-any-return]


def edges(*ends: int, **constants: Any) -> Instance:
    return Instance.of_facts({"e": [(1, end) for end in ends]}, **constants)


def made(stub: Stub, *instances: Instance, limits: Limits = UNLIMITED) -> Family:
    return Family(instances, stub.load, same, limits)


def test_what_all_have_are_facts_and_each_other_fact_is_chosen() -> None:
    stub = Stub()
    together = made(stub, edges(1, 2, 3), edges(3, 4, 1), edges(1, 3))
    assert stub.text == "e(1,1).\ne(1,3).\n{ __in(0..1) }.\ne(1,2) :- __in(0).\ne(1,4) :- __in(1).\n"
    next(iter(together._found), None)
    assert stub.given == {
        "name": "__in", "cases": [[0], [1], []], "conflicts": family.CONFLICTS, "limits": UNLIMITED,
    }  # fmt: skip
    assert list(together.warnings) == ["a warning"]
    assert not stub.closed


@pytest.mark.parametrize(("seconds", "given"), [(None, 2.0), (1.0, 1.0), (9.0, 2.0)])
def test_grounding_has_little_time(seconds: float | None, given: float) -> None:
    stub = Stub()
    made(stub, edges(1), limits=Limits(seconds=seconds))
    assert stub.seconds == given


@pytest.mark.parametrize("wrong", [BridgeError, KeyboardInterrupt])
def test_what_cannot_be_ground_together_is_closed(wrong: type[Exception]) -> None:
    stub = Stub(wrong=wrong)
    with pytest.raises(wrong):
        made(stub, edges(1))
    assert stub.closed == 1


@pytest.mark.parametrize(
    ("found", "most", "outcome"),
    [
        ([A, B, A, END], None, ((A, B), True, None)),
        ([END], None, ((), True, None)),
        ([A, END], 2, ((A,), True, None)),
        ([A, B, END], 2, ((A, B), False, "solutions")),
        ([A, B, CUT], 2, ((A, B), False, "solutions")),
        ([A, CUT], 2, None),  # too many conflicts
        ([A, CUT], None, None),
        ([A], None, None),  # the worker is gone
        ([A, BridgeError("lost")], None, None),
    ],
)
def test_answers_of_an_instance(found: list[Any], most: int | None, outcome: tuple[Any, ...] | None) -> None:
    stub = Stub(found)
    one, other = edges(1), edges(2)
    together = made(stub, one, other, limits=Limits(solutions=most))
    assert (together.has(one), together.has(other), together.has(edges(1))) == (True, False, False)
    answers = together.next()
    assert (answers and (answers.solutions, answers.complete, answers.limit)) == outcome
    assert together.has(other) == (CUT in found or END in found)
    if END in found and answers is not None:
        assert (answers.statistics.seconds, answers.statistics.counters) == (END.seconds, END.counters)


def test_nothing_comes_after_the_last() -> None:
    only = edges(1)
    stub = Stub([END])
    together = made(stub, only)
    assert together.next() is not None
    assert not together.has(only)
    together.close()
    assert stub.closed == 1


def test_a_worker_that_is_gone_is_closed() -> None:
    stub = Stub([])
    assert made(stub, edges(1), edges(2)).next() is None
    assert stub.closed == 1


FIT, MORE = list(range(family.SMALL)), list(range(family.SMALL + 1))


@pytest.mark.parametrize(
    ("instances", "alike"),
    [
        ([], False),
        ([edges(1)], False),
        ([edges(1), edges(2)], True),
        ([edges(1), Instance(file="a.lp")], False),
        ([edges(*FIT), edges(1)], True),
        ([edges(*MORE), edges(1)], False),
        # No more than FACTOR (4) times those of the largest, and MORE (100).
        ([edges(n) for n in range(104)], True),
        ([edges(n) for n in range(105)], False),
    ],
)
def test_which_instances_are_alike(instances: list[Instance], alike: bool) -> None:
    assert family._alike(instances) == alike


def test_of_a_kind_of_puzzles_none_are_alike() -> None:
    class Puzzle(Instance):
        kind = "sudoku"

    assert not family._alike([Puzzle(), Puzzle()])


def families(*stubs: Stub, allows: Callable[[Sequence[str]], bool] = lambda warnings: True) -> Families:
    waiting = list(stubs)

    def load(first: Instance, text: str) -> Program:
        assert first.facts == edges(first.constants.get("n", 0)).facts
        return waiting.pop(0).load(text)

    return Families(load, same, allows)


def test_a_family_for_those_with_the_same_constants() -> None:
    one, two, three, four, five = edges(1, n=1), edges(2, n=1), edges(3, n=2), edges(3, n=3), edges(5, n=3)
    first, last = Stub([A, END, B, END]), Stub([END, A, END])
    together = families(first, last)
    together.expect([one, two, three, four, five], Limits(solutions=7))
    assert [len(group) for group in together._expected] == [2, 2]
    found = [together.answers(instance) for instance in (one, two, three, four, five)]
    assert [answers and answers.solutions for answers in found] == [(A,), (B,), None, (), (A,)]
    assert first.given["limits"] == Limits(solutions=7)
    assert (first.closed, last.closed) == (1, 0)
    together.close()
    assert last.closed == 1
    assert together.answers(five) is None


def test_instances_that_are_not_expected_are_asked_alone() -> None:
    one, two, other = edges(0), edges(1), edges(2)
    together = families(Stub([END, END]))
    together.expect([one, two], UNLIMITED)
    assert [together.answers(instance) is None for instance in (other, two, one, other, two, one)] == [
        True, True, False, True, False, True,
    ]  # fmt: skip


def test_what_is_expected_next_takes_the_place_of_what_was() -> None:
    one, two, three, four = edges(0), edges(1), edges(0), edges(3)
    first, last = Stub([END, END]), Stub([END, END])
    together = families(first, last)
    together.expect([one, two], UNLIMITED)
    assert together.answers(one)
    together.expect([three, four], UNLIMITED)
    assert first.closed == 1
    assert together.answers(two) is None
    assert together.answers(three)


@pytest.mark.parametrize("kind", ["cannot be ground", "not allowed"])
def test_after_one_that_fails_no_more_are_made(kind: str) -> None:
    one, two, three, four = edges(1, n=1), edges(2, n=1), edges(2, n=2), edges(4, n=2)
    stub = Stub([END, END], BridgeError if kind == "cannot be ground" else None)
    together = families(stub, allows=lambda warnings: kind != "not allowed" or list(warnings) != ["a warning"])
    together.expect([one, two, three, four], UNLIMITED)
    assert [together.answers(instance) for instance in (one, two, three, four)] == [None] * 4
    assert stub.closed == 1
    together.expect([one, two], UNLIMITED)
    assert not together._expected


def test_families_in_vain() -> None:
    """Each instance that had to be asked alone is one in vain, and each that was solved together makes up for one."""

    def tried(*found: list[Any]) -> list[bool]:
        together = families(*map(Stub, found))
        expected = list[bool]()
        for some in found:
            instances = [edges(n) for n in range(len(some))]
            together.expect(instances, UNLIMITED)
            expected.append(bool(together._expected))
            for instance in instances:
                together.answers(instance)
        return expected

    last = [END, END]
    assert tried([CUT] * 10, last) == [True, True]  # no more than IN_VAIN
    assert tried([CUT] * 11, last) == [True, False]
    assert tried([END, CUT, CUT], [CUT] * 8, last) == [True, True, True]  # none is less than none
    assert tried([END, CUT, CUT], [CUT] * 9, last) == [True, True, False]
    assert tried([CUT, END], [CUT] * 11, last) == [True, True, False]
    assert tried([CUT] * 10, [CUT, END], last) == [True, True, True]
    assert tried([CUT] * 10, [END, CUT, CUT], last) == [True, True, False]
