"""The forms of the JSON that commands print under `--json`, as types; `schema` makes JSON Schema of them.

Results have a form of their own (`bridge.as_json`); here is what commands print beside these. A key that may be
missing is `NotRequired`. What an object has beside these keys is refused by its schema.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from bridge.analysis.ambiguity import Ambiguity  # noqa: F401 the type of a part of diagnoses, found by its name
from bridge.analysis.cores import Clash
from bridge.analysis.diagnosis import Variant
from bridge.analysis.goal_diagnosis import GoalDiagnosis
from bridge.analysis.of_goals import Clause, GoalReasons
from bridge.analysis.program_diagnosis import ProgramDiagnosis
from bridge.analysis.why import Reasons
from bridge.as_json import Extended
from bridge.asp.best import Paid
from bridge.asp.bounds import Bounds
from bridge.asp.results import Grounding
from bridge.cli.judge import Candidate
from bridge.cli.schemas import OTHERS, Failed, FailedItem, Form, Item, LineForms, item
from bridge.common.warned import Warned
from bridge.comparison.comparison import Comparison
from bridge.debugging.asking import Question
from bridge.debugging.mutate import Mutation
from bridge.debugging.result import Debugging
from bridge.debugging.submissions import Submissions
from bridge.debugging.testing import Testing
from bridge.errors import LimitName
from bridge.install.janus import Finding as Component
from bridge.install.prolog import Report as InstalledProlog
from bridge.isolation.wall import Wall
from bridge.linting.findings import Finding
from bridge.linting.result import Lint
from bridge.outcome import Count, Statistics
from bridge.problem.asp_oracle import AtomFact, StatementPremise
from bridge.problem.fragments import GoalPremise
from bridge.problem.posted import PostedConstraint
from bridge.profiling.profile import Profiling

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
    """Models; with `--optimal` and `--best` also their costs, and with `--best` what each pays for."""

    satisfiable: bool | None
    models: list[Model]
    costs: NotRequired[list[list[int]]]
    optimal: NotRequired[bool]
    bounds: NotRequired[Bounds]
    paid: NotRequired[list[list[Paid]]]
    notes: NotRequired[list[str]]
    rung: NotRequired[str]
    remark: NotRequired[str]


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


# explain, debug


class Fact(TypedDict):
    """That an atom holds, or not; or a goal that is proved."""

    atom: NotRequired[str]
    holds: NotRequired[bool]
    goal: NotRequired[str]


class Step(Fact):
    """A fact that follows, and what it follows from."""

    rules: list[StatementPremise | Clause]
    facts: list[Fact]
    by: Literal["value", "place", "rules", "search"]
    proved: bool
    technique: None
    new: list[Fact]
    sentence: str


_Premise = StatementPremise | AtomFact | PostedConstraint | GoalPremise
_LINT: dict[str, Any] = {"lint": tuple[Finding, ...]}
_WARNED: dict[str, Any] = {"warnings": list[Warned]}


def _form(name: str, about: str, *others: Form, without: tuple[str, ...] = (), **more: Any) -> Extended:
    """A form that has these keys, and those of others."""
    return Extended(name, about, others, more, without)


_COUNTED: dict[str, Any] = {"count": int, "notes": NotRequired[list[str]]}
_COUNT = _form("CountOfModels", "The number of models, of `run --count`.", Ended, **_COUNTED)
_EXPORTED: dict[str, Any] = {"exports": list[str], **_WARNED}
_EXPORTS = _form("Exports", "The predicates of a Prolog program for which no goal was given.", **_EXPORTED)
_HALTED = _form("Halted", "A Prolog program that ended its process while it was loaded.", exit_code=int, **_WARNED)
_WHY_PROGRAM = "Why a clingo program has no answer set, or several; null is what was not computed."
_WHY_GOAL = "Why a goal fails, does not end, or has several answers; null is what was not computed."
_DIAGNOSES = (
    _form("ProgramDiagnosis", _WHY_PROGRAM, ProgramDiagnosis, **_LINT),
    _form("GoalDiagnosis", _WHY_GOAL, GoalDiagnosis, **_LINT),
)
_WHY = "Why an atom holds, or does not, or why the lowest cost is not lower."
_REASONS = (
    _form("Reasons", _WHY, Reasons, **_LINT),
    _form("GoalReasons", "Why an answer to a goal holds: its proof.", GoalReasons, **_LINT),
)
_ASKED = _form("Asked", "What somebody has to answer first: `debug --next`.", question=Question)
_STEPS: dict[str, Any] = {"program": str, "steps": list[Step], "complete": bool, "limit": LimitName | None}
_JUDGED: dict[str, Any] = {"verdicts": dict[str, int], "candidates": list[Candidate]}
_INSTALLED: dict[str, Any] = {"ok": bool, "findings": list[Component], "walls": list[Wall]}

#: What each command prints under `--json`.
FORMS: dict[str, tuple[Form, ...]] = {
    "run": (Models, _COUNT, Answers, _EXPORTS, _HALTED),
    "diagnose": _DIAGNOSES,
    "why": _REASONS,
    "explain": (_form("Explanation", "Steps that lead to what holds in every answer set.", **_STEPS),),
    "debug": (Debugging, Submissions, _ASKED),
    "lint": (Lint,),
    "profile": (_form("Profiling", "Why a program is slow or large.", Profiling, **_LINT),),
    "test": (Testing,),
    "compare": (Comparison, Submissions),
    "judge": (_form("Judgements", "Programs that were judged, and how often each verdict was given.", **_JUDGED),),
    "mutate": (Mutation,),
    "count": (_form("CountOfProgram", "The number of answer sets.", Ended, program=str, number=int),),
    "ground": (
        _form("Grounding", "The size of a ground program.", Grounding, **_WARNED),
        _form("Facts", "The facts of a program, as text.", facts=list[str], **_WARNED),
    ),
    "doctor": (_form("Installation", "What is installed.", **_INSTALLED),),
    "install-prolog": (InstalledProlog,),
}


# Lines: `--jsonl`, `--events`, `batch`


class SearchEnd(TypedDict):
    """How a search ended."""

    complete: bool
    limit: LimitName | None
    statistics: Statistics
    count: NotRequired[int]
    undefined: NotRequired[int]
    rung: NotRequired[str]
    bounds: NotRequired[Bounds]
    remark: NotRequired[str]
    exit_code: NotRequired[int]


class ItemEnd(Item):
    """Whether an instance has an answer, and what that cost."""

    verdict: Literal["satisfiable", "unsatisfiable", "unknown"]
    complete: bool
    limit: LimitName | None
    statistics: Statistics


class ItemModels(ItemEnd):
    """Some answer sets of an instance; the costs where the program minimizes."""

    models: list[list[str]]
    costs: list[list[int]] | None


class ItemAnswers(ItemEnd):
    """Some answers to a goal, each as the toplevel prints it."""

    answers: list[str]


def _event(name: str, about: str, of: Any, **more: Any) -> Form:
    """What happened, with its text for people."""
    return _form(f"{name.capitalize()}Event", about, **{name: of, "text": str}, **more)


def _part(name: str, about: str, of: Any) -> Form:
    return _form(f"{name.capitalize()}Line", about, **{name: of})


_REPAIRS = _form("RepairsInShort", "Repairs, each of which has a line.", size=int | None, complete=bool)


def _rest(of: Extended) -> Form:
    """A diagnosis without what has a line each."""
    names = ("clashes", "variants", "removals", "additions")
    short: dict[str, Any] = dict.fromkeys(names[2:], NotRequired[_REPAIRS])
    return _form(f"RestOf{of.name}", str(_rest.__doc__), *of.others, without=names, **_LINT, **short)


def _lines(*objects: Form, parts: tuple[Any, ...] = ()) -> LineForms:
    return LineForms((*objects, Failed), parts)


#: What is a line under `--jsonl` and `--events`, and in the results of a batch.
LINES: dict[str, LineForms] = {
    "run --jsonl": _lines(_COUNT, _EXPORTS, parts=(Model, Answer)),
    "run --events": _lines(
        _event("answer", "An answer; of a model also its cost.", Model | Answer, cost=NotRequired[list[int]]),
        _event("better", "A model on the way to the optimal ones.", Model, cost=list[int]),
        _event("bounds", "What is known of the least cost so far.", Bounds),
        _event("warning", "A warning.", str),
        _event("end", "The end of a search.", SearchEnd),
        _EXPORTS,
    ),
    "diagnose --jsonl": _lines(
        *map(_rest, _DIAGNOSES),
        parts=(
            _part("clash", "A clash.", (Clash[StatementPremise], Clash[PostedConstraint])),
            _part("variant", "A change that was tried.", Variant),
            _part("removal", "A repair: what to take away.", list[_Premise]),
            _part("addition", "A repair: what to add.", list[_Premise]),
        ),
    ),
    "diagnose --events": _lines(_event("diagnosis", "A diagnosis.", _DIAGNOSES)),
    "why --events": _lines(_event("reasons", "The reasons of an atom, a cost or an answer.", _REASONS)),
    "judge --jsonl": _lines(parts=(Candidate,)),
    "explain --jsonl": _lines(parts=(Step,)),
    "debug --events": _lines(
        _event("debugging", "What is probably wrong.", Debugging),
        _event("question", "What somebody has to answer first.", Question),
    ),
    "batch run": LineForms((ItemModels, ItemAnswers, FailedItem)),
    "batch check": item("A diagnosis of an instance, with the verdict alone.", ProgramDiagnosis, GoalDiagnosis),
    "batch count": item("The number of answer sets of an instance.", Count),
    "batch diagnose": item("A diagnosis of an instance.", ProgramDiagnosis, GoalDiagnosis),
    "batch test": item("The tests of a file.", Testing),
}
