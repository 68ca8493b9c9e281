"""Whether two programs have the same answers: by a proof, by one or two questions to the solver, or answer by answer.

A proof (`bridge.comparison.containment`) is about every instance. Where there is none, instances are looked at, and one
may have more answers than can be listed. Where the texts differ in constraints, in rules for predicates that one of
them adds, and in bodies of rules for atoms, a difference shows in an answer set: a constraint that is violated in one
text alone, or a body that holds in one text alone. That there is none is what a solver can refute.

For a body, the answers are the same if it holds in the same answer sets, and what is new in it cannot be derived from
the head: an answer set of one text is then one of the other, and what it derives is derived in the same order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from clingo import ast
from clingo.ast import AST, ASTType

from bridge.asp.context import dependencies, head_signatures, signatures
from bridge.asp.outline import Signature
from bridge.asp.text import Text, differing, texts_of
from bridge.asp.trees import is_atom, is_constraint, names_in, variables_of
from bridge.comparison.compare import compare
from bridge.comparison.containment import same_programs
from bridge.comparison.instance import Instance, with_instance
from bridge.errors import BridgeError
from bridge.limits import Deadline, Limits
from bridge.problem.asp import AspProblem
from bridge.profiling.cost import search_of

#: Answers of an instance that are listed, at most, and seconds for each of the two programs.
ANSWERS, PATIENCE = 20_000, 2.0

#: Seconds for a question to the solver whether the answers of an instance are the same.
ASKING = 20.0


@dataclass(frozen=True, slots=True)
class Same:
    """On which instances two programs have the same answers."""

    on: tuple[str, ...]  #: The names of those on which all answers were found to be the same.
    undecided: tuple[str, ...] = ()  #: Those on which a limit came first; nothing was found there that differs.
    proved: bool = False  #: Whether the answers are proved to be the same on every instance.


def same_answers(
    before: AspProblem, after: AspProblem, instances: Sequence[Instance], deadline: Deadline
) -> Same | None:
    """Whether two programs have the same answers on instances, the smallest first.

    They have the same sources, but for one. Predicates that only the second one has are no part of an answer. None
    where the answers to an instance differ, and where none is decided.
    """
    old, new = texts_of(before.sources), texts_of(after.sources)
    if same_programs(old, new, lambda _: True):
        return Same(tuple(one.name for one in instances), proved=True)
    at = next(at for at, (one, other) in enumerate(zip(old, new, strict=True)) if one.data != other.data)
    asked = [
        [before.like(*before.sources[:at], f"{text}\n", *before.sources[at + 1 :]) for text in some]
        for some in questions(old[at], new[at], [*old[:at], *old[at + 1 :]])
    ]
    same: list[str] = []
    undecided: list[str] = []
    for instance in instances:
        if deadline.expired() or (undecided and same):  # larger ones are not decided, either
            undecided.append(instance.name)
            continue
        # Where smaller instances agree, time is better spent on the next rewriting.
        decided = _asked(asked, instance, _seconds(deadline, ASKING, 16 if same else 3))
        if decided is None:
            limits = Limits(seconds=_seconds(deadline, PATIENCE, 8), solutions=ANSWERS)
            try:
                decided = compare(before, after, instances=[instance], limits=limits).equivalent
            except BridgeError:
                return None
        if decided is False:
            return None
        (same if decided else undecided).append(instance.name)
    return Same(tuple(same), tuple(undecided)) if same else None


def _seconds(deadline: Deadline, most: float, parts: int) -> float:
    """A part of the time that is left."""
    left = deadline.remaining()
    return most if left is None else min(most, max(left / parts, 0.3))


def _asked(asked: Sequence[Sequence[AspProblem]], instance: Instance, seconds: float) -> bool | None:
    """Whether the answers to an instance are the same, as the solver says; None where it does not know."""
    differs = None
    for some in asked:
        verdicts = (_verdict(one, instance, seconds) for one in some)
        differs = next((verdict for verdict in verdicts if verdict != "unsat"), None)
        if differs is None:
            return True
    # What is found without the other constraints, or of a body, need not be a difference.
    return False if len(asked) > 1 and differs == "sat" else None


def _verdict(problem: AspProblem, instance: Instance, seconds: float) -> str:
    """Whether a program has an answer set on an instance: `sat`, `unsat` or `unknown`."""
    problem, options = with_instance(problem, instance), ["--opt-mode=ignore", "--heuristic=Domain"]
    try:
        found = search_of(problem, seconds, options=options)
    except BridgeError:
        return "unknown"
    return "unknown" if found is None else found.verdict


def questions(before: Text, after: Text, others: Sequence[Text] = ()) -> list[list[str]]:
    """Texts to put in place of a text: if none of one list has an answer set, the two have the same answers.

    Of two lists, the first leaves out the other constraints of the text, which is quick, and proves less. There is none
    where the answers cannot be compared this way. `others` are the other texts of the program.
    """
    gone, came = differing(before, after), differing(after, before)
    known = {one for text in (before, *others) for rule in text.statements for one in signatures(rule)}
    new = [one for one in came if not is_constraint(one) and head_signatures(one) and not head_signatures(one) & known]
    rules = [one for one in came if not is_constraint(one) and one not in new]
    replaced = [one for one in gone if not is_constraint(one)]
    if len(replaced) != len(rules) or len(rules) > 1:
        return []
    if not all(one.ast_type is ASTType.Rule and is_atom(one.head) and one.body for one in (*new, *rules, *replaced)):
        return []
    asked = _Question(before, after, others)
    if rules and not asked.keeps_order(replaced[0], rules[0], new):
        return []
    definitions = [after.of(one) for one in new]
    lost = [one for one in gone if is_constraint(one)]
    added = [one for one in came if is_constraint(one)]
    first = [
        *definitions,
        *asked.hits(before, lost),
        *asked.hits(after, added),
        asked.compared(before, after, replaced, rules),
    ]
    if rules:
        return [
            [
                "\n".join([text.data.decode(), *(first if text is before else first[len(new) :])])
                for text in (before, after)
            ]
        ]
    kept = [one for one in before.statements if one not in gone]
    other = [one for one in kept if one.ast_type is ASTType.Rule and is_constraint(one)]
    found = []
    for base in (before.without(map(before.span, [*gone, *other])), before.without(map(before.span, gone))):
        sides = ((after, added, before, lost), (before, lost, after, added))
        found.append(
            [
                "\n".join([base, *definitions, *map(holding.of, held), *asked.hits(hitting, hit), asked.some()])
                for holding, held, hitting, hit in sides
            ]
        )
    return found


class _Question:
    """The parts of a question about two texts, with names that neither has."""

    def __init__(self, before: Text, after: Text, others: Sequence[Text]) -> None:
        self._all = [one for text in (before, *others) for one in text.statements]
        data = "\n".join(text.data.decode() for text in (before, after, *others))
        number = 0
        while f"differs{number}" in data or f"holds{number}" in data:
            number += 1
        self.differs, self._holds = f"differs{number}", f"holds{number}"

    def violated(self, text: Text, constraint: AST) -> str:
        """A body that holds where a constraint is violated."""
        body = self._body(text, constraint)
        head = constraint.head
        if head.atom.ast_type is ASTType.BooleanConstant:
            return body or "1 = 1"
        return f"{body}; not {text.of(head)}" if body else f"not {text.of(head)}"

    def _body(self, text: Text, rule: AST) -> str:
        if not rule.body:
            return ""
        begin, end = text.span(rule)
        begin = min(text.span(one)[0] for one in rule.body)
        return text.data[begin:end].decode().rstrip().removesuffix(".") + "\n"

    def hits(self, text: Text, constraints: Sequence[AST]) -> Iterator[str]:
        """Rules for where constraints are violated; that is what the search decides first."""
        for number, one in enumerate(constraints):
            names = ",".join([str(number), *variables_of(one)])
            yield f"{self.differs}({names}) :- {self.violated(text, one)}."
            yield f"#heuristic {self.differs}({names}) : {self._body(text, one) or '1 = 1'}. [1,true]"
            yield f"{self.differs} :- {self.differs}({names})."

    def some(self) -> str:
        """The constraint by which something is violated."""
        return f":- not {self.differs}."

    def compared(self, before: Text, after: Text, old: Sequence[AST], new: Sequence[AST]) -> str:
        """The rules by which the body of a rule differs, and the constraint that something does."""
        lines = [self.some()]
        for one, other in zip(old, new, strict=True):
            names = ",".join(["", *sorted(names_in([one.head]))])
            for number, (text, rule) in enumerate(((before, one), (after, other))):
                lines.append(f"{self._holds}({number}{names}) :- {self._body(text, rule)}.")
                lines.append(
                    f"{self.differs} :- {self._holds}({number}{names}), not {self._holds}({1 - number}{names})."
                )
        return "\n".join(lines)

    def keeps_order(self, old: AST, rule: AST, new: Sequence[AST]) -> bool:
        """Whether the heads are the same, and what only one of the bodies has does not depend on them."""
        if str(old.head) != str(rule.head):
            return False
        heads = head_signatures(rule)
        depends = dependencies([*self._all, *new])
        shared = {str(one) for one in old.body} & {str(one) for one in rule.body}
        own = [one for body in (old.body, rule.body) for one in body if str(one) not in shared]
        return not any(heads & {signature, *depends(signature)} for one in own for signature in _positive(one))


def _positive(literal: AST) -> Iterator[Signature]:
    """The predicates of a literal, but for an atom with `not`."""
    negated = literal.ast_type is ASTType.Literal and literal.sign != ast.Sign.NoSign
    if not (negated and literal.atom.ast_type is ASTType.SymbolicAtom):
        yield from signatures(literal)
