"""An instance is ground with a part of its kind's file: the whole file gives the same answers, and the same looks."""

from __future__ import annotations

from dataclasses import replace

import pytest
from shared_data import ROOT

from bridge.asp import Program
from bridge.outcome import Verdict
from bridge.puzzles.analysis.check import check
from bridge.puzzles.kinds import parse
from bridge.puzzles.kinds.file_puzzle import FilePuzzle
from bridge.puzzles.kinds.kind import constant_terms, ground_workbench, program_for
from bridge.puzzles.kinds.kind_source import Listing, part_for
from bridge.puzzles.kinds.models import models

INSTANCES = [
    *(f"encodings/{kind}/{kind}.txt" for kind in ("akari", "hitori", "kakuro", "kenken", "nonogram", "skyscrapers")),
    *(f"encodings/{kind}/{kind}.txt" for kind in ("killer", "slitherlink", "star_battle", "zebra")),
    "encodings/variant_sudoku/variant_sudoku.txt",
    "examples/variant_sudoku/jigsaw-arrows-dots-6x6.txt",
    "examples/variant_sudoku/kropki-4x4.txt",
    "examples/variant_sudoku/killer-6x6.txt",
]

PROGRAM = """\
{ cell(R, C, V) : value(V) } = 1 :- index(R), index(C).
index(1..2).
value(1..2).
:- dot(R, C), cell(R, C, 1).
deep(R, C) :- dot(R, C),
    index(R).
deep(R, C) :- deep(R, C + 1).
:- cell(R, C, V), not deep(R, C), V = 3.
not not line(1) :- cell(1, 1, 3).
{ more(1) } = 1 :- line(N).
loose(1). other(X) :- loose(X).
either :- p(1; 2, 3).
p(2, 3) :- cell(1, 1, 1).
"""


def instance(path: str) -> FilePuzzle:
    kind = path.split("/")[1].replace("_", "-")
    found = parse(kind, (ROOT / path).read_text(encoding="utf-8"))
    assert isinstance(found, FilePuzzle)
    return found


def part(given: set[str], wanted: set[tuple[str, int]] | None = None) -> tuple[list[str], frozenset[str]]:
    with Program(PROGRAM, isolated=False) as program:
        found, used = part_for(Listing(PROGRAM, []), program.outline(), given, wanted)
    return found.text.splitlines(), used


def test_rules_that_never_apply_are_left_out() -> None:
    lines, used = part(set())
    whole = PROGRAM.splitlines()
    gone = {number for number, (line, left) in enumerate(zip(whole, lines, strict=False), 1) if line != left}
    assert gone == {4, 5, 6, 7}
    assert not any(lines[number - 1] for number in gone)
    assert set(lines[len(whole) :]) == {"#defined deep/2.", "#defined line/1.", "#defined p/1."}
    assert "deep" in used
    assert "dot" not in used


def test_rules_of_given_facts_stay() -> None:
    lines, used = part({"dot"})
    assert lines[: len(PROGRAM.splitlines())] == PROGRAM.splitlines()
    assert "dot" in used


def test_definitions_that_nothing_needs_are_left_out() -> None:
    lines, _ = part({"dot"}, {("other", 1)})
    assert lines[10] == "loose(1). other(X) :- loose(X)."
    assert lines[11] == ""
    assert lines[0].startswith("{ cell"), "a choice is no definition"
    lines, _ = part({"dot"}, {("either", 0)})
    assert [bool(line) for line in lines[10:13]] == [False, True, True]


@pytest.mark.slow
@pytest.mark.parametrize("path", INSTANCES)
def test_the_whole_file_gives_the_same(path: str) -> None:
    puzzle = instance(path)
    declared, structure = type(puzzle).declared, "".join(f"{fact}.\n" for fact in puzzle.facts)
    constants = constant_terms(puzzle.constants)
    looks = ground_workbench(declared.workbench, structure, constants)
    assert "wrong" not in looks
    cells = {row for row in looks.get("cell", ()) if len(row) == 2}
    assert not cells or cells == set(puzzle.cells())
    assert {row[0] for row in looks["value"]} == set(puzzle.values())

    program_for(declared, ("other(1)",))  # the first instance takes the whole program
    report = check(puzzle)
    assert report.verdict is Verdict.UNIQUE
    clues = "".join(f"{declared.clue}({r},{c},{puzzle._term(value)}).\n" for (r, c), value in puzzle.clues().items())
    with Program(f"{declared.program.text}\n{structure}{clues}", isolated=False, **constants) as program:
        found = [model[declared.answer] for model in program.models(project=True)]
    assert len(found) == 1
    assert puzzle.solution({(r, c): value for r, c, value in found[0]}) == report.solutions[0]


def test_a_question_about_rules_has_all_of_them() -> None:
    puzzle = instance("examples/variant_sudoku/kropki-4x4.txt")
    declared = type(puzzle).declared
    assert models(puzzle).switchable().program == declared.program.text
    fresh = replace(declared)
    assert program_for(fresh, puzzle.facts) == declared.program.text, "of the first instance"
    assert program_for(fresh, puzzle.facts[1:]).split() != declared.program.text.split()
    assert program_for(fresh, puzzle.facts) == declared.program.text
