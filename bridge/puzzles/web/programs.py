"""Users' programs: commands of `lpbridge` with `--untrusted`, in a process that ends when the client disconnects.

- A **request** is a program, what is asked of it (`ASKED`), and options.
- Each command writes lines of JSON (`--events`), which are passed on as they come, unread.

The program is a file in a folder of its own, `program.lp` or `program.pl`, so that places in it have one name; for a
drawing, whose boxes would wrap the path of a file, it is standard input. The command is what a person could type;
`SECURITY.md` says what `--untrusted` promises. Programs are disabled unless the workbench was started with
`--allow-programs`.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

from bridge.errors import InputError
from bridge.puzzles.web import limits
from bridge.puzzles.web.pool import Queue, line

#: The replies to what `debug` has asked, in the folder of the program.
REPLIES = "replies.jsonl"

#: What may be asked of a program, by language: the command, and its options. `picture` is the derivation as SVG.
ASKED: dict[str, dict[str, list[str]]] = {
    "lp": {
        "run": ["run"],
        "optimal": ["run", "--optimal"],
        "brave": ["run", "--brave"],
        "cautious": ["run", "--cautious"],
        "count": ["run", "--count"],
        "diagnose": ["diagnose"],
        "residual": ["diagnose", "--only", "open"],
        "why": ["why"],
        "why-not": ["why", "--not"],
        "cost": ["why", "--cost"],
        "picture": ["why", "--format=svg"],
        "debug": ["debug", "--next", f"--answers={REPLIES}"],
    },
    # Not `why`: the proofs of untrusted programs are not available.
    "pl": {
        "run": ["run"],
        "diagnose": ["diagnose"],
        "debug": ["debug", "--next", f"--answers={REPLIES}"],
    },
}


class Programs:
    """Runs a limited number of programs at a time; the others wait briefly: one may take a minute."""

    def __init__(self, number: int, queue: Queue, allow_missing_walls: bool = False) -> None:
        self._queue = queue
        self._free: asyncio.Queue[None] = asyncio.Queue()
        for _ in range(number):
            self._free.put_nowait(None)
        self._more = ["--allow-missing-walls"] if allow_missing_walls else []

    async def answer(self, body: bytes) -> AsyncGenerator[str, None]:
        """The events of a command, line by line; last its exit code."""
        try:
            request = _request(body)
        except InputError as error:
            yield line({"part": "error", **error.to_json()["error"]})
            return
        await self._queue.take(self._free, limits.WAITING_PROGRAM)
        try:
            with TemporaryDirectory(prefix="lpbridge-") as name:
                folder = os.path.realpath(name)
                file = Path(folder, request.file)
                file.write_text(request.text, "utf-8", newline="")
                Path(folder, REPLIES).write_text(request.replies, "utf-8")
                command, *words = request.words
                words = [command, *self._more, *words]
                seconds = request.seconds + limits.PRINTING
                async with aclosing(_answered(words, file, seconds, drawn=request.drawn)) as lines:
                    async for text in lines:
                        yield text
        finally:
            self._free.put_nowait(None)


@dataclass(frozen=True)
class _Request:
    """A program, the words of the command that answers what is asked of it, and the replies to what `debug` asked."""

    file: str
    text: str
    words: list[str]
    drawn: bool
    seconds: float
    replies: str


def _request(body: bytes) -> _Request:
    """A request that a page sent, checked."""
    data = limits.object_in(body, "a request is an object with `language`, `text` and `ask`")
    language, question = _text(data, "language"), _text(data, "ask", "run")
    if language not in ASKED:
        raise InputError(f"there is no language {language!r}", hint="`lp` or `pl`")
    if question not in ASKED[language]:
        raise InputError(f"{question!r} cannot be asked here", hint=f"one of: {', '.join(ASKED[language])}")
    command, *options = ASKED[language][question]
    drawn = question == "picture"
    seconds = _number(data, "seconds", limits.PROGRAM_SECONDS, limits.MOST_PROGRAM_SECONDS)
    theme = "dark" if data.get("theme") == "dark" else "light"
    file = f"program.{language}"
    words = [command, "-" if drawn else file, "--untrusted", f"--time-limit={seconds:g}", *options]
    if command != "debug":  # which has a limit of its own
        words.append(f"--memory={limits.PROGRAM_MEMORY}")
    words += ["--language=clingo", f"--theme={theme}"] if drawn else ["--events"]
    if command == "run" and question != "count":
        answers = _number(data, "answers", 1, limits.MOST_ANSWERS)
        if answers != int(answers):
            raise InputError("`answers` is to be a whole number")
        words.append(f"--solutions={int(answers)}")
    if language == "lp":
        constants = data.get("constants", [])
        if not (isinstance(constants, list) and len(constants) <= 100):
            raise InputError("`constants` is to be a list of texts such as n=8")
        words += [f"--const={_word(one, 'constant')}" for one in constants]
        if command == "why" and question != "cost":
            words += ["--", _word(_text(data, "atom").strip(), "atom")]
    else:
        goal = _word(_text(data, "goal").strip().removesuffix("."), "goal")
        words.append(f"--goal={goal}")
    replies = data.get("replies", [])
    if not (isinstance(replies, list) and len(replies) <= 100 and all(isinstance(one, dict) for one in replies)):
        raise InputError("`replies` is to be a list of objects, at most 100")
    lines = "".join(f"{json.dumps(one)}\n" for one in replies)
    return _Request(file, _encodable(_text(data, "text")), words, drawn, seconds, lines)


def _text(data: Mapping[str, Any], name: str, default: str = "") -> str:
    value = data.get(name, default)
    if not isinstance(value, str):
        raise InputError(f"`{name}` is to be a text")
    return value


def _number(data: Mapping[str, Any], name: str, default: float, most: float) -> float:
    value = data.get(name, default)
    if type(value) not in (int, float) or not 0 < value <= most:
        raise InputError(f"`{name}` is to be a number above 0, and at most {most:g}")
    return float(value)


def _word(text: Any, what: str) -> str:
    """A text as an argument of a command."""
    if not isinstance(text, str) or not text:
        hints = {"goal": "write it as at the toplevel, without the dot", "atom": "such as at(art,1)"}
        raise InputError(f"the {what} is missing", hint=hints.get(what))
    if "\0" in text or len(text) > limits.LONGEST_WORD:
        raise InputError(f"the {what} is too long, or has a null character")
    return _encodable(text)


def _encodable(text: str) -> str:
    """Without halves of surrogate pairs, which JSON can hold and UTF-8 cannot."""
    return text.encode("utf-8", "replace").decode()


async def _answered(words: list[str], file: Path, seconds: float, *, drawn: bool) -> AsyncGenerator[str, None]:
    """What a command answers in the folder of the program, which it has as standard input, too."""
    home = str(Path(__file__).parent.parent.parent.parent)
    path = os.pathsep.join(filter(None, [home, os.environ.get("PYTHONPATH")]))
    env = {**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-P", "-m", "bridge", *words]
    with file.open("rb") as program:
        process = await asyncio.create_subprocess_exec(
            *command, stdin=program, stdout=PIPE, stderr=PIPE, cwd=file.parent, env=env, start_new_session=True
        )
    try:
        async with aclosing(_printed(process, file.parent, seconds, drawn=drawn)) as lines:
            async for text in lines:
                yield text
    finally:
        with suppress(ProcessLookupError):
            process.kill()  # its workers end with it
        assert process.stdout is not None
        assert process.stderr is not None
        # asyncio waits for the end of both pipes, and does not read one whose buffer is full.
        await asyncio.gather(_beginning(process.stdout, 0), _beginning(process.stderr, 0))
        await process.wait()


async def _printed(
    process: asyncio.subprocess.Process, folder: Path, seconds: float, *, drawn: bool
) -> AsyncGenerator[str, None]:
    """What a command prints as it comes, up to `limits.MOST_OUTPUT`; then its exit code, and what it says on stderr.

    Its events are passed on as they are; a drawing is one text.
    """
    assert process.stdout is not None
    assert process.stderr is not None
    complaints = asyncio.ensure_future(_beginning(process.stderr, limits.MOST_COMPLAINTS))
    due = monotonic() + seconds
    try:
        left, rest = limits.MOST_OUTPUT, b""
        while some := await asyncio.wait_for(process.stdout.read(1 << 16), due - monotonic()):
            left -= len(some)
            rest += some
            if left < 0:
                message = f"it prints more than {limits.MOST_OUTPUT:,} bytes: the rest is left out"
                yield line({"part": "error", "message": message})
                return
            if not drawn:
                *whole, rest = rest.split(b"\n")
                for one in whole:
                    yield _named(one, folder)
        if drawn and rest:
            yield line({"part": "picture", "svg": rest.decode("utf-8", "replace").replace(_STDIN, "line ")})
        said = _named(await complaints, folder)
        yield line({"part": "end", "code": await process.wait(), "said": said})
    except TimeoutError:
        yield line({"part": "error", "message": f"it has not ended after {seconds:g} seconds, and was stopped"})
    finally:
        complaints.cancel()
        await asyncio.wait([complaints])


#: How a place on standard input begins, in a drawing.
_STDIN = "&lt;string&gt;:"


def _named(text: bytes, folder: Path) -> str:
    """A text with the name of the program in place of its path."""
    return text.decode("utf-8", "replace").replace(f"{folder}{os.sep}", "")


async def _beginning(stream: asyncio.StreamReader, most: int) -> bytes:
    """The beginning of what a process prints; the rest is read and dropped, so that it does not wait."""
    kept = b""
    while some := await stream.read(1 << 14):
        kept += some[: most - len(kept)]
    return kept
