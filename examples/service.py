"""A web service that runs clingo programs of strangers, and says why they have no answer.

    pip install 'lpbridge[web]'
    uvicorn --app-dir examples service:app
    curl -d '{"program": "{ a; b } = 1. :- a. :- b."}' localhost:8000/diagnose

Each program is confined, and has five seconds and 500 MB. A client that leaves cancels its question. When too many
wait, the answer is 503.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

import bridge

LIMITS = bridge.Limits(seconds=5, memory=500_000_000)
LONGEST = 100_000


def run(program: str) -> dict[str, Any]:
    """Up to ten answers."""
    with bridge.asp.Program(program, untrusted=True, limits=LIMITS) as loaded:
        found = loaded.models(limits=bridge.Limits(seconds=5, solutions=10, memory=LIMITS.memory)).collect()
    return {"answers": [str(model) for model in found.solutions], "complete": found.complete, "limit": found.limit}


def diagnose(program: str) -> dict[str, Any]:
    """Which rules clash."""
    problem = bridge.AspProblem(program, untrusted=True, memory=LIMITS.memory)
    return bridge.diagnose(problem, limits=bridge.Limits(seconds=5)).to_json()


def endpoint(function: Callable[[str], dict[str, Any]]) -> Callable[[Request], Any]:
    async def answer(request: Request) -> Response:
        body = await request.body()
        try:
            program = (await request.json())["program"] if len(body) <= LONGEST else None
        except (ValueError, KeyError, TypeError):
            program = None
        if not isinstance(program, str):
            return JSONResponse({"error": f'send {{"program": "..."}}, at most {LONGEST:,} bytes'}, 400)
        call = asyncio.ensure_future(request.app.state.pool.run(function, program))
        gone = asyncio.ensure_future(left(request))
        try:
            await asyncio.wait([call, gone], return_when=asyncio.FIRST_COMPLETED)
            if not call.done():
                return Response(status_code=499)  # nobody reads it
            return JSONResponse(call.result())
        except bridge.BusyError as error:
            return JSONResponse(error.to_json(), 503)
        except bridge.BridgeError as error:
            return JSONResponse(error.to_json(), 422)
        finally:
            call.cancel()
            gone.cancel()

    return answer


async def left(request: Request) -> None:
    """Wait until the client is gone."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


@asynccontextmanager
async def lifespan(app: Starlette) -> AsyncIterator[None]:
    async with bridge.Pool(waiting=500) as app.state.pool:
        yield


app = Starlette(
    routes=[
        Route("/run", endpoint(run), methods=["POST"]),
        Route("/diagnose", endpoint(diagnose), methods=["POST"]),
    ],
    lifespan=lifespan,
)
