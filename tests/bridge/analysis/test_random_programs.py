"""Derivations, clashes, reasons and steps of random programs, each checked by plain clingo."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from random_programs import Line, answer_sets, can_hold, programs, text_of

import bridge
from bridge.asp import Program
from bridge.asp.trace import Why
from bridge.problem.asp import AspProblem
from bridge.problem.asp_oracle import AtomFact

#: For each test.
EXAMPLES = 12


def _fires(step: Why, line: Line, answer: set[str]) -> bool:
    """Whether the body of a step's rule holds in an answer set, with the step's values."""
    facts = " ".join(f"{atom}." for atom in sorted(answer))
    values = "; ".join([line.body, *(f"{name} = {value}" for name, value in step.bindings)]) if line.body else ""
    (found,) = answer_sets(f"{facts} __fires{f' :- {values}' if values else ''}.")
    return "__fires" in found


@given(programs)
@settings(max_examples=EXAMPLES)
def test_the_rules_of_a_derivation_fire_and_none_is_its_own_reason(lines: list[Line]) -> None:
    text = text_of(lines)
    every = answer_sets(text, 4)
    assume(every)
    with Program(text, isolated=False) as program:
        for answer in every[:3]:
            others = set().union(*every) - answer
            literals = [*answer, *(f"not {atom}" for atom in others)]
            for atom in sorted(answer):
                trace = program.trace(atom, assuming=literals)
                if set(trace.model or ()) != answer:
                    continue  # one with atoms that none of the first four has
                derived: set[str] = set()
                for step in trace.steps:
                    assert step.atom in answer
                    assert {*step.positive, *step.inside} <= derived
                    assert not answer & set(step.negative)
                    line = lines[(step.place.line or 0) - 1]
                    assert _fires(step, line, answer), step
                    if not any(one in line.body for one in ("-1,z", "!= 2", "not not")):  # less may satisfy others
                        assert _fires(step, line, derived), step
                    derived.add(step.atom)
                assert trace.steps[-1].atom == atom


@pytest.mark.slow
@given(programs)
@settings(max_examples=EXAMPLES)
def test_a_clash_is_one_and_minimal(lines: list[Line]) -> None:
    text = text_of(lines)
    assume(not answer_sets(text, 1))
    (first, *_) = bridge.diagnose(AspProblem(text)).clashes
    assert first.minimal
    assert not can_hold(lines, first.premises)
    for premise in first.premises:
        assert can_hold(lines, [one for one in first.premises if one != premise]), premise


@pytest.mark.slow
@given(programs, st.sampled_from([(), ("b",), ("not b", "c")]))
@settings(max_examples=EXAMPLES)
def test_reasons_of_an_atom_force_it_or_forbid_it(lines: list[Line], known: tuple[str, ...]) -> None:
    text = text_of(lines)
    every = [one for one in answer_sets(text) if all((atom[-1] in one) == (atom[0] != "n") for atom in known)]
    assume(every)
    problem = AspProblem(text)
    for atom in ("a", "q(1)"):
        found = bridge.why(problem, atom, given=known)
        expected = (
            "every" if all(atom in one for one in every) else "some" if any(atom in one for one in every) else "no"
        )
        assert found.status == expected
        if expected == "some":
            assert found.clash is None
            continue
        assert found.clash is not None
        assert found.clash.minimal
        contrary = f":- {atom}." if expected == "every" else f":- not {atom}."
        assert not can_hold(lines, found.clash.premises, contrary)
        for premise in found.clash.premises:
            assert can_hold(lines, [one for one in found.clash.premises if one != premise], contrary), premise


@pytest.mark.slow
@given(programs)
@settings(max_examples=EXAMPLES)
def test_the_steps_follow_from_their_premises_and_end_in_the_answer(lines: list[Line]) -> None:
    text = text_of(lines)
    every = answer_sets(text)
    assume(every)
    stream = bridge.explain(AspProblem(text))
    known: set[AtomFact] = set()
    for step in stream:
        assert all(fact in known or _given(lines, fact) for fact in step.facts)
        assert not _holds(lines, step.premises, step.fact.negated())
        known.add(step.fact)
    assert stream.complete
    told = {fact.atom for fact in known if fact.holds}
    assert told <= set.intersection(*every)
    for atom in set.intersection(*every):
        assert atom in told or _given(lines, AtomFact(atom)), atom


def _always(lines: list[Line]) -> list[str]:
    """What explanations take to hold always: all but constraints and the bounds of choices."""
    return [line.free or line.text for line in lines if not line.text.startswith(":-")]


def _given(lines: list[Line], fact: AtomFact) -> bool:
    """Whether definitions and facts alone decide it."""
    return not answer_sets("\n".join([*_always(lines), f":- {'' if fact.holds else 'not '}{fact.atom}."]), 1)


def _holds(lines: list[Line], premises: object, contrary: AtomFact) -> bool:
    text = _always(lines)
    for one in [*premises, contrary]:  # type: ignore[misc]
        if isinstance(one, AtomFact):
            text.append(f":- {'not ' if one.holds else ''}{one.atom}.")
        else:
            text += [lines[(statement.place.line or 0) - 1].text for statement in one.statements]
    return bool(answer_sets("\n".join(text), 1))
