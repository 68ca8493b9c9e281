"""`lpbridge run` and `lpbridge ground`, as a person or a script uses them."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from command import called, called_bytes, interrupted_after_a_while
from patience import PATIENCE, given_time, until

from bridge.asp.program import _THEORIES
from bridge.asp.running.theories import THEORIES
from bridge.cli import growth, writers
from bridge.cli.run import run
from bridge.prolog.locate import current

QUEENS = """#const n = 4.
{ queen(R, 1..n) } = 1 :- R = 1..n.
:- queen(R, C), queen(R', C), R < R'.
:- queen(R, C), queen(R', C'), R < R', |R - R'| = |C - C'|.
"""
ROOMS = """:- use_module(library(clpfd)).
rooms(X, Y) :- [X, Y] ins 1..4, X #> Y + 1.
n(1). n(2). n(3).
say :- format("said~n"), format(user_error, "complained~n", []).
spin :- spin.
wrong(X) :- X is foo + 1.
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "queens.lp").write_text(QUEENS)
    (tmp_path / "rooms.pl").write_text(ROOMS)
    return tmp_path


def lpbridge(folder: Path, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return called(*arguments, stdin=stdin, folder=folder)


def process(folder: Path, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """In a process of its own, for what a program itself writes."""
    command = [sys.executable, "-m", "bridge", *arguments]
    return subprocess.run(command, cwd=folder, input=stdin, capture_output=True, text=True, timeout=PATIENCE)


def data(run: subprocess.CompletedProcess[str]) -> Any:
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_models(folder: Path) -> None:
    run = lpbridge(folder, "run", "queens.lp", "-n", "0")
    assert run.returncode == 0
    lines = run.stdout.splitlines()
    assert lines[0] == "model 1"
    assert sorted(lines[1].split()) == sorted(lines[1].split(), key=lambda atom: atom)
    assert lines[-1] == "2 models; the search is complete"
    one = lpbridge(folder, "run", "queens.lp")
    assert one.stdout.splitlines()[-1] == "1 model; stopped by the limit on solutions, there may be more"
    none = lpbridge(folder, "run", "queens.lp", "-c", "n=3")
    assert (none.returncode, none.stdout) == (0, "no model: unsatisfiable; the search is complete\n")


def test_models_as_json(folder: Path) -> None:
    told = data(lpbridge(folder, "run", "queens.lp", "-n", "0", "-c", "n=6", "--json"))
    assert (told["satisfiable"], told["complete"], told["limit"], len(told["models"])) == (True, True, None, 4)
    assert sorted(row for row, _ in told["models"][0]["queen"]) == [1, 2, 3, 4, 5, 6]
    assert told["statistics"]["counters"]["choices"] >= 0
    told = data(lpbridge(folder, "run", "queens.lp", "-c", "n=3", "--json"))
    assert (told["satisfiable"], told["complete"], told["models"]) == (False, True, [])
    lines = lpbridge(folder, "run", "queens.lp", "-n", "0", "--jsonl").stdout.splitlines()
    assert [sorted(json.loads(line)["queen"]) for line in lines] in (
        [[[1, 2], [2, 4], [3, 1], [4, 3]], [[1, 3], [2, 1], [3, 4], [4, 2]]],
        [[[1, 3], [2, 1], [3, 4], [4, 2]], [[1, 2], [2, 4], [3, 1], [4, 3]]],
    )


def test_terms_as_json(folder: Path) -> None:
    text = 'p(1, red, "text", (1, x), f(g, -h(2)), #inf). -q(3). #show p/6. #show -q/1. #show (7, 8) : p(_, _, _, _, _, _).'
    told = data(lpbridge(folder, "run", "-", "--json", stdin=text))
    f = {"functor": "f", "args": ["g", {"functor": "h", "args": [2], "positive": False}]}
    (model,) = told["models"]
    assert model.pop("#terms") == ["(7,8)"]
    assert model == {"p": [[1, "red", "text", [1, "x"], f, "#inf"]], "-q": [[3]], "": [[7, 8]]}


@pytest.mark.parametrize("command", ["run", "ground"])
def test_standard_input_of_any_bytes(folder: Path, command: str) -> None:
    for data, message in ((b'p(\xff).', "'ÿ' (U+00FF"), (b"\xff\xfea\0", "<stdin>: this is UTF-16"), ("p(\uff03).".encode(), "U+FF03")):
        asked = called_bytes(command, "-", stdin=data, folder=folder)
        assert asked.returncode == 2
        assert message in asked.stderr.decode()
        assert asked.stderr.startswith(b"lpbridge: ")


def test_shown_terms_are_told_apart_in_json(folder: Path) -> None:
    text = '#show 2. #show (2,). #show "str". #show #sup. #show ("a", a). p. #show p/0.'
    asked = lpbridge(folder, "run", "-", "--jsonl", stdin=text)
    model = json.loads(asked.stdout)
    rows = {'2': [2], "(2,)": [2], '"str"': ["str"], "#sup": ["#sup"], '("a",a)': ["a", "a"]}
    assert sorted(model["#terms"]) == sorted(rows)
    assert model[""] == [rows[term] for term in model["#terms"]]
    assert model["p"] == [[]]
    assert "#terms" not in data(lpbridge(folder, "run", "queens.lp", "--json"))["models"][0]


def test_questions(folder: Path) -> None:
    (folder / "cost.lp").write_text("1 { a(1..3) } 2. :~ a(X). [X] #show a/1. { hidden }.")
    assert lpbridge(folder, "run", "cost.lp", "--count").stdout == "6 models\n"
    assert data(lpbridge(folder, "run", "cost.lp", "--count", "--json"))["count"] == 6
    assert data(lpbridge(folder, "run", "cost.lp", "-n", "0", "--json"))["models"].__len__() == 12
    assert data(lpbridge(folder, "run", "cost.lp", "-n", "0", "--project", "--json"))["models"].__len__() == 6
    assert data(lpbridge(folder, "run", "cost.lp", "--cautious", "--json"))["models"] == [{}]
    assert sorted(data(lpbridge(folder, "run", "cost.lp", "--brave", "--json"))["models"][0]["a"]) == [[1], [2], [3]]
    told = data(lpbridge(folder, "run", "cost.lp", "--optimal", "--json"))
    assert (told["models"], told["costs"], told["optimal"], told["complete"]) == ([{"a": [[1]]}], [[1]], True, False)
    told = data(lpbridge(folder, "run", "cost.lp", "--optimal", "-n", "0", "--json"))
    assert (len(told["models"]), told["optimal"], told["complete"]) == (2, True, True)
    human = lpbridge(folder, "run", "cost.lp", "--optimal").stdout.splitlines()
    assert human[-3:] == ["optimal model 1   cost 1", "a(1)", "proved; there may be others as good: -n 0 shows them"]


def test_several_files_and_the_incremental_mode(folder: Path) -> None:
    (folder / "more.lp").write_text(":- queen(1, 2).")
    assert lpbridge(folder, "run", "queens.lp", "more.lp", "--count").stdout == "1 model\n"
    (folder / "steps.lp").write_text(
        "#include <incmode>.\n#program base. at(0,0).\n#program step(t). at(X+1,t) :- at(X,t-1).\n"
        "#program check(t). :- query(t), not at(3,t).\n#show at/2."
    )
    told = data(lpbridge(folder, "run", "steps.lp", "--json"))
    assert told["models"][0]["at"] == [[0, 0], [1, 1], [2, 2], [3, 3]]


def test_answers(folder: Path) -> None:
    run = lpbridge(folder, "run", "rooms.pl", "--goal", "rooms(X, Y)", "-n", "0")
    assert run.stdout == "X in 3..4,\nY#=<X+ -2,\nY in 1..2.\n% 1 answer; the search is complete\n"
    run = lpbridge(folder, "run", "rooms.pl", "--goal", "rooms(X, Y)", "--label", "X, Y", "-n", "0", "--jsonl")
    assert [json.loads(line)["bindings"] for line in run.stdout.splitlines()] == [
        {"X": 3, "Y": 1}, {"X": 4, "Y": 1}, {"X": 4, "Y": 2}]  # fmt: skip
    wrong = lpbridge(folder, "run", "rooms.pl", "--goal", "rooms(X, Y)", "--label", "X, Z")
    assert wrong.returncode == 2
    assert wrong.stderr.startswith("lpbridge: --label: Z is not a variable of the goal; ")
    told = data(lpbridge(folder, "run", "rooms.pl", "-g", "rooms(X, Y), Z = f(Y, \"s\", [a])", "--json"))
    (answer,) = told["answers"]
    y = {"variable": "Y", "domain": "1..2"}
    assert answer["bindings"]["Z"] == {"functor": "f", "args": [y, "s", ["a"]]}
    assert answer["residual"] == ["X in 3..4", "Y#=<X+ -2", "Y in 1..2"]
    assert told["complete"]
    run = lpbridge(folder, "run", "rooms.pl", "-g", "n(4)")
    assert (run.returncode, run.stdout) == (0, "% false; the search is complete\n")


def test_what_the_program_prints(folder: Path) -> None:
    run = lpbridge(folder, "run", "rooms.pl", "-g", "say")
    assert (run.stdout, run.stderr) == ("said\ntrue.\n% 1 answer; the search is complete\n", "complained\n")
    run = lpbridge(folder, "run", "rooms.pl", "-g", "say", "--json")
    assert data(run)["answers"] == [{"bindings": {}, "residual": [], "truth": "true"}]
    assert sorted(run.stderr.splitlines()) == ["complained", "said"]


def test_without_a_goal(folder: Path) -> None:
    run = lpbridge(folder, "run", "rooms.pl")
    assert run.returncode == 0
    assert "rooms/2" in run.stdout
    assert "--goal" in run.stdout
    assert "rooms/2" in data(lpbridge(folder, "run", "rooms.pl", "--json"))["exports"]
    for end, code in (("true", 0), ("halt", 0), ("fail", 1), ("halt(3)", 3)):
        (folder / "main.pl").write_text(f":- initialization(main, main).\nmain :- writeln(hello), {end}.\n")
        run = lpbridge(folder, "run", "main.pl")
        assert (run.returncode, run.stdout) == (code, "hello\n"), end
    (folder / "init.pl").write_text(":- initialization(main).\nmain :- writeln(hello).\n")
    assert lpbridge(folder, "run", "init.pl").stdout == "hello\n"


SCRIPT = """:- use_module(library(main)).
:- use_module(library(words)).
:- initialization(main, main).
:- at_halt(writeln(bye)).
main(Arguments) :-
    argv_options(Arguments, Names, Options),
    read(Number),
    word(Word),
    print([Names, Options, Number, Word]), nl,
    N is Number + 1, ( N > 40 -> halt(7) ; true ).
"""


@pytest.mark.slow
def test_a_script(folder: Path) -> None:
    (folder / "script.pl").write_text(SCRIPT)
    (folder / "lib").mkdir()
    (folder / "lib" / "words.pl").write_text(":- module(words, [word/1]).\nword(hello).\n")
    arguments = ["run", "script.pl", "--search-path", "library=lib", "--", "a", "--size=3", "-n"]
    for number, code in ((42, 7), (1, 0)):
        run = process(folder, *arguments, stdin=f"{number}.\n")
        assert (run.returncode, run.stdout, run.stderr) == (code, f"[[a,'-n'],[size(3)],{number},hello]\nbye\n", "")
    swipl = [str(current().swipl), "-p", "library=lib", "script.pl", "a", "--size=3", "-n"]
    alone = subprocess.run(swipl, cwd=folder, input="1.\n", capture_output=True, text=True, timeout=PATIENCE)
    assert (alone.returncode, alone.stdout) == (0, run.stdout)
    run = lpbridge(folder, *arguments, stdin="x.\n")
    assert (run.returncode, run.stdout) == (2, "[[a,'-n'],[size(3)],x,hello]\nbye\n")
    first, *_ = run.stderr.splitlines()
    assert re.fullmatch(r"lpbridge: \S+script.pl:10:5: main/1: Arithmetic: `x/0' is not a function; Number is x when .*", first)


@pytest.mark.slow
def test_standard_input_of_a_goal(folder: Path) -> None:
    for end in ([], ["--in-process"]):
        run = process(folder, "run", "rooms.pl", "-g", "read(X)", *end, stdin="f(x).\n")
        assert run.stdout.splitlines()[0] == "X = f(x)."
    assert lpbridge(folder, "run", "-", "-g", "p(X), read(Y)", stdin="p(1).\n").stdout.startswith("X = 1,\nY = end_of_file.")
    run = lpbridge(folder, "run", "rooms.pl", "--untrusted", "-g", "read(X)", stdin="f(x).\n")
    assert (run.returncode, run.stdout.splitlines()[0]) == (0, "X = end_of_file.")  # the caller's input is not its own


@pytest.mark.parametrize(("program", "code"), [(":- writeln(here), halt.", 0), (":- writeln(here), halt(3).", 3), (":- initialization((writeln(here), halt(4))).", 4)])
def test_halt_while_loading(folder: Path, program: str, code: int) -> None:
    (folder / "halts.pl").write_text(f"p(X).\n{program}\n")
    for goal in ([], ["-g", "writeln(never)"]):
        run = lpbridge(folder, "run", "halts.pl", *goal)
        assert (run.returncode, run.stdout) == (code, "here\n")
        assert run.stderr == f"lpbridge: {folder}/halts.pl:1: Singleton variables: [X]\n"
    told = json.loads(lpbridge(folder, "run", "halts.pl", "--json").stdout)
    warned = {"file": f"{folder}/halts.pl", "line": 1, "column": None, "level": "warning", "message": "Singleton variables: [X]"}
    assert told == {"exit_code": code, "warnings": [warned], "version": 1}
    strict = lpbridge(folder, "run", "halts.pl", "--strict")
    assert (strict.returncode, f"called halt({code})" in strict.stderr) == (2, True)


def test_errors_while_loading_and_running(folder: Path) -> None:
    (folder / "wrong.pl").write_text(":- use_rendering(chess).\np(1).\np(2) q.\np(3).\nbad(X) :- atom_length(X, _), true.\n")
    run = lpbridge(folder, "run", "wrong.pl", "-g", "p(X)", "-n", "0")
    assert run.stdout == "X = 1.\nX = 3.\n% 2 answers; the search is complete\n"
    assert f"lpbridge: {folder}/wrong.pl:3:6: error: Syntax error: Operator expected\n" in run.stderr
    assert any("use_rendering" in one["message"] and one["level"] == "error" for one in data(lpbridge(folder, "run", "wrong.pl", "-g", "p(X)", "--json"))["warnings"])
    run = lpbridge(folder, "run", "wrong.pl", "-g", "bad(f(1))", "--json")
    error = json.loads(run.stdout)["error"]
    assert (run.returncode, error["where"]) == (2, f"{folder}/wrong.pl:5:11")
    assert error["message"] == "atom_length/2: Type error: `text' expected, found `f(1)' (a compound)"
    formal, context = error["term"]["args"]
    assert formal == {"functor": "type_error", "args": ["text", {"functor": "f", "args": [1]}]}
    assert context["functor"] == "context"
    assert error["backtrace"][-1].endswith(f"at {folder}/wrong.pl:5")
    run = lpbridge(folder, "run", "wrong.pl", "-g", "p(X), (X > 1 -> halt(5) ; true)", "-n", "0", "--json")
    assert (run.returncode, json.loads(run.stdout)["exit_code"], json.loads(run.stdout)["limit"]) == (5, 5, "halt")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["queens.lp", "rooms.pl"], "run .lp and .pl files apart"),
        (["nothing.lp"], "nothing.lp: no such file"),
        (["nothing.pl"], "nothing.pl: no such file"),
        (["queens.txt"], "queens.txt: no such file"),
        (["bad.lp"], "bad.lp:2:8: syntax error"),
        (["unsafe.lp"], "unsafe.lp:1:3: `X` is unsafe: no literal of the body binds it"),
        (["bad.pl", "--strict"], "bad.pl:2:"),
        (["rooms.pl", "--search-path", "lib"], "write it as in library=lib"),
        (["rooms.pl", "--search-path", "library=nowhere"], "'nowhere' is not a folder"),
        (["queens.lp", "--search-path", "library=."], "--search-path is for Prolog"),
        (["queens.lp", "--strict"], "--strict is for Prolog"),
        (["rooms.pl", "--in-process", "--", "a"], "argv belongs to a process"),
        (["rooms.pl", "--untrusted", "--", "a"], "an untrusted program has none"),
        (["rooms.pl", "-g", "rooms(X"], "syntax error in `rooms(X`"),
        (["rooms.pl", "-g", "nothing(X)"], "Unknown procedure"),
        (["rooms.pl", "-g", "wrong(X)"], "not a function"),
        (["rooms.pl", "--brave"], "--brave is for clingo"),
        (["queens.lp", "-g", "x"], "--goal is for Prolog"),
        (["queens.lp", "-c", "n"], "write it as in n=8"),
        (["queens.lp", "--memory", "much"], "not an amount of memory"),
        (["queens.lp", "--brave", "--count"], "one question at a time"),
        (["big.lp"], "big.lp:1:3: 4294967296 does not fit"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(folder: Path, arguments: list[str], said: str) -> None:
    (folder / "bad.lp").write_text("a :- b.\nc :- d,, e.\n")
    (folder / "bad.pl").write_text("a :- b.\nc :- d e f.\n")
    (folder / "unsafe.lp").write_text("p(X).\n")
    (folder / "big.lp").write_text("p(4294967296).\n")
    run = lpbridge(folder, "run", *arguments)
    assert (run.returncode, run.stdout) == (2, "")
    assert said in run.stderr
    assert "Traceback" not in run.stderr
    error = json.loads(lpbridge(folder, "run", *arguments, "--json").stdout)["error"]
    assert {"kind", "message", "where"} <= error.keys()


def test_the_line_is_shown(folder: Path) -> None:
    (folder / "bad.lp").write_text("a :- b.\nc :- d,, e.\n")
    assert lpbridge(folder, "run", "bad.lp").stderr.splitlines()[1:] == ["    2 | c :- d,, e.", "               ^"]


@pytest.mark.slow
def test_a_time_limit_keeps_what_was_found(folder: Path) -> None:
    run = given_time(
        lambda seconds: lpbridge(folder, "run", "rooms.pl", "-g", "n(X) ; spin", "-n", "0", "-t", str(seconds)),
        lambda run: "X = 3." in run.stdout,
    )
    assert run.returncode == 0
    assert run.stdout == "X = 1.\nX = 2.\nX = 3.\n% 3 answers; stopped by the time limit, there may be more\n"
    run = lpbridge(folder, "run", "rooms.pl", "-g", "spin", "-t", "0.3", "--json")
    assert run.returncode == 1
    assert json.loads(run.stdout)["limit"] == "seconds"
    run = lpbridge(folder, "run", "rooms.pl", "-g", "n(X) ; halt", "-n", "0", "--json")
    assert (len(data(run)["answers"]), data(run)["limit"]) == (3, "halt")
    run = lpbridge(folder, "run", "rooms.pl", "-g", "numlist(1, 100000000, L)", "--memory", "100M", "--json")
    assert (run.returncode, json.loads(run.stdout)["limit"]) == (1, "memory")


@pytest.mark.slow
def test_the_limit_on_loading(folder: Path) -> None:
    (folder / "loop.pl").write_text(":- initialization(spin).\nspin :- spin.\n")
    run = lpbridge(folder, "run", "loop.pl", "-g", "true", "-t", "0.5")
    assert run.returncode == 1
    assert "limit on seconds" in run.stderr or "killed" in run.stderr


def test_answers_come_as_they_are_found(folder: Path) -> None:
    command = [sys.executable, "-m", "bridge", "run", "rooms.pl", "-g", "n(X) ; spin", "-n", "0"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert [process.stdout.readline() for _ in range(3)] == ["X = 1.\n", "X = 2.\n", "X = 3.\n"]
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read()
    assert process.returncode == 130
    assert rest == "% 3 answers; stopped by Ctrl-C, there may be more\n"


@pytest.mark.slow
def test_a_pipe_that_closes_ends_quietly(folder: Path) -> None:
    for program in (["queens.lp", "-c", "n=9"], ["rooms.pl", "-g", "between(1, inf, X)"]):
        command = [sys.executable, "-m", "bridge", "run", *program, "-n", "0"]
        with subprocess.Popen(
            command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            process.stdout.readline()
            process.stdout.close()
            assert process.wait(PATIENCE) == 0
            assert process.stderr.read() == ""


@pytest.mark.slow
def test_ctrl_c_while_grounding(folder: Path) -> None:
    (folder / "blind.lp").write_text("p(1..3000). q :- p(X), p(Y), p(Z), X + Y + Z < 0.")
    assert interrupted_after_a_while("run", "blind.lp", folder=folder).returncode == 130


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "value"),
    [
        *((["run"], value) for value in ("(", '"', "X", "a,b", "ä", "4294967296")),
        *((how, "(") for how in (["run", "--in-process"], ["ground"], ["ground", "--text"])),
        (["run", "--in-process"], "4294967296"),
    ],
)
def test_a_constant_that_is_no_term(folder: Path, how: list[str], value: str) -> None:
    """In a process of its own: clingo's logger has ended it."""
    if how[-1] == "--in-process":
        run = process(folder, *how, "queens.lp", "-c", f"n={value}")
    else:
        run = lpbridge(folder, *how, "queens.lp", "-c", f"n={value}")
    assert run.returncode == 2, run.stderr
    assert value.split(",")[0] in run.stderr
    assert "PANIC" not in run.stderr


@pytest.mark.slow
@pytest.mark.parametrize("memory", ["1M", "32M"])
def test_little_memory(folder: Path, memory: str) -> None:
    assert lpbridge(folder, "run", "queens.lp", "--memory", memory, "--count").stdout == "2 models\n"
    assert lpbridge(folder, "run", "rooms.pl", "-g", "n(X)", "--memory", memory).stdout.startswith("X = 1")
    (folder / "large.lp").write_text("p(1..9999999). q(X, Y) :- p(X), p(Y).")
    run = lpbridge(folder, "run", "large.lp", "--memory", memory, "--json")
    assert (run.returncode, "memory" in run.stdout) == (1, True)
    assert run.stderr == "" or "Traceback" not in run.stderr


def test_in_process(folder: Path) -> None:
    assert lpbridge(folder, "run", "queens.lp", "--in-process", "--count").stdout == "2 models\n"
    run = lpbridge(folder, "run", "rooms.pl", "--in-process", "-g", "n(X)", "-n", "0")
    assert run.stdout == "X = 1.\nX = 2.\nX = 3.\n% 3 answers; the search is complete\n"


#: Options by which `profile` grounds only.
GROUNDING = ("--no-search", "--no-changes")


class TestGround:
    def test_numbers(self, folder: Path) -> None:
        told = data(lpbridge(folder, "ground", "queens.lp", "--json"))
        assert told["complete"]
        assert told["atoms"]["queen/2"] == {"atoms": 16, "facts": 0}
        assert told["rules"]["choices"] == 4
        human = lpbridge(folder, "ground", "queens.lp").stdout
        assert "queen/2" in human
        assert "4 choices" in human

    def test_text_is_clingos(self, folder: Path) -> None:
        text = lpbridge(folder, "ground", "queens.lp", "-c", "n=3", "--text").stdout
        plain = subprocess.run(
            [sys.executable, "-m", "clingo", "queens.lp", "-c", "n=3", "--text"], cwd=folder, capture_output=True, text=True
        )
        assert text == plain.stdout

    def test_facts(self, folder: Path) -> None:
        (folder / "facts.lp").write_text('p(1..2). q("x"). r(X) :- p(X). { s }.')
        assert sorted(lpbridge(folder, "ground", "facts.lp", "--facts").stdout.split()) == [
            "p(1).", "p(2).", 'q("x").', "r(1).", "r(2)."]  # fmt: skip

    @pytest.mark.slow
    def test_a_blow_up_is_looked_at(self, folder: Path) -> None:
        (folder / "blow.lp").write_text("p(1..5000). q(X, Y) :- p(X), p(Y).")
        run = given_time(
            lambda seconds: lpbridge(folder, "ground", "blow.lp", "-t", str(seconds), "--json"),
            lambda run: json.loads(run.stdout).get("atoms", {}).get("q/2", {"atoms": 0})["atoms"] > 1000,
        )
        assert run.returncode == 0
        told = json.loads(run.stdout)
        assert (told["complete"], told["limit"]) == (False, "seconds")

    def test_by_rule(self, folder: Path) -> None:
        told = data(lpbridge(folder, "profile", "queens.lp", "-c", "n=5", *GROUNDING, "--json"))["grounding"]
        assert (told["complete"], told["limit"]) == (True, None)
        by_place = {each["where"]: each for each in told["by_rule"]}
        assert by_place["queens.lp:3:1"]["rules"] == 50
        assert by_place["queens.lp:2:1"]["atoms"] == 25
        assert by_place["queens.lp:3:1"]["text"] == ":- queen(R, C), queen(R', C), R < R'."
        assert told["rules"] == sum(each["rules"] for each in told["by_rule"])
        human = lpbridge(folder, "profile", "queens.lp", *GROUNDING).stdout
        assert "queens.lp:4:1" in human
        assert ":- queen(R, C), queen(R', C'), R < R', |R - R'| = |C - C'|." in human

    @pytest.mark.slow
    def test_by_rule_of_what_never_ends(self, folder: Path) -> None:
        (folder / "endless.lp").write_text("p(0).\np(X + 1) :- p(X).\nq(X) :- p(X).")
        given = ["profile", "endless.lp", *GROUNDING, "--measure"]
        run = given_time(
            lambda seconds: lpbridge(folder, *given, "-t", str(seconds), "--json"), lambda run: run.returncode == 0
        )
        told = json.loads(run.stdout)["grounding"]
        assert (told["complete"], told["limit"]) == (False, "seconds")
        assert told["by_rule"][0]["where"] == "endless.lp:2:1"
        human = lpbridge(folder, *given, "--memory", "20M", "-t", "60").stdout
        assert ", up to the limit (memory)" in human
        assert "p(X + 1) :- p(X)." in human

    @pytest.mark.slow
    def test_by_rule_ends_with_ctrl_c(self, folder: Path) -> None:
        (folder / "endless.lp").write_text("p(0).\np(X + 1) :- p(X).")
        run = interrupted_after_a_while("profile", "endless.lp", *GROUNDING, "--measure", folder=folder)
        assert run.returncode == 130

    def test_output(self, folder: Path) -> None:
        (folder / "choice.lp").write_text("{ a }.")
        assert lpbridge(folder, "ground", "choice.lp", "--output=text").stdout == "{a}.\n"
        assert lpbridge(folder, "ground", "choice.lp", "--output=aspif").stdout == "asp 1 0 0\n1 1 1 1 0 0\n4 1 a 1 1\n0\n"
        assert lpbridge(folder, "ground", "-", "--output=reify", stdin="a.").stdout.startswith("atom_tuple(0).\n")
        assert lpbridge(folder, "ground", "choice.lp", "--text", "--untrusted", "--allow-missing-walls").stdout == "{a}.\n"
        for wrong in (["--output=aspif", "--stats"], ["--output=aspif", "--json"], ["--output=lparse"]):
            assert lpbridge(folder, "ground", "choice.lp", *wrong).returncode == 2

    @pytest.mark.slow
    def test_an_output_that_cannot_be_written(self, folder: Path) -> None:
        for what in ("--text", "--output=reify"):
            with open("/dev/full", "w") as full:
                command = [sys.executable, "-m", "bridge", "ground", "queens.lp", what]
                run = subprocess.run(command, cwd=folder, stdout=full, stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
            assert run.returncode == 1
            assert "No space left on device" in run.stderr

    def test_what_cannot_be_ground(self, folder: Path) -> None:
        run = lpbridge(folder, "ground", "rooms.pl")
        assert run.returncode == 2
        assert "Prolog does not ground" in run.stderr
        (folder / "bad.lp").write_text("a :- b.\nc :- d,, e.\n")
        for what in ("--text", "--facts", "--stats"):
            run = lpbridge(folder, "ground", "bad.lp", what)
            assert run.returncode == 2
            assert "bad.lp:2:8" in run.stderr


@pytest.mark.slow
def test_help_and_no_leftovers(folder: Path) -> None:
    for command in ("run", "ground"):
        assert lpbridge(folder, command, "--help").returncode == 0
    before = set(os.listdir("/proc")) if Path("/proc/self").exists() else set()
    process(folder, "run", "rooms.pl", "-g", "n(X)")

    def left() -> list[bytes]:
        lines = []
        for number in set(os.listdir("/proc")) - before if before else ():
            if number.isdigit():
                with suppress(OSError):
                    lines.append(Path(f"/proc/{number}/cmdline").read_bytes())
        return [line for line in lines if str(folder).encode() in line]

    until(lambda: not left())


def test_answers_are_strict_json(folder: Path) -> None:
    (folder / "values.pl").write_text(
        "v(X) :- X is nan.\nv(X) :- X is inf.\nv(X) :- X is -inf.\nv(point{x: 1, y: \"s\"}).\nv(_{x: 1}).\n"
        "v(X) :- atom_codes(X, [0'a, 0xD800]).\nv(é).\n"
    )

    def strict(text: str) -> Any:
        return json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))

    values = [{"float": "nan"}, {"float": "inf"}, {"float": "-inf"}, {"tag": "point", "dict": {"x": 1, "y": "s"}}, {"x": 1}, "a\ud800", "é"]
    run = lpbridge(folder, "run", "values.pl", "-g", "v(X)", "-n", "0", "--jsonl")
    assert [strict(line)["bindings"]["X"] for line in run.stdout.splitlines()] == values
    run = lpbridge(folder, "run", "values.pl", "-g", "v(X)", "-n", "0", "--json")
    assert [answer["bindings"]["X"] for answer in strict(run.stdout)["answers"]] == values
    run = process(folder, "run", "values.pl", "-g", "v(X)", "-n", "0")
    assert (run.returncode, run.stdout.splitlines()[5:]) == (0, ["X = 'a\\uD800'.", "X = é.", "% 7 answers; the search is complete"])


def test_undefined_answers(folder: Path) -> None:
    (folder / "win.pl").write_text(
        ":- use_module(library(clpfd)).\n:- table win/1.\nwin(X) :- move(X, Y), tnot(win(Y)).\n"
        "move(a, b). move(b, a). move(b, c). move(c, d). move(e, e).\n:- initialization(main, main).\nmain :- win(a).\n"
    )
    told = data(lpbridge(folder, "run", "win.pl", "-g", "member(X, [a, c]), win(X)", "-n", "0", "--json"))
    assert (told["complete"], told["undefined"]) == (True, 1)
    a, c = told["answers"]
    assert a == {
        "bindings": {"X": "a"}, "residual": [], "truth": "undefined", "delays": ["win(a)"],
        "residual_program": ["win(a):-tnot(win(b))", "win(b):-tnot(win(a))"],
    }  # fmt: skip
    assert c == {"bindings": {"X": "c"}, "residual": [], "truth": "true"}
    lines = lpbridge(folder, "run", "win.pl", "-g", "member(X, [a, c]), win(X)", "-n", "0", "--jsonl").stdout.splitlines()
    assert [json.loads(line) for line in lines] == [a, c]
    run = lpbridge(folder, "run", "win.pl", "-g", "X = a, win(X)", "-n", "0")
    program = "% WFS residual program\n    win(a) :-\n        tnot(win(b)).\n    win(b) :-\n        tnot(win(a)).\n"
    assert run.stdout == f"{program}X = a,\nwin(a).\n% 1 answer (1 undefined); the search is complete\n"
    run = lpbridge(folder, "run", "win.pl", "-g", "win(a), X in 1..2", "--label", "X", "-n", "0", "--jsonl")
    assert [(json.loads(line)["bindings"]["X"], json.loads(line)["truth"]) for line in run.stdout.splitlines()] == [(1, "undefined"), (2, "undefined")]
    run = lpbridge(folder, "run", "win.pl")
    assert (run.returncode, run.stderr) == (0, "lpbridge: main is undefined (well-founded semantics)\n")


def test_the_constraint_store_is_shown(folder: Path) -> None:
    (folder / "gcd.pl").write_text(
        ":- use_module(library(chr)).\n:- chr_constraint gcd/1.\ngcd(0) <=> true.\ngcd(N) \\ gcd(M) <=> N =< M | L is M mod N, gcd(L).\n"
    )
    assert lpbridge(folder, "run", "gcd.pl", "-g", "gcd(9), gcd(6)").stdout.startswith("gcd(3).\n")
    assert data(lpbridge(folder, "run", "gcd.pl", "-g", "gcd(9), gcd(6)", "--json"))["answers"][0]["residual"] == ["gcd(3)"]


ASP_SCRIPT = """#script (python)
import clingo
def double(x):
    return clingo.Number(2 * x.number)
def main(prg):
    print("begin")
    prg.ground([("base", [])])
    prg.solve()
    print("between")
    prg.solve(assumptions=[(clingo.Function("a"), False)])
    print("end")
#end.
{ a }. b(@double(4)). :- not a, not c. { c }. #show a/0. #show b/1.
"""


def test_a_script_and_its_main(folder: Path) -> None:
    (folder / "script.lp").write_text(ASP_SCRIPT)
    run = process(folder, "run", "script.lp", "-n", "0")
    assert run.returncode == 0, run.stderr
    lines = run.stdout.splitlines()
    assert (lines[0], lines[-2], lines[-1]) == ("begin", "end", "4 models of 2 searches; the search is complete")
    between = lines.index("between")
    assert [line for line in lines[:between] if line.startswith("model")] == [f"model {number}   step 0" for number in (1, 2, 3)]
    assert lines[between + 1 : between + 3] == ["model 4   step 1", "b(8)"]
    run = process(folder, "run", "script.lp", "--json")
    told = data(run)
    assert ([model["#step"] for model in told["models"]], told["satisfiable"], told["complete"]) == ([0, 1], True, False)
    assert run.stderr.splitlines() == ["begin", "between", "end"]
    run = lpbridge(folder, "run", "script.lp", "--count")
    assert (run.returncode, run.stdout) == (2, "")
    assert "main(prg) of a script" in run.stderr
    assert data(lpbridge(folder, "run", "script.lp", "--json", "--", "0", "--enum-mode=cautious"))["models"][-1] == {"b": [[8]], "#step": 1}
    for option in ("--in-process", "--untrusted"):
        run = lpbridge(folder, "run", "script.lp", option)
        assert (run.returncode, run.stdout) == (2, "")
        assert "script" in run.stderr
    (folder / "wrong.lp").write_text("#script (python)\ndef main(prg):\n    prg.ground()\n    prg.solve()\n    1 / 0\n#end.\na.")
    run = lpbridge(folder, "run", "wrong.lp")
    assert run.returncode == 2
    assert run.stdout == "model 1   step 0\na\n"
    assert run.stderr.startswith("lpbridge: wrong.lp:5: ZeroDivisionError: division by zero, in `1 / 0`\n    5 |     1 / 0")


def test_ground_with_a_theory(folder: Path) -> None:
    (folder / "times.lp").write_text("task(1..2).\n&diff { start(T) - 0 } >= 0 :- task(T).\n")
    assert "--theory clingo-dl" in lpbridge(folder, "ground", "times.lp").stderr
    assert lpbridge(folder, "ground", "times.lp", "--theory", "clingo-dl", "--facts").stdout == "task(1).\ntask(2).\n"
    assert data(lpbridge(folder, "ground", "times.lp", "--theory", "clingo-dl", "--json"))["atoms"]["task/1"] == {
        "atoms": 2,
        "facts": 2,
    }
    refused = lpbridge(folder, "ground", "times.lp", "--theory", "clingo-dl", "--text")
    assert refused.returncode == 2
    assert "--theory is for --stats and --facts" in refused.stderr


def test_theories(folder: Path) -> None:
    (folder / "jobs.lp").write_text("{ a }. &diff { x - bound } <= -3. &diff { 0 - x } <= 0. &diff { x - bound } <= -5 :- a. #show a/0.")
    run = lpbridge(folder, "run", "jobs.lp", "--theory", "clingo-dl", "-n", "0")
    assert run.stdout.split("\n")[2:4] == ["Assignment:", "bound=3 x=0"]
    told = data(lpbridge(folder, "run", "jobs.lp", "--theory", "clingo-dl", "--optimal", "--json", "--", "--minimize-variable", "bound"))
    assert (told["models"], told["costs"], told["optimal"]) == ([{"#assignment": {"bound": 3, "x": 0}}], [[3]], True)
    run = lpbridge(folder, "run", "jobs.lp")
    assert run.returncode == 2
    assert "--theory clingo-dl" in run.stderr
    (folder / "sums.lp").write_text("&dom { 1..3 } = x. &minimize { x }.")
    run = lpbridge(folder, "run", "sums.lp", "--theory", "clingcon", "--optimal")
    assert run.stdout.splitlines()[-4:] == ["", "Assignment:", "x=1", "proved; there may be others as good: clingcon finds one optimal model"]
    run = lpbridge(folder, "run", "sums.lp", "--theory", "clingcon", "--count")
    assert (run.stdout, run.stderr) == ("3 models\n", "lpbridge: the program minimizes or maximizes; --count does not look at costs (--optimal does)\n")


def test_options_of_clingo(folder: Path) -> None:
    assert lpbridge(folder, "run", "queens.lp", "--count", "--", "--heuristic=Domain", "--seed", "3", "-c", "n=6").stdout == "4 models\n"
    for words, message in ((["0"], "-n 5"), (["--enum-mode=brave"], "--brave"), (["--time-limit=3"], "-t 5"), (["--text"], "ground --text")):
        run = lpbridge(folder, "run", "queens.lp", "--", *words)
        assert (run.returncode, run.stdout) == (2, "")
        assert message in run.stderr
    assert lpbridge(folder, "run", "--", "queens.lp").returncode == 0  # there it ends the options, as everywhere
    run = lpbridge(folder, "run", "rooms.pl", "-g", "true", "--theory", "clingcon")
    assert run.returncode == 2


def test_what_is_not_minimized_is_told(folder: Path) -> None:
    (folder / "cost.lp").write_text("{ a }. #minimize { 1 : a }.")
    for option, told in ((["-n", "0"], "this question"), (["--count"], "--count"), (["--brave"], "--brave"), (["--cautious"], "--cautious")):
        note = f"the program minimizes or maximizes; {told} does not look at costs (--optimal does)"
        assert lpbridge(folder, "run", "cost.lp", *option).stderr == f"lpbridge: {note}\n"
        assert data(lpbridge(folder, "run", "cost.lp", *option, "--json"))["notes"] == [note]
    for option in (["--optimal"], ["-n", "0", "--", "--opt-mode=enum,0"]):
        run = lpbridge(folder, "run", "cost.lp", *option)
        assert (run.returncode, "does not look at costs" in run.stderr) == (0, False)
    assert "notes" not in data(lpbridge(folder, "run", "queens.lp", "--json"))


def test_projection_and_steps(folder: Path) -> None:
    (folder / "project.lp").write_text("{ a; b; c }. #show a/0. #project b/0. #project c/0.")
    assert lpbridge(folder, "run", "project.lp", "--count").stdout == "4 models\n"
    assert len(data(lpbridge(folder, "run", "project.lp", "--project", "-n", "0", "--json"))["models"]) == 4
    (folder / "steps.lp").write_text("#include <incmode>. #program check(t). :- query(t), t < 2. #show.")
    assert lpbridge(folder, "run", "steps.lp").stdout.splitlines()[0] == "model 1   step 2"
    assert data(lpbridge(folder, "run", "steps.lp", "--json"))["models"] == [{"#step": 2}]


def test_what_is_written_is_not_written_again() -> None:
    """Ctrl-C between a write and its return is for the caller: below the text, no code of Python's runs."""
    shown = """
import io, sys
from bridge.cli import streams
streams.guard()
print(type(sys.stdout.buffer.raw))
"""
    run = subprocess.run([sys.executable, "-c", shown], stdout=subprocess.PIPE, text=True, check=True)
    assert run.stdout == "<class '_io.FileIO'>\n"


def test_warnings_come_before_what_they_are_about(folder: Path) -> None:
    (folder / "typo.lp").write_text("{ q(1..2) }.\n:- q(X), r(X).\n#minimize { 1 : q(_) }.\n")
    warned = "typo.lp:2:10-14: info: atom does not occur in any rule head:"
    for words in ([], ["--in-process"], ["--count"], ["--brave"], ["--optimal"], ["--jsonl"], ["--events"]):
        text = called_bytes("run", "-n", "0", "typo.lp", *words, folder=folder, merged=True).stdout.decode()
        before, _, after = text.partition(warned)
        assert after, words
        assert before.strip() in ("lpbridge:", '{"warning": "'), words
        assert after.count(warned) == words.count("--events"), words  # the event has it twice: as text, too
    for option in ("--text", "--stats", "--facts", "--output=reify"):
        done = lpbridge(folder, "ground", "typo.lp", option)
        assert warned in done.stderr, option
        assert warned not in done.stdout, option
    found = json.loads(lpbridge(folder, "profile", "typo.lp", *GROUNDING, "--json").stdout)["grounding"]
    told = {"file": "typo.lp", "line": 2, "column": 10, "level": "info", "message": "atom does not occur in any rule head: r(X)"}
    assert found["warnings"] == [told]


@pytest.mark.slow
@pytest.mark.parametrize("command", ["run", "why p(1)"])
def test_a_grounding_that_does_not_end_names_the_rule(folder: Path, command: str) -> None:
    (folder / "endless.lp").write_text("d(1..3).\np(0).\np(X + 1) :- p(X), X < 2000000000.\n")
    verb, *more = command.split()
    atom = [more.pop()] if verb == "why" else []
    run = lpbridge(folder, verb, *more, "endless.lp", *atom, "-t", "0.3")
    assert "endless.lp:3:1: grounding does not end soon" in run.stderr
    assert "p(X + 1) :- p(X), X < 2000000000." in run.stderr
    assert "ground rules so far" in run.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    "command", ["run", "count", "why p(1)", "diagnose", "profile", "ground"]
)
def test_a_recursion_that_nothing_bounds_is_named_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setattr(growth, "SOON", 0.2)
    (folder / "never.lp").write_text("d(1..3).\np(0).\np(X + 1) :- p(X).\n")
    verb, *more = command.split()
    atom = [more.pop()] if verb == "why" else []

    def run(seconds: float) -> str:
        done = lpbridge(folder, verb, *more, "never.lp", *atom, "-t", str(seconds))
        return done.stdout + done.stderr

    together = given_time(run, lambda told: "never.lp:3:1: " in told, 0.6)
    assert together.count("grounding never ends: each round of this rule makes argument 1 of p/1 larger") == 1
    assert "never.lp:3:1: " in together


