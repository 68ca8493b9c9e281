"""`lint`: what is probably wrong in a program, without an answer that is expected.

>>> from bridge.problem.asp import AspProblem
>>> for finding in lint(AspProblem("edge(a, b). node(X) :- egde(X, _).")).findings:
...     print(finding.id, finding.place.line, finding)
LP003 1 nothing derives egde/2 (did you mean edge?)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

import clingo
from clingo import ast
from clingo.ast import AST, ASTType

from bridge.asp import _cffi
from bridge.asp.constants import Constants
from bridge.asp.edits import key, nodes
from bridge.asp.outline import Signature
from bridge.asp.trees import is_constraint, names_in
from bridge.common.lazy import regex
from bridge.errors import InputError, LimitError, Place, ProgramError, UnsupportedError
from bridge.limits import LimitName, Limits, takes_limits
from bridge.linting.checks import above_of, variable_meant
from bridge.linting.findings import CHECKS, Check, Finding, Hit, declare
from bridge.linting.program import Source, Statement
from bridge.linting.result import LIMITS, Lint, of_findings
from bridge.problem.asp import AspProblem
from bridge.problem.front import is_prolog
from bridge.public import public

if TYPE_CHECKING:
    from bridge.problem.prolog import PrologProblem

SYNTAX = declare("LP001", "syntax", "error", "clingo cannot read the program.", "p(1 :- q.\n")
UNSAFE = declare(
    "LP002",
    "unsafe-variable",
    "error",
    "A variable that no literal of the body binds has no values: clingo refuses the rule. A literal without `not`\n"
    "that has the variable as an argument binds it.",
    "node(1..3).\nfree(X) :- not taken(X).\n{ taken(X) : node(X) }.\n",
)
NEVER = declare(
    "LP008",
    "never-fires",
    "info",
    "On these instances the body of the rule has no ground instance: the rule never fires. Found with --instances.",
    "p(1..3).\nbig(X) :- p(X), X > 5.\n#show big/1.\n",
)
EXCLUDES = declare(
    "LP009",
    "never-excludes",
    "info",
    "On these instances the body of the constraint has no ground instance: it excludes nothing.\n"
    "Found with --instances.",
    "{ p(1..3) }.\n:- p(X), X > 5.\n",
)


def check_of(name: str) -> Check:
    """A check by its id or name; InputError when there is none."""
    for one in CHECKS.values():
        if name.upper() == one.id or name == one.name:
            return one
    raise InputError(f"there is no check {name!r}", hint=f"the checks are {', '.join(sorted(CHECKS))}")


@public("bridge")
@takes_limits("seconds")
def lint(
    problem: AspProblem | PrologProblem | str | PathLike[str] | Sequence[str | PathLike[str]],
    *,
    instances: bool = False,
    given: Iterable[Signature] = (),
    limits: Limits = LIMITS,
) -> Lint:
    """What is probably wrong in a program.

    Parameters
    ----------
    problem
        A clingo program, a Prolog program with a goal, or the paths of files.
    instances
        Of a clingo program: whether to ground it, and to find rules that never fire and constraints that never exclude.
    given
        Of a clingo program: predicates that come from elsewhere, name and arity.
    limits
        Seconds, for grounding or for a Prolog program.

    Raises
    ------
    InputError
        When it is not a program, or a file cannot be read.
    """
    if is_prolog(problem):
        if instances:
            raise InputError("a Prolog program is not ground", hint="without --instances")
        from bridge.linting.prolog import lint_prolog  # here, so that a clingo program does without it
        from bridge.problem.prolog import PrologProblem

        if isinstance(problem, PrologProblem):
            return lint_prolog(list(problem.sources), whole=True, alone=problem.untrusted, limits=limits)
        return lint_prolog(_sources(problem), whole=False, alone=False, limits=limits)
    if isinstance(problem, str | PathLike | list | tuple):
        problem = AspProblem(*_sources(problem))
    if not isinstance(problem, AspProblem):
        raise InputError(f"{type(problem).__name__} is not a program", hint='bridge.program("rules.lp")')
    return _of_asp(problem, instances, given, limits)


def certain(problem: AspProblem) -> tuple[Finding, ...]:
    """What is certainly wrong in a clingo program that has been loaded: no variable of it is unsafe."""
    return _of_asp(problem, False, (), LIMITS, loaded=True).certain


def _sources(of: Any) -> list[str | PathLike[str]]:
    return [of] if isinstance(of, str | PathLike) else list(of)


def _of_asp(
    problem: AspProblem, instances: bool, given: Iterable[Signature], limits: Limits, loaded: bool = False
) -> Lint:
    try:
        parsed = problem.parsed()
    except ProgramError as error:
        return Lint(tuple(_syntax(error)))
    outer = Constants([*problem.options, *(f"--const={name}=0" for name in problem.constants)]).unknown
    source = Source(parsed, outer, given)
    found = [] if loaded else [*UNSAFE.findings(_unsafe(source))]
    for one in CHECKS.values():
        if one.id.startswith("LP") and one.run is not None and not (loaded and one.level == "info"):
            found += one.findings(one.run(source))
    limit: LimitName | None = None
    notes: tuple[str, ...] = ()
    if instances and not any(one.id == UNSAFE.id for one in found):
        never, limit, notes = _never(problem, source, limits)
        found += never
    texts = {file: text.data for file, text in source.texts.items()}
    statements: dict[str, list[tuple[int, int]]] = {file: [] for file in texts}
    for each in [*source.statements, *source.directives]:
        place = each.node.location
        statements.setdefault(each.file, []).append((place.begin.line, place.end.line))
    return of_findings(found, texts, {file: sorted(lines) for file, lines in statements.items()}, limit, notes)


def _syntax(error: ProgramError) -> Iterator[Finding]:
    for one in (error, *error.others):
        place = one.where or Place()
        end = (place.line or 1, (place.column or 1) + 1)
        check = UNSAFE if one.message.startswith("unsafe variables") else SYNTAX
        yield Finding(check.id, check.name, check.level, place, end, one.message)


# Unsafe variables

_UNSAFE = regex(r":(\d+):(\d+)-[\d:]+: note: '([^']*)' is unsafe")


def _unsafe(source: Source) -> Iterator[Hit]:
    """The variables that clingo refuses; it is given the statements, and grounds nothing."""
    for statement in source.statements:
        if not any(node.ast_type is ASTType.Variable for node in nodes(statement.node)):
            continue
        found = {(int(line), int(column)) for line, column, _ in _UNSAFE.findall(_refusal(statement.node))}
        first: dict[str, Any] = {}
        for node in nodes(statement.node):
            if node.ast_type is ASTType.Variable and key(node)[:2] in found:
                first.setdefault(node.name, node)
        for name, node in first.items():
            literal = _binding(name, statement, source)
            words = f"no literal of the body binds `{name}`" + (f"; {literal} would" if literal else "")
            others = names_in([statement.node]) - first.keys()
            other = None if name == "_" else variable_meant(name, statement, source, others)
            yield Hit(statement, node, words, other or literal)


def _refusal(node: AST) -> str:
    """What clingo has against a statement."""
    logged: list[str] = []
    with _cffi.logging():
        control = clingo.Control(["--warn=none"], logger=lambda _, text: logged.append(text))
        try:
            with ast.ProgramBuilder(control) as builder:
                builder.add(node)
            control.ground([])
        except RuntimeError:
            pass
    return "\n".join(logged)


def _binding(name: str, statement: Statement, source: Source) -> str | None:
    """A literal that would bind a variable: the atom that does so in a rule with the variable in the same column."""
    columns = [
        (atom.signature, place)
        for atom in statement.atoms
        for place, term in enumerate(atom.arguments)
        if term.ast_type is ASTType.Variable and term.name == name
    ]
    best: tuple[int, str] | None = None
    for signature, place in columns:
        for other, atom in [*source.heads.get(signature, []), *source.uses.get(signature, [])]:
            if other is statement or place >= len(atom.arguments):
                continue
            term = atom.arguments[place]
            if term.ast_type is not ASTType.Variable:
                continue
            for scope in other.scopes:
                for binder in scope.positive():
                    at = [number for number, one in enumerate(binder.arguments) if str(one) == term.name]
                    if at and (best is None or len(binder.arguments) < best[0]):
                        words = ["_"] * len(binder.arguments)
                        words[at[0]] = name
                        best = len(words), f"{binder.signature[0]}({','.join(words)})"
    return None if best is None else best[1]


# What grounding says


def _never(
    problem: AspProblem, source: Source, limits: Limits
) -> tuple[list[Finding], LimitName | None, tuple[str, ...]]:
    """The rules and constraints whose body has no ground instance: of each there is an atom that the body derives."""
    open_ = {one for one in source.uses if one not in source.derived}
    above = set().union(*(above_of(one, source) for one in open_)) | open_
    asked: dict[str, Statement] = {}
    lines = []
    for number, statement in enumerate(source.statements):
        body = [] if statement.kind is not ASTType.Rule else list(statement.node.body)
        used = {atom.signature for atom in statement.atoms if atom.role == "positive"}
        if body and not statement.part and not used & above:
            name = f"lpbridge_fires_{number}"
            asked[f"{name}/0"] = statement
            lines.append(f"{name} :- {'; '.join(map(str, body))}.")
    if not asked:
        return [], None, ()
    try:
        with problem.with_query("\n".join(lines)).program(limits=limits) as program:
            ground = program.grounding(limits=limits)
    except (LimitError, ProgramError, UnsupportedError) as error:
        return [], "seconds" if isinstance(error, LimitError) else None, (f"it was not ground: {error.message}",)
    if not ground.complete:
        return [], ground.limit, ("the program was not ground in time: which rules never fire is not known",)
    found: list[Finding] = []
    for name, statement in asked.items():
        if name not in ground.atoms:
            excludes = is_constraint(statement.node)
            which = EXCLUDES if excludes else NEVER
            words = "this constraint excludes nothing here" if excludes else "this rule never fires here"
            hit = Hit(statement, statement.node, f"{words}: its body has no ground instance")
            found += which.findings(iter([hit]))
    return found, None, ()
