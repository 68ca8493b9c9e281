"""The names that comments give to the rules of a clingo program.

    %! row {R}: no value stands twice in a row.
    :- cell(R, C, V), cell(R, C', V), C < C'.

A comment that begins with `%!` and a blank names the statements below it, up to a blank line: a name, a colon, and a
sentence for people, which may be missing. Terms in braces, over variables of the statements, tell the instances of a
rule apart; the sentence may have them, too. A name that holds a colon stands in quotes, and a `%!` line that begins
with three blanks goes on with the sentence. Several statements may share a name. Two words stand in place of a name:

- `always`: the statements are never in question (a cell holds one value).
- `implied`: the statements follow from other rules, and are left out where rules are put in question one by one.

A `%! test NAME: ...` line is a test (`bridge.debugging.expectations`), and names nothing; neither do its `%! fact` and
`%! const` lines. A rule's name that begins with the word `test` stands in quotes.

clingo takes all of this for comments. The annotations of xclingo (`%!trace_rule {"..."}` and so on) name nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal

from bridge.asp.decode import Function
from bridge.common.lazy import regex
from bridge.errors import Place, ProgramError

#: The first line of a test, and what belongs to a test.
TEST = regex(r"\s*%!\s+test\s+\S")
_OF_TEST = regex(r"\s*%!\s+(fact\s|const\s|\s{2,})")

_COMMENT = regex(r"\s*%!\s+(?P<text>\S.*)")
_CONTINUED = regex(r"\s*%!\s{3,}(?P<text>\S.*)")
_NAMED = regex(r'(?:"(?P<quoted>[^"]+)"|(?P<plain>[^:"]+)):(?:\s+(?P<sentence>\S.*))?$')
_BRACES = regex(r"\{([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class Switching:
    """Which rules get switches."""

    #: Names as comments have them (`row {R}`), or places of statements (`rooms.lp:12:1`). Empty: all of them.
    only: tuple[str, ...] = ()
    unnamed: bool = True  #: Whether statements without a name get one, too; otherwise they always hold.
    #: Whether rules with a head and facts get one, not only constraints and the bounds of choices.
    definitions: bool = False
    #: Whether statements under `implied` stay. As a rule they go: they say what several rules say together.
    implied: bool = False
    #: Names or places, as in `only`, of statements that are left out; of some with the same name, by their places.
    dropped: tuple[str, ...] = ()
    #: Whether each instance of a rule gets a switch of its own, with the values of the rule's variables.
    instances: bool = False
    #: Whether a statement that does not fit its name is called by its place; otherwise that is an error.
    lenient: bool = False
    show_all: bool = False  #: Whether `#show` is ignored, so that every atom is shown.
    #: Of an incremental program the step up to which it is ground, all at once: `base`, `step(t)` and `check(t)`.
    steps: int | None = None
    #: The predicates, each a name and its arity, whose plain facts (`reading.plain_facts`) are open: an answer set
    #: may have them or not, and the atom of each is its switch. All other plain facts hold. None: plain facts are
    #: statements as any other.
    facts: tuple[tuple[str, int], ...] | None = None
    #: The predicates that have their plain facts; those of all others are left out. None: all predicates.
    stated: tuple[tuple[str, int], ...] | None = None
    #: Plain facts as clingo writes them: of the predicates in `facts`, only these are open. None: all of them are.
    some: tuple[str, ...] | None = None
    rest: bool = True  #: Whether the others hold; if not, they are left out.


@dataclass(frozen=True, slots=True)
class RuleName:
    """What a comment says of the statements below it."""

    pattern: str  #: The name, with terms in braces: `row {R}`. Empty for `always` and `implied`.
    sentence: str  #: What the rule says, for people; it may have terms in braces, too. Empty if there is none.
    place: Place  #: Where the comment stands.
    #: `named`, or one of the two words that stand in place of a name.
    use: Literal["named", "always", "implied"] = "named"

    @property
    def terms(self) -> tuple[str, ...]:
        """The terms in the name's braces, as they are written."""
        return tuple(_BRACES.findall(self.pattern))

    def says(self, name: str) -> str | None:
        """The sentence for an instance of this rule, given by its full name; None when it is not one.

        >>> rule = RuleName("s{S} < s{S'}", "slot {S} is before slot {S'}", Place())
        >>> rule.says("s1 < s3")
        'slot 1 is before slot 3'
        """
        parts = _BRACES.split(self.pattern)
        matcher = "".join(r"(\S+?)" if number % 2 else re.escape(part) for number, part in enumerate(parts))
        found = re.fullmatch(matcher, name)
        if found is None:
            return None
        values = dict(zip(self.terms, found.groups(), strict=True))
        return _BRACES.sub(lambda braces: values.get(braces[1], braces[0]), self.sentence)


def read_names(text: str, file: str | None = None) -> dict[int, RuleName]:
    """The name that each line of a program has, by the line's number, from 1. Lines without a name are left out."""
    found: dict[int, RuleName] = {}
    if "%!" not in text:
        return found
    current: RuleName | None = None
    in_test = False
    for number, line in enumerate(text.splitlines(), 1):
        if TEST.match(line) is not None or (in_test and _OF_TEST.match(line) is not None):
            current, in_test = None, True
            continue
        in_test = in_test and line.lstrip().startswith("%") and _COMMENT.match(line) is None
        if current is not None and (more := _CONTINUED.match(line)) is not None:
            sentence = f"{current.sentence} {more['text'].rstrip()}"
            current = RuleName(current.pattern, sentence, current.place, current.use)
        elif (comment := _COMMENT.match(line)) is not None:
            current = _read(comment["text"].rstrip(), Place(file, number, comment.start("text") + 1))
        elif not line.strip():
            current = None
        elif current is not None:
            found[number] = current
    return found


def _read(text: str, place: Place) -> RuleName:
    named = _NAMED.match(text)
    name, sentence = (text, "") if named is None else (named["quoted"] or named["plain"], named["sentence"] or "")
    name = name.strip()
    if name == "always":
        return RuleName("", sentence, place, "always")
    if name == "implied":
        return RuleName("", sentence, place, "implied")
    if "{" in _BRACES.sub("", name) or "}" in _BRACES.sub("", name):
        raise ProgramError(f"the braces in the name `{name}` do not match", where=place)
    return RuleName(name, sentence, place)


def instance_name(pattern: str, values: tuple[Any, ...]) -> str:
    """The name of an instance of a rule, from the values of the terms in its braces.

    >>> instance_name("box {B}", ((1, 2),)), instance_name("{N} {D}", (3, Function("down")))
    ('box (1,2)', '3 down')
    """
    left = list(values)
    return _BRACES.sub(lambda _: shown_in_name(left.pop(0)), pattern) if left else pattern


def filled(rule: RuleName, values: tuple[Any, ...]) -> str:
    """The sentence of an instance of a rule, from the values of the terms in its name's braces."""
    written = dict(zip(rule.terms, map(shown_in_name, values), strict=False))
    return _BRACES.sub(lambda braces: written.get(braces[1], braces[0]), rule.sentence)


def shown_in_name(value: Any) -> str:
    """A term as a name shows it: as clingo writes it, but strings without quotes."""
    if isinstance(value, Function):
        name, arguments = f"{'' if value.positive else '-'}{value.name}", ",".join(map(shown_in_name, value.arguments))
        return f"{name}({arguments})" if arguments else name
    if isinstance(value, tuple):
        return f"({','.join(map(shown_in_name, value))}{',' if len(value) == 1 else ''})"
    return str(value)
