"""What an author can draw of a kind that is a file, read off what it declares; and boards that are not finished."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest
from shared_data import ROOT

from bridge.asp.decode import Function, encode
from bridge.errors import InputError, LimitError, Place
from bridge.puzzles.kinds import parse, puzzle_class
from bridge.puzzles.kinds.authoring import authoring
from bridge.puzzles.kinds.file_authoring import FileAuthoring
from bridge.puzzles.kinds.file_puzzle import FilePuzzle
from bridge.puzzles.kinds.kind_text import read_text, syntax
from bridge.puzzles.web.questions import board
from bridge.puzzles.web.tools import options, tools

#: The shipped kinds that are files, and three that are not shipped, each with an example.
EXAMPLES = [
    *(path for path in sorted((ROOT / "encodings").glob("*/*.txt")) if path.parent.name == path.stem),
    *sorted((ROOT / "examples" / "kinds").glob("*.txt")),
]


def kind_of(name: str) -> type[FilePuzzle]:
    return cast("type[FilePuzzle]", puzzle_class(name))


def templates(tool: dict[str, Any]) -> list[tuple[str, list[Any]]]:
    """The patterns of the facts that a tool makes."""
    found = [fact for form in tool["forms"] for fact in form["facts"]]
    found += [pattern for _, _, some in tool.get("spots", ()) for _, pattern in some]
    return [*found, *([tool["cell"]] if "cell" in tool else [])]


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda path: path.stem)
def test_whatever_an_example_has_can_be_drawn(file: Path) -> None:
    """But for a kind whose facts are words, which nothing on its board is about."""
    cls = kind_of(str(file.with_suffix(".lp")))
    (puzzle,) = cls.from_text(file.read_text(encoding="utf-8"), Place(str(file)), {})
    drawn = tools(cls.declared, puzzle.text_size)
    names = [tool["name"] for tool in drawn]
    assert len(names) == len(set(names))
    if file.stem == "zebra":
        assert not drawn
        return
    without_place = {one.get("fact") for one in options(cls.declared)}
    for name, arguments in puzzle.atoms:
        terms = [encode(one) for one in arguments]
        fitting = [
            tool["name"]
            for tool in drawn
            for own, wanted in templates(tool)
            if own == name
            and len(wanted) == len(terms)
            and all(isinstance(one, list) or one == term for one, term in zip(wanted, terms, strict=True))
        ]
        assert fitting or encode(Function(name, arguments)) in without_place, (name, arguments)


def test_which_tool_a_declaration_is() -> None:
    on = {tool["name"]: tool for tool in tools(kind_of("variant-sudoku").declared, (4, 4))}
    assert {name: tool["on"] for name, tool in on.items() if name in ("regions", "cages", "thermo", "white", "even")} == {
        "regions": "area", "cages": "area", "thermo": "path", "white": "pair", "even": "cells",
    }  # fmt: skip
    assert [fact for form in on["cages"]["forms"] for fact, _ in form["facts"]] == ["sum"]
    assert not on["regions"]["forms"]
    places = {(side, index): some for side, index, some in on["little-killer"]["spots"]}
    assert dict(places["top", 2]) == {
        "se": ("little", [["number"], "1", "3", "se"]),
        "sw": ("little", [["number"], "1", "1", "sw"]),
    }
    assert ["left", 3, [("row", ("sandwich", ["row", "3", ["number"]]))]] in on["sandwich"]["spots"]
    rows, columns = tools(kind_of("nonogram").declared, (4, 5))
    assert (rows["many"], len(rows["spots"]), len(columns["spots"])) == (True, 4, 5)
    (star,) = tools(kind_of("star-battle").declared, (5, 5))
    assert not star["numbers"]  # a region may have a letter


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda path: path.stem)
def test_the_syntax_that_is_shown_is_read(file: Path) -> None:
    declared = kind_of(str(file.with_suffix(".lp"))).declared
    lines = [line for line in syntax(declared).splitlines() if ": " in line and line[0] not in "#%"]
    assert lines[-1] == "clue: r1c1=5 r2c3=1"
    for line in lines:
        found = read_text(declared, line, Place())
        assert found.facts or found.constants


def test_a_board_that_the_kind_still_refuses() -> None:
    """It is drawn, and refused where it is solved."""
    empty = cast("FileAuthoring", authoring("kakuro")).empty(4, 5)
    assert (empty.text_size, empty.facts) == ((4, 5), ())
    with pytest.raises(InputError, match="no black cells"):
        parse("kakuro", empty.draw())
    parts: list[dict[str, Any]] = []
    board({"puzzle": {**empty.to_json(), "facts": ["black(1,1)", "down(1,1,9)"]}}, parts.append)
    assert parts[0]["text"].splitlines()[0].split() == ["9\\", ".", ".", ".", "."]
    walls = cast("FileAuthoring", authoring("akari")).empty(5, 5)
    assert walls.facts == ()  # a new one has some by chance


def test_tools_that_somebody_stopped_to_look_for_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*given: object) -> None:
        raise LimitError("stopped")

    declared = kind_of("variant-sudoku").declared
    tools.cache_clear()
    with monkeypatch.context() as patch:
        patch.setattr("bridge.puzzles.web.tools.ground_workbench", stopped)
        with pytest.raises(LimitError):
            tools(declared, (4, 4))
    assert "sandwich" in {tool["name"] for tool in tools(declared, (4, 4))}
