"""What a program that nobody vouches for tries, and does not get."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from patience import PATIENCE, given_time

from bridge.asp import Program
from bridge.errors import BridgeError, LimitError, ProgramError
from bridge.isolation.landlock import version as landlock_version
from bridge.isolation.worker import Worker
from bridge.limits import Limits
from bridge.outcome import Outcome, Progress
from bridge.prolog import Session
from torture.harness import within

LIMITS = Limits(seconds=PATIENCE)
LOADING = Limits(seconds=PATIENCE)


@pytest.fixture
def trap(tmp_path: Path) -> str:
    """A command that leaves a trace."""
    return f"shell('touch {tmp_path}/trace')"


@pytest.fixture
def secret(tmp_path: Path) -> str:
    """A file that was not given."""
    file = tmp_path / "secret.pl"
    file.write_text("secret(1).\n")
    return str(file)


REFUSED = [
        "TRAP", "call((TRAP))", "G = TRAP, call(G)", "catch(TRAP, _, true)", "findall(x, TRAP, _)", "\\+ TRAP", "forall(true, TRAP)",
        "term_to_atom(G, 'halt'), call(G)", "assertz((t :- TRAP)), t", "user:TRAP", "system:TRAP", "@(TRAP, user)",
        "process:process_create(path(id), [], [])", "setup_call_cleanup(true, true, TRAP)", "freeze(X, TRAP), X = 1",
        "maplist([X]>>TRAP, [1])", "apply(shell, [ls])", "thread_create(TRAP)", "format('~@', [TRAP])",
        "open('SECRET', read, S)", "open('SECRET', write, S)", "see('SECRET')", "tell('SECRET')", "read_file_to_string('SECRET', T, [])",
        "read_file_to_terms('SECRET', T, [])", "exists_file('SECRET')", "delete_file('SECRET')", "directory_files('/', F)",
        "consult('SECRET')", "['SECRET']", "load_files('SECRET', [])", "use_module('SECRET')", "ensure_loaded('SECRET')", "include('SECRET')",
        "py_call(os:getcwd(), X)", "janus:py_call(os:getcwd(), X)", "py_iter(os:listdir('.'), X)", "py_func(os, getcwd(), X)",
        "tcp_connect(localhost:80, S, [])", "socket:tcp_socket(S)", "http_open('http://localhost', S, [])", "use_foreign_library('x.so')",
        "halt", "halt(3)", "prolog", "setenv(a, b)", "getenv('HOME', X)", "working_directory(D, '/')", "tmp_file(a, F)",
        "set_prolog_flag(sandboxed_load, false)", "assertz(sandbox:safe_primitive(system:shell(_)))", "lpbridge_worker:limit_memory(1, T)",
        "lpbridge_load:load(user, 'SECRET', M)", "prolog_load_context(module, M)", "set_stream(user_input, tty(true))", "nb_setval(a, 1)",
    ]  # fmt: skip


def test_goals_that_are_refused(trap: str, secret: str, tmp_path: Path) -> None:
    """All of them in one session, which none of them harms."""
    with Session("a(1).\n", untrusted=True, limits=LOADING) as session:
        for goal in REFUSED:
            with within(LIMITS.seconds), pytest.raises(ProgramError, match="not safe|not exist"):  # noqa: RUF043
                session.query(goal.replace("TRAP", trap).replace("SECRET", secret), limits=LIMITS).collect()
            assert session.first("a(X)")["X"] == 1, goal
    assert os.listdir(tmp_path) == ["secret.pl"]


@pytest.mark.parametrize(
    "text",
    [
        ":- TRAP.", "?- TRAP.", ":- initialization(TRAP).", ":- initialization(TRAP, main).", ":- initialization(TRAP, now).",
        ":- if(TRAP).\n:- endif.", ":- if(fail).\n:- elif(TRAP).\n:- endif.", "goal_expansion(x, TRAP).\n:- if(x).\n:- endif.",
        "goal_expansion(x, TRAP).\n:- x.", "goal_expansion(x, y) :- TRAP.\nt :- x.", "term_expansion(a, (:- TRAP)).\na.",
        "term_expansion(a, b) :- TRAP.\na.", "user:term_expansion(a, b) :- TRAP.\na.", "system:goal_expansion(a, b) :- TRAP.\nt :- a.",
        "user:portray(_) :- TRAP.", "user:message_hook(_, _, _) :- TRAP.", "user:prolog_load_file(_, _) :- TRAP.",
        "user:exception(_, _, _) :- TRAP.", "prolog:message(_) --> {TRAP}.", "term_expansion(a, (user:portray(_) :- TRAP)).\na.",
        ":- module(user, []).\nportray(_) :- TRAP.", ":- module(prolog, []).\nmessage(_) --> {TRAP}.", ":- module(sandbox, []).\nsafe_goal(_).",
        ":- module(lpbridge_worker, []).\nsafe(_, \"\").", ":- module(lpbridge, []).\nx.", ":- module(user).\nportray(_) :- TRAP.",
        ":- '$set_source_module'(user).", ":- set_prolog_flag(sandboxed_load, false).\n:- TRAP.",
        ":- multifile sandbox:safe_primitive/1.\nsandbox:safe_primitive(system:shell(_)).", "sandbox:safe_primitive(system:shell(_)).",
        ":- dynamic sandbox:safe_primitive/1.", ":- use_module(library(process)).", ":- use_module(library(socket)).", ":- at_halt(TRAP).",
        ":- use_foreign_library('x.so').", ":- load_foreign_library(foreign(process)).", ":- halt.", ":- initialization(halt).",
        ":- consult('SECRET').", ":- ['SECRET'].", ":- include('SECRET').", ":- include(secret).", ":- use_module('SECRET').",
        ":- ensure_loaded('SECRET').", ":- load_files('SECRET', []).", ":- reexport('SECRET').", ":- autoload('SECRET').\nt :- secret(_).",
        ":- open('SECRET', read, S), read(S, X).", ":- initialization((open('SECRET', read, S), read(S, _))).", ":- open('SECRET', write, _).",
        "term_expansion(a, B) :- read_file_to_terms('SECRET', B, []).\na.", ":- py_call(os:getcwd(), _).", ":- setenv(a, b).",
    ],
)  # fmt: skip
def test_a_program_that_is_refused(text: str, trap: str, secret: str, tmp_path: Path) -> None:
    try:
        with within(5), Session(text.replace("TRAP", trap).replace("SECRET", secret) + "\n", untrusted=True, limits=LOADING) as session:  # noqa: SIM117
            with pytest.raises(ProgramError):
                session.query("t ; secret(_) ; x", limits=LIMITS).collect()
    except BridgeError as error:
        assert isinstance(error, ProgramError), error  # noqa: PT017
    assert sorted(os.listdir(tmp_path)) == ["secret.pl"], "a trace"
    assert Path(secret).read_text() == "secret(1).\n"


@pytest.mark.parametrize("goal", ["x", "y", "(true, x)", "findall(a, x, _)"])
def test_the_goal_that_is_run_is_the_one_that_was_looked_at(goal: str, trap: str, tmp_path: Path) -> None:
    """The program's goal expansion comes before."""
    text = f"goal_expansion(x, {trap}).\ngoal_expansion(y, G) :- atom_to_term('halt', G, _).\n"
    with Session(text, untrusted=True, limits=LOADING) as session, pytest.raises(ProgramError, match="not safe"):
        session.query(goal, limits=LIMITS).collect()
    assert os.listdir(tmp_path) == []


