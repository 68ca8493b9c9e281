"""What the operating system refuses an untrusted job, attack by attack: as root, and as an ordinary user.

The job is Python that runs any system call: what a solver could do that a program has taken over.
"""

from __future__ import annotations

import errno
import json
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from patience import PATIENCE, until

from bridge import isolation
from bridge.asp import Program
from bridge.errors import UnsupportedError
from bridge.isolation import environment, landlock, process, seccomp
from bridge.isolation import worker as worker_module
from bridge.isolation.wall import ESSENTIAL, Wall
from bridge.isolation.worker import Worker
from bridge.limits import Limits
from bridge.outcome import Progress
from bridge.prolog import Session
from torture.attacks import ATTACKS

JOB = "torture.attacks"
HERE = Path(__file__).parent
NOBODY = 65534
LIMITS = Limits(seconds=PATIENCE)

pytestmark = pytest.mark.skipif(
    landlock.version() < 1 or platform.machine() not in ("x86_64", "aarch64"), reason="this machine lacks an essential wall"
)


@pytest.fixture(scope="module")
def secret(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("secret")
    file = folder / "secret.txt"
    file.write_text("secret")
    return file


@pytest.fixture(scope="module")
def confined(_marked_fork_servers: Path) -> Iterator[Worker]:
    """One worker for all attacks: none of them may end it."""
    worker = Worker(JOB, untrusted=True)
    yield worker
    worker.close()


@pytest.fixture(autouse=True)
def _nothing_is_left() -> None:
    """Not between these tests, which share a worker."""


def ask(worker: Worker, *request: Any, limits: Limits = LIMITS) -> str:
    (answer,) = worker.ask(request, Progress(), limits)
    return str(answer)


def given(worker: Worker, secret: Path) -> dict[str, Any]:
    worker.start()
    return {"caller": os.getpid(), "fork_server": process._fork_server(JOB, True)._process.pid, "file": str(secret)}


@pytest.mark.parametrize("attack", ATTACKS)
def test_refused(confined: Worker, secret: Path, attack: str) -> None:
    before = os.stat(secret)
    told = ask(confined, "attack", attack, given(confined, secret))
    assert told.startswith("refused"), told
    after = os.stat(secret)
    assert (after.st_mode, after.st_mtime, after.st_size) == (before.st_mode, before.st_mtime, before.st_size)


def test_as_an_ordinary_user(tmp_path: Path) -> None:
    """All attacks again, by a caller that is not root: then namespaces come with a user namespace."""
    if os.geteuid() != 0:
        pytest.skip("this run is an ordinary user's: that is what `test_refused` shows")
    python = _python_for_all()
    if python is None:
        pytest.skip("no Python of this version that an ordinary user may start")
    folder = tmp_path / "everybody"
    shutil.copytree(HERE.parent.parent.parent / "bridge", folder / "bridge", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(HERE, folder / "torture", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "secret.txt").write_text("secret")
    for parent in [folder, *folder.parents]:
        if parent.stat().st_uid == 0 and parent != Path("/tmp"):
            parent.chmod(parent.stat().st_mode | 0o055)
    script = f"""
import json, os, sys
from bridge.isolation.worker import Worker
from bridge.isolation import process
from bridge.limits import Limits
from bridge.outcome import Progress
from torture.attacks import ATTACKS
os.chdir("/")
worker = Worker({JOB!r}, untrusted=True)
worker.start()
given = {{"caller": os.getpid(), "fork_server": process._fork_server({JOB!r}, True)._process.pid, "file": {str(folder / "secret.txt")!r}}}
told = {{name: next(worker.ask(("attack", name, given), Progress(), Limits(seconds={PATIENCE}))) for name in ATTACKS}}
walls = {{wall.name: [wall.up, wall.why] for wall in worker.walls}}
print(json.dumps([told, walls, os.geteuid()]))
worker.close()
"""
    paths = [str(folder), *[path for path in sys.path if path.endswith("site-packages")]]
    run = subprocess.run(
        [python, "-P", "-c", script], user=NOBODY, group=NOBODY, extra_groups=[], cwd="/", capture_output=True, text=True, timeout=PATIENCE,
        env={"PYTHONPATH": os.pathsep.join(paths), "TMPDIR": "/tmp", "PATH": os.defpath},
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    told, walls, user = json.loads(run.stdout)
    assert user == NOBODY
    assert {name: answer for name, answer in told.items() if not answer.startswith("refused")} == {}
    assert walls["Landlock"][0]
    assert walls["seccomp"][0]
    assert walls["no capabilities"] == [True, ""]


def _python_for_all() -> str | None:
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    for python in filter(None, [sys.executable, shutil.which(name, path=os.defpath)]):
        paths = os.pathsep.join(path for path in sys.path if path.endswith("site-packages"))
        try:
            run = subprocess.run(
                [python, "-c", "import msgpack"], user=NOBODY, group=NOBODY, extra_groups=[], cwd="/", capture_output=True, env={"PYTHONPATH": paths}
            )  # fmt: skip
        except OSError:
            continue
        if run.returncode == 0:
            return python
    return None


def test_the_same_attacks_reach_something_without_the_walls(secret: Path) -> None:
    """The attacks are real: in a worker that is trusted, many succeed."""
    worker = Worker(JOB)
    try:
        for attack in ("SysV semaphores", "a socketpair", "memfd_create", "a thread", "chmod", "a signal by fcntl", "raising RLIMIT_AS", "inotify", "fork"):
            told = ask(worker, "attack", attack, {"caller": os.getpid(), "fork_server": os.getpid(), "file": str(secret)})
            assert told.startswith("reached"), (attack, told)
    finally:
        worker.close()
        subprocess.run(["ipcrm", "-S", "0x1234"], check=False, capture_output=True)


def test_it_goes_on_after_all_of_them(confined: Worker) -> None:
    assert ask(confined, "eval", "6 * 7", {}) == "reached: 42"


def test_hard_limits(confined: Worker) -> None:
    for name, most in {"CORE": 0, "FSIZE": 0, "NOFILE": 64, "NPROC": 0, "MEMLOCK": 0, "MSGQUEUE": 0}.items():
        assert ask(confined, "eval", f"resource.getrlimit(resource.RLIMIT_{name})", {}) == f"reached: ({most}, {most})"


def test_memory_and_processor_are_limited_from_outside(confined: Worker) -> None:
    """While a question is open, and as wide as it says."""
    limits = Limits(seconds=PATIENCE, memory=300 << 20)
    soft = "[resource.getrlimit(each)[0] for each in (resource.RLIMIT_AS, resource.RLIMIT_CPU)]"
    told = ask(confined, "eval", soft, {}, limits=limits).removeprefix("reached: ")
    memory, cpu = json.loads(told)
    assert (300 << 20) < memory < (8 << 30)
    assert 0 < cpu < 4 * PATIENCE
    assert ask(confined, "eval", "len(bytearray(200 << 20))", {}, limits=limits) == f"reached: {200 << 20}"
    outcome = Progress()
    assert list(confined.ask(("eval", "len(bytearray(400 << 20))", {}), outcome, limits)) == []
    assert outcome.limit == "memory"


def test_the_environment_is_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "hush-hush")
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "hush-hush")  # one that is needed to start
    monkeypatch.setenv("LANG", "C.UTF-8")
    worker_module.close_all()  # a fork server with this environment
    worker = Worker(JOB, untrusted=True)
    try:
        assert ask(worker, "eval", "sorted(os.environ)", {}) in ("reached: ['LANG']", "reached: ['LANG', 'LC_CTYPE']")
        assert "hush" not in ask(worker, "eval", "open('/proc/self/environ', 'rb').read()", {})
        assert ask(worker, "eval", "set(open('/proc/self/environ', 'rb').read())", {}) in ("reached: {0}", "reached: set()")
        outside = Path(f"/proc/{process._fork_server(JOB, True)._process.pid}/environ").read_bytes()
        assert b"SECRET_TOKEN" not in outside, "it was never there"
    finally:
        worker.close()
    assert "SECRET_TOKEN" not in environment.minimal(os.environ)


def test_the_process_is_not_alone_in_its_namespaces_by_mistake(confined: Worker) -> None:
    """A wall that is reported as up is up."""
    confined.start()
    for wall in confined.walls:
        kind = {"IPC namespace": "ipc", "network namespace": "net", "user namespace": "user", "PID namespace": "pid"}.get(wall.name)
        if kind and wall.up:
            assert os.readlink(f"/proc/{confined.pid}/ns/{kind}") != os.readlink(f"/proc/self/ns/{kind}")
    status = Path(f"/proc/{confined.pid}/status").read_text()
    assert "\nSeccomp:\t2\n" in status
    assert "\nNoNewPrivs:\t1\n" in status
    rights = int(status.partition("CapEff:\t")[2].split()[0], 16)
    assert rights == (4 if os.geteuid() == 0 else 0)


def test_all_ends_with_the_fork_server() -> None:
    """The namespace's first process, too."""
    worker = Worker(JOB, untrusted=True)
    worker.start()
    server = process._fork_server(JOB, True)._process
    children = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()
    assert str(worker.pid) in children
    os.kill(server.pid, signal.SIGKILL)
    server.wait()
    until(lambda: not any(map(_lives, children)))
    worker.close()


def _lives(pid: str) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_the_numbers_are_those_of_the_kernels_headers(machine: str, tmp_path: Path) -> None:
    compiler = shutil.which("cc")
    header = "asm/unistd.h" if machine == "x86_64" else "asm-generic/unistd.h"
    if compiler is None or ((machine == "x86_64") != (platform.machine() == "x86_64") and machine == "x86_64"):
        pytest.skip("no compiler, or another machine's headers")
    column = seccomp._MACHINES[machine][1]
    table = {**seccomp._ALLOWED, **seccomp._CHECKED}
    source = tmp_path / "numbers.c"
    defines = "".join(f"#define __ARCH_WANT_{name}\n" for name in ("NEW_STAT", "SET_GET_RLIMIT", "SYS_CLONE3", "RENAMEAT"))
    source.write_text(f"#define __BITS_PER_LONG 64\n{defines}#include <{header}>\n" + "".join(f'NUMBER "{name}" __NR_{name};\n' for name in table))
    run = subprocess.run([compiler, "-E", "-P", str(source)], capture_output=True, text=True)
    if run.returncode:
        pytest.skip("the kernel's headers are not here")
    found = dict(re.findall(r'NUMBER "(\w+)"\s+(\w+)\s*;', run.stdout))
    for name, numbers in table.items():
        number = numbers[column]
        assert found[name] == (f"__NR_{name}" if number is None else str(number)), name


# Where a wall is missing


@pytest.fixture
def no_landlock(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Fork servers for which Landlock is not there: the kernel's answer is replaced where they start."""
    (tmp_path / "sitecustomize.py").write_text(
        "import bridge.isolation.landlock as landlock\nlandlock.restrict = lambda readable: 'this is a test'\nlandlock.version = lambda: 0\n"
    )
    home = str(HERE.parent.parent.parent)
    worker_module.close_all()
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), home, str(HERE.parent)]))
    yield
    worker_module.close_all()


