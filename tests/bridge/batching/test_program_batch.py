"""`lpbridge batch`: every instance has a result, whatever it is; what was done is kept."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from command import COMMAND, called
from patience import PATIENCE, given_time, until

from bridge.batching.flow import answered, executor_for
from bridge.batching.parquet import results_in
from bridge.batching.programs import ProgramJob, program_items
from bridge.errors import InputError, MissingSolverError, OutputError
from bridge.limits import Limits

ENCODING = """\
{ at(L, S) : S = 1..n } = 1 :- lesson(L).
:- at(L, S), at(M, S), L < M.
long(X) :- forever, long(Y), X = Y + 1.
long(0) :- forever.
#const n = 2.
#show at/2.
"""
ALONE = """\
lesson(1).
lesson(1). lesson(2).

lesson(1..3).
lesson(
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "enc.lp").write_text(ENCODING)
    (tmp_path / "all").mkdir()
    (tmp_path / "all" / "a.lp").write_text("lesson(a).\n")
    (tmp_path / "all" / "b.lp").write_text("forever.\n")
    (tmp_path / "many.facts").write_text(ALONE)
    return tmp_path


def results(folder: Path, command: str, *words: str) -> list[dict[str, Any]]:
    done = called("batch", command, "enc.lp", *words, folder=folder)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_every_instance_has_a_result(folder: Path) -> None:
    numbers = [2, 0, 2, 2, 0, 0]
    found = given_time(
        lambda seconds: results(folder, "run", "all", "many.facts", "-n", "0", "-t", str(seconds), "-j", "2"),
        lambda found: [len(one.get("models", ())) for one in found] == numbers,
        1.0,
    )
    assert [(one["index"], one["file"], one["line"]) for one in found] == [
        (1, "all/a.lp", None), (2, "all/b.lp", None),
        *((number, "many.facts", line) for number, line in ((3, 1), (4, 2), (5, 4), (6, 5))),
    ]  # fmt: skip
    assert [len(one.get("models", ())) for one in found] == numbers
    assert [one.get("limit") for one in found] == [None, "seconds", None, None, None, None]
    assert sorted(map(sorted, found[3]["models"])) == [["at(1,1)", "at(2,2)"], ["at(1,2)", "at(2,1)"]]
    assert found[5]["error"]["kind"] == "program"


def test_the_commands(folder: Path) -> None:
    assert [one.get("verdict") for one in results(folder, "check", "many.facts", "-c", "n=1")] == ["unique", "impossible", "impossible", None]
    assert [one.get("number") for one in results(folder, "count", "many.facts", "-c", "n=3")] == [3, 6, 6, None]
    (folder / "all" / "b.lp").write_text("%! test two lessons: models 2\nlesson(1..2).\n\n%! test three: sat\nlesson(1..3).\n")
    alone, tested = results(folder, "test", "all")
    assert "there is no test" in alone["error"]["message"]
    assert (tested["passed"], tested["failed"], tested["tests"][1]["reason"]) == (1, 1, "there is no answer")
    found = results(folder, "diagnose", "many.facts")
    assert found[2]["clashes"][0]["rules"][0]["line"] == 1


def test_a_run_says_its_verdict_and_what_it_cost(folder: Path) -> None:
    found = results(folder, "run", "many.facts", "--", "--configuration=jumpy", "--seed=3")
    assert [one.get("verdict") for one in found] == ["satisfiable", "satisfiable", "unsatisfiable", None]
    assert all({"load", "ground", "solve"} <= one["statistics"]["seconds"].keys() for one in found[:3])
    wrong = called("batch", "run", "enc.lp", "many.facts", "--", "--no-such-option", folder=folder)
    assert "no-such-option" in wrong.stdout + wrong.stderr


def test_a_prolog_program_with_a_goal(folder: Path) -> None:
    (folder / "p.pl").write_text("p(X) :- member(X, [1, 2, 3]), q(X).\n")
    (folder / "qs.facts").write_text("q(1).\nq(7).\nq(2). q(3).\n")

    def asked(command: str, *words: str) -> list[dict[str, Any]]:
        done = called("batch", command, "p.pl", "qs.facts", "--goal", "p(X)", *words, folder=folder)
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    found = asked("run", "-n", "0")
    assert [one["answers"] for one in found] == [["X = 1."], [], ["X = 2.", "X = 3."]]
    assert [one["verdict"] for one in found] == ["satisfiable", "unsatisfiable", "satisfiable"]
    assert all(one["statistics"]["counters"]["inferences"] for one in found)
    assert [one["verdict"] for one in asked("check")] == ["unique", "impossible", "ambiguous"]
    assert [one["number"] for one in asked("count")] == [1, 0, 2]
    for words, message in (
        (("run", "p.pl", "qs.facts"), "a Prolog program needs one"),
        (("run", "enc.lp", "many.facts", "--goal", "p(X)"), "a goal is of a Prolog program"),
        (("test", "p.pl", "qs.facts", "--goal", "p(X)"), "`batch test` is for clingo programs"),
        (("run", "p.pl", "qs.facts", "--goal", "p(X)", "-c", "n=1"), "--const is for clingo programs"),
    ):
        wrong = called("batch", *words, folder=folder)
        assert (wrong.returncode, message in wrong.stderr) == (2, True), wrong.stderr


