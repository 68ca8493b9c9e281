"""The dialog Share: other sites, pictures, files, and a link to this machine last."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from patience import until

from bridge.puzzles import formats
from web.browser_pages import ONE_BROWSER, cell, expect, settled
from web.web_pages import AMBIGUOUS, Workbench


def saved(downloads: Path, press: Callable[[], Any], end: bytes) -> bytes:
    """The file that a press saves, whole: it ends so. Chromium gives it a name of its own."""
    before = set(downloads.iterdir())
    press()
    found: list[bytes] = []

    def whole() -> bool:
        with suppress(FileNotFoundError):  # Firefox renames it at the end
            found[:] = [path.read_bytes() for path in set(downloads.iterdir()) - before]
        return len(found) == 1 and found[0].rstrip().endswith(end)

    until(whole)
    return found[0]


#: What is shown, as what, and how such a file begins and ends.
PICTURES = [
    ("the puzzle", "PDF", b"%PDF-", b"%%EOF"),
    ("with its solution", "PNG", b"\x89PNG", b"IEND\xaeB`\x82"),
    ("page to print, solution apart", None, b"%PDF-", b"%%EOF"),
    ("with candidates", "SVG", b"<svg ", b"</svg>"),
]


def test_pictures(page: Any, downloads: Path) -> None:
    page.get_by_role("button", name="Share…").click()
    for show, form, begin, end in PICTURES:
        page.get_by_role("combobox", name="Show", exact=True).select_option(show)
        if form is None:
            expect(page.get_by_role("combobox", name="As", exact=True)).to_be_disabled()
        else:
            page.get_by_role("combobox", name="As", exact=True).select_option(form)
        data = saved(downloads, page.get_by_role("button", name="Save picture").click, end)
        assert data.startswith(begin), show


def test_a_picture_that_there_is_not(page: Any) -> None:
    cell(page, "r1c1").focus()
    page.keyboard.press("3")
    settled(page, "No solution")
    page.get_by_role("button", name="Share…").click()
    page.get_by_role("combobox", name="Show", exact=True).select_option("with its solution")
    page.get_by_role("button", name="Save picture").click()
    expect(page.locator("dialog [role=status]")).to_have_text("there is no solution to draw.")


def test_files(page: Any, downloads: Path) -> None:
    page.get_by_role("button", name="Share…").click()
    page.get_by_role("combobox", name="Format", exact=True).select_option("solo")
    page.get_by_role("button", name="Copy", exact=True).click()
    expect(page.locator("#toast")).to_have_text("Copied.")
    assert page.evaluate("navigator.clipboard.readText()").startswith("3x3:")
    page.get_by_role("combobox", name="Format", exact=True).select_option("json")
    data = saved(downloads, page.get_by_role("button", name="Save", exact=True).click, b"}")
    assert json.loads(data)["grid"][0] == [None, 3, 9, None, None, None, 1, 2, None]


def test_other_sites_first_this_machine_last(page: Any, workbench: Workbench) -> None:
    """Each address is read back as the puzzle; nothing is sent until a person follows it."""
    page.get_by_role("button", name="Share…").click()
    links = page.locator("dialog a")
    names = ["SudokuPad", "f-puzzles", "puzz.link", "Simon Tatham's Solo"]
    expect(links).to_have_text([f"{name} (opens a new tab)" for name in names])
    for one in links.all():
        (puzzle,) = formats.decode(one.get_attribute("href")).puzzles
        assert puzzle.to_json()["grid"] == page.evaluate(
            "import('/static/store.js').then((one) => one.state.puzzle.grid)"
        )
        assert one.get_attribute("rel") == "noopener noreferrer"
    headings = page.locator("dialog h3").all_inner_texts()
    assert headings == ["Open in", "Picture", "Text or file", "Link to this machine"]
    assert page.get_by_label("Link to this machine").input_value().startswith(f"{workbench.url}/#")


@ONE_BROWSER
def test_without_the_extra(page: Any) -> None:
    """The page says what is missing, and offers what there is."""

    def without(route: Any) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json={**answer.json(), "pictures": False})

    page.route("**/about", without)
    page.reload()
    settled(page, "2 solutions")
    page.get_by_role("button", name="Share…").click()
    expect(page.locator("dialog")).to_contain_text("pip install 'lpbridge[pictures]'")
    assert page.get_by_role("combobox", name="As", exact=True).input_value() == "svg"
    for name in ("PDF", "PNG", "page to print, solution apart"):
        expect(page.locator("dialog option", has_text=name)).to_have_attribute("disabled", "")


@ONE_BROWSER
def test_a_kind_that_no_site_opens(page: Any) -> None:
    page.get_by_role("button", name="Magic square").click()
    page.get_by_role("button", name="Share…").click()
    expect(page.locator("dialog")).to_contain_text("No other site is known to open this puzzle.")


# Without a browser.


def picture(workbench: Workbench, **data: Any) -> dict[str, Any]:
    return workbench.ask("picture", {"puzzle": AMBIGUOUS, **data})[0]


@pytest.mark.parametrize("show", ["clues", "solution", "candidates"])
@pytest.mark.parametrize("form", ["svg", "png", "pdf"])
def test_every_picture(workbench: Workbench, show: str, form: str) -> None:
    made = picture(workbench, show=show, form=form)
    assert made["file"] == ("sudoku" if show == "clues" else f"sudoku-{show}") + f".{form}"
    assert made["type"] == {"svg": "image/svg+xml", "png": "image/png", "pdf": "application/pdf"}[form]


def test_pictures_that_there_are_not(workbench: Workbench) -> None:
    assert "there is no picture of 'x'" in picture(workbench, show="x")["message"]
    assert "there is no picture format 'gif'" in picture(workbench, form="gif")["message"]
    assert "theme" in picture(workbench, theme="blue")["message"]


def test_what_a_site_does_not_open_is_told(workbench: Workbench) -> None:
    square = {"puzzle": "sudoku", "box": [2, 5], "grid": [[None] * 10] * 10}
    found = workbench.ask("links", {"puzzle": square})[0]
    assert found["notes"] == ["puzz.link has no Sudoku of size 10"]
    assert "puzz.link" not in {one["site"] for one in found["links"]}
    assert all(one["url"].startswith("https://") for one in found["links"])


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="only Linux tells")
def test_every_thread_of_a_worker_is_sealed(workbench: Workbench) -> None:
    """The thread of Typst starts within the walls, before the last of them."""
    picture(workbench, form="png")
    for pid in workbench.pool.pids:
        threads = [
            dict(line.split(":\t", 1) for line in path.read_text().splitlines() if ":\t" in line)
            for path in Path(f"/proc/{pid}/task").glob("*/status")
        ]
        assert len(threads) > 2
        assert len({(one["Seccomp"], one["NoNewPrivs"], one["CapEff"]) for one in threads}) == 1, threads
        assert threads[0]["NoNewPrivs"] == "1"
