"""Crossword filling: words of a list go into the slots of a grid, and crossing words share their letters.

A **slot** is a run of two or more white cells (`bridge.puzzles.kinds.crossword.runs`). What a fill is depends on the
**reading**:

- `slots`: every slot gets a word of the list, no word twice (`repeat=yes`: as often as you like);
- `words`: every word of the list is placed once, on a whole slot; slots may be left over;
- `anywhere`: the same on any stretch of a slot, no two words beginning in the same place, as the program of report 5
  does it.

In the last two a cell that no word covers is blank, which is a value of its own and written `.`: the exact residual of
a cell can be `{., a}`. Two placements of the words that look the same are one fill. A slot without a word may still
spell one. A cell that is in no slot takes no value, and stays as it is in the grid.

Text form: one row per line; `#` is black, a letter is given, `.`, `0` and `_` are open; blanks between cells and lines
that begin with `%` are ignored. Letters are compared without case; ă, â, î, ș and ț are letters of their own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Self

from bridge.errors import InputError, Place
from bridge.puzzles.kinds.crossword.rules import placing_rules, slot_rules
from bridge.puzzles.kinds.crossword.runs import BLACK, Slot, slots, stretches
from bridge.puzzles.kinds.crossword.words import WordList, by_length, load_list, normal, read_list, read_score
from bridge.puzzles.kinds.options import Option, read_yes
from bridge.puzzles.kinds.puzzle import Puzzle
from bridge.puzzles.kinds.rules import Cell, Grid, Rule, Value, Violation, at, cell_name
from bridge.puzzles.kinds.text import TextForm

_BLACK = frozenset("#■█")
_OPEN = frozenset(".0_")


class CrosswordText(TextForm):
    """Rows; `#` is a black cell, so comments begin with `%`."""

    def __init__(self) -> None:
        super().__init__("%")


def read_grid(text: str, place: Place) -> Grid:
    """The rows of a text."""
    if "\0" in text:
        raise InputError("this is not text", where=place, hint="is it the right file?")
    rows: list[tuple[Value | None, ...]] = []
    places: list[Place] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("%"):
            continue
        columns = [(column, mark) for column, mark in enumerate(_composed(line), 1) if not mark.isspace()]
        cells = enumerate(columns, 1)
        row = len(rows) + 1
        rows.append(tuple(_cell(mark, (row, c), Place(place.file, number, column)) for c, (column, mark) in cells))
        places.append(Place(place.file, number))
    if not rows:
        raise InputError("there is no puzzle in here: the text is empty", where=place)
    check_even([len(row) for row in rows], places)
    return tuple(rows)


def _composed(line: str) -> str:
    """A line in which every letter is one character, its case left alone: folding may change how many there are."""
    import unicodedata

    return unicodedata.normalize("NFC", line)


def check_even(lengths: list[int], places: list[Place]) -> None:
    usual = max(lengths, key=lengths.count)
    for number, (length, place) in enumerate(zip(lengths, places, strict=True), 1):
        if length != usual:
            raise InputError(
                f"row {number} has {length} {'cell' if length == 1 else 'cells'}, the others have {usual}",
                where=place,
                hint="`#` is a black cell",
            )


def _cell(mark: str, cell: Cell, place: Place) -> str | None:
    if mark in _OPEN:
        return None
    if mark in _BLACK:
        return BLACK
    letter = normal(mark)
    if len(letter) != 1 or not letter.isalpha():
        raise InputError(
            f"{cell_name(cell)}: {mark!r} is not a cell of a crossword",
            where=place,
            hint="`#` is black, `.` is open, and a letter is given",
        )
    return letter


def given_cell(value: Any, cell: Cell, place: Place) -> str | None:
    if value is None or value == 0:
        return None
    where = place.inside("grid", cell[0] - 1, cell[1] - 1)
    if not isinstance(value, str) or len(_composed(value)) != 1:
        raise InputError(f"{cell_name(cell)}: {value!r} is not a cell of a crossword", where=where, hint="null is open")
    return _cell(_composed(value), cell, where)


#: What a fill is.
READINGS = ("slots", "words", "anywhere")

#: The value of a cell that no word covers, in the readings that allow it.
BLANK = "."


@dataclass(frozen=True, repr=False)
class Crossword(Puzzle):
    """One grid with its word list. Words and letters are in their normal form (`bridge.puzzles.kinds.crossword.words`).

    `repeat` says whether under `slots` a word may stand twice, `remarks` are those on the list as it was read. `scores`
    has the score of each word, None where it has none; it is empty when no word has one. Imperative engines try words
    of a higher score first.
    """

    grid: Grid
    words: tuple[str, ...]
    reading: str = "slots"
    repeat: bool = False
    remarks: tuple[str, ...] = field(default=(), compare=False)
    scores: tuple[int | None, ...] = ()

    kind = "crossword"
    title = "crossword"
    options: ClassVar[Mapping[str, Option]] = {
        "words": Option("the file of the word list, one word a line", load_list, WordList.pack, WordList.unpack),
        "reading": Option(
            "slots (every slot gets a word), words (every word is placed on a slot), or anywhere (on a part)"
        ),
        "repeat": Option("yes: under slots, a word may stand twice", lambda text: read_yes("repeat", text)),
        "min_score": Option("words of the list with a lower score are left out (`word;50`)", read_score),
    }
    text_form: ClassVar[TextForm] = CrosswordText()

    # What an instance is made from.

    @classmethod
    def from_text(cls, text: str, place: Place, options: Mapping[str, Any]) -> list[Self]:
        if "words" not in options:
            raise InputError("a crossword needs a list of words", where=place, hint="name its file: --words LIST")
        return [cls.made(read_grid(text, place), options, place)]

    @classmethod
    def _of_json_form(cls, data: Mapping[str, Any], place: Place) -> Self:
        rows, words = data.get("grid"), data.get("words")
        if not isinstance(rows, list) or not rows or not all(isinstance(row, list | str) and row for row in rows):
            raise InputError("`grid` is to be a list of rows, each a list of one cell or more", where=place)
        grid = tuple(
            tuple(given_cell(value, (r, c), place) for c, value in enumerate(row, 1)) for r, row in enumerate(rows, 1)
        )
        check_even([len(row) for row in grid], [place.inside("grid", r) for r in range(len(grid))])
        if isinstance(words, list) and all(isinstance(word, str) for word in words):
            words = _scored(read_list(words, place), data.get("scores"), place)
        if not isinstance(words, WordList):
            raise InputError("`words` is to be a list of strings", where=place)
        return cls.made(grid, {**data, "words": words}, place)

    @classmethod
    def made(cls, grid: Grid, data: Mapping[str, Any], place: Place) -> Self:
        """The instance of a grid and the values of options, if they go together."""
        words, reading, repeat = data["words"], data.get("reading", "slots"), data.get("repeat", False)
        if reading not in READINGS:
            raise InputError(f"there is no reading {reading!r}", where=place, hint=f"one of: {', '.join(READINGS)}")
        if not isinstance(repeat, bool):
            raise InputError(f"`repeat` is to be true or false, not {repeat!r}", where=place)
        if repeat and reading != "slots":
            raise InputError(f"`repeat` has no meaning when the reading is {reading}", where=place)
        before = len(words.words)
        if (least := data.get("min_score")) is not None:
            if type(least) is not int:
                raise InputError(f"`min_score` is to be an integer, not {least!r}", where=place)
            if not words.scores:
                raise InputError("the list has no scores", where=words.place or place, hint="`word;50` in each line")
            words = words.at_least(least)
        if reading == "slots" and not words.words:
            lower = f": all {before} have a score below {least}" if before else ""
            raise InputError(f"the list has no word{lower}", where=words.place or place, hint="one word a line")
        if reading == "slots" and not slots(grid):
            raise InputError("there is no slot: no two white cells stand side by side", where=place)
        if reading != "slots" and words.unusable:
            raise InputError(
                f"{words.unusable[0]!r} is to be placed but holds more than letters", where=words.place or place
            )
        left_out = before - len(words.words)
        return cls(grid, words.words, reading, repeat, tuple(_remarks(words, left_out, least)), words.scores)

    def _json_form(self) -> dict[str, Any]:
        return {
            "puzzle": self.kind,
            "reading": self.reading,
            "repeat": self.repeat,
            "grid": [list(row) for row in self.grid],
            "words": list(self.words),
            **({"scores": list(self.scores)} if self.scores else {}),
        }

    def draw(self, grid: Grid | None = None) -> str:
        rows = [[str(value or ".") for value in row] for row in (grid or self.grid)]
        width = max(len(value) for row in rows for value in row)
        if width == 1:
            return "\n".join("".join(row) for row in rows)
        return "\n".join(" ".join(value.ljust(width) for value in row).rstrip() for row in rows)

    # Slots, and what fits them.

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """The slots, across and then down."""
        return slots(self.grid)

    def _published(self, solution: Grid, place: Place) -> Grid:
        rows = super()._published(solution, place)
        try:
            return tuple(
                tuple(BLANK if value == BLANK else given_cell(value, (r, c), place) for c, value in enumerate(row, 1))
                for r, row in enumerate(rows, 1)
            )
        except InputError as error:
            error.where = place
            raise

    def _entries(self) -> frozenset[str]:
        return frozenset(slot.name for slot in self.slots)

    @cached_property
    def sites(self) -> tuple[Slot, ...]:
        """Where a word may stand: slots, or under `anywhere` every stretch as long as a word."""
        return stretches(self.slots, map(len, self.words)) if self.reading == "anywhere" else self.slots

    def fits(self, word: str, site: Slot) -> bool:
        """Whether a word has a site's length, and the letters that are given there."""
        if len(word) != len(site):
            return False
        given = self._clues
        return all(given.get(cell, letter) == letter for cell, letter in zip(site.cells, word, strict=True))

    def fitting(self, slot: Slot) -> list[str]:
        """The words that fit a slot."""
        return [word for word in self._by_length.get(len(slot), ()) if self.fits(word, slot)]

    def places(self, word: str) -> list[Slot]:
        """The sites that a word fits."""
        return [site for site in self.sites if self.fits(word, site)]

    @cached_property
    def _by_length(self) -> dict[int, tuple[str, ...]]:
        return by_length(self.words, self.scores)

    @cached_property
    def _cells(self) -> tuple[Cell, ...]:
        return tuple(sorted({cell for slot in self.slots for cell in slot.cells}))

    @cached_property
    def _clues(self) -> dict[Cell, Value]:
        return {cell: value for cell in self._cells if (value := at(self.grid, cell)) is not None}

    def cells(self) -> list[Cell]:
        return list(self._cells)

    def clues(self) -> dict[Cell, Value]:
        return dict(self._clues)

    @cached_property
    def _values(self) -> tuple[str, ...]:
        letters = sorted({*"".join(self.words), *map(str, self._clues.values())} - {BLANK})
        return tuple(letters) if self.reading == "slots" else (BLANK, *letters)

    def values(self) -> tuple[str, ...]:
        return self._values

    # Rules, and what is known before any search.

    @cached_property
    def _rules(self) -> tuple[Rule, ...]:
        if self.reading == "slots":
            return slot_rules(self.slots, self._by_length, self.repeat)
        return placing_rules(self._cells, self.sites, self.words, self._clues)

    def rules(self) -> tuple[Rule, ...]:
        return self._rules

    def clashes(self) -> list[Violation]:
        if self.reading == "slots":
            found = [clash for slot in self.slots if (clash := self._unserved(slot))]
        else:
            found = [
                Violation(f"word {word}", (), f"word {word} ({len(word)} letters) fits nowhere")
                for word in self.words
                if not self.places(word)
            ]
        return found or self._crowded() or super().clashes()

    def _unserved(self, slot: Slot) -> Violation | None:
        if self.fitting(slot):
            return None
        pattern = "".join(str(at(self.grid, cell) or ".") for cell in slot.cells)
        what = f"of {len(slot)} letters" + (f" fits {pattern}" if pattern.strip(".") else "")
        start = cell_name(slot.cells[0])
        return Violation(slot.name, slot.cells, f"{slot.name} (from {start}, {len(slot)} cells): no word {what}")

    def _crowded(self) -> list[Violation]:
        """Lengths of which there are more slots than words, or the other way round."""
        found = []
        for length in sorted({len(slot) for slot in self.slots}):
            fitting = [slot for slot in self.slots if len(slot) == length]
            words = len(self._by_length.get(length, ()))
            if self.reading == "slots" and not self.repeat and len(fitting) > words:
                cells = tuple(dict.fromkeys(cell for slot in fitting for cell in slot.cells))
                text = f"{len(fitting)} slots have {length} cells, but only {_words(words)} {length} letters"
                found.append(Violation("no word twice", cells, text))
            if self.reading == "words" and words > len(fitting):
                text = f"{_words(words)} {length} letters, but only {len(fitting)} slots have as many cells"
                found.append(Violation("one place a word", (), text))
        return found

    def notes(self) -> tuple[str, ...]:
        longest = max(map(len, self.slots), default=0)
        long = [word for word in self.words if len(word) > longest]
        if not long:
            return self.remarks
        return (*self.remarks, f"{_words(len(long))} more letters than any slot has cells: {_listed(long)}")


