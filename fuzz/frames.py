"""Malformed frames to the caller of a worker: answers, or a `BridgeError`, and nothing else.

The bytes are frames as a worker sends them, with values exchanged, with mistakes, or none at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, get_args

from bridge.errors import BridgeError
from bridge.limits import LimitName, Limits
from fuzz.campaign import Campaign, Case, Tally, demand
from fuzz.host import fed, framed
from fuzz.mutation import mutated, pieces

#: An end, as `bridge.isolation.worker.ENDING` has it.
END: list[Any] = [True, None, None, None, None, {"solve": 0.1}, {"choices": 3}]

ODD: list[Any] = [
    None, True, -1, 0, 1, 2, 2**31, 2**63, 2**200, 1.5, float("nan"), "", "x", "\ud800", b"", b"\xff", [], {}, [[]],
    {"a": None},
    ["items"], (), (1, 2), "crash", "seconds", "halt", "memory", [1] * 300, "a" * 3000,
]  # fmt: skip

#: Ends a reader that uses `marshal` with SIGSEGV.
KNOWN = b"\0\0\0\x0a\x7b\xa9\x01\x72\0\0\0\0\x4e\x30"


class Frames(Campaign):
    """What a worker may send that is not what it should send."""

    name = "frames"
    unit = "inputs"
    weight = 0.3
    round = 1000

    def make(self, chance: Random) -> Case:
        messages = [_message(chance) for _ in range(chance.choice([1, 1, 2, 3]))]
        if chance.random() < 0.5:
            messages[-1:] = [_changed(chance, messages[-1])]
        data = b""
        for message in messages:
            try:
                data += framed(message)
            except Exception:  # the sender refuses a value that the reader is to see all the same: leave it out
                data += framed(("items", 1, ["sent instead"]))
        if chance.random() < 0.7:
            data = mutated(chance, data, [framed(_message(chance)), KNOWN])
        if chance.random() < 0.1:
            data = len(data).to_bytes(4, "big") + data
        if chance.random() < 0.1:
            data = bytes(chance.randrange(256) for _ in range(4)) + data
        return {"data": data.decode("latin-1")}

    def check(self, case: Case, tally: Tally) -> None:
        data = case["data"].encode("latin-1")
        try:
            answers, progress = fed(data, Limits(solutions=100))
        except BridgeError as error:
            tally["errors"] += 1
            demand("error", type(error.message) is str, f"the message is {error.message!r}")
            str(error)
            return
        tally["answers"] += len(answers)
        demand("end", type(progress.complete) is bool, f"complete is {progress.complete!r}")
        demand("end", progress.limit in (None, *get_args(LimitName)), f"the limit is {progress.limit!r}")

    def smaller(self, case: Case) -> Iterator[Case]:
        yield from ({"data": piece.decode("latin-1")} for piece in pieces(case["data"].encode("latin-1")))


def _message(chance: Random) -> list[Any] | tuple[Any, ...]:
    kind = chance.choice(["items", "items", "done", "error"])
    if kind == "items":
        return (kind, 1, [chance.choice(ODD) for _ in range(chance.randint(0, 4))])
    end = list(END)
    if chance.random() < 0.3:
        end[:2] = False, chance.choice(get_args(LimitName))
    error = (chance.choice(["program", "input", "solver", "limit"]), "what is wrong", ("a.lp", 1, 2), "do this")
    return (kind, 1, end) if kind == "done" else (kind, 1, end, error)


def _changed(chance: Random, value: Any) -> Any:
    """The same with one part exchanged."""
    if isinstance(value, dict) and value and chance.random() < 0.9:
        key = chance.choice([*value])
        return {**value, key: _changed(chance, value[key])}
    if isinstance(value, list | tuple) and value and chance.random() < 0.9:
        index = chance.randrange(len(value))
        return type(value)([*value[:index], _changed(chance, value[index]), *value[index + 1 :]])
    return chance.choice(ODD)
