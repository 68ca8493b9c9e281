"""The ladder: each level against its definition done the slow way, the counts, limits, and what has no grade."""

from itertools import combinations, pairwise
from operator import lt

import pytest
from csp_problems import HARD_SUDOKUS, brute_force, csps, latin, queens, sudoku
from hypothesis import given, settings
from patience import ends

from bridge.errors import InputError
from bridge.limits import Limits
from bridge.outcome import Interrupted, Verdict
from bridge.puzzles.search import CSP, AllDifferent, Binary, Sum, propagate
from bridge.puzzles.search.inference import MAC
from bridge.puzzles.search.ladder import LADDER, LEVELS, climb, levels_of


def without(csp, domains):
    """The same problem with smaller domains."""
    return CSP(domains, csp.constraints)


def naive_fc(csp):
    """Forward checking from the givens, again for whatever has become one; None at a contradiction."""
    while True:
        domains = propagate(csp, "fc")
        if domains is None or domains == dict(csp.domains):
            return domains
        csp = without(csp, domains)


def naive_gac(csp):
    strong = MAC(csp.strengthened(csp.network()))
    if not strong.root():
        return None
    return {
        variable: tuple(value for value in csp.domains[variable] if value in strong.network.decode(strong.domains[x]))
        for x, variable in enumerate(csp.variables)
    }


def naive_shaving(csp):
    while True:
        domains = naive_gac(csp)
        if domains is None:
            return None
        csp = without(csp, domains)
        kept = {
            variable: tuple(value for value in values if naive_gac(without(csp, {**domains, variable: (value,)})))
            for variable, values in domains.items()
        }
        if kept == domains:
            return domains
        csp = without(csp, kept)


def naive_singles(csp):
    """Arc consistency, and the only place for a value in an all-different of as many variables as values."""
    full = [
        one.scope
        for one in csp.constraints
        if isinstance(one, AllDifferent) and len(set().union(*(csp.domains[x] for x in one.scope))) == len(one.scope)
    ]
    values = {scope: set().union(*(csp.domains[x] for x in scope)) for scope in full}
    while (domains := propagate(csp)) is not None:
        places = [(v, [x for x in scope if v in domains[x]]) for scope in full for v in values[scope]]
        if not all(of for _, of in places):
            return None
        only = {of[0]: (v,) for v, of in places if len(of) == 1 and len(domains[of[0]]) > 1}
        csp = without(csp, {**domains, **only})
        if not only:
            return domains
    return None


#: Levels that are exactly this.
NAIVE = {"fc": naive_fc, "ac": propagate, "singles": naive_singles}

#: Levels that leave no more than this, because they include techniques: locked candidates, fish, chains.
AT_MOST = {**NAIVE, "gac": naive_gac, "shaving": naive_shaving}


@settings(max_examples=41)
@given(csps())
def test_every_level_is_what_it_says(csp):
    solutions = brute_force(csp)
    grade = climb(csp)
    assert grade.verdict is [Verdict.IMPOSSIBLE, Verdict.UNIQUE, Verdict.AMBIGUOUS][min(len(solutions), 2)]
    assert grade.limit is None
    closures = {level: closure(csp) for level, closure in AT_MOST.items()}
    solved = [level for level, left in closures.items() if left and all(len(values) == 1 for values in left.values())]
    refuted = [level for level, left in closures.items() if left is None]
    latest = [*solved, *refuted, "search"][0]
    assert LEVELS.index(grade.reached) <= LEVELS.index(latest)
    assert grade.reached == latest or grade.reached not in NAIVE
    if grade.verdict is Verdict.UNIQUE:
        assert grade.level == grade.reached
        assert grade.left[grade.level] == grade.domains == {x: (value,) for x, value in solutions[0].items()}
    elif grade.verdict is Verdict.IMPOSSIBLE:
        assert grade.level is None
    else:
        assert grade.level is grade.score is None
        assert len(grade.solutions) == 2
        assert all(solution in solutions for solution in grade.solutions)
    for level, left in grade.left.items():
        if level in NAIVE:
            assert left == closures[level], level
        elif level in closures and closures[level] is not None:
            assert all(set(values) <= set(closures[level][x]) for x, values in left.items()), level


@settings(max_examples=25)
@given(csps())
def test_a_higher_level_leaves_less_and_none_loses_a_solution(csp):
    solutions = brute_force(csp)
    grades = {level: climb(csp, top=level) for level in LEVELS[:-1]}
    for (low, lower), (high, higher) in pairwise(grades.items()):
        if lower.verdict is Verdict.IMPOSSIBLE:
            assert (higher.verdict, higher.reached) == (lower.verdict, lower.reached)
        elif higher.verdict is not Verdict.IMPOSSIBLE:
            assert all(set(values) <= set(lower.left[low][x]) for x, values in higher.left[high].items())
    for level, grade in grades.items():
        assert grade.limit is None
        if grade.verdict is Verdict.IMPOSSIBLE:
            assert not solutions
        else:
            assert all(solution[x] in grade.left[level][x] for solution in solutions for x in csp.variables)
            assert grade.left[level] == grade.domains


