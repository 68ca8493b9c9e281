"""`bridge.Pool`: functions beside an event loop, cancelled as by Ctrl-C."""

from __future__ import annotations

import asyncio
import gc
import logging
import threading
import weakref
from collections.abc import Callable
from time import monotonic, sleep

import pytest
from patience import PATIENCE

import bridge
from bridge import asp

#: Twelve pigeons in eleven holes: no solver is done with it soon.
PIGEONS = "".join(f"{{ p({i},1..11) }} = 1. " for i in range(12)) + ":- p(X,Z), p(Y,Z), X < Y."

#: clasp is not asked to stop while this is ground.
GROUNDING = "p(1..3000). q(X,Y,Z) :- p(X), p(Y), p(Z), X+Y == Z*Z+70000000."


def until(condition: Callable[[], bool]) -> None:
    end = monotonic() + PATIENCE
    while not condition():
        assert monotonic() < end
        sleep(0.01)


def idle(pool: bridge.Pool) -> bool:
    return "0 calls" in repr(pool)


def test_every_kind_of_question_is_awaited() -> None:
    problem = bridge.program("{ a; b } = 1. :- a. :- b.")
    right = bridge.program("{ a; b } = 1. #minimize { 1 : a }.")

    async def ask() -> None:
        async with bridge.Pool(2) as pool:
            found, number, forced, test = await asyncio.gather(
                pool.run(bridge.diagnose, problem),
                pool.run(bridge.count, right),
                pool.run(bridge.why, bridge.program("a. b :- a."), "b"),
                pool.run(bridge.test, "{ a }.\n%! test one: several\n"),
            )
            assert len(found.clashes[0].premises) == 3
            assert number.number == 2
            assert forced is not None
            assert len(test.passed) == 1
            async with asp.Program("{ a; b } = 1. #minimize { 1 : a }.") as program:
                assert str((await pool.run(program.optimal)).solutions[-1]) == "b"
            with pytest.raises(bridge.ProgramError, match="syntax error"):
                await pool.run(bridge.diagnose, bridge.program("a :- "))

    asyncio.run(ask())


@pytest.mark.slow
@pytest.mark.parametrize("program", [PIGEONS, GROUNDING], ids=["search", "grounding"])
def test_a_task_that_is_cancelled_frees_its_worker(program: str) -> None:
    async def ask() -> None:
        async with bridge.Pool(1) as pool:
            task = asyncio.ensure_future(pool.run(bridge.check, bridge.program(program)))
            await asyncio.sleep(0.4)
            assert not task.done()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert (await pool.run(bridge.count, bridge.program("a."))).number == 1

    asyncio.run(ask())


def test_cancel_from_another_thread_keeps_what_was_found() -> None:
    with bridge.Pool(1) as pool:
        stream = bridge.solutions(bridge.program("{ a(1..40) }."))
        job = pool.submit(stream.collect)
        until(lambda: stream.found > 0)
        threading.Thread(target=job.cancel).start()
        with pytest.raises(bridge.Interrupted) as stopped:
            job.result(PATIENCE)
        assert stopped.value.partial.limit == "interrupt"
        assert stopped.value.partial.solutions
        assert not job.cancel()


def test_cancelled_before_a_solver_is_asked() -> None:
    def late() -> None:
        job.cancel()
        bridge.count(bridge.program("a."))

    begun = threading.Event()
    with bridge.Pool(1) as pool:
        job = pool.submit(lambda: begun.wait(PATIENCE) and late())
        begun.set()
        with pytest.raises(bridge.Interrupted) as stopped:
            job.result(PATIENCE)
        assert stopped.value.partial is None


def test_more_than_may_wait_are_refused(caplog: pytest.LogCaptureFixture) -> None:
    gate = threading.Event()
    with caplog.at_level(logging.WARNING, "bridge"), bridge.Pool(1, waiting=1) as pool:
        first, second = pool.submit(gate.wait, PATIENCE), pool.submit(gate.wait, PATIENCE)
        with pytest.raises(bridge.BusyError, match="2 calls run or wait") as refused:
            pool.submit(gate.wait)
        assert refused.value.to_json()["error"]["kind"] == "busy"
        assert second.cancel()  # it has not begun
        pool.submit(gate.wait, PATIENCE)
        gate.set()
        assert first.result(PATIENCE)
        until(lambda: idle(pool))
    assert [one.message for one in caplog.records] == ["a call is refused: 2 run or wait"]
    with pytest.raises(bridge.InputError):
        bridge.Pool(1, waiting=-1)


def test_a_waiting_call_that_is_cancelled_holds_nothing() -> None:
    class Argument:
        pass

    gate = threading.Event()
    with bridge.Pool(1, waiting=1) as pool:
        running = pool.submit(gate.wait, PATIENCE)
        until(running.running)
        argument = Argument()
        alive = weakref.ref(argument)
        assert pool.submit(id, argument).cancel()
        del argument
        gc.collect()
        held = alive() is not None
        gate.set()
        assert running.result(PATIENCE)
    assert not held


def test_a_closed_pool_refuses() -> None:
    with bridge.Pool(1) as pool:
        pass
    with pytest.raises(bridge.InputError, match="closed"):
        pool.submit(len, "a")
    assert idle(pool)


def test_the_end_of_the_block_ends_what_runs() -> None:
    with bridge.Pool(1) as pool:
        running = pool.submit(bridge.count, bridge.program(PIGEONS))
        waiting = pool.submit(bridge.count, bridge.program("a."))
        until(running.running)
    assert running.done()
    assert waiting.cancelled()


@pytest.mark.slow
def test_a_worker_that_dies_is_replaced(caplog: pytest.LogCaptureFixture) -> None:
    deep = "p(" + "f(" * 1_000_000 + "1" + ")" * 1_000_001 + "."
    with caplog.at_level(logging.INFO, "bridge"), bridge.Pool(1) as pool:
        assert pool.submit(bridge.check, bridge.program(deep)).result(PATIENCE).limit == "crash"
        assert pool.submit(bridge.count, bridge.program("{ a }.")).result(PATIENCE).number == 2
    assert any("ended with -" in one.message for one in caplog.records)
    assert "f(f(" not in caplog.text


def test_leaving_a_block_in_the_middle_of_a_stream() -> None:
    """What it opened is closed, and the caller's own exception stays."""

    async def first() -> str:
        async with asp.Program("{ a; b }.") as program:
            async for model in program.models():
                return str(model)
        return "none"

    async def wrong() -> None:
        async with asp.Program("{ a; b }.") as program:
            async for _ in program.models():
                raise ValueError("of the caller")

    assert asyncio.run(first()) in ("", "a", "b", "a b")
    with pytest.raises(ValueError, match="of the caller"):
        asyncio.run(wrong())
