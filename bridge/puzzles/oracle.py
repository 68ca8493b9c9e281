"""The oracle of an instance: which rules and facts can hold together?

- A **fact** is that a cell has a value, `r4c7=2`, or that it does not, `r4c7≠2`.
- A **premise** is a rule, by its name, or a fact. Rules and clues that are not among the premises need not hold.
- A **clue** is a fact; it holds where it is a premise.

Diagnosis, repair and explanation put questions of one form (`bridge.problem.questions`) to one ground program, many
hundred times. The program is the puzzle's encoding with a switch for each rule; each premise is one assumption.

    >>> from bridge.puzzles.kinds import parse
    >>> oracle = Oracle(parse("sudoku", "12.............."))
    >>> oracle.clues
    (Fact((1, 1), 1), Fact((1, 2), 2))
    >>> sorted(map(str, oracle.ask(["row 1", Fact((1, 2), 2), Fact((1, 4), 2)]).core))
    ['r1c2=2', 'r1c4=2', 'row 1']
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from bridge.common import how_ended
from bridge.errors import LimitError, UnsupportedError
from bridge.limits import UNLIMITED, Deadline, Limits
from bridge.outcome import Statistics
from bridge.problem import Reply
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.ground import Ground, ground_programs
from bridge.puzzles.kinds.models import AspForm, models
from bridge.puzzles.kinds.rules import Cell, Rule, Value, cell_name
from bridge.puzzles.names import is_named

Assignment = Mapping[Cell, Value]


@dataclass(frozen=True, slots=True, order=True)
class Fact:
    """A cell holds a value, or when not `holds`, it does not."""

    cell: Cell
    value: Value
    holds: bool = True
    #: What people call the cell, where it is not `r4c7`.
    name: str = field(default="", compare=False, repr=False)

    is_fact: ClassVar[bool] = True

    def negated(self) -> Fact:
        return Fact(self.cell, self.value, not self.holds, self.name)

    @property
    def variable(self) -> Cell:
        return self.cell

    @property
    def variable_name(self) -> str:
        return self.name or cell_name(self.cell)

    @property
    def label(self) -> str:
        """`clue r4c7=2`."""
        return f"clue {self}"

    def to_json(self) -> list[Value]:
        """Row, column and value."""
        return [*self.cell, self.value]

    def step_json(self) -> dict[str, Any]:
        """The fact as a step of an explanation has it."""
        return {"cell": list(self.cell), "value": self.value, "holds": self.holds}

    def __str__(self) -> str:
        return f"{self.name or cell_name(self.cell)}{'=' if self.holds else '≠'}{self.value}"

    def __repr__(self) -> str:
        return f"Fact({self.cell}, {self.value!r}{'' if self.holds else ', False'})"


RuleOrFact = str | Fact

#: With more rules than these, single ones are tried only when they are in the solver's core.
MOST_RULES = 100


class Oracle:
    """Answers about the rules and facts of one instance.

    Parameters
    ----------
    puzzle
        The instance. Of its clues only the shape is looked at: questions name the clues that are to hold.
    deadline
        When every question is to end; each may have limits of its own beside.
    own
        Ground a program for this oracle alone. Of one that is shared, models and cores depend on what was asked before.

    Attributes
    ----------
    rules
        The puzzle's rules by name, in its order.
    clues
        The instance's clues as facts, in reading order.
    values
        The values that a cell can have.
    domains
        The values that each cell can have as far as the grounder sees.
    calls
        How many questions have been asked: a measure of effort that is the same on every machine.

    Raises
    ------
    UnsupportedError
        When the encoding does not name the rules that the puzzle names.
    """

    def __init__(self, puzzle: Puzzle, deadline: Deadline | None = None, *, own: bool = False) -> None:
        self.puzzle = puzzle
        self.rules: dict[str, Rule] = {rule.name: rule for rule in puzzle.rules()}
        self.clues = tuple(Fact(cell, value) for cell, value in puzzle.clues().items())
        self.values = puzzle.values()
        self._name = models(puzzle).name
        self.calls = 0
        self.statistics = Statistics()
        self._deadline = deadline or Deadline(None)
        form = models(puzzle).switchable()
        limits = self.within()
        self._ground = Ground(form, limits) if own else ground_programs.take(form, self.statistics, limits)
        self._cell = self._ground.literals
        #: The values that each cell can have as far as the grounder sees.
        self.domains: dict[Cell, set[Value]] = {}
        for r, c, value in self._cell:
            self.domains.setdefault((r, c), set()).add(value)
        self._literal = dict(_switches(self._ground, form, self.rules))
        # Rules that other instances of the shape have; to leave them open would be true as well, and slower.
        asked_for = set(self._literal.values())
        self._off = [-literal for literal in self._ground.switches.values() if literal not in asked_for]
        # Clues that are rules: in a crossword whose words are placed, a letter that is given need not be in a word. A
        # clue that is not asked for is not given.
        self._given = [literal for premise, literal in self._literal.items() if isinstance(premise, Fact)]

    def ask(self, premises: Iterable[RuleOrFact], limits: Limits = UNLIMITED) -> Reply[RuleOrFact, Assignment]:
        """Can these premises hold together? If so a solution, if not a core."""
        self.calls += 1
        assumed = self._assumed(premises)
        if isinstance(assumed, Fact):
            return Reply(False, core=(assumed,))
        if self._deadline.expired():
            return Reply(None, limit="seconds")
        solved = self._ground.program.solve(assuming=self._all(assumed), limits=self.within(limits), refine=False)
        if solved.satisfiable is None:
            return Reply(None, limit=solved.limit)
        if solved.model is None:
            return Reply(False, core=tuple(assumed[int(literal)] for literal in solved.core if literal in assumed))
        return Reply(True, self._ground.values(solved.model))

    def holds(self, premises: Iterable[RuleOrFact]) -> bool:
        """Whether they can hold together.

        Raises
        ------
        LimitError
            When a limit comes first.
        """
        return self.solution(premises) is not None

    def possible(self, premises: Iterable[RuleOrFact], limits: Limits = UNLIMITED) -> dict[Cell, set[Value]] | None:
        """The values that each cell has in some solution (brave consequences); none at all when there is no solution.

        None when a limit came first.
        """
        self.calls += 1
        assumed = self._assumed(premises)
        if isinstance(assumed, Fact):
            return {}
        if self._deadline.expired():
            return None
        found = self._ground.program.brave(assuming=self._all(assumed), limits=self.within(limits))
        if not found.complete:
            return None
        possible: dict[Cell, set[Value]] = {}
        for r, c, value in found.solutions[-1][self._ground.answer] if found.solutions else ():
            possible.setdefault((r, c), set()).add(value)
        return possible

    def solutions(self, premises: Iterable[RuleOrFact], limits: Limits = UNLIMITED) -> Iterator[Assignment]:
        """Solutions as they are found, no two the same. While they are gone through, nothing else can be asked.

        Raises
        ------
        LimitError
            In the iteration, when a limit other than that on solutions comes first.
        """
        self.calls += 1
        assumed = self._assumed(premises)
        if isinstance(assumed, Fact):
            return
        if self._deadline.expired():
            raise LimitError("the limit on seconds came before the end")
        literals, limits = self._all(assumed), self.within(limits)
        with self._ground.program.models(assuming=literals, project="show", limits=limits) as models:
            for model in models:
                yield self._ground.values(model)
        if models.limit not in (None, "solutions"):
            raise LimitError(how_ended(models.limit, "before the end"))

    def ordered(self, premises: Iterable[RuleOrFact]) -> tuple[RuleOrFact, ...]:
        """Rules in the puzzle's order, then facts in reading order, with the names that people have for their cells."""
        place, premises = {name: i for i, name in enumerate(self.rules)}, tuple(premises)
        rules = sorted((one for one in premises if isinstance(one, str)), key=place.__getitem__)
        facts = sorted((one for one in premises if isinstance(one, Fact)), key=lambda one: (one.cell, one.holds))
        return (*rules, *map(self.named, facts))

    def named(self, fact: Fact) -> Fact:
        """The fact with the name that people have for its cell."""
        name = self._name(fact.cell)
        return fact if name == cell_name(fact.cell) else replace(fact, name=name)

    def near(self, premises: Sequence[RuleOrFact], core: Sequence[RuleOrFact]) -> Iterator[list[RuleOrFact]]:
        """Each rule with the facts about its cells; of very many rules only those of the core."""
        rules = [premise for premise in premises if isinstance(premise, str)]
        if len(rules) > MOST_RULES:
            rules = [premise for premise in core if isinstance(premise, str)]
        for name in rules:
            cells = set(self.rules[name].cells)
            yield [name, *(fact for fact in premises if isinstance(fact, Fact) and fact.cell in cells)]

    def fact(self, cell: Cell, value: Value, holds: bool = True) -> Fact:
        """That a cell has a value, or when not `holds`, that it does not."""
        return Fact(cell, value, holds)

    def solution(self, premises: Iterable[RuleOrFact]) -> Assignment | None:
        """A solution in which the premises hold, if there is one.

        Raises
        ------
        LimitError
            When a limit comes first.
        """
        reply = self.ask(premises)
        if reply.satisfiable is None:
            raise LimitError(how_ended(reply.limit, "before the answer"))
        return reply.answer

    def order(self, value: Value) -> int:
        """The position of a value among those that a cell can have."""
        return self.values.index(value)

    def _assumed(self, premises: Iterable[RuleOrFact]) -> dict[int, RuleOrFact] | Fact:
        """The literals to assume, each with its premise; or a fact that no assignment can have."""
        assumed: dict[int, RuleOrFact] = {}
        for premise in premises:
            literal = self._literal.get(premise)
            if literal is None:
                if premise in self.rules:
                    continue  # it was never ground, because nothing breaks it
                if isinstance(premise, str):
                    raise UnsupportedError(f"{self.puzzle.kind} has no rule {premise!r}")
                atom = self._cell.get((*premise.cell, premise.value))
                if atom is None:  # never ground, because nothing makes it true
                    if premise.holds:
                        return premise
                    continue
                literal = atom if premise.holds else -atom
            assumed[literal] = premise
        return assumed

    def _all(self, assumed: Mapping[int, RuleOrFact]) -> list[int]:
        """The literals to assume: those of premises, and that nothing else is on that would make a difference."""
        return [*assumed, *self._off, *(-literal for literal in self._given if literal not in assumed)]

    def look(self) -> None:
        """LimitError once the deadline has passed: for work between questions."""
        if self._deadline.expired():
            raise LimitError("the limit on seconds came before the next step was found")

    def within(self, limits: Limits = UNLIMITED) -> Limits:
        """Limits that end no later than the oracle's deadline."""
        return self._deadline.within(limits)


def _switches(ground: Ground, form: AspForm, rules: Mapping[str, Rule]) -> Iterator[tuple[RuleOrFact, int]]:
    """The literal of each rule; and of each clue that is a rule in the encoding."""
    on = ground.switches
    for name in rules:
        if name in on:
            yield name, on[name]
        elif not is_named(form.encoding, name, form.program):
            hint = "docs/adding-a-puzzle.md says how"
            raise UnsupportedError(f"{form.encoding} does not name the rule {name!r}", hint=hint)
    for r, c, value in form.clues:
        fact = Fact((r, c), value)
        if (literal := on.get(f"clue {fact}")) is not None:
            yield fact, literal
