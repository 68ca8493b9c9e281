"""Questions about the syntax trees of clingo's statements: what they bind, what they define, what they are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import clingo
from clingo import ast
from clingo.ast import AST, ASTType

from bridge.errors import Place


def place_of(statement: AST) -> Place:
    """Where a statement begins."""
    begin = statement.location.begin
    return Place(begin.filename, begin.line, begin.column)


def parameters_of(part: AST) -> tuple[str, ...]:
    """The parameters of `#program step(t).`"""
    return tuple(one.name for one in part.parameters)


def constants(location: Any, names: Iterable[str]) -> list[AST]:
    """Constants as terms."""
    return [ast.SymbolicTerm(location, clingo.Function(name)) for name in names]


def is_atom(literal: AST, sign: ast.Sign = ast.Sign.NoSign) -> bool:
    """Is this an atom, with this sign before it?"""
    return (
        literal.ast_type is ASTType.Literal and literal.sign == sign and literal.atom.ast_type is ASTType.SymbolicAtom
    )


def is_constraint(statement: AST) -> bool:
    """Is this an integrity constraint? `not a :- b.` and `X < Y :- p(X, Y).` are, too: their heads derive nothing."""
    head = statement.head
    if head.ast_type is not ASTType.Literal:
        return False
    if head.atom.ast_type is ASTType.BooleanConstant:
        return bool(bool(head.atom.value) == (head.sign == ast.Sign.Negation))
    return bool(head.atom.ast_type is not ASTType.SymbolicAtom or head.sign != ast.Sign.NoSign)


def is_choice(statement: AST) -> bool:
    """Is its head a choice?"""
    return statement.head.ast_type in (ASTType.Aggregate, ASTType.HeadAggregate)


class _Variables(ast.Transformer):
    def __init__(self) -> None:
        self.names: set[str] = set()

    def visit_Variable(self, variable: AST) -> AST:
        self.names.add(variable.name)
        return variable


def _all_names(trees: Iterable[AST]) -> set[str]:
    found = _Variables()
    for tree in trees:
        found.visit(tree)
    return found.names


def names_in(trees: Iterable[AST]) -> set[str]:
    """The variables in some syntax trees, but for anonymous ones."""
    return _all_names(trees) - {"_"}


def has_anonymous(tree: AST) -> bool:
    """Is there an anonymous variable in it?"""
    return "_" in _all_names([tree])


def variables_of(rule: AST) -> list[str]:
    """The variables of a rule that its body binds, in the order in which they occur."""
    return list(dict.fromkeys(name for literal in rule.body for name in in_order(literal, gives_and_needs(literal)[0])))


def in_order(literal: AST, names: set[str]) -> list[str]:
    """Variables in the order in which they occur in a literal."""
    return sorted(names, key=lambda name: str(literal).find(name))


def needs_and_gives(literal: AST) -> tuple[set[str], set[str]]:
    """The variables that have to be bound for a literal, and those that it binds."""
    gives, needs = gives_and_needs(literal)
    if literal.ast_type is ASTType.ConditionalLiteral:
        return set(), set()  # those that it shares with other literals are bound there
    if literal.ast_type is ASTType.Literal and literal.atom.ast_type in (ASTType.BodyAggregate, ASTType.Aggregate):
        return needs, gives
    return (needs | names_in([literal])) - gives, gives


def gives_and_needs(literal: AST) -> tuple[set[str], set[str]]:
    """The variables that a body literal binds, and those that have to be bound for it."""
    if literal.ast_type is not ASTType.Literal or literal.sign != ast.Sign.NoSign:
        return set(), set()
    atom = literal.atom
    if atom.ast_type is ASTType.SymbolicAtom:
        return _matched(atom.symbol), set()
    if atom.ast_type is ASTType.Comparison:
        (guard, *others) = atom.guards
        if not others and guard.comparison == ast.ComparisonOperator.Equal:
            for side, other in ((atom.term, guard.term), (guard.term, atom.term)):
                if gives := _matched(side):
                    return gives, names_in([other])
    if atom.ast_type in (ASTType.BodyAggregate, ASTType.Aggregate):
        guard = atom.left_guard
        if guard is not None and guard.comparison == ast.ComparisonOperator.Equal:
            return _matched(guard.term), names_in([literal]) - _matched(guard.term) - _local(atom)
    return set(), set()


def _local(aggregate: AST) -> set[str]:
    """The variables of an aggregate that are bound inside it. (Those that are bound outside are bound there, too.)"""
    return names_in(aggregate.elements)


def _matched(term: AST) -> set[str]:
    """The variables of a term that matching binds: those that stand under no arithmetic but `+` and `-` a number."""
    kind = term.ast_type
    if kind is ASTType.Variable:
        return set() if term.name == "_" else {term.name}
    if kind is ASTType.Function and not term.external:
        return set().union(*map(_matched, term.arguments))
    if kind is ASTType.UnaryOperation and term.operator_type == ast.UnaryOperator.Minus:
        return _matched(term.argument)
    if kind is ASTType.BinaryOperation and term.operator_type in (ast.BinaryOperator.Plus, ast.BinaryOperator.Minus):
        sides = [side for side in (term.left, term.right) if not isinstance(side, type(None))]
        variables = [names_in([side]) for side in sides]
        if sum(map(bool, variables)) == 1:
            return set().union(*map(_matched, sides))
    return set()


def is_plain(literal: AST) -> bool:
    """Is this an atom or a comparison, or the negation of one?"""
    plain = (ASTType.Comparison, ASTType.SymbolicAtom)
    return literal.ast_type is ASTType.Literal and literal.atom.ast_type in plain and not has_anonymous(literal)
