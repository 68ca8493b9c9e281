"""Kinds of puzzles that are files: what a workbench part says, and what it may not say."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from shared_data import ROOT

import bridge
from bridge.asp import Program
from bridge.errors import InputError, Place, ProgramError, UnsupportedError
from bridge.outcome import Verdict
from bridge.puzzles import formats, load
from bridge.puzzles.kinds import Puzzle, parse, parse_all, puzzle_class, registry
from bridge.puzzles.kinds.authoring import authoring
from bridge.puzzles.kinds.file_puzzle import FilePuzzle
from bridge.puzzles.kinds.kind import load_kind
from bridge.puzzles.kinds.kind_source import take_apart
from bridge.puzzles.kinds.models import models
from bridge.puzzles.kinds.rules import at
from bridge.puzzles.render import instance
from bridge.puzzles.search.ladder import levels_of

#: The shipped kinds that are files, each with its example.
SHIPPED = {
    path.stem: path.with_suffix(".lp") for path in (ROOT / "encodings").glob("*/*.txt") if path.parent.name == path.stem
}

#: Cells of a row, all different. The rule has no name of its own kind of cell: it is about what `cell` is.
ROW = """
#const n = 3.
{ cell(1, C, V) : V = 1..n } = 1 :- C = 1..n.
%! different: no value twice
:- cell(1, C, V), cell(1, D, V), C < D.

%! at {C}: it holds its value
:- must(C, V), not cell(1, C, V).

:- clue(R, C, V), not cell(R, C, V).
#show cell/3.
#program workbench.
title("Row").
constant("n", columns).
value(1..n).
rows(clue(row, column, value)).
line("must", must(number, number)).
given(("at ", C), must(C, V)) :- must(C, V).
wrong(must(C, V), ("there is no column ", C)) :- must(C, V), C > n.
"""


def kind(tmp_path: Path, text: str, name: str = "row") -> str:
    """The name of a kind that is written into a file."""
    path = tmp_path / f"{name}.lp"
    path.write_text(text, encoding="utf-8")
    return registry.add_path(str(path))


def example(name: str) -> FilePuzzle:
    found = load(name.replace("_", "-"), SHIPPED[name].with_suffix(".txt"))
    assert isinstance(found, FilePuzzle)
    return found


# Shipped kinds


def test_there_are_some() -> None:
    assert {"kenken", "killer", "skyscrapers", "slitherlink", "zebra"} <= SHIPPED.keys()
    assert {name.replace("_", "-") for name in SHIPPED} <= set(registry.kinds())


@pytest.mark.parametrize("name", SHIPPED)
def test_the_example_is_unique_and_every_rule_has_cells(name: str) -> None:
    puzzle = example(name)
    report = bridge.check(puzzle)
    assert report.verdict is Verdict.UNIQUE
    rules = puzzle.rules()
    assert rules
    assert len({rule.name for rule in rules}) == len(rules)
    cells = set(puzzle.cells())
    assert all(set(rule.cells) <= cells for rule in rules)
    assert any(rule.cells for rule in rules)  # one that the instance satisfies by itself has none
    assert not puzzle.violations(report.solutions[0])
    assert puzzle.clashes() == []


@pytest.mark.parametrize("name", SHIPPED)
def test_all_forms_carry_it(name: str) -> None:
    puzzle = example(name)
    assert parse(puzzle.kind, puzzle.draw()) == puzzle
    assert parse(puzzle.kind, json.dumps(puzzle.to_json())) == puzzle
    assert pickle.loads(pickle.dumps(puzzle)) == puzzle
    for form in ("lp", "json", "jsonl", "text"):
        written = formats.encode(puzzle, form)
        assert formats.decode(written.data, form, puzzle.kind).puzzles == (puzzle,)


@pytest.mark.parametrize("name", SHIPPED)
def test_its_text_has_the_lines_that_the_kind_declares(name: str) -> None:
    """Only facts that no declared line fits are written as `facts: ...`."""
    assert "facts:" not in example(name).draw()


@pytest.mark.slow
@pytest.mark.parametrize("name", SHIPPED)
def test_clingo_alone_finds_the_same(name: str) -> None:
    """The file with the instance's facts, as it stands, is an ordinary program."""
    puzzle = example(name)
    with Program(SHIPPED[name], f"{models(puzzle).facts()}\n") as program:
        found = program.models(project=True).collect()
    assert len(found.solutions) == 1
    (solution,) = bridge.check(puzzle).solutions
    assert {(r, c): value for r, c, value in found.solutions[0]["cell"]} == {c: at(solution, c) for c in puzzle.cells()}


