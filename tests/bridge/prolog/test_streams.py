"""Answers in chunks: the first at once, none too many, none lost, whatever ends the query."""

from __future__ import annotations

import gc
import os
import signal
import threading
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

import pytest
from patience import PATIENCE, given_time, interrupted

from bridge.errors import BridgeError, InputError, LimitError, ProgramError
from bridge.limits import UNLIMITED, Limits
from bridge.outcome import Progress
from bridge.prolog import Answer, Session, Term
from bridge.prolog.calls import CALLS
from bridge.prolog.local import Local
from bridge.prolog.remote import Remote

PROGRAM = """
:- dynamic seen/1.
loop :- repeat, fail.
seen_so_far(X) :- aggregate_all(count, seen(_), X).
see(X) :- assertz(seen(X)).
"""


@pytest.fixture(scope="module")
def session(process: str) -> Iterator[Session]:
    with Session(PROGRAM, isolated=False) as opened:
        yield opened


@pytest.fixture
def local() -> Local:
    made = Local()
    made.load(PROGRAM, True)
    return made


def read_until(error: type[BaseException], match: str | None, answers: Iterable[Answer], name: str) -> list[Any]:
    """The values of a variable in the answers before that error."""
    found = []
    with pytest.raises(error, match=match):
        found.extend(answer[name] for answer in answers)
    return found


def run(local: Local, goal: str, *, most: int | None = None, limits: Limits = UNLIMITED) -> tuple[list[list[Any]], Progress]:
    progress = Progress()
    return list(local.run(goal, [], most, False, limits, progress)), progress


def test_chunks_grow(local: Local) -> None:
    for _ in range(100):  # how much they grow depends on how fast the answers come, and the machine may be busy
        chunks, progress = run(local, "between(1, 30000, X)")
        sizes = [len(chunk) for chunk in chunks]
        assert [value for chunk in chunks for value in chunk] == list(range(1, 30001))
        assert sizes[:64] == [1] * 64
        assert progress.complete
        if sizes[64:66] == [4, 16] and max(sizes) > 64:
            break
    assert sizes[64:66] == [4, 16]
    assert max(sizes) > 64


def test_slow_answers_come_one_by_one(local: Local) -> None:
    chunks, _ = run(local, "between(1, 5, X), sleep(0.02)")
    assert len(chunks[0]) == 1
    assert max(len(chunk) for chunk in chunks) <= 2
    after_fast_ones, _ = run(local, "between(1, 3000, X) ; between(3001, 3040, X), sleep(0.01)")
    assert [len(chunk) for chunk in after_fast_ones][-10:] == [1] * 10


def test_never_more_than_asked_for(session: Session) -> None:
    for most in (1, 2, 3, 7, 100):
        session.first("retractall(seen(_))")
        outcome = session.query("between(1, inf, X), see(X)", limits=Limits(solutions=most)).collect()
        assert [answer["X"] for answer in outcome.solutions] == list(range(1, most + 1))
        assert (outcome.complete, outcome.limit) == (False, "solutions")
        assert session.first("seen_so_far(N)")["N"] == most  # type: ignore[index]
    session.first("retractall(seen(_))")
    session.first("between(1, inf, X), see(X)")
    assert session.first("seen_so_far(N)")["N"] == 1  # type: ignore[index]


@pytest.mark.parametrize(("goal", "count"), [("X = 1", 1), ("member(X, [1, 2])", 2), ("between(1, 21, X)", 21)])
def test_the_last_answer_is_known_to_be(session: Session, goal: str, count: int) -> None:
    outcome = session.query(goal, limits=Limits(solutions=count)).collect()
    assert (len(outcome.solutions), outcome.complete, outcome.limit) == (count, True, None)


def test_first(session: Session) -> None:
    assert session.first("member(X, [a, b])")["X"] == "a"  # type: ignore[index]
    assert session.first("fail") is None
    assert session.first("loop", limits=Limits(seconds=0.1)) is None
    with pytest.raises(ProgramError, match="not a function"):
        session.first("X is foo + 1")
    assert session.first("Y = X", {"X": 1}) == session.first("Y = X", X=1)


