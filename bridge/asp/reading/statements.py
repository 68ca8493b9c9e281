"""The statements of a clingo program: kind, place, text, name, and the predicates that they define and use.

>>> from bridge.asp.reading.parsed import Reader
>>> program = Reader().read([("text", "{ p(1..2) } = 1. q(X) :- p(X), not r. :- q(1).")])
>>> for statement in outline(program).statements:
...     print(statement.kind, sorted(statement.heads), sorted(statement.body))
choice [('p', 1)] []
definition [('q', 1)] [('p', 1), ('r', 0)]
constraint [] [('q', 1)]
"""

from __future__ import annotations

from collections.abc import Iterable

from clingo import ast
from clingo.ast import AST, ASTType

from bridge.asp.reading.outline import Kind, Outline, Signature, Statement
from bridge.asp.reading.parsed import Parsed
from bridge.asp.reading.source import includes_incmode
from bridge.asp.reading.trees import (
    alternatives,
    is_aggregate,
    is_atom,
    is_choice,
    is_constraint,
    names_in,
    parameters_of,
    pooled,
    variables_of,
)
from bridge.errors import Place


def outline(sources: Iterable[Parsed]) -> Outline:
    """What files and texts consist of, together with the files that they include."""
    readers = [source.computed(_Reader) for source in sources]
    shown = [reader.shown for reader in readers if reader.shown is not None]
    return Outline(
        tuple(statement for reader in readers for statement in reader.statements),
        tuple(reader.facts for reader in readers if reader.facts),
        frozenset[Signature]().union(*shown) if shown else None,
        tuple(cost for reader in readers for cost in reader.costs),
        any(reader.terms for reader in readers),
        any(reader.incremental for reader in readers),
        tuple(dict.fromkeys(name for reader in readers for name in reader.constants)),
        any(reader.scripts for reader in readers),
        tuple(statement for reader in readers for statement in reader.externals),
        tuple(place for reader in readers for place in reader.edges),
    )


class _Reader:
    """Collects the statements of one source."""

    def __init__(self, source: Parsed) -> None:
        self.statements: list[Statement] = []
        self.shown: set[Signature] | None = None
        self.costs: list[tuple[str, str, str]] = []
        self.constants: list[str] = []
        self.externals: list[Statement] = []
        self.edges: list[Place] = []
        self.terms = self.scripts = False
        self.facts = source.facts
        self.incremental = includes_incmode(source.text, source.file)
        self._source = source
        self._parameters: tuple[str, ...] = ()  # of the part to which the next rules belong
        for node in source.nodes:
            self.take(node)

    def take(self, node: AST) -> None:
        kind = node.ast_type
        if kind is ASTType.Rule:
            self.statements.append(self.statement(node))
        elif kind is ASTType.Program:
            self._parameters = parameters_of(node)
        elif kind is ASTType.Minimize:
            terms = f"{node.weight}, ({','.join(map(str, node.terms))}{',' if len(node.terms) == 1 else ''})"
            self.costs.append((str(node.priority), terms, "; ".join(map(str, node.body))))
        elif kind is ASTType.ShowSignature:
            shown = {(f"{'' if node.positive else '-'}{node.name}", int(node.arity))} if node.name else set()
            self.shown = (self.shown or set()) | shown
        elif kind is ASTType.ShowTerm:
            self.terms = True
        elif kind is ASTType.External:
            place, name = self._source.place_and_name(node)
            text, none = self._source.source.of(node), frozenset[Signature]()
            atoms, used = frozenset(predicates_in([node.atom])), frozenset(predicates_in(node.body))
            self.externals.append(Statement("external", place, text, name, atoms, used, none))
        elif kind is ASTType.Edge:
            self.edges.append(self._source.place_and_name(node)[0])
        elif kind is ASTType.Definition:
            self.constants.append(node.name)
        elif kind is ASTType.Script:
            self.scripts = True

    def statement(self, node: AST) -> Statement:
        place, name = self._source.place_and_name(node)
        text = self._source.source.of(node)
        if (fact := _plain_fact(node)) is not None:
            nothing: frozenset[Signature] = frozenset()
            return Statement("fact", place, text, name, frozenset((fact,)), nothing, nothing)
        heads, body, assigned, negative = (set[Signature]() for _ in range(4))
        for part in [node.head] if is_constraint(node) else _visit_head(node.head, heads):
            _collect(part, body)
        conditional = node.head.ast_type is ASTType.Disjunction and bool(body)
        if conditional:
            # `a : b` in a head goes against what b depends on, and forbids the body where b cannot hold.
            negative |= heads | body
        for literal in node.body:
            used = set[Signature]()
            _collect(literal, used)
            body |= used
            if _assigns(literal):
                assigned |= used
            if not is_atom(literal):
                negative |= used
        return Statement(
            _kind(node),
            place,
            text,
            name,
            frozenset(heads),
            frozenset(body),
            frozenset(assigned),
            frozenset(negative),
            (*variables_of(node), *self._parameters),
            _values(node),
            conditional,
        )


