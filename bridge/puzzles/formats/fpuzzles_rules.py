"""The constraints of f-puzzles, as facts of a variant Sudoku, and back.

    >>> read_rules({"antiknight": True, "even": [{"cell": "R1C2"}]}, Place()).facts
    [('rule', ('anti-knight',)), ('even', (1, 2))]

A dot of either colour exempts its two cells from `nonconsecutive` and from the negative constraint of ratios.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from bridge.asp import Constant
from bridge.asp.reading import Atom, is_name
from bridge.errors import InputError, Place
from bridge.puzzles.kinds.rules import Cell

#: Switches of f-puzzles, and the rule that each stands for.
_FLAGS: Mapping[str, str] = {
    "antiknight": "anti-knight", "antiking": "anti-king", "disjointgroups": "disjoint-groups",
    "nonconsecutive": "consecutive",
}  # fmt: skip

#: Constraints on single cells, on lines, and on two cells side by side: each with its predicate.
_CELLS: Mapping[str, str] = {"even": "even", "odd": "odd"}
_LINES: Mapping[str, str] = {"thermometer": "thermo", "renban": "renban"}
_PAIRS: Mapping[str, str] = {"difference": "difference", "ratio": "ratio", "xv": "total"}

#: What marks stand for, and the number of a mark without one.
_XV: Mapping[str, int] = {"X": 10, "V": 5}
_USUAL: Mapping[str, int] = {"difference": 1, "ratio": 2}

#: Directions of diagonals.
_DIRECTIONS: Mapping[str, tuple[str, int, int]] = {
    "UR": ("ne", -1, 1), "DR": ("se", 1, 1), "DL": ("sw", 1, -1), "UL": ("nw", -1, -1),
}  # fmt: skip

_CELL = re.compile(r"R([0-9]{1,3})C([0-9]{1,3})")


@dataclass
class Rules:
    """Facts of a variant Sudoku; constraints that have no such facts; what was left out: drawings without a value."""

    facts: list[Atom] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    aside: list[str] = field(default_factory=list)


def rule(name: str) -> Atom:
    """The fact that an instance has a rule."""
    return "rule", (Constant(name) if is_name(name) else name,)


def read_rules(data: Mapping[str, Any], place: Place) -> Rules:
    """The facts of the constraints in f-puzzles' JSON. Keys without a value are skipped."""
    found = Rules()
    for key, value in data.items():
        if value:
            _Reader(key, value, place, found).read(data)
    complete = [rule("consecutive"), rule("double")]
    if all(one in found.facts for one in complete):
        found.facts = [*(fact for fact in found.facts if fact not in complete), rule("kropki")]
    return found


