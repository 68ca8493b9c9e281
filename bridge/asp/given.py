"""What a caller gives, checked: sources, options of clingo, names. Nothing else reaches clingo."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike, fspath
from typing import Any, NamedTuple, TypeVar

from bridge.asp.decode import encode, is_name
from bridge.asp.reading.guard import guard
from bridge.asp.types import Source
from bridge.common.files import refuse_names
from bridge.common.languages import is_path
from bridge.common.lazy import regex
from bridge.common.slips import nearest
from bridge.errors import InputError

T = TypeVar("T")


def source_of(source: str | PathLike[str]) -> Source:
    if isinstance(source, str) and not is_path(source):
        return ("text", plain(source))
    path = fspath(source) if isinstance(source, str | PathLike) else None
    if not isinstance(path, str) or "\0" in path or (not path.isascii() and _SURROGATE.search(path) is not None):
        raise InputError(f"{source!r} is not a program", hint="give the path of a file, or the text")
    return ("file", plain(path))


class Given(NamedTuple):
    """What a program is made of, checked: files and texts; and options, values for `#const` first."""

    sources: list[Source]
    options: list[str]

    @property
    def files(self) -> list[str]:
        return [source for kind, source in self.sources if kind == "file"]


def given_of(
    sources: Iterable[str | PathLike[str]],
    options: Iterable[str],
    constants: Mapping[str, Any],
    untrusted: bool,
) -> Given:
    """Sources, options and constants, checked."""
    defined = [f"--const={name_of(name, 'a constant')}={encode(value)}" for name, value in constants.items()]
    sources = list(sources)
    given, opened = [source_of(source) for source in sources], options_of(options)
    if untrusted:
        refuse_names(sources)
        guard(given, opened)
    return Given(given, [*defined, *opened])


#: What stands for bytes that are not characters.
_SURROGATE = regex("[\\ud800-\\udfff]")


def options_of(options: Iterable[str]) -> list[str]:
    found: list[str] = []
    for option in several(options, "options"):
        if not isinstance(option, str):
            raise InputError(f"{option!r} is not an option of clingo", hint="an option is a string, as in '--seed=5'")
        found.append(plain(option))
    return found


def name_of(name: str, what: str) -> str:
    if not isinstance(name, str) or not is_name(name):
        raise InputError(f"{name!r} is not the name of {what}", hint="it begins with a small letter")
    return plain(name)


def unknown_constant(name: str, defined: Sequence[str]) -> InputError:
    hint = f"its constants are {', '.join(defined)}" if defined else "no #const is in it"
    if (near := nearest(name, defined)) is not None:
        hint = f"did you mean {near!r}?" if len(defined) == 1 else f"did you mean {near!r}? {hint}"
    return InputError(f"the program has no constant {name!r}", hint=hint)


def several(items: Iterable[T], what: str) -> Iterable[T]:
    """Refuses a string, which is iterable and would be taken for its characters."""
    if type(items) in (list, tuple):
        return items
    if isinstance(items, str | Mapping) or not isinstance(items, Iterable):
        raise InputError(f"{items!r} is not a list of {what}", hint="put it in a list")
    return items


def plain(text: str) -> str:
    """The string as a plain `str`, not a `Constant`: only that can be sent to another process."""
    return str.__str__(text)
