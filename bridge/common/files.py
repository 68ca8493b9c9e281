"""Files and standard streams: read as bytes, written whole or not at all, and every failure a `BridgeError`.

    >>> write_whole("graph.svg", b"<svg/>")

A file that cannot be written because its name or place is wrong is an `InputError`; one that cannot be written because
the system fails (a full disk, a quota, a limit on the size of files) is an `OutputError`.
"""

from __future__ import annotations

import codecs
import errno
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from os import PathLike
from typing import BinaryIO, NamedTuple

from bridge.common.languages import is_path, language_of_path
from bridge.common.lazy import regex
from bridge.errors import BridgeError, InputError, OutputError, Place, brief

#: What the system says when the name or the place of a file is wrong, and not the machine.
_WRONG_PLACE = frozenset({
    errno.EACCES, errno.EEXIST, errno.EINVAL, errno.EISDIR, errno.ELOOP, errno.ENAMETOOLONG, errno.ENOENT,
    errno.ENOTDIR, errno.ENXIO, errno.EPERM, errno.EROFS,
})  # fmt: skip

#: The first bytes of a file packed by gzip.
GZIP = b"\x1f\x8b"

#: What error messages call standard input.
STDIN = "<stdin>"


#: What `-` reads in place of standard input.
_given: ContextVar[bytes | None] = ContextVar("_given", default=None)


@contextmanager
def standard_input(data: bytes) -> Iterator[None]:
    """While this is entered, the file `-` has these bytes. `sys.stdin` stays what it is."""
    token = _given.set(data)
    try:
        yield
    finally:
        _given.reset(token)


def shown_name(path: str) -> str:
    """What error messages call a file to be read; `-` is standard input."""
    return STDIN if path == "-" else path


def shown_path(path: str) -> str:
    """A path as people would type it."""
    shorter = os.path.relpath(path)
    return path if shorter.startswith("..") else shorter


def refuse_names(sources: Iterable[object]) -> None:
    """Refuse strings that are paths: where a program is somebody else's, its text may be the name of a file of yours.

    Raises InputError.
    """
    for source in sources:
        if isinstance(source, str) and is_path(source):
            raise InputError(f"{brief(source)} is a name of a file, and an untrusted program is given as text",
                             hint="a file that you name yourself is a pathlib.Path")


def inside(folder: str | PathLike[str], path: str) -> str:
    """The real path of a program that somebody else named: it is in a folder, links followed, and called a program.

    Raises InputError, which does not say whether there is such a file.
    """
    home = os.path.realpath(folder)
    try:
        real = os.path.realpath(os.path.join(home, path))
    except ValueError:  # a NUL character, or half of a surrogate pair
        real = ""
    if not real.startswith(os.path.join(home, "")) or None in (language_of_path(path), language_of_path(real)):
        raise InputError(f"{brief(path)} names no program in the folder {home}", hint="give the text of the program")
    return real


def format_of(file: str | PathLike[str]) -> str:
    """The format that the suffix of a file names."""
    return os.path.splitext(file)[1].removeprefix(".").lower()


def path_of(path: str | PathLike[str]) -> str:
    """A path as a string; InputError when it is neither a string nor a path."""
    text = os.fspath(path) if isinstance(path, str | PathLike) else None
    if not isinstance(text, str):
        raise InputError(f"{brief(path)} is not a path", hint="it is a string, or a pathlib.Path")
    return text


#: Suffixes of what neither lines of JSON nor text is.
_OTHER_FORMATS = frozenset(
    ["arrow", "csv", "db", "feather", "html", "pdf", "png", "sqlite", "sqlite3", "svg", "tsv", "xls", "xlsx", "zip"]
)


def refuse_other_format(path: str | PathLike[str], hint: str) -> None:
    """Refuse a name of a file to be written whose suffix says that it is in another format.

    Raises InputError.
    """
    suffix = format_of(os.fspath(path).removesuffix(".gz"))
    if suffix in _OTHER_FORMATS:
        raise InputError(f"{suffix} is not a format of this file", where=Place(os.fspath(path)), hint=hint)


