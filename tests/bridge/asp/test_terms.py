"""Terms: what goes in comes out, and is written as clingo writes it."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import reduce
from typing import Any, ClassVar, NamedTuple

import clingo
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.asp import INFIMUM, SUPREMUM, Constant, Extreme, Function, Model, Program, String, encode, facts
from bridge.asp.decode import Atoms
from bridge.asp.symbols import atoms, value_of
from bridge.comparison.instance import Instance
from bridge.errors import InputError, Place
from bridge.outcome import Interrupted, Outcome

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


@settings(max_examples=30)
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


def test_shown_terms_keep_their_types() -> None:
    with Program('#show 2. #show (2,). #show "str". #show (2, x). #show #sup. #show (). p(1). #show p/1.') as program:
        (model,) = program.models()
    assert sorted(map(encode, model.terms)) == sorted(["2", "(2,)", '"str"', "(2,x)", "#sup", "()"])
    assert {type(term) for term in model.terms} == {int, tuple, String, type(SUPREMUM)}
    assert model[""] == [term if isinstance(term, tuple) else (term,) for term in model.terms]  # in one order
    with Program("p(1).") as program:
        assert [model.terms for model in program.models()] == [[]]


COPIES: dict[str, Callable[[Any], Any]] = {
    "pickle": lambda value: pickle.loads(pickle.dumps(value)),
    "old pickle": lambda value: pickle.loads(pickle.dumps(value, 2)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}


@pytest.mark.parametrize("isolated", [False, True])
@pytest.mark.parametrize("again", COPIES.values(), ids=COPIES.keys())
def test_answers_can_be_copied_and_pickled(again: Callable[[Any], Any], isolated: bool) -> None:
    text = '{ p(1..2, x, "x", f(-1), (1,), -g(2), #inf) }. -q. #show 2. #show (2,). #show p/7. #show -q/0. #minimize { 1 }.'
    with Program(text, isolated=isolated) as program:
        models = program.models().collect()
        best = program.optimal()
        answers = [models, best, *models.solutions, program.count(), program.solve(), program.grounding()]
        answers += [program.solve(assuming=["not -q"]), program.brave(), program.cautious(), models.statistics]
        model = best.solutions[0]
        model.read(Anything, "p")  # leaves a table of instances behind
    for answer in answers:
        other = again(answer)
        assert (other == answer, type(other), repr(other)) == (True, type(answer), repr(answer))
    other = again(model)
    assert (other.cost, other.priorities, other.proved) == (model.cost, model.priorities, model.proved) == ((1,), (0,), True)
    assert (dict(other), other.terms, hash(other)) == (dict(model), model.terms, hash(model))
    assert other.read(Anything, "p") == model.read(Anything, "p")
    assert again(models).statistics == models.statistics


@pytest.mark.parametrize("again", COPIES.values(), ids=COPIES.keys())
def test_errors_can_be_copied_and_pickled(again: Callable[[Any], Any]) -> None:
    error = InputError("wrong", where=Place("a.lp", 1, 2), hint="do this")
    error.partial = Outcome((1,), complete=False)
    other = again(error)
    assert (type(other), str(other), other.where, other.partial) == (InputError, str(error), error.where, error.partial)
    assert again(Interrupted(error.partial)).partial == error.partial


def test_a_pickled_model_has_its_own_atoms_only() -> None:
    with Program("1 { p(1..3000) } 1.") as program:
        models = program.models().collect().solutions
    assert len(models) == 3000
    assert len(pickle.dumps(models[0])) < 500


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


class Anything(NamedTuple):
    number: int
    constant: Constant
    text: str
    function: Function
    pair: tuple[Any, ...]
    negated: Function
    least: Extreme


class Level(IntEnum):
    LOW = 1


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
    ("rows", "expected"),
    [
        (["ab", "cd"], 'p("ab"). p("cd").'),
        ([1, 2, 3], "p(1). p(2). p(3)."),
        ([0, "", ()], 'p(0). p(""). p.'),
        ((n for n in range(2)), "p(0). p(1)."),
        ([(1, (2, (3,)))], "p(1,(2,(3,)))."),
        ([[1, "a"], range(2)], 'p(1,"a"). p(0,1).'),
        ([LOW, Function("f", (1,)), INFIMUM], "p(low). p(f(1)). p(#inf)."),
        ([Edge(1, 2), HTTPServer2Rack("a", Edge(3, 4))], 'p(1,2). p("a",edge(3,4),low).'),
        ([Level.LOW, (Level.LOW,)], "p(1). p(1)."),
        ({"a": "b"}.items(), 'p("a","b").'),
        ({"a": "b"}.keys(), 'p("a").'),
        ([clingo.Function("f", [clingo.String('"')]), (clingo.Number(1),)], 'p(f("\\"")). p(1).'),
    ],
)
def test_a_row_is_a_value_or_a_sequence_of_arguments(rows: Any, expected: str) -> None:
    assert facts("p", rows).split("\n") == [*expected.replace(". ", ".\n").split("\n"), ""]


def test_integers_and_arrays_of_numpy() -> None:
    import numpy

    assert facts("p", numpy.array([[1, -2]], dtype="int8").tolist()) == facts("p", [(numpy.int8(1), numpy.int64(-2))])
    assert facts("p", numpy.array([1, 2])) == "p(1).\np(2).\n"
    for rows in (numpy.array([[1, 2]]), numpy.array([1.0]), [numpy.bool_(True)], [numpy.int64(2**31)]):
        with pytest.raises(InputError, match=r"rows\[0\]"):
            facts("p", rows)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("ab", "one value, not several rows"),
        (b"ab", "one value, not several rows"),
        (5, "one value, not several rows"),
        (Edge(1, 2), "one object, not several rows"),
        ({"a": "b"}, "mapping"),
        ([1, {"a": "b"}], r"rows\[1\].*neither a sequence of arguments nor a term"),
        ([(1,), {1, 2}], r"rows\[1\].*neither a sequence"),
        ([iter([1])], r"rows\[0\].*tuple\(row\)"),
        ([1, 2, 1.5], r"rows\[2\]: 1.5 is not a term.*integers only"),
        ([(1, None)], r"rows\[0\]: None is not a term"),
        ([True], r"rows\[0\]: True is not a term"),
        ([b"ab"], r"rows\[0\]"),
        ([(1, [2])], r"rows\[0\]: \[2\] is not a term.*tuple"),
        (["a", "a\0b"], r"rows\[1\].*NUL"),
        (["\ud800"], r"rows\[0\].*surrogate"),
        ([1, 2**31], r"rows\[1\].*32-bit"),
        ([Constant("not")], "not the name of a constant"),
        ([Function("f", "ab")], "not a tuple of arguments"),  # type: ignore[arg-type]
        ([Function("f", 5)], "not a tuple of arguments"),  # type: ignore[arg-type]
    ],
)
def test_what_is_no_row_is_refused_with_its_index(rows: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        facts("p", rows)


def test_a_term_that_is_nested_too_deeply_is_refused() -> None:
    deep: tuple[Any, ...] = reduce(lambda inner, _: (inner,), range(100_000), ())
    with pytest.raises(InputError, match=r"rows\[1\].*nested too deeply"):
        facts("p", [1, deep])
    with pytest.raises(InputError, match="nested too deeply"):
        encode(deep)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("not", [1]), "not the name of a predicate"),
        (([Edge(1, 2), 5],), r"objects\[1\]: 5 is not a dataclass"),
        (([clingo.Number(5)],), r"objects\[0\].*not a dataclass"),
        ((Edge(1, 2),), "one object"),
        ((5,), "not several objects"),
        (({},), "mapping"),
        (("p",), "missing"),
        (("P", [(1,)]), "not the name of a predicate"),
        (("p(1). q", [(1,)]), "not the name of a predicate"),
        (([(1, 2)],), "not a dataclass"),
        (([Edge],), "not a dataclass"),
        (([Edge(1, 2)], [(1,)]), "need the name"),
        (([Edge(1, 2**31)],), "32-bit"),
        (([Function("F", (1,))],), "not the name of a function"),
        (("p", [("a\0b",)]), "NUL"),
    ],
)
def test_what_are_no_facts_is_refused(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        facts(*arguments)


@pytest.mark.slow
def test_columns_of_a_table_are_converted() -> None:
    import pandas

    table = pandas.DataFrame({"city": ["bern", "genf"], "n": [1, 2]})
    assert facts("at", table, columns={"city": Constant, "n": lambda n: 10 * n}) == "at(bern,10).\nat(genf,20).\n"
    for rows in (table, [("bern", 1)]):
        with pytest.raises(InputError, match="there is no column 'town'"):
            facts("at", rows, columns={"town": Constant})


def test_the_rows_of_a_table_are_facts() -> None:
    import pandas

    table = pandas.DataFrame({"name": ["a", "b"], "hours": [3, 4]}, index=[7, 8])
    expected = 'job("a",3).\njob("b",4).\n'
    assert facts("job", table) == expected
    assert facts("hour", table["hours"]) == "hour(3).\nhour(4).\n"
    assert Instance.of_facts({"job": table})["job"] == [("a", 3), ("b", 4)]
    with Program("#show job/2.") as program:
        program.add_facts("job", table)
        assert sorted(next(iter(program.models()))["job"]) == [("a", 3), ("b", 4)]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([1, float("nan")], "rows[1], column 'hours': nan is a missing value"),
        (["x", None], "rows[1], column 'hours': None is a missing value"),
        ([1, 2**31], "rows[1], column 'hours': 2147483648 does not fit"),
        ([1, 2.5], "rows[0], column 'hours': 1.0 is not a term of clingo"),
    ],
)
def test_what_a_table_holds_besides_terms_is_refused_with_row_and_column(values: list[Any], message: str) -> None:
    import pandas

    column = values if all(isinstance(value, int | float) for value in values) else pandas.Series(values, dtype=object)
    table = pandas.DataFrame({"name": ["a", "b"], "hours": column})
    with pytest.raises(InputError) as caught:
        facts("job", table)
    assert message in str(caught.value)


class _Polars:
    """A table with the methods of Polars'."""

    columns: ClassVar[list[str]] = ["name", "hours"]

    def __iter__(self) -> Iterator[list[int]]:
        return iter([[1, 2], [3, 4]])  # columns

    def iter_rows(self) -> Iterator[tuple[int, int]]:
        return iter([(1, 3), (2, 4)])