@pytest.mark.slow
def test_a_search_that_does_not_end_names_no_rule(folder: Path) -> None:
    pigeons = "p(1..14). h(1..13). { in(P, H) : h(H) } = 1 :- p(P). :- in(P, H), in(Q, H), P < Q."
    (folder / "pigeons.lp").write_text(pigeons)
    assert "grounding" not in lpbridge(folder, "run", "pigeons.lp", "-t", "0.5").stderr


DEEP = """d(0, z).
d(N, f(X)) :- N > 0, M is N - 1, d(M, X).
thrown :- d(5000, X), throw(X).
"""


@pytest.mark.slow
@pytest.mark.parametrize("goal", ["d(5000, X)", "d(440, X)", "d(5000, X), put_attr(Y, a, X)", "thrown"])
@pytest.mark.parametrize("form", ["--json", "--jsonl", "--events"])
def test_answers_nested_too_deeply_for_json(folder: Path, form: str, goal: str) -> None:
    (folder / "deep.pl").write_text(DEEP)
    run = lpbridge(folder, "run", "deep.pl", "--goal", goal, form)
    kind = "program" if goal == "thrown" else "unsupported"
    if goal != "d(440, X)":  # near the depth that Python can encode
        assert run.returncode == 2
        assert json.loads(run.stdout.splitlines()[-1])["error"]["kind"] == kind
    assert "a bug in lpbridge" not in run.stderr
    as_text = lpbridge(folder, "run", "deep.pl", "--goal", goal)
    assert "f(f(f(" in as_text.stdout + as_text.stderr


