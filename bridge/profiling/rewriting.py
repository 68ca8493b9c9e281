"""Other ways to write a statement that are known to be cheaper, as changes of the author's text.

Each is only proposed here; `bridge.profiling.remedies` tries it. The notions are those of guides to encodings (Gebser
et al., Challenges in Answer Set Solving, 2011), of lpopt (Bichler, Morak, Woltran, 2016) for splitting long bodies, and
of ngo (Potassco).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, count, permutations
from operator import itemgetter

from clingo import ast
from clingo.ast import AST, ASTType

from bridge.asp.reading import (
    COMPARISONS,
    Change,
    Signature,
    Text,
    atoms,
    is_atom,
    is_constraint,
    names_in,
    nodes,
    signature_of,
)
from bridge.comparison import NEGATED, VARIABLE

#: Bodies with more literals are not looked at, and so are more pairs of variables.
LITERALS = 20

#: Ways to split a body that are proposed: those with the fewest common variables.
SPLITS = 6

_EQUAL, _NOT_EQUAL = ast.ComparisonOperator.Equal, ast.ComparisonOperator.NotEqual
#: Comparisons by which two values differ, whichever comes first.
_APART = (_NOT_EQUAL, ast.ComparisonOperator.LessThan, ast.ComparisonOperator.GreaterThan)
#: Operators that bind less than `+`.
_LOOSE = (ast.BinaryOperator.And, ast.BinaryOperator.Or, ast.BinaryOperator.XOr)


@dataclass(frozen=True, slots=True)
class Proposal:
    """Another way to write something."""

    kind: str  #: `drop`, `anonymous`, `domain`, `order`, `count`, `merge`, `sum` or `split`.
    sentence: str  #: What it does, and why that helps.
    changes: tuple[Change, ...]  #: The bytes that are replaced, the last ones first.

    @property
    def depends(self) -> bool:
        """Whether it is right only beside other rules, which a proof has to find."""
        return self.kind in ("drop", "merge")

    def applied(self, text: Text) -> str:
        """The whole text with it."""
        data = text.data
        for change in self.changes:
            data = data[: change.begin] + change.by.encode() + data[change.end :]
        return data.decode()


@dataclass(frozen=True, eq=False)
class Body:
    """A literal of a body, with what is asked about it."""

    node: AST
    text: str

    @cached_property
    def names(self) -> frozenset[str]:
        """Its variables."""
        return frozenset(names_in([self.node]))

    @cached_property
    def signature(self) -> Signature | None:
        """The predicate of an atom without `not`."""
        found = next(atoms(self.node), None) if is_atom(self.node) else None
        return None if found is None else signature_of(found)

    @cached_property
    def arguments(self) -> list[AST]:
        """Those of its atom."""
        (found,) = atoms(self.node)
        symbol = found.symbol
        while symbol.ast_type is ASTType.UnaryOperation:
            symbol = symbol.argument
        return list(symbol.arguments)

    @cached_property
    def compared(self) -> tuple[AST, int, AST] | None:
        """Left, operator and right of a comparison of two terms that have a value each."""
        node = self.node
        if node.ast_type is not ASTType.Literal or node.atom.ast_type is not ASTType.Comparison:
            return None
        guards = node.atom.guards
        if node.sign != ast.Sign.NoSign or len(guards) != 1 or _has_many(node):
            return None
        return node.atom.term, guards[0].comparison, guards[0].term

    @cached_property
    def interval(self) -> tuple[str, frozenset[str]] | None:
        """The variable of `X = 1..N`, and those of the ends."""
        node = self.node
        if node.ast_type is not ASTType.Literal or node.atom.ast_type is not ASTType.Comparison or node.sign:
            return None
        left, (guard, *more) = node.atom.term, node.atom.guards
        equal = not more and guard.comparison == ast.ComparisonOperator.Equal
        if not equal or left.ast_type is not ASTType.Variable or guard.term.ast_type is not ASTType.Interval:
            return None
        return left.name, frozenset(names_in([guard.term]))

    @property
    def simple_equation(self) -> tuple[str, str] | None:
        """The variables of `X = Y`."""
        left, operator, right = self.compared or (self.node, None, self.node)
        if operator != _EQUAL or not (left.ast_type is right.ast_type is ASTType.Variable):
            return None
        return None if left.name == right.name or "_" in (left.name, right.name) else (left.name, right.name)

    @cached_property
    def variables(self) -> list[AST]:
        """The variables of an atom without `not` that are its arguments, or those of functions and tuples in it."""
        return [] if self.signature is None else [one for argument in self.arguments for one in _matched(argument)]

    @property
    def is_simple(self) -> bool:
        """Whether it is an atom or a comparison, with or without `not`."""
        simple = (ASTType.SymbolicAtom, ASTType.Comparison)
        return self.node.ast_type is ASTType.Literal and self.node.atom.ast_type in simple

    @cached_property
    def total(self) -> tuple[str, str] | None:
        """Variable and aggregate of `S = #sum { ... }`."""
        if self.node.ast_type is not ASTType.Literal or self.node.sign != ast.Sign.NoSign:
            return None
        found = _TOTAL.fullmatch(self.text) if self.node.atom.ast_type is ASTType.BodyAggregate else None
        return None if found is None else (found[1], found[2])

    def binds(self) -> set[str]:
        """The names of its `variables`."""
        return {one.name for one in self.variables} - {"_"}


class Rewriter:
    """Proposes other ways to write the statements of a text; in `others`, too, names are not new, and are used."""

    def __init__(self, text: Text, others: Sequence[Text] = ()) -> None:
        self.text = text
        self._used = {word for one in (text, *others) for word in one.words}
        self._all = [(one, statement) for one in (text, *others) for statement in one.statements]

    def of(self, statement: AST) -> Iterator[Proposal]:
        """The proposals for a statement, the simplest first."""
        if statement.ast_type is not ASTType.Rule:
            return
        body = _body(self.text, statement)
        yield Proposal("drop", "another rule says it, too", self._replaced(statement, []))
        if not body or len(body) > LITERALS:
            return
        if (other := self._plainer(statement, body)) is not None:
            yield from self._instead(statement, other)
            return
        yield from self._anonymous(statement, body)
        yield from self._domains(statement, body)
        if is_constraint(statement):
            yield from self._ordered(body)
            yield from self._counted(statement, body)
            yield from self._merged(statement, body)
            yield from self._summed(statement, body)
            yield from self._totals(statement, body)
        yield from self._split(statement, body)

    # Texts

    def _of(self, node: AST) -> str:
        return _line(self.text.of(node))

    def _replaced(self, statement: AST, by: Sequence[str]) -> tuple[Change, ...]:
        begin, end = self.text.span(statement)
        return (Change("rewriting", begin, end, "\n".join(by)),)

    def _rule(self, statement: AST, body: Sequence[str]) -> str:
        """The statement with another body."""
        head = "" if is_constraint(statement) else self._head(statement)
        return f"{head} :- {_joined(body)}.".lstrip() if body else f"{head}."

    def _with_only(self, literal: Body, used: Sequence[AST]) -> str:
        """An atom with `_` for its other arguments."""
        shown = (self._of(one) if one in used else "_" for one in literal.arguments)
        assert literal.signature is not None
        return f"{literal.signature[0]}({','.join(shown)})" if literal.arguments else literal.text

    def _head(self, statement: AST) -> str:
        begin, _ = self.text.span(statement)
        first = min(self.text.span(one)[0] for one in statement.body)
        return _line(self.text.data[begin:first].decode()).removesuffix(":-").strip()

    def _new(self, name: str) -> str:
        """A predicate that there is not."""
        return _fresh(name, self._used)

    def _instead(self, statement: AST, text: str, before: str = "") -> Iterator[Proposal]:
        """The proposals for a rule that says the same as a statement; `before` are rules that it needs."""
        other = Text(text)
        inner = Rewriter(other, [self.text, Text(before)])
        for proposal in inner.of(other.statements[0]):
            by = [*filter(None, [before]), proposal.applied(other).strip()]
            yield Proposal(proposal.kind, proposal.sentence, self._replaced(statement, by))

    def _plainer(self, statement: AST, body: Sequence[Body]) -> str | None:
        """The statement without comparison in its head, and without variables that are equal to others; None: as it is.

        `X = Y :- p(X), p(Y)` is `:- p(X), p(Y), X != Y`, and `:- p(X,Y), q(Z), X = Z` is `:- p(X,Y), q(X)`.
        """
        texts = [one.text for one in body]
        head = statement.head
        compares = is_constraint(statement) and head.atom.ast_type is ASTType.Comparison
        if compares:
            if head.sign != ast.Sign.NoSign or len(head.atom.guards) != 1 or _has_many(head):
                return None
            guard = head.atom.guards[0]
            left, right = self._of(head.atom.term), self._of(guard.term)
            texts.append(f"{left} {_OPPOSITE[guard.comparison]} {right}")
        kept = set() if is_constraint(statement) else names_in([head])
        equations = ((at, one.simple_equation) for at, one in enumerate(body))
        for at, (one, other) in ((at, pair) for at, pair in equations if pair is not None and pair[1] not in kept):
            return self._rule(statement, [_renamed(text, {other: one}) for text in (*texts[:at], *texts[at + 1 :])])
        return self._rule(statement, texts) if compares else None

    # Variables that are used once

    def _anonymous(self, statement: AST, body: Sequence[Body]) -> Iterator[Proposal]:
        """`p(X,Y)` becomes `p(X,_)` where Y stands nowhere else: gringo then projects."""
        number = Counter(node.name for node in nodes(statement) if node.ast_type is ASTType.Variable)
        once = [one for literal in body for one in literal.variables if one.name != "_" and number[one.name] == 1]
        if once:
            names = ", ".join(one.name for one in once)
            changes = tuple(Change("rewriting", *self.text.span(one), "_") for one in reversed(once))
            yield Proposal("anonymous", f"{names}: used once, so any value will do: one instance is enough", changes)

    # Pairs

    def _swaps(self, body: Sequence[Body]) -> Iterator[tuple[Body, Body, dict[str, str]]]:
        """Two atoms of one predicate, and the exchange of variables that turns one into the other."""
        atoms_ = [one for one in body if one.signature is not None]
        for one, other in combinations(atoms_, 2):
            if one.signature != other.signature or not one.arguments:
                continue
            swap: dict[str, str] = {}
            pairs = zip(one.arguments, other.arguments, strict=True)
            if all(_exchanged(a, b, swap) for a, b in pairs) and any(name != to for name, to in swap.items()):
                yield one, other, swap

    def _ordered(self, body: Sequence[Body]) -> Iterator[Proposal]:
        """`X != Y` becomes `X < Y` where nothing else tells X and Y apart."""
        for _, _, swap in self._swaps(body):
            plain, swapped = ([_normal(one.node, by) for one in body] for by in ({}, swap))
            unlike = [one for one, text in zip(body, swapped, strict=True) if text not in plain]
            pairs = [{name, to} for name, to in swap.items() if name != to]
            if len(unlike) > 1 or not all(one.signature and any(pair <= one.names for pair in pairs) for one in unlike):
                continue
            where = f", where {unlike[0].text} holds both ways" if unlike else ""
            differing = [one for one in body if one.compared is not None and one.compared[1] == _NOT_EQUAL]
            for one in differing:
                assert one.compared is not None
                left, _, right = one.compared
                if _normal(left, swap) != _normal(right, {}):
                    continue
                between = self.text.span(left)[1], self.text.span(right)[0]
                if (at := self.text.data.find(b"!=", *between)) >= 0:
                    sentence = f"each pair once, not twice{where}"
                    yield Proposal("order", sentence, (Change("rewriting", at, at + 2, "<"),))
            if not differing and unlike and not any(one.compared for one in body):
                pair = next(f"{name} < {to}" for name, to in swap.items() if name != to)
                end = self.text.span(body[-1].node)[1]
                yield Proposal("order", f"each pair once{where}", (_appended(body[-1].node, end, pair),))

    def _counted(self, statement: AST, body: Sequence[Body]) -> Iterator[Proposal]:
        """A constraint on pairs becomes one on a number: a ground rule for each key, and not for each pair."""
        for one, other, swap in self._swaps(body):
            rest = [literal for literal in body if literal is not one and literal is not other]
            more, rest = self._beside(one, rest, swap)
            apart = [literal for literal in rest if self._distinguishes(literal, swap)]
            if len(apart) != 1 or apart[0].compared is None:
                continue
            fixed = {name for name, to in swap.items() if name == to}
            keys: list[list[str]] = [[]]  # alternatives
            outside: list[str] = []
            for literal in rest:
                if literal is apart[0]:
                    continue
                if literal.names <= fixed and literal.is_simple:
                    outside.append(literal.text)
                elif (found := self._key(literal, swap)) is None:
                    break
                else:
                    keys = [[*some, key] for some in keys for key in found]
            else:
                left, _, right = apart[0].compared
                counted = left if names_in([left]) <= _names([one, *more]) else right
                is_tuple = counted.ast_type is ASTType.Function and not counted.name
                terms = list(counted.arguments) if is_tuple else [counted]
                shown = ",".join(self._of(term) for term in terms)
                rules = [rule for some in keys for rule in self._count([one, *more], shown, some, fixed, outside)]
                sentence = "one rule for each key, and not for each pair"
                yield Proposal("count", sentence, self._replaced(statement, rules))
                return

    def _beside(self, one: Body, rest: Sequence[Body], swap: dict[str, str]) -> tuple[list[Body], list[Body]]:
        """Atoms that each of a pair has for itself, those of the first one; and the other literals."""
        found, left = list[Body](), list(rest)
        for first, second in permutations([each for each in rest if each.signature is not None], 2):
            if first not in left or second not in left or first.signature != second.signature:
                continue
            more = dict(swap)
            same = all(_exchanged(a, b, more) for a, b in zip(first.arguments, second.arguments, strict=True))
            mine = {name for name in one.names if swap.get(name) != name}
            if same and first.names & mine and not second.names & mine:
                swap.update(more)
                found.append(first)
                left = [each for each in left if each not in (first, second)]
        return found, left

    def _merged(self, statement: AST, body: Sequence[Body]) -> Iterator[Proposal]:
        """`p(K,X), q(Y,K), X != Y` becomes a number of both, where other rules exclude two of each."""
        tests = [one for one in body if one.compared is not None and one.compared[1] == _NOT_EQUAL]
        pair = [one for one in body if one.signature is not None and len(one.names) > 1]
        if len(tests) != 1 or len(pair) != 2 or any(self._swaps(body)):  # those are counted
            return
        assert tests[0].compared is not None
        left, _, right = tests[0].compared
        terms = [left, right] if names_in([left]) <= pair[0].names else [right, left]
        shared = pair[0].names & pair[1].names
        others = [one for one in body if one not in (*pair, *tests)]
        if not shared or not all(names_in([term]) <= one.names for term, one in zip(terms, pair, strict=True)):
            return
        if not all(one.names <= shared and one.is_simple for one in others):
            return
        key = f"{self._new('key')}({','.join(sorted(shared))})"
        rules, elements = [], []
        for term, one in zip(terms, pair, strict=True):
            once = dict.fromkeys(one.names - shared, "_")
            rules.append(f"{key} :- {_renamed(one.text, once)}.")
            elements.append(f"{self._of(term)} : {one.text}")
        count = f"#count {{ {'; '.join(elements)} }} > 1"
        rules.append(self._rule(statement, [*(one.text for one in others), key, count]))
        yield Proposal("merge", "a number of both, and not each pair", self._replaced(statement, rules))

    def _distinguishes(self, literal: Body, swap: Mapping[str, str]) -> bool:
        """Whether it says that the two atoms of a pair differ: `X < Y` or `X != Y`."""
        if literal.compared is None:
            return False
        left, operator, right = literal.compared
        return operator in _APART and _normal(left, swap) == _normal(right, {})

    def _key(self, literal: Body, swap: Mapping[str, str]) -> list[str] | None:
        """What has to be the same in both atoms: terms, one of which is enough."""
        if literal.compared is None or literal.compared[1] != _EQUAL:
            return None
        left, _, right = literal.compared
        if _normal(left, swap) == _normal(right, {}):
            return [self._of(left)]
        found = [[self._of(term) for term in pair] for one in (left, right) if (pair := _difference(one)) is not None]
        if len(found) < 2 or any(swap.get(one) != other for one, other in found):
            return None
        (a, _), (c, d) = found
        c = c if self._together(a, c, swap) else d
        return [f"{a}-{c}", f"{a}+{c}"]

    def _together(self, one: str, other: str, swap: Mapping[str, str]) -> bool:
        """Whether two variables stand in the same atom of the pair; the first atom has the keys of `swap` first."""
        names = list(swap)
        return names.index(one) % 2 == names.index(other) % 2

    def _count(
        self, atoms_: Sequence[Body], counted: str, keys: Sequence[str], fixed: set[str], outside: Sequence[str]
    ) -> Iterator[str]:
        """Rules by which, of atoms that agree in their keys, no two differ in what is counted."""
        variables = dict.fromkeys(variable.name for one in atoms_ for variable in one.variables)
        own, texts = {*variables}.union(*(one.names for one in atoms_)), [one.text for one in atoms_]
        # A key may be written with the variables of the other atom.
        computed, new = [key for key in keys if key not in own], list[str]()
        for _ in computed:
            new.append(_fresh("K", {*own, *new}))
        columns = [*(name for name in variables if name in fixed), *(key for key in keys if key in own), *new]
        body = [*outside]
        if new:
            assert atoms_[0].signature is not None
            predicate = self._new(f"{atoms_[0].signature[0]}_key")
            self._used.add(predicate)
            body.append(f"{predicate}({','.join(columns)})")
            values = [f"{name} = {key}" for name, key in zip(new, computed, strict=True)]
            yield f"{body[-1]} :- {', '.join([*texts, *values])}."
        elif columns:
            body += (_renamed(text, dict.fromkeys(own - {*columns}, "_")) for text in texts)
        inside = ", ".join([*texts, *(f"{key} = {name}" for name, key in zip(new, computed, strict=True))])
        yield f":- {_joined([*body, f'#count {{ {counted} : {inside} }} > 1'])}."

    # Sums

    def _summands(self, term: AST, sign: int) -> list[tuple[int, str]]:
        """What is added up in a term, each with its sign."""
        operator = term.operator_type if term.ast_type is ASTType.BinaryOperation else None
        if operator in (ast.BinaryOperator.Plus, ast.BinaryOperator.Minus):
            other = sign if operator == ast.BinaryOperator.Plus else -sign
            return [*self._summands(term.left, sign), *self._summands(term.right, other)]
        return [(sign, f"({self._of(term)})" if operator in _LOOSE else self._of(term))]

    def _summed(self, statement: AST, body: Sequence[Body]) -> Iterator[Proposal]:
        """`a(W), b(X), c(Y), d(Z), W+X+Y+Z != n` becomes two sums, each of two."""
        for one in body:
            if one.compared is None:
                continue
            left, operator, right = one.compared
            summands = [*self._summands(left, 1), *self._summands(right, -1)]
            fixed = [(sign, text) for sign, text in summands if not VARIABLE.search(text)]
            moving = [each for each in summands if each not in fixed]
            groups = self._groups([each for each in body if each is not one], [text for _, text in moving])
            if len(groups) < 2 or len(groups) == len(body) - 1 == 2:
                continue
            rules, outer, names = list[str](), list[str](), _names(body)
            terms: list[tuple[int, str]] = []
            for inside in _halves(groups):
                own = _names(inside)
                summed = [(sign, text) for sign, text in moving if {*VARIABLE.findall(text)} & own]
                turned = all(sign < 0 for sign, _ in summed)
                value = _sum([(-sign if turned else sign, text) for sign, text in summed])
                variable = _fresh("V", names)
                names |= {variable}
                name = self._new(f"{_predicates(inside)[:36]}_sum")
                self._used.add(name)
                outer.append(f"{name}({variable})")
                rules.append(f"{outer[-1]} :- {_joined([*(each.text for each in inside), f'{variable} = {value}'])}.")
                terms.append((-1 if turned else 1, variable))
            constant = _sum((-sign, text) for sign, text in fixed)
            test = f"{_sum(terms)} {COMPARISONS[ast.ComparisonOperator(operator)]} {constant}"
            rules.append(self._rule(statement, [*outer, test]))
            for rule in rules:
                self._used.discard(rule.split("(")[0])
            yield Proposal("sum", "sums of a part each, joined by their values", self._replaced(statement, rules))

    def _groups(self, body: Sequence[Body], terms: Sequence[str]) -> list[list[Body]]:
        """The literals in groups without common variables, the terms included; none where an atom is no plain one."""
        if not all(one.is_simple for one in body) or any(not one.names for one in body):
            return []
        sets = [set(one.names) for one in body] + [{*VARIABLE.findall(term)} for term in terms]
        merged: list[set[str]] = []
        for names in sets:
            for other in [one for one in merged if one & names]:
                merged.remove(other)
                names = names | other
            merged.append(names)
        found = [[one for one in body if one.names <= names] for names in merged]
        bound = all(names <= _bound(group) for names, group in zip(merged, found, strict=True))
        return sorted((one for one in found if one), key=lambda one: body.index(one[0])) if bound else []

    def _totals(self, statement: AST, body: Sequence[Body]) -> Iterator[Proposal]:
        """`S = #sum { ... I ... }`, `T = #sum { ... J ... }`, `S != T` becomes a number of the values for all keys.

        Different values have different keys: that these differ need not be said.
        """
        given = [(one, *one.total) for one in body if one.total is not None]
        if len(given) != 2:
            return
        name = self._new(f"{_first_word(given[0][2])}_total")
        totals, values = [one for one, _, _ in given], {variable for _, variable, _ in given}
        others, used = _names(one for one in body if one not in totals) - values, [*totals]
        atoms_, rules = list[str](), list[str]()
        for one, variable, _ in given:
            keys = sorted(one.names & others)
            domain = [other for other in body if other.signature is not None and other.names <= {*keys}]
            tests = [other for other in body if other.compared is not None and other.names == {variable}]
            if not {*keys} <= _bound(domain):
                return
            used += [*domain, *tests]
            atoms_.append(f"{name}({','.join([*keys, variable])})")
            rules.append(f"{atoms_[-1]} :- {', '.join(other.text for other in (*domain, one, *tests))}.")
        if _renumbered(rules[0]) == _renumbered(rules[1]):
            left = [one.text for one in body if one not in used and (not one.compared or one.names & values)]
            plain = self._rule(statement, [*atoms_, *left])
            yield from (one for one in self._instead(statement, plain, rules[0]) if one.kind == "count")

    def _domains(self, statement: AST, body: Sequence[Body]) -> Iterator[Proposal]:
        """Domains for what a statement derives, and for what it uses."""
        used = {one.signature for one in body} - {None}
        for text, rule in self._all:
            if text is self.text and (rule is statement or any(_defines(rule, one) for one in used if one)):
                yield from self._domain(rule, _body(text, rule))

    @cached_property
    def _exclusions(self) -> Sequence[tuple[Text, Sequence[Body], Body]]:
        """The text and the body of each constraint in which one literal is negated, or compares; and this literal."""
        found = []
        for text, rule in self._all:
            if rule.ast_type is ASTType.Rule and is_constraint(rule):
                body = _body(text, rule)
                some = [one for one in body if is_atom(one.node, ast.Sign.Negation) or one.compared is not None]
                found += [(text, body, some[0])] if len(some) == 1 else []
        return found

    def _domain(self, statement: AST, body: Sequence[Body]) -> Iterator[Proposal]:
        """With `:- p(X), not q(X)`, a rule for `p(t)` needs `q(t)`; what is left out stays excluded."""
        if is_constraint(statement) or not is_atom(statement.head) or not body or _has_many(statement.head):
            return
        head = Body(statement.head, "")
        for text, literals, negative in self._exclusions if head.arguments else ():
            positive = [one for one in literals if one.signature == head.signature]
            if len(positive) != 1:
                continue
            names = [one.name if one.ast_type is ASTType.Variable else "" for one in positive[0].arguments]
            named = [one for one in names if one not in ("", "_")]
            if "" in names or len({*named}) < len(named) or not negative.names <= {*named}:
                continue
            values = [self._of(each) for each in head.arguments]
            compared = negative.compared
            terms = negative.arguments if compared is None else [compared[0], compared[2]]
            if not all(one.ast_type is ASTType.Variable for one in terms):
                values = [one if re.fullmatch(r"[\w']+", one) else f"({one})" for one in values]
            by, texts = dict(zip(names, values, strict=True)), [one.text for one in body]
            excluded = _renamed(negative.text, by)
            wanted = excluded.removeprefix("not ").strip()
            if compared is not None:
                left, right = (_renamed(_line(text.of(one)), by) for one in terms)
                wanted = f"{left} {_OPPOSITE[ast.ComparisonOperator(compared[1])]} {right}"
            if wanted not in texts:
                rules = [self._rule(statement, [*texts, wanted]), f":- {_joined([*texts, excluded])}."]
                sentence = f"`{wanted}` is required anyway: nothing else is derived from what has it not"
                yield Proposal("domain", sentence, self._replaced(statement, rules))

    # Long bodies

    def _split(self, statement: AST, body: Sequence[Body]) -> Iterator[Proposal]:
        """The literals with a variable that the head has not go to a predicate of their own, which projects it away."""
        head = frozenset() if is_constraint(statement) else frozenset(names_in([statement.head]))
        seen = set[frozenset[int]]()
        found: list[tuple[int, Proposal]] = []
        for names in _projected(body, head) if len(body) > 2 else ():
            inside = [one for one in body if one.names & names]
            bound = _bound(inside)
            # Tests of what is bound inside.
            inside = [one for one in body if one in inside or (one.compared and one.names and one.names <= bound)]
            outside = [one for one in body if one not in inside]
            key = frozenset(map(body.index, inside))
            if key in seen or not outside or len(inside) < 2 or not any(one.signature for one in inside):
                continue
            seen.add(key)
            if (rule := self._rule_of(inside, outside)) is None:
                continue
            texts, variables, outside = rule
            shared = sorted(variables & head.union(*(one.names for one in outside)))
            if len(shared) >= len(variables):
                continue
            name = self._new(_predicates(inside)[:40])
            atom = f"{name}({','.join(shared)})" if shared else name
            rules = [f"{atom} :- {_joined(texts)}.", self._rule(statement, [atom, *(one.text for one in outside)])]
            without = ", ".join(sorted(variables - {*shared}))
            sentence = f"{atom}, a predicate of its own, is joined once, without {without}"
            found.append((len(shared), Proposal("split", sentence, self._replaced(statement, rules))))
        yield from (one for _, one in sorted(found, key=itemgetter(0))[:SPLITS])

    def _rule_of(
        self, inside: list[Body], outside: list[Body]
    ) -> tuple[list[str], frozenset[str], list[Body]] | None:
        """The body of a rule with some literals of another one, its variables, and what is left of the other.

        Atoms that bind what is not bound inside stand in both rules. None where that is all of them.
        """
        texts, variables, bound = [one.text for one in inside], _names(inside), _bound(inside)
        if variables <= bound:
            return texts, variables, outside
        guards = [one for one in outside if one.binds() & (variables - bound)]
        bound |= _bound(guards)
        tests = [one for one in outside if one.compared and one.names <= bound]
        variables |= _names(tests)
        for one in guards:  # no more of them than is asked for
            used = [each for each in one.arguments if names_in([each]) & variables]
            texts.append(self._with_only(one, used))
            variables = variables.union(names_in(used))
        left = [one for one in outside if one not in tests]
        return None if not variables <= bound or len(guards) == len(left) else (
            [*texts, *(one.text for one in tests)], variables, left
        )  # fmt: skip


#: Strings, and the elements of aggregates.
_INSIDE = re.compile(r'"(?:[^"\\]|\\.)*"|\{[^{}]*\}')
_TOTAL = re.compile(r"(_*[A-Z][\w']*)\s*=\s*(#(?:sum|count|min|max)\+?\s*\{.*\})", re.DOTALL)
_OPPOSITE = {operator: NEGATED[text] for operator, text in COMPARISONS.items()}


def _body(text: Text, statement: AST) -> list[Body]:
    return [Body(one, _line(text.of(one))) for one in statement.body]


def _names(body: Iterable[Body]) -> frozenset[str]:
    return frozenset[str]().union(*(one.names for one in body))


def _bound(body: Iterable[Body]) -> frozenset[str]:
    """The variables that the atoms of a body bind, and its intervals with them."""
    body = list(body)
    bound = frozenset[str]().union(*(one.binds() for one in body))
    intervals = [one.interval for one in body if one.interval is not None]
    for _ in intervals:  # the ends of one may be the variable of another
        bound |= {name for name, ends in intervals if ends <= bound}
    return bound


def _projected(body: Sequence[Body], head: frozenset[str]) -> Iterator[frozenset[str]]:
    """Variables that may be projected away: one or two, and those that an atom has alone."""
    free = sorted(_names(body) - head - _names(one for one in body if not one.is_simple))
    every = [one for one in body if one.signature is not None]
    alone = [(one.names & {*free}) - _names(other for other in every if other is not one) for one in every]
    pairs = (frozenset(names) for number in (1, 2) for names in combinations(free, number))
    yield from dict.fromkeys([*pairs, *filter(None, alone)])


def _fresh(name: str, used: Container[str]) -> str:
    """A name that is not used: it, or it with a number from 2."""
    numbered = (name if number == 1 else f"{name}{number}" for number in count(1))
    return next(one for one in numbered if one not in used)


def _matched(term: AST) -> Iterator[AST]:
    """The variables of a term, those in functions and tuples included."""
    if term.ast_type is ASTType.Variable:
        yield term
    elif term.ast_type is ASTType.Function:
        for one in term.arguments:
            yield from _matched(one)


def _has_many(tree: AST) -> bool:
    """Whether a term in it may have several values, or none: a comparison and its opposite may both hold then."""
    many = (ASTType.Interval, ASTType.Pool)
    return any(one.ast_type in many or (one.ast_type is ASTType.Function and one.external) for one in nodes(tree))


def _exchanged(one: AST, other: AST, swap: dict[str, str]) -> bool:
    """Whether an exchange of variables turns a term into another one; those that it needs are added to `swap`."""
    if one.ast_type is ASTType.Variable and other.ast_type is ASTType.Variable:
        if one.name == "_" or other.name == "_":
            return bool(one.name == other.name)
        to, back = swap.setdefault(one.name, other.name), swap.setdefault(other.name, one.name)
        return bool(to == other.name and back == one.name)
    if one.ast_type is ASTType.Function and other.ast_type is ASTType.Function and one.arguments:
        same = bool(one.name == other.name and len(one.arguments) == len(other.arguments))
        pairs = zip(one.arguments, other.arguments, strict=True) if same else ()
        return same and all(_exchanged(a, b, swap) for a, b in pairs)
    return str(one) == str(other) and all(swap.setdefault(name, name) == name for name in names_in([one]))


def _halves(groups: Sequence[list[Body]]) -> tuple[list[Body], list[Body]]:
    """Two parts with about as many literals."""
    parts: tuple[list[Body], list[Body]] = [], []
    for group in sorted(groups, key=len, reverse=True):
        min(parts, key=len).extend(group)
    return parts


def _predicates(body: Iterable[Body]) -> str:
    """The names of its predicates, for one that joins them."""
    return "_".join(dict.fromkeys(one.signature[0] for one in body if one.signature))


def _sum(summands: Iterable[tuple[int, str]]) -> str:
    """The sum of terms with signs."""
    ordered = sorted(summands, key=lambda one: one[0] < 0)
    return "".join(f"{'+' if sign > 0 else '-'}{text}" for sign, text in ordered).removeprefix("+") or "0"


def _joined(body: Sequence[str]) -> str:
    """The literals of a body; a comma after a condition would be one of the condition."""
    conditional = any(":" in _INSIDE.sub("", text) for text in body)
    return ("; " if conditional else ", ").join(body)


def _appended(last: AST, end: int, literal: str) -> Change:
    """A literal after the last one of a body."""
    mark = ";" if last.ast_type is ASTType.ConditionalLiteral else ","
    return Change("rewriting", end, end, f"{mark} {literal}")


def _renumbered(text: str) -> str:
    """A text with its variables named in their order, so that the same text with other names is the same."""
    names = dict.fromkeys(VARIABLE.findall(text))
    return _renamed(text, {name: f"V{number}_" for number, name in enumerate(names)})


def _first_word(text: str) -> str:
    """The first predicate in an aggregate."""
    found = re.search(r":\s*(?:not\s+)?-?([a-z_][\w']*)", text)
    return "some" if found is None else found[1]


def _line(text: str) -> str:
    return " ".join(text.split())


def _defines(statement: AST, signature: Signature) -> bool:
    """Whether it is a rule with an atom of a predicate as its head."""
    return statement.ast_type is ASTType.Rule and Body(statement.head, "").signature == signature


def _difference(term: AST) -> tuple[AST, AST] | None:
    """The terms of `|X-Y|`."""
    if term.ast_type is not ASTType.UnaryOperation or term.operator_type != ast.UnaryOperator.Absolute:
        return None
    inner = term.argument
    if inner.ast_type is not ASTType.BinaryOperation or inner.operator_type != ast.BinaryOperator.Minus:
        return None
    return inner.left, inner.right


def _normal(node: AST, swap: Mapping[str, str]) -> str:
    """A literal or a term with variables exchanged, so that those with the same meaning are the same text."""
    kind = node.ast_type
    if kind is ASTType.Variable:
        return swap.get(node.name, str(node.name))
    if kind is ASTType.UnaryOperation and (found := _difference(node)) is not None:
        return f"|{'-'.join(sorted(_normal(one, swap) for one in found))}|"
    if kind is ASTType.BinaryOperation:
        parts = [_normal(one, swap) for one in (node.left, node.right)]
        if node.operator_type in (ast.BinaryOperator.Plus, ast.BinaryOperator.Multiplication):
            parts.sort()
        return f"({node.operator_type}{' '.join(parts)})"
    if kind is ASTType.Function:
        return f"{node.name}({','.join(_normal(one, swap) for one in node.arguments)})"
    if kind is ASTType.Comparison and len(node.guards) == 1:
        parts = [_normal(one, swap) for one in (node.term, node.guards[0].term)]
        operator = node.guards[0].comparison
        if operator in (_EQUAL, _NOT_EQUAL):
            parts.sort()
        return f"{parts[0]} {operator} {parts[1]}"
    if kind is ASTType.Literal:
        return f"{node.sign} {_normal(node.atom, swap)}"
    if kind is ASTType.SymbolicAtom:
        return _normal(node.symbol, swap)
    return _renamed(str(node), swap)


def _renamed(text: str, by: Mapping[str, str]) -> str:
    """A text with other terms in the place of variables."""
    return VARIABLE.sub(lambda found: by.get(found[0], found[0]), text)
