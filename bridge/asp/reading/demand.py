"""The plain facts that some rules can depend on, found by gringo alone: of 100,000 facts often a few.

An atom is **demanded** when a rule in question uses it, or a rule that derives a demanded atom does. What is demanded
is closed under what it depends on, so the rest of the program changes nothing about it (V. Lifschitz, H. Turner,
*Splitting a logic program*, 1994). Each rule becomes rules about `__demanded`, whose bodies bind variables by facts,
and only where these do not by what other rules may derive: magic sets (C. Beeri, R. Ramakrishnan, *On the power of
magic*, 1991; for answer sets M. Alviano, W. Faber, 2011). Negation and aggregates are ignored there: so more may be
demanded than matters, never less.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

import clingo
from clingo import ast
from clingo.ast import AST, ASTType

from bridge.asp.reading.outline import Outline, Signature
from bridge.asp.reading.parsed import Parsed, SourceText
from bridge.asp.reading.statements import outline, predicates_in
from bridge.asp.reading.trees import (
    Named,
    alternatives,
    atom_of,
    gives_and_needs,
    is_aggregate,
    is_atom,
    is_constraint,
    names_in,
)

_DEMANDED, _NEAR = "__demanded", "__near_"

#: Rules by their places, each with the values of the variables of some instances, or None for all instances.
Roots = Mapping[str, Sequence[Sequence[tuple[str, str]]] | None]


class UnclearError(Exception):
    """What the program depends on is not known: it has theories, scripts, externals, parts, or variables unbound."""


def demanded(
    program: Sequence[Parsed],
    options: Sequence[str],
    roots: Roots,
    whole: Collection[Signature],
    query: str = "",
    near: Sequence[str] | None = None,
) -> list[str] | None:
    """The plain facts that some rules can depend on, as clingo writes them; None where that is not known.

    Of the predicates in `whole` each atom is demanded. `query` are further rules. Where `near` has plain facts, the
    instances that matter are those that these alone make possible.
    """
    try:
        rewriting = _Rewriting(program, roots, query)
        rewriting.demand(whole, near is not None)
        rules = list(rewriting.result())
    except UnclearError:
        return None
    control = clingo.Control([*options, "--warn=none"], logger=lambda *_: None)
    known = outline(program).given
    with ast.ProgramBuilder(control) as builder:
        for one in rules:
            builder.add(one)
    for source in program:
        facts = source.facts
        control.add("base", [], "\n".join(map(facts.texts.__getitem__, facts.of(rewriting.used))))
    control.add("base", [], "".join(f"{_NEAR}{fact}.\n" for fact in near or ()))
    try:
        control.ground([("base", [])])
    except RuntimeError:  # an unsafe rule, of a form that was not foreseen
        return None
    atoms = (atom.symbol.arguments[0] for atom in control.symbolic_atoms.by_signature(_DEMANDED, 1))
    return [str(atom) for atom in atoms if (("-" * atom.negative) + atom.name, len(atom.arguments)) in known]


def tied(program: Sequence[Parsed], roots: Collection[str], query: str, most: int) -> list[str]:
    """Those of some rules, by their places, whose instances few facts tell; none where that is not known.

    In each literal of such a rule, a variable stands in a fact of a predicate that has at most so many, or is joined
    with one that does. So the rule can depend on few facts only, unless definitions make more of them.
    """
    number = Counter[Signature]()
    for source in program:
        facts = source.facts
        number.update({facts.signatures[one]: times for one, times in Counter(facts.predicates).items()})
    try:
        rewriting = _Rewriting(program, dict.fromkeys(roots), query)
        return rewriting.tied(lambda predicate: number[predicate] <= most)
    except UnclearError:
        return []


class _Rewriting:
    """The rules about what is demanded."""

    def __init__(self, program: Sequence[Parsed], roots: Roots, query: str) -> None:
        self._rules: list[AST] = []
        self._roots: list[tuple[AST, Sequence[Sequence[tuple[str, str]]] | None, str]] = []
        self._kept: list[AST] = []
        self._made: list[AST] = []
        found: Outline = outline(program)
        if found.incremental or found.scripts or found.externals:
            raise UnclearError
        nodes: list[AST] = []
        ast.parse_string(query, nodes.append)
        self._take(nodes, None, SourceText(query))
        self._queried = len(self._roots)  # of these, the first are those of the query
        for source in program:
            self._take(source.nodes, roots, source.source)
        #: Predicates that rules define, and not facts alone.
        self._derived = {head for rule in self._rules if rule.body or not is_atom(rule.head) for head in _heads(rule)}
        #: Predicates whose possible atoms bind variables.
        self.used: set[Signature] = set()
        self._near: set[Signature] = set()

    def _take(self, nodes: Iterable[AST], roots: Roots | None, source: SourceText) -> None:
        """Rules are roots where no places say which."""
        for node in nodes:
            kind = node.ast_type
            if kind is ASTType.Rule:
                rules = [_Named("__A").visit(one) for one in node.unpool()]
                self._rules += rules
                place = str(source.place(node))
                if roots is None or place in roots:
                    self._roots += [(one, None if roots is None else roots[place], place) for one in rules]
            elif kind is ASTType.Definition:
                self._kept.append(node)
            elif kind in (ASTType.TheoryDefinition, ASTType.Edge) or (kind is ASTType.Program and node.name != "base"):
                raise UnclearError

    def demand(self, whole: Collection[Signature], near: bool) -> None:
        for rule, instances, _ in self._roots:
            for given in self._given(rule, instances, near):
                self._root(rule, given)
        for rule in self._rules:
            elements = _elements(rule)
            for element in elements:
                atom = element[0]
                uses = [*_body(rule), *_uses(element[1], element[1])]
                if rule.head.ast_type is ASTType.Disjunction:  # an atom of it depends on the others
                    uses += _parts(elements)
                for used, context in uses:
                    self._rule(used, [_demanded(atom)], [*rule.body, *element[1], *context], [atom])
                for signature in _predicates(atom):
                    if signature in whole:
                        self._rule(atom, [], [*rule.body, *element[1]])

    def _root(self, rule: AST, given: Sequence[AST]) -> None:
        """What a rule in question uses is demanded."""
        for atom, context in [*_parts(_elements(rule)), *_body(rule)]:
            self._rule(atom, given, [*rule.body, *context])

    def tied(self, few: Callable[[Signature], bool]) -> list[str]:
        """The places of the rules in question whose instances are told by facts of which there are few."""
        open_ = {one for rule in self._rules for one in _heads(rule)}
        found: dict[str, bool] = {}
        for rule, _, place in self._roots[self._queried :]:
            before = len(self._made)
            self._root(rule, ())
            found[place] = found.get(place, True) and all(
                _is_tied(one, lambda predicate: predicate not in open_ and few(predicate))
                for one in self._made[before:]
            )
        return [place for place, is_tied in found.items() if is_tied]

    def _given(
        self, rule: AST, instances: Sequence[Sequence[tuple[str, str]]] | None, near: bool
    ) -> Iterator[list[AST]]:
        """What tells the instances of a rule that matter."""
        if instances is None:
            yield []
        elif near:
            yield list(map(_near, self._possible(rule.body, self._near)))
        else:
            for one in instances:
                equal = ", ".join(f"{name} = {value}" for name, value in one)
                found: list[AST] = []
                ast.parse_string(f":- {equal or '#true'}.", found.append)
                yield list(found[-1].body)

    def _rule(self, atom: AST, given: Sequence[AST], context: Sequence[AST], made: Sequence[AST] = ()) -> None:
        """`atom` is demanded where other literals hold; `made` is what its terms are made from."""
        bound = {name for one in given for name in gives_and_needs(one)[0]}
        literals = self._binding(names_in([atom, *given]) - bound, bound, [*context, atom])
        if any(map(_makes_terms, [atom, *made])):  # else there may be no end of them
            literals.append(atom)
            self.used |= _predicates(atom)
        self._made.append(ast.Rule(atom.location, _demanded(atom), [*given, *literals]))

    def _binding(self, wanted: set[str], bound: set[str], context: Sequence[AST]) -> list[AST]:
        """Literals that give values to variables: facts, and where they do not, what rules may derive."""
        atoms = list(dict.fromkeys(one for one in context if is_atom(one)))
        facts = [one for one in atoms if not _predicates(one) & self._derived]
        derived = [one for one in atoms if one not in facts]
        others = [one for one in dict.fromkeys(context) if _is_test(one)]
        chosen: list[AST] = []
        while True:
            before = len(chosen)
            for one in [*facts, *others]:
                gives, needs = gives_and_needs(one)
                if one not in chosen and (names_in([one]) - gives) | needs <= bound:
                    chosen.append(one)
                    bound = bound | gives
            if len(chosen) > before:
                continue
            missing = wanted - bound
            if not missing:
                break
            able = [one for one in derived if gives_and_needs(one)[0] & missing]
            able = [one for one in able if names_in([one]) - gives_and_needs(one)[0] <= bound]
            if not able:
                raise UnclearError
            best = max(able, key=lambda one: len(gives_and_needs(one)[0] & missing))
            chosen.append(best)
            bound = bound | gives_and_needs(best)[0]
        for one in chosen:
            self.used |= _predicates(one)
        return chosen

    def result(self) -> Iterator[AST]:
        """The rules, with those that derive what may bind a variable, or be possible by facts nearby."""
        yield from self._kept
        yield from self._made
        yield from self._deriving(self.used, lambda literal: literal)
        yield from self._deriving(self._near, _near)

    def _deriving(self, used: set[Signature], renamed: Callable[[AST], AST]) -> Iterator[AST]:
        """Rules for some predicates, and for those that they use in turn, as far as they are positive."""
        waiting = list(used)
        while waiting:
            signature = waiting.pop()
            for rule in self._rules:
                for atom, condition in _elements(rule):
                    if signature in _predicates(atom):
                        before = set(used)
                        body = self._possible([*rule.body, *condition], used)
                        waiting += used - before
                        yield ast.Rule(rule.location, renamed(_positive(atom)), list(map(renamed, body)))

    def _possible(self, context: Sequence[AST], used: set[Signature]) -> list[AST]:
        """The literals of a body that must hold for a rule to derive atoms, as far as they are positive."""
        body = [one for one in context if is_atom(one) or _is_test(one)]
        bound: set[str] = set()
        while gained := {
            name for one in body for gives, needs in [gives_and_needs(one)] if needs <= bound for name in gives - bound
        }:
            bound |= gained
        body = [one for one in body if names_in([one]) <= bound]
        used.update(*map(_predicates, body))
        return body


def _is_tied(rule: AST, few: Callable[[Signature], bool]) -> bool:
    """Whether each variable of a rule's head is joined with one that few facts, or a value, bind."""
    wanted, bound = names_in([rule.head]), set[str]()
    for one in rule.body:
        gives, needs = gives_and_needs(one)
        if (is_atom(one) and all(map(few, _predicates(one)))) or (_is_test(one) and not needs):
            bound |= gives
    while gained := {
        name for one in rule.body if is_atom(one) and names_in([one]) & bound for name in names_in([one]) - bound
    }:
        bound |= gained
    return wanted <= bound


