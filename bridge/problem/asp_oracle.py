"""The oracle of a clingo program: which of its rules and facts can hold together, and with which values of variables?

- A **premise** is an instance of a rule, or a fact, with its place in the program; or the value of a variable.
- Statements marked `always` in a comment are never premises, and neither are the choices themselves: only their bounds.

`bridge.problem.asp` says which statements get a switch, and what a variable is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from time import perf_counter
from typing import Any, ClassVar, NotRequired

from bridge.as_json import Json, Key
from bridge.asp import Program
from bridge.asp.decode import encode, written
from bridge.asp.ground_rules import GroundRules
from bridge.asp.model import Model
from bridge.asp.reading.names import Switching, filled, instance_name
from bridge.asp.reading.outline import Kind, Outline, Signature, Statement
from bridge.asp.types import SWITCH, Assumption, OpenBlock
from bridge.common.english import bound, how_ended
from bridge.common.slips import is_slip, meant
from bridge.common.texts import split_outside
from bridge.errors import LimitError, Place
from bridge.limits import UNLIMITED, Deadline, Limits
from bridge.outcome import Count, Outcome, Stream
from bridge.problem.questions import COMMON, Reply

#: The kinds of statements that a single rule is combined with.
GIVEN = ("fact", "definition", "disjunction", "external")

#: The key of a premise that is a plain fact: it has no switch.
PLAIN: tuple[str, tuple[Any, ...]] = ("", ())

#: With more rules than these, single ones are tried only when they are in the solver's core.
MOST_RULES = 20


@dataclass(frozen=True, slots=True)
class StatementPremise(Json):
    """A rule, an instance of a rule, or a fact."""

    #: The name that a comment gives it, the fact as clingo writes it, or the place.
    name: str
    #: Where it stands: kind, place and text.
    statement: Statement = field(compare=False, repr=False)
    #: What a comment says of it; empty if there is none.
    sentence: str = field(compare=False, repr=False)
    #: The arguments of its switch.
    key: tuple[str, tuple[Any, ...]] = field(repr=False)
    #: Of an instance of a rule: the values of its variables, as clingo writes them.
    bindings: tuple[tuple[str, str], ...] = field(default=(), compare=False)
    #: Further statements of the same name: the rule is all of them together.
    others: tuple[Statement, ...] = field(default=(), compare=False, repr=False)
    #: File and line, and the column where the line has several statements.
    where: str = field(default="", compare=False, repr=False)

    @property
    def statements(self) -> tuple[Statement, ...]:
        return (self.statement, *self.others)

    @property
    def kind(self) -> Kind:
        return self.statement.kind

    @property
    def place(self) -> Place:
        return self.statement.place

    @property
    def text(self) -> str:
        return self.statement.text

    @property
    def is_fact(self) -> bool:
        return self.kind == "fact"

    @property
    def unnamed(self) -> bool:
        """Whether it is called by its place."""
        return self.name == self.where

    def __str__(self) -> str:
        return self.name

    def __lt__(self, other: StatementPremise) -> bool:
        """By file, line and name."""
        return self._order < other._order

    @property
    def _places(self) -> list[Place]:
        return [one.place for one in self.statements] if self.others else []

    @property
    def _order(self) -> tuple[str, int, int, str]:
        return self.place.file or "", self.place.line or 0, self.place.column or 0, self.name

    _json = (
        *COMMON,
        Key("lines", NotRequired[list[int | None]], lambda self: [one.line for one in self._places] or None),
        Key("places", NotRequired[list[str]], lambda self: list(map(str, self._places)) or None),
        Key("bindings", NotRequired[dict[str, str]], lambda self: dict(self.bindings) or None),
    )


@dataclass(frozen=True, slots=True, order=True)
class AtomFact:
    """That an atom holds, or when not `holds`, that it does not: the value of a variable."""

    atom: str
    holds: bool = True

    is_fact: ClassVar[bool] = True

    def negated(self) -> AtomFact:
        return AtomFact(self.atom, not self.holds)

    def to_json(self) -> str:
        return str(self)

    def step_json(self) -> dict[str, Any]:
        """The fact as a step of an explanation has it."""
        return {"atom": self.atom, "holds": self.holds}

    def __str__(self) -> str:
        return self.atom if self.holds else f"not {self.atom}"


@dataclass(frozen=True, slots=True)
class OpenFacts:
    """The plain facts of a predicate, but for some, as one premise of a question: they may be very many."""

    signature: Signature
    away: frozenset[StatementPremise] = frozenset()

    is_fact: ClassVar[bool] = True
    kind: ClassVar[Kind] = "fact"

    def holds_of(self, premise: Any) -> bool:
        """Whether a premise is one of them."""
        plain = isinstance(premise, StatementPremise) and premise.key == PLAIN
        return plain and self.signature in premise.statement.heads and premise not in self.away

    def without(self, away: Collection[Any]) -> OpenFacts:
        """All of them but for some."""
        gone = frozenset(filter(self.holds_of, away))
        return OpenFacts(self.signature, self.away | gone) if gone else self


#: What a question may have.
Asked = StatementPremise | OpenFacts | AtomFact


#: Premises that cannot hold together.
Core = tuple[StatementPremise | AtomFact, ...]

#: The values of variables, by their names: terms, or True and False.
Assignment = Mapping[str, Any]


class ProgramOracle:
    """Answers questions about the rules, facts and variables of a program (`bridge.problem.questions`).

    Premises are the statements that `switching` says, or none. `deadline` is the end of all questions, `grounding` that
    of grounding: LimitError when the program is not ground in time. `fixed` are statements that would be premises if
    the program could be ground with switches for them; `met` are the premises that have been in a core; `calls` is the
    number of questions so far.
    """

    def __init__(
        self,
        problem: Any,  # an AspProblem, which imports this module
        switching: Switching | None,
        deadline: Deadline | None = None,
        *,
        fixed: tuple[Statement, ...] = (),
        grounding: Deadline | None = None,
    ) -> None:
        self.calls, self.fixed = 0, fixed
        self.met: set[StatementPremise] = set()
        self._deadline = deadline or Deadline(None)
        self._outline: Outline = problem.outline
        self._all_shown = switching is not None and switching.show_all
        self._limited: Callable[[Limits], Limits] = problem.backend.limited
        self._where: Callable[[Place], str] = problem.backend.where
        end = grounding or self._deadline
        started = perf_counter()
        self._program: Program = problem.program(switching, end.within(UNLIMITED))
        try:
            # Of a program without switches, no atom has this name: it is ground all the same.
            literals = self._program.literals(SWITCH, 2, limits=self._limited(end.within(UNLIMITED)))
        except BaseException:
            self.close()
            raise
        if switching is None or switching.rest:  # else it has few of the facts
            problem.grounding_seconds = problem.grounding_seconds or perf_counter() - started
        self._literal: dict[StatementPremise, int] = dict(self._premises(literals))
        if switching is not None:
            self._literal.update(self._external_premises(problem, end))
        self._premise: dict[Assumption, StatementPremise] = {number: one for one, number in self._literal.items()}
        self._open = [OpenFacts(one) for one in (switching and switching.facts) or ()]
        self._known_facts = set[StatementPremise]()
        self._all_open = not self._open  # whether each open fact is among the premises
        self._reading: _Reading | None = None

    def _premises(self, literals: Mapping[tuple[Any, ...], int]) -> list[tuple[StatementPremise, int]]:
        known = self._outline.statements
        by_key: dict[str, list[Statement]] = {}
        for statement in known:
            by_key.setdefault(statement.key, []).append(statement)
        for statement in known:
            by_key.setdefault(str(statement.place), [statement])
        place = {statement: number for number, statement in enumerate(known)}
        found = [(_premise(*by_key[key[0]], key=key, where=self._where), literal) for key, literal in literals.items()]
        return sorted(found, key=lambda item: (self._rank(item[0]), place[item[0].statement], item[0].name))

    def _external_premises(self, problem: Any, end: Deadline) -> Iterator[tuple[StatementPremise, int]]:
        """That external atoms are true or false: they are open now, but where premises say so."""
        stating: dict[Signature, list[Statement]] = {}
        for one in problem.outline.externals:
            for of in one.heads if one.in_question else ():
                if problem.steps is None or of != ("query", 1):
                    stating.setdefault(of, []).append(one)
        if not stating:
            return
        limits = self._limited(end.within(UNLIMITED))
        for atom, literal, value in self._program.inside(limits).free_externals(sorted(stating)):
            first, *others = stating[signature(atom)]
            how = "it is set by assign_external" if atom in problem.externals else ""
            how = how or ("its statement says so" if value else "nothing sets it")
            name, where = f"{atom} is {'true' if value else 'false'}", self._where(first.place)
            key = (str(first.place), (atom, value))
            yield StatementPremise(name, first, how, key, others=tuple(others), where=where), literal * (value or -1)

    def _rank(self, premise: StatementPremise | OpenFacts) -> int:
        if isinstance(premise, OpenFacts):
            files = [facts.file for facts in self._outline.facts if premise.signature in facts.signatures]
            return 0 if self._with_rules.issuperset(files) else 2
        if premise.is_fact:
            return 0 if premise.place.file in self._with_rules else 2
        return 1 if premise.kind in GIVEN else 3

    @cached_property
    def _with_rules(self) -> set[str | None]:
        """The files that have rules: their facts are domain facts."""
        return {statement.place.file for statement in self._outline.statements if statement.kind != "fact"}

    @property
    def in_question(self) -> tuple[StatementPremise | OpenFacts, ...]:
        """The premises that are rules and facts: domain facts, definitions, then facts of instance files, then rules.

        Each in the order of the program; plain facts of a predicate are one `OpenFacts`.
        """
        eager = [premise for premise in self._literal if premise.key != PLAIN]
        return tuple(sorted([*eager, *self._open], key=self._rank))

    @property
    def premises(self) -> tuple[StatementPremise, ...]:
        """As `in_question`, with each plain fact."""
        if not self._all_open:
            self._take_facts(self._program.inside(self.within()).open_facts(None))
            self._all_open = True
        return tuple(sorted(self._literal, key=self._rank))

    def _take_facts(self, atoms: Iterable[tuple[str, int]]) -> None:
        """Make premises of some plain facts, each with its literal."""
        new = {literal: atom for atom, literal in atoms if literal not in self._premise}
        stated = self._outline.stating(new.values()) if new else {}
        for literal, atom in new.items():
            statement, *others = stated[atom]
            where = self._where(statement.place)
            premise = StatementPremise(f"{atom}.", statement, "", PLAIN, others=tuple(others), where=where)
            self._premise[literal], self._literal[premise] = premise, literal

    # Questions

    def ask(self, premises: Iterable[Asked]) -> Reply[Any, Model]:
        """Whether these premises can hold together, with any of the others. If not, a core; no answer comes with it."""
        self.calls += 1
        if self._deadline.expired():
            return Reply(None, limit="seconds")
        given, known = self._assumed(premises)
        satisfiable, found, limit = self._program.consistent(given, limits=self.within())
        if facts := [one for one in found if one not in known and one not in self._premise]:
            self._take_facts(self._program.inside(self.within()).open_facts(list(facts)))
        core = tuple(known[one] if one in known else self._premise[one] for one in found)
        self.met.update(premise for premise in core if isinstance(premise, StatementPremise))
        return Reply(satisfiable, core=core, limit=limit)

    def clash(self, premises: Sequence[Asked],
              on_better: Callable[[Core, bool], object] | None) -> tuple[Core, bool] | None:
        """A small clash of some premises, and whether it is proved minimal; None when they can hold together.

        Each rule is tried with all that is not a rule first: people see such a clash. `on_better` is called with each
        clash that is smaller than those before. LimitError where a limit comes before one is known.
        """
        asked, known = self._assumed(premises)
        rules = [literal for literal, premise in known.items() if _is_rule(premise)]

        def named(literals: Iterable[Any], facts: Mapping[Any, str]) -> Core:
            self._take_facts((atom, literal) for literal, atom in facts.items())
            return tuple(self._premise[one] if one in facts else known[one] for one in literals)

        found: tuple[Core, bool] | None = None
        questions, together = self.calls, False
        self.calls += 1
        limits = self.within()
        with self._program.clashes(asked, rules, most_rules=MOST_RULES, limits=limits) as cores:
            for core in cores:
                self.calls = questions + core.questions
                self.met.update(one for one in named(core.met, {}) if isinstance(one, StatementPremise))
                if core.satisfiable is False and (core.literals or core.minimal):
                    before, found = found, (named(core.literals, core.facts), core.minimal)
                    if on_better is not None and found != before:
                        on_better(*found)
                together = core.satisfiable is True
        if found is None and not together:
            raise LimitError(how_ended(cores.limit or 'seconds', "before the answer"))
        return found

    def holds(self, premises: Iterable[Asked]) -> bool:
        """Whether they can hold together; LimitError when a limit comes first."""
        reply = self.ask(premises)
        if reply.satisfiable is None:
            raise LimitError(how_ended(reply.limit, "before the answer"))
        return reply.satisfiable

    def models(self, premises: Iterable[Asked], limits: Limits = UNLIMITED) -> Iterator[Model]:
        """Answer sets that show different atoms, as they are found.

        Raises LimitError, in the iteration, when a limit other than that on solutions comes first.
        """
        self.calls += 1
        if self._deadline.expired():
            raise LimitError("the limit on seconds came before the end")
        assumed, _ = self._assumed(premises)
        with self._program.models(assuming=assumed, project="show", limits=self.within(limits)) as found:
            yield from found
        _check_end(found)

    def is_unique(self, premises: Iterable[Asked]) -> bool:
        """Whether exactly one answer set, by what is shown, has the premises; no answer set is read.

        Raises LimitError when a limit other than that on solutions comes first.
        """
        self.calls += 1
        assumed, _ = self._assumed(premises)
        found = self._program.count(assuming=assumed, project="show", limits=self.within(Limits(solutions=2)))
        _check_end(found)
        return found.number == 1

    def solutions(self, premises: Iterable[Asked], limits: Limits = UNLIMITED) -> Iterator[Assignment]:
        """Answers as values of the variables, as they are found; see `models`."""
        reading = self.reading  # while models are gone through, nothing can be asked
        for model in self.models(premises, limits):
            yield reading.values_in(model)

    def possible(self, premises: Iterable[Asked]) -> dict[str, set[Any]] | None:
        """The values that each variable has in some answer; none at all when there is no answer.

        None when a limit came first.
        """
        self.calls += 1
        assumed, _ = self._assumed(premises)
        found: list[Model] = []
        for question in (self._program.brave, self._program.cautious):
            if self._deadline.expired():
                return None
            outcome: Outcome[Model] = question(assuming=assumed, limits=self.within())
            if not outcome.complete:
                if outcome.limit != "seconds":
                    _check_end(outcome)
                return None
            if not outcome.solutions:
                return {}
            found.append(outcome.solutions[-1])
        some, every = map(self.reading.texts_of, found)
        possible: dict[str, set[Any]] = {}
        for variable, values in self.reading.variables.items():
            here = {value for value, atom in values.items() if atom in some}
            if variable in self.reading.functional:
                possible[variable] = here
            else:
                possible[variable] = ({True} if here else set()) | (set() if values[True] in every else {False})
        return possible

    # Variables

    def candidates(self) -> dict[str, tuple[Any, ...]] | None:
        """The values that each variable has in some answer, in order; None when a limit came first."""
        found = self.possible([])
        if found is None:
            return None
        return {one: tuple(sorted(values, key=term_order)) for one, values in found.items()}

    @property
    def warnings(self) -> tuple[str, ...]:
        """What clingo warns of in the program, a line each."""
        return warnings_of(self._program)

    @property
    def reading(self) -> _Reading:
        """What the variables are."""
        if self._reading is None:
            self._reading = _Reading(self._outline, self._program.literals, self._all_shown)
        return self._reading

    def fact(self, variable: str, value: Any, holds: bool = True) -> AtomFact:
        """That a variable has a value, or when not `holds`, that it does not."""
        found = self.reading.fact(variable, value)
        return found if holds else found.negated()

    def solution(self, premises: Iterable[Asked]) -> Assignment | None:
        """An answer in which the premises hold, as values of the variables; LimitError when a limit comes first."""
        return next(self.solutions(premises, Limits(solutions=1)), None)

    def order(self, value: Any) -> Any:
        """A key to sort values by."""
        return term_order(value)

    # Premises

    def ordered(self, premises: Iterable[Any]) -> tuple[Any, ...]:
        """Rules, then facts, each in the order of the program; values of variables last."""
        chosen = dict.fromkeys(premises)
        rules = sorted(one for one in chosen if isinstance(one, StatementPremise) and not one.is_fact)
        facts = sorted(one for one in chosen if isinstance(one, StatementPremise) and one.is_fact)
        return (*rules, *facts, *(one for one in chosen if not isinstance(one, StatementPremise)))

    def near(self, premises: Sequence[Any], core: Sequence[Any]) -> Iterator[list[Any]]:
        """Each constraint and choice with all facts and definitions; of very many only those of the core."""
        rules = [premise for premise in premises if _is_rule(premise)]
        if len(rules) > MOST_RULES:
            rules = [premise for premise in core if _is_rule(premise)]
        given = [premise for premise in premises if not _is_rule(premise)]
        for rule in rules[:MOST_RULES]:
            yield [*given, rule]

    def within(self, limits: Limits = UNLIMITED) -> Limits:
        """Limits that end no later than the oracle's deadline."""
        return self._limited(self._deadline.within(limits))

    def ground_rules(self) -> GroundRules:
        """The ground program, with switches; LimitError when a limit comes first."""
        return self._program.inside(self.within()).ground_rules("")

    def close(self) -> None:
        self._program.close()

    def _assumed(self, premises: Iterable[Asked]) -> tuple[list[Any], dict[Any, StatementPremise | AtomFact]]:
        """What to assume: literals, those that are no blocks each with its premise.

        A literal is a number, or the text of one whose atom is not shown.
        """
        assumed: dict[Assumption | OpenBlock, None] = {}
        known: dict[Assumption, StatementPremise | AtomFact] = {}
        premises = list(premises)
        self._look_up(premises)
        for premise in premises:
            if isinstance(premise, OpenFacts):
                away = sorted(filter(None, (self._literal.get(one) for one in premise.away)))
                assumed[OpenBlock(*premise.signature, tuple(away))] = None
                continue
            if isinstance(premise, StatementPremise):
                if premise not in self._literal:
                    continue  # it was never ground, because nothing breaks it
                literal: Assumption = self._literal[premise]
            else:
                number = self.reading.literals.get(premise.atom, 0)
                literal = (number if premise.holds else -number) or str(premise)
            assumed[literal], known[literal] = None, premise
        return list(assumed), known

    def _look_up(self, premises: Iterable[object]) -> None:
        """Find the literals of plain facts that another oracle of the program has named."""
        if not self._open:
            return
        facts: list[Any] = []
        for premise in premises:
            facts += premise.away if isinstance(premise, OpenFacts) else [premise]
        new = [one for one in facts if getattr(one, "key", None) == PLAIN and one not in self._known_facts]
        if new:
            self._known_facts.update(new)
            atoms = [one.name.removesuffix(".") for one in new if one not in self._literal]
            self._take_facts(self._program.inside(self.within()).open_facts(list(atoms)))


