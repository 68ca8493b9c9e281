"""`lint` of Prolog programs: the checks, and what their findings say.

The text is read by `bridge/prolog/lpbridge_lint.pl` and the files that it loads; nothing of the program runs. What the
program loads is read, too, for what it defines: libraries of the system, and local files.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise
from os import PathLike, fspath
from pathlib import Path
from types import MappingProxyType
from typing import Any

from bridge.common import how_ended, is_path, is_slip, nearest, shown_path
from bridge.errors import LimitError, Place, ProgramError
from bridge.limits import UNLIMITED, Deadline, LimitName, Limits
from bridge.linting.findings import CHECKS, Check, Finding, Fix, Level, check, declare, is_there
from bridge.linting.result import LIMITS, Lint, of_findings
from bridge.problem import PROLOG, text_of
from bridge.prolog import Session

Signature = tuple[str, int]

#: Nothing defines a predicate with so many arguments; there is one with the same name.
ARITY = declare("PL004", "prolog-wrong-arity", "warning")
_LINT = "lpbridge_lint:lint(Given, Texts, Goals, Result)"

#: Rounds of reading files that files load.
_ROUNDS = 20

#: Shorter names are slips of those of libraries too easily.
_SHORT = 5


@dataclass(frozen=True)
class _Text:
    """A file or text: its name, its path or None, what is in it."""

    name: str
    path: Path | None
    text: str

    @cached_property
    def _lines(self) -> list[int]:
        return [0, *accumulate(len(line) + 1 for line in self.text.split("\n"))]

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, from 1."""
        offset = min(offset, len(self.text))
        line = bisect_right(self._lines, offset) - 1
        return line + 1, offset - self._lines[line] + 1

    def line(self, offset: int) -> int:
        return self.position(offset)[0]

    def byte(self, offset: int) -> int:
        return len(self.text[:offset].encode())

    @property
    def packed(self) -> list[str]:
        return [self.name, "" if self.path is None else str(self.path), self.text]


@dataclass(frozen=True, slots=True)
class _Known:
    """What is defined, and whether that is all."""

    own: frozenset[Signature]  #: The predicates of the program; `others` are those of the system and of libraries.
    others: frozenset[Signature]
    open: frozenset[str]  #: Why there may be others; empty when there are none.
    whole: bool  #: Whether the program is more than a part of one.
    #: Names that begin a line of a clause with a syntax error: perhaps of predicates that it defines.
    unread: frozenset[str] = frozenset()

    @property
    def certain(self) -> bool:
        return self.whole and not self.open


@dataclass
class _Reading:
    """What was read: the texts, the raw findings, and the rest of the result of `lpbridge_lint:lint/4`."""

    texts: dict[str, _Text]
    given: list[str]
    result: list[Any] = field(default_factory=list)
    limit: LimitName | None = None
    notes: list[str] = field(default_factory=list)


def lint_prolog(
    sources: Sequence[str | PathLike[str]],
    *,
    whole: bool = False,
    alone: bool = False,
    limits: Limits = LIMITS,
    session: Session | None = None,
    unsaved: Mapping[str, str] = MappingProxyType({}),
) -> Lint:
    """What is probably wrong in a Prolog program: files (paths, or strings that end in `.pl`) and program text.

    With `whole` these, with what they load, are all of the program; with `alone` local files that they load are left
    unread. Files of which an editor has another text have it in `unsaved`, by absolute path. A `lint_session` can serve
    many calls. Raises InputError when a file cannot be read.
    """
    deadline = Deadline(limits.seconds)
    if session is not None:
        return _linted(_read_in(session, sources, alone, deadline, (), unsaved), whole)
    return _linted(_read(sources, alone, deadline), whole)


def lint_session(limits: Limits = UNLIMITED) -> Session:
    """A process that reads Prolog programs for `lint`, and runs nothing of them."""
    return Session(PROLOG / "lpbridge_lint.pl", output="nowhere", limits=limits)


#: The check of what costs time only.
_TIME = "PL026"


def noticed(
    sources: Sequence[str | PathLike[str]], goals: Sequence[str], *, alone: bool = False, endless: bool = False
) -> tuple[list[Finding], list[Finding]]:
    """What lint finds in a program whose goals go wrong: in the clauses that the goals reach, and elsewhere.

    In the first list the certain findings come first; then, of these clauses, what may be meant, but for what costs
    time unless the goals are `endless`. In the second list are the certain findings of other clauses.
    """
    reading = _read(sources, alone, Deadline(LIMITS.seconds), goals)
    findings = _linted(reading, whole=True).findings
    reached = list(_reached(reading, goals))

    def span(one: Finding) -> tuple[str, int, int] | None:
        line = one.place.line or 0
        return next((each for each in reached if each[0] == one.place.file and each[1] <= line <= each[2]), None)

    def is_reached(one: Finding) -> bool:
        return span(one) is not None

    certain = [one for one in findings if one.level != "info"]
    likely = [one for one in findings if one.level == "info" and (endless or one.id != _TIME) and is_reached(one)]
    # A variable that stands once is what is left over where something else is wrong with the clause.
    clauses = {span(one) for one in (*certain, *likely) if one.id != "PL002"}
    likely = [one for one in likely if one.id != "PL002" or span(one) not in clauses]
    here = [one for one in certain if is_reached(one) or one.id == "PL001"]
    return here + likely, [one for one in certain if one not in here]


