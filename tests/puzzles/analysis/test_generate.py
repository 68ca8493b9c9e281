"""New puzzles: unique, irredundant, as wished, and the same on every machine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.errors import DisagreementError, InputError, UnsupportedError
from bridge.limits import Limits
from bridge.outcome import Verdict
from bridge.puzzles.analysis.check import check
from bridge.puzzles.engines import engine
from bridge.puzzles.explain.grade import grade
from bridge.puzzles.explain.levels import REACHED, possible
from bridge.puzzles.generating import strip as strip_module
from bridge.puzzles.generating.generate import Generated, generate
from bridge.puzzles.generating.strip import Strip
from bridge.puzzles.kinds import Puzzle, parse
from bridge.puzzles.kinds.crossword.authoring import GridRequest, good, random_grid
from bridge.puzzles.kinds.registry import add_path
from bridge.puzzles.kinds.seeded_random import SeededRandom, derived_seed
from bridge.puzzles.kinds.symmetry import SYMMETRIES, orbits
from bridge.puzzles.search import luby
from bridge.puzzles.search.ladder import LEVELS

WORDS = """
    ace act add ado age ago aid ail aim air ale all and ant any ape apt arc are ark arm art ash ask asp ate awe axe bad
    bag ban bar bat bee beg bet bid bin bit bow box boy bud bug bus but buy cab can cap car cat cod cot cow cry cub cup
    cut dad day den dew did die dig dim dip dog dot dry due dug ear eat eel egg ego elf elk elm end era eve ewe eye fan
    far fat few fig fin fit fix fly fog for fox fun fur gap gas get gin got gum gun gut had ham has hat hay hen her hid
    him hip his hit hot how hub ice icy ill ink inn ire its jam jar jaw jet job joy keg key kid kin kit lad lap law lay
    led leg let lid lie lip lit log lot low mad man map mat may men met mix mob mud mug nap net new nil nod nor not now
    nun nut oak oar oat odd off oil old one opt orb ore our out owe owl own pad pan pat paw pay pea peg pen pet pie pig
    pin pit pod pot pry pub put rag ram ran rap rat raw ray red rib rid rim rip rob rod rot row rub rug run rye sad sap
    sat saw say sea see set sew she shy sin sip sir sit six ski sky sly sob son sow spy sum sun tag tan tap tar tax tea
    ten the tie tin tip toe ton too top toy try tub tug two use van vat vet vow wag war was wax way web wet who why wig
    win wit woe yes yet you zip zoo
