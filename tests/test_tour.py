"""The tour runs from its first cell to its last, and what is stored in it is what comes out."""

from __future__ import annotations

import json
from typing import Any

import nbclient
import nbformat
from shared_data import ROOT

TOUR = ROOT / "examples" / "tour.ipynb"


def shown(cell: Any) -> list[str]:
    """What a cell shows: pictures as SVG, everything else as text."""
    found = []
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        found.append(str(data.get("image/svg+xml") or data.get("text/plain") or output.get("text", "")))
    return found


def test_the_tour_runs_and_shows_what_is_stored() -> None:
    stored = nbformat.read(TOUR, as_version=4)
    nbformat.validate(stored)
    again = nbformat.from_dict(json.loads(json.dumps(stored)))
    folder = {"metadata": {"path": str(TOUR.parent)}}
    nbclient.NotebookClient(again, timeout=300, kernel_name="python3", resources=folder).execute()
    for before, after in zip(stored.cells, again.cells, strict=True):
        if before.cell_type != "code":
            continue
        if "varies" in before.metadata.get("tags", []):  # times, or as small a clash as there was time for
            assert [one[:4] for one in shown(after)] == [one[:4] for one in shown(before)], before.source
        else:
            assert shown(after) == shown(before), f"run `jupyter execute --inplace {TOUR.name}`: {before.source}"


def test_what_is_stored_is_small_and_has_pictures() -> None:
    assert TOUR.stat().st_size < 400_000
    pictures = [
        one for cell in nbformat.read(TOUR, as_version=4).cells for one in shown(cell) if one.startswith("<svg")
    ]
    assert len(pictures) == 8
    assert all('role="img"' in one for one in pictures)
