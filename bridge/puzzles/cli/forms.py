"""The forms of the JSON that `lpbridge puzzle` prints under `--json`, as types: see `bridge.cli.forms`."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from bridge.cli.kit import OTHERS, Failed, Form, LineForms, item, name_of
from bridge.common import Extended, Warned
from bridge.comparison import Comparison
from bridge.errors import LimitName
from bridge.outcome import Statistics, Verdict
from bridge.puzzles.analysis.count import PuzzleCount
from bridge.puzzles.analysis.diagnosis import PuzzleDiagnosis
from bridge.puzzles.engines.residual import PuzzleResidual
from bridge.puzzles.explain.techniques import Technique
from bridge.puzzles.kinds.rules import Grid, Value
from bridge.puzzles.reports import Chapter
from bridge.puzzles.search.ladder import Grade


class Residual(TypedDict):
    """The values that open cells have left, and the constraints on them."""

    kind: NotRequired[Literal["exact", "propagated"]]
    engine: NotRequired[str]
    open: dict[str, list[Value]] | None
    constraints: list[str] | None
    contradiction: NotRequired[bool]
    complete: NotRequired[bool]
    limit: NotRequired[LimitName | None]


class BothResiduals(Residual):
    """The same; beside what is exact, what propagation leaves."""

    propagated: NotRequired[Residual]


class Solved(TypedDict):
    """The solutions of a puzzle."""

    puzzle: str
    engine: str
    verdict: Verdict
    complete: bool
    solutions: list[Grid]
    residual: BothResiduals
    statistics: Statistics
    limit: LimitName | None
    remark: str | None


class Violation(TypedDict):
    """A rule that clues break, and the cells."""

    rule: str
    cells: list[list[int]]


class Checked(Solved):
    """The verdict on a puzzle, and what is open."""

    clashes: list[Violation]
    notes: list[str]
    warnings: list[Warned]


class CellFact(TypedDict):
    """That a cell has a value, or not."""

    cell: list[int]
    value: Value
    holds: bool


class Step(CellFact):
    """What follows, and what it follows from."""

    rules: list[str]
    facts: list[CellFact]
    by: Literal["value", "place", "rules", "search"]
    proved: bool
    technique: Technique | None
    new: list[CellFact]
    sentence: str


class Explanation(TypedDict):
    """The steps of a solution."""

    puzzle: str
    steps: list[Step]
    complete: bool
    limit: LimitName | None


class GradeInShort(TypedDict):
    """The grade of a generated puzzle; null where it was not found in time."""

    level: str | None
    score: int | None
    guesses: int | None
    depth: int | None


#: A puzzle can be read back; what it has beside its grid is a matter of its kind.
_Puzzle = TypedDict("_Puzzle", {OTHERS: NotRequired[Any]})  # type: ignore[misc]


class Empty(_Puzzle):
    """A grid without words."""

    puzzle: str
    grid: Grid


class Generated(Empty):
    """A new puzzle, and how it was found."""

    solution: Grid
    seed: int
    clues: int
    irredundant: bool
    grade: GradeInShort
    attempts: int
    proof: dict[str, Verdict]


class SeveralGenerated(TypedDict):
    """New puzzles; the limit where there are fewer than were asked for."""

    puzzle: str
    results: list[Generated | Empty]
    limit: NotRequired[LimitName | None]
    remark: NotRequired[str | None]


class Converted(TypedDict):
    """Puzzles in another format; where the output is standard output, its text, or base64 of a binary format."""

    puzzles: list[str]
    notes: list[str]
    output: str
    text: NotRequired[str]
    base64: NotRequired[str]


#: `from` is a word of Python.
Formats = TypedDict("Formats", {"from": str, "to": str})


class Conversion(Converted, Formats):
    """The same, with the two formats."""


class Format(TypedDict):
    """A format of files."""

    name: str
    title: str
    suffixes: list[str]
    puzzles: list[str]
    many: bool
    carries: str
    about: list[str]


class ListOfFormats(TypedDict):
    """The formats."""

    formats: list[Format]


class Constraint(TypedDict):
    """A constraint of a CSP; of one that a goal posts also its place."""

    name: str
    type: str
    scope: list[str]
    file: NotRequired[str | None]
    line: NotRequired[int | None]
    column: NotRequired[int | None]


class Csp(TypedDict):
    """Variables, their domains and neighbours, and constraints."""

    variables: list[str]
    domains: dict[str, list[Value]]
    neighbours: dict[str, list[str]]
    constraints: list[Constraint]


class GoalCsp(Csp):
    """What a goal posts, and its solutions where they are asked for."""

    goal: str
    engine: NotRequired[str]
    verdict: NotRequired[Verdict]
    solutions: NotRequired[list[dict[str, int]]]
    complete: NotRequired[bool]
    limit: NotRequired[LimitName | None]
    statistics: NotRequired[Statistics]


class Engine(TypedDict):
    """An engine, and the solver that it needs."""

    name: str
    description: str
    abilities: list[str]
    installed: bool
    solver: str | None
    problem: str | None


class Search(TypedDict):
    """The form of imperative search."""

    compiled: bool
    form: str


class Engines(TypedDict):
    """The engines."""

    engines: list[Engine]
    search: Search


class Kind(TypedDict):
    """A kind of puzzles, and its options."""

    name: str
    options: dict[str, str]


class Kinds(TypedDict):
    """The kinds of puzzles."""

    puzzles: list[Kind]


class Reports(TypedDict):
    """The reports, and what differs without an explanation."""

    reports: list[Chapter]
    unexplained: list[str]


def _of_puzzle(form: Form) -> Form:
    """The same, with the kind of the puzzle."""
    return Extended(name_of(form), str(form.__doc__), (form,), {"puzzle": str})


def _or_several(form: Form) -> tuple[Form, ...]:
    """A result; of a file with several puzzles a list of them."""
    about, of = "A result for each puzzle of the file.", list[form]
    return form, Extended(f"Several{name_of(form)}", about, (), {"puzzle": str, "results": of})


_GRADE = _of_puzzle(Grade)

#: What each command prints under `--json`.
FORMS: dict[str, tuple[Form, ...]] = {
    "puzzle check": _or_several(Checked),
    "puzzle solve": _or_several(Solved),
    "puzzle diagnose": _or_several(PuzzleDiagnosis),
    "puzzle explain": (Explanation,),
    "puzzle grade": _or_several(_GRADE),
    "puzzle residual": _or_several(_of_puzzle(PuzzleResidual)),
    "puzzle count": _or_several(PuzzleCount),
    "puzzle compare": (Comparison,),
    "puzzle generate": (Generated, Empty, SeveralGenerated),
    "puzzle convert": (Conversion, ListOfFormats),
    "puzzle csp": _or_several(_of_puzzle(Csp)),
    "puzzle goal-csp": (GoalCsp,),
    "puzzle engines": (Engines,),
    "puzzle kinds": (Kinds,),
    "puzzle report": (Reports,),
}


#: What is a line under `--jsonl`, and in the results of a batch.
LINES: dict[str, LineForms] = {
    "puzzle check --jsonl": LineForms((Checked, Failed)),
    "puzzle solve --jsonl": LineForms((Failed,), (Grid,)),
    "puzzle diagnose --jsonl": LineForms((PuzzleDiagnosis, Failed)),
    "puzzle explain --jsonl": LineForms((Failed,), (Step,)),
    "puzzle grade --jsonl": LineForms((_GRADE, Failed)),
    "puzzle count --jsonl": LineForms((PuzzleCount, Failed)),
    "puzzle generate --jsonl": LineForms((Generated, Empty, Failed)),
    "puzzle batch check": item("The verdict on a puzzle of a batch.", Checked),
    "puzzle batch solve": item("The solutions of a puzzle of a batch.", Solved),
    "puzzle batch count": item("The number of solutions of a puzzle of a batch.", PuzzleCount),
    "puzzle batch grade": item("The grade of a puzzle of a batch.", _GRADE),
    "puzzle batch diagnose": item("The diagnosis of a puzzle of a batch.", PuzzleDiagnosis),
}
