"""Solutions that are images of others: all of them, each once, checked like every other one."""

from __future__ import annotations

import pytest
from patience import given_time

from bridge.limits import Limits
from bridge.puzzles.engines import engine
from bridge.puzzles.kinds import parse

EMPTY = [
    *(("latin-square", f"order {n}") for n in (1, 2, 3, 4)),
    ("latin-square", "order 4\nvariant diagonal"),
    ("latin-square", "order 4\nvariant reduced"),
    *(("magic-square", f"order {n}") for n in (1, 2, 3)),
    ("magic-square", "order 3\nvariant semi"),
    ("magic-square", "order 3\nsymmetry reduced"),
    ("magic-square", "order 3\nvariant semi\nsymmetry reduced"),
    ("magic-square", "order 4\nsymmetry reduced"),
    ("sudoku", "."),
    ("sudoku", "....\n" * 4),
    ("takuzu", "."),
    ("takuzu", "....\n" * 3),
    ("takuzu", "lines repeat\n" + "...\n" * 4),
]


#: Those that make images. `auto` takes the others, too.
MAKING = pytest.mark.parametrize("name", ["asp", "auto"])


@MAKING
@pytest.mark.parametrize(("kind", "text"), EMPTY)
def test_the_images_are_the_other_solutions(kind: str, text: str, name: str) -> None:
    puzzle = parse(kind, text)
    found = engine(name).solutions(puzzle).collect()
    others = engine("mac+mrv").solutions(puzzle).collect()
    assert (found.complete, found.limit, others.complete) == (True, None, True)
    assert len(found.solutions) == len(set(found.solutions))
    assert set(found.solutions) == set(others.solutions)


@MAKING
@pytest.mark.parametrize(
    ("kind", "text", "number", "factor"), [("latin-square", "order 4", 576, 144), ("magic-square", "order 3", 8, 8)]
)
def test_one_of_each_set_is_searched_for(kind: str, text: str, number: int, factor: int, name: str) -> None:
    found = engine(name).solutions(parse(kind, text)).collect()
    assert (found.statistics.counters["symmetry"], len(found.solutions)) == (factor, number)
    assert name != "auto" or str(found.remark).startswith("auto took ")


@MAKING
@pytest.mark.parametrize("wanted", [1, 144, 145, 288, 575, 576, 577])
def test_a_limit_on_solutions_is_kept(wanted: int, name: str) -> None:
    found = engine(name).solutions(parse("latin-square", "order 4"), Limits(solutions=wanted)).collect()
    assert len(set(found.solutions)) == len(found.solutions) == min(wanted, 576)
    assert (found.complete, found.limit) == ((True, None) if wanted > 576 else (False, "solutions"))


@MAKING
def test_a_limit_of_time_is_kept_among_the_images_of_one_solution(name: str) -> None:
    square = parse("latin-square", "order 12")
    found = given_time(
        lambda seconds: engine(name).solutions(square, Limits(seconds=seconds)).collect(), lambda found: found.solutions
    )
    assert (found.complete, found.limit) == (False, "seconds")


def test_the_images_of_a_large_square_come_one_by_one() -> None:
    stream = engine("asp").solutions(parse("latin-square", "order 12"))
    with stream:
        assert len({next(stream) for _ in range(1000)}) == 1000
    assert not stream.complete
