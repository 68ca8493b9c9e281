"""A file or a string is told to be for clingo or for Prolog, a path or a text."""

from __future__ import annotations

from pathlib import Path

import pytest
from shared_data import ROOT

from bridge import asp, prolog
from bridge.common.languages import SUFFIXES, is_path, language_of_path, language_of_text
from bridge.errors import InputError, ProgramError


@pytest.mark.parametrize("text", [
    "{ a ; b } = 1 :- c.", "1 { q(X) : p(X) } 1.", "#show p/1.", "p(1..3).", "a :- not b.", ":~ a(X). [X]",
    "x :- #count { X : p(X) } > 1.", "#script (python)\nx = [1, 2]\n#end.", "% :- use_module(library(lists)).\n#const n = 1.",
    "p(X') :- q(X', \"a -> b\"), not r.", "%* a --> b *% #external e.",
])  # fmt: skip
def test_clingo(text: str) -> None:
    assert language_of_text(text) == "clingo"


@pytest.mark.parametrize("text", [
    ":- module(m, []).", "a --> b.", "p(X) :- X is 1 + 2.", "p([]).\np([X|Xs]) :- q(X, Xs).", "a :- \\+ b.", "a :- b -> c ; d.",
    "a :- b, !.", "p(X) :- X #> 1.", "#!/usr/bin/env swipl\n% not a comment of clingo\n", "a ==> b.", "?- p.",
    "p :- format('{ not a choice } = 1.~n'), X = [1].", "/* #show p/1. */ p :- a, !, b.", "f(X) :-\n    { X > 1 },\n    X =< 5.",
])  # fmt: skip
def test_prolog(text: str) -> None:
    assert language_of_text(text) == "prolog"


@pytest.mark.parametrize("text", ["", "p(1).", "p(X) :- q(X, Y), r(Y).", "% #show p/1.\np(a).", 'p("a -> b").', "#show p/1.\na --> b."])
def test_nothing_tells_or_too_much(text: str) -> None:
    assert language_of_text(text) is None


def test_content_never_contradicts_the_suffix() -> None:
    found = []
    for path in [*ROOT.glob("encodings/**/*"), *ROOT.glob("examples/**/*"), *ROOT.glob("bridge/prolog/*")]:
        if path.is_file() and (language := language_of_path(path)) is not None:
            told = language_of_text(path.read_text(encoding="utf-8"))
            assert told in (language, None), path
            found.append(told is not None)
    assert sum(found) > 0.7 * len(found) > 20


@pytest.mark.parametrize("source", [*(f"missing{suffix}" for suffix in SUFFIXES), "MISSING.LP", "a folder/missing", "./missing.txt"])
def test_a_path_is_never_read_as_text(source: str) -> None:
    assert is_path(source)
    for load in (asp.Program, prolog.Session):
        with pytest.raises(InputError, match="no such file") as raised:
            load(source)
        assert not isinstance(raised.value, ProgramError)


@pytest.mark.parametrize("source", ["", "a.", "p(1). q(2).", "a :- b/2.", "a. % see queens.lp", "% queens.lp", "a.\nb.lp", "a"])
def test_a_text_is_no_path(source: str) -> None:
    assert not is_path(source)


@pytest.mark.parametrize("name", ["p.lp4", "p.asp", "p.clingo", "p.ilp", "p", "p.txt"])
def test_clingo_reads_any_file(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("p(1..3).")
    for source in (tmp_path / name, str(tmp_path / name)):
        with asp.Program(source) as program:
            model = program.first()
            assert model is not None
            assert model["p"] == [(1,), (2,), (3,)]


@pytest.mark.parametrize("name", ["p.pro", "p.prolog", "p.plt", "p.chr", "p", "p.txt"])
def test_prolog_reads_any_file(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("p(1).")
    for source in (tmp_path / name, str(tmp_path / name)):
        with prolog.Session(source) as session:
            assert [answer["X"] for answer in session.query("p(X)")] == [1]