_NAME = re.compile(r"\b[a-z]\w*|'[^'\n]*'")


def _reached(reading: _Reading, goals: Sequence[str]) -> Iterator[tuple[str, int, int]]:
    """The clauses that goals may reach: file, first and last line. One reaches each predicate whose name it has."""
    clauses: dict[str, list[tuple[str, int, int, set[str]]]] = {}
    for file, begin, end in reading.result[2] if reading.result else ():
        text = reading.texts[str(file)]
        names = _NAME.findall(text.text[begin:end])
        if names:
            place = str(file), text.line(begin), text.line(end)
            clauses.setdefault(names[0], []).append((*place, set(names)))
    wanted, seen = _NAME.findall(" ".join(goals)), set[str]()
    while wanted:
        name = wanted.pop()
        if name not in seen:
            seen.add(name)
            for clause in clauses.get(name, ()):
                wanted += clause[3]
    for name in seen & clauses.keys():
        yield from (clause[:3] for clause in clauses[name])


def _linted(reading: _Reading, whole: bool) -> Lint:
    """The findings of what was read."""
    if not reading.result:
        return Lint((), reading.limit, tuple(reading.notes))
    raw, _, spans, known, open_, is_whole, failed = reading.result
    reading.notes += [f"{id} came to an error: {message}" for id, message in failed]
    own, others = (frozenset((str(name), arity) for name, arity in each) for each in known)
    every = _Known(own, others - own, frozenset(map(str, open_)), whole or is_whole == "true")
    texts = reading.texts
    every = replace(every, unread=frozenset(_unread(raw, texts)))
    statements: dict[str, list[tuple[int, int]]] = {}
    for file, begin, end in spans:
        statements.setdefault(str(file), []).append((texts[file].line(begin), texts[file].line(end)))
    found: list[Finding] = []
    remarks: set[Signature] = set()
    for id, file, begin, end, words, certain in raw:
        of, text = CHECKS[str(id)], texts[str(file)]
        assert of.run is not None
        one: _Sentence | None = of.run(_Raw(text, begin, end, words, certain == "true", every))
        if one is None:
            continue
        of = one.check or of
        if of.id in ("PL003", "PL004") and one.level == "info":
            signature = str(words[0]), int(words[1])
            if signature in remarks:
                continue
            remarks.add(signature)
        found.append(one.finding(of, text, begin, end))
    shown = {file: texts[file].text.encode() for file in dict.fromkeys([*reading.given, *statements])}
    return of_findings(found, shown, {file: statements.get(file, []) for file in shown}, reading.limit, reading.notes)


def _read(
    sources: Sequence[str | PathLike[str]], alone: bool, deadline: Deadline, goals: Sequence[str] = ()
) -> _Reading:
    """Read the sources, and then what they load, until nothing is wanted any more."""
    try:
        with lint_session(deadline.within(Limits())) as session:
            return _read_in(session, sources, alone, deadline, goals)
    except (LimitError, ProgramError) as error:
        return _failed(_Reading({}, []), error)


def _failed(reading: _Reading, error: LimitError | ProgramError) -> _Reading:
    reading.notes.append(f"it was not read to its end: {error.message}")
    reading.limit = "seconds" if isinstance(error, LimitError) else None
    return reading


def _read_in(
    session: Session,
    sources: Sequence[str | PathLike[str]],
    alone: bool,
    deadline: Deadline,
    goals: Sequence[str],
    unsaved: Mapping[str, str] = MappingProxyType({}),
) -> _Reading:
    reading = _Reading({}, [])
    for source in sources:
        given = fspath(source)
        if is_path(source):
            text = unsaved[given] if given in unsaved else text_of(given)  # first: it raises for a circle of links
            one = _Text(given, Path(given).resolve(), text)
        else:
            number = sum(each.path is None for each in reading.texts.values())
            one = _Text(f"<text{f' {number + 1}' if number else ''}>", None, given)
        reading.texts[one.name] = one
        reading.given.append(one.name)
    try:
        for _ in range(_ROUNDS):
            texts = [one.packed for one in reading.texts.values()]
            asked = {"Given": reading.given, "Texts": texts, "Goals": list(goals)}
            outcome = session.query(_LINT, asked, limits=deadline.within(Limits())).collect()
            if not outcome.solutions:
                reading.limit = outcome.limit
                reading.notes.append(how_ended(outcome.limit))
                return reading
            reading.result = outcome.solutions[0]["Result"]
            if alone or not _follow(reading, unsaved):
                return reading
    except (LimitError, ProgramError) as error:
        return _failed(reading, error)
    reading.notes.append("not all files that it loads were read")
    return reading


