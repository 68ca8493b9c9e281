"""The base64 form of lz-string, which compresses puzzles in links of f-puzzles and SudokuPad.

The algorithm is LZ78 over UTF-16 code units: compressor and decompressor build the same dictionary of strings, and the
output is a sequence of entry numbers, each in as many bits as the largest number needs. Three numbers are codes: 0 and
1 announce a new character of 8 or 16 bits, 2 is the end. It is implemented here because no maintained package of it is
a pure wheel; the tests compare it with output of the original.
"""

from __future__ import annotations

from collections.abc import Iterator

from bridge.errors import InputError

_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_VALUE = {character: value for value, character in enumerate(_ALPHABET)}
_SHORT, _LONG, _END = 0, 1, 2

#: The greatest length of a link, packed and unpacked: a short one can unpack to a very long text.
LARGEST = 1 << 20


def decompress(text: str) -> str:
    """The text that was packed.

    Raises
    ------
    InputError
        When it is malformed, or unpacks to too long a text.
    """
    if len(text) > LARGEST:
        raise InputError(f"{len(text):,} characters are packed: no puzzle is that long")
    units = "".join(_unpacked(_Bits(text)))
    return units.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _unpacked(bits: _Bits) -> Iterator[str]:
    entries: dict[int, str] = {}
    width, full, length = 2, 4, 0  # numbers have `width` bits until the next entry has the number `full`
    known, previous = 3, ""  # numbers below 3 are codes
    while (number := bits.take(width)) != _END:
        if number in (_SHORT, _LONG):
            entries[known] = chr(bits.take(8 if number == _SHORT else 16))
            number, known = known, known + 1
        if number in entries:
            entry = entries[number]
        elif number == known and previous:
            entry = previous + previous[0]  # the entry that is about to be added
        else:
            raise InputError("not packed by lz-string, or cut short", hint="copy the whole link")
        if (length := length + len(entry)) > LARGEST:
            raise InputError(f"it unpacks to more than {LARGEST:,} characters: no puzzle is that long")
        yield entry
        if previous:
            entries[known] = previous + entry[0]
            known += 1
        previous = entry
        # The compressor has added the entry of this step already: it is one ahead.
        while known + 1 > full:
            width, full = width + 1, full * 2


class _Bits:
    """The bits of a base64 text, six a character, and numbers of them, the least bit first."""

    def __init__(self, text: str) -> None:
        self._text = text.rstrip("=")
        self._at = 0

    def take(self, count: int) -> int:
        number = 0
        for power in range(count):
            place, bit = divmod(self._at, 6)
            if place >= len(self._text):
                raise InputError("packed text that is cut short", hint="copy the whole link")
            if (value := _VALUE.get(self._text[place])) is None:
                raise InputError(f"character {place + 1} of the packed text is {self._text[place]!r}: not base64")
            number |= (value >> (5 - bit) & 1) << power
            self._at += 1
        return number


def compress(text: str) -> str:
    """A text, packed as the original packs it, bit for bit."""
    coded = text.encode("utf-16-le", "surrogatepass")
    packer = _Packer()
    for at in range(0, len(coded), 2):
        packer.add(chr(int.from_bytes(coded[at : at + 2], "little")))
    return packer.end()


class _Packer:
    """Compression: writes the longest entry that matches, and adds it with the next character as a new entry."""

    def __init__(self) -> None:
        self._entries: dict[str, int] = {}
        self._new: set[str] = set()  # characters that were not written yet
        self._phrase = ""
        self._width, self._left = 2, 2  # entries to add before numbers get wider
        self._bits: list[int] = []

    def add(self, character: str) -> None:
        if character not in self._entries:
            self._entries[character] = len(self._entries) + 3
            self._new.add(character)
        longer = self._phrase + character
        if longer in self._entries:
            self._phrase = longer
            return
        self._send_phrase()
        self._entries[longer] = len(self._entries) + 3
        self._phrase = character

    def end(self) -> str:
        if self._phrase:
            self._send_phrase()
        self._send(_END, self._width)
        self._bits.append(0)  # the original always pads with one bit or more
        self._bits += [0] * (-len(self._bits) % 6)
        sextets = (self._bits[at : at + 6] for at in range(0, len(self._bits), 6))
        packed = "".join(_ALPHABET[int("".join(map(str, bits)), 2)] for bits in sextets)
        return packed + "=" * (-len(packed) % 4)

    def _send_phrase(self) -> None:
        if self._phrase in self._new:
            self._new.remove(self._phrase)
            short = ord(self._phrase) < 256
            self._send(_SHORT if short else _LONG, self._width)
            self._send(ord(self._phrase), 8 if short else 16)
            self._counted()
        else:
            self._send(self._entries[self._phrase], self._width)
        self._counted()

    def _send(self, number: int, width: int) -> None:
        self._bits += [number >> power & 1 for power in range(width)]

    def _counted(self) -> None:
        self._left -= 1
        if not self._left:
            self._left, self._width = 1 << self._width, self._width + 1
