"""PNG and PDF of an SVG picture, by Typst, without system libraries.

The fonts are those of matplotlib, never those of the machine: a picture looks the same everywhere.
"""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from bridge.errors import UnsupportedError

#: A page of the picture's size. The description is its alternative text, for screen readers.
_PAGE = b"""#set document(title: sys.inputs.title)
#set page(width: auto, height: auto, margin: 0pt)
#image(bytes(sys.inputs.svg), format: "svg", alt: sys.inputs.words)
"""

#: The date in every file, so that the same picture makes the same bytes.
_WHEN = datetime(2000, 1, 1, tzinfo=UTC)


def page(svg: str, title: str, words: str, **options: Any) -> bytes:
    """The SVG on a page of its size, as PDF or PNG; an SVG pixel is 1/96 inch."""
    return typeset(_PAGE, {"svg": svg, "title": title, "words": words}, **options)


def typeset(source: bytes, inputs: dict[str, str], **options: Any) -> bytes:
    """A document written for Typst, as PDF, or as PNG if it has one page; `inputs` is what it finds in `sys.inputs`.

    Raises UnsupportedError when the extra `pictures` is not installed.
    """
    typst, fonts = _typst(), str(_fonts())
    # The root is the only folder that a document may read: without it, the current one, which may be gone.
    compiled = typst.compile(source, root=fonts, font_paths=[fonts], ignore_system_fonts=True, sys_inputs=inputs,
                             timestamp=_WHEN, **options)
    assert isinstance(compiled, bytes)
    return compiled


def check_installed() -> None:
    """Check that PNG and PDF can be made, before the work for them is done: UnsupportedError without the extra."""
    for package in ("typst", "matplotlib"):
        if find_spec(package) is None:
            raise _missing(package)


def start_threads() -> None:
    """Start the threads of Typst, one for its work, if it is installed: for a process that may start none later."""
    os.environ.setdefault("RAYON_NUM_THREADS", "1")
    with suppress(UnsupportedError):
        typeset(b"", {}, format="svg")


@cache
def _typst() -> Any:
    try:
        import typst
    except ImportError:
        raise _missing("typst") from None
    return typst


@cache
def _fonts() -> Path:
    """The folder of matplotlib's fonts, found without importing matplotlib, which is slow."""
    found = find_spec("matplotlib")
    if found is None or found.origin is None:
        raise _missing("matplotlib")
    return Path(found.origin).parent / "mpl-data" / "fonts" / "ttf"


def _missing(package: str) -> UnsupportedError:
    hint = "pip install 'lpbridge[pictures]'; SVG and text need nothing"
    return UnsupportedError(f"PNG and PDF need {package}, which is not installed", hint=hint)
