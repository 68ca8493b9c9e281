"""Pictures of puzzles, and of what is found about them: results become plain data for `bridge.puzzles.render`.

>>> import bridge
>>> puzzle = bridge.puzzles.load("sudoku", "examples/sudoku/report3-problem6.txt")
>>> picture(bridge.diagnose(puzzle)).save("problem6.svg")         # also .png, .pdf, .txt
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from bridge import picture
from bridge.analysis import Clash
from bridge.common import plural
from bridge.errors import InputError, LimitError
from bridge.limits import UNLIMITED, Limits, takes_limits
from bridge.outcome import Verdict
from bridge.puzzles.analysis.check import Report
from bridge.puzzles.analysis.diagnosis import PuzzleDiagnosis
from bridge.puzzles.generating.generate import Generated
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.puzzle import published_solution
from bridge.puzzles.kinds.rules import Cell, Value
from bridge.puzzles.oracle import Fact, RuleOrFact
from bridge.puzzles.render import ambiguity, conflict, instance, residual, solution, step
from bridge.puzzles.render.views import Picture

if TYPE_CHECKING:
    from bridge.analysis import Step

#: The names of the premises are shown if there are no more than these.
NAMED = 15


@picture.register
def _of_puzzle(puzzle: Puzzle) -> Picture:
    return instance(puzzle)


@picture.register
def _of_generated(generated: Generated) -> Picture:
    return instance(generated.puzzle, f"Grade: {generated.grade.level or 'not computed'}.")


@picture.register
def _of_report(report: Report) -> Picture:
    """The solution; what is open; or what the clues alone break."""
    if report.verdict is Verdict.UNIQUE:
        return solution(report.puzzle, report.solutions[0], "The only solution.")
    if report.verdict is Verdict.AMBIGUOUS and (report.residual or report.propagated):
        return residual(report.puzzle, report.residual, report.propagated)
    if report.violations:
        cells = [cell for clash in report.violations for cell in clash.cells]
        messages = "; ".join(clash.message for clash in report.violations)
        return conflict(report.puzzle, [clash.rule for clash in report.violations], cells, f"Impossible: {messages}.")
    return instance(report.puzzle, f"{str(report.verdict).capitalize()}.")


@picture.register
def _of_diagnosis(diagnosis: PuzzleDiagnosis) -> Picture:
    """The solution; the cells that differ; or the first clash."""
    puzzle = diagnosis.puzzle
    if diagnosis.verdict is Verdict.UNIQUE:
        level = diagnosis.grade.level if diagnosis.grade else None
        grade = f" Grade: {level}." if level else " Grade: not computed."
        return solution(puzzle, diagnosis.solutions[0], f"The only solution.{grade}")
    if diagnosis.verdict is Verdict.AMBIGUOUS and diagnosis.residual is not None:
        found = diagnosis.ambiguity
        groups = [(group.cells, group.ways) for group in found.groups or ()] if found else []
        left = diagnosis.residual
        possible = left.possible if left.complete else left.open  # cut short by a limit, it proves no cell decided
        return ambiguity(puzzle, possible, groups, diagnosis.rules or (), _how_many(diagnosis))
    if diagnosis.clashes:
        return of_clash(puzzle, diagnosis.clashes[0])
    return instance(puzzle, f"{str(diagnosis.verdict).capitalize()}.")


def of_clash(puzzle: Puzzle, clash: Clash[RuleOrFact]) -> Picture:
    """The rules and clues that cannot hold together."""
    parts = [(len(clash.rules), "rule"), (len(clash.facts), "clue")]
    premises = " and ".join(plural(number, word) for number, word in parts if number)
    minimal = " Without any one of them they could." if clash.minimal else ""
    caption = f"Impossible: {premises} cannot hold together.{minimal}"
    cells = [fact.cell for fact in clash.facts if isinstance(fact, Fact)]
    return conflict(puzzle, list(map(str, clash.rules)), cells, caption)


def of_step(puzzle: Puzzle, before: Sequence[Step], new: Step) -> Picture:
    """One step of an explanation, on what the steps before it have found."""
    known: dict[Cell, Value] = {fact.cell: fact.value for one in before for fact in one.new if fact.holds}
    concluded, *also = ((fact.cell, fact.value, fact.holds) for fact in new.new)
    facts, rules = [(fact.cell, fact.value, fact.holds) for fact in new.facts], new.rules
    cells: tuple[Cell, ...] = ()
    if new.technique is not None:
        cells = new.technique.cells
        if len(new.premises) > NAMED:  # the technique says where to look
            facts, rules = [], tuple(rule for rule in rules if rule in new.technique.houses)
    text = str(new)
    if new.technique is None and len(new.premises) > NAMED:  # it does not name what the picture shows
        names, held = plural(len(new.rules), "rule"), plural(len(new.facts), "cell")
        text = f"{new.conclusion}: the {names} and {held} that are lit allow nothing else"
    sentence = f"Step {len(before) + 1}. {text}."
    return step(puzzle, known, concluded, rules, facts, sentence, also, cells)


@takes_limits("seconds")
def of_solution(puzzle: Puzzle, *, limits: Limits = UNLIMITED) -> Picture | None:
    """The solution, or one of several, with the clues distinguished; None when there is none.

    Of several it is the published one, if the puzzle carries one that passes the checker.
    """
    from bridge import solutions

    outcome = solutions(puzzle, limits=replace(limits, solutions=2)).collect()
    if not outcome.solutions:
        if outcome.complete:
            return None
        raise LimitError("the time limit came before a solution was found")
    captions = {
        Verdict.UNIQUE: "The only solution.",
        Verdict.AMBIGUOUS: "One of several solutions.",
        Verdict.UNKNOWN: "A solution; whether there are others was not found out in time.",
    }
    own = published_solution(puzzle) if outcome.verdict is not Verdict.UNIQUE else None
    return solution(
        puzzle, own or outcome.solutions[0], "The published solution." if own else captions[outcome.verdict]
    )


@takes_limits("seconds")
def numbered_step(puzzle: Puzzle, number: int, *, limits: Limits = UNLIMITED) -> Picture:
    """The step of an explanation that has this number, from 1."""
    from bridge import explain

    before: list[Step] = []
    with explain(puzzle, limits=limits) as steps:
        for one in steps:
            if len(before) + 1 == number:
                return of_step(puzzle, before, one)
            before.append(one)
    if not steps.complete:
        raise LimitError(f"the time limit came before step {number}: {len(before)} steps were found")
    raise InputError(f"there is no step {number}", hint=f"the explanation has {len(before)} steps")


def _how_many(diagnosis: PuzzleDiagnosis) -> str:
    """How many solutions, and how many cells differ between them; what a limit cut short is a lower bound."""
    left, found = diagnosis.residual, diagnosis.ambiguity
    cells = len(left.open) if left else 0
    few = "" if left and left.complete else "at least "
    differ = f"{few}{plural(cells, 'cell differs', 'cells differ')} between solutions."
    if found is None:
        return f"Ambiguous: {differ}"
    least = "" if found.complete else "at least "
    return f"Ambiguous: {least}{found.number} solutions; {differ}"
