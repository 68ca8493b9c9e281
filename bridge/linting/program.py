"""A clingo program as the checks need it: its atoms, each with its role, and the values that its columns may have."""

from __future__ import annotations

import ast as python
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, NamedTuple

import clingo
from clingo import ast
from clingo.ast import AST, ASTType

from bridge.asp.reading import (
    Column,
    Facts,
    Kept,
    Parsed,
    Signature,
    Text,
    alternatives,
    baseless,
    bytes_of,
    elements_of,
    includes_incmode,
    is_choice,
    key,
    names_in,
    nodes,
    parameters_of,
    plain,
)

#: Facts whose values are looked at, of each file.
FACTS = 20_000

#: Values of a column that are told apart; a column with more may have any.
MOST = 2_000

Role = Literal["head", "positive", "negative"]

_AGGREGATES = (ASTType.Aggregate, ASTType.BodyAggregate, ASTType.HeadAggregate, ASTType.Disjunction, ASTType.TheoryAtom)


@dataclass(eq=False, slots=True)
class Atom:
    """An atom where it stands in a statement."""

    signature: Signature  #: Its predicate.
    node: AST  #: The function in the syntax tree.
    role: Role  #: What its literal does: it is derived, or used with or without `not`.
    arguments: list[AST] = field(init=False)

    def __post_init__(self) -> None:
        self.arguments = list(self.node.arguments) if self.node.ast_type is ASTType.Function else []


@dataclass(frozen=True, eq=False, slots=True)
class Scope:
    """A body, or an element of an aggregate or of a choice together with the body."""

    atoms: tuple[Atom, ...]  #: Its own atoms.
    comparisons: tuple[AST, ...]  #: Its own comparisons, without those under `not`.
    around: Scope | None = None  #: The scope of the body, of an element.

    def positive(self) -> Iterator[Atom]:
        """The atoms that bind variables here."""
        yield from (atom for atom in self.atoms if atom.role == "positive")
        if self.around is not None:
            yield from self.around.positive()

    def all_comparisons(self) -> Iterator[AST]:
        yield from self.comparisons
        if self.around is not None:
            yield from self.around.all_comparisons()


class PlainFact(NamedTuple):
    """A plain fact."""

    file: str
    text: Text
    signature: Signature
    symbol: clingo.Symbol
    span: tuple[int, int]  #: Its bytes in the text of its file.


