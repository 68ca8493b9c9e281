"""The forms of a crossword for solvers, and the sizes that clingo and SWI-Prolog can take.

Under `slots` both get, slot by slot, only the words that arc consistency leaves. What they can take is measured in
letters: those of all words of all slots. With a list of 40,000 words, on a machine with two busy cores:

| grid | slots | letters | clingo | clpfd |
|---|---|---|---|---|
| 5×5, square | 10 | 177,000 | 1 s | not in 20 s |
| 7×7 | 20 | 213,000 | 2 s | 3 s |
| 9×9 | 34 | 252,000 | 3 s | 20 s, and 1.2 GB |
| 13×13 | 64 | 619,000 | 7 s | not in 20 s |
| 15×15 | 78 | 1,310,000 | ground in 9 s, not solved in 60 s | |

Past these sizes the imperative engines go on; where clingo and clpfd would only fill the memory, they say so. Seconds
of one processor for the first fill with the same list, posting included:

| grid | slots | mac+mrv | mac+mrv+wdeg+lcv+restarts |
|---|---|---|---|
| 5×5, square | 10 | 0.1 | 0.1 |
| 9×9 | 34 | 0.1 | 0.1 |
| 13×13 | 64 | 0.1 | 0.1 |
| 15×15, Gecode's 15.05 | 78 | 0.1 | 0.1 |
| 15×15, 15.01 | 78 | not in 12,000 nodes | 0.6 |
| 15×15, 15.07 | 74 | not in 12,000 nodes | 0.3 |
| 15×15, 15.10 | 72 | not in 12,000 nodes | not in 60,000 nodes |

The last engine filled 15.01, 15.05 and 15.07 within 0.8 s in each of twenty random orders of slots, and of words. Of
twenty random grids of 15×15 with 17% of black cells it proved for eighteen, within 0.8 s, that nothing fills them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any

from bridge.errors import UnsupportedError
from bridge.puzzles.kinds.crossword import BLANK, Crossword
from bridge.puzzles.kinds.crossword.runs import Slot
from bridge.puzzles.kinds.crossword.words import by_length
from bridge.puzzles.kinds.models import AspForm, ClpForm, Models
from bridge.puzzles.kinds.rules import Cell, Value
from bridge.puzzles.search import CSP, AllDifferent, Binary, Constraint, Element, propagate


def slot_filling(puzzle: Crossword) -> CSP:
    """The reading `slots`: the variables are the slots by name.

    A value is the rank of a word among those of its length (`by_length`), so that a domain is a mask no longer than the
    words of one length are many: with 40,000 words that is 6,000 bits, not 40,000. Crossings are `Element` constraints:
    a revision looks at the mask of each letter. Words differ only from words of the same length. Words come in the
    order of `by_length`, the best and the easiest to cross first; `+lcv` looks closer. With `+mrv+wdeg` and `+restarts`
    the crossings on which the search fails come first in the next run: `mac+mrv+wdeg+lcv+restarts` is the one to take
    for grids of 15×15 (the table above).
    """
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
    """The readings `words` and `anywhere`: the variables are the words, as in report 5, and a value is the number of a
    site. Two words on one site, or crossing wrongly, differ in a cell.

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


#: Letters that clingo grounds in about ten seconds, and 1 GB.
MOST_FOR_ASP = 2_000_000

#: Letters that clpfd posts in a few seconds, and 1 GB.
MOST_FOR_CLPFD = 300_000

#: Up to so many letters (a tenth of a second), what fits the empty grid is ground, and serves every pattern of letters.
SHARED = 20_000

#: Ground programs of more letters are not kept for another instance.
WORTH_KEEPING = 200_000


