"""`python -m benchmarks.techniques CHECKOUT [--write]`: our techniques and levels on HoDoKu's regression library.

CHECKOUT is a folder with `reglib-1.3.txt`, a copy of HoDoKu's sources (GPL; nothing of it is kept here). Each line is
an example of a technique: a grid with candidates, and what the technique removes or places there.

- **By name**: a pattern that we give this name removes or places just that, or more.
- **Level**: the first level of our ladder at which some pattern, or all of the level together, gives the same.
- **In order**: of all pairs of examples that HoDoKu puts in different classes (easy, medium, hard, unfair), those that
  our levels put in the same order; a pair on one level of ours is not in order.

Techniques without a name here (larger and other finned fish, uniqueness, almost locked sets, colouring) are left out.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path

from bridge.puzzles.kinds import parse
from bridge.puzzles.kinds.models import models
from bridge.puzzles.search import CSP, propagate
from bridge.puzzles.search.ladder import LEVELS
from bridge.puzzles.search.network import Network, bits
from bridge.puzzles.search.techniques import FINDERS, Candidates, Houses, Pattern

RESULTS = Path(__file__).parent / "results" / "techniques.md"

#: By HoDoKu's codes: its name and class, and the names that we give to it.
KNOWN: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "0000": ("Full House", "easy", ("full house",)),
    "0002": ("Hidden Single", "easy", ("hidden single",)),
    "0003": ("Naked Single", "easy", ("naked single",)),
    "0100": ("Locked Candidates Type 1", "medium", ("locked candidates",)),
    "0101": ("Locked Candidates Type 2", "medium", ("locked candidates",)),
    "0200": ("Naked Pair", "medium", ("naked pair",)),
    "0201": ("Naked Triple", "medium", ("naked triple",)),
    "0210": ("Hidden Pair", "medium", ("hidden pair",)),
    "0211": ("Hidden Triple", "medium", ("hidden triple",)),
    "0202": ("Naked Quadruple", "hard", ("naked quad",)),
    "0212": ("Hidden Quadruple", "hard", ("hidden quad",)),
    "0300": ("X-Wing", "hard", ("X-wing",)),
    "0301": ("Swordfish", "hard", ("swordfish",)),
    "0302": ("Jellyfish", "hard", ("jellyfish",)),
    "0310": ("Finned X-Wing", "hard", ("finned X-wing", "sashimi X-wing")),
    "0311": ("Finned Swordfish", "unfair", ("finned swordfish", "sashimi swordfish")),
    "0320": ("Sashimi X-Wing", "hard", ("sashimi X-wing", "finned X-wing")),
    "0321": ("Sashimi Swordfish", "unfair", ("sashimi swordfish", "finned swordfish")),
    "0400": ("Skyscraper", "hard", ("skyscraper",)),
    "0401": ("2-String Kite", "hard", ("two-string kite",)),
    "0403": ("Turbot Fish", "hard", ("turbot fish", "skyscraper", "two-string kite")),
    "0800": ("XY-Wing", "hard", ("XY-wing",)),
    "0801": ("XYZ-Wing", "hard", ("XYZ-wing",)),
    "0803": ("W-Wing", "hard", ("W-wing",)),
    "0703": ("Remote Pair", "hard", ("remote pair", "XY-chain")),
    "0701": ("X-Chain", "unfair", ("X-chain", "turbot fish", "skyscraper", "two-string kite")),
    "0702": ("XY-Chain", "unfair", ("XY-chain", "remote pair", "XY-wing")),
    "0707": ("Discontinuous Nice Loop", "unfair", ("alternating chain", "X-chain", "XY-chain", "W-wing")),
    "0708": ("AIC", "unfair", ("alternating chain", "W-wing", "XY-chain")),
}
CLASSES = "easy", "medium", "hard", "unfair"

Candidate = tuple[int, int]


@dataclass(frozen=True)
class Example:
    """A grid with candidates, and what is removed and placed."""

    code: str
    grid: Candidates
    removed: frozenset[Candidate]
    placed: frozenset[Candidate]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.techniques", description=__doc__)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--write", action="store_true", help=f"write {RESULTS.name}")
    chosen = parser.parse_args()
    files = sorted(chosen.checkout.rglob("reglib*.txt"))
    if not files:
        parser.error(f"no reglib*.txt below {chosen.checkout}")
    text = report(list(examples(files[-1])))
    print(text)
    if chosen.write:
        RESULTS.write_text(text, encoding="utf-8")


@cache
def blank() -> tuple[CSP, Network, Houses]:
    csp = models(parse("sudoku", "." * 81)).csp()
    network = csp.network()
    return csp, network, Houses.of(csp, network)


def examples(path: Path) -> Iterator[Example]:
    """The examples of techniques that have a name here; those that must not be found are left out."""
    for line in path.read_text(encoding="utf-8").splitlines():
        code = line[1:].partition(":")[0]
        if line.startswith(":") and code.partition("-")[0] in KNOWN and not code.endswith("x"):
            yield read(line)


def read(line: str) -> Example:
    """`:technique:candidates:cells:deleted candidates:eliminations:placements:extra`."""
    _, code, _, cells, deleted, removed, placed, *_ = line.split(":")
    _, network, houses = blank()
    domains, fixed = list(network.domains), 0
    for x, mark in enumerate(cells.replace("+", "")):
        if mark not in ".0":
            domains[x] = network.encode([int(mark)])
            fixed |= 1 << x
    for x in range(len(domains)):
        if fixed >> x & 1:
            for y in bits(houses.peers[x]):
                domains[y.bit_length() - 1] &= ~domains[x]
    for x, value in candidates(deleted):
        domains[x] &= ~value
    return Example(
        code.partition("-")[0], Candidates(houses, domains, fixed), frozenset(candidates(removed)),
        frozenset(candidates(placed)),
    )  # fmt: skip


def candidates(text: str) -> list[Candidate]:
    """`436`: 4 in row 3, column 6."""
    network = blank()[1]
    found = ((int(digit) for digit in word) for word in text.split())
    return [(9 * (row - 1) + column - 1, network.encode([value])) for value, row, column in found]


def outcome(example: Example, pattern: Pattern) -> tuple[set[Candidate], set[Candidate]]:
    """What a pattern removes and places; a candidate that is left alone is placed."""
    removed = {(x, bit) for x, mask in pattern.removed for bit in bits(mask)}
    left = {(x, example.grid.domains[x] & ~mask) for x, mask in pattern.removed}
    placed = {(x, mask) for x, mask in left if mask & (mask - 1) == 0}
    return removed, placed | ({pattern.placed} if pattern.placed else set())


def by_name(example: Example) -> bool:
    """Whether a pattern of the name gives the outcome, or all of the name together do."""
    names = KNOWN[example.code][2]
    removed, placed = set[Candidate](), set[Candidate]()
    for finders in FINDERS.values():
        for find in finders:
            for pattern in find(example.grid):
                if pattern.technique in names:
                    gone, put = outcome(example, pattern)
                    removed, placed = removed | gone, placed | put
    return example.removed <= removed and example.placed <= placed


def level(example: Example) -> str:
    """The first level that gives the outcome."""
    for name, finders in FINDERS.items():
        removed, placed = set[Candidate](), set[Candidate]()
        for find in finders:
            for pattern in find(example.grid):
                gone, put = outcome(example, pattern)
                removed, placed = removed | gone, placed | put
                if example.removed <= removed and example.placed <= placed:
                    return name
    csp, network, _ = blank()
    domains = {variable: network.decode(example.grid.domains[x]) for x, variable in enumerate(network.variables)}
    refuted = set(example.removed)
    refuted |= {(x, bit) for x, value in example.placed for bit in bits(example.grid.domains[x] & ~value)}
    for x, bit in refuted:
        if propagate(CSP({**domains, network.variables[x]: network.decode(bit)}, csp.constraints), "gac") is not None:
            return "search"
    return "shaving"


def report(found: list[Example]) -> str:
    """The table in Markdown."""
    levels = [(example, LEVELS.index(level(example))) for example in found]
    lines = [
        "# Techniques and levels on HoDoKu's regression library",
        "",
        "Written by `python -m benchmarks.techniques CHECKOUT --write`; nothing here depends on the machine.",
        "",
        "| technique | HoDoKu's class | examples | found by our name | our level |",
        "|---|---|--:|--:|---|",
    ]
    named = 0
    for code, (title, class_, _) in KNOWN.items():
        of_code = [(example, place) for example, place in levels if example.code == code]
        if not of_code:
            continue
        hits = sum(by_name(example) for example, _ in of_code)
        named += hits
        places = [place for _, place in of_code]
        shares = ", ".join(f"{LEVELS[place]} {places.count(place)}" for place in sorted(set(places)))
        lines.append(f"| {title} | {class_} | {len(of_code)} | {hits} | {shares} |")
    same = other = 0
    for (one, place), (two, place2) in combinations(levels, 2):
        order = CLASSES.index(KNOWN[one.code][1]) - CLASSES.index(KNOWN[two.code][1])
        if order:
            same += order * (place - place2) > 0
            other += 1
    lines += [
        "",
        f"{named} of {len(found)} examples are found by our name for them ({100 * named / len(found):.1f}%). Of"
        f" {other:,} pairs of examples in different classes, our levels put {same:,} in the same order"
        f" ({100 * same / other:.1f}%); the others are on one level, or the other way round.",
        "",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