class Statement:
    """A statement with text and name of its file, atoms, scopes, and its part of the program.

    `part` has the name and the parameters of the part; it is empty for `base`. Another part is ground only where
    somebody asks for it.
    """

    def __init__(self, node: AST, text: Text, file: str, part: tuple[str, ...]) -> None:
        self.node, self.text, self.file, self.part = node, text, file, part
        self.kind = node.ast_type
        self._of_kinds: dict[tuple[ASTType, ...], list[AST]] = {}
        self.scopes: list[Scope] = []
        self._read()

    def _read(self) -> None:
        node = self.node
        own: list[Atom] = []
        comparisons: list[AST] = []
        inner: list[tuple[Sequence[AST], Sequence[AST]]] = []  # what is derived in elements, and their conditions
        if self.kind is ASTType.Rule:
            own += _atoms(node.head, True)
            inner += (([literal], conditions) for literal, conditions in alternatives(node.head))
        elif self.kind in (ASTType.External, ASTType.Heuristic, ASTType.ProjectAtom):
            role: Role = "head" if self.kind is ASTType.External else "positive"
            own += (Atom(signature, one, role) for signature, one in functions(node.atom.symbol))
        for literal in getattr(node, "body", None) or ():
            own += _atoms(literal, False)
            comparisons += _comparisons(literal)
            inner += (([], conditions) for conditions in elements_of(literal))
        for theory in self.nodes(ASTType.TheoryAtom):
            inner += (([], one.condition) for one in theory.elements)
        whole = Scope(tuple(own), tuple(comparisons))
        self.scopes.append(whole)
        for heads, conditions in inner:
            atoms = [atom for one in heads for atom in _atoms(one, True)]
            atoms += [atom for one in conditions for atom in _atoms(one, False)]
            within = [each for one in conditions for each in _comparisons(one)]
            self.scopes.append(Scope(tuple(atoms), tuple(within), whole))

    @property
    def atoms(self) -> list[Atom]:
        """All its atoms."""
        return [atom for scope in self.scopes for atom in scope.atoms]

    @cached_property
    def _nodes(self) -> list[tuple[ASTType, AST]]:
        return [(one.ast_type, one) for one in nodes(self.node)]

    def nodes(self, *kinds: ASTType) -> list[AST]:
        """The nodes of its syntax tree that are of some types, in order."""
        found = self._of_kinds.get(kinds)
        if found is None:
            found = self._of_kinds[kinds] = [one for kind, one in self._nodes if kind in kinds]
        return found

    @cached_property
    def names(self) -> list[tuple[str, AST]]:
        """The constants and function symbols in its terms, each with its node: not its predicates."""
        symbols = (one.symbol for one in self.nodes(ASTType.SymbolicAtom))
        predicates = {key(node) for symbol in symbols for _, node in functions(symbol)}
        named = ((name_of(node), node) for node in self.nodes(ASTType.SymbolicTerm, ASTType.Function))
        return [(name, node) for name, node in named if name is not None and key(node) not in predicates]

    @cached_property
    def outer(self) -> set[str]:
        """Its global variables: those outside of the elements of aggregates and of conditional literals."""
        literals = [getattr(self.node, name, None) for name in ("head", "atom", "term")]
        literals += [*getattr(self.node, "body", ())]
        found = set[str]()
        for one in filter(None, literals):
            inner = one.atom if one.ast_type is ASTType.Literal else one
            if inner.ast_type in _AGGREGATES:
                bounds = (getattr(inner, side, None) for side in ("left_guard", "right_guard"))
                found |= names_in(bound for bound in bounds if bound is not None)
            elif one.ast_type is not ASTType.ConditionalLiteral:
                found |= names_in([one])
        return found

    @property
    def heads(self) -> list[Atom]:
        """The atoms that it derives."""
        return [atom for atom in self.atoms if atom.role == "head"]


def _comparisons(literal: AST) -> Iterator[AST]:
    """The comparison that a literal is, without `not`."""
    if literal.ast_type is ASTType.Literal and literal.atom.ast_type is ASTType.Comparison and not literal.sign:
        yield literal.atom


def _atoms(literal: AST, derived: bool) -> Iterator[Atom]:
    if literal.ast_type is not ASTType.Literal or literal.atom.ast_type is not ASTType.SymbolicAtom:
        return
    plain = literal.sign == ast.Sign.NoSign
    role: Role = "head" if derived and plain else "positive" if plain else "negative"
    for signature, node in functions(literal.atom.symbol):
        yield Atom(signature, node, role)


def functions(symbol: AST, sign: str = "") -> Iterator[tuple[Signature, AST]]:
    """The predicates and functions of the symbol of an atom: several of a pool."""
    if symbol.ast_type is ASTType.UnaryOperation:
        yield from functions(symbol.argument, "-")
    elif symbol.ast_type is ASTType.Pool:
        for one in symbol.arguments:
            yield from functions(one, sign)
    elif symbol.ast_type is ASTType.Function:
        yield (sign + symbol.name, len(symbol.arguments)), symbol
    elif symbol.ast_type is ASTType.SymbolicTerm:
        yield (sign + str(symbol.symbol), 0), symbol


#: Statements that were read before: of each its file, line, column and part, and its bytes up to the next one.
Known = dict[tuple[str, int, int, tuple[str, ...], bytes], Statement]


