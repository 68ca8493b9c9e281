"""clingo below its public Python API: symbols as numbers, counters without the whole tree.

A clingo symbol is a 64-bit number, the same for the same term for as long as the process lives. A model's symbols as
numbers, looked up in a dictionary, decode over ten times faster than through `Symbol.arguments` and `Symbol.number`
(`python -m benchmarks decode`). That needs private names of the clingo package. Everything here has a
twin on the public API, which takes over when the private one is not what it was: which of the two is in use is decided
when one is first needed, by `_works()` where clingo is of another version than those that were tried, and
`tests/bridge/asp/test_decode.py` checks that the twins agree.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from os import urandom
from typing import Any, NamedTuple, cast

import clingo
from clingo.symbol import Symbol

from bridge.common.files import AS_LATIN_1

#: Versions whose private names are known to work: asking costs a command two milliseconds each time it starts.
TRIED = ("5.8.0", "5.8.2", "5.8.3")

_internal: Any = import_module("clingo._internal")

_ffi: Any = _internal._ffi
_handle_error: Any = _internal._handle_error

#: Raised while clingo called the logger, to be raised again when clingo has returned.
_raised: list[BaseException] = []


def _log(code: int, message: Any, data: Any) -> None:
    """Log a message, whose bytes may be a part of a character. clingo's own callback ends the process then."""
    handler = _internal._ffi.from_handle(data)
    handler(clingo.MessageCode(code), _internal._ffi.string(message).decode("utf-8", AS_LATIN_1))


def _log_of_application(code: int, message: Any, data: Any) -> None:
    """The same for `clingo.clingo_main`."""
    application = _internal._ffi.from_handle(data)[0]
    application.logger(clingo.MessageCode(code), _internal._ffi.string(message).decode("utf-8", AS_LATIN_1))


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
        _internal._ffi.def_extern(name="pyclingo_logger_callback", onerror=_keep)(_log)
        _internal._ffi.def_extern(name="pyclingo_application_logger", onerror=_keep)(_log_of_application)
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


@cache
def read_trees_fast() -> bool:
    """Have syntax trees read with half of clingo's calls, in this process; False if that cannot be.

    clingo asks for each attribute of a node whether there is one, and of what sort: that is the same for all nodes of a
    type. What reads trees does little else.
    """
    if clingo.__version__ not in TRIED:
        return False
    lib, new, check, trees = _internal._lib, _ffi.new, _handle_error, cast(Any, import_module("clingo.ast"))
    node, slow = trees.AST, trees.AST.__getattr__
    names, types = trees._attribute_names, {one.value: one for one in trees.ASTType}
    of_type, of_node, of_size, of_sort = map(
        _ffi.typeof, ("clingo_ast_type_t*", "clingo_ast_t**", "size_t*", "clingo_ast_attribute_type_t*")
    )
    get_type, get_size = lib.clingo_ast_get_type, lib.clingo_ast_attribute_size_ast_array
    get_node = lib.clingo_ast_attribute_get_ast_at

    def reader(sort: str, cell: Any, made: Callable[[Any], Any]) -> Callable[[Any, int], Any]:
        get = getattr(lib, f"clingo_ast_attribute_get_{sort}")

        def read(rep: Any, number: int) -> Any:
            place = new(cell)
            _ = get(rep, number, place) or check(False)
            return made(place[0])

        return read

    readers: dict[str, Callable[[Any, int], Any]] = {
        "number": reader("number", _ffi.typeof("int*"), int),
        "ast": reader("ast", of_node, node),
        "optional_ast": reader("optional_ast", of_node, lambda rep: node(rep) if rep else None),
        "symbol": reader("symbol", _ffi.typeof("clingo_symbol_t*"), symbol_private),
        "location": reader("location", _ffi.typeof("clingo_location_t*"), trees._py_location),
        "ast_array": trees.ASTSequence,
    }
    sorts = {getattr(lib, f"clingo_ast_attribute_type_{sort}"): read for sort, read in readers.items()}
    known: dict[tuple[int, int], Callable[[Any, int], Any]] = {}

    def attribute(self: Any, name: str) -> Any:
        number, rep, place = names.get(name), self._rep, new(of_type)
        get_type(rep, place)
        if (read := known.get((place[0], number))) is not None:
            return read(rep, number)
        value, sort = slow(self, name), new(of_sort)  # or an AttributeError
        check(lib.clingo_ast_attribute_type(rep, number, sort))
        if sort[0] in sorts:
            known[place[0], number] = sorts[sort[0]]
        return value

    def ast_type(self: Any) -> Any:
        place = new(of_type)
        get_type(self._rep, place)
        return types[place[0]]

    def each(self: Any) -> Iterator[Any]:
        rep, number, many = self._rep, self._attribute, new(of_size)
        check(get_size(rep, number, many))
        for index in range(many[0]):
            place = new(of_node)
            _ = get_node(rep, number, index, place) or check(False)
            yield node(place[0])

    node.__getattr__, node.ast_type, trees.ASTSequence.__iter__ = attribute, property(ast_type), each
    return True


