"""Grounding by statement: ground rules, atoms and seconds, also of a grounding that never ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import clingo
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from patience import PATIENCE, given_time, interrupted

from bridge.asp import Program
from bridge.errors import InputError, LimitError, ProgramError
from bridge.isolation.worker import Worker
from bridge.limits import Limits
from bridge.outcome import Progress
from bridge.profiling.by_rule import Profiler
from bridge.profiling.grounding_profile import Profile, profile

pytestmark = pytest.mark.local  # these functions know no other way

#: Ground rules, and atoms, of each line.
PROGRAM = {
    "p(1..3).": (3, 3),
    "{ q(X, Y) : p(X) } :- p(Y).": (9, 9),
    ":- q(X, Y), q(Y, X), X < Y.": (3, 0),
    "r(X) ; s(X) :- q(X, X).": (3, 6),
    "t(X, Y) :- q(X, Y), not q(Y, X), X != Y.": (6, 6),
    "t(X, Z) :- t(X, Y), t(Y, Z).": (27, 3),  # three of them make t(X, X), which nothing made before
    "#external e(X) : p(X).": (3, 3),
    "f(X) :- e(X).": (3, 3),
    "#minimize { X : q(X, _) }.": (None, 0),
    "#show shown(X) : q(X, X).": (None, 0),
}


def by_line(found: Profile) -> dict[int | None, tuple[int | None, int]]:
    return {each.place.line: (each.rules, each.atoms) for each in found.statements}


def test_each_statement(tmp_path: Path) -> None:
    (tmp_path / "program.lp").write_text("\n".join(PROGRAM))
    found = profile(tmp_path / "program.lp")
    assert (found.complete, found.limit) == (True, None)
    assert by_line(found) == dict(enumerate(PROGRAM.values(), 1))
    assert {each.place.file for each in found.statements} == {str(tmp_path / "program.lp")}
    texts = {each.place.line: each.text for each in found.statements}
    assert [texts[line] for line in (1, 2, 3)] == list(PROGRAM)[:3]
    assert 0 < sum(each.seconds for each in found.statements) <= found.seconds
    assert found.rules == sum(rules or 0 for rules, _ in PROGRAM.values())


def test_auxiliary_rules_are_their_statement_s() -> None:
    """Bounds, conditions and aggregates make rules of their own, some of them when all else is ground."""
    alone = {}
    statements = [
        "{ a(X) : p(X) } = 1 :- d.",
        "{ b(X) : p(X) } = 2 :- d.",
        "e :- a(X) : b(X).",
        "f :- #sum { X : a(X) ; Y, b : b(Y) } > 2.",
    ]
    base = "p(1..4). { d }."
    for number in range(1, len(statements) + 1):
        found = profile("\n".join([base, *statements[:number]]))
        alone[number + 1] = found.rules
        assert found.complete
    more = {line: alone[line] - alone.get(line - 1, 5) for line in alone}
    whole = by_line(profile("\n".join([base, *statements])))
    assert {line: whole[line][0] for line in more} == more


class Counting(clingo.Observer):
    def __init__(self) -> None:
        self.rules: Counter[Any] = Counter()

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        self.rules[choice, len(head), len(body)] += 1

    def weight_rule(self, choice: bool, head: Sequence[int], lower_bound: int, body: Sequence[tuple[int, int]]) -> None:
        self.rules[choice, len(head), lower_bound, len(body)] += 1

    def minimize(self, priority: int, literals: Sequence[tuple[int, int]]) -> None:
        self.rules[priority, len(literals)] += 1


STATEMENTS = [
    "a(1..3).", "a(7).", "{ b(X) } :- a(X).", "{ c(X, Y) : b(Y) } 2 :- a(X).", "d :- not d, b(1).", "-d :- b(1).", "d.",
    "e(N) :- N = #count { X : a(X) }.", "e(X) :- X = #sum { Y : b(Y) }, a(X).", "f(X) :- b(X) : a(X), X < 3; a(X).",
    "g(X) ; h(X) :- b(X).", "g(X) : b(X) :- a(3).", ":- b(X), not c(X, X).", "#minimize { X : b(X) }.", "g(X + 1) :- g(X), X < 5.",
]  # fmt: skip


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sampled_from(STATEMENTS), max_size=7, unique=True))
def test_the_ground_program_is_the_same(rules: list[str]) -> None:
    text = "\n".join(rules)
    plain, counted = Counting(), Counting()
    control = clingo.Control(["--warn=none"])
    control.register_observer(plain)
    control.add("base", [], text)
    control.ground()
    profiler = Profiler([("text", text)], ["--warn=none"])
    profiler._control.register_observer(counted)
    profiler.run(Limits())
    # An aggregate that assigns a variable has an auxiliary fact more.
    assert +(plain.rules - counted.rules) == Counter()
    extra = counted.rules - plain.rules
    assert set(extra) <= {(False, 1, 0)}
    assert extra.total() <= 3 * sum("= #" in rule for rule in rules)
    found = profiler.profile()
    assert found.complete
    assert sum(one.atoms for one in found.statements) <= sum(1 for _ in control.symbolic_atoms)
    ground = sum(number for key, number in plain.rules.items() if len(key) > 2)
    assert found.rules <= ground


def test_facts_are_counted_by_file(tmp_path: Path) -> None:
    (tmp_path / "facts.lp").write_text('% a\nedge(1, 2). edge(2, "a. b :- c").\nedge(-3, f(x)).\n')
    (tmp_path / "rules.lp").write_text("node(X) :- edge(X, _).\nnode(9).\nnode(10).")
    found = profile(tmp_path / "facts.lp", tmp_path / "rules.lp")
    facts = {
        each.place.file: (each.place.line, each.rules, each.text) for each in found.statements if each.kind == "facts"
    }
    assert facts == {
        str(tmp_path / "facts.lp"): (1, 3, "3 facts"),
        str(tmp_path / "rules.lp"): (2, 2, "2 facts"),
    }
    assert by_line(found)[1] == (3, 3)


def test_included_files_constants_and_parts(tmp_path: Path) -> None:
    (tmp_path / "part.lp").write_text("\n\nq(1..n).")
    (tmp_path / "main.lp").write_text('#include "part.lp".\n#const n = 2.\np(X) :- q(X).\n#program other(t). never(t).')
    found = profile(str(tmp_path / "main.lp"), n=5)
    where = {(Path(str(each.place.file)).name, each.place.line): each.rules for each in found.statements}
    assert where[("part.lp", 3)] == where[("main.lp", 3)] == 5
    incremental = profile(
        "#include <incmode>.\n#program base. p(1..2).\n#program check(t). c(t, X) :- p(X).\n#program step(t). s(t)."
    )
    assert by_line(incremental)[4] == (0, 0)
    assert by_line(incremental)[2] == (2, 2)
    assert by_line(incremental)[3] == (2, 2)


def test_a_limit_keeps_what_was_counted() -> None:
    text = "p(1..3000).\nq(X, Y, Z) :- p(X), p(Y), p(Z).\nr(X) :- q(X, Y, Z)."
    found = given_time(
        lambda seconds: profile(text, limits=Limits(seconds=seconds)), lambda found: found.statements[0].place.line == 2
    )
    assert (found.complete, found.limit) == (False, "seconds")
    assert (by_line(found)[2][0] or 0) > 1000
    assert by_line(found)[1] == (3000, 3000)
    assert by_line(found)[3] == (0, 0)


@pytest.mark.slow
def test_a_join_that_makes_nothing_is_found_by_its_seconds() -> None:
    text = "p(1..3000).\nq :- p(X), p(Y), p(Z), X + Y + Z < 0.\n"
    found = given_time(
        lambda seconds: profile(text, limits=Limits(seconds=seconds)), lambda found: found.statements[0].place.line == 2
    )
    assert not found.complete
    assert by_line(found) == {1: (3000, 3000), 2: (0, 0)}
    assert found.statements[0].seconds > found.seconds / 2


@pytest.mark.slow
def test_memory_that_runs_out_keeps_what_was_counted() -> None:
    found = profile("p(1..100000).\np(f(X, X)) :- p(X).", limits=Limits(memory=20_000_000))
    assert (found.complete, found.limit) == (False, "memory")
    assert found.rules > 1000


def test_ctrl_c_keeps_what_was_counted() -> None:
    found = interrupted(lambda: profile("p(0).\np(X + 1) :- p(X)."))
    assert (found.complete, found.limit) == (False, "interrupt")
    assert found.statements[0].place.line == 2


@pytest.mark.slow
def test_progress() -> None:
    def told(seconds: float) -> list[Profile]:
        seen: list[Profile] = []
        profile("p(0).\np(X + 1) :- p(X).", limits=Limits(seconds=seconds), on_progress=seen.append)
        return seen

    seen = given_time(told, lambda seen: len(seen) > 2)
    assert seen[-1].rules >= seen[1].rules > 0


def test_untrusted(tmp_path: Path) -> None:
    (tmp_path / "program.lp").write_text("p(1..3). q(X) :- p(X).")
    found = profile(tmp_path / "program.lp", untrusted=True, allow_missing_walls=True)
    assert found.rules == 6
    with pytest.raises(ProgramError, match="no scripts"):
        profile("#script (python)\n#end.", untrusted=True)


@pytest.mark.slow
def test_what_is_wrong() -> None:
    with pytest.raises(ProgramError, match="syntax error"):
        profile("a :- , b.")
    with pytest.raises(ProgramError, match="unsafe"):
        profile("a(X).")
    with pytest.raises(ProgramError, match="4294967296 does not fit"):
        profile("a(4294967296).")
    with pytest.raises(InputError, match="no such file"):
        profile("missing.lp4")
    with pytest.raises(InputError, match="not an option of clingo"):
        profile("a.", options=[3])  # type: ignore[list-item]
    with pytest.raises(LimitError):
        profile("\n".join(f"a({number}) :- b({number})." for number in range(50_000)), limits=Limits(seconds=0.001))


def test_a_function_that_is_not_there_has_no_value() -> None:
    """As in a program that is only run."""
    with Program("p(@f(1)). q.") as program:
        model = program.first()
    assert model is not None
    assert (model["p"], model["q"]) == ([], [()])
    assert profile("p(@f(1)).\nq.").complete


def test_a_constant_that_the_program_does_not_have_is_refused(tmp_path: Path) -> None:
    (tmp_path / "inner.lp").write_text("#const nn = 3. p(1..nn).\n")
    (tmp_path / "outer.lp").write_text('#include "inner.lp".\n')
    with pytest.raises(InputError, match="the program has no constant 'n'"):
        profile(tmp_path / "outer.lp", n=1)


def test_a_constraint_on_files_included_twice_ends(tmp_path: Path) -> None:
    (tmp_path / "b.lp").write_text("q(1).")
    (tmp_path / "c.lp").write_text('#include "b.lp". r(1) :- q(1).')
    (tmp_path / "a.lp").write_text('#include "b.lp". #include "c.lp". :- r(1).')
    assert profile(tmp_path / "a.lp").complete


def test_threads_are_there_before_memory_is_limited() -> None:
    made = Worker("bridge.profiling.profile_job")
    try:
        job = ("profile", True, [("text", "{ a(1..3) }.")], [])
        found = list(made.ask(job, Progress(), Limits(memory=1_000_000, seconds=PATIENCE)))
        assert found[-1][0] is True
    finally:
        made.close()
