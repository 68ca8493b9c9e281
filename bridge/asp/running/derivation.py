"""Why an atom holds in an answer set, or does not: the rule instances that derive it, and what the others lack.

- A **firing** is an instance of a rule whose body holds in the answer set, with one atom of its head.
- The **derivation** of an atom is a firing of it, with the derivations of the atoms that its body needs, down to facts
  and choices. No atom is used before it is derived: there is no circle.
- Where an atom is derived by nothing, each rule that could derive it has a first literal that does **not** hold. The
  atoms that this literal needs are derived by nothing either, and so on: that is why the atom has no **support**.

gringo alone finds all that: the atoms of the answer set become facts, and each rule one whose head tells the rule, its
variables and its atoms; so everything is evaluated while it is grounded. Compare xclingo (P. Cabalar, J. Fandinno,
B. Muñiz, *A system for explainable answer set programming*, 2020), which asks for annotations.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property

import clingo
from clingo import ast
from clingo.ast import AST, ASTType

from bridge.asp.reading.messages import Messages
from bridge.asp.reading.parsed import SourceText
from bridge.asp.reading.statements import predicates_in
from bridge.asp.reading.trees import (
    Named,
    alternatives,
    atom_of,
    constants,
    elements_of,
    equal,
    gives_and_needs,
    has_anonymous,
    has_variables,
    in_order,
    is_aggregate,
    is_atom,
    is_choice,
    names_in,
    needs_and_gives,
    number_of,
    parameters_of,
    tuple_of,
    variables_of,
)
from bridge.asp.trace import INSTANCES, Why
from bridge.asp.types import Source
from bridge.errors import Place

_FIRED, _PART, _REACHED, _NEEDED, _CERTAIN = "__fired", "__part", "__reached", "__needed", "__certain"

#: Atoms whose support is looked for, at most; and atoms of the ground program that are gone through for all of it.
_ATOMS, _MOST = 100, 500_000

#: Stands for any term.
_ANY = "__any"

#: Derivations of an atom that are found, at most; and beginnings of derivations that are looked at for them.
DERIVATIONS, _BEGINNINGS = 20, 5_000


@dataclass
class _Firing:
    """An instance of a rule: its number, the values of its variables, and the atoms of its body."""

    rule: int
    values: tuple[clingo.Symbol, ...]
    atom: clingo.Symbol
    positive: list[clingo.Symbol]
    negative: list[clingo.Symbol]
    parts: list[clingo.Symbol] = field(default_factory=list)

    @property
    def key(self) -> tuple[object, ...]:
        """What it has in common with the same instance in another answer set."""
        return self.rule, self.values, self.atom, tuple(self.positive)


#: A firing, with the atoms inside aggregates and conditions that were derived before it.
_Reason = tuple[_Firing, list[clingo.Symbol]]


class Firings:
    """The firings of a program in one answer set, which is given by its atoms.

    `possible` are atoms that are true in some answer set perhaps; then a negative literal fails only for an atom of
    `atoms`. `control` makes a Control with the program's options, in which the `parts` are ground.
    """

    def __init__(
        self,
        sources: Iterable[Source],
        atoms: Iterable[clingo.Symbol],
        control: Callable[[], clingo.Control],
        possible: Iterable[clingo.Symbol] = (),
        parts: Sequence[tuple[str, Sequence[clingo.Symbol]]] = (("base", ()),),
    ) -> None:
        self.atoms, self._possible = set(atoms), set(possible)
        self._control, self._parts = control, parts
        self.rules: list[AST] = []
        self._places: list[Place] = []
        self._source: SourceText
        self._part: AST  # the part to which the next rules belong
        self._part_of: list[AST] = []
        self._others: list[AST] = []
        messages = Messages()  # not looked at: errors were reported when the program was loaded
        for kind, source in sources:
            self._source = SourceText(source)
            messages.parse(kind, source, self._take)
        self.theory = any(_has_theory(rule) for rule in self.rules)

    def _take(self, node: AST) -> None:
        kind = node.ast_type
        if kind is ASTType.Rule:
            alternatives = node.unpool()  # of `p(1;2)`, each is a rule or an element of its own
            self.rules += alternatives
            self._places += [self._source.place(node)] * len(alternatives)
            self._part_of += [self._part] * len(alternatives)
        elif kind is ASTType.Program:
            self._part = node
        elif kind in (ASTType.Definition, ASTType.Script):
            self._others.append(node)

    # Why it holds

    def derivation(self, wanted: clingo.Symbol) -> list[Why]:
        """The firings that derive an atom, each after those that it needs; empty when nothing derives it."""
        reason = self._founded(wanted)
        found: dict[clingo.Symbol, Why] = {}
        waiting, open_ = [wanted], set[clingo.Symbol]()
        while waiting:
            atom = waiting[-1]
            if atom not in reason or atom in found:
                waiting.pop()
                continue
            firing, inside = reason[atom]
            needs = [one for one in (*firing.positive, *inside) if one in reason and one not in found]
            if needs and atom not in open_:
                open_.add(atom)
                waiting += reversed(needs)
            else:
                waiting.pop()
                found[atom] = self._why(firing, inside)
        return list(found.values())

    def derivations(self, wanted: clingo.Symbol) -> tuple[list[list[Why]], bool]:
        """The derivations of an atom, those of the fewest atoms first; and whether these are all.

        They differ in a firing. Each atom has one firing in a derivation, however often it is needed.
        """
        firings: dict[clingo.Symbol, dict[object, _Firing]] = {}
        true = (one for one in self._all_firings if self.atoms.issuperset(one.positive))  # not all of an interval
        for one in sorted(true, key=lambda one: (*_rank(self.rules[one.rule]), one.rule)):
            # Instances that differ only in variables that no atom has are one.
            key = one.rule, *map(frozenset, (one.positive, one.parts, one.negative))
            firings.setdefault(one.atom, {}).setdefault(key, one)
        found: list[list[Why]] = []
        waiting: list[tuple[dict[clingo.Symbol, _Firing], list[clingo.Symbol]]] = [({}, [wanted])]
        for _ in range(_BEGINNINGS):
            if not waiting or len(found) == DERIVATIONS:
                break
            chosen, open_ = waiting.pop()
            if not open_:
                found.append([self._why(one, one.parts) for one in _sorted(chosen, wanted)])
                continue
            atom, *rest = open_
            for one in reversed(firings.get(atom, {}).values()):
                needs = dict.fromkeys(each for each in (*one.positive, *one.parts) if each in firings)
                if not _needs(atom, needs, chosen):
                    now = {**chosen, atom: one}
                    waiting.append((now, [*rest, *(each for each in needs if each not in now and each not in rest)]))
        return sorted(found, key=len), not waiting

    def _why(self, firing: _Firing, inside: Iterable[clingo.Symbol]) -> Why:
        rule = self.rules[firing.rule]
        names = [*variables_of(rule), *parameters_of(self._part_of[firing.rule])]
        bindings = tuple(zip(names, map(str, firing.values), strict=False))
        return Why(
            str(firing.atom),
            self._places[firing.rule],
            _kind(rule),
            bindings,
            tuple(map(str, dict.fromkeys(firing.positive))),
            tuple(map(str, dict.fromkeys(inside))),
            tuple(map(str, dict.fromkeys(firing.negative))),
            theory=tuple(_filled(literal, dict(bindings)) for literal in rule.body if _is_theory(literal)),
        )

    @cached_property
    def _all_firings(self) -> list[_Firing]:
        """Those in the answer set."""
        return self._firings(self.atoms)

    def _firings(self, atoms: set[clingo.Symbol]) -> list[_Firing]:
        """The instances whose body holds when just these atoms are true, with a head that is true in the answer set."""
        every = atoms == self.atoms
        program: list[AST] = []
        for number, (rule, part) in enumerate(zip(self.rules, self._part_of, strict=True)):
            program += [part, *_traced(number, rule, parameters_of(part), chosen=every)]
        control = self._ground(program, atoms)
        firings: dict[tuple[int, clingo.Symbol], list[_Firing]] = {}
        for found in control.symbolic_atoms.by_signature(_FIRED, 5):
            rule_number, values, head, positive, negative = found.symbol.arguments
            head = _atom(head)
            if head not in self.atoms:
                continue
            firing = _Firing(
                rule_number.number,
                tuple(values.arguments),
                head,
                list(map(_atom, positive.arguments)),
                list(map(_atom, negative.arguments)),
            )
            firings.setdefault((rule_number.number, values), []).append(firing)
        for found in control.symbolic_atoms.by_signature(_PART, 3):
            rule_number, values, inside = found.symbol.arguments
            within = list(map(_atom, inside.arguments))
            if not atoms.issuperset(within):
                continue  # of an interval, another value
            for firing in firings.get((rule_number.number, values), ()):
                firing.parts += within
        return [firing for some in firings.values() for firing in some]

    def _founded(self, wanted: clingo.Symbol) -> dict[clingo.Symbol, _Reason]:
        """For each atom the firing that derives it first, round by round; of equal ones that with the fewest atoms.

        No firing is used before the atoms that it needs. Where these are inside an aggregate and not all derived by
        then, it is enough that those derived satisfy it. Only where that never is so (the sum of positive and negative
        weights may be such a case) the aggregate is taken to hold, as it does in the answer set.
        """
        left = sorted(self._all_firings, key=lambda one: (one.rule, len(one.positive)))
        reason: dict[clingo.Symbol, _Reason] = {}
        known = self.atoms - {firing.atom for firing in left}  # true without a rule: externals
        while wanted not in reason and left:
            left = [one for one in left if one.atom not in reason]
            near = [one for one in left if known.issuperset(one.positive)]
            ready = [one for one in near if known.issuperset(one.parts)]
            if not ready and near:
                enough = {one.key for one in self._firings(known)}
                ready = [one for one in near if one.key in enough] or near
            if not ready:
                break
            new: dict[clingo.Symbol, _Reason] = {}
            for one in sorted(ready, key=lambda one: (*_rank(self.rules[one.rule]), len(one.positive), one.rule)):
                new.setdefault(one.atom, (one, [part for part in one.parts if part in known]))
            reason |= new
            known |= new.keys()
        return reason

    # Why it does not hold

    def missing(self, wanted: str, instances: int = 1) -> list[Why]:
        """For each rule whose head could be the atom: the values of its variables, and the first literal that fails.

        Of each rule so many instances that come furthest.
        """
        (atom,) = _parsed(wanted)
        signature = predicates_in([atom])
        found: list[Why] = []
        for number, rule in enumerate(self.rules):
            for head, conditions in _heads(rule):
                if signature & predicates_in([head]):
                    found += itertools.islice(self._lacks(number, head, conditions, atom), instances)
        return found

    def support(self, wanted: str) -> tuple[list[Why], list[str]]:
        """What the rules for an atom lack, those for the atoms that they need, and so on: the nearest first.

        And those of these atoms that nothing gives.
        """
        found: list[Why] = []
        ends: list[str] = []
        waiting = {wanted: None}
        most = min(_ATOMS, 1 + _MOST // (1 + len(self.atoms | self._possible)))
        for atom in (seen := list(waiting)):
            lacks = self.missing(atom, INSTANCES + 2)
            found += lacks
            if not lacks:
                ends.append(atom)
            new = [one for lack in lacks for one in lack.needed if one not in waiting]
            waiting.update(dict.fromkeys(new[: most - len(seen)]))
            seen += list(waiting)[len(seen) :]
        return found, ends

    def _lacks(self, number: int, head: AST, conditions: Sequence[AST], wanted: AST) -> Iterator[Why]:
        """How far the body gets once the head is the atom, whichever values the other variables take."""
        rule, part = self.rules[number], self._part_of[number]
        location = rule.location
        first: list[AST] = []  # by these, the head gives values to its variables
        later: list[AST] = []  # of `p(X + Y)`, the body does
        for one, term in _matched(_as_term(wanted.atom.symbol), _as_term(head.atom.symbol)):
            (first if _is_linear(term) else later).append(equal(one, term))
        given = [name for literal in first for name in in_order(literal, names_in([literal]))]
        ordered = _by_safety(given, [one for one in (*later, *rule.body, *conditions) if not _is_theory(one)], wanted)
        parameters = parameters_of(part)
        program, checked, bound = [part], list[AST](), [list(given)]
        for length in range(len(ordered) + 1):
            values = [*(ast.Variable(location, name) for name in bound[-1]), *constants(location, parameters)]
            arguments = [number_of(location, length), tuple_of(location, values)]
            program.append(ast.Rule(location, atom_of(location, _REACHED, arguments), [*first, *checked]))
            for literal in ordered[length : length + 1]:
                lenient = self._lenient(literal, bound[-1])
                checked.append(lenient)
                bound.append(_bound(lenient, bound[-1]))
        control = self._ground(program, self.atoms | self._possible)
        reached: dict[int, list[clingo.Symbol]] = {}
        for atom in control.symbolic_atoms.by_signature(_REACHED, 2):
            literals, values_of = atom.symbol.arguments
            reached.setdefault(literals.number, []).append(values_of)
        if not reached:
            return  # the head is another atom
        furthest = max(reached)
        names = [*bound[furthest], *parameters]
        for instance in sorted(reached[furthest]):
            bindings = tuple(zip(names, map(str, instance.arguments), strict=True))
            lacking, needed = "", list[str]()
            if furthest < len(ordered):
                lacking = _filled(ordered[furthest], dict(bindings))
                needed = self._needed(ordered[furthest], dict(bindings), part)
            yield Why(str(wanted), self._places[number], _kind(rule), bindings, lacking=lacking, needed=tuple(needed))

    def _needed(self, literal: AST, bindings: dict[str, str], part: AST) -> list[str]:
        """The atoms without which a literal fails, where its variables have these values: of `p(X) : q(X)`, several."""
        program = [part]
        for one, *conditions in [[literal]] if is_atom(literal) else elements_of(literal):
            filled = [_with_values(each, bindings) for each in (one, *conditions)]
            known = set[str]().union(*(gives_and_needs(each)[0] for each in filled[1:]))
            atom = _open(filled[0], known) if is_atom(one) else None
            if atom is not None:
                term = _as_term(atom.atom.symbol)
                unmet = ast.Literal(literal.location, ast.Sign.Negation, filled[0].atom)
                body = [*filled[1:], unmet] if names_in([filled[0]]) <= known else filled[1:]
                program.append(ast.Rule(literal.location, atom_of(literal.location, _NEEDED, [term]), body))
        control = self._ground(program, self.atoms | self._possible)
        atoms = control.symbolic_atoms.by_signature(_NEEDED, 1)
        return sorted({str(_atom(one.symbol.arguments[0])).replace(_ANY, "_") for one in atoms if one.is_fact})

    def demanded(self, places: Collection[str]) -> list[str]:
        """Atoms that constraints demand, of which none is possible: p(1) by `:- not p(X), q(X).` where q(1) is a fact.

        So it is with `not p(X) : q(X)` and aggregates, where no element is possible. `_` stands for any term.
        """
        found: list[str] = []
        for rule, part, place in zip(self.rules, self._part_of, self._places, strict=True):
            if str(place) in places:
                given = [one for one in map(_certain, rule.body) if one is not None]
                for elements in map(_demanding, rule.body):
                    found += self._impossible(elements, given, part)
        return found

    def _impossible(self, elements: Sequence[Sequence[AST]], given: Sequence[AST], part: AST) -> list[str]:
        """The atoms without which no element can hold; none where one can."""
        program, known = [part], names_in(given)
        for literals in elements:
            place = literals[0].location
            program.append(ast.Rule(place, atom_of(place, _REACHED, []), [*given, *literals]))
            atoms = [one for one in literals if is_atom(one)]
            for number, one in enumerate(atoms):
                rest = [other for other in literals if other is not one]
                bound = known | names_in(other for other in rest if is_atom(other))
                atom = _open(one, bound)
                unmet = [_negated(one)] if names_in([one]) <= bound and not has_anonymous(one) else []
                terms = [number_of(place, number), _as_term(atom.atom.symbol)]
                program.append(ast.Rule(place, atom_of(place, _NEEDED, terms), [*given, *rest, *unmet]))
        control = self._ground(program, self.atoms | self._possible)
        if any(control.symbolic_atoms.by_signature(_REACHED, 0)):
            return []
        found = sorted(one.symbol.arguments for one in control.symbolic_atoms.by_signature(_NEEDED, 2))
        return [str(_atom(atom)).replace(_ANY, "_") for _, atom in found]

    def _lenient(self, literal: AST, bound: Sequence[str]) -> AST:
        """Of possible atoms, which need not be true together, an aggregate says nothing, unless it only grows.

        A negative literal fails where its atom is a fact. Neither does what needs the value that such an aggregate
        assigns say anything.
        """
        if not self._possible or literal.ast_type is not ASTType.Literal:
            return literal
        kind, (needs, gives) = literal.atom.ast_type, needs_and_gives(literal)
        positive = kind is ASTType.SymbolicAtom and literal.sign == ast.Sign.NoSign
        compared = kind in (ASTType.Comparison, ASTType.BooleanConstant)
        if needs - gives <= {*bound}:
            if positive or compared or _only_grows(literal):
                return literal
            if is_atom(literal, ast.Sign.Negation) and not has_anonymous(literal):
                return atom_of(literal.location, _CERTAIN, [_as_term(literal.atom.symbol)], ast.Sign.Negation)
        return ast.Literal(literal.location, ast.Sign.NoSign, ast.BooleanConstant(1))

    def _ground(self, program: Sequence[AST], facts: Iterable[clingo.Symbol]) -> clingo.Control:
        control = self._control()
        with control.backend() as backend:
            certain = [clingo.Function(_CERTAIN, [_plain(one)]) for one in self.atoms] if self._possible else []
            for symbol in (*facts, *certain):
                backend.add_rule([backend.add_atom(symbol)])
        with ast.ProgramBuilder(control) as builder:
            for node in (*self._others, *program):
                builder.add(node)
        control.ground(self._parts)
        return control


# Rules whose atoms say what fired


def _traced(number: int, rule: AST, parameters: Sequence[str], *, chosen: bool) -> Iterator[AST]:
    """Rules whose atoms say what fires; of a choice with `chosen`, only its atoms that are true."""
    location = rule.location
    positive, negative = [], []
    named = _without_blanks([literal for literal in rule.body if not _is_theory(literal)], "__A")
    for literal in named:
        if is_atom(literal):
            positive.append(_as_term(literal.atom.symbol))
        elif is_atom(literal, ast.Sign.Negation) and not has_anonymous(literal):
            negative.append(_as_term(literal.atom.symbol))
    terms = [*(ast.Variable(location, name) for name in variables_of(rule)), *constants(location, parameters)]
    firing = [number_of(location, number), tuple_of(location, terms)]
    for head, plain in _heads(rule):
        conditions = _without_blanks(plain, "__C")
        more = [head] if chosen and alternatives(rule.head) else []
        inside = [_as_term(one.atom.symbol) for one in conditions if is_atom(one)]
        atoms = [_as_term(head.atom.symbol), tuple_of(location, [*positive, *inside]), tuple_of(location, negative)]
        yield ast.Rule(location, atom_of(location, _FIRED, [*firing, *atoms]), [*named, *conditions, *more])
    for literal in named:
        if literal.ast_type is ASTType.Literal and literal.sign != ast.Sign.NoSign:
            continue
        for plain in elements_of(literal):
            condition = _without_blanks(plain, "__C")
            inside = [_as_term(one.atom.symbol) for one in condition if is_atom(one)]
            if inside:
                # By the firing, not by the body: what is local to the aggregate would be global beside it.
                fired = atom_of(location, _FIRED, [*firing, *[ast.Variable(location, "_")] * 3])
                part = atom_of(location, _PART, [*firing, tuple_of(location, inside)])
                yield ast.Rule(location, part, [fired, *condition])


def _heads(rule: AST) -> Iterator[tuple[AST, Sequence[AST]]]:
    """The atoms in the head of a rule, each with its conditions."""
    return (one for one in alternatives(rule.head) or [(rule.head, ())] if is_atom(one[0]))


def _without_blanks(literals: Sequence[AST], prefix: str) -> list[AST]:
    """Literals whose positive atoms have no anonymous variables."""
    return [
        Named(f"{prefix}{number}_").visit(literal) if is_atom(literal) else literal
        for number, literal in enumerate(literals)
    ]


def _as_term(symbol: AST) -> AST:
    """An atom as a term. `-p(X)`, which is not one where it is an atom, is `__not(p(X))`."""
    if symbol.ast_type is ASTType.UnaryOperation:
        return ast.Function(symbol.location, "__not", [symbol.argument], False)
    return symbol


def _atom(term: clingo.Symbol) -> clingo.Symbol:
    """The atom that a term of `_as_term` stands for."""
    if term.name == "__not" and len(term.arguments) == 1:
        (inner,) = term.arguments
        return clingo.Function(inner.name, inner.arguments, False)
    return term


def _plain(atom: clingo.Symbol) -> clingo.Symbol:
    """The other way round."""
    if atom.positive:
        return atom
    return clingo.Function("__not", [clingo.Function(atom.name, atom.arguments)])


def _needs(atom: clingo.Symbol, some: Iterable[clingo.Symbol], chosen: Mapping[clingo.Symbol, _Firing]) -> bool:
    """Whether one of some atoms is an atom, or needs it by the firings chosen so far."""
    waiting = dict.fromkeys(some)
    for one in (seen := list(waiting)):
        if one == atom:
            return True
        firing = chosen.get(one)
        new = [each for each in (*firing.positive, *firing.parts) if each not in waiting] if firing else []
        waiting.update(dict.fromkeys(new))
        seen += dict.fromkeys(new)
    return False


def _sorted(chosen: Mapping[clingo.Symbol, _Firing], wanted: clingo.Symbol) -> list[_Firing]:
    """The firings of a derivation, each after those that it needs."""
    found: dict[clingo.Symbol, _Firing] = {}
    waiting = [wanted]
    while waiting:
        firing = chosen[waiting[-1]]
        needs = [one for one in (*firing.positive, *firing.parts) if one in chosen and one not in found]
        waiting += reversed(needs)
        if not needs:
            found.setdefault(waiting.pop(), firing)
    return list(found.values())


def _parsed(text: str) -> list[AST]:
    """The literals in the heads of some facts, as text."""
    found: list[AST] = []
    ast.parse_string(f"{text}.", lambda node: found.append(node.head) if node.ast_type is ASTType.Rule else None)
    return found


def _matched(one: AST, term: AST) -> Iterator[tuple[AST, AST]]:
    """The parts of two terms that are equal if these are; what a variable of the first stands for is left out."""
    if one.ast_type is ASTType.Variable:
        return
    functions = [each for each in (one, term) if each.ast_type is ASTType.Function and not each.external]
    if len(functions) == 2 and one.name == term.name and len(one.arguments) == len(term.arguments):
        for inner, argument in zip(one.arguments, term.arguments, strict=True):
            yield from _matched(inner, argument)
    elif not has_variables(one):
        yield one, term
    elif len(functions) == 2:
        yield number_of(one.location, 0), number_of(one.location, 1)  # they never are


def _negated(atom: AST) -> AST:
    """The negation of an atom, or what it negates."""
    sign = ast.Sign.Negation if atom.sign == ast.Sign.NoSign else ast.Sign.NoSign
    return ast.Literal(atom.location, sign, atom.atom)


def _certain(literal: AST) -> AST | None:
    """Of a literal of a body what says that it holds in every answer set; None where that does not show."""
    if is_atom(literal):
        return atom_of(literal.location, _CERTAIN, [_as_term(literal.atom.symbol)])
    compared = literal.ast_type is ASTType.Literal and literal.atom.ast_type is ASTType.Comparison
    return literal if compared else None


def _demanding(literal: AST) -> list[list[AST]]:
    """The elements one of which has to hold, so that a literal of a constraint does not: literals, all of them."""
    if is_atom(literal, ast.Sign.Negation):
        return [[_negated(literal)]]
    if literal.ast_type is ASTType.ConditionalLiteral:
        return [[_negated(literal.literal), *literal.condition]] if is_atom(literal.literal, ast.Sign.Negation) else []
    if not is_aggregate(literal) or literal.atom.left_guard is None:
        return []
    fewer = (ast.ComparisonOperator.GreaterThan, ast.ComparisonOperator.GreaterEqual, ast.ComparisonOperator.Equal)
    negative = literal.sign == ast.Sign.Negation
    return elements_of(literal) if negative or literal.atom.left_guard.comparison in fewer else []


def _open(literal: AST, known: set[str]) -> AST:
    """An atom in which variables without a value stand for any term."""

    class Open(ast.Transformer):
        def visit_Variable(self, variable: AST) -> AST:
            return variable if variable.name in known else constants(variable.location, [_ANY])[0]

    found: AST = Open().visit(literal)
    return found


def _only_grows(literal: AST) -> bool:
    """Is this an aggregate that fails among more atoms only if it fails among fewer: `2 { p; q }`?"""
    if literal.sign != ast.Sign.NoSign or not is_aggregate(literal) or literal.atom.right_guard is not None:
        return False
    guard, kind = literal.atom.left_guard, literal.atom.ast_type
    counts = kind is ASTType.Aggregate or literal.atom.function == ast.AggregateFunction.Count
    inside = (one for element in elements_of(literal) for one in element)
    positive = all(one.ast_type is ASTType.Literal and one.sign == ast.Sign.NoSign for one in inside)
    less = (ast.ComparisonOperator.LessThan, ast.ComparisonOperator.LessEqual)
    return counts and positive and guard is not None and guard.comparison in less


def _is_linear(term: AST) -> bool:
    """Whether gringo finds the values of a term's variables when it knows that of the term: `X`, `2 * X + 1`."""
    kind, variables = term.ast_type, names_in([term])
    if kind in (ASTType.Variable, ASTType.SymbolicTerm) or not variables:
        return True
    if kind is ASTType.Function:
        return not term.external and all(map(_is_linear, term.arguments))
    if kind is ASTType.UnaryOperation:
        return term.operator_type == ast.UnaryOperator.Minus and _is_linear(term.argument)
    if kind is ASTType.BinaryOperation:
        linear = (ast.BinaryOperator.Plus, ast.BinaryOperator.Minus, ast.BinaryOperator.Multiplication)
        with_variables = [side for side in (term.left, term.right) if names_in([side])]
        return term.operator_type in linear and len(with_variables) == 1 and _is_linear(with_variables[0])
    return False


