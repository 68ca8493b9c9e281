"""The mutants of `make mutants`: which changes of a module there are, and that its tests are run with them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import mutants

BODIES = ("return 1", "while True: pass")
SOURCE = """def first(rows, most=3):
    for row in rows:
        if row is None or row < 0:
            continue
        print(row)
        return row if row and not most else 1
"""


def test_each_guard_has_mutants() -> None:
    assert {one.key.removeprefix("first: ") for one in mutants.mutants_of("m.py", SOURCE)} == {
        "row is None or row < 0 => False",
        "row is None or row < 0 => ((row < 0))",
        "row is None or row < 0 => ((row is None))",
        "row is None => (row is not None)",
        "row < 0 => (row <= 0)",
        "0 => 1",
        "print(row) => pass",
        "row and not most => (not (row and not most))",
        "row and not most => ((row))",
        "row and not most => ((not most))",
        "not most => (most)",
        "1 => 2",
    }


def test_each_module_is_tested_by_what_there_is() -> None:
    for module, tests in mutants.MODULES.items():
        assert (mutants.ROOT / module).is_file()
        assert all((mutants.ROOT / test).is_file() for test in tests), module


def test_each_reason_is_of_a_mutant_that_there_is() -> None:
    reasons: dict[str, dict[str, str]] = json.loads(mutants.REASONS.read_text(encoding="utf-8"))
    for module, of in reasons.items():
        known = {one.key for one in mutants.changes_of(module, (mutants.ROOT / module).read_text(encoding="utf-8"))}
        assert {*of} <= known, f"reasons in {mutants.REASONS.name} for changes of {module} that are none"


@pytest.mark.harness
def test_a_mutant_is_noticed_or_not(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    module, test = "bridge/common/english.py", tmp_path / "test_english.py"
    test.write_text("from bridge.common.english import listed\n\ndef test_it():\n    assert listed([]) == ''\n")
    monkeypatch.setitem(mutants.MODULES, module, [str(test)])
    copies = mutants.Copies(1)
    try:
        source = (mutants.ROOT / module).read_text(encoding="utf-8")
        assert copies.passes(module, source, [str(test)], 60)
        assert not copies.passes(module, source.replace("def listed", "def other"), [str(test)], 60)
        wrong, endless = (source.replace("def listed", f"def listed(*_):\n    {one}\n\n\ndef other") for one in BODIES)
        assert copies.noticed(module, [source, wrong, endless], [str(test)]) == [False, True, True]
    finally:
        copies.close()
