"""The doctor: it finds each kind of trouble, says what to do about it, and survives a solver that does not."""

from __future__ import annotations

import json
import os
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner
from fake_machine import make_machine, script_at

from bridge.cli.system import doctor as command
from bridge.common.parts import added
from bridge.errors import MissingSolverError
from bridge.install import doctor
from bridge.install import janus as build
from bridge.install.janus import Janus
from bridge.prolog import locate
from bridge.prolog.locate import HINT, Installation

SOMEWHERE = Installation((9, 2, 9), Path("/opt/swipl/bin/swipl"), Path("/opt/swipl"), Path("/opt/libswipl.so"), False)


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without SWI-Prolog; its PATH is the folder returned."""
    return make_machine(tmp_path, monkeypatch).programs


# This machine ----------------------------------------------------------------------------------------------------


def test_this_machine_is_well() -> None:
    """Holds where `make setup` has been run."""
    result = CliRunner().invoke(command, ["--json"])
    told = json.loads(result.stdout)
    assert [finding for finding in told["findings"] if not finding["ok"]] == []
    assert told["ok"] is True
    assert result.exit_code == 0
    versions = {finding["name"]: finding["version"] for finding in told["findings"]}
    assert locate.parse_version(versions["SWI-Prolog"]) >= locate.MINIMUM
    extras = [f"extra {name}" for name in doctor.extras()]
    libraries = [f"library({x})" for x in locate.LIBRARIES]
    search = [] if find_spec("bridge.puzzles") is None else ["search"]  # that of puzzles
    assert list(versions) == ["Python", "clingo", "SWI-Prolog", *libraries, "janus", *search, *extras]
    assert [versions[name] for name in search] == [each.version for findings in added("findings") for each in findings()]


@pytest.mark.slow
def test_the_text_names_version_and_path() -> None:
    result = CliRunner().invoke(command)
    assert result.exit_code == 0
    (line,) = [line for line in result.stdout.splitlines() if " clingo " in line]
    assert line.startswith("ok")
    assert os.sep in line


# Machines that are not -------------------------------------------------------------------------------------------


def test_a_machine_with_clingo_only_is_well(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (doctor, build):
        monkeypatch.setattr(module, "janus_extension", lambda: None)
    result = CliRunner().invoke(command, ["--json"])
    assert result.exit_code == 0
    findings = {finding["name"]: finding for finding in json.loads(result.stdout)["findings"]}
    assert findings["Python"]["ok"]
    assert findings["clingo"]["ok"]
    assert findings["SWI-Prolog"]["problem"] == "not found (needed: 9.1.12 or newer)"
    assert findings["SWI-Prolog"]["remedy"] == HINT
    assert findings["SWI-Prolog"]["optional"]
    assert "janus" not in findings


def test_a_prolog_that_lpbridge_was_not_joined_to_is_no_fault(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Too old, as Debian 12's, or new enough: without janus the machine has clingo only, and that is well."""
    for module in (doctor, build):
        monkeypatch.setattr(module, "janus_extension", lambda: None)
    monkeypatch.setenv("CC", "no-such-cc")
    script_at(bare / "swipl", "echo 'PLVERSION=\"90004\";'")
    result = CliRunner().invoke(command)
    assert result.exit_code == 0
    assert "absent   SWI-Prolog" in result.stdout
    assert HINT in result.stdout
    monkeypatch.setattr(doctor, "examine_prolog", lambda: (SOMEWHERE, doctor.Finding("SWI-Prolog", True, "9.2.9")))
    monkeypatch.setattr(doctor, "examine_libraries", lambda installation: [])
    result = CliRunner().invoke(command)
    assert result.exit_code == 0
    assert "absent   janus" in result.stdout
    assert "absent   C compiler" in result.stdout


def test_a_janus_that_does_not_load_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    def probe(installation: Installation) -> Janus:
        raise MissingSolverError("janus does not load", hint=HINT)

    monkeypatch.setattr(doctor, "janus_extension", lambda: SOMEWHERE.swipl)
    monkeypatch.setattr(doctor, "examine_prolog", lambda: (SOMEWHERE, doctor.Finding("SWI-Prolog", True, "9.2.9")))
    monkeypatch.setattr(doctor, "examine_libraries", lambda installation: [])
    monkeypatch.setattr(doctor, "probe", probe)
    compiler = doctor.Finding("C compiler", False, problem="none", remedy="run: get gcc")
    monkeypatch.setattr(doctor, "missing_tools", lambda installation: [compiler])
    findings = {finding.name: finding for finding in doctor.examine()}
    assert findings["janus"].problem == "janus does not load"
    assert findings["C compiler"].remedy == "run: get gcc"
    assert not findings["janus"].well


def test_an_extra_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    def version(package: str) -> str:
        raise doctor.metadata.PackageNotFoundError(package)

    monkeypatch.setattr(doctor.metadata, "version", version)
    findings = {finding.name: finding for finding in doctor.examine_extras()}
    assert list(findings) == [f"extra {name}" for name in doctor.extras()]
    assert findings["extra theories"].remedy == "run: pip install 'lpbridge[theories]'"
    assert "clingo-dl" in str(findings["extra theories"].problem)
    assert all(finding.well and not finding.ok for finding in findings.values())


