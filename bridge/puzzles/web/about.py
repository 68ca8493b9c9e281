"""The choices of a page: the same names and words as on the command line."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from bridge.errors import BridgeError, Place
from bridge.puzzles import formats
from bridge.puzzles.engines import NAMES
from bridge.puzzles.explain.grade import LEVELS_BY_STEPS
from bridge.puzzles.explain.levels import REACHED
from bridge.puzzles.kinds import KINDS, puzzle_class
from bridge.puzzles.kinds.authoring import authoring
from bridge.puzzles.kinds.registry import kinds
from bridge.puzzles.kinds.seeded_random import SeededRandom
from bridge.puzzles.kinds.symmetry import SYMMETRIES
from bridge.puzzles.search.ladder import LADDER
from bridge.puzzles.web.limits import MOST_BYTES

if TYPE_CHECKING:
    from bridge.puzzles.kinds.file_authoring import FileAuthoring
    from bridge.puzzles.kinds.file_puzzle import FilePuzzle

#: The sizes of new instances that a page offers of a kind that is a file, where it has them.
SIZES = (*((n, n) for n in (4, 5, 6, 7, 8, 9, 10, 12, 15)), (6, 8), (8, 10), (10, 15))

#: The engines compared by default: one of each kind.
COMPARED = ("asp", "clpfd", "gac+mrv+degree", "mac+mrv+wdeg", "mac+mrv", "fc+mrv", "dfs+fc")


def about() -> dict[str, Any]:
    """Puzzles, levels, symmetries and engines."""
    puzzles: dict[str, dict[str, Any]] = {}
    for kind in kinds():
        if kind in KINDS:
            puzzles[kind] = {"title": puzzle_class(kind).title}
        # The encoding of one of the six, given by its path, has the tab of the six.
        elif kind.removesuffix(".lp") not in KINDS and (file := _of_file(kind)) is not None:
            puzzles[kind] = {"title": puzzle_class(kind).title, "file": file}
    return {
        "puzzles": puzzles,
        "levels": [
            {"name": one.name, "title": one.title, "techniques": one.techniques, "difficulty": one.difficulty}
            for one in LADDER
        ],
        "reached": REACHED,
        "levelsBySteps": list(LEVELS_BY_STEPS),
        "symmetries": [{"name": name, "title": title} for name, title in SYMMETRIES.items()],
        "formats": [
            {"name": name, "title": formats.codec(name).title, "kinds": formats.codec(name).all_kinds()}
            for name in formats.names()
        ],
        "engines": list(NAMES),
        "compared": list(COMPARED),
        "mostBytes": MOST_BYTES,
        "pictures": find_spec("typst") is not None and find_spec("matplotlib") is not None,
    }


@cache
def _of_file(kind: str) -> dict[str, Any] | None:
    """What a page needs of a kind that is a file: an example, and the sizes of new ones; None when there is no example.

    The example is the text beside the file that has its name: `killer.txt` beside `killer.lp`. Of `sizes` there are
    empty boards, of `made` the kind makes new instances, with a symmetry where cells are given.
    """
    try:
        cls = cast("type[FilePuzzle]", puzzle_class(kind))
        maker = cast("FileAuthoring", authoring(kind))
        known = SIZES if cls.declared.sizes else ()
        blank = lambda rows, columns: maker.blanks(rows, columns, {}, None)(SeededRandom(0))  # noqa: E731
        made = {size: one for size in known if (one := _at(blank, size))}
        sizes = {size: one for size in known if (one := made.get(size) or _at(maker.empty, size))}
        file, example = Path(cls.declared.file).with_suffix(".txt"), ""
        if file.is_file():
            example = file.read_text(encoding="utf-8")
            (start,) = cls.from_text(example, Place(str(file)), {})
        elif sizes:
            start = next(iter(sizes.values()))
        else:
            return None
    except BridgeError as error:
        print(f"lpbridge: {kind}: {error}", file=sys.stderr)
        return None
    new = {"sizes": [*sizes], "made": [*made], "symmetric": maker.gives_cells}
    return {**new, "start": start.to_json(), "example": example}


def _at(make: Callable[[int, int], FilePuzzle], size: tuple[int, int]) -> FilePuzzle | None:
    """An instance of a size; None when the kind has none of this size, or none at all."""
    try:
        return make(*size)
    except BridgeError:
        return None
