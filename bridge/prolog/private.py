"""A private copy of SWI-Prolog: Debian's packages, unpacked into a folder of their own.

Nothing is installed in the system and no root is needed. Debian 13's packages run wherever glibc is 2.34 or newer, so
Debian 12, whose own SWI-Prolog is too old, gets one that is not. apt does the fetching, with lists and cache of its
own, and checks every file against Debian's signatures.

The copy is built in a temporary folder beside its place and renamed into it at the end, under a lock: it is there
whole, or not at all.
"""

from __future__ import annotations

import fcntl
import json
import os
import platform
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from bridge.errors import InputError, MissingSolverError
from bridge.prolog.commands import CommandError, Say, run
from bridge.prolog.locate import LIBRARIES, MARKER, inspect, show_version

#: The release whose packages are unpacked, the oldest glibc that they run with, and the packages.
SUITE = "trixie"
GLIBC = (2, 34)
PACKAGES = ("swi-prolog-core", "swi-prolog-core-packages")

#: What `swipl` is linked with and few machines have. It comes from the machine's own release, because Debian 13's
#: asks for a newer glibc; the first name is the one of the releases after 2024.
ALLOCATOR = ("libtcmalloc-minimal4t64", "libtcmalloc-minimal4")

KEYRINGS = (
    "/usr/share/keyrings/debian-archive-keyring.gpg",
    "/usr/share/keyrings/debian-archive-keyring.pgp",
)


class CannotBuild(Exception):
    """This machine cannot have a private copy; the text says why, and what would change that."""


class Apt:
    """apt, with the machine's lists or with lists of its own.

    Parameters
    ----------
    folder
        Where lists and cache of its own go; None uses the machine's.
    sources
        A sources file to use in place of the machine's.
    """

    def __init__(self, folder: Path | None = None, sources: Path | None = None) -> None:
        # A machine's pins and default release are about its own upgrades, not about these packages.
        self._options = [
            "-qq", "-o", "APT::Default-Release=", "-o", "Acquire::Languages=none",
            "-o", "Dir::Etc::Preferences=/dev/null", "-o", "Dir::Etc::PreferencesParts=/dev/null",
        ]  # fmt: skip
        if os.geteuid() == 0:  # apt's own user cannot write here, and apt would warn about it
            self._options += ["-o", "APT::Sandbox::User=root"]
        if folder is not None:
            (folder / "lists" / "partial").mkdir(parents=True)
            (folder / "cache" / "archives" / "partial").mkdir(parents=True)
            self._options += ["-o", f"Dir::State::lists={folder / 'lists'}", "-o", f"Dir::Cache={folder / 'cache'}"]
        if sources is not None:
            self._options += ["-o", f"Dir::Etc::sourcelist={sources}", "-o", "Dir::Etc::sourceparts=/dev/null"]

    def update(self) -> None:
        """Fetch the lists."""
        run(["apt-get", *self._options, "update"])

    def candidate(self, package: str) -> str | None:
        """The version of a package that would be fetched, None when the lists do not know it."""
        for line in run(["apt-cache", *self._options, "policy", package]).splitlines():
            name, _, version = line.strip().partition(": ")
            if name == "Candidate" and version != "(none)":
                return version
        return None

    def sources(self) -> list[tuple[str, str]]:
        """The label and address of each package source whose list is here; nothing in a fresh container."""
        form = "$(LABEL)|$(COMPONENT)|$(REPO_URI)"
        shown = run(["apt-get", *self._options, "indextargets", "--format", form, "Created-By: Packages"])
        lines = [line.split("|", 2) for line in shown.splitlines()]
        return [(label, address) for label, component, address in lines if component == "main"]

    def download(self, packages: Sequence[str], into: Path) -> list[Path]:
        """Fetch packages, checked by apt, and return the files."""
        into.mkdir()
        run(["apt-get", *self._options, "download", *packages], cwd=into)
        return sorted(into.glob("*.deb"))


def own_release(folder: Path) -> Apt:
    """apt for the machine's own release: its lists if it has them, else fetched for ourselves from its sources."""
    machine = Apt()
    return machine if machine.sources() else fetched(Apt(folder))


