"""A kind of puzzle that one `.lp` file declares, as data.

`docs/puzzle-files.md` describes the predicates of the workbench part. The part is ground by itself to read what the
kind is, and with the facts of an instance to read what that instance looks like (`shape`). Both are plain data; the
kind can be sent to another process or machine as its text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property, lru_cache, partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from bridge.asp import Constant, Function, encode
from bridge.asp.reading import Atom, shown_in_name, written
from bridge.common import how_ended
from bridge.errors import InputError, LimitError, Place, ProgramError
from bridge.limits import Limits
from bridge.puzzles.encodings_folder import encoding
from bridge.puzzles.kinds.kind_source import Listing, Taken, take_apart
from bridge.puzzles.kinds.patterns import (
    READ,
    Field,
    Pattern,
    fields_of,
    is_placeholder,
    parse_terms,
    parts_of,
    pattern_of,
    shown,
)
from bridge.puzzles.kinds.rules import Cell, Value

if TYPE_CHECKING:
    from bridge.asp.reading import Outline

#: The predicates of a workbench part, each with the numbers of arguments that it may have.
VOCABULARY: Mapping[str, tuple[int, ...]] = {
    "title": (1,), "answer": (1,), "clue": (1,), "constant": (2,), "option": (3,), "setting": (2, 3), "given": (2, 3),
    "optional": (1,), "made": (1,), "interchangeable": (1,),
    "input": (2,), "grid": (2,), "lattice": (2,), "cell": (2,), "value": (1,), "glyph": (2,), "name": (3,),
    "wrong": (1, 2), "blank": (1, 2), "rows": (1, 2), "token": (2, 3), "margin": (1,), "line": (2,), "draw": (1,),
}  # fmt: skip

#: What says how an instance looks; of a workbench part, the rest is the same for all instances, or asked for later.
_LOOKS = ("grid", "lattice", "cell", "value", "glyph", "name", "wrong")

#: Of each cell of a new instance a random number below 100, for `made` and `optional`.
RANDOM = ("random", 3)


def _shown(words: Iterable[str]) -> str:
    """Shows words of a workbench part alone: the facts of an instance need not be read again."""
    return "".join(f"#show {name}/{n}. #defined {name}/{n}.\n" for name in words for n in VOCABULARY[name])


_SHOWN = f"{_shown(VOCABULARY)}#defined {RANDOM[0]}/{RANDOM[1]}.\n"
_SHOWN_LOOKS = _shown(_LOOKS)


#: The shapes of drawings, each with the numbers of arguments that it may have.
SHAPES: Mapping[str, tuple[int, ...]] = {
    "region": (3,), "cage": (3,), "corner": (3,), "text": (3,), "shade": (2, 3), "circle": (2, 3), "dot": (5, 6),
    "divided": (4,), "less": (4,), "line": (4,), "thermometer": (4,), "arrow": (4,), "diagonal": (4,),
    "outside": (3, 4), "heading": (3,), "paint": (2,), "remark": (1,),
}  # fmt: skip

#: Values of constants: integers, and other terms as clingo writes them.
Constants = tuple[tuple[str, int | str], ...]

#: The arguments of atoms, by predicate.
Atoms = dict[str, list[tuple[Any, ...]]]

_COMMENT = re.compile(r"%.*")

#: Comments; strings are kept.
_NOT_READ = re.compile(r'("(?:[^"\\\n]|\\.)*")|%\*(?:.|\n)*?\*%|%.*')

#: A term that is a word: a string, a number or a constant.
_WORD = r""""(?:[^"\\\n]|\\.)*"|-?[0-9]+|_*[a-z][\w']*"""

#: One of them, or several as in `((a; b))`.
_WORDS = rf"((?:\s*\(?\s*(?:{_WORD})\s*\)?\s*;)*\s*\(?\s*(?:{_WORD})\s*\)?\s*)"

#: The limit on grounding a workbench part, in seconds.
SECONDS = 10.0

#: The most rows or columns of a board.
MOST = 256


@dataclass(frozen=True)
class Choice:
    """An option of a kind: a pattern of the fact that it adds, or the constant that it sets."""

    name: str
    help: str
    pattern: Pattern | None = None
    constant: str | None = None


@dataclass(frozen=True)
class Setting:
    """One of several values that each instance has: a key of its JSON form, an option, and a line of its text.

    Attributes
    ----------
    name, help
        The key, and a line on its meaning.
    values
        The values, the usual one first, each with what says it: a fact, a constant and its value, or nothing.
    """

    name: str
    help: str
    values: Mapping[str, Atom | tuple[str, Any] | None]

    @property
    def usual(self) -> str:
        """The value of an instance that says none."""
        return next(iter(self.values))

    @cached_property
    def said(self) -> dict[Any, str]:
        """What says a value, with the value: a fact as clingo writes it, or a constant and its value."""
        said = [(one, value) for value, one in self.values.items() if one]
        return {written(one) if isinstance(one[1], tuple) else one: value for one, value in said}


