"""PNG, PDF and files; what is said when the extra is missing."""

from __future__ import annotations

import struct
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from pictures_for_tests import EVERY, NAMES, Picture, report3

from bridge.drawing import document
from bridge.errors import InputError, UnsupportedError
from bridge.puzzles.render import instance


@pytest.mark.parametrize(("kind", "name", "picture"), EVERY, ids=NAMES)
def test_png_and_pdf_of_every_kind(kind: str, name: str, picture: Picture) -> None:
    root = ElementTree.fromstring(picture.svg("dark"))
    png = picture.png("dark")
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    wide, high = struct.unpack(">II", png[16:24])
    assert (wide, high) == (2 * int(root.get("width", "")), 2 * int(root.get("height", "")))
    pdf = picture.pdf("dark")
    assert pdf.startswith(b"%PDF-")
    assert b"/FontFile2" in pdf, "text is text"
    assert b"/Subtype/Image" not in pdf.replace(b" ", b""), "lines are lines"


def test_the_same_bytes_each_time() -> None:
    picture = instance(report3(6))
    assert picture.png() == picture.png()
    assert picture.pdf() == picture.pdf()


@pytest.mark.parametrize("form", ["svg", "png", "pdf", "txt", "SVG"])
def test_the_ending_of_a_file_says_its_format(tmp_path: Path, form: str) -> None:
    picture = instance(report3(6))
    picture.save(tmp_path / f"picture.{form}")
    assert (tmp_path / f"picture.{form}").read_bytes() == picture.render(form.lower())


def test_wrong_files(tmp_path: Path) -> None:
    picture = instance(report3(6))
    with pytest.raises(InputError, match=r"no picture format 'gif'; one of: svg, png, pdf, txt"):
        picture.save(tmp_path / "picture.gif")
    with pytest.raises(InputError, match="cannot be written"):
        picture.save(tmp_path / "nowhere" / "picture.svg")


@pytest.mark.parametrize(("package", "cached"), [("typst", document._typst), ("matplotlib", document._fonts)])
def test_a_missing_package_is_named_with_its_extra(
    monkeypatch: pytest.MonkeyPatch, package: str, cached: object
) -> None:
    for function in (document._typst, document._fonts):
        function.cache_clear()
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(UnsupportedError, match=rf"need {package}.*lpbridge\[pictures\]"):
        instance(report3(6)).png()
    for function in (document._typst, document._fonts):
        function.cache_clear()
    assert instance(report3(6)).svg(), "SVG needs nothing"
