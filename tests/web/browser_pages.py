"""What the tests of the page in a browser have in common."""

from __future__ import annotations

import re
from typing import Any

import pytest
from patience import PATIENCE

try:
    from playwright.sync_api import expect
except ImportError:  # the fixture `browser` says so
    expect: Any = None

MILLISECONDS = 1000 * PATIENCE

#: A test of what the page says of answers: one browser is enough.
ONE_BROWSER = pytest.mark.parametrize("browser", ["chromium"], indirect=True)


def settled(page: Any, headline: str | re.Pattern[str]) -> None:
    """Wait until the diagnosis is over and says this."""
    expect(page.locator("#headline")).to_have_text(headline, timeout=MILLISECONDS)
    expect(page.locator("#verdict")).not_to_have_class(re.compile("looking"), timeout=MILLISECONDS)


def cell(page: Any, name: str) -> Any:
    return page.locator(f"[data-cell={name}]")


def new_grid(page: Any, kind: str, size: str) -> None:
    page.get_by_role("button", name=kind, exact=True).click()
    page.get_by_role("button", name="New…").click()
    page.get_by_label("Size").select_option(size)
    page.get_by_role("button", name="Empty grid").click()


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
