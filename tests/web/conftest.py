"""A workbench that runs, and a browser to look at it with."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from patience import PATIENCE, until
from web_pages import Workbench

from bridge.web.server import listening, server

#: How distributions call it.
CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@pytest.fixture
def workbench(serving: Workbench) -> Workbench:
    """A workbench of two idle workers: they have warmed up, and no question of another test is open."""
    until(lambda: not serving.pool.at_work)
    return serving


@pytest.fixture(scope="session")
def serving() -> Iterator[Workbench]:
    """A workbench that runs programs, too."""
    with listening(0) as line:
        serving = server(line, 2, programs=True)
        thread = threading.Thread(target=serving.run, kwargs={"sockets": [line]}, daemon=True)
        thread.start()
        until(lambda: serving.started)
        yield Workbench(f"http://127.0.0.1:{line.getsockname()[1]}", serving.pool)
        serving.should_exit = True
        thread.join(PATIENCE)
        assert not thread.is_alive(), "it does not stop"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium of the distribution, without a window; skipped where there is none, unless it is asked for.

    Of a module, not of the session: while Playwright's synchronous half is open its event loop runs in this thread,
    and the tests of other modules could not call `asyncio.run`.
    """
    found = next((path for name in CHROMIUM if (path := shutil.which(name))), None)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        found = None
    if found is None:
        if os.environ.get("LPBRIDGE_BROWSER_TESTS") == "1":
            pytest.fail("LPBRIDGE_BROWSER_TESTS=1, but Chromium or playwright is missing")
        pytest.skip("Chromium or playwright is not installed (apt-get install chromium; pip install playwright)")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-dev-shm-usage"])
        yield chromium
        chromium.close()
