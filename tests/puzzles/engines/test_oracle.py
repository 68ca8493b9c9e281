"""The oracle: rules by name mean what their judges say, alone and together; cores are cores."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from instances import takuzu

from bridge.errors import LimitError, UnsupportedError
from bridge.limits import Deadline, Limits
from bridge.outcome import Statistics
from bridge.problem.questions import Questions, some
from bridge.puzzles.kinds import Puzzle, parse
from bridge.puzzles.kinds.crossword import Crossword
from bridge.puzzles.kinds.ground import ground_programs
from bridge.puzzles.kinds.models import models
from bridge.puzzles.oracle import Assignment, Fact, Oracle, RuleOrFact

WORDS = ("ab", "ba", "aa", "bab", "abb")
GRID = ((None, None, None), (None, "#", None), (None, None, None))

#: Every puzzle, each variant, small.
PUZZLES: dict[str, Puzzle] = {
    "sudoku": parse("sudoku", "12.............."),
    "sudoku 6x6": parse("sudoku", "." * 36),
    "latin": parse("latin-square", "order 3"),
    "latin, diagonal": parse("latin-square", "order 4", variant="diagonal"),
    "latin, reduced": parse("latin-square", "order 3", variant="reduced"),
    "futoshiki": parse("futoshiki", '{"grid": [[null,null,null],[null,null,null],[null,2,null]], "less": [[1,1,1,2],[3,3,2,3],[3,1,1,1]]}'),
    "futoshiki, neighbours": parse("futoshiki", '{"grid": [[null,null,null],[null,null,null],[null,2,null]], "less": [[1,1,1,2],[3,3,2,3]]}'),
    "magic": parse("magic-square", "order 3"),
    "magic, semi": parse("magic-square", "order 3", variant="semi"),
    "magic, reduced": parse("magic-square", "order 3", symmetry="reduced"),
    "takuzu": parse("takuzu", "....\n..1.\n....\n...."),
    "takuzu, odd": takuzu(((None,) * 5,) * 3),
    "takuzu, repeated": takuzu(((None,) * 4,) * 4, "repeat"),
    "crossword": Crossword(GRID, WORDS),
    "crossword, repeated": Crossword(GRID, WORDS, repeat=True),
    "crossword, words": Crossword(GRID, ("bab", "abb"), "words"),
    "crossword, anywhere": Crossword(GRID, ("ab", "abb"), "anywhere"),
}  # fmt: skip


def judged(puzzle: Puzzle, values: Assignment, names: Sequence[str]) -> list[str]:
    """The rules, of some, that hold."""
    return [r.name for r in puzzle.rules() if r.name in names and r.check([values[c] for c in r.cells]) is None]


def of(puzzle: Puzzle, values: Assignment) -> list[RuleOrFact]:
    return [Fact(cell, value) for cell, value in values.items()]


def grids(puzzle: Puzzle, oracle: Oracle, chance: random.Random, number: int) -> list[Assignment]:
    """Random grids, and solutions with a few cells changed: of the first, nearly all break nearly all rules."""
    cells, values = puzzle.cells(), puzzle.values()
    found: list[Assignment] = [{cell: chance.choice(values) for cell in cells} for _ in range(number)]
    for solution in some(oracle, list(oracle.rules), number):
        changed = chance.sample(cells, chance.randrange(4))
        found.append({**solution, **{cell: chance.choice(values) for cell in changed}})
    return found


@pytest.mark.parametrize("name", PUZZLES)
def test_the_encoding_names_the_rules_of_the_checker_and_no_others(name: str) -> None:
    form = models(PUZZLES[name]).switchable()
    names = set(ground_programs.take(form, Statistics()).switches)
    names -= {f"clue {Fact(cell, value)}" for cell, value in PUZZLES[name].clues().items()}
    rules = {rule.name for rule in PUZZLES[name].rules()}
    assert rules <= names
    # One program serves all instances of a shape: it knows the inequalities of others, too.
    assert names == rules or (models(PUZZLES[name]).asp().on and all(" < " in other or " > " in other for other in names - rules))


@pytest.mark.parametrize("name", PUZZLES)
def test_each_rule_alone_means_what_its_judge_says(name: str) -> None:
    puzzle, oracle = PUZZLES[name], Oracle(PUZZLES[name])
    seen = set()
    for values in grids(puzzle, oracle, random.Random(name), 12):
        for rule in oracle.rules:
            holds = bool(judged(puzzle, values, [rule]))
            assert oracle.holds([rule, *of(puzzle, values)]) == holds, (rule, values)
            seen.add(holds)
    assert seen == {True, False}


@pytest.mark.parametrize("name", PUZZLES)
def test_of_several_rules_a_solution_keeps_all_and_a_core_has_none(name: str) -> None:
    puzzle, oracle, chance = PUZZLES[name], Oracle(PUZZLES[name]), random.Random(name)
    satisfiable = set()
    for _ in range(30):
        rules: list[RuleOrFact] = [*chance.sample(list(oracle.rules), chance.randint(1, len(oracle.rules)))]
        cells = chance.sample(puzzle.cells(), chance.randrange(min(len(puzzle.cells()), 16)))
        facts = [Fact(cell, chance.choice(puzzle.values()), chance.random() < 0.8) for cell in cells]
        reply = oracle.ask([*rules, *facts])
        satisfiable.add(reply.satisfiable)
        if reply.satisfiable:
            names = [rule for rule in rules if isinstance(rule, str)]
            assert set(judged(puzzle, reply.answer, names)) == set(names)
            assert all((reply.answer[fact.cell] == fact.value) == fact.holds for fact in facts)
        else:
            assert set(reply.core) <= {*rules, *facts}
            assert not oracle.holds(reply.core)
    assert satisfiable == {True, False} or name == "crossword, repeated"


@settings(max_examples=25)
@given(st.dictionaries(st.tuples(st.integers(1, 4), st.integers(1, 4)), st.integers(1, 4), max_size=6))
def test_possible_values_are_those_of_all_solutions(clues: dict[tuple[int, int], int]) -> None:
    puzzle = PUZZLES["sudoku"]
    oracle = Oracle(puzzle)
    premises: list[RuleOrFact] = [*oracle.rules, *(Fact(cell, value) for cell, value in clues.items())]
    solutions = list(oracle.solutions(premises))
    assert len({tuple(sorted(one.items())) for one in solutions}) == len(solutions)
    expected: dict[tuple[int, int], set[int | str]] = {}
    for solution in solutions:
        for cell, value in solution.items():
            expected.setdefault(cell, set()).add(value)
    assert oracle.possible(premises) == expected


def test_clues_are_looked_at_only_where_they_are_named() -> None:
    oracle = Oracle(PUZZLES["sudoku"])
    assert oracle.clues == (Fact((1, 1), 1), Fact((1, 2), 2))
    assert oracle.holds([*oracle.rules, Fact((1, 1), 2)])
    assert not oracle.holds([*oracle.rules, *oracle.clues, Fact((1, 1), 2)])


@pytest.mark.parametrize("reading", ["words", "anywhere"])
def test_a_letter_that_is_given_stays_without_a_word(reading: str) -> None:
    puzzle = Crossword((("a", None, "b"), (None, "#", None), (None, None, None)), ("bab",), reading)
    oracle = Oracle(puzzle)
    assert oracle.clues == (Fact((1, 1), "a"), Fact((1, 3), "b"))
    # The a is not part of a word. Where no letter is given, it would have to be.
    assert oracle.holds([*oracle.rules, *oracle.clues])
    assert not oracle.holds([*oracle.rules, Fact((1, 2), "a"), Fact((1, 1), "."), Fact((1, 3), ".")])


def test_a_value_that_no_cell_has() -> None:
    oracle = Oracle(PUZZLES["sudoku"])
    reply = oracle.ask(["row 1", Fact((1, 1), 9)])
    assert (reply.satisfiable, reply.core) == (False, (Fact((1, 1), 9),))
    assert oracle.possible([Fact((1, 1), 9)]) == {}
    assert list(oracle.solutions([Fact((1, 1), 9)])) == []
    assert oracle.holds(["row 1", Fact((1, 1), 9, False)])


def test_a_rule_that_there_is_not() -> None:
    with pytest.raises(UnsupportedError, match="sudoku has no rule 'row 5'"):
        Oracle(PUZZLES["sudoku"]).ask(["row 5"])


def test_questions_are_counted() -> None:
    oracle = Oracle(PUZZLES["sudoku"])
    oracle.ask(["row 1"])
    oracle.possible(["row 1"])
    some(oracle, ["row 1"], 3)
    assert oracle.calls == 3


def test_limits() -> None:
    puzzle = parse("magic-square", "order 5")
    oracle = Oracle(puzzle)
    assert oracle.ask([*oracle.rules], Limits(seconds=0.01)).limit == "seconds"
    assert len(some(oracle, ["sum of row 1"], 3)) == 3
    late = Oracle(puzzle, Deadline(0.0))
    assert late.ask([*late.rules]).limit == "seconds"
    assert late.possible([*late.rules]) is None
    with pytest.raises(LimitError):
        late.holds([*late.rules])
    with pytest.raises(LimitError):
        list(late.solutions([*late.rules]))


def test_the_oracle_of_a_puzzle_satisfies_the_protocol() -> None:
    """For mypy, and at run time: what the protocol names is there."""
    questions: Questions[RuleOrFact] = Oracle(parse("sudoku", "11.............."))
    assert questions.calls >= 0
    assert questions.within(Limits(solutions=3)).solutions == 3
    assert all(hasattr(questions, name) for name in ("ask", "solutions", "ordered", "near"))
