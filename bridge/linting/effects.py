"""The check of constraints that are meant as effects of actions.

A **step** is a term with a variable and a number, `T+1`: in a planner it says when an atom holds.
"""

from __future__ import annotations

from collections.abc import Iterator

from clingo import ast
from clingo.ast import AST, ASTType

from bridge.asp.reading import has_anonymous, is_constraint, names_in
from bridge.linting.findings import Hit, check
from bridge.linting.program import Atom, Scope, Source, step_of

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
            if _is_ungiven(atom, place, source):
                text = statement.text.of(atom.node)
                does = "demands" if atom.role == "negative" else "forbids"
                others = [one for one in statement.node.body if not _has(one, atom)]
                safe = not has_anonymous(atom.node) and names_in([atom.node]) <= names_in(others)
                rule = f"{text} :- {', '.join(map(statement.text.of, others))}." if safe else None
                words = f"a constraint derives nothing: this only {does} {text}, and no rule gives it"
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


def _is_ungiven(atom: Atom, place: int, source: Source) -> bool:
    """Whether no rule makes an atom true in a step. Without rules it is data."""
    for at, argument in enumerate(atom.arguments if atom.signature in source.heads else ()):
        value, known = source.constant(argument), source.values.get((*atom.signature, at))
        if at != place and value is not None and known and value not in known:
            return True
    return False
