"""Workers: answers stream back, limits are kept in rungs, nothing is left behind."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from patience import PATIENCE, ends, given_time, interrupted, until
from shared_data import ROOT

from bridge.errors import BridgeError, InputError, SolverError
from bridge.isolation import environment, frames
from bridge.isolation import process as process_module
from bridge.isolation import worker as worker_module
from bridge.isolation.frames import FrameError
from bridge.isolation.landlock import version as landlock_version
from bridge.isolation.worker import Worker
from bridge.limits import Limits
from bridge.outcome import Outcome, Progress, Stream

JOB = "isolation.job_for_tests"


@pytest.fixture(autouse=True)
def importable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(Path(__file__).parent.parent), str(ROOT)]))


@pytest.fixture
def job() -> Iterator[Worker]:
    made = Worker(JOB)
    yield made
    made.close()


def ask(job: Worker, *call: Any, **limits: Any) -> Stream[Any]:
    kept = Limits(**limits)
    return Stream(lambda progress: job.ask(call, progress, kept), kept)


def gone(pid: int) -> bool:
    """True when there is no such process, or will not be in a moment."""
    for _ in range(200):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except OSError:
            return True
        time.sleep(0.01)
    return False


def test_answers_stream_back_in_order(job: Worker) -> None:
    outcome = ask(job, "numbers", 10_000).collect()
    assert outcome.solutions == tuple(range(10_000))
    assert outcome.complete
    assert outcome.statistics.seconds["solve"] == 0.25


def test_an_answer_does_not_wait_for_the_next(job: Worker) -> None:
    with ask(job, "stubborn", 5) as stream:
        assert [next(stream) for _ in range(5)] == [0, 1, 2, 3, 4], "none waits behind the one that never comes"


def test_the_worker_remembers_until_it_is_closed(job: Worker) -> None:
    assert ask(job, "remember", [1, (2.5, "x")]).collect().solutions == (None,)
    assert ask(job, "remember", 2).collect().solutions == ([1, (2.5, "x")],)
    job.close()
    assert ask(job, "remember", 2).collect().solutions == (None,)


def test_a_solver_that_obeys_is_stopped(job: Worker) -> None:
    outcome = given_time(
        lambda seconds: ask(job, "obedient", 3, seconds=seconds).collect(),
        lambda outcome: len(outcome.solutions) == 3 and outcome.rung == "stop",
    )
    assert (outcome.solutions, outcome.limit, outcome.rung) == ((0, 1, 2), "seconds", "stop")
    assert job.alive


def test_one_that_does_not_is_killed_and_its_answers_are_kept(job: Worker) -> None:
    def stopped(seconds: float) -> Outcome[Any]:
        job.start()
        pid = job.pid
        with ends():
            outcome = ask(job, "stubborn", 700, seconds=seconds).collect()
        assert (outcome.limit, outcome.rung) == ("seconds", "kill")
        assert pid is not None
        assert gone(pid)
        return outcome

    outcome = given_time(stopped, lambda outcome: len(outcome.solutions) == 700)
    assert outcome.solutions == tuple(range(700))
    assert ask(job, "numbers", 2).collect().solutions == (0, 1), "the next question gets a new one"


def test_a_reader_that_stops_early_stops_the_search(job: Worker) -> None:
    with ask(job, "numbers", 10**9) as stream:
        assert [next(stream) for _ in range(3)] == [0, 1, 2]
    assert ask(job, "numbers", 2).collect().solutions == (0, 1)
    outcome = ask(job, "numbers", 10**9, solutions=1000).collect()
    assert (len(outcome.solutions), outcome.complete, outcome.limit) == (1000, False, "solutions")


def test_a_slow_reader_makes_the_worker_wait(job: Worker) -> None:
    with ask(job, "heavy", 10**9, 100_000) as stream:
        next(stream)
        mine = Path(f"/proc/{job.pid}/statm")
        for _ in range(20):
            before = int(mine.read_text().split()[1])
            time.sleep(0.25)
            if (grown := int(mine.read_text().split()[1]) - before) < 1000:
                break
        assert grown < 1000, "it goes on taking memory"
        assert len(stream._progress.waiting) < 1000


def test_errors_cross_with_their_place(job: Worker) -> None:
    with pytest.raises(InputError, match=r"a\.lp:2:3: it is wrong; fix it") as caught:
        ask(job, "wrong", 3).collect()
    assert caught.value.partial.solutions == (0, 1, 2)
    with pytest.raises(SolverError, match="ZeroDivisionError: a bug"):
        ask(job, "broken").collect()
    assert ask(job, "numbers", 2).collect().solutions == (0, 1)


@pytest.mark.parametrize(
    ("call", "limit", "remark"),
    [
        (("leave", 4, 3), "halt", "exit code 3"),
        (("die", int(signal.SIGKILL)), "crash", "SIGKILL"),
        (("die", int(signal.SIGSEGV)), "crash", "SIGSEGV"),
    ],
)
def test_a_process_that_ends_says_how(
    job: Worker, call: tuple[Any, ...], limit: str, remark: str, tmp_path: Path
) -> None:
    stream = ask(job, *call, str(tmp_path / "end"), memory=2**30)
    next(stream)
    (tmp_path / "end").touch()
    outcome = stream.collect()
    assert (outcome.complete, outcome.limit) == (False, limit)
    assert outcome.remark is not None
    assert remark in outcome.remark
    assert ask(job, "numbers", 2).collect().solutions == (0, 1)


@pytest.mark.skipif(sys.platform != "linux", reason="RLIMIT_AS is kept by Linux")
def test_memory_is_limited_and_given_back(job: Worker) -> None:
    outcome = ask(job, "hog", memory=200_000_000).collect()
    assert (outcome.solutions, outcome.limit) == ((1,), "memory")
    assert ask(job, "numbers", 2, memory=200_000_000).collect().complete


def test_what_the_program_started_dies_with_it(job: Worker) -> None:
    (pid,) = ask(job, "spawn").collect().solutions
    os.kill(pid, 0)
    job.close()
    assert gone(pid)


def test_output_goes_where_it_is_sent(capfd: pytest.CaptureFixture[str]) -> None:
    for output, expected in (("inherit", ("hey\n", "HEY\n")), ("stderr", ("", "hey\nHEY\n")), ("nowhere", ("", ""))):
        job = Worker(JOB, output=output)  # type: ignore[arg-type]
        ask(job, "speak", "hey").collect()
        assert capfd.readouterr() == expected
        job.close()


def test_two_at_once_from_two_threads() -> None:
    found: dict[int, Any] = {}

    def run(most: int) -> None:
        job = Worker(JOB)
        found[most] = ask(job, "numbers", most).collect().solutions
        job.close()

    threads = [threading.Thread(target=run, args=(most,)) for most in (5_000, 6_000, 7_000)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {most: tuple(range(most)) for most in (5_000, 6_000, 7_000)}


@pytest.mark.slow
def test_a_question_inside_another(job: Worker) -> None:
    found = [(x, y) for x in ask(job, "numbers", 2000) for y in ask(job, "numbers", x % 3)]
    assert found == [(x, y) for x in range(2000) for y in range(x % 3)]


def test_the_inner_one_comes_first(job: Worker) -> None:
    with ask(job, "numbers", 10**6) as outer, ask(job, "numbers", 10**6) as inner:
        for _ in range(3000):
            next(outer)
            break
        next(inner)
        with pytest.raises(BridgeError, match="a later question"):
            for _ in outer:
                pass
        assert next(inner) == 1, "that was said, and nothing has happened to the inner one"
    assert ask(job, "numbers", 2).collect().solutions == (0, 1)


def test_a_limit_of_the_inner_one_is_its_own(job: Worker) -> None:
    with ask(job, "numbers", 1000, 0.001) as outer:
        next(outer)
        assert ask(job, "obedient", 2, seconds=0.2).collect().limit == "seconds"
        assert [*outer] == list(range(1, 1000))
        assert outer.complete


@pytest.mark.parametrize("call", [("obedient", 3), ("stubborn", 3)])
def test_ctrl_c_keeps_what_was_found(job: Worker, call: tuple[Any, ...]) -> None:
    job.start()
    partial = given_time(
        lambda seconds: interrupted(lambda: ask(job, *call).collect(), seconds), lambda partial: len(partial.solutions) == 3
    )
    assert (partial.solutions, partial.limit) == ((0, 1, 2), "interrupt")
    assert ask(job, "numbers", 2).collect().solutions == (0, 1)


def test_a_stop_while_the_question_is_put_is_not_lost(job: Worker) -> None:
    stream = ask(job, "obedient", 0)
    stream.stop()
    with ends():
        assert not stream.collect().complete


def test_stop_from_another_thread(job: Worker) -> None:
    def stopped(seconds: float) -> Outcome[Any]:
        stream = ask(job, "obedient", 3)
        threading.Timer(seconds, stream.stop).start()
        return stream.collect()

    outcome = given_time(stopped, lambda outcome: len(outcome.solutions) == 3)
    assert (outcome.solutions, outcome.limit) == ((0, 1, 2), "interrupt")


def test_an_abandoned_stream_and_worker_leave_nothing() -> None:
    job = Worker(JOB)
    stream = ask(job, "stubborn", 1)
    next(stream)
    pid = job.pid
    assert pid is not None
    del stream, job
    gc.collect()
    assert gone(pid)


def test_the_fork_server_may_die(job: Worker) -> None:
    job.start()
    os.kill(process_module._fork_server(JOB)._process.pid, signal.SIGKILL)
    outcome = ask(job, "numbers", 10**9, 0.001, seconds=PATIENCE).collect()
    assert outcome.limit == "crash", "on Linux its workers die with it"
    assert ask(job, "numbers", 2).collect().solutions == (0, 1)


def test_a_host_that_is_killed_leaves_nothing(tmp_path: Path) -> None:
    code = f"""
