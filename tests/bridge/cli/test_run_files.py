"""What `lpbridge run` is given: files of any name, standard input, and files that change."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command import called
from patience import PATIENCE


def run(folder: Path, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return called("run", *arguments, stdin=stdin, folder=folder)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("choice.lp4", "choice.txt", "choice"):
        (tmp_path / name).write_text("{ a } = 1.")
    for name in ("list.pro", "list.txt", "list"):
        (tmp_path / name).write_text("l([1, 2]).")
    (tmp_path / "facts.txt").write_text("p(1). p(2).")
    return tmp_path


@pytest.mark.parametrize("name", ["choice.lp4", "choice.txt", "choice"])
def test_clingo_by_suffix_or_content(folder: Path, name: str) -> None:
    assert run(folder, name, "--count").stdout == "1 model\n"


@pytest.mark.parametrize("name", ["list.pro", "list.txt", "list"])
def test_prolog_by_suffix_or_content(folder: Path, name: str) -> None:
    assert run(folder, name, "-g", "l(X)").stdout.startswith("X = [1, 2]")


def test_a_file_that_could_be_either(folder: Path) -> None:
    told = run(folder, "facts.txt")
    assert told.returncode == 2
    assert "--language clingo or --language prolog" in told.stderr
    assert run(folder, "facts.txt", "--language", "clingo").stdout == "model 1\np(1) p(2)\n1 model; the search is complete\n"
    assert run(folder, "facts.txt", "--language", "prolog", "-g", "p(X)", "-n", "0").stdout.startswith("X = 1.\nX = 2.\n")
    # It goes with the others.
    assert "p(1) p(2)" in run(folder, "choice.lp4", "facts.txt").stdout
    assert run(folder, "facts.txt", "list.pro", "-g", "p(X), l(L)").stdout.startswith("X = 1,\nL = [1, 2]")


def test_two_languages(folder: Path) -> None:
    for files in (["choice.lp4", "list.pro"], ["list", "choice.txt"]):
        told = run(folder, *files)
        assert told.returncode == 2
        assert "for clingo and for Prolog" in told.stderr
        assert all(file in told.stderr for file in files)


@pytest.mark.parametrize("name", ["missing.lp", "missing.lp4", "missing.pro", "missing", "missing.txt"])
def test_a_missing_file_is_a_path(folder: Path, name: str) -> None:
    told = json.loads(run(folder, name, "--json").stdout)
    assert told["error"]["message"] == "no such file"
    assert told["error"]["where"] == name


def test_standard_input(folder: Path) -> None:
    assert "model 1\na" in run(folder, "-", stdin="a.").stdout
    assert run(folder, "-", "-g", "p(X)", stdin="p(1).").stdout.startswith("X = 1.")
    assert run(folder, "-", stdin=":- initialization(main).\nmain :- writeln([hello]).").stderr == ""
    assert run(folder, "choice.lp4", "-", "facts.txt", "--count", stdin="{ b }.").stdout == "2 models\n"
    assert run(folder, "-", "list.pro", "-g", "q(X)", stdin="q(X) :- l([_, X]).").stdout.startswith("X = 2.")
    told = run(folder, "list.pro", "-", stdin="{ b }.")
    assert (told.returncode, "<stdin> is for clingo" in told.stderr) == (2, True)
    assert run(folder, "-", stdin="no.lp").returncode == 2  # text, whatever is in it


class Watching:
    """`lpbridge run --watch` in a process of its own."""

    def __init__(self, folder: Path, *arguments: str, stdin: str = "") -> None:
        command = [sys.executable, "-m", "bridge", "run", *arguments, "--watch"]
        pipe: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        self.process = subprocess.Popen(command, cwd=folder, **pipe)
        self._read = b""

    def until(self, text: str) -> str:
        """What is printed up to and with this text."""
        assert self.process.stdout is not None
        while text.encode() not in self._read:
            assert select.select([self.process.stdout], [], [], PATIENCE)[0], self._read
            more = os.read(self.process.stdout.fileno(), 4096)
            assert more, self._read
            self._read += more
        before, _, self._read = self._read.partition(text.encode())
        return before.decode() + text

    def end(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(PATIENCE)


def test_watch(tmp_path: Path) -> None:
    (tmp_path / "main.lp").write_text('#include "part.lp". a.')
    (tmp_path / "part.lp").write_text("b.")
    watching = Watching(tmp_path, "main.lp")
    try:
        assert "model 1\n" in watching.until("watching 2 files; Ctrl-C ends it")
        (tmp_path / "part.lp").write_text("b. c.")
        assert "part.lp\nmodel 1\n" in (told := watching.until("Ctrl-C ends it"))
        assert "c" in told.split("model 1")[1]
        (tmp_path / "main.lp").write_text("wrong")
        assert "syntax error" in watching.until("watching 1 file; Ctrl-C ends it")
        (tmp_path / "new").write_text("mended.")
        os.replace(tmp_path / "new", tmp_path / "main.lp")
        assert "mended" in watching.until("Ctrl-C ends it")
        assert watching.end() == 130
    finally:
        watching.process.kill()


def test_watch_of_prolog(tmp_path: Path) -> None:
    (tmp_path / "main.pl").write_text(":- use_module(part).\np(X) :- q(X).")
    (tmp_path / "part.pl").write_text(":- module(part, [q/1]).\nq(1).")
    watching = Watching(tmp_path, "main.pl", "-g", "p(X)")
    try:
        assert "X = 1." in watching.until("watching 2 files; Ctrl-C ends it")
        (tmp_path / "part.pl").write_text(":- module(part, [q/1]).\nq(23).")
        assert "X = 23." in watching.until("Ctrl-C ends it")
        assert watching.end() == 130
    finally:
        watching.process.kill()


def test_watch_ends_a_run(tmp_path: Path) -> None:
    (tmp_path / "spin.pl").write_text("spin :- writeln(spinning), repeat, fail.")
    watching = Watching(tmp_path, "spin.pl", "-g", "spin")
    try:
        watching.until("spinning")
        assert watching.end() == 130
    finally:
        watching.process.kill()


def test_watch_refuses(folder: Path) -> None:
    assert "leave --json" in run(folder, "choice.lp4", "--watch", "--json").stdout
    assert "a file to watch" in run(folder, "-", "--watch", stdin="a.").stderr
