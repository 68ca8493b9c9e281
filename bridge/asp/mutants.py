"""Mutants of a clingo program: the program with one small change, as a person might get it wrong.

    >>> for mutant in mutants(":- queen(R, C), queen(R, C'), C < C'.\\n"):
    ...     print(mutant.kind, mutant.after or "(left out)")
    rule (left out)
    literal :- queen(R, C'), C < C'.
    literal :- queen(R, C), C < C'.
    literal :- queen(R, C), queen(R, C').
    operator :- queen(R, C), queen(R, C'), C <= C'.

A change is one of these, made on the syntax tree and written into the text, so that all else stays as it is, line
numbers included:

- `rule`: a rule or a fact is left out.
- `literal`: a literal of a body or of a condition is dropped.
- `negation`: `not` is dropped.
- `operator`: `<` and `<=`, `>` and `>=`, `=` and `!=` are exchanged.
- `bound`: a bound of a choice or an aggregate, or the end of an interval, is one more or one less.

Some mutants are not programs (a variable is unsafe): that shows when they are loaded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Literal

from clingo import ast
from clingo.ast import AST, ASTType

from bridge.asp import _cffi
from bridge.asp.messages import Messages
from bridge.asp.switches import is_constraint
from bridge.common.languages import is_path
from bridge.errors import Place

Kind = Literal["rule", "literal", "negation", "operator", "bound"]

_OTHER = {
    ast.ComparisonOperator.LessThan: "<=",
    ast.ComparisonOperator.LessEqual: "<",
    ast.ComparisonOperator.GreaterThan: ">=",
    ast.ComparisonOperator.GreaterEqual: ">",
    ast.ComparisonOperator.Equal: "!=",
    ast.ComparisonOperator.NotEqual: "=",
}

_NEGATION = re.compile(rb"\bnot(\s+not)?\s*\Z")

_TOKEN = re.compile(rb'"(?:[^"\\\n]|\\.)*"|%\*.*?\*%|%[^\n]*|\s+|\.\.|\w+|.', re.DOTALL)

_INCLUDE = re.compile(r'^(\s*#include\s*)"((?:[^"\\\n]|\\.)*)"', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Mutant:
    """A program with one change.

    Attributes
    ----------
    kind
        What was changed.
    place
        Where the changed statement begins.
    before, after
        The statement, as it was and as it is; `after` is empty where it was left out.
    text
        The whole program.
    """

    kind: Kind
    place: Place
    before: str
    after: str
    text: str

    @property
    def diff(self) -> str:
        """The change as a diff, with file and line."""
        removed = "".join(f"-{line}\n" for line in self.before.split("\n"))
        added = "".join(f"+{line}\n" for line in self.after.split("\n")) if self.after else ""
        return f"{self.place.file}:{self.place.line}\n{removed}{added}".rstrip("\n")

    def to_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "file": self.place.file,
            "line": self.place.line,
            "column": self.place.column,
            "before": self.before,
            "after": self.after,
        }


@dataclass(frozen=True, slots=True)
class _Change:
    """Bytes of a source that are replaced."""

    kind: Kind
    begin: int
    end: int
    by: str


def mutants(source: str | PathLike[str]) -> Iterator[Mutant]:
    """All mutants of a file or of program text, each text once, in the order of the statements.

    What it includes stays as it is.

    Raises
    ------
    ProgramError
        With place and line, when clingo cannot read it.
    """
    given = fspath(source)
    file = given if is_path(source) else None
    text = Path(given).read_text(encoding="utf-8") if file is not None else given
    seen = {text}
    whole = _Source(text)
    name = file if file is not None else "<string>"
    for statement in _statements(given, file):
        begin, end = whole.span(statement)
        before = whole.data[begin:end].decode()
        place = Place(name, statement.location.begin.line, statement.location.begin.column)
        for change in _changes(statement, whole):
            after = whole.data[begin : change.begin] + change.by.encode() + whole.data[change.end : end]
            # Line numbers stay as they are.
            missing = before.count("\n") - after.count(b"\n")
            changed = (whole.data[:begin] + after + b"\n" * missing + whole.data[end:]).decode()
            if changed in seen:
                continue
            seen.add(changed)
            yield Mutant(change.kind, place, before, after.decode().strip(), _with_places(changed, file))


def _with_places(text: str, file: str | None) -> str:
    """The text with absolute paths of what it includes: a text has no folder."""
    if file is None:
        return text
    folder = Path(file).resolve().parent

    def absolute(found: re.Match[str]) -> str:
        path = folder / found[2]
        return f'{found[1]}"{path}"' if path.exists() else found[0]

    return _INCLUDE.sub(absolute, text)


def _statements(given: str, file: str | None) -> list[AST]:
    found: list[AST] = []
    messages = Messages()

    def take(node: AST) -> None:
        if node.ast_type is ASTType.Rule and (file is None or _same(node.location.begin.filename, file)):
            found.append(node)

    try:
        with _cffi.logging():
            if file is None:
                ast.parse_string(given, take, logger=messages.log)
            else:
                ast.parse_files([file], take, logger=messages.log)
    except RuntimeError as error:
        raise messages.error(str(error), given if file is None else None) from None
    return found


def _same(one: str, other: str) -> bool:
    return Path(one).resolve() == Path(other).resolve()


class _Source:
    """A text in bytes: clingo counts columns in them."""

    def __init__(self, text: str) -> None:
        self.data = text.encode()
        self._lines = [0]
        for line in self.data.split(b"\n"):
            self._lines.append(self._lines[-1] + len(line) + 1)

    def span(self, node: AST) -> tuple[int, int]:
        begin, end = node.location.begin, node.location.end
        first, last = self._lines[begin.line - 1] + begin.column - 1, self._lines[end.line - 1] + end.column - 1
        if last < first:  # clingo's end of an aggregate that is negated is the end of the first `not`
            negation = _NEGATION.search(self.data, 0, first)
            return first if negation is None else negation.start(), self._end(first)
        return first, last

    def _end(self, begin: int) -> int:
        """The end of the literal that begins there."""
        depth, end = 0, begin
        for token in _TOKEN.finditer(self.data, begin):
            text = token[0]
            if text in (b",", b";", b".") and depth == 0:
                break
            depth += (text in (b"(", b"{")) - (text in (b")", b"}"))
            end = end if text.isspace() or text.startswith(b"%") else token.end()
        return end

    def of(self, node: AST) -> str:
        begin, end = self.span(node)
        return self.data[begin:end].decode()


def _changes(statement: AST, source: _Source) -> Iterator[_Change]:
    begin, end = source.span(statement)
    yield _Change("rule", begin, end, "")
    yield from _dropped(statement, source)
    for node in _nodes(statement):
        kind = node.ast_type
        if kind is ASTType.Literal:
            at, until = source.span(node)
            if (negated := re.match(rb"not\b\s*", source.data[at:until])) is not None:
                yield _Change("negation", at, at + negated.end(), "")
            if node.atom.ast_type is ASTType.Comparison:
                yield from _operators(node.atom, source)
        elif kind in (ASTType.Aggregate, ASTType.BodyAggregate, ASTType.HeadAggregate):
            for guard in (node.left_guard, node.right_guard):
                if guard is not None:
                    yield from _bounds(guard.term, source)
        elif kind is ASTType.Interval:
            yield from _bounds(node.right, source)


def _dropped(statement: AST, source: _Source) -> Iterator[_Change]:
    """Literals of the body, and of conditions, left out one by one."""
    body = list(statement.body)
    yield from _each_dropped(body, source)
    if len(body) == 1 and not is_constraint(statement):
        yield _Change("literal", source.span(statement.head)[1], source.span(body[0])[1], "")
    for node in _nodes(statement):
        if node.ast_type is ASTType.ConditionalLiteral:
            conditions = list(node.condition)
            yield from _each_dropped(conditions, source)
            if len(conditions) == 1:
                yield _Change("literal", source.span(node.literal)[1], source.span(conditions[0])[1], "")


def _each_dropped(literals: Sequence[AST], source: _Source) -> Iterator[_Change]:
    """Each of several literals left out, with the separator that goes with it."""
    spans = [source.span(literal) for literal in literals]
    if len(spans) > 1 and all(one[1] <= other[0] for one, other in pairwise(spans)):
        for number, (begin, end) in enumerate(spans):
            if number + 1 < len(spans):
                yield _Change("literal", begin, spans[number + 1][0], "")
            else:
                yield _Change("literal", spans[number - 1][1], end, "")


def _operators(comparison: AST, source: _Source) -> Iterator[_Change]:
    left = comparison.term
    for guard in comparison.guards:
        begin, end = source.span(left)[1], source.span(guard.term)[0]
        if (operator := re.compile(rb"[<>!=]=?").search(source.data, begin, end)) is not None:
            yield _Change("operator", *operator.span(), _OTHER[guard.comparison])
        left = guard.term


def _bounds(term: AST, source: _Source) -> Iterator[_Change]:
    begin, end = source.span(term)
    text = source.of(term)
    for step in (1, -1):
        if text.isdecimal():
            if int(text) + step >= 0:
                yield _Change("bound", begin, end, str(int(text) + step))
        else:
            simple = re.fullmatch(r"\w+'*|\(.*\)", text) is not None
            yield _Change("bound", begin, end, f"{text if simple else f'({text})'}{step:+}")


def _nodes(node: Any) -> Iterator[AST]:
    """A node of the syntax tree and all that are in it."""
    yield node
    for key in node.child_keys:
        child = getattr(node, key)
        if child is None:
            continue
        for one in child if isinstance(child, Sequence) or not isinstance(child, AST) else (child,):
            yield from _nodes(one)
