"""What tests use of a program: rules whose body holds in some answer set, constraints that exclude one, literals.

Both are asked at once, as brave consequences of a variant of the program: each rule gets a second one with the same
body, and at most one constraint is off. So a constraint counts as used when leaving it out, and no other, would let
an answer set in. Facts and choices without a body need no test. A literal of a body has mattered when in some answer
set all others hold and it does not; one that binds a variable is not asked about.
"""

from __future__ import annotations

import re
import typing
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import clingo
from clingo import ast
from clingo.ast import AST, ASTType

from bridge.asp.reading import Text, is_constraint, nodes
from bridge.common import Json, read_source
from bridge.debugging.expectations import ProgramTest
from bridge.errors import LimitError, Place
from bridge.limits import Deadline, Limits
from bridge.problem import AspProblem

_PART = re.compile(rb"^[ \t]*#program\s+(\w+)[^.]*\.", re.MULTILINE)

_ASKED = """#program base.
{ __off(K) : __constraint(K) } 1.
__off :- __off(K).
:- __violated(K), not __off(K).
#defined __constraint/1. #defined __violated/1. #defined __fired/1. #defined __mattered/1.
#show __fired/1. #show __violated/1. #show __mattered/1.
"""


@dataclass(frozen=True, slots=True)
class Literal(Json):
    """A literal of a body, and how many tests have an answer that only it keeps the rule from."""

    place: Place  #: Where it begins, and as it is written.
    text: str
    tests: int  #: The number of tests in which it mattered.

    def __str__(self) -> str:
        return f"{self.place}: never mattered: {self.text}"

    _json = ("line=place.line column=place.column text tests",)


@dataclass(frozen=True, slots=True)
class Covered(Json):
    """A statement, and how many tests use it."""

    place: Place  #: Where it begins, and its last line.
    last: int
    statement: str  #: Its text.
    #: A rule is used when it fires, a constraint when it excludes an answer set, a clause of Prolog when it is entered.
    kind: typing.Literal["rule", "constraint", "clause"]
    tests: int  #: The number of tests that use it.
    literals: tuple[Literal, ...] = ()  #: Those of its literals that bind no variable.

    @property
    def text(self) -> str:
        """As a line, where no test uses it."""
        what = {"rule": "fired", "constraint": "excluded", "clause": "entered"}[self.kind]
        return f"{self.place}: never {what}: {' '.join(self.statement.split())}"

    _json = ("place text=statement kind tests literals",)


class Meter:
    """Counts which statements of a program tests use: those of its own files, not those of included ones."""

    def __init__(self, program: AspProblem) -> None:
        self._found: list[tuple[Place, int, str, typing.Literal["rule", "constraint"]]] = []
        self._tests: list[int] = []
        self._literals: list[tuple[int, Place, str]] = []
        self._mattered: list[int] = []
        texts = [self._variant(*read_source(source)) for source in program.sources]
        self._problem = program.like("\n".join([*texts, _ASKED]))

    def _variant(self, file: str | None, source: str) -> str:
        text = Text(source, file)
        data, more = text.data, ["#program base."]
        for one in reversed([one for one in text.statements if one.ast_type is ASTType.Rule and one.body]):
            begin, end = text.span(one)
            parts = _PART.findall(text.data, 0, begin)
            if parts and parts[-1] != b"base":
                continue
            number, constraint = len(self._found), is_constraint(one)
            place = text.place(one)
            lines = text.of(one).count("\n")
            place = Place(file, place.line, place.column)
            kind: typing.Literal["rule", "constraint"] = "constraint" if constraint else "rule"
            self._found.append((place, (place.line or 1) + lines, text.of(one), kind))
            self._tests.append(0)
            body = "; ".join(map(str, one.body))
            more += self._asked(one, number, text, file)
            if constraint:
                data = data[:begin] + b" " * (end - begin) + data[end:]
                more.append(f"__constraint({number}). __violated({number}) :- {body}.")
            else:
                more.append(f"__fired({number}) :- {body}; not __off.")
        return "\n".join([data.decode(), *more])

    def _asked(self, one: AST, number: int, text: Text, file: str | None) -> Iterator[str]:
        """Rules for the literals of a body that can be left out: all others hold, and this one does not."""
        for index, literal in enumerate(one.body):
            if literal.ast_type is not ASTType.Literal or text.of(literal).startswith(("#true", "#false")):
                continue
            others = [*one.body[:index], *one.body[index + 1 :]]
            sign = ast.Sign.Negation if literal.sign != ast.Sign.Negation else ast.Sign.DoubleNegation
            opposite = str(literal.update(sign=sign))
            if literal.atom.ast_type is ASTType.SymbolicAtom:
                for name in _variables(literal) - _variables(one.head).union(*map(_variables, others)):
                    opposite = re.sub(rf"\b{name}\b", "_", opposite)
            body = "; ".join([*map(str, others), opposite])
            if not _is_safe(f":- {body}."):
                continue
            place = text.place(literal)
            yield f"__mattered({len(self._literals)}) :- {body}; not __off."
            self._literals.append((number, Place(file, place.line, place.column), text.of(literal)))
            self._mattered.append(0)

    def run(self, test: ProgramTest, limits: Limits) -> None:
        """Count what a test uses; what is not known within the limits counts as not used."""
        deadline = Deadline(limits.seconds)
        facts = [test.given.facts] if test.given.facts.strip() else []
        problem = self._problem.with_instance(*facts, constants=test.given.constants)
        try:
            with problem.program(limits=deadline.within(Limits())) as program:
                outcome = program.brave(limits=deadline.within(Limits()))
        except LimitError:
            return
        for model in outcome.solutions:
            for (number,) in {*model.get("__fired", ()), *model.get("__violated", ())}:
                self._tests[number] += 1
            for (number,) in model.get("__mattered", ()):
                self._mattered[number] += 1

    @property
    def covered(self) -> tuple[Covered, ...]:
        """The statements, in the order of the program."""
        literals: dict[int, list[Literal]] = {}
        for (statement, place, text), tests in zip(self._literals, self._mattered, strict=True):
            literals.setdefault(statement, []).append(Literal(place, text, tests))
        found = [
            Covered(*one, tests, tuple(literals.get(number, ())))
            for number, (one, tests) in enumerate(zip(self._found, self._tests, strict=True))
        ]
        return tuple(sorted(found, key=lambda one: (one.place.file or "", one.place.line or 0, one.place.column or 0)))


def _variables(node: AST) -> set[str]:
    return {one.name for one in nodes(node) if one.ast_type is ASTType.Variable and one.name != "_"}


def _is_safe(rule: str) -> bool:
    """Whether each variable of a rule is bound."""
    control = clingo.Control(logger=lambda code, message: None)
    try:
        control.add("base", [], rule)
        control.ground()
    except RuntimeError:
        return False
    return True


def lcov(covered: Iterable[Covered]) -> str:
    """Coverage in the format of lcov: a record a file, a `DA` a line."""
    files: dict[str, dict[int, int]] = {}
    for one in covered:
        lines = files.setdefault(one.place.file or "<string>", {})
        for line in range(one.place.line or 1, one.last + 1):
            lines[line] = min(lines.get(line, one.tests), one.tests)
    found = ["TN:"]
    for file, lines in files.items():
        found += [f"SF:{file}", *(f"DA:{line},{tests}" for line, tests in sorted(lines.items()))]
        found += [f"LF:{len(lines)}", f"LH:{sum(map(bool, lines.values()))}", "end_of_record"]
    return "\n".join(found) + "\n"