class _Named(Named):
    """Gives anonymous variables names, and refuses what a rule may depend on in other ways."""

    def visit_TheoryAtom(self, atom: AST) -> AST:
        raise UnclearError

    def visit_Function(self, function: AST) -> AST:
        if function.external:
            raise UnclearError
        return function.update(**self.visit_children(function))


#: An atom, with its condition.
_Element = tuple[AST, Sequence[AST]]


def _elements(rule: AST) -> list[_Element]:
    """The atoms of a rule's head, each with its condition."""
    if rule.head.ast_type is ASTType.Literal:
        return [] if is_constraint(rule) else [(rule.head, ())]
    return alternatives(rule.head)


def _parts(elements: Iterable[_Element]) -> Iterator[_Element]:
    for atom, condition in elements:
        yield from _uses([atom, *condition], condition)


def _body(rule: AST) -> Iterator[_Element]:
    """The atoms of a rule's body, and of a constraint's head, each with the literals that hold beside it."""
    return _uses([rule.head, *rule.body] if is_constraint(rule) else rule.body, ())


def _uses(literals: Iterable[AST], context: Sequence[AST]) -> Iterator[_Element]:
    """The atoms of some literals, each with what holds beside it: the context, and conditions inside the literal."""
    for literal in literals:
        if literal.ast_type is ASTType.ConditionalLiteral:
            yield from _uses([literal.literal, *literal.condition], [*context, *literal.condition])
        elif literal.atom.ast_type is ASTType.SymbolicAtom:
            yield _positive(literal), context
        elif is_aggregate(literal):
            for element in literal.atom.elements:
                own = [element.literal] if literal.atom.ast_type is ASTType.Aggregate else []
                yield from _uses([*element.condition, *own], [*context, *element.condition])


