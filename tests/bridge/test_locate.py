"""Finding SWI-Prolog, remembering it, and loading it into Python.

The tests that need a real SWI-Prolog ask for what `make setup` has put there.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from fake_machine import Machine, make_machine

from bridge.errors import MissingSolverError
from bridge.prolog import locate
from bridge.prolog.locate import find, import_janus


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    return make_machine(tmp_path, monkeypatch)


# Versions --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("9.2.9", (9, 2, 9)),
        ("9.2.9+dfsg-1+b1", (9, 2, 9)),
        ("1:9.3.20-1-gabcdef", (9, 3, 20)),
        ("10.0.1\n", (10, 0, 1)),
        ("9.2", None),
        ("", None),
        ("(none)", None),
    ],
)
def test_versions_of_packages(text: str, version: tuple[int, int, int] | None) -> None:
    assert locate.parse_version(text) == version


def test_runtime_variables() -> None:
    text = 'PLBASE="/usr/lib/swi prolog";\nPLVERSION="90209";\nPLPACK="";\nnoise\n'
    assert locate.runtime_variables(text) == {"PLBASE": "/usr/lib/swi prolog", "PLVERSION": "90209", "PLPACK": ""}


@pytest.mark.parametrize(("number", "version"), [(90112, (9, 1, 12)), (90209, (9, 2, 9)), (100001, (10, 0, 1))])
def test_versions_of_swipl(machine: Machine, number: int, version: tuple[int, int, int]) -> None:
    assert locate.inspect(machine.swipl(number)).version == version


# Finding ---------------------------------------------------------------------------------------------------------


def test_nothing_to_find(machine: Machine) -> None:
    assert find() is None


def test_found_on_path(machine: Machine) -> None:
    swipl = machine.on_path(90112)
    machine.private_copy(90209)
    found = find()
    assert found is not None
    assert (found.swipl, found.private) == (swipl, False)


def test_too_old_on_path_gives_way_to_the_private_copy(machine: Machine) -> None:
    old = machine.on_path(90111)
    copy = machine.private_copy(90209)
    found, passed_over = locate.look()
    assert found is not None
    assert (found.swipl, found.private) == (copy, True)
    assert passed_over == [f"{old} is SWI-Prolog 9.1.11, older than 9.1.12"]


def test_a_folder_without_marker_is_no_private_copy(machine: Machine) -> None:
    machine.private_copy(90209)
    (machine.private / locate.MARKER).unlink()
    assert find() is None


def test_the_chosen_one_comes_first(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    machine.on_path(90209)
    chosen = machine.swipl(90300)
    monkeypatch.setenv("LPBRIDGE_SWIPL", str(chosen))
    found = find()
    assert found is not None
    assert found.swipl == chosen


def test_a_bad_choice_is_not_overruled(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    machine.on_path(90209)
    monkeypatch.setenv("LPBRIDGE_SWIPL", str(machine.swipl(90004)))
    with pytest.raises(MissingSolverError, match=r"LPBRIDGE_SWIPL is set, but .* is SWI-Prolog 9\.0\.4"):
        find()


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("exit 0", "does not say its version: no output"),
        ("echo broken >&2; exit 1", "does not say its version: broken"),
        ("""echo 'PLVERSION="90209";'""", "has no shared library"),
        ("""echo 'PLVERSION="90209";'; echo 'PLLIBSWIPL="/bin/sh";'; echo 'PLBASE="/nowhere";'""", "has no boot file"),
    ],
)
def test_a_swipl_that_cannot_be_used(machine: Machine, script: str, reason: str) -> None:
    machine.program("swipl", script)
    found, passed_over = locate.look()
    assert found is None
    assert reason in passed_over[0]


def test_the_private_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LPBRIDGE_HOME", raising=False)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    assert locate.private_folder() == Path.home() / ".local/share/lpbridge/swi-prolog"
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert locate.private_folder() == Path("/data/lpbridge/swi-prolog")
    monkeypatch.setenv("LPBRIDGE_HOME", "/mine")
    assert locate.private_folder() == Path("/mine/swi-prolog")


# The record ------------------------------------------------------------------------------------------------------


def test_a_record_is_read_as_written(machine: Machine) -> None:
    installation = locate.inspect(machine.swipl(90209))
    assert locate.read_record() is None
    locate.write_record(installation)
    assert locate.read_record() == installation
    assert [path.name for path in locate.record_path().parent.iterdir()] == ["prolog.json"]


@pytest.mark.parametrize("part", ["swipl", "libswipl.so", "boot.prc"])
def test_a_record_of_something_gone_is_none(machine: Machine, part: str) -> None:
    swipl = machine.swipl(90209)
    locate.write_record(locate.inspect(swipl))
    (swipl if part == "swipl" else swipl.parent.parent / part).unlink()
    assert locate.read_record() is None


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"version": 3}', '{"version": "x", "swipl": "/"}'])
def test_a_damaged_record_is_none(machine: Machine, text: str) -> None:
    locate.record_path().parent.mkdir(parents=True)
    locate.record_path().write_text(text, "utf-8")
    assert locate.read_record() is None


def test_a_copy_made_elsewhere_is_found_by_its_record(machine: Machine) -> None:
    """`install-prolog --prefix` is not needed again at run time."""
    swipl = machine.swipl(90209, machine.folder / "elsewhere")
    (machine.folder / "elsewhere" / locate.MARKER).touch()
    locate.write_record(locate.inspect(swipl))
    found = find()
    assert found is not None
    assert found.swipl == swipl


def test_the_record_spares_a_process(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    installation = locate.inspect(machine.swipl(90209))
    locate.write_record(installation)
    monkeypatch.setattr(locate, "inspect", lambda swipl: pytest.fail("a process was started"))
    assert locate.current() == installation


def test_a_choice_comes_before_the_record(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    locate.write_record(locate.inspect(machine.swipl(90209)))
    monkeypatch.setenv("LPBRIDGE_SWIPL", str(machine.swipl(90300)))
    assert locate.current().version == (9, 3, 0)


# Loading ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def unloaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if janus had not been loaded yet. Each test here is refused before it would be."""
    monkeypatch.delitem(sys.modules, "janus_swi", raising=False)


