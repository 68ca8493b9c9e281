"""Users' programs: `lpbridge run --untrusted`, with limits, in a process that ends when the client disconnects.

The page shows the output of the command. `SECURITY.md` says what is promised. Programs are disabled unless the
workbench was started with `--allow-programs`.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncGenerator
from contextlib import suppress
from pathlib import Path
from typing import Any

from bridge.errors import InputError
from bridge.web.limits import MOST_ANSWERS, MOST_OUTPUT, PROGRAM_MEMORY, PROGRAM_SECONDS
from bridge.web.pool import line


class Programs:
    """Runs a limited number of programs at a time; the others wait."""

    def __init__(self, number: int, allow_missing_walls: bool = False) -> None:
        self._room = asyncio.Semaphore(number)
        self._more = ["--allow-missing-walls"] if allow_missing_walls else []

    async def answer(self, body: bytes) -> AsyncGenerator[str, None]:
        """The output of a program, line by line."""
        try:
            words, text = _command(body)
        except InputError as error:
            yield line({"part": "error", **error.to_json()["error"]})
            return
        async with self._room:
            process = await _started([*words, *self._more], text)
            try:
                async for part in _printed(process):
                    yield line(part)
            finally:
                with suppress(ProcessLookupError):
                    process.kill()  # its workers end with it
                await process.wait()


def _command(body: bytes) -> tuple[list[str], str]:
    """The arguments of `lpbridge`, and the program.

    Raises
    ------
    InputError
        If the question is malformed.
    """
    try:
        data = json.loads(body)
        language, text, goal = str(data["language"]), str(data["text"]), str(data.get("goal") or "").strip()
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
        raise InputError("a program is an object with `language` and `text`") from None
    limits = [f"--solutions={MOST_ANSWERS}", f"--time-limit={PROGRAM_SECONDS:g}", f"--memory={PROGRAM_MEMORY}"]
    words = ["run", "-", "--untrusted", *limits]
    if language == "lp":
        return words, text
    if language != "pl":
        raise InputError(f"there is no language {language!r}", hint="`lp` or `pl`")
    if not goal:
        raise InputError("a Prolog program needs a goal", hint="write it as at the toplevel, without the dot")
    return [*words, f"--goal={goal.removesuffix('.')}"], text


async def _started(words: list[str], text: str) -> asyncio.subprocess.Process:
    home = str(Path(__file__).parent.parent.parent)
    path = os.pathsep.join(filter(None, [home, os.environ.get("PYTHONPATH")]))
    env = {**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-P",
        "-m",
        "bridge",
        *words,
        stdin=PIPE,
        stdout=PIPE,
        stderr=PIPE,
        env=env,
        start_new_session=True,
    )
    assert process.stdin is not None
    process.stdin.write(text.encode("utf-8", "replace"))
    process.stdin.close()
    return process


async def _printed(process: asyncio.subprocess.Process) -> AsyncGenerator[dict[str, Any], None]:
    """The output as it comes, up to `MOST_OUTPUT`, then the errors, then the status."""
    assert process.stdout is not None
    assert process.stderr is not None
    complaints = asyncio.ensure_future(process.stderr.read())
    left = MOST_OUTPUT
    while left > 0 and (some := await process.stdout.read(min(left, 1 << 14))):
        left -= len(some)
        yield {"part": "output", "text": some.decode("utf-8", "replace")}
    if left <= 0:
        complaints.cancel()
        yield {"part": "error", "message": f"it prints more than {MOST_OUTPUT:,} bytes: the rest is left out"}
        return
    for said in (await complaints).decode("utf-8", "replace").splitlines():
        yield {"part": "error", "message": said.removeprefix("lpbridge: ")}
    yield {"part": "end", "code": await process.wait()}
