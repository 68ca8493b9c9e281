"""Which statements of a clingo program take part in its wrong answers, and in none of the right ones?

The program is ground once, with statements beside it that say which rule derives which atom, and which constraint
forbids what (`instrumented`); some of its answers, and answers that it lacks, are looked at (`Seen`). From these each
statement has a suspicion (`suspicions`): an atom that is too many leads to the rules that derive it, one that is
missing to the rules that could, an answer that is missing to the constraints that it clashes with; and what these need
is suspected less, the further away it stands. The measure of a rule is that of Ochiai (A. Ochiai, 1957; R. Abreu et
al., *On the accuracy of spectrum-based fault localization*, 2007).
"""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import clingo
from clingo.ast import AST, ASTType

from bridge.asp.reading import (
    Named,
    Signature,
    Text,
    alternatives,
    arguments_of,
    body_signatures,
    function_of,
    head_atoms,
    head_signatures,
    is_atom,
    is_choice,
    is_constraint,
    signature_of,
)

#: Names beside the program: which rule derives an atom, which constraint forbids something, and which is left out.
BY, VIOLATED, OFF = "__by", "__violated", "__off"

#: How much less is suspected what a suspected statement needs; a choice than a rule; and a constraint by an answer that
#: is too many than by one that it forbids.
_BELOW, _CHOSEN, _WEAK = 0.7, 0.5, 0.7

#: How much less a rule counts with each step from the atom that it helps to derive.
_NEAR = 0.95

#: Atoms of an answer, and answers, that are looked at.
LOOKED_AT = 20

_BASE = ("", "#program base.")


class Seen(NamedTuple):
    """An answer that is wrong, missing or right, beside the right one (or the program's own) that is nearest to it."""

    surplus: tuple[str, ...]  #: Atoms that are too many, and that are missing.
    missing: tuple[str, ...]
    #: For the number of a statement, how many atoms that are too many it helps to derive, each counted less the further
    #: away it is; and how many right ones.
    derived: Mapping[int, tuple[float, int]]
    wrong: bool
    clash: tuple[int, ...] | None = None  #: Of an answer that is missing, the constraints that forbid it.


def instrumented(text: Text, others: Text) -> str:
    """A program that says which of its statements, and of other texts that belong to it, derives what.

    A constraint that is off forbids nothing.
    """
    more, data = ["#program base."], text.data
    for number, (one, (part, _)) in reversed([*enumerate(zip(text.statements, text.keys, strict=True))]):
        if one.ast_type is not ASTType.Rule or part not in _BASE:
            continue
        if is_constraint(one):
            begin, end = text.span(one)
            lines = data[begin:end].count(b"\n")
            data = data[:begin] + b"\n" * lines + data[end:]
            more.append(f"{VIOLATED}({number}) :- {'; '.join(map(str, one.body))}.")
            more.append(f"{{ {OFF}({number}) }}. :- {VIOLATED}({number}), not {OFF}({number}).")
        else:
            more += _by(number, one)
    for number, (one, (part, _)) in enumerate(zip(others.statements, others.keys, strict=True), len(text.statements)):
        if one.ast_type is ASTType.Rule and part in _BASE:
            more += _by(number, one)
    return "\n".join([data.decode(), *more])


def _by(number: int, rule: AST) -> Iterator[str]:
    """Rules that say that a rule derives each atom of its head, from which atoms."""
    named = Named("__V")
    body = [named.visit(one) if is_atom(one) else one for one in rule.body]
    needed = "".join(f"{_pair(one)}," for one in body if is_atom(one) and function_of(one.atom) is not None)
    several = alternatives(rule.head)
    for literal, conditions in several or [(rule.head, ())]:
        if is_atom(literal):
            needs = [str(literal)] * bool(several) + [*map(str, conditions), *map(str, body)]
            yield f"{BY}({number},{_pair(literal)},({needed})){' :- ' if needs else ''}{'; '.join(needs)}."


def _pair(literal: AST) -> str:
    """An atom as a term: whether it is one without a classical negation, and the atom."""
    symbol = literal.atom.symbol
    negative = symbol.ast_type is ASTType.UnaryOperation
    return f"({int(not negative)},{symbol.argument if negative else symbol})"


def paired(atom: clingo.Symbol) -> clingo.Symbol:
    """The same of a symbol."""
    plain = atom if atom.positive else clingo.Function(atom.name, atom.arguments)
    return clingo.Function("", [clingo.Number(int(atom.positive)), plain])


#: For an atom, as a pair, the numbers of rules that derive it, each with the atoms that it needs.
Graph = Mapping[clingo.Symbol, Sequence[tuple[int, Sequence[clingo.Symbol]]]]


