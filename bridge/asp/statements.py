"""The statements of a clingo program: kind, place, text, name, and the predicates that they define and use.

    >>> for statement in outline([("text", "{ p(1..2) } = 1. q(X) :- p(X), not r. :- q(1).")]).statements:
    ...     print(statement.kind, statement.heads, sorted(statement.body))
    choice {('p', 1)} []
    definition {('q', 1)} [('p', 1), ('r', 0)]
    constraint set() [('q', 1)]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from clingo import ast
from clingo.ast import AST, ASTType

from bridge.asp import _cffi
from bridge.asp.messages import Messages
from bridge.asp.names import read_names
from bridge.asp.outline import Kind, Outline, Signature, Statement
from bridge.asp.switches import is_constraint, names_in, parameters_of, place_of, variables_of
from bridge.asp.types import Source


def outline(sources: Iterable[Source]) -> Outline:
    """What files and texts consist of, together with the files that they include.

    Raises
    ------
    ProgramError
        With place and line, when clingo cannot read one, or a name in a comment is wrong.
    """
    found: list[Statement] = []
    shown: set[Signature] | None = None
    costs: list[tuple[str, str, str]] = []
    terms, constants = False, dict[str, None]()
    for kind, source in sources:
        reader = _Reader(source if kind == "text" else None)
        messages = Messages()
        try:
            with _cffi.logging():
                if kind == "file":
                    ast.parse_files([source], reader.take, logger=messages.log)
                else:
                    ast.parse_string(source, reader.take, logger=messages.log)
        except RuntimeError as error:
            raise messages.error(str(error), source if kind == "text" else None) from None
        found += [reader.statement(*rule) for rule in reader.rules]
        costs += reader.costs
        terms |= reader.terms
        constants.update(reader.constants)
        if reader.shown is not None:
            shown = (shown or set()) | reader.shown
    signatures = None if shown is None else frozenset(shown)
    return Outline(tuple(found), signatures, tuple(costs), terms, constants=tuple(constants))


class SourceText:
    """The text of nodes, as it stands in their files.

    Parameters
    ----------
    text
        The program, where it came from no file.
    """

    def __init__(self, text: str | None) -> None:
        self._text = text
        self.lines = cache(self._read_lines)

    def _read_lines(self, file: str) -> list[str]:
        text = self._text if file == "<string>" else Path(file).read_text(encoding="utf-8", errors="replace")
        return (text or "").split("\n")

    def of(self, node: AST) -> str:
        """The text of a node. clingo counts columns in bytes."""
        begin, end = node.location.begin, node.location.end
        lines = [line.encode() for line in self.lines(begin.filename)[begin.line - 1 : end.line]]
        if not lines:
            return str(node)
        lines[-1] = lines[-1][: end.column - 1]
        lines[0] = lines[0][begin.column - 1 :]
        return " ".join(line.decode(errors="replace").strip() for line in lines)


class _Reader:
    """Collects the rules of one source."""

    def __init__(self, text: str | None) -> None:
        self.rules: list[tuple[AST, tuple[str, ...]]] = []
        self._parameters: tuple[str, ...] = ()
        self.shown: set[Signature] | None = None
        self.costs: list[tuple[str, str, str]] = []
        self.terms = False
        self.constants: dict[str, None] = {}
        self._text = SourceText(text)
        self._names = cache(lambda file: read_names("\n".join(self._text.lines(file)), file))

    def take(self, node: AST) -> None:
        kind = node.ast_type
        if kind is ASTType.Rule:
            self.rules.append((node, self._parameters))
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
        elif kind is ASTType.Definition:
            self.constants[node.name] = None

    def statement(self, node: AST, parameters: tuple[str, ...]) -> Statement:
        place = place_of(node)
        if (fact := _plain_fact(node)) is not None:  # there may be very many
            name = self._names(place.file or "").get(place.line or 0)
            nothing: frozenset[Signature] = frozenset()
            heads = frozenset((fact,))
            return Statement("fact", place, node.location.end.line, self._text.of(node), name, heads, nothing, nothing)
        head, body, assigned, negative = _Predicates(), _Predicates(), _Predicates(), _Predicates()
        head_body = [node.head] if is_constraint(node) else _visit_head(node.head, head)
        body.visit_all([*head_body, *node.body])
        for literal in node.body:
            if _assigns(literal):
                assigned.visit(literal)
            if not _is_positive(literal):
                negative.visit(literal)
        return Statement(
            _kind(node),
            place,
            node.location.end.line,
            self._text.of(node),
            self._names(place.file or "").get(place.line or 0),
            frozenset(head.found),
            frozenset(body.found),
            frozenset(assigned.found),
            frozenset(negative.found),
            (*variables_of(node), *parameters),
            _value(node),
        )


def _plain_fact(rule: AST) -> Signature | None:
    """The predicate of a fact without pools; None for any other rule."""
    head = rule.head
    if rule.body or head.ast_type is not ASTType.Literal or head.sign != ast.Sign.NoSign:
        return None
    if head.atom.ast_type is not ASTType.SymbolicAtom or head.atom.symbol.ast_type is not ASTType.Function:
        return None
    return head.atom.symbol.name, len(head.atom.symbol.arguments)


class _Predicates(ast.Transformer):
    def __init__(self) -> None:
        self.found: set[Signature] = set()

    def visit_all(self, nodes: Sequence[AST]) -> None:
        for node in nodes:
            self.visit(node)

    def visit_SymbolicAtom(self, atom: AST) -> AST:
        symbol, sign = atom.symbol, ""
        while symbol.ast_type is ASTType.UnaryOperation:
            symbol, sign = symbol.argument, "-"
        if symbol.ast_type is ASTType.Pool:
            for one in symbol.arguments:
                self._add(one, sign)
        else:
            self._add(symbol, sign)
        return atom

    def _add(self, symbol: AST, sign: str) -> None:
        if symbol.ast_type is ASTType.Function:
            self.found.add((sign + symbol.name, len(symbol.arguments)))
        elif symbol.ast_type is ASTType.SymbolicTerm:
            self.found.add((sign + str(symbol.symbol), 0))


def _visit_head(head: AST, found: _Predicates) -> list[AST]:
    """Collect what a head defines, and give what it uses: conditions."""
    kind = head.ast_type
    if kind in (ASTType.Aggregate, ASTType.Disjunction):
        for element in head.elements:
            found.visit(element.literal)
        return [condition for element in head.elements for condition in element.condition]
    if kind is ASTType.HeadAggregate:
        for element in head.elements:
            found.visit(element.condition.literal)
        return [condition for element in head.elements for condition in element.condition.condition]
    if kind is ASTType.TheoryAtom:
        return [condition for element in head.elements for condition in element.condition]
    found.visit(head)
    return []


def _kind(rule: AST) -> Kind:
    kind = rule.head.ast_type
    if kind in (ASTType.Aggregate, ASTType.HeadAggregate):
        return "choice"
    if kind is ASTType.Disjunction:
        return "disjunction"
    if kind is ASTType.TheoryAtom:
        return "theory"
    if is_constraint(rule):
        return "constraint"
    return "definition" if rule.body else "fact"


def _is_positive(literal: AST) -> bool:
    """Whether a literal is an atom without `not`."""
    return (
        literal.ast_type is ASTType.Literal
        and literal.sign == ast.Sign.NoSign
        and literal.atom.ast_type is ASTType.SymbolicAtom
    )


def _assigns(literal: AST) -> bool:
    aggregates = (ASTType.BodyAggregate, ASTType.Aggregate)
    if literal.ast_type is not ASTType.Literal or literal.atom.ast_type not in aggregates:
        return False
    guard = literal.atom.left_guard
    return (
        literal.sign == ast.Sign.NoSign
        and guard is not None
        and guard.comparison == ast.ComparisonOperator.Equal
        and guard.term.ast_type is ASTType.Variable
    )


def _value(rule: AST) -> int | None:
    """The position of the one argument that a choice of exactly one atom chooses; None for other rules."""
    head = rule.head
    if head.ast_type is not ASTType.Aggregate or len(head.elements) != 1 or not _exactly_one(head):
        return None
    literal = head.elements[0].literal
    if literal.sign != ast.Sign.NoSign or literal.atom.ast_type is not ASTType.SymbolicAtom:
        return None
    symbol, bound = literal.atom.symbol, set(variables_of(rule))
    if symbol.ast_type is not ASTType.Function:
        return None
    free = [number for number, term in enumerate(symbol.arguments) if not names_in([term]) <= bound]
    others = [term for number, term in enumerate(symbol.arguments) if number not in free]
    all_told = all(term.ast_type is ASTType.Variable for term in others) and bound <= names_in(others)
    return free[0] if len(free) == 1 and all_told else None


def _exactly_one(aggregate: AST) -> bool:
    """`{ ... } = 1` and `1 { ... } 1`."""
    left, right = aggregate.left_guard, aggregate.right_guard
    guards = [guard for guard in (left, right) if guard is not None]
    if not guards or any(str(guard.term) != "1" for guard in guards):
        return False
    operators = {guard.comparison for guard in guards}
    equal, at_most = ast.ComparisonOperator.Equal, ast.ComparisonOperator.LessEqual
    return equal in operators if len(guards) == 1 else operators == {at_most}
