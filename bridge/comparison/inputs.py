"""What an encoding without facts takes from its instances."""

from __future__ import annotations

from bridge.asp.context import Context
from bridge.asp.outline import Signature
from bridge.asp.text import texts_of
from bridge.problem.asp import AspProblem


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
