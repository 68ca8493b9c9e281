"""Futoshiki without any solver: the drawing, JSON, rules, cycles and chains."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.errors import InputError, Place
from bridge.puzzles.kinds import parse
from bridge.puzzles.kinds.futoshiki import Futoshiki
from bridge.puzzles.kinds.models import models
from bridge.puzzles.kinds.rules import Cell


@st.composite
def futoshikis(draw: st.DrawFn) -> Futoshiki:
    order = draw(st.sampled_from([1, 2, 3, 5, 9, 10, 11]))
    cell = st.tuples(st.integers(1, order), st.integers(1, order))
    neighbour = st.builds(
        lambda c, d: (c, (c[0] + d, c[1]) if c[1] % 2 else (c[0], c[1] + d)), cell, st.sampled_from([-1, 1])
    )
    pairs = draw(st.lists(st.one_of(st.tuples(cell, cell), neighbour), max_size=3 * order))
    less = {(a, b) for a, b in pairs if a != b and all(1 <= n <= order for n in b)}
    row = st.tuples(*[st.one_of(st.none(), st.integers(1, order))] * order)
    return Futoshiki(draw(st.tuples(*[row] * order)), tuple(sorted(less)))


@given(futoshikis())
def test_what_is_drawn_can_be_read(puzzle: Futoshiki) -> None:
    assert parse("futoshiki", puzzle.draw()) == puzzle


@given(futoshikis())
def test_json_carries_everything(puzzle: Futoshiki) -> None:
    assert Futoshiki.from_json(puzzle.to_json(), Place()) == puzzle


def empty(order: int, *less: tuple[Cell, Cell], **given: int) -> Futoshiki:
    clues = {(int(name[1]), int(name[3])): value for name, value in given.items()}
    index = range(1, order + 1)
    return Futoshiki(tuple(tuple(clues.get((r, c)) for c in index) for r in index), tuple(sorted(less)))


THREE = empty(3, ((1, 2), (1, 1)), ((1, 3), (2, 3)), ((3, 2), (2, 2)), ((2, 1), (2, 2)), r1c3=2, r3c1=3)
FORMS = {
    "drawn": ". > .   2\n        ^\n. < .   .\n    v\n3   .   .",
    "narrow": ".>. 2\n    ^\n.<. .\n  v\n3 . .",
    "narrowest, signs under": ".>.2\n   ^\n.<..\n  v\n3 ..",
    "tabs, as report 1": ". >\t.\t2\n\t\t^\n. <\t.\t.\n\tv\t\n3\t.\t.",
    "tabs, sign before the cell": ".\t> .\t2\n\t\t^\n.\t< .\t.\n\tv\t\n3\t.\t.",
    "tabs, empty rows of signs": ". >\t.\t2\n\t\t^\n.\t< .\t.\n\tv\t\n3\t.\t.\n\t\t",
    "named": "order 3\n..2\n...\n3..\nr1c1 > r1c2\nr1c3<r2c3\nr2c2  >  r3c2\nr2c1 < r2c2",
    "twice the same": ". > .   2\n        ^\n. < .   .\n    v\n3   .   .\nr1c2 < r1c1",
    "comment, windows line ends": "# three\r\n. > .   2\r\n        ^\r\n. < .   .\r\n    v\r\n3   .   .\r\n",
    "JSON": '{"puzzle": "futoshiki", "grid": [[null, null, 2], [0, 0, 0], [3, null, null]],'
    ' "less": [[1, 2, 1, 1], [1, 3, 2, 3], [3, 2, 2, 2], [2, 1, 2, 2], [2, 1, 2, 2]]}',
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_every_text_form_is_the_same_puzzle(form: str) -> None:
    assert parse("futoshiki", FORMS[form]) == THREE


def test_it_is_drawn_as_the_report_draws_it() -> None:
    assert THREE.draw() == FORMS["drawn"]
    assert THREE.draw(((3, 1, 2), (1, 2, 3), (2, 3, 1))) == "3 > 1   2\n        ^\n1 < 2   3\n    v\n2   3   1"


def test_a_sign_in_the_first_column_needs_no_tab() -> None:
    assert parse("futoshiki", ".\t. >\t.\n^\n.\t.\t.\n.\t.\t.") == empty(3, ((1, 1), (2, 1)), ((1, 3), (1, 2)))


def test_signs_stand_under_wide_cells() -> None:
    rows = ["10 <  .  " + " .  " * 8, "      v"] + [" .  " * 10] * 9
    puzzle = parse("futoshiki", "\n".join(rows))
    assert isinstance(puzzle, Futoshiki)
    assert puzzle.less == (((1, 1), (1, 2)), ((2, 2), (1, 2)))
    assert puzzle.clues() == {(1, 1): 10}


def test_what_has_no_place_in_the_drawing_is_a_line() -> None:
    puzzle = empty(2, ((1, 1), (2, 2)), ((2, 2), (1, 1)), ((1, 1), (1, 2)), ((1, 2), (1, 1)), ((2, 1), (1, 2)))
    assert puzzle.draw() == ". < .\n.   .\nr1c1 < r2c2\nr1c1 > r1c2\nr1c2 > r2c1\nr1c1 > r2c2"
    assert parse("futoshiki", puzzle.draw()) == puzzle


ROW = ".   .   .\n"
WRONG = {
    "empty": ("", "empty"),
    "only inequalities": ("r1c1 < r1c2", "no square"),
    "ragged": (". < .\n. . .\n. . .", ":1: row 1 has 2 cells, the others have 3"),
    "a row too few": (ROW + ROW, "2 rows of 3 cells"),
    "order that does not fit": ("order 4\n" + ROW * 3, "3 rows, but the order is 4"),
    "out of range": (ROW + ". < 4   .\n" + ROW, r":2:5: r2c2 \(row 2, column 2\) holds 4"),
    "strange character": (ROW + ". < ?   .\n" + ROW, r":2:5: r2c2: '\?' is neither"),
    "a sign at the end": (". < . <  . >\n" + ROW * 2, ":1:12: row 1: the sign `>` does not stand between two cells"),
    "a sign at the beginning": ("< .   .   .\n" + ROW * 2, ":1:1: row 1: the sign `<` does not stand"),
    "two signs": (". < > .   .\n" + ROW * 2, ":1:5: row 1: the sign `>` is the second"),
    "two signs by tab": (". >\t< .\t.\n" + ROW * 2, ":1:5: row 1: the sign `<` is the second"),
    "a row of < alone": (ROW + " < \n" + ROW * 2, ":2: a row of signs without cells"),
    "a sign under no cell": (ROW + "  ^\n" + ROW * 2, ":2:3: the sign `\\^` under row 1 stands under no cell"),
    "a sign right of all": (ROW + "            ^\n" + ROW * 2, ":2:13: .*under no cell"),
    "a tab too many": (".\t.\n\t\t^\n.\t.", ":2:3: .*under no cell"),
    "blanks under tabs": (".\t.\n  v\n.\t.", ":2:3: .*under no cell"),
    "tabs under blanks": (ROW + "\tv\n" + ROW * 2, ":2:2: .*under no cell"),
    "a tab behind a sign, under blanks": (ROW + "v\t^\n" + ROW * 2, ":2:1: .*under several cells"),
    "rows that do not agree": (ROW + "    ^\n    .   .   .\n" + ROW, ":2:5: .* stands between r1c2 and r2c1"),
    "two under one cell": (".\t.\n^ v\t^\n.\t.", ":2:3: a second sign under r1c1"),
    "signs above": ("^\n" + ROW * 3, ":1:1: a row of signs above the first row"),
    "signs below": (ROW * 3 + "    v\n", ":4:5: a row of signs under the last row"),
    "two rows of signs": (ROW + "^\n    v\n" + ROW * 2, ":3:5: a row of signs after another"),
    "no such cell": (ROW * 3 + "r1c1 < r4c1", ":4:1: an inequality names r4c1, which is not a cell.*1 to 3"),
    "cell 0": (ROW * 3 + "r0c1 < r1c1", "names r0c1"),
    "itself": (ROW * 3 + "r2c2 < r2c2", ":4:1: r2c2 cannot be less than itself"),
    "a stray number": (ROW * 3 + "r1c1 < 36", ":4:8: 'r1c1 < 36' is not an inequality.*write it as"),
    "a chain": (ROW * 3 + "r1c1 < r1c2 < r1c3", ":4:1: 'r1c1 < r1c2 < r1c3' is not an inequality"),
    "a sign missing": (ROW * 3 + "r1c1 r1c2", "is not an inequality"),
    "half": (ROW * 3 + "r1c1 <", "is not an inequality"),
    "JSON without a grid": ('{"less": []}', "`grid`"),
    "JSON less": ('{"grid": [[1]], "less": {}}', "`less` is to be a list"),
    "JSON stray blank": ('{"grid": [[1]], "less": [[" 36", 1, 1, 1]]}', r"`less` holds \[' 36', 1, 1, 1\], which is no"),
    "JSON too short": ('{"grid": [[1]], "less": [[1, 1]]}', "which is not an inequality"),
    "JSON true": ('{"grid": [[1]], "less": [[true, 1, 1, 1]]}', "which is not an inequality"),
    "JSON no such cell": ('{"grid": [[1]], "less": [[1, 1, 1, 2]]}', "names r1c2, which is not a cell"),
    "JSON itself": ('{"grid": [[1]], "less": [[1, 1, 1, 1]]}', "r1c1 cannot be less than itself"),
}

@pytest.mark.parametrize("name", WRONG)
def test_wrong_input_is_refused(name: str) -> None:
    text, message = WRONG[name]
    with pytest.raises(InputError, match=message) as raised:
        parse("futoshiki", text, file="p.txt")
    assert str(raised.value).startswith("p.txt")


#: Each rule, and a puzzle whose clues break just this one.
FAILCHECK = {
    "row 2": empty(3, r2c1=1, r2c3=1),
    "column 3": empty(3, r1c3=2, r3c3=2),
    "r1c1 < r1c2": empty(3, ((1, 1), (1, 2)), r1c1=2, r1c2=1),
    "r1c2 > r2c2": empty(3, ((2, 2), (1, 2)), r1c2=1, r2c2=2),
    "r1c1 < r2c2": empty(3, ((1, 1), (2, 2)), r1c1=2, r2c2=2),
    "r1c1 < r1c3": empty(3, ((1, 1), (1, 3)), r1c1=3),
    "r2c1 > r3c1": empty(3, ((3, 1), (2, 1)), r2c1=1),
    "r1c3 < r2c3": empty(3, ((1, 3), (2, 3)), r2c3=1),
}


@pytest.mark.parametrize("rule", FAILCHECK)
def test_the_checker_names_the_broken_rule(rule: str) -> None:
    puzzle = FAILCHECK[rule]
    (clash,) = puzzle.clashes()
    assert clash.rule == rule
    assert set(clash.cells) == set(puzzle.clues())


def test_the_checker_on_whole_squares() -> None:
    solved = ((1, 2, 3), (2, 3, 1), (3, 1, 2))
    assert empty(3, ((1, 1), (3, 3)), ((3, 2), (2, 2)), r1c1=1).violations(solved) == []
    assert [v.rule for v in empty(3, ((3, 3), (1, 1))).violations(solved)] == ["r1c1 > r3c3"]
    assert [v.rule for v in empty(3, ((1, 3), (2, 2))).violations(solved)] == ["r1c3 < r2c2"]


def test_a_cycle_is_named() -> None:
    cycle = [(2, 2), (1, 1), (1, 2)]
    (clash,) = empty(4, *pairwise([*cycle, cycle[0]])).clashes()
    assert clash.rule == "r1c1 < r1c2 < r2c2 < r1c1"
    assert clash.message == "the inequalities go round in a cycle: r1c1 < r1c2 < r2c2 < r1c1"
    assert clash.cells == ((1, 1), (1, 2), (2, 2))
    (clash,) = empty(4, ((1, 1), (1, 2)), ((1, 2), (1, 1)), ((3, 3), (3, 4))).clashes()
    assert clash.rule == "r1c1 < r1c2 < r1c1"


def test_a_chain_that_is_too_long_is_named() -> None:
    chain = [(1, 1), (1, 2), (2, 2), (2, 1)]
    assert empty(4, *pairwise(chain)).clashes() == []
    (clash,) = empty(3, *pairwise(chain)).clashes()
    assert clash.rule == "r1c1 < r1c2 < r2c2 < r2c1"
    assert clash.message.startswith("a chain of 4 cells, but only 3 values")


def test_facts_are_the_instance() -> None:
    assert models(empty(2, ((1, 1), (2, 2)), r2c2=2)).facts() == (
        "#const n = 2. [override]\nless(1, 1, 2, 2).\nclue(2, 2, 2).\n"
    )
