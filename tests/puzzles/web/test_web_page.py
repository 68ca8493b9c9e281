"""The page in a real browser: what a person does with it."""

from __future__ import annotations

import json
import os
import re
import signal
from typing import Any

import pytest
from patience import until

from web.browser_pages import ONE_BROWSER, cell, expect, new_context, new_grid, settled, type_rows
from web.web_pages import Workbench


def test_what_one_sees_first(page: Any) -> None:
    """The example: where its solutions differ, why, and how to fix it."""
    expect(page.locator("#detail")).to_contain_text("They differ in 4 cells")
    expect(page.locator(".cell.open")).to_have_count(4)
    expect(cell(page, "r4c1")).to_have_attribute("aria-label", "row 4, column 1, open: 3 or 6")
    expect(page.locator("#panel")).to_contain_text("r4c1, r4c6, r6c1 and r6c6 change together")
    page.get_by_role("row", name="r4c1 is 6, r4c6 is 3").hover()
    expect(cell(page, "r4c1").locator(".value")).to_have_text("6")
    page.get_by_label("Solution A").check(force=True)
    expect(page.locator(".cell.differs")).to_have_count(4)
    expect(page.locator("#say")).to_contain_text("2 solutions. They differ in 4 cells")


def test_repair_undo_and_solution(page: Any) -> None:
    page.get_by_role("button", name="r4c1 = 3").click()
    settled(page, "One solution")
    expect(cell(page, "r4c1")).to_have_class(re.compile("given"))
    expect(page.locator(".ladder [aria-current]")).to_have_count(1)
    page.get_by_role("button", name="Show the solution").click()
    expect(page.locator(".cell.derived")).to_have_count(81 - 29)
    page.get_by_role("button", name="Undo").click()
    settled(page, "2 solutions")
    page.get_by_role("button", name="Redo").click()
    settled(page, "One solution")


def test_drawn_by_keyboard_alone(page: Any) -> None:
    """From the address bar on: the keys reach everything."""
    new_grid(page, "Sudoku", "4x4")
    type_rows(page, ["1...", "..3.", ".4..", "...2"])
    settled(page, "One solution")
    cell(page, "r1c2").focus()
    page.keyboard.press("1")
    settled(page, "No solution")
    page.keyboard.press("Delete")
    settled(page, "One solution")
    page.keyboard.press("2")
    page.keyboard.press("Control+z")
    settled(page, "One solution")
    page.keyboard.press("Control+y")
    expect(cell(page, "r1c2")).to_have_class(re.compile("given"))
    page.keyboard.press("Control+z")
    settled(page, "One solution")
    page.locator("#tab-why").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#tab-steps")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator("#next")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".steps > li")).to_have_count(1)


def test_impossible_and_what_to_take_away(page: Any) -> None:
    new_grid(page, "Sudoku", "4x4")
    type_rows(page, ["1..1"])
    settled(page, "No solution")
    expect(page.locator(".cell.clash")).to_have_count(2)
    expect(page.locator("#panel")).to_contain_text("the clues r1c1 = 1 and r1c4 = 1")
    expect(page.locator("#panel")).to_contain_text("row 1 — every value stands there once")
    expect(cell(page, "r1c4")).to_have_attribute("aria-label", "row 1, column 4, clue 1, in a clash")
    page.locator(".fix", has_text="r1c4 = 1").click()
    settled(page, re.compile("solutions"))
    expect(page.locator(".cell.clash")).to_have_count(0)


def test_inequalities_are_drawn_and_taken_away(page: Any) -> None:
    new_grid(page, "Futoshiki", "3x3")
    page.locator("[data-between='r1c1 r1c2']").click()
    expect(page.locator("[data-between='r1c1 r1c2']")).to_have_text("<")
    expect(cell(page, "r1c2")).to_have_attribute("aria-label", re.compile("; greater than the one on the left$"))
    cell(page, "r1c1").focus()
    page.keyboard.press("3")
    settled(page, "No solution")
    expect(page.locator(".sign.clash")).to_have_count(1)
    page.locator(".fix", has_text="r1c1 < r1c2").click()
    settled(page, re.compile("solutions"))
    cell(page, "r1c1").focus()
    page.keyboard.press("v")
    expect(page.locator("[data-between='r1c1 r2c1']")).to_have_text("∨")


