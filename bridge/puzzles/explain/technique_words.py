"""The names of techniques, and the reasons of their steps in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from bridge.common.english import listed
from bridge.puzzles.explain.recognised import Result
from bridge.puzzles.kinds.rules import Cell, Value
from bridge.puzzles.oracle import Fact, RuleOrFact
from bridge.puzzles.search.techniques import Pattern

#: The techniques, and what each of them sees, from easy to hard.
NAMES: Mapping[str, str] = {
    "full house": "the last open cell of a house",
    "hidden single": "the only place for a value in a house",
    "naked single": "the only value left for a cell",
    "pair": "two neighbours that are alike: the cells beside them are not (Takuzu)",
    "sandwich": "a cell between two that are alike (Takuzu)",
    "run": "as many alike as may stand together",
    "count": "a line that has all its zeros, or all its ones",
    "overlap": "cells of a line that are the same in all ways to fill it (Nonogram)",
    "last cell of a sum": "a sum with one open cell",
    "last cell of a cage": "the same of a product, a difference or a quotient (KenKen)",
    "inequality": "a cell that is less than another, or greater",
    "chain of inequalities": "several inequalities, one after the other",
    "sum bounds": "a value that is too small or too large for a sum",
    "one rule": "what any other rule excludes by itself",
    "word pattern": "the only letter that the words for a slot have in a cell",
    "crossing": "the only letter that the words of two crossing slots have in common",
    "unique lines": "two lines that must differ, and can in one place only",
    "contradiction": "a value that rules of its cell exclude, as they would leave another rule no way (Akari)",
    "locked candidates": "all places for a value in one house are in another house, too",
    "locked candidates (pointing)": "all places in a box are in one line",
    "locked candidates (claiming)": "all places in a line are in one box",
    "sum combinations": "all ways to make a sum of different values",
    "cage combinations": "all ways to make a product, a difference or a quotient (KenKen)",
    "line combinations": "all ways to complete a line by several rules",
    "naked pair": "two cells with the same two values",
    "hidden pair": "two values with the same two places",
    "naked triple": "three cells with three values in all",
    "hidden triple": "three values with three places in all",
    "naked quad": "four cells with four values in all",
    "hidden quad": "four values with four places in all",
    "X-wing": "a value in two rows stands in two columns only, or the other way round",
    "swordfish": "the same with three",
    "jellyfish": "the same with four",
    "skyscraper": "two parallel lines with two places each, of which two see each other",
    "two-string kite": "a row and a column with two places each, of which two see each other",
    "turbot fish": "two other houses with two places each, of which two see each other",
    "XY-wing": "a cell with two values and two others that share one with it: the third value is in one of them",
    "XYZ-wing": "the same, and the first cell may have the third value, too",
    "W-wing": "two cells with the same two values, joined by the two places for one of them",
    "finned X-wing": "an X-wing with further places, the fins: what sees these, too, is not the value",
    "sashimi X-wing": "the same, and a line has only one place beside the fins",
    "finned swordfish": "the same with three lines",
    "sashimi swordfish": "the same with three lines, one of which has only one place beside the fins",
    "X-chain": "houses with two places for a value, joined one after the other",
    "remote pair": "cells with the same two values, one after the other",
    "XY-chain": "cells with two values, joined one after the other",
    "alternating chain": "cells with two values and houses with two places, joined one after the other",
}

#: Signs of results as they are written, numbers in words, and how many ways to get a result are listed.
SIGNS = {"+": "+", "*": "×", "-": "−", "/": "÷"}
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
MOST_WAYS = 4


class State(Protocol):
    """What words need of `bridge.puzzles.explain.techniques.Techniques`; variables are numbers."""

    def name(self, cell: Cell) -> str: ...

    def name_of(self, x: int) -> str: ...

    def fact_of(self, candidate: tuple[int, int], holds: bool = True) -> Fact: ...

    def candidates(self, x: int) -> tuple[Value, ...]: ...

    def common(self, x: int, y: int) -> str: ...

    def known_values(self, pattern: Pattern) -> list[tuple[Cell, Value]]: ...

    def ways(self, rule: str) -> tuple[Result, list[tuple[int, ...]]] | None: ...


class Words:
    """The reason of a technique in words."""

    def __init__(
        self,
        state: State,
        pattern: Pattern,
        cells: Sequence[Cell],
        values: Sequence[Value],
        facts: Sequence[Fact],
        premises: Sequence[RuleOrFact],
    ) -> None:
        self._state, self._pattern, self._facts, self._premises = state, pattern, facts, premises
        self._name = state.name_of
        self._cells, self._values = listed(list(map(state.name, cells))), listed([str(value) for value in values])
        self._inside, self._beyond = listed(list(pattern.houses)), listed(list(pattern.covers))

    def reason(self, name: str) -> str:
        base = name.partition(" (")[0]
        kind = base.split()[0] if base.split()[0] in ("naked", "hidden") and base.split()[1] != "single" else base
        inside, cells, values = self._inside, self._cells, self._values
        known = self._state.known_values(self._pattern)
        match kind:
            case "full house":
                return f"the last open cell of {inside}"
            case "hidden single":
                return f"the only place for {values} in {inside}"
            case "naked single":
                return f"the only value left for {cells}"
            case "inequality" if self._pattern.houses:
                return inside
            case "inequality" | "chain of inequalities":
                return listed([one for one in self._premises if isinstance(one, str)])
            case "locked candidates":
                return f"in {inside}, {values} stands only in {self._beyond or cells}"
            case "naked":
                return f"{cells} hold {values} in {inside}"
            case "hidden":
                return f"in {inside}, {values} stand only in {cells}"
            case "X-wing" | "swordfish" | "jellyfish":
                return f"in {inside}, {values} stands only in {self._beyond}"
            case _ if self._pattern.fins:
                fins = [self._name(x) for x, _ in self._pattern.fins]
                named = f"the fin{'s' if fins[1:] else ''} {listed(fins)}"
                return f"in {inside}, {values} stands only in {self._beyond}, but for {named}"
            case "XYZ-wing":
                pivot, *ends = self._pattern.cells
                return f"{self._wings(pivot, ends)}: one of them is {self._facts[0].value}"
            case "XY-wing":
                end, pivot, other = self._pattern.chain[0][0], self._pattern.chain[2][0], self._pattern.chain[4][0]
                return f"{self._wings(pivot, (end, other))}: one of the wings is {self._facts[0].value}"
            case "W-wing":
                return self._w_wing()
            case "pair" | "sandwich" | "run":
                alike = [cell for cell, _ in known]
                where = "on both sides" if kind == "sandwich" else "beside it"
                return f"{listed(list(map(self._state.name, alike)))} {where} are {known[0][1]} ({inside})"
            case "count":
                return f"{inside}: the open cells can only be {self._facts[0].value}"
            case "unique lines":
                return f"{self._pattern.houses[0]}, and nowhere else"
            case "overlap":
                return f"all ways to fill {inside} agree"
            case "last cell of a sum" | "last cell of a cage":
                return f"all other values of {inside} are known"
            case "sum bounds":
                fits = "nothing else fits into" if self._facts[0].holds else "too small or too large for"
                return f"{fits} {inside}"
            case "sum combinations" | "cage combinations" if ways := self._ways():
                return ways
            case "sum combinations" | "cage combinations" | "line combinations":
                return f"nothing else completes {inside}"
            case _ if self._pattern.chain:
                return self._chain()
        return f"{inside} allows nothing else"

    def _ways(self) -> str | None:
        """The ways to get the result of the first rule that has one: `cage a: 4 in two cells is 1+3`."""
        found = next(filter(None, map(self._state.ways, self._pattern.houses)), None)
        if found is None:
            return None
        result, several = found
        number = f"{result.number}{'' if result.sign == '+' else SIGNS[result.sign]}"
        cells = NUMBERS[len(several[0])] if len(several[0]) < len(NUMBERS) else str(len(several[0]))
        if len(several) > MOST_WAYS:
            if self._facts[0].holds:
                return f"{self._inside}: no other way to make {number} in {cells} cells"
            them = "it" if len(self._facts) == 1 else "them"
            return f"{self._inside}: no way to make {number} in {cells} cells has {them}"
        falling = result.sign in "-/"
        texts = [SIGNS[result.sign].join(map(str, sorted(way, reverse=falling))) for way in several]
        return f"{self._inside}: {number} in {cells} cells is {listed(texts, 'or')}"

    def _chain(self) -> str:
        first, last = (self._state.fact_of(self._pattern.chain[i]) for i in (0, -1))
        if first == last:
            return f"if {first.negated()}, then {first} after all"
        if len(self._pattern.chain) == 4 and len(self._pattern.houses) == 2:
            return self._two_houses()
        between = [
            str(self._state.fact_of(candidate, holds=bool(i % 2))) for i, candidate in enumerate(self._pattern.chain)
        ]
        return f"{first} or {last}: if {', '.join(between)}"

    def _holding(self, x: int) -> str:
        """`r1c2 (3 or 8)`."""
        return f"{self._name(x)} ({listed(list(map(str, self._state.candidates(x))), 'or')})"

    def _wings(self, pivot: int, wings: Sequence[int]) -> str:
        return f"pivot {self._holding(pivot)}, wings {listed(list(map(self._holding, wings)))}"

    def _w_wing(self) -> str:
        one, (x, _), (y, _), other = (self._pattern.chain[i] for i in (0, 2, 3, 5))
        linking = self._state.fact_of(self._pattern.chain[2]).value
        pair = f"{self._name(one[0])} and {self._name(other[0])} ({self._values.replace(' and ', ' or ')})"
        where = f"{linking} stands in {self._inside} only in {self._name(x)} and {self._name(y)}"
        return f"{pair}, and {where}: one of the two is {self._state.fact_of(one).value}"

    def _two_houses(self) -> str:
        """Two houses with two places each for a value: `5 stands in row 1 only in r1c5 and r1c1, ...`."""
        one, near, nearby, other = (self._name(x) for x, _ in self._pattern.chain)
        first, second = self._pattern.houses
        link = self._state.common(self._pattern.chain[1][0], self._pattern.chain[2][0])
        places = f"{self._values} stands in {first} only in {one} and {near}, in {second} only in {nearby} and {other}"
        return f"{places}; as {near} and {nearby} share {link}, it is in {one} or {other}"
