"""The text of smallest repairs, which do not say by themselves whether they take away or add."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bridge.common.english import plural

if TYPE_CHECKING:
    from bridge.analysis.repairs import Repairs


def repairs_text(found: Repairs[Any]) -> str:
    """The sets, one in a line."""
    if not found.sets:
        return "none" if found.complete else f"at least {found.size}; which was not found within the limits"
    others = "" if found.complete else ", perhaps there are others"
    sets = (", ".join(map(str, one)) for one in found.sets)
    return "\n".join([f"{plural(len(found.sets), 'set')} of {found.size}{others}:", *(f"  {one}" for one in sets)])