def test_letters_go_across_or_down(page: Any) -> None:
    """A second press on a cell turns that; the way back is the same."""
    new_grid(page, "Crossword", "3x3")
    cell(page, "r1c1").click()
    cell(page, "r2c2").click()
    page.keyboard.press("t")
    expect(cell(page, "r2c3")).to_be_focused()
    cell(page, "r2c2").click()
    cell(page, "r2c2").click()
    expect(page.locator("#legend")).to_contain_text("Letters go down")
    page.keyboard.press("e")
    expect(cell(page, "r3c2")).to_be_focused()
    page.keyboard.press("Backspace")
    expect(cell(page, "r2c2")).to_be_focused()


@ONE_BROWSER
def test_explained_step_by_step(page: Any) -> None:
    page.get_by_role("button", name="r4c1 = 3").click()
    settled(page, "One solution")
    page.get_by_role("button", name="Explain it step by step").click()
    page.get_by_role("button", name="Next step").click()
    expect(page.locator(".steps .now b")).to_have_text("hidden single")
    expect(page.locator("#say")).to_contain_text("hidden single")
    expect(page.locator(".cell.new")).to_have_count(1)
    expect(page.locator(".cell.derived")).to_have_count(1)
    page.get_by_role("button", name="All").click()
    expect(page.locator("#panel")).to_contain_text("That is all")
    expect(page.locator(".cell.derived")).to_have_count(81 - 29)
    page.get_by_role("button", name="Back").click()
    expect(page.locator(".cell.derived")).to_have_count(81 - 30)


@ONE_BROWSER
def test_candidates_exact_and_propagated_told_apart(page: Any) -> None:
    page.get_by_role("button", name="Takuzu").click()
    settled(page, "6 solutions")
    expect(page.locator(".cell.open")).to_have_count(13)
    expect(cell(page, "r5c4").locator(".true")).to_have_text("1")
    expect(cell(page, "r5c4").locator(".left")).to_have_text("0")
    expect(cell(page, "r5c4")).to_have_attribute("aria-label", "row 5, column 4, open: 1; propagation leaves 0 too")


@ONE_BROWSER
@pytest.mark.parametrize(("kind", "size"), [("Sudoku", "4x4"), ("Takuzu", "4x4"), ("Futoshiki", "4x4")])
def test_generated(page: Any, kind: str, size: str) -> None:
    page.get_by_role("button", name=kind, exact=True).click()
    page.get_by_role("button", name="New…").click()
    page.get_by_label("Size").select_option(size)
    page.get_by_role("button", name="Make one").click()
    expect(page.locator("#toast")).to_contain_text("Made with seed")
    settled(page, "One solution")


def test_pasted_anywhere(page: Any) -> None:
    page.evaluate("navigator.clipboard.writeText('1...\\n..3.\\n.4..\\n...2')")
    cell(page, "r1c1").focus()
    page.keyboard.press("Control+v")
    expect(page.locator("#toast")).to_contain_text("Read as")
    settled(page, "One solution")
    expect(page.locator(".cell")).to_have_count(16)


@ONE_BROWSER
def test_texts_of_a_puzzle_are_never_markup(page: Any) -> None:
    """In the page and in the pictures that it offers. A script that ran, or that the policy stopped, fails the fixture."""
    hostile = "</title><img src=x onerror=alert(1)><script>alert(2)</script>"
    about = {"title": hostile, "author": hostile, "rules": hostile, "clues": {"1 across": hostile, "1 down": hostile}}
    text = json.dumps({"puzzle": "crossword", "grid": ["..", ".."], "words": ["ab", "cd", "ac", "bd"], "about": about})
    page.get_by_role("button", name="Paste…").click()
    page.locator("#pasted").fill(text)
    page.get_by_role("button", name="Read", exact=True).click()
    expect(page.locator("#name")).to_have_text(hostile)
    expect(page.locator("#by")).to_contain_text(hostile)
    expect(page.locator("#entries")).to_contain_text(hostile)
    expect(page.locator("body img, body script")).to_have_count(0)
    page.get_by_role("button", name="Paste…").click()
    page.locator("#pasted").fill(hostile)
    page.get_by_role("button", name="Read", exact=True).click()
    expect(page.locator("#dialog [role=status]")).not_to_have_text("Reading …")
    expect(page.locator("body img, body script")).to_have_count(0)


