"""Small changes of the clauses of a Prolog program, as people get programs wrong, and as they put them right.

Clauses and goals are those of `bridge.problem.clauses`; inside them changes are made on tokens, so that all else stays
as its author wrote it. The operators are those of the literature on programs of students: a wrong base case, arguments
swapped, off by one, a comparison, `is` for `=`, a misspelt name, a goal missing or too many, a list pattern (Brancas et
al., What Bugs Do Prolog Students Write?, ICLP 2026).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import chain, combinations, islice, pairwise, permutations, product, zip_longest
from typing import NamedTuple

from bridge.asp.reading import Change, Span
from bridge.debugging import goal_forms
from bridge.debugging.operators import MORE, Editing, alike, fresh, numbers_near
from bridge.problem import Clause, Goal, Source, line_of

#: A token, by its kind; what is none of these is left out.
TOKEN = re.compile(
    r"""(?P<comment>%[^\n]*|/\*.*?\*/)|(?P<quoted>'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.|"")*"|`(?:[^`\\]|\\.)*`)"""
    r"""|(?P<variable>[A-Z_]\w*)|(?P<number>0'(?:\\.|''|.)|\d+(?:\.\d+)?)|(?P<name>[a-z]\w*)"""
    r"""|(?P<symbol>[-+*/\\^<>=~:.?@#&$]+|!|;|,|\|)|(?P<bracket>[()\[\]{}])|(?P<space>\s+)""",
    re.DOTALL,
)

_COMPARISONS = ("<", ">", "=<", ">=", "=:=", "=\\=")
_FD = ("#<", "#>", "#=<", "#>=", "#=", "#\\=")
_ORDER = ("@<", "@>", "@=<", "@>=")
_TERMS = ("=", "\\=", "==", "\\==")
_REIFIED = ("#/\\", "#\\/", "#==>", "#<==>")
_GROUPS = (_COMPARISONS, _FD, _ORDER, _TERMS, _REIFIED)
#: What holds where a test does not.
_CONTRARY = {"<": ">=", "=<": ">", "=:=": "=\\=", "=": "\\=", "==": "\\==", "#<": "#>=", "#=<": "#>", "#=": "#\\="}
_CONTRARY |= {"@<": "@>=", "@=<": "@>"}
_CONTRARY |= {other: one for one, other in _CONTRARY.items()}

#: Those that hold of what is equal, and those that hold of all else.
_EQUAL = {one: _CONTRARY[one] for one in ("=", "\\=", "==", "\\==", "=:=", "=\\=", "#=", "#\\=")}

#: The comparison of any terms in place of one of numbers.
_OF_TERMS = dict(zip(_COMPARISONS, (*_ORDER, "==", "\\=="), strict=True))

#: The operator that mutants have in place of one.
_NEXT = {"<": "=<", "=<": "<", ">": ">=", ">=": ">", "#<": "#=<", "#=<": "#<", "#>": "#>=", "#>=": "#>"}
_NEXT |= _EQUAL

_FUNCTIONS = {"min": "max", "max": "min", "mod": "//", "rem": "//", "div": "mod"}

#: Calls of predicates of the program that are added to a clause, at most: of one predicate, and of all.
_CALLS, _ADDED = 24, 150

#: Places of an added goal that cost more and more.
_PLACES = 4

#: Rows of a column of numbers in which one that is missing is looked for, at least.
_ROWS = 4

#: Numbers that programs often have.
_USUAL = [*map(str, range(6, 10)), *(str(10**power) for power in range(1, 10)), "12", "24", "26", "60", "360"]

#: Variables of a clause with which the library is called, at most.
_NAMES = 6

#: Base cases that a predicate may lack, at most.
_BASES = 120

#: For goals over lists, which of their arguments are lists.
_ON_LISTS = {
    "length": (0,), "append": (0, 1, 2), "member": (1,), "label": (0,), "labeling": (1,), "maplist": (1, 2, 3),
    "all_different": (0,), "all_distinct": (0,), "sum": (0,), "scalar_product": (0, 1), "transpose": (0, 1),
    "findall": (2,), "reverse": (0, 1), "sort": (0, 1), "msort": (0, 1), "sum_list": (0,), "nth0": (1,), "nth1": (1,),
}  # fmt: skip
_ARITHMETIC = frozenset(("is", "+", "-", "*", "//", "/", "mod", "in", "..", *_COMPARISONS, *_FD))
_LABELS = frozenset(("label", "labeling", "indomain"))


class Token(NamedTuple):
    """A token of a clause, and where it stands in the text."""

    kind: str
    start: int
    end: int
    text: str

    @property
    def span(self) -> Span:
        return self.start, self.end


def tokens(text: str, start: int, end: int) -> list[Token]:
    """The tokens of a part of a text, without space and comments."""
    found = []
    for one in TOKEN.finditer(text, start, end):
        kind = one.lastgroup or "other"
        if kind not in ("space", "comment"):
            found.append(Token(kind, one.start(), one.end(), one[0]))
    return found


@lru_cache(4096)
def standing(text: str) -> Counter[str]:
    """How often each variable stands in a text; those with a name that begins with _ are left out."""
    found = (one.text for one in tokens(text, 0, len(text)) if one.kind == "variable")
    return Counter(name for name in found if not name.startswith("_"))


def lone(text: str) -> set[str]:
    """The variables that stand once in a clause."""
    return {name for name, times in standing(text).items() if times == 1}


@dataclass(frozen=True)
class Atom:
    """A head, a goal or a compound term: a name with arguments, and the spans of these."""

    name: str
    start: int
    end: int
    arguments: tuple[tuple[int, int], ...]


def atoms(text: str, start: int, end: int) -> Iterator[Atom]:
    """The compound terms in a part of a text that are written `name(...)`, outer ones first."""
    some = tokens(text, start, end)
    for number, one in enumerate(some[:-1]):
        after = some[number + 1]
        if one.kind not in ("name", "quoted") or after.text != "(" or after.start != one.end:
            continue
        depth, begin, spans = 0, after.end, []
        for token in some[number + 1 :]:
            depth += (token.text in ("(", "[", "{")) - (token.text in (")", "]", "}"))
            if (token.text == "," and depth == 1) or depth == 0:
                spans.append(_stripped(text, begin, token.start))
                begin = token.end
            if depth == 0:
                yield Atom(one.text, one.start, token.end, tuple(spans))
                break


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    part = text[start:end]
    return start + len(part) - len(part.lstrip()), end - (len(part) - len(part.rstrip()))


