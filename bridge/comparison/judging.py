"""`judge`: many programs that nobody has read against one background, a verdict for each.

>>> rules = ["child(X, Y) :- parent(Y, X).", "child(X, Y) :- parent(X, Y).", "child(X Y)."]
>>> [(one.verdict, one.right) for one in judge("parent(ann, bob).", rules, {"child(X, ann)": "bob"})]
[('answered', 1), ('no answer', 0), ('error', 0)]

The background of Prolog programs is loaded once, and each candidate in a fork of that process: a candidate finds the
same state as all others, and what it does ends with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, islice
from math import isclose, isfinite
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, Literal

from bridge.as_json import Json, Key
from bridge.common.files import refuse_names
from bridge.common.languages import is_path, language_of_path, language_of_text
from bridge.comparison.answers import of_atoms, written
from bridge.errors import BridgeError, InputError, LimitError, Place, ProgramError
from bridge.isolation import frames
from bridge.isolation.job_loop import MEMORY, PRINTED
from bridge.limits import Limits, takes_limits
from bridge.outcome import Stream
from bridge.public import public

if TYPE_CHECKING:
    from bridge.prolog.remote import Remote

#: What became of a candidate, or of one of its goals. `no answer`: its search ended with none; `unbound`: a variable is
#: open; `does not end`: its time was up, and `does not ground`, while clingo instantiated it; `limit`: its memory was,
#: or its process died; `refused`: it is not for an untrusted program.
Judged = Literal[
    "answered", "wrong", "no answer", "unbound", "does not end", "does not ground", "error", "refused", "limit"
]

Source = str | PathLike[str]

#: Of each candidate, unless said otherwise.
LIMITS = Limits(seconds=5.0, memory=1 << 30)

#: So many candidates are sent at once.
_CHUNK = 64


@dataclass(frozen=True, slots=True)
class JudgedGoal(Json):
    """What a goal of a candidate gives, or a candidate of clingo, which has none."""

    goal: str | None  #: The goal.
    verdict: Judged  #: What became of it.
    values: tuple[Mapping[str, Any], ...] = ()  #: Of each answer, the values of the variables.
    texts: tuple[str, ...] = ()  #: Each answer as the toplevel, or clingo, prints it, with its residual goals.
    right: int = 0  #: So many of the expected answers were found, those of Prolog in order.
    expected: int = 0  #: So many were expected.
    missing: tuple[str, ...] = ()  #: What an expected answer set has and the nearest answer set lacks.
    surplus: tuple[str, ...] = ()  #: What that answer set has and the expected one lacks.
    error: ProgramError | None = None  #: The error of the program.
    reason: str | None = None  #: The kind of an error (`syntax`, `unknown predicate`, `type`, ...), or which limit.

    _json = (
        "goal verdict",
        Key("values", list[dict[str, Any]], lambda self: [_plain(one) for one in self.values]),
        "texts right expected missing surplus reason",
        Key("error", dict[str, Any] | None, lambda self: self.error and self.error.to_json()["errors"][0]),
    )


@public("bridge")
@dataclass(frozen=True, slots=True)
class Judgement(Json):
    """The verdict on a candidate.

    Attributes
    ----------
    verdict
        `answered`, where all goals are, or that of the first that is not.
    goals
        Each goal, in order; one without a name for a program of clingo, and for one that cannot be loaded.
    output
        What a program of Prolog printed.
    """

    verdict: Judged
    goals: tuple[JudgedGoal, ...]
    output: str = ""

    _json = (
        "verdict output",
        Key("value", Any, lambda self: _plain(self.value)),
        Key("right", int, lambda self: self.right),
        Key("expected", int, lambda self: self.expected),
        "goals",
    )

    def __str__(self) -> str:
        lines: list[str] = [self.verdict]
        for one in self.goals:
            reason = f" ({one.reason})" if one.reason else ""
            right = f", {one.right} of {one.expected}" if one.expected else ""
            lines.append(f"  {one.goal or 'the program'}: {one.verdict}{reason}{right}")
            lines += [f"    missing: {', '.join(one.missing)}"] if one.missing else []
            lines += [f"    surplus: {', '.join(one.surplus)}"] if one.surplus else []
            lines += [f"    {text}" for text in one.texts]
            lines += [f"    {one.error}"] if one.error else []
        return "\n".join(lines)

    @property
    def value(self) -> Any:
        """The value of the first answer, where its goal has one variable; None otherwise."""
        first = next(iter(self.goals[0].values), {})
        return next(iter(first.values())) if len(first) == 1 else None

    @property
    def right(self) -> int:
        return sum(one.right for one in self.goals)

    @property
    def expected(self) -> int:
        return sum(one.expected for one in self.goals)


@public("bridge")
@takes_limits("seconds", "memory")
def judge(background: Source | Sequence[Source], candidates: Iterable[Source],
          goals: Mapping[str, Any] | Sequence[Any] | None = None, *, output: str | None = None, untrusted: bool = False,
          allow_missing_walls: bool = False, limits: Limits = LIMITS) -> Stream[Judgement]:
    """Judge programs, each in a process of its own, in their order, as they are done.

    Parameters
    ----------
    background
        Programs of yours, text or files, that each candidate is run with. One that changes what they define, but for
        what is dynamic, is an error (`redefined`); of clingo it may add to it.
    candidates
        Programs, text or files, in the language of the background.
    goals
        Of Prolog, what is asked, and the answers that are expected: values of the goal's only variable, or mappings
        from names. A list has all of them, in their order; what is no list is the first one, whatever comes after it.
        True stands for any, and False for none. A sequence of goals expects any. Of clingo, the expected answer sets,
        each a collection of atoms as clingo writes them; None expects any.
    output
        Of Prolog, what a program is to print, but for blanks at the ends of lines; None expects anything. Without goals
        it runs as a script: its directives, and its goal of `:- initialization(Goal, main)`.
    untrusted
        Confine the candidates. The background is checked as they are, but confined by the system less: it can fork.
    allow_missing_walls
        As of `prolog.Session`.
    limits
        Seconds and memory of each candidate; seconds of loading the background.

    Raises
    ------
    InputError
        When a file cannot be read, or an expected answer is none to its goal.
    ProgramError
        When the background cannot be loaded.
    """
    given = [background] if isinstance(background, str | PathLike) else [*background]
    rest = iter(candidates)
    first = list(islice(rest, 1))
    sources: Iterator[Source] = chain(first, rest)
    if untrusted:
        given, sources = [*_texts_only(given)], _texts_only(sources)
    walls = untrusted, allow_missing_walls
    known = next(filter(None, map(_language, [*first, *given])), None)
    of_sets = not isinstance(goals, Mapping) and not all(isinstance(one, str) for one in goals or ())
    if (known or ("clingo" if of_sets else "prolog")) == "clingo":
        if output is not None:
            raise InputError("clingo prints its answer sets only", hint="give these: [['p(1)', 'q'], ['p(2)']]")
        if isinstance(goals, Mapping):
            raise InputError("clingo has no goals", hint="give the expected answer sets: [['p(1)', 'q'], ['p(2)']]")
        if not all(isinstance(one, Iterable) and not isinstance(one, str) for one in goals or ()):
            raise InputError(f"{goals!r} are no answer sets", hint="each is a list of atoms: [['p(1)', 'q'], ['p(2)']]")
        sets = None if goals is None else [frozenset(map(str, one)) for one in goals]
        return _stream(lambda: (_of_clingo(given, one, sets, *walls, limits) for one in sources))
    if not goals and output is None:
        raise InputError("no goal is given", hint="goals={'solve(X)': 17}, or output='17\\n'; --goal 'solve(X)'")
    if of_sets and goals:
        raise InputError("answer sets are expected of a program of Prolog", hint="goals={'solve(X)': 17}")
    asked = {goal: _expected(goals[goal] if isinstance(goals, Mapping) else True) for goal in goals or ()}
    return _stream(lambda: _of_prolog(given, sources, _Wishes(asked, output), *walls, limits))


def _stream(found: Callable[[], Iterator[Judgement]]) -> Stream[Judgement]:
    return Stream(lambda progress: progress.exhaust(found()))


def _texts_only(sources: Iterable[Source]) -> Iterator[Source]:
    for source in sources:
        refuse_names([source])
        yield source


def _language(source: Source) -> str | None:
    return language_of_path(source) if is_path(source) else language_of_text(str(source))


# Prolog.

#: The answers that are wanted, or None for any.
Wanted = list[Any] | None


@dataclass(frozen=True, slots=True)
class _Wishes:
    """The answers that are wanted of each goal, how many are looked for, and what is to be printed; None for any."""

    asked: dict[str, tuple[Wanted, int]]
    output: str | None

    @property
    def expected(self) -> int:
        return sum(len(wanted or ()) for wanted, _ in self.asked.values()) + (self.output is not None)


def _expected(given: Any) -> tuple[Wanted, int]:
    if isinstance(given, bool):
        return (None if given else []), 1
    return (given, len(given) + 1) if isinstance(given, list) else ([given], 1)


def _of_prolog(background: Sequence[Source], candidates: Iterator[Source], wishes: _Wishes, untrusted: bool,
               allow_missing_walls: bool, limits: Limits) -> Iterator[Judgement]:
    from bridge.prolog.remote import Remote, slow_libraries

    given = [(fspath(source), not is_path(source)) for source in background]
    remotes: dict[frozenset[str], Remote] = {}  # by libraries in memory: an untrusted one has all
    try:
        while chunk := list(islice(candidates, _CHUNK)):
            texts = list(map(_text, chunk))
            groups: dict[frozenset[str], list[int]] = {}
            for index, text in enumerate(texts):
                groups.setdefault(frozenset() if untrusted else slow_libraries(text), []).append(index)
            done: dict[int, Judgement] = {}
            first = 0
            for libraries, indices in groups.items():
                remote = remotes.get(libraries)
                if remote is None:
                    remote = remotes[libraries] = Remote(given, limits, True, untrusted, "nowhere", allow_missing_walls,
                                                         judging=libraries)
                found = _judged(remote, [texts[index] for index in indices], wishes, limits)
                for index, (result, printed) in zip(indices, found, strict=True):
                    done[index] = _judgement(result, printed, wishes, chunk[index])
                    while first in done:
                        yield done.pop(first)
                        first += 1
    finally:
        for remote in remotes.values():
            remote.close()


def _judged(remote: Remote, texts: list[str], wishes: _Wishes, limits: Limits) -> Iterator[tuple[Any, bytes]]:
    """What the process of each of these candidates has sent, and what it has printed."""
    goals = [(goal, most) for goal, (_, most) in wishes.asked.items()]
    done, most = 0, len(texts)
    while done < len(texts):
        until = min(done + most, len(texts))
        with closing(remote.judge(texts[done:until], goals, limits)) as found:
            _check(next(found, None), wishes.asked)
            for one in found:
                yield one
                done += 1
        if done == until:
            most = len(texts)
        elif most > 1:  # the process of the background itself is gone: by this one, or one soon after it
            most = 1
        else:
            yield _GONE, b""
            done, most = done + 1, len(texts)


def _text(source: Source) -> str:
    if not is_path(source):
        return str(source)
    try:
        with open(source, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError as error:
        raise InputError(f"it cannot be read: {error}", where=Place(fspath(source))) from None


def _check(read: list[list[str] | None] | None, asked: dict[str, tuple[Wanted, int]]) -> None:
    """Refuse expected answers that are none to their goals, whose variables were found without a candidate."""
    for (goal, (wanted, _)), names in zip(asked.items(), read or (), strict=False):
        shown = {name for name in names or () if not name.startswith("_")}
        for one in wanted or () if names is not None else ():
            if isinstance(one, Mapping) and one.keys() - shown:
                raise InputError(f"the goal `{goal}` has no variable {min(one.keys() - shown)!r}")
            if not isinstance(one, Mapping) and len(shown) != 1:
                hint = "an expected answer is a mapping from names: {'X': 1, 'Y': 2}"
                raise InputError(f"the goal `{goal}` has {len(shown)} variables", hint=hint)


#: How a process ends without memory: as `job_loop` says, or by SIGABRT of what cannot allocate. And how by SIGKILL.
_NO_MEMORY, _GONE = (MEMORY, -6), -9


def _judgement(found: Any, printed: bytes, wishes: _Wishes, source: Source) -> Judgement:
    """The verdict by what the process of a candidate has sent, which may be anything."""
    text = printed.decode(errors="replace")

    def whole(verdict: Judged, reason: str | None, error: ProgramError | None = None) -> Judgement:
        goal = JudgedGoal(None, verdict, expected=wishes.expected, error=error, reason=reason)
        return Judgement(verdict, (goal,), text)

    if found is None:
        return whole("does not end", "seconds")
    if not isinstance(found, bytes):
        return whole("limit", "memory" if found in _NO_MEMORY else "output" if found == PRINTED else "crash")
    try:
        failed, results = frames.unpack(found)
        errors = [] if failed is None else _errors(failed, source)
        kinds = [(*_kind(error), error) for error in errors]
        if results is None or any(verdict == "refused" for verdict, *_ in kinds):
            return whole(*next((kind for kind in kinds if kind[0] == "refused"), kinds[0]))
        goals = [_goal(*wishes.asked.get(result[0], (None,))[:1], source, *result) for result in results]
        if wishes.asked and [goal.goal for goal in goals] != [*wishes.asked]:
            raise ValueError("these are other goals")
        if wishes.output is not None:
            goals.append(_printed(text, wishes.output))
        if kinds:
            goals = [_after(*kinds[0], goal) for goal in goals]
    except Exception:
        return whole("limit", "crash")
    return Judgement(next((one.verdict for one in goals if one.verdict != "answered"), "answered"), tuple(goals), text)


def _after(verdict: Judged, reason: str | None, error: ProgramError, goal: JudgedGoal) -> JudgedGoal:
    """A goal of a program that could not be loaded in full: that is its error where it gives nothing."""
    if goal.verdict in ("error", "no answer") or (goal.goal is None and goal.verdict == "wrong"):
        return replace(goal, verdict=verdict, reason=reason, error=error)
    return goal if goal.error else replace(goal, error=error)


def _printed(text: str, wanted: str) -> JudgedGoal:
    lines, expected = ([line.rstrip() for line in one.rstrip().split("\n")] for one in (text, wanted))
    if lines == expected:
        return JudgedGoal(None, "answered", right=1, expected=1, reason="output")
    missing = tuple(one for one in expected if one not in lines)
    surplus = tuple(one for one in lines if one not in expected)
    return JudgedGoal(None, "wrong", expected=1, missing=missing, surplus=surplus, reason="output")


def _errors(packed: Any, source: Source) -> list[ProgramError]:
    """An error that has been sent, and those beside it."""
    return _read(BridgeError.unpack(tuple(packed)), source)


def _read(sent: BridgeError, source: Source) -> list[ProgramError]:
    from bridge.prolog.answer import Answer, Header

    error = sent if isinstance(sent, ProgramError) else ProgramError(sent.message, where=sent.where, hint=sent.hint)
    if error.term is not None:
        error.term = Answer(Header(("E",), lambda values: ""), error.term)["E"]
    if is_path(source) and error.where is not None and error.where.file == "<text>":
        error.where = replace(error.where, file=fspath(source))
    others = [one for other in error.others for one in _read(other, source)]
    error.others = tuple(others)
    return [error, *others]


def _kind(error: ProgramError) -> tuple[Judged, str | None]:
    """Whether it is an error or a refusal, and of which kind."""
    from bridge.prolog import Term

    formal = error.term.arguments[0] if isinstance(error.term, Term) and error.term.name == "error" else error.term
    match formal:
        case Term("existence_error", ("procedure", *_)):
            return "error", "unknown predicate"
        case Term("permission_error", (_, str(kind), _)) if kind.startswith("sandboxed") or kind == "untrusted":
            return "refused", None
        case Term(name) if name.startswith("lpbridge_"):
            return "refused", None
    if error.message.startswith("the goal is not safe"):
        return "refused", None
    if error.message.startswith("the program called halt("):
        return "error", "halt"
    if error.message.lower().startswith("syntax error"):
        return "error", "syntax"
    name = formal.name if isinstance(formal, Term) else str(formal or "program")
    return "error", name.removesuffix("_error").replace("_", " ")


def _goal(wanted: Wanted, source: Source, goal: str, names: list[str], packed: list[Any], complete: bool,
          limit: str | None, failed: Any) -> JudgedGoal:
    from bridge.prolog.answer import Answer, Header

    header = Header([name for name in names if not name.startswith("_")], lambda values: "")
    answers = [Answer(header, one) for one in packed]
    right = 0
    for answer in answers:
        right += wanted is not None and right < len(wanted) and _same_answer(answer, wanted[right])
    verdict: Judged
    reason = error = None
    if failed is not None:
        error = _errors(failed, source)[0]
        verdict, reason = _kind(error)
    elif limit is not None and limit != "halt":
        verdict, reason = ("does not end" if limit == "seconds" else "limit"), limit
    elif limit is not None and wanted is None and not answers and not header.names:
        verdict, reason = "answered", limit  # a main goal that ends with halt(0)
    elif wanted is not None and right == len(wanted) == len(answers):
        verdict = "answered"
    elif not answers:
        verdict = "no answer"
    elif any(answer.residual or any(map(_is_open, answer.values())) for answer in answers):
        verdict = "unbound"
    else:
        verdict = "answered" if wanted is None else "wrong"
    values, texts = tuple(map(dict, answers)), tuple(map(str, answers))
    return JudgedGoal(goal, verdict, values, texts, right, len(wanted or ()), error=error, reason=reason)


def _same_answer(answer: Mapping[str, Any], wanted: Any) -> bool:
    named = wanted if isinstance(wanted, Mapping) else dict.fromkeys(answer, wanted)
    return all(name in answer and _same(answer[name], value) for name, value in named.items())


def _same(value: Any, wanted: Any) -> bool:
    """Equal, numbers by their value (a float to nine digits), atoms and strings by their text."""
    if isinstance(wanted, bool):
        wanted = str(wanted).lower()
    if isinstance(value, float | Fraction | int) and isinstance(wanted, float | Fraction | int):
        some = isinstance(value, float) or isinstance(wanted, float)
        return value == wanted or (some and isclose(value, wanted, rel_tol=1e-9))
    if isinstance(value, list) and isinstance(wanted, list | tuple):
        return len(value) == len(wanted) and all(map(_same, value, wanted))
    return bool(value == wanted)


def _is_open(value: Any) -> bool:
    from bridge.prolog import Term, Variable

    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Variable):
            return True
        waiting += part.arguments if isinstance(part, Term) else part if isinstance(part, list) else ()
    return False


def _plain(value: Any) -> Any:
    """As JSON: numbers as numbers, lists as lists, and what else there is as text."""
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {str(name): _plain(item) for name, item in value.items()}
    if isinstance(value, Fraction):
        return float(value)
    return value if value is None or (isinstance(value, int | float) and isfinite(value)) else str(value)


# clingo.


def _of_clingo(background: Sequence[Source], candidate: Source, wanted: list[frozenset[str]] | None, untrusted: bool,
               allow_missing_walls: bool, limits: Limits) -> Judgement:
    from bridge.asp import Program

    expected = len(wanted or ())

    def judged(verdict: Judged, **more: Any) -> Judgement:
        return Judgement(verdict, (JudgedGoal(None, verdict, expected=expected, **more),))

    try:
        program = Program(*background, candidate, untrusted=untrusted, allow_missing_walls=allow_missing_walls,
                          output="nowhere", limits=limits)
        with program:
            outcome = program.models(limits=replace(limits, solutions=1 if wanted is None else expected + 1)).collect()
    except LimitError as error:
        return judged("does not end" if error.limit == "seconds" else "limit", reason=error.limit)
    except ProgramError as error:
        if untrusted and re.search(r"untrusted|#script|#include", error.message):
            return judged("refused", error=error)
        return judged("error", error=error, reason="syntax" if "syntax" in error.message else "program")
    models = outcome.solutions
    found = [frozenset(map(written, of_atoms((name, row) for name in one for row in one[name]))) for one in models]
    texts, right = tuple(map(str, models)), sum(one in found for one in wanted or ())
    if outcome.limit not in (None, "solutions"):
        slow: Judged = "does not end" if "ground" in outcome.statistics.seconds else "does not ground"
        verdict: Judged = slow if outcome.limit == "seconds" else "limit"
        return judged(verdict, reason=outcome.limit, texts=texts, right=right)
    if not found:
        return judged("answered" if wanted == [] else "no answer")
    if wanted is None or right == expected == len(found):
        return judged("answered", texts=texts, right=right)
    lacking: frozenset[str] = next((one for one in wanted if one not in found), frozenset())
    nearest = min([one for one in found if one not in wanted] or found, key=lambda one: len(one ^ lacking))
    differing = {"missing": tuple(sorted(lacking - nearest)), "surplus": tuple(sorted(nearest - lacking))}
    return judged("wrong", texts=texts, right=right, **differing)
