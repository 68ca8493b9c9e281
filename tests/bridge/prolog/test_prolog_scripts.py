"""Programs as swipl runs them: loaded in spite of errors, with arguments, standard input, search paths and halt/1."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TypeAlias

import pytest

from bridge import Limits
from bridge.errors import InputError, ProgramError, UnsupportedError
from bridge.prolog import Message, Session
from bridge.prolog.locate import current

Capture: TypeAlias = pytest.CaptureFixture[str]

WRONG = """:- use_rendering(chess).
:- use_module(library(not_there)).
p(1).
p(2) :- .
q(X).
p(3).
:- p(4).
"""


def swipl(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(current().swipl), *arguments], input=stdin, capture_output=True, text=True, timeout=300)


@contextmanager
def read_from(text: str) -> Iterator[IO[bytes]]:
    reader, writer = os.pipe()
    with os.fdopen(reader, "rb") as given:
        os.write(writer, text.encode())
        os.close(writer)
        yield given


def test_a_file_with_errors_is_loaded(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "wrong.pl"
    file.write_text(WRONG)
    with Session(file) as session:
        assert [answer["X"] for answer in session.query("p(X)")] == [1, 3]
        found = [(message.kind, message.where.line, message.where.column) for message in session.warnings if message.where]
        assert found == [
            ("error", 1, None), ("warning", 1, None), ("error", 2, None), ("warning", 2, None), ("error", 4, 9),
            ("warning", 5, None), ("warning", 6, None), ("warning", 7, None),
        ]  # fmt: skip
        first, syntax, last = session.warnings[0], session.warnings[4], session.warnings[-1]
        assert first.text == "catch/3: Unknown procedure: use_rendering/1"
        assert str(first) == f"{file}:1: error: catch/3: Unknown procedure: use_rendering/1"
        assert str(syntax).startswith(f"{file}:4:9: error: Syntax error: ")
        assert last == f"{file}:7: Goal (directive) failed: {'user:' if 'user:' in last else ''}p(4)"
        copy = pickle.loads(pickle.dumps(first))
        assert (copy, copy.kind, copy.where, copy.text) == (first, first.kind, first.where, first.text)
    assert capfd.readouterr().err == ""
    with pytest.raises(ProgramError, match="use_rendering") as raised:
        Session(file, strict=True)
    assert raised.value.where is not None
    assert (raised.value.where.file, raised.value.where.line) == (str(file), 1)
    assert raised.value.term.arguments[0].name == "existence_error"


def test_the_same_messages_as_swipl(tmp_path: Path) -> None:
    file = tmp_path / "wrong.pl"
    file.write_text(WRONG)
    lines = swipl("-g", "true", "-t", "halt", str(file)).stderr.splitlines()
    printed = " ".join(" ".join(line.split(":", 1)[1].split()) for line in lines)
    with Session(file) as session:
        for message in session.warnings:
            assert message.text.replace("failed: p", "failed: user:p").replace("failed: use_", "failed: user:use_") in printed


def test_halt_while_loading(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "script.pl"
    file.write_text("p(X).\n:- writeln(hello), halt(3).\n:- writeln(never).\n")
    with Session(file, ":- writeln(never).\n") as session:
        assert session.halted == 3
        assert session.warnings == [f"{file}:1: Singleton variables: [X]"]
        for ask in (lambda: session.first("p(X)"), lambda: session.query("p(X)").collect()):
            with pytest.raises(ProgramError, match=r"has ended: it called halt\(3\)"):
                ask()
    assert capfd.readouterr().out == "hello\n"
    with Session("p(1).") as session:
        assert session.halted is None


@pytest.mark.local
def test_the_exit_code_of_a_goal() -> None:
    with Session("go(X) :- member(X, [1, 2]), ( X == 2 -> halt(7) ; true ).", isolated=True) as session:
        stream = session.query("go(X)")
        outcome = stream.collect()
        assert ([answer["X"] for answer in outcome.solutions], outcome.limit, stream.exit_code) == ([1], "halt", 7)
        stream = session.query("true")
        assert (stream.collect().complete, stream.exit_code) == (True, None)


@pytest.mark.local
def test_goals_at_halt(capfd: pytest.CaptureFixture[str]) -> None:
    text = ":- at_halt(writeln(one)).\n:- initialization(at_halt(writeln(two))).\n"
    expected = "two\none\n"
    for end in ("halt(4)", "catch(halt(4), _, true)"):
        with Session(text, isolated=True) as session:
            stream = session.query(end)
            stream.collect()
            assert (stream.exit_code, capfd.readouterr().out) == (4, expected)
            assert session.halt() is None, "it has ended"
    with Session(text, isolated=True) as session:
        assert (session.halt(), capfd.readouterr().out) == (0, expected)
    with Session(text, ":- halt(5).\n", isolated=True) as session:
        assert (session.halted, capfd.readouterr().out) == (5, expected)
        assert session.halt() is None
    with Session(":- at_halt(cancel_halt(not_now)).\np(1).\n", isolated=True, output="nowhere") as session:
        assert session.halt() is None
        assert session.first("p(X)") is not None, "it goes on"
    with Session(":- at_halt(halt(9)).\n", isolated=True) as session:
        assert session.halt() == 9
    with Session(":- at_halt((repeat, fail)).\n", isolated=True) as session:
        assert session.halt(limits=Limits(seconds=0.2)) is None
    with Session("p(1).", isolated=False) as session:
        assert session.halt() is None


@pytest.mark.local
@pytest.mark.parametrize(
    "goal",
    [
        'format("hi"), halt(4)',
        'at_halt(format("hi")), halt(4)',
        'set_stream(user_output, buffer(full)), format("hi"), halt(4)',
        'catch(( format("hi"), halt(4) ), _, format("caught"))',
        'setup_call_cleanup(true, ( format("hi"), halt(4) ), format("cleaned"))',
        'thread_create(( format("hi"), halt(4) ), _), thread_self(Me), thread_get_message(Me, never)',
    ],
)
def test_nothing_is_lost_at_halt_and_nothing_comes_after(goal: str, tmp_path: Path, capfd: Capture) -> None:
    log = tmp_path / "log.txt"
    opened = f":- open('{log}', write, _, [alias(log)]), format(log, \"log\", []).\n"
    for text in (f"{opened}:- {goal}.\n", f"{opened}:- initialization(({goal}), main).\n"):
        with Session(text, isolated=True) as session:
            if session.halted is None:
                stream = session.query(goal)
                stream.collect()
            assert (session.halted or stream.exit_code, capfd.readouterr().out, log.read_text()) == (4, "hi", "log")
    with Session(opened, isolated=True) as session:
        session.first('format("hi")')
        assert (session.halt(), capfd.readouterr().out, log.read_text()) == (0, "hi", "log")


@pytest.mark.local
def test_libraries_that_are_there_are_linked() -> None:
    with Session("p(1).\n", isolated=True) as session:
        assert session.first("predicate_property(lists:must_be(_, _), imported_from(error))") is not None


@pytest.mark.local
def test_arguments() -> None:
    text = ":- use_module(library(main)).\nmain(Words) :- argv_options(Words, Rest, Options), nb_setval(got, Rest-Options).\n"
    with Session(text, isolated=True, argv=["in.txt", "--size=3", "--no-color", "it's"]) as session:
        answer = session.first("current_prolog_flag(argv, Words), main, nb_getval(got, Rest-Options)")
        assert answer is not None
        assert answer["Words"] == ["in.txt", "--size=3", "--no-color", "it's"]
        assert (answer["Rest"], str(answer["Options"])) == (["in.txt", "it's"], "[Term('size', (3,)), Term('color', (Atom('false'),))]")
    with Session("p(1).", isolated=True) as session:
        assert session.first("current_prolog_flag(argv, X)")["X"] == []  # type: ignore[index]


@pytest.mark.local
def test_standard_input() -> None:
    text = "sum(S) :- read(X), ( X == end_of_file -> S = 0 ; sum(S0), S is S0 + X ).\n"
    with read_from("1. 2.\n39.\n") as stdin, Session(text, isolated=True, stdin=stdin) as session:
        assert session.first("sum(S)")["S"] == 42  # type: ignore[index]
    with Session(text, isolated=True) as session:
        assert session.first("sum(S)")["S"] == 0, "without one it is empty"  # type: ignore[index]
    with read_from("X = 1.\nX = 2.\n") as stdin, Session(text, isolated=True, stdin=stdin, output="nowhere") as session:
        assert session.first("prolog") is not None, "a toplevel that reads to the end"


@pytest.mark.local
def test_search_paths(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "mine.pl").write_text(":- module(mine, [mine/1]).\nmine(lib).\n")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "mine.pl").write_text(":- module(mine, [mine/1]).\nmine(other).\n")
    pack = tmp_path / "packs" / "packed"
    (pack / "prolog").mkdir(parents=True)
    (pack / "pack.pl").write_text("name(packed).\nversion('1.0.0').\ntitle('A pack').\n")
    (pack / "prolog" / "packed.pl").write_text(":- module(packed, [packed/1]).\npacked(yes).\n")
    text = ":- use_module(library(mine)).\n:- use_module(here(mine), []).\n:- use_module(library(packed)).\n"
    paths = {"library": [tmp_path / "lib", tmp_path / "other"], "here": [str(tmp_path / "lib")], "pack": [tmp_path / "packs"]}
    with Session(text, isolated=True, search_paths=paths) as session:
        assert session.warnings == []
        assert session.first("mine(X), packed(Y)") == {"X": "lib", "Y": "yes"}
    with Session(text, isolated=True) as session:
        assert sum(message.kind == "error" for message in session.warnings) == 3


@pytest.mark.local
def test_a_plt_file(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    tests = ":- begin_tests(m).\ntest(good) :- true.\ntest(bad, {what}) :- fail.\n:- end_tests(m).\n"
    for what, passed in (("fail", True), ("true", False)):
        file = tmp_path / "m.plt"
        file.write_text(":- use_module(library(plunit)).\n" + tests.replace("{what}", what))
        with Session(file, isolated=True, output="nowhere") as session:
            assert session.warnings == []
            assert (session.first("run_tests") is not None) is passed
            assert (session.first("run_tests(m)") is not None) is passed


@pytest.mark.local
def test_what_belongs_to_a_process() -> None:
    for given in ({"argv": ["a"]}, {"search_paths": {"library": ["."]}}, {"stdin": sys.stdin}):
        for how in ({"isolated": False}, {"untrusted": True}):
            with pytest.raises(UnsupportedError, match="belongs to a process"):
                Session("p(1).", **given, **how)  # type: ignore[arg-type]
    for wrong in ({"argv": "a b"}, {"search_paths": {"library": "lib"}}):
        with pytest.raises(InputError, match="is one text"):
            Session("p(1).", isolated=True, **wrong)  # type: ignore[arg-type]


@pytest.mark.local
def test_an_untrusted_program_is_refused_as_a_whole_unless_asked() -> None:
    text = "p(1).\n:- shell(true).\n:- use_rendering(chess).\np(2).\n"
    with pytest.raises(ProgramError, match="shell"):
        Session(text, untrusted=True)
    with Session(text, untrusted=True, strict=False) as session:
        assert [answer["X"] for answer in session.query("p(X)")] == [1, 2]
        assert sorted({message.where.line or 0 for message in session.warnings if message.kind == "error" and message.where}) == [2, 3]
        assert session.halted is None
        assert session.halt() is None
        with pytest.raises(ProgramError, match="not safe"):
            session.first("shell(true)")


def test_a_message_alone() -> None:
    assert str(Message("Singleton variables: [X]")) == "Singleton variables: [X]"
    for wrong in (["info", "a", 1, 1, "x"], ["error", 1, 1, 1, "x"], ["error", "a", "1", 1, "x"], ["error", "a", 1, 1]):
        with pytest.raises(ValueError, match="was not expected"):
            Message.unpacked(wrong)
