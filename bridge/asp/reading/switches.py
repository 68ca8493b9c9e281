"""A program whose rules can be switched on and off: its syntax tree, rewritten.

A rule that is in question gets one more literal in its body, `__switch(NAME, VALUES)`: the name of the rule as its
comment has it (`reading.names`), or file and line of a statement that has no name, and the values of the terms in
the name's braces. Each such atom is a free external: assumed true, the rule holds; assumed false, it does not; left
alone, the solver chooses. So a core under assumptions is a set of rules that cannot hold together whatever else does,
which is a *strong inconsistency* (C. Mencia and J. Marques-Silva, *Reasoning about strong inconsistency in ASP*, 2020),
the notion that carries over to programs with negation.

- A constraint is in question as a whole.
- Of a choice, its bounds are: the choice itself stays, and the bounds become a constraint.
- Definitions and facts are in question only when they are asked for, since gringo can no longer evaluate what has a
  switch while it grounds.

The program that is only run is never rewritten.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import cast

import clingo
from clingo import ast
from clingo.ast import AST, ASTType

from bridge.asp.reading.messages import Messages
from bridge.asp.reading.names import RuleName, Switching
from bridge.asp.reading.outline import Facts, Signature
from bridge.asp.reading.parsed import Parsed
from bridge.asp.reading.trees import (
    atom_of,
    constants,
    equal,
    gives_and_needs,
    is_atom,
    is_choice,
    is_constraint,
    is_plain,
    names_in,
    parameters_of,
    tuple_of,
    variables_of,
)
from bridge.asp.types import SWITCH
from bridge.errors import Place, ProgramError


@dataclass
class Rewriter:
    """Rewrites statements, one after the other.

    `place_and_name` gives the place and the name of a statement. `rewritten` has rewritten statements, each by its
    identity, and what of the switching they depend on; it is to live no longer than they do.
    """

    switching: Switching
    place_and_name: Callable[[AST], tuple[Place, RuleName | None]]
    rewritten: dict[tuple[int, bool, bool, bool], list[AST]]
    _parameters: tuple[str, ...] = ()  # of the part to which the statement belongs

    def __post_init__(self) -> None:
        self._dropped, self._only = {*self.switching.dropped}, {*self.switching.only}

    def statement(self, statement: AST) -> Iterator[AST]:
        """What takes a statement's place: itself, where it is not in question."""
        kind = statement.ast_type
        if kind is ASTType.Program:
            self._parameters = parameters_of(statement)
        if kind is not ASTType.Rule:
            hidden = self.switching.show_all and kind in (ASTType.ShowSignature, ASTType.ShowTerm)
            if kind is not ASTType.Comment and not hidden:
                yield statement
            return
        place, name = self.place_and_name(statement)
        if name is not None and name.use == "implied" and not self.switching.implied:
            return
        if not self._dropped.isdisjoint((_key(name, place), str(place))):
            return
        if not self._in_question(statement, name, place):
            yield statement
            return
        definitions = self.switching.definitions and not (is_constraint(statement) or is_choice(statement))
        key = id(statement), self.switching.instances, definitions, self.switching.lenient
        if (rules := self.rewritten.get(key)) is None:
            rules = self.rewritten[key] = list(self._rewritten(statement, name, place))
        yield from rules

    def _rewritten(self, statement: AST, name: RuleName | None, place: Place) -> Iterator[AST]:
        """The rules that take a statement's place, each after the declaration of its switch."""
        for part in _in_parts(statement):
            if self.switching.definitions and _is_fact(part):
                for fact in _single(part):
                    yield from self._switched(fact, name, place, [fact.head.atom.symbol])
            elif is_constraint(part) or _is_theory(part) or (self.switching.definitions and not is_choice(part)):
                yield from self._switched(part, name, place)
            else:
                yield part

    def _in_question(self, statement: AST, name: RuleName | None, place: Place) -> bool:
        if name is not None and name.use != "named":
            return False
        if name is None and not self.switching.unnamed:
            return False
        if _is_theory(statement) and statement.head.term.name in _DIRECTIVES:
            return False
        return not self._only or _key(name, place) in self._only

    def _switched(self, rule: AST, name: RuleName | None, place: Place, atom: Sequence[AST] = ()) -> tuple[AST, AST]:
        """The declaration of a switch, and a rule with it in its body. Facts have their atom in it."""
        terms = [_term(text, name.place) for text in name.terms] if name is not None else list(atom)
        location, pattern = rule.location, _key(name, place)
        if self.switching.instances and not atom:
            pattern, terms = str(place), [ast.Variable(location, variable) for variable in variables_of(rule)]
            terms += constants(location, self._parameters)
        binding = _binding(rule.body, terms)
        if isinstance(binding, str):
            if name is not None and not self.switching.instances and not self.switching.lenient:
                raise ProgramError(
                    f"the name `{name.pattern}` has the variable {binding}, which the rule does not bind",
                    where=name.place,
                    hint="a variable in braces must occur in a positive literal of each statement's body",
                )
            pattern, terms, binding = str(place), [], []  # called by its place; an unsafe rule is clingo's to refuse
        key = [ast.SymbolicTerm(location, clingo.String(pattern)), tuple_of(location, terms)]
        switch = atom_of(location, SWITCH, key)
        (free,) = constants(location, ["free"])
        return ast.External(location, switch.atom, binding, free), rule.update(body=[*rule.body, switch])


