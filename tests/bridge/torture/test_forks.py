"""Forks of a confined process, for work of a program that has taken over its solver: each is sealed, and alone."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest
from patience import PATIENCE

from bridge.isolation.job_loop import MEMORY, PRINTED
from bridge.isolation.landlock import version as landlock_version
from bridge.isolation.worker import Worker
from bridge.outcome import Progress
from torture.harness import within

pytestmark = [
    pytest.mark.skipif(landlock_version() < 1, reason="this kernel has no Landlock"),
    pytest.mark.skipif(os.uname().machine not in ("x86_64", "aarch64"), reason="the filter is written for these"),
]


@pytest.fixture
def forking() -> Iterator[Worker]:
    worker = Worker("torture.in_forks", untrusted=True, forks=True)
    worker.start()
    yield worker
    worker.close()


def attempt(worker: Worker, expression: str, seconds: float = PATIENCE, memory: int | None = None) -> Any:
    (result,) = worker.ask(("run", expression, seconds, memory), Progress())
    return result


@pytest.mark.parametrize(
    "expression",
    [
        "os.fork()", "subprocess.run(['/bin/true'])", "in_thread(os.fork)", "socket.socket(socket.AF_INET)", "socket.socket(socket.AF_UNIX)",
        "open('/etc/passwd').read()", "open('x', 'w')", "os.listdir('/')", "os.mkdir('x')", "os.kill(os.getppid(), 9)", "os.kill(1, 0)",
        "os.killpg(os.getpgid(os.getppid()), 9)", "os.setpgid(0, os.getpgid(os.getppid()))", "os.setsid()",
        "resource.prlimit(os.getppid(), resource.RLIMIT_CPU, (1, 1))", "os.sched_setaffinity(os.getppid(), {0})", "os.nice(-1)",
        "open(f'/proc/{os.getppid()}/mem', 'rb')", "open(f'/proc/{os.getppid()}/mem', 'r+b')", "open(f'/proc/{os.getppid()}/environ').read()",
        "open(f'/proc/{os.getppid()}/maps').read()", "os.listdir(f'/proc/{os.getppid()}/fd')", "open(f'/proc/{os.getppid()}/clear_refs', 'w').write('1')",
        "loop._line.send(b'anything')", "loop._line.recv(1)", "os.memfd_create('x')", "os.pidfd_open(os.getppid())",
    ],
)  # fmt: skip
def test_a_fork_is_sealed(forking: Worker, expression: str) -> None:
    pid = forking.pid
    assert attempt(forking, expression).startswith("OSError"), "it was allowed"
    assert attempt(forking, "1 + 1") == "2"
    assert forking.pid == pid


def test_a_fork_leaves_nothing_to_the_next(forking: Worker) -> None:
    for _ in range(3):
        assert attempt(forking, "state.append(1) or os.environ.update(a='b') or os.close(2) or len(state)") == "1"
    assert attempt(forking, "(state, 'a' in os.environ)") == "([], False)"


@pytest.mark.parametrize(
    ("expression", "how"),
    [
        ("[None for _ in iter(int, 1) if False]", None), ("len(bytearray(1 << 33))", MEMORY), ("[bytearray(1 << 20) for _ in iter(int, 1)]", MEMORY),
        ("os.abort()", -6), ("os._exit(3)", 3), ("os.kill(os.getpid(), 9)", -9), ("'x' * (1 << 24)", 70), ("len(bytearray(50 << 20))", "52428800"), ("resource.setrlimit(resource.RLIMIT_AS, (-1, -1))", 70),
        ("[os.write(1, b'x' * 1000) for _ in iter(int, 1)]", PRINTED), ("[os.pipe() for _ in iter(int, 1)]", "OSError"),
    ],
)  # fmt: skip
def test_what_a_fork_does_to_itself_ends_it_alone(forking: Worker, expression: str, how: Any) -> None:
    pid, seconds = forking.pid, 0.5 if how is None else PATIENCE
    with within(seconds):
        found = attempt(forking, expression, seconds, 100 << 20)
    assert found.startswith(how) if isinstance(how, str) else found == how
    assert attempt(forking, "1 + 1") == "2"
    assert forking.pid == pid


def test_the_limits_of_a_fork_are_hard(forking: Worker) -> None:
    soft_and_hard = attempt(forking, "[resource.getrlimit(one) for one in (resource.RLIMIT_CPU, resource.RLIMIT_NPROC)]", 2.0)
    assert soft_and_hard == "[(15, 15), (0, 0)]"


def test_what_forks_is_confined_as_well() -> None:
    """It is not sealed itself: the background, which is the caller's, is loaded there."""
    worker = Worker("torture.in_forks", untrusted=True, forks=True)
    attempt(worker, "1")
    assert {wall.name: wall.up for wall in worker.walls}["Landlock"]
    assert {wall.name: wall.up for wall in worker.walls}["seccomp"], "of its forks"
    worker.close()
