"""Where the logic programs are: `encodings/` of a checkout, or the copy inside an installed package."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import as_file, files
from pathlib import Path


@contextmanager
def encoding(name: str) -> Iterator[Path]:
    """The path of an encoding, such as `sudoku/sudoku.lp`, while it is needed."""
    package = files("bridge")
    installed = package / "encodings" / name
    if installed.is_file():
        with as_file(installed) as path:
            yield path
    else:
        # A checkout: the folder stands beside the package, so that it reads and runs without Python.
        with as_file(package) as root:
            yield root.parent / "encodings" / name
