"""`lpbridge compare` of programs and `lpbridge mutate`, as a person calls them."""

from __future__ import annotations

import csv
import io
import json
import subprocess
from pathlib import Path

import pytest
from command import called as called_in

COLOUR = """node(X) :- edge(X, _).
node(X) :- edge(_, X).
{ colour(X, (red; green)) } = 1 :- node(X).
:- edge(X, Y), colour(X, C), colour(Y, C).
#show colour/2.
"""


def called(*words: str) -> subprocess.CompletedProcess[str]:
    """What the command prints, in the folder of the test."""
    return called_in(*words, folder=Path.cwd())


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.lp").write_text(COLOUR.replace("colour(Y, C).", "colour(Y, C), X < Y."))
    (tmp_path / "ours.lp").write_text(COLOUR)
    (tmp_path / "graphs.lp").write_text("{ edge(1..n, 1..n) }.\n#show edge/2.\n")
    (tmp_path / "monday.lp").write_text("edge(1, 2). edge(2, 2).\n")
    (tmp_path / "tuesday.lp").write_text("edge(1, 2).\n")
    (tmp_path / "queens.py").write_text(
        "from itertools import permutations\n\ndef solve(instance):\n    n = instance.constants['n']\n"
        "    for qs in permutations(range(1, n + 1)):\n"
        "        if all(abs(a - b) != j - i for i, a in enumerate(qs) for j, b in enumerate(qs) if i < j):\n"
        "            yield {'queen': list(enumerate(qs, 1))}\n"
    )
    return tmp_path


def test_a_difference_in_words(folder: Path) -> None:
    done = called("compare", "mine.lp", "ours.lp", "--generator", "graphs.lp", "-c", "n=1..3")
    assert done.returncode == 1
    told = done.stdout
    assert "a smallest instance on which they differ:\n  n = 1. edge(1,1).\n" in told
    assert "an answer that mine.lp has, and ours.lp has not:\n  colour(1,green)\n" in told
    assert "ours.lp:4:1: :- edge(X, Y), colour(X, C), colour(Y, C)." in told
    assert "instance:1: edge(1,1)." in told


def test_agreement_says_up_to_which_size(folder: Path) -> None:
    words = ["compare", "ours.lp", "ours.lp", "--generator", "graphs.lp", "-c", "n=2"]
    done = called(*words, "--equivalent")
    assert done.returncode == 0
    assert done.stdout.splitlines()[0] == "the same answers on all 16 instances up to size 4; there are no others"
    done = called(*words, "--most", "6")
    assert done.stdout.splitlines()[0] == "the same answers on all 5 instances up to size 1, and 1 beyond"


@pytest.mark.slow
def test_files_json_csv_and_chart(folder: Path) -> None:
    words = ["compare", "mine.lp", "ours.lp", "-i", "monday.lp", "-i", "tuesday.lp"]
    found = json.loads(called(*words, "--json").stdout)
    assert [row["solutions"] for row in found["rows"]] == [2, 0, 2, 2]
    assert found["difference"]["instance"]["facts"] == ["edge(1,2)", "edge(2,2)"]
    assert found["difference"]["answer"] == ["colour(1,green)", "colour(2,red)"]
    assert found["difference"]["reason"]["clash"]["minimal"] is True
    assert (found["agree"], found["equivalent"], found["exhausted"]) == (False, False, None)
    rows = list(csv.DictReader(io.StringIO(called(*words, "--csv").stdout)))
    assert [row["engine"] for row in rows] == ["mine.lp", "ours.lp"] * 2
    (folder / "=1+1.lp").write_text((folder / "mine.lp").read_text())
    done = called("compare", "=1+1.lp", "ours.lp", "-i", "monday.lp", "--csv")
    assert [row["engine"] for row in csv.DictReader(io.StringIO(done.stdout))] == ["'=1+1.lp", "ours.lp"]
    done = called(*words, "--plot", "conflicts.svg", "--measure", "choices")
    assert "choices" in Path("conflicts.svg").read_text()
    assert done.returncode == 1
    assert called(*words, "--plot", "x.svg", "--measure", "nodes").returncode == 2


def test_three_languages(folder: Path) -> None:
    encoding = folder / "queens.lp"
    encoding.write_text(
        "{ queen(R, 1..n) } = 1 :- R = 1..n.\n:- queen(R, C), queen(R', C), R < R'.\n"
        ":- queen(R, C), queen(R', C'), R < R', |C - C'| = R' - R.\n"
    )
    (folder / "queens.pl").write_text(
        ":- use_module(library(clpfd)).\nqueens(N, Qs) :- length(Qs, N), Qs ins 1..N, safe(Qs), label(Qs).\n"
        "safe([]).\nsafe([Q|Qs]) :- no_attack(Qs, Q, 1), safe(Qs).\nno_attack([], _, _).\n"
        "no_attack([Q|Qs], Q0, D) :- Q #\\= Q0, abs(Q - Q0) #\\= D, D1 is D + 1, no_attack(Qs, Q0, D1).\n"
    )
    goal = "queens(N, Qs), findall(queen(I, Q), nth1(I, Qs, Q), Queens)"
    words = ["compare", "queens.lp", "queens.pl", "queens.py:solve", "-g", goal, "-c", "n=1..5", "--show", "queen/2"]
    done = called(*words)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[0] == "the same answers on all 5 instances up to n = 5; there are no others"
    assert "inferences" in done.stdout
    without = called(*words[:4], "-g", "queens(N, Qs)", "-c", "n=4", "--show", "queen/2")
    assert "no term queen/2 is in the answer" in without.stdout
    assert without.returncode == 1


