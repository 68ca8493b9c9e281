"""Report 5: crosswords filled by forward checking and the most constrained variable; examples, and 17 unit tests.

The report's program places each listed word somewhere in the grid. Of our readings, `words` puts each word on a slot,
`anywhere` on any part of one, `slots` fills every slot.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from typing import Any

from bridge.common import LIMITS
from bridge.errors import Place
from bridge.puzzles.engines import engine
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.crossword import Crossword
from bridge.puzzles.reports import Finding, data, passages, solved
from bridge.puzzles.reports.originals.placing import Rows, Step, most_constrained, placing, spots

ABOUT = """The report's variables are the words, and their values the places where a word may stand. It places the word
with the fewest places first and computes all places anew after each placement.
`bridge/puzzles/reports/originals/placing.py` follows the twelve steps of its worked example. Nothing but the letters
counts there: a word may run on into others and may lie within another one, also from the same cell in the same
direction. Our reading `anywhere` forbids the last, which is why one grid that the report's algorithm fills has no fill
here. The real grids and word lists are pictures in the report; ours come from a public copy of its program."""

#: The most placements of plain backtracking.
PLACEMENTS = 1_000

#: The unit tests in the order of the report's table, by function.
_TITLES = {
    "cea_mai_constransa_variabila": "most constrained variable",
    "update": "places of each word",
    "forward_checking": "can all be placed",
}

_METHOD = "the report's search"


def findings(seconds: float) -> Iterator[Finding]:
    """The worked example step by step, the grids, then the unit tests function by function."""
    examples = data("crossword_examples")["examples"]
    yield from _trace(examples[0])
    for example in examples:
        yield from _original(example)
        yield from _example(example, seconds)
    for number, test in enumerate(data("crossword_unit_tests")["tests"], 1):
        yield _tested(number, test, seconds)


def _trace(example: dict[str, Any]) -> Iterator[Finding]:
    """The report prints domains and grids in turn, and a way back with the placement after it as one step."""
    groups: list[list[Step]] = []
    steps = list(placing(example["grid"], example["words"]))
    for step, after in pairwise([*steps, steps[-1]]):
        if step.kind == "domains" and after.kind == "undone":
            continue  # a word has no place: the report goes back without printing these domains
        if groups and groups[-1][-1].kind == "undone":
            groups[-1].append(step)
        else:
            groups.append([step])
    for number, group in enumerate(groups, 1):
        what, source = f"worked example, step {number}", f"step {number}"
        ours = _printed(group[0])
        if number == len(groups):
            note = "the final result is a picture in the report; this is the grid of step 11"
            right = group[0].kind == "solved" and list(group[0].grid) == example["solution"]
            yield Finding(what, "", ours, right, note=note, method=_METHOD)
            continue
        says = "\n".join(line for line in passages(5)[source].text.splitlines() if line)
        if len(group) > 1:
            yield from _way_back(what, source, says.splitlines(), group)
            continue
        read = says.replace("(0, ", "(O, ") if group[0].kind == "domains" else says
        note = "in the text the letter O of a direction looks like 0" if read != says else ""
        yield Finding(what, says, ours, read == ours, note=note, source=source, method=_METHOD)


def _way_back(what: str, source: str, lines: list[str], group: list[Step]) -> Iterator[Finding]:
    """A step whose text has the first grid, and lines of others run together."""
    says, ours = "\n".join(lines[:4]), _board(group[0].grid)
    taken, placed = group[0].word, group[-1]
    yield Finding(f"{what}: {taken} is taken back", says, ours, ours == says, source=source, method=_METHOD)
    note = f"{placed.word} goes down next; the text has only fragments of that grid, which cannot be compared"
    says, ours = "\n".join(lines[4:]), _board(placed.grid)
    yield Finding(f"{what}: {placed.word} again", says, ours, None, note=note, source=source, method=_METHOD)


def _printed(step: Step) -> str:
    """Domains or grid as the report prints them."""
    if step.kind != "domains":
        return _board(step.grid)
    spots = {word: ", ".join(f"({way}, {r}, {c})" for way, r, c in places) for word, places in step.domains.items()}
    return "\n".join(f"{word}\n[{text}]" for word, text in spots.items())


def _board(grid: Rows) -> str:
    return "\n".join(str(list(row.replace(".", "0"))) for row in grid)


def _original(example: dict[str, Any]) -> Iterator[Finding]:
    """The report's search, beside plain backtracking over the same places."""
    name = _name(example)
    words = [word.upper() for word in example["words"]]
    counts: list[int] = []
    for constrained_first in (True, False):
        steps = placing([row.upper() for row in example["grid"]], words, constrained_first=constrained_first)
        made, last = 0, Step("failed", ())
        for step in steps:
            made, last = made + (step.kind == "placed"), step
            if made > PLACEMENTS:
                break
        else:
            counts.append(made)
        if constrained_first:
            ours = f"{'filled' if last.kind == 'solved' else 'not filled'}, {made:,} placements"
            right = last.kind == "solved" and all(spots(last.grid, word) for word in words)
            if example["solution"]:
                right = list(last.grid) == example["solution"]
            note = ""
            if right and not example["expected"]:
                note = "some words lie within others, from the same cell: our readings forbid it, and have no fill"
            yield Finding(f"{name}, by the report's search", "", ours, right, note=note, method=_METHOD)
    plain = f"{counts[1]:,}" if len(counts) == 2 else f"more than {PLACEMENTS:,}"
    ours = f"{counts[0]:,} placements, and {plain} by plain backtracking in the order of the list"
    fewer = len(counts) == 1 or counts[0] < counts[1]
    says = "un număr de pași considerabil redus"
    what = f"{name}: fewer steps than plain backtracking"
    yield Finding(what, says, ours, fewer, source="fewer steps", method=_METHOD)


