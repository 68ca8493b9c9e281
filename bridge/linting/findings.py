"""What `lint` finds: findings, and the checks that there are.

What a check finds, with an example, is told by its entry in docs/lint.md alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypedDict

from clingo.ast import AST

from bridge.common import AS_LATIN_1, Json, Key, public, short
from bridge.errors import Place
from bridge.linting.program import PlainFact, Statement

Level = Literal["error", "warning", "info"]


class Fix(NamedTuple):
    """Bytes of a file that may be replaced without a change of the answer sets."""

    file: str
    begin: int
    end: int
    by: str


class End(TypedDict):
    """Where a text ends."""

    line: int
    column: int


@public("bridge")
@dataclass(frozen=True, slots=True)
class Finding(Json):
    """Something that is probably wrong.

    Attributes
    ----------
    id, name
        Of the check: `LP003`, `undefined-predicate`; of Prolog `PL003`.
    level
        `error` of what the solver refuses, `warning` of what is certainly not meant, `info` of style and of what may be
        meant.
    place
        Where the part begins that it is about.
    end
        Line and column behind that part.
    sentence
        What is wrong.
    suggestion
        What was perhaps meant, as it would stand there.
    fix
        A change that leaves all answer sets as they are.
    """

    id: str
    name: str
    level: Level
    place: Place
    end: tuple[int, int]
    sentence: str
    suggestion: str | None = None
    fix: Fix | None = None

    __repr__ = short

    _json = (
        "id name level *place",
        Key("end", End, lambda self: {"line": self.end[0], "column": self.end[1]}),
        "sentence suggestion",
    )

    def __str__(self) -> str:
        return f"{self.sentence}{f' (did you mean {self.suggestion}?)' if self.suggestion else ''}"


class Hit(NamedTuple):
    """What a check found: a node, or all up to another one, or bytes of a fact; the rest is as in `Finding`."""

    statement: Statement | PlainFact
    node: AST | tuple[int, int]
    sentence: str
    suggestion: str | None = None
    level: Level | None = None
    fix: Fix | None = None
    until: AST | None = None


class Check(NamedTuple):
    """A check."""

    id: str
    name: str
    level: Level  #: Of its findings, unless they have another.
    #: The function of a program, or of a raw finding in Prolog; None of what clingo says, and of what has to be ground.
    run: Callable[[Any], Any] | None

    def findings(self, hits: Iterator[Hit]) -> Iterator[Finding]:
        """Findings with their places."""
        for hit in hits:
            text = hit.statement.text
            begin, end = hit.node if isinstance(hit.node, tuple) else text.span(hit.node)
            if hit.until is not None:
                end = text.span(hit.until)[1]
            suggestion = hit.suggestion
            if suggestion is not None and is_there(suggestion, text.data[begin:end].decode(errors="replace")):
                suggestion = None
            yield Finding(
                self.id,
                self.name,
                hit.level or self.level,
                Place(hit.statement.file, *_position(text.data, begin)),
                _position(text.data, end),
                hit.sentence,
                suggestion,
                hit.fix,
            )


def is_there(suggestion: str, part: str) -> bool:
    """Whether a text is what stands there already, up to blanks."""
    return "".join(suggestion.split()) == "".join(part.split())


def _position(data: bytes, offset: int) -> tuple[int, int]:
    """Line and column of a byte, in characters, from 1."""
    begin = data.rfind(b"\n", 0, offset) + 1
    return data.count(b"\n", 0, offset) + 1, len(data[begin:offset].decode("utf-8", AS_LATIN_1)) + 1


#: All checks, by id.
CHECKS: dict[str, Check] = {}


def check(id: str, name: str, level: Level) -> Callable[[Any], Any]:
    """Registers a function as a check."""

    def register(run: Any) -> Any:
        CHECKS[id] = Check(id, name, level, run)
        return run

    return register


def declare(id: str, name: str, level: Level) -> Check:
    """A check that is not a function of the syntax trees."""
    CHECKS[id] = found = Check(id, name, level, None)
    return found


def entry(of: Check) -> tuple[str, str]:
    """What a check finds, and a program in which it does: from its entry in docs/lint.md."""
    here = Path(__file__)
    installed = here.with_name("lint.md")
    page = installed if installed.is_file() else here.parents[2] / "docs" / "lint.md"
    found = page.read_text(encoding="utf-8").partition(f"### {of.id} {of.name}\n")[2]
    explanation, _, rest = found.partition("```")
    return explanation.strip(), rest.partition("\n")[2].partition("```")[0]
