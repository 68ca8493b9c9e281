"""The text form of an instance, read and printed from what a kind declares (`docs/puzzle-files.md`).

A text has rows of tokens, with or without a name in the line before them, and lines `KEY: ...`. The same patterns
(`kinds.patterns`) turn tokens into facts and facts into tokens. Every token keeps its place, and so does the
fact that it was read from: a wrong instance is refused at its line and column.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bridge.asp import Constant, encode
from bridge.asp.reading import Atom, is_name, written
from bridge.common import plural
from bridge.errors import InputError, Place, brief
from bridge.puzzles.kinds.kind import MOST, Block, Kind, Line
from bridge.puzzles.kinds.kind import Token as Form
from bridge.puzzles.kinds.patterns import Field, Pattern, atom_of, is_placeholder, parse_terms, same_sort, shown
from bridge.puzzles.kinds.rules import Cell, Value, cell_name
from bridge.puzzles.kinds.text import RULER, Token, line_of, no_square, usual_length, without_comment
from bridge.puzzles.kinds.text import Line as Row

_LINK = re.compile(r"\s*([a-z]+://)")
_KEY = re.compile(r"\s*([^\s:]+)\s*:(?=\s|$)")
_PIECE = re.compile(r"\s*(?:(?P<comma>,)|(?P<cell>[rR]([0-9]{1,4})[cC]([0-9]{1,4})(?![0-9A-Za-z]))|(?P<other>[^\s,]+))")
_NUMBER = re.compile(r"-?[0-9]{1,9}")

#: A token that is none.
NONE = frozenset("._*")

#: The longest text, in characters.
LONGEST = 1 << 22

#: The keys of lines that every kind has, and that of squares.
CLUE, FACTS, ORDER = "clue", "facts", "order"


@dataclass
class Read:
    """What a text holds.

    Attributes
    ----------
    facts
        The facts, given values among them, each with its place.
    size
        Rows and columns; None when the text has no rows.
    constants
        The constants that a size or an option gives.
    settings
        The values of settings.
    """

    facts: dict[Atom, Place] = field(default_factory=dict)
    settings: dict[str, Token] = field(default_factory=dict)
    size: Cell | None = None
    constants: dict[str, Any] = field(default_factory=dict)


def comment_of(kind: Kind) -> str:
    """What begins a comment line: `#`, or `%` where `#` is a token."""
    return "%" if any(token.text.startswith("#") for block in kind.blocks for token in block.tokens) else "#"


def read_text(kind: Kind, text: str, place: Place) -> Read:
    """The facts of a text.

    Raises
    ------
    InputError
        With line and column.
    """
    return _Reading(kind, place).read(text)


class _Reading:
    def __init__(self, kind: Kind, place: Place) -> None:
        self.kind, self.place = kind, place
        self.values = {text: value for value, text in kind.glyphs.items()}
        self.found = Read()
        self.lines: dict[str | None, int] = {}
        self.rows: dict[str, list[Row]] = {}
        self.meanings: dict[tuple[str, str], list[tuple[Pattern, dict[str, list[Any]]]]] = {}

    def read(self, text: str) -> Read:
        if "\0" in text:
            raise InputError("this is not text", where=self.place, hint="is it the right file?")
        if len(text) > LONGEST:
            raise InputError(f"more than {LONGEST:,} characters", where=self.place)
        comment, block = comment_of(self.kind), ""
        keyed: list[tuple[str, str, Place]] = []
        names = {one.name for one in self.kind.blocks if one.name}
        settings = {*(one.name for one in self.kind.settings), *([ORDER] if self.kind.square else [])}
        something = False
        for number, raw in enumerate(text.splitlines(), 1):
            if not raw.strip() or raw.lstrip().startswith(comment):
                continue
            something = True
            where = Place(self.place.file, number)
            if (key := _KEY.match(raw)) is not None:
                name, rest = key[1], raw[key.end() :]
                here = Place(self.place.file, number, key.start(1) + 1)
                if not rest.strip() and name in names:
                    if name in self.rows:
                        raise InputError(f"`{name}:` comes twice", where=here, hint="leave one of them out")
                    block, self.rows[name] = name, []
                    continue
                if name in settings:
                    self._setting(Token(name, here), Token(rest.strip(), here))
                    continue
                keyed.append((name, " " * key.end() + rest, here))
            elif (link := _LINK.match(raw)) is not None:
                here = Place(self.place.file, number, link.start(1) + 1)
                raise InputError(
                    "this is a link, and no text form", where=here, hint="bridge.puzzles.formats reads links"
                )
            elif not RULER.match(raw) or self._is_token(raw.strip()):
                row = line_of(without_comment(raw) if comment == "#" else raw, where)
                if len(row.words) == 2 and row.words[0].text in settings and not self.rows:
                    self._setting(*row.words)
                else:
                    self.rows.setdefault(block, []).append(row)
        if not something:
            raise InputError("there is no puzzle in here: the text is empty", where=self.place)
        for key_, rest, here in keyed:
            self._line(key_, rest, here)
        self._blocks()
        self._order()
        if self.found.size is not None:
            self.found.constants = {**self.kind.sized(*self.found.size), **self.found.constants}
        return self.found

    def _setting(self, name: Token, value: Token) -> None:
        if name.text in self.found.settings:
            raise InputError(f"a second line `{name.text}`", where=name.place, hint="leave one of them out")
        self.found.settings[name.text] = value

    def _order(self) -> None:
        """What a line `order 4` says: the number of rows, of an empty instance or of those that follow."""
        order, size = self.found.settings.pop(ORDER, None), self.found.size
        if order is None:
            if size is None and self.found.settings:
                raise InputError("there are settings but no rows", where=self.place)
            return
        if not re.fullmatch("[1-9][0-9]*", order.text):
            raise InputError(f"{brief(order.text)} is not an order", where=order.place, hint="write it as in `order 9`")
        if (number := int(order.text[:9])) > MOST:
            raise InputError(f"{number:,} rows are more than {MOST}", where=order.place)
        if size is not None and size[0] != number:
            message = f"{size[0]} rows, but the order is {number}"
            raise InputError(message, where=order.place, hint="is a row missing?")
        self.found.size = number, number

    def _is_token(self, text: str) -> bool:
        return any(text == token.text for block in self.kind.blocks for token in block.tokens)

    def _add(self, fact: Atom, place: Place) -> None:
        self.found.facts.setdefault(fact, place)

    # Rows

    def _blocks(self) -> None:
        declared = {block.name: block for block in self.kind.blocks}
        for name, rows in self.rows.items():
            if name not in declared:
                hint = f"lines are {', '.join(self._keys())}" if self._keys() else None
                raise InputError(f"a {self.kind.title} has no rows here", where=rows[0].words[0].place, hint=hint)
            if not rows:
                raise InputError(f"there are no rows after `{name}:`", where=self.place)
            cells = self._cells(rows, margin=bool(self.kind.margin) and name == "")
            size = len(cells), len(cells[0])
            if self.found.size not in (None, size):
                message = f"{size[0]} rows of {size[1]} cells, but those before are {_by(self.found.size)}"
                raise InputError(message, where=rows[0].place)
            if self.kind.square and size[0] != size[1]:
                raise InputError(no_square(*size), where=rows[-1].place, hint="is a row missing?")
            self.found.size = size
            for r, row in enumerate(cells, 1):
                for c, token in enumerate(row, 1):
                    self._cell(declared[name], token, (r, c))

    def _keys(self) -> list[str]:
        named = [f"{line.key}: ..." for line in self.kind.lines if line.key]
        return [*(f"{block.name}:" for block in self.kind.blocks if block.name), *named]

    def _cells(self, rows: list[Row], margin: bool) -> list[tuple[Token, ...]]:
        """The tokens of rows, without those of a margin."""
        split = self._split(rows, margin)
        if not margin:
            return split
        if len(split) < 3:
            raise InputError(
                "the rows have one before and one after them, for what stands outside", where=rows[0].place
            )
        width = len(split[1]) - 2
        for number in (0, -1):
            side, line = ("top", "bottom")[number], split[number]
            if len(line) == width + 2:
                corners = [token for token in (line[0], line[-1]) if token.text not in NONE]
                if corners:
                    raise InputError(f"{brief(corners[0].text)} stands in a corner", where=corners[0].place)
                line = line[1:-1]
            if len(line) != width:
                message = f"this row is outside the grid, which has {width} columns; it has {plural(len(line), 'cell')}"
                raise InputError(message, where=rows[number].place, hint="write `.` for none")
            for c, token in enumerate(line, 1):
                self._outside(token, side, c)
        for r, line in enumerate(split[1:-1], 1):
            self._outside(line[0], "left", r)
            self._outside(line[-1], "right", r)
        return [line[1:-1] for line in split[1:-1]]

    def _split(self, rows: list[Row], margin: bool) -> list[tuple[Token, ...]]:
        """Rows as tokens: words, or where that does not fit, characters."""
        inner = rows[1:-1] if margin and len(rows) > 2 else rows
        number = len(rows)
        words, characters = [len(row.words) for row in inner], [row.length for row in inner]
        square = self.kind.square
        fitting = sum(n == number for n in words), sum(n == number for n in characters)
        if square and fitting[0] != fitting[1]:
            by_words = fitting[0] > fitting[1]
        else:
            longest = max(len(word.text) for row in inner for word in row.words)
            by_words = max(words) > 1 and (len(set(words)) == 1 or longest > 1 or len(set(characters)) > 1)
            by_words = by_words or (max(words) == 1 and self._single(inner))
        by_words = by_words and not self._all_single(inner)
        split = [row.words if by_words else row.characters for row in rows]
        within = split[1:-1] if margin and len(rows) > 2 else split
        usual_length(within, inner, number)
        return split

    def _all_single(self, rows: list[Row]) -> bool:
        """Whether all characters are values by themselves: then blanks between them mean nothing."""
        known = self.values.keys() | NONE
        return bool(self.values) and all(
            character in known for row in rows for word in row.words for character in word.text
        )

    def _single(self, rows: list[Row]) -> bool:
        """Whether each row is one token, of several characters: a grid of one column."""
        return len(rows) > 1 and all(
            len(row.words[0].text) > 1 and _NUMBER.fullmatch(row.words[0].text) for row in rows
        )

    def _cell(self, block: Block, token: Token, cell: Cell) -> None:
        key = block.name, token.text
        if (meaning := self.meanings.get(key)) is None:
            meaning = self.meanings[key] = list(self._meaning(block, token, cell))
        row, column = [cell[0]], [cell[1]]
        for pattern, values in meaning:
            self._add(pattern.fact({"row": row, "column": column, **values}), token.place)

    def _meaning(self, block: Block, token: Token, cell: Cell) -> Iterator[tuple[Pattern, dict[str, list[Any]]]]:
        """What a token of rows stands for, in whichever cell: patterns of facts, with the values that it holds."""
        for form in block.tokens:
            if (held := self._form(form, token.text)) is not None:
                left = iter(held)
                for pattern in form.patterns:
                    values: dict[str, list[Any]] = {}
                    for name in pattern.read:
                        values.setdefault(name, []).append(next(left))
                    yield pattern, values
                return
        if token.text in NONE:
            return
        for pattern in block.patterns:
            (kind,) = pattern.read
            if (value := self._value(kind, token.text)) is not None:
                yield pattern, {kind: [value]}
                return
        message = f"{cell_name(cell)}: {brief(token.text)} has no meaning here"
        raise InputError(message, where=token.place, hint=_open(block))

    def _form(self, form: Form, text: str) -> list[Any] | None:
        """What a token of a form of its own holds; None when it has another form."""
        found = form.form.fullmatch(text)
        if found is None:
            return None
        values = [self._value(name, one) for name, one in zip(form.read, found.groups(), strict=True)]
        return None if any(value is None for value in values) else values

    def _outside(self, token: Token, side: str, index: int) -> None:
        if token.text in NONE:
            return
        for pattern in self.kind.margin:
            (kind,) = [name for name in pattern.placeholders if name in ("number", "word")]
            value = self._value(kind, token.text)
            if value is not None:
                self._add(pattern.fact({"side": [Constant(side)], "index": [index], kind: [value]}), token.place)
                return
        line = "row" if side in ("left", "right") else "column"
        message = f"{brief(token.text)}, {side} of {line} {index}, is not a number"
        raise InputError(message, where=token.place, hint="write `.` for none")

    def _value(self, kind: str, text: str) -> Any:
        """The term of a token; None when it is not such a token."""
        if kind == "value":
            if text in self.values:
                value = self.values[text]
                return Constant(value) if isinstance(value, str) and is_name(value) else value
            return int(text) if _NUMBER.fullmatch(text) else _word(text)
        if kind == "number":
            return int(text) if _NUMBER.fullmatch(text) else None
        return _word(text)

    # Lines

    def _line(self, key: str, rest: str, place: Place) -> None:
        if any(choice.constant and choice.name == key for choice in self.kind.choices):
            constant = next(choice.constant for choice in self.kind.choices if choice.name == key)
            assert constant is not None
            terms = parse_terms(rest.strip(), place)
            if len(terms) != 1:
                raise InputError(f"`{key}` has one value", where=place)
            self.found.constants[constant] = terms[0]
            return
        fitting = [line for line in self.kind.lines if line.key == key]
        if not fitting and key not in (CLUE, FACTS):
            fitting = [line for line in self.kind.lines if line.key is None]
        if not fitting and key == CLUE:
            self._clues(rest, place)
            return
        if not fitting and key == FACTS:
            for term in parse_terms(rest.strip(), place):
                self._add(atom_of(term, place), place)
            return
        if not fitting:
            known = ", ".join(dict.fromkeys([*self._keys(), f"{CLUE}: ...", f"{FACTS}: ..."]))
            raise InputError(f"a {self.kind.title} has no line `{key}:`", where=place, hint=f"it has {known}")
        wrong: InputError | None = None
        for line in fitting:
            reader = _Pieces(rest, place, self)
            try:
                facts = list(reader.facts(line, key, self.lines.get(line.key, 0) + 1))
            except InputError as error:
                if wrong is None or _column(error) > _column(wrong):
                    wrong = error
                continue
            self.lines[line.key] = self.lines.get(line.key, 0) + 1
            for fact, where in facts:
                self._add(fact, where)
            return
        assert wrong is not None
        if any(line.key == key for line in fitting):
            raise wrong
        known = ", ".join([*self._keys(), f"{CLUE}: ...", f"{FACTS}: ..."])
        hint = f"a {self.kind.title} has no lines `{key}: ...` with a meaning of their own; it has {known}"
        raise InputError(wrong.message, where=wrong.where, hint=hint)

    def _clues(self, rest: str, place: Place) -> None:
        for found in re.finditer(r"(\S+)", rest):
            here = Place(place.file, place.line, found.start() + 1)
            parts = re.fullmatch(r"r([0-9]{1,4})c([0-9]{1,4})=(\S+)", found[1])
            if parts is None:
                raise InputError(f"{brief(found[1])} is not a given value", where=here, hint="write it as in r1c2=5")
            value = self._value("value", parts[3])
            self._add((self.kind.clue, (int(parts[1]), int(parts[2]), value)), here)


class _Pieces:
    """The tokens of a line, read one after the other as what is wanted."""

    def __init__(self, text: str, place: Place, reading: _Reading) -> None:
        self.text, self.where, self.reading = text, place, reading
        self.at = 0

    @property
    def place(self) -> Place:
        """Where the next token stands."""
        rest = self.text[self.at :]
        return Place(self.where.file, self.where.line, self.at + len(rest) - len(rest.lstrip()) + 1)

    @property
    def over(self) -> bool:
        return not self.text[self.at :].strip()

    def facts(self, line: Line, key: str, number: int) -> Iterator[tuple[Atom, Place]]:
        given: dict[str, Any] = {"key": _word(key), "line": number}
        for one in line.fields:
            if one.repeat == "once":
                yield self._fact(one.pattern, given)
                continue
            group = position = 1
            while not self.over:
                if self._comma():
                    if one.repeat != "groups":
                        raise InputError("a comma has no meaning here", where=self.place)
                    group, position = group + 1, 1
                    continue
                yield self._fact(one.pattern, {**given, "group": group, "position": position})
                position += 1
        if not self.over:
            raise InputError(f"{brief(self.text[self.at :].strip())} is left over", where=self.place)

    def _comma(self) -> bool:
        found = re.compile(r"\s*,").match(self.text, self.at)
        self.at = found.end() if found else self.at
        return found is not None

    def _fact(self, pattern: Pattern, given: Mapping[str, Any]) -> tuple[Atom, Place]:
        place = self.place
        values: dict[str, list[Any]] = {}
        for token in pattern.tokens:
            if token == "cell":
                r, c = self._cell()
                values.setdefault("row", []).append(r)
                values.setdefault("column", []).append(c)
            else:
                values.setdefault(token, []).append(self._take(token))
        for name in pattern.placeholders:
            if name in given:
                values.setdefault(name, []).append(given[name])
            elif name in ("row", "column") and name not in values:
                values[name] = values.pop("number")
        return pattern.fact(values), place

    def _cell(self) -> Cell:
        found = _PIECE.match(self.text, self.at)
        if found is None or not found["cell"]:
            raise self._expected("a cell, as in r1c2")
        self.at = found.end()
        return int(found[3]), int(found[4])

    def _take(self, token: str) -> Any:
        rest = self.text[self.at :]
        start = self.at + len(rest) - len(rest.lstrip())
        if token == "number":
            number = _NUMBER.match(self.text, start)
            if number is None:
                raise self._expected("a number")
            self.at = number.end()
            return int(number[0])
        word = re.compile(r"[^\s,]+").match(self.text, start)
        if word is None:
            raise self._expected(f"a {token}")
        value = self.reading._value(token, word[0])
        if value is None:
            raise self._expected(f"a {token}")
        self.at = word.end()
        return value

    def _expected(self, what: str) -> InputError:
        rest = self.text[self.at :].split()
        found = f"not {brief(rest[0])}" if rest else "and the line ends"
        return InputError(f"here {what} is wanted, {found}", where=self.place)


def _column(error: InputError) -> int:
    return (error.where.column if error.where else None) or 0


def _word(text: str) -> Any:
    """A word as a term: a constant where it can be one, otherwise a string."""
    return Constant(text) if is_name(text) else text


def _by(size: Cell | None) -> str:
    return f"{size[0]} of {size[1]}" if size else ""


def _open(block: Block) -> str:
    tokens = ", ".join(f"`{token.text}`" for token in block.tokens)
    return f"`.` is none{f', tokens are {tokens}' if tokens else ''}"


# Examples

#: What placeholders may look like, one after the other.
_SAMPLES = {"cell": ("r1c1", "r1c2", "r2c2", "r2c3"), "number": ("12", "3"), "word": ("a", "b"), "value": ("5", "6")}


def syntax(kind: Kind) -> str:
    """What the text of an instance may have, an example of each declaration."""
    found = [f"{comment_of(kind)} In rows, a token for each cell: one of these."]
    for block in kind.blocks:
        tokens = [
            "".join(_SAMPLES[str(part)][0] if is_placeholder(part) else part for part in one.parts)
            for one in block.tokens
        ]
        tokens += [_SAMPLES[name][0] for one in block.patterns for name in one.read]
        tokens = list(dict.fromkeys([".", *tokens]))
        found += [*([f"{block.name}:"] if block.name else []), "  ".join(tokens)]
    if kind.margin:
        found.append(
            f"{comment_of(kind)} One row more before and after, one token more at both ends: outside the grid."
        )
    for line in kind.lines:
        samples = {name: list(those) for name, those in _SAMPLES.items()}
        words = [_sample(one, samples, kind) for one in line.fields]
        found.append(f"{line.key or 'a'}: {' '.join(words)}")
    found += [f"{choice.name}: 2" for choice in kind.choices if choice.constant is not None]
    clue = f"{CLUE}: r1c1=5 r2c3=1"
    return "\n".join([*found, clue])


def _sample(one: Field, samples: dict[str, list[str]], kind: Kind) -> str:
    known = [atom[len(one.pattern.name) + 1 : -1].strip('"') for atom in sorted(kind.words.get(one.pattern.name, ()))]
    if known and len(one.pattern.placeholders) == 1:
        return " ".join(known if one.repeat == "each" else known[:1])
    times = 1 if one.repeat == "once" else 2
    tokens = [
        (samples[token].pop(0) if len(samples[token]) > 1 else samples[token][0])
        for _ in range(times)
        for token in one.pattern.tokens
    ]
    return " ".join(tokens) + (", 4" if one.repeat == "groups" else "")


# Printing


def print_text(
    kind: Kind,
    facts: Sequence[Atom],
    size: Cell,
    constants: Mapping[str, Any],
    glyphs: Mapping[Value, str],
) -> str:
    """An instance as text, which `read_text` reads.

    Parameters
    ----------
    facts
        All facts, given values among them.
    size
        Rows and columns of the text.
    constants
        Those of the instance that its size does not give.
    """
    printer = _Printing(kind, facts, glyphs)
    parts = [printer.block(block, *size) for block in kind.blocks]
    options = [(choice.name, choice.constant) for choice in kind.choices if choice.constant is not None]
    lines = [f"{name}: {encode(constants[constant])}" for name, constant in options if constant in constants]
    for line in kind.lines:
        lines += printer.line(line)
    lines += printer.rest()
    return "\n\n".join(part for part in [*parts, "\n".join(lines)] if part)


class _Printing:
    def __init__(self, kind: Kind, facts: Sequence[Atom], glyphs: Mapping[Value, str]) -> None:
        self.kind, self.glyphs = kind, glyphs
        self.left = dict.fromkeys(facts)

    def _taken(self, pattern: Pattern) -> Iterator[tuple[Atom, dict[str, list[Any]]]]:
        """The facts of a pattern that are not printed yet."""
        for fact in list(self.left):
            if (values := pattern.match(fact)) is not None:
                yield fact, values

    def block(self, block: Block, rows: int, columns: int) -> str:
        tokens: dict[Cell, str] = {}
        for patterns, form in [
            *((one.patterns, one) for one in block.tokens),
            *(((pattern,), None) for pattern in block.patterns),
        ]:
            by_pattern = [self._by_cell(pattern, rows, columns) for pattern in patterns]
            for cell in sorted(set.intersection(*map(set, by_pattern)) - tokens.keys()):
                held = [found[cell] for found in by_pattern]
                text = self._token(held[0][1]) if form is None else self._form(form, [values for _, values in held])
                if text is not None:
                    tokens[cell] = text
                    for fact, _ in held:
                        del self.left[fact]
        if block.name and not tokens:
            return ""
        grid = [[tokens.get((r, c), ".") for c in range(1, columns + 1)] for r in range(1, rows + 1)]
        if self.kind.margin and not block.name:
            grid = self._margin(grid, rows, columns)
        width = max(len(text) for row in grid for text in row)
        shown_ = [" ".join(text.rjust(width) for text in row).rstrip() for row in grid]
        return "\n".join([*([f"{block.name}:"] if block.name else []), *shown_])

    def _by_cell(self, pattern: Pattern, rows: int, columns: int) -> dict[Cell, tuple[Atom, dict[str, list[Any]]]]:
        """For each cell of the text, the first fact of a pattern that is not printed yet."""
        found: dict[Cell, tuple[Atom, dict[str, list[Any]]]] = {}
        for fact, values in self._taken(pattern):
            r, c = values.get("row", [0])[0], values.get("column", [0])[0]
            if isinstance(r, int) and isinstance(c, int) and 1 <= r <= rows and 1 <= c <= columns:
                found.setdefault((r, c), (fact, values))
        return found

    def _form(self, form: Form, values: list[dict[str, list[Any]]]) -> str | None:
        """A token with a form of its own."""
        texts: list[str | None] = []
        for pattern, held in zip(form.patterns, values, strict=True):
            left = {name: iter(those) for name, those in held.items()}
            read = [(name, next(left[name])) for name in pattern.read]
            texts += [self._written(name, value, in_rows=True) for name, value in read]
        if None in texts:
            return None
        found = iter(texts)
        return "".join(str(next(found)) if is_placeholder(part) else part for part in form.parts)

    def _token(self, values: Mapping[str, list[Any]]) -> str | None:
        for name in ("number", "value", "word"):
            if name in values:
                return self._written(name, values[name][0], in_rows=True)
        return None

    def _written(self, kind: str, value: Any, *, in_rows: bool = False) -> str | None:
        """The token of a term; None when a token of that kind would not be read as this term."""
        if kind == "number":
            return str(value) if isinstance(value, int) else None
        if kind == "value" and value in self.glyphs:
            return self.glyphs[value]
        if isinstance(value, int):
            return str(value) if kind == "value" else None
        text = str(value) if isinstance(value, str) else ""
        good = re.fullmatch(r"[^\s|:,]+", text) and not (in_rows and text in NONE)
        return text if good and same_sort(_word(text), value) else None

    def _margin(self, grid: list[list[str]], rows: int, columns: int) -> list[list[str]]:
        sides: dict[str, dict[int, str]] = {"left": {}, "right": {}, "top": {}, "bottom": {}}
        for pattern in self.kind.margin:
            for fact, values in self._taken(pattern):
                side, index = str(values.get("side", [""])[0]), values.get("index", [0])[0]
                text = self._token(values)
                most = rows if side in ("left", "right") else columns
                if side in sides and isinstance(index, int) and 1 <= index <= most and text is not None:
                    sides[side][index] = text
                    del self.left[fact]
        outer = [[".", *(sides[side].get(c, ".") for c in range(1, columns + 1)), "."] for side in ("top", "bottom")]
        inner = [[sides["left"].get(r, "."), *row, sides["right"].get(r, ".")] for r, row in enumerate(grid, 1)]
        return [outer[0], *inner, outer[1]]

    def line(self, line: Line) -> Iterator[str]:
        """The lines with a key. Facts that share their key, and the number of their line, share a line."""
        groups: dict[tuple[Any, ...], list[tuple[Field, Atom, dict[str, list[Any]]]]] = {}
        common = [name for name in ("key", "line") if all(name in one.pattern.placeholders for one in line.fields)]
        lines: dict[Any, Any] = {}
        for one in line.fields:
            for fact, values in self._taken(one.pattern):
                alone = one.repeat == "once" and "line" not in one.pattern.placeholders and len(line.fields) == 1
                identity = (*(values[name][0] for name in common), len(groups) if alone else None)
                groups.setdefault(identity, []).append((one, fact, values))
                if "line" in values:
                    lines[identity] = values["line"][0]
        for identity in sorted(groups, key=lambda one: (_order(lines.get(one, 0)), str(one[:-1]), one[-1] or 0)):
            held = groups[identity]
            text = self._line(line, held)
            key = line.key if line.key is not None else self._written("word", held[0][2].get("key", [None])[0])
            if text is not None and key is not None:
                yield f"{key}: {text}".rstrip()
                for _, fact, _ in held:
                    del self.left[fact]

    def _line(self, line: Line, held: list[tuple[Field, Atom, dict[str, list[Any]]]]) -> str | None:
        """The tokens of one line; None when the facts do not make one."""
        parts: list[str] = []
        for one in line.fields:
            mine = [(fact, values) for field_, fact, values in held if field_ is one]
            if (one.repeat == "once" and len(mine) != 1) or not mine:
                return None
            mine.sort(key=lambda pair: (_order(pair[1].get("group", [0])[0]), _order(pair[1].get("position", [0])[0])))
            group = 1
            for number, (_, values) in enumerate(mine, 1):
                here, position = values.get("group", [1])[0], values.get("position", [None])[0]
                if one.repeat == "groups":
                    if not isinstance(here, int) or here < group:
                        return None
                    parts += [","] * (here - group)
                    group = here
                elif one.repeat == "each" and position not in (None, number):
                    return None
                tokens = self._tokens(one.pattern, values)
                if tokens is None:
                    return None
                parts += tokens
        return " ".join(parts).replace(" ,", ",")

    def _tokens(self, pattern: Pattern, values: Mapping[str, list[Any]]) -> list[str] | None:
        left = {name: list(those) for name, those in values.items()}
        found: list[str] = []
        numbers = [name for name in pattern.placeholders if name in ("row", "column", "number", "word", "value")]
        for token in pattern.tokens:
            if token == "cell":
                r, c = left["row"].pop(0), left["column"].pop(0)
                if not (isinstance(r, int) and isinstance(c, int) and r > 0 and c > 0):
                    return None
                found.append(f"r{r}c{c}")
                continue
            name = token if left.get(token) else next(one for one in numbers if left.get(one))
            text = self._written(token, left[name].pop(0))
            if text is None:
                return None
            glue = found and token == "word" and not text[0].isalnum() and found[-1].lstrip("-").isdigit()
            if glue:
                found[-1] += text
            else:
                found.append(text)
        return found

    def rest(self) -> Iterator[str]:
        """What no declaration prints."""
        clues = [fact for fact in self.left if self.kind.clue_atom(fact)]
        if clues:
            shown_ = [f"r{r}c{c}={self._written('value', value) or shown(value)}" for _, (r, c, value) in clues]
            yield f"{CLUE}: {' '.join(shown_)}"
        others = [written(fact) for fact in self.left if not self.kind.clue_atom(fact)]
        if others:
            yield f"{FACTS}: {', '.join(others)}"


def _order(value: Any) -> tuple[bool, Any]:
    return (not isinstance(value, int), value if isinstance(value, int) else str(value))
