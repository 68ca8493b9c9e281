"""The command line: what people and scripts see."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command import called, interrupted_after_a_while
from patience import PATIENCE, given_time
from shared_data import ROOT

import bridge

EXAMPLES = ROOT / "examples" / "sudoku"
COMMAND = [sys.executable, "-c", "from bridge.cli import main; main()"]


def run(*words: str | Path, stdin: str | None = None, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return called(*words, stdin=stdin, env=env)


def run_json(*words: str | Path, code: int = 0, **more: Any) -> Any:
    done = run(*words, **more)
    assert done.returncode == code, done.stderr
    (line,) = done.stdout.splitlines()
    return json.loads(line)


def problem(number: int) -> Path:
    return EXAMPLES / f"report3-problem{number}.txt"


def test_check_of_a_unique_puzzle() -> None:
    done = run("puzzle", "check", "sudoku", problem(1))
    assert done.returncode == 0
    assert done.stdout.startswith("unique: there is exactly one solution\n\nsolution\n9 8 7 | 6 5 4 | 3 2 1\n")
    assert done.stderr == ""


def test_check_of_an_ambiguous_puzzle() -> None:
    done = run("puzzle", "check", "sudoku", problem(6))
    for line in (
        "ambiguous: there are two solutions or more",
        "4 open cells (exact, asp)",
        "  r4c1  {3, 6}",
        "  row 4, row 6, column 1, column 6, box (2,1), box (2,2)",
        "constraints left by propagation (clpfd):",
        "  all_distinct([r4c1, 4, 2, 5, 1, r4c6, 7, 9, 8])",
    ):
        assert line in done.stdout.splitlines()


def test_check_shows_what_is_decided_but_not_by_propagation() -> None:
    done = run("puzzle", "check", "sudoku", problem(5))
    assert "32 open cells (exact, asp); 7 more are not decided by propagation alone (clpfd)" in done.stdout
    assert "after propagation alone (clpfd):" in done.stdout


def test_check_of_the_verdict_alone() -> None:
    done = run("puzzle", "check", "sudoku", problem(6), "--residual", "none")
    assert done.stdout.startswith("ambiguous: there are two solutions or more\n")
    assert "open cells: not computed" in done.stdout.splitlines()
    found = run_json("puzzle", "check", "sudoku", problem(6), "--residual", "none", "--json")
    assert found["residual"] == {"open": None, "constraints": None}
    done = run("diagnose", "-", "--language", "clingo", "--only", "verdict", stdin="{ a }.")
    assert "what is open: not computed" in done.stdout.splitlines()


def test_check_of_what_propagation_leaves_alone() -> None:
    words = ("puzzle", "check", "sudoku", problem(6), "--residual", "propagated", "--propagation", "mac")
    lines = run(*words).stdout.splitlines()
    assert "exact values: not computed" in lines
    assert "51 open cells (propagated, mac)" in lines
    found, whole = run_json(*words, "--json"), run_json(*words[:4], *words[-2:], "--json")
    propagated = found["residual"].pop("propagated")
    assert found["residual"] == {"open": None, "constraints": None}
    assert propagated == whole["residual"]["propagated"]
    assert "propagated" not in run_json(*words[:4], "--residual", "exact", "--json")["residual"]


def test_check_with_another_propagation() -> None:
    found = run_json("puzzle", "check", "sudoku", problem(5), "--propagation", "mac", "--json")["residual"]
    other = run_json("puzzle", "check", "sudoku", problem(5), "--engine", "mac", "--json")["residual"]
    assert found == other
    assert (found["engine"], found["propagated"]["engine"]) == ("asp", "mac")
    assert found["propagated"]["constraints"][0] == "row 2"
    done = run("puzzle", "check", "sudoku", problem(5), "--propagation", "bt")
    assert (done.returncode, done.stdout) == (2, "")
    assert "engine bt does not propagate without search" in done.stderr


def test_check_of_clues_that_clash() -> None:
    done = run("puzzle", "check", "sudoku", "-", stdin="5.....5.." + "." * 72)
    assert done.returncode == 0
    assert done.stdout.startswith("impossible: there is no solution\nthe clues clash: row 1 is broken by r1c1=5, r1c7=5\n")


def test_check_of_facts_that_clash(tmp_path: Path) -> None:
    """Without clues it is not they that clash."""
    file = tmp_path / "cages.lp"
    file.write_text('cage(1,1,a). cage(1,2,a). cage(2,1,b). cage(2,2,b). result(a,9,"+"). result(b,3,"+").\n#const n = 2. [override]\n', encoding="utf-8")
    found = run("puzzle", "check", "kenken", str(file)).stdout
    assert found.startswith("impossible: there is no solution\nthe facts of the instance clash: cage a is broken"), found


def test_check_as_json() -> None:
    found = run_json("puzzle", "check", "sudoku", problem(6), "--json")
    assert {"puzzle", "engine", "verdict", "complete", "solutions", "residual", "statistics", "limit"} <= found.keys()
    assert (found["puzzle"], found["engine"], found["verdict"]) == ("sudoku", "asp", "ambiguous")
    assert len(found["solutions"]) == 2
    assert [len(row) for row in found["solutions"][0]] == [9] * 9
    assert found["residual"]["open"] == {"r4c1": [3, 6], "r4c6": [3, 6], "r6c1": [3, 6], "r6c6": [3, 6]}
    assert "r4c1 in 3\\/6" in found["residual"]["propagated"]["constraints"]


def test_check_of_many_puzzles(tmp_path: Path) -> None:
    file = tmp_path / "many.sdm"
    file.write_text("." * 16 + "\n" + "11" + "." * 14 + "\n")
    found = run_json("puzzle", "check", "sudoku", file, "--json")
    assert [result["verdict"] for result in found["results"]] == ["ambiguous", "impossible"]
    lines = run("puzzle", "check", "sudoku", file, "--jsonl").stdout.splitlines()
    assert [json.loads(line)["verdict"] for line in lines] == ["ambiguous", "impossible"]


def test_expect() -> None:
    assert run("puzzle", "check", "sudoku", problem(1), "--expect", "unique").returncode == 0
    done = run("puzzle", "check", "sudoku", problem(6), "--expect", "unique")
    assert (done.returncode, done.stderr) == (1, "lpbridge: expected unique\n")
    assert run_json("puzzle", "check", "sudoku", problem(6), "--expect", "unique", "--json", code=1)["verdict"] == "ambiguous"


def test_a_limit_with_nothing_found() -> None:
    found = run_json("puzzle", "check", "sudoku", problem(1), "-e", "bt", "-t", "0.2", "--json", code=1)
    assert (found["verdict"], found["complete"], found["limit"], found["solutions"]) == ("unknown", False, "seconds", [])
    done = run("puzzle", "check", "sudoku", problem(1), "-e", "bt", "-t", "0.2")
    assert done.returncode == 1
    assert "stopped by the time limit: 0 solutions found so far" in done.stdout


@pytest.mark.parametrize("name", ["asp", "clpfd", "mac+mrv"])
def test_solve_prints_all_solutions(name: str) -> None:
    done = run("puzzle", "solve", "sudoku", problem(5), "-n", "0", "-e", name)
    assert done.returncode == 0
    assert done.stdout.count("solution ") == 8
    assert done.stdout.splitlines()[-1] == "8 solutions; the search is complete"
    lines = run("puzzle", "solve", "sudoku", problem(5), "-n", "0", "-e", name, "--jsonl").stdout.splitlines()
    assert len(set(lines)) == 8


def test_solve_stops_where_it_is_told() -> None:
    done = run("puzzle", "solve", "sudoku", problem(4), "-n", "3")
    assert done.stdout.splitlines()[-1] == "3 solutions; stopped by the limit on solutions, there may be more"
    found = run_json("puzzle", "solve", "sudoku", problem(4), "-n", "3", "--json")
    assert (len(found["solutions"]), found["limit"], found["complete"]) == (3, "solutions", False)
    assert run("puzzle", "solve", "sudoku", problem(3)).stdout == "no solution; the search is complete\n"


@pytest.mark.slow
def test_solve_out_of_time_keeps_what_was_found() -> None:
    def solve(seconds: float) -> Any:
        return json.loads(run("puzzle", "solve", "sudoku", problem(4), "-n", "0", "-t", str(seconds), "--json").stdout)

    found = given_time(solve, lambda found: len(found["solutions"]) > 10)
    assert (found["limit"], found["complete"]) == ("seconds", False)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["asp", "clpfd", "mac+mrv"])
def test_ctrl_c_prints_what_was_found(name: str) -> None:
    words = [*COMMAND, "puzzle", "solve", "sudoku", str(problem(4)), "-n", "0", "-e", name]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT)
    assert process.stdout is not None
    assert process.stdout.readline() == "solution 1\n"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert out.splitlines()[-1].endswith("stopped by Ctrl-C, there may be more")
    assert "Traceback" not in err


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bt", "clpfd"])
def test_ctrl_c_ends_a_search_that_has_found_nothing(name: str, tmp_path: Path) -> None:
    hard = tmp_path / "hard.txt"
    hard.write_text("." * 625 + "\n") if name == "clpfd" else hard.write_text(problem(1).read_text())
    found = json.loads(interrupted_after_a_while("puzzle", "check", "sudoku", hard, "-e", name, "--json").stdout)
    assert (found["verdict"], found["complete"], found["limit"]) == ("unknown", False, "interrupt")


def test_a_pipe_that_closes_ends_quietly() -> None:
    process = subprocess.Popen([*COMMAND, "puzzle", "solve", "sudoku", str(problem(4)), "-n", "0", "--jsonl"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.wait(PATIENCE) == 0
    assert process.stderr.read() == ""
    process.stderr.close()


def test_residual() -> None:
    found = run_json("puzzle", "residual", "sudoku", problem(6), "-e", "clpfd", "--json")
    assert (found["puzzle"], found["engine"], found["kind"]) == ("sudoku", "clpfd", "propagated")
    assert found["open"] == {"r4c1": [3, 6], "r4c6": [3, 6], "r6c1": [3, 6], "r6c6": [3, 6]}
    assert len(found["constraints"]) == 10
    assert run_json("puzzle", "residual", "sudoku", problem(6), "--json")["kind"] == "exact"
    drawn = run("puzzle", "residual", "sudoku", problem(6), "--candidates").stdout
    assert "36  4  2 |  5  1 36 |  7  9  8" in drawn
    assert run("puzzle", "residual", "sudoku", problem(3)).stdout.startswith("nothing is possible: there is no solution (exact, asp)")


@pytest.mark.slow
def test_compare() -> None:
    found = run_json("puzzle", "compare", "sudoku", problem(1), problem(6), "-e", "asp,clpfd,mac+mrv", "--json")
    assert found["agree"] is True
    assert found["instances"] == ["report3-problem1", "report3-problem6"]
    assert found["engines"] == ["asp", "clpfd", "mac+mrv"]
    assert [row["verdict"] for row in found["rows"]] == ["unique"] * 3 + ["ambiguous"] * 3
    assert {"solve", "total"} <= found["rows"][0]["seconds"].keys()
    assert found["rows"][1]["statistics"]["post_inferences"] > 100_000
    assert found["rows"][2]["statistics"]["nodes"] > 0
    table = run("puzzle", "compare", "sudoku", problem(1), "-e", "asp,bt", "-t", "1").stdout
    assert "unknown (the time limit)" in table
    assert "1 stopped by a limit" in table


@pytest.mark.slow
def test_compare_draws_and_says_first_when_it_cannot(tmp_path: Path) -> None:
    chart = tmp_path / "times.svg"
    assert run("puzzle", "compare", "sudoku", problem(6), "-e", "asp", "--plot", chart).returncode == 0
    assert "<title>sudoku: asp</title>" in chart.read_text()
    found = run_json("puzzle", "compare", "sudoku", problem(6), "-e", "asp", "--plot", "times.bmp", "--json", code=2)
    assert found["error"]["message"] == "there is no chart format 'bmp'"


def test_compare_as_csv() -> None:
    rows = list(csv.DictReader(io.StringIO(run("puzzle", "compare", "sudoku", problem(6), "-e", "asp,clpfd", "--csv").stdout)))
    assert [(row["engine"], row["verdict"]) for row in rows] == [("asp", "ambiguous"), ("clpfd", "ambiguous")]
    assert float(rows[1]["post_seconds"]) > 0
    assert int(rows[1]["inferences"]) > 100_000


def test_compare_skips_bad_files_only_when_told() -> None:
    assert run("puzzle", "compare", "sudoku", problem(1), problem(2), "-e", "asp").returncode == 2
    done = run("puzzle", "compare", "sudoku", problem(1), problem(2), "-e", "asp", "--skip-bad")
    assert done.returncode == 0
    assert "skipped" in done.stderr


def test_engines_and_puzzles_are_listed() -> None:
    listed = {one["name"]: one for one in run_json("puzzle", "engines", "--json")["engines"]}
    assert [*listed][:4] == ["asp", "clpfd", "auto", "bt"]
    assert all(one["installed"] and one["problem"] is None for one in listed.values())
    lines = [line.strip() for line in run("puzzle", "engines").stdout.splitlines()]
    for name, solver in (("asp", "clingo 5."), ("clpfd", "SWI-Prolog "), ("cp-sat", "ortools 9.")):
        assert listed[name]["solver"].startswith(solver)
        assert listed[name]["solver"] in lines
    assert listed["mac"]["solver"] is None
    assert "find, enumerate, prove, exact" in run("puzzle", "engines").stdout
    assert run_json("puzzle", "kinds", "--json")["puzzles"][0]["name"] == "sudoku"
    assert "box" in run("puzzle", "kinds").stdout


@pytest.mark.parametrize(
    ("words", "stdin", "message"),
    [
        (["puzzle", "check", "sudoku", "nowhere.txt"], None, "lpbridge: nowhere.txt: no such file; check the path"),
        (["puzzle", "check", "sudoku", "."], None, "lpbridge: .: this is a folder; name a file in it"),
        (["puzzle", "check", "sudoku", "-"], "", "lpbridge: <stdin>: there is no puzzle in here: the text is empty"),
        (["puzzle", "check", "sudoku", "-"], "12\n1", "lpbridge: <stdin>:2: row 2 has 1 cell"),
        (["puzzle", "check", "sudoku", "-", "-e", "spam"], "." * 81, "lpbridge: there is no engine 'spam'; one of: asp, clpfd"),
        (["puzzle", "check", "sudoku", "-", "-O", "size=3"], "." * 81, "lpbridge: sudoku has no option 'size'"),
        (["puzzle", "check", "sudoku", "-", "-O", "box=2x3"], "." * 81, "lpbridge: <stdin>:1:1: boxes of 2x3 do not fit 9 rows"),
        (["puzzle", "check", "sudoku"], None, "lpbridge: Missing argument 'FILE'; see `lpbridge puzzle check --help`"),
        (["puzzle", "check", "chess", "-"], None, "lpbridge: Invalid value for 'PUZZLE'"),
        (["puzzle", "check", "sudoku", "-", "-t", "0"], "." * 81, "lpbridge: Invalid value for '-t'"),
        (["puzzle", "residual", "sudoku", "-", "-e", "bt"], "." * 81, "lpbridge: engine bt does not have the ability 'propagated'"),
        (["frobnicate"], None, "lpbridge: No such command 'frobnicate'; see `lpbridge --help`"),
        (["diagnos", "a.lp"], None, "lpbridge: No such command 'diagnos' (do you mean `lpbridge diagnose`?)"),
        (["check", "a.lp"], None, "lpbridge: No such command 'check' (use `lpbridge diagnose --only verdict`)"),
        (["rules.lp"], None, "lpbridge: No such command 'rules.lp' (do you mean `lpbridge run rules.lp`?)"),
        (["puzzle", "diagnose"], None, "lpbridge: Missing argument 'PUZZLE'. It is a kind of puzzle, which `lpbridge puzzle kinds` lists"),
        (["puzzle", "batch", "check", "nowhere.lp", "-"], None, "lpbridge: nowhere.lp: no such file; check the path"),
        (["--frobnicate"], None, "lpbridge: No such option"),
    ],
)
def test_what_is_wrong_is_one_line_and_exit_code_2(words: list[str], stdin: str | None, message: str) -> None:
    done = run(*words, stdin=stdin)
    assert done.returncode == 2
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith(message)


def test_a_file_that_is_called_like_an_option(tmp_path: Path) -> None:
    done = called("puzzle", "draw", "sudoku", "-", "-o", "./box=2x2.svg", stdin="." * 16, folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert [file.name for file in tmp_path.iterdir()] == ["box=2x2.svg"]


@pytest.mark.parametrize("spelling", [["-O", "box=2x3"], ["--option", "box=2x3"], ["-Obox=2x3"]])
def test_the_option_of_a_puzzle(spelling: list[str]) -> None:
    assert run("puzzle", "solve", "sudoku", "-", *spelling, stdin="." * 36).returncode == 0


def test_clingo_is_a_name_of_an_engine() -> None:
    assert run_json("puzzle", "check", "sudoku", problem(6), "-e", "clingo", "--json")["engine"] == "asp"
    assert run_json("puzzle", "solve", "sudoku", problem(6), "-e", "prolog", "--json")["engine"] == "clpfd"


def test_an_error_is_json_too() -> None:
    found = run_json("puzzle", "check", "sudoku", problem(2), "--json", code=2)
    assert found["error"]["kind"] == "input"
    assert found["error"]["where"].endswith("report3-problem2.txt:2:15")
    assert "holds 10" in found["error"]["message"]
    assert run_json("puzzle", "check", "sudoku", "--json", code=2)["error"]["kind"] == "usage"


def test_a_binary_file(tmp_path: Path) -> None:
    file = tmp_path / "binary"
    file.write_bytes(bytes(range(256)))
    done = run("puzzle", "check", "sudoku", file)
    assert done.returncode == 2
    assert "is not UTF-8: this is not text" in done.stderr


@pytest.mark.slow
def test_without_swi_prolog_everything_else_works(tmp_path: Path) -> None:
    """clpfd says what is missing and how to get it."""
    # As it is where no SWI-Prolog was ever installed: none on PATH, no private copy, no record, no janus.
    blind = f"import bridge.prolog.locate as l, pathlib; l.record_path = lambda: pathlib.Path({str(tmp_path)!r}) / 'none'\n"
    env = {"PATH": str(tmp_path), "LPBRIDGE_HOME": str(tmp_path), "LPBRIDGE_SWIPL": ""}

    def run_without(*words: str | Path) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", f"{blind}from bridge.cli import main; main()", *map(str, words)]
        return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env={**os.environ, **env}, timeout=PATIENCE)

    assert run_without("puzzle", "check", "sudoku", problem(1)).returncode == 0
    done = run_without("puzzle", "check", "sudoku", problem(6))
    assert done.returncode == 0
    assert "4 open cells (exact, asp)" in done.stdout
    assert "note: propagated residual not shown: SWI-Prolog is not installed; run: lpbridge install-prolog" in done.stdout
    done = run_without("puzzle", "solve", "sudoku", problem(1), "-e", "clpfd")
    assert done.returncode == 2
    assert done.stderr == "lpbridge: SWI-Prolog is not installed; run: lpbridge install-prolog\n"
    done = run_without("puzzle", "compare", "sudoku", problem(1))
    assert done.returncode == 0
    assert "clpfd did not run: SWI-Prolog is not installed" in done.stdout


@pytest.mark.parametrize(
    "command",
    ["", "diagnose", "compare", "puzzle", "puzzle check", "puzzle solve", "puzzle residual", "puzzle compare", "puzzle engines", "puzzle kinds", "doctor", "install-prolog", "completion"],
)
def test_help_teaches(command: str) -> None:
    done = run(*command.split(), "--help")
    assert done.returncode == 0
    assert "Usage: lpbridge" in done.stdout
    assert len(done.stdout.splitlines()) > 6


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(shell: str) -> None:
    assert "_LPBRIDGE_COMPLETE" in run("completion", shell).stdout
    words = {"COMP_WORDS": "lpbridge puzzle solve sudoku x -e mac+", "COMP_CWORD": "6", "_LPBRIDGE_COMPLETE": "bash_complete"}
    assert "mac+mrv" in run(env=words).stdout


def test_version() -> None:
    assert run("--version").stdout == f"lpbridge, version {bridge.__version__}\n"


@pytest.mark.parametrize("command", ["check", "diagnose", "solve", "count", "grade", "residual"])
def test_what_clingo_warns_of_is_shown(command: str, tmp_path: Path) -> None:
    folder = ROOT / "encodings" / "akari"
    text = (folder / "akari.lp").read_text()
    wrong = ":- cell(R, C, 1), wrongname(R), C = 1.\n"
    (tmp_path / "akari.lp").write_text(text.replace("#program workbench.", f"{wrong}#program workbench."))
    line = 1 + text[: text.index("#program workbench.")].count("\n")
    words = ["puzzle", command, "akari.lp", str(folder / "akari.txt")]
    found = called(*words, folder=tmp_path)
    pattern = rf"akari\.lp:{line}:\d+-\d+: info: atom does not occur in any rule head: wrongname"
    if command in ("check", "diagnose"):
        assert re.match(pattern, found.stdout)
        (warning,) = json.loads(called(*words, "--json", folder=tmp_path).stdout)["warnings"]
        assert (warning["file"], warning["line"]) == ("akari.lp", line)
    else:
        assert re.match(pattern, found.stderr)
    right = called("puzzle", command, str(folder / "akari.lp"), words[-1])
    assert "info:" not in right.stdout + right.stderr
