"""Crosswords of a few white cells and letters, in the readings `slots`, `words` and `anywhere`.

A rule is asked of the grid alone, whichever other rules are in force: that of a slot, whether its cells spell a word of
the list; `no word twice`, whether two slots spell the same; that of a word, whether it stands somewhere; `one place a
word`, whether one place for each word that stands somewhere, no two beginning in the same place and direction, can
cover all letters that are not given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from random import Random
from typing import Any

from fuzz.naive import Cell, Naive, Rule, Value, Values
from fuzz.puzzle import PuzzleCampaign

BLACK, BLANK = "#", "."
Run = tuple[Cell, ...]


class Crosswords(PuzzleCampaign):
    """Words go into slots, or onto stretches of them."""

    name = "crossword"
    weight = 2.0

    def form(self, chance: Random) -> dict[str, Any]:
        reading = chance.choice(["slots", "slots", "words", "anywhere"])
        most = 9 if reading == "slots" else 7
        letters = "abc" if reading == "slots" and chance.random() < 0.4 else "ab"
        while True:
            rows, columns = chance.randint(1, 3), chance.randint(1, 4)
            grid: list[list[str | None]] = [
                [BLACK if chance.random() < 0.25 else None for _ in range(columns)] for _ in range(rows)
            ]
            found = runs(grid)
            if found and len({cell for _, run in found for cell in run}) <= most:
                break
        lengths = [len(run) for _, run in found]
        words: list[str] = []
        filled = [[value or chance.choice(letters) for value in row] for row in grid]
        for _, run in found:  # a fill, most of whose words are in the list
            if chance.random() < 0.7:
                words.append("".join(str(filled[r - 1][c - 1]) for r, c in run))
        for _ in range(chance.randint(0 if words else 1, 7 if reading == "slots" else 2)):
            length = chance.choice(lengths) if chance.random() < 0.8 else chance.randint(1, 4)
            if reading == "anywhere":
                length = chance.randint(1, max(lengths))
            words.append("".join(chance.choice(letters) for _ in range(length)))
        chance.shuffle(words)
        words = list(dict.fromkeys(words))
        if reading != "slots":
            words = words[:4]
        odd = chance.random() < 0.2
        for r, row in enumerate(grid):
            for c, value in enumerate(row):
                if value is None and chance.random() < 0.2:
                    row[c] = chance.choice("abcx") if odd else filled[r][c]
        repeat = reading == "slots" and chance.random() < 0.3
        return {"grid": grid, "words": words, "reading": reading, "repeat": repeat}

    def naive(self, form: dict[str, Any]) -> Naive:
        grid, words, reading = form["grid"], form["words"], form["reading"]
        found = runs(grid)
        cells = sorted({cell for _, run in found for cell in run})
        clues = {(r, c): grid[r - 1][c - 1] for r, c in cells if grid[r - 1][c - 1] is not None}
        letters = sorted({*"".join(words), *clues.values()})
        if reading == "slots":
            of_slots = slot_rules(found, words, form["repeat"])
            return Naive(cells, letters, lambda _: of_slots, clues)
        sites = [(name.split()[1], run) for name, run in found]
        if reading == "anywhere":
            lengths = {len(word) for word in words}
            sites = [(way, run[i : i + n]) for way, run in sites for n in lengths for i in range(len(run) - n + 1)]
        return Naive(cells, [BLANK, *letters], lambda given: placing_rules(cells, sites, words, given), clues)

    def smaller_form(self, form: dict[str, Any]) -> Iterator[dict[str, Any]]:
        grid = form["grid"]
        smaller: list[list[list[str | None]]] = []
        if len(grid) > 1:
            smaller += [grid[:r] + grid[r + 1 :] for r in range(len(grid))]
        if len(grid[0]) > 1:
            smaller += [[row[:c] + row[c + 1 :] for row in grid] for c in range(len(grid[0]))]
        for r, row in enumerate(grid):
            for c, value in enumerate(row):
                for instead in {BLACK: (), None: (BLACK,)}.get(value, (None, BLACK)):
                    smaller.append([*grid[:r], [*row[:c], instead, *row[c + 1 :]], *grid[r + 1 :]])
        yield from ({**form, "grid": one} for one in smaller if runs(one))
        words = form["words"]
        if len(words) > 1:
            yield from ({**form, "words": words[:i] + words[i + 1 :]} for i in range(len(words)))
        if form["repeat"]:
            yield {**form, "repeat": False}

    def new(self, form: dict[str, Any], chance: Random) -> tuple[int | tuple[int, int], dict[str, str]]:
        options = {"shortest": "2", "checked": "no", "black": str(chance.choice([0, 0.2, 0.4]))}
        return (len(form["grid"]) + 1, len(form["grid"][0]) + 1), {**options, "words": ""}

    def refused(self, form: dict[str, Any], what: str) -> bool:
        if what == "clpfd":
            return bool(form["reading"] == "anywhere")
        return (what == "cubes" and form["reading"] != "slots") or super().refused(form, what)

    def clue_means_more(self, form: dict[str, Any]) -> bool:
        return bool(form["reading"] != "slots")


def runs(grid: Sequence[Sequence[str | None]]) -> list[tuple[str, Run]]:
    """The slots with their names: across from left to right and down, then down."""
    white = {(r, c) for r, row in enumerate(grid, 1) for c, value in enumerate(row, 1) if value != BLACK}
    found: list[tuple[str, Run]] = []
    for direction, down, right in (("across", 0, 1), ("down", 1, 0)):
        for r, c in sorted(white):
            run = [(r, c)]
            while (cell := (run[-1][0] + down, run[-1][1] + right)) in white:
                run.append(cell)
            if (r - down, c - right) not in white and len(run) > 1:
                found.append((direction, tuple(run)))
    starts = sorted({run[0] for _, run in found})
    return [(f"{starts.index(run[0]) + 1} {direction}", run) for direction, run in found]


def slot_rules(slots: Sequence[tuple[str, Run]], words: Sequence[str], repeat: bool) -> list[Rule]:
    rules = [Rule(name, run, _spells_one(words)) for name, run in slots]
    if not repeat:
        cells = tuple(sorted({cell for _, run in slots for cell in run}))

        def may(values: Values) -> bool:
            held = dict(zip(cells, values, strict=True))
            spelled = [tuple(held[cell] for cell in run) for _, run in slots]
            full = [word for word in spelled if None not in word]
            return len(set(full)) == len(full)

        rules.append(Rule("no word twice", cells, may))
    return rules


def placing_rules(
    cells: Sequence[Cell], sites: Sequence[tuple[str, Run]], words: Sequence[str], given: Mapping[Cell, Value]
) -> list[Rule]:
    """The rules of `words` and `anywhere`. A site is a direction and the cells of a slot, or of a part of one."""
    rules = [Rule(f"word {word}", tuple(cells), _stands(word, cells, sites)) for word in words]

    def covered(values: Values) -> bool:
        if None in values:
            return True
        held = dict(zip(cells, values, strict=True))
        letters = {cell for cell in cells if held[cell] != BLANK and cell not in given}
        places = [[site for site in sites if spells(word, [held[cell] for cell in site[1]])] for word in words]
        for chosen in product(*[of_word for of_word in places if of_word]):
            starts = {(way, site[0]) for way, site in chosen}
            if len(starts) == len(chosen) and letters <= {cell for _, site in chosen for cell in site}:
                return True
        return False

    return [*rules, Rule("one place a word", tuple(cells), covered)]


def spells(word: str, values: Values) -> bool:
    """Whether values, None where open, can be a word."""
    return len(word) == len(values) and all(v in (None, letter) for v, letter in zip(values, word, strict=True))


def _spells_one(words: Sequence[str]) -> Callable[[Values], bool]:
    return lambda values: any(spells(word, values) for word in words)


def _stands(word: str, cells: Sequence[Cell], sites: Sequence[tuple[str, Run]]) -> Callable[[Values], bool]:
    def may(values: Values) -> bool:
        held = dict(zip(cells, values, strict=True))
        return any(spells(word, [held[cell] for cell in site]) for _, site in sites)

    return may
