"""The rules of a crossword in each of its readings.

Under `slots`, each slot is a rule by its name (`1 across`), and so is `no word twice`: no two slots spell the same.
Under `words` and `anywhere`, each word is a rule (`word tart`: it stands somewhere), and so is `one place a word`: each
word that stands somewhere has one place there, no two words begin in the same place, and all letters that are not given
are in these places.

Each rule is about the values of the cells alone, whichever other rules hold. The encodings mean the same.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from bridge.puzzles.kinds.crossword.runs import Slot
from bridge.puzzles.kinds.rules import Cell, Check, Rule, Value

_BLANK = "."


class _Site(NamedTuple):
    """Where a word may stand: the positions of its cells, and where it begins and which way it goes."""

    at: tuple[int, ...]
    start: object


def slot_rules(slots: Sequence[Slot], words: Mapping[int, Sequence[str]], repeat: bool) -> tuple[Rule, ...]:
    """The rules of the reading `slots`. `words` are the list by length."""
    sets = {length: frozenset(of_length) for length, of_length in words.items()}
    rules = [Rule(slot.name, slot.cells, _word_of(sets.get(len(slot), frozenset()))) for slot in slots]
    if not repeat:
        cells = _cells(slots)
        rules.append(Rule("no word twice", cells, _no_word_twice(_positions(slots, cells))))
    return tuple(rules)


def placing_rules(
    cells: tuple[Cell, ...], sites: Sequence[Slot], words: Sequence[str], clues: Mapping[Cell, Value]
) -> tuple[Rule, ...]:
    """The rules of the readings `words` and `anywhere`. `cells` are all that take a value."""
    positions = _positions(sites, cells)
    free = frozenset(i for i, cell in enumerate(cells) if cell not in clues)
    rules = [Rule(f"word {word}", cells, _stands(word, positions)) for word in words]
    places = [_Site(at, slot.start) for at, slot in zip(positions, sites, strict=True)]
    return (*rules, Rule("one place a word", cells, _one_place_each(words, places, free)))


def _cells(slots: Sequence[Slot]) -> tuple[Cell, ...]:
    return tuple(sorted({cell for slot in slots for cell in slot.cells}))


def _positions(slots: Sequence[Slot], cells: Sequence[Cell]) -> list[tuple[int, ...]]:
    position = {cell: i for i, cell in enumerate(cells)}
    return [tuple(position[cell] for cell in slot.cells) for slot in slots]


def _may_be(word: str, values: Sequence[Value | None]) -> bool:
    return all(value is None or value == letter for value, letter in zip(values, word, strict=True))


def _word_of(words: Collection[str]) -> Check:
    """The cells spell one of these words."""

    def check(values: Sequence[Value | None]) -> tuple[int, ...] | None:
        if None not in values:
            possible = "".join(map(str, values)) in words
        else:
            possible = any(_may_be(word, values) for word in words)
        return None if possible else tuple(i for i, value in enumerate(values) if value is not None)

    return check


def _no_word_twice(slots: Sequence[tuple[int, ...]]) -> Check:
    """No two slots spell the same."""

    def check(values: Sequence[Value | None]) -> tuple[int, ...] | None:
        seen: dict[tuple[Value | None, ...], tuple[int, ...]] = {}
        for slot in slots:
            word = tuple(values[i] for i in slot)
            if None in word:
                continue
            if word in seen:
                return tuple(sorted({*seen[word], *slot}))
            seen[word] = slot
        return None

    return check


def _stands(word: str, sites: Sequence[tuple[int, ...]]) -> Check:
    """The word stands on some site, or still can."""
    possible = [site for site in sites if len(site) == len(word)]

    def check(values: Sequence[Value | None]) -> tuple[int, ...] | None:
        return None if any(_may_be(word, [values[i] for i in site]) for site in possible) else ()

    return check


def _one_place_each(words: Sequence[str], sites: Sequence[_Site], free: Collection[int]) -> Check:
    """Each word that stands has one place, no two begin together, and every letter that is not given is in a place.

    Checked when no cell is open.
    """

    def check(values: Sequence[Value | None]) -> tuple[int, ...] | None:
        if None in values:
            return None
        of_words = (
            [site for site in sites if len(site.at) == len(word) and _may_be(word, [values[i] for i in site.at])]
            for word in words
        )
        places = [of_word for of_word in of_words if of_word]
        letters = {i for i in free if values[i] != _BLANK}
        if _placed(letters, places, frozenset()):
            return None
        loose = letters.difference(*(site.at for of_word in places for site in of_word))
        return tuple(sorted(loose or letters))

    return check


def _placed(letters: Collection[int], places: Sequence[Sequence[_Site]], taken: frozenset[object]) -> bool:
    """Whether one place for each word, of those given, covers the letters, with no two beginning in one place."""
    places = sorted(places, key=len)
    if not places:
        return not letters
    fewest, *others = places
    if letters and len(fewest) > 1:
        # All have a choice: some word must cover the first letter.
        first = min(letters)
        choices = [
            (site, [*places[:i], *places[i + 1 :]]) for i, of in enumerate(places) for site in of if first in site.at
        ]
    else:
        choices = [(site, others) for site in fewest]
    return any(
        site.start not in taken and _placed(set(letters).difference(site.at), rest, taken | {site.start})
        for site, rest in choices
    )
