"""Pictures of results: instance, solution, residual, conflict, step of an explanation, ambiguity.

All functions take plain data (cells, values, names of rules) with the puzzle, so that any program can use them.

    >>> from bridge.puzzles.kinds import parse
    >>> from bridge.puzzles.render import instance
    >>> print(instance(parse("latin-square", "1 . . / . 2 . / . . .".replace("/", chr(10)))).text())
    Latin square
         1 2 3
       ┌───────┐
     1 │ 1 . . │
     2 │ . 2 . │
     3 │ . . . │
       └───────┘
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from string import ascii_lowercase, ascii_uppercase

from bridge.common import plural
from bridge.drawing import Drawable, Mark, Note, theme_named
from bridge.problem import Residual
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.about import About
from bridge.puzzles.kinds.rules import Cell, Grid, Value, at, cell_names
from bridge.puzzles.names import sentence
from bridge.puzzles.render import svg, terminal
from bridge.puzzles.render.board import Lit, Scene, board
from bridge.puzzles.render.marks import Shade

#: A list of more constraints than `LISTED` is shortened to `SHORTENED`.
LISTED, SHORTENED = 16, 8

#: A constraint longer than this is shortened: a table of words fills pages.
LONGEST = 110

#: More names than these are counted, not listed.
NAMED = 16

#: A cell with more letters than this shows none: they would not fit.
MOST_TAGS = 4

#: More ways in which cells vary together than these are counted, not listed.
MOST_WAYS = 6

#: A blank at which no line ends.
UNBROKEN = "\N{NO-BREAK SPACE}"

_CELL = re.compile(r"r([1-9][0-9]*)c([1-9][0-9]*)")


def instance(puzzle: Puzzle, caption: str = "") -> Picture:
    """The clues alone, and what is printed with the puzzle: title, author, rules, the texts of clues."""
    return _with_texts(replace(_picture(puzzle, {}), caption=caption), puzzle.about)


def solution(puzzle: Puzzle, grid: Grid, caption: str = "") -> Picture:
    """A solution, or a part of one; clues are distinguished."""
    values = {cell: value for cell in puzzle.cells() if (value := at(grid, cell)) is not None}
    return _with_texts(replace(_picture(puzzle, values), caption=caption), puzzle.about)


def residual(puzzle: Puzzle, exact: Residual | None = None, propagated: Residual | None = None) -> Picture:
    """What is left open: the candidates of each open cell, and the constraints on them.

    With both residuals, candidates that propagation leaves although no solution has them are distinguished from those
    that some solution has. Cells that differ between solutions are highlighted.
    """
    both = ((propagated, Shade.PROPAGATED), (exact, Shade.EXACT))
    shown = [(one, shade) for one, shade in both if one is not None and one.known]
    # An exact residual that a limit ended lacks values: nothing is known of those that are missing.
    partly = exact is not None and not exact.complete
    sources = shown[:1] if partly else shown
    possible: dict[Cell, dict[Value, Shade]] = {}
    for one, shade in sources:
        for cell, values in one.possible.items():
            possible.setdefault(cell, {}).update(dict.fromkeys(values, shade))
    certain = possible if not partly or propagated is not None else {}
    decided = {cell: next(iter(values)) for cell, values in certain.items() if len(values) == 1}
    candidates = {cell: values for cell, values in possible.items() if cell not in decided}
    marks = {} if exact is None else dict.fromkeys(exact.open, Mark.OPEN)
    notes, tags = [], dict[Cell, str]()
    for one, _ in shown:
        if one.constraints and one.kind == "propagated":
            note, tags = constraint_note(one.constraints, one.open, f"Constraints left by propagation ({one.engine})")
            notes.append(note)
        elif one.constraints:
            notes.append(Note("Rules of the open cells", _wrapped_list(one.constraints)))
    caption = _open_caption(exact, propagated)
    picture = _picture(puzzle, decided, candidates)
    return replace(picture, marks=marks, tags=tags, notes=tuple(notes), caption=caption)


def conflict(puzzle: Puzzle, rules: Iterable[str], cells: Iterable[Cell], caption: str = "") -> Picture:
    """Rules and clues that cannot hold together.

    Parameters
    ----------
    rules
        Their names.
    cells
        The cells of the clues.
    """
    lit = lit_rules(puzzle, rules, Mark.CLASH)
    marks = dict.fromkeys(cells, Mark.CLASH)
    sentence = caption or "What is lit cannot hold together."
    notes = _rule_sentences(puzzle, lit)
    return replace(_picture(puzzle, {}), marks=marks, lit=lit, notes=notes, caption=sentence)


def step(
    puzzle: Puzzle,
    known: Mapping[Cell, Value],
    new: tuple[Cell, Value, bool],
    rules: Iterable[str],
    facts: Iterable[tuple[Cell, Value, bool]],
    caption: str = "",
    also: Iterable[tuple[Cell, Value, bool]] = (),
    cells: Iterable[Cell] = (),
) -> Picture:
    """One step of an explanation.

    Parameters
    ----------
    known
        The values known before the step, without the clues.
    new
        The conclusion: a cell, a value, and whether it holds; if not, the candidate is removed.
    rules, facts
        The premises.
    caption
        The step in words.
    also
        Further conclusions, such as the other candidates that an X-wing removes.
    cells
        The cells in which a technique is seen.
    """
    values, candidates = dict(known), dict[Cell, dict[Value, Shade]]()
    marks = dict.fromkeys(cells, Mark.USED)
    used, found = ((Mark.USED, fact) for fact in facts), ((Mark.NEW, fact) for fact in (new, *also))
    for mark, (cell, value, holds) in (*used, *found):
        marks[cell] = mark
        if holds:
            values[cell] = value
        else:
            candidates.setdefault(cell, {})[value] = Shade.REMOVED
    open_ones = {cell: of_cell for cell, of_cell in candidates.items() if cell not in values}
    lit = lit_rules(puzzle, rules, Mark.USED)
    notes = _rule_sentences(puzzle, lit)
    return replace(_picture(puzzle, values, open_ones), marks=marks, lit=lit, notes=notes, caption=caption)


def ambiguity(
    puzzle: Puzzle,
    possible: Mapping[Cell, Sequence[Value]],
    groups: Sequence[tuple[Sequence[Cell], Sequence[Sequence[Value]]]] = (),
    rules: Iterable[str] = (),
    caption: str = "",
) -> Picture:
    """The cells that differ between solutions, with their values, and which of them vary together.

    Parameters
    ----------
    possible
        The values that each cell has in some solution.
    groups
        Cells that vary together, and the values that they have together, a row for each way.
    rules
        The rules of the open cells.
    """
    decided = {cell: values[0] for cell, values in possible.items() if len(values) == 1}
    candidates = {cell: dict.fromkeys(values, Shade.EXACT) for cell, values in possible.items() if len(values) > 1}
    tags, lines = dict[Cell, str](), []
    for letter, (cells, ways) in zip(ascii_uppercase, groups, strict=False):
        tags.update(dict.fromkeys(cells, letter))
        values = f"in {len(ways)} ways"
        if len(ways) <= MOST_WAYS:
            values = " or ".join(UNBROKEN.join(map(str, way)) for way in ways)
        lines.append(f"{letter}: {cell_names(cells)} vary together: {values}")
    notes = [Note("Cells that vary together", tuple(lines))] if lines else []
    if names := tuple(rules):
        notes.append(Note("Rules of the open cells", _wrapped_list(names)))
    sentence = caption or f"{plural(len(candidates), 'cell differs', 'cells differ')} between solutions."
    marks = dict.fromkeys(candidates, Mark.OPEN)
    picture = _picture(puzzle, decided, candidates)
    return replace(picture, marks=marks, tags=tags, notes=tuple(notes), caption=sentence)


def lit_rules(puzzle: Puzzle, names: Iterable[str], mark: Mark) -> tuple[Lit, ...]:
    """The rules of these names; an unknown name highlights the cells that it mentions."""
    known = {rule.name: rule.cells for rule in puzzle.rules()}
    named = {name: [(int(r), int(c)) for r, c in _CELL.findall(name)] for name in names}
    every = {name: known.get(name, cells) for name, cells in named.items()}
    return tuple(Lit(name, tuple(cells), mark) for name, cells in every.items())


def constraint_note(constraints: Sequence[str], among: Iterable[Cell], heading: str) -> tuple[Note, dict[Cell, str]]:
    """Constraints as text, each with a letter, and the letters of the constraints of each cell.

    A constraint on one cell is its domain, which the cell shows: it has no letter. A long list is shortened to the
    first constraints on several cells, without letters.
    """
    cells = set(among)
    named = {text: sorted({(int(r), int(c)) for r, c in _CELL.findall(text)} & cells) for text in constraints}
    several = [text for text, held in named.items() if len(held) > 1]
    if len(constraints) > LISTED:
        lines = [_cut(text) for text in several[:SHORTENED]]
        return Note(heading, (*lines, f"… and {len(constraints) - len(lines)} more"), code=True), {}
    letters = dict(zip(several, ascii_lowercase, strict=False))
    tags = {cell: "".join(letter for text, letter in letters.items() if cell in named[text]) for cell in cells}
    lines = [f"{letters.get(text, ' ')}  {_cut(text)}" for text in constraints]
    return Note(heading, tuple(lines), code=True), {c: tag for c, tag in tags.items() if 0 < len(tag) <= MOST_TAGS}


def _picture(
    puzzle: Puzzle, values: Mapping[Cell, Value], candidates: Mapping[Cell, Mapping[Value, Shade]] | None = None
) -> Picture:
    givens = puzzle.clues()
    solved = {cell: value for cell, value in values.items() if cell not in givens}
    return Picture(
        puzzle.title[:1].upper() + puzzle.title[1:],
        board(puzzle, {**solved, **givens}),
        puzzle.values(),
        givens,
        solved,
        {cell: of_cell for cell, of_cell in (candidates or {}).items() if cell not in givens},
    )


def _with_texts(picture: Picture, about: About) -> Picture:
    rules = (Note("Rules", tuple(about.rules.splitlines())),) if about.rules else ()
    lists = [
        Note(direction.capitalize(), tuple(f"{number}{UNBROKEN} {text}" for number, text in clues))
        for direction in ("across", "down")
        if (clues := about.of(direction))
    ]
    byline = " · ".join(part for part in (about.author, about.copyright) if part)
    return replace(picture, heading=about.title, byline=byline, notes=(*rules, *picture.notes), lists=tuple(lists))


def _rule_sentences(puzzle: Puzzle, lit: Sequence[Lit]) -> tuple[Note, ...]:
    """The sentences of the highlighted rules, equal ones in one line."""
    by_sentence: dict[str, list[str]] = {}
    for rule in lit:
        by_sentence.setdefault(sentence(puzzle, rule.name), []).append(rule.name)
    lines = tuple(text if names == [text] else f"{', '.join(names)}: {text}" for text, names in by_sentence.items())
    return (Note("Rules lit", lines),) if lines else ()


def _open_caption(exact: Residual | None, propagated: Residual | None) -> str:
    both = ((exact, ""), (propagated, " after propagation alone"))
    parts = [_open_cells(one, how) for one, how in both if one is not None]
    if any(one is not None and one.known and not one.complete for one in (exact, propagated)):
        parts.append("a limit came first, values may be missing")
    text = "; ".join(parts)
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def _open_cells(one: Residual, how: str) -> str:
    if not one.known or not (one.complete or one.open):
        return f"what is open{how} was not computed ({one.engine})"
    if one.contradiction:
        return f"nothing is possible{how}: there is no solution ({one.engine})"
    if not one.open:
        return f"no cell is open{how} ({one.engine})"
    by = f"exact, {one.engine}" if one.kind == "exact" else one.engine
    least = "" if one.complete else "at least "
    return f"{least}{plural(len(one.open), 'cell is open', 'cells are open')}{how} ({by})"


def _wrapped_list(names: Sequence[str]) -> tuple[str, ...]:
    """The names in one line, at most `NAMED`."""
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return (", ".join(names[:NAMED]) + more,)


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} …"


@dataclass(frozen=True, slots=True)
class Picture(Scene, Drawable):
    """A scene that draws itself: as SVG, PNG, PDF, in characters or in words."""

    def words(self) -> str:
        """The picture in words."""
        return terminal.described(self)

    def text(self, *, colour: bool = False) -> str:
        """The picture in characters; with `colour`, ANSI escapes as well."""
        return terminal.text(self, colour=colour)

    def svg(self, theme: str = "light", *, legend: bool = True) -> str:
        """The picture as a standalone SVG document."""
        return svg.svg(self, theme_named(theme), legend=legend)

    def __str__(self) -> str:
        return self.text()