#: The solver's counters that statistics carry.
COUNTERS = ("choices", "conflicts", "restarts")

@contextmanager
def observed(control: clingo.Control) -> Iterator[None]:
    """While externals are set: clingo tells the observers, and loses what Python raised in one (Ctrl-C, say)."""
    kept = getattr(control, "_error", None)
    if kept is not None:
        kept.clear()
    try:
        yield
    except RuntimeError:
        if kept is None or kept.error is None:
            raise
        raise kept.error[1] from None


#: Where numbers stand in clingo's statistics, and their names: what a search cost, how many models it went through, and
#: how many minimize statements the program has.
COST = (("solving", "solvers"), COUNTERS)
ENUMERATED = (("summary", "models"), ("enumerated",))
MINIMIZED = (("problem", "lp"), ("rules_minimize",))


def ids_public(model: clingo.Model) -> Sequence[int]:
    """The shown symbols of a model as numbers, by the public API (a Symbol hashes by its number, so any stands in)."""
    return [_id_of(symbol) for symbol in model.symbols(shown=True)]


def ids_private(model: clingo.Model) -> Sequence[int]:
    """The shown symbols of a model as numbers, straight from the buffer that clingo fills."""
    return cast("Sequence[int]", list(cast(Any, model.symbols(shown=True))._p_symbols))


def ids_of_public(symbols: Sequence[Symbol]) -> list[int]:
    """Symbols as numbers, by the public API."""
    return [_id_of(symbol) for symbol in symbols]


def ids_of_private(symbols: Sequence[Symbol]) -> list[int]:
    """Symbols as numbers."""
    return [cast(Any, symbol)._rep for symbol in symbols]


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


