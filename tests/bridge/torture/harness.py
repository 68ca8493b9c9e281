"""What every torture has in common: how long it may take, and what must be true when it is over."""

from __future__ import annotations

import gc
import os
import signal
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Process:
    """A living process: its parent, and when it began, which with its number tells it from all others."""

    parent: int
    begun: str


def living() -> dict[int, Process]:
    """The living processes of this machine by their numbers."""
    found = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            state, parent, *more = Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if state != "Z":
            found[int(name)] = Process(int(parent), more[17])
    return found


def fork_servers(there: dict[int, Process] | None = None) -> set[int]:
    """The fork servers of this process, and the first processes of their namespaces, which stay as long as they do."""
    servers = {server._process.pid for server in process._fork_servers.values()}
    return servers | {pid for pid in children_of(servers, there) if comm(pid) == INIT}


def children_of(parents: set[int], there: dict[int, Process] | None = None) -> set[int]:
    return {pid for pid, one in (living() if there is None else there).items() if one.parent in parents}


def comm(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


#: Processes without the mark. What they start has none either, so they are looked at once.
_OTHERS: set[tuple[int, Process]] = set()


def marked(there: dict[int, Process]) -> set[int]:
    """Those of the processes that bear this run's mark."""
    mark = f"{MARK}={os.getpid()}".encode()
    found = set()
    for pid, one in there.items():
        if (pid, one) in _OTHERS:
            continue
        try:
            environment = Path(f"/proc/{pid}/environ").read_bytes()
        except OSError:
            continue  # it has ended, or belongs to another user
        if mark in environment.split(b"\0"):
            found.add(pid)
        elif environment:  # an empty one may be that of a process that begins or ends
            _OTHERS.add((pid, one))
    return found - {os.getpid()}


def left_over(patience: float = PATIENCE, *, besides: Iterable[int] = ()) -> dict[int, str]:
    """Processes that should be gone, with their commands, besides some; a killed one gets a moment to go."""
    due, known = time.monotonic() + patience, set(besides)
    while True:
        there = living()
        servers = fork_servers(there)
        rest = (marked(there) | children_of(servers, there)) - servers - known
        if not rest or time.monotonic() >= due:
            return {pid: command(pid) for pid in rest}
        gc.collect()  # what nobody closed ends with its object
        time.sleep(0.01)


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
