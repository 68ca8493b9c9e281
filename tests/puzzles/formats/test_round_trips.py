"""Every puzzle through every format that carries it, and back; and what a format does not carry is said."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from any_puzzle import PLAIN, puzzles
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from bridge.errors import BridgeError, InputError, UnsupportedError
from bridge.puzzles import formats
from bridge.puzzles.formats import Source

CARRIED = [
    (name, kind) for name in formats.names() for kind in formats.codec(name).kinds if name != "sav" and kind in PLAIN
]
#: Formats that do not tell the puzzle, or not the words: what has to be said when such a text is read.
QUIET = {"text", "unequal"}
#: What has no list of words comes back with one that is named; see `test_crossword_files.py`.
WITHOUT_WORDS = [("text", "crossword"), ("puz", "crossword")]
#: Nothing but the name of the file tells these from another; small candidates look like a line of a larger Sudoku, and
#: one line of `jsonl` is a document, too.
UNTOLD = {"text", "sdm", "course", "sdk", "sudokupad", "candidates", "jsonl"}


@pytest.mark.parametrize(("name", "kind"), [pair for pair in CARRIED if pair not in WITHOUT_WORDS])
@given(data=st.data())
@settings(max_examples=6, suppress_health_check=list(HealthCheck))
def test_what_is_written_is_read_as_it_was(name: str, kind: str, data: st.DataObject) -> None:
    puzzle = data.draw(puzzles(kind))
    try:
        written = formats.encode(puzzle, name)
    except UnsupportedError:
        assume(False)
        raise
    assert written.notes == ()
    told = kind if name in QUIET else None
    reading = formats.decode(written.data, name, told)
    assert reading.puzzles == (puzzle,)
    assert formats.encode(reading.puzzles, name).data == written.data
    assert name in UNTOLD or formats.sniff(Source(written.data), kind) == name


@pytest.mark.parametrize(
    ("name", "kind"), [pair for pair in CARRIED if formats.codec(pair[0]).many and pair not in WITHOUT_WORDS]
)
@given(data=st.data())
@settings(max_examples=3, suppress_health_check=list(HealthCheck))
def test_several(name: str, kind: str, data: st.DataObject) -> None:
    many = data.draw(st.lists(puzzles(kind), min_size=2, max_size=3))
    try:
        written = formats.encode(many, name)
    except UnsupportedError:
        assume(False)
        raise
    assert list(formats.decode(written.data, name, kind if name in QUIET else None).puzzles) == many


@pytest.mark.parametrize(("name", "kind"), CARRIED)
@given(data=st.data())
@settings(max_examples=4, suppress_health_check=list(HealthCheck))
def test_a_lossy_conversion_says_what_it_leaves_out(name: str, kind: str, data: st.DataObject) -> None:
    puzzle = data.draw(puzzles(kind))
    try:
        written = formats.encode(puzzle, name, lossy=True)
    except UnsupportedError:
        return  # there is no way at all to write it
    if formats.codec(name).lost(puzzle):
        assert all("left out" in note for note in written.notes)
        assert written.notes
        with pytest.raises(UnsupportedError, match="cannot carry"):
            formats.encode(puzzle, name)


@pytest.mark.parametrize("name", [name for name in formats.names() if not formats.codec(name).many and name != "sav"])
def test_a_file_of_one_puzzle_takes_no_two(name: str) -> None:
    kind = formats.codec(name).kinds[0]
    puzzle = PLAIN[kind]
    with pytest.raises(UnsupportedError, match="one puzzle, not 2"):
        formats.encode([puzzle, puzzle], name)


@pytest.mark.parametrize("name", formats.names())
def test_another_puzzle_is_refused(name: str) -> None:
    codec = formats.codec(name)
    for kind in set(PLAIN) - set(codec.kinds):
        with pytest.raises(UnsupportedError, match="does not carry"):
            formats.encode(PLAIN[kind], name, lossy=True)
        with pytest.raises(InputError, match=f"has no {kind}"):
            formats.decode("", name, kind)


@pytest.mark.parametrize("kind", PLAIN)
@given(data=st.data())
@settings(max_examples=8)
def test_the_json_form_is_what_its_schema_says(kind: str, data: st.DataObject) -> None:
    schema = formats.schema(kind)
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    form = json.loads(json.dumps(data.draw(puzzles(kind)).to_json()))
    validator.validate(form)
    assert not validator.is_valid({**form, "grid": [[{}]]})
    assert not validator.is_valid({key: value for key, value in form.items() if key != "grid"})
    assert not validator.is_valid({**form, "puzzle": "chess"})


@pytest.mark.parametrize("name", formats.names())
@given(
    data=st.one_of(
        st.binary(max_size=60),
        st.text(max_size=60).map(str.encode),
        st.text("123456789.:,abcjxkUDLR()[]{}\"'%#\n _-=N4Ig/", max_size=120).map(str.encode),
    )
)
@settings(max_examples=12)
def test_no_text_does_harm(name: str, data: bytes) -> None:
    codec = formats.codec(name)
    codec.sniff(Source(data))
    for kind in (None, *codec.kinds):
        with suppress(BridgeError):
            formats.decode(data, name, kind)


@pytest.mark.parametrize(("name", "kind"), CARRIED)
@given(data=st.data())
@settings(max_examples=6, suppress_health_check=list(HealthCheck))
def test_no_broken_file_does_harm(name: str, kind: str, data: st.DataObject) -> None:
    try:
        good = formats.encode(data.draw(puzzles(kind)), name, lossy=True).data
    except UnsupportedError:
        return
    at = data.draw(st.integers(0, len(good) - 1))
    changes = [good[:at], good[:at] + good[at + 1 :], good[:at] + data.draw(st.binary(max_size=3)) + good[at + 1 :]]
    for bad in changes:
        with suppress(BridgeError):
            formats.decode(bad, name, kind)