def test_the_text_puts_the_remedy_under_the_problem(bare: Path) -> None:
    result = CliRunner().invoke(command)
    lines = result.stdout.splitlines()
    (at,) = [number for number, line in enumerate(lines) if line.startswith("absent   SWI-Prolog ")]
    assert lines[at + 1].strip() == HINT


def test_too_old(bare: Path) -> None:
    script_at(bare / "swipl", "echo 'PLVERSION=\"90004\";'")
    installation, finding = doctor.examine_prolog()
    assert installation is None
    assert finding.problem == f"{bare / 'swipl'} is SWI-Prolog 9.0.4, older than 9.1.12"
    assert finding.remedy == HINT


def test_wrong_choice(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LPBRIDGE_SWIPL", str(bare / "nothing"))
    _, finding = doctor.examine_prolog()
    assert not finding.ok
    assert finding.problem.startswith(f"LPBRIDGE_SWIPL is set, but {bare / 'nothing'} does not run")
    assert finding.remedy == "correct it, or unset it"


def test_missing_library(tmp_path: Path) -> None:
    script = 'case "$*" in *"(plunit)"*) echo "ERROR: no plunit" >&2; exit 2;; *) echo /lib/x.pl;; esac'
    swipl = script_at(tmp_path / "swipl", script)
    findings = doctor.examine_libraries(Installation((9, 2, 9), swipl, tmp_path, tmp_path, False))
    assert {finding.name: finding.ok for finding in findings} == {
        "library(clpfd)": True,
        "library(time)": True,
        "library(sandbox)": True,
        "library(plunit)": False,
    }
    assert findings[-1].problem == "ERROR: no plunit"
    assert "swi-prolog-core-packages" in findings[-1].remedy


def test_library_of_a_private_copy(tmp_path: Path) -> None:
    swipl = script_at(tmp_path / "swipl", "exit 1")
    finding, *_ = doctor.examine_libraries(Installation((9, 2, 9), swipl, tmp_path, tmp_path, True))
    assert finding.remedy == f"remove {tmp_path.parent} and {HINT}"


def test_janus_of_another_libswipl(monkeypatch: pytest.MonkeyPatch) -> None:
    def probe(installation: Installation) -> Janus:
        raise MissingSolverError("janus was built against /a, but SWI-Prolog's library is /b", hint=HINT)

    monkeypatch.setattr(doctor, "probe", probe)
    monkeypatch.setattr(doctor, "missing_tools", lambda installation: [])
    (finding,) = doctor.examine_janus(SOMEWHERE)
    assert not finding.ok
    assert finding.problem == "janus was built against /a, but SWI-Prolog's library is /b"
    assert finding.remedy == HINT


def test_janus_without_prolog(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "janus_extension", lambda: Path("/env/_swipl.so"))
    (finding,) = doctor.examine_janus(None)
    assert (finding.path, finding.problem) == ("/env/_swipl.so", "there is no SWI-Prolog to load it with")


def test_a_crash_is_a_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A libswipl that kills the process that loads it: here the Python that would load it kills itself."""
    monkeypatch.setattr(sys, "executable", str(script_at(tmp_path / "python", "kill -SEGV $$")))
    monkeypatch.setattr(doctor, "missing_tools", lambda installation: [])
    (finding,) = doctor.examine_janus(SOMEWHERE)
    assert finding.problem == "loading janus ends the process: killed by SIGSEGV"
    assert doctor.examine_clingo().problem == "killed by SIGSEGV"


def test_clingo_too_old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python = script_at(tmp_path / "python", """echo '["5.4.0", "/lib/clingo.so"]'""")
    monkeypatch.setattr(sys, "executable", str(python))
    finding = doctor.examine_clingo()
    assert (finding.ok, finding.version) == (False, "5.4.0")
    assert finding.remedy == f"run: {python} -m pip install 'clingo>=5.8.0,<6'"


def test_python_too_old(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "PYTHON", (99, 0))
    finding = doctor.examine_python()
    assert finding.problem == "older than 99.0"
    assert finding.remedy


# What compiling janus needs --------------------------------------------------------------------------------------


def test_no_compiler(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-cc -pthread")
    script_at(bare / "apt-get", "exit 0")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    (missing,) = [missing for missing in build.missing_tools(None) if missing.name == "C compiler"]
    assert missing.problem == "there is no C compiler (no-such-cc)"
    assert missing.remedy == "run: sudo apt-get install gcc libc6-dev"


def test_no_headers(bare: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build.sysconfig, "get_path", lambda name: str(tmp_path))
    script_at(bare / "dnf", "exit 0")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    installation = Installation((9, 2, 9), tmp_path, tmp_path, tmp_path, False)
    remedies = {missing.name: missing.remedy for missing in build.missing_tools(installation)}
    assert remedies["Python headers"] == "run: dnf install python3-devel"
    assert remedies["SWI-Prolog headers"] == "run: dnf install pl-devel"


def test_nothing_to_install_with(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build.platform, "system", lambda: "Linux")
    assert build.install_advice("compiler") == "install a C compiler"


def test_every_finding_is_a_line_of_json() -> None:
    finding = doctor.Finding("x", False, problem="wrong", remedy="fix it")
    assert finding.to_json() == {
        "name": "x",
        "ok": False,
        "version": None,
        "path": None,
        "problem": "wrong",
        "remedy": "fix it",
        "optional": False,
    }
