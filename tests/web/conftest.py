"""A workbench that runs, and a browser to look at it with."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from typing import Any, NoReturn

import pytest
from patience import PATIENCE, until
from web_pages import Workbench

from bridge.web.server import listening, server

#: The browsers in which the page is tested, and how distributions call them.
BROWSERS = {
    "chromium": ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"),
    "firefox": ("firefox-esr", "firefox"),
}


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


@pytest.fixture(scope="module", params=BROWSERS)
def browser(request: pytest.FixtureRequest) -> Iterator[Any]:
    """A browser of the distribution, without a window; skipped where there is none, unless it is asked for.

    Of a module, not of the session: while Playwright's synchronous half is open its event loop runs in this thread,
    and the tests of other modules could not call `asyncio.run`.
    """
    name = request.param
    found = next((path for one in BROWSERS[name] if (path := shutil.which(one))), None)
    try:
        from playwright.sync_api import Error, sync_playwright
    except ImportError:
        found = None
    if found is None:
        _without(f"{name} or playwright is not installed (apt-get install {BROWSERS[name][0]}; pip install playwright)")
    with sync_playwright() as playwright:
        launched = _firefox(playwright, found) if name == "firefox" else _chromium(playwright, found)
        try:
            launched.new_context().close()
        except Error as error:
            launched.close()
            _without(f"this playwright cannot drive this {name}: {str(error).splitlines()[0]}")
        yield launched
        launched.close()


def _chromium(playwright: Any, path: str) -> Any:
    return playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-dev-shm-usage"])


def _firefox(playwright: Any, path: str) -> Any:
    """The distribution's Firefox by WebDriver BiDi: Playwright's own protocol needs its own build."""
    return playwright.firefox.launch(channel="moz-firefox", executable_path=path)


def _without(why: str) -> NoReturn:
    if os.environ.get("LPBRIDGE_BROWSER_TESTS") == "1":
        pytest.fail(f"LPBRIDGE_BROWSER_TESTS=1, but {why}")
    pytest.skip(why)
