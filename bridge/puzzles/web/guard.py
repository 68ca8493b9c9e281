"""Refuses requests that do not come from the workbench's own pages.

Every page in the browser can send requests to a server on 127.0.0.1. So:

- the **host** must be the server's own name and port: a foreign name that resolves here (DNS rebinding) is refused;
- a request must have the server's own **origin**: posts and reads of foreign pages are refused;
- pages may load nothing from other hosts, and may not be framed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from contextlib import suppress

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bridge.errors import BridgeError
from bridge.puzzles.web.limits import SENDING

#: The names of this machine.
NAMES = ("127.0.0.1", "localhost")

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

#: The headers of every response.
HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Cache-Control": "no-cache",
}


class Guard:
    """Middleware: refuses what does not come from a page of this server, and adds the headers.

    `hosts` are the names and ports of this server, such as `127.0.0.1:8000`.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str]) -> None:
        self._app, self._hosts = app, frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return  # web sockets are not supported; returning closes it

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        if said := self._refused(scope):
            status, error = said
            await JSONResponse(error.to_json(), status)(scope, receive, with_headers)
        else:
            await self._app(scope, receive, with_headers)

    def _refused(self, scope: Scope) -> tuple[int, BridgeError] | None:
        headers = Headers(scope=scope)
        host = headers.getlist("host")
        if len(host) != 1 or host[0].lower() not in self._hosts:
            hint = f"open http://{min(self._hosts)}/"
            return 421, BridgeError("this is not the host that was asked for", hint=hint)
        origin, site = headers.get("origin"), headers.get("sec-fetch-site")
        if origin is not None and origin.lower() != f"http://{host[0].lower()}":
            return 403, BridgeError("pages of other sites may not ask here")
        # A link on another page may lead to the workbench; it may not fetch anything from it.
        linked = headers.get("sec-fetch-mode") == "navigate" and scope["method"] == "GET" and scope["path"] == "/"
        if site not in (None, "same-origin", "none") and not linked:
            return 403, BridgeError("pages of other sites may not ask here")
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if scope["method"] not in ("GET", "HEAD") and kind != "application/json":
            return 415, BridgeError("a question is application/json")
        return None


class Bounded:
    """Middleware: answers 503 with Retry-After when too many requests are open. (uvicorn's own bound sends text.)"""

    def __init__(self, app: ASGIApp, most: int) -> None:
        self._app, self._most = app, most
        self._open = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and self._open >= self._most:
            error = BridgeError("too many requests at once", hint="try again in a second")
            await JSONResponse(error.to_json(), 503, {"Retry-After": "1"})(scope, receive, send)
            return
        self._open += scope["type"] == "http"
        try:
            await self._app(scope, receive, send)
        finally:
            self._open -= scope["type"] == "http"


class ReadToTheEnd:
    """Middleware: after a response to a request that is not read whole, reads and drops the rest of it.

    A connection that is closed with unread data is reset, and a client that is still sending then loses the response.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        more = scope["type"] == "http"

        async def watched() -> Message:
            nonlocal more
            message = await receive()
            more = more and message.get("more_body", False)
            return message

        async def with_rest(message: Message) -> None:
            if more and message["type"] == "http.response.body" and not message.get("more_body", False):
                await send({**message, "more_body": True})
                with suppress(TimeoutError):
                    async with asyncio.timeout(SENDING):
                        while more:
                            await watched()
                message = {"type": "http.response.body"}
            await send(message)

        await self._app(scope, watched, with_rest)
