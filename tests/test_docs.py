"""The page about programs is true: its Python runs, in one go, and gives what the comments say."""

from __future__ import annotations

import re

import pytest
from shared_data import ROOT

PAGE = (ROOT / "docs" / "programs.md").read_text(encoding="utf-8")


def test_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    seen: dict[str, object] = {"__name__": "page"}
    for number, code in enumerate(re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE), 1):
        exec(compile(code, f"docs/programs.md, block {number}", "exec", dont_inherit=True), seen)
    assert eval("sorted(nodes)", seen) == [(1,), (2,), (5,)]
    assert eval("outcome.complete, outcome.limit, outcome.rung", seen) == (False, "seconds", "stop")
    assert eval("found", seen) > 100  # type: ignore[operator]
    assert eval("squares", seen) == 4
    assert eval("str(answer['X'].domain)", seen) == "3..4"


def test_commands_and_options_exist() -> None:
    from bridge.cli.ground import ground
    from bridge.cli.run import run

    known = {option for command in (run, ground) for parameter in command.params for option in parameter.opts}
    for option in set(re.findall(r"(?<![\w-])--?[a-z]+", "\n".join(re.findall(r"^lpbridge.*$", PAGE, re.MULTILINE)))):
        assert option in known, option
