"""What is checked of every puzzle: solutions, counts, residuals, diagnoses, explanations, grades and new puzzles.

A case is the JSON form of an instance, the names of the checks, and a seed for what a check chooses itself.
"""

from __future__ import annotations

import tempfile
from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from math import comb, prod
from pathlib import Path
from random import Random
from typing import Any

import bridge
from bridge.errors import InputError, MissingSolverError, Place, UnsupportedError
from bridge.limits import Limits
from bridge.outcome import Verdict
from bridge.puzzles.analysis.diagnosis import PuzzleDiagnosis
from bridge.puzzles.batching.cubes import cubes
from bridge.puzzles.engines import IMPERATIVE, STATE_SPACE
from bridge.puzzles.engines import engine as engine_of
from bridge.puzzles.kinds import Puzzle, puzzle_class
from bridge.puzzles.kinds.models import models
from bridge.puzzles.oracle import Fact as BridgeFact
from bridge.puzzles.search.ladder import LEVELS
from fuzz.campaign import Campaign, Case, Failure, Skipped, Tally, demand, expect
from fuzz.naive import Assignment, Cell, Fact, Naive, Value, name_of

#: Solutions of one instance, beyond which it is skipped.
MOST_SOLUTIONS = 600

#: Nodes of a search in Python; beyond them only what was found is compared.
MOST_NODES = 10_000

#: Sets that are tried one by one to see that there is no smaller one.
MOST_SETS = 150

#: What a clash, a step or a repair is made of: the name of a rule, or a fact.
Premise = str | Fact

ENGINES = ("clpfd", "auto", "cp-sat", *IMPERATIVE, *STATE_SPACE)
PROPAGATING = ("clpfd", "fc", "mac", "gac", "mac+mrv+degree", "gac+mrv+wdeg")

#: The checks that are chosen from, and how often.
CHECKS = {
    "engine": 5,
    "count": 2,
    "cubes": 2,
    "exact": 2,
    "propagated": 3,
    "diagnose": 4,
    "explain": 2,
    "grade": 2,
    "new": 0.4,
}


