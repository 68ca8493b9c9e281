"""Programs that go wrong in every known way: each ends within its limit, and no other process is harmed.

After every test: the host lives, what had been found is kept, no process and no file is left behind, and the next job
works. Limits are short; what a test waits beyond them is not, since machines that run tests are busy.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from patience import PATIENCE, ends, given_time

from bridge.asp import Program
from bridge.errors import BridgeError, InputError, LimitError, ProgramError
from bridge.limits import Limits
from bridge.outcome import Interrupted, Outcome
from bridge.prolog import Session, Term, Variable
from torture.harness import the_next_job_works

#: The limit, and what a test may take beyond it.
SECONDS, SLACK = 0.2, PATIENCE

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for leftovers in /proc")


@pytest.fixture(autouse=True)
def no_thread_is_left() -> Iterator[None]:
    """What else may be left, all tests of this folder look for."""
    threads = threading.active_count()
    yield
    assert threading.active_count() <= threads + 1, "threads are left"


def timed(run: Callable[[], Any], seconds: float = SECONDS) -> Any:
    with ends(seconds + SLACK):
        return run()


PROLOG = """
:- use_module(library(clpfd)).
:- dynamic(fact/1).
n(1). n(2). n(3).
plain :- plain.
count(N) :- N1 is N + 1, count(N1).
stubborn :- repeat, catch(spin, _, true), fail.
spin :- spin.
asserts(N) :- assertz(fact(N)), N1 is N + 1, asserts(N1).
atoms(N) :- atom_concat(an_atom_that_takes_some_room_, N, _), N1 is N + 1, atoms(N1).
kept_atoms(N, [A|As]) :- atom_concat(an_atom_that_takes_some_room_, N, A), N1 is N + 1, kept_atoms(N1, As).
stack(X) :- stack(f(X)), true.
deep(0, a) :- !.
deep(N, f(T)) :- N1 is N - 1, deep(N1, T).
flood(Stream) :- format(Stream, "~`xt~1000|~n", []), flood(Stream).
"""


def answers(goal: str, **limits: Any) -> Outcome[Any]:
    with Session(PROLOG) as session:

        def ask(seconds: float) -> Outcome[Any]:
            kept = Limits(**{"seconds": seconds, **limits})
            return timed(lambda: session.query(f"n(X) ; {goal}", limits=kept).collect(), seconds)

        outcome = given_time(ask, lambda outcome: len(outcome.solutions) >= 3, SECONDS)
    assert [answer["X"] for answer in outcome.solutions] == [1, 2, 3], "what was found before is kept"
    assert not outcome.complete
    return outcome


@pytest.mark.parametrize(
    "goal",
    [
        "plain",
        "count(0)",
        "stubborn",
        "repeat, fail",
        "catch(sleep(60), _, true)",
        "thread_get_message(never)",
        "Y is 7 ** 7 ** 9, Y = 1",
        "length(L, 40), L ins 0..1, sum(L, #=, 20), label(L), fail",
        "shell('sleep 60')",
        "thread_create(spin, _), spin",
        "call_cleanup(spin, spin)",
        "prolog_cut_to(_), spin",
    ],
)
def test_endless_goals(goal: str) -> None:
    try:
        outcome = answers(goal)
    except ProgramError:
        return  # refused, or an error of the program's: an end as well
    assert outcome.limit in ("seconds", "memory")
    assert outcome.rung in ("stop", "again", "kill")


@pytest.mark.parametrize("directive", ["spin", "initialization(spin)", "repeat, catch(spin, _, true), fail", "sleep(60)"])
def test_endless_directives(directive: str) -> None:
    with pytest.raises(LimitError):
        timed(lambda: Session(f"spin :- spin.\n:- {directive}.\n", limits=Limits(seconds=SECONDS)))


@pytest.mark.parametrize("goal", ["asserts(0)", "stack(a)", "numlist(1, 100000000, L)", "findall(Y, repeat, _)"])
def test_memory_floods(goal: str) -> None:
    outcome = answers(goal, seconds=PATIENCE, memory=200_000_000)
    assert outcome.limit == "memory", outcome.remark


@pytest.mark.parametrize("goal", ["atoms(0)", "kept_atoms(0, _)"])
def test_atom_floods(goal: str) -> None:
    assert answers(goal, memory=300_000_000).limit in ("seconds", "memory")


@pytest.mark.parametrize(("goal", "status"), [("halt", 0), ("halt(3)", 3), ("catch(halt(2), _, true)", 2)])
def test_halt_in_a_goal(goal: str, status: int) -> None:
    outcome = answers(goal)
    assert outcome.limit == "halt"
    assert outcome.remark is not None
    assert str(status) in outcome.remark


def test_halt_in_a_directive() -> None:
    for directive in ("halt", "initialization(halt)"):
        with pytest.raises(BridgeError, match="halt"):
            timed(lambda directive=directive: Session(f"a.\n:- {directive}.\n", strict=True))
        with timed(lambda directive=directive: Session(f"a.\n:- {directive}.\n")) as session:
            assert session.halted == 0
            with pytest.raises(ProgramError, match="has ended"):
                session.first("a")


def test_a_term_of_very_many_levels() -> None:
    with Session(PROLOG) as session:
        answer = session.first("deep(200000, T)")
        assert answer is not None
        term, depth = answer["T"], 0
        while isinstance(term, Term):
            term, depth = term.arguments[0], depth + 1
        assert (depth, term) == (200_000, "a")
        assert len(session.query("n(X)").collect().solutions) == 3


def test_cyclic_terms() -> None:
    with Session(PROLOG) as session:
        answer = session.first("X = f(X, Y), Z = [a|Z]")
        assert answer is not None
        assert isinstance(answer["X"], Variable | Term)
        cyclic: list[Any] = []
        cyclic.append(cyclic)
        with pytest.raises(InputError):
            session.first("X = Y", Y=cyclic)
        assert session.first("n(X)") is not None


def test_integers_of_very_many_digits() -> None:
    number = 7**200_000
    with Session(PROLOG) as session:
        answer = session.first("Y = X", X=number)
        assert answer is not None
        assert answer["Y"] == number
    with pytest.raises(InputError, match="32-bit"):
        Program("p(n).", n=number)


@pytest.mark.parametrize("stream", ["user_output", "user_error"])
def test_output_floods(stream: str) -> None:
    code = f"""
