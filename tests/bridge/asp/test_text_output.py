"""The ground program in clingo's formats."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest
from patience import PATIENCE, given_time

from bridge.asp import write_ground
from bridge.asp.running.text_output import Form
from bridge.errors import InputError, ProgramError, UnsupportedError
from bridge.limits import Limits

pytestmark = pytest.mark.local  # this function knows no other way

PROGRAMS = {
    "choice": "{ a(1..n) } = 2. :- a(1), a(2). b :- not c. c :- not b. #minimize { X : a(X) }. #show a/1.",
    "sum": "p(1..n + 2). { q(X) } :- p(X). :- #sum { X : q(X) } > 7. r(X) ; s(X) :- q(X).",
    "strings": '#const n = 1. p("a\\"b", "ünï", -3). -q(f((1, x))) :- p(X, Y, Z).',
}


@pytest.fixture(params=PROGRAMS)
def file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    (tmp_path / "program.lp").write_text(PROGRAMS[request.param], encoding="utf-8")
    return tmp_path / "program.lp"


def written(*files: Path | str, **more: object) -> bytes:
    out = io.BytesIO()
    assert write_ground(*files, out=out, **more) is None  # type: ignore[arg-type]
    return out.getvalue()


@pytest.mark.slow
@pytest.mark.parametrize("form", get_args(Form))
def test_as_clingo_does(file: Path, form: Form) -> None:
    output = "intermediate" if form == "aspif" else form
    command = [sys.executable, "-m", "clingo", "--mode=gringo", f"--output={output}", "-cn=3", str(file)]
    plain = subprocess.run(command, capture_output=True, check=True, timeout=PATIENCE).stdout
    # `python -m clingo` marks every program as incremental. clingo's own program marks only those that are.
    first, rest = plain.split(b"\n", 1)
    mark = {"aspif": b"asp 1 0 0\n" + rest, "reify": rest, "smodels": rest, "text": plain}
    assert first in (b"asp 1 0 0 incremental", b"tag(incremental).", b"90 0") or form == "text"
    assert written(file, form=form, n=3) == mark[form]
    assert written(file, form=form, options=["-cn=3"], untrusted=True, allow_missing_walls=True) == mark[form]


def test_standard_output(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert write_ground(file, n=2) is None
    said = capsys.readouterr().out
    assert said.encode() == written(file, n=2)


@pytest.mark.slow
def test_what_was_written_before_a_limit(tmp_path: Path) -> None:
    (tmp_path / "endless.lp").write_text("p(0). p(X + 1) :- p(X).")

    def said(seconds: float) -> bytes:
        out = io.BytesIO()
        assert write_ground(tmp_path / "endless.lp", out=out, limits=Limits(seconds=seconds)) == "seconds"
        return out.getvalue()

    assert given_time(said, len).startswith(b"p(0).\np(1).\np(2).\n")


def test_an_output_that_cannot_be_written_ends_it(tmp_path: Path) -> None:
    (tmp_path / "endless.lp").write_text("p(0). p(X + 1) :- p(X).")
    with open("/dev/full", "wb", buffering=0) as full, pytest.raises(OSError, match="No space left"):
        write_ground(tmp_path / "endless.lp", out=full)
    ours, theirs = os.pipe()
    os.close(ours)
    with pytest.raises(BrokenPipeError), open(theirs, "wb", buffering=0) as gone:
        write_ground(tmp_path / "endless.lp", out=gone)


def test_what_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "wrong.lp").write_text("a.\nb :- , c.")
    with pytest.raises(ProgramError, match="syntax error") as raised:
        written(tmp_path / "wrong.lp")
    assert raised.value.where is not None
    assert (raised.value.where.line, raised.value.where.column) == (2, 6)
    with pytest.raises(InputError, match="no such file"):
        written(tmp_path / "missing.lp")
    with pytest.raises(UnsupportedError, match="of files only"):
        written("a.")
    with pytest.raises(InputError, match="no format 'lparse'"):
        written(tmp_path / "wrong.lp", form="lparse")
    (tmp_path / "project.lp").write_text("{ a }. #project a.")
    with pytest.raises(ProgramError, match="projection directive not supported"):
        written(tmp_path / "project.lp", form="smodels")
    (tmp_path / "script.lp").write_text("#script (python)\n#end.")
    with pytest.raises(ProgramError, match="no scripts"):
        written(tmp_path / "script.lp", untrusted=True)
