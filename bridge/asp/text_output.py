"""The ground program in the formats of clingo, which only clingo's own program writes.

    write_ground("queens.lp", form="reify", out=open("queens.reify.lp", "wb"), n=8)

clingo runs as `clingo --mode=gringo --output=FORM` in a process of its own, with a pipe as its standard output. A pipe
that is closed ends it, as it ends any program.
"""

from __future__ import annotations

import os
import sys
import threading
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterable
from io import BytesIO
from os import PathLike
from re import MULTILINE
from typing import IO, Any, Literal, get_args

from bridge.asp.given import given_of
from bridge.common.arguments import named_arguments
from bridge.common.lazy import regex
from bridge.errors import BridgeError, InputError, UnsupportedError
from bridge.limits import UNLIMITED, LimitName, Limits, as_limits
from bridge.outcome import Progress
from bridge.public import public

JOB = "bridge.asp.job_grounding"

#: The formats: of people, of `clingo --mode=clasp` (aspif; clingo calls it intermediate), of lparse, as facts.
Form = Literal["text", "aspif", "smodels", "reify"]


@public("bridge.asp")
@named_arguments
def write_ground(
    *files: str | PathLike[str],
    form: Form = "text",
    out: IO[Any] | None = None,
    options: Iterable[str] = (),
    untrusted: bool = False,
    allow_missing_walls: bool = False,
    limits: Limits = UNLIMITED,
    on_warning: Callable[[str], object] | None = None,
    **constants: Any,
) -> LimitName | None:
    """Write the ground program of files, byte for byte as `clingo --mode=gringo --output=FORM` does.

    Parameters
    ----------
    files
        Paths; program text has to be saved first.
    form
        `text`, `aspif` (which clingo calls intermediate), `smodels` or `reify`.
    out
        A binary stream; standard output if there is none.
    options, untrusted, allow_missing_walls, constants
        As for `Program`.
    limits
        Seconds and memory are kept.
    on_warning
        Called with each warning of clingo, when all is written.

    Returns
    -------
    The limit that ended it before all was written, or None.

    Raises
    ------
    ProgramError
        When the program cannot be parsed or ground, or the format does not have what it uses.
    UnsupportedError
        For program text.
    OSError
        When `out` cannot be written: what its `write` raises.
    """
    if form not in get_args(Form):
        raise InputError(f"there is no format {form!r}", hint=f"the formats are {', '.join(get_args(Form))}")
    given = given_of(files, options, constants, untrusted)
    if not given.files or len(given.files) < len(given.sources):
        raise UnsupportedError("clingo writes the text of files only", hint="save the program first")
    from bridge.isolation.frames import texts
    from bridge.isolation.worker import Worker  # here: to import this module is to import `bridge.asp`

    printed = BytesIO()
    copiers = _Copier(sys.stdout if out is None else out), _Copier(printed)
    worker = Worker(
        JOB,
        output=(copiers[0].end, copiers[1].end),
        untrusted=untrusted,
        readable=given.files,
        allow_missing_walls=allow_missing_walls,
    )
    progress, failed, warned = Progress(), None, list[str]()
    try:
        worker.start()
        for copier in copiers:
            copier.start()
        call = (not untrusted, form, given.files, given.all_options)
        for these in worker.ask(call, progress, as_limits(limits), lambda items: map(texts, items)):
            warned += these
    except BridgeError as error:
        failed = error
    finally:
        worker.close()
        for copier in copiers:
            copier.finish()
    if copiers[0].error is not None:
        raise copiers[0].error
    if failed is not None:
        reason = _REASON.search(printed.getvalue().decode(errors="replace"))
        raise type(failed)(reason[1], hint=failed.hint) if reason and failed.where is None else failed
    if on_warning is not None:
        for warning in dict.fromkeys(warned):
            on_warning(warning)
    return progress.limit


#: What clingo's program writes on its standard error where its logger gets nothing.
_REASON = regex(r"^\*\*\* ERROR: \([^)]*\): (.*)", MULTILINE)


class _Copier:
    """A pipe, and a thread that copies what comes through it into a stream.

    One writes to the descriptor `end`; `error` is what was raised when the stream could not be written.
    """

    def __init__(self, out: IO[Any]) -> None:
        self._source, self.end = os.pipe()
        self._out = out
        self._thread: threading.Thread | None = None
        self.error: BaseException | None = None

    def start(self) -> None:
        """Begin to copy; the worker has its end of the pipe by now."""
        self._close_end()
        self._thread = threading.Thread(target=self._copy, daemon=True)
        self._thread.start()

    def _copy(self) -> None:
        try:
            write = self._writer()
            while more := os.read(self._source, 1 << 16):
                write(more)
        except BaseException as error:  # raised in the thread that waits for this one
            self.error = error
        finally:
            os.close(self._source)  # which ends clingo when it goes on writing
            self._source = -1

    def _writer(self) -> Callable[[bytes], object]:
        """A function that writes bytes, at once."""
        raw = getattr(self._out, "buffer", None)
        if raw is None and hasattr(self._out, "encoding"):  # a text stream without bytes: a notebook's, a test's
            decoder = getincrementaldecoder("utf-8")("replace")
            return lambda data: self._out.write(decoder.decode(data))
        self._out.flush()
        stream = self._out if raw is None else raw

        def write(data: bytes) -> None:
            stream.write(data)
            stream.flush()

        return write

    def finish(self) -> None:
        """Wait until all is copied: the other process has ended."""
        self._close_end()
        if self._thread is not None:
            self._thread.join()
        if self._source != -1:
            os.close(self._source)

    def _close_end(self) -> None:
        if self.end != -1:
            os.close(self.end)
            self.end = -1
