"""Program text on its way to clingo: can it be read, and do its integers fit?

clingo wraps an integer of more than 32 bits without a word: `p(4294967296).` becomes `p(0).` So every text is looked
through before clingo sees it, with what it includes. One search by regular expression clears nearly all programs; only
a text that has some long number is gone through token by token, to tell comments and strings from what counts.
"""

from __future__ import annotations

import re
from pathlib import Path

import clingo

from bridge.asp.decode import LARGEST
from bridge.errors import InputError, Place, ProgramError

#: clingo's name for text that came from no file.
TEXT = "<block>"

_SUSPECT = re.compile(r"\d{10}|0x[\da-fA-F]{8}|0o[0-7]{11}|0b[01]{32}")
_TOKEN = re.compile(
    r'\#include\s*"(?P<include>(?:\\.|[^"\\])*)"'
    r'|"(?:\\.|[^"\\])*"'
    r"|(?P<block>%\*)"
    r"|%[^\n]*"
    r"|\#script\b.*?\#end\b"
    r"|[A-Za-z_][\w']*"
    r"|(?P<number>0x[\da-fA-F]+|0o[0-7]+|0b[01]+|\d+)",
    re.DOTALL,
)
#: Inside a block comment: the edges of others (they nest), and comments to the end of a line, which may hide them.
_COMMENT_EDGE = re.compile(r"%\*|\*%|%[^\n]*")


def read_file(path: Path) -> str:
    """A program's text. clingo's own words for a file that cannot be read do not say why."""
    place = Place(str(path))
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        raise InputError("no such file", where=place, hint="check the path") from None
    except UnicodeDecodeError as error:
        raise InputError(f"byte {error.start} is not UTF-8", where=place, hint="is this a program?") from None
    except OSError as error:
        raise InputError(error.strerror or "cannot be read", where=place) from None


def check(text: str, file: str = TEXT) -> None:
    """Refuse what clingo would take for something else.

    Raises
    ------
    ProgramError
        For an integer outside 32 bits, here or in a file that is included; for a NUL character, where clingo would
        take the text to end.
    """
    _check(text, file, set())


def term(text: str) -> clingo.Symbol:
    """A term or atom that somebody wrote."""
    try:
        check(text)
        return clingo.parse_term(text, logger=lambda *_: None)
    except ProgramError as error:
        raise InputError(error.message, hint=error.hint) from None
    except UnicodeEncodeError:
        raise InputError(f"{text!r} is not valid Unicode", hint="it holds half of a surrogate pair") from None
    except RuntimeError:
        raise InputError(f"`{text}` is not a term", hint="write it as in `queen(1,5)`") from None


def _check(text: str, file: str, seen: set[Path]) -> None:
    if "\0" in text:
        raise ProgramError("a NUL character in the program", where=_place(text, file, text.index("\0")))
    if _SUSPECT.search(text) is None and "#include" not in text:
        return
    at = 0
    while (token := _TOKEN.search(text, at)) is not None:
        at = token.end()
        if token["block"] is not None:
            at = _end_of_comment(text, at)
        elif (number := token["number"]) is not None and not _fits(number, text[: token.start()][-1:] == "-"):
            place = _place(text, file, token.start())
            line = text.split("\n")[(place.line or 1) - 1].strip()
            shown = number if len(number) <= 40 else f"{number[:37]}..."
            message = f"{shown} does not fit in clingo's 32-bit integers, in `{line[:200]}`"
            raise ProgramError(message, where=place, hint="scale it down")
        elif (name := token["include"]) is not None:
            _check_included(name, file, seen)


def _check_included(name: str, file: str, seen: set[Path]) -> None:
    # Where clingo looks: as it is written, then beside the file that includes it. What is not there, clingo tells.
    for path in (Path(name), Path(file).parent / name):
        if path.is_file():
            if path.resolve() not in seen:
                seen.add(path.resolve())
                _check(path.read_text(encoding="utf-8", errors="replace"), str(path), seen)
            return


def _fits(number: str, negative: bool) -> bool:
    if number.isdecimal():
        return len(number) <= 10 and int(number) <= LARGEST + negative
    return len(number) <= 34 and int(number, 0) <= LARGEST + negative


def _end_of_comment(text: str, at: int) -> int:
    """The end of a block comment that began just before: they nest."""
    depth = 1
    while depth and (edge := _COMMENT_EDGE.search(text, at)) is not None:
        depth += {"%*": 1, "*%": -1}.get(edge[0], 0)
        at = edge.end()
    return at if depth == 0 else len(text)


def _place(text: str, file: str, at: int) -> Place:
    before = text[:at]
    return Place(file, before.count("\n") + 1, at - (before.rfind("\n") + 1) + 1)
