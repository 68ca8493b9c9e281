"""The server: which requests are accepted, how large they may be, and that none is lost when many arrive at once."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import signal
import socket
from contextlib import ExitStack, aclosing
from pathlib import Path
from typing import Any

import httpx
import pytest
from patience import PATIENCE, until
from shared_data import ROOT

import bridge
from bridge.errors import BusyError
from bridge.puzzles.web.diagnosis import send_diagnosis
from bridge.puzzles.web.limits import MOST_BYTES, MOST_REQUESTS, SECONDS
from bridge.puzzles.web.pool import Pool
from bridge.puzzles.web.questions import QUESTIONS
from web.web_pages import (
    AMBIGUOUS,
    EASY,
    IMPOSSIBLE,
    JSON,
    LONG,
    UNIQUE,
    Workbench,
    http_get,
    http_post,
    in_a_thread,
    named,
)


def post(workbench: Workbench, path: str = "/ask/look", content: bytes = b"{}", **headers: str) -> httpx.Response:
    shown = {**JSON, **{name.replace("_", "-"): value for name, value in headers.items()}}
    return http_post(workbench.url + path, content=content, headers=shown, timeout=PATIENCE)


# How many


def test_too_many_requests_at_once_get_a_503_in_the_page_s_form(workbench: Workbench) -> None:
    """Each of these has announced a body, and does not send it."""
    host = httpx.URL(workbench.url)
    head = f"POST /ask/look HTTP/1.1\r\nHost: {host.host}:{host.port}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n"
    with ExitStack() as stack:
        for _ in range(MOST_REQUESTS):
            line = stack.enter_context(socket.create_connection((host.host, host.port or 80)))
            line.sendall(head.encode())
        refused: list[httpx.Response] = []
        until(lambda: refused.append(http_get(workbench.url)) or refused[-1].status_code == 503)
        assert refused[-1].headers["retry-after"] == "1"
        assert "too many requests" in refused[-1].json()["error"]["message"]
    until(lambda: http_get(workbench.url).status_code == 200)


# What is answered


def test_every_question_has_its_seconds() -> None:
    assert SECONDS.keys() == QUESTIONS.keys()


def test_new_instances_are_offered_where_a_kind_makes_them(workbench: Workbench) -> None:
    """Of the sizes on offer each has an empty board; of a kind whose facts nothing makes there is nothing new."""
    offered = {kind: one["file"] for kind, one in http_get(workbench.url + "/about").json()["puzzles"].items() if "file" in one}
    for kind, file in offered.items():
        for size in file["sizes"][:1] + file["sizes"][-1:]:
            assert "blank" in named(workbench.ask("blank", {"kind": kind, "size": size}))
        assert all(size in file["sizes"] for size in file["made"])
    assert "error" in named(workbench.ask("generate", {"kind": "kakuro", "size": [6, 6]}))
    assert {kind for kind, file in offered.items() if not file["made"]} >= {"hitori", "kakuro", "variant-sudoku", "zebra"}
    assert {kind for kind, file in offered.items() if not file["sizes"]} == {"zebra"}
    assert "error" in named(workbench.ask("blank", {"kind": "zebra", "size": [6, 6]}))
    assert [kind for kind in ("akari", "killer") if offered[kind]["symmetric"]] == []


def test_ambiguous(workbench: Workbench) -> None:
    parts = workbench.ask("look", {"puzzle": AMBIGUOUS})
    found = named(parts)
    assert parts[0]["part"] == "verdict"
    assert found["verdict"]["verdict"] == "ambiguous"
    assert len(found["verdict"]["solutions"]) == 2
    assert [cell for cell, values in found["residual"]["possible"].items() if len(values) > 1] == [
        "r4c1",
        "r4c6",
        "r6c1",
        "r6c6",
    ]
    assert found["ambiguity"]["groups"][0]["ways"] == [[3, 6, 6, 3], [6, 3, 3, 6]]
    assert len(found["additions"]["sets"]) == 8
    assert found["end"]["complete"]


def test_unique(workbench: Workbench) -> None:
    found = named(workbench.ask("look", {"puzzle": UNIQUE}))
    assert found["verdict"]["verdict"] == "unique"
    assert found["grade"]["level"] in {level["name"] for level in found["grade"]["ladder"]}
    assert found["redundant"]["premises"] == []


def test_impossible(workbench: Workbench) -> None:
    found = named(workbench.ask("look", {"puzzle": IMPOSSIBLE}))
    assert found["verdict"]["verdict"] == "impossible"
    assert found["broken"]["violations"][0]["cells"] == [[1, 1], [1, 2]]
    assert {one["text"] for one in found["clashes"]["clashes"][0]["premises"]} == {"r1c1=1", "r1c2=1", "row 1"}
    assert [[one["text"] for one in away] for away in found["removals"]["sets"]] == [["r1c1=1"], ["r1c2=1"]]


def test_a_limit_before_the_verdict() -> None:
    parts: list[dict[str, Any]] = []
    send_diagnosis(bridge.puzzles.parse("magic-square", "order 7"), parts.append, 0.01)
    found = named(parts)
    assert (found["verdict"]["verdict"], found["verdict"]["solutions"]) == ("unknown", [])
    assert found["notes"]["limit"] == "seconds"


@pytest.mark.parametrize("question", ["explain", "source", "picture"])
def test_other_questions(workbench: Workbench, question: str) -> None:
    puzzle = EASY if question == "explain" else UNIQUE
    parts = workbench.ask(question, {"puzzle": puzzle})
    assert parts[-1]["complete"]
    if question == "explain":
        steps = [part for part in parts if part["part"] == "step"]
        assert len({tuple(step["fact"]["cells"][0]) for step in steps if step["fact"]["holds"]}) == 16 - 4
        assert steps[0]["sentence"].startswith(steps[0]["fact"]["text"].replace("=", " = "))
    if question == "source":
        assert {"instance.lp", "sudoku/sudoku.lp", "sudoku/sudoku.pl", "instance.pl"} <= {
            part.get("file") for part in parts
        }
    if question == "picture":
        assert base64.b64decode(named(parts)["picture"]["base64"]).startswith(b"<svg")


@pytest.mark.parametrize("kind", ["sudoku", "latin-square", "futoshiki", "magic-square", "takuzu"])
def test_generated_and_looked_at(workbench: Workbench, kind: str) -> None:
    made = named(workbench.ask("generate", {"kind": kind, "size": [4, 4], "seed": 3}))["made"]["puzzle"]
    assert named(workbench.ask("look", {"puzzle": made}))["verdict"]["verdict"] == "unique"
    assert named(workbench.ask("source", {"puzzle": made}))["end"]["complete"]


def test_a_kind_that_is_a_file(workbench: Workbench) -> None:
    about = http_get(f"{workbench.url}/about").json()["puzzles"]
    assert {"kenken", "skyscrapers", "slitherlink", "zebra"} <= about.keys()
    for kind in ("kenken", "slitherlink"):
        start = about[kind]["file"]["start"]
        board = named(workbench.ask("board", {"puzzle": start}))["board"]
        assert board["svg"].startswith("<svg")
        assert board["lattice"] is (kind == "slitherlink")
        found = named(workbench.ask("look", {"puzzle": start}))
        assert found["verdict"]["verdict"] == "unique"
        again = named(workbench.ask("read", {"text": board["text"], "kind": kind}))["read"]["puzzles"][0]
        assert again == start
        assert named(workbench.ask("source", {"puzzle": start}))["end"]["complete"]
    blank = named(workbench.ask("blank", {"kind": "kenken", "size": [5, 5]}))["blank"]["puzzle"]
    assert blank["grid"] == [[None] * 5] * 5
    paths = [str(ROOT / "encodings" / "kenken" / "kenken.lp"), "../kenken.lp"]
    for path in paths:  # a page does not say which files are read
        assert "there is no puzzle" in named(workbench.ask("blank", {"kind": path, "size": [4, 4]}))["error"]["message"]


def test_a_crossword_is_made_of_the_words_that_were_sent(workbench: Workbench) -> None:
    words = ["ab", "cd", "ac", "bd"]
    options = {"words": "\n".join(words), "black": "0", "shortest": "2"}
    made = named(workbench.ask("generate", {"kind": "crossword", "size": [2, 2], "options": options}))
    assert sorted(made["made"]["puzzle"]["words"]) == sorted(words), made
    read = named(workbench.ask("read", {"text": "..\n..", "kind": "crossword", "options": {"words": "/etc/passwd"}}))
    assert read["error"]["kind"] == "input", "the name of a file is taken for a word"


def test_compared(workbench: Workbench) -> None:
    parts = workbench.ask("compare", {"puzzle": UNIQUE, "engines": ["asp", "mac+mrv", "clpfd"]})
    assert [part["engine"] for part in parts if part["part"] == "row"] == ["asp", "mac+mrv", "clpfd"]
    assert named(parts)["compared"]["agree"]


def test_engines_that_a_confined_process_cannot_run_are_rows_that_say_so(workbench: Workbench) -> None:
    parts = workbench.ask("compare", {"puzzle": UNIQUE, "engines": ["asp", "cp-sat"]})
    errors = {part["engine"]: part["error"] for part in parts if part["part"] == "row"}
    assert errors["asp"] is None
    assert errors["cp-sat"] is None or "may start none" in errors["cp-sat"]  # where threads are not limited, it runs
    assert named(parts)["compared"]["agree"]


def test_only_engines_are_compared(workbench: Workbench, tmp_path: Path) -> None:
    """A page may not have a program or a function of this machine run."""
    ran, file = tmp_path / "ran", tmp_path / "solver.py"
    file.write_text(f"open({str(ran)!r}, 'w')\n\ndef solve(instance):\n    return []\n")
    (tmp_path / "empty.lp").write_text("a.\n")
    for name in (f"{file}:solve", str(tmp_path / "empty.lp"), "os:getcwd"):
        assert named(workbench.ask("compare", {"puzzle": UNIQUE, "engines": ["asp", name]}))["error"]["kind"] == "input"
    assert not ran.exists()


def test_formats_there_and_back(workbench: Workbench) -> None:
    for name in ("text", "json", "line", "solo", "fpuzzles", "lp"):
        written = named(workbench.ask("write", {"puzzle": UNIQUE, "format": name}))["written"]
        read = named(workbench.ask("read", {"base64": written["base64"], "kind": "sudoku"}))["read"]
        assert read["puzzles"][0]["grid"] == UNIQUE["grid"], name


@pytest.mark.parametrize(
    "data",
    [
        b"", b"no", b"[]", b"[" * 100_000, b'{"puzzle": 3}', b'{"puzzle": {"puzzle": "chess"}}', b'{"puzzle": {"puzzle": "sudoku"}}',
        b'{"puzzle": {"puzzle": "sudoku", "grid": [[1, 2], [3]]}}', b'{"puzzle": {"puzzle": ["sudoku"]}}', b"\xff\xfe",
    ],
    ids=range(10),
)  # fmt: skip
def test_what_is_no_question(workbench: Workbench, data: bytes) -> None:
    """Every mistake is an answer, and the worker is there for the next question."""
    for question in QUESTIONS:
        parts = workbench.ask(question, data)
        assert named(parts)["error"]["kind"] == "input", (question, parts)
    assert named(workbench.ask("look", {"puzzle": UNIQUE}))["end"]["complete"]


@pytest.mark.parametrize(
    "malformed", [{"seed": "1"}, {"clues": [3]}, {"seed": True}, {"size": "9x9"}, {"size": [0, -1]}]
)
def test_malformed_requests(workbench: Workbench, malformed: dict[str, Any]) -> None:
    data = {"kind": "sudoku", "size": [4, 4], **malformed}
    assert named(workbench.ask("generate", data))["error"]["kind"] == "input"
    assert named(workbench.ask("compare", {"puzzle": EASY, "engines": malformed}))["error"]["kind"] == "input"


# Which requests are accepted


def test_other_hosts_are_refused(workbench: Workbench) -> None:
    port = workbench.url.rpartition(":")[2]
    for host in (
        "evil.example",
        f"evil.example:{port}",
        "127.0.0.1",
        "127.0.0.1:1",
        f"127.0.0.1.evil.example:{port}",
        "",
    ):
        assert http_get(workbench.url, headers={"Host": host}).status_code in (400, 421), host
    assert http_get(workbench.url, headers={"Host": f"localhost:{port}"}).status_code == 200


def test_other_sites_are_refused(workbench: Workbench) -> None:
    for origin in ("http://evil.example", "null", "http://127.0.0.1:1", workbench.url.replace("http:", "https:")):
        assert post(workbench, Origin=origin).status_code == 403, origin
    for site in ("cross-site", "same-site"):
        assert post(workbench, Sec_Fetch_Site=site).status_code == 403
        assert http_get(f"{workbench.url}/about", headers={"Sec-Fetch-Site": site}).status_code == 403
    assert post(workbench, Origin=workbench.url, Sec_Fetch_Site="same-origin").status_code == 200
    linked = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert http_get(workbench.url, headers=linked).status_code == 200, "a link from elsewhere leads here"
    assert http_get(f"{workbench.url}/about", headers=linked).status_code == 403


def test_forms_cannot_ask(workbench: Workbench) -> None:
    """A page elsewhere can post these three without asking first."""
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
        assert post(workbench, Content_Type=kind).status_code == 415


def test_the_headers(workbench: Workbench) -> None:
    for path in ("/", "/static/main.js", "/about", "/nowhere"):
        headers = http_get(workbench.url + path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "http" not in policy
        assert headers["x-content-type-options"] == "nosniff"


def test_no_other_file_is_served(workbench: Workbench) -> None:
    host, port = workbench.url.removeprefix("http://").split(":")
    for path in (
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static//etc/passwd",
        "/static/..%2f..%2f..%2fpyproject.toml",
    ):
        with socket.create_connection((host, int(port)), 5) as line:
            line.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n".encode())
            answer = b""
            while more := line.recv(65536):
                answer += more
        assert b" 404 " in answer.split(b"\r\n")[0], path


def test_nothing_is_fetched_from_elsewhere() -> None:
    from bridge.puzzles.web.app import STATIC

    for file in filter(Path.is_file, STATIC.rglob("*")):
        text = file.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert "//" not in "".join(line for line in text.splitlines() if "http" in line), file.name


# How much


def test_a_large_question_is_refused(workbench: Workbench) -> None:
    assert post(workbench, content=b" " * (MOST_BYTES + 1)).status_code == 413

    def pieces() -> Any:
        for _ in range(MOST_BYTES // 65536 + 2):
            yield b" " * 65536

    answer = http_post(f"{workbench.url}/ask/look", content=pieces(), headers=JSON)
    assert answer.status_code == 413, "without a length"


@pytest.mark.parametrize("path", ["/ask/look", "/ask/nothing"])
@pytest.mark.parametrize("chunked", [False, True])
def test_a_refusal_reaches_a_client_that_is_still_sending(workbench: Workbench, path: str, chunked: bool) -> None:
    """Also one that asked for the connection to be closed: what it sends is read, and dropped."""
    piece, number = b" " * 100_000, 300
    host, port = workbench.url.removeprefix("http://").split(":")
    size = "Transfer-Encoding: chunked" if chunked else f"Content-Length: {number * len(piece)}"
    head = f"POST {path} HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Type: application/json\r\nConnection: close\r\n{size}"
    with socket.create_connection((host, int(port)), PATIENCE) as client:
        client.sendall(head.encode() + b"\r\n\r\n")
        for _ in range(number):
            client.sendall(b"%x\r\n%s\r\n" % (len(piece), piece) if chunked else piece)
        client.sendall(b"0\r\n\r\n" if chunked else b"")
        answer = client.makefile("rb").read()
    assert answer.split()[1] == (b"404" if path == "/ask/nothing" else b"413")
    assert b'{"error":' in answer


def test_what_there_is_not(workbench: Workbench) -> None:
    assert post(workbench, "/ask/nothing").status_code == 404
    assert http_get(f"{workbench.url}/ask/look").status_code == 405


def test_a_newer_question_of_a_page_ends_the_older(workbench: Workbench) -> None:
    async def both() -> list[str]:
        async with httpx.AsyncClient(verify=False, timeout=PATIENCE, headers={**JSON, "X-Page": "one"}) as client:
            older = asyncio.create_task(client.post(f"{workbench.url}/ask/look", json={"puzzle": LONG}))
            while not workbench.pool.at_work:
                await asyncio.sleep(0.005)
            newer = await client.post(f"{workbench.url}/ask/look", json={"puzzle": AMBIGUOUS})
            ended = await older
            return [ended.text, newer.text]

    older, newer = in_a_thread(both)
    assert json.loads(older.splitlines()[-1]) == {"part": "superseded"}
    assert named([json.loads(line) for line in newer.splitlines()])["end"]["complete"]
    until(lambda: not workbench.pool.at_work)


def test_a_page_that_leaves_frees_its_worker(workbench: Workbench) -> None:
    with httpx.Client(verify=False) as client, client.stream("POST", f"{workbench.url}/ask/look", json={"puzzle": LONG}) as answer:
        lines = answer.iter_lines()  # kept: with it goes the connection
        next(lines)
        assert workbench.pool.at_work == 1
    until(lambda: not workbench.pool.at_work)


def test_a_killed_worker_is_reported_and_replaced(workbench: Workbench) -> None:
    with (
        httpx.Client(verify=False, timeout=PATIENCE) as client,
        client.stream("POST", f"{workbench.url}/ask/look", json={"puzzle": LONG}) as answer,
    ):
        lines = answer.iter_lines()
        next(lines)
        for pid in workbench.pool.pids:
            os.kill(pid, signal.SIGKILL)
        end = json.loads(list(lines)[-1])
    assert (end["part"], end["complete"], end["limit"]) == ("end", False, "crash")
    for _ in range(2):
        assert named(workbench.ask("look", {"puzzle": UNIQUE}))["end"]["complete"]


def test_fifty_at_once(workbench: Workbench) -> None:
    """Nothing is lost or mixed up, every answer is complete, and no more workers are at it than there are."""
    puzzles = [UNIQUE, AMBIGUOUS, IMPOSSIBLE]
    expected = ["unique", "ambiguous", "impossible"]
    most = 0

    async def one(client: httpx.AsyncClient, number: int) -> None:
        nonlocal most
        headers = {"X-Page": str(number)}
        answer = await client.post(f"{workbench.url}/ask/look", json={"puzzle": puzzles[number % 3]}, headers=headers)
        most = max(most, workbench.pool.at_work)
        found = named([json.loads(line) for line in answer.text.splitlines()])
        assert found["verdict"]["verdict"] == expected[number % 3]
        assert found["end"]["complete"]

    async def all_of_them() -> None:
        limits = httpx.Limits(max_connections=60)
        async with httpx.AsyncClient(verify=False, timeout=PATIENCE, limits=limits) as client:
            await asyncio.gather(*(one(client, number) for number in range(50)))

    in_a_thread(all_of_them)
    assert most <= workbench.pool.number
    assert len(workbench.pool.pids) <= workbench.pool.number
    until(lambda: not workbench.pool.at_work)


def test_busy() -> None:
    """With one worker, one question waits and a third is refused as busy; the waiting one is answered."""

    async def three() -> tuple[list[str], str]:
        pool = Pool(1, waiting=1)
        await pool.start()
        while pool.at_work:  # they are warming up
            await asyncio.sleep(0.01)
        try:

            async def ask(page: str, data: Any) -> list[str]:
                return [line async for line in pool.answer("look", json.dumps({"puzzle": data}).encode(), page)]

            first = asyncio.create_task(ask("a", LONG))
            await asyncio.sleep(0)
            waiting = asyncio.create_task(ask("b", UNIQUE))
            await asyncio.sleep(0)
            try:
                await ask("c", UNIQUE)
                said = "nothing"
            except BusyError as error:
                said = error.message
            first.cancel()
            return await waiting, said
        finally:
            await pool.close()

    lines, said = in_a_thread(three)
    assert said == "too many questions are waiting"
    assert named([json.loads(line) for line in lines])["end"]["complete"]


def test_a_worker_that_does_not_listen_is_killed() -> None:
    """Asked to stop, it goes on; so its process ends, and the next question has a new one."""

    async def both() -> tuple[int, int]:
        pool = Pool(1)
        await pool.start()
        while pool.at_work:  # they are warming up
            await asyncio.sleep(0.01)
        try:
            body = json.dumps({"puzzle": LONG}).encode()
            async with aclosing(pool.answer("look", body)) as answer:
                await anext(answer)
                (before,) = pool.pids
                os.kill(before, signal.SIGSTOP)  # it hears nothing any more
            lines = [line async for line in pool.answer("look", json.dumps({"puzzle": UNIQUE}).encode())]
            assert '"unique"' in lines[0]
            return before, pool.pids[0]
        finally:
            await pool.close()

    before, after = in_a_thread(both)
    assert before != after


def test_an_encoding_of_the_six_has_one_tab() -> None:
    from bridge.puzzles.kinds.registry import add_path
    from bridge.puzzles.web.about import about

    assert add_path("encodings/takuzu/takuzu.lp") == "takuzu.lp"
    titles = [one["title"] for one in about()["puzzles"].values()]
    assert titles.count("Takuzu") == 1
