"""`lpbridge puzzle batch` where something fails: one error, what was done is kept, and `--resume` completes."""

from __future__ import annotations

import gzip
import json
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from batches.many import results, sudokus, write
from command import called
from patience import PATIENCE, until
from shared_data import ROOT


def batch(
    *words: str, before: Callable[[], None] | None = None, out: Any = subprocess.PIPE
) -> subprocess.CompletedProcess[str]:
    """In a process of its own, where its limits or its standard output are others."""
    arguments = ["puzzle", "batch", "check", "sudoku", *words, "--jobs", "1"]
    if before is None and out == subprocess.PIPE:
        return called(*arguments)
    return subprocess.run(
        [sys.executable, "-m", "bridge", *arguments],
        stdout=out,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        timeout=PATIENCE,
        preexec_fn=before,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},  # Python would keep a module that is cut at the limit
    )


def one_line(done: subprocess.CompletedProcess[str], code: int, *said: str) -> None:
    assert done.returncode == code, done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert all(part in done.stderr for part in said), done.stderr


def indexes(path: Path) -> list[int]:
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    assert not text or text.endswith("\n"), "whole lines only"
    return [told["index"] for told in results(text)]


@pytest.fixture(scope="module")
def texts() -> list[str]:
    return sudokus(100)


@pytest.mark.parametrize("name", ["r.jsonl", "r.jsonl.gz"])
def test_no_room_for_the_results(tmp_path: Path, texts: list[str], name: str) -> None:
    path, out = write(tmp_path / "in.txt", texts), tmp_path / name
    room = 20_000 if name.endswith("l") else 2_000

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

    one_line(
        batch(str(path), "-o", str(out), before=limited), 1, f"{out}: cannot be written: File too large", "--resume"
    )
    kept = indexes(out)
    assert 0 < len(kept) < len(texts)
    one_line(batch(str(path), "-o", str(out), "--resume", before=limited), 1, "File too large")
    assert indexes(out)[: len(kept)] == kept
    assert batch(str(path), "-o", str(out), "--resume").returncode == 0
    assert indexes(out) == [*range(1, len(texts) + 1)]
    assert sorted(os.listdir(tmp_path)) == ["in.txt", name, f"{name}.run"]


def test_no_room_at_all(tmp_path: Path) -> None:
    path, out = write(tmp_path / "in.txt", sudokus(1)), tmp_path / "r.jsonl"

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

    one_line(batch(str(path), "-o", str(out), before=limited), 1, "cannot be written: File too large")
    assert batch(str(path), "-o", str(out)).returncode == 0
    assert indexes(out) == [1]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
def test_a_full_device(tmp_path: Path) -> None:
    path = write(tmp_path / "in.txt", sudokus(2))
    one_line(batch(str(path), "-o", "/dev/full"), 1, "/dev/full: cannot be written: No space left on device")
    assert not os.path.exists("/dev/full.run")
    with open("/dev/full", "w") as full:
        one_line(batch(str(path), out=full), 1, "standard output cannot be written: No space left on device")
    assert results(batch(str(path), "-o", "/dev/stdout").stdout)[1]["index"] == 2
    one_line(batch(str(path), "-o", "/dev/null", "--resume"), 2, "cannot be resumed")


@pytest.mark.parametrize("what", ["file", "folder"])
def test_results_that_are_removed_while_they_are_written(tmp_path: Path, texts: list[str], what: str) -> None:
    path, folder = write(tmp_path / "in.txt", texts), tmp_path / "results"
    folder.mkdir()
    out = folder / "r.jsonl"
    source = tmp_path / "pipe"
    os.mkfifo(source)
    command = [sys.executable, "-m", "bridge", "puzzle", "batch", "check", "sudoku", str(source), "-o", str(out), "--jobs", "1"]
    run = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True)
    with open(source, "wb") as pipe:  # it is fed by hand, so that it is not done too soon
        half = path.read_bytes()
        pipe.write(half * 20)
        pipe.flush()
        until(lambda: run.poll() is not None or (out.exists() and out.stat().st_size))
        if what == "file":
            out.unlink()
        else:
            shutil.rmtree(folder)
        pipe.write(half)
    _, said = run.communicate(timeout=PATIENCE)
    one_line(subprocess.CompletedProcess(command, run.returncode, "", said), 1, f"{out}: it was removed while")
    if what == "folder":
        one_line(batch(str(path), "-o", str(out), "--resume"), 2, "is there such a folder?")
        folder.mkdir()
    assert batch(str(path), "-o", str(out), "--resume").returncode == 0
    assert indexes(out) == [*range(1, len(texts) + 1)]


