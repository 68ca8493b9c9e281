"""Comments `#:` above a field or constant are its description in the reference, as in the sources."""

from __future__ import annotations

import ast
from typing import Any

from griffe import Attribute, Docstring, Extension, ObjectNode


class FieldComments(Extension):
    """Makes the lines `#:` above an attribute its docstring."""

    def on_attribute_instance(self, *, node: ast.AST | ObjectNode, attr: Attribute, **_: Any) -> None:
        if attr.docstring is not None or attr.lineno is None:
            return
        said: list[str] = []
        for line in reversed(attr.lines_collection[attr.filepath][: attr.lineno - 1]):  # type: ignore[index]
            if not line.strip().startswith("#:"):
                break
            said.insert(0, line.strip().removeprefix("#:").strip())
        if said:
            attr.docstring = Docstring("\n".join(said), parent=attr)