"""

SIZES: dict[str, int | tuple[int, int]] = {
    "sudoku": 6, "latin-square": 5, "futoshiki": 4, "magic-square": 3, "takuzu": (4, 6), "crossword": 3,
}  # fmt: skip


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("lists") / "three.words"
    path.write_text("\n".join(WORDS.split()))
    return path


def new(kind: str, words: Path, number: int = 1, **requested: Any) -> list[Generated]:
    options = {"words": str(words), "black": "0"} if kind == "crossword" else {}
    return list(generate(kind, SIZES[kind], options=options, number=number, **requested))


def verdict(puzzle: Puzzle, name: str) -> Verdict:
    return engine(name).solutions(puzzle, Limits(solutions=2)).collect().verdict


@pytest.mark.parametrize("kind", SIZES)
def test_unique_irredundant_and_readable(kind: str, words: Path) -> None:
    made = new(kind, words, number=2, seed=11)
    assert len({one.puzzle.draw() for one in made}) == 2
    for one in made:
        puzzle = one.puzzle
        for name in ("asp", "mac+mrv"):
            outcome = engine(name).solutions(puzzle, Limits(solutions=2)).collect()
            assert (outcome.solutions, outcome.complete) == ((one.solution,), True)
        assert one.irredundant
        clues = puzzle.clues()
        assert one.clues == len(clues)
        for cell in clues:
            fewer = puzzle.with_clues({other: value for other, value in clues.items() if other != cell})
            assert verdict(fewer, "asp") is Verdict.AMBIGUOUS
        for rule in puzzle.rules():
            if rule.given:
                assert verdict(puzzle.without([rule.name]), "asp") is Verdict.AMBIGUOUS
        assert one.level == grade(puzzle).level
        assert one.rechecked
        assert set(one.proof.values()) == {Verdict.UNIQUE}
        options = {"words": str(words)} if kind == "crossword" else {}
        assert parse(kind, puzzle.draw(), **options) == puzzle
        assert parse(kind, json.dumps(one.to_json())) == puzzle


def test_futoshiki_keeps_inequalities_between_neighbours() -> None:
    (made,) = generate("futoshiki", 4, seed=1)
    given_rules = [rule for rule in made.puzzle.rules() if rule.given]
    assert given_rules
    for rule in given_rules:
        (r, c), (r2, c2) = rule.cells
        assert abs(r - r2) + abs(c - c2) == 1


# Reproducible.


@pytest.mark.parametrize("kind", SIZES)
def test_what_was_solved_before_changes_nothing(kind: str, words: Path) -> None:
    """The same ground program answers, with what it has learnt; and another process, cold, with other hashes."""
    cold = new(kind, words, number=3, seed=5)
    new(kind, words, number=4, seed=6)
    warm = new(kind, words, number=3, seed=5)
    drawn = [one.puzzle.draw() for one in cold]
    assert [one.puzzle.draw() for one in warm] == drawn
    assert [one.solution for one in warm] == [one.solution for one in cold]
    # Each alone, by its own seed.
    assert [new(kind, words, seed=one.seed)[0].puzzle.draw() for one in cold] == drawn


def test_another_process_makes_the_same(words: Path) -> None:
    code = """if True:
        import json, sys
        from bridge.puzzles.generating.generate import generate
        sizes, words = json.loads(sys.argv[1]), sys.argv[2]
        for kind, size in sizes.items():
            options = {"words": words, "black": "0"} if kind == "crossword" else {}
            for one in generate(kind, tuple(size) if isinstance(size, list) else size, options=options, number=2, seed=5):
                print(one.puzzle.draw())
    """
    command = [sys.executable, "-c", code, json.dumps(SIZES), str(words)]
    environment = {**os.environ, "PYTHONHASHSEED": "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"}
    there = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    assert there == "".join(one.puzzle.draw() + "\n" for kind in SIZES for one in new(kind, words, number=2, seed=5))


def test_known_puzzles() -> None:
    """These change only with the generator; then the change log must say so, because seeds give other puzzles."""
    (sudoku,) = generate("sudoku", 4, seed=5)
    assert sudoku.puzzle.draw() == "3 . | . .\n. 2 | . .\n----+-----\n. 3 | . .\n4 . | . 2"
    (takuzu,) = generate("takuzu", 4, seed=1)
    assert takuzu.puzzle.draw() == "1 . . .\n. . 0 .\n. 0 . .\n. . 0 1"
    assert SeededRandom(7).shuffled("abcde") == list("cdeab")
    assert [derived_seed(7, k) for k in range(3)] == [7, 1781599302, 2286406905]


# Requests.


@pytest.mark.parametrize("level", REACHED["sudoku"]["6x6"])
def test_grade_is_met_and_no_more_clues_can_go(level: str) -> None:
    for made in generate("sudoku", 6, grade=level, number=1, seed=2):
        assert made.level == level == grade(made.puzzle).level
        clues = made.puzzle.clues()
        for cell in clues:
            fewer = made.puzzle.with_clues({other: value for other, value in clues.items() if other != cell})
            harder = grade(fewer).level
            assert harder is None or LEVELS.index(harder) > LEVELS.index(made.level)


@pytest.mark.parametrize(("kind", "level"), [("sudoku", "fc"), ("futoshiki", "ac"), ("takuzu", "ac")])
def test_many_at_once_is_as_one_by_one(kind: str, level: str, words: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    together = new(kind, words, seed=2, grade=level)
    monkeypatch.setattr(strip_module, "TOGETHER", 1)
    assert new(kind, words, seed=2, grade=level)[0].puzzle == together[0].puzzle


@pytest.mark.parametrize("kind", ["sudoku", "futoshiki", "crossword"])
def test_search_strips_as_the_oracle_does(kind: str, words: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    by_oracle = new(kind, words, seed=4)

    def too_large(*arguments: Any) -> None:
        raise UnsupportedError("too large")

    monkeypatch.setattr(strip_module, "Oracle", too_large)
    assert new(kind, words, seed=4)[0].puzzle == by_oracle[0].puzzle


@pytest.mark.parametrize("symmetry", [name for name in SYMMETRIES if name != "none"])
def test_symmetry_holds(symmetry: str) -> None:
    for made in generate("latin-square", 5, symmetry=symmetry, number=2, seed=1):
        clues = made.puzzle.clues().keys()
        for orbit in orbits(made.puzzle.cells(), symmetry, 5, 5):
            assert set(orbit) <= clues or clues.isdisjoint(orbit)
            fewer = {cell: value for cell, value in made.puzzle.clues().items() if cell not in orbit}
            assert len(fewer) == len(clues) or verdict(made.puzzle.with_clues(fewer), "asp") is Verdict.AMBIGUOUS


def test_symmetry_holds_on_the_way_to_a_grade() -> None:
    (made,) = generate("sudoku", 9, symmetry="rotate", grade="wings", seed=1)
    clues = made.puzzle.clues().keys()
    assert all(set(orbit) <= clues or clues.isdisjoint(orbit) for orbit in orbits(made.puzzle.cells(), "rotate", 9, 9))


def test_so_many_clues() -> None:
    made = list(generate("sudoku", 4, clues=7, number=3, seed=1))
    assert [one.clues for one in made] == [7, 7, 7]
    assert [one.irredundant for one in made] == [
        all(
            verdict(one.puzzle.with_clues({c: v for c, v in one.puzzle.clues().items() if c != cell}), "asp") is not Verdict.UNIQUE
            for cell in one.puzzle.clues()
        )
        for one in made
    ]  # fmt: skip


def test_what_cannot_be_had_is_said() -> None:
    stream = generate("sudoku", 4, clues=3, attempts=5, seed=1)  # four is the least there is
    assert list(stream) == []
    assert (stream.complete, stream.limit) == (False, None)
    assert stream.remark is not None
    assert stream.remark.startswith("5 candidates were given up: ")
    assert " clues" in stream.remark

    stream = generate("sudoku", 4, grade="search", seed=1)
    assert list(stream) == []
    assert stream.remark == "no Sudoku of 4x4 with the grade search is known; there are: fc"

    stream = generate("killer", 4, grade="medium", seed=1)
    assert list(stream) == []
    assert stream.remark == "no Killer Sudoku of 4x4 with the grade medium is known; there are: fc, singles"

    stream = generate("sudoku", 4, grade="fish", attempts=2, seed=1, options={"box": "2x2"})
    assert list(stream) == []
    assert "of grade " in str(stream.remark)


@pytest.mark.parametrize(("kind", "size"), [("takuzu", 6), ("magic-square", 3)])
def test_every_level_that_is_offered_is_reached(kind: str, size: int) -> None:
    for level in REACHED[kind][f"{size}x{size}"]:
        (made,) = generate(kind, size, grade=level, seed=2)
        assert made.level == level == grade(made.puzzle).level


@pytest.mark.parametrize(("word", "levels"), [("easy", {"fc", "ac", "singles"}), ("hard", {"fish", "wings", "chains"})])
def test_a_difficulty_is_a_grade(word: str, levels: set[str]) -> None:
    (made,) = generate("futoshiki", 4, grade=word, seed=1)
    assert made.level in levels
    assert made.grade.difficulty == word


def test_levels_that_constraints_exclude_are_not_offered() -> None:
    offered = possible(parse("takuzu", "." * 8 + "\n" + ("." * 8 + "\n") * 7))
    assert not {"singles", "gac", "fish", "wings", "chains"} & set(offered)
    assert "ac" not in possible(parse("sudoku", "." * 81))
    assert set(LEVELS) - {"ac"} == set(possible(parse("sudoku", "." * 81)))


def test_a_grade_of_a_kind_that_is_a_file() -> None:
    """Its levels are those of steps: easy ones are made, and those that its rules exclude are refused at once."""
    (made,) = generate("killer", 4, grade="easy", seed=1)
    assert made.grade.difficulty == "easy"
    for kind, word in (("nonogram", "fish"), ("killer", "shaving")):
        stream = generate(kind, 4, grade=word, seed=1)
        assert list(stream) == []
        assert f"of 4x4 with the grade {word} is known" in str(stream.remark)


def test_no_two_are_the_same() -> None:
    stream = generate("takuzu", (2, 1), number=None, attempts=20, seed=1)
    drawn = [one.puzzle.draw() for one in stream]
    assert sorted(drawn) == [".\n0", ".\n1", "0\n.", "1\n."]
    assert "the same as one before" in str(stream.remark)


def test_the_time_limit_ends_it() -> None:
    stream = generate("sudoku", 9, number=None, limits=Limits(seconds=0.3), seed=1)
    found = list(stream)
    assert stream.limit == "seconds"
    assert not stream.complete
    unhurried = generate("sudoku", 9, number=max(1, len(found)), seed=1)
    assert [one.puzzle for one in unhurried][: len(found)] == [one.puzzle for one in found]


@pytest.mark.parametrize(
    ("requested", "message"),
    [
        ({"kind": "magic-square", "size": 2}, "no magic square of 2x2 has a solution"),
        ({"kind": "sudoku", "size": (6, 8)}, "there is no Sudoku of 6x8"),
        ({"kind": "sudoku", "size": 0}, "rows cannot be 0"),
        ({"kind": "sudoku", "size": 4, "clues": 17}, "17 clues are more than the 16 cells"),
        ({"kind": "sudoku", "size": 4, "grade": "brutal"}, "there is no level 'brutal'"),
        ({"kind": "sudoku", "size": 4, "seed": -1}, "seed cannot be -1"),
        ({"kind": "sudoku", "size": 4, "symmetry": "round"}, "there is no symmetry 'round'"),
        ({"kind": "takuzu", "size": (4, 6), "symmetry": "rotate4"}, "is not square"),
        ({"kind": "sudoku", "size": 4, "options": {"black": "0.2"}}, "sudoku has no option 'black'"),
        ({"kind": "crossword", "size": 4}, "needs a list of words"),
        ({"kind": "poker", "size": 4}, "there is no puzzle 'poker'"),
    ],
)
def test_what_means_nothing(requested: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        list(generate(**requested))


def test_a_file_without_a_solution_of_its_blank_is_told_of_facts(tmp_path: Path) -> None:
    file = tmp_path / "numbered.lp"
    file.write_text(
        "{ cell(1, 1, 0..1) } = 1.\n:- not number(_).\n#defined number/1. #show cell/3.\n#program workbench.\n"
        'title("Numbered"). grid(1, 1). value(0..1). rows(clue(row, column, value)). line(number, number(number)).\nblank(number(1), 0).\n',
        encoding="utf-8",
    )
    with pytest.raises(InputError, match=r"no Numbered of 1x1 has a solution") as error:
        list(generate(add_path(str(file)), 1))
    assert "blank(Fact)" in str(error.value)


@pytest.mark.parametrize(
    ("kind", "size", "names"),
    [("kenken", 4, {"cage", "result"}), ("killer", 4, {"cage", "sum"}), ("star-battle", 6, {"region"}), ("skyscrapers", 4, {"sees"})],
)  # fmt: skip
def test_the_clues_of_a_kind_are_those_that_its_file_declares(kind: str, size: int, names: set[str]) -> None:
    for made in generate(kind, size, number=3, seed=1):
        assert made.clues == 0
        assert {name for name, _ in made.puzzle.atoms} == names  # type: ignore[attr-defined]
        again = parse(kind, made.puzzle.draw())  # its cages are numbered by their lines
        assert check(again).solutions == (made.solution,)
        assert verdict(made.puzzle, "asp") is Verdict.UNIQUE


@pytest.mark.parametrize(
    ("kind", "missing"), [("kakuro", "across, black, down"), ("variant-sudoku", "arrow"), ("zebra", "at, attribute")]
)
def test_a_kind_with_facts_that_nothing_makes_is_refused(kind: str, missing: str) -> None:
    with pytest.raises(UnsupportedError, match=f"does not say how the {missing}"):
        generate(kind, 4)


def test_two_stars_in_a_region_are_not_made() -> None:
    with pytest.raises(UnsupportedError, match="makes no region of this Star Battle"):
        list(generate("star-battle", 8, seed=1, options={"stars": "2"}))


def test_engines_that_disagree_are_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Strip, "another", lambda *arguments: False)
    with pytest.raises(DisagreementError, match="solution"):
        list(generate("sudoku", 4, seed=1))


# Grids, symmetries, chance.


@settings(max_examples=20)
@given(
    height=st.integers(3, 9), width=st.integers(3, 9), black=st.floats(0, 0.3), shortest=st.integers(2, 4),
    checked=st.booleans(), symmetry=st.sampled_from([*SYMMETRIES]), seed=st.integers(0, 99),
)  # fmt: skip
def test_grids_are_good(
    height: int, width: int, black: float, shortest: int, checked: bool, symmetry: str, seed: int
) -> None:
    try:
        grid = random_grid(GridRequest(height, width, black, shortest, checked, symmetry), SeededRandom(seed))
    except InputError:
        return
    white = {(r, c) for r, row in enumerate(grid, 1) for c, value in enumerate(row, 1) if value is None}
    for orbit in orbits([(r, c) for r in range(1, height + 1) for c in range(1, width + 1)], symmetry, height, width):
        assert white.issuperset(orbit) or white.isdisjoint(orbit)
    assert abs(height * width - len(white) - black * height * width) <= 4.5
    runs = [run for line in [*grid, *zip(*grid, strict=True)] for run in "".join(v or "." for v in line).split("#")]
    assert all(len(run) >= shortest or (len(run) in (0, 1) and (not run or not checked)) for run in runs)
    reached: set[tuple[int, int]] = set()
    border = [min(white)]
    while border:
        r, c = border.pop()
        if (r, c) in white - reached:
            reached.add((r, c))
            border += [(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)]
    assert reached == white


@pytest.mark.parametrize(
    ("rows", "checked", "expected"),
    [
        (["...", "...", "..."], True, True),
        (["..#", "...", "#.."], True, True),
        (["...", ".#.", "..."], True, False),  # runs of one cell
        (["...", ".#.", "..."], False, True),
        ([".#.", "...", ".#."], False, True),
        (["..#", "..#", "##."], False, False),  # a cell in no slot
        (["..#..", "..#.."], False, False),  # in two pieces
    ],
)
def test_what_a_good_grid_is(rows: list[str], checked: bool, expected: bool) -> None:
    white = [(r, c) for r, row in enumerate(rows, 1) for c, mark in enumerate(row, 1) if mark == "."]
    assert good(white, GridRequest(len(rows), len(rows[0]), shortest=2, checked=checked)) is expected


def test_no_such_grid() -> None:
    with pytest.raises(InputError, match="at most 2 of 8 black cells could be placed"):
        random_grid(GridRequest(4, 4, 0.5, 3), SeededRandom(1))
    with pytest.raises(InputError, match="without black cells none is good"):
        random_grid(GridRequest(2, 9), SeededRandom(1))


def test_new_crosswords_have_options(words: Path) -> None:
    for options, message in [
        ({"black": "much"}, "`black` is a share"), ({"shortest": "1"}, "`shortest` is a length"),
        ({"checked": "perhaps"}, "`checked` is yes or no"), ({"reading": "words"}, "for the reading `slots` only"),
    ]:  # fmt: skip
        with pytest.raises(InputError, match=message):
            generate("crossword", 5, options={"words": str(words), **options})


@given(st.integers(0, 2**40), st.lists(st.integers()))
def test_shuffled_has_the_same_items(seed: int, items: list[int]) -> None:
    assert sorted(SeededRandom(seed).shuffled(items)) == sorted(items)


def test_shuffles_are_evenly_likely() -> None:
    chance = SeededRandom(1)
    counted = dict.fromkeys(("abc", "acb", "bac", "bca", "cab", "cba"), 0)
    for _ in range(6000):
        counted["".join(chance.shuffled("abc"))] += 1
    assert all(850 < number < 1150 for number in counted.values())  # five standard deviations


def test_luby() -> None:
    assert [luby(number) for number in range(1, 16)] == [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]


def test_a_grid_that_chance_does_not_make_is_given_up(words: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = new("crossword", words, seed=9)[0]
    monkeypatch.setattr("bridge.puzzles.kinds.crossword.authoring.random_grid", _only_with(random_grid, times=2))
    options = {"words": str(words), "black": "0"}
    stream = generate("crossword", 3, options=options, number=2, seed=9, attempts=3)
    assert [one.puzzle for one in stream] == [first.puzzle]
    assert stream.remark == "3 candidates were given up: 3 without a blank instance: no more grids"


def _only_with(make: Any, times: int) -> Any:
    left = iter(range(times))

    def limited(*arguments: Any) -> Any:
        if next(left, None) is None:
            raise InputError("no more grids")
        return make(*arguments)

    return limited
