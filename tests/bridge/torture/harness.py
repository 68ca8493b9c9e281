"""What every torture has in common: how long it may take, and what must be true when it is over."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from patience import PATIENCE

from bridge.asp import Program
from bridge.isolation import process
from bridge.isolation.namespaces import INIT
from bridge.limits import Limits
from bridge.prolog import Session

#: What a torture may take beyond its limit. The promise is about a second (`worker.GRACE`, and what it takes to kill);
#: but the machine may be slow or busy, and what is tested is that the program is ended, not how soon.
SLACK = PATIENCE

#: Every process that descends from the tests' fork servers has this in its environment, whatever its parent is by now;
#: but for untrusted ones, which have an empty one, and start nothing.
MARK = "LPBRIDGE_TORTURE"

#: n pigeons for n - 1 holes: no solution, and no quick proof.
PIGEONS = "{ in(P, 1..n-1) } = 1 :- P = 1..n. :- in(P, H), in(P', H), P < P'."


@contextmanager
def within(seconds: float | None) -> Iterator[None]:
    """What is done in here ends within its limit."""
    started = time.monotonic()
    yield
    took = time.monotonic() - started
    assert took < (seconds or 0.0) + SLACK, f"it took {took:.1f} s"


def interrupt_after(seconds: float) -> None:
    """Ctrl-C, for this process only."""
    threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT)).start()


def fork_servers() -> set[int]:
    """The fork servers of this process, and the first processes of their namespaces, which stay as long as they do."""
    servers = {server._process.pid for server in process._fork_servers.values()}
    return servers | {pid for pid in children_of(servers) if comm(pid) == INIT}


def children_of(parents: set[int]) -> set[int]:
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if int(parent) in parents and state != "Z":
            found.add(int(folder.name))
    return found


def comm(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


def marked() -> set[int]:
    """The living processes that bear this run's mark."""
    mark = f"{MARK}={os.getpid()}".encode()
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (folder / "environ").read_bytes().split(b"\0"):
                found.add(int(folder.name))
        except OSError:
            pass  # it has ended, or belongs to another user
    return found - {os.getpid()}


def left_over(patience: float = PATIENCE, *, besides: Iterable[int] = ()) -> dict[int, str]:
    """Processes that should be gone, with their commands, besides some; a killed one gets a moment to go."""
    due, known = time.monotonic() + patience, set(besides)
    while (rest := (marked() | children_of(fork_servers())) - fork_servers() - known) and time.monotonic() < due:
        time.sleep(0.01)
    return {pid: command(pid) for pid in rest}


def command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return "gone by now"


def resident(pid: int | None) -> int:
    """How many bytes of memory a process takes."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def the_next_job_works() -> None:
    limits = Limits(seconds=PATIENCE)
    with Program("{ a; b }.", limits=limits) as program:
        assert len(program.models(limits=limits).collect().solutions) == 4
    with Session("a(1). a(2).\n", limits=limits) as session:
        assert [answer["X"] for answer in session.query("a(X)", limits=limits)] == [1, 2]
