"""docs/prolog.md has a table of the libraries that untrusted programs may load, and says why others are refused."""

from __future__ import annotations

import re

from shared_data import ROOT

from bridge.prolog import Session


def test_the_table_of_libraries_is_that_of_the_sandbox() -> None:
    file = str(ROOT / "bridge" / "prolog" / "lpbridge_sandbox.pl")
    module = f"use_module({file!r}, [])"
    with Session() as session:
        wanted = {str(one["L"]): "available" for one in session.query(f"{module}, lpbridge_sandbox:available(T), term_to_atom(T, L)")}
        for one in session.query(f"{module}, lpbridge_sandbox:unavailable(T, Why), term_to_atom(T, L)"):
            wanted[str(one["L"])] = f"refused: {one['Why']}"
    page = (ROOT / "docs" / "prolog.md").read_text(encoding="utf-8")
    section = page.partition("## Untrusted programs")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`.*`) \| (.+) \|$", section, re.M)
    assert {name: why.replace("`", "") for names, why in rows for name in re.findall("`(.+?)`", names)} == wanted
