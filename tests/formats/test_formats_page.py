"""`docs/formats.md` is true: its commands print what is shown, its Python runs, its table lists every format."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from shared_data import ROOT

from bridge import formats
from bridge.puzzles import KINDS, puzzle_class

PAGE = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


TYPED = [
    (lines[0], lines[1:])
    for block in blocks("console")
    for lines in [part.splitlines() for part in re.split(r"^\$ ", block, flags=re.MULTILINE) if part]
]


@pytest.mark.parametrize(("typed", "shown"), TYPED, ids=[typed[:60] for typed, _ in TYPED])
def test_what_is_shown_is_printed(typed: str, shown: list[str]) -> None:
    command = typed.replace("lpbridge", f"{sys.executable} -m bridge")
    done = subprocess.run(["sh", "-c", f"{command} 2>&1"], capture_output=True, text=True, cwd=ROOT, timeout=100)
    printed = done.stdout.splitlines()
    assert all(line == "..." or line in printed for line in shown), done.stdout


def test_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    seen: dict[str, object] = {}
    for number, code in enumerate(blocks("python"), 1):
        exec(compile(code, f"docs/formats.md, block {number}", "exec", dont_inherit=True), seen)
    assert str(seen["link"]).startswith("https://puzz.link/p?sudoku/9/9/g39i12j9g7i8h4g1h6g42")


def test_the_table_lists_every_format() -> None:
    rows = [[cell.strip() for cell in row.split("|")[1:-1]] for row in re.findall(r"^\| `.*$", PAGE, re.MULTILINE)]
    assert [row[0].strip("`") for row in rows] == list(formats.names())
    for name, suffixes, puzzles, _ in rows:
        codec = formats.codec(name.strip("`"))
        assert set(re.findall(r"\.[a-z]+", suffixes)) <= set(codec.suffixes)
        assert bool(suffixes) is bool(codec.suffixes)
        titles = {puzzle_class(kind).title for kind in codec.kinds}
        assert (
            puzzles == "all"
            if {*codec.kinds} == {*KINDS}
            else puzzles == "these four" or set(puzzles.split(", ")) == titles
        )


def test_every_option_that_is_told_exists() -> None:
    from bridge.cli.convert import convert
    from bridge.cli.ground import ground
    from bridge.cli.puzzle import check

    known = {
        option for command in (convert, ground, check) for parameter in command.params for option in parameter.opts
    }
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", PAGE)) <= known
