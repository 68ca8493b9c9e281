"""A workbench that runs, and a browser to look at it with."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn
from zlib import crc32

import pytest
from patience import PATIENCE, until

from bridge.puzzles.web.app import Server, listening
from web.browser_pages import MILLISECONDS, new_context, settled
from web.web_pages import Workbench

#: The browsers in which the page is tested, and how distributions call them.
BROWSERS = {
    "chromium": ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"),
    "firefox": ("firefox-esr", "firefox"),
}


#: How they are launched. Firefox speaks WebDriver BiDi: Playwright's own protocol needs its own build. There a page may
#: write to the clipboard within some seconds of what a person does: on a machine that is busy, they are too few.
LAUNCHED: dict[str, dict[str, Any]] = {
    "chromium": {"args": ["--no-sandbox", "--disable-dev-shm-usage"]},
    "firefox": {"channel": "moz-firefox", "firefox_user_prefs": {"dom.user_activation.transient.timeout": int(MILLISECONDS)}},
}

CLIPBOARD = ["clipboard-read", "clipboard-write"]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Each test in one of the browsers, by its name, most in Chromium, where a page opens in half the time; in each of
    them with `LPBRIDGE_BROWSER_TESTS=all`.
    """
    if os.environ.get("LPBRIDGE_BROWSER_TESTS") == "all":
        return
    names = ["chromium", "chromium", "chromium", "firefox"]
    left_out = []
    for item in items:
        parameters = item.callspec.params if hasattr(item, "callspec") else {}
        name = parameters.get("browser")
        base = item.nodeid.replace(str(name), "")
        if name and names[crc32(base.encode()) % len(names)] != name:
            left_out.append(item)
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in {*left_out}]


@pytest.fixture
def workbench(serving: Workbench) -> Workbench:
    """A workbench of two idle workers: they have warmed up, and no question of another test is open."""
    until(lambda: not serving.pool.at_work)
    return serving


@pytest.fixture(scope="session")
def serving() -> Iterator[Workbench]:
    with listening(0) as line:
        serving = Server(line, 2)
        thread = threading.Thread(target=serving.run, kwargs={"sockets": [line]}, daemon=True)
        thread.start()
        until(lambda: serving.started)
        yield Workbench(f"http://127.0.0.1:{line.getsockname()[1]}", serving.pool)
        serving.should_exit = True
        thread.join(PATIENCE)
        assert not thread.is_alive(), "it does not stop"


@pytest.fixture(scope="package")
def context(browser: Any, serving: Workbench) -> Iterator[Any]:
    """Where the tests open their pages. One page stays, and with it the process that has read the scripts."""
    context = new_context(browser, viewport={"width": 1280, "height": 900}, permissions=CLIPBOARD)
    context.new_page().goto(f"{serving.url}/about")
    yield context
    context.close()


@pytest.fixture
def new_page(context: Any, workbench: Workbench) -> Iterator[Any]:
    """A page of a browser that has kept nothing. Whatever it complains about fails the test."""
    context.pages[0].evaluate("localStorage.clear()")
    page = context.new_page()
    said: list[str] = []
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    page.on("dialog", lambda dialog: said.append(dialog.message))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    yield page
    for one in context.pages[1:]:
        one.close()
    assert said == []
    assert [url for url in asked if not url.startswith((workbench.url, "blob:"))] == []


@pytest.fixture
def page(new_page: Any, workbench: Workbench) -> Any:
    """The page as it opens, with the example in it."""
    new_page.goto(workbench.url)
    settled(new_page, "2 solutions")
    return new_page


@pytest.fixture(scope="package")
def downloads(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the browser saves files."""
    return tmp_path_factory.mktemp("downloads")


@pytest.fixture(scope="package", params=BROWSERS)
def browser(request: pytest.FixtureRequest, downloads: Path) -> Iterator[Any]:
    """A browser of the distribution, without a window; skipped where there is none, unless it is asked for.

    Of this package, not of the session: while Playwright's synchronous half is open its event loop runs in this thread,
    and the tests of other packages could not call `asyncio.run`; those of this one call it `in_a_thread`.
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
        options = {"executable_path": found, "downloads_path": downloads, "timeout": MILLISECONDS, **LAUNCHED[name]}
        launched = getattr(playwright, name).launch(**options)
        try:
            launched.new_context().close()
        except Error as error:
            launched.close()
            _without(f"this playwright cannot drive this {name}: {str(error).splitlines()[0]}")
        yield launched
        launched.close()


def _without(why: str) -> NoReturn:
    if wanted := os.environ.get("LPBRIDGE_BROWSER_TESTS"):
        pytest.fail(f"LPBRIDGE_BROWSER_TESTS={wanted}, but {why}")
    pytest.skip(why)