def test_pasted_from_a_spreadsheet(page: Any) -> None:
    """Between its cells are tabs, and an open one is empty."""
    page.evaluate("navigator.clipboard.writeText('1\\t\\t\\t\\n\\t\\t3\\t\\n\\t4\\t\\t\\n\\t\\t\\t2\\n')")
    page.keyboard.press("Control+v")
    expect(page.locator("#toast")).to_have_text("Read as Sudoku.")
    settled(page, "One solution")
    expect(page.locator(".cell.given")).to_have_count(4)


@ONE_BROWSER
def test_too_much_is_not_even_read(page: Any) -> None:
    page.evaluate("navigator.clipboard.writeText('1234\\n'.repeat(500000))")
    page.keyboard.press("Control+v")
    expect(page.locator("#toast")).to_contain_text("too long")
    assert not page.evaluate("document.querySelector('dialog').open")


@ONE_BROWSER
def test_an_answer_that_breaks_off(page: Any) -> None:
    """The workbench was stopped meanwhile: the page does not go on looking."""
    page.route("**/ask/look", lambda route: route.fulfill(body='{"part": "superseded"}\n'))
    cell(page, "r1c1").focus()
    page.keyboard.press("4")
    settled(page, "No answer")
    expect(page.locator("#detail")).to_contain_text("is `lpbridge puzzle serve` still running?")


def test_what_cannot_be_read_is_told(page: Any) -> None:
    page.get_by_role("button", name="Paste…").click()
    page.get_by_label("Puzzle as text").fill("12x.\n....\n....\n....")
    page.get_by_role("button", name="Read", exact=True).click()
    expect(page.locator("dialog [role=status]")).to_contain_text("Line 1, character 3")
    page.get_by_label("Puzzle as text").fill("2:" + "x" * 5)
    page.get_by_role("button", name="Read", exact=True).click()
    expect(page.locator("dialog [role=status]")).not_to_have_text("Reading …")
    page.keyboard.press("Escape")
    settled(page, "2 solutions")


def test_a_link_carries_the_puzzle(page: Any, workbench: Workbench) -> None:
    page.get_by_role("button", name="Crossword").click()
    settled(page, "One solution")
    page.get_by_role("button", name="Share…").click()
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator("#toast")).to_have_text("Link copied.")
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.startswith(f"{workbench.url}/#")
    other = page.context.new_page()
    other.goto(link)
    settled(other, "One solution")
    expect(other.locator(".cell.black")).to_have_count(8)
    cell(other, "r6c4").focus()
    square = other.evaluate("import('/static/puzzle.js').then(({ blank, toLink }) => toLink(blank('sudoku', [4, 4])))")
    other.goto(f"{workbench.url}/#{square}")
    expect(cell(other, "r1c1")).to_have_class(re.compile("cursor"))  # there is no r6c4
    other.goto(f"{workbench.url}/#nothing")
    expect(other.locator("#toast")).to_have_text("This link carries no puzzle.")


@ONE_BROWSER
def test_engines_as_bars(page: Any) -> None:
    page.get_by_role("tab", name="Engines").click()
    page.get_by_text("Which engines").click()
    page.get_by_role("checkbox", name="dfs+fc").uncheck()
    page.get_by_role("button", name="Compare").click()
    expect(page.locator("#panel")).to_contain_text("No two of them contradict each other")
    expect(page.locator(".bars tr")).to_have_count(6)


@ONE_BROWSER
def test_a_comparison_that_an_edit_ends(page: Any) -> None:
    """It frees its worker, and says what it is when one comes back to its puzzle."""
    page.get_by_role("tab", name="Engines").click()
    page.route("**/ask/compare", lambda route: None)  # never answered
    page.get_by_role("button", name="Compare").click()
    expect(page.locator("#panel")).to_contain_text("Running …")
    cell(page, "r4c1").focus()
    page.keyboard.press("3")
    settled(page, "One solution")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#panel")).to_contain_text("It was cancelled.")


@ONE_BROWSER
def test_the_source_is_there(page: Any) -> None:
    page.get_by_role("tab", name="Source").click()
    expect(page.locator("pre").first).to_contain_text("clue(1, 2, 3).")
    page.get_by_label("File").select_option(label="The rules for SWI-Prolog — sudoku/sudoku.pl")
    expect(page.locator("pre").first).to_contain_text(":- module(sudoku")


@ONE_BROWSER
def test_a_worker_that_is_killed(page: Any, workbench: Workbench) -> None:
    """The page says so, and the next change is answered."""
    new_grid(page, "Latin square", "12x12")
    until(lambda: workbench.pool.at_work)
    expect(page.locator("#headline")).to_have_text("An empty grid")
    for pid in workbench.pool.pids:
        os.kill(pid, signal.SIGKILL)
    expect(page.locator("#panel")).to_contain_text("Its process ended")
    page.get_by_role("button", name="Takuzu").click()
    settled(page, "6 solutions")