import sys
from bridge.isolation.process import _fork_server
from bridge.isolation.worker import Worker
from bridge.outcome import Progress
job = Worker({JOB!r})
stream = job.ask(("stubborn", 1), Progress())
next(stream)
print(job.pid, _fork_server({JOB!r})._process.pid, flush=True)
import os, signal
os.kill(os.getpid(), signal.SIGKILL)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert run.returncode == -signal.SIGKILL, run.stderr
    for pid in map(int, run.stdout.split()):
        assert gone(pid)


def test_a_forked_host_has_workers_of_its_own(job: Worker) -> None:
    assert ask(job, "remember", 1).collect().solutions == (None,)
    pid = os.fork()
    if pid == 0:
        solutions = ask(job, "remember", 2).collect().solutions
        worker_module.close_all()
        os._exit(0 if solutions == (None,) else 1)
    assert os.waitpid(pid, 0)[1] == 0
    assert ask(job, "remember", 3).collect().solutions == (1,)


def test_a_second_thread_is_refused_while_the_first_waits(job: Worker) -> None:
    """The answers of both come by one line: each thread would wait for what the other has read."""
    found: list[Outcome[Any]] = []
    stream = ask(job, "obedient", 3)
    first = [next(stream) for _ in range(3)]
    waiting = threading.Thread(target=lambda: found.append(stream.collect()))
    waiting.start()
    until(lambda: not job._reading.acquire(blocking=False) or job._reading.release())
    with pytest.raises(InputError, match="another thread waits"):
        ask(job, "numbers", 2).collect()
    with ends():
        stream.stop()
        waiting.join(PATIENCE)
    assert (first, [one.complete for one in found]) == ([0, 1, 2], [False])
    assert ask(job, "numbers", 2).collect().solutions == (0, 1)


