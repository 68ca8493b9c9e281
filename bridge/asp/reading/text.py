"""A clingo program as text: its statements, and the bytes of each.

A change replaces some bytes of one statement; all else stays as its author wrote it, line numbers included.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from os import PathLike
from pathlib import Path
from typing import Literal, cast

from clingo import ast
from clingo.ast import AST, ASTType

from bridge.asp import internals
from bridge.asp.reading.messages import Messages
from bridge.asp.reading.source import read_file
from bridge.common.files import AS_LATIN_1, read_source
from bridge.common.lazy import regex
from bridge.errors import InputError, Place

Kind = Literal[
    "rule", "literal", "negation", "operator", "bound", "variable", "term", "swap", "predicate", "guard",
    "choice", "aggregate", "variant", "definition", "base", "objective", "dot", "clause", "table", "syntax",
    "rewriting",
]  # fmt: skip

#: Bytes, from the first to the one behind the last.
Span = tuple[int, int]

_NEGATION = regex(rb"\bnot(\s+not)?\s*\Z")

_TOKEN = regex(rb'"(?:[^"\\\n]|\\.)*"|%\*.*?\*%|%[^\n]*|\s+|\.\.|\w+|.', re.DOTALL)

_INCLUDE = regex(r'^(\s*#include\s*)"((?:[^"\\\n]|\\.)*)"', re.MULTILINE)
_ANY_INCLUDE = regex(r'#include\s*(?:<[^>]*>|"(?:[^"\\\n]|\\.)*")')


@dataclass(frozen=True, slots=True)
class Change:
    """Bytes of a text that are replaced."""

    operator: str  #: What sort of change it is: its kind, and what follows after a colon.
    begin: int  #: The bytes from `begin` to `end` become `by`.
    end: int
    by: str
    cost: float = 1.0  #: How unlikely it is: 1 for a slip of the pen, 2 and more for a literal or a rule that is new.

    @property
    def kind(self) -> Kind:
        return cast("Kind", self.operator.partition(":")[0])


class Text:
    """A program as text, and its statements; a ProgramError, with place and line, when clingo cannot read it.

    The `file` that it is read from is its name in errors, and the folder of what it includes.
    """

    def __init__(self, text: str, file: str | None = None) -> None:
        self.file = file
        try:
            self.data = _with_absolute_includes(text, file).encode()
        except UnicodeEncodeError:
            raise InputError("the text is not valid Unicode", hint="it holds half of a surrogate pair") from None

    @cached_property
    def _lines(self) -> list[int]:
        """The byte at which each line begins."""
        return [0, *accumulate(len(line) + 1 for line in self.data.split(b"\n"))]

    @property
    def statements(self) -> list[AST]:
        """The statements, without those of included files."""
        return self._read[0]

    @cached_property
    def keys(self) -> list[tuple[str, str]]:
        """What each statement says: the `#program` that it stands under, and its text."""
        statements, parts = self._read
        # The bytes of a Minimize are those of an element, whether it is minimized or maximized.
        texts = (str(one) if one.ast_type is ASTType.Minimize else self.of(one) for one in statements)
        return [*zip(parts, texts, strict=True)]

    def parts_of(self, statements: Iterable[AST]) -> set[str]:
        """The `#program`s that some of its statements stand under."""
        parts = {id(one): part for one, (part, _) in zip(self.statements, self.keys, strict=True)}
        return {parts[id(one)] for one in statements}

    @cached_property
    def directives(self) -> list[str]:
        return sorted(_ANY_INCLUDE.findall(self.data.decode()))

    @cached_property
    def _read(self) -> tuple[list[AST], list[str]]:
        """The statements, and the `#program` of each."""
        found: list[AST] = []
        parts: list[str] = []
        messages = Messages()
        text, part = self.data.decode(), ""

        def take(node: AST) -> None:
            nonlocal part
            if node.ast_type is ASTType.Program:
                part = str(node)
            elif node.ast_type is not ASTType.Comment and node.location.begin.filename == "<string>":
                found.append(node)
                parts.append(part)

        try:
            with internals.logging():
                ast.parse_string(text, take, logger=messages.log)
        except RuntimeError as error:
            wrong = messages.error(str(error), text)
            if self.file is not None and wrong.where is not None:
                wrong.where = Place(self.file, wrong.where.line, wrong.where.column)
            raise wrong from None
        return found, parts

    @cached_property
    def included(self) -> list[Text]:
        """The texts of the files that it includes, and that these include; those that cannot be read are left out."""
        found: dict[str, Text] = {}
        waiting = [self]
        while waiting:
            for _, path in _INCLUDE.findall(waiting.pop().data.decode()):
                if path not in found and Path(path).is_file():
                    found[path] = Text(read_file(path), path)
                    waiting.append(found[path])
        return [*found.values()]

    @cached_property
    def words(self) -> frozenset[str]:
        """The names in it, and in what it includes."""
        return frozenset(word for one in (self, *self.included) for word in re.findall(r"\w+", one.data.decode()))

    def place(self, node: AST) -> Place:
        """Where a node begins, its column counted in characters."""
        begin = node.location.begin
        before = self.data[self._lines[begin.line - 1] : self.offset(begin.line, begin.column)]
        return Place(self.file or "<string>", begin.line, len(before.decode()) + 1)

    def offset(self, line: int, column: int) -> int:
        """The byte at a line and a column, both from 1; clingo counts columns in bytes."""
        return self._lines[line - 1] + column - 1

    def span(self, node: AST) -> tuple[int, int]:
        location = node.location  # clingo makes it anew each time
        begin, end = location.begin, location.end
        first, last = self.offset(begin.line, begin.column), self.offset(end.line, end.column)
        if node.ast_type is ASTType.Minimize:  # its elements only; the rest belongs to all of them
            return first, last
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

    def without(self, spans: Iterable[tuple[int, int]]) -> str:
        """The text without some of its bytes."""
        data = self.data
        for begin, end in sorted(spans, reverse=True):
            data = data[:begin] + data[end:]
        return data.decode()

    def of(self, node: AST) -> str:
        begin, end = self.span(node)
        return self.data[begin:end].decode("utf-8", AS_LATIN_1)

    def changed(self, change: Change, statement: AST) -> tuple[str, str]:
        """The whole text with a change of a statement, on the same lines as before, and the statement alone."""
        begin, end, after = self._changed(change, statement)
        missing = self.data[begin:end].count(b"\n") - after.count(b"\n")
        whole = self.data[:begin] + after + b"\n" * missing + self.data[end:]
        return whole.decode(), after.decode().strip()

    def after(self, change: Change, statement: AST) -> str:
        """A statement alone, after a change of it."""
        return self._changed(change, statement)[2].decode().strip()

    def _changed(self, change: Change, statement: AST) -> tuple[int, int, bytes]:
        begin, end = self.span(statement)
        begin, end = min(begin, change.begin), max(end, change.end)
        return begin, end, self.data[begin : change.begin] + change.by.encode() + self.data[change.end : end]


def texts_of(sources: Iterable[str | PathLike[str]]) -> list[Text]:
    """The texts of files, and of programs that are given as text."""
    return [Text(text, file) for file, text in map(read_source, sources)]


def differing(one: Text, other: Text) -> list[AST]:
    """The statements of a text that another one has not, or not in the same part."""
    left = Counter(other.keys)
    found = []
    for statement, own in zip(one.statements, one.keys, strict=True):
        if left[own]:
            left[own] -= 1
        else:
            found.append(statement)
    return found


def with_own_includes(changed: str, own: str) -> str:
    """The text of a change, with what it includes named as the author named it (see `Text`)."""
    lines = (found[0] for found in _INCLUDE.finditer(own))
    return _INCLUDE.sub(lambda found: next(lines, found[0]), changed)


def diff_of(before: str, after: str) -> str:
    """The lines in which two texts differ, as a unified diff without context."""
    from difflib import unified_diff  # here: it takes a millisecond

    lines = list(unified_diff(before.split("\n"), after.split("\n"), n=0, lineterm=""))[2:]
    return "\n".join(line for line in lines if not line.startswith("@@"))


def _with_absolute_includes(text: str, file: str | None) -> str:
    """The text with absolute paths of what it includes: a text has no folder."""
    if file is None:
        return text
    folder = Path(file).resolve().parent

    def absolute(found: re.Match[str]) -> str:
        path = folder / found[2]
        return f'{found[1]}"{path}"' if path.exists() else found[0]

    return _INCLUDE.sub(absolute, text)