@dataclass(frozen=True)
class Line:
    """Lines of a text, `KEY: ...`; a key of None stands for any."""

    key: str | None
    fields: tuple[Field, ...]


#: The texts that placeholders of a token match.
_READING = {"number": "(-?[0-9]{1,9})", "word": "(.+?)", "value": "(.+?)"}


@dataclass(frozen=True)
class Token:
    """A token of rows with a form of its own: `#`, or `12\\7` for two numbers and what is between them.

    Attributes
    ----------
    parts
        Texts, and placeholders for what is read.
    patterns
        The facts that it stands for; what is read goes to their placeholders in order.
    """

    parts: tuple[str, ...]
    patterns: tuple[Pattern, ...]

    @cached_property
    def read(self) -> tuple[str, ...]:
        """The placeholders, in order."""
        return tuple(str(part) for part in self.parts if is_placeholder(part))

    @cached_property
    def form(self) -> re.Pattern[str]:
        """What it matches, with a group for each placeholder."""
        parts = (_READING.get(str(part), "") if is_placeholder(part) else re.escape(part) for part in self.parts)
        return re.compile("".join(parts))

    @property
    def text(self) -> str:
        """How it is written, with placeholders by their names."""
        return "".join(self.parts)


@dataclass(frozen=True)
class Block:
    """Rows of a text, one token for each cell.

    Attributes
    ----------
    name
        The name in the line before them; empty for the first rows.
    patterns
        The facts of tokens.
    tokens
        Tokens with a form of their own.
    """

    name: str
    patterns: tuple[Pattern, ...] = ()
    tokens: tuple[Token, ...] = ()


@dataclass(frozen=True, eq=False)
class Kind:
    """A kind of puzzle from a file.

    Attributes
    ----------
    name
        The name on the command line and in JSON.
    file
        The path of the file, for messages.
    program, workbench
        The two parts of the file.
    outline
        The statements of the workbench part.
    constants
        The constants of the program.
    title, answer, clue
        The name for people; the predicates of the answer and of given values.
    sizes
        Pairs of a constant and `rows` or `columns`: of what it is the number.
    choices, settings
        Options; those of which every instance has a value.
    blocks, margin, lines
        The text form of an instance.
    interchangeable
        Whether the values may be exchanged.
    inputs
        The predicates of the facts of an instance.
    made, optional, blank
        The names of those that a new instance has by the rules for these predicates.
    glyphs
        How values are written, as far as it is the same in all instances.
    checker
        A second program, which checks answers; empty if there is none.
    refuses
        Whether `wrong` refuses an instance; not one that is still being drawn.
    """

    name: str
    file: str
    program: Listing
    workbench: Listing
    outline: Outline
    constants: tuple[str, ...]
    title: str
    answer: str = "cell"
    clue: str = "clue"
    sizes: tuple[tuple[str, str], ...] = ()
    choices: tuple[Choice, ...] = ()
    settings: tuple[Setting, ...] = ()
    blocks: tuple[Block, ...] = ()
    margin: tuple[Pattern, ...] = ()
    lines: tuple[Line, ...] = ()
    interchangeable: bool = False
    inputs: frozenset[tuple[str, int]] = frozenset()
    made: frozenset[str] = frozenset()
    optional: frozenset[str] = frozenset()
    blank: frozenset[str] = frozenset()
    glyphs: Mapping[Value, str] = field(default_factory=dict)
    checker: str = ""
    refuses: bool = True

    def pack(self) -> dict[str, Any]:
        """The kind as plain data, for another process."""
        return {
            "name": self.name,
            "file": self.file,
            "program": self.program.pack(),
            "workbench": self.workbench.pack(),
            "constants": list(self.constants),
            "checker": self.checker,
        }

    @cached_property
    def patterns(self) -> Mapping[tuple[str, int], tuple[Pattern, ...]]:
        """The patterns of the text form, by the predicates of their facts."""
        found: dict[tuple[str, int], tuple[Pattern, ...]] = {}
        for pattern in _text_patterns(self.blocks, self.lines):
            found[pattern.signature] = (*found.get(pattern.signature, ()), pattern)
        return found

    @cached_property
    def words(self) -> Mapping[str, frozenset[str]]:
        """The atoms that the file reads of input predicates with one argument, where it reads words only.

        A predicate that is read with a variable, or with a constant of the program, is not here.
        """
        text = _NOT_READ.sub(lambda found: found[1] or "", f"{self.program.text}\n{self.workbench.text}")
        found: dict[str, frozenset[str]] = {}
        for name in sorted(name for name, arity in self.inputs if arity == 1):
            uses = re.finditer(rf"(?<![\w']){re.escape(name)}\((?:{_WORDS}\))?", text)
            read = [one for use in uses for one in re.findall(_WORD, use[1] or "") or [None]]
            read = [one for one in read if one not in ("word", "number")]
            if read and all(one and one not in self.constants for one in read):
                found[name] = frozenset(f"{name}({one})" for one in read if one)
        return found

    @cached_property
    def looked_at(self) -> frozenset[str]:
        """The names of the predicates on which depends how an instance looks: other facts of it do not matter there."""
        outline = self.outline
        if outline.scripts or outline.externals or outline.incremental or outline.terms:
            return frozenset(name for name, _ in self.inputs)
        statements = list(outline.every())
        needed = {(name, arity) for name in _LOOKS for arity in VOCABULARY[name]}
        needed = needed.union(*(one.body for one in statements if one.kind not in ("fact", "definition")))
        while more := {
            used for one in statements if not needed.isdisjoint(one.heads) for used in one.body if used not in needed
        }:
            needed |= more
        return frozenset(name for name, _ in needed)

    def cells_of(self, fact: Atom) -> list[Cell]:
        """The cells that a fact of the text form is about."""
        for pattern in self.patterns.get((fact[0], len(fact[1])), ()):
            if pattern.fits(fact):
                return pattern.cells(fact)
        return []

    @property
    def square(self) -> bool:
        """Whether one constant is the number of both rows and columns."""
        names = [name for name, _ in self.sizes]
        return len(set(names)) < len(names)

    def sized(self, rows: int, columns: int) -> dict[str, int]:
        """The constants that a size gives; that of a square has the number of rows."""
        number = {"rows": rows, "columns": columns}
        return {name: number[what] for name, what in reversed(self.sizes)}

    def clue_atom(self, atom: Atom) -> bool:
        """Whether a fact is a given value."""
        return atom[0] == self.clue and len(atom[1]) == 3


