"""Reads the instances of a batch from files of any length.

A file is plain or gzip, recognised by its first bytes. It has

- one puzzle in each line, where the puzzle has such a text form (`TextForm.one_a_line`): 81 characters of a Sudoku;
- a table with one in each row (`bridge.puzzles.formats.sudoku_lines`);
- JSON lines: one object in each line; or one JSON document, an object or a list of objects;
- or one puzzle in any other text form.

The form is recognised by the first lines; after them, at most one line is in memory. Only a JSON document and a text of
one puzzle are read whole.

A file that is damaged, cut off or unreadable ends the batch with an error, after the instances before the damage. The
readable part is recorded, so that a run with the whole file goes on where this one ended.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import stat
import sys
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import chain
from os import PathLike
from typing import Any, BinaryIO, cast

from bridge.batching import Item
from bridge.common import GZIP, path_of, shown_name, unreadable
from bridge.errors import InputError, Place, brief
from bridge.puzzles.batching.jobs import Form
from bridge.puzzles.formats.sudoku_lines import NAMES, Csv, columns
from bridge.puzzles.kinds import parts, puzzle_class
from bridge.puzzles.kinds.files import HINTS
from bridge.puzzles.kinds.json_places import objects_in

#: The bytes of a file by which its form is recognised, and by which it is identified.
HEAD = 1 << 16

#: The greatest length, in bytes, of a line and of a text of one puzzle.
LONGEST = 1 << 24

#: Files with these suffixes have a JSON object in each line, whatever the first line is.
JSON_LINES = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz")

#: Files with these suffixes are tables, whatever the first line is.
TABLES = (".csv", ".csv.gz", ".tsv", ".tsv.gz")


class Beginning:
    """The first bytes of a file: their number and digest."""

    def __init__(self) -> None:
        self.bytes = 0
        self._digest = hashlib.sha256()

    def add(self, piece: bytes) -> None:
        self.bytes += len(piece)
        self._digest.update(piece)

    def to_json(self) -> dict[str, Any]:
        return {"bytes": self.bytes, "sha256": self._digest.hexdigest()}


class Source:
    """One file, `-` being standard input. It is opened at once, so that a wrong name ends the batch before it starts.

    A batch may have thousands of files: those that can be opened again are closed until they are read.
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        self.path = path = path_of(path)
        self.name = shown_name(path)
        self._raw: BinaryIO | None = None
        self._ahead = b""
        try:
            raw = cast(BinaryIO, sys.stdin.buffer) if path == "-" else open(path, "rb")  # noqa: SIM115
            head = _read(raw, HEAD)
            about = os.fstat(raw.fileno()) if path != "-" else None
            size = about.st_size if about and stat.S_ISREG(about.st_mode) else None
        except OSError as error:
            raise unreadable(error, path, HINTS) from None
        #: Identifies the file without reading all of it: by its length, if it has one, and its head.
        self.identity: dict[str, Any] = {"file": self.name, "bytes": size, "head": hashlib.sha256(head).hexdigest()}
        self.size = size
        self.at = 0  # the number of bytes read
        #: The reason why the rest of the file cannot be read.
        self.damage: str | None = None
        #: The whole lines read so far.
        self.readable = Beginning()
        if size is None:  # a pipe cannot be read again
            self._raw, self._ahead = raw, head
        else:
            raw.close()

    def begins_as(self, readable: Any) -> bool:
        """Whether the readable part of a damaged file is the beginning of this one."""
        if self.size is None or not isinstance(readable, dict) or not isinstance(readable.get("bytes"), int):
            return False  # a pipe can be read only once
        found = Beginning()
        with self.opened() as file:
            while piece := file.read(min(readable["bytes"] - found.bytes, HEAD)):
                found.add(piece)
        self.at, self.damage = 0, None
        return bool(found.to_json() == readable)

    @contextmanager
    def opened(self) -> Iterator[BinaryIO]:
        """The file's bytes, unpacked."""
        raw = self._raw or open(self.path, "rb")  # noqa: SIM115
        try:
            whole = io.BufferedReader(_Joined(self, self._ahead, raw), HEAD)
            packed = whole.peek(2).startswith(GZIP)
            yield io.BufferedReader(_Unpacked(self, whole), HEAD) if packed else whole
        finally:
            if self.path != "-":
                raw.close()


def same_input(before: Any, sources: Sequence[Source]) -> bool:
    """Whether this is the input of an earlier run, by `Source.identity`, or the whole of a file damaged then."""
    if not isinstance(before, list) or len(before) != len(sources):
        return False
    for known, source in zip(before, sources, strict=True):
        if known == source.identity:
            continue
        if not isinstance(known, dict) or known.get("file") != source.name or "readable" not in known:
            return False
        if not source.begins_as(known["readable"]):
            return False
    return True