def _called(clause: Clause, goal: Goal) -> tuple[str, int]:
    """The predicate that a goal calls: that of a grammar rule has two arguments more than are written."""
    hidden = 2 if clause.kind == "grammar" and goal.kind == "goal" and not goal.braces else 0
    return goal.name, goal.arity + hidden


class EditableProgram(Editing):
    """A Prolog program as text, with what its names stand for."""

    language = "pl"
    comparisons, neighbours, contrary = _GROUPS, _NEXT, _EQUAL
    signs = ("+", "-", "*", "//")

    def __init__(self, source: Source, goals: Sequence[str] = ()) -> None:
        self.source, self.text, self._goals = source, source.text, goals
        self.clauses = [one for one in source.clauses if one.kind in ("clause", "fact", "grammar")]

    @cached_property
    def defined(self) -> dict[tuple[str, int], list[Clause]]:
        """The clauses of each predicate."""
        found: dict[tuple[str, int], list[Clause]] = {}
        for one in self.clauses:
            found.setdefault((one.name, one.arity), []).append(one)
        return found

    @cached_property
    def called(self) -> Counter[tuple[str, int]]:
        """The predicates that goals call, in order, and how often."""
        return Counter(_called(one, goal) for one in self.clauses for goal in one.goals if goal.kind != "terminal")

    @cached_property
    def constants(self) -> list[str]:
        """Atoms and numbers that stand as arguments of facts."""
        found: dict[str, None] = {}
        for clause in self.clauses:
            if clause.kind == "fact":
                for atom in islice(atoms(self.text, clause.start, clause.end), 1):
                    for begin, end in atom.arguments:
                        if re.fullmatch(r"[a-z]\w*|\d+", self.text[begin:end]):
                            found[self.text[begin:end]] = None
        return list(found)[:12]

    @cached_property
    def numbers(self) -> list[str]:
        """The numbers of the program and of the goals that are asked."""
        return list(dict.fromkeys((*self._written(self.text), *chain(*map(self._written, self._goals)))))[:24]

    def _written(self, text: str) -> Iterator[str]:
        return (one.text for one in tokens(text, 0, len(text)) if one.text.isdecimal())

    @cached_property
    def _lacking(self) -> dict[Span, str]:
        """By the place of a number in a head, the one that its column lacks: 3 of `day(1). day(2). day(8). day(4).`"""
        found: dict[Span, str] = {}
        for clauses in self.defined.values():
            heads = [one for each in clauses for one in islice(atoms(self.text, each.start, each.end), 1)]
            for spans in zip(*(one.arguments for one in heads), strict=False):
                values = [self.text[begin:end] for begin, end in spans]
                if len(values) >= _ROWS and all(map(str.isdecimal, values)):
                    numbers = set(map(int, values))
                    if len(lacking := {*range(min(numbers), max(numbers))} - numbers) == 1:
                        found |= dict.fromkeys(spans, str(lacking.pop()))
        return found

    @cached_property
    def other_numbers(self) -> list[str]:
        """The fractions and codes of characters of the program."""
        some = (one.text for one in tokens(self.text, 0, len(self.text)) if one.kind == "number")
        return list(dict.fromkeys(one for one in some if not one.isdecimal()))[:12]

    @cached_property
    def _names_used(self) -> list[str]:
        """Atoms that stand as arguments of goals, the commonest first."""
        goals = (goal for clause in self.clauses for goal in clause.goals)
        inside = chain.from_iterable(tokens(self.text, goal.start + 1, goal.end) for goal in goals)
        names = (one.text for one in inside if one.kind == "name" and self.text[one.end : one.end + 1] in (",", ")"))
        return [name for name, _ in Counter(names).most_common(6)]

    @cached_property
    def ends(self) -> dict[str, list[str]]:
        """By the name of a compound term, the constants among its arguments: `nil` of `t(nil, X, nil)`."""
        found: dict[str, list[str]] = {}
        for text in (self.text, *self._goals):
            for one in atoms(text, 0, len(text)):
                for begin, end in one.arguments:
                    known = found.setdefault(one.name, [])
                    if re.fullmatch(r"[a-z]\w*", text[begin:end]) and text[begin:end] not in known:
                        known.append(text[begin:end])
        return found

    @cached_property
    def over_integers(self) -> bool:
        """Whether the program has constraints over integers."""
        return any(library.endswith("clpfd") for library in self.source.libraries)

    def of(self, span: Span) -> str:
        return self.text[span[0] : span[1]]

    def _atom(self, part: Clause | Goal) -> Atom | None:
        """The first compound term of a head or a goal."""
        return next(atoms(self.text, part.start, part.end), None)

    def _recursive(self, clause: Clause) -> Iterator[tuple[Goal, Atom]]:
        """The goals of a clause that call its own predicate."""
        for goal in clause.goals:
            call = self._atom(goal)
            if call is not None and (goal.name, goal.arity) == (clause.name, clause.arity):
                yield goal, call

    def changes(self, clause: Clause) -> Iterator[Change]:
        """All changes of a clause, offsets in characters of the whole text."""
        yield from self._contrary(clause)
        yield from self._apart_from(clause)
        yield from self._otherwise(clause)
        yield from self._quantified(clause)
        yield from self._other_base(clause)
        yield from self._going_on(clause)
        yield from self._dropped(clause)
        yield from self._tokens(clause)
        yield from self._arguments(clause)
        yield from self._names(clause)
        yield from self._added(clause)
        yield from self._order(clause)

    def simple(self, clause: Clause) -> Iterator[Change]:
        """Those of them that mutants are made of: parts left out, tests exchanged, numbers one more or less."""
        yield from (one for one in self._dropped(clause) if not one.by.startswith("\\+"))
        for one in tokens(self.text, clause.start, clause.end):
            yield from self.compared(one.span, near=True)
            if one.text.isdecimal():
                yield from self.instead("bound: one more or less", one.span, *numbers_near(one.text))

    def changed(self, change: Change, clause: Clause) -> tuple[str, str]:
        """The whole text with a change of a clause, and the clause; lines stay where they are."""
        text = self.text[: change.begin] + change.by + self.text[change.end :]
        after = text[clause.start : clause.end + len(text) - len(self.text)]
        missing = self.text[change.begin : change.end].count("\n") - change.by.count("\n")
        if missing > 0:
            at = change.begin + len(change.by)
            line = text.rfind("\n", 0, at) + 1
            at = line if not text[line:at].strip() else at  # what comes after keeps its indentation
            text = text[:at] + "\n" * missing + text[at:]
        return text, "" if change.kind == "rule" else after

    def _dropped(self, clause: Clause) -> Iterator[Change]:
        stop = re.compile(r"\s*\.").match(self.text, clause.end)
        yield self.change("rule: left out", clause.start, clause.end if stop is None else stop.end(), "")
        body = [goal for goal in clause.goals if not goal.inner]
        dropped = [*self.each_dropped("literal: left out", [(goal.start, goal.end) for goal in body])]
        if len(body) == 1 and (arrow := self.text.rfind(":-", clause.start, clause.body[0] if clause.body else 0)) >= 0:
            begin, end = len(self.text[:arrow].rstrip()), clause.body[1] if clause.body else clause.end
            dropped = [self.change("literal: the only one left out", begin, end, "")]
        for goal, change in zip(body, dropped, strict=False):
            called = _called(clause, goal)
            only = called in self.defined and self.called[called] == 1
            yield replace(change, cost=change.cost + only * MORE["the only call"])
        for goal in body:
            text = self.text[goal.start : goal.end]
            if goal.name == "\\+":
                yield self.change("negation: left out", goal.start, goal.end, text.removeprefix("\\+").strip())
            elif goal.kind == "goal" and re.match(r"[a-z]\w*\(", text):
                yield self.change("negation: added", goal.start, goal.start, "\\+ ")
        for one in tokens(self.text, clause.start, clause.end):
            if one.text == "!":
                yield self.change("literal: a cut left out", *one.span, "true")

    def _apart(self, token: Token, word: str) -> str:
        """A word in place of a token, with spaces where there are none."""
        before, after = self.text[token.start - 1 : token.start], self.text[token.end : token.end + 1]
        return f"{'' if before.isspace() else ' '}{word}{'' if after.isspace() else ' '}"

    def _tokens(self, clause: Clause) -> Iterator[Change]:
        some = tokens(self.text, clause.start, clause.end)
        variables = [name for name in clause.variables if name != "_"]
        unknown = self.called.keys() - self.defined.keys()
        alone = sorted(lone(self.text[clause.start : clause.end]))
        numbers = {int(one.text) for one in some if one.kind == "number" and one.text.isdecimal()}
        own = set(self._written(self.text))
        for one, before, after in zip(some, [None, *some], [*some[1:], None], strict=False):

            def instead(operator: str, *others: str, span: Span = one.span) -> Iterator[Change]:
                return self.instead(operator, span, *others)

            if one.kind == "number" and one.text.isdecimal():
                yield from instead("bound: the number that a column lacks", *self._lacking.get(one.span, ()))
                near = {int(one.text) + 1, int(one.text) - 1} - {-1}
                yield from instead("bound: one more or less", *map(str, near))
                yield from instead("bound: another", *map(str, sorted(numbers - near)), "0", "1")
                others = [value for value in self.numbers if int(value) not in near | numbers]
                yield from instead("bound: a number of the program", *(value for value in others if value in own))
                yield from instead("bound: a number of the goals", *(value for value in others if value not in own))
                yield from instead("bound: a small number", *self.other_numbers, "2", "3", "4", "5")
                yield from instead("bound: a usual number", *_USUAL)
                yield from instead("term: a variable for a constant", *variables)
            elif one.kind == "variable":
                yield from instead("variable: another", *variables)
                yield from instead("variable: anonymous", "_")
                yield from self.instead("term: another list", one.span, "[]", more=goal_forms.EMPTY)
                if any(
                    goal.start <= one.start < goal.end
                    and (goal.kind == "goal" or goal.name in ("is", *_COMPARISONS, *_FD))
                    for goal in clause.goals
                ):
                    yield from instead("term: one more or less", f"{one.text}+1", f"{one.text}-1")
                    yield from instead("term: a sum", *(f"{one.text} + {name}" for name in alone if name != one.text))
                yield from instead("term: a value for a variable", "0", "1")
                if before is not None and after is not None and ".." in (before.text, after.text):
                    yield from instead("bound: another end", *self.numbers)
            elif one.kind == "symbol":
                yield from self._symbol(one, before, after)
            elif one.text in _FUNCTIONS:
                yield from instead("operator: another function", _FUNCTIONS[one.text])
            elif one.text == "is":
                yield from instead("operator: evaluated", "#=", "=", "=:=")
            elif one.kind == "name" and clause.kind == "grammar" and (one.text, 2) in unknown:
                yield from instead("term: a terminal", f"[{one.text}]")
            elif one.kind == "name" and one.text in self.constants and self.text[one.end : one.end + 1] != "(":
                yield from instead("term: a known constant", *self.constants)

    def _symbol(self, one: Token, before: Token | None, after: Token | None) -> Iterator[Change]:
        """Other operators, and one operand alone."""
        yield from self.compared(one.span)
        if one.text in ("=", "==", "=:="):
            yield from self.instead("operator: evaluated", one.span, self._apart(one, "is"), "=:=", "#=")
        if one.text in _OF_TERMS:
            yield from self.instead("operator: evaluated", one.span, _OF_TERMS[one.text])
        if one.text in ("//", "/"):
            yield from self.instead("term: a remainder", one.span, self._apart(one, "mod"))
        if one.text in ("+", "-", "*", "//", "/"):
            operands = [each for each in (before, after) if each is not None and each.kind in ("variable", "number")]
            if len(operands) < 2:
                yield from self.other_signs(one.span)
            else:
                whole = operands[0].start, operands[1].end
                yield from self.calculated(whole, *(each.span for each in operands))
        if one.text in ("->", "*->"):
            yield from self.instead("operator: another arrow", one.span, "->", "*->")
        if one.text == "|":
            yield from self.instead("term: the other separator", one.span, ",")

    def _arguments(self, clause: Clause) -> Iterator[Change]:
        for atom in atoms(self.text, clause.start, clause.end):
            yield from self.swaps(atom.arguments)
            for span in atom.arguments:
                if self.of(span) == "[]" or re.fullmatch(r"[A-Z]\w*", self.of(span)):
                    yield from self._list(clause, span)
        yield from self._unstepped(clause)
        yield from self._linked(clause)
        for span in self._lists(clause):
            yield from self._list(clause, span)

    def _unstepped(self, clause: Clause) -> Iterator[Change]:
        """What is computed from a variable, the variable itself: without `N1 is N - 1`, and N for N1."""
        body = [goal for goal in clause.goals if not goal.inner]
        for goal, following in pairwise(body):
            parts = tokens(self.text, goal.start, goal.end)
            if len(parts) < 3 or parts[1].text not in ("is", "#=") or parts[0].kind != "variable":
                continue
            for old in {one.text for one in parts[2:] if one.kind == "variable"}:
                rest = re.sub(rf"\b{parts[0].text}\b", old, self.of((following.start, clause.end)))
                yield self.change("literal: a computed value left out", goal.start, clause.end, rest)

    def _linked(self, clause: Clause) -> Iterator[Change]:
        """A new variable in two places: what was handed on by a wrong name, or not at all."""
        some = [one for one in tokens(self.text, clause.start, clause.end) if one.kind == "variable"][:16]
        new = fresh(clause.variables, "V")
        for one, other in combinations(some, 2):
            by = f"{new}{self.text[one.end : other.start]}{new}"
            yield self.change("variable: a new one", one.start, other.end, by)

    def _lists(self, clause: Clause) -> Iterator[tuple[int, int]]:
        waiting: list[int] = []
        for one in tokens(self.text, clause.start, clause.end):
            if one.text == "[":
                waiting.append(one.start)
            elif one.text == "]" and waiting:
                yield waiting.pop(), one.end

    def _list(self, clause: Clause, span: Span) -> Iterator[Change]:
        """A list, or a variable, written otherwise."""
        names = [name for name in clause.variables if name != "_"]
        for other, cost in goal_forms.lists([one.text for one in tokens(self.text, *span)], names):
            yield from self.instead("term: another list", span, other, more=cost)

    def _names(self, clause: Clause) -> Iterator[Change]:
        """Other predicates: those with as many arguments, the nearest names first."""
        known = set(self.defined)
        for goal in clause.goals:
            text = self.text[goal.start : goal.end]
            if goal.kind == "terminal" or not re.match(r"[a-z]\w*(\(|$)", text):
                continue
            own = _called(clause, goal)
            for other in (*self.defined, *_LIBRARY):
                if other == own or other[1] != own[1]:
                    continue
                near = alike(goal.name, other[0])
                if other in _LIBRARY and not near:
                    continue
                span = goal.start, goal.start + len(goal.name)
                more = MORE["the only call"] if own in known and self.called[own] == 1 else 0.0
                if other in _LIBRARY and own in known and own not in _LIBRARY:
                    yield self.change("predicate: of the library", *span, other[0], more)
                else:
                    yield from self.named(span, other[0], own in known or own in _LIBRARY, near, more)
        own = (clause.name, clause.arity)
        if self.text[clause.start : clause.start + len(clause.name)] == clause.name:
            for other in (*self.called, *self.defined):
                if other[1] == clause.arity and other != own:
                    missing = other not in known and other not in _LIBRARY
                    if (near := alike(clause.name, other[0])) or missing:
                        span = clause.start, clause.start + len(clause.name)
                        yield from self.named(span, other[0], not (missing and near), True)

    def gaps(self, clause: Clause) -> dict[int, tuple[str, str]]:
        """Where a goal may be added, and what stands before and after it.

        Before what labels or recurs, at the end of the body, at its beginning, or inside.
        """
        if clause.body is None:
            places = {clause.end: (" :- ", "")}
        else:
            body = [goal for goal in clause.goals if not goal.inner]
            ends = [goal.end for goal in body[:-1]]
            labels = next((number for number, goal in enumerate(body) if self._labels(goal)), 0)
            own = next((number for number, goal in enumerate(body) if goal.predicate == clause.predicate), 0)
            places = {end: (", ", "") for before in (labels, own) for end in ends[before - 1 : before] if before}
            places |= {clause.body[1]: (", ", ""), clause.body[0]: ("", ", ")}
            for goal in clause.goals:
                places.setdefault(goal.end, (", ", ""))
                if not self.text[: goal.start].rstrip().endswith(","):
                    places.setdefault(goal.start, ("", ", "))
            for one in tokens(self.text, *clause.body):  # no goal of the clause, but a place for one
                if one.text == "true" and clause.kind != "grammar":
                    places.setdefault(one.end, (", ", ""))
        return places

    def _added(self, clause: Clause) -> Iterator[Change]:
        """A goal more."""
        gaps = self.gaps(clause)
        for operator, goals in self._more_goals(clause):
            for goal in goals:
                text, cost = (goal, 0.0) if isinstance(goal, str) else goal
                for place, (at, (before, after)) in enumerate(gaps.items()):
                    more = cost + min(place, _PLACES) * MORE["place"]
                    yield self.change(f"guard: {operator}", at, at, f"{before}{text}{after}", more)

    def _labels(self, goal: Goal) -> bool:
        return any(one.text in _LABELS for one in tokens(self.text, goal.start, goal.end))

    def _more_goals(self, clause: Clause) -> Iterator[tuple[str, Iterable[str | tuple[str, float]]]]:
        """Goals that a clause may lack by each operator, some with what they cost more than it."""
        names = [name for name in clause.variables if name != "_"]
        alone = lone(self.of((clause.start, clause.end)))
        if clause.kind == "grammar":
            yield "a form", goal_forms.goals(goal_forms.CHARACTERS if clause.body else (), {"X": names})
            yield "a goal of the program", self._borrowed(clause, names, alone)
            return
        lists, numbers = self._sorts(clause, names)
        yield "a form", self._forms(clause, names, lists, numbers, alone)
        if self.over_integers:
            yield "a form", self._domains(lists, numbers)
        given = lone(self.of((clause.start, clause.end if clause.body is None else clause.body[0])))
        yield "a call of the library", self._library(names, alone, given)
        yield "the recursive goal", self._recurring(clause, alone)
        yield "a predicate for lists", self._mapped(names, alone)
        yield "a call that starts it", self._started(clause, alone)
        yield "a call", self._calls(clause, names, alone)
        yield "a goal of the program", self._borrowed(clause, names, alone)
        yield "a cut", ["!"]

    def _forms(
        self, clause: Clause, names: Sequence[str], lists: Sequence[str], numbers: Sequence[str], alone: set[str]
    ) -> Iterator[tuple[str, float]]:
        """The usual goals."""
        posted = self.over_integers and not re.search(r"\bis\b", self.text)
        unknown = sorted(alone & {*numbers})
        written = [one for one in self.numbers if one not in ("0", "1")][:6]
        few = {"N": numbers[:6], "M": numbers[:6], "O": numbers[:6]}
        letters = {"X": sorted(names), "Y": sorted(names), "L": lists[:6], "A": sorted(alone), "B": unknown}
        letters |= {"C": written, "E": ["#=" if posted else "is"], **few}
        yield from goal_forms.goals((*goal_forms.TESTS, *goal_forms.VALUES), letters)
        if len(names) <= 4 or any(goal.name in ("is", *_COMPARISONS) for goal in clause.goals):
            yield from goal_forms.goals(goal_forms.COMPARISONS, letters)
        yield from goal_forms.goals(goal_forms.DIVISIONS[posted], {"N": numbers[:4], "M": numbers[:4]})
        if self.over_integers:
            yield from goal_forms.goals(goal_forms.DISTANCES, few)
            every = {"L": lists, "K": lists[:5], "N": numbers, "M": numbers, "B": unknown}
            yield from goal_forms.goals(goal_forms.CONSTRAINTS, every)

    def _library(self, names: Sequence[str], alone: set[str], given: set[str]) -> Iterator[tuple[str, float]]:
        """Calls of the library's predicates with variables that stand alone, `given` by the head or not."""
        ordered = [*sorted(alone), *(one for one in names if one not in alone)][:_NAMES]
        for library, arity in _LIBRARY if alone else ():
            if arity not in (2, 3) or library in _NO_RESULT.split():
                continue
            for values in permutations(ordered, arity):
                # A result is the last argument, of the head, too.
                many = len(alone.intersection(values))
                if many >= arity - 1 or (len(alone) == 1 and values[-1] in alone):
                    result = arity == 2 and values[1] in given and values[0] in alone - given
                    more = MORE["no result"] * (not result) + MORE["known"] * (many < arity)
                    yield f"{library}({', '.join(values)})", more

    def _recurring(self, clause: Clause, alone: set[str]) -> Iterator[str]:
        """The recursive goal of a clause that has none: with the rests of lists, and what stands alone."""
        head = self._atom(clause)
        if head is None or not alone or _is_recursive(clause):
            return
        options = []
        for text in map(self.of, head.arguments):
            rest = re.search(r"\|\s*([A-Z]\w*)\s*\]$", text)
            first = [one.strip() for one in text[1 : rest.start()].split(",")] if rest and text[0] == "[" else []
            rests = [f"[{','.join(first[at:])}|{rest[1]}]" for at in range(1, len(first))] if rest else []
            one = text if text in clause.variables else ""
            options.append([rest[1], *rests] if rest else [one, *sorted(alone)][not one :][:4])
        for values in islice(product(*options), _CALLS * 2):
            if alone & standing(", ".join(values)).keys():
                yield f"{clause.name}({', '.join(values)})"

    def _borrowed(self, clause: Clause, names: Sequence[str], alone: set[str]) -> Iterator[str]:
        """Goals of the program with variables of a clause in place of theirs, one at least that stands alone."""
        patterns: dict[str, Sequence[str]] = {}  # with the variables that they have first
        for (name, arity), clauses in self.defined.items():
            if clauses[0].kind == clause.kind == "grammar" and arity <= 5:
                holes_of = ", ".join(f"\0{number}\0" for number in range(arity - 2))
                patterns[f"{name}({holes_of})" if holes_of else name] = [""] * (arity - 2)
        same = (one for one in self.clauses if (one.kind == "grammar") == (clause.kind == "grammar"))
        goals = [goal for one in same for goal in one.goals]
        for text in chain((self.of((goal.start, goal.end)) for goal in goals), *map(self._alike, goals)):
            holes: dict[str, str] = {}
            pattern, at = "", 0
            for one in tokens(text, 0, len(text)):
                if one.kind == "variable" and one.text != "_":
                    pattern += text[at : one.start] + holes.setdefault(one.text, f"\0{len(holes)}\0")
                    at = one.end
            if len(holes) <= 4:
                patterns.setdefault(pattern + text[at:], list(holes))
        ordered = [*sorted(alone), *(one for one in names if one not in alone)]
        found: dict[str, None] = {}
        for pattern, own in patterns.items():
            parts = pattern.split("\0")  # at odd places the numbers of variables
            values = list(islice(permutations(ordered, len(own)), _CALLS * (10 if alone else 1)))
            values.sort(key=lambda some: -len(alone.intersection(some)))
            for some in [tuple(own), *values[:_CALLS]] if {*own} <= {*names} else values[:_CALLS]:
                if not alone or some == tuple(own) or alone.intersection(some):
                    found["".join(some[int(one)] if at % 2 else one for at, one in enumerate(parts))] = None
        return islice(found, 2 * _ADDED)

    def _alike(self, goal: Goal) -> Iterator[str]:
        """A goal with another operator, its contrary, or a variable in place of `_`."""
        some = tokens(self.text, goal.start, goal.end)
        unnamed = [one for one in some if one.text == "_"][:3]
        for one in some:
            others = [_OPPOSITE[one.text]] if one.text in _OPPOSITE else []
            for group in (_COMPARISONS, _FD):
                others += group if one.text in group else ()
            if one.text.isdecimal():
                others += {str(max(int(one.text) + more, 0)): None for more in (-1, 1)} | {"0": None}
            elif one.kind == "name" and self.text[one.end : one.end + 1] != "(" and one.start > goal.start:
                others += [name for name in self._names_used if name != one.text]
            for other in others:
                yield self.of((goal.start, one.start)) + other + self.of((one.end, goal.end))
            for place in unnamed if one.kind == "variable" and one not in unnamed else ():
                first, second = sorted((one, place))
                between = self.of((first.end, second.start))
                yield f"{self.of((goal.start, first.start))}{second.text}{between}{first.text}" + self.of(
                    (second.end, goal.end)
                )

    def _mapped(self, names: Sequence[str], alone: set[str]) -> Iterator[str]:
        """Calls by which predicates that nothing names are applied to lists: to their last arguments."""
        ordered = [*sorted(alone), *(one for one in names if one not in alone)]
        for (name, arity), clauses in self.defined.items():
            outside = (self.of((one.start, one.end)) for one in self.clauses if one not in clauses)
            head = self._atom(clauses[-1])
            if head is None or re.search(rf"\b{re.escape(name)}\b", " ".join((*outside, *self._goals))):
                continue
            for lists in range(max(1, arity - 3), min(arity, 3) + 1):
                given = list(map(self.of, head.arguments[: arity - lists]))
                if {*given} <= {*names}:
                    closure = f"{name}({', '.join(given)})" if given else name
                    forms = [("maplist", lists)]
                    forms += [("include", 2), ("exclude", 2)] if lists == 1 else [("foldl", 3)] if lists == 3 else []
                    for form, number in forms:
                        for values in islice(permutations(ordered, number), _CALLS):
                            if not alone or alone & {*values}:
                                yield f"{form}({closure}, {', '.join(values)})"

    def _calls(self, clause: Clause, names: Sequence[str], alone: set[str]) -> Iterator[tuple[str, float]]:
        """Calls of the program's predicates: first those that no other calls, and the clause's own."""
        own = (clause.name, clause.arity)
        now = self.of((clause.start, clause.end)).replace(" ", "")
        calls = []
        for called in self.defined:
            name, arity = called
            fitting = {one for other in self.defined[called] for one in other.variables}
            ordered = sorted(names, key=lambda one: (one not in alone, one not in fitting))
            unused = called not in self.called and called != own
            if 1 <= arity <= (4 if unused or called == own else 3):
                filled = list(islice(permutations([*ordered, "_"], arity), 3 * _CALLS if unused else _CALLS))
                if arity == 2:
                    filled += [(one, one) for one in ordered]
                goals = [f"{name}({', '.join(values)})" for values in filled]
                calls.append((not unused, called != own, [one for one in goals if one.replace(" ", "") not in now]))
        calls.sort(key=lambda each: each[:2])
        every = ((goal, MORE["known"] * (used and other)) for used, other, goals in calls for goal in goals)
        return islice(every, _ADDED)

    def _started(self, clause: Clause, alone: set[str]) -> Iterator[tuple[str, float]]:
        """Calls of predicates with one argument more than a clause, or two: `[]`, a number or a variable of it."""
        head = self._atom(clause)
        own = list(map(self.of, head.arguments)) if head is not None else []
        if not own or not all(one in clause.variables for one in own):
            return
        starts = ["[]", "0", "1", *(one for one in self.numbers[:6] if one not in ("0", "1")), *sorted(alone - {*own})]
        for name, arity in self.defined:
            more = arity - len(own)
            if more in (1, 2) and arity <= 5:
                filling = product(combinations(range(arity), more), product(starts[: 8 // more], repeat=more))
                for order, (places, values) in product(islice(permutations(own), 6), filling):
                    filled, rest = dict(zip(places, values, strict=True)), iter(order)
                    arguments = [filled.get(at) or next(rest) for at in range(arity)]
                    yield f"{name}({', '.join(arguments)})", MORE["another order"] * (order != tuple(own))

    def _domains(self, lists: Sequence[str], numbers: Sequence[str]) -> Iterator[tuple[str, float]]:
        """Domains of integers, each with its price: those that are written first."""
        near = {int(value) + more for value in self.numbers for more in (-1, 0, 1)} | {1, 9}
        highs = [*numbers, *map(str, sorted(value for value in near if value > 0))]
        lows = dict.fromkeys(("1", "0", *self.numbers))
        domains = [f"{low}..{high}" for high in highs for low in lows if low != high]
        written = {one[0] for one in re.finditer(r"[\w-]+\.\.[\w-]+", self.text)}
        for domain in dict.fromkeys((*sorted(written), *domains[:60])):
            cost = goal_forms.DOMAINS[0 if domain in written else 1 if domain.endswith(tuple(numbers)) else 2]
            yield from ((f"{name} ins {domain}", cost) for name in lists)
            yield from ((f"{name} in {domain}", cost) for name in numbers)

    def _sorts(self, clause: Clause, names: Sequence[str]) -> tuple[list[str], list[str]]:
        """What may be a list of a clause, and what a number, by where it stands; where nothing says so, both."""
        lists, numbers = set[str](), set[str]()
        for atom in atoms(self.text, clause.start, clause.end):
            lists |= {self.of(atom.arguments[at]) for at in _ON_LISTS.get(atom.name, ()) if at < len(atom.arguments)}
        some = tokens(self.text, clause.start, clause.end)
        for before, one, after in zip([None, *some], some, [*some[1:], None], strict=False):
            around = {each.text for each in (before, after) if each is not None}
            if one.kind != "variable":
                continue
            if (before is not None and before.text == "|") or "ins" in around:
                lists.add(one.text)
            elif around & _ARITHMETIC or (after is not None and after.text == ":"):
                numbers.add(one.text)
        written = [text for span in self._lists(clause) if "|" not in (text := self.of(span)) and "," in text]
        return (
            [*(name for name in names if name not in numbers), *dict.fromkeys(written)],
            [name for name in names if name not in lists],
        )

    def _order(self, clause: Clause) -> Iterator[Change]:
        body = [goal for goal in clause.goals if not goal.inner]
        for one, other in combinations(body, 2):
            sort = "goals" if self.text[one.end : other.start].strip() == "," else "goals of two branches"
            yield from self.swapped(f"swap: {sort}", (one.start, one.end), (other.start, other.end))
        between = [self.text[one.end : other.start].strip() for one, other in pairwise(body)]
        for (at, one), (to, other) in combinations(enumerate(body), 2):
            if to > at + 1 and {*between[at:to]} == {","}:  # before several others
                first = f"{self.of((other.start, other.end))}, {self.of((one.start, body[to - 1].end))}"
                yield self.change("swap: goals", one.start, other.end, first)
        if body and clause.kind == "clause":
            test = body[0].name in _CONTRARY or body[0].name in ("\\+", "member", "memberchk", "is_list", "var", "atom")
            if test:
                yield self.change("guard: a cut after a test", body[0].end, body[0].end, ", !")

    def _contrary(self, clause: Clause) -> Iterator[Change]:
        """The contrary of a test of another clause of the predicate: without it both clauses apply."""
        if clause.kind == "grammar":
            return
        now = self.text[clause.start : clause.end]
        for other in self.defined[clause.name, clause.arity]:
            for goal in (one for one in other.goals if other is not clause and not one.inner):
                text = self.text[goal.start : goal.end]
                operator = next((one for one in tokens(self.text, goal.start, goal.end) if one.text == goal.name), None)
                if goal.name in _CONTRARY and operator is not None:
                    left, right = self.text[goal.start : operator.start], self.text[operator.end : goal.end]
                    contrary = f"{left}{_CONTRARY[goal.name]}{right}"
                elif goal.name == "\\+":
                    contrary = text.removeprefix("\\+").strip()
                elif goal.name in ("member", "memberchk"):
                    contrary = f"\\+ {text}"
                else:
                    continue
                used = {one.text for one in tokens(contrary, 0, len(contrary)) if one.kind == "variable"}
                at = clause.end if clause.body is None else clause.body[0]
                guard = f" :- {contrary}" if clause.body is None else f"{contrary}, "
                missing = sorted(used - {*clause.variables, "_"})
                if contrary in now or len(missing) > 1:
                    continue
                if not missing:
                    yield self.change("guard: a contrary test", at, at, guard)
                for name in missing:
                    for place in self._anonymous(clause, other, name):
                        by = f"{name}{self.text[place.end : at]}{guard}"
                        yield self.change("guard: a contrary test", place.start, at, by)

    def _anonymous(self, clause: Clause, other: Clause, name: str) -> Iterator[Token]:
        """Where the head of a clause has `_`, and that of another one a variable of that name."""
        head, its = self._atom(clause), self._atom(other)
        for one, same in zip(head.arguments, its.arguments, strict=True) if head and its else ():
            pairs = list(zip_longest(tokens(self.text, *one), tokens(self.text, *same)))
            different = [(here, there) for here, there in pairs if not (here and there and here.text == there.text)]
            if len(different) == 1 and all(different[0]):
                here, there = different[0]
                if here.text == "_" and there.text == name:
                    yield here

    def _apart_from(self, clause: Clause) -> Iterator[Change]:
        """That two arguments differ, where the head of an earlier clause has one variable for both."""
        head = self._atom(clause)
        for other in self.defined[clause.name, clause.arity] if clause.kind != "grammar" else ():
            same = self._atom(other)
            if other.start >= clause.start or head is None or same is None:
                continue
            pairs = list(zip(map(self.of, same.arguments), map(self.of, head.arguments), strict=True))
            for (one, left), (two, right) in combinations(pairs, 2):
                if one == two and one in other.variables and left != right and {left, right} <= {*clause.variables}:
                    at = clause.end if clause.body is None else clause.body[0]
                    for operator in ("\\==", "\\="):
                        guard = f"{left} {operator} {right}"
                        by = f" :- {guard}" if clause.body is None else f"{guard}, "
                        yield self.change("guard: two arguments differ", at, at, by)

    def _otherwise(self, clause: Clause) -> Iterator[Change]:
        """An else branch, for an if-then that has none and fails where its test does."""
        open_: list[tuple[bool, bool]] = []  # of each bracket, whether it holds an if-then, and an alternative
        for one in tokens(self.text, clause.start, clause.end):
            if one.text in ("(", "[", "{"):
                open_.append((False, False))
            elif open_ and one.text in ("->", ";"):
                open_[-1] = open_[-1][0] or one.text == "->", open_[-1][1] or one.text == ";"
            elif open_ and one.text in (")", "]", "}") and open_.pop() == (True, False):
                yield self.change("literal: an else branch", one.start, one.start, " ; true")

    def _quantified(self, clause: Clause) -> Iterator[Change]:
        """`V^` before the goal of a setof or bagof, for its variables that stand nowhere else."""
        for atom in atoms(self.text, clause.start, clause.end):
            if atom.name in ("setof", "bagof", "aggregate") and len(atom.arguments) == 3:
                inside, outside = self.of(atom.arguments[1]), self.of(atom.arguments[0])
                whole = standing(self.of((clause.start, clause.end)))
                here = standing(inside).items()
                free = [name for name, times in here if times == whole[name] and name not in outside]
                at = atom.arguments[1][0]
                several = ["".join(f"{name}^" for name in free)] if len(free) > 1 else []
                for before in (*several, *(f"{name}^" for name in free)):
                    if not inside.startswith(before):
                        yield self.change("term: quantified", at, at, before)

    def _going_on(self, clause: Clause) -> Iterator[Change]:
        """The recursive goal of another clause in one that ends: `del(X, [X|T], R) :- del(X, T, R)`."""
        head, own = self._atom(clause), (clause.name, clause.arity)
        if head is None or clause.kind == "grammar" or own in [(goal.name, goal.arity) for goal in clause.goals]:
            return
        arguments = list(map(self.of, head.arguments))
        calls = dict.fromkeys(
            tuple(map(self.of, call.arguments)) for other in self.defined[own] for _, call in self._recursive(other)
        )
        for values in calls:
            if not any(now.endswith((f"|{new}]", f"| {new}]")) for now, new in zip(arguments, values, strict=True)):
                continue
            inner = [now if now.startswith("[") else new for now, new in zip(arguments, values, strict=True)]
            body = "" if clause.body is None else f"{self.of(clause.body)}, "
            rule = f"{clause.name}({', '.join(inner)}) :- {body}{clause.name}({', '.join(values)})"
            yield self.change("literal: the recursive goal", clause.start, clause.end, rule)

    def _passing(self, clauses: Sequence[Clause]) -> Iterator[tuple[Clause, Change]]:
        """For a recursive clause on a list, one that passes over an element: `p([_|T], R) :- p(T, R).`; or keeps it.

        It is likely lacking after a single one with a cut: nothing is said of elements that fail the test before it.
        """
        single = sum(map(_is_recursive, clauses)) == 1
        for clause in clauses:
            head = self._atom(clause)
            cut = " after a cut" if single and any(goal.name == "!" for goal in clause.goals[1:]) else ""
            for _, call in self._recursive(clause):
                texts = list(map(self.of, call.arguments))
                for at, span in enumerate(head.arguments if head is not None else ()):
                    if re.fullmatch(rf"\[\s*\w+\s*\|\s*{re.escape(texts[at])}\s*\]", self.of(span)):
                        new = fresh(clause.variables, "E")
                        kept = [(other, new) for other, text in enumerate(texts) if re.fullmatch(r"[A-Z]\w*", text)]
                        for other, element in [(at, "_"), *kept]:
                            values = list(texts)
                            for place in {at, other}:
                                values[place] = f"[{element}|{texts[place]}]"
                            rule = f"{clause.name}({', '.join(values)}) :- {clause.name}({', '.join(texts)})."
                            yield self._new(f"clause: passes over an element{cut}", clause, rule)

    def _ended(self, clause: Clause) -> Iterator[str]:
        """A recursive clause without its recursive goal, two arguments of which are the same: `p(X, Z) :- q(X, Z).`"""
        body = [goal for goal in clause.goals if not goal.inner]
        for number, goal in enumerate(body):
            if len(body) < 2 or (goal.name, goal.arity) != (clause.name, clause.arity):
                continue
            begin, end = (goal.start, body[1].start) if number == 0 else (body[number - 1].end, goal.end)
            rest = line_of(self.of((clause.start, begin)) + self.of((end, clause.end)))
            yield f"{rest}."
            for one, other in permutations([name for name in goal.variables if name != "_"], 2):
                yield re.sub(rf"\b{one}\b", other, f"{rest}.")

    def _base_cases(self, clauses: Sequence[Clause]) -> Iterator[list[str]]:
        """Arguments of base cases for the recursive clauses of a predicate."""
        for clause in clauses:
            head = self._atom(clause)
            if _is_recursive(clause) and head is not None and head.start == clause.start:
                yield from _bases(list(map(self.of, head.arguments)), self.ends)

    def _other_base(self, clause: Clause) -> Iterator[Change]:
        for values in self._base_cases(self.defined[clause.name, clause.arity]) if clause.kind == "fact" else ():
            by = f"{clause.name}({', '.join(values)})"
            yield self.change("term: another base case", clause.start, clause.end, by)

    def _new(self, operator: str, clause: Clause, text: str, more: float = 0.0) -> tuple[Clause, Change]:
        """A clause after one that is there."""
        stop = self.text.find(".", clause.end) + 1 or len(self.text)
        return clause, self.change(operator, stop, stop, f" {text}", more)

    def tables(self) -> Iterator[tuple[Clause, Change]]:
        """Directives that table a recursive predicate, each before its first clause: on a cycle it does not end."""
        for (name, arity), clauses in self.defined.items():
            if clauses[0].kind != "grammar" and any(map(_is_recursive, clauses)):
                at, directive = clauses[0].start, f":- table {name}/{arity}. "
                yield clauses[0], self.change("table: a directive", at, at, directive)

    def new_clauses(self) -> Iterator[tuple[Clause, Change]]:
        """Clauses that could be missing, each after one that is there: base cases above all."""
        for (name, _), clauses in self.defined.items():
            last = clauses[-1]
            empty = " --> []" if last.kind == "grammar" else ""
            for values in self._base_cases(clauses):
                yield self._new("clause: a base case", last, f"{name}({', '.join(values)}){empty}.")
            yield from self._passing(clauses)
            for clause in clauses:
                yield from (self._new("clause: ends a recursion", clause, rule) for rule in self._ended(clause))
                yield from self._again(clause)
        for name, arity in self.called:
            if (name, arity) in self.defined or (name, arity) in _LIBRARY or not 1 <= arity <= 2:
                continue
            # An unknown predicate: one that is known, with its arguments in either order.
            for other, width in self.defined:
                if width == arity and self.clauses:
                    variables = ["X", "Y"][:arity]
                    for order in permutations(variables):
                        rule = f"{name}({', '.join(variables)}) :- {other}({', '.join(order)})."
                        yield self._new("definition: another predicate", self.clauses[-1], rule)

    def _again(self, clause: Clause) -> Iterator[tuple[Clause, Change]]:
        """A clause once more, with two arguments exchanged, or without one of its goals: a case of its own."""
        swapped = ((one, "with a swap", one.cost) for one in self._arguments(clause) if one.kind == "swap")
        dropped = (
            (one, "without a goal", 0.0) for one in self._dropped(clause) if one.kind == "literal" and one.by == ""
        )
        for change, sort, more in chain(swapped, dropped):
            text = self.of((clause.start, change.begin)) + change.by + self.of((change.end, clause.end))
            yield self._new(f"clause: once more {sort}", clause, f"{line_of(text)}.", more)


def _is_recursive(clause: Clause) -> bool:
    return any(_called(clause, goal) == (clause.name, clause.arity) for goal in clause.goals)


def _bases(texts: Sequence[str], ends: Mapping[str, Sequence[str]]) -> Iterator[list[str]]:
    """Arguments of a base case, from those of a recursive clause; `ends` as in `EditableProgram`."""
    lists = {number for number, text in enumerate(texts) if text.startswith("[")}
    terms = {number: some[:3] for number, text in enumerate(texts) if (some := ends.get(text.partition("(")[0], ()))}
    if len(texts) > 5:
        return
    if not (lists or terms):
        for numbers in product(("X", "0", "1", "_"), repeat=len(texts)):
            if numbers.count("X") != 1 and {*numbers} - {"_"}:
                yield list(numbers)
        return

    def options(at: int) -> Sequence[str]:
        if at in lists:
            return "[]", "[X]", "_", "L", "X"
        if at in terms:
            parts = re.split(r"\b([A-Z_]\w*)", texts[at])  # variables at odd places: one of them stays
            places = range(1, len(parts), 2)
            fills = [["X" if place == one else terms[at][0] for place in places] for one in places]
            leaves = ["".join(chain(*zip_longest(parts[::2], fill, fillvalue=""))) for fill in fills]
            return *terms[at], *leaves, "X", "_"
        return "_", "X", "[]" if terms else "L", "0", "1", "L" if terms else "[]"

    def apt(values: Sequence[str]) -> bool:
        """Whether something is at its end, and variables stand twice."""
        at_end = any(values[at] in ("[]", "[X]") for at in lists)
        at_end = at_end or any(values[at] in some for at, some in terms.items())
        inside = sum("X" in value for value in values)
        return at_end and values.count("L") != 1 and ("X" not in values or inside > 1)

    every = [list(enumerate(options(at))) for at in range(len(texts))]
    ranked = sorted(product(*every), key=lambda each: (sum(rank for rank, _ in each), [rank for rank, _ in each]))
    yield from islice((values for each in ranked if apt(values := [value for _, value in each])), _BASES)


#: Of a predicate, the one with the contrary result.
_OPPOSITE = {"include": "exclude", "max_list": "min_list", "max_member": "min_member", "sum_list": "max_list"}
_OPPOSITE |= {"min": "max", "first": "last", "upcase_atom": "downcase_atom", "string_upper": "string_lower"}
_OPPOSITE |= {other: one for one, other in _OPPOSITE.items()}

#: Library predicates that make nothing of two variables alone.
_NO_RESULT = "is format phrase maplist forall delete exclude include findall aggregate_all setof bagof memberchk"

#: Predicates of SWI-Prolog that programs of students call.
_LIBRARY: dict[tuple[str, int], None] = {}
for _names, _arity in (
    ("nl true fail", 0),
    ("not call atom number var nonvar write format label all_different all_distinct", 1),
    ("member length reverse last sum_list max_list min_list memberchk msort sort permutation is format", 2),
    ("labeling maplist succ atom_chars atom_length number_codes forall list_to_set phrase", 2),
    ("string_chars string_codes string_length string_lower string_upper number_string atom_string atom_number", 2),
    ("atom_codes char_code number_chars upcase_atom term_to_atom atomic_list_concat text_to_string", 2),
    ("string_to_atom max_member min_member pairs_keys pairs_values list_to_ord_set same_length", 2),
    ("append nth0 nth1 select delete exclude include maplist between findall sum plus aggregate_all setof bagof", 3),
    ("subtract intersection union atom_concat phrase numlist", 3),
    ("string_concat atomic_list_concat pairs_keys_values nth0 nth1 select", 3),
    ("maplist foldl", 4),
):
    _LIBRARY |= {(_name, _arity): None for _name in _names.split()}
