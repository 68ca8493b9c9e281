"""A class: programs held against one that is right, a line for each."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from command import called
from patience import given_time

import bridge
from bridge.debugging.submissions import Submission
from bridge.errors import InputError

RIGHT = """secret(X) :- edge(X, _).
secret(X) :- edge(_, X).
{ in(X) : secret(X) } k.
:- edge(X, Y), not in(X), not in(Y).
"""
MINE = RIGHT.replace("secret", "vertex")
#: Programs: the text, and the line that is wrong, None for those that are right.
CLASS = {
    "bound": (MINE.replace("} k.", "} = k."), 3),
    "sign": (MINE.replace("not in(Y)", "in(Y)"), 4),
    "arguments": (MINE.replace("vertex(X) :- edge(_, X).", "vertex(X) :- edge(X, _)."), 2),
    "unsafe": (MINE.replace("{ in(X) : vertex(X) } k.", "{ in(X) } k."), 3),
    "syntax": (MINE.replace("edge(X, _).", "edge(X, _)"), 1),
    "misspelt": (MINE.replace("in(X) : vertex(X)", "in(X) : vertx(X)"), 3),
    "renamed": (MINE.replace("in(", "chosen("), None),
    "same": (MINE, None),
}
INSTANCES = ("#const k = 2.\nedge(1, 2). edge(2, 3).\n", "#const k = 2.\nedge(1, 2). edge(3, 4). edge(4, 1).\n")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "right.lp").write_text(RIGHT)
    for name, (text, _) in CLASS.items():
        (tmp_path / f"{name}.lp").write_text(text)
    for number, text in enumerate(INSTANCES, 1):
        (tmp_path / f"graph{number}.lp").write_text(text)
    (tmp_path / "endless.lp").write_text("n(0). n(X+1) :- n(X).\n")
    (tmp_path / "bytes.lp").write_bytes(b"\xff\xfe")
    (tmp_path / "script.lp").write_text('#script(python)\nopen("touched", "w").close()\n#end.\nin(1).\n')
    return tmp_path


PROVED = "gives the answers of the reference on all 18 instances up to n = 2; there are no others; answers are compared by"


@pytest.mark.slow
def test_each_gets_the_line(folder: Path) -> None:
    files = [folder / f"{name}.lp" for name in CLASS]
    found = bridge.submissions(
        files,
        against=folder / "right.lp",
        instances=[folder / "graph1.lp", folder / "graph2.lp"],
    )
    assert [row.file for row in found.rows] == [str(file) for file in files]
    for row, (name, (_, line)) in zip(found.rows, CLASS.items(), strict=True):
        assert row.status == ("right" if line is None else "error" if name in ("unsafe", "syntax") else "wrong"), name
        assert row.found is not None
        if line is not None:
            assert line in [suspect.place.line for suspect in row.found.suspects], name
    assert dict(zip(CLASS, found.rows, strict=True))["renamed"].renamed == {"chosen/1": "in/1"}
    assert "secret" not in json.dumps(found.to_json())
    assert str(found).endswith("8 programs: 2 right, 4 wrong, 2 error")


def test_one_that_does_not_end(folder: Path) -> None:
    def found(seconds: float) -> Submission:
        instances, limits = [folder / "graph1.lp"], bridge.Limits(seconds=seconds)
        (row,) = bridge.submissions([folder / "endless.lp"], against=folder / "right.lp", instances=instances, limits=limits).rows
        return row

    row = given_time(found, lambda row: row.found is not None and row.found.suspects, 2.0)
    assert str(row) == "undecided: it does not end in its time on graph1 (line 1?)"
    assert row.found is not None
    assert row.found.suspects[0].place.line == 1


WORDS = ("compare", "--against", "right.lp", "-i", "graph1.lp", "-i", "graph2.lp")


@pytest.mark.slow
def test_one_that_is_no_program_ends_nothing(folder: Path) -> None:
    run = called(*WORDS, "bytes.lp", "none.lp", "script.lp", "same.lp", "sign.lp", folder=folder)
    assert run.returncode == 0
    lines = run.stdout.splitlines()
    assert [line.split()[1] for line in lines[:-1]] == ["error:", "error:", "error:", "right:", "wrong:"]
    assert not (folder / "touched").exists()


def test_forms(folder: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(called(*WORDS, "sign.lp", "same.lp", "--csv", folder=folder).stdout)))
    assert [(row["status"], row["line"]) for row in rows] == [("wrong", "4"), ("right", "")]
    found = json.loads(called(*WORDS, "sign.lp", "--json", folder=folder).stdout)["submissions"]
    assert found[0]["debug"]["suspects"][0]["place"]["line"] == 4
    assert (found[0]["passed"], found[0]["cases"]) == (0, 2)
    assert called(*WORDS, "sign.lp", "--hint", folder=folder).stdout.splitlines()[0] == "sign.lp  wrong: line 4"


@pytest.mark.slow
def test_what_is_right_on_few_instances_is_held_against_the_generator(folder: Path) -> None:
    (folder / "graphs.lp").write_text("{ edge(1..n, 1..n) }.")
    (folder / "loops.lp").write_text(MINE + ":- edge(X, X), edge(X, Y), X < Y.\n")
    found = bridge.submissions([folder / "same.lp", folder / "loops.lp"], instances=bridge.Generator(folder / "graphs.lp", n=range(1, 3), k=2), against=folder / "right.lp")
    assert [row.status for row in found.rows] == ["right", "wrong"]
    assert found.rows[0].found is not None
    assert found.rows[0].found.proved_by.startswith(PROVED)
    assert found.rows[1].found is not None
    assert found.rows[1].found.suspects[0].place.line == 5


@pytest.mark.slow
def test_names_that_are_said(folder: Path) -> None:
    (folder / "two.lp").write_text(MINE.replace("in(", "chosen(") + "{ other(X) : vertex(X) } 0.\n")
    words = (*WORDS, "two.lp")
    assert "wrong" in called(*words, folder=folder).stdout
    assert "right" in called(*words, "--rename", "chosen/1=in/1", folder=folder).stdout
    assert called(*words, "--rename", "chosen/1", folder=folder).returncode == 2
    assert "error" in called(*words, "--rename", "chosen/2=in/1", folder=folder).stdout


def test_wrong_calls(folder: Path) -> None:
    assert called("compare", "sign.lp", "same.lp", "--hint", folder=folder).returncode == 2
    assert called(*WORDS, "sign.lp", "--total", "5", folder=folder).returncode == 2
    assert called("compare", "--against", "none.lp", "sign.lp", folder=folder).returncode == 2
    with pytest.raises(InputError):
        bridge.submissions([folder / "same.lp"], against=folder / "none.lp")
