"""Charts of comparisons."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from bridge.drawing.plots import comparison_chart
from bridge.errors import InputError, UnsupportedError


def comparison(instances: int) -> dict[str, Any]:
    """What `lpbridge compare --json` prints: one engine is fast, one is out of time on every other, one cannot run."""
    names = [f"problem {number}" for number in range(1, instances + 1)]
    rows = []
    for number, name in enumerate(names):
        late = number % 2 == 1
        rows += [
            {"instance": name, "engine": "asp", "verdict": "unique", "seconds": {"total": 0.002 + number / 100}, "error": None},
            {"instance": name, "engine": "bt", "verdict": "unknown" if late else "unique", "seconds": {"total": 10.0 if late else 0.5}, "error": None},
            {"instance": name, "engine": "clpfd", "verdict": "unknown", "seconds": {"total": 0.0}, "error": "not installed"},
        ]  # fmt: skip
    return {"puzzle": "sudoku", "instances": names, "engines": ["asp", "bt", "clpfd"], "rows": rows}


def test_few_instances_are_bars() -> None:
    chart = comparison_chart(comparison(2))
    svg = chart.render("svg").decode()
    root = ElementTree.fromstring(svg)
    assert root.get("role") == "img"
    assert "problem 1, asp: 2 ms unique; problem 1, bt: 0.5 s unique; problem 1, clpfd: cannot run" in svg
    for told in ("problem 2", "12 ms unique", "10 s no verdict", "cannot run"):
        assert f">{told}</text>" in svg
    assert len(chart.figure.axes[0].patches) == 6


def test_many_are_a_cactus_plot() -> None:
    chart = comparison_chart(comparison(20))
    asp, bt, clpfd = chart.figure.axes[0].lines
    assert list(asp.get_xdata()) == list(range(1, 21))
    assert list(asp.get_ydata()) == sorted(asp.get_ydata())
    assert len(bt.get_xdata()) == 10
    assert len(clpfd.get_xdata()) == 0
    assert "bt: 10 of 20" in chart.render("svg").decode()


def test_files(tmp_path: Path) -> None:
    chart = comparison_chart(comparison(2))
    for form, head in (("svg", b"<svg "), ("png", b"\x89PNG"), ("pdf", b"%PDF")):
        chart.save(tmp_path / f"chart.{form}")
        data = (tmp_path / f"chart.{form}").read_bytes()
        assert data.startswith(head)
        assert data == comparison_chart(comparison(2)).render(form), "the same data, the same bytes"
    assert chart._repr_svg_().startswith("<svg ")
    with pytest.raises(InputError, match="no chart format 'txt'"):
        chart.save(tmp_path / "chart.txt")
    with pytest.raises(InputError, match="cannot be written"):
        chart.save(tmp_path / "nowhere" / "chart.svg")


def test_nothing_to_draw() -> None:
    with pytest.raises(InputError, match="nothing to draw"):
        comparison_chart({**comparison(1), "rows": []})


def test_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(UnsupportedError, match=r"lpbridge\[pictures\]"):
        comparison_chart(comparison(1))
