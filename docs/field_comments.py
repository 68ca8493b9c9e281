"""Comments `#:` above a field or constant, or behind it, are its description in the reference, as in the sources."""

from __future__ import annotations

import ast
from typing import Any

from griffe import Attribute, Docstring, Extension, ObjectNode


class FieldComments(Extension):
    """Makes the lines `#:` above an attribute its docstring, or what stands behind it."""

    def on_attribute_instance(self, *, node: ast.AST | ObjectNode, attr: Attribute, **_: Any) -> None:
        if attr.docstring is not None or attr.lineno is None:
            return
        *above, own = attr.lines_collection[attr.filepath][: attr.lineno]  # type: ignore[index]
        found = [own.rpartition("  #: ")[2]] if "  #: " in own else []
        for line in reversed(above if not found else ()):
            if not line.strip().startswith("#:"):
                break
            found.insert(0, line.strip().removeprefix("#:").strip())
        if found:
            attr.docstring = Docstring("\n".join(found), parent=attr)
