"""Compiles the search by mypyc, for `pip install` and `make compiled`; without a compiler the package is pure Python.

    python hatch_build.py        compile into this checkout, if that is not done already

`bridge/puzzles/search/compiled.py` says what is compiled, and decides at every import whether the result may be used.
It is compiled in a temporary folder, from a copy of the few modules that are needed: mypyc would read the whole
package.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ModuleNotFoundError:  # run as a script
    BuildHookInterface = object

ROOT = Path(__file__).parent
PACKAGE = ROOT / "bridge" / "puzzles" / "search"

#: What mypyc needs; installed for the build only, and only where there is a C compiler.
REQUIRED = ["mypy>=2,<3", "setuptools>=65"]

#: -O3 with `HIDDEN` makes a Sudoku 7 % faster, each of them alone hardly.
SETUP = """
from mypyc.build import mypycify
from setuptools import setup

files = {files!r}
options = dict(opt_level="3", debug_level="0", group_name="bridge.puzzles.search.core")
setup(name="core", packages=[], ext_modules=mypycify(files, **options))
"""


#: For GCC and Clang: functions that another library could replace are not inlined.
HIDDEN = "-fvisibility=hidden"


class CannotCompile(Exception):
    """Why the search stays Python, in one line."""


def _load_form() -> Any:
    spec = spec_from_file_location("_lpbridge_form", PACKAGE / "compiled.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look there
    spec.loader.exec_module(module)
    return module


form = _load_form()


def compiler() -> str | None:
    """The C compiler that setuptools would call, None if it is not there."""
    command = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    return shutil.which(command.split()[0])


def compile_search(target: Path) -> str:
    """Make the folder with the compiled modules and its manifest anew; returns what to tell people.

    Where it cannot be compiled, the manifest says why.
    """
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    manifest: dict[str, Any]
    try:
        made = _compile(target)
        manifest = {"compiler": made, "python": form.python(), "sources": form.hashes_of(PACKAGE)}
        told = f"the search is compiled by {made}"
    except CannotCompile as problem:
        manifest = {"problem": str(problem)}
        told = f"the search stays pure Python: {problem}"
    (target / form.MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    return told


def _compile(target: Path) -> str:
    if compiler() is None:
        raise CannotCompile("no C compiler when it was installed")
    try:
        import mypy
        from mypy.version import __version__ as version
    except ImportError:
        raise CannotCompile("no mypyc when it was installed") from None
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        search = root / "bridge" / "puzzles" / "search"
        search.mkdir(parents=True)
        for package in (search, search.parent, search.parent.parent):
            (package / "__init__.py").touch()
        shutil.copy(PACKAGE.parent.parent / "errors.py", search.parent.parent)
        for name in (*form.MODULES, *form.NEEDED):
            shutil.copy(PACKAGE / f"{name}.py", search)
        (root / "setup.py").write_text(
            SETUP.format(files=[f"bridge/puzzles/search/{name}.py" for name in form.MODULES])
        )
        command = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
        # Not read for MSVC, which hides them anyway. The folder that pip has put mypyc into would differ each time.
        elsewhere = f"-ffile-prefix-map={Path(mypy.__file__).parent.parent}=."
        flags = f"{os.environ.get('CFLAGS', '')} {HIDDEN} {elsewhere}".strip()
        environment = {**os.environ, "CFLAGS": flags, "PYTHONPATH": os.pathsep.join([folder, *sys.path])}
        done = subprocess.run(
            command, cwd=root, env=environment, capture_output=True, text=True, errors="replace", check=False
        )
        made = sorted(search.glob(f"*{form.python()}"))
        if done.returncode != 0 or len(made) != len(form.MODULES) + 1:  # the modules, and one library for all
            lines = (done.stderr or done.stdout).strip().splitlines()
            said = next((line for line in lines if "error" in line), lines[-1] if lines else "it made nothing")
            raise CannotCompile(f"mypyc {version} failed when it was installed: {said.strip()}")
        for path in made:
            shutil.copy(path, target)
    return f"mypyc {version}"


class CustomBuildHook(BuildHookInterface):  # type: ignore[misc]
    """Adds the compiled modules to a wheel; for an editable installation they are put into the checkout."""

    def dependencies(self) -> list[str]:
        return REQUIRED if compiler() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            self.app.display_info(compile_search(PACKAGE / form.FOLDER))
            return
        self._made = tempfile.TemporaryDirectory()
        target = Path(self._made.name)
        self.app.display_info(compile_search(target))
        for path in sorted(target.iterdir()):
            build_data["force_include"][str(path)] = f"bridge/puzzles/search/{form.FOLDER}/{path.name}"
            if path.suffix != ".json":
                build_data["pure_python"] = False
                build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if version != "editable":
            self._made.cleanup()


if __name__ == "__main__":
    current = form.choose(PACKAGE)
    print(f"the search is {current}" if current.compiled else compile_search(PACKAGE / form.FOLDER))
