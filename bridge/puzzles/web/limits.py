"""All limits of the workbench, and what a page sent as JSON."""

from __future__ import annotations

import json
from typing import Any

from bridge.errors import InputError

#: Bytes of a question: a word list of 100,000 words is about a million.
MOST_BYTES = 2_000_000

#: Seconds in which it has to be sent.
SENDING = 10.0

#: The greatest number of requests that are open at once; further ones are refused.
MOST_REQUESTS = 250

#: The greatest number of questions that wait; further ones are refused.
MOST_WAITING = 100

#: The longest wait of a question, in seconds.
WAITING = 30.0

#: Seconds that a worker has to stop after its question was cancelled, before it is killed.
PATIENCE = 0.15

#: Seconds of each question, and the memory that a worker may allocate after its start.
SECONDS = {
    "look": 8.0,
    "explain": 15.0,
    "compare": 30.0,
    "generate": 20.0,
    "read": 5.0,
    "write": 5.0,
    "links": 4.0,
    "picture": 8.0,
    "board": 4.0,
    "blank": 4.0,
    "source": 5.0,
}
MEMORY = 1 << 30

#: Of these, what a diagnosis may take in all, and each engine of a comparison.
LOOK_SECONDS = 6.0
ROW_SECONDS = 3.0


def object_in(text: bytes, wanted: str) -> dict[str, Any]:
    """The object that a page sent as JSON."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        raise InputError(wanted)
    return data
