"""clingo's messages as errors with file, line and column.

clingo gives the message to a logger, and then raises a RuntimeError without it. Here they are put together again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import clingo

from bridge.asp import internals
from bridge.asp.reading.guard import place_at
from bridge.asp.reading.source import TEXT, Loaded, shown_line
from bridge.asp.types import Part
from bridge.common.english import TOO_LARGE
from bridge.common.files import AS_LATIN_1
from bridge.common.lazy import regex
from bridge.errors import InputError, Place, ProgramError

if TYPE_CHECKING:
    from clingo.ast import AST

    from bridge.asp.reading.syntax import SyntaxCause

_MESSAGE = regex(
    r"(?P<file>.+?):(?P<line>\d+):(?P<column>\d+)(?:-[\d:]+)?: (?:error|warning|info|note): (?P<text>.*)", re.DOTALL
)
#: A place in a message, with the end of what it is about.
_SPAN = regex(
    r"^(?P<file>.+?):(?P<line>\d+):(?P<column>\d+)(?:-(?:(?P<last>\d+):)?(?P<end>\d+))?"
    r"(?=: (?:error|warning|info|note): )",
    re.MULTILINE,
)
#: What to do about variables that are unsafe, whatever binds them not.
UNSAFE_HINT = "give each variable a positive literal in the body"
_HINTS = (
    ("unsafe", UNSAFE_HINT),
    ("file could not be opened", "check the path"),
    ("lua support not available", "the clingo package for Python has no Lua; scripts may be in Python"),
    ("python support not available", "scripts run in a process of their own: isolated=True"),
    ("Integer overflow!", "`lpbridge lint --instances` names the sum, where it finds it"),
)
#: The place of a message about a directive, and not about a file that it includes.
_OF_DIRECTIVE = regex(rf"^{TEXT}:[\d:-]+ ")
#: An unsafe variable in a message; `#Range0` and the like are clingo's own.
_NOTE = regex(r"(?P<place>.+?:\d+:\d+(?:-[\d:]+)?): note: '(?:(?P<own>#Anon\d+)|(?P<name>[^#][^ ]*))' is unsafe")
#: What is said of a variable in arithmetic.
COMPUTED = "`{}` is computed, and binds nothing: another literal has to give its variable a value"
QUOTES = 'single quotes are no quotes: write "{0}" as a string'
_NO_THEORY = regex(r"no definition found for theory atom:\s*([a-z_]\w*)/")


#: In a longer program no cause of a syntax error is looked for: that may parse it three times.
_LONG = 1_000_000

#: So many warnings are kept of a program.
KEPT = 100

_Code = clingo.MessageCode


class Messages:
    """The messages of one Control. Its `log` is the logger to pass to clingo.

    `loaded` has the files that were given to the Control as syntax trees, and `texts` the programs of which clingo has
    parsed a part as text, by their files.
    """

    def __init__(self) -> None:
        self.loaded = Loaded()
        self.texts: dict[str, str] = {}
        self._errors: list[str] = []
        self._warnings: list[tuple[clingo.MessageCode, str]] = []

    def log(self, code: clingo.MessageCode, text: str) -> None:
        # An exception in a logger ends the process: nothing here raises one.
        if code is _Code.RuntimeError:
            self._errors.append(text.strip())
        elif len(self._warnings) < KEPT:
            self._warnings.append((code, text.strip()))

    def control(self, options: Iterable[str]) -> clingo.Control:
        """A Control that logs here; a ProgramError where clingo does not take the options."""
        try:
            with internals.logging():
                return clingo.Control(list(options), logger=self.log, message_limit=10_000)
        except RuntimeError as error:
            raise self.error(str(error)) from None

    def parse(
        self, kind: str, source: str, take: Callable[[AST], object], control: clingo.Control | None = None
    ) -> None:
        """Have clingo parse a file or a text; statements of files that were in a source before are left out."""
        from clingo import ast

        self.loaded.next()

        def take_new(statement: AST) -> None:
            if self.loaded.is_new(statement.location.begin.filename):
                take(statement)

        if kind == "file":
            ast.parse_files([source], take_new, control, self.log, 10_000)
        else:
            ast.parse_string(source, take_new, control, self.log, 10_000)

    def load(
        self,
        control: clingo.Control,
        kind: str,
        source: str,
        part: Part,
        give: Callable[[], None] | None = None,
        file: str = TEXT,
    ) -> None:
        """Give a program to clingo, by a function of the caller's where it is rewritten.

        A ProgramError has place and line where clingo cannot read it.
        """
        try:
            with internals.logging():
                if give is not None:
                    give()
                elif kind == "file":
                    control.load(source)
                else:
                    control.add(part[0], part[1], source)
        except RuntimeError as error:
            self.look_for_unsafe(kind, source)
            raise self.error(str(error), source if kind == "text" else None, file) from None
        except UnicodeEncodeError:
            raise InputError("the text is not valid Unicode", hint="it holds half of a surrogate pair") from None

    def look_for_unsafe(self, kind: str, source: str) -> None:
        """Add the unsafe variables of a program that clingo cannot read, in the statements that it can."""
        from clingo import ast

        logged: list[str] = []
        with internals.logging(), suppress(RuntimeError):
            control = clingo.Control(["--warn=none"], lambda _, text: logged.append(text.strip()))
            with ast.ProgramBuilder(control) as builder, suppress(RuntimeError):

                def take(node: AST) -> None:
                    if node.ast_type is not ast.ASTType.Script:  # it would run
                        builder.add(node)

                Messages().parse(kind, source, take)
            control.ground([])
        self._errors += [one for one in logged if "unsafe variables in:" in one]

    def load_files(self, control: clingo.Control, directives: str) -> None:
        """Give files to clingo, by directives that include them, with the messages of files on a command line."""
        before = len(self._warnings)
        self.load(control, "text", directives, ("base", ()))
        self._warnings[before:] = [(code, _OF_DIRECTIVE.sub("<cmd>: ", text)) for code, text in self._warnings[before:]]

    def warnings(self) -> list[str]:
        """All messages that were not errors, as clingo wrote them."""
        return [placed(text, self.texts) for _, text in self._warnings]

    def remark(self, text: str) -> None:
        """Add a warning of our own, once."""
        if (_Code.Other, text) not in self._warnings:
            self._warnings.append((_Code.Other, text))

    def adopt(self, other: Messages) -> None:
        """Add the warnings of another Control with the same program."""
        self._warnings += [one for one in other._warnings if one not in self._warnings]

    @property
    def failed(self) -> bool:
        """Is there an error that was not taken?"""
        return bool(self._errors)

    def error(self, fallback: str, text: str | None = None, file: str = TEXT) -> ProgramError:
        """The errors since the last one taken, as a ProgramError that shows place and line, with the others in it.

        Where clingo has logged nothing, `fallback` is what is wrong. A program that came from no file is in `text`, and
        its place has `file` as file.
        """
        logged = [*dict.fromkeys(placed(one, self.texts) for one in self._errors)] or [fallback]
        self._errors.clear()
        logged = [part for one in logged[:KEPT] for part in _one_by_one(one)]
        found_at = [self._error(one, text, file) for one in logged if _MESSAGE.match(one) is not None]
        if not found_at:
            return self._error(logged[0], text, file)
        files = [*dict.fromkeys(one.where.file for one in found_at if one.where)]
        found, *others = _causes(sorted(found_at, key=lambda one: _order(one.where or Place(), files)))
        found.others = tuple(others)
        return found

    def _error(self, logged: str, text: str | None, file: str) -> ProgramError:
        hint = next((hint for word, hint in _HINTS if word in logged), None)
        if (undefined := no_theory(logged)) is not None:
            from bridge.asp.running.theories import option_for

            hint = option_for(undefined)
        if (match := _MESSAGE.match(logged)) is None:
            is_sum = "Value too large for defined data type: Integer overflow!" in logged
            return ProgramError(TOO_LARGE if is_sum else " ".join(logged.split()), hint=hint)
        place = Place(match["file"], int(match["line"]), int(match["column"]))
        if place.file == "<string>":  # that is what clingo calls a text that has been rewritten
            place = replace(place, file=file)
        own = place.file == file and text is not None
        data = text.encode("utf-8", "replace") if own and text is not None else bytes_of(place.file)
        what = match["text"] if data is None else in_characters(match["text"], lambda name: [data])
        message = " ".join(what.split()).replace("<string>:", f"{place.file}:")
        if data is not None:
            found = _cause(data, place, message) if message.startswith(("syntax error", "lexer error")) else None
            if found is None:
                place = _in_characters(data, place)
            else:
                line = "" if found[0].line == place.line else f" in line {place.line}"
                place, message, hint = found[0], f"{found[1].sentence} ({message}{line})", found[1].remedy
            if line := shown_line(data.decode("utf-8", AS_LATIN_1), place):
                message += f", in `{line}`"
                name = re.match(r"`(_*'*[A-Z][\w']*)` is unsafe: ", message)
                computed = rf"(?<=[(,])[^(),]*\b{name[1]}\b\s*[*/\\+-][^(),]*(?=[),])" if name is not None else ""
                term = re.search(computed, line.partition(":-")[2]) if computed else None
                if name is not None and name[1].startswith("'"):
                    hint = QUOTES.format(name[1].strip("'"))
                elif term is not None:
                    hint = COMPUTED.format(term[0].strip())
                elif name is not None and ":-" not in line:
                    hint = f"a fact has no variables: `{name[1]}` is one, since it begins with a capital letter"
                    if re.search(r"[\w)]\s*<[-=]", line):
                        hint = "`<-` and `<=` are comparisons of terms: head and body of a rule are separated by `:-`"
        return ProgramError(message, where=place, hint=hint)


#: A place in a text, with the end of what it is about, if that is in the same line.
_OF_TEXT = regex(r"<string>:(?P<line>\d+):(?P<column>\d+)(?:-(?P<end>\d+)(?!:\d))?")


def placed(message: str, texts: Mapping[str, str]) -> str:
    """A message of clingo with the file that it is about, where it has parsed this as text: without plain facts.

    `texts` are the programs by their files. All places of a message are in one statement; where that could be in
    several files, they stay as they are.
    """
    places = [*_OF_TEXT.finditer(message)] if texts else []
    files = [file for file, text in texts.items() if all(_fits(text, place) for place in places)]
    return message.replace("<string>:", f"{files[0]}:") if places and len(files) == 1 else message


def _fits(text: str, place: re.Match[str]) -> bool:
    """Whether a part of a program can be what a message is about: words and brackets are whole."""
    number, column, end = int(place["line"]), int(place["column"]), int(place["end"] or 0)
    lines = text.split("\n", number)
    if len(lines) < number:
        return False
    line = lines[number - 1].encode("utf-8", AS_LATIN_1)
    before, part = line[: column - 1], line[column - 1 : end - 1 if end else None]
    after = line[end - 1 :] if end else b""
    return (
        (column == 1 or len(before) == column - 1)
        and bool(part[:1].strip())
        and not (before[-1:].isalnum() and part[:1].isalnum())
        and not (end and part[-1:].isalnum() and after[:1].isalnum())
        and not (end and (part.count(b"(") != part.count(b")") or part.count(b"{") != part.count(b"}")))
    )


def _one_by_one(logged: str) -> Iterator[str]:
    """A message of clingo; one about unsafe variables as one for each of them, at its place.

    clingo writes what it has made of the rule, switches and all, with what it has put in place of terms; and then each
    variable with its place.
    """
    if not (variables := unsafe_variables(logged)):
        yield logged
    for name, place in variables.items():
        yield f"{place}: error: `{name}` is unsafe: no literal of the body binds it"


def unsafe_variables(logged: str) -> dict[str, str]:
    """The unsafe variables that a message of clingo is about, each with the first of its places, in bytes."""
    if (whole := _MESSAGE.match(logged)) is not None:  # the inside of a statement that was read as text is in <string>
        logged = logged.replace("\n<string>:", f"\n{whole['file']}:")
    notes = [match for match in map(_NOTE.match, logged.split("\n")) if match is not None]
    found = {"_" if match["own"] else match["name"]: match["place"] for match in reversed(notes)}
    return dict(reversed(found.items())) if "unsafe variables in:" in logged else {}


def _causes(found: Sequence[ProgramError]) -> Iterator[ProgramError]:
    """Errors in their order, without those behind a syntax error in the same line, which follow from it."""
    broken: tuple[str | None, int | None] | None = None
    for one in found:
        where = one.where or Place()
        if (where.file, where.line) == broken:
            continue
        if "syntax error" in one.message or "lexer error" in one.message:
            broken = where.file, where.line
        yield one


def no_theory(message: str) -> str | None:
    """The name of the theory atom that a message says has no definition."""
    found = _NO_THEORY.search(message)
    return None if found is None else found[1]


def _order(place: Place, files: Sequence[str | None]) -> tuple[int, int, int]:
    return files.index(place.file), place.line or 0, place.column or 0


def _cause(data: bytes, place: Place, message: str) -> tuple[Place, SyntaxCause] | None:
    """What a syntax error is about, and where it stands, in characters."""
    if len(data) > _LONG or place.line is None or place.column is None:
        return None
    from bridge.asp.reading.syntax import cause  # here: few programs have an error

    text = data.decode("utf-8", AS_LATIN_1)
    before = (data.split(b"\n")[place.line - 1 : place.line] or [b""])[0][: place.column - 1]
    found = cause(text, place.line, len(before.decode("utf-8", AS_LATIN_1).encode()) + 1, message)
    return None if found is None else (place_at(text, place.file or TEXT, found.at), found)


def bytes_of(name: str | None) -> bytes | None:
    """The program that a message is about, where it can be read."""
    try:
        with open(name or "", "rb") as file:
            return file.read()
    except (OSError, ValueError):
        return None


def texts_of_file(name: str) -> list[bytes]:
    """The text of a file, for `in_characters`; nothing where it cannot be read."""
    return [data] if (data := bytes_of(name)) is not None else []


def in_characters(message: str, texts_of: Callable[[str], Sequence[bytes]]) -> str:
    """A message of clingo, which counts bytes, with its places counted in characters.

    `texts_of` gives the texts that have a name; a place stays where they do not agree.
    """

    def counted(match: re.Match[str]) -> str:
        found = {_span(data, match) for data in texts_of(match["file"])} - {None}
        return match["file"] + found.pop() if len(found) == 1 else match[0]  # type: ignore[operator]

    return _SPAN.sub(counted, message)


def _span(data: bytes, match: re.Match[str]) -> str | None:
    """The place in a text; None where the text is too short for it."""
    line, column, last, end = (int(match[name] or 0) for name in ("line", "column", "last", "end"))
    lines = data.split(b"\n")
    if max(line, last) > len(lines) or len(lines[line - 1]) < column - 1:
        return None
    begin = _in_characters(data, Place(None, line, column))
    until = _in_characters(data, Place(None, last or line, end))
    return f":{line}:{begin.column}{f'-{last}:{until.column}' if last else f'-{until.column}' if end else ''}"


def place_in_characters(place: Place, texts: Sequence[bytes]) -> Place:
    """A place that clingo gives, counted in characters; as it is where the texts that it may be in do not agree."""
    found = {_in_characters(data, place) for data in texts if data.count(b"\n") + 1 >= (place.line or 1)}
    return found.pop() if len(found) == 1 else place


def _in_characters(data: bytes, place: Place) -> Place:
    """clingo counts the bytes of a line: the same place, counted in characters."""
    lines = data.split(b"\n", place.line or 1)
    if (place.line or 1) > len(lines) or lines[(place.line or 1) - 1].isascii():
        return place
    before = lines[(place.line or 1) - 1][: (place.column or 1) - 1]
    return replace(place, column=len(before.decode("utf-8", AS_LATIN_1)) + 1)
