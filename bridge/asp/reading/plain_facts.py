"""The plain facts of a program, found without a syntax tree, which costs tens of microseconds a statement.

A **plain fact** is an atom over numbers, strings, names and functions of these, with a dot: `edge(1,2).` Intervals,
pools, arithmetic and classical negation make a fact that is not plain; so do a name in a comment (`%! NAME`), a part
other than `base`, and a constant that `#const` or an option defines.

    >>> text, found = cut("edge(1, 2). { in(X) } :- edge(X, _).\\n", "graph.lp")
    >>> text
    '            { in(X) } :- edge(X, _).\\n'
    >>> found.texts, str(found.place(0))
    (['edge(1, 2).'], 'graph.lp:1:1')

The scanner goes from statement to statement and knows comments and strings. Where it meets what it does not know, it
stops: what is left there is parsed by clingo. Facts of one predicate, one a line, are found in one step however many
they are.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Collection
from functools import cache

from bridge.asp.reading.names import read_names
from bridge.asp.reading.outline import Facts
from bridge.asp.reading.source import end_of_comment
from bridge.common.lazy import regex

_STRING = r'"(?:\\["\\n]|[^"\\\n])*"'
_NAME = r"(?!not\b)[_']*[a-z][\w']*"


_SIMPLE = rf"(?:0|-?[1-9]\d*|{_STRING}|{_NAME})"


def _listed(term: str) -> str:
    """One or more terms with commas between them."""
    return rf"(?:[ \t]*{term}[ \t]*(?:,(?![ \t]*\))|(?=\))))+"


def _term() -> str:
    """A term, nested up to two levels."""
    term = simple = _SIMPLE
    for _ in range(2):
        term = rf"(?:{_NAME}\({_listed(term)}\)|\([ \t]*{term}[ \t]*,(?![ \t]*\)){_listed(term)}\)|{simple})"
    return term


_ATOM = rf"{_NAME}(?:\({_listed(_term())}\))?"

_STATEMENT = re.compile(
    r"\s+|%(?!\*)[^\n]*"
    rf"|(?P<fact>{_ATOM}[ \t]*\.)(?!\.)\s*"
    r"|(?P<block>%\*)"
    rf'|(?P<other>(?:{_STRING}|\.\.|%(?!\*)[^\n]*|\[[^\]"%]*\]|[^."%\[])++\.)',
    re.ASCII,
)

#: What the scanner leaves alone: dots that end nothing, and further files.
_OPAQUE = regex(r"&|#script\b|#theory\b|#include\b")
_PART = regex(r"\s*#program\b(?!\s+base\s*\.)")


@cache
def _lines_of(name: str, arity: int) -> re.Pattern[str]:
    """Lines of which each is a fact of a predicate without functions and blanks, and nothing else."""
    arguments = rf"\({','.join([_SIMPLE] * arity)}\)" if arity else ""
    return re.compile(rf"(?:{re.escape(name)}{arguments}\.\n)++", re.ASCII)


#: Bytes as blanks, but for ends of lines.
_BLANK = bytes(sign if sign == ord("\n") else ord(" ") for sign in range(256))

_PREDICATE = re.compile(r"[\w']+", re.ASCII)
_INSIDE = regex(rf"{_STRING}|[(),]")


def cut(text: str, file: str, constants: Collection[str] = ()) -> tuple[str, Facts]:
    """A program without its plain facts, blanks in their place, and the facts, whose places have `file` as file.

    `constants` are the names that stand for something else.
    """
    texts: list[str] = []
    lines, columns, predicates = array("I"), array("I"), array("I")
    signatures: dict[tuple[str, int], int] = {}
    if "&" in text or ("#" in text and _OPAQUE.search(text) is not None):
        return text, Facts(file)
    named = read_names(text, file) if "%!" in text else {}
    constant = re.compile(rf"(?<![\w'])(?:{'|'.join(map(re.escape, constants))})(?![\w'])") if constants else None
    rest: list[str] = []
    at = copied = begin = 0  # up to where it was read, and copied; where the present line begins
    line, size, match, is_ascii = 1, len(text), _STATEMENT.match, text.isascii()
    while at < size and (found := match(text, at)) is not None:
        kind = found.lastgroup
        if kind == "fact":
            if (breaks := text.count("\n", begin, at)) != 0:
                line, begin = line + breaks, text.rfind("\n", begin, at) + 1
            fact = found["fact"]
            if line not in named and (constant is None or constant.search(fact) is None):
                texts.append(fact)
                lines.append(line)
                columns.append(at - begin + 1)
                signature = predicate(fact)
                predicates.append(signatures.setdefault(signature, len(signatures)))
                rest += text[copied:at], " " * (len(fact) if is_ascii else len(fact.encode()))
                copied = at + len(fact)
                if (
                    not named
                    and text.startswith(f"\n{signature[0]}", copied)
                    and (block := _lines_of(*signature).match(text, copied + 1)) is not None
                    and (constant is None or constant.search(block[0]) is None)
                ):
                    # Python 3.11.2 ends a possessive match within the line that it does not match.
                    whole = block[0][: block[0].rfind("\n") + 1]
                    alike = whole[:-1].split("\n")
                    texts += alike
                    lines.extend(range(line + 1, line + len(alike) + 1))
                    columns.extend([1] * len(alike))
                    predicates.extend([signatures[signature]] * len(alike))
                    rest += "\n", whole.encode().translate(_BLANK).decode()
                    at = copied = block.start() + len(whole)
                    continue
        elif kind == "other" and _PART.match(found[0]) is not None:
            break
        at = end_of_comment(text, found.end()) if kind == "block" else found.end()
    if not texts:
        return text, Facts(file)
    return "".join([*rest, text[copied:]]), Facts(file, texts, lines, columns, predicates, tuple(signatures))


def predicate(fact: str) -> tuple[str, int]:
    """The predicate of a plain fact, and its arity."""
    found = _PREDICATE.match(fact)
    assert found is not None
    name, depth, arity = found[0], 0, 0
    if '"' not in fact and fact.count("(") == 1:  # nearly all
        return name, fact.count(",") + 1
    for token in _INSIDE.findall(fact):
        if token == "(":
            depth += 1
            arity = arity or 1
        elif token == ")":
            depth -= 1
        elif token == "," and depth == 1:
            arity += 1
    return name, arity
