"""The least changes by which a program that clingo cannot read becomes one that it reads.

    >>> mended("a :- b\\nb.\\n")[0]
    'a :- b.\\nb.\\n'

Most syntax errors are a missing dot at the end of a line; clingo reports them where the next rule goes on. Single
tokens are inserted, dropped or replaced near the place of the first error, and the change is kept by which clingo reads
furthest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from clingo import ast

from bridge.asp import internals

_ERROR = re.compile(r"<string>:(\d+):(\d+)(?:-[\d:]+)?: error: (.*)", re.DOTALL)
_TOKEN = re.compile(
    r'"(?:[^"\\\n]|\\.)*"|%\*.*?\*%|%[^\n]*|\s+|:-|:~|=<|=>|<-|<=|>=|!=|==|\.\.|#\w+|[\w\']+|.', re.DOTALL
)

#: What it includes is not looked at.
_INCLUDE = re.compile(r'^[ \t]*#include\s*("(?:[^"\\\n]|\\.)*"|<\w+>)\s*\.', re.MULTILINE)

#: Syntax errors of a program, at most.
_MOST = 12


@dataclass(frozen=True, slots=True)
class Mend:
    """A change at a line, and what it does."""

    line: int
    column: int
    what: str


def mended(text: str) -> tuple[str, list[Mend]] | None:
    """The text as clingo reads it, and the changes; None when a few changes of single tokens do not do."""
    changes: list[Mend] = []
    for _ in range(_MOST):
        at = error_of(text)
        if at is None:
            return text, changes
        best: tuple[int, str, Mend] | None = None
        for changed, change in _candidates(text, at):
            then = error_of(changed)
            reached = len(changed) + 1 if then is None else then
            further = reached - (len(changed) - len(text))
            if reached > at + 1 and (best is None or further > best[0]):  # of equals the first
                best = further, changed, change
        if best is None:
            return None
        _, text, change = best
        changes.append(change)
    return None


def missing_end(text: str, line: int, column: int) -> tuple[int, str] | None:
    """Where a statement before a syntax error ends without its dot, and what is missing: a dot, or perhaps a comma.

    Line and column, from 1, are clingo's, which counts bytes; the result has the offset of the last character there.
    With what is missing, clingo reads the line of the error. None where it is something else, or in the line of the
    error.
    """
    text = _INCLUDE.sub(lambda match: " " * len(match[0]), text)
    at = offset_of(text, line, column)
    last = None
    for token in tokens_of(text):
        if token.start() >= at:
            break
        last = token
    if last is None or last[0] == "." or "\n" not in text[last.end() : at]:
        return None
    before = {one for one in _errors(text) if one <= at}
    until = len(text) if (end := text.find("\n", at)) < 0 else end

    def reads_on(what: str) -> bool:
        """Whether clingo then reads the line of the error to its end."""
        after = _errors(text[: last.end()] + what + text[last.end() :])
        return {one for one in after if one <= until + len(what)} == before - {at}

    if at not in before or not reads_on("."):
        return None
    what = "a dot or a comma" if reads_on(",") else "a dot"
    return last.end() - 1, what


def error_of(text: str) -> int | None:
    """The offset of the first error; None where there is none."""
    return min(_errors(text), default=None)


def _errors(text: str) -> set[int]:
    found: list[str] = []
    try:
        with internals.logging():
            ast.parse_string(text, lambda _: None, logger=lambda _, message: found.append(message), message_limit=1000)
    except RuntimeError:
        places = [match for match in map(_ERROR.match, found) if match is not None]
        return {offset_of(text, int(place[1]), int(place[2])) for place in places} or {0}
    return set()


def offset_of(text: str, line: int, column: int) -> int:
    """The offset of a line and a column, which clingo counts in bytes."""
    lines = text.split("\n")
    if line > len(lines):
        return len(text)
    before = sum(len(one) + 1 for one in lines[: line - 1])
    return before + len(lines[line - 1].encode()[: column - 1].decode(errors="ignore"))


def tokens_of(text: str) -> Iterator[re.Match[str]]:
    """The tokens of a text, without blanks and comments."""
    return (one for one in _TOKEN.finditer(text) if not one[0].isspace() and not one[0].startswith("%"))


def _candidates(text: str, at: int) -> Iterator[tuple[str, Mend]]:
    """Texts with one token inserted, dropped or replaced near an offset, the likeliest first."""
    tokens = [*tokens_of(text)]
    near = [number for number, one in enumerate(tokens) if one.start() >= at]
    here = near[0] if near else len(tokens)

    def changed(start: int, end: int, token: str, what: str) -> tuple[str, Mend]:
        line, column = text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start)
        return text[:start] + token + text[end:], Mend(line, column, what)

    def inserted(where: int, token: str) -> tuple[str, Mend]:
        return changed(where, where, token, f"'{token}' is missing")

    def replaced(number: int, token: str) -> tuple[str, Mend]:
        one = tokens[number]
        what = f"'{token}' in place of '{one[0]}'" if token else f"'{one[0]}' should not be here"
        return changed(one.start(), one.end(), token, what)

    # A dot at the end of a line above, the nearest first.
    ends = [
        number
        for number in range(min(here, len(tokens)) - 1, -1, -1)
        if number + 1 >= len(tokens) or "\n" in text[tokens[number].end() : tokens[number + 1].start()]
    ]
    for number in ends[:4]:
        if tokens[number][0] != ".":
            yield inserted(tokens[number].end(), ".")
    for back in (0, 1, 2):
        number = here - back
        if 0 <= number < len(tokens):
            token = tokens[number][0]
            for other in _OTHERS.get(token, ()):
                yield replaced(number, other)
    for back in (0, 1):
        number = here - back
        if 0 <= number <= len(tokens):
            where = tokens[number].start() if number < len(tokens) else len(text)
            end = tokens[number - 1].end() if number else 0
            for token in (",", ")", "}", "(", "{", ";", ":", ":-", ".", "not ", '"'):
                yield inserted(end if token in ")},;." else where, token)
    for back in (0, 1):
        number = here - back
        if 0 <= number < len(tokens):
            yield replaced(number, "")


#: What is written in place of a token.
_OTHERS = {
    "=": ("!=",), "=>": (">=",), "=<": ("<=",), "<": ("<=",), "-": (":-",), ":": (":-", ",", "."), ";": (",", "."),
    ",": (".", ";", ":"), "|": (";",), "and": (",",), "or": (";",), "\\": ("not ", "!="), "!": ("not ",),
    "/": ("!=",), "==": ("=",),
    "[": ("(",), "]": (")",), "(": ("{",), ")": ("}",), "{": ("(",), "}": (")",), "..": (".",), "<-": (":-",),
    "&": (",",),
}  # fmt: skip
