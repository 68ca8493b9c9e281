"""Tests that stand beside a clingo program, in its comments or in files of their own.

    %! test three lessons, no clash: sat; every at(math,1)
    %! fact lesson(a;b;c). room(r).
    %! const slots = 3

The expectations are `sat`, `unsat`, `unique`, `several`, `models 4`, `cost 6`, `every ATOMS`, `some ATOMS`, `no ATOMS`,
`answer ATOMS` for each of all answers, `answers FILE` (one a line), and `optimal`: then only answer sets of least cost
count. A file that holds only facts and constants beside its tests is a file of tests: there the facts stand below a
test as they are, up to a blank line, and those elsewhere belong to all of its tests. `#program test_NAME(base).` with
rules for `cannot` is a test of asp-selftest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from os import PathLike, fspath
from pathlib import Path
from typing import TypedDict

from clingo.ast import ASTType

from bridge.asp.reading import TEST, Signature, Text
from bridge.common import Json, Key, read_source, read_text, split_outside
from bridge.comparison import Answer, atoms_of_text, of_atoms, written
from bridge.debugging.cases import GivenInstance, literals_of, read_given
from bridge.debugging.trials import Case
from bridge.errors import BridgeError, InputError, Place, ProgramError
from bridge.problem import AspProblem

HINT = "sat, unsat, unique, several, models 4, cost 6, every, some, no, answer ATOMS, answers FILE, optimal"

_HEAD = re.compile(r'\s*%!\s+test\s+(?:"(?P<quoted>[^"]+)"|(?P<plain>[^:"]+?)\s*):(?P<expected>.*)')
_MORE = re.compile(r"\s*%!\s{3,}(?P<text>\S.*)")
_BESIDE = re.compile(r"\s*%!\s+(?P<word>fact|const)\s+(?P<text>\S.*)")
_PART = re.compile(r"^[ \t]*#program\s+(?P<name>\w+)\s*(?:\((?P<parameters>[^()]*)\))?\s*\.", re.MULTILINE)
_CANNOT = re.compile(r"^[ \t]*cannot\b", re.MULTILINE)

#: By which an asp-selftest has failed: the predicate has any number of arguments.
_FAILED = "__cannot"


class Line(TypedDict):
    """A line of a file."""

    file: str | None
    line: int | None


@dataclass(frozen=True, slots=True)
class ProgramTest(Json):
    """A test of a clingo program."""

    name: str  #: What it is called, and where it stands.
    place: Place
    given: GivenInstance  #: The facts and constants of the test.
    expected: str  #: What is expected, as it is written.
    verdict: str | None = None  #: As of `bridge.debugging.trials.Case`.
    number: int | None = None
    cost: tuple[int, ...] | None = None  #: The least cost, a number for each priority, the highest first.
    wishes: tuple[tuple[str, tuple[str, ...]], ...] = ()
    answers: frozenset[Answer] | None = None  #: The answers; None where they are not the measure.
    optimal: bool = False  #: Whether only answer sets of least cost count.
    #: The program of the test, where that is not the one in question: an asp-selftest sees its own file alone.
    sources: tuple[str | PathLike[str], ...] | None = None

    _json = ("name", Key("place", Line, lambda self: {"file": self.place.file, "line": self.place.line}), "expected")

    def cases(self, show: tuple[Signature, ...]) -> list[Case]:
        """The test as cases for variants of the program, of which an answer consists of some predicates."""
        counted = self.number is not None or self.verdict is not None or self.answers is not None
        exactly = None if self.answers is None else tuple(tuple(map(written, one)) for one in self.answers)
        bare = Case(self.given.facts, self.given.constants, optimal=self.optimal, name=self.name)
        found: list[Case] = []
        if counted or self.wishes:
            wished = replace(bare, show=show if counted else (), exactly=exactly, wishes=self.wishes)
            found.append(replace(wished, number=self.number, verdict=None if self.number else self.verdict))
        if self.verdict is not None and self.number:
            found.append(replace(bare, show=show, verdict=self.verdict))
        if self.cost is not None:
            found.append(replace(bare, optimal=True, cost=self.cost))
        return found


@dataclass
class _Block:
    """The lines of one test."""

    name: str
    place: Place
    expected: str
    beside: list[str] = field(default_factory=list)


def is_file_of_tests(source: str | PathLike[str]) -> bool:
    """Whether a file holds tests, and beside them nothing but facts and constants."""
    file, text = read_source(source)
    if not any(map(_HEAD.match, text.splitlines())):
        return False
    try:
        statements = Text(text, file).statements
    except ProgramError:
        return False
    return all(
        one.ast_type is ASTType.Definition
        or (one.ast_type is ASTType.Rule and not one.body and one.head.ast_type is ASTType.Literal)
        for one in statements
    )


def tests_of(source: str | PathLike[str]) -> list[ProgramTest]:
    """The tests of a file, in order; InputError with file and line, when one cannot be read."""
    file, text = read_source(source)
    own = is_file_of_tests(source)
    blocks, rest = _blocks(text, file, own)
    found = [_test(one, rest if own else "", file) for one in blocks]
    return [*found, *_selftests(text, file)]


def _blocks(text: str, file: str | None, own: bool) -> tuple[list[_Block], str]:
    """The tests as lines, and the text that belongs to none."""
    found: list[_Block] = []
    rest: list[str] = []
    current: _Block | None = None
    begun = False  # whether lines stand between the head and this one
    for number, line in enumerate(text.splitlines(), 1):
        if TEST.match(line):
            head = _HEAD.match(line)
            if head is None:
                raise InputError(
                    "this test has no expectation", where=Place(file, number), hint="write it as %! test NAME: unsat"
                )
            name = head["quoted"] or head["plain"]
            current, begun = _Block(name, Place(file, number), head["expected"].strip()), False
            found.append(current)
        elif current is not None and not begun and (more := _MORE.match(line)):
            current.expected = f"{current.expected} {more['text'].strip()}"
        elif current is not None and (beside := _BESIDE.match(line)):
            begun = True
            words = beside["text"].rstrip().rstrip(".")
            current.beside.append(f"#const {words}." if beside["word"] == "const" else beside["text"])
        elif not line.strip():
            current = None
        elif current is not None and own:
            begun = True
            current.beside.append(line)
        elif not line.lstrip().startswith("%"):
            current = None
            rest.append(line)
    return found, "\n".join(rest)


def _test(block: _Block, shared: str, file: str | None) -> ProgramTest:
    try:
        given = read_given("\n".join([shared, *block.beside]), block.name)
        test = ProgramTest(block.name, block.place, given, block.expected)
        for part in map(str.strip, split_outside(block.expected, ";")):
            test = _with(test, part, file)
        if test.optimal and not (test.verdict or test.wishes or test.number is not None or test.answers is not None):
            raise InputError("`optimal` says which answer sets count, and nothing is expected of them", hint=HINT)
        return test
    except BridgeError as error:
        raise InputError(error.message, where=block.place, hint=error.hint) from None


def _with(test: ProgramTest, part: str, file: str | None) -> ProgramTest:
    """A test with one more expectation."""
    word, _, rest = part.partition(" ")
    rest = rest.strip()
    if word in ("sat", "unsat", "unique", "several") and not rest:
        if test.verdict is not None:
            raise InputError(f"`{test.verdict}` and `{word}`: one of them is expected", hint=HINT)
        return replace(test, verdict=word)
    if word == "optimal" and not rest:
        return replace(test, optimal=True)
    if word == "models" and rest.isdecimal():
        return replace(test, number=int(rest))
    if word == "cost" and re.fullmatch(r"-?\d+([\s,]+-?\d+)*", rest):
        return replace(test, cost=tuple(map(int, re.split(r"[\s,]+", rest))))
    if word in ("every", "some", "no") and rest:
        atoms = tuple(literals_of([rest]))
        return replace(test, wishes=(*test.wishes, ("none" if word == "no" else word, atoms)))
    if word == "answer" and rest:
        return replace(test, answers=(test.answers or frozenset()) | {of_atoms(atoms_of_text(rest))})
    if word == "answers" and rest:
        path = Path(file).parent / rest if file else Path(rest)
        lines = [line for line in read_text(path).splitlines() if not line.lstrip().startswith("%")]
        return replace(test, answers=frozenset(of_atoms(atoms_of_text(line)) for line in lines))
    raise InputError(f"`{part}` is not an expectation", hint=HINT)


def _selftests(text: str, file: str | None) -> Iterator[ProgramTest]:
    """The tests of asp-selftest: a program part `test_...` with rules for `cannot`; its parameters are other parts."""
    heads = list(_PART.finditer(text))
    bounds = [(one.end(), other.start()) for one, other in pairwise(heads)]
    bounds += [(heads[-1].end(), len(text))] if heads else []
    parts: dict[str, str] = {}
    for head, (begin, end) in zip(heads, bounds, strict=True):
        parts[head["name"]] = f"{parts.get(head['name'], '')}{text[begin:end]}\n"
    for head, (begin, end) in zip(heads, bounds, strict=True):
        name, own = head["name"], text[begin:end]
        needs = [one.strip() for one in (head["parameters"] or "").split(",") if one.strip()]
        if not (name.startswith("test_") and _CANNOT.search(own) and {*needs} <= {*parts, "base"}):
            continue
        place = Place(file, text.count("\n", 0, head.start()) + 1)
        statements = "\n".join([*(parts[one] for one in needs if one != "base"), own])
        program = [text[: heads[0].start()], parts.get("base", "")]
        arities = {
            len(one.head.atom.symbol.arguments)
            for one in Text("\n".join([*program, statements]), file).statements
            if one.ast_type is ASTType.Rule
            and one.head.ast_type is ASTType.Literal
            and one.head.atom.ast_type is ASTType.SymbolicAtom
            and one.head.atom.symbol.ast_type is ASTType.Function
            and one.head.atom.symbol.name == "cannot"
        }
        for arity in sorted(arities):
            statements += f"\n{_FAILED} :- cannot{'(' + ','.join('_' * arity) + ')' if arity else ''}."
        sources = ((Path(file) if file else text),) if "base" in needs else ()
        given = GivenInstance(statements, {}, (), name)
        yield ProgramTest(name, place, given, "no cannot(...)", "sat", wishes=(("none", (_FAILED,)),), sources=sources)


def cases_of(problem: AspProblem, tests: Sequence[ProgramTest]) -> list[Case]:
    """Tests as cases for variants of a program: those that see this program, the smallest first."""
    if not tests:
        return []
    outline = problem.outline
    heads = outline.given.union(*(one.heads for one in outline.statements))
    found: list[Case] = []
    for one in tests:
        facts = {(name, len(row)) for name, row in one.given.atoms}
        show = outline.shown if outline.shown is not None else heads | facts
        if one.sources is None or [fspath(each) for each in one.sources] == [fspath(each) for each in problem.sources]:
            found += one.cases(tuple(sorted(show)))
    return sorted(found, key=lambda case: len(case.facts))