@pytest.mark.usefixtures("unloaded")
def test_loading_without_prolog(machine: Machine) -> None:
    machine.on_path(90004)
    with pytest.raises(MissingSolverError) as caught:
        import_janus()
    assert caught.value.message.startswith("SWI-Prolog is not installed; ")
    assert "9.0.4, older than 9.1.12" in caught.value.message
    assert caught.value.hint == "run: lpbridge install-prolog"


@pytest.mark.usefixtures("unloaded")
def test_loading_without_janus(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    machine.on_path(90209)
    monkeypatch.setattr(locate, "janus_extension", lambda: None)
    with pytest.raises(MissingSolverError, match=r"janus .* is not installed; run: lpbridge install-prolog"):
        import_janus()


@pytest.mark.usefixtures("unloaded")
def test_loading_a_janus_of_another_library(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    machine.on_path(90209)
    other = machine.swipl(90300).parent.parent / "libswipl.so"
    monkeypatch.setattr(locate, "janus_extension", lambda: Path("_swipl.so"))
    monkeypatch.setattr(locate, "linked_libswipl", lambda extension: other)
    with pytest.raises(MissingSolverError, match=f"janus was built against {other}, but SWI-Prolog's library is "):
        import_janus()


@pytest.mark.usefixtures("unloaded")
def test_loading_what_the_loader_refuses(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    machine.on_path(90209)
    broken = machine.folder / "_swipl.so"
    broken.write_text("not a library", "utf-8")
    monkeypatch.setattr(locate, "janus_extension", lambda: broken)
    with pytest.raises(MissingSolverError, match=r"janus does not load: .*_swipl\.so"):
        import_janus()


def test_loading_starts_no_process_and_leaves_the_environment_alone() -> None:
    """With the real SWI-Prolog, in a Python of its own."""
    program = (
        "import os, sys\n"
        "def audit(event, arguments):\n"
        "    assert event not in ('subprocess.Popen', 'os.fork', 'os.exec', 'os.posix_spawn', 'os.system'), event\n"
        "sys.addaudithook(audit)\n"
        "from bridge.prolog.locate import import_janus\n"
        "before = dict(os.environ)\n"
        "print(import_janus().query_once('X is 6*7')['X'])\n"
        "assert import_janus() is sys.modules['janus_swi']\n"
        "assert dict(os.environ) == before\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("42\n", 0), done.stderr


def test_the_real_one() -> None:
    installation = find()
    assert installation is not None
    assert installation.version >= locate.MINIMUM
    assert installation.exists()
    extension = locate.janus_extension()
    assert extension is not None
    linked = locate.linked_libswipl(extension)
    assert linked is not None
    assert linked.samefile(installation.libswipl)
