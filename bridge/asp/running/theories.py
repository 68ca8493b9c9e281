"""Theories: clingo-dl (difference constraints) and clingcon (linear constraints over integers).

A theory registers a propagator with a Control, and rewrites the statements of the program on their way into it. Its
variables then have values in each model. Both are packages of their own, imported when a program asks for them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any, NamedTuple

import clingo
import clingo.ast
from clingo.symbol import Function, Number, Symbol, SymbolType

from bridge.asp.internals import observed
from bridge.asp.reading.source import term
from bridge.asp.types import Value
from bridge.errors import InputError, MissingSolverError, ProgramError, UnsupportedError


class TheoryKind(NamedTuple):
    """A theory: its package and class, the theory atoms that it gives a meaning to, its options.

    The options are listed since clingcon silently accepts any name.
    """

    module: str
    cls: str
    atoms: tuple[str, ...]
    flags: tuple[str, ...]
    options: tuple[str, ...]


_MINIMIZE = "minimize-variable"

THEORIES = {
    "clingo-dl": TheoryKind(
        "clingodl",
        "ClingoDLTheory",
        ("diff",),
        ("rdl", "shift-constraints", "compute-components"),
        (
            *("propagate", "propagate-root", "propagate-budget", "add-mutexes", "sort-edges", "dl-heuristic"),
            _MINIMIZE,
        ),
    ),
    "clingcon": TheoryKind(
        "clingcon",
        "ClingconTheory",
        ("sum", "diff", "nsum", "distinct", "disjoint", "dom", "minimize", "maximize", "show"),
        (
            *("shift-constraints", "sort-constraints", "literals-only", "add-order-clauses"),
            *("check-solution", "check-state"),
        ),
        (
            *("translate-clauses", "translate-pb", "translate-distinct", "translate-opt", "min-int", "max-int"),
            *("order-heuristic", "sign-value", "refine-reasons", "refine-introduce", "propagate-chain", "split-all"),
        ),
    ),
}

#: Atoms that the tools do not show: their own, and whatever else begins so.
HIDDEN = "__"

#: A bound on clingo-dl's variable, which holds while its atom is true.
_BOUND = f"{HIDDEN}lpbridge_bound"
_BOUND_PART = f"#program {_BOUND}(s, b). #external {_BOUND}(b). &diff {{ s - 0 }} <= b :- {_BOUND}(b)."

#: How clingcon writes the cost of a model.
_COST = f"{HIDDEN}csp_cost"

_OPTION = re.compile(r"--(?P<no>no-)?(?P<key>[a-z][a-z-]*)(?:=(?P<value>.*))?", re.DOTALL)


class Theory:
    """A theory of one Control, by its name; the configuration are pairs that `split` has found among options.

    clingo-dl minimises `variable` (`--minimize-variable`), if it does; `minimizes` says whether there is something that
    the theory minimises, as far as the program is ground.
    """

    def __init__(self, name: str, configuration: Sequence[tuple[str, str]]) -> None:
        self.name = name
        self._theory = _instance(name)
        self.variable: Symbol | None = None
        self.initial: int | None = None
        for key, value in configuration:
            if key == _MINIMIZE:
                self.variable, self.initial = _objective(value)
            else:
                self._theory.configure(key, value)
        self.minimizes = False
        self._shown: set[Any] | None = None  # variables as text, and signatures

    def register(self, control: clingo.Control) -> None:
        """Register with a Control that nothing has been loaded into."""
        self._theory.register(control)
        if self.variable is not None:
            with clingo.ast.ProgramBuilder(control) as builder:
                clingo.ast.parse_string(_BOUND_PART, lambda statement: self.rewrite(statement, builder.add))

    def rewrite(self, statement: clingo.ast.AST, add: Callable[[clingo.ast.AST], None]) -> None:
        self._theory.rewrite_ast(statement, add)

    def prepare(self, control: clingo.Control) -> None:
        """Take in what was ground; a ProgramError for a constraint that the theory does not have."""
        try:
            self._theory.prepare(control)
        except RuntimeError as error:
            raise ProgramError(f"{self.name}: {error}", hint="see the theory's documentation") from None
        self.minimizes = self.minimizes or self.variable is not None
        if self.name == "clingcon":
            for atom in control.theory_atoms:  # those that this step has ground
                self._look(atom)

    def _look(self, atom: clingo.TheoryAtom) -> None:
        name = atom.term.name
        if name in ("minimize", "maximize"):
            self.minimizes = self.minimizes or bool(atom.elements)
        elif name == "show":
            shown = self._shown = self._shown or set()
            for element in atom.elements:
                of = element.terms[0]
                if of.type is clingo.TheoryTermType.Function and of.name == "/" and len(of.arguments) == 2:
                    shown.add((of.arguments[0].name, of.arguments[1].number))
                else:
                    shown.add(str(of))

    def on_model(self, model: clingo.Model) -> None:
        """Tell the theory of a model: from here on, models cost less by clingcon's objective."""
        self._theory.on_model(model)

    def cost(self, model: clingo.Model) -> int:
        """The value of the theory's objective in a model that was passed to it."""
        if self.variable is not None:
            return self._value(model)
        return next(int(symbol.arguments[0].string) for symbol in model.symbols(theory=True) if symbol.match(_COST, 1))

    def _value(self, model: clingo.Model) -> int:
        assert self.variable is not None
        index = self._theory.lookup_symbol(self.variable)
        if index is None or not self._theory.has_value(model.thread_id, index):
            hint = f"--{_MINIMIZE} names a variable that each answer set constrains"
            raise InputError(f"{self.variable} has no value in an answer set", hint=hint)
        value = self._theory.get_value(model.thread_id, index)
        if type(value) is not int:
            raise UnsupportedError("clingo-dl minimises integers only", hint="leave --rdl out")
        return value

    @contextmanager
    def bounded(self, control: clingo.Control, most: int | None) -> Iterator[None]:
        """While this is entered, clingo-dl's variable is at most this, if it is a number."""
        if most is None:
            yield
            return
        assert self.variable is not None
        atom = Function(_BOUND, [Number(most)])
        control.ground([(_BOUND, [self.variable, Number(most)])])
        self.prepare(control)
        with observed(control):
            control.assign_external(atom, True)
        try:
            yield
        finally:
            with observed(control):
                control.assign_external(atom, False)

    def assignment(self, thread: int) -> dict[str, Value]:
        """The values of the variables in the model that a thread of the solver has just found."""
        found = sorted(self._theory.assignment(thread))
        if self._shown is not None:
            found = [(symbol, value) for symbol, value in found if {str(symbol), _signature(symbol)} & self._shown]
        return {str(symbol): _value(value) for symbol, value in found}


