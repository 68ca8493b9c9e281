"""What an author draws on a board, with mouse and keys, in a real browser."""

from __future__ import annotations

import re
from typing import Any

from web.browser_pages import ONE_BROWSER, cell, drag, draw_with, expect, has_text, new_grid, settled


def test_cages_with_mouse_and_keys_go_to_sudokupad_and_back(page: Any) -> None:
    new_grid(page, "Killer Sudoku", "4x4")
    draw_with(page, "cages")
    drag(page, "r1c1", "r1c2")
    page.keyboard.type("3")
    has_text(page, "a a . .", "a: 3")
    for name in ("r1c3", "r2c1"):  # two cells each, by keys alone
        cell(page, name).focus()
        page.keyboard.press("Escape")
        page.keyboard.press("Shift+ArrowDown")
        page.keyboard.type("5" if name == "r2c1" else "4")
    has_text(page, "a a b .\nc . b .\nc . . .", "a: 3\nb: 4\nc: 5")
    expect(cell(page, "r3c1")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Delete")
    has_text(page, "a a b .\n. . b .\n\na: 3\nb: 4".replace("\n\n", "\n. . . .\n. . . .\n\n"))
    page.keyboard.press("Control+z")
    has_text(page, "c: 5")
    page.get_by_role("button", name="Share…").click()
    link = page.get_by_role("link", name="SudokuPad").get_attribute("href")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Sudoku", exact=True).click()
    page.get_by_role("button", name="Paste…").click()
    page.get_by_label("Puzzle as text").fill(link)
    page.get_by_role("button", name="Read", exact=True).click()
    expect(page.locator("#kinds [aria-pressed=true]")).to_have_text("Killer Sudoku")
    has_text(page, "cage: 3 r1c1 r1c2", "cage: 4 r1c3 r2c3", "cage: 5 r2c1 r3c1")


def test_borders_lines_edges_and_numbers_outside(page: Any) -> None:
    new_grid(page, "Variant Sudoku", "4x4")
    draw_with(page, "regions")
    drag(page, "r1c1", "r1c2", "r1c3", "r2c3")
    draw_with(page, "thermo")
    drag(page, "r4c1", "r3c1", "r2c1", "r3c1")  # the last step takes the one before back
    draw_with(page, "white")
    box = cell(page, "r3c3").bounding_box()
    page.mouse.click(box["x"] + box["width"] - 2, box["y"] + box["height"] / 2)
    draw_with(page, "even")
    drag(page, "r4c3", "r4c4")
    draw_with(page, "sandwich")
    page.locator("[data-place='left 2']").click()
    page.keyboard.type("5")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("gridcell", name="left of row 3, empty")).to_be_focused()
    page.keyboard.press("2")
    draw_with(page, "little-killer")
    page.locator("[data-place='top 2']").click()
    page.keyboard.type("7")
    expect(page.locator("#drawn")).to_contain_text("add ")  # two diagonals begin there
    page.keyboard.type(" se")
    expect(page.locator("#drawn")).to_be_empty()
    lines = ["a a a .\n. . a .", "thermo: r4c1 r3c1\n", "white: r3c3 r3c4", "even: r4c3 r4c4", "sandwich: row 2 5"]
    has_text(page, *lines, "sandwich: row 3 2", "little-killer: 7 r1c3 se")
    page.get_by_label("diagonal", exact=True).check()
    has_text(page, "rules: diagonal")


@ONE_BROWSER
def test_black_cells_of_a_board_that_is_not_finished(page: Any) -> None:
    """A Kakuro without black cells is refused; it is drawn all the same."""
    new_grid(page, "Kakuro", "4x4")
    settled(page, "No puzzle yet")
    draw_with(page, "black, down, across")
    cell(page, "r1c1").click()
    drag(page, "r4c1", "r4c2", "r4c3")
    cell(page, "r1c2").focus()
    page.keyboard.press("Escape")
    page.keyboard.type("12\\7")
    has_text(page, "# 12\\7 ")
    expect(page.locator("#entry")).to_have_value("12\\7")
    expect(page.locator("#headline")).not_to_have_text("No puzzle yet")
    cell(page, "r1c1").click()
    has_text(page, "# 12\\7 ")  # it is selected now
    cell(page, "r1c1").click()
    has_text(page, ". 12\\7 ")
    page.locator("summary", has_text="As text").click()
    page.locator("summary", has_text="What may stand there").click()
    expect(page.get_by_label("The syntax")).to_contain_text("12\\12")


@ONE_BROWSER
def test_numbers_of_a_lattice_and_lines_by_clicks(page: Any) -> None:
    new_grid(page, "Slitherlink", "4x4")
    has_text(page, "\n".join(4 * [". . . ."]))
    cell(page, "r1c2").click()
    cell(page, "r1c2").click()
    expect(cell(page, "r1c2")).to_have_class(re.compile(r"\bgiven\b.*\bon\b|\bon\b.*\bgiven\b"))
    draw_with(page, "number")
    cell(page, "r2c2").click()
    page.keyboard.type("3")
    page.keyboard.press("ArrowRight")
    page.keyboard.type("2")
    has_text(page, "3 2 . .")


@ONE_BROWSER
def test_an_empty_crossword_asks_for_words(page: Any) -> None:
    """And New offers what nothing makes as an empty grid only."""
    new_grid(page, "Crossword", "3x3")
    settled(page, "No words yet")
    page.get_by_role("button", name="New…").click()
    page.get_by_role("button", name="Make one").click()
    expect(page.locator("dialog [role=status]")).to_contain_text("needs words")
    page.keyboard.press("Escape")
    page.locator("#words").fill("abc\ndef")
    settled(page, "No solution")
    page.get_by_role("button", name="Hitori").click()
    page.get_by_role("button", name="New…").click()
    expect(page.get_by_role("button", name="Make one")).to_be_hidden()
    expect(page.get_by_role("button", name="Empty grid")).to_be_visible()
