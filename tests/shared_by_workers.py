"""What takes long to make and several processes of tests need: one of them makes it."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar, cast

import pytest
from patience import until

T = TypeVar("T")

#: Seconds after which another process counts as having failed to make it.
SECONDS = 900


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[], T]) -> T:
    """What `make` gives in the process that comes first; the others wait for it, and read it.

    An exception of `make` fails the tests of the other processes, too.
    """
    base = factory.getbasetemp()
    folder = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    file = folder / f"{name}.pickle"
    try:
        (folder / f"{name}.begun").touch(exist_ok=False)
    except FileExistsError:
        until(file.exists, SECONDS)
        found, error = pickle.loads(file.read_bytes())
        assert not error, f"another process of tests failed to make {name}: {error}"
        return cast(T, found)
    try:
        made = make()
    except BaseException as error:
        _write(file, (None, f"{type(error).__name__}: {error}"))
        raise
    _write(file, (made, None))
    return made


def _write(file: Path, content: object) -> None:
    part = file.with_suffix(".part")
    part.write_bytes(pickle.dumps(content))
    part.rename(file)