def _follow(reading: _Reading, unsaved: Mapping[str, str]) -> bool:
    """Read the files that are wanted; whether there were any."""
    read = {one.path for one in reading.texts.values()}
    wanted = [path for path in map(Path, map(str, reading.result[1])) if path not in read]
    for path in wanted:
        name, file = shown_path(str(path)), str(path)
        reading.texts[name] = _Text(name, path, unsaved[file] if file in unsaved else text_of(file))
    return bool(wanted)


_BEGINNING = re.compile(r"^[ \t]*([a-z]\w*)", re.MULTILINE)


def _unread(raw: Sequence[Any], texts: Mapping[str, _Text]) -> Iterator[str]:
    for id, file, _, _, words, _ in raw:
        if str(id) == "PL001":
            yield from _BEGINNING.findall(texts[str(file)].text[words[1] : words[2]])


# Sentences


@dataclass(frozen=True, slots=True)
class _Raw:
    """A finding as Prolog gives it, with its text and what is defined."""

    text: _Text
    begin: int
    end: int
    words: list[Any]
    certain: bool
    known: _Known

    def line(self, number: int) -> int:
        """The line of an offset among the words."""
        return self.text.line(self.words[number])

    @property
    def part(self) -> str:
        return self.text.text[self.begin : self.end]


@dataclass(frozen=True, slots=True)
class _Sentence:
    """The sentence of a finding, with its level, and the check where it is not the one that was made."""

    level: Level
    sentence: str
    suggestion: str | None = None
    by: str | None = None
    check: Check | None = None

    def finding(self, check: Check, text: _Text, begin: int, end: int) -> Finding:
        place = Place(text.name, *text.position(begin))
        fix = None if self.by is None else Fix(text.name, text.byte(begin), text.byte(end), self.by)
        about = (check.id, check.name, self.level, place, text.position(end))
        there = self.suggestion is not None and is_there(self.suggestion, text.text[begin:end])
        return Finding(*about, self.sentence, None if there else self.suggestion, fix)


#: What begins a comment in other languages, where no operand can be before it.
_NO_COMMENT = re.compile(r"(?:^\s*|[,;(>-]\s*)(//|#+(?=\s))")

#: What stands for `:-` in other languages, and for operators of a body.
_ARROW = re.compile(r"\s*(?:<-+|<=|:=|:\s+-|if\b)")
_OPERATOR = re.compile(r"\s*(<=|!==?|<>|&&?|\|\||and\b|or\b)")
_MEANT = {"<=": "=<", "!=": "\\=", "!==": "\\==", "<>": "\\=", "&": ",", "&&": ",", "||": ";", "and": ",", "or": ";"}

#: A variable, or a name and a blank, before an opening bracket.
_CALLED = re.compile(r"\b(?:([A-Z]\w*)|([a-z]\w*)\s+)\($")

#: Brackets, and what hides them: comments, and texts in quotes.
_TOKENS = re.compile(
    r"%.*|/\*(?s:.*?)\*/|0'(?:\\.|''|.)|'(?:[^'\\]|\\(?s:.))*'|\"(?:[^\"\\]|\\(?s:.))*\"|`[^`]*`|[][(){}]"
)
_CLOSED = {"(": ")", "[": "]", "{": "}"}

_CONSTRAINT = re.compile(r"#(=|\\=|<|>|=<|>=)|\bins?\s+-?\w+\s*\.\.")


def _word(line: str, at: int) -> str:
    """The word around a place in a line."""
    return next(one[0] for one in re.finditer(r"\S+", line) if one.start() <= at < one.end()).strip("(),.")


def _unbalanced(clause: str, line: int) -> str | None:
    """What is wrong with the brackets of a clause that begins in a line; None where nothing is."""
    opened: list[tuple[str, int]] = []
    for token in _TOKENS.finditer(clause):
        text = token[0]
        if text in _CLOSED:
            opened.append((text, line + clause[: token.start()].count("\n")))
        elif text in _CLOSED.values():
            if not opened:
                return f"`{text}` in line {line + clause[: token.start()].count(chr(10))} closes nothing"
            bracket, begun = opened.pop()
            if _CLOSED[bracket] != text:
                return f"`{bracket}` in line {begun} is closed by `{text}`"
    return f"`{opened[-1][0]}` in line {opened[-1][1]} is not closed" if opened else None


