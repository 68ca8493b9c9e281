"""`lpbridge puzzle convert`, and other commands that read any format."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from command import called
from shared_data import ROOT

from bridge.cli import lpbridge
from bridge.errors import InputError
from bridge.puzzles import formats, load
from bridge.puzzles.cli.reading import read_puzzle

EXAMPLES = ROOT / "examples"
PROBLEM = EXAMPLES / "sudoku" / "report3-problem6.txt"
SOLO = "3x3:a2e9a5b6a2b3_7a1_4a9_6a2b4_1a7_2b1_7e6_9b2_5a8_1b6a5_9a3_8a7_2b8a6b1a1e4a"
WORDS = EXAMPLES / "crossword" / "report5.words"


def run(*words: str | Path, stdin: str | bytes | None = None, code: int = 0) -> Any:
    done = CliRunner().invoke(lpbridge, list(map(str, words)), input=stdin)
    assert done.exit_code == code, (done.output, done.exception)
    return done


def failing(*words: str | Path, stdin: str = "") -> tuple[int, str, str]:
    """With the errors as a person sees them."""
    done = called(*words, stdin=stdin)
    return done.returncode, done.stdout, done.stderr


def test_from_file_to_file(tmp_path: Path) -> None:
    out = tmp_path / "p6.ipuz"
    assert run("puzzle", "convert", PROBLEM, out, "--puzzle", "sudoku").output == ""
    assert formats.load(out) == [load("sudoku", PROBLEM)]
    for name in ("json", "jsonl", "sdk", "sdm", "lp", "pl", "txt"):
        back = tmp_path / f"p6.{name}"
        assert run("puzzle", "convert", out, back).output == ""
        assert formats.load(back, puzzle="sudoku") == [load("sudoku", PROBLEM)]


def test_through_pipes() -> None:
    text = run("puzzle", "convert", "-", "-", "--to", "line", stdin=SOLO + "\n").stdout
    assert run("puzzle", "convert", "-", "-", "--to", "solo", stdin=text).stdout == SOLO + "\n"
    assert len(run("puzzle", "convert", "-", "-", "--to", "pl", stdin=f"{SOLO}\n{SOLO}").stdout.split("puzzle(")) == 3
    packed = run("puzzle", "convert", "-", "-", "--to", "puz", "--lossy", "-p", "crossword", "--words", WORDS, stdin="..\n..\n")
    assert b"ACROSS&DOWN" in packed.stdout_bytes


def test_what_is_lost_is_said(tmp_path: Path) -> None:
    out = tmp_path / "x.puz"
    text = EXAMPLES / "crossword" / "report5.txt"
    code, stdout, stderr = failing("puzzle", "convert", text, out, "--words", WORDS)
    assert (code, stdout) == (2, "")
    assert "cannot carry the list of words" in stderr
    assert not out.exists()
    done = run("puzzle", "convert", text, out, "--words", WORDS, "--lossy")
    assert done.stderr == "lpbridge: the format puz does not carry the list of words: left out\n"
    assert formats.load(out, words=str(WORDS)) == [load("crossword", text, words=str(WORDS))]


def test_json(tmp_path: Path) -> None:
    done = json.loads(run("puzzle", "convert", "-", "-", "--to", "line", "--json", stdin=f"# two\n{SOLO}\n{SOLO}").stdout)
    assert done["from"] == "solo"
    assert done["puzzles"] == ["sudoku", "sudoku"]
    assert (done["to"], done["output"], done["notes"]) == ("line", "-", [])
    assert len(done["text"].splitlines()) == 2
    out = tmp_path / "x.sdk"
    done = json.loads(run("puzzle", "convert", "-", out, "--json", stdin=SOLO).stdout)
    assert "text" not in done
    assert out.exists()
    code, stdout, _ = failing("puzzle", "convert", "-", "-", "--to", "text", "--json", stdin="5a:0,0,")
    error = json.loads(stdout)["error"]
    assert (code, error["kind"], error["where"]) == (2, "unsupported", "<stdin>:1:1")
    assert "adjacent mode" in error["message"]


@pytest.mark.parametrize(
    ("words", "stdin", "message"),
    [
        (["-", "-"], SOLO, "<stdout>: the name does not determine the format; name it (--to)"),
        (["-", "x.sdk"], "1 2\n. .", "this may be a sudoku or a latin-square or a futoshiki or a magic-square"),
        (["-"], SOLO, "IN and OUT are wanted"),
        (["nothing.sdk", "-", "--to", "text"], "", "nothing.sdk: no such file; check the path"),
        (["-", "-", "--to", "solo"], "5:0,0", "<stdin>:1:3: 2 cells, but order 5 has 25"),
        (["-", "-", "--to", "unruly"], SOLO, "does not carry a Sudoku; it carries takuzu"),
        (["-", "-", "--to", "xls"], SOLO, "there is no format 'xls'; one of: text, json"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(words: list[str], stdin: str, message: str) -> None:
    code, stdout, stderr = failing("puzzle", "convert", *words, stdin=stdin)
    assert (code, stdout) == (2, "")
    assert message in stderr
    assert "Traceback" not in stderr


def test_the_list_of_formats() -> None:
    text = run("puzzle", "convert", "--list").stdout
    listed = json.loads(run("puzzle", "convert", "--list", "--json").stdout)["formats"]
    assert [one["name"] for one in listed] == list(formats.names())
    assert all(f"\n{one['name']}" in f"\n{text}" for one in listed)
    assert json.loads(run("puzzle", "convert", "--schema", "takuzu").stdout) == formats.schema("takuzu")


@pytest.mark.parametrize(
    "name", ["solo", "puzzlink", "fpuzzles", "sdk", "ipuz", "json", "jsonl", "lp", "pl", "candidates"]
)
def test_check_reads_any_format(name: str, tmp_path: Path) -> None:
    written = formats.encode(load("sudoku", PROBLEM), name)

    def found(*words: str | Path, stdin: str | None = None) -> Any:
        return json.loads(run("puzzle", "residual", "sudoku", *words, "--json", stdin=stdin).stdout)["open"]

    expected = found(PROBLEM)
    assert found("-", "--format", name, stdin=written.text) == expected
    if name != "candidates":  # as text, these are a line of a Sudoku of size 27
        assert found("-", stdin=written.text) == expected
    for suffix in formats.codec(name).suffixes[:1]:
        file = tmp_path / f"p6{suffix}"
        file.write_bytes(written.data)
        assert found(file) == expected


def test_check_tells_what_was_left_out_and_what_is_wrong() -> None:
    sdk = "#Ssource\n" + formats.encode(load("sudoku", PROBLEM), "sdk").text
    assert run("puzzle", "check", "sudoku", "-", "-F", "sdk", stdin=sdk).stderr == "lpbridge: left out: the source\n"
    for stdin, message in [
        ("3x3k:zzzc,abc", "3x3k has 2 parts after the grid, not 1"),
        ("..x", "3 characters are not square"),
        ("5:0D,0", "looks like the format unequal, which has no sudoku"),
        ('{"grid": [[7]]}', "r1c1"),
    ]:
        code, stdout, stderr = failing("puzzle", "check", "sudoku", "-", stdin=stdin)
        assert (code, stdout) == (2, "")
        assert message in stderr


def test_the_text_form_loads_no_format() -> None:
    code = (
        "import sys; from bridge.puzzles.cli.reading import read_puzzles; read_puzzles('sudoku', sys.argv[1]);"
        "print(sorted(name for name in sys.modules if name.startswith('bridge.puzzles.formats')))"
    )
    done = subprocess.run([sys.executable, "-c", code, str(PROBLEM)], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_one_puzzle(tmp_path: Path) -> None:
    file = tmp_path / "games"
    file.write_text(f"{SOLO}\n")
    assert read_puzzle("sudoku", str(file)) == formats.load(file)[0]
    file.write_text(f"{SOLO}\n{SOLO}\n")
    with pytest.raises(InputError, match="games: 2 puzzles, but one is wanted"):
        read_puzzle("sudoku", str(file))


def test_a_wrong_option_is_no_wrong_text() -> None:
    code, _, stderr = failing("puzzle", "check", "sudoku", "-", "-O", "box=2x2", stdin="." * 81)
    assert code == 2
    assert "boxes of 2x2 do not fit 9 rows" in stderr
    code, _, stderr = failing("puzzle", "check", "crossword", "-", "--words", "nothing.words", stdin="..\n..")
    assert "nothing.words: no such file" in stderr