def test_first_says_why_it_found_nothing() -> None:
    """None is said where there is none, or a limit that was given came first."""
    with Session("p(1). loop :- loop.", isolated=True) as session:
        assert session.first("fail") is None
        assert session.first("loop", limits=Limits(seconds=0.2)) is None
        for first in (session.first, lambda goal: session.query(goal).first()):
            with pytest.raises(LimitError, match=r"the program called halt\(3\), before there was an answer") as found:
                first("halt(3)")
            assert found.value.limit == "halt"


def test_first_of_a_query_that_is_closed() -> None:
    with Session("p(1).") as session:
        answers = session.query("p(X)")
        answers.close()
        with pytest.raises(LimitError, match="before there was an answer"):
            answers.first()


def test_an_error_comes_after_the_answers_before_it(session: Session) -> None:
    found = read_until(ProgramError, "not a function", session.query("between(1, 50, X) ; X is foo + 1"), "X")
    assert found == list(range(1, 51))


@pytest.mark.slow
def test_an_answer_too_large_to_be_carried(session: Session) -> None:
    program = "f(0, x) :- !.\nf(N, g(A, A)) :- M is N - 1, f(M, A).\n"
    limit = session.first("current_prolog_flag(stack_limit, X)")
    assert limit is not None
    with Session(program, isolated=False) as other:
        other.first("set_prolog_flag(stack_limit, 50 000 000)")
        try:
            answers = other.query("X = 1 ; f(60, X)")
            assert read_until(ProgramError, "Stack limit", answers, "X") == [1]
            assert other.first("X = 1") is not None
        finally:
            other.first("set_prolog_flag(stack_limit, X)", X=limit["X"])


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 500, 5000])
def test_every_answer_before_a_limit_is_told(session: Session, count: int) -> None:
    outcome = given_time(
        lambda seconds: session.query(f"between(1, {count}, X) ; loop", limits=Limits(seconds=seconds)).collect(),
        lambda outcome: len(outcome.solutions) >= count,
    )
    assert [answer["X"] for answer in outcome.solutions] == list(range(1, count + 1))
    assert (outcome.complete, outcome.limit) == (False, "seconds")


@pytest.mark.slow
def test_a_limit_while_answers_pour(session: Session) -> None:
    for _ in range(8):
        outcome = session.query("between(1, inf, X)", limits=Limits(seconds=0.01)).collect()
        values = [answer["X"] for answer in outcome.solutions]
        assert values == list(range(1, len(values) + 1))
        assert outcome.limit == "seconds"


@pytest.mark.slow
def test_ctrl_c_while_answers_pour(session: Session) -> None:
    for _ in range(5):
        partial = interrupted(lambda: session.query("between(1, inf, X)").collect(), 0.05)
        values = [answer["X"] for answer in partial.solutions]
        assert values == list(range(1, len(values) + 1))
        assert partial.limit == "interrupt"
    assert session.first("X = 1") is not None


def test_ctrl_c_is_raised_at_once_and_what_was_found_is_left_over(session: Session) -> None:
    def interrupted_after(seconds: float) -> list[Any]:
        answers = session.query("between(1, 100, X) ; loop")
        threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT)).start()
        found = read_until(KeyboardInterrupt, None, answers, "X")
        assert answers.found == len(found)
        return found + [answer["X"] for answer in answers.leftover()]

    assert given_time(interrupted_after, lambda found: len(found) >= 100) == list(range(1, 101))


def test_what_was_not_read_is_not_complete(session: Session) -> None:
    with session.query("between(1, 10, X)") as answers:
        for answer in answers:
            if answer["X"] == 7:
                break
        assert answers.found == 7
        assert not answers.complete
        assert next(answers)["X"] == 8
        assert [answer["X"] for answer in answers] == [9, 10]
        assert answers.complete
        assert answers.found == 10


