"""The forms of the JSON that commands print under `--json`, as types; `schema` makes JSON Schema of them.

A key that may be missing is `NotRequired`. What an object has beside these keys is refused by its schema.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from bridge.cli.schemas import OTHERS, Error, Failed, Form, LineForms, Located
from bridge.errors import LimitName

Verdict = Literal["unique", "ambiguous", "impossible", "unknown"]


class Place(TypedDict):
    """A place in a text; lines and columns count from 1."""

    file: str | None
    line: int | None
    column: int | None


class Warned(Place):
    """A warning of a solver; the place is null where it has none."""

    level: Literal["error", "warning", "info", "note"]
    message: str


class Lines(Place):
    """A part of a program."""

    text: str


class Statistics(TypedDict):
    """Wall-clock seconds by phase, and the solver's own counters."""

    seconds: dict[str, float]
    counters: dict[str, float]


class Premise(Place):
    """A rule, a fact, a constraint or a goal that has a part in a clash or a repair."""

    name: str
    kind: str
    text: str
    sentence: str | None
    lines: NotRequired[list[int | None]]
    places: NotRequired[list[str]]
    bindings: NotRequired[dict[str, Any]]
    instance: NotRequired[str]
    predicate: NotRequired[str | None]
    head: NotRequired[str | None]


class Clash(TypedDict):
    """Premises that cannot hold together; `clues` are the facts again."""

    rules: list[Premise | str]
    facts: list[Premise | str]
    clues: list[Premise | str]
    minimal: bool
    smallest: bool


class Repairs(TypedDict):
    """The fewest facts to add or to take away."""

    size: int | None
    complete: bool
    sets: list[list[Premise | str]]


class LintFinding(Place):
    """What a check of `lint` found."""

    id: str
    name: str
    level: Literal["error", "warning", "info"]
    end: End
    sentence: str
    suggestion: str | None


class End(TypedDict):
    """Where a text ends."""

    line: int
    column: int


class Lint(TypedDict):
    """The findings."""

    findings: list[LintFinding]
    limit: LimitName | None
    notes: list[str]


# run, count, ground


class Ended(TypedDict):
    """How a search ended."""

    complete: bool
    limit: LimitName | None
    statistics: Statistics
    warnings: list[Warned]


#: Keys that no class has.
_Model = TypedDict(
    "_Model",
    {
        "#terms": NotRequired[list[str]],
        "#step": NotRequired[int],
        "#assignment": NotRequired[dict[str, Any]],
        OTHERS: NotRequired[list[list[Any]]],  # type: ignore[misc]
    },
)


class Model(_Model):
    """A model: the arguments of its atoms by predicate; shown terms stand under "", as rows, and as text beside it."""


class Models(Ended):
    """Models; with `--optimal` also their costs."""

    satisfiable: bool | None
    models: list[Model]
    costs: NotRequired[list[list[int]]]
    optimal: NotRequired[bool]
    notes: NotRequired[list[str]]
    rung: NotRequired[str]
    remark: NotRequired[str]


class CountOfModels(Ended):
    """The number of models, of `run --count`."""

    count: int
    notes: NotRequired[list[str]]


class Answer(TypedDict):
    """An answer to a goal."""

    bindings: dict[str, Any]
    residual: list[str]
    truth: Literal["true", "undefined"]
    delays: NotRequired[list[str]]
    residual_program: NotRequired[list[str]]


class Answers(Ended):
    """The answers to a goal."""

    answers: list[Answer]
    undefined: int
    rung: NotRequired[str]
    remark: NotRequired[str]
    exit_code: NotRequired[int]


class Exports(TypedDict):
    """The predicates of a Prolog program for which no goal was given."""

    exports: list[str]
    warnings: list[Warned]


class Halted(TypedDict):
    """A Prolog program that ended its process while it was loaded."""

    exit_code: int
    warnings: list[Warned]


class Count(Ended):
    """The number of answer sets."""

    program: str
    number: int


