"""Files with puzzles, read whole."""

from __future__ import annotations

from os import PathLike

from bridge.common import Hints, path_of, public, shown_name, unpacked
from bridge.common import read_bytes as read_file

#: The greatest number of bytes of such a file.
LARGEST = 1 << 26

HINTS = Hints(
    "pipe it in, with `-` as the file; in Python, `parse(kind, text)` makes a puzzle of it",
    "`lpbridge puzzle batch` reads files of any length",
)


@public("bridge.puzzles.formats")
def read_bytes(path: str | PathLike[str]) -> tuple[bytes, str]:
    """The bytes of a file, unpacked if packed by gzip, with its name for error messages; `-` is standard input.

    Raises
    ------
    InputError
        When it cannot be read or unpacked.
    """
    name = shown_name(path_of(path))
    return unpacked(read_file(path, LARGEST, HINTS), name, LARGEST, HINTS), name
