"""What a program derives on its instances, and what of it shows that a statement is not what is meant.

The program is ground together with **questions**: rules whose heads stand for bodies of the program, for beginnings of
bodies, and for instances that a check looks for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from typing import Any, NamedTuple

from clingo import ast
from clingo.ast import AST, ASTType

from bridge.asp.reading import (
    Named,
    Signature,
    alternatives,
    has_anonymous,
    is_aggregate,
    is_atom,
    is_choice,
    is_constraint,
    key,
    names_in,
    needs_and_gives,
    nodes,
)
from bridge.asp.reading import signatures as signatures_of
from bridge.common import listed
from bridge.limits import Deadline, Limits
from bridge.linting.checks import written
from bridge.linting.findings import CHECKS, Check, Hit, declare
from bridge.linting.program import Atom, Source, Statement, functions, is_number, name_of, number_of
from bridge.problem import AspProblem

#: On these instances the body of the rule has no ground instance: the rule never fires.
NEVER = declare("LP008", "never-fires", "info")
#: On these instances the body of the constraint has no ground instance: it excludes nothing.
EXCLUDES = declare("LP009", "never-excludes", "info")
#: On these instances a constraint forbids each atom that a choice may choose, whatever else holds.
EACH = declare("LP047", "forbids-each-atom", "warning")
#: On these instances a constraint demands an atom that no rule can derive there, so that there is no answer set.
ALWAYS = declare("LP048", "always-violated", "warning")

#: On these instances a predicate that is shown has no atom, whatever is chosen; without `#show`, none that a rule
#: derives.
NOTHING = declare("LP046", "nothing-to-show", "info")

#: The first number that is too large, and the operations that get there soon.
_LARGEST = 2**31
_PRODUCTS = (ast.BinaryOperator.Multiplication, ast.BinaryOperator.Power)
_SUMMANDS = (ast.BinaryOperator.Plus, ast.BinaryOperator.Minus)

#: Numbers that may soon be too large when they are added, or when many are.
_BIG, _LONG = re.compile(rb"\d{9}"), re.compile(rb"\d{5}")
_SUMS = (ast.AggregateFunction.Sum, ast.AggregateFunction.SumPlus)

_ASK, _ANY = "lpbridge_asks_", "Lpbridge"

#: So many atoms of a question are looked at, and so many values are named.
_MOST, _NAMED = 20_000, 3


#: Terms, and a body that binds their variables.
_Question = tuple[Sequence[str], Sequence[AST | str]]


class _Body(NamedTuple):
    """A body that is asked for: of a rule, with the condition of an atom in a choice."""

    statement: Statement
    literals: tuple[AST, ...]  #: In an order in which each has its variables bound by those before.
    inner: bool  #: Whether a condition is among them.


class _Sum(NamedTuple):
    """An element of a sum whose tuple is its weight, and whose condition has anonymous variables."""

    statement: Statement
    weight: AST
    condition: list[AST]
    outer: list[AST]


class _Total(NamedTuple):
    """A sum in a body: its literal, the names of the variables that it shares, and the questions for its tuples."""

    statement: Statement
    literal: AST
    outer: list[str]
    questions: tuple[str, ...]
    fixed: bool  #: Whether its tuples are the same in each answer set.


class NoAtomCause(NamedTuple):
    """Why a predicate has no atom: the part of a statement because of which there is none."""

    statement: Statement
    node: AST
    words: str
    #: The predicates that have no atom for it, the one that was asked about last.
    empty: tuple[Signature, ...]


class Instances:
    """A program on its instances.

    Raises
    ------
    LimitError, ProgramError, UnsupportedError
        As loading the program does.
    """

    def __init__(self, problem: AspProblem, source: Source, limits: Limits) -> None:
        self._problem, self._source, self._limit = problem, source, limits
        self._deadline = Deadline(limits.seconds)
        open_ = {one for one in source.uses if one not in source.derived} | source.baseless | _unset(source)
        above = source.above(open_) | open_
        #: The predicates that do not depend on what is given elsewhere.
        self.whole = {*source.uses, *source.derived} - above - source.given - source.defined

    def ask(self, questions: Mapping[str, _Question]) -> dict[str, set[tuple[Any, ...]]]:
        """The values of terms in the instances of bodies, by the name of each question."""
        if not questions:
            return {}
        # What clingo says of a question is in lines that no text has.
        lines = ["\n" * max((text.data.count(b"\n") for text in self._source.texts.values()), default=0)]
        for name, (terms, body) in questions.items():
            head = f"{_ASK}{name}({','.join(terms)})" if terms else f"{_ASK}{name}"
            lines.append(f"{head} :- {'; '.join(map(str, body)) or '#true'}.")
        within = self._deadline.within(self._limit)
        with self._problem.with_query("\n".join(lines)).program(limits=within) as program:
            return {
                name: set(program.literals(f"{_ASK}{name}", len(terms), limits=self._deadline.within(self._limit)))
                for name, (terms, _) in questions.items()
            }

    # Bodies

    @cached_property
    def _bodies(self) -> list[_Body]:
        """The bodies that use whole predicates, and those of choices with their conditions."""
        found = []
        for statement in self._source.statements:
            if statement.kind is not ASTType.Rule or statement.part:
                continue
            if {one.signature for one in statement.atoms if one.role == "positive"} <= self.whole:
                body = list(statement.node.body)
                found.append(_Body(statement, tuple(_ordered(body)), False))
                for _, condition in alternatives(statement.node.head) if is_choice(statement.node) else ():
                    found.append(_Body(statement, tuple(_ordered([*body, *condition])), True))
        return [one for one in found if one.literals]

    @cached_property
    def never(self) -> list[_Body]:
        """The bodies that have no instance."""
        names = {f"b{number}": one for number, one in enumerate(self._bodies)}
        found = self.ask({name: ((), one.literals) for name, one in names.items()})
        return [one for name, one in names.items() if not found[name]]

    @cached_property
    def _atoms(self) -> dict[Signature, set[tuple[Any, ...]]]:
        """The arguments of the atoms of each predicate that a rule derives."""
        heads = [one for one in self._source.heads if one in self.whole]
        return self._of({f"h{number}": one for number, one in enumerate(heads)})

    def _of(self, names: Mapping[str, Signature]) -> dict[Signature, set[tuple[Any, ...]]]:
        asked = {}
        for name, (predicate, arity) in names.items():
            variables = [f"X{at}" for at in range(arity)]
            asked[name] = variables, [f"{predicate}({','.join(variables)})" if arity else predicate]
        found = self.ask(asked)
        return {signature: found[name] for name, signature in names.items()}

    def nothing(self) -> Iterator[tuple[Check, Hit]]:
        """Why what is shown has no atom."""
        rules = [one for one in self._source.statements if one.kind is ASTType.Rule]
        rules = [one for one in rules if one.node.body or is_choice(one.node)]
        known = {atom.signature for one in rules for atom in one.heads} & self.whole - self._source.stated
        heads = [one for one in self._source.heads if one in known]
        wanted = [one for one in self._source.heads if one in self.whole and one in self._source.shown]
        if not self._source.shown and not any(self._atoms[one] for one in heads):
            wanted = heads
        found: dict[int, tuple[NoAtomCause, dict[Signature, None]]] = {}
        for signature in wanted:
            if (cause := self.cause(signature)) is not None:
                of = found.setdefault(id(cause.statement), (cause, {}))[1]
                of.update(dict.fromkeys(cause.empty))
        for cause, empty in found.values():
            several = listed(list(map(written, empty)))
            words = f"{cause.words}; so there is no atom of {several}"
            yield NOTHING, Hit(cause.statement, cause.node, words)

    def remarks(self, rules: bool) -> Iterator[tuple[Check, Hit]]:
        """The constraints that exclude nothing; with `rules`, also the rules that never fire."""
        for one in self.never:
            excludes = is_constraint(one.statement.node)
            constant = any(node.ast_type is ASTType.BooleanConstant for each in one.literals for node in nodes(each))
            if not one.inner and (excludes or rules) and not constant:
                words = "this constraint excludes nothing here" if excludes else "this rule never fires here"
                words = f"{words}: {self._why(*self._breaks[id(one.statement)])}"
                yield EXCLUDES if excludes else NEVER, Hit(one.statement, one.statement.node, words)

    # Values

    def values(self) -> Iterator[tuple[Check, Hit]]:
        """Tuples of a sum that are the same for several atoms, and arithmetic that has more than 32 bits."""
        asked: dict[str, _Question] = {}
        sums: dict[str, _Sum] = {}
        products: dict[str, tuple[Statement, AST, list[str]]] = {}
        for statement in self._source.statements:
            if statement.part or not {one.signature for one in statement.atoms} <= self.whole:
                continue
            for one in _sums(statement):
                names = sorted(names_in([*one.outer, *one.condition]))
                sums[f"s{len(sums)}"] = one
                asked[f"s{len(sums) - 1}"] = [str(one.weight), *names], [*one.outer, *one.condition]
            for node, body in self._arithmetic(statement):
                names = sorted(names_in([node]) | _constants_in(node))
                products[f"p{len(products)}"] = statement, node, names
                asked[f"p{len(products) - 1}"] = names, body
        totals = self._totals(asked)
        found = self.ask(asked)
        yield from self._too_large(totals, found)
        for name, one in sums.items():
            if (pair := _same_weight(list(asked[name][0]), found[name], one)) is not None:
                fixed = {atom.signature for atom in one.statement.scopes[-1].positive()} <= self._source.fixed
                yield CHECKS["LP011"], Hit(one.statement, one.weight, *pair, level=None if fixed else "info")
        for name, (statement, node, names) in products.items():
            several = [dict(zip(names, row, strict=True)) for row in found[name] if all(map(_is_int, row))]
            exact = [(value, row) for row in several if (value := _exact(node, row)) is not None]
            large = [(abs(value), value, row) for value, row in exact if not -_LARGEST <= value < _LARGEST]
            if large:
                _, value, row = min(large, key=lambda one: one[0])
                words = f"with {', '.join(f'{key} = {one}' for key, one in row.items())} this" if row else "this"
                words = f"numbers have 32 bits: {words} is {value}, and wraps around to {_wrapped(value)}"
                yield CHECKS["LP045"], Hit(statement, node, words, level="warning")

    def totals(self) -> Iterator[tuple[Check, Hit]]:
        """Sums that may have more than 32 bits, of a program that clingo gives up for them."""
        asked: dict[str, _Question] = {}
        totals = self._totals(asked)
        parsed = self._problem.backend.parsed()
        places = [one.source.place(node) for one in parsed for node in one.nodes if _has_sum(node)]
        kept = Instances(self._problem.without(map(str, places)), self._source, self._limit)
        yield from self._too_large(totals, kept.ask(asked))

    def _totals(self, asked: dict[str, _Question]) -> list[_Total]:
        """The sums in bodies whose weights may be large together; the questions for their tuples are put to `asked`."""
        found = list[_Total]()
        if not any(_LONG.search(text.data) for text in self._source.texts.values()):
            return found
        for statement in self._source.statements:
            whole = {one.signature for one in statement.atoms} <= self.whole
            body = list(statement.node.body) if whole and statement.kind is ASTType.Rule and not statement.part else []
            bound, outer = _bound(body)
            for literal in body:
                if not (is_aggregate(literal) and getattr(literal.atom, "function", None) in _SUMS):
                    continue
                elements = [(list(one.terms), list(one.condition)) for one in literal.atom.elements]
                inner = [bound | _bound(condition, bound)[0] for _, condition in elements]
                if not all(names_in([*of[0], *of[1]]) <= names for of, names in zip(elements, inner, strict=True)):
                    continue
                shared = sorted(bound & names_in([one for of in elements for part in of for one in part]))
                questions = []
                for terms, condition in elements:
                    questions.append(f"t{len(asked)}")
                    asked[questions[-1]] = [*shared, *map(str, terms)], [*outer, *condition]
                atoms = {atom.signature for scope in statement.scopes[1:] for atom in scope.atoms}
                found.append(_Total(statement, literal, shared, tuple(questions), atoms <= self._source.fixed))
        return found

    def _too_large(
        self, totals: Iterable[_Total], found: Mapping[str, set[tuple[Any, ...]]]
    ) -> Iterator[tuple[Check, Hit]]:
        for one in totals:
            at, sums = len(one.outer), dict[tuple[Any, ...], list[int]]()
            atom = one.literal.atom
            for row in set().union(*(found[name] for name in one.questions)):
                if _is_int(row[at]) and (row[at] > 0 or atom.function == ast.AggregateFunction.Sum):
                    sums.setdefault(row[:at], []).append(row[at])
            guards = [guard.comparison for guard in (atom.left_guard, atom.right_guard) if guard is not None]
            is_value = ast.ComparisonOperator.Equal in guards
            for outer, weights in sorted(sums.items(), key=str):
                value = sum(weights) if one.fixed else sum(map(abs, weights))
                if value == _wrapped(value) or (one.fixed and not is_value):  # what is compared does not wrap around
                    continue
                given = ", ".join(f"{name} = {each}" for name, each in zip(one.outer, outer, strict=True))
                words = f"with {given} " if given else ""
                end = f"this sum is {value}, and wraps around to {_wrapped(value)}"
                if not one.fixed:
                    end = f"the weights of this sum are {value} together: an error, or it wraps around"
                words = f"numbers have 32 bits: {words}{end}"
                yield CHECKS["LP045"], Hit(one.statement, one.literal, words, level="warning")
                break

    def _arithmetic(self, statement: Statement) -> Iterator[tuple[AST, list[AST]]]:
        """The largest arithmetic terms that may have more than 32 bits, each with what binds its variables."""
        if statement.kind not in (ASTType.Rule, ASTType.Minimize):
            return
        big = any(_BIG.search(text.data) for text in self._source.texts.values())
        operators = {*_PRODUCTS, *(_SUMMANDS if big else ())}
        body = list(statement.node.body)
        known = self._source.bound(statement.scopes[0], self._source.values)
        inside = set[Any]()
        for node in _arithmetic_in(statement.node):
            if key(node) in inside:
                continue
            inside |= {*map(key, _arithmetic_in(node))}
            names = names_in([node])
            if not any(getattr(one, "operator_type", None) in operators for one in nodes(node)):
                continue
            # A comparison with the term itself has a wrong value where the term has.
            bound, literals = _bound(one for one in body if key(node) not in map(key, _arithmetic_in(one)))
            if not names <= bound:
                continue
            sets = [known.get(name, set()) for name in names]
            largest = {
                name: max((abs(_order(one)[1]) for one in known[name]), default=0) for name in names & known.keys()
            }
            if not all(sets) or _constants_in(node) or (_exact(node, largest, abs) or 0) >= _LARGEST:
                yield node, literals

    # What a constraint forbids on its own

    def constraints(self) -> Iterator[tuple[Check, Hit]]:
        """The constraints that forbid each atom of a choice, and those that demand an atom that nothing derives."""
        asked: dict[str, _Question] = {}
        said: dict[str, tuple[Statement, Atom, Sequence[tuple[str, str]]]] = {}
        for written_so in self._source.statements if not self._source.incremental else ():
            head = written_so.node.head if written_so.kind is ASTType.Rule and not written_so.part else None
            if head is None or not is_constraint(written_so.node) or head.atom.ast_type is not ASTType.BooleanConstant:
                continue
            statement = _named(written_so)
            if len(statement.scopes) > 1 or not {atom.signature for atom in statement.atoms} <= self.whole:
                continue
            free = [atom for atom in statement.atoms if atom.signature not in self._source.fixed]
            signatures, roles = {one.signature for one in free}, {one.role for one in free}
            if len(signatures) != 1 or len(roles) != 1 or not signatures <= self._source.heads.keys():
                continue
            if len(free) > (2 if roles == {"positive"} else 1):
                continue
            name = f"c{len(asked)}"
            several = [list(map(str, one.arguments)) for one in free]
            body = list(statement.node.body)
            same = [*zip(several[0], several[-1], strict=True)]
            if roles == {"positive"} and signatures <= self._source.chosen:
                asked[name] = several[0], [*body, *(f"{first} = {second}" for first, second in same)]
            elif any(is_atom(one, ast.Sign.Negation) and signatures_of(one) == signatures for one in body):
                asked[name] = several[0], [one for one in body if not signatures_of(one) & signatures]
            else:
                continue
            said[name] = statement, free[0], [(first, second) for first, second in same if first != second]
        found = self.ask(asked)
        for name, (statement, atom, pairs) in said.items():
            text = statement.text.of(atom.node)
            there = self._atoms[atom.signature]
            if atom.role == "positive" and there and found[name] >= there:
                yield EACH, Hit(statement, statement.node, _each(text, pairs), level=None)
            elif atom.role == "negative" and (never := found[name] - there):
                row = min(never, key=lambda row: tuple(map(_order, map(str, row))))
                one = f"{atom.signature[0]}({','.join(map(str, row))})" if row else atom.signature[0]
                each = f"this demands {one}"
                if names_in([atom.node]) and len(found[name]) > 1:
                    each = f"this demands {text} in each of {len(found[name])} instances"
                lower = None if there else self.cause(atom.signature)
                why = f": {lower.words} (line {lower.statement.node.location.begin.line})" if lower is not None else ""
                yield ALWAYS, Hit(statement, statement.node, f"{each}, and no rule can derive {one}{why}")

    # Why there is no atom

    @cached_property
    def _breaks(self) -> dict[int, tuple[_Body, int, dict[str, set[str]]]]:
        """By statement, a body without an instance, the first literal with which it has none, and the values before."""
        asked: dict[str, _Question] = {}
        bodies = [(number, one) for number, one in enumerate(self.never)]
        for number, one in bodies:
            names: list[str] = []
            for at, literal in enumerate(one.literals):
                names += sorted(needs_and_gives(literal)[1] - set(names))
                asked[f"p{number}_{at}"] = tuple(names), one.literals[: at + 1]
        found = self.ask(asked)
        breaks: dict[int, tuple[_Body, int, dict[str, set[str]]]] = {}
        for number, one in bodies:
            at = next(at for at in range(len(one.literals)) if not found[f"p{number}_{at}"])
            before = f"p{number}_{at - 1}"
            values: dict[str, set[str]] = {}
            for row in list(found[before])[:_MOST] if at else ():
                for name, value in zip(asked[before][0], row, strict=True):
                    values.setdefault(name, set()).add(str(value))
            breaks.setdefault(id(one.statement), (one, at, values))
        return breaks

    def cause(self, signature: Signature, above: tuple[Signature, ...] = ()) -> NoAtomCause | None:
        """Why a predicate has no atom on these instances; None where it has one, or where that is not known."""
        if signature not in self.whole or signature in self._source.stated or self._atoms.get(signature):
            return None
        heads = self._source.heads.get(signature, [])
        for statement, atom in heads:
            if id(statement) in self._breaks:
                body, at, values = self._breaks[id(statement)]
                literal = body.literals[at]
                needed = [one for one, _ in functions(literal.atom.symbol)] if is_atom(literal) else []
                lower = None
                if needed and needed[0] not in (signature, *above) and not self._source.stated & {*needed}:
                    lower = self.cause(needed[0], (*above, signature))
                if lower is not None:
                    return lower._replace(empty=(*lower.empty, signature))
                return NoAtomCause(statement, literal, self._why(body, at, values), (signature,))
            if (undefined := _undefined(atom)) is not None:
                return NoAtomCause(statement, atom.node, undefined, (signature,))
        return None

    def _why(self, body: _Body, at: int, values: Mapping[str, set[str]]) -> str:
        """Why a literal holds in no instance of what stands before it."""
        literal, text = body.literals[at], body.statement.text.of
        shared = sorted(names_in([literal]) & values.keys())
        known = [f"{name} is {_values(values[name])}" for name in shared]
        if not is_atom(literal):
            return f"`{text(literal)}` never holds" + (f": {' and '.join(known)}" if known else "")
        signature, node = next(functions(literal.atom.symbol))
        rows = self._of({"s": signature})[signature]
        if not rows:
            return f"{written(signature)} has no atom"
        found = []
        for place, term in enumerate(node.arguments if node.ast_type is ASTType.Function else ()):
            column = {str(row[place]) for row in rows}
            name = str(term)
            if term.ast_type is ASTType.Variable and name in values and not column & values[name]:
                found.append(f"`{name}` is {_values(values[name])} before, and here {_values(column)}")
            elif not names_in([term]) and name != "_" and name not in column:
                found.append(f"argument {place + 1} is {_values(column)}, and never {name}")
        together = "which fit none together" if len(known) > 1 else "which fits none"
        reasons = found or ([f"{' and '.join(known)}, {together}"] if known else [])
        words = f"no atom of {written(signature)} fits `{text(literal)}`"
        return f"{words}: {'; '.join(reasons)}" if reasons else words


def _named(statement: Statement) -> Statement:
    """The same with names for anonymous variables."""
    node = Named(_ANY).visit(statement.node)
    return Statement(node, statement.text, statement.file, statement.part)


def _sums(plain: Statement) -> Iterator[_Sum]:
    """The elements of sums, with names for anonymous variables."""
    if plain.kind not in (ASTType.Rule, ASTType.Minimize) or not has_anonymous(plain.node):
        return
    statement = _named(plain)
    elements: list[tuple[list[AST], list[AST], list[AST]]] = []
    body = list(statement.node.body)
    if statement.kind is ASTType.Minimize:
        elements.append(([statement.node.weight, *statement.node.terms], body, []))
    for one in body:
        if is_aggregate(one) and getattr(one.atom, "function", None) in _SUMS:
            outer = [each for each in body if not _late(each)]
            elements += ((list(each.terms), list(each.condition), outer) for each in one.atom.elements)
    for terms, condition, outer in elements:
        anonymous = any(name.startswith(_ANY) for name in names_in(condition))
        if len(terms) == 1 and names_in(terms) - names_in(outer) and anonymous:
            yield _Sum(plain, terms[0], condition, outer)


def _same_weight(names: list[str], rows: Iterable[tuple[Any, ...]], one: _Sum) -> tuple[str, str] | None:
    """Two atoms with the same weight, in words, and what to write."""
    outer = [names.index(name) for name in names[1:] if name in names_in(one.outer)]
    first: dict[tuple[Any, ...], tuple[Any, ...]] = {}
    for row in sorted(rows, key=str):
        other = first.setdefault((row[0], *(row[at] for at in outer)), row)
        if other != row and row[0] != 0:
            several = []
            for each in (other, row):
                values = dict(zip(names[1:], map(str, each[1:]), strict=True))
                several.append(", ".join(_filled(str(literal), values) for literal in one.condition))
            free = [name for name in names[1:] if name.startswith(_ANY)]
            new = dict(zip(free, (name for name in "XYZUVW" if name not in names), strict=False))
            condition = ", ".join(_filled(str(literal), new) for literal in one.condition)
            words = f"{' and '.join(several)} have the same tuple, {row[0]}, so that it counts once"
            return words, f"{', '.join([str(one.weight), *new.values()])} : {condition}"
    return None


def _filled(text: str, values: Mapping[str, str]) -> str:
    """The text of a literal with values for its variables."""
    return re.sub(r"\b[A-Z]\w*", lambda match: values.get(match[0], match[0]), text)


def _exact(term: AST, values: Mapping[str, int], of: Callable[[int], int] = int) -> int | None:
    """The value of a term, of whatever size; None where it is not computed."""
    if (name := term.name if term.ast_type is ASTType.Variable else name_of(term)) is not None:
        return values.get(name)
    if (number := number_of(term)) is not None:
        return of(number)
    if term.ast_type is ASTType.UnaryOperation and term.operator_type == ast.UnaryOperator.Minus:
        inner = _exact(term.argument, values, of)
        return None if inner is None else of(-inner)
    if term.ast_type is not ASTType.BinaryOperation:
        return None
    left, right = _exact(term.left, values, of), _exact(term.right, values, of)
    if left is None or right is None:
        return None
    operator = term.operator_type
    if operator == ast.BinaryOperator.Plus or (operator == ast.BinaryOperator.Minus and of is abs):
        return left + right
    if operator == ast.BinaryOperator.Minus:
        return left - right
    if operator == ast.BinaryOperator.Multiplication:
        return left * right
    power = operator == ast.BinaryOperator.Power and 0 <= right <= 64
    return int(left**right) if power else None


def _wrapped(value: int) -> int:
    return (value + _LARGEST) % (2 * _LARGEST) - _LARGEST


def _constants_in(node: AST) -> set[str]:
    return {name for one in nodes(node) if one.ast_type is ASTType.SymbolicTerm and (name := name_of(one)) is not None}


def _arithmetic_in(node: AST) -> Iterator[AST]:
    return (one for one in nodes(node) if one.ast_type is ASTType.BinaryOperation)


def _has_sum(node: AST) -> bool:
    return node.ast_type is ASTType.Rule and any(getattr(one, "function", None) in _SUMS for one in nodes(node))


def _bound(literals: Iterable[AST], bound: Set[str] = frozenset()) -> tuple[set[str], list[AST]]:
    """The variables that literals bind without aggregates and conditions; the literals of which these are all."""
    waiting, names, found = [one for one in literals if not _late(one)], {*bound}, list[AST]()
    while (one := next((each for each in waiting if needs_and_gives(each)[0] <= names), None)) is not None:
        waiting.remove(one)
        names |= needs_and_gives(one)[1]
        found.append(one)
    return names, found


def _is_int(value: Any) -> bool:
    return isinstance(value, int)


def _each(text: str, pairs: Sequence[tuple[str, str]]) -> str:
    if not pairs:
        return f"this forbids each atom {text} that there can be"
    same = " and ".join(f"{one} = {other}" for one, other in pairs)
    words = f"with {same} both atoms are the same one, so this forbids each {text} on its own"
    return f"{words}: `{pairs[0][0]} != {pairs[0][1]}` is missing"


def _ordered(literals: Iterable[AST]) -> Iterator[AST]:
    """Literals in an order in which each has its variables bound by those before it."""
    waiting, bound = list(literals), set[str]()
    while waiting:
        ready = [one for one in waiting if needs_and_gives(one)[0] <= bound and not _late(one)]
        one = (ready or [one for one in waiting if needs_and_gives(one)[0] <= bound] or waiting)[0]
        waiting.remove(one)
        bound |= needs_and_gives(one)[1]
        yield one


def _late(literal: AST) -> bool:
    """Whether a literal shares variables that nothing says it needs: those in elements are bound elsewhere."""
    return literal.ast_type is ASTType.ConditionalLiteral or (
        literal.ast_type is ASTType.Literal and literal.atom.ast_type in (ASTType.Aggregate, ASTType.BodyAggregate)
    )


def _values(values: Iterable[str]) -> str:
    """Some values in words."""
    known = sorted(values, key=_order)
    return listed(known[:_NAMED], "or") if len(known) <= _NAMED else f"{', '.join(known[:_NAMED])}, ..."


def _order(value: str) -> tuple[bool, int, str]:
    return (False, int(value), value) if is_number(value) else (True, 0, value)


def _undefined(atom: Atom) -> str | None:
    """Why an atom without a condition has no instance: an interval is empty."""
    for node in nodes(atom.node):
        if node.ast_type is ASTType.Interval:
            left, right = number_of(node.left), number_of(node.right)
            if left is not None and right is not None and left > right:
                words = "is empty: an interval goes from the smaller number to the larger"
                return f"`{left}..{right}` {words}, `{right}..{left}`"
    return None


def _unset(source: Source) -> set[Signature]:
    """The predicates of rules with a number that only `-c` can set, or with a function of a script elsewhere."""
    found = set[Signature]()
    for statement in source.statements:
        terms: list[AST | None] = []
        for node in nodes(statement.node):
            if node.ast_type in (ASTType.Interval, ASTType.BinaryOperation):
                terms += (node.left, node.right)
            elif node.ast_type is ASTType.Guard:
                terms.append(node.term)
        known = {None, *source.constants, *source.stated_constants}
        if any(node.ast_type is ASTType.Function and node.external for node in nodes(statement.node)):
            found |= {atom.signature for atom in statement.atoms}
        if {name_of(term) for term in terms if term is not None} - known:
            found |= {atom.signature for atom in statement.atoms}
    return found
