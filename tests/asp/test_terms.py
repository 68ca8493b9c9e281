"""Terms: what goes in comes out, and is written as clingo writes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import clingo
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.asp import INFIMUM, SUPREMUM, Constant, Function, Model, Program, encode, facts
from bridge.asp.decode import Atoms
from bridge.asp.symbols import atoms, value_of
from bridge.errors import InputError

pytestmark = pytest.mark.local

names = st.from_regex(r"_{0,2}[a-z][A-Za-z0-9_']{0,5}", fullmatch=True).filter(lambda name: name != "not")
simple = (
    st.integers(-(2**31), 2**31 - 1)
    | st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))
    | names.map(Constant)
    | st.sampled_from([INFIMUM, SUPREMUM])
)
terms = st.recursive(
    simple,
    lambda inner: (
        st.lists(inner, max_size=3).map(tuple)
        | st.builds(Function, names, st.lists(inner, min_size=1, max_size=3).map(tuple), st.booleans())
        | st.builds(Function, names, st.just(()), st.just(False))
    ),
    max_leaves=8,
)


@given(terms)
def test_a_term_comes_back_as_it_went_in(term: Any) -> None:
    symbol = clingo.parse_term(encode(term))
    back = value_of(symbol)
    assert back == term
    assert type(back) is type(term)
    assert encode(back) == str(symbol)


@settings(max_examples=60)
@given(st.lists(st.lists(terms, max_size=3).map(tuple), max_size=4), st.sampled_from(["p", "-p"]))
def test_facts_come_back_and_a_model_is_written_as_clingo_writes_it(rows: list[tuple[Any, ...]], name: str) -> None:
    text = facts(name, rows) + "#show T : T = (1, 2; x; 7; (7,)), not no. #show -p/0. #show p/0. #defined no/0."
    text += "".join(f"#show {name}/{arity}." for arity in (1, 2, 3))
    control = clingo.Control(["--warn=none"])
    control.add("base", [], text)
    control.ground()
    with control.solve(yield_=True) as handle:
        expected = {str(symbol) for symbol in handle.model().symbols(shown=True)}  # type: ignore[union-attr]
    with Program(text, options=["--warn=none"]) as program:
        (model,) = program.models()
    assert {encode(row) for row in model[name]} == {encode(row) for row in rows}
    assert set(_texts(model)) == expected
    assert len(str(model)) == len(" ".join(expected))


def _texts(model: Model) -> list[str]:
    """The atoms as text, by way of a table that clingo does not stand behind."""
    table = _copy(model)
    return [str(Model([number], table)) for number in table]


def _copy(model: Model) -> Atoms:
    table = Atoms()
    table.update((number, atoms[identity]) for number, identity in enumerate(model._ids))
    return table


def test_shown_terms_stand_under_the_empty_name_and_are_told_apart() -> None:
    with Program('#show 5. #show (5,). #show (). #show "5". #show x. #show #inf. #show f(5).') as program:
        (model,) = program.models()
    assert sorted(str(model).split()) == sorted(["5", "(5,)", "()", '"5"', "x", "#inf", "f(5)"])
    assert sorted(map(encode, model[""])) == sorted(["(5,)", "(5,)", "()", '("5",)', "(#inf,)"])
    assert (model["x"], model["f"]) == ([()], [(5,)])
    assert set(model) == {"", "x", "f"}
    assert ("x" in model, "y" in model) == (True, False)
    assert (model.get("y"), model.get("y", 1), model["y"]) == (None, 1, [])


def test_equal_models_are_equal_across_tables() -> None:
    with Program("{ p(1..3, x); p(1..3, \"x\") }.") as program:
        models = program.models().collect().solutions
    others = []
    for model in models:
        table = _copy(model)
        others.append(Model(list(table), table))
    assert len(set(models)) == len(set(others)) == len(set(models) | set(others)) == 64
    for i, model in enumerate(models):
        assert [model == other for other in others] == [i == j for j in range(64)]
        assert str(model) == str(others[i])
    assert models[0] != "p"


LOW = Constant("low")


class Edge(NamedTuple):
    start: int
    end: int


@dataclass(frozen=True)
class HTTPServer2Rack:
    name: str
    edge: Edge
    level: Constant = LOW


@dataclass
class Flag:
    pass


def test_facts_from_objects() -> None:
    objects: Sequence[object] = [Edge(1, 2), HTTPServer2Rack('a"b', Edge(3, 4)), Flag(), Function("f", (1,), False)]
    assert facts(objects) == 'edge(1,2).\nhttp_server2_rack("a\\"b",edge(3,4),low).\nflag.\n-f(1).\n'
    with Program() as program:
        program.add_facts(objects)
        program.add_facts("row", [(1, 2), Edge(3, 4), ()])
        (model,) = program.models()
    assert model["http_server2_rack"] == [('a"b', Function("edge", (3, 4)), Constant("low"))]
    assert sorted(model["row"]) == [(), (1, 2), (3, 4)]
    assert (model["-f"], model["flag"]) == ([(1,)], [()])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("p",), "missing"),
        (("P", [(1,)]), "not the name of a predicate"),
        (("p(1). q", [(1,)]), "not the name of a predicate"),
        (([(1, 2)],), "no dataclass"),
        (([Edge],), "no dataclass"),
        (([Edge(1, 2)], [(1,)]), "need the name"),
        (([Edge(1, 2**31)],), "32-bit"),
        (([Function("F", (1,))],), "not the name of a function"),
        (("p", [("a\0b",)]), "NUL"),
    ],
)
def test_what_are_no_facts_is_refused(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        facts(*arguments)