def share_read(sources: Sequence[Source]) -> float | None:
    """The share of some files that has been read, from 0 to 1; None if their length is not known."""
    sizes = [source.size for source in sources]
    if None in sizes or not any(sizes):
        return None
    return sum(source.at for source in sources) / sum(size or 0 for size in sizes)


#: The number of a line, and the line; None if it is too long.
_Line = tuple[int, bytes | None]

#: An item without its number and file: its line, its form, and its content.
_Instance = tuple[int | None, Form, Any]


def instances(kind: str, source: Source) -> Iterator[tuple[str, int | None, Form, Any]]:
    """The instances in a file, as items without their numbers. A line that is not text is an item with an error.

    When the file is damaged or cut off, the error comes after what could be read. The source is closed at the end.
    """
    last: int | None = None
    try:
        with source.opened() as file:
            for line, form, held in _read_instances(kind, source, file):
                last = line
                yield source.name, line, form, held
    except OSError as error:
        raise unreadable(error, source.path, HINTS) from None
    if source.damage:
        source.identity["readable"] = source.readable.to_json()
        after = f" after line {last}" if last else ""
        raise InputError(f"cannot be read{after}: {source.damage}", where=Place(source.name))


def items(kind: str, sources: Iterable[Source]) -> Iterator[Item]:
    """The instances in some files, numbered from 1."""
    for index, instance in enumerate(chain.from_iterable(instances(kind, source) for source in sources), 1):
        yield index, *instance


def _read_instances(kind: str, source: Source, file: BinaryIO) -> Iterator[_Instance]:
    lines = _lines(source, file)
    ahead: list[_Line] = []
    for numbered in lines:
        ahead.append(numbered)
        if sum(len(line or b"") for _, line in ahead) >= HEAD:
            break
    # A file of one puzzle ends within its head; if there is more, it has a puzzle in each line.
    shown = [line.decode("utf-8", "replace") for _, line in ahead if line is not None]
    first = next((line.strip() for line in shown if line.strip("\ufeff \t\r\n")), "").removeprefix("\ufeff")
    is_json = False
    if first.startswith("{"):
        with suppress(ValueError, RecursionError):
            data = json.loads(first)
            is_json = "grid" in data or "results" not in data  # else it is what `generate --json` prints
    if source.path.endswith(JSON_LINES) or is_json:
        yield from _of_lines("json", "", ahead, lines, source.name)
    elif first.startswith(("{", "[")):
        document = b"".join(_rest(ahead, lines))
        if source.damage:
            source.readable = Beginning()  # half a document is of no use
        else:
            yield from _of_document(document, source.name)
    elif kind in Csv.kinds and (source.path.endswith(TABLES) or columns(first)):
        yield from _of_table(first, ahead, lines, source)
    elif (header := puzzle_class(kind).text_form.one_a_line("".join(shown))) is not None:
        yield from _of_lines("line", header, ahead, lines, source.name)
    else:
        whole = _whole(_rest(ahead, lines), source.name)
        if source.damage:
            source.readable = Beginning()
        elif whole[1] == "text":
            yield from ((None, "text", text) for text in parts(whole[2]))
        else:
            yield whole


def _of_lines(
    form: Form, header: str, ahead: Sequence[_Line], lines: Iterator[_Line], name: str
) -> Iterator[_Instance]:
    """An instance for each line that is not empty or a comment."""
    comment = b"#" if form == "line" else b"\xff"  # no JSON begins with it
    own = header.strip().encode()
    for group in (ahead, lines):
        for number, line in group:
            if line is None:
                yield number, "error", _wrong(f"a line of more than {LONGEST:,} bytes", name, number)
                continue
            content = line.removeprefix(b"\xef\xbb\xbf").strip()
            if not content or content.startswith(comment) or (own and content == own):
                continue
            try:
                text = content.decode("utf-8")
            except UnicodeDecodeError:
                yield number, "error", _wrong("not UTF-8: this is not text", name, number)
                continue
            yield number, form, (header, text) if form == "line" else text


def _of_table(first: str, ahead: Sequence[_Line], lines: Iterator[_Line], source: Source) -> Iterator[_Instance]:
    """An instance for each row of a table. A row without one is an item with an error."""
    found = columns(first)
    if found is None:
        raise InputError(
            f"no column of this table is called puzzle: {brief(first)}",
            where=Place(source.name, 1),
            hint=f"name the column of puzzles {' or '.join(NAMES[:4])}",
        )
    for number, form, held in _of_lines("line", "", ahead, lines, source.name):
        if form == "error":
            yield number, form, held
            continue
        _, text = held
        if found.names and text == first:
            continue
        try:
            entry = found.entry(text, Place(source.name, number))
        except InputError as error:
            yield number, "error", error.to_json()
            continue
        # With blanks before it, errors have the column of the file.
        yield number, "line", ("", " " * ((entry.place.column or 1) - 1) + entry.text)


