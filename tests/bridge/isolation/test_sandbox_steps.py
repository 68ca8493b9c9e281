"""What each step of the sandbox asks the operating system for, and what it says of the answer.

Whether the walls hold, the attacks of `torture` show.
"""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import bridge
from bridge.isolation import landlock, sandbox, seccomp
from bridge.isolation.wall import Wall


class Libc:
    """Records system calls; `capset` gives one result after the other."""

    def __init__(self, *results: int) -> None:
        self.calls, self.results = list[tuple[Any, ...]](), list(results)

    def prctl(self, *arguments: int) -> int:
        self.calls.append(arguments)
        return 0

    def capset(self, header: bytes, data: bytes) -> int:
        words = memoryview(data).cast("I").tolist()
        self.calls.append((memoryview(header).cast("I").tolist(), words))
        return self.results.pop(0)


def in_child(of: Callable[[int], Any]) -> Any:
    """What a function of the file to which it is written gives in a fork of this process."""
    end, begin = os.pipe()
    child = os.fork()
    if child == 0:
        with suppress(BaseException):
            os.write(begin, json.dumps(of(begin)).encode())
        os._exit(0)
    os.close(begin)
    with open(end, "rb") as file:
        data = file.read()
    os.waitpid(child, 0)
    return json.loads(data)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What is asked of the parts that are tested elsewhere, and what they say; the process stays as it is."""
    found: dict[str, Any] = {"libc": Libc(0), "why": None, "refused": [], "limits": [], "others": [], "emptied": 0}

    def limit(**limits: int) -> list[str]:
        found["limits"].append(limits)
        return list(found["refused"])

    def restrict(readable: Iterable[str]) -> Any:
        found["readable"] = [*readable]
        return found["why"]

    def empty() -> None:
        found["emptied"] += 1

    monkeypatch.setattr(sandbox, "libc", lambda: found["libc"])
    monkeypatch.setattr(sandbox, "limit", limit)
    monkeypatch.setattr(sandbox, "_LINUX", True)
    monkeypatch.setattr(landlock, "restrict", restrict)
    monkeypatch.setattr(landlock, "version", lambda: 4)
    monkeypatch.setattr(seccomp, "install", lambda: found["why"])
    monkeypatch.setattr(sandbox, "_close_others", found["others"].append)
    monkeypatch.setattr(sandbox, "_empty_folder", empty)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    return found


def test_the_first_step(asked: dict[str, Any]) -> None:
    assert sandbox.confine(["a.lp"], [7, 8]) == [
        Wall("Landlock", True, "version 4"), Wall("resource limits", True), Wall("no capabilities", True),
    ]  # fmt: skip
    assert asked["libc"].calls == [([0x20080522, 0], [0] * 6), (38, 1, 0, 0, 0)]
    assert asked["limits"] == [{"CORE": 0, "FSIZE": 0, "NOFILE": 64, "MEMLOCK": 0, "MSGQUEUE": 0}]
    assert asked["readable"] == [*sandbox._libraries(), "a.lp"]
    assert asked["others"] == [{0, 1, 2, 7, 8}]
    assert asked["emptied"] == 1


def test_what_the_system_refuses_is_said(asked: dict[str, Any]) -> None:
    asked.update(why="it is switched off", refused=["CORE", "FSIZE"], libc=Libc(-1, -1))
    assert sandbox.confine([], [], in_folder=True) == [
        Wall("Landlock", False, "it is switched off"),
        Wall("resource limits", False, "the system refuses CORE, FSIZE"),
        Wall("no capabilities", False, "the system refuses to drop them"),
    ]
    assert asked["emptied"] == 0


def test_which_system_this_is() -> None:
    assert (platform.system() == "Linux") == sandbox._LINUX


def test_elsewhere_than_on_linux(asked: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "_LINUX", False)
    assert sandbox.confine([], [])[2] == Wall("no capabilities", False, "they are Linux's own")
    assert asked["libc"].calls == []


def test_the_second_step(asked: dict[str, Any]) -> None:
    assert sandbox.seal() == [Wall("seccomp", True)]
    assert asked["limits"] == [{"NPROC": 0}]
    asked["why"] = "the kernel has none"
    assert sandbox.seal() == [Wall("seccomp", False, "the kernel has none")]


KEPT, NONE = [4, 4, 0, 0, 0, 0], [0] * 6


@pytest.mark.parametrize(
    ("user", "results", "wall", "words"),
    [
        (0, [0], Wall("no capabilities", True, "but to read any file: the caller is root"), [KEPT]),
        (0, [-1, 0], Wall("no capabilities", True), [KEPT, NONE]),
        (0, [-1, -1], Wall("no capabilities", False, "the system refuses to drop them"), [KEPT, NONE]),
        (1000, [0], Wall("no capabilities", True), [NONE]),
    ],
)
def test_rights(
    asked: dict[str, Any], monkeypatch: pytest.MonkeyPatch, user: int, results: list[int], wall: Wall, words: list[Any]
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: user)
    asked["libc"] = Libc(*results)
    assert sandbox._drop_capabilities() == wall
    assert [given for _, given in asked["libc"].calls] == words


def test_a_library_without_capset(asked: dict[str, Any]) -> None:
    asked["libc"] = object()
    assert not sandbox._drop_capabilities().up


def test_what_solvers_read() -> None:
    found = sandbox._libraries()
    assert {str(Path(bridge.__file__).parent), sys.prefix, "/dev/null"} <= {*found}
    assert all(map(os.path.exists, found))


def test_a_folder_that_is_empty_and_gone() -> None:
    def folder(pipe: int) -> tuple[list[str], bool, bool]:
        sandbox._empty_folder()
        here = os.readlink("/proc/self/cwd") if os.path.exists("/proc/self/cwd") else ""
        made = True
        try:
            open("file", "w").close()
        except OSError:
            made = False
        return os.listdir(), made, "lpbridge-" in here or not here

    assert in_child(folder) == [[], False, True]


@pytest.mark.parametrize("listed", [True, False])
def test_other_files_are_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, listed: bool) -> None:
    def refuse(path: str) -> list[str]:
        raise OSError

    def opened(pipe: int) -> dict[str, Any]:
        fds = [os.open(tmp_path / str(n), os.O_RDWR | os.O_CREAT) for n in range(3)]
        far = os.dup2(fds[0], 300)
        if not listed:
            monkeypatch.setattr(os, "listdir", refuse)
            monkeypatch.setattr(os, "sysconf", {"SC_OPEN_MAX": 301}.__getitem__)
        before = sum(map(_is_open, range(310)))
        sandbox._close_others({0, 1, 2, fds[1], pipe})
        null = os.stat(os.devnull).st_rdev
        return {
            "away": [os.fstat(fd).st_rdev == null for fd in (*fds, far)],
            "inherited": [os.get_inheritable(fd) for fd in (fds[0], far)],
            "more": sum(map(_is_open, range(310))) - before,
        }

    found = in_child(opened)
    assert found == {"away": [True, False, True, True], "inherited": [False, False], "more": 0}


def _is_open(fd: int) -> bool:
    try:
        os.fstat(fd)
    except OSError:
        return False
    return True
