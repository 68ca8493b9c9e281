"""Derivations of atoms, and what rules lack."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.asp import Program
from bridge.asp.running.derivation import DERIVATIONS
from bridge.errors import InputError

PROGRAM = """\
edge(a,b). edge(b,c). edge(c,a).
reach(X,Y) :- edge(X,Y).
reach(X,Z) :- reach(X,Y), edge(Y,Z).
{ in(X) : edge(X,_) } = 1.
big :- #sum { 3,X : in(X); 1,b } >= 3, not small.
-q(X) :- in(X), edge(X,_).
hall(S) :- open(S), not closed(S). closed(2). open(2).
x | y :- in(X).
all :- edge(X,_) : in(X).
#show in/1.
"""


@pytest.fixture(params=[True, False], ids=["worker", "here"])
def program(request: pytest.FixtureRequest) -> Iterator[Program]:
    with Program(PROGRAM, isolated=request.param) as found:
        yield found


def test_recursion_goes_down_to_facts(program: Program) -> None:
    steps = program.trace("reach(a,c)").steps
    assert [(one.atom, one.place.line, one.kind) for one in steps] == [
        ("edge(a,b)", 1, "fact"),
        ("reach(a,b)", 2, "definition"),
        ("edge(b,c)", 1, "fact"),
        ("reach(a,c)", 3, "definition"),
    ]
    assert steps[-1].bindings == (("X", "a"), ("Y", "b"), ("Z", "c"))
    assert steps[-1].positive == ("reach(a,b)", "edge(b,c)")


def test_an_aggregate_tells_what_is_in_it(program: Program) -> None:
    *_, chosen, last = program.trace("big").steps
    assert chosen.kind == "choice"
    assert last.inside == (chosen.atom,)
    assert last.negative == ("small",)


def test_a_conditional_literal_tells_what_is_in_it(program: Program) -> None:
    last = program.trace("all").steps[-1]
    assert {atom.partition("(")[0] for atom in last.inside} == {"edge", "in"}


def test_classical_negation_and_disjunction(program: Program) -> None:
    trace = program.trace("-q(a)")
    assert [one.atom for one in trace.steps] == ["edge(a,b)", "in(a)", "-q(a)"]
    assert program.trace("x").steps[-1].kind == "disjunction"


def test_the_first_literal_that_fails(program: Program) -> None:
    (lack,) = program.trace("hall(2)", False).missing
    assert (lack.lacking, lack.bindings) == ("not closed(2)", (("S", "2"),))
    (lack,) = program.trace("hall(3)", False, possible=True).missing
    assert lack.lacking == "open(3)"
    assert [one.lacking for one in program.trace("reach(a,d)", False, possible=True).missing] == [
        "edge(a,d)",
        "edge(Y,d)",
    ]
    (free,) = program.trace("in(b)", False).missing
    assert (free.kind, free.lacking) == ("choice", "")
    assert program.trace("nothing", False).missing == ()


@pytest.mark.parametrize(
    ("rule", "atom", "lacking"),
    [
        ("q(X+Y) :- p(X), r(Y).", "q(7)", "7 = (1+4)"),
        ("q(f(X,X*Y)) :- p(X), r(Y).", "q(f(2,9))", "p(2)"),
        ("q(1..X) :- p(X).", "q(2)", "2 = (1..1)"),
        ("q(2*X+1) :- p(X), not s.", "q(7)", "p(3)"),
    ],
)
def test_a_head_whose_variables_the_body_binds(rule: str, atom: str, lacking: str) -> None:
    with Program(f"p(1). r(4). {rule}\n", isolated=False) as program:
        (lack,) = program.trace(atom, False).missing
        assert lack.lacking == lacking


@pytest.mark.parametrize(
    ("text", "atom", "needs"),
    [
        ("{ on(a;b;c) }. lit :- on(a), on(c).", "lit", {"on(a)", "on(c)"}),
        ("q(3,4). q(5,4). p((1;2),(3;4)) :- q((3;5),4), not r(1;2).", "p(2,3)", {"q(3,4)"}),
        ("q(1,1). p :- #count { X : q(X,1..2) } > 0.", "p", {"q(1,1)"}),
        ("q(1,2). p(1..3) :- q(1..2,2).", "p(3)", {"q(1,2)"}),
    ],
)
def test_pools_and_intervals_are_several_rules(text: str, atom: str, needs: set[str]) -> None:
    with Program(text, isolated=False) as program:
        steps = program.trace(atom).steps
    assert {*steps[-1].positive, *steps[-1].inside} == needs
    assert {one.atom for one in steps} == {atom, *needs}


def test_no_atom_is_its_own_reason_through_an_aggregate() -> None:
    """`a` and `q(1)` each have the other in their aggregate; only `q(1)` can do without it."""
    text = "r. a :- #count { X : q(X) } >= 1. q(2) :- a. q(1) :- #count { 1 : r; 2 : a } >= 1."
    with Program(text, isolated=False) as program:
        steps = {one.atom: one.inside for one in program.trace("q(2)").steps}
    assert steps == {"r": (), "q(1)": ("r",), "a": ("q(1)",), "q(2)": ()}


def test_assumptions_choose_the_answer_set(program: Program) -> None:
    trace = program.trace("big", assuming=["in(b)"])
    assert trace.model is not None
    assert "in(b)" in trace.model
    assert program.trace("in(a)", assuming=["in(b)"]).model is None


def test_all_derivations_the_shortest_first() -> None:
    text = "e(a,b). e(b,c). e(a,c). r(X,Y) :- e(X,Y).\nr(X,Z) :- r(X,Y), e(Y,Z). r(X,Y) :- r(X,Y), x. x :- x. ok :- r(a,_)."
    with Program(text, isolated=False) as program:
        trace = program.trace("r(a,c)")
        assert [len(one) for one in trace.derivations] == [2, 4]
        assert trace.steps == trace.derivations[0]
        assert [len(one) for one in program.trace("ok").derivations] == [3, 3, 5]
        assert program.trace("r(a,b)").derivations == ()
    chain = " ".join(f"p({i + 1}) :- p({i}), a{i}. p({i + 1}) :- p({i}), b{i}. a{i}. b{i}." for i in range(9))
    with Program(f"p(0). {chain}", isolated=False) as program:
        trace = program.trace("p(9)")
    assert (len(trace.derivations), trace.every) == (DERIVATIONS, False)


def _derivations(rules: list[tuple[str, frozenset[str]]], atom: str) -> set[frozenset[tuple[str, frozenset[str]]]]:
    """All derivations of an atom, as sets of rules: each choice of one rule an atom in which no atom needs itself."""
    found = set()
    heads = sorted({head for head, _ in rules})
    for chosen in product(*([one for one in rules if one[0] == head] for head in heads)):
        of = dict(chosen)
        done: dict[str, None] = {}
        while new := [one for one in of if one not in done and of[one] <= done.keys()]:
            done.update(dict.fromkeys(new))
        if atom in done:
            used, waiting = set(), [atom]
            while waiting:
                used.add((one := waiting.pop(), of[one]))
                waiting += [each for each in of[one] if (each, of[each]) not in used]
            found.add(frozenset(used))
    return found


@settings(max_examples=40)
@given(st.sets(st.tuples(st.sampled_from("abcd"), st.frozensets(st.sampled_from("abcd"), max_size=2)), max_size=7))
def test_derivations_against_all_choices_of_rules(rules: set[tuple[str, frozenset[str]]]) -> None:
    some = sorted((head, frozenset(body)) for head, body in rules)
    text = " ".join(f"{head} :- {', '.join(sorted(body))}." if body else f"{head}." for head, body in some)
    meant = _derivations(some, "a")
    with Program(text, isolated=False) as program:
        trace = program.trace("a") if meant else None
        found = [] if trace is None else trace.derivations or (trace.steps,)
    assert sorted(map(len, meant)) == [len(one) for one in found]
    assert {frozenset((one.atom, frozenset(one.positive)) for one in steps) for steps in found} == meant


def test_what_is_no_atom(program: Program) -> None:
    with pytest.raises(InputError, match="not an atom"):
        program.trace("5")


def test_the_answer_set_is_one_of_least_cost() -> None:
    with Program("1 { a; b; c }. #minimize { 1,a : a; 2,b : b; 3,c : c }.", isolated=False) as program:
        trace = program.trace("b", optimal=True)
        assert trace.model is not None
        assert set(trace.model) == {"b"}


# Every derivation holds by the program's text

ATOMS = "abcdef"
bodies = st.lists(
    st.builds(lambda sign, atom: f"{sign}{atom}", st.sampled_from(["", "", "not "]), st.sampled_from(ATOMS)),
    min_size=1,
    max_size=3,
    unique=True,
)
rules = st.builds(lambda head, body: (head, tuple(body)), st.sampled_from(ATOMS), bodies)


@pytest.mark.slow
@pytest.mark.local
@given(st.lists(rules, min_size=1, max_size=10, unique=True), st.sets(st.sampled_from(ATOMS), max_size=3))
@settings(max_examples=40, deadline=None)
def test_a_derivation_is_one(made: list[tuple[str, tuple[str, ...]]], chosen: set[str]) -> None:
    lines = [f"{head} :- {', '.join(body)}." for head, body in made]
    text = "\n".join([*lines, f"{{ {'; '.join(sorted(chosen))} }}."]) + "\n"
    with Program(text, isolated=False) as program:
        for model in program.models().collect().solutions[:3]:
            held = set(model)
            literals = [atom if atom in held else f"not {atom}" for atom in ATOMS]
            for atom in sorted(held):
                steps = program.trace(atom, assuming=literals).steps
                assert steps[-1].atom == atom
                derived: set[str] = set()
                for step in steps:
                    assert set(step.positive) <= derived
                    assert not held & set(step.negative)
                    if step.kind == "choice":
                        assert step.atom in chosen
                    else:
                        head, body = made[(step.place.line or 0) - 1]
                        assert head == step.atom
                        assert {literal for literal in body if "not" not in literal} == set(step.positive)
                    derived.add(step.atom)
