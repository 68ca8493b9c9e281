"""What every test may count on."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, settings
from slow import SLOW

# No test is timed: on a machine that does something else too, any example may take long. And the examples are the same
# each time, so that a failure belongs to the change that is tested, and few, for more of the same find little more;
# `--hypothesis-profile=explore` looks for new ones, and `make fuzz` for as long as wished.
CALM = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("lpbridge", derandomize=True, max_examples=20, **CALM)
settings.register_profile("explore", **CALM)
settings.load_profile("lpbridge")

ENCODINGS = Path(__file__).resolve().parent.parent / "encodings"


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int | None:
    """`-n auto`: half as many workers again as cores. A third of the time a test waits for another process."""
    if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ:
        return None
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores + (cores + 1) // 2


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """`make check` does not even import the files that it leaves out."""
    left_out = "not slow" in config.getoption("markexpr") and any(
        collection_path == Path(__file__).parent / name for name in SLOW
    )
    return True if left_out else None


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that need a browser come first: one worker of `--dist worksteal` has them all, and starts the browsers."""
    items.sort(key=lambda item: "browser" not in getattr(item, "fixturenames", ()))
    slow = tuple(f"tests/{name}" for name in SLOW)
    for item in items:
        if item.nodeid.startswith(slow):
            item.add_marker(pytest.mark.slow)


def pytest_collection_finish() -> None:
    """What has been collected stays until the end: the garbage collector need not go through it again and again."""
    gc.collect()
    gc.freeze()


# A shell starts what it puts in the background with SIGINT ignored, and so does some CI; the tests of Ctrl-C need it.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _no_hook_of_the_collector() -> Iterator[None]:
    """hypothesis watches the garbage collector, and Python drops a KeyboardInterrupt that is raised in such a hook."""
    hooks = gc.callbacks[:]
    gc.callbacks.clear()
    yield
    gc.callbacks[:] = hooks


if find_spec("bridge.puzzles"):  # `make test` runs the tests of the bridge without the workbench

    @pytest.fixture(autouse=True)
    def _kinds_are_forgotten() -> Iterator[None]:
        """A kind of puzzle that a test gives by its file is not known to the tests after it, nor named in messages.

        The kinds of `encodings/` are read once: each takes a tenth of a second.
        """
        from bridge.puzzles.kinds import registry

        with patch.dict(registry._added), patch.dict(registry._read):
            yield
            ours = {name: one for name, one in registry._added.items() if _is_ours(one.declared)}
            read = {name: registry._read[name] for name in ours}
        registry._added.update(ours)
        registry._read.update(read)

    def _is_ours(declared: Any) -> bool:
        stem = declared.name.replace("-", "_")
        return declared.file == str(ENCODINGS / stem / f"{stem}.lp") and not declared.checker


@pytest.fixture
def ipython(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A shell of IPython with the extension, and without a history; it is `__main__` meanwhile."""
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
    shell = InteractiveShell(config=Config(HistoryManager={"enabled": False}), ipython_dir=str(tmp_path))
    shell.run_line_magic("load_ext", "bridge")
    return shell
