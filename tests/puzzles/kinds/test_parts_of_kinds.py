"""How an instance looks is found from some of its facts: all of them, and the whole file, give the same."""

from __future__ import annotations

import pytest
from shared_data import ROOT

from bridge.asp import Program
from bridge.outcome import Verdict
from bridge.puzzles.analysis.check import check
from bridge.puzzles.kinds import parse
from bridge.puzzles.kinds.file_puzzle import FilePuzzle
from bridge.puzzles.kinds.kind import constant_terms, ground_workbench

INSTANCES = [
    *(f"encodings/{kind}/{kind}.txt" for kind in ("akari", "hitori", "kakuro", "kenken", "nonogram", "skyscrapers")),
    *(f"encodings/{kind}/{kind}.txt" for kind in ("killer", "slitherlink", "star_battle", "zebra")),
    "encodings/variant_sudoku/variant_sudoku.txt",
    "examples/variant_sudoku/jigsaw-arrows-dots-6x6.txt",
    "examples/variant_sudoku/kropki-4x4.txt",
    "examples/variant_sudoku/killer-6x6.txt",
]

def instance(path: str) -> FilePuzzle:
    kind = path.split("/")[1].replace("_", "-")
    found = parse(kind, (ROOT / path).read_text(encoding="utf-8"))
    assert isinstance(found, FilePuzzle)
    return found


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

    report = check(puzzle)
    assert report.verdict is Verdict.UNIQUE
    clues = "".join(f"{declared.clue}({r},{c},{puzzle._term(value)}).\n" for (r, c), value in puzzle.clues().items())
    with Program(f"{declared.program.text}\n{structure}{clues}", isolated=False, **constants) as program:
        found = [model[declared.answer] for model in program.models(project=True)]
    assert len(found) == 1
    assert puzzle.solution({(r, c): value for r, c, value in found[0]}) == report.solutions[0]


def test_other_facts_do_not_matter_for_how_an_instance_looks() -> None:
    declared = type(instance("encodings/kakuro/kakuro.txt")).declared
    assert {"black", "clue"} & declared.looked_at
    assert "thermo" not in type(instance("examples/variant_sudoku/kropki-4x4.txt")).declared.looked_at
