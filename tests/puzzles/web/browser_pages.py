"""What the tests of the page in a browser have in common."""

from __future__ import annotations

import re
from typing import Any

import pytest
from patience import PATIENCE

MILLISECONDS = 1000 * PATIENCE

try:
    from playwright.sync_api import expect
except ImportError:  # the fixture `browser` says so
    expect: Any = None
else:
    expect.set_options(timeout=MILLISECONDS)  # a context's own default does not hold for it

#: A test of what the page says of answers: one browser is enough.
ONE_BROWSER = pytest.mark.parametrize("browser", ["chromium"], indirect=True)


def new_context(browser: Any, **options: Any) -> Any:
    """A context whose pages wait as long as `expect` does."""
    context = browser.new_context(**options)
    context.set_default_timeout(MILLISECONDS)
    return context


def settled(page: Any, headline: str | re.Pattern[str]) -> None:
    """Wait until the diagnosis is over and says this."""
    expect(page.locator("#headline")).to_have_text(headline)
    expect(page.locator("#verdict")).not_to_have_class(re.compile("looking"))


def cell(page: Any, name: str) -> Any:
    return page.locator(f"[data-cell={name}]")


def new_grid(page: Any, kind: str, size: str) -> None:
    page.get_by_role("button", name=kind, exact=True).click()
    page.get_by_role("button", name="New…").click()
    page.get_by_label("Size").select_option(size)
    page.get_by_role("button", name="Empty grid").click()
    expect(page.locator("#dialog")).to_be_hidden()  # then the grid is there


def type_rows(page: Any, rows: list[str]) -> None:
    """Type a grid by keyboard alone: a row, then to the beginning of the next."""
    cell(page, "r1c1").focus()
    for row in rows:
        page.keyboard.press("Home")
        for character in row:
            if character != ".":
                page.keyboard.press(character)
            page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowDown")


def draw_with(page: Any, tool: str) -> None:
    page.locator("#editor").get_by_label("Draw").select_option(tool)


def drag(page: Any, *names: str) -> None:
    """The pointer goes down on the first cell, through the others, and up on the last."""
    for number, name in enumerate(names):
        box = cell(page, name).bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        if number == 0:
            page.mouse.down()
    page.mouse.up()


def has_text(page: Any, *parts: str) -> None:
    """Wait until the puzzle, as text, has each of these."""
    for part in parts:
        expect(page.locator("#as-text")).to_have_value(re.compile(re.escape(part)))
