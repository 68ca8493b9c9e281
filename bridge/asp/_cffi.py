"""clingo below its public Python API: symbols as numbers, counters without the whole tree.

A clingo symbol is a 64-bit number, the same for the same term for as long as the process lives. A model's symbols as
numbers, looked up in a dictionary, decode over ten times faster than through `Symbol.arguments` and `Symbol.number`
(`python -m benchmarks decode`). That needs two private names of the clingo package. Everything here has a
twin on the public API, which takes over when the private one is not what it was: `ids` and `counters` are chosen once,
by `_works()`, and `tests/asp/test_decode.py` checks that the twins agree.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, cast

import clingo
from clingo.symbol import Symbol

_internal: Any = import_module("clingo._internal")

#: The solver's counters that statistics carry.
COUNTERS = ("choices", "conflicts", "restarts")


def ids_public(model: clingo.Model) -> Sequence[int]:
    """The shown symbols of a model as numbers, by the public API (a Symbol hashes by its number, so any stands in)."""
    return [_id_of(symbol) for symbol in model.symbols(shown=True)]


def ids_private(model: clingo.Model) -> Sequence[int]:
    """The shown symbols of a model as numbers, straight from the buffer that clingo fills."""
    return cast("Sequence[int]", list(cast(Any, model.symbols(shown=True))._p_symbols))


_known: dict[Symbol, int] = {}
_symbols: dict[int, Symbol] = {}


def _id_of(symbol: Symbol) -> int:
    if (number := _known.get(symbol)) is None:
        number = _known[symbol] = len(_known)
        _symbols[number] = symbol
    return number


def symbol_public(number: int) -> Symbol:
    """The symbol that `ids_public` gave this number."""
    return _symbols[number]


def symbol_private(number: int) -> Symbol:
    """The symbol with this number."""
    return cast(Symbol, cast(Any, Symbol)(number))


def id_public(symbol: Symbol) -> int:
    return _id_of(symbol)


def id_private(symbol: Symbol) -> int:
    return cast(int, cast(Any, symbol)._rep)


def counters_public(control: clingo.Control) -> dict[str, int]:
    """Choices, conflicts and restarts of the last solve call, by the public API (builds the whole tree)."""
    solvers = control.statistics["solving"]["solvers"]
    return {name: int(solvers[name]) for name in COUNTERS}


def counters_private(control: clingo.Control) -> dict[str, int]:
    """The same three numbers, without the rest of the tree."""
    lib, ffi, call = _internal._lib, _internal._ffi, _internal._c_call
    tree = call("clingo_statistics_t*", lib.clingo_control_statistics, cast(Any, control)._rep)
    key = call("uint64_t", lib.clingo_statistics_root, tree)
    for name in ("solving", "solvers"):
        key = call("uint64_t", lib.clingo_statistics_map_at, tree, key, name.encode())
    counters = {}
    for name in COUNTERS:
        leaf = call("uint64_t", lib.clingo_statistics_map_at, tree, key, name.encode())
        value = ffi.new("double*")
        _internal._handle_error(lib.clingo_statistics_value_get(tree, leaf, value))
        counters[name] = int(value[0])
    return counters


def _works() -> bool:
    """Do the private names still mean what they meant? Asked once, of a program of one model."""
    try:
        control = clingo.Control(["--warn=none"])
        control.add("base", [], 'a(1, "x", f(-2)). #show. #show t : a(1, _, _). #show a/3.')
        control.ground()
        with control.solve(yield_=True) as handle:
            model = handle.model()
            if model is None:
                return False
            public = list(model.symbols(shown=True))
            private = ids_private(model)
            same = [symbol_private(number) for number in private] == public
            same = same and [id_private(symbol) for symbol in public] == private
            handle.get()
        return same and counters_private(control) == counters_public(control)
    except Exception:
        # Whatever went wrong in there, the answer is the same: use the public way.
        return False


#: True when the fast way is in use.
FAST = _works()
ids: Callable[[clingo.Model], Sequence[int]] = ids_private if FAST else ids_public
symbol_of: Callable[[int], Symbol] = symbol_private if FAST else symbol_public
id_of: Callable[[Symbol], int] = id_private if FAST else id_public
counters: Callable[[clingo.Control], dict[str, int]] = counters_private if FAST else counters_public
