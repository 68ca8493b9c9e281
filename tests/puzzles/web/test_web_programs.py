"""Programs in the workbench: what is asked of them, what comes back, and what hostile ones and wrong requests get."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, aclosing
from pathlib import Path
from typing import Any

import httpx
import pytest
from patience import PATIENCE, until
from shared_data import ROOT

from bridge.errors import BusyError
from bridge.puzzles.web.app import STATIC, application
from bridge.puzzles.web.limits import LONGEST_WORD, MOST_ANSWERS, MOST_OUTPUT
from bridge.puzzles.web.pool import Pool, Queue
from bridge.puzzles.web.programs import ASKED, Programs
from web.web_pages import JSON, Workbench, http_post, in_a_thread

TIMETABLE = (STATIC / "examples" / "timetable.lp").read_text()


def asked(workbench: Workbench, text: str, language: str = "lp", **more: Any) -> list[dict[str, Any]]:
    """The lines that the page gets."""
    body = json.dumps({"language": language, "text": text, **more})
    answers: list[httpx.Response] = []

    def answered() -> bool:
        """Whether it is not busy: repeated, as by the page."""
        answers.append(http_post(f"{workbench.url}/run", content=body, headers=JSON, timeout=PATIENCE))
        return answers[-1].status_code != 503

    until(answered)
    answer = answers[-1]
    assert answer.status_code == 200
    return [json.loads(line) for line in answer.text.splitlines()]


def error_of(parts: list[dict[str, Any]]) -> dict[str, Any]:
    """The only error."""
    (found,) = [part.get("error", part) for part in parts if "error" in part or part.get("part") == "error"]
    return dict(found)


def running() -> set[str]:
    """The programs that run now, by the number of their process."""
    words = ["pgrep", "-P", str(os.getpid()), "-f", "bridge run program.pl"]
    return set(subprocess.run(words, capture_output=True, text=True).stdout.split())


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the folders of programs are made."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_answers(workbench: Workbench) -> None:
    answer, end, last = asked(workbench, "a(1..2). #show a/1.")
    assert (answer["answer"], answer["text"]) == ({"a": [[1], [2]]}, "a(1) a(2)")
    assert end["text"] == "1 model; the search is complete"
    assert last == {"part": "end", "code": 0, "said": ""}
    parts = asked(workbench, "p(1). p(2).", "pl", goal="p(X).", answers=5)
    assert [part["text"] for part in parts[:2]] == ["X = 1.", "X = 2."]


def test_questions_are_commands(workbench: Workbench, folder: Path) -> None:
    """What each prints is of the same program, and has places of one name."""
    def ask(name: str) -> list[dict[str, Any]]:
        return asked(workbench, TIMETABLE, ask=name, seconds=60, atom="at(art,3)", constants=["slots=4"])

    names = ["count", "residual", "why", "picture"]
    assert {*names} < ASKED["lp"].keys()
    with ThreadPoolExecutor() as several:
        found = dict(zip(names, several.map(ask, names), strict=True))
    assert all(parts[-1]["code"] == 0 for parts in found.values())
    assert found["count"][0]["end"]["count"] == 24
    assert found["residual"][0]["diagnosis"]["open"]["at(art)"] == [1, 2, 4]
    assert "at(art,3) is in no answer set" in found["why"][0]["text"]
    assert "program.lp:20:1: :- teaches(T, L), at(L, S), away(T, S)." in found["why"][0]["text"]
    assert found["picture"][0]["svg"].startswith("<svg")
    assert 'fill="#ffffff"' in found["picture"][0]["svg"]
    assert ">line 20<" in found["picture"][0]["svg"] or "line 20:" in found["picture"][0]["svg"]
    assert "string" not in found["picture"][0]["svg"]
    for part in (part for parts in found.values() for part in parts):
        assert str(folder) not in json.dumps(part)
    clash = asked(workbench, TIMETABLE, ask="diagnose", seconds=60)[0]["diagnosis"]["clashes"][0]
    assert {rule["line"] for rule in clash["rules"]} == {14, 17, 20}
    wrong = "{ in(1..2) }.\n:- not in(1), in(2).\n"
    question = asked(workbench, wrong, ask="debug", seconds=60)[0]["question"]
    replies = [{**question, "meant": False}]
    assert asked(workbench, wrong, ask="debug", seconds=60, replies=replies)[0].get("question", {}) != question
    parts = asked(workbench, "p(X) :- q(X), X > 2.\nq(1).\n", "pl", goal="p(X)", ask="diagnose", seconds=60)
    assert {one["line"] for one in parts[0]["diagnosis"]["failure"]["fragment"]} == {1, 2}
    assert not os.listdir(folder)


REFUSED = [
    ("lp", "#script (python) print(1) #end.", "script"),
    ("lp", '#include "/etc/passwd".', "include"),
    ("pl", "p :- open('/etc/passwd', read, _).", "open"),
    ("pl", ":- include('/etc/passwd').", "program.pl:1"),
    ("pl", ":- use_module(library(chr)).", "library(chr) is refused"),
]


def test_what_is_refused(workbench: Workbench) -> None:
    with ThreadPoolExecutor() as several:
        all_parts = several.map(lambda one: asked(workbench, one[1], one[0], goal="p"), REFUSED)
    for (_, text, said), parts in zip(REFUSED, all_parts, strict=True):
        found = error_of(parts)
        assert said in f"{found.get('where')} {found['message']}", text
        assert not [part for part in parts if "answer" in part]


def test_places_of_errors(workbench: Workbench) -> None:
    assert error_of(asked(workbench, "a.\nb :- c(X.\n"))["where"] == "program.lp:2:9"
    assert error_of(asked(workbench, "a.\nb :- c(X.\n", "pl", goal="a"))["where"] == "program.pl:2:9"


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"language": "c"}, "language"),
    ({"ask": "solve"}, "cannot be asked"),
    ({"language": "pl", "ask": "why"}, "cannot be asked"),
    ({"language": "pl"}, "goal is missing"),
    ({"language": "pl", "goal": 3}, "`goal` is to be a text"),
    ({"text": None}, "`text` is to be a text"),
    ({"ask": "debug", "replies": "yes"}, "`replies` is to be a list"),
    ({"ask": "why"}, "atom is missing"),
    ({"ask": "why", "atom": "a\0b"}, "null character"),
    ({"ask": "why", "atom": "a" * (LONGEST_WORD + 1)}, "too long"),
    ({"answers": MOST_ANSWERS + 1}, "a number above 0"),
    ({"answers": True}, "a number above 0"),
    ({"answers": 0}, "a number above 0"),
    ({"answers": 0.5}, "whole"),
    ({"seconds": 1e9}, "a number above 0"),
    ({"constants": "n=1"}, "list"),
    ({"constants": [1]}, "constant is missing"),
    ({"constants": ["--untrusted"]}, "is not a constant"),
    ({"constants": ["n=1 --opt-mode=ignore"]}, "is not a term"),
    ({"ask": "why", "atom": "/etc/passwd"}, "passwd"),
    ({"text": "\ud800."}, "program.lp"),
]


def test_wrong_requests(workbench: Workbench) -> None:
    """Each is an error, and none of its words is an option or a file of the command."""
    with ThreadPoolExecutor() as several:
        all_parts = several.map(lambda one: asked(workbench, **{"text": "a.", **one[0]}), WRONG)
    for (request, said), parts in zip(WRONG, all_parts, strict=True):
        found = error_of(parts)
        assert said in f"{found.get('where')} {found['message']}", request


@pytest.mark.parametrize("body", [b"", b"[]", b"3", b"{", b"[" * 100_000, b'{"text": {}}', b"\xff"])
def test_requests_that_are_none(workbench: Workbench, body: bytes) -> None:
    answer = http_post(f"{workbench.url}/run", content=body, headers=JSON, timeout=PATIENCE)
    (found,) = map(json.loads, answer.text.splitlines())
    assert found["part"] == "error"
    assert found["kind"] == "input"


@pytest.mark.parametrize("text", ["{ a(1..9) }. b(1..5000).", "b(1..150000)."], ids=["many answers", "one"])
def test_too_much_output_is_cut(workbench: Workbench, text: str) -> None:
    """Whole lines arrive, and then an error; what is cut off is not a line, and what is not read does not hang."""
    parts = asked(workbench, text, answers=1000, seconds=60)
    assert sum(len(json.dumps(part)) for part in parts) < 2 * MOST_OUTPUT
    assert {next(iter(part)) for part in parts[:-1]} <= {"answer"}
    assert "the rest is left out" in error_of(parts[-1:])["message"]


def test_a_reader_that_leaves_while_much_waits_for_it() -> None:
    """What was printed and not read does not keep the command, or who waits for its end."""
    body = json.dumps({"language": "lp", "text": "{ a(1..9) }. b(1..5000).", "answers": 1000})

    async def leave() -> None:
        async with asyncio.timeout(PATIENCE):
            lines = Programs(1, Queue(0)).answer(body.encode())
            assert "answer" in json.loads(await anext(lines))
            await asyncio.sleep(0.5)  # meanwhile the pipe and its buffer fill
            await lines.aclose()

    in_a_thread(leave)


def test_a_command_that_does_not_end(workbench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit of a program is kept by its command, and that of the command by the server."""
    monkeypatch.setattr("bridge.puzzles.web.limits.PRINTING", -29.5)
    parts = asked(workbench, "p :- repeat, fail.", "pl", goal="p", seconds=30)
    assert "it has not ended after 0.5 seconds" in error_of(parts)["message"]


