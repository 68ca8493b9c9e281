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
#: The six bits of a character as a number with the first bit lowest.
_VALUE = {character: int(f"{value:06b}"[::-1], 2) for value, character in enumerate(_ALPHABET)}
_SHORT, _LONG, _END = 0, 1, 2

#: The greatest length of what is packed in a link, in characters; no browser or site takes a longer address.
LARGEST_PACKED = 1 << 17
#: The greatest length of the text unpacked: a short link can unpack to a very long text.
LARGEST = 1 << 20


def decompress(text: str) -> str:
    """The text that was packed."""
    if len(text) > LARGEST_PACKED:
        message = f"{len(text):,} characters are packed: no link of a puzzle is that long"
        raise InputError(message, hint=f"{LARGEST_PACKED:,} are the most")
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
        self._characters = enumerate(text.rstrip("="), 1)
        self._bits, self._count = 0, 0  # read, and not taken yet

    def take(self, count: int) -> int:
        while self._count < count:
            place, character = next(self._characters, (0, ""))
            if not place:
                raise InputError("packed text that is cut short", hint="copy the whole link")
            if (value := _VALUE.get(character)) is None:
                raise InputError(f"character {place} of the packed text is {character!r}: not base64")
            self._bits |= value << self._count
            self._count += 6
        number = self._bits & ((1 << count) - 1)
        self._bits >>= count
        self._count -= count
        return number


def compress(text: str) -> str:
    """A text, packed as the original packs it, bit for bit.

    The longest entry that matches is written, and added with the next character as a new entry.
    """
    coded = text.encode("utf-16-le", "surrogatepass")
    entries: dict[str, int] = {}
    new: set[str] = set()  # characters that were not written yet
    width, left = 2, 2  # entries to add before numbers get wider
    bits: list[int] = []

    def send(number: int, width: int) -> None:
        bits.extend(number >> power & 1 for power in range(width))

    def write(phrase: str) -> None:
        nonlocal width, left
        if phrase not in new:
            send(entries[phrase], width)
            added = 1
        else:
            new.remove(phrase)
            short = ord(phrase) < 256
            send(_SHORT if short else _LONG, width)
            send(ord(phrase), 8 if short else 16)
            added = 2
        for _ in range(added):
            left -= 1
            if not left:
                left, width = 1 << width, width + 1

    phrase = ""
    for at in range(0, len(coded), 2):
        character = chr(int.from_bytes(coded[at : at + 2], "little"))
        if character not in entries:
            entries[character] = len(entries) + 3
            new.add(character)
        longer = phrase + character
        if longer in entries:
            phrase = longer
            continue
        write(phrase)
        entries[longer] = len(entries) + 3
        phrase = character
    if phrase:
        write(phrase)
    send(_END, width)
    bits.append(0)  # the original always pads with one bit or more
    bits += [0] * (-len(bits) % 6)
    sextets = (bits[at : at + 6] for at in range(0, len(bits), 6))
    packed = "".join(_ALPHABET[int("".join(map(str, six)), 2)] for six in sextets)
    return packed + "=" * (-len(packed) % 4)
