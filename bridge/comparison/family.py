"""Many small instances of a clingo program, ground together: over ten times as many a second as one by one.

A **family** has the facts that all its instances have as facts, and any other as a rule `edge(1,2) :- __in(7).`, where
`{ __in(0..N) }.` is a choice. An instance is an assumption: which of these atoms are true. The choice depends on
nothing, so the answer sets are those of the program with the facts, by splitting. What gringo makes of a union of
instances can be much more than what it makes of each: so they have to be alike, and grounding has little time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from itertools import groupby

from bridge.asp import Program
from bridge.asp.decode import Atom
from bridge.asp.decode import written as fact_text
from bridge.asp.model import Model
from bridge.asp.results import CaseEnd
from bridge.common.closing import Closing
from bridge.comparison.answers import Answer, facts_text
from bridge.comparison.instance import Instance
from bridge.errors import BridgeError
from bridge.limits import UNLIMITED, Limits
from bridge.outcome import Outcome, Statistics, Stream

#: A search that needs more conflicts is begun again for the instance alone: what was learnt of others is no help there.
CONFLICTS = 1000

#: An instance with more facts than these is ground alone: there is little to save, and much that a union may add.
SMALL = 200

#: A family has no more facts than so many times those of its largest instance, and so many.
FACTOR, MORE = 4, 100

#: Seconds for grounding a family.
GROUNDING = 2.0

#: So many more instances may have to be asked alone than were solved together, before no further families are made.
IN_VAIN = 10

_IN = "__in"


class Family(Closing):
    """Instances with the same constants, and the answers to them in their order.

    `load` loads the program with a text, `read` makes an answer of a model, and `limits` are those of each instance.
    Raises BridgeError when they cannot be ground together.
    """

    def __init__(self, instances: Sequence[Instance], load: Callable[[str], Program], read: Callable[[Model], Answer],
                 limits: Limits) -> None:
        self._waiting, self._read, self._limits = deque(instances), read, limits
        first, *others = [frozenset(one.facts) for one in instances]
        common = first.intersection(*others)
        others_of = [[fact for fact in one.facts if fact not in common] for one in instances]
        number: dict[Atom, int] = {}
        cases = [[number.setdefault(fact, len(number)) for fact in facts] for facts in others_of]
        self._program = load(_text([one for one in instances[0].facts if one in common], list(number)))
        try:
            seconds = GROUNDING if limits.seconds is None else min(GROUNDING, limits.seconds)
            self._program.literals(_IN, 1, limits=Limits(seconds=seconds))
            #: What clingo has warned of while it ground them.
            self.warnings = self._program.warnings
            self._found: Stream[Model | CaseEnd] = self._program.cases(_IN, cases, conflicts=CONFLICTS, limits=limits)
        except BaseException:
            self._program.close()
            raise

    def has(self, instance: Instance) -> bool:
        """Whether this instance is the next one."""
        return bool(self._waiting) and self._waiting[0] is instance

    def next(self) -> Outcome[Answer] | None:
        """The answers to the next instance; None when it has to be asked alone, in its own time."""
        self._waiting.popleft()
        answers: dict[Answer, None] = {}
        try:
            for one in self._found:
                if isinstance(one, CaseEnd):
                    return self._outcome(tuple(answers), one)
                answers[self._read(one)] = None
        except BridgeError:  # which the instance alone may not have
            pass
        self.close()
        return None

    def _outcome(self, answers: tuple[Answer, ...], end: CaseEnd) -> Outcome[Answer] | None:
        most = self._limits.solutions
        complete = end.complete and (most is None or len(answers) < most)
        if not complete and len(answers) != most:
            return None
        return Outcome(answers, complete, None if complete else "solutions", Statistics(end.seconds, end.counters))

    def close(self) -> None:
        self._waiting.clear()
        self._program.close()


class Families(Closing):
    """The families of instances that are expected, in their order, each made when its first instance comes.

    `load` loads the program with the constants of an instance, and a text in place of its facts; `read` makes an answer
    of a model; `allows` says whether instances may be solved together, by what clingo warned of when it ground them.
    """

    def __init__(self, load: Callable[[Instance, str], Program], read: Callable[[Model], Answer],
                 allows: Callable[[Sequence[str]], bool]) -> None:
        self._load, self._read, self._allows = load, read, allows
        self._limits = UNLIMITED
        self._expected: deque[list[Instance]] = deque()
        self._family: Family | None = None
        self._in_vain = 0

    def expect(self, instances: Sequence[Instance], limits: Limits) -> None:
        self.close()
        self._limits = limits
        if self._in_vain <= IN_VAIN:
            groups = (list(group) for _, group in groupby(instances, lambda one: dict(one.constants)))
            self._expected.extend(group for group in groups if _alike(group))

    def answers(self, instance: Instance) -> Outcome[Answer] | None:
        """The answers to an instance; None when it has to be asked alone."""
        if self._expected and self._expected[0][0] is instance:
            self._begin(self._expected.popleft())
        if self._family is None or not self._family.has(instance):
            return None
        found = self._family.next()
        self._in_vain += 1 if found is None else -1 if self._in_vain else 0
        return found

    def _begin(self, instances: list[Instance]) -> None:
        if self._family is not None:
            self._family.close()
        try:
            self._family = Family(instances, lambda text: self._load(instances[0], text), self._read, self._limits)
        except BridgeError:  # which the instances alone may not have
            self._family = None
        if self._family is None or not self._allows(self._family.warnings):
            self._in_vain = IN_VAIN + 1
            self.close()

    def close(self) -> None:
        self._expected.clear()
        if self._family is not None:
            self._family.close()
            self._family = None


def _alike(instances: Sequence[Instance]) -> bool:
    """Whether instances may be ground together: each is known as facts, and they share most, or are small."""
    if len(instances) < 2 or any(one.kind or one.file is not None for one in instances):
        return False
    largest = max(len(one.facts) for one in instances)
    facts = {fact for one in instances for fact in one.facts}
    return largest <= SMALL and len(facts) <= FACTOR * largest + MORE


def _text(common: Sequence[Atom], others: Sequence[Atom]) -> str:
    rules = (f"{fact} :- {_IN}({number}).\n" for number, fact in enumerate(map(fact_text, others)))
    return f"{facts_text(common)}{{ {_IN}(0..{len(others) - 1}) }}.\n{''.join(rules)}"