def _by_safety(given: Sequence[str], literals: Sequence[AST], wanted: AST) -> list[AST]:
    """Literals in an order in which each has its variables bound by those before it, or binds them itself."""
    # Those that need an atom like the one in question later: of `r(Y), e(Y,b)` for r(b), e(Y,b) says which Y is needed.
    # Conditional literals last: of their variables it does not show which others have to bind.
    own = predicates_in([wanted])
    left, ordered = list[AST](literals), list[AST]()
    left.sort(key=lambda one: (one.ast_type is ASTType.ConditionalLiteral, bool(own & predicates_in([one]))))
    bound = set(given)
    while left:
        ready = (one for one in left for needs, gives in (needs_and_gives(one),) if needs - gives <= bound)
        best = next(ready, left[0])
        left.remove(best)
        ordered.append(best)
        bound |= needs_and_gives(best)[1]
    return ordered


def _bound(literal: AST, given: Sequence[str]) -> list[str]:
    """Variables that have values, and those that a literal binds, in their order."""
    return list(dict.fromkeys([*given, *in_order(literal, needs_and_gives(literal)[1])]))


def _filled(literal: AST, bindings: dict[str, str]) -> str:
    """A literal with the values of its variables, as text; of an atom what is computed in it, too."""
    filled = _with_values(literal, bindings)
    if filled.ast_type is ASTType.Literal and filled.atom.ast_type is ASTType.SymbolicAtom:
        with suppress(RuntimeError):
            atom = str(filled.atom)
            return str(filled).replace(atom, str(clingo.parse_term(atom, logger=lambda *_: None)))
    return str(filled)


