"""`lpbridge puzzle batch`: killed at any moment and gone on with, what was asked of it is done, once."""

from __future__ import annotations

import gzip
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from batches.many import BAD, results, sudokus, write
from command import called_bytes
from patience import PATIENCE, until
from shared_data import ROOT


def lpbridge(*words: str, stdin: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
    return called_bytes(*words, stdin=stdin)


def unpacked(path: Path) -> bytes:
    data = path.read_bytes()
    return gzip.decompress(data) if path.suffix == ".gz" else data


@pytest.fixture(scope="module")
def texts() -> list[str]:
    found = sudokus(200)
    for place, bad in enumerate(BAD):
        found.insert(17 * (place + 1), bad)
    return found


def test_standard_input_and_output(texts: list[str]) -> None:
    data = "\n".join(texts[:60]).encode()
    done = lpbridge("puzzle", "batch", "check", "sudoku", "-", "--jobs", "1", stdin=gzip.compress(data))
    assert (done.returncode, done.stderr) == (0, b"")
    found = results(done.stdout.decode())
    assert [told["index"] for told in found] == [*range(1, 61)]
    assert {told["file"] for told in found} == {"<stdin>"}
    wrong = [told["error"]["where"] for told in found if "error" in told]
    assert wrong == ["<stdin>:18", "<stdin>:35:1"]


@pytest.mark.parametrize("name", ["r.jsonl", "r.jsonl.gz"])
@pytest.mark.parametrize("order", ["--ordered", "--unordered"])
def test_killed_at_any_moment_and_gone_on_with(tmp_path: Path, texts: list[str], name: str, order: str) -> None:
    path, out = write(tmp_path / "in.txt", texts), tmp_path / name
    words = ["puzzle", "batch", "check", "sudoku", str(path), "-o", str(out), "--jobs", "2", order, "--resume"]
    chance, kills = random.Random(name + order), 0
    for _ in range(2):
        run = subprocess.Popen([sys.executable, "-m", "bridge", *words], cwd=ROOT, stderr=subprocess.PIPE)
        before = out.stat().st_size if out.exists() else 0
        more = chance.randrange(10_000 if name.endswith("l") else 1_000)
        while run.poll() is None and (out.stat().st_size if out.exists() else 0) <= before + more:
            time.sleep(0.001)
        run.kill()
        run.communicate()
        kills += run.returncode == -signal.SIGKILL
    assert kills
    done = lpbridge(*words)
    assert (done.returncode, done.stderr) == (0, b"")
    found = results(unpacked(out).decode())
    indexes = [told["index"] for told in found]
    assert sorted(indexes) == [*range(1, len(texts) + 1)]
    assert order == "--unordered" or indexes == sorted(indexes)
    for told in found:
        text = texts[told["index"] - 1]
        assert told.get("verdict") == BAD.get(text, "unique")
        assert told["line"] == told["index"]
        if text not in BAD:
            flat = [value for row in told["solutions"][0] for value in row]
            assert all(given in (".", str(value)) for given, value in zip(text, flat, strict=True))
    assert lpbridge(*words).returncode == 0  # nothing is left to do
    assert results(unpacked(out).decode()) == found


def test_ctrl_c_keeps_what_was_done(tmp_path: Path) -> None:
    path, out = write(tmp_path / "in.txt", sudokus(600)), tmp_path / "r.jsonl"
    words = ["puzzle", "batch", "check", "sudoku", str(path), "-o", str(out), "--jobs", "2"]
    run = subprocess.Popen([sys.executable, "-m", "bridge", *words], cwd=ROOT, stderr=subprocess.PIPE)
    while run.poll() is None and not (out.exists() and out.stat().st_size):
        time.sleep(0.001)
    run.send_signal(signal.SIGINT)
    _, told = run.communicate(timeout=300)
    assert run.returncode == 130, told
    assert b"Traceback" not in told
    done = len(out.read_text().splitlines())
    assert 0 < done < 600
    assert lpbridge(*words).returncode == 2  # not without --resume
    assert lpbridge(*words, "--resume").returncode == 0
    assert [line["index"] for line in results(out.read_text())] == [*range(1, 601)]


def test_no_worker_outlives_its_batch(tmp_path: Path) -> None:
    if not Path("/proc").is_dir():
        pytest.skip("processes are looked up in /proc")
    path, out = write(tmp_path / "in.txt", ["." * 81] * 9), tmp_path / "r.jsonl"
    words = ["puzzle", "batch", "count", "sudoku", str(path), "-o", str(out), "--jobs", "1"]  # which never ends
    run = subprocess.Popen([sys.executable, "-m", "bridge", *words], cwd=ROOT)
    workers: list[int] = []
    until(lambda: workers.extend(children(run.pid)) or workers)
    run.kill()
    run.wait()
    until(lambda: not any(map(alive, workers)))


def children(pid: int) -> list[int]:
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
        return [int(child) for task in tasks for child in (task / "children").read_text().split()]
    except OSError:
        return []


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_another_question_is_refused(tmp_path: Path) -> None:
    path, out = write(tmp_path / "in.txt", sudokus(2)), str(tmp_path / "r.jsonl")
    assert lpbridge("puzzle", "batch", "check", "sudoku", str(path), "-o", out, "--jobs", "1").returncode == 0
    for words in (
        ["solve", "sudoku", str(path)],
        ["check", "sudoku", str(path), "-e", "mac"],
        ["check", "sudoku", "-"],
    ):
        done = lpbridge("puzzle", "batch", *words, "-o", out, "--resume", stdin=b"." * 81)
        assert done.returncode == 2
        assert b"results of another run" in done.stderr
    write(path, sudokus(3))
    done = lpbridge("puzzle", "batch", "check", "sudoku", str(path), "-o", out, "--resume")
    assert b"input was" in done.stderr


def test_options_and_word_lists(tmp_path: Path) -> None:
    grids = [str(ROOT / "examples/crossword" / name) for name in ("report5.txt", "hoses.txt")]
    done = lpbridge("puzzle", "batch", "check", "crossword", *grids, "--words", "examples/crossword/report5.words", "--jobs", "1")
    assert done.returncode == 0, done.stderr
    first, second = results(done.stdout.decode())
    assert (first["file"], second["file"]) == tuple(grids)
    assert "verdict" in first
    done = lpbridge("puzzle", "batch", "solve", "sudoku", "-", "--option", "box=2x3", "--jobs", "1", stdin=b"......\n" * 6)
    assert json.loads(done.stdout)["verdict"] == "unknown"
    assert lpbridge("puzzle", "batch", "solve", "sudoku", "-", "--option", "wrong=1", stdin=b"").returncode == 2


def test_progress_is_for_a_terminal(tmp_path: Path) -> None:
    if not hasattr(os, "openpty"):
        pytest.skip("no terminals here")
    path = write(tmp_path / "in.txt", sudokus(3))
    ours, theirs = os.openpty()
    words = ["puzzle", "batch", "check", "sudoku", str(path), "-o", str(tmp_path / "r.jsonl"), "--jobs", "1"]
    run = subprocess.Popen([sys.executable, "-m", "bridge", *words], cwd=ROOT, stderr=theirs)
    assert run.wait(PATIENCE) == 0
    assert b"done: 3 results," in os.read(ours, 4096)
    os.close(ours)
    os.close(theirs)


def test_how_far_it_is(tmp_path: Path) -> None:
    from bridge.cli.batch import BatchProgress, _clock
    from bridge.puzzles.batching.input import Source, items, share_read

    sources = [Source(str(write(tmp_path / name, sudokus(3)))) for name in ("a.txt", "b.txt")]
    progress = BatchProgress(0, lambda: share_read(sources))
    progress.tell(3)
    for _ in range(3):
        next(reading := items("sudoku", sources))
    assert [part.rpartition(" ")[2] for part in progress._parts()] == ["results", "second", "left"]
    reading.close()
    assert (_clock(59.9), _clock(61), _clock(7325)) == ("0:59", "1:01", "2:02:05")


def test_the_page_names_what_there_is() -> None:
    from bridge.puzzles.cli.batch import batch
    from bridge.puzzles.cli.questions import count

    page = (ROOT / "docs" / "scaling.md").read_text(encoding="utf-8")
    lines = [line.split() for line in page.splitlines() if line.startswith("lpbridge puzzle ")]
    assert {words[2] for words in lines} == {"batch", "count"}
    for words in lines:
        command = {"batch": batch, "count": count}[words[2]]
        known = {option for parameter in command.params for option in [*parameter.opts, *parameter.secondary_opts]}
        assert {word for word in words if word.startswith("-")} <= known