def _check_end(found: Stream[Model] | Outcome[Model] | Count) -> None:
    """Refuse what was found when the search did not come to its end, nor to the limit on solutions."""
    if not found.complete and found.limit != "solutions":
        remark = getattr(found, "remark", None)  # such as that of the option --solve-limit
        error = LimitError(remark or how_ended(found.limit, "before the end"))
        error.limit = found.limit or ("nodes" if remark else "interrupt")
        raise error


def warnings_of(program: Program) -> tuple[str, ...]:
    """What clingo has warned of so far, a line each, with the place first."""
    return one_lines(program.warnings)


def one_lines(warnings: Iterable[str]) -> tuple[str, ...]:
    """Warnings of clingo, a line each."""
    # clingo's names for a text differ, by the way in which it was loaded.
    lines = (" ".join(one.split()) for one in warnings)
    return tuple(dict.fromkeys(line.replace("<block>:", "<string>:") for line in lines))


#: What clingo's remarks say of the program.
_MEANS = (
    ("operation undefined", ": this has no value, so such an instance of the rule is left out"),
    ("interval undefined", ": both ends have to be integers, so such an instance of the rule is left out"),
    ("tuple ignored", ": the first term of a tuple is its weight, and has to be an integer"),
    ("global variable in tuple", ": the body binds it outside of the braces, so it has one value there"),
    ("no atoms over signature", ": nothing derives it, so this shows nothing"),
)


