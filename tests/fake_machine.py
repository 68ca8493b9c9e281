"""A machine made of a few scripts in a folder, for tests of finding and installing SWI-Prolog."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bridge.prolog import locate


class Machine:
    """A machine in a folder: its programs, its home, its Python environment.

    `said` collects the steps that an installation reports.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.programs = folder / "bin"
        self.private = folder / "data" / "swi-prolog"
        self.programs.mkdir()
        self.said: list[str] = []

    def program(self, name: str, script: str) -> Path:
        return script_at(self.programs / name, script)

    def swipl(self, version: int, where: Path | None = None) -> Path:
        """A `swipl` that says what it is; its home and library are files that are only there."""
        where = where or self.folder / f"swipl-{version}"
        (where / "bin").mkdir(parents=True)
        (where / "boot.prc").touch()
        (where / "libswipl.so").touch()
        answer = f'PLBASE="{where}";\nPLVERSION="{version}";\nPLLIBSWIPL="{where}/libswipl.so";'
        return script_at(where / "bin" / "swipl", f"cat <<'END'\n{answer}\nEND")

    def on_path(self, version: int) -> Path:
        path = self.programs / "swipl"
        path.symlink_to(self.swipl(version))
        return path

    def private_copy(self, version: int) -> Path:
        path = self.swipl(version, self.private)
        (self.private / locate.MARKER).write_text("{}", "utf-8")
        return path


def script_at(path: Path, script: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
    path.chmod(0o755)
    return path


def make_machine(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """A machine with nothing on it, which this process takes for its own: PATH, home, environment."""
    made = Machine(folder)
    for name in ("cat", "readlink", "dirname"):
        script_at(made.programs / name, f'PATH=/bin:/usr/bin exec {name} "$@"')
    monkeypatch.setenv("PATH", str(made.programs))
    monkeypatch.setenv("LPBRIDGE_HOME", str(made.private.parent))
    monkeypatch.delenv("LPBRIDGE_SWIPL", raising=False)
    monkeypatch.delenv("LPBRIDGE_DEBIAN_MIRROR", raising=False)
    monkeypatch.setattr(sys, "prefix", str(folder / "env"))
    return made