def pairs(edges, values):
    """Colouring: neighbours are different, one constraint an edge, so that no all-different sees more than two."""
    vertices = sorted(set("".join(edges)))
    return CSP(dict.fromkeys(vertices, range(values)), [AllDifferent(edge, edge) for edge in edges])


COMPLETE4 = ["".join(edge) for edge in combinations("abcd", 2)]


@pytest.mark.parametrize(
    ("csp", "level"),
    [
        (CSP({"x": [1], "y": [1]}, [AllDifferent("xy", "x ≠ y")]), "fc"),
        (CSP({"x": [], "y": [1]}), "fc"),
        (CSP({"x": [1, 2]}, [Sum([], 1, "nothing makes 1")]), "fc"),
        (CSP({}, [Sum([], 1, "nothing makes 1")]), "fc"),
        (CSP({"x": [2, 3], "y": [0, 1, 2]}, [Binary("x", "y", lt, "x < y")]), "ac"),
        (CSP(dict.fromkeys("abcd", range(3)), [AllDifferent("abcd", "all")]), "gac"),
        (pairs(["ab", "bc", "ac"], 2), "locked"),
        (pairs(COMPLETE4, 3), "search"),
    ],
)
def test_the_level_that_finds_a_contradiction(csp, level):
    grade = climb(csp)
    assert (grade.verdict, grade.reached, grade.level, grade.score) == (Verdict.IMPOSSIBLE, level, None, None)


@pytest.mark.parametrize(
    ("csp", "level"),
    [
        (CSP({}), "fc"),
        (CSP({"x": [1], "y": [1, 2], "z": [1, 2, 3]}, [AllDifferent("xyz", "all")]), "fc"),
        (CSP(dict.fromkeys("xyz", range(3)), [Binary("x", "y", lt, "x < y"), Binary("y", "z", lt, "y < z")]), "ac"),
        (CSP({"x": range(3), "y": range(3)}, [Sum("xy", 4, "sum")]), "ac"),
        (CSP({"a": [1, 2], "b": [1, 2], "c": [1, 2, 3], "d": [1, 3]}, [
            AllDifferent("abc", "three"), Binary("d", "a", lt, "d < a"),
        ]), "ac"),
        (CSP({"a": [1, 2], "b": [1, 2], "c": [1, 2, 3], "d": [1, 3]}, [
            AllDifferent("abc", "three"), AllDifferent("cd", "c ≠ d"), AllDifferent("ad", "a ≠ d"),
        ]), "singles"),
        (latin(3, {"0": 1}), None),
    ],
)  # fmt: skip
def test_small_problems(csp, level):
    grade = climb(csp)
    assert grade.level == level
    assert (grade.verdict is Verdict.UNIQUE) == (len(brute_force(csp)) == 1)


def test_a_sudoku_climbs_and_is_counted():
    text, answer = next(iter(HARD_SUDOKUS.items()))
    csp = sudoku(text)
    grade = climb(csp)
    assert (grade.verdict, grade.level, grade.guesses, grade.depth) == (Verdict.UNIQUE, "shaving", 0, 0)
    assert "".join(str(values[0]) for values in grade.domains.values()) == answer
    candidates = sum(map(len, csp.domains.values()))
    assert sum(tally.removed for tally in grade.tallies.values()) == candidates - 81
    assert sum(tally.placed for tally in grade.tallies.values()) == text.count(".")
    assert tuple(grade.tallies) == LEVELS[:-1]
    assert grade.score == sum(level.weight * grade.tallies[level.name].steps for level in LADDER[:-1])
    sizes = {level: sum(map(len, grade.left[level].values())) for level in LEVELS}
    assert list(sizes.values()) == sorted(sizes.values(), reverse=True)
    assert sizes["ac"] > sizes["singles"] > sizes["gac"] > sizes["shaving"] == 81


def test_search_counts_its_guesses_and_their_depth():
    csp = pairs(COMPLETE4, 3)
    grade = climb(csp)
    # Three colours for a, two for b under each; c and d follow. Each fails: 3 guesses, and 6 below them.
    assert (grade.guesses, grade.depth) == (9, 2)
    assert grade.tallies["search"].steps == 9


def test_two_solutions_and_no_grade():
    grade = climb(queens(6))
    assert (grade.verdict, grade.level, grade.score, grade.limit) == (Verdict.AMBIGUOUS, None, None, None)
    one, other = grade.solutions
    assert one != other
    assert not queens(6).violated(one)
    assert not queens(6).violated(other)


