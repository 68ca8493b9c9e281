"""docs/lint.md has an entry for each check."""

from __future__ import annotations

import pytest
from shared_data import ROOT

from bridge.linting.lint import CHECKS


@pytest.mark.parametrize("id", sorted(CHECKS))
def test_each_check_has_an_entry(id: str) -> None:
    page = (ROOT / "docs" / "lint.md").read_text(encoding="utf-8")
    assert f"### {id} {CHECKS[id].name}\n" in page
