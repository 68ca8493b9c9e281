"""The private copy of SWI-Prolog: made whole or not at all. Nothing here uses the network."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Callable
from pathlib import Path

import pytest
from fake_machine import Machine, make_machine, script_at

from bridge.errors import InputError
from bridge.install import private
from bridge.install.commands import CommandError
from bridge.prolog import locate
from bridge.prolog.locate import find

ARCH = "aarch64-linux"


def unpacked(copy: Path) -> None:
    """What Debian's packages hold, as far as it matters here; an architecture that is not this one's."""
    home = copy / "usr/lib/swi-prolog"
    library = copy / "usr/lib/aarch64-linux-gnu"
    (home / "lib" / ARCH).mkdir(parents=True)
    library.mkdir()
    (library / "libswipl.so.9.2.9").touch()
    (library / "libswipl.so.9").symlink_to("libswipl.so.9.2.9")
    (library / "libswipl.so").symlink_to("libswipl.so.9")
    (home / "boot.prc").touch()
    script_at(
        home / "bin" / ARCH / "swipl",
        'echo "PLBASE=\\"$SWI_HOME_DIR\\";"; echo \'PLVERSION="90209";\'\n'
        'echo "PLLIBSWIPL=\\"${LD_LIBRARY_PATH%%:*}/libswipl.so.9\\";"',
    )


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    return make_machine(tmp_path, monkeypatch)


@pytest.fixture
def debian(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """A machine that can have a private copy; fetching and unpacking are replaced."""
    monkeypatch.setattr(private, "check_machine", lambda: Path("/keyring.gpg"))
    monkeypatch.setattr(private, "fetch", lambda work, keyring, say: [])
    monkeypatch.setattr(private, "unpack", lambda archives, copy: unpacked(copy))
    return machine


def visible(machine: Machine) -> list[str]:
    """What lies where the private copy belongs, the lock aside."""
    folder = machine.private.parent
    return sorted(path.name for path in folder.iterdir() if not path.name.endswith(".lock")) if folder.exists() else []


def test_a_private_copy(debian: Machine) -> None:
    private.make(debian.private, debian.said.append)
    found = find()
    assert found is not None
    assert (found.private, found.version, found.home) == (True, (9, 2, 9), debian.private / "usr/lib/swi-prolog")
    assert visible(debian) == ["swi-prolog"]
    beside = found.home / "lib" / ARCH / "libswipl.so"
    assert beside.resolve() == debian.private / "usr/lib/aarch64-linux-gnu/libswipl.so.9.2.9"
    assert not Path(os.readlink(beside)).is_absolute()


def test_a_private_copy_can_be_reached_through_a_link(debian: Machine) -> None:
    private.make(debian.private, debian.said.append)
    (debian.programs / "swipl").symlink_to(debian.private / "bin" / "swipl")
    assert locate.inspect(debian.programs / "swipl").home == debian.private / "usr/lib/swi-prolog"


def test_the_second_time_nothing_is_fetched(debian: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    private.make(debian.private, debian.said.append)
    monkeypatch.setattr(private, "fetch", lambda *_: pytest.fail("fetched again"))
    private.make(debian.private, debian.said.append)


@pytest.mark.parametrize("step", ["fetch", "unpack", "finish", "put_in_place"])
def test_an_interrupted_copy_leaves_nothing(debian: Machine, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as context:
        context.setattr(private, step, interrupt)
        with pytest.raises(KeyboardInterrupt):
            private.make(debian.private, debian.said.append)
    assert visible(debian) == []
    assert find() is None
    private.make(debian.private, debian.said.append)
    assert find() is not None


def test_a_copy_that_fails_leaves_nothing(debian: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(work: Path, keyring: Path, say: Callable[[str], None]) -> list[Path]:
        raise CommandError("apt-get: E: no network")

    monkeypatch.setattr(private, "fetch", fail)
    with pytest.raises(private.CannotBuild, match="E: no network"):
        private.make(debian.private, debian.said.append)
    assert visible(debian) == []


def test_leftovers_of_a_killed_run_are_swept(debian: Machine) -> None:
    leftover = debian.private.parent / ".swi-prolog.partial-abc"
    (leftover / "copy").mkdir(parents=True)
    private.make(debian.private, debian.said.append)
    assert visible(debian) == ["swi-prolog"]


def test_a_broken_copy_is_replaced(debian: Machine) -> None:
    debian.private_copy(90209)
    (debian.private / "bin" / "swipl").unlink()
    private.make(debian.private, debian.said.append)
    assert find() is not None
    assert visible(debian) == ["swi-prolog"]


def test_a_folder_of_somebody_else_is_left_alone(debian: Machine) -> None:
    debian.private.mkdir(parents=True)
    (debian.private / "thesis.txt").touch()
    with pytest.raises(InputError, match="is not empty and holds no private copy"):
        private.make(debian.private, debian.said.append)
    assert (debian.private / "thesis.txt").exists()


def test_packages_of_another_shape(debian: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(private, "unpack", lambda archives, copy: copy.mkdir())
    with pytest.raises(private.CannotBuild, match="hold 0 files"):
        private.make(debian.private, debian.said.append)


@pytest.mark.parametrize(
    ("family", "libc", "keyrings", "reason"),
    [
        ({"fedora"}, ("glibc", "2.40"), True, "only be made on Debian and Ubuntu"),
        ({"debian"}, ("glibc", "2.31"), True, "needs glibc 2.34 or newer, here is glibc 2.31"),
        ({"ubuntu", "debian"}, ("glibc", "2.39"), False, "apt-get install debian-archive-keyring"),
    ],
)
def test_machines_that_cannot_have_one(
    machine: Machine,
    monkeypatch: pytest.MonkeyPatch,
    family: set[str],
    libc: tuple[str, str],
    keyrings: bool,
    reason: str,
) -> None:
    for name in ("apt-get", "apt-cache", "dpkg"):
        machine.program(name, "exit 0")
    keyring = machine.folder / "keyring.gpg"
    if keyrings:
        keyring.touch()
    monkeypatch.setattr(private, "KEYRINGS", (str(keyring),))
    monkeypatch.setattr(private, "families", lambda: family)
    monkeypatch.setattr(platform, "libc_ver", lambda: libc)
    with pytest.raises(private.CannotBuild, match=reason):
        private.check_machine()


def test_the_mirror_is_the_machines_own(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    lists = "Debian-Security|main|http://s.example/\nDebian|main|cdrom:[x]/\nDebian|main|http://m.example/debian/"
    machine.program("apt-get", f'echo "{lists}"')
    assert private.find_mirror(private.Apt()) == "http://m.example/debian/"
    monkeypatch.setenv("LPBRIDGE_DEBIAN_MIRROR", "http://other.example/")
    assert private.find_mirror(private.Apt()) == "http://other.example/"


def test_ubuntu_has_no_debian_mirror(machine: Machine) -> None:
    machine.program("apt-get", "echo 'Ubuntu|main|http://u.example/ubuntu/'")
    with pytest.raises(private.CannotBuild, match="LPBRIDGE_DEBIAN_MIRROR"):
        private.find_mirror(private.Apt())


def test_a_private_copy_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bridge.prolog.locate.record_path", lambda: tmp_path / "prolog.json")
    monkeypatch.setattr("bridge.install.private.record_path", lambda: tmp_path / "prolog.json")
    copy = tmp_path / "copy"
    assert not private.remove(copy)
    (copy / "bin").mkdir(parents=True)
    (copy / "bin" / "swipl").write_text("")
    with pytest.raises(InputError, match="holds no private copy"):
        private.remove(copy)
    (copy / private.MARKER).write_text("{}")
    for name in ("bin/libswipl.so", "boot.prc"):
        (copy / name).write_text("")
    (tmp_path / "prolog.json").write_text(
        json.dumps({"version": "9.2.9", "swipl": str(copy / "bin/swipl"), "home": str(copy), "libswipl": str(copy / "bin/libswipl.so"), "private": True})
    )
    assert private.remove(copy)
    assert not list(tmp_path.iterdir())
