"""The cells of docs/notebooks.md, run one after the other in a shell of IPython, show what the page says."""

from __future__ import annotations

import ast
from typing import Any

from docs_pages import blocks

PAGE = "docs/notebooks.md"


def commented(text: str) -> list[tuple[str, str]]:
    """The expressions of a cell that have their value beside them."""
    halves = [line.split("  # ") for line in text.splitlines() if "  # " in line]
    return [(expression.strip(), value) for expression, value in halves]


def test_the_cells_show_what_the_page_says(ipython: Any) -> None:
    shown, checked = "", 0
    for block in blocks(PAGE):
        if block.not_run:
            result = ipython.run_cell(block.text)
            result.raise_error()
            shown = str(result.result)
            for expression, value in commented(block.text):
                found = ipython.ev(expression)
                assert found == (ast.literal_eval(value) if not isinstance(found, str) else value), expression
                checked += 1
        else:
            start, more, _ = block.text.partition("...\n")
            assert shown.startswith(start) if more else f"{shown}\n" == start, f"{PAGE}:{block.line}"
            checked += 1
    assert checked >= 5
