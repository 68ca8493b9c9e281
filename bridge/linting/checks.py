"""The checks that need only the text of a program."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from math import inf

import clingo
from clingo import ast
from clingo.ast import AST, ASTType

from bridge.asp.reading import Signature, is_choice, is_constraint, key, names_in, nodes
from bridge.common import is_slip, meant
from bridge.linting.findings import Fix, Hit, Level, check
from bridge.linting.program import Scope, Source, Statement, name_of, number_of, signature_of

#: How two numbers may compare: less -1, equal 0, greater 1.
COMPARED = {
    ast.ComparisonOperator.Equal: {0},
    ast.ComparisonOperator.NotEqual: {-1, 1},
    ast.ComparisonOperator.LessThan: {-1},
    ast.ComparisonOperator.LessEqual: {-1, 0},
    ast.ComparisonOperator.GreaterThan: {1},
    ast.ComparisonOperator.GreaterEqual: {0, 1},
}
_AGGREGATES = (ASTType.Aggregate, ASTType.BodyAggregate, ASTType.HeadAggregate)
_SUMS = (ast.AggregateFunction.Sum, ast.AggregateFunction.SumPlus)  # LP011


def written(signature: Signature) -> str:
    return f"{signature[0]}/{signature[1]}"


def _slips(signature: Signature, source: Source, known: Iterable[Signature]) -> list[Signature]:
    """The predicates of which one is a slip: their definitions do not use it, so it is not what they are made of."""
    reach = source.above({signature})
    found = [
        one
        for one in known
        if one[1] == signature[1] and is_slip(signature[0], one[0]) and one not in reach and one not in source.defined
    ]
    return sorted(found)


@check("LP003", "undefined-predicate", "warning")
def undefined(source: Source) -> Iterator[Hit]:
    """No rule and no fact gives this predicate, and it is written like one that there is."""
    yield from _without_base(source)
    for signature, uses in source.uses.items():
        if signature in source.derived or signature in source.defined or source.scripts:
            continue
        name = signature[0]
        if name.startswith("-") and (name[1:], signature[1]) in source.derived:
            for statement, atom in uses:
                words = f"nothing derives {written(signature)}: with `-`, a rule has to say that it is false"
                begin, end = statement.text.span(atom.node)
                positive = statement.text.data[begin:end].decode(errors="replace").removeprefix("-")
                if atom.role == "negative":  # a default, and an exception that may come
                    yield Hit(statement, atom.node, f"{words}, so `not` before it is always true", level="info")
                else:
                    yield Hit(statement, atom.node, words, f"not {positive}")
            continue
        same = [one for one in source.derived if one[0] == name and one not in source.above({signature})]
        if same:
            continue  # LP004
        if slips := _slips(signature, source, source.derived):
            other = min(slips, key=lambda one: (one in source.uses, one))
            heads = source.heads.get(other, [])
            if other not in source.uses and len(heads) == 1 and len(uses) > 1:
                statement, atom = heads[0]
                sentence = f"nothing uses {written(other)}, and nothing derives {written(signature)}"
                yield Hit(statement, atom.node, sentence, name)
                continue
            for statement, atom in uses:
                yield Hit(statement, atom.node, f"nothing derives {written(signature)}", other[0])
            continue
        statement, atom = uses[0]
        always = all(one.role == "negative" for _, one in uses)
        more = ", so `not` before it is always true" if always else ""
        yield Hit(statement, atom.node, f"{written(signature)} is given by nothing here{more}: an input?", level="info")


def _without_base(source: Source) -> Iterator[Hit]:
    inputs = {one for one in source.uses if one not in source.derived}
    level: Level = "info" if inputs - source.defined else "warning"  # the base may be an input, too
    for signature in () if source.scripts else sorted(source.baseless, key=list(source.heads).index):
        statement, atom = source.heads[signature][0]
        name = written(signature)
        yield Hit(statement, atom.node, f"each rule for {name} needs {name} itself: nothing derives it", level=level)


@check("LP004", "wrong-arity", "warning")
def arity(source: Source) -> Iterator[Hit]:
    """No rule and no fact gives a predicate with so many arguments; there is one with the same name."""
    named: dict[str, list[Signature]] = {}
    for one in source.derived:
        named.setdefault(one[0], []).append(one)
    for signature, uses in source.uses.items():
        if signature in source.derived or signature in source.defined or source.scripts:
            continue
        above = source.above({signature})
        same = sorted(one for one in named.get(signature[0], ()) if one not in above)
        if not same:
            continue
        rules = [one for other in same for one in source.heads.get(other, [])]
        used = same[0] in source.uses or same[0] in source.shown
        if len(same) == 1 and len(rules) == 1 and not used and len(uses) > 1:
            statement, atom = rules[0]
            words = f"nothing uses {written(same[0])}, and nothing derives {written(signature)}"
            yield Hit(statement, atom.node, words, written(signature))
            continue
        if len(same) == 1 and same[0] in source.stated and same[0] not in source.uses and signature[1] == 1:
            of = same[0]
            facts = list(source.plain_facts(lambda facts, number: facts.signatures[facts.predicates[number]] == of))  # noqa: B023
            if len(facts) == 1 and not any("(" in str(one) for one in facts[0].symbol.arguments):
                values = list(map(str, facts[0].symbol.arguments))
                words = f"this is one atom with {len(values)} arguments, and rules use {written(signature)}"
                yield Hit(facts[0], facts[0].span, words, f"{signature[0]}({'; '.join(values)})")
        # What is used nowhere with its own arity, or is given by facts, is certainly what is meant.
        level: Level = "warning" if any(one in source.stated or one not in source.uses for one in same) else "info"
        if len(uses) == 1:
            level = "warning"
        other = " or ".join(map(written, same))
        for statement, atom in uses:
            yield Hit(statement, atom.node, f"nothing derives {written(signature)}", other, level)


def _sorts(values: set[str]) -> set[str]:
    """The sorts of values: numbers, strings, constants, functions and tuples."""
    found = set()
    for value in values:
        if re.fullmatch(r"-?\d+", value):
            found.add("number")
        elif value.startswith('"'):
            found.add("string")
        else:
            found.add(value.partition("(")[0] + "(" if "(" in value else "constant")
    return found


@check("LP006", "unknown-constant", "warning")
def constants(source: Source) -> Iterator[Hit]:
    """No fact and no rule has this constant there, so the literal never holds."""
    small = set[str]()
    for statement in source.statements:
        for atom in statement.atoms:
            if atom.role == "head":
                continue
            for place, argument in enumerate(atom.arguments):
                value = source.constant(argument)
                known = source.values.get((*atom.signature, place))
                if value is None or not known or value in known:
                    continue
                near = _near_value(value, known | source.constants)
                if near is None and _for_a_variable(value, statement, source):
                    if value not in small:  # once: all rules are written so
                        small.add(value)
                        words = f"{value} is a constant, and no {written(atom.signature)} has it; what begins with a "
                        words += "capital letter is a variable"
                        yield Hit(statement, argument, words, value[0].upper() + value[1:], "warning")
                    continue
                level: Level = "warning" if near is not None or not _sorts({value}) & _sorts(known) else "info"
                words = f"argument {place + 1} of {written(atom.signature)} is never {value}"
                yield Hit(statement, argument, words, near, level)
    yield from _lonely(source)


def _for_a_variable(value: str, statement: Statement, source: Source) -> bool:
    """Whether a constant stands in several atoms of a rule, and nowhere else but in such rules."""
    if not value[:1].islower() or value in source.stated_constants or statement.kind is not ASTType.Rule:
        return False
    holders = [one for one in source.statements if any(name == value for name, _ in one.names)]
    own = [atom for atom in statement.atoms if any(name_of(one) == value for one in atom.arguments)]
    return len(own) > 1 and all(one.kind is ASTType.Rule and one.node.body for one in holders)


def _near_value(value: str, known: Iterable[str]) -> str | None:
    bare = value.strip('"')
    for other in sorted(known):
        if other != value and (other.strip('"') == bare or is_slip(bare, other.strip('"'))):
            return other
    return None


def _lonely(source: Source) -> Iterator[Hit]:
    """Constants that stand nowhere else, and one is written nearly so; strings with the letters of a constant.

    In a head any constant may be new: there, only those of `#const` count, and what the same column has.
    """
    often = {name for name, times in source.names.items() if times > 1}
    for statement in source.statements:
        if source.is_read_outside(statement):
            continue  # words for somebody outside
        heads = {
            key(node) for atom in statement.heads for one in atom.arguments for node in nodes(one) if name_of(node)
        }
        for atom in statement.heads:
            for place, argument in enumerate(atom.arguments):
                value = source.constant(argument)
                if value is None or not value.isalpha() or source.names[value] != 1:
                    continue
                if (near := _near_value(value, source.alike_values((*atom.signature, place)))) is not None:
                    yield Hit(statement, argument, f"`{value}` stands nowhere else", near)
        for node in statement.nodes(ASTType.SymbolicTerm):
            is_string = node.symbol.type is clingo.SymbolType.String
            if is_string and node.symbol.string in source.constants:
                yield Hit(statement, node, "this is a string, and not the constant", node.symbol.string)
        for name, node in statement.names:
            if source.names[name] != 1 or name in source.constants or len(name) < 4:
                continue
            known = source.constants | (set() if key(node) in heads else often)
            if slips := sorted(other for other in known if is_slip(name, other)):
                yield Hit(statement, node, f"`{name}` stands nowhere else", slips[0])


@check("LP007", "single-variable", "info")
def singletons(source: Source) -> Iterator[Hit]:
    """A variable that stands once in a rule, or once in an element of an aggregate."""
    for statement in source.statements:
        inner = statement.nodes(*_ELEMENTS)
        inside = [{key(one): one.name for one in _variables(element)} for element in inner]
        local = {place for element in inside for place in element}
        whole = {key(one): one for one in statement.nodes(ASTType.Variable) if one.name != "_"}
        outside = Counter(one.name for place, one in whole.items() if place not in local)
        everywhere = Counter(one.name for one in whole.values())
        safe = _replaceable(statement)
        for place, one in whole.items():
            name = one.name
            if name.startswith("_"):
                continue
            elements = [element for element in inside if place in element]
            if elements and not outside[name]:
                alone = sum(other == name for other in max(elements, key=len).values()) == 1
            else:
                alone = everywhere[name] == 1
            if not alone or place not in safe or place in together(statement):
                continue
            begin, end = statement.text.span(one)
            if len(name) > 2 and (small := name[0].lower() + name[1:]) in _values_at(one, statement, source):
                words = f"`{name}` is a variable, as its capital letter says, and stands for any value"
                yield Hit(statement, one, words, small, level="warning")
                continue
            meant_name = variable_meant(name, statement, source)
            words = f"`{name}` stands only here" + (f": `_`, or {meant_name}" if meant_name else "")
            yield Hit(statement, one, words, meant_name or "_", fix=Fix(statement.file, begin, end, "_"))


def _values_at(variable: AST, statement: Statement, source: Source) -> set[str]:
    """The values that an argument may have in which a variable stands."""
    for atom in statement.atoms:
        for place, argument in enumerate(atom.arguments):
            if argument.ast_type is ASTType.Variable and key(argument) == key(variable):
                return source.values.get((*atom.signature, place)) or set()
    return set()


_ELEMENTS = (
    ASTType.ConditionalLiteral,
    ASTType.BodyAggregateElement,
    ASTType.HeadAggregateElement,
    ASTType.TheoryAtomElement,
)


def together(statement: Statement) -> dict[tuple[int, int, int, int], AST]:
    """The variables that stand once in a statement: in a condition of an aggregate of its body, and in no tuple."""
    times = Counter(one.name for one in _variables(statement.node))
    found: dict[tuple[int, int, int, int], AST] = {}
    for literal in getattr(statement.node, "body", ()):
        whole = literal.atom if literal.ast_type is ASTType.Literal else literal
        bound = whole.ast_type is ASTType.BodyAggregate and (whole.left_guard or whole.right_guard)
        if bound and whole.function not in _SUMS:
            for element in whole.elements:
                for condition in element.condition:
                    if condition.ast_type is ASTType.Literal and condition.sign == ast.Sign.NoSign:
                        found |= {key(one): one for one in _variables(condition) if times[one.name] == 1}
    return {place: one for place, one in found.items() if not one.name.startswith("_")}


def _variables(node: AST) -> Iterator[AST]:
    return (one for one in nodes(node) if one.ast_type is ASTType.Variable and one.name != "_")


def _columns(statement: Statement) -> dict[str, set[tuple[Signature, int]]]:
    found: dict[str, set[tuple[Signature, int]]] = {}
    for atom in statement.atoms:
        for place, argument in enumerate(atom.arguments):
            if argument.ast_type is ASTType.Variable:
                found.setdefault(argument.name, set()).add((atom.signature, place))
    return found


def variable_meant(name: str, statement: Statement, source: Source, bound: Iterable[str] | None = None) -> str | None:
    """Another variable of the rule: written nearly so, or alone in a column that is joined, or the only one in such."""
    times = Counter(one.name for one in _variables(statement.node))
    names = [other for other in times if other != name and (bound is None or other in bound)]
    slips = [one for one in names if is_slip(name, one) or (one[0] == name[0] and abs(len(one) - len(name)) == 1)]
    if len(slips) == 1 or (slips and len(name) > 2):
        return str(slips[0])
    columns = _columns(statement)
    same = [
        other
        for other in names
        if any(source.alike((*a, b), (*c, d)) for a, b in columns.get(name, ()) for c, d in columns.get(other, ()))
    ]
    alone = [other for other in same if times[other] == 1] or [other for other in names if times[other] == 1]
    return alone[0] if len(alone) == 1 else same[0] if len(same) == 1 else None


def binding(name: str, statement: Statement, source: Source) -> str | None:
    """A literal that would bind a variable: the atom that does so in a rule with the variable in the same column."""
    columns = [
        (atom.signature, place)
        for atom in statement.atoms
        for place, term in enumerate(atom.arguments)
        if term.ast_type is ASTType.Variable and term.name == name
    ]
    best: tuple[int, str] | None = None
    own = {atom.signature for atom in statement.heads}
    for signature, place in columns:
        for other, atom in [*source.heads.get(signature, []), *source.uses.get(signature, [])]:
            if other is statement or place >= len(atom.arguments):
                continue
            term = atom.arguments[place]
            if term.ast_type is not ASTType.Variable:
                continue
            for scope in other.scopes:
                for binder in scope.positive():
                    if binder.signature in own:
                        continue
                    at = [number for number, one in enumerate(binder.arguments) if str(one) == term.name]
                    if at and (best is None or len(binder.arguments) < best[0]):
                        words = ["_"] * len(binder.arguments)
                        words[at[0]] = name
                        best = len(words), f"{binder.signature[0]}({','.join(words)})"
    return None if best is None else best[1]


def _replaceable(statement: Statement) -> set[tuple[int, int, int, int]]:
    """The variables that are arguments of atoms without `not`, where `_` means the same."""
    found = set()
    for atom in statement.atoms:
        if atom.role == "positive":
            waiting = list(atom.arguments)
            while waiting:
                term = waiting.pop()
                if term.ast_type is ASTType.Variable:
                    found.add(key(term))
                elif term.ast_type is ASTType.Function and not term.external:
                    waiting.extend(term.arguments)
    return found


@check("LP011", "tuple-without-item", "warning")
def tuples(source: Source) -> Iterator[Hit]:
    """The tuples of a sum or a count are a set: two items with the same tuple count once."""
    for statement in source.statements:
        if statement.kind is ASTType.Minimize:
            node = statement.node
            yield from _tuple(source, statement, [node.weight, *node.terms], node.body, set())
        for aggregate in statement.nodes(ASTType.BodyAggregate, ASTType.HeadAggregate):
            if aggregate.function in (ast.AggregateFunction.Max, ast.AggregateFunction.Min):
                continue
            counts = aggregate.function == ast.AggregateFunction.Count
            inside = {key(one) for element in aggregate.elements for one in _variables(element)}
            outer = {one.name for one in _variables(statement.node) if key(one) not in inside}
            for element in aggregate.elements:
                if element.ast_type is not ASTType.BodyAggregateElement or not element.terms:
                    continue
                if not (counts and any(True for term in element.terms for _ in _variables(term))):
                    yield from _tuple(source, statement, list(element.terms), element.condition, outer, counts)


def _positive(body: Iterable[AST]) -> Iterator[AST]:
    for literal in body:
        if literal.ast_type is ASTType.Literal and literal.atom.ast_type is ASTType.SymbolicAtom and not literal.sign:
            yield literal.atom.symbol


def _keyed(atom: AST, name: str, source: Source) -> bool:
    """Whether a constraint forbids two atoms of the predicate with the same value where a variable stands."""
    if atom.ast_type is not ASTType.Function:
        return False
    places = [at for at, one in enumerate(atom.arguments) if one.ast_type is ASTType.Variable and one.name == name]
    for statement in source.statements:
        scope = statement.scopes[0]
        constraint = statement.kind is ASTType.Rule and is_constraint(statement.node)
        if len(places) != 1 or not constraint or not scope.comparisons:
            continue
        same = [one.arguments for one in scope.positive() if one.signature == (atom.name, len(atom.arguments))]
        for one, other in combinations(same, 2):
            alike = [at for at, (a, b) in enumerate(zip(one, other, strict=True)) if str(a) == str(b)]
            if places[0] in alike and len(alike) < len(one):
                return True
    return False


def _tuple(
    source: Source, statement: Statement, terms: list[AST], body: Sequence[AST], outer: set[str], counts: bool = False
) -> Iterator[Hit]:
    weight = terms[0]
    there = {one.name for term in terms for one in _variables(term)} | outer
    bound: dict[str, None] = {}
    fixed: set[str] = set()
    for literal in body:
        if literal.ast_type is ASTType.Literal and literal.atom.ast_type is ASTType.SymbolicAtom:
            if literal.sign == ast.Sign.NoSign:
                bound.update(dict.fromkeys(one.name for one in _variables(literal)))
        elif literal.ast_type is ASTType.Literal and literal.atom.ast_type is ASTType.Comparison:
            guard = literal.atom.guards[0]
            if guard.comparison == ast.ComparisonOperator.Equal and literal.sign == ast.Sign.NoSign:
                for side in (literal.atom.term, guard.term):
                    if side.ast_type is ASTType.Variable:
                        fixed.add(side.name)
    missing = [name for name in bound if name not in there and name not in fixed]
    if not missing or terms[1:]:
        return
    constant = not any(True for _ in _variables(weight)) and number_of(weight) is None
    if constant and (not counts or name_of(weight) in {None, *source.constants}):
        return  # a constant that may stand for anything
    if weight.ast_type is ASTType.Variable and any(_keyed(atom, weight.name, source) for atom in _positive(body)):
        return
    item = ", ".join([*([] if constant else [statement.text.of(weight)]), *missing])
    counted = "these count once together" if not names_in([weight]) else "two of the same weight count once"
    yield Hit(statement, weight, f"`{missing[0]}` is not in the tuple: {counted}", item)


@check("LP014", "show-of-nothing", "warning")
def show(source: Source) -> Iterator[Hit]:
    """A `#show` of a predicate that nothing derives shows nothing."""
    for one in source.directives:
        if one.kind not in (ASTType.ShowSignature, ASTType.ProjectSignature) or not one.node.name:
            continue
        signature = signature_of(one.node)
        if signature in source.derived or signature in source.defined or source.scripts:
            continue
        near = meant(signature, source.heads) or meant(signature, source.derived)
        sure = bool(near) and (near[0][0] == signature[0] or is_slip(near[0][0], signature[0]))
        suggestion = " or ".join(map(written, near)) if sure else None
        level: Level = "warning" if sure and signature not in source.uses else "info"
        yield Hit(one, one.node, f"nothing derives {written(signature)}", suggestion, level)


@check("LP015", "unused-definition", "info")
def unused(source: Source) -> Iterator[Hit]:
    """A rule derives a predicate that nothing uses and no `#show` names."""
    shown = source.shown
    if not shown or source.scripts:
        return
    there = {one for one in {*source.uses, *shown} if one in source.derived}
    for signature, heads in source.heads.items():
        if signature in source.uses or signature in shown:
            continue
        if any(source.is_read_outside(statement) for statement, _ in heads):
            continue
        statement, atom = heads[0]
        words = f"nothing uses {written(signature)}, and it is not shown"
        if slips := [one for one in there if one[1] == signature[1] and is_slip(signature[0], one[0])]:
            yield Hit(statement, atom.node, words, min(slips)[0], "warning")
        elif other := [one for one in meant(signature, there) if one[0] == signature[0]]:
            yield Hit(statement, atom.node, words, " or ".join(map(written, other)))
        elif statement.kind is ASTType.Rule and len(statement.node.body) > 0 and not is_choice(statement.node):
            yield Hit(statement, atom.node, words)
    meant_by = {}
    for signature in source.stated - source.uses.keys() - shown - source.heads.keys():
        if slips := [one for one in there if one[1] == signature[1] and is_slip(signature[0], one[0])]:
            meant_by[signature] = min(slips)[0]
    for fact in source.plain_facts(lambda facts, number: facts.signatures[facts.predicates[number]] in meant_by):
        yield Hit(fact, fact.span, f"nothing uses {written(fact.signature)}", meant_by[fact.signature], "warning")


@check("LP016", "duplicate-rule", "warning")
def duplicates(source: Source) -> Iterator[Hit]:
    """A rule that stands twice, up to the names of its variables."""
    seen: dict[tuple[str, tuple[str, ...]], Statement] = {}
    for statement in source.statements:
        if statement.kind is not ASTType.Rule:
            continue
        names: dict[str, str] = {}
        renamed = re.sub(
            r'("(?:\\.|[^"\\])*")|\b(_*[A-Z][\w\']*)',
            lambda one, names=names: one[1] or names.setdefault(one[2], f"V{len(names)}"),  # type: ignore[misc]
            str(statement.node),
        )
        first = seen.setdefault((renamed, statement.part), statement)
        if first is not statement:
            begin, end = statement.text.span(statement.node)
            where = f"line {first.node.location.begin.line}"
            where = where if first.file == statement.file else f"{first.file}, {where}"
            words = f"this rule stands in {where} already"
            plain = not statement.nodes(ASTType.TheoryAtom)
            fix = Fix(statement.file, begin, end, "") if plain else None
            yield Hit(statement, statement.node, words, fix=fix)


@check("LP017", "constant-comparison", "warning")
def comparisons(source: Source) -> Iterator[Hit]:
    """A comparison that is always true, or never, or two that exclude each other; an atom, and `not` before it."""
    for statement in source.statements:
        for scope in statement.scopes:
            yield from _contradictions(statement, scope)
            known: dict[tuple[str, str], set[int]] = {}
            limits: dict[str, tuple[float, float]] = {}
            around = () if scope.around is None else scope.around.comparisons
            for own, left, right, compared in _pairs(around, scope.comparisons):
                one, other = str(left), str(right)
                sign = 0 if one == other else _sign(number_of(left), number_of(right))
                if sign is not None:
                    if own:
                        words = f"this is {'always' if sign in compared else 'never'} true"
                        yield Hit(statement, left, words, until=right)
                    continue
                for term, number, sides in ((one, right, compared), (other, left, {-each for each in compared})):
                    value = number_of(number)
                    if value is None or sides == {-1, 1}:
                        continue
                    least, most = limits.get(term, (-inf, inf))
                    possible = least <= most
                    least = max(least, value + (0 not in sides)) if -1 not in sides else least
                    most = min(most, value - (0 not in sides)) if 1 not in sides else most
                    limits[term] = least, most
                    if own and possible and least > most:
                        yield Hit(statement, left, "this excludes another comparison of the rule", until=right)
                if one > other:
                    one, other, compared = other, one, {-each for each in compared}
                before = known.setdefault((one, other), {-1, 0, 1})
                known[one, other] = before & compared
                if own and before and not before & compared:
                    yield Hit(statement, left, "this excludes another comparison of the rule", until=right)


def _contradictions(statement: Statement, scope: Scope) -> Iterator[Hit]:
    there = {str(atom.node): atom for atom in scope.positive()}
    for number, atom in enumerate(scope.atoms):
        if scope.around is not None and number == 0 and there.get(str(atom.node)) in scope.atoms:
            continue  # `not p(X) : p(X)`: there is none
        if atom.role == "negative" and (text := str(atom.node)) in there and there[text].signature == atom.signature:
            yield Hit(statement, atom.node, f"`{statement.text.of(atom.node)}` and `not` of it are never true together")


@check("LP018", "not-a-number", "warning")
def numbers(source: Source) -> Iterator[Hit]:
    """A name where a number is needed: in an interval, in arithmetic, or as the bound of an aggregate. clingo leaves
    out what has no value."""
    unused = [one.node.name for one in source.directives if one.kind is ASTType.Definition]
    unused = [one for one in unused if not source.names[one]]
    seen = set[str]()
    for statement in source.statements:
        for node in statement.nodes(ASTType.Interval, ASTType.BinaryOperation, *_AGGREGATES):
            if node.ast_type in (ASTType.Interval, ASTType.BinaryOperation):
                places = [node.left, node.right]
            else:
                extreme = getattr(node, "function", None) in (ast.AggregateFunction.Max, ast.AggregateFunction.Min)
                guards = () if extreme else (node.left_guard, node.right_guard)
                places = [guard.term for guard in guards if guard is not None]
            for place in places:
                name = name_of(place)
                if name is None or name in source.constants or getattr(place, "external", False):
                    continue
                if node.ast_type in _AGGREGATES and (end := _without_dot(statement, node, place)) is not None:
                    words = f"is a dot missing here? clingo takes `{statement.text.of(place)}` for the bound of `{{ }}`"
                    yield Hit(statement, (end - 1, end), words)
                elif getattr(place, "arguments", None):
                    if node.ast_type in _AGGREGATES:
                        yield Hit(statement, place, "this bound is not a number")
                elif unused:
                    yield Hit(statement, place, f"{name} is not a number", unused[0])
                elif name not in seen:
                    seen.add(name)
                    yield Hit(statement, place, f"{name} is not a number, unless `-c {name}=...` sets it", level="info")


_BETWEEN = rb"((?:\s|%\*.*?\*%|%[^\n]*\n)*)"
_BEFORE_BRACE, _AFTER_BRACE = (
    re.compile(_BETWEEN + rb"\{", re.DOTALL),
    re.compile(rb"\}" + _BETWEEN + rb"\Z", re.DOTALL),
)


def _without_dot(statement: Statement, aggregate: AST, bound: AST) -> int | None:
    """Where a line ends between an aggregate and a bound of it that is in another line, without an operator."""
    data, (begin, end) = statement.text.data, statement.text.span(bound)
    if (after := _BEFORE_BRACE.match(data, end)) is not None:
        return end if b"\n" in after[1] else None
    before = _AFTER_BRACE.search(data[:begin], statement.text.span(aggregate)[0])
    return before.start() + 1 if before is not None and b"\n" in before[1] else None


def _pairs(around: Iterable[AST], own: Iterable[AST]) -> Iterator[tuple[bool, AST, AST, set[int]]]:
    """The terms that are compared two by two, each of which has one value: whether they are the scope's own."""
    many = (ASTType.Interval, ASTType.Pool, ASTType.Function)
    for is_own, comparison in [*((False, one) for one in around), *((True, one) for one in own)]:
        left = comparison.term
        for guard in comparison.guards:
            parts = [*nodes(left), *nodes(guard.term)]
            if not any(one.ast_type in many or (one.ast_type is ASTType.Variable and one.name == "_") for one in parts):
                yield is_own, left, guard.term, COMPARED[guard.comparison]
            left = guard.term


def _sign(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else (one > other) - (one < other)
