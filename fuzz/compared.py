"""Random small `.lp` programs and their mutants, compared on all instances of a generator, and by `mutate`.

The reference goes through the instances with a plain Control. What differs, on an instance of which size at the
smallest, and which answers each has, follows from that.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import clingo

import bridge
from bridge.comparison.answers import written
from bridge.comparison.contenders import AspContender
from bridge.comparison.instance import Instance
from bridge.debugging.mutants import mutants
from bridge.limits import Limits
from bridge.problem.asp import AspProblem
from fuzz.asp import statement
from fuzz.campaign import Campaign, Case, Skipped, Tally, demand, expect

#: Answer sets of one program on one instance, beyond which a case is skipped.
MOST_ANSWERS = 300

SHOWN = ("#show p/1.", "#show q/1.", "#show r/2.", "#show s/0.")

GENERATORS = (
    "{ d(1) }.",
    "{ d(1..2) }.",
    "d(1). { d(2); e(1) }.",
    "{ d(1..3) }. :- d(3), not d(2).",
    "1 { d(1..3); e(1) } 2.",
    "d(1..2). #show d/1. { x }.",
    "{ d(1); d(2) } = 1. d(3).",
)

Answers = frozenset[frozenset[str]]


class Compared(Campaign):
    """Two programs on the instances of a third: `differ`. Mutants of a program on given instances: `mutate`.

    Before that, one of the programs on all instances that are ground together.
    """

    name = "compared"
    weight = 1.0
    round = 2

    def make(self, chance: Random) -> Case:
        statements = [statement(chance) for _ in range(chance.randint(1, 4))]
        shown = chance.sample(SHOWN, chance.randint(1, 3))
        return {
            "statements": statements,
            "other": chance.choice([None, chance.randrange(1000), chance.randrange(1000)]),
            "again": [statement(chance) for _ in range(chance.randint(1, 3))],
            "shown": sorted(shown),
            "generator": chance.choice(GENERATORS),
            "mutate": chance.random() < 0.4,
        }

    def check(self, case: Case, tally: Tally) -> None:
        first = _text(case["statements"], case["shown"])
        instances = _instances(case["generator"])
        mine = [_answers(first, facts) for facts in instances]
        self._together(first, instances, mine, tally)
        if case["mutate"]:
            self._mutate(first, instances, mine, tally)
        else:
            # A mutant of the first program, where there are some; or another program.
            others = [] if case["other"] is None else [mutant.text for mutant in mutants(first)]
            second = others[case["other"] % len(others)] if others else _text(case["again"], case["shown"])
            self._differ(first, second, case["generator"], instances, mine, tally)

    def _together(self, program: str, instances: list[str], mine: list[Answers], tally: Tally) -> None:
        """The instances ground together, as those of a large comparison are."""
        given = [Instance.of_text(facts) for facts in instances]
        with AspContender(AspProblem(program)) as contender:
            contender.expect(given, Limits())
            for one, facts, answers in zip(given, instances, mine, strict=True):
                found = frozenset(frozenset(map(written, answer)) for answer in contender.answers(one, Limits()))
                expect("together", answers, found, f"answers to {facts or 'no facts'}")
                tally["solved together"] += contender.together

    def _differ(
        self, first: str, second: str, generator: str, instances: list[str], mine: list[Answers], tally: Tally
    ) -> None:
        try:
            others = [_answers(second, facts) for facts in instances]
        except RuntimeError as error:  # a mutant that is not a program
            raise Skipped from error
        every = bridge.Generator(generator, most=None)
        found = bridge.compare(AspProblem(first), AspProblem(second), instances=every, limits=Limits())
        wrong = [(_size(facts), facts, a, b) for facts, a, b in zip(instances, mine, others, strict=True) if a != b]
        expect("differ", not wrong, found.agree, "whether they agree")
        expect("differ", not wrong, found.equivalent, "whether they are equivalent")
        if found.difference is None:
            demand("differ", not wrong, "no difference is shown")
            expect("differ", len(instances), len(found.instances), "instances that were compared")
            tally["equivalent"] += 1
            return
        tally["different"] += 1
        gap = found.difference
        facts = " ".join(sorted(str(gap.instance).split()))
        expect("differ", 0, gap.smaller, "smaller instances that were not decided")
        same = [one for one in wrong if one[1] == facts]
        demand("differ", bool(same), f"they do not differ on {facts or 'no facts'}")
        size, _, a, b = same[0]
        expect("differ", min(one[0] for one in wrong), size, "size of a smallest instance")
        has, lacks = (a, b) if gap.has == found.engines[0] else (b, a)
        answer = frozenset(map(written, gap.answer))
        demand("differ", answer in has, f"{gap.has} has no answer {sorted(answer)} to {facts}")
        demand("differ", answer not in lacks, f"{gap.lacks} has the answer {sorted(answer)} to {facts}")

    def _mutate(self, program: str, instances: list[str], mine: list[Answers], tally: Tally) -> None:
        found = bridge.mutate(program, [Instance.of_text(facts) for facts in instances], limits=Limits(seconds=3))
        for tried in found.mutants:
            if tried.status == "undecided":  # some cannot be ground at all
                tally["mutants undecided"] += 1
                continue
            try:
                theirs = [_answers(tried.change.text, facts) for facts in instances]
            except RuntimeError:
                expect("mutate", "invalid", tried.status, f"the mutant {tried.change.after}")
                tally["mutants"] += 1
                continue
            wrong = [_size(facts) for facts, a, b in zip(instances, mine, theirs, strict=True) if a != b]
            status = "survived" if tried.status == "equivalent" else tried.status  # it is proved besides
            expect("mutate", "noticed" if wrong else "survived", status, f"the mutant {tried.change.after}")
            tally["mutants"] += 1
            if isinstance(tried.by, Instance):
                expect("mutate", min(wrong), tried.by.size, f"size of the instance that notices {tried.change.after}")

    def smaller(self, case: Case) -> Iterator[Case]:
        for name in ("statements", "again", "shown"):
            for index in range(len(case[name])):
                yield {**case, name: case[name][:index] + case[name][index + 1 :]}
        if case["generator"] != GENERATORS[0]:
            yield {**case, "generator": GENERATORS[0]}


def _text(statements: list[str], shown: list[str]) -> str:
    return "\n".join([*statements, *shown, "#show."]) + "\n"


def _control(text: str, facts: str = "") -> clingo.Control:
    control = clingo.Control(["0"], logger=lambda code, message: None)
    control.add("base", [], f"{text}\n{facts}\n")
    control.ground([("base", [])])
    return control


def _answers(text: str, facts: str) -> Answers:
    """The sets of shown atoms. RuntimeError when it is not a program."""
    found = set()
    control = _control(text, facts)
    with control.solve(yield_=True) as handle:
        for number, model in enumerate(handle):
            if number == MOST_ANSWERS:
                raise Skipped
            found.add(frozenset(map(str, model.symbols(shown=True))))
    return frozenset(found)


def _instances(generator: str) -> list[str]:
    """The instances as facts, each once, the smallest first."""
    found = sorted(_answers(generator, ""), key=lambda one: (len(one), sorted(one)))
    return [" ".join(f"{atom}." for atom in sorted(one)) for one in found]


def _size(facts: str) -> int:
    return len(facts.split())