class Sizes(TypedDict):
    """Atoms of a predicate in a ground program."""

    atoms: int
    facts: int


class Grounding(TypedDict):
    """The size of a ground program: rules by kind, atoms and heads by predicate."""

    complete: bool
    limit: LimitName | None
    seconds: float
    rules: dict[str, int]
    atoms: dict[str, Sizes]
    heads: dict[str, int]
    warnings: list[Warned]


class GroundStatement(TypedDict):
    """A statement and what it becomes."""

    where: str
    kind: str
    text: str
    rules: int | None
    atoms: int | None
    seconds: float


class ByRule(TypedDict):
    """The size of a ground program by statement."""

    complete: bool
    limit: LimitName | None
    seconds: float
    rules: int
    by_rule: list[GroundStatement]
    warnings: list[Warned]


class Facts(TypedDict):
    """The facts of a program, as text."""

    facts: list[str]
    warnings: list[Warned]


# diagnose, why, explain


class Unique(TypedDict):
    """Whether one answer set is left after a removal."""

    unique: bool


class Variant(TypedDict):
    """Changes, and the verdict with them."""

    changes: list[str]
    verdict: Verdict


class Group(TypedDict):
    """What varies together, and the combinations of the values."""

    cells: list[str]
    ways: list[list[Any]]


class Ambiguity(TypedDict):
    """The number of answers for each value of what is open."""

    number: int
    complete: bool
    counts: dict[str, list[list[Any]]]
    cap: int | None
    groups: list[Group] | None
    finished: bool


class Diagnosed(TypedDict):
    """The parts of a diagnosis of which there is one; null is what was not computed."""

    program: str
    verdict: Verdict
    solutions: list[str]
    instances: Clash | None
    after: list[Unique] | None
    open: dict[str, list[Any]] | None
    backbone: dict[str, Any] | None
    ambiguity: Ambiguity | None
    fixed: list[Lines]
    limit: LimitName | None
    notes: list[str]
    questions: int
    warnings: list[Warned]
    cost: list[int] | None


class DiagnosisAlone(Diagnosed):
    """The same, with what there are several of."""

    clashes: list[Clash] | None
    removals: Repairs | None
    variants: list[Variant] | None
    additions: Repairs | None


class ProgramDiagnosis(DiagnosisAlone):
    """Why a clingo program has no answer set, or several; null is what was not computed."""

    lint: list[LintFinding]


class Call(Place):
    """A goal of a program."""

    call: str


class Slice(TypedDict):
    """A smallest fragment of a Prolog program that still fails, or still does not end."""

    goals: list[Premise]
    minimal: bool
    fragment: list[Lines]
    kept: list[Premise]
    unmatched: list[Call]


class GoalResidual(TypedDict):
    """What the answers to a goal leave open."""

    kind: str
    engine: str | None
    open: dict[str, list[Any]] | None
    constraints: list[str] | None
    contradiction: bool
    complete: bool
    limit: LimitName | None
    exact: dict[str, list[str]]
    propagated: dict[str, str]
    goals: list[str]


class GoalDiagnosed(TypedDict):
    """The parts of a diagnosis of a goal of which there is one; null is what was not computed."""

    goal: str
    verdict: Verdict
    ends: bool | None
    answers: list[str]
    failure: Slice | None
    general: Slice | None
    propagation: bool | None
    loop: Slice | None
    inferences: int | None
    residual: GoalResidual | None
    impure: list[Lines]
    limit: LimitName | None
    notes: list[str]
    questions: int
    warnings: list[Warned]


class GoalCauses(GoalDiagnosed):
    """Why a goal fails, does not end, or has several answers; null is what was not computed."""

    clashes: list[Clash] | None
    removals: Repairs | None


class GoalDiagnosis(GoalCauses):
    """The same, with what `lint` is sure of."""

    lint: list[LintFinding]


class Derived(Place):
    """An atom with the rule that derives it, and what its body needs; or the rule that does not, and what it lacks."""

    atom: str
    kind: str
    bindings: dict[str, str]
    needs: NotRequired[list[str]]
    inside: NotRequired[list[str]]
    theory: NotRequired[list[str]]
    lacking: NotRequired[str]


