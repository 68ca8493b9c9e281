"""Compiles janus, the interface between Python and SWI-Prolog, against one installation of SWI-Prolog.

janus has no wheels for Linux. pip compiles it with a C compiler and the headers of Python and SWI-Prolog, and the
result works only with that SWI-Prolog. So it is compiled again when the installation changes.
"""

from __future__ import annotations

import json
import os
import platform
import shlex
import shutil
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

import bridge
from bridge.as_json import Json
from bridge.errors import MissingSolverError
from bridge.install.commands import CommandError, Say, last_line, run
from bridge.prolog.locate import HINT, Installation, janus_extension, show_version

REQUIREMENT = "janus-swi>=1.5.2,<2"

#: SWI-Prolog's headers are not C23, which is what GCC takes a program for from version 15 on.
STANDARD = "-std=gnu17"


@dataclass(frozen=True, slots=True)
class Janus:
    """A janus that loads: its version, its compiled part, and the version of the SWI-Prolog that it started."""

    version: str
    extension: Path
    swi_prolog: str


@dataclass(frozen=True, slots=True)
class Finding(Json):
    """One component that was examined."""

    #: `Python`, `clingo`, `SWI-Prolog`, `library(clpfd)`, `janus`, `C compiler`, ...
    name: str
    #: Whether it is usable.
    ok: bool
    #: What was found and where; None if not applicable.
    version: str | None = None
    path: str | None = None
    #: What is wrong and what to do about it; None if `ok`.
    problem: str | None = None
    remedy: str | None = None
    #: Whether lpbridge works without it, for other programs and engines: then it is not a fault that it is not there.
    optional: bool = False

    @property
    def well(self) -> bool:
        """Whether nothing has to be done."""
        return self.ok or self.optional


def probe(installation: Installation) -> Janus:
    """Load janus with this installation, in a process of its own, so that a broken library cannot end this one.

    Raises MissingSolverError if it does not load; the message is the reason.
    """
    program = (
        "import json; from bridge.errors import BridgeError; from bridge.prolog.locate import describe_janus\n"
        "try: print(json.dumps(describe_janus()))\n"
        "except BridgeError as error: print(json.dumps({'problem': error.message}))"
    )
    # The same package as here, and nothing from the current folder.
    package = str(Path(bridge.__file__).parent.parent)
    path = os.pathsep.join(filter(None, [package, os.environ.get("PYTHONPATH")]))
    env = {"PYTHONPATH": path, "LPBRIDGE_SWIPL": str(installation.swipl)}
    try:
        described = json.loads(last_line([sys.executable, "-P", "-c", program], env))
    except CommandError as error:
        hangs = isinstance(error.__cause__, subprocess.TimeoutExpired)
        problem = "janus hangs when it is loaded" if hangs else f"loading janus ends the process: {error}"
        raise MissingSolverError(problem, hint=HINT) from None
    if "problem" in described:
        raise MissingSolverError(described["problem"], hint=HINT)
    return Janus(described["janus"], Path(described["extension"]), described["swi_prolog"])


# Requirements of compiling --------------------------------------------------------------------------------------------


def missing_tools(installation: Installation | None) -> list[Finding]:
    """The missing requirements of compiling janus; SWI-Prolog's headers only if there is a SWI-Prolog."""
    missing: list[tuple[str, str, str]] = []
    command = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    compiler = (shlex.split(command) or ["cc"])[0]
    if not shutil.which(compiler):
        missing.append(("C compiler", f"there is no C compiler ({compiler})", "compiler"))
    folders = {sysconfig.get_path("include"), sysconfig.get_path("platinclude")}
    if not any((Path(folder) / "Python.h").is_file() for folder in folders):
        where = sysconfig.get_path("include")
        missing.append(("Python headers", f"Python's C headers are not in {where}", "headers"))
    if installation is not None and not (installation.home / "include" / "SWI-Prolog.h").is_file():
        where = str(installation.home / "include")
        missing.append(("SWI-Prolog headers", f"SWI-Prolog's C headers are not in {where}", "prolog"))
    optional = janus_extension() is None  # then it is not a fault
    return [
        Finding(name, False, problem=problem, remedy=install_advice(what), optional=optional)
        for name, problem, what in missing
    ]


def check_tools(installation: Installation | None) -> None:
    """Check that janus can be compiled; MissingSolverError, which names all that is missing, if not."""
    if missing := missing_tools(installation):
        problems = "; ".join(str(one.problem) for one in missing)
        remedies = "; ".join(dict.fromkeys(str(one.remedy) for one in missing))
        raise MissingSolverError(f"{problems}: janus, through which Prolog runs, cannot be compiled",
                                 hint=f"{remedies}; then {HINT}")


def install_advice(what: str) -> str:
    """The command that installs something on this system, or what to look for."""
    python = f"python{sys.version_info.major}.{sys.version_info.minor}"
    advice = {
        "apt-get": {"compiler": "gcc libc6-dev", "headers": f"{python}-dev", "prolog": "swi-prolog-core"},
        "dnf": {"compiler": "gcc", "headers": "python3-devel", "prolog": "pl-devel"},
        "brew": {"prolog": "swi-prolog"},
    }
    if platform.system() == "Darwin" and what == "compiler":
        return "run: xcode-select --install"
    for program, packages in advice.items():
        if what in packages and shutil.which(program):
            sudo = "" if program == "brew" or os.geteuid() == 0 else "sudo "
            return f"run: {sudo}{program} install {packages[what]}"
    named = {"compiler": "a C compiler", "headers": f"the C headers of {python}", "prolog": "SWI-Prolog's C headers"}
    return f"install {named[what]}"


# Compiling -------------------------------------------------------------------------------------------------------


def build(installation: Installation, say: Say) -> Janus:
    """Compile janus for this installation into this Python environment, replacing any other janus.

    Raises MissingSolverError when a requirement is missing, or pip failed; the message says which.
    """
    check_tools(installation)
    check_environment()
    say(f"compiling janus for SWI-Prolog {show_version(installation.version)} (some seconds)")
    # No cache: pip would reuse a wheel compiled against another libswipl.
    options = ["--no-binary", "janus-swi", "--no-cache-dir", "--force-reinstall", "--no-deps"]
    pip = [sys.executable, "-m", "pip", "install", *options, REQUIREMENT]
    path = os.pathsep.join([str(installation.swipl.parent), os.environ.get("PATH", os.defpath)])
    env = {"PATH": path, "SWIPL": str(installation.swipl), "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    env["CFLAGS"] = f"{os.environ.get('CFLAGS', '')} {STANDARD}"
    try:
        run([*pip, "--quiet"], env=env)
    except CommandError as error:
        hint = f"for the whole output of pip: {shlex.join(pip)}"
        raise MissingSolverError(f"janus was not built: {error}", hint=hint) from None
    return probe(installation)


def check_environment() -> None:
    """Check that pip is installed and may write into this environment."""
    if sys.prefix == sys.base_prefix and (Path(sysconfig.get_path("stdlib")) / "EXTERNALLY-MANAGED").is_file():
        raise MissingSolverError("this Python belongs to the system, which does not let pip add janus to it",
                                 hint="install lpbridge in a virtual environment (python3 -m venv)")
    try:
        run([sys.executable, "-m", "pip", "--version"])
    except CommandError:
        raise MissingSolverError("this Python environment has no pip, which compiles janus",
                                 hint=f"run: {sys.executable} -m ensurepip") from None
