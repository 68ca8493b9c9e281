"""What every test may count on."""

from __future__ import annotations

import gc
import signal
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

# No test is timed: on a machine that does something else too, any example may take long. And the examples are the same
# each time, so that a failure belongs to the change that is tested; `--hypothesis-profile=explore` looks for new ones.
CALM = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("lpbridge", derandomize=True, **CALM)
settings.register_profile("explore", **CALM)
settings.load_profile("lpbridge")

# A shell starts what it puts in the background with SIGINT ignored, and so does some CI; the tests of Ctrl-C need it.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _no_hook_of_the_collector() -> Iterator[None]:
    """hypothesis watches the garbage collector, and Python drops a KeyboardInterrupt that is raised in such a hook."""
    hooks = gc.callbacks[:]
    gc.callbacks.clear()
    yield
    gc.callbacks[:] = hooks