def test_wrong_calls_come_before_any_work(folder: Path) -> None:
    for words, message in (
        (("check", "enc.lp", "none.lp"), "none.lp: no such file"),
        (("check", "none.lp", "all"), "none.lp: no such file"),
        (("check", "enc.lp", "all", "-c", "m=1"), "no constant 'm'"),
        (("check", "enc.lp", "all", "-c", "n=1..2"), "n has several values"),
    ):
        done = called("batch", *words, "-o", "out.jsonl", folder=folder)
        assert (done.returncode, message in done.stderr) == (2, True), done.stderr
        assert not (folder / "out.jsonl").exists()


@pytest.mark.slow
def test_interrupted_and_gone_on_with(folder: Path) -> None:
    command = [*COMMAND, "batch", "run", "enc.lp", "many.facts", "all", "-t", str(PATIENCE), "-o", "out.jsonl", "-j", "1"]
    with subprocess.Popen(command, cwd=folder, start_new_session=True, stderr=subprocess.PIPE, text=True) as process:
        until(lambda: (folder / "out.jsonl").is_file() and (folder / "out.jsonl").read_text().count("\n") >= 5)
        time.sleep(0.1)
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, "Traceback" in err) == (130, False), err
    (folder / "all" / "b.lp").write_text("lesson(1..3).\n")
    done = called("batch", "run", "enc.lp", "many.facts", "all", "-t", str(PATIENCE), "-o", "out.jsonl", "--resume", folder=folder)
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in (folder / "out.jsonl").read_text().splitlines()]
    assert [one["index"] for one in lines] == [1, 2, 3, 4, 5, 6]
    other = called("batch", "check", "enc.lp", "many.facts", "all", "-o", "out.jsonl", "--resume", folder=folder)
    assert (other.returncode, "another" in other.stderr) == (2, True), other.stderr


def test_an_instance_that_ends_its_process_is_a_result(folder: Path) -> None:
    (folder / "all" / "b.lp").write_text("#script(python)\nimport os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n#end.\n")
    (folder / "all" / "c.lp").write_text("lesson(c).\n")
    job = ProgramJob("check", (str(folder / "enc.lp"),), limits=Limits(seconds=PATIENCE))
    with executor_for(job, 1) as executor:
        items = program_items([folder / "all"])
        found = [json.loads(one) for lines, _ in answered(items, executor, first=1) for one in lines.splitlines()]
    assert [(one["verdict"], one["limit"]) for one in found] == [("ambiguous", None), ("unknown", "crash"), ("ambiguous", None)]


def rows(path: Path) -> list[dict[str, Any]]:
    import polars

    return polars.read_parquet(path).to_dicts()


def test_a_table_of_results(folder: Path) -> None:
    """The same results as lines, with values of their types, and JSON text for objects."""
    lines = results(folder, "run", "many.facts", "-n", "0")
    words = ("batch", "run", "enc.lp", "many.facts", "-n", "0", "-o", "out.parquet")
    assert called(*words, folder=folder).returncode == 0
    found = rows(folder / "out.parquet")
    decoded = [{**row, **{key: json.loads(row[key]) for key in ("error", "errors") if row[key]}} for row in found]
    key = "models"
    for one in (*decoded, *lines):
        one.pop("statistics", None)
        found[0].pop("statistics", None)
    assert [{**one, key: one[key] and sorted(map(sorted, one[key]))} for one in decoded] == [
        {**dict.fromkeys(found[0]), **one, **({key: sorted(map(sorted, one[key]))} if key in one else {})} for one in lines
    ]
    again = called(*words, folder=folder)
    assert (again.returncode, "there are results in it already" in again.stderr) == (2, True), again.stderr


def test_a_table_is_gone_on_with(folder: Path) -> None:
    """Its lines are: from those that are whole, the others are added."""
    words = ("batch", "count", "enc.lp", "many.facts", "-o", "out.parquet")
    assert called(*words, folder=folder).returncode == 0
    lines = folder / "out.parquet.jsonl.gz"
    lines.write_bytes(lines.read_bytes()[:-3])
    (folder / "out.parquet").unlink()
    assert called(*words, "--resume", folder=folder).returncode == 0
    assert [(one["index"], one["number"]) for one in rows(folder / "out.parquet")] == [(1, 2), (2, 2), (3, 0), (4, None)]
    other = called("batch", "check", *words[2:], "--resume", folder=folder)
    assert (other.returncode, "another run" in other.stderr) == (2, True), other.stderr
    lines.unlink()
    gone = called(*words, "--resume", folder=folder)
    assert (gone.returncode, "its lines, is missing" in gone.stderr) == (2, True), gone.stderr


def test_what_a_table_cannot_have(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, types = tmp_path / "out.parquet", {"index": int, "file": str, "number": int | None}
    table = results_in(str(path), {}, types)
    table.write(b'{"index": 1, "file": "a\\udcff"}\n')
    table.complete()
    assert rows(path) == [{"index": 1, "file": "a?", "number": None}]
    table.write(b'{"index": 2, "file": "b", "number": 100000000000000000000}\n')
    with pytest.raises(OutputError, match=r"jsonl\.gz; --resume makes the table"):
        table.complete()
    table.close()
    assert len(rows(path)) == 1
    assert sorted(one.name for one in tmp_path.iterdir()) == ["out.parquet", "out.parquet.jsonl.gz", "out.parquet.jsonl.gz.run"]
    with pytest.raises(InputError, match="folder"):
        results_in(str(tmp_path / "none" / "out.parquet"), {}, types)
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(MissingSolverError, match=r"lpbridge\[tables\]"):
        results_in(str(tmp_path / "other.parquet"), {}, types)
