"""Examines the installation: whether the solvers are installed and compatible, and if not, what to do.

    >>> [finding.name for finding in examine() if not finding.ok]
    []

An examination returns a list of findings; the command line prints them. Solvers are loaded in processes of their own,
so that a broken library is a finding and does not end the examination.
"""

from __future__ import annotations

import json
import platform
import re
import shlex
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import metadata

from bridge.common.parts import added, parts
from bridge.errors import MissingSolverError
from bridge.install.commands import CommandError, last_line
from bridge.install.janus import Finding, missing_tools, probe
from bridge.prolog.locate import (
    HINT,
    LIBRARIES,
    MINIMUM,
    Installation,
    janus_extension,
    look,
    parse_version,
    show_version,
)

#: The oldest Python, and the clingo versions, that lpbridge is made for (pyproject.toml says the same).
PYTHON = (3, 11)
CLINGO = ((5, 8, 0), (6, 0, 0))


def examine() -> list[Finding]:
    """Examine all components, each after those that it needs."""
    installation, prolog = examine_prolog()
    findings = [examine_python(), examine_clingo(), prolog]
    if installation is None and prolog.optional and janus_extension() is None:
        return [*findings, *missing_tools(None), *examine_parts()]  # what `install-prolog` would lack
    if installation is not None:
        findings += examine_libraries(installation)
    return [*findings, *examine_janus(installation), *examine_parts()]


#: What the extras are for, beside those of parts. Those for developers are left out.
_EXTRAS = {
    "pictures": "pictures as PNG and PDF, and charts",
    "theories": "--theory: difference and linear constraints in clingo programs",
    "cluster": "batch --scheduler: many machines",
    "lsp": "lpbridge lsp: programs in an editor",
    "tables": "lpbridge facts, tables of any library",
}


def extras() -> dict[str, str]:
    """What the optional packages are for, by their extra, in the order in which they are listed."""
    return _EXTRAS | {name: about for part in parts() for name, about in part.extras.items()}


def examine_extras() -> list[Finding]:
    """The optional packages, by the extras of the distribution that bring them; each is optional."""
    wanted: dict[str, list[str]] = {name: [] for name in extras()}
    try:
        requirements = metadata.requires("lpbridge") or []
    except metadata.PackageNotFoundError:  # run from its sources, without being installed
        return []
    for requirement in requirements:
        if found := re.fullmatch(r"([\w.-]+).*extra == ['\"]([\w-]+)['\"].*", requirement):
            wanted.setdefault(found[2], []).append(found[1])
    return [_extra(name, wanted[name], about) for name, about in extras().items()]


def _extra(name: str, packages: Sequence[str], about: str) -> Finding:
    installed: dict[str, str] = {}
    for package in packages:
        with suppress(metadata.PackageNotFoundError):
            installed[package] = metadata.version(package)
    missing = [package for package in packages if package not in installed]
    if not missing:
        return Finding(f"extra {name}", True, ", ".join(f"{one} {version}" for one, version in installed.items()))
    problem, remedy = f"{about}: {', '.join(missing)} not installed", f"run: pip install 'lpbridge[{name}]'"
    return Finding(f"extra {name}", False, problem=problem, remedy=remedy, optional=True)


def examine_python() -> Finding:
    version, path = platform.python_version(), sys.executable
    if sys.version_info >= PYTHON:
        return Finding("Python", True, version, path)
    needed = ".".join(map(str, PYTHON))
    return Finding("Python", False, version, path, f"older than {needed}",
                   f"make the environment with Python {needed} or newer")


def examine_parts() -> list[Finding]:
    """What parts have to say of themselves."""
    return [finding for findings in added("findings") for finding in findings()]


def examine_clingo() -> Finding:
    """Import clingo in a process of its own and solve a program of one fact."""
    program = (
        "import clingo, json\n"
        "control = clingo.Control()\n"
        "control.add('base', [], 'a.')\n"
        "control.ground()\n"
        "assert control.solve().satisfiable\n"
        "print(json.dumps([clingo.__version__, clingo.__file__]))"
    )
    oldest, newest = CLINGO
    requirement = f"clingo>={show_version(oldest)},<{newest[0]}"
    remedy = f"run: {shlex.join([sys.executable, '-m', 'pip', 'install', requirement])}"
    try:
        version, path = json.loads(last_line([sys.executable, "-P", "-c", program]))
    except CommandError as error:
        return Finding("clingo", False, problem=str(error), remedy=remedy)
    number = parse_version(version)
    if number is None or not oldest <= number < newest:
        return Finding("clingo", False, version, path, f"not a version that {requirement} allows", remedy)
    return Finding("clingo", True, version, path)


def examine_prolog() -> tuple[Installation | None, Finding]:
    """The SWI-Prolog that would be used. A rejected one is reported only if there is no other."""
    name = "SWI-Prolog"
    try:
        installation, passed_over = look()
    except MissingSolverError as error:
        return None, Finding(name, False, problem=error.message, remedy=error.hint)
    if installation is None:
        reasons = passed_over or [f"not found (needed: {show_version(MINIMUM)} or newer)"]
        return None, Finding(name, False, problem="; ".join(reasons), remedy=HINT, optional=True)
    return installation, Finding(name, True, show_version(installation.version), str(installation.swipl))


def examine_libraries(installation: Installation) -> list[Finding]:
    """Load each Prolog library that lpbridge uses; where it lies is its path."""
    findings = []
    for library in LIBRARIES:
        name = f"library({library})"
        # A library that cannot be loaded prints an error, and --on-error=halt makes that the end.
        goal = f"use_module({name}), module_property({library}, file(F)), writeln(F)"
        command = [str(installation.swipl), "-q", "--on-error=halt", "-g", goal, "-t", "halt"]
        try:
            findings.append(Finding(name, True, path=last_line(command)))
        except CommandError as error:
            findings.append(Finding(name, False, problem=str(error), remedy=library_remedy(installation)))
    return findings


def library_remedy(installation: Installation) -> str:
    if installation.private:
        folder = installation.swipl.parent.parent
        return f"remove {folder} and {HINT}"
    return "install all of SWI-Prolog's libraries (on Debian and Ubuntu the package swi-prolog-core-packages)"


def examine_janus(installation: Installation | None) -> list[Finding]:
    """janus, and what compiling it would need where it is not there or not usable."""
    extension = janus_extension()
    path = str(extension) if extension else None
    if installation is None:
        return [Finding("janus", False, path=path, problem="there is no SWI-Prolog to load it with", remedy=HINT)]
    if extension is None:  # a SWI-Prolog that lpbridge has not been joined to
        absent = Finding("janus", False, problem="not installed: it runs Prolog", remedy=HINT, optional=True)
        return [absent, *missing_tools(installation)]
    try:
        found = probe(installation)
    except MissingSolverError as error:
        finding = Finding("janus", False, path=path, problem=error.message, remedy=error.hint)
        return [finding, *missing_tools(installation)]
    return [Finding("janus", True, found.version, str(found.extension))]
