"""The boards of the pzprjs test scripts (MIT; tests/data/failcheck.LICENSE.txt), as `benchmarks.failcheck` reads them."""

from __future__ import annotations

from typing import Any

import pytest
from shared_data import kept_rows

from benchmarks.failcheck import SCRIPTS, boards, comes_out, converted, refusals

BOARDS = kept_rows("failcheck")


@pytest.mark.parametrize("row", BOARDS, ids=lambda row: str(row["id"]))
def test_a_board_is_refused_by_its_rule(row: dict[str, Any]) -> None:
    assert comes_out(row), refusals(row)


def test_each_kind_has_right_boards_and_wrong_ones() -> None:
    kinds = {row["instance"]["puzzle"] for row in BOARDS}
    assert kinds <= {script.kind for script in SCRIPTS.values()}
    assert kinds >= {"slitherlink", "skyscrapers", "hitori", "star-battle", "akari", "nonogram", "sudoku"}
    for kind in kinds:
        rules = {row["rule"] for row in BOARDS if row["instance"]["puzzle"] == kind}
        assert None in rules
        assert len(rules) > 1


@pytest.mark.slow
def test_a_wrong_board_is_not_taken_for_a_right_one() -> None:
    for row in BOARDS:
        if row["rule"] is not None:
            assert not comes_out({**row, "rule": None})
            assert not comes_out({**row, "rule": "another rule"})


SCRIPT = """ui.debug.addDebugData("hitori", {
	url: "2/2/1213",
	failcheck: [
		["csAdjacent", "pzprv3/hitori/2/2/1 2 /3 1 /# # /. . /"],
		[
			// a remark
			null,
			"pzprv3/hitori/2/2/1 2 /1 3 /# . /. . /",
			{ skiprules: true }
		]
	],
	inputs: [{ input: ["newboard,1,1"] }]
});
"""


def test_a_script_is_read() -> None:
    found = list(boards(SCRIPT, "hitori"))
    assert [(board.name, board.code) for board in found] == [("hitori-1", "csAdjacent"), ("hitori-2", None)]
    rows = [converted(board, SCRIPTS["hitori"]) for board in found]
    assert all(row is not None and comes_out(row) for row in rows)
