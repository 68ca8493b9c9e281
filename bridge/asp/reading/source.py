"""Checks of program text before clingo reads it: its characters, and the size of its integers.

clingo silently wraps an integer of more than 32 bits around: `p(4294967296).` becomes `p(0).` So every text is looked
through before clingo reads it, with what it includes; and so are characters beyond ASCII, which clingo takes only in
comments and quoted strings, and refuses byte by byte elsewhere. Two searches by regular expression clear nearly all
programs; only what they leave is gone through token by token, to tell comments and strings from what counts.

What a program computes is not checked: `p(65536 * 65536).` wraps around, as clingo's arithmetic does. A term that
stands alone (an assumption, a value for `#const`) must fit however it is written: `p(2**40)` is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from os.path import dirname, isfile, join, realpath
from typing import Any

import clingo

from bridge.asp.decode import LARGEST, SMALLEST
from bridge.asp.reading.guard import place_at
from bridge.common.files import AS_LATIN_1, decoded, unreadable
from bridge.common.lazy import regex
from bridge.errors import InputError, Place, ProgramError

#: clingo's name for text that came from no file.
TEXT = "<block>"

_SUSPECT = regex(r"[0-9]{10}|0x[\da-fA-F]{8}|0o[0-7]{11}|0b[01]{32}")
_SAME_DIGITS = bytes.maketrans(b"123456789", b"000000000")
#: A string of clingo, which ends on its line.
_STRING = r'"(?:\\["\\n]|[^"\\\n])*"'
#: What may hold any character, and where it ends can be seen at a glance.
_FREE = regex(rf"{_STRING}|%[^\n]*")
#: What makes it harder to see.
_NESTED = regex(r"%\*|\#script\b")
_TOKEN = regex(
    r"(?P<include>\#include\b)"
    rf"|{_STRING}"
    r"|(?P<block>%\*)"
    r"|%[^\n]*"
    r"|(?P<script>\#script\b.*?\#end\b)"
    r"|(?P<word>[A-Za-z_][A-Za-z0-9_']*)"
    r"|(?P<number>0x[\da-fA-F]+|0o[0-7]+|0b[01]+|[0-9]+)"
    r"|(?P<open>\")"
    r"|(?P<foreign>[^\x00-\x7f])",
    re.DOTALL,
)
_NAME_OF_FILE = regex(_STRING)
#: Space and comments to the end of a line.
_SPACE = regex(r"(?:\s|%(?!\*)[^\n]*)*")
#: Inside a block comment: the edges of others (they nest), and comments to the end of a line, which may hide them.
_COMMENT_EDGE = regex(r"%\*|\*%|%[^\n]*")


def read_file(path: str) -> str:
    """A program's text. clingo's own message for a file that cannot be read does not say why."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise unreadable(error, path) from None
    return decoded(data, path)


def bytes_of(text: str, file: str) -> bytes:
    """The bytes of a text as clingo reads them, which counts columns in them: they may be no UTF-8 in its file."""
    if not text.isascii():
        with suppress(OSError), open(file, "rb") as opened:
            data = opened.read()
            if data.decode("utf-8", AS_LATIN_1) == text:
                return data
    return text.encode()


def check(text: str, file: str = TEXT, scripts: bool = True) -> None:
    """Refuse what clingo would take for something else, and scripts, unless they may run.

    That is an integer outside 32 bits or a character beyond ASCII outside comments and strings, here or in a file that
    is included; and a NUL character, where clingo would take the text to end.
    """
    _check(text, file, set(), scripts)


class Loaded:
    """The files of a program whose sources are parsed one after the other.

    clingo reads a file once, however often it is given and included; its parser knows only what one call includes.
    """

    def __init__(self) -> None:
        self._before: set[str] = set()
        self._now: dict[str, str] = {}

    def next(self) -> None:
        self._before.update(self._now.values())
        self._now.clear()

    def is_new(self, file: str) -> bool:
        """Whether a file of this source was in no source before."""
        if file == "<string>":
            return True
        if file not in self._now:
            self._now[file] = realpath(file)
        return self._now[file] not in self._before


def may_run(text: str) -> bool:
    """Whether a program with this text may have a script: in itself, or in what it includes."""
    return "#script" in text or "#include" in text


