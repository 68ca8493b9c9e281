"""Programs as they load: what they say, what they offer, what is wrong with them and where."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bridge.errors import InputError, ProgramError
from bridge.prolog import Session


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / f"{name}.pl").write_text(text, "utf-8")
    return folder / f"{next(iter(files))}.pl"


def values(session: Session, goal: str) -> list[Any]:
    return [answer["X"] for answer in session.query(goal)]


MODULE = """:- module(shop, [sells/1, op(700, xfx, ===>), becomes/2]).
sells(X) :- stock(X).
stock(bread).
stock(milk).
becomes(X, Y) :- X ===> Y.
milk ===> cheese.
"""


def test_a_module_is_seen_as_at_the_toplevel(tmp_path: Path) -> None:
    with Session(write(tmp_path, shop=MODULE)) as session:
        assert values(session, "sells(X)") == ["bread", "milk"]
        assert values(session, "shop:stock(X)") == ["bread", "milk"]
        assert session.first("Y = (a ===> b), Y =.. [X|_]")["X"] == "===>"  # type: ignore[index]
        with pytest.raises(ProgramError, match="Unknown procedure: stock/1"):
            session.first("stock(X)")
        assert session.exports() == [("becomes", 2), ("sells", 1)]


def test_a_file_in_two_sessions(tmp_path: Path) -> None:
    """Each has its own clauses, and errors tell the file's own name."""
    file = write(tmp_path, plain=":- dynamic p/1.\np(1).\nadd(X) :- assertz(p(X)).\nwrong :- X is foo + 1, p(X).\n:- include(more).\n", more="q(7).\n")
    with Session(file) as one, Session(file) as other:
        one.first("add(2)")
        assert (values(one, "p(X)"), values(other, "p(X)")) == ([1, 2], [1])
        assert values(other, "q(X)") == [7]
        for session in (one, other):
            assert session.exports() == [("add", 1), ("p", 1), ("q", 1), ("wrong", 0)]
            with pytest.raises(ProgramError) as raised:
                session.first("wrong")
            assert str(raised.value).startswith(f"{file}:4")


def test_texts_do_not_replace_each_other() -> None:
    with Session("p(1).", "q(X) :- p(X).", "p2(1).") as session:
        assert values(session, "q(X)") == [1]
        assert session.exports() == [("p", 1), ("p2", 1), ("q", 1)]


def test_warnings_tell_their_places(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = write(
        tmp_path,
        main=":- use_module(used).\n:- include(part).\np(1).\nq(1).\np(2).\n:- fail.\n:- initialization(fail).\n",
        used=":- module(used, [u/1]).\n\nu(1).\n",
        other=":- module(other, [o/1]).\n\no(X).\n",
        part="part(Y).\n",
    )
    for _ in range(2):
        with Session(file) as session:
            warnings = session.warnings
        expected = {
            f"{tmp_path}/part.pl:1: Singleton variables: [Y]",
            f"{tmp_path}/main.pl:6: Goal (directive) failed: user:fail",
            f"{tmp_path}/main.pl:7: Initialization goal failed",
        }
        assert {warning.replace("failed: fail", "failed: user:fail") for warning in warnings} >= expected
        assert any(warning.startswith(f"{tmp_path}/main.pl:5: Clauses of p/1 are not together") for warning in warnings)
    # A module that is loaded already says it again.
    with Session(tmp_path / "other.pl") as one, Session(tmp_path / "other.pl") as other:
        assert one.warnings == other.warnings == [f"{tmp_path}/other.pl:3: Singleton variables: [X]"]
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    ("text", "where", "message"),
    [
        (":- atom_length(X, _), p(X).\n", ":1", "not sufficiently instantiated"),
        ("p.\n:- initialization(go).\ngo :- X is foo + 1, p(X).\n", ":2", "`foo/0' is not a function"),
        ("p :- nowhere_defined.\n:- p.\n", ":2", "Unknown procedure: nowhere_defined/0"),
        (":- include(not_there).\n", "", "not_there"),
        (":- throw(oops).\n", "", "oops"),
        ("p(1).\n:- halt(4).\n", "", "called halt(4)"),
    ],
)
def test_errors_tell_their_places(tmp_path: Path, text: str, where: str, message: str) -> None:
    file = write(tmp_path, wrong=text)
    with pytest.raises(ProgramError) as raised:
        Session(file, strict=True)
    assert message in str(raised.value)
    if "halt" not in message:
        assert str(raised.value).startswith(f"{file}{where}: ")
    assert "In:" not in str(raised.value), "no backtrace"


