"""Cores and clashes step by step: what is asked, how often, and what is said of the result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from bridge.analysis import cores
from bridge.analysis.cores import Clash, better_clashes, clash, correction, disjoint_clashes, proposal, smallest
from bridge.asp.hitting import HittingSets
from bridge.asp.running.core import clashes, clashing, shrunk, smaller
from bridge.errors import LimitError, Place
from bridge.limits import UNLIMITED, Deadline, Limits
from bridge.problem.questions import Reply


def test_of_equal_assumptions_the_first() -> None:
    given: list[int | str] = ["a", "b", "c", 7]
    assert clashing([3, 2], [1, 2, 2, 3], given) == [(2, "b"), (3, 7)]


@pytest.mark.parametrize(
    ("clash", "cores", "patience", "asked", "left"),
    [
        ([1], [], None, [], [1]),
        ([1, 2], [[1, 2], [1, 2]], None, [[2, 1], [1, 2]], [1, 2]),
        ([1, 2, 3], [[2, 3], [2, 3], [2, 3]], None, [[3, 1, 2], [2, 3], [3, 2]], [2, 3]),
        ([1, 2, 3], [[2, 9]], None, [[3, 1, 2]], [2]),
        ([1, 2, 3], [[1, 2, 3]], 1, [[3, 1, 2]], [1, 2, 3]),
        ([1, 2, 3], [[1, 2, 3], [1, 2], [1, 2]], 1, [[3, 1, 2]], [1, 2, 3]),
        ([1, 2, 3], [[1, 2], [1, 2], [1, 2]], 5, [[3, 1, 2], [2, 1], [1, 2]], [1, 2]),
        ([1, 2, 3], [[1, 2, 3], [2, 3], []], None, [[3, 1, 2], [2, 3, 1], [3, 2]], [2, 3]),
    ],
)
def test_the_last_goes_to_the_front(
    clash: list[int], cores: list[list[int]], patience: int | None, asked: list[list[int]], left: list[int]
) -> None:
    found: list[list[int]] = []

    def core_of(literals: list[int]) -> list[int]:
        found.append(literals)
        return cores[len(found) - 1]

    named: list[tuple[int, int | str]] = [(one, str(one)) for one in clash]
    assert [literal for literal, _ in smaller(named, core_of, patience)] == left
    assert found == asked


class Premises:
    """Numbers of which some sets cannot hold together: those that contain one of these cores.

    A core has what stands up to the last that is needed, as a solver's has. So many questions as
    `most` are answered. What is `near` is tried first.
    """

    def __init__(self, *cores: Iterable[int], most: int = 10**6, near: Sequence[Sequence[int]] = ()) -> None:
        self.cores, self.calls, self.most = [frozenset(one) for one in cores], 0, most
        self.subsets, self.asked = near, list[list[int]]()

    def ask(self, premises: Iterable[int], limits: Limits = UNLIMITED) -> Reply[int, None]:
        some = list(premises)
        self.calls += 1
        self.asked.append(some)
        if self.calls > self.most:
            return Reply(None, limit="seconds")
        ends = [max(map(some.index, core), default=-1) + 1 for core in self.cores if core <= set(some)]
        return Reply(False, core=tuple(some[: min(ends)])) if ends else Reply(True)

    def answer(self, some: Sequence[int]) -> tuple[bool | None, Sequence[int]]:
        reply = self.ask(some)
        return reply.satisfiable, reply.core

    def within(self, limits: Limits = UNLIMITED) -> Limits:
        return limits

    def ordered(self, premises: Iterable[int]) -> tuple[int, ...]:
        return tuple(sorted(premises))

    def near(self, premises: Sequence[int], core: Sequence[int]) -> Iterator[Sequence[int]]:
        return iter(self.subsets)


@pytest.mark.parametrize(
    ("cores", "most", "left", "asked"),
    [
        ([[1, 3]], 9, ([3, 1], True), [[1, 2, 3, 4], [1, 2], [3, 2], [3, 1]]),
        ([[1, 3]], 1, ([3, 1, 2], False), [[1, 2, 3, 4], [1, 2]]),
        ([[0], [4]], 9, ([4], True), [[1, 2, 3, 4], [1, 2, 3], [4, 2, 3]]),
        ([[]], 9, ([], True), [[1, 2, 3, 4]]),
    ],
)
def test_deletion_with_the_cores_of_the_solver(
    cores: list[list[int]], most: int, left: tuple[list[int], bool], asked: list[list[int]]
) -> None:
    oracle = Premises(*cores, most=most)
    assert shrunk(list(range(5)), oracle.answer) == left
    assert oracle.asked == asked


class Fact(int):
    is_fact = True


RULES = range(6)
#: The even ones are facts.
MIXED = [Fact(0), 1, Fact(2), 3, Fact(4), 5]
TWO = ([0, 1, 5], [2, 3, 4])


@pytest.mark.parametrize(
    ("cores", "near", "most", "patience", "found", "calls"),
    [
        ((), [], 9, 6, [], 1),
        (TWO, [], 0, 6, [], 1),
        # Nothing near: the solver's core, in several orders, until one is a single premise or a limit comes.
        (([],), [], 99, 6, [([], False), ([], True)], 2),
        (([0], [4]), [], 99, 6, [([0], False), ([0], True)], 3),
        (([1, 3],), [], 99, 6, [([0, 1, 2, 3], False), ([3, 1], True)], 21),
        (([1, 3],), [], 99, 1, [([0, 1, 2, 3], False), ([3, 1], True)], 9),
        (([1, 3],), [], 99, 2, [([0, 1, 2, 3], False), ([3, 1], True)], 12),
        (([0, 3, 4, 5], [0, 2, 5]), [], 99, 6, [(RULES, False), ([0, 5, 4, 3], True), ([5, 0, 2], True)], None),
        (([1, 3],), [], 4, 6, [([0, 1, 2, 3], False), ([3, 2, 1], False)], 5),
        (([1, 3],), [], 1, 6, [([0, 1, 2, 3], False), ([0, 1, 2, 3], False)], 3),
        # A clash that is near is preferred, the smallest of them; what is near may hold together, or be all there is.
        (TWO, [[0, 1, 5]], 99, 6, [([0, 1, 2, 3, 4], False), ([0, 1, 5], True)], 5),
        (TWO, [[0, 1, 5]], 3, 6, [([0, 1, 2, 3, 4], False), ([0, 1, 5], False)], 4),
        (TWO, [[1, 2], [2, 3, 4, 5]], 99, 6, [([0, 1, 2, 3, 4], False), ([2, 3, 4], True)], 6),
        (TWO, [[0, 1, 2, 3, 4, 5]], 99, 6, [([0, 1, 2, 3, 4], False), ([4, 3, 2], True)], 6),
        (
            ([0, 1, 5], [2, 3]),
            [[0, 1, 5], [2, 3]],
            99,
            6,
            [([0, 1, 2, 3], False), ([0, 1, 5], True), ([2, 3], True)],
            8,
        ),
        (([0, 1, 5], [2, 3]), [[2, 3], [0, 1, 5]], 99, 6, [([0, 1, 2, 3], False), ([2, 3], True)], 8),
        (([5], [2, 3]), [[5], [2, 3]], 99, 6, [([0, 1, 2, 3], False), ([5], True)], 3),
    ],
)
def test_cores_better_and_better(
    cores: Sequence[list[int]],
    near: list[list[int]],
    most: int,
    patience: int,
    found: list[tuple[Sequence[int], bool]],
    calls: int | None,
) -> None:
    oracle = Premises(*cores, most=most, near=near)
    better = clashes(RULES, oracle.answer, lambda core: oracle.near(RULES, core), len, patience)
    assert [(list(core), minimal) for core, minimal in better] == [(list(core), minimal) for core, minimal in found]
    assert calls in (None, oracle.calls)


def test_fewest_premises_then_fewest_rules() -> None:
    def of(*near: list[int]) -> list[tuple[int, ...]]:
        return [one.premises for one in better_clashes(Premises(*near, near=near), MIXED)][1:]

    two_rules, one_rule, three = [MIXED[1], MIXED[3]], [MIXED[4], MIXED[5]], [MIXED[0], MIXED[1], MIXED[2]]
    assert of(two_rules, one_rule) == [(1, 3), (4, 5)]
    assert of(one_rule, two_rules, three) == [(4, 5)]
    assert of(three, one_rule) == [(0, 1, 2), (4, 5)]


def test_a_clash() -> None:
    assert clash(Premises(), RULES) is None
    assert clash(Premises([1], most=0), RULES) is None
    three = Premises([0, 1, 2], [3, 4])
    assert clash(three, [*RULES, *RULES]) == Clash((0, 1, 2), True)
    assert all(len(set(asked)) == len(asked) for asked in three.asked)
    assert clash(three, RULES, effort=1) == Clash((0, 1, 2), True)
    assert clash(three, RULES, effort=None) == Clash((3, 4), True, True)


@pytest.mark.parametrize(
    ("number", "found"), [(0, []), (1, [(0, 1, 2)]), (2, [(0, 1, 2), (3, 4)]), (9, [(0, 1, 2), (3, 4), (5,)])]
)
def test_clashes_that_share_nothing(number: int, found: list[tuple[int, ...]]) -> None:
    near = [[0, 1, 2], [3, 4], [5]]
    oracle = Premises(*near)
    assert [one.premises for one in disjoint_clashes(oracle, [*RULES, *RULES], number)] == found


@pytest.mark.parametrize(
    ("cores", "kept", "away"),
    [
        ([], [], []),
        ([[0, 1]], [], [0]),  # a fact goes before a rule
        ([[0, 1]], [0], [1]),
        ([[0, 1]], [0, 1], None),
        ([[1, 3], [3, 5]], [], [3]),  # 1 went first, and is put back
        ([[1, 3], [3, 5]], [3], [1, 5]),
        ([[0, 1], [1, 2, 3]], [], [0, 2]),
        ([[1, 5], [0, 2]], [], [1, 2]),  # 0 is put back before 2 is tried
    ],
)
def test_what_is_in_the_way(cores: list[list[int]], kept: list[int], away: list[int] | None) -> None:
    assert correction(Premises(*cores), kept, MIXED) == away


def test_a_limit_before_what_is_in_the_way() -> None:
    for most in (0, 2):
        with pytest.raises(LimitError, match="limit on seconds"):
            correction(Premises([0, 1], most=most), [], RULES)


BEST = Clash((0, 1, 2), True)
KNOWN = [[one, other] for one in (0, 1, 2) for other in (3, 4)]


@pytest.mark.parametrize(
    ("effort", "most", "known", "found", "calls"),
    [
        (None, 99, [], Clash((3, 4), True, True), None),  # which sets are proposed, clingo decides
        (99, 99, [], Clash((3, 4), True, True), None),
        (2, 99, KNOWN, Clash((3, 4), True, True), 2),  # what is known need not be asked
        (1, 99, KNOWN, BEST, 1),
        (1, 99, [], BEST, 9),
        (0, 99, [], BEST, 0),
        (None, 0, [], BEST, 1),
        (None, 7, [], BEST, 8),
        (None, 13, [], BEST, 14),
    ],
)
def test_a_smallest_clash(
    effort: int | None, most: int, known: list[list[int]], found: Clash[int], calls: int | None
) -> None:
    oracle = Premises([0, 1, 2], [3, 4], most=most)
    assert smallest(oracle, RULES, BEST, effort, known) == found
    assert calls in (None, oracle.calls)


def test_a_clash_is_smallest_when_there_is_no_smaller_one() -> None:
    oracle = Premises([0, 1, 2], [3, 4, 5])
    assert smallest(oracle, RULES, BEST, None) == Clash((0, 1, 2), True, True)
    late = Clash((0, 1, 2), False)
    assert smallest(oracle, RULES, late, None) is late


def test_nothing_is_made_for_no_effort(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(cores, "HittingSets")
    assert smallest(Premises([0, 1, 2]), RULES, BEST, 0) is BEST


def test_a_hitting_set_takes_no_longer_than_a_deadline() -> None:
    given: list[Limits] = []

    class Sets(HittingSets[int]):
        def propose(self, most: int | None = None, limits: Limits = UNLIMITED) -> None:
            assert most == 3
            given.append(limits)

    proposal(Premises(), Sets([]), 3)
    proposal(Premises(), Sets([]), 3, Deadline(9.0))
    assert given[0].seconds is None
    assert given[1].seconds is not None


@dataclass(frozen=True)
class Rule:
    """A premise as a program has it."""

    name: str
    line: int
    text: str = ""
    sentence: str = ""
    kind: str = "constraint"

    def __str__(self) -> str:
        return self.name or self.where

    @property
    def place(self) -> Place:
        return Place("a.lp", self.line, 1)

    @property
    def where(self) -> str:
        return f"a.lp:{self.line}"

    @property
    def statements(self) -> tuple[Rule, ...]:
        return (self,)

    @property
    def is_fact(self) -> bool:
        return self.kind == "fact"

    @property
    def unnamed(self) -> bool:
        return not self.name


class Atom(str):
    is_fact = True


def lines(*premises: Any, given: Sequence[str] = (), minimal: bool = True, smallest: bool = False) -> list[str]:
    return [line.strip() for line in Clash(premises, minimal, smallest).lines(given)]


def test_a_clash_shows_the_text_of_each_premise() -> None:
    assert repr(Clash((Rule("n", 1, ":- a."), Atom("p")), True)) == "<Clash of a.lp:1: :- a., p>"


def test_the_lines_of_a_clash() -> None:
    assert lines() == [
        "(what is never in question is a contradiction by itself: the statements marked `always`, `#edge`, or a query)"
    ]
    assert lines(Rule("", 1, ":- a."), Rule("", 2, "{ a } = 1.", kind="choice"), Rule("n", 3, ":- b.", "so it is")) == [
        "a.lp:1:1: :- a.", "a.lp:2:1: { a } = 1.", "the bounds of this choice", "a.lp:3:1: :- b.", "n: so it is",
    ]  # fmt: skip
    named = Rule("n", 2, "{ a } = 1.", "once", kind="choice")
    assert lines(named, Rule("", 3, ":- b.", "not b")) == [
        "a.lp:2:1: { a } = 1.",
        "n: once",
        "a.lp:3:1: :- b.",
        "not b",
    ]
    facts = [Rule("c.", 5, kind="fact"), Rule("d.", 6, kind="fact"), Rule("e.", 5, kind="fact")]
    assert lines(*facts) == ["a.lp:5: c. e.", "a.lp:6: d."]
    assert lines(Atom("p"), Atom("q"), given=["q"]) == ["given: q", "the other choices: p"]
    assert lines(Atom("p"), minimal=False) == ["the other choices: p", "(not proved to be minimal)"]
    assert lines(Atom("p"), given="p", smallest=True) == ["given: p", "(minimal, and no clash is smaller)"]
