"""Report 5: crosswords filled by forward checking and the most constrained variable; examples, and 17 unit tests.

The report's program places each listed word somewhere in the grid. Of our readings, `words` wants each word on a slot,
`anywhere` on any part of one, `slots` wants every slot filled.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bridge.engines import engine
from bridge.errors import Place
from bridge.limits import Limits
from bridge.outcome import Outcome
from bridge.puzzles import Puzzle
from bridge.puzzles.crossword import Crossword
from bridge.puzzles.rules import Grid
from bridge.reports import Finding, data


def findings(seconds: float) -> Iterator[Finding]:
    """The examples, then the tests function by function."""
    for example in data("crossword_examples")["examples"]:
        yield from _example(example, seconds)
    for test in data("crossword_unit_tests")["tests"]:
        yield _TESTS[test["function"].split(":")[0].split(" ")[0]](test, seconds)


def _crossword(grid: list[Any], words: list[str], **more: Any) -> Puzzle:
    rows = [[None if mark in "0." else mark for mark in row] for row in grid]
    return Crossword.from_json({"grid": rows, "words": words, **more}, Place("report 5"))


def _example(example: dict[str, Any], seconds: float) -> Iterator[Finding]:
    name = example["id"].removeprefix("report5-")
    reading = "slots" if name == "worked-example" else "words"
    puzzle = _crossword(example["grid"], example["words"], reading=reading)
    says = "a fill" if example["expected"] else "no fill"
    for who in ("asp", "fc+mrv", "mac+mrv"):
        outcome = engine(who).solutions(puzzle, Limits(seconds=seconds)).collect()
        yield _filled(f"{name}, {reading}, {who}", says, example, outcome, seconds)
    if name == "worked-example":
        twice = engine("asp").solutions(_crossword(example["grid"], example["words"], repeat=True)).collect()
        note = "with `-o repeat=yes`"
        count = len(twice.solutions)
        yield Finding(f"{name}: if a word may stand twice", "2 fills", f"{count} fills", count == 2, note=note)


def _filled(what: str, says: str, example: dict[str, Any], outcome: Outcome[Grid], seconds: float) -> Finding:
    count, known = len(outcome.solutions), example["count"]
    holds: bool | None = count == known if outcome.complete else None
    if holds and known and example["solution"]:
        holds = tuple(tuple(line.lower()) for line in example["solution"]) in outcome.solutions
    ours = f"{count}, all" if outcome.complete else f"{count} within {seconds:g} s"
    note = "" if outcome.complete or outcome.limit is None else f"ended by the limit on {outcome.limit}"
    return Finding(what, says, ours, holds, f"of {known}", note)


def _most_constrained(test: dict[str, Any], seconds: float) -> Finding:
    """The variable with the fewest places comes first: what MRV chooses, the first of equals."""
    from bridge.search.inference import FC
    from bridge.search.network import Network
    from bridge.search.ordering import variable_chooser

    network = Network({word: list(enumerate(map(tuple, places))) for word, places in test["input"].items()})
    variables = range(len(test["input"]))
    ours = str(network.variables[variable_chooser("mrv", FC(network))(variables)]) if variables else "no variable"
    right = str(test["correct_answer"])
    return _tested("most constrained variable", test, ours, ours == right or (not variables and "no variable" in right))


def _places(test: dict[str, Any], seconds: float) -> Finding:
    """How many places each word has."""
    puzzle = _crossword(test["input"]["grid"], test["input"]["words"], reading="anywhere")
    assert isinstance(puzzle, Crossword)
    ours = {word: len(puzzle.places(word)) for word in puzzle.words}
    return _tested("places of each word", test, str(ours), ours == test["correct_answer"])


def _placeable(test: dict[str, Any], seconds: float) -> Finding:
    """Can every word be placed?"""
    puzzle = _crossword(test["input"]["grid"], test["input"]["words"], reading="anywhere")
    outcome = engine("mac+mrv").solutions(puzzle, Limits(seconds=seconds, solutions=1)).collect()
    ours = bool(outcome.solutions) if outcome.solutions or outcome.complete else None
    if ours is not test["correct_answer"] and "case folded" in test["note"]:
        return Finding(*_said("can all be placed", test), str(ours), ours is True, note=test["note"])
    return _tested("can all be placed", test, str(ours), ours is test["correct_answer"])


def _tested(function: str, test: dict[str, Any], ours: str, right: bool) -> Finding:
    note = test["note"] if test["report_status"] == "Failed" or not right else ""
    return Finding(*_said(function, test), ours, right, note=note)


def _said(function: str, test: dict[str, Any]) -> tuple[str, str]:
    failed = ", marked Failed" if test["report_status"] == "Failed" else ""
    return f"{function}, {test['test']}", f"{str(test['report_expected']).strip()}{failed}"


_TESTS = {"cea_mai_constransa_variabila": _most_constrained, "update": _places, "forward_checking": _placeable}
