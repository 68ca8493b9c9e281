"""A batch on a real Dask cluster: a scheduler and workers, each a process of its own, over TCP on this machine."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import distributed
import pytest
from batches import deadly
from batches.many import BAD, results, sudokus, write
from patience import until
from shared_data import ROOT

import bridge
from bridge.batching import cluster
from bridge.batching.flow import answered
from bridge.errors import SolverError, UnsupportedError
from bridge.isolation import frames
from bridge.puzzles.batching.batch import make_job
from bridge.puzzles.batching.cubes import count_cubes
from bridge.puzzles.batching.input import Source, items


class Machines:
    """A scheduler, and workers to be started and killed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.started: list[subprocess.Popen[bytes]] = []
        about = folder / "scheduler.json"
        words = ["scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(about)]
        self._dask(*words)
        until(lambda: about.exists() and about.read_text().endswith("}"))
        self.address: str = json.loads(about.read_text())["address"]

    def _dask(self, *words: str) -> subprocess.Popen[bytes]:
        # A chunk may take two workers with it, not four: there are fewer to start.
        path = os.pathsep.join([str(ROOT), str(ROOT / "tests"), str(ROOT / "tests" / "puzzles")])
        environment = {**os.environ, "PYTHONPATH": path, "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1"}
        with open(self._folder / f"{len(self.started)}.log", "wb") as log:
            run = subprocess.Popen(
                [sys.executable, "-m", "dask", *words], stdout=log, stderr=log, cwd=self._folder, env=environment
            )
        self.started.append(run)
        return run

    def worker(self) -> subprocess.Popen[bytes]:
        words = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1", "--death-timeout", "300"]
        return self._dask("worker", self.address, *words)

    def close(self) -> None:
        for run in self.started:
            run.kill()
            run.wait()


@pytest.fixture(scope="module")
def machines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machines]:
    made = Machines(tmp_path_factory.mktemp("cluster"))
    try:
        made.worker()
        made.worker()
        with distributed.Client(made.address, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=300)
        yield made
    finally:
        made.close()


def test_the_same_lines_with_a_worker_killed_in_the_middle(machines: Machines, tmp_path: Path) -> None:
    texts = [*sudokus(200), *BAD]
    path = write(tmp_path / "in.txt", texts)
    victim = machines.worker()
    job = make_job("sudoku", "check")
    with distributed.Client(machines.address, set_as_default=False) as client:
        client.wait_for_workers(3, timeout=300)
        executor = cluster.Cluster(job, client)
        there = b""
        for number, (lines, _) in enumerate(answered(items("sudoku", [Source(str(path))]), executor)):
            there += lines
            if number == 3:
                victim.send_signal(signal.SIGKILL)
        executor.close()
        assert client.status == "running"  # it stays the caller's
    found = results(there.decode())
    with bridge.puzzles.batch("sudoku", "check", path, jobs=2) as stream:
        here = results("\n".join(map(json.dumps, stream)))
    assert len(found) == len(texts)
    assert found == here


def test_on_the_command_line(machines: Machines, tmp_path: Path) -> None:
    path, out = write(tmp_path / "in.txt", sudokus(40)), tmp_path / "r.jsonl.gz"
    words = ["puzzle", "batch", "check", "sudoku", str(path), "-o", str(out), "--unordered", "--scheduler", machines.address]
    done = subprocess.run([sys.executable, "-m", "bridge", *words], capture_output=True, cwd=ROOT, timeout=300)
    assert done.returncode == 0, done.stderr
    assert sorted(told["index"] for told in results(gzip.decompress(out.read_bytes()).decode())) == [*range(1, 41)]


def test_a_kind_that_is_a_file_is_sent_along(machines: Machines, tmp_path: Path) -> None:
    """The workers are in another folder, and know nothing of the file."""
    own = tmp_path / "lamps.lp"
    own.write_text((ROOT / "encodings" / "akari" / "akari.lp").read_text("utf-8"), "utf-8")
    board, out = ROOT / "encodings" / "akari" / "akari.txt", tmp_path / "r.jsonl"
    words = ["puzzle", "batch", "check", "lamps.lp", str(board), str(board), "-o", str(out), "--scheduler", machines.address]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    run = [sys.executable, "-m", "bridge", *words]
    done = subprocess.run(run, capture_output=True, cwd=tmp_path, env=environment, timeout=300)
    assert done.returncode == 0, done.stderr
    assert [(told["puzzle"], told["verdict"]) for told in results(out.read_text("utf-8"))] == [("lamps", "unique")] * 2


def test_cubes_are_counted_there(machines: Machines) -> None:
    puzzle = bridge.puzzles.parse("sudoku", "1...\n..3.\n....\n....")
    assert count_cubes(puzzle, 5, scheduler=machines.address).number == bridge.count(puzzle).number


def test_other_versions_are_refused(machines: Machines, monkeypatch: pytest.MonkeyPatch) -> None:
    other = {**cluster.versions(), "clingo": "4.0"}
    monkeypatch.setattr(cluster, "versions", lambda: other)
    puzzle = bridge.puzzles.parse("sudoku", sudokus(1)[0])
    with pytest.raises(UnsupportedError, match=r"clingo is 5\.[0-9.]+ there, and 4\.0 here"):
        list(bridge.puzzles.batch("sudoku", "check", [puzzle], scheduler=machines.address))


def test_what_is_refused_and_what_is_not() -> None:
    here = {"Python": "3.11", "clingo": "5.8.3", "lpbridge": "1"}
    cluster.refuse_others(here, {"a": dict(here), "b": dict(here)})
    with pytest.raises(UnsupportedError, match=r"worker at b .* lpbridge is missing there, and 1 here"):
        cluster.refuse_others(here, {"a": here, "b": {"Python": "3.11", "clingo": "5.8.3"}})
    with pytest.raises(UnsupportedError, match="it has no lpbridge"):
        cluster.refuse_others(here, {"a": "it has no lpbridge (No module)"})


def test_a_worker_that_joins_later_is_looked_at_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_address", lambda: "tcp://late")
    job = make_job("sudoku", "check")
    sent = frames.pack([job.module, job.pack()]), frames.pack([])
    assert cluster.on_worker(*sent, cluster.versions())[0] == b""
    with pytest.raises(UnsupportedError, match="tcp://late"):
        cluster.on_worker(*sent, {**cluster.versions(), "Python": "2.7"})


def test_nobody_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 0.3)
    with pytest.raises(SolverError, match="no scheduler answers"):
        list(bridge.puzzles.batch("sudoku", "check", [], scheduler="tcp://127.0.0.1:9"))


def test_an_instance_that_kills_workers_is_an_error(machines: Machines, monkeypatch: pytest.MonkeyPatch) -> None:
    """Dask gives up after two workers: two go with its chunk, and two with it alone."""
    monkeypatch.setattr(cluster, "on_worker", deadly.on_worker)
    puzzles = [bridge.puzzles.parse("sudoku", text) for text in sudokus(6)]
    for _ in range(4):
        machines.worker()
    with distributed.Client(machines.address, set_as_default=False) as client:
        client.wait_for_workers(6, timeout=300)
        found = list(bridge.puzzles.batch("sudoku", "check", puzzles, scheduler=client))
    assert [told.get("verdict") for told in found] == ["unique", "unique", None, "unique", "unique", "unique"]
    assert found[2]["error"]["message"] == "the workers that had it died"