@pytest.mark.parametrize("words", [["run"], ["count"], ["run", "--untrusted"]])
def test_a_predicate_that_nothing_derives_is_told_with_the_one_that_is_meant(tmp_path: Path, words: list[str]) -> None:
    (tmp_path / "typo.lp").write_text("edge(1,2).\nnode(X) :- edg(X,Y).\n")
    run = called(*words, "typo.lp", folder=tmp_path)
    assert run.returncode == 0
    assert "edg(X,Y) (did you mean edge/2?)" in run.stderr


@pytest.mark.parametrize("command", ["run", "count", "diagnose"])
def test_standard_input_that_grows_is_looked_at(monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    """By another thread, which has no context of the command."""
    monkeypatch.setattr(growth, "SOON", 0.0)
    def run(seconds: float) -> str:
        return called(command, "-", "-t", str(seconds), stdin="p(0).\np(X + 1) :- p(X).\n").stderr

    assert "LP050" in given_time(run, lambda told: told.startswith("lpbridge: <string>:2:1: "), 1.0)


def test_ctrl_c_while_answers_are_printed_loses_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Answers that come fast are printed some at a time."""
    (tmp_path / "many.lp").write_text("{ a(1..14) }.\n")
    pressed, say = [], writers.say

    def pressing(text: str, stream: Any = None) -> None:
        if text.count("model ") > 1 and not pressed:
            pressed.append(text)
            os.kill(os.getpid(), signal.SIGINT)
        say(text, stream)

    monkeypatch.setattr(writers, "say", pressing)
    found = called("run", "many.lp", "-n", "0", folder=tmp_path)
    *lines, last = found.stdout.splitlines()
    numbers = [line for line in lines if line.startswith("model ")]
    assert pressed
    assert numbers == [f"model {number}" for number in range(1, len(numbers) + 1)]
    assert last == f"{len(numbers):,} models; stopped by Ctrl-C, there may be more"
    assert lines == called("run", "many.lp", "-n", "0", folder=tmp_path).stdout.splitlines()[: len(lines)]


def test_the_theories_are_those_that_a_program_may_name() -> None:
    (option,) = (one for one in run.params if one.name == "theory")
    assert tuple(THEORIES) == _THEORIES == tuple(getattr(option.type, "choices", ()))


def test_a_picture_of_answers(folder: Path) -> None:
    (folder / "two.lp").write_text("{ p(1..2) } = 1.\n#program picture.\nnode(X) :- p(X).\nedge((X,X)) :- p(X).\nattr(node,X,label,1) :- p(X).\n")
    shown = lpbridge(folder, "run", "two.lp", "-n", "0", "--picture", "two.txt")
    assert shown.returncode == 0
    assert shown.stdout.startswith("model 1\np(")
    drawn = (folder / "two.txt").read_text().splitlines()
    assert drawn[:3] == ["two.lp", "answer 1", "  1"]
    assert {drawn[3], drawn[6]} == {"  1 -- 1", "  2 -- 2"}
    for wrong in (["--picture", "two.gif"], ["--picture", "two.svg", "--count"]):
        assert lpbridge(folder, "run", "two.lp", *wrong).returncode == 2


def test_the_next_best_and_what_each_pays_for(folder: Path) -> None:
    (folder / "roads.lp").write_text("{ go(a; b) } >= 1.\n#minimize { 2,a : go(a); 3,b : go(b) }.\n")
    shown = lpbridge(folder, "run", "roads.lp", "--best", "2").stdout.splitlines()
    assert [line for line in shown if not line.startswith("better")] == [
        "model 1   cost 2",
        "go(a)",
        "  2@0,a  roads.lp:2:13",
        "model 2   cost 3",
        "go(b)",
        "  3@0,b  roads.lp:2:13",
        "all others cost as much or more; stopped by the limit on solutions, there may be more",
    ]
    told = data(lpbridge(folder, "run", "roads.lp", "--best", "9", "--json"))
    assert (told["costs"], told["complete"], len(told["paid"][2])) == ([[2], [3], [5]], True, 2)
    assert lpbridge(folder, "run", "roads.lp", "--best", "2", "--optimal").returncode == 2


def test_the_bounds_of_the_least_cost(folder: Path) -> None:
    (folder / "roads.lp").write_text("{ go(a; b) } >= 1.\n#minimize { 2,a : go(a); 3,b : go(b) }.\n")
    told = data(lpbridge(folder, "run", "roads.lp", "--optimal", "--gap", "5%", "-n", "0", "--json"))
    assert (told["complete"], told["bounds"]) == (True, {"cost": [2], "lower": [2], "gap": 0.0})
    stopped = lpbridge(folder, "run", "roads.lp", "--optimal", "--events", "--", "--opt-strategy=usc", "--solve-limit=1,1")
    shown = [json.loads(line) for line in stopped.stdout.splitlines()]
    assert all(one["bounds"]["lower"] <= [2] for one in shown if "bounds" in one)
    assert shown[-1]["end"]["bounds"]["lower"] <= [2]
    for wrong in (["--gap", "5%"], ["--optimal", "--gap", "much"], ["--best", "2", "--gap", "0.1"]):
        assert lpbridge(folder, "run", "roads.lp", *wrong).returncode == 2
    assert "--best proves each" in lpbridge(folder, "run", "roads.lp", "--best", "2", "--gap", "5%").stderr
