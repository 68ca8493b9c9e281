"""What Landlock is asked for, by its version. Whether the kernel does it, the attacks of `torture` show."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest

from bridge.isolation import landlock

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Landlock is Linux's own")


class Kernel:
    """A kernel with this version, that refuses some of the three calls."""

    def __init__(self, version: int, *refused: int) -> None:
        self.version, self.refused = version, refused
        self.words, self.rules, self.restricted = list[int](), list[tuple[int, str]](), list[tuple[int, int]]()
        self.set = -1

    def syscall(self, number: int, *arguments: Any) -> int:
        if number == 444 and arguments == (None, 0, 1):
            return self.version
        if number in self.refused:
            return -1
        if number == 444:
            attributes, size, flags = arguments
            assert (size, flags) == (8 * len(attributes._obj), 0)
            self.words = list(attributes._obj)
            self.set = os.open(os.devnull, os.O_RDONLY)
            return self.set
        if number == 445:
            rules, kind, rule, flags = arguments
            assert (rules, kind, flags, len(rule)) == (self.set, 1, 0, 12)
            path = os.readlink(f"/proc/self/fd/{int.from_bytes(rule[8:], sys.byteorder)}")
            self.rules.append((int.from_bytes(rule[:8], sys.byteorder), path))
            return 0
        assert number == 446
        self.restricted.append(arguments)
        return 0


def restricted(kernel: Kernel, monkeypatch: pytest.MonkeyPatch, *readable: str) -> str | None:
    monkeypatch.setattr(landlock, "libc", lambda: kernel)
    before = len(os.listdir("/proc/self/fd"))
    why = landlock.restrict(readable)
    assert len(os.listdir("/proc/self/fd")) == before
    return why


FILES = 2**13 - 1


@pytest.mark.parametrize(
    ("version", "words"),
    [
        (1, [FILES]),
        (2, [2 * FILES + 1]),
        (3, [4 * FILES + 3]),
        (4, [4 * FILES + 3, 3]),
        (5, [8 * FILES + 7, 3]),
        (6, [8 * FILES + 7, 3, 3]),
        (7, [8 * FILES + 7, 3, 3]),
    ],
)
def test_all_that_a_version_can_take_away(version: int, words: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = Kernel(version)
    assert restricted(kernel, monkeypatch) is None
    assert kernel.words == words
    assert kernel.restricted == [(kernel.set, 0)]
    assert landlock.version() == version


def test_what_stays_readable(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "a.lp"
    file.touch()
    kernel = Kernel(4)
    assert restricted(kernel, monkeypatch, str(tmp_path / "none"), str(file), str(tmp_path)) is None
    assert kernel.rules == [(4, str(file)), (13, str(tmp_path))]  # to read; of a folder to execute and list, too


@pytest.mark.parametrize(("version", "refused"), [(0, 0), (-1, 0), (4, 444), (4, 446)])
def test_it_is_said_when_there_is_none(version: int, refused: int, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = Kernel(version, refused)
    why = restricted(kernel, monkeypatch)
    assert why is not None
    assert ("the kernel refuses it" in why) == bool(refused)
    assert ("the kernel has none" in why) == (landlock.version() == 0)
    assert not kernel.restricted


def test_elsewhere_than_on_linux(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert landlock.version() == 0
    assert landlock.restrict([]) == "it is Linux's own"
