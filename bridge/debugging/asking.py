"""Questions to somebody who knows which answers are meant, where no reference and no test says it.

First the program's own answers are shown, until one is not meant. Then each question tells the repairs apart that are
found: an answer that about half of them have, by weight, and the others have not (divide and query, Shapiro 1983; for
answer set programs Shchekotykhin, AAAI 2015). It ends when those that are left give the same answers.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from bridge.common import Json, public
from bridge.debugging.search import Found, Variant
from bridge.errors import InputError, Place, brief
from bridge.limits import Deadline

if TYPE_CHECKING:
    from bridge.debugging.result import Debugging

#: Questions, at most.
QUESTIONS = 15

#: Of these about the program's own answers, at most.
OWN = 8

#: Of these about what is new in the repair that is left, at most.
NEW = 2

#: Repairs that are told apart at once.
REPAIRS = 12


@public("bridge")
@dataclass(frozen=True, slots=True)
class Question(Json):
    """Is an answer meant?

    Attributes
    ----------
    instance
        The facts and constants, or the goal.
    answer
        The answer, as its atoms, or as the values of a goal's variables; None: should there be an answer at all?
    """

    instance: str
    answer: tuple[str, ...] | None

    def __str__(self) -> str:
        if self.answer is None:
            return f"on {self.instance}\n  there is no answer\nshould there be one?"
        return f"on {self.instance}\n  {' '.join(self.answer) or '(no atom)'}\nis this an answer that is meant?"


#: True: it is meant; False: it is not; None: not known.
Oracle = Callable[[Question], bool | None]


@dataclass
class Interview:
    """The questions so far, and their replies."""

    oracle: Oracle
    deadline: Deadline
    replies: dict[Question, bool | None] = field(default_factory=dict)

    def ask(self, question: Question) -> bool | None:
        """The reply, asked for once. The time it takes is given back."""
        if question not in self.replies:
            begun = time.monotonic()
            reply = self.oracle(question)
            if reply is not None and not isinstance(reply, bool):
                raise InputError(f"the oracle replies {brief(reply)}", hint="True, False, or None for not known")
            self.replies[question] = reply
            self.deadline.extend(time.monotonic() - begun)
        return self.replies[question]

    @property
    def known(self) -> list[tuple[Question, bool]]:
        """The questions that were answered."""
        return [(question, meant) for question, meant in self.replies.items() if meant is not None]

    @property
    def wrong(self) -> Question | None:
        """The first question whose reply says that the program is wrong: it is about an answer that the program has."""
        return next((question for question, meant in self.known if meant is (question.answer is None)), None)

    def as_replied(self, result: Debugging) -> Debugging:
        """The result, which never says that nothing is wrong where a reply does: the search may have been ended."""
        wrong = self.wrong
        if wrong is None or not result.right:
            return result
        note = f"a reply says {'that there should be an answer' if wrong.answer is None else 'so'}"
        notes = (*result.notes, f"{note}: the search was ended before it named a line")
        return replace(result, right=False, complete=False, instance=wrong.instance, surplus=wrong.answer, notes=notes)

    def ask_about(self, own: Iterable[Question]) -> None:
        """Ask about the program's own answers, the smallest and the largest in turn, until something is wrong."""
        questions = list(own)
        in_turn = [question for pair in zip(questions, reversed(questions), strict=True) for question in pair]
        for question in list(dict.fromkeys(in_turn))[:OWN]:
            if self.ask(question) is (question.answer is None):
                return

    def fits(self, behaviour: frozenset[Question]) -> bool:
        """Whether answers are as the replies say."""
        return all(
            (question in behaviour) is (meant is not (question.answer is None)) for question, meant in self.known
        )

    def next(self, repairs: Sequence[tuple[Variant, frozenset[Question]]], own: frozenset[Question]) -> Question | None:
        """The question that divides repairs best; then some about what is new in the first; None when they are done.

        `own` are the answers of the program itself.
        """
        if len(self.replies) >= QUESTIONS:
            return None
        weights = [math.exp(-variant.cost) for variant, _ in repairs]
        total = sum(weights)
        ranked: list[tuple[float, int, Question]] = []
        for question in sorted({one for _, some in repairs for one in some} - self.replies.keys(), key=str):
            having = [weight for weight, (_, some) in zip(weights, repairs, strict=True) if question in some]
            if len(having) < len(repairs):
                ranked.append((abs(sum(having) / total - 0.5), len(str(question)), question))
        if ranked:
            return min(ranked, key=lambda each: each[:2])[2]
        new = repairs[0][1] - own
        unasked = sorted(new - self.replies.keys(), key=lambda one: (len(str(one)), str(one)))
        return unasked[0] if unasked and len(new - set(unasked)) < NEW else None


def divided(
    found: Found, interview: Interview, answers: Callable[[str], Iterable[Question]], again: Callable[[], Found]
) -> Found:
    """What was found, with the repairs that fit all replies, after the questions by which they differ.

    `answers` are what a text of the program answers; `again` searches with what is known.
    """

    @cache
    def behaviour(text: str) -> frozenset[Question]:
        return frozenset(answers(text))

    if found.base.score.right:
        interview.ask_about(answers(found.base.text))
        if interview.wrong:
            found = again()
    repairs = [] if found.base.score.right else found.repairs
    while repairs and not interview.deadline.expired():
        several = [(one, behaviour(one.text)) for one in repairs[:REPAIRS]]
        question = interview.next(several, behaviour(found.base.text))
        if question is None:
            break
        if interview.ask(question) is not None:
            repairs = [one for one in repairs if interview.fits(behaviour(one.text))] or again().repairs
    found.repairs = repairs
    return found


class UnansweredError(Exception):
    """A question that somebody has to answer first."""

    def __init__(self, question: Question) -> None:
        super().__init__(str(question))
        self.question = question


def unanswered(question: Question) -> bool | None:
    """An oracle that knows nothing: the search ends with an UnansweredError."""
    raise UnansweredError(question)


def kept(oracle: Oracle | None, path: str | PathLike[str]) -> Oracle:
    """An oracle that reads its replies from a file, a JSON object a line, asks for others, and adds them to it.

    Raises InputError when the file cannot be read or written.
    """
    file = Path(path)
    known: dict[Question, bool | None] = {}
    if file.exists():
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            try:
                row = json.loads(line)
                answer = row["answer"]
                question = Question(str(row["instance"]), None if answer is None else tuple(map(str, answer)))
                known[question] = row["meant"]
            except (ValueError, TypeError, KeyError):
                hint = '{"instance": "edge(1,2).", "answer": ["in(1)"], "meant": true}'
                raise InputError("this is not a reply", where=Place(str(file), number), hint=hint) from None

    def reply(question: Question) -> bool | None:
        if question not in known:
            known[question] = None if oracle is None else oracle(question)
            if known[question] is not None:
                row = {**question.to_json(), "meant": known[question]}
                try:
                    with file.open("a", encoding="utf-8") as stream:
                        stream.write(json.dumps(row, ensure_ascii=False) + "\n")
                except OSError as error:
                    raise InputError(error.strerror or "cannot be written", where=Place(str(file))) from None
        return known[question]

    return reply
