"""Random numbers that are the same for the same seed, on every machine and in every version of Python.

Only `random.Random.random()` is used: it is the one method of which Python guarantees the same numbers for the same
seed in every version. `shuffle`, `sample` and `randrange` may change, and have changed.

    >>> SeededRandom(7).shuffled("abcde"), derived_seed(7, 0), derived_seed(7, 1)
    (['c', 'd', 'e', 'a', 'b'], 7, 1781599302)
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from hashlib import sha256
from typing import TypeVar

T = TypeVar("T")

#: Seeds that `new_seed` makes are below this: short enough to be typed.
SEEDS = 2**32


class SeededRandom:
    """Reproducible random numbers, from a seed that is 0 or greater."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed).random

    def below(self, number: int) -> int:
        """An integer from 0, less than the number, which is less than 2**32."""
        return int(self._random() * number)

    def shuffled(self, items: Iterable[T]) -> list[T]:
        """The items in random order (Fisher and Yates; Durstenfeld's form)."""
        found = list(items)
        for last in range(len(found) - 1, 0, -1):
            other = self.below(last + 1)
            found[last], found[other] = found[other], found[last]
        return found


def derived_seed(seed: int, number: int) -> int:
    """The seed of the candidate of that number, counted from 0, so that it can be made again alone.

    Number 0 has the given seed itself: a run that begins with the seed of any candidate makes that one first.
    """
    if number == 0:
        return seed
    return int.from_bytes(sha256(f"{seed} {number}".encode()).digest()[:4])


def new_seed() -> int:
    """A seed from the operating system's random numbers."""
    return random.SystemRandom().randrange(SEEDS)