#: `not` is a word of Python.
Why = TypedDict("Why", {"not": NotRequired[list[str]]})


class Derivation(Derived, Why):
    """The same, with the atoms that must not hold."""


class Proof(TypedDict):
    """A goal, and what proves it."""

    goal: str
    reason: str
    place: str | None
    clause: str | None
    text: str | None
    parts: list[Proof]


class Reasons(TypedDict):
    """Why an atom holds, or not; of a Prolog goal the proof of an answer."""

    program: str
    question: str
    status: Literal["every", "no", "some", "unknown"]
    rather_than: str | None
    given: list[str]
    clash: Clash | None
    derivation: list[Derivation] | None
    missing: list[Derivation] | None
    cost: list[int] | None
    limit: LimitName | None
    notes: list[str]
    questions: int
    warnings: list[Warned]
    goal: NotRequired[str]
    proof: NotRequired[Proof | None]


class Fact(TypedDict):
    """That an atom holds, or not; or a goal that is proved."""

    atom: NotRequired[str]
    holds: NotRequired[bool]
    goal: NotRequired[str]


class ClauseOfStep(TypedDict):
    """A clause by which a goal is proved."""

    where: str
    text: str


class Step(Fact):
    """A fact that follows, and what it follows from."""

    rules: list[Premise | ClauseOfStep]
    facts: list[Fact]
    by: Literal["value", "place", "rules", "search"]
    proved: bool
    technique: None
    new: list[Fact]
    sentence: str


class Explanation(TypedDict):
    """Steps that lead to what holds in every answer set."""

    program: str
    steps: list[Step]
    complete: bool
    limit: LimitName | None


# debug, test, mutate, compare


class Change(TypedDict):
    """A line before and after."""

    line: int
    before: str
    after: str


class Repair(TypedDict):
    """A text of the program that does what is expected."""

    text: str
    changes: list[Change]
    diff: str
    proved_by: str


class Suspect(TypedDict):
    """A statement that is probably wrong."""

    place: Place
    text: str
    part: str
    sentence: str
    repair: Repair | None
    instance: str | None


class Debugging(TypedDict):
    """The likely wrong statements, the likeliest first."""

    right: bool
    suspects: list[Suspect]
    instance: str | None
    surplus: list[str] | None
    missing: list[str] | None
    proved_by: str
    complete: bool
    limit: LimitName | None
    tried: int
    notes: list[str]
    lint: list[LintFinding]
    warnings: list[Warned]


class Question(TypedDict):
    """Is this answer meant? None: should there be one?"""

    instance: str
    answer: list[str] | None


class Asked(TypedDict):
    """What somebody has to answer first: `debug --next`."""

    question: Question


class Submission(TypedDict):
    """One of several programs."""

    file: str
    status: Literal["right", "wrong", "undecided", "error"]
    error: str | None
    renamed: dict[str, str]
    seconds: float
    debug: Debugging | None


class Submissions(TypedDict):
    """Several programs held against the same reference."""

    submissions: list[Submission]


class Line(TypedDict):
    """A line of a file."""

    file: str | None
    line: int | None


class Test(TypedDict):
    """A test that stands in a comment."""

    name: str
    place: Line
    expected: str


class Tested(Test):
    """A test, and what came of it."""

    status: Literal["passed", "failed", "undecided", "skipped"]
    reason: str | None
    answer: str | None
    seconds: float


class CoveredLiteral(TypedDict):
    """A literal, and the number of tests in which it matters."""

    line: int | None
    column: int | None
    text: str
    tests: int


class Covered(TypedDict):
    """A statement, and the number of tests that use it."""

    place: Place
    text: str
    kind: Literal["rule", "constraint"]
    tests: int
    literals: list[CoveredLiteral]


class Testing(TypedDict):
    """The tests of a program."""

    passed: int
    failed: int
    undecided: int
    skipped: int
    tests: list[Tested]
    debug: Debugging | None
    coverage: list[Covered] | None
    warnings: list[Warned]