def _of_document(text: bytes, name: str) -> Iterator[_Instance]:
    """The puzzles of one JSON document."""
    try:
        found = [one for one, *_ in objects_in(text.decode("utf-8-sig"), Place(name))]
    except UnicodeDecodeError:
        yield None, "error", _wrong("not UTF-8: this is not text", name)
        return
    except InputError as error:
        yield error.where.line if error.where else None, "error", error.to_json()
        return
    for one in found:
        yield None, "json", json.dumps(one)


def _whole(lines: Iterable[bytes], name: str) -> _Instance:
    text = b""
    for line in lines:
        text += line
        if len(text) > LONGEST:
            return None, "error", _wrong(f"more than {LONGEST:,} bytes, and no puzzle a line", name)
    try:
        return None, "text", text.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError:
        return None, "error", _wrong("not UTF-8: this is not text", name)


def _lines(source: Source, file: BinaryIO) -> Iterator[_Line]:
    """Numbered lines with their line breaks; None for one that is too long. Half a line before damage is left out."""
    number = 0
    source.readable = Beginning()
    while line := file.readline(LONGEST + 1):
        if source.damage and not line.endswith(b"\n"):
            return
        source.readable.add(line)
        number += 1
        if len(line) <= LONGEST:
            yield number, line
            continue
        while line and not line.endswith(b"\n"):
            line = file.readline(LONGEST)
            source.readable.add(line)
        yield number, None


def _rest(ahead: Sequence[_Line], lines: Iterator[_Line]) -> Iterator[bytes]:
    """All lines; one that is too long is replaced by a text that is too long."""
    for group in (ahead, lines):
        for _, line in group:
            yield b" " * (LONGEST + 1) if line is None else line


def _wrong(message: str, name: str, line: int | None = None) -> dict[str, Any]:
    return InputError(message, where=Place(name, line)).to_json()


def _read(raw: BinaryIO, size: int) -> bytes:
    """So many bytes, or all there are: a pipe returns fewer at a time."""
    pieces = b""
    while len(pieces) < size and (piece := raw.read(size - len(pieces))):
        pieces += piece
    return pieces


class _Joined(io.RawIOBase):
    """The bytes read ahead of a file, followed by the file."""

    def __init__(self, source: Source, ahead: bytes, raw: BinaryIO) -> None:
        self._source = source
        self._ahead = memoryview(ahead)
        self._raw = raw

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self._ahead:
            size = min(len(buffer), len(self._ahead))
            buffer[:size] = self._ahead[:size]
            self._ahead = self._ahead[size:]
            return size
        try:
            piece = self._raw.read(len(buffer))
        except OSError as error:
            self._source.damage = error.strerror or str(error)
            return 0
        buffer[: len(piece)] = piece
        self._source.at += len(piece)
        return len(piece)


class _Unpacked(io.RawIOBase):
    """The unpacked bytes of a gzip file, member after member, up to damage."""

    def __init__(self, source: Source, packed: BinaryIO) -> None:
        self._source, self._packed = source, packed
        self._member: Any = None  # a `zlib.decompressobj`; None between two of them
        self._tail = self._ready = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._ready = self._ready or self._unpacked(len(buffer))
        piece, self._ready = self._ready[: len(buffer)], self._ready[len(buffer) :]
        buffer[: len(piece)] = piece
        return len(piece)

    def _unpacked(self, size: int) -> bytes:
        """The next bytes, at most `size` of an undamaged file; none at the end."""
        while not self._source.damage:
            data = self._tail or self._packed.read(HEAD)
            if self._member is None:
                if not data:
                    break
                if not (data := data.lstrip(b"\0")):  # padding is allowed between members
                    continue
                self._member = zlib.decompressobj(wbits=31)
            before = self._member.copy()
            try:
                piece: bytes = self._member.decompress(data, size)
            except zlib.error as error:
                self._source.damage = f"the packed data are damaged ({error})"
                with suppress(zlib.error):  # the data before the damaged byte
                    piece = b""
                    for at in range(len(data)):
                        piece += before.decompress(data[at : at + 1])
                return piece
            if self._member.eof:
                self._tail, self._member = self._member.unused_data, None
            else:
                self._tail = self._member.unconsumed_tail
                if not data and not piece:
                    self._source.damage = self._source.damage or "the packed data are cut off"
            if piece:
                return piece
        return b""
