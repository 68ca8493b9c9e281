"""How large a join is: estimated from the atoms that its predicates have, before it is made.

gringo joins the literals of a body in an order of its own (`order` is that of clingo 5). The bindings of each literal
are estimated by random walks, as databases do ("wander join", Li et al., SIGMOD 2016): a random atom of the first
literal, a random one of those of the second that agree with it, and so on. The product of the numbers of atoms to
choose from is an unbiased estimate of the number of bindings.

A literal under `not`, and an aggregate, are taken to hold. Theory atoms and external functions are not looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from operator import eq, ge, gt, invert, le, lt, ne, neg
from random import Random
from time import perf_counter
from typing import Any

import clingo
from clingo import ast
from clingo.ast import AST, ASTType

from bridge.asp import internals
from bridge.asp.reading import (
    OPERATORS,
    Signature,
    alternatives,
    elements_of,
    in_order,
    is_atom,
    names_in,
    needs_and_gives,
)
from bridge.profiling.grounding_profile import Estimate, JoinStep

#: Atoms of a predicate that are looked at; of one that has more, a sample.
SAMPLE = 50_000

#: Walks of a statement's joins, at most and at least.
WALKS, FEWEST = 4_000, 50

#: What a term is worth: a number, any other symbol, or `UNKNOWN`.
Value = Any
UNKNOWN = object()

Bindings = dict[str, Value]

# Relations


class Known:
    """Atoms that are there, or a sample of them: the arguments of each, and how many there are."""

    def __init__(self, rows: Sequence[Sequence[Value]], size: int) -> None:
        self.size = float(size)
        self._rows = rows
        self._scale = size / len(rows) if rows else 1.0
        self._by: dict[tuple[int, ...], dict[tuple[Value, ...], list[Sequence[Value]]]] = {}
        self._without: dict[tuple[int, ...], Known] = {}

    def _index(self, positions: tuple[int, ...]) -> dict[tuple[Value, ...], list[Sequence[Value]]]:
        if positions not in self._by:
            index: dict[tuple[Value, ...], list[Sequence[Value]]] = {}
            for row in self._rows:
                index.setdefault(tuple([row[position] for position in positions]), []).append(row)
            self._by[positions] = index
        return self._by[positions]

    def choose(self, bound: Mapping[int, Value], random: Random) -> tuple[float, Sequence[Value]]:
        """How many atoms have some values, and one of them."""
        rows: Sequence[Sequence[Value]] = self._rows
        if bound:
            rows = self._index(tuple(bound)).get(tuple(bound.values()), ())
        return (len(rows) * self._scale, random.choice(rows)) if rows else (0.0, ())

    def without(self, positions: Collection[int]) -> Known:
        """What is left of the atoms, each once, when some arguments are not looked at: they are `UNKNOWN`."""
        key = tuple(sorted(positions))
        if key not in self._without:
            rows = {
                tuple(UNKNOWN if position in key else value for position, value in enumerate(row)) for row in self._rows
            }
            scale = self._scale if len(rows) > 0.5 * len(self._rows) else 1.0
            self._without[key] = Known(list(rows), round(len(rows) * scale))
        return self._without[key]


def value_of(symbol: clingo.Symbol) -> Value:
    """The value of a symbol."""
    return symbol.number if symbol.type is clingo.SymbolType.Number else symbol


def symbol_of(value: Value) -> clingo.Symbol:
    return clingo.Number(value) if isinstance(value, int) else value


# Terms

_ARITHMETIC = {int(ast.BinaryOperator[name]): function for name, function in OPERATORS.items()}
_UNARY: dict[int, Callable[[int], int]] = {
    ast.UnaryOperator.Minus: neg,
    ast.UnaryOperator.Absolute: abs,
    ast.UnaryOperator.Negation: invert,
}
_COMPARED: dict[int, Callable[[Any, Any], bool]] = {
    ast.ComparisonOperator.LessThan: lt,
    ast.ComparisonOperator.LessEqual: le,
    ast.ComparisonOperator.GreaterThan: gt,
    ast.ComparisonOperator.GreaterEqual: ge,
    ast.ComparisonOperator.Equal: eq,
    ast.ComparisonOperator.NotEqual: ne,
}


class _Undefined(Exception):
    """A term has no value."""


@dataclass(frozen=True, eq=False, slots=True)
class JoinTerm:
    """A term as it is evaluated: the syntax tree reads each attribute from the solver's library, which takes long.

    The kind is `variable`, `value`, `unary`, `binary`, `function`, `interval`, or `other`, which is not evaluated; the
    name that of a variable or a function, or the operator. An atom is a `function`.
    """

    kind: str
    name: Any = ""
    value: Value = UNKNOWN
    inner: tuple[JoinTerm, ...] = ()

    @property
    def signature(self) -> Signature:
        return self.name, len(self.inner)


def term_of(node: AST) -> JoinTerm:
    """A term of the syntax tree."""
    kind = node.ast_type
    if kind is ASTType.Variable:
        return JoinTerm("variable", node.name)
    if kind is ASTType.SymbolicTerm:
        return JoinTerm("value", "", value_of(node.symbol))
    if kind is ASTType.UnaryOperation:
        return JoinTerm("unary", node.operator_type, inner=(term_of(node.argument),))
    if kind is ASTType.BinaryOperation:
        return JoinTerm("binary", node.operator_type, inner=(term_of(node.left), term_of(node.right)))
    if kind is ASTType.Function and not node.external:
        return JoinTerm("function", node.name, inner=tuple(map(term_of, node.arguments)))
    if kind is ASTType.Interval:
        return JoinTerm("interval", inner=(term_of(node.left), term_of(node.right)))
    return JoinTerm("other")


# The program


class Domains:
    """The predicates of a program that is being ground, read when they are first needed, and when there are more."""

    def __init__(self, control: clingo.Control) -> None:
        self._control = control
        self._known: dict[Signature, tuple[int, Known]] = {}
        self._values: dict[int, Value] = {}
        self._named: dict[Value, Value] = {}
        #: Predicates of which not all atoms are facts for sure; see `opened`.
        self.open: frozenset[Signature] = frozenset()

    @property
    def size(self) -> int:
        """The number of all atoms."""
        return len(self._control.symbolic_atoms)

    def __getitem__(self, signature: Signature) -> Known:
        total = self.size
        if signature in self._known and self._known[signature][0] == total:
            return self._known[signature][1]
        name, arity = signature
        positive = not name.startswith("-")
        atoms = internals.atoms(self._control, name.removeprefix("-"), arity, positive)
        numbers = [number for number, _ in atoms]
        if signature in self._known and self._known[signature][1].size == len(numbers):
            found = self._known[signature][1]
        else:
            chosen = numbers if len(numbers) <= SAMPLE else Random(0).sample(numbers, SAMPLE)
            found = Known([[self._value(one) for one in row] for row in internals.arguments(chosen)], len(numbers))
        self._known[signature] = total, found
        return found

    def _value(self, number: int) -> Value:
        if (known := self._values.get(number)) is None:
            known = self._values[number] = value_of(internals.symbol_of(number))
        return known

    def is_fact(self, atom: clingo.Symbol) -> bool:
        found = self._control.symbolic_atoms[atom]
        return found is not None and found.is_fact

    # Terms: their values, and matches with values

    def _symbol(self, value: Value) -> Value:
        """A value, or that of the constant that it names."""
        if isinstance(value, int):
            return value
        if value not in self._named:
            named = value.type is clingo.SymbolType.Function and not value.arguments and value.positive
            constant = self._control.get_const(value.name) if named else None
            self._named[value] = value if constant is None else value_of(constant)
        return self._named[value]

    def value(self, term: JoinTerm, bindings: Bindings) -> Value:
        """The value of a term; `UNKNOWN` where a variable of it has none. `_Undefined` is raised where it has none."""
        kind = term.kind
        if kind == "variable":
            return bindings.get(term.name, UNKNOWN)
        if kind == "value":
            return self._symbol(term.value)
        if kind in ("interval", "other"):
            return UNKNOWN
        values = [self.value(one, bindings) for one in term.inner]
        if any(one is UNKNOWN for one in values):
            return UNKNOWN
        if kind == "function":
            return clingo.Function(term.name, [symbol_of(one) for one in values])
        if not all(isinstance(one, int) for one in values):
            raise _Undefined
        try:
            return _UNARY[term.name](*values) if kind == "unary" else _ARITHMETIC[term.name](*values)
        except ZeroDivisionError:
            raise _Undefined from None

    def match(self, term: JoinTerm, value: Value, bindings: Bindings) -> bool:
        """Bind the variables of a term so that it has a value; False where that cannot be."""
        if value is UNKNOWN:
            return True
        kind = term.kind
        if kind == "variable":
            if term.name == "_":
                return True
            known = bindings.setdefault(term.name, value)
            return bool(known == value)
        if kind == "function":
            if isinstance(value, int) or value.type is not clingo.SymbolType.Function or value.name != term.name:
                return False
            inner = value.arguments
            return len(inner) == len(term.inner) and all(
                self.match(one, value_of(other), bindings) for one, other in zip(term.inner, inner, strict=True)
            )
        if (now := self.value(term, bindings)) is not UNKNOWN:
            return bool(now == value)
        if kind != "binary" or term.name not in (ast.BinaryOperator.Plus, ast.BinaryOperator.Minus):
            return True
        # A linear term with one variable that is not bound.
        plus = term.name == ast.BinaryOperator.Plus
        left, right = (self.value(one, bindings) for one in term.inner)
        if not isinstance(value, int):
            return False
        if isinstance(right, int):
            return self.match(term.inner[0], value - right if plus else value + right, bindings)
        if isinstance(left, int):
            return self.match(term.inner[1], value - left if plus else left - value, bindings)
        return True

    def ends(self, interval: JoinTerm, bindings: Bindings) -> tuple[int, int] | None:
        """The ends of an interval; None where they are not known."""
        left, right = (self.value(one, bindings) for one in interval.inner)
        return (left, right) if isinstance(left, int) and isinstance(right, int) else None


# Literals


class JoinLiteral:
    """A literal of a join, with its text.

    `needs` are the variables that have to be bound before it, `gives` those that it binds, in the order in which they
    occur.
    """

    def __init__(self, node: AST, text: str) -> None:
        self.text = text
        needs, gives = needs_and_gives(node)
        self.needs, self.gives = needs, in_order(node, gives)
        self.names = names_in([node])
        self.atom = function_of(node.atom.symbol) if is_atom(node) else None
        self.negative = function_of(node.atom.symbol) if is_atom(node, ast.Sign.Negation) else None
        #: The positions of anonymous variables, which gringo projects away.
        arguments = enumerate(() if self.atom is None else self.atom.inner)
        self.anonymous = frozenset(at for at, one in arguments if one.kind == "variable" and one.name == "_")
        #: The terms of a comparison, and what stands between them.
        self.compared: tuple[JoinTerm, ...] = ()
        self.operators: tuple[int, ...] = ()
        if node.ast_type is ASTType.Literal and node.atom.ast_type is ASTType.Comparison and node.sign == 0:
            guards = list(node.atom.guards)
            self.compared = (term_of(node.atom.term), *(term_of(guard.term) for guard in guards))
            self.operators = tuple(guard.comparison for guard in guards)
        self._equal = self.operators == (ast.ComparisonOperator.Equal,)
        self.interval = next((one for one in self.compared if one.kind == "interval"), None) if self._equal else None

    @property
    def opaque(self) -> bool:
        """Whether it has a term that is not evaluated here, so that an estimate may be far too high."""
        return any(map(_is_opaque, self.compared if self.atom is None else self.atom.inner))

    def relation(self, domains: Domains) -> Known:
        """Its atoms."""
        assert self.atom is not None
        found = domains[self.atom.signature]
        return found.without(self.anonymous) if self.anonymous else found

    def score(self, bound: set[str], domains: Domains) -> float:
        """How gringo rates it: the literal with the least comes next."""
        if self.interval is not None:
            ends = domains.ends(self.interval, {})
            return 0.0 if ends is None else float(ends[1] - ends[0])
        if self.compared:
            return -1.0
        if self.atom is None:
            return 0.0
        connected = _variables(self.atom) & bound
        return _weight(self.atom, self.relation(domains).size, bound) + (0.0 if connected else 10_000_000.0)

    def step(self, bindings: Bindings, domains: Domains, random: Random) -> float:
        """Bind its variables by one of its matches; how many there are."""
        if self.atom is not None:
            bound: dict[int, Value] = {}
            for position, term in enumerate(self.atom.inner):
                if (value := domains.value(term, bindings)) is not UNKNOWN:
                    bound[position] = value
            number, row = self.relation(domains).choose(bound, random)
            if number:
                for position, term in enumerate(self.atom.inner):
                    if position not in bound and not domains.match(term, row[position], bindings):
                        return 0.0
            return number
        if self.negative is not None:
            values = [domains.value(one, bindings) for one in self.negative.inner]
            if any(one is UNKNOWN for one in values):
                return 1.0
            name = self.negative.name
            atom = clingo.Function(name.removeprefix("-"), [symbol_of(one) for one in values], name[0] != "-")
            return float(not domains.is_fact(atom))
        if self.interval is not None:
            other = next((one for one in self.compared if one is not self.interval), self.interval)
            if (ends := domains.ends(self.interval, bindings)) is None:
                return 1.0
            known = domains.value(other, bindings)
            if known is not UNKNOWN:
                return float(isinstance(known, int) and ends[0] <= known <= ends[1])
            if ends[0] > ends[1]:
                return 0.0
            domains.match(other, random.randint(*ends), bindings)
            return float(ends[1] - ends[0] + 1)
        return float(self._holds(bindings, domains))

    def _holds(self, bindings: Bindings, domains: Domains) -> bool:
        if self._equal:
            left, right = self.compared
            value = domains.value(left, bindings)
            if value is not UNKNOWN:
                return domains.match(right, value, bindings)
            return domains.match(left, domains.value(right, bindings), bindings)
        values = [domains.value(one, bindings) for one in self.compared]
        for one, other, operator in zip(values, values[1:], self.operators, strict=False):
            if one is not UNKNOWN and other is not UNKNOWN:
                same = isinstance(one, int) == isinstance(other, int)
                pair = (one, other) if same else (symbol_of(one), symbol_of(other))
                if not _COMPARED[operator](*pair):
                    return False
        return True


def function_of(symbol: AST) -> JoinTerm | None:
    """The atom of a symbol in the syntax tree; None of a pool."""
    sign = ""
    while symbol.ast_type is ASTType.UnaryOperation:
        sign, symbol = "-", symbol.argument
    if symbol.ast_type is ASTType.SymbolicTerm:  # an atom without arguments that clingo has read as a term
        return JoinTerm("function", f"{sign}{symbol.symbol.name}")
    if symbol.ast_type is not ASTType.Function:
        return None
    return JoinTerm("function", f"{sign}{symbol.name}", inner=tuple(map(term_of, symbol.arguments)))


def _is_opaque(term: JoinTerm) -> bool:
    return term.kind == "other" or any(map(_is_opaque, term.inner))


def _variables(term: JoinTerm) -> set[str]:
    if term.kind == "variable":
        return {term.name} - {"_"}
    return set[str]().union(*map(_variables, term.inner))


def _weight(term: JoinTerm, size: float, bound: set[str]) -> float:
    """`Term::estimate` of gringo."""
    if term.kind == "variable":
        return 0.0 if term.name in bound or term.name == "_" else size
    if term.kind == "function":
        if not term.inner:
            return 0.0
        root = max(1.0, (size / 2 if term.name else size) ** (1 / len(term.inner)))
        return float(sum(_weight(one, root, bound) for one in term.inner) / len(term.inner))
    return 0.0 if _variables(term) <= bound else size


def order(literals: Sequence[JoinLiteral], domains: Domains) -> list[JoinLiteral]:
    """The order in which gringo joins literals: `_linearize` in clingo 5."""
    known = {name for one in literals for name in one.gives}
    waiting = {id(one): {name for name in one.needs if name in known} for one in literals}
    ready = [one for one in reversed(literals) if not waiting[id(one)]]
    bound: set[str] = set()
    found: list[JoinLiteral] = []
    while ready:
        for at in range(len(ready) - 1):
            one, last = (each.score(bound, domains) for each in (ready[at], ready[-1]))
            if one < last:
                ready[-1], ready[at] = ready[at], ready[-1]
        taken = ready.pop()
        found.append(taken)
        for name in taken.gives:
            for other in () if name in bound else literals:
                if name in (left := waiting[id(other)]):
                    left.remove(name)
                    if not left:
                        ready.append(other)
            bound.add(name)
    return [*found, *(one for one in literals if all(one is not other for other in found))]


# Statements


@dataclass(frozen=True, eq=False, slots=True)
class JoinScope:
    """A body, or an element of an aggregate or choice with the body: the literals that are joined.

    It derives `heads`, of which `head` is the text. The values of the variables in `shown` tell instances apart,
    whatever the predicates; with None all do. A `definite` one derives facts from facts: no choice, no negation, no
    aggregate.
    """

    literals: tuple[JoinLiteral, ...]
    heads: tuple[JoinTerm, ...] = ()
    head: str = ""
    shown: frozenset[str] | None = None
    definite: bool = False

    def last(self, ordered: Sequence[JoinLiteral], open_: Container[Signature]) -> int:
        """The place of the last literal that tells instances apart; gringo looks for one match only of those after it.

        It does so by variables of what is derived, and of atoms that are not facts for sure; or by one that a literal
        after it uses: where that fails, gringo goes on with the next match.
        """
        if self.shown is None:
            return len(ordered) - 1
        names = set(self.shown)
        for literal in ordered:
            function = literal.atom or literal.negative
            if function is None or function.signature in open_:
                names.update(() if literal.compared else literal.names)
        seen: set[str] = set()
        last = -1
        for at, literal in enumerate(ordered):
            fresh = set(literal.gives) - seen
            if fresh & names or any(fresh & other.names for other in ordered[at + 1 :]):
                last = at
            seen |= fresh
        return last

    @property
    def intervals(self) -> list[JoinTerm]:
        """Intervals in what is derived, each value of which makes an instance."""
        return [one for function in self.heads for one in function.inner if one.kind == "interval"]

    def widened(self, bindings: Bindings, domains: Domains) -> float:
        """How many instances the intervals make."""
        ends = [domains.ends(one, bindings) for one in self.intervals]
        return float(prod(max(0, one[1] - one[0] + 1) for one in ends if one is not None))


def scopes(statement: AST, text: Callable[[AST], str]) -> Iterator[JoinScope]:
    """What is joined for a statement: its body, and each element of an aggregate or a choice with the body."""
    body: list[JoinLiteral] = []
    inner: list[tuple[list[AST], list[AST]]] = []
    for literal in statement.body:
        if literal.ast_type is ASTType.ConditionalLiteral:
            inner.append(([], list(literal.condition)))
        elif literal.ast_type is ASTType.Literal:
            body.append(JoinLiteral(literal, text(literal)))
            inner.extend(([], element) for element in elements_of(literal))
    head = statement.head if statement.ast_type is ASTType.Rule else None
    own: list[AST] = []
    if head is not None and is_atom(head):
        own = [head]
    elif head is not None:
        inner += [([literal], list(conditions)) for literal, conditions in alternatives(head)]
    for derived, conditions in [(own, []), *inner]:
        literals = [JoinLiteral(one, text(one)) for one in conditions if one.ast_type is ASTType.Literal]
        atoms = [function_of(one.atom.symbol) for one in derived if is_atom(one)]
        is_element = derived is not own
        shown = frozenset(names_in(derived)) if head is not None and not is_element else None
        definite = own != [] and not inner and all(one.atom is not None or one.compared for one in body)
        functions = tuple(one for one in atoms if one is not None)
        yield JoinScope((*body, *literals), functions, ", ".join(map(text, derived)), shown, definite)


def opened(statements: Iterable[Sequence[JoinScope]]) -> frozenset[Signature]:
    """The predicates that are not made of facts alone: by choices, negation, aggregates, or what these derive."""
    every = [part for parts in statements for part in parts]
    found = {function.signature for part in every if not part.definite for function in part.heads}
    rules = [
        ({one.signature for one in part.heads}, {one.atom.signature for one in part.literals if one.atom is not None})
        for part in every
        if part.definite
    ]
    while more := {name for heads, uses in rules if uses & found for name in heads} - found:
        found |= more
    return frozenset(found)


def bound_of(parts: Sequence[JoinScope], domains: Domains) -> float:
    """A number of bindings that no join of a statement exceeds, from the number of all atoms alone."""
    found = 0.0
    for part in parts:
        most = 1.0
        for interval in [*part.intervals, *(one.interval for one in part.literals if one.interval is not None)]:
            ends = domains.ends(interval, {})
            most *= float("inf") if ends is None else max(0, ends[1] - ends[0] + 1)
        found += most * float(domains.size) ** sum(one.atom is not None and bool(one.gives) for one in part.literals)
    return found


def estimate(parts: Sequence[JoinScope], domains: Domains, seconds: float) -> Estimate:
    """Estimate the joins of a statement, in so many seconds."""
    random = Random(0)
    total = work = 0.0
    largest: tuple[JoinStep, ...] = ()
    for part in parts:
        ordered = order(part.literals, domains)  # reads the atoms
        last = part.last(ordered, domains.open)
        until = perf_counter() + seconds / len(parts)
        after = [0.0] * (len(ordered) + 1)  # the last is the head
        walks = 0
        while walks < WALKS and (walks < FEWEST or perf_counter() < until):
            walks += 1
            bindings: Bindings = {}
            weight = 1.0
            for at, literal in enumerate(ordered):
                try:
                    matches = literal.step(bindings, domains, random)
                    weight *= matches if at <= last else min(1.0, matches)
                except _Undefined:
                    weight = 0.0
                if not weight:
                    break
                after[at] += weight
            after[-1] += weight * part.widened(bindings, domains) if weight else 0.0
        steps: list[JoinStep] = []
        before = 1.0
        texts = [literal.text for literal in ordered]
        for text, weight in zip([*texts, part.head] if part.intervals else texts, after, strict=False):
            # Where no walk came through there may be some bindings all the same, up to about so many.
            number = weight / walks or (least if (least := before / walks) > 1 else 0.0)
            steps.append(JoinStep(text, number / before if before else 0.0, number))
            before = number
        instances = before
        total += instances
        work += sum(step.bindings for step in steps)
        if not largest or instances > largest[-1].bindings:
            largest = tuple(steps)
    return Estimate(total, work, largest)