def test_what_is_safe_runs() -> None:
    text = (
        ":- use_module(library(clpfd)).\n:- use_module(library(lists)).\n:- dynamic seen/1.\n:- op(700, xfx, ===>).\n"
        ":- if(true).\nq(Qs) :- length(Qs, 4), Qs ins 1..4, all_distinct(Qs).\n:- endif.\n"
        "rule(a ===> b).\nremember(X) :- assertz(seen(X)).\ngoal_expansion(short, true).\nok :- short.\n"
    )
    with Session(text, untrusted=True, limits=LOADING) as session:
        assert len(session.query("q(Qs), label(Qs)", limits=LIMITS).collect().solutions) == 24
        for answer in session.query("q(Qs), rule(R)"):
            assert "ins 1..4" in str(answer) or "in 1..4" in str(answer)
            assert "a===>b" in str(answer), "printed with the program's operators, while it is at work"
        session.first("remember(7)")
        assert session.first("ok, seen(X)")["X"] == 7


def test_a_file_that_was_given_is_read(tmp_path: Path) -> None:
    file = tmp_path / "given.pl"
    file.write_text("given(1).\n")
    with Session(file, untrusted=True, limits=LOADING) as session:
        assert session.first("given(X)")["X"] == 1
    inner, outer = tmp_path / "inner.lp", tmp_path / "outer.lp"
    inner.write_text("a.\n")
    outer.write_text('#include "inner.lp".\n')
    with Program(outer, inner, untrusted=True, limits=LOADING) as program:
        assert "a" in program.first(limits=LIMITS)


