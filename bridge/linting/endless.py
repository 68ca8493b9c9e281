"""Recursion in which an argument grows and nothing bounds it: grounding does not end.

Predicates that need each other are ground without the arguments that grow, which leaves finitely many atoms. A rule in
which something else reads such an argument is left out, since that may be a bound. Where an atom is derived from itself
and the argument has become larger on the way, the same rules can be applied again, for ever.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import NamedTuple, TypeVar

import clingo
from clingo import ast
from clingo.ast import AST, ASTType

from bridge.asp import internals
from bridge.asp.reading import Signature, alternatives, is_atom, names_in, nodes, plain
from bridge.linting.findings import Hit, check
from bridge.linting.program import Atom, Source, Statement, functions

_T = TypeVar("_T", bound=Hashable)

#: Facts and ground rules that are looked at; in a larger program nothing is found.
_FACTS, _RULES = 3_000, 5_000

#: So many atoms of a circle are shown.
_SHOWN = 5

#: By so much an argument grows at most: numbers have 32 bits, and what is doubled comes back to 0.
_LARGE = 1_000_000

Position = tuple[Signature, int]

#: The names of predicates and constants in the ground program.
_STEP, _ANY = "lpbridge_step", "lpbridge_any"
_ANONYMOUS = re.compile(r"(?<![\w'])_(?![\w'])")


class _Growing(NamedTuple):
    """A variable that stands where an argument grows."""

    atom: str  #: Its atom without such arguments, as a term.
    place: int
    argument: AST


class _Step(NamedTuple):
    """An argument of a head that is computed from an argument of an atom in the body."""

    head: Atom
    place: int
    of: _Growing
    by: str  #: By how much it is larger, as a term of clingo; of terms within terms, how much deeper.
    nested: bool  #: Whether it is about terms within terms.
    assumed: bool  #: Whether it holds where all values are positive.


class _Derived(NamedTuple):
    """A rule without the arguments that grow."""

    statement: Statement
    signature: Signature
    terms: list[str]
    body: str
    steps: list[_Step]
    given: list[AST]  #: What it gives for arguments that grow elsewhere.


class _Edge(NamedTuple):
    """A ground step to an atom without the arguments that grow, with one of these."""

    to: clingo.Symbol
    by: int
    rule: int
    step: _Step


class _Circle(NamedTuple):
    """A way from an atom to itself."""

    rules: list[tuple[Statement, _Step]]
    atoms: list[clingo.Symbol]  #: What each of them derives.
    smaller: bool  #: Whether the argument becomes smaller.


#: The id of the check.
ENDLESS = "LP050"


@check(ENDLESS, "endless-grounding", "warning")
def endless(source: Source) -> Iterator[Hit]:
    """An argument becomes larger in each round of a recursion, and nothing bounds it: grounding does not end."""
    below: dict[Signature, set[Signature]] = {}
    for statement in source.statements:
        atoms = statement.atoms
        used = {atom.signature for atom in atoms if atom.role == "positive"}
        for atom in atoms if used else ():
            if atom.role == "head":
                below.setdefault(atom.signature, set()).update(used)
    for group in _components(below):
        if any(group & below[one] for one in group if one in below):
            hit = _Recursion(source, group).hit()
            if hit is not None:
                yield hit


class _Recursion:
    """Predicates that need each other."""

    def __init__(self, source: Source, group: set[Signature]) -> None:
        self._source, self._group = source, group
        self._rules = [one for one in source.statements if any(atom.signature in group for atom in one.heads)]
        self._growing = self._find_growing()

    def _find_growing(self) -> set[Position]:
        """The arguments that are computed from themselves, and those that take their values from these."""
        steps: dict[Position, set[Position]] = {}
        changes: list[tuple[Position, Position]] = []
        for statement in self._rules:
            defined = _definitions(statement)
            for head in statement.heads:
                for place, term in enumerate(head.arguments if head.signature in self._group else ()):
                    names = names_in([_expanded(term, defined)])
                    for atom in self._recursive(statement):
                        for of, argument in enumerate(atom.arguments):
                            if names & names_in([argument]):
                                steps.setdefault((atom.signature, of), set()).add((head.signature, place))
                                if str(_expanded(term, defined)) != str(argument):
                                    changes.append(((atom.signature, of), (head.signature, place)))
        circles = [one for one in _components(steps) if any(a in one and b in one for a, b in changes)]
        found = set[Position]().union(*circles)
        more = found
        while more:
            more = {after for one in more for after in steps.get(one, ())} - found
            found |= more
        return found

    def _recursive(self, statement: Statement) -> list[Atom]:
        return [one for one in statement.atoms if one.role == "positive" and one.signature in self._group]

    def hit(self) -> Hit | None:
        """The rule that makes an argument larger, and the circle that it is in."""
        if not self._growing:
            return None
        derived = [one for statement in self._rules for one in self._derived(statement)]
        program = self._below()
        if program is None or not any(one.steps for one in derived):
            return None
        inputs = {one for one in self._needed() if one not in self._source.derived} - self._source.defined
        if (circle := self._circle(derived, program)) is not None:
            return self._said(circle, "")
        constants = ";".join(["1", *sorted({one for _, terms in self._facts() for one in terms} - {"1"})[:3]])
        given = [f"{name}({','.join([f'({constants})'] * arity)})." if arity else f"{name}." for name, arity in inputs]
        if given and (circle := self._circle(derived, [*program, *given])) is not None:
            names = " and ".join(sorted(f"{name}/{arity}" for name, arity in inputs))
            return self._said(circle, f" for some instances of {names}")
        return None

    def _derived(self, statement: Statement) -> Iterator[_Derived]:
        """What a rule derives, where nothing in it but the head reads the arguments that grow."""
        if statement.kind is not ASTType.Rule or statement.part or not _is_known(statement):
            return
        head, defined = statement.node.head, _definitions(statement)
        for atom, conditions in _heads(head):
            if atom.signature not in self._group:
                continue
            found = self._body([*statement.node.body, *conditions], defined)
            if found is None:
                continue
            body, variables = found
            steps: list[_Step] = []
            given: list[AST] = []
            terms: list[str] = []
            for place, argument in enumerate(atom.arguments):
                term = _expanded(argument, defined)
                reads = names_in([term]) & variables.keys()
                if (atom.signature, place) not in self._growing:
                    if reads:
                        break
                    terms.append(str(argument))
                    continue
                terms.append(_ANY)
                new = [_step(atom, place, term, name, variables) for name in reads]
                if None in new:
                    break
                steps += filter(None, new)
                if not reads:
                    given.append(term)
            else:
                yield _Derived(statement, atom.signature, terms, body, steps, given)

    def _body(
        self, literals: Sequence[AST], defined: Mapping[str, AST]
    ) -> tuple[str, dict[str, _Growing]] | None:
        """A body without the arguments that grow, and the variables in these; None where something may bound them."""
        variables: dict[str, _Growing] = {}
        texts: list[str] = []
        others: list[AST] = []
        seen: list[str] = []
        fresh = count()
        for literal in literals:
            plain_atom = literal.ast_type is ASTType.Literal and literal.atom.ast_type is ASTType.SymbolicAtom
            atoms = [node.symbol for node in nodes(literal) if node.ast_type is ASTType.SymbolicAtom]
            signatures = {signature for symbol in atoms for signature, _ in functions(symbol)}
            if not signatures & self._group:
                others.append(literal)
                continue
            if not plain_atom or literal.sign or len(signatures) > 1:
                return None
            ((signature, node),) = functions(literal.atom.symbol)
            terms: list[str] = []
            new: dict[str, tuple[int, AST]] = {}
            for place, argument in enumerate(Atom(signature, node, "positive").arguments):
                names = [one.name for one in nodes(argument) if one.ast_type is ASTType.Variable]
                seen += names
                if (signature, place) not in self._growing:
                    # An anonymous variable gets a name: it stands in the head of a step, too.
                    terms.append(_ANONYMOUS.sub(lambda _: f"Lpbridge{next(fresh)}", str(argument)))
                elif len(names) == 1:
                    terms.append(_ANY)
                    new.update({} if names[0] == "_" else {names[0]: (place, argument)})
                else:
                    return None
            texts.append(_written(signature, terms))
            node_of = _as_term(signature, terms)
            variables.update({name: _Growing(node_of, *where) for name, where in new.items()})
        reads = {name for name, term in defined.items() if names_in([_expanded(term, defined)]) & variables.keys()}
        for literal in others:
            is_definition = any(_definition(literal) == (name, defined[name]) for name in reads)
            if not is_definition and names_in([literal]) & (variables.keys() | reads):
                return None
            if not is_definition:
                texts.append(str(literal))
        if any(seen.count(name) > 1 for name in variables) or reads & {*seen}:
            return None
        return "; ".join(texts), variables

    # The ground program

    def _needed(self) -> set[Signature]:
        """The predicates that the rules need, and that these need."""
        found, more = set[Signature](), set(self._group)
        while more:
            found |= more
            more = set().union(*(self._source.below.get(one, set()) for one in more)) - found
        return found - self._group

    def _below(self) -> list[str] | None:
        """The program that gives what the rules need; None where it is too large or depends on what is not known."""
        needed, found = self._needed(), list[str]()
        if any(self._source.below.get(one, set()) & self._group for one in needed):
            return None
        for statement in self._source.statements:
            if needed & {atom.signature for atom in statement.heads}:
                if statement.part or not _is_known(statement):
                    return None
                found.append(str(statement.node))
        for one in self._source.directives:
            if one.kind is ASTType.Definition:
                found.append(str(one.node))
        for facts in self._source.facts:
            if len(facts) > _FACTS:
                return None
            wanted = {number for number, one in enumerate(facts.signatures) if one in needed}
            found += (text for text, one in zip(facts.texts, facts.predicates, strict=True) if one in wanted)
        return found if len(found) <= _FACTS else None

    def _facts(self) -> Iterator[tuple[Signature, list[str]]]:
        """The plain facts of the predicates, each with its arguments."""
        for facts in self._source.facts:
            for number, predicate in enumerate(facts.predicates[:_FACTS]):
                if (signature := facts.signatures[predicate]) in self._group:
                    terms = [str(one) for one in clingo.parse_term(plain(facts.texts[number])).arguments]
                    yield signature, terms

    def _circle(self, derived: Sequence[_Derived], program: Sequence[str]) -> _Circle | None:
        """The steps from an atom to itself that make an argument larger, or smaller; the first of them does so."""
        values: list[str] = []
        lines = [*program]
        for signature, terms in self._facts():
            grows = [(signature, at) in self._growing for at in range(len(terms))]
            shown = [_ANY if grown else one for one, grown in zip(terms, grows, strict=True)]
            lines.append(f"{_written(signature, shown)}.")
            values += (one for one, grown in zip(terms, grows, strict=True) if grown)
        for number, one in enumerate(derived):
            body = f" :- {one.body}" if one.body else ""
            lines.append(f"{_written(one.signature, one.terms)}{body}.")
            to = _as_term(one.signature, one.terms)
            for at, step in enumerate(one.steps):
                ends = f"({to},{step.place}),({step.of.atom},{step.of.place})"
                lines.append(f"{_STEP}({ends},{number},{at},{step.by}){body}.")
            bound = self._source.bound(one.statement.scopes[0], self._source.values) if one.given else {}
            for term in one.given:
                values += self._source.of_term(term, bound) or ["?"]
        grounded = _ground(lines)
        if grounded is None:
            return None
        numbers = [int(one) if one.lstrip("-").isdigit() else None for one in values]
        edges: list[tuple[clingo.Symbol, _Edge]] = []
        for end, begin, rule, which, by in (one.arguments for one in grounded if one.name == _STEP):
            if by.type is clingo.SymbolType.Number and abs(by.number) < _LARGE:
                edges.append((begin, _Edge(end, by.number, rule.number, derived[rule.number].steps[which.number])))
        positive = bool(numbers) and all(one is not None and one > 0 for one in numbers)
        positive = positive and all(one.by >= 0 for _, one in edges)
        names = any(one is None and text != "?" for one, text in zip(numbers, values, strict=True))
        for nested, sign in ((False, 1), (False, -1), (True, 1)):
            if names and not nested:
                continue
            graph: dict[clingo.Symbol, list[_Edge]] = {}
            for of, edge in edges:
                same = edge.by == 0 and not edge.step.assumed
                if (same or edge.step.nested == nested) and edge.by * sign >= 0 and (positive or not edge.step.assumed):
                    graph.setdefault(of, []).append(edge)
            if (found := _round(graph)) is not None:
                rounds = [(derived[edge.rule].statement, edge.step) for edge in found]
                return _Circle(rounds, [edge.to for edge in found], sign < 0)
        return None

    def _said(self, circle: _Circle, example: str) -> Hit:
        statement, step = circle.rules[0]
        lines = sorted({(_file(one, statement), one.node.location.begin.line) for one, _ in circle.rules})
        rounds = "this rule"
        if len({id(one) for one, _ in circle.rules}) > 1:
            *first, last = [f"{file}line {line}" for file, line in lines]
            rounds = f"the rules in {', '.join(first)}{' and ' * bool(first)}{last}"
        name, arity = step.head.signature
        grows = "nests {} deeper" if step.nested else "makes {} smaller" if circle.smaller else "makes {} larger"
        words = f"each round of {rounds} {grows.format(f'argument {step.place + 1} of {name}/{arity}')}"
        atoms = [_atom(one) for one in (circle.atoms[-1], *circle.atoms[:-1])]
        heads = {one.head.signature for _, one in circle.rules}
        again = [atom for atom in statement.scopes[0].positive() if atom.signature in heads]
        names = names_in([step.head.arguments[step.place]])
        variable = min(names & names_in(one for atom in again for one in atom.arguments) or names, default="X")
        remedy = "count the depth in a further argument, and bound that"
        if not step.nested:
            remedy = f"bound it in the body, as by `{variable} {'> -100' if circle.smaller else '< 100'}`"
        plain = all(set(one.partition("(")[2]) <= {*"_,)"} for one in atoms) and len({*atoms}) == 1
        way = "" if plain or len(atoms) > _SHOWN else f" ({' -> '.join([*atoms, atoms[0]])})"
        sentence = f"grounding never ends{example}: {words}{way}, and nothing bounds it; {remedy}"
        return Hit(statement, step.head.node, sentence, level="info" if example else None)


def _is_known(statement: Statement) -> bool:
    """Whether no script and no theory has a say in a statement."""
    return not any(
        one.ast_type is ASTType.TheoryAtom or one.external
        for one in statement.nodes(ASTType.TheoryAtom, ASTType.Function)
    )


def _file(statement: Statement, near: Statement) -> str:
    return "" if statement.file == near.file else f"{statement.file}, "


def _atom(node: clingo.Symbol) -> str:
    """An atom with `_` for the arguments that grow."""
    name, *arguments = node.arguments[0].arguments
    terms = ["_" if str(one) == _ANY else str(one) for one in arguments]
    return _written((name.string, len(terms)), terms)


def _written(signature: Signature, terms: Sequence[str]) -> str:
    return f"{signature[0]}({','.join(terms)})" if terms else signature[0]


def _as_term(signature: Signature, terms: Sequence[str]) -> str:
    return f'("{signature[0]}",{"".join(f"{one}," for one in terms)})'


def _heads(head: AST) -> Iterator[tuple[Atom, Sequence[AST]]]:
    """The atoms of a head, each with its conditions."""
    for literal, conditions in alternatives(head) or [(head, ())]:
        if is_atom(literal):
            for signature, node in functions(literal.atom.symbol):
                yield Atom(signature, node, "head"), conditions


# Arithmetic


def _definition(literal: AST) -> tuple[str, AST] | None:
    """The variable that an equation gives a value, and the value: a sum or a term, which is defined for all numbers."""
    if literal.ast_type is not ASTType.Literal or literal.sign or literal.atom.ast_type is not ASTType.Comparison:
        return None
    first, *others = literal.atom.guards
    if others or first.comparison != ast.ComparisonOperator.Equal:
        return None
    for one, other in ((literal.atom.term, first.term), (first.term, literal.atom.term)):
        if one.ast_type is ASTType.Variable and one.name != "_" and all(map(_is_simple, nodes(other))):
            return one.name, other
    return None


def _is_simple(node: AST) -> bool:
    if node.ast_type is ASTType.BinaryOperation:
        return node.operator_type in _SUMS
    return node.ast_type in (ASTType.Variable, ASTType.SymbolicTerm, ASTType.Function)


_SUMS = (ast.BinaryOperator.Plus, ast.BinaryOperator.Minus, ast.BinaryOperator.Multiplication)


def _definitions(statement: Statement) -> dict[str, AST]:
    """The variables that equations in the body define, and nothing else binds."""
    if statement.kind is not ASTType.Rule:
        return {}
    bound = names_in([one for atom in statement.atoms if atom.role == "positive" for one in atom.arguments])
    found = dict(filter(None, map(_definition, reversed(statement.node.body))))
    return {name: term for name, term in found.items() if name not in bound}


def _expanded(term: AST, defined: Mapping[str, AST]) -> AST:
    """A term with what variables are defined as in their place."""
    if term.ast_type is ASTType.Variable:
        others = {name: one for name, one in defined.items() if name != term.name}
        return _expanded(defined[term.name], others) if term.name in defined else term
    if term.ast_type is ASTType.BinaryOperation:
        return term.update(left=_expanded(term.left, defined), right=_expanded(term.right, defined))
    if term.ast_type is ASTType.Function:
        return term.update(arguments=[_expanded(one, defined) for one in term.arguments])
    return term


def _step(head: Atom, place: int, term: AST, name: str, variables: Mapping[str, _Growing]) -> _Step | None:
    """How an argument of a head comes from a variable; None where that is not known."""
    of = variables[name]
    depths = _depth(term, name), _depth(of.argument, name)
    if depths[0] is not None and depths[1] is not None:
        return _Step(head, place, of, str(depths[0] - depths[1]), any(depths), False)
    found = _sum(term, name, variables.keys())
    before = _sum(of.argument, name, ())
    if found is None or before is None:
        return None
    return _Step(head, place, of, f"{found[0]}-({before[0]})", False, found[1])


def _depth(term: AST, name: str) -> int | None:
    """How deep a variable stands within terms; None where it does not, or is computed with."""
    if term.ast_type is ASTType.Variable:
        return 0 if term.name == name else None
    if term.ast_type is not ASTType.Function:
        return None
    depths = [one for one in (_depth(argument, name) for argument in term.arguments) if one is not None]
    others = [one for one in term.arguments if _depth(one, name) is None and name in names_in([one])]
    return max(depths) + 1 if depths and not others else None


def _sum(term: AST, name: str, growing: Iterable[str]) -> tuple[str, bool] | None:
    """What is added to a variable, and whether that takes the values of others to be positive: at least 1."""
    added, assumed, own = ["0"], False, 0
    for sign, one in _addends(term, 1):
        if not names_in([one]) & {*growing, name}:
            added.append(f"{'+' if sign > 0 else '-'}({one})")
        elif one.ast_type is not ASTType.Variable or sign < 0:
            return None
        elif one.name == name:
            own += 1
        else:
            added.append("+1")
            assumed = True
    return ("".join(added), assumed) if own == 1 else None


def _addends(term: AST, sign: int) -> Iterator[tuple[int, AST]]:
    operator = getattr(term, "operator_type", None) if term.ast_type is ASTType.BinaryOperation else None
    if operator in (ast.BinaryOperator.Plus, ast.BinaryOperator.Minus):
        yield from _addends(term.left, sign)
        yield from _addends(term.right, -sign if operator == ast.BinaryOperator.Minus else sign)
    else:
        yield sign, term


# Graphs


class _Count(clingo.Observer):
    """Ends the grounding of a large program."""

    def __init__(self) -> None:
        self._rules = 0

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        self._rules += 1
        if self._rules > _RULES:
            raise OverflowError


def _ground(lines: Sequence[str]) -> list[clingo.Symbol] | None:
    """The atoms of a program; None of one that is too large, or refused."""
    try:
        with internals.logging():
            control = clingo.Control(["--warn=none"], logger=lambda *_: None)
            control.register_observer(_Count())
            control.add("base", [], "\n".join(lines))
            control.ground([("base", [])])
    except (RuntimeError, OverflowError):
        return None
    return [atom.symbol for atom in control.symbolic_atoms]


def _round(graph: Mapping[clingo.Symbol, Sequence[_Edge]]) -> list[_Edge] | None:
    """A way from a node to itself that begins with a step by which something changes."""
    for group in _components({node: {edge.to for edge in edges} for node, edges in graph.items()}):
        changes = [(node, edge) for node in group for edge in graph.get(node, ()) if edge.by and edge.to in group]
        if changes:
            start, first = min(changes, key=lambda one: (one[1].rule, one[0] != one[1].to, one[0], one[1].to))
            ways: dict[clingo.Symbol, list[_Edge]] = {first.to: [first]}
            waiting = [first.to]
            while start not in ways:
                node = waiting.pop(0)
                for edge in graph[node]:
                    if edge.to in group and edge.to not in ways:
                        ways[edge.to] = [*ways[node], edge]
                        waiting.append(edge.to)
            return ways[start]
    return None


def _components(graph: Mapping[_T, Iterable[_T]]) -> Iterator[set[_T]]:
    """The nodes that lead to each other; those of an edge from a node to itself are among them."""
    order: list[_T] = []
    done = set[_T]()
    for start in graph:
        waiting: list[tuple[_T, bool]] = [(start, False)]
        while waiting:
            node, left = waiting.pop()
            if left:
                order.append(node)
            elif node not in done:
                done.add(node)
                waiting.append((node, True))
                waiting += ((one, False) for one in graph.get(node, ()) if one not in done)
    back: dict[_T, list[_T]] = {}
    for node, others in graph.items():
        for one in others:
            back.setdefault(one, []).append(node)
    seen = set[_T]()
    for start in reversed(order):
        if start in seen:
            continue
        group, more = {start}, [start]
        while more:
            new = {one for node in more for one in back.get(node, ()) if one not in seen and one not in group}
            group |= new
            more = list(new)
        seen |= group
        yield group
