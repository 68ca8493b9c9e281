"""The pairs of `benchmarks.compare_programs`: the table can be read, and what needs no checkout comes out as it says."""

from __future__ import annotations

import tomllib
from pathlib import Path

from shared_data import ROOT

from benchmarks.compare_programs import compared, pairs
from benchmarks.pairs import adapters

TABLE = tomllib.loads((ROOT / "benchmarks" / "pairs" / "pairs.toml").read_text(encoding="utf-8"))["pair"]


def test_the_table_is_complete() -> None:
    assert len(TABLE) >= 24
    assert len({pair["name"] for pair in TABLE}) == len(TABLE)
    for pair in TABLE:
        assert len(pair["programs"]) >= 2, pair
        assert "show" in pair or "puzzle" in pair, pair
        for program in pair["programs"]:
            assert "function" not in program or hasattr(adapters, program["function"])
            for file in program.get("files", ()):
                where, _, path = file.partition(":")
                assert where != "ours" or (ROOT / path).exists(), file


def test_without_checkouts_pairs_are_left_out(tmp_path: Path) -> None:
    lines = list(pairs(tmp_path))
    assert len(lines) == len(TABLE) + 2
    assert all("no checkout" in line for line, _ in lines[2:])


def test_a_pair_with_a_function_and_a_shim(tmp_path: Path) -> None:
    folder = tmp_path / "algorithms" / "backtracking"
    folder.mkdir(parents=True)
    (folder / "sum_of_subsets.py").write_text(
        "from itertools import combinations\n\n\ndef generate_sum_of_subsets_solutions(nums, max_sum):\n"
        "    return [c for k in range(len(nums) + 1) for c in combinations(nums, k) if sum(c) == max_sum]\n"
    )
    (pair,) = [pair for pair in TABLE if pair["name"] == "subset sum of positive numbers"]
    found = compared(pair, tmp_path)
    assert found is not None
    assert found.equivalent is True
    assert found.scope == "all 128 instances up to total = 7; there are no others"