def fetched(apt: Apt) -> Apt:
    """The same apt with fresh lists. One source that fails is no reason to stop: the one that matters may have come."""
    try:
        apt.update()
    except CommandError:
        if not apt.sources():
            raise
    return apt


# What the machine has --------------------------------------------------------------------------------------------


def families() -> set[str]:
    """The distribution and those it comes from: {"ubuntu", "debian"}. Empty where it does not say."""
    try:
        release = platform.freedesktop_os_release()
    except OSError:
        return set()
    return {release.get("ID", ""), *release.get("ID_LIKE", "").split()} - {""}


def check_machine() -> Path:
    """The keyring to verify Debian's packages with, or CannotBuild with the reason."""
    if not families() & {"debian", "ubuntu"}:
        raise CannotBuild("a private copy can only be made on Debian and Ubuntu")
    for program in ("apt-get", "apt-cache", "dpkg"):
        if not shutil.which(program):
            raise CannotBuild(f"a private copy needs {program}")
    kind, version = platform.libc_ver()
    if kind != "glibc" or tuple(map(int, version.split(".")[:2])) < GLIBC:
        raise CannotBuild(f"a private copy needs glibc {GLIBC[0]}.{GLIBC[1]} or newer, here is {kind} {version}")
    for keyring in map(Path, KEYRINGS):
        if keyring.is_file():
            return keyring
    raise CannotBuild(
        "Debian's signing keys are missing, so its packages cannot be verified"
        " (to have them: apt-get install debian-archive-keyring)"
    )


def find_mirror(own: Apt) -> str:
    """`$LPBRIDGE_DEBIAN_MIRROR`, else the mirror that the machine uses."""
    if chosen := os.environ.get("LPBRIDGE_DEBIAN_MIRROR"):
        return chosen
    for label, address in own.sources():
        if label == "Debian" and not address.startswith("cdrom:"):
            return address
    raise CannotBuild(
        "this machine has no Debian mirror among its sources"
        " (set LPBRIDGE_DEBIAN_MIRROR to the address of one to have a private copy)"
    )


# Making it -------------------------------------------------------------------------------------------------------


def make(prefix: Path, say: Say) -> None:
    """Put a private copy at `prefix`, unless a whole one is there by now.

    Raises
    ------
    CannotBuild
        This machine cannot have one.
    InputError
        Something that is not a private copy is at `prefix`.
    """
    keyring = check_machine()
    refuse_foreign(prefix)
    prefix.parent.mkdir(parents=True, exist_ok=True)
    with locked(prefix):
        if is_whole(prefix):
            return
        for leftover in prefix.parent.glob(f".{prefix.name}.partial-*"):
            # Of a run that was killed: the lock is ours, so no other run is at work there. What cannot be removed now,
            # because an orphan of that run still writes to it, is removed the next time.
            shutil.rmtree(leftover, ignore_errors=True)
        with tempfile.TemporaryDirectory(dir=prefix.parent, prefix=f".{prefix.name}.partial-") as scratch:
            work = Path(scratch)
            copy = work / "copy"
            try:
                archives = fetch(work, keyring, say)
                say("unpacking")
                unpack(archives, copy)
                finish(copy)
            except CommandError as error:
                raise CannotBuild(f"the private copy failed: {error}") from None
            put_in_place(copy, prefix, work)
    say(f"SWI-Prolog is in {prefix}")


def refuse_foreign(prefix: Path) -> None:
    """Refuse to replace a folder that is not a private copy."""
    if prefix.exists() and not prefix.is_dir():
        raise InputError(f"{prefix} is a file", hint="name another folder")
    if prefix.is_dir() and not (prefix / MARKER).is_file() and any(prefix.iterdir()):
        raise InputError(f"{prefix} is not empty and holds no private copy", hint="name another folder")


