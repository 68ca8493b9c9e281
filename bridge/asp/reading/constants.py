"""The constants that are given to a program from outside, by `-c n=8` or `Program(..., n=8)`: does it have them?

clingo silently takes a value for a constant that occurs nowhere. A program has a constant when it is a term in it, with
`#const` or without, itself or in a file that it includes. Of one with a script, which may ask for any, that is not
known.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from bridge.asp.given import unknown_constant
from bridge.asp.reading.source import TEXT, constant_set_by, constants_of, is_incmode, tokens, with_included
from bridge.common.lazy import regex

#: Those that the incremental mode reads.
_INCREMENTAL = ("imin", "imax", "istop")


class Constants:
    """Constants that have been given values by options.

    `unknown` are those that no text has so far, `defined` those that `#const` defines, while any is unknown.
    """

    def __init__(self, options: Iterable[str]) -> None:
        self.unknown = dict.fromkeys(name for option in options if (name := constant_set_by(option)) is not None)
        self.defined: dict[str, None] = {}

    def look(self, text: str, file: str = TEXT) -> None:
        """Look through a program, and what it includes."""
        if not self.unknown:
            return
        for each in with_included(text, file):
            self.defined |= dict.fromkeys(sorted(constants_of([each])))
            for name in _known(each, self.unknown):
                self.unknown.pop(name, None)

    def check(self) -> None:
        """Refuse what no program that was looked through has, with the constant that was perhaps meant."""
        for name in self.unknown:
            raise unknown_constant(name, list(self.defined))


def _known(text: str, names: Collection[str]) -> set[str]:
    """Those of some names that are terms in a text."""
    term = re.compile(rf"(?<![\w'])(?:{'|'.join(map(re.escape, names))})(?![\w'])(?!\s*\()")
    if "#script" not in text and "#include" not in text and term.search(text) is None:
        return set()
    found, scripts = set[str](), "#script" in text
    for token in tokens(text):
        if not scripts and found.issuperset(names):
            break
        if token["script"] is not None:
            return set(names)
        if token["include"] is not None and is_incmode(text, token.end()):
            found.update(_INCREMENTAL)
        elif token["word"] in names and term.match(text, token.start()) is not None:
            signature = _DIRECTIVE.search(text, max(0, token.start() - 20), token.start()) is not None
            if not (signature and _ARITY.match(text, token.end()) is not None):
                found.add(token["word"])
    return found


#: What stands before and after the name of a predicate that is not a term: `#show at/2.`
_DIRECTIVE, _ARITY = regex(r"#(?:show|project|defined)\s+-?\Z"), regex(r"\s*/\s*\d+\s*\.")
