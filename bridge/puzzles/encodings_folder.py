"""Where the logic programs are: `encodings/` of a checkout, or the copy inside an installed package."""

from __future__ import annotations

from os import PathLike
from os.path import dirname, exists, join


class _Encoding(PathLike[str]):
    """A path. It is not a `pathlib.Path`: to import that takes every command two milliseconds."""

    def __init__(self, path: str) -> None:
        self._path = path

    def __fspath__(self) -> str:
        return self._path

    def __str__(self) -> str:
        return self._path


def encoding(name: str) -> PathLike[str]:
    """The path of an encoding, such as `sudoku/sudoku.lp`; that of the folder for an empty name."""
    # Installed, the folder is inside the package; in a checkout beside it, so that it reads and runs without Python.
    # Encodings include each other: out of an archive, one alone would be of no use.
    home = dirname(dirname(__file__))
    inside = join(home, "encodings", name)
    return _Encoding(inside if exists(inside) else join(dirname(home), "encodings", name))