def _makes_terms(literal: AST) -> bool:
    """Whether there are terms in an atom that are more than variables and symbols."""
    symbol = literal.atom.symbol
    while symbol.ast_type is ASTType.UnaryOperation:  # classical negation
        symbol = symbol.argument
    return any(one.ast_type not in (ASTType.Variable, ASTType.SymbolicTerm) for one in symbol.arguments)


def _positive(literal: AST) -> AST:
    return literal.update(sign=ast.Sign.NoSign)


def _demanded(literal: AST) -> AST:
    return atom_of(literal.location, _DEMANDED, [literal.atom.symbol])


def _near(literal: AST) -> AST:
    """A literal about what facts nearby make possible."""

    def renamed(symbol: AST) -> AST:
        if symbol.ast_type is ASTType.UnaryOperation:
            return symbol.update(argument=renamed(symbol.argument))
        return symbol.update(name=_NEAR + symbol.name)

    return literal if _is_test(literal) else literal.update(atom=ast.SymbolicAtom(renamed(literal.atom.symbol)))


def _is_test(literal: AST) -> bool:
    return bool(literal.ast_type is ASTType.Literal and literal.atom.ast_type is ASTType.Comparison)


def _predicates(literal: AST) -> set[Signature]:
    return predicates_in([literal])


def _heads(rule: AST) -> set[Signature]:
    return predicates_in([atom for atom, _ in _elements(rule)])