class _Reader:
    """Reads one constraint."""

    def __init__(self, key: str, value: Any, place: Place, found: Rules) -> None:
        self.key, self.value, self.place, self.found = key, value, place, found

    def read(self, data: Mapping[str, Any]) -> None:
        key = self.key
        special: Mapping[str, Callable[[], None]] = {
            "killercage": self._cages, "extraregion": self._cages, "arrow": self._arrows,
            "littlekillersum": self._diagonals, "sandwichsum": self._sandwiches,
        }  # fmt: skip
        if key in _FLAGS:
            self._add(*rule(_FLAGS[key]))
        elif key in ("diagonal+", "diagonal-"):
            both = data.get("diagonal+") and data.get("diagonal-")
            if not both or key == "diagonal+":
                self._add(*rule("diagonal" if both else key))
        elif key == "negative":
            self._negative(data)
        elif key in _CELLS:
            for entry in self._entries():
                self._add(_CELLS[key], self._cell(entry.get("cell")))
        elif key in _LINES:
            for number, line in enumerate((line for entry in self._entries() for line in self._lines(entry)), 1):
                for position, cell in enumerate(line, 1):
                    self._add(_LINES[key], (number, position, *cell))
        elif key in _PAIRS:
            for entry in self._entries():
                self._pair(entry)
        elif key in special:
            special[key]()
        else:
            self.found.unknown.append(key)

    def _add(self, name: str, arguments: tuple[Any, ...]) -> None:
        self.found.facts.append((name, arguments))

    def _wrong(self, what: str) -> InputError:
        return InputError(f"`{self.key}`: {what}", where=self.place)

    def _entries(self) -> list[Mapping[str, Any]]:
        if not isinstance(self.value, list) or not all(isinstance(one, dict) for one in self.value):
            raise self._wrong("this is not a list of constraints")
        return self.value

    def _cell(self, text: Any) -> Cell:
        match = _CELL.fullmatch(text) if isinstance(text, str) else None
        if match is None:
            raise self._wrong(f"{str(text)[:40]!r} is not a cell")
        return int(match[1]), int(match[2])

    def _cells(self, texts: Any) -> list[Cell]:
        if not isinstance(texts, list) or not texts:
            raise self._wrong("this is not a list of cells")
        return [self._cell(text) for text in texts]

    def _lines(self, entry: Mapping[str, Any]) -> list[list[Cell]]:
        lines = entry.get("lines")
        if not isinstance(lines, list):
            raise self._wrong("there is a constraint without lines")
        return [self._cells(line) for line in lines]

    def _number(self, entry: Mapping[str, Any]) -> int | None:
        """The value of a constraint; None when it has none."""
        value = entry.get("value")
        if value is None or (isinstance(value, str) and not value.strip()):
            return None
        if isinstance(value, bool) or not re.fullmatch("[0-9]{1,6}", str(value).strip()):
            raise self._wrong(f"{str(value)[:40]!r} is not a number")
        return int(value)

    def _cages(self) -> None:
        letters = 0
        for number, entry in enumerate(self._entries(), 1):
            total = self._number(entry) if self.key == "killercage" else None
            name: Any = number
            if total is None:
                letters += 1
                name = Constant(("x" if self.key == "extraregion" else "k") + str(letters))
            for cell in self._cells(entry.get("cells")):
                self._add("cage", (*cell, name))
            if total is not None:
                self._add("sum", (name, total))

    def _arrows(self) -> None:
        number = 0
        for entry in self._entries():
            circle = self._cells(entry.get("cells"))
            if len(circle) != 1:
                self.found.unknown.append("arrow with a circle of several cells")
                continue
            for line in self._lines(entry):
                number += 1
                for position, cell in enumerate([*circle, *line[1:]], 1):
                    self._add("arrow", (number, position, *cell))

    def _pair(self, entry: Mapping[str, Any]) -> None:
        cells = self._cells(entry.get("cells"))
        if len(cells) != 2:
            raise self._wrong(f"a mark is between two cells, not {len(cells)}")
        if self.key != "xv":
            number = self._number(entry) or _USUAL[self.key]
        elif not str(entry.get("value") or "").strip():
            self.found.aside.append("marks without X or V")
            return
        elif (number := _XV.get(str(entry["value"]).strip().upper(), 0)) == 0:
            raise self._wrong(f"{str(entry['value'])[:40]!r} is neither X nor V")
        self._add(_PAIRS[self.key], (number, *cells[0], *cells[1]))

    def _negative(self, data: Mapping[str, Any]) -> None:
        if not isinstance(self.value, list):
            raise self._wrong("this is not a list of constraints")
        for name in self.value:
            ratios = {str(one.get("value") or 2) for one in data.get("ratio") or [] if isinstance(one, dict)}
            if name == "xv":
                self._add(*rule("xv"))
            elif name == "ratio" and ratios <= {"2"}:
                self._add(*rule("double"))
            else:
                self.found.unknown.append(f"negative constraint of {str(name)[:40]}")

    def _diagonals(self) -> None:
        for entry in self._entries():
            total, direction = self._number(entry), _DIRECTIONS.get(str(entry.get("direction")))
            if direction is None:
                raise self._wrong(f"{str(entry.get('direction'))[:40]!r} is not a direction")
            if total is None:
                self.found.aside.append("diagonals without a sum")
                continue
            r, c = self._cell(entry.get("cell"))
            self._add("little", (total, r + direction[1], c + direction[2], Constant(direction[0])))

    def _sandwiches(self) -> None:
        for entry in self._entries():
            r, c = self._cell(entry.get("cell"))
            if (total := self._number(entry)) is None:
                self.found.aside.append("sandwiches without a sum")
            elif r == 0 or c == 0:
                self._add("sandwich", (Constant("column" if r == 0 else "row"), c or r, total))
            else:
                raise self._wrong(f"R{r}C{c} is not outside the grid, above or on its left")


def write_rules(atoms: Iterable[Atom]) -> tuple[dict[str, Any], list[str]]:
    """The constraints that facts stand for, in f-puzzles' JSON, and what it has no constraint for."""
    writer = _Writer(list(atoms))
    return writer.data(), writer.lost