class _Column(list[Any]):
    def to_pylist(self) -> list[Any]:
        return list(self)


class _Arrow:
    """A table with the methods of PyArrow's, which may have a name twice."""

    column_names: ClassVar[list[str]] = ["name", "name"]
    columns: ClassVar[list[_Column]] = [_Column([1, 2]), _Column([3, 4])]

    def to_pylist(self) -> list[dict[str, int]]:
        return [{"name": 3}, {"name": 4}]

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        raise NotImplementedError


class _Stream:
    """A table that only exports itself."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        raise NotImplementedError

    def __iter__(self) -> Iterator[str]:
        return iter(["name", "hours"])


@pytest.mark.parametrize("table", [_Polars(), _Arrow()])
def test_tables_of_other_libraries(table: Any) -> None:
    assert facts("job", table) == "job(1,3).\njob(2,4).\n"
    with pytest.raises(InputError, match="does not name its predicate"):
        facts(table)


def test_a_table_whose_rows_cannot_be_read_is_refused() -> None:
    with pytest.raises(InputError, match="the rows of a _Stream cannot be read"):
        facts("job", _Stream())


def test_a_constant_and_a_string_are_equal_to_a_text_and_not_to_each_other() -> None:
    constant, string = Constant("a"), String("a")
    assert (constant == "a", "a" == constant, string == "a", "a" == string) == (True, True, True, True)  # noqa: SIM300
    assert (constant == string, string == constant, constant != string, string != constant) == (False, False, True, True)
    assert (constant == 1, string == None, constant != 1, string != None) == (False, False, True, True)  # noqa: E711
    assert len({constant, string}) == 2
    assert hash(constant) == hash(string) == hash("a")
    assert (type(pickle.loads(pickle.dumps(string))), repr(string)) == (String, "'a'")
