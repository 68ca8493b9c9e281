"""Variant Sudokus and Kakuros: known answers, rules one by one, pictures, texts, links."""

from __future__ import annotations

from typing import Any

import by_hand
import pytest
from shared_data import ROOT, kept_rows

from bridge import check, count, diagnose, explain
from bridge.errors import InputError, Place, ProgramError, UnsupportedError
from bridge.puzzles import formats, generate
from bridge.puzzles.kinds import parse
from bridge.puzzles.kinds.kind import kind_of
from bridge.puzzles.kinds.kind_source import take_apart
from bridge.puzzles.kinds.kind_text import print_text, read_text
from bridge.puzzles.render import instance

ROWS = [("variant-sudoku", row) for row in kept_rows("variant_sudoku")] + [("kakuro", row) for row in kept_rows("kakuro")]
IDS = [row["id"] for _, row in ROWS]
OPEN = ". . . .\n" * 4 + "\n"

S = ((1, 2, 3, 4), (3, 4, 1, 2), (2, 1, 4, 3), (4, 3, 2, 1))
OF_COLUMNS = ((3, 2, 3, 4), (1, 4, 1, 2), (2, 1, 4, 3), (4, 3, 2, 1))
OF_ROWS = ((2, 1, 3, 4), (3, 4, 1, 2), (2, 1, 4, 3), (4, 3, 2, 1))
SHIFTED = ((1, 2, 3, 4), (2, 3, 4, 1), (3, 4, 1, 2), (4, 1, 2, 3))
SAME_PLACE = ((1, 2, 3, 4), (3, 4, 2, 1), (4, 3, 1, 2), (2, 1, 4, 3))

#: For each rule, by the beginning of its name: what an instance has, and a grid that breaks this rule alone.
FAILCHECK: list[tuple[str, str, Any]] = [
    ("row", "", OF_COLUMNS),
    ("column", "", OF_ROWS),
    ("region", "", SHIFTED),
    ("region", "regions:\na a a b\na c b b\nd c c b\nd d d c", S),
    ("clue", "clue: r1c1=2", S),
    ("diagonal 1", "rules: diagonal-", S),
    ("diagonal 2", "rules: diagonal+", S),
    ("anti-knight", "rules: anti-knight", S),
    ("anti-king", "rules: anti-king", S),
    ("disjoint group", "rules: disjoint-groups", SAME_PLACE),
    ("cage", "cage: 4 r1c1 r1c2", S),
    ("cage", "cage: 2 r2c3 r3c2", S),
    ("cage", "cages:\n. . . .\n. . a .\n. a . .\n. . . .", S),
    ("thermometer", "thermo: r1c1 r1c2 r2c1 r3c1", S),
    ("arrow", "arrow: r1c4 r1c1 r1c2", S),
    ("renban", "renban: r1c1 r1c3", S),
    ("renban", "renban: r1c2 r2c3 r3c2", S),
    ("difference", "white: r1c1 r2c1", S),
    ("difference", "difference: 2 r1c1 r1c2", S),
    ("consecutive", "rules: consecutive", S),
    ("ratio", "black: r1c3 r1c4", S),
    ("ratio", "ratio: 4 r1c3 r2c3", S),
    ("double", "rules: double", S),
    ("total", "x: r1c1 r1c2", S),
    ("total", "v: r1c1 r1c2", S),
    ("total", "total: 4 r1c1 r1c2", S),
    ("xv", "rules: xv", S),
    ("even", "even: r1c1 r1c2", S),
    ("odd", "odd: r1c1 r1c2", S),
    ("little killer", "little-killer: 9 r1c1 se", S),
    ("sandwich", "sandwich: row 1 4", S),
    ("sandwich", "sandwich: column 4 3", S),
]

#: What the grid S keeps.
KEPT = [
    "rules: no-regions", "cage: 3 r1c1 r1c2", "thermo: r1c1 r1c2 r1c3", "arrow: r1c4 r1c1 r1c3",
    "arrow: r1c2 r2c3 r3c2", "renban: r1c3 r1c4 r1c2", "white: r1c1 r1c2  r1c2 r1c3", "black: r1c1 r1c2  r2c2 r1c2",
    "difference: 2 r1c1 r2c1", "ratio: 3 r1c1 r2c1", "v: r1c2 r1c3", "total: 4 r1c1 r2c1", "even: r1c2", "odd: r1c1",
    "little-killer: 10 r1c1 se", "little-killer: 5 r1c2 sw", "little-killer: 10 r4c1 ne", "sandwich: row 1 5",
    "sandwich: column 2 0", "rules: disjoint-groups",
]  # fmt: skip


