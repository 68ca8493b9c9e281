"""Word lists: one word a line, normalised, each word once; a line may end in `;` and a score, as in XWord's lists.

A **word** is letters in one form: Unicode's NFC after case folding, without blanks around it. A **letter** is one
character of it: ă, â, î, ș and ț are letters of their own, and so are ä and é. Repeated words are dropped, with a
remark; entries with other characters than letters (`don't`, `x-ray`) are kept apart.

    >>> read_list(["Tart ", "tars", "TART", "x-ray"], Place("list.txt"))
    WordList(words=('tart', 'tars'), repeated=('tart',), unusable=('x-ray',))
    >>> read_list(["TART;60", "tars;25"], Place("list.txt")).scores
    (60, 25)
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import log
from typing import Any, Self

from bridge.common import read_text
from bridge.errors import InputError, Place

#: The end of a line with a score, after the semicolon.
_SCORE = re.compile(r"\s*[+-]?[0-9]{1,9}\s*")


@dataclass(frozen=True, slots=True)
class WordList:
    """A list as it was read: each word once, in the list's order, the words that it holds more than once, and others.

    `unusable` are the entries that are not words, as they stand in the list; `place` is where the first of them stands.
    `scores` has the score of each word, the higher the better; None where it has none. It is empty when no word has
    one.
    """

    words: tuple[str, ...]
    repeated: tuple[str, ...] = ()
    unusable: tuple[str, ...] = ()
    place: Place | None = None
    scores: tuple[int | None, ...] = ()

    def at_least(self, score: int) -> Self:
        """The list without the words of a lower score. Words without a score are kept."""
        kept = [(word, own) for word, own in zip(self.words, self.scores, strict=False) if own is None or own >= score]
        if not self.scores:
            return self
        return replace(self, words=tuple(word for word, _ in kept), scores=tuple(own for _, own in kept))

    def pack(self) -> tuple[Any, ...]:
        """The list as plain data, to send it to another process."""
        place = self.place and (self.place.file, self.place.line)
        return self.words, self.repeated, self.unusable, place, self.scores

    @classmethod
    def unpack(cls, data: tuple[Any, ...]) -> Self:
        """The inverse of `pack`."""
        words, repeated, unusable, place, scores = data
        return cls(words, repeated, unusable, place and Place(*place), scores)

    def __repr__(self) -> str:
        return f"WordList(words={self.words}, repeated={self.repeated}, unusable={self.unusable})"


def normal(text: str) -> str:
    """The one form of a word or letter: blanks around it stripped, case folded, composed."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text.strip()).casefold())


def read_list(lines: Iterable[str], place: Place) -> WordList:
    """The words in lines of text; empty lines, and lines that begin with `#` or `%`, mean nothing."""
    seen: Counter[str] = Counter()
    scores: dict[str, int] = {}
    unusable: list[str] = []
    first: Place | None = None
    for number, line in enumerate(lines, 1):
        if "\0" in line:
            raise InputError(
                "this is not a list of words", where=Place(place.file, number), hint="is it the right file?"
            )
        entry, semicolon, end = line.rpartition(";")
        scored = _SCORE.fullmatch(end) if semicolon else None
        word = normal(entry if scored else line)
        if not word or word[0] in "#%":
            continue
        if word.isalpha():
            seen[word] += 1
            if scored:
                scores[word] = max(int(end), scores.get(word, int(end)))
        else:
            first = first or Place(place.file, number)
            unusable.append(line.strip())
    repeated = tuple(word for word, count in seen.items() if count > 1)
    return WordList(tuple(seen), repeated, tuple(unusable), first, tuple(map(scores.get, seen)) if scores else ())


def read_score(text: str) -> int:
    """The value of the option `min_score`."""
    if not _SCORE.fullmatch(text):
        raise InputError(f"`min_score` is an integer, not {text!r}", where=Place("--option"))
    return int(text)


def load_list(path: str) -> WordList:
    """The words in a file, `-` being standard input."""
    # Not `splitlines`: it splits at characters that stand inside lines, too.
    return read_list(read_text(path).removeprefix("\ufeff").split("\n"), Place(path))


@lru_cache(maxsize=8)
def by_length(words: Sequence[str], scores: Sequence[int | None] = ()) -> dict[int, tuple[str, ...]]:
    """The words of each length: the best first, and of equal score those first that are easy to cross: whose letters
    are common at their positions. Words without a score come last.

    What is easy to cross leaves the slots around it more words. The measure is the product of the frequencies: with
    40,000 words, mac+mrv then fills three of report 5's four grids within a second, in alphabetical order only two.
    """
    lists: defaultdict[int, list[str]] = defaultdict(list)
    for word in words:
        lists[len(word)].append(word)
    ordered = {length: _easiest_first(lists[length]) for length in sorted(lists)}
    if scores:
        lowest = min(score for score in scores if score is not None) - 1
        of = {word: lowest if score is None else score for word, score in zip(words, scores, strict=True)}
        for of_length in ordered.values():
            of_length.sort(key=lambda word: -of[word])
    return {length: tuple(of_length) for length, of_length in ordered.items()}


def _easiest_first(words: list[str]) -> list[str]:
    logs = [{letter: log(n) for letter, n in Counter(column).items()} for column in zip(*words, strict=True)]
    return sorted(words, key=lambda word: -sum(at[letter] for at, letter in zip(logs, word, strict=True)))
