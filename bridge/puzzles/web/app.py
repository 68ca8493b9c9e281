"""The workbench as an ASGI application: the page's files, and questions to the pool.

GET  /            the page
GET  /static/...  its style and scripts
GET  /about       the choices
POST /ask/NAME    a question (`bridge.puzzles.web.questions`), answered by a line of JSON for each part
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Collection
from contextlib import aclosing, asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from types import FrameType

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

from bridge.errors import BridgeError, BusyError, InputError
from bridge.puzzles.web.about import about
from bridge.puzzles.web.guard import NAMES, Bounded, Guard, ReadToTheEnd
from bridge.puzzles.web.limits import MOST_BYTES, MOST_REQUESTS, SECONDS, SENDING
from bridge.puzzles.web.pool import Pool, line

STATIC = Path(__file__).parent / "static"


def application(pool: Pool, hosts: Collection[str]) -> Starlette:
    """The application, with which the pool is started and closed; `hosts` are the allowed values of the Host header."""

    async def page(request: Request) -> Response:
        return FileResponse(STATIC / "index.html")

    async def choices(request: Request) -> Response:
        return JSONResponse(about())

    async def ask(request: Request) -> Response:
        question = request.path_params["question"]
        if question not in SECONDS:
            raise HTTPException(404, f"there is no question {question!r}")
        page = request.headers.get("x-page", "")
        return Lines(partial(pool.answer, question, await _body(request), page if 0 < len(page) <= 64 else None))

    async def say(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        return JSONResponse(BridgeError(error.detail).to_json(), error.status_code)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await pool.start()
        try:
            yield
        finally:
            await pool.close()

    return Starlette(
        routes=[
            Route("/", page),
            Route("/about", choices),
            Route("/ask/{question}", ask, methods=["POST"]),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=[Middleware(ReadToTheEnd), Middleware(Guard, hosts=hosts), Middleware(Bounded, most=MOST_REQUESTS)],
        exception_handlers={HTTPException: say},
        lifespan=lifespan,
    )


async def _body(request: Request) -> bytes:
    """The body of a request, within the limits of size and time."""
    too_large = HTTPException(413, f"a question has {MOST_BYTES:,} bytes at most")
    with suppress(ValueError):
        if int(request.headers.get("content-length", "0")) > MOST_BYTES:
            raise too_large
    data = bytearray()
    try:
        async with asyncio.timeout(SENDING):
            async for piece in request.stream():
                data += piece
                if len(data) > MOST_BYTES:
                    raise too_large
    except TimeoutError:
        raise HTTPException(408, "the question took too long to arrive") from None
    except ClientDisconnect:  # the page has left, which is not an error
        raise HTTPException(400, "the question has not arrived whole") from None
    return bytes(data)


class Lines(Response):
    """A response written line by line, and ended when the client disconnects."""

    media_type = "application/x-ndjson"

    def __init__(self, lines: Callable[[], AsyncGenerator[str, None]]) -> None:
        super().__init__()
        del self.headers["content-length"]
        self._lines = lines

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._started = False
        writing = asyncio.ensure_future(self._write(send))
        leaving = asyncio.ensure_future(_left(receive))
        try:
            await asyncio.wait([writing, leaving], return_when=asyncio.FIRST_COMPLETED)
            newer = writing.cancelled() and not leaving.done()
        finally:
            for task in (writing, leaving):
                task.cancel()
            await asyncio.wait([writing, leaving])
        if newer:  # the page has asked something else
            await self._start(send, self.status_code)
            await self._send(send, line({"part": "superseded"}), more=False)
        elif not writing.cancelled() and (error := writing.exception()):
            raise error

    async def _write(self, send: Send) -> None:
        try:
            async with aclosing(self._lines()) as lines:
                async for text in lines:
                    await self._start(send, self.status_code)
                    await self._send(send, text)
        except BusyError as error:
            self.headers["retry-after"] = "1"
            await self._start(send, 503)
            await self._send(send, line({"part": "error", **error.to_json()["error"]}))
        await self._start(send, self.status_code)
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _start(self, send: Send, status: int) -> None:
        if not self._started:
            self._started = True
            await send({"type": "http.response.start", "status": status, "headers": self.raw_headers})

    async def _send(self, send: Send, text: str, *, more: bool = True) -> None:
        await send({"type": "http.response.body", "body": text.encode() + b"\n", "more_body": more})


async def _left(receive: Receive) -> None:
    """Wait until the client disconnects."""
    while (await receive())["type"] != "http.disconnect":
        pass


ADDRESS = "127.0.0.1"


def listening(port: int) -> socket.socket:
    """A socket that listens on a local port; 0 is any free port."""
    # With the protocol number of TCP asyncio disables Nagle's algorithm, so that lines are sent without delay.
    line = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        line.bind((ADDRESS, port))
        line.listen(128)
    except OSError as error:
        line.close()
        said = (error.strerror or str(error)).lower()
        hint = "is a workbench running there? `--port 0` takes any that is free"
        raise InputError(f"port {port} cannot be had: {said}", hint=hint) from None
    return line


class Server(uvicorn.Server):
    """A server on a socket that listens, which cancels running answers on shutdown; `run` it with `sockets=[line]`."""

    def __init__(self, line: socket.socket, jobs: int) -> None:
        self.pool = Pool(jobs)
        app = application(self.pool, [f"{name}:{line.getsockname()[1]}" for name in NAMES])
        config = uvicorn.Config(
            app,
            log_level="error",  # invalid requests are not logged
            access_log=False,
            server_header=False,
            proxy_headers=False,
            ws="none",
            lifespan="on",
            timeout_keep_alive=30,
            timeout_graceful_shutdown=2,
        )
        super().__init__(config)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop. A second Ctrl-C has no effect: the first takes two seconds at most."""
        if not self.should_exit:
            super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.pool.end_answers()
        # On a busy machine an answer may take longer, and is cancelled: nobody who leaves waits for that traceback.
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
        await super().shutdown(sockets)


def serve(port: int, jobs: int, ready: Callable[[str], object]) -> None:
    """Serve until Ctrl-C, which raises KeyboardInterrupt; `ready` is called with the address."""
    # asyncio warns when a client disconnects during an answer; errors are still logged.
    logging.getLogger("asyncio").setLevel(logging.ERROR)
    with listening(port) as line:
        ready(f"http://{ADDRESS}:{line.getsockname()[1]}/")
        Server(line, jobs).run(sockets=[line])
