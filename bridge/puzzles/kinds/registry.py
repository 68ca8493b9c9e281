"""The kinds of puzzles, by name, and where the classes of each are. A module is imported when a class is asked for.

- Six kinds have classes of their own (`KINDS`), some of them beside their file.
- Every other kind is a file with a workbench part (`bridge.puzzles.kinds.kind`). Files come from `encodings/`, from the
  folders that `LPBRIDGE_PUZZLES` names (`--puzzles DIR` adds one), from installed packages (entry points
  `lpbridge.puzzles`), and from paths that are given (`add_path`).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from functools import cache
from os.path import basename, dirname, isdir, isfile, join, realpath, splitext
from typing import TYPE_CHECKING, Any, NamedTuple

from bridge.common import load, unreadable
from bridge.errors import InputError, Place, brief
from bridge.puzzles.encodings_folder import encoding

if TYPE_CHECKING:
    from bridge.puzzles.kinds.kind import Kind

#: Names folders with kinds, as `PATH` does.
VARIABLE = "LPBRIDGE_PUZZLES"

#: The group of entry points: each names a module or package, beside whose file kinds are, or a path.
ENTRY_POINTS = "lpbridge.puzzles"


class _Classes(NamedTuple):
    """The subclasses of `Puzzle`, `Models` and `Authoring` of a kind: places in `bridge.puzzles.kinds`.

    Where the kind has a `file` in `encodings/`, too, the first is a `CheckedPuzzle`, and the file says the rest.
    """

    puzzle: str
    models: str
    authoring: str = "authoring:Authoring"
    file: str = ""


#: By the name on the command line and in JSON.
_KINDS = {
    "sudoku": _Classes("sudoku:Sudoku", "sudoku:SudokuModels"),
    "latin-square": _Classes(
        "latin_square:LatinSquare", "latin_square:LatinSquareModels", file="latin_square/latin_square.lp"
    ),
    "futoshiki": _Classes("futoshiki:Futoshiki", "futoshiki:FutoshikiModels", "futoshiki:FutoshikiAuthoring"),
    "magic-square": _Classes(
        "magic_square:MagicSquare", "magic_square:MagicSquareModels", file="magic_square/magic_square.lp"
    ),
    "crossword": _Classes(
        "crossword:Crossword", "crossword.models:CrosswordModels", "crossword.authoring:CrosswordAuthoring"
    ),
    "takuzu": _Classes("takuzu:Takuzu", "takuzu:TakuzuModels", file="takuzu/takuzu.lp"),
}

#: The names of the kinds with classes of their own.
KINDS = tuple(_KINDS)

#: The classes of a kind from a file, but for that of its instances.
_OF_FILES = {"models": "file_models:FileModels", "authoring": "file_authoring:FileAuthoring"}

#: Kinds that were given by path or by value: the classes of their instances.
_added: dict[str, type[Any]] = {}
#: The files that they come from, as they were when they were read.
_read: dict[str, tuple[str, int, int]] = {}


def kinds() -> tuple[str, ...]:
    """The names of all kinds: those with classes of their own first, then files."""
    return tuple(dict.fromkeys([*KINDS, *_files(), *_of_packages(), *_added]))


def is_kind(name: str) -> bool:
    """Whether there is a kind of this name."""
    return name in _KINDS or name in _added or name in _files() or name in _of_packages()


def is_file(kind: str) -> bool:
    """Whether a kind that there is has a file: all but those with classes alone."""
    return kind not in _KINDS or bool(_KINDS[kind].file)


def add_folder(folder: str) -> None:
    """Look for kinds in a folder, too."""
    if not isdir(folder):
        raise InputError("no such folder", where=Place(folder), hint="it holds the .lp files of kinds of puzzles")
    known = [one for one in os.environ.get(VARIABLE, "").split(os.pathsep) if one]
    absolute = realpath(folder)
    if absolute not in known:
        os.environ[VARIABLE] = os.pathsep.join([*known, absolute])  # workers look there, too


def is_kind_file(path: str) -> bool:
    """Whether a path names a program with a workbench part."""
    if not path.endswith(".lp"):
        return False
    from bridge.puzzles.kinds.kind_source import has_workbench

    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return has_workbench(file.read())
    except OSError:
        return False


def add_path(path: str) -> str:
    """The name of the kind that a file declares: its stem, or with its suffix where one of `KINDS` has that name.

    Another file of that name is not used any more in this process.
    """
    name = _name_of(path)
    return _add(f"{name}.lp" if name in _KINDS else name, path)


def _add(name: str, path: str, checker: str | None = None) -> str:
    about = _about(path)
    if name not in _added or checker is not None or _read.get(name) != about:
        _added[name] = _class_of(load("bridge.puzzles.kinds.kind:load_kind")(path, name, checker or ""))
        _read[name] = about
    return name


def _class_of(declared: Kind) -> type[Any]:
    """The class of the instances of a kind from a file."""
    own = _KINDS.get(declared.name)
    bases = [_class_at(own.puzzle)] if own else []
    made: type[Any] = load("bridge.puzzles.kinds.file_puzzle:class_of_kind")(declared, *bases)
    return made


def _about(path: str) -> tuple[str, int, int]:
    """What changes when a file changes."""
    try:
        found = os.stat(path)
    except OSError as error:
        raise unreadable(error, path) from None
    except ValueError:  # a NUL character
        raise InputError(f"{path!r} is not a path") from None
    return os.path.realpath(path), found.st_mtime_ns, found.st_size


def check_by(name: str, checker: str) -> None:
    """Check the answers of a kind from a file by a second program, given as text."""
    if name in _KINDS:
        raise InputError(f"{name} has a checker of its own", where=Place("--checker"))
    declared = class_of(name, "puzzle").declared
    _add(name, declared.file, checker)


def add_packed(data: Mapping[str, Any]) -> str:
    """The name of a kind that another process has sent (`Kind.pack`)."""
    name = str(data["name"])
    known = _added.get(name)
    if known is None or known.declared.pack() != data:
        _added[name] = _class_of(load("bridge.puzzles.kinds.kind:unpack_kind")(data))
    return name


def packed(kind: str) -> dict[str, Any] | None:
    """A kind from a file as plain data; None for one with classes of its own, which every process has."""
    if kind in _KINDS:
        return None
    declared: Kind = class_of(kind, "puzzle").declared
    return declared.pack()


def class_of(kind: str, role: str) -> type[Any]:
    """A class of a kind: its `puzzle`, `models` or `authoring`; InputError lists the kinds there are."""
    if not isinstance(kind, str):
        raise _unknown(kind)
    if (own := _KINDS.get(kind)) and (role != "puzzle" or not own.file):
        return _class_at(getattr(own, role))
    if kind not in _added:
        if own:
            _add(kind, os.fspath(encoding(own.file)))
        elif file := _files().get(kind) or _of_packages().get(kind):
            _add(kind, file)
        elif is_kind_file(kind):
            kind = add_path(kind)
        else:
            raise _unknown(kind)
    return _added[kind] if role == "puzzle" else _class_at(_OF_FILES[role])


def _unknown(kind: object) -> InputError:
    return InputError(f"there is no puzzle {brief(kind)}", hint=f"one of: {', '.join(kinds())}")


@cache
def _class_at(place: str) -> type[Any]:
    found: type[Any] = load(f"bridge.puzzles.kinds.{place}")
    return found


def _files() -> Mapping[str, str]:
    """The files of kinds in `encodings/` and in folders, by name."""
    return _files_in(os.environ.get(VARIABLE, ""))


@cache
def _files_in(folders: str) -> Mapping[str, str]:
    return _named([os.fspath(encoding("")), *filter(None, folders.split(os.pathsep))])


@cache
def _of_packages() -> Mapping[str, str]:
    """The files of kinds that installed packages have. To ask for them costs some milliseconds."""
    return _named(_packages())


def _named(places: Iterable[str]) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for path in (path for place in places for path in _lp_files(place)):
        name = _name_of(path)
        if name not in _KINDS and name not in found and is_kind_file(path):
            found[name] = path
    return found


def _lp_files(place: str) -> list[str]:
    """The files that may be kinds: a file itself; in a folder `killer.lp`, and `killer/killer.lp`."""
    if isfile(place):
        return [place]
    try:
        names = sorted(os.listdir(place))
    except OSError:
        return []
    own = [join(place, name) for name in names if name.endswith(".lp")]
    return [*own, *filter(isfile, (join(place, name, f"{name}.lp") for name in names))]


def _packages() -> list[str]:
    """The folders and files that entry points of installed packages name."""
    from importlib.metadata import entry_points
    from importlib.util import find_spec

    places: list[str] = []
    for point in entry_points(group=ENTRY_POINTS):
        spec = find_spec(point.module)
        if spec is not None and spec.submodule_search_locations:
            folders = spec.submodule_search_locations
            places += [join(folder, point.attr) if point.attr else folder for folder in folders]
        elif spec is not None and spec.origin:
            places.append(dirname(spec.origin))
    return places


def _name_of(path: str) -> str:
    return splitext(basename(path))[0].replace("_", "-")