def hinted(warnings: Iterable[str], outline: Outline) -> Iterator[str]:
    """What clingo warns of; of an atom that is in no rule head, with the predicate that is perhaps meant.

    That is one with the same name or a slip of it, and not one that is derived from the atom.
    """
    for warning in warnings:
        more = next((words for what, words in _MEANS if what in warning), "")
        _, undefined, atom = warning.partition("atom does not occur in any rule head: ")
        heads = outline.given.union(*(one.heads for one in outline.statements))
        own = signature(atom)
        above = frozenset[Signature]().union(*(one.heads for one in outline.statements if own in one.body))
        found = [one for one in meant(own, heads - above) if _is_near(own[0], one[0])] if undefined else []
        other = " or ".join(f"{name}/{number}" for name, number in found)
        yield f"{warning} (did you mean {other}?)" if other else warning + more


def _is_near(name: str, other: str) -> bool:
    return name.lstrip("-") == other.lstrip("-") or is_slip(name, other)


def signature(atom: str) -> Signature:
    """Name and arity of an atom as clingo writes it."""
    name, opened, rest = atom.partition("(")
    if not opened:
        return name, 0
    return name, len(split_outside(rest[:-1], ","))


class _Reading:
    """The variables of a ground program: names, values and atoms."""

    def __init__(self, outline: Outline, literals: Any, chosen: bool = False) -> None:
        defined = {head for statement in outline.statements for head in statement.heads} | outline.given
        shown = defined if outline.shown is None else set(outline.shown)
        if chosen:
            makers = (one for one in outline.statements if one.kind in ("choice", "disjunction"))
            shown |= {head for statement in makers for head in statement.heads}
        self._shown = sorted(shown)
        self._values = dict(_functional(outline))
        self.literals: dict[str, int] = {}
        #: For each variable its values, each with its atom.
        self.variables: dict[str, dict[Any, str]] = {}
        #: Those that have exactly one of their values, not just True or False.
        self.functional: set[str] = set()
        #: Of each atom its text, the variable and its value: to write an atom takes longer than to find it. A text and
        #: a constant are equal, and of two types.
        self._known: dict[tuple[str, tuple[Any, ...], tuple[type, ...]], tuple[str, str, Any]] = {}
        for name, arity in self._shown:
            found = literals(name, arity)
            for row in sorted(found, key=lambda row: [term_order(value) for value in row]):
                atom = written((name, row))
                self.literals[atom] = found[row]
                variable, value = self._read(name, row)
                self._known[name, row, tuple(map(type, row))] = atom, variable, value
                self.variables.setdefault(variable, {})[value] = atom
                if value is not True:
                    self.functional.add(variable)

    def _read(self, name: str, row: tuple[Any, ...]) -> tuple[str, Any]:
        positions = self._values.get((name, len(row)))
        if positions is None:
            return written((name, row)), True
        chosen = tuple(row[position] for position in positions)
        others = tuple(value for position, value in enumerate(row) if position not in positions)
        return written((name, others)), chosen[0] if len(chosen) == 1 else chosen

    def fact(self, variable: str, value: Any) -> AtomFact:
        values = self.variables[variable]
        return AtomFact(values[True], False) if value is False else AtomFact(values[value])

    def values_in(self, model: Model) -> Assignment:
        found: dict[str, Any] = dict.fromkeys(self.variables, False)
        for _, variable, value in self._atoms_of(model):
            if variable in found:
                found[variable] = value
        return found

    def texts_of(self, model: Model) -> set[str]:
        """The atoms of a model, as clingo writes them."""
        return {text for text, _, _ in self._atoms_of(model)}

    def _atoms_of(self, model: Model) -> Iterator[tuple[str, str, Any]]:
        for name, row in _atoms(model):
            known = self._known.get((name, row, tuple(map(type, row))))
            yield known or (written((name, row)), *self._read(name, row))