def includes_incmode(text: str, file: str = TEXT) -> bool:
    """Does a program contain `#include <incmode>`, itself or in a file that it includes?

    clingo's syntax trees do not show it.
    """
    return any(
        token["include"] is not None and is_incmode(each, token.end())
        for each in with_included(text, file)
        if "#include" in each
        for token in tokens(each)
    )


def with_included(text: str, file: str = TEXT) -> Iterator[str]:
    """The text of a program, and of each file that it includes."""
    waiting, seen = [(text, file)], set[str]()
    while waiting:
        text, file = waiting.pop()
        yield text
        for token in tokens(text) if "#include" in text else ():
            if token["include"] is None or (path := _included(text, token.end(), file)) is None:
                continue
            if (real := realpath(path)) not in seen:
                seen.add(real)
                waiting.append((read_file(path), path))


def tokens(text: str) -> Iterator[re.Match[str]]:
    """What stands in a program outside of comments: names, numbers, strings, scripts, inclusions."""
    at = 0
    while (token := _TOKEN.search(text, at)) is not None:
        at = end_of_comment(text, token.end()) if token["block"] is not None else token.end()
        yield token


def is_incmode(text: str, at: int) -> bool:
    """Is this the place of `<incmode>` in a directive, with space and comments anywhere in between?"""
    for expected in ("<", "incmode", ">"):
        at = _after_space(text, at)
        if not text.startswith(expected, at):
            return False
        at += len(expected)
    return True


def _after_space(text: str, at: int) -> int:
    """The end of the space and comments that begin here."""
    while (space := _SPACE.match(text, at)) is not None:
        at = space.end()
        if not text.startswith("%*", at):
            break
        at = end_of_comment(text, at + 2)
    return at


def check_options(options: Sequence[str]) -> None:
    """Refuse values for `#const` that are not terms, and what `check` refuses."""
    for option in options:
        check(option)  # an integer in `-c n=...` would be wrapped around, too
        if (constant := _CONSTANT.match(option)) is not None:
            term(constant[2])


def constant_set_by(option: str) -> str | None:
    """The constant that an option of clingo gives a value to; None of other options."""
    return None if (constant := _CONSTANT.match(option)) is None else constant[1]


def constants_of(texts: Iterable[str], options: Iterable[str] = ()) -> set[str]:
    """The names that programs or options define as constants; more, where such a definition stands in a comment."""
    given = {name for option in options if (name := constant_set_by(option)) is not None}
    return given.union(*(_DEFINED.findall(text) for text in texts))


#: A value for `#const` among the options: `-cn=8`, `--const=n=8`, or `n=8` after `-c`.
_CONSTANT = regex(r"(?:-c\s*|--const=)?([_']*[a-z][A-Za-z0-9_']*)=(.*)", re.DOTALL)
_DEFINED = regex(r"#const\s+([_']*[a-z][\w']*)\s*=", re.ASCII)


def term(text: str) -> clingo.Symbol:
    """A term or atom, from its text; an InputError where it is none, or a number in it does not fit in 32 bits."""
    try:
        check(text)
        if _COMPUTES.search(_FREE.sub('""', text)) is not None:
            _evaluate(text)
        return _parsed_as_fact(text) if _QUOTED.search(text) else clingo.parse_term(text, logger=lambda *_: None)
    except ProgramError as error:
        raise InputError(error.message, hint=error.hint) from None
    except UnicodeEncodeError:
        raise InputError(f"{text!r} is not valid Unicode", hint="it holds half of a surrogate pair") from None
    except RuntimeError:
        shown = text if len(text) <= 200 else f"{text[:197]}..."
        raise InputError(f"`{shown}` is not a term", hint="write it as in `queen(1,5)`") from None


#: A name that begins with a quote, which clingo reads in programs, and not in terms alone.
_QUOTED = regex(r"(?:^|(?<![\w'\"]))_*'[_']*[a-z]")


def _parsed_as_fact(text: str) -> clingo.Symbol:
    control = clingo.Control(["--warn=none"], logger=lambda *_: None)
    control.add("base", [], f"term({text}).")
    control.ground([("base", [])])
    found = [argument for atom in control.symbolic_atoms for argument in atom.symbol.arguments]
    if len(found) != 1:  # undefined arithmetic, a pool or an interval
        raise RuntimeError
    return found[0]