class SearchPublic:
    """The searches of one Control, which is not changed meanwhile, one at a time, by the public API.

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
        """Begin a search under assumptions."""
        self._handle = cast(Any, self._control.solve)(assumptions=literals, yield_=True, **self._calls)

    def exhaust(self, literals: Sequence[int]) -> Sequence[int] | None:
        """Search until it ends or is interrupted: the shown symbols of the last model, None when there is none."""
        self.start(literals)
        handle = self._started()
        while self.model() is not None:
            pass
        last = handle.last()
        return None if last is None else ids_public(last)

    def run(self, literals: Sequence[int]) -> None:
        """Search until it ends or is interrupted; no model is read."""
        self.start(literals)
        while self.model() is not None:
            pass

    def contains(self, symbol: Symbol) -> bool:
        """Whether an atom is in the last model of a search that has ended."""
        last = self._started().last()
        return last is not None and last.contains(symbol)

    def read(self) -> Sequence[int] | None:
        """The shown symbols of the next model as numbers; None when there is none."""
        model = self.model()
        return None if model is None else ids_public(model)

    def model(self) -> clingo.Model | None:
        """The next model itself."""
        handle = self._started()
        handle.resume()
        return handle.model()

    def result(self) -> Ended:
        """How the search ended."""
        return ended(self._started().get())

    def core(self) -> list[int]:
        """The assumptions that clash, of a search that found nothing."""
        return list(self._started().core())

    def cancel(self) -> None:
        """End the search before its end."""
        self._started().cancel()

    def close(self) -> None:
        """Free what the search holds. No effect when none was begun."""
        handle, self._handle = self._handle, None
        if handle is not None:
            cast(Any, handle).__exit__(None, None, None)

    def _started(self) -> clingo.SolveHandle:
        assert self._handle is not None
        return self._handle


#: A model of more symbols than these is read as an array.
FEW = 64

#: No symbol has this number.
_NO_SYMBOL = 2**64 - 1


class SearchPrivate(SearchPublic):
    """The same without callbacks (the public one has clingo call Python at every model, and twice in the end), and with
    one buffer for all models: less than half of what the public API adds to a search.

    clingo collects the symbols of a model once to count them and once more to give them. Most models of a program have
    as many symbols as the one before: so they are asked for at once, and counted only where this turns out to be wrong.
    """

    def __init__(self, control: clingo.Control) -> None:
        ffi, own = _internal._ffi, cast(Any, control)
        self._rep = own._rep
        self._error = own._error
        self._data = _internal._CBData(None, own._error)
        self._pointer = ffi.new("clingo_solve_handle_t**")
        self._model = ffi.new("clingo_model_t**")
        self._result = ffi.new("clingo_solve_result_bitset_t*")
        self._buffer = ffi.new("clingo_symbol_t[]", 1)
        self._size = 0

    def start(self, literals: Sequence[int]) -> None:
        self._solve(literals, _internal._lib.clingo_solve_mode_yield)

    def run(self, literals: Sequence[int]) -> None:
        self._solve(literals, 0)

    def exhaust(self, literals: Sequence[int]) -> Sequence[int] | None:
        self.run(literals)
        self._check(_internal._lib.clingo_solve_handle_last(self._pointer[0], self._model))
        return self._counted(self._model[0]) if self._model[0] else None

    def _solve(self, literals: Sequence[int], mode: int) -> None:
        lib, ffi = _internal._lib, _internal._ffi
        self._error.clear()
        assumed, null = ffi.new("clingo_literal_t[]", literals) if literals else ffi.NULL, ffi.NULL
        self._check(lib.clingo_control_solve(self._rep, mode, assumed, len(literals), null, null, self._pointer))

    def read(self) -> Sequence[int] | None:
        lib = _internal._lib
        handle, found = self._pointer[0], self._model
        if not (lib.clingo_solve_handle_resume(handle) and lib.clingo_solve_handle_model(handle, found)):
            self._check(False)
        model, size, buffer = found[0], self._size, self._buffer
        if not model:
            return None
        if size:
            buffer[size - 1] = _NO_SYMBOL  # written over by the last one, when there are as many
            as_many = lib.clingo_model_symbols(model, lib.clingo_show_type_shown, buffer, size)
            if as_many and buffer[size - 1] != _NO_SYMBOL:
                return self._numbers(size)
        return self._counted(model)

    def _counted(self, model: Any) -> Sequence[int]:
        """The symbols of a model that has more or fewer of them than the one before."""
        lib, ffi = _internal._lib, _internal._ffi
        size, shown = ffi.new("size_t*"), lib.clingo_show_type_shown
        self._check(lib.clingo_model_symbols_size(model, shown, size))
        self._size = number = size[0]
        if number > len(self._buffer):
            self._buffer = ffi.new("clingo_symbol_t[]", 2 * number)
        self._check(lib.clingo_model_symbols(model, shown, self._buffer, number))
        return self._numbers(number)

    def _numbers(self, size: int) -> Sequence[int]:
        """What is in the buffer: a list of a few, an array of many."""
        ffi = _internal._ffi
        return array("Q", ffi.buffer(self._buffer, 8 * size)[:]) if size > FEW else ffi.unpack(self._buffer, size)

    def result(self) -> Ended:
        self._check(_internal._lib.clingo_solve_handle_get(self._pointer[0], self._result))
        return ended(cast(clingo.SolveResult, cast(Any, clingo.SolveResult)(self._result[0])))

    def cancel(self) -> None:
        self._check(_internal._lib.clingo_solve_handle_cancel(self._pointer[0]))

    def close(self) -> None:
        handle = self._pointer[0]
        if handle:
            self._pointer[0] = _internal._ffi.NULL
            self._check(_internal._lib.clingo_solve_handle_close(handle))

    def _started(self) -> clingo.SolveHandle:
        return cast(clingo.SolveHandle, cast(Any, clingo.SolveHandle)(self._pointer[0], self._data))

    def _check(self, done: bool) -> None:
        if not done:
            _internal._handle_error(False, self._data)


class SettingsPublic:
    """Settings of a Control's configuration, by their paths: `solve.models`."""

    def __init__(self, control: clingo.Control) -> None:
        self._control = control

    def get(self, path: str) -> str:
        """The value of a setting."""
        group, name = path.split(".")
        return str(getattr(getattr(self._control.configuration, group), name))

    def set(self, path: str, value: str) -> None:
        """Change a setting."""
        group, name = path.split(".")
        setattr(getattr(self._control.configuration, group), name, value)