class Mutant(Place):
    """A changed program, and whether a test notices it."""

    kind: str
    before: str
    after: str
    status: Literal["noticed", "survived", "invalid", "undecided"]
    by: Any
    how: str | None


class Mutants(TypedDict):
    """Changes of a program, one at a time."""

    program: str
    against: str | None
    tests: int
    scope: str
    noticed: int
    survived: int
    invalid: int
    undecided: int
    mutants: list[Mutant]
    notes: list[str]


class Row(TypedDict):
    """A program or an engine on an instance."""

    instance: str
    engine: str
    verdict: Verdict
    complete: bool
    solutions: int | None
    limit: LimitName | None
    seconds: dict[str, float]
    statistics: dict[str, float]
    error: str | None


class Instance(TypedDict):
    """An instance: constants and facts."""

    name: str
    size: int
    constants: dict[str, str]
    facts: list[str]


class Reason(TypedDict):
    """Why a program lacks an answer."""

    atom: str | None
    clash: Clash | None
    missing: list[Derivation]
    goal: GoalCauses | None
    violations: list[str]
    note: str | None
    renamed: str | None


class Difference(TypedDict):
    """A smallest instance, and an answer that one of two programs lacks."""

    instance: Instance
    has: str
    lacks: str
    answer: list[Any]
    reason: Reason | None
    smaller_undecided: int


class Comparison(TypedDict):
    """Whether programs, or engines, have the same answers."""

    puzzle: str
    instances: list[str]
    engines: list[str]
    agree: bool
    disagreements: list[str]
    rows: list[Row]
    difference: Difference | None
    equivalent: bool | None
    undecided: list[str]
    finished: str | None
    beyond: int
    exhausted: bool | None
    notes: list[str]
    warnings: list[Warned]


# profile, tune


class Cause(TypedDict):
    """The statement that makes a program slow."""

    place: Place
    text: str
    phase: str
    share: float
    sentence: str
    estimated: bool


class Joined(TypedDict):
    """A literal of a body, and the bindings after it."""

    literal: str
    matches: float
    bindings: float


class Estimate(TypedDict):
    """What a statement would become."""

    instances: float
    bindings: float
    atoms: float
    seconds: float | None
    join: list[Joined]


class ProfiledStatement(TypedDict):
    """A statement, and what it costs."""

    place: Place
    kind: str
    text: str
    ground: bool
    rules: int | None
    atoms: int | None
    seconds: float
    estimate: Estimate | None


class ProfiledGrounding(TypedDict):
    """What grounding costs, by statement."""

    complete: bool
    limit: LimitName | None
    seconds: float
    rules: int
    by_rule: list[ProfiledStatement]
    warnings: list[Warned]


class Lemmas(TypedDict):
    """A constraint, and the lemmas that it has a part in."""

    place: Place
    text: str
    lemmas: int


class Learned(TypedDict):
    """Atoms that cannot hold together, with variables; `implied` where the program was found to exclude all of it."""

    atoms: list[str]
    constraint: str
    example: list[str]
    lemmas: int
    constraints: list[Place]
    implied: bool


class ArgumentOf(TypedDict):
    """An argument of a predicate, from 1."""

    predicate: str
    argument: int


class Interchangeable(TypedDict):
    """Values that can be exchanged in all answers, and where they stand."""

    values: list[str]
    columns: list[ArgumentOf]
    order: str | None
    seconds: float | None


class ProfiledSearch(TypedDict):
    """What the search costs."""

    verdict: str
    seconds: float
    grounding_seconds: float
    numbers: dict[str, float]
    costs: list[int]
    lower: list[int]
    lemmas: int
    constraints: list[Lemmas]
    predicates: dict[str, float]
    learned: list[Learned]
    interchangeable: list[Interchangeable]


class Called(TypedDict):
    """A goal of a clause, and how often it is called."""

    place: Place
    text: str
    calls: int
    exits: int