@pytest.mark.slow
@pytest.mark.parametrize("name", SHIPPED)
def test_every_rule_is_needed_by_some_board(name: str) -> None:
    """A solution with one cell changed breaks a rule, and the rule is named."""
    puzzle = example(name)
    (solution,) = bridge.check(puzzle).solutions
    cell = next(cell for cell in puzzle.cells() if cell not in puzzle.clues())
    held = at(solution, cell)
    other = next(value for value in puzzle.values() if value != held)
    grid = tuple(tuple(other if (r, c) == cell else v for c, v in enumerate(row, 1)) for r, row in enumerate(solution, 1))
    found = puzzle.violations(grid)
    assert found
    assert {one.rule for one in found} <= {rule.name for rule in puzzle.rules()} | {"cell"}


@pytest.mark.parametrize("name", SHIPPED)
def test_a_picture_has_all_texts(name: str) -> None:
    puzzle = example(name)
    svg = instance(puzzle).svg()
    texts = {arguments[-1] for shape, arguments in puzzle.shape.details.drawn if shape in ("corner", "text", "outside", "heading")}
    for text in texts:
        shown = "".join(map(str, text)) if isinstance(text, tuple) else str(text)
        assert f">{shown}</text>" in svg
    assert instance(puzzle).text()
    assert instance(puzzle).words()


def test_known_numbers() -> None:
    blank = authoring("kenken").blanks(4, 4, {}, None)(bridge_random())
    assert bridge.count(blank).number == 576
    sudoku = authoring("killer").blanks(4, 4, {}, None)(bridge_random())
    assert bridge.count(sudoku).number == 288
    without = parse("killer", "rules: no-regions\n" + ". . . .\n" * 4)
    assert bridge.count(without).number == 576
    # Loops on 3 by 3 cells: A140517, 1, 13, 213.
    assert bridge.count(authoring("slitherlink").blanks(2, 2, {}, None)(bridge_random())).number == 13


def bridge_random() -> Any:
    from bridge.puzzles.kinds.seeded_random import SeededRandom

    return SeededRandom(0)


@pytest.mark.slow
def test_variants_combine() -> None:
    board = ". . . .\n" * 4
    lines = "rules: diagonal anti-knight\nthermo: r1c1 r1c2 r1c3\n"
    puzzle = parse("variant-sudoku", board + lines)
    names = {rule.name.split()[0] for rule in puzzle.rules()}
    assert names == {"row", "column", "region", "diagonal", "anti-knight", "thermometer"}
    assert parse("variant-sudoku", board + "thermo: r1c1 r1c2 r1c3", diagonal="yes", **{"anti-knight": "yes"}) == puzzle
    plain, both = bridge.count(parse("variant-sudoku", board)).number, bridge.count(puzzle).number
    assert plain == 288
    assert both < bridge.count(parse("variant-sudoku", board + "rules: diagonal")).number == 48
    assert parse("variant-sudoku", puzzle.draw()) == puzzle