class Source:
    """A program, read; constants and predicates may be given from outside.

    Statements that are `known` are taken as they are; afterwards those of this program are.
    """

    def __init__(
        self,
        parsed: Sequence[Parsed],
        constants: Iterable[str] = (),
        given: Iterable[Signature] = (),
        options: Iterable[str] = (),
        known: Known | None = None,
    ) -> None:
        self._known, self._before = known, dict(known or {})
        if known is not None:
            known.clear()
        self.texts: dict[str, Text] = {}
        self.statements: list[Statement] = []
        self.directives: list[Statement] = []  # those without atoms of their own
        self.facts = [one.facts for one in parsed if len(one.facts)]
        self.constants = set(constants)
        self.scripts = False
        #: The functions of the scripts that return a list, by their text.
        self.functions_with_lists: set[str] = set()
        self.given = set(given)
        self.options = tuple(options)
        self.incremental = any(includes_incmode(one.text, one.file) for one in parsed)
        if self.incremental:
            self.given.add(("query", 1))
        for one in parsed:
            self._take(one)

    def _take(self, parsed: Parsed) -> None:
        self._text(parsed, parsed.file)
        part: tuple[str, ...] = ()
        places = [node.location.begin for node in parsed.nodes]
        for node, begin, following in zip(parsed.nodes, places, [*places, None][1:], strict=True):
            kind, file = node.ast_type, begin.filename
            if kind is ASTType.Program:
                part = () if node.name == "base" and not node.parameters else (node.name, *parameters_of(node))
                self.constants.update(part[1:])
            elif kind is ASTType.Script:
                self.scripts = True
                self.functions_with_lists |= _with_lists(node)
            elif kind is ASTType.Definition:
                self.constants.add(node.name)
            if kind in (ASTType.Program, ASTType.Script, ASTType.Comment, ASTType.TheoryDefinition):
                continue
            statement = self._statement(node, self._text(parsed, file), part, begin, following)
            bare = kind in (ASTType.Defined, ASTType.ShowSignature, ASTType.Definition, ASTType.ProjectSignature)
            (self.directives if bare else self.statements).append(statement)

    def _statement(self, node: AST, text: Text, part: tuple[str, ...], begin: Any, following: Any) -> Statement:
        """A statement: one that is known, if it stands at the same place; the bytes of a Minimize do not say all."""
        if self._known is None or node.ast_type is ASTType.Minimize:
            return Statement(Kept.of(node), text, begin.filename, part)
        same = following is not None and following.filename == begin.filename
        end = text.offset(following.line, following.column) if same else len(text.data)
        key = begin.filename, begin.line, begin.column, part, text.data[text.offset(begin.line, begin.column) : end]
        found = self._before.get(key) or Statement(Kept.of(node), text, begin.filename, part)
        found.text = text
        self._known[key] = found
        return found

    def _text(self, parsed: Parsed, file: str) -> Text:
        if file not in self.texts:
            text = parsed.text if file == parsed.file else "\n".join(parsed.source.lines(file))
            self.texts[file] = Text(text)
            self.texts[file].data = bytes_of(text, file)
        return self.texts[file]

    def is_read_outside(self, statement: Statement) -> bool:
        """Whether a statement is in a part that somebody outside asks for, who may read its atoms."""
        return bool(statement.part) and not (self.incremental and statement.part[0] in ("step", "check"))

    @cached_property
    def stated(self) -> set[Signature]:
        """The predicates of plain facts."""
        return {one for facts in self.facts for one in facts.signatures}

    @cached_property
    def derived(self) -> set[Signature]:
        """The predicates that something derives or gives."""
        heads = {atom.signature for statement in self.statements for atom in statement.heads}
        return heads | self.stated | self.given

    @cached_property
    def defined(self) -> set[Signature]:
        """The predicates of `#defined`, and of rules as `p(0) :- #false`, which was written before there was that."""
        never = (one for one in self.statements if "#false" in map(str, getattr(one.node, "body", None) or ()))
        named = {signature_of(one.node) for one in self.directives if one.kind is ASTType.Defined}
        return named | {atom.signature for one in never for atom in one.heads}

    @cached_property
    def shown(self) -> set[Signature]:
        """The predicates of `#show`."""
        return {signature_of(one.node) for one in self.directives if one.kind is ASTType.ShowSignature}

    @cached_property
    def uses(self) -> dict[Signature, list[tuple[Statement, Atom]]]:
        """Where each predicate is used."""
        found: dict[Signature, list[tuple[Statement, Atom]]] = {}
        for statement in self.statements:
            for atom in statement.atoms:
                if atom.role != "head":
                    found.setdefault(atom.signature, []).append((statement, atom))
        return found

    @cached_property
    def heads(self) -> dict[Signature, list[tuple[Statement, Atom]]]:
        """Where each predicate is derived, but for plain facts."""
        found: dict[Signature, list[tuple[Statement, Atom]]] = {}
        for statement in self.statements:
            for atom in statement.heads:
                found.setdefault(atom.signature, []).append((statement, atom))
        return found

    @cached_property
    def chosen(self) -> set[Signature]:
        """The predicates in the heads of choices."""
        rules = (one for one in self.statements if one.kind is ASTType.Rule and is_choice(one.node))
        return {atom.signature for rule in rules for atom in rule.heads}

    @cached_property
    def below(self) -> dict[Signature, set[Signature]]:
        """The predicates that rules for a predicate use, directly."""
        found: dict[Signature, set[Signature]] = {}
        for statement in self.statements:
            used = {atom.signature for atom in statement.atoms if atom.role != "head"}
            for atom in statement.heads:
                found.setdefault(atom.signature, set()).update(used)
        return found

    def above(self, signatures: set[Signature]) -> set[Signature]:
        """The other predicates that are derived from some."""
        found, more = signatures, True
        while more:
            new = {one for one, used in self.below.items() if one not in found and used & found}
            found, more = found | new, bool(new)
        return found - signatures

    @cached_property
    def open(self) -> set[Signature]:
        """The predicates of choices, disjunctions and externals, and those that something outside may give."""
        found = {one for one in self.uses if one not in self.derived} | self.given | self.defined
        for one in self.statements:
            if one.kind is not ASTType.Rule or one.node.head.ast_type is not ASTType.Literal:
                found |= {atom.signature for atom in one.heads}
        return found

    @cached_property
    def fixed(self) -> set[Signature]:
        """The predicates whose atoms are the same in each answer set: they depend on no choice, and on no `not`."""
        free = self.open & self.derived  # what is only used is a fact elsewhere
        for one in self.statements:
            if any(atom.role == "negative" for atom in one.atoms):
                free |= {atom.signature for atom in one.heads}
        return {*self.uses, *self.derived} - free - self.above(free)

    @cached_property
    def baseless(self) -> set[Signature]:
        """The predicates each rule of which needs the predicate itself."""
        rules = [
            ({atom.signature for atom in one.heads}, {atom.signature for atom in one.scopes[0].positive()})
            for one in self.statements
            if one.kind in (ASTType.Rule, ASTType.External)
        ]
        inputs = {one for one in self.uses if one not in self.derived}
        return set(baseless(rules, self.stated | self.given | self.defined | inputs))

    @cached_property
    def names(self) -> Counter[str]:
        """How often each constant and function symbol stands in the program."""
        found = Counter(name for one in self.statements for name, _ in one.names)
        for values in self._stated_values.values():
            for value in values:
                found[value.partition("(")[0]] += 1
        return found

    @cached_property
    def stated_constants(self) -> set[str]:
        """The names of constants and functions in plain facts."""
        return {value.partition("(")[0] for values in self._stated_values.values() for value in values}

    def plain_facts(self, of: Callable[[Facts, int], bool] = lambda facts, number: True) -> Iterator[PlainFact]:
        """The plain facts, the first of each file; or those of them that a function takes, by their numbers."""
        for facts in self.facts:
            for number in range(min(len(facts), FACTS)):
                if not of(facts, number):
                    continue
                place, text = facts.place(number), self.texts[facts.file]
                begin = text.offset(place.line or 1, place.column or 1)
                signature = facts.signatures[facts.predicates[number]]
                span = begin, begin + len(facts.texts[number].encode()) - 1
                yield PlainFact(facts.file, text, signature, symbol_of(facts.atom(number)), span)

    # Values

    @cached_property
    def _stated_values(self) -> dict[Column, set[str]]:
        found: dict[Column, set[str]] = {}
        for facts in self.facts:
            columns = [[found.setdefault((*one, place), set()) for place in range(one[1])] for one in facts.signatures]
            for text, predicate in zip(facts.texts[:FACTS], facts.predicates, strict=False):
                for column, value in zip(columns[predicate], _values(text), strict=True):
                    column.add(value)
        return found

    @cached_property
    def values(self) -> dict[Column, set[str] | None]:
        """The values that a column may have, as clingo writes them; None where that is not known."""
        found: dict[Column, set[str] | None] = dict(self._stated_values)
        for facts in self.facts:
            if len(facts) > FACTS:
                found.update({(*one, place): None for one in facts.signatures for place in range(one[1])})
        for signature in {*self.uses, *self.given, *self.heads}:
            if signature in self.given | self.defined or signature not in self.derived:
                found.update({(*signature, place): None for place in range(signature[1])})
        for turn in range(12):
            if not self._round(found, last=turn == 11):
                break
        return found

    def alike(self, one: Column, other: Column) -> bool:
        """Whether a rule has one variable in both columns, or further columns join them."""
        return _root(self._joined, one) == _root(self._joined, other)

    def alike_values(self, column: Column) -> set[str]:
        """The values of columns that are joined with one."""
        root = _root(self._joined, column)
        known = ((other, values) for other, values in self.values.items() if values and other != column)
        return set().union(*(values for other, values in known if values and _root(self._joined, other) == root))

    @cached_property
    def _joined(self) -> dict[Column, Column]:
        found: dict[Column, Column] = {}
        for statement in self.statements:
            first: dict[str, Column] = {}
            for atom in statement.atoms:
                for place, argument in enumerate(atom.arguments):
                    if argument.ast_type is ASTType.Variable and argument.name != "_":
                        column = (*atom.signature, place)
                        one, other = _root(found, first.setdefault(argument.name, column)), _root(found, column)
                        found[one] = other
        return found

    def _round(self, found: dict[Column, set[str] | None], last: bool) -> bool:
        changed = False
        for statement in self.statements:
            for scope in statement.scopes:
                bound = self.bound(scope, found)
                for atom in scope.atoms:
                    if atom.role != "head":
                        continue
                    for place, argument in enumerate(atom.arguments):
                        column = (*atom.signature, place)
                        new, old = self.of_term(argument, bound), found.setdefault(column, set())
                        if old is None or (new is not None and new <= old):
                            continue
                        changed = True
                        found[column] = None if last or new is None or len(old | new) > MOST else old | new
        return changed

    def bound(self, scope: Scope, values: dict[Column, set[str] | None]) -> dict[str, set[str]]:
        """The values that variables may have in a scope; those of which nothing is known are left out.

        Where columns have no value in common, all of them are taken.
        """
        sets: dict[str, list[set[str]]] = {}
        for atom in scope.positive():
            for place, argument in enumerate(atom.arguments):
                known = values.get((*atom.signature, place))
                if argument.ast_type is ASTType.Variable and argument.name != "_" and known:
                    sets.setdefault(argument.name, []).append(known)
        found = {name: set.intersection(*several) or set.union(*several) for name, several in sets.items()}
        for comparison in scope.all_comparisons():
            (guard, *others) = comparison.guards
            if not others and guard.comparison == ast.ComparisonOperator.Equal:
                for one, other in ((comparison.term, guard.term), (guard.term, comparison.term)):
                    known = self.of_term(other, found)
                    if one.ast_type is ASTType.Variable and one.name not in found and known is not None:
                        found[one.name] = known
        return found

    def of_term(self, term: AST, bound: dict[str, set[str]]) -> set[str] | None:
        """The values that a term may have; None where that is not known."""
        kind = term.ast_type
        if kind is ASTType.Variable:
            return bound.get(term.name)
        if kind is ASTType.Interval:
            left, right = (number_of(one) for one in (term.left, term.right))
            if left is None or right is None or right - left >= MOST:
                return None
            return {str(number) for number in range(left, right + 1)}
        if kind is ASTType.Pool:
            several = [self.of_term(one, bound) for one in term.arguments]
            known = [one for one in several if one is not None]
            return set().union(*known) if len(known) == len(several) else None
        value = self.constant(term)
        return None if value is None else {value}

    def constant(self, term: AST) -> str | None:
        """The value of a term without variables, arithmetic and constants of `#const`."""
        if not {one.ast_type for one in nodes(term)} <= {ASTType.SymbolicTerm, ASTType.Function}:
            return None
        if any(name_of(one) in self.constants for one in nodes(term)):
            return None
        if any(one.ast_type is ASTType.Function and one.external for one in nodes(term)):
            return None
        return str(symbol_of(str(term)))