@contextmanager
def locked(prefix: Path) -> Iterator[None]:
    """One process at a time makes this copy; the system lets go of the lock however the process ends."""
    with (prefix.parent / f".{prefix.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def is_whole(prefix: Path) -> bool:
    if not (prefix / MARKER).is_file():
        return False
    try:
        inspect(prefix / "bin" / "swipl")
    except MissingSolverError:
        return False
    return True


def fetch(work: Path, keyring: Path, say: Say) -> list[Path]:
    """The packages to unpack."""
    own = own_release(work / "own")
    mirror = find_mirror(own)
    sources = work / "debian.sources"
    architecture = run(["dpkg", "--print-architecture"]).strip()
    sources.write_text(
        f"Types: deb\nURIs: {mirror}\nSuites: {SUITE}\nComponents: main\nArchitectures: {architecture}\n"
        f"Targets: Packages\nSigned-By: {keyring}\n",
        "utf-8",
    )
    say(f"fetching Debian's {' and '.join(PACKAGES)} ({SUITE}) from {mirror}")
    debian = fetched(Apt(work / "debian", sources))
    archives = debian.download(PACKAGES, work / "archives")
    try:
        archives += own.download([known(own, ALLOCATOR)], work / "allocator")
    except CommandError:  # the machine's lists can be older than what its mirror still has
        fresh = fetched(Apt(work / "fresh"))
        archives += fresh.download([known(fresh, ALLOCATOR)], work / "allocator-fresh")
    return archives


def known(apt: Apt, names: Sequence[str]) -> str:
    """The first of these packages that the release has."""
    for name in names:
        if apt.candidate(name):
            return name
    raise CannotBuild(f"this machine's package sources have no {' or '.join(names)}")


def unpack(archives: Sequence[Path], copy: Path) -> None:
    copy.mkdir()
    for archive in archives:
        run(["dpkg", "-x", str(archive), str(copy)])


WRAPPER = """\
#!/bin/sh
# Written by lpbridge install-prolog. The copy finds itself from where this script lies.
top=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")
export SWI_HOME_DIR="$top/{home}"
export LD_LIBRARY_PATH="$top/{libraries}${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}}"
exec "$top/{swipl}" "$@"
"""


def finish(copy: Path) -> None:
    """Make of unpacked packages what their installation would have made: a `swipl` that works from where it lies."""
    swipl = only(copy, "usr/lib/swi-prolog/bin/*/swipl")
    home = swipl.parents[2]
    libraries = only(copy, "usr/lib/*/libswipl.so").parent

    # janus is linked and run with the library in this folder, a real folder of the home.
    beside = home / "lib" / swipl.parent.name
    for library in libraries.glob("libswipl.so*"):
        (beside / library.name).symlink_to(os.path.relpath(library, beside))

    wrapper = copy / "bin" / "swipl"
    wrapper.parent.mkdir()
    wrapper.write_text(
        WRAPPER.format(
            home=home.relative_to(copy), libraries=libraries.relative_to(copy), swipl=swipl.relative_to(copy)
        ),
        "utf-8",
    )
    wrapper.chmod(0o755)

    # Without this index the library's predicates are unknown; the package would make it after its installation.
    run([str(wrapper), "-q", "-g", "make_library_index(swi(library))", "-t", "halt"])
    goal = ",".join(f"use_module(library({name}))" for name in LIBRARIES)
    run([str(wrapper), "-q", "--on-error=halt", "-g", goal, "-t", "halt"])
    version = show_version(inspect(wrapper).version)
    (copy / MARKER).write_text(json.dumps({"swi_prolog": version, "suite": SUITE}) + "\n", "utf-8")


def only(copy: Path, pattern: str) -> Path:
    """The one path that matches: the packages decide what the architecture's folders are called."""
    matches = list(copy.glob(pattern))
    if len(matches) != 1:
        raise CannotBuild(f"Debian's packages hold {len(matches)} files {pattern}, not 1")
    return matches[0]


def put_in_place(copy: Path, prefix: Path, work: Path) -> None:
    """Rename the copy to its place; what was there, a broken copy, goes away with the temporary folder."""
    if prefix.exists():
        prefix.rename(work / "broken")
    copy.rename(prefix)
