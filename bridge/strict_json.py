"""JSON as RFC 8259 has it: no `NaN` or `Infinity`, and nothing that cannot be encoded.

>>> dumps({"word": "ținut"}), dumps({"word": "\\ud800"}), dumps("ț", encoding="ascii")
('{"word": "ținut"}', '{"word": "\\\\ud800"}', '"\\\\u021b"')
"""

from __future__ import annotations

import json
from typing import Any

_plain = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
_escaped = json.JSONEncoder(allow_nan=False).encode


def dumps(data: Any, encoding: str = "utf-8") -> str:
    """Data as JSON on one line; letters that the encoding does not have, and halves of surrogate pairs, as `\\uXXXX`.

    Raises
    ------
    ValueError
        For a float that is not finite; `bridge.cli.values` encodes these.
    """
    text = _plain(data)
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return _escaped(data)
    return text
