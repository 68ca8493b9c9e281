"""After each torture: the host lives, and no process and no file is left behind; after the first case of each test, and
after the last of a module, the next job works.
"""

from __future__ import annotations

import gc
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from bridge.isolation import worker
from bridge.prolog import Session
from torture.harness import MARK, left_over, the_next_job_works


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if not sys.platform.startswith("linux"):
        for item in items:
            if "torture" in str(item.path):
                item.add_marker(pytest.mark.skip(reason="the tests look into /proc"))


@pytest.fixture(scope="session")
def _marked_fork_servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Fork servers of our own, whose descendants can be told from all other processes, and a temporary folder of theirs."""
    folder = tmp_path_factory.mktemp("temporary")
    worker.close_all()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(MARK, str(os.getpid()))
        patch.setenv("TMPDIR", str(folder))
        for folder_of_tests in Path(__file__).parents[1:3]:  # for a job of the tests, and for what they import
            patch.setenv("PYTHONPATH", str(folder_of_tests), prepend=os.pathsep)
        patch.setattr(tempfile, "tempdir", str(folder))
        Session("a.\n").close()
        yield folder
        worker.close_all()


@pytest.fixture(autouse=True, scope="module")
def _what_lives_stays() -> Iterator[None]:
    """Other tests in this process have left much that is alive. Collecting garbage does not go through it each time."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.fixture
def little_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be asked to stop is killed soon after its time, not three quarters of a second later."""
    monkeypatch.setattr(worker, "GRACE", 0.1)


@pytest.fixture(scope="module")
def _there_before(_marked_fork_servers: Path, _what_lives_stays: None) -> tuple[dict[int, str], set[Path]]:
    """Processes and files that tests of other modules have left, in this process (a Dask cluster)."""
    return left_over(0), {*_marked_fork_servers.iterdir()}


@pytest.fixture(autouse=True, scope="module")
def _tried(_marked_fork_servers: Path) -> Iterator[set[str]]:
    """The tests after a case of which the next job has worked."""
    yield set()
    the_next_job_works()


@pytest.fixture(autouse=True)
def _nothing_is_left(
    request: pytest.FixtureRequest, _marked_fork_servers: Path, _there_before: tuple[dict[int, str], set[Path]], _tried: set[str]
) -> Iterator[None]:
    yield
    name = request.function.__qualname__
    if name not in _tried:
        _tried.add(name)
        the_next_job_works()
    processes, files = _there_before
    assert left_over(besides=processes) == {}
    assert {*_marked_fork_servers.iterdir()} <= files