def test_what_waits_behind_a_slow_answer(local: Local) -> None:
    """Waiting answers can be taken from another thread, and are returned once."""
    found: list[int] = []

    def told_while_it_runs(seconds: float) -> list[int]:
        found.clear()
        told: list[int] = []
        done = threading.Event()

        def watch() -> None:
            while not done.wait(0.05):
                waiting = local.pending()
                told.extend(waiting)
                found.extend(waiting)

        watcher = threading.Thread(target=watch)
        watcher.start()
        with suppress(KeyboardInterrupt):
            for chunk in local.run("between(1, 5000, X) ; loop", [], None, False, Limits(seconds=seconds), Progress()):
                found.extend(chunk)
        done.set()
        watcher.join(PATIENCE)
        return told

    assert given_time(told_while_it_runs, lambda told: told and len(found) >= 5000)
    assert found == list(range(1, 5001))
    assert local.pending() == []


def test_answers_bring_their_text_along(session: Session) -> None:
    answers = list(session.query("member(X, [1, f(_), a])", texts=True))
    assert [str(answer) for answer in answers] == ["X = 1.", "X = f(_).", "X = a."]
    assert [answer.residual for answer in answers] == [[], [], []]


def test_inner_queries_each_in_their_buffer(session: Session) -> None:
    found = [
        (a["X"], b["Y"], c["Z"])
        for a in session.query("between(1, 30, X)")
        for b in session.query("between(1, 3, Y)")
        for c in session.query("between(1, 2, Z)", limits=Limits(solutions=1))
    ]
    assert found == [(x, y, 1) for x in range(1, 31) for y in range(1, 4)]


def test_streams_that_nobody_wants_any_more(session: Session) -> None:
    """Collected in another thread, or left open by one that has ended: neither harms the next query."""

    def leave() -> None:
        next(session.query("between(1, 10, X)"))
        next(session.query("between(1, 10, X)"))

    box = [session.query("between(1, 1000, X)")]
    next(box[0])

    def drop() -> None:
        box.clear()
        gc.collect()

    for job in (drop, leave, leave):
        thread = threading.Thread(target=job)
        thread.start()
        thread.join(10)
    gc.collect()
    assert len(session.query("between(1, 100, X)").collect().solutions) == 100


def test_a_session_serves_several_threads(session: Session) -> None:
    found: list[int] = []

    def work() -> None:
        found.append(sum(answer["X"] for answer in session.query("between(1, 20000, X)")))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert found == [sum(range(20001))] * 4


def test_async_for(session: Session) -> None:
    import asyncio

    async def total() -> int:
        return sum([answer["X"] async for answer in session.query("between(1, 5000, X)")])

    assert asyncio.run(total()) == sum(range(5001))


@pytest.mark.parametrize("goal", ["halt", "halt(3)", "catch(halt, _, true)", "catch_with_backtrace(halt, E, true)", "findall(X, halt, _)"])
def test_halt_does_not_end_the_host(session: Session, goal: str) -> None:
    assert read_until(ProgramError, "called halt", session.query(f"Y = 1 ; Y = 2 ; {goal}"), "Y") == [1, 2]
    with pytest.raises(ProgramError, match="called halt"):
        Session(f"p(1).\n:- {goal}.\n", isolated=False, strict=True)
    with Session(f"p(1).\n:- {goal}.\n", isolated=False) as ended:
        assert ended.halted == (3 if "3" in goal else 0)
        with pytest.raises(ProgramError, match="has ended"):
            ended.first("p(X)")
    assert session.first("X = 1") is not None


def test_halt_ends_a_job_and_is_told() -> None:
    """In the module `user`, as in a process of its own."""
    local = Local("user")
    local.load("lpbridge_halts(1).\nlpbridge_halts(2) :- halt(7).\n", True)
    chunks, progress = run(local, "lpbridge_halts(X)")
    assert chunks == [[1]]
    assert (progress.complete, progress.limit, local.halted) == (False, "halt", 7)
    assert progress.remark == "the program called halt(7)"
    with pytest.raises(ProgramError, match="has ended"):
        run(local, "true")


def test_abort_in_the_program(session: Session) -> None:
    with pytest.raises(ProgramError, match="abort"):
        session.first("abort")
    assert session.first("X = 1") is not None


def test_output_comes_before_the_answer(session: Session, capfd: pytest.CaptureFixture[str]) -> None:
    answers = session.query("member(X, [1, 2]), write(told(X)), write(user_error, warned(X))")
    next(answers)
    told = capfd.readouterr()
    assert (told.out, told.err) == ("told(1)", "warned(1)")
    answers.close()