class CrosswordModels(Models[Crossword]):
    """The forms of one crossword."""

    @property
    def encoding(self) -> str:
        return "crossword/crossword.lp" if self.puzzle.reading == "slots" else "crossword/placing.lp"

    @property
    def extent(self) -> int:
        """The letters of all words that are as long as a slot, slot by slot."""
        number = Counter(map(len, self.puzzle.words))
        return sum(len(slot) * number[len(slot)] for slot in self.puzzle.slots)

    @property
    def projected(self) -> bool:
        return self.puzzle.reading != "slots"

    @property
    def clues_select(self) -> bool:
        """Where words are placed, a letter that is given need not be in a word, and any other letter must be."""
        return self.puzzle.reading == "slots"

    def facts(self) -> str:
        """The instance for clingo by hand: the grid, the whole list, and how to read them."""
        puzzle = self.puzzle
        constants = [f"#const {name} = {value}. [override]\n" for name, value in _constants(puzzle).items() if value]
        clues = (f'clue({r}, {c}, "{letter}").' for r, c, letter in self.clue_atoms())
        return "".join(constants) + _white(puzzle) + "\n".join([*clues, *_letters(puzzle.words)]) + "\n"

    def asp(self) -> AspForm:
        """The grid and the words as structure, ground once; the letters given are assumed."""
        puzzle = self.puzzle
        clues = self.clue_atoms()
        if puzzle.reading == "slots":
            shared = self.extent <= SHARED
            fitting = _fitting_empty(puzzle.with_clues({})) if shared else _fitting(puzzle, "asp", MOST_FOR_ASP)
            structure = _white(puzzle) + _fitting_facts(puzzle, fitting)
            reusable = shared or (not clues and _count(fitting) <= WORTH_KEEPING)
            return AspForm(self.encoding, _constants(puzzle), structure, clues, reusable=reusable)
        given = "".join(f"given({r}, {c}).\n" for r, c, _ in clues)
        letters = "".join(f'symbol("{letter}").\n' for letter in puzzle.values() if letter != ".")
        structure = _white(puzzle) + given + letters + "\n".join(_letters(puzzle.words)) + "\n"
        return AspForm(self.encoding, _constants(puzzle), structure, clues)

    def switchable(self) -> AspForm:
        """The grid and all words that are as long as some slot.

        The letters given are rules in the other readings, in which a cell that is not given may be blank.
        """
        puzzle = self.puzzle
        lengths = {len(slot) for slot in puzzle.slots}
        words = [word for word in puzzle.words if len(word) in lengths or puzzle.reading != "slots"]
        letters = self.extent
        _not_too_many(puzzle, letters, "asp", MOST_FOR_ASP)
        structure = _white(puzzle) + "\n".join(_letters(words)) + "\n"
        clues = self.clue_atoms()
        constants, reusable = _constants(puzzle), letters < WORTH_KEEPING
        if puzzle.reading == "slots":
            structure += "".join(f'symbol("{letter}").\n' for letter in puzzle.values())
            return AspForm(self.encoding, constants, structure, clues, switches=(), reusable=reusable)
        given = "".join(f'clue({r}, {c}, "{letter}").\n' for r, c, letter in clues)
        return AspForm(self.encoding, constants, structure + given, clues, switches=())

    def clp(self) -> ClpForm:
        """Words as lists of the codes of their letters.

        The reading `anywhere` is refused: it takes minutes to post for the examples of report 5.
        """
        puzzle = self.puzzle
        if puzzle.reading == "anywhere":
            raise UnsupportedError("clpfd does not know the reading `anywhere`", hint="take asp, fc+mrv or mac+mrv")
        alphabet = puzzle.values()
        code = {letter: n for n, letter in enumerate(alphabet, 1)}
        if puzzle.reading != "slots":
            inputs = {"Words": [[code[letter] for letter in word] for word in puzzle.words], "Top": len(alphabet)}
            return ClpForm(
                "crossword/crossword.pl",
                "slots(Rows, _Sites), placing(Rows, 1-Top, _Sites, Words, _Places)",
                "labeling([ff], _Places), blank(Rows, 1)",
                inputs,
                alphabet,
            )
        fitting = _fitting(puzzle, "clpfd", MOST_FOR_CLPFD)
        words = sorted({word for of_slot in fitting.values() for word in of_slot})
        number = {word: n for n, word in enumerate(words, 1)}
        # A row of a slot's table: the number of a word, and its letters.
        tables = [
            [[number[word], *(code[letter] for letter in word)] for word in fitting.get(slot.name, ())]
            for slot in puzzle.slots
        ]
        distinct = "" if puzzle.repeat else ", no_word_twice(_Numbers)"
        return ClpForm(
            "crossword/crossword.pl",
            f"slots(Rows, _Slots), filling(_Slots, Tables, _Numbers){distinct}",
            "labeling([ff], _Numbers)",
            {"Tables": tables},
            alphabet,
        )

    def csp(self) -> CSP:
        return slot_filling(self.puzzle) if self.puzzle.reading == "slots" else placing(self.puzzle)

    def scores(self) -> dict[str, dict[int, int]]:
        """The scores of words by slot and rank; a word without a score has one less than the lowest."""
        puzzle = self.puzzle
        if puzzle.reading != "slots" or not puzzle.scores:
            return {}
        of = dict(zip(puzzle.words, puzzle.scores, strict=True))
        lowest = min(score for score in puzzle.scores if score is not None) - 1
        ranked = {
            length: {rank: lowest if (score := of[word]) is None else score for rank, word in enumerate(words)}
            for length, words in by_length(puzzle.words, puzzle.scores).items()
        }
        return {slot.name: ranked.get(len(slot), {}) for slot in puzzle.slots}

    def read_assignment(self, assignment: Mapping[Any, Any]) -> Mapping[Cell, Value]:
        puzzle = self.puzzle
        values: dict[Cell, Value] = {}
        if puzzle.reading == "slots":
            lists = by_length(puzzle.words, puzzle.scores)
            for slot in puzzle.slots:
                values.update(zip(slot.cells, lists[len(slot)][assignment[slot.name]], strict=True))
            return values
        values = {**dict.fromkeys(puzzle.cells(), BLANK), **puzzle.clues()}
        for word, site in assignment.items():
            values.update(zip(puzzle.sites[site].cells, word, strict=True))
        return values

    def read_domains(self, domains: Mapping[Any, Sequence[Any]]) -> Mapping[Cell, Sequence[Value]]:
        puzzle = self.puzzle
        found: dict[Cell, set[Value]] = {}
        if puzzle.reading == "slots":
            lists = by_length(puzzle.words, puzzle.scores)
            for slot in puzzle.slots:
                words = [lists[len(slot)][rank] for rank in domains[slot.name]]
                for cell, letters in zip(slot.cells, zip(*words, strict=True), strict=True):
                    found[cell] = found.get(cell, set(letters)) & set(letters)
        else:
            found = {cell: {BLANK} for cell in puzzle.cells()}
            for word, places in domains.items():
                for i in places:
                    for cell, letter in zip(puzzle.sites[i].cells, word, strict=True):
                        found[cell].add(letter)
            decided = {word: puzzle.sites[places[0]] for word, places in domains.items() if len(places) == 1}
            for word, site in decided.items():
                found.update((cell, {letter}) for cell, letter in zip(site.cells, word, strict=True))
            found.update((cell, {letter}) for cell, letter in puzzle.clues().items())
        return {cell: tuple(value for value in puzzle.values() if value in found[cell]) for cell in puzzle.cells()}


