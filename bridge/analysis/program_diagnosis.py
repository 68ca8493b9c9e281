"""The diagnosis of a clingo program, and what its answer sets leave open: as text and as JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, NotRequired, TypedDict

from bridge.analysis.diagnosis import PROGRAM, Lines, RuleDiagnosis, Variant, placed
from bridge.analysis.repairs import SHOWN
from bridge.analysis.support import support_lines
from bridge.as_json import Key, short
from bridge.asp.decode import encode
from bridge.asp.model import Model
from bridge.asp.trace import Trace, Why
from bridge.common.english import LIMITS, bound, end_lines, listed, plural
from bridge.common.warned import WARNINGS
from bridge.outcome import Verdict
from bridge.problem.asp import AspProblem
from bridge.problem.asp_oracle import AtomFact, StatementPremise, hinted
from bridge.problem.residual import Residual

if TYPE_CHECKING:
    from bridge.analysis.ambiguity import Ambiguity
    from bridge.analysis.cores import Clash
    from bridge.analysis.repairs import Repairs
    from bridge.asp.reading.outline import Statement

#: The number of variables that are listed; the JSON has all.
LISTED = 4 * SHOWN


@dataclass(frozen=True, slots=True)
class ProgramResidual(Residual):
    """What the answer sets of a program leave open."""

    __repr__ = short

    def __str__(self) -> str:
        if not self.known:
            return f"what is open: not computed ({LIMITS[str(self.limit)]} came first)"
        if not self.open:
            return f"nothing is open: there is {'no' if self.contradiction else 'one'} answer set"
        return "\n".join(self.lines())

    def lines(self, noun: str = "answer set", ambiguity: Ambiguity | None = None) -> Iterator[str]:
        """What is open, with the number of answer sets of each value, and what is the same in all of them."""
        yield "open:"
        for name, values in list(self.open.items())[:LISTED]:
            counts = ambiguity.counts.get(name, {}) if ambiguity else {}
            texts = [
                f"{_term(one)} ({ambiguity.count_text(counts[one])})" if ambiguity and one in counts else _term(one)
                for one in values
            ]
            yield f"  {name}: {', '.join(texts)}"
        if len(self.open) > LISTED:
            yield f"  and {len(self.open) - LISTED} more"
        if same := [name if value is True else f"{name} = {_term(value)}" for name, value in self.backbone.items()]:
            more = f" and {len(same) - LISTED} more" if len(same) > LISTED else ""
            yield f"the same in all {noun}s: {', '.join(same[:LISTED])}{more}"

    @property
    def open_json(self) -> dict[str, list[Any]] | None:
        """What is open, the values as text."""
        return {name: list(map(value_text, values)) for name, values in self.open.items()} if self.known else None

    @property
    def backbone_json(self) -> dict[str, Any] | None:
        """What is the same in all answer sets, the values as text."""
        return {name: value_text(value) for name, value in self.backbone.items()} if self.known else None

    _json = (
        *Residual._json,
        "open=open_json",
        Key("backbone", NotRequired[dict[str, Any]], lambda self: self.backbone_json),
    )


class Unique(TypedDict):
    """Whether one answer set is left after a removal."""

    unique: bool


@dataclass(frozen=True, slots=True, repr=False)
class ProgramDiagnosis(RuleDiagnosis[Model]):
    """The diagnosis of a clingo program: its form as JSON and text.

    Attributes
    ----------
    instances
        The first clash again, each rule as the instances that are needed.
    variants
        The fewest changes, among those that were named, with which there is an answer set.
    fixed
        Facts and definitions that were not put in question, since it cannot be ground with switches for them.
    cost
        The least cost, by priority, the highest first, where only answer sets of least cost count.
    chain
        The first clash as steps, in lines: what follows, and what forbids that. None where propagation finds none.
    unsupported
        Of an atom that a constraint of the clash demands, and that nothing can derive: what its rules would need.
    """

    problem: AspProblem
    clashes: tuple[Clash[StatementPremise], ...] | None = None
    removals: Repairs[StatementPremise] | None = None
    residual: ProgramResidual | None = None
    additions: Repairs[AtomFact] | None = None
    instances: Clash[StatementPremise] | None = None
    variants: tuple[Variant, ...] | None = None
    fixed: tuple[Statement, ...] | None = None
    cost: tuple[int, ...] | None = None
    unsupported: Trace | None = None
    chain: tuple[str, ...] = ()

    _json = (
        PROGRAM,
        "verdict",
        Key("solutions", list[str], lambda self: list(map(str, self.solutions))),
        "clashes instances removals",
        Key("after", list[Unique] | None, lambda self: self.after and [{"unique": one.unique} for one in self.after]),
        "variants",
        Key("open", dict[str, list[Any]] | None, lambda self: self.residual and self.residual.open_json),
        Key("backbone", dict[str, Any] | None, lambda self: self.residual and self.residual.backbone_json),
        "ambiguity additions",
        Key("fixed", list[Lines], lambda self: placed((one.place, one.text) for one in self.fixed or ())),
        "limit notes questions cost",
        "chain",
        Key("unsupported", str | None, lambda self: self.unsupported and self.unsupported.wanted),
        Key("support", tuple[Why, ...] | None, lambda self: self.unsupported and self.unsupported.support),
        WARNINGS,
    )

    def __str__(self) -> str:
        parts = {
            Verdict.IMPOSSIBLE: (
                self._clashes,
                self._support,
                self._chain,
                self._instances,
                self._variants,
                self._removals,
                self._fixed,
            ),
            Verdict.AMBIGUOUS: (self._open, self._groups, self._additions),
        }
        if self.asked == "check":
            parts = {Verdict.IMPOSSIBLE: (self._clashes,), Verdict.AMBIGUOUS: (self._models, self._open)}
        lines = (line for part in parts.get(self.verdict, (self._models,)) for line in part())
        return "\n".join([*self._warnings(), self.sentence, *lines, *end_lines(self.limit, self.notes)])

    @property
    def sentence(self) -> str:
        cost = "" if self.cost is None else f" (cost {', '.join(map(str, self.cost))})"
        return f"{self._sentence(self._noun)}{cost}"

    @property
    def open_text(self) -> str:
        """What is open, and what is the same in all answer sets."""
        return "\n".join([*self._warnings(), *self._open()])

    @property
    def _noun(self) -> str:
        return "answer set" if self.cost is None else "optimal answer set"

    def _warnings(self) -> Iterator[str]:
        return hinted(self.warnings, self.problem.outline)

    def _models(self) -> Iterator[str]:
        for number, model in enumerate(self.solutions, 1):
            yield f"{self._noun} {number}" if len(self.solutions) > 1 else self._noun
            yield f"  {model}" if str(model) else "  (without an atom that is shown)"

    # Impossible

    def _clashes(self) -> Iterator[str]:
        if self.asked == "check":
            yield "`lpbridge diagnose` says why"
            return
        if self.clashes is None:
            yield from self._not_computed("what clashes")
            return
        for number, clash in enumerate(self.clashes):
            yield "nor can these:" if number else "these cannot hold together:"
            yield from clash.lines()
            yield from self._without_constraint([one for premise in clash.premises for one in premise.statements])

    def _without_constraint(self, statements: Sequence[Statement]) -> Iterator[str]:
        """Why rules and facts clash with no constraint among them: classical negation, or a circle through `not`."""
        rules = [one for one in statements if one.kind == "definition"]
        if not all(one.kind in ("definition", "fact") for one in statements):
            return
        heads = {signature for one in statements for signature in one.heads}
        for name, arity in sorted(heads):
            if name.startswith("-") and (name[1:], arity) in heads:
                both = f"{name[1:]}/{arity} and {name}/{arity} exclude each other"
                atom = f"{name}(...)" if arity else name
                yield f"{both}: an exception is `not {atom}` in the body of the rule for {name[1:]}"
        for one in rules:
            above = set(one.heads)
            while more := {up for each in rules if (each.body - each.negative) & above for up in each.heads} - above:
                above |= more
            for name, arity in sorted(one.negative & above):
                if re.search(rf"\bnot\s+{re.escape(name)}\b", one.text):
                    where = self.problem.backend.where(one.place)
                    words = f"{where} needs `not {name}`, and what it derives leads to it"
                    words += f" ({name}/{arity})"
                    yield f"{words}: a rule that is at odds with what follows from it leaves no answer set"

    def _chain(self) -> Iterator[str]:
        if self.chain:
            yield "step by step:"
            yield from self.chain

    def _support(self) -> Iterator[str]:
        if self.unsupported is not None:
            atom = self.unsupported.wanted
            yield f"nothing can derive {atom}:"
            yield from support_lines(self.unsupported, atom, lambda one: self.problem.backend.where(one.place))

    def _instances(self) -> Iterator[str]:
        if self.instances is not None:
            yield "the instances that clash:"
            yield from (f"  {rule.where}{bound(rule.bindings, ': ')}" for rule in self.instances.rules)

    def _variants(self) -> Iterator[str]:
        if self.variants == ():
            yield "none of the changes to try gives an answer set"
        for one in self.variants or ():
            changes = " and ".join(one.changes)
            exact = one.verdict is Verdict.UNIQUE
            there = "there is exactly one answer set" if exact else "there are several answer sets"
            yield f"{'' if changes.startswith('without ') else 'with '}{changes} {there}"

    def _removals(self) -> Iterator[str]:
        repairs = self.removals
        if repairs is None:
            yield from self._not_computed("what to take away")
        elif not repairs.sets and repairs.complete:
            yield "nothing in question can help"
        else:
            yield from repairs.removal_lines(("rule or fact", "rules or facts"), self._removal)
            if self.after and len(self.after) == len(repairs.sets) and not any(one.unique for one in self.after):
                yield f"{'each' if len(self.after) > 1 else 'that'} leaves several answer sets"

    def _removal(self, number: int, away: Sequence[StatementPremise]) -> str:
        unique = self.after is not None and number < len(self.after) and self.after[number].unique
        return f"{', '.join(map(_placed, away))}{'   then there is one answer set' if unique else ''}"

    def _fixed(self) -> Iterator[str]:
        if self.fixed:
            lines = sorted({self.problem.backend.where(one.place) for one in self.fixed})
            some = ", ".join(lines[:SHOWN]) + (f" and {len(lines) - SHOWN} more" if len(lines) > SHOWN else "")
            yield f"not put in question, since gringo needs them to ground the program: {some}"

    # Ambiguous

    def _open(self) -> Iterator[str]:
        if self.verdict in (Verdict.UNIQUE, Verdict.IMPOSSIBLE):
            return iter([f"nothing is open: there is {'one' if self.solutions else 'no'} {self._noun}"])
        if self.residual is None:
            return self._not_computed("what is open")
        return chain(self._choices(), self.residual.lines(self._noun, self.ambiguity))

    def _choices(self) -> Iterator[str]:
        """The choices that do not say how many atoms they choose, or say it of all together."""
        from bridge.asp.reading.context import head_signatures  # here, as it loads clingo
        from bridge.asp.reading.trees import choices_in, how_many, names_in, variables_of

        for file, node in ((one, node) for one in self.problem.backend.parsed() for node in choices_in(one.nodes)):
            number, outer = how_many(node.head), variables_of(node)
            together = number != "any number" and not outer and names_in(node.head.elements)
            if number and (together or not number.startswith("exactly")):
                names = listed(sorted({f"{name}/{arity}" for name, arity in head_signatures(node)}))
                each = f" for each {listed(outer)}" if outer else ""
                each = f" in all, over {listed(sorted(together))}" if together else each
                yield f"{self.problem.backend.where(file.source.place(node))}: chooses {number} of {names}{each}"

    def _groups(self) -> Iterator[str]:
        if self.ambiguity is None or self.ambiguity.groups is None:
            yield from self._not_computed("what varies together")
            return
        for group in self.ambiguity.groups[:SHOWN]:
            names = ", ".join(group.cells)
            ways = [" ".join(map(_term, row)) for row in group.ways[:SHOWN]] + ["..."] * (len(group.ways) > SHOWN)
            yield f"{names} vary together, in {len(group.ways)} ways: {'; '.join(ways)}"

    def _additions(self) -> Iterator[str]:
        repairs = self.additions
        if repairs is None:
            yield from self._not_computed("which facts to add")
        elif not repairs.sets:
            yield f"no set of up to {plural(repairs.size - 1, 'fact')} leaves exactly one {self._noun}"
        else:
            make = "one fact more leaves" if repairs.size == 1 else f"{repairs.size} facts more leave"
            yield f"{make} exactly one {self._noun}, one of these{' sets' if repairs.size > 1 else ''}:"
            yield from repairs.shown_lines([", ".join(map(str, one)) for one in repairs.sets])


def value_text(value: Any) -> Any:
    """The value of a variable as JSON has it: a truth value, a number, or a term as clingo writes it."""
    return value if isinstance(value, (bool, int)) else encode(value)


def _term(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value_text(value))


def _placed(premise: StatementPremise) -> str:
    """A rule or fact in a line: its name, and where it stands."""
    if premise.unnamed:
        text = premise.text if len(premise.text) <= 60 else f"{premise.text[:57]}..."
        return f"{premise.where}: {text}"
    return f"{premise}  ({premise.where})"
