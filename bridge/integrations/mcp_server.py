"""Tools for agents, by the Model Context Protocol over standard input and output: `lpbridge mcp`.

A message is a line of JSON-RPC 2.0. Of the protocol this is what a server with tools needs: `initialize`, `ping`,
`tools/list`, `tools/call` and the notification that a call is cancelled.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache, partial
from inspect import getdoc
from threading import Lock
from typing import Any, BinaryIO

import bridge
from bridge.batching.pool import Job, Pool
from bridge.common.strict_json import VERSION, dumps
from bridge.errors import BridgeError, LimitError
from bridge.integrations.tools import PROGRAMS, TOOLS, Edits, Tools, forms_of
from bridge.outcome import Interrupted

INSTRUCTIONS = """\
Run answer set programs (clingo) and Prolog programs (SWI-Prolog: clpfd, CHR, tabling) and find out why they answer as
they do. Programs are given as text, as the path of a .lp or .pl file in the folder of the server, or by a name under
which `register` has kept one; one of several texts is a list. Prolog needs a goal. When a program has no answer, call
diagnose; when an atom is puzzling, why; when its answers are wrong, debug with an atom that is missing or unwanted.
`edits` ask what another text would answer."""

#: The versions of the protocol, the newest first.
VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")

#: The most bytes of a message, the most characters of an answer as JSON, and the most errors in it.
MESSAGE, ANSWER, ERRORS = 32_000_000, 500_000, 50

#: What JSON-RPC calls errors.
_NO_JSON, _NO_REQUEST, _NO_METHOD, _WRONG = -32700, -32600, -32601, -32602


class _RequestError(Exception):
    """A request that the protocol does not have."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class Server:
    """The server, for programs in a folder; it reads requests and writes answers."""

    def __init__(self, folder: str, read: BinaryIO, write: BinaryIO, *, trusted: bool = False) -> None:
        self._tools = Tools(os.path.realpath(folder), trusted=trusted)
        self._read, self._write, self._lock = read, write, Lock()
        self._jobs: dict[str | int, Job[dict[str, Any]]] = {}
        self._pool = Pool()

    def run(self) -> None:
        """Answer until there is nothing more to read, or nobody to write to; calls that still run are ended."""
        with self._pool:
            for line in self._lines():
                self._take(line)

    def _lines(self) -> Iterator[bytes]:
        while line := self._read.readline(MESSAGE):
            if len(line) == MESSAGE and not line.endswith(b"\n"):
                while line and not line.endswith(b"\n"):
                    line = self._read.readline(MESSAGE)
                self._error(None, _NO_REQUEST, f"a message has at most {MESSAGE:,} bytes")
            elif line.strip():
                yield line

    def _take(self, line: bytes) -> None:
        try:
            message = json.loads(line)
        except (ValueError, RecursionError) as error:
            self._error(None, _NO_JSON, f"this is not JSON: {error}")
            return
        asked = isinstance(message, dict) and message.get("method")
        if isinstance(message, dict) and asked is None and ("result" in message or "error" in message):
            return  # this server asks nothing
        number: Any = message.get("id") if isinstance(message, dict) else None
        given = message.get("params") or {} if isinstance(message, dict) else None
        if not isinstance(asked, str) or not isinstance(given, dict) or type(number) not in (str, int, type(None)):
            self._error(None, _NO_REQUEST, "a message is an object with a method, an id, and params")
        elif number is None:
            of: Any = given.get("requestId")
            if asked == "notifications/cancelled" and type(of) in (str, int) and of in self._jobs:
                self._jobs[of].cancel()
        else:
            try:
                self._answer(number, asked, given)
            except _RequestError as error:
                self._error(number, error.code, str(error))

    def _answer(self, number: str | int, asked: str, given: dict[str, Any]) -> None:
        if asked == "initialize":
            version = given.get("protocolVersion")
            about = {"name": "lpbridge", "version": bridge.__version__}
            found: dict[str, Any] = {"protocolVersion": version if version in VERSIONS else VERSIONS[0]}
            found |= {"capabilities": {"tools": {}}, "serverInfo": about, "instructions": INSTRUCTIONS}
            self._send(number, found)
        elif asked == "ping":
            self._send(number, {})
        elif asked == "tools/list":
            self._send(number, {"tools": listing()})
        elif asked == "tools/call":
            self._begin(number, given.get("name"), given.get("arguments") or {})
        else:
            raise _RequestError(_NO_METHOD, f"there is no method {asked[:80]!r}")

    def _begin(self, number: str | int, name: Any, given: Any) -> None:
        if name not in [tool["name"] for tool in inputs()]:
            raise _RequestError(_WRONG, f"there is no tool {str(name)[:80]!r}")
        if number in self._jobs:
            raise _RequestError(_NO_REQUEST, "a call with this id is running")
        try:
            job = self._jobs[number] = self._pool.submit(self.call, name, given)
        except BridgeError as error:
            self._send(number, _failed(error))
        else:
            job.add_done_callback(partial(self._done, number))

    def _done(self, number: str | int, job: Any) -> None:
        self._jobs.pop(number, None)
        if not job.cancelled() and not isinstance(job.exception(), Interrupted):  # the answer to these is none
            self._send(number, job.result())

    def call(self, name: str, given: Any) -> dict[str, Any]:
        """The answer of a tool, or its error."""
        from bridge.cli.brief import shortened

        try:
            (schema,) = [one["inputSchema"] for one in inputs() if one["name"] == name]
            if (wrong := misfit(given, schema)) is not None:
                return _failed(BridgeError(f"the arguments of {name}: {wrong}"), "usage")
            edits = given.pop("edits", [])
            for part in PROGRAMS & given.keys():
                if "anyOf" in schema["properties"][part]:
                    given[part] = self._tools.sources(given[part], edits if part == "program" else [])
            text, data = getattr(self._tools, name)(**given)
            data["version"] = VERSION
            if (size := len(dumps(data))) > ANSWER:
                hint = "ask for fewer answers, or show less (#show)"
                raise LimitError(f"the answer has {size:,} characters, and at most {ANSWER:,} are given", hint=hint)
            return {"content": [{"type": "text", "text": shortened(text)}], "structuredContent": data, "isError": False}
        except BridgeError as error:
            return _failed(error)
        except Interrupted:
            raise
        except Exception as error:
            return _failed(BridgeError(f"a bug in lpbridge: {type(error).__name__}: {error}"), "internal")

    def _send(self, number: str | int | None, found: dict[str, Any]) -> None:
        self._put({"jsonrpc": "2.0", "id": number, "result": found})

    def _error(self, number: str | int | None, code: int, message: str) -> None:
        self._put({"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": message}})

    def _put(self, message: dict[str, Any]) -> None:
        line = dumps(message).encode() + b"\n"
        with self._lock, suppress(OSError):  # a client that is gone closes the other end, too
            self._write.write(line)
            self._write.flush()


