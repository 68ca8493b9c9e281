"""A proof that two texts of a program have the same answers, on every instance.

The rules that differ are unions of conjunctive queries (`bridge.comparison.queries`), and these are compared by
containment mappings (Chandra and Merlin, Optimal implementation of conjunctive queries in relational data bases, 1977;
Sagiv and Yannakakis, Equivalences among relational expressions with the union and difference operators, 1980): a rule
is superfluous beside another one with the same head whose body can be mapped into its own. A mapping that is found is a
proof; where there is none, nothing is known.

Mappings keep literals as they are, and so prove strong equivalence: what else is in the program does not matter. Only
of constraints the classical meaning is enough, and there a number is replaced by pairs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain, count, permutations
from typing import TypeAlias

from clingo import ast
from clingo.ast import AST, ASTType

from bridge.asp.reading.context import dependencies, head_signatures, signatures
from bridge.asp.reading.outline import Signature
from bridge.asp.reading.text import Text, differing
from bridge.asp.reading.trees import equal, is_atom, is_constraint, nodes
from bridge.comparison.queries import (
    Form,
    Literal,
    NotUnderstood,
    Queries,
    Query,
    QueryTerm,
    added,
    compares,
    form_of,
    without,
)

#: `X != Y` of a query that are split, and steps of the search for mappings; where there are more, nothing is known.
SPLITS, STEPS = 2, 20_000


class Prover:
    """What is known of the rules of a program, for proofs that another text in place of one has the same answers."""

    def __init__(self, before: Text, others: Sequence[Text] = ()) -> None:
        """`before` is the text that another one replaces, and `others` are the other texts of the program."""
        self._before = before
        self._texts = [before, *others]
        self._words = frozenset().union(*(text.words for text in self._texts))
        # The rules of each part: one that need not be ground proves nothing about others.
        self._rules: dict[str, dict[_Head, list[AST]]] = {}
        for text in self._texts:
            for one, (part, _) in zip(text.statements, text.keys, strict=True):
                if one.ast_type is ASTType.Rule:
                    self._rules.setdefault(part, {}).setdefault(_head_of(one), []).append(one)
        self._queries = Queries([])

    def same_on_every_instance(self, after: Text, hidden: Callable[[Signature], bool] = lambda _: True) -> bool:
        """Whether the answers are proved to be the same; False where there is no proof.

        New predicates are no part of an answer, unless they are not `hidden`, and no instance has facts of them.
        """
        if self._before.directives != after.directives:
            return False
        gone, came = differing(self._before, after), differing(after, self._before)
        parts = {part for text, own in ((self._before, gone), (after, came)) for part in text.parts_of(own)}
        if len(parts) > 1 or not all(one.ast_type is ASTType.Rule for one in (*gone, *came)):
            return False
        new = [one for one in came if head_signatures(one) and not self._has(head_signatures(one))]
        came = [one for one in came if one not in new]
        if not _defines(new) or not all(hidden(signature) for one in new for signature in head_signatures(one)):
            return False
        rules = self._rules.get(next(iter(parts), ""), {})
        proof = _Proof(rules, gone, Queries(new, self._queries, [*chain(*rules.values())]))
        try:
            if proof.covered(gone, came) and proof.covered(came, gone):
                return True
            return self._restricted(gone, came, proof)
        except (NotUnderstood, RecursionError):
            return False

    def _has(self, signatures: Iterable[Signature]) -> bool:
        """Whether the program has one of some predicates, or of their names."""
        return any(name.lstrip("-") in self._words for name, _ in signatures)

    def _restricted(self, gone: Sequence[AST], came: Sequence[AST], proof: _Proof) -> bool:
        """Whether a rule only lost what a constraint excludes, and is excluded still.

        `h :- B` became `h :- B, T` and `:- B, not T`, where `:- h, B, not T` follows from what is kept: an answer with
        B has h, and so T. T has to be a comparison, or an atom that does not depend on h, and has values where h and B
        have some: with a constant X neither `X+1 > 1` nor its opposite holds.
        """
        rules, excluding = [one for one in came if not is_constraint(one)], [one for one in came if is_constraint(one)]
        if len(gone) != 1 or len(rules) != 1 or not is_atom(gone[0].head) or str(rules[0].head) != str(gone[0].head):
            return False
        rule, before, now = rules[0], Counter(map(str, gone[0].body)), Counter(map(str, rules[0].body))
        tests = [one for one in rule.body if str(one) in now - before]
        if before - now or len(tests) != 1 or tests[0].ast_type is not ASTType.Literal:
            return False
        (test,) = tests
        if test.sign != ast.Sign.NoSign or test.atom.ast_type not in (ASTType.Comparison, ASTType.SymbolicAtom):
            return False
        if not self._independent(test, rule):
            return False
        false = ast.Literal(rule.location, ast.Sign.NoSign, ast.BooleanConstant(0))
        opposite = test.update(sign=ast.Sign.Negation)
        left_out = ast.Rule(rule.location, false, [*gone[0].body, opposite])
        derived = ast.Rule(rule.location, false, [rule.head, *gone[0].body])
        forbidden = derived.update(body=[*derived.body, opposite])
        defined = derived.update(body=[*derived.body, *(equal(one, one) for one in _terms_of(test.atom))])
        return (
            proof.covered([left_out], excluding, kept=False)
            and proof.covered(excluding, [left_out], kept=False)
            and proof.covered([forbidden], [])
            and proof.covered([derived], [defined], kept=False)
        )

    def _independent(self, test: AST, rule: AST) -> bool:
        """Whether what a literal holds by does not depend on the head of a rule."""
        statements = [one for text in self._texts for one in text.statements]
        # What is included is not known, and theories relate their atoms.
        if any(text.directives for text in self._texts) or any(map(_has_theory, statements)):
            return not signatures(test)
        depends = dependencies(statements)
        return not any(head_signatures(rule) & {one, *depends(one)} for one in signatures(test))


def same_programs(one: Sequence[Text], other: Sequence[Text], hidden: Callable[[Signature], bool]) -> bool:
    """Whether two programs are proved to have the same answers on every instance.

    They may differ in one text each. Predicates of only one of them have to be `hidden`: no part of an answer.
    """
    own = [text for text in one if text.data not in [each.data for each in other]]
    others = [text for text in other if text.data not in [each.data for each in one]]
    if not own and not others:
        return True
    if len(own) != 1 or len(others) != 1:
        return False
    beside = [text for text in one if text is not own[0]]
    return any(Prover(a, beside).same_on_every_instance(b, hidden) for a, b in permutations((own[0], others[0])))


def _defines(rules: Sequence[AST]) -> bool:
    """Whether rules for new predicates only name what holds: they exclude nothing, and leave nothing open."""
    depends = dependencies(rules)
    heads = {signature for one in rules for signature in head_signatures(one)}
    # Of `a` and `-a` only one holds, and what depends on itself may hold or not.
    return all(is_atom(one.head) and len(head_signatures(one)) == 1 for one in rules) and not any(
        one[0].startswith("-") or one in depends(one) for one in heads
    )


def _terms_of(atom: AST) -> list[AST]:
    """The terms of a comparison or of an atom."""
    if atom.ast_type is ASTType.Comparison:
        return [atom.term, *(guard.term for guard in atom.guards)]
    return [one for node in nodes(atom.symbol) if node.ast_type is ASTType.Function for one in node.arguments]


def _has_theory(statement: AST) -> bool:
    return any(one.ast_type is ASTType.TheoryAtom for one in nodes(statement))


#: Whether a rule is a constraint, and the predicates of its head.
_Head: TypeAlias = tuple[bool, frozenset[Signature]]


def _head_of(rule: AST) -> _Head:
    return is_constraint(rule), frozenset(head_signatures(rule))


class _Proof:
    """Rules that are superfluous beside others, and beside those of the program that are kept."""

    def __init__(self, rules: Mapping[_Head, Sequence[AST]], gone: Sequence[AST], queries: Queries) -> None:
        self._rules, self._gone, self._queries = rules, {id(one) for one in gone}, queries
        self._steps = count()

    def covered(self, rules: Iterable[AST], by: Sequence[AST], kept: bool = True) -> bool:
        """Whether every case of some rules is superfluous beside other rules with the same head."""
        for rule in rules:
            head = _head_of(rule)
            beside = [one for one in by if _head_of(one) == head]
            if kept:
                beside += [one for one in self._rules.get(head, ()) if id(one) not in self._gone]
            others = list(self._cases(beside))
            if not all(_superfluous(case, others, SPLITS, self._steps) for case in self._queries.of(rule)):
                return False
        return True

    def _cases(self, rules: Iterable[AST]) -> Iterator[Query]:
        for one in rules:
            try:
                yield from self._queries.of(one)
            except NotUnderstood:  # it may help, and need not
                continue


def _superfluous(case: Query, others: Sequence[Query], splits: int, steps: Iterator[int]) -> bool:
    """Whether another query maps into this one, or into both of its cases where `X != Y` is `X < Y` or `X > Y`."""
    known = _Known(case)
    if any(maps(other, case, known, steps) for other in others):
        return True
    for at, (operator, form) in enumerate(case.forms if splits else ()):
        if operator == "!=":
            sides = [("<", form), ("<", added((Fraction(-1), form)))]
            cases = [replace(case, forms=[*case.forms[:at], side, *case.forms[at + 1 :]]) for side in sides]
            if all(_superfluous(one, others, splits - 1, steps) for one in cases):
                return True
    return False


class _Known:
    """What follows from the comparisons of a query."""

    def __init__(self, query: Query) -> None:
        self._equations: list[tuple[QueryTerm, Form]] = []
        equations = [form for operator, form in query.forms if operator == "="]
        for form in equations:
            left = self._reduced(form)
            if left[1]:
                pivot = min(left[1], key=repr)
                self._equations = [(one, without(other, pivot, left)) for one, other in self._equations]
                self._equations.append((pivot, left))
        self._compared = [(one, _scaled(self._reduced(form))) for one, form in query.forms]
        self.defined = query.defined
        self.integers = {*query.integers}
        for _ in equations:  # what is equal to a sum of integers is one
            for _, factors in equations:
                unknown = [one for one in factors if not one.terms and one not in self.integers]
                if len(unknown) == 1:
                    self.integers.add(unknown[0])

    def _reduced(self, form: Form) -> Form:
        for pivot, equation in self._equations:
            form = without(form, pivot, equation)
        return form

    def equal(self, one: QueryTerm, other: QueryTerm) -> bool:
        if one == other or "function" in (one.kind, other.kind):
            return one == other
        number, factors = self._reduced(added((Fraction(1), form_of(one)), (Fraction(-1), form_of(other))))
        return not number and not factors

    def holds(self, operator: str, form: Form) -> bool:
        """Whether a comparison with 0 holds."""
        number, factors = _scaled(self._reduced(form))
        if not factors:
            return compares(operator, number)
        if operator == "!=":
            either = (number, factors), added((Fraction(-1), (number, factors)))
            return any(known in ("<", "!=") and own in either for known, own in self._compared)
        return operator != "=" and any(
            known != "!="
            and parts == factors
            and (number < own or (number == own and (known == "<" or operator == "<=")))
            for known, (own, parts) in self._compared
        )


def _scaled(form: Form) -> Form:
    """A linear form with 1 or -1 as its first factor."""
    if not form[1]:
        return form
    return added((1 / abs(form[1][min(form[1], key=repr)]), form))


def maps(one: Query, other: Query, known: _Known, steps: Iterator[int]) -> bool:
    """Whether a mapping of the variables of a query makes its literals follow from those of another one."""
    relations = {relation for relation, _ in other.atoms}
    if len(one.head) != len(other.head) or not all(relation in relations for relation, _ in one.atoms):
        return False

    def matched(terms: Iterable[QueryTerm], to: Iterable[QueryTerm],
                by: Mapping[QueryTerm, QueryTerm]) -> Mapping[QueryTerm, QueryTerm] | None:
        """The mapping with more variables, by which terms are others."""
        for term, target in zip(terms, to, strict=True):
            if term.kind == "variable" and term not in by:
                by = {**by, term: target}
            elif term.kind == "function":
                if term.name != target.name or len(term.terms) != len(target.terms):
                    return None
                found = matched(term.terms, target.terms, by)
                if found is None:
                    return None
                by = found
            elif not known.equal(by.get(term, term), target):
                return None
        return by

    def follows(by: Mapping[QueryTerm, QueryTerm]) -> bool:
        """Whether the comparisons follow."""
        if not all(
            by.get(term, term) in known.integers or by.get(term, term).kind == "number" for term in one.integers
        ):
            return False
        if not all(term.substituted(by) in known.defined for term in one.defined):
            return False
        for operator, (number, factors) in one.forms:
            parts = ((factor, form_of(term.substituted(by))) for term, factor in factors.items())
            if not known.holds(operator, added((Fraction(1), (number, {})), *parts)):
                return False
        return True

    def search(left: Sequence[Literal], by: Mapping[QueryTerm, QueryTerm]) -> bool:
        if next(steps) > STEPS:
            raise NotUnderstood
        if not left:
            return follows(by)
        ways = []
        for relation, terms in left:
            targets = (to for name, to in other.atoms if name == relation)
            ways.append([found for to in targets if (found := matched(terms, to, by)) is not None])
        at = min(range(len(left)), key=lambda number: len(ways[number]))
        return any(search([*left[:at], *left[at + 1 :]], way) for way in ways[at])

    begin = matched(one.head, other.head, {})
    return begin is not None and search(one.atoms, begin)
