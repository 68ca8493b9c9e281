"""The fast way below clingo's public API, and its twin on it."""

from __future__ import annotations

import subprocess
import sys
from typing import Any, NamedTuple

import clingo
import pytest

from bridge.asp import Program, _cffi, packing, symbols
from bridge.asp.symbols import value_of

PROGRAM = """
{ p(1..4, (X, f("s", -X))) : X = 1..3; -q(a, #inf) }. #show p/2. #show -q/2. #show (X, b) : p(X, _). #show "t" : p(1, _).
"""

TREES = """
#theory t { x { + : 1, unary }; &p/1 : x, any }. &p(1) { +a : b }. p :- #sum+ { 1, X : q(X) } > 3, not not r.
#minimize { 1@2, X : p(X) }. #heuristic a : b. [1, true] #edge (a, b) : c. #external x : y. [free] #const a = "s".
#show p/1. #show X : p(X). #defined q/2. #project a/1. a; b :- c. p(1; 2). -q(X, (a, -b)) :- X = 1..3, { q(X) } < |X|.
"""

pytestmark = pytest.mark.local


def test_the_twins_agree() -> None:
    assert _cffi._works(), "clingo's private names have changed: the slow way works, but find out why"
    assert _cffi.FAST
    control = clingo.Control(["--models=200"])
    control.add("base", [], PROGRAM)
    control.ground()
    seen = 0
    with control.solve(yield_=True) as handle:
        for model in handle:
            seen += 1
            public = [_cffi.symbol_public(number) for number in _cffi.ids_public(model)]
            private = [_cffi.symbol_private(number) for number in _cffi.ids_private(model)]
            assert public == private == list(model.symbols(shown=True))
            assert [value_of(symbol) for symbol in public] == [value_of(symbol) for symbol in private]
    assert seen == 200
    assert _cffi.numbers(control, *_cffi.ENUMERATED) == [200]
    for of in (_cffi.COST, _cffi.ENUMERATED, _cffi.MINIMIZED):
        assert _cffi.numbers_private(control, *of) == _cffi.numbers_public(control, *of)
    readings = []
    for cls, symbol in (_cffi.SearchPublic, _cffi.symbol_public), (_cffi.SearchPrivate, _cffi.symbol_private):
        search = cls(control)
        search.start([])
        found = [[symbol(number) for number in numbers] for numbers in iter(search.read, None)]
        search.close()
        readings.append({frozenset(map(str, symbols)) for symbols in found})
        assert len(found) == 200
    unions = []
    for cls, settings, symbol in (
        (_cffi.SearchPublic, _cffi.SettingsPublic(control), _cffi.symbol_public),
        (_cffi.SearchPrivate, _cffi.SettingsPrivate(control), _cffi.symbol_private),
    ):
        settings.set("solve.models", "0")
        settings.set("solve.enum_mode", "brave")
        assert [settings.get(f"solve.{name}") for name in ("models", "enum_mode")] == ["0", "brave"]
        search = cls(control)
        unions.append({symbol(number) for number in search.exhaust([]) or ()})
        assert search.result().exhausted
        search.close()
        settings.set("solve.enum_mode", "auto")
    assert unions[0] == unions[1] == {symbol for found in control_union(PROGRAM) for symbol in found}
    for signature in ("p", 2, True), ("q", 2, False), ("q", 2, True), ("none", 0, True):
        private, public = list(_cffi.atoms_private(control, *signature)), list(_cffi.atoms_public(control, *signature))
        assert [literal for _, literal in private] == [literal for _, literal in public]
        for (one, _), (other, _) in zip(private, public, strict=True):
            symbol = _cffi.symbol_private(one)
            assert symbol == _cffi.symbol_public(other)
            (arguments,), (same,) = _cffi.arguments_private([one]), _cffi.arguments_public([other])
            assert [_cffi.symbol_private(number) for number in arguments] == symbol.arguments
            assert [_cffi.symbol_public(number) for number in same] == symbol.arguments
        assert len([*_cffi.arguments_private(number for number, _ in private)]) == len(private)


def test_syntax_trees_are_read_as_clingo_reads_them() -> None:
    command = f"""
from clingo import ast
from bridge.asp import _cffi

def all_of(node):
    if isinstance(node, ast.AST):
        return str(node.ast_type), [(name, all_of(getattr(node, name))) for name in node.keys()]
    return list(map(all_of, node)) if isinstance(node, (ast.ASTSequence, ast.StrSequence)) else repr(node)

def read():
    ast.parse_string({TREES!r}, nodes.append)
    return list(map(all_of, nodes))

nodes = []
slow, missing = read(), getattr(nodes[0], "body", None)
assert _cffi.read_trees_fast() and slow == [all_of(one) for one in nodes]
assert slow == [all_of(one) for one in nodes]  # what is known of types is in use now
assert getattr(nodes[0], "body", None) is missing is None
"""
    subprocess.run([sys.executable, "-c", command], check=True)


def control_union(program: str) -> list[list[clingo.Symbol]]:
    """The shown symbols of every answer set, by clingo's public API alone."""
    control = clingo.Control(["--models=0"])
    control.add("base", [], program)
    control.ground()
    with control.solve(yield_=True) as handle:
        return [list(model.symbols(shown=True)) for model in handle]


def test_the_buffer_grows_with_the_model() -> None:
    control = clingo.Control(["--models=0"])
    control.add("base", [], "{ p(1..N) } = N :- n(N). 1 { n(1); n(5); n(700) } 1. #show p/1. n(0).")
    control.ground()
    search = _cffi.SearchPrivate(control)
    search.start([])
    sizes = [len(set(numbers)) for numbers in iter(search.read, None)]
    search.close()
    assert sorted(set(sizes)) == [1, 5, 700]


def test_everything_works_the_slow_way() -> None:
    """As on a clingo whose private names are gone: the self-test fails, and the public API takes over."""
    code = """
import clingo.solving
clingo.__version__ = "5.9.0"
real = clingo.solving.Model.symbols
clingo.solving.Model.symbols = lambda self, **kinds: list(real(self, **kinds))   # no private buffer any more
from bridge.asp import Program, _cffi
assert not _cffi.FAST
with Program("{ a(1..3, x) } = 1.", isolated=False) as program:
    print(sorted(model["a"] for model in program.models()), program.models(assuming=["a(1,x)"]).collect().statistics.counters)
    print(program.count().number, program.optimal().complete, program.grounding().atoms)
    print(len(program.literals("a", 2)), str(next(iter(program.models(assuming=["a(2,x)"])))))
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines()[0].startswith(
        "[[(1, Constant('x'))], [(2, Constant('x'))], [(3, Constant('x'))]] {'choices'"
    )
    assert run.stdout.splitlines()[1:] == ["3 True {'a/2': (3, 0)}", "3 a(2,x)"]


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
    """Models share the tables, which are emptied under them: by `clear`, and where they are full."""
    with Program("{ at(1..20, f(x)) } = 1.", isolated=False) as program:
        models = list(program.models())
        before = [str(model) for model in models]
        assert symbols.atoms
        assert symbols.terms
        symbols.clear()
        assert not symbols.atoms
        assert not symbols.terms
        assert [str(model) for model in models] == before
        assert len({model.read(At)[0] for model in models}) == 20
        monkeypatch.setattr(symbols, "MOST", 5)
        symbols.clear()
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
