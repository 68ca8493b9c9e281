"""Which form of the search is loaded: compiled by mypyc, or the Python that it was compiled from.

The modules named in `MODULES` do nearly all of the work. `hatch_build.py` compiles them into the folder `_compiled`,
with a manifest of what was compiled. That folder comes first in the path of the package, but only if its manifest fits:
it is for this Python, and every source is still what was compiled. So a module that was changed since then never runs
in its old form, and without a compiler, or with `LPBRIDGE_PURE=1`, the same modules run as Python.

Only the standard library is imported here: `hatch_build.py` loads this file by itself.
"""

from __future__ import annotations

import json
import os
import sysconfig
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

#: What is compiled, in the folder of this file.
MODULES = ("network", "inference", "keys", "matching", "ordering", "propagators", "walk")

#: What these import from the package, and what is therefore needed to compile them.
NEEDED = ("propagator", "strategy")

#: Where the compiled form is, and what is known about it.
FOLDER = "_compiled"
MANIFEST = "manifest.json"

#: Set to anything but 0, it asks for Python.
PURE = "LPBRIDGE_PURE"


@dataclass(frozen=True, slots=True)
class Form:
    """The form that is loaded: whether it is the compiled one, and by what it was compiled, or why it is not."""

    compiled: bool
    words: str

    def __str__(self) -> str:
        return f"compiled by {self.words}" if self.compiled else f"pure Python: {self.words}"


def choose(package: Path) -> Form:
    """The form to load for the package in a folder."""
    if os.environ.get(PURE, "0") not in ("", "0"):
        return Form(False, f"{PURE} is set")
    try:
        manifest = json.loads((package / FOLDER / MANIFEST).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Form(False, "not compiled")
    if "problem" in manifest:
        return Form(False, manifest["problem"])
    if manifest["python"] != python():
        return Form(False, f"compiled for another Python, {manifest['python']}")
    hashes = hashes_of(package)
    changed = sorted(name for name in hashes if hashes[name] != manifest["sources"].get(name))
    if changed:
        return Form(False, f"{', '.join(changed)} changed after the compilation")
    return Form(True, manifest["compiler"])


def hashes_of(package: Path) -> dict[str, str]:
    """The sources in a folder that the compiled form is made of."""
    names = [f"{name}.py" for name in (*MODULES, *NEEDED)]
    return {name: sha256((package / name).read_bytes()).hexdigest() for name in names}


def python() -> str:
    """The binary interface that extension modules of this Python have."""
    suffix: Any = sysconfig.get_config_var("EXT_SUFFIX")
    return str(suffix)
