"""The wheels: built, installed elsewhere, lpbridge solves a Sudoku, and its companion runs a Prolog program."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest
from patience import PATIENCE
from shared_by_workers import made_once
from shared_data import ROOT

import bridge


def quick_compiler(folder: Path) -> str:
    """The C compiler, told not to optimise: the search is compiled once already, by `make setup`."""
    command = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    script = folder / "cc"
    script.write_text(f'#!/bin/sh\nexec {command} "$@" -O0\n')
    script.chmod(0o755)
    return str(script)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_once(tmp_path_factory, "wheel", lambda: built(tmp_path_factory.mktemp("wheel")))


def built(tmp: Path) -> Path:
    # From a copy: building must not depend on what lies about in the checkout, nor leave anything there.
    source = tmp / "source"
    ignore = shutil.ignore_patterns(".*", "__pycache__", "build", "dist", "site", "*.egg-info")
    shutil.copytree(ROOT, source, ignore=ignore)
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp / "dist"), str(source)]
    environment = dict(os.environ)
    if shutil.which(str(sysconfig.get_config_var("CC") or "cc").split()[0]):
        environment["CC"] = quick_compiler(tmp)
    built = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment)
    assert built.returncode == 0, built.stdout + built.stderr
    (found,) = (tmp / "dist").glob("lpbridge-*.whl")
    return found


def test_what_the_wheel_holds(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    for path in (ROOT / "encodings").rglob("*"):
        if path.suffix in (".lp", ".pl"):
            assert f"bridge/encodings/{path.relative_to(ROOT / 'encodings')}" in names
    assert "bridge/prolog/lpbridge.pl" in names
    assert "bridge/py.typed" in names
    assert not any(name.startswith(("tests/", "encodings/")) for name in names)


def test_installed_elsewhere_it_solves_a_sudoku(wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONPATH", raising=False)  # nothing but what is installed
    home = tmp_path / "env"
    venv.create(home)
    python = home / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python)]  # it takes long to install pip into the environment
    install = [*pip, "install", "--quiet", "--no-compile", "--disable-pip-version-check", str(wheel)]
    installed = subprocess.run(install, capture_output=True, text=True, timeout=300)
    assert installed.returncode == 0, installed.stderr
    puzzle = "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9"
    command = [str(home / "bin" / "lpbridge"), "puzzle", "check", "sudoku", "-", "--json"]
    run = subprocess.run(command, input=puzzle, capture_output=True, text=True, cwd=tmp_path, timeout=300)
    found = json.loads(run.stdout)
    assert (found["verdict"], found["solutions"][0][0]) == ("unique", [9, 8, 7, 6, 5, 4, 3, 2, 1])
    # A kind of puzzle that is a file, in a folder that has nothing else.
    shutil.copy(ROOT / "encodings" / "akari" / "akari.lp", tmp_path / "mine.lp")
    shutil.copy(ROOT / "encodings" / "akari" / "akari.txt", tmp_path / "board.txt")
    for kind in ("./mine.lp", "akari"):
        command = [str(home / "bin" / "lpbridge"), "puzzle", "check", kind, "board.txt", "--json"]
        run = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=300)
        assert json.loads(run.stdout)["verdict"] == "unique", run.stderr
    # And it is the installed one that ran.
    code = "import bridge, importlib.metadata as m; print(bridge.__file__, m.version('lpbridge'), bridge.__version__)"
    told = subprocess.run([str(python), "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True)
    where, packaged, said = told.stdout.split()
    # Compiled where there is a compiler, without anything that the wheel does not bring.
    engines = subprocess.run([str(home / "bin" / "lpbridge"), "puzzle", "engines", "--json"], capture_output=True, text=True, cwd=tmp_path, check=True)
    form = json.loads(engines.stdout)["search"]
    assert form["compiled"] == (not wheel.name.endswith("-none-any.whl")), form
    if shutil.which(str(sysconfig.get_config_var("CC") or "cc").split()[0]):
        assert form["compiled"], form
    assert Path(where).is_relative_to(home)
    assert packaged == said == bridge.__version__


@pytest.mark.skipif(sys.platform != "linux" or not shutil.which("apt-get"), reason="it is made from Debian's packages")
def test_the_companion_runs_prolog(tmp_path: Path) -> None:
    """The SWI-Prolog and the janus of the companion, in a folder that was moved, without a compiler on the path."""
    build = [sys.executable, str(ROOT / "packaging" / "wheels.py"), "--only", "prolog", "--to", str(tmp_path)]
    built = subprocess.run(build, capture_output=True, text=True, timeout=20 * PATIENCE)
    assert built.returncode == 0, built.stdout + built.stderr
    (companion,) = tmp_path.glob("lpbridge_prolog-*.whl")
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-compile", "--no-index", "--target", str(tmp_path / "first"), str(companion)]
    installed = subprocess.run(pip, capture_output=True, text=True, timeout=10 * PATIENCE)
    assert installed.returncode == 0, installed.stderr
    site = (tmp_path / "first").rename(tmp_path / "site")
    (tmp_path / "a.pl").write_text(":- use_module(library(clpfd)).\np(X, Y) :- [X, Y] ins 1..3, X #< Y.\n")
    env = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "LPBRIDGE_HOME": str(tmp_path / "none")}
    env["PYTHONPATH"] = f"{site}:{Path(bridge.__file__).parent.parent}"
    python = [sys.executable, "-m", "bridge"]
    run = [*python, "run", "a.pl", "--goal", "p(X, Y)"]
    done = subprocess.run(run, capture_output=True, text=True, cwd=tmp_path, env=env, timeout=10 * PATIENCE)
    assert "X in 1..2" in done.stdout, done.stderr
    described = json.loads(
        subprocess.run([*python, "doctor", "--json"], capture_output=True, text=True, cwd=tmp_path, env=env).stdout
    )
    text = json.dumps(described)
    assert str(site / "lpbridge_prolog") in text
    assert str(site / "janus_swi") in text
    names = zipfile.ZipFile(companion).namelist()
    assert any(name.endswith("swi-prolog-core/copyright") for name in names)
