"""What a screen reader finds on the page: the accessibility tree, live regions, the order of the focus."""

from __future__ import annotations

import re
from typing import Any

from web.browser_pages import ONE_BROWSER, cell, expect, new_grid, settled


def test_landmarks_and_headings(page: Any) -> None:
    expect(page.locator("body")).to_match_aria_snapshot("""
      - link "Skip to the content"
      - banner:
        - heading "lpbridge workbench" [level=1]
        - navigation "Kinds of puzzles":
          - button "Sudoku" [pressed]
          - button "Latin square"
        - group "Puzzle actions":
          - button "New…"
          - button "Paste…"
          - button "Share…"
          - button "Help"
      - main:
        - region "Verdict":
          - heading "2 solutions" [level=2]
        - region "Sudoku":
          - group "Show in open cells":
            - radio "Clues"
            - radio "Candidates" [checked]
            - radio "Solution A"
            - radio "Solution B"
          - button "Undo" [disabled]
          - button "Redo" [disabled]
          - grid "Sudoku, 9 rows, 9 columns"
        - region "Findings":
          - tablist "Findings":
            - tab "Why" [selected]
            - tab "Step by step"
            - tab "Engines"
            - tab "Source"
          - tabpanel "Why":
            - heading "Where the solutions differ" [level=3]
            - heading "Add one clue, and one solution is left" [level=3]
      - status: 2 solutions. They differ in 4 cells, framed in the grid. The other 77 are certain.
    """)


def test_every_cell_is_named_once(page: Any) -> None:
    """By its place, what stands there, and what is known of it; one of them is selected."""
    expect(page.get_by_role("grid")).to_match_aria_snapshot("""
      - grid "Sudoku, 9 rows, 9 columns":
        - row "row 1":
          - gridcell "row 1, column 1, open, 4" [selected]
          - gridcell "row 1, column 2, clue 3"
        - row "row 4":
          - 'gridcell "row 4, column 1, open: 3 or 6"'
          - gridcell "row 4, column 2, clue 4"
    """)
    grid = page.get_by_role("grid")
    expect(grid.get_by_role("row")).to_have_count(9)
    expect(grid.get_by_role("gridcell")).to_have_count(81)
    expect(grid.get_by_role("gridcell", selected=True)).to_have_count(1)
    expect(grid).to_have_accessible_description(re.compile("Arrow keys move. Type a value for a clue"))


def test_typing_is_heard(page: Any) -> None:
    """The cell says what it holds now, and the live region the verdict that follows."""
    status = page.locator("#say")
    expect(status).to_have_role("status")
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    expect(cell(page, "r1c1")).to_be_focused()
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    expect(cell(page, "r4c1")).to_be_focused()
    page.keyboard.press("3")
    expect(cell(page, "r4c1")).to_have_accessible_name("row 4, column 1, clue 3")
    expect(cell(page, "r4c1")).to_be_focused()
    expect(status).to_contain_text("One solution.")
    page.keyboard.press("Delete")
    expect(status).to_contain_text("2 solutions.")
    expect(cell(page, "r4c1")).to_have_accessible_name("row 4, column 1, open: 3 or 6")


def test_the_order_of_the_focus(page: Any) -> None:
    """Kinds, actions, what is shown, the grid as one stop, below it, the findings."""
    page.locator("#help").focus()
    stops = []
    for _ in range(6):
        page.keyboard.press("Tab")
        stops.append(
            page.evaluate(
                "(({ ariaLabel, textContent, value }) => ariaLabel || textContent || value)(document.activeElement)"
            )
        )
    assert stops == ["candidates", "row 1, column 1, open, 4", "empty the grid", "3 × 3", "Why", "row 4"]


def test_the_focus_stays_when_parts_are_drawn_anew(page: Any) -> None:
    takuzu = page.get_by_role("button", name="Takuzu")
    takuzu.focus()
    page.keyboard.press("Enter")
    settled(page, "6 solutions")
    expect(takuzu).to_be_focused()
    setting = page.get_by_role("combobox", name="Equal rows or columns")
    setting.focus()
    setting.select_option("allowed")
    settled(page, re.compile("solution"))
    expect(setting).to_be_focused()


def test_dialogs_have_names_and_give_the_focus_back(page: Any) -> None:
    for name, title in (
        ("New…", "New Sudoku"),
        ("Paste…", "Paste a puzzle"),
        ("Share…", "Share"),
        ("Help", "How it works"),
    ):
        opener = page.get_by_role("button", name=name)
        opener.focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("dialog", name=title)).to_be_visible()
        assert page.evaluate("document.querySelector('dialog').contains(document.activeElement)"), name
        page.keyboard.press("Escape")
        expect(opener).to_be_focused()