def _instance(name: str) -> Any:
    kind = THEORIES[name]
    try:
        return getattr(import_module(kind.module), kind.cls)()
    except ImportError:
        raise MissingSolverError(
            f"{name} is not installed", hint=f"pip install {name}, or lpbridge with its extra: lpbridge[theories]"
        ) from None


def split(name: str, options: Sequence[str]) -> tuple[list[str], list[tuple[str, str]]]:
    """Options without those of a theory, and these: `--rdl` is `("rdl", "yes")`. Values are checked."""
    kind, theory = THEORIES[name], _instance(name)
    rest, configuration = list[str](), list[tuple[str, str]]()
    waiting = list(options)
    while waiting:
        option = waiting.pop(0)
        match = _OPTION.fullmatch(option)
        if match is None or match["key"] not in (*kind.flags, *kind.options):
            rest.append(option)
            continue
        key, value = match["key"], match["value"]
        if value is None and key in kind.flags:
            value = "no" if match["no"] else "yes"
        elif value is None and waiting:
            value = waiting.pop(0)
        try:
            if not value:
                raise RuntimeError("a value is missing")
            if key == _MINIMIZE:
                _objective(value)
            else:
                theory.configure(key, value)
        except RuntimeError:
            hint = f"`python -m {kind.module} --help` lists its options"
            raise InputError(f"{name} does not take the option {option}", hint=hint) from None
        configuration.append((key, value))
    return rest, configuration


def _objective(text: str) -> tuple[Symbol, int | None]:
    variable, comma, initial = text.rpartition(",")
    if comma and re.fullmatch(r"-?\d+", initial):
        return term(variable), int(initial)
    return term(text), None


def _signature(symbol: Symbol) -> tuple[str, int] | None:
    return (symbol.name, len(symbol.arguments)) if symbol.type is SymbolType.Function else None


def _value(value: Any) -> Value:
    return value if isinstance(value, int | float) else str(value)


def unconstrained(control: clingo.Control, theory: Theory | None) -> list[str]:
    """The names of theory atoms in a ground program that mean nothing: a solver may make each true or false.

    Atoms of a theory that there is are refused.
    """
    meant = THEORIES[theory.name].atoms if theory is not None else ()
    names = {atom.term.name for atom in control.theory_atoms}
    left = sorted(name for name in names if name not in meant and not name.startswith(HIDDEN))
    for name in left:
        if hint := option_for(name):
            raise UnsupportedError(f"the atoms &{name} mean nothing without their theory", hint=hint)
    return left


def option_for(name: str) -> str | None:
    """What to say where atoms of a theory are used without it."""
    for theory, kind in THEORIES.items():
        if name in kind.atoms:
            return f'run it with --theory {theory} (in Python theory="{theory}")'
    return None