@pytest.mark.parametrize(
    ("name", "text", "own"),
    [
        ("sudoku", "box_rows: 2\nbox_columns: 2\n1 . . .\n. . 3 .\n. 4 . .\n. . . 2", "1 . . .\n. . 3 .\n. 4 . .\n. . . 2"),
        ("latin_square", "1 . .\n. 2 .\n. . .\nvariant: diagonal", "variant diagonal\n1 . .\n. 2 .\n. . ."),
        ("latin_square", "1 . .\n. . .\n. . .", "1 . .\n. . .\n. . ."),
        ("futoshiki", ". . .\n. . 3\n. . .\nless: r1c1 r1c2\nless: r3c1 r2c1", ". < . .\n. . 3\n. . .\nr3c1 < r2c1"),
        ("magic_square", ". 3 . .\n5 . . .\n. . . .\n. 15 14 .", ". 3 . .\n5 . . .\n. . . .\n. 15 14 ."),
        ("takuzu", ". 1 . .\n. . . 0\n0 . . .\n. . 1 .", ".1..\n...0\n0...\n..1."),
    ],
)
def test_the_files_of_the_six_say_what_their_classes_say(name: str, text: str, own: str) -> None:
    path = ROOT / "encodings" / name / f"{name}.lp"
    declared = parse(registry.add_path(str(path)), text)
    written = parse(name.replace("_", "-"), own)
    assert declared.kind == f"{written.kind}.lp"
    assert declared.title == written.title
    assert declared.values() == written.values()
    assert declared.cells() == written.cells()
    assert declared.clues() == written.clues()
    assert set(bridge.solutions(declared)) == set(bridge.solutions(written))
    names = {rule.name for rule in declared.rules()}
    assert {rule.name for rule in written.rules()} == names
    assert {rule.name: set(rule.cells) for rule in declared.rules()} == {r.name: set(r.cells) for r in written.rules()}
    assert {rule.name for rule in declared.rules() if rule.given} == {r.name for r in written.rules() if r.given}
    assert parse(declared.kind, declared.draw()) == declared


# What an instance may be


def test_a_given_rule_goes_with_its_fact(tmp_path: Path) -> None:
    name = kind(tmp_path, ROW)
    puzzle = parse(name, ". . .\nmust: 1 3\nmust: 2 3")
    found = bridge.diagnose(puzzle)
    assert found.verdict is Verdict.IMPOSSIBLE
    assert found.removals is not None
    assert found.removals.sets == (("at 1",), ("at 2",))
    left = puzzle.without(["at 1"])
    assert isinstance(left, FilePuzzle)
    assert left.facts == ("must(2,3)",)
    with pytest.raises(UnsupportedError, match="every Row has the rule 'different'"):
        puzzle.without(["different"])


def test_the_sentence_and_the_steps(tmp_path: Path) -> None:
    puzzle = parse(kind(tmp_path, ROW), ". 2 .\nmust: 1 3")
    steps = list(bridge.explain(puzzle))
    assert [str(step.fact) for step in steps] == ["r1c1=3", "r1c3=1"]
    assert steps[0].rules == ("at 1",)
    assert steps[1].rules == ("different",)


def test_a_wrong_given_value_is_named(tmp_path: Path) -> None:
    puzzle = parse(kind(tmp_path, ROW), "2 2 .")
    assert [(one.rule, one.cells) for one in puzzle.clashes()] == [("different", ((1, 1), (1, 2)))]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "where", "told"),
    [
        ("1 4 .", "3", "holds 4, which is not a value; values are 1, 2, 3"),
        ("1 x .", "3", "holds x"),
        (". . .\nmust: 4 1", "2:7", "there is no column 4"),
        (". . .\nmust: 1", "2:8", "a number is wanted, and the line ends"),
        (". . .\nmust: 1 2 3", "2:11", "'3' is left over"),
        (". . .\nmay: 1 2", "2:1", "has no line `may:`"),
        (". . .\n. .\n. . .", "2", "row 2 has 2 cells, the others have 3"),
        (". . .\nclue: r2c1=1", "2:7", "r2c1 is not a cell"),
        ("1 . .\nclue: r1c1=2", "1:1", "two given values"),
        (". . .\nfacts: p(1)", "2:1", "a Row has no facts p/1"),
        (". . .\nfacts: p(", "2:1", "is not a list of facts"),
        ("", "", "the text is empty"),
    ],
)
def test_a_wrong_text_is_refused_at_its_place(tmp_path: Path, text: str, where: str, told: str) -> None:
    name = kind(tmp_path, ROW)
    with pytest.raises(InputError) as error:
        parse(name, text, file="a.txt")
    assert told in str(error.value)
    assert str(error.value.where).startswith("a.txt")
    if told != "holds 4, which is not a value; values are 1, 2, 3" and told != "holds x":
        assert str(error.value.where).removeprefix("a.txt").removeprefix(":") == where