@ONE_BROWSER
def test_clues_of_files_are_read(page: Any) -> None:
    """Cages, numbers in cells and sentences, which are drawn over the grid or below it."""
    page.get_by_role("button", name="Killer Sudoku").click()
    settled(page, "One solution")
    expect(page.get_by_role("list", name="Clues around the cells").get_by_role("listitem").first).to_have_text(
        "cage 3: r1c1 and r1c2"
    )
    page.get_by_role("button", name="Hitori").click()
    settled(page, "One solution")
    expect(cell(page, "r1c4")).to_have_accessible_name(re.compile("^row 1, column 4, marked 4, open"))
    page.get_by_role("button", name="Slitherlink").click()
    settled(page, "One solution")
    pad = page.get_by_role("group", name="Values")
    expect(pad).to_be_hidden()
    expect(page.get_by_role("gridcell", selected=True)).to_have_accessible_name(re.compile("line"))
    page.get_by_role("button", name="Zebra puzzle").click()
    settled(page, "One solution")
    clue = page.get_by_role("list", name="Clues around the cells").get_by_text("green right of ivory")
    clue.scroll_into_view_if_needed()  # in a low window the values stand before the clues
    expect(clue).to_be_in_viewport()
    # Values without a key have buttons, in a wide window, too: a word cannot be typed into a cell.
    expect(pad).to_be_visible()
    cut = """() => [...document.querySelectorAll("#pad button, .cell, .cell .marks")]
        .filter((one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1)
        .map((one) => one.innerText)"""
    assert page.evaluate(cut) == []  # each word within its cell, or its button
    cell(page, "r1c1").click()
    word = pad.get_by_role("button").first.inner_text()
    pad.get_by_role("button").first.click()
    expect(cell(page, "r1c1")).to_contain_text(word)
    expect(page.get_by_role("button", name="Undo")).to_be_enabled()


NAMED = """% title: A <b>small</b> one
% author: A. Setter
% rules: Every word stands in the list.
% 1 across: Pump, or <i>stocking</i>
% 2 down: Below deck
.....
##.#.
#....
.#...
.....
.##.#
"""


@ONE_BROWSER
def test_title_author_rules_and_clues_in_words(page: Any) -> None:
    """They are text, never markup; clues follow the cells in which their entries begin."""
    page.get_by_role("button", name="Crossword").click()
    page.get_by_role("button", name="Paste…").click()
    page.get_by_label("Puzzle as text").fill(NAMED)
    page.get_by_role("button", name="Read", exact=True).click()
    settled(page, "One solution")
    expect(page.get_by_role("main")).to_match_aria_snapshot("""
      - region "A <b>small</b> one":
        - heading "A <b>small</b> one" [level=2]
        - paragraph: by A. Setter
        - region "Rules": Every word stands in the list.
        - region "Clues in words":
          - heading "Across" [level=3]
          - list:
            - listitem: Pump, or <i>stocking</i>
          - heading "Down" [level=3]
          - list:
            - listitem: Below deck
    """)
    words = page.get_by_role("region", name="Clues in words")
    expect(words.get_by_text("Below deck")).to_have_attribute("value", "2")
    cell(page, "r2c2").focus()
    page.keyboard.press("#")  # now white: another entry begins before it
    expect(words.get_by_text("Below deck")).to_have_attribute("value", "3")
    expect(page.locator("#headline")).not_to_have_text("No puzzle yet")
    cell(page, "r1c3").focus()
    page.keyboard.press("#")  # its entry is gone
    expect(words.get_by_text("Below deck")).to_have_count(0)
    page.get_by_role("button", name="Takuzu").click()
    expect(page.locator("#name")).to_have_text("Takuzu")
    expect(page.get_by_role("region", name="Rules")).to_have_count(0)


@ONE_BROWSER
def test_an_empty_grid_says_what_can_be_done(page: Any) -> None:
    for kind in ("Sudoku", "KenKen"):
        check_an_empty_grid(page, kind)


def check_an_empty_grid(page: Any, kind: str) -> None:
    new_grid(page, kind, "9x9")
    expect(page.locator("#headline")).to_have_text("An empty grid")
    expect(page.get_by_role("tabpanel")).to_match_aria_snapshot("""
      - heading "Begin with" [level=3]
      - button "Paste or open a file…"
      - button "Show an example"
      - button "Make a new puzzle…"
    """)
    expect(cell(page, "r1c1")).to_have_accessible_name("row 1, column 1, open")  # no candidates: all are left
    # The solver still looks: what it finds may draw the button anew between the two halves of a click.
    page.get_by_role("button", name="Paste or open a file…").dispatch_event("click")
    expect(page.get_by_role("dialog", name="Paste a puzzle")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Show an example").dispatch_event("click")
    settled(page, re.compile("One solution|2 solutions"))
    expect(page.locator(".example")).to_be_visible()


@ONE_BROWSER
def test_an_empty_grid_whose_solutions_are_counted(page: Any) -> None:
    new_grid(page, "Magic square", "3x3")
    settled(page, "8 solutions")
    expect(page.get_by_role("button", name="Show an example")).to_be_visible()
    expect(cell(page, "r2c2")).to_have_accessible_name(re.compile("^row 2, column 2, open: 5;"))