def load(
    control: clingo.Control,
    program: Parsed,
    chosen: set[Signature],
    switching: Switching | None,
    theory: Callable[[AST, Callable[[AST], None]], None] | None,
    messages: Messages,
) -> None:
    """Give a program to clingo, its rules rewritten: with switches, then for a theory; plain facts as text.

    Open facts of the predicates in `chosen` are chosen: other statements have them in their heads, too, so that they
    cannot be external.
    """

    def give() -> None:
        if program.facts and switching is not None:
            messages.texts[program.file] = program.text
            control.add("base", [], _facts_as_text(program.facts, chosen, switching))
        rewriter = Rewriter(switching, program.place_and_name, program.rewritten) if switching is not None else None
        messages.loaded.next()
        new = (one for one in program.nodes if messages.loaded.is_new(one.location.begin.filename))
        _build(control, rewriter, theory, new)

    messages.load(control, "text", program.text, ("base", ()), give, program.file)


def _facts_as_text(facts: Facts, chosen: set[Signature], switching: Switching) -> str:
    """Plain facts, open ones as external atoms or as choices."""
    open_ = set(switching.facts or ())
    stated = set(facts.signatures) if switching.stated is None else set(switching.stated)
    forms = [
        "" if one not in stated else "fact" if one not in open_ else "choice" if one in chosen else "external"
        for one in facts.signatures
    ]
    away: set[str] = {key for key in switching.dropped if key.startswith(facts.file)}
    some = None if switching.some is None else {*facts.stating({*switching.some})}
    written: list[str] = []
    all_are_given = switching.rest and not away and all(forms)
    if all_are_given and (some is not None or set(forms) <= {"fact"}):  # there may be very many others
        written += facts.texts
        for number in some or ():
            written[number] = _open(facts.texts[number], forms[facts.predicates[number]])
        return "\n".join(written)
    for number in range(len(facts)) if switching.rest or some is None else sorted(some):
        text, form = facts.texts[number], forms[facts.predicates[number]]
        if not form or (away and str(facts.place(number)) in away):
            continue
        if some is not None and number not in some:
            form = "fact"
        written.append(_open(text, form))
    return "\n".join(written)


def _open(fact: str, form: str) -> str:
    """A plain fact as `external` atom or as `choice`; others as they are."""
    if form == "external":
        return f"#external {fact} [free]"
    return f"{{{fact[:-1]}}}." if form == "choice" else fact


def _build(
    control: clingo.Control,
    rewriter: Rewriter | None,
    theory: Callable[[AST, Callable[[AST], None]], None] | None,
    statements: Iterable[AST],
) -> None:
    """Add to a program what takes the place of some statements."""
    with ast.ProgramBuilder(control) as builder:
        for statement in statements:
            for one in [statement] if rewriter is None else rewriter.statement(statement):
                if theory is None:
                    builder.add(one)
                else:
                    theory(one, builder.add)


def _key(name: RuleName | None, place: Place) -> str:
    return name.pattern if name is not None else str(place)