class CalledClause(TypedDict):
    """A clause, and how often it is entered."""

    place: Place
    predicate: str
    text: str
    enters: int
    exits: int
    goals: list[Called]


class Repeated(TypedDict):
    """Calls, and how many of them differ."""

    calls: int
    different: int


class Calls(TypedDict):
    """What a goal costs, by clause."""

    goal: str
    answers: int
    complete: bool
    inferences: int
    searched: int
    seconds: float
    clauses: list[CalledClause]
    propagators: dict[str, int]
    repeated: Repeated | None
    limit: LimitName | None


class CostOfProgram(TypedDict):
    """What a program costs; of Prolog in inferences."""

    rules: NotRequired[float]
    estimated: NotRequired[bool]
    grounding_seconds: NotRequired[float]
    search_seconds: NotRequired[float | None]
    inferences: NotRequired[int]


class Remedy(TypedDict):
    """A rewriting that keeps the answers."""

    place: Place
    kind: str
    sentence: str
    diff: str
    text: str
    before: CostOfProgram
    after: CostOfProgram
    same_on: list[str]
    undecided: list[str]


class Point(TypedDict):
    """A program on an instance of a family."""

    program: str
    instance: str
    size: float
    complete: bool
    verdict: str
    seconds: NotRequired[float | None]
    rules: NotRequired[float | None]
    conflicts: NotRequired[float | None]
    inferences: NotRequired[float | None]


class Fit(TypedDict):
    """`factor * size ** exponent`."""

    exponent: float
    factor: float
    points: int


class Family(TypedDict):
    """How the cost grows with the instances."""

    points: list[Point]
    fits: dict[str, dict[str, Fit | None]]
    left_out: dict[str, int]


class Profile(TypedDict):
    """Why a program is slow or large."""

    cause: Cause | None
    instance: str | None
    grounding: ProfiledGrounding | None
    search: ProfiledSearch | None
    calls: Calls | None
    remedies: list[Remedy]
    family: Family | None
    limit: LimitName | None
    notes: list[str]


class Configuration(TypedDict):
    """Options of clingo."""

    name: str
    options: list[str]


class Raced(Configuration):
    """Options, and how they compare with the default."""

    median: float | None
    ratio: float | None
    better: int
    worse: int
    decided: int
    limits: int
    given_up: bool


class Tuning(TypedDict):
    """Configurations, the best first."""

    measure: str
    best: Configuration | None
    complete: bool
    rows: list[Raced]
    notes: list[str]


# The installation


class Component(TypedDict):
    """A part of the installation."""

    name: str
    ok: bool
    version: str | None
    path: str | None
    problem: str | None
    remedy: str | None
    optional: bool


class Wall(TypedDict):
    """A means of confining untrusted programs."""

    name: str
    up: bool
    essential: bool
    why: str


class Installation(TypedDict):
    """What is installed."""

    ok: bool
    findings: list[Component]
    walls: list[Wall]


class InstalledProlog(TypedDict):
    """SWI-Prolog and janus, as `install-prolog` leaves them."""

    swi_prolog: dict[str, Any]
    janus: Any
    changed: bool


# Lines: `--jsonl`, `--events`, `batch`


class Event(TypedDict):
    """What happened, with its text for people."""

    text: str


class AnswerEvent(Event):
    """An answer; of a model also its cost."""

    answer: Model | Answer
    cost: NotRequired[list[int]]


class BetterEvent(Event):
    """A model on the way to the optimal ones."""

    better: Model
    cost: list[int]


class WarningEvent(Event):
    """A warning."""

    warning: str


class SearchEnd(TypedDict):
    """How a search ended."""

    complete: bool
    limit: LimitName | None
    statistics: Statistics
    count: NotRequired[int]
    undefined: NotRequired[int]
    rung: NotRequired[str]
    remark: NotRequired[str]
    exit_code: NotRequired[int]


class EndEvent(Event):
    """The end of a search."""

    end: SearchEnd


