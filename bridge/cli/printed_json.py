"""Answer sets as JSON, from the text that clingo prints: what `values.model_json` gives, without a model.

Each atom is read once for all answer sets, in the forms of `bridge.cli.values`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bridge.common.lazy import regex
from bridge.common.strict_json import NESTED, dumps
from bridge.errors import SolverError, UnsupportedError

if TYPE_CHECKING:
    from bridge.asp import Printed

#: So many atoms are kept, but none of a first answer set that has more than so many: often it is the only one.
MOST, LARGE = 1_000_000, 10_000

_STRING = r'"(?:\\.|[^"\\])*"'
#: Atoms that have strings, which may have blanks in them.
_ATOM = regex(rf'(?:[^ "]|{_STRING})+')
_TOKEN = regex(rf"{_STRING}|#inf|#sup|-?[0-9]+|-?[_']*[a-z][A-Za-z0-9_']*|[(),]")
#: Most atoms have numbers only.
_PLAIN = regex(r"(-?[_']*[a-z][A-Za-z0-9_']*)\((-?[0-9]+(?:,-?[0-9]+)*)\)")
_ESCAPED = regex(r"\\(.)")
_BEYOND_ASCII = regex(r"[^\x00-\x7f]")


def _read(atom: str) -> tuple[str, str]:
    """The name of an atom as JSON, and its arguments; what is not an atom stands under the empty name."""
    if (plain := _PLAIN.fullmatch(atom)) is not None:
        return f'"{plain[1]}"', f"[{plain[2].replace(',', ', ')}]"
    tokens = _TOKEN.findall(atom)
    if "".join(tokens) != atom or not tokens or tokens[0] in "),":
        raise ValueError(atom)
    tokens.append("")
    first = tokens[0]
    if first[0] in '"#(' or first.lstrip("-").isdigit():
        value, end = _term(tokens, 0)
        name, row = "", value if first == "(" else f"[{value}]"
    else:
        name, (row, end) = first, _arguments(tokens, 2) if tokens[1] == "(" else ("[]", 1)
    if end != len(tokens) - 1:
        raise ValueError(atom)
    return f'"{name}"', row


def _term(tokens: list[str], at: int) -> tuple[str, int]:
    """A term as JSON, and where it ends."""
    token = tokens[at]
    if token == "(":
        return _arguments(tokens, at + 1)
    if token[0] == '"':
        return dumps(_ESCAPED.sub(lambda found: "\n" if found[1] == "n" else found[1], token[1:-1])), at + 1
    if token[0] == "#":
        return f'"{token}"', at + 1
    name = token.removeprefix("-")
    if name.isdigit():
        return token, at + 1
    if not (name[0].isalpha() or name[0] == "_"):
        raise ValueError(token)
    called = tokens[at + 1] == "("
    if not called and name == token:
        return f'"{name}"', at + 1
    row, end = _arguments(tokens, at + 2) if called else ("[]", at + 1)
    positive = "" if name == token else ', "positive": false'
    return f'{{"functor": "{name}", "args": {row}{positive}}}', end


def _arguments(tokens: list[str], at: int) -> tuple[str, int]:
    """Terms up to a closing bracket, as a list."""
    found: list[str] = []
    while tokens[at] != ")":
        value, at = _term(tokens, at)
        found.append(value)
        if tokens[at] == ",":
            at += 1
        elif tokens[at] != ")":
            raise ValueError(tokens[at])
    return f"[{', '.join(found)}]", at + 1


class _Atoms(dict[str, tuple[str, str]]):
    """Atoms that were read, by their text."""

    def __missing__(self, atom: str) -> tuple[str, str]:
        if len(self) >= MOST:
            self.clear()
        found = self[atom] = _read(atom)
        return found


class Lines:
    """Makes lines of JSON that standard output can encode."""

    def __init__(self, encoding: str) -> None:
        self._encoding = encoding
        self._atoms, self._first = _Atoms(), True

    def of(self, page: Printed) -> list[str]:
        """A line for each answer set; SolverError for a text that is none, UnsupportedError for what is too deep."""
        more = ""
        if page.step is not None:
            more += f', "#step": {page.step}'
        if page.assignment:
            more += f', "#assignment": {dumps(dict(page.assignment))}'
        try:
            return [self._line(text, more) for text in page.texts]
        except (ValueError, IndexError):
            raise SolverError("what clingo printed is not an answer set") from None
        except RecursionError:
            raise UnsupportedError(NESTED) from None

    def _line(self, text: str, more: str) -> str:
        atoms = _ATOM.findall(text) if '"' in text else text.split()
        read = _read if self._first and len(atoms) > LARGE else self._atoms.__getitem__
        self._first = False
        groups: dict[str, list[str]] = {}
        for name, row in map(read, atoms):
            if name in groups:
                groups[name].append(row)
            else:
                groups[name] = [row]
        parts = [f"{name}: [{', '.join(rows)}]" for name, rows in groups.items()]
        if '""' in groups:
            terms = [atom for atom in atoms if read(atom)[0] == '""']
            parts.append(f'"#terms": {dumps(terms)}')
        line = f"{{{', '.join(parts)}{more if parts else more[2:]}}}"
        return line if line.isascii() else self._encodable(line)

    def _encodable(self, line: str) -> str:
        try:
            line.encode(self._encoding)
        except UnicodeEncodeError:
            return _BEYOND_ASCII.sub(_escaped, line)
        return line


def _escaped(found: re.Match[str]) -> str:
    return dumps(found[0], "ascii")[1:-1]