def test_a_word_that_no_rule_reads_is_refused() -> None:
    rows = ". . . .\n" * 4
    for words, column in (("antiking", 8), ("anti-king diagonalx", 18)):
        with pytest.raises(InputError, match="is not a rule of a Variant Sudoku") as error:
            parse("variant-sudoku", f"{rows}rules: {words}", file="a.txt")
        assert str(error.value.where) == f"a.txt:5:{column}"
        assert str(error.value.hint).startswith("one of: anti-king, anti-knight, consecutive, diagonal, ")
    read = parse("variant-sudoku", f"{rows}rules: diagonal- double xv anti-king")
    assert isinstance(read, FilePuzzle)
    assert len(read.facts) == 4
    with pytest.raises(InputError, match="'anti-king' is not a rule of a Killer Sudoku"):
        parse("killer", f'{rows}facts: rule("anti-king")')


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("q :- r(a), not r(\"b c\").", {"r(a)", 'r("b c")'}),
        ("q :- r((a; b)).", {"r(a)", "r(b)"}),
        ("q :- r( a; 3 ). % or r(X)", {"r(a)", "r(3)"}),
        ("q :- r(a), r(X), s(X).", None),
        ("q :- r(_).", None),
        ("q :- r(a + 1).", None),
        ("q :- r(1..3).", None),
        ("#const a = 1.\nq :- r(a).", None),
        ("q.", None),
    ],
)
def test_the_words_that_a_file_reads(tmp_path: Path, body: str, words: set[str] | None) -> None:
    workbench = 'title("T"). grid(1, 1). value(1). input(r, 1). line("r", each(r(word))).'
    text = f"{{ cell(1, 1, 1) }}. s(a).\n{body}\n#defined r/1.\n#program workbench.\n{workbench}\n"
    file = tmp_path / "words.lp"
    file.write_text(text, encoding="utf-8")
    assert load_kind(str(file), "words").words == ({"r": frozenset(words)} if words else {})


def test_the_size_of_a_lattice_without_constants_is_kept() -> None:
    (read,) = parse_all("slitherlink", "{}")
    assert puzzle_class("slitherlink").from_json(read.to_json(), Place("again")) == read


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ({"grid": [[1, 7, None]]}, "holds 7"),
        ({"grid": [[1, True, None]]}, "which is not a value"),
        ({"grid": [[1], [2, 3]]}, "row 2 has 2 cells"),
        ({"grid": 3}, "list of rows"),
        ({"grid": [[None] * 3], "facts": ["q(1)"]}, "no facts q/1"),
        ({"grid": [[None] * 3], "facts": 3}, "a list of texts"),
        ({"grid": [[None] * 3], "constants": {"m": 3}}, "no constant m"),
        ({"grid": [[None] * 3], "rows": 3}, "no key 'rows'"),
        ({}, "nothing says how large"),
    ],
)
def test_wrong_json_is_refused(tmp_path: Path, data: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=told.replace("'", ".")):
        puzzle_class(kind(tmp_path, ROW)).from_json(data, Place())


