"""Wrong calls of every command: one line that says what, where and what to do; exit code 2; never a traceback."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NoReturn

import click
import pytest
from many_calls import Called, called

from bridge.cli import _COMMANDS, lpbridge
from bridge.cli.schema import forms, lines
from bridge.puzzles.cli import _COMMANDS as _OF_PUZZLES

PUZZLE = "examples/sudoku/report3-problem6.txt"
FOLDER = Path("/nowhere")

#: Files that are no puzzle, by name.
FILES: dict[str, bytes] = {
    "empty.txt": b"",
    "nul.txt": b"1\0\0\0",
    "binary.txt": b"\xff\xfe\x80\0" * 99,
    "half.json": b"{",
    "none.json": b'{"puzzle": "sudoku"}',
    "list.json": b"[1, 2]",
    "kind.json": b'{"puzzle": ["x"], "grid": {}}',
    "nan.json": b'{"puzzle": "sudoku", "grid": [[NaN, 1], [1, 2]]}',
    "infinite.json": b'{"puzzle": "sudoku", "grid": [[1e999, 1], [1, 2]]}',
    "digits.json": b'{"puzzle": "sudoku", "grid": [[' + b"9" * 5000 + b"]]}",
    "deep.json": b"[" * 100_000,
    "half-letter.json": b'{"puzzle": "sudoku", "grid": [["\\ud800"]]}',
    "string.json": b'"abc"',
    "order.txt": b"order " + b"9" * 5000,
    "bad.gz": b"\x1f\x8b\x08\0\0\0\0\0\0\0abc",
    "bad.ipuz": b"{}",
    "bad.puz": b"ACROSS&DOWN" + b"\0" * 20,
    "empty.lp": b"",
    "empty.pl": b"",
    "bad.lp": b"a(.\n",
    "bad.pl": b"a(.\n",
    "binary.lp": b"\xff\0" * 99,
    "binary.pl": b"\xff\0" * 99,
    "good.lp": b"{a; b}.\n",
    "tested.lp": b"{a; b}.\n%! test one: several\n",
    "good.pl": b"p(1). p(2).\n",
    "constraints.pl": b":- use_module(library(clpfd)).\np(X) :- X in 1..2, X #\\= 2.\n",
    "no.words": b"",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("wrong")
    for name, data in FILES.items():
        (path / name).write_bytes(data)
    (path / "folder").mkdir()
    return path


READERS = ("check", "solve", "residual", "grade", "diagnose", "explain", "draw", "count", "csp", "compare")


def wrong_calls(folder: Path) -> Iterator[list[str]]:
    """Every one of them is wrong."""
    for name in FILES:
        if name.endswith((".txt", ".json", ".gz", ".ipuz", ".puz")) and name != "order.txt":
            yield ["puzzle", "check", "sudoku", f"{folder}/{name}"]
    for command in READERS:
        yield ["puzzle", command]
        yield ["puzzle", command, "nowhere", PUZZLE]
        yield ["puzzle", command, "sudoku"]
        yield ["puzzle", command, "sudoku", "/nowhere"]
        yield ["puzzle", command, "sudoku", f"{folder}/folder"]
        yield ["puzzle", command, "sudoku", f"{folder}/binary.txt"]
        yield ["puzzle", command, "sudoku", PUZZLE, "--nowhere"]
        yield ["puzzle", command, "sudoku", PUZZLE, "--format", "nowhere"]
        yield ["puzzle", command, "sudoku", PUZZLE, "--option", "nowhere=1"]
        yield ["puzzle", command, "crossword", PUZZLE]
        if command != "csp":
            for seconds in ("-1", "0", "nan", "inf", "1e300", "x"):
                yield ["puzzle", command, "sudoku", PUZZLE, "-t", seconds]
        if command in ("solve", "count", "compare"):
            for number in ("-1", "x", "1.5", "9" * 25):
                yield ["puzzle", command, "sudoku", PUZZLE, "-n", number]
    for words in (
        "-e nowhere", "-e mac+wrong", "--expect nowhere", "--json --jsonl", "--option box=0x0", "--option box=x",
        f"--option box={'9' * 20}x1", "--option =",
    ):  # fmt: skip
        yield ["puzzle", "check", "sudoku", PUZZLE, *words.split()]
    yield ["puzzle", "check", "latin-square", f"{folder}/order.txt"]
    for words_file in ("/nowhere", str(folder), f"{folder}/binary.txt", f"{folder}/no.words"):
        yield ["puzzle", "check", "crossword", "examples/crossword/report5.txt", "--words", words_file]
    for words in ("--cubes 0", "--jobs 2", "--cubes 2 --jobs 99999999", "--cubes x"):
        yield ["puzzle", "count", "sudoku", PUZZLE, *words.split()]
    for words in ("-e ,", "-e nowhere", "--json --csv", "--plot x.bmp", "--plot /nowhere/x.svg", f"--plot {folder}"):
        yield ["puzzle", "compare", "sudoku", PUZZLE, *words.split()]
    for words in (
        f"{folder}/good.lp", f"{folder}/good.lp /nowhere.lp", f"{folder}/good.lp {folder}/bad.lp",
        f"{folder}/good.lp {folder}/good.pl", f"{folder}/good.lp {folder}/good.lp --goal p(X)", f"{folder}/good.lp asp",
        f"{folder}/good.lp {folder}/none.py:solve", f"{folder}/good.lp nomodule:solve",
        f"{folder}/good.lp {folder}/good.lp --show a", f"{folder}/good.lp {folder}/good.lp -c n=4..1",
        f"{folder}/good.lp {folder}/good.lp -i /nowhere.lp", f"{folder}/good.lp {folder}/good.lp -i {folder}/good.lp",
        f"{folder}/good.lp {folder}/good.lp --generator /nowhere.lp", f"{folder}/good.lp {folder}/good.lp -t nan",
        f"{folder}/good.lp {folder}/good.lp --generator {folder}/empty.lp -i x.lp --json --csv",
        f"{folder}/good.pl {folder}/good.pl -g p(X) -g p(Y) -g p(Z)", f"{folder}/good.pl {folder}/good.pl -g p(",
    ):  # fmt: skip
        yield ["compare", *words.split()]
    for words in (
        "", f"{folder}/good.lp", "/nowhere.lp --missing a", f"{folder}/good.lp --against /nowhere.lp",
        f"{folder}/good.lp --against {folder}/good.lp -i /nowhere.lp", f"{folder}/good.lp --missing",
        f"{folder}/good.lp --missing a --hint --fix", f"{folder}/good.lp --missing a(", f"{folder}/good.lp --missing a --show a",
    ):  # fmt: skip
        yield ["debug", *words.split()]
    for words in (
        "", "/nowhere.lp", f"{folder}/good.lp", f"{folder}/tested.lp -t 0", f"{folder}/tested.lp --watch --json",
        f"{folder}/good.pl", f"{folder}/tested.lp --lcov /nowhere/x",
    ):  # fmt: skip
        yield ["test", *words.split()]
    for words in (
        "", "/nowhere.lp", f"{folder}/good.pl", f"{folder}/good.lp -i /nowhere.lp", f"{folder}/good.lp -c nowhere=1",
        f"{folder}/good.lp -t 0", f"{folder}/good.lp -c n=1..2 -i {folder}/good.lp", f"{folder}/good.lp -c n=2..1",
    ):  # fmt: skip
        yield ["profile", *words.split()]
    for words in (
        "", f"{folder}/good.pl", f"{folder}/good.pl {folder}/good.pl", f"{folder}/good.pl {folder}/good.pl --expected /nowhere.json",
        f"{folder}/good.pl /nowhere.pl -g a", f"/nowhere.pl {folder}/good.pl -g a", f"{folder}/good.lp {folder}/good.lp -g a",
        f"{folder}/good.pl {folder}/good.pl -g a -t 0",
    ):  # fmt: skip
        yield ["judge", *words.split()]
    for words in (
        "", "check", f"check {folder}/good.lp", f"check {folder}/good.lp /nowhere.lp", f"check /nowhere.lp {folder}/good.lp",
        f"draw {folder}/good.lp {folder}/good.lp", f"check {folder}/good.lp {folder}/good.lp -c nowhere=1",
        f"check {folder}/good.lp {folder}/good.lp --resume", f"check {folder}/good.lp {folder}/good.lp -t nan",
    ):  # fmt: skip
        yield ["batch", *words.split()]
    for words in ("", "/nowhere.lp", f"{folder}/good.lp --explain nothing"):
        yield ["lint", *words.split()]
    for words in (
        "", "/nowhere.lp --tests x.lp", f"{folder}/good.lp", f"{folder}/bad.lp --tests {folder}/good.lp",
        f"{folder}/good.lp --against /nowhere.lp", f"{folder}/good.lp --against asp", f"{folder}/good.lp --show a -c n=1",
        f"{folder}/good.lp --tests /nowhere.lp", f"{folder}/good.lp --tests {folder}/good.lp",
    ):  # fmt: skip
        yield ["mutate", *words.split()]
    for words in ("--cell r0c0", "--cell x", f"--cell r{'9' * 20}c1", "--json --jsonl"):
        yield ["puzzle", "explain", "sudoku", PUZZLE, *words.split()]
    for words in (
        "-o /nowhere/x.svg", f"-o {folder}/folder", "-o x.bmp", "--number 7", "--number 0", "--solution --conflict",
        "--conflict", "--step 0", "--as nowhere",
    ):  # fmt: skip
        yield ["puzzle", "draw", "sudoku", PUZZLE, *words.split()]
    for words in ("", "sudoku", f"sudoku {PUZZLE}", f"sudoku {PUZZLE} -o x.svg", f"sudoku {PUZZLE} -o x.pdf --columns 9"):
        yield ["puzzle", "sheet", *words.split()]
    for words in (
        "", "check", "check sudoku", f"draw sudoku {PUZZLE}", "check sudoku /nowhere", f"check sudoku {folder}",
        f"check sudoku {folder}/bad.gz", f"check sudoku {PUZZLE} -o {folder}", f"check sudoku {PUZZLE} --resume",
        f"check sudoku {PUZZLE} -o /nowhere/x", f"check sudoku {PUZZLE} -e nowhere", f"grade sudoku {PUZZLE} -e mac",
        f"check sudoku {PUZZLE} -t nan", f"check sudoku {PUZZLE} --jobs 0", f"check sudoku {PUZZLE} --option x=1",
        f"check sudoku {PUZZLE} -o {folder}/good.lp", f"count sudoku {PUZZLE} --residual none",
        f"solve sudoku {PUZZLE} --propagation mac", f"check sudoku {PUZZLE} --propagation bt", f"check sudoku {PUZZLE} --residual all",
    ):  # fmt: skip
        yield ["puzzle", "batch", *words.split()]
    for words in (
        "", "--size 0", "--size 9999", "--size x", "--size 9 --clues 99999999999", "--size 9 -n 0", "--size 9 -t nan",
        "--size 4 --symmetry nowhere", "--size 4 --seed -1", "--size 4 --black 1", "--size 4 --attempts 0",
        "--size 4 --json --jsonl",
    ):  # fmt: skip
        yield ["puzzle", "generate", "sudoku", *words.split()]
    yield ["puzzle", "generate", "crossword", "--size", "5", "--words", "/nowhere"]
    yield ["puzzle", "generate", "crossword", "--size", "5", "--words", f"{folder}/no.words"]
    for words in (
        "", "a", "/nowhere x.ipuz", f"{PUZZLE} x.nowhere", f"{PUZZLE} /nowhere/x.ipuz -p sudoku",
        f"{PUZZLE} - --to nowhere -p sudoku", f"{PUZZLE} - --from nowhere --to text", f"{folder} - --to text",
        f"{PUZZLE} {folder} --to text -p sudoku", f"{PUZZLE} - --to puz -p sudoku", "--schema nowhere",
        f"{PUZZLE} - -p nowhere --to text", f"{PUZZLE} - --to text",
    ):  # fmt: skip
        yield ["puzzle", "convert", *words.split()]
    for name in ("bad.ipuz", "bad.puz", "deep.json", "digits.json", "empty.txt", "binary.txt", "half.json"):
        yield ["puzzle", "convert", f"{folder}/{name}", "-", "--to", "text"]
    for words in (
        "", "/nowhere", "/nowhere.lp", str(folder), PUZZLE, f"{folder}/bad.lp", f"{folder}/binary.lp",
        f"{folder}/empty.lp {folder}/empty.pl", f"{folder}/good.lp --goal a", f"{folder}/good.pl --brave",
        f"{folder}/good.lp --brave --count", f"{folder}/good.lp -c n", f"{folder}/good.lp -c N=1",
        f"{folder}/good.lp -n -1", f"{folder}/good.lp --memory 0", f"{folder}/good.lp --memory {'9' * 30}",
        f"{folder}/good.lp --memory 99999999T", f"{folder}/good.lp --untrusted --in-process",
        f"{folder}/good.pl --label X", f"{folder}/good.lp -t nan", f"{folder}/good.lp -t 1e300",
        f"{folder}/good.lp --json --jsonl",
    ):  # fmt: skip
        yield ["run", *words.split()]
    for words in (
        "", "/nowhere.lp a", f"{folder} a", f"{folder}/good.lp", f"{folder}/bad.lp a", f"{folder}/good.lp a. --not",
        f"{folder}/good.lp a(", f"{folder}/good.lp --cost", f"{folder}/good.pl --goal p(X) --cost", f"{folder}/good.pl",
        f"{folder}/good.lp a -t nan", f"{folder}/good.lp a --json --format nowhere",
    ):  # fmt: skip
        yield ["why", *words.split()]
    for command in ("diagnose", "count", "explain"):
        for words in ("/nowhere.lp", f"{folder}/bad.lp", f"{folder}/binary.lp", f"{folder}/good.lp --goal a"):
            yield [command, *words.split()]
    for words in (
        "", "/nowhere.lp", str(folder), f"{folder}/empty.pl", f"{folder}/bad.lp", f"{folder}/bad.lp --text",
        f"{folder}/good.lp --text --json", "sudoku", "nowhere x",
        f"{folder}/good.lp -t 1e300",
    ):  # fmt: skip
        yield ["ground", *words.split()]
    for words in (
        "puzzle goal-csp", "puzzle goal-csp /nowhere.pl -g p(X)", "puzzle engines x", "puzzle kinds x", "puzzle new-kind", "puzzle new-kind X", "puzzle new-kind x --to /nowhere/at/all", "puzzle report 9", "puzzle report x", "puzzle report --save /nowhere/x",
        "puzzle report --save /", "puzzle report -t nan", "doctor x", "mcp x", "lsp x", "schema nowhere", "schema puzzle", "schema mcp", "schema puzzle diagnose x", "facts", "facts x", "facts x=/nowhere.csv", "completion", "completion nowhere",
        "puzzle serve --port 99999", "puzzle serve --port x", "puzzle serve --jobs 0",
        "puzzle serve --jobs 99999999999", "nowhere", "--nowhere", "puzzle nowhere",
    ):  # fmt: skip
        yield words.split()


@pytest.mark.slow
def test_wrong_calls(folder: Path) -> None:
    """All of them; as JSON, where a command has it, which prints the same line on standard error."""
    calls = [*wrong_calls(folder)]
    assert len(calls) > 250
    assert {command_of(words) for words in calls} >= ALL - {"install-prolog"}
    forms = {"--json", "--jsonl", "--text"}
    for one in called([[*words, "--json"] if has_json(command_of(words)) and not forms & {*words} else words for words in calls]):
        assert one.code == 2, one
        assert_one_error(one)
        if "--json" not in one.words:
            assert not one.out, one
            continue
        error = strict(one.out)["error"]
        assert strict(one.out)["errors"][0]["message"] == error["message"], one
        assert error.keys() <= {"kind", "message", "where", "hint"}, one
        assert error["kind"] in ("input", "usage", "program", "unsupported"), one
        assert error["message"], one


@pytest.mark.slow
def test_wrong_calls_that_are_printed_for_people(folder: Path) -> None:
    """One of each command, and those that name a place: the line in question follows, with a mark."""
    first: dict[str, list[str]] = {}
    for words in wrong_calls(folder):
        first.setdefault(command_of(words), words)
    placed = [words for words in wrong_calls(folder) if f"{folder}/bad.lp" in words and "--json" not in words]
    for one in called([*first.values(), *placed]):
        assert (one.code, one.out) == (2, ""), one
        assert_one_error(one)
        assert len(one.err.splitlines()) == (3 if f"{folder}/bad.lp:" in one.err else 1), one


def assert_one_error(one: Called) -> None:
    """One line, and perhaps the line of the input that it is about, with a mark below."""
    lines = one.err.splitlines()
    assert lines, one
    assert lines[0].startswith("lpbridge: "), one
    assert len(lines) <= 3, one
    assert all(line.partition("|")[0].strip().isdigit() for line in lines[1:2]), one
    assert all(line.strip() == "^" for line in lines[2:]), one
    for sign in ("Traceback", "bug in lpbridge", "please report", "Exception"):
        assert sign not in one.err, one


def command_of(words: Sequence[str]) -> str:
    """The command that a call names: `puzzle check`, `run`."""
    return " ".join(words[: 2 if words[:1] == ["puzzle"] else 1])


#: All commands; not the group of those about puzzles.
ALL = {*(name for name in _COMMANDS if name != "puzzle"), *(f"puzzle {name}" for name in _OF_PUZZLES)}


def has_json(name: str) -> bool:
    return has_option(name, "--json")


def has_option(name: str, option: str) -> bool:
    group: click.Command | None = lpbridge
    for word in name.split():
        assert isinstance(group, click.Group)
        group = group.get_command(click.Context(group), word)
    return group is not None and any(option in parameter.opts for parameter in group.params)


def strict(text: str) -> Any:
    """The one JSON object that a text is."""
    assert text.count("\n") == 1
    assert text.endswith("}\n"), text
    return strict_value(text)


def strict_value(text: str) -> Any:
    """What a text is as RFC 8259 has it."""

    def refuse(name: str) -> NoReturn:
        raise AssertionError(f"{name} is no JSON")

    text.encode("utf-8")
    return json.loads(text, parse_constant=refuse)


@pytest.mark.slow
def test_standard_input_that_is_closed() -> None:
    commands = ["puzzle check sudoku -", "puzzle batch check sudoku -", "run -", "ground -", "puzzle convert - - --to text"]
    for one in called([command.split() for command in commands], stdin="closed"):
        assert (one.code, one.out) == (2, ""), one
        assert_one_error(one)
        assert "standard input is closed" in one.err, one


def one_call_each(folder: Path) -> list[list[str]]:
    """The first of the small calls of each command with each kind of problem."""
    first: dict[tuple[str, str], list[str]] = {}
    for words in small_calls(folder):
        first.setdefault((command_of(words), Path(words[1]).suffix if len(words) > 1 else ""), words)
    return [*first.values()]


def small_calls(folder: Path) -> list[list[str]]:
    """Every command that prints JSON, on something small."""
    (folder / "four.txt").write_text("12..\n....\n....\n..34\n")
    four = f"{folder}/four.txt"
    return [
        *(["puzzle", command, "sudoku", four] for command in READERS if command != "draw"),
        ["puzzle", "compare", "sudoku", four, "-e", "asp,mac"],
        ["compare", f"{folder}/good.lp", f"{folder}/good.lp"],
        ["mutate", f"{folder}/good.lp", "--against", f"{folder}/good.lp"],
        ["debug", f"{folder}/good.lp", "--unwanted", "nowhere"],
        ["test", f"{folder}/tested.lp", "--coverage"],
        ["lint", f"{folder}/good.lp"],
        ["profile", f"{folder}/good.lp"],
        ["judge", f"{folder}/good.lp", f"{folder}/good.lp"],
        ["puzzle", "count", "sudoku", four, "--cubes", "2", "--jobs", "1"],
        ["puzzle", "check", "takuzu", "examples/takuzu/six-solutions.txt"],
        ["puzzle", "diagnose", "sudoku", "examples/sudoku/report3-problem6.txt"],
        ["puzzle", "generate", "sudoku", "--size", "4", "--seed", "1", "-n", "2"],
        ["puzzle", "generate", "sudoku", "--size", "4", "--clues", "1", "--attempts", "1"],
        ["puzzle", "convert", four, "-", "--to", "text", "-p", "sudoku"],
        ["puzzle", "convert", four, f"{folder}/four.ipuz", "-p", "sudoku"],
        ["puzzle", "convert", "--list"],
        ["run", f"{folder}/good.lp", "-n", "0"],
        *(["run", f"{folder}/good.lp", question] for question in ("--count", "--brave", "--optimal")),
        ["run", f"{folder}/good.pl"],
        ["run", f"{folder}/good.pl", "-g", "p(X)", "-n", "0"],
        ["why", f"{folder}/good.lp", "nowhere"],
        *([command, f"{folder}/good.lp"] for command in ("diagnose", "count", "explain")),
        ["diagnose", f"{folder}/good.lp", "--only", "open"],
        ["diagnose", f"{folder}/good.pl", "-g", "p(X)"],
        ["puzzle", "goal-csp", f"{folder}/constraints.pl", "-g", "p(X)", "-e", "cp-sat"],
        ["why", f"{folder}/good.pl", "-g", "p(X)"],
        ["ground", f"{folder}/good.lp"],
        ["ground", f"{folder}/good.lp", "--facts"],
        ["puzzle", "engines"],
        ["puzzle", "kinds"],
        ["puzzle", "report", "2", "-t", "0.001"],
        ["doctor"],
    ]


def test_every_command_that_prints_json_has_a_schema() -> None:
    """`json_forms` holds against it what the commands print in all tests."""
    assert {name for name in ALL if has_json(name)} == forms().keys()
    of_lines = {f"{name} {option}" for name in {*ALL} - {"schema"} for option in ("--jsonl", "--events") if has_option(name, option)}
    assert of_lines == {name for name in lines() if "--" in name}


@pytest.mark.slow
def test_json_is_strict_everywhere(folder: Path) -> None:
    calls = small_calls(folder)
    assert {command_of(words) for words in calls} == {name for name in ALL if has_json(name)} - {"install-prolog"}
    for one in called([[*words, "--json"] for words in calls]):
        assert one.code in (0, 1), one
        assert isinstance(strict(one.out), dict), one
        assert "Traceback" not in one.err, one


#: The commands that print a line of JSON for each of many; `explain` and `diagnose` of a program print parts.
JSONL = {"run", *(f"puzzle {name}" for name in ("check", "solve", "grade", "diagnose", "explain", "count", "generate"))}


@pytest.mark.slow
def test_json_lines_are_strict(folder: Path) -> None:
    calls = [
        [*words, "--jsonl"]
        for words in small_calls(folder)
        if command_of(words) in JSONL
    ]
    for one in called(calls):
        assert one.code in (0, 1), one
        for line in one.out.splitlines(keepends=True):
            assert line.endswith("\n")
            strict_value(line)


@pytest.mark.slow
@pytest.mark.parametrize("stdout", ["full", "closed"])
def test_standard_output_that_takes_nothing(folder: Path, stdout: str) -> None:
    if stdout == "full" and not os.path.exists("/dev/full"):
        pytest.skip("there is no /dev/full")
    calls = [
        *one_call_each(folder)[:: 4 if stdout == "full" else 6],
        ["puzzle", "draw", "sudoku", f"{folder}/four.txt", "-o", "-"],
        ["puzzle", "draw", "sudoku", f"{folder}/four.txt"],
        ["puzzle", "batch", "check", "sudoku", f"{folder}/four.txt", "--jobs", "1"],
        ["completion", "bash"],
        ["--help"],
        ["puzzle", "check", "--help"],
        ["--version"],
    ]
    said = "cannot be written: No space left on device" if stdout == "full" else "is closed"
    if stdout == "full":
        calls = [[*words, "--json"] if has_json(command_of(words)) else words for words in calls]
    for one in called(calls, stdout=stdout):
        assert one.code == 1, one
        assert f"lpbridge: standard output {said}" in one.err.splitlines(), one
        assert "Traceback" not in one.err, one
        assert "Exception" not in one.err, one


@pytest.mark.slow
def test_a_reader_that_has_seen_enough(folder: Path) -> None:
    calls = [
        *(words for words in one_call_each(folder)[::5] if command_of(words) not in ("doctor", "puzzle report")),
        ["puzzle", "generate", "sudoku", "--size", "4", "--clues", "1", "--attempts", "1"],
        ["puzzle", "draw", "sudoku", f"{folder}/four.txt", "-o", "-"],
        ["puzzle", "batch", "check", "sudoku", f"{folder}/four.txt", "--jobs", "1"],
        ["--help"],
    ]
    for one in called(calls, stdout="gone"):
        assert one.code == (1 if "--attempts" in one.words else 0), one
        assert "lpbridge: " not in one.err or "--attempts" in one.words, one
        assert "Traceback" not in one.err, one


def test_a_mistake_of_ours_is_told_in_a_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from bridge.cli import failures

    def wrong() -> None:
        raise RuntimeError("no such luck")

    monkeypatch.setattr("sys.argv", ["lpbridge", "engines", "--json"])
    assert failures.ended(wrong) == 1
    out, err = capsys.readouterr()
    error = strict(out)["error"]
    assert (error["kind"], error["message"]) == ("internal", "a bug in lpbridge: RuntimeError: no such luck")
    assert err.startswith("lpbridge: a bug in lpbridge: RuntimeError: no such luck; please report it")
    monkeypatch.setenv("LPBRIDGE_TRACEBACK", "1")
    with pytest.raises(RuntimeError):
        failures.ended(wrong)