import sys
from patience import given_time
from bridge.limits import Limits
from bridge.prolog import Session
with Session({PROLOG!r}) as session:
    outcome = given_time(
        lambda seconds: session.query("n(X) ; flood({stream})", limits=Limits(seconds=seconds)).collect(),
        lambda outcome: len(outcome.solutions) == 3,
    )
sys.exit(0 if outcome.limit == "seconds" else 1)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=SLACK, check=False
    )
    assert done.returncode == 0


def test_nobody_reads_the_output() -> None:
    """A full pipe stops the program in the middle of a write: it is ended all the same."""
    code = f"""
import sys
from patience import given_time
from bridge.limits import Limits
from bridge.prolog import Session
with Session({PROLOG!r}) as session:
    outcome = given_time(
        lambda seconds: session.query("n(X) ; flood(user_output)", limits=Limits(seconds=seconds)).collect(),
        lambda outcome: len(outcome.solutions) == 3,
    )
print(len(outcome.solutions), outcome.limit, file=sys.stderr)
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        assert process.stderr.read() == b"3 seconds\n"
        process.kill()


GROUNDING = {
    "rules come out": "p(1..5000). q(X, Y) :- p(X), p(Y).",
    "no rules come out": "p(1..3000). q :- p(X), p(Y), p(Z), X + Y + Z < 0.",
}


def test_grounding_until_the_memory_is_used_up() -> None:
    with Program(GROUNDING["rules come out"]) as program:
        outcome = program.models(limits=Limits(seconds=PATIENCE, memory=150_000_000)).collect()
    assert (outcome.solutions, outcome.limit) == ((), "memory")


def rss(pid: int) -> int:
    """Resident memory in bytes."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.parametrize("system", ["clingo", "prolog"])
def test_many_answers_and_a_slow_reader(system: str) -> None:
    program, session = Program("{ a(1..17) }."), Session(PROLOG)
    with program, session:
        stream: Any = program.models() if system == "clingo" else session.query("between(1, 125000, X)")
        backend: Any = program._backend if system == "clingo" else session._backend
        pid = backend._worker
        with stream:
            for _ in range(2000):
                next(stream)
            mine, theirs = rss(os.getpid()), rss(pid.pid)
            for _ in range(5):
                time.sleep(0.1)
                next(stream)
            assert rss(os.getpid()) - mine < 20_000_000
            assert rss(pid.pid) - theirs < 50_000_000
            count = 2005 + sum(1 for _ in stream)
        assert count == (2**17 if system == "clingo" else 125_000)
        assert rss(os.getpid()) - mine < 50_000_000


def test_a_reader_that_stops_early() -> None:
    with Session(PROLOG) as session, Program("{ a(1..40) }.") as program:
        for _ in range(5):
            with session.query("between(1, inf, X)") as stream, program.models() as models:
                assert [next(stream)["X"] for _ in range(3)] == [1, 2, 3]
                next(models)