#: The greatest number of bytes of a file that is read whole.
LARGEST = 1 << 30


class Hints(NamedTuple):
    """What to do about a text in place of a path, and about a file that is too long."""

    text: str
    long: str | None


_HINTS = Hints("pipe it in, with `-` as the file", None)


def read_bytes(path: str | PathLike[str], most: int = LARGEST, hints: Hints = _HINTS) -> bytes:
    """The bytes of a file, `-` being standard input.

    Raises InputError when it cannot be read, or has more than `most`: a device or a pipe may have no end.
    """
    path = path_of(path)
    try:
        if path == "-":
            given = _given.get()
            data = _read(sys.stdin.buffer, most + 1) if given is None else given
        else:
            with open(path, "rb") as file:
                data = _read(file, most + 1)
    except OSError as error:
        raise unreadable(error, path, hints) from None
    except ValueError:  # a NUL character, or half of a surrogate pair
        raise InputError(f"{brief(path)} is not a path") from None
    if len(data) > most:
        raise InputError(f"more than {most:,} bytes", where=Place(shown_name(path)), hint=hints.long)
    return data


def _read(file: BinaryIO, most: int) -> bytes:
    """The bytes of a file, or so many of them: in pieces, since `read` sets aside as many bytes as it is asked for."""
    pieces: list[bytes] = []
    while most > 0 and (piece := file.read(min(most, 1 << 20))):
        pieces.append(piece)
        most -= len(piece)
    return b"".join(pieces)


def unpacked(data: bytes, name: str | None, longest: int = LARGEST, hints: Hints = _HINTS) -> bytes:
    """Bytes as they are, or unpacked when they are packed by gzip.

    Raises InputError when they are damaged, or more than `longest` when unpacked.
    """
    if not data.startswith(GZIP):
        return data
    import gzip
    import io
    import zlib

    place = Place(name)
    try:
        with gzip.open(io.BytesIO(data)) as file:
            found = file.read(longest + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"the packed data are damaged ({error})", where=place) from None
    if len(found) > longest:
        raise InputError(f"more than {longest:,} bytes when unpacked", where=place, hint=hints.long)
    return found


