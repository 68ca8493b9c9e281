"""The benchmarks against rivals: complete tables, answers that are checked, contenders that lie or hang. No time is asserted."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from patience import PATIENCE, given_time, until

from benchmarks import cold, growth
from benchmarks.rivals import child, command, tasks
from benchmarks.rivals.contest import (
    EVERY,
    FIRST,
    UNIQUE,
    Answer,
    Contestant,
    Instance,
    Question,
    Referee,
    Score,
    contest,
    limit_for,
)
from benchmarks.rivals.table import ALL, FIND, RIVALS, Rival, rival, rivals
from bridge.puzzles.kinds import parse

pytestmark = pytest.mark.harness

SUDOKU = Instance("sudoku", parse("sudoku", "1... ..3. .... ...2".replace(" ", "")))
LATIN = Instance("latin", parse("latin-square", "12.\n2..\n..."))
FUTOSHIKI = Instance("futoshiki", parse("futoshiki", json.dumps({"grid": [[None] * 3] * 3, "less": [[1, 1, 1, 2]]})))
MAGIC = Instance("magic", parse("magic-square", "2 . .\n. 5 .\n. . 8"))
TAKUZU = Instance("takuzu", parse("takuzu", "0...\n..0.\n.1..\n...."))
WORDS = {"grid": ["...", ".#.", "..."], "words": ["abc", "aid", "cue", "dye", "eye"]}
CROSSWORD = Instance("crossword", parse("crossword", json.dumps(WORDS)))
SMALL = {one.puzzle.kind: one for one in (SUDOKU, LATIN, FUTOSHIKI, MAGIC, TAKUZU, CROSSWORD)}

#: How many solutions each of them has.
ALL_OF = {"sudoku": 3, "latin-square": 1, "futoshiki": 6, "magic-square": 2, "takuzu": 8, "crossword": 2}


class TestTables:
    @pytest.mark.parametrize("one", rivals(), ids=lambda one: one.name)
    def test_every_rival_has_a_contender_for_each_of_its_puzzles_whether_it_is_installed_or_not(self, one):
        assert set(one.contenders()) == set(one.kinds) <= set(ALL)
        assert FIND in one.abilities

    def test_no_two_rivals_have_the_same_name(self):
        assert len({one.name for one in rivals()}) == len(rivals())

    def test_every_rival_is_found_by_its_name(self):
        assert [rival(one.name) for one in rivals()] == list(rivals())
        with pytest.raises(KeyError):
            rival("nobody")

    def test_all_puzzles_have_tasks_and_every_task_has_instances_of_its_puzzle(self):
        assert {task.kind for task in tasks.TASKS.values()} == set(ALL)
        for task in tasks.TASKS.values():
            if task.kind != "crossword":
                found = task.instances(tasks.Selection(2))
                assert found
                assert {one.puzzle.kind for one in found} == {task.kind}
                assert len({one.name for one in found}) == len(found)

    def test_the_same_seed_makes_the_same_crossword(self):
        words = ["abc", "abd", "acd", "bcd", "abcd", "abce"]
        first, again = tasks.crossword(9, words, 1), tasks.crossword(9, words, 1)
        assert first == again
        assert {len(slot) for slot in first.puzzle.slots} <= {3, 4}
        assert tasks.crossword(9, words, 2).puzzle.grid != first.puzzle.grid

    def test_generated_instances_hold_their_solution(self):
        rows = [json.loads(line) for line in tasks.MADE.read_text().splitlines()]
        wanted = {(kind, size): number for kind, sizes, number in tasks.GENERATED for size in sizes}
        for row in rows:
            wanted[row["puzzle"], len(row["grid"])] -= 1
            puzzle = tasks._read(row["puzzle"], row["id"], row).puzzle
            assert puzzle.violations(tuple(map(tuple, row["solution"]))) == []
        assert set(wanted.values()) == {0}

    def test_a_name_may_stand_for_all_that_begin_with_it(self):
        assert [task.name for task in tasks.chosen(["magic"])] == ["magic-4-all", "magic-5", "magic-6"]
        assert tasks.chosen([]) == list(tasks.TASKS.values())
        with pytest.raises(KeyError):
            tasks.chosen(["mag"])

    def test_names_of_rivals_may_be_parts(self):
        assert [one.name for one in command.picked("choco,fresh", RIVALS)] == ["clingo, fresh Control", "pychoco"]
        with pytest.raises(KeyError):
            command.picked("nobody", RIVALS)


class TestContenders:
    @pytest.mark.parametrize("name", [one.name for one in rivals() if one.name != "lpbridge asp.Program"])
    def test_every_rival_that_is_installed_finds_all_solutions_of_small_instances(self, name):
        python = str(command.ENVIRONMENT) if command.ENVIRONMENT.exists() else sys.executable
        contestant = Contestant(rival(name), sys.executable if rival(name).ours else python)
        try:
            if not contestant.present():
                pytest.skip(f"{name}: {contestant.missing}")
            for kind in contestant.rival.kinds:
                if (name, kind) == ("puzzlekit", "takuzu"):
                    continue  # it leaves out a rule, and is right by chance only
                question = FIRST if contestant.rival.abilities == (FIND,) else replace(EVERY, expected=ALL_OF[kind])
                (score,) = contest([contestant], question, [SMALL[kind]], rounds=1, seconds=PATIENCE)
                assert (len(score.times), score.failures, score.disqualified) == (1, [], None), kind
        finally:
            contestant.close()

    def test_a_program_reads_all_squares(self):
        for kind, order, number in (("latin-square", 3, 12), ("magic-square", 3, 8)):
            puzzle = parse(kind, f"order {order}")
            grids = rival("lpbridge asp.Program").contenders()[kind](puzzle, None)
            assert child.wrong(puzzle, grids) is None
            assert len(grids) == number


class TestReferee:
    """The verdicts on answers, given as counts and digests only."""

    def judged(self, question, *answers):
        referee = Referee(question, [SUDOKU])
        for name, count, digest in answers:
            referee.hear(name, SUDOKU, question.limit, Answer(0.1, count, digest), lambda: None)
        return set(referee.wrong())

    def test_nobody_is_wrong_where_all_agree(self):
        assert self.judged(UNIQUE, ("a", 1, "x"), ("b", 1, "x")) == set()

    def test_who_finds_fewer_was_wrong_even_against_a_majority(self):
        assert self.judged(EVERY, ("a", 3, "x"), ("b", 3, "x"), ("c", 4, "y")) == {"a", "b"}

    def test_two_who_each_know_only_one_solution_but_not_the_same_are_both_wrong(self):
        assert self.judged(UNIQUE, ("a", 1, "x"), ("b", 1, "y")) == {"a", "b"}

    def test_first_solutions_may_differ(self):
        assert self.judged(FIRST, ("a", 1, "x"), ("b", 1, "y")) == set()

    def test_to_say_that_there_is_none_is_wrong_where_somebody_has_one(self):
        assert self.judged(FIRST, ("a", 0, ""), ("b", 1, "y")) == {"a"}

    def test_what_is_known_beforehand_counts_too(self):
        assert self.judged(replace(EVERY, expected=5), ("a", 4, "x")) == {"a"}
        assert self.judged(UNIQUE, ("a", 2, "x")) == set()  # it does not say that there are no more

    def test_who_changes_its_answer_was_wrong(self):
        assert self.judged(EVERY, ("a", 2, "x"), ("a", 3, "x")) == {"a"}

    def test_what_breaks_a_rule_is_wrong(self):
        referee = Referee(FIRST, [SUDOKU])
        referee.hear("a", SUDOKU, 1, Answer(0.1, 1, "x"), lambda: "row 1 is broken")
        assert referee.wrong() == {"a": "sudoku: row 1 is broken"}

    def test_grids_are_checked_by_the_rules_and_for_repetition(self):
        grid = (1, 2, 3), (2, 3, 1), (3, 1, 2)
        assert child.wrong(LATIN.puzzle, [grid]) is None
        assert "different ones" in child.wrong(LATIN.puzzle, [grid, grid])
        assert "row 1" in child.wrong(LATIN.puzzle, [((1, 1, 1), *grid[1:])])


#: Contenders that a test needs, in a module that a child process can import.
FAKES = """
import time
from benchmarks.rivals import table
from bridge.puzzles.engines import engine

