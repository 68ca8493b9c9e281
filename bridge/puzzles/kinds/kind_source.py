"""The file of a kind of puzzle, taken apart: the program for clingo, and its `#program workbench.` part.

clingo does not ground the workbench part by itself. What `#include` names is put in its place, so that a kind is plain
text, which can be sent to another machine; each line keeps the file and the line that it comes from.

    >>> taken = take_apart("p(1).\\n#program workbench.\\ntitle(\\"P\\").\\n", "p.lp")
    >>> taken.base.text, taken.workbench.text
    ('p(1).\\n', 'title("P").\\n')
    >>> str(taken.workbench.place(Place(None, 1, 7)))
    'p.lp:3:7'
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from re import MULTILINE
from typing import TYPE_CHECKING, Any, Self

from bridge.common import read_text, regex
from bridge.errors import BridgeError, InputError, Place

if TYPE_CHECKING:
    from collections.abc import Iterator

#: The name of the part.
PART = "workbench"

_PART = regex(r"\s*#program\s+([a-z_]\w*)\s*(?:\(.*\))?\s*\.\s*(?:%.*)?$")
_INCLUDE = regex(r'\s*#include\s+"([^"]+)"\s*\.\s*(?:%.*)?$')
#: A `#const` statement; or a string or a comment, in which there is none.
_CONSTANT = regex(r'#const\s+([a-z_]\w*)\s*=(?:"(?:\\.|[^"\\])*"|\.\.|[^."%])*\.\s*(?:\[\w+\])?|"(?:\\.|[^"\\])*"|%.*')
_HAS_PART = regex(rf"^\s*#program\s+{PART}\s*\.", MULTILINE)


def has_workbench(text: str) -> bool:
    """Whether a program has a workbench part: then it is a kind of puzzle."""
    return _HAS_PART.search(text) is not None


@dataclass
class Listing:
    """Program text, and the file and line of each of its lines."""

    text: str = ""
    origins: list[tuple[str, int]] = field(default_factory=list)

    def add(self, line: str, file: str, number: int) -> None:
        self.text += f"{line}\n"
        self.origins.append((file, number))

    def place(self, where: Place | None) -> Place | None:
        """The place in its file of a place in the text."""
        if where is None or where.line is None or not 0 < where.line <= len(self.origins):
            return where
        file, line = self.origins[where.line - 1]
        return Place(file, line, where.column)

    def placed(self, message: str) -> str:
        """A message of clingo about the text, with its place in the file."""
        name, _, rest = message.partition(":")
        line, separator, more = rest.partition(":")
        if not (name.startswith("<") and line.isdecimal()):
            return message
        place = self.place(Place(name, int(line)))
        return f"{place}{separator}{more}"

    @contextmanager
    def placing(self) -> Iterator[None]:
        """Errors about the text get their places in the files."""
        try:
            yield
        except BridgeError as error:
            error.where = self.place(error.where)
            raise

    def pack(self) -> list[Any]:
        """The listing as plain data."""
        return [self.text, [list(origin) for origin in self.origins]]

    @classmethod
    def unpack(cls, data: list[Any]) -> Self:
        """The inverse of `pack`."""
        return cls(data[0], [(file, line) for file, line in data[1]])


@dataclass
class Taken:
    """A kind's file, taken apart.

    Attributes
    ----------
    base
        The program without its workbench part.
    workbench
        The workbench part, and the `#const` statements of the program.
    constants
        The names of the constants, in their order.
    """

    base: Listing = field(default_factory=Listing)
    workbench: Listing = field(default_factory=Listing)
    constants: list[str] = field(default_factory=list)


def take_apart(text: str, file: str) -> Taken:
    """A program in its parts.

    Parameters
    ----------
    text
        The program.
    file
        Its path: files that it includes are beside it.

    Raises
    ------
    InputError
        When an included file cannot be read.
    """
    taken = Taken()
    _take(text, file, taken, {Path(file).resolve()})
    return taken


def _take(text: str, file: str, taken: Taken, seen: set[Path]) -> None:
    part = "base"
    for number, line in enumerate(text.splitlines(), 1):
        if found := _PART.match(line):
            part = found[1]
            if part != PART:
                taken.base.add(line, file, number)
            continue
        if (included := _INCLUDE.match(line)) is not None:
            path = Path(file).parent / included[1]
            if path.resolve() not in seen:
                seen.add(path.resolve())
                try:
                    inside = read_text(str(path))
                except InputError as error:
                    message = f"{path}: {error.message}"
                    raise InputError(message, where=Place(file, number), hint=error.hint) from None
                _take(inside, str(path), taken, seen)
                if part not in (PART, "base"):
                    taken.base.add(f"#program {part}.", file, number)
            continue
        own, other = (taken.workbench, taken.base) if part == PART else (taken.base, taken.workbench)
        own.add(line, file, number)
        if defined := [found for found in _CONSTANT.finditer(line) if found[1] is not None]:
            taken.constants += dict.fromkeys(one[1] for one in defined if one[1] not in taken.constants)
            other.add(" ".join(one[0].strip() for one in defined), file, number)
    if part not in (PART, "base"):
        taken.base.add("#program base.", file, number)
