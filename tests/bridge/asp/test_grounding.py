"""What grounding made, and what it cost; also of a blow-up that was stopped."""

from __future__ import annotations

import signal
from collections import Counter
from inspect import getmembers

import clingo
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from patience import given_time, interrupted

from bridge.asp import Grounding, Program
from bridge.asp.running.local import Local
from bridge.asp.running.packing import CALLS
from bridge.errors import ProgramError
from bridge.limits import Limits

BLOW_UP = "p(1..3000). q(X, Y, Z) :- p(X), p(Y), p(Z)."


def many_heads(found: Grounding) -> bool:
    return found.heads.get("q/3", 0) > 1000


def test_rules_and_atoms_by_predicate() -> None:
    text = """
p(1..3). { q(X, Y) : p(X) } :- p(Y). :- q(X, X). r(X) ; s(X) :- p(X). -t(1).
t(X, Y) :- q(X, Y), not q(Y, X), X != Y. #minimize { X : q(X, _) }.
"""
    with Program(text) as program:
        found = program.grounding()
        assert found.complete
        assert found.limit is None
        assert found.rules["facts"] == 4
        assert found.rules["constraints"] == 3
        assert found.rules["disjunctions"] == 3
        assert found.rules["minimize"] == 3
        assert found.atoms == {
            "p/1": (3, 3), "q/2": (9, 0), "r/1": (3, 0), "s/1": (3, 0), "t/2": (6, 0), "-t/1": (1, 1)
        }  # fmt: skip
        assert found.heads["t/2"] == 6
        # The program itself is as it was.
        program.add("u.")
        assert {model["u"][0] for model in program.models()} == {()}


@settings(max_examples=20)
@given(st.lists(st.sampled_from(["a(1..3).", "{ b(X) } :- a(X).", "c(X, Y) :- a(X), b(Y).", "-d :- b(1).", "d."]), max_size=5))
def test_atoms_are_those_of_the_control(rules: list[str]) -> None:
    control = clingo.Control(["--warn=none"])
    control.add("base", [], "\n".join(rules))
    control.ground()
    total: Counter[str] = Counter()
    facts: Counter[str] = Counter()
    for atom in control.symbolic_atoms:
        signature = f"{'' if atom.symbol.positive else '-'}{atom.symbol.name}/{len(atom.symbol.arguments)}"
        total[signature] += 1
        facts[signature] += atom.is_fact
    with Program("\n".join(rules)) as program:
        found = program.grounding()
    assert found.atoms == {signature: (number, facts[signature]) for signature, number in total.items()}


def test_a_blow_up_is_stopped_and_told_up_to_there() -> None:
    with Program(BLOW_UP) as program:
        found = given_time(lambda seconds: program.grounding(limits=Limits(seconds=seconds)), many_heads)
    assert (found.complete, found.limit) == (False, "seconds")
    assert found.seconds > 0.1
    assert found.atoms["p/1"] == (3000, 3000)
    assert found.rules["facts"] == sum(found.heads.values())


def test_ctrl_c() -> None:
    with Program(BLOW_UP) as program:
        partial = given_time(lambda seconds: interrupted(program.grounding, seconds), many_heads)
        assert isinstance(partial, Grounding)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_incremental_program_shows_its_first_step() -> None:
    with Program("#include <incmode>.\na. #program step(t). b(t). #program check(t). c(t) :- query(t).") as program:
        found = program.grounding()
        assert set(found.atoms) == {"a/0", "c/1", "query/1"}
        assert program.count().number == 1


def test_an_error_names_its_place() -> None:
    with Program("a(X).") as program, pytest.raises(ProgramError, match="unsafe"):
        program.grounding()


def test_facts_are_those_that_grounding_finds() -> None:
    with Program('p(1..2). q("x") :- p(1). { s }. r :- s.') as program:
        assert sorted(program.inside().ground_facts()) == ["p(1).", "p(2).", 'q("x").']


@pytest.mark.local
def test_a_worker_answers_each_call_of_a_program() -> None:
    """`Remote` forwards by name: what `Local` offers is listed for it, or written there."""
    methods = {name for name, value in getmembers(Local) if callable(value) and not name.startswith("_")}
    assert methods == CALLS.keys() | {"close", "control", "leave_application"}
    with Program("a.", isolated=True) as program, pytest.raises(AttributeError):
        program._backend._begin()