class PuzzleCampaign(Campaign):
    """Random small instances of one puzzle.

    A form may name another puzzle than the campaign: `puzzle`.
    """

    #: The checks that are chosen from, and how often.
    checks: Mapping[str, float] = CHECKS
    #: The engines that find solutions, and those that count; `any` is an imperative engine made of random parts.
    engines: Sequence[str] = (*ENGINES, *["any"] * (len(ENGINES) // 4))
    #: The share of the steps of an explanation that are proved to follow, and not from less.
    proving: float = 1.0
    counting: Sequence[str] = (*["asp"] * len(ENGINES), *ENGINES)

    @abstractmethod
    def form(self, chance: Random) -> dict[str, Any]:
        """The JSON form of a random instance."""

    @abstractmethod
    def naive(self, form: dict[str, Any]) -> Naive:
        """The instance, stated naively."""

    @abstractmethod
    def smaller_form(self, form: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Instances that are a little smaller, or have one option less."""

    @abstractmethod
    def new(self, form: dict[str, Any], chance: Random) -> tuple[int | tuple[int, int], dict[str, str]] | None:
        """The size and the options of a new puzzle like this one; `words` is set by the caller. None: there is none."""

    def refused(self, form: dict[str, Any], what: str) -> bool:
        """Whether an engine or a check may refuse the instance. Another heuristic is known of Takuzus alone."""
        return what.endswith("+fit") and self.name != "takuzu"

    def clue_means_more(self, form: dict[str, Any]) -> bool:
        """Whether an added clue says more than that its cell has the value."""
        return False

    def make(self, chance: Random) -> Case:
        form = self.form(chance)
        checks = ["checker", "engine asp"]
        for check in chance.choices([*self.checks], [*self.checks.values()], k=4):
            if check == "engine":
                engine = chance.choice(self.engines)
                check = f"engine {_any_strategy(chance) if engine == 'any' else engine}"
            elif check == "count":
                check = f"count {chance.choice(self.counting)}"
            elif check == "propagated":
                check = f"propagated {chance.choice(PROPAGATING)}"
            if check not in checks:
                checks.append(check)
        return {"form": form, "checks": checks, "seed": chance.randrange(1 << 30)}

    def check(self, case: Case, tally: Tally) -> None:
        form = case["form"]
        checks: Mapping[str, Callable[[_Instance, str], None]] = {
            "checker": _checker, "engine": _engine, "count": _count, "cubes": self._cubes, "exact": _exact,
            "propagated": _propagated, "diagnose": _diagnose, "explain": _explain, "grade": _grade, "new": self._new,
        }  # fmt: skip
        instance = _Instance(self, form, case["seed"], tally)
        for said in case["checks"]:
            name, _, what = said.partition(" ")
            tally[name] += 1
            try:
                checks[name](instance, what)
            except (Failure, Skipped):
                raise
            except MissingSolverError:
                tally["not installed"] += 1
            except UnsupportedError as error:
                if not self.refused(form, what or name):
                    raise Failure(said, f"refused: {error}") from error
                tally["refused as documented"] += 1
            except Exception as error:
                raise Failure(said, f"{type(error).__name__}: {error}") from error
        tally["solutions"] += len(instance.solutions)

    def smaller(self, case: Case) -> Iterator[Case]:
        if len(case["checks"]) > 1:
            yield from ({**case, "checks": [check]} for check in case["checks"])
        for form in self.smaller_form(case["form"]):
            yield {**case, "form": form}

    def _cubes(self, instance: _Instance, what: str) -> None:
        number = instance.chance.choice([1, 2, 3, 5, 8])
        try:
            split = cubes(instance.puzzle, number)
        except InputError as error:
            if not self.refused(instance.form, "cubes"):
                raise
            raise UnsupportedError(str(error)) from error
        found: list[Assignment] = []
        for cube in split:
            found += self.naive(_form_of(cube)).solutions()
        expect("cubes", _sorted(instance.solutions), _sorted(found), f"solutions of {len(split)} cubes together")

    def _new(self, instance: _Instance, what: str) -> None:
        if (like := self.new(instance.form, instance.chance)) is None:
            return
        size, options = like
        if "words" in options:
            options["words"] = _word_file(instance.chance)
        symmetry = instance.chance.choice([None, None, "none", "rotate", "mirror", "flip", "diagonal"])
        seed = instance.chance.randrange(1000)
        try:
            kind = instance.puzzle.kind
            new = bridge.puzzles.generate(kind, size, options=options, symmetry=symmetry, seed=seed, attempts=4)
            made = next(new, None)
        except InputError:  # no such symmetry, or no solution of this size: nothing to check
            return
        if made is None:
            return
        form = _form_of(made.puzzle)
        naive = self.naive(form)
        found = naive.solutions(most=2)
        expect("new", [_held(made.solution, naive.cells)], found, f"solutions of the new {form}")
        redundant = _redundant(naive)
        demand(
            "new", not (made.irredundant and redundant), f"called irredundant, but {_listed(redundant)} may go: {form}"
        )


class _Instance:
    """A case as the package under test sees it, and what is true of it."""

    def __init__(self, campaign: PuzzleCampaign, form: dict[str, Any], seed: int, tally: Tally) -> None:
        self.campaign, self.form, self.chance, self.tally = campaign, form, Random(seed), tally
        self.naive = campaign.naive(form)
        self.solutions = self.naive.solutions(most=MOST_SOLUTIONS + 1)
        if len(self.solutions) > MOST_SOLUTIONS:
            raise Skipped
        data = {"puzzle": campaign.name, **form}
        self.puzzle: Puzzle = puzzle_class(data["puzzle"]).from_json(data, Place("case"))
        expect("reading", self.naive.clues, self.puzzle.clues(), "clues")
        expect("reading", list(self.naive.cells), self.puzzle.cells(), "cells")
        expect("reading", list(self.naive.values), list(self.puzzle.values()), "values")
        expect("reading", list(self.naive.rules), [rule.name for rule in self.puzzle.rules()], "names of rules")

    @property
    def verdict(self) -> Verdict:
        number = len(self.solutions)
        return Verdict.AMBIGUOUS if number > 1 else Verdict.UNIQUE if number else Verdict.IMPOSSIBLE

    @property
    def exact(self) -> dict[Cell, tuple[Value, ...]]:
        """The values that each cell has in some solution; empty without one."""
        if not self.solutions:
            return {}
        return {
            cell: tuple(value for value in self.naive.values if any(s[cell] == value for s in self.solutions))
            for cell in self.naive.cells
        }


# The checks.


def _checker(instance: _Instance, what: str) -> None:
    """The package's own checker says of a grid what the naive rules say."""
    naive, puzzle, chance = instance.naive, instance.puzzle, instance.chance
    grids: list[Assignment] = [{cell: chance.choice(naive.domains[cell]) for cell in naive.cells}]
    for solution in chance.sample(instance.solutions, min(2, len(instance.solutions))):
        grids.append(solution)
        wrong = dict(solution)
        for cell in chance.sample(naive.cells, min(len(naive.cells), chance.choice([1, 1, 2]))):
            wrong[cell] = chance.choice(naive.domains[cell])
        grids.append(wrong)
        grids.append({**wrong, **naive.clues})
    for held in grids:
        expected = naive.broken(held) | {
            f"clue r{r}c{c}={value}" for (r, c), value in naive.clues.items() if held[r, c] != value
        }
        found = {violation.rule for violation in puzzle.violations(puzzle.solution(held))}
        expect("checker", sorted(expected), sorted(found), f"rules broken by {held}")


def _engine(instance: _Instance, name: str) -> None:
    outcome = engine_of(name).solutions(instance.puzzle, _limits(name)).collect()
    found = [_held(grid, instance.naive.cells) for grid in outcome.solutions]
    _compare(f"engine {name}", instance.solutions, found, outcome.complete)


def _count(instance: _Instance, name: str) -> None:
    if name in ("asp", "clpfd", "auto"):
        counted = bridge.count(instance.puzzle, engine=name)
        expect(f"count {name}", (len(instance.solutions), True), (counted.number, counted.complete))
        numbers = [part.number for part in counted.parts]
        if counted.number:
            expect(f"count {name}", counted.number, counted.symmetry * prod(numbers), "product of the parts")
        if counted.symmetry == 1 and instance.solutions:
            for part in counted.parts:
                ways = {tuple(solution[cell] for cell in part.cells) for solution in instance.solutions}
                expect(f"count {name}", len(ways), part.number, f"ways to fill {part.cells}")
    else:
        total = engine_of(name).count(instance.puzzle, _limits(name))
        if total.complete:
            expect(f"count {name}", len(instance.solutions), total.number)
        demand(f"count {name}", total.number <= len(instance.solutions), f"{total.number} are too many")


def _exact(instance: _Instance, what: str) -> None:
    residual = bridge.residual(instance.puzzle)
    expect("exact", instance.exact, dict(residual.possible), "exact residual")
    expect("exact", True, residual.complete, "complete")
    open_cells = {cell for cell, values in instance.exact.items() if len(values) > 1}
    holding = [name for name, rule in instance.naive.rules.items() if open_cells.intersection(rule.cells)]
    expect("exact", holding, list(residual.constraints), "rules of the open cells")


def _propagated(instance: _Instance, name: str) -> None:
    residual = engine_of(name).propagated(instance.puzzle)
    _sound(f"propagated {name}", instance.exact, residual.possible)


def _diagnose(instance: _Instance, what: str) -> None:
    # Where there are many solutions, the fewest clues that leave one are many sets, which take minutes to go through.
    most = 3 if len(instance.solutions) <= 12 else 1
    found = bridge.diagnose(instance.puzzle, limits=bridge.Limits(), clashes=2, effort=200, repairs=30, most_clues=most)
    assert isinstance(found, PuzzleDiagnosis)
    expect("diagnose verdict", (instance.verdict, None), (found.verdict, found.limit))
    held = [_held(grid, instance.naive.cells) for grid in found.solutions]
    _compare("diagnose solutions", instance.solutions, held, len(instance.solutions) < 2)
    if found.propagated is not None:
        _sound("diagnose propagated", instance.exact, found.propagated.possible)
        hidden = {
            cell: values[0]
            for cell, values in instance.exact.items()
            if len(values) == 1 and len(found.propagated.possible.get(cell, ())) > 1
        }
        expect("diagnose hidden", hidden, None if found.hidden is None else dict(found.hidden))
    if instance.verdict is Verdict.IMPOSSIBLE:
        _clashes(instance, found)
        _removals(instance, found)
    elif instance.verdict is Verdict.AMBIGUOUS:
        expect("diagnose residual", instance.exact, dict(found.residual.possible if found.residual else {}))
        _ambiguity(instance, found)
        _additions(instance, found)
    else:
        expect("diagnose redundant", set(_redundant(instance.naive)), set(map(_premise, found.redundant or ())))
        _spare(instance, found)


def _clashes(instance: _Instance, found: Any) -> None:
    naive = instance.naive
    everything = {*naive.rules, *_clue_facts(naive)}
    demand("clash", bool(found.clashes), "no clash of an impossible instance")
    seen: set[Premise] = set()
    for one in found.clashes:
        premises = [_premise(premise) for premise in one.premises]
        demand("clash", everything.issuperset(premises), f"{one} is not part of the instance")
        demand("clash", seen.isdisjoint(premises), f"{one} shares a rule or clue with another clash")
        seen.update(premises)
        demand("clash", one.minimal, f"{one} is not called minimal, without a limit")
        demand("clash unsatisfiable", not _together(naive, premises), f"{one} can hold together")
        for premise in premises:
            rest = [other for other in premises if other != premise]
            demand("clash minimal", _together(naive, rest), f"{one} clashes without {premise}, too")
        if one.smallest and comb(len(everything), len(premises) - 1) <= MOST_SETS:
            for fewer in combinations(sorted(everything, key=str), len(premises) - 1):
                demand("clash smallest", _together(naive, fewer), f"{one} is called smallest, but {fewer} clash")


def _removals(instance: _Instance, found: Any) -> None:
    naive = instance.naive
    givens: list[Premise] = [*_clue_facts(naive), *(name for name, rule in naive.rules.items() if rule.given)]
    others = [name for name, rule in naive.rules.items() if not rule.given]
    demand("removals", found.removals is not None, "were not looked for")
    if not _together(naive, others):
        expect("removals", ((), True), (found.removals.sets, found.removals.complete), "no removal makes a solution")
        return
    demand("removals", bool(found.removals.sets), "no removal was found")
    sets = [frozenset(map(_premise, one)) for one in found.removals.sets]

    def enough(away: Collection[Premise]) -> bool:
        return _together(naive, [*others, *(given for given in givens if given not in away)])

    for one in sets:
        expect("removals", found.removals.size, len(one), "size")
        demand("removals", enough(one), f"there is no solution without {_listed(one)}")
    _smallest("removals", sets, found.removals, givens, enough)
    for one, after in zip(sets, found.after, strict=False):
        clues = {cell: value for cell, value in naive.clues.items() if Fact(cell, value) not in one}
        left = naive.solutions(clues, [name for name in naive.rules if name not in one], most=2)
        expect("after", len(left) == 1, after.unique, f"unique without {_listed(one)}")
        if after.unique:
            values = {premise.cell: left[0][premise.cell] for premise in one if isinstance(premise, Fact)}
            expect("after", values, dict(after.values), f"values without {_listed(one)}")


def _smallest(
    check: str, sets: list[frozenset[Premise]], found: Any, elements: Sequence[Premise],
    enough: Callable[[Collection[Premise]], bool],
) -> None:  # fmt: skip
    """No smaller set would do, and where all were found, no other of the size; by trying them, if they are few."""
    size = found.size
    expect(check, len(sets), len(set(sets)), "different sets")
    if size and comb(len(elements), size - 1) <= MOST_SETS:
        for fewer in combinations(elements, size - 1):
            demand(check, not enough(fewer), f"size {size} is called the least, but {_listed(fewer)} will do")
    if found.complete and sets and comb(len(elements), size) <= MOST_SETS:
        every = {frozenset(one) for one in combinations(elements, size) if enough(one)}
        expect(check, sorted(map(_listed, every)), sorted(map(_listed, sets)), f"all sets of size {size}")


def _ambiguity(instance: _Instance, found: Any) -> None:
    ambiguity, solutions = found.ambiguity, instance.solutions
    demand("ambiguity", ambiguity is not None and ambiguity.finished, "was not finished")
    expect("ambiguity", (len(solutions), True), (ambiguity.number, ambiguity.complete), "number of solutions")
    open_cells = [cell for cell, values in instance.exact.items() if len(values) > 1]
    counts = {
        cell: {value: sum(s[cell] == value for s in solutions) for value in instance.exact[cell]} for cell in open_cells
    }
    expect("values per solution", counts, {cell: dict(of) for cell, of in ambiguity.counts.items()})
    together: dict[frozenset[frozenset[int]], list[Cell]] = {}
    for cell in open_cells:
        parts = frozenset(
            frozenset(i for i, s in enumerate(solutions) if s[cell] == value) for value in instance.exact[cell]
        )
        together.setdefault(parts, []).append(cell)
    expected = {
        (tuple(cells), frozenset(tuple(s[cell] for cell in cells) for s in solutions))
        for cells in together.values()
        if len(cells) > 1
    }
    groups = {(group.cells, frozenset(group.ways)) for group in ambiguity.groups}
    expect("groups that vary together", expected, groups)


def _additions(instance: _Instance, found: Any) -> None:
    naive, additions = instance.naive, found.additions
    demand("additions", additions is not None, "were not looked for")
    sets = [frozenset(map(_premise, one)) for one in additions.sets]

    def enough(added: Collection[Premise]) -> bool:
        clues = {fact.cell: fact.value for fact in added if isinstance(fact, Fact)}
        if len(clues) < len(added):
            return False
        return len(naive.solutions({**naive.clues, **clues}, most=2)) == 1

    for one in sets:
        expect("additions", additions.size, len(one), "size")
        demand("additions", enough(one), f"more than one solution, or none, with {_listed(one)}")
    if not instance.campaign.clue_means_more(instance.form):
        elements = [Fact(cell, v) for cell, values in instance.exact.items() if len(values) > 1 for v in values]

        def apart(added: Collection[Premise]) -> bool:
            facts = [fact for fact in added if isinstance(fact, Fact)]
            return sum(all(s[fact.cell] == fact.value for fact in facts) for s in instance.solutions) == 1

        _smallest("additions", sets, additions, elements, apart)


def _spare(instance: _Instance, found: Any) -> None:
    naive = instance.naive
    demand("spare", found.spare is not None, "was not looked for")
    spare = {_premise(premise) for premise in found.spare}
    clues = {cell: value for cell, value in naive.clues.items() if Fact(cell, value) not in spare}
    rules = [name for name in naive.rules if name not in spare]
    expect("spare", instance.solutions, naive.solutions(clues, rules, most=2), f"solutions without {_listed(spare)}")
    more = _redundant(naive, clues, rules)
    demand("spare", not more, f"without {_listed(spare)}, {_listed(more)} could go, too")


def _explain(instance: _Instance, what: str) -> None:
    naive, solutions, tally = instance.naive, instance.solutions, instance.tally
    try:
        steps = list(bridge.explain(instance.puzzle))
    except InputError as error:
        demand("explain", not solutions, f"refused: {error}")
        return
    demand("explain", bool(solutions), "steps to a solution that there is not")
    known: set[Premise] = {*naive.rules, *_clue_facts(naive)}
    for step in steps:
        new = [fact for fact in map(_premise, step.new) if isinstance(fact, Fact)]
        premises = [_premise(premise) for premise in step.premises]
        named = "" if step.technique is None else f"{step.technique}: "
        shown = f"{named}{', '.join(map(str, step.new))} by {', '.join(map(str, step.premises))}"
        demand("explain known", known.issuperset(premises), f"{shown}: a premise is not known yet")
        demand("explain new", bool(new) and known.isdisjoint(new), f"{shown}: known already")
        for fact in new:
            forced = all((solution[fact.cell] == fact.value) == fact.holds for solution in solutions)
            demand("explain true", forced, f"{shown}: {_listed([fact])} is not so in every solution")
        if not step.proved:
            raise Failure("explain proved", f"{shown}: not proved minimal, without a limit")
        known.update(new)
        tally["steps"] += 1
        if step.technique is not None:
            tally["named steps"] += 1
            _technique(instance, step.technique, shown)
        if instance.chance.random() < instance.campaign.proving:
            try:
                _follows(naive, new, premises, shown)
                tally["proved steps"] += 1
            except Skipped:
                tally["steps too large to prove"] += 1
    for cell, values in instance.exact.items():
        if len(values) == 1:
            demand("explain all", Fact(cell, values[0]) in known, f"no step places {values[0]} in {cell}")


def _follows(naive: Naive, new: Sequence[Fact], premises: Sequence[Premise], shown: str) -> None:
    """New facts follow from premises, and not without one of them."""
    for fact in new:
        demand("explain forced", not _together(naive, [*premises, _contrary(fact)]), f"{shown}: does not follow")
    for premise in premises:
        rest = [other for other in premises if other != premise]
        idle = not any(_together(naive, [*rest, _contrary(fact)]) for fact in new)
        demand("explain minimal", not idle, f"{shown}: follows without {premise}, too")


def _contrary(fact: Fact) -> Fact:
    return Fact(fact.cell, fact.value, not fact.holds)


#: Techniques whose cells are all in their houses. Chains and wings have other cells that see these.
_WITHIN = (
    "full house", "hidden single", "locked candidates", "locked candidates (pointing)", "locked candidates (claiming)",
    "naked pair", "hidden pair", "naked triple", "hidden triple", "naked quad", "hidden quad", "X-wing", "swordfish",
    "jellyfish",
)  # fmt: skip


def _technique(instance: _Instance, technique: Any, shown: str) -> None:
    """Of a named step, what it says it was seen in is part of the instance, and is where it says."""
    naive = instance.naive
    demand("technique", set(technique.houses) <= naive.rules.keys(), f"{shown}: there is no {technique.houses}")
    demand("technique", set(technique.cells) <= set(naive.cells), f"{shown}: there are no cells {technique.cells}")
    demand("technique", set(technique.values) <= set(naive.values), f"{shown}: there are no values {technique.values}")
    within = {cell for name in technique.houses for cell in naive.rules[name].cells}
    outside = set(technique.cells) - within if technique.name in _WITHIN else set()
    demand("technique", not outside, f"{shown}: {sorted(outside)} are in none of {technique.houses}")


def _grade(instance: _Instance, what: str) -> None:
    grade = bridge.puzzles.grade(instance.puzzle)
    expect("grade verdict", (instance.verdict, None), (grade.verdict, grade.limit))
    before: Mapping[Cell, Sequence[Value]] | None = None
    for level in LEVELS:
        if level not in grade.left:
            continue
        left = models(instance.puzzle).read_domains(grade.left[level])
        _sound(f"grade {level}", instance.exact, left)
        if before is not None:
            for cell, values in left.items():
                demand("grade levels", set(values) <= set(before[cell]), f"{level} has more values for {cell}")
        before = left
        decided = all(len(values) == 1 for values in grade.left[level].values())
        if instance.verdict is Verdict.UNIQUE and level != "search" and grade.level is not None:
            reached = LEVELS.index(level) >= LEVELS.index(grade.level)
            expect("grade level", reached, decided, f"decided at {level} with grade {grade.level}")
    expect("grade level", instance.verdict is Verdict.UNIQUE, grade.level is not None, "has a level")


# What is true, in the words of the package.


def _compare(check: str, solutions: Sequence[Assignment], found: Sequence[Assignment], complete: bool) -> None:
    keys = [tuple(sorted(held.items())) for held in found]
    expect(check, len(set(keys)), len(keys), "different solutions")
    true = {tuple(sorted(held.items())) for held in solutions}
    wrong = [key for key in keys if key not in true]
    demand(check, not wrong, f"no solution: {wrong[:1]}")
    if complete:
        missing = true.difference(keys)
        demand(check, not missing, f"{len(keys)} of {len(true)} solutions, missing {min(missing, default=None)}")
    elif len(found) >= 2 or check.startswith("engine"):
        return
    else:
        demand(check, len(true) < 2, f"{len(found)} of {len(true)} solutions")


def _sound(check: str, exact: Mapping[Cell, Sequence[Value]], possible: Mapping[Cell, Sequence[Value]]) -> None:
    """What is possible has every value that a solution has."""
    if not possible:
        demand(check, not exact, "finds a contradiction, but there is a solution")
    for cell, values in exact.items():
        lost = set(values).difference(possible.get(cell, ()))
        demand(check, not lost, f"{cell} loses {sorted(lost, key=str)}, which a solution has")


def _together(naive: Naive, premises: Iterable[Premise]) -> bool:
    premises = list(premises)
    rules = [premise for premise in premises if isinstance(premise, str)]
    return naive.possible(rules, [premise for premise in premises if isinstance(premise, Fact)])


def _redundant(
    naive: Naive, clues: Mapping[Cell, Value] | None = None, rules: Sequence[str] | None = None
) -> list[Premise]:
    """The givens without each of which the one solution is still the only one."""
    clues = naive.clues if clues is None else clues
    rules = list(naive.rules) if rules is None else rules
    found: list[Premise] = []
    only = naive.solutions(clues, rules, most=2)
    for cell, value in clues.items():
        fewer = {one: held for one, held in clues.items() if one != cell}
        if naive.solutions(fewer, rules, most=2) == only:
            found.append(Fact(cell, value))
    for name in [name for name in rules if naive.rules[name].given]:
        if naive.solutions(clues, [other for other in rules if other != name], most=2) == only:
            found.append(name)  # noqa: PERF401
    return found


def _clue_facts(naive: Naive) -> list[Premise]:
    return [Fact(cell, value) for cell, value in naive.clues.items()]


def _premise(premise: str | BridgeFact) -> Premise:
    return premise if isinstance(premise, str) else Fact(premise.cell, premise.value, premise.holds)


def _held(grid: Sequence[Sequence[Any]], cells: Iterable[Cell]) -> Assignment:
    return {(r, c): grid[r - 1][c - 1] for r, c in cells}


def _sorted(solutions: Iterable[Assignment]) -> list[list[tuple[Cell, Value]]]:
    return sorted(sorted(solution.items()) for solution in solutions)


def _listed(premises: Iterable[Premise]) -> str:
    shown = [
        premise
        if isinstance(premise, str)
        else f"{name_of(premise.cell)}{'=' if premise.holds else '≠'}{premise.value}"
        for premise in premises
    ]
    return "{" + ", ".join(sorted(shown)) + "}"


def _limits(engine: str) -> Limits:
    return Limits() if engine in ("asp", "clpfd", "auto") else Limits(nodes=MOST_NODES)


def _form_of(puzzle: Puzzle) -> dict[str, Any]:
    return puzzle.to_json()


# What instances are made from.


def pattern(chance: Random, solved: Sequence[Sequence[int]]) -> list[list[int]]:
    """A Latin square with its values exchanged, and mirrored or not."""
    size = len(solved)
    names = chance.sample(range(1, size + 1), size)
    grid = [[names[value - 1] for value in row] for row in solved]
    return [list(row) for row in zip(*grid, strict=True)] if chance.random() < 0.3 else grid


def clued(
    chance: Random, solved: Sequence[Sequence[int]], open_cells: int, values: Sequence[int]
) -> list[list[int | None]]:
    """A full grid with so many cells opened, and sometimes a clue or two changed to any value."""
    grid: list[list[int | None]] = [list(row) for row in solved]
    cells = [(r, c) for r, row in enumerate(grid) for c in range(len(row))]
    for r, c in chance.sample(cells, min(open_cells, len(cells))):
        grid[r][c] = None
    for _ in range(chance.choice([0, 0, 0, 1, 1, 2])):
        r, c = chance.choice(cells)
        if grid[r][c] is not None:
            grid[r][c] = chance.choice(values)
    return grid


def emptier(form: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The instances with one clue less."""
    grid = form["grid"]
    for r, row in enumerate(grid):
        for c, value in enumerate(row):
            if value is not None:
                yield {**form, "grid": [*grid[:r], [*row[:c], None, *row[c + 1 :]], *grid[r + 1 :]]}


def _any_strategy(chance: Random) -> str:
    orders = ["", "+mrv", "+degree", "+wdeg", "+mrv+degree", "+mrv+wdeg"]
    order, value = chance.choice(orders), chance.choice(["", "+lcv"])
    restarts = chance.choice(["", "+restarts"]) if "wdeg" in order else ""
    return chance.choice(["bt", "fc", "mac", "gac"]) + order + value + restarts


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="lpbridge-fuzz-")


def _word_file(chance: Random) -> str:
    """A file with random words of two letters and three."""
    words = {"".join(chance.choice("abc") for _ in range(chance.choice([2, 2, 3, 3, 4]))) for _ in range(20)}
    path = Path(_folder().name) / "words"
    path.write_text("\n".join(sorted(words)), encoding="utf-8")
    return str(path)
