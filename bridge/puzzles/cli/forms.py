"""The forms of the JSON that `lpbridge puzzle` prints under `--json`, as types: see `bridge.cli.forms`."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from bridge.cli.forms import Ambiguity, Comparison, FailedItem, Item, Statistics, Verdict
from bridge.cli.schemas import OTHERS, Failed, Form, LineForms
from bridge.errors import LimitName

#: The value of a cell.
Value = int | str | None
Grid = list[list[Value]]


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


class ResidualOf(Residual):
    """The residual of a puzzle."""

    puzzle: str


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


class After(TypedDict):
    """What a removal leads to."""

    unique: bool
    values: dict[str, Value]


class Level(TypedDict):
    """What a level of techniques does."""

    level: str
    title: str
    techniques: str
    steps: int
    removed: int
    placed: int
    open: int | None


class GradeAlone(TypedDict):
    """How hard a puzzle is."""

    verdict: Verdict
    level: str | None
    difficulty: str | None
    reached: str
    score: int | None
    levels: list[Level]
    guesses: int
    depth: int
    limit: LimitName | None
    statistics: Statistics


class Grade(GradeAlone):
    """The same, with the kind of the puzzle."""

    puzzle: str


class Diagnosis(TypedDict):
    """Why a puzzle has no solution, or several; null is what was not computed. A clue is its row, column and value."""

    puzzle: str
    verdict: Verdict
    solutions: list[Grid]
    clashes: list[PuzzleClash] | None
    removals: PuzzleRepairs | None
    after: list[After] | None
    residual: Residual | None
    ambiguity: Ambiguity | None
    additions: PuzzleRepairs | None
    rules: list[str] | None
    redundant: list[str] | None
    spare: list[str] | None
    grade: GradeAlone | None
    propagated: Residual | None
    hidden: dict[str, Value] | None
    limit: LimitName | None
    notes: list[str]
    questions: int


class PuzzleClash(TypedDict):
    """Rules and clues that cannot hold together; `facts` and `clues` are the same."""

    rules: list[str]
    facts: list[list[Value]]
    clues: list[list[Value]]
    minimal: bool
    smallest: bool


class PuzzleRepairs(TypedDict):
    """The fewest clues to add or to take away."""

    size: int
    complete: bool
    sets: list[list[list[Value]]]


class CellFact(TypedDict):
    """That a cell has a value, or not."""

    cell: list[int]
    value: Value
    holds: bool


class Technique(TypedDict):
    """What solvers call a step."""

    name: str
    houses: list[str]
    cells: list[list[int]]
    candidates: list[Value]
    reason: str
    level: str


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


class Part(TypedDict):
    """Cells that do not interact with the others."""

    cells: list[str]
    number: int
    complete: bool


class Count(TypedDict):
    """How many solutions a puzzle has."""

    puzzle: str
    engine: str
    number: int
    complete: bool
    limit: LimitName | None
    statistics: Statistics
    notes: list[str]
    symmetry: int
    parts: list[Part]


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


class PuzzleCsp(Csp):
    """A puzzle as a CSP."""

    puzzle: str


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


class Passage(TypedDict):
    """A passage of a report."""

    name: str
    text: str
    means: str


class Finding(TypedDict):
    """What a report says, and what comes out here."""

    what: str
    says: str | None
    ours: Any
    holds: bool | None
    compared: Any
    note: str | None
    source: str | None
    method: str | None
    mark: str


class Chapter(TypedDict):
    """A report."""

    report: int
    title: str
    about: str
    complete: bool
    findings: list[Finding]
    passages: list[Passage]


class Reports(TypedDict):
    """The reports, and what differs without an explanation."""

    reports: list[Chapter]
    unexplained: list[str]


def _or_several(form: Form) -> tuple[Form, ...]:
    """A result; of a file with several puzzles a list of them."""
    typed: Any = TypedDict
    several: Form = typed(f"Several{form.__name__}", {"puzzle": str, "results": list[form]})  # type: ignore[valid-type]
    several.__doc__ = "A result for each puzzle of the file."
    return form, several


#: What each command prints under `--json`.
FORMS: dict[str, tuple[Form, ...]] = {
    "check": _or_several(Checked),
    "solve": _or_several(Solved),
    "diagnose": _or_several(Diagnosis),
    "explain": (Explanation,),
    "grade": _or_several(Grade),
    "residual": _or_several(ResidualOf),
    "count": _or_several(Count),
    "compare": (Comparison,),
    "generate": (Generated, Empty, SeveralGenerated),
    "convert": (Conversion, ListOfFormats),
    "csp": _or_several(PuzzleCsp),
    "goal-csp": (GoalCsp,),
    "engines": (Engines,),
    "kinds": (Kinds,),
    "report": (Reports,),
}


class ItemChecked(Item, Checked):
    """The verdict on a puzzle of a batch."""


class ItemSolved(Item, Solved):
    """The solutions of a puzzle of a batch."""


class ItemCount(Item, Count):
    """The number of solutions of a puzzle of a batch."""


class ItemGrade(Item, Grade):
    """The grade of a puzzle of a batch."""


class ItemDiagnosis(Item, Diagnosis):
    """The diagnosis of a puzzle of a batch."""


#: What is a line under `--jsonl`, and in the results of a batch.
LINES: dict[str, LineForms] = {
    "check --jsonl": LineForms((Checked, Failed)),
    "solve --jsonl": LineForms((Failed,), (Grid,)),
    "diagnose --jsonl": LineForms((Diagnosis, Failed)),
    "explain --jsonl": LineForms((Failed,), (Step,)),
    "grade --jsonl": LineForms((Grade, Failed)),
    "count --jsonl": LineForms((Count, Failed)),
    "generate --jsonl": LineForms((Generated, Empty, Failed)),
    "batch check": LineForms((ItemChecked, FailedItem)),
    "batch solve": LineForms((ItemSolved, FailedItem)),
    "batch count": LineForms((ItemCount, FailedItem)),
    "batch grade": LineForms((ItemGrade, FailedItem)),
    "batch diagnose": LineForms((ItemDiagnosis, FailedItem)),
}
