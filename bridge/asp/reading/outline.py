"""What a clingo program consists of: its statements.

`bridge.asp.reading.statements` reads them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import compress
from typing import Annotated, Any, Literal

from bridge.asp.decode import is_name
from bridge.asp.reading.names import RuleName
from bridge.common.lazy import regex
from bridge.errors import InputError, Place

Kind = Literal["fact", "definition", "choice", "disjunction", "constraint", "theory", "external"]
#: A predicate and its arity; the name has a minus sign where it is classically negated.
Signature = tuple[str, int]

#: Numbers that are sent as an array: there may be very many.
Numbers = Annotated[Sequence[int], "I"]


def signatures(show: str | Iterable[str]) -> frozenset[Signature]:
    """Predicates written as `cell/3`, several with commas between them or as a list; InputError for what is none."""
    found = set[Signature]()
    for text in show.split(",") if isinstance(show, str) else show:
        name, slash, arity = text.strip().rpartition("/")
        if not (slash and is_name(name.removeprefix("-")) and arity.isdecimal()):
            raise InputError(f"{text.strip()!r} is not a predicate", hint="write it as in cell/3")
        found.add((name, int(arity)))
    return frozenset(found)


@dataclass(frozen=True, slots=True)
class Statement:
    """A fact or rule of a program."""

    kind: Kind  #: `choice` has a choice in its head, `disjunction` several alternatives, `theory` a theory atom.
    place: Place  #: Where it begins.
    text: str  #: As it stands in the program.
    name: RuleName | None  #: What a comment says of it.
    #: The predicates that it defines, and those that it uses, in conditions and aggregates, too.
    heads: frozenset[Signature]
    body: frozenset[Signature]
    #: The predicates inside aggregates whose value is assigned to a variable: `N = #sum { X : p(X) }`.
    assigns: frozenset[Signature]
    #: The predicates of `body` that stand under `not` or in an aggregate; of a disjunction with conditions, those of
    #: the head, too.
    negative: frozenset[Signature] = frozenset()
    #: The variables that the body binds: their values tell the instances of a rule apart.
    variables: tuple[str, ...] = ()
    #: Of a choice of exactly one atom for each instance, `{ at(L, S) : slot(S) } = 1 :- lesson(L).`: the positions of
    #: the arguments that are chosen, here 1. Of all others, none.
    values: tuple[int, ...] = ()
    conditional: bool = False  #: Whether it is a disjunction with conditions, as in `a : b ; c.`

    def __post_init__(self) -> None:
        if self.values and not 0 <= min(self.values) <= max(self.values) < len(self.text):
            raise ValueError("a value of a choice has no place")

    @property
    def in_question(self) -> bool:
        """Whether it may get a switch: it is not marked `always` or `implied`."""
        return self.name is None or self.name.use == "named"

    @property
    def uses(self) -> frozenset[Signature]:
        """The predicates that it depends on when it is in question: the bounds of a choice count its atoms."""
        return self.body | self.heads if self.kind == "choice" else self.body

    @property
    def key(self) -> str:
        """What its switch is called: the name, its variables in braces, or its place."""
        if self.name is not None and self.name.use == "named":
            return self.name.pattern
        return str(self.place)


#: A string of clingo, or blanks outside of one.
_BLANKS = regex(r'("(?:\\["\\n]|[^"\\\n])*")|[ \t]+')


def plain(fact: str) -> str:
    """The atom of a plain fact as clingo writes it: without the dot, and without blanks.

    >>> plain('at(ada, "room 5").')
    'at(ada,"room 5")'
    """
    return _spaceless(fact)[:-1]


def _spaceless(fact: str) -> str:
    return _BLANKS.sub(lambda blank: blank[1] or "", fact) if " " in fact or "\t" in fact else fact


@dataclass(frozen=True, slots=True)
class Facts:
    """The plain facts of a file or a text (`reading.plain_facts`): very many, perhaps, so they are not objects."""

    file: str  #: What their places have as file.
    texts: Sequence[str] = ()  #: Each as it stands in the program, with its dot.
    lines: Numbers = ()  #: Where each begins.
    columns: Numbers = ()
    predicates: Numbers = ()  #: The predicate of each, as an index into `signatures`.
    signatures: tuple[Signature, ...] = ()  #: The predicates that there are.

    def __post_init__(self) -> None:
        if not len(self.texts) == len(self.lines) == len(self.columns) == len(self.predicates):
            raise ValueError("each fact has a text, a place and a predicate")
        if self.predicates and max(self.predicates) >= len(self.signatures):
            raise ValueError("a fact has no predicate")

    def __len__(self) -> int:
        return len(self.texts)

    def place(self, number: int) -> Place:
        return Place(self.file, self.lines[number], self.columns[number])

    def statement(self, number: int) -> Statement:
        heads = frozenset((self.signatures[self.predicates[number]],))
        place, none = self.place(number), frozenset[Signature]()
        return Statement("fact", place, self.texts[number], None, heads, none, none)

    def atom(self, number: int) -> str:
        """The atom of one of them, as clingo writes it."""
        return plain(self.texts[number])

    # Of a million facts, each is looked at by C alone.

    def stating(self, atoms: Collection[str]) -> Iterable[int]:
        """The numbers of those whose atom is one of some."""
        together = "".join(self.texts)
        spaced = " " in together or "\t" in together
        return self._numbers({f"{atom}." for atom in atoms}, map(_spaceless, self.texts) if spaced else self.texts)

    def of(self, signatures: Set[Signature]) -> Iterable[int]:
        wanted = {number for number, one in enumerate(self.signatures) if one in signatures}
        if len(wanted) in (0, len(self.signatures)):
            return range(len(self) if wanted else 0)
        return self._numbers(wanted, self.predicates)

    def _numbers(self, wanted: Set[Any], values: Iterable[Any]) -> Iterable[int]:
        """The numbers of those that have one of the wanted values."""
        return compress(range(len(self)), map(wanted.__contains__, values))

    def number_in(self, line: int) -> int:
        """How many begin in a line."""
        return bisect_right(self.lines, line) - bisect_left(self.lines, line)


@dataclass(frozen=True, slots=True)
class Outline:
    """What a program consists of."""

    statements: tuple[Statement, ...]  #: Its facts and rules, in their order, but for plain facts.
    facts: tuple[Facts, ...] = ()  #: The plain facts of each file and text.
    shown: frozenset[Signature] | None = None  #: The predicates that `#show` names, or None when everything is shown.
    #: What it minimises, by `#minimize`, `#maximize` and weak constraints: of each the priority, weight and terms, and
    #: the condition.
    costs: tuple[tuple[str, str, str], ...] = ()
    terms: bool = False  #: Whether `#show` has terms with conditions: `#show X : p(X).`
    incremental: bool = False  #: Whether it is in the incremental mode.
    constants: tuple[str, ...] = ()  #: The names that `#const` defines.
    scripts: bool = False  #: Whether it has scripts.
    externals: tuple[Statement, ...] = ()  #: The `#external` statements, which define nothing.
    edges: tuple[Place, ...] = ()  #: Where the `#edge` statements begin.

    @property
    def given(self) -> frozenset[Signature]:
        """The predicates of plain facts."""
        return frozenset(one for facts in self.facts for one in facts.signatures)

    def stating(self, atoms: Iterable[str]) -> dict[str, list[Statement]]:
        """The plain facts that state each of some atoms, which are as clingo writes them."""
        found: dict[str, list[Statement]] = {atom: [] for atom in atoms}
        for facts in self.facts:
            for number in facts.stating(found):
                found[facts.atom(number)].append(facts.statement(number))
        return found

    @property
    def by_domain(self) -> bool:
        """Whether what rules mean depends on what others can derive, as in `a : b :- c.`

        gringo leaves out of a disjunction what has a condition that nothing can derive, so that an empty one is false.
        A rule with a switch that is off still can: the disjunction is not the one without the rule.
        """
        return any(one.conditional for one in self.statements)

    @property
    def beyond_question(self) -> str | None:
        """What forbids answer sets and is in no clash, as a sentence."""
        if not self.edges:
            return None
        at = f"{self.edges[0]}{f' and {len(self.edges) - 1} more' if len(self.edges) > 1 else ''}"
        return f"that the edges of #edge have no circle ({at}) is not in question, and may be a part of the clash"

    @property
    def size(self) -> int:
        return len(self.statements) + sum(map(len, self.facts))

    def every(self) -> Iterator[Statement]:
        """All statements, plain facts too, by file and text."""
        yield from self.statements
        for facts in self.facts:
            yield from map(facts.statement, range(len(facts)))