def test_an_endless_program_ends(workbench: Workbench) -> None:
    *_, end, last = asked(workbench, "p :- repeat, fail.", "pl", goal="p", seconds=1)
    assert (end["end"]["limit"], last["code"]) == ("seconds", 1)


def test_a_program_ends_when_its_reader_is_gone(workbench: Workbench, folder: Path) -> None:
    """It goes on after its first answer, and its page goes away: nothing of it stays."""
    body = {"language": "pl", "text": "p(1).\np(2) :- repeat, fail.", "goal": "p(X)", "answers": 2, "seconds": 60}
    with httpx.Client(verify=False, timeout=PATIENCE) as client, client.stream("POST", f"{workbench.url}/run", json=body) as answer:
        lines = answer.iter_lines()  # kept: with it goes the connection
        assert json.loads(next(lines))["text"] == "X = 1."
        before = running()
        assert before
        assert os.listdir(folder)
    until(lambda: not running() & before)
    until(lambda: not os.listdir(folder))


def test_busy(workbench: Workbench) -> None:
    """While all places are taken, a program is refused as busy, and so are many; the running ones go on."""
    slow = {"language": "pl", "text": "p(1).\np(2) :- repeat, fail.", "goal": "p(X)", "answers": 2, "seconds": 60}
    trivial = {"language": "lp", "text": "a."}
    with ExitStack() as open_ones:
        streams = []
        for _ in range(workbench.pool.number):
            client = open_ones.enter_context(httpx.Client(verify=False, timeout=PATIENCE))
            lines = open_ones.enter_context(client.stream("POST", f"{workbench.url}/run", json=slow)).iter_lines()
            assert json.loads(next(lines))["text"] == "X = 1."
            streams.append(lines)
        with ThreadPoolExecutor(130) as several:
            ask = lambda _: http_post(f"{workbench.url}/run", json=trivial, timeout=PATIENCE)  # noqa: E731
            refused = list(several.map(ask, range(130)))
        assert {(one.status_code, one.headers["retry-after"], one.json()["kind"]) for one in refused} == {
            (503, "1", "busy")
        }
    # The places are free again when the others have ended.
    until(lambda: http_post(f"{workbench.url}/run", json=trivial, timeout=PATIENCE).status_code == 200)