def grid(row: dict[str, Any]) -> tuple[tuple[int | None, ...], ...]:
    return tuple(map(tuple, row["solution"]))


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "row"), ROWS, ids=IDS)
def test_known_answers(kind: str, row: dict[str, Any]) -> None:
    puzzle = parse(kind, row["text"])
    told = check(puzzle)
    assert (str(told.verdict), told.solutions[0]) == (row["verdict"], grid(row))
    assert puzzle.violations(grid(row)) == []


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "row"), ROWS, ids=IDS)
def test_a_second_program_agrees(kind: str, row: dict[str, Any]) -> None:
    puzzle = parse(kind, row["text"])
    found = by_hand.solutions(*(by_hand.of_kakuro if kind == "kakuro" else by_hand.of_variant)(puzzle))
    assert found == [{cell: row["solution"][cell[0] - 1][cell[1] - 1] for cell in puzzle.cells()}]


@pytest.mark.parametrize(("kind", "row"), ROWS, ids=IDS)
def test_texts_and_files(kind: str, row: dict[str, Any]) -> None:
    puzzle = parse(kind, row["text"])
    assert puzzle.draw() == row["text"]
    for name in ("json", "lp"):
        assert formats.decode(formats.encode(puzzle, name).data, name, puzzle=kind).puzzles == (puzzle,)


@pytest.mark.parametrize("row", [row for kind, row in ROWS if kind == "kakuro"], ids=lambda row: row["id"])
def test_kakuros_go_through_links(row: dict[str, Any]) -> None:
    puzzle = parse("kakuro", row["text"])
    assert formats.decode(formats.encode(puzzle, "puzzlink").data).puzzles == (puzzle,)


@pytest.mark.slow
@pytest.mark.parametrize("row", [row for kind, row in ROWS if kind != "kakuro"], ids=lambda row: row["id"])
def test_variants_go_through_links(row: dict[str, Any]) -> None:
    """A link keeps what an instance says, and so its solution; the names of cages and regions may be others."""
    puzzle = parse("variant-sudoku", row["text"])
    if "total" in row["text"]:
        with pytest.raises(UnsupportedError, match="of two cells"):
            formats.encode(puzzle, "fpuzzles")
        return
    (again,) = formats.decode(formats.encode(puzzle, "fpuzzles").data, puzzle="variant-sudoku").puzzles
    assert again.clues() == puzzle.clues()
    assert len(again.to_json().get("facts", ())) == len(puzzle.to_json().get("facts", ()))
    assert again.violations(grid(row)) == []


@pytest.mark.slow
@pytest.mark.parametrize(("rule", "text", "wrong"), FAILCHECK, ids=[f"{rule} {n}" for n, (rule, _, _) in enumerate(FAILCHECK)])
def test_a_grid_that_breaks_one_rule_is_refused_by_its_name(rule: str, text: str, wrong: Any) -> None:
    broken = parse("variant-sudoku", OPEN + text).violations(wrong)
    assert broken
    assert all(one.rule.startswith(rule) for one in broken), broken


@pytest.mark.slow
@pytest.mark.parametrize("text", KEPT)
def test_a_grid_that_keeps_a_rule_is_accepted(text: str) -> None:
    assert parse("variant-sudoku", OPEN + text).violations(S) == []


def test_every_rule_has_a_board() -> None:
    parts = (ROOT / "encodings" / "latin_parts").glob("*.lp")
    names = [line[3:].split("{")[0].split(":")[0].split()[0] for path in parts for line in path.read_text().splitlines()
             if line.startswith("%! ") and not line.startswith("%! always")]  # fmt: skip
    assert {name for name in names if not any(rule.startswith(name) for rule, _, _ in FAILCHECK)} == set()


def test_all_rules_together() -> None:
    """Every part at once, on one board: what S keeps, with as many rules as it keeps."""
    puzzle = parse("variant-sudoku", OPEN + "\n".join(KEPT[1:]))
    assert puzzle.violations(S) == []
    told = check(puzzle)
    assert (str(told.verdict), told.solutions[0]) == ("unique", S)
    assert by_hand.solutions(*by_hand.of_variant(puzzle)) == [
        {(r, c): S[r - 1][c - 1] for r in range(1, 5) for c in range(1, 5)}
    ]