def test_a_host_may_fork_while_a_thread_waits(job: Worker) -> None:
    stream = ask(job, "obedient", 0)
    waiting = threading.Thread(target=stream.collect)
    waiting.start()
    until(lambda: not job._reading.acquire(blocking=False) or job._reading.release())
    pid = os.fork()
    if pid == 0:
        try:
            solutions = ask(job, "numbers", 2).collect().solutions
        except BridgeError:
            solutions = ()
        worker_module.close_all()
        os._exit(0 if solutions == (0, 1) else 1)
    assert os.waitpid(pid, 0)[1] == 0
    with ends():
        stream.stop()
        waiting.join(PATIENCE)


def test_async_for(job: Worker) -> None:
    async def read() -> tuple[list[int], int]:
        ticks = 0
        found: list[int] = []

        async def tick() -> None:
            nonlocal ticks
            while True:
                await asyncio.sleep(0.01)
                ticks += 1

        ticking = asyncio.create_task(tick())
        found += [number async for number in ask(job, "numbers", 20, 0.02)]
        ticking.cancel()
        return found, ticks

    found, ticks = asyncio.run(read())
    assert found == list(range(20))
    assert ticks > 2, "the loop was blocked"


def test_a_cancelled_task_stops_the_search(job: Worker) -> None:
    async def read() -> None:
        async for _ in ask(job, "obedient", 1):
            pass

    async def cancel() -> None:
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(read(), 0.5)

    asyncio.run(cancel())
    assert ask(job, "numbers", 2).collect().solutions == (0, 1)