class SettingsPrivate(SettingsPublic):
    """The same with the keys of the paths looked up once: ten settings are changed with each change of the question."""

    def __init__(self, control: clingo.Control) -> None:
        super().__init__(control)
        ffi, lib = _internal._ffi, _internal._lib
        tree, self._key = ffi.new("clingo_configuration_t**"), ffi.new("clingo_id_t*")
        _internal._handle_error(lib.clingo_control_configuration(cast(Any, control)._rep, tree))
        self._tree, self._keys = tree[0], dict[str, int]()

    def set(self, path: str, value: str) -> None:
        key = self._keys.get(path)
        if key is None:
            key = self._keys[path] = self._find(path)
        _internal._handle_error(_internal._lib.clingo_configuration_value_set(self._tree, key, value.encode()))

    def _find(self, path: str) -> int:
        lib, check, key = _internal._lib, _internal._handle_error, self._key
        check(lib.clingo_configuration_root(self._tree, key))
        for name in path.split("."):
            check(lib.clingo_configuration_map_at(self._tree, key[0], name.encode(), key))
        return cast(int, key[0])


def numbers_public(control: clingo.Control, path: Sequence[str], names: Sequence[str]) -> list[int]:
    """Some numbers of the last solve call, by the public API (builds the whole tree: half a millisecond)."""
    tree: Any = control.statistics
    for name in path:
        tree = tree[name]
    return [int(tree[name]) for name in names]


def numbers_private(control: clingo.Control, path: Sequence[str], names: Sequence[str]) -> list[int]:
    """The same numbers, without the rest of the tree."""
    lib, ffi, check = _internal._lib, _internal._ffi, _internal._handle_error
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


def atoms_public(control: clingo.Control, name: str, arity: int, positive: bool) -> Iterator[tuple[int, int]]:
    """The atoms of a predicate: the number of each atom's symbol, and its literal."""
    return ((_id_of(atom.symbol), atom.literal) for atom in control.symbolic_atoms.by_signature(name, arity, positive))


def atoms_private(control: clingo.Control, name: str, arity: int, positive: bool) -> Iterator[tuple[int, int]]:
    """The same without an object for each atom: there may be millions."""
    lib, ffi, check = _internal._lib, _internal._ffi, _internal._handle_error
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


def arguments_public(numbers: Iterable[int]) -> Iterator[Sequence[int]]:
    """The arguments of each of some symbols that are functions, all as numbers."""
    return ([_id_of(argument) for argument in _symbols[number].arguments] for number in numbers)


def arguments_private(numbers: Iterable[int]) -> Iterator[Sequence[int]]:
    """The same without an object for each argument, and with one place to put them for all symbols."""
    ffi, get, check = _internal._ffi, _internal._lib.clingo_symbol_arguments, _internal._handle_error
    arguments, size, unpack = ffi.new("clingo_symbol_t**"), ffi.new("size_t*"), ffi.unpack
    for number in numbers:
        _ = get(number, arguments, size) or check(False)
        yield unpack(arguments[0], size[0]) if size[0] else ()


def texts_public(numbers: Sequence[int]) -> list[str]:
    """Symbols as clingo prints them."""
    return [str(_symbols[number]) for number in numbers]


def texts_private(numbers: Sequence[int]) -> list[str]:
    """The same by one call: of a tuple that has them as its arguments, with a mark between each two."""
    if not numbers:
        return []
    ffi, lib, check = _internal._ffi, _internal._lib, _internal._handle_error
    mark = _mark()
    parts = array("Q", [cast(Any, mark)._rep]) * (2 * len(numbers) + 1)
    parts[1::2] = array("Q", numbers)
    whole, size = ffi.new("clingo_symbol_t*"), ffi.new("size_t*")
    check(lib.clingo_symbol_create_function(b"", ffi.from_buffer("clingo_symbol_t[]", parts), len(parts), True, whole))
    check(lib.clingo_symbol_to_string_size(whole[0], size))
    text = ffi.new("char[]", size[0])
    check(lib.clingo_symbol_to_string(whole[0], text, size[0]))
    printed: str = ffi.buffer(text, size[0] - 1)[:].decode("utf-8", AS_LATIN_1)
    return printed[len(f"({mark},") : -len(f",{mark})")].split(f",{mark},")


