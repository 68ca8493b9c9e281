"""`lpbridge puzzle serve`: it says where it is, stops on Ctrl-C, and says what is wrong."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from patience import PATIENCE
from shared_data import ROOT

from web.web_pages import JSON, LONG

SERVE = [sys.executable, "-m", "bridge", "puzzle", "serve"]


@contextmanager
def served(*options: str, **variables: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A workbench of its own process, and its address."""
    env = {**os.environ, "PYTHONUNBUFFERED": "1", **variables}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    command = [*SERVE, "--port", "0", "--jobs", "1", *options]
    process = subprocess.Popen(command, cwd=ROOT, env=env, text=True, **pipes)  # type: ignore[call-overload]
    try:
        found = re.search(r"http://127\.0\.0\.1:\d+", process.stdout.readline())
        assert found is not None
        yield process, found[0]
    finally:
        process.kill()
        process.communicate()


@pytest.fixture
def serving() -> Iterator[tuple[subprocess.Popen[str], str]]:
    with served() as process:
        yield process


def test_kinds_in_folders_of_yours_are_answered(tmp_path: Path) -> None:
    """Not only listed: the confined workers, which read no such file, know them as well."""
    rules = "{ cell(1, 1..2, 0..1) }. :- C = 1..2, not { cell(1, C, _) } = 1. :- cell(1, 1, V), cell(1, 2, V). #show cell/3."
    for kind in ("pair", "twins"):
        part = f'#program workbench.\ntitle("{kind.title()}"). grid(1, 2). value(0..1). rows(clue(row, column, value)).'
        folder = tmp_path / kind
        folder.mkdir()
        (folder / f"{kind}.lp").write_text(f"{rules}\n:- clue(R, C, V), not cell(R, C, V).\n#defined clue/3.\n{part}\n", encoding="utf-8")
        (folder / f"{kind}.txt").write_text("1 .\n", encoding="utf-8")
    by_option, by_variable = str(tmp_path / "pair"), str(tmp_path / "twins")
    with served("--puzzles", by_option, LPBRIDGE_PUZZLES=by_variable) as (_, url), httpx.Client(verify=False, timeout=PATIENCE, headers=JSON) as client:
        about = client.get(f"{url}/about").json()["puzzles"]
        for kind in ("pair", "twins"):
            assert about[kind]["title"] == kind.title()
            answer = client.post(f"{url}/ask/look", json={"puzzle": {"puzzle": kind, "grid": [[1, None]]}}).text
            parts = {part["part"]: part for part in map(json.loads, answer.splitlines())}
            assert "error" not in parts, parts["error"]
            assert parts["end"]["complete"]
            assert (parts["verdict"]["verdict"], parts["verdict"]["solutions"]) == ("unique", [[[1, 0]]])


def test_ctrl_c(serving: tuple[subprocess.Popen[str], str]) -> None:
    """Also in the middle of an answer; no process is left."""
    process, url = serving
    with (
        httpx.Client(verify=False, timeout=PATIENCE) as client,
        client.stream("POST", f"{url}/ask/look", json={"puzzle": LONG}, headers=JSON) as answer,
    ):
        lines = answer.iter_lines()
        next(lines)
        children = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True).stdout.split()
        process.send_signal(signal.SIGINT)
        list(lines)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert err.strip() == "lpbridge: interrupted"
    assert children, "the template is a child"
    for pid in children:
        assert not os.path.exists(f"/proc/{pid}")


def test_the_port_is_taken() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = subprocess.run([*SERVE, "--port", str(port)], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 2
    assert f"port {port} cannot be had: address already in use" in done.stderr
    assert "--port 0" in done.stderr


def test_without_the_extra() -> None:
    code = "import sys; sys.modules['uvicorn'] = None; sys.argv = ['lpbridge', 'puzzle', 'serve']; from bridge.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 2
    assert "pip install 'lpbridge[web]'" in done.stderr


def test_the_page_of_the_docs_is_true() -> None:
    from bridge.puzzles.cli.serve import serve
    from bridge.puzzles.web import limits

    text = " ".join((ROOT / "docs" / "workbench.md").read_text(encoding="utf-8").split())
    known = {option for parameter in serve.params for option in parameter.opts}
    assert set(re.findall(r"--[a-z][a-z-]*", text)) <= known
    seconds = limits.SECONDS
    for said, value, meant in (
        ("A diagnosis takes six seconds", limits.LOOK_SECONDS, 6),
        ("an explanation 14", seconds["explain"] - 1, 14),
        ("a new puzzle 18", seconds["generate"] - 2, 18),
        ("each engine of a comparison three", limits.ROW_SECONDS, 3),
        ("two million bytes", limits.MOST_BYTES, 2_000_000),
        ("a gigabyte", limits.MEMORY, 1 << 30),
        ("0.15 seconds later", limits.PATIENCE, 0.15),
        ("A hundred may wait, for half a minute", (limits.MOST_WAITING, limits.WAITING), (100, 30)),
    ):
        assert said in text
        assert value == meant, said


def test_the_web_is_loaded_by_serve_alone() -> None:
    code = "import bridge.cli, bridge.puzzles.cli.questions, sys; print(sorted({'starlette', 'uvicorn', 'bridge.puzzles.web'} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert done.stdout == "[]\n"