class TestConfined:
    """What an untrusted worker cannot do, tried in Python, which can do all that a solver could."""

    @pytest.fixture
    def confined(self, tmp_path: Path) -> Iterator[Worker]:
        readable = tmp_path / "given.lp"
        readable.write_text("a.")
        job = Worker(JOB, untrusted=True, readable=[str(readable)])
        yield job
        job.close()

    def attempt(self, job: Worker, code: str) -> str:
        (answer,) = ask(job, "attempt", code).collect().solutions
        return str(answer)

    def test_it_still_computes(self, confined: Worker) -> None:
        assert self.attempt(confined, "1 + 1") == "did it: 2"
        assert self.attempt(confined, "os.listdir('.')") in ("did it: []", "PermissionError")

    @pytest.mark.parametrize(
        "code",
        [
            "open('made', 'w')",
            "open('/tmp/lpbridge-made', 'w').write('x' * 100000)",
            "os.mkdir('made')",
        ],
    )
    def test_it_writes_nothing(self, confined: Worker, code: str) -> None:
        assert "did it" not in self.attempt(confined, code)

    @pytest.mark.skipif(not landlock_version(), reason="this kernel has no Landlock, as SECURITY.md says")
    def test_it_reads_only_what_was_given(self, confined: Worker, tmp_path: Path) -> None:
        (tmp_path / "other.lp").write_text("b.")
        assert self.attempt(confined, f"open({str(tmp_path / 'given.lp')!r}).read()") == "did it: a."
        assert self.attempt(confined, f"open({str(tmp_path / 'other.lp')!r}).read()") == "PermissionError"
        assert self.attempt(confined, "open('/etc/passwd').read()") == "PermissionError"
        assert self.attempt(confined, f"os.listdir({str(tmp_path)!r})") == "PermissionError"

    @pytest.mark.skipif(landlock_version() < 4, reason="this kernel's Landlock does not know TCP, as SECURITY.md says")
    def test_it_does_not_connect(self, confined: Worker) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            code = f"__import__('socket').create_connection(('127.0.0.1', {server.getsockname()[1]}))"
            assert self.attempt(confined, code) == "PermissionError"

    def test_it_starts_nothing(self, confined: Worker) -> None:
        assert "did it" not in self.attempt(confined, "subprocess.run(['/bin/sh', '-c', 'exit 0'])")

    def test_its_descriptors_are_closed(self, confined: Worker) -> None:
        with open(os.devnull) as file:
            os.set_inheritable(file.fileno(), True)
            answer = self.attempt(confined, "sorted(map(int, os.listdir('/proc/self/fd')))")
        assert len(answer.split(",")) <= 7, answer


def test_a_job_asks_its_caller() -> None:
    def reply(question: Any, check: Callable[[int], None]) -> Any:
        if question == "wrong":
            raise ZeroDivisionError("mine")
        if question == "interrupt":
            raise KeyboardInterrupt
        if question == "no frame":
            raise FrameError("no question")
        return question * 2

    job = Worker(JOB, functions=reply)
    try:
        assert Stream(lambda progress: job.ask(("asks", 5, "a", (1, b"x")), progress)).collect().solutions == (10, "aa", (1, b"x", 1, b"x"), "last")
        with pytest.raises(ZeroDivisionError, match="mine") as raised:
            Stream(lambda progress: job.ask(("raises_when_none", "wrong"), progress)).collect()
        assert "reply" in [frame.name for frame in raised.traceback]
        with pytest.raises(KeyboardInterrupt):
            list(job.ask(("asks", 1, "interrupt", 2), Progress()))
        assert list(job.ask(("asks", 1), Progress())) == [2, "last"]
        with pytest.raises(SolverError, match="cannot be read"):
            list(job.ask(("asks", "no frame"), Progress()))
        assert list(job.ask(("asks", 1), Progress())) == [2, "last"]
    finally:
        job.close()


