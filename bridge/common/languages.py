"""The two languages, and how the language of a file or a string is recognised.

>>> language_of_path("queens.lp4"), language_of_path("rooms.plt"), language_of_path("notes.txt")
('clingo', 'prolog', None)
>>> language_of_text("{ queen(1..8, 1..8) } = 8."), language_of_text(":- use_module(library(clpfd)).")
('clingo', 'prolog')
>>> language_of_text("p(1).") is None
True
"""

from __future__ import annotations

import re
from os import PathLike, fspath
from os.path import splitext
from typing import Literal

from bridge.common.lazy import regex

Language = Literal["clingo", "prolog"]

#: The language of a file, by its suffix.
SUFFIXES: dict[str, Language] = {
    ".lp": "clingo",
    ".lp4": "clingo",
    ".ilp": "clingo",
    ".asp": "clingo",
    ".clingo": "clingo",
    ".pl": "prolog",
    ".pro": "prolog",
    ".prolog": "prolog",
    ".plt": "prolog",
    ".chr": "prolog",
}

#: How each is called in messages.
NAMES: dict[Language, str] = {"clingo": "clingo", "prolog": "Prolog"}

#: What ends a statement, in both languages: a dot before white space or the end.
_END_OF_STATEMENT = regex(r"\.(\s|%|$)")


def language_of_path(path: str | PathLike[str]) -> Language | None:
    """The language of a file by its suffix; None for any other suffix."""
    return SUFFIXES.get(splitext(fspath(path))[1].lower())


def is_path(source: str | PathLike[str]) -> bool:
    """Whether a source is the path of a file, and not program text.

    An `os.PathLike` is. A string is when it has no line break, no dot that ends a statement, and either a known suffix
    or a path separator: `"queens.lp"`, `"encodings/queens"`. It does not matter whether there is such a file.
    """
    if not isinstance(source, str):
        return True
    if "\n" in source or source.lstrip().startswith("%"):
        return False
    like_one = language_of_path(source) is not None or "/" in source or "\\" in source
    return like_one and _END_OF_STATEMENT.search(source) is None


def is_text(source: str) -> bool:
    """Whether a string is program text beyond doubt: it has a line break, or a dot that ends a statement."""
    return not is_path(source) and ("\n" in source or _END_OF_STATEMENT.search(source) is not None)


#: Comments and quoted text, which may hold anything.
_BLOCK = r"%\*.*?\*%|/\*.*?\*/"
_QUOTED = r"\"(?:\\.|[^\"\\\n])*\"|(?<![\w'])'(?:\\.|''|[^'\\\n])*'(?!\w)"
_OPAQUE = regex(rf"(?<=#script)\b.*?#end\b|{_BLOCK}|{_QUOTED}|(?<!0')%[^\n]*", re.DOTALL)

_SIGNS: dict[Language, re.Pattern[str]] = {
    "clingo": regex(
        r"""
          (?<![\w#])\#(show|const|program|minimi[sz]e|maximi[sz]e|external|script|defined|theory|heuristic|project|edge)\b
        | \#(count|sum\+?|min|max)\s*\{
        | \#(true|false|sup|inf)\b
        | \#include\s*["<]
        | (^|[.\s]):~\s                                  # a weak constraint
        | ^(\w+\s*(<=?|=)?\s*)?\{                        # a choice: it begins a head
        | \}\s*(!?=|<=?|>=?)\s*\w+\s*(:-|\.(\s|$))       # or ends one, with a bound
        | (:-|,|;|^)\s*not\s+-?[a-z_]\w*                  # a negated literal, without parentheses
        | \b\w+\([^()]*\b\d+\s*\.\.\s*\w+[^()]*\)\s*\.  # a fact with an interval
        """,
        re.VERBOSE | re.MULTILINE,
    ),
    "prolog": regex(
        r"""
          ^:-\s*(module|use_module|dynamic|discontiguous|initialization|table|multifile|set_prolog_flag|ensure_loaded|op
                 |chr_constraint|consult|include|use_rendering|begin_tests|license|meta_predicate|style_check)\b
        | ^\#!.*\b(swipl|prolog)
        | ^\?-\s
        | -->
        | (?<![<-])->(?!>) | \*->
        | \\\+ | =\.\. | (?<![\w@])\s!\s*[,.;]
        | \#(=|\\=|>|<|<==>|==>|>=|=<)                    # clpfd
        | (<=>|==>)                                       # CHR
        | \b[A-Z_]\w*\s+(is|in|ins)\s
        | =<|\\=|=:=|=\\=|\\==|(?<![\w<>=!])==\s*\[
        | [(,|=]\s*\[[^\[\]]*\]|\[[^\[\]]*\|[^\[\]]*\]     # lists
        | 0'\S
        """,
        re.VERBOSE | re.MULTILINE,
    ),
}


def language_of_text(text: str) -> Language | None:
    """The language of program text by what occurs only in one of them; None where there is nothing, or both.

    Comments and quoted text do not count. Facts and plain rules are in both languages.
    """
    bare = text if text.startswith("#!") else _OPAQUE.sub(" ", text)
    found = [language for language, signs in _SIGNS.items() if signs.search(bare)]
    return found[0] if len(found) == 1 else None
