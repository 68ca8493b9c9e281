"""Control characters in what programs make: shown on a terminal, byte for byte in a pipe."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from command import called_bytes
from patience import PATIENCE
from shared_data import ROOT

pytestmark = pytest.mark.local

LP = 'p("\x1b]0;title\x07").\n{q("\x9b2J")}. :- not q("\x9b2J"). :- p("\x1b[8m").\n'
PL = "p('\x1b]0;title\x07').\n"
#: What it prints itself, and logs.
SAYS = ":- initialization(writeln('\x1b]0;title\x07')).\np(1) :- write('\x1b[8m'), format(user_error, '\x1b[8m', []).\n"
BAD = 'r("\x1b]0;title\x07", X) :- p(X).\n'


def on_a_terminal(*arguments: str) -> str:
    """Everything that a command writes on a terminal that is its standard output and error."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "bridge", *arguments]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        written = b""
        try:
            while more := os.read(ours, 1 << 16):
                written += more
        except OSError:  # the other end is closed
            pass
        finally:
            os.close(ours)
        process.wait()
    return written.decode()


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        "run {lp}",
        "run {lp} --events",
        "run {pl} --goal p(X)",
        "run {pl} --goal format(atom(X),'~w',['\x1b[8m'])",
        "diagnose {lp}",
        "why {lp} p(\"\x1b]0;title\x07\")",
        "compare {lp} {other}",
        "ground {lp} --text",
        "profile {lp}",
        "run {says} --goal p(X) --untrusted",
        "run {bad}",
    ],
)
def test_a_terminal_gets_no_control_character_of_a_program(command: str, tmp_path: Path) -> None:
    files = {"lp": LP, "pl": PL, "says": SAYS, "bad": BAD, "other": LP.replace("title", "other")}
    paths = {"lp": "a.lp", "pl": "a.pl", "says": "says.pl", "bad": "bad.lp", "other": "other.lp"}
    for name, text in files.items():
        (tmp_path / paths[name]).write_text(text)
    written = on_a_terminal(*(word.format(**{k: str(tmp_path / v) for k, v in paths.items()}) for word in command.split(" ")))
    assert written
    shown = written.replace("\r\x1b[K", "").replace("\r\n", "\n")
    assert not {one for one in shown if (ord(one) < 32 and one not in "\n\t") or 127 <= ord(one) < 160}, repr(shown)


def test_a_terminal_shows_them_and_a_pipe_gets_the_bytes(tmp_path: Path) -> None:
    (tmp_path / "a.lp").write_text(LP)
    assert '"\\x1b]0;title\\x07"' in on_a_terminal("run", str(tmp_path / "a.lp"))
    for arguments in (["run", str(tmp_path / "a.lp")], ["ground", str(tmp_path / "a.lp"), "--text"]):
        piped = subprocess.run([sys.executable, "-m", "bridge", *arguments], capture_output=True, check=True).stdout
        assert b'"\x1b]0;title\x07"' in piped


@pytest.mark.parametrize("command", ["run", "diagnose", "lint", "test"])
def test_who_reads_both_streams_reads_an_error_once(tmp_path: Path, command: str) -> None:
    (tmp_path / "bad.lp").write_text("a(.\n" if command != "test" else "a.\n")
    merged = called_bytes(command, "bad.lp", "--json", folder=tmp_path, merged=True)
    json.loads(merged.stdout)
    apart = called_bytes(command, "bad.lp", "--json", folder=tmp_path)
    assert json.loads(apart.stdout) == json.loads(merged.stdout)


def test_a_pipe_is_read_once(tmp_path: Path) -> None:
    """Each command reads a program several times."""
    words = [
        ["run", "{}", "-n", "0"], ["diagnose", "{}"], ["lint", "{}"], ["count", "{}"], ["ground", "{}"],
        ["debug", "{}", "--missing", "a"], ["compare", "{}", "{}"],
    ]  # fmt: skip
    for number, command in enumerate(words):
        pipe = tmp_path / f"{number}.lp"
        os.mkfifo(pipe)
        with subprocess.Popen(
            [sys.executable, "-m", "bridge", *(word.format(pipe) for word in command)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as process:
            pipe.write_text("{ a; b }.\n")
            out, err = process.communicate(timeout=PATIENCE)
        assert (process.returncode, err) == (0, b""), command
        assert out, command


def test_prolog_in_a_folder_that_is_gone(tmp_path: Path) -> None:
    (tmp_path / "a.pl").write_text("p(1).\n")
    (tmp_path / "gone").mkdir()
    code = f"import os; os.rmdir(os.getcwd()); os.execv({sys.executable!r}, ['python', '-P', '-m', 'bridge', 'run', '../a.pl', '-g', 'p(X)'])"
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path / "gone", env=env, capture_output=True, text=True, check=False)
    assert done.returncode in (1, 2)
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == 1
