"""Goals that clauses of Prolog often have, as forms, each with its price.

A letter of a form stands for something of the clause or the program: `X` and `Y` for any variable, `A` for one that
stands alone, `N`, `M` and `O` for numbers, `B` for a number that stands alone, `L` and `K` for lists, `C` for a number
that is written in the program, `E` for `is` or `#=`.

    >>> [*goals(TESTS[:1], {"X": ["V", "W"], "Y": ["V", "W"]})]
    [('V \\\\= W', 1.6)]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

_LETTER = re.compile(r"\b[A-Z]\b")


class Form(NamedTuple):
    """A goal."""

    text: str
    price: float  #: How unlikely it is.
    ordered: str = ""  #: Two letters whose values come in their order alone.


def _each(text: str, price: float, *signs: str, ordered: str = "") -> list[Form]:
    """A form for each of some texts in place of `?`."""
    return [Form(text.replace("?", one), price, ordered) for one in signs]


#: Tests of any variables; those where there are few variables, or numbers are compared already.
TESTS = (
    *_each("X ? Y", 1.6, "\\=", ordered="XY"),
    *_each("X ? Y", 1.9, "\\==", ordered="XY"),
    *_each("X ?", 1.8, "> 0", ">= 0", "> 1"),
    Form("\\+ memberchk(X, L)", 1.8),
)
COMPARISONS = _each("X ? Y", 1.7, ">", ">=", "=\\=")

#: Values for variables that stand alone, and whether one number divides another.
VALUES = (
    Form("A = X", 1.8),
    *_each("B E N ?", 1.5, "+ 1", "- 1"),
    *_each("B E N ? M", 1.8, "+", "*", ordered="NM"),
    *_each("B E N ? M", 1.8, "-", "//", "mod"),
    *_each("B E N ? C", 2.0, "+", "-", "*"),
    *_each("B E N ? C", 2.1, "//", "mod"),
)
DIVISIONS = _each("N mod M ? 0", 2.0, "=:=", "=\\="), _each("N mod M ? 0", 2.0, "#=", "#\\=")

#: Constraints over integers.
CONSTRAINTS = (
    *_each("?(L)", 1.7, "all_different", "all_distinct", "label"),
    Form("maplist(all_distinct, L)", 1.9),
    Form("length(L, N)", 1.8),
    Form("sum(L, #=, N)", 1.9),
    Form("transpose(L, K)", 1.9),
    *_each("scalar_product(L, K, ?, B)", 2.2, "#<", "#>", "#=<", "#>=", "#=", "#\\="),
    *_each("N ? M", 1.7, "#\\=", "#<", "#=<", "#>", "#>=", ordered="NM"),
    *_each("N ?", 1.9, "#> 0", "#>= 0", "#\\= 0", "#> 1"),
)
DISTANCES = (Form("abs(N - M) #\\= O", 2.2, ordered="NM"),)

#: A domain that the program has already, one up to a variable, and any other.
DOMAINS = 1.6, 1.7, 1.8

#: What a character of a grammar rule is.
CHARACTERS = _each("{ code_type(X, ?) }", 1.7, "digit", "alpha", "csym", "space")

#: Lists, and variables, written otherwise: before and after, with their prices; `V` is another variable of the clause.
LISTS = (
    ("[]", 1.1, "[_] _ [_|_] V [V]"),
    ("X", 1.1, "[V|X]"),
    ("X", 1.2, "[X] [_|X]"),
    ("X", 1.3, "[X|V]"),
    ("[X]", 1.1, "[] [X|_] [X|V]"),
    ("[X]", 1.2, "X"),
    ("[X|Y]", 1.0, "[Y|X]"),
    ("[X|Y]", 1.1, "Y"),
    ("[X|Y]", 1.2, "[X] [X,_|Y]"),
    ("[X|Y]", 1.3, "X"),
    ("[X|Y]", 1.4, "[_,X|Y]"),
    ("[X,Y]", 1.0, "[X|Y]"),
    ("[X,Y|Z]", 1.1, "[Y,X|Z]"),
)

#: The empty list in place of a variable.
EMPTY = 1.4


def lists(tokens: Sequence[str], names: Sequence[str]) -> Iterator[tuple[str, float]]:
    """What may stand in place of a list or a variable, each with its price."""
    for before, price, others in LISTS:
        pattern = re.findall(r"\S", before)
        pairs = list(zip(pattern, tokens, strict=False))
        if len(pattern) == len(tokens) and all(
            text not in ("[", "]", "|", ",") if one.isupper() else one == text for one, text in pairs
        ):
            bound = {one: text for one, text in pairs if one.isupper()}
            for other in others.split():
                for name in names if "V" in other else [""]:
                    if name not in bound.values():
                        yield _filled(other, {**bound, "V": name}), price


def goals(forms: Iterable[Form], letters: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, float]]:
    """The goals of some forms, each with its price: different values for the letters of one."""
    for form in forms:
        used = list(dict.fromkeys(_LETTER.findall(form.text)))
        for values in product(*(letters[one] for one in used)):
            chosen = dict(zip(used, values, strict=True))
            places = [letters[one].index(chosen[one]) for one in form.ordered]
            if len({*values}) == len(values) and places == sorted(places):
                yield _filled(form.text, chosen), form.price


def _filled(text: str, letters: Mapping[str, str]) -> str:
    return _LETTER.sub(lambda found: letters[found[0]], text)
