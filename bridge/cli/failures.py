"""How a command that fails ends: a line on stderr, one JSON object on stdout under `--json`, and the exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import click

from bridge.cli import streams
from bridge.common.files import AS_LATIN_1, system_error
from bridge.common.strict_json import VERSION, dumps
from bridge.errors import (
    BridgeError,
    DisagreementError,
    InputError,
    LimitError,
    OutputError,
    Place,
    ProgramError,
    UnsupportedError,
    too_deep,
)

#: Errors of a command whose input and options were right: exit code 1.
_DID_NOT = (DisagreementError, LimitError, OutputError)

#: With this environment variable, a bug in lpbridge itself shows its traceback.
TRACEBACK = "LPBRIDGE_TRACEBACK"


def ended(do: Callable[[], Any]) -> int:
    """The exit code of a function; its errors are printed."""
    try:
        code = do()
    except streams.ReaderGoneError:
        streams.give_up_output()
        return 0
    except BridgeError as error:
        if streams.output_failed():
            streams.give_up_output()
        if "is unsafe" in error.message:
            from bridge.cli.certain import explain_unsafe

            explain_unsafe(error)
        code = _say(error, 1 if isinstance(error, _DID_NOT) else 2)
        if not _as_json():
            lines = [f"    in: {line}" for line in error.backtrace] if isinstance(error, ProgramError) else []
            for other in error.others if isinstance(error, ProgramError) else ():
                lines += [f"lpbridge: {other}", _source_line(other.where) or ""]
            for line in filter(None, [_source_line(error.where), *lines]):
                print(line, file=sys.stderr)
        return code
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return 2
    except click.UsageError as error:
        message = " ".join(error.format_message().split()).rstrip(".")
        return _say(BridgeError(message), 2, kind="usage",
                    more=f"; see `{error.ctx.command_path} --help`" if error.ctx else "")
    except click.ClickException as error:
        return _say(BridgeError(error.format_message()), 2)
    except (KeyboardInterrupt, click.Abort):
        if not _as_json():
            print("lpbridge: interrupted", file=sys.stderr)
        return 130
    except OSError as error:
        wrong = system_error(error)
        return _say(wrong, 2 if isinstance(wrong, InputError) else 1,
                    kind=None if isinstance(wrong, InputError) else "system")
    except MemoryError:
        return _say(BridgeError("there is not enough memory"), 1, kind="memory")
    except RecursionError:
        return _say(too_deep(), 2)
    except Exception as error:
        if _is_interrupt(error):
            return ended(_interrupt)
        if TRACEBACK in os.environ:
            raise
        message = f"a bug in lpbridge: {type(error).__name__}: {error}"
        return _say(BridgeError(message, hint=f"please report it, with what {TRACEBACK}=1 shows"), 1, kind="internal")
    return code if isinstance(code, int) else 0


def _interrupt() -> None:
    raise KeyboardInterrupt


def _is_interrupt(error: BaseException | None) -> bool:
    """Whether an error is what Python made of Ctrl-C, in the middle of the definition of a class."""
    return error is not None and (isinstance(error, KeyboardInterrupt) or _is_interrupt(error.__cause__))


def again_when_lost() -> None:
    """Where Python drops a KeyboardInterrupt, since it came within a callback, raise it again in a moment."""
    usual = sys.unraisablehook

    def hook(lost: Any) -> None:
        if not issubclass(lost.exc_type, KeyboardInterrupt):
            usual(lost)
            return
        import _thread
        import threading

        again = threading.Timer(0.01, _thread.interrupt_main)
        again.daemon = True
        again.start()

    sys.unraisablehook = hook


def _as_json() -> bool:
    return any(word in ("--json", "--jsonl", "--events") for word in sys.argv[1:])


def _say(error: BridgeError, code: int, *, kind: str | None = None, more: str = "") -> int:
    data = error_json(error, kind)
    if _as_json() and not ("--json" in sys.argv and streams.written()):  # one object, and no other after it
        try:
            print(dumps(data, sys.stdout.encoding), flush=True)
            if streams.are_one():  # who reads the line below has read it already
                return code
        except (BridgeError, streams.ReaderGoneError):  # the line on stderr follows
            streams.give_up_output()
    print(f"lpbridge: {' '.join(BridgeError.__str__(error).split())}{more}", file=sys.stderr)
    return code


def error_json(error: BridgeError, kind: str | None = None) -> dict[str, Any]:
    """The object of an error, as `--json` prints it."""
    data = error.to_json()
    if isinstance(error, ProgramError) and error.term is not None:
        from bridge.cli.values import term_json

        with suppress(UnsupportedError):  # nested too deeply: the message has it as text
            term = term_json(error.term)
            dumps(term)
            data["error"]["term"] = term
    if kind:
        data["error"]["kind"] = data["errors"][0]["kind"] = kind
    return data | {"version": VERSION}


def _source_line(where: Place | None) -> str | None:
    """The line that an error is about, with a mark below its column."""
    if where is None or where.file is None or where.line is None:
        return None
    try:
        with open(where.file, encoding="utf-8", errors=AS_LATIN_1) as file:
            line = next(text for number, text in enumerate(file, 1) if number == where.line).rstrip("\n")
    except (OSError, StopIteration):
        return None
    head, line = f"{where.line:>5} | ", line.replace("\t", " ")
    mark = f"\n{' ' * (len(head) + where.column - 1)}^" if where.column else ""
    return f"{head}{line}{mark}" if len(line) <= 200 else None
