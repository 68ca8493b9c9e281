"""What an atom that nothing can derive would need: as lines that people read from top to bottom.

The **support** of an atom is what its rules need. An atom is in no answer set, whatever is chosen, where each of its
rules needs another such atom: one that nothing gives, or one that needs the first again, in a circle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from bridge.asp.trace import INSTANCES, Trace, Why
from bridge.common.english import listed
from bridge.problem.asp_oracle import signature

#: Lines that are shown; and atoms of one that needs another of its predicate again and again, as in a planner.
LINES, STEPS = 7, 2


def support_lines(trace: Trace, wanted: str, placed: Callable[[Why], str]) -> Iterator[str]:
    """Which atoms the rules for an atom need, and these; then what no rule gives, and the circle, if there is one."""
    rules: dict[str, list[Why]] = {}
    for one in trace.support or ():
        rules.setdefault(one.atom, []).append(one)
    shown: set[str] = set()
    waiting, lines, last = [wanted], list[str](), list[str]()
    for atom in waiting:
        if atom in shown or atom not in rules:
            continue
        *run, end = _run(atom, rules)
        if run and run[1] in shown:
            continue  # it is the same chain
        shown.update(run or [end])
        where = placed(rules[atom][0])
        if run:
            steps = ", which needs ".join([*run, end][1 : STEPS + 1])
            lines.append(f"  {atom} needs {steps}, and so on ({where})")
            if {one.place for one in rules.get(end, ())} == {rules[atom][0].place}:
                last.append(f"{where} only passes it on: nothing gives a first one")
            else:
                waiting.append(end)
        else:
            by_rule: dict[str, list[str]] = {}
            for one in rules[atom]:
                by_rule.setdefault(placed(one), []).append(_need(one))
            needs = [f"{_some(some)} ({place})" for place, some in by_rule.items()]
            lines.append(f"  {atom} needs {listed(needs, 'or')}")
            waiting += [needed for one in rules[atom] for needed in one.needed]
    yield from lines[:LINES]
    if len(lines) > LINES:
        yield f"  ... {len(lines) - LINES} more; --json has all"
    if ends := [one for one in trace.ends if one in waiting]:
        last.append(f"nothing gives {listed(ends[:STEPS], 'or')}{' ...' if len(ends) > STEPS else ''}")
    if circle := _circle(wanted, rules):
        by = ("support each other", "them") if len(circle) > 1 else ("supports itself", "it")
        last.append(f"this is a circle: {listed(circle)} {by[0]}, and nothing else gives {by[1]}")
    yield from dict.fromkeys(last)


def _some(words: Sequence[str]) -> str:
    """The first of some words, each once."""
    *first, last = dict.fromkeys(words)
    return listed([*first[:INSTANCES], last if len(first) <= INSTANCES else "another"], "or")


def _need(one: Why) -> str:
    """What a rule lacks."""
    if one.needed:
        return listed(one.needed)
    if one.lacking.startswith("not "):
        return f"{one.lacking}, but {one.lacking.removeprefix('not ')} always holds"
    return one.lacking or "what is in its aggregates or under `not`"


def _run(atom: str, rules: Mapping[str, Sequence[Why]]) -> list[str]:
    """An atom, the one of its predicate that it needs by the one rule for it, what this needs by that rule, and so on.

    The atom alone where there are not several.
    """
    found = [atom]
    while len(known := rules.get(found[-1], ())) == 1 and known[0].place == rules[atom][0].place:
        if len(known[0].needed) != 1 or signature(known[0].needed[0]) != signature(atom):
            break
        if known[0].needed[0] in found:
            return [atom]
        found.append(known[0].needed[0])
    return found if len(found) > STEPS else [atom]


def _circle(wanted: str, rules: Mapping[str, Sequence[Why]]) -> list[str]:
    """The atoms that need an atom which needs them, first those that are nearest to an atom."""
    after = {atom: {needed for one in some for needed in one.needed} for atom, some in rules.items()}

    def reached(atom: str) -> dict[str, None]:
        found: dict[str, None] = {}
        waiting = [atom]
        for one in waiting:
            new = [other for other in sorted(after.get(one, ())) if other not in found]
            found.update(dict.fromkeys(new))
            waiting += new
        return found

    every = {wanted: None, **reached(wanted)}
    first = next((atom for atom in every if atom in reached(atom)), None)
    return [] if first is None else [one for one in every if one in reached(first) and first in reached(one)]
