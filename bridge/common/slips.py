"""The name that is perhaps meant: the one mechanism of "did you mean"."""

from __future__ import annotations

from collections.abc import Iterable


def nearest(name: str, names: Iterable[str]) -> str | None:
    """The most similar of some names; None where none is similar."""
    from difflib import get_close_matches  # here: it takes a millisecond

    return next(iter(get_close_matches(name, sorted({*names} - {name}), 1)), None)


def meant(signature: tuple[str, int], known: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    """The predicates with the same name, or the one with as many arguments and a similar name."""
    name, arity = signature
    others = sorted({*known} - {signature})
    if same := [one for one in others if one[0] == name]:
        return same
    similar = nearest(name, [one for one, number in others if number == arity])
    return [] if similar is None else [(similar, arity)]


def is_slip(name: str, other: str) -> bool:
    """Whether a name is another one with a slip of the pen: a letter more, less, changed, or two that are swapped.

    Names that differ in a digit, in a capital that begins a word, or that are very short, are meant to be different.

    An underscore inside is no difference.

    >>> is_slip("egde", "edge"), is_slip("edg", "edge"), is_slip("row1", "row2"), is_slip("p", "q")
    (True, True, False, False)
    """
    if min(len(name), len(other)) < 3 or name == other or name.lower() == other.lower() != name:
        return name != other and name.lower() == other.lower()
    inside = min(len(name), len(other)) > 3 and "_" not in (name[0], other[0], name[-1], other[-1])
    if inside and name.replace("_", "") == other.replace("_", ""):
        return True
    begin = next((i for i, (a, b) in enumerate(zip(name, other, strict=False)) if a != b), min(len(name), len(other)))
    end = 0
    while end < min(len(name), len(other)) - begin and name[-1 - end] == other[-1 - end]:
        end += 1
    one, two = name[begin : len(name) - end], other[begin : len(other) - end]
    if any(letter.isdigit() or letter in "'_" for letter in one + two):
        return False
    if len(one) == len(two) == 2:
        return one == two[::-1]
    return max(len(one), len(two)) == 1