def _root(joined: dict[Column, Column], one: Column) -> Column:
    while (above := joined.setdefault(one, one)) != one:
        one = above
    return one


def _with_lists(script: AST) -> set[str]:
    """The functions of a script in Python that return a list, or yield."""
    try:
        tree = python.parse(script.code) if script.name == "python" else python.Module([], [])
    except (SyntaxError, ValueError):
        return set()
    functions = [one for one in python.walk(tree) if isinstance(one, python.FunctionDef)]
    return {one.name for one in functions if any(map(_is_list, python.walk(one)))}


def _is_list(node: python.AST) -> bool:
    value = node.value if isinstance(node, python.Return) else None
    several = isinstance(value, python.List) and len(value.elts) > 1
    return several or isinstance(value, python.ListComp) or isinstance(node, python.Yield | python.YieldFrom)


def _values(fact: str) -> Sequence[str]:
    """The arguments of a plain fact, as clingo writes them."""
    _, _, arguments = fact.partition("(")
    if arguments.endswith(").") and not {*'"( '}.intersection(arguments) and "\t" not in fact:  # nearly all
        return arguments[:-2].split(",")
    return [str(argument) for argument in symbol_of(plain(fact)).arguments]


def symbol_of(text: str) -> clingo.Symbol:
    """A term without variables."""
    return clingo.parse_term(text)