def test_a_job_that_may_not_ask(job: Worker) -> None:
    with pytest.raises(SolverError, match="cannot be read"):
        list(job.ask(("asks", 1), Progress()))


def test_a_fork_server_ends_quietly_when_its_caller_does(tmp_path: Path) -> None:
    """The caller may be gone before the server has answered: Ctrl-C while a worker starts."""
    ours, theirs = socket.socketpair()
    code = f"from bridge.isolation.fork_server import main; main({JOB!r}, {theirs.fileno()}, False)"
    header = frames.pack({"untrusted": False, "readable": [], "caller": environment.of_caller()})
    line, _ = socket.socketpair()
    with open(os.devnull, "r+b") as null:
        descriptors = [line.fileno(), null.fileno(), null.fileno()]
        socket.send_fds(ours, [b"F" + struct.pack("!I", len(header)) + header], descriptors)
    ours.close()  # all that was asked is there to be read, and nobody reads the answer
    server = subprocess.run(
        [sys.executable, "-c", code], pass_fds=[theirs.fileno()], stderr=subprocess.PIPE, text=True, timeout=PATIENCE
    )
    assert (server.returncode, server.stderr) == (0, "")


def test_threads_are_there_before_memory_is_limited() -> None:
    made = Worker("bridge.asp.running.job")
    try:
        job = ([("text", "{ a(1..3) }.")], [], None, None, False, False, False)
        made.call(("open", 0, [], job, [], ("warnings",)), Limits(memory=1_000_000))
        found = list(made.ask(("search", 0, "models", [], False), Progress(), Limits(memory=1_000_000, seconds=PATIENCE)))
        assert len(found) > 8  # atoms, and eight models
    finally:
        made.close()


def test_a_command_forks_its_worker_which_has_none_of_its_files(tmp_path: Path) -> None:
    """As `lpbridge` does: it has one thread, and the watchdog's. Its end is noticed, and what it has open stays its own."""
    script = '#script(python)\nimport os, sys\nprint(sys.argv, os.listdir("/proc/self/fd"), os.getppid(), flush=True)\n#end.\n'
    code = f"""
import os, signal, sys
from bridge.asp import Program
from bridge.common import own_process
from bridge.isolation.process import _fork_servers
own_process.is_command = True
Program("a.", isolated=False).count()
mine = [open(os.devnull) for _ in range(40)]
sys.stdout = open(os.devnull, "w")
program = Program({script!r} + "{{ a }}.")
models = program.models()
next(models)
print(not _fork_servers, os.getpid(), program._backend._worker.pid, file=sys.stderr, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert run.returncode == -signal.SIGKILL, run.stderr
    forked, *pids = run.stderr.split()
    assert forked == str(sys.platform == "linux")
    command, worker = pids
    assert gone(int(worker))
    arguments, files, parent = run.stdout.partition("] [")[0], run.stdout.count("', '") + 1, run.stdout.split()[-1]
    assert arguments == "['-c'"
    assert files < 20
    assert forked == "False" or parent == command


def test_of_many_fork_servers_the_oldest_ends_with_its_workers(job: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_module, "_MOST", 1)
    assert list(ask(job, "numbers", 2)) == [0, 1]
    server = process_module._fork_servers[JOB, False]
    other = Worker("bridge.isolation.wall")
    other.start()
    assert list(process_module._fork_servers) == [("bridge.isolation.wall", False)]
    assert list(ask(job, "numbers", 2)) == [0, 1]
    assert not server.ended
    other.close()
    job.close()
    until(lambda: server.ended)