@pytest.mark.slow
def test_mutants_that_are_not_noticed(folder: Path) -> None:
    done = called("mutate", "ours.lp", "--tests", "tuesday.lp", "monday.lp")
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1].startswith("12 mutants on 2 tests: ")
    (folder / "weak.lp").write_text("%! test loop: unsat\nedge(2, 2).\n")
    weak = called("mutate", "ours.lp", "weak.lp", "--strict")
    assert weak.returncode == 1
    assert "not noticed: ours.lp:1\n-node(X) :- edge(X, _).\n" in weak.stdout
    data = json.loads(called("mutate", "ours.lp", "weak.lp", "--json").stdout)
    assert data["survived"] == sum(one["status"] == "survived" for one in data["mutants"]) > 0
    assert {"kind", "file", "line", "before", "after", "by", "how"} <= data["mutants"][0].keys()


@pytest.mark.slow
def test_what_clingo_warns_of_on_every_instance_comes_first(folder: Path) -> None:
    (folder / "typo.lp").write_text(f"{COLOUR}:- colour(X, C), color(X, C).\n:- late(X), n = 1.\nlate(1) :- n = 2.\n#const n=1.\n")
    (folder / "same.lp").write_text(f"#const n=1.\n{COLOUR}")
    asked = ("compare", "typo.lp", "same.lp", "--generator", "graphs.lp", "-c", "n=1..2")
    done = called(*asked)
    warned = "typo.lp:6:18-29: info: atom does not occur in any rule head: color(X,C)"
    assert done.stdout.splitlines()[:2] == [warned, "the same answers on all 18 instances up to n = 2; there are no others"]
    (told,) = json.loads(called(*asked, "--json").stdout)["warnings"]
    place, level, message = "typo.lp:6:18", "info", "atom does not occur in any rule head: color(X,C)"
    assert (f"{told['file']}:{told['line']}:{told['column']}", told["level"], told["message"]) == (place, level, message), "`late` is a fact of some instances"


def test_a_value_of_a_constant_is_an_instance(folder: Path) -> None:
    (folder / "upto.lp").write_text("#const n = 1. p(1..n). :- n > 2. #show p/1.\n")
    (folder / "all.lp").write_text("#const n = 1. p(1..n). #show p/1.\n")
    text = called("compare", "upto.lp", "all.lp", "-c", "n=1..4").stdout
    assert text.splitlines()[:2] == ["a smallest instance on which they differ:", "  n = 3."]


def test_what_names_the_wrong_line_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.lp").write_text("{ q(X) : p(X) }.\n:- q(1).\n")
    (tmp_path / "b.lp").write_text("{ q(X) : p(X) }.\n")
    (tmp_path / "p.lp").write_text("p(1..2).\n")
    run = called_in("compare", "a.lp", "b.lp", "-i", "p.lp", "--show", "q/1", folder=tmp_path)
    assert run.returncode == 1
    words = run.stderr.rsplit("lpbridge ", 1)[1].split()
    assert words == ["debug", "a.lp", "--against", "b.lp", "-i", "p.lp", "--show", "q/1"]
    assert called_in(*words, folder=tmp_path).stdout.startswith("a.lp:2:1: the program lacks an answer")
    assert "debug" not in called_in("compare", "a.lp", "a.lp", "-i", "p.lp", folder=tmp_path).stderr


def test_one_program_in_two_solvers(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "half.lp").write_text("half(X,X/2,X*k) :- X = -1..-1.\n#const k=2500000000/2.\n#show half/3.\n".replace("2500000000/2", "1250000000"))
    python = folder / "python"
    python.write_text("#!/bin/sh\necho '[[\"half\", [-1, -1, -1250000000]]]'\necho end\n")
    python.chmod(0o755)
    monkeypatch.setenv("LPBRIDGE_CLINGO6", str(python))
    done = called("compare", "half.lp", "--with", "clingo6")
    assert done.returncode == 1
    assert "an answer that half.lp has, and clingo 6 has not:\n  half(-1,0,-1250000000)\n" in done.stdout
    assert done.stderr == "half.lp:1:8: clingo 6 rounds quotients down, clingo 5 towards 0: -7/2 is -4, and -3\n"
    assert "--with is for one PROGRAM" in called("compare", "half.lp", "ours.lp", "--with", "clingo6").stderr
