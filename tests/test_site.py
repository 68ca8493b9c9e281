"""The site: `make docs` builds it without a warning, it has all of the public API, and its pages load nothing from elsewhere."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType

import pytest
import yaml
from shared_by_workers import made_once
from shared_data import ROOT

#: What a browser fetches by itself; a link is followed by people.
FETCHED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "object": "data", "link": "href"}

PACKAGES = ("bridge", "bridge.asp", "bridge.prolog", "bridge.puzzles", "bridge.puzzles.search", "bridge.puzzles.formats", "bridge.puzzles.render")

#: Names that are documented with their class: mkdocstrings does not see two names that are assigned at once.
MEMBERS = {"INFIMUM", "SUPREMUM"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_once(tmp_path_factory, "site", lambda: built(tmp_path_factory.mktemp("site")))


def built(folder: Path) -> Path:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


class _Tags(HTMLParser):
    """The addresses in a page: those that are fetched, and those that are linked to."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.linked: list[str] = []
        self.styles: list[str] = []
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if address := given.get(FETCHED.get(tag, ""), ""):
            self.fetched.append(address)
        if tag == "a" and "href" in given:
            self.linked.append(given["href"])
        self.styles.append(given.get("style", ""))


def test_nothing_is_fetched_from_another_host(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 20
    for page in pages:
        tags = _Tags(page)
        assert [one for one in tags.fetched if re.match(r"[a-z]+:|//", one) and not one.startswith("data:")] == [], page
        # Their script would fetch diagrams and the number of stars of a repository, if there were any.
        text = page.read_text(encoding="utf-8")
        assert 'class="mermaid"' not in text
        assert 'data-md-component="source"' not in text
        assert "@import" not in text
    for sheet in site.rglob("*.css"):
        assert not re.search(r"url\([\"']?(https?:)?//", sheet.read_text(encoding="utf-8")), sheet


def test_every_link_of_the_site_leads_to_a_file(site: Path) -> None:
    for page in site.rglob("*.html"):
        for link in _Tags(page).linked:
            target = link.partition("#")[0]
            if target and not re.match(r"[a-z]+:", link) and page.name != "404.html":
                assert (page.parent / target).exists(), f"{page.name}: {link}"


@pytest.mark.parametrize("package", PACKAGES)
def test_the_reference_has_every_public_name(site: Path, package: str) -> None:
    page = site / "reference" / f"{package.removeprefix('bridge.')}.html"
    told = set(re.findall(r'id="([\w.]+)"', page.read_text(encoding="utf-8")))
    module = importlib.import_module(package)
    public = {name for name in module.__all__ if not isinstance(getattr(module, name), ModuleType)} - MEMBERS
    assert {f"{package}.{name}" for name in public} <= told
    assert all(name in page.read_text(encoding="utf-8") for name in MEMBERS & {*module.__all__})


def test_the_reference_describes_fields_by_their_comments(site: Path) -> None:
    page = (site / "reference" / "puzzles.render.html").read_text(encoding="utf-8")
    assert "Cells that take no value." in page  # `Board.black`, above which this stands as `#:`


def test_comments_behind_fields_are_read() -> None:
    griffe = pytest.importorskip("griffe")
    code = "class Point:\n    #: Of both,\n    #: the first.\n    x: int\n    y: int = 0  #: The second.\n    z: int\n"
    extensions = griffe.load_extensions(f"{ROOT / 'docs' / 'field_comments.py'}:FieldComments")
    with griffe.temporary_visited_module(code, extensions=extensions) as module:
        told = {name: one.docstring and one.docstring.value for name, one in module["Point"].members.items()}
    assert told == {"x": "Of both,\nthe first.", "y": "The second.", "z": None}


def test_what_the_configuration_promises() -> None:
    told = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    assert told["theme"]["font"] is False
    assert "analytics" not in told["extra"]
    assert not {"extra_javascript", "extra_css", "repo_url"} & told.keys()
