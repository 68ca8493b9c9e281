"""What mkdocs has to be told of this repository: pages that lie beside `docs`, and files that pages link to.

On the hosting site a page links to `../SECURITY.md` or `../encodings/sudoku/sudoku.lp`. In the built site the
first is a page, too, and the second a file below `files/`, so that every link works in both places.
"""

from __future__ import annotations

import re
from pathlib import Path
from posixpath import dirname, join, normpath, relpath
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parent.parent

#: Pages beside `docs`, and what they are called in the site.
BESIDE = {
    "README.md": "overview.md",
    "SECURITY.md": "security.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
}

_LINK = re.compile(r"\[([^]]+)\]\((?!https?:|mailto:|#)([^)#\s]+)(#[^)]*)?\)")


def on_files(files: Files, config: Any) -> Files:
    """Add the pages beside `docs`, and every file that a page links to."""
    for source, name in BESIDE.items():
        files.append(File.generated(config, name, content=(ROOT / source).read_text(encoding="utf-8")))
    for page in [*files.documentation_pages()]:
        for _, target, _ in _LINK.findall(page.content_string):
            path = _in_repository(page.src_uri, target)
            shared = f"files/{path}"
            if _is_file(path) and files.get_file_from_path(shared) is None:
                files.append(File.generated(config, shared, abs_src_path=str(ROOT / path)))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Turn links into the repository into links within the site."""
    here = page.file.src_uri

    def link(found: re.Match[str]) -> str:
        text, target, anchor = found[1], found[2], found[3] or ""
        path = _in_repository(here, target)
        if (ROOT / path).is_dir():  # there are no folders in the site
            return text
        there = f"files/{path}" if _is_file(path) else BESIDE.get(path, path.removeprefix("docs/"))
        return f"[{text}]({relpath(there, dirname(here) or '.')}{anchor})"

    return _LINK.sub(link, markdown)


def _in_repository(page: str, target: str) -> str:
    """The path from the root of the repository that a link means."""
    if page.startswith("files/"):
        return normpath(join(dirname(page.removeprefix("files/")), target))
    beside = next((source for source, name in BESIDE.items() if name == page), f"docs/{page}")
    return normpath(join(dirname(beside), target))


def _is_file(path: str) -> bool:
    return not path.startswith(("docs/", "..")) and path not in BESIDE and (ROOT / path).is_file()
