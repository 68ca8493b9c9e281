"""The text of a diagnosis of a puzzle."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from math import prod
from typing import TYPE_CHECKING

from bridge.common.english import plural
from bridge.outcome import Verdict
from bridge.puzzles.kinds.models import models
from bridge.puzzles.kinds.rules import Cell, Value
from bridge.puzzles.texts.check import LISTED, candidates_text
from bridge.texts.parts import (
    SHOWN,
    count_text,
    end_lines,
    not_computed,
    proof_lines,
    removal_lines,
    shown_lines,
    verdict_text,
)

if TYPE_CHECKING:
    from bridge.analysis.ambiguity import Group
    from bridge.puzzles.analysis.diagnose import PuzzleDiagnosis
    from bridge.puzzles.oracle import Premise


def diagnosis_text(found: PuzzleDiagnosis) -> str:
    """A diagnosis in words, the most important first."""
    parts = {
        Verdict.IMPOSSIBLE: (_clashes, _removals),
        Verdict.AMBIGUOUS: (_open, _groups, _additions, _rules, _hidden),
        Verdict.UNIQUE: (_grade, _redundant, _hidden, _solution),
        Verdict.UNKNOWN: (_solution,),
    }[found.verdict]
    told = (line for part in parts for line in part(found))
    return "\n".join([verdict_text(found, "solution"), *told, *end_lines(found)])


# Impossible


def _clashes(found: PuzzleDiagnosis) -> Iterator[str]:
    if found.clashes is None:
        yield from not_computed(found, "what clashes")
        return
    for number, clash in enumerate(found.clashes):
        head = "nor can these" if number else "these cannot hold together"
        yield from _wrapped(f"{head}: ", [str(clash)])
        yield from proof_lines(clash)


def _removals(found: PuzzleDiagnosis) -> Iterator[str]:
    repairs = found.removals
    if repairs is None:
        yield from not_computed(found, "which clues to take away")
        return
    if not repairs.sets and repairs.complete:
        return  # a note says so
    yield from removal_lines(
        repairs, ("clue", "clues"), lambda number, one: f"{', '.join(map(str, one))}{_after(found, number)}"
    )


def _after(found: PuzzleDiagnosis, number: int) -> str:
    if found.after is None or number >= len(found.after):
        return "   what comes then: not computed"
    after = found.after[number]
    if not after.unique:
        return "   then there are several solutions"
    name = models(found.puzzle).name
    values = [f"{name(cell)}={value}" for cell, value in after.values.items()]
    return "   then there is one solution" + (f", with {', '.join(values)}" if values else "")


# Ambiguous


def _open(found: PuzzleDiagnosis) -> Iterator[str]:
    residual, ambiguity = found.residual, found.ambiguity
    if residual is None:
        yield from not_computed(found, "open cells")
        return
    cells, name = plural(len(residual.open), "open cell"), models(found.puzzle).name
    if len(residual.open) > LISTED:
        yield f"{cells} of {len(residual.possible)}, with the values that occur in some solution:"
        yield candidates_text(found.puzzle, residual)
        return
    if ambiguity is None:
        yield f"{cells}:"
        yield from (f"  {name(cell)}  {_row(values)}" for cell, values in residual.open.items())
        yield from not_computed(found, "how many solutions each value has")
        return
    yield f"{cells}, and how many solutions each value has:"
    for cell, counts in ambiguity.counts.items():
        shown = (f"{value} ({count_text(count, ambiguity)})" for value, count in counts.items())
        yield f"  {name(cell)}  {', '.join(shown)}"


def _groups(found: PuzzleDiagnosis) -> Iterator[str]:
    groups = found.ambiguity.groups if found.ambiguity else None
    if groups is None:
        yield from not_computed(found, "which cells vary together")
        return
    name = models(found.puzzle).name
    for group in groups[:SHOWN]:
        yield from _wrapped("", [f"{', '.join(map(name, group.cells))} vary together, {_ways(group)}"])
    if len(groups) > SHOWN:
        yield f"and {len(groups) - SHOWN} more groups"
    if found.ambiguity and not found.ambiguity.finished:
        yield "there may be more groups of cells that vary together"


def _ways(group: Group) -> str:
    if len(group.cells) * len(group.ways) > 8 * SHOWN:
        return f"in {len(group.ways)} ways"
    shown = [_row(row) for row in group.ways]
    return f"in {len(shown)} ways: {'; '.join(shown[:-1])} or {shown[-1]}"


def _additions(found: PuzzleDiagnosis) -> Iterator[str]:
    repairs = found.additions
    if repairs is None or found.residual is None:
        yield from not_computed(found, "which clues to add")
        return
    if not repairs.sets:
        if repairs.size > 1:
            yield f"no set of up to {plural(repairs.size - 1, 'clue')} makes it unique"
        else:
            yield from not_computed(found, "which clues to add")
        return
    kinds = list(_by_cells(repairs.sets, found.residual.open, models(found.puzzle).name))
    make = "one clue more makes" if repairs.size == 1 else f"{repairs.size} clues more make"
    free = [kind for kind, any_value in kinds if any_value]
    exact = [kind for kind, any_value in kinds if not any_value]
    if repairs.size == 1 and free:
        one = f"any one of {', '.join(free)}, whatever its value" if len(free) > 1 else f"{free[0]}, whatever its value"
        yield from _wrapped("", [f"{make} it unique: {one}"])
        yield from _wrapped("or: ", exact)
        yield from shown_lines((), repairs.complete)
    else:
        yield f"{make} it unique, one of these sets:" if repairs.size > 1 else f"{make} it unique, one of these:"
        yield from shown_lines([*(f"{kind}, whatever their values" for kind in free), *exact], repairs.complete)


def _by_cells(
    sets: Iterable[Sequence[Premise]], possible: dict[Cell, tuple[Value, ...]], name: Callable[[Cell], str]
) -> Iterator[tuple[str, bool]]:
    """The sets by their cells, and whether every value will do; with their values where it does not."""
    from bridge.puzzles.oracle import Fact

    rows: dict[tuple[Cell, ...], list[tuple[Value, ...]]] = {}
    for one in sets:
        facts = [fact for fact in one if isinstance(fact, Fact)]
        rows.setdefault(tuple(fact.cell for fact in facts), []).append(tuple(fact.value for fact in facts))
    for cells, found in sorted(rows.items()):
        found = [row for row in product(*(possible[cell] for cell in cells)) if row in found]  # ascending
        if len(found) == prod(len(possible[cell]) for cell in cells):
            yield ", ".join(map(name, cells)), True
        elif len(cells) == 1:
            yield f"{name(cells[0])}={' or '.join(str(row[0]) for row in found)}", False
        else:
            yield f"{', '.join(map(name, cells))} with {'; '.join(map(_row, found))}", False


def _rules(found: PuzzleDiagnosis) -> Iterator[str]:
    if found.rules is None:
        return not_computed(found, "rules of the open cells")
    if len(found.rules) <= LISTED:
        return _wrapped("rules of the open cells: ", found.rules)
    of = len(found.puzzle.rules())
    return iter([f"rules of the open cells: {'all' if len(found.rules) == of else len(found.rules)} of {of}"])


def _hidden(found: PuzzleDiagnosis) -> Iterator[str]:
    if found.propagated is None or found.hidden is None:
        return not_computed(found, "what propagation alone decides")
    if not found.hidden:
        return iter([f"propagation alone ({found.propagated.engine}) decides every cell that is decided"])
    head = f"not decided by propagation alone ({found.propagated.engine}): "
    if len(found.hidden) > LISTED:
        return iter([f"{head}{len(found.hidden)} cells"])
    name = models(found.puzzle).name
    return _wrapped(head, [f"{name(cell)}={value}" for cell, value in found.hidden.items()])


# Unique


def _grade(found: PuzzleDiagnosis) -> Iterator[str]:
    from bridge.puzzles.search.ladder import LADDER

    if found.grade is None:
        yield from not_computed(found, "grade")
        return
    title = next(level.full_title for level in LADDER if level.name == found.grade.reached)
    if found.grade.level is None:
        yield f"grade: not known; {title} was reached in time"
        return
    guesses = f", {found.grade.guesses} guesses" if found.grade.level == "search" else ""
    yield f"grade: {found.grade.difficulty}, {title}, score {found.grade.score}{guesses}"


def _redundant(found: PuzzleDiagnosis) -> Iterator[str]:
    if found.redundant is None:
        yield from not_computed(found, "which clues could go")
        return
    if found.redundant:
        each = ", each alone" if len(found.redundant) > 1 else ""
        yield from _wrapped(f"{plural(len(found.redundant), 'clue')} could go{each}: ", map(str, found.redundant))
    elif found.spare is not None:
        yield "no clue could go"
    if found.spare is None:
        yield from not_computed(found, "which others could go" if found.redundant else "which clues could go")
    elif len(found.spare) > 1:
        all_of_them = len(found.spare) == len(found.redundant)
        which = "all of them" if all_of_them else ", ".join(map(str, found.spare))
        yield from _wrapped(f"{len(found.spare)} could go together, and then no other: ", [which])


def _solution(found: PuzzleDiagnosis) -> Iterator[str]:
    for grid in found.solutions:
        yield f"\nsolution\n{found.puzzle.draw(grid)}"


# Words


def _row(values: Sequence[Value]) -> str:
    return " ".join(map(str, values))


def _wrapped(head: str, items: Iterable[str]) -> Iterator[str]:
    import textwrap

    text = ", ".join(items)
    return iter(textwrap.wrap(head + text, 110, subsequent_indent="  ") if text else ())
