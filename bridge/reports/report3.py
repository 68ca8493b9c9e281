"""Report 3: eight Sudokus, posted to clpfd, and labelled where that is needed.

Its figures are of SWI-Prolog 7.6.4 on another machine; inferences compare, seconds hardly.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter
from typing import Any

from bridge.analysis.check import check
from bridge.engines import engine
from bridge.errors import InputError
from bridge.limits import Limits
from bridge.puzzles import Puzzle, parse
from bridge.reports import Finding, data, faster

#: The report's words for a verdict, and ours.
_VERDICTS = {"unique": "unique", "none": "impossible", "multiple": "ambiguous", "invalid-value": "refused"}

#: What the report prints under problem 6: four domains and the goals that hold them, in any order, by cell.
_PROBLEM_6 = {
    *(f"{cell} in 3\\/6" for cell in ("r4c1", "r4c6", "r6c1", "r6c6")),
    "all_distinct([r4c1, 4, 2, 7, 8, 5, r6c1, 9, 1])",
    "all_distinct([4, 1, 8, r4c1, 7, r6c1, 5, 2, 9])",
    "all_distinct([r4c1, 4, 2, 5, 1, r4c6, 7, 9, 8])",
    "all_distinct([r6c1, 9, 1, 7, 8, r6c6, 5, 4, 2])",
    "all_distinct([5, 1, r4c6, 2, 9, 4, 7, 8, r6c6])",
    "all_distinct([8, 7, 1, r4c6, 4, r6c6, 9, 5, 2])",
}


def findings(seconds: float) -> Iterator[Finding]:
    """What the report says of its problems, one by one."""
    told = data("sudoku_clpfd")
    problems = {problem["id"]: problem for problem in told["problems"]}
    for name, problem in problems.items():
        yield _verdict(name.removeprefix("report3-p"), problem, seconds)
    for number in (5, 6):
        yield _count(number, problems[f"report3-p{number}"], seconds)
    yield from _residual(_puzzle(problems["report3-p6"]), seconds)
    yield from _inferences(problems, told, seconds)
    for key, theirs in told["timings_s"].items():
        yield _time(key, theirs, problems[f"report3-{key}"], seconds)


def _puzzle(problem: dict[str, Any]) -> Puzzle:
    text = problem["puzzle"]
    if isinstance(text, list):
        text = "\n".join(" ".join("." if value is None else str(value) for value in row) for row in text)
    return parse("sudoku", text)


def _verdict(number: str, problem: dict[str, Any], seconds: float) -> Finding:
    expected = _VERDICTS[problem["expected"]]
    what = f"problem {number.replace('-ocr-variant', ', with the extra 9 of the scan')}: verdict"
    try:
        puzzle = _puzzle(problem)
    except InputError as error:
        note = "the report's program says `false`; a wrong value is a mistake in the input, so we name its place"
        return Finding(what, "no solution (a value out of range)", error.message, expected == "refused", note=note)
    found = check(puzzle, seconds=seconds)
    holds = str(found.verdict) == expected
    if holds and problem.get("solution"):
        holds = "".join(str(value) for row in found.solutions[0] for value in row) == problem["solution"]
    return Finding(what, expected, str(found.verdict), holds)


def _count(number: int, problem: dict[str, Any], seconds: float) -> Finding:
    known = problem["count"]
    outcome = engine("clpfd").solutions(_puzzle(problem), Limits(seconds=seconds)).collect()
    ours = str(len(outcome.solutions)) if outcome.complete else f"at least {len(outcome.solutions)}"
    holds = outcome.complete and len(outcome.solutions) == known
    return Finding(f"problem {number}: solutions", str(known), ours, holds)


def _residual(puzzle: Puzzle, seconds: float) -> Iterator[Finding]:
    propagated = engine("clpfd").propagated(puzzle, Limits(seconds=seconds))
    ours = set(propagated.constraints)
    note = "" if ours == _PROBLEM_6 else f"missing {sorted(_PROBLEM_6 - ours)}, more {sorted(ours - _PROBLEM_6)}"
    says = "4 domains 3\\/6 and 6 all_distinct goals"
    yield Finding("problem 6: residual goals, as a set", says, f"{len(ours)} goals", ours == _PROBLEM_6, note=note)
    exact = engine("asp").exact(puzzle, Limits(seconds=seconds))
    note = "the report shows what propagation leaves; here it is all that is open"
    shown = "the same four cells" if exact.open == propagated.open else str(exact.open)
    yield Finding("problem 6: exactly open", "", shown, exact.open == propagated.open, note=note)


def _inferences(problems: dict[str, Any], told: dict[str, Any], seconds: float) -> Iterator[Finding]:
    for number, theirs in ((7, {"post": told["p7_inferences"]}), (8, _posted_and_labelled(told))):
        puzzle = _puzzle(problems[f"report3-p{number}"])
        outcome = engine("clpfd").solutions(puzzle, Limits(seconds=seconds, solutions=1)).collect()
        counters = outcome.statistics.counters
        ours = {"post": counters["post_inferences"], "label": counters["inferences"] - counters["post_inferences"]}
        for phase, says in theirs.items():
            ratio = ours[phase] / says
            yield Finding(
                f"problem {number}: inferences to {phase}",
                f"{says:,}",
                f"{ours[phase]:,}",
                ratio <= 1.25,
                f"{ratio:.2f} of theirs",
                "SWI-Prolog 7.6.4 there; the report labels row by row, we label the whole grid, smallest domain first"
                if phase == "label"
                else "SWI-Prolog 7.6.4 there, whose clpfd counts a little differently",
            )


def _posted_and_labelled(told: dict[str, Any]) -> dict[str, int]:
    return {"post": told["p8"]["sudoku/1 inferences"], "label": told["p8"]["label inferences"]}


def _time(key: str, theirs: float, problem: dict[str, Any], seconds: float) -> Finding:
    what = f"problem {key[1:]}: seconds"
    try:
        puzzle = _puzzle(problem)
    except InputError:
        return Finding(what, f"{theirs}", "refused while reading", None, note="nothing is left to be timed")
    started = perf_counter()
    engine("clpfd").solutions(puzzle, Limits(seconds=seconds, solutions=1)).collect()
    spent = perf_counter() - started
    note = "another machine; theirs includes starting Prolog"
    return Finding(what, f"{theirs}", f"{spent:.3f}", spent <= theirs, faster(theirs, spent), note)
