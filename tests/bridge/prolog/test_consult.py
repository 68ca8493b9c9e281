"""Further programs and facts in a session that is there."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import pandas
import polars
import pyarrow
import pytest

import bridge
from bridge import asp, prolog

MODES: list[dict[str, Any]] = [{}, pytest.param({"isolated": False}, marks=pytest.mark.local)]


def values(session: prolog.Session, goal: str) -> list[Any]:
    return [answer["X"] for answer in session.query(goal)]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "m.pl").write_text(":- module(m, [m/1]).\n:- use_module(n).\nm(X) :- n(X).\nm(X) :- hidden(X).\nhidden(2).\n")
    (tmp_path / "lib" / "n.pl").write_text(":- module(n, [n/1]).\nn(1).\n")
    (tmp_path / "a.pl").write_text(":- use_module(lib/m).\na(X) :- m(X).\n")
    (tmp_path / "b.pl").write_text(":- op(700, xfx, ===>).\n:- ensure_loaded(a).\nb(X) :- a(X).\nb(a ===> b).\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("how", MODES)
def test_files_with_modules_and_relative_names(folder: Path, how: dict[str, Any]) -> None:
    with prolog.Session("start(here).", **how) as session:
        assert session.consult("b.pl", "c(X) :- b(X), integer(X), start(here).") == []
        assert values(session, "c(X)") == [1, 2]
        assert str(values(session, "b(X), X = (_ ===> _)")[0]) == "===>(a, b)"
        with pytest.raises(bridge.ProgramError, match="hidden/1"):
            list(session.query("hidden(X)"))
        assert session.consult(Path("lib/n")) == []  # a path without a suffix, of a file that is there
        assert values(session, "n(X)") == [1]
        with pytest.raises(bridge.InputError, match=r"none\.pl: no such file"):
            session.consult("none.pl")
        (said,) = session.consult("d(1).\nd(1) q.\n")
        assert (said.kind, said.where and said.where.line, session.warnings) == ("error", 2, [said])
        assert values(session, "d(X)") == [1]


@pytest.mark.parametrize("how", MODES)
def test_the_same_text_again_and_another_one(how: dict[str, Any]) -> None:
    with prolog.Session("p(1). p(2).", **how) as session:
        assert session.consult("q(X) :- p(X).") == session.consult("q(X) :- p(X).") == []
        assert values(session, "q(X)") == [1, 2]
        (said,) = session.consult("q(3).")
        assert str(said) == "<text>:1: Redefined static procedure q/1 Previously defined at <text>:1"
        assert values(session, "q(X)") == [3]


def test_operators_and_texts_of_answers_after_it() -> None:
    with prolog.Session("p(1). p(2).") as session:
        with pytest.raises(bridge.ProgramError, match="syntax error"):
            session.first("X = (a ===> b)")
        session.consult(":- op(700, xfx, ===>).")
        stream = session.query("member(X, [a ===> b, 2])")
        assert str(next(stream)) == "X = (a===>b)."
        stream.close()


def test_another_process_has_it_again(folder: Path) -> None:
    with prolog.Session(":- dynamic e/1.") as session:
        session.consult("b.pl")
        session.add_facts("e", [1, 2])
        session.first("assertz(e(3))")
        assert values(session, "e(X)") == [1, 2, 3]
        session._backend._worker.close()  # type: ignore[union-attr]
        assert (values(session, "e(X)"), values(session, "a(X)")) == ([1, 2], [1, 2])


def test_untrusted_programs() -> None:
    with prolog.Session("p(1).", untrusted=True, allow_missing_walls=True) as session:
        session.add_facts("q", [1, 2])
        session.consult("w(X) :- q(X), p(X). harm :- shell('ls').")
        assert values(session, "w(X)") == [1]
        with pytest.raises(bridge.ProgramError, match="not safe to run"):
            session.first("harm")
        with pytest.raises(bridge.UnsupportedError, match="reads no further file"):
            session.consult("a.pl")
        with pytest.raises(bridge.ProgramError):
            session.consult(":- shell('ls').")


def test_a_program_that_halts_and_a_strict_one() -> None:
    with prolog.Session("p(1).") as session:
        session.consult(":- halt(3).")
        assert session.halted == 3
        with pytest.raises(bridge.ProgramError, match="halt"):
            session.first("p(X)")
    with prolog.Session("p(1).", strict=True) as session:
        with pytest.raises(bridge.ProgramError, match="Syntax error"):
            session.consult("r(1) r.")
        assert values(session, "p(X)") == [1]


@dataclass
class Job:
    name: str
    due: date


FRAME = {"x": ["a", "b"], "n": [1, 2]}
TABLES = [pandas.DataFrame(FRAME), polars.DataFrame(FRAME), polars.DataFrame(FRAME).lazy(), pyarrow.table(FRAME)]


@pytest.mark.parametrize("how", MODES)
def test_facts_of_rows_and_tables(how: dict[str, Any]) -> None:
    with prolog.Session("twice(X) :- t(A, N), X is 2 * N, atom(A).", **how) as session:
        for table in TABLES:
            session.add_facts("t", table, columns={"x": prolog.Atom})
        assert values(session, "twice(X)") == [2, 4] * len(TABLES)
        session.add_facts("empty", polars.DataFrame({"x": [], "y": []}))
        assert values(session, "empty(X, _)") == []
        session.add_facts("job", [Job("paint", date(2026, 2, 3)), ("wash", [1, 2.5]), "one", prolog.Term("f", (1,)), ()])
        assert values(session, 'job(X, "2026-02-03")') == ["paint"]
        assert values(session, "job(_, X), is_list(X)") == [[1, 2.5]]
        assert values(session, "job(X)") == ["one", prolog.Term("f", (1,))]
        assert session.first("job") is not None
        session.add_facts("twice", [7])  # beside its clauses
        assert values(session, "twice(X)")[-1] == 7
        with pytest.raises(bridge.ProgramError, match="No permission"):
            session.add_facts("is", [(1, 2)])


@pytest.mark.parametrize(
    ("rows", "columns", "message"),
    [
        ([1, None], None, r"rows\[1\]: None is a missing value"),
        (polars.DataFrame({"x": ["a", None]}), None, r"rows\[1\], column 'x': None is a missing value"),
        (pandas.DataFrame({"x": [1.5, None]}), None, r"rows\[1\], column 'x': nan is a missing value"),
        ([{1}], None, "neither a sequence of arguments nor a term of Prolog"),
        ([((1, 2), 3)], None, "a tuple means nothing to Prolog"),
        ("ab", None, "one value"),
        ({"a": 1}, None, "a mapping"),
        (prolog.Term("f", (1,)), None, "one object"),
        (polars.DataFrame(FRAME), {"y": str}, "there is no column 'y'"),
    ],
)
def test_what_is_no_fact(rows: Any, columns: Any, message: str) -> None:
    with prolog.Session("") as session:
        with pytest.raises(bridge.InputError, match=message):
            session.add_facts("p", rows, columns=columns)
        for name in ("", 3):
            with pytest.raises(bridge.InputError, match="not the name"):
                session.add_facts(name, [1])  # type: ignore[arg-type]


def test_both_languages_read_the_same_rows() -> None:
    rows: list[Any] = [(1, "a"), ["b", 2], 3, "c", Job("d", date(2026, 1, 1))]
    assert asp.facts("p", rows).splitlines() == ['p(1,"a").', 'p("b",2).', "p(3).", 'p("c").', 'p("d","2026-01-01").']
    with prolog.Session("") as session:
        session.add_facts("p", rows)
        assert [[answer["X"], answer["Y"]] for answer in session.query("p(X, Y)")] == [[1, "a"], ["b", 2], ["d", "2026-01-01"]]
        assert values(session, "p(X)") == [3, "c"]
