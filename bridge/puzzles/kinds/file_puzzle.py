"""An instance of a kind that a file declares (`bridge.puzzles.kinds.kind`).

Its rules are those that the file's comments name; what they are about is read off the ground program. Whether values
keep them is asked of clingo. A second program, the kind's checker, is independent of that; without one, the notes of an
instance say that its answers are checked by clingo only.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, ClassVar, Self

from bridge.asp import Constant, Function, encode
from bridge.asp.reading import Atom, is_name, written
from bridge.errors import InputError, Place, UnsupportedError, brief
from bridge.limits import Limits
from bridge.puzzles.kinds.kind import (
    Choice,
    Constants,
    Kind,
    RefusedError,
    Shape,
    constant_terms,
    shape_of,
)
from bridge.puzzles.kinds.kind_text import comment_of, print_text, read_text
from bridge.puzzles.kinds.options import Option, read_yes
from bridge.puzzles.kinds.patterns import atom_of, parse_terms, shown
from bridge.puzzles.kinds.puzzle import Puzzle
from bridge.puzzles.kinds.rules import Cell, Grid, Rule, Value, Violation, at, by_solver, cell_name
from bridge.puzzles.kinds.text import TextForm

#: The note of an instance whose answers no second program checks.
CLINGO_ONLY = "checked by clingo only: this kind has no second program (--checker FILE)"


#: The limit, in seconds, on grounding a program to see what its rules are about.
GROUNDING = 60.0


@dataclass(frozen=True, repr=False)
class FilePuzzle(Puzzle):
    """One instance. Each kind has a subclass of its own, made by `class_of_kind`.

    Attributes
    ----------
    grid
        The given values.
    facts
        The other facts, as clingo writes them.
    constants
        Values of the program's constants: integers, or other terms as clingo writes them.
    """

    grid: Grid
    facts: tuple[str, ...] = ()
    constants: Constants = ()

    declared: ClassVar[Kind]

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.declared.pack(), self.__getstate__())

    @classmethod
    def draft(cls) -> type[FilePuzzle]:
        """The class of instances that are still being drawn: `wrong` does not refuse them."""
        return _draft(cls.declared, cls.__bases__[0])

    # Reading

    @classmethod
    def from_text(cls, text: str, place: Place, options: Mapping[str, Any]) -> list[Self]:
        read = read_text(cls.declared, text, place)
        facts, constants = cls._chosen(options)
        found = {**dict.fromkeys(facts, Place("--option")), **read.facts}
        values = {**read.constants, **constants}
        cls._settle({name: (token.text, token.place) for name, token in read.settings.items()}, found, values)
        cls._settle({name: (value, Place("--option")) for name, value in options.items()}, found, values)
        return [cls.made(found, read.size, values, place)]

    @classmethod
    def _of_json_form(cls, data: Mapping[str, Any], place: Place) -> Self:
        declared = cls.declared
        unknown = data.keys() - {"puzzle", "grid", "facts", "constants", *cls.options, *_MADE}
        if unknown and not declared.settings:
            hint = "it has puzzle, grid, facts, constants"
            raise InputError(f"a {cls.title} has no key {min(unknown)!r}", where=place.inside(min(unknown)), hint=hint)
        chosen, values = cls._chosen({name: data[name] for name in cls.options if name in data})
        found = dict.fromkeys(chosen, place)
        texts = data.get("facts", [])
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise InputError("`facts` is to be a list of texts", where=place.inside("facts"), hint='["cage(1,1,a)"]')
        for number, text in enumerate(texts):
            where = place.inside("facts", number)
            for term in parse_terms(text.strip().removesuffix("."), where):
                found[atom_of(term, where)] = where
        constants = _json_constants(data.get("constants", {}), place.inside("constants"))
        size = None
        grid = data.get("grid")
        if grid is not None:
            size = _json_size(grid, place)
            constants = {**declared.sized(*size), **constants}
        constants.update(values)
        cls._settle({name: (value, place.inside(name)) for name, value in data.items()}, found, constants)
        if grid is None and declared.settings and cls._size_of(constants) is None:
            raise InputError("`grid` is to be a list of rows", where=place, hint="nothing says how large it is")
        made = cls.made(found, size or cls._size_of(constants), constants, place)
        if grid is None:
            return made
        shape = made.shape
        if size != (shape.rows, shape.columns):
            message = f"`grid` has {len(grid)} rows of {len(grid[0])}, not {shape.rows} of {shape.columns}"
            raise InputError(message, where=place.inside("grid"))
        clues = dict(made.clues())
        cells = set(shape.cells)
        for r, row in enumerate(grid, 1):
            for c, value in enumerate(row, 1):
                if value is not None:
                    where = place.inside("grid", r - 1, c - 1)
                    if (r, c) not in cells:
                        raise InputError(f"{made.name((r, c))} takes no value", where=where)
                    if (known := _value_in(shape, value)) is not None:
                        clues[r, c] = known
                    elif value != 0:
                        raise _no_value(made, (r, c), value, where)
        return made.with_clues(clues)

    @classmethod
    def from_facts(
        cls,
        facts: Mapping[Atom, Place],
        constants: Mapping[str, Any],
        options: Mapping[str, Any],
        place: Place,
        size: Cell | None = None,
    ) -> Self:
        """The instance of facts and constants. `size` counts where neither of them says how large it is."""
        chosen, values = cls._chosen(options)
        known = {**constants, **values}
        found = {**dict.fromkeys(chosen, Place("--option")), **facts}
        cls._settle({name: (value, Place("--option")) for name, value in options.items()}, found, known)
        return cls.made(found, cls._size_of(known) or size, known, place)

    @property
    def facts_tell_size(self) -> bool:
        """Whether the facts and constants say by themselves how large the instance is."""
        size = self._size_of(constant_terms(self.constants))
        try:
            return shape_of(self.declared, self.constants, self.facts, size) == self.shape
        except InputError:
            return False

    @classmethod
    def _size_of(cls, constants: Mapping[str, Any]) -> Cell | None:
        """The size that constants say, where they do."""
        sizes = {what: constants[name] for name, what in cls.declared.sizes if isinstance(constants.get(name), int)}
        return (sizes["rows"], sizes.get("columns", sizes["rows"])) if "rows" in sizes else None

    @classmethod
    def _chosen(cls, options: Mapping[str, Any]) -> tuple[list[Atom], dict[str, Any]]:
        """The facts and constants that options stand for."""
        facts, constants = [], {}
        for choice in cls.declared.choices:
            if (value := options.get(choice.name)) is None:
                continue
            term = Constant(value) if isinstance(value, str) and is_name(value) else value
            if choice.constant is not None:
                constants[choice.constant] = term
            elif choice.pattern is not None and not choice.pattern.placeholders:
                facts += [choice.pattern.fact({})] if value is True else []
            elif choice.pattern is not None:
                facts.append(choice.pattern.fact({choice.pattern.placeholders[0]: [term]}))
        return facts, constants

    @classmethod
    def _settle(
        cls, chosen: Mapping[str, tuple[Any, Place]], facts: dict[Atom, Place], constants: dict[str, Any]
    ) -> None:
        """Put the values of settings in place of those that facts and constants say; other names are not looked at."""
        for setting in cls.declared.settings:
            if setting.name not in chosen:
                continue
            value, place = chosen[setting.name]
            if not isinstance(value, str) or value not in setting.values:
                hint = f"one of: {', '.join(setting.values)}"
                raise InputError(f"there is no {setting.name} {brief(value)}", where=place, hint=hint)
            for other, said in setting.values.items():
                if said and isinstance(said[1], tuple):
                    facts.pop(said, None)
                    if other == value:
                        facts[said] = place
                elif said and other == value:
                    constants[said[0]] = said[1]

    @cached_property
    def settings(self) -> Mapping[str, str]:
        """The value of each setting."""
        said = [*self.facts, *self.constants] if self.declared.settings else []
        return {
            setting.name: next((setting.said[one] for one in said if one in setting.said), setting.usual)
            for setting in self.declared.settings
        }

    def with_setting(self, name: str, value: str) -> Self:
        """The same instance with another value of a setting."""
        facts: dict[Atom, Place] = dict.fromkeys(self.atoms, Place())
        constants = constant_terms(self.constants)
        self._settle({name: (value, Place())}, facts, constants)
        return self.made(facts, self.text_size, constants, Place()).with_clues(self.clues())

    def unusual(self) -> dict[str, str]:
        """The settings that do not have their usual value."""
        usual = {one.name: one.usual for one in self.declared.settings}
        return {name: value for name, value in self.settings.items() if value != usual[name]}

    @classmethod
    def made(cls, facts: Mapping[Atom, Place], size: Cell | None, constants: Mapping[str, Any], place: Place) -> Self:
        """The instance of some facts, given values among them.

        Parameters
        ----------
        facts
            Each with its place, for error messages.
        size
            Rows and columns of its text.
        constants
            Values of constants.
        place
            Where the instance begins.

        Raises
        ------
        InputError
            When it is not an instance of the kind.
        """
        declared = cls.declared
        for name in constants:
            if name not in declared.constants:
                raise InputError(f"a {cls.title} has no constant {name}", where=place)
            meant = [one for setting in declared.settings for one in setting.values.values() if one]
            said = [one[1] for one in meant if one[0] == name]
            if said and constants[name] not in said:
                hint = f"one of: {', '.join(map(str, said))}"
                raise InputError(f"{name} = {constants[name]} means nothing here", where=place, hint=hint)
        others: dict[str, tuple[Atom, Place]] = {}
        clues: dict[Cell, tuple[Any, Place]] = {}
        for fact, where in facts.items():
            name, arguments = fact
            if not declared.clue_atom(fact):
                if (name, len(arguments)) not in declared.inputs:
                    known = sorted({*declared.inputs, (declared.clue, 3)})
                    hint = f"it has {', '.join(f'{one}/{arity}' for one, arity in known)}"
                    raise InputError(f"a {cls.title} has no facts {name}/{len(arguments)}", where=where, hint=hint)
                text = written(fact)
                if len(arguments) == 1 and text not in declared.words.get(name, (text,)):
                    names = sorted(shown(parse_terms(one, place)[0][1][0]) for one in declared.words[name])
                    message = f"{brief(shown(arguments[0]))} is not a {name} of a {cls.title}"
                    raise InputError(message, where=where, hint=f"one of: {', '.join(names)}")
                others[text] = fact, where
            else:
                r, c, term = arguments
                if not (isinstance(r, int) and isinstance(c, int)):
                    raise InputError(f"{written(fact)} is about no cell", where=where)
                if clues.setdefault((r, c), (term, where))[0] != term:
                    both = f"{shown(clues[r, c][0])} and {shown(term)}"
                    raise InputError(f"r{r}c{c} has two given values, {both}", where=where)
        for setting in declared.settings:
            if len(twice := [others[text][1] for text in setting.said if text in others]) > 1:
                raise InputError(f"a second {setting.name}", where=twice[-1], hint="leave one of them out")
        usual = [setting.values[setting.usual] for setting in declared.settings]
        constants = {name: value for name, value in constants.items() if (name, value) not in usual}
        texts = tuple(sorted(others))
        values = _written_constants(constants)
        try:
            shape = shape_of(declared, values, texts, size)
        except RefusedError as error:
            wrong = next((where for fact, where in facts.items() if written(fact) == error.fact), place)
            raise InputError(error.message, where=wrong) from None
        of_text = shape.text_size
        for text, (fact, where) in others.items():
            for r, c in declared.cells_of(fact):
                if not (isinstance(r, int) and isinstance(c, int) and 1 <= r <= of_text[0] and 1 <= c <= of_text[1]):
                    message = f"{text} is about no cell: there are {of_text[0]} rows of {of_text[1]}"
                    raise InputError(message, where=where)
        # Facts that say the size may be taken away later; the grid of a lattice does not say it.
        values = _written_constants({**declared.sized(*of_text), **constants})
        grid: list[list[Value | None]] = [[None] * shape.columns for _ in range(shape.rows)]
        plain = cls(_frozen(grid), texts, values)
        cells = set(shape.cells)
        for cell, (term, where) in clues.items():
            if cell not in cells:
                inside = 1 <= cell[0] <= shape.rows and 1 <= cell[1] <= shape.columns
                what = "takes no value" if inside else f"is not a cell: there are {shape.rows} rows of {shape.columns}"
                raise InputError(f"{cell_name(cell)} {what}", where=where)
            value = _value_in(shape, term)
            if value is None and term != 0:
                raise _no_value(plain, cell, term, where)
            grid[cell[0] - 1][cell[1] - 1] = value
        return cls(_frozen(grid), texts, values)

    # Writing

    def _json_form(self) -> dict[str, Any]:
        settings = self.declared.settings
        data: dict[str, Any] = {"puzzle": self.kind, **self.settings}
        data["grid"] = [list(row) for row in self.grid]
        said = {one for setting in settings for one in setting.said}
        if settings:
            said.update(self.declared.sized(*self.text_size).items())
        if facts := [fact for fact in self.facts if fact not in said]:
            data["facts"] = facts
        if constants := {name: value for name, value in self.constants if (name, value) not in said}:
            data["constants"] = constants
        return data

    def draw(self, grid: Grid | None = None) -> str:
        """The instance as text that `from_text` reads; of a solution, its values alone."""
        declared = self.declared
        settings = "".join(f"{name} {value}\n" for name, value in self.unusual().items())
        if grid is not None:
            return settings + self._values_text(grid)
        clues = [(declared.clue, (r, c, self.shape.terms[value])) for (r, c), value in self.clues().items()]
        size = self.text_size
        sized = declared.sized(*size)
        terms = constant_terms(self.constants)
        constants = {name: value for name, value in terms.items() if sized.get(name) != value}
        said = {one for setting in declared.settings for one in setting.said}
        facts = [*clues, *(atom for atom in self.atoms if written(atom) not in said)]
        return settings + print_text(declared, facts, size, constants, self.shape.glyphs)

    def _values_text(self, grid: Grid) -> str:
        shape = self.shape
        if shape.lattice:
            return self._lattice_text(grid)
        drawn = self._texts()
        headings: dict[tuple[str, int], str] = {}
        for name, arguments in shape.details.drawn:
            if name == "heading" and isinstance(arguments[1], int):
                headings[str(arguments[0]), arguments[1]] = shown(arguments[2])
        cells = set(shape.cells)
        texts = [
            [
                (self.glyph(value) if (r, c) in cells else "") or drawn.get((r, c), "." if (r, c) in cells else "#")
                for c, value in enumerate(row, 1)
            ]
            for r, row in enumerate(grid, 1)
        ]
        if headings:
            texts = [[headings.get(("row", r), str(r)), *row] for r, row in enumerate(texts, 1)]
            top = [headings.get(("column", c), str(c)) for c in range(1, shape.columns + 1)]
            texts = [["", *top], *texts]
            widths = [max(len(row[c]) for row in texts) for c in range(len(texts[0]))]
            lines = ("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)) for row in texts)
            return "\n".join(line.rstrip() for line in lines)
        width = max(len(text) for row in texts for text in row)
        return "\n".join(" ".join(text.rjust(width) for text in row) for row in texts)

    def _texts(self) -> dict[Cell, str]:
        """The texts that are drawn in cells."""
        return {(a[0], a[1]): shown(a[2]) for name, a in self.shape.details.drawn if name == "text"}

    def _lattice_text(self, grid: Grid) -> str:
        """The lines of a lattice in characters, with the texts of its places."""
        texts = self._texts()
        width = max((len(text) for text in texts.values()), default=1)
        cells = set(self.shape.cells)
        lines = []
        for r, row in enumerate(grid, 1):
            parts = []
            for c, value in enumerate(row, 1):
                wide = width if c % 2 == 0 else 1
                if r % 2 and c % 2:
                    parts.append("+")
                elif (r, c) in cells:
                    sign = "-" * wide if r % 2 else "|"
                    parts.append(sign if value == 1 else " " * wide if value in (0, None) else self.glyph(value))
                else:
                    parts.append(texts.get((r, c), "").center(wide))
            lines.append("".join(parts).rstrip())
        return "\n".join(lines)

    def glyph(self, value: Value | None) -> str:
        """How a value is written; `.` for an open cell."""
        return "." if value is None else self.shape.glyphs.get(value, str(value))

    def name(self, cell: Cell) -> str:
        """What a cell is called."""
        return self.shape.names.get(cell, cell_name(cell))

    # What it consists of

    @cached_property
    def shape(self) -> Shape:
        """What the instance looks like."""
        return shape_of(self.declared, self.constants, self.facts, (len(self.grid), len(self.grid[0])))

    @property
    def text_size(self) -> Cell:
        """The rows and columns of its text: of a lattice, those of its cells."""
        return self.shape.text_size

    @cached_property
    def atoms(self) -> tuple[Atom, ...]:
        """The facts, as terms."""
        return (
            tuple(atom_of(term, Place()) for term in parse_terms(", ".join(self.facts), Place())) if self.facts else ()
        )

    def cells(self) -> list[Cell]:
        return list(self.shape.cells)

    def values(self) -> tuple[Value, ...]:
        return self.shape.values

    def clues(self) -> dict[Cell, Value]:
        return {cell: value for cell in self.shape.cells if (value := at(self.grid, cell)) is not None}

    def solution(self, values: Mapping[Cell, Value]) -> Grid:
        rows: list[list[Value | None]] = [[None] * len(row) for row in self.grid]
        for r, c in self.shape.cells:
            value = values.get((r, c))
            rows[r - 1][c - 1] = str(value) if isinstance(value, str) else value
        return _frozen(rows)

    def without(self, names: Collection[str]) -> Self:
        if not names:
            return self
        given = self.shape.details.given
        if wrong := sorted(set(names) - given.keys()):
            raise UnsupportedError(f"every {self.title} has the rule {wrong[0]!r}", hint="take clues away instead")
        gone = {fact for name in names for fact in given[name]}
        others = {self.shape.details.instead[fact] for fact in gone if fact in self.shape.details.instead}
        return replace(self, facts=tuple(sorted({*others, *self.facts} - gone)))

    def notes(self) -> tuple[str, ...]:
        return () if self.declared.checker else (CLINGO_ONLY,)

    def rules(self) -> tuple[Rule, ...]:
        rules, _ = _rules_of(self.declared, self.constants, self.facts)
        given = self.shape.details.given
        return tuple(rule._replace(given=True) if rule.name in given else rule for rule in rules) if given else rules

    def links(self) -> tuple[Rule, ...]:
        """The rules, those without a name among them."""
        _, others = _rules_of(self.declared, self.constants, self.facts)
        return (*self.rules(), *others)

    # Checking

    def clashes(self) -> list[Violation]:
        return self._broken(self.clues())

    def violations(self, solution: Grid) -> list[Violation]:
        cells, values = self.shape.cells, set(self.shape.values)
        wrong = [cell for cell in cells if at(solution, cell) is not None and at(solution, cell) not in values]
        if wrong:
            return [Violation("cell", (cell,), f"{self.name(cell)} holds {at(solution, cell)}") for cell in wrong]
        left = [cell for cell in cells if at(solution, cell) is None]
        found = [
            Violation(f"clue {cell_name(cell)}={value}", (cell,), f"the given value of {self.name(cell)} is {value}")
            for cell, value in self.clues().items()
            if at(solution, cell) not in (value, None)
        ]
        if not found and self.declared.checker and not left and self._accepted(solution):
            return found
        found += self._broken({cell: value for cell in cells if (value := at(solution, cell)) is not None})
        if self.declared.checker and not found and not left:
            found = [Violation("checker", (), "the checker refuses it, and the rules of the kind do not")]
        return [*found, *(Violation("cell", (cell,), f"{self.name(cell)} is open") for cell in left)]

    def _accepted(self, solution: Grid) -> bool:
        """Whether the checker, which is another program, accepts a solution."""
        from bridge.asp import Program
        from bridge.puzzles.kinds.trust import isolated

        facts = [f"{fact}." for fact in self.facts]
        facts += [f"{self.declared.clue}({r},{c},{self._term(value)})." for (r, c), value in self.clues().items()]
        answer = self.declared.answer
        facts += [f"{answer}({r},{c},{self._term(at(solution, (r, c)))})." for r, c in self.shape.cells]
        text = self.declared.checker + "\n" + "\n".join(facts) + "\n"
        with Program(text, isolated=isolated(text), **constant_terms(self.constants)) as program:
            return program.first() is not None

    def _term(self, value: Value | None) -> str:
        assert value is not None
        return encode(self.shape.terms[value])

    def _broken(self, values: Mapping[Cell, Value]) -> list[Violation]:
        """The rules that some values break, each by itself."""
        from bridge.outcome import Statistics
        from bridge.puzzles.kinds.ground import ground_programs
        from bridge.puzzles.kinds.models import models

        form = models(self).switchable()
        ground = ground_programs.take(form, Statistics(), Limits(seconds=GROUNDING))
        cells = {(r, c, self.shape.terms[value]): (r, c) for (r, c), value in values.items()}
        literals: dict[int, Cell] = {}
        impossible = []
        for arguments, cell in cells.items():
            literal = ground.literals.get(arguments)
            if literal is None:
                impossible.append(Violation("cell", (cell,), f"{self.name(cell)} cannot hold {values[cell]}"))
            else:
                literals[literal] = cell
        if impossible:
            return impossible
        off = {name: -literal for name, literal in ground.switches.items()}
        rules = [rule for rule in self.rules() if rule.name in ground.switches]
        satisfiable, _, _ = ground.program.consistent([*(ground.switches[rule.name] for rule in rules), *literals])
        if satisfiable:
            return []
        found = []
        for rule in rules:
            others = [literal for name, literal in off.items() if name != rule.name]
            about = set(rule.cells)
            mine = [literal for literal, cell in literals.items() if cell in about]
            satisfiable, core, _ = ground.program.consistent([*others, ground.switches[rule.name], *mine])
            if satisfiable is False:
                held = sorted(literals[one] for one in core if isinstance(one, int) and one in literals)
                held_by = ", ".join(f"{self.name(cell)}={self.glyph(values[cell])}" for cell in held)
                message = f"{rule.name} is broken{f' by {held_by}' if held_by else ''}"
                found.append(Violation(rule.name, tuple(held), message))
        return found


#: What `generate` writes beside the puzzle, so that its output can be read back.
_MADE = ("version", "solution", "seed", "clues", "irredundant", "grade", "attempts", "proof")


@lru_cache(maxsize=64)
def _rules_of(
    declared: Kind, constants: Constants, facts: tuple[str, ...]
) -> tuple[tuple[Rule, ...], tuple[Rule, ...]]:
    """The named rules of an instance, in the order of their comments; and those without a name."""
    from bridge.asp import Program
    from bridge.asp.reading import Switching, instance_name, read_names
    from bridge.puzzles.kinds.trust import isolated

    switching = Switching((), unnamed=False, definitions=True)
    stated = "".join(f"{fact}.\n" for fact in facts)
    terms = constant_terms(constants)
    apart = isolated(declared.program.text, stated, terms.values())
    with (
        declared.program.placing(),
        Program(declared.program.text, stated, isolated=apart, switching=switching, **terms) as program,
    ):
        mentioned, others = program.inside(Limits(seconds=GROUNDING)).mentions(declared.answer, 3)
    found = {instance_name(*key): rows for key, rows in mentioned}
    patterns = {rule.pattern: rule for rule in read_names(declared.program.text).values() if rule.use == "named"}
    order = {pattern: number for number, pattern in enumerate(patterns)}

    def pattern_of(name: str) -> str:
        fitting = [pattern for pattern, rule in patterns.items() if rule.says(name) is not None]
        return min(fitting, key=lambda pattern: (len(patterns[pattern].terms), -len(pattern)), default="")

    of_names = {name: pattern_of(name) for name in found}
    names = sorted(found, key=lambda name: (order.get(of_names[name], len(order)), _natural(name)))
    rules = tuple(Rule(name, _cells(found[name]), by_solver) for name in names)
    kept = tuple(rule for rule in rules if not of_names[rule.name].startswith("clue "))
    return kept, tuple(Rule("", _cells(rows), by_solver) for rows in others)


def _written_constants(constants: Mapping[str, Any]) -> Constants:
    return tuple((name, term if isinstance(term, int) else encode(term)) for name, term in sorted(constants.items()))


def _natural(name: str) -> list[tuple[int, Any]]:
    """A key that sorts numbers in names by their value."""
    import re

    return [(0, int(part)) if part.isdigit() else (1, part) for part in re.split(r"([0-9]+)", name)]


def _cells(rows: Iterable[tuple[Any, ...]]) -> tuple[Cell, ...]:
    return tuple(sorted({(row[0], row[1]) for row in rows}))


def _frozen(rows: Iterable[Iterable[Value | None]]) -> Grid:
    return tuple(tuple(row) for row in rows)


def _value_in(shape: Shape, term: Any) -> Value | None:
    """The value that a term of a text, or a value of JSON, stands for; None when it is none."""
    if term in shape.terms and not isinstance(term, bool):
        return str(term) if isinstance(term, str) else int(term)
    if isinstance(term, str) and len(term) == 1 and term.isascii() and term.isalpha():
        number = ord(term.upper()) - ord("A") + 10
        return number if number in shape.terms else None
    return None


def _no_value(puzzle: FilePuzzle, cell: Cell, value: Any, where: Place) -> InputError:
    values = [puzzle.glyph(one) for one in puzzle.values()]
    known = ", ".join(values[:12]) + (", ..." if len(values) > 12 else "")
    text = shown(value) if isinstance(value, int | Constant | Function) else brief(value)
    return InputError(
        f"{puzzle.name(cell)} holds {text}, which is not a value", where=where, hint=f"values are {known}"
    )


def _json_constants(data: Any, place: Place) -> dict[str, Any]:
    if not isinstance(data, Mapping):
        raise InputError("`constants` is to be an object", where=place)
    found: dict[str, Any] = {}
    for name, value in data.items():
        if isinstance(value, bool) or not isinstance(value, int | str):
            raise InputError(f"the constant {name} is to be a number or a text, not {brief(value)}", where=place)
        found[str(name)] = parse_terms(value, place)[0] if isinstance(value, str) and value.strip() else value
    return found


def _json_size(grid: Any, place: Place) -> Cell:
    if not isinstance(grid, list) or not grid or not all(isinstance(row, list) and row for row in grid):
        raise InputError("`grid` is to be a list of rows, each a list of cells", where=place.inside("grid"))
    for number, row in enumerate(grid, 1):
        if len(row) != len(grid[0]):
            where = place.inside("grid", number - 1)
            raise InputError(f"row {number} has {len(row)} cells, not {len(grid[0])}", where=where)
        for c, value in enumerate(row):
            if value is not None and (isinstance(value, bool) or not isinstance(value, int | str)):
                message = f"{cell_name((number, c + 1))} holds {brief(value)}, which is not a value"
                raise InputError(message, where=place.inside("grid", number - 1, c))
    return len(grid), len(grid[0])


def _option(choice: Choice) -> Option:
    def read(text: str) -> Any:
        if choice.pattern is not None and not choice.pattern.placeholders:
            return read_yes(choice.name, text)
        if text.lstrip("-").isdigit() and len(text) < 10:
            return int(text)
        if choice.pattern is not None and choice.pattern.placeholders == ("number",):
            raise InputError(f"`{choice.name}` is a number, not {text!r}", where=Place("--option"))
        return text

    return Option(choice.help, read)


class CheckedPuzzle(FilePuzzle):
    """One instance of a kind whose rules are in Python, too, which checks answers: it shares nothing with the file."""

    rules = Puzzle.rules
    clues = Puzzle.clues
    clashes = Puzzle.clashes
    violations = Puzzle.violations
    notes = Puzzle.notes

    def links(self) -> tuple[Rule, ...]:
        return self.rules()

    def __reduce__(self) -> tuple[Any, ...]:
        return _of_kind, (self.kind, self.__getstate__())


def class_of_kind(declared: Kind, base: type[FilePuzzle] = FilePuzzle) -> type[FilePuzzle]:
    """The class of the instances of a kind."""
    name = "".join(part.capitalize() for part in declared.name.replace("_", "-").split("-") if part.isalnum()) or "Kind"
    return type(
        name,
        (base,),
        {
            "__doc__": f"One {declared.title}; its rules are in {declared.file}.",
            "__module__": __name__,
            "kind": declared.name,
            "title": declared.title,
            "text_form": TextForm(comment_of(declared)),
            "options": {
                **{choice.name: _option(choice) for choice in declared.choices},
                **{setting.name: Option(setting.help) for setting in declared.settings},
            },
            "declared": declared,
        },
    )


@lru_cache(maxsize=64)
def _draft(declared: Kind, base: type[FilePuzzle]) -> type[FilePuzzle]:
    return class_of_kind(replace(declared, refuses=False), base)


def _of_kind(kind: str, state: dict[str, Any]) -> Puzzle:
    """The same of a kind that every process has."""
    from bridge.puzzles.kinds.registry import class_of

    found: Puzzle = class_of(kind, "puzzle")(**state)
    return found


def _again(packed: dict[str, Any], state: dict[str, Any]) -> Puzzle:
    """An instance that was pickled."""
    from bridge.puzzles.kinds.registry import add_packed, class_of

    found: Puzzle = class_of(add_packed(packed), "puzzle")(**state)
    return found