def honest(puzzle, limit):
    return list(engine("bt").solutions(puzzle))[:limit]

def liar(puzzle, limit):
    return [tuple(tuple(1 for _ in row) for row in puzzle.grid)]

def denier(puzzle, limit):
    return []

def sleeper(puzzle, limit):
    time.sleep(60)

def breaker(puzzle, limit):
    import os
    os._exit(3)

def parent(puzzle, limit):
    import subprocess, sys
    from pathlib import Path
    started = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    (Path(__file__).parent / "started").write_text(str(started.pid))
    started.wait()

def failing(puzzle, limit):
    raise ValueError("no model")

for name in ("honest", "liar", "denier", "sleeper", "breaker", "parent", "failing"):
    globals()[name.upper()] = {"latin-square": globals()[name]}
"""


@pytest.fixture
def fakes(tmp_path, monkeypatch):
    """A contestant by the name of a function in `FAKES`."""
    (tmp_path / "fakes.py").write_text(FAKES)
    start = "from benchmarks.rivals import child, table; import fakes, sys; "
    start += (
        "child.serve(table.Rival(sys.argv[1], 'clingo', 'clingo', 'fakes', ('latin-square',)), sys.stdin, sys.stdout)"
    )
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), str(tasks.ROOT)]))
    made = []

    def make(name: str) -> Contestant:
        contestant = Contestant(Rival(name, "clingo", "clingo", f"fakes:{name.upper()}", ("latin-square",)))
        patch = "table.Rival.contenders = lambda self: getattr(fakes, self.name.upper()); "
        contestant._command = [sys.executable, "-c", start.replace("child.serve", patch + "child.serve", 1), name]
        made.append(contestant)
        return contestant

    yield make
    for contestant in made:
        contestant.close()


class TestContest:
    def test_liars_are_disqualified_and_what_hangs_or_crashes_is_told_of(self, fakes):
        contestants = [fakes(name) for name in ("honest", "liar", "denier", "sleeper", "breaker", "failing")]
        assert all(contestant.present() for contestant in contestants)
        scores = {}
        for contestant in contestants:
            seconds = 1 if contestant.rival.name == "sleeper" else PATIENCE
            (scores[contestant.rival.name],) = contest([contestant], UNIQUE, [LATIN], rounds=1, seconds=seconds)
        assert scores["honest"].disqualified is None
        assert len(scores["honest"].times) == 1
        assert "row 1" in scores["liar"].disqualified
        assert scores["denier"].disqualified == "latin: 0 solutions, but there are 1"
        assert scores["sleeper"].failures == ["out of time"]
        assert scores["breaker"].failures == ["the process died (3)"]
        assert scores["failing"].failures == ["ValueError: no model"]
        shown = command.table(tasks.TASKS["latin-10"], 1, list(scores.values()))
        assert "was wrong: latin: 0 solutions" in shown
        assert shown.index("honest") < shown.index("sleeper") < shown.index("liar")

    def test_after_a_few_failures_a_contender_is_not_asked_any_more(self, fakes):
        many = [Instance(f"latin {number}", LATIN.puzzle) for number in range(5)]
        (score,) = contest([fakes("failing")], UNIQUE, many, rounds=2, seconds=PATIENCE)
        assert (len(score.times), len(score.failures), score.skipped, score.asked) == (0, 6, 4, 10)
        assert score.median is None

    def test_what_a_late_contender_started_ends_with_it(self, fakes, tmp_path):
        contestant = fakes("parent")

        def late(seconds: float) -> bool:
            assert contestant.solve(LATIN, 1, seconds).failure == "out of time"
            return (tmp_path / "started").exists()

        given_time(late, bool)
        child_of_it = int((tmp_path / "started").read_text())

        def ended() -> bool:
            try:
                os.kill(child_of_it, 0)
            except ProcessLookupError:
                return True
            try:  # a zombie has ended, and its parent has not waited for it
                return ") Z " in Path(f"/proc/{child_of_it}/stat").read_text()
            except OSError:
                return False

        until(ended)

    def test_who_is_missing_is_named_and_is_no_error(self, fakes):
        contestant = fakes("honest")
        contestant._command[2] = contestant._command[2].replace("'clingo', 'clingo'", "'no-such-package', 'nothing'")
        assert not contestant.present()
        assert contestant.missing == "not installed"


class TestScores:
    def test_failures_are_longer_than_all_answers(self):
        score = Score("a", False, "find", 1, times=[3.0, 1.0, 2.0], failures=["out of time"])
        assert (score.quantile(0), score.median, score.quantile(1)) == (1.0, 2.5, None)
        assert Score("a", False, "find", 1, times=[1.0], failures=["out of time"]).median is None
        assert Score("a", False, "find", 1).median is None

    def test_who_cannot_prove_is_asked_for_less_and_who_cannot_enumerate_not_at_all(self):
        finder = rival("puzzlekit")
        assert [limit_for(finder, question) for question in (UNIQUE, FIRST, EVERY)] == [1, 1, 0]
        assert [limit_for(rival("CP-SAT"), question) for question in (UNIQUE, FIRST, EVERY)] == [2, 1, None]

    def test_the_summary_sets_the_best_of_ours_beside_the_best_rival_that_was_asked_the_same(self):
        scores = [
            Score("ours", True, "", 2, times=[0.001]),
            Score("slow", False, "", 2, times=[0.004]),
            Score("asked for less", False, "", 1, times=[0.0001]),
            Score("wrong", False, "", 2, times=[0.0001], disqualified="x"),
        ]
        assert "| ours | 1 | slow | 4 | 4.00 |" in command.summary([(tasks.TASKS["sudoku"], scores)])


class TestGrowthAndCold:
    @pytest.mark.parametrize("name", [name for name in growth.FAMILIES if name not in ("crossword", "words")])
    def test_instances_of_the_least_size_have_a_solution(self, name):
        family = growth.FAMILIES[name]
        instance = family.make(family.sizes[0], 1, [])
        answer, grids = child.solved(rival("lpbridge asp").contenders()[instance.puzzle.kind], instance.puzzle, 1)
        assert len(grids) == 1, answer

    @pytest.mark.parametrize(("height", "width"), [(1, 7), (2, 2), (2, 3), (3, 3), (3, 5)])
    def test_solved_squares_keep_the_rules(self, height, width):
        from bridge.puzzles.kinds.seeded_random import SeededRandom

        size = height * width
        kind, data = ("latin-square", {}) if height == 1 else ("sudoku", {"box": [height, width]})
        puzzle = parse(kind, json.dumps({"grid": [[None] * size] * size, **data}))
        assert puzzle.violations(tuple(map(tuple, growth.solved(height, width, SeededRandom(5))))) == []

    def test_a_contestant_grows_until_its_time_is_over(self, fakes):
        family = replace(growth.FAMILIES["latin"], sizes=(2, 3), question=Question("first", 1))
        found, wrong = growth.grown(family, [fakes("honest"), fakes("failing")], [], 10, 1)
        assert [size for size, _ in found["honest"]] == [2, 3]
        assert found["failing"] == []
        assert wrong == ["- failing, order 2: ValueError: no model"]
        assert "| 3 |" in growth.table(family, found)

    def test_cold_commands_run_and_a_failing_one_is_an_error(self):
        times = cold.timed({cold.BASE: [sys.executable, "-c", "pass"]}, rounds=1)
        assert [len(spent) for spent in times.values()] == [1]
        assert "1.00" in cold.table(times)
        with pytest.raises(RuntimeError, match="fails"):
            cold.timed({"fails": [sys.executable, "-c", "raise SystemExit(2)"]}, rounds=1)
