"""Makes a private copy of SWI-Prolog: Debian's packages, unpacked into a folder.

Nothing is installed in the system and no root is needed. Debian 13's packages run with glibc 2.34 or newer, thus on
Debian 12, too, whose own SWI-Prolog is too old. apt fetches them, with separate lists and cache, and verifies
Debian's signatures.

The copy is made in a temporary folder beside its destination and renamed at the end, under a lock: there is never a
partial copy.
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
from bridge.install.commands import CommandError, Say, run
from bridge.prolog.locate import LIBRARIES, MARKER, inspect, read_record, record_path, show_version

#: The release whose packages are unpacked, the oldest glibc that they run with, and the packages.
SUITE = "trixie"
GLIBC = (2, 34)
PACKAGES = ("swi-prolog-core", "swi-prolog-core-packages")

#: A library of `swipl` that few machines have. It is taken from the machine's own release, because Debian 13's needs a
#: newer glibc; the first name is that of releases after 2024.
ALLOCATOR = ("libtcmalloc-minimal4t64", "libtcmalloc-minimal4")

KEYRINGS = (
    "/usr/share/keyrings/debian-archive-keyring.gpg",
    "/usr/share/keyrings/debian-archive-keyring.pgp",
)


class CannotBuild(Exception):
    """A private copy is not possible on this machine; the text says why, and what would help."""


class Apt:
    """apt, with the machine's lists, or with separate lists and cache in a `folder`.

    `sources` is a file that replaces that of the machine.
    """

    def __init__(self, folder: Path | None = None, sources: Path | None = None) -> None:
        # The machine's pins and default release do not apply to these packages.
        self._options = [
            "-qq", "-o", "APT::Default-Release=", "-o", "Acquire::Languages=none",
            "-o", "Acquire::Retries=1", "-o", "Acquire::http::Timeout=15", "-o", "Acquire::https::Timeout=15",
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
        run(["apt-get", *self._options, "update"])

    def candidate(self, package: str) -> str | None:
        """The version of a package that would be fetched; None if it is not in the lists."""
        for line in run(["apt-cache", *self._options, "policy", package]).splitlines():
            name, _, version = line.strip().partition(": ")
            if name == "Candidate" and version != "(none)":
                return version
        return None

    def sources(self) -> list[tuple[str, str]]:
        """The label and address of each package source whose list was fetched; empty in a fresh container."""
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
    """apt for the machine's own release, with its lists if it has any, otherwise with separate ones."""
    machine = Apt()
    return machine if machine.sources() else fetched(Apt(folder))


def fetched(apt: Apt) -> Apt:
    """The same apt with fresh lists. A source that fails is skipped: the required one may have been fetched."""
    try:
        apt.update()
    except CommandError:
        if not apt.sources():
            raise
    return apt


# Properties of the machine --------------------------------------------------------------------------------------------


def families() -> set[str]:
    """The distribution and those it is derived from: {"ubuntu", "debian"}. Empty if unknown."""
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


# Making the copy ---------------------------------------------------------------------------------------------------


def make(prefix: Path, say: Say) -> None:
    """Make a private copy at `prefix`, unless there is a complete one.

    Raises CannotBuild when it is not possible on this machine, InputError when something that is not a private copy is
    at `prefix`.
    """
    keyring = check_machine()
    refuse_foreign(prefix)
    prefix.parent.mkdir(parents=True, exist_ok=True)
    with locked(prefix):
        if is_whole(prefix):
            return
        for leftover in prefix.parent.glob(f".{prefix.name}.partial-*"):
            # Left by a run that was killed: we have the lock, so no other run uses it. What cannot be removed now,
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


def remove(prefix: Path) -> bool:
    """Remove a private copy, and the record of it; False where there is none.

    Raises InputError when something else is at `prefix`.
    """
    refuse_foreign(prefix)
    if not prefix.is_dir():
        return False
    with locked(prefix):
        recorded = read_record()
        if recorded is not None and prefix in recorded.swipl.parents:
            record_path().unlink(missing_ok=True)
        shutil.rmtree(prefix)
        (prefix.parent / f".{prefix.name}.lock").unlink(missing_ok=True)
    return True


def refuse_foreign(prefix: Path) -> None:
    """Refuse to replace a folder that is not a private copy."""
    if prefix.exists() and not prefix.is_dir():
        raise InputError(f"{prefix} is a file", hint="name another folder")
    if prefix.is_dir() and not (prefix / MARKER).is_file() and any(prefix.iterdir()):
        raise InputError(f"{prefix} is not empty and holds no private copy", hint="name another folder")


@contextmanager
def locked(prefix: Path) -> Iterator[None]:
    """Lets one process at a time make this copy; the system releases the lock when the process ends."""
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
    say("looking for Debian's packages (up to half a minute)")
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
# Written by lpbridge install-prolog. The copy is found relative to this script.
top=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")
export SWI_HOME_DIR="$top/{home}"
export LD_LIBRARY_PATH="$top/{libraries}${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}}"
exec "$top/{swipl}" "$@"
"""


def finish(copy: Path) -> None:
    """Do what installing the packages would have done: a relocatable `swipl`."""
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
        WRAPPER.format(home=home.relative_to(copy), libraries=libraries.relative_to(copy),
                       swipl=swipl.relative_to(copy)),
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
    """The only path that matches: the names of the architecture's folders are those of the packages."""
    matches = list(copy.glob(pattern))
    if len(matches) != 1:
        raise CannotBuild(f"Debian's packages hold {len(matches)} files {pattern}, not 1")
    return matches[0]


def put_in_place(copy: Path, prefix: Path, work: Path) -> None:
    """Rename the copy to its destination; a broken copy there is removed with the temporary folder."""
    if prefix.exists():
        prefix.rename(work / "broken")
    copy.rename(prefix)
