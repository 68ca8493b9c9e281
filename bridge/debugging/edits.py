"""Small changes of a clingo program, as people get programs wrong, and as they put them right.

    >>> program = Text(":- queen(R, C), queen(R, C'), C < C'.")
    >>> [change.kind for change in simple(program.statements[0], program)]
    ['rule', 'literal', 'literal', 'literal', 'operator']

`simple` are the changes of which `bridge.debugging.mutants` makes mutants. `changes` are all that `bridge.debugging`
tries in order to put a wrong program right; each has a cost, by which the more likely ones come first. The operators
are those of the literature: mutation of answer set programs (Oetsch et al., On the Small-Scope Hypothesis for Testing
Answer-Set Programs, KR 2012), and repair of students' programs (Brancas, Manquinho, Martins, arXiv 2410.20962).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, islice, pairwise, permutations, product

from clingo import ast
from clingo.ast import AST, ASTType

from bridge.asp.reading import (
    Change,
    Column,
    Context,
    Signature,
    Span,
    Text,
    arguments_of,
    atoms,
    function_of,
    head_atoms,
    is_atom,
    is_constraint,
    key,
    nodes,
    signature_of,
    variables,
)
from bridge.common import regex
from bridge.debugging.operators import MORE, Editing, alike, fresh, numbers_near

_CONTRARY = {"=": "!=", "!=": "="}
_NEIGHBOURS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", **_CONTRARY}
#: Literals that are added to a rule, at most, for each sort of them.
_ADDED = 60
#: A change that is made in a copy of a part costs so much at most.
_SMALL = 1.4
_AGGREGATES = (ASTType.Aggregate, ASTType.BodyAggregate, ASTType.HeadAggregate)
#: Literals and heads with variables of their own.
_WITH_LOCAL = (*_AGGREGATES, ASTType.ConditionalLiteral)


def simple(statement: AST, text: Text) -> Iterator[Change]:
    """A statement left out; a literal or a `not` dropped; a comparison or a bound that is off by one."""
    return _Changes(statement, text, Context()).simple()


def changes(statement: AST, text: Text, context: Context) -> Iterator[Change]:
    """All changes of a statement, in no particular order."""
    return _Changes(statement, text, context).all()


#: A line that may be the last of a statement, and the next one, which may begin another.
_TWO_LINES = regex(rb"(?<=[\w)}\]])[^\S\n]*(?:%[^\n]*)?\n(?=\s*(?:[a-z{:#]|\d+\s*\{))")


class _Changes(Editing):
    """The changes of one statement."""

    language = "lp"
    comparisons = (("=", "!=", "<", ">", "<=", ">="),)
    neighbours, contrary = _NEIGHBOURS, _CONTRARY
    signs = ("+", "-", "*")

    def __init__(self, statement: AST, text: Text, context: Context) -> None:
        self.statement, self.text, self.context = statement, text, context
        self.heads = {key(atom.symbol) for atom in head_atoms(statement)}
        self.columns: dict[str, list[Column]] = {}  # the columns in which each variable stands
        for atom in atoms(statement):
            for position, argument in enumerate(arguments_of(atom)):
                for variable in variables(argument):
                    self.columns.setdefault(variable.name, []).append((*signature_of(atom), position))
        for variable in variables(statement):
            self.columns.setdefault(variable.name, [])
        standing = Counter(one.name for one in variables(statement))
        self.alone = [name for name, times in standing.items() if times == 1]
        terms = (text.of(node) for node in nodes(statement) if node.ast_type is ASTType.SymbolicTerm)
        self.bounds = [*context.constants, *sorted({"0", "1", *filter(str.isdecimal, terms)})]

    def all(self) -> Iterator[Change]:
        """All changes."""
        kind = self.statement.ast_type
        yield from self._dots()
        if kind is ASTType.Rule:
            yield from self.simple()
            yield from self.of_rule()
        elif kind is ASTType.Minimize:
            yield from self._dropped()
            yield from self.of_minimize()
        elif kind is ASTType.Definition:
            yield from self._off_by_one(self.statement.value)

    def simple(self) -> Iterator[Change]:
        """Those of which mutants are made."""
        yield self.change("rule: left out", *self.text.span(self.statement), "")
        yield from self._dropped()
        for node in nodes(self.statement):
            kind = node.ast_type
            if kind is ASTType.Literal:
                at, until = self.text.span(node)
                if (negated := re.match(rb"not\b\s*", self.text.data[at:until])) is not None:
                    yield self.change("negation: left out", at, at + negated.end(), "")
                if node.atom.ast_type is ASTType.Comparison:
                    yield from self._operators(node.atom, near=True)
            elif kind in _AGGREGATES:
                for guard in (node.left_guard, node.right_guard):
                    if guard is not None:
                        yield from self._off_by_one(guard.term)
            elif kind is ASTType.Interval:
                yield from self._off_by_one(node.right)

    def _dropped(self) -> Iterator[Change]:
        """Literals of the body, and of conditions, left out one by one."""
        whole = self.statement.ast_type is ASTType.Rule and not is_constraint(self.statement)
        parts = [(self.statement.head if whole else None, self.statement.body)]
        conditional = (one for one in nodes(self.statement) if one.ast_type is ASTType.ConditionalLiteral)
        parts += [(one.literal, one.condition) for one in conditional]
        for before, literals in parts:
            spans = [self.text.span(literal) for literal in literals]
            if all(one[1] <= other[0] for one, other in pairwise(spans)):
                yield from self.each_dropped("literal: left out", spans)
            if len(spans) == 1 and before is not None:
                yield self.change("literal: the only one left out", self.text.span(before)[1], spans[0][1], "")

    def _operators(self, comparison: AST, near: bool) -> Iterator[Change]:
        left = comparison.term
        for guard in comparison.guards:
            begin, end = self.text.span(left)[1], self.text.span(guard.term)[0]
            if (operator := re.compile(rb"[<>!=]=?").search(self.text.data, begin, end)) is not None:
                yield from self.compared(operator.span(), near)
            left = guard.term

    def _off_by_one(self, term: AST) -> Iterator[Change]:
        now = self.text.of(term)
        plain = now if re.fullmatch(r"\w+'*|\(.*\)", now) else f"({now})"
        others = numbers_near(now) if now.isdecimal() else (f"{plain}+1", f"{plain}-1")
        return self._instead("bound: one more or less", term, *others)

    def _dots(self) -> Iterator[Change]:
        """A dot at the end of a line: without it clingo takes what follows for a part of the statement.

        As in `{ in(X) : node(X) }` above a line `next(X,Y) :- edge(X,Y).`: a bound.
        """
        for found in _TWO_LINES.finditer(self.text.data, *self.text.span(self.statement)):
            yield self.change("dot: added", found.start(), found.start(), ".")

    def of_rule(self) -> Iterator[Change]:
        inner = list(self._inner())
        yield from inner
        yield from self._together(inner)
        yield from self._apart()
        yield from self._longer()
        yield from self._for_all()
        yield from self._literals_added()
        yield from self._heads_changed()
        yield from self._again(inner)

    def of_minimize(self) -> Iterator[Change]:
        yield from self._inner()
        until = self.text.span(self.statement)[1]
        if self.statement.body and self.text.data[until - 1 : until] not in (b".", b"]"):  # not `:~ ... . [...]`
            for operator, literal, more in self._new_literals(list(self.columns)):
                yield self.change(operator, until, until, f", {literal}", more)
        weight = self.statement.weight
        end, now = self.text.span(weight)[1], self.text.of(weight)
        other = now[1:] if now.startswith("-") else f"-{now}"
        yield from self._instead("term: a weight of the other sign", weight, other)
        yield from self._instead("term: another weight", weight, *self.columns, "1")
        if (priority := re.compile(rb"@\s*(\d+)").match(self.text.data, end)) is not None:
            yield from self.instead("term: the next priority", priority.span(1), *numbers_near(priority[1].decode()))
        # Tuples are a set: what has the same weight and terms counts once.
        terms = {self.text.of(one): one for one in self.statement.terms}
        if terms:
            at = self.text.span(self.statement.terms[-1])[1]
            missing: list[tuple[str, ...]] = [(name,) for name in self.columns if name not in terms]
        else:
            # The weight alone, before the colon of `#minimize` or the bracket of a weak constraint.
            behind = re.compile(rb"\s*(?:@\s*[-\w]+)?(?=\s*[:\]])").match(self.text.data, end)
            if behind is None:
                return
            at = behind.end()
            missing = [*((name,) for name in self.columns), tuple(self.columns)]
        for names in missing:
            yield self.change("aggregate: a longer tuple", at, at, "".join(f", {name}" for name in names))

    # Texts in place of others

    def of(self, span: Span) -> str:
        return self.text.data[slice(*span)].decode()

    def _instead(self, operator: str, part: AST, *others: str) -> Iterator[Change]:
        return self.instead(operator, self.text.span(part), *others)

    def _inner(self) -> Iterator[Change]:
        """Changes of literals, atoms, terms and aggregates where they stand."""
        bodies = {key(literal) for literal in self._plain_literals()}
        for node in nodes(self.statement):
            kind = node.ast_type
            if kind is ASTType.Literal:
                if key(node) in bodies and is_atom(node):
                    at = self.text.span(node)[0]
                    yield self.change("negation: added", at, at, "not ")
                if node.atom.ast_type is ASTType.Comparison:
                    yield from self._operators(node.atom, near=False)
                    for term in (node.atom.term, *(guard.term for guard in node.atom.guards)):
                        yield from self._term(term, None)
            elif kind is ASTType.SymbolicAtom and function_of(node) is not None:
                yield from self._atom(node)
            elif kind in _AGGREGATES:
                yield from self._guards(node)
                if kind is not ASTType.Aggregate:
                    yield from self._tuples(node)
            elif kind is ASTType.Interval:
                for end in (node.left, node.right):
                    yield from self._instead("bound: another end", end, *self.bounds)

    def _together(self, some: Iterable[Change]) -> Iterator[Change]:
        """The same change in several places: a slip that is made once is made again, `X/2` and `Y/2` for `(X-1)/2`."""
        together: dict[tuple[str, ...], dict[Span, Change]] = {}
        for one in some:
            if one.begin < one.end and one.kind in ("term", "predicate", "bound", "operator"):
                now = self.of((one.begin, one.end))
                step = one.by.strip("()")
                if step.startswith((f"{now}+", f"{now}-")):  # of any term before the same operator
                    after = self.of((one.end, self.text.span(self.statement)[1]))[:2]
                    same: tuple[str, ...] = (step.removeprefix(now), after)
                else:
                    same = (one.kind, now, one.by)
                together.setdefault(same, {}).setdefault((one.begin, one.end), one)
        for places in together.values():
            each = [places[span] for span in sorted(places)]
            if 2 <= len(each) <= 4 and all(one.end <= other.begin for one, other in pairwise(each)):
                parts = [(one.begin, one.end, one.by) for one in each]
                cost = each[0].cost + MORE["in several places"]
                yield replace(self.joined(each[0].operator, parts), cost=cost)

    def _longer(self) -> Iterator[Change]:
        """A number that is given for something, added to one side of a comparison: `U < T + N, job(J,N)`."""
        dot = self.text.data.rfind(b".", *self.text.span(self.statement))
        numeric = [one for one in self.context.known if one[1] == 2 and self.context.is_numeric((*one, 1))]
        new = "N" if "N" not in self.columns else fresh(self.columns, "N")
        for node in filter(_is_comparison, self.statement.body if dot >= 0 else ()):
            for side in (node.atom.term, *(guard.term for guard in node.atom.guards)):
                if side.ast_type is not ASTType.Variable:
                    continue
                _, end = self.text.span(side)
                for (name, _), of in product(numeric, self.columns):
                    if of != side.name and self._fits(of, (name, 2, 0)):
                        more = [(end, end, f"+{new}"), (dot, dot, f", {name}({of},{new})")]
                        yield self.joined("guard: a number added to a side", more)

    def _for_all(self) -> Iterator[Change]:
        """`p(X,Y) : d(Y)` in place of `p(X,Y), d(Y)`: for all values, and not for some. `S > T` becomes `S >= T`."""
        body = sorted(self.statement.body, key=self.text.span)
        if self.text.data[slice(*self.text.span(self.statement))].find(b":-") < 1 or not all(map(_is_literal, body)):
            return
        for domain, other in permutations(body, 2):
            rest = [one for one in body if one is not domain and one is not other]
            own = {*_names([domain])} & {*_names([other])} - {*_names([self.statement.head, *rest])}
            plain = is_atom(other) or is_atom(other, ast.Sign.Negation) or _is_comparison(other)
            if not (own and rest and is_atom(domain) and plain):
                continue
            now = self.text.of(other)
            if _is_comparison(other):
                now = re.sub(r"(?<![<>=!])([<>])(?!=)", r"\1=", now)
            new = f"{', '.join(map(self.text.of, rest))}; {now} : {self.text.of(domain)}"
            yield from self.instead("guard: for all", (self.text.span(body[0])[0], self.text.span(body[-1])[1]), new)

    def _apart(self) -> Iterator[Change]:
        """A variable that two atoms share, and not with the others, under a name of its own."""
        new = fresh(self.columns, "V", "W")
        bodies = [list(variables(one)) for one in self.statement.body if _is_literal(one) and any(atoms(one))]
        for name in self.columns:
            places = [[self.text.span(one) for one in body if one.name == name] for body in bodies]
            having = [spans for spans in places if spans]
            for first, second in combinations(having, 2) if 3 <= len(having) <= 5 else ():
                yield self.joined("variable: a new one", [(*span, new) for span in sorted(first + second)])

    def _plain_literals(self) -> Iterator[AST]:
        """The literals of the body, and of conditions."""
        yield from filter(_is_literal, self.statement.body)
        for node in nodes(self.statement):
            if node.ast_type is ASTType.ConditionalLiteral:
                yield from node.condition
                if not any(key(atom.symbol) in self.heads for atom in atoms(node.literal)):
                    yield node.literal

    def _atom(self, atom: AST) -> Iterator[Change]:
        function = function_of(atom)
        assert function is not None
        signature, arguments = signature_of(atom), list(function.arguments)
        for position, argument in enumerate(arguments):
            yield from self._term(argument, (*signature, position))
        spans = [self.text.span(argument) for argument in arguments]
        yield from self.swaps(spans)
        if len(spans) in (4, 6):  # two points, or two of something else
            half = len(spans) // 2
            yield from self.swaps([(some[0][0], some[-1][1]) for some in (spans[:half], spans[half:])])
        yield from self._renamed(atom, function, signature)

    def _renamed(self, atom: AST, function: AST, signature: Signature) -> Iterator[Change]:
        """Another predicate with as many arguments."""
        begin = at = self.text.span(function)[0]
        if atom.symbol.ast_type is ASTType.UnaryOperation:  # clingo has the argument begin with the sign
            at = self.text.data.index(function.name.encode(), begin)
        own, in_head = signature[0].removeprefix("-"), key(atom.symbol) in self.heads
        known = signature in self.context.given or signature in self.context.derived
        heads = {self.text.of(one.symbol) for one in head_atoms(self.statement)}
        arguments_ = self.text.of(function).lstrip("- \n").removeprefix(own)
        for other in self.context.predicates:
            if other[1] != signature[1] or other == signature:
                continue
            if not in_head and f"{other[0]}{arguments_}" in heads:  # it would need itself
                continue
            columns = (((*signature, place), (*other, place)) for place in range(signature[1]))
            near = alike(own, other[0]) or all(self.context.alike(*each) for each in columns)
            if signature[0].startswith("-") or other[0].startswith("-"):
                continue
            more = MORE["in the head"] if in_head else 0.0
            yield from self.named((at, at + len(own.encode())), other[0], known, near, more)
        if known and not in_head:
            yield from self._widths(function, signature)
        if not known and not in_head:
            # A guess at an atom that is written with other arguments elsewhere.
            arguments = [self.text.of(one) for one in function.arguments]
            for name, arity in self.context.known:
                for places in islice(combinations(range(arity), signature[1]), 12) if signature[1] < arity <= 4 else ():
                    filled = atom_text(name, arity, dict(zip(places, arguments, strict=True)))
                    yield from self._instead("predicate: with more arguments", function, filled)

    def _widths(self, function: AST, signature: Signature) -> Iterator[Change]:
        """Another predicate, with one argument less or more: `tour(X, Y)` for `edge(X, Y, _)`."""
        name, width = signature
        arguments = [self.text.of(one) for one in function.arguments]
        for other, arity in self.context.predicates:
            if other == name or other.startswith("-") or abs(arity - width) != 1 or not min(arity, width):
                continue
            for position in range(max(arity, width)):
                if arity < width and arguments[position] != "_":
                    continue
                shorter = [(name, width, at) for at in range(width)], [(other, arity, at) for at in range(arity)]
                del shorter[arity > width][position]
                if all(self.context.alike(one, two) for one, two in zip(*shorter, strict=True)):
                    more = list(arguments)
                    more[position : position + (arity < width)] = [] if arity < width else ["_"]
                    operator = f"predicate: an argument {'less' if arity < width else 'more'}"
                    yield from self._instead(operator, function, f"{other}({','.join(more)})")

    def _term(self, term: AST, column: Column | None) -> Iterator[Change]:
        """Another term in an argument or a comparison."""
        kind, now = term.ast_type, self.text.of(term)
        values = [] if column is None else self.context.alike_values(column)

        def instead(operator: str, *others: str) -> Iterator[Change]:
            return self._instead(operator, term, *others)

        if kind is ASTType.Variable:
            for name, columns in self.columns.items():
                fits = column is None or any(self.context.alike(column, one) for one in columns)
                yield from instead(f"variable: {'another' if fits else 'of another sort'}", name)
            if now != "_":
                if column is not None:
                    yield from instead("variable: anonymous", "_")
                if all(map(self.context.is_numeric, self.columns.get(now, ()))):
                    yield from instead("term: one more or less", f"{now}+1", f"{now}-1")
                if column is None:
                    yield from instead("term: a sum", *(f"{now}+{other}" for other in self.alone if other != now))
                yield from instead("term: a value for a variable", *values[:4])
        elif kind is ASTType.SymbolicTerm or (
            kind is ASTType.Function and not (term.arguments or term.external)
        ):
            yield from instead("term: next number", *(numbers_near(now) if now.isdecimal() else ()))
            yield from instead("term: a known constant", *self.context.constants, *values)
            yield from instead("term: a variable for a constant", *self.columns)
        elif kind is ASTType.Function:
            for argument in term.arguments:
                yield from self._term(argument, None)
            yield from self.swaps([*map(self.text.span, term.arguments)])
        elif kind is ASTType.BinaryOperation:
            yield from self.calculated(*map(self.text.span, (term, term.left, term.right)))
            sign = self.of((self.text.span(term.left)[1], self.text.span(term.right)[0])).strip(" ()")
            for side in (term.left, term.right):
                for change in self._term(side, None):
                    if change.by == "0" and sign in "+-":
                        continue
                    whole = (change.begin, change.end) == self.text.span(side)
                    if whole and sign in "*/\\" and re.search(r"\w[-+]\w", change.by):
                        change = replace(change, by=f"({change.by})")
                    yield change
        elif kind is ASTType.UnaryOperation:
            yield from instead("term: without its sign", self.text.of(term.argument))

    def _guards(self, aggregate: AST) -> Iterator[Change]:
        """Bounds dropped, added, or others."""
        begin, end = self.text.span(aggregate)
        data = self.text.data
        brace, closing = data.find(b"{", begin, end), data.rfind(b"}", begin, end) + 1
        if brace < 0 or closing == 0:
            return
        if (name := re.compile(rb"#\w+\s*\Z").search(data, begin, brace)) is not None:
            brace = name.start()
        before, after = (begin, begin), (closing, closing)
        # clingo takes a single bound for the left one, wherever it stands.
        guards = [guard for guard in (aggregate.left_guard, aggregate.right_guard) if guard is not None]
        for guard in guards:
            value, (at, until) = self.text.of(guard.term), self.text.span(guard.term)
            yield from self._instead("bound: another", guard.term, *self.bounds)
            if at < brace:
                yield self.change("bound: left out", at, brace, "")
                if len(guards) == 1:  # `1 { ... }` in place of `1 { ... } 1`
                    yield self.change("bound: the same on the other side", *after, f" {value}")
                continue
            now = data[closing:at].decode().strip() or "<="
            yield self.change("bound: left out", closing, until, "")
            for operator in ("=", "<=", ">=", "<", ">", "!="):
                if operator != {"==": "="}.get(now, now):
                    sort = f"of a bound{', that it is not' if operator == '!=' else ''}"
                    yield self.change(f"operator: {sort}", closing, until, f" {operator} {value}")
        if not guards and aggregate.ast_type is ASTType.BodyAggregate:
            compared = product(self.bounds, ("<", ">", "=", "!="))
            others = (f" {operator} {value}" for value, operator in compared)
            yield from self.instead("bound: of an aggregate", after, *others)
        if not guards and aggregate.ast_type is ASTType.Aggregate:
            for value in (one for one in self.bounds if one != "0"):
                yield self.change(f"bound: {'one ' if value == '1' else ''}of a choice", *after, f" = {value}")
                yield self.change("bound: of a choice", *after, f" {value}")
                yield self.change("bound: of a choice", *before, f"{value} ")

    def _tuples(self, aggregate: AST) -> Iterator[Change]:
        """Another function, another tuple: what an aggregate counts or adds up."""
        name = re.compile(rb"#(count|sum\+?|min|max)").search(self.text.data, *self.text.span(aggregate))
        if name is not None:
            yield from self.instead("aggregate: another function", name.span(), "#count", "#sum", "#min", "#max")
        for element in aggregate.elements if aggregate.ast_type is ASTType.BodyAggregate else ():
            for term in element.terms:
                yield from self._term(term, None)
            spans = [self.text.span(term) for term in element.terms]
            yield from self.each_dropped("aggregate: a term left out", spans)
            inner = {one.name for literal in element.condition for one in variables(literal)}
            for variable in sorted(inner - set(map(self.text.of, element.terms))) if spans else ():
                yield self.change("aggregate: a term more", spans[-1][1], spans[-1][1], f",{variable}")

    # Literals that are new

    def _literals_added(self) -> Iterator[Change]:
        dot = self.text.data.rfind(b".", *self.text.span(self.statement))
        if dot < 0:
            return
        separator = ", " if self.statement.body else " " if is_constraint(self.statement) else " :- "
        parts = [one for one in (*self.statement.body, self.statement.head) if one.ast_type not in _WITH_LOCAL]
        added = [(dot, separator, _names(parts), _ADDED, 0.0)]
        for node in nodes(self.statement):
            if node.ast_type is ASTType.ConditionalLiteral and (inner := _names([node])):
                at = self.text.span(node)[1]
            elif node.ast_type is ASTType.BodyAggregateElement and node.terms:
                parts = [*node.terms, *node.condition]
                at, inner = self.text.span(parts[-1])[1], _names(parts)
            else:
                continue
            added.append((at, ", " if node.condition else " : ", inner, _ADDED // 2, MORE["inside"]))
        for at, mark, names, most, more in added:
            for operator, literal, cost in self._new_literals(names, most):
                yield self.change(operator, at, at, f"{mark}{literal}", cost + more)

    def _new_literals(self, names: Sequence[str], most: int = _ADDED) -> Iterator[tuple[str, str, float]]:
        """Literals that may be added, each with its operator, and what it costs more than that."""

        def fit(one: Iterable[Column], other: Iterable[Column]) -> bool:
            return any(self.context.alike(a, b) for a, b in product(one, other))

        twins = self._twins()
        for one, other in combinations(names, 2):
            fits = fit(self.columns.get(one, ()), self.columns.get(other, ()))
            texts = f"{one} != {other}", f"{one} < {other}", f"{other} < {one}", f"{one} = {other}"
            for text, less in zip(texts, (0, 1, 2, 4), strict=True):
                which = "twins" if {one, other} in twins and not less else "two" if fits else "two of other sorts"
                yield f"guard: {which} differ", text, less * MORE["less"]
        for node in filter(_is_comparison, self.statement.body):  # once more, of other variables
            if len(own := _names([node])) == 2:
                for pair in permutations(names, 2):
                    if not {*pair} & {*own}:
                        text = _renamed(self.text.of(node), dict(zip(own, pair, strict=True)))
                        yield "guard: a comparison once more", text, 0.0
        present = {re.sub(r"\s", "", self.text.of(literal)) for literal in self._plain_literals()}
        number = 0
        unread = self.context.unread()  # a predicate that no rule reads so far is likely to be what is missing
        for name, arity in sorted(self.context.known, key=lambda one: one not in unread):
            new = (name, arity) in unread
            places = [
                [*(one for one in names if new or self._fits(one, (name, arity, at))), "_"] for at in range(arity)
            ]
            for filled in islice(product(*places), 40):
                atom = f"{name}({','.join(filled)})" if arity else name
                if (arity and {*filled} == {"_"}) or atom in present:
                    continue
                number += 1
                if number > most:
                    return
                more, hole = new * MORE["unread"], filled.count("_") * MORE["hole"]
                yield "guard: an atom", atom, hole + more
                yield "guard: not an atom", f"not {atom}", 2 * hole + more

    def _twins(self) -> list[set[str]]:
        """Each two variables by which alone two atoms of the body differ, and that are not compared."""
        found = list[set[str]]()
        compared = [{*_names([one])} for one in filter(_is_comparison, self.statement.body)]
        atoms = [one.atom.symbol for one in filter(is_atom, self.statement.body)]
        for one, other in combinations((each for each in atoms if each.ast_type is ASTType.Function), 2):
            if (one.name, len(one.arguments)) == (other.name, len(other.arguments)):
                pairs = [{*map(str, pair)} for pair in zip(one.arguments, other.arguments, strict=True)]
                pairs = [pair for number, pair in enumerate(pairs) if len(pair) == 2 and pair not in pairs[:number]]
                found += pairs if len(pairs) == 1 and not any(pairs[0] <= names for names in compared) else []
        return found

    def _fits(self, name: str, column: Column) -> bool:
        """Whether a variable may stand in a column: it has one of the same sort, or none."""
        own = self.columns.get(name)
        return not own or any(self.context.alike(one, column) for one in own)

    # Other heads

    def _heads_changed(self) -> Iterator[Change]:
        head, body = self.statement.head, list(self.statement.body)
        texts = [self.text.of(one) for one in body]
        #: Each atom of the body, and the rest of it.
        moved = [
            (texts[number], texts[:number] + texts[number + 1 :]) for number, one in enumerate(body) if is_atom(one)
        ]

        def rules(operator: str, head: str, *bodies: str) -> Iterator[Change]:
            rule = f"{head} :- {', '.join(bodies)}." if bodies else f"{head}."
            return self._instead(f"choice: {operator}", self.statement, rule)

        if head.ast_type is ASTType.Literal and head.atom.ast_type is ASTType.SymbolicAtom and body:
            atom = self.text.of(head)
            yield from rules("of a derived atom", f"{{ {atom} }}", *texts)
            for literal, rest in moved:
                yield from rules("of a derived atom", f"{{ {atom} : {literal} }} = 1", *rest)
                yield from rules("of a derived atom over a set", f"{{ {atom} : {literal} }}", *rest)
        elif head.ast_type is ASTType.Aggregate and len(head.elements) == 1:
            (element,) = head.elements
            (begin, end), (first, last) = self.text.span(head), self.text.span(element)
            left, right = self.text.data[begin:first].decode(), self.text.data[last:end].decode()
            atom, conditions = self.text.of(element.literal), [self.text.of(one) for one in element.condition]
            for literal, rest in moved:
                chosen = f"{left}{atom} : {', '.join([*conditions, literal])}{right}"
                yield from rules("over another set", chosen, *rest)
            for number, condition in enumerate(conditions):
                others = conditions[:number] + conditions[number + 1 :]
                alone = f"{left}{atom}{' : ' if others else ''}{', '.join(others)}{right}"
                yield from rules("over another set", alone, *texts, condition)

    # Rules that are new

    def _again(self, inner: Sequence[Change]) -> Iterator[Change]:
        """The rule, or a literal of its body, a second time with one change."""
        whole = self.text.span(self.statement)
        plain = (one for one in filter(_is_literal, self.statement.body) if one.atom.ast_type not in _AGGREGATES)
        parts = [(self.text.span(one), ", ", "guard: a literal once more") for one in plain]
        if not is_constraint(self.statement) or whole[1] - whole[0] <= 200:
            parts.insert(0, (whole, " ", "variant: a rule"))
        data = self.text.data
        for (begin, end), mark, operator in parts:
            seen = {" ".join(data[begin:end].decode().split())}
            for change in inner:
                if not (begin <= change.begin and change.end <= end) or change.cost > _SMALL:
                    continue
                if change.kind in ("variable", "swap", "predicate", "term"):
                    other = (data[begin : change.begin] + change.by.encode() + data[change.end : end]).decode()
                    other = " ".join(other.split())
                    if other not in seen:
                        seen.add(other)
                        yield self.change(operator, end, end, f"{mark}{other}", change.cost)


def _is_literal(node: AST) -> bool:
    return node.ast_type is ASTType.Literal


def _is_comparison(node: AST) -> bool:
    return _is_literal(node) and node.atom.ast_type is ASTType.Comparison


def _names(parts: Iterable[AST]) -> list[str]:
    """The names of the variables in some parts, each once."""
    return list(dict.fromkeys(one.name for part in parts for one in variables(part)))


def _renamed(text: str, names: Mapping[str, str]) -> str:
    """A text with other names of variables."""
    return re.sub("|".join(rf"\b{name}\b" for name in names), lambda found: names[found[0]], text)


def atom_text(name: str, arity: int, arguments: Mapping[int, str]) -> str:
    """An atom with some arguments, and any values for the others."""
    return f"{name}({','.join(arguments.get(place, '_') for place in range(arity))})" if arity else name