#: Theory atoms in heads that say what is minimised and shown.
_DIRECTIVES = ("minimize", "maximize", "show")


def _is_theory(statement: AST) -> bool:
    """Is this a rule with a theory atom as head? `&diff { a - b } <= 3 :- c.` is a constraint on values."""
    return bool(statement.head.ast_type is ASTType.TheoryAtom)


def _in_parts(rule: AST) -> Iterator[AST]:
    """A choice with bounds as a choice without, and a constraint; any other rule as it is."""
    head = rule.head
    if head.ast_type not in (ASTType.Aggregate, ASTType.HeadAggregate) or head.left_guard is head.right_guard is None:
        yield rule
        return
    location = rule.location
    if head.ast_type is ASTType.Aggregate:
        elements = head.elements
        bounded = ast.Aggregate(location, head.left_guard, elements, head.right_guard)
    else:
        # `1 <= #sum { W, X : p(X) : q(X) }` chooses p(X) where q(X) holds, and bounds the sum over p(X), q(X).
        elements = [element.condition for element in head.elements]
        inside = [
            ast.BodyAggregateElement(element.terms, [element.condition.literal, *element.condition.condition])
            for element in head.elements
        ]
        bounded = ast.BodyAggregate(location, head.left_guard, head.function, inside, head.right_guard)
    yield rule.update(head=ast.Aggregate(location, None, elements, None))
    false = ast.Literal(location, ast.Sign.NoSign, ast.BooleanConstant(0))
    yield ast.Rule(location, false, [*rule.body, ast.Literal(location, ast.Sign.Negation, bounded)])


def _is_fact(rule: AST) -> bool:
    """A fact, of an atom that is not classically negated: `p(1..3).` is several."""
    head = rule.head
    return not rule.body and is_atom(head) and head.atom.symbol.ast_type in (ASTType.Function, ASTType.Pool)


def _single(fact: AST) -> Iterator[AST]:
    """A fact with pools and intervals as rules that have one atom an instance: `p(I) :- I = 1..3.`"""
    for one in fact.unpool():
        unrolled = _Unrolled()
        head = unrolled.visit(one.head)
        yield one.update(head=head, body=unrolled.body)


class _Unrolled(ast.Transformer):
    """Puts variables in place of intervals and of functions of scripts, which may have several values."""

    def __init__(self) -> None:
        self.body: list[AST] = []

    def visit_Interval(self, interval: AST) -> AST:
        return self._variable(interval)

    def visit_Function(self, function: AST) -> AST:
        return self._variable(function) if function.external else function.update(**self.visit_children(function))

    def _variable(self, term: AST) -> AST:
        variable = ast.Variable(term.location, f"I{len(self.body)}")
        self.body.append(equal(variable, term))
        return variable


def _term(text: str, place: Place) -> AST:
    """The syntax tree of a term in a name's braces."""
    found: list[AST] = []
    try:
        ast.parse_string(f"x({text}).", found.append, logger=lambda *_: None)
        (argument,) = found[-1].head.atom.symbol.arguments
    except (RuntimeError, AttributeError, ValueError):
        raise ProgramError(f"`{text}`, in the braces of a name, is not a term", where=place) from None
    return cast(AST, argument)


def _binding(body: Sequence[AST], terms: Sequence[AST]) -> list[AST] | str:
    """Literals of a body that give values to all variables of some terms, as few as a greedy choice finds.

    A variable where none does.
    """
    wanted, bound = names_in(terms), set[str]()
    chosen: list[AST] = []
    while missing := wanted - bound:
        best: tuple[tuple[int, int], AST, set[str]] | None = None
        for literal in body:
            gives, needs = gives_and_needs(literal)
            if gives & missing:
                worth = (-len(gives & missing), len((gives | needs) - bound))
                if best is None or worth < best[0]:
                    best = worth, literal, needs
        if best is None:
            return min(missing)
        _, literal, needs = best
        chosen.append(literal)
        wanted |= needs
        bound |= gives_and_needs(literal)[0]
    # What else is known of these variables, and of none, keeps the instances to those that there are: R < R', n = 4.
    return [one for one in body if one in chosen or (is_plain(one) and names_in([one]) <= bound)]
