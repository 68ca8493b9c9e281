"""`async for` over models and answers: the event loop goes on, and a cancelled task stops the search."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from patience import ends, given_time

from bridge.asp import Program
from bridge.errors import ProgramError
from bridge.limits import Limits
from bridge.prolog import Session

SPIN = "n(1). n(2).\nspin :- spin.\n"


async def gathered(items: AsyncIterator[Any]) -> list[Any]:
    return [item async for item in items]


@pytest.mark.parametrize("isolated", [True, False])
def test_models_and_answers(isolated: bool) -> None:
    with Program("{ a(1..8) }.", isolated=isolated) as program, Session(SPIN, isolated=isolated) as session:

        async def both() -> tuple[list[Any], list[Any]]:
            return await asyncio.gather(
                gathered(aiter(program.models())), gathered(aiter(session.query("between(1, 3000, X)")))
            )

        models, answers = asyncio.run(both())
        assert len(set(models)) == 256
        assert [answer["X"] for answer in answers] == list(range(1, 3001))


@pytest.mark.slow
@pytest.mark.parametrize("isolated", [True, False])
def test_the_loop_goes_on(isolated: bool) -> None:
    with Session(SPIN, isolated=isolated) as session:

        async def ticking(seconds: float) -> tuple[int, list[int]]:
            ticks = 0
            stream = session.query("n(X) ; spin", limits=Limits(seconds=seconds))
            search = asyncio.create_task(gathered(aiter(stream)))
            while not search.done():
                await asyncio.sleep(0.01)
                ticks += 1
            return ticks, [answer["X"] for answer in await search]

        # A loop that is blocked ticks once or twice, however long it takes.
        _, answers = given_time(lambda seconds: asyncio.run(ticking(seconds)), lambda found: found[0] > 15, 0.5)
        assert answers == [1, 2]


@pytest.mark.slow
def test_a_cancelled_search_stops() -> None:
    with Session(SPIN) as session, Program("{ a(1..40) }.") as program:

        async def cancelled() -> None:
            for stream in (session.query("spin"), program.models()):
                with pytest.raises(asyncio.TimeoutError):
                    await asyncio.wait_for(gathered(aiter(stream)), 0.3)

        with ends():
            asyncio.run(cancelled())
        assert len(session.query("n(X)").collect().solutions) == 2
        assert len(program.models(limits=Limits(solutions=3)).collect().solutions) == 3


def test_an_error_comes_after_the_answers_before_it() -> None:
    with Session(SPIN) as session:

        async def read() -> list[Any]:
            found: list[Any] = []
            with pytest.raises(ProgramError, match="not a function"):  # noqa: PT012
                async for answer in session.query("n(X) ; X is foo + 1"):
                    found.append(answer["X"])  # noqa: PERF401
            return found

        assert asyncio.run(read()) == [1, 2]