@check("PL001", "prolog-syntax", "error")
def _syntax(raw: _Raw) -> _Sentence:
    """SWI-Prolog cannot read a clause, and leaves it out."""
    message = str(raw.words[0]).removeprefix("Syntax error: ")
    message = message[:1].lower() + message[1:]
    clause, after = raw.text.text[raw.words[1] : raw.words[2]], raw.text.text[raw.words[3] :]
    hint = None
    opened = raw.text.text[raw.begin :].split("\n")[0]
    if "in quoted" in message and (inner := re.search(r"\w('|\"|`)\w", opened)):
        quote = inner[1]
        ends = f"the {quote} in `{_word(opened, inner.start())}` ends a text in quotes"
        message = f"{ends}: inside, it is written twice ({message})"
    elif re.search(r"\bnot\s+$", raw.text.text[: raw.words[3]]):
        message, hint = f"`not` is not an operator, and needs brackets: not(Goal), or \\+ Goal ({message})", "\\+"
    elif re.search(r"\bif\s+$", raw.text.text[: raw.words[3]]):
        message = f"Prolog has no `if`: ( Condition -> Then ; Else ) ({message})"
    elif (missing := str(raw.words[4])) in (",", ";"):
        message = f"this line ends with `{missing}`, and a clause begins in the next one: a dot is missing ({message})"
    elif missing:
        message = f"{missing} is missing at the end of this line ({message} in line {raw.line(3)})"
    elif brackets := _unbalanced(clause, raw.line(1)):
        message = f"{brackets} ({message})"
    elif called := _CALLED.search(raw.text.text[raw.words[1] : raw.words[3]] + after[:1]):
        name = called[1] or called[2]
        if called[2]:
            message = f"a blank between `{name}` and its bracket is not allowed ({message})"
        else:
            message = f"`{name}` is a variable, as its capital letter says, and not the name of a predicate ({message})"
            in_body = re.search(rf":-.*\b{name}\b", raw.text.text[raw.words[1] : raw.words[3]], re.DOTALL)
            hint = f"call({name}, ...)" if in_body else f"{name[:1].lower()}{name[1:]}"
    elif comment := _NO_COMMENT.search(clause):
        message = f"`{comment[1]}` does not begin a comment, `%` does ({message})"
    elif ":-" in raw.text.text[raw.words[1] : raw.words[3]]:
        if found := _OPERATOR.match(after):
            hint = _MEANT[found[1]]
    elif _ARROW.match(after):
        hint = ":-"
    clpfd = "library(clpfd)" in raw.text.text
    line = raw.text.text.split("\n")[raw.text.line(raw.begin) - 1]
    if not clpfd and _CONSTRAINT.search(line):
        hint = ":- use_module(library(clpfd))."
    return _Sentence("error" if raw.certain else "info", message, hint)


@check("PL002", "prolog-single-variable", "info")
def _single(raw: _Raw) -> _Sentence | None:
    """A variable that stands once in a clause."""
    name = str(raw.words[0])
    others, earlier, later = ([str(other) for other in each] for each in raw.words[1:4])
    if any(_is_slip(name, other) for other in later):
        return None  # that one is the slip
    words = f"`{name}` stands only here"
    if slips := [other for other in (*others, *earlier) if _is_slip(name, other)]:
        return _Sentence("warning", words, slips[0])
    if str(raw.words[4]) == "rest":
        return _Sentence("info", f"{words}: the rest of the list is lost, only its first element is used")
    if isinstance(raw.words[5], int):
        words = f"{words}: nothing gives argument {raw.words[5]} a value here, as another clause does"
        return _Sentence("info", words)
    near = [other for other in (*others, *earlier) if other[0] == name[0] and abs(len(other) - len(name)) == 1]
    alone = [*earlier, *later]
    other = near[0] if len(near) == 1 else alone[0] if len(alone) == 1 else None
    return _Sentence("info", f"{words}: `_`, or {other}" if other else words, other or "_", "_")


def _is_slip(name: str, other: str) -> bool:
    """Whether a variable is a slip of another one; a plural is not."""
    return is_slip(name, other) and name not in (f"{other}s", f"{other}es") and other not in (f"{name}s", f"{name}es")


@check("PL003", "prolog-undefined-predicate", "warning")
def _undefined(raw: _Raw) -> _Sentence | None:
    """Nothing defines this predicate: not the program, not a file or library that it loads, not SWI-Prolog."""
    name, arity, kind, library, value = raw.words
    found = _not_defined(raw.known, str(name), arity, str(kind), str(library))
    if found is None or found.suggestion is not None or not value:
        return found
    is_value = f"{name} is a value in {value[0]} (line {raw.text.line(value[1])}), and is called as a goal here"
    compared = f"compare a variable with it, X == {name} or X \\== {name}"
    return replace(found, level="warning", sentence=f"{found.sentence}: {is_value}; {compared}")


