"""What an untrusted program may contain: no scripts, and no files but those that were given.

The text is searched, not tokenised: `#script` and `#include` count wherever they stand, also in a comment. So the check
does not depend on reading a program exactly as clingo does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from os.path import dirname, join, realpath

from bridge.asp.types import Source
from bridge.common.lazy import regex
from bridge.errors import InputError, Place, ProgramError

_SCRIPT = regex(r"#\s*script\b")
_INCLUDE = regex(r"#\s*include\b(?:\s*(?:\"(?P<file>[^\"\\]*)\"|(?P<incmode><incmode>))\s*\.)?")
#: Options that only say how to search, of clingo and of the theories. Others read files or write them.
_OPTIONS = regex(
    r"-c\w+=.*|--const=.*|--configuration=(auto|frumpy|jumpy|tweety|handy|crafty|trendy|many)"
    r"|--(heuristic|restarts|deletion|opt-strategy|opt-mode|enum-mode|seed|sat-prepro|eq|rand-freq|trans-ext|backprop|sign-def"
    r"|vsids-acids|parallel-mode|warn|project|models|minimize-variable|rdl|propagate)(=.*)?",
    re.DOTALL,
)
#: Any other value is the name of a file, and clingo's error message shows what is in it.
_NAMES_FILE = regex(r"--conf\w*=|--(lemma|hcc)\b")


def guard(sources: Sequence[Source], options: Sequence[str] = (), files: Iterable[str] = ()) -> None:
    """Refuse scripts, files given neither here nor before (`files`), and options that are not about search."""
    given = {realpath(source) for kind, source in sources if kind == "file"} | set(map(realpath, files))
    for option in options:
        if _OPTIONS.fullmatch(option) is None:
            why = ": it names a file" if _NAMES_FILE.match(option) else ""
            raise InputError(f"the option {option!r} is not for untrusted programs{why}", hint="leave it out")
    for kind, source in sources:
        text = source if kind == "text" else _read(source)
        _guard(text, source if kind == "file" else "<block>", given)


def _guard(text: str, file: str, given: set[str]) -> None:
    if found := _SCRIPT.search(text):
        raise ProgramError("an untrusted program runs no scripts", where=place_at(text, file, found.start()))
    for found in _INCLUDE.finditer(text):
        if found["incmode"]:
            continue
        places = (found["file"], join(dirname(file), found["file"])) if found["file"] else ()
        if not any(_is_given(path, given) for path in places):
            raise ProgramError(
                "an untrusted program includes only files that were given with it",
                where=place_at(text, file, found.start()),
                hint="name the file, too",
            )


def _is_given(path: str, given: set[str]) -> bool:
    try:
        return realpath(path) in given
    except ValueError:  # a NUL character, or half of a surrogate pair
        return False


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""  # loading it says what is wrong


def place_at(text: str, file: str, at: int) -> Place:
    before = text[:at]
    return Place(file, before.count("\n") + 1, at - (before.rfind("\n") + 1) + 1)
