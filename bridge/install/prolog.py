"""Installs SWI-Prolog and janus: `lpbridge install-prolog`.

The ways, tried in this order until one works:

1. An installed SWI-Prolog that is new enough is used as it is.
2. The package of the distribution (apt, dnf, brew), if it is new enough and the user agrees.
3. On Debian and Ubuntu, a private copy of Debian's packages, without root.

Then janus is compiled against it. Running it again changes nothing.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bridge.as_json import Json, Key
from bridge.errors import MissingSolverError
from bridge.install.commands import Agree, CommandError, Say, run
from bridge.install.janus import Janus, build, check_tools, probe
from bridge.prolog.locate import (
    MINIMUM,
    Installation,
    janus_extension,
    look,
    parse_version,
    private_folder,
    read_record,
    show_version,
    write_record,
)


@dataclass(frozen=True, slots=True)
class Report(Json):
    """The result: the installation, janus, and whether anything was changed."""

    installation: Installation
    janus: Janus
    changed: bool

    _json = (
        "swi_prolog=installation",
        Key("janus", dict[str, Any], lambda self: {"version": self.janus.version, "path": str(self.janus.extension)}),
        "changed",
    )


def install(*, agree: Agree, say: Say, prefix: Path | None = None) -> Report:
    """Install SWI-Prolog and janus if they are missing, and check that they work together.

    `agree` is asked before something is installed in the system; False skips that way. `say` is called with a line for
    each step that takes time or changes something. `prefix` is the folder of a private copy, if one is needed.

    Raises MissingSolverError when SWI-Prolog could not be installed, or janus not compiled: it says what to install.
    """
    installation, passed_over = look(prefix)
    there = installation is not None
    if janus_extension() is None:
        check_tools(installation)  # before anything is fetched
    if installation is None:
        for reason in passed_over:
            say(reason)
        installation = get_swi_prolog(prefix, agree, say)
    built, fitting = fit_janus(installation, say)
    if not there or not fitting or read_record() != installation:
        record(installation, say)
    return Report(installation, built, changed=not (there and fitting))


def fit_janus(installation: Installation, say: Say) -> tuple[Janus, bool]:
    """A janus for this installation, and whether it existed already."""
    recorded = read_record()
    upgraded = recorded and recorded.swipl == installation.swipl and recorded.version != installation.version
    if janus_extension() and not upgraded:
        try:
            return probe(installation), True
        except MissingSolverError as error:
            say(error.message)
    return build(installation, say), False


def record(installation: Installation, say: Say) -> None:
    """Note the installation for `import_janus`. It only saves time, so a read-only environment is not an error."""
    try:
        write_record(installation)
    except OSError as error:
        say(f"not recorded, so every start will look for SWI-Prolog anew: {error}")


# Getting SWI-Prolog ----------------------------------------------------------------------------------------------


class Closed(Exception):
    """This way is not possible on this machine; the text says why."""


def get_swi_prolog(prefix: Path | None, agree: Agree, say: Say) -> Installation:
    """Take the first possible way."""
    reasons = []
    for way in (from_package, from_private_copy):
        try:
            way(prefix, agree, say)
        except Closed as closed:
            reasons.append(str(closed))
            continue
        installation, passed_over = look(prefix)
        if installation is None:
            raise MissingSolverError("; ".join(["SWI-Prolog was installed, but is not found", *passed_over]),
                                     hint="see: lpbridge doctor")
        return installation
    raise MissingSolverError(f"no SWI-Prolog {show_version(MINIMUM)} or newer: {'; '.join(reasons)}", hint=advice())


def advice() -> str:
    """What the user can do if this program cannot."""
    commands = {
        "apt-get": (
            f"install SWI-Prolog {show_version(MINIMUM)} or newer with its headers (Debian 13's swi-prolog-core and"
            " swi-prolog-core-packages; on Ubuntu: sudo add-apt-repository ppa:swi-prolog/stable, then"
            " sudo apt-get install swi-prolog)"
        ),
        "dnf": "run: sudo dnf install pl pl-devel",
        "brew": "run: brew install swi-prolog",
    }
    for program, text in commands.items():
        if shutil.which(program):
            return f"{text}; then run: lpbridge install-prolog"
    return (
        f"install SWI-Prolog {show_version(MINIMUM)} or newer, with swipl on PATH or its path in LPBRIDGE_SWIPL;"
        " then run: lpbridge install-prolog"
    )


def from_private_copy(prefix: Path | None, agree: Agree, say: Say) -> None:
    """The third way. The user is not asked: only the user's own folder changes."""
    if not sys.platform.startswith("linux"):
        raise Closed("a private copy can only be made on Linux")
    from bridge.install import private

    try:
        private.make(prefix or private_folder(), say)
    except private.CannotBuild as error:
        raise Closed(str(error)) from None