def test_what_reads_the_same_is_one_solution():
    csp = CSP({"x": [1, 2], "y": [1, 2]}, [AllDifferent("xy", "x ≠ y")])
    grade = climb(csp, read=lambda assignment: sum(assignment.values()))
    assert (grade.verdict, grade.level, len(grade.solutions)) == (Verdict.UNIQUE, "search", 1)


@pytest.mark.slow
def test_what_was_found_survives_a_limit_wherever_it_comes():
    """The same climb, ended after each look at the clock in turn."""

    class Enough(Exception):
        pass

    text, answer = next(iter(HARD_SUDOKUS.items()))
    csp = sudoku(text)

    def ended_after(looks):
        seen = 0

        def look():
            nonlocal seen
            seen += 1
            if seen > looks:
                raise KeyboardInterrupt

        return climb(csp, look=look)

    removed, levels = set(), set()
    total = 0

    def counted():
        nonlocal total
        total += 1

    climb(csp, look=counted)
    for looks in [*range(0, 60, 5), *range(60, total, total // 15), *range(total - 100, total, 20)]:
        try:
            ended_after(looks)
        except Interrupted as interrupted:
            grade = interrupted.partial
            assert (grade.verdict, grade.level, grade.score, grade.limit) == (Verdict.UNKNOWN, None, None, "interrupt")
            assert all(int(digit) in values for digit, values in zip(answer, grade.domains.values(), strict=True))
            candidates = sum(map(len, csp.domains.values())) - sum(map(len, grade.domains.values()))
            assert sum(tally.removed for tally in grade.tallies.values()) == candidates
            removed.add(candidates)
            levels.add(grade.reached)
    assert len(removed) > 3
    assert {"fc", "shaving"} <= levels
    with pytest.raises(Enough):
        climb(csp, look=lambda: (_ for _ in ()).throw(Enough))


def test_limits():
    csp = pairs(COMPLETE4, 3)
    grade = climb(csp, limits=Limits(nodes=4))
    assert (grade.verdict, grade.limit, grade.guesses, grade.reached) == (Verdict.UNKNOWN, "nodes", 4, "search")
    assert all(len(values) == 3 for values in grade.domains.values()), "guesses are taken back"
    grade = climb(latin(5), limits=Limits(seconds=1e-9))
    assert (grade.verdict, grade.limit, grade.left) == (Verdict.UNKNOWN, "seconds", {})
    assert grade.domains == dict(latin(5).domains)


def test_a_limit_on_seconds_ends_a_long_look_for_patterns():
    """Among the houses of an empty Latin square of order 45, finned fish take many minutes."""
    with ends():
        grade = climb(latin(45), top="chains", limits=Limits(seconds=1))
    assert (grade.verdict, grade.limit) == (Verdict.UNKNOWN, "seconds")


def test_json():
    told = climb(sudoku(next(iter(HARD_SUDOKUS)))).to_json()
    assert [row["level"] for row in told["levels"]] == list(LEVELS)
    assert (told["verdict"], told["level"], told["limit"]) == ("unique", "shaving", None)
    assert [row["open"] for row in told["levels"]][-2:] == [0, 0]
    unknown = climb(latin(3), top="ac").to_json()
    assert [row["open"] for row in unknown["levels"]] == [9, 9, *[None] * 8]


def test_the_ladder_is_one_table():
    names = "fc", "ac", "singles", "locked", "gac", "fish", "wings", "chains", "shaving", "search"
    assert tuple(level.name for level in LADDER) == LEVELS == names
    weights = [level.weight for level in LADDER]
    assert weights == sorted(set(weights))
    with pytest.raises(InputError, match=r"no level 'magic'; one of: fc, ac, singles, .* easy, medium, hard, very hard"):
        climb(latin(2), top="magic")


@pytest.mark.parametrize(
    ("word", "levels"),
    [
        *((level, (level,)) for level in LEVELS),
        ("easy", ("fc", "ac", "singles")),
        ("medium", ("locked", "gac")),
        ("hard", ("fish", "wings", "chains")),
        ("very-hard", ("shaving", "search")),
        ("Hidden singles", ("singles",)),
        ("pairs", ("gac",)),
        ("x-wing", ("fish",)),
        ("hidden single", ("singles",)),
        ("what-if", ("shaving",)),
    ],
)
def test_words_for_levels(word, levels):
    assert levels_of(word) == levels


def test_a_difficulty_is_as_its_hardest_level():
    assert climb(latin(4), top="easy").left.keys() == {"fc", "ac", "singles"}
    done = climb(latin(2, {"0": 1}))
    assert (done.level, done.difficulty) == ("fc", "easy")


def test_values_keep_the_order_in_which_they_were_given():
    csp = CSP({"x": [3, 1, 2], "y": [1]}, [AllDifferent("xy", "x ≠ y")])
    assert climb(csp, top="gac").left["fc"] == {"x": (3, 2), "y": (1,)}
