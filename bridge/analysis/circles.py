"""Circular support: an atom that only rules could derive which need the atom itself.

Of the ground program, all that can be derived is derived when no literal under `not` is in the way. An atom that is not
among it is in no answer set, and each of its rules needs another such atom.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from bridge.asp.decode import compound
from bridge.asp.ground_rules import GroundRules
from bridge.problem.asp import AspProblem
from bridge.problem.asp_oracle import signature


def circle(rules: GroundRules, wanted: str, given: set[tuple[str, int]]) -> list[str]:
    """An atom, one that it needs, one that this needs, and so on, until one comes again: it is the last.

    Each needs the next in all its rules. Empty where there is no such way. Atoms of the predicates in `given` are taken
    to be known.
    """
    name = {number: compound(*atom) for number, atom in rules.atoms}
    start = next((number for number, atom in name.items() if atom == wanted), None)
    if start is None:
        return []
    known = {number for number, atom in name.items() if signature(atom) in given}
    making: dict[int, list[tuple[int, dict[int, int]]]] = {}
    for _, heads, body in rules.rules:
        _add(making, heads, len(body), [(literal, 1) for literal in body])
    for _, heads, bound, weighted in rules.sums:
        _add(making, heads, bound, weighted)
    grows = True
    while grows:
        new = {
            head
            for head, bodies in making.items()
            if head not in known and any(_reach(body, known) >= bound for bound, body in bodies)
        }
        known |= new
        grows = bool(new)
    found: list[int] = []
    at = start
    while at not in found:
        found.append(at)
        if at in known or at not in making:
            return []
        needs = [{*_needed(bound, body, known)} for bound, body in making[at]]
        both = sorted(set.intersection(*needs))
        if not both:
            return []
        at = next((one for one in both if one in found), both[0])
    return [name[one] for one in [*found, at] if one in name] if at in name else []


def _add(
    making: dict[int, list[tuple[int, dict[int, int]]]],
    heads: Sequence[int],
    bound: int,
    body: Iterable[tuple[int, int]],
) -> None:
    """Note what makes some heads true: the bound that the weights of the positive literals have to reach."""
    positive: dict[int, int] = {}
    for literal, weight in body:
        if literal < 0 or weight < 0:
            bound -= max(weight, 0)
        else:
            positive[literal] = positive.get(literal, 0) + weight
    for head in heads:
        making.setdefault(head, []).append((bound, positive))


def _reach(body: dict[int, int], known: set[int]) -> int:
    return sum(weight for atom, weight in body.items() if atom in known)


def _needed(bound: int, body: dict[int, int], known: set[int]) -> Iterator[int]:
    """The atoms of a body that are not known, without each of which it cannot hold."""
    most = sum(body.values())
    return (atom for atom, weight in body.items() if atom not in known and most - weight < bound)


def sentence(problem: AspProblem, atoms: list[str]) -> str:
    """Such a circle in words, each step with its line where one statement alone can be meant."""
    parts = []
    for atom, needed in pairwise(atoms):
        of = signature(needed)
        rules = [one for one in problem.outline.statements if signature(atom) in one.heads and of in one.body]
        if len(rules) > 1:
            rules = [one for one in rules if of in one.positive]
        parts.append(f"needs {needed}{f' ({problem.where(rules[0].place)})' if len(rules) == 1 else ''}")
    return f"its support is circular: {atoms[0]} {', which '.join(parts)}"
