"""What is tracked: text that people read and change, no large file, and no binary but those that are listed here."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml
from command import called
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from shared_data import ROOT, TESTS
from slow import SLOW

from bridge.install.doctor import CLINGO
from bridge.prolog.locate import show_version

#: Bytes.
LARGEST = 500_000

#: Binaries, each with what it is for.
BINARIES: dict[str, str] = {}


def test_the_hooks_for_pre_commit_call_commands_that_exist(tmp_path: Path) -> None:
    (tmp_path / "a.lp").write_text("{ a }.\n")
    (tmp_path / "a.pl").write_text("p(1).\n")
    for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text()):
        file = next(str(one) for one in sorted(tmp_path.iterdir()) if re.search(hook["files"], one.name))
        program, *words = hook["entry"].split()
        done = called(*words, file)
        assert (program, done.returncode) == ("lpbridge", 0), (hook, done)


def tracked(folder: Path) -> list[str]:
    """The files that git tracks, those that are to be committed among them."""
    listed = subprocess.run(
        ["git", "-c", f"safe.directory={folder}", "ls-files", "-z"], cwd=folder, capture_output=True, check=True
    ).stdout
    return [name for name in listed.decode().split("\0") if name and (folder / name).is_file()]


def wrong(folder: Path) -> list[str]:
    """The tracked files that are too large, or binary and not listed."""
    found = []
    for name in tracked(folder):
        data = (folder / name).read_bytes()
        if len(data) > LARGEST:
            found.append(f"{name}: {len(data):,} bytes")
        if binary(data) and name not in BINARIES:
            found.append(f"{name}: a binary that is not listed")
    return found


def binary(data: bytes) -> bool:
    try:
        return "\0" in data.decode("utf-8")
    except UnicodeDecodeError:
        return True


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="not a checkout")
def test_no_large_file_and_no_binary_is_tracked() -> None:
    assert len(tracked(ROOT)) > 100
    assert wrong(ROOT) == []
    assert BINARIES.keys() <= set(tracked(ROOT)), "a binary that is listed is gone"


def test_what_make_check_leaves_out_is_there() -> None:
    assert [name for name in SLOW if not (TESTS / name).exists()] == []


def test_the_test_sees_them(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    (tmp_path / "text.md").write_text("ä")
    (tmp_path / "wheel.whl").write_bytes(b"PK\x03\x04\0")
    (tmp_path / "large.txt").write_text("a" * (LARGEST + 1))
    (tmp_path / "ignored.bin").write_bytes(b"\0")
    subprocess.run(["git", "add", "text.md", "wheel.whl", "large.txt"], cwd=tmp_path, check=True)
    assert wrong(tmp_path) == ["large.txt: 500,001 bytes", "wheel.whl: a binary that is not listed"]


def test_the_version_is_written_once() -> None:
    told = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert "version" not in told["project"]
    assert told["tool"]["hatch"]["version"]["path"] == "bridge/__init__.py"
    assert "version" not in yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))


def test_clingo_may_be_what_the_newest_clinguin_and_xclingo_want() -> None:
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    (clingo,) = (Requirement(one) for one in needed if one.startswith("clingo"))
    assert all(clingo.specifier.contains(version) for version in ("5.8.0", "5.8.2", "5.8.3"))
    assert clingo.specifier == SpecifierSet(f">={show_version(CLINGO[0])},<{CLINGO[1][0]}")


@pytest.mark.skipif(not (ROOT / ".github").exists(), reason="not a checkout")
def test_every_python_that_is_promised_is_tested() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    promised = re.findall(r"Python :: (3\.\d+)", "\n".join(project["classifiers"]))
    for name, job in (("tests", "ubuntu"), ("wheels", "wheels")):
        workflow = yaml.safe_load((ROOT / ".github" / "workflows" / f"{name}.yml").read_text(encoding="utf-8"))
        assert workflow["jobs"][job]["strategy"]["matrix"]["python"] == promised
    assert project["requires-python"] == f">={promised[0]}"


@pytest.mark.skipif(not (ROOT / ".github").exists(), reason="not a checkout")
def test_workflows_and_forms_are_whole() -> None:
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    workflows = [yaml.safe_load(file.read_text(encoding="utf-8")) for file in (ROOT / ".github" / "workflows").iterdir()]
    jobs = [job for workflow in workflows for job in workflow["jobs"].values()]
    runs = [step["run"] for job in jobs for step in job["steps"] if "run" in step]
    for line in filter(None, "\n".join(runs).splitlines()):
        assert line.split()[0] != "make" or line.split()[1] in targets, line
        assert ".ci/run" not in line or (ROOT / ".ci" / "run").stat().st_mode & 0o111
    for form in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"):
        told = yaml.safe_load(form.read_text(encoding="utf-8"))
        if form.name != "config.yml":
            assert {"name", "description", "body"} <= told.keys()
            ids = [part["id"] for part in told["body"] if part["type"] != "markdown"]
            assert len(set(ids)) == len(ids)


def test_no_two_files_of_tests_have_one_name() -> None:
    """pytest would import the first for both, where it collects all of them: `make check`."""
    names = [path.name for path in (ROOT / "tests").rglob("test_*.py")]
    assert sorted({name for name in names if names.count(name) > 1}) == []
