"""Changes of a Prolog program that were tried: the same answers, and measured to need fewer inferences.

Tried are `:- table`, another strategy of `labeling/2`, a goal earlier in its clause, and `all_distinct` for
`all_different` and the other way round. Each variant runs the goals to their end, within three quarters of the
inferences that the program needs; the best is taken, and the next is looked for in the program with it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from bridge.analysis import ChangedText, earlier, tabled
from bridge.asp.reading import diff_of
from bridge.debugging.goal_search import Answers, GoalTrials
from bridge.errors import LimitError
from bridge.limits import Deadline, Limits
from bridge.problem import Clause, Goal, PrologProblem, Reader, Source
from bridge.profiling.calls import CallProfile
from bridge.profiling.remedies import ROUNDS, SMALLER, STATEMENTS, Inferences, Remedy

#: Answers of a goal that are compared, at most, and inferences of the program as it is.
ANSWERS, INFERENCES = 2_000, 10**12

#: The least number of inferences that is worth a change.
LITTLE = 1_000

#: Strategies of `labeling/2` that are tried.
_STRATEGIES = {
    "ff": "the variable with the fewest values is labelled first",
    "ffc": "the variable with the fewest values, and then most constraints, is labelled first",
    "bisect": "domains are halved, in place of trying each value",
}

_LABELING = re.compile(r"labeling\(\s*\[\s*\]\s*,\s*")
_DISTINCT = {"all_different": "all_distinct", "all_distinct": "all_different"}


def goal_remedies(problems: Sequence[PrologProblem], profile: CallProfile, deadline: Deadline) -> Iterator[Remedy]:
    """Changes that help, each of the program with those before it.

    It is given with its goal for each instance, the smallest first. What is compared are the answers of all that end,
    and what is measured are their inferences.
    """
    sources = list(problems[0].read(deadline.within(Limits())).sources[:-1])
    suspects = {one.predicate for one in profile.clauses[:STATEMENTS]}
    with (
        GoalTrials([one.query for one in problems], most=ANSWERS, seconds=deadline.remaining()) as trials,
        Reader() as reader,
    ):
        trials.inferences = INFERENCES
        try:
            base = trials.run(_joined(sources), deadline)
        except LimitError:
            return
        used = [goal for goal, found in zip(trials.goals, base, strict=True) if found.end == "all"]
        trials.goals, base = used, [one for one in base if one.end == "all"]
        for _ in range(ROUNDS):
            before = sum(one.inferences for one in base)
            if before < LITTLE:
                return
            trials.inferences = int(SMALLER * max(one.inferences for one in base))
            best: tuple[int, int, ChangedText, list[Answers]] | None = None
            for number, source in enumerate(sources):
                for change in _changes(reader.read(source.name, source.text, path=source.path), suspects):
                    variant = replace(source, text=change.text)
                    try:
                        found = trials.run(_joined([*sources[:number], variant, *sources[number + 1 :]]), deadline)
                    except LimitError:
                        return
                    after = sum(one.inferences for one in found)
                    smaller = after <= SMALLER * before and (best is None or after < best[0])
                    if smaller and _same(base, found, each_once=change.kind == "table"):
                        best = after, number, change, found
                        trials.inferences = min(trials.inferences, max(after, LITTLE))  # others would need more
            if best is None:
                return
            after, number, change, base = best
            source = sources[number]
            yield Remedy(
                source.place(change.clause.start),
                change.kind,
                change.sentence,
                diff_of(source.text, change.text),
                change.text,
                Inferences(before),
                Inferences(after),
                tuple(used),
            )
            sources[number] = replace(source, text=change.text)


def _joined(sources: Sequence[Source]) -> str:
    return "\n".join(one.text for one in sources)


def _same(base: Sequence[Answers], found: Sequence[Answers], each_once: bool) -> bool:
    """Whether goals have the same answers, in any order; with `each_once` however often."""
    return all(
        now.end == "all"
        and (set(now.answers) == set(one.answers) if each_once else sorted(now.answers) == sorted(one.answers))
        for one, now in zip(base, found, strict=True)
    )


def _changes(source: Source, suspects: Collection[str]) -> Iterator[ChangedText]:
    """What may help in the clauses of some predicates, and wherever something is labelled."""
    seen: set[str] = set()
    for clause in source.clauses:
        if clause.kind not in ("clause", "grammar"):
            continue
        if clause.predicate in suspects:
            if clause.predicate not in seen and any(goal.predicate == clause.predicate for goal in clause.goals):
                seen.add(clause.predicate)
                yield tabled(source, clause)
            yield from earlier(source, clause)
        yield from _constraints(source, clause)


def _constraints(source: Source, clause: Clause) -> Iterator[ChangedText]:
    for goal in clause.goals:
        text = source.of(goal)

        def change(kind: str, sentence: str, by: str, goal: Goal = goal) -> ChangedText:
            return ChangedText(kind, sentence, clause, source.text[: goal.start] + by + source.text[goal.end :])

        if (name := text.partition("(")[0].rstrip()) in _DISTINCT:
            other = _DISTINCT[name]
            yield change("distinct", f"{other} in place of {name}", text.replace(name, other, 1))
        for strategy, sentence in _STRATEGIES.items():
            if name == "label":
                yield change("labeling", sentence, text.replace("label(", f"labeling([{strategy}], ", 1))
            elif _LABELING.match(text):
                yield change("labeling", sentence, _LABELING.sub(f"labeling([{strategy}], ", text, count=1))