# What a file may say


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("titel(1).", "the workbench knows no titel/1, and no rule uses it; is title meant?"),
        ("value(1, 2).", "value has 1 arguments here, not 2"),
        ("rows(clue(row, column)).", "a token is one number, word or value"),
        ("rows(clue(row, column, side)).", "side has no meaning here"),
        ("line(a, 3).", "3 is neither a fact nor"),
        ("line(a, p(key)).", "the key is fixed"),
        ("line(a, each(p(line))).", "what is repeated has no token"),
        ('constant("m", rows).', "the program has no #const m"),
        ('option(a, constant(n), "b").', "is not a name of a constant; clingo puts its value in place of a #const"),
        ('constant("n", cells).', "it is the number of `rows` or of `columns`"),
        ("interchangeable(rows).", "the only one known is `values`"),
        ('option(a, p(word, word), "b").', "an option has one value"),
        ("line(t, title(word)).", "title/1 is a word of the workbench"),
        ("p(.", "syntax error"),
    ],
)
def test_a_wrong_workbench_part_is_refused_at_its_line(tmp_path: Path, line: str, told: str) -> None:
    with pytest.raises(ProgramError) as error:
        kind(tmp_path, ROW + line + "\n")
    assert told in str(error.value)
    if "word of the workbench" not in told:
        assert str(error.value.where).startswith(f"{tmp_path / 'row.lp'}:{len(ROW.splitlines()) + 1}:")


def test_the_workbench_part_does_not_use_what_the_rules_derive(tmp_path: Path) -> None:
    rules = ROW.replace("#show", "held(C) :- must(C, _).\n#show")
    line = f"{tmp_path / 'row.lp'}:{len(rules.splitlines()) + 1}:1"
    with pytest.raises(ProgramError, match="derive held/1; this part") as error:
        kind(tmp_path, rules + "draw(shade(1, C)) :- held(C).\n")
    assert str(error.value.where) == line
    assert kind(tmp_path, rules + "draw(shade(1, C)) :- held(C).\nheld(C) :- must(C, _).\n")
    assert kind(tmp_path, rules + "draw(shade(1, C)) :- held(C).\ninput(held, 1).\n")
    assert kind(tmp_path, rules + "made(must(C, V)) :- cell(1, C, V).\n")


def test_what_only_an_instance_shows(tmp_path: Path) -> None:
    for line, told in [("value(f(1)).", "is not a value"), ("grid(0, 1).", "1 to 256")]:
        with pytest.raises(InputError, match=told):
            parse(kind(tmp_path, ROW + line + "\n"), ". . .")
    row = parse(kind(tmp_path, ROW + "draw(circel(1, 1)).\n"), ". . .")
    for drawn in (bridge.picture, lambda puzzle: puzzle.draw(puzzle.grid)):
        with pytest.raises(InputError, match="no such shape"):
            drawn(row)


def test_given_values_are_no_facts_of_the_program(tmp_path: Path) -> None:
    assert kind(tmp_path, ROW + "#program base.\ncell(R, C, V) :- clue(R, C, V).\n")
    for line in (
        "held(V) :- clue(_, _, V).",
        "open(C) :- C = 1..n, not clue(1, C, _).",
        ":- clue(R, C, V), cell(R, C + 1, V).",
        ":- clue(R, C, V), not cell(R, C + 1, V).",
        ":- clue(R, C, V), not cell(R, C, V), not rule(1).",
    ):
        with pytest.raises(ProgramError, match="given values are not facts of the program"):
            kind(tmp_path, ROW + f"#program base.\n{line}\n")
    alone = ROW.replace(":- clue(R, C, V), not cell(R, C, V).", "must(C, V) :- clue(1, C, V).")
    with pytest.raises(ProgramError, match="given values are not facts of the program"):
        kind(tmp_path, alone)


def test_no_title_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ProgramError, match="the kind has 0 titles"):
        kind(tmp_path, ROW.replace('title("Row").', ""))