def lpbridge(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "bridge", *words], capture_output=True, text=True, timeout=PATIENCE)


def test_a_missing_wall_refuses(no_landlock: None, tmp_path: Path) -> None:
    said = r"not run: this machine does not put up Landlock \(this is a test\).*--allow-missing-walls"
    with pytest.raises(UnsupportedError, match=said):
        Program("a.", untrusted=True)
    with pytest.raises(UnsupportedError, match=said):
        Session("a.", untrusted=True)
    file = tmp_path / "a.lp"
    file.write_text("a.")
    run = lpbridge("run", str(file), "--untrusted")
    assert run.returncode == 2
    assert "Landlock" in run.stderr
    assert Program("a.").first() is not None, "a trusted one runs"


def test_unless_it_is_allowed_and_then_it_is_told(no_landlock: None, tmp_path: Path) -> None:
    with Program("a.", untrusted=True, allow_missing_walls=True) as program:
        outcome = program.models().collect()
        assert len(outcome.solutions) == 1
        assert outcome.remark == "this machine does not put up Landlock (this is a test)"
        assert "this machine does not put up Landlock (this is a test)" in program.warnings
    with Session("a(1).\n", untrusted=True, allow_missing_walls=True) as session:
        assert session.query("a(X)").collect().remark == "this machine does not put up Landlock (this is a test)"
        assert "this machine does not put up Landlock (this is a test)" in session.warnings
    file = tmp_path / "a.lp"
    file.write_text("a.")
    run = lpbridge("run", str(file), "--untrusted", "--allow-missing-walls", "--json")
    assert run.returncode == 0, run.stderr
    assert "lpbridge: this machine does not put up Landlock" in run.stderr
    assert "Landlock" in json.loads(run.stdout)["remark"]