@lru_cache(maxsize=4096)
def _not_defined(known: _Known, name: str, arity: int, kind: str, library: str) -> _Sentence | None:
    """What there is to say of a predicate that nothing defines; None where it may be one that could not be read."""
    if name in known.unread:
        return None

    def written(signature: Signature) -> str:
        if kind == "nonterminal" and signature[1] >= 2:
            return f"{signature[0]}//{signature[1] - 2}"
        return f"{signature[0]}/{signature[1]}"

    def same(among: Iterable[Signature]) -> list[Signature]:
        return sorted(other for other in among if other[0] == name)

    def slip(among: Iterable[Signature]) -> str | None:
        return min((other for other, number in among if number == arity and is_slip(name, other)), default=None)

    sentence = f"nothing defines {written((name, arity))}"
    if kind == "export":
        sentence = f"{written((name, arity))} is exported, and nothing defines it"
    if kind == "directive":
        known = replace(known, open=known.open - {"a directive that is not known"})
    sure: Level = "warning" if not known.open else "info"
    certain: Level = "warning" if known.certain else "info"
    if library:
        return _Sentence(sure, sentence, f":- use_module(library({library})).")
    if kind == "nonterminal" and (name, arity - 2) in known.own | known.others:
        braces = f"{name}/{arity - 2} is a predicate, and in a grammar rule goals of Prolog stand in braces"
        return _Sentence(sure, f"{sentence}: {braces}", f"{{ {name}(...) }}")
    if found := same(known.own):
        near = known.whole or any(abs(number - arity) == 1 for _, number in found)
        return _Sentence(sure if near else "info", sentence, " or ".join(map(written, found)), check=ARITY)
    if other := slip(known.own) or (slip(known.others) if len(name) >= _SHORT else None):
        return _Sentence(sure, sentence, other)
    if found := same(known.others):
        return _Sentence(certain, sentence, " or ".join(map(written, found)), check=ARITY)
    if kind == "directive":
        return None
    return _Sentence(certain, sentence, nearest(name, [one for one, number in known.own if number == arity]))


@check("PL008", "left-recursion", "warning")
def _left(raw: _Raw) -> _Sentence:
    """The first goal of a clause calls its predicate again, itself or by way of another one, with arguments that match
    the clause again, so it does not end."""
    way = f", by way of {' and '.join(map(str, raw.words[1]))}" if raw.words[1] else ""
    words = f"{raw.words[0]} calls itself first{way}, with arguments that match again: it does not end"
    hint = f":- table {raw.words[0]}." if str(raw.words[2]) == "true" else None
    return _Sentence("warning" if raw.certain else "info", words, hint)


@check("PL009", "unbound-variable", "warning")
def _unbound(raw: _Raw) -> _Sentence:
    """A comparison or `is` evaluates a variable that nothing before it in the clause can bind: an instantiation
    error."""
    name, times = str(raw.words[0]), str(raw.words[1])
    others = [str(other) for other in raw.words[2]]
    slip = next((other for other in others if _is_slip(name, other)), None)
    slip = slip or next((one for one in others if one[0] == name[0] and abs(len(one) - len(name)) == 1), None)
    why = "it stands only here" if times == "once" else "nothing before it in the clause binds it"
    if name == "_":
        return _Sentence("warning", "`_` has no value here: each `_` is a new variable, and arithmetic needs a number")
    return _Sentence("warning", f"`{name}` has no value here: {why}", slip if times == "once" else None)


#: The comparison of numbers for that of terms.
_EVALUATED = {"=": "=:=", "\\=": "=\\="}


@check("PL010", "unification-of-arithmetic", "warning")
def _equation(raw: _Raw) -> _Sentence:
    """`=` and `==` compare terms and do not evaluate: `X mod 2 = 0` never holds, and after `M = N - 1` M is the term N
    - 1."""
    operator, why, clpfd, begin, end, left = raw.words
    text = raw.text.text
    before, after = text[raw.begin : begin], text[end : raw.end]
    equal = "=" if str(operator) in ("=", "==", "is") else "\\="
    words = {
        "never": f"`{operator}` does not evaluate: the two sides are never the same term",
        "terms": f"`{operator}` does not evaluate: it compares the two terms as they are written",
        "constraint": f"`{operator}` does not evaluate: the variable is an integer, and the other side is a term",
        "evaluated": f"`{operator}` does not evaluate: the variable is the whole term",
        "number": f"`{operator}` does not evaluate: one side is a number, and the other one the term as it is written",
        "left": "`is` evaluates its right side only: the left side stays a term, and is never a number",
    }[str(why)]
    if (str(why), str(operator)) == ("evaluated", "=="):
        words = "`==` does not evaluate: it holds of the same term only, as it is written"
    if str(why) == "evaluated" and clpfd != "true":
        by = f"{before}is{after}" if left == "true" else None
    elif clpfd == "true":
        by = f"{before}#{equal}{after}"
    else:
        by = f"{before}{_EVALUATED[equal]}{after}"
    return _Sentence("warning" if raw.certain else "info", words, by)