def number_of(term: AST) -> int | None:
    """The value of a number, with signs or without."""
    sign = 1
    while term.ast_type is ASTType.UnaryOperation and term.operator_type == ast.UnaryOperator.Minus:
        sign, term = -sign, term.argument
    if term.ast_type is ASTType.SymbolicTerm and term.symbol.type is clingo.SymbolType.Number:
        return sign * int(term.symbol.number)
    return None


def is_number(value: str) -> bool:
    """Whether a value, as clingo writes it, is a number."""
    return value.removeprefix("-").isdigit()


def step_of(term: AST) -> tuple[str, int] | None:
    """The variable and the number of `T`, `T+1` or `T-1`."""
    if term.ast_type is ASTType.Variable:
        return None if term.name == "_" else (term.name, 0)
    if term.ast_type is not ASTType.BinaryOperation or term.operator_type not in _SUMS:
        return None
    number, inner = number_of(term.right), step_of(term.left)
    if inner is None or number is None:
        return None
    return inner[0], inner[1] + (number if term.operator_type == ast.BinaryOperator.Plus else -number)


_SUMS = (ast.BinaryOperator.Plus, ast.BinaryOperator.Minus)


def name_of(node: AST) -> str | None:
    """The name of a constant, or of a function with arguments in a term."""
    if node.ast_type is ASTType.SymbolicTerm and node.symbol.type is clingo.SymbolType.Function:
        return str(node.symbol.name)
    if node.ast_type is ASTType.Function and node.name:
        return str(node.name)
    return None


def signature_of(node: AST) -> Signature:
    """The predicate of `#show p/1` or `#defined p/1`."""
    return f"{'' if node.positive else '-'}{node.name}", int(node.arity)