def _scored(words: WordList, scores: Any, place: Place) -> WordList:
    """A list with the scores of a JSON form, one for each word."""
    if scores is None:
        return words
    fits = isinstance(scores, list) and all(score is None or type(score) is int for score in scores)
    if not fits or len(scores) != len(words.words):
        raise InputError("`scores` is to be a list of integers or null, one for each word", where=place)
    return replace(words, scores=tuple(scores) if any(score is not None for score in scores) else ())


def _remarks(words: WordList, left_out: int, least: int | None) -> list[str]:
    remarks = []
    if left_out:
        score = "1 word has a score" if left_out == 1 else f"{left_out} words have scores"
        remarks.append(f"{score} below {least}, and {'is' if left_out == 1 else 'are'} left out")
    if words.repeated:
        count = len(words.repeated)
        stand = "1 word stands" if count == 1 else f"{count} words stand"
        remarks.append(f"{stand} in the list more than once, and counts once: {_listed(words.repeated)}")
    if words.unusable:
        count = len(words.unusable)
        hold = "1 entry holds" if count == 1 else f"{count} entries hold"
        remarks.append(f"{hold} more than letters, and cannot stand in a grid: {_listed(words.unusable)}")
    return remarks


def _words(count: int) -> str:
    return "1 word has" if count == 1 else f"{count} words have"


def _listed(words: Sequence[str], most: int = 5) -> str:
    return ", ".join(words[:most]) + (", …" if len(words) > most else "")