@check("PL013", "built-in-name", "error")
def _built_in(raw: _Raw) -> _Sentence:
    """The clause is of a built-in predicate of the ISO standard, which SWI-Prolog refuses."""
    if str(raw.words[1]) == "true":
        of = f"a clause of {raw.words[0]}, which is built in" if str(raw.words[0]) else "a clause in a module"
        return _Sentence("error", f"`:` is not `:-`, so that this is {of}: SWI-Prolog refuses it", ":-")
    return _Sentence("error", f"{raw.words[0]} is built in: SWI-Prolog refuses its clauses")


@check("PL014", "not-evaluable", "warning")
def _not_evaluable(raw: _Raw) -> _Sentence:
    """`is` or a comparison evaluates a name that is not a function of arithmetic: a type error when it runs."""
    name, arity = str(raw.words[0]), int(raw.words[1])
    others = [str(other) for other in raw.words[2]]
    variable = next((one for one in others if one.lower() == name.lower()), None) if arity == 0 else None
    return _Sentence("warning", f"{name}/{arity} is not a function of arithmetic", variable)


def _fresh(name: str, names: Iterable[Any]) -> str:
    """A name for one more variable."""
    taken = {*map(str, names), name}
    return next(one for number in range(1, 100) if (one := f"{name.rstrip('0123456789')}{number}") not in taken)


@check("PL015", "changed-variable", "warning")
def _changed(raw: _Raw) -> _Sentence:
    """The same variable stands on both sides of `is`, `=`, `=:=` or `#=`, as in an assignment."""
    name, operator, *_, names = raw.words
    new = _fresh(str(name), names)
    by = f"{new}{raw.text.text[raw.begin + len(str(name)) : raw.end]}"
    words = f"`{name}` stands on both sides of `{operator}`: a variable never changes its value"
    return _Sentence("warning", words, by if raw.part.startswith(str(name)) else None)


@check("PL017", "not-evaluated", "warning")
def _passed(raw: _Raw) -> _Sentence:
    """An argument is a term of arithmetic, which is passed on as it stands: `fact(N-1, G)` calls fact/2 with the term
    3-1, and not with 2."""
    shown, kind, begin, end, names = raw.words
    part, text = raw.part, raw.text.text
    variable = next(iter(re.findall(r"\b[A-Z_]\w*", part)), "N")
    new = _fresh(variable, names)
    whole = f"{text[begin : raw.begin]}{new}{text[raw.end : end]}"
    if str(kind) == "head":
        words = f"`{part}` in the head is not evaluated: the argument is a term, where another clause has a number"
        return _Sentence("info", words, f"{whole} :- ..., {new} is {part}")
    why = f"{shown} takes an integer"
    if str(kind) == "call":
        why = f"a clause of {shown} with a number there never matches it"
    words = f"`{part}` is passed as a term, it is not evaluated: {why}"
    return _Sentence("warning", words, f"{new} is {part}, {whole}")