@ONE_BROWSER
def test_a_newer_edit_ends_the_older_look(page: Any, workbench: Workbench) -> None:
    new_grid(page, "Latin square", "12x12")
    page.get_by_role("button", name="Takuzu").click()
    settled(page, "6 solutions")
    until(lambda: not workbench.pool.at_work)


@ONE_BROWSER  # Firefox takes no taps on a desktop
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone(browser: Any, workbench: Workbench, scheme: str) -> None:
    """Nothing is wider than the page, and everything is reached by taps."""
    context = new_context(
        browser,
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, color_scheme=scheme
    )
    page = context.new_page()
    page.goto(workbench.url)
    settled(page, "2 solutions")
    for kind in ("Sudoku", "Latin square", "Futoshiki", "Magic square", "Takuzu", "Crossword"):
        page.get_by_role("button", name=kind, exact=True).tap()
        expect(page.locator(f"#board.{kind.lower().replace(' ', '-')}")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, kind
    page.get_by_role("button", name="Sudoku", exact=True).tap()
    cell(page, "r4c1").tap()
    page.get_by_role("button", name="put 3 into the cell").tap()
    settled(page, "One solution")
    page.get_by_role("button", name="Explain it step by step").tap()
    page.get_by_role("button", name="Next step").tap()
    expect(page.locator(".steps .now")).to_be_in_viewport()
    expect(page.locator(".cell.new")).to_be_in_viewport()
    context.close()


def test_nothing_overlaps(page: Any) -> None:
    """Nor is anything cut off, at any usual width, the longest rows of buttons included."""
    for width in (320, 390, 768, 844, 1024, 1280, 1920):
        page.set_viewport_size({"width": width, "height": 390 if width == 844 else 900})
        page.evaluate("new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
        check_places(page, width)


def check_places(page: Any, width: int) -> None:
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    places = [".actions", "#kinds", "#verdict", "#views", ".above > div", "#board", "#legend", "#settings", "#panels"]
    boxes = {place: page.locator(place).bounding_box() for place in places}
    for name, box in boxes.items():
        assert box["x"] >= 0, (width, name)
        assert box["x"] + box["width"] <= width + 0.5, (width, name)
        for other, its in boxes.items():
            apart = (
                box["x"] + box["width"] <= its["x"] + 0.5
                or its["x"] + its["width"] <= box["x"] + 0.5
                or box["y"] + box["height"] <= its["y"] + 0.5
                or its["y"] + its["height"] <= box["y"] + 0.5
            )
            assert name == other or apart, (width, name, other)


@ONE_BROWSER
def test_candidates_too_small_to_read_are_told_of_the_selected_cell(browser: Any, workbench: Workbench) -> None:
    context = new_context(browser, viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(workbench.url)
    settled(page, "2 solutions")
    new_grid(page, "Sudoku", "16x16")
    cell(page, "r1c2").click()
    page.keyboard.press("9")
    cell(page, "r1c1").click()
    expect(page.locator("#legend")).to_contain_text("Row 1, column 1, open: 1, 2, 3")
    expect(cell(page, "r2c2").locator(".marks")).to_be_hidden()
    context.close()


def test_a_kind_that_is_a_file_is_drawn_and_edited(page: Any) -> None:
    page.get_by_role("button", name="KenKen", exact=True).click()
    settled(page, "One solution")
    expect(page.locator("#board img.overlay.light")).to_be_visible()
    expect(page.locator("#board img.overlay.dark")).to_be_hidden()
    cell(page, "r1c1").focus()
    page.keyboard.press("2")
    settled(page, "No solution")
    page.keyboard.press("Delete")
    settled(page, "One solution")
    page.locator("summary", has_text="As text").click()
    area = page.locator("#as-text")
    area.fill(area.input_value().replace("a: 3+", "a: 4+"))
    page.locator("#settings").get_by_role("button", name="Read", exact=True).click()
    settled(page, "No solution")
    page.get_by_role("button", name="Slitherlink", exact=True).click()
    settled(page, "One solution")
    expect(cell(page, "r1c2")).to_have_class(re.compile(r"\bon\b"))
    cell(page, "r1c2").focus()
    page.keyboard.press("0")
    settled(page, "No solution")
