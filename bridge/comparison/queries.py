"""A rule as conjunctive queries: one for each case, with atoms, comparisons with 0, and what has to be an integer.

The cases are those of what is an alternative: tuples that differ differ somewhere, rules of a new predicate are put in
place of its atoms, and `#count { X : p(X) } > 1`, in a constraint, is a pair `p(X), p(Y), X != Y`. Comparisons are
linear forms over terms, and variables that are only computed are gone. Other literals are atoms of their own, which are
only like the same text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain, combinations_with_replacement, count, islice, product
from typing import TypeAlias

from clingo import SymbolType, ast
from clingo.ast import AST, ASTType

from bridge.asp.reading.context import COMPARISONS, head_signatures
from bridge.asp.reading.trees import has_anonymous, is_atom, is_constraint, names_in

#: Cases of a rule, and steps to them by rules of new predicates; where there are more, nothing is known.
CASES = 200

_MINUS, _ABSOLUTE = ast.UnaryOperator.Minus, ast.UnaryOperator.Absolute
NEGATED = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_TURNED = {"=": "=", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
_SIGNS = {ast.Sign.NoSign: "", ast.Sign.Negation: "not ", ast.Sign.DoubleNegation: "not not "}
_AGGREGATES = (ASTType.BodyAggregate, ASTType.Aggregate)
VARIABLE = re.compile(r"(?<![\w'])_*[A-Z][\w']*")

#: Names that no program has.
_fresh = count()


class NotUnderstood(Exception):
    """A rule has something that nothing is known about."""


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """A term. Of a `sum`, `terms` are what is added to a number, each with its factor."""

    kind: str  #: `variable`, `number`, `symbol`, `function`, `operation` or `sum`.
    name: str = ""
    terms: tuple[QueryTerm, ...] = ()
    number: Fraction = Fraction(0)
    factors: tuple[Fraction, ...] = ()

    @property
    def is_computed(self) -> bool:
        return self.kind in ("sum", "operation")

    def names(self) -> Iterator[QueryTerm]:
        """The variables and symbols in it."""
        if self.kind in ("variable", "symbol"):
            yield self
        for one in self.terms:
            yield from one.names()

    def substituted(self, by: Mapping[QueryTerm, QueryTerm]) -> QueryTerm:
        """The term with others in place of variables; sums are added up again."""
        if self in by:
            return by[self]
        if not self.terms:
            return self
        terms = tuple(one.substituted(by) for one in self.terms)
        if self.kind == "sum":
            return _as_sum(
                added((Fraction(1), (self.number, {})), *zip(self.factors, map(form_of, terms), strict=True))
            )
        return _operation(self.name, *terms) if self.kind == "operation" else QueryTerm(self.kind, self.name, terms)


#: A number, and what is added to it: terms with their factors.
Form: TypeAlias = tuple[Fraction, dict[QueryTerm, Fraction]]

#: A predicate with its sign, or one of `=`, `!=`, `<`, `<=`, `in` and `defined` (terms that have a value); and terms.
Literal: TypeAlias = tuple[str, tuple[QueryTerm, ...]]


@dataclass
class Query:
    """A case of a rule."""

    head: tuple[QueryTerm, ...]  #: The arguments of the head.
    atoms: list[Literal] = field(default_factory=list)
    forms: list[tuple[str, Form]] = field(default_factory=list)  #: `=`, `!=`, `<` or `<=` 0.
    integers: set[QueryTerm] = field(default_factory=set)  #: What has to be an integer.
    defined: set[QueryTerm] = field(default_factory=set)  #: Operations that need to have a value.


def form_of(term: QueryTerm) -> Form:
    """A term as a linear form."""
    if term.kind == "function":  # it is not added to anything
        raise NotUnderstood
    if term.kind == "number":
        return term.number, {}
    if term.kind == "sum":
        return term.number, dict(zip(term.terms, term.factors, strict=True))
    return Fraction(0), {term: Fraction(1)}


def added(*forms: tuple[Fraction, Form]) -> Form:
    """The sum of linear forms, each with a factor."""
    number, factors = Fraction(0), dict[QueryTerm, Fraction]()
    for factor, (own, parts) in forms:
        number += factor * own
        for term, value in parts.items():
            factors[term] = factors.get(term, Fraction(0)) + factor * value
    return number, {term: value for term, value in factors.items() if value}


def without(form: Form, variable: QueryTerm, equation: Form) -> Form:
    """A linear form with a variable eliminated by an equation."""
    factor = form[1].get(variable)
    return form if factor is None else added((Fraction(1), form), (-factor / equation[1][variable], equation))


def compares(operator: str, number: Fraction) -> bool:
    """Whether a number compares with 0."""
    return {"=": number == 0, "!=": number != 0, "<": number < 0, "<=": number <= 0}[operator]


def _as_sum(form: Form) -> QueryTerm:
    """A linear form as a term: a sum even of one, so that this is known to be an integer."""
    if not form[1]:
        return QueryTerm("number", number=form[0])
    parts = sorted(form[1].items(), key=repr)
    return QueryTerm("sum", "", tuple(term for term, _ in parts), form[0], tuple(factor for _, factor in parts))


def _sum(*parts: tuple[int | Fraction, QueryTerm]) -> QueryTerm:
    form = added(*((Fraction(factor), form_of(term)) for factor, term in parts))
    if any(name not in form[1] for _, term in parts for name in form_of(term)[1]):  # X-X needs an integer, and has no X
        raise NotUnderstood
    return _as_sum(form)


def _operation(operator: str, *terms: QueryTerm) -> QueryTerm:
    if operator == str(_ABSOLUTE):  # |X-Y| is |Y-X|
        form = form_of(terms[0])
        terms = (min((_as_sum(form), _as_sum(added((Fraction(-1), form)))), key=repr),)
    return QueryTerm("operation", operator, terms)


def _term(node: AST, added_to: bool = False) -> QueryTerm:
    """A term, which may be `added_to` others: an integer then."""
    kind = node.ast_type
    if kind is ASTType.Variable:
        return QueryTerm("variable", node.name if node.name != "_" else f"_'{next(_fresh)}")
    if kind is ASTType.SymbolicTerm:
        symbol = node.symbol
        if symbol.type is SymbolType.Number:
            return QueryTerm("number", number=Fraction(symbol.number))
        return QueryTerm("symbol", str(symbol))
    if kind is ASTType.Function and not node.external:
        if not node.arguments and node.name:
            return QueryTerm("symbol", node.name)
        return QueryTerm("function", node.name, tuple(map(_term, node.arguments)))
    if kind is ASTType.UnaryOperation:
        inner = _term(node.argument, added_to=True)
        if node.operator_type != _MINUS:
            return _operation(str(node.operator_type), inner)
        if added_to or inner.is_computed or inner.kind == "number":  # -X is a term for a constant X, too
            return _sum((-1, inner))
    if kind is ASTType.BinaryOperation:
        left, right = (_term(one, added_to=True) for one in (node.left, node.right))
        operator = node.operator_type
        if operator == ast.BinaryOperator.Plus:
            return _sum((1, left), (1, right))
        if operator == ast.BinaryOperator.Minus:
            return _sum((1, left), (-1, right))
        if operator == ast.BinaryOperator.Multiplication:
            (one, left), (other, right) = _factored(left), _factored(right)
            if "number" in (left.kind, right.kind):
                return _sum((one * other, right if left.kind == "number" else left))
            found = _operation("*", *sorted((left, right), key=repr))
            return found if one * other == 1 else _sum((one * other, found))
        return _operation(f"binary {operator}", left, right)
    raise NotUnderstood


def _factored(term: QueryTerm) -> tuple[Fraction, QueryTerm]:
    """A term as a number times another one."""
    if term.kind == "number":
        return term.number, QueryTerm("number", number=Fraction(1))
    if term.kind == "sum" and not term.number and len(term.terms) == 1:
        return term.factors[0], term.terms[0]
    return Fraction(1), term


def _defined(terms: Iterable[QueryTerm]) -> list[Literal]:
    """That what is computed in some terms has a value, which may be gone where two of them are equal or unlike."""
    found = list[Literal]()
    for term in terms:
        found += [("defined", (term,))] if term.is_computed else _defined(term.terms)
    return found


def _atom(literal: AST) -> Literal:
    """An atom, with its sign as a part of its name; variables without names get some."""
    symbol, negative = literal.atom.symbol, ""
    while symbol.ast_type is ASTType.UnaryOperation:
        symbol, negative = symbol.argument, "" if negative else "-"
    if symbol.ast_type is not ASTType.Function:
        raise NotUnderstood
    arguments, name = list(symbol.arguments), f"{_SIGNS[literal.sign]}{negative}{symbol.name}/{len(symbol.arguments)}"
    if literal.sign != ast.Sign.NoSign:  # `not p(_,X)` is about a predicate with X alone
        name += "".join(" _" if str(one) == "_" else " X" for one in arguments)
        arguments = [one for one in arguments if str(one) != "_"]
        if any(map(has_anonymous, arguments)):
            raise NotUnderstood
    return name, tuple(map(_term, arguments))


def _compared(literal: AST, negated: bool) -> list[list[Literal]]:
    """The cases of a comparison."""
    comparison = literal.atom
    terms, pairs = [_term(comparison.term)], []
    if negated and len(comparison.guards) > 1:
        raise NotUnderstood
    for guard in comparison.guards:
        operator = COMPARISONS[ast.ComparisonOperator(guard.comparison)]
        operator = NEGATED[operator] if negated else operator
        if guard.term.ast_type is ASTType.Interval and operator == "=" and len(comparison.guards) == 1:
            terms += [_term(guard.term.left), _term(guard.term.right)]
            return [[("in", tuple(terms)), *_defined(terms)]]
        terms.append(_term(guard.term))
        pairs.append((operator, terms[-2], terms[-1]))
    return _together(_case(*pair) for pair in pairs)


def _together(parts: Iterable[list[list[Literal]]]) -> list[list[Literal]]:
    """The cases of several literals together; of more than are read, one too many."""
    return [[one for some in case for one in some] for case in islice(product(*parts), CASES + 1)]


def _case(operator: str, left: QueryTerm, right: QueryTerm) -> list[list[Literal]]:
    if operator == "!=":
        return [[*case, *_defined((left, right))] for case in _unequal(left, right)]
    case = (_TURNED[operator], (right, left)) if operator in (">", ">=") else (operator, (left, right))
    return [[case, *_defined((left, right))]]


def _unequal(left: QueryTerm, right: QueryTerm) -> list[list[Literal]]:
    """The cases in which two terms differ."""
    if left.kind == right.kind == "function":
        if left.name != right.name or len(left.terms) != len(right.terms):
            return [[]]
        return [case for pair in zip(left.terms, right.terms, strict=True) for case in _unequal(*pair)]
    return [] if left == right else [[("!=", (left, right))]]


def _global_names(rule: AST) -> set[str]:
    """The variables that are not those of an element only."""
    found = set[str]()  # those of a head are bound by the body
    for literal in rule.body:
        inner = literal.atom if literal.ast_type is ASTType.Literal else literal
        if inner.ast_type in (ASTType.SymbolicAtom, ASTType.Comparison):
            found |= names_in([inner])
        elif inner.ast_type in _AGGREGATES:
            found |= names_in([one for one in (inner.left_guard, inner.right_guard) if one is not None])
    return found


def _head(rule: AST) -> tuple[QueryTerm, ...]:
    """The arguments of the head; of one that is no atom its text and the variables that are not those of an element."""
    if is_constraint(rule):
        return ()
    if is_atom(rule.head):
        return _atom(rule.head)[1]
    names = sorted(_global_names(rule) & names_in([rule.head]))
    return (QueryTerm("symbol", f"{rule.head} {names}"), *(QueryTerm("variable", name) for name in names))


class Queries:
    """Rules as queries; those of `new` predicates are put in place of their atoms."""

    def __init__(self, new: Sequence[AST], old: Queries | None = None, rules: Sequence[AST] = ()) -> None:
        """The `old` queries are those of other `rules`, which have no new predicates."""
        self._old, self._old_rules = old, {id(one) for one in rules}
        self._new: dict[str, list[AST]] = {}
        for rule in new:
            (signature,) = head_signatures(rule)
            self._new.setdefault(f"{signature[0]}/{signature[1]}", []).append(rule)
        # With the rule, so that its id stays its own; None where it is not understood.
        self._found: dict[int, tuple[AST, list[Query] | None]] = {}

    def of(self, rule: AST) -> list[Query]:
        """The cases of a rule; those that cannot hold are left out. Raises NotUnderstood."""
        if self._old is not None and id(rule) in self._old_rules:
            return self._old.of(rule)
        if id(rule) not in self._found:
            try:
                self._found[id(rule)] = rule, self._read(rule)
            except NotUnderstood:
                self._found[id(rule)] = rule, None
        _, found = self._found[id(rule)]
        if found is None:
            raise NotUnderstood
        return found

    def _read(self, rule: AST) -> list[Query]:
        constraint = is_constraint(rule)
        literals = [self._cases(rule, literal, constraint) for literal in rule.body]
        if constraint and rule.head.atom.ast_type is not ASTType.BooleanConstant:
            if rule.head.sign != ast.Sign.NoSign:
                raise NotUnderstood
            literals.append(_compared(rule.head, negated=True))
        head = _head(rule)
        found = (_query(head, [*case, *_defined(head)]) for case in self._unfolded(literals, count()))
        return [one for one in found if one is not None]

    def _cases(self, rule: AST, literal: AST, constraint: bool) -> list[list[Literal]]:
        """The cases of a literal."""
        if literal.ast_type is ASTType.Literal:
            inner = literal.atom
            if inner.ast_type is ASTType.SymbolicAtom:
                atom = _atom(literal)
                return [[atom, *_defined(atom[1])]]
            if inner.ast_type is ASTType.Comparison:
                return _compared(literal, negated=literal.sign == ast.Sign.Negation)
            if inner.ast_type is ASTType.BooleanConstant:  # the parser evaluates its sign
                return [[]] if inner.value else []
            if constraint and _is_pair(literal):
                return self._pairs(rule, inner)
        return [[self._opaque(rule, literal)]]

    def _pairs(self, rule: AST, aggregate: AST) -> list[list[Literal]]:
        """Two elements of `#count { ... } > 1` that are not the same."""
        outside = _global_names(rule)
        found = []
        for pair in combinations_with_replacement(aggregate.elements, 2):
            parts, tuples = [], []
            for element in pair:
                rename = _renaming(names_in([element]) - outside)
                inside = [self._cases(rule, each, constraint=False) for each in element.condition]
                if element.ast_type is ASTType.BodyAggregateElement:
                    terms = [_term(one) for one in element.terms]
                else:  # different atoms are counted
                    atom = _atom(element.literal)
                    terms = [QueryTerm("function", *atom)]
                    inside.append([[atom, *_defined(atom[1])]])
                parts.append([_renamed(case, rename) for case in _together(inside)])
                tuples.append(QueryTerm("function", "", tuple(term.substituted(rename) for term in terms)))
            found += _together([*parts, _case("!=", *tuples)])
        return found

    def _opaque(self, rule: AST, literal: AST) -> Literal:
        """A literal that is only compared as it is, but for the names of variables."""
        text = str(literal)
        if '"' in text:
            raise NotUnderstood
        outside, names, inside = _global_names(rule), dict[str, str](), dict[str, str]()

        def numbered(found: re.Match[str]) -> str:
            if found[0] in outside:
                return names.setdefault(found[0], f"<{len(names)}>")
            return inside.setdefault(found[0], f"<local {len(inside)}>")

        return VARIABLE.sub(numbered, text), tuple(QueryTerm("variable", one) for one in names)

    def _unfolded(self, literals: Iterable[list[list[Literal]]], steps: Iterator[int]) -> Iterator[list[Literal]]:
        """The cases of literals, with the bodies of new predicates in place of their atoms."""
        for case in product(*literals):
            if next(steps) >= CASES:
                raise NotUnderstood
            plain = [one for some in case for one in some]
            at = next((at for at, (relation, _) in enumerate(plain) if relation in self._new), None)
            if at is None:
                yield plain
                continue
            relation, arguments = plain[at]
            for rule in self._new[relation]:
                rename = _renaming(names_in([rule.head, *rule.body]))
                head = [term.substituted(rename) for term in _head(rule)]
                equal: list[Literal] = [("=", pair) for pair in zip(head, arguments, strict=True)]
                rest = [*plain[:at], *plain[at + 1 :], *equal, *_defined(head)]
                body = [self._cases(rule, each, constraint=False) for each in rule.body]
                inside = [[_renamed(one, rename) for one in cases] for cases in body]
                yield from self._unfolded([[rest], *inside], steps)


def _is_pair(literal: AST) -> bool:
    """Whether it is `#count { ... } > 1` or `{ ... } > 1`, in any way to write it."""
    inner = literal.atom
    if inner.ast_type not in _AGGREGATES or literal.sign != ast.Sign.NoSign:
        return False
    if inner.ast_type is ASTType.BodyAggregate and inner.function != ast.AggregateFunction.Count:
        return False
    guards = [one for one in (inner.left_guard, inner.right_guard) if one is not None]
    if len(guards) != 1 or any(one.ast_type is ASTType.ConditionalLiteral and not is_atom(one.literal)
                               for one in inner.elements):  # fmt: skip
        return False
    operator = COMPARISONS[ast.ComparisonOperator(guards[0].comparison)]
    operator = operator if inner.left_guard is None else _TURNED[operator]
    return (operator, str(guards[0].term)) in ((">", "1"), (">=", "2"))


def _renaming(names: Iterable[str]) -> dict[QueryTerm, QueryTerm]:
    """New names for variables."""
    apart = f"'{next(_fresh)}"
    return {QueryTerm("variable", name): QueryTerm("variable", f"{name}{apart}") for name in names}


def _renamed(literals: Iterable[Literal], rename: Mapping[QueryTerm, QueryTerm]) -> list[Literal]:
    return [(relation, tuple(term.substituted(rename) for term in terms)) for relation, terms in literals]


# The normal form of a case


def _query(head: tuple[QueryTerm, ...], literals: Sequence[Literal]) -> Query | None:
    """A case in its normal form; None where it cannot hold."""
    by, later = _unified([terms for relation, terms in literals if relation == "="])
    if by is None:
        return None
    query = Query(())
    for one in (term for relation, terms in literals if relation in ("defined", "in") for term in terms):
        if not _note(one, by, query):
            return None
    query.head = tuple(_flat(term.substituted(by), query) for term in head)
    for relation, terms in _renamed((one for one in literals if one[0] not in ("=", "defined")), by):
        if relation == "!=" and terms[0] == terms[1]:
            return None
        if relation in ("<", "<=", "!=") and not any(one.kind == "function" for one in terms):
            query.forms.append((relation, _difference(terms)))
        else:
            terms = tuple(sorted(terms, key=repr)) if relation == "!=" else terms
            query.atoms.append((relation, tuple(_flat(one, query) for one in terms)))
    for pair in later:
        query.forms.append(("=", _difference(tuple(one.substituted(by) for one in pair))))
    return query if _solve(query) else None


def _note(term: QueryTerm, by: Mapping[QueryTerm, QueryTerm], query: Query) -> bool:
    """Note what has to be an integer so that a term has a value; False where something else is in its place."""
    if not term.terms:
        value = by.get(term, term)
        if value.kind in ("variable", "symbol"):
            query.integers.add(value)
        return value.kind != "function"
    if term.kind == "function" or not all(_note(one, by, query) for one in term.terms):
        return False
    if term.kind == "operation":
        query.defined.add(term.substituted(by))
    return True


def _unified(
    equal: list[tuple[QueryTerm, ...]],
) -> tuple[dict[QueryTerm, QueryTerm] | None, list[tuple[QueryTerm, QueryTerm]]]:
    """What variables are equal to, and equations of what is computed; None where the terms are not equal."""
    by: dict[QueryTerm, QueryTerm] = {}
    later: list[tuple[QueryTerm, QueryTerm]] = []
    while equal:
        left, right = (term.substituted(by) for term in equal.pop())
        if left == right:
            continue
        if right.kind == "variable":
            left, right = right, left
        if left.kind == "variable" and not right.is_computed:
            if left in right.names():
                return None, []
            by = {one: term.substituted({left: right}) for one, term in by.items()} | {left: right}
        elif left.kind == right.kind == "function":
            if left.name != right.name or len(left.terms) != len(right.terms):
                return None, []
            equal += zip(left.terms, right.terms, strict=True)
        elif {left.kind, right.kind} <= {"number", "function"}:
            return None, []
        else:  # a symbol may be a constant
            later.append((left, right))
    return by, later


def _flat(term: QueryTerm, query: Query) -> QueryTerm:
    """A term of an atom; what is computed in it becomes a variable with an equation."""
    if term.is_computed:
        variable = QueryTerm("variable", f"'{next(_fresh)}")
        query.forms.append(("=", _difference((variable, term))))
        return variable
    return QueryTerm(term.kind, term.name, tuple(_flat(one, query) for one in term.terms), term.number)


def _difference(pair: tuple[QueryTerm, ...]) -> Form:
    left, right = pair
    return added((Fraction(1), form_of(left)), (Fraction(-1), form_of(right)))


def _solve(query: Query) -> bool:
    """Eliminate variables that are only computed; False where a comparison cannot hold."""
    while (found := _computed(query)) is not None:
        variable, equation = found
        query.forms = [(operator, without(form, variable, equation)) for operator, form in query.forms]
        query.integers.update(name for term in equation[1] for name in term.names())
        query.integers.discard(variable)
    left = query.forms
    query.forms = [(operator, form) for operator, form in left if form[1]]
    return all(form[1] or compares(operator, form[0]) for operator, form in left)


def _computed(query: Query) -> tuple[QueryTerm, Form] | None:
    """A variable that stands in comparisons only, and an equation that gives its value."""
    held = {name for _, terms in query.atoms for term in terms for name in term.names()}
    held.update(name for term in query.head for name in term.names())
    operations = chain(query.defined, (term for _, form in query.forms for term in form[1] if term.terms))
    held.update(name for term in operations for name in term.names())
    for operator, form in query.forms:
        for term, factor in form[1].items():
            if operator == "=" and term.kind == "variable" and abs(factor) == 1 and term not in held:
                return term, form
    return None
