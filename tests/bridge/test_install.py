"""Getting SWI-Prolog and joining it to Python. Nothing here uses the network, and nothing is installed."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from fake_machine import Machine, make_machine

from bridge.cli.system import install_prolog
from bridge.errors import MissingSolverError
from bridge.install import janus as build
from bridge.install import private
from bridge.install import prolog as install
from bridge.install.commands import CommandError, last_words, run
from bridge.install.janus import Janus
from bridge.prolog import locate
from bridge.prolog.locate import Installation, find


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    return make_machine(tmp_path, monkeypatch)


def yes(question: str) -> bool:
    return True


def no(question: str) -> bool:
    return False


# Ways to SWI-Prolog ----------------------------------------------------------------------------------------------


def as_user(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: number)


def apt(machine: Machine, version: str, lists: str = "Debian|main|http://mirror.example/debian/") -> Path:
    """A Debian whose SWI-Prolog has this version. `apt-get install` puts a swipl on PATH and notes its arguments."""
    log = machine.folder / "apt.log"
    swipl = machine.swipl(90209, machine.folder / "system")
    machine.program("apt-cache", f"echo '  Installed: (none)'; echo '  Candidate: {version}'")
    machine.program(
        "apt-get",
        f'case "$*" in *indextargets*) echo "{lists}";; *" install "*) echo "$*" >>{log};'
        f" /bin/ln -s {swipl} {machine.programs}/swipl;; esac",
    )
    return log


def test_root_agrees_to_the_package(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    as_user(monkeypatch, 0)
    log = apt(machine, "9.2.9+dfsg-1")
    asked: list[str] = []
    found = install.get_swi_prolog(None, lambda question: not asked.append(question), machine.said.append)
    assert found.swipl == machine.programs / "swipl"
    assert asked == ["Install swi-prolog-core and swi-prolog-core-packages 9.2.9+dfsg-1 with apt-get?"]
    assert log.read_text().split()[-3:] == ["--no-install-recommends", *private.PACKAGES]


def test_root_does_not_agree(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    as_user(monkeypatch, 0)
    log = apt(machine, "9.2.9+dfsg-1")
    with pytest.raises(install.Closed, match="not agreed to"):
        install.from_package(None, no, machine.said.append)
    assert not log.exists()


def test_a_package_too_old(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    as_user(monkeypatch, 0)
    log = apt(machine, "9.0.4+dfsg-2")
    with pytest.raises(install.Closed, match=r"apt-get has SWI-Prolog 9\.0\.4\+dfsg-2, older than the 9\.1\.12"):
        install.from_package(None, yes, machine.said.append)
    assert not log.exists()


def test_a_user_without_sudo(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    as_user(monkeypatch, 1000)
    log = apt(machine, "9.2.9")
    with pytest.raises(install.Closed, match="there is no sudo"):
        install.from_package(None, yes, machine.said.append)
    assert not log.exists()


def test_a_user_whose_sudo_asks_nobody(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    as_user(monkeypatch, 1000)
    apt(machine, "9.2.9")
    machine.program("sudo", "exit 1")
    monkeypatch.setattr(sys, "stdin", open(os.devnull))  # noqa: SIM115
    with pytest.raises(install.Closed, match="sudo asks for a password"):
        install.from_package(None, yes, machine.said.append)


def test_a_user_with_sudo(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    as_user(monkeypatch, 1000)
    log = apt(machine, "9.2.9")
    machine.program("sudo", 'if [ "$1" = -n ]; then shift; fi; [ "$1" = true ] || exec "$@"')
    monkeypatch.setattr(sys, "stdin", open(os.devnull))  # noqa: SIM115
    install.from_package(None, yes, machine.said.append)
    assert log.exists()


def test_dnf(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    as_user(monkeypatch, 0)
    log = machine.folder / "dnf.log"
    machine.program("dnf", f'case "$*" in *repoquery*) echo 9.2.8;; *) echo "$*" >{log};; esac')
    install.from_package(None, yes, machine.said.append)
    assert log.read_text() == "--assumeyes install pl pl-devel\n"


def test_brew_needs_no_root_and_asks_nothing(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    as_user(monkeypatch, 1000)
    log = machine.folder / "brew.log"
    answer = json.dumps({"formulae": [{"versions": {"stable": "9.2.9"}}]})
    machine.program("brew", f"""case "$*" in info*) echo '{answer}';; *) echo "$*" >{log};; esac""")
    install.from_package(None, no, machine.said.append)
    assert log.read_text() == "install swi-prolog\n"


def test_no_way(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    as_user(monkeypatch, 0)
    monkeypatch.setattr(private, "families", lambda: {"slackware"})
    with pytest.raises(MissingSolverError) as caught:
        install.get_swi_prolog(None, yes, machine.said.append)
    assert "there is no package manager" in caught.value.message
    assert "can only be made on Debian and Ubuntu" in caught.value.message
    assert caught.value.hint.startswith("install SWI-Prolog 9.1.12 or newer")
    assert machine.said == []  # each reason once, in the message


# The whole -------------------------------------------------------------------------------------------------------


def fake_build(monkeypatch: pytest.MonkeyPatch, works: bool) -> list[Installation]:
    """Replace compiling and loading janus; returns the installations that janus was compiled for."""
    built: list[Installation] = []
    fake = Janus("1.5.3", Path("/env/_swipl.so"), "9.2.9")

    def probe(installation: Installation) -> Janus:
        if not works:
            raise MissingSolverError("janus was built against another")
        return fake

    def compile_it(installation: Installation, say: Callable[[str], None]) -> Janus:
        built.append(installation)
        return fake

    monkeypatch.setattr(install, "janus_extension", lambda: fake.extension)
    monkeypatch.setattr(install, "probe", probe)
    monkeypatch.setattr(install, "build", compile_it)
    return built


def test_all_there(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    machine.on_path(90209)
    built = fake_build(monkeypatch, works=True)
    monkeypatch.setattr(install, "get_swi_prolog", lambda *_: pytest.fail("it is there"))
    result = CliRunner().invoke(install_prolog, ["--json"])
    assert result.exit_code == 0
    told = json.loads(result.stdout)
    assert told["changed"] is False
    assert told["swi_prolog"]["version"] == "9.2.9"
    assert built == []
    assert locate.read_record() == find()
    again = CliRunner().invoke(install_prolog)
    assert again.stdout.startswith("SWI-Prolog 9.2.9 with janus 1.5.3 is there: ")


def test_janus_of_another_is_built_again(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    machine.on_path(90209)
    built = fake_build(monkeypatch, works=False)
    report = install.install(agree=no, say=machine.said.append)
    assert report.changed
    assert built == [report.installation]


def test_an_upgraded_prolog_gets_a_new_janus(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    machine.on_path(90112)
    built = fake_build(monkeypatch, works=True)
    install.install(agree=no, say=machine.said.append)
    assert built == []
    (machine.programs / "swipl").unlink()
    machine.on_path(90209)
    install.install(agree=no, say=machine.said.append)
    assert [installation.version for installation in built] == [(9, 2, 9)]


def test_an_environment_that_cannot_be_written_is_told(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    machine.on_path(90209)
    fake_build(monkeypatch, works=True)
    (machine.folder / "env").write_text("a file, where a folder is needed", "utf-8")
    install.install(agree=no, say=machine.said.append)
    assert machine.said[0].startswith("not recorded")


def test_no_tools_no_pip(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-cc")
    monkeypatch.setattr(build, "run", lambda *_, **__: pytest.fail("pip was run"))
    with pytest.raises(MissingSolverError, match=r"there is no C compiler \(no-such-cc\)"):
        build.build(locate.inspect(machine.swipl(90209)), machine.said.append)


def test_what_is_missing_to_compile_is_found_before_anything_is_fetched(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CC", "no-such-cc")
    monkeypatch.setattr(install, "janus_extension", lambda: None)
    monkeypatch.setattr(install, "get_swi_prolog", lambda *_: pytest.fail("SWI-Prolog was fetched"))
    with pytest.raises(MissingSolverError, match=r"there is no C compiler \(no-such-cc\).*cannot be compiled") as caught:
        install.install(agree=no, say=machine.said.append)
    assert caught.value.hint.endswith("then run: lpbridge install-prolog")


def test_pip_compiles_with_the_swipl_found(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    installation = locate.inspect(machine.swipl(90209))
    calls: list[tuple[list[str], dict[str, str]]] = []

    def pip(command: list[str], *, env: dict[str, str] | None = None) -> str:
        calls.append((command, env or {}))
        if "install" in command:
            raise CommandError("pip: error: no network")
        return ""

    monkeypatch.setattr(build, "run", pip)
    monkeypatch.setattr(build, "missing_tools", lambda installation: [])
    monkeypatch.setattr(sys, "base_prefix", "/elsewhere")
    with pytest.raises(MissingSolverError, match="janus was not built: pip: error: no network"):
        build.build(installation, machine.said.append)
    command, env = calls[-1]
    assert command[:4] == [sys.executable, "-m", "pip", "install"]
    assert {"--no-binary", "--no-cache-dir", "--force-reinstall", build.REQUIREMENT} <= set(command)
    assert env["PATH"].split(os.pathsep)[0] == str(installation.swipl.parent)
    assert env["CFLAGS"].endswith(" -std=gnu17"), "GCC 15 takes it for C23 otherwise, which it is not"


# Commands --------------------------------------------------------------------------------------------------------


def test_last_words() -> None:
    assert last_words("warning\nE: one\nfoo\nE: two\n", 100) == "E: one; E: two"
    assert last_words("a.c:3:4: error: no\nlast line", 1) == "a.c:3:4: error: no"
    assert last_words("", 7) == "exit code 7"
    assert last_words("", -9) == "killed by SIGKILL"


def test_a_command_that_is_not_there(machine: Machine) -> None:
    with pytest.raises(CommandError, match="nothing cannot be started: No such file or directory"):
        run(["nothing"])