def test_questions_and_programs_wait_in_one_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that waits takes the only place of the queue; the next one is refused at once, and it is answered."""
    monkeypatch.setattr("bridge.puzzles.web.limits.WAITING_PROGRAM", PATIENCE)
    body = json.dumps({"language": "lp", "text": "a."}).encode()

    async def three() -> list[str]:
        queue = Queue(1)
        programs = Programs(1, queue)

        async def whole() -> list[str]:
            return [text async for text in programs.answer(body)]

        async with aclosing(programs.answer(body)) as first:
            await anext(first)
            second = asyncio.create_task(whole())
            await asyncio.sleep(0)
            with pytest.raises(BusyError, match="too many"):
                await whole()
            with pytest.raises(BusyError, match="too many"):
                await queue.take(asyncio.Queue(), PATIENCE)
        return await second

    assert json.loads(in_a_thread(three)[-1]) == {"part": "end", "code": 0, "said": ""}


def test_an_atom_may_look_like_an_option(workbench: Workbench) -> None:
    parts = asked(workbench, "-tall(1) :- not tall(1).", ask="why", atom="-tall(1)")
    assert parts[0]["reasons"]["status"] == "every"


def test_the_timetable_is_that_of_the_docs() -> None:
    """The same rules and facts; the page has them in one file."""

    def statements(*files: str) -> list[str]:
        lines = "\n".join((ROOT / file).read_text() for file in files).splitlines()
        return sorted(line for line in lines if line and (line[0] != "%" or line.startswith("%!")))

    assert statements("examples/why/timetable.lp", "examples/why/monday.lp") == sorted(
        line for line in TIMETABLE.splitlines() if line and (line[0] != "%" or line.startswith("%!"))
    )


def test_programs_are_off_unless_they_are_allowed() -> None:
    async def both() -> tuple[int, bool]:
        # Without its lifespan: no worker is needed.
        transport = httpx.ASGITransport(application(Pool(1), ["here"]))
        async with httpx.AsyncClient(verify=False, transport=transport, base_url="http://here") as client:
            refused = await client.post("/run", json={"language": "lp", "text": "a."})
            about = await client.get("/about")
        return refused.status_code, about.json()["programs"]

    assert in_a_thread(both) == (403, False)