@check("PL020", "free-variable", "warning")
def _free(raw: _Raw) -> _Sentence:
    """A variable of the goal of bagof/3 or setof/3 that stands nowhere else, `_` too: there is an answer of its own for
    each of its values."""
    name, free, begin, end, bare, names = raw.words
    text, new, taken = raw.text.text[begin:end], [], [*map(str, names)]
    for shown, at, to in sorted(free, key=lambda one: -int(one[1])):
        variable = str(shown)
        if variable == "_":
            variable = next(one for one in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" if one not in taken)
            taken.append(variable)
            text = f"{text[: at - begin]}{variable}{text[to - begin :]}"
        new.append(variable)
    by = f"{''.join(f'{one}^' for one in reversed(new))}{f'({text})' if str(bare) == 'true' else text}"
    several = [f"`{one[0]}`" for one in free]
    which = several[0] if len(several) == 1 else f"{', '.join(several[:-1])} and {several[-1]}"
    verb = "is" if len(several) == 1 else "are"
    words = f"{which} {verb} free in {name}/3: there is one answer for each value, not one for all"
    return _Sentence("warning", words, f"{raw.text.text[raw.begin : begin]}{by}{raw.text.text[end : raw.end]}")


@check("PL033", "never-matches", "warning")
def _never_matches(raw: _Raw) -> _Sentence:
    """No clause of the predicate matches the call, which always fails."""
    shown, _, why, variable = raw.words
    words = f"no clause of {shown} matches `{raw.part}`, so that it always fails"
    return _Sentence("warning", f"{words} (line {raw.line(1)}: {why})" if str(why) else words, str(variable) or None)


#: What turns a term of one sort into one of another.
_TURNED = {
    ("a string", "an atom"): "atom_string/2 turns one into the other",
    ("an atom", "a string"): "atom_string/2 turns one into the other",
    ("an atom", "a number"): "atom_number/2 reads a number",
    ("a string", "a number"): "number_string/2 reads a number",
    ("a list of atoms", "a list of numbers"): "atom_number/2 reads a number, of each by maplist/3",
    ("a list of strings", "a list of numbers"): "number_string/2 reads a number",
    ("a list of strings", "a list of atoms"): "atom_string/2 turns one into the other",
}


@check("PL043", "sorts-differ", "warning")
def _sorts(raw: _Raw) -> _Sentence:
    """What a variable is by the goals before it never fits the goal: a number is compared with an atom, an atom with a
    string, a list of strings is summed."""
    what, number, name, begin, end, given, wanted, hint = raw.words
    after = f", after `{' '.join(raw.text.text[begin:end].split())}`," if end else ""
    turned = _TURNED.get((given, wanted), "")
    if given == "a number" and re.fullmatch(r"a term _[-+*/]_", wanted):
        turned = "what is computed is a term where `=` stands for `is`, or for `#=` of library(clpfd)"
    if begin < 0:
        by = "" if str(hint) == "head" else f" by `{' '.join(raw.part.split())}`,"
        words = f"argument {number} of {what} is {wanted} in each answer,{by} and `{name}` of the goal is {given}"
        words = f"{words}: {turned}" if turned else words
        if str(hint) in ("", "head") or not raw.part.startswith("append("):
            return _Sentence("warning", words)
        listed, times = re.subn(rf"(?<![\w\[|]){hint}(?![\w|\]])", f"[{hint}]", raw.part)
        return _Sentence("warning", words, listed if times == 1 else None)
    shown = f"`{name or raw.part}`{after}"
    if str(what) == "equal":
        words = f"{shown} is {given}, and never {wanted}: this is always false"
    elif str(what) == "evaluated":
        words = f"{shown} is {given}, and arithmetic needs a number"
    else:
        words = f"argument {number} of {what} is {wanted}, and {shown} is {given}"
    if not isinstance(hint, str) and getattr(hint, "name", "") == "exchanged":
        turned = f"arguments {hint.arguments[0]} and {hint.arguments[1]} are the wrong way round"
    elif str(hint) == "range":
        turned = "`..` binds tighter than `+` and `-`: put the sum in brackets, with the value of a variable by `is`"
    elif str(hint) == "each":
        turned = f"maplist({str(what).split('/')[0]}, {name or raw.part}) does it for each"
    return _Sentence("warning", f"{words}; {turned}" if turned else words)


# Checks with one sentence, or a few


def _says(
    id: str, name: str, level: Level, sentence: str | Mapping[str, tuple[str, str]], suggestion: str = ""
) -> None:
    """Registers a check with one sentence, or with several and their suggestions, by the first word of a finding.

    What is not certain is an `info`. In the sentence and the suggestion `{part}` is the part of the program, `{0}` the
    first word of the finding, and of words that are offsets `{line[0]}` is the line and `{text[0]}` what stands up to
    the next one.
    """

    def run(raw: _Raw) -> _Sentence:
        offsets = [one if isinstance(one, int) else 0 for one in raw.words]
        texts = [" ".join(raw.text.text[begin:end].split()) for begin, end in pairwise(offsets)]
        given = {"part": raw.part, "line": [*map(raw.text.line, offsets)], "text": texts}
        several = (sentence, suggestion) if isinstance(sentence, str) else sentence[str(raw.words[0])]
        words, meant = (one.format(*raw.words, **given) for one in several)
        return _Sentence("warning" if raw.certain else "info", words, meant or None)

    CHECKS[id] = Check(id, name, level, run)


_says("PL005", "discontiguous", "warning", "the clauses of {0} are not together: they begin in line {line[1]}")
_says(
    "PL006", "unreachable-clause", "warning",
    "this clause is never reached: the one in line {line[0]} matches all that it matches, and cuts",
)
_says("PL007", "duplicate-clause", "warning", "this clause stands in line {line[0]} already")
_says(
    "PL016", "contains-itself", "warning",
    "`{0}` would contain itself, which a list with an end never does: the longer list needs a variable of its own",
)
_says(
    "PL018", "not-dynamic", "warning",
    "{0} is static, its clauses are in the program (line {line[1]}): it may not be changed",
    ":- dynamic {0}.",
)
_says(
    "PL019", "labeling-first", "warning",
    "`{part}` comes before the constraints from line {line[0]} on, which then only test what was labelled: "
    "move it behind them",
)
_says(
    "PL021", "list-of-two", "warning",
    "`{part}` is a list of exactly two elements, and the clause has `{text[2]}` as a list",
    "[{text[0]}|{text[2]}]",
)
_says(
    "PL022", "negation-first", "warning", {
        "open": (
            "`{1}` is open in the goal, and nothing before gives it a value, so that `{part}` asks whether there is "
            "none at all", "",
        ),
        "negation": (
            "{1} no value before `{text[2]}`: `{part}` then asks whether there is none at all", "{text[4]}, {part}",
        ),
        "unequal": ("{1} no value before `{text[2]}`: `{part}` is false then, whatever follows", "{text[4]}, {part}"),
        "different": ("{1} no value before `{text[2]}`: `{part}` is true then, whatever follows", "{text[4]}, {part}"),
    },
)
_says(
    "PL023", "no-else", "info",
    "without an else this is false where `{text[0]}` is: what comes after it does not run",
    "( ... -> ... ; true )",
)
_says(
    "PL024", "matches-base-case", "warning",
    "this clause also matches where line {line[0]} does, with {1}, and counts on: after the answer it does not "
    "end; a test is missing",
    "{2} {3} {1}",
)
_says(
    "PL025", "covers-earlier-case", "warning",
    "this clause also takes an element that is equal to {1}, as the one in line {line[0]} does: {3}; {2} is missing",
)
_says(
    "PL026", "table-grows", "info",
    "this argument of the table {0} grows in each round: where the relation has a circle, there are infinitely "
    "many answers, each {1}, and it does not end; leave the argument out of the table",
)
_says(
    "PL027", "table-in-condition", "warning",
    "{1} calls {0} while its table is not complete, and cuts off its other answers",
)
_says(
    "PL028", "string-as-list", "warning", {
        "constant": ("`{part}` is not a list, and {1} needs one", "[{part}]"),
        "string": (
            "`{part}` is a string, and {1} needs a list: in backquotes it is a list of codes; for characters, "
            ":- set_prolog_flag(double_quotes, chars)", "",
        ),
    },
)
_says(
    "PL030", "groups-to-the-right", "warning",
    "{0} calls itself for `{3}`, so that a{1}b{1}c is read as a{1}(b{1}c), grouped to the right: pass `{2}` on "
    "in an accumulator to group to the left",
)
_says("PL031", "list-as-number", "warning", "`{0}` is the rest of the list, not a number", "{1}")
_says(
    "PL032", "other-arity", "warning",
    "this is a clause of {0}, and those of the same name around it are of {1}: an argument is missing, or is too "
    "many",
)
_says(
    "PL034", "never-succeeds", "warning",
    "each clause of {0} calls {0} again, so that it never succeeds: a clause that ends it is missing{1}",
)
_says(
    "PL035", "compares-open", "warning",
    "`{0}` has no value when `==` compares it, which is false then: `=` gives it one",
)
_says(
    "PL039", "list-in-list", "warning", {
        "element": ("`{1}` is a list itself, so that `{part}` is a list in a list", "append({1}, [{text[2]}], L)"),
        "rest": (
            "`{text[2]}` is an element, and stands for the rest of the list `{part}`, whose first element is a list",
            "append({1}, [{text[2]}], L)",
        ),
    },
)
_says(
    "PL041", "grows-to-the-end", "warning",
    "the call has the longer list `{part}` for `{text[0]}`, and at the end `[]` is expected there: put `{part}` in the "
    "head, and `{text[0]}` here",
)
_says(
    "PL042", "lost-sum", "warning",
    "what argument {1} of {0} adds up is lost: line {line[2]} does not hand `{3}` back, and no variable changes "
    "its value; the result needs one more argument",
)
_says(
    "PL044", "equals-left-out", "info",
    "neither this clause nor the one in line {line[0]} is for equal numbers, where both tests fail: with `=<` or "
    "`>=` one of them is",
)
_says("PL046", "never-caught", "warning", "no error of the system matches `{part}`", "{0}")
_says(
    "PL047", "undone", "warning",
    "`{part}` is undone when {0} goes back for the next solution: nb_setval/2 keeps its value",
)
_says(
    "PL049", "drops-equal", "info",
    "{0} drops one of two elements for which {1} gives `=`, and that compares a part of them: let it compare the "
    "whole terms where the parts are equal, or use sort/4",
)
_says(
    "PL050", "shortest-first", "info",
    "{0} ends here before line {line[1]} is tried, so that the shortest text is read first: with the rules the "
    "other way round it is the longest",
)