class DiagnosisEvent(Event):
    """A diagnosis."""

    diagnosis: ProgramDiagnosis | GoalDiagnosis


class ReasonsEvent(Event):
    """The reasons of an atom, a cost or an answer."""

    reasons: Reasons


class DebuggingEvent(Event):
    """What is probably wrong."""

    debugging: Debugging


class QuestionEvent(Event):
    """What somebody has to answer first."""

    question: Question


class RepairsInShort(TypedDict):
    """Repairs, each of which has a line."""

    size: int | None
    complete: bool


class RestOfDiagnosis(Diagnosed):
    """A diagnosis without what has a line each."""

    removals: NotRequired[RepairsInShort]
    additions: NotRequired[RepairsInShort]
    lint: list[LintFinding]


class RestOfGoalDiagnosis(GoalDiagnosed):
    """The same of a goal."""

    removals: NotRequired[RepairsInShort]
    lint: list[LintFinding]


class ClashLine(TypedDict):
    """A clash."""

    clash: Clash


class VariantLine(TypedDict):
    """A change that was tried."""

    variant: Variant


class RemovalLine(TypedDict):
    """A repair: what to take away."""

    removal: list[Premise | str]


class AdditionLine(TypedDict):
    """A repair: what to add."""

    addition: list[Premise | str]


class Item(TypedDict):
    """An instance of a batch: its number from 1, and its place."""

    index: int
    file: str | None
    line: int | None


class FailedItem(Item):
    """An instance that is wrong, or whose process ended."""

    error: Error
    errors: list[Located]


class ItemModels(Item):
    """Some answer sets of an instance; the costs where the program minimizes."""

    models: list[list[str]]
    costs: list[list[int]] | None
    complete: bool
    limit: LimitName | None


class ItemDiagnosis(Item, DiagnosisAlone):
    """A diagnosis of an instance; of `check`, with the verdict alone."""


class ItemCount(Item):
    """The number of answer sets of an instance."""

    number: int
    complete: bool
    limit: LimitName | None
    statistics: Statistics
    notes: list[str]


class ItemTesting(Item, Testing):
    """The tests of a file."""


#: What each command prints under `--json`.
FORMS: dict[str, tuple[Form, ...]] = {
    "run": (Models, CountOfModels, Answers, Exports, Halted),
    "diagnose": (ProgramDiagnosis, GoalDiagnosis),
    "why": (Reasons,),
    "explain": (Explanation,),
    "debug": (Debugging, Submissions, Asked),
    "lint": (Lint,),
    "profile": (Profile,),
    "tune": (Tuning,),
    "test": (Testing,),
    "compare": (Comparison, Submissions),
    "mutate": (Mutants,),
    "count": (Count,),
    "ground": (Grounding, ByRule, Facts),
    "doctor": (Installation,),
    "install-prolog": (InstalledProlog,),
}

#: What is a line under `--jsonl` and `--events`, and in the results of a batch.
LINES: dict[str, LineForms] = {
    "run --jsonl": LineForms((CountOfModels, Exports, Failed), (Model, Answer)),
    "run --events": LineForms((AnswerEvent, BetterEvent, WarningEvent, EndEvent, Exports, Failed)),
    "diagnose --jsonl": LineForms(
        (RestOfDiagnosis, RestOfGoalDiagnosis, Failed), (ClashLine, VariantLine, RemovalLine, AdditionLine)
    ),
    "diagnose --events": LineForms((DiagnosisEvent, Failed)),
    "why --events": LineForms((ReasonsEvent, Failed)),
    "explain --jsonl": LineForms((Failed,), (Step,)),
    "debug --events": LineForms((DebuggingEvent, QuestionEvent, Failed)),
    "batch run": LineForms((ItemModels, FailedItem)),
    "batch check": LineForms((ItemDiagnosis, FailedItem)),
    "batch count": LineForms((ItemCount, FailedItem)),
    "batch diagnose": LineForms((ItemDiagnosis, FailedItem)),
    "batch test": LineForms((ItemTesting, FailedItem)),
}
