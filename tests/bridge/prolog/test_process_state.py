"""A program's process is the caller's at the moment it starts: folder, environment, mask, modules, limits, number."""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from patience import PATIENCE

from bridge import asp
from bridge.errors import ProgramError
from bridge.isolation import environment
from bridge.isolation import process as process_module
from bridge.limits import Limits
from bridge.prolog import Session

SCRIPT = """
#script (python)
import os, sys
from clingo import Function, Number, String
def folder(): return String(os.getcwd())
def variable(): return String(os.environ.get("LPBRIDGE_TEST_STATE", "unset"))
def mask():
    mask = os.umask(0)
    os.umask(mask)
    return Number(mask)
def importable():
    import lpbridge_test_module
    return String(lpbridge_test_module.WORD)
#end.
"""


def _value(goal: str, **more: object) -> object:
    with Session("p.", **more) as session:  # type: ignore[arg-type]
        answer = session.first(goal)
        assert answer is not None
        return answer["X"]


@pytest.fixture(autouse=True)
def _one_before() -> Iterator[None]:
    """The fork servers run: what they have is not yet what the test gives."""
    with Session("p.") as session:
        assert session.first("p") is not None
    assert asp.Program("p.").first() is not None
    mask = os.umask(0o022)
    yield
    os.umask(mask)


