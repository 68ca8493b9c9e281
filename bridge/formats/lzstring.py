"""lz-string's base64: the compression that puzzles in links of f-puzzles and SudokuPad are packed with.

It is LZ78 over UTF-16 code units: a dictionary of strings grows on both sides alike, and what is sent are numbers of
its entries, in as many bits as the largest needs. Three numbers are signs: 0 and 1 announce a new character of 8 or
of 16 bits, 2 is the end. Written here because no package of it is both kept and a pure wheel; the tests have strings
that the original has made.
"""

from __future__ import annotations

from collections.abc import Iterator

from bridge.errors import InputError

_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_VALUE = {character: value for value, character in enumerate(_ALPHABET)}
_SHORT, _LONG, _END = 0, 1, 2

#: A link has no more characters than this, packed or not: a short one can unpack to a very long text.
LARGEST = 1 << 20


def decompress(text: str) -> str:
    """The text that was packed.

    Raises
    ------
    InputError
        When it is no such packing, or unpacks to far too much.
    """
    if len(text) > LARGEST:
        raise InputError(f"{len(text):,} characters are packed: no puzzle is that long")
    units = "".join(_unpacked(_Bits(text)))
    return units.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _unpacked(bits: _Bits) -> Iterator[str]:
    entries: dict[int, str] = {}
    width, room, length = 2, 4, 0  # numbers have `width` bits, until the next entry is number `room`
    known, previous = 3, ""  # numbers below 3 are signs
    while (number := bits.take(width)) != _END:
        if number in (_SHORT, _LONG):
            entries[known] = chr(bits.take(8 if number == _SHORT else 16))
            number, known = known, known + 1
        if number in entries:
            entry = entries[number]
        elif number == known and previous:
            entry = previous + previous[0]  # the entry that is just about to be made
        else:
            raise InputError("not packed by lz-string, or cut short", hint="copy the whole link")
        if (length := length + len(entry)) > LARGEST:
            raise InputError(f"it unpacks to more than {LARGEST:,} characters: no puzzle is that long")
        yield entry
        if previous:
            entries[known] = previous + entry[0]
            known += 1
        previous = entry
        # The one who packs has made the entry of this step already: one more than is known here.
        while known + 1 > room:
            width, room = width + 1, room * 2


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
    """The other side: the longest entry that the text goes on with is sent; with one character more it is a new one."""

    def __init__(self) -> None:
        self._entries: dict[str, int] = {}
        self._new: set[str] = set()  # characters that were not sent yet
        self._phrase = ""
        self._width, self._left = 2, 2  # so many entries are to come before numbers get wider
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
        self._bits.append(0)  # the original always closes with one bit or more
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
