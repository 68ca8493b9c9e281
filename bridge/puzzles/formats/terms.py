"""Parses facts of clingo and Prolog; each term has its place.

The terms of facts are numbers, atoms, strings, variables, lists, compound terms, and the infix operators `-` (`3-3`)
and `..` (`1..9`). Any other clause is returned as one that is not a fact. One parser reads both languages, which differ
in comments and quotes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from bridge.errors import InputError, Place

#: The greatest depth of terms: the parser is recursive.
DEEPEST = 64

#: The greatest number of digits.
LONGEST = 20


@dataclass(frozen=True)
class Node:
    """A term. `kind` is `number`, `atom`, `text`, `variable`, `list` or `compound`."""

    kind: str
    name: str
    place: Place
    args: tuple[Node, ...] = ()

    @property
    def number(self) -> int:
        """The value of a number."""
        if self.kind != "number":
            raise InputError(f"{self} is not an integer", where=self.place)
        if len(self.name) > LONGEST:
            raise InputError(f"{self.name[:LONGEST]}... is too large a number", where=self.place)
        return int(self.name)

    @property
    def word(self) -> str:
        """The text of an atom or a string."""
        if self.kind not in ("atom", "text"):
            raise InputError(f"{self} is neither an atom nor a string", where=self.place)
        return self.name

    @property
    def items(self) -> tuple[Node, ...]:
        """The items of a list."""
        if self.kind != "list":
            raise InputError(f"{self} is not a list", where=self.place)
        return self.args

    def __str__(self) -> str:
        if self.kind == "list":
            return f"[{', '.join(map(str, self.args))}]"
        if self.kind == "compound" and self.name in ("-", ".."):
            return self.name.join(map(str, self.args))
        if self.kind == "compound":
            return f"{self.name}({', '.join(map(str, self.args))})"
        return f'"{self.name}"' if self.kind == "text" else self.name


@dataclass(frozen=True)
class Clause:
    """A clause: its term, or None if it is not a fact; and its first words, for messages."""

    head: str
    place: Place
    term: Node | None
    why: InputError | None = field(default=None, compare=False)


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    place: Place


#: A comment without an end extends to the end of the text: searching the end again from each comment would take
#: quadratic time.
_COMMENTS = {"prolog": r"%[^\n]*|/\*.*?(?:\*/|(?P<open>\Z))", "asp": r"%\*.*?(?:\*%|(?P<open>\Z))|%[^\n]*"}
_REST = r"""
    (?P<text>"(?:[^"\\]|\\.)*")
  | (?P<quoted>'(?:[^'\\]|''|\\.)*')
  | (?P<end>\.(?=\s|%|$))
  | (?P<number>[0-9]+)
  | (?P<variable>[A-Z_]\w*)
  | (?P<atom>[^\W\d_]\w*)
  | (?P<sign>\.\.|:-|\#[a-z]+|.)
"""


def clauses(text: str, place: Place, language: str) -> Iterator[Clause]:
    """The clauses of a program in `asp` or `prolog`; `why` has the reason why a clause is not a fact."""
    pattern = re.compile(rf"(?P<comment>{_COMMENTS[language]})|(?P<blank>\s+)|{_REST}", re.VERBOSE | re.DOTALL)
    tokens: list[_Token] = []
    line, start = 1, 0
    for found in pattern.finditer(text):
        kind = found.lastgroup or ""
        if found["open"] is not None:
            here = Place(place.file, line, found.start() - start + 1)
            raise InputError("a comment that does not end", where=here)
        if kind not in ("comment", "blank"):
            here = Place(place.file, line, found.start() - start + 1)
            if kind == "end":
                if tokens:
                    yield _clause(tokens)
                tokens = []
            else:
                tokens.append(_Token(kind, found[0], here))
        if breaks := found[0].count("\n"):
            line += breaks
            start = found.start() + found[0].rindex("\n") + 1
    if tokens and not _is_annotation(tokens):
        raise InputError("the last clause does not end", where=tokens[0].place, hint="a full stop ends it")


def _is_annotation(tokens: list[_Token]) -> bool:
    """`[override]`, which stands after the full stop of `#const`."""
    return [token.text for token in tokens] in (["[", "override", "]"], ["[", "default", "]"])


def _clause(tokens: list[_Token]) -> Clause:
    if tokens[0].text == "[" and _is_annotation(tokens[:3]):
        tokens = tokens[3:]
    if not tokens:
        return Clause("", Place(), None)
    head = "".join(token.text for token in tokens[:2])
    try:
        return Clause(head, tokens[0].place, _Parser(tokens).whole())
    except InputError as error:
        return Clause(head, tokens[0].place, None, error)


class _Parser:
    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens = tokens
        self._at = 0

    def whole(self) -> Node:
        place = self._tokens[0].place
        if self._tokens[0].text == "#const":
            self._at = 1
            name = self._simple(0)
            self._take("=")
            return Node("compound", "#const", place, (name, self._term(0)))
        term = self._term(0)
        if self._at < len(self._tokens):
            raise InputError(f"{self._peek!r} has no place in a fact", where=self._place)
        return term

    def _term(self, depth: int) -> Node:
        left, signs = self._simple(depth), 0
        while self._peek in ("-", ".."):
            signs += 1
            if depth + signs > DEEPEST:
                raise InputError("terms are nested too deeply", where=self._place)
            sign = self._tokens[self._at]
            self._at += 1
            left = Node("compound", sign.text, left.place, (left, self._simple(depth)))
        return left

    def _simple(self, depth: int) -> Node:
        if depth > DEEPEST:
            raise InputError("terms are nested too deeply", where=self._place)
        if self._at >= len(self._tokens):
            raise InputError("the clause breaks off", where=self._tokens[-1].place)
        token = self._tokens[self._at]
        self._at += 1
        if token.kind == "number":
            return Node("number", token.text, token.place)
        if token.text == "-" and self._at < len(self._tokens) and self._tokens[self._at].kind == "number":
            self._at += 1
            return Node("number", f"-{self._tokens[self._at - 1].text}", token.place)
        if token.kind == "text":
            return Node("text", _unquoted(token.text), token.place)
        if token.kind == "variable":
            return Node("variable", token.text, token.place)
        if token.kind in ("atom", "quoted"):
            name = _unquoted(token.text) if token.kind == "quoted" else token.text
            if self._peek == "(":
                return Node("compound", name, token.place, self._arguments("(", ")", depth))
            return Node("atom", name, token.place)
        if token.text == "(":
            inner = self._term(depth + 1)
            self._take(")")
            return inner
        if token.text == "[":
            self._at -= 1
            return Node("list", "", token.place, self._arguments("[", "]", depth))
        raise InputError(f"{token.text!r} has no place in a fact", where=token.place)

    def _arguments(self, opened: str, closed: str, depth: int) -> tuple[Node, ...]:
        self._take(opened)
        found: list[Node] = []
        if self._peek == closed:
            self._at += 1
            return ()
        while True:
            found.append(self._term(depth + 1))
            if self._peek == closed:
                self._at += 1
                return tuple(found)
            self._take(",")

    @property
    def _peek(self) -> str:
        return self._tokens[self._at].text if self._at < len(self._tokens) else ""

    @property
    def _place(self) -> Place:
        return self._tokens[min(self._at, len(self._tokens) - 1)].place

    def _take(self, sign: str) -> None:
        if self._peek != sign:
            raise InputError(f"{sign!r} is expected, not {self._peek or 'the end'!r}", where=self._place)
        self._at += 1


def _unquoted(text: str) -> str:
    quote = text[0]
    inner = text[1:-1].replace(quote * 2, quote) if quote == "'" else text[1:-1]
    return re.sub(r"\\(.)", lambda m: {"n": "\n", "t": "\t"}.get(m[1], m[1]), inner, flags=re.DOTALL)
