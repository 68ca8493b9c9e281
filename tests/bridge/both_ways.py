"""Tests that run in a worker, as users have it, and once more in this process: `isolated=False`."""

from __future__ import annotations

from collections.abc import Iterator, Set
from functools import partial
from pathlib import Path
from unittest.mock import patch

import pytest


def parametrize(metafunc: pytest.Metafunc, both: Set[str]) -> None:
    """Run tests of the modules in `both` twice, those marked `local` in this process, and all others in a worker."""
    if metafunc.definition.get_closest_marker("local") is not None:
        ways = ["here"]
    else:
        ways = ["worker", "here"] if Path(metafunc.module.__file__).stem in both else ["worker"]
    metafunc.parametrize("process", ways, indirect=True, scope="module")


def process(request: pytest.FixtureRequest, name: str) -> Iterator[str]:
    """What a test module calls `name` is not isolated, where it is to run in this process."""
    if request.param == "worker" or not hasattr(request.module, name):
        yield str(request.param)
        return
    original = getattr(request.module, name)
    with patch.object(request.module, name, partial(original, isolated=False)):
        yield str(request.param)
