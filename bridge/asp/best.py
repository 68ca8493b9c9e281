"""The answer sets of least cost one after the other, and what each pays for.

Each element of `#minimize`, `#maximize` and weak constraints becomes an atom; when all answer sets of a cost are found,
a constraint leaves only those that cost more. So clasp's own search finds each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from clingo.ast import AST, ASTType

from bridge.as_json import Json, Key
from bridge.asp.decode import encode
from bridge.asp.model import Model, without
from bridge.asp.reading.text import Text
from bridge.errors import Place, UnsupportedError
from bridge.limits import Deadline, Limits
from bridge.outcome import Interrupted, Outcome
from bridge.public import public

#: The atom of an element that costs, and that of a cost above the last one.
_PAID, _ABOVE = "__lpbridge_paid", "__lpbridge_above"


@public("bridge.asp")
@dataclass(frozen=True, slots=True)
class Paid(Json):
    """A tuple that an answer set pays for; as text as in the statement, `3@1,a,b  routes.lp:7:1`."""

    _json = "weight priority terms", Key("places", list[str], lambda one: [*map(str, one.places)])

    weight: int
    priority: int
    #: The tuple after the weight, as clingo writes it: `(a,b)`.
    terms: str
    #: The statements that have it.
    places: tuple[Place, ...]

    def __str__(self) -> str:
        terms = self.terms[1:-1].removesuffix(",")
        return f"{self.weight}@{self.priority}{terms and f',{terms}'}  {', '.join(map(str, self.places))}"


@public("bridge.asp")
@dataclass(frozen=True, slots=True)
class Priced:
    """An answer set, with what it pays for: the dearest first, by priority."""

    model: Model
    paid: tuple[Paid, ...]


class Elements:
    """What the statements of a program's texts minimise, as rules."""

    def __init__(self, texts: Iterable[Text]) -> None:
        self.rules, self.places, shows = list[str](), list[Place](), False
        for text in texts:
            for statement, (part, _) in zip(text.statements, text.keys, strict=True):
                if statement.ast_type is ASTType.Minimize:
                    self.rules.append(f"{part or '#program base.'}\n{self._rule(statement)}")
                    begin = statement.location.begin
                    self.places.append(Place(text.file or "<text>", begin.line, begin.column))
                shows = shows or statement.ast_type is ASTType.ShowSignature
        if shows:
            self.rules += ["#program base.", f"#show {_PAID}/4."]

    def _rule(self, statement: AST) -> str:
        terms = "".join(f"{term}," for term in statement.terms)
        body = "; ".join(map(str, statement.body))
        head = f"{_PAID}({statement.weight},{statement.priority},({terms}),{len(self.places)})"
        return f"{head} :- {body}." if body else f"{head}."

    def paid(self, model: Model) -> tuple[Paid, ...]:
        """The tuples that hold in a model, each once, by priority and weight."""
        found: dict[tuple[int, int, str], list[Place]] = {}
        for weight, priority, terms, number in model[_PAID]:
            if type(weight) is int and type(priority) is int:  # clingo takes no others into account
                found.setdefault((weight, priority, encode(terms)), []).append(self.places[number])
        ordered = sorted(found.items(), key=lambda one: (-one[0][1], -one[0][0], one[0][2]))
        return tuple(Paid(*key, tuple(places)) for key, places in ordered)


def _above(model: Model, number: int) -> str:
    """Rules by which only answer sets remain that cost more than a model: more at some priority, as much before it."""
    sums = [f"#sum {{ W,T : {_PAID}(W,{priority},T,_) }}" for priority in model.priorities]
    rules = []
    for at, cost in enumerate(model.cost):
        before = [f"{one} >= {least}" for one, least in zip(sums[:at], model.cost[:at], strict=True)]
        rules.append(f"{_ABOVE}({number}) :- {', '.join([*before, f'{sums[at]} > {cost}'])}.")
    return "\n".join([*rules, f":- not {_ABOVE}({number})."])


def best(
    opened: Callable[[str], Any],
    elements: Elements,
    number: int,
    limits: Limits,
    on_progress: Callable[[Model], object] | None,
) -> Outcome[Priced]:
    """As `asp.Program.best`, which opens the program with further rules."""
    if not elements.places:
        raise UnsupportedError("the program minimises nothing", hint="#minimize, #maximize, or a weak constraint `:~`")
    deadline, found = Deadline(limits.seconds), list[Priced]()

    def outcome(last: Outcome[Any], **changes: Any) -> Outcome[Priced]:
        return replace(last, solutions=tuple(found), **changes)

    def take(models: Sequence[Model]) -> None:
        found.extend(Priced(without(one, (_PAID, _ABOVE)), elements.paid(one)) for one in models)

    with opened("\n".join(elements.rules)) as program:
        for step in range(number + 1):
            within = replace(limits, seconds=deadline.remaining(), solutions=number - len(found))
            try:
                last = program.optimal(limits=within, on_progress=None if step else on_progress)
            except Interrupted as pressed:
                take([one for one in pressed.partial.solutions if one.proved])
                raise Interrupted(outcome(pressed.partial)) from None
            take([one for one in last.solutions if one.proved or not found])
            if last.limit is not None or not last.solutions or len(found) >= number:
                return outcome(last)
            program.add(_above(last.solutions[0], step), f"__lpbridge_{step}")
            program.ground((f"__lpbridge_{step}",))
    return outcome(last)