def test_the_option_needs_untrusted(tmp_path: Path) -> None:
    file = tmp_path / "a.lp"
    file.write_text("a.")
    run = lpbridge("run", str(file), "--allow-missing-walls")
    assert run.returncode == 2
    assert "--allow-missing-walls is for --untrusted" in run.stderr


def test_the_doctor_tells(no_landlock: None) -> None:
    walls = {wall.name: wall for wall in isolation.walls()}
    assert walls["Landlock"] == Wall("Landlock", False, "this is a test")
    assert walls["seccomp"].up
    assert set(ESSENTIAL) <= set(walls)
    told = json.loads(lpbridge("doctor", "--json").stdout)
    assert {"name": "Landlock", "up": False, "essential": True, "why": "this is a test"} in told["walls"]
    text = lpbridge("doctor").stdout
    assert "NO WALL  Landlock" in text
    assert "untrusted programs are refused here" in text


def test_errors_are_the_systems(confined: Worker, secret: Path) -> None:
    """EPERM, but ENOSYS for clone3, after which libc tries what it has known for longer."""
    told = {name: ask(confined, "attack", name, given(confined, secret)) for name in ("clone3", "clone", "unshare", "bpf")}
    assert told.pop("clone3").startswith(f"refused: {errno.ENOSYS} ")
    assert {answer.split()[1] for answer in told.values()} == {str(errno.EPERM)}
