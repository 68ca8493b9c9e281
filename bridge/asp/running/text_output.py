"""The ground program in the formats of clingo, which only clingo's own program writes.

    write_ground("queens.lp", form="reify", out=open("queens.reify.lp", "wb"), n=8)

clingo runs as `clingo --mode=gringo --output=FORM` in a process of its own, with a pipe as its standard output. A pipe
that is closed ends it, as it ends any program.
"""

from __future__ import annotations

import sys
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

JOB = "bridge.asp.running.job_grounding"

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
    from bridge.isolation.copier import Copier
    from bridge.isolation.plain import form_of
    from bridge.isolation.worker import Worker  # here: to import this module is to import `bridge.asp`

    printed = BytesIO()
    copiers = Copier(sys.stdout if out is None else out), Copier(printed)
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
        call = (not untrusted, form, given.files, given.options)
        for these in worker.ask(call, progress, as_limits(limits), lambda items: map(form_of(list[str]).read, items)):
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