#: Arithmetic in a term. A minus sign before a number or a name is none.
_COMPUTES = regex(r"[+*/\\&?^~|]|(?<=[^(,\s])\s*-|-(?![0-9a-z_])")


def _evaluate(text: str) -> None:
    """Evaluate a term's arithmetic without wrapping around, and refuse it where a number does not fit.

    A division by zero is refused here, too: it ends the process when clingo does it.
    """
    from clingo import ast

    found: list[ast.AST] = []
    ast.parse_string(f"#const c = {text}.", found.append, logger=lambda *_: None)
    if len(found) != 2 or found[1].ast_type != ast.ASTType.Definition:  # the first says that `base` begins
        raise RuntimeError("no term")
    try:
        _number(found[1].value)
    except ZeroDivisionError:
        raise InputError(f"`{text}` divides by zero", hint="write the number") from None
    except OverflowError:
        raise InputError(f"`{text}` does not fit in clingo's 32-bit integers", hint="scale it down") from None
    except RecursionError:
        raise InputError("a term is nested too deeply", hint="keep it below some hundred levels") from None


def _number(node: Any) -> int | None:
    """The value of a term that is a number, None for any other; OverflowError where 32 bits are not enough."""
    from clingo import ast

    kind, value = node.ast_type, None
    if kind == ast.ASTType.SymbolicTerm:
        value = node.symbol.number if node.symbol.type == clingo.SymbolType.Number else None
    elif kind == ast.ASTType.Function:
        for argument in node.arguments:
            _number(argument)
    elif kind == ast.ASTType.UnaryOperation:
        inner, operator = _number(node.argument), ast.UnaryOperator(node.operator_type)
        if inner is not None and operator is not ast.UnaryOperator.Negation:  # which stays within 32 bits
            # `check` has let 2147483648 through, behind a minus sign only; clingo has wrapped it around already.
            literal = node.argument.ast_type == ast.ASTType.SymbolicTerm and inner == SMALLEST
            value = SMALLEST if literal else -inner if operator is ast.UnaryOperator.Minus else abs(inner)
    elif kind == ast.ASTType.BinaryOperation:
        left, right = _number(node.left), _number(node.right)
        if left is not None and right is not None:
            value = OPERATORS[ast.BinaryOperator(node.operator_type).name](left, right)
    if value is not None and not SMALLEST <= value <= LARGEST:
        raise OverflowError
    return value


def _power(base: int, exponent: int) -> int:
    # With a larger exponent all but 0, 1 and -1 are far out of bounds: they need not be computed.
    return base ** min(exponent, 64 + exponent % 2) if exponent >= 0 else 0


def _quotient(left: int, right: int) -> int:
    return abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)


def _remainder(left: int, right: int) -> int:
    # The processor computes both at once: a quotient that does not fit ends the process here, too.
    quotient = _quotient(left, right)
    return quotient if quotient > LARGEST else left - right * quotient


#: clingo's operators between numbers, without wrapping around.
OPERATORS: dict[str, Callable[[int, int], int]] = {
    "Plus": int.__add__,
    "Minus": int.__sub__,
    "Multiplication": int.__mul__,
    "Power": _power,
    "Division": _quotient,
    "Modulo": _remainder,
    "And": int.__and__,
    "Or": int.__or__,
    "XOr": int.__xor__,
}