def test_an_error_in_a_file_that_another_loads(tmp_path: Path) -> None:
    file = write(tmp_path, main=":- use_module(inner).\n", inner=":- module(inner, []).\n\np(1) q(2).\n")
    with pytest.raises(ProgramError) as raised:
        Session(file, strict=True)
    assert str(raised.value).startswith(f"{tmp_path}/inner.pl:3:6: ")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        Session(tmp_path / "nowhere.pl")
    with pytest.raises(InputError, match="irectory"):
        Session(tmp_path)


def test_bytes_that_are_not_utf_8_are_read_as_swipl_reads_them(tmp_path: Path) -> None:
    """With a warning, and a clause of which they are not part of the text is lost."""
    latin = tmp_path / "latin.pl"
    latin.write_bytes(b"p('caf\xe9').\nq(\xe9t).\nr(1).\n")
    with Session(latin) as session:
        assert values(session, "p(X)") == ["caf\ufffd"]
        assert values(session, "r(X)") == [1]
        kinds = [(message.kind, message.where and message.where.line) for message in session.warnings]
    assert kinds == [("warning", 1), ("error", 2), ("warning", 3)]
    latin.write_bytes(b":- encoding(iso_latin_1).\np('\xe9').\n")
    with Session(latin) as session:
        assert values(session, "p(X)") == ["é"]


def test_main_is_told_and_not_run(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    text = ":- initialization(main, main).\n:- initialization(write(loaded)).\nmain :- write(ran), halt(3).\n"
    with Session(write(tmp_path, script=text)) as session:
        assert session.main() == "main"
    assert capfd.readouterr().out == "loaded"
    with Session("p.") as session:
        assert session.main() is None


def test_operators_and_flags_of_the_program() -> None:
    with Session(":- op(700, xfx, is_in).\n:- op(9, fx, #).\nX is_in Xs :- member(X, Xs).\n") as session:
        assert values(session, "X is_in [1, 2]") == [1, 2]
        assert str(session.first("X = (a is_in b)")) == "X = (a is_in b)."
    with pytest.raises(ProgramError, match="syntax error"), Session("p.") as session:
        session.first("X is_in [1, 2]")


def test_goals_are_expanded_as_at_the_toplevel() -> None:
    with Session("p(1). p(2).") as session:
        assert session.first("X = _{a: 7}.a")["X"] == 7  # type: ignore[index]
        assert session.first("maplist([A, B]>>(B is A + 1), [1, 2], X)")["X"] == [2, 3]  # type: ignore[index]


@pytest.mark.parametrize(
    ("goal", "column"), [("foo(X", 6), ("X = a b", 7), ("X = [1, 2", 10), ("X = 'open", None), (")", 1), ("X = 1.\nY = 2", None), ("X = 1. foo.", 7)]
)
def test_a_syntax_error_shows_its_column(goal: str, column: int | None) -> None:
    with Session() as session, pytest.raises(ProgramError, match="syntax error") as raised:
        session.first(goal)
    assert raised.value.where is not None
    if column is not None:
        assert (raised.value.where.line, raised.value.where.column) == (1, column)


@pytest.mark.parametrize(("library", "module"), [("clpq", "nf_q"), ("clpr", "nf_r"), ("clpfd", "clpfd"), ("chr", "chr"), ("simplex", "simplex"), ("clpb", "clpb")])
def test_a_program_finds_its_slow_library_in_memory(library: str, module: str) -> None:
    """And no other program does."""
    asks = f":- dynamic there/0.\n:- ( current_module({module}) -> assertz(there) ; true ).\n"
    with Session(f"{asks}:- use_module(library({library})).\n") as session:
        assert session.first("there") is not None
    with Session(f"{asks}:- use_module(library(lists)).\n") as session:
        assert session.first("there") is None


def test_what_two_slow_libraries_give() -> None:
    text = ":- use_module(library(clpq)).\n:- use_module(library(clpfd)).\n"
    with Session(text) as session:
        assert str(session.first("{2 * X = 1}, Y in 1..3, Y #> 2")) == "X = 1r2,\nY = 3."
