"""docs/prolog.md has a table of the libraries that untrusted programs may load, and says why others are refused."""

from __future__ import annotations

import re

from shared_data import ROOT


def test_the_table_of_libraries_is_that_of_the_sandbox() -> None:
    text = (ROOT / "bridge" / "prolog" / "lpbridge_sandbox.pl").read_text(encoding="utf-8")
    wanted = dict.fromkeys(re.findall(r"^available\((.+)\)\.$", text, re.M), "available")
    wanted |= {name: f"refused: {why}" for name, why in re.findall(r'^unavailable\((\S+), "(.+)"\)\.$', text, re.M)}
    page = (ROOT / "docs" / "prolog.md").read_text(encoding="utf-8")
    section = page.partition("## Untrusted programs")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`.*`) \| (.+) \|$", section, re.M)
    assert {name: why.replace("`", "") for names, why in rows for name in re.findall("`(.+?)`", names)} == wanted
