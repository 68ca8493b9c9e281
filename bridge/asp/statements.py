"""The statements of a clingo program: kind, place, text, name, and the predicates that they define and use.

    >>> for statement in statements([("text", "{ p(1..2) } = 1. q(X) :- p(X), not r. :- q(1).")]):
    ...     print(statement.kind, statement.heads, sorted(statement.body))
    choice {('p', 1)} []
    definition {('q', 1)} [('p', 1), ('r', 0)]
    constraint set() [('q', 1)]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from clingo import ast
from clingo.ast import AST, ASTType

from bridge.asp import _cffi
from bridge.asp.messages import Messages
from bridge.asp.names import RuleName, read_names
from bridge.asp.switches import is_constraint, place_of
from bridge.asp.types import Source
from bridge.errors import Place

Kind = Literal["fact", "definition", "choice", "disjunction", "constraint", "theory"]
#: A predicate and its arity; the name has a minus sign where it is classically negated.
Signature = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Statement:
    """A fact or rule of a program.

    Attributes
    ----------
    kind
        `choice` has a choice in its head, `disjunction` several alternatives, `theory` a theory atom.
    place, end_line
        Where it begins, and the line in which it ends.
    text
        As it stands in the program.
    name
        What a comment says of it.
    heads, body
        The predicates that it defines, and those that it uses, in conditions and aggregates, too.
    assigns
        The predicates inside aggregates whose value is assigned to a variable: `N = #sum { X : p(X) }`.
    """

    kind: Kind
    place: Place
    end_line: int
    text: str
    name: RuleName | None
    heads: frozenset[Signature]
    body: frozenset[Signature]
    assigns: frozenset[Signature]

    @property
    def key(self) -> str:
        """What its switch is called: the name, its variables in braces, or its place."""
        if self.name is not None and self.name.use == "named":
            return self.name.pattern
        return str(self.place)


def statements(sources: Iterable[Source]) -> list[Statement]:
    """The facts and rules of files and texts, those of included files, too.

    Raises
    ------
    ProgramError
        With place and line, when clingo cannot read one, or a name in a comment is wrong.
    """
    found: list[Statement] = []
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
        found += [statement for node in reader.rules if (statement := reader.statement(node)) is not None]
    return found


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
        self.rules: list[AST] = []
        self._text = SourceText(text)
        self._names = cache(lambda file: read_names("\n".join(self._text.lines(file)), file))

    def take(self, node: AST) -> None:
        if node.ast_type is ASTType.Rule:
            self.rules.append(node)

    def statement(self, node: AST) -> Statement:
        place = place_of(node)
        head, body, assigned = _Predicates(), _Predicates(), _Predicates()
        head_body = _visit_head(node.head, head)
        body.visit_all([*head_body, *node.body])
        for literal in node.body:
            if _assigns(literal):
                assigned.visit(literal)
        return Statement(
            _kind(node),
            place,
            node.location.end.line,
            self._text.of(node),
            self._names(place.file or "").get(place.line or 0),
            frozenset(head.found),
            frozenset(body.found),
            frozenset(assigned.found),
        )


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
