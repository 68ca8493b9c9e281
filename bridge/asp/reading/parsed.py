"""Programs as syntax trees and plain facts, read once for all that is asked about them.

What clingo parses is the program without its plain facts (`reading.plain_facts`): these are kept as text, and given
to clingo as text.
"""

from __future__ import annotations

import atexit
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from threading import get_ident
from typing import Any, Literal, TypeVar, cast

from clingo import ast
from clingo.ast import AST, ASTType

from bridge.asp import internals
from bridge.asp.reading.messages import Messages
from bridge.asp.reading.names import RuleName, read_names
from bridge.asp.reading.outline import Facts
from bridge.asp.reading.plain_facts import cut
from bridge.asp.reading.source import TEXT, Loaded, bytes_of, check, constants_of, read_file
from bridge.asp.types import Part, Source
from bridge.common.files import AS_LATIN_1
from bridge.errors import Place

T = TypeVar("T")

#: What clingo calls a text that it parses.
STRING = "<string>"

#: Whole texts that are kept, and the longest, in characters.
KEPT, LONGEST = 16, 100_000


class SourceText:
    """The text of nodes, as it stands in their files; `text` and `file` are of a program that came from no file."""

    def __init__(self, text: str | None, file: str = STRING) -> None:
        self._text, self._file = text, file
        self.lines = cache(self._read_lines)
        self._bytes = cache(self._read_bytes)

    def _read_bytes(self, file: str) -> list[bytes]:
        return bytes_of("\n".join(self.lines(file)), file).split(b"\n")

    def _read_lines(self, file: str) -> list[str]:
        text = self._text if file == self._file else read_file(file)
        return (text or "").split("\n")

    def of(self, node: AST) -> str:
        location = node.location
        begin, end = location.begin, location.end
        lines = self._bytes(begin.filename)[begin.line - 1 : end.line]
        if not lines:
            return str(node)
        lines[-1] = lines[-1][: end.column - 1]
        lines[0] = lines[0][begin.column - 1 :]
        return " ".join(line.decode("utf-8", AS_LATIN_1).strip() for line in lines)

    def place(self, node: AST) -> Place:
        """Where a node begins. clingo counts the bytes of a line; a place counts its characters."""
        begin = node.location.begin
        before = self._bytes(begin.filename)[begin.line - 1][: begin.column - 1]
        return Place(begin.filename, begin.line, len(before.decode("utf-8", AS_LATIN_1)) + 1)


class Parsed:
    """A file or a text, with what it includes.

    Its places have `file` as file: the path, or a name of a text. `nodes` are its statements and comments, as clingo
    parses them, but for plain facts. `names` gives the names that the lines of a file have, by comments.
    """

    def __init__(self, file: str, text: str, nodes: list[AST], facts: Facts) -> None:
        self.file, self.text, self.nodes, self.facts = file, text, nodes, facts
        self.source = SourceText(text, file)
        self.named = text
        self.names: Callable[[str], dict[int, RuleName]] = cache(self._names)

        self._computed: dict[Any, Any] = {}
        self._places: dict[int, tuple[Place, RuleName | None]] = {}
        #: What was made of nodes when they got switches, kept for the next time; see `bridge.asp.reading.switches`.
        self.rewritten: dict[tuple[int, bool, bool, bool], list[AST]] = {}

    def _names(self, file: str) -> dict[int, RuleName]:
        return read_names(self.named if file == STRING else "\n".join(self.source.lines(file)), file)

    def computed(self, make: Callable[[Parsed], T]) -> T:
        """What a function makes of this, once."""
        if make not in self._computed:
            self._computed[make] = make(self)
        return cast(T, self._computed[make])

    def place_and_name(self, node: AST) -> tuple[Place, RuleName | None]:
        """Where one of the nodes begins, and its name."""
        if (known := self._places.get(id(node))) is None:
            begin = node.location.begin
            known = self._places[id(node)] = self.source.place(node), self.names(begin.filename).get(begin.line)
        return known

    def priorities(self) -> list[tuple[str, Place]]:
        """The priority of each `#minimize`, `#maximize` and weak constraint, and where it stands."""
        return [(str(one.priority), self.source.place(one)) for one in self.nodes if one.ast_type is ASTType.Minimize]


