"""Mutants of a clingo program: the program with one small change, as a person might get it wrong.

    >>> for mutant in mutants(":- queen(R, C), queen(R, C'), C < C'.\\n"):
    ...     print(mutant.kind, mutant.after or "(left out)")
    rule (left out)
    literal :- queen(R, C'), C < C'.
    literal :- queen(R, C), C < C'.
    literal :- queen(R, C), queen(R, C').
    operator :- queen(R, C), queen(R, C'), C <= C'.

A change is one of these, made on the syntax tree and written into the text, so that all else stays as it is, line
numbers included:

- `rule`: a rule or a fact is left out.
- `literal`: a literal of a body or of a condition is dropped.
- `negation`: `not` is dropped.
- `operator`: `<` and `<=`, `>` and `>=`, `=` and `!=` are exchanged.
- `bound`: a bound of a choice or an aggregate, or the end of an interval, is one more or one less.

Some mutants are not programs (a variable is unsafe): that shows when they are loaded.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from os import PathLike

from clingo.ast import ASTType

from bridge.asp.reading import Kind, Text
from bridge.common import Json, read_source
from bridge.debugging.edits import simple
from bridge.errors import Place


@dataclass(frozen=True, slots=True)
class Mutant(Json):
    """A program with one change."""

    kind: Kind  #: What was changed.
    place: Place  #: Where the changed statement begins.
    before: str  #: The statement, as it was and as it is; `after` is empty where it was left out.
    after: str
    text: str  #: The whole program.

    @property
    def diff(self) -> str:
        """The change as a diff, with file and line."""
        removed = "".join(f"-{line}\n" for line in self.before.split("\n"))
        added = "".join(f"+{line}\n" for line in self.after.split("\n")) if self.after else ""
        return f"{self.place.file}:{self.place.line}\n{removed}{added}".rstrip("\n")

    _json = ("kind *place before after",)


def mutants(source: str | PathLike[str]) -> Iterator[Mutant]:
    """All mutants of a file or of program text, each text once, in the order of the statements.

    What it includes stays as it is.

    Raises ProgramError with place and line, when clingo cannot read it.
    """
    file, text = read_source(source)
    program = Text(text, file)
    seen = {program.data.decode()}
    for statement in program.statements:
        if statement.ast_type is not ASTType.Rule:
            continue
        for change in simple(statement, program):
            changed, after = program.changed(change, statement)
            if changed not in seen:
                seen.add(changed)
                yield Mutant(change.kind, program.place(statement), program.of(statement), after, changed)