@pytest.mark.parametrize("options", [{"anti-knight": "yes"}, {"kropki": "yes"}, {"diagonal": "yes"}, {"xv": "yes"}])
def test_counts_agree_with_the_second_program(options: dict[str, str]) -> None:
    puzzle = parse("variant-sudoku", OPEN, **options)
    assert count(puzzle).number == len(by_hand.solutions(*by_hand.of_variant(puzzle), most=1000))


#: pzprjs, test/script/kakuro.js (MIT): the numbers of three boards, and the runs that are wrong in them.
KAKURO_FAILS = [
    ([". . . . .", "2 . . . .", "2 . . . .", ". . . . .", ". . . . ."], "down from r3c2"),
    ([". . 3 . .", "3 4 1 5 .", "1 2 . . .", ". . . . .", ". . . . ."], "across from r3c2"),
]


@pytest.mark.parametrize(("numbers", "rule"), KAKURO_FAILS)
def test_kakuro_boards_of_pzprjs(numbers: list[str], rule: str) -> None:
    puzzle = parse("kakuro", next(row for _, row in ROWS if row["id"] == "pzprjs")["text"])
    clues = {(r, c): int(v) for r, row in enumerate(numbers, 2) for c, v in enumerate(row.split(), 2) if v != "."}
    assert rule in [one.rule for one in puzzle.with_clues(clues).clashes()]


def test_diagnoses_name_the_runs() -> None:
    puzzle = parse("kakuro", "# 3\\ 4\\\n\\4 . .\n\\4 . .\n")
    told = diagnose(puzzle)
    assert str(told.verdict) == "impossible"
    assert told.clashes
    core = {str(premise) for clash in told.clashes for premise in clash.premises}
    assert core
    assert core <= {"across from r2c2", "across from r3c2", "down from r2c2", "down from r2c3"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "text"),
    [("variant-sudoku", OPEN + text) for text in (
        "cage: 4 r1c1 r1c2", "thermo: r1c2 r1c1", "arrow: r1c4 r1c1 r1c2", "renban: r1c1 r1c3", "white: r1c1 r2c1",
        "black: r1c3 r1c4", "x: r1c1 r1c2", "even: r1c1", "odd: r1c2", "little-killer: 9 r1c1 se", "sandwich: row 1 4")]
    + [("kakuro", "# 3\\\n\\4 .\n# .\n".replace("\\4", "#")), ("kakuro", "# # #\n\\4 . .\n")],
)  # fmt: skip
def test_what_an_instance_says_can_be_taken_away(kind: str, text: str) -> None:
    """Repairs of an instance take the facts of a rule away, and leave the board as it is."""
    puzzle = parse(kind, text)
    names = [rule.name for rule in puzzle.rules() if rule.given]
    assert len(names) == 1
    without = puzzle.without(names)
    assert without.cells() == puzzle.cells()
    assert not [rule for rule in without.rules() if rule.given]


@pytest.mark.slow
def test_explanations() -> None:
    row = next(row for _, row in ROWS if row["id"] == "made-5x5")
    steps = list(explain(parse("kakuro", row["text"])))
    assert {str(rule).split()[0] for step in steps for rule in step.rules} == {"across", "down"}
    steps = list(explain(parse("variant-sudoku", ROWS[0][1]["text"])))
    assert {"difference", "ratio"} & {str(rule).split()[0] for step in steps for rule in step.rules}


def test_generated() -> None:
    (made,) = generate("variant-sudoku", 4, seed=1, options={"diagonal": "yes"})
    assert str(check(made.puzzle).verdict) == "unique"
    assert made.puzzle.to_json()["facts"] == ["rule(diagonal)"]


