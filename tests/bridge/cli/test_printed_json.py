"""Answer sets as JSON from their text: the same as from models."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.asp import INFIMUM, SUPREMUM, Constant, Function, Printed, Program, encode
from bridge.cli.printed_json import LARGE, Lines
from bridge.cli.values import model_json
from bridge.common.strict_json import dumps
from bridge.errors import SolverError, UnsupportedError

names = st.sampled_from(["a", "f", "_g'", "not_b"])
terms = st.recursive(
    st.integers(-(2**31), 2**31 - 1)
    | st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"))
    | st.sampled_from([INFIMUM, SUPREMUM])
    | names.map(Constant),
    lambda inner: (
        st.lists(inner, max_size=3).map(tuple)
        | st.builds(Function, names, st.lists(inner, max_size=3).map(tuple), st.booleans())
    ),
    max_leaves=6,
)


@given(st.lists(terms, max_size=4))
def test_a_text_as_json_is_a_model_as_json(values: list[object]) -> None:
    rows = "".join(f"p({number},{encode(value)}).\n" for number, value in enumerate(values))
    shown = "".join(f"#show {encode(value)} : q.\n" for value in values)
    with Program(f"{{ q; -r(-1) }}. {rows}{shown}#show p/2. #show q/0. #show -r/1.", isolated=False) as program:
        models = program.models().collect().solutions
    for encoding in ("utf-8", "ascii"):
        texts = Printed([str(model) for model in models])
        assert Lines(encoding).of(texts) == [dumps(model_json(model), encoding) for model in models]


def test_steps_and_values_of_a_theory() -> None:
    assert Lines("utf-8").of(Printed([""], 3)) == ['{"#step": 3}']
    assert Lines("utf-8").of(Printed(["a"], None, {"x": 1, "y": "b"})) == [
        '{"a": [[]], "#assignment": {"x": 1, "y": "b"}}'
    ]


def test_a_large_answer_set() -> None:
    text = " ".join(f"p({number})" for number in range(LARGE + 1))
    once, again = Lines("utf-8").of(Printed([text, text]))
    assert once == again
    assert json.loads(once) == {"p": [[number] for number in range(LARGE + 1)]}


@pytest.mark.parametrize(
    "text", ["p(", "p(1))", "P", "p(1,,2)", 'p("a', "p(1)q", ")", "-", "p(X)", "\x1b[2J", "1a", "(,)"]
)
def test_what_is_not_an_answer_set(text: str) -> None:
    with pytest.raises(SolverError):
        Lines("utf-8").of(Printed([text]))


def test_nested_too_deeply() -> None:
    with pytest.raises(UnsupportedError):
        Lines("utf-8").of(Printed(["f(" * 100_000 + "1" + ")" * 100_000]))