# The distribution's package --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Offer:
    """Packages that a package manager, the `program`, offers."""

    program: str
    packages: Sequence[str]
    version: str
    #: The arguments of each of its runs, in order.
    commands: Sequence[Sequence[str]]
    root: bool = True


def from_package(prefix: Path | None, agree: Agree, say: Say) -> None:
    """The second way, if the package is new enough and the user agrees."""
    check_root_is_possible()
    offer = find_offer(say)
    if offer is None:
        raise Closed("there is no package manager that has SWI-Prolog (apt-get, dnf or brew)")
    version = parse_version(offer.version)
    if version is None or version < MINIMUM:
        raise Closed(
            f"{offer.program} has SWI-Prolog {offer.version}, older than the {show_version(MINIMUM)} that is needed"
        )
    before: list[str] = []
    if offer.root:
        before = become_root(f"Install {' and '.join(offer.packages)} {offer.version} with {offer.program}?", agree)
    for command in offer.commands:
        say(f"{offer.program} {' '.join(command)}")
        try:
            run([*before, offer.program, *command], env={"DEBIAN_FRONTEND": "noninteractive"})
        except CommandError as error:
            raise Closed(f"the package was not installed: {error}") from None


def check_root_is_possible() -> None:
    """Raise Closed if apt or dnf would need root and cannot get it; checked first, because the rest takes time."""
    if os.geteuid() == 0 or shutil.which("brew"):
        return
    if not shutil.which("sudo"):
        raise Closed("installing the system's package needs root, and there is no sudo")
    if not sys.stdin.isatty():  # no terminal to type a password at
        try:
            run(["sudo", "-n", "true"])
        except CommandError:
            raise Closed("installing the system's package needs root, and sudo asks for a password") from None


def become_root(question: str, agree: Agree) -> list[str]:
    """The prefix of a command that needs root, if the user agrees; otherwise raises Closed."""
    sudo = [] if os.geteuid() == 0 else ["sudo"]
    if not agree(f"{question} (with sudo)" if sudo else question):
        raise Closed("installing the system's package was not agreed to (--yes agrees)")
    return sudo


def find_offer(say: Say) -> Offer | None:
    """The offer of the first package manager that is installed. Nothing is changed."""
    for program, ask in (("apt-get", offer_of_apt), ("dnf", offer_of_dnf), ("brew", offer_of_brew)):
        if shutil.which(program):
            try:
                return ask(say)
            except CommandError as error:
                raise Closed(str(error)) from None
    return None


def offer_of_apt(say: Say) -> Offer | None:
    """Debian and Ubuntu. If the machine's lists are empty, as in a fresh container, private lists are fetched."""
    from bridge.install import private

    packages = list(private.PACKAGES)
    update: list[list[str]] = []
    machine = private.Apt()
    if machine.sources():
        version = machine.candidate(packages[0])
    else:
        say("this machine's package lists are empty: fetching those of its package sources")
        update = [["-qq", "update"]]
        with tempfile.TemporaryDirectory() as folder:
            version = private.fetched(private.Apt(Path(folder) / "own")).candidate(packages[0])
    commands = [*update, ["-qq", "install", "--yes", "--no-install-recommends", *packages]]
    return Offer("apt-get", packages, version, commands) if version else None


def offer_of_dnf(say: Say) -> Offer | None:
    """Fedora, whose package is called `pl`."""
    packages = ["pl", "pl-devel"]
    shown = run(["dnf", "--quiet", "repoquery", "--latest-limit=1", "--queryformat=%{version}\\n", packages[0]])
    version = shown.strip().splitlines()[-1:] or [""]
    return Offer("dnf", packages, version[0], [["--assumeyes", "install", *packages]]) if version[0] else None


def offer_of_brew(say: Say) -> Offer | None:
    """Homebrew, which installs for the user and needs no root."""
    found = json.loads(run(["brew", "info", "--json=v2", "swi-prolog"]))["formulae"]
    version = str(found[0]["versions"]["stable"]) if found else ""
    return Offer("brew", ["swi-prolog"], version, [["install", "swi-prolog"]], root=False) if version else None