def test_places_in_included_files(tmp_path: Path) -> None:
    (tmp_path / "part.lp").write_text("p(1).\n#program workbench.\ntitel(1).\n", encoding="utf-8")
    with pytest.raises(ProgramError) as error:
        kind(tmp_path, f'#include "part.lp".\n{ROW}')
    assert str(error.value.where) == f"{tmp_path / 'part.lp'}:3:1"
    several = '#const a = 1. #const b = "x. % #const c = 3.". q(a). % #const d = 4.'
    taken = take_apart(f"{several}\n#program workbench.\n{several.replace('#const b', '#const e')}", "main.lp")
    assert taken.constants == ["a", "b", "e"]
    assert taken.base.text.splitlines() == [several, '#const a = 1. #const e = "x. % #const c = 3.".']
    assert taken.workbench.text.splitlines()[0] == '#const a = 1. #const b = "x. % #const c = 3.".'
    taken = take_apart('#include "part.lp".\nq.\n', str(tmp_path / "main.lp"))
    assert taken.base.text == "p(1).\nq.\n"
    with pytest.raises(InputError, match="gone"):
        take_apart('#include "gone.lp".\n', str(tmp_path / "main.lp"))


def test_rules_without_a_name_count_where_parts_are_counted_apart(tmp_path: Path) -> None:
    """Two cells that only an unnamed rule links are not independent parts."""
    text = ROW.replace("%! different: no value twice\n", "")
    assert bridge.count(parse(kind(tmp_path, text, "nameless"), ". . .")).number == 6


def test_a_kind_with_another_predicate_and_words(tmp_path: Path) -> None:
    text = """
    { hue(1, C, (red; green)) } = 1 :- C = 1..2.
    %! differ: both have another colour
    :- hue(1, 1, V), hue(1, 2, V).
    #program workbench.
    title("Hues"). answer(hue). clue(known). grid(1, 2).
    value(red; green). glyph(red, "R"). glyph(green, "G").
    rows(known(row, column, value)).
    draw(paint(red, black)).
    name(1, C, ("the ", C, ". field")) :- C = 1..2.
    """
    puzzle = parse(kind(tmp_path, text.replace("\n    ", "\n"), "hues"), "R .")
    assert puzzle.clues() == {(1, 1): "red"}
    report = bridge.check(puzzle)
    assert report.solutions == ((("red", "green"),),)
    assert puzzle.draw(report.solutions[0]) == "R G"
    assert [str(step.fact) for step in bridge.explain(puzzle)] == ["the 2. field=green"]
    assert parse(puzzle.kind, puzzle.draw()) == puzzle
    assert bridge.residual(puzzle).possible == {(1, 1): ("red",), (1, 2): ("green",)}
    assert json.loads(json.dumps(report.to_json()))["solutions"] == [[["red", "green"]]]


# Where it comes from


def test_folders_and_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(registry.VARIABLE, "")
    (tmp_path / "my_row.lp").write_text(ROW, encoding="utf-8")
    (tmp_path / "plain.lp").write_text("p(1).\n", encoding="utf-8")
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "deep.lp").write_text(ROW, encoding="utf-8")
    assert not registry.is_kind("my-row")
    registry.add_folder(str(tmp_path))
    assert {"my-row", "deep"} <= set(registry.kinds())
    assert "plain" not in registry.kinds()
    assert bridge.check(parse("deep", "1 2 .")).verdict is Verdict.UNIQUE
    with pytest.raises(InputError, match="no such folder"):
        registry.add_folder(str(tmp_path / "gone"))


def test_an_installed_package_brings_kinds_along(tmp_path: Path) -> None:
    package = tmp_path / "my_puzzles"
    package.mkdir()
    (package / "__init__.py").write_text("", encoding="utf-8")
    (package / "packed_row.lp").write_text(ROW, encoding="utf-8")
    about = tmp_path / "my_puzzles-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: my-puzzles\nVersion: 1.0\n", encoding="utf-8")
    (about / "entry_points.txt").write_text("[lpbridge.puzzles]\nmine = my_puzzles\n", encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(tmp_path)])}
    command = [sys.executable, "-m", "bridge", "puzzle", "check", "packed-row", "-", "--json"]
    run = subprocess.run(command, input="1 . 3\n", capture_output=True, text=True, env=environment, timeout=300)
    assert json.loads(run.stdout)["solutions"] == [[[1, 2, 3]]], run.stderr


