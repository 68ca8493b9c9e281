"""Mistakes in JSON have a line and a column."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.errors import InputError, Place
from bridge.puzzles import formats
from bridge.puzzles.kinds import parse_all
from bridge.puzzles.kinds.json_places import place_of

#: The kind, a document, and where its mistake is.
MISTAKES = {
    "a value": ("sudoku", '{"grid": [[1,0,0,0],\n[0,0,7,0],[0,0,0,0],[0,0,0,0]]}', "2:6"),
    "no integer": ("latin-square", '{"grid": [[null, "x"], [1, 2]]}', "1:18"),
    "a short row": ("sudoku", '{"grid":\n [[1,0,0,0],\n  [0,0,0], [0,0,0,0], [0,0,0,0]]}', "3:3"),
    "the second of two": ("latin-square", '[{"grid": [[1]]},\n {"grid": [[2]]}]', "2:13"),
    "an inequality": ("futoshiki", '{"grid": [[0,0],[0,0]], "less": [[1,1,1,2],\n [1,1,3,1]]}', "2:2"),
    "no inequality": ("futoshiki", '{"grid": [[0,0],[0,0]], "less": [[1,1,1,2], 7]}', "1:45"),
    "a third value": ("takuzu", '{"grid": [[0, 1], [1, 2]]}', "1:23"),
    "an uneven row": ("takuzu", '{"grid": [[0, 1],\n [1, 0],\n [1]]}', "3:2"),
    "no letter": ("crossword", '{"words": ["ab", "cd"], "grid": [["a", null],\n [null, "??"]]}', "2:9"),
    "a row of text": ("crossword", '{"words": ["ab", "cd"], "grid": ["a.",\n ".?"]}', "2:2"),
    "another puzzle": ("sudoku", '{"grid": [[1]], "puzzle": "takuzu"}', "1:27"),
    "the last of two members": ("latin-square", '{"grid": [[1]], "grid": [[5]]}', "1:27"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_has_a_place(name: str) -> None:
    kind, text, expected = MISTAKES[name]
    with pytest.raises(InputError) as caught:
        parse_all(kind, text, file="one.json")
    assert str(caught.value.where) == f"one.json:{expected}"
    if name != "another puzzle":
        with pytest.raises(InputError) as caught:
            formats.decode(text, "json", puzzle=kind, file="one.json")
        assert str(caught.value.where) == f"one.json:{expected}"


def test_a_mistake_in_a_line_of_many() -> None:
    lines = '{"puzzle": "latin-square", "grid": [[1]]}\n{"puzzle": "latin-square", "grid": [[9]]}\n'
    with pytest.raises(InputError) as caught:
        formats.decode(lines, "jsonl", file="many.jsonl")
    assert str(caught.value.where) == "many.jsonl:2:38"


documents: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(documents, st.sampled_from([None, 1]), st.data())
def test_every_part_is_found(document: Any, indent: int | None, data: Any) -> None:
    text, part, path = json.dumps(document, indent=indent), document, []
    while isinstance(part, list | dict) and part and data.draw(st.booleans()):
        key = data.draw(st.sampled_from(list(part) if isinstance(part, dict) else range(len(part))))
        path.append(key)
        part = part[key]
    place = place_of(text, path, Place("any.json"))
    assert place.line is not None
    assert place.column is not None
    rest = "\n".join([text.split("\n")[place.line - 1][place.column - 1 :], *text.split("\n")[place.line :]])
    assert json.JSONDecoder().raw_decode(rest)[0] == part