@pytest.mark.parametrize(
    "text",
    [
        '#include "SECRET".', '#include"SECRET".', '#include  \n "SECRET" .', '% #include "SECRET".\n#include "SECRET".',
        '#include %* why *% "SECRET".', '#include %\n"SECRET".', 'a. #include "/proc/self/environ".', '#include "/dev/stdin".',
        '#include <SECRET>.', '#include "../secret.pl".', '#include "\\SECRET".', '%*\n*% #include "SECRET".', 'p("#include"). #include "SECRET".',
        "#script (python) import os; os.system('TRAP') #end.", "#script(lua) os.execute('TRAP') #end.", "#script %* *% (python) #end.",
        "%* *% #script(python) #end.", "#script\n(python)\n#end.", "# script (python) #end.",
    ],
)  # fmt: skip
def test_what_clingo_is_not_told(text: str, secret: str, tmp_path: Path) -> None:
    text = text.replace("SECRET", secret).replace("TRAP", f"touch {tmp_path}/trace")
    with within(None), pytest.raises(ProgramError):
        Program(text + "\n", untrusted=True, limits=LOADING)
    file = tmp_path / "program.lp"
    file.write_text(text)
    with within(None), pytest.raises(ProgramError):
        Program(file, untrusted=True, limits=LOADING)
    with Program("b.\n", untrusted=True, limits=LOADING) as program:
        with pytest.raises(ProgramError):
            program.add(text)
        assert "b" in program.first(limits=LIMITS)
    assert sorted(os.listdir(tmp_path)) == ["program.lp", "secret.pl"]


def test_options_that_name_files_are_refused(tmp_path: Path) -> None:
    for option in (f"--outf={tmp_path}/x", f"--share={tmp_path}", f"--lemma-out={tmp_path}/x", "--pre", "--mode=gringo"):
        with pytest.raises(BridgeError):
            Program("a.\n", options=[option], untrusted=True, limits=LOADING)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("goal", ["r(0)", "f(0)", "length(L, 100000000)", "repeat, fail", "c(0)", "X is 7 ^ 7 ^ 9"])
def test_floods_and_loops(goal: str) -> None:
    text = "r(N) :- N1 is N + 1, r(N1), true.\nc(N) :- N1 is N + 1, c(N1).\nf(N) :- assertz(g(N)), N1 is N + 1, f(N1).\n:- dynamic g/1.\n"
    with Session(text, untrusted=True, limits=LOADING) as session:

        def ask(seconds: float) -> Outcome[Any]:
            with within(seconds):
                limits = Limits(seconds=seconds, memory=100 << 20)
                return session.query(f"member(T, [1, 2]), (T == 1 ; {goal})", limits=limits).collect()

        outcome = given_time(ask, lambda outcome: outcome.solutions, 1.0)
        assert outcome.solutions[0]["T"] == 1
        assert not outcome.complete