def _check(text: str, file: str, seen: set[str], scripts: bool) -> None:
    if "\0" in text:
        raise ProgramError("a NUL character in the program", where=place_at(text, file, text.index("\0")))
    harmless = "#include" not in text and (scripts or "#script" not in text)
    if harmless and not _is_suspect(text) and not _has_foreign(text):
        return
    for token in tokens(text):
        negative = text[max(token.start() - 1, 0)] == "-"
        if (number := token["number"]) is not None and not _fits(number, negative):
            place = place_at(text, file, token.start())
            shown = number if len(number) <= 40 else f"{number[:37]}..."
            message = f"{shown} does not fit in clingo's 32-bit integers, in `{shown_line(text, place)}`"
            raise ProgramError(message, where=place, hint="scale it down")
        if (character := token["foreign"]) is not None:
            raise _foreign(character, text, place_at(text, file, token.start()))
        if token["open"] is not None:
            return  # a string that does not end: clingo tells where it begins
        if token["include"] is not None:
            path = _included(text, token.end(), file)
            if path is not None and realpath(path) not in seen:
                seen.add(realpath(path))
                _check(read_file(path), path, seen, scripts)
        elif token["script"] is not None and not scripts:
            place = place_at(text, file, token.start())
            hint = "isolated=True (in the shell no --in-process), or functions as context= in Python"
            raise ProgramError("scripts run only in a process of their own", where=place, hint=hint)


def _is_suspect(text: str) -> bool:
    """May there be an integer beyond 32 bits?"""
    # To search millions of digits for ten takes a tenth of the time when all digits are the same.
    digits = text.encode(errors="replace").translate(_SAME_DIGITS)
    return any(one in digits for one in (b"0" * 10, b"0x", b"0o", b"0b")) and _SUSPECT.search(text) is not None


def _has_foreign(text: str) -> bool:
    """May there be a character beyond ASCII outside comments and strings?"""
    return not text.isascii() and (_NESTED.search(text) is not None or not _FREE.sub("", text).isascii())


def _foreign(character: str, text: str, place: Place) -> ProgramError:
    import unicodedata  # here: a library to load

    name = unicodedata.name(character, "")
    called = f"{character!r} (U+{ord(character):04X}{f' {name}' if name else ''})"
    plain = unicodedata.normalize("NFKC", character)
    if character == "\ufeff":
        hint = "save the file without a byte order mark"
    elif (written := _WRITTEN.get(character)) is not None:
        hint = f"write `{written}` in its place"
    elif plain.isascii() and len(plain) == 1:
        hint = f"write {plain!r} in its place"
    else:
        hint = "put it in double quotes, or spell the name in ASCII"
    message = f"{called} stands outside comments and quoted strings, in `{shown_line(text, place)}`"
    return ProgramError(message, where=place, hint=hint)


#: How clingo writes a sign of mathematics or of a printed text.
_WRITTEN = {
    "≥": ">=", "≤": "<=", "≠": "!=", "←": ":-", "⇐": ":-", "¬": "not", "∼": "not", "∧": ",", "∨": ";", "−": "-",
    "–": "-", "“": '"', "”": '"', "„": '"', "×": "*", "…": "..",
}  # fmt: skip


def shown_line(text: str, place: Place) -> str:
    """The line of a text that a place is on, or what stands around it in a long one."""
    lines, column = text.split("\n", place.line or 1), (place.column or 1) - 1
    line = lines[min(place.line or 1, len(lines)) - 1]
    if len(line) <= LONGEST:
        return line.strip()
    start = min(max(0, column - LONGEST // 2), len(line) - LONGEST)
    cut = line[start : start + LONGEST].strip()
    return f"{'...' * (start > 0)}{cut}{'...' * (start + LONGEST < len(line))}"


#: So many characters of a line are shown in an error message.
LONGEST = 200


def _included(text: str, at: int, file: str) -> str | None:
    """The file that a directive includes whose name follows: as it is written, then beside the file that includes it.

    None where there is none, which is clingo's error.
    """
    if (string := _NAME_OF_FILE.match(text, _after_space(text, at))) is None:
        return None
    name = re.sub(r"\\(.)", lambda escape: "\n" if escape[1] == "n" else escape[1], string[0][1:-1])
    return next((path for path in (name, join(dirname(file), name)) if isfile(path)), None)


def _fits(number: str, negative: bool) -> bool:
    if number.isdecimal():
        return len(number) <= 10 and int(number) <= LARGEST + negative
    return len(number) <= 34 and int(number, 0) <= LARGEST + negative


def end_of_comment(text: str, at: int) -> int:
    """The end of a block comment that began just before: they nest."""
    depth = 1
    while depth and (edge := _COMMENT_EDGE.search(text, at)) is not None:
        depth += {"%*": 1, "*%": -1}.get(edge[0], 0)
        at = edge.end()
    return at if depth == 0 else len(text)