def _with_values(literal: AST, bindings: dict[str, str]) -> AST:
    class Fill(ast.Transformer):
        def visit_Variable(self, variable: AST) -> AST:
            value = bindings.get(variable.name)
            return variable if value is None else ast.SymbolicTerm(variable.location, clingo.parse_term(value))

        def visit_SymbolicTerm(self, term: AST) -> AST:
            value = bindings.get(str(term.symbol))  # of a parameter of the part
            return term if value is None else ast.SymbolicTerm(term.location, clingo.parse_term(value))

    filled: AST = Fill().visit(literal)
    return filled


def _kind(rule: AST) -> str:
    if is_choice(rule):
        return "choice"
    if rule.head.ast_type is ASTType.Disjunction:
        return "disjunction"
    return "definition" if rule.body else "fact"


def _rank(rule: AST) -> tuple[bool, int]:
    """Facts first, choices last: what is both derived and chosen is shown as derived.

    After all these, rules with theory atoms in the body: these may not hold.
    """
    return _has_theory(rule), {"fact": 0, "definition": 1, "disjunction": 2, "choice": 3}[_kind(rule)]


def _is_theory(literal: AST) -> bool:
    return literal.ast_type is ASTType.Literal and literal.atom.ast_type is ASTType.TheoryAtom


def _has_theory(rule: AST) -> bool:
    return rule.head.ast_type is ASTType.TheoryAtom or any(map(_is_theory, rule.body))