def _name(example: dict[str, Any]) -> str:
    return str(example["id"]).removeprefix("report5-")


def _crossword(grid: Sequence[Any], words: list[str], **more: Any) -> Puzzle:
    rows = [[None if mark in "0." else mark for mark in row] for row in grid]
    return Crossword.from_json({"grid": rows, "words": words, **more}, Place("report 5"))


def _example(example: dict[str, Any], seconds: float) -> Iterator[Finding]:
    """All fills under one of our readings, by three engines."""
    name = _name(example)
    worked = name == "worked-example"
    reading = "slots" if worked else "words"
    puzzle = _crossword(example["grid"], example["words"], reading=reading)
    for by in ("asp", "fc+mrv", "mac+mrv"):
        outcome = solved(by, puzzle, seconds, None)
        number, known = len(outcome.solutions), example["count"]
        right: bool | None = number == known if outcome.complete else None
        if right and known and example["solution"]:
            right = tuple(tuple(line.lower()) for line in example["solution"]) in outcome.solutions
        ours = f"{number}, all" if outcome.complete else f"{number}, ended by {LIMITS[str(outcome.limit)]}"
        yield Finding(f"{name}: fills, reading {reading}, {by}", "", ours, right, method=by)
    if worked:
        twice = engine("asp").solutions(_crossword(example["grid"], example["words"], repeat=True)).collect()
        says, ours = "poate fi utilizat o singură dată", f"{number}, and {len(twice.solutions)} with `-O repeat=yes`"
        right = number == 1 and len(twice.solutions) == 2
        note = "the rule makes the fill unique"
        what = f"{name}: fills, each word once"
        yield Finding(what, says, ours, right, note=note, source="once", method="asp")


def _tested(number: int, test: dict[str, Any], seconds: float) -> Finding:
    """A unit test: the report's expected answer beside that of its algorithm, and the right one."""
    function = test["function"].split(":")[0].split(" ")[0]
    source = f"unit test {number}"
    expected, received, status = passages(5)[source].text.split("\t")[1:]
    what = f"{_TITLES[function]}, {test['test']}"
    ours, note = _ANSWERS[function](test, seconds)
    holds = ours == expected.replace(" ", "")
    if status == "Failed":
        note = f"marked Failed, received {received}; the expected answer is the right one, and the algorithm gives it"
    if not holds:
        note = note or test["note"]
    says = f"{expected} … {received} … {status}"
    return Finding(what, says, ours, holds, note=note, source=source, method=_METHOD)


def _most_constrained(test: dict[str, Any], seconds: float) -> tuple[str, str]:
    word = most_constrained(test["input"])
    note = "there is no variable to return; the function as the report lists it has no value then, and cannot give 0"
    return (word, "") if word is not None else ("no variable", note)


def _places(test: dict[str, Any], seconds: float) -> tuple[str, str]:
    """How many places each word has, by the report's search and under our reading `anywhere`."""
    grid = ["".join(row).replace("0", ".") for row in test["input"]["grid"]]
    theirs = [len(spots(grid, word)) for word in test["input"]["words"]]
    puzzle = _crossword(test["input"]["grid"], test["input"]["words"], reading="anywhere")
    assert isinstance(puzzle, Crossword)
    ours = [len(puzzle.places(word)) for word in puzzle.words]
    note = "" if ours == theirs else f"under our reading `anywhere`: {ours}"
    if test["test"] == "test2":
        note = "received 6 for two words: the report shows one of the two numbers"
    return ",".join(map(str, theirs)), note


def _placeable(test: dict[str, Any], seconds: float) -> tuple[str, str]:
    """Whether all words can be placed, by the report's search and under our reading `anywhere`."""
    grid = ["".join(row).replace("0", ".") for row in test["input"]["grid"]]
    placed = any(step.kind == "solved" for step in islice(placing(grid, test["input"]["words"]), PLACEMENTS))
    puzzle = _crossword(test["input"]["grid"], test["input"]["words"], reading="anywhere")
    outcome = solved("mac+mrv", puzzle, seconds)
    note = ""
    if bool(outcome.solutions) is not placed:
        note = "upper and lower case differ in the report; our reader folds them, and then the three words fit"
    return str(placed), note


_ANSWERS = {"cea_mai_constransa_variabila": _most_constrained, "update": _places, "forward_checking": _placeable}
