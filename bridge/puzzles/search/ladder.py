"""The ladder of inference levels: the level that a problem needs to be solved without search is its grade.

- A **level** is a kind of inference; the ladder lists them from the weakest. Each includes those before it.
- A level is **exhausted** when neither it nor one before it can remove another value. What is left then does not
  depend on the order of the steps.
- The **grade** is the first level that leaves one value for each variable; `search` when no other does.

Each step is one of the weakest level that still has one. A level is used only when all weaker ones are exhausted, so
the strongest level used is the grade, and the steps of each level can be counted.

    >>> from bridge.puzzles.search import AllDifferent, CSP
    >>> domains = {"a": [1, 2], "b": [1, 2], "c": [1, 2, 3], "d": [1, 3]}
    >>> scopes = ["abc", "ad", "cd"]
    >>> grade = climb(CSP(domains, [AllDifferent(scope, f"{scope} differ") for scope in scopes]))
    >>> grade.level, grade.difficulty, grade.left["ac"]["c"], grade.left["singles"]["c"]
    ('singles', 'easy', (1, 2, 3), (3,))
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import TypeAlias, TypedDict, get_args

from bridge.common import LIMITS, Json, Key, public, short, table
from bridge.errors import InputError
from bridge.limits import UNLIMITED, Deadline, LimitName, Limits
from bridge.outcome import PROGRESS_SECONDS, Interrupted, Statistics, Verdict
from bridge.puzzles.search.backtracking import LimitReached
from bridge.puzzles.search.csp import CSP
from bridge.puzzles.search.inference import FC, MAC, Inference
from bridge.puzzles.search.network import Network, Value, Variable, bits
from bridge.puzzles.search.rule_techniques import Rules
from bridge.puzzles.search.strategy import DEFAULT
from bridge.puzzles.search.techniques import FINDERS, Candidates, Finder, Houses, LevelName
from bridge.puzzles.search.walk import NodesReached, Walk

Look = Callable[[], object]


class Steps(ABC):
    """A level: `step` once changes something, or is done with nothing to change; False when there is no solution.

    A step is the smallest unit of a level: an assignment, a revision, the run of a propagator, a refutation. All levels
    share the domains and the trail, which lists every change of a domain: there each finds the changes since its last
    step. They use the inference of the searches, `FC` and `MAC`, one step at a time.
    """

    @abstractmethod
    def step(self) -> bool: ...


class Assigning(Steps):
    """Forward checking: assigns a variable with one value left and removes what it forbids from its neighbours.

    The first step assigns the givens.
    """

    def __init__(self, network: Network, look: Look) -> None:
        self.inference = FC(network, look)
        self._look = look
        self._heard = -1

    def step(self) -> bool:
        inference = self.inference
        domains, trail = inference.domains, inference.trail
        if self._heard < 0:
            self._heard = 0
            return inference.root()
        while self._heard < len(trail):
            x = trail[self._heard]
            self._heard += 2
            domain = domains[x]
            if inference.is_open(x) and not domain & (domain - 1):
                self._look()
                mark = len(trail) + 2  # the assignment itself is on the trail
                if not inference.assign(x, domain):
                    return False
                if len(trail) > mark:
                    return True
        return True

    @property
    def all_assigned(self) -> bool:
        return self.inference.all_assigned()


class Arcs(Steps):
    """Arc consistency: revises a variable or, once all are revised, runs a propagator."""

    def __init__(self, network: Network, look: Look, shared: Inference) -> None:
        self._inference = MAC(network, look)
        self._inference.share(shared)
        self._look = look
        self._heard = 0
        self._changed = dict.fromkeys(range(len(network.variables)))
        self._woken = dict.fromkeys(range(len(network.propagators)))

    def step(self) -> bool:
        self._look()
        inference = self._inference
        mark = len(inference.trail)
        self._changed.update((x, None) for x, _ in inference.changes(self._heard))
        self._heard = mark
        while self._changed and len(inference.trail) == mark:
            woken = inference.revise(self._changed.popitem()[0])
            if woken is None:
                return False
            self._woken.update(dict.fromkeys(woken))
        while self._woken and len(inference.trail) == mark:
            self._look()
            if inference.narrow(self._woken.popitem()[0]) is None:
                return False
        return True


class Matchings(Steps):
    """All-different by matching: runs one of the propagators that `strengthen` has added to a network.

    Shaving and search use its `inference`, which has all propagators, for their assignments. A step does not propagate
    to the rest.
    """

    def __init__(self, network: Network, look: Look, shared: Inference) -> None:
        self.inference = MAC(network, look)
        self.inference.share(shared)
        self._watching = network.watching
        self._look = look
        self._heard = 0
        self._added = len(shared.network.propagators)
        self._woken = dict.fromkeys(range(self._added, len(network.propagators)))

    def step(self) -> bool:
        self._look()
        inference = self.inference
        mark = len(inference.trail)
        for x, _ in inference.changes(self._heard):
            self._woken.update((p, None) for p in self._watching[x] if p >= self._added)
        self._heard = mark
        while self._woken and len(inference.trail) == mark:
            if inference.narrow(self._woken.popitem()[0]) is None:
                return False
        return True


class Shaving(Steps):
    """Singleton consistency: tries a value with all weaker inference, and removes it if that wipes out a domain.

    (R. Debruyne, C. Bessière, *Some practicable filtering techniques for the constraint satisfaction problem*, 1997.)
    Values that cannot fail are not tried: those of a known solution, never; those implied by another successful trial,
    not until a domain changes.
    """

    def __init__(self, below: MAC) -> None:
        self._below = below
        self._heard = -1
        self._stood: list[int] = []
        self._true = [0 for _ in below.domains]
        self._round: deque[tuple[int, int]] | None = None

    def spare(self, solution: list[int]) -> None:
        """Exempt the values of a solution, a mask for every variable, from trials."""
        self._true = [known | bit for known, bit in zip(self._true, solution, strict=True)]

    def step(self) -> bool:
        domains, trail = self._below.domains, self._below.trail
        if self._round is None:
            open_ones = sorted(self._below.open_at_root(), key=lambda x: domains[x].bit_count())
            self._round = deque((x, bit) for x in open_ones for bit in bits(domains[x]))
        if self._heard != len(trail):
            self._stood = self._true.copy()
        for _ in range(len(self._round)):
            x, bit = self._round[0]
            self._round.rotate(-1)  # the next round continues where this one ends
            if domains[x] & bit and domains[x] != bit and not bit & self._stood[x] and not self._stands(x, bit):
                trail += (x, domains[x])
                domains[x] ^= bit
                break
        self._heard = len(trail)
        return True

    def _stands(self, x: int, bit: int) -> bool:
        below = self._below
        domains, trail = below.domains, below.trail
        mark = len(trail)
        try:
            if not below.assign(x, bit):
                return False
            for y, _ in below.changes(mark):
                if not domains[y] & (domains[y] - 1):
                    self._stood[y] |= domains[y]
            return True
        finally:
            below.retract(x, mark)


class Patterns(Steps):
    """Techniques of human solvers (`bridge.puzzles.search.techniques`): a step is a pattern that removes something.

    With `places`, a value without a place in a full house is a contradiction.
    """

    def __init__(
        self, houses: Houses, finders: Sequence[Finder], look: Look, shared: Inference, places: bool = False
    ) -> None:
        self._houses, self._finders, self._look, self._places = houses, finders, look, places
        self._domains, self._trail = shared.domains, shared.trail
        self._exhausted = -1

    def step(self) -> bool:
        if self._exhausted == len(self._trail):
            return True
        self._look()
        grid = Candidates(self._houses, self._domains, look=self._look)
        for find in self._finders:
            self._look()
            if (pattern := next((pattern for pattern in find(grid) if pattern.removed), None)) is not None:
                for x, gone in pattern.removed:
                    self._trail += (x, self._domains[x])
                    self._domains[x] &= ~gone
                return all(self._domains[x] for x, _ in pattern.removed)
        self._exhausted = len(self._trail)
        return not (self._places and grid.contradiction())


Domains: TypeAlias = Mapping[Variable, tuple[Value, ...]]


@dataclass(frozen=True, slots=True)
class Level:
    """A level of the ladder: its name in code and JSON, what the inference is called, what solvers call it.

    The difficulty is a word: `easy`, `medium`, `hard` or `very hard`. The weight is the score of one step. The ratios
    of weights are a choice: roughly the effort of a step with pencil and paper.
    """

    name: LevelName
    title: str
    techniques: str
    difficulty: str
    weight: int

    @property
    def full_title(self) -> str:
        """What solvers call it, and the name: `hidden singles (singles)`."""
        return self.name if self.techniques == self.name else f"{self.techniques} ({self.name})"


#: From the weakest to the strongest. A step is an assignment (fc), the revision of a variable or the run of a
#: propagator (ac), a pattern (singles, locked, fish, wings, chains), the run of a matching (gac), a value refuted
#: (shaving), a value tried (search).
LADDER = (
    Level("fc", "forward checking", "naked singles", "easy", 1),
    Level("ac", "arc consistency", "one rule at a time", "easy", 2),
    Level("singles", "only places", "hidden singles", "easy", 3),
    Level("locked", "two rules together", "locked candidates", "medium", 4),
    Level("gac", "all-different matching", "pairs, triples, quads", "medium", 5),
    Level("fish", "fish", "X-wing, swordfish, jellyfish", "hard", 8),
    Level("wings", "short chains", "wings", "hard", 12),
    Level("chains", "alternating chains", "chains", "hard", 16),
    Level("shaving", "singleton consistency", "what-if", "very hard", 20),
    Level("search", "search", "search", "very hard", 100),
)
LEVELS: tuple[LevelName, ...] = tuple(level.name for level in LADDER)
assert get_args(LevelName) == LEVELS


def levels_of(word: str) -> tuple[LevelName, ...]:
    """The levels that a word stands for: its own name, that of its techniques, or a difficulty such as `easy`."""
    plain = _plain(word)
    found = tuple(level.name for level in LADDER if plain in map(_plain, _called(level)))
    if not found:
        words = (*LEVELS, *dict.fromkeys(level.difficulty for level in LADDER))
        raise InputError(f"there is no level {word!r}", hint=f"one of: {', '.join(words)}")
    return found


def _called(level: Level) -> tuple[str, ...]:
    return level.name, level.difficulty, level.title, level.techniques, *level.techniques.split(", ")


def _plain(name: str) -> str:
    """A name without capitals, hyphens and plural: `Hidden-Singles` as `hidden single`."""
    return name.strip().lower().replace("-", " ").removesuffix("s")


@dataclass(frozen=True, slots=True)
class Tally:
    """The work of a level: steps with an effect (for search: values tried), values removed, variables decided."""

    steps: int = 0
    removed: int = 0
    placed: int = 0


class LevelWork(TypedDict):
    """What a level of techniques does; `open` is the number of variables that it leaves undecided, null if unknown."""

    level: LevelName
    title: str
    techniques: str
    steps: int
    removed: int
    placed: int
    open: int | None


@public("bridge.puzzles")
@dataclass(frozen=True, slots=True)
class Grade(Json):
    """The result of grading.

    Attributes
    ----------
    verdict
        `unique`: then there is a `level`. `ambiguous`: two solutions were found, and there is no grade. `impossible`:
        `reached` is the level that found the contradiction. `unknown`: a limit came first, or the top was reached.
    reached
        The strongest level that was used.
    tallies
        The work of each level that was used.
    left
        The domains that each level leaves, values in the order given, for those that were exhausted; and the
        levels above the grade leave the solution, as it does.
    domains
        The domains at the end, or when the limit came. Empty domains are those that a contradiction wiped out.
    depth
        The greatest number of guesses in force at a time; 0 without search.
    solutions
        The solutions found, at most two. With a grade there is exactly one.
    limit
        The limit that ended grading early, or None.
    """

    verdict: Verdict
    reached: LevelName
    tallies: Mapping[LevelName, Tally]
    left: Mapping[LevelName, Domains]
    domains: Domains
    depth: int = 0
    solutions: tuple[Mapping[Variable, Value], ...] = ()
    limit: LimitName | None = None
    statistics: Statistics = field(default_factory=Statistics, compare=False, repr=False)

    __repr__ = short

    @property
    def level(self) -> LevelName | None:
        """The grade; None unless there is exactly one solution and that is proved."""
        return self.reached if self.verdict is Verdict.UNIQUE else None

    @property
    def difficulty(self) -> str | None:
        """The level in a word: `easy`, `medium`, `hard`, `very hard`; None without a grade."""
        return next((level.difficulty for level in LADDER if level.name == self.level), None)

    @property
    def guesses(self) -> int:
        """How many values the search tried until it had the solution and the proof that there is no other."""
        return self.tallies.get("search", Tally()).steps

    @property
    def score(self) -> int | None:
        """The steps of all levels, each with its level's weight; None without a grade."""
        if self.level is None:
            return None
        return sum(level.weight * self.tallies[level.name].steps for level in LADDER if level.name in self.tallies)

    def __str__(self) -> str:
        """The grade in a sentence, and its levels as a table."""
        reached = next(level.full_title for level in LADDER if level.name == self.reached)
        stopped = f"harder than {reached}, the last level that was to be used"
        if self.limit is not None:
            stopped = f"stopped by {LIMITS[self.limit]} at {reached}; nothing weaker suffices"
        sentence = {
            Verdict.UNIQUE: f"grade: {self.difficulty}, {reached}, score {self.score}",
            Verdict.AMBIGUOUS: "ambiguous: there are two solutions or more, so there is no grade",
            Verdict.IMPOSSIBLE: f"impossible: there is no solution, as {reached} finds",
            Verdict.UNKNOWN: f"unknown: {stopped}",
        }[self.verdict]
        if self.level == "search":
            sentence += f", {self.guesses} guesses, {self.depth} deep"
        rows = [["level", "techniques", "weight", "steps", "removed", "placed", "open"]]
        for level in LADDER:
            if (tally := self.tallies.get(level.name)) is not None:
                left = self._undecided(level.name)
                counts = (level.weight, tally.steps, tally.removed, tally.placed, "" if left is None else left)
                rows.append([level.name, level.techniques, *map(str, counts)])
        return f"{sentence}\n{table(rows)}"

    def _undecided(self, level: LevelName) -> int | None:
        """How many variables a level leaves undecided; None if that is not known."""
        left = self.left.get(level)
        return None if left is None else sum(len(values) > 1 for values in left.values())

    #: Everything but the domains.
    _json = (
        "verdict level difficulty reached score",
        Key("levels", list[LevelWork], lambda self: list(map(self._work, LADDER))),
        "guesses depth limit statistics",
    )

    def _work(self, level: Level) -> LevelWork:
        tally = self.tallies.get(level.name, Tally())
        return {
            "level": level.name,
            "title": level.title,
            "techniques": level.techniques,
            "steps": tally.steps,
            "removed": tally.removed,
            "placed": tally.placed,
            "open": self._undecided(level.name),
        }


