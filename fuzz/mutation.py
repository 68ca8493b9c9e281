"""Bytes with mistakes in them: bits flipped, pieces cut, doubled and exchanged, odd characters, huge numbers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

#: No input is longer, in bytes.
LONGEST = 8192

ODD = [
    "\0", "\ufeff", "\u200b", "\u202e", "＃", "２", "é", "e\u0301", "ß", "ŉ", "İ", "ǅ", "𝟙", "²", "①", "٣", "\x85",
    "\u2028", "\x1c",
    "\ud7ff", "😀", "\r", "\r\n", "\t", "\v", "\\", "\"", "'", "`", "%", "#", "&", "//", "/*", "%*", "<", ">", "^", "v",
    "\u0130", "ﬁ", "Ω", "ſ", "|", "-", "+", "=", "...", "..", ":", ";", ",", "[", "]", "{", "}", "(", ")", "null",
    "NaN", "true",
    "order 3", "box 2x2", "variant ", "lines repeat", "#const n = 3.", "[override]", "#include", "=>", ":-",
    "\\x41\\", "0'a",
]  # fmt: skip
NUMBERS = [
    "0", "-1", "00", "1e9", "1.5", "255", "256", "65536", "2147483648", "4294967296", "9999999999",
    "18446744073709551616",
    "9" * 40, "9" * 400, "9" * 5000, "1..3", "1..9999999", "0x10", "1_000", "１２",
]  # fmt: skip
VALUES: list[Any] = [
    None, True, False, 0, -1, 1, 2, 1.5, 1e308, 10**30, "", "x", "1", "#", [], [[]], {}, [None], {"a": 1}, "é", "\0",
    [1, 2, 3, 4],
    "9x9", [[1]], "sudoku", [10**9, 10**9], -0.0,
]  # fmt: skip


def mutated(chance: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """A few mistakes in some bytes."""
    for _ in range(chance.choice([1, 1, 1, 2, 3, 6])):
        data = _once(chance, data, others)[:LONGEST]
    return data


def _once(chance: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    kind, size = chance.randrange(12), len(data)
    at = chance.randint(0, size)
    end = min(size, at + chance.choice([1, 1, 2, 5, 20, 100]))
    if kind == 0 and size:
        at = chance.randrange(size)
        return data[:at] + bytes([data[at] ^ (1 << chance.randrange(8))]) + data[at + 1 :]
    if kind == 1:
        return data[:at] + data[end:]
    if kind == 2:
        return data[:at] if chance.random() < 0.5 else data[at:]
    if kind == 3:
        return data[:end] + data[at:end] * chance.choice([1, 1, 2, 30]) + data[end:]
    if kind == 4:
        other = chance.choice(others)
        cut = chance.randint(0, len(other))
        return data[:at] + other[cut:] if chance.random() < 0.5 else data[:at] + other[cut : cut + 30] + data[end:]
    if kind in (5, 6):
        return data[:at] + chance.choice(ODD).encode("utf-8") + data[end if chance.random() < 0.5 else at :]
    if kind in (7, 8) and (numbers := list(re.finditer(rb"\d+", data))):
        found = chance.choice(numbers)
        return data[: found.start()] + chance.choice(NUMBERS).encode() + data[found.end() :]
    if kind == 9:
        return data[:at] + bytes(chance.randrange(256) for _ in range(chance.randint(1, 4))) + data[end:]
    if kind == 10:
        deep = chance.choice([b"[", b'{"a":', b"(", b"f(", b"-", b"{", b"\\+", b'"', b"'"])
        return data[:at] + deep * chance.choice([2, 50, 1500]) + data[at:]
    lines = data.split(b"\n")
    chance.shuffle(lines)
    return b"\n".join(lines)


def mutated_json(chance: Random, value: Any) -> Any:
    """A JSON value with one part exchanged, taken away or doubled."""
    if isinstance(value, dict) and value and chance.random() < 0.9:
        key = chance.choice([*value])
        if chance.random() < 0.1:
            return {name: held for name, held in value.items() if name != key}
        if chance.random() < 0.05:
            return {
                **value,
                chance.choice(["grid", "box", "puzzle", "words", "less", "extra", ""]): chance.choice(VALUES),
            }
        return {**value, key: mutated_json(chance, value[key])}
    if isinstance(value, list) and value and chance.random() < 0.9:
        index = chance.randrange(len(value))
        if chance.random() < 0.15:
            return value[:index] + value[index + 1 :]
        if chance.random() < 0.1:
            return [*value, value[index]]
        return [*value[:index], mutated_json(chance, value[index]), *value[index + 1 :]]
    return chance.choice(VALUES)


def as_json(value: Any) -> bytes:
    return json.dumps(value).encode()


def pieces(data: bytes) -> Iterator[bytes]:
    """The same with something taken away, the largest pieces first."""
    size = len(data) // 2
    while size:
        for start in range(0, len(data), size):
            yield data[:start] + data[start + size :]
        size //= 2