def _functional(outline: Outline) -> Iterator[tuple[Signature, tuple[int, ...]]]:
    """The predicates whose atoms one choice alone makes, one for each fact; and the positions of the value."""
    makers: dict[Signature, list[Statement]] = {}
    for statement in outline.statements:
        for head in statement.heads:
            makers.setdefault(head, []).append(statement)
    for head, (first, *others) in makers.items():
        given = all(one.kind == "fact" for used in first.body for one in makers.get(used, ()))
        if first.values and given and not others:
            yield head, first.values


def term_order(value: Any) -> Any:
    """A key to sort terms by: False and True, numbers, tuples by their arguments, then others as clingo writes them."""
    if isinstance(value, bool):
        return 0, value, ""
    if isinstance(value, int):
        return 1, value, ""
    if isinstance(value, tuple):
        return 2, len(value), [term_order(each) for each in value]
    return 3, 0, encode(value)


def _atoms(model: Model) -> Iterator[tuple[str, tuple[Any, ...]]]:
    for name in model:
        if name and name != SWITCH:
            for row in model[name]:
                yield name, row


def _is_rule(premise: Any) -> bool:
    return isinstance(premise, StatementPremise) and premise.kind not in GIVEN


def _premise(statement: Statement, *others: Statement, key: tuple[str, tuple[Any, ...]],
             where: Callable[[Place], str]) -> StatementPremise:
    pattern, values = key
    comment, place = statement.name, where(statement.place)
    named = comment is not None and comment.use == "named"
    bindings: tuple[tuple[str, str], ...] = ()
    if statement.kind == "fact" and values and not (comment and comment.terms):
        name = f"{encode(values[0])}."
    elif statement.kind == "fact" and not named:
        name = statement.text
    elif pattern == str(statement.place) and values:  # an instance of a rule
        bindings = tuple(zip(statement.variables, map(encode, values), strict=False))
        name = f"{place}{bound(bindings, ' with ')}"
    elif named and pattern == statement.key:
        name = instance_name(pattern, values)
    else:
        name = place
    of_name = comment is not None and pattern == statement.key
    sentence = filled(comment, values) if comment is not None and of_name else comment.sentence if comment else ""
    return StatementPremise(name, statement, sentence, key, bindings, others, place)