@pytest.mark.parametrize("system", ["clingo", "prolog"])
def test_kill_9_in_mid_stream(system: str) -> None:
    with Program("{ a(1..40) }.") as program, Session(PROLOG) as session:
        stream: Any = program.models() if system == "clingo" else session.query("between(1, inf, X)")
        backend: Any = program._backend if system == "clingo" else session._backend
        next(stream)
        os.kill(backend._worker.pid, signal.SIGKILL)
        outcome = stream.collect()
        assert outcome.limit == "crash"
        assert "SIGKILL" in outcome.remark
        assert outcome.solutions
        assert program.count(limits=Limits(solutions=5)).number == 5, "the next question starts another"
        assert session.first("n(X)") is not None


def test_two_sessions_from_two_threads() -> None:
    found: dict[int, Any] = {}

    def run(number: int) -> None:
        with Session(PROLOG) as session:
            found[number] = given_time(
                lambda seconds: session.query("n(X) ; stubborn", limits=Limits(seconds=seconds)).collect(),
                lambda outcome: len(outcome.solutions) >= 3,
                SECONDS,
            )

    threads = [threading.Thread(target=run, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert [len(found[number].solutions) for number in range(3)] == [3, 3, 3]
    assert {outcome.limit for outcome in found.values()} == {"seconds"}


@pytest.mark.parametrize(
    "run",
    [
        lambda: Session("spin :- spin.\n:- spin.\n"),
        lambda: Session(PROLOG).query("n(X) ; stubborn").collect(),
        lambda: Program(GROUNDING["no rules come out"]).models().collect(),
        lambda: Program("{ in(P, 1..12) } = 1 :- P = 1..13. :- in(P, H), in(P', H), P < P'.").models().collect(),
        lambda: Session(PROLOG).query("sleep(60)").collect(),
    ],
    ids=["load", "search", "ground", "solve", "sleep"],
)
def test_ctrl_c_at_each_stage(run: Callable[[], Any]) -> None:
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    with ends(), pytest.raises(KeyboardInterrupt) as caught:
        run()
    if isinstance(caught.value, Interrupted):
        assert caught.value.partial.limit == "interrupt"
        assert len(caught.value.partial.solutions) in (0, 3)
    del caught


def test_files_that_go_away(tmp_path: Path) -> None:
    file = tmp_path / "gone.pl"
    file.write_text("n(1).\nspin :- spin.\n")
    with Session(file) as session:
        file.unlink()
        assert session.first("n(X)") is not None
        assert session.query("shell('sleep 60')", limits=Limits(seconds=SECONDS)).collect().limit == "seconds"
        with pytest.raises(InputError, match="no such file"):
            session.first("n(X)")
    for name, kind in (("a.pl", Session), ("a.lp", Program)):
        (tmp_path / name).write_bytes(b"p(\xff\xfe).\n")
        with pytest.raises(InputError):
            kind(tmp_path)
    with pytest.raises(ProgramError, match="LATIN SMALL LETTER"):  # bytes that are no UTF-8 are read as clingo does
        Program(tmp_path / "a.lp")
    with Session(tmp_path / "a.pl") as session:  # as swipl, with a warning
        assert any("UTF-8" in str(one) for one in session.warnings)


def test_a_folder_that_goes_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    the_next_job_works()  # the fork servers are there: none starts in a folder that is gone
    folder = tmp_path / "gone"
    folder.mkdir()
    monkeypatch.chdir(folder)
    folder.rmdir()
    with Session("n(1).\n") as session, Program("a.") as program:
        assert session.first("n(X)") is not None
        assert program.first() is not None


class TestUntrusted:
    """What a stranger's program cannot do."""

    @pytest.mark.parametrize(
        "goal",
        [
            "shell('touch {0}')",
            "shell(true)",
            "open('{0}', write, _)",
            "open('{1}', read, _)",
            "read_file_to_string('{1}', S, [])",
            "py_call(os:getcwd(), X)",
            "janus:py_call(os:getcwd(), X)",
            "consult('{1}')",
            "load_files('{1}', [])",
            "use_module('{1}')",
            "process_create(path(ls), [], [])",
            "tcp_connect(localhost:80, S, [])",
            "setenv(a, b)",
            "getenv('HOME', X)",
            "delete_file('{1}')",
            "call(shell, true)",
            "G = shell(true), call(G)",
            "atom_to_term('shell(true)', G, _), call(G)",
            "maplist(shell, [true])",
            "thread_create(true)",
            "assertz(system:foo)",
            "set_prolog_flag(sandboxed_load, false)",
            "lpbridge_worker:limit_memory(1, _)",
            "user:consult('{1}')",
            "term_to_atom(G, 'shell(true)'), G",
            "absolute_file_name('.', X), directory_files(X, Y)",
        ],
    )
    def test_goals(self, goal: str, tmp_path: Path) -> None:
        secret = tmp_path / "secret.pl"
        secret.write_text("secret(42).\n")
        with Session("n(1).\n", untrusted=True) as session:
            text = goal.replace("{0}", str(tmp_path / "made")).replace("{1}", str(secret))
            with pytest.raises(ProgramError):
                session.query(text, limits=Limits(seconds=PATIENCE)).collect()
            assert len(session.query("n(X)").collect().solutions) == 1
        assert not (tmp_path / "made").exists()
        assert secret.exists()

    @pytest.mark.parametrize(
        "text",
        [
            ":- shell(true).",
            ":- initialization(shell(true)).",
            ":- consult('{1}').",
            ":- ['{1}'].",
            ":- include('{1}').",
            ":- include(secret).",
            ":- use_module('{1}').",
            "term_expansion(x, y) :- shell(true).\nx.",
            "term_expansion(x, (:- include('{1}'))).\nx.",
            "goal_expansion(x, y) :- shell(true).\na :- x.",
            ":- set_prolog_flag(sandboxed_load, false).",
        ],
    )
    def test_programs(self, text: str, tmp_path: Path) -> None:
        (tmp_path / "secret.pl").write_text("secret(42).\n")
        program = tmp_path / "given.pl"
        program.write_text(text.replace("{1}", str(tmp_path / "secret.pl")) + "\nn(1).\n")
        with pytest.raises(ProgramError), Session(program, untrusted=True) as session:
            session.query("secret(X)").collect()

    def test_clpfd_still_works(self) -> None:
        text = ":- use_module(library(clpfd)).\nrooms(X, Y) :- [X, Y] ins 1..4, X #> Y + 1.\n"
        with Session(text, untrusted=True) as session:
            assert len(session.query("rooms(X, Y), label([X, Y])").collect().solutions) == 3
            (answer,) = session.query("rooms(X, Y)")
            assert [str(goal) for goal in answer.residual] == ["X in 3..4", "Y#=<X+ -2", "Y in 1..2"]

    @pytest.mark.parametrize(
        "text",
        [
            '#include "{1}".',
            '#include"{1}" .',
            "#include <{1}>.",
            '%* *% #include %* x *% "{1}".',
            '#script (python) print(1) #end.',
            '#script(lua) print(1) #end.',
            '% a comment\n#script (python) #end.',
        ],
    )
    def test_clingo_programs(self, text: str, tmp_path: Path) -> None:
        secret = tmp_path / "secret.lp"
        secret.write_text("secret(42).\n")
        with pytest.raises(ProgramError):
            Program(text.replace("{1}", str(secret)), untrusted=True)
        with pytest.raises(InputError):
            Program("a.", options=["--outf=3", f"--file={secret}"], untrusted=True)

    def test_given_files_may_include_each_other(self, tmp_path: Path) -> None:
        (tmp_path / "a.lp").write_text('#include "b.lp". a.')
        (tmp_path / "b.lp").write_text("b.")
        with Program(tmp_path / "a.lp", tmp_path / "b.lp", untrusted=True) as program:
            model = program.first()
            assert model is not None
            assert set(model) == {"a", "b"}

    def test_it_is_stopped_like_any_other(self) -> None:
        with Session("n(1).\nspin :- spin.\n", untrusted=True) as session:
            outcome = given_time(
                lambda seconds: session.query("n(X) ; spin", limits=Limits(seconds=seconds)).collect(),
                lambda outcome: outcome.solutions,
                SECONDS,
            )
            assert (len(outcome.solutions), outcome.limit) == (1, "seconds")
            big = session.query("n(X) ; numlist(1, 100000000, L)", limits=Limits(seconds=PATIENCE, memory=200_000_000)).collect()
            assert (len(big.solutions), big.limit) == (1, "memory")
        with Program(GROUNDING["no rules come out"], untrusted=True) as program:
            assert timed(lambda: program.models(limits=Limits(seconds=SECONDS)).collect()).limit == "seconds"

    def test_what_it_prints_goes_nowhere(self, capfd: pytest.CaptureFixture[str]) -> None:
        with Session("n(1).\n", untrusted=True) as session:
            assert session.first("n(X), format('hello')") is not None
        assert capfd.readouterr() == ("", "")