@cache
def _mark() -> Symbol:
    """A name that no program has: it is another one in each process."""
    return clingo.Function(f"m{urandom(12).hex()}")


def _works() -> bool:
    """Do the private names still mean what they meant? Asked once, of a program of one model."""
    try:
        control = clingo.Control(["--warn=none"])
        control.add("base", [], 'a(1, "x", f(-2)). #show. #show t : a(1, _, _). #show a/3. #minimize { 1 }.')
        control.ground()
        with control.solve(yield_=True) as handle:
            model = handle.model()
            if model is None:
                return False
            public = list(model.symbols(shown=True))
            private = ids_private(model)
            same = [symbol_private(number) for number in private] == public and ids_of_private(public) == private
            handle.get()
        for of in (COST, ENUMERATED, MINIMIZED):
            same = same and numbers_private(control, *of) == numbers_public(control, *of)
        same = same and _twins(control) and texts_private(private) == list(map(str, public))
        settings = SettingsPrivate(control)
        for number in ("2", "0"):
            settings.set("solve.models", number)
            same = same and settings.get("solve.models") == number
        search = SearchPrivate(control)
        for _ in range(2):  # with a size, and without
            search.start([])
            same = same and [search.read(), search.read()] == [private, None]
            search.close()
            same = same and search.exhaust([]) == private
            search.close()
        literal = next(literal for _, literal in atoms_private(control, "a", 3, True))
        search.start([-literal])
        same = same and bool(search.result().unsatisfiable) and search.core() == [-literal]
        search.close()
        same = same and search.exhaust([-literal]) is None and search.core() == [-literal]
        search.close()
        return same
    except Exception:
        # Whatever went wrong in there, the answer is the same: use the public way.
        return False


def _twins(control: clingo.Control) -> bool:
    """Do atoms and their arguments come out the same either way?"""

    def read(atoms: Any, arguments: Any, symbol_of: Callable[[int], Symbol]) -> list[Any]:
        numbers, literals = zip(*atoms(control, "a", 3, True), strict=True)
        parts = [list(map(symbol_of, inner)) for inner in arguments(numbers)]
        return [literals, list(map(symbol_of, numbers)), parts]

    private = read(atoms_private, arguments_private, symbol_private)
    return private == read(atoms_public, arguments_public, symbol_public)


#: True when the fast way is in use. Like the functions below, it is there when it is first used: see `__getattr__`.
FAST: bool
ids: Callable[[clingo.Model], Sequence[int]]
symbol_of: Callable[[int], Symbol]
Search: Callable[[clingo.Control], SearchPublic]
Settings: Callable[[clingo.Control], SettingsPublic]
numbers: Callable[[clingo.Control, Sequence[str], Sequence[str]], list[int]]
ids_of: Callable[[Sequence[Symbol]], list[int]]
atoms: Callable[[clingo.Control, str, int, bool], Iterator[tuple[int, int]]]
arguments: Callable[[Iterable[int]], Iterator[Sequence[int]]]
texts: Callable[[Sequence[int]], list[str]]

_TWINS: dict[str, tuple[Any, Any]] = {
    "FAST": (False, True),
    "ids": (ids_public, ids_private),
    "symbol_of": (symbol_public, symbol_private),
    "Search": (SearchPublic, SearchPrivate),
    "Settings": (SettingsPublic, SettingsPrivate),
    "numbers": (numbers_public, numbers_private),
    "ids_of": (ids_of_public, ids_of_private),
    "atoms": (atoms_public, atoms_private),
    "arguments": (arguments_public, arguments_private),
    "texts": (texts_public, texts_private),
}


def choose() -> None:
    """Decide between the twins, for which a small program may have to be solved: nothing for an import to do."""
    fast = clingo.__version__ in TRIED or _works()
    globals().update({name: private if fast else public for name, (public, private) in _TWINS.items()})


def __getattr__(name: str) -> Any:
    if name not in _TWINS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    choose()
    return globals()[name]
