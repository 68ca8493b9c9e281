"""Questions about the syntax trees of clingo's statements: what they bind, what they define, what they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

import clingo
from clingo import ast
from clingo.ast import AST, ASTType


class Kept(AST):
    """A node of a syntax tree that keeps what was read of it: clingo makes that anew each time."""

    @classmethod
    def of(cls, node: AST) -> Kept:
        """A node as such a one, and all that will be read of it."""
        return cls(node._rep, node)

    def __init__(self, rep: Any, owner: AST) -> None:
        super().__init__(rep)  # type: ignore[no-untyped-call]
        self.__dict__["_owner"] = owner

    def __del__(self) -> None:
        """It is the owner who frees the node."""

    @cached_property
    def ast_type(self) -> ASTType:
        return ASTType(super().ast_type)

    @cached_property
    def nodes(self) -> list[AST]:
        """The node and all that are in it."""
        return list(_within(self))

    def __getattr__(self, name: str) -> Any:
        value = super().__getattr__(name)  # type: ignore[no-untyped-call]
        if type(value) is AST:
            value = Kept.of(value)
        elif type(value) is ast.ASTSequence:
            value = [Kept.of(one) for one in value]
        self.__dict__[name] = value
        return value


def parameters_of(part: AST) -> tuple[str, ...]:
    """The parameters of `#program step(t).`"""
    return tuple(one.name for one in part.parameters)


def constants(location: Any, names: Iterable[str]) -> list[AST]:
    return [ast.SymbolicTerm(location, clingo.Function(name)) for name in names]


def is_atom(literal: AST, sign: ast.Sign = ast.Sign.NoSign) -> bool:
    """Is this an atom, with this sign before it?"""
    return (
        literal.ast_type is ASTType.Literal and literal.sign == sign and literal.atom.ast_type is ASTType.SymbolicAtom
    )


def atom_of(location: Any, name: str, arguments: Iterable[AST], sign: ast.Sign = ast.Sign.NoSign) -> AST:
    """An atom as a literal, with this sign before it."""
    function = ast.Function(location, name, list(arguments), False)
    return ast.Literal(location, sign, ast.SymbolicAtom(function))


def equal(left: AST, right: AST) -> AST:
    comparison = ast.Comparison(left, [ast.Guard(ast.ComparisonOperator.Equal, right)])
    return ast.Literal(left.location, ast.Sign.NoSign, comparison)


def number_of(location: Any, number: int) -> AST:
    return ast.SymbolicTerm(location, clingo.Number(number))


def tuple_of(location: Any, terms: Sequence[AST]) -> AST:
    return ast.Function(location, "", terms, False)


def is_aggregate(literal: AST) -> bool:
    """Is this an aggregate of a body?"""
    aggregates = (ASTType.BodyAggregate, ASTType.Aggregate)
    return literal.ast_type is ASTType.Literal and literal.atom.ast_type in aggregates


def alternatives(head: AST) -> list[tuple[AST, Sequence[AST]]]:
    """The literals of a choice or a disjunction, each with its condition; of any other head none."""
    if head.ast_type is ASTType.HeadAggregate:
        return [(one.condition.literal, tuple(one.condition.condition)) for one in head.elements]
    if head.ast_type in (ASTType.Aggregate, ASTType.Disjunction):
        return [(one.literal, tuple(one.condition)) for one in head.elements]
    return []


def elements_of(literal: AST) -> list[list[AST]]:
    """The literals of each element of a body's aggregate, or of a conditional literal; of any other literal none."""
    if literal.ast_type is ASTType.ConditionalLiteral:
        return [[literal.literal, *literal.condition]]
    if not is_aggregate(literal):
        return []
    if literal.atom.ast_type is ASTType.Aggregate:
        return [[one.literal, *one.condition] for one in literal.atom.elements]
    return [list(one.condition) for one in literal.atom.elements]


def pooled(symbol: AST, sign: str = "") -> Iterator[tuple[str, int]]:
    """The predicates of a symbolic atom, a pool being several: of each the name, with its sign, and the arity."""
    if symbol.ast_type is ASTType.UnaryOperation:
        yield from pooled(symbol.argument, "" if sign else "-")
    elif symbol.ast_type is ASTType.Pool:
        for one in symbol.arguments:
            yield from pooled(one, sign)
    elif symbol.ast_type is ASTType.Function:
        yield f"{sign}{symbol.name}", len(symbol.arguments)


