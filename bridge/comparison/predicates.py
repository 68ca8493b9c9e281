"""By which predicates programs are compared, where neither `#show` nor anybody says it; which ones an instance gives.

An answer consists of what all programs derive, and of the results of each: what it chooses, and what none of its rules
reads but those by which it is derived itself. What is left are helpers of one that the others do not have. Each place
that compares clingo programs asks here, so that their verdicts are about the same answers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from bridge.asp.reading.context import Context
from bridge.asp.reading.outline import Outline, Signature, Statement
from bridge.asp.reading.text import texts_of
from bridge.common.english import listed
from bridge.problem.asp import AspProblem

#: Predicates that are named, at most.
_NAMED = 12


def compared_by(programs: Sequence[Outline]) -> frozenset[Signature]:
    """The predicates by which programs are compared; all of them, where none is a result."""
    heads = [derived(one) for one in programs]
    return frozenset.intersection(*heads).union(*map(results, programs)) or frozenset[Signature]().union(*heads)


def derived(program: Outline) -> frozenset[Signature]:
    """The predicates of which a program has facts or rules, without auxiliary ones (`__...`)."""
    heads = program.given.union(*(one.heads for one in program.statements))
    return frozenset(one for one in heads if not one[0].startswith("__"))


def results(program: Outline) -> frozenset[Signature]:
    """The predicates that a program chooses, or reads only to derive themselves."""
    chosen = {head for one in program.statements if one.kind in ("choice", "disjunction") for head in one.heads}
    heads = derived(program)
    return (heads & chosen) | (heads - _read_by_others(program.statements))


def _read_by_others(rules: Sequence[Statement]) -> set[Signature]:
    """The predicates that constraints read, or rules of predicates on which they do not depend."""
    needs: dict[Signature, set[Signature]] = {}
    for one in rules:
        for head in one.heads:
            needs.setdefault(head, {head}).update(one.body)
    for of in needs.values():  # the predicates that each depends on, itself among them
        while more := {further for one in of for further in needs.get(one, ())} - of:
            of |= more
    return {one for rule in rules for one in rule.body if not any(head in needs.get(one, ()) for head in rule.heads)}


def sentence(by: Iterable[Signature], others: Collection[Signature] = ()) -> str:
    """By which predicates answers are compared, and by which not, in words."""
    not_by = f", not by {listed_predicates(others)}" if others else ""
    return f"answers are compared by {listed_predicates(by) or 'whether there are any'}{not_by}"


def listed_predicates(of: Iterable[Signature]) -> str:
    """Predicates in words: `in/1 and out/2`; of many the first."""
    names = [f"{name}/{arity}" for name, arity in sorted(of)]
    return listed(names if len(names) <= _NAMED else [*names[: _NAMED - 1], f"{len(names) - _NAMED + 1} more"])


def inputs_of(problem: AspProblem) -> set[Signature]:
    """The predicates that a program uses and nothing defines, if it has no facts at all: an instance gives them."""
    outline = problem.outline
    special = outline.externals or outline.scripts or outline.incremental
    if special or outline.facts or any(one.kind == "fact" for one in outline.statements):
        return set()
    texts = texts_of(problem.sources)
    if any(b"#include" in text.data or b"#defined" in text.data for text in texts):
        return set()
    return set(Context.of(*texts).undefined())


def missing_instance(*problems: AspProblem) -> str | None:
    """That these programs have no instance, in words: all use a predicate that nothing gives."""
    shared = set.intersection(*map(inputs_of, problems)) if problems else set()
    if not shared:
        return None
    return f"nothing gives {', '.join(f'{name}/{arity}' for name, arity in sorted(shared))}: an instance is missing"
