"""The check of constraints that are meant as effects of actions.

A **step** is a term with a variable and a number, `T+1`: in a planner it says when an atom holds.
"""

from __future__ import annotations

from collections.abc import Iterator

from clingo import ast
from clingo.ast import AST, ASTType

from bridge.asp.reading import has_anonymous, is_choice, is_constraint, names_in
from bridge.linting.findings import Hit, check
from bridge.linting.program import Atom, Scope, Source, Statement, number_of, step_of

#: A variable, and what is added to it.
Step = tuple[str, int]



@check("LP060", "effect-as-constraint", "warning")
def effects(source: Source) -> Iterator[Hit]:
    """A constraint is written where an effect is meant: it speaks of an atom in the next step that no rule makes
    true."""
    for statement in source.statements if not source.scripts else ():
        if statement.kind is not ASTType.Rule or not is_constraint(statement.node) or len(statement.scopes) > 1:
            continue
        (scope,) = statement.scopes
        for atom in scope.atoms:
            place = _later(atom, scope, source)
            if place is None or atom.signature in source.given | source.defined:
                continue
            why = _ungiven(atom, place, source)
            if why is not None:
                text = statement.text.of(atom.node)
                does = "demands" if atom.role == "negative" else "forbids"
                others = [one for one in statement.node.body if not _has(one, atom)]
                safe = not has_anonymous(atom.node) and names_in([atom.node]) <= names_in(others)
                rule = f"{text} :- {', '.join(map(statement.text.of, others))}." if safe else None
                words = f"a constraint derives nothing: this only {does} {text}, and {why}"
                yield Hit(statement, statement.node, words, rule)
                break


def _has(literal: AST, atom: Atom) -> bool:
    inner = literal.atom if literal.ast_type is ASTType.Literal else None
    return inner is not None and inner.ast_type is ASTType.SymbolicAtom and inner.symbol == atom.node


def _later(atom: Atom, scope: Scope, source: Source) -> int | None:
    """The argument by which an atom of a constraint is a step later than one that is chosen: than an action."""
    others = [one for one in scope.positive() if one.signature in source.chosen and one.signature != atom.signature]
    steps = [step for one in others for term in one.arguments if (step := _step(term, scope))]
    for place, term in enumerate(atom.arguments):
        step = _step(term, scope)
        if step and any(step[0] == name and step[1] > number for name, number in steps):
            return place
    return None


def _step(term: AST, scope: Scope) -> Step | None:
    """The step that a term is: `T`, `T+1`, `T-1`, or a variable that is equal to one of these."""
    if term.ast_type is ASTType.Variable:
        for comparison in scope.comparisons:
            (guard, *more) = comparison.guards
            if not more and guard.comparison == ast.ComparisonOperator.Equal:
                for one, other in ((comparison.term, guard.term), (guard.term, comparison.term)):
                    if one == term and other.ast_type is ASTType.BinaryOperation:
                        return _step(other, scope)
    return step_of(term)


def _ungiven(atom: Atom, place: int, source: Source) -> str | None:
    """Why no rule makes an atom true in a step; None where one may."""
    heads = source.heads.get(atom.signature, [])
    if not heads:
        return None  # data
    for at, argument in enumerate(atom.arguments):
        value, known = source.constant(argument), source.values.get((*atom.signature, at))
        if at != place and value is not None and known and value not in known:
            return "no rule gives it"
    passing = [statement for statement, head in heads if _passes_on(statement, head, place)]
    initial = [statement for statement, head in heads if number_of(head.arguments[place]) is not None]
    if passing and len(passing) + len(initial) == len(heads):
        lines = sorted({one.node.location.begin.line for one in passing})
        return f"the rule for it in line {lines[0]} only passes it on" if len(lines) == 1 else None
    return None


def _passes_on(statement: Statement, head: Atom, place: int) -> bool:
    """Whether a rule derives an atom from the same atom in the step before."""
    if statement.kind is not ASTType.Rule or is_choice(statement.node):
        return False
    scope = statement.scopes[0]
    now = _step(head.arguments[place], scope)
    for atom in scope.positive():
        before = _step(atom.arguments[place], scope) if atom.signature == head.signature else None
        pairs = enumerate(zip(head.arguments, atom.arguments, strict=False))
        same = all(one == other for at, (one, other) in pairs if at != place)
        if now and before and same and now[0] == before[0] and now[1] > before[1]:
            return True
    return False
