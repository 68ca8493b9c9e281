"""clingo below its public Python API: symbols as numbers, counters without the whole tree.

A clingo symbol is a 64-bit number, the same for the same term for as long as the process lives. A model's symbols as
numbers, looked up in a dictionary, decode over ten times faster than through `Symbol.arguments` and `Symbol.number`
(`python -m benchmarks decode`). That needs clingo's C API, which is the same in all versions 5, by a few private
names of the Python package. `tests/bridge/asp/test_decode.py` holds it against the public API.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple, Self, cast

import clingo
from clingo.symbol import Symbol

from bridge.common.files import AS_LATIN_1

_internal: Any = import_module("clingo._internal")

_ffi: Any = _internal._ffi
_handle_error: Any = _internal._handle_error

#: Raised while clingo called the logger, to be raised again when clingo has returned.
_raised: list[BaseException] = []


def _log(code: int, message: Any, data: Any) -> None:
    """Log a message, whose bytes may be a part of a character. clingo's own callback ends the process then."""
    handler = _ffi.from_handle(data)
    handler(clingo.MessageCode(code), _ffi.string(message).decode("utf-8", AS_LATIN_1))


def _log_of_application(code: int, message: Any, data: Any) -> None:
    """The same for `clingo.clingo_main`."""
    application = _ffi.from_handle(data)[0]
    application.logger(clingo.MessageCode(code), _ffi.string(message).decode("utf-8", AS_LATIN_1))


def _keep(kind: type[BaseException], error: BaseException, trace: object) -> None:
    """Ctrl-C may come just while a message is logged; an exception must not go through clingo."""
    _raised.append(error)


# The bodies of two functions of `clingo._internal`, under whose names others have them: a string of a program need not
# be UTF-8. Their globals are that module's; a name is literal, where ours is not there.


def _to_str(c_str: Any) -> Any:
    return _ffi.string(c_str).decode("utf-8", "lpbridge.latin-1")


def _str(f_size: Any, f_str: Any, *args: Any, handler: Any = None) -> Any:
    p_size = _ffi.new("size_t*")
    _handle_error(f_size(*args, p_size), handler)
    p_str = _ffi.new("char[]", p_size[0])
    _handle_error(f_str(*args, p_str, p_size[0]), handler)
    return _ffi.string(p_str).decode("utf-8", "lpbridge.latin-1")


@cache
def tolerate() -> bool:
    """Put these callbacks in the place of clingo's own, for every Control of this process; False if that cannot be."""
    with suppress(AttributeError, ValueError):
        for own in (_to_str, _str):
            getattr(_internal, own.__name__).__code__ = own.__code__
    try:
        _ffi.def_extern(name="pyclingo_logger_callback", onerror=_keep)(_log)
        _ffi.def_extern(name="pyclingo_application_logger", onerror=_keep)(_log_of_application)
    except Exception:
        return False
    return True


@contextmanager
def logging() -> Iterator[None]:
    """While this is entered, clingo may log; what was raised meanwhile is raised at the end."""
    tolerate()
    _raised.clear()
    try:
        yield
    finally:
        if _raised:
            raise _raised.pop()


@contextmanager
def observed(control: clingo.Control) -> Iterator[None]:
    """While externals are set: clingo tells the observers, and loses what Python raised in one (Ctrl-C, say)."""
    kept = cast(Any, control)._error
    kept.clear()
    try:
        yield
    except RuntimeError:
        if kept.error is None:
            raise
        raise kept.error[1] from None


#: The solver's counters that statistics carry.
COUNTERS = ("choices", "conflicts", "restarts")

#: Where numbers stand in clingo's statistics, and their names: what a search cost, how many models it went through, and
#: how many minimize statements the program has.
COST = (("solving", "solvers"), COUNTERS)
ENUMERATED = (("summary", "models"), ("enumerated",))
MINIMIZED = (("problem", "lp"), ("rules_minimize",))


def ids(model: clingo.Model) -> list[int]:
    """The shown symbols of a model as numbers, straight from the buffer that clingo fills."""
    return list(cast(Any, model.symbols(shown=True))._p_symbols)


def ids_of(symbols: Iterable[Symbol]) -> list[int]:
    return [cast(Any, symbol)._rep for symbol in symbols]


def symbol_of(number: int) -> Symbol:
    return cast(Symbol, cast(Any, Symbol)(number))


class Ended(NamedTuple):
    """How a search ended.

    clasp calls a search that is interrupted before it has begun unsatisfiable and exhausted, as well as interrupted:
    here it is interrupted, and nothing else.
    """

    satisfiable: bool | None
    exhausted: bool
    interrupted: bool

    @property
    def unsatisfiable(self) -> bool:
        return self.satisfiable is False


def ended(result: clingo.SolveResult) -> Ended:
    """What a result of clingo says."""
    if result.interrupted:
        return Ended(True if result.satisfiable else None, False, True)
    return Ended(result.satisfiable, bool(result.exhausted), False)


