"""Doors that take a program from somebody else: they read programs of the folder that was named, and show no other file."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

import bridge
from bridge.common.files import inside
from bridge.errors import BridgeError, InputError
from bridge.integrations.mcp_server import Server

#: It stands in a file that must not be read: as a program it is a syntax error, which errors would quote.
SECRET = "s3cret"

#: The files that were opened by this process.
_opened: list[str] = []


def _note(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "open" and _opened and isinstance(arguments[0], str | bytes):
        _opened.append(os.path.realpath(os.fsdecode(arguments[0])))


sys.addaudithook(_note)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder of programs, beside files that are nobody's business, and links to them."""
    found = tmp_path / "programs"
    (found / "deep").mkdir(parents=True)
    for name in ("secret.lp", "secret.pl", "secret.txt", "programs.lp"):
        (tmp_path / name).write_text(f"{SECRET} {SECRET} :- ).\n")
    (found / "notes.txt").write_text(f"{SECRET} {SECRET} ).\n")
    (found / "linked.lp").symlink_to(tmp_path / "secret.lp")
    (found / "away").symlink_to(tmp_path)
    (found / "notes.lp").symlink_to(found / "notes.txt")
    (found / "deep" / "mine.lp").write_text("{ a; b } = 1.\n")
    (found / "mine.pl").write_text("p(1).\n")
    _opened.append("")
    yield found
    read = {*_opened}
    _opened.clear()
    assert not read & {os.path.realpath(one) for one in [*tmp_path.iterdir(), found / "notes.txt"]}


def _paths(folder: Path) -> list[str]:
    secret = folder.parent / "secret.lp"
    return [
        str(secret), "../secret.lp", "./../secret.lp", "deep/../../secret.lp", "linked.lp", "away/secret.lp", "notes.lp",
        "notes.txt", "./notes.txt", str(folder), "../programs.lp", f"{folder}/../secret.lp", "/etc/passwd", "/proc/self/environ",
        "/dev/zero", "../nosuch.lp", "x\0.lp", "../secret.pl",
    ]  # fmt: skip


def test_a_path_is_that_of_a_program_in_the_folder(folder: Path) -> None:
    assert inside(folder, "deep/mine.lp") == inside(folder, str(folder / "deep" / "mine.lp")) == str(folder / "deep/mine.lp")
    refused = set()
    for path in _paths(folder):
        with pytest.raises(InputError) as error:
            inside(folder, path)
        refused.add(error.value.message.rpartition(" names ")[2])
    assert len(refused) == 1  # whether there is such a file is not said
    assert inside("/", "/nosuch.lp") == "/nosuch.lp"


def _asked(folder: Path, calls: list[tuple[str, dict[str, Any]]], trusted: bool = False) -> list[str]:
    server = Server(str(folder), BytesIO(), BytesIO(), trusted=trusted)
    return [str(server.call(name, given)) for name, given in calls]


#: Each argument of a tool that is a program or facts.
ARGUMENTS: list[tuple[str, str, dict[str, Any]]] = [
    ("run", "program", {}),
    ("run", "program", {"goal": "p(X)"}),
    ("diagnose", "program", {}),
    ("debug", "program", {"unwanted": ["a"]}),
    ("debug", "program", {}),
    ("debug", "against", {"program": "a."}),
    ("debug", "facts", {"program": "a.", "against": "b."}),
    ("why", "program", {"atom": "a"}),
    ("why", "program", {"goal": "p(X)"}),
    ("lint", "program", {}),
    ("lint", "program", {"language": "prolog"}),
    ("profile", "program", {}),
    ("profile", "program", {"goal": "p(X)"}),
    ("register", "program", {"name": "x"}),
    ("run", "program", {"edits": [{"old": "", "new": "a."}]}),
    ("test", "program", {}),
    ("compare", "program", {"other": "a."}),
    ("compare", "other", {"program": "a."}),
    ("compare", "facts", {"program": "a.", "other": "b."}),
    ("compare", "generator", {"program": "a.", "other": "b."}),
]