def choices_in(statements: Iterable[AST]) -> Iterator[AST]:
    return (one for one in statements if one.ast_type is ASTType.Rule and is_choice(one))


_SIDES = {
    ast.ComparisonOperator.LessEqual: ("at least", "at most"),
    ast.ComparisonOperator.GreaterEqual: ("at most", "at least"),
    ast.ComparisonOperator.LessThan: ("more than", "less than"),
    ast.ComparisonOperator.GreaterThan: ("less than", "more than"),
    ast.ComparisonOperator.Equal: ("exactly", "exactly"),
    ast.ComparisonOperator.NotEqual: ("not", "not"),
}


def how_many(choice: AST) -> str:
    """How many atoms the head of a choice allows, in words: `exactly 1`, `at least 1 and at most 3`, `any number`.

    Empty of `#sum` and its like, which bound something else.
    """
    if choice.ast_type is ASTType.HeadAggregate:
        return ""
    found = [
        f"{_SIDES[guard.comparison][side]} {guard.term}"
        for side, guard in enumerate((choice.left_guard, choice.right_guard))
        if guard is not None
    ]
    number = choice.right_guard.term if len(found) == 2 else None
    if found == [f"at least {number}", f"at most {number}"]:
        return f"exactly {number}"
    return " and ".join(found) or "any number"


class Named(ast.Transformer):
    """Gives names to anonymous variables, which begin with a prefix."""

    def __init__(self, prefix: str) -> None:
        self._prefix, self._count = prefix, 0

    def visit_Variable(self, variable: AST) -> AST:
        if variable.name != "_":
            return variable
        self._count += 1
        return variable.update(name=f"{self._prefix}{self._count}")


def is_constraint(statement: AST) -> bool:
    """Is this an integrity constraint? `not a :- b.` and `X < Y :- p(X, Y).` are, too: their heads derive nothing."""
    head = statement.head
    if head.ast_type is not ASTType.Literal:
        return False
    if head.atom.ast_type is ASTType.BooleanConstant:
        return bool(bool(head.atom.value) == (head.sign == ast.Sign.Negation))
    return bool(head.atom.ast_type is not ASTType.SymbolicAtom or head.sign != ast.Sign.NoSign)


def is_choice(statement: AST) -> bool:
    return statement.ast_type is ASTType.Rule and statement.head.ast_type in (ASTType.Aggregate, ASTType.HeadAggregate)


#: The names of the children of a node, by its type: clingo makes them anew for each node.
_CHILDREN: dict[ASTType, list[str]] = {}


def nodes(node: Any) -> Iterator[AST]:
    """A node of the syntax tree and all that are in it."""
    return iter(node.nodes) if isinstance(node, Kept) else _within(node)


def _within(node: Any) -> Iterator[AST]:
    waiting = [node]
    while waiting:
        yield (one := waiting.pop())
        if (keys := _CHILDREN.get(kind := one.ast_type)) is None:
            keys = _CHILDREN[kind] = one.child_keys
        for key in reversed(keys):
            child = getattr(one, key)
            if child is not None:
                waiting.extend((child,) if isinstance(child, AST) else [*child][::-1])


def _all_names(trees: Iterable[AST]) -> set[str]:
    return {node.name for tree in trees for node in nodes(tree) if node.ast_type is ASTType.Variable}


def names_in(trees: Iterable[AST]) -> set[str]:
    """The variables in some syntax trees, but for anonymous ones."""
    return _all_names(trees) - {"_"}


def has_variables(tree: AST) -> bool:
    return bool(_all_names([tree]))


def has_anonymous(tree: AST) -> bool:
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
    if is_aggregate(literal):
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
    guard = atom.left_guard if is_aggregate(literal) else None
    if guard is not None and guard.comparison == ast.ComparisonOperator.Equal:
        # The variables of its elements are bound inside it; those that are bound outside are bound there, too.
        return _matched(guard.term), names_in([literal]) - _matched(guard.term) - names_in(atom.elements)
    return set(), set()


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
        sides = (term.left, term.right)
        if sum(bool(names_in([side])) for side in sides) == 1:
            return set().union(*map(_matched, sides))
    return set()


def is_plain(literal: AST) -> bool:
    """Is this an atom or a comparison, or the negation of one?"""
    plain = (ASTType.Comparison, ASTType.SymbolicAtom)
    return literal.ast_type is ASTType.Literal and literal.atom.ast_type in plain and not has_anonymous(literal)
