"""`.puz`: crosswords of Across Lite, read and written by puzpy.

Letters that are filled in become clues, and the words are those of the solution, unless a list is named. A written
file has no solution unless the puzzle carries one or all letters are given. The format has no word list and no reading.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, ClassVar

from bridge.errors import InputError, UnsupportedError
from bridge.puzzles.formats.codec import Codec, Reading, Request, Source, left_out, made
from bridge.puzzles.formats.crosswords import entries, published, unusual, with_words
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.about import NAMES as ABOUT
from bridge.puzzles.kinds.crossword.runs import BLACK, slots
from bridge.puzzles.kinds.rules import Cell, Grid, at, cell_name

#: The content of a square without a letter, in a file without a solution.
_UNKNOWN = "X"


#: The attributes of texts about the puzzle, by their names in `About`.
_TEXTS: Mapping[str, str] = {"title": "title", "author": "author", "copyright": "copyright", "rules": "notes"}

#: Versions of the format.
_LATIN, _UTF8 = "1.3", "2.0"


class Puz(Codec):
    """Across Lite's."""

    name = "puz"
    title = "crosswords of Across Lite (.puz)"
    suffixes = (".puz",)
    kinds = ("crossword",)
    many = False
    binary = True
    has_solution = True
    carries = (
        "The grid and the letters given, of Latin-1. Read: the words of its solution, unless --words names a list; "
        "diagramless ones, rebuses and letters beyond Latin-1 are refused. Title, author, copyright, notes (the "
        "rules), the text of clues and the solution. Written: no list of words."
    )
    about = frozenset(ABOUT)
    _MAGIC: ClassVar[bytes] = b"ACROSS&DOWN"

    def sniff(self, source: Source) -> bool:
        return self._MAGIC in source.data[:4096]

    def decode(self, source: Source, request: Request) -> Reading:
        puz = _puzpy()
        if self._MAGIC not in source.data:
            raise InputError("no .puz file: it does not begin as one", where=source.place)
        try:
            file = puz.load(source.data)
        except (puz.PuzzleFormatError, ValueError, IndexError, UnicodeDecodeError, OverflowError) as error:
            raise InputError(f"no .puz file: {error or 'it is cut short'}", where=source.place) from None
        except Exception as error:  # struct.error and others, for a broken file
            if type(error).__module__ not in ("struct", "_struct"):
                raise
            raise InputError(f"no .puz file: {error}", where=source.place) from None
        place = source.place
        if file.puzzletype != puz.PuzzleType.Normal:
            raise UnsupportedError("a diagramless crossword is not supported", where=place)
        if file.has_rebus() and file.rebus().get_rebus_squares():  # some files have an empty table
            raise UnsupportedError("a rebus (several letters in a cell) is not supported", where=place)
        if len(file.fill) != file.width * file.height or not file.fill:
            raise InputError("no .puz file: its grid is cut short", where=place)
        locked = file.is_solution_locked()
        has_solution = file.solution_state == puz.SolutionState.Unlocked
        grid: list[list[Any]] = [[] for _ in range(file.height)]
        solution: dict[Cell, str] = {}
        for number, (mark, answer) in enumerate(zip(file.fill, file.solution, strict=True)):
            r, c = divmod(number, file.width)
            black = puz.is_blacksquare(answer) or puz.is_blacksquare(mark)
            if not black and not mark.isalpha() and mark != puz.BLANKSQUARE:
                raise UnsupportedError(
                    f"{cell_name((r + 1, c + 1))} holds {mark!r}, which is not a letter", where=place
                )
            grid[r].append(BLACK if black else mark if mark.isalpha() else None)
            if has_solution and not black:
                solution[r + 1, c + 1] = answer
        why = "its solution is locked" if locked else "the file has no solution"
        form, notes = with_words(grid, solution, request, place, why)
        names = _in_order(grid)
        texts = [_plain(text) for text in file.clues]
        clues = {entry: text for entry, text in zip(names, texts, strict=False) if text.strip("-")}
        form["about"] = {name: text for name, key in _TEXTS.items() if (text := _plain(getattr(file, key)))}
        form["about"] |= {"clues": clues, "solution": published(grid, solution)}
        puzzle = made("crossword", form, place, request)
        spare = sum(bool(text.strip("-")) for text in texts[len(names) :])
        what = [f"{spare} clues of no entry"] if spare else []
        if file.has_markup() and any(file.markup().markup):
            what.append("circles and marks")
        notes += left_out(what)
        if puzzle.clues():
            notes.append(f"the {len(puzzle.clues())} letters that are filled in are taken as given")
        return Reading((puzzle,), tuple(notes))

    def lost(self, puzzle: Puzzle) -> list[str]:
        for cell, letter in _letters_of(puzzle.grid).items():
            if _square(letter) is None:
                raise UnsupportedError(
                    f"{cell_name(cell)} holds {letter!r}: a .puz file has letters of Latin-1 only", hint="take ipuz"
                )
        data = puzzle.to_json()
        held = entries(puzzle.grid, _solution(puzzle))
        whole = len(held) == len(slots(puzzle.grid))
        same = whole and sorted(set(held)) == sorted(data["words"]) and data["repeat"] is (len(set(held)) < len(held))
        return [] if same and data["reading"] == "slots" else ["the list of words", *unusual(data)]

    def write_open(self, puzzles: Sequence[Puzzle]) -> bytes:
        return self.write(puzzles, open_cells=True)

    def write(self, puzzles: Sequence[Puzzle], *, open_cells: bool = False) -> bytes:
        puz = _puzpy()
        puzzle = puzzles[0]
        file = puz.Puzzle()
        file.height, file.width = len(puzzle.grid), len(puzzle.grid[0])
        cells = [(r, c) for r, row in enumerate(puzzle.grid, 1) for c in range(1, len(row) + 1)]
        black = {cell for cell in cells if at(puzzle.grid, cell) == BLACK}
        given, letters_of = {} if open_cells else _letters_of(puzzle.grid), _solution(puzzle)
        shown = ["." if cell in black else _square(given.get(cell, "")) for cell in cells]
        squares = ["." if cell in black else _square(letters_of.get(cell, "")) for cell in cells]
        file.fill = "".join(square or puz.BLANKSQUARE for square in shown)
        file.solution = "".join(square or _UNKNOWN for square in squares)
        if None in squares:
            file.solution_state = puz.SolutionState.NotProvided
        about, version = puzzle.about, _version(puzzle)
        file.set_version(version)
        letters = puz.encoding_for_version(file.version_tuple())

        def held(text: str) -> str:
            return str(text.replace("\0", " ").encode(letters, "replace").decode(letters))

        for name, key in _TEXTS.items():
            setattr(file, key, held(getattr(about, name)))
        file.clues = [held(about.clues.get(entry, "-")) for entry in _in_order(puzzle.grid)]
        data: bytes = file.tobytes()
        return data

    def lost_texts(self, puzzle: Puzzle) -> list[str]:
        beyond = [letter for letter in _letters_of(puzzle.about.solution).values() if _square(letter) is None]
        lost = ["the solution"] if beyond else []
        marks = sorted({mark for mark in "".join(_every_text(puzzle)) if not _fits(mark, "latin-1")})
        if marks and _version(puzzle) == _LATIN:
            lost.append(f"the characters {' '.join(marks[:10])} of its texts beside letters of its grid")
        return lost


