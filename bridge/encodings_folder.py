"""Where the logic programs are: `encodings/` of a checkout, or the copy inside an installed package."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def encoding(name: str) -> Iterator[Path]:
    """The path of an encoding, such as `sudoku/sudoku.lp`, while it is needed."""
    # Installed, the folder is inside the package; in a checkout beside it, so that it reads and runs without Python.
    # Encodings include each other: out of an archive, one alone would be of no use.
    home = Path(__file__).parent
    inside = home / "encodings" / name
    yield inside if inside.exists() else home.parent / "encodings" / name
