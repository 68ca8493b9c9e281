"""A crossword as a constraint satisfaction problem, and the words of a list that can still fit.

- Under `slots` the variables are the slots by name. A value is the rank of a word among those of its length
  (`by_length`), so that a domain is a mask no longer than the words of one length are many: with
  40,000 words that is 6,000 bits, not 40,000. Crossings are `Element` constraints: a revision looks at the mask of each
  letter. Words differ only from words of the same length.
  Words come in the order of `by_length`, the best and the easiest to cross first; `+lcv` looks closer. With
  `+mrv+wdeg` and `+restarts` the crossings on which the search fails come first in the next run:
  `mac+mrv+wdeg+lcv+restarts` is the one to take for grids of 15×15 (the table in
  `bridge.puzzles.kinds.crossword.models`).
- Under `words` and `anywhere` the variables are the words, as in report 5, and a value is the number of a site.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations

from bridge.puzzles.kinds.crossword import Crossword
from bridge.puzzles.kinds.crossword.runs import Slot
from bridge.puzzles.kinds.crossword.words import by_length
from bridge.puzzles.kinds.rules import Cell
from bridge.puzzles.search import CSP, AllDifferent, Binary, Constraint, Element, propagate


def slot_filling(puzzle: Crossword) -> CSP:
    """The reading `slots`."""
    clues = puzzle.clues()
    if not clues:
        return _unfilled(puzzle)
    lists = by_length(puzzle.words, puzzle.scores)
    fitting = {
        slot.name: [rank for rank, word in enumerate(lists.get(len(slot), ())) if puzzle.fits(word, slot)]
        for slot in puzzle.slots
        if not clues.keys().isdisjoint(slot.cells)
    }
    return _unfilled(puzzle.with_clues({})).narrowed(fitting)


@lru_cache(maxsize=4)
def _unfilled(puzzle: Crossword) -> CSP:
    """The empty grid, the base of all with the same black cells and words."""
    lists = by_length(puzzle.words, puzzle.scores)
    domains = {slot.name: range(len(lists.get(len(slot), ()))) for slot in puzzle.slots}
    constraints: list[Constraint] = list(_crossings(puzzle, lists))
    if not puzzle.repeat:
        of_length: defaultdict[int, list[str]] = defaultdict(list)
        for slot in puzzle.slots:
            of_length[len(slot)].append(slot.name)
        constraints += [AllDifferent(names, f"no word of {n} letters twice") for n, names in of_length.items()]
    return CSP(domains, constraints).narrowed({})


def _crossings(puzzle: Crossword, lists: Mapping[int, Sequence[str]]) -> Iterator[Element]:
    """A constraint for every cell of two slots."""
    letter: dict[tuple[int, int], Callable[[int], str]] = {}
    met: dict[Cell, tuple[Slot, int]] = {}
    for slot in puzzle.slots:
        for position, cell in enumerate(slot.cells):
            # The same function for all slots of a length: the network then sorts their words by letter only once.
            if (len(slot), position) not in letter:
                letter[len(slot), position] = _letter_at(position, lists.get(len(slot), ()))
            if cell in met:
                other, at = met[cell]
                of_other, of_this = letter[len(other), at], letter[len(slot), position]
                yield Element(other.name, slot.name, of_other, of_this, f"{other.name} meets {slot.name}")
            met[cell] = slot, position


def _letter_at(position: int, words: Sequence[str]) -> Callable[[int], str]:
    letters = [word[position] for word in words]
    return letters.__getitem__


def placing(puzzle: Crossword) -> CSP:
    """The readings `words` and `anywhere`. Two words on one site, or crossing wrongly, differ in a cell.

    Under `anywhere` they must begin apart, too.
    """
    sites = puzzle.sites
    places = {word: [i for i, site in enumerate(sites) if puzzle.fits(word, site)] for word in puzzle.words}
    letters = {
        (word, i): dict(zip(sites[i].cells, word, strict=True)) for word, fitting in places.items() for i in fitting
    }
    # For each word, cell and letter: the sites (as a mask) that put another letter there.
    against: defaultdict[tuple[str, Cell], defaultdict[str, int]] = defaultdict(lambda: defaultdict(int))
    for (word, i), placed in letters.items():
        for cell, letter in placed.items():
            against[word, cell][letter] |= 1 << i

    beginning: defaultdict[tuple[str, Cell], int] = defaultdict(int)
    for i, site in enumerate(sites):
        beginning[site.start] |= 1 << i

    def clashing(word: str, i: int, other: str) -> int:
        mask = beginning[sites[i].start]
        for cell, letter in letters[word, i].items():
            if (other, cell) in against:
                for different, those in against[other, cell].items():
                    if different != letter:
                        mask |= those
        return mask

    constraints: list[Constraint] = []
    for word, other in combinations(puzzle.words, 2):
        masks = {i: clashing(word, i, other) for i in places[word]}
        reach = sum(1 << j for j in places[other])
        if any(mask & reach for mask in masks.values()):
            constraints.append(Binary(word, other, _clear_of(masks), f"{word} beside {other}"))
    return CSP(places, constraints)


def _clear_of(masks: Mapping[int, int]) -> Callable[[int, int], bool]:
    return lambda i, j: not masks[i] >> j & 1


def still_fitting(puzzle: Crossword) -> dict[str, list[str]] | None:
    """Under `slots`: the words that each slot may have when crossings are arc consistent, None when one has none."""
    domains = propagate(slot_filling(puzzle))
    if domains is None:
        return None
    lists = by_length(puzzle.words, puzzle.scores)
    return {slot.name: [lists[len(slot)][rank] for rank in domains[slot.name]] for slot in puzzle.slots}
