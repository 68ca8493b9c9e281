"""Frames: plain data between processes, in MessagePack, which is safe to read from any source.

    >>> unpack(pack(("answer", 2**70, [1.5, b"raw"])))
    ('answer', 1180591620717411303424, [1.5, b'raw'])

A frame is its length in four bytes, then one value: None, a bool, int, float, str, bytes, list, tuple, or a dict with
keys of type str. Types that MessagePack lacks are marked: a tuple is an array that begins with an extension of type
`_TUPLE`, and an integer of more than 64 bits is an extension of type `_INTEGER`. Values may be nested about 500 deep.
"""

from __future__ import annotations

import struct
from typing import Any

import msgpack

#: A frame is at most so many bytes. Reading one takes up to a hundred times its size in memory, so an untrusted process
#: may send only smaller ones.
MOST, MOST_UNTRUSTED = 1 << 30, 1 << 24

_LENGTH = struct.Struct("!I")
_TUPLE, _INTEGER = 1, 2


class FrameError(ValueError):
    """A value that cannot be sent, or bytes that are not frame."""


def frame(value: Any, most: int = MOST) -> bytes:
    """A value as a frame.

    Raises
    ------
    FrameError
        When it is too large, too deep, or no plain data.
    """
    data = pack(value)
    if len(data) > most:
        raise FrameError(f"{len(data):,} bytes in one piece are too many to send: at most {most:,} are sent")
    return _LENGTH.pack(len(data)) + data


def pack(value: Any) -> bytes:
    """A value as MessagePack.

    Raises
    ------
    FrameError
        When it is nested too deeply, or no plain data.
    """
    try:
        packed: bytes = msgpack.packb(value, strict_types=True, default=_marked, unicode_errors="surrogatepass")
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise FrameError(f"this cannot be sent between processes: {error}") from None
    return packed


def _marked(value: Any) -> Any:
    if type(value) is tuple:
        return [_TUPLE_MARK, *value]
    if type(value) is int:
        return msgpack.ExtType(_INTEGER, value.to_bytes(value.bit_length() // 8 + 1, "little", signed=True))
    raise TypeError(f"{type(value).__name__} is not plain data")


_TUPLE_MARK = msgpack.ExtType(_TUPLE, b"")
_TUPLE_MARK_PACKED: bytes = msgpack.packb(_TUPLE_MARK)


#: Stands at the beginning of an array that is a tuple.
_MARK = object()


def unpack(data: bytes) -> Any:
    """The value that was packed.

    Raises
    ------
    FrameError
        When the bytes are not what `pack` writes.
    """
    hook = _list if _TUPLE_MARK_PACKED in data else None  # arrays without a hook are read twice as fast
    try:
        return msgpack.unpackb(
            data, ext_hook=_extension, list_hook=hook, strict_map_key=True, unicode_errors="surrogatepass"
        )
    except (ValueError, TypeError, OverflowError, RecursionError, MemoryError, msgpack.UnpackException) as error:
        raise FrameError(f"not a frame: {type(error).__name__} {error}".rstrip()) from None


def _extension(code: int, data: bytes) -> Any:
    if code == _TUPLE and not data:
        return _MARK
    if code == _INTEGER:
        return int.from_bytes(data, "little", signed=True)
    raise ValueError(f"an extension of type {code}")


def _list(items: list[Any]) -> Any:
    return tuple(items[1:]) if items and items[0] is _MARK else items


class Buffer:
    """Bytes as they arrive, and the frames that they make.

    Parameters
    ----------
    most
        The size of the largest frame that is taken.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._bytes = bytearray()

    def add(self, data: bytes) -> None:
        self._bytes += data

    def next(self) -> bytes | None:
        """The content of the next frame; None when it has not arrived in full.

        Raises
        ------
        FrameError
            When it says that it is too large.
        """
        if len(self._bytes) < 4:
            return None
        size = _LENGTH.unpack_from(self._bytes)[0]
        if size > self._most:
            raise FrameError(f"a frame of {size:,} bytes, and at most {self._most:,} are taken")
        if len(self._bytes) < 4 + size:
            return None
        content = bytes(memoryview(self._bytes)[4 : 4 + size])
        del self._bytes[: 4 + size]
        return content
