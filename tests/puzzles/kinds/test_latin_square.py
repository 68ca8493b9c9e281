"""Latin squares without any solver: reading, drawing, rules."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from instances import VARIANTS, latin_square

from bridge.errors import InputError
from bridge.puzzles.kinds import parse
from bridge.puzzles.kinds.latin_square import LatinSquare
from bridge.puzzles.kinds.models import models
from bridge.puzzles.kinds.rules import Grid


@st.composite
def squares(draw: st.DrawFn) -> LatinSquare:
    order = draw(st.sampled_from([1, 2, 3, 4, 9, 10, 12, 36]))
    row = st.tuples(*[st.one_of(st.none(), st.integers(1, order))] * order)
    return latin_square(draw(st.tuples(*[row] * order)), draw(st.sampled_from(VARIANTS)))


@pytest.mark.slow
@given(squares())
def test_what_is_drawn_can_be_read(puzzle: LatinSquare) -> None:
    assert parse("latin-square", puzzle.draw()) == puzzle


@given(squares())
def test_json_carries_everything(puzzle: LatinSquare) -> None:
    assert parse("latin-square", puzzle.to_json()) == puzzle


FORMS = {
    "blanks": "1 . .\n. 2 .\n. . .",
    "none": "1..\n.2.\n...",
    "zeros and bars": "| 1 | 0 | 0 |\n---\n| 0 | 2 | 0 |\n| 0 | 0 | 0 |",
    "comment, order": "# three\norder 3\n1..\n.2.\n...",
    "plain": "variant plain\n1..\n.2.\n...",
    "JSON": '{"puzzle": "latin-square", "grid": [[1, null, null], [0, 2, 0], [null, null, null]]}',
}


@pytest.mark.parametrize("form", FORMS)
def test_every_text_form_is_the_same_puzzle(form: str) -> None:
    assert parse("latin-square", FORMS[form]) == latin_square(((1, None, None), (None, 2, None), (None,) * 3))


def test_an_order_alone_is_the_empty_square() -> None:
    assert parse("latin-square", "order 30") == latin_square(((None,) * 30,) * 30)
    assert parse("latin-square", "variant reduced\norder 1") == latin_square(((None,),), "reduced")


def test_values_above_nine() -> None:
    rows = ". " * 12 + "\n"
    letters = parse("latin-square", "C" + "." * 11 + "\n" + ("." * 12 + "\n") * 11)
    assert parse("latin-square", "12" + rows[1:] + rows * 11) == letters
    assert letters.clues() == {(1, 1): 12}


def test_the_variant() -> None:
    assert parse("latin-square", "variant diagonal\norder 5") == parse("latin-square", "order 5", variant="diagonal")
    assert parse("latin-square", '{"grid": [[1]]}', variant="reduced") == latin_square(((1,),), "reduced")


WRONG = {
    "empty": ("", "empty"),
    "settings only": ("variant reduced", "no rows"),
    "ragged": ("...\n..\n...", ":2: row 2 has 2 cells, the others have 3"),
    "a row too few": ("...\n...", "2 rows of 3 cells"),
    "order that does not fit": ("order 4\n...\n...\n...", ":1:7: 3 rows, but the order is 4"),
    "order that is none": ("order four", ":1:7: 'four' is not an order"),
    "order 0": ("order 0", "'0' is not an order"),
    "order twice": ("order 3\norder 4", ":2:1: a second line `order`"),
    "too large": ("order 65", "there are 65 rows; 64 are the most"),
    "far too large": ("order " + "9" * 5000, ":1:7: 999,999,999 rows are more than 256"),
    "strange character": ("...\n.?.\n...", r":2:2: r2c2 holds '\?', which is not a value; values are 1, 2, 3"),
    "out of range": ("...\n..4\n...", r":2:3: r2c3 holds 4, which is not a value; values are 1, 2, 3"),
    "letter out of range": ("A..\n...\n...", r"r1c1 holds '?A'?, which is not a value"),
    "no variant": ("variant magic\norder 3", ":1:9: there is no variant 'magic'.*plain, diagonal, reduced"),
    "JSON without a grid": ("{}", "`grid`"),
    "JSON ragged": ('{"grid": [[1, 2], [1]]}', "row 2 has 1 cells, not 2"),
    "JSON with text": ('{"grid": [["1"]]}', "holds '1', which is not a value"),
    "JSON out of range": ('{"grid": [[-1]]}', "holds -1"),
    "JSON variant": ('{"variant": 3, "grid": [[1]]}', "there is no variant 3"),
    "JSON of another puzzle": ('{"puzzle": "sudoku", "grid": [[1]]}', "this is a sudoku"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_input_is_refused(name: str) -> None:
    text, message = WRONG[name]
    with pytest.raises(InputError, match=message) as raised:
        parse("latin-square", text, file="p.txt")
    assert str(raised.value).startswith("p.txt")


#: Each rule, and a square of clues that breaks just this one.
FAILCHECK = {
    "row 2": "...\n1.1\n...",
    "column 3": "..2\n...\n..2",
    "diagonal 1": "variant diagonal\n3..\n...\n..3",
    "diagonal 2": "variant diagonal\n..3\n.3.\n...",
    "row 1 in order": "variant reduced\n..2\n...\n...",
    "column 1 in order": "variant reduced\n...\n3..\n...",
}


@pytest.mark.parametrize("rule", FAILCHECK)
def test_the_checker_names_the_broken_rule(rule: str) -> None:
    puzzle = parse("latin-square", FAILCHECK[rule])
    (clash,) = puzzle.clashes()
    assert clash.rule == rule
    assert set(clash.cells) == set(puzzle.clues())


def test_the_checker_wants_every_cell_and_every_clue() -> None:
    solved: Grid = ((1, 2, 3), (2, 3, 1), (3, 1, 2))
    assert latin_square(((1, None, None), (None,) * 3, (None,) * 3), "reduced").violations(solved) == []
    assert [v.rule for v in latin_square(solved).violations((*solved[:2], (3, 1, None)))] == ["cell"]
    assert [v.rule for v in latin_square(solved).violations((*solved[:2], (3, 1, 4)))] == ["cell"]
    assert "clue r1c1=1" in [v.rule for v in latin_square(solved).violations((solved[1], solved[0], solved[2]))]


def test_facts_are_the_instance() -> None:
    assert models(parse("latin-square", "variant reduced\n..\n1.")).facts() == (
        "#const n = 2. [override]\nvariant(reduced).\nclue(2, 1, 1).\n"
    )


@pytest.mark.parametrize(("clues", "distinct"), [(0, "all_different"), (9, "all_different"), (10, "all_distinct")])
def test_few_clues_are_propagated_weakly(clues: int, distinct: str) -> None:
    flat = [*range(1, clues + 1), *[None] * (100 - clues)]
    grid: Grid = tuple(tuple(flat[start : start + 10]) for start in range(0, 100, 10))
    assert models(latin_square(grid)).clp().post == f"latin_square(Rows, {distinct})"
    assert models(latin_square(grid, "diagonal")).clp().post == f"latin_square(Rows, {distinct}), diagonal(Rows)"
