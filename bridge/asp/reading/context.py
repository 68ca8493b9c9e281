"""What the names of a clingo program stand for: its predicates, their columns, the sorts of these, what needs what."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Any

from clingo import SymbolType, ast
from clingo.ast import AST, ASTType

from bridge.asp.reading.outline import Signature
from bridge.asp.reading.text import Text
from bridge.asp.reading.trees import alternatives, is_atom, nodes, pooled

COMPARISONS = {
    ast.ComparisonOperator.LessThan: "<",
    ast.ComparisonOperator.LessEqual: "<=",
    ast.ComparisonOperator.GreaterThan: ">",
    ast.ComparisonOperator.GreaterEqual: ">=",
    ast.ComparisonOperator.Equal: "=",
    ast.ComparisonOperator.NotEqual: "!=",
}
#: So many statements are remembered by each function below that is asked again and again: of a program that is changed
#: in one place, most stay as they are. Statements are equal that differ only in their places.
KEPT = 5_000
#: A column of a predicate: name, arity, position from 0.
Column = tuple[str, int, int]

def constant_of(node: AST) -> str:
    """The name of a constant; empty of another node."""
    if node.ast_type is not ASTType.SymbolicTerm or node.symbol.type is not SymbolType.Function:
        return ""
    return "" if node.symbol.arguments or node.symbol.negative else str(node.symbol.name)


def variables(node: AST) -> Iterator[AST]:
    """The variables in a node, each as often as it stands there, but for anonymous ones."""
    return (one for one in nodes(node) if one.ast_type is ASTType.Variable and one.name != "_")


@dataclass
class Context:
    """The predicates and constants that changes are made of."""

    #: In use, in the program, its instances or its answers.
    predicates: dict[Signature, None] = field(default_factory=dict)
    given: set[Signature] = field(default_factory=set)  #: Those that instances give.
    answers: set[Signature] = field(default_factory=set)  #: Those that answers consist of.
    derived: set[Signature] = field(default_factory=set)  #: Those in heads of rules.
    constants: list[str] = field(default_factory=list)  #: Names of `#const`, and of constants that instances set.
    #: Terms that stand in a column, as text, a few of each; or that a variable of a rule is compared with.
    values: dict[Column, list[str]] = field(default_factory=dict)
    steps: set[Column] = field(default_factory=set)  #: Columns in which `T+1` or `T-1` stands.
    #: Of each rule, the predicates of its head and those that its body needs.
    rules: list[tuple[frozenset[Signature], set[Signature]]] = field(default_factory=list)
    #: Predicates in bodies, but those that only rules for themselves read, and names of constants in terms.
    read: set[Signature | str] = field(default_factory=set)
    _sort: dict[Any, Any] = field(default_factory=dict)
    _by_sort: dict[Any, set[str]] | None = None

    @classmethod
    def of(
        cls,
        *texts: Text,
        given: Iterable[tuple[str, Sequence[str]]] = (),
        constants: Iterable[str] = (),
        shown: Iterable[Signature] = (),
    ) -> Context:
        """The context of a program, of the facts of its instances (name, arguments), and of what it shows."""
        found = cls(constants=list(dict.fromkeys(constants)))
        for name, arguments in given:
            signature = (name, len(arguments))
            found.predicates[signature] = None
            found.given.add(signature)
            for position, argument in enumerate(arguments):
                known = found.values.setdefault((*signature, position), [])
                if argument not in known and len(known) < 8:
                    known.append(argument)
        found.predicates.update(dict.fromkeys(shown := list(shown)))
        found.answers.update(shown)
        for number, (of, statement) in enumerate((text, one) for text in texts for one in text.statements):
            found._take(of, statement, number)
        return found

    def _take(self, text: Text, statement: AST, number: int) -> None:
        if statement.ast_type is ASTType.Definition:
            if statement.name not in self.constants:
                self.constants.append(statement.name)
            return
        derived = head_signatures(statement)
        if statement.ast_type is ASTType.Rule:
            self.rules.append((derived, _needed(statement)))
        self.read |= body_signatures(statement) - derived
        parts = [*nodes(statement)]
        symbolic = [one for one in parts if one.ast_type is ASTType.SymbolicAtom]
        self.read |= {name for one in parts if (name := constant_of(one))}
        heads = {key(atom.symbol) for atom in head_atoms(statement)}
        for atom in (one for one in symbolic if function_of(one) is not None):
            self._take_atom(text, number, signature_of(atom), arguments_of(atom), key(atom.symbol) in heads)
        head = statement.head if statement.ast_type is ASTType.Rule else None
        derives = head is not None and head.ast_type is ASTType.Literal and head.atom.ast_type is ASTType.SymbolicAtom
        for node in symbolic:  # `day(mon; tue)`
            if node.symbol.ast_type is ASTType.Pool:
                in_head = derives and node.symbol == statement.head.atom.symbol
                for one in node.symbol.arguments:
                    if one.ast_type is ASTType.Function:
                        pooled = one.name, len(one.arguments)
                        self._take_atom(text, number, pooled, one.arguments, in_head)
                        self.read |= set() if in_head else {pooled}
        for comparison in parts:
            if comparison.ast_type is ASTType.Comparison:
                for one, other in pairwise(variables(comparison)):
                    self._join((number, one.name), (number, other.name))
                for guard in comparison.guards:  # `V = 1..3`
                    if comparison.term.ast_type is ASTType.Variable and (values := _values(text, guard.term)):
                        self.values.setdefault((comparison.term.name, number, -1), []).extend(values)
                        self._join((number, comparison.term.name), (comparison.term.name, number, -1))

    def _take_atom(self, text: Text, number: int, name: Signature, arguments: Sequence[AST], in_head: bool) -> None:
        self.predicates[name] = None
        if in_head:
            self.derived.add(name)
        for position, argument in enumerate(arguments):
            column = (*name, position)
            if argument.ast_type is ASTType.Variable and argument.name != "_":
                self._join(column, (number, argument.name))
            elif argument.ast_type is ASTType.BinaryOperation and argument.left.ast_type is ASTType.Variable:
                self._join(column, (number, argument.left.name))
                self.steps.add(column)
            else:
                known = self.values.setdefault(column, [])
                known += [value for value in _values(text, argument) if value not in known][: 8 - len(known)]

    def _find(self, one: Any) -> Any:
        root = one
        while (above := self._sort.setdefault(root, root)) != root:
            root = above
        while one != root:  # the next time the way is short
            self._sort[one], one = root, self._sort[one]
        return root

    def _join(self, one: Any, other: Any) -> None:
        self._sort[self._find(one)] = self._find(other)

    def alike(self, one: Column, other: Column) -> bool:
        """Whether two columns hold values of one sort: some rule joins them, or values stand in both."""
        if one == other or (first := self._find(one)) == (second := self._find(other)):
            return True
        if self._by_sort is None:
            self._by_sort = {}
            for column, values in self.values.items():  # of compound terms, the names
                self._by_sort.setdefault(self._find(column), set()).update(one.partition("(")[0] for one in values)
        return bool(self._by_sort.get(first, set()) & self._by_sort.get(second, set()))

    def alike_values(self, column: Column) -> list[str]:
        """Values that stand in a column, or in one like it."""
        found = dict.fromkeys(self.values.get(column, ()))
        for other, values in self.values.items():
            if other != column and self.alike(column, other):
                found.update(dict.fromkeys(values))
        return list(found)[:12]

    @property
    def known(self) -> list[Signature]:
        """Predicates that a rule or an instance gives."""
        return [one for one in self.predicates if one in self.given or one in self.derived]

    def unread(self) -> list[Signature]:
        """Predicates that are given or derived, and that no other rule reads; answers do not consist of them."""
        return [one for one in self.known if one not in self.read and one not in self.answers]

    def unused(self) -> list[str]:
        """Constants that no statement mentions."""
        return [one for one in self.constants if one not in self.read]

    def is_numeric(self, column: Column) -> bool:
        """Whether a column may hold numbers: its values are, or are not known."""
        values = self.values.get(column, ())
        return all(re.fullmatch(r"-?\d+", value) for value in values) and (bool(values) or column[:2] not in self.given)

    def undefined(self) -> list[Signature]:
        """Predicates that are used, and that neither a rule nor an instance gives."""
        return [one for one in self.predicates if one not in self.given and one not in self.derived]

    def baseless(self) -> list[Signature]:
        """Predicates each rule of which needs the predicate itself: a base case is missing."""
        return baseless(self.rules, {*self.given, *self.undefined()})


def _values(text: Text, argument: AST) -> list[str]:
    """The values that an argument without variables stands for, as far as its text says."""
    if argument.ast_type is ASTType.SymbolicTerm:
        return [text.of(argument)]
    if argument.ast_type is ASTType.Interval:
        ends = text.of(argument.left), text.of(argument.right)
        if all(re.fullmatch(r"-?\d+", end) for end in ends):
            return [str(value) for value in range(int(ends[0]), min(int(ends[1]), int(ends[0]) + 7) + 1)]
    if argument.ast_type is ASTType.Pool:
        return [value for one in argument.arguments for value in _values(text, one)]
    return []


def baseless(rules: Iterable[tuple[Set[Signature], Set[Signature]]], given: set[Signature]) -> list[Signature]:
    """Predicates each rule of which needs the predicate itself, by way of others, too.

    Rules are the predicates of a head, and those that the body needs.
    """
    rules = list(rules)
    there, more = given, True
    while more:
        new = {head for heads, needed in rules if needed <= there for head in heads} - there
        there, more = there | new, bool(new)

    def above(signature: Signature) -> set[Signature]:
        found, waiting = set[Signature](), [signature]
        while waiting:
            one = waiting.pop()
            new = {need for heads, needed in rules if one in heads for need in needed - there} - found
            found |= new
            waiting += new
        return found

    none = {one: above(one) for one in dict.fromkeys(head for heads, _ in rules for head in heads) if one not in there}
    return [one for one, needs in none.items() if all(one in none.get(other, ()) for other in needs)]


def dependencies(statements: Sequence[AST]) -> Callable[[Signature], set[Signature]]:
    """The predicates that a predicate depends on, by way of others, too."""
    uses: dict[Signature, set[Signature]] = {}
    for one in statements:
        if one.ast_type is ASTType.Rule:
            for signature in head_signatures(one):
                uses.setdefault(signature, set()).update(body_signatures(one))

    def depends(signature: Signature) -> set[Signature]:
        found, todo = set[Signature](), [signature]
        while todo:
            for one in uses.get(todo.pop(), ()):
                if one not in found:
                    found.add(one)
                    todo.append(one)
        return found

    return depends


def growing(statements: Sequence[AST]) -> set[int]:
    """The lines of rules that may derive ever larger terms: `n(X+1) :- n(X).`"""
    rules = [(head_signatures(one), _needed(one), one) for one in statements if one.ast_type is ASTType.Rule]

    def below(signatures: set[Signature]) -> set[Signature]:
        found, more = signatures, True
        while more:
            new = set[Signature]().union(*(needed for heads, needed, _ in rules if heads & found)) - found
            found, more = found | new, bool(new)
        return found

    def larger(statement: AST) -> bool:
        terms = (node for atom in head_atoms(statement) for one in arguments_of(atom) for node in nodes(one))
        return any(
            node.ast_type is ASTType.BinaryOperation or (node.ast_type is ASTType.Function and node.arguments)
            for node in terms
        )

    return {one.location.begin.line for heads, needed, one in rules if larger(one) and heads & below(needed)}


def key(node: AST) -> tuple[int, int, int, int]:
    """Where a node stands: clingo makes new objects for it each time it is looked at."""
    begin, end = node.location
    return begin.line, begin.column, end.line, end.column


def atoms(statement: AST) -> Iterator[AST]:
    """The symbolic atoms of a statement, but for pools."""
    return (atom for atom in _symbolic_atoms(statement) if function_of(atom) is not None)


def function_of(atom: AST) -> AST | None:
    """The function of a symbolic atom, below a classical negation; None of a pool."""
    symbol = atom.symbol
    while symbol.ast_type is ASTType.UnaryOperation:
        symbol = symbol.argument
    return symbol if symbol.ast_type is ASTType.Function else None


def signature_of(atom: AST) -> Signature:
    function = function_of(atom)
    assert function is not None
    negative = atom.symbol.ast_type is ASTType.UnaryOperation
    return f"{'-' if negative else ''}{function.name}", len(function.arguments)


def arguments_of(atom: AST) -> Sequence[AST]:
    function = function_of(atom)
    return () if function is None else function.arguments


def _heads(statement: AST) -> list[AST]:
    """The literals that a statement derives or chooses."""
    if statement.ast_type is not ASTType.Rule:
        return []
    if statement.head.ast_type is ASTType.Literal:
        return [statement.head]
    return [literal for literal, _ in alternatives(statement.head)]


def head_atoms(statement: AST) -> Iterator[AST]:
    return (atom for head in _heads(statement) for atom in atoms(head))


def signatures(tree: AST) -> set[Signature]:
    """The predicates of the atoms in a tree; a pool is several atoms."""
    return {signature for atom in _symbolic_atoms(tree) for signature in pooled(atom.symbol)}


def _symbolic_atoms(tree: AST) -> Iterator[AST]:
    return (node for node in nodes(tree) if node.ast_type is ASTType.SymbolicAtom)


@lru_cache(KEPT)
def head_signatures(statement: AST) -> frozenset[Signature]:
    return frozenset[Signature]().union(*map(signatures, _heads(statement)))


@lru_cache(KEPT)
def body_signatures(statement: AST) -> frozenset[Signature]:
    if statement.ast_type is not ASTType.Rule:
        return frozenset(signatures(statement))
    head = statement.head
    inner = [one for _, conditions in alternatives(head) for one in conditions]
    inner += [head] if head.ast_type is ASTType.TheoryAtom else []
    return frozenset[Signature]().union(*map(signatures, [*inner, *statement.body]))


def is_data(statement: AST) -> bool:
    """Whether a statement is a fact of plain values: numbers, strings, constants."""
    if statement.ast_type is not ASTType.Rule or statement.body or statement.head.ast_type is not ASTType.Literal:
        return False
    plain = (ASTType.Literal, ASTType.SymbolicAtom, ASTType.Function, ASTType.SymbolicTerm)
    return all(one.ast_type in plain for one in nodes(statement.head))


def is_void(statement: AST) -> bool:
    """Whether a statement can never apply: an atom stands beside its `not`, or a term is to differ from itself."""
    signs: dict[str, set[bool]] = {}
    for literal in statement.body if statement.ast_type is ASTType.Rule else ():
        if literal.ast_type is not ASTType.Literal:
            continue
        if literal.atom.ast_type is ASTType.SymbolicAtom:
            signs.setdefault(str(literal.atom), set()).add(literal.sign == ast.Sign.Negation)
        elif literal.atom.ast_type is ASTType.Comparison and len(literal.atom.guards) == 1:
            (guard,) = literal.atom.guards
            if str(literal.atom.term) == str(guard.term) and COMPARISONS[guard.comparison] in ("<", ">", "!="):
                return True
    return any(len(each) == 2 for each in signs.values())


def _needed(statement: AST) -> set[Signature]:
    """The predicates without which a rule does not fire: those of its positive literals."""
    atoms_ = (literal.atom for literal in statement.body if is_atom(literal))
    return {signature_of(atom) for atom in atoms_ if function_of(atom) is not None}