def test_a_path_does_not_take_the_place_of_the_six(tmp_path: Path) -> None:
    assert kind(tmp_path, ROW, "sudoku") == "sudoku.lp"
    assert type(parse("sudoku", "1" + "." * 15)).__name__ == "Sudoku"


def test_it_goes_by_value(tmp_path: Path) -> None:
    """A worker needs neither the file nor a file that it includes."""
    (tmp_path / "rule.lp").write_text(ROW.partition("#program")[0], encoding="utf-8")
    name = kind(tmp_path, '#include "rule.lp".\n#program ' + ROW.partition("#program ")[2], "sent")
    board = tmp_path / "board.txt"
    board.write_text("1 . 3\n", encoding="utf-8")
    puzzle = parse(name, "1 . 3")
    for file in tmp_path.glob("*.lp"):
        file.unlink()
    found = list(bridge.puzzles.batch(name, "check", [str(board), puzzle], jobs=1))
    assert [one.get("verdict") for one in found] == ["unique", "unique"], found


def test_engines_without_a_program_say_so() -> None:
    puzzle = example("kenken")
    with pytest.raises(UnsupportedError, match="KenKen has no"):
        bridge.check(puzzle, engine="clpfd")
    found = bridge.compare("asp", "clpfd", "mac+mrv", instances=[puzzle])
    assert [row.engine for row in found.rows] == ["asp", "clpfd", "mac+mrv"]
    assert found.agree


def test_new_ones_are_made() -> None:
    (made,) = bridge.puzzles.generate("skyscrapers", 3, seed=1)
    again = next(iter(bridge.puzzles.generate("skyscrapers", 3, seed=1)))
    assert made.puzzle == again.puzzle
    assert bridge.check(made.puzzle).verdict is Verdict.UNIQUE
    assert made.irredundant
    assert made.level is not None


@pytest.mark.slow
def test_a_program_that_does_not_end_is_stopped(tmp_path: Path) -> None:
    """It runs in a process of its own: a limit ends its grounding."""
    endless = ROW.replace("#show", "p(0). p(X + 1) :- p(X), X < 1000000000.\n#show", 1)
    puzzle: Puzzle = parse(kind(tmp_path, endless, "endless"), ". . .")
    report = bridge.check(puzzle, limits=bridge.Limits(seconds=0.4))
    assert (report.verdict, report.outcome.limit) == (Verdict.UNKNOWN, "seconds")
    assert bridge.count(puzzle, limits=bridge.Limits(seconds=0.4)).complete is False
    assert bridge.diagnose(puzzle, limits=bridge.Limits(seconds=0.4)).limit == "seconds"


@pytest.mark.slow
def test_a_grade_may_be_requested() -> None:
    """It comes from the steps of the explanation, which are not proof beside those of clingo and of search."""
    (made,) = bridge.puzzles.generate("kenken", 3, grade="easy", seed=1)
    assert made.level in levels_of("easy")
    assert bridge.puzzles.grade(made.puzzle).level == made.level
    assert made.proof == {"asp": Verdict.UNIQUE, "mac+mrv+degree": Verdict.UNIQUE, "ladder": Verdict.UNKNOWN}
    assert made.rechecked
    with pytest.raises(InputError, match="gras"):
        bridge.puzzles.generate("kenken", 3, grade="gras")


def test_cubes_of_a_kind_without_a_csp_share_its_solutions() -> None:
    puzzle = parse("akari", ". . .\n. # .\n. . .\n")
    whole = set(bridge.solutions(puzzle))
    parts = [list(bridge.solutions(cube)) for cube in bridge.puzzles.cubes(puzzle, 4)]
    assert len(parts) >= 4
    assert all(parts), "each cube has a solution"
    assert sorted(grid for part in parts for grid in part) == sorted(whole)


def test_the_grade_of_an_ambiguous_instance_names_no_limit() -> None:
    grade = bridge.puzzles.grade(parse("akari", ". .\n. .\n"))
    assert (grade.verdict, grade.limit) == (Verdict.AMBIGUOUS, None)