@pytest.mark.parametrize("damage", ["cut", "flipped", "cut head"])
def test_a_damaged_input(tmp_path: Path, texts: list[str], damage: str) -> None:
    path, out = tmp_path / "in.txt.gz", tmp_path / "r.jsonl"
    other = write(tmp_path / "other.txt", texts[:3])
    whole = gzip.compress("".join(f"{text}\n" for text in texts).encode())
    broken = {"cut": whole[: len(whole) // 2], "flipped": whole[:-8] + b"\0" * 8, "cut head": whole[:15]}[damage]
    path.write_bytes(broken)
    words = [str(path), str(other), "-o", str(out)]
    one_line(batch(*words), 2, f"{path}: cannot be read", "the packed data are", "--resume")
    kept = indexes(out)
    assert kept == [*range(1, len(kept) + 1)]
    assert len(kept) == {"cut": len(kept), "flipped": len(texts), "cut head": 0}[damage]
    assert damage != "cut" or 0 < len(kept) < len(texts)
    one_line(batch(*words, "--resume"), 2, "the packed data are")  # it is damaged as before
    path.write_bytes(gzip.compress("".join(f"{text}\n" for text in texts[::-1]).encode()))
    if kept:
        one_line(batch(*words, "--resume"), 2, "results of another run: input was")
    path.write_bytes(gzip.compress("".join(f"{text}\n" for text in texts).encode(), 1))  # packed in another way
    assert batch(*words, "--resume").returncode == 0
    found = results(out.read_text())
    assert [told["index"] for told in found] == [*range(1, len(texts) + 4)]
    assert {told["verdict"] for told in found} == {"unique"}
    assert [told["file"] for told in found] == [str(path)] * len(texts) + [str(other)] * 3
    assert "readable" not in (tmp_path / "r.jsonl.run").read_text()


def test_what_stands_beside_the_results_is_wrong(tmp_path: Path) -> None:
    path, out = write(tmp_path / "in.txt", sudokus(2)), tmp_path / "r.jsonl"
    assert batch(str(path), "-o", str(out)).returncode == 0
    beside = tmp_path / "r.jsonl.run"
    told = json.loads(beside.read_text())
    for text in ("[]", "null", "{", "[" * 100_000, "\xff"):
        beside.write_text(text, encoding="latin-1")
        one_line(batch(str(path), "-o", str(out), "--resume"), 2, "begin anew")
    for wrong in ({**told, "input": 3}, {**told, "input": [{**told["input"][0], "head": "", "readable": 7}]}):
        beside.write_text(json.dumps(wrong))
        one_line(batch(str(path), "-o", str(out), "--resume"), 2, "results of another run: input was")
    beside.write_text(json.dumps(told))
    assert batch(str(path), "-o", str(out), "--resume").returncode == 0


def test_results_whose_last_line_is_cut(tmp_path: Path) -> None:
    path, out = write(tmp_path / "in.txt", sudokus(5)), tmp_path / "r.jsonl"
    assert batch(str(path), "-o", str(out)).returncode == 0
    whole = out.read_bytes()
    for cut in (1, 700, len(whole)):
        out.write_bytes(whole[:-cut])
        assert batch(str(path), "-o", str(out), "--resume").returncode == 0
        assert indexes(out) == [1, 2, 3, 4, 5]


def test_names_and_texts_that_are_no_unicode(tmp_path: Path) -> None:
    """They are escaped: every line is JSON in UTF-8."""
    name = os.fsdecode(os.fsencode(tmp_path) + b"/\xff.txt")
    with open(name, "w") as file:
        file.write("." * 80 + "\n")
    lines = tmp_path / "in.jsonl"
    lines.write_text('{"puzzle": "\\ud800"}\n{"puzzle": "sudoku", "grid": [["\\ud800"]]}\n')
    out = tmp_path / "r.jsonl"
    done = batch(name, str(lines), "-o", str(out))
    assert (done.returncode, done.stderr) == (0, "")
    found = [json.loads(line) for line in out.read_bytes().decode("utf-8").splitlines()]
    assert [told["index"] for told in found] == [1, 2, 3]
    assert found[0]["file"] == name
    assert {told["error"]["kind"] for told in found} == {"input"}
    assert batch(name, str(lines), "-o", str(out), "--resume").returncode == 0