def test_a_directive_that_does_not_end() -> None:
    with within(0.8), pytest.raises(LimitError):
        Session(":- repeat, fail.\n", untrusted=True, limits=Limits(seconds=0.8))


def test_its_output_goes_nowhere(capfd: pytest.CaptureFixture[str]) -> None:
    with Session(":- writeln(loud).\n", untrusted=True, limits=LOADING) as session:
        session.query("writeln(loud), print_message(error, format(loud, []))", limits=LIMITS).collect()
    assert "loud" not in "".join(capfd.readouterr())


# What holds when the solver's own rules do not: a job that runs any Python in a confined process.


def attempt(expression: str, readable: tuple[str, ...] = ()) -> Any:
    worker = Worker("torture.any_python", untrusted=True, readable=readable)
    try:
        (result,) = worker.ask(("run", expression), Progress(), LIMITS)
        return result
    finally:
        worker.close()


needs_landlock = pytest.mark.skipif(landlock_version() < 1, reason="this kernel has no Landlock")


@needs_landlock
@pytest.mark.parametrize(
    "expression",
    [
        "open('SECRET').read()", "open('/etc/passwd').read()", "os.listdir('/')", "os.listdir('.')", "open('SECRET', 'w')", "os.mkdir('x')",
        "open('x', 'w')", "os.remove('SECRET')", "os.rename('SECRET', 'SECRET2')", "os.truncate('SECRET', 0)", "os.symlink('a', '/tmp/b')",
        "in_thread(lambda: open('SECRET').read())", "open(f'/proc/{os.getppid()}/environ').read()",
        "subprocess.run(['/bin/true'])", "os.execv('/bin/true', ['true'])", "[open('/dev/null') for _ in range(200)]",
    ],
)  # fmt: skip
def test_landlock_takes_files_away(expression: str, secret: str) -> None:
    assert attempt(expression.replace("SECRET", secret)).startswith("OSError"), "it was allowed"
    assert Path(secret).read_text() == "secret(1).\n"


@needs_landlock
def test_what_was_given_can_be_read(secret: str) -> None:
    assert "secret(1)" in attempt(f"open('{secret}').read()", (secret,))
    assert attempt(f"open('{secret}', 'a')", (secret,)).startswith("OSError")


@pytest.mark.skipif(os.uname().machine not in ("x86_64", "aarch64"), reason="the filter is written for these")
@pytest.mark.parametrize(
    "expression",
    [
        "os.fork()", "os.posix_spawn('/bin/true', ['true'], {})", "subprocess.run(['/bin/true'])", "socket.socket(socket.AF_INET, socket.SOCK_STREAM)",
        "socket.socket(socket.AF_INET, socket.SOCK_DGRAM)", "socket.socket(socket.AF_UNIX)", "in_thread(lambda: socket.socket(socket.AF_INET6))",
        "in_thread(os.fork)",
    ],
)  # fmt: skip
def test_seccomp_takes_processes_and_sockets_away(expression: str) -> None:
    assert attempt(expression).startswith("OSError"), "it was allowed"


def test_open_files_are_not_inherited(secret: str) -> None:
    with open(secret) as file:
        os.set_inheritable(file.fileno(), True)
        assert "secret.pl" not in attempt("[os.readlink(f'/proc/self/fd/{fd}') for fd in os.listdir('/proc/self/fd')[:-1]]")


@pytest.mark.parametrize("name", ["program.pl", "program.lp"])
def test_the_command_line(name: str, tmp_path: Path) -> None:
    file = tmp_path / name
    bad = ":- shell('touch trace').\na.\n" if name.endswith(".pl") else '#include "/etc/hostname".\na.\n'
    for text, code in ((bad, 2), ("a.\n", 0)):
        file.write_text(text)
        goal = ["--goal", "a"] if name.endswith(".pl") else []
        with within(20):  # Python and SWI-Prolog start first
            run = subprocess.run(
                [sys.executable, "-m", "bridge", "run", name, *goal, "--untrusted", "-t", "2"], cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE
            )
        assert run.returncode == code, run.stderr
    assert os.listdir(tmp_path) == [name]
