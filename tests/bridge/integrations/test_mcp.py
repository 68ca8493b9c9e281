"""The tools for agents, called by a client of the SDK."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from bridge.cli.brief import LENGTH, shortened

REACHED = "r(X,Y) :- e(X,Y).\nr(X,Y) :- e(Y,X).\nr(X,Z) :- r(X,Y), e(Y,Z).\n"

#: What is called, and what is in the answer; the last word is `error` for an error.
CALLS: list[tuple[str, dict[str, Any], list[str]]] = [
    ("run", {"program": "{ a; b } = 1."}, ["answer 1: ", "these are all"]),
    ("run", {"program": "#const n=1. p(1..n).", "constants": {"n": 2}}, ["p(1) p(2)"]),
    ("run", {"program": "a. :- a."}, ["no answer (proved)", "diagnose"]),
    ("run", {"program": "a :- b(."}, ["<block>:1:7: `(` is not closed", "error"]),
    ("run", {"program": "p(1..3). { q(X) : p(X) }.", "answers": 2}, ["answer 2", "there may be more"]),
    ("run", {"program": "q(X) :- q(Y), X = Y + 1. q(0).", "seconds": 0.5}, ["the limit on seconds"]),
    ("run", {"program": "#script(python)\nimport os\n#end.\na."}, ["an untrusted program runs no scripts", "error"]),
    ("run", {"program": ":- use_module(library(clpfd)).\np(X) :- X in 1..3.", "goal": "p(X)"}, ["X in 1..3"]),
    ("diagnose", {"program": "a.\nb.\n:- a."}, ["cannot hold together", "<string>:3:1", "take away this"]),
    ("debug", {"program": REACHED, "facts": "e(1,2). e(2,3).", "unwanted": ["r(2,1)"]}, ["<string>:2:1", "+"]),
    ("debug", {"program": "{ a; b }.", "against": "{ a; b } = 1."}, ["+{ a; b } = 1."]),
    ("test", {"program": "{ a; b }.\n\n%! test one: models 2\n"}, ["expected models 2", "+{ a; b } = 1.", "1 failed"]),
    ("compare", {"program": "{a}.", "other": "{a} 1.", "show": "a/0"}, ["the same answers"]),
    ("compare", {"program": "{a}.", "other": "a.", "show": "a/0"}, ["the empty answer"]),
]


def _answers(remote: bool) -> list[tuple[str, bool]]:
    # Here: it takes longer to import than all of the bridge.
    from mcp import Client, StdioServerParameters, stdio_client

    from bridge.integrations.mcp_server import server

    words = StdioServerParameters(command=sys.executable, args=["-m", "bridge", "mcp"])
    transport: Any = stdio_client(words) if remote else server()

    async def asked() -> list[tuple[str, bool]]:
        async with Client(transport) as client:
            assert {tool.name for tool in (await client.list_tools()).tools} == {name for name, _, _ in CALLS}
            found = [await client.call_tool(name, given) for name, given, _ in CALLS[: 3 if remote else len(CALLS)]]
        return [(one.content[0].text, bool(one.is_error)) for one in found]

    return asyncio.run(asked())


@pytest.mark.parametrize("remote", [False, True], ids=["in this process", "over standard input and output"])
def test_what_the_tools_answer(remote: bool) -> None:
    answers = _answers(remote)
    assert len(answers) >= 3
    for (name, given, wanted), (text, failed) in zip(CALLS, answers, strict=False):
        assert failed == ("error" in wanted), (name, given, text)
        assert all(word in text for word in wanted if word != "error"), (name, given, text)
        assert len(text) <= LENGTH + 100


def test_what_a_program_prints_is_no_part_of_the_protocol(tmp_path: Path) -> None:
    from mcp import Client, StdioServerParameters, stdio_client

    script = "#script(python)\nimport os, sys\nprint('noise', len(sys.stdin.read()), flush=True)\nos.system('echo noise')\n#end.\na."
    goal = {"program": ":- initialization((write(noise), nl)).\np :- write(noise), nl, shell('echo noise').", "goal": "p"}
    taken = tmp_path / "taken"
    words = ["-c", '"$0" -m bridge mcp --trusted 2>"$2" | tee "$1"', sys.executable, str(taken), str(tmp_path / "errors")]

    async def asked() -> list[str]:
        async with Client(stdio_client(StdioServerParameters(command="sh", args=words))) as client:
            return [(await client.call_tool("run", given)).content[0].text for given in ({"program": script}, goal)]

    first, second = asyncio.run(asked())
    assert "answer 1: a" in first
    assert "answer 1: true" in second
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in taken.read_text().splitlines())
    assert "noise" not in taken.read_text()


def test_long_answers_end_with_what_is_left_out() -> None:
    assert shortened("a\nb") == "a\nb"
    assert shortened("\n".join(map(str, range(1000))), 100) == "\n".join([*map(str, range(25)), "... (969 lines left out)", *map(str, range(994, 1000))])
    assert shortened("x" * 1000, 100) == f"{'x' * 66}\n... (909 characters left out)\n{'x' * 25}"
