"""Browsers that leave, at every stage of a question and in every way: the terminal of `serve` stays quiet."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from patience import PATIENCE
from shared_data import ROOT

from bridge.puzzles.web.app import Server as Serving
from bridge.puzzles.web.app import listening
from web.web_pages import LONG


class Server:
    """`lpbridge puzzle serve` in a process of its own, with its terminal in a file."""

    def __init__(self, errors: Path) -> None:
        self.errors = errors
        with open(errors, "wb") as file:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "bridge", "puzzle", "serve", "--port", "0", "--jobs", "1"],
                cwd=ROOT,
                env={**os.environ, "PYTHONUNBUFFERED": "1"},
                stdout=subprocess.PIPE,
                stderr=file,
            )
        assert self.process.stdout is not None
        found = re.search(rb"127\.0\.0\.1:(\d+)/", self.process.stdout.readline())
        assert found is not None
        self.port = int(found[1])

    def request(self, method: str, path: str, body: bytes = b"", more: str = "") -> bytes:
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nContent-Type: application/json\r\n{more}"
        length = "" if "Transfer-Encoding" in more else f"Content-Length: {len(body)}\r\n"
        return f"{head}{length}\r\n".encode() + body

    def visit(self, sent: bytes, received: int = 0) -> socket.socket:
        """Send something, and wait for so many bytes of an answer."""
        line = socket.create_connection(("127.0.0.1", self.port))
        line.settimeout(60)
        with suppress(ConnectionError):  # it may refuse before all is sent
            line.sendall(sent)
            while received > 0 and (piece := line.recv(received)):
                received -= len(piece)
        return line

    def end(self, times: int = 1) -> str:
        """Ctrl-C; what stands on the terminal then."""
        for _ in range(times):
            self.process.send_signal(signal.SIGINT)
        assert self.process.wait(PATIENCE) == 130
        return self.errors.read_text().strip()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    server = Server(tmp_path / "terminal")
    yield server
    server.process.kill()
    server.process.communicate()


def reset(line: socket.socket) -> None:
    """As when a process dies: the other end hears of it as an error."""
    line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    line.close()


def hang_up(line: socket.socket) -> None:
    with suppress(OSError):
        line.shutdown(socket.SHUT_WR)
    line.close()


def visits(server: Server) -> Iterator[tuple[bytes, int]]:
    """What a browser sends, and how much of the answer it sees before it leaves."""
    look = json.dumps({"puzzle": LONG}).encode()
    yield b"", 0
    for start in (b"G", b"GET / HTTP/1.1\r\nHo", b"\r\n\r\n", b"\xff\0rubbish\r\n\r\n", b"\x16\x03\x01\x02\0"):
        yield start, 0
    for path in ("/", "/about", "/static/nowhere.js", "/nowhere"):
        for received in (0, 1):
            yield server.request("GET", path), received
    whole = server.request("POST", "/ask/look", look)
    yield whole[: -len(look)], 0  # before its question
    yield whole[:-9], 0  # in the middle of it
    for name in ("look", "explain", "generate", "compare", "read", "nowhere"):
        for received in (0, 1):
            yield server.request("POST", f"/ask/{name}", look), received
    yield whole, 500  # in the middle of an answer
    yield whole + whole, 1
    yield server.request("GET", "/about") * 9 + whole, 1
    chunked = "Transfer-Encoding: chunked\r\n"
    yield server.request("POST", "/ask/look", b"5\r\n{", chunked), 0
    yield server.request("POST", "/ask/look", b"z\r\n", chunked), 0
    yield server.request("GET", "/", more="Connection: Upgrade\r\nUpgrade: websocket\r\n"), 0


def test_browsers_that_leave(server: Server) -> None:
    for leave in (reset, hang_up):
        for sent, received in visits(server):
            leave(server.visit(sent, received))
    line = server.visit(server.request("GET", "/about"), 15)  # it is still there
    line.close()
    assert server.end() == "lpbridge: interrupted"


def test_ctrl_c_twice_while_answers_are_under_way(server: Server) -> None:
    look = server.request("POST", "/ask/look", json.dumps({"puzzle": LONG}).encode())
    with server.visit(look, 1), server.visit(look):
        assert server.end(times=2) == "lpbridge: interrupted"


def test_a_second_ctrl_c_forces_nothing() -> None:
    """It would leave the pool as it is, with a traceback; the first takes two seconds at most."""
    with listening(0) as line:
        stopping = Serving(line, 1)
        stopping.handle_exit(signal.SIGINT, None)
        stopping.handle_exit(signal.SIGINT, None)
    assert stopping.should_exit
    assert not stopping.force_exit
    assert stopping._captured_signals == [signal.SIGINT]


def test_ctrl_c_and_a_browser_that_leaves_at_once(server: Server) -> None:
    lines = [server.visit(server.request("POST", "/ask/look", json.dumps({"puzzle": LONG}).encode()), 1)]
    lines.append(server.visit(b"GET / HTTP/1.1\r\n"))
    server.process.send_signal(signal.SIGINT)
    for line in lines:
        reset(line)
    assert server.end() == "lpbridge: interrupted"
