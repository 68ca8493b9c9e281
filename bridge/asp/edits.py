"""Small changes of a clingo program, as people get programs wrong, and as they put them right.

A change replaces some bytes of one statement; all else stays as its author wrote it, line numbers included:

    >>> program = Text(":- queen(R, C), queen(R, C'), C < C'.")
    >>> [change.kind for change in simple(program.statements[0], program)]
    ['rule', 'literal', 'literal', 'literal', 'operator']

`simple` are the changes of which `bridge.debugging.mutants` makes mutants. `changes` are all that `bridge.debugging`
tries in order to put a wrong program right; each has a cost, by which the more likely ones come first. The operators
are those of the literature: mutation of answer set programs (Oetsch et al., On the Small-Scope Hypothesis for Testing
Answer-Set Programs, KR 2012), and repair of students' programs (Brancas, Manquinho, Martins, arXiv 2410.20962).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate, combinations, islice, pairwise, permutations, product
from pathlib import Path
from typing import Any, Literal

from clingo import SymbolType, ast
from clingo.ast import AST, ASTType

from bridge.asp import _cffi
from bridge.asp.messages import Messages
from bridge.asp.outline import Signature
from bridge.asp.source import text_of
from bridge.asp.trees import alternatives, is_atom, is_constraint, nodes
from bridge.common.files import AS_LATIN_1
from bridge.common.lazy import regex
from bridge.errors import InputError, Place

Kind = Literal[
    "rule", "literal", "negation", "operator", "bound", "variable", "term", "argument", "swap", "predicate", "guard",
    "choice", "aggregate", "variant", "definition", "base", "objective", "dot", "syntax", "rewriting",
]  # fmt: skip

COMPARISONS = {
    ast.ComparisonOperator.LessThan: "<",
    ast.ComparisonOperator.LessEqual: "<=",
    ast.ComparisonOperator.GreaterThan: ">",
    ast.ComparisonOperator.GreaterEqual: ">=",
    ast.ComparisonOperator.Equal: "=",
    ast.ComparisonOperator.NotEqual: "!=",
}
#: What people confuse an operator with first.
_OTHER = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "=": "!=", "!=": "="}

_NEGATION = regex(rb"\bnot(\s+not)?\s*\Z")

_TOKEN = regex(rb'"(?:[^"\\\n]|\\.)*"|%\*.*?\*%|%[^\n]*|\s+|\.\.|\w+|.', re.DOTALL)

#: Literals that are added to a rule, at most, for each sort of them.
_ADDED = 60

_INCLUDE = regex(r'^(\s*#include\s*)"((?:[^"\\\n]|\\.)*)"', re.MULTILINE)
_ANY_INCLUDE = regex(r'#include\s*(?:<[^>]*>|"(?:[^"\\\n]|\\.)*")')

_AGGREGATES = (ASTType.Aggregate, ASTType.BodyAggregate, ASTType.HeadAggregate)
#: Literals and heads with variables of their own.
_WITH_LOCAL = (*_AGGREGATES, ASTType.ConditionalLiteral)


@dataclass(frozen=True, slots=True)
class Change:
    """Bytes of a text that are replaced."""

    kind: Kind  #: What sort of change it is.
    begin: int  #: The bytes from `begin` to `end` become `by`.
    end: int
    by: str
    cost: float = 1.0  #: How unlikely it is: 1 for a slip of the pen, 2 and more for a literal or a rule that is new.


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
        """Its `#include`s."""
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
            with _cffi.logging():
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
                    found[path] = Text(text_of(path), path)
                    waiting.append(found[path])
        return [*found.values()]

    @cached_property
    def words(self) -> frozenset[str]:
        """The names in it, and in what it includes."""
        return frozenset(word for one in (self, *self.included) for word in re.findall(r"\w+", one.data.decode()))

    def place(self, node: AST) -> Place:
        """Where a node begins."""
        begin = node.location.begin
        return Place(self.file or "<string>", begin.line, begin.column)

    def offset(self, line: int, column: int) -> int:
        """The byte at a line and a column, both from 1; clingo counts columns in bytes."""
        return self._lines[line - 1] + column - 1

    def span(self, node: AST) -> tuple[int, int]:
        """The bytes of a node."""
        begin, end = node.location.begin, node.location.end
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
        """The text of a node."""
        begin, end = self.span(node)
        return self.data[begin:end].decode("utf-8", AS_LATIN_1)

    def changed(self, change: Change, statement: AST) -> tuple[str, str]:
        """The whole text with a change of a statement, on the same lines as before, and the statement alone."""
        begin, end = self.span(statement)
        begin, end = min(begin, change.begin), max(end, change.end)
        after = self.data[begin : change.begin] + change.by.encode() + self.data[change.end : end]
        missing = self.data[begin:end].count(b"\n") - after.count(b"\n")
        whole = self.data[:begin] + after + b"\n" * missing + self.data[end:]
        return whole.decode(), after.decode().strip()


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


# The simple changes


def simple(statement: AST, text: Text) -> Iterator[Change]:
    """A statement left out; a literal or a `not` dropped; a comparison or a bound that is off by one."""
    begin, end = text.span(statement)
    yield Change("rule", begin, end, "", 2.0)
    yield from _dropped(statement, text)
    for node in nodes(statement):
        kind = node.ast_type
        if kind is ASTType.Literal:
            at, until = text.span(node)
            if (negated := re.match(rb"not\b\s*", text.data[at:until])) is not None:
                yield Change("negation", at, at + negated.end(), "")
            if node.atom.ast_type is ASTType.Comparison:
                yield from _operators(node.atom, text)
        elif kind in _AGGREGATES:
            for guard in (node.left_guard, node.right_guard):
                if guard is not None:
                    yield from _off_by_one(guard.term, text)
        elif kind is ASTType.Interval:
            yield from _off_by_one(node.right, text)


def _dropped(statement: AST, text: Text) -> Iterator[Change]:
    """Literals of the body, and of conditions, left out one by one."""
    body = list(statement.body)
    yield from _each_dropped(body, text)
    if len(body) == 1 and statement.ast_type is ASTType.Rule and not is_constraint(statement):
        yield Change("literal", text.span(statement.head)[1], text.span(body[0])[1], "")
    for node in nodes(statement):
        if node.ast_type is ASTType.ConditionalLiteral:
            conditions = list(node.condition)
            yield from _each_dropped(conditions, text)
            if len(conditions) == 1:
                yield Change("literal", text.span(node.literal)[1], text.span(conditions[0])[1], "")


def _each_dropped(literals: Sequence[AST], text: Text) -> Iterator[Change]:
    """Each of several literals left out, with the separator that goes with it."""
    spans = [text.span(literal) for literal in literals]
    if len(spans) > 1 and all(one[1] <= other[0] for one, other in pairwise(spans)):
        for number, (begin, end) in enumerate(spans):
            if number + 1 < len(spans):
                yield Change("literal", begin, spans[number + 1][0], "")
            else:
                yield Change("literal", spans[number - 1][1], end, "")


def _operators(comparison: AST, text: Text, all_of_them: bool = False) -> Iterator[Change]:
    left = comparison.term
    for guard in comparison.guards:
        begin, end = text.span(left)[1], text.span(guard.term)[0]
        if (operator := re.compile(rb"[<>!=]=?").search(text.data, begin, end)) is not None:
            now = COMPARISONS[guard.comparison]
            yield Change("operator", *operator.span(), _OTHER[now])
            if all_of_them:
                for other in ("=", "!=", "<", ">", "<=", ">="):
                    if other not in (now, _OTHER[now]):
                        yield Change("operator", *operator.span(), other, 1.3)
        left = guard.term


def _off_by_one(term: AST, text: Text) -> Iterator[Change]:
    begin, end = text.span(term)
    now = text.of(term)
    plain = now if re.fullmatch(r"\w+'*|\(.*\)", now) else f"({now})"
    for other in _near(now) if now.isdecimal() else (f"{plain}+1", f"{plain}-1"):
        yield Change("bound", begin, end, other)


def _near(number: str) -> list[str]:
    """The numbers next to one, none of them negative."""
    return [str(near) for near in (int(number) + 1, int(number) - 1) if near >= 0]


def constant_of(node: AST) -> str:
    """The name of a constant; empty of another node."""
    if node.ast_type is not ASTType.SymbolicTerm or node.symbol.type is not SymbolType.Function:
        return ""
    return "" if node.symbol.arguments or node.symbol.negative else str(node.symbol.name)


def variables(node: AST) -> Iterator[AST]:
    """The variables in a node, each as often as it stands there, but for anonymous ones."""
    return (one for one in nodes(node) if one.ast_type is ASTType.Variable and one.name != "_")


# What the names of a program stand for

#: A column of a predicate: name, arity, position from 0.
Column = tuple[str, int, int]


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
    rules: list[tuple[set[Signature], set[Signature]]] = field(default_factory=list)
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
        if statement.ast_type is ASTType.Rule:
            self.rules.append((head_signatures(statement), _needed(statement)))
        self.read |= body_signatures(statement) - head_signatures(statement)
        self.read |= {name for one in nodes(statement) if (name := constant_of(one))}
        heads = {key(atom.symbol) for atom in _head_atoms(statement)}
        for atom in atoms(statement):
            self._take_atom(text, number, signature_of(atom), _arguments(atom), key(atom.symbol) in heads)
        head = statement.head if statement.ast_type is ASTType.Rule else None
        derives = head is not None and head.ast_type is ASTType.Literal and head.atom.ast_type is ASTType.SymbolicAtom
        for node in nodes(statement):  # `day(mon; tue)`
            if node.ast_type is ASTType.SymbolicAtom and node.symbol.ast_type is ASTType.Pool:
                in_head = derives and node.symbol == statement.head.atom.symbol
                for one in node.symbol.arguments:
                    if one.ast_type is ASTType.Function:
                        pooled = one.name, len(one.arguments)
                        self._take_atom(text, number, pooled, one.arguments, in_head)
                        self.read |= set() if in_head else {pooled}
        for comparison in nodes(statement):
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
        while (above := self._sort.setdefault(one, one)) != one:
            one = above
        return one

    def _join(self, one: Any, other: Any) -> None:
        self._sort[self._find(one)] = self._find(other)

    def sort(self, column: Column) -> Any:
        """What columns have in common that rules join."""
        return self._find(column)

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
        return list(found)[:6]

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


def baseless(rules: Iterable[tuple[set[Signature], set[Signature]]], given: set[Signature]) -> list[Signature]:
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
        terms = (node for atom in _head_atoms(statement) for one in _arguments(atom) for node in nodes(one))
        return any(
            node.ast_type is ASTType.BinaryOperation or (node.ast_type is ASTType.Function and node.arguments)
            for node in terms
        )

    return {one.location.begin.line for heads, needed, one in rules if larger(one) and heads & below(needed)}


def key(node: AST) -> tuple[int, int, int, int]:
    """Where a node stands: clingo makes new objects for it each time it is looked at."""
    begin, end = node.location.begin, node.location.end
    return begin.line, begin.column, end.line, end.column


def atoms(statement: AST) -> Iterator[AST]:
    """The symbolic atoms of a statement, but for pools."""
    return (atom for atom in _symbolic_atoms(statement) if _function(atom) is not None)


def _function(atom: AST) -> AST | None:
    """The function of a symbolic atom, below a classical negation; None of a pool."""
    symbol = atom.symbol
    while symbol.ast_type is ASTType.UnaryOperation:
        symbol = symbol.argument
    return symbol if symbol.ast_type is ASTType.Function else None


def signature_of(atom: AST) -> Signature:
    """The predicate of a symbolic atom."""
    function = _function(atom)
    assert function is not None
    negative = atom.symbol.ast_type is ASTType.UnaryOperation
    return f"{'-' if negative else ''}{function.name}", len(function.arguments)


def _arguments(atom: AST) -> Sequence[AST]:
    function = _function(atom)
    return () if function is None else function.arguments


def _heads(statement: AST) -> list[AST]:
    """The literals that a statement derives or chooses."""
    if statement.ast_type is not ASTType.Rule:
        return []
    if statement.head.ast_type is ASTType.Literal:
        return [statement.head]
    return [literal for literal, _ in alternatives(statement.head)]


def _head_atoms(statement: AST) -> Iterator[AST]:
    return (atom for head in _heads(statement) for atom in atoms(head))


def signatures(tree: AST) -> set[Signature]:
    """The predicates of the atoms in a tree; a pool is several atoms."""
    return {signature for atom in _symbolic_atoms(tree) for signature in _pooled(atom.symbol)}


def _symbolic_atoms(tree: AST) -> Iterator[AST]:
    return (node for node in nodes(tree) if node.ast_type is ASTType.SymbolicAtom)


def _pooled(symbol: AST, sign: str = "") -> Iterator[Signature]:
    if symbol.ast_type is ASTType.UnaryOperation:
        yield from _pooled(symbol.argument, "" if sign else "-")
    elif symbol.ast_type is ASTType.Pool:
        for one in symbol.arguments:
            yield from _pooled(one, sign)
    elif symbol.ast_type is ASTType.Function:
        yield f"{sign}{symbol.name}", len(symbol.arguments)


def head_signatures(statement: AST) -> set[Signature]:
    """The predicates that a statement derives or chooses."""
    return set[Signature]().union(*map(signatures, _heads(statement)))


def body_signatures(statement: AST) -> set[Signature]:
    """The predicates that a statement uses."""
    derived = {key(atom.symbol) for head in _heads(statement) for atom in _symbolic_atoms(head)}
    used = (atom for atom in _symbolic_atoms(statement) if key(atom.symbol) not in derived)
    return set[Signature]().union(*map(signatures, used))


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
    return {signature_of(atom) for atom in atoms_ if _function(atom) is not None}


# All changes


def changes(statement: AST, text: Text, context: Context) -> Iterator[Change]:
    """All changes of a statement, in no particular order."""
    kind = statement.ast_type
    yield from _dots(statement, text)
    if kind is ASTType.Rule:
        yield from simple(statement, text)
        yield from _Changes(statement, text, context).of_rule()
    elif kind is ASTType.Minimize:
        yield from _dropped(statement, text)
        yield from _Changes(statement, text, context).of_minimize()
    elif kind is ASTType.Definition:
        yield from _off_by_one(statement.value, text)


#: A line that may be the last of a statement, and the next one, which may begin another.
_TWO_LINES = regex(rb"(?<=[\w)}\]])[^\S\n]*(?:%[^\n]*)?\n(?=\s*(?:[a-z{:#]|\d+\s*\{))")


def _dots(statement: AST, text: Text) -> Iterator[Change]:
    """A dot at the end of a line: without it clingo takes what follows for a part of the statement.

    As in `{ in(X) : node(X) }` above a line `next(X,Y) :- edge(X,Y).`: a bound.
    """
    begin, end = text.span(statement)
    for found in _TWO_LINES.finditer(text.data, begin, end):
        yield Change("dot", found.start(), found.start(), ".", 0.7)


#: Bytes, from the first to the one behind the last.
Span = tuple[int, int]


class _Changes:
    """The changes of one statement."""

    def __init__(self, statement: AST, text: Text, context: Context) -> None:
        self.statement, self.text, self.context = statement, text, context
        self.heads = {key(atom.symbol) for atom in _head_atoms(statement)}
        self.columns: dict[str, list[Column]] = {}  # the columns in which each variable stands
        for atom in atoms(statement):
            for position, argument in enumerate(_arguments(atom)):
                for variable in variables(argument):
                    self.columns.setdefault(variable.name, []).append((*signature_of(atom), position))
        for variable in variables(statement):
            self.columns.setdefault(variable.name, [])
        standing = Counter(one.name for one in variables(statement))
        self.alone = [name for name, times in standing.items() if times == 1]
        terms = (text.of(node) for node in nodes(statement) if node.ast_type is ASTType.SymbolicTerm)
        self.bounds = [*context.constants, *sorted({"0", "1", *filter(str.isdecimal, terms)})]

    def of_rule(self) -> Iterator[Change]:
        inner = list(self._inner())
        yield from inner
        yield from self._together(inner)
        yield from self._apart()
        yield from self._added_up()
        yield from self._longer()
        yield from self._taken_apart()
        yield from self._literals_added()
        yield from self._heads_changed()
        yield from self._again(inner)

    def of_minimize(self) -> Iterator[Change]:
        yield from self._inner()
        until = self.text.span(self.statement)[1]
        if self.statement.body and self.text.data[until - 1 : until] not in (b".", b"]"):  # not `:~ ... . [...]`
            for literal, cost in self._new_literals(list(self.columns)):
                yield Change("guard", until, until, f", {literal}", cost)
        weight = self.statement.weight
        end, now = self.text.span(weight)[1], self.text.of(weight)
        yield from self._instead(weight, "term", 1.2, [now[1:] if now.startswith("-") else f"-{now}"])
        yield from self._instead(weight, "term", 1.3, [*self.columns, "1"])
        # Tuples are a set: what has the same weight and terms counts once.
        terms = {self.text.of(one): one for one in self.statement.terms}
        if terms:
            at = self.text.span(self.statement.terms[-1])[1]
            missing: list[tuple[str, ...]] = [(name,) for name in self.columns if name not in terms]
        else:
            # The weight alone, before the colon of `#minimize` or the bracket of a weak constraint.
            behind = re.compile(rb"\s*(?:@\s*[-\w]+)?(?=\s*[:\]])").match(self.text.data, end)
            if behind is None:
                return
            at = behind.end()
            missing = [*((name,) for name in self.columns), tuple(self.columns)]
        for names in missing:
            yield Change("aggregate", at, at, "".join(f", {name}" for name in names), 1.3)

    # Texts in place of others

    def _at(self, span: Span, kind: Kind, cost: float, others: Iterable[str]) -> Iterator[Change]:
        """Each of some texts in place of the one there."""
        now = self.text.data[slice(*span)].decode()
        return (Change(kind, *span, other, cost) for other in others if other != now)

    def _instead(self, part: AST, kind: Kind, cost: float, others: Iterable[str]) -> Iterator[Change]:
        return self._at(self.text.span(part), kind, cost, others)

    def _swapped(self, one: Span, other: Span, cost: float = 1.0) -> Iterator[Change]:
        """Two parts exchanged."""
        first, between, second = (self.text.data[slice(*span)].decode() for span in (one, (one[1], other[0]), other))
        return self._at((one[0], other[1]), "swap", cost, [f"{second}{between}{first}"])

    def _inner(self) -> Iterator[Change]:
        """Changes of literals, atoms, terms and aggregates where they stand."""
        bodies = {key(literal) for literal in self._plain_literals()}
        for node in nodes(self.statement):
            kind = node.ast_type
            if kind is ASTType.Literal:
                if key(node) in bodies and is_atom(node):
                    at = self.text.span(node)[0]
                    yield Change("negation", at, at, "not ", 1.2)
                if node.atom.ast_type is ASTType.Comparison:
                    for change in _operators(node.atom, self.text, all_of_them=True):
                        if change.cost > 1:
                            yield change
                    for term in (node.atom.term, *(guard.term for guard in node.atom.guards)):
                        yield from self._term(term, None)
            elif kind is ASTType.SymbolicAtom and _function(node) is not None:
                yield from self._atom(node)
            elif kind in _AGGREGATES:
                yield from self._guards(node)
                if kind is not ASTType.Aggregate:
                    yield from self._tuples(node)
            elif kind is ASTType.Interval:
                yield from self._shifted(node)
                for end in (node.left, node.right):
                    yield from self._instead(end, "bound", 1.2, self.bounds)

    def _shifted(self, interval: AST) -> Iterator[Change]:
        """Both ends one more, or one less: `0..n-1` for `1..n`."""
        left, right = self.text.of(interval.left), self.text.of(interval.right)
        for step, back in ((1, "-1"), (-1, "+1")):
            if left.isdecimal() and int(left) + step >= 0:
                new = right.removesuffix(back) if right.endswith(back) else f"{right}{step:+}"
                yield from self._instead(interval, "bound", 1.0, [f"{int(left) + step}..{new}"])

    def _together(self, some: Iterable[Change]) -> Iterator[Change]:
        """The same change in several places: a slip that is made once is made again, `X/2` and `Y/2` for `(X-1)/2`."""
        alike: dict[tuple[str, ...], dict[tuple[int, int], Change]] = {}
        data = self.text.data
        for one in some:
            if one.begin < one.end and one.kind in ("term", "predicate", "bound", "operator"):
                now = data[one.begin : one.end].decode()
                step = one.by.strip("()")
                if step.startswith((f"{now}+", f"{now}-")):  # of any term before the same operator
                    key: tuple[str, ...] = (step.removeprefix(now), data[one.end : one.end + 2].decode())
                else:
                    key = (one.kind, now, one.by)
                alike.setdefault(key, {}).setdefault((one.begin, one.end), one)
        for places in alike.values():
            each = [places[span] for span in sorted(places)]
            if 2 <= len(each) <= 4 and all(one.end <= other.begin for one, other in pairwise(each)):
                yield self._joined(each[0].kind, [(one.begin, one.end, one.by) for one in each], each[0].cost + 0.3)

    def _joined(self, kind: Kind, parts: Sequence[tuple[int, int, str]], cost: float) -> Change:
        """One change of several parts, in their order."""
        new, at = "", parts[0][0]
        for begin, end, by in parts:
            new += self.text.data[at:begin].decode() + by
            at = end
        return Change(kind, parts[0][0], at, new, cost)

    def _added_up(self) -> Iterator[Change]:
        """One comparison of a sum in place of two next to each other: `|X-A| <= 1, |Y-B| <= 1`."""
        for one, other in pairwise(self.statement.body):
            guards = [list(each.atom.guards) for each in (one, other) if _is_comparison(each)]
            if [len(each) for each in guards] == [1, 1] and str(guards[0][0]) == str(guards[1][0]):
                span = self.text.span(one)[0], self.text.span(other.atom.term)[1]
                both = f"{self.text.of(one.atom.term)} + {self.text.of(other.atom.term)}"
                yield from self._at(span, "term", 1.3, [both])

    def _longer(self) -> Iterator[Change]:
        """A number that is given for something, added to one side of a comparison: `U < T + N, job(J,N)`."""
        dot = self.text.data.rfind(b".", *self.text.span(self.statement))
        numeric = [one for one in self.context.known if one[1] == 2 and self.context.is_numeric((*one, 1))]
        new = next(name for name in ("N", *(f"N{number}" for number in range(99))) if name not in self.columns)
        for node in filter(_is_comparison, self.statement.body if dot >= 0 else ()):
            for side in (node.atom.term, *(guard.term for guard in node.atom.guards)):
                if side.ast_type is not ASTType.Variable:
                    continue
                _, end = self.text.span(side)
                for (name, _), of in product(numeric, self.columns):
                    if of != side.name and self._fits(of, (name, 2, 0)):
                        more = [(end, end, f"+{new}"), (dot, dot, f", {name}({of},{new})")]
                        yield self._joined("guard", more, 1.6)

    def _taken_apart(self) -> Iterator[Change]:
        """A comparison of each part in place of one of a sum: `|X-A| <= 1, |Y-B| <= 1`."""
        for node in filter(_is_comparison, nodes(self.statement)):
            term, guards = node.atom.term, node.atom.guards
            plus = term.ast_type is ASTType.BinaryOperation and term.operator_type == ast.BinaryOperator.Plus
            if plus and len(guards) == 1:
                begin, end = self.text.span(node)[0], self.text.span(guards[0].term)[1]
                guard = self.text.data[self.text.span(term)[1] : end].decode()
                each = (self.text.of(part) + guard for part in (term.left, term.right))
                yield Change("term", begin, end, ", ".join(each), 1.3)

    def _apart(self) -> Iterator[Change]:
        """A variable that two atoms share, and not with the others, under a name of its own."""
        names = (f"{letter}{number}" for number in range(1, 99) for letter in "VW")
        fresh = next(name for name in names if name not in self.columns)
        bodies = [list(variables(one)) for one in self.statement.body if _is_literal(one) and any(atoms(one))]
        for name in self.columns:
            places = [[self.text.span(one) for one in body if one.name == name] for body in bodies]
            having = [spans for spans in places if spans]
            for first, second in combinations(having, 2) if 3 <= len(having) <= 5 else ():
                yield self._joined("variable", [(*span, fresh) for span in sorted(first + second)], 1.5)

    def _plain_literals(self) -> Iterator[AST]:
        """The literals of the body, and of conditions."""
        yield from filter(_is_literal, self.statement.body)
        for node in nodes(self.statement):
            if node.ast_type is ASTType.ConditionalLiteral:
                yield from node.condition
                if not any(key(atom.symbol) in self.heads for atom in atoms(node.literal)):
                    yield node.literal

    def _atom(self, atom: AST) -> Iterator[Change]:
        function = _function(atom)
        assert function is not None
        signature, arguments = signature_of(atom), list(function.arguments)
        for position, argument in enumerate(arguments):
            yield from self._term(argument, (*signature, position))
        spans = [self.text.span(argument) for argument in arguments]
        for (number, one), (place, other) in combinations(enumerate(spans), 2):
            yield from self._swapped(one, other, 1.0 if number + 1 == place else 1.2)
        if len(spans) in (4, 6):  # two points, or two of something else
            half = len(spans) // 2
            yield from self._swapped((spans[0][0], spans[half - 1][1]), (spans[half][0], spans[-1][1]))
        yield from self._renamed(atom, function, signature)
        yield from self._arity(function, signature)

    def _renamed(self, atom: AST, function: AST, signature: Signature) -> Iterator[Change]:
        """Another predicate with as many arguments."""
        at = self.text.span(function)[0]
        own, in_head = signature[0].removeprefix("-"), key(atom.symbol) in self.heads
        known = signature in self.context.given or signature in self.context.derived
        heads = {self.text.of(one.symbol) for one in _head_atoms(self.statement)}
        arguments_ = self.text.of(function).removeprefix(own)
        for other in self.context.predicates:
            if other[1] != signature[1] or other == signature:
                continue
            if not in_head and f"{other[0]}{arguments_}" in heads:  # it would need itself
                continue
            near = closeness(own, other[0]) > 0.6
            fits = all(
                self.context.alike((*signature, position), (*other, position)) for position in range(signature[1])
            )
            cost = (0.8 if not known else 1.1 if fits or near else 1.6) + (0.4 if in_head else 0.0)
            if signature[0].startswith("-") or other[0].startswith("-"):
                if other[0].removeprefix("-") == own and atom.symbol.ast_type is ASTType.UnaryOperation:
                    yield Change("negation", self.text.span(atom.symbol)[0], at, "", 1.0)
                continue
            yield Change("predicate", at, at + len(own.encode()), other[0], cost)
        if known and not in_head:
            yield from self._widths(function, signature)
        if not known and not in_head:
            # A guess at an atom that is written with other arguments elsewhere.
            arguments = [self.text.of(one) for one in function.arguments]
            for name, arity in self.context.known:
                for places in islice(combinations(range(arity), signature[1]), 12) if signature[1] < arity <= 4 else ():
                    filled = atom_text(name, arity, dict(zip(places, arguments, strict=True)))
                    yield from self._instead(function, "predicate", 1.4, [filled])

    def _widths(self, function: AST, signature: Signature) -> Iterator[Change]:
        """Another predicate, with one argument less or more: `tour(X, Y)` for `edge(X, Y, _)`."""
        name, width = signature
        arguments = [self.text.of(one) for one in function.arguments]
        for other, arity in self.context.predicates:
            if other == name or other.startswith("-") or abs(arity - width) != 1 or not min(arity, width):
                continue
            for position in range(max(arity, width)):
                if arity < width and arguments[position] != "_":
                    continue
                shorter = [(name, width, at) for at in range(width)], [(other, arity, at) for at in range(arity)]
                del shorter[arity > width][position]
                if all(self.context.alike(one, two) for one, two in zip(*shorter, strict=True)):
                    more = list(arguments)
                    more[position : position + (arity < width)] = [] if arity < width else ["_"]
                    cost = 1.4 if arity < width else 1.7
                    yield from self._instead(function, "predicate", cost, [f"{other}({','.join(more)})"])

    def _arity(self, function: AST, signature: Signature) -> Iterator[Change]:
        """An argument more or less, where the predicate has another number of arguments elsewhere."""
        if signature in self.context.given or signature in self.context.derived:
            return
        arguments = [self.text.of(one) for one in function.arguments]
        name, width = signature
        for arity in (number for other, number in self.context.predicates if other == name):
            if arity == width - 1:
                rests = [arguments[:position] + arguments[position + 1 :] for position in range(width)]
                texts = [f"{function.name}({','.join(rest)})" if rest else name for rest in rests]
                yield from self._instead(function, "argument", 1.0, texts)
            elif arity == width + 1:
                for position, new in product(range(arity), ("_", *self.columns)):
                    more = ",".join([*arguments[:position], new, *arguments[position:]])
                    yield from self._instead(
                        function, "argument", 1.0 + 0.1 * (new != "_"), [f"{function.name}({more})"]
                    )

    def _term(self, term: AST, column: Column | None) -> Iterator[Change]:
        """Another term in an argument or a comparison."""
        kind, now = term.ast_type, self.text.of(term)
        values = [] if column is None else self.context.alike_values(column)

        def terms(cost: float, *others: str) -> Iterator[Change]:
            return self._instead(term, "term", cost, others)

        if kind is ASTType.Variable:
            for name, columns in self.columns.items():
                fits = column is None or any(self.context.alike(column, one) for one in columns)
                yield from self._instead(term, "variable", 1.0 if fits else 1.4, [name])
            if now != "_":
                if column is not None:
                    yield from self._instead(term, "variable", 1.4, ["_"])
                yield from terms(1.3, f"{now}+1", f"{now}-1")
                if column is None:
                    yield from terms(1.2, *(f"{now}+{other}" for other in self.alone if other != now))
                yield from terms(1.6, *values[:4])
            yield from terms(1.7, *self.context.constants)
        elif kind is ASTType.SymbolicTerm:
            yield from terms(1.0, *(_near(now) if now.isdecimal() else ()))
            yield from terms(1.1, *self.context.constants, *values)
            yield from terms(1.5, *self.columns)
            if column is not None:
                yield from terms(1.8, "_")
        elif kind is ASTType.Function and not (term.arguments or term.external):
            yield from terms(1.1, *self.context.constants, *values)
            yield from terms(1.4, *self.columns)
        elif kind is ASTType.Function:
            for argument in term.arguments:
                yield from self._term(argument, None)
            for one, other in combinations(map(self.text.span, term.arguments), 2):
                yield from self._swapped(one, other)
            if len(term.arguments) == 1:
                yield from terms(1.2, self.text.of(term.arguments[0]))
        elif kind is ASTType.BinaryOperation:
            left, right = self.text.of(term.left), self.text.of(term.right)
            between = self.text.span(term.left)[1], self.text.span(term.right)[0]
            sign = self.text.data[slice(*between)].decode().strip(" ()")
            for symbol in ("+", "-", "*"):
                if symbol != sign:
                    yield Change("term", *between, symbol, 1.0 if symbol != "*" else 1.4)
            yield from terms(1.1, left)
            yield from terms(1.4, right)
            yield from self._instead(term, "swap", 1.2, [f"{right}{sign}{left}"])
            for side in (term.left, term.right):
                for change in self._term(side, None):
                    if change.by == "0" and sign in "+-":
                        continue
                    whole = (change.begin, change.end) == self.text.span(side)
                    if whole and sign in "*/\\" and re.search(r"\w[-+]\w", change.by):
                        change = replace(change, by=f"({change.by})")
                    yield change
        elif kind is ASTType.UnaryOperation:
            yield from terms(1.1, self.text.of(term.argument))

    def _guards(self, aggregate: AST) -> Iterator[Change]:
        """Bounds dropped, added, or others."""
        begin, end = self.text.span(aggregate)
        data = self.text.data
        brace, closing = data.find(b"{", begin, end), data.rfind(b"}", begin, end) + 1
        if brace < 0 or closing == 0:
            return
        if (name := re.compile(rb"#\w+\s*\Z").search(data, begin, brace)) is not None:
            brace = name.start()
        before, after = (begin, begin), (closing, closing)
        # clingo takes a single bound for the left one, wherever it stands.
        guards = [guard for guard in (aggregate.left_guard, aggregate.right_guard) if guard is not None]
        for guard in guards:
            value, (at, until) = self.text.of(guard.term), self.text.span(guard.term)
            yield from self._instead(guard.term, "bound", 1.1, self.bounds)
            if at < brace:
                yield Change("bound", at, brace, "", 1.0)
                if len(guards) == 1:  # `1 { ... }` in place of `1 { ... } 1`
                    for other in (value, *self.bounds):
                        yield Change("bound", *after, f" {other}", 0.9 if other == value else 1.4)
                continue
            now = data[closing:at].decode().strip() or "<="
            yield Change("bound", closing, until, "", 1.0)
            for operator in ("=", "<=", ">=", "<", ">", "!="):
                if operator != {"==": "="}.get(now, now):
                    cost = 1.0 if operator in "<=>=" else 1.3
                    yield Change("operator", closing, until, f" {operator} {value}", cost)
        if not guards and aggregate.ast_type is ASTType.BodyAggregate:
            compared = product(self.bounds, ("<", ">", "=", "!="))
            yield from self._at(after, "bound", 1.4, (f" {operator} {value}" for value, operator in compared))
        if not guards and aggregate.ast_type is ASTType.Aggregate:
            for value in (one for one in self.bounds if one != "0"):
                yield Change("bound", *after, f" = {value}", 1.2 if value == "1" else 1.5)
                yield Change("bound", *after, f" {value}", 1.5)
                yield Change("bound", *before, f"{value} ", 1.5)

    def _tuples(self, aggregate: AST) -> Iterator[Change]:
        """Another function, another tuple: what an aggregate counts or adds up."""
        name = re.compile(rb"#(count|sum\+?|min|max)").search(self.text.data, *self.text.span(aggregate))
        if name is not None:
            yield from self._at(name.span(), "aggregate", 1.3, ("#count", "#sum", "#min", "#max"))
        for element in aggregate.elements if aggregate.ast_type is ASTType.BodyAggregate else ():
            for term in element.terms:
                yield from self._term(term, None)
            spans = [self.text.span(term) for term in element.terms]
            for number, span in enumerate(spans if len(spans) > 1 else ()):
                first, last = (span[0], spans[1][0]) if number == 0 else (spans[number - 1][1], span[1])
                yield Change("aggregate", first, last, "", 1.1)
            inner = {one.name for literal in element.condition for one in variables(literal)}
            for variable in sorted(inner - set(map(self.text.of, element.terms))) if spans else ():
                yield Change("aggregate", spans[-1][1], spans[-1][1], f",{variable}", 1.1)
                yield Change("aggregate", spans[0][0], spans[0][0], f"{variable},", 1.3)

    # Literals that are new

    def _literals_added(self) -> Iterator[Change]:
        dot = self.text.data.rfind(b".", *self.text.span(self.statement))
        if dot < 0:
            return
        separator = ", " if self.statement.body else " " if is_constraint(self.statement) else " :- "
        parts = [one for one in (*self.statement.body, self.statement.head) if one.ast_type not in _WITH_LOCAL]
        for literal, cost in self._new_literals(_names(parts)):
            yield Change("guard", dot, dot, f"{separator}{literal}", cost)
        for node in nodes(self.statement):
            if node.ast_type is ASTType.ConditionalLiteral and (inner := _names([node])):
                at, mark = self.text.span(node)[1], ", " if node.condition else " : "
                for literal, cost in self._new_literals(inner, most=_ADDED // 2):
                    yield Change("guard", at, at, f"{mark}{literal}", cost + 0.2)
            elif node.ast_type is ASTType.BodyAggregateElement and node.terms:
                parts = [*node.terms, *node.condition]
                at, mark = self.text.span(parts[-1])[1], ", " if node.condition else " : "
                for literal, cost in self._new_literals(_names(parts), most=_ADDED // 2):
                    yield Change("guard", at, at, f"{mark}{literal}", cost + 0.2)

    def _new_literals(self, names: Sequence[str], most: int = _ADDED) -> Iterator[tuple[str, float]]:
        def fit(one: Iterable[Column], other: Iterable[Column]) -> bool:
            return any(self.context.alike(a, b) for a, b in product(one, other))

        for one, other in combinations(names, 2):
            cost = 1.5 if fit(self.columns.get(one, ()), self.columns.get(other, ())) else 2.1
            yield f"{one} != {other}", cost
            yield f"{one} < {other}", cost + 0.1
            yield f"{other} < {one}", cost + 0.2
            yield f"{one} = {other}", cost + 0.4
        for node in filter(_is_comparison, self.statement.body):  # once more, of other variables
            if len(own := _names([node])) == 2:
                for pair in permutations(names, 2):
                    if not {*pair} & {*own}:
                        yield _renamed(self.text.of(node), dict(zip(own, pair, strict=True))), 1.6
        present = {re.sub(r"\s", "", self.text.of(literal)) for literal in self._plain_literals()}
        number = 0
        unread = self.context.unread()  # a predicate that no rule reads so far is likely to be what is missing
        for name, arity in sorted(self.context.known, key=lambda one: one not in unread):
            new = (name, arity) in unread
            places = [
                [*(one for one in names if new or self._fits(one, (name, arity, at))), "_"] for at in range(arity)
            ]
            for filled in islice(product(*places), 40):
                atom = f"{name}({','.join(filled)})" if arity else name
                if (arity and {*filled} == {"_"}) or atom in present:
                    continue
                number += 1
                if number > most:
                    return
                holes = filled.count("_")
                yield atom, 1.8 + 0.1 * holes - 0.3 * new
                yield f"not {atom}", 1.9 + 0.2 * holes - 0.3 * new

    def _fits(self, name: str, column: Column) -> bool:
        """Whether a variable may stand in a column: it has one of the same sort, or none."""
        own = self.columns.get(name)
        return not own or any(self.context.alike(one, column) for one in own)

    # Other heads

    def _heads_changed(self) -> Iterator[Change]:
        head, body = self.statement.head, list(self.statement.body)
        texts = [self.text.of(one) for one in body]
        #: Each atom of the body, and the rest of it.
        moved = [
            (texts[number], texts[:number] + texts[number + 1 :]) for number, one in enumerate(body) if is_atom(one)
        ]

        def rules(cost: float, head: str, *bodies: str) -> Iterator[Change]:
            rule = f"{head} :- {', '.join(bodies)}." if bodies else f"{head}."
            return self._instead(self.statement, "choice", cost, [rule])

        if head.ast_type is ASTType.Literal and head.atom.ast_type is ASTType.SymbolicAtom and body:
            atom = self.text.of(head)
            yield from rules(1.6, f"{{ {atom} }}", *texts)
            for literal, rest in moved:
                yield from rules(1.6, f"{{ {atom} : {literal} }} = 1", *rest)
                yield from rules(1.9, f"{{ {atom} : {literal} }}", *rest)
        elif head.ast_type is ASTType.Aggregate and len(head.elements) == 1:
            (element,) = head.elements
            (begin, end), (first, last) = self.text.span(head), self.text.span(element)
            left, right = self.text.data[begin:first].decode(), self.text.data[last:end].decode()
            atom, conditions = self.text.of(element.literal), [self.text.of(one) for one in element.condition]
            for literal, rest in moved:
                yield from rules(1.3, f"{left}{atom} : {', '.join([*conditions, literal])}{right}", *rest)
            for number, condition in enumerate(conditions):
                others = ", ".join(conditions[:number] + conditions[number + 1 :])
                yield from rules(1.3, f"{left}{atom}{f' : {others}' if others else ''}{right}", *texts, condition)
            yield from rules(1.9, atom, *conditions, *texts)

    # Rules that are new

    def _again(self, inner: Sequence[Change]) -> Iterator[Change]:
        """The rule, a literal of its body, or an element of an aggregate of it, a second time with one change."""
        whole = self.text.span(self.statement)
        parts: list[tuple[tuple[int, int], Kind, str, float]] = [(whole, "variant", " ", 1.1)]
        for literal in self.statement.body:
            if _is_literal(literal) and literal.atom.ast_type is not ASTType.BodyAggregate:
                parts.append((self.text.span(literal), "guard", ", ", 0.9))
            elif _is_literal(literal):
                for element in literal.atom.elements:
                    if element.terms and element.condition:
                        span = self.text.span(element.terms[0])[0], self.text.span(element.condition[-1])[1]
                        parts.append((span, "aggregate", "; ", 0.9))
        if is_constraint(self.statement) and whole[1] - whole[0] > 200:
            del parts[0]
        data = self.text.data
        for (begin, end), kind, mark, cost in parts:
            seen = {" ".join(data[begin:end].decode().split())}
            for change in inner:
                if not (begin <= change.begin and change.end <= end) or change.cost > 1.4:
                    continue
                if change.kind in ("variable", "swap", "predicate", "term", "argument"):
                    other = (data[begin : change.begin] + change.by.encode() + data[change.end : end]).decode()
                    other = " ".join(other.split())
                    if other not in seen:
                        seen.add(other)
                        yield Change(kind, end, end, f"{mark}{other}", change.cost + cost)


def _is_literal(node: AST) -> bool:
    return node.ast_type is ASTType.Literal


def _is_comparison(node: AST) -> bool:
    return _is_literal(node) and node.atom.ast_type is ASTType.Comparison


def _names(parts: Iterable[AST]) -> list[str]:
    """The names of the variables in some parts, each once."""
    return list(dict.fromkeys(one.name for part in parts for one in variables(part)))


def _renamed(text: str, names: Mapping[str, str]) -> str:
    """A text with other names of variables."""
    return re.sub("|".join(rf"\b{name}\b" for name in names), lambda found: names[found[0]], text)


def atom_text(name: str, arity: int, arguments: Mapping[int, str]) -> str:
    """An atom with some arguments, and any values for the others."""
    return f"{name}({','.join(arguments.get(place, '_') for place in range(arity))})" if arity else name


def closeness(one: str, other: str) -> float:
    """How alike two names are, from 0 to 1."""
    from difflib import SequenceMatcher

    if one.lower() == other.lower() or one.startswith(other) or other.startswith(one):
        return 0.9
    return SequenceMatcher(None, one.lower(), other.lower()).ratio()