def _constants(puzzle: Crossword) -> dict[str, int]:
    if puzzle.reading == "slots":
        return {"repeat": int(puzzle.repeat)}
    return {"anywhere": int(puzzle.reading == "anywhere")}


def _white(puzzle: Crossword) -> str:
    return "".join(f"white({r}, {c}).\n" for r, c in puzzle.cells())


def _letters(words: Iterable[str]) -> list[str]:
    return [
        " ".join(f'letter("{word}", {position}, "{letter}").' for position, letter in enumerate(word, 1))
        for word in words
    ]


def _fitting(puzzle: Crossword, engine: str, most: int) -> dict[str, list[str]]:
    """The words that can still stand in each slot: empty if some slot has none."""
    fitting = still_fitting(puzzle) or {}
    _not_too_many(puzzle, _count(fitting), engine, most)
    return fitting


@lru_cache(maxsize=8)
def _fitting_empty(puzzle: Crossword) -> Mapping[str, Sequence[str]]:
    return _fitting(puzzle, "asp", MOST_FOR_ASP)


def _not_too_many(puzzle: Crossword, count: int, engine: str, most: int) -> None:
    if count > most:
        raise UnsupportedError(
            f"{len(puzzle.slots)} slots with {count:,} letters of words that fit are too much for {engine}, "
            f"which takes {most:,}",
            hint="take mac+mrv+wdeg+lcv+restarts, or a shorter list",
        )


def _count(fitting: Mapping[str, Sequence[str]]) -> int:
    return sum(len(word) for words in fitting.values() for word in words)


def _fitting_facts(puzzle: Crossword, fitting: Mapping[str, Sequence[str]]) -> str:
    lines = ["narrowed."]
    for slot in puzzle.slots:
        direction, (r, c) = slot.start
        lines += [f'candidate(({direction}, {r}, {c}), "{word}").' for word in fitting.get(slot.name, ())]
    lines += _letters(sorted({word for words in fitting.values() for word in words}))
    return "\n".join(lines) + "\n"
