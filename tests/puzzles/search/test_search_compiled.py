"""The compiled search does what the same modules do as Python, and an old one never runs."""

import json
import os
import shutil
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from form_worker import NAMED
from hypothesis import given, settings
from hypothesis import strategies as st
from shared_data import ROOT

from bridge.puzzles.search import FORM, compiled

PACKAGE = ROOT / "bridge" / "puzzles" / "search"
HERE = Path(__file__).parent


class Worker:
    """A process that searches in one form."""

    def __init__(self, pure):
        environment = {**os.environ, compiled.PURE: str(int(pure)), "PYTHONPATH": os.pathsep.join([str(ROOT), str(HERE)])}
        command = [sys.executable, str(HERE / "form_worker.py")]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)
        self.form = self.process.stdout.readline().strip()

    def results(self, name):
        print(name, file=self.process.stdin, flush=True)
        return json.loads(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


@pytest.fixture(scope="module")
def both():
    if not FORM.compiled and builder().compiler() is None:
        pytest.skip("there is no C compiler here")
    workers = Worker(pure=True), Worker(pure=False)
    assert workers[0].form == "pure Python: LPBRIDGE_PURE is set"
    assert workers[1].form.startswith("compiled by mypyc"), f"{workers[1].form}; run `make setup`"
    yield workers
    for worker in workers:
        worker.close()


def builder():
    spec = spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", NAMED)
def test_every_kind_by_every_strategy(name, both):
    pure, fast = both
    assert fast.results(name) == pure.results(name)


def test_small_problems_by_every_strategy(both):
    pure, fast = both

    @settings(max_examples=30, deadline=None)
    @given(st.integers(0, 10**9))
    def the_same(seed):
        assert fast.results(seed) == pure.results(seed)

    the_same()


@pytest.fixture
def package(tmp_path, monkeypatch):
    """The sources, with a manifest that fits them."""
    monkeypatch.delenv(compiled.PURE, raising=False)
    for path in PACKAGE.glob("*.py"):
        shutil.copy(path, tmp_path)
    (tmp_path / compiled.FOLDER).mkdir()
    write(tmp_path, {})
    return tmp_path


def write(package, changes):
    manifest = {"compiler": "mypyc 9", "python": compiled.python(), "sources": compiled.hashes_of(package)}
    (package / compiled.FOLDER / compiled.MANIFEST).write_text(json.dumps(manifest | changes))


def test_compiled_while_it_fits(package):
    assert str(compiled.choose(package)) == "compiled by mypyc 9"


def test_not_after_a_source_has_changed(package):
    with (package / "walk.py").open("a") as source:
        source.write("# changed\n")
    assert str(compiled.choose(package)) == "pure Python: walk.py changed after the compilation"


def test_not_for_another_python(package):
    write(package, {"python": ".cpython-39.so"})
    assert str(compiled.choose(package)) == "pure Python: compiled for another Python, .cpython-39.so"


def test_not_when_python_is_asked_for(package, monkeypatch):
    monkeypatch.setenv(compiled.PURE, "1")
    assert not compiled.choose(package).compiled
    monkeypatch.setenv(compiled.PURE, "0")
    assert compiled.choose(package).compiled


def test_without_a_compiler_it_says_so(package, monkeypatch):
    hatch_build = builder()
    monkeypatch.setenv("CC", "no-such-compiler")
    assert hatch_build.CustomBuildHook.dependencies(None) == []
    told = hatch_build.compile_search(package / compiled.FOLDER)
    assert told == "the search stays pure Python: no C compiler when it was installed"
    assert str(compiled.choose(package)) == "pure Python: no C compiler when it was installed"


def test_not_compiled_at_all(package):
    shutil.rmtree(package / compiled.FOLDER)
    assert str(compiled.choose(package)) == "pure Python: not compiled"