@pytest.mark.parametrize("trusted", [False, True], ids=["untrusted", "trusted"])
def test_no_tool_reads_another_file(folder: Path, trusted: bool) -> None:
    calls = [
        (tool, {**more, name: [path] if name == "facts" and tool == "compare" else path})
        for tool, name, more in ARGUMENTS
        for path in _paths(folder)
        if path != "notes.txt"  # it is text, and a syntax error
    ]
    for (tool, given), answer in zip(calls, _asked(folder, calls, trusted), strict=True):
        assert "names no program in the folder" in answer, (tool, given, answer)
        assert SECRET not in answer


def test_no_program_of_somebody_else_reads_another_file(folder: Path) -> None:
    for file in (folder.parent / "secret.lp", folder / "linked.lp", folder / "notes.txt"):
        texts = [f'#include "{file}".', f'a.\n#include "{file}".\n%! test one: models 1\n', f'#script (python)\nopen("{file}")\n#end.']
        calls = [(tool, {**more, name: [text] if name == "facts" and tool == "compare" else text})
                 for tool, name, more in ARGUMENTS if "goal" not in more for text in texts]  # fmt: skip
        goals = [f"consult('{file}')", f"open('{file}', read, S), read(S, X)", f"read_term_from_atom('{SECRET}x', X, []), see('{file}')"]
        calls += [("run", {"program": "p(1).", "goal": goal}) for goal in goals]
        directives = [f":- include('{file}').", f":- consult('{file}').", f":- ['{file}'].", f":- load_files('{file}', [])."]
        calls += [(tool, {"program": f"{one}\np(1).\n", "goal": "p(X)"}) for tool in ("run", "diagnose", "debug") for one in directives]
        calls += [("run", {"program": "a.", "constants": {"untrusted": 0, "options": f"--lemma-in={file}"}})]
        for (tool, given), answer in zip(calls, _asked(folder, calls), strict=True):
            assert SECRET not in answer.replace(f"{SECRET}x", ""), (tool, given, answer)


def test_programs_of_the_folder_are_read(folder: Path) -> None:
    calls: list[tuple[str, dict[str, Any]]] = [
        ("run", {"program": "deep/mine.lp"}),
        ("run", {"program": ["deep/mine.lp", ":- a.", str(folder / "deep/mine.lp")]}),
        ("run", {"program": "mine.pl", "goal": "p(X)"}),
        ("compare", {"program": "deep/mine.lp", "other": "{ a; b } = 1."}),
        ("run", {"program": "{ a; b } = 1. #minimize { 2 : a; 1 : b }. x :- nosuch.", "answers": 2}),
        ("run", {"program": "{ a; b } = 1. #minimize { 2 : a; 1 : b }.", "optimal": True}),
        ("run", {"program": "p(X) :- X = limits.", "constants": {"limits": 3}}),
    ]
    one, several, prolog, compared, costs, optimal, constant = _asked(folder, calls)
    assert all(word in one for word in ("these are all", "answer 2"))
    assert "answer 1: b\\nthese are all" in several
    assert "X = 1" in prolog
    assert "the same answers" in compared
    assert all(word in costs for word in ("minimizes", "optimal: true", "nosuch"))
    assert "answer 1 (cost 1, the least): b\\nthese are all" in optimal
    assert "answer 1: p(3)" in constant


def test_an_untrusted_string_is_no_path(folder: Path) -> None:
    path = str(folder / "deep" / "mine.lp")
    makers: list[Any] = [
        lambda: bridge.asp.Program(path, untrusted=True),
        lambda: bridge.AspProblem(path, untrusted=True),
        lambda: bridge.prolog.Session(path, untrusted=True),
        lambda: bridge.PrologProblem([path], "a", untrusted=True),
        lambda: bridge.debug(bridge.program(path, untrusted=True), missing=["a"]),
    ]
    for make in makers:
        with pytest.raises(BridgeError, match="is a name of a file"):
            make()
    assert bridge.count(bridge.AspProblem(Path(path), untrusted=True)).number == 2