def _text_patterns(blocks: Iterable[Block], lines: Iterable[Line]) -> list[Pattern]:
    """The patterns of a text form: of rows, of their tokens, of lines."""
    found = [pattern for block in blocks for pattern in block.patterns]
    found += [pattern for block in blocks for token in block.tokens for pattern in token.patterns]
    return [*found, *(one.pattern for line in lines for one in line.fields)]


@dataclass(frozen=True)
class Details:
    """What is drawn of an instance, and which of its facts are rules.

    Attributes
    ----------
    drawn
        The shapes of the drawing.
    given
        The names of rules that belong to the instance, each with the facts that it comes from.
    instead
        For facts of such rules, the fact that stands there without them, where there is one.
    """

    drawn: tuple[Atom, ...]
    given: Mapping[str, tuple[str, ...]]
    instead: Mapping[str, str]


@dataclass(frozen=True)
class Shape:
    """What an instance looks like, without its given values.

    Attributes
    ----------
    rows, columns
        The size of its board.
    lattice
        Whether the board is a lattice of corners, edges and cells.
    cells
        The cells that take a value, in reading order.
    values
        The values, in ascending order: integers first.
    terms
        For each value, the term of clingo.
    glyphs
        How values are written, where it is not as they are.
    names
        The names of cells, where they have other names than `r1c2`.
    later
        Makes `details`.
    """

    rows: int
    columns: int
    lattice: bool
    cells: tuple[Cell, ...]
    values: tuple[Value, ...]
    terms: Mapping[Value, Any]
    glyphs: Mapping[Value, str]
    names: Mapping[Cell, str]
    later: Callable[[], Details] = field(compare=False, repr=False)

    @property
    def text_size(self) -> Cell:
        """The rows and columns of the instance's text: of a lattice, those of its cells."""
        return ((self.rows - 1) // 2, (self.columns - 1) // 2) if self.lattice else (self.rows, self.columns)

    @cached_property
    def details(self) -> Details:
        """Its drawing and its given rules. They are ground when they are first asked for: a verdict needs none."""
        return self.later()


def load_kind(path: str | Path, name: str, checker: str = "") -> Kind:
    """The kind of puzzle that a file declares.

    Raises
    ------
    InputError
        When the file cannot be read.
    ProgramError
        With the line, when its workbench part is wrong.
    """
    from bridge.common import read_text
    from bridge.puzzles.kinds.trust import ours

    file = str(path)
    taken = take_apart(read_text(file), file)
    if Path(file).resolve().is_relative_to(Path(encoding("")).resolve()):
        ours(taken.base.text)
        ours(taken.workbench.text)
        return kind_of(name, file, taken, checker)
    found = kind_of(name, file, taken, checker)
    _check_clues(found)
    return found


def _outline(listing: Listing) -> Outline:
    from bridge.asp import Program
    from bridge.puzzles.kinds.trust import isolated

    text = listing.text
    with listing.placing(), Program(f"{text}\n", isolated=isolated(text)) as program:
        return program.inside().outline()


def _check_clues(kind: Kind) -> None:
    """Refuse a program that takes given values for facts: they are assumed, when it is ground already."""
    clue, answer = re.escape(kind.clue), re.escape(kind.answer)
    same = rf":-{clue}\(([^()]*)\),not{answer}\(\1\)\.|(?:^|(?<=\.)){answer}\(([^()]*)\):-{clue}\(\2\)\."
    stated = re.compile(same)
    if f"{kind.clue}(" not in stated.sub("", "".join(_COMMENT.sub("", kind.program.text).split())):
        return
    for statement in _outline(kind.program).statements:
        if (kind.clue, 3) in statement.body and not stated.fullmatch("".join(statement.text.split())):
            message = f"given values are not facts of the program: {kind.clue}/3 stands beside {kind.answer}/3 only"
            where = kind.program.place(statement.place)
            hint = f"{kind.clue}(R, C, V), not {kind.answer}(R, C, V); what else the rules need has another name"
            raise ProgramError(message, where=where, hint=hint)


def unpack_kind(data: Mapping[str, Any]) -> Kind:
    """The inverse of `Kind.pack`."""
    parts = Listing.unpack(data["program"]), Listing.unpack(data["workbench"])
    return kind_of(data["name"], data["file"], Taken(*parts, list(data["constants"])), data["checker"])


def kind_of(name: str, file: str, taken: Taken, checker: str = "") -> Kind:
    """The kind that a file declares, taken apart."""
    return _Reader(file, taken).kind(name, checker)


@lru_cache(maxsize=256)
def _looks(kind: Kind, constants: Constants, facts: tuple[str, ...]) -> Atoms:
    """How an instance looks, by those of its facts that matter for this: of many kinds, all of a size look the same."""
    return _ground(kind, constants, facts, _SHOWN_LOOKS)


def ground_workbench(
    listing: Listing, facts: str = "", constants: Mapping[str, Any] | None = None, shown: str = _SHOWN
) -> Atoms:
    """The atoms of a workbench part, with facts of an instance.

    Raises
    ------
    ProgramError
        With the place in the kind's file.
    LimitError
        When somebody stops it.
    """
    from bridge.asp import Program
    from bridge.puzzles.kinds.trust import isolated

    limits = Limits(seconds=SECONDS)
    given = constants or {}
    apart = isolated(listing.text, facts, given.values())
    with listing.placing():
        try:
            with Program(
                f"{listing.text}\n{facts}\n{shown}", isolated=apart, output="stderr", limits=limits, **given
            ) as program:
                found = program.models(limits=Limits(seconds=SECONDS, solutions=2)).collect()
        except LimitError:
            raise ProgramError(f"grounding its workbench part takes more than {SECONDS:g} s") from None
    if not found.solutions and found.limit is not None:
        error = LimitError(how_ended(found.limit, "before its workbench part was ground"))
        error.limit = found.limit
        raise error
    if len(found.solutions) != 1:
        raise ProgramError(
            "the workbench part has no answer set" if not found.solutions else "the workbench part has several answers",
            where=Place(listing.origins[-1][0] if listing.origins else None),
            hint="it may have definitions only",
        )
    return {name: list(rows) for name, rows in found.solutions[0].items()}


class _Reader:
    """Reads what a kind is from the atoms of its workbench part; errors have the place of the statement."""

    def __init__(self, file: str, taken: Taken) -> None:
        self.file, self.taken = file, taken
        self.atoms: Atoms = {}

    def kind(self, name: str, checker: str) -> Kind:
        taken = self.taken
        self.outline = _outline(taken.workbench)
        self._check_predicates()
        try:
            self.atoms = ground_workbench(taken.workbench)
        except LimitError as error:
            raise ProgramError(error.message) from None
        titles = self._own("title")
        if len(titles) != 1 or not isinstance(titles[0][0], str):
            raise ProgramError(f"the kind has {len(titles)} titles", where=Place(self.file), hint='title("KenKen").')
        blocks, lines, margin = self._blocks(), self._lines(), self._patterns("margin", 0)
        choices, settings = self._choices(), self._settings()
        patterns = [*_text_patterns(blocks, lines), *margin]
        patterns += [*(choice.pattern for choice in choices if choice.pattern is not None)]
        inputs = {pattern.signature for pattern in patterns}
        said = [one for setting in settings for one in setting.values.values()]
        inputs |= {(one[0], len(one[1])) for one in said if one and isinstance(one[1], tuple)}
        for row in self.atoms.get("input", ()):
            inputs.add((self._word("input", row, 0), self._number("input", row, 1)))
        kind = Kind(
            name,
            self.file,
            taken.base,
            taken.workbench,
            self.outline,
            tuple(taken.constants),
            str(titles[0][0]),
            self._one_word("answer", "cell"),
            self._one_word("clue", "clue"),
            self._sizes(),
            choices,
            settings,
            blocks,
            margin,
            lines,
            self._interchangeable(),
            frozenset(inputs),
            self._heads(inputs, "made"),
            self._heads(inputs, "optional"),
            self._heads(inputs, "blank"),
            {_plain(row[0]): shown(row[1]) for row in self.atoms.get("glyph", ())},
            checker,
        )
        for signature in sorted(inputs):
            if signature[0] in VOCABULARY and signature[1] in VOCABULARY[signature[0]]:
                hint = "give the fact of the instance another name"
                raise ProgramError(f"{signature[0]}/{signature[1]} is a word of the workbench", hint=hint)
        self._check_uses(kind)
        return kind

    def _heads(self, inputs: set[tuple[str, int]], predicate: str) -> frozenset[str]:
        """The names of facts of instances in the heads of rules for a predicate."""
        rules = [one for one in self.outline.every() if any(name == predicate for name, _ in one.heads)]
        words = {word for rule in rules for word in re.findall(r"\w+", rule.text.partition(":-")[0])}
        return frozenset(name for name, _ in inputs if name in words)

    def _check_uses(self, kind: Kind) -> None:
        """Refuse rules of the workbench part that use what only the rules of the puzzle derive: they never apply."""
        there = kind.inputs.union(
            {(kind.answer, 3), (kind.clue, 3), RANDOM}, *(one.heads for one in self.outline.every())
        )
        foreign = [one for one in self.outline.every() if one.body - there]
        if not foreign:
            return
        derived = {head for one in _outline(kind.program).every() for head in one.heads}
        for statement in foreign:
            for name, arity in sorted((statement.body - there) & derived):
                message = f"the rules of the puzzle derive {name}/{arity}; this part has facts of instances only"
                hint = f"derive it in this part, too; if it is a fact of instances: input({name}, {arity})."
                raise ProgramError(message, where=self.taken.workbench.place(statement.place), hint=hint)

    def _check_predicates(self) -> None:
        """Refuse predicates that have no meaning and that nothing uses."""
        used = {signature for statement in self.outline.every() for signature in statement.body}
        for statement in self.outline.every():
            for name, arity in sorted(statement.heads):
                known = VOCABULARY.get(name)
                if (known is not None and arity in known) or (name, arity) in used:
                    continue
                where = self.taken.workbench.place(statement.place)
                if known is not None:
                    number = " or ".join(map(str, known))
                    raise ProgramError(f"{name} has {number} arguments here, not {arity}", where=where)
                near = get_close_matches(name, VOCABULARY, 1)
                hint = f"is {near[0]} meant?" if near else f"it knows {', '.join(VOCABULARY)}"
                raise ProgramError(
                    f"the workbench knows no {name}/{arity}, and no rule uses it", where=where, hint=hint
                )

    def _place(self, predicate: str, row: tuple[Any, ...]) -> Place | None:
        """The statement that has an atom in its head: the one that says just that, or the first for its predicate."""
        found = self._listed(predicate, row)
        return self.taken.workbench.place(found) if found else Place(self.file)

    def _listed(self, predicate: str, row: tuple[Any, ...]) -> Place | None:
        """The place of that statement in the listing, where included files stand in the place of their `#include`."""
        named = [one for one in self.outline.every() if (predicate, len(row)) in one.heads]
        text = f"{written((predicate, row))}."
        same = [one for one in named if one.text.replace(" ", "") == text.replace(" ", "")]
        chosen = [*same, *named][:1]
        return chosen[0].place if chosen else None

    def _refuse(self, predicate: str, row: tuple[Any, ...], why: str, hint: str | None = None) -> NoReturn:
        raise ProgramError(f"{written((predicate, row))}: {why}", where=self._place(predicate, row), hint=hint)

    def _word(self, predicate: str, row: tuple[Any, ...], index: int) -> str:
        if not isinstance(row[index], str):
            self._refuse(predicate, row, f"{encode(row[index])} is not a name", "a string, or a constant")
        return str(row[index])

    def _no_constant(self, predicate: str, row: tuple[Any, ...], name: Any) -> NoReturn:
        if isinstance(name, int):
            why = f"{name} is not a name of a constant"
            self._refuse(predicate, row, why, "clingo puts its value in place of a #const; write its name in quotes")
        self._refuse(predicate, row, f"the program has no #const {shown(name)}")

    def _number(self, predicate: str, row: tuple[Any, ...], index: int) -> int:
        if not isinstance(row[index], int):
            self._refuse(predicate, row, f"{encode(row[index])} is not a number")
        return int(row[index])

    def _one_word(self, predicate: str, otherwise: str) -> str:
        rows = [row for row in self.atoms.get(predicate, ()) if len(row) == 1]
        if len(rows) > 1:
            self._refuse(predicate, rows[1], "there is another one")
        return self._word(predicate, rows[0], 0) if rows else otherwise

    def _sizes(self) -> tuple[tuple[str, str], ...]:
        found = []
        for row in self._sorted("constant"):
            if isinstance(row[0], int):
                self._no_constant("constant", row, row[0])
            name, what = self._word("constant", row, 0), row[1]
            if name not in self.taken.constants:
                self._no_constant("constant", row, name)
            if what not in ("rows", "columns"):
                self._refuse("constant", row, "it is the number of `rows` or of `columns`")
            found.append((name, str(what)))
        return tuple(sorted(found, key=lambda pair: pair[1], reverse=True))

    def _choices(self) -> tuple[Choice, ...]:
        found = []
        for row in sorted(self.atoms.get("option", ()), key=lambda row: str(row[0])):
            name, term, sentence = self._word("option", row, 0), row[1], self._word("option", row, 2)
            if isinstance(term, Function) and term.name == "constant" and len(term.arguments) == 1:
                constant = term.arguments[0]
                if constant not in self.taken.constants:
                    self._no_constant("option", row, constant)
                found.append(Choice(name, sentence, constant=str(constant)))
                continue
            pattern = pattern_of(term)
            if pattern is None or any(one not in ("number", "word", "value") for one in pattern.placeholders):
                self._refuse("option", row, f"{encode(term)} is not a fact", "placeholders are number and word")
            if len(pattern.placeholders) > 1:
                self._refuse("option", row, "an option has one value")
            found.append(Choice(name, sentence, pattern))
        return tuple(found)

    def _settings(self) -> tuple[Setting, ...]:
        helps = {self._word("setting", row, 0): row[1] for row in self._sorted("setting") if len(row) == 2}
        values: dict[str, dict[str, Any]] = {name: {} for name in helps}
        for row in self._sorted("setting"):
            if len(row) == 3:
                name, value, said = self._word("setting", row, 0), self._word("setting", row, 1), row[2]
                if isinstance(said, Function) and said.name == "constant" and len(said.arguments) == 2:
                    found: Any = str(said.arguments[0]), said.arguments[1]
                    if found[0] not in self.taken.constants:
                        self._no_constant("setting", row, said.arguments[0])
                else:
                    found = None if said == "none" else (said.name, said.arguments)
                values.setdefault(name, {})[value] = found
        return tuple(Setting(name, str(helps.get(name, "")), held) for name, held in values.items())

    def _interchangeable(self) -> bool:
        rows = self.atoms.get("interchangeable", [])
        for row in rows:
            if row[0] != "values":
                self._refuse("interchangeable", row, "the only one known is `values`")
        return bool(rows)

    def _patterns(self, predicate: str, index: int) -> tuple[Pattern, ...]:
        return tuple(self._pattern(predicate, row, index) for row in self._sorted(predicate))

    def _pattern(self, predicate: str, row: tuple[Any, ...], index: int) -> Pattern:
        pattern = pattern_of(row[index])
        if pattern is None:
            self._refuse(predicate, row, f"{encode(row[index])} is not a fact")
        allowed = {
            "rows": ("row", "column", *READ),
            "margin": ("side", "index", "number", "word"),
        }[predicate]
        if wrong := [one for one in pattern.placeholders if one not in allowed]:
            self._refuse(predicate, row, f"{wrong[0]} has no meaning here", f"placeholders: {', '.join(allowed)}")
        tokens = [one for one in pattern.placeholders if one in READ]
        if len(tokens) != 1 or len(set(pattern.placeholders)) != len(pattern.placeholders):
            self._refuse(predicate, row, "a token is one number, word or value", "as in clue(row, column, value)")
        return pattern

    def _own(self, predicate: str) -> list[tuple[Any, ...]]:
        """The atoms of a predicate that the file says itself; those of included files where it says none."""
        rows = self.atoms.get(predicate, [])
        own = [row for row in rows if (place := self._place(predicate, row)) and place.file == self.file]
        return own or rows

    def _token(self, row: tuple[Any, ...]) -> Token:
        """A token with a form of its own: a text or a tuple of texts and placeholders, and one or more facts."""
        form, facts = row[-2:]
        parts = form if isinstance(form, tuple) and not isinstance(form, Function) else (str(shown(form)),)
        parts = tuple(part if is_placeholder(part) else str(shown(part)) for part in parts)
        if not all(parts) or any(" " in part for part in parts):
            self._refuse("token", row, "a token is a text without blanks")
        patterns = []
        for term in parts_of(facts):
            if (pattern := pattern_of(term)) is None:
                self._refuse("token", row, f"{encode(term)} is not a fact")
            patterns.append(pattern)
        token = Token(parts, tuple(patterns))
        wanted = [one for pattern in patterns for one in pattern.placeholders if one not in ("row", "column")]
        if wrong := [one for one in (*token.read, *wanted) if one not in READ]:
            known = f"placeholders: row, column, {', '.join(READ)}"
            self._refuse("token", row, f"{wrong[0]} has no meaning here", known)
        if list(token.read) != wanted:
            mismatch = (
                f"it reads {', '.join(token.read) or 'nothing'}, and its facts have {', '.join(wanted) or 'nothing'}"
            )
            self._refuse(
                "token", row, mismatch, 'as in token((number, "-", number), pair(row, column, number, number))'
            )
        if any(is_placeholder(one) and is_placeholder(other) for one, other in pairwise(parts)):
            self._refuse("token", row, "between two placeholders there is a text")
        return token

    def _sorted(self, predicate: str) -> list[tuple[Any, ...]]:
        """The atoms of a predicate in the order of the statements that say them."""

        def key(row: tuple[Any, ...]) -> tuple[Any, ...]:
            place = self._listed(predicate, row)
            return (place.line or 0, place.column or 0, str(row)) if place else (0, 0, str(row))

        return sorted(self.atoms.get(predicate, ()), key=key)

    def _blocks(self) -> tuple[Block, ...]:
        patterns: dict[str, list[Pattern]] = {}
        tokens: dict[str, list[Token]] = {}
        for row in self._sorted("rows"):
            name = self._word("rows", row, 0) if len(row) == 2 else ""
            patterns.setdefault(name, []).append(self._pattern("rows", row, len(row) - 1))
        for row in self._sorted("token"):
            name = self._word("token", row, 0) if len(row) == 3 else ""
            tokens.setdefault(name, []).append(self._token(row))
        names = sorted({**patterns, **tokens}, key=lambda name: (name != "", [*patterns, *tokens].index(name)))
        return tuple(Block(name, tuple(patterns.get(name, ())), tuple(tokens.get(name, ()))) for name in names)

    def _lines(self) -> tuple[Line, ...]:
        found = []
        for row in self._sorted("line"):
            any_key = is_placeholder(row[0]) and row[0] == "key"
            fields = fields_of(row[1])
            if fields is None:
                self._refuse("line", row, f"{encode(row[1])} is neither a fact nor each(...), groups(each(...))")
            for one in fields:
                if wrong := {"side", "index"} & set(one.pattern.placeholders):
                    self._refuse("line", row, f"{min(wrong)} has no meaning in a line")
                if "key" in one.pattern.placeholders and not any_key:
                    self._refuse("line", row, "the key is fixed", "line(key, ...) takes any key")
                if one.repeat != "once" and not list(one.pattern.tokens):
                    self._refuse("line", row, "what is repeated has no token")
            found.append(Line(None if any_key else self._word("line", row, 0), fields))
        return tuple(found)


@lru_cache(maxsize=256)
def shape_of(kind: Kind, constants: Constants, facts: tuple[str, ...], size: Cell | None) -> Shape:
    """What an instance looks like.

    Parameters
    ----------
    kind
        Its kind.
    constants, facts
        Those of the instance.
    size
        Rows and columns of its text, if it has any.

    Raises
    ------
    RefusedError
        When the kind refuses the instance (`wrong`).
    InputError
        When the kind says nothing of its size or values.
    ProgramError
        When the workbench part is wrong.
    """
    for name, what in kind.sizes:
        if isinstance(number := dict(constants).get(name), int) and not number <= MOST:
            raise InputError(f"{name} = {number:,}: {MOST} {what} are possible", where=Place(kind.file))
    atoms = _looks(kind, constants, tuple(fact for fact in facts if fact.partition("(")[0] in kind.looked_at))
    for row in atoms.get("wrong", ()):
        if kind.refuses and len(row) in (1, 2):
            fact = row[0] if len(row) == 2 else None
            raise RefusedError(shown(row[-1]), encode(fact) if fact is not None else None)
    return _shape(kind, atoms, size, partial(_details, kind, constants, facts))


def _ground(kind: Kind, constants: Constants, facts: tuple[str, ...], shown: str = _SHOWN) -> Atoms:
    try:
        text = "".join(f"{fact}.\n" for fact in facts)
        return ground_workbench(kind.workbench, text, constant_terms(constants), shown)
    except ProgramError as error:
        raise ProgramError(error.message, where=error.where or Place(kind.file), hint=error.hint) from None


def _details(kind: Kind, constants: Constants, facts: tuple[str, ...]) -> Details:
    """The drawing of an instance, in the order in which clingo writes it, and its given rules."""
    atoms = _ground(kind, constants, facts)
    drawn = []
    for term in sorted((row[0] for row in atoms.get("draw", ()) if len(row) == 1), key=encode):
        name, arguments = (term.name, term.arguments) if isinstance(term, Function) else ("", ())
        if len(arguments) not in SHAPES.get(name, ()):
            why, hint = f"draw({encode(term)}): no such shape", f"shapes: {', '.join(SHAPES)}"
            raise InputError(why, where=Place(kind.file), hint=hint)
        drawn.append((name, arguments))
    given: dict[str, list[str]] = {}
    instead: dict[str, str] = {}
    for row in atoms.get("given", ()):
        if len(row) in (2, 3):
            given.setdefault(_rule_name(row[0]), []).append(encode(row[1]))
            if len(row) == 3:
                instead[encode(row[1])] = encode(row[2])
    return Details(tuple(drawn), {name: tuple(sorted(found)) for name, found in given.items()}, instead)


class RefusedError(Exception):
    """The kind refuses an instance; `fact` is the fact that is wrong, if it is one."""

    def __init__(self, message: str, fact: str | None) -> None:
        super().__init__(message)
        self.message, self.fact = message, fact


def _shape(kind: Kind, atoms: Atoms, size: Cell | None, later: Callable[[], Details]) -> Shape:
    def rows(name: str, arity: int) -> list[tuple[Any, ...]]:
        return [row for row in atoms.get(name, ()) if len(row) == arity]

    def refuse(why: str, hint: str | None = None) -> NoReturn:
        raise InputError(why, where=Place(kind.file), hint=hint)

    sizes = [(row, False) for row in rows("grid", 2)] + [(row, True) for row in rows("lattice", 2)]
    if len(sizes) > 1:
        refuse(f"the instance has {len(sizes)} sizes")
    lattice = bool(sizes) and sizes[0][1]
    fixed = sizes[0][0] if sizes else size
    if fixed is None:
        hint = "grid(R, C) in the workbench part does, or `% lpbridge: KIND size=4x4` begins a file of facts"
        if kind.sizes:
            hint = f"write {' '.join(f'#const {name} = 4.' for name, _ in kind.sizes)} into a file of facts"
        refuse("nothing says how large the instance is", hint)
    if not all(isinstance(one, int) and 1 <= one <= MOST for one in fixed):
        refuse(f"{fixed[0]} rows and {fixed[1]} columns: 1 to {MOST} are possible")
    height, width = (2 * fixed[0] + 1, 2 * fixed[1] + 1) if lattice else (fixed[0], fixed[1])
    every = [(r, c) for r in range(1, height + 1) for c in range(1, width + 1)]
    cells = tuple(cell for cell in every if (cell[0] + cell[1]) % 2) if lattice else tuple(every)
    if declared := {(row[0], row[1]) for row in rows("cell", 2)}:
        if outside := sorted(declared - set(every), key=str):
            refuse(f"cell({outside[0][0]},{outside[0][1]}) is not on the board of {height} rows of {width}")
        cells = tuple(cell for cell in every if cell in declared)
    terms = {_plain(term): term for (term,) in rows("value", 1)}
    if not terms:
        hint = "its rules use the facts of the instance and the constants, not what the rules of the puzzle derive"
        refuse("no value(V) follows in the workbench part", hint)
    if wrong := next((term for term in terms.values() if not isinstance(term, int | str)), None):
        refuse(f"{encode(wrong)} is not a value", "values are integers, strings or constants")
    values = tuple(sorted(terms, key=lambda value: (isinstance(value, str), value)))
    glyphs = {_plain(row[0]): shown(row[1]) for row in rows("glyph", 2)}
    names = {(row[0], row[1]): shown(row[2]) for row in rows("name", 3)}
    if lattice:
        names = {**_edge_names(fixed[0], fixed[1]), **names}
    return Shape(height, width, lattice, cells, values, terms, glyphs, names, later)


def facts_of(kind: Kind, atoms: Atoms, predicate: str) -> tuple[Atom, ...]:
    """The facts of an instance that a predicate of the workbench part names.

    Raises
    ------
    ProgramError
        For one that no instance has.
    """
    found = []
    for (term,) in sorted((row for row in atoms.get(predicate, ()) if len(row) == 1), key=lambda row: encode(row[0])):
        pattern = pattern_of(term)
        if pattern is None or pattern.signature not in kind.inputs:
            raise ProgramError(f"{predicate}({encode(term)}): an instance has no such fact", where=Place(kind.file))
        found.append((pattern.name, pattern.arguments))
    return tuple(found)


def _rule_name(term: Any) -> str:
    """The name of a rule, as a comment's braces fill it: the parts of a tuple joined."""
    return "".join(map(shown_in_name, parts_of(term)))


def _edge_names(rows: int, columns: int) -> dict[Cell, str]:
    """The edges of a lattice, by the cells beside them: `above r1c1`, `r1c1|r1c2`."""
    found: dict[Cell, str] = {}
    for r in range(1, rows + 2):
        for c in range(1, columns + 1):
            found[2 * r - 1, 2 * c] = f"above r{r}c{c}" if r <= rows else f"below r{rows}c{c}"
    for r in range(1, rows + 1):
        for c in range(1, columns + 2):
            found[2 * r, 2 * c - 1] = f"left of r{r}c{c}" if c <= columns else f"right of r{r}c{columns}"
    return found


def _plain(term: Any) -> Any:
    """A constant as the text of its name."""
    return str(term) if isinstance(term, Constant) else term


def constant_terms(constants: Constants) -> dict[str, Any]:
    """The values of constants as terms."""
    return {name: text if isinstance(text, int) else parse_terms(text, Place())[0] for name, text in constants}
