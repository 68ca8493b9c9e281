"""Values as plain data by their types, and what is refused."""

from __future__ import annotations

from typing import Any, Literal

import pytest

from bridge.asp.reading.names import RuleName
from bridge.asp.reading.outline import Facts, Outline, Statement
from bridge.asp.results import Core
from bridge.asp.running.packing import CALLS
from bridge.asp.trace import Trace, Why
from bridge.errors import Place
from bridge.isolation.frames import pack, unpack
from bridge.isolation.plain import form_of

_USES = frozenset({("p", 1), ("-q", 2)})
_NAME = RuleName("row {R}", "a sentence", Place("a.lp", 1, 4))
_STATEMENT = Statement("choice", Place("a.lp", 2, 1), "{ p(X) }.", _NAME, _USES, _USES, frozenset(), values=(0,))
_FACTS = Facts("b.lp", ["p(1).", "q."], [1, 7], [1, 3], [0, 1], (("p", 1), ("q", 0)))

VALUES: list[tuple[Any, Any]] = [
    (dict[str, tuple[int, ...]], {"a": (1, 2), "b": ()}),
    (dict[tuple[str, int], list[float]], {("a", 1): [0.5]}),
    (frozenset[tuple[str, int]] | None, _USES),
    (tuple[bool | None, int | str, Literal["seconds"] | None], (None, "x", "seconds")),
    (Outline, Outline((_STATEMENT,), costs=(("1", "2", "p"),))),
    (Trace, Trace(("p",), (Why("p", Place("a.lp", 1, 1), "rule", (("X", "1"),)),))),
    (Core, Core(False, (1, -2), True, (1,), 3, {1: "p"})),
]


@pytest.mark.parametrize(("hint", "value"), VALUES)
def test_values_come_back(hint: Any, value: Any) -> None:
    form = form_of(hint)
    assert form.read(unpack(pack(form.write(value)))) == value


def test_facts_come_back() -> None:
    form = form_of(Facts)
    found = form.read(unpack(pack(form.write(_FACTS))))
    assert [found.place(1), list(found.predicates), found.texts] == [Place("b.lp", 7, 3), [0, 1], ["p(1).", "q."]]


WRONG: list[tuple[Any, Any]] = [
    (int, True), (int, "1"), (float, "1"), (str, None), (list[int], [1, "2"]), (list[int], {"a": 1}), (list[int], 3),
    (tuple[int, str], [1]), (tuple[int, str], ["1", 1]), (dict[str, int], [["a", 1]]), (dict[int, int], [[1]]),
    (Literal["a", "b"], "c"), (Literal["a", "b"], ["a"]), (Place, ["a", 1]), (Place, ["a", 1, "2"]),
    (frozenset[int], [None]), (Core | None, [1]),
]  # fmt: skip


@pytest.mark.parametrize(("hint", "data"), WRONG)
def test_what_is_not_such_a_value_is_refused(hint: Any, data: Any) -> None:
    with pytest.raises(ValueError, match="was not expected"):
        form_of(hint).read(data)


@pytest.mark.parametrize("at", range(1, 6))
def test_facts_belong_together(at: int) -> None:
    data = form_of(Facts).write(_FACTS)
    data[at] = data[at][:-4] if at in (2, 3, 4) else data[at][:-1]
    with pytest.raises(ValueError, match="fact has"):
        form_of(Facts).read(data)


def test_the_value_of_a_choice_is_one_of_its_arguments() -> None:
    data = form_of(Statement).write(_STATEMENT)
    with pytest.raises(ValueError, match="has no place"):
        form_of(Statement).read([*data[:-2], [len(_STATEMENT.text)], data[-1]])


@pytest.mark.parametrize("name", CALLS)
def test_every_call_has_a_form(name: str) -> None:
    with pytest.raises((ValueError, TypeError)):
        CALLS[name].unpack({1: object()})
