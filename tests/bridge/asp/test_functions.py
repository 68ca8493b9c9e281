"""Functions from Python, called by `@name(...)`: here, and from a worker."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from itertools import count
from typing import Any, NamedTuple

import pytest

from bridge.asp import INFIMUM, SUPREMUM, Constant, Function, Program, String
from bridge.errors import BridgeError, InputError, ProgramError
from bridge.limits import Limits


class Point(NamedTuple):
    x: int
    y: int


class Context:
    """Keeps what it was called with."""

    def __init__(self) -> None:
        self.called: list[Any] = []

    def keep(self, *values: Any) -> list[Any]:
        self.called.append(values)
        return list(values)

    def double(self, number: int) -> int:
        return 2 * number

    def some(self, number: int) -> Iterator[Any]:
        yield from (number, str(number), Constant("c"), (number,), Function("f", (number,), False), INFIMUM, Point(1, 2))

    def none(self) -> set[int]:
        return set()

    def wrong(self, kind: str) -> Any:
        return {"none": None, "float": 1.5, "bool": True, "large": 2**31, "mapping": {1: 2}, "list": [[1]]}[kind]

    def fail(self) -> int:
        raise KeyError("mine", 5)

    def _hidden(self) -> int:
        return 1

    value = 5


TERMS = '7, "text", red, (1, x), (7,), f(g(2)), -h(1), #sup, ()'
VALUES = (7, String("text"), Constant("red"), (1, Constant("x")), (7,), Function("f", (Function("g", (2,)),)), Function("h", (1,), False), SUPREMUM, ())


def test_values_go_out_and_come_in() -> None:
    context = Context()
    with Program(f"p(@double(4)). q(@some(3)). r(@none()). k(@keep({TERMS})).", context=context) as program:
        model = program.first()
    assert model is not None
    assert context.called == [VALUES]
    assert [type(value) for value in context.called[0]] == [type(value) for value in VALUES]
    assert {repr(value) for (value,) in model["k"]} == {repr(value) for value in VALUES}
    assert model["p"] == [(8,)]
    assert {repr(row) for (row,) in model["q"]} == {
        "3", "'3'", "Constant('c')", "(3,)", repr(Function("f", (3,), False)), repr(INFIMUM), repr(Function("point", (1, 2)))}  # fmt: skip
    assert model["r"] == []


def test_functions_by_name() -> None:
    def triple(number: int) -> int:
        return 3 * number

    for context in ({"triple": triple}, [triple], (triple,)):
        with Program("p(@triple(2)).", context=context) as program:
            assert str(program.first()) == "p(6)"
    with Program("p(@gcd(6, 4)).", context=__import__("math")) as program:
        assert str(program.first()) == "p(2)"


@pytest.mark.parametrize("context", [5, "text", b"x", lambda x: x, [5], [lambda x: x], {"f": 5}, {5: len}])
def test_what_has_no_functions(context: Any) -> None:
    with pytest.raises(InputError, match=r"no functions|not a function"):
        Program("a.", context=context)


@pytest.mark.parametrize("kind", ["none", "float", "bool", "large", "mapping", "list"])
def test_results_that_are_no_terms(kind: str) -> None:
    told = pytest.raises(InputError, match="the result of the function wrong")
    with Program(f'p(@wrong("{kind}")).', context=Context()) as program, told:
        program.first()


@pytest.mark.parametrize("name", ["nosuch", "_hidden", "value", "__class__", "__init__"])
def test_functions_that_there_are_not(name: str) -> None:
    told = pytest.raises(ProgramError, match=f"calls @{name}, which the context does not have")
    with Program(f"p(@{name}()).", context=Context()) as program, told:
        program.first()


def test_what_a_function_raises_comes_as_it_is() -> None:
    with Program("p(@fail()).", context=Context()) as program:
        for _ in range(2):
            with pytest.raises(KeyError) as raised:
                program.first()
            assert raised.value.args == ("mine", 5)
            assert "fail" in [frame.name for frame in raised.traceback]


def test_a_function_may_solve_and_runs_in_the_callers_thread() -> None:
    threads: list[int] = []

    def inner(number: int) -> int:
        threads.append(threading.get_ident())
        with Program(f"{{ a(1..{number}) }}.") as other:
            return other.count().number

    with Program("p(@inner(3)).", context=[inner]) as program:
        assert str(program.first()) == "p(8)"
    assert threads == [threading.get_ident()]

    def same() -> int:
        return program.count().number

    with Program("p(@same()).", context=[same]) as program, pytest.raises(BridgeError):
        program.first()


def test_further_parts_and_steps_call_functions_too() -> None:
    with Program("#program step(t). p(@double(t)).", context=Context()) as program:
        program.ground(("step", 3), ("step", 4))
        assert str(program.first()) == "p(6) p(8)"
    text = "#include <incmode>. #program step(t). p(@double(t)). #program check(t). :- query(t), t < 2. #show p/1."
    with Program(text, context=Context()) as program:
        for _ in range(2):
            assert [(str(model), model.step) for model in program.models()] == [("p(2) p(4)", 2)]
    with Program("p(@double(1..5)).", context=Context()) as program:
        assert program.grounding().atoms == {"p/1": (5, 5)}


@pytest.mark.local
def test_functions_of_scripts_come_after_those_of_the_context() -> None:
    script = "#script (python)\nimport clingo\ndef double(x): return clingo.Number(0)\ndef own(x): return x\n#end.\n"
    with Program(script + "p(@double(1), @own(2)).", context=Context(), isolated=True) as program:
        assert str(program.first()) == "p(2,2)"


@pytest.mark.local
def test_an_untrusted_program_calls_what_it_is_given_and_no_more() -> None:
    context = Context()
    with Program("p(@double(21)).", context=context, untrusted=True) as program:
        assert str(program.first()) == "p(42)"
    for text in ("p(@__class__()).", "p(@_hidden())."):
        with Program(text, context=context, untrusted=True) as program, pytest.raises(ProgramError, match="does not have"):
            program.first()


@pytest.mark.local
def test_a_limit_ends_a_program_that_waits_for_a_function() -> None:
    release = threading.Event()

    def wait() -> int:
        release.wait(1)
        return 1

    with Program("p(@wait()).", context=[wait], isolated=True) as program:
        outcome = program.models(limits=Limits(seconds=0.2)).collect()
        assert (outcome.complete, outcome.limit) == (False, "seconds")
        assert {str(model) for model in outcome.solutions} <= {"p(1)"}  # it may come before the worker has stopped
        release.set()
        assert str(program.first()) == "p(1)"


@pytest.mark.local
@pytest.mark.parametrize("limit", ["seconds", "memory"])
def test_a_limit_ends_a_function_that_gives_values_without_end(limit: str) -> None:
    def endless() -> Iterator[str]:
        yield from (str(number) for number in count())

    limits = Limits(seconds=0.2) if limit == "seconds" else Limits(memory=100_000_000)
    with Program("{ a }. p(@endless()).", context=[endless], isolated=True) as program:
        outcome = program.models(limits=limits).collect()
        assert (list(outcome.solutions), outcome.complete, outcome.limit) == ([], False, limit)
        assert "a function that the program calls" in str(outcome.remark)


def test_a_function_that_gives_values_without_end_and_without_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bridge.asp.functions.MOST_RESULTS", 1000)
    program = Program("p(@count()).", context=[count])
    with program, pytest.raises(InputError, match="count gives more than 1,000 results"):
        program.first()
    with Program("q(@some()).", context={"some": lambda: range(1000)}) as program:
        assert len(program.first() or ()) == 1
