"""Pictures of what the workbench finds: here its results become plain data for `bridge.puzzles.render`.

>>> import bridge
>>> puzzle = bridge.load("sudoku", "examples/sudoku/report3-problem6.txt")
>>> picture(bridge.diagnose(puzzle)).save("problem6.svg")         # also .png, .pdf, .txt
>>> timetable = bridge.load("examples/why/timetable.lp", "examples/why/monday.lp", slots=4)
>>> picture(bridge.why(timetable, "at(art,1)")).save("why.svg")  # rules, facts and choices behind an atom
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import singledispatch
from typing import TYPE_CHECKING

from bridge.analysis.cores import Clash
from bridge.analysis.program_diagnosis import ProgramDiagnosis
from bridge.analysis.proofs import Proof
from bridge.analysis.why import Reasons
from bridge.asp.outline import Why
from bridge.common.english import plural
from bridge.drawing.drawable import Drawable
from bridge.drawing.graph import Graph, Node, Role
from bridge.drawing.page import Note
from bridge.errors import InputError, LimitError, UnsupportedError
from bridge.limits import UNLIMITED, Limits, takes_limits
from bridge.outcome import Verdict
from bridge.problem.asp import AspProblem
from bridge.problem.asp_oracle import AtomFact
from bridge.problem.asp_oracle import Premise as RuleOrFact
from bridge.puzzles.analysis.check import Report
from bridge.puzzles.analysis.diagnose import Diagnosis
from bridge.puzzles.explain.sentences import conclusion, step_sentence
from bridge.puzzles.generate.generate import Generated
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.puzzle import published_solution
from bridge.puzzles.kinds.rules import Cell, Value
from bridge.puzzles.oracle import Fact, Premise
from bridge.puzzles.render import ambiguity, conflict, instance, residual, solution, step
from bridge.puzzles.render.picture import Picture

if TYPE_CHECKING:
    from bridge.puzzles.explain.explain import Step

#: The names of the premises are shown if there are no more than these.
NAMED = 15


@singledispatch
def picture(thing: object) -> Drawable:
    """A picture of a puzzle, of what `check` or `diagnose` found, of a generated puzzle; of reasons and of proofs.

    Raises
    ------
    UnsupportedError
        For anything else.
    """
    raise UnsupportedError(
        f"there is no picture of a {type(thing).__name__}",
        hint="a puzzle, a report, a diagnosis, a generated puzzle, the result of why or why_goal",
    )


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
    if report.clashes:
        cells = [cell for clash in report.clashes for cell in clash.cells]
        messages = "; ".join(clash.message for clash in report.clashes)
        return conflict(report.puzzle, [clash.rule for clash in report.clashes], cells, f"Impossible: {messages}.")
    return instance(report.puzzle, f"{str(report.verdict).capitalize()}.")


@picture.register
def _of_diagnosis(diagnosis: Diagnosis) -> Picture:
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


@picture.register
def of_reasons(found: Reasons) -> Graph:
    """The derivation of an atom; or what forces, forbids or excludes it."""
    steps = found.trace.steps if found.trace is not None and found.rather_than is None else ()
    if steps:
        nodes = tuple(_step_node(one, found.problem) for one in reversed(steps))
        used = dict.fromkeys(one.place for one in steps if one.kind != "fact")
        texts = {one.place: one.text for one in found.problem.outline.every()}
        rules = tuple(f"{found.problem.where(place)}: {texts.get(place, '')}" for place in used)
        notes = [Note("Rules", rules, code=True)] if rules else []
        if found.clash is not None and found.clash.premises:
            lines = tuple(map(_line_of, found.clash.premises))
            notes.append(Note(f"{found.heading[:1].upper()}{found.heading[1:]}", lines, code=True))
        return Graph(found.question, nodes, f"{found.sentence}.", tuple(notes))
    premises = [] if found.clash is None else _premise_nodes(found.clash)
    lacking = [
        Node(f"{one.lacking} does not hold", _bound(one, found.problem), "other")
        for one in (found.trace.missing if found.trace is not None else ())
        if one.lacking
    ]
    needs = tuple(node.id for node in (*premises, *lacking))
    nothing = found.trace is not None and not found.trace.missing and not premises
    caption = "No rule has it in its head." if nothing else ""
    return Graph(found.question, (Node(found.sentence, needs=needs), *premises, *lacking), caption)


@picture.register
def _of_program_diagnosis(found: ProgramDiagnosis) -> Graph:
    """The rules and facts of the first clash."""
    if not found.clashes:
        raise UnsupportedError(f"there is no picture of a program that is {found.verdict}", hint="of a clash there is")
    premises = _premise_nodes(found.clashes[0])
    minimal = " Without any one of them there is an answer set." if found.clashes[0].minimal else ""
    caption = f"These rules and facts cannot hold together.{minimal}"
    whole = Node("no answer set", needs=tuple(node.id for node in premises))
    return Graph(found.problem.title, (whole, *premises), caption)


@picture.register
def of_proof(proof: Proof) -> Graph:
    """The proof as a tree."""
    every = [one for _, one in proof]
    key = {id(one): f"goal {number}" for number, one in enumerate(every)}
    roles: dict[str, Role] = {"clause": "rule", "fact": "fact", "built-in": "other", "query": "rule"}
    nodes = tuple(
        Node(one.goal, one.where, roles[one.reason], tuple(key[id(part)] for part in one.parts), key=key[id(one)])
        for one in every
    )
    used = {one.where: one.text for one in every if one.reason == "clause"}
    notes = (Note("Clauses", tuple(f"{where}: {text}" for where, text in used.items()), code=True),) if used else ()
    return Graph(proof.goal, nodes, "", notes)


def _step_node(one: Why, problem: AspProblem) -> Node:
    roles: dict[str, Role] = {"fact": "fact", "choice": "choice", "disjunction": "choice"}
    absent = tuple(f"not {atom}" for atom in one.negative)
    needs = (*one.positive, *one.inside, *one.theory)
    return Node(one.atom, _bound(one, problem), roles.get(one.kind, "rule"), needs, absent)


def _bound(one: Why, problem: AspProblem) -> str:
    values = ", ".join(f"{name} = {value}" for name, value in one.bindings)
    return f"{problem.where(one.place)}{f' with {values}' if values else ''}"


def _premise_nodes(clash: Clash[RuleOrFact]) -> list[Node]:
    """A node for each rule, fact and choice."""
    found = []
    for one in clash.premises:
        if isinstance(one, AtomFact):
            found.append(Node(str(one), role="choice"))
        elif one.is_fact:
            found.append(Node(str(one), one.where, "fact"))
        else:
            said = ": ".join(part for part in (one.where, one.sentence) if part)
            found.append(Node(one.text, said, key=str(one)))
    return found


def _line_of(one: RuleOrFact | AtomFact) -> str:
    if isinstance(one, AtomFact):
        return f"given: {one}"
    return f"{one.where}: {one if one.is_fact else one.text}"


def of_clash(puzzle: Puzzle, clash: Clash[Premise]) -> Picture:
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
    sentence = f"Step {len(before) + 1}. {_told(new)}."
    return step(puzzle, known, concluded, rules, facts, sentence, also, cells)


@takes_limits("seconds")
def of_solution(puzzle: Puzzle, *, limits: Limits = UNLIMITED) -> Picture | None:
    """The solution, or one of several, with the clues distinguished; None when there is none.

    Of several it is the published one, if the puzzle carries one that passes the checker.

    Raises
    ------
    LimitError
        When the time limit came before a solution.
    """
    from bridge.puzzles.analysis.solve import solutions

    outcome = solutions(puzzle, limits=replace(limits, solutions=2)).collect()
    if not outcome.solutions:
        if outcome.complete:
            return None
        raise LimitError("the time limit came before a solution was found")
    said = {
        Verdict.UNIQUE: "The only solution.",
        Verdict.AMBIGUOUS: "One of several solutions.",
        Verdict.UNKNOWN: "A solution; whether there are others was not found out in time.",
    }
    own = published_solution(puzzle) if outcome.verdict is not Verdict.UNIQUE else None
    return solution(puzzle, own or outcome.solutions[0], "The published solution." if own else said[outcome.verdict])


@takes_limits("seconds")
def numbered_step(puzzle: Puzzle, number: int, *, limits: Limits = UNLIMITED) -> Picture:
    """The step of an explanation that has this number, from 1.

    Raises
    ------
    InputError
        When there are fewer steps.
    LimitError
        When the time limit came before it.
    """
    from bridge.puzzles.explain.explain import explain

    before: list[Step] = []
    with explain(puzzle, limits=limits) as steps:
        for one in steps:
            if len(before) + 1 == number:
                return of_step(puzzle, before, one)
            before.append(one)
    if not steps.complete:
        raise LimitError(f"the time limit came before step {number}: {len(before)} steps were found")
    raise InputError(f"there is no step {number}", hint=f"the explanation has {len(before)} steps")


def _told(new: Step) -> str:
    """The step in a sentence; one that rests on very much does not name what the picture shows."""
    if new.technique is not None or len(new.premises) <= NAMED:
        return step_sentence(new)
    rules, cells = plural(len(new.rules), "rule"), plural(len(new.facts), "cell")
    return f"{conclusion(new)}: the {rules} and {cells} that are lit allow nothing else"


def _how_many(diagnosis: Diagnosis) -> str:
    """How many solutions, and how many cells differ between them; what a limit cut short is a lower bound."""
    left, found = diagnosis.residual, diagnosis.ambiguity
    cells = len(left.open) if left else 0
    few = "" if left and left.complete else "at least "
    differ = f"{few}{plural(cells, 'cell differs', 'cells differ')} between solutions."
    if found is None:
        return f"Ambiguous: {differ}"
    least = "" if found.complete else "at least "
    return f"Ambiguous: {least}{found.number} solutions; {differ}"