@dataclass
class Reader:
    """Reads files and texts, each once.

    Constants among the `options` are not names of plain facts. `scripts` says whether programs may have scripts.
    """

    options: Sequence[str] = ()
    scripts: bool = True
    _known: dict[tuple[Source, ...], list[Parsed]] = field(default_factory=dict)

    def read(self, sources: Iterable[Source]) -> list[Parsed]:
        """Files and texts, parsed; an error where one cannot be, or where a name in a comment is wrong."""
        given = tuple(sources)
        if (known := self._known.get(given)) is None:
            known = self._known[given] = self._read(given)
        return known

    def _read(self, sources: Sequence[Source]) -> list[Parsed]:
        number, several = 0, sum(kind == "text" for kind, _ in sources) > 1
        read: list[tuple[str, str]] = []
        for kind, source in sources:
            number += kind == "text"
            name = source if kind == "file" else f"<text {number}>" if several else STRING
            text = source if kind == "text" else read_file(source)
            check(text, TEXT if kind == "text" else source, scripts=self.scripts)
            read.append((name, text))
        parsed: dict[int, list[AST]] = {}
        constants = constants_of((text for _, text in read), self.options)
        for place, ((kind, _), (name, text)) in enumerate(zip(sources, read, strict=True)):
            if "#include" in text:  # an included file may define constants
                parsed[place] = _nodes(text, text, name, in_file=kind == "file", whole=True)
                constants |= {node.name for node in parsed[place] if node.ast_type is ASTType.Definition}
        found: list[Parsed] = []
        loaded = Loaded()
        for place, ((kind, _), (name, text)) in enumerate(zip(sources, read, strict=True)):
            loaded.next()
            is_new = kind == "text" or loaded.is_new(name)
            if place in parsed:
                nodes = [node for node in parsed[place] if loaded.is_new(node.location.begin.filename)]
                found.append(Parsed(name, text, nodes, Facts(name)))
                continue
            if not is_new:
                found.append(Parsed(name, text, [], Facts(name)))
                continue
            if kind == "file" and bytes_of(text, name) != text.encode():  # clingo is to read them
                rest, facts = text, Facts(name)
            else:
                rest, facts = cut(text, name, constants)
            nodes = _nodes(rest, text, name, in_file=kind == "file", whole=not facts)
            found.append(Parsed(name, text, nodes, facts))
        return found


def read_whole(kind: Literal["file", "text"], source: str, part: Part) -> Parsed:
    """A file, or a text of some part of a program, with its plain facts among its nodes.

    A text that includes nothing and is not too long is kept: an encoding comes again with other facts.
    """
    if kind == "file":
        text = read_file(source)
        return Parsed(source, text, _nodes(text, text, source, in_file=True, whole=True), Facts(source))
    name, parameters = part
    head = "" if name == "base" else f"#program {name}({','.join(parameters)}). "
    if len(source) > LONGEST or "#include" in source:
        return _whole_text.__wrapped__(head, source, 0)
    return _whole_text(head, source, get_ident())


@lru_cache(KEPT)
def _whole_text(head: str, source: str, thread: int) -> Parsed:
    """A text after the head of its part; syntax trees belong to one thread."""
    text = head + source
    parsed = Parsed(STRING, text, _nodes(text, text, STRING, in_file=False, whole=True), Facts(STRING))
    parsed.named = source  # its first line may be a name
    return parsed


atexit.register(_whole_text.cache_clear)  # before clingo itself goes, which frees the trees


def _nodes(rest: str, text: str, name: str, *, in_file: bool, whole: bool) -> list[AST]:
    """What is left of a program, parsed, with the places that it has in the program."""
    nodes: list[AST] = []
    messages = Messages()
    kind, source = ("file", name) if in_file and whole else ("text", rest)
    try:
        with internals.logging():
            messages.parse(kind, source, nodes.append)
    except RuntimeError as error:
        messages.look_for_unsafe(kind, source)
        raise messages.error(str(error), None if kind == "file" else text, name if in_file else TEXT) from None
    return nodes if kind == "file" else [_placed(node, name) for node in nodes]


def _placed(node: AST, file: str) -> AST:
    """A statement of a text, with the name of the text in its place."""
    location = node.location
    begin, end = location.begin, location.end
    if begin.filename != STRING or file == STRING:  # it comes from an included file
        return node
    here: Any = ast.Location(ast.Position(file, begin.line, begin.column), ast.Position(file, end.line, end.column))
    return node.update(location=here)
