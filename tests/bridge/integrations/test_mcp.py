"""The tools for agents, called by the client of the protocol's SDK, which holds each answer against the schema of its tool."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from bridge.cli.brief import LENGTH, shortened
from bridge.cli.forms import FORMS
from bridge.cli.schemas import Failed, schema
from bridge.common.strict_json import dumps
from bridge.integrations.mcp_server import MESSAGE, Server, inputs, listing, misfit

REACHED = "r(X,Y) :- e(X,Y).\nr(X,Y) :- e(Y,X).\nr(X,Z) :- r(X,Y), e(Y,Z).\n"
CLPFD = ":- use_module(library(clpfd)).\n"
FAMILY = "parent(tom, bob).\nparent(bob, ann).\nancestor(X, Y) :- parent(X, Y).\nancestor(X, Z) :- parent(X, Y), ancestor(Y, Z).\n"
ROTA = "{ works(P,D) : person(P) } = 1 :- day(D).\n:- works(P,D), off(P,D).\nperson(ann;bob). day(1..2). off(bob,2).\n"

#: A problem: the tool, its arguments, what is in its text, and what holds of its object. The word `error` is for an error.
Problem = tuple[str, dict[str, Any], list[str], Callable[[Any], object]]
PROBLEMS: list[Problem] = [
    ("run", {"program": "{ a; b } = 1."}, ["answer 1: ", "these are all"], lambda d: d["models"] == [{"a": [[]]}, {"b": [[]]}] or d["models"] == [{"b": [[]]}, {"a": [[]]}]),
    ("run", {"program": "#const n=1. p(1..n).", "constants": {"n": 2}}, ["p(1) p(2)"], lambda d: d["models"] == [{"p": [[1], [2]]}]),
    ("run", {"program": "a. :- a."}, ["no answer (proved)", "diagnose"], lambda d: d["satisfiable"] is False and d["complete"]),
    ("run", {"program": "a :- b(."}, ["<block>:1:7: `(` is not closed", "error"], lambda d: (d["error"]["kind"], d["errors"][0]["line"]) == ("program", 1)),
    ("run", {"program": "p(1..3). { q(X) : p(X) }.", "answers": 2}, ["answer 2", "there may be more"], lambda d: len(d["models"]) == 2 and not d["complete"]),
    ("run", {"program": "q(X) :- q(Y), X = Y + 1. q(0).", "seconds": 0.5}, ["the limit on seconds"], lambda d: d["limit"] == "seconds"),
    ("run", {"program": "#script(python)\nimport os\n#end.\na."}, ["an untrusted program runs no scripts", "error"], lambda d: d["errors"]),
    ("run", {"program": f"{CLPFD}p(X) :- X in 1..3.", "goal": "p(X)"}, ["X in 1..3"], lambda d: d["answers"][0]["residual"] == ["X in 1..3"]),
    ("run", {"program": f"{CLPFD}p(X) :- X in 1..3, label([X]).", "goal": "p(X)", "answers": 9}, ["X = 3", "these are all"], lambda d: [one["bindings"]["X"] for one in d["answers"]] == [1, 2, 3]),
    ("run", {"program": "item(1..4).\n{ take(X) : item(X) } >= 2.\n#minimize { X : take(X) }.\n#show take/1.", "optimal": True}, ["cost 3, the least"], lambda d: d["costs"] == [[3]] and d["optimal"]),
    ("run", {"program": "p(X) :- q(X).\nq(1).", "goal": "p(a)"}, ["no answer"], lambda d: d["answers"] == [] and d["complete"]),
    ("run", {"program": "p(X) :- Y is X + 1, Y > 0.", "goal": "p(X)"}, ["error"], lambda d: d["error"]["term"]["functor"] == "error"),
    ("run", {"program": ":- table p/1.\np(X) :- p(Y), X is Y.\np(1).", "goal": "p(X)"}, ["X = 1"], lambda d: d["complete"]),
    ("run", {"program": "p :- p.", "goal": "p", "seconds": 0.5}, ["the limit on seconds"], lambda d: d["limit"] == "seconds"),
    ("run", {"program": "p(\"ţ\", 'a b').", "goal": "p(X, Y)"}, ["ţ"], lambda d: d["answers"][0]["bindings"] == {"X": "ţ", "Y": "a b"}),
    ("diagnose", {"program": "a.\nb.\n:- a."}, ["cannot hold together", "<string>:3:1", "take away this"], lambda d: d["verdict"] == "impossible" and len(d["clashes"]) == 1),
    ("diagnose", {"program": "p(1..2). { q(X) : p(X) } = 1."}, ["2 answer sets"], lambda d: d["verdict"] == "ambiguous"),
    ("diagnose", {"program": FAMILY, "goal": "ancestor(ann, X)"}, ["ancestor(ann, X): no answer"], lambda d: d["verdict"] == "impossible"),
    ("diagnose", {"program": "p(X) :- p(X).", "goal": "p(1)", "seconds": 2}, ["p/1"], lambda d: d["loop"]),
    ("why", {"program": "a. b :- a. c :- b, not d.", "atom": "c"}, ["c is in every answer set"], lambda d: d["status"] == "every" and d["lint"] == []),
    ("why", {"program": ROTA, "atom": "works(bob,2)", "absent": True}, ["off(bob,2)"], lambda d: d["status"] == "no"),
    ("lint", {"program": "edge(1,2). node(X) :- egde(X,Y)."}, ["did you mean edge?"], lambda d: any(one["suggestion"] for one in d["findings"])),
    ("lint", {"program": "p([H|T]) :- foo(H), p(T).\np([]).\n", "language": "prolog"}, ["foo/1"], lambda d: d["findings"][0]["id"].startswith("PL")),
    ("profile", {"program": "p(1..60). q(X,Y) :- p(X), p(Y), X < Y."}, ["ground rules"], lambda d: d["cause"]["place"]["line"] == 1),
    ("profile", {"program": FAMILY, "goal": "ancestor(X, Y)"}, ["an untrusted Prolog program is not profiled", "error"], lambda d: d["error"]["kind"] == "unsupported"),
    ("debug", {"program": REACHED, "facts": "e(1,2). e(2,3).", "unwanted": ["r(2,1)"]}, ["<string>:2:1", "+"], lambda d: d["suspects"][0]["place"]["line"] == 2),
    ("debug", {"program": "{ a; b }.", "against": "{ a; b } = 1."}, ["+{ a; b } = 1."], lambda d: d["right"] is False),
    ("test", {"program": "{ a; b }.\n\n%! test one: models 2\n"}, ["expected models 2", "+{ a; b } = 1.", "1 failed"], lambda d: d["tests"][0]["status"] == "failed"),
    ("compare", {"program": "{a}.", "other": "{a} 1.", "show": "a/0"}, ["the same answers"], lambda d: d["agree"]),
    ("compare", {"program": "{a}.", "other": "a.", "show": "a/0"}, ["the empty answer"], lambda d: not d["agree"]),
    # Programs that are kept: by name, with a hash, changed for one call and for good.
    ("register", {"name": "rota", "program": ROTA}, ["rota@"], lambda d: d["programs"] == {"rota": d["hash"]} and d["lines"] == 3),
    ("run", {"program": "rota", "answers": 9}, ["these are all"], lambda d: len(d["models"]) == 2),
    ("run", {"program": "rota", "answers": 9, "edits": [{"old": " off(bob,2).", "new": ""}]}, ["answer 4"], lambda d: len(d["models"]) == 4),
    ("run", {"program": ["rota", "off(ann,2)."]}, ["no answer"], lambda d: d["satisfiable"] is False),
    ("compare", {"program": "rota", "other": "rota", "show": "works/2", "edits": [{"old": " off(bob,2).", "new": ""}]}, ["works(bob,2)"], lambda d: not d["agree"]),
    ("register", {"name": "rota", "program": "rota", "edits": [{"old": "", "new": "off(ann,1)."}]}, ["rota@"], lambda d: d["lines"] == 4),
    ("run", {"program": "rota@0123456789ab"}, ["rota has changed: it is rota@", "error"], lambda d: d["error"]["kind"] == "input"),
    ("run", {"program": "rota", "edits": [{"old": "works", "new": "w"}]}, ["stands 2 times", "error"], lambda d: d["error"]["hint"]),
    ("run", {"program": "other"}, ["no program is kept as other", "rota", "error"], lambda d: d["error"]["kind"] == "input"),
    ("register", {"name": "é", "program": "a."}, ["is not a name", "error"], lambda d: d["error"]["kind"] == "input"),
    # Arguments that a tool does not have.
    ("run", {"programm": "a."}, ["program is missing", "error"], lambda d: d["error"]["kind"] == "usage"),
    ("run", {"program": "a.", "answers": 0}, ["answers is between 1 and 100", "error"], lambda d: d["error"]["kind"] == "usage"),
    ("run", {"program": "a.", "goal": 3}, ["of type string", "error"], lambda d: d["error"]["kind"] == "usage"),
    ("why", {"program": FAMILY, "goal": "ancestor(tom, ann)"}, ["untrusted", "error"], lambda d: d["error"]["kind"] == "unsupported"),
]  # fmt: skip


def _client(*words: str) -> Any:
    # Here: it takes longer to import than all of the bridge.
    from mcp import Client, StdioServerParameters, stdio_client

    return Client(stdio_client(StdioServerParameters(command=sys.executable, args=["-m", "bridge", "mcp", *words])))


def test_problems_from_end_to_end() -> None:
    async def asked() -> list[Any]:
        async with _client() as client:
            tools = (await client.list_tools()).tools
            assert {tool.name for tool in tools} == {name for name, *_ in PROBLEMS}
            assert [tool.name for tool in tools if not tool.annotations.read_only_hint] == ["register"]
            return [await client.call_tool(name, given) for name, given, *_ in PROBLEMS]

    failed = Draft202012Validator(schema((Failed,)))
    for (name, given, wanted, holds), found in zip(PROBLEMS, asyncio.run(asked()), strict=True):
        text, data = found.content[0].text, found.structured_content
        assert bool(found.is_error) == ("error" in wanted), (name, given, text)
        assert all(word in text for word in wanted if word != "error"), (name, given, text)
        assert holds(data), (name, given, data)
        assert len(text) <= LENGTH + 100
        assert not found.is_error or failed.is_valid(data), data


def test_what_is_hostile_harms_only_its_own_call() -> None:
    many = ". ".join(f"p{n}(X)" for n in range(3000)) + "."
    calls: list[tuple[str, dict[str, Any], str]] = [
        ("run", {"program": "p(1..200000)."}, "and at most"),
        ("run", {"program": many}, "is unsafe"),
        ("run", {"program": "a.\0b."}, ""),
        ("run", {"program": "x" * 200_000 + "(."}, ""),
        ("run", {"program": ["a."] * 500}, "answer 1: a"),
        ("run", {"program": "p :- halt.", "goal": "p"}, ""),
        ("run", {"program": ":- initialization(halt).\np.", "goal": "p"}, ""),
        ("run", {"program": "p :- shell('echo harm').", "goal": "p"}, ""),
        ("run", {"program": "p(X) :- length(X, 3000000), p(X, 1).", "goal": "p(X)", "seconds": 1}, ""),
        ("run", {"program": "l(N) :- N1 is N + 1, l(N1).", "goal": "l(0)", "seconds": 1}, "limit"),
        ("diagnose", {"program": "q(X) :- q(Y), X = Y + 1. q(0). :- q(5).", "seconds": 1}, ""),
        ("register", {"name": "x", "program": "a.", "edits": [{"old": "b", "new": "c"}]}, "stands 0 times"),
        ("register", {"name": "x", "program": "../../etc/passwd.lp"}, "names no program in the folder"),
        ("run", {"program": "{ a(1..30) }. :- #count { X : a(X) } != 15.", "answers": 100}, "there may be more"),
    ]

    async def asked() -> list[str]:
        async with _client() as client:
            await client.list_tools()
            waiting = asyncio.create_task(client.call_tool("run", {"program": "p(0). p(X+1) :- p(X).", "seconds": 120}))
            await asyncio.sleep(0)
            found = await asyncio.gather(*(client.call_tool(name, given) for name, given, _ in calls))
            waiting.cancel()  # the client says so, and the server goes on
            assert "answer 1: a" in (await client.call_tool("run", {"program": "a."})).content[0].text
            return [one.content[0].text for one in found]

    for (_, given, wanted), text in zip(calls, asyncio.run(asked()), strict=True):
        assert wanted in text, (given, text)
        assert "a bug in lpbridge" not in text, (given, text)
        assert len(text) <= LENGTH + 100


def test_half_a_surrogate_pair_is_an_error_that_can_be_written() -> None:
    for given in ({"program": 'p("\ud800").'}, {"program": "p('\ud800').", "goal": "p(X)"}, {"program": "\ud800"}, {"\ud800": 1}):
        found = Server(".", BytesIO(), BytesIO()).call("run", given)
        assert found["isError"], found
        assert json.loads(dumps(found)) == found


def _spoken(*lines: bytes) -> list[dict[str, Any]]:
    written = BytesIO()
    Server(".", BytesIO(b"\n".join(lines)), written).run()
    return [json.loads(line) for line in written.getvalue().splitlines()]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"{", -32700),
        (b"\xff\xfe", -32700),
        (b"[" * 100_000, -32700),
        (b"[]", -32600),
        (b"3", -32600),
        (b'{"id": 1}', -32600),
        (b'{"id": [1], "method": "ping"}', -32600),
        (b'{"id": true, "method": "ping"}', -32600),
        (b'{"id": 1, "method": "ping", "params": [1]}', -32600),
        (b'{"id": 1, "method": "tools/harm"}', -32601),
        (b'{"id": 1, "method": "tools/call", "params": {"name": "harm"}}', -32602),
        (b'{"id": 1, "method": "tools/call", "params": {"name": ["run"]}}', -32602),
        (b'{"a": "' + b"a" * MESSAGE + b'"}', -32600),
    ],
)
def test_what_is_no_request_has_an_error_and_the_next_an_answer(line: bytes, code: int) -> None:
    first, second = _spoken(line, b'{"jsonrpc": "2.0", "id": 2, "method": "ping"}')
    assert first["error"]["code"] == code
    assert second == {"jsonrpc": "2.0", "id": 2, "result": {}}


def test_what_is_said_without_a_question_has_no_answer() -> None:
    assert not _spoken(
        b'{"jsonrpc": "2.0", "method": "notifications/initialized"}',
        b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": {}}}',
        b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}}',
        b'{"jsonrpc": "2.0", "id": 4, "result": {}}',
        b"",
    )


@pytest.mark.parametrize(("asked", "given"), [("2025-06-18", "2025-06-18"), ("1999-01-01", "2025-11-25"), ([], "2025-11-25")])
def test_the_version_is_one_that_the_server_speaks(asked: Any, given: str) -> None:
    hello = {"jsonrpc": "2.0", "id": "a", "method": "initialize", "params": {"protocolVersion": asked}}
    (answer,) = _spoken(json.dumps(hello).encode())
    assert answer["result"]["protocolVersion"] == given


def test_a_call_that_runs_ends_with_its_client() -> None:
    call = {"name": "run", "arguments": {"program": "p(0). p(X+1) :- p(X).", "seconds": 120}}
    assert not _spoken(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}).encode())


def test_schemas_are_schemas_and_say_what_the_arguments_may_be() -> None:
    assert {tool["name"] for tool in inputs()} - {"register"} <= FORMS.keys()
    for tool in listing():
        for name in ("inputSchema", "outputSchema"):
            Draft202012Validator.check_schema(tool[name])
            assert tool[name]["type"] == "object"
    run = next(tool for tool in inputs() if tool["name"] == "run")["inputSchema"]
    held = Draft202012Validator(run)
    values: list[Any] = [
        {"program": "a."}, {"program": ["a.", "b."]}, {"program": []}, {"program": [1]}, {"program": None}, {}, [], 3, None,
        *({"program": "a.", name: value} for name in run["properties"] for value in (None, True, 0, 1, 1.5, 120, 121, "a", [], {}, {"n": 1}, {"n": True}, {"n": []})),
        {"program": "a.", "edits": [{"old": "a"}]}, {"program": "a.", "edits": [{"old": "a", "new": "b"}]}, {"program": "a.", "edits": [{"old": "a", "new": "b", "c": 1}]},
    ]  # fmt: skip
    for value in values:
        assert (misfit(value, run) is None) == held.is_valid(value), value


def test_a_start_loads_no_solver_and_no_protocol_of_others() -> None:
    words = "import sys, bridge.integrations.mcp_server; print(*sorted({one.partition('.')[0] for one in sys.modules}))"
    loaded = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True).stdout.split()
    assert not {"clingo", "janus_swi", "mcp", "pydantic", "asyncio", "jsonschema"} & set(loaded)


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