@pytest.mark.parametrize(
    ("text", "shapes"),
    [
        ("thermo: r1c1 r1c2", ["thermometer"]), ("arrow: r1c1 r1c2", ["arrow"]), ("white: r1c1 r1c2", ["white dot"]),
        ("black: r1c1 r1c2", ["black dot"]), ("ratio: 3 r1c1 r1c2", ["black dot 3"]), ("x: r1c1 r1c2", ["dot X"]),
        ("cage: 3 r1c1 r1c2", ["cage 3"]), ("even: r1c1", ["shaded"]), ("odd: r1c1", ["grey circle"]),
        ("little-killer: 10 r1c1 se", ["10↘"]), ("sandwich: row 1 5", ["left of row 1: 5"]),
        ("renban: r1c1 r1c2", ["line: r1c1"]), ("rules: anti-king", ["touch at a corner"]),
        ("rules: kropki", ["without a dot"]),
    ],
)  # fmt: skip
def test_pictures_say_what_a_board_has(text: str, shapes: list[str]) -> None:
    picture = instance(parse("variant-sudoku", OPEN + text))
    assert all(shape in picture.text() for shape in shapes), picture.text()
    assert len(picture.svg()) > len(instance(parse("variant-sudoku", OPEN)).svg())


def test_the_picture_of_a_kakuro() -> None:
    puzzle = parse("kakuro", "# 11\\ 16\\\n\\16 . .\n\\11 . .\n")
    drawn = instance(puzzle).svg()
    assert drawn.count(">11<") == 2
    assert drawn.count(">16<") == 2
    assert "r1c2: 11 below" in instance(puzzle).text()


@pytest.mark.parametrize(
    ("kind", "text", "message", "where"),
    [
        ("variant-sudoku", OPEN + "thermo: r1c1 r9c1", "is about no cell: there are 4 rows of 4", ":6:14"),
        ("variant-sudoku", OPEN + "white: r1c1 r3c1", "between two cells side by side", ":6:8"),
        ("variant-sudoku", OPEN + "ratio: 0 r1c1 r1c2", "a ratio is at least 1", ":6:8"),
        ("variant-sudoku", OPEN + "arrow: r1c1", "a circle only", ":6:8"),
        ("variant-sudoku", OPEN + "little-killer: 9 r2c2 se", "begins at the edge", ":6:16"),
        ("variant-sudoku", OPEN + "little-killer: 9 r1c1 up", "ne, se, sw or nw, not up", ":6:16"),
        ("variant-sudoku", OPEN + "sandwich: line 1 3", "of a row or a column, not a line", ":6:11"),
        ("variant-sudoku", OPEN + "sandwich: row 5 3", "there is no row 5", ":6:11"),
        ("kakuro", "# 3\\\n\\4 .\n\\4 #\n", "no cell is on its right", ":3:1"),
        ("kakuro", "facts: across(1,1,3), black(2,2)\n. .\n. #\n", "its cell is not black", ":1:1"),
        ("kakuro", ". .\n. .\n", "no black cells", "<text>"),
        ("kakuro", "# 3\\\n\\4 x\n", "r2c2 holds x, which is not a value", ":2:4"),
    ],
)
def test_wrong_instances(kind: str, text: str, message: str, where: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        parse(kind, text)
    assert str(caught.value.where).endswith(where)


def of_tokens(tokens: str) -> Any:
    text = f'#const n = 1.\ncell(1,1,1).\n#program workbench.\ntitle("T").\nconstant("n", rows).\nvalue(1..9).\n{tokens}\n'
    return kind_of("t", "t.lp", take_apart(text, "t.lp"))


def test_tokens_with_a_form_of_their_own() -> None:
    kind = of_tokens(
        'token((number, "-", word), (low(row, column, number), name(row, column, word, "x"))).'
        'token(("<", number), low(row, column, number)). token("#", wall(row, column)).'
        'input("name", 4).'.replace("name(", "called(").replace('"name"', '"called"')
    )
    read = read_text(kind, "3-ab #\n<4 .\n", Place("f"))
    assert {(name, arguments) for name, arguments in read.facts} == {
        ("low", (1, 1, 3)), ("called", (1, 1, "ab", "x")), ("wall", (1, 2)), ("low", (2, 1, 4)),
    }  # fmt: skip
    assert print_text(kind, list(read.facts), (2, 2), {}, {}).split() == ["3-ab", "#", "<4", "."]


@pytest.mark.parametrize(
    ("tokens", "message"),
    [
        ('token((number, "-"), wall(row, column)).', "it reads number, and its facts have nothing"),
        ('token((number, word), pair(row, column, number, word)).', "between two placeholders there is a text"),
        ('token((side, "-"), pair(row, column, side)).', "side has no meaning here"),
        ('token("a b", wall(row, column)).', "without blanks"),
        ('token("a", 3).', "is not a fact"),
    ],
)
def test_wrong_tokens(tokens: str, message: str) -> None:
    with pytest.raises(ProgramError, match=message):
        of_tokens(tokens)
