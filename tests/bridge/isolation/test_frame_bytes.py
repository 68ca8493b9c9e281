"""Frames byte by byte: what is written, what is taken, and what is refused."""

from __future__ import annotations

import pytest

from bridge.isolation import frames
from bridge.isolation.frames import Buffer, FrameError, frame, pack, unpack

TUPLE, LARGE = b"\xc7\x00\x01", b"\xc7\x09\x02" + bytes(8) + b"\x01"

WRITTEN: list[tuple[object, bytes]] = [
    (None, b"\xc0"),
    ([], b"\x90"),
    ((), b"\x91" + TUPLE),
    ((1, []), b"\x93" + TUPLE + b"\x01\x90"),
    ([(True,)], b"\x91\x92" + TUPLE + b"\xc3"),
    ({"a": 1}, b"\x81\xa1a\x01"),
    (2**64 - 1, b"\xcf" + b"\xff" * 8),
    (2**64, LARGE),
    (-(2**63) - 1, b"\xc7\x09\x02" + b"\xff" * 7 + b"\x7f\xff"),
    ("\ud800", b"\xa3\xed\xa0\x80"),
]


@pytest.mark.parametrize(("value", "data"), WRITTEN)
def test_what_is_written_is_read(value: object, data: bytes) -> None:
    assert pack(value) == data
    assert unpack(data) == value
    assert frame(value) == len(data).to_bytes(4, "big") + data


class Many(list[int]):
    """A list, and more."""


@pytest.mark.parametrize("value", [{1}, object(), Many(), 1j, {"a": b"".join}, {"a": {2: [Many()]}}])
def test_other_data_is_not_sent(value: object) -> None:
    with pytest.raises(FrameError, match="cannot be sent between processes"):
        pack(value)


@pytest.mark.parametrize(
    "data",
    [
        b"", b"\xc1", b"\x91", b"\x01\x01", b"\x81\x01\x01", b"\xd4\x01x", b"\xd4\x03x", b"\xc7\x00\x03", b"\xa1\xff",
    ],
)  # fmt: skip
def test_other_bytes_are_not_taken(data: bytes) -> None:
    with pytest.raises(FrameError, match="not a frame"):
        unpack(data)


def test_a_frame_has_a_size() -> None:
    assert (frames.MOST, frames.MOST_UNTRUSTED) == (2**30, 2**24)
    assert frame("123", most=4) == b"\0\0\0\x04\xa3123"
    with pytest.raises(FrameError, match="5 bytes in one piece are too many to send: at most 4 are sent"):
        frame("1234", most=4)


def test_frames_arrive_in_pieces() -> None:
    buffer, found = Buffer(most=3), list[tuple[int, bytes]]()
    for number, byte in enumerate(b"\0\0\0\x03abc\0\0\0\0\0\0\0\x01d\0\0\0\x04"[:-1]):
        buffer.add(bytes([byte]))
        while (content := buffer.next()) is not None:
            found.append((number, content))
    assert found == [(6, b"abc"), (10, b""), (15, b"d")]
    buffer.add(b"\x04")
    with pytest.raises(FrameError, match="a frame of 4 bytes, and at most 3 are taken"):
        buffer.next()


def test_two_frames_at_once() -> None:
    buffer = Buffer()
    buffer.add(frame("a") + frame([]) + b"\0")
    assert [buffer.next(), buffer.next(), buffer.next()] == [b"\xa1a", b"\x90", None]
