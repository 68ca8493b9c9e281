"""The checks of what a construct means: it is right, and means something else than most who write it think."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

from clingo import ast
from clingo.ast import AST, ASTType

from bridge.asp.reading import (
    Signature,
    alternatives,
    elements_of,
    has_anonymous,
    is_aggregate,
    is_atom,
    is_choice,
    is_constraint,
    names_in,
    nodes,
    signatures,
)
from bridge.common import listed
from bridge.linting.checks import written
from bridge.linting.findings import Hit, check
from bridge.linting.program import Atom, Source, Statement, functions, is_number, name_of, number_of, step_of

_PLAIN = (ASTType.SymbolicAtom, ASTType.Comparison)


def _in_order(parts: Iterable[AST]) -> list[AST]:
    return sorted(parts, key=lambda one: (one.location.begin.line, one.location.begin.column))


def _separator(statement: Statement, node: AST) -> tuple[str, int]:
    """The comma, semicolon or bar before a part of a statement, and where it stands; empty before the first part."""
    data = statement.text.data[: statement.text.span(node)[0]].rstrip()
    return data[-1:].decode(errors="replace"), len(data) - 1


def _separated(statement: Statement) -> list[tuple[str, int]]:
    """What separates the literals of a body; not beside an aggregate."""
    body = _in_order(statement.node.body)
    plain = [one.ast_type is ASTType.Literal and one.atom.ast_type in _PLAIN for one in body]
    return [_separator(statement, one) for at, one in enumerate(body) if at and plain[at] and plain[at - 1]]


@check("LP021", "semicolon-is-and", "info")
def semicolons(source: Source) -> Iterator[Hit]:
    """A semicolon in a body means `and`, as a comma does; for `or` there are two rules, or a pool: `p(d; e)`."""
    rules = [one for one in source.statements if one.kind is ASTType.Rule]
    if any(literal.ast_type is ASTType.ConditionalLiteral for one in rules for literal in one.node.body):
        return
    found = {id(one): _separated(one) for one in rules}
    commas = sum(any(mark == "," for mark, _ in each) for each in found.values())
    semicolons = [one for one in rules if any(mark == ";" for mark, _ in found[id(one)])]
    if len(semicolons) * 3 > commas + 2:
        return
    for rule in semicolons:
        at = next(at for mark, at in found[id(rule)] if mark == ";")
        remedy = "write a constraint for each" if is_constraint(rule.node) else "write a rule for each"
        yield Hit(rule, (at, at + 1), f"`;` in a body means `and`, as a comma does; where `or` is meant, {remedy}")


@check("LP022", "comma-is-or", "warning")
def commas(source: Source) -> Iterator[Hit]:
    """A comma between the atoms of a head means `or`, as a semicolon does: one of them is derived."""
    rules = [one for one in source.statements if one.kind is ASTType.Rule]
    several = [one for one in rules if one.node.head.ast_type is ASTType.Disjunction]
    for statement in several:
        elements = _in_order(statement.node.head.elements)
        for element in elements[1:] if all(is_atom(one.literal) for one in elements) else ():
            mark, at = _separator(statement, element)
            if mark == ",":
                each = "rule" if statement.node.body else "fact"
                words = f"`,` in a head means `or`: one of these is derived; for all of them write a {each} for each"
                same = len({atom.signature for atom in statement.heads}) == 1
                sure = same or bool(statement.node.body)
                if sure or len(several) == 1:
                    yield Hit(statement, (at, at + 1), words, level=None if sure else "info")
                break


@check("LP023", "not-in-head", "warning")
def negated_heads(source: Source) -> Iterator[Hit]:
    """`not` in a head derives nothing: `not q :- p.` is the constraint `:- p, q.`"""
    for statement in source.statements:
        if statement.kind is not ASTType.Rule:
            continue
        head = statement.node.head
        if is_atom(head, ast.Sign.Negation):
            inner = statement.text.of(head).removeprefix("not").strip()
            body = ", ".join(map(statement.text.of, _in_order(statement.node.body)))
            same = f":- {body}{', ' * bool(body)}{inner}."
            used = {signature for signature, _ in functions(head.atom.symbol)}
            free = used & source.open or any(_through_not(one, source) for one in used)
            words = f"`not` in a head derives nothing, and takes nothing away: this is the constraint `{same}`"
            yield Hit(statement, head, words, level="info" if free or statement.part else None)
        for literal, _ in alternatives(head) if is_choice(statement.node) else ():
            if literal.sign == ast.Sign.Negation and literal.atom.ast_type is ASTType.SymbolicAtom:
                yield Hit(statement, literal, "`not` in a choice chooses nothing")


def _through_not(signature: Signature, source: Source) -> bool:
    """Whether a predicate depends on itself through `not`, as in `p :- q, not not p.`: that is a choice, too."""
    above = source.above({signature}) | {signature}
    rules = (rule for rule, _ in source.heads.get(signature, ()))
    return any(atom.role == "negative" and atom.signature in above for rule in rules for atom in rule.atoms)


@check("LP024", "show-hides-nothing", "warning")
def shown(source: Source) -> Iterator[Hit]:
    """`#show TERM : CONDITION.` shows a term besides the atoms, and hides none."""
    signatures = [one for one in source.directives if one.kind is ASTType.ShowSignature]
    for statement in source.statements:
        if statement.kind is not ASTType.ShowTerm or statement.node.term.ast_type is not ASTType.Function:
            continue
        term = statement.node.term
        signature = term.name, len(term.arguments)
        if not term.name or statement.part or (signature not in source.derived and signatures):
            continue
        if signature not in source.derived:
            words = "this shows a term besides all atoms, and hides none; `#show.` before it hides them"
            yield Hit(statement, term, words, level="info")
            continue
        if not signatures:
            words = "this hides nothing: all atoms are shown besides; `#show.` before it hides them"
        elif signature in source.shown:
            words = f"this hides nothing: `#show {written(signature)}.` shows all of {written(signature)} already"
        else:
            continue
        if len(statement.node.body) > 1:
            yield Hit(statement, term, words)


@check("LP025", "none-of-all", "info")
def none_of_all(source: Source) -> Iterator[Hit]:
    """`:- not p(X) : q(X).` forbids only that `p(X)` holds for no `q(X)`: the body is that all of them are missing."""
    for statement in source.statements:
        if statement.kind is not ASTType.Rule or not is_constraint(statement.node) or len(statement.node.body) != 1:
            continue
        (one,) = statement.node.body
        if one.ast_type is not ASTType.ConditionalLiteral or not is_atom(one.literal, ast.Sign.Negation):
            continue
        if len(one.condition) == 1 and is_atom(one.condition[0]) and names_in([one.literal]):
            atom, each = (statement.text.of(part).removeprefix("not ") for part in (one.literal, one.condition[0]))
            used = {signature for signature, _ in functions(one.literal.atom.symbol)}
            recursive = any(signature in source.below.get(signature, ()) for signature in used)
            words = f"this forbids only that no {atom} holds at all; that each has to hold is `:- {each}, not {atom}.`"
            yield Hit(statement, one, words, level="warning" if recursive else None)


@check("LP026", "condition-goes-on", "warning")
def conditions(source: Source) -> Iterator[Hit]:
    """A condition goes on behind a comma: in `a(X) : b(X), c` the literal `c` belongs to the condition."""
    for statement in source.statements:
        for one in getattr(statement.node, "body", ()):
            plain = one.ast_type is ASTType.ConditionalLiteral and one.literal.atom.ast_type in _PLAIN
            if not plain or len(one.condition) < 2:
                continue
            local, body = names_in([one]) - statement.outer, set(map(str, statement.node.body))
            for literal in _in_order(one.condition)[1:]:
                own = names_in([literal]) & local or has_anonymous(literal)
                if is_atom(literal) and not own and str(literal) not in body:
                    text = statement.text.of(literal)
                    words = f"`{text}` belongs to the condition, which goes on to the next `;`: write `; {text}`"
                    yield Hit(statement, literal, words)


@check("LP027", "unlike-several", "warning")
def several(source: Source) -> Iterator[Hit]:
    """A pool or an interval beside `!=`, or under `not`, stands for an instance of the rule with each of its values."""
    lists = source.functions_with_lists
    for statement in source.statements:
        for node in statement.nodes(ASTType.Literal):
            if node.atom.ast_type is not ASTType.Comparison:
                continue
            (guard, *others) = node.atom.guards
            unlike = ast.ComparisonOperator.Equal if node.sign == ast.Sign.Negation else ast.ComparisonOperator.NotEqual
            if others or guard.comparison != unlike or (node.sign and node.sign != ast.Sign.Negation):
                continue
            for term in (node.atom.term, guard.term):
                if (values := _values(term)) or (term.ast_type is ASTType.Function and term.name in lists):
                    text = statement.text.of(term)
                    gives = values or "several values"
                    words = (
                        f"`{text}` gives {gives}, and each has an instance of the rule: this holds where one of them "
                        f"is unlike"
                    )
                    if values:
                        words += "; for all of them write a comparison for each"
                    else:
                        words += f"; derive them by a rule of their own: `value(X) :- X = {text}.`"
                    yield Hit(statement, node, words)


def _values(term: AST) -> str:
    """The first two different values of a pool or an interval, in words; empty of any other term."""
    if term.ast_type is ASTType.Pool:
        texts = list(dict.fromkeys(map(str, term.arguments)))
        return f"{texts[0]} and {texts[1]}" if len(texts) == 2 else f"{texts[0]}, {texts[1]}, ..." if texts[2:] else ""
    if term.ast_type is ASTType.Interval and str(term.left) != str(term.right):
        return f"the numbers from {term.left} to {term.right}"
    return ""


@check("LP029", "derives-all-pairs", "warning")
def declarations(source: Source) -> Iterator[Hit]:
    """A rule with nothing but the domains of its variables is no declaration: it derives all pairs."""
    for signature, heads in source.heads.items():
        rules = [statement for statement, _ in heads]
        strict = _bounded(signature, source)
        bounded = strict or _constrained(signature, source)
        if bounded is None or signature not in source.fixed or signature in source.stated:
            continue
        for statement, atom in heads:
            apart = _parts_of_pairs(statement, atom)
            if len(rules) == 1 and len(apart) > 1 and not statement.part:
                line = bounded.node.location.begin.line
                where = f"line {line}" if bounded.file == statement.file else f"{bounded.file}, line {line}"
                *outer, inner = apart
                body = ", ".join(statement.text.of(one) for part in outer for one in part)
                condition = ", ".join(map(statement.text.of, inner))
                choice = f"{{ {statement.text.of(atom.node)} : {condition} }} = 1 :- {body}."
                words = f"this derives {written(signature)} for all pairs; {where} allows fewer, but a constraint"
                words += " chooses nothing: is a choice meant?"
                yield Hit(statement, statement.node, words, choice, level=None if strict else "info")


def _bounded(signature: Signature, source: Source) -> Statement | None:
    """A constraint that allows few atoms of a predicate: by a bound, or by two atoms that differ in an argument."""
    known = (source.fixed & source.derived) | source.below[signature]
    for statement, _ in source.uses.get(signature, ()):
        if statement.kind is not ASTType.Rule or not is_constraint(statement.node):
            continue
        for literal in statement.node.body:
            if is_aggregate(literal):
                bounds = (literal.atom.left_guard, literal.atom.right_guard)
                used = set[Signature]().union(*(signatures(part) for each in elements_of(literal) for part in each))
                bound = any(not names_in([one.term]) for one in bounds if one is not None)
                if bound and signature in used and used <= known:
                    return statement
        same = [one for one in statement.scopes[0].positive() if one.signature == signature]
        if len(statement.node.body) == 3 and len(same) == 2 and len(statement.scopes[0].comparisons) == 1:
            one, other = (list(map(str, atom.arguments)) for atom in same)
            if sum(a != b for a, b in zip(one, other, strict=True)) == 1 != len(one):
                return statement
    return None


def _constrained(signature: Signature, source: Source) -> Statement | None:
    """A constraint of what is the same in all answer sets: of some atoms of a predicate, and of nothing else."""
    for statement, atom in source.uses.get(signature, ()):
        if statement.kind is ASTType.Rule and is_constraint(statement.node) and atom.role == "positive":
            constants = any(one.ast_type is not ASTType.Variable for one in atom.arguments)
            used = {one.signature for one in statement.atoms}
            if (constants or statement.scopes[0].comparisons) and used <= source.fixed & source.derived:
                return statement
    return None


def _parts_of_pairs(statement: Statement, atom: Atom) -> list[list[AST]]:
    """The atoms of a body in groups without a common variable, each with one of the head; none of any other rule."""
    groups: list[tuple[set[str], list[AST]]] = []
    for literal in _in_order(statement.node.body):
        if not is_atom(literal):
            return []
        names, parts = names_in([literal]), [literal]
        for group in [one for one in groups if one[0] & names]:
            groups.remove(group)
            names, parts = names | group[0], [*group[1], *parts]
        groups.append((names, parts))
    head = names_in(atom.arguments)
    return [parts for names, parts in groups] if all(names & head for names, _ in groups) else []


@check("LP038", "heuristic-is-ignored", "info")
def heuristics(source: Source) -> Iterator[Hit]:
    """clingo heeds `#heuristic` only with the option `--heuristic=Domain`."""
    option = any(one.lower().startswith("--heuristic") and "domain" in one.lower() for one in source.options)
    found = [one for one in source.statements if one.kind is ASTType.Heuristic]
    for statement in found[:1] if not (option or source.scripts) else ():
        words = "`#heuristic` is ignored without an option of clingo: `lpbridge run FILE -- --heuristic=Domain`"
        yield Hit(statement, statement.node, words)


@check("LP039", "part-is-not-ground", "info")
def parts(source: Source) -> Iterator[Hit]:
    """Only the part `base` is ground, unless a script or a program in Python asks for others."""
    if source.scripts or source.incremental:
        return
    seen = set[str]()
    base = {atom.signature for one in source.statements if not one.part for atom in one.atoms if atom.role == "head"}
    wanted = {one for one, uses in source.uses.items() if any(not statement.part for statement, _ in uses)}
    wanted = (wanted | source.shown) - base - source.stated
    for statement in source.statements:
        excludes = statement.kind is ASTType.Rule and (is_choice(statement.node) or is_constraint(statement.node))
        if not excludes and not wanted & {atom.signature for atom in statement.heads}:
            continue  # what is for somebody else
        if statement.part and statement.part[0] not in seen:
            seen.add(statement.part[0])
            words = f"this is in the part `{statement.part[0]}`; only `base` is ground unless a script asks for more"
            yield Hit(statement, statement.node, words)


@check("LP040", "arrow-is-a-comparison", "warning")
def arrows(source: Source) -> Iterator[Hit]:
    """`a <- b.` and `a <= b.` are comparisons of terms, `a < -b` the first one: they derive nothing."""
    less = (ast.ComparisonOperator.LessThan, ast.ComparisonOperator.LessEqual)
    for statement in source.statements:
        head = statement.node.head if statement.kind is ASTType.Rule and not statement.node.body else None
        first = head
        if head is not None and head.ast_type is ASTType.Disjunction and head.elements:
            first = min(head.elements, key=lambda one: statement.text.span(one)).literal
        if first is None or first.ast_type is not ASTType.Literal or first.atom.ast_type is not ASTType.Comparison:
            continue
        (guard, *more) = first.atom.guards
        names = [_without_sign(one) for one in (first.atom.term, guard.term)]
        arrow = guard.comparison == less[1] or guard.term.ast_type is ASTType.UnaryOperation
        if more or guard.comparison not in less or not (arrow and all(map(name_of, names))):
            continue
        begin, end = statement.text.span(first.atom.term)[1], statement.text.span(names[1])[0]
        sign = statement.text.data[begin:end].decode(errors="replace").strip()
        rule = statement.text.of(statement.node)
        left = statement.text.of(first.atom.term)
        words = f"`{sign}` is no arrow: this compares two terms, and derives nothing"
        body = rule[rule.index(sign) + len(sign) :].strip()
        yield Hit(statement, (begin, end), words, f"{left} :- {body}")


def _without_sign(term: AST) -> AST:
    return term.argument if term.ast_type is ASTType.UnaryOperation else term


@check("LP041", "atom-as-a-value", "warning")
def values(source: Source) -> Iterator[Hit]:
    """The name of a predicate in a comparison, in arithmetic or as a weight is a term there: no value is looked up."""
    terms = set(source.stated_constants)
    for statement in source.statements:
        within = (node for atom in statement.atoms for one in atom.arguments for node in nodes(one))
        terms |= {name for node in within if (name := name_of(node))}
    for statement, element, term in _counted(source):
        there = {signature for literal in element.condition for signature in signatures(literal)}
        one = name_of(term), len(getattr(term, "arguments", ()))
        if one[1] and one in source.derived and one not in there and one[0] not in terms:
            text = statement.text.of(term)
            words = f"`{text}` is a term here, and not the atom: what has to hold stands behind the `:`, as in "
            names = sorted(names_in([term]) - statement.outer) or ["1"]
            conditions = ", ".join([text, *map(statement.text.of, _in_order(element.condition))])
            yield Hit(statement, term, f"{words}`{','.join(names)} : {conditions}`")
    for statement in source.statements:
        for term, is_value in _compared(statement):
            name, arity = name_of(term), len(getattr(term, "arguments", ()))
            if name is None or name in terms | source.constants or getattr(term, "external", False):
                continue
            constant = not arity and {one.ast_type for one in nodes(term)} == {ASTType.SymbolicTerm}
            if constant and not (is_value and (name, 1) in source.derived):
                continue
            text = statement.text.of(term)
            if (name, arity + 1) in source.derived:
                value = _new_name(statement)
                atom = f"{text.removesuffix(')')}{',' if arity else '('}{value})"
                words = f"`{text}` is a term here, and no value is looked up: "
                words += f"write `{atom}` in the body, and `{value}` here"
            elif (name, arity) in source.derived:
                words = f"`{text}` is a term here, and not the atom: it is compared as it is written"
            else:
                continue
            yield Hit(statement, term, words)
            break


def _new_name(statement: Statement) -> str:
    """A variable that a statement has not."""
    used = names_in([statement.node])
    names = itertools.chain("ZVW", (f"Z{number}" for number in itertools.count(1)))
    return next(one for one in names if one not in used)


def _counted(source: Source) -> Iterator[tuple[Statement, AST, AST]]:
    """The terms of the tuples that aggregates of bodies count, each with its element."""
    for statement in source.statements:
        for node in statement.nodes(ASTType.BodyAggregate):
            if node.function == ast.AggregateFunction.Count:
                yield from ((statement, element, term) for element in node.elements for term in element.terms)


_AGGREGATES = (ASTType.Aggregate, ASTType.BodyAggregate, ASTType.HeadAggregate)
_COMPARING = (ASTType.Comparison, ASTType.BinaryOperation, ASTType.Interval, *_AGGREGATES)
_EQUAL = (ast.ComparisonOperator.Equal, ast.ComparisonOperator.NotEqual)
_SUMS = (ast.AggregateFunction.Sum, ast.AggregateFunction.SumPlus)
_EXTREMES = (ast.AggregateFunction.Min, ast.AggregateFunction.Max)


def _compared(statement: Statement) -> Iterator[tuple[AST, bool]]:
    """The terms of comparisons, of arithmetic and of bounds, and weights: each with whether a number is meant."""
    if statement.kind is ASTType.Minimize:
        yield _without_sign(statement.node.weight), True
    for node in statement.nodes(*_COMPARING):
        kind = node.ast_type
        if kind is ASTType.Comparison:
            terms = [node.term, *(guard.term for guard in node.guards)]
        elif kind in (ASTType.BinaryOperation, ASTType.Interval):
            terms = [node.left, node.right]
        else:
            terms = [guard.term for guard in (node.left_guard, node.right_guard) if guard is not None]
            if kind is ASTType.BodyAggregate and node.function in _SUMS:
                terms += [element.terms[0] for element in node.elements if element.terms]
        number = getattr(node, "function", None) not in _EXTREMES
        if kind is ASTType.Comparison:
            number = any(one.comparison not in _EQUAL for one in node.guards)
        yield from ((one, number) for one in terms)


@check("LP042", "derives-what-it-needs", "warning")
def in_place(source: Source) -> Iterator[Hit]:
    """A recursion that never leads further: each atom of the body that it goes on from has the arguments of the
    head."""
    for statement in source.statements:
        if statement.kind is not ASTType.Rule or is_choice(statement.node) or len(statement.heads) != 1:
            continue
        (head,) = statement.heads
        same = [one for one in statement.scopes[0].positive() if one.signature == head.signature]
        texts = list(map(str, head.arguments))
        if any(list(map(str, one.arguments)) == texts for one in same):
            words = "this derives nothing new: its body needs the very atom of its head"
            yield Hit(statement, head.node, words)
            continue
        bound = [name for name in texts if name in names_in([one.node for one in statement.scopes[0].positive()])]
        kept = [at for at, name in enumerate(texts) if name in bound]
        alike = len(same) > 1 and all(str(one.arguments[at]) == texts[at] for one in same for at in kept)
        if alike and len(kept) == 2 and len(set(bound)) == 2:
            first, last = (texts[at] for at in kept)
            between = _new_name(statement)
            several = [list(map(str, one.arguments)) for one in same[:2]]
            several[0][kept[1]] = several[1][kept[0]] = between
            rule = ", ".join(f"{head.signature[0]}({','.join(one)})" for one in several)
            words = f"both atoms of the body go from {first} to {last} already, as the head does: this leads no further"
            yield Hit(statement, same[0].node, words, rule, until=same[-1].node)


@check("LP043", "integer-division", "info")
def divisions(source: Source) -> Iterator[Hit]:
    """`/` divides integers and leaves the fraction out: `7/2` is 3."""
    for statement in source.statements:
        sums = [one.atom for one in getattr(statement.node, "body", ()) if is_aggregate(one)]
        bounds = [guard.term for one in sums for guard in (one.left_guard, one.right_guard) if guard is not None]
        for node in statement.nodes(ASTType.BinaryOperation):
            divides = node.operator_type == ast.BinaryOperator.Division
            left, right = (number_of(one) for one in (node.left, node.right)) if divides else (None, None)
            if left is not None and right and left % right:
                whole = abs(left) // abs(right)
                words = f"`{statement.text.of(node)}` is {whole}, as `/` divides integers: multiply first, then divide"
                yield Hit(statement, node, words, level=None if whole else "warning")
            elif divides and names_in([node.left]) & names_in(bounds):
                yield Hit(statement, node, "`/` divides integers and leaves the fraction out: 7/2 is 3")
            elif divides and (value := _below_zero(source, statement, node.left)) is not None:
                words = f"`{statement.text.of(node.left)}` is below 0 with {value}, and `/` rounds towards 0: "
                yield Hit(statement, node, f"{words}-1/2 is 0, as 1/2 is")


def _below_zero(source: Source, statement: Statement, term: AST) -> str | None:
    """A value of the variable of `X-1`, by which the term is below zero, and others by which it is not."""
    step = step_of(term)
    if step is None or step[1] >= 0:
        return None
    values = source.bound(statement.scopes[0], source.values).get(step[0], set())
    numbers = sorted(int(one) for one in values if is_number(one))
    below = [one for one in numbers if one < -step[1]]
    return f"{step[0]} = {below[-1]}" if below and len(below) < len(numbers) else None


@check("LP044", "numbers-as-strings", "warning")
def digits(source: Source) -> Iterator[Hit]:
    """A string is compared as text, and not computed with: `"10"` is less than `"9"`."""
    columns = {one for one, values in source.values.items() if values and all(map(_is_quoted, values))}
    for statement in source.statements if columns else ():
        compared = names_in(_ordered(statement))
        for atom in statement.atoms:
            for place, term in enumerate(atom.arguments):
                if term.ast_type is not ASTType.Variable or term.name not in compared or atom.role != "positive":
                    continue
                if (*atom.signature, place) in columns:
                    value = min(source.values[(*atom.signature, place)] or ())
                    words = f"`{term.name}` is a string, as {value}, which is compared as text, and is no number"
                    yield Hit(statement, term, words + ": a number has no quotes")


def _is_quoted(value: str) -> bool:
    return len(value) > 2 and value[0] == '"' == value[-1] and value[1:-1].isdigit()


def _ordered(statement: Statement) -> Iterator[AST]:
    """The terms that are compared by their order, or computed with."""
    if statement.kind is ASTType.Minimize:
        yield statement.node.weight
    for node in statement.nodes(ASTType.Comparison, ASTType.BinaryOperation, ASTType.BodyAggregate):
        if node.ast_type is ASTType.Comparison and any(guard.comparison not in _EQUAL for guard in node.guards):
            yield from (node.term, *(guard.term for guard in node.guards))
        elif node.ast_type is ASTType.BinaryOperation:
            yield from (node.left, node.right)
        elif node.ast_type is ASTType.BodyAggregate and node.function != ast.AggregateFunction.Count:
            yield from (element.terms[0] for element in node.elements if element.terms)


@check("LP045", "numbers-of-32-bits", "info")
def products(source: Source) -> Iterator[Hit]:
    """Numbers have 32 bits: a term or a sum that is larger wraps around without a warning."""
    for statement in source.statements:
        for head in statement.heads if statement.kind is ASTType.Rule else ():
            own = [one for one in statement.scopes[0].positive() if one.signature == head.signature]
            for place, term in enumerate(head.arguments):
                before = {str(one.arguments[place]) for one in own}
                several = (ast.BinaryOperator.Multiplication, ast.BinaryOperator.Power)
                for node in nodes(term):
                    product = node.ast_type is ASTType.BinaryOperation and node.operator_type in several
                    if product and before & names_in([node]):
                        words = "numbers have 32 bits: above 2147483647 this product wraps around, without a warning"
                        yield Hit(statement, node, words)
                        break


@check("LP053", "number-against-name", "warning")
def mixed_order(source: Source) -> Iterator[Hit]:
    """All terms have an order: a number is less than each constant, string and function, so `unknown >= 18` is true."""
    for statement in source.statements:
        for scope in statement.scopes:
            bound = source.bound(scope, source.values)
            for comparison in scope.comparisons:
                left = comparison.term
                for guard in comparison.guards:
                    pair, left = (left, guard.term), guard.term
                    if guard.comparison in _EQUAL:
                        continue
                    sets = [source.of_term(one, bound) or set() for one in pair]
                    name = next((one for each in sets for one in sorted(each) if one.isidentifier()), None)
                    others = [each for each in sets if name not in each] or sets
                    number = next((one for one in sorted(others[0]) if is_number(one)), None)
                    if number is None or name is None or not all(any(map(is_number, each)) for each in sets if each):
                        continue
                    words = f"`{name}` is one of the values, and no number: in the order of terms each number is less, "
                    yield Hit(statement, pair[0], f"{words}so that `{name} > {number}` is true", until=pair[1])
                    break


@check("LP054", "xor-for-power", "warning")
def powers(source: Source) -> Iterator[Hit]:
    """`^` is the exclusive or of the bits of two numbers: `3^2` is 1."""
    for statement in source.statements:
        for node in nodes(statement.node):
            xor = node.ast_type is ASTType.BinaryOperation and node.operator_type == ast.BinaryOperator.XOr
            if xor and str(node.right) in ("2", "3") and names_in([node.left]):
                text = statement.text.of(node.left)
                words = f"`^` is the exclusive or of the bits, as in 3^2 = 1; a power is `{text}**{node.right}`"
                yield Hit(statement, node, words)


@check("LP055", "pool-of-arguments", "warning")
def pools(source: Source) -> Iterator[Hit]:
    """`;` in an argument list separates whole lists: `road(a,b;c)` is `road(a,b)` and `road(c)`."""
    seen = set[str]()
    for statement in source.statements:
        for node in nodes(statement.node):
            if node.ast_type is not ASTType.SymbolicAtom or node.symbol.ast_type is not ASTType.Pool:
                continue
            several = [one for one in node.symbol.arguments if one.ast_type is ASTType.Function]
            lengths = [len(one.arguments) for one in several]
            if len(set(lengths)) < 2 or several[0].name in seen:
                continue
            seen.add(several[0].name)
            first, others = several[0], several[1:]
            *before, last = map(str, first.arguments or [first])
            is_last = lengths[0] > 1 and all(length == 1 for length in lengths[1:])
            inner = "; ".join([last, *(str(one.arguments[0]) for one in others)]) if is_last else ""
            atom = f"{first.name}({','.join([*before, f'({inner})'])})" if is_last else None
            lists = listed(list(dict.fromkeys(f"{one.name}/{len(one.arguments)}" for one in several)))
            words = f"`;` separates whole lists of arguments, so these are atoms of {lists}"
            yield Hit(statement, node.symbol, words, atom)
