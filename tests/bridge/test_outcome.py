"""The shared words: verdicts, streams, limits, errors."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bridge.common.english import LIMITS, how_ended, plural
from bridge.errors import InputError, Place
from bridge.limits import Deadline, LimitName, Limits
from bridge.outcome import Count, Interrupted, Outcome, Progress, Statistics, Stream, Verdict


@pytest.mark.parametrize(
    ("solutions", "complete", "verdict"),
    [
        ((), True, Verdict.IMPOSSIBLE),
        (("a",), True, Verdict.UNIQUE),
        (("a", "b"), True, Verdict.AMBIGUOUS),
        (("a", "b"), False, Verdict.AMBIGUOUS),
        (("a",), False, Verdict.UNKNOWN),
        ((), False, Verdict.UNKNOWN),
    ],
)
def test_verdict(solutions: tuple[str, ...], complete: bool, verdict: Verdict) -> None:
    assert Outcome(solutions, complete).verdict is verdict


def test_a_stream_tells_when_it_is_complete() -> None:
    stream = Stream(lambda progress: progress.exhaust("ab"))
    assert (next(stream), stream.complete) == ("a", False)
    assert stream.collect() == Outcome(("b",), True)
    assert list(stream) == []


def test_the_limit_on_solutions_keeps_what_was_found() -> None:
    outcome = Stream(lambda progress: progress.exhaust("abc"), Limits(solutions=2)).collect()
    assert outcome == Outcome(("a", "b"), False, "solutions")
    assert outcome.verdict is Verdict.AMBIGUOUS


def test_closing_closes_the_producer() -> None:
    closed = []

    def produce(progress: Progress) -> Iterator[int]:
        try:
            yield 1
            yield 2
        finally:
            closed.append(True)

    with Stream(produce) as stream:
        assert next(stream) == 1
    assert closed
    assert list(stream) == []
    assert not stream.complete


def test_ctrl_c_keeps_what_was_found() -> None:
    def produce(progress: Progress) -> Iterator[int]:
        yield 1
        raise KeyboardInterrupt

    stream = Stream(produce)
    with pytest.raises(Interrupted) as raised:
        stream.collect()
    assert raised.value.partial == Outcome((1,), False, "interrupt")
    assert isinstance(raised.value, KeyboardInterrupt)


@pytest.mark.parametrize("wrong", [{"seconds": 0}, {"seconds": -1}, {"solutions": 0}, {"nodes": -5}])
def test_a_limit_is_more_than_nothing(wrong: dict[str, int]) -> None:
    with pytest.raises(InputError, match="a limit is above 0"):
        Limits(**wrong)


def test_deadline() -> None:
    assert Deadline(None).remaining() is None
    assert not Deadline(None).expired()
    assert Deadline(1e-9).expired()
    assert 99 < (Deadline(100).remaining() or 0) <= 100


def test_what_remains_of_a_deadline_is_always_a_limit() -> None:
    over = Deadline(1e-9)
    assert 0 < (Limits(seconds=over.remaining()).seconds or 0) < 1
    assert 0 < (over.within(Limits(seconds=5)).seconds or 0) < 1
    assert over.within(Limits(seconds=1e-5)).seconds == 1e-5


def test_an_error_says_what_where_and_what_to_do() -> None:
    error = InputError("row 3 has 8 cells", where=Place("a.txt", 3, 1), hint="add one")
    assert str(error) == "a.txt:3:1: row 3 has 8 cells; add one"
    inner = {"kind": "input", "message": "row 3 has 8 cells", "where": "a.txt:3:1", "hint": "add one"}
    assert error.to_json()["error"] == inner
    assert str(Place()) == "<text>"


def test_statistics_add_up() -> None:
    whole = Statistics({"solve": 1.0}, {"choices": 2})
    whole.add(Statistics({"solve": 0.5, "load": 3.0, "decode": 0.25}, {"choices": 1, "models": 7}), without=("load", "models"))
    assert (whole.seconds, whole.counters) == ({"solve": 1.5, "decode": 0.25}, {"choices": 3})


@pytest.mark.parametrize(("number", "said"), [(0, "0 cells"), (1, "1 cell"), (2, "2 cells"), (1234, "1,234 cells")])
def test_numbers_in_words(number: int, said: str) -> None:
    assert plural(number, "cell") == said
    assert plural(number, "entry", "entries") == said.replace("cells", "entries").replace("cell", "entry")


@pytest.mark.parametrize("limit", [None, *LIMITS])
def test_how_a_search_ended_is_said_in_words(limit: LimitName | None) -> None:
    for before in ("", "before the answer"):
        told = how_ended(limit, before)
        assert ("the limit on" in told) == (limit in ("seconds", "solutions", "nodes")), told
        assert "None" not in told
        assert told.endswith(before or "")
        assert told in str(Count(0, False, limit)) or before
