"""What the search learned, in the program's words: its short lemmas, by their form.

clasp learns that some atoms cannot hold together, mostly for many atoms that differ in their arguments alone. Such
lemmas have one form, the atoms with variables in place of the arguments: `at(L,S), at(L2,S), at(L3,S)`. Arguments are
the same variable where they are the same value of the same sort (`bridge.asp.context.Context`).

A form is a constraint that the program may be lacking. Whether it holds in general is asked of the solver: do the
constraints that its lemmas were derived with, and the rules of the program, exclude it on this instance? Where these
have no answer set at all that says nothing, and the form is only listed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise, permutations
from typing import Any

import clingo

from bridge.as_json import Json
from bridge.asp.context import Context, atoms, signature_of
from bridge.asp.text import Text
from bridge.errors import Place
from bridge.profiling.grounding_profile import SearchProfile

#: Forms that the solver is asked about, and that are listed; lemmas that make a form worth listing.
ASKED, LISTED, OFTEN = 12, 3, 5

#: An atom of a form: name, and the number of the variable of each argument.
_Atom = tuple[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Learned(Json):
    """A form of lemmas: atoms that cannot hold together."""

    atoms: tuple[str, ...]  #: With variables.
    constraint: str  #: The same as a constraint that can be added to the program.
    example: tuple[str, ...]  #: The atoms of a lemma.
    lemmas: int  #: How many have this form.
    constraints: tuple[Place, ...]  #: The places of the constraints that they were derived with.
    implied: bool  #: Whether these and the rules of the program were found to exclude all of it on the instance.
    numbers: tuple[int, ...]  #: The numbers of these constraints, in the order of the program.
    shared: tuple[str, ...]  #: The variables that all atoms have.

    @property
    def question(self) -> tuple[str, tuple[str, ...], tuple[int, ...]]:
        """What is asked of the solver."""
        return self.constraint.removeprefix(":- ").removesuffix("."), self.shared, self.numbers

    _json = ("atoms constraint example lemmas constraints implied",)

    def lines(self) -> Iterator[str]:
        """The form as people read it."""
        by = f"; derived with {', '.join(map(str, self.constraints))}" if self.constraints else ""
        yield f"  {self.lemmas:>8,}  {self.constraint}{'  (implied)' * self.implied}"
        yield f"            such as {', '.join(self.example)}{by}"


def learned(found: SearchProfile, texts: Sequence[Text]) -> list[Learned]:
    """The forms of the short lemmas, of few atoms first, then the most frequent; not asked about yet."""
    context, words = Context.of(*texts), _words(texts)
    number: Counter[tuple[_Atom, ...]] = Counter()
    first: dict[tuple[_Atom, ...], tuple[tuple[str, ...], tuple[tuple[clingo.Symbol, ...], ...]]] = {}
    used: dict[tuple[_Atom, ...], set[int]] = {}
    for lemma, constraints in found.short:
        try:
            terms = [clingo.parse_term(one, logger=lambda code, text: None) for one in lemma]
        except RuntimeError:  # a string was taken apart
            continue
        form, order = _form(terms, context)
        if not _linked(form):
            continue
        number[form] += 1
        first.setdefault(form, (tuple(map(str, order)), tuple(tuple(one.arguments) for one in order)))
        used.setdefault(form, set()).update(constraints)
    places = {one.number: one.place for one in found.constraints}
    result: list[Learned] = []
    for form, count in sorted(number.items(), key=lambda pair: (len(pair[0]), -pair[1])):
        if count < OFTEN:
            continue
        names = _names(form, words)
        shown = tuple(f"{name}({','.join(names[one] for one in of)})" for name, of in form)
        body = ", ".join([*shown, *_different(form, names, context)])
        kept = tuple(sorted(used[form]))
        derived = tuple(places[one] for one in kept)
        shared = tuple(names[one] for one in dict.fromkeys(form[0][1]) if all(one in of for _, of in form))
        result.append(Learned(shown, f":- {body}.", first[form][0], count, derived, False, kept, shared))
    return result[:ASKED]


def with_answers(forms: Sequence[Learned], answers: Sequence[bool]) -> tuple[Learned, ...]:
    """Forms with what the solver says of them, those first that are implied."""
    known = [replace(one, implied=answer) for one, answer in zip(forms, answers, strict=True)] if answers else forms
    return tuple(sorted(known, key=lambda one: not one.implied)[:LISTED])


def learned_lines(forms: Sequence[Learned]) -> Iterator[str]:
    """The forms as people read them."""
    if forms:
        yield "  what the search learned, by form (approximate; implied: it follows from the program):"
    for form in forms:
        yield from form.lines()


def _form(terms: Sequence[clingo.Symbol], context: Context) -> tuple[tuple[_Atom, ...], Sequence[clingo.Symbol]]:
    """The form of some atoms, the same in whatever order they are, and the atoms in its order."""

    def numbered(order: Sequence[clingo.Symbol]) -> tuple[_Atom, ...]:
        variables: dict[Any, int] = {}
        found: list[_Atom] = []
        for term in order:
            arguments = enumerate(term.arguments)
            keys = [(context.sort((term.name, len(term.arguments), at)), one) for at, one in arguments]
            name = term.name if term.positive else f"-{term.name}"
            found.append((name, tuple(variables.setdefault(one, len(variables)) for one in keys)))
        return tuple(found)

    return min(((numbered(order), order) for order in permutations(terms)), key=lambda pair: pair[0])


def _linked(form: Sequence[_Atom]) -> bool:
    """Whether each atom has a variable of one before it, or by these of another: else it says nothing in general."""
    together = set(form[0][1])
    rest = list(form[1:])
    while joined := [one for one in rest if together & {*one[1]}]:
        together.update(*(of for _, of in joined))
        rest = [one for one in rest if one not in joined]
    return not rest


def _words(texts: Sequence[Text]) -> dict[tuple[str, int, int], str]:
    """The variable that the program has first in each column."""
    found: dict[tuple[str, int, int], str] = {}
    for text in texts:
        for statement in text.statements:
            for atom in atoms(statement):
                name, arity = signature_of(atom)
                for at, argument in enumerate(getattr(atom.symbol, "arguments", ())):
                    if str(argument)[:1].isupper() and str(argument).isalnum():
                        found.setdefault((name, arity, at), str(argument))
    return found


def _names(form: Sequence[_Atom], words: dict[tuple[str, int, int], str]) -> dict[int, str]:
    """The name of each variable."""
    found: dict[int, str] = {}
    for name, of in form:
        for at, one in enumerate(of):
            if one not in found:
                word = words.get((name, len(of), at), "X")
                taken = sum(known.rstrip("0123456789") == word.rstrip("0123456789") for known in found.values())
                found[one] = word if word not in found.values() else f"{word.rstrip('0123456789')}{taken + 1}"
    return found


def _different(form: Sequence[_Atom], names: dict[int, str], context: Context) -> Iterator[str]:
    """That atoms are not the same one, nor arguments of other atoms that are of one sort."""
    for (name, of), (other, those) in pairwise(form):
        if name == other and len(of) == len(those):
            apart = [(one, two) for one, two in zip(of, those, strict=True) if one != two]
            left, right = (",".join(names[one] for one in side) for side in zip(*apart, strict=True))
            sign = "<" if not {one for one, _ in apart} & {two for _, two in apart} else "!="
            yield f"({left}) {sign} ({right})" if len(apart) > 1 else f"{left} {sign} {right}"
    for (name, of), (other, those) in combinations(form, 2):
        if (name, len(of)) != (other, len(those)):
            for at, one in enumerate(of):
                for place, two in enumerate(those):
                    sorts = context.sort((name, len(of), at)), context.sort((other, len(those), place))
                    if one != two and sorts[0] == sorts[1] and one not in those and two not in of:
                        yield f"{names[one]} != {names[two]}"