def test_a_wrong_given_value_does_not_hide_the_rules_that_are_broken() -> None:
    data = {"puzzle": "skyscrapers", "grid": [[1, None, None], [None] * 3, [None] * 3]}
    puzzle = puzzle_class("skyscrapers").from_json(data, Place("test"))
    broken = [one.rule for one in puzzle.violations(((2, 2, 3), (3, 1, 2), (1, 3, 1)))]
    assert broken == ["clue r1c1=1", "row 1", "row 3"]


def test_of_two_buildings_of_one_height_the_second_is_not_seen() -> None:
    """Which can be only where the rule of the column is off: each rule says by itself what its sentence says."""
    fact = {"sees(top,1,2)": 2, "sees(top,1,1)": 1}
    for text, number in fact.items():
        data = {"puzzle": "skyscrapers", "grid": [[None] * 3] * 3, "facts": [text]}
        puzzle = puzzle_class("skyscrapers").from_json(data, Place("test"))
        broken = {one.rule for one in puzzle.violations(((3, 1, 2), (3, 2, 1), (3, 3, 3)))}
        assert (f"{number} from the top of 1" in broken) == (number == 2)


def test_a_cage_without_a_result_is_no_rule() -> None:
    data = {"puzzle": "kenken", "grid": [[None] * 2] * 2, "facts": ["cage(1,1,a)", "cage(1,2,a)"]}
    puzzle = puzzle_class("kenken").from_json(data, Place("test"))
    assert [rule.name for rule in puzzle.rules()] == ["row 1", "row 2", "column 1", "column 2"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "facts", "told"),
    [
        ("hitori", "number(1,1,1). number(2,1,3).", "nothing says how large the instance is"),
        ("hitori", "#const rows = 2. #const columns = 2. number(1,1,1). number(1,1,2).", "r1c1 has two numbers"),
        ("kakuro", "#const rows = 2. #const columns = 3. black(1,1..3). black(2,1). across(2,1,5). across(2,1,7).",
         "its cell has two sums for that run"),
        ("nonogram", "across(1,2,3). across(2,1,1). down(1..3,1,1).", "block 2 of row 1 comes after no block 1"),
        ("nonogram", "across(1,1,3). across(1,1,2). down(1..3,1,1).", "block 1 of row 1 has two lengths"),
        ("slitherlink", "#const rows = 5000. #const columns = 3.", "rows = 5,000: 256 rows are possible"),
    ],
)  # fmt: skip
def test_wrong_facts_are_refused(tmp_path: Path, kind: str, facts: str, told: str) -> None:
    file = tmp_path / "facts.lp"
    file.write_text(facts, encoding="utf-8")
    command = [sys.executable, "-m", "bridge", "puzzle", "check", kind, str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert told in done.stderr


@pytest.mark.slow
def test_a_workbench_part_that_does_not_end_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bridge.puzzles.kinds.kind.SECONDS", 0.3)
    with pytest.raises(ProgramError, match="the limit on seconds came before its workbench part was ground"):
        kind(tmp_path, ROW + "p(0). p(X + 1) :- p(X). draw(text(1, 1, X)) :- p(X).\n")


def test_a_line_of_another_kind_is_answered_with_those_of_this_kind() -> None:
    text = "\n".join([". . . ."] * 4) + "\nwhite: r1c1 r1c2\n"
    with pytest.raises(InputError, match=r"a Killer Sudoku has no lines `white: \.\.\.` .*cage: \.\.\."):
        bridge.puzzles.parse("killer", text)


def test_a_number_alone_in_its_run_differs_from_no_other(tmp_path: Path) -> None:
    text = "#const rows = 3. #const columns = 4. black(1,1..4). black(2,1). black(2,3). black(2,4). black(3,1). down(2,4,6)."
    (tmp_path / "one.lp").write_text(text)
    rules = [rule.name for rule in load("kakuro", tmp_path / "one.lp").rules()]
    assert rules == ["across from r3c2", "down from r2c2", "down from r3c4"]