def _failed(error: BridgeError, kind: str | None = None) -> dict[str, Any]:
    from bridge.cli.brief import shortened
    from bridge.cli.failures import error_json

    data = error_json(error, kind)
    data["errors"] = data["errors"][:ERRORS]
    if "others" in data["error"]:
        data["error"]["others"] = data["error"]["others"][: ERRORS - 1]
    text = {"type": "text", "text": shortened(str(error))}
    return {"content": [text], "structuredContent": data, "isError": True}


@cache
def inputs() -> list[dict[str, Any]]:
    """The tools with the schemas of their arguments."""
    from bridge.cli.schemas import arguments

    found = []
    for tool in TOOLS:
        name, hints = tool.__name__, {"openWorldHint": False, "idempotentHint": True, "destructiveHint": False}
        about = {"description": getdoc(tool), "inputSchema": arguments(tool, edits=(Edits, []))}
        found.append({"name": name, **about, "annotations": {"readOnlyHint": name != "register", **hints}})
    return found


@cache
def listing() -> list[dict[str, Any]]:
    """The tools with all that a client asks of them."""
    from bridge.cli.schemas import schema

    found = []
    for tool in inputs():
        form = schema(forms_of(tool["name"]))
        del form["$schema"]  # the protocol's own; validators of some clients know no other
        found.append({**tool, "outputSchema": {"type": "object", **form}})
    return found


#: The types of JSON, and those of Python that they are read as.
_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,), "integer": (int,), "number": (int, float), "boolean": (bool,), "null": (type(None),),
    "array": (list,), "object": (dict,),
}  # fmt: skip


def misfit(value: Any, schema: Mapping[str, Any], at: str = "they") -> str | None:
    """What is wrong with a value, by a schema as `arguments` makes them; None where nothing is."""
    if "anyOf" in schema:
        wrong = [misfit(value, one, at) for one in schema["anyOf"]]
        return None if None in wrong else wrong[0]
    if "enum" in schema:
        return None if value in schema["enum"] else f"{at} is one of {json.dumps(schema['enum'])}"
    if "type" in schema and type(value) not in _TYPES[schema["type"]]:
        return f"{at} has to be of type {schema['type']}"
    if isinstance(value, dict):
        known, others = schema.get("properties", {}), schema.get("additionalProperties", False)
        for name in schema.get("required", ()):
            if name not in value:
                return f"{name} is missing"
        for name, one in value.items():
            if name not in known and others is False:
                return f"there is no {name[:80]!r}; there are {', '.join(known)}"
            if (wrong_part := misfit(one, known.get(name, others), name[:80])) is not None:
                return wrong_part
    if isinstance(value, list):
        if len(value) < schema.get("minItems", 0):
            return f"{at} is empty"
        return next(filter(None, (misfit(one, schema["items"], f"an item of {at}") for one in value)), None)
    if type(value) in (int, float):
        low, above, most = (schema.get(key) for key in ("minimum", "exclusiveMinimum", "maximum"))
        if not ((low is None or value >= low) and (above is None or value > above) and (most is None or value <= most)):
            return f"{at} is above {above}" if above is not None else f"{at} is between {low} and {most}"
    return None


def serve(folder: str = ".", *, trusted: bool = False) -> None:
    """Serve over standard input and output; what anything else prints to it goes to standard error."""
    read, write = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    Server(folder, read, write, trusted=trusted).run()
