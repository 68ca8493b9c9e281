"""`.lp`: an instance as facts for clingo, together with the puzzle's encoding.

A file has the facts of `Models.facts` after a comment with the name of the puzzle and the settings that facts do not
express: the numbers of rows and columns of a crossword, and its reading; those of a kind that is a file, where neither
facts nor constants say them. Accepted are `#const` statements and facts
with integers, strings and intervals. Rules are an error; `lpbridge ground --facts` writes the facts of a program.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any, ClassVar, cast

from bridge.asp import Constant, Function
from bridge.common import listed
from bridge.errors import InputError, Place, UnsupportedError
from bridge.puzzles.formats.codec import Codec, Reading, Request, Source, made
from bridge.puzzles.formats.crosswords import check_size
from bridge.puzzles.formats.terms import Node, clauses
from bridge.puzzles.kinds import KINDS, Puzzle, puzzle_class
from bridge.puzzles.kinds.crossword.runs import BLACK
from bridge.puzzles.kinds.models import models
from bridge.puzzles.kinds.options import read_options
from bridge.puzzles.kinds.patterns import atom_of
from bridge.puzzles.kinds.registry import is_file, is_kind
from bridge.puzzles.kinds.rules import Cell, Value, at, cell_name

if TYPE_CHECKING:
    from bridge.puzzles.kinds.file_puzzle import FilePuzzle

_HEADER = re.compile(r"^[ \t]*% lpbridge: ([a-z0-9-]+)((?: [a-z]+=\S+)*)\s*$", re.MULTILINE)
_HINT = "`lpbridge ground FILE --facts` writes the facts of a program out"

#: The greatest number of atoms in a file.
MOST = 5_000_000

#: The greatest number of atoms that the intervals of a file expand to: `clue(1..9999, 1..9999, 1)` is short.
MOST_BY_INTERVALS = 65_536


@dataclass(frozen=True)
class Facts:
    """The contents of a file: constants, atoms by name and arity, and the settings of the first line."""

    constants: Mapping[str, int]
    atoms: Mapping[str, Sequence[Node]]
    settings: Mapping[str, str]
    place: Place

    def clues(self, rows: int, columns: int, value: Callable[[Node], Value]) -> dict[Cell, Value]:
        """The atoms `clue(R, C, V)`, checked."""
        found: dict[Cell, Value] = {}
        for atom in self.atoms.get("clue/3", ()):
            cell = atom.args[0].number, atom.args[1].number
            if not (1 <= cell[0] <= rows and 1 <= cell[1] <= columns):
                raise InputError(
                    f"{atom} is about no cell: there are {rows} rows and {columns} columns", where=atom.place
                )
            clue = value(atom.args[2])
            if found.setdefault(cell, clue) != clue:
                raise InputError(f"{cell_name(cell)} has two clues, {found[cell]} and {clue}", where=atom.place)
        return found

    def grid(self, rows: int, columns: int) -> list[list[Value | None]]:
        """The clues, integers, as a grid."""
        if not (0 < rows <= 64 and 0 < columns <= 64):
            raise InputError(f"{rows} rows of {columns} cells are not read", where=self.place, hint="64 is the most")
        clues = self.clues(rows, columns, lambda node: node.number)
        return [[clues.get((r, c)) for c in range(1, columns + 1)] for r in range(1, rows + 1)]


def _sudoku(facts: Facts) -> dict[str, Any]:
    height, width = facts.constants["box_rows"], facts.constants["box_columns"]
    return {"box": [height, width], "grid": facts.grid(height * width, height * width)}


def _futoshiki(facts: Facts) -> dict[str, Any]:
    less = [[number.number for number in atom.args] for atom in facts.atoms.get("less/4", ())]
    return {"grid": facts.grid(facts.constants["n"], facts.constants["n"]), "less": less}


def _size(settings: Mapping[str, str]) -> Cell | None:
    """The rows and columns in the first line."""
    found = re.fullmatch(r"([0-9]{1,4})x([0-9]{1,4})", settings.get("size", ""))
    return (int(found[1]), int(found[2])) if found else None


def _crossword(facts: Facts) -> dict[str, Any]:
    white = {(atom.args[0].number, atom.args[1].number) for atom in facts.atoms.get("white/2", ())}
    if not white:
        raise InputError("no cell is white", where=facts.place, hint="white(ROW, COLUMN).")
    rows, columns = max(r for r, _ in white), max(c for _, c in white)
    far = max(facts.atoms["white/2"], key=lambda atom: max(arg.number for arg in atom.args))
    check_size(rows, columns, far.place)
    if size := _size(facts.settings):
        rows, columns = max(rows, size[0]), max(columns, size[1])
    check_size(rows, columns, facts.place)
    if min(min(cell) for cell in white) < 1:
        raise InputError("its white cells are in no grid: rows and columns count from 1", where=facts.place)
    clues = facts.clues(rows, columns, lambda node: node.word)
    letters: dict[str, dict[int, str]] = {}
    for atom in facts.atoms.get("letter/3", ()):
        letters.setdefault(atom.args[0].word, {})[atom.args[1].number] = atom.args[2].word
    words = ["".join(held[position] for position in sorted(held)) for held in letters.values()]
    reading = facts.settings.get("reading") or ("anywhere" if facts.constants["anywhere"] else "slots")
    grid = [
        [clues.get((r, c)) if (r, c) in white else BLACK for c in range(1, columns + 1)] for r in range(1, rows + 1)
    ]
    return {"reading": reading, "repeat": bool(facts.constants["repeat"]), "grid": grid, "words": words}


@dataclass(frozen=True)
class Shape:
    """The facts of a puzzle: the constants and predicates of its encoding, and the function that reads them."""

    constants: Mapping[str, int]
    predicates: tuple[str, ...]
    read: Callable[[Facts], dict[str, Any]]

    def knows(self, constants: Iterable[str], atoms: Mapping[str, Sequence[Node]]) -> bool:
        """Whether these can be facts of the puzzle."""
        return set(constants) <= self.constants.keys() and atoms.keys() <= set(self.predicates)


#: The kinds with classes alone: their facts as `encodings/*/*.lp` declare them.
SHAPES: Mapping[str, Shape] = {
    "sudoku": Shape({"box_rows": 3, "box_columns": 3}, ("clue/3",), _sudoku),
    "futoshiki": Shape({"n": 4}, ("clue/3", "less/4"), _futoshiki),
    "crossword": Shape({"repeat": 0, "anywhere": 0}, ("white/2", "clue/3", "letter/3"), _crossword),
}


class Lp(Codec):
    """Facts for clingo."""

    name = "lp"
    title = "facts for clingo, together with the puzzle's encoding"
    suffixes = (".lp",)
    kinds = KINDS
    generic = True
    many = False
    carries = "Everything, but for letters of a crossword that stand in no slot."

    #: The keys of the JSON form that are in the first line, not in the facts.
    _SETTINGS: ClassVar[tuple[str, ...]] = ("reading",)

    def sniff(self, source: Source) -> bool:
        head = source.head
        return bool(
            _HEADER.search(head)
            or re.search(r"^(clue\(\d+, ?\d+, ?\S+\)|white\(\d+, ?\d+\)|#const \w+ ?=)", head, re.M)
        )

    def decode(self, source: Source, request: Request) -> Reading:
        text = source.text
        header = _HEADER.search(text)
        settings = dict(setting.split("=", 1) for setting in header[2].split()) if header else {}
        constants, atoms = _read(text, source.place)
        kind = request.puzzle or (header[1] if header else None) or self._kind(constants, atoms, source.place)
        if is_kind(kind) and is_file(kind):
            size = _size(settings)
            return Reading((_of_file(kind, constants, atoms, source.place, request, size),))
        if (shape := SHAPES.get(kind)) is None:
            raise UnsupportedError(f"facts of a {kind} cannot be read", hint=f"of these they can: {', '.join(KINDS)}")
        for name, place in constants.items():
            if name not in shape.constants:
                raise InputError(f"a {kind} knows no constant {name}", where=place[1])
        for name, found in atoms.items():
            if name not in shape.predicates:
                known = ", ".join(shape.predicates)
                raise InputError(f"a {kind} knows no facts {name}", where=found[0].place, hint=f"it knows {known}")
        values = {**shape.constants, **{name: value for name, (value, _) in constants.items()}}
        data = shape.read(Facts(values, atoms, settings, source.place))
        return Reading((made(kind, data, source.place, request),))

    def _kind(self, constants: Mapping[str, Any], atoms: Mapping[str, Any], place: Place) -> str:
        """The only puzzle with these predicates."""
        known = [
            kind for kind in KINDS
            if (_knows(kind, constants, atoms) if is_file(kind) else SHAPES[kind].knows(constants, atoms))
        ]  # fmt: skip
        if "white/2" not in atoms and "crossword" in known:
            known.remove("crossword")
        if "less/4" in atoms and "futoshiki" in known:
            return "futoshiki"
        if len(known) == 1:
            return known[0]
        if known:
            raise InputError(f"these may be facts of {' or '.join(known)}", where=place, hint="say which (--puzzle)")
        names = listed(sorted({*constants, *atoms}))
        raise InputError(f"no puzzle here has facts and constants {names}", where=place, hint=_HINT)

    def lost(self, puzzle: Puzzle) -> list[str]:
        apart = [cell_name(cell) for cell, value in _apart(puzzle) if value is not None]
        return [f"letters that stand in no slot ({', '.join(apart[:5])})"] if apart else []

    def write(self, puzzles: Sequence[Puzzle]) -> bytes:
        puzzle = puzzles[0]
        if is_file(puzzle.kind):
            own = cast("FilePuzzle", puzzle)
            size = "" if own.facts_tell_size else " size={}x{}".format(*own.text_size)
            return f"% lpbridge: {puzzle.kind}{size}\n{models(puzzle).facts()}".encode()
        data = puzzle.to_json()
        settings = [f"{name}={data[name]}" for name in self._SETTINGS if name in data]
        more = ""
        if apart := _apart(puzzle):
            # White cells in no slot: the encoding ignores them.
            more = "".join(f"white({r}, {c}).\n" for (r, c), _ in apart)
        if any(value == BLACK for row in puzzle.grid for value in row):
            settings.append(f"size={len(puzzle.grid)}x{len(puzzle.grid[0])}")
        header = " ".join([f"% lpbridge: {puzzle.kind}", *settings])
        return f"{header}\n{models(puzzle).facts()}{more}".encode()


def _knows(kind: str, constants: Iterable[str], atoms: Mapping[str, Sequence[Node]]) -> bool:
    """Whether these can be facts of a kind that is a file."""
    declared = cast("type[FilePuzzle]", puzzle_class(kind)).declared
    names = {f"{name}/{arity}" for name, arity in {*declared.inputs, (declared.clue, 3)}}
    return (
        set(constants) <= set(declared.constants)
        and atoms.keys() <= names
        and all(str(atom) in words for name, words in declared.words.items() for atom in atoms.get(f"{name}/1", ()))
    )


def _of_file(
    kind: str,
    constants: Mapping[str, tuple[int, Place]],
    atoms: Mapping[str, Sequence[Node]],
    place: Place,
    request: Request,
    size: Cell | None,
) -> Puzzle:
    """The instance of a kind that is a file; `size` counts where the facts do not say it."""
    cls = puzzle_class(kind)
    options = read_options(kind, cls.options, request.options)
    facts = {atom_of(_term(atom), atom.place): atom.place for found in atoms.values() for atom in found}
    values = {name: value for name, (value, _) in constants.items()}
    return cast("type[FilePuzzle]", cls).from_facts(facts, values, options, place, size)


def _term(node: Node) -> Any:
    """A term as a Python value."""
    if node.kind == "number":
        return node.number
    if node.kind == "text":
        return node.name
    if node.kind == "atom":
        return Constant(node.name)
    arguments = tuple(map(_term, node.args))
    return Function(node.name, arguments) if node.name else arguments


def _apart(puzzle: Puzzle) -> list[tuple[Cell, Value | None]]:
    """The cells that take no value and are not black, with their letters."""
    cells = set(puzzle.cells())
    return [
        ((r, c), at(puzzle.grid, (r, c)))
        for r, row in enumerate(puzzle.grid, 1)
        for c, value in enumerate(row, 1)
        if (r, c) not in cells and value != BLACK
    ]


def _read(text: str, place: Place) -> tuple[dict[str, tuple[int, Place]], dict[str, list[Node]]]:
    """The constants of a program, and its atoms."""
    constants: dict[str, tuple[int, Place]] = {}
    atoms: dict[str, list[Node]] = {}
    count = by_intervals = 0
    for clause in clauses(text, place, "asp"):
        if clause.term is None:
            if clause.head:
                why = clause.why.message if clause.why else "it is not a fact"
                where = clause.why.where if clause.why else clause.place
                raise InputError(f"only facts are read here: {why}", where=where, hint=_HINT)
            continue
        term = clause.term
        if term.name == "#const":
            constants[term.args[0].word] = term.args[1].number, term.place
            continue
        if term.kind not in ("compound", "atom"):
            raise InputError(f"{term} is not a fact", where=term.place)
        number = prod(len(_interval(arg)) for arg in term.args if _is_interval(arg))  # of atoms, without expanding it
        count, by_intervals = count + number, by_intervals + (number if number > 1 else 0)
        if by_intervals > MOST_BY_INTERVALS:
            message = f"{term} stands for {number:,} facts: intervals may stand for {MOST_BY_INTERVALS:,} in a file"
            raise InputError(message, where=term.place)
        if count > MOST:
            raise InputError(f"more than {MOST:,} facts", where=term.place)
        name = f"{term.name}/{len(term.args)}"
        if not any(map(_is_interval, term.args)):
            atoms.setdefault(name, []).append(term)
            continue
        every = (
            [Node("number", str(one), arg.place) for one in _interval(arg)] if _is_interval(arg) else [arg]
            for arg in term.args
        )
        for args in product(*every):
            atoms.setdefault(name, []).append(Node(term.kind, term.name, term.place, args))
    return constants, atoms


def _is_interval(arg: Node) -> bool:
    return arg.kind == "compound" and arg.name == ".."


def _interval(arg: Node) -> range:
    first, last = (bound.number for bound in arg.args)
    if last - first > MOST_BY_INTERVALS:  # and the length of a range has a bound of its own
        raise InputError(f"{arg} is too long: {MOST_BY_INTERVALS:,} is the most", where=arg.place)
    return range(first, last + 1)