def _version(puzzle: Puzzle) -> str:
    """The version of the format: 2.0 has texts in UTF-8, and its squares are ASCII."""
    plain = all(_fits(_square(letter) or "", "ascii") for letter in _solution(puzzle).values())
    return _LATIN if not plain or _fits("".join(_every_text(puzzle)), "latin-1") else _UTF8


def _fits(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def _every_text(puzzle: Puzzle) -> list[str]:
    about = puzzle.about
    return [*(getattr(about, name) for name in _TEXTS), *about.clues.values()]


def _in_order(grid: Sequence[Sequence[Any]]) -> list[str]:
    """The entries in the order of the file's clues: by their numbers, of one number across first."""
    every = slots(tuple(map(tuple, grid)))
    return [slot.name for slot in sorted(every, key=lambda slot: (slot.cells[0], slot.direction))]


def _plain(text: str) -> str:
    """A text with the line breaks of other systems."""
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()


def _solution(puzzle: Puzzle) -> dict[Cell, str]:
    """The letters of the published solution, if the format can hold all of them; the given ones are added."""
    published = _letters_of(puzzle.about.solution)
    held = all(_square(letter) is not None for letter in published.values())
    return {**(published if held else {}), **_letters_of(puzzle.grid)}


def _letters_of(grid: Grid) -> dict[Cell, str]:
    return {
        (r, c): str(value)
        for r, row in enumerate(grid, 1)
        for c, value in enumerate(row, 1)
        if value is not None and value != BLACK
    }


def _square(letter: str) -> str | None:
    """A letter as one byte: a capital, or a small letter if it has no capital of one byte."""
    for form in (letter.upper(), letter):
        if len(form) == 1 and ord(form) < 256 and form.isalpha():
            return form
    return None


def _puzpy() -> Any:
    try:
        return import_module("puz")
    except ModuleNotFoundError:
        raise UnsupportedError(".puz files need puzpy", hint="pip install 'lpbridge[formats]'") from None
