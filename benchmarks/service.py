"""`python -m benchmarks.service`: does the service of `examples/service.py` survive many clients, and hostile ones?

Five hundred requests at once: small programs, programs with errors, programs without end, programs that take memory
until there is none, programs that try to read a file, and clients that leave. Then more at once than may wait. Counted
are the replies by status, the processes that are left, and the memory of the server after each round.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from benchmarks.measure import machine

ROOT = Path(__file__).parent.parent
PAGE = Path(__file__).parent / "results" / "service.md"

SMALL = "{ in(1..4) } = 2. :- in(X), in(X+1)."
CLASH = "{ a; b } = 1. :- a. :- b."
PIGEONS = "".join(f"{{ p({i},1..11) }} = 1. " for i in range(12)) + ":- p(X,Z), p(Y,Z), X < Y."

#: What a hostile program tries to write.
WRITTEN = str(Path(tempfile.gettempdir(), "lpbridge-service-was-here"))

#: What is sent: how many of a hundred, path, program, seconds after which the client leaves, statuses that are right.
KINDS: dict[str, tuple[int, str, str, float | None, set[int]]] = {
    "answers": (40, "/run", SMALL, None, {200}),
    "a clash": (25, "/diagnose", CLASH, None, {200}),
    "a syntax error": (10, "/run", "p(1). q( :- p.", None, {422}),
    "a search without end": (4, "/diagnose", PIGEONS, None, {200}),
    "a grounding without end": (4, "/run", "p(0). p(X+1) :- p(X).", None, {200, 422}),
    "memory without end": (3, "/run", "p(1..90). q(A,B,C,D,E) :- p(A), p(B), p(C), p(D), p(E).", None, {200, 422}),
    "a script": (4, "/run", f'#script (python) open("{WRITTEN}", "w") #end. a.', None, {422}),
    "a client that leaves": (10, "/diagnose", PIGEONS, 0.3, set()),
}


async def request(port: int, path: str, program: str, leaves: float | None) -> int:
    """The status of the reply; 0 where the client left, or there was none."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        body = json.dumps({"program": program}).encode()
        head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        writer.write(head.encode() + body)
        await writer.drain()
        reply = await asyncio.wait_for(reader.read(), leaves)
        return int(reply.split()[1]) if reply else 0
    except TimeoutError:
        return 0
    finally:
        writer.close()


def requests(number: int, seed: int) -> list[str]:
    """Which kind each of so many requests is of."""
    kinds = [name for name, (share, *_) in KINDS.items() for _ in range(share * number // 100)]
    random.Random(seed).shuffle(kinds)
    return kinds


def processes(pid: int) -> int:
    """How many processes a process has started that still run, directly or not."""
    listed = subprocess.run(["ps", "-eo", "pid,ppid,stat"], capture_output=True, text=True, check=True).stdout
    children: dict[int, list[int]] = {}
    for line in listed.splitlines()[1:]:
        child, parent, state = line.split()
        if not state.startswith("Z"):
            children.setdefault(int(parent), []).append(int(child))
    open_, number = [pid], -1
    while open_:
        number += 1
        open_ += children.get(open_.pop(), [])
    return number


def memory(pid: int) -> float:
    """The resident memory of a process, in MB."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096 / 1e6


async def burst(port: int, kinds: list[str]) -> tuple[Counter[tuple[str, int]], float]:
    """All of them at once: how many of each kind had which status, and the seconds."""
    began = time.perf_counter()
    statuses = await asyncio.gather(*(request(port, *KINDS[kind][1:4]) for kind in kinds))
    return Counter(zip(kinds, statuses, strict=True)), time.perf_counter() - began


async def measured(port: int, pid: int, number: int, rounds: int) -> list[str]:
    """The lines of the page; an AssertionError where a reply is not as it should be."""
    lines = ["| round | requests | seconds | 200 | 422 | 503 | left | processes after | memory after (MB) |"]
    lines.append("|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    await burst(port, requests(20, 0))  # the fork servers start
    for each in range(1, rounds + 2):
        kinds = requests(number, each) if each <= rounds else ["answers"] * (number + 200)
        found, seconds = await burst(port, kinds)
        for kind, status in found:
            right = KINDS[kind][4] or {0}
            assert status in right | ({503} if each > rounds else set()), (kind, status)
        deadline = time.monotonic() + 10
        while processes(pid) > 4 and time.monotonic() < deadline:
            await asyncio.sleep(0.2)
        by = [sum(number for (_, one), number in found.items() if one == status) for status in (200, 422, 503, 0)]
        cells = [each, len(kinds), f"{seconds:.1f}", *by, processes(pid), f"{memory(pid):.0f}"]
        lines.append("| " + " | ".join(map(str, cells)) + " |")
        print(lines[-1], flush=True)
    assert await request(port, "/run", SMALL, None) == 200
    assert not Path(WRITTEN).exists()
    return lines


def run(number: int, rounds: int) -> list[str]:
    """Start the service, and put the requests."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "uvicorn", "--app-dir", "examples", "service:app", "--port", str(port)]
    server = subprocess.Popen([*command, "--log-level", "warning", "--backlog", "4096"], cwd=ROOT)
    try:
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        return asyncio.run(measured(port, server.pid, number, rounds))
    finally:
        server.terminate()
        server.wait(30)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=500, help="at once (500)")
    parser.add_argument("--rounds", type=int, default=3, help="(3)")
    parser.add_argument("--save", action="store_true", help=f"write {PAGE.relative_to(ROOT)}")
    given = parser.parse_args()
    lines = run(given.requests, given.rounds)
    words = ", ".join(f"{share} % {name}" for name, (share, *_) in KINDS.items())
    text = "\n".join([
        "# A service under load", "",
        f"`python -m benchmarks.service --requests {given.requests} --rounds {given.rounds} --save`, {machine()}.", "",
        f"Requests at once to `examples/service.py`: {words}.",
        "The last round has small programs only, more than may wait.", "", *lines, "",
    ])  # fmt: skip
    if given.save:
        PAGE.write_text(text)
    print("as it should be")


if __name__ == "__main__":
    main()
