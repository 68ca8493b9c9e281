"""JSON as RFC 8259 has it: no `NaN` or `Infinity`, and nothing that cannot be encoded.

>>> dumps({"word": "ținut"}), dumps({"word": "\\ud800"}), dumps("ț", encoding="ascii")
('{"word": "ținut"}', '{"word": "\\\\ud800"}', '"\\\\u021b"')
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from bridge.errors import UnsupportedError

#: The version of the forms of JSON that commands print: a higher one when a key goes, or its meaning changes.
VERSION = 1

#: The message for data that programs which read JSON could not read either.
NESTED = "an answer is nested too deeply for JSON"


@cache
def _encode(*, escaped: bool) -> Callable[[Any], str]:
    import json  # here: most commands write none, and it takes longer to load than most modules

    return json.JSONEncoder(ensure_ascii=escaped, allow_nan=False).encode


def dumps(data: Any, encoding: str = "utf-8") -> str:
    """Data as JSON on one line; letters that the encoding does not have, and halves of surrogate pairs, as `\\uXXXX`.

    Raises ValueError for a float that is not finite (`bridge.cli.values` encodes these), and UnsupportedError for data
    that are nested too deeply.
    """
    try:
        text = _encode(escaped=False)(data)
    except RecursionError:
        raise UnsupportedError(NESTED) from None
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return _encode(escaped=True)(data)
    return text