def climb(
    csp: CSP,
    *,
    top: str = "search",
    limits: Limits = UNLIMITED,
    look: Callable[[], object] = lambda: None,
    read: Callable[[Mapping[Variable, Value]], object] = lambda assignment: tuple(assignment.values()),
    on_progress: Callable[[Grade], object] | None = None,
) -> Grade:
    """The grade of a problem: the weakest inference that solves it.

    Limits are `seconds` in all, and `nodes`: values tried by the search. A problem that `top`, the last level to use or
    a difficulty, does not solve is `unknown`, without a limit. `read` maps an assignment to what it stands for;
    assignments with equal results are one solution. Ctrl-C raises Interrupted, with the grade so far in `partial`.
    """
    state = _Climb(csp, levels_of(top)[-1], limits, look, read, on_progress)
    since = perf_counter()
    try:
        state.run()
    except LimitReached as reached:
        state.limit = reached.limit
    except KeyboardInterrupt:
        state.limit = "interrupt"
        state.statistics.spend("solve", since)
        raise Interrupted(state.grade()) from None
    state.statistics.spend("solve", since)
    return state.grade()


class _Climb:
    """The state of grading. At any time the domains contain every solution, and `grade` returns what is known."""

    def __init__(
        self,
        csp: CSP,
        top: LevelName,
        limits: Limits,
        look: Callable[[], object],
        read: Callable[[Mapping[Variable, Value]], object],
        on_progress: Callable[[Grade], object] | None,
    ) -> None:
        self._csp, self._top, self._most, self._read = csp, top, limits.nodes, read
        self._deadline = Deadline(limits.seconds)
        self._ask, self._on_progress, self._reported = look, on_progress, perf_counter()
        self._network: Network | None = None
        self._domains: list[int] = []
        self._inference: Inference | None = None
        self._reached: LevelName = LEVELS[0]
        self._tallies: dict[LevelName, Tally] = {}
        self._left: dict[LevelName, list[int]] = {}
        self._tree: Walk | None = None
        self._solutions: dict[object, Mapping[Variable, Value]] = {}
        self._verdict = Verdict.UNKNOWN
        self._progress = False  # of the last step
        self._known: dict[tuple[int, int], tuple[Value, ...]] = {}
        self.limit: LimitName | None = None
        self.statistics = Statistics()

    def run(self) -> None:
        network = self._csp.network(self._look)
        assigning = Assigning(network, self._look)
        shared = self._inference = assigning.inference
        self._network, self._domains = network, shared.domains
        arcs = Arcs(network, self._look, shared)
        matchings = Matchings(self._csp.strengthened(network), self._look, shared)
        shaving = Shaving(matchings.inference)
        houses = Houses.of(self._csp, network)
        rules = Rules(self._csp, network)

        def patterns(level: LevelName, *further: Finder) -> Patterns:
            finders = (*FINDERS[level], *further)
            return Patterns(houses, finders, self._look, shared, places=level == "singles")

        singles, locked = patterns("singles"), patterns("locked", lambda grid: rules.combined(grid.domains))
        hard = patterns("fish"), patterns("wings"), patterns("chains")
        levels: tuple[Steps, ...] = (assigning, arcs, singles, locked, matchings, *hard, shaving)
        used = dict(zip(LEVELS[: LEVELS.index(self._top) + 1], levels, strict=False))
        if not self._step("fc", assigning):  # even without open variables, a constraint may fail
            self._verdict = Verdict.IMPOSSIBLE
            return
        while not assigning.all_assigned:
            for name, level in used.items():
                if level is shaving and "shaving" not in self._tallies:
                    self._scout(matchings.inference, shaving)
                    if self._verdict is Verdict.AMBIGUOUS:
                        return
                if not self._step(name, level):
                    self._verdict = Verdict.IMPOSSIBLE
                    return
                if self._progress or assigning.all_assigned:
                    break
                self._left.setdefault(name, self._domains.copy())
            else:
                if self._top == LEVELS[-1]:
                    self._search(matchings.inference)
                return
        self._keep(self._domains)
        self._verdict = Verdict.UNIQUE

    def _step(self, name: LevelName, level: Steps) -> bool:
        """A step, counted, even when it is cut off in the middle."""
        self._climb_to(name)
        inference = self._inference
        assert inference is not None
        mark = len(inference.trail)
        try:
            return level.step()
        finally:
            before = dict(reversed(inference.changes(mark)))  # the first of each variable
            removed = sum((mask & ~self._domains[x]).bit_count() for x, mask in before.items())
            placed = sum(mask.bit_count() > 1 == self._domains[x].bit_count() for x, mask in before.items())
            self._progress = removed > 0
            tally = self._tallies[name]
            self._tallies[name] = Tally(tally.steps + self._progress, tally.removed + removed, tally.placed + placed)

    def _scout(self, matchings: MAC, shaving: Shaving) -> None:
        """Search for solutions before shaving: a value of a solution need not be tried.

        With a second solution there is nothing to grade. It may cost as many guesses as a round of shaving has trials.
        """
        self._climb_to("shaving")
        trials = sum(self._domains[x].bit_count() for x in matchings.open_at_root())
        walk = Walk(matchings, DEFAULT, trials, self._look, 0)
        for solution in self._walked(walk, matchings)[0]:
            shaving.spare(solution)
        if len(self._solutions) == 2 and self._top == LEVELS[-1]:
            self._climb_to("search")
            self._tree, self._verdict = walk, Verdict.AMBIGUOUS
            self._tallies["search"] = Tally(walk.nodes)

    def _search(self, matchings: MAC) -> None:
        self._climb_to("search")
        walk = self._tree = Walk(matchings, DEFAULT, self._most, self._look, 0)
        try:
            found, complete = self._walked(walk, matchings)
        finally:
            self._tallies["search"] = Tally(walk.nodes)
        if len(self._solutions) == 2:
            self._verdict = Verdict.AMBIGUOUS
        elif not complete:
            self.limit = "nodes"
        elif not self._solutions:
            self._verdict = Verdict.IMPOSSIBLE
        else:
            self._verdict = Verdict.UNIQUE
            self._domains = found[0]

    def _walked(self, walk: Walk, matchings: MAC) -> tuple[list[list[int]], bool]:
        """The solutions of a walk that ends with the second one, as masks, and whether there are no others.

        The domains are restored.
        """
        found: list[list[int]] = []
        bottom = len(matchings.trail)
        try:
            while walk.advance():
                found.append(matchings.domains.copy())
                if self._keep(found[-1]):
                    return found, False
        except NodesReached:
            return found, False
        finally:
            matchings.retract(0, bottom)
        return found, True

    def _keep(self, domains: list[int]) -> bool:
        """Keep a solution; True when there are two different ones."""
        assert self._network is not None
        values = (self._network.decode(mask)[0] for mask in domains)
        assignment = dict(zip(self._network.variables, values, strict=True))
        self._solutions.setdefault(self._read(assignment), assignment)
        return len(self._solutions) == 2

    def _climb_to(self, name: LevelName) -> None:
        self._reached = max(self._reached, name, key=LEVELS.index)
        self._tallies.setdefault(name, Tally())

    def _look(self) -> None:
        self._ask()
        if self._deadline.expired():
            raise LimitReached("seconds")
        if self._on_progress is not None and (now := perf_counter()) - self._reported >= PROGRESS_SECONDS:
            self._reported = now
            self._on_progress(self.grade())

    def grade(self) -> Grade:
        """What is known now."""
        left: dict[LevelName, Domains] = {name: self._decoded(masks) for name, masks in self._left.items()}
        domains = self._csp.domains if self._network is None else self._decoded(self._domains)
        if self._verdict is Verdict.UNIQUE:
            left |= dict.fromkeys(LEVELS[LEVELS.index(self._reached) :], domains)
        return Grade(
            self._verdict, self._reached, dict(self._tallies), left, domains,
            0 if self._tree is None else self._tree.depth, tuple(self._solutions.values()), self.limit, self.statistics,
        )  # fmt: skip

    def _decoded(self, masks: list[int]) -> Domains:
        """Domains as values in the order given; equal masks of several levels are decoded once."""
        network = self._network
        assert network is not None
        found = {}
        for x, (variable, values) in enumerate(self._csp.domains.items()):
            mask = masks[x]
            if mask == network.domains[x]:
                found[variable] = values
                continue
            if (x, mask) not in self._known:
                bits = network.given(x, mask)
                self._known[x, mask] = tuple(network.values[bit.bit_length() - 1] for bit in bits)
            found[variable] = self._known[x, mask]
        return found