def helping(
    graph: Graph, wrong: Sequence[clingo.Symbol], right: Sequence[clingo.Symbol]
) -> dict[int, tuple[float, int]]:
    """For the number of each rule, how many wrong and how many right atoms it helps to derive (as in `Seen`)."""
    bad, good = Counter[int](), Counter[int]()
    weights = dict[int, float]()
    for atoms, found in (wrong[:LOOKED_AT], bad), (right[:LOOKED_AT], good):
        for atom in atoms:
            for number, depth in _depths(graph, atom).items():
                found[number] += 1
                if found is bad:
                    weights[number] = weights.get(number, 0.0) + _NEAR**depth
    return {number: (weights.get(number, 0.0), good[number]) for number in {*bad, *good}}


def _depths(graph: Graph, atom: clingo.Symbol) -> dict[int, int]:
    """The rules by which an atom is derived, and the atoms that these need, and so on, each with its depth."""
    depths: dict[int, int] = {}
    seen, level, depth = {atom}, [atom], 0
    while level:
        below = []
        for one in level:
            for number, needs in graph.get(one, ()):
                depths.setdefault(number, depth)
                below += [need for need in needs if need not in seen]
                seen.update(needs)
        level, depth = below, depth + 1
    return depths


def suspicions(
    statements: Sequence[AST], answers: Sequence[Seen], optimal: bool = False
) -> dict[int, tuple[float, str]]:
    """For the number of each statement that answers lead to, how far it is suspected, from 0 to 1, and why.

    Where only answers of least cost count (`optimal`), what costs are made of is suspected, too.
    """
    heads: dict[Signature, list[int]] = {}
    for number, one in enumerate(statements):
        for signature in head_signatures(one):
            heads.setdefault(signature, []).append(number)

    def could(atom: str) -> list[int]:
        symbol = clingo.parse_term(atom)
        return [one for one in heads.get(_signature(symbol), ()) if _could(statements[one], symbol)]

    wrong, right, lacks = dict[int, float](), Counter[int](), Counter[int]()
    surplus = lost = chosen = 0
    for seen in answers:
        for number, (bad, good) in seen.derived.items():
            wrong[number] = wrong.get(number, 0.0) + bad
            right[number] += good
        surplus += min(len(seen.surplus), LOOKED_AT)
        lost += min(len(seen.missing), LOOKED_AT)
        for atoms in seen.surplus[:LOOKED_AT], seen.missing[:LOOKED_AT]:
            several = [could(atom) for atom in atoms]
            chosen += sum(any(is_choice(statements[one]) for one in rules) for rules in several)
            lacks.update(one for rules in several for one in rules if atoms is not seen.surplus)
    found: dict[int, tuple[float, str]] = {}

    def suspect(number: int, weight: float, words: str) -> None:
        if weight > found.get(number, (0.0, ""))[0]:
            found[number] = weight, words

    for number in {*wrong, *lacks}:
        share = _CHOSEN if is_choice(statements[number]) else 1.0
        bad = wrong.get(number, 0.0)
        suspect(number, share * _ochiai(bad, surplus, right[number]), "this derives atoms that are not meant")
        suspect(number, share * _ochiai(lacks[number], lost, right[number]), "this could derive atoms that are missing")
    clashes = [seen.clash for seen in answers if seen.clash]
    for number in {number for clash in clashes for number in clash}:
        share = sum(number in clash for clash in clashes) / len(clashes)
        suspect(number, share, "this forbids an answer that is meant")
    if any(seen.wrong and seen.clash is None for seen in answers):
        weak = _WEAK * chosen / (surplus + lost) if surplus + lost else _WEAK
        for number, one in enumerate(statements):
            if one.ast_type is ASTType.Minimize and optimal:
                suspect(number, _WEAK, "an answer has least cost that is not meant")
            elif one.ast_type is ASTType.Rule and is_constraint(one):
                suspect(number, weak, "this does not forbid an answer that is not meant")
    waiting = [(-weight, number) for number, (weight, _) in found.items()]
    heapq.heapify(waiting)
    while waiting:
        weight, number = heapq.heappop(waiting)
        if -weight < found[number][0]:
            continue
        for needed in {one for each in body_signatures(statements[number]) for one in heads.get(each, ())}:
            if -weight * _BELOW > found.get(needed, (0.0, ""))[0]:
                suspect(needed, -weight * _BELOW, "statements that are suspected need this")
                heapq.heappush(waiting, (weight * _BELOW, needed))
    most = max((weight for weight, _ in found.values()), default=1.0)
    return {number: (weight / most, words) for number, (weight, words) in found.items()}


def _ochiai(wrong: float, every: int, right: int) -> float:
    return wrong / math.sqrt(every * (wrong + right)) if wrong else 0.0


def _signature(atom: clingo.Symbol) -> Signature:
    return f"{'' if atom.positive else '-'}{atom.name}", len(atom.arguments)


def _could(statement: AST, atom: clingo.Symbol) -> bool:
    """Whether the head of a rule may be an atom: where a value stands in it, it is the same."""
    for head in head_atoms(statement):
        if signature_of(head) == _signature(atom):
            pairs = zip(arguments_of(head), atom.arguments, strict=True)
            if all(one.ast_type is not ASTType.SymbolicTerm or one.symbol == value for one, value in pairs):
                return True
    return not any(head_atoms(statement))  # a pool