@pytest.mark.parametrize("name", ["first", "second", "a folder with blanks", "größer"])
def test_relative_files_are_of_the_folder_of_today(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / name
    folder.mkdir()
    (folder / "facts.pl").write_text(":- module(facts, [fact/1]).\nfact(here).\n")
    (folder / "data.txt").write_text("here")
    monkeypatch.chdir(folder)
    with Session("p.") as session:
        assert str(session.first("consult(facts), fact(X)")) == "X = here."
        assert str(session.first("read_file_to_string('data.txt', X, [])")) == 'X = "here".'
        assert str(session.first("absolute_file_name('data.txt', X)")) == f"X = '{folder}/data.txt'."
        assert str(session.first("unload_file(facts), \\+ source_file(facts:fact(_), _)")) == "true."
        assert str(session.first("working_directory(X, X)")) == f"X = '{folder}/'."
    assert _value(":(user, use_module(facts)), fact(X)") == "here"
    with asp.Program(SCRIPT + "p(@folder()).") as program:
        assert str(program.first()) == f'p("{folder}")'


def test_variables_are_those_of_today(monkeypatch: pytest.MonkeyPatch) -> None:
    for word in ("one", "two", "größer"):
        monkeypatch.setenv("LPBRIDGE_TEST_STATE", word)
        assert _value("getenv('LPBRIDGE_TEST_STATE', X)") == word
        with asp.Program(SCRIPT + "p(@variable()).") as program:
            assert str(program.first()) == f'p("{word}")'
    monkeypatch.delenv("LPBRIDGE_TEST_STATE")
    assert _value("(getenv('LPBRIDGE_TEST_STATE', X) -> true ; X = unset)") == "unset"


@pytest.mark.parametrize(
    ("name", "value", "goal", "expected"),
    [
        ("TZ", "UTC-5", "stamp_date_time(0, date(_, _, _, X, _, _, _, _, _), local)", 5),
        ("TMP", "/var/tmp", "tmp_file(a, X0), file_directory_name(X0, X)", "/var/tmp"),
        ("HOME", "/var", "expand_file_name('~', [X])", "/var"),
    ],
)
def test_variables_that_are_read_at_the_start(
    name: str, value: str, goal: str, expected: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    assert _value(goal.replace("X0", "_X")) == expected
    monkeypatch.undo()
    assert _value(goal.replace("X0", "_X")) != expected


def test_a_session_lives_on_while_another_server_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    with Session(":- dynamic q/1.") as session:
        assert session.first("assertz(q(1))") is not None
        before = process_module._fork_server("bridge.prolog.job")
        monkeypatch.setenv("TZ", "UTC-7")
        assert _value("X = 1") == 1
        assert not before.ended
        assert str(session.first("q(X)")) == "X = 1."
    before._process.wait(PATIENCE)  # the last of its workers was that


@pytest.mark.parametrize("mask", [0o077, 0o002, 0o027])
def test_the_mask_of_new_files(mask: int, tmp_path: Path) -> None:
    os.umask(mask)
    with Session("p.") as session:
        file = str(tmp_path / "new")
        assert session.first("open(F, write, S), close(S)", F=file) is not None
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o666 & ~mask
    with asp.Program(SCRIPT + "p(@mask()).") as program:
        assert str(program.first()) == f"p({mask})"


def test_modules_are_found_where_the_caller_finds_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lpbridge_test_module.py").write_text("WORD = 'found'\n")
    with pytest.raises(ProgramError, match="No module named"):
        asp.Program(SCRIPT + "p(@importable()).").first()
    monkeypatch.syspath_prepend(str(tmp_path))
    with asp.Program(SCRIPT + "p(@importable()).") as program:
        assert str(program.first()) == 'p("found")'


def test_limits_of_the_system_are_the_callers() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_CORE)
    other = 0 if soft else min(4096, hard) if hard >= 0 else 4096
    resource.setrlimit(resource.RLIMIT_CORE, (other, hard))
    try:
        with Session("p.") as session:
            pid = session._backend._worker.pid  # type: ignore[attr-defined]
            assert resource.prlimit(pid, resource.RLIMIT_CORE) == (other, hard)
    finally:
        resource.setrlimit(resource.RLIMIT_CORE, (soft, hard))


def test_a_process_that_replaces_another_begins_as_that_did(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "facts.pl").write_text(f"fact({name}).\n")
    monkeypatch.chdir(tmp_path / "first")
    monkeypatch.setenv("LPBRIDGE_TEST_STATE", "first")
    with Session("facts.pl") as session:
        monkeypatch.chdir(tmp_path / "second")
        monkeypatch.setenv("LPBRIDGE_TEST_STATE", "second")
        session._backend._worker._kill()  # type: ignore[attr-defined]
        assert str(session.first("fact(X), getenv('LPBRIDGE_TEST_STATE', Y)")) == "X = Y, Y = first."


def test_each_session_has_its_own_number_and_chance() -> None:
    goal = "current_prolog_flag(pid, P), R is random(1 << 60), tmp_file(a, F), current_prolog_flag(executable, E)"
    seen = []
    for _ in range(3):
        with Session("p.") as session:
            answer = session.first(goal)
            assert answer is not None
            assert answer["P"] == session._backend._worker.pid  # type: ignore[attr-defined]
            assert f"_{answer['P']}_" in answer["F"]
            assert os.access(answer["E"], os.X_OK)
            seen.append((answer["P"], answer["R"], answer["F"]))
    assert [len({one[index] for one in seen}) for index in range(3)] == [3, 3, 3]


def test_a_session_that_kills_itself_ends_alone() -> None:
    with Session(":- dynamic q/1.") as other, Session("p.") as session:
        assert other.first("assertz(q(1))") is not None
        goal = "use_module(library(process)), current_prolog_flag(pid, P), process_kill(P, kill)"
        stream = session.query(goal)
        assert list(stream) == []
        assert stream.outcome([]).limit == "crash"
        assert str(other.first("q(X)")) == "X = 1."


BLOCKING = {
    "sleep": "sleep(1000)",
    "read from a pipe": "use_module(library(unix)), pipe(R, _), read(R, _)",
    "accept": "use_module(library(socket)), tcp_socket(S), tcp_bind(S, _), tcp_listen(S, 5), tcp_accept(S, _, _)",
    "message": "thread_get_message(never)",
    "process": "use_module(library(process)), process_create(path(sleep), ['1000'], [process(P)]), "
    "call_cleanup(process_wait(P, _), ( process_kill(P, kill), process_wait(P, _) ))",
}


@pytest.mark.parametrize("goal", BLOCKING.values(), ids=BLOCKING)
def test_a_time_limit_of_the_program_interrupts_what_blocks(goal: str) -> None:
    with Session("p.") as session:
        assert session.first(f"catch(call_with_time_limit(0.05, ({goal})), E, true), E == time_limit_exceeded") is not None


@pytest.mark.parametrize("goal", BLOCKING.values(), ids=BLOCKING)
def test_a_limit_interrupts_what_blocks_and_keeps_the_session(goal: str) -> None:
    with Session(":- dynamic q/1.") as session:
        assert session.first("assertz(q(1))") is not None
        stream = session.query(goal, limits=Limits(seconds=0.1))
        outcome = stream.collect()
        assert (list(outcome.solutions), outcome.limit) == ([], "seconds")
        assert str(session.first("q(X)")) == "X = 1."


def test_a_limit_in_this_process_while_a_goal_blocks() -> None:
    """Here nothing is interrupted: signals are the caller's. The limit is one all the same, when the goal returns."""
    with Session(":- dynamic q/1.", isolated=False) as session:
        outcome = session.query("sleep(1.3)", limits=Limits(seconds=0.1)).collect()  # more than one stop comes
        assert (list(outcome.solutions), outcome.limit) == ([], "seconds")
        assert str(session.first("X = 1")) == "X = 1."


def test_what_a_process_lacks_of_its_caller() -> None:
    caller = {"folder": "/", "mask": 0, "path": [], "variables": {"A": "1", "B": "2"}}
    lacks = environment.between(caller, {"A": "1", "B": "3", "C": "4"}, untrusted=False)
    assert lacks["variables"] == {"B": "2", "C": None}
    assert environment.between(caller, {}, untrusted=True) == {"folder": "/"}
    assert environment.of_caller()["path"] == sys.path


def test_scripts_have_numbers_names_and_chance_of_their_own() -> None:
    text = """
#script (python)
import os, random, tempfile, uuid
from clingo import String
def own(): return [String(str(one)) for one in (os.getpid(), random.random(), tempfile.mktemp(), uuid.uuid4())]
#end.
p(@own()).
"""
    seen: list[set[str]] = []
    for _ in range(3):
        with asp.Program(text) as program:
            seen.append(set(str(program.first()).split()))
    assert [len(one) for one in seen] == [4, 4, 4]
    assert len(set().union(*seen)) == 12


def test_make_finds_nothing_wrong_with_the_bridge(capfd: pytest.CaptureFixture[str]) -> None:
    with Session("p.") as session:
        assert session.first("make, list_undefined") is not None
    assert capfd.readouterr().err == ""
