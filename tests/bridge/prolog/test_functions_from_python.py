"""`context=` of a session: functions of this process that the program calls as predicates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from patience import PATIENCE

from bridge import prolog
from bridge.errors import BridgeError, InputError, ProgramError, UnsupportedError
from bridge.limits import Limits
from bridge.prolog import Atom, Session, String, Term

closed: list[str] = []


def price(item: str) -> int | None:
    return {"apple": 3, "pear": 2}.get(str(item))


def add(one: int, other: int = 10) -> int:
    return one + other


def naturals(first: int = 0) -> Iterator[int]:
    try:
        while True:
            yield first
            first += 1
    finally:
        closed.append("naturals")


def upto(number: int) -> Iterator[int]:
    yield from range(number)


def same(value: Any) -> Any:
    return value


def broken(value: Any) -> int:
    raise LookupError(f"no {value}")


def strange() -> object:
    return object()


FUNCTIONS = [price, add, naturals, upto, same, broken, strange]


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    text = "cheap(X) :- member(X, [apple, pear, plum]), price(X, P), P < 3.\n:- add(1, X), assertz(loaded(X)).\n"
    with Session(text, context=FUNCTIONS) as made:
        yield made


def values(session: Session, goal: str, **limits: Any) -> list[Any]:
    return [answer["X"] for answer in session.query(goal, limits=Limits(**limits))]


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ("cheap(X)", ["pear"]), ("loaded(X)", [11]), ("add(2, 5, X)", [7]), ("price(plum, X)", []), ("upto(3, X)", [0, 1, 2]), ("upto(0, X)", []),
        ("upto(2, A), upto(2, B), X = A-B", [Term("-", (a, b)) for a in (0, 1) for b in (0, 1)]), ("findall(N, limit(3, naturals(N)), X)", [[0, 1, 2]]),
        ("upto(9, X), X mod 4 =:= 3", [3, 7]), ("\\+ price(plum, _), X = none", ["none"]), ("forall(upto(3, N), N < 3), X = all", ["all"]), ("call(add, 1, 2, X)", [3]),
        ("catch(( naturals(N), N > 3, throw(found(N)) ), found(X), true)", [4]), ("add(1, 2, 3), X = yes", ["yes"]), ("add(1, 2, 4), X = yes", []),
    ],
)  # fmt: skip
def test_answers(session: Session, goal: str, expected: list[Any]) -> None:
    assert values(session, goal) == expected


@pytest.mark.parametrize("value", [7, 1 << 90, 2.5, Atom("a b"), "text", [1, [Atom("x")]], Term("f", (Atom("a"), "b")), [], Atom("ä€")])
def test_values_go_both_ways(session: Session, value: Any) -> None:
    found = session.first("same(_V, X)", _V=value)
    assert found is not None
    assert found["X"] == value
    assert type(found["X"]) is (String if type(value) is str else type(value))


def test_an_iterator_is_asked_for_what_is_needed_and_closed(session: Session) -> None:
    closed.clear()
    assert values(session, "naturals(X), X > 10, !") == [11]
    assert closed == ["naturals"]
    assert values(session, "naturals(X)", solutions=3) == [0, 1, 2]
    assert closed == ["naturals"] * 2
    with session.query("naturals(X)") as stream:
        next(stream)
    assert closed == ["naturals"] * 3


def test_an_endless_one_is_ended_by_the_limits(session: Session) -> None:
    for goal in ("naturals(X), fail", "findall(N, naturals(N), X)", "naturals(N), catch(fail, _, true)"):
        stream = session.query(goal, limits=Limits(seconds=0.3))
        assert (list(stream), stream.limit) == ([], "seconds")
    assert values(session, "add(1, 1, X)") == [2]


def test_a_large_result_counts_as_memory() -> None:
    def large() -> list[int]:
        return list(range(1 << 20))

    with Session("p(1).\n", context=[large]) as session:
        stream = session.query("large(X)", limits=Limits(memory=1 << 20, seconds=PATIENCE))
        assert (list(stream), stream.limit) == ([], "memory")
        assert values(session, "p(X)") == [1]  # another process, with the same functions
        assert values(session, "large(L), length(L, X)") == [1 << 20]


def test_what_a_function_raises_is_raised(session: Session) -> None:
    for goal in ("broken(1, X)", "catch(broken(1, X), _, X = 2)"):
        with pytest.raises(LookupError, match="no 1"):
            values(session, goal)
    with pytest.raises(InputError, match="the result of the function strange"):
        values(session, "strange(X)")
    with pytest.raises(ProgramError, match="price/3"):
        values(session, "price(a, b, X)")


def test_a_function_cannot_ask_the_program_that_calls_it() -> None:
    asked: list[Session] = []

    def again() -> Any:
        return asked[0].first("X = 1")

    with Session("p.\n", context=[again]) as session:
        asked.append(session)
        with pytest.raises(InputError, match="cannot ask the same program"):
            values(session, "again(X)")
        assert values(session, "X = 1") == [1]


@pytest.mark.parametrize("call", ["[next, 99]", "[close, 99]"])
def test_numbers_that_are_none(session: Session, call: str) -> None:
    assert len(values(session, f"py_call('bridge.prolog.job':asked({call}), X)")) == 1
    assert values(session, "X = 1") == [1]


@pytest.mark.parametrize("call", ["[]", "[call, nowhere, []]", "[call, price, 1]", "7", "[next, a]", "[call, '__import__', [os]]"])
def test_a_program_that_calls_what_is_no_function_is_ended(call: str) -> None:
    with Session("p.\n", context=FUNCTIONS) as session:
        with pytest.raises(BridgeError):
            values(session, f"py_call('bridge.prolog.job':asked({call}), _), X = 1")
        assert values(session, "X = 1") == [1]


def test_a_mapping_names_functions() -> None:
    with Session("p(X) :- 'Größe'(3, X).\n", context={"Größe": lambda number: number * 2}) as session:
        assert values(session, "p(X)") == [6]


def test_a_predicate_of_the_program_with_the_same_name_is_an_error() -> None:
    with pytest.raises(ProgramError, match=r"<text>:1.*price/2"):
        Session("price(a, 1).\n", context=[price], strict=True)


@pytest.mark.parametrize(
    ("context", "said"),
    [
        (7, "no collection"), ("price", "no collection"), ([7], "not a function"), ([print], "any number"), ({1: price}, "not a function"), ([lambda *many: 1], "any number"),
        ([lambda *, named: 1], "only be named"),
    ],
)  # fmt: skip
def test_what_is_no_context(context: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        Session("p.\n", context=context)


def test_only_in_a_process_of_its_own() -> None:
    for more in ({"untrusted": True}, {"isolated": False}):
        with pytest.raises(UnsupportedError, match="context"):
            prolog.Session("p.\n", context=[price], **more)
