"""Puzzles: instances, text forms, rules, and their forms for solvers.

No solver runs here, except to read what a kind of puzzle from a file says, and what its rules are about.

    >>> puzzle = parse("sudoku", "1... ..3. .4.. ...2".replace(" ", ""))
    >>> puzzle.clues()[3, 2]
    4

A puzzle can also be made from rows:

    >>> parse("sudoku", [[1, 0, 0, 0], [0, 0, 3, 0], [0, 4, 0, 0], [0, 0, 0, 2]]) == puzzle
    True

A puzzle is added by a file (`docs/adding-a-puzzle.md`), or by a folder with classes and an entry in
`bridge.puzzles.kinds.registry`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from typing import Any, cast

from bridge.common import named_arguments, public, regex
from bridge.errors import InputError, Place, brief
from bridge.puzzles.kinds.about import about_in_comments
from bridge.puzzles.kinds.json_places import objects_in, placed
from bridge.puzzles.kinds.options import read_options
from bridge.puzzles.kinds.puzzle import Puzzle
from bridge.puzzles.kinds.registry import KINDS, class_of

_OPEN = frozenset(["", ".", "_", "*"])


def cells_of(rows: Any, where: Place | None) -> list[list[Any]]:
    """The cells of rows (lists of lists, NumPy arrays, pandas tables), as the JSON form has them.

    None, NaN, `"."` and its like are open cells. Digits in a text are a number, and so is a float without a fraction.
    NumPy is not imported: its arrays and scalars have methods that return plain values.

    >>> cells_of([[1, "."], ["2", None]], None)
    [[1, None], [2, None]]
    """
    hint = "as in [[1, 0], [0, 2]]"
    for convert in ("to_numpy", "tolist"):
        if callable(method := getattr(rows, convert, None)):
            rows = method()
    if not isinstance(rows, Iterable) or isinstance(rows, str | bytes):
        raise InputError(f"a grid is a list of rows, not {rows!r}", where=where, hint=hint)
    found = []
    for r, row in enumerate(rows, 1):
        if callable(method := getattr(row, "tolist", None)):
            row = method()
        if not isinstance(row, Iterable) or isinstance(row, bytes):
            raise InputError(f"row {r} is {row!r}, not a list of cells", where=where, hint=hint)
        found.append([_cell(value, r, c, where) for c, value in enumerate(row, 1)])
    return found


def _cell(value: Any, r: int, c: int, where: Place | None) -> Any:
    if callable(method := getattr(value, "item", None)):  # a NumPy scalar
        value = method()
    if isinstance(value, str):
        text = value.strip()
        if text in _OPEN:
            return None
        return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text
    if isinstance(value, float):
        if value != value:  # NaN
            return None
        return int(value) if value.is_integer() else value
    if value is not None and not isinstance(value, int):
        raise InputError(f"row {r}, column {c}: {value!r} is not the value of a cell", where=where)
    return value


#: What `parse` accepts for a grid: rows of cells. A NumPy array and a pandas table are rows, too.
Rows = Iterable[Iterable[object]]


def puzzle_class(kind: str) -> type[Puzzle]:
    """The class of a puzzle by its name; InputError lists the names there are."""
    return class_of(kind, "puzzle")


@public("bridge.puzzles")
@named_arguments
def parse_all(kind: str, text: str, *, file: str | None = None, **options: str) -> list[Puzzle]:
    """All puzzles in a text: one, or one a line where the form allows; JSON when it begins with `{` or `[`.

    Parameters
    ----------
    kind
        The name of a puzzle.
    text
        Any of its text forms.
    file
        What error messages call the text.
    options
        What the text does not say, such as `box="2x3"`; `puzzle_class(kind).options` lists them.

    Raises
    ------
    InputError
        With line and column, when the text is not such a puzzle.
    """
    cls, place = puzzle_class(kind), Place(file)
    read = read_options(kind, cls.options, options)
    if not isinstance(text, str):
        raise InputError(f"{brief(text)} is not a text", hint="`parse` takes rows of cells, too")
    text = text.removeprefix("\ufeff")
    if text.lstrip()[:1] not in ("{", "["):
        return [one for part in parts(text) for one in of_text(cls, part, place, read)]
    puzzles = []
    for item, inside, at, path in objects_in(text, place):
        with placed(inside, at, path):
            if not isinstance(item, dict):
                raise InputError("a puzzle in JSON is an object", where=at, hint='{"puzzle": ..., "grid": [[...]]}')
            if item.get("puzzle", kind) != kind:
                raise InputError(f"this is a {item['puzzle']}, not a {kind}", where=at.inside("puzzle"))
            puzzles.append(cls.from_json({**item, **read}, at))
    return puzzles


#: The comment that stands before each of several puzzles in one text, as `generate` writes it.
_PART = regex(r"(?m)^[#%] puzzle [0-9]+\s*$")


def parts(text: str) -> Iterator[str]:
    """The text of each puzzle, behind as many line breaks as stand before it, so that places are those of the file."""
    begins = [one.start() for one in _PART.finditer(text)]
    if not begins or text[: begins[0]].strip():
        begins.insert(0, 0)
    for begin, end in pairwise([*begins, len(text)]):
        yield "\n" * text.count("\n", 0, begin) + text[begin:end]


def of_text(cls: type[Puzzle], text: str, place: Place, options: Mapping[str, Any]) -> list[Puzzle]:
    """The puzzles of a text without `# puzzle N`, with the texts that comments say about it.

    Raises
    ------
    InputError
        When the lines between blank ones are puzzles by themselves, all of one shape: as one puzzle they would be
        another than their author wrote.
    """
    puzzles: list[Puzzle] = list(cls.from_text(text, place, options))
    if len(puzzles) != 1:
        return puzzles
    comment = puzzles[0].text_form.comment
    lines = [line for line in text.splitlines() if not line.lstrip().startswith(comment)]
    boards = [list(group) for blank, group in groupby(lines, lambda line: not line.strip()) if not blank]
    if len(boards) > 1 and min(map(len, boards)) > 1 and _shapes(cls, boards, options) - {_shape(puzzles[0])}:
        message = f"is this one puzzle of {sum(map(len, boards))} lines, or {len(boards)} puzzles?"
        hint = f"write `{comment} puzzle 1` before the first, and so on; or leave the blank line out"
        raise InputError(message, where=place, hint=hint)
    return _with_comments(puzzles, text, place)


def _shape(puzzle: Puzzle) -> tuple[int, ...]:
    return tuple(map(len, puzzle.grid))


def _shapes(cls: type[Puzzle], boards: Iterable[list[str]], options: Mapping[str, Any]) -> set[tuple[int, ...]]:
    """The one shape of the puzzles that these texts are by themselves; empty where it is not one, or not of each."""
    try:
        found = {_shape(one) for board in boards for one in cls.from_text("\n".join(board), Place(), options)}
    except InputError:
        return set()
    return found if len(found) == 1 else set()


def _with_comments(puzzles: Sequence[Puzzle], text: str, place: Place) -> list[Puzzle]:
    """The puzzles of a text; if it is one, with the texts that comments say about it."""
    if len(puzzles) != 1:
        return list(puzzles)
    about, places = about_in_comments(text, puzzles[0].text_form.comment, place)
    if not about:
        return list(puzzles)
    try:
        return [replace(cast(Any, puzzles[0]), about=about)]
    except InputError as error:
        error.where = places.get(str(error.where.path[-1]), place) if error.where else place
        raise


@public("bridge.puzzles")
@named_arguments
def parse(kind: str, source: str | Rows | Mapping[str, Any], *, file: str | None = None, **options: str) -> Puzzle:
    """The one puzzle in a text, or the puzzle of a grid.

    Parameters
    ----------
    kind
        The name of a puzzle.
    source
        A text as in `parse_all`; or rows, such as a list of lists or a NumPy array; or the JSON form as a dictionary,
        whose `grid` may be such rows. In rows, None, `"."` and NaN are open cells, and 0 is where it is not a value.
    file
        The name of the text in error messages.
    options
        As in `parse_all`.

    Raises
    ------
    InputError
        With line and column of a text, or row and column of a cell, when it is not such a puzzle, or more than one.
    """
    if not isinstance(source, str):
        return _from_cells(kind, source, Place(file) if file else None, options)
    return the_one(parse_all(kind, source, file=file, **options), Place(file), "use `load_all`")


def the_one(puzzles: Sequence[Puzzle], where: Place, hint: str | None = None) -> Puzzle:
    """The only one of some puzzles; InputError where there are none or several."""
    if len(puzzles) != 1:
        raise InputError(f"{len(puzzles)} puzzles, but one is wanted", where=where, hint=hint)
    return puzzles[0]


def _from_cells(kind: str, source: Rows | Mapping[str, Any], where: Place | None, options: Mapping[str, str]) -> Puzzle:
    """The puzzle of rows, or of the JSON form with rows."""
    cls = puzzle_class(kind)
    data = dict(source) if isinstance(source, Mapping) else {"grid": source}
    if data.get("puzzle", kind) != kind:
        raise InputError(f"this is a {data['puzzle']}, not a {kind}", where=where)
    data = {**data, "grid": cells_of(data.get("grid"), where), **read_options(kind, cls.options, options)}
    try:
        return cls.from_json(data, Place())
    except InputError as error:
        if error.where is not None and error.where != Place("--option"):
            error.where = where
        raise


__all__ = ["KINDS", "Puzzle", "parse", "parse_all", "puzzle_class"]