def _plain_fact(rule: AST) -> Signature | None:
    """The predicate of a fact without pools; None for any other rule."""
    head = rule.head
    if rule.body or not is_atom(head) or head.atom.symbol.ast_type is not ASTType.Function:
        return None
    return head.atom.symbol.name, len(head.atom.symbol.arguments)


#: Where the literals of a node are, by its type.
_INSIDE = {
    ASTType.Literal: ("atom",),
    ASTType.ConditionalLiteral: ("literal", "condition"),
    ASTType.Aggregate: ("elements",),
    ASTType.BodyAggregate: ("elements",),
    ASTType.BodyAggregateElement: ("condition",),
    ASTType.HeadAggregate: ("elements",),
    ASTType.HeadAggregateElement: ("condition",),
    ASTType.Disjunction: ("elements",),
    ASTType.TheoryAtom: ("elements",),
    ASTType.TheoryAtomElement: ("condition",),
}


def predicates_in(nodes: Iterable[AST]) -> set[Signature]:
    """The predicates of the atoms in some literals, or in other parts of rules."""
    found = set[Signature]()
    for node in nodes:
        _collect(node, found)
    return found


def aggregated(source: Parsed) -> set[Signature]:
    """The predicates in aggregates of the bodies of rules that derive something."""
    rules = (one for one in source.nodes if one.ast_type is ASTType.Rule and not is_constraint(one))
    return predicates_in(literal for rule in rules for literal in rule.body if is_aggregate(literal))


def _collect(node: AST, found: set[Signature]) -> None:
    """Collect the predicates of the atoms in a literal, or in another part of a rule."""
    kind = node.ast_type
    if kind is ASTType.SymbolicAtom:
        found.update(pooled(node.symbol))
        return
    for key in _INSIDE.get(kind, ()):
        inner = getattr(node, key)
        if isinstance(inner, AST):
            _collect(inner, found)
        else:
            for one in inner:
                _collect(one, found)


def _visit_head(head: AST, found: set[Signature]) -> list[AST]:
    """Collect what a head defines, and give what it uses: conditions."""
    if head.ast_type is ASTType.TheoryAtom:
        return [condition for element in head.elements for condition in element.condition]
    literals = alternatives(head) or [(head, ())]
    for literal, _ in literals:
        _collect(literal, found)
    return [condition for _, conditions in literals for condition in conditions]


def _kind(rule: AST) -> Kind:
    kind = rule.head.ast_type
    if is_choice(rule):
        return "choice"
    if kind is ASTType.Disjunction:
        return "disjunction"
    if kind is ASTType.TheoryAtom:
        return "theory"
    if is_constraint(rule):
        return "constraint"
    return "definition" if rule.body else "fact"


def _assigns(literal: AST) -> bool:
    if not is_aggregate(literal) or literal.sign != ast.Sign.NoSign or (guard := literal.atom.left_guard) is None:
        return False
    return bool(guard.comparison == ast.ComparisonOperator.Equal and guard.term.ast_type is ASTType.Variable)


def _values(rule: AST) -> tuple[int, ...]:
    """The positions of the arguments that a choice of exactly one atom chooses; none for other rules."""
    head = rule.head
    if head.ast_type is not ASTType.Aggregate or len(head.elements) != 1 or not _exactly_one(head):
        return ()
    literal = head.elements[0].literal
    if not is_atom(literal):
        return ()
    symbol, bound = literal.atom.symbol, set(variables_of(rule))
    if symbol.ast_type is not ASTType.Function:
        return ()
    free = [number for number, term in enumerate(symbol.arguments) if not names_in([term]) <= bound]
    others = [term for number, term in enumerate(symbol.arguments) if number not in free]
    all_named = all(term.ast_type is ASTType.Variable for term in others) and bound <= names_in(others)
    return tuple(free) if all_named else ()


def _exactly_one(aggregate: AST) -> bool:
    """`{ ... } = 1` and `1 { ... } 1`."""
    left, right = aggregate.left_guard, aggregate.right_guard
    guards = [guard for guard in (left, right) if guard is not None]
    if not guards or any(str(guard.term) != "1" for guard in guards):
        return False
    operators = {guard.comparison for guard in guards}
    equal, at_most = ast.ComparisonOperator.Equal, ast.ComparisonOperator.LessEqual
    return equal in operators if len(guards) == 1 else operators == {at_most}