def _as_latin_1(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    return error.object[error.start : error.end].decode("latin-1"), error.end


#: How to decode bytes of which some are no UTF-8: these as Latin-1.
AS_LATIN_1 = "lpbridge.latin-1"
codecs.register_error(AS_LATIN_1, _as_latin_1)


def decoded(data: bytes, name: str | None = None) -> str:
    """Bytes of a program, or of what it prints, as text: UTF-8, and Latin-1 where they are not.

    Both solvers take any bytes in comments and quoted text. Raises InputError for UTF-16, which they do not read.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise InputError("this is UTF-16", where=Place(name), hint="save the file as UTF-8")
    return data.decode("utf-8", AS_LATIN_1)


def read_program(path: str | PathLike[str]) -> str:
    """The text of a program's file, `-` being standard input; InputError when it cannot be read."""
    return decoded(read_bytes(path), shown_name(os.fspath(path)))


def read_text(path: str | PathLike[str]) -> str:
    """The text of a file, `-` being standard input; InputError when it cannot be read or is not UTF-8."""
    data = read_bytes(path)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        place = Place(shown_name(os.fspath(path)))
        raise InputError(f"byte {error.start} is not UTF-8: this is not text", where=place) from None


def read_source(source: str | PathLike[str]) -> tuple[str | None, str]:
    """The file of a source, None of program text, and the text; InputError when it cannot be read."""
    given = os.fspath(source)
    return (given, read_program(given)) if is_path(source) else (None, given)


#: What no path has, but a text: several lines, or nothing but digits and dots, or a JSON object.
_IS_TEXT = regex(r"\n|\A[0-9._*]{16,}\Z|\A\s*\{\s*\"")


def unreadable(error: OSError, path: str, hints: Hints = _HINTS) -> InputError:
    """The error of a file that cannot be read."""
    if error.errno in (errno.ENOENT, errno.ENAMETOOLONG) and _IS_TEXT.search(path):
        return InputError(f"{brief(path)} is not a path of a file, but a text", hint=hints.text)
    if not path:
        return InputError("an empty name is not a file", hint="name a file, or `-` for standard input")
    where = Place(shown_name(path))
    if isinstance(error, IsADirectoryError):
        return InputError("this is a folder", where=where, hint="name a file in it")
    if isinstance(error, FileNotFoundError):
        goal = str(where.file).endswith(")") if where is not None else False
        return InputError("no such file", where=where, hint="a goal stands after --goal" if goal else "check the path")
    if path == "-" and error.errno == errno.EBADF:
        return InputError("standard input is closed", where=where, hint="name a file, or pipe the text in")
    return InputError(error.strerror or "cannot be read", where=where)


def unwritable(error: OSError, path: str) -> BridgeError:
    """The error of a file that cannot be written."""
    where, message = Place(path), f"cannot be written: {error.strerror or error}"
    if error.errno in _WRONG_PLACE:
        missing = error.errno in (errno.ENOENT, errno.ENOTDIR)
        return InputError(message, where=where, hint="is there such a folder?" if missing else None)
    return OutputError(message, where=where)


def check_writable(path: str | PathLike[str]) -> None:
    """Say what would keep a file from being written, before the work for it is done.

    Raises InputError when there is no such folder, or it must not be written.
    """
    path = os.fspath(path)
    folder = os.path.dirname(os.path.realpath(path))
    if os.path.isdir(path):
        raise unwritable(IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR)), path)
    if not os.path.isdir(folder):
        raise unwritable(FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT)), path)
    if not os.access(path if os.path.exists(path) else folder, os.W_OK):
        raise unwritable(PermissionError(errno.EACCES, os.strerror(errno.EACCES)), path)


def system_error(error: OSError) -> BridgeError:
    """The error of the operating system, where it is not known what was being done."""
    where = None if error.filename is None else Place(str(error.filename))
    message = error.strerror or str(error)
    kind = InputError if where and error.errno in _WRONG_PLACE else BridgeError
    return kind(message, where=where)


def write_whole(path: str | PathLike[str], data: bytes) -> None:
    """Write a file such that there is never half of it: a new one takes the place of what was there.

    A device or a pipe, and a file in a folder that is closed to new files, is written in place. Raises InputError when
    there is no such folder, or it must not be written; OutputError when the system fails: what was there is unchanged.
    """
    path = os.fspath(path)
    try:
        target = os.path.realpath(path)  # a link stays a link
        about = os.stat(target) if os.path.exists(target) else None
        if about and (not stat.S_ISREG(about.st_mode) or not os.access(os.path.dirname(target), os.W_OK)):
            with open(target, "wb") as file:
                file.write(data)
        else:
            if about:  # refused like one that is written in place
                os.close(os.open(target, os.O_WRONLY))
            _replace(target, data, stat.S_IMODE(about.st_mode) if about else None)
    except OSError as error:
        raise unwritable(error, path) from None


def write_program(path: str | PathLike[str], text: str) -> None:
    """Write a program anew: in Latin-1 where it was that, and in UTF-8 otherwise. Errors are those of `write_whole`."""
    before, data = read_bytes(path), text.encode()
    old = before.decode("utf-8", AS_LATIN_1)
    if old.encode() != before:
        with suppress(UnicodeEncodeError):
            data = text.encode("latin-1") if old.encode("latin-1") == before else data
    write_whole(path, data)


def _replace(target: str, data: bytes, mode: int | None) -> None:
    new = f"{target}.{os.getpid()}.new"
    try:
        with open(new, "xb") as file:
            file.write(data)
            file.flush()
            if mode is not None:
                os.chmod(new, mode)
            os.fsync(file.fileno())
        os.replace(new, target)
    except BaseException:
        with suppress(OSError):  # it was never made, or its folder is gone
            os.unlink(new)
        raise
