"""Arguments that would be read wrongly, or break in the middle of clingo, are refused before clingo sees them."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable
from enum import StrEnum
from typing import Any

import pytest

from bridge.asp import Constant, Function, Program, encode
from bridge.errors import InputError, ProgramError


class Atom(StrEnum):
    A = "a"


@pytest.mark.parametrize(
    "assuming",
    [
        "a", "ab", {"a": 1}, 5, None,  # no list of literals
        [0], [2**28], [-(2**28)], [2**31], [2**40], [True], [1.5], [None], [b"a"], [("a",)], [Function("a", ())],
        [""], ["not"], ["not not a"], ["a."], ["a, b"], ["5"], ["-5"], ['"a"'], ["#inf"], ["()"], ["(a,)"], ["a % b"],
        ["(" * 100_000], ["a", 2**40],
    ],
)  # fmt: skip
def test_what_are_no_assumptions(assuming: Any) -> None:
    with Program("{ a; b }.") as program:
        asked: list[Callable[[], Any]] = [
            lambda: program.models(assuming=assuming).collect(),
            lambda: program.count(assuming=assuming),
            lambda: program.optimal(assuming=assuming),
        ]
        for ask in asked:
            with pytest.raises(InputError):
                ask()
        assert program.count().number == 4  # it can still be asked


def test_what_are_assumptions() -> None:
    with Program("{ a; b; -c }.") as program:
        literal = program.literals("a", 0)[()]
        same: list[Any] = [["a"], [" a "], [Constant("a")], [Atom.A], ("a",), {"a"}, {"a": 1}.keys(), iter(["a"]), [literal]]
        same += [["a", "a"], ["a", literal], [encode(Function("a", ()))]]
        for assuming in same:
            assert program.count(assuming=assuming).number == 4, assuming
        assert program.count(assuming=["not  a"]).number == 4
        assert program.count(assuming=["-c", "not b"]).number == 2
        assert program.count(assuming=["a", "not a"]).number == 0
        assert program.count(assuming=["nosuch"]).number == 0
        assert program.count(assuming=["not nosuch"]).number == 8


@pytest.mark.parametrize("value", [1, 0, "yes", "", [], 1.0])
def test_what_is_no_truth_value(value: Any) -> None:
    with Program("#external e.") as program:
        with pytest.raises(InputError, match="not a truth value"):
            program.assign_external("e", value)
        program.assign_external(Constant("e"), True)
        assert [str(model) for model in program.models()] == ["e"]


@pytest.mark.parametrize("atom", [5, None, "5", "", "f", "-e", "e.", ("e",), Function("e", (1,)), "e(2**40)"])
def test_what_is_no_external(atom: Any) -> None:
    with Program("#external e. { f }.") as program:
        for ask in (lambda: program.assign_external(atom, True), lambda: program.release_external(atom)):
            with pytest.raises(InputError):
                ask()
        program.release_external("e")
        with pytest.raises(InputError):
            program.release_external("e")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda program: program.add(5), "not a program text"),
        (lambda program: program.add(None), "not a program text"),
        (lambda program: program.add("x.", 5), "name of a part"),
        (lambda program: program.add("x.", "not a name"), "name of a part"),
        (lambda program: program.add("x(k).", "part", "k"), "not a list of names"),
        (lambda program: program.add("x(k).", "part", ["K"]), "name of a parameter"),
        (lambda program: program.add("x(k).", "part", [5]), "name of a parameter"),
        (lambda program: program.ground("step"), "not a part"),
        (lambda program: program.ground(["step", 1]), "not a part"),
        (lambda program: program.ground((5, 1)), "not a part"),
        (lambda program: program.ground(("st\0ep", 1)), "name of a part"),
        (lambda program: program.ground(("\ud800", 1)), "name of a part"),
        (lambda program: program.ground(("step", 1.5)), "integers only"),
        (lambda program: program.literals("s", -1), "number of arguments"),
        (lambda program: program.literals("s", "x"), "number of arguments"),
        (lambda program: program.literals("s", 2**40), "number of arguments"),
        (lambda program: program.literals("s", True), "number of arguments"),
        (lambda program: program.literals("", 1), "name of a predicate"),
        (lambda program: program.literals("a\0b", 1), "name of a predicate"),
        (lambda program: program.literals(5, 1), "name of a predicate"),
    ],
)
def test_wrong_arguments(call: Callable[[Program], Any], message: str) -> None:
    with Program("a. #program step(t). s(t).") as program:
        with pytest.raises(InputError, match=message):
            call(program)
        program.ground((Constant("step"), 1))
        assert program.literals(Constant("s"), 1).keys() == {(1,)}


@pytest.mark.parametrize(
    ("sources", "given"),
    [
        ([5], {}), ([None], {}), ([b"a."], {}), (["x\0.lp"], {}), (["\ud800.lp"], {}),
        (["a.\n"], {"options": "--seed=5"}), (["a.\n"], {"options": [5]}), (["a.\n"], {"options": [["--seed=5"]]}),
        (["p(n).\n"], {"N": 1}), (["p(n).\n"], {"n": 1.5}), (["p(n).\n"], {"n": None}), (["p(n).\n"], {"n": [1]}),
    ],
)  # fmt: skip
def test_what_makes_no_program(sources: list[Any], given: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        Program(*sources, **given)


def test_an_answer_that_is_nested_too_deeply() -> None:
    with Program("{ a }. p(" + "f(" * 20_000 + "a" + ")" * 20_000 + ").") as program:
        with pytest.raises(ProgramError, match="nested too deeply"):
            [str(model) for model in program.models()]
        assert program.count().number == 2


def test_a_closed_program_says_so() -> None:
    program = Program("{ a }.")
    program.close()
    program.close()
    asked: list[Callable[[], Any]] = [
        lambda: program.models().collect(), program.count, program.solve, program.brave, program.optimal, program.first,
        program.grounding, program.inside().ground_facts, program.ground, lambda: program.add("b."),
        lambda: program.add_facts("b", [1]), lambda: program.literals("a", 0),
        lambda: program.assign_external("a", True),
    ]  # fmt: skip
    for ask in asked:
        with pytest.raises(InputError, match="closed"):
            ask()


def test_two_programs_take_turns() -> None:
    with Program("{ a; b }.") as first, Program("{ c; d; e }.") as second, first.models() as one, second.models() as two:
        found = [(str(x), str(y)) for x, y in zip(one, two, strict=False)]
        assert len(found) == len(set(found)) == 4
        with pytest.raises(InputError, match="still open"):
            second.count()


def test_a_stream_outlives_the_name_of_its_program() -> None:
    stream = Program("{ a; b; c }.").models()
    gc.collect()
    assert len({str(model) for model in stream}) == 8


def test_threads_that_ask_the_same_program() -> None:
    told: list[Any] = []

    def ask() -> None:
        try:
            told.append(program.count().number)
        except InputError as error:
            told.append(error.message)

    with Program("{ a(1..14) }.") as program:
        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(told) == 4
        assert set(told) <= {2**14, "a search of this program is still open"}
        assert program.count().number == 2**14
