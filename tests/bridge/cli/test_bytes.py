"""Programs whose bytes are no UTF-8: clingo takes them in comments and strings, and so does every command."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from command import called, called_bytes

from bridge.asp import Program
from bridge.common.files import AS_LATIN_1, write_program

#: Programs with letters before what places are about, in the same line.
TEXTS = {
    "comment": "% für Käse\n{ a; b } = 1.\n:- a. % ä\n:- b. %* ö *% c :- d.\n",
    "block": "%* é *% { a; b } = 1. %* üü *% :- a. :- b. c :- x.\n",
    "string": 'name("Müller"). p("é",1..2). %* é *% { a : name("Müller") } = 1. :- a, p("é",X), X > 1, d. { d }. :- a, p("é",1), not d.\n',
    "syntax": "%* é *% a :- b(.\n",
    "unsafe": '%* é *% a(X) :- not b(X), c("ü").\n',
    "overflow": 'a("ä"). %* é *% p(99999999999).\n',
}

COMMANDS = [
    "run -n 0", "run -n 0 --json", "run --count", "run --brave --jsonl", "diagnose", "diagnose --json", "why a", "lint", "lint --json", "count",
    "debug --missing c", "debug --unwanted d --json", "explain", "ground --text", "ground --facts", "mutate --against plain.lp", "test --name-lines",
    "compare empty.lp",
]  # fmt: skip
#: One of each way to read a program and to say what is wrong, for a program that clingo refuses, too.
TOLD = ["run -n 0", "run -n 0 --json", "diagnose --json", "lint", "ground --text", "debug --unwanted d", "compare empty.lp"]
#: What the other programs are given to.
FEW = ["run -n 0", "diagnose --json", "lint"]
CALLS = dict.fromkeys(TEXTS, FEW) | {"block": COMMANDS, "string": TOLD, "syntax": TOLD}


def _plain(text: str) -> str:
    return re.sub(r"[^\x00-\x7f]", "o", text)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in TEXTS.items():
        (tmp_path / f"{name}-latin.lp").write_bytes(text.encode("latin-1"))
        (tmp_path / f"{name}-plain.lp").write_text(_plain(text))
        (tmp_path / f"{name}-utf.lp").write_text(text, encoding="utf-8")
    (tmp_path / "empty.lp").write_text("a.\n")
    return tmp_path


@pytest.mark.parametrize(("text", "command"), [(text, one) for text in TEXTS for one in CALLS[text]])
def test_latin_1_is_read(folder: Path, command: str, text: str) -> None:
    answers = []
    for form in ("latin", "utf"):  # in Latin-1 a byte is a character
        verb, *words = command.replace("plain.lp", f"{text}-plain.lp").split()
        file = f"{text}-{form}.lp"
        done = called_bytes(verb, file, *words, folder=folder)
        out, err = (one.decode("utf-8", AS_LATIN_1) for one in (done.stdout, done.stderr))
        told = re.sub(r"\d+\.\d+(e-\d+)?|\d+ ms", "N", f"{out}{err}").replace(file, "FILE")
        told = re.sub(" {2,}", " ", told)  # columns are as wide as their numbers
        answers.append((done.returncode, re.sub(r" +[\dN. ]+$", "", told, flags=re.MULTILINE)))
    assert answers[0] == answers[1]
    assert "\ufffd" not in answers[0][1]


def test_a_file_in_latin_1_is_included(folder: Path) -> None:
    (folder / "inner.lp").write_bytes('name("Müller").\n'.encode("latin-1"))
    (folder / "outer.lp").write_text(f'#include "{folder}/inner.lp".\n')
    with Program(folder / "outer.lp") as program:
        first = program.first()
    assert 'name("Müller")' in str(first)


def test_a_fix_keeps_the_bytes(tmp_path: Path) -> None:
    file = tmp_path / "a.lp"
    for code in ("latin-1", "utf-8"):
        file.write_bytes("% é\na.\n".encode(code))
        write_program(file, "% é\nb.\n")
        assert file.read_bytes() == "% é\nb.\n".encode(code)


def test_utf_16_is_said(tmp_path: Path) -> None:
    file = tmp_path / "wide.lp"
    file.write_bytes("a.\n".encode("utf-16"))
    for command in ("run", "diagnose", "lint", "count", "ground"):
        done = called(command, file)
        assert (done.returncode, "this is UTF-16; save the file as UTF-8" in done.stderr) == (2, True), (command, done)


def test_warnings_and_notes_count_characters(tmp_path: Path) -> None:
    (tmp_path / "warns.lp").write_text('a("é漢é"). b("漢"), c :- \n"漢" = X, d(X,\n"é").')
    (tmp_path / "unsafe.lp").write_text('p("é漢é"). q(1) :- p("é漢"), not r(X).\n')
    for command in ("run", "diagnose"):
        found = called(command, "warns.lp", folder=tmp_path)
        assert "warns.lp:2:10-3:5: info: atom does not occur" in found.stdout + found.stderr
        assert "unsafe.lp:1:34: `X` is unsafe" in called(command, "unsafe.lp", folder=tmp_path).stderr
    with Program('a("é漢é"). c :- d("é", 1).') as program, Program("e.", 'c :- f("é").') as several:
        program.ground()
        several.ground()
        assert program.warnings[0].startswith("<block>:1:16-25: info: ")
        assert several.warnings[0].startswith("<block>:1:6-12: info: ")  # the other text is too short