def test_the_inputs_of_a_closed_stream(session: Session) -> None:
    answers = session.query("between(1, 3, X)")
    answers.close()
    assert list(answers) == []
    with pytest.raises(StopIteration):
        next(answers)


def test_wrong_order_and_wrong_thread_are_clear(session: Session) -> None:
    outer = session.query("between(1, 3, X)")
    inner = session.query("between(1, 3, X)")
    next(outer), next(inner)
    with pytest.raises(BridgeError, match="use up or close the inner query first"):
        list(outer)
    inner.close()
    caught: list[BaseException] = []
    again = session.query("between(1, 3, X)")
    next(again)

    def steal() -> None:
        try:
            list(again)
        except InputError as error:
            caught.append(error)

    thread = threading.Thread(target=steal)
    thread.start()
    thread.join(10)
    assert "belong to the thread" in str(caught[0])


@pytest.mark.slow
def test_a_limit_holds_when_answers_were_fetched_in_between() -> None:
    """What another thread has fetched from the middle of a chunk counts, too."""
    with Session("l(L) :- length(L, _).\n", isolated=True) as session:
        for most in (200, 201, 250):
            outcome = session.query("l(L)", limits=Limits(solutions=most)).collect()
            assert [len(answer["L"]) for answer in outcome.solutions] == list(range(most))
            assert outcome.limit == "solutions"


@pytest.mark.slow
def test_collecting_keeps_the_limit(session: Session) -> None:
    """Millions of answers do not wait to be made into answers when the time is over."""
    with Session(PROGRAM) as flood:
        outcome = flood.query("between(1, inf, X)", limits=Limits(seconds=0.4)).collect()
    assert outcome.limit == "seconds"
    assert [answer["X"] for answer in outcome.solutions] == list(range(1, len(outcome.solutions) + 1))


def first(local: Local, goal: str) -> list[Any]:
    return [answer for chunk in local.run(goal, [], 1, False, Limits(), Progress()) for answer in chunk]


def parsed(local: Local) -> int:
    """How many goals Prolog keeps for a session, the one that asks included."""
    goal = f"aggregate_all(count, lpbridge:parsed(_, _, {local.module}, _, _, _, _), X)"
    (count,) = first(local, goal)
    assert isinstance(count, int)
    return count


def test_a_session_keeps_a_bounded_number_of_goals(local: Local, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bridge.prolog.local.GOALS", 5)
    for _ in range(2):  # once more, when the first have been forgotten
        for number in range(20):
            assert first(local, f"X = {number}") == [number]
            assert first(local, "X = kept") == ["kept"]
    assert parsed(local) == 5
    kept = local._goals["X = kept"]
    for number in range(4):
        local.names(f"Y = {number}")
        assert local._goal("X = kept") is kept, "the one that was asked last is not forgotten"
    local.close()
    assert parsed(local) == 1


def test_a_session_with_many_goals(monkeypatch: pytest.MonkeyPatch) -> None:
    for isolated in (False, True):
        with Session(PROGRAM, isolated=isolated) as session:
            monkeypatch.setattr("bridge.prolog.session._GOALS", 3)
            for number in [*range(10), *range(10)]:
                assert session.first(f"X = {number} + Y", Y=number)["X"] == Term("+", (number, number))  # type: ignore[index]
            assert len(session._headers) <= 3


def test_a_worker_answers_each_call_of_a_session() -> None:
    """`Remote` forwards by name: what a session asks of a `Local` is listed for it, or written there."""
    methods = {name for name, value in vars(Local).items() if callable(value) and not name.startswith("_")}
    not_asked = {"load", "pending", "link", "halt_error"}  # by the job itself, or of a session in this process
    written = {name for name, value in vars(Remote).items() if callable(value) and not name.startswith("_")}
    assert methods - not_asked == CALLS.keys() | written - not_asked - {"judge"}  # which is of no session
    with Session("a.", isolated=True) as session, pytest.raises(AttributeError):
        session._backend._forget("X = 1")