class Search:
    """The searches of one Control, which is not changed meanwhile, one at a time.

    clingo calls `on_model` with each model before it is read, and `on_unsat` with what it proves of the least cost.
    """

    def __init__(
        self,
        control: clingo.Control,
        on_model: Callable[[clingo.Model], bool | None] | None = None,
        on_unsat: Callable[[Sequence[int]], None] | None = None,
    ) -> None:
        self._control, self._calls = control, {"on_model": on_model, "on_unsat": on_unsat}
        self._handle: clingo.SolveHandle | None = None

    def start(self, literals: Sequence[int]) -> None:
        self._handle = cast(Any, self._control.solve)(assumptions=literals, yield_=True, **self._calls)

    def exhaust(self, literals: Sequence[int]) -> list[int] | None:
        """Search until it ends or is interrupted: the shown symbols of the last model, None when there is none."""
        self.start(literals)
        return self.last_of_all()

    def last_of_all(self) -> list[int] | None:
        """Of a search that has begun, searched until it ends: the shown symbols of the last model."""
        while self.model() is not None:
            pass
        last = self._started().last()
        return None if last is None else ids(last)

    @contextmanager
    def begun(self, literals: Sequence[int]) -> Iterator[Self]:
        """While this is entered, a search under assumptions is open."""
        self.start(literals)
        try:
            yield self
        finally:
            self.close()

    def run(self, literals: Sequence[int]) -> None:
        """Search until it ends or is interrupted; no Python runs for a model, as it does in clingo's own way."""
        own, pointer = cast(Any, self._control), _ffi.new("clingo_solve_handle_t**")
        own._error.clear()
        data = _internal._CBData(None, own._error)
        assumed = _ffi.new("clingo_literal_t[]", literals)
        solve, null = _internal._lib.clingo_control_solve, _ffi.NULL
        _handle_error(solve(own._rep, 0, assumed, len(literals), null, null, pointer), data)
        self._handle = cast(Any, clingo.SolveHandle)(pointer[0], data)

    def contains(self, symbol: Symbol) -> bool:
        """Whether an atom is in the last model of a search that has ended."""
        last = self._started().last()
        return last is not None and last.contains(symbol)

    def read(self) -> list[int] | None:
        """The shown symbols of the next model as numbers; None when there is none."""
        model = self.model()
        return None if model is None else ids(model)

    def model(self) -> clingo.Model | None:
        handle = self._started()
        handle.resume()
        return handle.model()

    def result(self) -> Ended:
        return ended(self._started().get())

    def core(self) -> list[int]:
        """The assumptions that clash, of a search that found nothing."""
        return list(self._started().core())

    def cancel(self) -> None:
        self._started().cancel()

    def close(self) -> None:
        """Free what the search holds. No effect when none was begun."""
        handle, self._handle = self._handle, None
        if handle is not None:
            cast(Any, handle).__exit__(None, None, None)

    def _started(self) -> clingo.SolveHandle:
        assert self._handle is not None
        return self._handle


def numbers(control: clingo.Control, path: Sequence[str], names: Sequence[str]) -> list[int]:
    """Some numbers of the last solve call. clingo's own way builds the whole tree: half a millisecond."""
    lib, ffi, check = _internal._lib, _ffi, _handle_error
    into, get = lib.clingo_statistics_map_at, lib.clingo_statistics_value_get
    trees, value = ffi.new("clingo_statistics_t**"), ffi.new("double*")
    key, leaf = ffi.new("uint64_t*"), ffi.new("uint64_t*")
    done = lib.clingo_control_statistics(cast(Any, control)._rep, trees)
    tree = trees[0]
    done = done and lib.clingo_statistics_root(tree, key)
    for name in path:
        done = done and into(tree, key[0], name.encode(), key)
    found = []
    for name in names:
        done = done and into(tree, key[0], name.encode(), leaf) and get(tree, leaf[0], value)
        found.append(int(value[0]))
    check(done)
    return found


def atoms(control: clingo.Control, name: str, arity: int, positive: bool) -> Iterator[tuple[int, int]]:
    """The atoms of a predicate, of which there may be millions: the number of each one's symbol, and its literal."""
    lib, ffi, check = _internal._lib, _ffi, _handle_error
    atoms = cast(Any, control.symbolic_atoms)._rep
    signature, here = ffi.new("clingo_signature_t*"), ffi.new("clingo_symbolic_atom_iterator_t*")
    valid, symbol, literal = ffi.new("bool*"), ffi.new("clingo_symbol_t*"), ffi.new("clingo_literal_t*")
    check(lib.clingo_signature_create(name.encode(), arity, positive, signature))
    check(lib.clingo_symbolic_atoms_begin(atoms, signature, here))
    is_valid, get_symbol, get_literal, move = (
        lib.clingo_symbolic_atoms_is_valid,
        lib.clingo_symbolic_atoms_symbol,
        lib.clingo_symbolic_atoms_literal,
        lib.clingo_symbolic_atoms_next,
    )
    while True:
        place = here[0]
        _ = is_valid(atoms, place, valid) or check(False)
        if not valid[0]:
            return
        _ = (get_symbol(atoms, place, symbol) and get_literal(atoms, place, literal)) or check(False)
        yield symbol[0], literal[0]
        _ = move(atoms, place, here) or check(False)


def arguments(numbers: Iterable[int]) -> Iterator[Sequence[int]]:
    """The arguments of each of some symbols that are functions, all as numbers."""
    ffi, get, check = _ffi, _internal._lib.clingo_symbol_arguments, _handle_error
    arguments, size, unpack = ffi.new("clingo_symbol_t**"), ffi.new("size_t*"), ffi.unpack
    for number in numbers:
        _ = get(number, arguments, size) or check(False)
        yield unpack(arguments[0], size[0]) if size[0] else ()
