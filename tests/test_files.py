"""Files that are written whole or not at all, and what is said when they cannot be."""

from __future__ import annotations

import errno
import os
import resource
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from shared_data import ROOT

import bridge
from bridge.common.files import check_writable, read_bytes, read_text, standard_input, write_whole
from bridge.common.strict_json import dumps
from bridge.errors import InputError, OutputError
from bridge.puzzles import formats


def test_a_file_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "out"
    write_whole(path, b"one")
    assert path.read_bytes() == b"one"
    path.chmod(0o640)
    link = tmp_path / "link"
    link.symlink_to(path)
    write_whole(link, b"two")
    assert (link.is_symlink(), path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (True, b"two", 0o640)
    assert sorted(os.listdir(tmp_path)) == ["link", "out"]


def test_what_was_there_survives_a_failing_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "out"
    path.write_bytes(b"before")

    def full(number: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OutputError, match="out: cannot be written: No space left on device"):
        write_whole(path, b"after")
    assert (path.read_bytes(), os.listdir(tmp_path)) == (b"before", ["out"])


def test_a_pipe_is_written_in_place(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE) as reader:
        write_whole(pipe, b"hello")
        assert reader.communicate()[0] == b"hello"
    assert pipe.is_fifo()


@pytest.mark.parametrize("do", [lambda path: write_whole(path, b""), check_writable], ids=["write", "check"])
@pytest.mark.parametrize("name", ["", "no/such", "file/below"])
def test_a_wrong_place_is_wrong_input(tmp_path: Path, name: str, do: Callable[[Path], None]) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="cannot be written"):
        do(tmp_path / name)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.touch()
    tmp_path.chmod(0o555)
    try:
        write_whole(path, b"in place")
        assert path.read_bytes() == b"in place"
        with pytest.raises(InputError, match="Permission denied"):
            write_whole(tmp_path / "new", b"")
    finally:
        tmp_path.chmod(0o755)


def test_what_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file; check the path"):
        read_bytes(tmp_path / "nowhere")
    with pytest.raises(InputError, match="this is a folder"):
        read_text(tmp_path)
    (tmp_path / "latin").write_bytes(b"a\xff")
    with pytest.raises(InputError, match="byte 1 is not UTF-8"):
        read_text(tmp_path / "latin")


def limited() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))


@pytest.mark.parametrize(
    "words",
    [
        "puzzle draw sudoku examples/sudoku/report3-problem6.txt -o {}/out.svg",
        "puzzle convert examples/sudoku/report3-problem6.txt {}/out.ipuz -p sudoku",
        "puzzle report 2 -t 0.001 --save {}/out.md",
        "puzzle compare sudoku examples/sudoku/report3-problem6.txt -e asp --plot {}/out.svg",
    ],
)
def test_commands_that_write_a_file(tmp_path: Path, words: str) -> None:
    """On a disk with no room: one line, exit code 1, and what was there is there."""
    name = next(word for word in words.split() if word.startswith("{}")).format(tmp_path)
    Path(name).write_text("before")

    def call(before: Callable[[], None] | None) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "bridge", *words.format(tmp_path).split()]
        # without bytecode: Python would keep a module that is cut at the limit
        env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, preexec_fn=before, env=env)

    if "compare" in words:
        call(None)  # matplotlib writes a cache the first time
        Path(name).write_text("before")
    done = call(limited)
    assert done.returncode == 1, done
    assert done.stderr.splitlines()[-1] == f"lpbridge: {name}: cannot be written: File too large"
    assert "Traceback" not in done.stderr
    assert Path(name).read_text() == "before"
    assert not [found for found in os.listdir(tmp_path) if found.endswith(".new")]


def test_strict_json() -> None:
    assert dumps({"ț": "\udcff", "n": 1.5}) == '{"\\u021b": "\\udcff", "n": 1.5}'
    assert dumps("ț") == '"ț"'
    assert dumps("ț", "latin-1") == '"\\u021b"'
    for number in (float("nan"), float("inf"), -float("inf")):
        with pytest.raises(ValueError, match="JSON"):
            dumps([number])


def test_what_stands_for_standard_input_does_not_replace_it() -> None:
    before = sys.stdin
    with standard_input("ä\n".encode()):
        assert sys.stdin is before
        assert read_text("-") == read_text("-") == "ä\n"
        with standard_input(b"\xff"), pytest.raises(InputError, match=r"<stdin>.*byte 0 is not UTF-8"):
            read_text("-")
        assert read_bytes("-") == "ä\n".encode()


@pytest.mark.parametrize("text", ["." * 81, "12..\n....\n....\n....", '{"grid": [[1]]}', ". " * 5000 + "\n"])
def test_a_text_is_no_path(text: str) -> None:
    for call in (lambda: bridge.puzzles.load("sudoku", text), lambda: list(bridge.puzzles.batch("sudoku", "check", [text]))):
        with pytest.raises(bridge.InputError, match=r"is not a path of a file, but a text; .*`parse\(") as caught:
            call()
        assert len(str(caught.value)) < 250


def test_a_file_that_is_missing_is_no_text() -> None:
    with pytest.raises(bridge.InputError, match="no such file; check the path"):
        bridge.puzzles.load("sudoku", "2026-01-01.txt")


def test_what_has_no_end_is_not_read() -> None:
    for call in (lambda: bridge.puzzles.load("sudoku", "/dev/zero"), lambda: formats.load("/dev/zero", "sdm")):
        with pytest.raises(bridge.InputError, match=r"/dev/zero: more than 67,108,864 bytes; `lpbridge puzzle batch` reads"):
            call()
    with pytest.raises(bridge.InputError, match=r"/dev/zero: more than 1,000 bytes\Z"):
        read_bytes("/dev/zero", 1000)


def test_an_empty_name() -> None:
    with pytest.raises(bridge.InputError, match="an empty name is not a file"):
        bridge.puzzles.load("sudoku", "")
