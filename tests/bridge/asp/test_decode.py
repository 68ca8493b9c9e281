"""The fast way below clingo's public API gives what that gives."""

from __future__ import annotations

import subprocess
import sys
from typing import Any, NamedTuple

import clingo
import pytest

from bridge.asp import Program, internals, symbols
from bridge.asp.running import packing

PROGRAM = """
{ p(1..4, (X, f("s", -X))) : X = 1..3; -q(a, #inf) }. #show p/2. #show -q/2. #show (X, b) : p(X, _). #show "t" : p(1, _).
"""

pytestmark = pytest.mark.local


def test_symbols_as_numbers_are_those_of_clingo() -> None:
    control = clingo.Control(["--models=200"])
    control.add("base", [], PROGRAM)
    control.ground()
    seen = 0
    with control.solve(yield_=True) as handle:
        for model in handle:
            seen += 1
            symbols = list(model.symbols(shown=True))
            assert [internals.symbol_of(number) for number in internals.ids(model)] == symbols
            assert internals.ids(model) == internals.ids_of(symbols)
    assert seen == 200
    assert internals.numbers(control, *internals.ENUMERATED) == [200]
    for path, names in (internals.COST, internals.ENUMERATED, internals.MINIMIZED):
        tree: Any = control.statistics
        for name in path:
            tree = tree[name]
        assert internals.numbers(control, path, names) == [int(tree[name]) for name in names]
    for signature in ("p", 2, True), ("q", 2, False), ("q", 2, True), ("none", 0, True):
        found, atoms = list(internals.atoms(control, *signature)), control.symbolic_atoms.by_signature(*signature)
        assert [(internals.symbol_of(one), literal) for one, literal in found] == [(one.symbol, one.literal) for one in atoms]
        arguments = [[internals.symbol_of(one) for one in some] for some in internals.arguments(one for one, _ in found)]
        assert arguments == [internals.symbol_of(one).arguments for one, _ in found]


def test_consequences_are_the_union_of_the_answer_sets() -> None:
    control = clingo.Control(["--models=0"])
    control.add("base", [], PROGRAM)
    control.ground()
    search = internals.Search(control)
    search.start([])
    union = {number for found in iter(search.read, None) for number in found}
    search.close()
    control.configuration.solve.enum_mode = "brave"  # type: ignore[union-attr]
    assert set(search.exhaust([]) or ()) == union
    assert search.result().exhausted
    search.close()


def test_an_import_solves_nothing_and_starts_nothing() -> None:
    code = """
import os, subprocess, sys, threading
import clingo
def refused(*args, **options):
    raise AssertionError("an import did this")
clingo.Control = clingo.clingo_main = subprocess.Popen = os.fork = threading.Thread.start = refused
stdin = sys.stdin
import bridge.asp, pkgutil, importlib
for module in pkgutil.iter_modules(bridge.asp.__path__):
    importlib.import_module(f"bridge.asp.{module.name}")
assert sys.stdin is stdin
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_decoded_terms_and_atoms_can_be_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Models share the tables, which are emptied under them: by hand, and where they are full."""
    with Program("{ at(1..20, f(x)) } = 1.", isolated=False) as program:
        models = list(program.models())
        before = [str(model) for model in models]
        assert symbols.atoms
        assert symbols.terms
        symbols.terms.clear()
        symbols.atoms.clear()
        assert not symbols.atoms
        assert not symbols.terms
        assert [str(model) for model in models] == before
        assert len({model.read(At)[0] for model in models}) == 20
        monkeypatch.setattr(symbols, "MOST", 5)
        symbols.terms.clear()
        symbols.atoms.clear()
        for _ in range(2):
            assert sorted(str(model) for model in program.models()) == sorted(before)
            assert len({model.read(At)[0] for model in models}) == 20
        assert len(symbols.atoms) <= 5
        assert len(symbols.terms) <= 5


def test_tables_of_atoms_on_either_side_of_a_worker_are_begun_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "MOST", 5)
    with Program("{ at(1..20, f(x)) } = 3.", isolated=False) as program:
        models = list(program.models())
        sender, receiver = packing.Sender(symbols.atoms), packing.Receiver()
        sent = [item for item, _ in sender.answers(models)]
        assert len(sender._known) < 8
        read = list(receiver.answers(packing.CALLS["search"], sent))
        assert [str(model) for model in read] == [str(model) for model in models]
        assert read == models
        assert len(receiver._atoms) < 8


class At(NamedTuple):
    place: int
    what: Any