class _Writer:
    def __init__(self, atoms: list[Atom]) -> None:
        self.by_name: dict[str, list[tuple[Any, ...]]] = {}
        for name, arguments in atoms:
            self.by_name.setdefault(name, []).append(arguments)
        self.lost: list[str] = []

    def data(self) -> dict[str, Any]:
        found = {**self._rules(), **self._of_cages(), **self._arrows(), **self._pairs(), **self._outside()}
        for key, name in _CELLS.items():
            found[key] = [{"cell": _named(cell)} for cell in sorted(self._take(name))]
        for key, name in _LINES.items():
            found[key] = [{"lines": [line]} for line in self._paths(name)]
        self._take("region")
        self.lost += [f"the facts {name}/{len(rows[0])}" for name, rows in self.by_name.items()]
        return {key: value for key, value in found.items() if value}

    def _take(self, name: str) -> list[tuple[Any, ...]]:
        return self.by_name.pop(name, [])

    def _rules(self) -> dict[str, Any]:
        names = {str(name) for (name,) in self._take("rule")}
        found: dict[str, Any] = {key: True for key, name in _FLAGS.items() if name in names}
        known = {*_FLAGS.values(), "no-regions", "diagonal", "diagonal+", "diagonal-", "kropki", "double", "xv"}
        self.lost += [f"the rule {name}" for name in sorted(names - known)]
        for key in ("diagonal+", "diagonal-"):
            found[key] = bool({"diagonal", key} & names)
        if {"kropki", "double"} & names and any(row[0] != 2 for row in self.by_name.get("ratio", [])):
            self.lost.append("complete dots beside ratios other than 2")
        found["nonconsecutive"] = bool({"kropki", "consecutive"} & names)
        negative = [name for name, rules in (("ratio", {"kropki", "double"}), ("xv", {"xv"})) if rules & names]
        return {**found, "negative": negative}

    def _of_cages(self) -> dict[str, Any]:
        sums = dict(self._take("sum"))
        cages: dict[Any, list[Cell]] = {}
        for r, c, name in sorted(self._take("cage"), key=lambda row: row[:2]):
            cages.setdefault(name, []).append((r, c))
        values = {name: {"value": str(total)} for name, total in sums.items()}
        cells = {name: {"cells": [_named(cell) for cell in cages[name]]} for name in sorted(cages, key=_order)}
        return {"killercage": [{**of_cage, **values.get(name, {})} for name, of_cage in cells.items()]}

    def _paths(self, name: str) -> list[list[str]]:
        """The cells of each line, in order."""
        lines: dict[Any, list[tuple[Any, Cell]]] = {}
        for key, position, r, c in self._take(name):
            lines.setdefault(key, []).append((position, (r, c)))
        return [[_named(cell) for _, cell in sorted(lines[key])] for key in sorted(lines, key=_order)]

    def _arrows(self) -> dict[str, Any]:
        return {"arrow": [{"lines": [line], "cells": line[:1]} for line in self._paths("arrow")]}

    def _pairs(self) -> dict[str, Any]:
        marks = {number: mark for mark, number in _XV.items()}
        found: dict[str, Any] = {key: [] for key in _PAIRS}
        for key, name in _PAIRS.items():
            for number, r, c, r1, c1 in sorted(self._take(name)):
                if key == "xv" and number not in marks:
                    self.lost.append(f"the sum {number} of two cells")
                else:
                    value = marks[number] if key == "xv" else str(number)
                    found[key].append({"cells": [_named((r, c)), _named((r1, c1))], "value": value})
        return found

    def _outside(self) -> dict[str, Any]:
        steps = {name: (key, down, right) for key, (name, down, right) in _DIRECTIONS.items()}
        diagonals, sandwiches = [], []
        for total, r, c, name in sorted(self._take("little"), key=lambda row: row[:3]):
            key, down, right = steps[str(name)]
            diagonals.append({"cell": _named((r - down, c - right)), "direction": key, "value": str(total)})
        for side, index, total in sorted(self._take("sandwich"), key=lambda row: (str(row[0]), row[1])):
            cell = (index, 0) if side == "row" else (0, index)
            sandwiches.append({"cell": _named(cell), "value": str(total)})
        return {"littlekillersum": diagonals, "sandwichsum": sandwiches}


def _order(name: Any) -> tuple[bool, Any]:
    return isinstance(name, str), name


def _named(cell: Cell) -> str:
    return f"R{cell[0]}C{cell[1]}"
