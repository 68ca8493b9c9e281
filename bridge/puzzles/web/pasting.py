"""Import and export of puzzles in a page, as programs, in all formats (`bridge.puzzles.formats`) and as pictures."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from bridge.errors import InputError, MissingSolverError, UnsupportedError
from bridge.limits import Limits
from bridge.puzzles import formats
from bridge.puzzles.encodings_folder import encoding
from bridge.puzzles.engines import engine
from bridge.puzzles.formats.codec import Source
from bridge.puzzles.formats.game_ids import GameID
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.models import ClpForm, models
from bridge.puzzles.pictures import of_solution
from bridge.puzzles.render import Picture, instance, residual
from bridge.puzzles.sheets import sheet
from bridge.puzzles.web.limits import SECONDS

#: Sites that open the links of a format.
SITES = {"sudokupad": "SudokuPad", "fpuzzles": "f-puzzles", "puzzlink": "puzz.link"}

#: The page of a game of Simon Tatham's collection, before the game ID.
GAME = "https://www.chiark.greenend.org.uk/~sgtatham/puzzles/js/{}.html#"

_TYPES = {"svg": "image/svg+xml", "png": "image/png", "pdf": "application/pdf", "txt": "text/plain"}

#: The rest of a collection is left out.
MOST = 50


def bytes_in(data: Mapping[str, Any]) -> bytes:
    """The bytes that a page sent as `text` or, from a file, as `base64`."""
    if "base64" not in data:
        return str(data.get("text", "")).encode("utf-8", "surrogatepass")
    try:
        return base64.b64decode(str(data["base64"]), validate=True)
    except (binascii.Error, ValueError):
        raise InputError("`base64` is to be base64") from None


def puzzles_in(data: bytes, name: str | None, kind: str, options: dict[str, Any]) -> dict[str, Any]:
    """The puzzles of a text or a file of this name, in their JSON form.

    The kind counts where the format does not determine it; the options are those that the text does not contain.
    """
    chosen = formats.sniff(Source(data, name), None)
    if chosen == "text":
        found = formats.decode(data, chosen, kind, file=name, **options)
    else:
        try:  # most formats say which puzzle they hold
            found = formats.decode(data, chosen, file=name, lossy=True)
        except InputError:
            found = formats.decode(data, chosen, kind, file=name, lossy=True, **options)
    puzzles = [puzzle.to_json() for puzzle in found.puzzles[:MOST]]
    return {
        "puzzles": puzzles,
        "of": len(found.puzzles),
        "format": None if chosen == "text" else formats.codec(chosen).title,
        "notes": list(found.notes),
    }


def written(puzzle: Puzzle, name: str) -> dict[str, Any]:
    """A puzzle in a format, as base64, with a file name."""
    codec = formats.codec(name)
    made = formats.encode(puzzle, name, lossy=True)
    suffix = codec.suffixes[0] if codec.suffixes else ".txt"
    return {
        "base64": base64.b64encode(made.data).decode(),
        "file": f"{puzzle.kind}{suffix}",
        "binary": codec.binary,
        "notes": list(made.notes),
    }


def links(puzzle: Puzzle) -> dict[str, Any]:
    """The addresses at which other sites open the puzzle, with notes on what they leave out."""
    sites = [(name, site, "") for name, site in SITES.items()]
    games = ((name, codec) for name in formats.names() if isinstance(codec := formats.codec(name), GameID))
    sites += [(name, f"Simon Tatham's {codec.game}", GAME.format(name)) for name, codec in games]
    found, notes = [], list[str]()
    for name, site, address in sites:
        if not formats.codec(name).holds(puzzle.kind):
            continue
        try:
            made = formats.encode(puzzle, name, lossy=True)
        except UnsupportedError as error:
            notes.append(error.message)
            continue
        found.append({"site": site, "url": f"{address}{made.text.strip()}"})
        notes += made.notes
    return {"links": found, "notes": list(dict.fromkeys(notes))}


def picture(puzzle: Puzzle, show: str, form: str, theme: str) -> dict[str, Any]:
    """A picture as base64, with a file name, in a form of `bridge.puzzles.render.FORMATS`.

    It shows `clues`, `solution`, `candidates`; or `sheet`, a page to print with the solution on another, as PDF.
    """
    limits = Limits(seconds=SECONDS["picture"] / 3)
    if show == "sheet":
        data, form = sheet([puzzle], columns=1, limits=limits).pdf(), "pdf"
    else:
        data = _drawn(puzzle, show, limits).render(form, theme)
    name = puzzle.kind if show == "clues" else f"{puzzle.kind}-{show}"
    return {"base64": base64.b64encode(data).decode(), "file": f"{name}.{form}", "type": _TYPES[form]}


def _drawn(puzzle: Puzzle, show: str, limits: Limits) -> Picture:
    if show == "clues":
        return instance(puzzle)
    if show == "candidates":
        propagated = None
        with suppress(MissingSolverError, UnsupportedError):
            propagated = engine("auto").propagated(puzzle, limits)
        return residual(puzzle, engine("asp").exact(puzzle, limits), propagated)
    if show == "solution":
        found = of_solution(puzzle, limits=limits)
        if found is None:
            raise InputError("there is no solution to draw")
        return found
    raise InputError(f"there is no picture of {show!r}", hint="clues, solution, candidates or sheet")


#: A query longer than this is not shown: it is a list of words.
LONGEST = 60_000


def sources(puzzle: Puzzle) -> Iterator[dict[str, str]]:
    """A puzzle as logic programs: the encodings, and the instance in the form that each of them takes.

    Each text comes with a file name and the command that runs it.
    """

    def part(name: str, file: str, run: str, text: str) -> dict[str, str]:
        return {"name": name, "file": file, "run": run, "text": text}

    forms = models(puzzle)
    asp = forms.encoding.rpartition("/")[2] if forms.program else forms.encoding
    run = f"clingo {asp if forms.program else f'encodings/{asp}'} instance.lp 0"
    yield part("The instance as facts", "instance.lp", run, forms.facts())
    yield part("The rules for clingo", asp, run, forms.program or _text(asp))
    try:
        clp = forms.clp()
    except UnsupportedError as error:
        yield part("The rules for SWI-Prolog", "", "", f"% {error}\n")
        return
    run = f"swipl encodings/{clp.encoding}"
    if len(query := _query(puzzle, clp)) <= LONGEST:
        yield part("The instance as a query", "instance.pl", run, query)
    yield part("The rules for SWI-Prolog", clp.encoding, run, _text(clp.encoding))
    yield part("As text", "puzzle.txt", f"lpbridge puzzle check {puzzle.kind} puzzle.txt", puzzle.draw() + "\n")


def _text(file: str) -> str:
    return Path(encoding(file)).read_text(encoding="utf-8")


def _query(puzzle: Puzzle, form: ClpForm) -> str:
    """The goals that post the constraints and search, as a query for the toplevel."""
    inputs = [f"{name} = {_term(value)}" for name, value in form.inputs.items()]
    rows = [", ".join(map(str, row)) for row in form.rows(puzzle, "#", lambda cell: "_")]
    grid = "Rows = [[" + "],\n           [".join(rows) + "]]"
    return "?- " + ",\n   ".join([*inputs, grid, form.post, form.label]) + ".\n"


def _term(value: Any) -> str:
    """A value in Prolog syntax: numbers, lists, and text as an atom."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_term, value))}]"
    return str(value) if isinstance(value, int) else "'" + str(value).replace("\\", "\\\\").replace("'", "\\'") + "'"
